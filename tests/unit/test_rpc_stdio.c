// The stdio transport in a process of its own: every kind of descriptor, every kind of line, back-pressure, and the end.
#include "unit.h"

#include "child.h"
#include "codecalc/rpc.h"
#include <pty.h>
#include <termios.h>

// ---- the process: says for each frame its length and first bytes ----

typedef struct echo {
    uv_loop_t loop;
    cc_stdio *io;
    uv_timer_t timer;
    bool ended;
    int status;
} echo;

static void finish(echo *e, int status) {
    if (uv_is_closing((uv_handle_t *)&e->timer)) return;
    e->status = status;
    cc_stdio_close(e->io);
    uv_close((uv_handle_t *)&e->timer, NULL);
}

static void on_timer(uv_timer_t *t) {
    echo *e = t->data;
    cc_buf_addz(cc_stdio_out(e->io), "resumed\n");
    cc_stdio_pause(e->io, false);
}

static void on_frame(void *ctx, cc_str f) {
    echo *e = ctx;
    cc_buf *out = cc_stdio_out(e->io);
    if (cc_str_eqz(f, "pause")) {
        cc_stdio_pause(e->io, true);
        uv_timer_start(&e->timer, on_timer, 50, 0);
    } else if (cc_str_eqz(f, "flood")) { // a mebibyte
        cc_buf_reserve(out, 1 << 20);
        memset(out->p + out->n, 'x', 1 << 20);
        out->n += 1 << 20;
        out->p[out->n - 1] = '\n';
    } else if (cc_str_eqz(f, "print")) { // must not reach the client
        printf("stray\n");
        fflush(stdout);
    } else if (cc_str_eqz(f, "file?")) {
        cc_buf_printf(out, "file %d\n", cc_stdio_input_is_file(e->io));
    } else {
        cc_buf_printf(out, "%zu:", f.n);
        cc_buf_add(out, f.p, f.n > 8 ? 8 : f.n);
        cc_buf_addc(out, '\n');
    }
}

static void on_oversized(void *ctx) { cc_buf_addz(cc_stdio_out(((echo *)ctx)->io), "oversized\n"); }

static void on_drained(void *ctx) {
    echo *e = ctx;
    if (e->ended && !cc_stdio_pending(e->io)) finish(e, 0);
}

static void on_eof(void *ctx) {
    echo *e = ctx;
    if (e->ended) _exit(99); // once
    e->ended = true;
    cc_buf_addz(cc_stdio_out(e->io), "eof\n");
}

static void on_gone(void *ctx) { finish(ctx, 42); }

static int run_echo(void *ctx) {
    (void)ctx;
    signal(SIGPIPE, SIG_IGN);
    echo e = {0};
    cc_error err;
    uv_loop_init(&e.loop);
    uv_timer_init(&e.loop, &e.timer);
    e.timer.data = &e;
    cc_stdio_events events = {on_frame, on_oversized, on_eof, on_drained, on_gone};
    if (cc_stdio_open(&e.loop, events, &e, &e.io, &err)) {
        fprintf(stderr, "%s\n", err.msg);
        return 98;
    }
    uv_run(&e.loop, UV_RUN_DEFAULT);
    return uv_loop_close(&e.loop) == 0 ? e.status : 97;
}

// ---- the tests ----

// Feeds text through pipes and compares all that comes back.
static void through_pipes(cc_str text, const char *want) {
    child c = child_on_pipes(run_echo, NULL);
    child_write(&c, text.p, text.n);
    child_hang_up(&c);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read_all(&c, &b);
    assert_text(b, want);
    assert_int_equal(child_wait(&c, 2000), 0);
}

static void lines(void **state) {
    (void)state;
    through_pipes(CC_STR("a\nbb\n"), "1:a\n2:bb\neof\n");
    through_pipes(CC_STR("a\r\n\r\n\n  \t\nbb\r\n"), "1:a\n2:bb\neof\n"); // CRLF, blank lines
    through_pipes(CC_STR("a\nlast"), "1:a\n4:last\neof\n");
    through_pipes(CC_STR(""), "eof\n");
    through_pipes(CC_STR("\n\n\n"), "eof\n");
    through_pipes(CC_STR("a\rb\n"), "3:a\rb\neof\n");
    through_pipes(CC_STR("\xFF\n"), "1:\xFF\neof\n"); // not its business
    child c = child_on_pipes(run_echo, NULL);
    child_write(&c, "a\0b\n", 4);
    child_hang_up(&c);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read_all(&c, &b);
    assert_true(cc_str_eq(cc_buf_str(&b), CC_STR("3:a\0b\neof\n")));
    child_wait(&c, 2000);
}

