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

#define MOST_GAMMAS 24
#define MOST_APART  100 // gamma(x + n)/gamma(x) is written out up to this n

cc_xp cc_sum_cancel_gammas(cc_alg *g, cc_xp f, cc_xp k) {
    cc_term t;
    if (!cc_sum_take_apart(g, f, k, &t) || t.gammas == g->one) return f;
    cc_xp x[MOST_GAMMAS], rest = cc_x_mul(g, t.rational, cc_x_pow(g, t.base, k));
    slong e[MOST_GAMMAS];
    size_t n = 0, m;
    const cc_xp *factors = cc_x_factors(&t.gammas, &m);
    for (size_t i = 0; i < m; i++) {
        cc_xp base, exponent, args[3];
        int powers[3];
        slong power;
        cc_x_split_power(g, factors[i], &base, &exponent);
        size_t parts = as_gammas(g, base, args, powers);
        if (!cc_x_fits_si(exponent, &power) || n + parts > MOST_GAMMAS) return f;
        for (size_t j = 0; j < parts; j++) x[n] = args[j], e[n++] = power * powers[j];
    }
    bool changed = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            slong d;
            if (e[i] <= 0 || e[j] >= 0 || !cc_x_fits_si(cc_x_expand(g, cc_x_sub(g, x[i], x[j])), &d) || d > MOST_APART || d < -MOST_APART)
                continue;
            cc_xp between = g->one; // gamma(x[i])/gamma(x[j])
            for (slong h = 0; h < d; h++) between = cc_x_mul(g, between, cc_x_add(g, x[j], cc_x_int(g, h)));
            for (slong h = 0; h < -d; h++) between = cc_x_div(g, between, cc_x_add(g, x[i], cc_x_int(g, h)));
            slong both = e[i] < -e[j] ? e[i] : -e[j];
            rest = cc_x_mul(g, rest, cc_x_powi(g, between, both));
            e[i] -= both, e[j] += both;
            changed = true;
        }
    if (!changed) return f;
    for (size_t i = 0; i < n; i++) rest = cc_x_mul(g, rest, cc_x_powi(g, cc_x_f1(g, CC_F_GAMMA, x[i]), e[i]));
    return rest;
}

// num and den of the quotient of neighbours as polynomials in k, without common factor.
static bool quotient(cc_alg *g, cc_xp f, cc_xp k, const cc_xp *c[2], slong degree[2]) {
    cc_xp ratio = cc_x_cancel(g, cc_sum_ratio(g, f, k)), part[2];
    if (!ratio) return false;
    cc_x_fraction(g, cc_x_together(g, ratio), &part[0], &part[1]);
    for (int i = 0; i < 2; i++)
        if (!part[i] || !cc_x_poly_coefficients(g, cc_x_expand(g, part[i]), k, 200, &c[i], &degree[i])) return false;
    return true;
}

bool cc_sum_growth(cc_alg *g, cc_xp f, cc_xp k, cc_xp *lead, cc_xp *power) {
    const cc_xp *c[2];
    slong d[2];
    *power = g->zero;
    if (!quotient(g, f, k, c, d)) return false;
    *lead = d[0] < d[1] ? g->zero : d[0] > d[1] ? g->oo : cc_x_div(g, c[0][d[0]], c[1][d[1]]);
    if (d[0] == d[1] && d[0] > 0) *power = cc_x_sub(g, cc_x_div(g, c[0][d[0] - 1], c[0][d[0]]), cc_x_div(g, c[1][d[1] - 1], c[1][d[1]]));
    return *lead && *power;
}

#define FAR 64

int cc_sum_last_sign(cc_alg *g, cc_xp f, cc_xp k) {
    const cc_xp *c[2];
    slong d[2];
    cc_xp there = cc_x_int(g, FAR), dummy = cc_x_dummy(g, "k", 0);
    if (!quotient(g, f, k, c, d)) return 2;
    int sign = 1;
    for (int i = 0; i < 2; i++) { // no coefficient of p(FAR + k) changes the sign: no zero from there on
        const cc_xp *s;
        slong degree;
        cc_xp moved = cc_x_subs(g, cc_x_from_coefficients(g, c[i], d[i], k), k, cc_x_add(g, dummy, there));
        if (!cc_x_poly_coefficients(g, cc_x_expand(g, moved), dummy, 200, &s, &degree)) return 2;
        int first = cc_x_sign(g, s[degree]);
        if (first != 1 && first != -1) return 2;
        for (slong j = 0; j < degree; j++)
            if (cc_x_sign(g, cc_x_mul(g, s[j], cc_x_int(g, first))) != 1 && s[j] != g->zero) return 2;
        sign *= first;
    }
    if (sign < 0) return 2; // the signs alternate
    int at = cc_x_sign(g, cc_x_subs(g, f, k, there));
    return at == 1 || at == -1 ? at : 2;
}
