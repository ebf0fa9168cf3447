// Pid 1 of a sandbox: sets up what every run has, waits for the order, sets up the rest from the specification, runs the steps one after
// the other, measures, reaps and reports. Called by start.c in the cloned child; owns that process and never returns. It never executes
// anything itself and is out of the guest's reach: not dumpable, immune to signals of its own namespace, more capable than the guest. Below
// CC_ISOLATION_FULL the same code is a subreaper that sweeps its descendants at the end.
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <grp.h>
#include <unistd.h>

#include "sandbox/inside.h"

#define CONTROL     40          // a descriptor above all that come with the order
#define GUEST_ID    1000        // what the guest sees as its user and group
#define SAMPLE_MS   25          // how often the tree is measured
#define SAMPLE_COST 10          // a measurement may take a tenth of the time
#define SWEEP_NS    500000000LL // how long a sweep may take
#define TOLD_MAX    (32u << 10) // bytes that a driver may leave in a file: fewer than a pipe holds, so that writing never waits

typedef struct init_state {
    const cc_sandbox_spec *spec; // the order's; readable when it has come
    const cc_filter *filter;
    cc_maker maker;
    uid_t owner; // of what the guest may write, as init's user namespace numbers it: the guest
    int control;
    int proc;
    pid_t self;
    bool full;
    unsigned ambient_tasks; // what the user runs outside, where RLIMIT_NPROC counts that too
    uint32_t gaps;
    int kept[CC_SANDBOX_STEPS][CC_STEP_FDS];
    int ruleset;       // of Landlock, -1 without
    dev_t scratch_dev; // below CC_ISOLATION_FULL: the work directory
    ino_t scratch_ino;
    uint64_t seen_ms; // CPU of every process that was ever measured
    int disks[8];     // directories of the guest's own tmpfs, whose bytes are memory
    size_t n_disks;
} init_state;

static CC_NORETURN void leave(const init_state *s, bool orphaned) {
    if (!s->full) cc_sweep(s->proc, s->self, cc_now_ns() + SWEEP_NS);
    // Nobody is left who would remove the work directory on the host.
    if (orphaned && s->scratch_ino && cc_sandbox_remove_tree(s->spec->cwd, s->scratch_dev, s->scratch_ino)) _exit(1);
    _exit(0); // as pid 1 this ends the namespace
}

