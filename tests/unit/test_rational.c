// Exact rationals: reading, printing, rounding, doubles. The expected values come from Python's fractions, decimal and repr.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codecalc/rational.h"

static void parse_ok(fmpq_t x, const char *text) {
    cc_error err;
    assert_int_equal(cc_rational_parse(x, cc_str_of(text), CC_RATIONAL_MAX_EXPONENT, "x", &err), 0);
}

static void assert_text(cc_buf *b, const char *want) {
    cc_buf_addc(b, '\0');
    assert_string_equal(b->p, want);
    cc_buf_free(b);
}

static void test_parse(void **state) {
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"0", "0"},
        {"-0", "0"},
        {"007", "7"},
        {"12", "12"},
        {" -12 ", "-12"},
        {"+3", "3"},
        {"0.1", "1/10"},
        {".5", "1/2"},
        {"5.", "5"},
        {"1e3", "1000"},
        {"1E-3", "1/1000"},
        {"1.250e2", "125"},
        {"6/8", "3/4"},
        {" -6 / 8 ", "-3/4"},
        {"0.3/0.2", "3/2"},
        {"0e999999999", "0"},
        {"1200", "1200"},
        {"9007199254740993", "9007199254740993"},
        {"1e2/1e-2", "10000"},
        {"-.25e+1", "-5/2"},
        {"3/1", "3"},
    };
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        parse_ok(x, cases[i].text);
        cc_buf b = {0};
        cc_rational_print(&b, x);
        assert_text(&b, cases[i].want);
        assert_true(fmpq_is_canonical(x));
    }
    fmpq_clear(x);
}

static void test_parse_refuses(void **state) {
    (void)state;
    static const char *const bad[] = {"",      " ",    "abc", "1_000", "1,000", "1e",  "1e+", "--1", "1.2.3", "1/",   "/2", "1/-2",
                                      "1/2/3", "0x10", ".",   "-",     "inf",   "nan", "1 2", "1/0", "1/0.0", "1e5x", "٣"};
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < CC_ARRAY_LEN(bad); i++) {
        cc_error err = {0};
        assert_int_equal(cc_rational_parse(x, cc_str_of(bad[i]), CC_RATIONAL_MAX_EXPONENT, "part", &err), -1);
        assert_int_equal(err.code, CC_VALIDATION);
        assert_non_null(strstr(err.msg, "part"));
    }
    static const char *const large[] = {"1e999999999", "1e-999999999", "1e99999999999999999999999", "2/1e100001", "1e100001"};
    for (size_t i = 0; i < CC_ARRAY_LEN(large); i++) {
        cc_error err = {0};
        assert_int_equal(cc_rational_parse(x, cc_str_of(large[i]), CC_RATIONAL_MAX_EXPONENT, "part", &err), -1);
        assert_int_equal(err.code, CC_RESOURCE_EXHAUSTED);
    }
    cc_error err = {0};
    assert_int_equal(cc_rational_parse(x, cc_str_make("1\0", 2), 10, "part", &err), -1);
    fmpq_clear(x);
}

// A long text is bounded by its length, not by the exponent rule: 10^150000 written out is fine.
static void test_parse_long(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_buf_addc(&text, '1');
    for (int i = 0; i < 150000; i++) cc_buf_addc(&text, '0');
    fmpq_t x;
    fmpq_init(x);
    cc_error err;
    assert_int_equal(cc_rational_parse(x, cc_buf_str(&text), 100, "x", &err), 0);
    CC_CLEANUP_BUF cc_buf back = {0};
    cc_rational_print(&back, x);
    assert_true(cc_str_eq(cc_buf_str(&back), cc_buf_str(&text)));
    fmpq_clear(x);
}

static void test_places(void **state) {
    (void)state;
    static const struct {
        const char *x;
        slong places;
        const char *want;
        bool exact;
    } cases[] = {
        {"100/3", 6, "33.333333", false},
        {"12.5", 6, "12.5", true},
        {"0.0000005", 6, "0", false},
        {"0.0000015", 6, "0.000002", false},
        {"0.0000025", 6, "0.000002", false},
        {"0.00000250001", 6, "0.000003", false},
        {"-0.0000004", 6, "0", false},
        {"-2/3", 2, "-0.67", false},
        {"2.5", 0, "2", false},
        {"3.5", 0, "4", false},
        {"1200", 0, "1200", true},
        {"0", 3, "0", true},
        {"99.9999999", 6, "100", false},
        {"1e25", 2, "10000000000000000000000000", true},
        {"-0.05", 1, "0", false},
        {"0.15", 1, "0.2", false},
        {"0.001", 6, "0.001", true},
    };
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        parse_ok(x, cases[i].x);
        cc_buf b = {0};
        assert_int_equal(cc_rational_places(&b, x, cases[i].places), cases[i].exact);
        assert_text(&b, cases[i].want);
    }
    fmpq_clear(x);
}