static void pieces(void **state) { // a frame that comes byte by byte
    (void)state;
    child c = child_on_pipes(run_echo, NULL);
    CC_CLEANUP_BUF cc_buf b = {0};
    const char *text = "hello\r\nyou\n";
    for (size_t i = 0; text[i]; i++) {
        child_write(&c, text + i, 1);
        usleep(2000);
    }
    child_read(&c, &b, 14, 2000);
    assert_text(b, "5:hello\n3:you\n");
    child_hang_up(&c);
    child_read_all(&c, &b);
    assert_int_equal(child_wait(&c, 2000), 0);
}

static void sizes(void **state) {
    (void)state;
    size_t max = CC_FRAME_MAX;
    char *big = malloc(max + 100);
    memset(big, 'y', max + 100);
    static const struct {
        int over;
        const char *end, *want;
    } cases[] = {
        {0, "\n", "16777216:yyyyyyyy\n1:a\neof\n"}, {0, "\r\n", "16777216:yyyyyyyy\n1:a\neof\n"}, {1, "\n", "oversized\n1:a\neof\n"},
        {2, "\r\n", "oversized\n1:a\neof\n"},       {90, "\n", "oversized\n1:a\neof\n"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        child c = child_on_pipes(run_echo, NULL);
        child_write(&c, big, max + (size_t)cases[i].over);
        child_say(&c, cases[i].end);
        child_say(&c, "a\n");
        child_hang_up(&c);
        CC_CLEANUP_BUF cc_buf b = {0};
        child_read_all(&c, &b);
        assert_text(b, cases[i].want);
        assert_int_equal(child_wait(&c, 2000), 0);
    }
    // An endless line is told once, while it is still coming, and costs no more memory.
    child c = child_on_pipes(run_echo, NULL);
    child_write(&c, big, max + 100);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read(&c, &b, 10, 2000);
    assert_text(b, "oversized\n");
    child_write(&c, big, max + 100);
    child_say(&c, "\nb\n");
    child_read(&c, &b, 14, 2000);
    assert_text(b, "oversized\n1:b\n");
    child_hang_up(&c);
    child_wait(&c, 2000);
    free(big);
}

static void pausing(void **state) {
    (void)state;
    through_pipes(CC_STR("pause\na\nb"), "resumed\n1:a\n1:b\neof\n");
    through_pipes(CC_STR("pause\n"), "resumed\neof\n");
    through_pipes(CC_STR("a\npause\npause\nb\n"), "1:a\nresumed\nresumed\n1:b\neof\n");
}

static void stray_output(void **state) {
    (void)state;
    through_pipes(CC_STR("print\na\n"), "1:a\neof\n");
}

static void back_pressure(void **state) { // a client that does not read: 8 MiB of answers are held, then reading stops
    (void)state;
    child c = child_on_pipes(run_echo, NULL);
    enum { LINE = 65536 };
    char *block = malloc(LINE);
    memset(block, 'y', LINE);
    memcpy(block, "flood\n", 6);
    block[LINE - 1] = '\n';
    assert_int_equal(cc_fd_set_nonblock(c.in, true), 0);
    size_t accepted = 0;
    for (struct pollfd p = {.fd = c.in, .events = POLLOUT}; accepted < 64 * LINE && poll(&p, 1, 300) > 0;) {
        ssize_t n = write(c.in, block + accepted % LINE, LINE - accepted % LINE);
        if (n > 0) accepted += (size_t)n;
    }
    free(block);
    size_t lines_in = accepted / LINE;
    assert_true(lines_in >= 8 && lines_in <= 12); // 8, what makes it more than 8, and what the pipe and the read buffer hold
    child_hang_up(&c);
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read_all(&c, &b);
    assert_true(b.n > lines_in << 20 && b.n < ((lines_in + 1) << 20) + 4096);
    assert_memory_equal(b.p + b.n - 4, "eof\n", 4);
    assert_int_equal(child_wait(&c, 2000), 0);
}

static void closed_stdout(void **state) {
    (void)state;
    child c = child_on_pipes(run_echo, NULL);
    usleep(20000);
    int64_t start = cc_now_ms();
    cc_fd_close(&c.out); // nothing is being written
    assert_int_equal(child_wait(&c, 1000), 42);
    assert_true(cc_now_ms() - start < 300);
    c = child_on_pipes(run_echo, NULL);
    for (int i = 0; i < 20; i++) child_say(&c, "flood\n");
    usleep(50000);
    cc_fd_close(&c.out); // while it waits to write
    assert_int_equal(child_wait(&c, 1000), 42);
}

static void files(void **state) {
    (void)state;
    FILE *in = tmpfile(), *out = tmpfile();
    for (int i = 0; i < 20000; i++) fprintf(in, "line %d\n", i);
    fprintf(in, "file?");
    fflush(in);
    rewind(in);
    child c = {child_fork(fileno(in), fileno(out), run_echo, NULL), -1, -1};
    assert_int_equal(child_wait(&c, 5000), 0);
    rewind(out);
    char line[64];
    int n = 0;
    while (fgets(line, sizeof line, out) && line[0] != 'f') n++;
    assert_int_equal(n, 20000);
    assert_string_equal(line, "file 1\n");
    assert_non_null(fgets(line, sizeof line, out));
    assert_string_equal(line, "eof\n");
    fclose(in);
    fclose(out);
    // /dev/null at both ends
    int null = open("/dev/null", O_RDWR);
    c = (child){child_fork(null, null, run_echo, NULL), -1, -1};
    assert_int_equal(child_wait(&c, 2000), 0);
    close(null);
}

static void sockets(void **state) { // as Node.js gives: flags of the socket are put back
    (void)state;
    int in[2], out[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, in), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, out), 0);
    child c = {child_fork(in[0], out[0], run_echo, NULL), in[1], out[1]};
    shutdown(out[1], SHUT_WR); // we only read that one: no hang-up
    child_say(&c, "a\nfile?\n");
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read(&c, &b, 11, 2000);
    assert_text(b, "1:a\nfile 0\n");
    assert_true(fcntl(in[0], F_GETFL) & O_NONBLOCK);
    child_hang_up(&c);
    child_read(&c, &b, 15, 2000);
    assert_text(b, "1:a\nfile 0\neof\n");
    assert_int_equal(child_wait(&c, 2000), 0);
    assert_false(fcntl(in[0], F_GETFL) & O_NONBLOCK);
    assert_false(fcntl(out[0], F_GETFL) & O_NONBLOCK);
    close(in[0]), close(out[0]);
    // the other end closed both ways
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, out), 0);
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    c = (child){child_fork(pipes[0], out[0], run_echo, NULL), pipes[1], out[1]};
    close(out[0]), close(pipes[0]);
    usleep(20000);
    cc_fd_close(&c.out);
    assert_int_equal(child_wait(&c, 1000), 42);
}

