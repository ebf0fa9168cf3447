// json: strict reading, exact numbers, writing.
#include "unit.h"

#include "codecalc/json.h"

static bool parses(const char *text, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *v;
    cc_error err = {0};
    bool ok = cc_json_parse(&a, (cc_str){text, n}, CC_JSON_MAX_DEPTH, &v, &err) == 0;
    if (!ok) assert_true(err.msg[0] && err.code == CC_VALIDATION);
    return ok;
}

#define P(literal) parses(literal, sizeof(literal) - 1)

static void accepts_what_rfc_8259_allows(void **state) {
    (void)state;
    assert_true(P("0") && P("-0.5e+10") && P("  [1, 2 ,3]\r\n\t") && P("{}") && P("\"\\u0041\\ud83d\\ude00\"") && P("null"));
    assert_true(P("{\"a\":1,\"A\":2}")); // case tells keys apart
    assert_true(P("1e999999999"));       // a number is its text
}

static void refuses_everything_else(void **state) {
    (void)state;
    assert_false(P("") || P(" ") || P("01") || P("1.") || P(".5") || P("+1") || P("1e") || P("NaN") || P("Infinity") || P("-") ||
                 P("0x10"));
    assert_false(P("[1,]") || P("{\"a\":1,}") || P("[1 2]") || P("{\"a\" 1}") || P("{a:1}") || P("['a']") || P("[1]x") || P("1 2") ||
                 P("tru"));
    assert_false(P("\"\x01\"") || P("\"\t\"") || P("\"\\x\"") || P("\"\\u12\"") || P("\"\\ud800\"") || P("\"\\udc00\\ud800\"") ||
                 P("\"abc"));
    assert_false(P("\"\xFF\"") || P("\"\xC0\x80\"") || P("\"\xED\xA0\x80\"") || P("/*c*/1") || P("\xEF\xBB\xBF{}"));
    assert_false(P("{\"a\":1,\"b\":2,\"a\":3}") || P("[{\"x\":{\"y\":1,\"\\u0079\":2}}]")); // the same key, written in two ways
    assert_false(P("1\0"));
}

static void finds_a_duplicate_among_many(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_buf_addc(&b, '{');
    for (int i = 0; i < 5000; i++) cc_buf_printf(&b, "\"k%d\":%d,", i, i);
    size_t end = b.n;
    cc_buf_addz(&b, "\"k5000\":0}");
    assert_true(parses(b.p, b.n));
    b.n = end;
    cc_buf_addz(&b, "\"k4321\":0}");
    assert_false(parses(b.p, b.n));
}

static void bounds_depth(void **state) {
    (void)state;
    char text[300];
    for (size_t depth = 63; depth <= 65; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        assert_int_equal(parses(text, 2 * depth), depth <= CC_JSON_MAX_DEPTH);
    }
    assert_true(
        P("[\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"]")); // brackets in a string do not count
    memset(text, '[', sizeof text);
    assert_false(parses(text, sizeof text));
}

static void keeps_every_byte(void **state) {
    (void)state;
    static const char text[] = "{\"s\":\"a\\u0000b\\\"\\\\\\n\",\"n\":[123456789012345678901234567890,-0.10,1E+2],\"\":{\"t\":true,\"u\":"
                               "null},\"\xE2\x82\xAC\":\"\xF0\x9F\x98\x80\"}";
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *v;
    cc_error err;
    assert_int_equal(cc_json_parse(&a, CC_STR(text), CC_JSON_MAX_DEPTH, &v, &err), 0);
    cc_str s = cc_json_string(cc_json_get(v, "s"));
    assert_int_equal(s.n, 6);
    assert_memory_equal(s.p, "a\0b\"\\\n", 6);
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_jw w = cc_jw_make(&out);
    cc_jw_value(&w, v);
    assert_text(out, text);
    assert_null(cc_json_get(v, "S"));
    assert_null(cc_json_get_type(v, "s", CC_JSON_NUMBER));
    assert_string_equal(cc_json_type_name(cc_json_get(v, "n")), "array");
}

static void reads_integers_that_fit(void **state) {
    (void)state;
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *v;
    cc_error err;
    assert_int_equal(cc_json_parse(&a, CC_STR("[0,-7,9007199254740993,1.0,1e2,99999999999999999999,\"1\"]"), 4, &v, &err), 0);
    static const struct {
        bool is;
        int64_t n;
    } want[] = {{true, 0}, {true, -7}, {true, 9007199254740993}, {false, 0}, {false, 0}, {false, 0}, {false, 0}};
    cc_json_iter it = cc_json_iterate(v);
    size_t i = 0;
    for (; cc_json_next(&it); i++) {
        int64_t n = 0;
        assert_int_equal(cc_json_int64(it.value, &n), want[i].is);
        assert_int_equal(n, want[i].n);
    }
    assert_int_equal(i, CC_ARRAY_LEN(want));
}

static void writes_documents(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_jw w = cc_jw_make(&out);
    cc_jw_object(&w);
    cc_jw_kstring(&w, "text", cc_str_make("q\"\\\x01\0\xFF\xC3\xA9", 8));
    cc_jw_kint(&w, "fits", 9007199254740992);
    cc_jw_kint(&w, "beyond", 9007199254740993);
    cc_jw_kdouble(&w, "tenth", 0.1);
    cc_jw_kdouble(&w, "third", 1.0 / 3);
    cc_jw_key(&w, "list");
    cc_jw_array(&w);
    cc_jw_bool(&w, true);
    cc_jw_null(&w);
    cc_jw_array(&w);
    cc_jw_end_array(&w);
    cc_jw_end_array(&w);
    cc_jw_kraw(&w, "raw", CC_STR("{\"a\":1}"));
    cc_jw_end_object(&w);
    assert_text(
        out,
        "{\"text\":\"q\\\"\\\\\\u0001\\u0000\xEF\xBF\xBD\xC3\xA9\",\"fits\":9007199254740992,\"beyond\":\"9007199254740993\",\"tenth\":0.1,"
        "\"third\":0.3333333333333333,\"list\":[true,null,[]],\"raw\":{\"a\":1}}");
    assert_true(parses(out.p, out.n));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_rfc_8259_allows),
        cmocka_unit_test(refuses_everything_else),
        cmocka_unit_test(finds_a_duplicate_among_many),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(keeps_every_byte),
        cmocka_unit_test(reads_integers_that_fit),
        cmocka_unit_test(writes_documents),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
