// Landlock: which files of the tree a program may open at all, and that neither its signals nor its abstract sockets reach anybody else.
// In full isolation a second wall behind the private root; at CC_ISOLATION_RESTRICTED the wall itself. Called by init.c: the rules are
// made once a sandbox, outside of the program's reach; each step enters them last before its filter, for they forbid mounting. Owns
// nothing; never widens what a lower layer refuses. It does not govern looking at a file (stat), its attributes, connecting to sockets in
// the file system, or priorities of processes: seccomp.c refuses what it can of these, and CC_GAP_METADATA names the rest.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/inside.h"

// The kernel's interface, as far as any version has it: the build machine's headers may be older than the kernel that it runs on.
typedef struct ruleset_attr {
    uint64_t fs, net, scoped;
} ruleset_attr;
typedef struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) path_beneath;
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    MAKE_CHAR = 1 << 6,
    MAKE_BLOCK = 1 << 11,
    REFER = 1 << 13,     // ABI 2
    TRUNCATE = 1 << 14,  // ABI 3
    IOCTL_DEV = 1 << 15, // ABI 5
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
    LOOK = EXECUTE | READ_FILE | READ_DIR,
    OWN = 0xffff & ~(MAKE_CHAR | MAKE_BLOCK), // in the guest's own directories
};
enum { BIND_TCP = 1, CONNECT_TCP = 2 };             // ABI 4
enum { SCOPE_ABSTRACT_UNIX = 1, SCOPE_SIGNAL = 2 }; // ABI 6

int cc_landlock_abi(void) {
    static long abi = LONG_MIN;
    if (abi == LONG_MIN) abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

static uint64_t handled(int abi) { return (UINT64_C(1) << (abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13)) - 1; }

// Allows rights on what path leads to, and below it. 0 also when there is no such file; -1 with errno. With stay the descriptor remains:
// the kernel gives a file of /proc a new identity each time that it has forgotten it, and a rule holds for one.
static int allow(int ruleset, int at, const char *path, uint64_t rights, bool stay) {
    int fd = openat(at, path, O_PATH | O_CLOEXEC);
    struct stat st;
    if (fd < 0) return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -1;
    int failed = fstat(fd, &st);
    path_beneath rule = {(!failed && S_ISDIR(st.st_mode) ? rights : rights & OF_FILES) & handled(cc_landlock_abi()), fd};
    if (!failed && rule.allowed) failed = (int)syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
    if (!stay) close(fd);
    return failed ? -1 : 0;
}

// What of /proc tells nothing about others. Runtimes read these to size heaps and pools.
static const char *const of_machine[] = {
    "cpuinfo",
    "meminfo",
    "stat",
    "loadavg",
    "uptime",
    "version",
    "filesystems",
    "sys/vm/overcommit_memory",
    "sys/vm/max_map_count",
    "sys/kernel/osrelease",
    "sys/kernel/pid_max",
    "sys/kernel/threads-max",
    "sys/kernel/random/uuid",
    "sys/fs/pipe-max-size",
};
// What a step's first process may read of itself: "net" and "mountinfo" are the machine's. Of the directories ("/") only the listing:
// each thread has a "net" as well.
static const char *const of_itself[] = {"maps", "smaps", "stat", "statm", "status", "cmdline", "comm", "auxv", "limits", "fd/", "task/"};
static_assert(CC_ARRAY_LEN(of_itself) == CC_LANDLOCK_PINS, "one descriptor each");

static int allow_operation(int ruleset, const cc_op *op, bool full) {
    switch (op->kind) {
    case CC_OP_BIND:
    case CC_OP_TRY_BIND: return full ? 0 : allow(ruleset, AT_FDCWD, op->source, LOOK, false);
    case CC_OP_DEVICE: return allow(ruleset, AT_FDCWD, full ? op->path : op->source, OF_FILES & ~EXECUTE, false);
    case CC_OP_BIND_OWN: // full isolation has it alone
    case CC_OP_TMPFS: return full ? allow(ruleset, AT_FDCWD, op->path, OWN, false) : 0;
    case CC_OP_PROC:
        // What could be written there says how the kernel treats it, as whom it ends first when the machine is out of memory
        // (oom_score_adj).
        if (full) return allow(ruleset, AT_FDCWD, op->path, READ_FILE | READ_DIR, false);
        for (size_t i = 0; i < CC_ARRAY_LEN(of_machine); i++) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%s", of_machine[i]);
            if (allow(ruleset, AT_FDCWD, path, READ_FILE, true)) return -1;
        }
        return 0;
    case CC_OP_DIR:
    case CC_OP_SYMLINK:
    case CC_OP_TEXT:
    case CC_OP_OWN_DIR:
    case CC_OP_INPUT: return 0; // below "/" in full isolation, in the work directory without
    }
    return 0;
}