static void send_report(const init_state *s, cc_report *r) {
    r->gaps = s->gaps;
    // The launcher reads; when it cannot any more, the next look at the control socket ends everything.
    while (send(s->control, r, sizeof *r, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

static CC_NORETURN void give_up(const init_state *s, cc_report *fault) {
    send_report(s, fault);
    _exit(0);
}

// ---- set-up ----

// Leaves the control socket and /dev/null on 0, 1 and 2: what comes with the order then has other numbers.
static int keep_descriptors(init_state *s, cc_report *fault) {
    s->control = fcntl(s->control, F_DUPFD_CLOEXEC, CONTROL);
    if (s->control < 0) return cc_inside_fail(fault, "keep the control socket");
    if (close_range(0, (unsigned)s->control - 1, 0) || close_range((unsigned)s->control + 1, ~0u, 0))
        return cc_inside_fail(fault, "close_range");
    int fd = open("/dev/null", O_RDWR); // the lowest free one: 0
    if (fd != 0 || dup2(0, 1) != 1 || dup2(0, 2) != 2) return cc_inside_fail(fault, "open /dev/null");
    return 0;
}

// The launcher's command line and environment are still in this process's memory, and /proc/1/cmdline shows them to everybody.
static void wipe_arguments(void) {
    CC_CLEANUP_FD int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cc_proc_stat me;
    if (proc < 0 || !cc_read_stat(proc, "self", &me)) return;
    if (me.arg_end > me.arg_start) memset((void *)(uintptr_t)me.arg_start, 0, me.arg_end - me.arg_start);
    if (me.env_end > me.env_start) memset((void *)(uintptr_t)me.env_start, 0, me.env_end - me.env_start);
}

static int map_ids(uid_t outside_uid, gid_t outside_gid, cc_report *fault) {
    char line[48];
    if (cc_inside_write("/proc/self/setgroups", "deny")) return cc_inside_fail(fault, "write setgroups");
    snprintf(line, sizeof line, "%d %u 1\n", GUEST_ID, outside_uid);
    if (cc_inside_write("/proc/self/uid_map", line)) return cc_inside_fail(fault, "write uid_map");
    snprintf(line, sizeof line, "%d %u 1\n", GUEST_ID, outside_gid);
    if (cc_inside_write("/proc/self/gid_map", line)) return cc_inside_fail(fault, "write gid_map");
    return 0;
}

static void loopback_up(void) { // without it 127.0.0.1 is unreachable, which is a lack and no danger
    CC_CLEANUP_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    if (fd >= 0) ioctl(fd, SIOCSIFFLAGS, &r);
}

// Leaves nothing to regain. Fails where there is nothing to leave either.
static int drop_bounding_set(void) {
    for (unsigned long c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++)
        if (prctl(PR_CAPBSET_DROP, c, 0, 0, 0)) return -1;
    return 0;
}

static int keep_capabilities(uint64_t keep, cc_report *fault) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{.effective = (unsigned)keep, .permitted = (unsigned)keep}};
    return syscall(SYS_capset, &head, data) ? cc_inside_fail(fault, "capset") : 0;
}

static int become(uid_t uid, gid_t gid, cc_report *fault) {
    if (setgroups(0, NULL)) return cc_inside_fail(fault, "setgroups");
    if (setresgid(gid, gid, gid)) return cc_inside_fail(fault, "setresgid");
    if (setresuid(uid, uid, uid)) return cc_inside_fail(fault, "setresuid");
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); // changing the user cleared it, and a process that is not dumpable cannot write its maps
    return 0;
}

// Gives the guest the pipes that it was given, which are the launcher's user's: so that it can open again by name (/dev/stdin) what it has
// open, and nobody else can. For an ordinary user both are one.
static int give_pipes(const init_state *s, uid_t uid, cc_report *fault) {
    struct stat st;
    for (size_t i = 0; i < s->spec->n_steps; i++)
        for (int j = 0; j <= CC_CONTROL_FD; j++)
            if (s->kept[i][j] >= 0 && fstat(s->kept[i][j], &st) == 0 && S_ISFIFO(st.st_mode) && fchown(s->kept[i][j], uid, uid))
                return cc_inside_fail(fault, "chown a pipe");
    return 0;
}

// The guest's user on the host when the launcher is root: never 0, and no two living guests have the same one. Where the wide range is
// not mapped (a container of its own user namespace), the upper eighth of what is.
static int pick_guest(const cc_sandbox_spec *spec, uid_t *uid, cc_report *fault) {
    char link[32];
    ssize_t n = readlink("/proc/self", link, sizeof link - 1); // the pid as the host numbers it
    if (n <= 0) return cc_inside_fail(fault, "read /proc/self");
    link[n] = 0;
    uint32_t pid = (uint32_t)strtoul(link, NULL, 10), base = spec->guest_base ? spec->guest_base : CC_GUEST_UID_BASE;
    *uid = base + pid;
    if (spec->guest_base) return 0;
    char text[512];
    CC_CLEANUP_FD int fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    uint64_t top_first = 0, top_count = 0;
    for (char *at = text, *end; *at; at = end) {
        uint64_t inside = strtoull(at, &end, 10), count;
        if (end == at) break;
        strtoull(end, &end, 10); // outside
        count = strtoull(end, &end, 10);
        if (inside <= *uid && *uid < inside + count) return 0;
        if (count > top_count) top_first = inside, top_count = count;
    }
    uint64_t span = top_count / 8;
    if (span > 2) *uid = (uid_t)(top_first + top_count - span + pid % (span - 2)); // the two last are nobody's by custom
    return 0;
}

