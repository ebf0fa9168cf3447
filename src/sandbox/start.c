// The launcher's side of a sandbox: clone it into its namespaces, read what it reports, end it. Called by src/run. Owns the descriptors
// in cc_sandbox and the process they name, until cc_sandbox_finish.
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
    static const char *const names[] = {"none", "rlimits", "full"};
    return names[level];
}

pid_t cc_inside_clone(unsigned long flags, int *pidfd) {
    // The order of the last two arguments differs between machines; both are NULL.
    return (pid_t)syscall(SYS_clone, flags | CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
}

int cc_sandbox_start(const cc_sandbox_spec *spec, cc_sandbox *out, cc_report *fault) {
    assert(spec->n_steps <= CC_SANDBOX_STEPS && spec->level != CC_ISOLATION_NONE);
    static cc_filter filter; // the child's copy is its own
    bool full = spec->level == CC_ISOLATION_FULL;
    // In a network namespace of its own a program may open any socket; without one seccomp keeps the network from it.
    const cc_filter_options options = {.internet = full || spec->network, .own_ipc = full, .shared_memory = spec->shared_memory};
    cc_filter_build(&filter, &options);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return cc_inside_fail(fault, "socketpair");
    uid_t uid = geteuid();
    gid_t gid = getegid();
    cc_maker maker = uid == 0 ? CC_MADE_BY_ROOT : CC_MADE_BY_USER;
    int pidfd = -1;
    unsigned long flags = 0;
    if (full) {
        flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
        if (!spec->network) flags |= CLONE_NEWNET;
        if (maker == CC_MADE_BY_USER) flags |= CLONE_NEWUSER; // as root it comes last: the mounts are then not the guest's
    }
    // Nothing may interrupt or handle signals in the child before it is an init of its own.
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    pid_t pid = cc_inside_clone(flags, &pidfd);
    if (pid == 0) {
        for (int sig = 1; sig < NSIG; sig++) signal(sig, SIG_DFL);
        cc_init_main(spec, &filter, maker, pair[1], uid, gid);
    }
    int failed = errno;
    sigprocmask(SIG_SETMASK, &old, NULL);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        errno = failed;
        return cc_inside_fail(fault, "clone");
    }
    cc_fd_set_nonblock(pair[0], true);
    *out = (cc_sandbox){.pid = pid, .pidfd = pidfd, .reports = pair[0], .full = full};
    return 0;
}

int cc_sandbox_next(cc_sandbox *s, cc_report *out) {
    ssize_t n;
    while ((n = recv(s->reports, out, sizeof *out, MSG_DONTWAIT)) < 0 && errno == EINTR) {
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
    *s = (cc_sandbox){.pidfd = -1, .reports = -1};
}
