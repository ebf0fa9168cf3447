// Roots of linear and of Moebius forms, by the root as variable; roots of products, split into roots of factors. Called by search.c.
// A root of a product is the product of the roots only up to a factor that is constant between branch points: such a factor is carried
// through the integration as a symbol and put back at the end, so that the result holds on every branch.
#include "math/integrate/integrate.h"

enum { MAX_BASES = 6, MAX_ROOT = 60 };

typedef struct radicals {
    cc_xp base[MAX_BASES];
    slong q[MAX_BASES]; // the least common denominator of its exponents
    size_t n;
    bool many;
} radicals;

static void survey(cc_alg *g, radicals *r, cc_xp x, cc_xp v) {
    if (!x || cc_int_free(x, v)) return;
    for (uint32_t i = 0; i < x->n; i++) survey(g, r, x->args[i], v);
    if (x->kind != CC_X_POW || !cc_x_is_num(x->args[1]) || cc_x_is_int(x->args[1])) return;
    if (!fmpz_fits_si(fmpq_denref(x->args[1]->num))) {
        r->many = true;
        return;
    }
    slong q = fmpz_get_si(fmpq_denref(x->args[1]->num));
    for (size_t i = 0; i < r->n; i++)
        if (r->base[i] == x->args[0]) {
            r->q[i] = r->q[i] / (slong)n_gcd((ulong)r->q[i], (ulong)q) * q;
            if (r->q[i] > MAX_ROOT) r->many = true;
            return;
        }
    if (r->n == MAX_BASES || q > MAX_ROOT) {
        r->many = true;
        return;
    }
    r->base[r->n] = x->args[0];
    r->q[r->n++] = q;
}

// base = (a + b*v)/(c + d*v).
static bool moebius(cc_alg *g, cc_xp base, cc_xp v, cc_xp *a, cc_xp *b, cc_xp *c, cc_xp *d) {
    *c = g->one;
    *d = g->zero;
    if (cc_int_linear(g, base, v, a, b)) return true;
    cc_field F;
    if (!cc_field_init(&F, g, v, &base, 1)) return false;
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, F.ctx);
    cc_xp k[2], m[2];
    bool ok = cc_field_get(&F, q, base) && cc_int_polynomial(g, cc_field_poly(&F, fmpz_mpoly_q_numref(q)), v, 1, k) &&
              cc_int_polynomial(g, cc_field_poly(&F, fmpz_mpoly_q_denref(q)), v, 1, m);
    if (ok) {
        *a = k[0];
        *b = k[1];
        *c = m[0];
        *d = m[1];
    }
    fmpz_mpoly_q_clear(q, F.ctx);
    cc_field_clear(&F);
    return ok;
}

// Replaces base**(p/q) by t**(p*n/q) and then v by value; the bases of other roots are expanded.
typedef struct rooting {
    cc_xp base, t, v, value;
    slong n;
} rooting;

static cc_xp replace(cc_alg *g, cc_xp x, const rooting *r) {
    if (!x || cc_int_free(x, r->v)) return x;
    if (x == r->v) return r->value;
    if (x->kind == CC_X_POW && x->args[0] == r->base && cc_x_is_num(x->args[1]) && !cc_x_is_int(x->args[1]))
        return cc_x_pow(g, r->t, cc_x_mul(g, x->args[1], cc_x_int(g, r->n)));
    if (!x->n) return x;
    cc_xp *args = cc_arena_alloc(g->arena, x->n * sizeof *args);
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = replace(g, x->args[i], r);
        if (!args[i]) return NULL;
    }
    if (x->kind == CC_X_POW && cc_x_is_num(args[1]) && !cc_x_is_int(args[1])) args[0] = cc_int_normal(g, cc_x_expand(g, args[0]), r->t);
    return cc_x_rebuild(g, x, args);
}

static cc_xp by_root(cc_int *in, cc_xp f, cc_xp v, cc_xp base, slong n) {
    cc_alg *g = in->g;
    cc_xp a, b, c, d;
    if (!moebius(g, base, v, &a, &b, &c, &d)) return NULL;
    cc_xp t = cc_int_variable(in, v), tn = cc_x_powi(g, t, n);
    // v = (c*t**n - a)/(b - d*t**n)
    cc_xp value = cc_x_div(g, cc_x_sub(g, cc_x_mul(g, c, tn), a), cc_x_sub(g, b, cc_x_mul(g, d, tn)));
    rooting r = {.base = base, .t = t, .v = v, .value = value, .n = n};
    cc_xp h = replace(g, f, &r);
    h = cc_int_normal(g, cc_x_mul(g, h, cc_x_diff(g, value, t)), t);
    if (!h || cc_x_has(h, v)) return NULL;
    cc_xp F = cc_int_find(in, h, t);
    return F ? cc_x_subs(g, F, t, cc_x_pow(g, base, cc_x_frac(g, 1, n))) : NULL;
}

// x with base**(p/q) replaced by (sigma*with)**(p*n/q).
typedef struct splitting {
    cc_xp base, with;
    slong n;
} splitting;

static cc_xp split_root(cc_alg *g, cc_xp x, void *ctx) {
    splitting *s = ctx;
    if (x->kind != CC_X_POW || x->args[0] != s->base || !cc_x_is_num(x->args[1]) || cc_x_is_int(x->args[1])) return x;
    return cc_x_pow(g, s->with, cc_x_mul(g, x->args[1], cc_x_int(g, s->n)));
}

