// Reading and replacing files of the user's without ever losing one: backup, write aside, sync, exchange, compare. Called by setup
// for client configurations and the skill. Owns nothing beyond the call. Never writes outside the folder it is given as root, and
// never through a half-written file.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "cli/userfile.h"

#define SIZE_LIMIT ((size_t)64 << 20)
#define SUFFIX     ".codecalc-bak"

void cc_cleanup_userfile_(cc_userfile *f) { cc_buf_free(&f->text); }

static int read_all(int fd, cc_buf *out) {
    for (;;) {
        cc_buf_reserve(out, 65536);
        ssize_t n = read(fd, out->p + out->n, out->cap - out->n);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return (int)n;
        out->n += (size_t)n;
        if (out->n > SIZE_LIMIT) return errno = EFBIG, -1;
    }
}

static int read_file(const char *path, cc_buf *out, struct stat *st) {
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, st)) return -1;
    if (!S_ISREG(st->st_mode)) return errno = S_ISDIR(st->st_mode) ? EISDIR : EINVAL, -1;
    return read_all(fd, out);
}

// realpath of the longest part of path that exists, followed by the rest; the rest may not climb.
static int resolve(const char *path, char *out, size_t size, cc_error *err) {
    char head[PATH_MAX], real[PATH_MAX];
    snprintf(head, sizeof head, "%s", path);
    size_t cut = strlen(head);
    while (!realpath(head, real)) {
        struct stat st;
        if (errno != ENOENT) return cc_error_errno(err, "%s", path);
        if (!lstat(head, &st)) return cc_error_set(err, CC_VALIDATION, "%s is a symbolic link to nothing", head);
        char *slash = strrchr(head, '/');
        if (!slash || slash == head) return cc_error_set(err, CC_VALIDATION, "%s is not an absolute path", path);
        *slash = 0;
        cut = (size_t)(slash - head);
    }
    const char *rest = path + cut;
    if (strstr(rest, "/../") || snprintf(out, size, "%s%s", strcmp(real, "/") ? real : "", rest) >= (int)size)
        return cc_error_set(err, CC_VALIDATION, "%s is not a usable path", path);
    return 0;
}

static int inside(const char *real, const char *root, cc_error *err) {
    char base[PATH_MAX];
    if (!realpath(root, base)) return cc_error_errno(err, "%s", root);
    size_t n = strlen(base);
    if (strncmp(real, base, n) == 0 && (real[n] == '/' || strcmp(base, "/") == 0)) return 0;
    return cc_error_set(err, CC_PERMISSION_DENIED, "%s really lies outside %s", real, base);
}

int cc_userfile_load(cc_userfile *f, const char *path, const char *root, cc_error *err) {
    *f = (cc_userfile){0};
    snprintf(f->path, sizeof f->path, "%s", path);
    if (resolve(path, f->real, sizeof f->real, err) || inside(f->real, root, err)) return -1;
    if (read_file(f->real, &f->text, &f->st)) {
        if (errno == ENOENT) return 0;
        return cc_error_errno(err, "%s cannot be read", path);
    }
    f->exists = true;
    return 0;
}

// ---- writing ----

// A new file in the folder of path with this text, this mode and owner, synced. name receives its path.
static int write_aside(const char *path, cc_str text, const struct stat *like, char *name, size_t size, cc_error *err) {
    const char *slash = strrchr(path, '/');
    if (snprintf(name, size, "%.*s.%s.XXXXXX", (int)(slash + 1 - path), path, slash + 1) >= (int)size)
        return cc_error_set(err, CC_VALIDATION, "%s: the path is too long", path);
    CC_CLEANUP_FD int fd = mkostemp(name, O_CLOEXEC);
    if (fd < 0) return cc_error_errno(err, "no file can be made beside %s", path);
    mode_t mask = umask(077);
    umask(mask);
    struct stat fresh;
    bool owned = !like || (!fstat(fd, &fresh) && fresh.st_uid == like->st_uid && fresh.st_gid == like->st_gid) ||
                 !fchown(fd, like->st_uid, like->st_gid);
    if (owned && !fchmod(fd, like ? like->st_mode & 07777 : 0666 & ~mask) && !cc_fd_write_all(fd, text.p, text.n) && !fsync(fd)) return 0;
    cc_error_errno(err, owned ? "%s cannot be written" : "the owner of %s cannot be kept", name);
    unlink(name);
    return -1;
}

