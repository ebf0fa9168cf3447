// What messages mean, in both eras: the obligations of the MCP revisions 2024-11-05 to 2025-11-25 and 2026-07-28, one assertion
// or more for each. Jobs are fakes that end when the test says so.
#include "unit.h"

#include <math.h>
#include <unistd.h>

#include "codecalc/mcp.h"
#include "codecalc/rpc.h"
#include "fake_jobs.h"

static cc_mcp *m;
static cc_buf out;
static cc_arena arena; // of parsed answers
static bool all_on = true;

static cc_buf *buffer(void *ctx) {
    (void)ctx;
    return &out;
}

static int setup(void **state) {
    (void)state;
    cc_error err;
    cc_selection selection;
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", all_on ? CC_STR("") : CC_STR("core"), &selection, &err), 0);
    fake.limit = FAKE_MAX;
    fake.submitted = 0;
    m = cc_mcp_new(&fake, &selection, (cc_mcp_output){buffer, NULL});
    return 0;
}

static int teardown(void **state) {
    (void)state;
    cc_jobs_close(&fake);
    cc_mcp_free(m);
    out.n = 0;
    cc_arena_reset(&arena);
    return 0;
}

// ---- helpers ----

static void tell(const char *frame) { cc_mcp_frame(m, cc_str_of(frame)); }

static const cc_json *parse(cc_str line) {
    const cc_json *v;
    cc_error err;
    if (cc_json_parse(&arena, cc_arena_dup(&arena, line), CC_JSON_MAX_DEPTH, &v, &err)) fail_msg("%s: %.*s", err.msg, (int)line.n, line.p);
    assert_text(cc_json_string(cc_json_get(v, "jsonrpc")), "2.0");
    return v;
}

// The next line of what was written; NULL when there is none.
static const cc_json *next(void) {
    if (!out.n) return NULL;
    const char *lf = memchr(out.p, '\n', out.n);
    assert_non_null(lf);
    const cc_json *v = parse((cc_str){out.p, (size_t)(lf - out.p)});
    cc_buf_consume(&out, (size_t)(lf - out.p) + 1);
    return v;
}

static void silence(void) {
    if (out.n) fail_msg("unexpected: %.*s", (int)out.n, out.p);
}

static const cc_json *ask(const char *frame) {
    silence();
    tell(frame);
    const cc_json *v = next();
    assert_non_null(v);
    silence();
    return v;
}

// The value at a path with | between the keys; items of arrays by number. NULL when there is none.
static const cc_json *at(const cc_json *v, const char *path) {
    while (v && *path) {
        const char *bar = strchr(path, '|');
        size_t n = bar ? (size_t)(bar - path) : strlen(path);
        char key[100];
        assert_true(n < sizeof key);
        memcpy(key, path, n);
        key[n] = 0;
        if (cc_json_type_of(v) == CC_JSON_ARRAY) {
            cc_json_iter it = cc_json_iterate(v);
            int want = atoi(key);
            const cc_json *found = NULL;
            for (int i = 0; i <= want; i++) found = cc_json_next(&it) ? it.value : NULL;
            v = found;
        } else {
            v = cc_json_get(v, key);
        }
        path += n + (bar ? 1 : 0);
    }
    return v;
}

// The text of the value at a path, as JSON.
static const char *text_at(const cc_json *v, const char *path) {
    const cc_json *value = at(v, path);
    if (!value) return "(absent)";
    cc_buf b = {0};
    cc_jw w = cc_jw_make(&b);
    cc_jw_value(&w, value);
    cc_buf_addc(&b, 0);
    const char *kept = cc_arena_strdup(&arena, b.p);
    cc_buf_free(&b);
    return kept;
}

#define assert_at(v, path, want) assert_string_equal(text_at(v, path), want)

static void assert_error(const cc_json *v, const char *id, int code) {
    char number[16];
    snprintf(number, sizeof number, "%d", code);
    assert_at(v, "error|code", number);
    assert_at(v, "id", id);
    assert_null(at(v, "result"));
    assert_true(cc_json_type_of(at(v, "error|message")) == CC_JSON_STRING);
}

