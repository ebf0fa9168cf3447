// The launcher's side of a sandbox: clone it into its namespaces, order what it shall run, read what it reports, end it. Called by src/run.
// Owns the descriptors and the memory in cc_sandbox and the process they name, until cc_sandbox_finish.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/inside.h"

const char *cc_isolation_name(cc_isolation level) {
    static const char *const names[] = {"none", "rlimits", "restricted", "full"};
    return names[level];
}

pid_t cc_inside_clone(unsigned long flags, int *pidfd) {
    // The order of the last two arguments differs between machines; both are NULL.
    return (pid_t)syscall(SYS_clone, flags | CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
}

// Which system calls are refused: known with the blank specification, but for memory that few programs need.
static void build_filter(cc_order *order, const cc_sandbox_spec *spec) {
    // In a network namespace of its own a program may open any socket; without one seccomp keeps the network from it.
    bool full = spec->level == CC_ISOLATION_FULL, restricted = spec->level == CC_ISOLATION_RESTRICTED;
    const cc_filter_options options = {
        .internet = full || spec->network,
        .own_ipc = full,
        .shared_memory = spec->shared_memory,
        .restricted = restricted,
        .fixed_attributes = restricted && geteuid() != 0, // a guest of root's has a user of its own, who owns nothing
    };
    cc_filter_build(&order->filter, &options);
}

int cc_sandbox_open(const cc_sandbox_spec *blank, cc_sandbox *out, cc_report *fault) {
    assert(blank->level != CC_ISOLATION_NONE);
    bool full = blank->level == CC_ISOLATION_FULL;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return cc_inside_fail(fault, "socketpair");
    CC_CLEANUP_FD int ours = pair[0], theirs = pair[1];
    cc_order *shared = cc_order_new();
    if (!shared) return cc_inside_fail(fault, "mmap");
    uid_t uid = geteuid();
    gid_t gid = getegid();
    // Where root is the only user (a user namespace that maps one), it is one like any other, and gives its guests no other.
    bool gives_users = uid == 0 && (!full || blank->guest_base || cc_init_has_users());
    cc_maker maker = gives_users ? CC_MADE_BY_ROOT : CC_MADE_BY_USER;
    int pidfd = -1;
    unsigned long flags = 0;
    if (full) {
        flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
        if (!blank->network) flags |= CLONE_NEWNET;
        if (maker == CC_MADE_BY_USER) flags |= CLONE_NEWUSER; // as root it comes last: the mounts are then not the guest's
    }
    // Nothing may interrupt or handle signals in the child before it is an init of its own.
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    pid_t pid = cc_inside_clone(flags, &pidfd);
    if (pid == 0) {
        for (int sig = 1; sig < NSIG; sig++) signal(sig, SIG_DFL);
        cc_init_main(blank, shared, maker, theirs, uid, gid);
    }
    int failed = errno;
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (pid < 0) {
        cc_order_free(shared);
        errno = failed;
        return cc_inside_fail(fault, "clone");
    }
    build_filter(shared, blank); // while init sets up
    cc_fd_set_nonblock(ours, true);
    *out = (cc_sandbox){.pid = pid, .pidfd = pidfd, .reports = cc_fd_steal(&ours), .full = full, .order = shared};
    return 0;
}

int cc_sandbox_begin(cc_sandbox *s, const cc_sandbox_spec *spec, cc_report *fault) {
    assert(spec->n_steps <= CC_SANDBOX_STEPS && s->full == (spec->level == CC_ISOLATION_FULL));
    if (spec->shared_memory) build_filter(s->order, spec); // else it is there
    if (cc_order_write(s->order, spec)) {
        cc_inside_fail(fault, "write the order");
        fault->of_request = true;
        return -1;
    }
    int fds[CC_SANDBOX_STEPS * CC_STEP_FDS];
    size_t n = 0;
    for (size_t i = 0; i < spec->n_steps; i++) {
        int of_step[CC_STEP_FDS];
        cc_step_fds(&spec->steps[i], of_step);
        for (size_t j = 0; j < CC_STEP_FDS; j++)
            if (of_step[j] >= 0) fds[n++] = of_step[j];
    }
    char what = CC_ORDER_BEGIN;
    struct iovec iov = {&what, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fds)] = {0};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (n) {
        msg.msg_control = control;
        msg.msg_controllen = CMSG_SPACE(n * sizeof *fds);
        struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(n * sizeof *fds);
        memcpy(CMSG_DATA(head), fds, n * sizeof *fds);
    }
    // One that has ended already has left its reason.
    if (sendmsg(s->reports, &msg, MSG_NOSIGNAL) == 1 || errno == EPIPE || errno == ECONNRESET) return 0;
    return cc_inside_fail(fault, "send the order");
}

