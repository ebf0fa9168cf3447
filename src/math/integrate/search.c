// The search for an antiderivative: linearity, constant factors, the table of methods, and the check of what they return. Called by
// operations.c and by the other folders through cc_x_antiderivative. Owns nothing beyond a call. Never returns what was not checked: a
// candidate whose derivative differs from the integrand at one point is dropped.
#include <string.h>

#include "math/integrate/integrate.h"

typedef struct method {
    const char *name;
    cc_xp (*find)(cc_int *in, cc_xp f, cc_xp v);
    bool branches; // its identities hold up to signs of roots: check every candidate
} method;

// In the order of trying: what is cheap, and what gives the shortest results, first.
static const method methods[] = {
    {"rational", cc_int_rational, false},
    {"table", cc_int_table, false},
    {"exp_of_inverse", cc_int_exp_of_inverse, false},
    {"bases", cc_int_bases, false},
    {"exptrig", cc_int_exptrig, false},
    {"polyexp_early", cc_int_polyexp_early, false},
    {"dilogarithm", cc_int_dilogarithm, false},
    {"logarithm", cc_int_logarithm, false},
    {"split_logs", cc_int_split_logs, false},
    {"product_log", cc_int_product_log, false},
    {"inverse", cc_int_inverse, false},
    {"substitute", cc_int_substitute, false},
    {"conjugate_powers", cc_int_conjugate_powers, true},
    {"wave_powers", cc_int_wave_powers, true},
    {"half_angle", cc_int_half_angle, true},
    {"powers", cc_int_powers, false},
    {"elliptic_trig", cc_int_elliptic_trig, true},
    {"trig", cc_int_trig, false},
    {"phases", cc_int_phases, false},
    {"parts", cc_int_parts, false},
    {"quadratic_root", cc_int_quadratic_root, true},
    {"elliptic", cc_int_elliptic, true},
    {"roots", cc_int_roots, true},
    {"binomial", cc_int_binomial, true},
    {"gaussian", cc_int_gaussian, false},
    {"hyperbolic", cc_int_hyperbolic, false},
    {"euler", cc_int_euler, true},
    {"shift", cc_int_shift, false},
    {"power_parts", cc_int_power_parts, false},
    {"polyexp", cc_int_polyexp, false},
    {"logarithm_late", cc_int_logarithm_late, false},
    {"norman", cc_int_norman, false},
    {"growth", cc_int_growth, false},
    {"exp_of_inverse_late", cc_int_exp_of_inverse_late, false},
    {"hypergeometric", cc_int_hypergeometric, false},
    {"two_powers", cc_int_two_powers, true},
};
enum { N_METHODS = sizeof methods / sizeof *methods };

cc_xp cc_int_variable(cc_int *in, cc_xp v) {
    for (int i = 0; i < 2; i++)
        if (!in->dummy[i]) in->dummy[i] = cc_x_dummy(in->g, i ? "w" : "u", 0);
    return in->dummy[v == in->dummy[0]];
}

static size_t slot_of(cc_xp f, cc_xp v) { return (f->hash * 31u + v->serial * 7u) % CC_INT_KNOWN; }

// A candidate counts when it is one expression without unevaluated parts.
static bool is_candidate(cc_xp F) { return F && F->finite && F->size < CC_X_MAX_SIZE / 4 && !cc_x_has_fn(F, CC_F_INTEGRAL); }

// An error that ends the search. That something grew too large ends only the way on which it did.
static bool fails(cc_alg *g) {
    if (g->err->code == CC_RESOURCE_EXHAUSTED) *g->err = (cc_error){0};
    return g->err->code != CC_OK;
}

static cc_xp by_methods(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    for (size_t i = 0; i < N_METHODS && cc_alg_may_search(g); i++) {
        cc_xp F = methods[i].find(in, f, v);
        if (fails(g)) return NULL;
        if (!is_candidate(F)) continue;
        bool positive;
        if (!methods[i].branches || cc_int_agrees(g, F, f, v, &positive) == CC_TRUE) return F;
    }
    return NULL;
}

// The sum of the antiderivatives of the terms.
static cc_xp by_terms(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp sum = g->zero;
    for (uint32_t i = 0; i < f->n; i++) {
        cc_xp F = cc_int_find(in, f->args[i], v);
        if (!F) return NULL;
        sum = cc_x_add(g, sum, F);
    }
    return sum;
}

static cc_xp search(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp F = NULL;
    if (f->kind == CC_X_ADD) {
        F = cc_int_rational(in, f, v);
        if (!F && !fails(g)) F = by_terms(in, f, v);
        if (is_candidate(F)) return F;
        if (fails(g)) return NULL;
    }
    F = by_methods(in, f, v);
    if ((F && !cc_int_has_elliptic(F)) || fails(g)) return F;
    cc_xp expanded = cc_x_expand(g, f), sum = NULL;
    if (fails(g)) return NULL;
    if (expanded && expanded != f && expanded->kind == CC_X_ADD && expanded->n < 60) sum = by_terms(in, expanded, v);
    return sum && (!F || !cc_int_has_elliptic(sum)) ? sum : F;
}