static void test_digits(void **state) {
    (void)state;
    static const struct {
        const char *x;
        slong digits;
        const char *want;
        bool exact;
    } cases[] = {
        {"9.96", 3, "9.96", true},
        {"9.996", 3, "10", false},
        {"99999", 3, "1e5", false},
        {"1/3", 5, "0.33333", false},
        {"2/3", 1, "0.7", false},
        {"1e30", 5, "1e30", true},
        {"1e30", 31, "1000000000000000000000000000000", true},
        {"1/3e10", 3, "3.33e-11", false},
        {"-1e-7", 3, "-0.0000001", true},
        {"123456789", 4, "1.235e8", false},
        {"12345", 4, "1.234e4", false},
        {"12355", 4, "1.236e4", false},
        {"0", 3, "0", true},
        {"7", 1, "7", true},
        {"10", 1, "10", true},
        {"100/99", 10, "1.01010101", false},
        {"999.5/1000", 3, "1", false},
        {"1e-8", 1, "1e-8", true},
        {"1.25e-9", 2, "1.2e-9", false},
        {"1048576", 7, "1048576", true},
        {"1/1024", 3, "0.000977", false},
    };
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        parse_ok(x, cases[i].x);
        cc_buf b = {0};
        assert_int_equal(cc_rational_digits(&b, x, cases[i].digits), cases[i].exact);
        assert_text(&b, cases[i].want);
    }
    fmpq_clear(x);
}

static void test_terminates(void **state) {
    (void)state;
    fmpq_t x;
    fmpq_init(x);
    slong places = -1;
    parse_ok(x, "3/8");
    assert_true(cc_rational_terminates(x, &places));
    assert_int_equal(places, 3);
    parse_ok(x, "7");
    assert_true(cc_rational_terminates(x, &places));
    assert_int_equal(places, 0);
    parse_ok(x, "1/1250");
    assert_true(cc_rational_terminates(x, &places));
    assert_int_equal(places, 4);
    parse_ok(x, "1/12");
    assert_false(cc_rational_terminates(x, NULL));
    cc_buf b = {0};
    assert_false(cc_rational_decimal(&b, x, 1000));
    assert_int_equal(b.n, 0);
    parse_ok(x, "-1/1250");
    assert_false(cc_rational_decimal(&b, x, 3));
    assert_true(cc_rational_decimal(&b, x, 4));
    assert_text(&b, "-0.0008");
    fmpq_clear(x);
}

static void test_double(void **state) {
    (void)state;
    static const struct {
        const char *x;
        double want;
    } cases[] = {
        {"0", 0},
        {"0.1", 0.1},
        {"1/3", 1.0 / 3},
        {"-2/3", -2.0 / 3},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740995", 9007199254740996.0},
        {"9007199254740993.0000000000000000001", 9007199254740994.0},
        {"1e400", INFINITY},
        {"-1e400", -INFINITY},
        {"1e-400", 0},
        {"5e-324", 5e-324},
        {"2.4703282292062327e-324", 0},
        {"2.4703282292062328e-324", 5e-324},
        {"7.4109846876186982e-324", 1e-323},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"1.7976931348623158e308", 1.7976931348623157e308},
        {"1.7976931348623159e308", INFINITY},
        {"1e23", 1e23},
        {"8.5e-20", 8.5e-20},
        {"123456789.123456789", 123456789.123456789},
    };
    fmpq_t x, back;
    fmpq_init(x);
    fmpq_init(back);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        parse_ok(x, cases[i].x);
        double got = cc_rational_get_double(x);
        assert_memory_equal(&got, &cases[i].want, sizeof got);
        if (!isfinite(got)) continue;
        cc_rational_set_double(back, got);
        assert_true(cc_rational_get_double(back) == got);
    }
    // Half of the smallest subnormal ties to zero; anything above it does not.
    cc_rational_set_double(x, 5e-324);
    fmpq_div_2exp(x, x, 1);
    assert_true(cc_rational_get_double(x) == 0);
    // strtod of glibc rounds correctly: the same text must give the same double.
    uint64_t seed = 12345;
    for (int i = 0; i < 20000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double v;
        uint64_t bits = seed ^ (seed >> 29);
        memcpy(&v, &bits, sizeof v);
        if (!isfinite(v)) continue;
        char text[64];
        snprintf(text, sizeof text, "%.*e", (int)(seed % 18), v);
        cc_error err;
        assert_int_equal(cc_rational_parse(x, cc_str_of(text), 400, "x", &err), 0);
        assert_true(cc_rational_get_double(x) == strtod(text, NULL));
        CC_CLEANUP_BUF cc_buf shortest = {0};
        cc_double_print(&shortest, v);
        cc_buf_addc(&shortest, '\0');
        assert_true(strtod(shortest.p, NULL) == v);
    }
    fmpq_clear(x);
    fmpq_clear(back);
}