static void terminal(void **state) { // shared with a shell: never made non-blocking, not even while we run
    (void)state;
    int master, slave;
    struct termios raw;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
    assert_int_equal(tcgetattr(slave, &raw), 0);
    cfmakeraw(&raw);
    raw.c_lflag |= ICANON; // so that ^D ends the input
    assert_int_equal(tcsetattr(slave, TCSANOW, &raw), 0);
    child c = {child_fork(slave, slave, run_echo, NULL), master, master};
    child_say(&c, "hi\n");
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read(&c, &b, 5, 2000);
    assert_text(b, "2:hi\n");
    assert_false(fcntl(slave, F_GETFL) & O_NONBLOCK);
    child_say(&c, "\x04");
    child_read(&c, &b, 9, 2000);
    assert_text(b, "2:hi\neof\n");
    c.in = -1;
    assert_int_equal(child_wait(&c, 2000), 0);
    close(slave);
}

static void pipe_flags(void **state) { // the pipe may be shared with a neighbour in the pipeline
    (void)state;
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    child c = {child_fork(in[0], out[1], run_echo, NULL), in[1], out[0]};
    child_say(&c, "a\n");
    CC_CLEANUP_BUF cc_buf b = {0};
    child_read(&c, &b, 4, 2000);
    assert_false(fcntl(in[0], F_GETFL) & O_NONBLOCK);
    assert_false(fcntl(out[1], F_GETFL) & O_NONBLOCK);
    child_hang_up(&c);
    assert_int_equal(child_wait(&c, 2000), 0);
    close(in[0]), close(out[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),         cmocka_unit_test(pieces),   cmocka_unit_test(sizes),      cmocka_unit_test(pausing),
        cmocka_unit_test(stray_output),  cmocka_unit_test(files),    cmocka_unit_test(sockets),    cmocka_unit_test(back_pressure),
        cmocka_unit_test(closed_stdout), cmocka_unit_test(terminal), cmocka_unit_test(pipe_flags),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