static void sync_folder(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') + 1 - path), path);
    CC_CLEANUP_FD int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && fsync(fd)) cc_log(CC_LOG_DEBUG, "%s: cannot be synced", folder); // some file systems cannot; the rename stands
}

static bool same_bytes(const char *path, cc_str text, const struct stat *st) {
    CC_CLEANUP_BUF cc_buf now = {0};
    struct stat at;
    return !read_file(path, &now, &at) && cc_str_eq(cc_buf_str(&now), text) &&
           (!st || (at.st_ino == st->st_ino && at.st_dev == st->st_dev));
}

static int changed(const cc_userfile *f, cc_error *err) {
    cc_error_set(err, CC_VALIDATION, "%s changed while it was being edited; nothing was written", f->path);
    return cc_error_remedy(err, "close the program that writes it and run the command again");
}

// What must hold before a file is touched. *lock keeps other well-behaved writers out until it is closed.
static int claim(const cc_userfile *f, int *lock, cc_error *err) {
    *lock = open(f->real, O_RDONLY | O_CLOEXEC);
    if (*lock < 0) return changed(f, err);
    if (f->st.st_nlink > 1)
        return cc_error_set(err, CC_VALIDATION, "%s has several names (hard links), and replacing it would part them", f->path);
    if (flock(*lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return cc_error_set(err, CC_VALIDATION, "%s is locked by another program", f->path);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (!fcntl(*lock, F_OFD_GETLK, &whole) && whole.l_type != F_UNLCK)
        return cc_error_set(err, CC_VALIDATION, "%s is locked by another program", f->path);
    return same_bytes(f->real, cc_buf_str(&f->text), &f->st) ? 0 : changed(f, err);
}

// renameat2 where the file system has it, so that nothing is overwritten unseen.
static int rename_flags(const char *from, const char *to, unsigned flags) {
    if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, flags)) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (flags & RENAME_NOREPLACE) return link(from, to) ? -1 : unlink(from);
    return 1;
}

// Puts the file aside in place of the loaded one. On failure the user's file is where it was, or the message says where it is.
static int exchange(const cc_userfile *f, const char *aside, cc_error *err) {
    int rc = rename_flags(aside, f->real, RENAME_EXCHANGE);
    if (rc == 1)
        rc = rename(aside, f->real); // a file system without exchange
    else if (!rc && same_bytes(aside, cc_buf_str(&f->text), &f->st))
        return unlink(aside) ? cc_error_errno(err, "%s is left over and cannot be deleted", aside) : 0;
    else if (!rc) { // somebody wrote to the old file after all: it goes back
        if (rename_flags(aside, f->real, RENAME_EXCHANGE))
            return cc_error_errno(err, "%s changed while it was being edited and is now %s; it cannot be put back", f->path, aside);
        unlink(aside);
        return changed(f, err);
    }
    if (!rc) return 0;
    cc_error_errno(err, "%s cannot be replaced", f->path);
    unlink(aside);
    return -1;
}

