// The spawner: a small process forked before the server reads anything, which clones workers on request with the server as their
// parent. cc_spawner_start is called by main; everything below it runs in the spawner. Owns the compiled seals. It knows nothing of
// the client: its environment is overwritten, its descriptors are closed, and it never sees a request's arguments.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "codecalc/job.h"
#include "codecalc/sandbox.h"
#include "job/protocol.h"
#include "job/seal.h"
#include "job/worker.h"

// Descriptors of the spawner beside 0, 1 and 2; CC_WORKER_SOCKET stays free for the worker's end that each request brings.
enum { SOCKET = CC_WORKER_SOCKET + 1, SERVER, FIRST_FREE };

extern char **environ;

// ---- the spawner's own process ----

// Zeroes the variables where they lie, not only the table: what is cloned from here must not be able to read the client's tokens.
static void forget_environment(void) {
    for (char **e = environ; e && *e; e++) explicit_bzero(*e, strlen(*e));
    clearenv();
}

static void default_signals(void) {
    for (int sig = 1; sig < NSIG; sig++) signal(sig, SIG_DFL); // fails for SIGKILL, SIGSTOP and the two of libc, as it should
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow (ulimit -f) is an error like others: for the record of runs, of none
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int arrange_descriptors(int socket, int server) {
    // First out of the way of their own places.
    int s = fcntl(socket, F_DUPFD_CLOEXEC, FIRST_FREE), v = fcntl(server, F_DUPFD_CLOEXEC, FIRST_FREE);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (s < 0 || v < 0 || null < 0) return -1;
    if (dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) return -1;
    if (fcntl(STDERR_FILENO, F_GETFD) < 0 && dup2(null, STDERR_FILENO) < 0) return -1;
    if (dup3(s, SOCKET, O_CLOEXEC) < 0 || dup3(v, SERVER, O_CLOEXEC) < 0) return -1;
    close(CC_WORKER_SOCKET);
    return (int)syscall(SYS_close_range, FIRST_FREE, ~0u, 0);
}

// As fork, but the new process is a child of the server and *pidfd names it. Not clone3, which older container filters refuse; the
// exit signal is the spawner's own (SIGCHLD), whatever is asked for.
static pid_t clone_for_server(int *pidfd) {
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
}

static void answer(cc_spawn_request request, int worker_end) {
    int pidfd = -1;
    cc_spawn_answer a = {.id = request.id};
    pid_t pid = worker_end < 0 ? (errno = EMFILE, -1) : clone_for_server(&pidfd);
    if (pid == 0) cc_worker_main((cc_where)request.where, request.language, worker_end, SERVER);
    if (pid < 0) {
        a.error = errno;
        pidfd = -1;
    }
    if (cc_packet_send(SOCKET, &a, sizeof a, pidfd) < 0) _exit(EXIT_FAILURE); // the server is gone
    cc_fd_close(&pidfd);
}

// A server that ends in order waits for us, then puts its cgroup back itself; for one that was killed the last process does, and that is
// this one. Its socket closes a moment before it is gone.
CC_NORETURN static void end(struct pollfd *server) {
    if (cc_cgroup_is_ours() && poll(server, 1, 50) > 0) cc_cgroup_leave();
    _exit(EXIT_SUCCESS);
}

CC_NORETURN static void spawner_main(int socket, int server) {
    cc_error err;
    prctl(PR_SET_NAME, "cc-spawner", 0, 0, 0);
    setsid(); // signals of the terminal are for the server, which then ends us in order
    default_signals();
    forget_environment();
    if (arrange_descriptors(socket, server)) {
        cc_log(CC_LOG_ERROR, "the spawner cannot arrange its descriptors: %s", strerror(errno));
        _exit(EXIT_FAILURE);
    }
    struct pollfd p[] = {{.fd = SOCKET, .events = POLLIN}, {.fd = SERVER, .events = POLLIN}};
    // With a cgroup to put back as it was, it is left the time for that.
    if ((!cc_cgroup_is_ours() && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) || poll(&p[1], 1, 0) != 0) _exit(EXIT_FAILURE);
    if (cc_seal_prepare(&err)) {
        cc_log(CC_LOG_ERROR, "%s", err.msg);
        _exit(EXIT_FAILURE);
    }
    for (;;) {
        if (poll(p, CC_ARRAY_LEN(p), -1) < 0 && errno != EINTR) _exit(EXIT_FAILURE);
        if (p[1].revents) end(&p[1]);
        if (!p[0].revents) continue;
        cc_spawn_request request;
        int worker_end;
        if (cc_packet_receive(SOCKET, &request, sizeof request, &worker_end) != sizeof request || request.where > CC_LAUNCHER) end(&p[1]);
        answer(request, worker_end);
        cc_fd_close(&worker_end);
    }
}

// ---- in the server ----

// A client's soft limit may be as low as 256, and hundreds of calls can be under way; a limit also says with how many of the user's
// descriptors in messages, whoever sent them, a process may still send one.
static void raise_descriptors(void) {
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r)) return;
    rlim_t enough = r.rlim_max < 65536 ? r.rlim_max : 65536;
    if (r.rlim_cur >= enough) return;
    r.rlim_cur = enough;
    if (setrlimit(RLIMIT_NOFILE, &r)) cc_log(CC_LOG_INFO, "the limit of open files stays: %s", strerror(errno));
}

int cc_spawner_start(cc_spawner *out, cc_error *err) {
#ifndef CC_ASAN // whose leak check attaches to the process
    // Nobody but root reads our memory or that of anything forked from here, which keeps this setting.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return cc_error_errno(err, "cannot make the server non-dumpable");
#endif
    raise_descriptors();
    // A client may have left SIGCHLD ignored, and the kernel would then reap our children itself and lose how they ended.
    signal(SIGCHLD, SIG_DFL);
    CC_CLEANUP_FD int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (self < 0) return cc_error_errno(err, "cannot open a pidfd (Linux 5.9 or newer is needed)");
    // A container's filter may know one and not the other; nothing could be ended then.
    if (syscall(SYS_pidfd_send_signal, self, 0, NULL, 0)) return cc_error_errno(err, "cannot signal a process by its pidfd");
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) return cc_error_errno(err, "cannot make the spawner's socket");
    CC_CLEANUP_FD int ours = pair[0], theirs = pair[1];
    pid_t pid = fork();
    if (pid < 0) return cc_error_errno(err, "cannot fork the spawner");
    if (pid == 0) spawner_main(theirs, self);
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0) return cc_error_errno(err, "cannot open the spawner's pidfd");
    *out = (cc_spawner){.socket = cc_fd_steal(&ours), .pidfd = pidfd, .pid = pid};
    return 0;
}