int cc_sandbox_resume(cc_sandbox *s, const cc_sandbox_spec *spec, cc_report *fault) {
    assert(spec->n_steps == 1 && spec->steps[0].waits);
    const char what = CC_ORDER_RESUME;
    if (cc_order_write(s->order, spec)) { // nobody reads the old one while its step waits
        cc_inside_fail(fault, "write the order");
        fault->of_request = true;
        return -1;
    }
    if (send(s->reports, &what, 1, MSG_NOSIGNAL) == 1 || errno == EPIPE || errno == ECONNRESET) return 0;
    return cc_inside_fail(fault, "send the order");
}

int cc_sandbox_start(const cc_sandbox_spec *spec, cc_sandbox *out, cc_report *fault) {
    const cc_sandbox_spec blank = {.level = spec->level, .network = spec->network, .guest_base = spec->guest_base};
    if (cc_sandbox_open(&blank, out, fault)) return -1;
    if (cc_sandbox_begin(out, spec, fault) == 0) return 0;
    cc_sandbox_finish(out);
    return -1;
}

int cc_sandbox_next(cc_sandbox *s, cc_report *out) {
    ssize_t n;
    // The second is told once when it ended with an order unread: what it said before comes after that.
    while ((n = recv(s->reports, out, sizeof *out, MSG_DONTWAIT)) < 0 && (errno == EINTR || errno == ECONNRESET)) {
    }
    if (n == sizeof *out) return 1;
    return n < 0 && errno == EAGAIN ? 0 : -1;
}

// When an order cannot be sent, init has ended or will be killed by cc_sandbox_finish.
static void order(cc_sandbox *s, char what) {
    if (send(s->reports, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
}

void cc_sandbox_ask(cc_sandbox *s) { order(s, CC_ORDER_ASK); }
void cc_sandbox_stop(cc_sandbox *s) { order(s, CC_ORDER_STOP); }

// A guest that killed its subreaper is now ours, if this process is a subreaper too; so is whatever else this process started.
static void sweep_own(void) {
    CC_CLEANUP_FD int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc >= 0) cc_sweep(proc, getpid(), cc_now_ns() + 500000000);
}

void cc_sandbox_finish(cc_sandbox *s) {
    if (s->pid <= 0) return;
    struct pollfd on = {.fd = s->pidfd, .events = POLLIN};
    // As pid 1 it takes everything with it, whenever it is killed; a subreaper must be left the time to sweep.
    int64_t until = cc_now_ms() + (s->full ? 50 : 1000);
    shutdown(s->reports, SHUT_RDWR);
    while (!on.revents && cc_now_ms() < until) poll(&on, 1, (int)(until - cc_now_ms()));
    if (!on.revents) syscall(SYS_pidfd_send_signal, s->pidfd, SIGKILL, NULL, 0);
    siginfo_t info = {0};
    while (waitid(P_PIDFD, (id_t)s->pidfd, &info, WEXITED) && errno == EINTR) {
    }
    if (!s->full && info.si_code != CLD_EXITED) sweep_own();
    cc_fd_close(&s->pidfd);
    cc_fd_close(&s->reports);
    cc_order_free(s->order);
    *s = (cc_sandbox){.pidfd = -1, .reports = -1};
}