int cc_userfile_replace(const cc_userfile *f, cc_str text, cc_error *err) {
    CC_CLEANUP_FD int lock = -1;
    char aside[PATH_MAX];
    if (f->exists && claim(f, &lock, err)) return -1;
    if (write_aside(f->real, text, f->exists ? &f->st : NULL, aside, sizeof aside, err)) return -1;
    if (f->exists) {
        if (exchange(f, aside, err)) return -1;
    } else if (rename_flags(aside, f->real, RENAME_NOREPLACE)) {
        int number = errno;
        unlink(aside);
        errno = number;
        return number == EEXIST ? changed(f, err) : cc_error_errno(err, "%s cannot be made", f->path);
    }
    sync_folder(f->real);
    if (!same_bytes(f->real, text, NULL)) return cc_error_set(err, CC_INTERNAL, "%s does not read back as it was written", f->path);
    return 0;
}

int cc_userfile_delete(const cc_userfile *f, cc_error *err) {
    CC_CLEANUP_FD int lock = -1;
    if (claim(f, &lock, err)) return -1;
    if (unlink(f->real)) return cc_error_errno(err, "%s cannot be deleted", f->path);
    sync_folder(f->real);
    return 0;
}

int cc_userfile_backup(const cc_userfile *f, char *name, size_t size, cc_error *err) {
    name[0] = 0;
    if (!f->exists) return 0;
    cc_str text = cc_buf_str(&f->text);
    char stamp[32] = "", target[PATH_MAX];
    for (unsigned again = 0; again < 100; again++) {
        if (snprintf(target, sizeof target, "%s" SUFFIX "%s", f->path, stamp) >= (int)sizeof target)
            return cc_error_set(err, CC_VALIDATION, "%s: the path is too long", f->path);
        if (same_bytes(target, text, NULL)) return snprintf(name, size, "%s", target), 0;
        char aside[PATH_MAX];
        if (write_aside(target, text, &f->st, aside, sizeof aside, err)) return cc_error_wrap(err, "no backup could be made");
        if (!rename_flags(aside, target, RENAME_NOREPLACE)) {
            sync_folder(target);
            return snprintf(name, size, "%s", target), 0;
        }
        int number = errno;
        unlink(aside);
        errno = number;
        if (number != EEXIST) return cc_error_errno(err, "the backup %s cannot be made", target);
        time_t now = time(NULL) + again;
        struct tm utc;
        strftime(stamp, sizeof stamp, ".%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    }
    return cc_error_set(err, CC_INTERNAL, "no free name for a backup of %s", f->path);
}

static int newest_first(const void *a, const void *b) { return strcmp(*(char *const *)b, *(char *const *)a); }

bool cc_userfile_backups(const char *path, bool (*visit)(void *ctx, const char *backup, cc_str text), void *ctx) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const char *slash = strrchr(path, '/');
    cc_str folder = {path, (size_t)(slash + 1 - path)}, start = cc_arena_printf(&a, "%s" SUFFIX, slash + 1);
    DIR *dir = opendir(cc_arena_dup(&a, folder).p);
    if (!dir) return false;
    enum { MOST = 256 };
    char *names[MOST];
    size_t n = 0;
    for (struct dirent *e; n < MOST && (e = readdir(dir));)
        if (cc_str_starts(cc_str_of(e->d_name), start)) names[n++] = cc_arena_strdup(&a, e->d_name);
    closedir(dir);
    qsort(names, n, sizeof *names, newest_first);
    bool done = false;
    for (size_t i = 0; i < n && !done; i++) {
        CC_CLEANUP_BUF cc_buf text = {0};
        struct stat st;
        cc_str full = cc_arena_printf(&a, "%.*s%s", (int)folder.n, folder.p, names[i]);
        if (!read_file(full.p, &text, &st)) done = visit(ctx, full.p, cc_buf_str(&text));
    }
    return done;
}

int cc_userfile_make_folder(const char *path, const char *root, cc_error *err) {
    char real[PATH_MAX];
    if (resolve(path, real, sizeof real, err) || inside(real, root, err)) return -1;
    for (char *p = strchr(real + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = 0;
        if (mkdir(real, 0777) && errno != EEXIST) return cc_error_errno(err, "the folder %s cannot be made", real);
        *p = '/';
    }
    return 0;
}
