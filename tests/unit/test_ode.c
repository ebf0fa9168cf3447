// Differential equations and Laplace transforms. General solutions are put into the equation here, with derivatives taken at random
// constants, and must have as many constants as the order; solutions with initial values are compared with values by SymPy 1.14 (dsolve)
// and mpmath's odefun; transforms with the defining integral by mpmath (quad, 20 digits at s = 47/10).
#include "unit.h"

#include "math/ode/ode.h"
#include "math/transform/transform.h"

typedef struct bench {
    cc_arena arena;
    cc_error err;
    cc_alg g;
} bench;

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    cc_alg_init(&b->g, &b->arena, &b->err, NULL);
    b->g.soft_deadline_ms = cc_now_ms() + 60000;
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    bench *b = *state;
    cc_alg_clear(&b->g);
    cc_arena_free(&b->arena);
    free(b);
    return 0;
}

static cc_xp expr(bench *b, const char *text) {
    cc_xp x = cc_x_read(&b->g, cc_str_of(text));
    if (!x) fail_msg("%s: %s", text, b->err.msg);
    return x;
}

static bool small(bench *b, cc_xp x, slong bits) {
    acb_t z;
    mag_t size;
    acb_init(z), mag_init(size);
    bool ok = cc_x_enclose_to(&b->g, z, x, NULL, bits + 10);
    acb_get_mag(size, z);
    ok = ok && mag_cmp_2exp_si(size, -bits) < 0;
    acb_clear(z), mag_clear(size);
    return ok;
}

static void read_and_solve(bench *b, const char *text, cc_ode *ode, cc_ode_solutions *s) {
    if (cc_ode_read(&b->g, cc_str_of(text), CC_STR(""), ode)) fail_msg("%s: %s", text, b->err.msg);
    bool found = cc_ode_solve(&b->g, ode, s);
    if (b->err.code) fail_msg("%s: %s", text, b->err.msg);
    if (!found) s->n = 0;
}

static void test_general_solutions(void **state) {
    (void)state;
    static const char *const cases[] = {
        "y' + 2*y = x",
        "y'' - y = exp(x)",
        "diff(y(x),x) = x*y(x)",
        "y'' + 2*y' + 5*y = sin(x)",
        "y'' + y = cos(x)",
        "y'' + y = tan(x)",
        "y'' + y = 1/cos(x)",
        "y''' - y = 0",
        "y'''' - y = x^2",
        "y''' - 3*y'' + 3*y' - y = x*exp(x)",
        "y'' - 3*y' + 2*y = exp(3*x) + x^2",
        "y' = y^2",
        "y' = x/y",
        "y' = k*y",
        "y' = r*y*(1-y/K)",
        "y' + y = x*y^3",
        "y' - y = x*y^2",
        "x*y' + y = y^2*log(x)",
        "y' = (x+y)/(x-y)",
        "y' = (x^2+y^2)/(x*y)",
        "(2*x*y + 3) + (x^2 + 4*y)*y' = 0",
        "(3*x^2*y + 2*x*y + y^3) + (x^2+y^2)*y' = 0",
        "y + (2*x - y*exp(y))*y' = 0",
        "x*y' + 2*y = sin(x)",
        "x^2*y'' + x*y' - y = 0",
        "x^2*y'' - 2*x*y' + 2*y = x^3",
        "x^2*y'' + x*y' + y = 0",
        "x^2*y'' + 3*x*y' + y = log(x)",
        "y'' + w^2*y = 0",
        "y'' + a*y' = 0",
        "dy/dx = exp(x+y)",
        "dy/dt = -k*y",
        "x' = -3*x + t",
        "y' + y*cos(x) = cos(x)",
        "y' + y = exp(x^2)",
        "y'' - 2*y' + y = exp(x)/x",
        "y'' - y' - 2*y = sin(x)*exp(2*x)",
        "y'' + 9*y = sin(x)^2",
        "y'''' + 2*y'' + y = 0",
        "2*y'' - 5*y' - 3*y = 0",
        "y'' + y' + y = 0",
        "y'' - 2*y = 0",
        "y' = sqrt(y)",
        "y' = sqrt(1-y^2)",
        "y' = x*exp(-y)",
        "y' = tan(y)",
        "y' = (y/x) + tan(y/x)",
        "y' = 2*y + exp(2*x)",
        "y'(x) + y(x) = 1",
        "y'' = y'",
        "f'(t) = f(t)*(1 - f(t))",
        "u'' + u = sec(t)",
        "y''' + y' = 1",
        "y''+y'=x",
        "y' = y/x + x*exp(x)",
        "(1+x^2)*y' = 1 + y^2",
        "y' = (x+y+1)^2",
        "y'' + k^2*y = cos(w*x)",
        "m*x'' + c*x' + k*x = 0",
        "x*y'' + y' = 0",
        "y'' + y = x*sin(x)",
        "y''+2*y'+y=exp(-x)*log(x)",
        "L*q'' + R*q' + q/C = 0",
        "y'' - w^2*y = 1",
        "y' = x*y^(1/3)",
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        bench b = {0};
        cc_ode ode;
        cc_ode_solutions s;
        cc_alg *g = &b.g;
        cc_alg_init(g, &b.arena, &b.err, NULL);
        read_and_solve(&b, cases[i], &ode, &s);
        if (s.n == 0) fail_msg("%s: not found", cases[i]);
        for (size_t k = 0; k < s.n; k++) {
            if (!s.implicit[k])
                for (slong c = 0; c < ode.order; c++)
                    if (!cc_x_has(s.values[k], cc_ode_constant(g, c))) fail_msg("%s: C%ld is missing", cases[i], c + 1);
            if (s.implicit[k]) {
                assert_true(cc_x_has(s.values[k], cc_ode_constant(g, 0)));
                continue;
            }
            cc_xp with[CC_ODE_ORDER + 1] = {s.values[k]};
            for (slong d = 1; d <= ode.order; d++) with[d] = cc_x_diff(g, with[d - 1], ode.x);
            cc_xp off = cc_x_subs_many(g, ode.f, ode.y, with, (size_t)ode.order + 1);
            size_t n;
            const cc_xp *free = cc_x_symbols(g, off, &n);
            for (slong point = 1; point <= 2; point++) {
                cc_xp value = off;
                for (size_t h = 0; h < n; h++) value = cc_x_subs(g, value, free[h], cc_x_frac(g, 3 + 2 * point + (slong)h, 11));
                if (!small(&b, value, 60)) fail_msg("%s: %.*s", cases[i], (int)cc_x_show(g, s.values[k]).n, cc_x_show(g, s.values[k]).p);
            }
        }
        cc_alg_clear(g);
        cc_arena_free(&b.arena);
    }
}

