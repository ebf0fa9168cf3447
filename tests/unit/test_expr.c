// Symbolic expressions: canonical forms, known values, printing and reading back, derivatives, assumptions, limits of size. Expected texts
// are SymPy's, expected values mpmath's (expr_cases.h) or follow from a definition that is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codecalc/algebra.h"
#include "expr_cases.h"
#include "math/expr/expr.h"

typedef struct fixture {
    cc_arena arena;
    cc_error err;
    cc_alg g;
    char text[8192];
} fixture;

static fixture f;

static void begin(const char *assume) {
    f.arena = (cc_arena){0};
    f.err = (cc_error){0};
    cc_alg_init(&f.g, &f.arena, &f.err, NULL);
    if (assume) assert_int_equal(cc_x_assume(&f.g, cc_str_of(assume)), 0);
}

static void end(void) {
    cc_alg_clear(&f.g);
    cc_arena_free(&f.arena);
}

static cc_xp expr(const char *text) { return cc_x_read(&f.g, cc_str_of(text)); }

static const char *show(cc_xp x) {
    if (!x) {
        snprintf(f.text, sizeof f.text, "%s: %s", cc_code_name(f.err.code), f.err.msg);
        return f.text;
    }
    cc_str s = cc_x_show(&f.g, x);
    snprintf(f.text, sizeof f.text, "%.*s", (int)s.n, s.p);
    return f.text;
}

// What is printed is the text, and reading it gives the same expression.
static void check_assuming(const char *assume, const char *input, const char *want) {
    begin(assume);
    cc_xp x = expr(input);
    const char *got = show(x);
    if (strcmp(got, want) != 0) fail_msg("%s: %s, not %s", input, got, want);
    cc_xp back = expr(want);
    if (back != x) fail_msg("%s: printed %s, which reads back as %s", input, want, show(back));
    end();
}

static void check(const char *input, const char *want) { check_assuming(NULL, input, want); }

static void check_fails(const char *input, cc_code code, const char *part) {
    begin(NULL);
    cc_xp x = expr(input);
    if (x) fail_msg("%.80s: %s, not an error", input, show(x));
    if (f.err.code != code || !strstr(f.err.msg, part)) fail_msg("%.80s: %s, without '%s'", input, show(NULL), part);
    end();
}

static void test_printed(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(printed); i++) check(printed[i].input, printed[i].text);
}

static void test_values(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(values); i++) {
        begin(NULL);
        cc_xp x = expr(values[i].input);
        if (!x) fail_msg("%s: %s", values[i].input, show(x));
        acb_t v;
        arb_t want, tolerance;
        acb_init(v);
        arb_init(want);
        arb_init(tolerance);
        if (!cc_x_enclose_to(&f.g, v, x, NULL, 120)) fail_msg("%s: no enclosure of %s", values[i].input, show(x));
        arb_set_str(want, values[i].value, 200);
        arb_set_str(tolerance, "0 +/- 1e-24", 64);
        arb_mul(tolerance, tolerance, want, 64);
        arb_add(want, want, tolerance, 200);
        bool right = arb_overlaps(want, acb_realref(v)) && arb_contains_zero(acb_imagref(v)) && arb_rel_accuracy_bits(acb_realref(v)) > 80;
        if (!right) fail_msg("%s: %s is not %s", values[i].input, show(x), values[i].value);
        acb_clear(v);
        arb_clear(want);
        arb_clear(tolerance);
        end();
    }
}

// Rules that hold only under an assumption, with it and without.
static void test_assumptions(void **state) {
    (void)state;
    check("sqrt(x**2)", "sqrt(x**2)");
    check_assuming("x real", "sqrt(x**2)", "Abs(x)");
    check_assuming("x > 0", "sqrt(x**2)", "x");
    check("(x*y)**(1/2)", "sqrt(x*y)");
    check_assuming("x >= 0", "(x*y)**(1/2)", "sqrt(x)*sqrt(y)");
    check("log(exp(x))", "log(exp(x))");
    check_assuming("x real", "log(exp(x))", "x");
    check("(x**a)**b", "(x**a)**b");
    check_assuming("x > 0, a real", "(x**a)**b", "x**(a*b)");
    check_assuming("n integer", "(x**a)**n", "x**(a*n)");
    check_assuming("n integer", "sin(pi*n)", "0");
    check_assuming("n integer", "cos(pi*n)", "(-1)**n");
    check_assuming("n integer", "cos(x + 2*pi*n)", "cos(x)");
    check_assuming("n integer", "exp(2*I*pi*n)", "1");
    check_assuming("n even", "(-1)**n", "1");
    check_assuming("n odd", "(-1)**n", "-1");
    check_assuming("a, b real", "re(a + I*b)", "a");
    check_assuming("a b real", "im(a + I*b)", "b");
    check_assuming("a is real", "conjugate(a + I*x)", "a - I*conjugate(x)");
    check_assuming("x < 0", "Abs(x)", "-x");
    check_assuming("0 < x", "x > 0", "True");
    check_assuming("x != 0, x real", "sign(x)**2", "sign(x)**2");
    begin(NULL);
    assert_int_equal(cc_x_assume(&f.g, CC_STR("x > y")), -1);
    assert_non_null(strstr(f.err.msg, "assume"));
    end();
    begin(NULL);
    assert_int_equal(cc_x_assume(&f.g, CC_STR("x > 0, x negative")), -1);
    end();
}

