// Series and limits: series as SymPy prints them, limits with values from Gruntz's dissertation, textbooks and asymptotic laws (NIST DLMF),
// limits of random expressions against mpmath (series_data.h), proofs that there is none, and traps that make careless engines answer
// wrongly.
#include <math.h>

#include "unit.h"

#include "math/expr/expr.h"

#include "series_data.h"

static cc_arena arena;

typedef struct fixture {
    cc_alg g;
    cc_error err;
} fixture;

static void begin(fixture *f, const char *assume) {
    f->err = (cc_error){0};
    cc_alg_init(&f->g, &arena, &f->err, NULL);
    f->g.soft_deadline_ms = cc_now_ms() + 20000;
    if (assume) assert_int_equal(cc_x_assume(&f->g, cc_str_of(assume)), 0);
}

static void end(fixture *f) {
    if (f->err.code != CC_OK) fail_msg("%s", f->err.msg);
    cc_alg_clear(&f->g);
    cc_arena_reset(&arena);
}

static cc_xp parsed(fixture *f, const char *text) {
    cc_xp x = cc_x_read(&f->g, cc_str_of(text));
    if (!x) fail_msg("%s: %s", text, f->err.msg);
    return x;
}

static cc_xp limit_of(fixture *f, const char *expr, const char *point, char dir) {
    return cc_x_limit(&f->g, parsed(f, expr), parsed(f, "x"), parsed(f, point), dir, NULL, NULL);
}

static void series(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(series_data); i++) {
        fixture f;
        begin(&f, NULL);
        cc_xp s =
            cc_x_series(&f.g, parsed(&f, series_data[i].expr), parsed(&f, "x"), parsed(&f, series_data[i].point), series_data[i].order);
        if (!s) fail_msg("no series of %s", series_data[i].expr);
        assert_text(cc_x_show(&f.g, s), series_data[i].text);
        assert_int_equal(f.g.n_conditions, 0);
        end(&f);
    }
}

// Compositions at a point where nothing vanishes: the derivatives of function and series agree there.
static void compositions(void **state) {
    (void)state;
    static const char *const cases[] = {"cos(sin(x))",        "sin(cos(x))",      "cos(x)**20",
                                        "cos(sin(x) + x**2)", "sin(sin(sin(x)))", "tan(sin(x))"};
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        fixture f;
        begin(&f, NULL);
        cc_xp x = parsed(&f, "x"), function = parsed(&f, cases[i]), s = cc_x_series(&f.g, function, x, f.g.one, 6), rest = f.g.zero;
        if (!s) fail_msg("no series of %s", cases[i]);
        size_t n;
        const cc_xp *terms = cc_x_terms(&s, &n);
        for (size_t k = 0; k < n; k++)
            if (!cc_x_has_fn(terms[k], CC_F_ORDER)) rest = cc_x_add(&f.g, rest, terms[k]);
        rest = cc_x_sub(&f.g, rest, function);
        acb_t value;
        acb_init(value);
        for (ulong k = 0; k < 6; k++) {
            cc_xp at = cc_x_subs(&f.g, cc_x_diffn(&f.g, rest, x, k), x, f.g.one);
            assert_true(cc_x_enclose(&f.g, value, at, NULL, 256) && acb_contains_zero(value));
            assert_true(mag_cmp_2exp_si(arb_radref(acb_realref(value)), -100) < 0);
        }
        acb_clear(value);
        end(&f);
    }
}

// Series that hold on one side say so.
static void one_sided_series(void **state) {
    (void)state;
    static const struct {
        const char *expr, *text;
    } cases[] = {{"sqrt(x**2 + x**3)", "x + x**2/2 - x**3/8 + O(x**4)"}, {"Abs(x)", "x"}, {"log(x**2)", "2*log(x)"}};
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        fixture f;
        begin(&f, NULL);
        cc_xp s = cc_x_series(&f.g, parsed(&f, cases[i].expr), parsed(&f, "x"), f.g.zero, 4);
        assert_non_null(s);
        assert_text(cc_x_show(&f.g, s), cases[i].text);
        assert_int_equal(f.g.n_conditions, 1);
        assert_text(cc_x_show(&f.g, f.g.conditions[0]), "x > 0");
        end(&f);
    }
}

// ---- limits ----

