// The records of background runs: what is known of a run when the server that ran it is gone. Called by the run's worker (writes), by
// run_inspect and run_cancel for a run that is not in their server's table, and by status and cleanup. Owns the files NAME.json in
// CODECALC_RUN_STATE_DIR whose names are those of runs, and no other file there. May block; never runs in the server's own process.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codecalc/json.h"
#include "codecalc/runs.h"
#include "codecalc/sandbox.h"

#define FORMAT     "codecalc-run-1"
#define RECORD_MAX 4096 // bytes of one; ours have some 400
#define KEPT_MAX   1000 // records; past that,
#define KEPT_MIN   750  // the oldest go until so many are left

static const char *directory(void) {
    const char *d = cc_settings_get()->run_state_dir;
    return d ? d : "";
}

// ---- which server ----

// When a process began: with its number, this names it. 0 when it has ended (also when nobody has reaped it yet) or cannot be seen.
static uint64_t start_of(pid_t pid) {
    char number[16];
    cc_proc_stat s;
    CC_CLEANUP_FD int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(number, sizeof number, "%d", (int)pid);
    return proc >= 0 && cc_read_stat(proc, number, &s) && s.state != 'Z' ? s.began : 0;
}

static void boot_id(char out[37]) {
    CC_CLEANUP_FD int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, out, 36);
    out[n < 0 ? 0 : n] = 0;
}

void cc_run_record_begin(cc_run_record *r, const char *id) {
    *r = (cc_run_record){.state = CC_RUN_RUNNING, .started_ms = cc_run_now_ms(), .server = getppid()};
    snprintf(r->id, sizeof r->id, "%s", id);
    r->server_start = start_of(r->server);
    boot_id(r->boot);
}

static bool lives(const cc_run_record *r) {
    char boot[37];
    boot_id(boot);
    return r->server_start && strcmp(boot, r->boot) == 0 && start_of(r->server) == r->server_start;
}

// ---- writing ----

static void write_json(cc_buf *out, const cc_run_record *r) {
    cc_jw w = cc_jw_make(out);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "format", FORMAT);
    cc_jw_kstringz(&w, "run_id", r->id);
    cc_jw_kstringz(&w, "state", cc_run_state_name(r->state));
    cc_jw_kstringz(&w, "provider_id", "local");
    cc_jw_kstringz(&w, "language", r->language);
    cc_jw_kint(&w, "timeout_ms", r->timeout_ms);
    cc_jw_kint(&w, "started_ms", r->started_ms);
    if (cc_run_ended(r->state)) {
        cc_jw_kint(&w, "ended_ms", r->ended_ms);
        cc_jw_kbool(&w, "ok", r->ok);
        if (r->verdict[0]) cc_jw_kstringz(&w, "verdict", r->verdict);
        if (r->verdict[0]) cc_jw_kint(&w, "exit_code", r->exit_code);
        if (r->cancelled) cc_jw_kbool(&w, "cancelled", true);
    }
    cc_jw_kint(&w, "server", r->server);
    cc_jw_kint(&w, "server_start", (int64_t)r->server_start);
    cc_jw_kstringz(&w, "boot", r->boot);
    cc_jw_end_object(&w);
    cc_buf_addc(out, '\n');
}