// Readings that people write.
static void test_reading(void **state) {
    (void)state;
    check("2x", "2*x");
    check("2(x+1)", "2*(x + 1)");
    check("2 pi*r", "2*pi*r");
    check("x^2", "x**2");
    check("x²", "x**2");
    check("√2×π÷2", "sqrt(2)*pi/2");
    check("∞", "oo");
    check("0.1 + 0.2", "3/10");
    check("1.5e-3", "3/2000");
    check("ln(x)", "log(x)");
    check("log(8, 2)", "3");
    check("cbrt(27)", "3");
    check("root(16, 4)", "2");
    check("abs(-2)", "2");
    check("arcsin(1)", "pi/2");
    check("5!", "120");
    check("x = y", "Eq(x, y)");
    check("1 < x <= 2", "(x > 1) & (x <= 2)");
    check("not (x < 1)", "x >= 1");
    check("[1, x]", "[1, x]");
    check("(x, 0, 1)", "(x, 0, 1)");
    check("(x, 100, 200)", "(x, 100, 200)");
    check("Integral(f, (x, 0, 1))", "Integral(f, (x, 0, 1))");
    check("Sum(1/k, (k, 1, n))", "Sum(1/k, (k, 1, n))");
    check("Limit(f, x, 0, '+')", "Limit(f, x, 0, '+')");
    check("Derivative(f, (x, 2))", "Derivative(f, (x, 2))");
    check("x + O(x**2)", "x + O(x**2)");
    check("subs(x*y, x = 2, y = 3)", "6");
    check("subs(x*y, [(x, y), (y, x)])", "x*y");
    check("gcd(12, 18)", "6");
    check("factorint(360)", "[(2, 3), (3, 2), (5, 1)]");
    check("divisors(12)", "[1, 2, 3, 4, 6, 12]");
    check("isprime(2**61 - 1)", "True");
    check("prime(10)", "29");
    check("totient(36)", "12");
    check_fails("sinn(x)", CC_VALIDATION, "the nearest known one is sin");
    check_fails("foo(x)", CC_VALIDATION, "unknown function foo");
    check_fails("x(x + 1)", CC_VALIDATION, "x*(");
    check_fails("sin", CC_VALIDATION, "sin is a function");
    check_fails("sin(x, y)", CC_VALIDATION, "takes 1 argument");
    check_fails("x + (x < 1)", CC_VALIDATION, "condition");
    check_fails("diff(x*y)", CC_VALIDATION, "several symbols");
    check_fails("isprime(x)", CC_VALIDATION, "isprime(n)");
    check_fails("x y", CC_VALIDATION, "column 3");
    check_fails("", CC_VALIDATION, "empty");
}