static void test_initial_values(void **state) {
    static const struct {
        const char *equation, *values[3], *solution; // solution NULL: there is none
    } cases[] = {
        {"y' = y", {"y(0) = 1"}, "exp(x)"},
        {"y'' + y = 0", {"y(0) = 1", "y'(0) = 0"}, "cos(x)"},
        {"y'' + 4*y' + 4*y = 0", {"y(0)=1", "y'(0)=2"}, "(1 + 4*x)*exp(-2*x)"},
        {"y'' = 6*x", {"y(0)=1", "y'(0)=2"}, "x^3 + 2*x + 1"},
        {"y' + y/x = x^2", {"y(1)=1"}, "(x^4 + 3)/(4*x)"},
        {"y' = y^2", {"y(0)=1"}, "1/(1 - x)"},
        {"y' = y^2", {"y(0)=0"}, "0"},
        {"y' = x/y", {"y(0)=2"}, "sqrt(x^2 + 4)"},
        {"y' = -x/y", {"y(0)=-2"}, "-sqrt(4 - x^2)"},
        {"y' = 1 + y^2", {"y(0)=0"}, "tan(x)"},
        {"y' = y*(1-y)", {"y(0)=1/2"}, "1/(1 + exp(-x))"},
        {"y' = (y^2-1)/x", {"y(1)=2"}, "(3 + x^2)/(3 - x^2)"},
        {"y' = 3*(y-20)", {"y(0)=90"}, "20 + 70*exp(3*x)"},
        {"y''' - y = 0", {"y(0)=1", "y'(0)=1", "y''(0)=1"}, "exp(x)"},
        {"y'' - y = exp(x)", {"y(0)=0", "y'(0)=0"}, "x*exp(x)/2 - sinh(x)/2"},
        {"x^2*y'' - 2*x*y' + 2*y = x^3", {"y(1)=0", "y'(1)=0"}, "x^3/2 - x^2 + x/2"},
        {"y'' + y = 0", {"y(0)=0", "y(pi)=1"}, NULL},
    };
    bench *b = *state;
    cc_alg *g = &b->g;
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_ode ode;
        cc_ode_solutions s;
        cc_ode_value values[3];
        size_t n = 0;
        bool none;
        read_and_solve(b, cases[i].equation, &ode, &s);
        while (n < 3 && cases[i].values[n]) {
            assert_int_equal(cc_ode_read_value(g, &ode, cc_str_of(cases[i].values[n]), &values[n]), 0);
            n++;
        }
        bool fits = s.n && cc_ode_fit(g, &ode, &s, values, n, &none);
        if (!cases[i].solution) {
            assert_true(!fits && none);
            continue;
        }
        if (!fits || s.n != 1 || s.implicit[0]) fail_msg("%s: not found", cases[i].equation);
        cc_xp off = cc_x_subs(g, cc_x_sub(g, s.values[0], expr(b, cases[i].solution)), ode.x, cc_x_frac(g, 3, 7));
        if (!small(b, off, 80)) fail_msg("%s: %.*s", cases[i].equation, (int)cc_x_show(g, s.values[0]).n, cc_x_show(g, s.values[0]).p);
    }
}

