// The system calls that a program in the sandbox does not get, as a classic BPF program: a deny list, because thirty runtimes need most of
// the rest. Called by start.c (build) and init.c (load, in the child just before exec). Searches by halves, which loads and runs in a
// third of the time of a linear list. Never kills for a call that libraries try and do without.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/inside.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "the sandbox knows x86-64 and aarch64"
#endif

// Calls without a number in older headers.
#define NR_MEMFD_SECRET     447
#define NR_PROCESS_MRELEASE 448
#define NR_QUOTACTL_FD      443
#define NR_MOUNT_SETATTR    442
#define NR_LSM_GET          459 // lsm_get_self_attr, lsm_set_self_attr, lsm_list_modules
#define NR_LAST             462 // mseal: what is newer is not known to this list

typedef enum rule_kind {
    EPERM_ALWAYS,
    ENOSYS_ALWAYS,
    CLONE_FLAGS,
    SOCKET_FAMILY,
    IOCTL_REQUEST,
    FCNTL_COMMAND,
    PERSONALITY,
    OWN_PROCESS,
    SHARED_MEMORY,
    LASTING_IPC,
} rule_kind;

typedef struct rule {
    unsigned nr;
    rule_kind kind;
} rule;

static const rule rules[] = {
    // Other processes' memory and descriptors.
    {SYS_ptrace, EPERM_ALWAYS},
    {SYS_process_vm_readv, EPERM_ALWAYS},
    {SYS_process_vm_writev, EPERM_ALWAYS},
    {SYS_pidfd_getfd, EPERM_ALWAYS},
    {SYS_kcmp, EPERM_ALWAYS},
    {SYS_process_madvise, EPERM_ALWAYS},
    {NR_PROCESS_MRELEASE, EPERM_ALWAYS},
    {SYS_move_pages, EPERM_ALWAYS},
    {SYS_migrate_pages, EPERM_ALWAYS},
    // The user is the only thing that is looked at when limits of another process are set, and init's user is the guest's: without
    // descriptors init would measure nothing.
    {SYS_prlimit64, OWN_PROCESS},
    // New namespaces give capabilities back, and with them most of the kernel's faults. clone3 hides its flags behind a pointer; ENOSYS
    // makes every libc fall back to clone.
    {SYS_unshare, EPERM_ALWAYS},
    {SYS_setns, EPERM_ALWAYS},
    {SYS_clone, CLONE_FLAGS},
    {SYS_clone3, ENOSYS_ALWAYS},
    // The mount table.
    {SYS_mount, EPERM_ALWAYS},
    {SYS_umount2, EPERM_ALWAYS},
    {SYS_pivot_root, EPERM_ALWAYS},
    {SYS_chroot, EPERM_ALWAYS},
    {SYS_move_mount, EPERM_ALWAYS},
    {SYS_open_tree, EPERM_ALWAYS},
    {SYS_fsopen, EPERM_ALWAYS},
    {SYS_fsconfig, EPERM_ALWAYS},
    {SYS_fsmount, EPERM_ALWAYS},
    {SYS_fspick, EPERM_ALWAYS},
    {NR_MOUNT_SETATTR, EPERM_ALWAYS},
    {SYS_quotactl, EPERM_ALWAYS},
    {NR_QUOTACTL_FD, EPERM_ALWAYS},
    {SYS_swapon, EPERM_ALWAYS},
    {SYS_swapoff, EPERM_ALWAYS},
    // Files by handle go round every path rule.
    {SYS_open_by_handle_at, EPERM_ALWAYS},
    {SYS_name_to_handle_at, EPERM_ALWAYS},
    {SYS_fanotify_init, EPERM_ALWAYS},
// What is bound into the root is the machine's own files: watching them tells which programs others start.
#ifdef SYS_inotify_init
    {SYS_inotify_init, ENOSYS_ALWAYS},
#endif
    {SYS_inotify_init1, ENOSYS_ALWAYS},
    {SYS_fcntl, FCNTL_COMMAND},
    // Key rings are not divided by namespaces that we make.
    {SYS_keyctl, EPERM_ALWAYS},
    {SYS_add_key, EPERM_ALWAYS},
    {SYS_request_key, EPERM_ALWAYS},
    // Operations inside a ring are invisible to seccomp; libuv and tokio do without.
    {SYS_io_uring_setup, ENOSYS_ALWAYS},
    {SYS_io_uring_enter, ENOSYS_ALWAYS},
    {SYS_io_uring_register, ENOSYS_ALWAYS},
    // Kernel surface that no program here needs.
    {SYS_bpf, EPERM_ALWAYS},
    {SYS_perf_event_open, EPERM_ALWAYS},
    {SYS_userfaultfd, EPERM_ALWAYS},
    {SYS_kexec_load, EPERM_ALWAYS},
    {SYS_kexec_file_load, EPERM_ALWAYS},
    {SYS_init_module, EPERM_ALWAYS},
    {SYS_finit_module, EPERM_ALWAYS},
    {SYS_delete_module, EPERM_ALWAYS},
    {SYS_syslog, EPERM_ALWAYS},
    {SYS_acct, EPERM_ALWAYS},
    {SYS_reboot, EPERM_ALWAYS},
    {SYS_vhangup, EPERM_ALWAYS},
    {SYS_settimeofday, EPERM_ALWAYS},
    {SYS_clock_settime, EPERM_ALWAYS},
    {SYS_adjtimex, EPERM_ALWAYS},
    {SYS_clock_adjtime, EPERM_ALWAYS},
    {SYS_sethostname, EPERM_ALWAYS},
    {SYS_setdomainname, EPERM_ALWAYS},
    {NR_LSM_GET, ENOSYS_ALWAYS},
    {NR_LSM_GET + 1, ENOSYS_ALWAYS},
    {NR_LSM_GET + 2, ENOSYS_ALWAYS},
#ifdef SYS_iopl
    {SYS_iopl, EPERM_ALWAYS},
    {SYS_ioperm, EPERM_ALWAYS},
    {SYS_modify_ldt, EPERM_ALWAYS},
#endif
    // Old executable formats and a readable layout are nobody's need.
    {SYS_personality, PERSONALITY},
    // Rare address families are attack surface, and AF_VSOCK leaves the network namespace.
    {SYS_socket, SOCKET_FAMILY},
    // Pushing input into a terminal.
    {SYS_ioctl, IOCTL_REQUEST},
    // Memory that neither RLIMIT_AS nor the sum over processes sees.
    {SYS_memfd_create, SHARED_MEMORY},
    {NR_MEMFD_SECRET, SHARED_MEMORY},
    {SYS_shmget, SHARED_MEMORY},
    // Queues and semaphores outlive the process that made them; only an ipc namespace of the run's own ends them.
    {SYS_msgget, LASTING_IPC},
    {SYS_semget, LASTING_IPC},
};