#define META                                                                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{},"             \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}"
#define REQUEST(id, method, params) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":{" params "}}"
#define MODERN(id, method, params)  REQUEST(id, method, META params)
#define TOKEN(token)                "\"_meta\":{\"progressToken\":" token "}"
#define CANCEL(id)                  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" id ",\"reason\":\"r\"}}"
#define INITIALIZE(version)                                                                                                                \
    REQUEST("\"i\"", "initialize",                                                                                                         \
            "\"protocolVersion\":\"" version "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}")
#define BODY "{\"ok\":true,\"value\":\"1/3\"}"

// ---- the legacy era ----

static void handshake(void **state) {
    (void)state;
    static const char *const known[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
    for (size_t i = 0; i < CC_ARRAY_LEN(known); i++) {
        char frame[400], want[32];
        snprintf(frame, sizeof frame, INITIALIZE("%s"), known[i]);
        snprintf(want, sizeof want, "\"%s\"", known[i]);
        const cc_json *v = ask(frame);
        assert_at(v, "id", "\"i\"");
        assert_at(v, "result|protocolVersion", want);
        assert_at(v, "result|capabilities", "{\"tools\":{}}");
        assert_at(v, "result|serverInfo|name", "\"codecalc\"");
        assert_at(v, "result|serverInfo|version", "\"" CC_VERSION "\"");
        assert_int_equal(at(v, "result|serverInfo|icons") != NULL, i == 3); // that schema is the first to know them
        assert_non_null(at(v, "result|instructions"));
        assert_null(at(v, "result|resultType"));
        assert_null(at(v, "result|_meta"));
    }
    assert_at(ask(INITIALIZE("2099-01-01")), "result|protocolVersion", "\"2025-11-25\"");
    assert_at(ask(INITIALIZE("2026-07-28")), "result|protocolVersion", "\"2025-11-25\""); // modern has no handshake
    assert_at(ask(INITIALIZE("1.0")), "result|protocolVersion", "\"2025-11-25\"");
    assert_error(ask(REQUEST("1", "initialize", "\"capabilities\":{}")), "1", -32602);
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    silence();
}

static void legacy_before_initialize(void **state) { // answered, under legacy rules
    (void)state;
    assert_at(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), "result", "{}");
    const cc_json *v = ask("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
    assert_at(v, "result|tools|0|name", "\"calc_exact\"");
    assert_null(at(v, "result|resultType"));
    assert_null(at(v, "result|ttlMs"));
    assert_null(at(v, "result|cacheScope"));
    assert_null(at(v, "result|nextCursor"));
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"no/such\"}"), "3", -32601);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"server/discover\"}"), "4", -32602);
    assert_error(ask(REQUEST("5", "server/discover", "")), "5", -32602);
    assert_error(ask(REQUEST("6", "subscriptions/listen", "\"notifications\":{}")), "6", -32602);
}

static void undeclared(void **state) {
    (void)state;
    static const char *const methods[] = {"prompts/list",        "resources/list",   "resources/templates/list",
                                          "completion/complete", "logging/setLevel", "resources/subscribe",
                                          "tasks/list",          "TOOLS/LIST"};
    for (size_t i = 0; i < CC_ARRAY_LEN(methods); i++) {
        char frame[600];
        snprintf(frame, sizeof frame, REQUEST("\"a\"", "%s", ""), methods[i]);
        assert_error(ask(frame), "\"a\"", -32601);
        snprintf(frame, sizeof frame, MODERN("\"b\"", "%s", ""), methods[i]);
        assert_error(ask(frame), "\"b\"", -32601);
    }
}

static void never_answered(void **state) {
    (void)state;
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}");
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"calc_exact\"}}");
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"initialize\"}");
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}");
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":[1]}");
    tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":null}}");
    tell(CANCEL("99"));
    tell("{\"jsonrpc\":\"2.0\",\"method\":5}");
    tell("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    tell("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"m\"}}");
    silence();
    assert_int_equal(fake.submitted, 0);
}

