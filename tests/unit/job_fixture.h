// A server's loop with jobs on it, for the tests of src/job. Each test program brings its own table of tools.
#ifndef CODECALC_TESTS_JOB_FIXTURE_H
#define CODECALC_TESTS_JOB_FIXTURE_H

#include "unit.h"

#include "codecalc/job.h"

// By how much longer everything may take: the sanitizers' processes are slow to make and to take apart.
#ifdef CC_ASAN
#define SLACK 10
#else
#define SLACK 1
#endif

typedef struct server {
    uv_loop_t loop;
    cc_spawner spawner;
    cc_jobs *jobs;
    uv_timer_t alarm;
} server;

// What a call came to.
typedef struct call {
    cc_job *job;
    char *body; // NULL until done
    bool failed, cancelled;
    unsigned progress;
    int64_t started_ns, ended_ns;
    unsigned *left; // counted down when done; may be NULL
} test_call;

static inline server *server_start(cc_jobs_limits limits) {
    server *s = calloc(1, sizeof *s);
    cc_error err;
    if (cc_settings_load(&err) || cc_spawner_start(&s->spawner, &err)) fail_msg("%s", err.msg);
    uv_loop_init(&s->loop);
    s->jobs = cc_jobs_new(&s->loop, s->spawner, limits);
    return s;
}

// Everything must be gone when the loop ends, and it must end soon.
static inline void server_stop(server *s) {
    int64_t t = cc_now_ms();
    cc_jobs_close(s->jobs);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    assert_true(cc_now_ms() - t < 100 * SLACK);
    cc_jobs_free(s->jobs);
    assert_int_equal(uv_loop_close(&s->loop), 0);
    free(s);
}

static inline void call_done(void *ctx, const cc_outcome *o) {
    test_call *c = ctx;
    assert_null(c->body); // exactly once
    c->body = strndup(o->body.p, o->body.n);
    c->failed = o->failed;
    c->cancelled = o->cancelled;
    c->ended_ns = cc_now_ns();
    if (c->left) --*c->left;
}

static inline void call_progress(void *ctx, double done, double total, cc_str message) {
    test_call *c = ctx;
    assert_true(done <= total);
    assert_true(message.n > 0);
    c->progress++;
}

static inline bool call_submit(server *s, test_call *c, const cc_tool *tool, const char *arguments, unsigned deadline_ms) {
    cc_error err;
    c->body = NULL;
    c->progress = 0;
    c->started_ns = cc_now_ns();
    c->job = cc_jobs_submit(s->jobs, tool, cc_str_of(arguments), 0, deadline_ms, (cc_job_events){call_done, call_progress}, c, &err);
    if (!c->job) assert_int_equal(err.code, CC_RESOURCE_EXHAUSTED);
    assert_null(c->body); // never from inside submit
    return c->job != NULL;
}

static inline void call_wait(server *s, test_call *c) {
    while (!c->body) uv_run(&s->loop, UV_RUN_ONCE);
}

static inline void call_free(test_call *c) {
    free(c->body);
    c->body = NULL;
}

static inline void on_wake(uv_timer_t *t) { *(bool *)t->data = true; }

// Turns the loop for some time, whatever happens on it.
static inline void server_spin(server *s, unsigned ms) {
    bool woken = false;
    uv_timer_init(&s->loop, &s->alarm);
    s->alarm.data = &woken;
    uv_update_time(&s->loop);
    uv_timer_start(&s->alarm, on_wake, ms, 0);
    while (!woken) uv_run(&s->loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&s->alarm, NULL);
    uv_run(&s->loop, UV_RUN_NOWAIT);
}

// Until a sealed worker is ready, so that what follows is not timed with its start.
static inline void server_settle(server *s) {
    while (!cc_jobs_get_stats(s->jobs).sealed_idle) uv_run(&s->loop, UV_RUN_ONCE);
}

// Runs one call to its end. The body is the caller's.
static inline test_call call_run(server *s, const cc_tool *tool, const char *arguments, unsigned deadline_ms) {
    test_call c = {0};
    assert_true(call_submit(s, &c, tool, arguments, deadline_ms));
    call_wait(s, &c);
    return c;
}

static inline void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("'%s' does not contain '%s'", text, part);
}

// Runs one call and expects exactly this, or a failure with this code and this in its text.
static inline void expect_body(server *s, const cc_tool *tool, const char *arguments, const char *body) {
    test_call c = call_run(s, tool, arguments, 5000);
    assert_string_equal(c.body, body);
    assert_false(c.failed);
    call_free(&c);
}

static inline void expect_failure(server *s, const cc_tool *tool, const char *arguments, unsigned deadline_ms, const char *code,
                                  const char *text) {
    test_call c = call_run(s, tool, arguments, deadline_ms);
    assert_has(c.body, code);
    assert_has(c.body, text);
    assert_has(c.body, "\"remedy\":");
    assert_true(c.failed);
    assert_false(c.cancelled);
    call_free(&c);
}

#endif
