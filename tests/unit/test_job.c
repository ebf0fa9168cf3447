// Calls through the job layer: answers, every way a worker can die, deadlines, cancellation, the queue, replacement, and that
// nothing is left behind. The tools are made for that; the right outcome of each is what its name says.
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmp.h>

#include <flint/flint.h>

#include "job_fixture.h"

// ---- tools ----

static const cc_param text_param[] = {{.name = "text", .kind = CC_STRING, .max_len = 1 << 20, .doc = "any"}, {0}};
static const cc_param timeout_param[] = {{.name = "timeout_ms", .kind = CC_INT, .min = 1, .max = 1000, .doc = "any"}, {0}};
static const cc_param none[] = {{0}};

static int run_echo(cc_call *call, cc_error *err) {
    (void)err;
    cc_jw_kstring(&call->out, "text", cc_arg_text(call, "text"));
    return 0;
}

static int run_pid(cc_call *call, cc_error *err) {
    (void)err;
    cc_jw_kint(&call->out, "pid", getpid());
    return 0;
}

static int run_refuse(cc_call *call, cc_error *err) {
    (void)call;
    return cc_error_set(err, CC_VALIDATION, "text is refused");
}

static int run_defect(cc_call *call, cc_error *err) {
    (void)call;
    return cc_error_set(err, CC_INTERNAL, "a defect");
}

static int run_abort(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    abort();
}

static int run_segv(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
    return 0;
}

__attribute__((noinline)) static long recurse(volatile long n) {
    volatile char page[4096];
    page[0] = (char)n;
    return n < 0 ? 0 : recurse(n + 1) + page[0];
}

static int run_recurse(cc_call *call, cc_error *err) {
    (void)err;
    cc_jw_kint(&call->out, "n", recurse(0));
    return 0;
}

static int run_exit(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    _exit(7);
}

static int run_hang(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    // Not for ever, so that a test that fails leaves no such process behind.
    for (int64_t end = cc_now_ms() + 20000; cc_now_ms() < end;) {
    }
    return 0;
}

static int run_polite(cc_call *call, cc_error *err) {
    while (!*call->stop) {
    }
    return cc_error_set(err, CC_TIMEOUT, "stopped when asked");
}

static int run_partial(cc_call *call, cc_error *err) {
    (void)err;
    while (!*call->stop) {
    }
    cc_jw_kstringz(&call->out, "status", "incomplete");
    return 0;
}

static int run_eat(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    for (volatile bool go = true; go;) (void)*(volatile char *)cc_malloc(1 << 24); // hardly touched: the limit is on addresses
    return 0;
}

static int run_eat_gmp(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    mpz_t x;
    mpz_init(x);
    for (unsigned long bits = 64; bits; bits *= 2) mpz_realloc2(x, bits);
    mpz_clear(x);
    return 0;
}

static int run_throw(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    flint_throw(FLINT_ERROR, "the number %wd is\nnot good", (slong)7);
}

static int run_grow(cc_call *call, cc_error *err) {
    (void)err;
    memset(cc_arena_alloc(call->arena, 80 << 20), 1, 80 << 20);
    cc_jw_kint(&call->out, "pid", getpid());
    return 0;
}

// n MiB of text, written piece by piece.
static int run_large(cc_call *call, cc_error *err) {
    (void)err;
    char line[1 << 10];
    memset(line, 'x', sizeof line);
    cc_jw_key(&call->out, "lines");
    cc_jw_array(&call->out);
    for (int64_t i = 0; i < cc_arg_int(call, "timeout_ms") * 1024; i++) cc_jw_string(&call->out, cc_str_make(line, sizeof line));
    cc_jw_end_array(&call->out);
    return 0;
}

// Frames without end, and then bytes that are no frame at all.
static int run_garbage(cc_call *call, cc_error *err) {
    (void)call;
    (void)err;
    char junk[4096];
    memset(junk, 0x5a, sizeof junk);
    for (;;)
        if (write(3, junk, sizeof junk) < 0) _exit(1);
}

static int run_progress(cc_call *call, cc_error *err) {
    (void)err;
    for (int i = 1; i <= 5; i++) call->progress(call, i, 5, CC_STR("step"));
    return 0;
}

static int run_shell(cc_call *call, cc_error *err) {
    FILE *f = popen("echo $((6*7))", "r");
    int n = 0;
    if (!f || fscanf(f, "%d", &n) != 1 || pclose(f)) return cc_error_errno(err, "popen");
    cc_jw_kint(&call->out, "value", n);
    return 0;
}

