// What a toolchain would compute anew in every run, made once a machine. Called by execute.c before a run's time begins, and by status
// and cleanup. Owns ${cache}/codecalc/warm: a directory for each toolchain, named after its language and the stamp of its tool, which
// appears there when it is whole. What its "files" holds was made in a sandbox of its own, from nothing that a caller sent; runs get it
// read-only, and nobody writes it again. A directory without files says that filling failed: it is not tried again for a day.
//
// The directories are locked, not what is in them, so that no program can reach the locks: shared by who runs, exclusively by who fills or
// removes. Names with a dot are on their way in or out, and nobody's when they are not locked.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

#define UNFINISHED ".new"
#define REMOVED    ".old"
#define FILES      "files"
#define RETRY_S    86400         // after filling failed
#define UNUSED_S   (30 * 86400L) // what was made for another version of a toolchain, and is not used for so long, goes

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29; }

// A number that changes when the toolchain, or what fills its directory, changes.
static uint64_t stamp(const cc_resolution *r) {
    struct stat st = {0};
    uint64_t h = 2; // the version of all that a directory means
    const char *path = r->root ? r->root : r->tools[0].path;
    if (stat(path, &st)) st = (struct stat){0};
    h = mix(mix(mix(h, (uint64_t)st.st_size), (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_ino);
    for (const char *p = path; *p; p++) h = mix(h, (unsigned char)*p);
    for (const char *const *w = r->variant->warm->fill; *w; w++)
        for (const char *p = *w; *p; p++) h = mix(h, (unsigned char)*p);
    return h;
}

// The directory above all, private to its owner. -1 when it cannot be had.
static int open_top(char *path, size_t size, bool make) {
    const char *cache = cc_settings_get()->cache_dir;
    if (!cache[0] || snprintf(path, size, "%s/warm", cache) >= (int)size) return -1;
    for (char *p = path + 1; make; p++) {
        if (*p && *p != '/') continue;
        char kept = *p;
        *p = 0;
        if (mkdir(path, 0700) && errno != EEXIST) return -1;
        *p = kept;
        if (!kept) break;
    }
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || st.st_uid != geteuid() || (st.st_mode & 022)) return -1;
    return cc_fd_steal(&fd);
}

// Gives what a guest has made back to the user, readable by every guest; links and other things that are no files go.
static int settle(int dir) {
    if (fchown(dir, geteuid(), getegid()) || fchmod(dir, 0755)) return -1;
    int copy = fcntl(dir, F_DUPFD_CLOEXEC, 0);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) return -1;
    int failed = 0;
    for (struct dirent *d; !failed && (d = readdir(list));) {
        if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..")) continue;
        CC_CLEANUP_FD int fd = openat(dir, d->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat st;
        if (fd < 0 || fstat(fd, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
            failed = unlinkat(dir, d->d_name, 0);
        else if (S_ISDIR(st.st_mode))
            failed = settle(fd);
        else
            failed = fchown(fd, geteuid(), getegid()) || fchmod(fd, st.st_mode & 0100 ? 0755 : 0644);
    }
    closedir(list);
    return failed ? -1 : 0;
}

// ---- locking and removing ----

// The directory of this name, locked; -1 when it is not there, or somebody has it locked otherwise. errno says which.
static int open_locked(int top, const char *name, int lock) {
    CC_CLEANUP_FD int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat mine, named;
    if (fd < 0 || flock(fd, lock | LOCK_NB) || fstat(fd, &mine) || fstatat(top, name, &named, AT_SYMLINK_NOFOLLOW)) return -1;
    if (mine.st_dev != named.st_dev || mine.st_ino != named.st_ino) return errno = ENOENT, -1; // removed before it was locked
    return cc_fd_steal(&fd);
}

typedef enum outcome { IS_GONE, IS_USED, IS_STUCK } outcome;

// Removes a directory that nobody uses. Under another name first: what is killed half-way through leaves nothing that looks whole.
static outcome discard(int top, const char *top_path, const char *name) {
    CC_CLEANUP_FD int fd = open_locked(top, name, LOCK_EX);
    if (fd < 0 && errno == ENOTDIR) return unlinkat(top, name, 0) ? IS_STUCK : IS_GONE; // not made by this version
    if (fd < 0) return errno == ENOENT ? IS_GONE : IS_USED;
    char path[4096 + 256], away[256];
    struct stat st;
    if (!strchr(name, '.')) {
        if (snprintf(away, sizeof away, "%s" REMOVED, name) >= (int)sizeof away) return IS_STUCK;
        discard(top, top_path, away); // left by one who was killed
        if (renameat(top, name, top, away)) return IS_STUCK;
        name = away;
    }
    if (snprintf(path, sizeof path, "%s/%s", top_path, name) >= (int)sizeof path) return IS_STUCK;
    if (fstat(fd, &st) == 0 && cc_sandbox_remove_tree(path, st.st_dev, st.st_ino) == 0) return IS_GONE;
    cc_log(CC_LOG_WARN, "%s stays: %s", path, strerror(errno));
    return IS_STUCK;
}

// Calls f with the name of every entry.
static void for_each(int top, void (*f)(void *ctx, const char *name), void *ctx) {
    int copy = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) cc_fd_close(&copy);
    for (struct dirent *d; list && (d = readdir(list));)
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0) f(ctx, d->d_name);
    if (list) closedir(list);
}

static int64_t age_s(int fd) {
    struct stat st;
    return fstat(fd, &st) ? 0 : time(NULL) - st.st_mtim.tv_sec;
}

typedef struct old_ones {
    int top;
    const char *path, *language, *current;
} old_ones;

static void discard_old(void *ctx, const char *name) {
    const old_ones *o = ctx;
    size_t n = strlen(o->language);
    if (strncmp(name, o->language, n) != 0 || name[n] != '-' || !strcmp(name, o->current)) return;
    CC_CLEANUP_FD int fd = openat(o->top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (strchr(name, '.') || fd < 0 || age_s(fd) > UNUSED_S) discard(o->top, o->path, name);
}

// ---- making ----

// True when there is something for runs in it.
static bool has_files(int fd) { return faccessat(fd, FILES, F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

// Fills a directory that is locked and empty. False when it is not to be kept.
static bool fill(cc_arena *a, const cc_resolution *r, int fd, const char *path, const volatile sig_atomic_t *stop) {
    cc_error err = {0};
    const char *files = cc_arena_printf(a, "%s/" FILES, path).p;
    if (mkdirat(fd, FILES, 0755)) return false;
    cc_log(CC_LOG_INFO, "preparing %s: once for this version of it", r->language->name);
    bool filled = cc_run_fill(a, r, files, stop, &err) == 0;
    CC_CLEANUP_FD int made = openat(fd, FILES, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    // On the disk before its name is: else the machine's end could leave the name with half of it.
    if (filled && made >= 0 && settle(made) == 0 && syncfs(made) == 0) return true;
    cc_log(CC_LOG_WARN, "preparing %s failed: %s", r->language->name, filled ? strerror(errno) : err.msg);
    struct stat st;
    bool empty = made >= 0 && fstat(made, &st) == 0 && cc_sandbox_remove_tree(files, st.st_dev, st.st_ino) == 0;
    // Where it was not the toolchain that failed, another try may do better.
    return empty && !filled && err.code == CC_RUNTIME_UNAVAILABLE && !(stop && *stop);
}

int cc_warm_prepare(cc_arena *a, cc_resolution *r, const volatile sig_atomic_t *stop) {
    char top_path[4096];
    if (!r->variant->warm) return -1;
    CC_CLEANUP_FD int top = open_top(top_path, sizeof top_path, true);
    if (top < 0) return -1;
    const char *name = cc_arena_printf(a, "%s-%016llx", r->language->name, (unsigned long long)stamp(r)).p;
    const char *unfinished = cc_arena_printf(a, "%s" UNFINISHED, name).p;
    for (int64_t until = cc_now_ms() + CC_WARM_MAX_MS;;) {
        CC_CLEANUP_FD int there = open_locked(top, name, LOCK_SH);
        if (there >= 0 && has_files(there)) {
            (void)futimens(there, NULL); // used now; without it, it only looks older
            r->warm = cc_arena_printf(a, "%s/%s/" FILES, top_path, name).p;
            return cc_fd_steal(&there);
        }
        if (there >= 0 && age_s(there) < RETRY_S) return -1;
        cc_fd_close(&there);
        bool made = mkdirat(top, unfinished, 0755) == 0;
        if (!made && errno != EEXIST) return -1;
        CC_CLEANUP_FD int ours = open_locked(top, unfinished, LOCK_EX);
        if (ours < 0) { // somebody else fills it
            if (cc_now_ms() > until || (stop && *stop)) return -1;
            usleep(50000);
            continue;
        }
        const char *path = cc_arena_printf(a, "%s/%s", top_path, unfinished).p;
        bool whole = made && fill(a, r, ours, path, stop);
        if (whole) discard(top, top_path, name); // a try that failed
        if (whole && renameat(top, unfinished, top, name) == 0) {
            for_each(top, discard_old, &(old_ones){top, top_path, r->language->name, name});
            continue;
        }
        cc_fd_close(&ours); // not kept, or left by one who was killed
        if (discard(top, top_path, unfinished) != IS_GONE || made) return -1;
    }
}

// ---- measuring and clearing ----

static uint64_t size_of(int dir) {
    int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    uint64_t bytes = 0;
    if (!list) cc_fd_close(&copy);
    for (struct dirent *d; list && (d = readdir(list));) {
        struct stat st;
        if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..") || fstatat(dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW)) continue;
        if (S_ISREG(st.st_mode)) bytes += (uint64_t)st.st_size;
        CC_CLEANUP_FD int below = S_ISDIR(st.st_mode) ? openat(dir, d->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        if (below >= 0) bytes += size_of(below);
    }
    if (list) closedir(list);
    return bytes;
}

typedef struct survey {
    int top;
    const char *path;
    bool remove;
    cc_warm_kept *out;
} survey;

static void survey_one(void *ctx, const char *name) {
    const survey *s = ctx;
    CC_CLEANUP_FD int fd = openat(s->top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    uint64_t bytes = fd < 0 ? 0 : size_of(fd);
    bool counts = fd >= 0 && !strchr(name, '.') && has_files(fd);
    outcome is = s->remove ? discard(s->top, s->path, name) : IS_GONE;
    s->out->in_use += is == IS_USED;
    s->out->stuck += is == IS_STUCK;
    if (is != IS_GONE) return;
    s->out->toolchains += counts;
    s->out->bytes += bytes;
}

static void look_through(bool remove, cc_warm_kept *out) {
    char path[4096];
    *out = (cc_warm_kept){0};
    CC_CLEANUP_FD int top = open_top(path, sizeof path, false);
    if (top >= 0) for_each(top, survey_one, &(survey){top, path, remove, out});
}

void cc_warm_measure(cc_warm_kept *out) { look_through(false, out); }
void cc_warm_clear(cc_warm_kept *out) { look_through(true, out); }
