// Compiled programs by what they were made from, so that running one again, or with other input, does not compile it again. Called by
// execute.c, and by whoever clears it. Owns ${cache}/codecalc/programs: one file an entry, which holds the whole key and is compared with
// it byte by byte, so that no two programs are ever taken for each other. Only this side writes there: guests of full isolation cannot
// reach it, and runs below that neither use nor fill it. An entry that does not read well is as if it were not there.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

#define MAGIC      0x3167706363646f63u // and the version of all that an entry means
#define MIB        (UINT64_C(1) << 20)
#define NAME       16 // hexadecimal digits
#define UNFINISHED ".new-"
#define STALE_S    3600
#define FILES_MAX  8192

typedef struct head {
    uint64_t magic, sum; // of what follows the head
    uint64_t key, said, kept;
} head;

// Tells a file that the machine spoiled, and names files; what is equal is decided by comparing.
static uint64_t sum_of(uint64_t h, const char *p, size_t n) {
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    for (; n; p++, n--) h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

// ---- the key ----

static void add_text(cc_buf *b, cc_str s) {
    cc_buf_printf(b, "%zu:", s.n);
    cc_buf_adds(b, s);
}

static void add_words(cc_buf *b, const char *const *words) {
    for (; *words; words++) add_text(b, cc_str_of(*words));
    cc_buf_addc(b, '\n');
}

// A file whose change means that the same command may make something else.
static void add_stamp(cc_buf *b, const char *path) {
    struct stat st = {0};
    if (stat(path, &st)) st = (struct stat){0};
    add_text(b, cc_str_of(path));
    cc_buf_printf(b, "%lld %lld.%09ld %llu\n", (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                  (unsigned long long)st.st_ino);
}

// True for a program that holds the moment of its compilation.
static bool tells_time(cc_str code) {
    static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    for (size_t i = 0; i < CC_ARRAY_LEN(words); i++)
        if (code.n && memmem(code.p, code.n, words[i], strlen(words[i]))) return true;
    return false;
}

cc_str cc_cache_key(cc_arena *a, const cc_resolution *r, const cc_plan *plan) {
    CC_CLEANUP_BUF cc_buf b = {0};
    if (!cc_settings_get()->cache_mb || !cc_settings_get()->cache_dir[0]) return (cc_str){0};
    add_text(&b, cc_str_of(r->language->name));
    for (size_t i = 0; i < r->n_tools; i++) add_stamp(&b, r->tools[i].path);
    // The compiler's own parts, headers and libraries: whatever installs these touches one of the two.
    add_stamp(&b, "/etc/ld.so.cache");
    add_stamp(&b, "/var/lib/dpkg/status");
    for (size_t i = 0; i < plan->run_step; i++) {
        add_words(&b, plan->steps[i].argv);
        add_words(&b, plan->steps[i].envp);
    }
    for (size_t i = 0; i < plan->spec.n_ops; i++) { // what is shown to it: the source, further files, our own
        const cc_op *op = &plan->spec.ops[i];
        if (op->kind == CC_OP_INPUT && tells_time(op->bytes)) return (cc_str){0};
        if (op->kind == CC_OP_TMPFS) continue; // empty, and as large as the call's memory allows: a limit, nothing that it sees
        cc_buf_printf(&b, "%d ", (int)op->kind);
        add_text(&b, cc_str_of(op->path));
        add_text(&b, cc_str_of(op->source));
        add_text(&b, op->bytes);
    }
    return cc_arena_dup(a, cc_buf_str(&b));
}

// ---- the directory ----

// The directory of the entries, or one above it, made when it is missing. -1 when it cannot be had, or others could write to it.
static int open_directory(bool make) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/programs", cc_settings_get()->cache_dir) >= (int)sizeof path) return -1;
    for (char *p = path + 1; make && *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        if (mkdir(path, 0700) && errno != EEXIST) return -1;
        *p = '/';
    }
    if (make && mkdir(path, 0700) && errno != EEXIST) return -1;
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || st.st_uid != geteuid() || (st.st_mode & 022)) return -1;
    return cc_fd_steal(&fd);
}

static void name_of(cc_str key, char name[NAME + 1]) {
    snprintf(name, NAME + 1, "%016llx", (unsigned long long)sum_of(MAGIC, key.p, key.n));
}

static bool is_entry(const char *name) { return strlen(name) == NAME && strspn(name, "0123456789abcdef") == NAME; }

// ---- finding ----

