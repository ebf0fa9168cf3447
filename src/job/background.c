// Background runs as jobs whose calls are not open: starts, stops and ends them as the table says. Called by jobs.c on the server's loop.
// Owns nothing: the table owns the runs, jobs.c the jobs.
#include "job/background.h"

static void on_done(void *ctx, const cc_outcome *outcome) {
    cc_run *r = ctx;
    cc_runs *runs = r->runs;
    cc_jobs *jobs = r->owner;
    r->cancelled = outcome->cancelled;
    cc_runs_end(runs, r, outcome->body, outcome->receipt, !outcome->died);
    cc_background_tend(jobs, runs);
}

static void on_output(void *ctx, double done, cc_str text) {
    if (done > 0)
        cc_run_printed(ctx, text);
    else
        cc_run_began(ctx);
}

static int start(cc_jobs *jobs, cc_runs *runs, cc_run *r, cc_error *err) {
    const cc_tool *tool = cc_tools[r->tool];
    cc_job_events events = {.done = on_done, .output = on_output};
    r->owner = jobs;
    cc_job *job = cc_jobs_start(jobs, tool, tool->worker, r->id, cc_buf_str(&r->arguments), 0, r->deadline_ms, events, r, err);
    if (!job) return -1;
    cc_runs_started(runs, r, job);
    return 0;
}

static void end_unstarted(cc_runs *runs, cc_run *r, const cc_error *err) {
    CC_CLEANUP_BUF cc_buf body = {0};
    cc_error_write(&body, err);
    cc_runs_end(runs, r, cc_buf_str(&body), (cc_str){0}, true);
}

void cc_background_tend(cc_jobs *jobs, cc_runs *runs) {
    cc_error err;
    for (cc_run *r; (r = cc_runs_next(runs));)
        if (start(jobs, runs, r, &err)) end_unstarted(runs, r, &err);
    for (cc_run *r = cc_runs_active(runs, NULL); r; r = cc_runs_active(runs, r)) {
        if (r->state != CC_RUN_CANCELLING || r->stopping) continue;
        r->stopping = true;
        cc_job_cancel(r->job);
    }
}
