// Equations y' = f(x, y) that are not linear: separable, Bernoulli, homogeneous, exact. Called by ode.c. The solution is an equation
// between x and y first, which is solved for y where that gives expressions without branches that would be lost.
// Sources: Ince, "Ordinary Differential Equations", chapter 2.
#include "math/ode/ode.h"

static cc_xp integral(cc_alg *g, cc_xp f, cc_xp v) {
    const char *graded;
    return f ? cc_x_antiderivative(g, f, v, &graded) : NULL;
}

// The inverse of a function on its principal branch.
static cc_xp inverse(cc_alg *g, cc_xfn fn, cc_xp u) {
    static const cc_xfn pairs[][2] = {
        {CC_F_EXP, CC_F_LOG}, {CC_F_ATAN, CC_F_TAN}, {CC_F_ASIN, CC_F_SIN}, {CC_F_ATANH, CC_F_TANH}, {CC_F_ASINH, CC_F_SINH}};
    for (size_t i = 0; i < CC_ARRAY_LEN(pairs); i++) {
        if (fn == pairs[i][0]) return cc_x_f1(g, pairs[i][1], u);
        if (fn == CC_F_LOG && pairs[i][1] == CC_F_LOG) return cc_x_exp(g, u);
    }
    return NULL;
}

// left(y) + right(x) = 0 with left = a*f(b*y + c).
static cc_xp invert(cc_alg *g, cc_xp left, cc_xp right, cc_xp y) {
    cc_xp f, scale;
    const cc_xp *c;
    slong degree;
    cc_x_separate_mul(g, left, y, &f, &scale);
    if (!f || !cc_x_is_kind(f, CC_X_FUN) || f->n != 1 || !cc_x_poly_coefficients(g, f->args[0], y, 1, &c, &degree) || degree != 1)
        return NULL;
    cc_xp u = inverse(g, (cc_xfn)f->fn, cc_x_neg(g, cc_x_div(g, right, scale)));
    return u ? cc_x_div(g, cc_x_sub(g, u, c[0]), c[1]) : NULL;
}

// A sum of logarithms with commensurable factors is one logarithm, and the constant may be a factor then: product = C1*exp(-right/q).
static cc_xp from_logarithms(cc_alg *g, cc_xp left, cc_xp right) {
    size_t n;
    const cc_xp *terms = cc_x_terms(&left, &n);
    cc_xp q = NULL, product = g->one, constant = cc_ode_constant(g, 0);
    fmpz_t common;
    fmpz_init_set_ui(common, 1);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            cc_xp f = NULL, rest = g->one, ratio;
            size_t m;
            const cc_xp *factors = cc_x_factors(&terms[i], &m);
            for (size_t k = 0; k < m; k++) {
                if (!f && cc_x_is_fun(factors[k], CC_F_LOG))
                    f = factors[k];
                else
                    rest = cc_x_mul(g, rest, factors[k]);
            }
            if (!q) q = rest;
            ratio = f ? cc_x_cancel(g, cc_x_div(g, rest, q)) : NULL;
            if (!cc_x_is_num(ratio)) {
                fmpz_clear(common);
                return NULL;
            }
            if (pass == 0)
                fmpz_lcm(common, common, fmpq_denref(ratio->num));
            else
                product = cc_x_mul(g, product, cc_x_pow(g, f->args[0], cc_x_mul(g, ratio, cc_x_fmpz(g, common))));
        }
    cc_xp scale = cc_x_div(g, cc_x_fmpz(g, common), q);
    fmpz_clear(common);
    cc_xp other = cc_x_simplify(g, cc_x_exp(g, cc_x_expand(g, cc_x_neg(g, cc_x_mul(g, scale, cc_x_add(g, right, constant))))));
    return other ? cc_x_sub(g, product, cc_x_mul(g, constant, other)) : NULL;
}

// All roots of the relation in y, each one a solution. False: these could not be had.
static bool explicit_roots(cc_alg *g, const cc_ode *ode, cc_xp relation, cc_ode_solutions *out) {
    cc_xsolutions s;
    size_t kept = g->n_conditions, notes = g->n_notes;
    bool good = relation && !cc_x_solve(g, relation, ode->y[0], &s) && s.kind == CC_SOLVED_FINITE && s.complete && s.n && s.n <= 2;
    out->n = 0;
    for (size_t i = 0; good && i < s.n; i++) {
        bool proven;
        cc_xp y = cc_x_simplify(g, s.roots[i]);
        good = y && y->size < 300 && cc_ode_satisfied(g, ode, y, false, &proven);
        out->values[out->n] = y, out->implicit[out->n++] = false;
    }
    if (!good) g->n_conditions = kept, g->n_notes = notes;
    return good;
}

