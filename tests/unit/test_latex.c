// LaTeX: what is written is read back as the same expression; what people write is read as the plain notation beside it.
#include "algebra_fixture.h"

#include "math/expr/read.h"

static void there_and_back(const char *text) {
    begin();
    cc_xp x = cc_x_read(&g, cc_str_of(text));
    if (!x) fail_msg("%s: %s", text, err.msg);
    cc_str latex = cc_x_latex(&g, x);
    cc_xp y = cc_x_read(&g, cc_read_latex_plain(&g, latex, false));
    if (!y) fail_msg("%s: %.*s: %s", text, (int)latex.n, latex.p, err.msg);
    if (x != y) {
        cc_str s = cc_x_show(&g, y);
        fail_msg("%s: %.*s: read back as %.*s", text, (int)latex.n, latex.p, (int)s.n, s.p);
    }
    end();
}

static const char *const forms[] = {
    "x**2 + 2*x + 1",
    "-x/2",
    "(x+1)/(x-1)",
    "sqrt(x)/3",
    "x**(1/3)",
    "x**(2/3)",
    "x**(-1/2)",
    "1/x",
    "2*3**x",
    "10**x*2",
    "x*10**y",
    "sin(x)**2*cos(y)",
    "sin(x)**(-2)",
    "sin(x)**(-n)",
    "asin(x)**2",
    "exp(-x**2/2)",
    "E**x*x",
    "E*(x+1)",
    "log(x+1)",
    "pi*I*E",
    "EulerGamma + Catalan + GoldenRatio",
    "gamma(x+1)*zeta(s)",
    "zeta(s, a)",
    "besselj(0, x)",
    "Abs(x-1)",
    "Abs(Abs(x)-y)*Abs(z)",
    "floor(x/2)",
    "ceiling(x)",
    "conjugate(z)",
    "binomial(n, k)",
    "factorial(n)",
    "factorial(n+1)/factorial2(n)",
    "factorial(factorial(n))",
    "Integral(x**2*sin(x), x)",
    "Integral(exp(-x**2), (x, 0, oo))",
    "Integral(d*x + 1, x)",
    "Integral(Integral(x*y, x), (y, 0, x))",
    "Sum(1/k**2, (k, 1, oo))",
    "Sum(i**2*I, (i, 1, n)) + 3",
    "x*Sum(k+1, (k, 1, n))",
    "Product(k, (k, 1, n))**2",
    "Limit(sin(x)/x, x, 0)",
    "Limit(1/x, x, 0, '+')",
    "Limit(1/x, x, a+1, '-')",
    "Derivative(sin(x*y), (x, 2))",
    "x*Derivative(sin(x), x)",
    "Piecewise((x, x > 0), (-x, True))",
    "Piecewise((1, (x > 0) & (y < 1)), (x+1, Eq(x, 2)))",
    "Eq(x, y)",
    "x < 3",
    "x >= 3",
    "Ne(x, 1)",
    "And(x > 0, y < 1)",
    "Or(x > 0, And(y < 1, z <= 2))",
    "alpha*beta + gamma",
    "x_1 + x_12 + theta_max + x_alpha",
    "foo*bar + e + i + d + j",
    "f*(x+1)",
    "g*h*(y-1)",
    "O(x**3)",
    "elliptic_pi(n, x, m)",
    "[1, x, y]",
    "(1, x)",
    "atan2(y, x)",
    "Max(x, y, 1)",
    "Mod(x, 3)",
    "oo",
    "-oo",
    "zoo",
    "(x+y)**(n+1)",
    "(x**2)**y",
    "x**y**z",
    "(-1)**n",
    "(1/2)**x",
    "3*x*y*z/(4*w)",
    "-(x+1)",
    "-3*(x+1)*(y-2)",
    "2*pi",
    "2*(x+1)",
    "x*(x+1)",
    "LambertW(x, -1)",
    "sign(x)*Heaviside(x)",
    "re(z) + im(z) + arg(z)",
    "I*x",
    "1.5*x",
    "hyper([1,2],[3],x)",
    "Interval(0, 1)",
    "CRootOf(x**5-x-1, 0)",
    "sqrt(x)**3",
    "sqrt(sqrt(x)+1)",
    "(2/3)**(1/5)",
    "sqrt(2)*sqrt(3)*x",
    "tan(x)/(cos(x)+1)**2",
    "polylog(2, x/(x-1))",
};

static void round_trip(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(forms); i++) there_and_back(forms[i]);
    for (size_t i = 0; i < CC_ARRAY_LEN(forms); i++) { // inside of others
        if (strchr("[(", forms[i][0]) && strchr(forms[i], ',')) continue;
        begin();
        cc_xp x = cc_x_read(&g, cc_str_of(forms[i]));
        bool value = x && x->kind < CC_X_REL && !cc_x_has_fn(x, CC_F_ORDER) && !cc_x_has_fn(x, CC_F_INTERVAL) && x->finite;
        end();
        if (!value) continue;
        static const char *const around[] = {"sqrt(%s)", "(%s)**2*x", "2/(%s)", "sin(%s)+1", "3*(%s)", "x**(%s)", "(%s)/(1+(%s))"};
        for (size_t k = 0; k < CC_ARRAY_LEN(around); k++) {
            char text[1000];
            snprintf(text, sizeof text, around[k], forms[i], forms[i]);
            there_and_back(text);
        }
    }
}

