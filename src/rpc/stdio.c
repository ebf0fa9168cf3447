// The stdio transport: lines in, frames out, on the loop's thread. Opened by the server, once. Owns the real stdin and stdout from
// then on, the read buffer and the write buffer. Never blocks on a pipe, socket or terminal, and starts no thread: what epoll
// cannot watch (a regular file, /dev/null) is always ready and is read in bounded pieces when the loop is idle.
//
// Reading stops while the other side does not take what is written (OUTPUT_HIGH), and by request; it stops between two frames of
// one read, so that a pipelining client is slowed down instead of being answered "too many".
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codecalc/rpc.h"

#define READ_SIZE   ((size_t)64 * 1024)   // what a Linux pipe holds
#define KEEP_SIZE   ((size_t)1024 * 1024) // a buffer that grew past this is given back when it is empty
#define OUTPUT_HIGH ((size_t)8 << 20)

typedef struct end {
    int fd;
    int flags;     // of the open file, which others may share; restored at the end
    bool pollable; // false: always ready
    int armed;     // events that poll waits for
    uv_poll_t poll;
} end;

struct cc_stdio {
    cc_stdio_events events;
    void *ctx;
    end in, out;
    uv_idle_t idle;
    uv_prepare_t prepare;
    unsigned handles; // not yet closed
    bool is_file, paused, closed, gone;
    bool watch_hangup; // of stdout, while nothing waits to be written

    char *buf;
    size_t cap, start, scanned, n; // [start, n) is unread, no LF in [start, scanned)
    bool skipping;                 // inside an over-long line
    bool more;                     // delivery stopped with lines left
    bool at_end, end_told;

    cc_buf pending;
    size_t sent; // of pending
};

static void update(cc_stdio *s);

bool cc_stdio_input_is_file(const cc_stdio *s) { return s->is_file; }
cc_buf *cc_stdio_out(cc_stdio *s) { return &s->pending; }
size_t cc_stdio_pending(const cc_stdio *s) { return s->pending.n - s->sent; }

static bool may_read(const cc_stdio *s) { return !s->paused && !s->closed && cc_stdio_pending(s) <= OUTPUT_HIGH; }

// ---- input ----

static void deliver_line(cc_stdio *s, cc_str line) {
    if (line.n && line.p[line.n - 1] == '\r') line.n--;
    if (line.n > CC_FRAME_MAX)
        s->events.oversized(s->ctx);
    else if (cc_str_trim(line).n)
        s->events.frame(s->ctx, line);
}

// Reports the lines that are complete, until there is none or reading is paused.
static void deliver(cc_stdio *s) {
    s->more = false;
    while (s->start < s->n) {
        if (!may_read(s)) {
            s->more = true;
            return;
        }
        const char *lf = memchr(s->buf + s->scanned, '\n', s->n - s->scanned);
        if (!lf) break;
        cc_str line = {s->buf + s->start, (size_t)(lf - s->buf) - s->start};
        s->start = s->scanned = (size_t)(lf - s->buf) + 1;
        if (!s->skipping) deliver_line(s, line);
        s->skipping = false;
    }
    s->scanned = s->n;
    if (s->n - s->start > CC_FRAME_MAX + 1 && !s->skipping) { // 1 for a CR
        s->skipping = true;
        s->events.oversized(s->ctx);
    }
    if (s->skipping || s->start == s->n) s->start = s->scanned = s->n = 0;
}

static void finish_input(cc_stdio *s) {
    if (s->more || s->end_told || !may_read(s)) return;
    if (s->start < s->n && !s->skipping) { // the last line of a file may lack its LF
        cc_str line = {s->buf + s->start, s->n - s->start};
        s->start = s->scanned = s->n = 0;
        deliver_line(s, line);
        if (!may_read(s)) return; // told when reading goes on
    }
    s->end_told = true;
    s->events.eof(s->ctx);
}

