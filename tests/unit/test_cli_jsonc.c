// JSONC editing: one member is set or removed, every other byte stays. (The random documents are in tests/e2e/test_cli_setup.py.)
#include "unit.h"

#include "codecalc/cli.h"

static const cc_str path[] = {{"servers", 7}, {"codecalc", 8}};

static void expect_set(const char *text, const char *value, const char *want) {
    CC_CLEANUP_BUF cc_buf out = {0}, again = {0};
    cc_error err = {0};
    if (cc_jsonc_set(cc_str_of(text), path, 2, cc_str_of(value), &out, &err)) fail_msg("%s: %s", text, err.msg);
    assert_text(out, want);
    assert_int_equal(cc_jsonc_set(cc_buf_str(&out), path, 2, cc_str_of(value), &again, &err), 0);
    assert_text(again, want); // a second time changes nothing
}

static void expect_remove(const char *text, const char *want) {
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_error err = {0};
    if (cc_jsonc_remove(cc_str_of(text), path, 2, &out, &err)) fail_msg("%s: %s", text, err.msg);
    assert_text(out, want);
}

static void expect_refused(const char *text, const char *message) {
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_error err = {0};
    assert_int_equal(cc_jsonc_set(cc_str_of(text), path, 2, CC_STR("1"), &out, &err), -1);
    assert_int_equal(out.n, 0);
    assert_string_equal(err.msg, message);
    assert_int_equal(cc_jsonc_remove(cc_str_of(text), path, 2, &out, &err), -1);
    assert_int_equal(out.n, 0);
}

static void inserts_in_the_style_of_the_file(void **state) {
    (void)state;
    expect_set("", "{\"a\":1}", "{\n  \"servers\": {\n    \"codecalc\": {\n      \"a\": 1\n    }\n  }\n}\n");
    expect_set("\xEF\xBB\xBF", "1", "\xEF\xBB\xBF{\n  \"servers\": {\n    \"codecalc\": 1\n  }\n}\n");
    expect_set("// nothing yet", "1", "// nothing yet\n{\n  \"servers\": {\n    \"codecalc\": 1\n  }\n}\n");
    expect_set("{}", "1", "{\n  \"servers\": {\n    \"codecalc\": 1\n  }\n}");
    expect_set("{\n}\n", "1", "{\n  \"servers\": {\n    \"codecalc\": 1\n  }\n}\n");
    expect_set("{\"servers\":{}}", "{\"a\":[1,2]}", "{\"servers\":{\"codecalc\": {\"a\": [1, 2]}}}");
    expect_set("{\"servers\":{\"x\":1}}", "{\"a\":[1,2]}", "{\"servers\":{\"codecalc\":{\"a\":[1,2]},\"x\":1}}");
    expect_set("{ \"servers\": { \"x\": 1 } }\n", "1", "{ \"servers\": { \"codecalc\": 1, \"x\": 1 } }\n");
    expect_set("{\r\n\t\"servers\": {\r\n\t\t\"x\": 1\r\n\t}\r\n}\r\n", "{\"a\":{\"b\":true}}",
               "{\r\n\t\"servers\": {\r\n\t\t\"codecalc\": {\r\n\t\t\t\"a\": {\r\n\t\t\t\t\"b\": true\r\n\t\t\t}\r\n\t\t},\r\n\t\t\"x\": "
               "1\r\n\t}\r\n}\r\n");
    expect_set("{\r  \"servers\": {}\r}", "1", "{\r  \"servers\": {\r    \"codecalc\": 1\r  }\r}");
    expect_set("{\n    \"z\": 0, // last\n    /* before */ \"servers\": {\n        // mine\n        \"x\": 1, // one\n    },\n}", "1",
               "{\n    \"z\": 0, // last\n    /* before */ \"servers\": {\n        \"codecalc\": 1,\n        // mine\n        \"x\": 1, // "
               "one\n    },\n}");
    expect_set("{ // head\n  \"servers\": { // servers\n    \"x\": 1\n  }\n}", "1",
               "{ // head\n  \"servers\": { // servers\n    \"codecalc\": 1,\n    \"x\": 1\n  }\n}");
    expect_set("{\n  \"servers\": {\n    // none\n  }\n}", "1", "{\n  \"servers\": {\n    \"codecalc\": 1\n    // none\n  }\n}");
    expect_set("{\n  \"a // \\\" {\": \"}\" /* { */\n}", "1",
               "{\n  \"servers\": {\n    \"codecalc\": 1\n  },\n  \"a // \\\" {\": \"}\" /* { */\n}");
}

static void replaces_only_what_differs(void **state) {
    (void)state;
    const char *spaced = "{\"servers\": {\"codecalc\" : /* ours */ { \"a\" : [ 1 , 2, ] } /* end */ }}";
    expect_set(spaced, "{\"a\":[1,2]}", spaced);
    expect_set(spaced, "{\"a\":[1,3]}", "{\"servers\": {\"codecalc\" : /* ours */ {\"a\": [1, 3]} /* end */ }}");
    expect_set("{\n  \"servers\": {\n    \"codec\\u0061lc\": 0, // x\n  },\n}", "{\"a\":1}",
               "{\n  \"servers\": {\n    \"codec\\u0061lc\": {\n      \"a\": 1\n    }, // x\n  },\n}");
    // 1.0 and 1 are different texts, and the text is what the client reads
    expect_set("{\"servers\":{\"codecalc\":1.0}}", "1", "{\"servers\":{\"codecalc\":1}}");
}

