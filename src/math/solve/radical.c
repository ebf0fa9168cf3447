// Equations with roots of expressions, and with absolute values. Roots: each becomes an unknown t with t**q = inside; eliminating these by
// resultants leaves a polynomial whose roots hold all solutions. Absolute values: every combination of signs. Called by solve.c, which
// checks each candidate in the equation as written, so that what squaring added is dropped.
#include "math/solve/solve.h"

#define MOST_RADICALS 4
#define MOST_SIGNS    6

typedef struct radicals {
    cc_xp v, of[MOST_RADICALS], t[MOST_RADICALS], inside[MOST_RADICALS];
    slong q[MOST_RADICALS];
    size_t n;
    bool failed;
} radicals;

static cc_xp name_radical(cc_alg *g, cc_xp f, void *ctx) {
    radicals *s = ctx;
    if (f->kind != CC_X_POW || !cc_x_is_num(f->args[1]) || cc_x_is_int(f->args[1])) return f;
    if (!cc_x_has(f->args[0], s->v) && !cc_x_is_num(f->args[0])) return f; // roots of numbers as well, so that no relation is left
    cc_xp e = f->args[1];
    slong p, q;
    if (!fmpz_fits_si(fmpq_numref(e->num)) || !fmpz_fits_si(fmpq_denref(e->num))) {
        s->failed = true;
        return f;
    }
    p = fmpz_get_si(fmpq_numref(e->num)), q = fmpz_get_si(fmpq_denref(e->num));
    if (q > 12 || p > 50 || p < -50) {
        s->failed = true;
        return f;
    }
    for (size_t i = 0; i < s->n; i++) // the same inside, a multiple of the index
        if (s->inside[i] == f->args[0] && s->q[i] % q == 0) return cc_x_powi(g, s->t[i], p * (s->q[i] / q));
    if (s->n == MOST_RADICALS) {
        s->failed = true;
        return f;
    }
    size_t i = s->n++;
    s->t[i] = cc_x_dummy(g, "t", 0), s->inside[i] = f->args[0], s->q[i] = q;
    return cc_x_powi(g, s->t[i], p);
}

// The resultant in t of two polynomials, over one ring of polynomials; NULL when they are none, or too large.
static cc_xp eliminate(cc_alg *g, cc_xp a, cc_xp b, cc_xp t) {
    cc_xp mark = cc_x_dummy(g, "m", 0);
    cc_xratio r;
    // a + mark*b is read once, so that both lie in one ring
    if (!cc_x_to_ratio(g, &r, cc_x_add(g, a, cc_x_mul(g, mark, b)))) return NULL;
    slong it = -1, im = -1;
    for (size_t i = 0; i < r.n_gens; i++) {
        if (r.gens[i] == t) it = (slong)i;
        if (r.gens[i] == mark) im = (slong)i;
    }
    cc_xp out = NULL;
    if (it >= 0 && im >= 0 && !r.relations && fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(r.q), r.ctx)) {
        fmpz_mpoly_t pa, pb, res;
        fmpz_mpoly_init(pa, r.ctx), fmpz_mpoly_init(pb, r.ctx), fmpz_mpoly_init(res, r.ctx);
        ulong e = 0;
        fmpz_mpoly_get_coeff_vars_ui(pa, fmpz_mpoly_q_numref(r.q), &im, &e, 1, r.ctx);
        e = 1;
        fmpz_mpoly_get_coeff_vars_ui(pb, fmpz_mpoly_q_numref(r.q), &im, &e, 1, r.ctx);
        if (fmpz_mpoly_resultant(res, pa, pb, it, r.ctx)) {
            cc_xratio image = r;
            fmpz_mpoly_q_t q;
            fmpz_mpoly_q_init(q, r.ctx);
            fmpz_mpoly_set(fmpz_mpoly_q_numref(q), res, r.ctx);
            *image.q = *q;
            out = cc_x_from_ratio(g, &image);
            fmpz_mpoly_q_clear(q, r.ctx);
        }
        fmpz_mpoly_clear(pa, r.ctx), fmpz_mpoly_clear(pb, r.ctx), fmpz_mpoly_clear(res, r.ctx);
    }
    cc_xratio_clear(&r);
    return out;
}

