// base: strings, UTF-8, errors, arenas, buffers.
#include "unit.h"

static void trims_and_compares(void **state) {
    (void)state;
    assert_text(cc_str_trim(CC_STR(" \t\r\n a b \n")), "a b");
    assert_int_equal(cc_str_trim(CC_STR("  ")).n, 0);
    assert_true(cc_str_eq(cc_str_make("a\0b", 3), cc_str_make("a\0b", 3)));
    assert_false(cc_str_eq(cc_str_make("a\0b", 3), cc_str_make("a\0c", 3)));
    assert_true(cc_str_starts(CC_STR("execute"), CC_STR("exe")));
    assert_false(cc_str_starts(CC_STR("ex"), CC_STR("exe")));
}

// The boundary cases of the Unicode Standard's table of well-formed sequences.
static void knows_utf8(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        bool valid;
    } cases[] = {
        {"", true},
        {"plain", true},
        {"\xC2\x80", true},
        {"\xDF\xBF", true},
        {"\xE0\xA0\x80", true},
        {"\xED\x9F\xBF", true},
        {"\xEE\x80\x80", true},
        {"\xF0\x90\x80\x80", true},
        {"\xF4\x8F\xBF\xBF", true},
        {"\xC0\x80", false},
        {"\xC1\xBF", false},
        {"\xE0\x9F\xBF", false},
        {"\xED\xA0\x80", false},
        {"\xF0\x8F\xBF\xBF", false},
        {"\xF4\x90\x80\x80", false},
        {"\xF5\x80\x80\x80", false},
        {"\x80", false},
        {"\xC3", false},
        {"\xE2\x82", false},
        {"ok\xFFok", false},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++)
        if (cc_utf8_valid(cc_str_of(cases[i].bytes)) != cases[i].valid) fail_msg("case %zu", i);
}

static void cuts_between_code_points(void **state) {
    (void)state;
    cc_str euro = CC_STR("a\xE2\x82\xAC\xF0\x9F\x98\x80z"); // a € 😀 z
    static const size_t want[] = {0, 1, 1, 1, 4, 4, 4, 4, 8, 9, 9};
    for (size_t max = 0; max < CC_ARRAY_LEN(want); max++) assert_int_equal(cc_utf8_prefix(euro, max).n, want[max]);
}

static void shows_invalid_bytes(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_utf8_escape_invalid(&out, CC_STR("h\xC3\xA9\xFF\xC3!"));
    assert_text(out, "h\xC3\xA9\\xff\\xc3!");
}

static void measures_edits(void **state) {
    (void)state;
    assert_int_equal(cc_edit_distance(CC_STR("kitten"), CC_STR("sitting")), 3);
    assert_int_equal(cc_edit_distance(CC_STR(""), CC_STR("abc")), 3);
    assert_int_equal(cc_edit_distance(CC_STR("same"), CC_STR("same")), 0);
}

static void wraps_errors(void **state) {
    (void)state;
    cc_error err;
    assert_int_equal(cc_error_set(&err, CC_VALIDATION, "n is %d", 7), -1);
    cc_error_wrap(&err, "reading %s", "x");
    assert_string_equal(err.msg, "reading x: n is 7");
    assert_int_equal(err.code, CC_VALIDATION);
    char longer[700];
    memset(longer, 'x', sizeof longer);
    memcpy(longer + 510, "\xE2\x82\xAC", 3); // the cut falls inside this code point
    longer[699] = 0;
    cc_error_set(&err, CC_INTERNAL, "%s", longer);
    assert_int_equal(strlen(err.msg), 510);
    cc_error_wrap(&err, "context");
    assert_true(strlen(err.msg) < sizeof err.msg && cc_utf8_valid(cc_str_of(err.msg)));
    assert_string_equal(cc_code_name(CC_RUNTIME_UNAVAILABLE), "runtime_unavailable");
}

static void hands_out_memory(void **state) {
    (void)state;
    CC_CLEANUP_ARENA cc_arena a = {0};
    for (int round = 0; round < 3; round++) {
        char *big = cc_arena_alloc(&a, 3 << 20);
        big[(3 << 20) - 1] = 1;
        for (size_t n = 1; n < 2000; n++) {
            unsigned char *p = cc_arena_alloc(&a, n);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t i = 0; i < n; i++) assert_int_equal(p[i], 0);
            memset(p, 0xAA, n); // a later block must not see this
        }
        assert_text(cc_arena_printf(&a, "%d-%s", 5, "x"), "5-x");
        cc_str copy = cc_arena_dup(&a, cc_str_make("a\0b", 3));
        assert_memory_equal(copy.p, "a\0b", 4);
        cc_arena_reset(&a);
        assert_int_equal(a.used, 0);
    }
}

static void grows_buffers(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf b = {0};
    for (int i = 0; i < 1000; i++) cc_buf_printf(&b, "%d,", i);
    assert_int_equal(b.n, 10 * 2 + 90 * 3 + 900 * 4);
    cc_buf_consume(&b, b.n - 4);
    assert_text(b, "999,");
    cc_buf_consume(&b, 4);
    assert_int_equal(b.n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trims_and_compares),  cmocka_unit_test(knows_utf8),     cmocka_unit_test(cuts_between_code_points),
        cmocka_unit_test(shows_invalid_bytes), cmocka_unit_test(measures_edits), cmocka_unit_test(wraps_errors),
        cmocka_unit_test(hands_out_memory),    cmocka_unit_test(grows_buffers),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
