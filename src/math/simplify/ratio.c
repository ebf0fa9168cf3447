// Rational functions of generators: making them from expressions and the way back. Called by everything in this folder, and through expr.h
// by the folders beside. A cc_xratio owns its FLINT objects until cc_xratio_clear; relations between generators that are not seen cost
// completeness only: what reduces to zero is zero.
#include "math/simplify/ratio.h"

#include <flint/fmpz_poly.h>

#include "math/simplify/forms.h"

#define MAX_CYCLOTOMIC 60

// ---- relations ----

static cc_xrule *new_rule(cc_builder *b, slong gen, slong degree) {
    cc_xrule *r = &b->rules[b->n_rules];
    r->gen = gen;
    r->degree = degree;
    fmpz_mpoly_q_init(r->value, b->ctx);
    return r; // becomes valid by b->n_rules++
}

// gens[gen] is a root of p.
static void root_of(cc_builder *b, slong gen, const fmpq_poly_t p) {
    slong d = fmpq_poly_degree(p);
    if (d < 1) return;
    cc_xrule *r = new_rule(b, gen, d);
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, b->ctx);
    fmpq_t c, lead;
    fmpq_init(c);
    fmpq_init(lead);
    fmpq_poly_get_coeff_fmpq(lead, p, d);
    for (slong i = 0; i < d; i++) {
        fmpz k = i;
        fmpq_poly_get_coeff_fmpq(c, p, i);
        if (fmpq_is_zero(c)) continue;
        fmpq_div(c, c, lead);
        fmpq_neg(c, c);
        cc_ratio_gen_power(b, t, gen, &k);
        fmpz_mpoly_q_mul_fmpq(t, t, c, b->ctx);
        fmpz_mpoly_q_add(r->value, r->value, t, b->ctx);
    }
    fmpq_clear(c);
    fmpq_clear(lead);
    fmpz_mpoly_q_clear(t, b->ctx);
    b->n_rules++;
}

static void rule_of_root(cc_builder *b, const cc_atom *a) {
    slong degree = fmpz_get_si(fmpq_denref(a->step));
    if (degree > 1000) {
        b->failed = true;
        return;
    }
    if (cc_x_is_num(a->base) && cc_x_num_sign(a->base) < 0) { // a root of -1
        if (degree > MAX_CYCLOTOMIC) return;
        fmpz_poly_t z;
        fmpq_poly_t q;
        fmpz_poly_init(z);
        fmpq_poly_init(q);
        fmpz_poly_cyclotomic(z, 2 * (ulong)degree);
        fmpq_poly_set_fmpz_poly(q, z);
        root_of(b, a->gen, q);
        fmpz_poly_clear(z);
        fmpq_poly_clear(q);
        return;
    }
    cc_xrule *r = new_rule(b, a->gen, degree);
    cc_ratio_convert(b, r->value, a->base);
    b->n_rules++;
}

static void rule_of_power(cc_builder *b, const cc_atom *a) {
    cc_alg *g = b->g;
    if (a->mono) {
        if (cc_x_is_num(a->base) && cc_x_num_sign(a->base) < 0 &&
            cc_x_is(g, cc_x_mul(g, cc_x_num(g, a->step), a->mono), CC_IS_INTEGER) == CC_TRUE) { // (-1)**n
            cc_xrule *r = new_rule(b, a->gen, 2);
            fmpz_mpoly_q_one(r->value, b->ctx);
            b->n_rules++;
        }
        return;
    }
    cc_xp real = cc_ratio_real_abs(g, a->base);
    if (real && fmpz_is_one(fmpq_numref(a->step)) && fmpz_cmp_si(fmpq_denref(a->step), 100) < 0) {
        fmpz two = 2;
        cc_xrule *r = new_rule(b, a->gen, 2 * fmpz_get_si(fmpq_denref(a->step)));
        cc_ratio_convert(b, r->value, real);
        cc_ratio_pow(b, r->value, r->value, &two);
        b->n_rules++;
    } else if (cc_x_is_fun(a->base, CC_F_CROOTOF) && fmpq_is_one(a->step)) {
        fmpq_poly_t p;
        fmpq_poly_init(p);
        if (cc_x_to_fmpq_poly(g, p, a->base->args[0], a->base->args[1])) root_of(b, a->gen, p);
        fmpq_poly_clear(p);
    }
}

// sin**2 = 1 - cos**2, sinh**2 = cosh**2 - 1, or the other way round.
static void rule_of_angle(cc_builder *b, const cc_atom *a) {
    if (!a->sine) return;
    bool hyper = a->kind == CC_ATOM_HYPER, cosine = (b->form & CC_FORM_COS_FIRST) != 0;
    slong replaced = cosine ? a->gen : a->gen + 1, other = cosine ? a->gen + 1 : a->gen;
    cc_xrule *r = new_rule(b, replaced, 2);
    fmpz two = 2;
    cc_ratio_gen_power(b, r->value, other, &two);
    if (!hyper || !cosine) fmpz_mpoly_q_sub_si(r->value, r->value, 1, b->ctx);
    if (!hyper) fmpz_mpoly_q_neg(r->value, r->value, b->ctx);
    if (hyper && cosine) fmpz_mpoly_q_add_si(r->value, r->value, 1, b->ctx);
    b->n_rules++;
}