// base = v**k * rest with k > 0 and the rest expanded; NULL: no power comes out.
static cc_xp power_of_variable(cc_alg *g, cc_xp base, cc_xp v) {
    cc_xp c[MAX_ROOT + 1];
    if (!cc_int_polynomial(g, base, v, MAX_ROOT, c)) return NULL;
    slong k = 0, n = MAX_ROOT;
    while (k < n && c[k] == g->zero) k++;
    while (n > k && c[n] == g->zero) n--;
    return k && n > k ? cc_x_mul(g, cc_x_powi(g, v, k), cc_x_from_coefficients(g, c + k, n - k, v)) : NULL;
}

// c * product of p_i**k_i; to the 1/n: sigma * c**(1/n) * product of p_i**(k_i/n).
static cc_xp by_splitting(cc_int *in, cc_xp f, cc_xp v, cc_xp base, slong n, bool whole) {
    cc_alg *g = in->g;
    cc_xp factored = cc_int_normal(g, base, v);
    if (whole) factored = power_of_variable(g, base, v);
    if (!factored || (factored->kind != CC_X_MUL && factored->kind != CC_X_POW && !cc_x_is_fun(factored, CC_F_EXP))) return NULL;
    size_t m, moving = 0;
    bool power = false;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    cc_xp split = g->one;
    for (size_t i = 0; i < m; i++) {
        cc_xp b, e;
        cc_x_split_power(g, factors[i], &b, &e);
        if (!cc_int_free(factors[i], v)) {
            moving++;
            power = power || e != g->one;
        }
        split = cc_x_mul(g, split, cc_x_pow(g, b, cc_x_div(g, e, cc_x_int(g, n))));
    }
    if (moving < 2 && !power) return NULL;
    cc_xp sigma = cc_x_dummy(g, "sigma", CC_IS_NONZERO);
    // every factor**(k/n) must come as one power of n-th roots: powers of the product distribute over a dummy root
    splitting s = {.base = base, .with = NULL, .n = n};
    cc_xp root = cc_x_dummy(g, "root", 0);
    s.with = root;
    cc_xp h = cc_x_map(g, f, split_root, &s);
    h = cc_x_subs(g, h, root, cc_x_mul(g, sigma, split));
    if (!h || h == f) return NULL;
    cc_xp with, without;
    cc_x_separate_mul(g, h, sigma, &with, &without);
    cc_xp constant = cc_x_div(g, cc_x_pow(g, base, cc_x_frac(g, 1, n)), split);
    if (with && !cc_x_has(without, sigma)) {
        cc_xp F = cc_int_find(in, without, v);
        return F ? cc_x_mul(g, F, cc_x_subs(g, with, sigma, constant)) : NULL;
    }
    cc_xp F = cc_int_find(in, h, v);
    return F ? cc_x_subs(g, F, sigma, constant) : NULL;
}

// p1**(k/n) -> sigma**k * tau**k * p2**(k/n), tau = (p1/p2)**(1/n): when whole powers of p2 remain.
static cc_xp by_quotient(cc_int *in, cc_xp f, cc_xp v, const radicals *r, size_t i, size_t j) {
    cc_alg *g = in->g;
    cc_xp p1 = r->base[i], p2 = r->base[j], a, b;
    slong n = r->q[i];
    if (!cc_int_linear(g, p1, v, &a, &b) || !cc_int_linear(g, p2, v, &a, &b)) return NULL;
    cc_xp quotient = cc_x_div(g, p1, p2), tau = cc_x_dummy(g, "tau", 0), sigma = cc_x_dummy(g, "sigma", CC_IS_NONZERO),
          root = cc_x_dummy(g, "root", 0);
    splitting s = {.base = p1, .with = root, .n = n};
    cc_xp h = cc_x_map(g, f, split_root, &s);
    h = cc_x_subs(g, h, root, CC_PROD(g, sigma, tau, cc_x_pow(g, p2, cc_x_frac(g, 1, n))));
    if (!h) return NULL;
    radicals rest = {.n = 0};
    survey(g, &rest, h, v);
    if (rest.many || rest.n) return NULL;
    cc_xp k = cc_x_pow(g, quotient, cc_x_frac(g, 1, n));
    h = cc_x_subs(g, h, tau, k);
    cc_xp whole = cc_x_div(g, cc_x_pow(g, p1, cc_x_frac(g, 1, n)), cc_x_mul(g, k, cc_x_pow(g, p2, cc_x_frac(g, 1, n))));
    cc_xp with, without;
    cc_x_separate_mul(g, h, sigma, &with, &without);
    if (with && without && !cc_x_has(without, sigma)) {
        cc_xp F = by_root(in, without, v, quotient, n);
        return F ? cc_x_mul(g, F, cc_x_subs(g, with, sigma, whole)) : NULL;
    }
    cc_xp F = by_root(in, h, v, quotient, n);
    return F ? cc_x_subs(g, F, sigma, whole) : NULL;
}

cc_xp cc_int_roots(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    radicals r = {.n = 0};
    survey(g, &r, f, v);
    if (r.many || !r.n) return NULL;
    for (size_t i = 0; i < r.n && cc_alg_may_search(g); i++) {
        // first a power of the variable alone, which keeps binomials whole
        cc_xp F = by_splitting(in, f, v, r.base[i], r.q[i], true);
        if (!F && g->err->code == CC_OK) F = by_splitting(in, f, v, r.base[i], r.q[i], false);
        if (F || g->err->code != CC_OK) return F;
    }
    if (r.n == 2)
        for (size_t i = 0; i < 2; i++) {
            cc_xp F = by_quotient(in, f, v, &r, i, 1 - i);
            if (F || g->err->code != CC_OK) return F;
        }
    // the highest root first
    for (slong n = MAX_ROOT; n > 1; n--)
        for (size_t i = 0; i < r.n && cc_alg_may_search(g); i++) {
            if (r.q[i] != n) continue;
            cc_xp F = by_root(in, f, v, r.base[i], n);
            if (F || g->err->code != CC_OK) return F;
        }
    return NULL;
}
