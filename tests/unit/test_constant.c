// Constants of the algebra: enclosures and decimals against mpmath (constant_data.h), what is decided to be zero and what is not, order,
// simpler forms, facts.
#include "algebra_fixture.h"

static cc_xp read_text(const char *text) {
    cc_xp x = cc_x_read(&g, cc_str_of(text));
    if (!x) fail_msg("%s: %s", text, err.msg);
    return x;
}

static const struct {
    const char *text, *re, *im;
} samples[] = {
#include "constant_data.h"
};

static void contains_mpmath(void **state) {
    (void)state;
    acb_t have, want;
    acb_init(have);
    acb_init(want);
    for (size_t i = 0; i < CC_ARRAY_LEN(samples); i++) {
        begin();
        cc_xp x = read_text(samples[i].text);
        arb_set_str(acb_realref(want), samples[i].re, 400);
        arb_set_str(acb_imagref(want), samples[i].im, 400);
        mag_t m;
        mag_init(m);
        acb_get_mag(m, want);
        mag_mul_2exp_si(m, m, -160);
        acb_add_error_mag(want, m);
        mag_clear(m);
        for (slong prec = 53; prec <= 424; prec *= 2)
            if (cc_x_enclose(&g, have, x, NULL, prec) && !acb_overlaps(have, want))
                fail_msg("%s at %ld bits misses %s + %s*I", samples[i].text, prec, samples[i].re, samples[i].im);
        if (!cc_x_enclose_to(&g, have, x, NULL, 150)) fail_msg("%s: not enclosed", samples[i].text);
        if (!acb_overlaps(have, want) || acb_rel_accuracy_bits(have) < 140)
            fail_msg("%s: wrong or wide, want %s + %s*I", samples[i].text, samples[i].re, samples[i].im);
        // The exact side never contradicts: the simplified form has the same value.
        cc_xp s = cc_x_constant_simplify(&g, x);
        if (!s || !cc_x_enclose_to(&g, have, s, NULL, 150) || !acb_overlaps(have, want))
            fail_msg("%s: simplified wrongly", samples[i].text);
        end();
    }
    acb_clear(have);
    acb_clear(want);
}

static void zero(void **state) {
    (void)state;
    static const struct {
        const char *text;
        cc_truth zero;
    } t[] = {
        {"sqrt(2+sqrt(2+sqrt(2+sqrt(2)))) - 2*cos(pi/32)", CC_TRUE}, // half angles
        {"sqrt(5+2*sqrt(6)) - sqrt(2) - sqrt(3)", CC_TRUE},
        {"sqrt(5+2*sqrt(6)) - sqrt(2) - sqrt(3) - 10**(-200)", CC_FALSE},
        {"cbrt(2+sqrt(5)) - (1+sqrt(5))/2", CC_TRUE},
        {"cos(2*pi/7) + cos(4*pi/7) + cos(6*pi/7) + 1/2", CC_TRUE},
        {"tan(3*pi/11) + 4*sin(2*pi/11) - sqrt(11)", CC_TRUE},
        {"sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)-sqrt(41+2*sqrt(6))", CC_FALSE},
        {"sqrt(16-2*sqrt(29)+2*sqrt(55-10*sqrt(29))) - sqrt(22+2*sqrt(5)) - sqrt(11+2*sqrt(29)) + 2*sqrt(5)", CC_FALSE},
        {"sqrt(16-2*sqrt(29)+2*sqrt(55-10*sqrt(29))) + sqrt(22+2*sqrt(5)) - sqrt(11+2*sqrt(29)) - sqrt(5)", CC_FALSE}, // Shanks' is below
        {"sqrt(5) + sqrt(22+2*sqrt(5)) - sqrt(11+2*sqrt(29)) - sqrt(16-2*sqrt(29)+2*sqrt(55-10*sqrt(29)))", CC_TRUE},
        {"CRootOf(x**5-x-1, 0)**5 - CRootOf(x**5-x-1, 0) - 1", CC_TRUE},
        {"CRootOf(x**4+x+1, 0) + CRootOf(x**4+x+1, 1) + CRootOf(x**4+x+1, 2) + CRootOf(x**4+x+1, 3)", CC_TRUE},
        {"exp(I*pi/3) - 1/2 - sqrt(3)*I/2", CC_TRUE},
        {"re((1+sqrt(2)*I)**(1/3))*2 - (1+sqrt(2)*I)**(1/3) - (1-sqrt(2)*I)**(1/3)", CC_TRUE},
        {"log(CRootOf(x**2-2, 1)) - log(2)/2", CC_TRUE},
        {"4*atan(1/5) - atan(1/239) - pi/4", CC_TRUE},
        {"gamma(1/3)*gamma(2/3) - 2*pi/sqrt(3)", CC_TRUE},
        {"gamma(1/4)*gamma(3/4) - pi*sqrt(2)", CC_TRUE},
        {"exp(1/2)*exp(1/3)*exp(1/5) - exp(31/30)", CC_TRUE},
        {"2**(log(3)/log(2)) - 3", CC_TRUE},
        {"asin(sin(2)) - pi + 2", CC_TRUE},
        {"Abs(sin(1)-1) - 1 + sin(1)", CC_TRUE},
        {"sqrt(1+sin(2)) - sin(1) - cos(1)", CC_TRUE},
        {"exp(10**(-2000)) - 1", CC_FALSE},
        {"1 - erf(100)", CC_FALSE},
        {"exp(pi*sqrt(163)) - 262537412640768744", CC_FALSE},
        {"sin(pi/97)*sin(pi/89)*sin(pi/83)*sin(pi/79) - 1", CC_FALSE},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        cc_truth have = cc_x_constant_is_zero(&g, read_text(t[i].text));
        if (have != t[i].zero) fail_msg("%s: %d, want %d", t[i].text, have, t[i].zero);
        end();
    }
}

