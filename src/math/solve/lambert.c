// Equations of a linear function and an exponential or logarithm of the same: (a v + b) exp(c v + d) = k and what can be brought into that
// form. Called by solve.c, which checks every root. Source: Corless et al., On the Lambert W function, 1996.
#include "math/solve/solve.h"

#include "math/simplify/simplify.h"

// u exp(u) = k: W_0(k), and W_{-1}(k) where k is negative (real from -1/e on). Complex branches exist as well: the roots are complete among
// the reals. False: not even there, since it is not known whether k is negative.
static bool branches(cc_alg *g, cc_xp k, cc_xp *u, size_t *n) {
    *n = 0;
    u[(*n)++] = cc_x_f1(g, CC_F_LAMBERTW, k);
    cc_truth negative = cc_x_is(g, k, CC_IS_NEGATIVE);
    if (negative == CC_TRUE) u[(*n)++] = cc_x_f2(g, CC_F_LAMBERTW, k, g->minus_one);
    if (negative != CC_UNDECIDED || cc_x_is_constant(k)) return true;
    cc_alg_note(g, "where %.*s is in (-1/e, 0), LambertW(..., -1) gives a second real solution", (int)cc_x_show(g, k).n, cc_x_show(g, k).p);
    return false;
}

static bool is_real(cc_alg *g, cc_xp x) { return cc_x_is(g, x, CC_IS_REAL) != CC_FALSE; }

// (a v + b) exp(c v) = k, for a, c not 0: u = c v + b c/a solves u exp(u) = (k c/a) exp(b c/a).
static void product_form(cc_alg *g, cc_xp a, cc_xp b, cc_xp c, cc_xp k, cc_roots *r) {
    cc_xp shift = cc_x_div(g, cc_x_mul(g, b, c), a), u[2];
    size_t n;
    bool all_real = branches(g, cc_x_mul(g, cc_x_div(g, cc_x_mul(g, k, c), a), cc_x_exp(g, shift)), u, &n);
    for (size_t i = 0; i < n; i++) cc_roots_add(r, cc_x_div(g, cc_x_sub(g, u[i], shift), c), 1);
    cc_x_require_nonzero(g, a), cc_x_require_nonzero(g, c);
    r->complete = false; // over the complex numbers there are infinitely many
    if (all_real) cc_alg_note(g, "%sLambertW has further complex branches", is_real(g, u[0]) ? "the real solutions; " : "");
}

// One term linear*exp or exp alone: *poly and *rate with term = poly(v) * exp(rate*v), poly of degree at most 1.
static bool exponential_term(cc_alg *g, cc_xp term, cc_xp v, cc_xp *poly, cc_xp *rate) {
    *poly = g->one, *rate = g->zero;
    size_t n;
    const cc_xp *factors = cc_x_factors(&term, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, exponent;
        const cc_xp *c;
        slong degree;
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (cc_x_has(exponent, v)) {
            if (cc_x_has(base, v) || !cc_x_poly_coefficients(g, exponent, v, 1, &c, &degree)) return false;
            cc_xp log_b = cc_x_log(g, base);
            *rate = cc_x_add(g, *rate, cc_x_mul(g, c[degree == 1], log_b));
            if (degree != 1) return false;
            *poly = cc_x_mul(g, *poly, cc_x_pow(g, base, c[0]));
        } else {
            *poly = cc_x_mul(g, *poly, factors[i]);
        }
    }
    return true;
}