#define TOOL(id, kind, list) static const cc_tool tool_##id = {.name = #id, .title = #id, .where = kind, .params = list, .run = run_##id}
TOOL(echo, CC_SEALED, text_param);
TOOL(pid, CC_SEALED, none);
TOOL(refuse, CC_SEALED, none);
TOOL(defect, CC_SEALED, none);
TOOL(abort, CC_SEALED, none);
TOOL(segv, CC_SEALED, none);
TOOL(recurse, CC_SEALED, none);
TOOL(exit, CC_SEALED, none);
TOOL(hang, CC_SEALED, timeout_param);
TOOL(polite, CC_SEALED, none);
TOOL(partial, CC_SEALED, none);
TOOL(eat, CC_SEALED, none);
TOOL(eat_gmp, CC_SEALED, none);
TOOL(throw, CC_SEALED, none);
TOOL(grow, CC_SEALED, none);
TOOL(large, CC_SEALED, timeout_param);
TOOL(garbage, CC_SEALED, none);
TOOL(progress, CC_SEALED, none);
TOOL(shell, CC_LAUNCHER, none);
static const cc_tool tool_server_pid = {.name = "server_pid", .title = "server_pid", .where = CC_SERVER, .params = none, .run = run_pid};
static const cc_tool tool_launcher_pid = {
    .name = "launcher_pid", .title = "launcher_pid", .where = CC_LAUNCHER, .params = none, .run = run_pid};
static const cc_tool tool_files_pid = {.name = "files_pid", .title = "files_pid", .where = CC_FILES, .params = none, .run = run_pid};
static const cc_tool tool_launcher_hang = {
    .name = "launcher_hang", .title = "launcher_hang", .where = CC_LAUNCHER, .params = none, .run = run_hang};

const cc_tool *const cc_tools[] = {
    &tool_echo,    &tool_pid,      &tool_refuse,  &tool_defect,     &tool_abort,     &tool_segv,          &tool_recurse,      &tool_exit,
    &tool_hang,    &tool_polite,   &tool_partial, &tool_eat,        &tool_eat_gmp,   &tool_throw,         &tool_grow,         &tool_large,
    &tool_garbage, &tool_progress, &tool_shell,   &tool_server_pid, &tool_files_pid, &tool_launcher_hang, &tool_launcher_pid, NULL,
};

// Sends a signal (0 = none) to the children of this process that have this name; returns how many.
static int signal_children(const char *name, int sig) {
    DIR *proc = opendir("/proc");
    int n = 0;
    for (struct dirent *d; (d = readdir(proc));) {
        char path[300], found[64], wanted[64];
        int ppid = 0, pid = atoi(d->d_name);
        snprintf(path, sizeof path, "/proc/%s/stat", d->d_name);
        FILE *f = pid ? fopen(path, "r") : NULL;
        if (!f) continue;
        snprintf(wanted, sizeof wanted, "(%s)", name);
        if (fscanf(f, "%*d %63s %*c %d", found, &ppid) == 2 && ppid == getpid() && !strcmp(found, wanted)) n++, kill(pid, sig);
        fclose(f);
    }
    closedir(proc);
    return n;
}

static const cc_jobs_limits one = {.sealed = 1, .launchers = 1, .queue = 4};

static long pid_of(server *s, const cc_tool *tool) {
    test_call c = call_run(s, tool, "{}", 5000);
    assert_false(c.failed);
    long pid = strtol(strpbrk(c.body, "0123456789"), NULL, 10);
    call_free(&c);
    return pid;
}

// ---- tests ----

static void answers(void **state) {
    (void)state;
    server *s = server_start(one);
    expect_body(s, &tool_echo, "{\"text\":\"a\\u0000b\"}", "{\"ok\":true,\"text\":\"a\\u0000b\"}");
    expect_body(s, &tool_shell, "{}", "{\"ok\":true,\"value\":42}");
    long sealed = pid_of(s, &tool_pid);
    assert_int_not_equal(sealed, getpid());
    assert_int_equal(pid_of(s, &tool_server_pid), getpid());
    assert_int_not_equal(pid_of(s, &tool_files_pid), pid_of(s, &tool_files_pid)); // one call each
    test_call refused = call_run(s, &tool_refuse, "{}", 5000);
    assert_string_equal(refused.body, "{\"ok\":false,\"code\":\"validation\",\"error\":\"text is refused\"}");
    assert_true(refused.failed);
    call_free(&refused);
    assert_int_equal(pid_of(s, &tool_pid), sealed); // reused, also after bad input
    server_stop(s);
}