static void removes_without_a_trace(void **state) {
    (void)state;
    expect_remove("", "");
    expect_remove("{\"a\": 1}", "{\"a\": 1}");
    expect_remove("{\"servers\": {}}", "{\"servers\": {}}");
    expect_remove("{\"servers\":{\"codecalc\":{\"a\":1},\"x\":1}}", "{\"servers\":{\"x\":1}}");
    expect_remove("{\"servers\":{\"x\":1,\"codecalc\":{\"a\":1}}}", "{\"servers\":{\"x\":1}}");
    expect_remove("{ \"servers\": { \"codecalc\": 1, \"x\": 1 } }", "{ \"servers\": { \"x\": 1 } }");
    expect_remove("{\"servers\":{\"codecalc\":1}}", "{\"servers\":{}}");
    expect_remove("{\n  \"servers\": {\n    \"codecalc\": {\n      \"a\": 1\n    },\n    \"x\": 1\n  }\n}",
                  "{\n  \"servers\": {\n    \"x\": 1\n  }\n}");
    expect_remove("{\n  \"servers\": {\n    \"x\": 1, // one\n    \"codecalc\": 2\n  }\n}",
                  "{\n  \"servers\": {\n    \"x\": 1 // one\n  }\n}");
    expect_remove("{\r\n  \"servers\": {\r\n    \"x\": 1,\r\n    \"codecalc\": 2,\r\n  }\r\n}",
                  "{\r\n  \"servers\": {\r\n    \"x\": 1,\r\n  }\r\n}");
    expect_remove("{\"servers\": {\"x\": 1, /* a */ \"codecalc\": 2 /* b */}}", "{\"servers\": {\"x\": 1 /* a */  /* b */}}");
    expect_remove("{\"servers\": {\"codecalc\": 2 /* b */, \"x\": 1}}", "{\"servers\": {/* b */ \"x\": 1}}");
}

static void refuses_what_it_cannot_read(void **state) {
    (void)state;
    expect_refused("{", "line 1, column 2: the text ends inside an object");
    expect_refused("[]", "line 1, column 1: the document should be an object");
    expect_refused("{\"servers\": []}", "line 1, column 13: an object should be here");
    expect_refused("{\"servers\": {}, \"servers\": {}}", "line 1, column 17: the same key occurs twice in this object");
    expect_refused("{\"servers\": {\"codecalc\": 1, \"\\u0063odecalc\": 2}}",
                   "line 1, column 29: the same key occurs twice in this object");
    expect_refused("{\"a\": 1}\n}", "line 2, column 1: text after the end of the document");
    expect_refused("{\n\n  'a': 1}", "line 3, column 3: a key in double quotes or '}' should be here");
    expect_refused("{\r\n\"a\": 1 \"b\": 2}", "line 2, column 8: ',' or '}' should be here");
    expect_refused("{\"a\": /* }", "line 1, column 7: a comment that does not end");
    expect_refused("{\"a\": \"b\n\"}", "line 1, column 9: a control character in a string");
    expect_refused("{\"a\": 01}", "line 1, column 7: not a JSON value");
    expect_refused("{\"a\": \"\\x\"}", "line 1, column 9: an unknown escape in a string");
    expect_refused("{\"a\": ,}", "line 1, column 7: not a JSON value");
    expect_refused("{,}", "line 1, column 2: a key in double quotes or '}' should be here");
    expect_refused("{\"a\": [,]}", "line 1, column 8: not a JSON value");
    expect_refused("{\"a\": \"\xff\"}", "the text is not valid UTF-8");
    expect_refused("\xff\xfe{\0}\0", "the text is not valid UTF-8"); // UTF-16
    CC_CLEANUP_BUF cc_buf deep = {0};
    cc_buf_addz(&deep, "{\"a\":");
    for (int i = 0; i < 100000; i++) cc_buf_addc(&deep, '[');
    cc_buf_addc(&deep, 0);
    expect_refused(deep.p, "line 1, column 205: nested too deeply");
}

static void parses_to_the_same_data(void **state) {
    (void)state;
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *v;
    cc_error err;
    assert_int_equal(cc_jsonc_parse(&a, CC_STR("\xEF\xBB\xBF// x\n{\"a\": [1, /* 2 */ \"//\",], \"b\": {},}\n"), &v, &err), 0);
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_jw w = cc_jw_make(&out);
    cc_jw_value(&w, v);
    assert_text(out, "{\"a\":[1,\"//\"],\"b\":{}}");
    assert_int_equal(cc_jsonc_parse(&a, CC_STR(" /* nothing */ "), &v, &err), 0);
    assert_null(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inserts_in_the_style_of_the_file), cmocka_unit_test(replaces_only_what_differs),
        cmocka_unit_test(removes_without_a_trace),          cmocka_unit_test(refuses_what_it_cannot_read),
        cmocka_unit_test(parses_to_the_same_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
