// The private root: executes the operations of a specification inside the new mount namespace, moves into the result and drops the
// host's tree. Called by init.c between clone and exec. Owns the mounts of that namespace, which end with it.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sandbox/inside.h"

// <sys/mount.h> and <linux/mount.h> cannot be included together.
extern int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data);
extern int umount2(const char *target, int flags);
#ifndef MS_NOSUID
#define MS_NOSUID  2
#define MS_NODEV   4
#define MS_NOEXEC  8
#define MS_REC     16384
#define MS_PRIVATE (1 << 18)
#endif
#define DETACH 2 // MNT_DETACH

#define PLACE "/proc" // where the new root is put while it is built

int cc_inside_fail(cc_report *r, const char *what) {
    *r = (cc_report){.kind = CC_REPORT_FAILED, .error = errno};
    snprintf(r->what, sizeof r->what, "%s", what);
    return -1;
}

static int fail_at(cc_report *r, const char *what, const char *path) {
    char text[sizeof r->what];
    snprintf(text, sizeof text, "%s %s", what, path);
    return cc_inside_fail(r, text);
}

int cc_inside_write(const char *path, const char *text) {
    CC_CLEANUP_FD int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    return cc_fd_write_all(fd, text, strlen(text));
}

// Makes the directories above a relative path, below the working directory; with whole, the last part too.
static int make_parents(const char *path, bool whole, mode_t mode) {
    char part[4096];
    size_t n = strlen(path);
    if (n >= sizeof part) return errno = ENAMETOOLONG, -1;
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] != '/' && !(whole && i == n)) continue;
        char kept = part[i];
        part[i] = 0;
        if (mkdir(part, mode) && errno != EEXIST) return -1;
        part[i] = kept;
    }
    return 0;
}

// Opens what a bind shows as a detached mount. *fd stays -1 when it does not exist and need not.
static int open_source(const cc_op *op, int *fd, cc_report *fault) {
    *fd = (int)syscall(SYS_open_tree, AT_FDCWD, op->source, OPEN_TREE_CLONE | O_CLOEXEC | AT_RECURSIVE);
    if (*fd < 0)
        return op->kind == CC_OP_TRY_BIND && (errno == ENOENT || errno == EACCES || errno == ENOTDIR)
                   ? 0
                   : fail_at(fault, "open_tree", op->source);
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_NOSUID | (op->kind == CC_OP_BIND_OWN ? 0 : MOUNT_ATTR_RDONLY)};
    attr.attr_set |= op->kind == CC_OP_DEVICE ? MOUNT_ATTR_NOEXEC : MOUNT_ATTR_NODEV;
    if (syscall(SYS_mount_setattr, *fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr))
        return fail_at(fault, "mount_setattr", op->source);
    return 0;
}

// Makes the place that a bind is put on: a directory or an empty file, as the source is. What a bind before it shows already is there.
static int make_place(int source, const char *path) {
    struct stat st;
    if (fstat(source, &st)) return -1;
    if (make_parents(path, S_ISDIR(st.st_mode), 0755)) return -1;
    if (S_ISDIR(st.st_mode)) return 0;
    CC_CLEANUP_FD int fd = open(path, O_CREAT | O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    return fd < 0 ? -1 : 0;
}

static int write_file(const char *path, cc_str bytes, mode_t mode, bool is_there) {
    CC_CLEANUP_FD int fd = open(path, (is_there ? O_TRUNC : O_CREAT | O_EXCL) | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0) return -1;
    return cc_fd_write_all(fd, bytes.p, bytes.n);
}

// Settings of the whole machine lie under /proc, and only their owner, the host's root, is asked for: behind somebody's user
// namespace a guest may be just that. They are made read-only, whoever it is.
static int guard_proc(const char *proc, cc_report *fault) {
    static const char *const shared[] = {"sys", "sysrq-trigger", "irq", "bus", "fs"};
    for (size_t i = 0; i < CC_ARRAY_LEN(shared); i++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", proc, shared[i]) >= (int)sizeof path)
            return errno = ENAMETOOLONG, fail_at(fault, "guard", proc);
        if (access(path, F_OK)) continue; // not every kernel has them all
        if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) ||
            mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
            return fail_at(fault, "make read-only", shared[i]);
    }
    return 0;
}

