// The server as a process: how soon and with what status it ends, that a pipelining client gets every answer, and what happens
// when nobody reads. Jobs are fakes that end by the clock.
#include "unit.h"

#include "child.h"
#include "codecalc/mcp.h"
#include "fake_jobs.h"

static int run_server(void *ctx) {
    (void)ctx;
    cc_error err;
    cc_selection selection;
    if (cc_settings_load(&err) || cc_selection_parse("CODECALC_TOOLS", CC_STR(""), &selection, &err)) return 98;
    int status = cc_server_run(&selection, (cc_spawner){.socket = -1, .pidfd = -1});
    return fake.closed ? status : 97; // whatever happens, the jobs are closed
}

static int run_refusing_server(void *ctx) {
    fake.limit = 600; // running and waiting
    return run_server(ctx);
}

#define CALL(id, ms)                                                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"execute_code\",\"arguments\":{\"ms\":" ms "}}}\n"
#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}\n"
#define PONG(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{}}\n"

static int count(const cc_buf *b, const char *what) {
    int n = 0;
    for (const char *p = b->p; b->n && (p = memmem(p, b->n - (size_t)(p - b->p), what, strlen(what))); p++) n++;
    return n;
}

// The promise is 100 ms; a loaded build machine may take longer to schedule us.
enum { SOON_MS = 300 };

static int64_t started;
static void begin(void) { started = cc_now_ms(); }
static int64_t took(void) { return cc_now_ms() - started; }

static child serving(void) { // and up
    child c = child_on_pipes(run_server, NULL);
    child_say(&c, PING("0"));
    cc_buf b = {0};
    child_read(&c, &b, sizeof PONG("0") - 1, 2000);
    assert_text(b, PONG("0"));
    cc_buf_free(&b);
    return c;
}

static void end_of_input(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf b = {0};
    child c = serving();
    begin();
    child_hang_up(&c); // nothing is owed
    assert_int_equal(child_wait(&c, 1000), 0);
    assert_true(took() < SOON_MS);

    c = serving();
    child_say(&c, CALL("1", "300")); // ends within the second
    begin();
    child_hang_up(&c);
    child_read_all(&c, &b);
    assert_int_equal(child_wait(&c, 1000), 0);
    assert_true(took() >= 290 && took() < 900);
    assert_int_equal(count(&b, "\"id\":1,\"result\""), 1);
    assert_int_equal(count(&b, "isError"), 0);

    c = serving();
    child_say(&c, CALL("1", "60000") CALL("2", "60000"));
    begin();
    child_hang_up(&c);
    b.n = 0;
    child_read_all(&c, &b);
    assert_int_equal(child_wait(&c, 1000), 0);
    assert_true(took() >= 990 && took() < 1900); // one second, then cancelled and answered
    assert_int_equal(count(&b, "\"isError\":true"), 2);

    c = serving(); // a call that the client cancelled is owed nothing
    child_say(&c, CALL("1", "60000") "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n");
    begin();
    child_hang_up(&c);
    b.n = 0;
    child_read_all(&c, &b);
    assert_int_equal(child_wait(&c, 1000), 0);
    assert_true(took() < SOON_MS);
    assert_int_equal(b.n, 0);
}

static void regular_file(void **state) { // calls keep their own deadlines, and everything is answered
    (void)state;
    FILE *in = tmpfile(), *out = tmpfile();
    fprintf(in, "%s", CALL("\"slow\"", "1300"));
    for (int i = 0; i < 3000; i++) fprintf(in, CALL("%d", "1"), i);
    fflush(in);
    rewind(in);
    begin();
    child c = {child_fork(fileno(in), fileno(out), run_server, NULL), -1, -1};
    assert_int_equal(child_wait(&c, 10000), 0);
    assert_true(took() >= 1290);
    rewind(out);
    CC_CLEANUP_BUF cc_buf b = {0};
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, out)) > 0;) cc_buf_add(&b, block, n);
    assert_int_equal(count(&b, "\n"), 3001);
    assert_int_equal(count(&b, "\"ok\\\":true"), 3001);
    assert_int_equal(count(&b, "\"id\":\"slow\""), 1);
    fclose(in);
    fclose(out);
}

static void signals(void **state) {
    (void)state;
    static const int numbers[][2] = {{SIGTERM, 0}, {SIGINT, 130}, {SIGHUP, 129}};
    for (size_t i = 0; i < CC_ARRAY_LEN(numbers); i++) {
        child c = serving();
        child_say(&c, CALL("1", "60000"));
        usleep(10000);
        begin();
        kill(c.pid, numbers[i][0]);
        assert_int_equal(child_wait(&c, 1000), numbers[i][1]);
        assert_true(took() < SOON_MS);
    }
}

