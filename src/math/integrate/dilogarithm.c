// Rational functions times one logarithm, or inverse tangent, whose derivative is rational with simple poles: T is the sum of k*log(v - r)
// over these poles up to a constant between branch points, and each logarithm over each pole gives a dilogarithm. Called by search.c.
#include "math/integrate/integrate.h"

static bool is_transcendental(cc_xp x) {
    return cc_x_is_fun(x, CC_F_LOG) || cc_x_is_fun(x, CC_F_ATAN) || cc_x_is_fun(x, CC_F_ACOT) || cc_x_is_fun(x, CC_F_ATANH) ||
           cc_x_is_fun(x, CC_F_ACOTH);
}

// log(v - r) times the function whose poles are p; the part without simple poles has the antiderivative S.
static cc_xp one_logarithm(cc_int *in, cc_xp r, const cc_poles *p, cc_xp S, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp d = cc_x_sub(g, v, r), L = cc_x_log(g, d), F = g->zero;
    if (S != g->zero) {
        cc_xp rest = cc_int_find(in, cc_x_div(g, S, d), v);
        if (!rest) return NULL;
        F = cc_x_sub(g, cc_x_mul(g, S, L), rest);
    }
    for (size_t i = 0; i < p->n; i++) {
        if (p->at[i].order > 1) continue;
        cc_xp s = p->at[i].root, part;
        if (s == r) {
            part = CC_PROD(g, g->half, L, L);
        } else {
            cc_xp step = cc_x_sub(g, s, r);
            if (cc_x_is_constant(step) && cc_x_sign(g, step) == 1) { // log(v - r) = log(step) + log(1 + (v - s)/step)
                cc_xp from_pole = cc_x_sub(g, v, s);
                part = cc_x_sub(g, cc_x_mul(g, cc_x_log(g, step), cc_x_log(g, from_pole)),
                                cc_x_f2(g, CC_F_POLYLOG, g->two, cc_x_neg(g, cc_x_div(g, from_pole, step))));
            } else {
                part = cc_x_add(g, cc_x_mul(g, L, cc_x_log(g, cc_x_expand(g, cc_x_div(g, cc_x_sub(g, s, v), step)))),
                                cc_x_f2(g, CC_F_POLYLOG, g->two, cc_x_expand(g, cc_x_div(g, d, step))));
            }
        }
        F = cc_x_add(g, F, cc_x_mul(g, p->at[i].coefficient, part));
    }
    return F;
}

// (a + b*T) over something: both terms.
static cc_xp by_sum(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n && n > 1; i++) {
        cc_xp with, a, T, b;
        if (factors[i]->kind != CC_X_ADD) continue;
        cc_x_separate_add(g, factors[i], v, &with, &a);
        cc_x_separate_mul(g, with, v, &T, &b);
        if (!T || !is_transcendental(T)) continue;
        cc_xp R = cc_x_div(g, f, factors[i]), F = cc_int_dilogarithm(in, cc_x_mul(g, R, T), v);
        cc_xp rest = F && a != g->zero ? cc_int_find(in, R, v) : g->zero;
        return F ? cc_x_add(g, cc_x_mul(g, b, F), cc_x_mul(g, a, rest)) : NULL;
    }
    return NULL;
}

cc_xp cc_int_dilogarithm(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    cc_xp T = NULL;
    for (size_t i = 0; i < n; i++)
        if (is_transcendental(factors[i]) && !cc_int_free(factors[i], v)) T = factors[i];
    if (!T) return by_sum(in, f, v);
    cc_xp R = cc_x_div(g, f, T);
    cc_poles t, p;
    if (!cc_int_poles(g, cc_x_diff(g, T, v), v, &t) || t.degree >= 0 || !cc_int_poles(g, R, v, &p)) return NULL;
    for (size_t i = 0; i < t.n; i++)
        if (t.at[i].order != 1) return NULL;
    // a logarithm over another pole; else, or when R is T' itself, the answer is elementary and others find it
    bool crossed = false;
    for (size_t i = 0; i < t.n; i++)
        for (size_t k = 0; k < p.n; k++) crossed = crossed || (p.at[k].order == 1 && p.at[k].root != t.at[i].root);
    if (!crossed || cc_int_free(cc_int_normal(g, cc_x_div(g, R, cc_x_diff(g, T, v)), v), v)) return NULL;
    // R without its simple poles
    cc_xp S = g->zero;
    for (slong i = 0; i <= p.degree; i++)
        S = cc_x_add(g, S, cc_x_div(g, cc_x_mul(g, p.polynomial[i], cc_x_powi(g, v, i + 1)), cc_x_int(g, i + 1)));
    for (size_t i = 0; i < p.n; i++)
        if (p.at[i].order > 1)
            S = cc_x_sub(g, S,
                         CC_PROD(g, cc_x_frac(g, 1, p.at[i].order - 1), p.at[i].coefficient,
                                 cc_x_powi(g, cc_x_sub(g, v, p.at[i].root), 1 - p.at[i].order)));
    cc_xp F = g->zero, logs = g->zero;
    for (size_t i = 0; i < t.n && cc_alg_may_search(g); i++) {
        cc_xp part = one_logarithm(in, t.at[i].root, &p, S, v);
        F = part ? cc_x_add(g, F, cc_x_mul(g, t.at[i].coefficient, part)) : NULL;
        if (!F) return NULL;
        logs = cc_x_add(g, logs, cc_x_mul(g, t.at[i].coefficient, cc_x_log(g, cc_x_sub(g, v, t.at[i].root))));
    }
    cc_xp constant = cc_x_sub(g, T, logs);
    if (constant == g->zero) return F;
    cc_xp whole = cc_int_find(in, R, v);
    return whole ? cc_x_add(g, F, cc_x_mul(g, constant, whole)) : NULL;
}
