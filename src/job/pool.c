// The worker processes as the server sees them. Called by jobs.c on the server's loop; owns the spawner, every worker's socket,
// pidfd and poll handles. Never blocks, never waits for any child but the one whose pidfd says that it ended.
//
// A worker is kept for the next call when it is CC_SEALED and its call succeeded or was refused as bad or too large input
// (validation, resource_exhausted: the tool came back in order, having computed nothing it could not bound). It is replaced after
// any other error, after a soft stop, after 1 000 calls, and when its memory ever grew by more than 64 MiB. Replacing is SIGKILL:
// a worker between two calls has nothing to put in order.
//
// CC_LAUNCHER workers serve one call, but from the first such call on some are kept in stock, each with the sandbox of its call already
// made. They are used in the order in which they came, topped up when a call has ended, and given up when none was used for a while.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job/pool_inside.h"
#include "job/seal.h"

#define CALLS_MAX     1000 // of one worker; bounds what slow leaks and fragmentation in the libraries can add up to
#define REPLACE_AHEAD 16   // calls before that, its replacement is ordered, and takes over when it is there
#define GROWTH_MAX_KB (64u << 10)
#define SCRATCH       ((size_t)64 << 10)
#define KEPT_BUFFER   ((size_t)256 << 10)

static cc_list *list_of(cc_worker *w) { return &w->pool->workers[w->where][w->state]; }

static void set_state(cc_worker *w, worker_state state) {
    cc_list_remove(list_of(w), &w->link);
    w->state = state;
    if (w->where == CC_SEALED)
        cc_list_push_front(list_of(w), &w->link); // the worker used last is taken first: its caches are warm
    else
        cc_list_push_back(list_of(w), &w->link);
}

static int pidfd_signal(int pidfd, int sig) { return (int)syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0); }

// ---- ending ----

static void worker_free(cc_worker *w) {
    assert(!w->handles && w->fd < 0 && w->pidfd < 0);
    cc_list_remove(list_of(w), &w->link);
    cc_buf_free(&w->in);
    cc_buf_free(&w->out);
    free(w);
}

static void on_handle_closed(uv_handle_t *h) {
    cc_worker *w = h->data;
    if (--w->handles == 0 && w->pidfd < 0) worker_free(w);
}

static void close_socket(cc_worker *w) {
    if (w->fd < 0) return;
    if (w->handles) uv_close((uv_handle_t *)&w->socket_poll, on_handle_closed); // first: libuv must not poll a closed descriptor
    cc_fd_close(&w->fd);
}

// Takes the worker out of service for good; on_exit_ready reaps it.
static void retire(cc_worker *w) {
    if (w->state == ENDING) return;
    w->job = NULL;
    pidfd_signal(w->pidfd, SIGKILL);
    close_socket(w);
    set_state(w, ENDING);
}

// The same for a launcher without a call: it has a sandbox to put away, ends at the end of its stream, and leaves no child to others.
void cc_worker_dismiss(cc_worker *w) {
    w->job = NULL;
    close_socket(w);
    set_state(w, ENDING);
}

void cc_pool_end_programs(cc_pool *pool, const cc_error *why) {
    const cc_list *busy = &pool->workers[CC_LAUNCHER][BUSY];
    for (cc_link *k = cc_list_first(busy); k; k = cc_list_next(busy, k)) {
        cc_worker *w = CC_LIST_ITEM(k, cc_worker, link);
        w->reason = *why;
        pidfd_signal(w->pidfd, SIGKILL);
    }
}

static void on_unused(uv_timer_t *t) {
    cc_pool *pool = t->data;
    for (cc_link *k; (k = cc_list_first(&pool->workers[CC_LAUNCHER][IDLE]));) cc_worker_dismiss(CC_LIST_ITEM(k, cc_worker, link));
}

// After a worker that had served: the next call should find one ready.
static void keep_warm(cc_pool *pool, cc_where where) {
    cc_pool_count n = cc_pool_counts(pool, where);
    unsigned ready = n.starting + n.idle, wanted = 0, room = n.busy < pool->limits.launchers ? pool->limits.launchers - n.busy : 0;
    if (pool->closing) return;
    if (where == CC_SEALED) wanted = n.busy < pool->limits.sealed ? 1 : 0;
    if (where == CC_LAUNCHER) {
        wanted = room < pool->limits.spares ? room : pool->limits.spares;
        uv_timer_start(&pool->unused, on_unused, pool->limits.spare_ms, 0);
    }
    cc_error err = {0};
    for (; ready < wanted; ready++)
        if (cc_pool_start(pool, where, &err)) {
            cc_log(CC_LOG_WARN, "no worker kept warm: %s", err.msg);
            return;
        }
}

