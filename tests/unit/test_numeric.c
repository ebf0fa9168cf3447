// The engines of the small calculator tools against independent computations: products for the birthday problem, glibc's calendar,
// long multiplication for bases, and the refusals that need more input than a case line should hold.
#include <math.h>
#include <time.h>

#include "unit.h"

#include "codecalc/birthday.h"
#include "codecalc/civil.h"
#include "codecalc/radix.h"
#include "codecalc/rational.h"
#include "codecalc/tools.h"

// prod (N - i) / N over i < items, with N = 2^bits, factor by factor.
static void product(fmpq_t none, ulong items, slong bits) {
    fmpq_t factor;
    fmpz_t n;
    fmpq_init(factor);
    fmpz_init(n);
    fmpz_one_2exp(n, (ulong)bits);
    fmpq_one(none);
    for (ulong i = 0; i < items; i++) {
        fmpz_sub_ui(fmpq_numref(factor), n, i);
        fmpz_set(fmpq_denref(factor), n);
        fmpq_canonicalise(factor);
        fmpq_mul(none, none, factor);
    }
    fmpq_clear(factor);
    fmpz_clear(n);
}

// The enclosures hold the true value and are as narrow as asked, whichever of the methods is used: exact, by series, by the gamma
// function.
static void birthday_encloses(void **state) {
    (void)state;
    static const struct {
        ulong items;
        slong bits;
    } cases[] = {
        {2, 1},     {3, 2},     {16, 4},    {100, 20},  {300, 16}, {2000, 20}, {600, 12},
        {1000, 31}, {1000, 43}, {1000, 41}, {1000, 42}, {70, 100}, {3, 4000},  {2, 65536},
    };
    fmpq_t none, hit, lo, hi, width;
    fmpz_t items;
    fmpq_init(none), fmpq_init(hit), fmpq_init(lo), fmpq_init(hi), fmpq_init(width);
    fmpz_init(items);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        fmpz_set_ui(items, cases[i].items);
        product(none, cases[i].items, cases[i].bits);
        fmpq_sub_si(hit, none, 1);
        fmpq_neg(hit, hit);
        cc_birthday(lo, hi, items, cases[i].bits, 128);
        if (fmpq_cmp(lo, hit) > 0 || fmpq_cmp(hit, hi) > 0) fail_msg("%lu items, %ld bits: not enclosed", cases[i].items, cases[i].bits);
        fmpq_sub(width, hi, lo);
        fmpq_div(width, width, hit);
        assert_true(cc_rational_get_double(width) < 0x1p-100);
        assert_true(cc_birthday_none(lo, hi, items, cases[i].bits, 128));
        if (fmpq_cmp(lo, none) > 0 || fmpq_cmp(none, hi) > 0)
            fail_msg("%lu items, %ld bits: no collision not enclosed", cases[i].items, cases[i].bits);
    }
    fmpq_clear(none), fmpq_clear(hit), fmpq_clear(lo), fmpq_clear(hi), fmpq_clear(width);
    fmpz_clear(items);
}

// n = N exactly: certain only when one more item is drawn; and far past the point where all doubles say 1.
static void birthday_extremes(void **state) {
    (void)state;
    fmpq_t lo, hi;
    fmpz_t items;
    fmpq_init(lo), fmpq_init(hi);
    fmpz_init(items);
    for (slong bits = 1; bits <= 70; bits++) {
        fmpz_one_2exp(items, (ulong)bits);
        cc_birthday(lo, hi, items, bits, 128);
        assert_true(fmpq_cmp_si(lo, 1) < 0 && fmpq_cmp_si(hi, 1) <= 0 && fmpq_sgn(lo) > 0);
        fmpz_add_ui(items, items, 1);
        cc_birthday(lo, hi, items, bits, 128);
        assert_true(fmpq_is_one(lo) && fmpq_is_one(hi));
        assert_true(cc_birthday_none(lo, hi, items, bits, 128) && fmpq_is_zero(hi));
    }
    fmpz_one_2exp(items, 60000);
    cc_birthday(lo, hi, items, 65536, 128);
    assert_true(fmpq_is_one(hi) && fmpq_cmp_si(lo, 1) < 0 && cc_rational_get_double(lo) == 1);
    assert_false(cc_birthday_none(lo, hi, items, 65536, 128));
    fmpz_one_2exp(items, 1000);
    cc_birthday(lo, hi, items, 65536, 128); // about n^2 / 2N
    fmpq_mul_2exp(lo, lo, 65536 - 2000 + 1);
    assert_true(cc_rational_get_double(lo) == 1);
    fmpq_clear(lo), fmpq_clear(hi);
    fmpz_clear(items);
}

