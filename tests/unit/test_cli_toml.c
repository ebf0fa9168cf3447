// TOML editing: the server's table is set or removed, every other byte stays, and what is not understood is refused.
#include "unit.h"

#include "codecalc/cli.h"

static const cc_str path[] = {{"mcp", 3}, {"codecalc", 8}};

static void expect_set(const char *text, const char *want) {
    CC_CLEANUP_BUF cc_buf out = {0}, again = {0};
    cc_error err = {0};
    if (cc_toml_set(cc_str_of(text), path, 2, CC_STR("command"), CC_STR("\"/c\""), &out, &err)) fail_msg("%s: %s", text, err.msg);
    assert_text(out, want);
    assert_int_equal(cc_toml_set(cc_buf_str(&out), path, 2, CC_STR("command"), CC_STR("\"/c\""), &again, &err), 0);
    assert_text(again, want);
}

static void expect_remove(const char *text, const char *want) {
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_error err = {0};
    if (cc_toml_remove(cc_str_of(text), path, 2, &out, &err)) fail_msg("%s: %s", text, err.msg);
    assert_text(out, want);
}

static void expect_refused(const char *text, const char *message) {
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_error err = {0};
    assert_int_equal(cc_toml_set(cc_str_of(text), path, 2, CC_STR("command"), CC_STR("1"), &out, &err), -1);
    assert_int_equal(out.n, 0);
    assert_string_equal(err.msg, message);
}

#define TABLE "[mcp.codecalc]\ncommand = \"/c\"\n"

static void adds_the_table_at_the_end(void **state) {
    (void)state;
    expect_set("", TABLE);
    expect_set("a = 1\n", "a = 1\n\n" TABLE);
    expect_set("a = 1", "a = 1\n\n" TABLE);
    expect_set("a = 1\r\n", "a = 1\r\n\r\n[mcp.codecalc]\r\ncommand = \"/c\"\r\n");
    expect_set("[mcp.other]\ncommand = '''\n[mcp.codecalc]\n'''\n# [mcp.codecalc]\n",
               "[mcp.other]\ncommand = '''\n[mcp.codecalc]\n'''\n# [mcp.codecalc]\n\n" TABLE);
    expect_set("x = [ # list\n 1,\n [2, \"]\"], ]\n", "x = [ # list\n 1,\n [2, \"]\"], ]\n\n" TABLE);
}

static void edits_the_table_that_is_there(void **state) {
    (void)state;
    expect_set("[mcp.codecalc]\n", TABLE);
    expect_set("[ mcp . \"codecalc\" ] # ours\ncommand = 'x' # y\nargs = []\n",
               "[ mcp . \"codecalc\" ] # ours\ncommand = \"/c\" # y\nargs = []\n");
    expect_set("[mcp.codecalc]\n  args = [\n  1 ]\n# end\n[z]\n", "[mcp.codecalc]\n  args = [\n  1 ]\n  command = \"/c\"\n# end\n[z]\n");
    expect_set("[mcp.codecalc.env]\nA = \"b\"\n", "[mcp.codecalc.env]\nA = \"b\"\n\n" TABLE);
    expect_set("[mcp.codecalc]\nenv.command = 1\nd = 1979-05-27 07:32:00Z\n",
               "[mcp.codecalc]\nenv.command = 1\nd = 1979-05-27 07:32:00Z\ncommand = \"/c\"\n");
}

static void gets_the_raw_value(void **state) {
    (void)state;
    cc_str raw;
    cc_error err;
    assert_int_equal(cc_toml_get(CC_STR("[mcp.codecalc]\ncommand = \"a#b\" # c\n"), path, 2, CC_STR("command"), &raw, &err), 1);
    assert_text(raw, "\"a#b\"");
    assert_int_equal(cc_toml_get(CC_STR("[mcp.other]\ncommand = 1\n"), path, 2, CC_STR("command"), &raw, &err), 0);
}

static void removes_the_table_and_those_below(void **state) {
    (void)state;
    expect_remove("a = 1\n", "a = 1\n");
    expect_remove("a = 1\n\n" TABLE, "a = 1\n");
    expect_remove(TABLE, "");
    expect_remove("a = 1\n\n" TABLE "\n[z]\nb = 2\n", "a = 1\n\n[z]\nb = 2\n");
    expect_remove("[a]\n\n" TABLE "\n[mcp.codecalc.env]\nX = \"1\"\n# of z\n[z]\n", "[a]\n\n# of z\n[z]\n");
}

static void refuses_what_it_does_not_understand(void **state) {
    (void)state;
    const char *other_form = "line 1: the server is written as an inline table or with dotted keys, which are not edited here";
    expect_refused("mcp = { codecalc = { command = 1 } }\n", other_form);
    expect_refused("mcp.codecalc.command = 1\n", other_form);
    expect_refused("mcp.codecalc = {}\n", other_form);
    expect_refused("[mcp]\ncodecalc.command = 1\n",
                   "line 2: the server is written as an inline table or with dotted keys, which are not edited here");
    expect_refused("[[mcp]]\n", "line 1: an array of tables stands where the server's table should be");
    expect_refused(TABLE TABLE, "line 3: the same table occurs twice");
    expect_refused(TABLE "command = 2\n", "line 3: the same key occurs twice");
    expect_refused("a = \n", "line 1: a value should be here");
    expect_refused("a = yes\n", "line 1: a value should be here");
    expect_refused("a\n", "line 1: '=' should follow a key");
    expect_refused("a = \"b\n", "line 1: a string that does not end");
    expect_refused("a = [1\nb = 2\n", "line 2: an array that does not end");
    expect_refused("a = 1 b = 2\n", "line 1: one statement a line");
    expect_refused("[a\n", "line 1: ']' should end the table's name");
    expect_refused("\"a\\u0062\" = 1\n", "line 1: an escape in a key is not understood here");
    expect_refused("a = '\xff'\n", "the text is not valid UTF-8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_the_table_at_the_end),
        cmocka_unit_test(edits_the_table_that_is_there),
        cmocka_unit_test(gets_the_raw_value),
        cmocka_unit_test(removes_the_table_and_those_below),
        cmocka_unit_test(refuses_what_it_does_not_understand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