static void read_some(cc_stdio *s) {
    if (s->start) {
        memmove(s->buf, s->buf + s->start, s->n - s->start);
        s->n -= s->start, s->scanned -= s->start, s->start = 0;
    }
    if (s->n == 0 && s->cap > KEEP_SIZE) {
        free(s->buf);
        s->buf = NULL, s->cap = 0;
    }
    if (s->cap - s->n < READ_SIZE) {
        s->cap = s->cap ? s->cap * 2 : READ_SIZE;
        s->buf = cc_realloc(s->buf, s->cap);
    }
    ssize_t got;
    do got = read(s->in.fd, s->buf + s->n, READ_SIZE);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) cc_log(CC_LOG_INFO, "stdin: %s", strerror(errno)); // a terminal that went away; as good as its end
    if (got <= 0) {
        s->at_end = true;
        return;
    }
    s->n += (size_t)got;
    deliver(s);
}

static void step(cc_stdio *s) {
    if (!may_read(s)) return;
    if (s->more)
        deliver(s);
    else if (!s->at_end)
        read_some(s);
    if (s->at_end) finish_input(s);
    update(s);
}

static void on_idle(uv_idle_t *h) { step(h->data); }

static void on_readable(uv_poll_t *h, int status, int events) {
    cc_stdio *s = h->data;
    if (status) s->in.armed = 0; // libuv stopped it; read() will tell why
    (void)events;
    step(s);
}

// ---- output ----

static void lost(cc_stdio *s) {
    if (s->gone) return;
    s->gone = true;
    s->sent = s->pending.n = 0;
    s->events.gone(s->ctx);
}

static void flush(cc_stdio *s) {
    bool any = cc_stdio_pending(s) > 0;
    while (s->sent < s->pending.n && !s->gone) {
        ssize_t done = write(s->out.fd, s->pending.p + s->sent, s->pending.n - s->sent);
        if (done >= 0) {
            s->sent += (size_t)done;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            cc_log(CC_LOG_INFO, "stdout: %s", strerror(errno));
            lost(s);
        }
    }
    if (s->gone) s->sent = s->pending.n = 0; // nobody will ever take it
    if (s->sent == s->pending.n) {
        s->sent = s->pending.n = 0;
        if (s->pending.cap > KEEP_SIZE) cc_buf_free(&s->pending);
        if (any && !s->gone) s->events.drained(s->ctx);
    } else if (s->sent > KEEP_SIZE && s->sent > s->pending.n / 2) {
        cc_buf_consume(&s->pending, s->sent);
        s->sent = 0;
    }
    update(s);
}

static void on_prepare(uv_prepare_t *h) {
    cc_stdio *s = h->data;
    if (cc_stdio_pending(s)) flush(s);
}

static void on_out(uv_poll_t *h, int status, int events) {
    cc_stdio *s = h->data;
    if (status) s->out.armed = 0;
    struct pollfd now = {.fd = s->out.fd};
    // libuv folds a hang-up into whatever was asked for; only poll(2) tells it from the other side's half-close, after which the
    // client still reads.
    if (poll(&now, 1, 0) > 0 && now.revents & (POLLERR | POLLHUP | POLLNVAL)) {
        lost(s);
        update(s);
        return;
    }
    if (status || events & UV_PRIORITIZED) s->watch_hangup = false; // urgent data, which would be reported without end
    flush(s);
}

// Only on a change, because libuv takes the descriptor out of epoll and puts it back each time.
static void arm(end *e, int events, uv_poll_cb cb) {
    if (!e->pollable || e->armed == events) return;
    e->armed = events;
    if (events)
        uv_poll_start(&e->poll, events, cb);
    else
        uv_poll_stop(&e->poll);
}

// Makes the handles that are active the ones that have something to do. Called after every change.
static void update(cc_stdio *s) {
    if (s->closed) return;
    bool reading = may_read(s) && !s->end_told;
    bool at_once = reading && (s->more || s->at_end || !s->in.pollable);
    if (at_once)
        uv_idle_start(&s->idle, on_idle);
    else
        uv_idle_stop(&s->idle);
    arm(&s->in, reading && !at_once ? UV_READABLE : 0, on_readable);
    // UV_PRIORITIZED asks for nothing that a pipe ever has; errors and hang-ups come along with any request.
    int events = (s->sent < s->pending.n ? UV_WRITABLE : 0) | (s->watch_hangup ? UV_PRIORITIZED : 0);
    arm(&s->out, s->gone ? 0 : events, on_out);
}