static void civil_agrees_with_libc(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t t = (int64_t)(seed >> 16) % INT64_C(300000000000) - INT64_C(60000000000); // years 68 to 9575
        time_t clock = t;
        struct tm tm;
        assert_non_null(gmtime_r(&clock, &tm));
        char want[64];
        snprintf(want, sizeof want, "%04d-%02d-%02dT%02d:%02d:%02d+00:00", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
                 tm.tm_min, tm.tm_sec);
        CC_CLEANUP_BUF cc_buf have = {0};
        assert_true(cc_civil_print(&have, t, 0));
        assert_text(have, want);
    }
}

static void civil_far_years(void **state) {
    (void)state;
    static const struct {
        int64_t t;
        uint32_t nanos;
        const char *want;
    } cases[] = {
        {-62167219200, 0, "0000-01-01T00:00:00+00:00"},      {-62167219201, 0, "-000001-12-31T23:59:59+00:00"},
        {253402300800, 0, "+010000-01-01T00:00:00+00:00"},   {253402300799, 999999999, "9999-12-31T23:59:59.999999999+00:00"},
        {0, 1000, "1970-01-01T00:00:00.000001+00:00"},       {8640000000000, 0, "+275760-09-13T00:00:00+00:00"},
        {-8640000000000, 0, "-271821-04-20T00:00:00+00:00"}, // the two ends of ECMAScript's Date
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        CC_CLEANUP_BUF cc_buf have = {0};
        assert_true(cc_civil_print(&have, cases[i].t, cases[i].nanos));
        assert_text(have, cases[i].want);
    }
    CC_CLEANUP_BUF cc_buf none = {0};
    assert_false(cc_civil_print(&none, INT64_MAX, 0));
    assert_false(cc_civil_print(&none, INT64_MIN, 0));
    assert_false(cc_civil_print(&none, INT64_C(31556889864403200), 0)); // year 1000000001
    assert_int_equal(none.n, 0);
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// A repeating expansion means prefix + period / (base^p - 1): summed again it must give the number.
static void radix_periods_sum_up(void **state) {
    (void)state;
    fmpq_t x, sum, place, part;
    fmpq_init(x), fmpq_init(sum), fmpq_init(place), fmpq_init(part);
    int periods = 0;
    for (int thousandths = 1; thousandths < 1000; thousandths += 13) {
        for (int base = 2; base <= 36; base++) {
            char text[16];
            snprintf(text, sizeof text, "0.%03d", thousandths);
            cc_radix r;
            cc_error err;
            assert_int_equal(cc_radix_convert(cc_str_of(text), 10, base, &r, &err), 0);
            cc_str s = r.ends ? cc_buf_str(&r.value) : cc_buf_str(&r.repeating);
            if (s.n) {
                fmpq_zero(sum);
                fmpq_set_si(place, 1, 1);
                slong period = -1;
                for (size_t i = s.n > 1 ? 2 : s.n; i < s.n && s.p[i] != ')'; i++) {
                    if (s.p[i] == '(') {
                        period = 0;
                        fmpq_zero(part);
                        fmpq_swap(part, sum); // part: before the period
                        continue;
                    }
                    fmpq_div_fmpz(place, place, (fmpz[]){base});
                    fmpq_mul_si(x, place, digit(s.p[i]));
                    fmpq_add(sum, sum, x);
                    if (period >= 0) period++;
                }
                if (period > 0) { // sum / (1 - base^-p)
                    fmpz_t b;
                    fmpz_init(b);
                    fmpz_ui_pow_ui(b, (ulong)base, (ulong)period);
                    fmpq_mul_fmpz(sum, sum, b);
                    fmpz_sub_ui(b, b, 1);
                    fmpq_div_fmpz(sum, sum, b);
                    fmpq_add(sum, sum, part);
                    fmpz_clear(b);
                    periods++;
                }
                fmpq_set_si(x, thousandths, 1000);
                if (!fmpq_equal(x, sum)) fail_msg("%s in base %d is not %.*s", text, base, (int)s.n, s.p);
            }
            cc_radix_free(&r);
        }
    }
    assert_true(periods > 500);
    fmpq_clear(x), fmpq_clear(sum), fmpq_clear(place), fmpq_clear(part);
}

static void square_roots(void **state) {
    (void)state;
    static const struct {
        const char *x, *want;
    } cases[] = {
        {"2", "1.4142135623730951"}, {"0", "0"}, {"9/4", "1.5"}, {"1/3", "0.5773502691896257"}, {"2e-700", "\"1.414213562373095e-350\""},
        {"1e800", "\"1e400\""},
    };
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_error err;
        assert_int_equal(cc_rational_parse(x, cc_str_of(cases[i].x), 1000, "x", &err), 0);
        CC_CLEANUP_BUF cc_buf have = {0};
        cc_rational_sqrt_nearest(&have, x);
        assert_text(have, cases[i].want);
    }
    // sqrt of glibc rounds correctly.
    uint64_t seed = 3;
    for (int i = 0; i < 2000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double v = ldexp((double)(seed >> 11), (int)(seed % 600) - 300);
        cc_rational_set_double(x, v);
        CC_CLEANUP_BUF cc_buf have = {0};
        cc_rational_sqrt_nearest(&have, x);
        cc_buf_addc(&have, '\0');
        assert_true(strtod(have.p, NULL) == sqrt(v));
    }
    fmpq_clear(x);
}

