// Calls: queues, deadlines, cancellation and outcomes. Called by mcp and cli on the server's loop; owns every call from its
// submission to its outcome and, through pool.c, the processes that serve them. Never computes: tools that only look into the
// server's tables (CC_SERVER) run here, everything else in a worker.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "codecalc/job.h"
#include "codecalc/runs.h"
#include "job/background.h"
#include "job/list.h"
#include "job/pool.h"

#define GRACE_MS       100 // between the soft stop and SIGKILL
#define QUEUE_DEFAULT  256
#define SPARE_MS       300000
#define KEPT_ARGUMENTS ((size_t)64 << 10)

struct cc_job {
    cc_link link; // in the list that .at names
    cc_jobs *jobs;
    cc_list *at;
    const cc_tool *tool;
    cc_where where;             // where it is run: the tool's, or for what the server hands on its worker's
    char run_id[CC_RUN_ID + 8]; // of a background run, else ""
    cc_buf arguments;           // empty while a worker took them straight from the caller
    unsigned language;          // for which an interpreter may wait; 0 = none
    unsigned deadline_in;
    int64_t deadline_ms, kill_ms; // of cc_now_ms; kill_ms 0 before the soft stop
    bool cancelled, timed_out;
    cc_worker *worker; // while running
    cc_error error;    // of a deferred call that cannot run; CC_OK = run it (CC_SERVER)
    cc_job_events events;
    void *ctx;
};

struct cc_jobs {
    uv_loop_t *loop;
    cc_pool *pool;
    unsigned limit[CC_JOB_KINDS], queue_limit;
    cc_list queued[CC_JOB_KINDS]; // waiting for a worker, in order
    cc_list running;
    cc_list deferred; // outcome, or run, at the next turn of the loop
    cc_list unused;   // for the next calls
    uv_timer_t timer; // the next soft stop or kill
    int64_t timer_ms; // when, 0 = not armed
    uv_idle_t turn;   // active while something is deferred
    cc_buf body, receipt;
    cc_arena arena;
    cc_runs *runs;
    uint64_t calls;
    bool closing;
};

// ---- a call's life ----

static cc_job *job_new(cc_jobs *jobs) {
    cc_link *k = cc_list_first(&jobs->unused);
    if (k) {
        cc_list_remove(&jobs->unused, k);
        return CC_LIST_ITEM(k, cc_job, link);
    }
    cc_job *job = cc_malloc(sizeof *job);
    *job = (cc_job){.jobs = jobs};
    return job;
}

static void move_to(cc_job *job, cc_list *list) {
    if (job->at) cc_list_remove(job->at, &job->link);
    cc_list_push_back(list, &job->link);
    job->at = list;
}

// The outcome; the job is free for reuse when the caller hears of it.
static void finish(cc_job *job, const cc_outcome *outcome) {
    cc_job_events events = job->events;
    void *ctx = job->ctx;
    job->worker = NULL;
    if (job->arguments.cap > KEPT_ARGUMENTS) cc_buf_free(&job->arguments);
    move_to(job, &job->jobs->unused);
    events.done(ctx, outcome);
}

static void finish_error(cc_job *job, const cc_error *err) {
    cc_jobs *jobs = job->jobs;
    cc_outcome outcome = {.failed = true, .cancelled = job->cancelled, .died = job->worker != NULL};
    jobs->body.n = 0;
    cc_error_write(&jobs->body, err);
    outcome.body = cc_buf_str(&jobs->body);
    finish(job, &outcome);
}

static void explain_cancelled(cc_error *err) {
    cc_error_set(err, CC_TIMEOUT, "the call was cancelled before it finished");
    cc_error_remedy(err, "call again when the result is wanted");
}

