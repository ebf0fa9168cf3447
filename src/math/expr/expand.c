// Multiplying out: products over sums and integer powers of sums, recursively. Called by everybody. Polynomials go through FLINT, where
// (x + y + z + 1)**20 takes milliseconds; the size of what would come out is estimated before. Expansion of logarithms and of
// trigonometric functions is in rewrite.c.
#include "math/expr/intern.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_TERMS = 200000,
    MAX_GENERATORS = 60,
};

static cc_xp expand(cc_alg *g, cc_xp x);

// ---- a product of powers of sums, as a polynomial ----

// Generators: everything that is no sum, product, number or positive integer power.
typedef struct generators {
    cc_xp *items;
    size_t n;
} generators;

static bool note(generators *gens, cc_xp x) {
    for (size_t i = 0; i < gens->n; i++)
        if (gens->items[i] == x) return true;
    if (gens->n == MAX_GENERATORS) return false;
    gens->items[gens->n++] = x;
    return true;
}

// x as base ** k, where k is a positive integer; else the whole with 1. A root of a generator is one of its own: x**(3/2) is (x**(1/2))**3.
static cc_xp generator_of(cc_alg *g, cc_xp x, ulong *k) {
    *k = 1;
    cc_xp base, e;
    cc_x_split_power(g, x, &base, &e);
    if (e == g->one) return x;
    cc_xp rest;
    const fmpq *c = cc_x_coefficient(g, e, &rest);
    if (fmpz_sgn(fmpq_numref(c)) < 0) { // x**-3 is (1/x)**3
        if (!fmpz_fits_si(fmpq_numref(c))) return x;
        *k = (ulong)-fmpz_get_si(fmpq_numref(c));
    } else {
        if (!fmpz_abs_fits_ui(fmpq_numref(c))) return x;
        *k = fmpz_get_ui(fmpq_numref(c));
    }
    if (*k == 0 || *k > 1000000) {
        *k = 1;
        return x;
    }
    return *k == 1 ? x : cc_x_pow(g, base, cc_x_div(g, e, cc_x_int(g, (slong)*k)));
}

static bool gather(cc_alg *g, generators *gens, cc_xp x) {
    if (!x) return false;
    if (x->kind == CC_X_NUM) return true;
    if (x->kind == CC_X_ADD || x->kind == CC_X_MUL) {
        for (uint32_t i = 0; i < x->n; i++)
            if (!gather(g, gens, x->args[i])) return false;
        return true;
    }
    slong e;
    if (x->kind == CC_X_POW && x->args[0]->kind == CC_X_ADD && cc_x_fits_si(x->args[1], &e) && e > 0) return gather(g, gens, x->args[0]);
    ulong k;
    cc_xp gen = generator_of(g, x, &k);
    return gen && note(gens, gen);
}

typedef struct polynomials {
    cc_alg *g;
    fmpz_mpoly_ctx_t ctx;
    generators gens;
} polynomials;