// Terms: those with an exponential, and those without.
static bool by_exponential(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r) {
    size_t n;
    const cc_xp *terms = cc_x_terms(&f, &n), *c, *d;
    cc_xp rate = NULL, with = g->zero, without = g->zero;
    slong dc, dd;
    for (size_t i = 0; i < n; i++) {
        cc_xp poly, own;
        if (!exponential_term(g, terms[i], v, &poly, &own)) return false;
        if (own == g->zero) {
            without = cc_x_add(g, without, poly);
        } else {
            if (rate && cc_x_is_zero(g, cc_x_sub(g, rate, own)) != CC_TRUE) return false;
            rate = own;
            with = cc_x_add(g, with, poly);
        }
    }
    if (!rate || !cc_x_poly_coefficients(g, with, v, 1, &c, &dc) || !cc_x_poly_coefficients(g, without, v, 1, &d, &dd)) return false;
    if (dc == 1 && dd == 0) { // (c1 v + c0) exp(rate v) = -d0
        product_form(g, c[1], c[0], rate, cc_x_neg(g, d[0]), r);
        return true;
    }
    if (dc == 0 && dd == 1) { // c0 exp(rate v) + d1 v + d0 = 0: (d1 v + d0) exp(-rate v) = -c0
        product_form(g, d[1], d[0], cc_x_neg(g, rate), cc_x_neg(g, c[0]), r);
        return true;
    }
    return false;
}

// p log(a v + b) + q v + s = 0: exp(log) = …, y = a v + b: y exp(q y/(a p)) = exp(q b/(a p) - s/p).
static bool by_logarithm(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r) {
    size_t n;
    const cc_xp *terms = cc_x_terms(&f, &n), *c, *d;
    cc_xp p = NULL, inner = NULL, rest = g->zero;
    slong dc, dd;
    for (size_t i = 0; i < n; i++) {
        cc_xp with, without;
        cc_x_separate_mul(g, terms[i], v, &with, &without);
        if (cc_x_is_fun(with, CC_F_LOG) && !p)
            p = without, inner = with->args[0];
        else
            rest = cc_x_add(g, rest, terms[i]);
    }
    if (!p || !cc_x_poly_coefficients(g, inner, v, 1, &c, &dc) || dc != 1 || !cc_x_poly_coefficients(g, rest, v, 1, &d, &dd) || dd != 1)
        return false;
    cc_xp rate = cc_x_div(g, d[1], cc_x_mul(g, c[1], p));
    cc_x_require_nonzero(g, cc_x_mul(g, d[1], cc_x_mul(g, c[1], p)));
    cc_xp right = cc_x_exp(g, cc_x_sub(g, cc_x_mul(g, rate, c[0]), cc_x_div(g, d[0], p))), y[2];
    size_t m;
    if (!branches(g, cc_x_mul(g, rate, right), y, &m)) r->complete = false;
    for (size_t i = 0; i < m; i++) cc_roots_add(r, cc_x_div(g, cc_x_sub(g, cc_x_div(g, y[i], rate), c[0]), c[1]), 1);
    return true;
}

// v**v = k and (a v)**(b v) = k: u = log(a v) solves u exp(u) = (a/b) log(k).
static bool by_tower(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r) {
    if (f->kind != CC_X_ADD) return false;
    cc_xp with, k;
    cc_x_separate_add(g, f, v, &with, &k);
    cc_xp power, factor;
    cc_x_separate_mul(g, with, v, &power, &factor);
    if (!cc_x_is_kind(power, CC_X_POW) || !cc_x_has(power->args[1], v)) return false;
    const cc_xp *a, *b;
    slong da, db;
    if (!cc_x_poly_coefficients(g, power->args[0], v, 1, &a, &da) || !cc_x_poly_coefficients(g, power->args[1], v, 1, &b, &db))
        return false;
    if (da != 1 || db != 1 || a[0] != g->zero || b[0] != g->zero) return false;
    cc_xp right = cc_x_log(g, cc_x_neg(g, cc_x_div(g, k, factor))), u[2];
    size_t n;
    branches(g, cc_x_mul(g, cc_x_div(g, a[1], b[1]), right), u, &n);
    for (size_t i = 0; i < n; i++) cc_roots_add(r, cc_x_div(g, cc_x_exp(g, u[i]), a[1]), 1);
    r->complete = false;
    return true;
}

bool cc_solve_lambert(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r) {
    cc_xp expanded = cc_x_expand(g, f);
    if (!expanded) return false;
    return by_exponential(g, expanded, v, r) || by_logarithm(g, expanded, v, r) || by_tower(g, expanded, v, r);
}
