// Removing a work directory that a guest could write to, safely: only the very directory that was made, following no link, whatever its
// depth and modes. Called by init.c and src/run. Owns nothing.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codecalc/sandbox.h"

// Gives the owner all rights on a directory that is no link, whatever rights it has: by its descriptor, so that nothing can be put in its
// place meanwhile. Failing shows in what is tried next.
static void unlock(int at, const char *name) {
    CC_CLEANUP_FD int fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || chmod(path, 0700)) return;
}

// Empties the directory `name` of `top` by one level: files go, directories are moved up into top under a free name. So depth never
// costs a descriptor or a long path. Returns 0, or -1 with errno.
static int flatten(int top, const char *name, unsigned *serial) {
    unlock(top, name);
    CC_CLEANUP_FD int dir = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0) return -1;
    _Alignas(8) char buffer[8192];
    ssize_t got;
    while ((got = getdents64(dir, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *d = (const struct dirent64 *)(const void *)(buffer + at);
            at += d->d_reclen;
            if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..")) continue;
            if (unlinkat(dir, d->d_name, 0) == 0 || errno == ENOENT) continue;
            if (errno != EISDIR && errno != EPERM) return -1;
            unlock(dir, d->d_name); // moving a directory writes its ".."
            char free_name[32];
            do snprintf(free_name, sizeof free_name, ".removing-%u", ++*serial);
            while (faccessat(top, free_name, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
            if (renameat(dir, d->d_name, top, free_name)) return -1;
        }
    }
    return got < 0 ? -1 : unlinkat(top, name, AT_REMOVEDIR);
}

int cc_sandbox_remove_tree(const char *path, dev_t dev, ino_t ino) {
    struct stat st;
    if (lstat(path, &st)) return -1;
    if (st.st_dev != dev || st.st_ino != ino) return errno = ESTALE, -1;
    unlock(AT_FDCWD, path);
    CC_CLEANUP_FD int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0 || fstat(top, &st)) return -1;
    if (st.st_dev != dev || st.st_ino != ino) return errno = ESTALE, -1;
    unsigned serial = 0;
    for (bool empty = false; !empty;) {
        empty = true;
        if (lseek(top, 0, SEEK_SET) < 0) return -1;
        _Alignas(8) char buffer[8192];
        ssize_t got;
        while ((got = getdents64(top, buffer, sizeof buffer)) > 0) {
            for (ssize_t at = 0; at < got;) {
                const struct dirent64 *d = (const struct dirent64 *)(const void *)(buffer + at);
                at += d->d_reclen;
                if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..")) continue;
                empty = false;
                if (unlinkat(top, d->d_name, 0) == 0 || errno == ENOENT) continue;
                if (errno != EISDIR && errno != EPERM) return -1;
                if (flatten(top, d->d_name, &serial) && errno != ENOENT) return -1;
            }
        }
        if (got < 0) return -1;
    }
    struct stat now;
    if (lstat(path, &now)) return -1;
    if (now.st_dev != dev || now.st_ino != ino) return errno = ESTALE, -1;
    return rmdir(path);
}