// x = p/den.
static bool convert(polynomials *P, fmpz_mpoly_t p, fmpz_t den, cc_xp x) {
    cc_alg *g = P->g;
    if (!x || !cc_alg_go_on(g)) return false;
    slong e;
    fmpz_one(den);
    if (x->kind == CC_X_NUM) {
        fmpz_mpoly_set_fmpz(p, fmpq_numref(x->num), P->ctx);
        fmpz_set(den, fmpq_denref(x->num));
        return true;
    }
    bool power = x->kind == CC_X_POW && x->args[0]->kind == CC_X_ADD && cc_x_fits_si(x->args[1], &e) && e > 0;
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL && !power) {
        ulong k;
        cc_xp gen = generator_of(g, x, &k);
        size_t i = 0;
        while (i < P->gens.n && P->gens.items[i] != gen) i++;
        if (i == P->gens.n) return false;
        fmpz_mpoly_gen(p, (slong)i, P->ctx);
        return k == 1 || fmpz_mpoly_pow_ui(p, p, k, P->ctx);
    }
    fmpz_mpoly_t q;
    fmpz_t d;
    fmpz_mpoly_init(q, P->ctx);
    fmpz_init(d);
    bool ok = true;
    if (power) {
        ok = convert(P, q, d, x->args[0]);
        double terms = 1, n = (double)fmpz_mpoly_length(q, P->ctx) - 1;
        for (double i = 1; i <= n && terms <= MAX_TERMS; i++) terms *= ((double)e + i) / i;
        if (ok && n > 0 && terms > MAX_TERMS) ok = cc_x_too_large(g, "the expanded power") != NULL;
        ok = ok && fmpz_mpoly_pow_ui(p, q, (ulong)e, P->ctx);
        fmpz_pow_ui(den, d, (ulong)e);
    } else if (x->kind == CC_X_MUL) {
        fmpz_mpoly_one(p, P->ctx);
        for (uint32_t i = 0; i < x->n && ok; i++) {
            ok = convert(P, q, d, x->args[i]);
            double terms = (double)fmpz_mpoly_length(p, P->ctx) * (double)fmpz_mpoly_length(q, P->ctx);
            if (ok && terms > 400.0 * MAX_TERMS) ok = cc_x_too_large(g, "the expanded product") != NULL;
            if (!ok) break;
            fmpz_mpoly_mul(p, p, q, P->ctx);
            fmpz_mul(den, den, d);
            if (fmpz_mpoly_length(p, P->ctx) > MAX_TERMS) ok = cc_x_too_large(g, "the expanded product") != NULL;
        }
    } else {
        // The terms that are monomials are pushed, the others added.
        fmpz_t l, c;
        fmpz_init(l);
        fmpz_init(c);
        fmpz_mpoly_zero(p, P->ctx);
        for (uint32_t i = 0; i < x->n && ok; i++) {
            if (!(ok = convert(P, q, d, x->args[i]))) break;
            if (!fmpz_equal(d, den)) {
                fmpz_lcm(l, d, den);
                fmpz_divexact(c, l, den);
                fmpz_mpoly_scalar_mul_fmpz(p, p, c, P->ctx);
                fmpz_divexact(c, l, d);
                fmpz_mpoly_scalar_mul_fmpz(q, q, c, P->ctx);
                fmpz_set(den, l);
            }
            fmpz_mpoly_add(p, p, q, P->ctx);
        }
        fmpz_clear(l);
        fmpz_clear(c);
    }
    fmpz_mpoly_clear(q, P->ctx);
    fmpz_clear(d);
    return ok;
}

static cc_xp from_polynomial(polynomials *P, const fmpz_mpoly_t p, const fmpz_t den) {
    cc_alg *g = P->g;
    slong n = fmpz_mpoly_length(p, P->ctx);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)n + 1);
    ulong *exps = CC_ARENA_ARRAY(g->arena, ulong, P->gens.n + 1);
    cc_xp *factors = CC_ARENA_ARRAY(g->arena, cc_xp, P->gens.n + 1);
    fmpq_t c;
    fmpq_init(c);
    bool ok = true;
    for (slong i = 0; i < n && ok; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), p, i, P->ctx);
        fmpz_set(fmpq_denref(c), den);
        fmpq_canonicalise(c);
        fmpz_mpoly_get_term_exp_ui(exps, p, i, P->ctx);
        size_t m = 0;
        factors[m++] = cc_x_num(g, c);
        for (size_t k = 0; k < P->gens.n; k++)
            if (exps[k]) factors[m++] = cc_x_pow(g, P->gens.items[k], cc_x_int(g, (slong)exps[k]));
        terms[i] = cc_x_muln(g, factors, m);
        ok = terms[i] && cc_alg_go_on(g);
    }
    fmpq_clear(c);
    return ok ? cc_x_addn(g, terms, (size_t)n) : NULL;
}

// x, a product or power over sums, multiplied out; NULL without error when it has too many generators.
static cc_xp by_polynomial(cc_alg *g, cc_xp x) {
    cc_xp store[MAX_GENERATORS];
    polynomials P = {.g = g, .gens = {store, 0}};
    if (!gather(g, &P.gens, x) || g->err->code) return NULL;
    fmpz_mpoly_ctx_init(P.ctx, (slong)P.gens.n, ORD_LEX);
    fmpz_mpoly_t p;
    fmpz_t den;
    fmpz_mpoly_init(p, P.ctx);
    fmpz_init(den);
    bool ok = convert(&P, p, den, x);
    if (ok && fmpz_mpoly_length(p, P.ctx) > MAX_TERMS) ok = cc_x_too_large(g, "the expanded expression") != NULL;
    cc_xp out = ok ? from_polynomial(&P, p, den) : NULL;
    fmpz_mpoly_clear(p, P.ctx);
    fmpz_mpoly_ctx_clear(P.ctx);
    fmpz_clear(den);
    return out;
}

