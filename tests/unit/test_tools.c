// tools: arguments against a declaration, the result object, groups, the command line.
#include "unit.h"

#include "codecalc/tools.h"

static const char *const colours[] = {"red", "green", NULL};
static const cc_param params[] = {
    {"text", CC_STRING, .required = true, .max_len = 20, .doc = "Some text"},
    {"count", CC_INT, .min = 1, .max = 10, .def = "3"},
    {"limit", CC_INT, .min = 1, .max = 120, .clamp = true},
    {"big", CC_INT, .big = true},
    {"ratio", CC_NUMBER},
    {"flag", CC_BOOL, .def = "false"},
    {"colour", CC_ENUM, .values = colours},
    {"words", CC_STRING_LIST, .max_len = 3},
    {"nums", CC_NUMBER_LIST},
    {"files", CC_STRING_MAP},
    {"rows", CC_MATRIX},
    {"extra", CC_OBJECT},
    {0},
};

static int run_fields(cc_call *call, cc_error *err) {
    (void)err;
    cc_jw_kstring(&call->out, "text", cc_arg_text(call, "text"));
    cc_jw_kint(&call->out, "count", cc_arg_int(call, "count"));
    if (cc_arg_flag(call, "flag")) {
        call->ok = false;
        cc_jw_kint(&call->receipt, "pid", 1);
        cc_call_warn(call, "the flag was %s", "set");
    }
    return 0;
}

static int run_failing(cc_call *call, cc_error *err) {
    cc_jw_kstringz(&call->out, "half", "written");
    cc_error_set(err, CC_TIMEOUT, "it took too long");
    return cc_error_remedy(err, "give it more time");
}

static const cc_field fields[] = {
    {"text", "string", true, "The text"},
    {"count", "integer|string", true, "The count"},
    {"rows", "object[]", false, "Rows"},
    {0},
};
static const cc_tool sample = {
    .name = "sample", .group = CC_ANALYSIS, .title = "Sample", .doc = "A sample", .params = params, .result = fields, .run = run_fields};
static const cc_tool failing = {
    .name = "failing", .group = CC_ADMIN, .title = "Failing", .doc = "Fails", .params = params, .run = run_failing};
const cc_tool *const cc_tools[] = {&sample, &failing, NULL};

static cc_arena arena;
static cc_error err;

static int free_arena(void **state) {
    (void)state;
    cc_arena_free(&arena);
    return 0;
}

static int parse(const char *json, cc_args *args) {
    const cc_json *v;
    err = (cc_error){0};
    if (cc_json_parse(&arena, cc_str_of(json), CC_JSON_MAX_DEPTH, &v, &err)) fail_msg("%s: %s", json, err.msg);
    return cc_args_parse(&arena, &sample, v, args, &err);
}

static void refuses(const char *json, const char *message) {
    cc_args args;
    if (parse(json, &args) == 0) fail_msg("accepted: %s", json);
    assert_int_equal(err.code, CC_VALIDATION);
    assert_string_equal(err.msg, message);
}

static void takes_every_kind(void **state) {
    (void)state;
    cc_args args;
    int rc = parse(
        "{\"text\":\"a\\u0000b\",\"count\":\"7\",\"limit\":500,\"big\":\"-0x1F\",\"ratio\":\"1/3\",\"flag\":true,\"colour\":\"green\","
        "\"words\":[\"x\",\"y\"],\"nums\":[1,\"2.5\",-1e3],\"files\":{\"a.txt\":\"A\"},\"rows\":[[1,\"x\"],[3,4]],\"extra\":{\"k\":[]}}",
        &args);
    if (rc) fail_msg("%s", err.msg);
    assert_int_equal(cc_arg(&args, "text")->text.n, 3);
    assert_int_equal(cc_arg(&args, "count")->i, 7);
    assert_int_equal(cc_arg(&args, "limit")->i, 120);
    assert_text(args.warnings[0], "limit was limited to 120");
    assert_text(cc_arg(&args, "big")->text, "-31");
    assert_text(cc_arg(&args, "ratio")->text, "1/3");
    assert_true(cc_arg(&args, "flag")->flag);
    assert_int_equal(cc_arg(&args, "words")->n, 2);
    assert_text(cc_arg(&args, "nums")->items[2], "-1e3");
    assert_text(cc_arg(&args, "files")->keys[0], "a.txt");
    assert_text(cc_arg(&args, "files")->items[0], "A");
    assert_int_equal(cc_arg(&args, "rows")->columns, 2);
    assert_text(cc_arg(&args, "rows")->items[1], "x");
    assert_non_null(cc_json_get(cc_arg(&args, "extra")->json, "k"));
}