static void test_double_print(void **state) {
    (void)state;
    static const struct {
        double v;
        const char *want;
    } cases[] = {
        {0.1, "0.1"},
        {0, "0"},
        {-0.0, "-0.0"},
        {5e-324, "5e-324"},
        {1e308, "1e308"},
        {100, "100"},
        {9007199254740992.0, "9007199254740992"},
        {9007199254740994.0, "9.007199254740994e15"},
        {1e22, "1e22"},
        {0x1p-44, "5.684341886080802e-14"},
        {-2.5, "-2.5"},
        {1.0 / 3, "0.3333333333333333"},
        {0.30000000000000004, "0.30000000000000004"},
        {1e-7, "0.0000001"},
        {1.5e-9, "1.5e-9"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {9.5367431640625e-07, "0.00000095367431640625"},
        {0x1p-1074, "5e-324"},
        {0x1p64, "1.8446744073709552e19"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_buf b = {0};
        cc_double_print(&b, cases[i].v);
        assert_text(&b, cases[i].want);
    }
}

static void test_json(void **state) {
    (void)state;
    static const struct {
        const char *x, *want;
    } cases[] = {
        {"1/3", "\"1/3\""},
        {"0.1", "0.1"},
        {"12", "12"},
        {"9007199254740992", "9007199254740992"},
        {"9007199254740993", "\"9007199254740993\""},
        {"1e22", "\"10000000000000000000000\""},
        {"-3/8", "-0.375"},
        {"0.1000000000000000000001", "\"1000000000000000000001/10000000000000000000000\""},
        {"0", "0"},
        {"1e-400", NULL},
    };
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        parse_ok(x, cases[i].x);
        cc_buf b = {0};
        cc_jw w = cc_jw_make(&b);
        cc_jw_rational(&w, x);
        if (cases[i].want) {
            assert_text(&b, cases[i].want);
        } else {
            assert_int_equal(b.p[0], '"');
            cc_buf_free(&b);
        }
    }
    parse_ok(x, "100/3");
    cc_buf b = {0};
    cc_jw w = cc_jw_make(&b);
    cc_jw_object(&w);
    assert_false(cc_jw_kplaces(&w, "a", x, 6));
    parse_ok(x, "-1e40/3");
    assert_false(cc_jw_kplaces(&w, "b", x, 2));
    cc_jw_knearest(&w, "c", x);
    parse_ok(x, "1e400");
    cc_jw_knearest(&w, "d", x);
    cc_jw_kinteger(&w, "e", (fmpz[]){WORD(1) << 60});
    cc_jw_kinteger(&w, "f", (fmpz[]){-7});
    parse_ok(x, "1/8");
    assert_true(cc_jw_kplaces(&w, "g", x, 6));
    cc_jw_end_object(&w);
    assert_text(&b, "{\"a\":33.333333,\"b\":\"-3333333333333333333333333333333333333333.33\",\"c\":-3.333333333333333e39,\"d\":\"1e400\","
                    "\"e\":\"1152921504606846976\",\"f\":-7,\"g\":0.125}");
    fmpq_clear(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),  cmocka_unit_test(test_parse_refuses), cmocka_unit_test(test_parse_long),
        cmocka_unit_test(test_places), cmocka_unit_test(test_digits),        cmocka_unit_test(test_terminates),
        cmocka_unit_test(test_double), cmocka_unit_test(test_double_print),  cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
