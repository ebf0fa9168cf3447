// Frames of JSON-RPC: ids, errors, and what is never answered. The right codes are those of the JSON-RPC 2.0 specification.
#include "unit.h"

#include "codecalc/rpc.h"

static cc_arena arena;
static cc_message msg;
static cc_error err;

// 0, or the error code; -1 for a refusal that may not be answered.
static int parse_n(const char *frame, size_t n) {
    cc_arena_reset(&arena);
    int code = 12345;
    if (!cc_message_parse(&arena, cc_str_make(frame, n), &msg, &code, &err)) return 0;
    assert_true(code == 0 || code < -32000);
    assert_true(err.msg[0]);
    return code ? code : -1;
}
static int parse(const char *frame) { return parse_n(frame, strlen(frame)); }

static void assert_id(const char *want) {
    if (!cc_str_eqz(msg.id, want)) fail_msg("id is %.*s, not %s", (int)msg.id.n, msg.id.p, want);
}

static void ids(void **state) {
    (void)state;
    static const char *const good[][2] = {
        {"1", "1"},
        {"0", "0"},
        {"-7", "-7"},
        {"\"1\"", "\"1\""},
        {"\"\"", "\"\""},
        {"9007199254740993", "9007199254740993"}, // past what a double holds
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"\"a\\u0000b\"", "\"a\\u0000b\""},
        {"\"\\u0061\"", "\"a\""}, // one text for one value
        {"\"\\\"\\\\\\n\"", "\"\\\"\\\\\\n\""},
        {"\"\xC3\xA9\"", "\"\xC3\xA9\""},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(good); i++) {
        char frame[256];
        snprintf(frame, sizeof frame, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", good[i][0]);
        assert_int_equal(parse(frame), 0);
        assert_int_equal(msg.kind, CC_REQUEST);
        assert_id(good[i][1]);
        assert_true(cc_str_eqz(msg.method, "ping"));
        assert_null(msg.params);
    }
    static const char *const bad[] = {"null", "1.5", "1.0", "1e2", "true", "{}", "[]", "[1]"};
    for (size_t i = 0; i < CC_ARRAY_LEN(bad); i++) {
        char frame[256];
        snprintf(frame, sizeof frame, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}", bad[i]);
        assert_int_equal(parse(frame), CC_RPC_INVALID_REQUEST);
        assert_int_equal(msg.id.n, 0);
    }
}

static void not_a_request(void **state) {
    (void)state;
    assert_int_equal(parse("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]"), CC_RPC_INVALID_REQUEST);
    assert_non_null(strstr(err.msg, "batch"));
    assert_int_equal(parse("[]"), CC_RPC_INVALID_REQUEST);
    assert_int_equal(parse("1"), CC_RPC_INVALID_REQUEST);
    assert_int_equal(parse("\"x\""), CC_RPC_INVALID_REQUEST);
    assert_int_equal(parse("null"), CC_RPC_INVALID_REQUEST);
    assert_int_equal(parse("{\"id\":4,\"method\":\"ping\"}"), CC_RPC_INVALID_REQUEST);
    assert_id("4");
    assert_int_equal(parse("{\"jsonrpc\":\"1.0\",\"id\":\"x\",\"method\":\"ping\"}"), CC_RPC_INVALID_REQUEST);
    assert_id("\"x\"");
    assert_int_equal(parse("{\"jsonrpc\":2.0,\"id\":5,\"method\":\"ping\"}"), CC_RPC_INVALID_REQUEST);
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":6}"), CC_RPC_INVALID_REQUEST);
    assert_id("6");
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":3}"), CC_RPC_INVALID_REQUEST);
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"m\",\"params\":\"p\"}"), CC_RPC_INVALID_REQUEST);
    assert_id("8");
}

static void bad_json(void **state) {
    (void)state;
    static const char *const bad[] = {
        "{",
        "x",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x",
        "{\"a\":1,}",
        "{'a':1}",
        "{\"a\":\"\xFF\"}",
        "{\"a\":\"\xED\xA0\x80\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
        "{\"a\":{\"b\":1,\"b\":1}}",
        "{\"a\":NaN}",
        "{\"a\":01}",
        "\xEF\xBB\xBF{}",
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(bad); i++) {
        assert_int_equal(parse(bad[i]), CC_RPC_PARSE);
        assert_int_equal(msg.id.n, 0);
    }
    static const char raw_nul[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\0b\"}";
    assert_int_equal(parse_n(raw_nul, sizeof raw_nul - 1), CC_RPC_PARSE);
    char deep[400];
    memset(deep, '[', 200);
    memset(deep + 200, ']', 200);
    assert_int_equal(parse_n(deep, sizeof deep), CC_RPC_PARSE);
}

static void notifications(void **state) {
    (void)state;
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}"), 0);
    assert_int_equal(msg.kind, CC_NOTIFICATION);
    assert_int_equal(msg.id.n, 0);
    // never answered, however malformed
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\"}"), -1);
    assert_int_equal(parse("{\"method\":\"x\"}"), -1);
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"method\":7}"), -1);
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":1}"), -1);
}

static void responses(void **state) {
    (void)state;
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"), 0);
    assert_int_equal(msg.kind, CC_RESPONSE);
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}"), 0);
    assert_int_equal(msg.kind, CC_RESPONSE);
}

static void params(void **state) {
    (void)state;
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"n\":12345678901234567890.50}}"), 0);
    assert_true(cc_str_eqz(cc_json_number(cc_json_get(msg.params, "n")), "12345678901234567890.50"));
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"s\":\"a\\u0000b\"}}"), 0);
    assert_true(cc_str_eq(cc_json_string(cc_json_get(msg.params, "s")), cc_str_make("a\0b", 3)));
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":null}"), 0);
    assert_null(msg.params);
    assert_int_equal(parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[1]}"), 0);
    assert_non_null(msg.params);
}

static void writing(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_message_write_error(&out, (cc_str){0}, CC_RPC_PARSE, CC_STR("a \"quoted\"\nline"), (cc_str){0});
    cc_message_write_error(&out, CC_STR("\"x\""), -32022, CC_STR("m"), CC_STR("{\"a\":[]}"));
    cc_jw w = cc_message_begin_result(&out, CC_STR("3"));
    cc_jw_object(&w);
    cc_jw_kint(&w, "n", 1);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    w = cc_message_begin_notification(&out, "notifications/x");
    cc_jw_object(&w);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    assert_true(cc_str_eqz(cc_buf_str(&out),
                           "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"a \\\"quoted\\\"\\nline\"}}\n"
                           "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32022,\"message\":\"m\",\"data\":{\"a\":[]}}}\n"
                           "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"n\":1}}\n"
                           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{}}\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids),       cmocka_unit_test(not_a_request), cmocka_unit_test(bad_json), cmocka_unit_test(notifications),
        cmocka_unit_test(responses), cmocka_unit_test(params),        cmocka_unit_test(writing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cc_arena_free(&arena);
    return failed;
}