static void order(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int sign;
    } t[] = {
        {"pi", "22/7", -1},      {"sqrt(2)+sqrt(3)", "sqrt(5+2*sqrt(6))", 0},
        {"exp(pi)", "pi**E", 1}, {"oo", "10**100", 1},
        {"-oo", "oo", -1},       {"oo", "oo", 0},
        {"I", "1", 2},           {"-oo", "0", -1},
        {"1/3", "1/2", -1},      {"CRootOf(x**5-x-1, 0)", "7/6", 1},
        {"(-8)**(1/3)", "0", 2}, {"log(3)/log(2)", "log(9)/log(4)", 0},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        int have = cc_x_constant_compare(&g, read_text(t[i].a), read_text(t[i].b));
        if (have != t[i].sign) fail_msg("%s, %s: %d, want %d", t[i].a, t[i].b, have, t[i].sign);
        end();
    }
}

static void simpler(void **state) {
    (void)state;
    static const struct {
        const char *text, *simple;
    } t[] = {
        {"sqrt(5+2*sqrt(6))", "sqrt(2) + sqrt(3)"},
        {"1/(1+sqrt(2))", "-1 + sqrt(2)"},
        {"asin(sin(2))", "-2 + pi"},
        {"gamma(1/3)*gamma(2/3)", "2*sqrt(3)*pi/3"},
        {"2**(log(3)/log(2))", "3"},
        {"log(8)/log(2)", "3"},
        {"sqrt(2+sqrt(2+sqrt(2+sqrt(2)))) - 2*cos(pi/32)", "0"},
        {"besselj(0, 1)", "besselj(0, 1)"},
        {"CRootOf(x**2-2, 0)", "-sqrt(2)"},
        {"CRootOf(x**4-10*x**2+1, 3)", "sqrt(2) + sqrt(3)"},
        {"CRootOf(x**4+1, 0)", "-sqrt(2)/2 - sqrt(2)*I/2"},
        {"CRootOf(x**5-x-1, 0)", "CRootOf(x**5 - x - 1, 0)"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        cc_xp x = cc_x_constant_simplify(&g, read_text(t[i].text));
        cc_str s = cc_x_show(&g, x);
        if (x != read_text(t[i].simple)) fail_msg("%s: %.*s, want %s", t[i].text, (int)s.n, s.p, t[i].simple);
        end();
    }
}

static void decimals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        long digits;
        const char *decimal;
    } t[] = {
        {"pi", 30, "3.14159265358979323846264338328"},
        {"exp(pi*sqrt(163))", 30, "262537412640768743.999999999999"},
        {"exp(I)", 20, "0.54030230586813971740 + 0.84147098480789650665*I"},
        {"log(-2)", 15, "0.693147180559945 + 3.14159265358979*I"},
        {"LambertW(-1)", 15, "-0.318131505204764 + 1.33723570143069*I"},
        {"(1+I)**10", 20, "32*I"},
        {"exp(-I*pi/2)", 20, "-I"},
        {"1/3", 5, "0.33333"},
        {"sqrt(5+2*sqrt(6)) - sqrt(2) - sqrt(3)", 20, "0"},
        {"(2+sqrt(5))**(1/3) + (2-sqrt(5))**(1/3)", 10, "1.927050983 + 0.5352331347*I"},
        {"floor(pi*10**20)", 30, "314159265358979323846"},
        {"floor(sqrt(5+2*sqrt(6)) - sqrt(2) - sqrt(3))", 20, "0"},
        {"1/(sqrt(5+2*sqrt(6)) - sqrt(2) - sqrt(3))", 20, ""}, // a pole
        {"x", 20, ""},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        cc_str s = cc_x_decimal(&g, read_text(t[i].text), t[i].digits);
        if (!cc_str_eqz(s, t[i].decimal)) fail_msg("%s: %.*s, want %s", t[i].text, (int)s.n, s.p, t[i].decimal);
        end();
    }
    begin();
    cc_str s = cc_x_decimal(&g, g.pi, 1001); // the thousandth decimal of pi is a 9, before a 3
    assert_int_equal(s.n, 1002);
    assert_memory_equal(s.p + 992, "2164201989", 10);
    s = cc_x_decimal(&g, read_text("sqrt(2)"), 100000);
    assert_int_equal(s.n, 100001);
    end();
}