static void explain_timeout(const cc_job *job, bool ran, cc_error *err) {
    if (!ran) {
        cc_error_set(err, CC_TIMEOUT, "the call waited %u ms for other calls to finish and never ran", job->deadline_in);
        cc_error_remedy(err, "retry with fewer calls at once");
        return;
    }
    cc_error_set(err, CC_TIMEOUT, "the call did not finish within %u ms and was stopped", job->deadline_in);
    for (const cc_param *p = job->tool->params; p && p->name; p++) {
        if (strncmp(p->name, "timeout", 7) != 0) continue;
        cc_error_remedy(err, "raise '%s', or ask for less at once", p->name);
        return;
    }
    cc_error_remedy(err, "ask for less: smaller numbers, fewer digits, or the problem in parts");
}

static void on_turn(uv_idle_t *h);

// For what must not happen inside the call that causes it.
static void defer(cc_job *job, const cc_error *err) {
    if (err)
        job->error = *err;
    else
        job->error.code = CC_OK;
    move_to(job, &job->jobs->deferred);
    uv_idle_start(&job->jobs->turn, on_turn);
}

// ---- tools of the server itself ----

static void progress_here(cc_call *call, double done, double total, cc_str message) {
    cc_job *job = call->job;
    if (job->events.progress) job->events.progress(job->ctx, done, total, message);
}

static void to_worker(cc_job *job, cc_where where);

static void run_here(cc_job *job) {
    static const volatile sig_atomic_t never;
    cc_jobs *jobs = job->jobs;
    cc_error err;
    const cc_json *object;
    cc_call call = {.tool = job->tool,
                    .arena = &jobs->arena,
                    .deadline_ms = job->deadline_ms,
                    .stop = &never,
                    .progress = progress_here,
                    .runs = jobs->runs,
                    .arguments = cc_buf_str(&job->arguments),
                    .job = job};
    jobs->body.n = jobs->receipt.n = 0;
    bool answered = false;
    if (cc_json_parse(&jobs->arena, cc_buf_str(&job->arguments), CC_JSON_MAX_DEPTH, &object, &err) ||
        cc_args_parse(&jobs->arena, job->tool, object, &call.args, &err))
        cc_error_write(&jobs->body, &err);
    else
        answered = cc_call_run(&call, &jobs->body, &jobs->receipt);
    if (answered && call.handed_on)
        to_worker(job, job->tool->worker);
    else
        finish(job, &(cc_outcome){.body = cc_buf_str(&jobs->body), .receipt = cc_buf_str(&jobs->receipt), .failed = !answered});
    cc_arena_reset(&jobs->arena);
    cc_background_tend(jobs, jobs->runs);
}

static void on_turn(uv_idle_t *h) {
    cc_jobs *jobs = h->data;
    // Only those of now: what their callers submit has its turn later, so that input and output are not starved.
    for (unsigned n = jobs->deferred.n; n && jobs->deferred.n && !jobs->closing; n--) {
        cc_job *job = CC_LIST_ITEM(cc_list_first(&jobs->deferred), cc_job, link);
        if (job->error.code == CC_OK)
            run_here(job);
        else
            finish_error(job, &job->error);
    }
    if (!jobs->deferred.n && !jobs->closing) uv_idle_stop(h);
}

// ---- deadlines: one timer for all calls, set to the next moment at which something is due ----

static void on_timer(uv_timer_t *t);

static void arm(cc_jobs *jobs, int64_t when) {
    if (jobs->timer_ms && jobs->timer_ms <= when) return;
    int64_t now = cc_now_ms();
    jobs->timer_ms = when;
    uv_update_time(jobs->loop); // the timer counts from the loop's idea of now
    uv_timer_start(&jobs->timer, on_timer, when > now ? (uint64_t)(when - now) : 0, 0);
}

static void soft_stop(cc_job *job, int64_t now) {
    job->kill_ms = now + GRACE_MS;
    cc_worker_stop(job->worker);
    arm(job->jobs, job->kill_ms);
}

// A running call at its time: first the soft stop, then the end.
static void expire_running(cc_job *job, int64_t now) {
    if (!job->kill_ms) {
        job->timed_out = true;
        soft_stop(job, now);
        return;
    }
    cc_error err;
    if (job->cancelled)
        explain_cancelled(&err);
    else
        explain_timeout(job, true, &err);
    cc_worker_kill(job->worker);
    finish_error(job, &err);
}