// With more generators than fit: term by term.
static cc_xp distribute(cc_alg *g, cc_xp a, cc_xp b) {
    size_t n, m;
    const cc_xp *s = cc_x_terms(&a, &n), *t = cc_x_terms(&b, &m);
    if ((double)n * (double)m > MAX_TERMS) return cc_x_too_large(g, "the expanded product");
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, n * m);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            if (!(out[i * m + k] = cc_x_mul(g, s[i], t[k]))) return NULL;
    return cc_x_addn(g, out, n * m);
}

static cc_xp by_terms(cc_alg *g, cc_xp x) {
    size_t n;
    const cc_xp *f = cc_x_factors(&x, &n);
    cc_xp out = g->one;
    for (size_t i = 0; i < n && out; i++) {
        slong e = 1;
        bool power = f[i]->kind == CC_X_POW && f[i]->args[0]->kind == CC_X_ADD && cc_x_fits_si(f[i]->args[1], &e) && e > 0;
        if (!power) e = 1;
        for (slong k = 0; k < e && out; k++) out = distribute(g, out, power ? f[i]->args[0] : f[i]);
    }
    return out;
}

// ---- recursion ----

static bool is_expandable_factor(cc_xp f) {
    slong e;
    return f->kind == CC_X_ADD || (f->kind == CC_X_POW && f->args[0]->kind == CC_X_ADD && cc_x_fits_si(f->args[1], &e) && e > 1);
}

static cc_xp multiply_out(cc_alg *g, cc_xp x) {
    size_t n;
    const cc_xp *f = cc_x_factors(&x, &n);
    bool any = false;
    for (size_t i = 0; i < n; i++) any = any || is_expandable_factor(f[i]);
    if (!any || x->kind == CC_X_ADD) return x;
    cc_xp y = by_polynomial(g, x);
    return y || g->err->code ? y : by_terms(g, x);
}

// The constructors collect powers of one base, so a**(b + c) stays. Of a negative integer exponent the denominator is expanded.
static cc_xp expand_power(cc_alg *g, cc_xp a, cc_xp b) {
    slong e;
    if (a->kind == CC_X_ADD && cc_x_fits_si(b, &e) && e < -1) {
        cc_xp d = multiply_out(g, cc_x_pow(g, a, cc_x_int(g, -e)));
        return cc_x_pow(g, d, g->minus_one);
    }
    cc_xp x = cc_x_pow(g, a, b);
    return x ? multiply_out(g, x) : NULL;
}

static cc_xp expand(cc_alg *g, cc_xp x) {
    if (!x || x->n == 0 || !cc_alg_go_on(g)) return g->err->code ? NULL : x;
    cc_xp out;
    if (cc_x_memo_find(g, CC_MEMO_EXPAND, x, NULL, &out)) return out;
    cc_xp bound = cc_x_bound(x), *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++)
        if (!(args[i] = bound && i == 1 ? bound : expand(g, x->args[i]))) return NULL;
    if (x->kind == CC_X_POW)
        out = expand_power(g, args[0], args[1]);
    else if (x->kind == CC_X_MUL) {
        out = cc_x_muln(g, args, x->n);
        out = out ? multiply_out(g, out) : NULL;
    } else {
        out = cc_x_rebuild(g, x, args);
    }
    // Multiplying out can bring up new products: sqrt(2)*sqrt(x + 1)**2
    if (out && out != x && out->kind != x->kind && (out->kind == CC_X_MUL || out->kind == CC_X_POW)) out = multiply_out(g, out);
    if (out) cc_x_memo_put(g, CC_MEMO_EXPAND, x, NULL, out);
    return out;
}

cc_xp cc_x_expand(cc_alg *g, cc_xp x) {
    if (!x || g->err->code) return NULL;
    // A second round expands what the first made of roots: (sqrt(x + 1) + 1)**2 has (x + 1)**1 as a term already in the sum.
    cc_xp once = expand(g, x);
    return once == x ? x : expand(g, once);
}