static void facts(void **state) {
    (void)state;
    static const struct {
        const char *assume, *text;
        unsigned fact;
        cc_truth truth;
    } t[] = {
        {"", "x**2", CC_IS_NONNEGATIVE, CC_UNDECIDED},
        {"x real", "x**2", CC_IS_NONNEGATIVE, CC_TRUE},
        {"x real", "x**2 + 1", CC_IS_POSITIVE, CC_TRUE},
        {"x real", "x**3", CC_IS_REAL, CC_TRUE},
        {"x real", "exp(x)", CC_IS_POSITIVE, CC_TRUE},
        {"", "exp(x)", CC_IS_NONZERO, CC_TRUE},
        {"", "exp(x)", CC_IS_POSITIVE, CC_UNDECIDED},
        {"", "Abs(x)", CC_IS_NONNEGATIVE, CC_TRUE},
        {"x > 0, y > 0", "x*y", CC_IS_POSITIVE, CC_TRUE},
        {"x > 0, y < 0", "x*y", CC_IS_NEGATIVE, CC_TRUE},
        {"x > 0", "log(x)", CC_IS_REAL, CC_TRUE},
        {"x real", "log(x)", CC_IS_REAL, CC_UNDECIDED},
        {"x > 0", "sqrt(x)", CC_IS_POSITIVE, CC_TRUE},
        {"x < 0", "sqrt(x)", CC_IS_REAL, CC_FALSE},
        {"n integer", "n*(n+1)", CC_IS_INTEGER, CC_TRUE},
        {"n integer", "2*n", CC_IS_EVEN, CC_TRUE},
        {"n integer", "2*n + 1", CC_IS_ODD, CC_TRUE},
        {"n integer", "n + 1/2", CC_IS_INTEGER, CC_FALSE},
        {"n integer", "2*n + 1", CC_IS_NONZERO, CC_TRUE},
        {"x real", "x + I", CC_IS_REAL, CC_FALSE},
        {"x real", "I*x", CC_IS_REAL, CC_UNDECIDED}, // 0 is real
        {"", "conjugate(z)*z", CC_IS_NONNEGATIVE, CC_TRUE},
        {"", "pi + 1", CC_IS_RATIONAL, CC_FALSE},
        {"", "sqrt(2) - 1", CC_IS_POSITIVE, CC_TRUE},
        {"", "sin(3)", CC_IS_POSITIVE, CC_TRUE},
        {"", "gamma(-1/2)", CC_IS_NEGATIVE, CC_TRUE},
        {"", "log(-2)", CC_IS_REAL, CC_FALSE},
        {"", "oo", CC_IS_REAL, CC_FALSE},
        {"", "0**2", CC_IS_NONZERO, CC_FALSE},
        {"x nonpositive", "acot(x)", CC_IS_NONPOSITIVE, CC_UNDECIDED}, // pi/2 at 0
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        if (t[i].assume[0] && cc_x_assume(&g, cc_str_of(t[i].assume))) fail_msg("%s: %s", t[i].assume, err.msg);
        cc_truth have = cc_x_is(&g, read_text(t[i].text), t[i].fact);
        if (have != t[i].truth) fail_msg("%s | %s, fact %u: %d, want %d", t[i].text, t[i].assume, t[i].fact, have, t[i].truth);
        end();
    }
    begin();
    assert_int_equal(cc_x_sign(&g, g.oo), 1);
    assert_int_equal(cc_x_sign(&g, g.neg_oo), -1);
    assert_int_equal(cc_x_sign(&g, g.zero), 0);
    assert_int_equal(cc_x_sign(&g, read_text("x")), 2);
    assert_int_equal(cc_x_sign(&g, read_text("1-sqrt(2)")), -1);
    end();
}