static int open_directory(cc_error *err) {
    int fd = open(directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? cc_error_errno(err, "CODECALC_RUN_STATE_DIR: %s", directory()) : fd;
}

static void file_name(char out[64], const char *id) { snprintf(out, 64, "%s.json", id); }

// True for what a worker leaves that is killed between writing a record and giving it its name.
static bool is_unfinished(const char *name) {
    char id[CC_RUN_ID + 1];
    size_t n = strlen(name);
    if (n < CC_RUN_ID + 8 || name[0] != '.' || strncmp(name + 1 + CC_RUN_ID, ".json.", 6) != 0) return false;
    memcpy(id, name + 1, CC_RUN_ID);
    id[CC_RUN_ID] = 0;
    return cc_run_id_valid(cc_str_make(id, CC_RUN_ID));
}

// True for a file that holds a record, with the run's name in id.
static bool is_record(const char *name, char id[CC_RUN_ID + 1]) {
    if (strlen(name) != CC_RUN_ID + 5 || strcmp(name + CC_RUN_ID, ".json") != 0) return false;
    memcpy(id, name, CC_RUN_ID);
    id[CC_RUN_ID] = 0;
    return cc_run_id_valid(cc_str_make(id, CC_RUN_ID));
}

int cc_run_record_write(const cc_run_record *r, cc_error *err) {
    if (!directory()[0]) return 0;
    if (cc_folder_make(directory())) return cc_error_errno(err, "CODECALC_RUN_STATE_DIR: %s", directory());
    CC_CLEANUP_FD int dir = open_directory(err);
    if (dir < 0) return -1;
    CC_CLEANUP_BUF cc_buf text = {0};
    write_json(&text, r);
    char name[64], temporary[96];
    file_name(name, r->id);
    snprintf(temporary, sizeof temporary, ".%s.%d", name, (int)getpid());
    CC_CLEANUP_FD int fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 && cc_fd_write_all(fd, text.p, text.n) == 0 && renameat(dir, temporary, dir, name) == 0) return 0;
    cc_error_errno(err, "CODECALC_RUN_STATE_DIR: writing the record of a run");
    if (fd >= 0) unlinkat(dir, temporary, 0);
    return -1;
}

// ---- reading ----

static int64_t integer(const cc_json *object, const char *key) {
    // A count of ticks past 2^53 would be a string; none is in the next million years.
    int64_t v = 0;
    const cc_json *n = cc_json_get_type(object, key, CC_JSON_NUMBER);
    return n && cc_json_int64(n, &v) ? v : 0;
}

static void text(const cc_json *object, const char *key, char *out, size_t size) {
    const cc_json *v = cc_json_get_type(object, key, CC_JSON_STRING);
    cc_str s = v ? cc_json_string(v) : (cc_str){0};
    snprintf(out, size, "%.*s", (int)s.n, s.n ? s.p : "");
}

static bool flag(const cc_json *object, const char *key) {
    const cc_json *v = cc_json_get_type(object, key, CC_JSON_BOOL);
    return v && cc_json_bool(v);
}

static int from_json(cc_str json, cc_run_record *r, cc_error *err) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *o;
    char format[32], state[16];
    *r = (cc_run_record){0};
    if (cc_json_parse(&a, json, 4, &o, err)) return -1;
    text(o, "format", format, sizeof format);
    text(o, "run_id", r->id, sizeof r->id);
    text(o, "state", state, sizeof state);
    if (strcmp(format, FORMAT) != 0) return cc_error_set(err, CC_VALIDATION, "it is not of the format " FORMAT);
    while (r->state < CC_RUN_RECOVERED && strcmp(cc_run_state_name(r->state), state) != 0) r->state++;
    text(o, "language", r->language, sizeof r->language);
    text(o, "verdict", r->verdict, sizeof r->verdict);
    text(o, "boot", r->boot, sizeof r->boot);
    r->timeout_ms = (unsigned)integer(o, "timeout_ms");
    r->started_ms = integer(o, "started_ms");
    r->ended_ms = integer(o, "ended_ms");
    r->exit_code = (int)integer(o, "exit_code");
    r->ok = flag(o, "ok");
    r->cancelled = flag(o, "cancelled");
    r->server = (pid_t)integer(o, "server");
    r->server_start = (uint64_t)integer(o, "server_start");
    r->server_lives = lives(r);
    if (!cc_run_ended(r->state) && !r->server_lives) r->state = CC_RUN_RECOVERED;
    return 0;
}

