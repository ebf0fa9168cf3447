// Sums that come back to others: of logarithms (the logarithm of a product), with harmonic numbers (summation by parts), of a polynomial
// times binomial(n, k) x**k (falling factorials). Called by sum.c, whose methods they use in turn. Owns nothing.
#include "math/sum/sum.h"

#define MOST_POWER   12 // of a polynomial beside a binomial coefficient
#define MOST_SHIFT   10
#define MOST_SHIFTED 8
#define MOST_FIRST   40 // terms that are taken off at the beginning

// t(k) + u(k) with u(k) = -t(k + h), h != 0; 0: not so.
static slong shift_between(cc_alg *g, cc_xp t, cc_xp u, cc_xp k) {
    cc_xp minus = cc_x_neg(g, u);
    for (slong h = 1; h <= MOST_SHIFT; h++) {
        cc_xp by = cc_x_int(g, h);
        if (cc_x_expand(g, cc_x_subs(g, t, k, cc_x_add(g, k, by))) == minus) return h;
        if (cc_x_expand(g, cc_x_subs(g, minus, k, cc_x_add(g, k, by))) == t) return -h;
    }
    return 0;
}

cc_xp cc_sum_shifts(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp terms[MOST_SHIFTED], out = g->zero, expanded = cc_x_expand(g, f);
    bool done[MOST_SHIFTED] = {false};
    if (!cc_x_is_kind(expanded, CC_X_ADD) || expanded->n > MOST_SHIFTED || expanded->n % 2) return NULL;
    for (size_t i = 0; i < expanded->n; i++) terms[i] = expanded->args[i];
    for (size_t i = 0; i < expanded->n; i++) {
        slong h = 0;
        for (size_t j = i + 1; j < expanded->n && !done[i] && !h; j++)
            if (!done[j] && (h = shift_between(g, terms[i], terms[j], k))) done[j] = true;
        if (done[i]) continue;
        if (!h) return NULL;
        done[i] = true;
        cc_xp t = h > 0 ? terms[i] : cc_x_neg(g, cc_x_subs(g, terms[i], k, cc_x_add(g, k, cc_x_int(g, h)))),
              last = NULL; // t(k) - t(k + |h|)
        if (h < 0) t = cc_x_expand(g, t);
        if (b == g->oo && !(last = cc_x_limit(g, t, k, g->oo, '-', NULL, NULL))) return NULL;
        for (slong m = 0; m < (h > 0 ? h : -h); m++) {
            cc_xp first = cc_x_subs(g, t, k, cc_x_add(g, a, cc_x_int(g, m)));
            cc_xp end = last ? last : cc_x_subs(g, t, k, cc_x_add(g, cc_x_add(g, b, g->one), cc_x_int(g, m)));
            if (!first || !end || !first->finite || !end->finite) return NULL;
            out = cc_x_add(g, out, cc_x_sub(g, first, end));
        }
    }
    return out;
}

// A polynomial in k without a zero at or after the integer a, by the signs of its coefficients in k - a: that sign; 2 when not known.
static int sign_from(cc_alg *g, cc_xp p, cc_xp k, cc_xp a) {
    const cc_xp *c;
    slong degree;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, cc_x_subs(g, p, k, cc_x_add(g, k, a))), k, MOST_POWER, &c, &degree)) return 2;
    int sign = cc_x_sign(g, c[0]);
    if (sign != 1 && sign != -1) return 2;
    for (slong i = 1; i <= degree; i++)
        if (c[i] != g->zero && cc_x_sign(g, c[i]) != sign) return 2;
    return sign;
}

cc_xp cc_sum_of_logs(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp num, den;
    if (!cc_x_is_fun(f, CC_F_LOG) || !cc_x_is_int(a)) return NULL;
    cc_x_fraction(g, cc_x_together(g, f->args[0]), &num, &den);
    int up = num ? sign_from(g, num, k, a) : 2, down = den ? sign_from(g, den, k, a) : 2;
    if (up == 2 || up != down) return NULL; // not positive throughout
    cc_xp product = cc_x_product(g, f->args[0], k, a, b);
    if (!product || product == g->nan || product == g->zoo) return NULL;
    if (product == g->zero) return g->neg_oo;
    if (product->finite && b == g->oo && cc_x_is(g, product, CC_IS_POSITIVE) != CC_TRUE) return NULL;
    return product->finite ? cc_x_log(g, product) : product;
}