static void pump(cc_jobs *jobs, cc_where where);

static void on_timer(uv_timer_t *t) {
    cc_jobs *jobs = t->data;
    int64_t now = cc_now_ms();
    jobs->timer_ms = 0;
    cc_list *lists[CC_JOB_KINDS + 1] = {&jobs->running, &jobs->queued[CC_SEALED], &jobs->queued[CC_FILES], &jobs->queued[CC_LAUNCHER]};
    for (size_t i = 0; i < CC_ARRAY_LEN(lists); i++) {
        // A finished call leaves its list, and its caller may change the lists: after each one, start over.
        for (cc_link *k = cc_list_first(lists[i]); k && !jobs->closing;) {
            cc_job *job = CC_LIST_ITEM(k, cc_job, link);
            int64_t due = job->kill_ms ? job->kill_ms : job->deadline_ms;
            if (due > now) {
                k = cc_list_next(lists[i], k);
            } else if (i == 0) {
                expire_running(job, now);
                k = cc_list_first(lists[i]);
            } else {
                cc_error err;
                explain_timeout(job, false, &err);
                finish_error(job, &err);
                k = cc_list_first(lists[i]);
            }
        }
    }
    if (jobs->closing) return;
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) pump(jobs, (cc_where)where); // places that the killed have left
    for (size_t i = 0; i < CC_ARRAY_LEN(lists); i++)
        for (cc_link *k = cc_list_first(lists[i]); k; k = cc_list_next(lists[i], k)) {
            const cc_job *job = CC_LIST_ITEM(k, cc_job, link);
            arm(jobs, job->kill_ms ? job->kill_ms : job->deadline_ms);
        }
}

// ---- giving calls to workers ----

static bool run_on_idle(cc_job *job, cc_str arguments) {
    cc_jobs *jobs = job->jobs;
    cc_request_head request = {.tool = (uint32_t)cc_tools_index(job->tool),
                               .deadline_ms = job->deadline_ms,
                               .watched = job->events.output != NULL,
                               .language = job->language};
    memcpy(request.run_id, job->run_id, sizeof request.run_id);
    job->worker = cc_pool_run(jobs->pool, job->where, job, request, arguments);
    if (!job->worker) return false;
    move_to(job, &jobs->running);
    return true;
}

// A worker cannot be had. Calls wait for the ones that are there; when there is none, nobody would ever serve them.
static void cannot_start(cc_jobs *jobs, cc_where where, const cc_error *err) {
    cc_pool_count n = cc_pool_counts(jobs->pool, where);
    if (n.starting + n.idle + n.busy) return;
    for (cc_link *k; (k = cc_list_first(&jobs->queued[where]));) defer(CC_LIST_ITEM(k, cc_job, link), err);
}

// Hands waiting calls to idle workers and asks for as many workers as there are calls left, within the limit.
static void pump(cc_jobs *jobs, cc_where where) {
    cc_list *queue = &jobs->queued[where];
    for (cc_link *k; (k = cc_list_first(queue));) {
        cc_job *job = CC_LIST_ITEM(k, cc_job, link);
        if (!run_on_idle(job, cc_buf_str(&job->arguments))) break;
    }
    for (;;) {
        cc_pool_count n = cc_pool_counts(jobs->pool, where);
        if (n.starting >= queue->n || n.starting + n.idle + n.busy >= jobs->limit[where]) return;
        cc_error err;
        if (cc_pool_start(jobs->pool, where, &err)) {
            cannot_start(jobs, where, &err);
            return;
        }
    }
}

static void to_worker(cc_job *job, cc_where where) {
    job->where = where;
    arm(job->jobs, job->deadline_ms);
    move_to(job, &job->jobs->queued[where]);
    pump(job->jobs, where);
}

// ---- what the pool reports ----

static void on_ready(void *ctx, cc_where where) { pump(ctx, where); }
static void on_refused(void *ctx, cc_where where, const cc_error *err) { cannot_start(ctx, where, err); }