static void reading(void **state) {
    (void)state;
    static const struct {
        const char *latex, *plain; // NULL: refused
    } t[] = {
        {"\\frac{1}{2}", "1/2"},
        {"\\frac12", "1/2"},
        {"\\tfrac12 x", "x/2"},
        {"\\int_0^1 x^2\\,dx", "Integral(x**2, (x, 0, 1))"},
        {"\\int x e^{-x} dx", "Integral(x*exp(-x), x)"},
        {"\\int_{0}^{\\infty} \\frac{\\sin(x)}{x} \\, \\mathrm{d}x", "Integral(sin(x)/x, (x, 0, oo))"},
        {"\\int \\int x y dx dy", "Integral(Integral(x*y, x), y)"},
        {"\\sqrt[3]{x+1}", "(x+1)**(1/3)"},
        {"\\sqrt 2", "sqrt(2)"},
        {"\\sin x", "sin(x)"},
        {"\\sin 2x + 1", "sin(2*x) + 1"},
        {"\\sin x \\cos y", "sin(x)*cos(y)"},
        {"\\sin^2 x + \\cos^2 x", "sin(x)**2 + cos(x)**2"},
        {"\\sin^{-1} x", "asin(x)"},
        {"\\arctan x", "atan(x)"},
        {"\\log_2 8", "3"},
        {"\\log_{10}(x)", "log(x)/log(10)"},
        {"\\ln x", "log(x)"},
        {"\\left(x+1\\right)^2", "(x+1)**2"},
        {"|x-1|", "Abs(x-1)"},
        {"\\left|x\\right| \\cdot y", "y*Abs(x)"},
        {"\\sum_{k=1}^{n} k^2", "Sum(k**2, (k, 1, n))"},
        {"\\sum_{i=1}^n i", "Sum(i, (i, 1, n))"},
        {"\\prod_{k=1}^{n} k", "Product(k, (k, 1, n))"},
        {"\\lim_{x \\to 0^+} \\frac{\\sin x}{x}", "Limit(sin(x)/x, x, 0, '+')"},
        {"\\lim_{x\\to\\infty} (1+1/x)^x", "Limit((1+1/x)**x, x, oo)"},
        {"\\lim_{x\\to a^{-}} x", "Limit(x, x, a, '-')"},
        {"\\binom{n}{k}", "binomial(n, k)"},
        {"x \\le 3", "x <= 3"},
        {"x \\ne y", "Ne(x, y)"},
        {"\\frac{d}{dx} \\sin(x)", "Derivative(sin(x), x)"},
        {"\\frac{d^2}{dx^2} x^3", "Derivative(x**3, (x, 2))"},
        {"\\frac{d}{2}", "d/2"},
        {"\\alpha + \\beta_1", "alpha + beta_1"},
        {"2x y", "2*x*y"},
        {"e^{i\\pi} + 1", "0"},
        {"x!", "factorial(x)"},
        {"\\operatorname{erf}(x)", "erf(x)"},
        {"3 \\times 4 \\div 2", "6"},
        {"-x^2", "-x**2"},
        {"90^\\circ", "pi/2"},
        {"a \\bmod b", "Mod(a, b)"},
        {"(x+1)(x-1)", "(x+1)*(x-1)"},
        {"\\left\\lfloor x \\right\\rfloor", "floor(x)"},
        {"\\Gamma(n+1)", "gamma(n+1)"},
        {"$x+1$", "x+1"},
        {"x^12", NULL},
        {"1 2", NULL},
        {"\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}", NULL},
        {"\\foo x", NULL},
        {"x \\pm 1", NULL},
        {"", NULL},
        {"\\frac{1}{", NULL},
        {"x^2^3", NULL},
        {"y'", NULL},
        {"\\int x", NULL},
        {"|x", NULL},
        {"\\left(x", NULL},
        {"x_{a+b}", NULL},
        {"\\", NULL},
        {"x }", NULL},
        {"x_\\", NULL},
        {"x_{}\\alpha", NULL},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) {
        begin();
        cc_str plain = cc_read_latex_plain(&g, cc_str_of(t[i].latex), false);
        cc_xp x = plain.p ? cc_x_read(&g, plain) : NULL;
        if (!t[i].plain) {
            if (x || err.code != CC_VALIDATION) fail_msg("%s is not refused", t[i].latex);
        } else {
            if (!x) fail_msg("%s: %s", t[i].latex, err.msg);
            cc_str s = cc_x_show(&g, x);
            if (x != cc_x_read(&g, cc_str_of(t[i].plain))) fail_msg("%s: %.*s, want %s", t[i].latex, (int)s.n, s.p, t[i].plain);
        }
        end();
    }
    begin(); // what is asked for is carried out
    assert_ptr_equal(cc_x_read_latex(&g, CC_STR("\\frac{d}{dx} x^2")), cc_x_read(&g, CC_STR("2*x")));
    end();
    // Hostile nesting ends with an error.
    static char deep[20000];
    for (size_t i = 0; i + 1 < sizeof deep; i++) deep[i] = i % 6 == 0 ? '\\' : "\\sqrt{"[i % 6];
    begin();
    assert_null(cc_x_read_latex(&g, cc_str_make(deep, sizeof deep - 2)));
    assert_true(err.code == CC_VALIDATION || err.code == CC_RESOURCE_EXHAUSTED);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(reading)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cc_arena_free(&arena);
    return failed;
}