static int allow_operations(int ruleset, const cc_sandbox_spec *spec, bool full) {
    for (size_t i = 0; i < spec->n_ops; i++)
        if (allow_operation(ruleset, &spec->ops[i], full)) return -1;
    return 0;
}

int cc_landlock_make(const cc_sandbox_spec *blank, const cc_sandbox_spec *spec, int *ruleset, cc_report *fault) {
    int abi = cc_landlock_abi();
    bool full = spec->level == CC_ISOLATION_FULL;
    *ruleset = -1;
    if (spec->level < CC_ISOLATION_RESTRICTED || (full && !abi)) return 0; // the private root stands without it
    // Before ABI 3 nothing keeps a program from cutting files that it may not open.
    if (!full && abi < CC_LANDLOCK_ABI_NEEDED) return errno = ENOSYS, cc_inside_fail(fault, "Landlock");
    ruleset_attr attr = {.fs = handled(abi), .scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL};
    if (!full && !spec->network) attr.net = BIND_TCP | CONNECT_TCP; // seccomp has refused the sockets; full isolation has its own network
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;                // of what this kernel knows
    *ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    if (*ruleset < 0) return cc_inside_fail(fault, "make Landlock rules");
    const char *own = full ? "/" : spec->cwd;
    if (allow_operations(*ruleset, blank, full) || allow_operations(*ruleset, spec, full) ||
        (own && allow(*ruleset, AT_FDCWD, own, full ? LOOK : OWN, false)))
        return cc_inside_fail(fault, "add Landlock rules");
    return 0;
}

void cc_landlock_pin(int proc, pid_t pid, int pins[CC_LANDLOCK_PINS]) {
    for (size_t i = 0; i < CC_ARRAY_LEN(of_itself); i++) {
        char path[64];
        snprintf(path, sizeof path, "%d/%s", (int)pid, of_itself[i]);
        pins[i] = openat(proc, path, O_PATH | O_CLOEXEC); // -1 when it has ended already
    }
}

void cc_landlock_unpin(int pins[CC_LANDLOCK_PINS]) {
    for (size_t i = 0; i < CC_LANDLOCK_PINS; i++) cc_fd_close(&pins[i]);
}

int cc_landlock_enter(const cc_sandbox_spec *spec, int ruleset, cc_report *fault) {
    if (ruleset < 0) return 0;
    if (spec->level != CC_ISOLATION_FULL) {
        CC_CLEANUP_FD int self = open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC);
        for (size_t i = 0; self >= 0 && i < CC_ARRAY_LEN(of_itself); i++) {
            bool listing = of_itself[i][strlen(of_itself[i]) - 1] == '/';
            if (allow(ruleset, self, of_itself[i], listing ? READ_DIR : READ_FILE, false))
                return cc_inside_fail(fault, "add Landlock rules");
        }
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, ruleset, 0))
        return cc_inside_fail(fault, "enter Landlock rules");
    return 0;
}
