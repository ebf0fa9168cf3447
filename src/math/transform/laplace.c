// The table of Laplace transforms, as rules: sums, powers times exponentials (circular and hyperbolic functions are those), delays,
// impulses; back by partial fractions over the roots of the denominator. Called by symbolic_ode.c. Source: NIST DLMF 1.14(iii) and its
// table 1.14.4.
#include "math/ode/ode.h"
#include "math/transform/transform.h"

#define MOST_ROOTS 40

// ---- forward ----

// Re s > bound, the largest real part of the exponents so far.
typedef struct region {
    cc_xp bounds[8];
    size_t n;
} region;

static void widen(cc_alg *g, region *r, cc_xp alpha) {
    for (size_t i = 0; i < r->n; i++) {
        if (r->bounds[i] == alpha) return;
        if (!cc_x_is_constant(r->bounds[i]) || !cc_x_is_constant(alpha)) continue;
        if (cc_x_constant_compare(g, r->bounds[i], alpha) == -1) r->bounds[i] = alpha;
        return;
    }
    if (r->n < CC_ARRAY_LEN(r->bounds)) r->bounds[r->n++] = alpha;
}

static cc_xp transform(cc_alg *g, cc_xp f, cc_xp t, cc_xp s, region *where);

// c t**nu exp(mu t) → c gamma(nu + 1)/(s - mu)**(nu + 1)
static cc_xp power_times_exponential(cc_alg *g, cc_xp term, cc_xp t, cc_xp s, region *where) {
    cc_xp rest = g->one, nu = g->zero, mu, alpha, beta;
    size_t n;
    const cc_xp *factors = cc_x_factors(&term, &n), *p;
    slong degree;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (base == t && !cc_x_has(e, t))
            nu = cc_x_add(g, nu, e);
        else
            rest = cc_x_mul(g, rest, factors[i]);
    }
    if (!cc_ode_exponential(g, rest, t, &p, &degree, &mu) || degree != 0) return NULL;
    cc_xp order = cc_x_add(g, nu, g->one);
    cc_truth positive = cc_x_is(g, order, CC_IS_POSITIVE);
    if (positive == CC_FALSE || (positive == CC_UNDECIDED && cc_x_is_constant(order))) return NULL;
    if (positive == CC_UNDECIDED) cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->minus_one, cc_x_f1(g, CC_F_RE, nu)));
    cc_ode_split(g, mu, &alpha, &beta);
    widen(g, where, alpha);
    return cc_x_mul(g, p[0], cc_x_div(g, cc_x_f1(g, CC_F_GAMMA, order), cc_x_pow(g, cc_x_sub(g, s, mu), order)));
}

// f(t) = rest(t) Heaviside(a t - b) or rest(t) DiracDelta(a t - b)
static cc_xp stepped(cc_alg *g, cc_xfn fn, cc_xp inner, cc_xp rest, cc_xp t, cc_xp s, region *where) {
    const cc_xp *c;
    slong degree;
    if (!cc_x_poly_coefficients(g, inner, t, 1, &c, &degree) || degree != 1) return NULL;
    cc_xp delay = cc_x_neg(g, cc_x_div(g, c[0], c[1]));
    cc_truth up = cc_x_is(g, c[1], CC_IS_POSITIVE), early = cc_x_is(g, delay, CC_IS_NEGATIVE);
    if (up == CC_UNDECIDED || (cc_x_is_constant(delay) && early == CC_UNDECIDED)) return NULL;
    if (early == CC_UNDECIDED) cc_alg_condition(g, cc_x_rel(g, CC_REL_LE, g->zero, delay));
    cc_xp late = cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, delay, s)));
    if (fn == CC_F_DIRAC) {
        if (early == CC_TRUE) return g->zero;
        cc_xp value = cc_x_subs(g, rest, t, delay);
        return value && value->finite ? cc_x_mul(g, value, cc_x_div(g, late, cc_x_f1(g, CC_F_ABS, c[1]))) : NULL;
    }
    if (early == CC_TRUE) return up == CC_TRUE ? transform(g, rest, t, s, where) : g->zero;
    cc_xp after = transform(g, cc_x_subs(g, rest, t, cc_x_add(g, t, delay)), t, s, where);
    after = after ? cc_x_mul(g, late, after) : NULL;
    if (!after || up == CC_TRUE) return after;
    cc_xp all = transform(g, rest, t, s, where);
    return all ? cc_x_sub(g, all, after) : NULL;
}

