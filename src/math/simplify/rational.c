// Forms of rational expressions: over one denominator, cancelled, factored, in partial fractions, collected. Called by simplify.c, by the
// folders beside and by the operations of the tool. Each result equals the input wherever that is defined; what is no rational expression,
// or too large, comes back as it is.
#include "math/simplify/forms.h"
#include "math/simplify/ratio.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/gr.h>
#include <flint/gr_poly.h>

#define MAX_DENSE    1000 // degree of a polynomial with a place for each power
#define SPARSE_TERMS 64
#define SPARSE_VARS  5
#define MAX_APART    40 // degree of the denominator * symbols

// ---- factors of a polynomial over the generators ----

// Of a polynomial in one generator alone, which has an algorithm of its own.
static cc_xp factored_in_one(cc_alg *g, const fmpz_mpoly_t p, slong var, const cc_xratio *r) {
    fmpz_poly_t q;
    fmpz_poly_factor_t f;
    fmpq_poly_t base;
    fmpz_poly_init(q);
    fmpz_poly_factor_init(f);
    fmpq_poly_init(base);
    fmpz_mpoly_get_fmpz_poly(q, p, var, r->ctx);
    fmpz_poly_factor(f, q);
    cc_xp *factors = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)f->num + 1);
    factors[0] = cc_x_fmpz(g, &f->c);
    for (slong i = 0; i < f->num; i++) {
        fmpq_poly_set_fmpz_poly(base, f->p + i);
        factors[i + 1] = cc_x_powi(g, cc_x_from_fmpq_poly(g, base, r->gens[var]), f->exp[i]);
    }
    cc_xp out = cc_x_muln(g, factors, (size_t)f->num + 1);
    fmpz_poly_clear(q);
    fmpz_poly_factor_clear(f);
    fmpq_poly_clear(base);
    return out;
}

// Few terms in few variables are factored by sparse interpolation (Zippel 1979), which gives up where it does not apply: one and a half
// times as fast there as what FLINT tries first. The factors are multiplied out again.
static bool factor_several(fmpz_mpoly_factor_t f, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx) {
    slong vars = 0;
    for (slong i = 0; i < fmpz_mpoly_ctx_nvars(ctx); i++) vars += fmpz_mpoly_degree_si(p, i, ctx) != 0;
    bool few = vars >= 3 && vars <= SPARSE_VARS && fmpz_mpoly_length(p, ctx) <= SPARSE_TERMS;
    if (!(few && fmpz_mpoly_factor_zippel(f, p, ctx)) && !fmpz_mpoly_factor(f, p, ctx)) return false;
    fmpz_mpoly_t product;
    fmpz_mpoly_init(product, ctx);
    bool same = fmpz_mpoly_factor_expand(product, f, ctx) && fmpz_mpoly_equal(product, p, ctx);
    fmpz_mpoly_clear(product, ctx);
    return same;
}

cc_xp cc_ratio_factored(cc_alg *g, const cc_xratio *r, const fmpz_mpoly_t p) {
    if (fmpz_mpoly_is_fmpz(p, r->ctx)) return cc_ratio_poly(g, r, p, NULL);
    for (size_t i = 0; i < r->n_gens; i++)
        if (fmpz_mpoly_is_fmpz_poly(p, (slong)i, r->ctx) && fmpz_mpoly_degree_si(p, (slong)i, r->ctx) <= MAX_DENSE)
            return factored_in_one(g, p, (slong)i, r);
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, r->ctx);
    cc_xp out = NULL;
    if (factor_several(f, p, r->ctx)) {
        slong n = fmpz_mpoly_factor_length(f, r->ctx);
        cc_xp *factors = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)n + 1);
        fmpz_t c;
        fmpz_init(c);
        fmpz_mpoly_t base;
        fmpz_mpoly_init(base, r->ctx);
        fmpz_mpoly_factor_get_constant_fmpz(c, f, r->ctx);
        factors[0] = cc_x_fmpz(g, c);
        for (slong i = 0; i < n; i++) {
            fmpz_mpoly_factor_get_base(base, f, i, r->ctx);
            factors[i + 1] = cc_x_powi(g, cc_ratio_poly(g, r, base, NULL), fmpz_mpoly_factor_get_exp_si(f, i, r->ctx));
        }
        out = cc_x_muln(g, factors, (size_t)n + 1);
        fmpz_mpoly_clear(base, r->ctx);
        fmpz_clear(c);
    } else {
        out = cc_ratio_poly(g, r, p, NULL);
    }
    fmpz_mpoly_factor_clear(f, r->ctx);
    return out;
}