cc_xp cc_int_find(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    if (!f || !v || !f->finite || f->size > CC_INT_MAX_SIZE || !cc_alg_may_search(g)) return NULL;
    if (cc_int_free(f, v)) return cc_x_mul(g, f, v);
    if (in->depth >= CC_INT_DEPTH) return NULL;
    cc_xp with, without;
    cc_x_separate_mul(g, f, v, &with, &without);
    if (without && without != g->one) {
        cc_xp F = cc_int_find(in, with, v);
        return F ? cc_x_mul(g, without, F) : NULL;
    }
    for (unsigned i = 0; i < in->depth; i++)
        if (in->open[i].f == f && in->open[i].v == v) return NULL;
    size_t s = slot_of(f, v);
    if (in->known[s].f == f && in->known[s].v == v) {
        if (in->known[s].F) return in->known[s].F;
        if (in->known[s].depth <= in->depth) return NULL; // what failed with as much depth left fails again
    }
    in->open[in->depth].f = f;
    in->open[in->depth].v = v;
    in->depth++;
    cc_xp F = search(in, f, v);
    in->depth--;
    if (fails(g)) F = NULL;
    if (g->err->code == CC_OK) {
        in->known[s].f = f;
        in->known[s].v = v;
        in->known[s].F = F;
        in->known[s].depth = in->depth;
    }
    return F;
}

// log(1/u) as -log(u), which has the same derivative, and the cut of log(u).
static cc_xp log_of_inverse(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    slong k;
    cc_xp u = cc_x_is_fun(x, CC_F_LOG) ? x->args[0] : NULL;
    if (!u || u->kind != CC_X_POW || !cc_x_fits_si(u->args[1], &k) || k >= 0) return x;
    return cc_x_neg(g, cc_x_log(g, cc_x_powi(g, u->args[0], -k)));
}

// At the top every method's candidate is checked, and the next one tried.
static cc_xp checked(cc_int *in, cc_xp F, cc_xp f, cc_xp v, cc_xp *conditional) {
    cc_alg *g = in->g;
    if (!is_candidate(F)) return NULL;
    bool positive;
    if (cc_int_agrees(g, F, f, v, &positive) != CC_TRUE) {
        cc_xp other = cc_x_has_fn(F, CC_F_LOG) ? cc_x_map(g, F, log_of_inverse, NULL) : F;
        if (other == F || !is_candidate(other) || cc_int_agrees(g, other, f, v, &positive) != CC_TRUE) return NULL;
        F = other;
    }
    if (!positive) return F;
    if (!*conditional) *conditional = F;
    return NULL;
}

static cc_xp find_checked(cc_int *in, cc_xp f, cc_xp v, cc_xp *conditional) {
    cc_alg *g = in->g;
    cc_xp F = checked(in, cc_int_find(in, f, v), f, v, conditional);
    if (F || fails(g)) return F;
    cc_xp with, without;
    cc_x_separate_mul(g, f, v, &with, &without);
    if (!with || with == g->one) return NULL;
    in->depth = 1;
    for (size_t i = 0; i < N_METHODS && !F && cc_alg_may_search(g) && !fails(g); i++) {
        F = methods[i].find(in, with, v);
        F = checked(in, F ? cc_x_mul(g, without, F) : NULL, f, v, conditional);
    }
    in->depth = 0;
    return F;
}

cc_xp cc_x_antiderivative(cc_alg *g, cc_xp f, cc_xp v, const char **graded) {
    if (!f || !v) return NULL;
    if (v->kind != CC_X_SYM) {
        cc_error_set(g->err, CC_VALIDATION, "integrate: the variable must be a symbol");
        return NULL;
    }
    if (!f->finite) return NULL;
    if (cc_x_has_fn(f, CC_F_DIRAC)) return cc_int_steps(g, f, v, graded);
    cc_int *in = cc_arena_alloc(g->arena, sizeof *in);
    in->g = g;
    cc_xp conditional = NULL;
    cc_xp F = find_checked(in, f, v, &conditional);
    if (g->err->code != CC_OK) return NULL;
    if (!F && conditional) {
        F = conditional;
        size_t n;
        const cc_xp *s = cc_x_symbols(g, f, &n);
        for (size_t i = 0; i < n; i++)
            if (s[i] != v && !(s[i]->facts & CC_IS_POSITIVE)) cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->zero, s[i]));
    }
    if (!F) return NULL;
    cc_int_state_conditions(g, F, f, v);
    if (graded) {
        cc_xp difference = cc_x_sub(g, cc_int_derivative(g, F, v), f);
        *graded = difference && difference->size < 600 && cc_x_is_zero(g, difference) == CC_TRUE ? "exact" : "cross_checked";
    }
    return F;
}