// Thousands of fractions with unlike denominators are refused before they are added up; as many with common ones are not.
static void samples_are_bounded(void **state) {
    (void)state;
    cc_arena arena = {0};
    for (int unlike = 0; unlike <= 1; unlike++) {
        CC_CLEANUP_BUF cc_buf text = {0}, body = {0}, receipt = {0};
        cc_buf_addz(&text, "{\"nums\":[");
        for (int i = 0; i < 4000; i++)
            cc_buf_printf(&text, "%s\"%d/%d000000000000000000000000000000000%d\"", i ? "," : "", i, unlike ? i + 1 : 1,
                          unlike ? 2 * i + 1 : 7);
        cc_buf_addz(&text, "]}");
        const cc_json *arguments;
        cc_error err = {0};
        const volatile sig_atomic_t stop = 0;
        cc_call call = {.tool = cc_tools_find(CC_STR("calc_stats")), .arena = &arena, .stop = &stop};
        assert_int_equal(cc_json_parse(&arena, cc_buf_str(&text), CC_JSON_MAX_DEPTH, &arguments, &err), 0);
        assert_int_equal(cc_args_parse(&arena, call.tool, arguments, &call.args, &err), 0);
        int64_t start = cc_now_ms();
        assert_int_equal(cc_call_run(&call, &body, &receipt), !unlike);
        assert_true(cc_now_ms() - start < 5000);
        if (unlike) {
            const cc_json *v;
            assert_int_equal(cc_json_parse(&arena, cc_buf_str(&body), CC_JSON_MAX_DEPTH, &v, &err), 0);
            assert_text(cc_json_string(cc_json_get(v, "code")), "resource_exhausted");
        }
        cc_arena_reset(&arena);
    }
    cc_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(birthday_encloses),   cmocka_unit_test(birthday_extremes),    cmocka_unit_test(civil_agrees_with_libc),
        cmocka_unit_test(civil_far_years),     cmocka_unit_test(radix_periods_sum_up), cmocka_unit_test(square_roots),
        cmocka_unit_test(samples_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