#define ALLOW       SECCOMP_RET_ALLOW
#define ERRNO(e)    (SECCOMP_RET_ERRNO | (e))
#define DATA(field) ((unsigned)offsetof(struct seccomp_data, field))
// Little-endian, as both machines are: the kernel looks at the low half of these arguments only, and so do we.
#define ARG(i) (DATA(args) + (unsigned)(i)*8)

static void emit(cc_filter *f, unsigned code, unsigned k, unsigned yes, unsigned no) {
    assert(f->n < CC_FILTER_MAX && yes < 256 && no < 256);
    f->code[f->n++] = (struct sock_filter){(unsigned short)code, (unsigned char)yes, (unsigned char)no, k};
}
static void emit_return(cc_filter *f, unsigned action) { emit(f, BPF_RET | BPF_K, action, 0, 0); }
static void emit_load(cc_filter *f, unsigned offset) { emit(f, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
// When the accumulator equals k, return the action.
static void emit_if(cc_filter *f, unsigned k, unsigned action) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1);
    emit_return(f, action);
}

static void emit_rule(cc_filter *f, rule_kind kind, const cc_filter_options *o) {
    switch (kind) {
    case EPERM_ALWAYS: emit_return(f, ERRNO(EPERM)); break;
    case ENOSYS_ALWAYS: emit_return(f, ERRNO(ENOSYS)); break;
    case SHARED_MEMORY: emit_return(f, o->shared_memory ? ALLOW : ERRNO(ENOSYS)); break;
    case LASTING_IPC: emit_return(f, o->own_ipc ? ALLOW : ERRNO(ENOSYS)); break;
    case CLONE_FLAGS:
        emit_load(f, ARG(0));
        emit(f, BPF_JMP | BPF_JSET | BPF_K,
             CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET, 0, 1);
        emit_return(f, ERRNO(EPERM));
        emit_return(f, ALLOW);
        break;
    case SOCKET_FAMILY:
        emit_load(f, ARG(0));
        emit_if(f, AF_UNIX, ALLOW);
        emit_if(f, AF_INET, o->internet ? ALLOW : ERRNO(EACCES));
        emit_if(f, AF_INET6, o->internet ? ALLOW : ERRNO(EACCES));
        emit_return(f, ERRNO(EAFNOSUPPORT));
        break;
    case IOCTL_REQUEST:
        emit_load(f, ARG(1));
        emit_if(f, TIOCSTI, ERRNO(EPERM));
        emit_if(f, TIOCLINUX, ERRNO(EPERM));
        emit_return(f, ALLOW);
        break;
    case FCNTL_COMMAND:
        emit_load(f, ARG(1));
        emit_if(f, F_NOTIFY, ERRNO(EINVAL));
        emit_return(f, ALLOW);
        break;
    case OWN_PROCESS:
        emit_load(f, ARG(0));
        emit_if(f, 0, ALLOW);
        emit_return(f, ERRNO(EPERM));
        break;
    case PERSONALITY:
        emit_load(f, ARG(0));
        emit_if(f, PER_LINUX, ALLOW);
        emit_if(f, 0xffffffff, ALLOW);        // asks
        emit_if(f, ADDR_NO_RANDOMIZE, ALLOW); // sanitizers and debuggers re-execute themselves with it
        emit_return(f, ERRNO(EPERM));
        break;
    }
}

