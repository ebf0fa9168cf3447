// Sums and products in closed form: which method is tried when. Called by the operations "summation" and "product" and by series. The
// methods are in the files beside; what they find for numbers is checked here by enclosures where both sides have one.
#include "math/sum/sum.h"

#define MOST_TERMS 5000 // added or multiplied one by one

// b - a + 1 when both are known integers; false otherwise.
static bool count_terms(cc_xp a, cc_xp b, slong *n) {
    slong first, last;
    if (!cc_x_fits_si(a, &first) || !cc_x_fits_si(b, &last) || first < -(1L << 40) || last > (1L << 40)) return false;
    *n = last - first + 1;
    return true;
}

static cc_xp one_by_one(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, slong n, bool multiply) {
    cc_xp *parts = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)(n > 0 ? n : 1));
    for (slong i = 0; i < n; i++) {
        if (!cc_alg_go_on(g)) return NULL;
        parts[i] = cc_x_subs(g, f, k, cc_x_add(g, a, cc_x_int(g, i)));
    }
    if (n == 0) return multiply ? g->one : g->zero;
    return multiply ? cc_x_muln(g, parts, (size_t)n) : cc_x_addn(g, parts, (size_t)n);
}

// The bounds from z with z(k+1) - z(k) = f. NULL when z has no value at a bound.
static cc_xp telescope(cc_alg *g, cc_xp z, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp low = cc_x_subs(g, z, k, a), high;
    if (!low || !low->finite) return NULL;
    if (b == g->oo) {
        high = cc_x_limit(g, z, k, g->oo, '-', NULL, NULL);
        if (high == g->oo || high == g->neg_oo) {
            cc_alg_note(g, "the partial sums grow without bound");
            return high;
        }
    } else {
        high = cc_x_subs(g, z, k, cc_x_add(g, b, g->one));
    }
    return high && high->finite ? cc_x_sub(g, high, low) : NULL;
}

// Poles of z between integer bounds would make telescoping wrong: true when its denominator is known to have none there.
static bool no_poles(cc_alg *g, cc_xp z, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp num, den, poly;
    cc_x_fraction(g, cc_x_together(g, cc_x_div(g, z, f)), &num, &den);
    if (!den) return false;
    if (!cc_x_has(den, k)) return true;
    cc_poles p;
    if (!cc_sum_poles(g, cc_x_div(g, g->one, den), k, &p, &poly)) return false;
    for (size_t i = 0; i < p.n; i++) {
        cc_xp from = cc_x_expand(g, cc_x_add(g, p.q[i], a)); // zero of the denominator relative to the first term: -from
        if (cc_x_is(g, from, CC_IS_POSITIVE) == CC_TRUE) continue;
        if (cc_x_is_constant(from) && cc_x_is(g, from, CC_IS_INTEGER) == CC_FALSE) continue;
        if (b != g->oo && cc_x_is(g, cc_x_add(g, p.q[i], cc_x_add(g, b, g->one)), CC_IS_NEGATIVE) == CC_TRUE) continue;
        if (cc_x_is_constant(from)) return false;
        cc_alg_condition(g, cc_x_rel(g, CC_REL_NE, p.q[i], cc_x_neg(g, k)));
    }
    return true;
}

// sum of k**p: (B_{p+1}(b+1) - B_{p+1}(a))/(p+1), through Gosper, whose solution it is.
static cc_xp by_telescoping(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp z = cc_sum_antidifference(g, f, k);
    return z && no_poles(g, z, f, k, a, b) ? telescope(g, z, k, a, b) : NULL;
}

// Divergence: k*f(k) has a limit other than 0, and f is real and keeps its sign from some k on.
static cc_xp divergent(cc_alg *g, cc_xp f, cc_xp k) {
    size_t n_symbols;
    cc_x_symbols(g, f, &n_symbols);
    if (n_symbols != 1) return NULL;
    cc_xp limit = cc_x_limit(g, cc_x_mul(g, k, f), k, g->oo, '-', NULL, NULL);
    if (!limit) return NULL;
    int sign = limit == g->oo ? 1 : limit == g->neg_oo ? -1 : cc_x_sign(g, limit);
    if (sign != 1 && sign != -1) return NULL;
    cc_alg_note(g, "the terms do not fall off faster than 1/k: the sum diverges");
    return sign > 0 ? g->oo : g->neg_oo;
}

static cc_xp whole(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);

// Term by term; each part must be found. For infinite sums only where every part converges.
static cc_xp by_parts(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp expanded = cc_x_expand(g, f);
    if (!cc_x_is_kind(expanded, CC_X_ADD)) return NULL;
    cc_xp out = g->zero;
    for (size_t i = 0; i < expanded->n; i++) {
        cc_xp part = cc_alg_may_search(g) ? whole(g, expanded->args[i], k, a, b) : NULL;
        if (!part || !part->finite) return NULL;
        out = cc_x_add(g, out, part);
    }
    return out;
}

