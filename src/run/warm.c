// What a toolchain would compute anew in every run, made once a machine. Called by execute.c before a run's time begins. Owns
// ${cache}/codecalc/warm: a directory for each toolchain, named after its language and the stamp of its tool. It is filled in a sandbox
// of its own, from nothing that a caller sent, given to runs read-only, and never written again. A directory that is there and empty
// says that filling it failed, and is not tried again until somebody removes it; runs then do the work each for itself.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

#define UNFINISHED ".new"

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29; }

// A number that changes when the toolchain, or what fills its directory, changes.
static uint64_t stamp(const cc_resolution *r) {
    struct stat st = {0};
    uint64_t h = 1;
    const char *path = r->root ? r->root : r->tools[0].path;
    if (stat(path, &st)) st = (struct stat){0};
    h = mix(mix(mix(h, (uint64_t)st.st_size), (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_ino);
    for (const char *p = path; *p; p++) h = mix(h, (unsigned char)*p);
    for (const char *const *w = r->variant->warm->fill; *w; w++)
        for (const char *p = *w; *p; p++) h = mix(h, (unsigned char)*p);
    return h;
}

// The directory above all, private to its owner. -1 when it cannot be had.
static int open_top(char *path, size_t size) {
    const char *cache = cc_settings_get()->cache_dir;
    if (!cache[0] || snprintf(path, size, "%s/warm", cache) >= (int)size) return -1;
    for (char *p = path + 1;; p++) {
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

static void remove_named(int top, const char *path, const char *name) {
    struct stat st;
    if (fstatat(top, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && cc_sandbox_remove_tree(path, st.st_dev, st.st_ino))
        cc_log(CC_LOG_WARN, "%s stays: %s", path, strerror(errno));
}

// Directories of the same language for a toolchain that is not there any more.
static void remove_old(cc_arena *a, int top, const char *top_path, const char *language, const char *current) {
    int copy = fcntl(top, F_DUPFD_CLOEXEC, 0);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    if (!list) return;
    rewinddir(list);
    size_t n = strlen(language);
    for (struct dirent *d; (d = readdir(list));)
        if (!strncmp(d->d_name, language, n) && d->d_name[n] == '-' && strcmp(d->d_name, current) != 0 && !strstr(d->d_name, ".lock"))
            remove_named(top, cc_arena_printf(a, "%s/%s", top_path, d->d_name).p, d->d_name);
    closedir(list);
}

// Waits for whoever fills the same directory.
static int lock(int top, const char *name, int64_t until_ms, const volatile sig_atomic_t *stop) {
    CC_CLEANUP_FD int fd = openat(top, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
        if (cc_now_ms() > until_ms || (stop && *stop)) return -1;
        usleep(50000);
    }
    return cc_fd_steal(&fd);
}

void cc_warm_prepare(cc_arena *a, cc_resolution *r, const volatile sig_atomic_t *stop) {
    char top_path[4096];
    if (!r->variant->warm) return;
    CC_CLEANUP_FD int top = open_top(top_path, sizeof top_path);
    if (top < 0) return;
    const char *name = cc_arena_printf(a, "%s-%016llx", r->language->name, (unsigned long long)stamp(r)).p;
    const char *path = cc_arena_printf(a, "%s/%s", top_path, name).p;
    const char *unfinished = cc_arena_printf(a, "%s" UNFINISHED, path).p;
    if (access(path, F_OK) == 0) {
        r->warm = path;
        return;
    }
    int64_t until = cc_now_ms() + CC_WARM_MAX_MS;
    CC_CLEANUP_FD int held = lock(top, cc_arena_printf(a, "%s.lock", name).p, until, stop);
    if (held < 0) return;
    if (access(path, F_OK)) {
        remove_old(a, top, top_path, r->language->name, name);
        if (mkdir(unfinished, 0755)) return;
        cc_log(CC_LOG_INFO, "preparing %s: once for this version of it", r->language->name);
        cc_error err = {0};
        bool filled = cc_run_fill(a, r, unfinished, stop, &err) == 0;
        CC_CLEANUP_FD int fd = open(unfinished, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (!filled || fd < 0 || settle(fd)) {
            if (!filled) cc_log(CC_LOG_WARN, "preparing %s failed: %s", r->language->name, err.msg);
            remove_named(top, unfinished, unfinished + strlen(top_path) + 1);
            // Where it was not the toolchain that failed, another try may do better.
            if (!filled && (err.code != CC_RUNTIME_UNAVAILABLE || (stop && *stop))) return;
            if (mkdir(unfinished, 0755)) return;
        }
        if (rename(unfinished, path)) return;
    }
    r->warm = path;
}