// The equation `relation` = 0 between x and y: solved for y where possible, else as it is.
static bool take(cc_alg *g, const cc_ode *ode, cc_xp relation, cc_ode_solutions *out) {
    cc_xp left, right, y;
    bool proven;
    if (!relation) return false;
    cc_x_separate_add(g, relation, ode->y[0], &left, &right);
    if (left && explicit_roots(g, ode, from_logarithms(g, left, right), out)) return true;
    if (left && (y = invert(g, left, right, ode->y[0])) && cc_ode_satisfied(g, ode, y, false, &proven)) {
        out->values[0] = y, out->implicit[0] = false, out->n = 1;
        return true;
    }
    if (g->err->code) return false;
    if (explicit_roots(g, ode, relation, out)) return true;
    if (g->err->code) return false;
    out->values[0] = relation, out->implicit[0] = true, out->n = 1;
    return true;
}

// y' = g(x) h(y)
static bool separable(cc_alg *g, const cc_ode *ode, cc_xp f, cc_ode_solutions *out) {
    cc_xp y = ode->y[0], of_x = g->one, of_y = g->one, form = cc_x_factor(g, f);
    size_t n;
    if (!form) return false;
    const cc_xp *factors = cc_x_factors(&form, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp a = factors[i];
        if (cc_x_has(a, ode->x) && cc_x_has(a, y) && cc_x_is_fun(a, CC_F_EXP)) { // exp(x + y)
            cc_xp with, without;
            cc_x_separate_add(g, cc_x_expand(g, a->args[0]), y, &with, &without);
            if (cc_x_has(with, ode->x)) return false;
            of_x = cc_x_mul(g, of_x, cc_x_exp(g, without)), of_y = cc_x_mul(g, of_y, cc_x_exp(g, with));
            continue;
        }
        if (cc_x_has(a, ode->x) && cc_x_has(a, y)) return false;
        if (cc_x_has(a, y))
            of_y = cc_x_mul(g, of_y, a);
        else
            of_x = cc_x_mul(g, of_x, a);
    }
    cc_xp left = integral(g, cc_x_div(g, g->one, of_y), y), right = left ? integral(g, of_x, ode->x) : NULL;
    if (!right) return false;
    cc_xsolutions s; // y = a with h(a) = 0 solve it as well, and are lost by dividing
    if (cc_x_has(of_y, y) && !cc_x_solve(g, of_y, y, &s) && s.kind == CC_SOLVED_FINITE)
        for (size_t i = 0; i < s.n; i++) {
            cc_str a = cc_x_show(g, s.roots[i]);
            cc_alg_note(g, "also the constant solution %.*s = %.*s", (int)ode->name.n, ode->name.p, (int)a.n, a.p);
        }
    out->method = "separable";
    return take(g, ode, cc_x_sub(g, left, cc_x_add(g, right, cc_ode_constant(g, 0))), out);
}

// y' = a(x) y + b(x) y**m: u = y**(1 - m) has u' = (1 - m)(a u + b).
static bool bernoulli(cc_alg *g, const cc_ode *ode, cc_xp f, cc_ode_solutions *out) {
    cc_xp y = ode->y[0], a = g->zero, b = g->zero, m = NULL, expanded = cc_x_expand(g, f);
    size_t n;
    if (!expanded) return false;
    const cc_xp *terms = cc_x_terms(&expanded, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp with, without, base, e;
        cc_x_separate_mul(g, terms[i], y, &with, &without);
        if (!with) return false;
        cc_x_split_power(g, with, &base, &e);
        if (base != y || cc_x_has(e, ode->x) || cc_x_has(e, y)) return false;
        if (e == g->one)
            a = cc_x_add(g, a, without);
        else if (!m || m == e)
            m = e, b = cc_x_add(g, b, without);
        else
            return false;
    }
    if (!m) return false;
    cc_xp k = cc_x_sub(g, g->one, m);
    cc_ode inner = *ode;
    inner.f = cc_x_sub(g, ode->y[1], cc_x_mul(g, k, cc_x_add(g, cc_x_mul(g, a, y), b)));
    if (!cc_ode_linear(g, &inner, out)) return false;
    cc_xp u = cc_x_simplify(g, out->values[0]), root = cc_x_pow(g, u, cc_x_div(g, g->one, k));
    slong e;
    out->method = "Bernoulli";
    out->linear = false;
    out->values[0] = root, out->n = 1;
    if (cc_x_fits_si(k, &e) && e % 2 == 0) out->values[out->n++] = cc_x_neg(g, root);
    out->implicit[1] = false;
    if (cc_x_is(g, m, CC_IS_POSITIVE) == CC_TRUE) cc_alg_note(g, "also the constant solution %.*s = 0", (int)ode->name.n, ode->name.p);
    return true;
}