static void make_rules(cc_builder *b) {
    if (b->form & CC_FORM_FREE) return;
    for (size_t i = 0; i < b->n_atoms && !b->failed; i++) {
        switch (b->atoms[i].kind) {
        case CC_ATOM_POWER: rule_of_power(b, &b->atoms[i]); break;
        case CC_ATOM_ROOT: rule_of_root(b, &b->atoms[i]); break;
        case CC_ATOM_TRIG:
        case CC_ATOM_HYPER: rule_of_angle(b, &b->atoms[i]); break;
        case CC_ATOM_GAMMA: break;
        }
    }
}

// ---- generators ----

static size_t name_atom(cc_alg *g, cc_atom *a, cc_xp *gens, size_t n) {
    cc_xp step = cc_x_num(g, a->step);
    a->gen = (slong)n;
    switch (a->kind) {
    case CC_ATOM_POWER:
    case CC_ATOM_ROOT: gens[n++] = cc_x_pow(g, a->base, a->mono ? cc_x_mul(g, step, a->mono) : step); break;
    case CC_ATOM_TRIG:
    case CC_ATOM_HYPER: {
        cc_xp angle = cc_x_mul(g, step, a->base);
        bool hyper = a->kind == CC_ATOM_HYPER;
        if (a->sine) {
            gens[n++] = cc_x_f1(g, hyper ? CC_F_COSH : CC_F_COS, angle);
            gens[n++] = cc_x_f1(g, hyper ? CC_F_SINH : CC_F_SIN, angle);
        } else {
            gens[n++] = cc_x_f1(g, hyper ? CC_F_TANH : CC_F_TAN, angle);
        }
        break;
    }
    case CC_ATOM_GAMMA: {
        cc_xp x = cc_x_add(g, a->base, cc_x_int(g, a->other ? a->low : a->low - 1));
        gens[n++] = cc_x_f1(g, a->other ? CC_F_GAMMA : CC_F_FACTORIAL, x);
        break;
    }
    }
    return n;
}

// Symbols come first, in their order: the leading terms of polynomials are then those that are written first.
static size_t name_generators(cc_builder *b, cc_xp *gens) {
    size_t n = 0, symbols = 0;
    cc_atom **first = CC_ARENA_ARRAY(b->g->arena, cc_atom *, b->n_atoms + 1);
    for (size_t i = 0; i < b->n_atoms; i++) {
        cc_atom *a = &b->atoms[i];
        if (a->kind != CC_ATOM_POWER || a->mono || a->base->kind != CC_X_SYM) continue;
        size_t k = symbols++;
        for (; k > 0 && cc_x_compare(a->base, first[k - 1]->base) < 0; k--) first[k] = first[k - 1];
        first[k] = a;
    }
    for (size_t i = 0; i < symbols; i++) n = name_atom(b->g, first[i], gens, n);
    for (size_t i = 0; i < b->n_atoms; i++) {
        cc_atom *a = &b->atoms[i];
        if (a->kind != CC_ATOM_POWER || a->mono || a->base->kind != CC_X_SYM) n = name_atom(b->g, a, gens, n);
    }
    return n;
}

void cc_forms_recover(cc_alg *g) {
    if (g->err->code == CC_RESOURCE_EXHAUSTED) *g->err = (cc_error){0};
}

// A context in lexicographic order is a table of numbers, owns no memory and takes longer to fill than small polynomials to compute with:
// those of few variables are kept and copied.
static void context(fmpz_mpoly_ctx_t ctx, slong n) {
    enum { KEPT = 16 };
    static fmpz_mpoly_ctx_struct kept[KEPT];
    static bool made[KEPT];
    if (n >= KEPT) {
        fmpz_mpoly_ctx_init(ctx, n, ORD_LEX);
        return;
    }
    if (!made[n]) fmpz_mpoly_ctx_init(&kept[n], n, ORD_LEX), made[n] = true;
    *ctx = kept[n];
}

bool cc_ratio_make(cc_alg *g, cc_xratio *out, cc_xp x, unsigned form) {
    *out = (cc_xratio){0};
    if (!x || !x->finite || g->err->code != CC_OK || g->depth_guard > 40) return false;
    g->depth_guard++;
    fmpz_mpoly_ctx_t none;
    context(none, 0);
    cc_builder b = {.g = g, .form = form, .scanning = true, .ctx = none};
    b.atoms = CC_ARENA_ARRAY(g->arena, cc_atom, CC_RATIO_MAX_ATOMS);
    fmpz_mpoly_q_t scanned;
    fmpz_mpoly_q_init(scanned, none);
    cc_ratio_convert(&b, scanned, x);
    fmpz_mpoly_q_clear(scanned, none);
    fmpz_mpoly_ctx_clear(none);
    bool ok = !b.failed && g->err->code == CC_OK;
    if (ok) {
        out->gens = CC_ARENA_ARRAY(g->arena, cc_xp, 2 * b.n_atoms + 1);
        out->n_gens = name_generators(&b, out->gens);
        context(out->ctx, (slong)out->n_gens);
        fmpz_mpoly_q_init(out->q, out->ctx);
        b.scanning = false;
        b.ctx = out->ctx;
        b.rules = out->rules = CC_ARENA_ARRAY(g->arena, cc_xrule, b.n_atoms + 1);
        make_rules(&b);
        out->n_rules = b.n_rules;
        if (!b.failed) cc_ratio_convert(&b, out->q, x);
        ok = !b.failed && g->err->code == CC_OK;
        out->relations = b.n_rules > 0;
        if (!ok) cc_xratio_clear(out);
    }
    for (size_t i = 0; i < b.n_atoms; i++) fmpq_clear(b.atoms[i].step);
    g->depth_guard--;
    cc_forms_recover(g);
    return ok;
}

