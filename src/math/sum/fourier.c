// Infinite sums with one sine or cosine of a linear argument: over a power of k by Bernoulli polynomials, a logarithm or polylogarithms
// (Abramowitz and Stegun 23.1.16, 23.1.17, 27.8; Gradshteyn and Ryzhik 1.441), else as those with exp(I*k*theta) and its conjugate. Called
// by sum.c. Owns nothing.
#include "math/sum/sum.h"

#define MOST_POWER 30
#define MOST_FIRST 40 // terms that are taken off at the beginning

// B_n(x)
static cc_xp bernoulli_polynomial(cc_alg *g, slong n, cc_xp x) {
    cc_xp out = g->zero, choose = g->one;
    for (slong j = 0; j <= n; j++) {
        cc_xp b = j == 1 ? cc_x_neg(g, g->half) : cc_x_f1(g, CC_F_BERNOULLI, cc_x_int(g, j));
        out = cc_x_add(g, out, cc_x_mul(g, cc_x_mul(g, choose, b), cc_x_powi(g, x, n - j)));
        choose = cc_x_div(g, cc_x_mul(g, choose, cc_x_int(g, n - j)), cc_x_int(g, j + 1));
    }
    return out;
}

// The sum of cos(k*theta)/k**m, or of the sine, from 1.
static cc_xp over_power(cc_alg *g, bool cosine, cc_xp theta, slong m) {
    cc_xp whole = cc_x_mul(g, g->two, g->pi), t = theta;
    if (cc_x_is_constant(theta)) { // into [0, 2 pi)
        cc_xp turns = cc_x_f1(g, CC_F_FLOOR, cc_x_div(g, theta, whole));
        if (cc_x_is(g, theta, CC_IS_REAL) != CC_TRUE || !cc_x_is_int(turns)) return NULL;
        t = cc_x_expand(g, cc_x_sub(g, theta, cc_x_mul(g, turns, whole)));
        if (cc_x_is_zero(g, t) != CC_FALSE) return NULL; // no waves
    } else {
        cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->zero, theta));
        cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, theta, whole));
    }
    if (cosine == (m % 2 == 0)) {
        slong n = m / 2;
        cc_xp c = cc_x_div(g, cc_x_powi(g, whole, m), cc_x_mul(g, g->two, cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, m))));
        cc_xp out = cc_x_mul(g, c, bernoulli_polynomial(g, m, cc_x_div(g, t, whole)));
        return cc_x_expand(g, n % 2 ? out : cc_x_neg(g, out));
    }
    if (m == 1) return cc_x_neg(g, cc_x_log(g, cc_x_mul(g, g->two, cc_x_f1(g, CC_F_SIN, cc_x_mul(g, g->half, t)))));
    cc_xp order = cc_x_int(g, m), up = cc_x_f2(g, CC_F_POLYLOG, order, cc_x_exp(g, cc_x_mul(g, g->i, theta)));
    if (cc_x_is_constant(theta)) return cc_x_f1(g, cosine ? CC_F_RE : CC_F_IM, up);
    cc_xp down = cc_x_f2(g, CC_F_POLYLOG, order, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, g->i, theta))));
    if (cosine) return cc_x_mul(g, g->half, cc_x_add(g, up, down));
    return cc_x_div(g, cc_x_sub(g, up, down), cc_x_mul(g, g->two, g->i));
}

cc_xp cc_sum_fourier(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) {
    cc_xp wave = NULL, rest = g->one, theta, offset, base, exponent;
    size_t n;
    slong first, m;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) {
        bool circle = cc_x_is_fun(factors[i], CC_F_SIN) || cc_x_is_fun(factors[i], CC_F_COS);
        if (circle && cc_x_has(factors[i], k)) {
            if (wave) return NULL;
            wave = factors[i];
        } else {
            rest = cc_x_mul(g, rest, factors[i]);
        }
    }
    if (!wave || !cc_sum_linear(g, wave->args[0], k, &theta, &offset) || !cc_x_fits_si(a, &first)) return NULL;
    bool cosine = wave->fn == CC_F_COS;
    cc_x_split_power(g, rest, &base, &exponent);
    if (base == k && cc_x_fits_si(exponent, &m) && m < 0 && m >= -MOST_POWER) {
        if (offset != g->zero || first < 1 || first > MOST_FIRST) return NULL;
        cc_xp out = over_power(g, cosine, theta, -m);
        for (slong j = 1; out && j < first; j++) out = cc_x_sub(g, out, cc_x_subs(g, f, k, cc_x_int(g, j)));
        return out;
    }
    if (cc_x_is(g, wave->args[0], CC_IS_REAL) == CC_FALSE || !cc_x_is_constant(theta)) return NULL;
    cc_xp turn = cc_x_mul(g, g->i, wave->args[0]), up = cc_x_sum(g, cc_x_mul(g, rest, cc_x_exp(g, turn)), k, a, g->oo);
    cc_xp down = up && up->finite ? cc_x_sum(g, cc_x_mul(g, rest, cc_x_exp(g, cc_x_neg(g, turn))), k, a, g->oo) : NULL;
    if (!down || !down->finite) return NULL;
    if (cosine) return cc_x_mul(g, g->half, cc_x_add(g, up, down));
    return cc_x_div(g, cc_x_sub(g, up, down), cc_x_mul(g, g->two, g->i));
}