// The part of full isolation that is the same for every run.
static int set_up_blank(init_state *s, const cc_sandbox_spec *blank, uid_t uid, gid_t gid, cc_report *fault) {
    bool root = s->maker == CC_MADE_BY_ROOT;
    s->owner = GUEST_ID;
    if (root ? pick_guest(blank, &s->owner, fault) : map_ids(uid, gid, fault)) return -1;
    if (cc_root_begin(fault) || cc_root_build(blank, s->owner, fault)) return -1;
    if (!blank->network) loopback_up();
    return sethostname("sandbox", 7) ? cc_inside_fail(fault, "sethostname") : 0;
}

static int set_up_full(init_state *s, cc_report *fault) {
    if (cc_root_build(s->spec, s->owner, fault) || cc_root_enter(fault)) return -1;
    if (s->maker == CC_MADE_BY_ROOT) {
        if (give_pipes(s, s->owner, fault) || become(s->owner, s->owner, fault)) return -1;
        if (unshare(CLONE_NEWUSER)) {
            s->gaps |= CC_GAP_USER_NAMESPACE; // the guest's user is nobody's all the same
        } else if (map_ids(s->owner, s->owner, fault)) {
            return -1;
        }
    }
    // Init needs to read and end its guests' processes.
    bool capable = !(s->gaps & CC_GAP_USER_NAMESPACE);
    if (drop_bounding_set() && capable) return cc_inside_fail(fault, "drop the bounding set");
    return keep_capabilities(capable ? UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_KILL : 0, fault);
}

static void open_disks(init_state *s, const cc_sandbox_spec *spec, const cc_sandbox_spec *over) {
    for (size_t i = 0; i < spec->n_ops && s->n_disks < CC_ARRAY_LEN(s->disks); i++) {
        const cc_op *op = &spec->ops[i];
        bool hidden = false; // by one that is mounted over it
        for (size_t j = 0; over && j < over->n_ops; j++)
            hidden = hidden || (over->ops[j].kind == CC_OP_TMPFS && !strcmp(over->ops[j].path, op->path));
        if (op->kind != CC_OP_TMPFS || hidden) continue;
        int fd = open(op->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0) s->disks[s->n_disks++] = fd;
    }
}

static int set_up_below(init_state *s, cc_report *fault) {
    struct stat st;
    if (s->spec->cwd && lstat(s->spec->cwd, &st) == 0) s->scratch_dev = st.st_dev, s->scratch_ino = st.st_ino;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) return cc_inside_fail(fault, "become a subreaper");
    if (s->maker == CC_MADE_BY_ROOT) {
        uid_t uid;
        if (pick_guest(s->spec, &uid, fault)) return -1;
        if (s->spec->cwd && chown(s->spec->cwd, uid, uid)) return cc_inside_fail(fault, "chown the work directory");
        if (give_pipes(s, uid, fault) || become(uid, uid, fault)) return -1;
    }
    return 0;
}