void cc_xratio_clear(cc_xratio *r) {
    if (!r->gens) return;
    for (size_t i = 0; i < r->n_rules; i++) fmpz_mpoly_q_clear(r->rules[i].value, r->ctx);
    fmpz_mpoly_q_clear(r->q, r->ctx);
    fmpz_mpoly_ctx_clear(r->ctx);
    *r = (cc_xratio){0};
}

bool cc_x_to_ratio(cc_alg *g, cc_xratio *out, cc_xp x) { return cc_ratio_make(g, out, x, 0); }

bool cc_xratio_reduce(cc_alg *g, cc_xratio *r) {
    cc_builder b = {.g = g, .ctx = r->ctx, .rules = r->rules, .n_rules = r->n_rules};
    cc_ratio_reduce(&b, r->q);
    return !b.failed;
}

// ---- the way back ----

cc_xp cc_ratio_poly(cc_alg *g, const cc_xratio *r, const fmpz_mpoly_t p, const fmpz_t over) {
    slong n = fmpz_mpoly_length(p, r->ctx);
    if (n == 0) return cc_x_int(g, 0);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)n), *factors = CC_ARENA_ARRAY(g->arena, cc_xp, r->n_gens + 1);
    slong *exps = CC_ARENA_ARRAY(g->arena, slong, r->n_gens + 1);
    fmpq_t c;
    fmpq_init(c);
    bool ok = true;
    for (slong i = 0; i < n && ok; i++) {
        if (!cc_alg_go_on(g) || !fmpz_mpoly_term_exp_fits_si(p, i, r->ctx)) {
            ok = false;
            break;
        }
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), p, i, r->ctx);
        if (over)
            fmpz_set(fmpq_denref(c), over);
        else
            fmpz_one(fmpq_denref(c));
        fmpq_canonicalise(c);
        fmpz_mpoly_get_term_exp_si(exps, p, i, r->ctx);
        size_t k = 0;
        factors[k++] = cc_x_num(g, c);
        for (size_t j = 0; j < r->n_gens; j++)
            if (exps[j]) factors[k++] = exps[j] == 1 ? r->gens[j] : cc_x_powi(g, r->gens[j], exps[j]);
        terms[i] = cc_x_muln(g, factors, k);
        ok = terms[i] != NULL;
    }
    fmpq_clear(c);
    return ok ? cc_x_addn(g, terms, (size_t)n) : NULL;
}

cc_xp cc_x_from_ratio(cc_alg *g, const cc_xratio *r) {
    const fmpz_mpoly_struct *num = fmpz_mpoly_q_numref(r->q), *den = fmpz_mpoly_q_denref(r->q);
    if (!fmpz_mpoly_is_fmpz(den, r->ctx)) return cc_x_div(g, cc_ratio_poly(g, r, num, NULL), cc_ratio_poly(g, r, den, NULL));
    fmpz_t d;
    fmpz_init(d);
    fmpz_mpoly_get_fmpz(d, den, r->ctx);
    cc_xp x = cc_ratio_poly(g, r, num, d);
    fmpz_clear(d);
    return x;
}

// Sums of numbers, symbols and their products: in any form already.
static bool is_simple(cc_xp x) {
    if (x->kind == CC_X_NUM || x->kind == CC_X_SYM) return true;
    if (x->kind == CC_X_MUL) {
        for (uint32_t i = 0; i < x->n; i++)
            if (x->args[i]->kind != CC_X_NUM && x->args[i]->kind != CC_X_SYM) return false;
        return true;
    }
    if (x->kind != CC_X_ADD) return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->args[i]->kind == CC_X_ADD || !is_simple(x->args[i])) return false;
    return true;
}

cc_xp cc_ratio_form(cc_alg *g, cc_xp x, unsigned form) {
    if (!x || is_simple(x)) return x;
    cc_xp out = NULL;
    if (cc_x_memo_find(g, CC_MEMO_FORMS + form, x, NULL, &out)) return out;
    cc_xratio r;
    if (cc_ratio_make(g, &r, x, form)) {
        out = cc_x_from_ratio(g, &r);
        cc_xratio_clear(&r);
    }
    cc_forms_recover(g);
    if (g->err->code == CC_OK) cc_x_memo_put(g, CC_MEMO_FORMS + form, x, NULL, out);
    return out;
}