// Own normal forms, which SymPy writes otherwise; each is equal by the definition of the principal power or logarithm.
static void test_normal_forms(void **state) {
    (void)state;
    check("exp(x)*exp(y)", "exp(x + y)");
    check("x*x**a", "x**(a + 1)");
    check("2**(x + 1)", "2*2**x");
    check("(1/2)**x", "2**(-x)");
    check("sqrt(6)*2**(1/3)", "2**(5/6)*sqrt(3)");
    check("exp(x*log(2))", "2**x");
    check("log(8)/log(2)", "3");
    check("sqrt(I)", "(-1)**(1/4)");
    check("2*(x + 1)", "2*(x + 1)");
    check("2*(x + 1) + y", "2*x + y + 2");
    check("Abs(3 + 4*I)", "5");
    check("x - (x - 1)", "1");
    check("-(pi - x)*exp(8)", "-(pi - x)*exp(8)");
    check("-(x + 1)/2", "-(x + 1)/2");
    check("(-sinc(4))**y", "(-sinc(4))**y"); // sinc(4) < 0
    check("(-3*sinc(4))**y", "3**y*(-sinc(4))**y");
    check("oo*x - oo*x", "nan");
    check("0*zoo", "nan");
    check("(-oo)**3", "-oo");
    check("(-oo)**(-1)", "0");
    check("1**oo", "nan");
    check("0**(-1)", "zoo");
    check("sin(oo)", "sin(oo)");
    check("diff(Integral(sin(x*t), (t, 0, x)), x)", "sin(x**2) + Integral(t*cos(t*x), (t, 0, x))");
    check("diff(Piecewise((x**2, x > 0), (0, True)), x)", "Piecewise((2*x, x > 0), (0, True))");
    check("subs(Integral(x*t, (t, 0, 1)), t, 5)", "Integral(t*x, (t, 0, 1))");
    check("subs(Sum(k*x, (k, 1, n)), n, 3)", "Sum(k*x, (k, 1, 3))");
    check_assuming("x real", "diff(Abs(x), x)", "sign(x)");
}

// A bound variable is renamed when a replacement would be captured: Integral(x*t, (t, 0, 1)) at x = t is t/2 in t, not 1/3.
static void test_capture(void **state) {
    (void)state;
    begin(NULL);
    cc_xp x = expr("subs(Integral(x*t, (t, 0, 1)), x, t)"), wrong = expr("Integral(t*t, (t, 0, 1))");
    assert_non_null(x);
    assert_ptr_not_equal(x, wrong);
    assert_true(cc_x_has(x, expr("t")));
    assert_true(x->free != 0);
    end();
}

static void test_rewriting(void **state) {
    (void)state;
    static const struct {
        const char *input, *want;
    } trig[] = {{"sin(2*x)", "2*sin(x)*cos(x)"},
                {"cos(3*x)", "4*cos(x)**3 - 3*cos(x)"},
                {"sin(x + y)", "sin(x)*cos(y) + sin(y)*cos(x)"},
                {"sinh(2*x)", "2*sinh(x)*cosh(x)"}};
    for (size_t i = 0; i < CC_ARRAY_LEN(trig); i++) {
        begin(NULL);
        assert_string_equal(show(cc_x_expand_trig(&f.g, expr(trig[i].input))), trig[i].want);
        end();
    }
    begin("x > 0");
    assert_string_equal(show(cc_x_expand_log(&f.g, expr("log(2*x*y)"), false)), "log(x) + log(y) + log(2)");
    end();
    begin(NULL);
    assert_string_equal(show(cc_x_expand_log(&f.g, expr("log(a*b)"), false)), "log(a*b)");
    assert_string_equal(show(cc_x_expand_log(&f.g, expr("log(a*b)"), true)), "log(a) + log(b)");
    end();
    // Each rewriting has the value of the original at a complex point.
    static const char *const functions[] = {"sin(x)",  "cos(x)",  "tan(x)",   "cot(x)",   "sec(x)",   "csc(x)",   "sinh(x)",  "cosh(x)",
                                            "tanh(x)", "coth(x)", "sech(x)",  "csch(x)",  "asin(x)",  "acos(x)",  "atan(x)",  "acot(x)",
                                            "asec(x)", "acsc(x)", "asinh(x)", "acosh(x)", "atanh(x)", "acoth(x)", "asech(x)", "acsch(x)"};
    for (size_t i = 0; i < CC_ARRAY_LEN(functions); i++) {
        begin(NULL);
        cc_xp original = expr(functions[i]), v = expr("x");
        acb_t at, a, b;
        acb_init(at);
        acb_init(a);
        acb_init(b);
        acb_set_d_d(at, -0.8125, 0.6875);
        cc_xenv env = {&v, at, 1};
        assert_true(cc_x_enclose(&f.g, a, original, &env, 200));
        for (int to = CC_REWRITE_EXP; to <= CC_REWRITE_GAMMA; to++) {
            cc_xp other = cc_x_rewrite(&f.g, original, (cc_xrewrite)to);
            assert_non_null(other);
            if (!cc_x_enclose(&f.g, b, other, &env, 200) || !acb_overlaps(a, b)) fail_msg("%s is not %s", functions[i], show(other));
        }
        acb_clear(at);
        acb_clear(a);
        acb_clear(b);
        end();
    }
}