static void broken_frames(void **state) {
    (void)state;
    const cc_json *v = ask("{\"jsonrpc\":\"2.0\",\"id\":1,");
    assert_error(v, "(absent)", -32700);
    assert_error(ask("[]"), "(absent)", -32600);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}"), "(absent)", -32600);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}"), "(absent)", -32600);
    assert_error(ask("{\"id\":1,\"method\":\"ping\"}"), "1", -32600);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"ping\"}"), "(absent)", -32700);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":\"\xFF\",\"method\":\"ping\"}"), "(absent)", -32700);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":[1]}"), "1", -32602);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":3}}"), "1", -32602);
    cc_mcp_oversized(m);
    assert_error(next(), "(absent)", -32600);
    silence();
    assert_at(ask("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0000\",\"method\":\"ping\"}"), "id", "\"\\u0000\"");
}

// ---- the modern era ----

static void discover(void **state) {
    (void)state;
    const cc_json *v = ask(MODERN("1", "server/discover", ""));
    assert_at(v, "result|resultType", "\"complete\"");
    assert_at(v, "result|supportedVersions", "[\"2026-07-28\"]");
    assert_at(v, "result|capabilities", "{\"tools\":{}}");
    int64_t ttl;
    assert_true(cc_json_int64(at(v, "result|ttlMs"), &ttl) && ttl >= 0);
    const char *scope = text_at(v, "result|cacheScope");
    assert_true(!strcmp(scope, "\"public\"") || !strcmp(scope, "\"private\""));
    assert_at(v, "result|_meta|io.modelcontextprotocol/serverInfo|name", "\"codecalc\"");
    assert_at(v, "result|_meta|io.modelcontextprotocol/serverInfo|icons|0|mimeType", "\"image/svg+xml\"");
    assert_non_null(at(v, "result|instructions"));
}

static void modern_meta(void **state) {
    (void)state;
#define V "\"io.modelcontextprotocol/protocolVersion\":"
#define C "\"io.modelcontextprotocol/clientCapabilities\":"
    assert_error(ask(REQUEST("1", "tools/list", "\"_meta\":{" V "\"2026-07-28\"}")), "1", -32602);
    assert_error(ask(REQUEST("2", "tools/list", "\"_meta\":{" C "{}}")), "2", -32602);
    assert_error(ask(REQUEST("3", "tools/list", "\"_meta\":{" V "20260728," C "{}}")), "3", -32602);
    assert_error(ask(REQUEST("4", "tools/list", "\"_meta\":{" V "\"2026-07-28\"," C "[]}")), "4", -32602);
    assert_error(ask(REQUEST("5", "tools/list", "\"_meta\":{" V "\"2026-07-28\"," C "{},\"io.modelcontextprotocol/logLevel\":\"loud\"}")),
                 "5", -32602);
    const cc_json *v =
        ask(REQUEST("6", "tools/list", "\"_meta\":{" V "\"2026-07-28\"," C "{},\"io.modelcontextprotocol/logLevel\":\"debug\"}"));
    assert_at(v, "result|resultType", "\"complete\"");
    v = ask(REQUEST("7", "server/discover", "\"_meta\":{" V "\"1900-01-01\"," C "{}}"));
    assert_error(v, "7", -32022);
    assert_at(v, "error|data", "{\"supported\":[\"2026-07-28\"],\"requested\":\"1900-01-01\"}");
    assert_error(ask(REQUEST("8", "tools/list", "\"_meta\":{" V "\"2025-11-25\"," C "{}}")), "8", -32022);
    // a legacy key of the same prefix does not make a request modern
    v = ask(
        REQUEST("9", "tools/list", "\"_meta\":{\"io.modelcontextprotocol/related-task\":{},\"traceparent\":\"x\"},\"task\":{\"ttl\":1}"));
    assert_null(at(v, "result|resultType"));
    // vendor keys and members that nobody asked for
    v = ask(MODERN("10", "tools/list", ",\"inputResponses\":{},\"requestState\":\"s\",\"vendor\":1"));
    assert_at(v, "result|resultType", "\"complete\"");
}

