// Linear differential equations. Called by ode.c and transform. Sources: Coddington, "An Introduction to Ordinary Differential Equations",
// chapters 1, 2 and 4 (first order, constant coefficients, Euler's equation).
#include "math/ode/ode.h"

#include "math/simplify/simplify.h"

cc_xp cc_ode_constant(cc_alg *g, slong i) { return cc_x_symbol(g, cc_arena_printf(g->arena, "C%ld", i + 1), 0); }

// exp(r t) t**j for each root r of the characteristic polynomial, pairs of conjugates as cosine and sine.
static bool fundamental(cc_alg *g, const cc_xp *c, slong n, cc_xp t, cc_xp *basis) {
    cc_xp r = cc_x_dummy(g, "r", 0);
    cc_ode_root roots[CC_ODE_ORDER];
    slong found = 0;
    size_t m;
    if (!cc_ode_roots(g, cc_x_from_coefficients(g, c, n, r), r, roots, CC_ODE_ORDER, &m)) return false;
    bool done[CC_ODE_ORDER] = {false};
    for (size_t i = 0; i < m; i++) {
        cc_xp first, second = NULL;
        size_t j = i + 1;
        if (done[i]) continue;
        while (j < m && (done[j] || roots[j].times != roots[i].times || roots[j].re != roots[i].re ||
                         cc_x_is_zero(g, cc_x_add(g, roots[i].im, roots[j].im)) != CC_TRUE))
            j++;
        if (roots[i].im == g->zero || j == m) {
            first = cc_x_exp(g, cc_x_mul(g, cc_x_add(g, roots[i].re, cc_x_mul(g, g->i, roots[i].im)), t));
        } else {
            done[j] = true;
            cc_xp scale = cc_x_exp(g, cc_x_mul(g, roots[i].re, t)), angle = cc_x_mul(g, roots[i].im, t);
            first = cc_x_mul(g, scale, cc_x_f1(g, CC_F_COS, angle)), second = cc_x_mul(g, scale, cc_x_f1(g, CC_F_SIN, angle));
        }
        for (slong k = 0; k < roots[i].times; k++) {
            if (found + (second ? 2 : 1) > n) return false;
            basis[found++] = cc_x_mul(g, cc_x_powi(g, t, k), first);
            if (second) basis[found++] = cc_x_mul(g, cc_x_powi(g, t, k), second);
        }
    }
    return found == n && !g->err->code;
}

bool cc_ode_exponential(cc_alg *g, cc_xp term, cc_xp t, const cc_xp **p, slong *degree, cc_xp *mu) {
    cc_xp poly = g->one, exponent = g->zero;
    size_t n;
    const cc_xp *factors = cc_x_factors(&term, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (cc_x_has(e, t) && !cc_x_has(base, t))
            exponent = cc_x_add(g, exponent, cc_x_mul(g, e, base == g->e ? g->one : cc_x_log(g, base)));
        else
            poly = cc_x_mul(g, poly, factors[i]);
    }
    const cc_xp *c;
    slong d;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, exponent), t, 1, &c, &d)) return false;
    *mu = d == 1 ? c[1] : g->zero;
    return cc_x_poly_coefficients(g, cc_x_mul(g, poly, cc_x_exp(g, c[0])), t, 40, p, degree);
}

