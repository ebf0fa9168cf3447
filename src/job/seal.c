// The seal of a worker: capabilities, rlimits, Landlock and seccomp. The filter is compiled once, by libseccomp in the spawner, and
// only installed in each worker, which costs a worker microseconds instead of the milliseconds of compiling. Owns the compiled
// filters. A refused call answers EPERM (clone: EAGAIN) instead of killing, so that library fallbacks work and abort() arrives as
// SIGABRT.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef CC_ASAN // of the sanitizer's allocator; gcc does not ship the header
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

#include "job/seal.h"

// Stands for the worker's pid in the compiled filter; replaced when it is installed. No syscall argument of ours has this value.
#define PID_PLACEHOLDER 0x5ea1c0deu

static struct sock_fprog filters[2]; // CC_SEALED, CC_FILES
_Static_assert(CC_SEALED == 0 && CC_FILES == 1, "filters[] is indexed by cc_where");

// ---- the rules ----

typedef struct rule {
    int number;
    int arg;             // index of the argument that is compared, -1 = none
    uint64_t mask, want; // allowed when (argument & mask) == want
} rule;

#define EQUALS(index, value) (index), UINT64_MAX, (value)
#define WITHOUT(index, bits) (index), (bits), 0
#define FREELY               -1, 0, 0

// The address-space calls cannot make anything executable; the descriptor calls reach only the worker's own socket.
static const rule sealed_rules[] = {
    {SCMP_SYS(read), EQUALS(0, CC_WORKER_SOCKET)},
    {SCMP_SYS(write), EQUALS(0, CC_WORKER_SOCKET)},
    {SCMP_SYS(readv), EQUALS(0, CC_WORKER_SOCKET)},
    {SCMP_SYS(writev), EQUALS(0, CC_WORKER_SOCKET)},
    {SCMP_SYS(sendmsg), EQUALS(0, CC_WORKER_SOCKET)},
    {SCMP_SYS(recvmsg), EQUALS(0, CC_WORKER_SOCKET)},
    {SCMP_SYS(lseek), FREELY},
    {SCMP_SYS(fstat), FREELY},
    {SCMP_SYS(brk), FREELY},
    {SCMP_SYS(mmap), WITHOUT(2, PROT_EXEC)},
    {SCMP_SYS(mprotect), WITHOUT(2, PROT_EXEC)},
    {SCMP_SYS(munmap), FREELY},
    {SCMP_SYS(mremap), FREELY},
    {SCMP_SYS(madvise), FREELY},
    {SCMP_SYS(futex), FREELY},
    {SCMP_SYS(rt_sigaction), FREELY},
    {SCMP_SYS(rt_sigprocmask), FREELY},
    {SCMP_SYS(rt_sigreturn), FREELY},
    {SCMP_SYS(getpid), FREELY},
    {SCMP_SYS(gettid), FREELY},
    {SCMP_SYS(tgkill), EQUALS(0, PID_PLACEHOLDER)},
    {SCMP_SYS(sysinfo), FREELY},
    {SCMP_SYS(getrusage), FREELY},
    {SCMP_SYS(clock_gettime), FREELY},
    {SCMP_SYS(gettimeofday), FREELY},
    {SCMP_SYS(getrandom), FREELY},
    {SCMP_SYS(exit), FREELY},
    {SCMP_SYS(exit_group), FREELY},
#ifdef CC_ASAN // what the sanitizer's runtime itself calls
    {SCMP_SYS(write), EQUALS(0, STDERR_FILENO)},
    {SCMP_SYS(sigaltstack), FREELY},
    {SCMP_SYS(sched_yield), FREELY},
    {SCMP_SYS(getppid), FREELY},
    {SCMP_SYS(readlink), FREELY},
    {SCMP_SYS(close), FREELY},
    {SCMP_SYS(prctl), FREELY},
    {SCMP_SYS(openat), WITHOUT(2, O_ACCMODE | O_CREAT | O_TRUNC)},
    {SCMP_SYS(read), FREELY},
#endif
};