static cc_xp of_term(cc_alg *g, cc_xp term, cc_xp t, cc_xp s, region *where) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&term, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        slong power;
        cc_x_split_power(g, factors[i], &base, &e);
        bool step = cc_x_is_fun(base, CC_F_HEAVISIDE) || cc_x_is_fun(base, CC_F_DIRAC);
        if (!step || !cc_x_has(base, t)) continue;
        if (!cc_x_fits_si(e, &power) || power < 1 || (power > 1 && base->fn == CC_F_DIRAC)) return NULL;
        return stepped(g, (cc_xfn)base->fn, base->args[0], cc_x_div(g, term, factors[i]), t, s, where);
    }
    cc_xp by_exp = cc_x_expand(g, cc_x_rewrite(g, term, CC_REWRITE_EXP)), out = g->zero;
    if (!by_exp) return NULL;
    const cc_xp *parts = cc_x_terms(&by_exp, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp part = power_times_exponential(g, parts[i], t, s, where);
        if (!part) return NULL;
        out = cc_x_add(g, out, part);
    }
    return cc_x_together(g, out);
}

static cc_xp transform(cc_alg *g, cc_xp f, cc_xp t, cc_xp s, region *where) {
    cc_xp expanded = cc_x_expand(g, f), out = g->zero;
    if (!expanded || !expanded->finite) return NULL;
    size_t n;
    const cc_xp *terms = cc_x_terms(&expanded, &n);
    for (size_t i = 0; i < n; i++) {
        if (!cc_alg_may_search(g)) return NULL;
        cc_xp part = of_term(g, terms[i], t, s, where);
        if (!part) return NULL;
        out = cc_x_add(g, out, part);
    }
    return out;
}

cc_xp cc_x_laplace(cc_alg *g, cc_xp f, cc_xp t, cc_xp s) {
    region where = {.n = 0};
    size_t kept = g->n_conditions;
    cc_xp out = transform(g, f, t, s, &where);
    out = out ? cc_x_simplify(g, out) : NULL;
    if (!out) g->n_conditions = kept;
    for (size_t i = 0; out && i < where.n; i++) cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, where.bounds[i], cc_x_f1(g, CC_F_RE, s)));
    return out;
}

// ---- back ----

// A rational function of s without polynomial part but for a constant: residues at the roots of the denominator.
static cc_xp of_rational(cc_alg *g, cc_xp f, cc_xp s, cc_xp t) {
    cc_xp num, den, out = g->zero;
    const cc_xp *a, *b;
    slong above, below;
    cc_ode_root roots[MOST_ROOTS];
    size_t n;
    f = cc_x_cancel(g, f);
    if (!f) return NULL;
    cc_x_fraction(g, cc_x_together(g, f), &num, &den);
    if (!cc_x_poly_coefficients(g, num, s, 60, &a, &above) || !cc_x_poly_coefficients(g, den, s, 60, &b, &below) || above > below)
        return NULL;
    if (above == below) {
        cc_xp whole = cc_x_div(g, a[above], b[below]);
        out = cc_x_mul(g, whole, cc_x_f1(g, CC_F_DIRAC, t));
        num = cc_x_expand(g, cc_x_sub(g, num, cc_x_mul(g, whole, den)));
    }
    if (below == 0) return out;
    cc_xp lead = b[below];
    if (!cc_ode_roots(g, den, s, roots, MOST_ROOTS, &n)) return NULL;
    bool any = false;
    for (size_t i = 0; i < n; i++) any = any || cc_x_has_fn(roots[i].re, CC_F_CROOTOF) || cc_x_has_fn(roots[i].im, CC_F_CROOTOF);
    for (size_t i = 0; i < n; i++) {
        cc_xp r = cc_x_add(g, roots[i].re, cc_x_mul(g, g->i, roots[i].im)), rest = cc_x_div(g, num, lead), q = g->zero;
        bool numbered = any && roots[i].times == 1;
        if (numbered) rest = cc_x_div(g, num, cc_x_diff(g, den, s)); // not written by the other roots
        for (size_t j = 0; j < n && !numbered; j++)
            if (j != i)
                rest = cc_x_div(g, rest,
                                cc_x_powi(g, cc_x_sub(g, s, cc_x_add(g, roots[j].re, cc_x_mul(g, g->i, roots[j].im))), roots[j].times));
        // 1/(s - r)**(k+1) has the factor rest^(times-1-k)(r)/(times-1-k)!, and gives t**k/k! exp(r t)
        for (slong k = roots[i].times - 1; k >= 0; k--) {
            slong order = roots[i].times - 1 - k;
            cc_xp c = cc_x_subs(g, cc_x_diffn(g, rest, s, (ulong)order), s, r);
            cc_xp scale = cc_x_mul(g, cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, order)), cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, k)));
            q = cc_x_add(g, q, cc_x_mul(g, cc_x_div(g, c, scale), cc_x_powi(g, t, k)));
        }
        cc_xp wave = cc_ode_wave(g, q, r, t);
        out = cc_x_add(g, out, numbered ? wave : cc_x_expand(g, wave));
    }
    return out;
}