static void modern_list(void **state) {
    (void)state;
    const cc_json *v = ask(MODERN("1", "tools/list", ""));
    assert_at(v, "result|resultType", "\"complete\"");
    assert_non_null(at(v, "result|ttlMs"));
    assert_non_null(at(v, "result|cacheScope"));
    assert_at(v, "result|_meta|io.modelcontextprotocol/serverInfo", "{\"name\":\"codecalc\",\"version\":\"" CC_VERSION "\"}");
    const char *before = text_at(v, "result|tools");
    ask(INITIALIZE("2024-11-05"));
    assert_at(ask(REQUEST("2", "tools/list", "")), "result|tools", before); // whatever came earlier
    assert_at(ask(MODERN("3", "tools/list", "")), "result|tools", before);
    assert_error(ask(MODERN("4", "tools/list", ",\"cursor\":\"x\"")), "4", -32602);
    assert_error(ask(REQUEST("5", "tools/list", "\"cursor\":\"\"")), "5", -32602);
    assert_error(ask(REQUEST("6", "tools/list", "\"cursor\":1")), "6", -32602);
}

static void modern_removed(void **state) {
    (void)state;
    assert_error(ask(MODERN("1", "initialize", ",\"protocolVersion\":\"2025-11-25\"")), "1", -32601);
    assert_error(ask(MODERN("2", "ping", "")), "2", -32601);
    assert_error(ask(MODERN("3", "logging/setLevel", "")), "3", -32601);
    assert_error(ask(MODERN("4", "resources/unsubscribe", "")), "4", -32601);
}

// ---- tools/call ----

#define CALL(id, tool, more) REQUEST(id, "tools/call", "\"name\":\"" tool "\"" more)

static void call(void **state) {
    (void)state;
    tell(CALL("\"x\"", "calc_exact", ",\"arguments\":{\"text\":\"a\\u0000b\",\"ms\":12}"));
    silence();
    assert_int_equal(fake.n, 1);
    assert_string_equal(fake.job[0]->arguments, "{\"text\":\"a\\u0000b\",\"ms\":12}");
    assert_int_equal(fake.job[0]->deadline_ms, CC_DEFAULT_DEADLINE_MS);
    assert_int_equal(cc_mcp_in_flight(m), 1);
    fake_finish(fake.job[0], BODY, "", false);
    assert_int_equal(cc_mcp_in_flight(m), 0);
    const cc_json *v = next();
    silence();
    assert_at(v, "id", "\"x\"");
    assert_at(v, "result|content|0|type", "\"text\"");
    assert_text(cc_json_string(at(v, "result|content|0|text")), BODY);
    assert_null(at(v, "result|content|1"));
    assert_at(v, "result|structuredContent", BODY);
    assert_null(at(v, "result|isError"));
    assert_null(at(v, "result|resultType"));
    assert_at(v, "result|_meta", "{\"codecalc/receipt\":{\"contract_version\":\"1.18.0\",\"backend\":\"native\",\"platform\":\"linux\"}}");

    tell(MODERN("7", "tools/call", ",\"name\":\"execute_code\""));
    assert_string_equal(fake.job[0]->arguments, "{}");
    assert_int_equal(fake.job[0]->deadline_ms, 45000);
    fake_finish(fake.job[0], "{\"ok\":false,\"code\":\"timeout\",\"error\":\"e\"}", "{\"workdir\":\"/w\"}", true);
    v = next();
    silence();
    assert_at(v, "result|resultType", "\"complete\"");
    assert_at(v, "result|isError", "true");
    assert_at(v, "result|_meta|io.modelcontextprotocol/serverInfo|name", "\"codecalc\"");
    assert_at(v, "result|_meta|codecalc/receipt",
              "{\"contract_version\":\"1.18.0\",\"backend\":\"native\",\"platform\":\"linux\",\"workdir\":\"/w\"}");
}

static void call_null_arguments(void **state) {
    (void)state;
    tell(CALL("1", "calc_exact", ",\"arguments\":null"));
    assert_string_equal(fake.job[0]->arguments, "{}");
}

static void structured_by_revision(void **state) { // structuredContent came with 2025-06-18
    (void)state;
    static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
    for (size_t i = 0; i < CC_ARRAY_LEN(versions); i++) {
        char frame[400];
        snprintf(frame, sizeof frame, INITIALIZE("%s"), versions[i]);
        ask(frame);
        tell(CALL("1", "calc_exact", ""));
        fake_finish(fake.job[0], BODY, "{}", false);
        assert_int_equal(at(next(), "result|structuredContent") != NULL, i >= 2);
    }
    ask(INITIALIZE("2024-11-05"));
    tell(MODERN("2", "tools/call", ",\"name\":\"calc_exact\"")); // both eras interleave
    fake_finish(fake.job[0], BODY, "", false);
    assert_non_null(at(next(), "result|structuredContent"));
}