// On top of those: looking at files, never changing one.
#define NOT_WRITING (O_ACCMODE | O_CREAT | O_TRUNC)
static const rule files_rules[] = {
    {SCMP_SYS(open), WITHOUT(1, NOT_WRITING)},
    {SCMP_SYS(openat), WITHOUT(2, NOT_WRITING)},
    {SCMP_SYS(read), FREELY},
    {SCMP_SYS(readv), FREELY},
    {SCMP_SYS(pread64), FREELY},
    {SCMP_SYS(write), EQUALS(0, STDERR_FILENO)}, // the log
    {SCMP_SYS(close), FREELY},
    {SCMP_SYS(fcntl), FREELY},
    {SCMP_SYS(stat), FREELY},
    {SCMP_SYS(lstat), FREELY},
    {SCMP_SYS(newfstatat), FREELY},
    {SCMP_SYS(statx), FREELY},
    {SCMP_SYS(access), FREELY},
    {SCMP_SYS(faccessat), FREELY},
    {SCMP_SYS(faccessat2), FREELY},
    {SCMP_SYS(readlink), FREELY},
    {SCMP_SYS(readlinkat), FREELY},
    {SCMP_SYS(getdents64), FREELY},
    {SCMP_SYS(getcwd), FREELY},
    {SCMP_SYS(getuid), FREELY},
    {SCMP_SYS(geteuid), FREELY},
    {SCMP_SYS(getgid), FREELY},
    {SCMP_SYS(getegid), FREELY},
};

// ---- compiling them, in the spawner ----

static int add_rules(scmp_filter_ctx ctx, const rule *rules, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const rule *r = &rules[i];
        int failed = r->arg < 0 ? seccomp_rule_add(ctx, SCMP_ACT_ALLOW, r->number, 0)
                                : seccomp_rule_add(ctx, SCMP_ACT_ALLOW, r->number, 1,
                                                   SCMP_CMP((unsigned)r->arg, SCMP_CMP_MASKED_EQ, r->mask, r->want));
        // A call that this architecture never had (open, stat on newer ones) needs no rule.
        if (failed && failed != -EDOM) return failed;
    }
    return 0;
}

static int build(scmp_filter_ctx ctx, cc_where where) {
    int failed = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (!failed) failed = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2); // a binary tree: loads and runs faster
    if (!failed) failed = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(clone), 0);
    if (!failed) failed = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EAGAIN), SCMP_SYS(clone3), 0);
    if (!failed) failed = add_rules(ctx, sealed_rules, CC_ARRAY_LEN(sealed_rules));
    if (!failed && where == CC_FILES) failed = add_rules(ctx, files_rules, CC_ARRAY_LEN(files_rules));
    return failed;
}

// libseccomp exports to a descriptor only.
static int read_back(int fd, struct sock_fprog *out, cc_error *err) {
    struct stat st;
    if (fstat(fd, &st)) return cc_error_errno(err, "cannot size the compiled filter");
    size_t n = (size_t)st.st_size;
    out->filter = cc_malloc(n);
    out->len = (unsigned short)(n / sizeof *out->filter);
    if (pread(fd, out->filter, n, 0) != (ssize_t)n) return cc_error_errno(err, "cannot read the compiled filter");
    return 0;
}

static int prepare(cc_where where, cc_error *err) {
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!ctx) return cc_error_set(err, CC_INTERNAL, "cannot start a seccomp filter");
    CC_CLEANUP_FD int fd = memfd_create("filter", MFD_CLOEXEC);
    int failed = fd < 0 ? -errno : build(ctx, where);
    if (!failed) failed = seccomp_export_bpf(ctx, fd);
    seccomp_release(ctx);
    if (failed) return cc_error_set(err, CC_INTERNAL, "cannot compile the seccomp filter: %s", strerror(-failed));
    return read_back(fd, &filters[where], err);
}

int cc_seal_prepare(cc_error *err) { return prepare(CC_SEALED, err) || prepare(CC_FILES, err) ? -1 : 0; }

// ---- applying it, in the worker ----

int cc_seal_credentials(cc_where where, cc_error *err) {
    if (where == CC_LAUNCHER) return 0;
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    if (syscall(SYS_capset, &head, none)) return cc_error_errno(err, "cannot drop the worker's capabilities");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return cc_error_errno(err, "cannot set no_new_privs");
    return 0;
}

typedef struct limit {
    int resource;
    rlim_t value;
} limit;