// From -oo: k → -1 - k for the lower half.
static cc_xp two_sided(cc_alg *g, cc_xp f, cc_xp k) {
    cc_xp up = whole(g, f, k, g->zero, g->oo);
    cc_xp down = up ? whole(g, cc_x_subs(g, f, k, cc_x_sub(g, g->minus_one, k)), k, g->zero, g->oo) : NULL;
    return down ? cc_x_add(g, up, down) : NULL;
}

static cc_xp search(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    if (a == g->neg_oo) {
        if (b == g->oo) return two_sided(g, f, k);
        return whole(g, cc_x_subs(g, f, k, cc_x_neg(g, k)), k, cc_x_neg(g, b), g->oo);
    }
    cc_xp out = by_telescoping(g, f, k, a, b);
    if (out || g->err->code) return out;
    cc_xp combined = cc_x_together(g, cc_x_rewrite(g, f, CC_REWRITE_GAMMA));
    if (combined) combined = cc_x_simplify(g, combined);
    if (!combined) return NULL;
    if ((out = cc_sum_rational(g, combined, k, a, b)) || g->err->code) return out;
    if (b == g->oo && ((out = cc_sum_power_series(g, f, k, a)) || (combined != f && (out = cc_sum_power_series(g, combined, k, a)))))
        return out;
    if ((out = by_parts(g, f, k, a, b)) || g->err->code) return out;
    return b == g->oo ? divergent(g, f, k) : NULL;
}

static cc_xp whole(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp with, without;
    if (!f || !k || !a || !b) return NULL;
    if (!cc_x_has(f, k)) {
        if (f == g->zero) return f;
        if (b == g->oo || a == g->neg_oo) return cc_x_mul(g, f, g->oo);
        return cc_x_mul(g, f, cc_x_add(g, cc_x_sub(g, b, a), g->one));
    }
    cc_x_separate_mul(g, f, k, &with, &without);
    cc_xp out = search(g, with, k, a, b);
    return out ? cc_x_mul(g, without, out) : NULL;
}

cc_xp cc_x_sum(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    slong n;
    if (!f || !k || !a || !b) return NULL;
    if (count_terms(a, b, &n)) {
        // An empty sum is 0; from b + 1 down it is what makes S(a, b) + S(b + 1, c) = S(a, c) (Karr's convention).
        if (n < 0 && n >= -MOST_TERMS) return cc_x_neg(g, one_by_one(g, f, k, cc_x_add(g, b, g->one), -n, false));
        if (n <= 40) return one_by_one(g, f, k, a, n < 0 ? 0 : n, false);
    } else if (cc_x_is_num(a) && !cc_x_is_int(a)) {
        cc_error_set(g->err, CC_VALIDATION, "sum: the lower bound must be an integer");
        return NULL;
    }
    cc_xp out = whole(g, f, k, a, b);
    if (!out && !g->err->code && count_terms(a, b, &n) && n > 0 && n <= MOST_TERMS) return one_by_one(g, f, k, a, n, false);
    return out;
}

// ---- products ----

// Product of (k + q) from a to b: gamma(b + 1 + q)/gamma(a + q).
static cc_xp linear_product(cc_alg *g, cc_xp q, cc_xp a, cc_xp b) {
    cc_xp low = cc_x_expand(g, cc_x_add(g, a, q)), high = cc_x_expand(g, cc_x_add(g, cc_x_add(g, b, g->one), q));
    if (low == g->one) return cc_x_f1(g, CC_F_FACTORIAL, cc_x_sub(g, high, g->one));
    if (cc_x_is_int(low) && cc_x_num_sign(low) <= 0) return NULL; // a factor 0, or gamma's poles: not this way
    return cc_x_div(g, cc_x_f1(g, CC_F_GAMMA, high), cc_x_f1(g, CC_F_GAMMA, low));
}

static cc_xp factor_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp base, exponent, slope, offset, count = cc_x_add(g, cc_x_sub(g, b, a), g->one);
    if (!cc_x_has(f, k)) return cc_x_pow(g, f, count);
    cc_x_split_power(g, f, &base, &exponent);
    if (!cc_x_has(base, k)) { // c**e(k)
        cc_xp total = cc_x_sum(g, exponent, k, a, b);
        return total ? cc_x_pow(g, base, total) : NULL;
    }
    if (cc_x_has(exponent, k)) return NULL;
    if (base != f) {
        cc_xp of_base = factor_product(g, base, k, a, b);
        return of_base && cc_x_is_int(exponent) ? cc_x_pow(g, of_base, exponent) : NULL;
    }
    if (!cc_sum_linear(g, f, k, &slope, &offset)) return NULL;
    cc_xp linear = linear_product(g, cc_x_div(g, offset, slope), a, b);
    return linear ? cc_x_mul(g, cc_x_pow(g, slope, count), linear) : NULL;
}