// Conditions, sums, substitutions and values of symbols in enclosures.
static void forms(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double at;         // x
        const char *value; // exact; NULL = refused
    } t[] = {
        {"Piecewise((x, x > 0), (-x, True))", -2, "2"},
        {"Piecewise((x, x > 0), (-x, True))", 3, "3"},
        {"Piecewise((1, x > 5))", 3, NULL},
        {"Sum(k*x, (k, 1, 4))", 2, "20"},
        {"Sum(k, (k, 5, 1))", 0, "-9"}, // Karr: -(2 + 3 + 4)
        {"Product(k, (k, 1, 5))", 0, "120"},
        {"Sum(x, (x, 1, 3))", 7, "6"},
        {"Subs(y**2, y, x+1)", 2, "9"},
        {"Max(x, 1, 2)", 1.5, "2"},
        {"Heaviside(x)", -1, "0"},
        {"Mod(x, 3)", -1, "2"},
        {"1/x", 0, NULL},
        {"log(x)", 0, NULL},
        {"x + y", 1, NULL},
        {"Integral(y, y)", 1, NULL},
    };
    acb_t have, x;
    arb_t want;
    acb_init(have);
    acb_init(x);
    arb_init(want);
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        cc_xp f = read_text(t[i].text), v = read_text("x");
        acb_set_d(x, t[i].at);
        cc_xenv env = {.symbols = &v, .values = x, .n = 1};
        bool ok = cc_x_enclose(&g, have, f, &env, 128);
        if (ok != (t[i].value != NULL)) fail_msg("%s at %g: %s", t[i].text, t[i].at, ok ? "enclosed" : "refused");
        if (ok) {
            arb_set_str(want, t[i].value, 128);
            if (!arb_contains(acb_realref(have), want) || !arb_is_zero(acb_imagref(have))) fail_msg("%s at %g", t[i].text, t[i].at);
        }
        end();
    }
    acb_clear(have);
    acb_clear(x);
    arb_clear(want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contains_mpmath), cmocka_unit_test(zero),  cmocka_unit_test(order), cmocka_unit_test(simpler),
        cmocka_unit_test(decimals),        cmocka_unit_test(facts), cmocka_unit_test(forms),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cc_arena_free(&arena);
    return failed;
}