// Lowers both limits; one that already is lower stays.
static int lower(const limit *limits, size_t n, cc_error *err) {
    for (size_t i = 0; i < n; i++) {
        struct rlimit r;
        if (getrlimit((__rlimit_resource_t)limits[i].resource, &r)) return cc_error_errno(err, "cannot read a resource limit");
        if (r.rlim_max > limits[i].value) r.rlim_max = limits[i].value;
        r.rlim_cur = r.rlim_max;
        if (setrlimit((__rlimit_resource_t)limits[i].resource, &r))
            return cc_error_errno(err, "cannot set resource limit %d", limits[i].resource);
    }
    return 0;
}

static int apply_limits(cc_where where, cc_error *err) {
    static const limit all[] = {{RLIMIT_CORE, 1}}; // see sandbox/step.c: none, and no program of the machine that takes it either
    static const limit confined[] = {
#ifndef CC_ASAN // whose shadow is terabytes of address space
        {RLIMIT_AS, CC_SEALED_MEMORY},
#endif
        {RLIMIT_STACK, (rlim_t)64 << 20}, // parsers and solvers recurse over deep terms; fixed, whatever the client's shell says
        {RLIMIT_NOFILE, 64},
    };
    static const limit sealed[] = {
        {RLIMIT_NOFILE, CC_WORKER_SOCKET + 1},
#ifndef CC_ASAN // whose reports go to standard error, which may be a file
        {RLIMIT_FSIZE, 0},
#endif
    };
    if (lower(all, CC_ARRAY_LEN(all), err)) return -1;
    if (where != CC_LAUNCHER && lower(confined, CC_ARRAY_LEN(confined), err)) return -1;
    return where == CC_SEALED ? lower(sealed, CC_ARRAY_LEN(sealed), err) : 0;
}

// Reading anywhere, nothing else: the filter below says the same of system calls, this one of the files behind them (it also keeps
// the worker from looking into other processes through /proc). A kernel without Landlock leaves it to the filter.
static int landlock_read_only(cc_error *err) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return 0;
    // One more right in ABI 2 (refer), 3 (truncate) and 5 (ioctl on devices).
    unsigned rights = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
    struct landlock_ruleset_attr handled = {.handled_access_fs = (UINT64_C(1) << rights) - 1};
    CC_CLEANUP_FD int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (ruleset < 0) return cc_error_errno(err, "cannot create a Landlock ruleset");
    CC_CLEANUP_FD int root = open("/", O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr beneath = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
                                                 .parent_fd = root};
    if (root < 0 || syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0))
        return cc_error_errno(err, "cannot allow reading in Landlock");
    if (syscall(SYS_landlock_restrict_self, ruleset, 0)) return cc_error_errno(err, "cannot apply Landlock");
    return 0;
}

static int install(struct sock_fprog *filter, cc_error *err) {
    uint32_t pid = (uint32_t)getpid();
    unsigned replaced = 0;
    for (unsigned i = 0; i < filter->len; i++) {
        struct sock_filter *f = &filter->filter[i];
        if (f->code != (BPF_JMP | BPF_JEQ | BPF_K) || f->k != PID_PLACEHOLDER) continue;
        f->k = pid;
        replaced++;
    }
    if (replaced != 1) return cc_error_set(err, CC_INTERNAL, "the seccomp filter names the worker %u times", replaced);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0)) return cc_error_errno(err, "cannot load the seccomp filter");
    return 0;
}

#ifdef CC_ASAN // in place of RLIMIT_AS
static void cap_allocation(const volatile void *p, size_t n) {
    (void)p;
    (void)n;
    if (__sanitizer_get_current_allocated_bytes() > CC_SEALED_MEMORY) cc_out_of_memory();
}

static void ignore_free(const volatile void *p) { (void)p; }
#endif

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int cc_seal_apply(cc_where where, cc_error *err) {
    if (where == CC_SEALED) { // glibc's qsort looks up the machine's memory once, on its first array too large for the stack
        int big[1024];
        for (int i = 0; i < 1024; i++) big[i] = i ^ 0x155;
        qsort(big, 1024, sizeof big[0], compare_ints);
    }
#ifdef CC_ASAN
    if (where != CC_LAUNCHER) __sanitizer_install_malloc_and_free_hooks(cap_allocation, ignore_free);
#endif
    if (where == CC_FILES && landlock_read_only(err)) return -1;
    if (apply_limits(where, err)) return -1;
    return where == CC_LAUNCHER ? 0 : install(&filters[where], err);
}