// y' = phi(y/x): v = y/x has x v' = phi(v) - v.
static bool homogeneous(cc_alg *g, const cc_ode *ode, cc_xp f, cc_ode_solutions *out) {
    cc_xp v = cc_x_dummy(g, "v", CC_IS_REAL), x = cc_x_dummy(g, "x", CC_IS_POSITIVE);
    cc_xp phi = cc_x_subs_many(g, f, (const cc_xp[]){ode->x, ode->y[0]}, (const cc_xp[]){x, cc_x_mul(g, v, x)}, 2);
    phi = cc_x_simplify(g, phi);
    if (!phi || cc_x_has(phi, x)) return false;
    cc_xp below = cc_x_simplify(g, cc_x_sub(g, phi, v));
    if (!below || below == g->zero) return false;
    cc_xp left = integral(g, cc_x_div(g, g->one, below), v);
    if (!left) return false;
    out->method = "homogeneous: y = v*x";
    cc_xp relation = cc_x_sub(g, left, cc_x_add(g, cc_x_log(g, ode->x), cc_ode_constant(g, 0)));
    return take(g, ode, cc_x_subs(g, relation, v, cc_x_div(g, ode->y[0], ode->x)), out);
}

// m + n y' = 0 with m_y = n_x, perhaps after a factor of x alone or of y alone.
static bool exact(cc_alg *g, const cc_ode *ode, cc_xp m, cc_xp n, cc_ode_solutions *out) {
    cc_xp x = ode->x, y = ode->y[0], off = cc_x_simplify(g, cc_x_sub(g, cc_x_diff(g, m, y), cc_x_diff(g, n, x)));
    if (!off) return false;
    if (off != g->zero) {
        cc_xp by_x = cc_x_simplify(g, cc_x_div(g, off, n)), by_y = cc_x_simplify(g, cc_x_neg(g, cc_x_div(g, off, m))), factor = NULL;
        if (by_x && !cc_x_has(by_x, y))
            factor = integral(g, by_x, x);
        else if (by_y && !cc_x_has(by_y, x))
            factor = integral(g, by_y, y);
        if (!factor) return false;
        factor = cc_x_simplify(g, cc_x_exp(g, factor));
        m = cc_x_expand(g, cc_x_mul(g, m, factor)), n = cc_x_expand(g, cc_x_mul(g, n, factor));
        if (cc_x_is_zero(g, cc_x_sub(g, cc_x_diff(g, m, y), cc_x_diff(g, n, x))) != CC_TRUE) return false;
    }
    cc_xp part = integral(g, m, x);
    cc_xp rest = part ? cc_x_simplify(g, cc_x_sub(g, n, cc_x_diff(g, part, y))) : NULL;
    if (!rest || cc_x_has(rest, x)) return false;
    cc_xp more = integral(g, rest, y);
    out->method = off == g->zero ? "exact" : "exact, by an integrating factor";
    return more && take(g, ode, cc_x_sub(g, cc_x_add(g, part, more), cc_ode_constant(g, 0)), out);
}

// y' = phi(y + a*x): v = y + a*x has v' = phi(v) + a.
static bool along_lines(cc_alg *g, const cc_ode *ode, cc_xp f, cc_ode_solutions *out) {
    cc_xp x = ode->x, y = ode->y[0], v = cc_x_dummy(g, "v", CC_IS_REAL);
    cc_xp a = cc_x_simplify(g, cc_x_div(g, cc_x_diff(g, f, x), cc_x_diff(g, f, y)));
    if (!a || !a->finite || cc_x_has(a, x) || cc_x_has(a, y)) return false;
    cc_xp phi = cc_x_simplify(g, cc_x_subs(g, f, y, cc_x_sub(g, v, cc_x_mul(g, a, x))));
    if (!phi || cc_x_has(phi, x)) return false;
    cc_xp left = integral(g, cc_x_div(g, g->one, cc_x_add(g, phi, a)), v);
    if (!left) return false;
    out->method = "depends on y + a*x alone";
    cc_xp inner = cc_x_add(g, y, cc_x_mul(g, a, x)), relation = cc_x_sub(g, left, cc_x_add(g, x, cc_ode_constant(g, 0)));
    cc_xp part, rest, u;
    bool proven;
    cc_x_separate_add(g, relation, v, &part, &rest);
    if (part && (u = invert(g, part, rest, v)) && (u = cc_x_sub(g, u, cc_x_mul(g, a, x))) && cc_ode_satisfied(g, ode, u, false, &proven)) {
        out->values[0] = u, out->implicit[0] = false, out->n = 1;
        return true;
    }
    return take(g, ode, cc_x_subs(g, relation, v, inner), out);
}

bool cc_ode_first_order(cc_alg *g, const cc_ode *ode, cc_ode_solutions *out) {
    if (ode->order != 1) return false;
    cc_xp n = cc_x_diff(g, ode->f, ode->y[1]), m = cc_x_subs(g, ode->f, ode->y[1], g->zero);
    if (!n || !m || cc_x_has(n, ode->y[1])) return false; // not linear in y'
    cc_xp f = cc_x_cancel(g, cc_x_neg(g, cc_x_div(g, m, n)));
    return f && (separable(g, ode, f, out) || bernoulli(g, ode, f, out) || exact(g, ode, m, n, out) || homogeneous(g, ode, f, out) ||
                 along_lines(g, ode, f, out));
}