static int read_at(int dir, const char *id, cc_run_record *out, cc_error *err) {
    char name[64], json[RECORD_MAX];
    file_name(name, id);
    CC_CLEANUP_FD int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return 0;
    ssize_t n = fd < 0 ? -1 : read(fd, json, sizeof json);
    if (n < 0) return cc_error_errno(err, "CODECALC_RUN_STATE_DIR: reading the record of run %s", id);
    if (from_json(cc_str_make(json, (size_t)n), out, err) || strcmp(out->id, id) != 0)
        return cc_error_set(err, CC_WORKER_FAILURE, "the record of run %s is damaged", id);
    return 1;
}

int cc_run_record_read(cc_str id, cc_run_record *out, cc_error *err) {
    char name[CC_RUN_ID + 1];
    if (!directory()[0] || !cc_run_id_valid(id)) return 0;
    snprintf(name, sizeof name, "%.*s", (int)id.n, id.p);
    CC_CLEANUP_FD int dir = open(directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 && errno == ENOENT) return 0;
    if (dir < 0) return cc_error_errno(err, "CODECALC_RUN_STATE_DIR: %s", directory());
    return read_at(dir, name, out, err);
}

// ---- all of them ----

int cc_run_records_sweep(int64_t before_ms, bool remove, cc_run_records *out, cc_error *err) {
    *out = (cc_run_records){0};
    if (!directory()[0]) return 0;
    DIR *d = opendir(directory());
    if (!d && errno == ENOENT) return 0;
    if (!d) return cc_error_errno(err, "CODECALC_RUN_STATE_DIR: %s", directory());
    for (struct dirent *e; (e = readdir(d));) {
        char id[CC_RUN_ID + 1];
        cc_run_record r;
        cc_error bad;
        struct stat st;
        if (is_unfinished(e->d_name) && !fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) && st.st_mtim.tv_sec < before_ms / 1000) {
            if (!remove || !unlinkat(dirfd(d), e->d_name, 0)) out->old++, out->old_bytes += (uint64_t)st.st_size;
            continue;
        }
        if (!is_record(e->d_name, id) || read_at(dirfd(d), id, &r, &bad) != 1 || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
            continue; // not ours, damaged, or just gone
        out->states[r.state]++;
        out->bytes += (uint64_t)st.st_size;
        int64_t last = r.ended_ms ? r.ended_ms : r.started_ms;
        if (!cc_run_ended(r.state) || last >= before_ms) continue;
        if (remove && unlinkat(dirfd(d), e->d_name, 0)) continue;
        out->old++;
        out->old_bytes += (uint64_t)st.st_size;
    }
    closedir(d);
    return 0;
}

typedef struct aged {
    struct timespec at;
    char id[CC_RUN_ID + 1];
} aged;

static int by_age(const void *a, const void *b) {
    const struct timespec *x = &((const aged *)a)->at, *y = &((const aged *)b)->at;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

void cc_run_records_bound(void) {
    DIR *d = directory()[0] ? opendir(directory()) : NULL;
    if (!d) return;
    char id[CC_RUN_ID + 1];
    size_t n = 0, most = 0;
    for (struct dirent *e; (e = readdir(d));) most += is_record(e->d_name, id);
    aged *all = most > KEPT_MAX ? cc_malloc(most * sizeof *all) : NULL;
    rewinddir(d);
    for (struct dirent *e; all && n < most && (e = readdir(d));) {
        struct stat st;
        if (!is_record(e->d_name, all[n].id) || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW)) continue;
        all[n++].at = st.st_mtim;
    }
    if (n) qsort(all, n, sizeof *all, by_age);
    for (size_t i = 0, left = n; i < n && left > KEPT_MIN; i++) {
        cc_run_record r;
        cc_error err;
        char name[64];
        // One that cannot be read is as old as it looks.
        if (read_at(dirfd(d), all[i].id, &r, &err) == 1 && !cc_run_ended(r.state)) continue;
        file_name(name, all[i].id);
        left -= unlinkat(dirfd(d), name, 0) == 0;
    }
    free(all);
    closedir(d);
}