static void closed_stdout(void **state) {
    (void)state;
    child c = serving();
    child_say(&c, CALL("1", "60000"));
    usleep(10000);
    begin();
    cc_fd_close(&c.out);
    assert_int_equal(child_wait(&c, 1000), 0);
    assert_true(took() < SOON_MS);
}

// A parent in between, which is killed while the pipes stay open.

static int run_between(void *ctx) {
    (void)ctx;
    pid_t pid = fork();
    if (pid == 0) _exit(run_server(NULL));
    char line[64];
    int n = snprintf(line, sizeof line, "%d\n", (int)pid);
    if (write(1, line, (size_t)n) != n) return 1;
    pause();
    return 0;
}

static void parent_gone(void **state) {
    (void)state;
    child c = child_on_pipes(run_between, NULL);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read(&c, &b, 2, 2000);
    cc_buf_addc(&b, 0);
    int pid = atoi(b.p);
    assert_true(pid > 1);
    b.n = 0;
    child_say(&c, PING("1") CALL("2", "60000"));
    child_read(&c, &b, sizeof PONG("1") - 1, 2000);
    assert_text(b, PONG("1"));
    begin();
    kill(c.pid, SIGKILL);
    b.n = 0;
    child_read_all(&c, &b); // its end of the pipe closes when it ends
    assert_true(took() < SOON_MS);
    assert_int_equal(child_wait(&c, 1000), 128 + SIGKILL);
}

static void pipelined(void **state) { // more than the queue holds, from a client that writes first and reads later
    (void)state;
    enum { CALLS = 5000 };
    child c = serving();
    CC_CLEANUP_BUF cc_buf text = {0};
    for (int i = 0; i < CALLS; i++) cc_buf_printf(&text, CALL("%d", "0"), i);
    pid_t writer = fork();
    if (writer == 0) {
        close(c.out);
        _exit(cc_fd_write_all(c.in, text.p, text.n) != 0);
    }
    child_hang_up(&c);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read_all(&c, &b);
    assert_int_equal(child_wait(&c, 1000), 0);
    waitpid(writer, NULL, 0);
    assert_int_equal(count(&b, "\n"), CALLS);
    assert_int_equal(count(&b, "isError"), 0);
}

static void stuck_queue(void **state) { // a ping gets through, and what is too much is refused
    (void)state;
    child c = child_on_pipes(run_refusing_server, NULL);
    for (int i = 0; i < 700; i++) {
        char line[200];
        snprintf(line, sizeof line, CALL("%d", "60000"), i);
        child_say(&c, line);
    }
    child_say(&c, PING("\"p\""));
    begin();
    CC_CLEANUP_BUF cc_buf b = {0};
    while (!count(&b, PONG("\"p\"")) && took() < 5000) child_read(&c, &b, b.n + 1, 100);
    assert_true(took() >= 900 && took() < 3000);
    assert_int_equal(count(&b, "resource_exhausted"), 100 * 2); // in the text and in structuredContent
    begin();
    kill(c.pid, SIGTERM);
    assert_int_equal(child_wait(&c, 1000), 0);
    assert_true(took() < SOON_MS);
}

static void unread_answers(void **state) { // held at the end of input for as long as the client lives
    (void)state;
    child c = serving();
    for (int i = 0; i < 500; i++) child_say(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    child_hang_up(&c);
    usleep(100000);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read_all(&c, &b);
    assert_int_equal(count(&b, "\n"), 500);
    assert_int_equal(child_wait(&c, 1000), 0);
}

static void keeps_alive(void **state) {
    (void)state;
    child c = serving();
    begin();
    child_say(
        &c,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":\"k\"},\"name\":\"execute_code\","
        "\"arguments\":{\"ms\":3300}}}\n");
    child_hang_up(&c); // ends it after a second: no message by then
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read_all(&c, &b);
    assert_int_equal(count(&b, "notifications/progress"), 0);
    child_wait(&c, 1000);
    c = serving();
    begin();
    child_say(
        &c,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":\"k\"},\"name\":\"execute_code\","
        "\"arguments\":{\"ms\":3300}}}\n");
    b.n = 0;
    child_read(&c, &b, 10, 5000);
    assert_true(took() >= 1990 && took() < 2900);
    while (!count(&b, "\"result\"") && took() < 6000) child_read(&c, &b, b.n + 1, 100);
    assert_int_equal(count(&b, "notifications/progress"), 2); // after 2 s and 3 s
    child_hang_up(&c);
    assert_int_equal(child_wait(&c, 1000), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(end_of_input),  cmocka_unit_test(regular_file),   cmocka_unit_test(signals),
        cmocka_unit_test(closed_stdout), cmocka_unit_test(parent_gone),    cmocka_unit_test(pipelined),
        cmocka_unit_test(stuck_queue),   cmocka_unit_test(unread_answers), cmocka_unit_test(keeps_alive),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