// Applies f to lists, relations and the like inside; *out is then the result.
static bool inside(cc_alg *g, cc_xp x, cc_xp (*f)(cc_alg *, cc_xp), cc_xp *out) {
    if (x->kind < CC_X_REL) return false;
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++) args[i] = f(g, x->args[i]);
    *out = cc_x_rebuild(g, x, args);
    return true;
}

static cc_xp kept(cc_alg *g, cc_xp form, cc_xp x) {
    cc_forms_recover(g);
    return g->err->code != CC_OK ? NULL : form ? form : x;
}

cc_xp cc_x_together(cc_alg *g, cc_xp x) {
    cc_xp out = NULL;
    cc_xratio r;
    if (!x || inside(g, x, cc_x_together, &out)) return out;
    if (cc_ratio_make(g, &r, x, CC_FORM_KEEP)) {
        out = cc_x_div(g, cc_ratio_poly(g, &r, fmpz_mpoly_q_numref(r.q), NULL), cc_ratio_factored(g, &r, fmpz_mpoly_q_denref(r.q)));
        cc_xratio_clear(&r);
    }
    return kept(g, out, x);
}

cc_xp cc_x_cancel(cc_alg *g, cc_xp x) {
    cc_xp out = NULL;
    if (!x || inside(g, x, cc_x_cancel, &out)) return out;
    out = cc_ratio_form(g, x, CC_FORM_KEEP);
    cc_xratio r;
    if (out && cc_ratio_make(g, &r, x, CC_FORM_KEEP)) {
        // common factors over the roots show when the denominator is free of them: (x**2 - 2)/(x - sqrt(2))
        if (r.relations && !fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(r.q), r.ctx) && cc_ratio_rationalize(g, &r)) {
            cc_xp other = cc_x_from_ratio(g, &r);
            if (other && cc_x_cost(other) < cc_x_cost(out)) out = other;
        }
        cc_xratio_clear(&r);
    }
    return kept(g, out, x);
}

cc_xp cc_x_factor(cc_alg *g, cc_xp x) {
    cc_xp out = NULL;
    cc_xratio r;
    if (!x || inside(g, x, cc_x_factor, &out)) return out;
    if (cc_x_memo_find(g, CC_MEMO_FACTOR, x, NULL, &out)) return out;
    if (cc_ratio_make(g, &r, x, CC_FORM_KEEP)) {
        out = cc_ratio_over_root(g, &r);
        if (!out) out = cc_x_div(g, cc_ratio_factored(g, &r, fmpz_mpoly_q_numref(r.q)), cc_ratio_factored(g, &r, fmpz_mpoly_q_denref(r.q)));
        cc_xratio_clear(&r);
    }
    out = kept(g, out, x);
    if (out) cc_x_memo_put(g, CC_MEMO_FACTOR, x, NULL, out);
    return out;
}

// ---- partial fractions ----

// Coefficients of polynomials in the variable are rational functions of the other generators.
typedef struct field {
    cc_alg *g;
    const cc_xratio *r;
    slong v; // the generator that is the variable
    gr_ctx_t k;
    int status;
} field;

static void to_gr_poly(field *f, gr_poly_t out, const fmpz_mpoly_t p) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, f->r->ctx);
    fmpz_mpoly_to_univar(u, p, f->v, f->r->ctx);
    fmpz_mpoly_q_t c;
    fmpz_mpoly_q_init(c, f->r->ctx);
    f->status |= gr_poly_zero(out, f->k);
    for (slong i = 0; i < fmpz_mpoly_univar_length(u, f->r->ctx); i++) {
        fmpz_mpoly_q_one(c, f->r->ctx);
        fmpz_mpoly_univar_swap_term_coeff(fmpz_mpoly_q_numref(c), u, i, f->r->ctx);
        f->status |= gr_poly_set_coeff_scalar(out, fmpz_mpoly_univar_get_term_exp_si(u, i, f->r->ctx), c, f->k);
    }
    fmpz_mpoly_q_clear(c, f->r->ctx);
    fmpz_mpoly_univar_clear(u, f->r->ctx);
}