// Waits for the order, which may take minutes, and takes the descriptors that come with it.
static void await_order(init_state *s) {
    cc_report fault;
    char what = 0;
    struct iovec iov = {&what, 1};
    int fds[CC_SANDBOX_STEPS * CC_STEP_FDS];
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fds)];
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n;
    while ((n = recvmsg(s->control, &msg, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    if (n != 1 || what != CC_ORDER_BEGIN) _exit(0); // the launcher is gone, or does not need this sandbox
    struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
    size_t got = head ? (head->cmsg_len - CMSG_LEN(0)) / sizeof *fds : 0, used = 0;
    if (got) memcpy(fds, CMSG_DATA(head), got * sizeof *fds);
    for (size_t i = 0; i < s->spec->n_steps; i++) {
        int theirs[CC_STEP_FDS];
        cc_step_fds(&s->spec->steps[i], theirs);
        for (size_t j = 0; j < CC_STEP_FDS; j++) {
            s->kept[i][j] = -1;
            if (theirs[j] < 0) continue;
            if (used == got) errno = EMFILE, cc_inside_fail(&fault, "receive a descriptor"), give_up(s, &fault);
            s->kept[i][j] = fds[used++];
        }
    }
}

// What the level does not hold here. Setting up may find more.
static uint32_t gaps_of(const init_state *s) {
    uint32_t gaps = 0;
    bool grouped = s->spec->n_steps > 0;
    for (size_t i = 0; i < s->spec->n_steps; i++) grouped = grouped && s->spec->steps[i].group.serial;
    if (!grouped) gaps |= CC_GAP_KERNEL_MEMORY;
    if (!grouped && s->spec->shared_memory) gaps |= CC_GAP_SHARED_MEMORY;
    if (!cc_filter_supported()) gaps |= CC_GAP_SECCOMP;
    if (s->full) return gaps;
    gaps |= CC_GAP_DISK;
    if (s->maker == CC_MADE_BY_USER && !grouped) gaps |= CC_GAP_PROCESS_LIMIT;
    if ((gaps & CC_GAP_SECCOMP) && !s->spec->network) gaps |= CC_GAP_NETWORK;
    if (s->spec->level == CC_ISOLATION_RLIMITS) return gaps | CC_GAP_FILES | CC_GAP_PROCESSES | CC_GAP_PROCESS_TREE;
    gaps |= CC_GAP_METADATA;
    if (cc_landlock_abi() < CC_LANDLOCK_ABI_SCOPES) gaps |= CC_GAP_PROCESSES | CC_GAP_PROCESS_TREE;
    return gaps;
}

static void set_up(init_state *s, const cc_sandbox_spec *blank, uid_t uid, gid_t gid) {
    cc_report fault;
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    umask(022);
    wipe_arguments();
    // A new session keyring: the one inherited is the server's, and /proc/keys would name what it holds. Kernels without keys need none.
    (void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    if (keep_descriptors(s, &fault)) give_up(s, &fault);
    if (s->full && set_up_blank(s, blank, uid, gid, &fault)) give_up(s, &fault);
    prctl(PR_SET_NAME, "cc-blank", 0, 0, 0);
    if (s->full) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); // it may wait for long
    await_order(s);
    prctl(PR_SET_NAME, s->spec->n_steps && s->spec->steps[0].waits ? "cc-waiting" : "init", 0, 0, 0);
    s->gaps = gaps_of(s);
    if (s->full ? set_up_full(s, &fault) : set_up_below(s, &fault)) give_up(s, &fault);
    if (s->spec->cwd && chdir(s->spec->cwd)) cc_inside_fail(&fault, "enter the work directory"), give_up(s, &fault);
    if (cc_root_write_inputs(s->spec, &fault)) fault.of_request = true, give_up(s, &fault);
    s->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->proc < 0) cc_inside_fail(&fault, "open /proc"), give_up(s, &fault);
    if (s->full) open_disks(s, blank, s->spec), open_disks(s, s->spec, NULL);
    if (cc_landlock_make(blank, s->spec, &s->ruleset, &fault)) give_up(s, &fault);
    s->self = getpid();
    if (!s->full && s->maker == CC_MADE_BY_USER) s->ambient_tasks = cc_count_tasks(s->proc);
    // After the last change of credentials, which clears it. A launcher that died before this shows on the control socket.
    if (s->full) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// ---- a step ----

static int limit(pid_t pid, int resource, uint64_t soft, uint64_t hard, cc_report *fault) {
    struct rlimit old, r = {soft, hard};
    if (prlimit(pid, resource, NULL, &old) == 0 && old.rlim_max < r.rlim_max) { // what the host limits already stays
        r.rlim_max = old.rlim_max;
        if (r.rlim_cur > r.rlim_max) r.rlim_cur = r.rlim_max;
    }
    return prlimit(pid, resource, &r, NULL) ? cc_inside_fail(fault, "prlimit") : 0;
}

// Of a process, 0 being this one.
static int apply_limits(const init_state *s, const cc_step_limits *l, pid_t pid, cc_report *fault) {
    if (limit(pid, RLIMIT_CORE, 0, 0, fault)) return -1;
    if (limit(pid, RLIMIT_FSIZE, l->file_size, l->file_size, fault)) return -1;
    if (limit(pid, RLIMIT_NOFILE, l->files, l->files, fault)) return -1;
    if (limit(pid, RLIMIT_STACK, l->stack, l->stack, fault)) return -1;
    if (limit(pid, RLIMIT_MSGQUEUE, 0, 0, fault)) return -1;
    if (limit(pid, RLIMIT_MEMLOCK, 65536, 65536, fault)) return -1;
    // Whoever starts the server may be allowed to go before everybody else.
    if (limit(pid, RLIMIT_RTPRIO, 0, 0, fault) || limit(pid, RLIMIT_NICE, 0, 0, fault)) return -1;
    uint64_t cpu = l->process_cpu_s && (!l->cpu_s || l->process_cpu_s < l->cpu_s) ? l->process_cpu_s : l->cpu_s;
    // One second later than init, which measures finer than the kernel's ticks: a bound that holds when init is late.
    if (cpu && limit(pid, RLIMIT_CPU, cpu + 1, cpu + 2, fault)) return -1;
    if (l->address_space && limit(pid, RLIMIT_AS, l->address_space, l->address_space, fault)) return -1;
    uint64_t tasks = l->processes + s->ambient_tasks;
    return limit(pid, RLIMIT_NPROC, tasks, tasks, fault);
}

// Gives a descriptor the highest number that this process can have, and lets it through the exec: the driver closes it to further ones.
static int move_to_top(int fd) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || dup2(fd, (int)files.rlim_cur - 1) < 0) return -1;
    return close(fd);
}