static void emit_tree(cc_filter *f, const rule *sorted, size_t n, const cc_filter_options *o) {
    if (n == 1) {
        // Not equal: over the rule's own code to the RET_ALLOW behind it.
        unsigned short at = f->n;
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, sorted[0].nr, 0, 0);
        emit_rule(f, sorted[0].kind, o);
        f->code[at].jf = (unsigned char)(f->n - at - 1);
        emit_return(f, ALLOW);
        return;
    }
    size_t half = n / 2;
    unsigned short at = f->n;
    emit(f, BPF_JMP | BPF_JGE | BPF_K, sorted[half].nr, 0, 0);
    emit_tree(f, sorted, half, o);
    assert(f->n - at - 1 < 256);
    f->code[at].jt = (unsigned char)(f->n - at - 1);
    emit_tree(f, sorted + half, n - half, o);
}

static int by_number(const void *a, const void *b) {
    unsigned x = ((const rule *)a)->nr, y = ((const rule *)b)->nr;
    return (x > y) - (x < y);
}

void cc_filter_build(cc_filter *f, const cc_filter_options *o) {
    rule sorted[CC_ARRAY_LEN(rules)];
    memcpy(sorted, rules, sizeof rules);
    qsort(sorted, CC_ARRAY_LEN(sorted), sizeof sorted[0], by_number);
    f->n = 0;
    emit_load(f, DATA(arch));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    emit_return(f, SECCOMP_RET_KILL_PROCESS); // another ABI has other numbers
    emit_load(f, DATA(nr));
    // What is newer than this list, and the x32 numbers, are as if the kernel did not have them.
    emit(f, BPF_JMP | BPF_JGT | BPF_K, NR_LAST, 0, 1);
    emit_return(f, ERRNO(ENOSYS));
    emit_tree(f, sorted, CC_ARRAY_LEN(sorted), o);
}

bool cc_filter_supported(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int cc_filter_load(const cc_filter *f) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    struct sock_fprog program = {f->n, (struct sock_filter *)(uintptr_t)f->code}; // the kernel only reads it
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