// c (s - mu)**(-nu) → c t**(nu - 1) exp(mu t)/gamma(nu)
static cc_xp of_power(cc_alg *g, cc_xp f, cc_xp s, cc_xp t) {
    cc_xp with, scale, base, e;
    const cc_xp *c;
    slong degree;
    cc_x_separate_mul(g, f, s, &with, &scale);
    if (!with) return NULL;
    cc_x_split_power(g, with, &base, &e);
    if (cc_x_has(e, s) || !cc_x_poly_coefficients(g, base, s, 1, &c, &degree) || degree != 1 || c[1] != g->one) return NULL;
    cc_xp nu = cc_x_neg(g, e);
    if (cc_x_is(g, nu, CC_IS_POSITIVE) != CC_TRUE) return NULL;
    cc_xp power = cc_x_div(g, cc_x_pow(g, t, cc_x_sub(g, nu, g->one)), cc_x_f1(g, CC_F_GAMMA, nu));
    return cc_x_mul(g, scale, cc_x_mul(g, power, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, c[0], t)))));
}

#define MOST_DELAYS 16

// f(s) = sum of exp(-delay s) part(s)
static bool by_delays(cc_alg *g, cc_xp f, cc_xp s, cc_xp *delays, cc_xp *parts, size_t *n) {
    size_t m;
    cc_xp expanded = cc_x_expand(g, f);
    if (!expanded) return false;
    const cc_xp *terms = cc_x_terms(&expanded, &m);
    *n = 0;
    for (size_t i = 0; i < m; i++) {
        cc_xp delay = g->zero, rest = g->one;
        size_t k, h = 0;
        const cc_xp *factors = cc_x_factors(&terms[i], &k), *c;
        slong degree;
        for (size_t j = 0; j < k; j++) {
            if (!cc_x_is_fun(factors[j], CC_F_EXP) || !cc_x_has(factors[j], s)) {
                rest = cc_x_mul(g, rest, factors[j]);
                continue;
            }
            if (!cc_x_poly_coefficients(g, factors[j]->args[0], s, 1, &c, &degree)) return false;
            delay = cc_x_sub(g, delay, c[1]), rest = cc_x_mul(g, rest, cc_x_exp(g, c[0]));
        }
        while (h < *n && delays[h] != delay) h++;
        if (h == MOST_DELAYS) return false;
        if (h == *n) delays[h] = delay, parts[h] = g->zero, (*n)++;
        parts[h] = cc_x_add(g, parts[h], rest);
    }
    return true;
}

static cc_xp back(cc_alg *g, cc_xp f, cc_xp s, cc_xp t) {
    cc_xp delays[MOST_DELAYS], parts[MOST_DELAYS], out = g->zero;
    size_t n;
    if (!by_delays(g, f, s, delays, parts, &n)) return NULL;
    for (size_t i = 0; i < n; i++) {
        cc_xp x = of_rational(g, parts[i], s, t);
        if (!x && !g->err->code) { // powers with exponents that are no integers, one by one
            size_t m;
            const cc_xp *terms = cc_x_terms(&parts[i], &m);
            x = g->zero;
            for (size_t k = 0; k < m && x; k++) {
                cc_xp one = of_power(g, terms[k], s, t);
                if (!one) one = of_rational(g, terms[k], s, t);
                x = one ? cc_x_add(g, x, one) : NULL;
            }
        }
        if (!x) return NULL;
        if (delays[i] != g->zero) {
            cc_truth positive = cc_x_is(g, delays[i], CC_IS_POSITIVE);
            if (positive == CC_FALSE || (positive == CC_UNDECIDED && cc_x_is_constant(delays[i]))) return NULL;
            if (positive == CC_UNDECIDED) cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->zero, delays[i]));
            cc_xp later = cc_x_sub(g, t, delays[i]);
            cc_xp moved = cc_x_subs(g, cc_x_simplify(g, x), t, later);
            x = cc_x_has_fn(x, CC_F_DIRAC) && x->kind != CC_X_ADD ? moved : cc_x_mul(g, moved, cc_x_f1(g, CC_F_HEAVISIDE, later));
            if (cc_x_has_fn(x, CC_F_DIRAC) && cc_x_has_fn(x, CC_F_HEAVISIDE)) return NULL; // an impulse where the step is
        } else {
            x = cc_x_simplify(g, x);
        }
        out = cc_x_add(g, out, x);
    }
    return out;
}

cc_xp cc_x_inverse_laplace(cc_alg *g, cc_xp F, cc_xp s, cc_xp t, bool *proven) {
    size_t kept = g->n_conditions;
    *proven = true;
    cc_xp out = back(g, F, s, t);
    if (out) {
        size_t here = g->n_conditions;
        cc_xp again = cc_x_laplace(g, out, t, s);
        g->n_conditions = here; // F is given, wherever its integral converges
        cc_xp off = again ? cc_x_sub(g, again, F) : NULL;
        cc_truth same = off ? cc_x_is_zero(g, off) : CC_FALSE;
        if (same == CC_UNDECIDED) same = cc_x_is_zero_probably(g, off, 8, proven);
        if (same == CC_TRUE) return out;
    }
    g->n_conditions = kept;
    return NULL;
}