// Passes on what a driver without a descriptor has left in a file. The directory is the one that was there before the program began.
static void pass_on(int directory, int control) {
    char text[TOLD_MAX];
    CC_CLEANUP_FD int fd = openat(directory, "told", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) return;
    ssize_t n = read(fd, text, sizeof text);
    if (n > 0 && write(control, text, (size_t)n) < 0) errno = 0; // nobody listens any more
}

// A linker makes its output executable by name, which CC_ISOLATION_RESTRICTED refuses: a program in the work directory is made so here.
static int make_executable(const char *path) {
    if (path[0] == '/') return 0;
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 1 || st.st_uid != geteuid())
        return 0; // execve says what is wrong
    return st.st_mode & S_IXUSR ? 0 : fchmod(fd, 0755);
}

// The step's process, until exec. Says what failed over the pipe, which closes by itself when exec succeeds.
static CC_NORETURN void become_step(const init_state *s, size_t index, int says) {
    const cc_step *step = &s->spec->steps[index];
    cc_report fault;
    // Before anything of the program is there. The descriptor says who may: whoever opened it.
    bool joined = s->kept[index][CC_CGROUP_PROCS] < 0 || write(s->kept[index][CC_CGROUP_PROCS], "0", 1) == 1;
    int join_error = errno;
    // Out of the way of the numbers that follow.
    int next = 4, control = step->told ? -1 : s->kept[index][CC_CONTROL_FD];
    if (control >= 0 && (control = fcntl(control, F_DUPFD_CLOEXEC, CONTROL)) < 0) goto failed;
    setsid();                           // no controlling terminal
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); // else its own /proc/self is root's
    for (int j = 0; j < 3; j++)
        if (s->kept[index][j] >= 0 && dup2(s->kept[index][j], j) != j) goto failed;
    if (dup2(says, 3) != 3) goto failed;
    says = 3;
    if (fcntl(3, F_SETFD, FD_CLOEXEC)) goto failed;
    if (!joined) {
        errno = join_error;
        cc_inside_fail(&fault, CC_CANNOT_JOIN);
        goto said;
    }
    int ruleset = s->ruleset < 0 ? -1 : next++;
    if (ruleset >= 0 && s->ruleset != ruleset && dup3(s->ruleset, ruleset, O_CLOEXEC) < 0) goto failed;
    if (control >= 0 && dup3(control, next, O_CLOEXEC) < 0) goto failed;
    if (control >= 0) control = next++;
    if (close_range((unsigned)next, ~0u, 0)) goto failed;
    sigset_t none; // init has all signals blocked, and none handled or ignored
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    cc_inside_write("/proc/self/oom_score_adj", "1000"); // when the machine is out of memory, the guest goes first
    if (apply_limits(s, &step->limits, 0, &fault)) goto said;
    if (control >= 0 && move_to_top(control)) goto failed;
    if (keep_capabilities(0, &fault)) goto said;
    if (!s->full && make_executable(step->path)) goto failed;
    if (cc_landlock_enter(s->spec, ruleset, &fault)) goto said;
    if (cc_filter_load(s->filter) && !(s->gaps & CC_GAP_SECCOMP)) {
        cc_inside_fail(&fault, "load the seccomp filter");
        goto said;
    }
    execve(step->path, (char *const *)(uintptr_t)step->argv, (char *const *)(uintptr_t)step->envp);
    cc_inside_fail(&fault, "execute the program");
    fault.of_request = true;
    goto said;