static void unstructured(void **state) {
    (void)state;
    cc_settings *settings = (cc_settings *)(uintptr_t)cc_settings_get(); // as CODECALC_STRUCTURED=0 sets it
    settings->structured = false;
    tell(CALL("1", "calc_exact", ""));
    fake_finish(fake.job[0], BODY, "", false);
    const cc_json *v = next();
    assert_null(at(v, "result|structuredContent"));
    assert_text(cc_json_string(at(v, "result|content|0|text")), BODY);
    settings->structured = true;
}

static void bad_calls(void **state) {
    (void)state;
    assert_error(ask(REQUEST("1", "tools/call", "")), "1", -32602);
    assert_error(ask(REQUEST("2", "tools/call", "\"name\":3")), "2", -32602);
    assert_error(ask("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\"}"), "3", -32602);
    assert_error(ask(CALL("4", "calc_exact", ",\"arguments\":[1]")), "4", -32602);
    assert_error(ask(CALL("5", "calc_exact", ",\"arguments\":\"{}\"")), "5", -32602);
    assert_error(ask(CALL("6", "calc_exact", ",\"_meta\":{\"progressToken\":1.5}")), "6", -32602);
    const cc_json *v = ask(CALL("7", "calc_exat", ""));
    assert_error(v, "7", -32602);
    assert_at(v, "error|message", "\"unknown tool \\\"calc_exat\\\"; did you mean \\\"calc_exact\\\"?\"");
    v = ask(MODERN("8", "tools/call", ",\"name\":\"zzzzzzzzzzzz\""));
    assert_error(v, "8", -32602);
    assert_at(v, "error|message", "\"unknown tool \\\"zzzzzzzzzzzz\\\"\"");
    assert_int_equal(fake.submitted, 0);
    // bad values are for the model to see
    v = ask(CALL("9", "calc_exact", ",\"arguments\":{\"ms\":\"soon\"}"));
    assert_at(v, "result|isError", "true");
    assert_at(v, "result|structuredContent|ok", "false");
    assert_at(v, "result|structuredContent|code", "\"validation\"");
    assert_non_null(strstr(text_at(v, "result|structuredContent|error"), "ms"));
    v = ask(CALL("10", "calc_exact", ",\"arguments\":{\"txet\":\"a\"}"));
    assert_at(v, "result|isError", "true");
    assert_non_null(strstr(text_at(v, "result|structuredContent"), "text"));
    assert_int_equal(fake.submitted, 0);
    assert_int_equal(cc_mcp_in_flight(m), 0);
}

static void selection(void **state) {
    (void)state;
    const cc_json *v = ask(REQUEST("1", "tools/list", ""));
    assert_at(v, "result|tools|0|name", "\"calc_exact\"");
    assert_null(at(v, "result|tools|1"));
    v = ask(CALL("2", "execute_code", ""));
    assert_error(v, "2", -32602);
    assert_at(v, "error|message", "\"the tool \\\"execute_code\\\" is not active: add execution to CODECALC_TOOLS\"");
    assert_null(strstr(text_at(ask(INITIALIZE("2025-11-25")), "result|instructions"), "execute_code"));
}

static void full_queue(void **state) {
    (void)state;
    fake.limit = 1;
    tell(CALL("1", "calc_exact", ""));
    silence();
    const cc_json *v = ask(CALL("2", "calc_exact", ""));
    assert_at(v, "id", "2");
    assert_at(v, "result|isError", "true");
    assert_at(v, "result|structuredContent|code", "\"resource_exhausted\"");
    assert_int_equal(cc_mcp_in_flight(m), 1);
    fake.limit = FAKE_MAX;
    tell(CALL("2", "calc_exact", "")); // the id is free again
    silence();
    assert_int_equal(fake.n, 2);
}