// harmonic(k + j)*f(k): with z(k+1) - z(k) = f it is the difference of z(k) harmonic(k + j), less z(k+1)/(k + 1 + j).
cc_xp cc_sum_harmonic(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp with = NULL, rest = g->one, slope, j;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) {
        bool harmonic = cc_x_is_fun(factors[i], CC_F_HARMONIC) && factors[i]->n == 1 && cc_x_has(factors[i], k);
        if (harmonic && with) return NULL;
        if (harmonic)
            with = factors[i];
        else
            rest = cc_x_mul(g, rest, factors[i]);
    }
    if (!with || !cc_sum_linear(g, with->args[0], k, &slope, &j) || slope != g->one) return NULL;
    cc_xp z = cc_x_has(rest, k) ? cc_sum_antidifference(g, rest, k) : cc_x_mul(g, rest, k), low, high = g->zero;
    if (!z) return NULL;
    const cc_xp *c;
    slong degree;
    if (b != g->oo && cc_x_poly_coefficients(g, cc_x_expand(g, z), k, MOST_POWER, &c, &degree)) // z(-j) = 0: then k + 1 + j divides z(k+1)
        z = cc_x_sub(g, z, cc_x_subs(g, z, k, cc_x_neg(g, j)));
    cc_xp next = cc_x_subs(g, z, k, cc_x_add(g, k, g->one));
    cc_xp left = cc_x_sum(g, cc_x_cancel(g, cc_x_div(g, next, cc_x_add(g, cc_x_add(g, k, g->one), j))), k, a, b);
    if (!left || !left->finite) return NULL;
    cc_xp both = cc_x_mul(g, z, with);
    low = cc_x_subs(g, both, k, a);
    high = b == g->oo ? cc_x_limit(g, both, k, g->oo, '-', NULL, NULL) : cc_x_subs(g, both, k, cc_x_add(g, b, g->one));
    if (!low || !high || !low->finite || !high->finite) return NULL;
    return cc_x_sub(g, cc_x_sub(g, high, low), left);
}

// The sum of p(k) binomial(n, k) x**k over all k from 0 to n: with p(k) = sum c[j] k (k-1) … (k-j+1) it is
// sum c[j] n (n-1) … (n-j+1) x**j (1 + x)**(n-j), for x other than -1.
static cc_xp all_of(cc_alg *g, cc_xp p, cc_xp n, cc_xp x, cc_xp k) {
    const cc_xp *c;
    slong degree;
    cc_xp one_x = cc_x_add(g, g->one, x), out = g->zero, falling = g->one;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, p), k, MOST_POWER, &c, &degree) || cc_x_is_zero(g, one_x) != CC_FALSE) return NULL;
    if (!cc_x_is_constant(one_x)) cc_alg_condition(g, cc_x_rel(g, CC_REL_NE, one_x, g->zero));
    cc_xp q[MOST_POWER + 1];
    for (slong i = 0; i <= degree; i++) q[i] = c[i];
    for (slong j = 0; j <= degree; j++) { // Horner's scheme at j takes off the coefficient of the falling factorial
        for (slong i = degree - 1; i >= j; i--) q[i] = cc_x_add(g, q[i], cc_x_mul(g, cc_x_int(g, j), q[i + 1]));
        cc_xp part =
            cc_x_mul(g, cc_x_mul(g, q[j], falling), cc_x_mul(g, cc_x_powi(g, x, j), cc_x_pow(g, one_x, cc_x_sub(g, n, cc_x_int(g, j)))));
        out = cc_x_add(g, out, part);
        falling = cc_x_mul(g, falling, cc_x_sub(g, n, cc_x_int(g, j)));
    }
    return out;
}

cc_xp cc_sum_binomial(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp p = g->one, x = g->one, scale = g->one, n = NULL, slope, offset, num, den;
    size_t count;
    slong first;
    const cc_xp *factors = cc_x_factors(&f, &count);
    for (size_t i = 0; i < count; i++) {
        cc_xp base, exponent;
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (!n && cc_x_is_fun(factors[i], CC_F_BINOMIAL) && factors[i]->args[1] == k && !cc_x_has(factors[i]->args[0], k)) {
            n = factors[i]->args[0];
        } else if (!cc_x_has(base, k) && cc_x_has(exponent, k) && cc_sum_linear(g, exponent, k, &slope, &offset)) {
            x = cc_x_mul(g, x, cc_x_pow(g, base, slope)), scale = cc_x_mul(g, scale, cc_x_pow(g, base, offset));
        } else {
            p = cc_x_mul(g, p, factors[i]);
        }
    }
    if (!n || !cc_x_fits_si(a, &first) || first < 0 || first > MOST_FIRST) return NULL;
    if (cc_x_expand(g, cc_x_sub(g, b, n)) != g->zero) return NULL;
    cc_x_fraction(g, cc_x_together(g, p), &num, &den);
    if (!num || !den) return NULL;
    cc_xp out;
    if (!cc_x_has(den, k)) {
        out = all_of(g, p, n, x, k);
    } else { // binomial(n, k)/(k + 1) = binomial(n + 1, k + 1)/(n + 1)
        cc_xp up = cc_x_add(g, n, g->one), before = cc_x_sub(g, k, g->one);
        cc_xp q = cc_x_cancel(g, cc_x_mul(g, p, cc_x_add(g, k, g->one)));
        if (!q) return NULL;
        q = cc_x_subs(g, q, k, before);
        out = all_of(g, q, up, x, k);
        if (!out || x == g->zero) return NULL;
        out = cc_x_div(g, cc_x_sub(g, out, cc_x_subs(g, q, k, g->zero)), cc_x_mul(g, x, up));
    }
    for (slong i = 0; out && i < first; i++) {
        cc_xp at = cc_x_int(g, i), term = cc_x_mul(g, cc_x_subs(g, p, k, at), cc_x_powi(g, x, i));
        out = cc_x_sub(g, out, cc_x_mul(g, term, cc_x_f2(g, CC_F_BINOMIAL, n, at)));
    }
    return out ? cc_x_mul(g, scale, out) : NULL;
}