// Equal structure is one pointer, whatever the way it was made.
static void test_unique(void **state) {
    (void)state;
    begin(NULL);
    assert_ptr_equal(expr("x + y"), expr("y + x"));
    assert_ptr_equal(expr("x*y/x"), expr("y"));
    assert_ptr_equal(cc_x_expand(&f.g, expr("(x + 1)**2")), expr("1 + x*2 + x*x"));
    cc_xp d = cc_x_dummy(&f.g, "x", 0), e = cc_x_dummy(&f.g, "x", 0);
    assert_ptr_not_equal(d, e);
    assert_ptr_not_equal(d, expr("x"));
    assert_true(cc_x_is_constant(expr("Integral(x, (x, 0, 1))")));
    assert_false(cc_x_is_constant(expr("Integral(x*y, (x, 0, 1))")));
    cc_xp num, den;
    cc_x_fraction(&f.g, expr("3*x/(2*y**2)"), &num, &den);
    assert_ptr_equal(num, expr("3*x"));
    assert_ptr_equal(den, expr("2*y**2"));
    end();
}

static void test_hostile(void **state) {
    (void)state;
    check_fails("9**9**9**9", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("2**(10**10)", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("factorial(10**9)", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("(10**9)!", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("expand((x + y + z)**10000)", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("binomial(10**9, 10**8)", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("fibonacci(10**12)", CC_RESOURCE_EXHAUSTED, "large");
    check_fails("1e1000000000", CC_RESOURCE_EXHAUSTED, "large");
    char *deep = malloc(20001);
    memset(deep, '(', 10000);
    deep[10000] = '\0';
    check_fails(deep, CC_RESOURCE_EXHAUSTED, "nested deeper");
    // A sum of ten thousand characters is no trouble.
    size_t n = 0;
    for (unsigned i = 0; n < 10000; i++) n += (size_t)snprintf(deep + n, 16, "%sx%u", i ? "+" : "", i % 700);
    begin(NULL);
    cc_xp x = expr(deep);
    assert_non_null(x);
    assert_int_equal(x->n, 700);
    end();
    free(deep);
    // Derivatives of a tower stay within the limits or say so.
    begin(NULL);
    x = expr("sin(sin(sin(sin(sin(x)))))");
    for (int i = 0; i < 12 && x; i++) x = cc_x_diff(&f.g, x, expr("x"));
    assert_true(x || f.err.code == CC_RESOURCE_EXHAUSTED);
    end();
}

static void test_evaluate(void **state) {
    (void)state;
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_error err = {0};
    cc_algebra_options opt = {.digits = 15};
    cc_evaluate_result r;
    assert_int_equal(cc_algebra_evaluate(&a, CC_STR("gamma(1/2)"), &opt, &r, &err), 0);
    assert_true(cc_str_eqz(r.expression, "sqrt(pi)"));
    assert_true(cc_str_starts(r.value, CC_STR("1.7724538509055")));
    assert_string_equal(r.about.grade, "exact");
    assert_int_equal(cc_algebra_evaluate(&a, CC_STR("oo - oo"), &opt, &r, &err), 0);
    assert_true(cc_str_eqz(r.value, "nan"));
    assert_int_equal(r.about.n_notes, 1);
    assert_int_equal(cc_algebra_evaluate(&a, CC_STR("e**x"), &opt, &r, &err), 0);
    assert_int_equal(r.about.n_warnings, 1);
    assert_int_equal(cc_algebra_evaluate(&a, CC_STR("N(pi, 30)"), &opt, &r, &err), 0);
    assert_true(cc_str_eqz(r.value, "3.14159265358979323846264338328"));
    assert_int_equal(cc_algebra_evaluate(&a, CC_STR("factor(x**4 - 1)"), &opt, &r, &err), 0);
    assert_true(cc_str_eqz(r.expression, "(x - 1)*(x + 1)*(x**2 + 1)"));
    assert_int_equal(cc_algebra_evaluate(&a, CC_STR("x +"), &opt, &r, &err), -1);
    assert_int_equal(err.code, CC_VALIDATION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed),   cmocka_unit_test(test_values),       cmocka_unit_test(test_assumptions),
        cmocka_unit_test(test_reading),   cmocka_unit_test(test_normal_forms), cmocka_unit_test(test_capture),
        cmocka_unit_test(test_rewriting), cmocka_unit_test(test_unique),       cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_evaluate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