void cc_stdio_pause(cc_stdio *s, bool paused) {
    if (s->paused == paused) return;
    s->paused = paused;
    update(s);
}

// ---- opening and closing ----

// A pipe or terminal is opened anew, because O_NONBLOCK belongs to the open file, which a shell or a neighbour in the pipeline
// may share; a socket cannot be, so its flags are put back at the end. A pty master must not be: that would make a new terminal.
static int take_fd(int from, int mode, end *e, const char *what, cc_error *err) {
    struct stat st;
    if (fstat(from, &st)) return cc_error_errno(err, "%s", what);
    unsigned master;
    if (S_ISFIFO(st.st_mode) || (S_ISCHR(st.st_mode) && isatty(from) && ioctl(from, TIOCGPTN, &master))) {
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", from);
        e->fd = open(path, mode | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    }
    if (e->fd < 0) e->fd = fcntl(from, F_DUPFD_CLOEXEC, 3);
    if (e->fd < 0 || (e->flags = fcntl(e->fd, F_GETFL)) < 0) return cc_error_errno(err, "%s", what);
    return 0;
}

static int watch_fd(cc_stdio *s, uv_loop_t *loop, end *e, const char *what, cc_error *err) {
    int rc = uv_poll_init(loop, &e->poll, e->fd);
    if (rc == UV_EPERM) return 0; // a file or /dev/null: epoll refuses what is always ready
    if (rc) return cc_error_set(err, CC_INTERNAL, "%s: %s", what, uv_strerror(rc));
    e->pollable = true;
    e->poll.data = s;
    s->handles++;
    return 0;
}

// Descriptor 0 reads nothing from here on, and 1 is where 2 goes; 2 is open, if only onto /dev/null.
static int guard_descriptors(cc_error *err) {
    CC_CLEANUP_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return cc_error_errno(err, "/dev/null");
    if (fcntl(STDERR_FILENO, F_GETFD) < 0 && dup2(null, STDERR_FILENO) < 0) return cc_error_errno(err, "stderr");
    if (dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return cc_error_errno(err, "guarding stdin and stdout");
    return 0;
}

int cc_stdio_open(uv_loop_t *loop, cc_stdio_events events, void *ctx, cc_stdio **out, cc_error *err) {
    cc_stdio *s = cc_malloc(sizeof *s);
    *s = (cc_stdio){.events = events, .ctx = ctx, .in.fd = -1, .out.fd = -1, .watch_hangup = true};
    struct stat st;
    s->is_file = !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode);
    uv_idle_init(loop, &s->idle);
    uv_prepare_init(loop, &s->prepare);
    s->idle.data = s->prepare.data = s;
    s->handles = 2;
    if (take_fd(STDIN_FILENO, O_RDONLY, &s->in, "stdin", err) || take_fd(STDOUT_FILENO, O_WRONLY, &s->out, "stdout", err) ||
        watch_fd(s, loop, &s->in, "stdin", err) || watch_fd(s, loop, &s->out, "stdout", err) || guard_descriptors(err)) {
        cc_stdio_close(s);
        return -1;
    }
    uv_prepare_start(&s->prepare, on_prepare);
    update(s);
    *out = s;
    return 0;
}

static void on_closed(uv_handle_t *h) {
    cc_stdio *s = h->data;
    if (--s->handles) return;
    cc_buf_free(&s->pending);
    free(s->buf);
    free(s);
}

static void release_fd(end *e) {
    if (e->fd < 0) return;
    if (e->pollable) {
        uv_close((uv_handle_t *)&e->poll, on_closed); // takes it out of epoll at once
        if (fcntl(e->fd, F_SETFL, e->flags)) cc_log(CC_LOG_INFO, "restoring descriptor flags: %s", strerror(errno));
    }
    cc_fd_close(&e->fd);
}

void cc_stdio_close(cc_stdio *s) {
    if (s->closed) return;
    s->closed = true;
    uv_close((uv_handle_t *)&s->idle, on_closed);
    uv_close((uv_handle_t *)&s->prepare, on_closed);
    release_fd(&s->in);
    release_fd(&s->out);
}