static bool is_old(const cc_worker *w) { return w->calls >= CALLS_MAX - REPLACE_AHEAD; }

// True for a worker that has served enough, or nearly, with its replacement there.
static bool is_worn(const cc_worker *w) {
    cc_pool_count n = cc_pool_counts(w->pool, CC_SEALED);
    return w->calls >= CALLS_MAX || (is_old(w) && (n.idle || n.busy > w->pool->limits.sealed));
}

// ---- reading ----

static void handle_reply(cc_worker *w, const cc_frame_head *head, cc_str body, cc_str receipt) {
    cc_pool *pool = w->pool;
    cc_job *job = w->job;
    cc_where where = w->where;
    w->job = NULL;
    w->calls++;
    bool in_order = head->code == CC_OK || head->code == CC_VALIDATION || head->code == CC_RESOURCE_EXHAUSTED;
    if (where == CC_SEALED && in_order && !w->stopped && !w->out.n && !is_worn(w) && head->grown_kb <= GROWTH_MAX_KB) {
        set_state(w, IDLE);
        cc_error err; // a failure shows when the worker is really needed
        if (w->calls == CALLS_MAX - REPLACE_AHEAD) cc_pool_start(pool, CC_SEALED, &err);
    } else if (where == CC_LAUNCHER) {
        cc_worker_dismiss(w);
    } else {
        retire(w);
        if (where == CC_SEALED) pool->replaced++;
        keep_warm(pool, where);
    }
    // First the next request, then what the caller does with this reply: the two then run side by side.
    pool->events.ready(pool->ctx, where);
    pool->events.reply(pool->ctx, job, (cc_code)head->code, body, receipt);
    if (where != CC_LAUNCHER) return;
    // Nobody waits for what comes now.
    keep_warm(pool, where);
    if (head->language) cc_waiting_keep(pool, head->language);
}

// False when no worker of ours would have sent this frame now.
static bool handle_frame(cc_worker *w, const cc_frame_head *head, cc_str body, cc_str receipt) {
    switch ((cc_frame_type)head->type) {
    case CC_FRAME_REPLY:
        if (!w->job) return false;
        handle_reply(w, head, body, receipt);
        return true;
    case CC_FRAME_PROGRESS:
        if (!w->job) return false;
        w->pool->events.progress(w->pool->ctx, w->job, head->done, head->total, body);
        return true;
    case CC_FRAME_OUTPUT:
        if (!w->job) return false;
        w->pool->events.output(w->pool->ctx, w->job, head->done, body);
        return true;
    case CC_FRAME_HOLDS:
        if (!w->language) return false;
        w->holds_kb = head->grown_kb;
        if (w->state == WAITING) cc_waiting_bound(w);
        return true;
    case CC_FRAME_FATAL: cc_error_set(&w->reason, (cc_code)head->code, "%.*s", (int)body.n, body.p); return true;
    }
    return false;
}

// Handles every whole frame at the start of data. Returns the bytes used, or -1 for a stream that makes no sense; *need is the
// size of the frame that is not complete yet. Stops when the worker is taken out of service by what it said.
static ssize_t handle_frames(cc_worker *w, cc_str data, size_t *need) {
    size_t used = 0;
    cc_frame_head head;
    *need = sizeof head;
    while (w->fd >= 0 && data.n - used >= sizeof head) {
        memcpy(&head, data.p + used, sizeof head);
        if (!cc_frame_head_valid(&head)) return -1;
        size_t size = cc_frame_size(&head);
        if (data.n - used < size) {
            *need = size;
            break;
        }
        const char *body = data.p + used + sizeof head;
        if (!handle_frame(w, &head, (cc_str){body, head.body}, (cc_str){body + head.body, head.receipt})) return -1;
        used += size;
    }
    return (ssize_t)used;
}

