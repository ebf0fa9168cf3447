// Hypergeometric terms: the quotient of neighbours, and the parts of a term. Called by the other files of this folder. Owns nothing.
#include "math/sum/sum.h"

#define MOST_SLOPE 24 // of k in a gamma function: so many linear factors come from one step

bool cc_sum_linear(cc_alg *g, cc_xp x, cc_xp k, cc_xp *slope, cc_xp *offset) {
    const cc_xp *c;
    slong degree;
    if (!cc_x_poly_coefficients(g, x, k, 1, &c, &degree)) return false;
    *offset = c[0];
    *slope = degree == 1 ? c[1] : g->zero;
    return true;
}

static cc_xp shifted(cc_alg *g, cc_xp x, cc_xp k) { return cc_x_subs(g, x, k, cc_x_add(g, k, g->one)); }

// gamma(x(k+1)) / gamma(x(k))
static cc_xp gamma_ratio(cc_alg *g, cc_xp x, cc_xp k) {
    cc_xp slope, offset;
    slong s;
    if (!cc_sum_linear(g, x, k, &slope, &offset) || !cc_x_fits_si(slope, &s) || s > MOST_SLOPE || s < -MOST_SLOPE) return NULL;
    cc_xp out = g->one;
    for (slong i = 0; i < s; i++) out = cc_x_mul(g, out, cc_x_add(g, x, cc_x_int(g, i)));
    for (slong i = 1; i <= -s; i++) out = cc_x_div(g, out, cc_x_sub(g, x, cc_x_int(g, i)));
    return out;
}

// The functions that are products of gamma functions: up to three arguments, each to the power 1 or -1.
static size_t as_gammas(cc_alg *g, cc_xp x, cc_xp args[3], int powers[3]) {
    if (x->kind != CC_X_FUN) return 0;
    cc_xp u = x->args[0], v = x->n > 1 ? x->args[1] : NULL;
    switch (x->fn) {
    case CC_F_GAMMA: args[0] = u, powers[0] = 1; return 1;
    case CC_F_FACTORIAL: args[0] = cc_x_add(g, u, g->one), powers[0] = 1; return 1;
    case CC_F_BINOMIAL:
        args[0] = cc_x_add(g, u, g->one), powers[0] = 1;
        args[1] = cc_x_add(g, v, g->one), powers[1] = -1;
        args[2] = cc_x_add(g, cc_x_sub(g, u, v), g->one), powers[2] = -1;
        return 3;
    case CC_F_RISING:
        args[0] = cc_x_add(g, u, v), powers[0] = 1;
        args[1] = u, powers[1] = -1;
        return 2;
    case CC_F_FALLING:
        args[0] = cc_x_add(g, u, g->one), powers[0] = 1;
        args[1] = cc_x_add(g, cc_x_sub(g, u, v), g->one), powers[1] = -1;
        return 2;
    case CC_F_BETA:
        args[0] = u, powers[0] = 1;
        args[1] = v, powers[1] = 1;
        args[2] = cc_x_add(g, u, v), powers[2] = -1;
        return 3;
    case CC_F_CATALAN: // binomial(2*u, u)/(u + 1)
        args[0] = cc_x_add(g, cc_x_mul(g, g->two, u), g->one), powers[0] = 1;
        args[1] = cc_x_add(g, u, g->one), powers[1] = -1;
        args[2] = cc_x_add(g, u, g->two), powers[2] = -1;
        return 3;
    default: return 0;
    }
}

// One factor base**exponent of a term → its kind, as parts of *out (multiplied in). False: not hypergeometric.
static bool take_factor(cc_alg *g, cc_xp x, cc_xp k, cc_term *out) {
    if (!cc_x_has(x, k)) {
        out->rational = cc_x_mul(g, out->rational, x);
        return true;
    }
    cc_xp base, exponent, slope, offset;
    cc_x_split_power(g, x, &base, &exponent);
    if (cc_x_has(exponent, k)) { // c**(slope*k + offset)
        if (cc_x_has(base, k) || !cc_sum_linear(g, exponent, k, &slope, &offset)) return false;
        out->base = cc_x_mul(g, out->base, cc_x_pow(g, base, slope));
        out->rational = cc_x_mul(g, out->rational, cc_x_pow(g, base, offset));
        return true;
    }
    slong e;
    if (!cc_x_fits_si(exponent, &e)) return false;
    cc_xp args[3];
    int powers[3];
    size_t n = as_gammas(g, base, args, powers);
    if (n) {
        for (size_t i = 0; i < n; i++)
            if (cc_x_has(args[i], k) && !gamma_ratio(g, args[i], k)) return false;
        out->gammas = cc_x_mul(g, out->gammas, x);
        return true;
    }
    const cc_xp *c;
    slong degree;
    if (!cc_x_poly_coefficients(g, base, k, 200, &c, &degree)) return false;
    out->rational = cc_x_mul(g, out->rational, x);
    return true;
}

bool cc_sum_take_apart(cc_alg *g, cc_xp f, cc_xp k, cc_term *out) {
    *out = (cc_term){g->one, g->one, g->one};
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++)
        if (!take_factor(g, factors[i], k, out)) return false;
    return out->rational && out->base && out->gammas;
}

cc_xp cc_sum_ratio(cc_alg *g, cc_xp f, cc_xp k) {
    cc_term t;
    if (!cc_sum_take_apart(g, f, k, &t)) return NULL;
    cc_xp out = cc_x_mul(g, t.base, cc_x_div(g, shifted(g, t.rational, k), t.rational));
    size_t n;
    const cc_xp *factors = cc_x_factors(&t.gammas, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, exponent, args[3];
        int powers[3];
        cc_x_split_power(g, factors[i], &base, &exponent);
        slong e = 1;
        size_t m = as_gammas(g, base, args, powers);
        if (m && !cc_x_fits_si(exponent, &e)) return NULL;
        for (size_t j = 0; j < m; j++)
            if (cc_x_has(args[j], k)) out = cc_x_mul(g, out, cc_x_powi(g, gamma_ratio(g, args[j], k), e * powers[j]));
    }
    return out;
}