// q(t) exp(mu t) with L applied to it = p(t) exp(mu t): the coefficients of q from the highest down. L(D + mu) = sum of L^(j)(mu)/j! D**j.
static cc_xp particular(cc_alg *g, const cc_xp *c, slong n, const cc_xp *p, slong degree, cc_xp mu, cc_xp t) {
    cc_xp r = cc_x_dummy(g, "r", 0), l = cc_x_from_coefficients(g, c, n, r), taylor[CC_ODE_ORDER + 1];
    slong m = 0;
    for (slong j = 0; j <= n; j++) {
        taylor[j] =
            cc_x_simplify(g, cc_x_div(g, cc_x_subs(g, cc_x_diffn(g, l, r, (ulong)j), r, mu), cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, j))));
        if (!taylor[j]) return NULL;
    }
    while (m < n && cc_x_is_zero(g, taylor[m]) == CC_TRUE) m++;
    cc_x_require_nonzero(g, taylor[m]);
    cc_xp rest = cc_x_from_coefficients(g, p, degree, t), q = g->zero;
    for (slong d = degree; d >= 0; d--) { // t**(d+m) gives taylor[m] (d+m)!/d! t**d and lower powers
        const cc_xp *now;
        slong have;
        if (!cc_x_poly_coefficients(g, rest, t, 60, &now, &have)) return NULL;
        if (have < d) continue;
        cc_xp fall = cc_x_div(g, cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, d + m)), cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, d)));
        cc_xp term = cc_x_mul(g, cc_x_div(g, now[d], cc_x_mul(g, taylor[m], fall)), cc_x_powi(g, t, d + m));
        q = cc_x_add(g, q, term);
        for (slong j = m; j <= n; j++) rest = cc_x_sub(g, rest, cc_x_mul(g, taylor[j], cc_x_diffn(g, term, t, (ulong)j)));
        rest = cc_x_expand(g, rest);
    }
    return cc_ode_wave(g, q, mu, t);
}

static cc_xp undetermined(cc_alg *g, const cc_xp *c, slong n, cc_xp forcing, cc_xp t) {
    cc_xp f = cc_x_expand(g, cc_x_rewrite(g, forcing, CC_REWRITE_EXP)), out = g->zero;
    if (!f) return NULL;
    size_t m;
    const cc_xp *terms = cc_x_terms(&f, &m);
    for (size_t i = 0; i < m; i++) {
        const cc_xp *p;
        slong degree;
        cc_xp mu, part;
        if (!cc_ode_exponential(g, terms[i], t, &p, &degree, &mu) || !(part = particular(g, c, n, p, degree, mu, t))) return NULL;
        out = cc_x_add(g, out, part);
    }
    return cc_x_expand(g, out);
}

// y' + p y = q
static cc_xp first_order(cc_alg *g, cc_xp p, cc_xp q, cc_xp x) {
    const char *graded;
    cc_xp big = cc_x_antiderivative(g, p, x, &graded);
    cc_xp factor = big ? cc_x_simplify(g, cc_x_exp(g, big)) : NULL;
    cc_xp inner = factor ? cc_x_antiderivative(g, cc_x_simplify(g, cc_x_mul(g, factor, q)), x, &graded) : NULL;
    if (!inner) return NULL;
    cc_xp out = cc_x_expand(g, cc_x_div(g, cc_x_add(g, inner, cc_ode_constant(g, 0)), factor));
    return out;
}

// Variation of parameters for y'' + … = f with the basis u, v: -u int(v f/W) + v int(u f/W).
static cc_xp variation(cc_alg *g, cc_xp u, cc_xp v, cc_xp f, cc_xp x) {
    const char *graded;
    cc_xp w = cc_x_simplify(g, cc_x_sub(g, cc_x_mul(g, u, cc_x_diff(g, v, x)), cc_x_mul(g, v, cc_x_diff(g, u, x))));
    cc_xp a = cc_x_antiderivative(g, cc_x_simplify(g, cc_x_div(g, cc_x_mul(g, v, f), w)), x, &graded);
    cc_xp b = a ? cc_x_antiderivative(g, cc_x_simplify(g, cc_x_div(g, cc_x_mul(g, u, f), w)), x, &graded) : NULL;
    return b ? cc_x_sub(g, cc_x_mul(g, v, b), cc_x_mul(g, u, a)) : NULL;
}