static void fills_in_defaults(void **state) {
    (void)state;
    cc_args args;
    assert_int_equal(parse("{\"text\":\"t\",\"count\":null}", &args), 0);
    assert_int_equal(cc_arg(&args, "count")->i, 3);
    assert_true(cc_arg(&args, "count")->present && !cc_arg(&args, "count")->given);
    assert_false(cc_arg(&args, "big")->present);
}

static void reads_integers_of_any_size(void **state) {
    (void)state;
    static const struct {
        const char *json, *digits;
    } cases[] = {
        {"{\"text\":\"\",\"big\":18446744073709551616}", "18446744073709551616"},
        {"{\"text\":\"\",\"big\":\"0xFFFFFFFFFFFFFFFFFFFF\"}", "1208925819614629174706175"}, // 2^80 - 1
        {"{\"text\":\"\",\"big\":\"0b1010\"}", "10"},
        {"{\"text\":\"\",\"big\":\"0o777\"}", "511"},
        {"{\"text\":\"\",\"big\":\"1_000_000\"}", "1000000"},
        {"{\"text\":\"\",\"big\":1e3}", "1000"},
        {"{\"text\":\"\",\"big\":2.50e1}", "25"},
        {"{\"text\":\"\",\"big\":-0}", "0"},
        {"{\"text\":\"\",\"big\":\"-000\"}", "0"},
        {"{\"text\":\"\",\"big\":\"  +42 \"}", "42"},
        {"{\"text\":\"\",\"big\":0e99999}", "0"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_args args;
        if (parse(cases[i].json, &args)) fail_msg("%s: %s", cases[i].json, err.msg);
        assert_text(cc_arg(&args, "big")->text, cases[i].digits);
    }
}

static void warns_of_rounded_numbers(void **state) {
    (void)state;
    cc_args args;
    assert_int_equal(parse("{\"text\":\"\",\"big\":9007199254740993,\"nums\":[1e300]}", &args), 0);
    assert_int_equal(args.n_warnings, 2);
    assert_non_null(strstr(args.warnings[0].p, "big came as a JSON number past 2^53"));
    assert_int_equal(parse("{\"text\":\"\",\"big\":\"9007199254740993\",\"nums\":[9007199254740992]}", &args), 0);
    assert_int_equal(args.n_warnings, 0);
}

static void names_the_field(void **state) {
    (void)state;
    refuses("{}", "text: is required");
    assert_string_equal(err.remedy, "Some text");
    refuses("{\"text\":[]}", "text: takes a string, got array");
    refuses("{\"text\":\"123456789012345678901\"}", "text: has 21 bytes, at most 20 are taken");
    refuses("{\"text\":\"\",\"count\":11}", "count: 11 is outside 1 to 10");
    refuses("{\"text\":\"\",\"count\":99999999999999999999}", "count: 99999999999999999999 is outside 1 to 10");
    refuses("{\"text\":\"\",\"count\":1.5}", "count: takes an integer, got '1.5'");
    refuses("{\"text\":\"\",\"count\":\"\"}", "count: takes an integer, got ''");
    refuses("{\"text\":\"\",\"big\":1e999999999}", "big: takes an integer, got '1e999999999'");
    refuses("{\"text\":\"\",\"big\":\"0xfg\"}", "big: takes an integer, got '0xfg'");
    refuses("{\"text\":\"\",\"ratio\":\"1/\"}", "ratio: takes a number such as 12, 0.5, 1e-3 or 1/3, got '1/'");
    refuses("{\"text\":\"\",\"flag\":1}", "flag: takes true or false, got number");
    refuses("{\"text\":\"\",\"colour\":\"blue\"}", "colour: 'blue' is not one of red, green");
    refuses("{\"text\":\"\",\"words\":[1]}", "words[0]: takes a string, got number");
    refuses("{\"text\":\"\",\"words\":[\"\",\"\",\"\",\"\"]}", "words: has 4 items, at most 3 are taken");
    refuses("{\"text\":\"\",\"nums\":[\"x\"]}", "nums: takes a number such as 12, 0.5, 1e-3 or 1/3, got 'x'");
    refuses("{\"text\":\"\",\"rows\":[[1,2],[3]]}", "rows: row 2 has 1 entries, row 1 has 2");
    refuses("{\"text\":\"\",\"rows\":[]}", "rows: has no rows");
    refuses("{\"text\":\"\",\"files\":{\"a\":1}}", "files['a']: takes a string, got number");
    refuses("[]", "arguments: takes an object, got array");
}

static void names_the_nearest_key(void **state) {
    (void)state;
    refuses("{\"txt\":\"hi\",\"count\":2}", "unknown argument 'txt'; did you mean 'text'?");
    assert_string_equal(err.next, "{\"tool\":\"sample\",\"arguments\":{\"text\":\"hi\",\"count\":2}}");
    assert_non_null(strstr(err.remedy, "text, count, limit"));
    refuses("{\"text\":\"\",\"our\":1}", "unknown argument 'our'; did you mean 'colour'?"); // and not "words", which is as near
    refuses("{\"text\":\"\",\"zzzzzzzzzz\":1}", "unknown argument 'zzzzzzzzzz'");
    assert_string_equal(err.next, "");
}

static void takes_structures_sent_as_text(void **state) {
    (void)state;
    cc_args args;
    assert_int_equal(parse("{\"text\":5,\"nums\":\"[1,2]\",\"files\":\"{\\\"a\\\":\\\"b\\\"}\"}", &args), 0);
    assert_text(cc_arg(&args, "text")->text, "5");
    assert_int_equal(cc_arg(&args, "nums")->n, 2);
    assert_text(cc_arg(&args, "files")->items[0], "b");
}

static void run(const cc_tool *tool, const char *json, const char *body_wanted, const char *receipt_wanted, bool answered) {
    const cc_json *v;
    cc_call call = {.tool = tool, .arena = &arena};
    assert_int_equal(cc_json_parse(&arena, cc_str_of(json), CC_JSON_MAX_DEPTH, &v, &err), 0);
    assert_int_equal(cc_args_parse(&arena, tool, v, &call.args, &err), 0);
    CC_CLEANUP_BUF cc_buf body = {0}, receipt = {0};
    cc_buf_addz(&body, "before");
    assert_int_equal(cc_call_run(&call, &body, &receipt), answered);
    assert_text(((cc_str){body.p + 6, body.n - 6}), body_wanted);
    assert_text(((cc_str){receipt.p ? receipt.p : "", receipt.n}), receipt_wanted);
}

static void wraps_results(void **state) {
    (void)state;
    run(&sample, "{\"text\":\"t\"}", "{\"ok\":true,\"text\":\"t\",\"count\":3}", "", true);
    run(&sample, "{\"text\":\"t\",\"flag\":true,\"limit\":200}",
        "{\"ok\":false,\"text\":\"t\",\"count\":3,\"warnings\":[\"limit was limited to 120\",\"the flag was set\"]}", "{\"pid\":1}", true);
    run(&failing, "{\"text\":\"t\"}", "{\"ok\":false,\"code\":\"timeout\",\"error\":\"it took too long\",\"remedy\":\"give it more time\"}",
        "", false);
}

static void reads_command_lines(void **state) {
    (void)state;
    char *words[] = {"text=a=b", "count=4", "nums=1, 2.5", "words=[\"a,b\"]", "files={\"x\":\"y\"}", "flag=true"};
    CC_CLEANUP_BUF cc_buf out = {0};
    assert_int_equal(cc_args_from_words(&arena, &sample, CC_ARRAY_LEN(words), words, &out, &err), 0);
    assert_text(
        out, "{\"text\":\"a=b\",\"count\":\"4\",\"nums\":[\"1\",\"2.5\"],\"words\":[\"a,b\"],\"files\":{\"x\":\"y\"},\"flag\":\"true\"}");
    cc_args args;
    cc_buf_addc(&out, 0);
    assert_int_equal(parse(out.p, &args), 0);
    char *bad[] = {"novalue"};
    assert_int_equal(cc_args_from_words(&arena, &sample, 1, bad, &out, &err), -1);
    char *not_json[] = {"files=x"};
    assert_int_equal(cc_args_from_words(&arena, &sample, 1, not_json, &out, &err), -1);
    assert_non_null(strstr(err.msg, "files: takes an object in JSON"));
}

static void selects_groups(void **state) {
    (void)state;
    cc_selection s;
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", CC_STR(""), &s, &err), 0);
    for (unsigned g = 0; g < CC_GROUPS; g++) assert_true(s.group[g]);
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", CC_STR("core"), &s, &err), 0);
    assert_true(s.group[CC_CALCULATOR] && !s.group[CC_EXECUTION]);
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", CC_STR("dev"), &s, &err), 0);
    assert_true(s.group[CC_CALCULATOR] && s.group[CC_EXECUTION] && s.group[CC_VERIFICATION] && s.group[CC_ANALYSIS]);
    assert_false(s.group[CC_SESSIONS] || s.group[CC_ADMIN]);
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", CC_STR(" calculator , admin,"), &s, &err), 0);
    assert_true(s.group[CC_CALCULATOR] && s.group[CC_ADMIN] && !s.group[CC_ANALYSIS]);
    assert_int_equal(cc_selection_parse("CODECALC_TOOLS", CC_STR("core,nosuch"), &s, &err), -1);
    assert_non_null(strstr(err.msg, "'nosuch'"));
    assert_non_null(strstr(err.msg, cc_selection_words()));
}

static void finds_tools(void **state) {
    (void)state;
    assert_ptr_equal(cc_tools_find(CC_STR("failing")), &failing);
    assert_null(cc_tools_find(CC_STR("Failing")));
    assert_ptr_equal(cc_tools_nearest(CC_STR("sampel")), &sample);
    assert_null(cc_tools_nearest(CC_STR("quite_other")));
    assert_int_equal(cc_tools_index(&failing), 1);
}

static void describes_itself(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_jw w = cc_jw_make(&out);
    cc_tool_write_listing(&w, &sample);
    const cc_json *v;
    assert_int_equal(cc_json_parse(&arena, cc_buf_str(&out), CC_JSON_MAX_DEPTH, &v, &err), 0);
    const cc_json *schema = cc_json_get(v, "inputSchema"), *properties = cc_json_get(schema, "properties");
    assert_text(cc_json_string(cc_json_get(schema, "type")), "object");
    assert_int_equal(cc_json_size(properties), 12);
    assert_int_equal(cc_json_size(cc_json_get(schema, "required")), 1);
    assert_int_equal(cc_json_type_of(cc_json_get(cc_json_get(properties, "big"), "type")), CC_JSON_ARRAY);
    assert_null(cc_json_get(cc_json_get(properties, "count"), "maximum")); // ranges are not listed
    cc_buf page = {0};
    cc_tool_write_page(&page, &sample);
    cc_buf_addc(&page, 0);
    assert_non_null(strstr(page.p, "| `colour` | one of `red` `green` | none |"));
    assert_non_null(strstr(page.p, "| `count` | integer\\|string | The count |"));
    cc_buf_free(&page);
    out.n = 0;
    w = cc_jw_make(&out);
    cc_tool_write_result_schema(&w, &sample);
    assert_int_equal(cc_json_parse(&arena, cc_buf_str(&out), CC_JSON_MAX_DEPTH, &v, &err), 0);
    cc_json_iter kinds = cc_json_iterate(cc_json_get(v, "anyOf"));
    assert_true(cc_json_next(&kinds));
    assert_int_equal(cc_json_size(cc_json_get(kinds.value, "properties")), 5);
    assert_int_equal(cc_json_size(cc_json_get(kinds.value, "required")), 3);
    assert_true(cc_json_next(&kinds));
    assert_non_null(cc_json_get(cc_json_get(kinds.value, "properties"), "remedy"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_every_kind),
        cmocka_unit_test(fills_in_defaults),
        cmocka_unit_test(reads_integers_of_any_size),
        cmocka_unit_test(warns_of_rounded_numbers),
        cmocka_unit_test(names_the_field),
        cmocka_unit_test(names_the_nearest_key),
        cmocka_unit_test(takes_structures_sent_as_text),
        cmocka_unit_test(wraps_results),
        cmocka_unit_test(reads_command_lines),
        cmocka_unit_test(selects_groups),
        cmocka_unit_test(finds_tools),
        cmocka_unit_test(describes_itself),
    };
    return cmocka_run_group_tests_name("tools", tests, NULL, free_arena);
}
