// The whole server: loop, stdio, jobs, signals, the parent watch and the rules of ending. Called by main for `serve`; owns all of
// them. One thread; it never waits for anything but the loop.
//
// How it ends:
//   end of input            nothing owed: at once; else calls get GRACE_MS (their own deadlines when stdin is a regular file), are
//                           then cancelled and answered, the answers flushed; status 0
//   SIGTERM, stdout closed, parent gone     at once, with every child; status 0: the client wanted or caused it
//   SIGINT, SIGHUP          at once; status 130 and 129, as a shell expects
// Answers that a client does not read hold the end of input up for as long as it keeps stdout open and lives.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "codecalc/mcp.h"
#include "codecalc/rpc.h"

enum {
    GRACE_MS = 1000,
    QUEUE = 256,     // calls waiting in the job layer
    BUSY = QUEUE,    // calls running or waiting at which reading pauses: a pipelining client is slowed down, not refused
    STUCK_MS = 1000, // paused for this long, reading goes on (a ping or a cancellation may be next); calls over the queue are refused
};

typedef struct server {
    uv_loop_t loop;
    cc_stdio *io;
    cc_jobs *jobs;
    cc_mcp *mcp;
    uv_prepare_t turn;
    uv_timer_t timer;
    int64_t timer_at; // INT64_MAX = not armed
    uv_signal_t signals[3];
    uv_poll_t parent;
    int parent_fd;
    int64_t busy_since; // 0 = not busy
    bool input_ended, stopping;
    int status;
} server;

static void close_handle(void *handle) {
    uv_handle_t *h = handle;
    if (h->loop && !uv_is_closing(h)) uv_close(h, NULL); // loop: it was initialised
}

static void stop(server *s, int status, const char *why) {
    if (s->stopping) return;
    s->stopping = true;
    s->status = status;
    cc_log(CC_LOG_INFO, "ending: %s", why);
    cc_jobs_close(s->jobs);
    if (s->io) cc_stdio_close(s->io);
    close_handle(&s->turn);
    close_handle(&s->timer);
    close_handle(&s->parent);
    for (size_t i = 0; i < CC_ARRAY_LEN(s->signals); i++) close_handle(&s->signals[i]);
}

// ---- the loop's turn: back-pressure and time ----

static void govern(server *s) {
    bool busy = cc_jobs_active(s->jobs) >= BUSY;
    if (!busy) {
        s->busy_since = 0;
        cc_stdio_pause(s->io, false);
        return;
    }
    int64_t now = cc_now_ms();
    if (!s->busy_since) s->busy_since = now;
    // Nobody waits at the other end of a file, so it is read as slowly as it takes.
    cc_stdio_pause(s->io, cc_stdio_input_is_file(s->io) || now - s->busy_since < STUCK_MS);
}

static void on_timer(uv_timer_t *h) {
    server *s = h->data;
    s->timer_at = INT64_MAX;
    cc_mcp_tick(s->mcp, cc_now_ms());
}

static void on_turn(uv_prepare_t *h) {
    server *s = h->data;
    govern(s);
    int64_t next = cc_mcp_next_tick(s->mcp);
    if (s->busy_since && !cc_stdio_input_is_file(s->io)) {
        int64_t stuck = s->busy_since + STUCK_MS, now = cc_now_ms();
        if (stuck > now && stuck < next) next = stuck;
    }
    if (next == s->timer_at) return;
    s->timer_at = next;
    if (next == INT64_MAX) {
        uv_timer_stop(&s->timer);
        return;
    }
    int64_t in = next - cc_now_ms();
    uv_timer_start(&s->timer, on_timer, in > 0 ? (uint64_t)in : 0, 0);
}

// ---- the transport's events ----

static void on_frame(void *ctx, cc_str frame) {
    server *s = ctx;
    cc_mcp_frame(s->mcp, frame);
    govern(s);
}

static void on_oversized(void *ctx) { cc_mcp_oversized(((server *)ctx)->mcp); }

static void end_when_settled(void *ctx) {
    server *s = ctx;
    if (s->input_ended && !cc_mcp_in_flight(s->mcp) && !cc_stdio_pending(s->io)) stop(s, 0, "end of input");
}

static void on_eof(void *ctx) {
    server *s = ctx;
    s->input_ended = true;
    cc_mcp_input_ended(s->mcp, cc_stdio_input_is_file(s->io) ? -1 : GRACE_MS);
    end_when_settled(s);
}