// p as one fraction over a denominator free of the variable.
static void from_gr_poly(field *f, fmpz_mpoly_q_t out, const gr_poly_t p) {
    const fmpz_mpoly_ctx_struct *ctx = f->r->ctx;
    fmpz_mpoly_q_t power, t;
    fmpz_mpoly_q_init(power, ctx);
    fmpz_mpoly_q_init(t, ctx);
    fmpz_mpoly_q_zero(out, ctx);
    for (slong i = gr_poly_length(p, f->k) - 1; i >= 0; i--) {
        fmpz_mpoly_q_gen(power, f->v, ctx);
        fmpz_mpoly_q_mul(out, out, power, ctx);
        fmpz_mpoly_q_add(out, out, (const fmpz_mpoly_q_struct *)gr_poly_coeff_srcptr(p, i, f->k), ctx);
    }
    fmpz_mpoly_q_clear(power, ctx);
    fmpz_mpoly_q_clear(t, ctx);
}

static cc_xp show_gr_poly(field *f, const gr_poly_t p, bool factored) {
    cc_xratio r = *f->r;
    fmpz_mpoly_q_init(r.q, r.ctx);
    from_gr_poly(f, r.q, p);
    cc_xp out = factored ? cc_x_div(f->g, cc_ratio_poly(f->g, &r, fmpz_mpoly_q_numref(r.q), NULL),
                                    cc_ratio_factored(f->g, &r, fmpz_mpoly_q_denref(r.q)))
                         : cc_x_from_ratio(f->g, &r);
    fmpz_mpoly_q_clear(r.q, r.ctx);
    return out;
}

// Appends the terms rest/base + … + rest/base**e of part / base**e.
static size_t power_terms(field *f, cc_xp *terms, size_t n, gr_poly_t part, const gr_poly_t base, cc_xp base_x, slong e) {
    gr_poly_t q, rest;
    gr_poly_init(q, f->k);
    gr_poly_init(rest, f->k);
    for (slong j = e; j > 0 && f->status == GR_SUCCESS; j--) {
        f->status |= gr_poly_divrem(q, rest, part, base, f->k);
        if (gr_poly_length(rest, f->k) > 0) terms[n++] = cc_x_mul(f->g, show_gr_poly(f, rest, true), cc_x_powi(f->g, base_x, -j));
        gr_poly_swap(part, q, f->k);
    }
    gr_poly_clear(q, f->k);
    gr_poly_clear(rest, f->k);
    return n;
}