static const struct {
    const char *expr, *point;
    char dir;
    const char *value, *assume;
} limits[] = {
    {"sin(x)/x", "0", 0, "1", NULL},
    {"(1 - cos(x))/x**2", "0", 0, "1/2", NULL},
    {"(1 + 1/x)**x", "oo", 0, "E", NULL},
    {"(1 + a/x)**x", "oo", 0, "exp(a)", NULL},
    {"(atan(x)/x)**(1/x**2)", "0", 0, "exp(-1/3)", NULL},
    {"((1 + x)**(1/x) - (1 + 2*x)**(1/(2*x)))/asin(x)", "0", 0, "E/2", NULL},
    {"x**x", "0", '+', "1", NULL},
    {"x*log(x)", "0", '+', "0", NULL},
    {"1/x", "0", '+', "oo", NULL},
    {"1/x", "0", '-', "-oo", NULL},
    {"1/x**2", "0", 0, "oo", NULL},
    {"floor(x)", "2", '-', "1", NULL},
    {"Abs(x)/x", "0", '-', "-1", NULL},
    {"sqrt(x**2 + x) - x", "oo", 0, "1/2", NULL},
    {"x/sqrt(x**2 + 1)", "-oo", 0, "-1", NULL},
    // exponentials of Gruntz's kind
    {"(1 + 1/x)**(x**2)/exp(x)", "oo", 0, "exp(-1/2)", NULL},
    {"exp(x)*(exp(1/x - exp(-x)) - exp(1/x))", "oo", 0, "-1", NULL},
    {"exp(x)*(sin(1/x + exp(-x)) - sin(1/x + exp(-x**2)))", "oo", 0, "1", NULL},
    {"exp(exp(x - exp(-x))/(1 - 1/x)) - exp(exp(x))", "oo", 0, "oo", NULL},
    {"(exp(x*exp(-x)/(exp(-x) + exp(-2*x**2/(x + 1)))) - exp(x))/x", "oo", 0, "-exp(2)", NULL},
    {"(3**x + 5**x)**(1/x)", "oo", 0, "5", NULL},
    {"x/log(x**(log(x**(log(2)/log(x)))))", "oo", 0, "oo", NULL},
    {"exp(exp(2*log(x**5 + x)*log(log(x))))/exp(exp(10*log(x)*log(log(x))))", "oo", 0, "oo", NULL},
    {"log(exp(3*x) + x)/log(exp(x) + x**100)", "oo", 0, "3", NULL},
    {"x**x/(x**x + (x - 1)**x)", "oo", 0, "E/(E + 1)", NULL},
    {"(cosh(sqrt(x + 1)) - cosh(sqrt(x)))**(1/sqrt(x))", "oo", 0, "E", NULL},
    {"(1 + sqrt(x + 1))**(-x - 1)/(1 + sqrt(x))**(-x)", "oo", 0, "0", NULL},
    // special functions: their asymptotic laws
    {"gamma(x + 1/2)/(sqrt(x)*gamma(x))", "oo", 0, "1", NULL},
    {"factorial(x)**(1/x)/x", "oo", 0, "exp(-1)", NULL},
    {"binomial(2*x, x)*sqrt(x)/4**x", "oo", 0, "1/sqrt(pi)", NULL},
    {"harmonic(x) - log(x)", "oo", 0, "EulerGamma", NULL},
    {"x*gamma(x)", "0", 0, "1", NULL},
    {"x*(erf(x) - 1)", "oo", 0, "0", NULL},
    {"(erf(x - exp(-exp(x))) - erf(x))*exp(exp(x))*exp(x**2)", "oo", 0, "-2/sqrt(pi)", NULL},
    {"(Ei(x - exp(-exp(x))) - Ei(x))*exp(-x)*exp(exp(x))*x", "oo", 0, "-1", NULL},
    {"Ei(-x)*exp(x)*x", "oo", 0, "-1", NULL},
    {"erfi(x)*x*exp(-x**2)", "oo", 0, "1/sqrt(pi)", NULL},
    {"airybi(x)*x**(1/4)*exp(-2*x**(3/2)/3)", "oo", 0, "1/sqrt(pi)", NULL},
    {"airyai(x)*x**(1/4)*exp(2*x**(3/2)/3)", "oo", 0, "1/(2*sqrt(pi))", NULL},
    {"besseli(0, x)*exp(-x)*sqrt(x)", "oo", 0, "1/sqrt(2*pi)", NULL},
    {"besselk(1, x)*exp(x)*sqrt(x)", "oo", 0, "sqrt(pi/2)", NULL},
    {"Shi(x)*exp(-x)*x", "oo", 0, "1/2", NULL},
    {"uppergamma(1/2, x)*exp(x)*sqrt(x)", "oo", 0, "1", NULL},
    {"polygamma(2, x)*x**2", "oo", 0, "-1", NULL},
    {"Si(x)", "-oo", 0, "-pi/2", NULL},
    {"Ci(x)", "-oo", 0, "I*pi", NULL},
    {"fresnels(x)", "oo", 0, "1/2", NULL},
    {"besselj(2, x)", "oo", 0, "0", NULL},
    {"zeta(x)", "oo", 0, "1", NULL},
    {"zeta(x)*(x - 1)", "1", 0, "1", NULL},
    {"fibonacci(x + 1)/fibonacci(x)", "oo", 0, "GoldenRatio", NULL},
    {"elliptic_k(x) + log(1 - x)/2", "1", '-', "log(4)", NULL},
    {"besselj(1/2, x)/sqrt(x)", "0", '+', "sqrt(2/pi)", NULL},
    {"besselk(0, x) + log(x)", "0", '+', "log(2) - EulerGamma", NULL},
    {"x*bessely(1, x)", "0", '+', "-2/pi", NULL},
    {"(besseli(0, x) - 1)/x**2", "0", 0, "1/4", NULL},
    {"polylog(2, x)", "1", '-', "pi**2/6", NULL},
    {"x*(pi**2/6 - harmonic(x, 2))", "oo", 0, "1", NULL},
    {"(LambertW(x) - x)/x**2", "0", 0, "-1", NULL},
    {"(hyper([1], [2], x) - 1)/x", "0", 0, "1/2", NULL},
    // oscillation that dies away, or that something larger hides
    {"x*sin(1/x)", "0", 0, "0", NULL},
    {"x + sin(x)", "oo", 0, "oo", NULL},
    {"x*(2 + sin(x))", "oo", 0, "oo", NULL},
    {"x/(x + sin(x))", "oo", 0, "1", NULL},
    {"sin(sqrt(x + 1)) - sin(sqrt(x))", "oo", 0, "0", NULL},
    {"sin(1/x)**2 + cos(1/x)**2 + cos(x)", "0", 0, "2", NULL},
    {"x*floor(1/x)", "0", 0, "1", NULL},
    {"(sin(1/x) + 3)**(1/x**2)", "0", 0, "oo", NULL},
    {"(sin(1/x)/2)**(1/x**2)", "0", 0, "0", NULL},
    {"sin(x*sin(x))/x + sin(x**2)/x", "oo", 0, "0", NULL},
    {"atan2(cos(x), x)", "oo", 0, "0", NULL},
    // complex values and directions
    {"(2*I)**x", "-oo", 0, "0", NULL},
    {"erfc(x*(1 + I))", "oo", 0, "0", NULL},
    {"1 + x*exp(I*x)", "oo", 0, "zoo", NULL},
    {"(x**(1/x) - 1)*sqrt(x)", "0", '-', "zoo", NULL},
    {"(asin(3 + x) - asin(3))/x", "0", 0, "-sqrt(2)*I/4", NULL},
    {"asin(3 + I*x)", "0", '+', "pi - asin(3)", NULL},
    {"log(-2 + I*x)", "0", '-', "log(2) - I*pi", NULL},
    // the slope of an acoustic phonon branch at 0: a*sqrt(C/(2*(M + N)))
    {"diff(sqrt(C*((M + N) - sqrt((M + N)**2 - M*N*(2 - 2*cos(x*a))))/(M*N)), x)", "0", '+', "a*sqrt(C/(2*(M + N)))", "C>0, M>0, N>0, a>0"},
};

