// The two canaries of setup: our own binary, started over pipes, spoken to in MCP. Called by setup. Owns the child until it ends;
// a server that does not answer is killed.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/canary.h"
#include "codecalc/json.h"

#define TOTAL_MS 30000

typedef struct client {
    pid_t pid;
    int to, from;
    int64_t deadline;
    cc_buf input;
} client;

static int start(client *c, const char *program, cc_error *err) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return cc_error_errno(err, "pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawnattr_t attributes; // the server gets SIGPIPE as a client would leave it
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    char *argv[] = {(char[]){"codecalc"}, (char[]){"serve"}, (char[]){"--tools=full"}, NULL};
    int rc = posix_spawn(&c->pid, program, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    cc_fd_close(&in[0]);
    cc_fd_close(&out[1]);
    c->to = in[1];
    c->from = out[0];
    errno = rc;
    return rc ? cc_error_errno(err, "%s cannot be started", program) : 0;
}

// Closes its input, after which a server ends by itself; kills one that does not.
static void stop(client *c) {
    cc_fd_close(&c->to);
    for (int i = 0; c->pid > 0 && i < 300; i++) {
        if (waitpid(c->pid, NULL, WNOHANG) == c->pid) {
            c->pid = 0;
            break;
        }
        poll(NULL, 0, 10);
    }
    if (c->pid > 0) {
        kill(c->pid, SIGKILL);
        waitpid(c->pid, NULL, 0);
    }
    cc_fd_close(&c->from);
    cc_buf_free(&c->input);
}

static int say(client *c, const char *line, cc_error *err) {
    return cc_fd_write_all(c->to, line, strlen(line)) ? cc_error_errno(err, "the server does not read") : 0;
}

// The next line as JSON, in the arena.
static int hear(client *c, cc_arena *a, const cc_json **out, cc_error *err) {
    for (;;) {
        char *eol = c->input.n ? memchr(c->input.p, '\n', c->input.n) : NULL;
        if (eol) {
            cc_str line = cc_arena_dup(a, (cc_str){c->input.p, (size_t)(eol - c->input.p)});
            cc_buf_consume(&c->input, line.n + 1);
            return cc_json_parse(a, line, CC_JSON_MAX_DEPTH, out, err) ? cc_error_wrap(err, "the server wrote something that is no message")
                                                                       : 0;
        }
        int64_t left = c->deadline - cc_now_ms();
        struct pollfd p = {.fd = c->from, .events = POLLIN};
        if (left <= 0 || poll(&p, 1, (int)left) == 0) return cc_error_set(err, CC_TIMEOUT, "no answer within %d s", TOTAL_MS / 1000);
        cc_buf_reserve(&c->input, 65536);
        ssize_t n = read(c->from, c->input.p + c->input.n, c->input.cap - c->input.n);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return cc_error_set(err, CC_WORKER_FAILURE, "the server ended without an answer");
        c->input.n += (size_t)n;
    }
}

// Sends a request and waits for the response with that id.
static int ask(client *c, cc_arena *a, int id, const char *method, const char *params, const cc_json **result, cc_error *err) {
    cc_str line = cc_arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n", id, method, params);
    if (say(c, line.p, err)) return -1;
    for (;;) {
        const cc_json *message;
        if (hear(c, a, &message, err)) return -1;
        const cc_json *its = cc_json_get_type(message, "id", CC_JSON_NUMBER);
        int64_t number;
        if (!its || !cc_json_int64(its, &number) || number != id) continue;
        if ((*result = cc_json_get_type(message, "result", CC_JSON_OBJECT))) return 0;
        const cc_json *text = cc_json_get_type(cc_json_get(message, "error"), "message", CC_JSON_STRING);
        cc_str said = text ? cc_json_string(text) : CC_STR("an answer that is neither result nor error");
        return cc_error_set(err, CC_INTERNAL, "%s: %.*s", method, (int)said.n, said.p);
    }
}

// The result object of a tool call, from its text block.
static const cc_json *body_of(cc_arena *a, const cc_json *result, cc_error *err) {
    const cc_json *content = cc_json_get_type(result, "content", CC_JSON_ARRAY), *body;
    cc_json_iter it = content ? cc_json_iterate(content) : (cc_json_iter){0};
    const cc_json *text = content && cc_json_next(&it) ? cc_json_get_type(it.value, "text", CC_JSON_STRING) : NULL;
    if (!text) return cc_error_set(err, CC_INTERNAL, "a result without text"), NULL;
    return cc_json_parse(a, cc_json_string(text), CC_JSON_MAX_DEPTH, &body, err) ? NULL : body;
}

typedef struct call {
    const char *what, *params;
    const char *field, *expected; // a string in the result object
} call;

static const call calls[CC_CANARIES] = {
    {"calc_exact", "{\"name\":\"calc_exact\",\"arguments\":{\"expr\":\"2**64 + 1/3 - 1/3\"}}", "value", "18446744073709551616"},
    {"execute_code python3", "{\"name\":\"execute_code\",\"arguments\":{\"language\":\"python3\",\"code\":\"print(6*7)\"}}", "stdout",
     "42\n"},
};

static void copy_field(char *into, size_t size, const cc_json *body, const char *key) {
    const cc_json *v = cc_json_get_type(body, key, CC_JSON_STRING);
    cc_str s = v ? cc_utf8_prefix(cc_json_string(v), size - 1) : (cc_str){0};
    snprintf(into, size, "%.*s", (int)s.n, s.n ? s.p : "");
}

static void run_one(client *c, cc_arena *a, const call *what, int id, cc_canary *out) {
    cc_error err;
    const cc_json *result, *body;
    int64_t begin = cc_now_ms();
    int rc = ask(c, a, id, "tools/call", what->params, &result, &err);
    out->ms = cc_now_ms() - begin;
    if (rc || !(body = body_of(a, result, &err))) {
        snprintf(out->detail, sizeof out->detail, "%.390s", err.msg);
        return;
    }
    const cc_json *value = cc_json_get_type(body, what->field, CC_JSON_STRING);
    if (value && cc_str_eqz(cc_json_string(value), what->expected)) {
        out->state = CC_CANARY_OK;
        return;
    }
    copy_field(out->detail, sizeof out->detail, body, "error");
    copy_field(out->remedy, sizeof out->remedy, body, "remedy");
    if (!out->detail[0]) copy_field(out->detail, sizeof out->detail, body, "stderr");
    if (!out->detail[0]) snprintf(out->detail, sizeof out->detail, "the result is not the expected one");
    const cc_json *code = cc_json_get_type(body, "code", CC_JSON_STRING);
    if (code && cc_str_eqz(cc_json_string(code), cc_code_name(CC_RUNTIME_UNAVAILABLE))) out->state = CC_CANARY_MISSING;
}

void cc_canaries_run(const char *program, cc_canary out[CC_CANARIES], int64_t *start_ms) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_error err;
    client c = {.to = -1, .from = -1, .deadline = cc_now_ms() + TOTAL_MS};
    for (int i = 0; i < CC_CANARIES; i++) out[i] = (cc_canary){.what = calls[i].what, .state = CC_CANARY_FAILED};
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before); // a server that dies is reported, not died of
    int64_t begin = cc_now_ms();
    const cc_json *result;
    int rc = start(&c, program, &err);
    if (!rc)
        rc = ask(
            &c, &a, 1, "initialize",
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"codecalc-setup\",\"version\":\"" CC_VERSION
            "\"}}",
            &result, &err);
    *start_ms = cc_now_ms() - begin;
    if (!rc) rc = say(&c, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n", &err);
    for (int i = 0; i < CC_CANARIES; i++) {
        if (rc)
            snprintf(out[i].detail, sizeof out[i].detail, "%.390s", err.msg);
        else
            run_one(&c, &a, &calls[i], i + 2, &out[i]);
    }
    stop(&c);
    sigaction(SIGPIPE, &before, NULL);
}
