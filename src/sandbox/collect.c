// What a step left in the work directory, as one stream: a head, a name and the bytes of every file, and a last head that says that it is
// whole. Called by init.c (write) when every process of the step is gone, so that nobody changes a file meanwhile, and by the launcher's
// side (read). Never follows a link, and owns nothing.
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/inside.h"

#define MAGIC     0x746c6f63u
#define FILES_MAX 4096
#define DEPTH_MAX 16
#define PATH_MAX_ 1024

typedef struct head {
    uint32_t magic;
    uint32_t mode; // 0 = the end
    uint32_t name;
    uint32_t zero;
    uint64_t size;
} head;

typedef struct collector {
    int out;
    uint64_t room;
    unsigned files;
    char path[PATH_MAX_];
} collector;

static int put(collector *c, const void *data, size_t n) {
    if (n > c->room) return errno = EFBIG, -1;
    c->room -= n;
    return cc_fd_write_all(c->out, data, n);
}

static int put_head(collector *c, mode_t mode, size_t name, uint64_t size) {
    const head h = {.magic = MAGIC, .mode = mode, .name = (uint32_t)name, .size = size};
    return put(c, &h, sizeof h) || put(c, c->path, name) ? -1 : 0;
}

static int put_file(collector *c, int fd, const struct stat *st, size_t name) {
    char chunk[65536];
    uint64_t left = (uint64_t)st->st_size;
    if (put_head(c, st->st_mode, name, left)) return -1;
    while (left) {
        ssize_t n = read(fd, chunk, left < sizeof chunk ? left : sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || put(c, chunk, (size_t)n)) return -1;
        left -= (uint64_t)n;
    }
    return 0;
}

// The directory dir, whose path is the first `length` bytes of c->path. Closes dir.
static int put_directory(collector *c, int dir, size_t length, unsigned depth) {
    CC_CLEANUP_FD int own = dir;
    _Alignas(8) char buffer[4096];
    ssize_t got;
    if (depth > DEPTH_MAX) return errno = ELOOP, -1;
    while ((got = getdents64(own, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *d = (const struct dirent64 *)(const void *)(buffer + at);
            at += d->d_reclen;
            if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, "..")) continue;
            size_t n = strlen(d->d_name), whole = length + (length ? 1 : 0) + n;
            if (whole >= sizeof c->path || ++c->files > FILES_MAX) return errno = E2BIG, -1;
            if (length) c->path[length] = '/';
            memcpy(c->path + whole - n, d->d_name, n);
            // A pipe must not hold up init, and a link leads who knows where.
            CC_CLEANUP_FD int fd = openat(own, d->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
            struct stat st;
            if (fd < 0 || fstat(fd, &st)) return -1;
            if (S_ISDIR(st.st_mode)) {
                if (put_head(c, st.st_mode, whole, 0) || put_directory(c, cc_fd_steal(&fd), whole, depth + 1)) return -1;
            } else if (!S_ISREG(st.st_mode)) {
                return errno = EINVAL, -1;
            } else if (put_file(c, fd, &st, whole)) {
                return -1;
            }
        }
    }
    return got < 0 ? -1 : 0;
}

int cc_collect(int out, uint64_t room) {
    collector c = {.out = out, .room = room};
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || put_directory(&c, dir, 0, 0)) return -1;
    return put_head(&c, 0, 0, 0);
}

// ---- reading ----

// A relative path that stays inside.
static bool stays_inside(cc_str name) {
    if (!name.n || name.n >= PATH_MAX_ || memchr(name.p, 0, name.n)) return false;
    for (size_t from = 0, i = 0; i <= name.n; i++) {
        if (i < name.n && name.p[i] != '/') continue;
        cc_str part = {name.p + from, i - from};
        if (!part.n || cc_str_eqz(part, ".") || cc_str_eqz(part, "..")) return false;
        from = i + 1;
    }
    return true;
}

int cc_collected_next(cc_str *rest, cc_collected *out) {
    head h;
    if (rest->n < sizeof h) return -1;
    memcpy(&h, rest->p, sizeof h);
    if (h.magic != MAGIC || h.zero || h.name > rest->n - sizeof h || h.size > rest->n - sizeof h - h.name) return -1;
    *out = (cc_collected){.directory = S_ISDIR(h.mode), .executable = h.mode & 0111};
    out->path = (cc_str){rest->p + sizeof h, h.name};
    out->bytes = (cc_str){out->path.p + h.name, (size_t)h.size};
    *rest = (cc_str){out->bytes.p + h.size, rest->n - sizeof h - h.name - (size_t)h.size};
    if (!h.mode) return rest->n || h.name || h.size ? -1 : 0;
    return stays_inside(out->path) && (out->directory ? !h.size : S_ISREG(h.mode)) ? 1 : -1;
}
