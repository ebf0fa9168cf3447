// A forked process with chosen stdin and stdout, for the tests of what a whole process does: its output, its end, how soon.
#ifndef CHILD_H
#define CHILD_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct child {
    pid_t pid;
    int in, out; // our ends; -1 = none
} child;

// Runs body(ctx) with these as descriptors 0 and 1 and exits with what it returns.
static pid_t child_fork(int in, int out, int (*body)(void *ctx), void *ctx) {
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid) return pid;
    dup2(in, 0);
    dup2(out, 1);
    for (int fd = 3; fd < 64; fd++) close(fd);
    alarm(30);
    _exit(body(ctx));
}

static child child_on_pipes(int (*body)(void *ctx), void *ctx) {
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    child c = {child_fork(in[0], out[1], body, ctx), in[1], out[0]};
    close(in[0]);
    close(out[1]);
    return c;
}

static void child_write(child *c, const void *data, size_t n) { assert_int_equal(cc_fd_write_all(c->in, data, n), 0); }
static void child_say(child *c, const char *text) { child_write(c, text, strlen(text)); }
static void child_hang_up(child *c) { cc_fd_close(&c->in); }

// Reads until `until` bytes are there, the end, or nothing comes for timeout_ms; appends to b. False at the end.
static bool child_read(child *c, cc_buf *b, size_t until, int timeout_ms) {
    while (b->n < until) {
        struct pollfd p = {.fd = c->out, .events = POLLIN};
        if (poll(&p, 1, timeout_ms) <= 0) return true;
        cc_buf_reserve(b, 65536);
        ssize_t got = read(c->out, b->p + b->n, 65536);
        if (got <= 0) return false;
        b->n += (size_t)got;
    }
    return true;
}

static void child_read_all(child *c, cc_buf *b) {
    if (child_read(c, b, SIZE_MAX, 20000)) fail_msg("no end of output; so far %zu bytes", b->n);
}

// Exit status (128 + signal when killed by one); fails after timeout_ms.
static int child_wait(child *c, int timeout_ms) {
    int64_t until = cc_now_ms() + timeout_ms;
    int status;
    pid_t got;
    while ((got = waitpid(c->pid, &status, WNOHANG)) == 0 && cc_now_ms() < until) usleep(1000);
    if (got == 0) {
        kill(c->pid, SIGKILL);
        waitpid(c->pid, &status, 0);
        fail_msg("still running after %d ms", timeout_ms);
    }
    cc_fd_close(&c->in);
    cc_fd_close(&c->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#endif