static void many_at_once(void **state) {
    (void)state;
    char frame[200];
    for (int i = 0; i < 500; i++) {
        snprintf(frame, sizeof frame, CALL("%d", "calc_exact", ""), i);
        tell(frame);
    }
    silence();
    assert_int_equal(cc_mcp_in_flight(m), 500);
    assert_at(ask(REQUEST("\"7\"", "ping", "")), "result", "{}"); // "7" is not 7
    assert_non_null(at(ask(REQUEST("9999", "tools/list", "")), "result|tools"));
    for (int i = 499; i >= 0; i--) { // in the order in which they end
        snprintf(frame, sizeof frame, "%d", i);
        fake_finish(fake.job[i], BODY, "", false);
        assert_at(next(), "id", frame);
    }
    assert_int_equal(cc_mcp_in_flight(m), 0);
}

static void duplicate_id(void **state) {
    (void)state;
    tell(CALL("1", "calc_exact", ""));
    tell(CALL("\"1\"", "calc_exact", "")); // another id
    silence();
    assert_int_equal(fake.n, 2);
    assert_error(ask(CALL("1", "calc_exact", "")), "1", -32600);
    assert_error(ask(REQUEST("1", "ping", "")), "1", -32600);
    assert_error(ask(CALL("\"\\u0031\"", "calc_exact", "")), "\"1\"", -32600);
    fake_finish(fake.job[0], BODY, "", false);
    assert_at(next(), "id", "1");
    assert_at(ask(REQUEST("1", "ping", "")), "result", "{}");
}

static void damaged_result(void **state) {
    (void)state;
    tell(CALL("1", "calc_exact", ""));
    fake_finish(fake.job[0], "{\"ok\":true}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}", "", false);
    const cc_json *v = next();
    silence();
    assert_at(v, "result|structuredContent|code", "\"worker_failure\"");
}

// ---- cancellation ----

static void cancel(void **state) {
    (void)state;
    tell(CALL("1", "execute_code", ",\"_meta\":{\"progressToken\":1}"));
    tell(MODERN("\"1\"", "tools/call", ",\"name\":\"execute_code\""));
    tell(CANCEL("1"));
    silence();
    assert_int_equal(fake.job[0]->cancelled, 1);
    assert_int_equal(fake.job[1]->cancelled, 0);
    assert_int_equal(cc_mcp_in_flight(m), 1);
    tell(CANCEL("1")); // again: unknown by now
    assert_int_equal(fake.job[0]->cancelled, 1);
    fake.job[0]->events.progress(fake.job[0]->ctx, 1, 2, CC_STR("late"));
    cc_mcp_tick(m, cc_now_ms() + 60000);
    silence();
    tell(CALL("1", "calc_exact", "")); // the id is free at once
    silence();
    tell(CANCEL("\"1\""));
    assert_int_equal(fake.job[1]->cancelled, 1);
    fake_finish(fake.job[0], BODY, "", true);
    silence();
    fake_finish(fake.job[1], BODY, "", true);
    silence();
    fake_finish(fake.job[0], BODY, "", false);
    assert_at(next(), "id", "1");
    silence();
}

// ---- progress ----

static double number_at(const cc_json *v, const char *path) { return strtod(text_at(v, path), NULL); }

static void keep_alive(void **state) {
    (void)state;
    int64_t start = cc_now_ms();
    assert_true(cc_mcp_next_tick(m) == INT64_MAX);
    tell(CALL("1", "execute_code", "")); // no token: nothing, ever
    assert_true(cc_mcp_next_tick(m) == INT64_MAX);
    tell(CALL("2", "execute_code", ",\"_meta\":{\"progressToken\":\"t\"}"));
    int64_t due = cc_mcp_next_tick(m);
    assert_true(due >= start + 2000 && due <= cc_now_ms() + 2000);
    cc_mcp_tick(m, due - 1);
    silence();
    double last = -1;
    for (int i = 0; i < 5; i++) {
        cc_mcp_tick(m, due);
        const cc_json *v = next();
        silence();
        assert_at(v, "method", "\"notifications/progress\"");
        assert_null(at(v, "id"));
        assert_at(v, "params|progressToken", "\"t\"");
        assert_true(number_at(v, "params|progress") > last);
        last = number_at(v, "params|progress");
        assert_null(at(v, "params|total"));
        assert_non_null(at(v, "params|message"));
        assert_int_equal(cc_mcp_next_tick(m), due + 1000);
        due += 1000;
    }
    fake_finish(fake.job[1], BODY, "", false);
    next();
    cc_mcp_tick(m, due + 60000); // none after the response
    silence();
    assert_true(cc_mcp_next_tick(m) == INT64_MAX);
}