static int bind_op(const cc_op *op, const char *path, uid_t owner, cc_report *fault) {
    CC_CLEANUP_FD int source = -1;
    if (open_source(op, &source, fault)) return -1;
    if (source < 0) return 0;
    if (op->kind == CC_OP_BIND_OWN && fchownat(source, "", owner, owner, AT_EMPTY_PATH)) return fail_at(fault, "give away", op->source);
    if (make_place(source, path)) return fail_at(fault, "make place for", op->path);
    return syscall(SYS_move_mount, source, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) ? fail_at(fault, "move_mount", op->path) : 0;
}

// One operation; the working directory is the new root, path is relative to it.
static int execute_op(const cc_op *op, uid_t owner, cc_report *fault) {
    const char *path = op->path + 1;
    char options[96];
    switch (op->kind) {
    case CC_OP_DIR: return make_parents(path, true, 0755) ? fail_at(fault, "mkdir", op->path) : 0;
    case CC_OP_BIND:
    case CC_OP_TRY_BIND:
    case CC_OP_BIND_OWN:
    case CC_OP_DEVICE: return bind_op(op, path, owner, fault);
    case CC_OP_SYMLINK:
        if (make_parents(path, false, 0755)) return fail_at(fault, "mkdir above", op->path);
        return symlink(op->source, path) ? fail_at(fault, "symlink", op->path) : 0;
    case CC_OP_TEXT:
        if (make_parents(path, false, 0755)) return fail_at(fault, "mkdir above", op->path);
        return write_file(path, op->bytes, 0444, false) ? fail_at(fault, "write", op->path) : 0;
    case CC_OP_TMPFS:
        if (make_parents(path, true, 0755)) return fail_at(fault, "mkdir", op->path);
        // An inode costs the kernel about 1 KiB that the size does not count.
        snprintf(options, sizeof options, "size=%llu,nr_inodes=65536,mode=0700,uid=%u,gid=%u", (unsigned long long)op->size, owner, owner);
        return mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) ? fail_at(fault, "mount tmpfs", op->path) : 0;
    case CC_OP_PROC:
        if (make_parents(path, true, 0755)) return fail_at(fault, "mkdir", op->path);
        if (mount("proc", path, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)) return fail_at(fault, "mount proc", op->path);
        return guard_proc(path, fault);
    case CC_OP_OWN_DIR:
    case CC_OP_INPUT: return 0; // later, with the guest's rights
    }
    return 0;
}

int cc_root_begin(cc_report *fault) {
    // Nothing that is mounted here may reach the host's namespace.
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return cc_inside_fail(fault, "make mounts private");
    // The one place that every machine has and nothing is ever bound from.
    if (mount("tmpfs", PLACE, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,nr_inodes=4096,mode=0755"))
        return cc_inside_fail(fault, "mount the root");
    return chdir(PLACE) ? cc_inside_fail(fault, "enter the root") : 0;
}

int cc_root_build(const cc_sandbox_spec *spec, uid_t owner, cc_report *fault) {
    for (size_t i = 0; i < spec->n_ops; i++)
        if (execute_op(&spec->ops[i], owner, fault)) return -1;
    return 0;
}

int cc_root_enter(cc_report *fault) {
    // With both names ".", the old root ends up on top of the new one and is then taken off.
    if (syscall(SYS_pivot_root, ".", ".")) return cc_inside_fail(fault, "pivot_root");
    if (umount2(".", DETACH)) return cc_inside_fail(fault, "detach the old root");
    if (chdir("/")) return cc_inside_fail(fault, "enter the new root");
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
    if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attr, sizeof attr)) return cc_inside_fail(fault, "make the root read-only");
    return 0;
}

int cc_root_write_inputs(const cc_sandbox_spec *spec, cc_report *fault) {
    for (size_t i = 0; i < spec->n_ops; i++) {
        const cc_op *op = &spec->ops[i];
        if (op->kind == CC_OP_OWN_DIR && make_parents(op->path, true, 0700)) return fail_at(fault, "mkdir", op->path);
        if (op->kind != CC_OP_INPUT) continue;
        if (make_parents(op->path, false, 0700)) return fail_at(fault, "mkdir above", op->path);
        if (write_file(op->path, op->bytes, op->executable ? 0755 : 0644, op->there)) return fail_at(fault, "write", op->path);
    }
    return 0;
}