// The fraction of r in partial fractions: a polynomial and, for each irreducible factor of the denominator, what belongs to its powers.
static cc_xp partial_fractions(field *f) {
    const cc_xratio *r = f->r;
    cc_alg *g = f->g;
    fmpz_mpoly_factor_t fac;
    fmpz_mpoly_factor_init(fac, r->ctx);
    if (!fmpz_mpoly_factor(fac, fmpz_mpoly_q_denref(r->q), r->ctx)) {
        fmpz_mpoly_factor_clear(fac, r->ctx);
        return NULL;
    }
    gr_poly_t num, den, q, rest, base, power, other, s, t, unit;
    gr_poly_struct *all[] = {num, den, q, rest, base, power, other, s, t, unit};
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) gr_poly_init(all[i], f->k);
    slong n = fmpz_mpoly_factor_length(fac, r->ctx), total = 1;
    for (slong i = 0; i < n; i++) total += fmpz_mpoly_factor_get_exp_si(fac, i, r->ctx);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)total);
    size_t k = 0;
    to_gr_poly(f, num, fmpz_mpoly_q_numref(r->q));
    to_gr_poly(f, den, fmpz_mpoly_q_denref(r->q));
    f->status |= gr_poly_divrem(q, rest, num, den, f->k);
    if (gr_poly_length(q, f->k) > 0) terms[k++] = show_gr_poly(f, q, false);
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, r->ctx);
    for (slong i = 0; i < n && f->status == GR_SUCCESS && cc_alg_go_on(g); i++) {
        slong e = fmpz_mpoly_factor_get_exp_si(fac, i, r->ctx);
        fmpz_mpoly_factor_get_base(p, fac, i, r->ctx);
        if (fmpz_mpoly_degree_si(p, f->v, r->ctx) < 1) continue;
        to_gr_poly(f, base, p);
        f->status |= gr_poly_pow_ui(power, base, (ulong)e, f->k);
        f->status |= gr_poly_divrem(other, t, den, power, f->k);
        if (f->status == GR_SUCCESS && gr_poly_length(other, f->k) > 1)
            f->status |= gr_poly_xgcd(unit, s, t, other, power, f->k); // unit = s*other + t*power
        else if (f->status == GR_SUCCESS)
            f->status |= gr_poly_set(unit, other, f->k), f->status |= gr_poly_one(s, f->k);
        if (f->status != GR_SUCCESS || gr_poly_length(unit, f->k) != 1) {
            f->status |= GR_UNABLE;
            break;
        }
        f->status |= gr_poly_mul(s, s, rest, f->k);
        f->status |= gr_poly_div_scalar(s, s, gr_poly_coeff_srcptr(unit, 0, f->k), f->k);
        f->status |= gr_poly_divrem(t, s, s, power, f->k);
        k = power_terms(f, terms, k, s, base, cc_ratio_poly(g, r, p, NULL), e);
    }
    fmpz_mpoly_clear(p, r->ctx);
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) gr_poly_clear(all[i], f->k);
    fmpz_mpoly_factor_clear(fac, r->ctx);
    return f->status == GR_SUCCESS && cc_alg_go_on(g) ? cc_x_addn(g, terms, k) : NULL;
}

cc_xp cc_x_apart(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xratio r;
    if (!x || !v) return NULL;
    cc_xp out = NULL;
    if (cc_ratio_make(g, &r, x, CC_FORM_KEEP)) {
        field f = {.g = g, .r = &r, .v = -1, .status = GR_SUCCESS};
        bool alone = true; // the variable occurs in no other generator
        for (size_t i = 0; i < r.n_gens; i++) {
            if (r.gens[i] == v)
                f.v = (slong)i;
            else
                alone &= !cc_x_has(r.gens[i], v);
        }
        slong degree = f.v >= 0 ? fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(r.q), f.v, r.ctx) : 0;
        bool small = r.n_gens <= 2 || degree * (slong)r.n_gens <= MAX_APART; // Euclid's algorithm over many symbols explodes
        if (alone && degree > 0 && small) {
            gr_ctx_init_fmpz_mpoly_q(f.k, (slong)r.n_gens, ORD_LEX);
            out = partial_fractions(&f);
            gr_ctx_clear(f.k);
        }
        cc_xratio_clear(&r);
    }
    // generators that are roots were taken as independent: what came out may have a denominator that is zero
    if (out && !out->finite) out = NULL;
    return kept(g, out, x);
}

// ---- roots in denominators ----