static void job_progress(void **state) {
    (void)state;
    tell(CALL("1", "execute_code", "")); // wants none
    fake.job[0]->events.progress(fake.job[0]->ctx, 1, 2, CC_STR("x"));
    silence();
    tell(CALL("2", "execute_code", ",\"_meta\":{\"progressToken\":7}"));
    cc_job *job = fake.job[1];
    job->events.progress(job->ctx, 0, 10, CC_STR("a\nb"));
    const cc_json *v = next();
    silence();
    assert_at(v, "params", "{\"progressToken\":7,\"progress\":0,\"total\":10,\"message\":\"a\\nb\"}");
    job->events.progress(job->ctx, 1, 10, CC_STR("too soon"));
    silence();
    usleep(110000);
    job->events.progress(job->ctx, 2.5, 10, CC_STR(""));
    assert_at(next(), "params", "{\"progressToken\":7,\"progress\":2.5,\"total\":10}");
    // the job stands still or goes back: the value grows all the same
    usleep(110000);
    job->events.progress(job->ctx, 1, 10, CC_STR("back"));
    v = next();
    assert_true(number_at(v, "params|progress") > 2.5 && number_at(v, "params|progress") < 2.6);
    double last = number_at(v, "params|progress");
    job->events.progress(job->ctx, 4, 10, CC_STR("latest")); // too soon, told by the next keep-alive
    silence();
    int64_t due = cc_mcp_next_tick(m);
    assert_true(due > cc_now_ms() && due <= cc_now_ms() + 1000);
    cc_mcp_tick(m, due);
    v = next();
    assert_at(v, "params|progress", "4");
    assert_at(v, "params|message", "\"latest\"");
    cc_mcp_tick(m, due + 1000);
    v = next();
    assert_true(number_at(v, "params|progress") > 4 && number_at(v, "params|progress") > last);
    usleep(1);
    job->events.progress(job->ctx, (double)NAN, 10, CC_STR("nan"));
    silence();
}

static void progress_order(void **state) { // calls begun and told at different times are due in the right order
    (void)state;
    tell(CALL("1", "execute_code", ",\"_meta\":{\"progressToken\":1}"));
    tell(CALL("2", "execute_code", ",\"_meta\":{\"progressToken\":2}"));
    int64_t first = cc_mcp_next_tick(m);
    fake.job[1]->events.progress(fake.job[1]->ctx, 1, -1, CC_STR("m"));
    assert_at(next(), "params", "{\"progressToken\":2,\"progress\":1,\"message\":\"m\"}");
    int64_t second = cc_mcp_next_tick(m); // the told one is due after 1 s, the other after 2 s
    assert_true(second < first && second > first - 1200);
    cc_mcp_tick(m, second);
    assert_at(next(), "params|progressToken", "2");
    silence();
    cc_mcp_tick(m, first + 1000);
    next(), next();
    silence();
}

// ---- subscriptions ----

static void listen_stream(void **state) {
    (void)state;
    const cc_json *v =
        ask(MODERN("1", "subscriptions/listen", ",\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]}"));
    assert_at(v, "method", "\"notifications/subscriptions/acknowledged\"");
    assert_at(v, "params", "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1},\"notifications\":{}}");
    assert_null(at(v, "id"));
    assert_at(ask(MODERN("\"1\"", "subscriptions/listen", ",\"notifications\":{}")), "params|_meta",
              "{\"io.modelcontextprotocol/subscriptionId\":\"1\"}");
    assert_error(ask(MODERN("1", "tools/list", "")), "1", -32600); // it is in flight
    assert_int_equal(cc_mcp_in_flight(m), 0);                      // but nothing is owed
    tell(CANCEL("\"1\""));
    silence();
    assert_at(ask(MODERN("\"1\"", "tools/list", "")), "result|resultType", "\"complete\"");
    cc_mcp_input_ended(m, 1000);
    v = next();
    assert_at(v, "id", "1");
    assert_at(v, "result|resultType", "\"complete\"");
    assert_at(v, "result|_meta|io.modelcontextprotocol/subscriptionId", "1");
    assert_at(v, "result|_meta|io.modelcontextprotocol/serverInfo|name", "\"codecalc\"");
    v = next();
    assert_at(v, "method", "\"notifications/cancelled\"");
    assert_at(v, "params", "{\"requestId\":1}");
    silence();
}