static void large_texts(void **state) {
    (void)state;
    server *s = server_start(one);
    // A request beyond any socket buffer comes back whole.
    size_t n = 1 << 20;
    char *text = malloc(n + 16);
    memcpy(text, "{\"text\":\"", 9);
    for (size_t i = 9; i < n; i++) text[i] = (char)('a' + i % 23);
    memcpy(text + n, "\"}", 3);
    test_call c = call_run(s, &tool_echo, text, 5000);
    assert_false(c.failed);
    assert_string_equal(c.body + strlen("{\"ok\":true,"), text + 1);
    call_free(&c);
    free(text);
    c = call_run(s, &tool_large, "{\"timeout_ms\":40}", 20000);
    assert_false(c.failed);
    assert_int_equal(strlen(c.body), 40 * 1024 * (1024 + 3) - 1 + strlen("{\"ok\":true,\"lines\":[]}"));
    call_free(&c);
    expect_failure(s, &tool_large, "{\"timeout_ms\":100}", 20000, "resource_exhausted", "at most 64 MB");
    expect_failure(s, &tool_garbage, "{}", 5000, "internal", "not a reply");
    expect_body(s, &tool_echo, "{}", "{\"ok\":true,\"text\":\"\"}");
    server_stop(s);
}

// Every way to die is told apart, and the next call works.
static void deaths(void **state) {
    (void)state;
    server *s = server_start(one);
    static const struct {
        const cc_tool *tool;
        const char *code, *text;
    } cases[] = {
        {&tool_abort, "internal", "SIGABRT"},
        {&tool_segv, "internal", "SIGSEGV"},
        {&tool_recurse, "internal", "SIGSEGV"},
        {&tool_exit, "internal", "status 7"},
        {&tool_throw, "internal", "the number 7 is not good"},
        {&tool_eat, "resource_exhausted", "2048 MB"},
        {&tool_eat_gmp, "resource_exhausted", "2048 MB"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        expect_failure(s, cases[i].tool, "{}", 10000, cases[i].code, cases[i].text);
        expect_body(s, &tool_echo, "{\"text\":\"on\"}", "{\"ok\":true,\"text\":\"on\"}");
    }
    assert_int_equal(cc_jobs_get_stats(s->jobs).died, CC_ARRAY_LEN(cases));
    server_stop(s);
}

static void assert_took(const test_call *c, int64_t at_least_ms, int64_t at_most_ms) {
    int64_t ms = (c->ended_ns - c->started_ns) / 1000000;
    if (ms < at_least_ms || ms > at_least_ms + (at_most_ms - at_least_ms) * SLACK)
        fail_msg("took %lld ms, expected %lld to %lld", (long long)ms, (long long)at_least_ms, (long long)at_most_ms);
}

static void deadlines(void **state) {
    (void)state;
    server *s = server_start(one);
    long first = pid_of(s, &tool_pid);
    server_settle(s);
    test_call c = call_run(s, &tool_hang, "{}", 200);
    assert_has(c.body, "\"code\":\"timeout\"");
    assert_has(c.body, "within 200 ms");
    assert_has(c.body, "raise 'timeout_ms'");
    assert_took(&c, 290, 350);
    call_free(&c);
    server_settle(s);
    c = call_run(s, &tool_polite, "{}", 200);
    assert_has(c.body, "stopped when asked");
    assert_took(&c, 195, 250);
    call_free(&c);
    server_settle(s);
    c = call_run(s, &tool_partial, "{}", 200);
    assert_string_equal(c.body, "{\"ok\":true,\"status\":\"incomplete\"}");
    assert_took(&c, 195, 250);
    call_free(&c);
    server_settle(s);
    // One that waits behind a hanging one is told so.
    test_call hang = {0}, behind = {0};
    assert_true(call_submit(s, &hang, &tool_hang, "{}", 600));
    assert_true(call_submit(s, &behind, &tool_echo, "{}", 200));
    call_wait(s, &behind);
    assert_has(behind.body, "never ran");
    assert_took(&behind, 195, 250);
    call_wait(s, &hang);
    call_free(&hang);
    call_free(&behind);
    c = call_run(s, &tool_launcher_hang, "{}", 100 * SLACK);
    assert_has(c.body, "\"code\":\"timeout\"");
    assert_took(&c, 100 * SLACK + 90, 100 * SLACK + 150);
    call_free(&c);
    assert_int_not_equal(pid_of(s, &tool_pid), first);
    server_stop(s);
}

static void cancellation(void **state) {
    (void)state;
    server *s = server_start(one);
    test_call running = {0}, polite = {0}, queued = {0};
    assert_true(call_submit(s, &running, &tool_hang, "{}", 60000));
    assert_true(call_submit(s, &queued, &tool_echo, "{}", 60000));
    server_spin(s, 50 * SLACK);
    queued.started_ns = running.started_ns = cc_now_ns();
    cc_job_cancel(queued.job);
    cc_job_cancel(running.job);
    cc_job_cancel(running.job); // once is enough, twice does no harm
    assert_null(queued.body);
    call_wait(s, &queued);
    assert_took(&queued, 0, 20);
    call_wait(s, &running);
    assert_took(&running, 95, 150);
    assert_true(running.cancelled && queued.cancelled && running.failed && queued.failed);
    assert_has(running.body, "was cancelled");
    call_free(&running);
    call_free(&queued);
    server_settle(s);
    assert_true(call_submit(s, &polite, &tool_polite, "{}", 60000));
    server_spin(s, 20);
    polite.started_ns = cc_now_ns();
    cc_job_cancel(polite.job);
    call_wait(s, &polite);
    assert_took(&polite, 0, 50);
    assert_true(polite.cancelled);
    call_free(&polite);
    expect_body(s, &tool_echo, "{}", "{\"ok\":true,\"text\":\"\"}");
    assert_int_equal(cc_jobs_active(s->jobs), 0);
    server_stop(s);
}

static void queue(void **state) {
    (void)state;
    server *s = server_start(one);
    test_call calls[8] = {0};
    // One runs (or is about to), four wait, the sixth is refused.
    for (int i = 0; i < 5; i++) assert_true(call_submit(s, &calls[i], &tool_echo, "{}", 5000));
    assert_false(call_submit(s, &calls[5], &tool_echo, "{}", 5000));
    assert_int_equal(cc_jobs_active(s->jobs), 5);
    for (int i = 0; i < 5; i++) {
        call_wait(s, &calls[i]);
        call_free(&calls[i]);
    }
    assert_true(call_submit(s, &calls[5], &tool_echo, "{}", 5000));
    call_wait(s, &calls[5]);
    call_free(&calls[5]);
    server_stop(s);
}

static void many(void **state) {
    (void)state;
    enum { N = 5000 };
    server *s = server_start((cc_jobs_limits){.sealed = 2, .queue = N});
    test_call *calls = calloc(N, sizeof *calls);
    char arguments[64], expected[64];
    unsigned left = N;
    for (int i = 0; i < N; i++) {
        calls[i].left = &left;
        snprintf(arguments, sizeof arguments, "{\"text\":\"%d\"}", i);
        assert_true(call_submit(s, &calls[i], &tool_echo, arguments, 60000));
    }
    while (left) uv_run(&s->loop, UV_RUN_ONCE);
    for (int i = 0; i < N; i++) {
        snprintf(expected, sizeof expected, "{\"ok\":true,\"text\":\"%d\"}", i);
        assert_string_equal(calls[i].body, expected);
        call_free(&calls[i]);
    }
    free(calls);
    cc_jobs_stats stats = cc_jobs_get_stats(s->jobs);
    assert_int_equal(stats.calls, N);
    assert_int_equal(stats.died, 0);
    assert_in_range(stats.replaced, 1, N / (1000 - 16));
    server_spin(s, 20);
    stats = cc_jobs_get_stats(s->jobs);
    assert_in_range(stats.sealed_idle, 1, 2); // replacing never adds one
    server_stop(s);
}

static void replacement(void **state) {
    (void)state;
    server *s = server_start(one);
    long first = pid_of(s, &tool_pid);
    test_call c = call_run(s, &tool_defect, "{}", 5000);
    call_free(&c);
    long second = pid_of(s, &tool_pid);
    assert_int_not_equal(second, first); // after an error that is not bad input
    assert_int_equal(pid_of(s, &tool_grow), second);
    long third = pid_of(s, &tool_pid);
    assert_int_not_equal(third, second); // after growth
    for (int i = 2; i < 1000; i++) assert_int_equal(pid_of(s, &tool_pid) == third || i >= 984, 1);
    pid_of(s, &tool_pid);
    assert_int_not_equal(pid_of(s, &tool_pid), third); // after 1 000 calls at the latest
    server_spin(s, 20 * SLACK);
    assert_int_equal(cc_jobs_get_stats(s->jobs).sealed_idle, 1);
    assert_int_equal(cc_jobs_get_stats(s->jobs).died, 0);
    server_stop(s);
}

static void progress(void **state) {
    (void)state;
    server *s = server_start(one);
    test_call c = call_run(s, &tool_progress, "{}", 5000);
    assert_int_equal(c.progress, 5);
    call_free(&c);
    server_stop(s);
}

// A call from inside another call's done, and closing with everything in flight.
static void chained(void *ctx, const cc_outcome *o) {
    server *s = ctx;
    static unsigned n;
    cc_error err;
    assert_false(o->failed);
    if (n++ < 100)
        assert_non_null(cc_jobs_submit(s->jobs, n % 2 ? &tool_server_pid : &tool_echo, CC_STR("{}"), 0, 1000,
                                       (cc_job_events){.done = chained}, s, &err));
}

static void never_done(void *ctx, const cc_outcome *o) {
    (void)ctx;
    (void)o;
    fail_msg("done after close");
}

static void reentrance_and_close(void **state) {
    (void)state;
    server *s = server_start((cc_jobs_limits){.sealed = 2});
    cc_error err;
    cc_jobs_submit(s->jobs, &tool_echo, CC_STR("{}"), 0, 1000, (cc_job_events){.done = chained}, s, &err);
    while (cc_jobs_active(s->jobs)) uv_run(&s->loop, UV_RUN_ONCE);
    const cc_tool *tools[] = {&tool_hang, &tool_launcher_hang, &tool_hang, &tool_launcher_hang, &tool_hang};
    for (size_t i = 0; i < CC_ARRAY_LEN(tools); i++)
        cc_jobs_submit(s->jobs, tools[i], CC_STR("{}"), 0, 60000, (cc_job_events){.done = never_done}, s, &err);
    server_spin(s, 20);
    cc_jobs_submit(s->jobs, &tool_launcher_hang, CC_STR("{}"), 0, 60000, (cc_job_events){.done = never_done}, s, &err); // on its way
    server_stop(s);
    // Every child was reaped, but perhaps the one that the spawner was making just then: it ends by itself.
    int64_t t = cc_now_ms();
    unsigned unreaped = 0;
    while (waitpid(-1, NULL, 0) > 0) unreaped++;
    assert_int_equal(errno, ECHILD);
    assert_true(unreaped <= 1 && cc_now_ms() - t < 100 * SLACK);
}

static void spawner_killed(void **state) {
    (void)state;
    server *s = server_start(one);
    expect_body(s, &tool_echo, "{}", "{\"ok\":true,\"text\":\"\"}");
    cc_log_set_level("error", &(cc_error){0});
    kill(s->spawner.pid, SIGKILL);
    server_spin(s, 20);
    expect_body(s, &tool_echo, "{}", "{\"ok\":true,\"text\":\"\"}"); // those that are there go on
    expect_failure(s, &tool_shell, "{}", 5000, "internal", "has ended");
    server_stop(s);
}

static void no_process_can_be_started(void **state) {
    (void)state;
    server *s = server_start(one);
    expect_body(s, &tool_echo, "{}", "{\"ok\":true,\"text\":\"\"}");
    struct rlimit kept, few;
    getrlimit(RLIMIT_NOFILE, &kept);
    few = kept;
    few.rlim_cur = 3; // no further descriptor
    setrlimit(RLIMIT_NOFILE, &few);
    expect_failure(s, &tool_shell, "{}", 5000, "resource_exhausted", "socket");
    setrlimit(RLIMIT_NOFILE, &kept);
    expect_body(s, &tool_shell, "{}", "{\"ok\":true,\"value\":42}");
    server_stop(s);
}

static void stock(void **state) {
    (void)state;
    unsigned cores = uv_available_parallelism();
    server *s = server_start((cc_jobs_limits){.sealed = 1, .stock = true, .spare_ms = 1000 * SLACK});
    server_spin(s, 50);
    assert_int_equal(cc_jobs_get_stats(s->jobs).spares, 0); // not before the first call
    expect_body(s, &tool_shell, "{}", "{\"ok\":true,\"value\":42}");
    while (cc_jobs_get_stats(s->jobs).spares < cores) uv_run(&s->loop, UV_RUN_ONCE);
    // Each serves one call, and another takes its place.
    long used[6] = {0};
    for (size_t i = 0; i < CC_ARRAY_LEN(used); i++) {
        used[i] = pid_of(s, &tool_launcher_pid);
        for (size_t j = 0; j < i; j++) assert_int_not_equal(used[j], used[i]);
        assert_true(cc_jobs_get_stats(s->jobs).others <= 2 * cores);
    }
    // One that is killed while it waits is no call's trouble.
    while (cc_jobs_get_stats(s->jobs).spares < cores) uv_run(&s->loop, UV_RUN_ONCE);
    assert_true(signal_children("cc-launcher", SIGKILL) >= (int)cores); // some may be on their way out
    while (cc_jobs_get_stats(s->jobs).spares) uv_run(&s->loop, UV_RUN_ONCE);
    expect_body(s, &tool_shell, "{}", "{\"ok\":true,\"value\":42}");
    // Given up when nobody calls.
    while (cc_jobs_get_stats(s->jobs).spares < cores) uv_run(&s->loop, UV_RUN_ONCE);
    int64_t t = cc_now_ms();
    while (cc_jobs_get_stats(s->jobs).spares) uv_run(&s->loop, UV_RUN_ONCE);
    assert_in_range(cc_now_ms() - t, 500 * SLACK, 3000 * SLACK);
    assert_int_equal(cc_jobs_get_stats(s->jobs).others, 0);
    for (t = cc_now_ms(); signal_children("cc-launcher", 0) && cc_now_ms() - t < 2000 * SLACK;) server_spin(s, 20);
    assert_int_equal(signal_children("cc-launcher", 0), 0);
    server_stop(s);
    // Not at all when it is switched off.
    setenv("CODECALC_WARM", "0", 1);
    s = server_start((cc_jobs_limits){.sealed = 1, .stock = true});
    expect_body(s, &tool_shell, "{}", "{\"ok\":true,\"value\":42}");
    server_spin(s, 50);
    assert_int_equal(cc_jobs_get_stats(s->jobs).others, 0);
    unsetenv("CODECALC_WARM");
    server_stop(s);
}

// The server is killed while calls of all kinds run: nothing may be left. This process adopts what would become orphans, so it sees them.
static void killed_server(void **state) {
    (void)state;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    int pipe_fds[2];
    assert_int_equal(pipe(pipe_fds), 0);
    pid_t pid = fork();
    if (pid == 0) {
        server *s = server_start((cc_jobs_limits){.sealed = 2, .launchers = 2});
        test_call calls[4] = {0};
        call_submit(s, &calls[0], &tool_hang, "{}", 60000);
        call_submit(s, &calls[1], &tool_launcher_hang, "{}", 60000);
        call_submit(s, &calls[2], &tool_hang, "{}", 60000);
        while (cc_jobs_get_stats(s->jobs).queued) uv_run(&s->loop, UV_RUN_ONCE);
        if (write(pipe_fds[1], "x", 1) != 1) _exit(1);
        uv_run(&s->loop, UV_RUN_DEFAULT);
        _exit(1);
    }
    char byte;
    assert_int_equal(read(pipe_fds[0], &byte, 1), 1);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    int64_t t = cc_now_ms();
    unsigned orphans = 0;
    while (waitpid(-1, NULL, 0) > 0) orphans++;
    assert_true(cc_now_ms() - t < 100 * SLACK);
    assert_in_range(orphans, 4, 5); // the spawner, two sealed workers, a launcher, and its sandbox if it came to making it
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),        cmocka_unit_test(large_texts),
        cmocka_unit_test(deaths),         cmocka_unit_test(deadlines),
        cmocka_unit_test(cancellation),   cmocka_unit_test(queue),
        cmocka_unit_test(many),           cmocka_unit_test(replacement),
        cmocka_unit_test(progress),       cmocka_unit_test(reentrance_and_close),
        cmocka_unit_test(spawner_killed), cmocka_unit_test(no_process_can_be_started),
        cmocka_unit_test(stock),          cmocka_unit_test(killed_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