static void on_reply(void *ctx, cc_job *job, cc_code code, cc_str body, cc_str receipt) {
    (void)ctx;
    cc_error err;
    job->worker = NULL;
    if (job->cancelled && code != CC_OK) { // what a tool says that was stopped half-way means less than why
        explain_cancelled(&err);
        finish_error(job, &err);
        return;
    }
    finish(job, &(cc_outcome){.body = body, .receipt = receipt, .failed = code != CC_OK});
}

static void on_progress(void *ctx, cc_job *job, double done, double total, cc_str message) {
    (void)ctx;
    if (job->events.progress) job->events.progress(job->ctx, done, total, message);
}

static void on_output(void *ctx, cc_job *job, double done, cc_str text) {
    (void)ctx;
    if (job->events.output) job->events.output(job->ctx, done, text);
}

static void on_died(void *ctx, cc_job *job, const cc_error *why) {
    (void)ctx;
    cc_error err = *why;
    if (job->cancelled)
        explain_cancelled(&err);
    else if (job->timed_out)
        explain_timeout(job, true, &err);
    finish_error(job, &err);
}

// ---- the public face ----

cc_jobs *cc_jobs_new(uv_loop_t *loop, cc_spawner spawner, cc_jobs_limits limits) {
    unsigned cores = uv_available_parallelism();
    cc_jobs *jobs = cc_malloc(sizeof *jobs);
    *jobs = (cc_jobs){.loop = loop, .queue_limit = limits.queue ? limits.queue : QUEUE_DEFAULT};
    jobs->limit[CC_SEALED] = limits.sealed ? limits.sealed : cores;
    jobs->limit[CC_LAUNCHER] = jobs->limit[CC_FILES] = limits.launchers ? limits.launchers : 2 * cores;
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) cc_list_init(&jobs->queued[where]);
    cc_list_init(&jobs->running);
    cc_list_init(&jobs->deferred);
    cc_list_init(&jobs->unused);
    uv_timer_init(loop, &jobs->timer);
    uv_idle_init(loop, &jobs->turn);
    jobs->timer.data = jobs->turn.data = jobs;
    unsigned launchers = jobs->limit[CC_LAUNCHER];
    jobs->runs = cc_runs_new(limits.runs, launchers > 1 ? launchers / 2 : 1); // the other half is for calls that somebody waits for
    cc_pool_events events = {on_ready, on_refused, on_reply, on_progress, on_output, on_died};
    const cc_pool_limits of_pool = {
        .sealed = jobs->limit[CC_SEALED],
        .launchers = jobs->limit[CC_LAUNCHER],
        .spares = limits.stock && cc_settings_get()->warm ? cores : 0,
        .spare_ms = limits.spare_ms ? limits.spare_ms : SPARE_MS,
        .waiting_kb = cc_settings_get()->warm_mb << 10,
    };
    jobs->pool = cc_pool_new(loop, spawner, of_pool, events, jobs);
    cc_error err; // the first call finds a worker; if there cannot be one, that call says so
    if (cc_pool_start(jobs->pool, CC_SEALED, &err)) cc_log(CC_LOG_WARN, "no worker kept warm: %s", err.msg);
    return jobs;
}

// Calls that wait for others to end; one whose worker is on its way does not.
static unsigned waiting(const cc_jobs *jobs) {
    unsigned n = 0;
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) {
        unsigned queued = jobs->queued[where].n, starting = cc_pool_counts(jobs->pool, (cc_where)where).starting;
        n += queued > starting ? queued - starting : 0;
    }
    return n;
}

cc_job *cc_jobs_submit(cc_jobs *jobs, const cc_tool *tool, cc_str arguments, unsigned language, unsigned deadline_ms, cc_job_events events,
                       void *ctx, cc_error *err) {
    return cc_jobs_start(jobs, tool, tool->where, NULL, arguments, language, deadline_ms, events, ctx, err);
}