// A stream that ended or broke: the process is on its way out, or has to be; on_exit_ready reads what is left and says how it ended.
static void stream_ended(cc_worker *w) {
    cc_pool *pool = w->pool;
    uv_poll_stop(&w->socket_poll);
    if (w->state == BUSY) {
        pidfd_signal(w->pidfd, SIGKILL); // without effect on how an already dying process ends
        return;
    }
    // Idle: no call may be given to it any more. It is not replaced by itself: if it could not even start, neither can the next.
    cc_log(CC_LOG_WARN, "an idle worker ended: %s", w->reason.code != CC_OK ? w->reason.msg : "it closed its socket");
    pool->died++;
    retire(w);
}

// One read. False at the end of the stream, when nothing is there, or when the worker was taken out of service.
static bool read_once(cc_worker *w) {
    cc_pool *pool = w->pool;
    size_t need;
    bool collecting = w->in.n > 0;
    char *into = collecting ? w->in.p + w->in.n : pool->scratch;
    ssize_t got = recv(w->fd, into, collecting ? w->in.cap - w->in.n : SCRATCH, 0);
    if (got < 0) return errno == EINTR;
    if (got == 0) return false;
    if (collecting) w->in.n += (size_t)got;
    cc_str data = collecting ? cc_buf_str(&w->in) : (cc_str){pool->scratch, (size_t)got};
    ssize_t used = handle_frames(w, data, &need);
    if (w->fd < 0) return false;
    if (used < 0) {
        cc_error_set(&w->reason, CC_INTERNAL, "the worker sent something that is not a reply");
        stream_ended(w);
        return false;
    }
    if (collecting) {
        cc_buf_consume(&w->in, (size_t)used);
        if (!w->in.n && w->in.cap > KEPT_BUFFER) cc_buf_free(&w->in);
    } else {
        cc_buf_add(&w->in, data.p + used, data.n - (size_t)used);
    }
    if (w->in.n) cc_buf_reserve(&w->in, need - w->in.n); // never zero: what is there is less than a frame
    return true;
}

static void poll_socket(cc_worker *w);

static void write_rest(cc_worker *w) {
    ssize_t n = send(w->fd, w->out.p + w->out_at, w->out.n - w->out_at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n > 0) w->out_at += (size_t)n;
    if (n > 0 && w->out_at < w->out.n) return;
    cc_buf_free(&w->out); // written, or the worker died and on_exit_ready follows
    w->out_at = 0;
    poll_socket(w);
}

