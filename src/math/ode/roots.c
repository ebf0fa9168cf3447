// Roots of characteristic polynomials and denominators as re + I*im, where symbols count as real, and the real functions that belong to
// them. Called by linear.c and src/math/transform.
#include "math/ode/ode.h"

#include "math/simplify/simplify.h"

void cc_ode_split(cc_alg *g, cc_xp z, cc_xp *re, cc_xp *im) {
    cc_xp mirrored = cc_x_subs(g, z, g->i, cc_x_neg(g, g->i));
    *re = cc_x_simplify(g, cc_x_together(g, cc_x_div(g, cc_x_add(g, z, mirrored), g->two)));
    *im = cc_x_simplify(g, cc_x_together(g, cc_x_div(g, cc_x_sub(g, z, mirrored), cc_x_mul(g, g->two, g->i))));
}

// One of the two square roots of x: which one does not matter to the callers, so that w stands for that of w**2.
static cc_xp some_root(cc_alg *g, cc_xp x) {
    cc_xp out = g->one;
    size_t n;
    const cc_xp *factors = cc_x_factors(&x, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        slong k;
        cc_x_split_power(g, factors[i], &base, &e);
        bool even = cc_x_fits_si(e, &k) && k % 2 == 0;
        out = cc_x_mul(g, out, even ? cc_x_powi(g, base, k / 2) : cc_x_sqrt(g, factors[i]));
    }
    return out;
}

// b2 v**2 + b1 v + b0: h ± sqrt(d).
static bool quadratic(cc_alg *g, const cc_xp *b, cc_ode_root *out) {
    cc_xp h = cc_x_simplify(g, cc_x_neg(g, cc_x_div(g, b[1], cc_x_mul(g, g->two, b[2]))));
    cc_xp d = cc_x_factor(g, cc_x_together(g, cc_x_sub(g, cc_x_powi(g, h, 2), cc_x_div(g, b[0], b[2])))), c, rest;
    if (!d) return false;
    cc_x_split_coefficient(g, d, &c, &rest);
    bool turns = cc_x_num_sign(c) < 0;
    cc_xp w = some_root(g, turns ? cc_x_neg(g, d) : d);
    cc_x_require_nonzero(g, d);
    out[0].times = out[1].times = 1;
    out[0].re = turns ? h : cc_x_sub(g, h, w), out[0].im = turns ? w : g->zero;
    out[1].re = turns ? h : cc_x_add(g, h, w), out[1].im = turns ? cc_x_neg(g, w) : g->zero;
    return out[1].re && out[1].im;
}

bool cc_ode_roots(cc_alg *g, cc_xp poly, cc_xp v, cc_ode_root *out, size_t most, size_t *n) {
    cc_xp factored = cc_x_factor(g, cc_x_together(g, poly));
    if (!factored) return false;
    size_t m;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    *n = 0;
    for (size_t i = 0; i < m; i++) {
        cc_xp base, e;
        const cc_xp *b;
        slong times, degree;
        if (!cc_x_has(factors[i], v)) continue;
        cc_x_split_power(g, factors[i], &base, &e);
        if (!cc_x_fits_si(e, &times) || times < 1 || !cc_x_poly_coefficients(g, base, v, 40, &b, &degree) || *n + (size_t)degree > most)
            return false;
        size_t from = *n;
        if (degree == 1) {
            out[*n].re = cc_x_neg(g, cc_x_div(g, b[0], b[1])), out[*n].im = g->zero;
            if (cc_x_has(out[*n].re, g->i)) cc_ode_split(g, cc_x_neg(g, cc_x_div(g, b[0], b[1])), &out[*n].re, &out[*n].im);
            (*n)++;
        } else if (degree == 2) {
            if (!quadratic(g, b, out + *n)) return false;
            *n += 2;
        } else {
            cc_xsolutions s;
            if (cc_x_solve(g, base, v, &s) || s.kind != CC_SOLVED_FINITE || s.n != (size_t)degree) return false;
            for (size_t k = 0; k < s.n; k++) {
                cc_ode_split(g, s.roots[k], &out[*n].re, &out[*n].im);
                if (!out[*n].im) return false;
                (*n)++;
            }
        }
        for (size_t k = from; k < *n; k++) out[k].times = times;
    }
    for (size_t i = 0; i < *n; i++) // roots that depend on parameters are taken as different
        for (size_t j = i + 1; j < *n; j++) {
            cc_xp re = cc_x_simplify(g, cc_x_sub(g, out[i].re, out[j].re)), im = cc_x_simplify(g, cc_x_sub(g, out[i].im, out[j].im));
            if (re == g->zero && im == g->zero) return false;
            bool said = (im != g->zero && cc_x_is_constant(im)) || (re && cc_x_is_constant(re) && re != g->zero);
            if (!said && out[i].im == g->zero && out[j].im == g->zero) cc_x_require_nonzero(g, re);
        }
    return !g->err->code;
}

cc_xp cc_ode_wave(cc_alg *g, cc_xp q, cc_xp mu, cc_xp t) {
    cc_xp alpha, beta, out = g->zero;
    const cc_xp *k;
    slong have;
    cc_ode_split(g, mu, &alpha, &beta);
    if (!beta || !cc_x_poly_coefficients(g, q, t, 60, &k, &have)) return NULL;
    cc_xp angle = cc_x_mul(g, beta, t), wave = cc_x_add(g, cc_x_f1(g, CC_F_COS, angle), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, angle)));
    for (slong d = 0; d <= have; d++) {
        cc_xp re, im;
        cc_ode_split(g, k[d], &re, &im);
        out = cc_x_add(g, out, cc_x_mul(g, cc_x_add(g, re, cc_x_mul(g, im, g->i)), cc_x_powi(g, t, d)));
    }
    return cc_x_mul(g, cc_x_exp(g, cc_x_mul(g, alpha, t)), cc_x_mul(g, out, wave));
}