static void values(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(limits); i++) {
        fixture f;
        begin(&f, limits[i].assume);
        cc_xp x = limit_of(&f, limits[i].expr, limits[i].point, limits[i].dir), wanted = parsed(&f, limits[i].value);
        if (!x) fail_msg("%s: %s", limits[i].expr, f.err.code ? f.err.msg : "not found");
        bool same = x == wanted || (x->finite && wanted->finite && cc_x_is_zero(&f.g, cc_x_sub(&f.g, x, wanted)) == CC_TRUE);
        if (!same) fail_msg("%s: %s, not %s", limits[i].expr, cc_x_show(&f.g, x).p, limits[i].value);
        end(&f);
    }
}

// No limit, and that is proven: a note says so.
static void none(void **state) {
    (void)state;
    static const struct {
        const char *expr, *point;
        char dir;
    } cases[] = {
        {"sin(x)", "oo", 0},
        {"x*sin(x)", "oo", 0},
        {"x*(1 + sin(x))", "oo", 0}, // 0 again and again
        {"sin(1/x)", "0", 0},
        {"x/sin(1/x)", "0", '+'}, // poles at 1/(pi k), and 0 along others
        {"tan(x)/x", "oo", 0},
        {"tan(x)*exp(-x)", "oo", 0},
        {"exp(sin(x))", "oo", 0},
        {"erfi(sin(x)*exp(x))", "oo", 0},
        {"sin(x/2)**2 + cos(x/3)", "oo", 0},
        {"x - floor(x)", "oo", 0},
        {"(1 + sin(x)/x)**x", "oo", 0}, // exp(sin(x))
        {"(sin(x) - 1 + 1/x)/(sin(x) - 1 + 2/x)", "oo", 0},
        {"1/x", "0", 0},
        {"Abs(x)/x", "0", 0},
        {"floor(x)", "2", 0},
        {"(3**(1/x) + 5**(1/x))**x", "0", 0}, // 3 and 5
        {"log(-2 + I*x)", "0", 0},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        fixture f;
        begin(&f, NULL);
        cc_xp x = limit_of(&f, cases[i].expr, cases[i].point, cases[i].dir);
        if (x) fail_msg("%s: %s, but there is no limit", cases[i].expr, cc_x_show(&f.g, x).p);
        if (!f.g.n_notes) fail_msg("%s: nothing is proven", cases[i].expr);
        end(&f);
    }
}

