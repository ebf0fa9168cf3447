// The small calculator tools, called as a job would call them, on the cases in tests/cases (see the README there).
#include "unit.h"

#include "codecalc/json.h"
#include "codecalc/tools.h"

static const char *const tools[] = {"percentage", "percent_change", "calc_stats",       "percentiles", "collision_probability",
                                    "data_sizes", "human_duration", "epoch_time",       "bits",        "radix_convert",
                                    "float_repr", "calc_exact",     "compare_threshold"};

static cc_arena arena;

static void read_file(const char *path, cc_buf *out) {
    FILE *f = fopen(path, "r");
    if (!f) fail_msg("%s cannot be read", path);
    for (char block[65536];;) {
        size_t n = fread(block, 1, sizeof block, f);
        cc_buf_add(out, block, n);
        if (!n) break;
    }
    fclose(f);
}

static bool matches(const cc_json *have, const cc_json *want) {
    if (!have || cc_json_type_of(have) != cc_json_type_of(want)) return false;
    switch (cc_json_type_of(want)) {
    case CC_JSON_NULL: return true;
    case CC_JSON_BOOL: return cc_json_bool(have) == cc_json_bool(want);
    case CC_JSON_NUMBER: {
        cc_str a = cc_arena_dup(&arena, cc_json_number(have)), b = cc_arena_dup(&arena, cc_json_number(want));
        return strtod(a.p, NULL) == strtod(b.p, NULL);
    }
    case CC_JSON_STRING: return cc_str_eq(cc_json_string(have), cc_json_string(want));
    case CC_JSON_ARRAY: {
        if (cc_json_size(have) != cc_json_size(want)) return false;
        cc_json_iter a = cc_json_iterate(have), b = cc_json_iterate(want);
        while (cc_json_next(&a) && cc_json_next(&b))
            if (!matches(a.value, b.value)) return false;
        return true;
    }
    case CC_JSON_OBJECT: {
        cc_json_iter it = cc_json_iterate(want);
        while (cc_json_next(&it))
            if (!matches(cc_json_get(have, cc_arena_dup(&arena, it.key).p), it.value)) return false;
        return true;
    }
    }
    return false;
}

// "a.b": the field b of the object a.
static bool has_path(const cc_json *v, cc_str path) {
    while (v && path.n) {
        const char *dot = memchr(path.p, '.', path.n);
        cc_str key = {path.p, dot ? (size_t)(dot - path.p) : path.n};
        path.p += key.n + (dot != NULL), path.n -= key.n + (dot != NULL);
        v = cc_json_get(v, cc_arena_dup(&arena, key).p);
    }
    return v != NULL;
}

static bool lacks(const cc_json *have, const cc_json *absent) {
    if (!absent) return true;
    cc_json_iter it = cc_json_iterate(absent);
    while (cc_json_next(&it))
        if (has_path(have, cc_json_string(it.value))) return false;
    return true;
}

// Every field that is sent is declared.
static void check_declared(const cc_tool *tool, const cc_json *body) {
    cc_json_iter it = cc_json_iterate(body);
    while (cc_json_next(&it)) {
        bool known = cc_str_eqz(it.key, "ok") || cc_str_eqz(it.key, "warnings");
        for (const cc_field *f = tool->result; f->name && !known; f++) known = cc_str_eqz(it.key, f->name);
        if (!known) fail_msg("%s sends a field that it does not declare: %.*s", tool->name, (int)it.key.n, it.key.p);
    }
    for (const cc_field *f = tool->result; f->name; f++)
        if (f->always && !cc_json_get(body, f->name)) fail_msg("%s did not send %s", tool->name, f->name);
}

// The result object of one call.
static const cc_json *run(const cc_tool *tool, const cc_json *arguments, cc_str *text) {
    cc_error err = {0};
    CC_CLEANUP_BUF cc_buf body = {0}, receipt = {0};
    cc_call call = {.tool = tool, .arena = &arena};
    const volatile sig_atomic_t stop = 0;
    call.stop = &stop;
    bool answered = false;
    if (cc_args_parse(&arena, tool, arguments, &call.args, &err))
        cc_error_write(&body, &err);
    else
        answered = cc_call_run(&call, &body, &receipt);
    *text = cc_arena_dup(&arena, cc_buf_str(&body));
    const cc_json *v;
    if (cc_json_parse(&arena, *text, CC_JSON_MAX_DEPTH, &v, &err))
        fail_msg("%s wrote bad JSON (%s): %.*s", tool->name, err.msg, (int)text->n, text->p);
    if (answered) check_declared(tool, v);
    return v;
}

static void run_file(const char *name) {
    const cc_tool *tool = cc_tools_find(cc_str_of(name));
    assert_non_null(tool);
    char path[128];
    snprintf(path, sizeof path, "tests/cases/%s.jsonl", name);
    CC_CLEANUP_BUF cc_buf file = {0};
    read_file(path, &file);
    size_t line = 0, failed = 0;
    for (cc_str rest = cc_buf_str(&file); rest.n;) {
        const char *end = memchr(rest.p, '\n', rest.n);
        cc_str one = {rest.p, end ? (size_t)(end - rest.p) : rest.n};
        rest.p += one.n + (end ? 1 : 0), rest.n -= one.n + (end ? 1 : 0);
        line++;
        if (!cc_str_trim(one).n) continue;
        const cc_json *c;
        cc_error err = {0};
        if (cc_json_parse(&arena, one, CC_JSON_MAX_DEPTH, &c, &err)) fail_msg("%s:%zu: %s", path, line, err.msg);
        const cc_json *expect = cc_json_get_type(c, "expect", CC_JSON_OBJECT);
        if (!expect || !cc_json_get_type(c, "source", CC_JSON_STRING)) fail_msg("%s:%zu: has no expect or no source", path, line);
        cc_str text;
        const cc_json *have = run(tool, cc_json_get(c, "arguments"), &text);
        if (!matches(have, expect) || !lacks(have, cc_json_get_type(c, "absent", CC_JSON_ARRAY))) {
            print_error("%s:%zu: %.*s\n  have %.*s\n", path, line, (int)(one.n > 600 ? 600 : one.n), one.p,
                        (int)(text.n > 1500 ? 1500 : text.n), text.p);
            failed++;
        }
        cc_arena_reset(&arena);
    }
    if (line < 8) fail_msg("%s: %zu cases", path, line);
    if (failed) fail_msg("%s: %zu of %zu cases failed", path, failed, line);
}

static void cases(void **state) { run_file(*state); }

int main(void) {
    struct CMUnitTest tests[CC_ARRAY_LEN(tools)];
    for (size_t i = 0; i < CC_ARRAY_LEN(tools); i++)
        tests[i] = (struct CMUnitTest){.name = tools[i], .test_func = cases, .initial_state = (void *)(uintptr_t)tools[i]};
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    cc_arena_free(&arena);
    return rc;
}