static void bad_listen(void **state) {
    (void)state;
    assert_error(ask(MODERN("1", "subscriptions/listen", "")), "1", -32602);
    assert_error(ask(MODERN("2", "subscriptions/listen", ",\"notifications\":[]")), "2", -32602);
    assert_error(ask(MODERN("3", "subscriptions/listen", ",\"notifications\":{\"toolsListChanged\":1}")), "3", -32602);
    assert_error(ask(MODERN("4", "subscriptions/listen", ",\"notifications\":{\"resourceSubscriptions\":[1]}")), "4", -32602);
    char frame[600];
    for (int i = 0; i < 1000; i++) {
        snprintf(frame, sizeof frame, MODERN("%d", "subscriptions/listen", ",\"notifications\":{}"), i);
        assert_at(ask(frame), "method", "\"notifications/subscriptions/acknowledged\"");
    }
    assert_error(ask(MODERN("1000", "subscriptions/listen", ",\"notifications\":{}")), "1000", -32603);
}

// ---- the end of input ----

static void grace(void **state) {
    (void)state;
    tell(CALL("1", "execute_code", ""));
    tell(CALL("2", "execute_code", ""));
    tell(CANCEL("2"));
    int64_t now = cc_now_ms();
    cc_mcp_input_ended(m, 1000);
    int64_t due = cc_mcp_next_tick(m);
    assert_true(due >= now + 1000 && due <= cc_now_ms() + 1000);
    cc_mcp_tick(m, due - 1);
    assert_int_equal(fake.job[0]->cancelled, 0);
    cc_mcp_tick(m, due);
    assert_int_equal(fake.job[0]->cancelled, 1);
    assert_int_equal(fake.job[1]->cancelled, 1); // once, by the client
    assert_true(cc_mcp_next_tick(m) == INT64_MAX);
    fake_finish(fake.job[0], "{\"ok\":false,\"code\":\"timeout\",\"error\":\"e\"}", "", true);
    assert_at(next(), "result|isError", "true"); // answered all the same
    assert_int_equal(cc_mcp_in_flight(m), 0);
}

static void no_grace(void **state) {
    (void)state;
    tell(CALL("1", "execute_code", ""));
    cc_mcp_input_ended(m, -1);
    assert_true(cc_mcp_next_tick(m) == INT64_MAX);
    assert_int_equal(fake.job[0]->cancelled, 0);
}

// ---- instructions ----

static void instructions(void **state) {
    (void)state;
    cc_selection s;
    cc_error err;
    CC_CLEANUP_BUF cc_buf text = {0};
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", CC_STR("full"), &s, &err), 0);
    cc_mcp_write_instructions(&s, &text);
    assert_true(text.n <= 600);
    cc_buf_addc(&text, 0);
    assert_non_null(strstr(text.p, "calc_exact"));
    assert_non_null(strstr(text.p, "Run a program: execute_code."));
    assert_null(strstr(text.p, "percentage")); // this table of tools has none
}

static int setup_core(void **state) {
    all_on = false;
    setup(state);
    all_on = true;
    return 0;
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    cc_error err;
    if (cc_settings_load(&err)) return 1;
    const struct CMUnitTest tests[] = {
        T(handshake),
        T(legacy_before_initialize),
        T(undeclared),
        T(never_answered),
        T(broken_frames),
        T(discover),
        T(modern_meta),
        T(modern_list),
        T(modern_removed),
        T(call),
        T(call_null_arguments),
        T(structured_by_revision),
        T(unstructured),
        T(bad_calls),
        cmocka_unit_test_setup_teardown(selection, setup_core, teardown),
        T(full_queue),
        T(many_at_once),
        T(duplicate_id),
        T(damaged_result),
        T(cancel),
        T(keep_alive),
        T(job_progress),
        T(progress_order),
        T(listen_stream),
        T(bad_listen),
        T(grace),
        T(no_grace),
        T(instructions),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cc_buf_free(&out);
    cc_arena_free(&arena);
    return failed;
}