static void on_socket(uv_poll_t *h, int status, int events) {
    cc_worker *w = h->data;
    if (status < 0) { // libuv has stopped polling: the other end is closed with a request unread
        stream_ended(w);
        return;
    }
    if (w->out.n && (events & UV_WRITABLE)) write_rest(w);
    if (!(events & UV_READABLE)) return;
    char probe;
    if (read_once(w) || w->fd < 0) return;
    if (recv(w->fd, &probe, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN) return;
    stream_ended(w);
}

static void poll_socket(cc_worker *w) { uv_poll_start(&w->socket_poll, UV_READABLE | (w->out.n ? UV_WRITABLE : 0), on_socket); }

// ---- exit ----

static void explain_exit(const cc_worker *w, const siginfo_t *how, cc_error *err) {
    static const char next_call[] = "the next call gets a fresh worker; if the same call fails again, simplify its input and report it";
    if (w->reason.code != CC_OK) {
        *err = w->reason;
        if (how->si_status == CC_EXIT_SEAL)
            cc_error_remedy(err, "this kernel or container must allow seccomp filters; `codecalc doctor` says what it found");
        else if (!err->remedy[0])
            cc_error_remedy(err, "%s", next_call);
    } else if (how->si_code == CLD_EXITED && how->si_status == CC_EXIT_OOM) {
        if (w->where == CC_LAUNCHER)
            cc_error_set(err, CC_RESOURCE_EXHAUSTED, "the call needed more memory than is free");
        else
            cc_error_set(err, CC_RESOURCE_EXHAUSTED, "the call needed more than its %zu MB of memory", CC_SEALED_MEMORY >> 20);
        cc_error_remedy(err, "ask for less: smaller numbers, fewer digits, a simpler expression");
    } else if (how->si_code == CLD_EXITED) {
        cc_error_set(err, CC_INTERNAL, "the worker ended by itself with status %d", how->si_status);
        cc_error_remedy(err, "%s", next_call);
    } else {
        const char *name = sigabbrev_np(how->si_status);
        cc_error_set(err, CC_INTERNAL, "the worker was killed by SIG%s", name ? name : "?");
        if (how->si_status == SIGKILL)
            cc_error_remedy(err, "the machine may be out of memory: free some, or ask for less");
        else
            cc_error_remedy(err, "%s", next_call);
    }
}

static void on_exit_ready(uv_poll_t *h, int status, int events) {
    (void)status;
    (void)events;
    cc_worker *w = h->data;
    cc_pool *pool = w->pool;
    w->stopped = true;                           // a reply read now must not make it serve again
    while (w->fd >= 0 && read_once(w)) continue; // what it said before it ended still counts
    siginfo_t how = {0};
    if (waitid(P_PIDFD, (id_t)w->pidfd, &how, WEXITED | WNOHANG) == 0 && how.si_pid == 0) return; // not yet
    uv_close((uv_handle_t *)&w->pidfd_poll, on_handle_closed);
    cc_fd_close(&w->pidfd);
    close_socket(w);
    if (w->state == ENDING) return;
    cc_job *job = w->job;
    w->job = NULL;
    set_state(w, ENDING);
    pool->died++;
    cc_error err;
    explain_exit(w, &how, &err);
    if (!job) { // idle; see stream_ended, which mostly comes first
        cc_log(CC_LOG_WARN, "an idle worker ended: %s", err.msg);
        return;
    }
    keep_warm(pool, w->where);
    pool->events.ready(pool->ctx, w->where);
    pool->events.died(pool->ctx, job, &err);
}

// ---- starting ----

static cc_worker *worker_new(cc_pool *pool, cc_where where, unsigned language, int fd) {
    cc_worker *w = cc_malloc(sizeof *w);
    *w = (cc_worker){.pool = pool, .where = where, .language = language, .id = pool->next_id++, .fd = fd, .pidfd = -1};
    w->state = language ? COMING : STARTING;
    w->socket_poll.data = w->pidfd_poll.data = w;
    cc_list_push_back(list_of(w), &w->link);
    return w;
}

static int explain_spawner_gone(cc_error *err) {
    cc_error_set(err, CC_INTERNAL, "the process that starts workers has ended");
    return cc_error_remedy(err, "restart the server");
}

int cc_pool_start_with(cc_pool *pool, cc_where where, unsigned language, cc_error *err) {
    assert(where < CC_JOB_KINDS);
    if (pool->spawner_gone) return explain_spawner_gone(err);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
        cc_error_errno(err, "cannot make a worker's socket");
        err->code = CC_RESOURCE_EXHAUSTED;
        return cc_error_remedy(err, "run fewer calls at once, or raise the limit of open files (ulimit -n)");
    }
    CC_CLEANUP_FD int ours = pair[0], theirs = pair[1];
    cc_spawn_request request = {.id = pool->next_id, .where = where, .language = language};
    if (cc_fd_set_nonblock(ours, true) || cc_packet_send(pool->spawner.socket, &request, sizeof request, theirs) < 0) {
        cc_error_errno(err, "cannot ask for a worker");
        return cc_error_remedy(err, "retry; if it fails again, restart the server");
    }
    worker_new(pool, where, language, cc_fd_steal(&ours));
    return 0;
}

int cc_pool_start(cc_pool *pool, cc_where where, cc_error *err) { return cc_pool_start_with(pool, where, 0, err); }

static cc_worker *find_starting(cc_pool *pool, uint64_t id) {
    for (unsigned i = 0; i < 2 * CC_JOB_KINDS; i++) {
        const cc_list *l = &pool->workers[i / 2][i % 2 ? COMING : STARTING];
        for (cc_link *k = cc_list_first(l); k; k = cc_list_next(l, k))
            if (CC_LIST_ITEM(k, cc_worker, link)->id == id) return CC_LIST_ITEM(k, cc_worker, link);
    }
    return NULL;
}

// The one whose replacement has just come, when it is not serving right now (else handle_reply does it).
static void retire_old(cc_pool *pool) {
    const cc_list *idle = &pool->workers[CC_SEALED][IDLE];
    for (cc_link *k = cc_list_first(idle); k; k = cc_list_next(idle, k)) {
        if (!is_old(CC_LIST_ITEM(k, cc_worker, link))) continue;
        pool->replaced++;
        retire(CC_LIST_ITEM(k, cc_worker, link));
        return;
    }
}

