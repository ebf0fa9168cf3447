// Partial fractions over the roots of the denominator, for methods that need every pole by itself. Called by exptrig.c and dilogarithm.c.
#include "math/integrate/integrate.h"

enum { MAX_ORDER = 8 };

// The poles of numerator/(base**e * others), base of degree 1 or 2 in v.
static bool poles_of_factor(cc_alg *g, cc_poles *p, cc_xp base, slong degree, slong e, cc_xp numerator, cc_xp others, cc_xp v) {
    cc_xp c[3], roots[2];
    if (e > MAX_ORDER || !cc_int_polynomial(g, base, v, 2, c)) return false;
    if (degree == 1) {
        roots[0] = cc_x_neg(g, cc_x_div(g, c[0], c[1]));
    } else {
        cc_xp disc = cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, c[1], c[1]), CC_PROD(g, cc_x_int(g, 4), c[0], c[2])));
        if (disc == g->zero) { // a square, over the constants as they are
            cc_xp r = cc_x_neg(g, cc_x_div(g, c[1], cc_x_mul(g, g->two, c[2])));
            cc_xp linear = cc_x_sub(g, v, r);
            return 2 * e <= MAX_ORDER && poles_of_factor(g, p, linear, 1, 2 * e, numerator, cc_x_mul(g, others, cc_x_powi(g, c[2], e)), v);
        }
        cc_xp root = cc_int_square_root(g, disc);
        for (int s = 0; s < 2; s++)
            roots[s] = cc_x_expand(g, cc_x_div(g, cc_x_sub(g, s ? cc_x_neg(g, root) : root, c[1]), cc_x_mul(g, g->two, c[2])));
    }
    for (slong s = 0; s < degree; s++) {
        // h = (v - r)**e * f; the coefficient of (v - r)**-k is h^(e-k)(r)/(e-k)!
        cc_xp h = cc_x_div(g, numerator, cc_x_mul(g, cc_x_powi(g, c[degree], e), others));
        if (degree == 2) h = cc_x_div(g, h, cc_x_powi(g, cc_x_sub(g, v, roots[1 - s]), e));
        cc_xp factorial = g->one;
        for (slong k = e; k >= 1; k--) {
            cc_xp value = cc_x_div(g, cc_x_subs(g, h, v, roots[s]), factorial);
            value = cc_x_is_constant(value) ? cc_x_constant_simplify(g, value) : cc_int_normal(g, value, v);
            if (!value || !value->finite || p->n == CC_INT_POLES) return false;
            if (value != g->zero) {
                p->at[p->n].root = roots[s];
                p->at[p->n].order = k;
                p->at[p->n++].coefficient = value;
            }
            if (k > 1) h = cc_x_diff(g, h, v);
            factorial = cc_x_mul(g, factorial, cc_x_int(g, e - k + 1));
        }
    }
    return true;
}

bool cc_int_poles(cc_alg *g, cc_xp f, cc_xp v, cc_poles *p) {
    *p = (cc_poles){.degree = -1};
    cc_field F;
    if (!f || !cc_field_init(&F, g, v, &f, 1)) return false;
    bool ok = F.how[0].q == 1;
    for (size_t i = 1; ok && i + 1 < F.n; i++) ok = cc_int_free(F.gens[i], v);
    fmpz_mpoly_q_t q;
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_t base, rest;
    fmpz_mpoly_q_init(q, F.ctx);
    fmpz_mpoly_factor_init(factors, F.ctx);
    fmpz_mpoly_init(base, F.ctx);
    fmpz_mpoly_init(rest, F.ctx);
    ok = ok && cc_field_get(&F, q, f) && fmpz_mpoly_factor(factors, fmpz_mpoly_q_denref(q), F.ctx);
    for (slong i = 0; ok && i < fmpz_mpoly_factor_length(factors, F.ctx); i++) {
        fmpz_mpoly_factor_get_base(base, factors, i, F.ctx);
        slong degree = fmpz_mpoly_degree_si(base, 0, F.ctx), e = fmpz_mpoly_factor_get_exp_si(factors, i, F.ctx);
        if (degree <= 0) continue;
        ok = degree <= 2 && cc_alg_may_search(g);
        if (!ok) break;
        cc_xp d = cc_field_poly(&F, base);
        fmpz_mpoly_pow_ui(base, base, (ulong)e, F.ctx);
        fmpz_mpoly_divides(rest, fmpz_mpoly_q_denref(q), base, F.ctx);
        ok = poles_of_factor(g, p, d, degree, e, cc_field_poly(&F, fmpz_mpoly_q_numref(q)), cc_field_poly(&F, rest), v);
    }
    if (ok) {
        cc_xp proper;
        ok = cc_int_divide(g, cc_field_poly(&F, fmpz_mpoly_q_numref(q)), cc_field_poly(&F, fmpz_mpoly_q_denref(q)), v, CC_INT_POLE_DEGREE,
                           p->polynomial, &proper);
        p->degree = CC_INT_POLE_DEGREE;
        while (ok && p->degree >= 0 && p->polynomial[p->degree] == g->zero) p->degree--;
    }
    fmpz_mpoly_clear(base, F.ctx);
    fmpz_mpoly_clear(rest, F.ctx);
    fmpz_mpoly_factor_clear(factors, F.ctx);
    fmpz_mpoly_q_clear(q, F.ctx);
    cc_field_clear(&F);
    return ok && g->err->code == CC_OK;
}