// Where a value would be wrong: parameters of unknown sign, branches, poles of what oscillates. Nothing is answered, nor is it "none".
static void traps(void **state) {
    (void)state;
    static const struct {
        const char *expr, *point;
        char dir;
    } cases[] = {
        {"diff(sqrt(C*((M + K) - sqrt((M + K)**2 - M*K*(2 - 2*cos(x*a))))/(M*K)), x)", "0", '+'},
        {"exp(a*x)", "oo", 0},
        {"a*x", "oo", 0},
        {"x/sin(x)**2", "oo", 0}, // oo, but for its poles
        {"exp(-x)/(x - floor(x))", "oo", 0},
        {"besselj(0, x)*x", "oo", 0},
        {"exp(-x)*digamma(-x)", "oo", 0}, // poles at every whole number
        {"(3*I*sin(1/x))**(-2/x**2)", "0", 0},
        {"(-1)**x*x", "oo", 0}, // of whole x no limit, of real x infinite
        {"x + oo - oo", "oo", 0},
        {"f(x)", "0", 0},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        fixture f;
        begin(&f, NULL);
        f.g.unknown_functions = CC_STR("f");
        cc_xp x = limit_of(&f, cases[i].expr, cases[i].point, cases[i].dir);
        if (x && x != f.g.nan) fail_msg("%s: %s", cases[i].expr, cc_x_show(&f.g, x).p);
        assert_int_equal(f.g.n_notes, 0);
        end(&f);
    }
}

// Random expressions: the limit from above is what mpmath finds near 0; few may stay unknown.
static void random_limits(void **state) {
    (void)state;
    size_t unknown = 0;
    for (size_t i = 0; i < CC_ARRAY_LEN(limit_data); i++) {
        fixture f;
        begin(&f, NULL);
        cc_xp x = limit_of(&f, limit_data[i].expr, "0", '+'), wanted = parsed(&f, limit_data[i].value);
        if (!x) {
            unknown++;
        } else if (!x->finite || !wanted->finite) {
            if (x != wanted) fail_msg("%s: %s, not %s", limit_data[i].expr, cc_x_show(&f.g, x).p, limit_data[i].value);
        } else {
            acb_t y;
            acb_init(y);
            assert_true(cc_x_enclose_to(&f.g, y, cc_x_sub(&f.g, x, wanted), NULL, 53));
            double distance = arf_get_d(arb_midref(acb_realref(y)), ARF_RND_NEAR);
            acb_clear(y);
            if (fabs(distance) > 1e-7 * fmax(1, fabs(strtod(limit_data[i].value, NULL))))
                fail_msg("%s: %s, not %s", limit_data[i].expr, cc_x_show(&f.g, x).p, limit_data[i].value);
        }
        end(&f);
    }
    assert_true(unknown * 50 <= CC_ARRAY_LEN(limit_data));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series), cmocka_unit_test(compositions), cmocka_unit_test(one_sided_series), cmocka_unit_test(values),
        cmocka_unit_test(none),   cmocka_unit_test(traps),        cmocka_unit_test(random_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