failed:
    cc_inside_fail(&fault, "prepare the program");
said:
    if (write(says, &fault, sizeof fault) != sizeof fault) _exit(126);
    _exit(127);
}

// Reaps whatever has ended; true, with its status, when main is among them.
static bool reap(pid_t main_pid, siginfo_t *status, struct rusage *usage) {
    bool found = false;
    for (;;) {
        siginfo_t info = {0};
        struct rusage ru;
        // Every child, by intent: this process is its own, and orphans of the guest are its children.
        if (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | __WALL, &ru) || !info.si_pid) return found;
        if (info.si_pid != main_pid) continue;
        *status = info;
        *usage = ru;
        found = true;
    }
}

static int64_t cpu_us_of_reaped(void) {
    struct rusage ru;
    getrusage(RUSAGE_CHILDREN, &ru);
    return ((int64_t)ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000 + ru.ru_utime.tv_usec + ru.ru_stime.tv_usec;
}

static uint64_t disk_kb(const init_state *s) {
    uint64_t kb = 0;
    struct statfs fs;
    for (size_t i = 0; i < s->n_disks; i++)
        if (fstatfs(s->disks[i], &fs) == 0) kb += (fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize / 1024;
    return kb;
}

static void end_all(const init_state *s) {
    if (s->full)
        kill(-1, SIGKILL); // everything in the namespace but this process
    else
        cc_sweep(s->proc, s->self, cc_now_ns() + SWEEP_NS);
}

static void reap_all(const init_state *s) {
    while (syscall(SYS_waitid, P_ALL, 0, NULL, WEXITED | __WALL | (s->full ? 0 : WNOHANG), NULL) == 0) {
        siginfo_t info = {0}; // with WNOHANG, success may mean that nothing has ended
        if (!s->full && (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL, NULL) || !info.si_pid)) return;
    }
}

typedef struct watch {
    int group;             // the step's cgroup, -1 = none
    int64_t cpu_before_us; // of earlier steps
    uint64_t seen_before_ms;
    uint64_t peak_kb, over_kb;
    cc_stop_cause cause;
} watch;

// Measures once and ends everything when a limit is passed.
static void look(init_state *s, const cc_step_limits *l, watch *w) {
    cc_usage u;
    uint64_t allowed_kb = w->group < 0 ? l->tree_memory / 1024 : 0, care = w->peak_kb; // the kernel keeps a cgroup's limit
    if (allowed_kb && allowed_kb < care) care = allowed_kb;
    if (w->group >= 0) care = UINT64_MAX;
    cc_measure(s->proc, s->self, s->full, care, &u);
    s->seen_ms = u.seen_ms;
    // A cgroup counts the files in memory as well.
    uint64_t kb = w->group < 0 ? u.memory_kb + (u.processes ? disk_kb(s) : 0) : cc_cgroup_number(w->group, "memory.current", NULL) / 1024;
    if (kb > w->peak_kb) w->peak_kb = kb;
    if (w->cause) return;
    if (allowed_kb && kb > allowed_kb) {
        w->cause = CC_STOP_MEMORY;
        w->over_kb = kb - allowed_kb;
    } else if (l->cpu_s) {
        // Both are too low when processes are not waited for, or live shorter than a look; neither is ever too high.
        uint64_t waited = (uint64_t)(cpu_us_of_reaped() - w->cpu_before_us) / 1000 + u.cpu_ms, seen = u.seen_ms - w->seen_before_ms;
        if ((waited > seen ? waited : seen) >= l->cpu_s * UINT64_C(1000)) w->cause = CC_STOP_CPU;
    }
    if (w->cause) end_all(s);
}

// Until the step's program has stopped itself; says so; then until it is known what it shall do. False when it has ended instead.
static bool await_resume(init_state *s, size_t index, pid_t main_pid, int main_fd) {
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)main_pid, &info, WSTOPPED | WEXITED | WNOWAIT) && errno == EINTR) {
    }
    if (info.si_code != CLD_STOPPED) return false;
    cc_usage u;
    cc_measure(s->proc, s->self, s->full, 0, &u);
    cc_report r = {.kind = CC_REPORT_WAITING, .step = (uint32_t)index, .peak_kb = (int64_t)(u.memory_kb + disk_kb(s))};
    send_report(s, &r);
    struct pollfd on[2] = {{.fd = main_fd, .events = POLLIN}, {.fd = s->control, .events = POLLIN}};
    while (!on[0].revents) {
        poll(on, 2, -1);
        char order = 0;
        if (on[1].revents && recv(s->control, &order, 1, MSG_DONTWAIT) == 0) leave(s, true);
        if (order == CC_ORDER_RESUME) return poll(on, 1, 0) == 0;
    }
    return false;
}