static void worker_started(cc_worker *w, int pidfd) {
    cc_pool *pool = w->pool;
    w->pidfd = pidfd;
    // Cannot fail on a pollable descriptor that libuv has not seen before.
    if (uv_poll_init(pool->loop, &w->pidfd_poll, w->pidfd) || uv_poll_init(pool->loop, &w->socket_poll, w->fd)) abort();
    w->handles = 2;
    uv_poll_start(&w->pidfd_poll, UV_READABLE, on_exit_ready);
    if (pool->closing) {
        retire(w);
        return;
    }
    if (w->where == CC_SEALED) retire_old(pool);
    poll_socket(w);
    if (w->language) {
        set_state(w, WAITING);
        cc_waiting_came(pool);
        return;
    }
    set_state(w, IDLE);
    pool->events.ready(pool->ctx, w->where);
    // A one-call worker whose call was cancelled meanwhile.
    bool spare = w->where == CC_SEALED || (w->where == CC_LAUNCHER && pool->workers[CC_LAUNCHER][IDLE].n <= pool->limits.spares);
    if (w->state == IDLE && !spare) retire(w);
}

static void worker_refused(cc_worker *w, const cc_error *err) {
    cc_pool *pool = w->pool;
    cc_where where = w->where;
    bool extra = w->language;
    cc_fd_close(&w->fd);
    worker_free(w);
    if (!pool->closing && !extra) pool->events.refused(pool->ctx, where, err);
}

static void on_spawner_gone(cc_pool *pool) {
    pool->spawner_gone = true;
    uv_close((uv_handle_t *)&pool->spawner_poll, NULL);
    cc_fd_close(&pool->spawner.socket);
    if (!pool->closing) cc_log(CC_LOG_ERROR, "the spawner ended; no further worker can be started");
    cc_error err;
    explain_spawner_gone(&err);
    for (unsigned where = 0; where < CC_JOB_KINDS; where++)
        for (worker_state state = STARTING; state <= COMING; state++)
            for (cc_link *k; (k = cc_list_first(&pool->workers[where][state]));) worker_refused(CC_LIST_ITEM(k, cc_worker, link), &err);
}

static void on_spawner(uv_poll_t *h, int status, int events) {
    (void)status;
    (void)events;
    cc_pool *pool = h->data;
    for (;;) { // to the end: after an error libuv would not call again
        cc_spawn_answer a;
        int pidfd;
        ssize_t n = cc_packet_receive(pool->spawner.socket, &a, sizeof a, &pidfd);
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0 && errno == ECONNRESET) continue; // it ended with a request unread; its answers come first, then the end
        cc_worker *w = n == sizeof a ? find_starting(pool, a.id) : NULL;
        if (!w) {
            cc_fd_close(&pidfd);
            on_spawner_gone(pool);
            return;
        }
        if (pidfd >= 0) {
            worker_started(w, pidfd);
            continue;
        }
        cc_error err;
        cc_error_set(&err, CC_RESOURCE_EXHAUSTED, "cannot start a process: %s", strerror(a.error ? a.error : EMFILE));
        cc_error_remedy(&err, "run fewer calls at once, or raise the limits of processes and open files (ulimit -u, ulimit -n)");
        worker_refused(w, &err);
    }
}

static void on_spawner_exit(uv_poll_t *h, int status, int events) {
    (void)status;
    (void)events;
    cc_pool *pool = h->data;
    siginfo_t how = {0};
    if (waitid(P_PIDFD, (id_t)pool->spawner.pidfd, &how, WEXITED | WNOHANG) == 0 && how.si_pid == 0) return;
    uv_close((uv_handle_t *)&pool->spawner_exit, NULL);
    cc_fd_close(&pool->spawner.pidfd);
}

// ---- the rest of the face ----

cc_pool *cc_pool_new(uv_loop_t *loop, cc_spawner spawner, cc_pool_limits limits, cc_pool_events events, void *ctx) {
    cc_pool *pool = cc_malloc(sizeof *pool);
    *pool = (cc_pool){.loop = loop, .events = events, .ctx = ctx, .spawner = spawner, .limits = limits, .scratch = cc_malloc(SCRATCH)};
    for (unsigned where = 0; where < CC_JOB_KINDS; where++)
        for (unsigned state = 0; state < STATES; state++) cc_list_init(&pool->workers[where][state]);
    pool->spawner_poll.data = pool->spawner_exit.data = pool;
    cc_watches_of(pool);
    if (cc_fd_set_nonblock(spawner.socket, true) || uv_poll_init(loop, &pool->spawner_poll, spawner.socket) ||
        uv_poll_init(loop, &pool->spawner_exit, spawner.pidfd))
        abort(); // two good descriptors that libuv has not seen before
    uv_timer_init(loop, &pool->unused);
    uv_timer_init(loop, &pool->waiting.unused);
    pool->unused.data = pool->waiting.unused.data = pool;
    uv_poll_start(&pool->spawner_poll, UV_READABLE, on_spawner);
    uv_poll_start(&pool->spawner_exit, UV_READABLE, on_spawner_exit);
    return pool;
}

