// The system calls that a program in the sandbox does not get, as a classic BPF program: a deny list, because thirty runtimes need most of
// the rest. Called by start.c (build) and init.c (load, in the child just before exec). Searches by halves, which loads and runs in a
// third of the time of a linear list. Never kills for a call that libraries try and do without.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/memfd.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
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
#define NR_CACHESTAT        451
#define NR_FCHMODAT2        452
#define NR_STATMOUNT        457
#define NR_LISTMOUNT        458
#define NR_LSM_GET          459 // lsm_get_self_attr, lsm_set_self_attr, lsm_list_modules
#define NR_LAST             462 // mseal: what is newer is not known to this list

typedef enum rule_kind {
    EPERM_ALWAYS,
    ENOSYS_ALWAYS,
    DONE_ALREADY, // nothing is left to do
    CLONE_FLAGS,
    MAP_FLAGS,
    SOCKET_FAMILY, // of (family, type, protocol)
    SOCKET_PAIR,   // of (family, type)
    SOCKET_OPTION, // of (socket, level, name)
    IOCTL_REQUEST,
    FCNTL_COMMAND,
    PERSONALITY,
    OWN_LIMIT,  // of (whom, which, new)
    OWN_RLIMIT, // of (which)
    MEMFD,      // of (name, flags)
    SEGMENT,    // of (key, size, flags)
    SECRET_MEMORY,
    LASTING_IPC,
    PRIORITY,      // of (kind, whom)
    OWN_PRIORITY,  // of (whom)
    OWN_SCHEDULER, // of (whom, policy)
    ATTRIBUTES,    // of files
    TIMES_BY_NAME, // of (directory, name or NULL for the directory's own)
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
    // descriptors init would measure nothing. The size of a core dump stays at what step.c says.
    {SYS_prlimit64, OWN_LIMIT},
    {SYS_setrlimit, OWN_RLIMIT},
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
    {NR_STATMOUNT, ENOSYS_ALWAYS},
    {NR_LISTMOUNT, ENOSYS_ALWAYS},
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
    // So does asking which parts of them are in memory.
    {NR_CACHESTAT, ENOSYS_ALWAYS},
    {SYS_fcntl, FCNTL_COMMAND},
    // Key rings are not divided by namespaces that we make.
    {SYS_keyctl, EPERM_ALWAYS},
    {SYS_add_key, EPERM_ALWAYS},
    {SYS_request_key, EPERM_ALWAYS},
    // Operations inside a ring are invisible to seccomp; libuv and tokio do without.
    {SYS_io_uring_setup, ENOSYS_ALWAYS},
    {SYS_io_uring_enter, ENOSYS_ALWAYS},
    {SYS_io_uring_register, ENOSYS_ALWAYS},
    // Its requests are counted for the whole machine (fs.aio-max-nr): one program could take them all. libc does without.
    {SYS_io_setup, ENOSYS_ALWAYS},
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
    // Rare address families and protocols are attack surface, which the kernel loads when they are asked for; AF_VSOCK leaves the network
    // namespace; a datagram socket of a pair can be connected anew, to any name in the file system.
    {SYS_socket, SOCKET_FAMILY},
    {SYS_socketpair, SOCKET_PAIR},
    {SYS_setsockopt, SOCKET_OPTION},
    // Pushing input into a terminal; and what Landlock does not govern (attributes, snapshots, verity), which asks for the owner only.
    {SYS_ioctl, IOCTL_REQUEST},
    // Memory that neither RLIMIT_AS nor the sum over processes sees. Huge pages are the machine's few, and not in that sum.
    {SYS_memfd_create, MEMFD},
    {NR_MEMFD_SECRET, SECRET_MEMORY},
    {SYS_shmget, SEGMENT},
    {SYS_mmap, MAP_FLAGS},
    // They write out what the whole machine has not written yet, and cannot be ended meanwhile. All that a program here can write is
    // memory, or gone with it.
    {SYS_sync, DONE_ALREADY},
    {SYS_syncfs, DONE_ALREADY},
    // Queues, semaphores and segments outlive the process that made them, and those of the user's other programs are there as well; only
    // an ipc namespace of the run's own ends and divides them.
    {SYS_msgget, LASTING_IPC},
    {SYS_msgsnd, LASTING_IPC},
    {SYS_msgrcv, LASTING_IPC},
    {SYS_msgctl, LASTING_IPC},
    {SYS_semget, LASTING_IPC},
    {SYS_semop, LASTING_IPC},
    {SYS_semtimedop, LASTING_IPC},
    {SYS_semctl, LASTING_IPC},
    {SYS_shmat, LASTING_IPC},
    {SYS_shmctl, LASTING_IPC},
    {SYS_mq_open, LASTING_IPC},
    {SYS_mq_unlink, LASTING_IPC},
    // The user is the only thing that is looked at, and outside of a pid namespace all of the user's processes can be named.
    {SYS_setpriority, PRIORITY},
    {SYS_ioprio_set, PRIORITY},
    {SYS_sched_setscheduler, OWN_SCHEDULER},
    {SYS_sched_setparam, OWN_PRIORITY},
    {SYS_sched_setattr, OWN_PRIORITY},
    {SYS_sched_setaffinity, OWN_PRIORITY},
// The owner may change them anywhere; a private root has nothing of the owner's.
#ifdef SYS_chmod
    {SYS_chmod, ATTRIBUTES},
    {SYS_chown, ATTRIBUTES},
    {SYS_lchown, ATTRIBUTES},
    {SYS_utime, ATTRIBUTES},
    {SYS_utimes, ATTRIBUTES},
    {SYS_futimesat, ATTRIBUTES},
#endif
    {SYS_fchmod, ATTRIBUTES},
    {SYS_fchmodat, ATTRIBUTES},
    {NR_FCHMODAT2, ATTRIBUTES},
    {SYS_fchown, ATTRIBUTES},
    {SYS_fchownat, ATTRIBUTES},
    {SYS_setxattr, ATTRIBUTES},
    {SYS_lsetxattr, ATTRIBUTES},
    {SYS_fsetxattr, ATTRIBUTES},
    {SYS_removexattr, ATTRIBUTES},
    {SYS_lremovexattr, ATTRIBUTES},
    {SYS_fremovexattr, ATTRIBUTES},
    {SYS_utimensat, TIMES_BY_NAME},
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

static void emit_unless(cc_filter *f, unsigned k, unsigned action) {
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, k, 1, 0);
    emit_return(f, action);
}