cc_job *cc_jobs_start(cc_jobs *jobs, const cc_tool *tool, cc_where where, const char *run_id, cc_str arguments, unsigned language,
                      unsigned deadline_ms, cc_job_events events, void *ctx, cc_error *err) {
    assert(!jobs->closing);
    if (waiting(jobs) >= jobs->queue_limit) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%u calls are already waiting", jobs->queue_limit);
        cc_error_remedy(err, "retry when some of them have been answered");
        return NULL;
    }
    cc_job *job = job_new(jobs);
    job->at = NULL;
    job->tool = tool;
    job->where = where;
    memset(job->run_id, 0, sizeof job->run_id);
    if (run_id) snprintf(job->run_id, sizeof job->run_id, "%s", run_id);
    job->arguments.n = 0;
    job->language = language;
    job->deadline_in = deadline_ms;
    job->deadline_ms = cc_now_ms() + deadline_ms;
    job->kill_ms = 0;
    job->cancelled = job->timed_out = false;
    job->worker = NULL;
    job->events = events;
    job->ctx = ctx;
    jobs->calls++;
    if (where == CC_SERVER) {
        cc_buf_adds(&job->arguments, arguments);
        defer(job, NULL);
        return job;
    }
    arm(jobs, job->deadline_ms);
    // Nobody waits while a worker is idle, so this call is next.
    if (run_on_idle(job, arguments)) return job;
    cc_buf_adds(&job->arguments, arguments);
    move_to(job, &jobs->queued[where]);
    pump(jobs, where);
    return job;
}

void cc_job_cancel(cc_job *job) {
    cc_jobs *jobs = job->jobs;
    if (job->cancelled || jobs->closing) return;
    job->cancelled = true;
    if (job->at == &jobs->running) {
        if (!job->kill_ms) soft_stop(job, cc_now_ms());
        return;
    }
    cc_error err;
    explain_cancelled(&err);
    defer(job, &err);
}

size_t cc_jobs_active(const cc_jobs *jobs) {
    size_t n = jobs->running.n + jobs->deferred.n;
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) n += jobs->queued[where].n;
    return n;
}

void cc_jobs_close(cc_jobs *jobs) {
    if (jobs->closing) return;
    jobs->closing = true;
    cc_pool_close(jobs->pool);
    uv_close((uv_handle_t *)&jobs->timer, NULL);
    uv_close((uv_handle_t *)&jobs->turn, NULL);
}

static void free_list(cc_list *list) {
    for (cc_link *k; (k = cc_list_first(list));) {
        cc_job *job = CC_LIST_ITEM(k, cc_job, link);
        cc_list_remove(list, k);
        cc_buf_free(&job->arguments);
        free(job);
    }
}

void cc_jobs_free(cc_jobs *jobs) {
    if (!jobs) return;
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) free_list(&jobs->queued[where]);
    free_list(&jobs->running);
    free_list(&jobs->deferred);
    free_list(&jobs->unused);
    cc_pool_free(jobs->pool);
    cc_runs_free(jobs->runs);
    cc_buf_free(&jobs->body);
    cc_buf_free(&jobs->receipt);
    cc_arena_free(&jobs->arena);
    free(jobs);
}

cc_jobs_stats cc_jobs_get_stats(const cc_jobs *jobs) {
    cc_pool_count sealed = cc_pool_counts(jobs->pool, CC_SEALED), files = cc_pool_counts(jobs->pool, CC_FILES),
                  launchers = cc_pool_counts(jobs->pool, CC_LAUNCHER);
    cc_jobs_stats stats = {.sealed_idle = sealed.idle,
                           .sealed_busy = sealed.busy,
                           .spares = launchers.idle,
                           .calls = jobs->calls,
                           .replaced = cc_pool_replaced(jobs->pool),
                           .died = cc_pool_died(jobs->pool)};
    uint64_t kb;
    stats.others =
        cc_pool_waiting(jobs->pool, &kb) + files.starting + files.idle + files.busy + launchers.starting + launchers.idle + launchers.busy;
    for (unsigned where = 0; where < CC_JOB_KINDS; where++) stats.queued += jobs->queued[where].n;
    return stats;
}
