// The check of antiderivatives: F' against f in ball arithmetic at independent points, real and complex, with real and complex values of
// the parameters. Called by search.c for every candidate. Only enclosures count: a point where one fails says nothing.
#include "math/integrate/integrate.h"

typedef struct point {
    slong re, im;
} point; // in sixteenths: exact, so that enclosures are as narrow as the precision allows

static const point points[] = {{7, 9},  {-9, 11}, {13, -7}, {-11, -13}, {31, 17}, {-37, 19}, {41, -23}, {-29, -41}, {6, 0},
                               {-7, 0}, {13, 0},  {-17, 0}, {23, 0},    {-31, 0}, {47, 0},   {-53, 0},  {81, 0},    {3, 0}};
static const slong positive[] = {45, 72, 50, 21, 69, 61, 14, 55, 74, 29, 77, 58, 13}; // in 32nds
enum { N_POINTS = sizeof points / sizeof *points, N_POSITIVE = sizeof positive / sizeof *positive };

// The value of parameter i, as its assumptions want it; round 1 takes complex and negative ones where nothing is assumed.
static void parameter(acb_t out, cc_xp s, size_t i, int round) {
    acb_set_si(out, positive[i % N_POSITIVE] + 32 * (slong)(i / N_POSITIVE));
    acb_mul_2exp_si(out, out, -5);
    if (s->facts & (CC_IS_INTEGER | CC_IS_EVEN | CC_IS_ODD)) acb_set_si(out, (s->facts & CC_IS_ODD ? 3 : 2) + 2 * (slong)i);
    if (s->facts & (CC_IS_NEGATIVE | CC_IS_NONPOSITIVE)) acb_neg(out, out);
    if (round == 1 && !(s->facts & ~(unsigned)CC_IS_NONZERO)) {
        if (i % 3 == 0) acb_neg(out, out);
        arb_set_si(acb_imagref(out), (slong)(i % 4) - 2 + (i % 4 == 2));
        arb_mul_2exp_si(acb_imagref(out), acb_imagref(out), -2);
    } else if (round == 1 && !(s->facts & ~(unsigned)(CC_IS_NONZERO | CC_IS_REAL))) {
        if (i % 2) acb_neg(out, out);
    }
}

// One point: 1 agrees, 0 differs, -1 cannot be said.
static int agrees_at(cc_alg *g, cc_xp derivative, cc_xp f, const cc_xenv *env) {
    acb_t a, b;
    mag_t error, scale;
    acb_init(a);
    acb_init(b);
    mag_init(error);
    mag_init(scale);
    int r = -1;
    for (slong prec = 128; prec <= 1024 && r < 0; prec *= 3) {
        if (!cc_x_enclose(g, b, f, env, prec) || !cc_x_enclose(g, a, derivative, env, prec) || !acb_is_finite(a) || !acb_is_finite(b))
            continue;
        acb_sub(a, a, b, prec);
        if (!acb_contains_zero(a)) {
            r = 0;
            break;
        }
        acb_get_mag(error, a);
        acb_get_mag(scale, b);
        mag_mul_2exp_si(scale, scale, -50);
        if (mag_cmp(error, scale) <= 0 || mag_cmp_2exp_si(error, -70) <= 0) r = 1;
    }
    mag_clear(error);
    mag_clear(scale);
    acb_clear(a);
    acb_clear(b);
    return r;
}

bool cc_int_has_elliptic(cc_xp x) {
    return cc_x_has_fn(x, CC_F_ELLIPTIC_F) || cc_x_has_fn(x, CC_F_ELLIPTIC_E) || cc_x_has_fn(x, CC_F_ELLIPTIC_PI);
}

// The product of these factors is constant between branch points: its logarithmic derivative is zero.
static bool is_locally_constant(cc_alg *g, const cc_xp *factors, size_t n, cc_xp v) {
    cc_xp sum = g->zero;
    for (size_t i = 0; i < n; i++) {
        cc_xp b, e;
        cc_x_split_power(g, factors[i], &b, &e);
        if (!b || !e || !cc_int_free(e, v)) return false;
        sum = cc_x_add(g, sum, CC_PROD(g, e, cc_x_diff(g, b, v), cc_x_pow(g, b, g->minus_one)));
    }
    cc_xp plain = cc_int_half_tangent(g, sum, v);
    return cc_int_normal(g, plain ? plain : sum, v) == g->zero;
}

bool cc_int_locally_constant(cc_alg *g, cc_xp x, cc_xp v) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&x, &n);
    return is_locally_constant(g, factors, n, v);
}

cc_xp cc_int_derivative(cc_alg *g, cc_xp F, cc_xp v) {
    if (!F || !cc_int_has_elliptic(F) || (F->kind != CC_X_ADD && F->kind != CC_X_MUL)) return cc_x_diff(g, F, v);
    cc_xp sum = g->zero;
    if (F->kind == CC_X_ADD) {
        for (uint32_t i = 0; i < F->n; i++) sum = cc_x_add(g, sum, cc_int_derivative(g, F->args[i], v));
        return sum;
    }
    // the roots before elliptic integrals only choose signs: these integrals, which take long to enclose, need not stay in the derivative
    cc_xp *others = CC_ARENA_ARRAY(g->arena, cc_xp, F->n), with = g->one;
    size_t n = 0;
    for (uint32_t i = 0; i < F->n; i++)
        if (cc_int_has_elliptic(F->args[i]))
            with = cc_x_mul(g, with, F->args[i]);
        else
            others[n++] = F->args[i];
    if (!is_locally_constant(g, others, n, v)) return cc_x_diff(g, F, v);
    return cc_x_mul(g, cc_x_muln(g, others, n), cc_int_derivative(g, with, v));
}

cc_truth cc_int_agrees(cc_alg *g, cc_xp F, cc_xp f, cc_xp v, bool *positive_only) {
    *positive_only = false;
    cc_xp derivative = cc_int_derivative(g, F, v);
    if (!derivative || !F->finite) return CC_UNDECIDED;
    if (derivative == f) return CC_TRUE;
    size_t n;
    const cc_xp *found = cc_x_symbols(g, cc_x_tuple(g, (const cc_xp[]){derivative, f, v}, 3), &n);
    if (!found) return CC_UNDECIDED;
    acb_ptr values = _acb_vec_init((slong)n);
    cc_xenv env = {.symbols = found, .values = values, .n = n};
    unsigned agree[2] = {0, 0};
    bool differs[2] = {false, false};
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        if (found[i] == v) at = i;
    for (int round = 0; round < (n > 1 ? 2 : 1) && !differs[0]; round++) {
        for (size_t i = 0; i < n; i++)
            if (i != at) parameter(values + i, found[i], i, round);
        for (size_t k = 0; k < N_POINTS && !differs[round] && cc_alg_may_search(g); k++) {
            acb_set_si_si(values + at, points[k].re, points[k].im);
            acb_mul_2exp_si(values + at, values + at, -4);
            int r = agrees_at(g, derivative, f, &env);
            if (r == 1) agree[round]++;
            if (r == 0) differs[round] = true;
        }
    }
    _acb_vec_clear(values, (slong)n);
    if (differs[0] || agree[0] < 8) return differs[0] ? CC_FALSE : CC_UNDECIDED;
    *positive_only = n > 1 && (differs[1] || agree[1] < 4);
    return CC_TRUE;
}