static void test_not_found(void **state) {
    static const char *const cases[] = {"y' = x^2 + y^2", "y'' + x*y = 0", "y' = sin(x*y)", "y'^2 = y + x"};
    bench *b = *state;
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_ode ode;
        cc_ode_solutions s;
        read_and_solve(b, cases[i], &ode, &s);
        if (s.n) fail_msg("%s: found", cases[i]);
    }
}

static void test_wrong_input(void **state) {
    (void)state;
    static const char *const cases[] = {"y = 3", "y'(x+1) = y", "x^2", "y' = z'", "y' = (", "y'''''''''''''' = 0"};
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        bench b = {0};
        cc_ode ode;
        cc_alg_init(&b.g, &b.arena, &b.err, NULL);
        if (cc_ode_read(&b.g, cc_str_of(cases[i]), CC_STR(""), &ode) != -1 || b.err.code == CC_OK) fail_msg("%s was read", cases[i]);
        cc_alg_clear(&b.g);
        cc_arena_free(&b.arena);
    }
}

static void test_laplace(void **state) {
    static const struct {
        const char *f, *value;
    } cases[] = {
        {"1", "0.21276595744680851064"},
        {"t", "0.045269352648257129923"},
        {"t^3", "0.012295885735153588933"},
        {"exp(2*t)", "0.37037037037037037037"},
        {"t^2*exp(-3*t)", "0.0043808443201258178489"},
        {"sin(3*t)", "0.096494049533612093921"},
        {"cos(2*t)", "0.18014564967420467612"},
        {"t*sin(2*t)", "0.027619110720460663261"},
        {"exp(-t)*cos(2*t)", "0.15620718004932858317"},
        {"sinh(2*t)", "0.11055831951354339414"},
        {"cosh(3*t)", "0.35905271199388846448"},
        {"t*cosh(t)", "0.051912360065388440023"},
        {"sin(t)^2", "0.016310153886301917259"},
        {"sin(t)*cos(3*t)", "0.014178358109905117703"},
        {"sqrt(t)", "0.086975744268686971742"},
        {"1/sqrt(t)", "0.81757199612565753437"},
        {"t^(3/2)*exp(-t)", "0.017137562851302898232"},
        {"Heaviside(t-2)", "0.000017600865012049417602"},
        {"Heaviside(t-2)*(t-2)^2", "1.5935595302896711274e-6"},
        {"t*Heaviside(t-1)", "0.0023469026473366300328"},
        {"exp(-t)*Heaviside(t-3)", "6.5718781689390362988e-9"},
        {"Heaviside(2-t)*t", "0.045230406053336850361"},
        {"(1+t)^3*exp(-2*t)", "0.23901052452615415291"},
        {"sin(2*t+1)", "0.19300568188322702246"},
        {"5", "1.0638297872340425532"},
        {"exp(t)*(sin(t)+cos(t))^2", "0.38332849525613799215"},
        {"Heaviside(t-1)-Heaviside(t-2)", "0.0019175644757742946445"},
        {"sin(t)*Heaviside(t-pi)", "-1.6749706600137819818e-8"},
        {"2^t", "0.24957243129777522307"},
        {"t^2*sin(t)*exp(t)", "0.025280400548445387872"},
        {"Heaviside(t+1)", "0.21276595744680851064"},
        {"exp(-abs(3)*t)", "0.12987012987012987013"},
        {"DiracDelta(t-1)", "exp(-47/10)"}, // the next ones by definition
        {"DiracDelta(t)", "1"},
        {"DiracDelta(2*t-4)*t^2", "2*exp(-94/10)"},
        {"DiracDelta(t+1)", "0"},
    };
    static const char *const unknown[] = {"exp(t^2)", "1/t", "tan(t)", "log(t)", "1/(1+t)", "DiracDelta(t)^2"};
    bench *b = *state;
    cc_alg *g = &b->g;
    cc_xp t = cc_x_symbol(g, CC_STR("t"), 0), s = cc_x_symbol(g, CC_STR("s"), 0);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        cc_xp x = cc_x_laplace(g, expr(b, cases[i].f), t, s);
        if (!x) fail_msg("%s: not found %s", cases[i].f, b->err.msg);
        if (!small(b, cc_x_sub(g, cc_x_subs(g, x, s, cc_x_frac(g, 47, 10)), expr(b, cases[i].value)), 55))
            fail_msg("%s: %.*s", cases[i].f, (int)cc_x_show(g, x).n, cc_x_show(g, x).p);
    }
    for (size_t i = 0; i < CC_ARRAY_LEN(unknown); i++)
        if (cc_x_laplace(g, expr(b, unknown[i]), t, s)) fail_msg("%s: found", unknown[i]);
}