cc_xp cc_ode_constant_coefficients(cc_alg *g, const cc_xp *c, slong n, cc_xp forcing, cc_xp x) {
    cc_xp basis[CC_ODE_ORDER], out = g->zero;
    if (n < 1 || !fundamental(g, c, n, x, basis)) return NULL;
    if (forcing != g->zero) {
        out = undetermined(g, c, n, forcing, x);
        if (!out && g->err->code) return NULL;
        if (!out && n == 1) return first_order(g, cc_x_div(g, c[0], c[1]), cc_x_div(g, forcing, c[1]), x);
        if (!out && n == 2) out = variation(g, basis[0], basis[1], cc_x_div(g, forcing, c[2]), x);
        if (!out) return NULL;
    }
    for (slong i = 0; i < n; i++) out = cc_x_add(g, out, cc_x_mul(g, cc_ode_constant(g, i), basis[i]));
    return out;
}

// sum of c[i] x**i y^(i) = f: with x = exp(t), x**i y^(i) = D (D - 1) … (D - i + 1) y.
static cc_xp euler(cc_alg *g, const cc_xp *c, slong n, cc_xp forcing, cc_xp x) {
    cc_xp r = cc_x_dummy(g, "r", 0), t = cc_x_dummy(g, "t", CC_IS_REAL), l = g->zero, fall = g->one;
    for (slong i = 0; i <= n; i++) {
        l = cc_x_add(g, l, cc_x_mul(g, c[i], fall));
        fall = cc_x_mul(g, fall, cc_x_sub(g, r, cc_x_int(g, i)));
    }
    const cc_xp *k;
    slong degree;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, l), r, n, &k, &degree) || degree != n) return NULL;
    cc_xp f = cc_x_expand_log(g, cc_x_subs(g, forcing, x, cc_x_exp(g, t)), false);
    cc_xp y = cc_ode_constant_coefficients(g, k, n, f, t);
    if (!y) return NULL;
    cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->zero, x));
    return cc_x_subs(g, y, t, cc_x_log(g, x));
}

bool cc_ode_linear(cc_alg *g, const cc_ode *ode, cc_ode_solutions *out) {
    cc_xp c[CC_ODE_ORDER + 1], rest = ode->f;
    slong n = ode->order;
    bool constant = true, by_euler = true;
    for (slong i = 0; i <= n; i++) {
        c[i] = cc_x_diff(g, ode->f, ode->y[i]);
        rest = cc_x_subs(g, rest, ode->y[i], g->zero);
        if (!c[i]) return false;
        for (slong j = 0; j <= n; j++) // not linear: perhaps it only does not look so
            if (cc_x_has(c[i], ode->y[j]) && cc_x_has(c[i] = cc_x_simplify(g, c[i]), ode->y[j])) return false;
    }
    if (!rest || !rest->finite) return false;
    cc_xp forcing = cc_x_neg(g, rest), scaled[CC_ODE_ORDER + 1];
    for (slong i = 0; i <= n; i++) { // over the leading coefficient
        scaled[i] = cc_x_cancel(g, cc_x_div(g, c[i], c[n]));
        if (!scaled[i]) return false;
        constant = constant && !cc_x_has(scaled[i], ode->x);
        c[i] = cc_x_cancel(g, cc_x_mul(g, scaled[i], cc_x_powi(g, ode->x, n - i)));
        by_euler = by_euler && c[i] && !cc_x_has(c[i], ode->x);
    }
    cc_xp lead = cc_x_diff(g, ode->f, ode->y[n]), y = NULL;
    forcing = cc_x_expand(g, cc_x_div(g, forcing, lead));
    if (constant) {
        out->method = "linear with constant coefficients";
        y = cc_ode_constant_coefficients(g, scaled, n, forcing, ode->x);
    } else if (n == 1) {
        out->method = "linear of first order, by an integrating factor";
        y = first_order(g, scaled[0], forcing, ode->x);
    } else if (by_euler) {
        out->method = "Cauchy-Euler: x = exp(t) gives constant coefficients";
        y = euler(g, c, n, cc_x_mul(g, forcing, cc_x_powi(g, ode->x, n)), ode->x);
    }
    if (!y) return false;
    out->values[0] = y, out->implicit[0] = false, out->n = 1, out->linear = true;
    return true;
}