// Gives the program that has waited its files and limits, and lets it go on. Returns when.
static int64_t go_on(init_state *s, const cc_step *step, pid_t main_pid) {
    cc_report fault;
    if (cc_root_write_inputs(s->spec, &fault)) fault.of_request = true, give_up(s, &fault);
    if (apply_limits(s, &step->limits, main_pid, &fault)) give_up(s, &fault);
    int64_t now = cc_now_ns();
    if (kill(main_pid, SIGCONT)) cc_inside_fail(&fault, "continue the program"), give_up(s, &fault);
    return now;
}

// Runs one step to the end of its main process. True when it ended with status 0.
static bool run_step(init_state *s, size_t index) {
    const cc_step *step = &s->spec->steps[index];
    cc_report r = {.kind = CC_REPORT_STARTED, .step = (uint32_t)index};
    watch w = {.group = s->kept[index][CC_OF_CGROUP], .cpu_before_us = cpu_us_of_reaped(), .seen_before_ms = s->seen_ms};
    CC_CLEANUP_FD int told = step->told ? open(step->told, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    int says[2], main_fd = -1;
    if (pipe2(says, O_CLOEXEC)) cc_inside_fail(&r, "pipe"), give_up(s, &r);
    // No signal is queued, which /proc would show to the program, when it stops.
    if (step->waits) sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}, NULL);
    int64_t began = cc_now_ns();
    pid_t main_pid = cc_inside_clone(0, &main_fd);
    if (main_pid < 0) cc_inside_fail(&r, "start the program"), give_up(s, &r);
    if (main_pid == 0) become_step(s, index, says[1]);
    int pins[CC_LANDLOCK_PINS];
    if (!s->full) cc_landlock_pin(s->proc, main_pid, pins);
    close(says[1]);
    for (int j = 0; j < CC_CONTROL_FD + (told < 0); j++)
        cc_fd_close(&s->kept[index][j]); // the reader sees the end of a stream when the guest has closed it
    cc_report fault;
    ssize_t n;
    while ((n = read(says[0], &fault, sizeof fault)) < 0 && errno == EINTR) {
    }
    close(says[0]);
    if (n == sizeof fault) give_up(s, &fault);
    r.at_ns = began;
    if (step->waits) {
        if (!await_resume(s, index, main_pid, main_fd)) leave(s, false);
        prctl(PR_SET_NAME, "init", 0, 0, 0);
        step = &s->spec->steps[index];
        r.at_ns = go_on(s, step, main_pid);
    }
    send_report(s, &r);

    siginfo_t status = {0};
    struct rusage usage = {0};
    int64_t wait_ms = SAMPLE_MS;
    for (;;) {
        struct pollfd on[2] = {{.fd = main_fd, .events = POLLIN}, {.fd = s->control, .events = POLLIN}};
        poll(on, 2, (int)wait_ms);
        if (on[1].revents) {
            char order = 0;
            if (recv(s->control, &order, 1, MSG_DONTWAIT) == 0) leave(s, true); // the launcher is gone
            if (order == CC_ORDER_ASK && step->soft_signal) kill(main_pid, step->soft_signal);
            if (order == CC_ORDER_STOP) {
                if (!w.cause) w.cause = CC_STOP_ASKED;
                end_all(s);
            }
        }
        if (reap(main_pid, &status, &usage)) break;
        int64_t before = cc_now_ns();
        look(s, &step->limits, &w);
        wait_ms = (cc_now_ns() - before) * SAMPLE_COST / 1000000;
        if (wait_ms < SAMPLE_MS) wait_ms = SAMPLE_MS;
    }
    r.kind = CC_REPORT_ENDED;
    r.at_ns = cc_now_ns();
    r.exit_code = status.si_code == CLD_EXITED ? status.si_status : -1;
    r.signal = status.si_code == CLD_EXITED ? 0 : status.si_status;
    close(main_fd);
    if (!s->full) cc_landlock_unpin(pins);
    // What the step left running must not meet the next one, nor the reader of its output.
    end_all(s);
    reap_all(s);
    int64_t seen_us = (int64_t)(s->seen_ms - w.seen_before_ms) * 1000;
    r.cpu_us = cpu_us_of_reaped() - w.cpu_before_us;
    if (seen_us > r.cpu_us) r.cpu_us = seen_us;
    r.peak_kb = (int64_t)w.peak_kb > usage.ru_maxrss ? (int64_t)w.peak_kb : usage.ru_maxrss;
    if (w.group >= 0) {
        uint64_t peak = cc_cgroup_number(w.group, "memory.peak", NULL) / 1024; // from Linux 5.19 on
        if (peak > w.peak_kb) w.peak_kb = peak;
        r.peak_kb = (int64_t)w.peak_kb;
        if (!w.cause && cc_cgroup_number(w.group, "memory.events", "oom_kill")) w.cause = CC_STOP_MEMORY;
    }
    r.over_kb = (int64_t)w.over_kb;
    r.cause = w.cause;
    if (!r.cause && r.signal && step->limits.cpu_s && r.cpu_us >= (int64_t)step->limits.cpu_s * 1000000) r.cause = CC_STOP_CPU;
    bool good = r.exit_code == 0 && !r.cause;
    if (told >= 0) pass_on(told, s->kept[index][CC_CONTROL_FD]);
    cc_fd_close(&s->kept[index][CC_CONTROL_FD]);
    // What is not whole is seen by who reads it.
    if (good && step->keeps && cc_collect(s->kept[index][CC_KEPT_FD], CC_COLLECT_MAX)) errno = 0;
    cc_fd_close(&s->kept[index][CC_KEPT_FD]);
    send_report(s, &r);
    return good;
}

CC_NORETURN void cc_init_main(const cc_sandbox_spec *blank, const cc_order *order, cc_maker maker, int control, uid_t uid, gid_t gid) {
    init_state s = {.spec = &order->spec,
                    .filter = &order->filter,
                    .maker = maker,
                    .control = control,
                    .proc = -1,
                    .ruleset = -1,
                    .full = blank->level == CC_ISOLATION_FULL};
    set_up(&s, blank, uid, gid);
    cc_report ready = {.kind = CC_REPORT_READY};
    send_report(&s, &ready);
    for (size_t i = 0; i < s.spec->n_steps; i++)
        if (!run_step(&s, i)) break;
    leave(&s, false);
}
