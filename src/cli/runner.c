// One tool call after the other from a command, through the same jobs that serve a client. Called by call and doctor. Owns the
// loop and the jobs; a call blocks its caller, not the loop.
#include <stdlib.h>

#include "cli/commands.h"

struct cc_runner {
    uv_loop_t loop;
    uv_signal_t interrupt;
    uv_timer_t every_second; // while a call runs and says nothing itself
    int64_t began_ms;
    cc_jobs *jobs;
    cc_job *job; // the call in progress
    bool ended;
    cc_buf *body;
    cc_term *progress;
};

static void on_interrupt(uv_signal_t *handle, int number) {
    (void)number;
    cc_runner *r = handle->data;
    if (r->job) cc_job_cancel(r->job);
}

static void on_done(void *ctx, const cc_outcome *outcome) {
    cc_runner *r = ctx;
    cc_buf_adds(r->body, outcome->body);
    r->job = NULL;
    r->ended = true;
}

static void on_progress(void *ctx, double done, double total, cc_str message) {
    cc_runner *r = ctx;
    if (!r->progress) return;
    uv_timer_stop(&r->every_second);
    if (total > 0)
        cc_term_progress(r->progress, "%.*s (%.0f of %.0f)", (int)message.n, message.p, done, total);
    else
        cc_term_progress(r->progress, "%.*s", (int)message.n, message.p);
}

static void on_second(uv_timer_t *handle) {
    cc_runner *r = handle->data;
    cc_term_progress(r->progress, "running for %lld s", (long long)(cc_now_ms() - r->began_ms + 500) / 1000);
}

cc_runner *cc_runner_new(cc_spawner spawner) {
    cc_runner *r = cc_malloc(sizeof *r);
    *r = (cc_runner){0};
    if (uv_loop_init(&r->loop)) cc_out_of_memory();
    r->jobs = cc_jobs_new(&r->loop, spawner, (cc_jobs_limits){0});
    uv_signal_init(&r->loop, &r->interrupt);
    r->interrupt.data = r;
    uv_signal_start(&r->interrupt, on_interrupt, SIGINT);
    uv_timer_init(&r->loop, &r->every_second);
    r->every_second.data = r;
    return r;
}

static int result_is_ok(cc_arena *a, cc_str body, cc_error *err) {
    const cc_json *result;
    if (cc_json_parse(a, body, CC_JSON_MAX_DEPTH, &result, err)) return cc_error_wrap(err, "the result");
    const cc_json *ok = cc_json_get_type(result, "ok", CC_JSON_BOOL);
    if (!ok) return cc_error_set(err, CC_INTERNAL, "the result says neither ok nor not");
    return cc_json_bool(ok);
}

int cc_runner_call(cc_runner *r, const cc_tool *tool, cc_str arguments, cc_term *progress, cc_buf *body, cc_error *err) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *object;
    cc_args args;
    if (cc_json_parse(&a, arguments, CC_JSON_MAX_DEPTH, &object, err) || cc_args_parse(&a, tool, object, &args, err)) return -1;
    unsigned deadline = cc_tool_deadline(tool, &args);
    size_t from = body->n;
    r->body = body;
    r->progress = progress;
    r->ended = false;
    r->job = cc_jobs_submit(r->jobs, tool, arguments, 0, deadline, (cc_job_events){on_done, on_progress}, r, err);
    if (!r->job) return -1;
    r->began_ms = cc_now_ms();
    if (progress) uv_timer_start(&r->every_second, on_second, 2000, 1000);
    while (!r->ended) uv_run(&r->loop, UV_RUN_ONCE);
    uv_timer_stop(&r->every_second);
    if (progress) cc_term_progress(progress, NULL);
    return result_is_ok(&a, (cc_str){body->p + from, body->n - from}, err);
}

void cc_runner_free(cc_runner *r) {
    cc_jobs_close(r->jobs);
    uv_close((uv_handle_t *)&r->interrupt, NULL);
    uv_close((uv_handle_t *)&r->every_second, NULL);
    uv_run(&r->loop, UV_RUN_DEFAULT);
    cc_jobs_free(r->jobs);
    uv_loop_close(&r->loop);
    free(r);
}
