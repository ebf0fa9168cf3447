// A job layer without processes, for the tests of mcp: it defines cc_jobs_* itself, so the linker takes these. The test ends each
// job by hand (fake_finish), or, with fake_start_timer, jobs end by the clock: after the "ms" of their arguments, or when
// cancelled.
#ifndef FAKE_JOBS_H
#define FAKE_JOBS_H

#include <stdio.h>
#include <stdlib.h>

#include "codecalc/job.h"

enum { FAKE_MAX = 1024 };

struct cc_job {
    const cc_tool *tool;
    char *arguments;
    unsigned deadline_ms;
    cc_job_events events;
    void *ctx;
    int cancelled; // how often
    int64_t due;
};

struct cc_jobs {
    uv_loop_t *loop;
    uv_timer_t timer;
    bool timed, closed;
    cc_job *job[FAKE_MAX];
    size_t n, limit;
    size_t submitted;
};

static cc_jobs fake = {.limit = FAKE_MAX};

static void fake_finish(cc_job *job, const char *body, const char *receipt, bool failed) {
    size_t i = 0;
    while (fake.job[i] != job) i++;
    fake.job[i] = fake.job[--fake.n];
    cc_outcome outcome = {cc_str_of(body), cc_str_of(receipt), failed, job->cancelled > 0};
    job->events.done(job->ctx, &outcome);
    free(job->arguments);
    free(job);
}

static void fake_on_timer(uv_timer_t *t) {
    (void)t;
    int64_t now = cc_now_ms();
    for (size_t i = 0; i < fake.n;) {
        cc_job *job = fake.job[i];
        if (job->cancelled)
            fake_finish(job, "{\"ok\":false,\"code\":\"timeout\",\"error\":\"cancelled\"}", "", true);
        else if (job->due <= now)
            fake_finish(job, "{\"ok\":true}", "", false);
        else
            i++;
    }
    if (!fake.n) uv_timer_stop(&fake.timer);
}

cc_jobs *cc_jobs_new(uv_loop_t *loop, cc_spawner spawner, cc_jobs_limits limits) {
    (void)spawner;
    (void)limits;
    fake.loop = loop;
    fake.timed = true;
    uv_timer_init(loop, &fake.timer);
    return &fake;
}

cc_job *cc_jobs_submit(cc_jobs *jobs, const cc_tool *tool, cc_str arguments, unsigned language, unsigned deadline_ms, cc_job_events events,
                       void *ctx, cc_error *err) {
    (void)language;
    if (jobs->n >= jobs->limit) return cc_error_set(err, CC_RESOURCE_EXHAUSTED, "256 calls are waiting already"), NULL;
    cc_job *job = cc_malloc(sizeof *job);
    *job = (cc_job){.tool = tool, .arguments = strndup(arguments.p, arguments.n), .deadline_ms = deadline_ms, .events = events, .ctx = ctx};
    const char *ms = strstr(job->arguments, "\"ms\":");
    job->due = cc_now_ms() + (ms ? atoi(ms + 5) : 0);
    jobs->job[jobs->n++] = job;
    jobs->submitted++;
    if (jobs->timed && jobs->n == 1) uv_timer_start(&jobs->timer, fake_on_timer, 1, 1);
    return job;
}

void cc_job_cancel(cc_job *job) { job->cancelled++; }
size_t cc_jobs_active(const cc_jobs *jobs) { return jobs->n; }

void cc_jobs_close(cc_jobs *jobs) {
    jobs->closed = true;
    if (jobs->timed) uv_close((uv_handle_t *)&jobs->timer, NULL);
    while (jobs->n) {
        cc_job *job = jobs->job[--jobs->n];
        free(job->arguments);
        free(job);
    }
}

void cc_jobs_free(cc_jobs *jobs) { (void)jobs; }
cc_jobs_stats cc_jobs_get_stats(const cc_jobs *jobs) { return (cc_jobs_stats){.queued = (unsigned)jobs->n}; }

// ---- a table of tools ----

static const cc_param fake_params[] = {
    {"ms", CC_INT, .min = 0, .max = 100000, .doc = "how long it takes"},
    {"text", CC_STRING, .doc = "anything"},
    {0},
};
static const cc_tool fake_quick = {.name = "calc_exact", .group = CC_CALCULATOR, .title = "Quick", .doc = "Quick.", .params = fake_params};
static const cc_tool fake_slow = {.name = "execute_code",
                                  .group = CC_EXECUTION,
                                  .title = "Slow",
                                  .doc = "Slow.",
                                  .where = CC_LAUNCHER,
                                  .timeout_ms = 45000,
                                  .params = fake_params};
const cc_tool *const cc_tools[] = {&fake_quick, &fake_slow, NULL};

#endif