// 1/p for a polynomial in the root gens[rule.gen], by Euclid's algorithm with the root's polynomial. False when p has no inverse.
static bool invert_modulo(cc_alg *g, const cc_xratio *r, fmpz_mpoly_q_t out, const fmpz_mpoly_t p, const cc_xrule *rule) {
    field f = {.g = g, .r = r, .v = rule->gen, .status = GR_SUCCESS};
    gr_ctx_init_fmpz_mpoly_q(f.k, (slong)r->n_gens, ORD_LEX);
    gr_poly_t a, m, unit, s, t;
    gr_poly_struct *all[] = {a, m, unit, s, t};
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) gr_poly_init(all[i], f.k);
    to_gr_poly(&f, a, p);
    to_gr_poly(&f, m, fmpz_mpoly_q_numref(rule->value)); // the value may contain the root itself (roots of unity)
    f.status |= gr_poly_neg(m, m, f.k);
    fmpz_mpoly_q_t lead;
    fmpz_mpoly_q_init(lead, r->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(lead), fmpz_mpoly_q_denref(rule->value), r->ctx);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(lead), r->ctx);
    f.status |= gr_poly_set_coeff_scalar(m, rule->degree, lead, f.k);
    fmpz_mpoly_q_clear(lead, r->ctx);
    if (f.status == GR_SUCCESS) f.status |= gr_poly_xgcd(unit, s, t, a, m, f.k);
    bool ok = f.status == GR_SUCCESS && gr_poly_length(unit, f.k) == 1;
    if (ok) {
        ok = gr_poly_div_scalar(s, s, gr_poly_coeff_srcptr(unit, 0, f.k), f.k) == GR_SUCCESS;
        from_gr_poly(&f, out, s);
    }
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) gr_poly_clear(all[i], f.k);
    gr_ctx_clear(f.k);
    return ok;
}

// r->q = numerator * (1/denominator modulo the rule).
static bool rationalize_one(cc_alg *g, cc_xratio *r, const cc_xrule *rule) {
    fmpz_mpoly_q_t inverse, num;
    fmpz_mpoly_q_init(inverse, r->ctx);
    fmpz_mpoly_q_init(num, r->ctx);
    fmpz_mpoly_q_swap(num, r->q, r->ctx);
    bool ok = invert_modulo(g, r, inverse, fmpz_mpoly_q_denref(num), rule);
    if (ok) {
        fmpz_mpoly_one(fmpz_mpoly_q_denref(num), r->ctx);
        fmpz_mpoly_q_mul(r->q, num, inverse, r->ctx);
        ok = cc_xratio_reduce(g, r);
    }
    fmpz_mpoly_q_clear(inverse, r->ctx);
    fmpz_mpoly_q_clear(num, r->ctx);
    return ok;
}

bool cc_ratio_rationalize(cc_alg *g, cc_xratio *r) {
    for (size_t i = r->n_rules; i-- > 0;) {
        const cc_xrule *rule = &r->rules[i];
        if (!cc_x_is_kind(r->gens[rule->gen], CC_X_POW) && !cc_x_is_const(r->gens[rule->gen], CC_K_I)) continue;
        if (fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(r->q), rule->gen, r->ctx) < 1) continue;
        if (rule->degree > 12 || fmpz_mpoly_length(fmpz_mpoly_q_denref(r->q), r->ctx) > 60 || !rationalize_one(g, r, rule)) return false;
    }
    return true;
}

cc_xp cc_x_radsimp(cc_alg *g, cc_xp x) {
    cc_xratio r;
    cc_xp out = NULL;
    if (!x || inside(g, x, cc_x_radsimp, &out)) return out;
    if (cc_ratio_make(g, &r, x, CC_FORM_KEEP)) {
        if (r.relations && cc_ratio_rationalize(g, &r)) out = cc_x_from_ratio(g, &r);
        cc_xratio_clear(&r);
    }
    return kept(g, out, x);
}

// ---- collecting ----

cc_xp cc_x_collect(cc_alg *g, cc_xp x, cc_xp v) {
    if (!x || !v) return NULL;
    cc_xp e = cc_x_expand(g, x);
    if (!e) return NULL;
    size_t n, groups = 0;
    const cc_xp *t = cc_x_terms(&e, &n);
    cc_xp *with = CC_ARENA_ARRAY(g->arena, cc_xp, n), *without = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t i = 0; i < n; i++) {
        cc_xp w, rest;
        cc_x_separate_mul(g, t[i], v, &w, &rest);
        size_t k = 0;
        while (k < groups && with[k] != w) k++;
        without[k] = k == groups ? rest : cc_x_add(g, without[k], rest);
        with[k] = w;
        groups += k == groups;
        if (!cc_alg_go_on(g)) return NULL;
    }
    for (size_t i = 0; i < groups; i++) with[i] = cc_x_mul(g, with[i], without[i]);
    return cc_x_addn(g, with, groups);
}