bool cc_solve_radical(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    radicals s = {.v = v};
    cc_xp flat = cc_x_map(g, f, name_radical, &s), num, den;
    if (!flat || s.failed || !s.n) return false;
    cc_x_fraction(g, cc_x_together(g, flat), &num, &den);
    for (size_t i = s.n; i-- > 0;) { // outermost last named: its inside may hold the others
        cc_xp inside = cc_x_map(g, s.inside[i], name_radical, &s), in_num, in_den;
        if (!inside || s.failed) return false;
        cc_x_fraction(g, cc_x_together(g, inside), &in_num, &in_den);
        cc_xp relation = cc_x_sub(g, cc_x_mul(g, in_den, cc_x_powi(g, s.t[i], s.q[i])), in_num);
        if (!cc_x_has(num, s.t[i])) continue;
        num = eliminate(g, cc_x_expand(g, num), cc_x_expand(g, relation), s.t[i]);
        if (!num || num == g->zero) return false;
    }
    if (!cc_x_has(num, v)) return true;
    cc_roots candidates;
    cc_roots_init(&candidates, g);
    if (!cc_solve_zero(g, num, v, &candidates, depth + 1) || candidates.all || candidates.set) return false;
    r->complete = r->complete && candidates.complete;
    for (size_t i = 0; i < candidates.n; i++) cc_roots_add(r, candidates.at[i], 0); // the elimination may have multiplied them
    return true;
}

// ---- absolute values ----

typedef struct signs {
    cc_xp v, of[MOST_SIGNS], with[MOST_SIGNS];
    size_t n;
    bool failed;
} signs;

static void find_signs(cc_xp f, signs *s) {
    if (!cc_x_has(f, s->v)) return;
    for (size_t i = 0; i < f->n; i++) find_signs(f->args[i], s);
    if (!cc_x_is_fun(f, CC_F_ABS) && !cc_x_is_fun(f, CC_F_SIGN)) return;
    for (size_t i = 0; i < s->n; i++)
        if (s->of[i] == f) return;
    if (s->n == MOST_SIGNS)
        s->failed = true;
    else
        s->of[s->n++] = f;
}

// Max(a, b) = (a + b + |a - b|)/2, Min with a minus.
static cc_xp by_absolute(cc_alg *g, cc_xp f, void *ctx) {
    if (!cc_x_is_fun(f, CC_F_MAX) && !cc_x_is_fun(f, CC_F_MIN)) return f;
    if (!cc_x_has(f, ctx)) return f;
    cc_xp out = f->args[0];
    for (size_t i = 1; i < f->n; i++) {
        cc_xp apart = cc_x_f1(g, CC_F_ABS, cc_x_sub(g, out, f->args[i]));
        if (f->fn == CC_F_MIN) apart = cc_x_neg(g, apart);
        out = cc_x_mul(g, g->half, cc_x_add(g, cc_x_add(g, out, f->args[i]), apart));
    }
    return out;
}

bool cc_solve_absolute(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    signs s = {.v = v};
    f = cc_x_map(g, f, by_absolute, (void *)v);
    if (!f) return false;
    find_signs(f, &s);
    if (!s.n || s.failed) return false;
    // With a complex variable |u| = c is a curve: what is found are the real solutions, and that is said.
    if (cc_x_is(g, v, CC_IS_REAL) != CC_TRUE) cc_alg_note(g, "%.*s was taken to be real", (int)v->name.n, v->name.p);
    for (unsigned mask = 0; mask < 1u << s.n; mask++) {
        cc_xp branch = f, condition = g->yes;
        for (size_t i = s.n; i-- > 0;) { // outer ones may hold inner ones: these were found first
            bool minus = mask >> i & 1;
            cc_xp inside = s.of[i]->args[0], value = cc_x_is_fun(s.of[i], CC_F_SIGN) ? (minus ? g->minus_one : g->one)
                                                     : minus                         ? cc_x_neg(g, inside)
                                                                                     : inside;
            cc_xrel zero_too = cc_x_is_fun(s.of[i], CC_F_SIGN) || minus ? CC_REL_LT : CC_REL_LE;
            condition = cc_x_and(g, condition, minus ? cc_x_rel(g, CC_REL_LT, inside, g->zero) : cc_x_rel(g, zero_too, g->zero, inside));
            branch = cc_x_subs(g, branch, s.of[i], value);
        }
        if (condition == g->no) continue;
        cc_roots part;
        cc_roots_init(&part, g);
        if (!cc_solve_zero(g, branch, v, &part, depth + 1)) return false;
        if (part.all) { // the whole region of these signs
            r->set = r->set ? cc_x_or(g, r->set, condition) : condition;
            continue;
        }
        r->complete = r->complete && part.complete;
        for (size_t i = 0; i < part.n; i++)
            if (cc_x_is(g, part.at[i], CC_IS_REAL) != CC_FALSE) cc_roots_add(r, part.at[i], 0);
    }
    // sign(u) = 0 where u = 0
    for (size_t i = 0; i < s.n; i++) {
        if (!cc_x_is_fun(s.of[i], CC_F_SIGN)) continue;
        cc_roots part;
        cc_roots_init(&part, g);
        if (!cc_solve_zero(g, s.of[i]->args[0], v, &part, depth + 1)) return false;
        for (size_t j = 0; j < part.n; j++) cc_roots_add(r, part.at[j], 0);
    }
    return true;
}