// All factors k + q, with their powers, of a rational function of k; the rest is free of k. False: it does not split.
static bool roots_of(cc_alg *g, cc_xp f, cc_xp k, cc_xp *q, slong *e, size_t most, size_t *n, cc_xp *rest) {
    cc_xp factored = cc_x_factor(g, cc_x_together(g, f));
    if (!factored) return false;
    size_t m;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    *n = 0;
    *rest = g->one;
    for (size_t i = 0; i < m; i++) {
        cc_xp base, exponent;
        const cc_xp *c;
        slong degree, power;
        if (!cc_x_has(factors[i], k)) {
            *rest = cc_x_mul(g, *rest, factors[i]);
            continue;
        }
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (!cc_x_fits_si(exponent, &power) || !cc_x_poly_coefficients(g, base, k, 2, &c, &degree) || *n + 2 > most) return false;
        *rest = cc_x_mul(g, *rest, cc_x_powi(g, c[degree], power));
        if (degree == 1) {
            q[*n] = cc_x_div(g, c[0], c[1]), e[(*n)++] = power;
        } else { // k**2 + b k + c = (k + h - t)(k + h + t)
            cc_xp h = cc_x_div(g, c[1], cc_x_mul(g, g->two, c[2]));
            cc_xp t = cc_x_sqrt(g, cc_x_expand(g, cc_x_sub(g, cc_x_powi(g, h, 2), cc_x_div(g, c[0], c[2]))));
            q[*n] = cc_x_sub(g, h, t), e[(*n)++] = power;
            q[*n] = cc_x_add(g, h, t), e[(*n)++] = power;
        }
    }
    return true;
}

// gamma(x) gamma(n + 1 - x) = gamma(x) gamma(1 - x) times the n factors between; pi/sin(pi x) (Abramowitz and Stegun 6.1.17).
static cc_xp reflected(cc_alg *g, cc_xp x, cc_xp y) {
    slong n;
    cc_xp d = cc_x_expand(g, cc_x_sub(g, cc_x_add(g, x, y), g->one));
    if (!cc_x_fits_si(d, &n) || n < -100 || n > 100) return NULL;
    cc_xp out = cc_x_div(g, g->pi, cc_x_f1(g, CC_F_SIN, cc_x_mul(g, g->pi, x)));
    // gamma(n + 1 - x) = gamma(1 - x) (1 - x) (2 - x) … (n - x)
    for (slong i = 1; i <= n; i++) out = cc_x_mul(g, out, cc_x_sub(g, cc_x_int(g, i), x));
    for (slong i = 0; i > n; i--) out = cc_x_div(g, out, cc_x_sub(g, cc_x_int(g, i), x));
    return out;
}

// An infinite product of a rational function whose factors balance: the product of gamma(a + pole)/gamma(a + zero)
// (Whittaker and Watson 12.13).
static cc_xp infinite_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) {
    cc_xp q[24], rest, total = g->zero;
    slong e[24], degree = 0;
    size_t n;
    if (!roots_of(g, f, k, q, e, CC_ARRAY_LEN(q), &n, &rest)) return NULL;
    for (size_t i = 0; i < n; i++) total = cc_x_add(g, total, cc_x_mul(g, cc_x_int(g, e[i]), q[i])), degree += e[i];
    if (degree != 0 || cc_x_is_zero(g, cc_x_sub(g, rest, g->one)) != CC_TRUE || cc_x_is_zero(g, total) != CC_TRUE) return NULL;
    cc_xp out = g->one;
    bool done[24] = {false};
    for (size_t i = 0; i < n; i++) {
        cc_xp x = cc_x_expand(g, cc_x_add(g, a, q[i]));
        slong m;
        if (cc_x_fits_si(x, &m) && m <= 0) { // a factor that is 0, or has no value
            cc_alg_note(g, "a factor is %s", e[i] > 0 ? "0" : "undefined");
            return e[i] > 0 ? g->zero : g->nan;
        }
        for (size_t j = i + 1; !done[i] && j < n && !cc_x_is_num(x); j++) {
            cc_xp both = done[j] || e[j] != e[i] ? NULL : reflected(g, x, cc_x_expand(g, cc_x_add(g, a, q[j])));
            if (!both) continue;
            out = cc_x_mul(g, out, cc_x_powi(g, both, -e[i]));
            done[i] = done[j] = true;
        }
        if (!done[i]) out = cc_x_mul(g, out, cc_x_powi(g, cc_x_f1(g, CC_F_GAMMA, x), -e[i]));
        done[i] = true;
    }
    return cc_x_simplify(g, out);
}

cc_xp cc_x_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    slong n;
    if (!f || !k || !a || !b) return NULL;
    if (count_terms(a, b, &n) && n >= 0 && n <= 40) return one_by_one(g, f, k, a, n, true);
    if (b == g->oo) return infinite_product(g, f, k, a);
    cc_xp factored = cc_x_factor(g, cc_x_together(g, f)), out = g->one;
    if (!factored) return NULL;
    size_t m;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    for (size_t i = 0; i < m && out; i++) {
        cc_xp part = factor_product(g, factors[i], k, a, b);
        out = part ? cc_x_mul(g, out, part) : NULL;
    }
    if (!out && !g->err->code && count_terms(a, b, &n) && n >= 0 && n <= MOST_TERMS) return one_by_one(g, f, k, a, n, true);
    return out;
}