static void on_gone(void *ctx) { stop(ctx, 0, "stdout is closed"); }

static cc_buf *output_buffer(void *ctx) { return cc_stdio_out(((server *)ctx)->io); }

// ---- signals and the parent ----

static void on_signal(uv_signal_t *h, int number) { stop(h->data, number == SIGTERM ? 0 : 128 + number, strsignal(number)); }

static int watch_signals(server *s, cc_error *err) {
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    sigset_t set; // a client may have started us with them blocked
    sigemptyset(&set);
    for (size_t i = 0; i < CC_ARRAY_LEN(numbers); i++) {
        sigaddset(&set, numbers[i]);
        uv_signal_init(&s->loop, &s->signals[i]);
        s->signals[i].data = s;
        int rc = uv_signal_start(&s->signals[i], on_signal, numbers[i]);
        if (rc) return cc_error_set(err, CC_INTERNAL, "watching signals: %s", uv_strerror(rc));
    }
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 0;
}

static void on_parent(uv_poll_t *h, int status, int events) {
    (void)status;
    (void)events;
    stop(h->data, 0, "the parent has ended");
}

// A pidfd of the parent, because PDEATHSIG follows the thread that started us. 0, 1 when the parent has ended already, or -1.
static int watch_parent(server *s, cc_error *err) {
    pid_t parent = getppid();
    if (!parent) return 0; // in a pid namespace of our own, where the parent has no name; the end of input remains
    s->parent_fd = (int)syscall(SYS_pidfd_open, parent, 0);
    if (s->parent_fd < 0 && errno == ESRCH) return 1;
    if (s->parent_fd < 0) return cc_error_errno(err, "watching the parent (pidfd_open)");
    if (getppid() != parent) return 1; // it ended in between, and the number may be another's
    int rc = uv_poll_init(&s->loop, &s->parent, s->parent_fd);
    s->parent.data = s;
    if (!rc) rc = uv_poll_start(&s->parent, UV_READABLE, on_parent);
    return rc ? cc_error_set(err, CC_INTERNAL, "watching the parent: %s", uv_strerror(rc)) : 0;
}

// ---- life ----

static void start(server *s) {
    static const cc_stdio_events events = {on_frame, on_oversized, on_eof, end_when_settled, on_gone};
    cc_error err = {0};
    if (watch_signals(s, &err) || cc_stdio_open(&s->loop, events, s, &s->io, &err)) {
        cc_log(CC_LOG_ERROR, "cannot start: %s", err.msg);
        stop(s, 1, "cannot start");
        return;
    }
    uv_timer_init(&s->loop, &s->timer);
    uv_prepare_init(&s->loop, &s->turn);
    s->timer.data = s->turn.data = s;
    s->timer_at = INT64_MAX;
    uv_prepare_start(&s->turn, on_turn);
    switch (watch_parent(s, &err)) {
    case 1: stop(s, 0, "the parent has ended"); break;
    case -1: cc_log(CC_LOG_WARN, "%s: an end of the client is noticed only by the end of input", err.msg); break;
    }
}

int cc_server_run(const cc_selection *selection, cc_spawner spawner) {
    server s = {.parent_fd = -1};
    signal(SIGPIPE, SIG_IGN); // a closed stdout is an error of write()
    if (prctl(PR_SET_DUMPABLE, 0)) cc_log(CC_LOG_WARN, "the process stays dumpable: %s", strerror(errno));
    int rc = uv_loop_init(&s.loop);
    if (rc) {
        cc_log(CC_LOG_ERROR, "cannot start: %s", uv_strerror(rc));
        return 1; // the spawner sees its socket close
    }
    cc_jobs_limits limits = {.queue = QUEUE, .runs = (unsigned)cc_settings_get()->max_active_runs, .stock = true};
    s.jobs = cc_jobs_new(&s.loop, spawner, limits);
    s.mcp = cc_mcp_new(s.jobs, selection, (cc_mcp_output){output_buffer, &s});
    start(&s);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    assert(s.stopping);
    rc = uv_loop_close(&s.loop);
    assert(rc == 0); // every handle had its end
    cc_mcp_free(s.mcp);
    cc_jobs_free(s.jobs);
    cc_fd_close(&s.parent_fd);
    return s.status;
}
