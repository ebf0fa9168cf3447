// Pid 1 of a sandbox: sets up what every run has, waits for the order, sets up the rest from the specification, and has the steps run one
// after the other (step.c). Called by start.c in the cloned child; owns that process and never returns. It never executes anything itself
// and is out of the guest's reach: not dumpable, immune to signals of its own namespace, more capable than the guest. Below
// CC_ISOLATION_FULL the same code is a subreaper that sweeps its descendants at the end.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <grp.h>
#include <unistd.h>

#include "sandbox/inside.h"

#define GUEST_ID 1000 // what the guest sees as its user and group

CC_NORETURN void cc_init_leave(const cc_init *s) {
    assert(s->self > 0); // else the sweep would be of everything that there is
    if (!s->full) cc_sweep(s->proc, s->self, cc_now_ns() + CC_INIT_SWEEP_NS);
    // The launcher would, too, if it were sure to live that long.
    if (s->scratch_ino && cc_sandbox_remove_tree(s->spec->cwd, s->scratch_dev, s->scratch_ino)) _exit(1);
    _exit(0); // as pid 1 this ends the namespace
}

void cc_init_report(const cc_init *s, cc_report *r) {
    r->gaps = s->gaps;
    // The launcher reads; when it cannot any more, the next look at the control socket ends everything.
    while (send(s->control, r, sizeof *r, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

CC_NORETURN void cc_init_give_up(const cc_init *s, cc_report *fault) {
    cc_init_report(s, fault);
    _exit(0);
}

// ---- set-up ----

// Leaves the control socket and /dev/null on 0, 1 and 2: what comes with the order then has other numbers.
static int keep_descriptors(cc_init *s, cc_report *fault) {
    int kept = fcntl(s->control, F_DUPFD_CLOEXEC, CC_INIT_CONTROL);
    if (kept < 0) {
        if (errno == EINVAL) errno = EMFILE; // no number is that high
        return cc_inside_fail(fault, "keep the control socket");
    }
    s->control = kept;
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

int cc_init_keep_capabilities(uint64_t keep, cc_report *fault) {
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
static int give_pipes(const cc_init *s, uid_t uid, cc_report *fault) {
    struct stat st;
    for (size_t i = 0; i < s->spec->n_steps; i++)
        for (int j = 0; j <= CC_CONTROL_FD; j++)
            if (s->kept[i][j] >= 0 && fstat(s->kept[i][j], &st) == 0 && S_ISFIFO(st.st_mode) && fchown(s->kept[i][j], uid, uid))
                return cc_inside_fail(fault, "chown a pipe");
    return 0;
}

// The largest range of users that this user namespace maps; whether `uid` is in any.
static bool is_mapped(uint64_t uid, uint64_t *first, uint64_t *count) {
    char text[512];
    CC_CLEANUP_FD int fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    *first = *count = 0;
    for (char *at = text, *end; *at; at = end) {
        uint64_t inside = strtoull(at, &end, 10), ids;
        if (end == at) break;
        strtoull(end, &end, 10); // outside
        ids = strtoull(end, &end, 10);
        if (inside <= uid && uid < inside + ids) return true;
        if (ids > *count) *first = inside, *count = ids;
    }
    return false;
}

// Users for guests where the wide range is not mapped (a container of its own user namespace): the upper eighth of what is, without the
// two last, which are nobody's by custom.
static uint64_t spare_users(uint64_t count) { return count / 8 > 2 ? count / 8 - 2 : 0; }

bool cc_init_has_users(void) {
    uint64_t first, count;
    return is_mapped(CC_GUEST_UID_BASE, &first, &count) || spare_users(count) > 0;
}

// The guest's user on the host when the launcher is root: never 0, and no two living guests have the same one.
static int pick_guest(const cc_sandbox_spec *spec, uid_t *uid, cc_report *fault) {
    char link[32];
    ssize_t n = readlink("/proc/self", link, sizeof link - 1); // the pid as the host numbers it
    if (n <= 0) return cc_inside_fail(fault, "read /proc/self");
    link[n] = 0;
    uint32_t pid = (uint32_t)strtoul(link, NULL, 10), base = spec->guest_base ? spec->guest_base : CC_GUEST_UID_BASE;
    *uid = base + pid;
    if (spec->guest_base) return 0;
    uint64_t first, count;
    if (is_mapped(*uid, &first, &count)) return 0;
    uint64_t spare = spare_users(count);
    if (spare) *uid = (uid_t)(first + count - spare - 2 + pid % spare);
    return 0;
}

// The part of full isolation that is the same for every run.
static int set_up_blank(cc_init *s, const cc_sandbox_spec *blank, uid_t uid, gid_t gid, cc_report *fault) {
    bool root = s->maker == CC_MADE_BY_ROOT;
    s->owner = GUEST_ID;
    if (root ? pick_guest(blank, &s->owner, fault) : map_ids(uid, gid, fault)) return -1;
    if (cc_root_begin(fault) || cc_root_build(blank, s->owner, fault)) return -1;
    if (!blank->network) loopback_up();
    return sethostname("sandbox", 7) ? cc_inside_fail(fault, "sethostname") : 0;
}

static int set_up_full(cc_init *s, cc_report *fault) {
    if (cc_root_build(s->spec, s->owner, fault) || cc_root_enter(fault)) return -1;
    if (s->maker == CC_MADE_BY_ROOT) {
        prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0); // dropped below
        if (give_pipes(s, s->owner, fault) || become(s->owner, s->owner, fault)) return -1;
        if (unshare(CLONE_NEWUSER)) {
            s->gaps |= CC_GAP_USER_NAMESPACE; // the guest's user is nobody's all the same
        } else if (map_ids(s->owner, s->owner, fault)) {
            return -1;
        }
    }
    // Init needs to read and end its guests' processes. Without a user namespace of its own the one of these that reaches nobody outside
    // is enough: who has any capability is out of reach for setting priorities by whoever has none.
    bool capable = !(s->gaps & CC_GAP_USER_NAMESPACE);
    if (drop_bounding_set() && capable) return cc_inside_fail(fault, "drop the bounding set");
    return cc_init_keep_capabilities((capable ? UINT64_C(1) << CAP_SYS_PTRACE : 0) | UINT64_C(1) << CAP_KILL, fault);
}

static void open_disks(cc_init *s, const cc_sandbox_spec *spec, const cc_sandbox_spec *over) {
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

static int set_up_below(cc_init *s, cc_report *fault) {
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
static void await_order(cc_init *s) {
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
            if (used == got) errno = EMFILE, cc_inside_fail(&fault, "receive a descriptor"), cc_init_give_up(s, &fault);
            s->kept[i][j] = fds[used++];
        }
    }
}

// What the level does not hold here. Setting up may find more.
static uint32_t gaps_of(const cc_init *s) {
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

// True when the kernel hands crashes to somebody, and no limit that can be set here (step.c) keeps it from that: a socket is told whatever
// the limit is, and a limit of 0 that was there already cannot be raised to 1.
static bool crashes_are_told(const cc_init *s) {
    char first = 0;
    struct rlimit core = {0};
    CC_CLEANUP_FD int fd = openat(s->proc, "sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &first, 1) != 1) return true; // as far as anybody can tell
    return first == '@' || (first == '|' && getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0);
}

static void set_up(cc_init *s, const cc_sandbox_spec *blank, uid_t uid, gid_t gid) {
    cc_report fault;
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    umask(022);
    wipe_arguments();
    // A new session keyring: the one inherited is the server's, and /proc/keys would name what it holds. Kernels without keys need none.
    (void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    if (keep_descriptors(s, &fault)) cc_init_give_up(s, &fault);
    if (s->full && set_up_blank(s, blank, uid, gid, &fault)) cc_init_give_up(s, &fault);
    prctl(PR_SET_NAME, "cc-blank", 0, 0, 0);
    if (s->full) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); // it may wait for long
    await_order(s);
    prctl(PR_SET_NAME, s->spec->n_steps && s->spec->steps[0].waits ? "cc-waiting" : "init", 0, 0, 0);
    s->gaps = gaps_of(s);
    if (s->full ? set_up_full(s, &fault) : set_up_below(s, &fault)) cc_init_give_up(s, &fault);
    if (s->spec->cwd && chdir(s->spec->cwd)) cc_inside_fail(&fault, "enter the work directory"), cc_init_give_up(s, &fault);
    if (cc_root_write_inputs(s->spec, &fault)) fault.of_request = true, cc_init_give_up(s, &fault);
    s->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->proc < 0) cc_inside_fail(&fault, "open /proc"), cc_init_give_up(s, &fault);
    if (crashes_are_told(s)) s->gaps |= CC_GAP_CRASHES;
    if (s->full) open_disks(s, blank, s->spec), open_disks(s, s->spec, NULL);
    if (cc_landlock_make(blank, s->spec, &s->ruleset, &fault)) cc_init_give_up(s, &fault);
    s->self = getpid();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    s->cores = cores > 0 ? cores : 1;
    if (!s->full && s->maker == CC_MADE_BY_USER) s->ambient_tasks = cc_count_tasks(s->proc);
    // After the last change of credentials, which clears it. A launcher that died before this shows on the control socket.
    if (s->full) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

CC_NORETURN void cc_init_main(const cc_sandbox_spec *blank, const cc_order *order, cc_maker maker, int control, uid_t uid, gid_t gid) {
    cc_init s = {.spec = &order->spec,
                 .filter = &order->filter,
                 .maker = maker,
                 .control = control,
                 .proc = -1,
                 .ruleset = -1,
                 .full = blank->level == CC_ISOLATION_FULL};
    set_up(&s, blank, uid, gid);
    cc_report ready = {.kind = CC_REPORT_READY};
    cc_init_report(&s, &ready);
    for (size_t i = 0; i < s.spec->n_steps; i++)
        if (!cc_step_run(&s, i)) break;
    cc_init_leave(&s);
}