static void test_region(void **state) {
    static const struct {
        const char *f, *condition;
    } cases[] = {{"exp(2*t) + exp(3*t)", "re(s) > 3"}, {"t*sin(t)", "re(s) > 0"}, {"cosh(2*t)*exp(-5*t)", "re(s) > -3"}};
    bench *b = *state;
    cc_alg *g = &b->g;
    cc_xp t = cc_x_symbol(g, CC_STR("t"), 0), s = cc_x_symbol(g, CC_STR("s"), 0);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        g->n_conditions = 0;
        assert_non_null(cc_x_laplace(g, expr(b, cases[i].f), t, s));
        assert_int_equal(g->n_conditions, 1);
        assert_text(cc_x_show(g, g->conditions[0]), cases[i].condition);
    }
}

static void test_inverse_laplace(void **state) {
    static const struct {
        const char *f, *value; // at t = 13/5, by mpmath's invertlaplace (talbot) to 20 digits, or SymPy's closed form where there is a step
    } cases[] = {
        {"1/s", "1.0"},
        {"1/s^2", "2.6"},
        {"1/(s+2)", "0.005516564420760772418"},
        {"1/(s^2+4)", "-0.44172732786007663234"},
        {"s/(s^2+4)", "0.46851667130037695864"},
        {"1/(s^2+2*s+5)", "-0.032808669235224107109"},
        {"(s+3)/((s+1)^2*(s^2+1))", "1.8476054866429218781"},
        {"1/(s^2+1)^2", "1.3717060652903635216"},
        {"s/(s^2+1)^2", "0.67015178336790350584"},
        {"1/(s*(s+1)*(s+2))", "0.42848470399604650578"},
        {"1/sqrt(s)", "0.34989552626671000435"},
        {"1/(s+1)^(3/2)", "0.13513756223248320104"},
        {"1/s^5", "1.9040666666666666667"},
        {"(2*s+3)/(s^2-4)", "317.22780242261975409"},
        {"1/(s^3+1)", "2.4407656293642815546"},
        {"1/(s^4-1)", "3.0896154282861070117"},
        {"1/(s^2-2)", "13.965558647444871443"},
        {"1/(s^2+s+1)", "0.24452419659239736254"},
        {"1/(s^3-2*s+5)", "2.0460085503685464435"},
        {"1/((s-1)^2*(s^2+2*s+2)^2)", "0.55803536203335586411"},
        {"(s^2+2)/(s^3+3*s^2+3*s+1)", "0.44118505459314324974"},
        {"exp(-2*s)/s", "1"}, // delays: shifted table entries
        {"exp(-3*s)/s", "0"},
        {"exp(-s)/(s^2+1)", "sin(8/5)"},
        {"(1-exp(-s))/s^2", "1"},
        {"exp(-2*s)/(s*(s+1)^2)", "1 - exp(-3/5)*8/5"},
    };
    static const char *const unknown[] = {"s", "exp(s)/s", "log(s)", "s^2/(s+1)", "sqrt(s)", "atan(1/s)"};
    bench *b = *state;
    cc_alg *g = &b->g;
    cc_xp t = cc_x_symbol(g, CC_STR("t"), 0), s = cc_x_symbol(g, CC_STR("s"), 0);
    for (size_t i = 0; i < CC_ARRAY_LEN(cases); i++) {
        bool proven;
        cc_xp x = cc_x_inverse_laplace(g, expr(b, cases[i].f), s, t, &proven);
        if (!x) fail_msg("%s: not found %s", cases[i].f, b->err.msg);
        if (!small(b, cc_x_sub(g, cc_x_subs(g, x, t, cc_x_frac(g, 13, 5)), expr(b, cases[i].value)), 40))
            fail_msg("%s: %.*s", cases[i].f, (int)cc_x_show(g, x).n, cc_x_show(g, x).p);
    }
    for (size_t i = 0; i < CC_ARRAY_LEN(unknown); i++) {
        bool proven;
        if (cc_x_inverse_laplace(g, expr(b, unknown[i]), s, t, &proven)) fail_msg("%s: found", unknown[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_general_solutions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_initial_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_not_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_input, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_laplace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_region, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inverse_laplace, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