// When an argument has one of these bits, return the action, else allow.
static void emit_unless_bits(cc_filter *f, unsigned i, unsigned bits, unsigned action) {
    emit_load(f, ARG(i));
    emit(f, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    emit_return(f, action);
    emit_return(f, ALLOW);
}

// When a pointer is not NULL, return the action: an address that only looks like NULL in its lower half can be had.
static void emit_if_pointer(cc_filter *f, unsigned i, unsigned action) {
    emit_load(f, ARG(i));
    emit_unless(f, 0, action);
    emit_load(f, ARG(i) + 4);
    emit_unless(f, 0, action);
}

// Whether a rule of this kind says anything here. What is left out costs nothing.
static bool refuses(rule_kind kind, const cc_filter_options *o) {
    switch (kind) {
    case SECRET_MEMORY: return !o->shared_memory;
    case LASTING_IPC: return !o->own_ipc;
    case PRIORITY:
    case OWN_PRIORITY:
    case OWN_SCHEDULER: return o->restricted;
    case ATTRIBUTES:
    case TIMES_BY_NAME: return o->fixed_attributes;
    case EPERM_ALWAYS:
    case ENOSYS_ALWAYS:
    case DONE_ALREADY:
    case CLONE_FLAGS:
    case MAP_FLAGS:
    case SOCKET_FAMILY:
    case SOCKET_PAIR:
    case SOCKET_OPTION:
    case IOCTL_REQUEST:
    case FCNTL_COMMAND:
    case PERSONALITY:
    case OWN_LIMIT:
    case OWN_RLIMIT:
    case MEMFD:
    case SEGMENT: break;
    }
    return true;
}

static void emit_rule(cc_filter *f, rule_kind kind, const cc_filter_options *o) {
    switch (kind) {
    case EPERM_ALWAYS:
    case ATTRIBUTES: emit_return(f, ERRNO(EPERM)); break;
    case ENOSYS_ALWAYS:
    case SECRET_MEMORY:
    case LASTING_IPC: emit_return(f, ERRNO(ENOSYS)); break;
    case DONE_ALREADY: emit_return(f, ERRNO(0)); break;
    case CLONE_FLAGS:
        emit_unless_bits(f, 0, CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
                         ERRNO(EPERM));
        break;
    case MAP_FLAGS: emit_unless_bits(f, 3, MAP_HUGETLB, ERRNO(EPERM)); break;
    case MEMFD:
        if (o->shared_memory)
            emit_unless_bits(f, 1, MFD_HUGETLB, ERRNO(EPERM));
        else
            emit_return(f, ERRNO(ENOSYS));
        break;
    case SEGMENT:
        if (o->shared_memory)
            emit_unless_bits(f, 2, SHM_HUGETLB, ERRNO(EPERM));
        else
            emit_return(f, ERRNO(ENOSYS));
        break;
    case SOCKET_FAMILY:
        emit_load(f, ARG(0));
        emit_if(f, AF_UNIX, o->restricted ? ERRNO(EACCES) : ALLOW);
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0);
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0);
        emit_return(f, ERRNO(EAFNOSUPPORT));
        if (o->internet) {
            emit_load(f, ARG(2));
            static const unsigned protocols[] = {0, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP, IPPROTO_ICMPV6};
            for (size_t i = 0; i < CC_ARRAY_LEN(protocols); i++) emit_if(f, protocols[i], ALLOW);
        }
        emit_return(f, ERRNO(o->internet ? EPROTONOSUPPORT : EACCES));
        break;
    case SOCKET_PAIR:
        emit_load(f, ARG(0));
        emit_unless(f, AF_UNIX, ERRNO(EAFNOSUPPORT));
        if (o->restricted) {
            emit_load(f, ARG(1));
            emit(f, BPF_ALU | BPF_AND | BPF_K, 15, 0, 0); // without SOCK_CLOEXEC and SOCK_NONBLOCK
            emit_if(f, SOCK_DGRAM, ERRNO(EACCES));
        }
        emit_return(f, ALLOW);
        break;
    case SOCKET_OPTION: // other protocols on top of TCP
        emit_load(f, ARG(1));
        emit_unless(f, IPPROTO_TCP, ALLOW);
        emit_load(f, ARG(2));
        emit_if(f, TCP_ULP, ERRNO(ENOPROTOOPT));
        emit_return(f, ALLOW);
        break;
    case IOCTL_REQUEST:
        emit_load(f, ARG(1));
        emit_if(f, TIOCSTI, ERRNO(EPERM));
        emit_if(f, TIOCLINUX, ERRNO(EPERM));
        if (o->restricted) { // those of terminals and of every descriptor, and of sockets
            emit(f, BPF_ALU | BPF_AND | BPF_K, 0xff00, 0, 0);
            emit_if(f, TCGETS & 0xff00, ALLOW);
            emit_if(f, SIOCATMARK & 0xff00, ALLOW);
            emit_return(f, ERRNO(ENOTTY));
        }
        emit_return(f, ALLOW);
        break;
    case FCNTL_COMMAND:
        emit_load(f, ARG(1));
        emit_if(f, F_NOTIFY, ERRNO(EINVAL));
        emit_if(f, F_SETLEASE, ERRNO(EINVAL)); // makes others wait who open the file
        emit_return(f, ALLOW);
        break;
    case OWN_LIMIT:
        emit_load(f, ARG(0));
        emit_unless(f, 0, ERRNO(EPERM));
        emit_load(f, ARG(1));
        emit_unless(f, RLIMIT_CORE, ALLOW);
        emit_if_pointer(f, 2, ERRNO(EPERM)); // who only asks gives none
        emit_return(f, ALLOW);
        break;
    case OWN_RLIMIT:
        emit_load(f, ARG(0));
        emit_if(f, RLIMIT_CORE, ERRNO(EPERM));
        emit_return(f, ALLOW);
        break;
    case OWN_PRIORITY:
        emit_load(f, ARG(0));
        emit_unless(f, 0, ERRNO(EPERM));
        emit_return(f, ALLOW);
        break;
    case OWN_SCHEDULER:
        emit_load(f, ARG(0));
        emit_if(f, 0, ALLOW);
        // Nothing is done, and done it is: nobody here can have another policy but by its own wish. Mono sets each of its threads to it, by
        // number, and tells a refusal in the program's output.
        emit_load(f, ARG(1));
        emit_unless(f, SCHED_OTHER, ERRNO(EPERM));
        emit_return(f, ERRNO(0));
        break;
    case PRIORITY:
        emit_load(f, ARG(1));
        emit_unless(f, 0, ERRNO(EPERM));
        emit_load(f, ARG(0)); // PRIO_PROCESS is 0, IOPRIO_WHO_PROCESS 1; PRIO_PGRP, also 1, means the guest's own group
        emit(f, BPF_JMP | BPF_JGT | BPF_K, 1, 0, 1);
        emit_return(f, ERRNO(EPERM));
        emit_return(f, ALLOW);
        break;
    case TIMES_BY_NAME:
        emit_if_pointer(f, 1, ERRNO(EPERM));
        emit_return(f, ALLOW);
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
    unsigned distance = f->n - at - 1u;
    if (distance < 256) {
        f->code[at].jt = (unsigned char)distance;
    } else { // further than a condition can jump: over the lower half by a jump of its own
        emit(f, BPF_JMP | BPF_JA, 0, 0, 0);
        memmove(&f->code[at + 2], &f->code[at + 1], distance * sizeof f->code[0]);
        f->code[at].jf = 1;
        f->code[at + 1] = (struct sock_filter){.code = BPF_JMP | BPF_JA, .k = distance};
    }
    emit_tree(f, sorted + half, n - half, o);
}

static int by_number(const void *a, const void *b) {
    unsigned x = ((const rule *)a)->nr, y = ((const rule *)b)->nr;
    return (x > y) - (x < y);
}

void cc_filter_build(cc_filter *f, const cc_filter_options *o) {
    rule sorted[CC_ARRAY_LEN(rules)];
    size_t n = 0;
    for (size_t i = 0; i < CC_ARRAY_LEN(rules); i++)
        if (refuses(rules[i].kind, o)) sorted[n++] = rules[i];
    qsort(sorted, n, sizeof sorted[0], by_number);
    f->n = 0;
    emit_load(f, DATA(arch));
    emit_unless(f, ARCH, SECCOMP_RET_KILL_PROCESS); // another ABI has other numbers
    emit_load(f, DATA(nr));
    // What is newer than this list, and the x32 numbers, are as if the kernel did not have them.
    emit(f, BPF_JMP | BPF_JGT | BPF_K, NR_LAST, 0, 1);
    emit_return(f, ERRNO(ENOSYS));
    emit_tree(f, sorted, n, o);
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