cc_pool_count cc_pool_counts(const cc_pool *pool, cc_where where) {
    const cc_list *l = pool->workers[where];
    return (cc_pool_count){l[STARTING].n, l[IDLE].n, l[BUSY].n};
}

// The one that is right for a call; NULL when it has to wait.
static cc_worker *pick(const cc_pool *pool, cc_where where, unsigned language) {
    const cc_list *waiting = &pool->workers[where][WAITING];
    if (where == CC_LAUNCHER && cc_pool_counts(pool, where).busy >= pool->limits.launchers) return NULL;
    for (cc_link *k = language ? cc_list_first(waiting) : NULL; k; k = cc_list_next(waiting, k))
        if (CC_LIST_ITEM(k, cc_worker, link)->language == language) return CC_LIST_ITEM(k, cc_worker, link);
    cc_link *k = cc_list_first(&pool->workers[where][IDLE]);
    return k ? CC_LIST_ITEM(k, cc_worker, link) : NULL;
}

uint64_t cc_pool_replaced(const cc_pool *pool) { return pool->replaced; }
uint64_t cc_pool_died(const cc_pool *pool) { return pool->died; }

cc_worker *cc_pool_run(cc_pool *pool, cc_where where, cc_job *job, cc_request_head head, cc_str arguments) {
    cc_worker *w = pick(pool, where, head.language);
    if (!w) return NULL;
    if (where == CC_LAUNCHER) uv_timer_start(&pool->unused, on_unused, pool->limits.spare_ms, 0);
    set_state(w, BUSY);
    w->job = job;
    head.magic = CC_REQUEST_MAGIC;
    head.n = arguments.n;
    struct iovec v[] = {{&head, sizeof head}, {(void *)(uintptr_t)arguments.p, arguments.n}};
    struct msghdr msg = {.msg_iov = v, .msg_iovlen = CC_ARRAY_LEN(v)};
    ssize_t n = sendmsg(w->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return w; // it died; on_exit_ready follows
    size_t sent = n < 0 ? 0 : (size_t)n;
    if (sent == sizeof head + arguments.n) return w;
    if (sent < sizeof head) cc_buf_add(&w->out, (const char *)&head + sent, sizeof head - sent);
    size_t skipped = sent < sizeof head ? 0 : sent - sizeof head;
    cc_buf_add(&w->out, arguments.p + skipped, arguments.n - skipped);
    poll_socket(w);
    return w;
}

void cc_worker_stop(cc_worker *w) {
    w->stopped = true;
    pidfd_signal(w->pidfd, SIGALRM);
}

void cc_worker_kill(cc_worker *w) {
    cc_pool *pool = w->pool;
    cc_where where = w->where;
    retire(w);
    if (where == CC_SEALED) pool->replaced++;
    keep_warm(pool, where);
}

void cc_pool_close(cc_pool *pool) {
    if (pool->closing) return;
    pool->closing = true;
    uv_close((uv_handle_t *)&pool->unused, NULL);
    uv_close((uv_handle_t *)&pool->waiting.unused, NULL);
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) {
        for (unsigned state = IDLE; state <= BUSY; state++)
            for (cc_link *k; (k = cc_list_first(&pool->workers[where][state]));) retire(CC_LIST_ITEM(k, cc_worker, link));
        for (cc_link *k = cc_list_first(&pool->workers[where][ENDING]); k; k = cc_list_next(&pool->workers[where][ENDING], k))
            pidfd_signal(CC_LIST_ITEM(k, cc_worker, link)->pidfd, SIGKILL); // without effect on those that have ended
        // One on its way ends at the end of its stream; when the spawner had no time left to name it, it is not reaped before
        // the server ends.
    }
    if (pool->spawner.pidfd >= 0) pidfd_signal(pool->spawner.pidfd, SIGKILL);
}

void cc_pool_free(cc_pool *pool) {
    assert(pool->closing && pool->spawner_gone && pool->spawner.pidfd < 0);
    cc_watches_of(NULL);
    free(pool->scratch);
    free(pool);
}