static cc_str read_whole(cc_arena *a, int fd, size_t n) {
    char *p = cc_arena_alloc(a, n);
    size_t at = 0;
    while (at < n) {
        ssize_t got = read(fd, p + at, n - at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        at += (size_t)got;
    }
    return (cc_str){p, at};
}

// Lists what a compile step left as operations of the same effect. -1 when it is not whole.
static int list_files(cc_arena *a, cc_str kept, cc_cached *out) {
    cc_op *ops = NULL;
    size_t n = 0, cap = 0;
    cc_collected file;
    int more;
    while ((more = cc_collected_next(&kept, &file)) > 0) {
        if (n == FILES_MAX) return -1;
        if (n == cap) {
            cc_op *larger = CC_ARENA_ARRAY(a, cc_op, cap * 2 + 16);
            if (n) memcpy(larger, ops, n * sizeof *ops);
            ops = larger;
            cap = cap * 2 + 16;
        }
        ops[n++] = (cc_op){.kind = file.directory ? CC_OP_OWN_DIR : CC_OP_INPUT,
                           .path = cc_arena_dup(a, file.path).p,
                           .bytes = file.bytes,
                           .executable = file.executable};
    }
    out->ops = ops;
    out->n_ops = n;
    return more;
}

bool cc_cache_find(cc_arena *a, cc_str key, cc_cached *out) {
    char name[NAME + 1];
    name_of(key, name);
    CC_CLEANUP_FD int dir = open_directory(false), fd = dir < 0 ? -1 : openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022)) return false;
    head h;
    if (st.st_size < (off_t)sizeof h || (uint64_t)st.st_size > cc_settings_get()->cache_mb * MIB) return false;
    cc_str all = read_whole(a, fd, (size_t)st.st_size);
    if (all.n != (size_t)st.st_size) return false;
    memcpy(&h, all.p, sizeof h);
    cc_str rest = {all.p + sizeof h, all.n - sizeof h};
    if (h.magic != MAGIC || h.key != key.n || h.key > rest.n || h.said > rest.n - h.key || h.kept != rest.n - h.key - h.said) return false;
    if (memcmp(rest.p, key.p, key.n) != 0 || sum_of(h.key, rest.p, rest.n) != h.sum) return false;
    *out = (cc_cached){.said = {rest.p + h.key, h.said}};
    if (list_files(a, (cc_str){rest.p + h.key + h.said, h.kept}, out)) return false;
    (void)futimens(fd, NULL); // when it was used last; without it the entry only looks older
    return true;
}

// ---- storing ----

typedef struct entry {
    char name[NAME + 1];
    uint64_t bytes;
    struct timespec used;
} entry;

static int older_first(const void *a, const void *b) {
    const struct timespec *x = &((const entry *)a)->used, *y = &((const entry *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

// All entries, freed by the caller. Removes what a killed process left unfinished.
static entry *list_entries(int dir, size_t *n, uint64_t *bytes) {
    entry *list = NULL;
    size_t cap = 0;
    *n = 0;
    *bytes = 0;
    int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (!d) cc_fd_close(&copy);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW)) continue;
        if (!strncmp(e->d_name, UNFINISHED, strlen(UNFINISHED)) && st.st_mtim.tv_sec + STALE_S < time(NULL)) unlinkat(dir, e->d_name, 0);
        if (!is_entry(e->d_name)) continue;
        if (*n == cap) list = cc_realloc(list, (cap = cap * 2 + 64) * sizeof *list);
        entry *new = &list[(*n)++];
        *new = (entry){.bytes = (uint64_t)st.st_size, .used = st.st_mtim};
        memcpy(new->name, e->d_name, NAME + 1);
        *bytes += new->bytes;
    }
    if (d) closedir(d);
    return list;
}

static void make_room(int dir, uint64_t limit) {
    size_t n;
    uint64_t bytes;
    CC_CLEANUP_FREE entry *list = list_entries(dir, &n, &bytes);
    if (bytes <= limit) return;
    qsort(list, n, sizeof *list, older_first);
    for (size_t i = 0; i < n && bytes > limit; i++)
        if (unlinkat(dir, list[i].name, 0) == 0 || errno == ENOENT) bytes -= list[i].bytes;
}

void cc_cache_store(cc_str key, cc_str said, int kept) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    struct stat st;
    uint64_t limit = cc_settings_get()->cache_mb * MIB;
    if (fstat(kept, &st) || lseek(kept, 0, SEEK_SET) || !st.st_size) return;
    cc_str files = read_whole(&a, kept, (size_t)st.st_size);
    cc_cached whole;
    if (sizeof(head) + key.n + said.n + files.n > limit || list_files(&a, files, &whole)) return;
    head h = {.magic = MAGIC, .key = key.n, .said = said.n, .kept = files.n};
    CC_CLEANUP_BUF cc_buf all = {0};
    cc_buf_reserve(&all, sizeof h + key.n + said.n + files.n);
    cc_buf_add(&all, &h, sizeof h);
    cc_buf_adds(&all, key);
    cc_buf_adds(&all, said);
    cc_buf_adds(&all, files);
    h.sum = sum_of(h.key, all.p + sizeof h, all.n - sizeof h);
    memcpy(all.p, &h, sizeof h);

    char name[NAME + 1], unfinished[32];
    name_of(key, name);
    snprintf(unfinished, sizeof unfinished, UNFINISHED "%d", (int)getpid());
    CC_CLEANUP_FD int dir = open_directory(true);
    CC_CLEANUP_FD int fd = dir < 0 ? -1 : openat(dir, unfinished, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return;
    if (cc_fd_write_all(fd, all.p, all.n) || renameat(dir, unfinished, dir, name)) {
        cc_log(CC_LOG_INFO, "a compiled program is not kept: %s", strerror(errno));
        unlinkat(dir, unfinished, 0);
        return;
    }
    make_room(dir, limit);
}

// ---- clearing ----

static void sweep(bool remove, unsigned *programs, uint64_t *bytes) {
    *programs = 0;
    *bytes = 0;
    CC_CLEANUP_FD int dir = cc_settings_get()->cache_dir[0] ? open_directory(false) : -1;
    if (dir < 0) return;
    size_t n;
    uint64_t all;
    CC_CLEANUP_FREE entry *list = list_entries(dir, &n, &all);
    for (size_t i = 0; i < n; i++)
        if (!remove || unlinkat(dir, list[i].name, 0) == 0) ++*programs, *bytes += list[i].bytes;
}

void cc_cache_measure(unsigned *programs, uint64_t *bytes) { sweep(false, programs, bytes); }
void cc_cache_clear(unsigned *programs, uint64_t *bytes) { sweep(true, programs, bytes); }
