// Functions that complete each other: erf and erfc, asin and acos, the two incomplete gammas, gamma(x) and gamma(1 - x). Called by
// simplify.c, which compares the forms, and by the zero test. Each rewriting holds for all complex numbers where both sides have a value;
// that of acot for a known sign only. It owns nothing.
#include "math/simplify/forms.h"

#define MOST_ARGUMENTS 32

typedef struct complements {
    bool back;                 // erf by erfc instead of erfc by erf
    cc_xp at[MOST_ARGUMENTS];  // arguments of gamma, as gamma(at)
    cc_xp psi[MOST_ARGUMENTS]; // of digamma
    size_t n, n_psi;
} complements;

static const struct {
    cc_xfn fn, other;
    bool quarter; // fn + other is pi/2, else 1
} pairs[] = {{CC_F_ERFC, CC_F_ERF, false}, {CC_F_ACOS, CC_F_ASIN, true}, {CC_F_ASEC, CC_F_ACSC, true}};

// x is such a function.
static bool has_complement(cc_xp x) {
    if (x->kind != CC_X_FUN) return false;
    for (size_t i = 0; i < CC_ARRAY_LEN(pairs); i++)
        if (x->fn == pairs[i].fn || x->fn == pairs[i].other) return true;
    switch (x->fn) {
    case CC_F_UPPERGAMMA:
    case CC_F_LOWERGAMMA:
    case CC_F_GAMMA:
    case CC_F_FACTORIAL:
    case CC_F_DIGAMMA:
    case CC_F_ACOT:
    case CC_F_HEAVISIDE: return true;
    case CC_F_ATAN: return cc_x_is_kind(x->args[0], CC_X_POW) || cc_x_is_kind(x->args[0], CC_X_MUL);
    default: return false;
    }
}

static void put(cc_xp *list, size_t *n, cc_xp x) {
    for (size_t i = 0; i < *n; i++)
        if (list[i] == x) return;
    if (x && *n < MOST_ARGUMENTS) list[(*n)++] = x;
}

static void gather(cc_alg *g, complements *c, cc_xp x) {
    if (cc_x_is_fun(x, CC_F_GAMMA)) put(c->at, &c->n, x->args[0]);
    if (cc_x_is_fun(x, CC_F_FACTORIAL)) put(c->at, &c->n, cc_x_add(g, x->args[0], g->one));
    if (cc_x_is_fun(x, CC_F_DIGAMMA)) put(c->psi, &c->n_psi, x->args[0]);
    for (uint32_t i = 0; i < x->n; i++) gather(g, c, x->args[i]);
}

// One of a and b is written by the other: the longer one.
static bool yields(cc_xp a, cc_xp b) { return cc_x_cost(a) > cc_x_cost(b) || (cc_x_cost(a) == cc_x_cost(b) && cc_x_compare(a, b) > 0); }

// gamma(a) = pi/(sin(pi (1 - a)) gamma(1 - a)), when gamma(b) with an integer a + b is there: then gamma(1 - a) is a factor away from it.
static cc_xp reflected(cc_alg *g, const complements *c, cc_xp a, cc_xp x) {
    for (size_t i = 0; i < c->n; i++) {
        cc_xp b = c->at[i], sum = cc_x_add(g, a, b);
        slong m;
        if (cc_x_is_num(a) || !cc_x_fits_si(sum, &m) || !yields(a, b)) continue;
        cc_xp sine = cc_x_f1(g, CC_F_SIN, cc_x_expand(g, cc_x_mul(g, g->pi, b)));
        if (m % 2 == 0) sine = cc_x_neg(g, sine);
        return cc_x_div(g, g->pi, cc_x_mul(g, sine, cc_x_f1(g, CC_F_GAMMA, cc_x_sub(g, g->one, a))));
    }
    return x;
}

// digamma(1 - b) = digamma(b) + pi cot(pi b)
static cc_xp reflected_psi(cc_alg *g, const complements *c, cc_xp x) {
    for (size_t i = 0; i < c->n_psi; i++) {
        cc_xp b = c->psi[i];
        if (cc_x_add(g, x->args[0], b) == g->one && yields(x->args[0], b))
            return cc_x_add(g, cc_x_f1(g, CC_F_DIGAMMA, b),
                            cc_x_mul(g, g->pi, cc_x_f1(g, CC_F_COT, cc_x_expand(g, cc_x_mul(g, g->pi, b)))));
    }
    return x;
}

// acot(u) = atan(1/u) = ±pi/2 - atan(u) by the sign of u; the same for atan(1/u) written so.
static cc_xp arc(cc_alg *g, cc_xp x) {
    cc_xp u = x->args[0], inverse = cc_x_div(g, g->one, u);
    if (x->fn == CC_F_ATAN && cc_x_cost(inverse) >= cc_x_cost(u)) return x;
    bool positive = cc_x_is(g, u, CC_IS_POSITIVE) == CC_TRUE;
    if (!positive && cc_x_is(g, u, CC_IS_NEGATIVE) != CC_TRUE) return x;
    cc_xp quarter = cc_x_mul(g, positive ? g->half : cc_x_frac(g, -1, 2), g->pi);
    return cc_x_sub(g, quarter, cc_x_f1(g, CC_F_ATAN, x->fn == CC_F_ATAN ? inverse : u));
}

static cc_xp rewrite(cc_alg *g, cc_xp x, void *ctx) {
    const complements *c = ctx;
    if (x->kind != CC_X_FUN) return x;
    for (size_t i = 0; i < CC_ARRAY_LEN(pairs); i++)
        if (x->fn == (c->back ? pairs[i].other : pairs[i].fn))
            return cc_x_sub(g, pairs[i].quarter ? cc_x_mul(g, g->half, g->pi) : g->one,
                            cc_x_f1(g, c->back ? pairs[i].fn : pairs[i].other, x->args[0]));
    switch (x->fn) {
    case CC_F_UPPERGAMMA:
    case CC_F_LOWERGAMMA:
        if ((x->fn == CC_F_LOWERGAMMA) != c->back) return x;
        return cc_x_sub(g, cc_x_f1(g, CC_F_GAMMA, x->args[0]), cc_x_fun(g, c->back ? CC_F_UPPERGAMMA : CC_F_LOWERGAMMA, x->args, 2));
    case CC_F_GAMMA: return reflected(g, c, x->args[0], x);
    case CC_F_FACTORIAL: return reflected(g, c, cc_x_add(g, x->args[0], g->one), x);
    case CC_F_DIGAMMA: return reflected_psi(g, c, x);
    case CC_F_ACOT:
    case CC_F_ATAN: return arc(g, x);
    case CC_F_HEAVISIDE: { // 1/2 at 0
        cc_xp opposite = cc_x_neg(g, x->args[0]);
        return yields(x->args[0], opposite) ? cc_x_sub(g, g->one, cc_x_f1(g, CC_F_HEAVISIDE, opposite)) : x;
    }
    default: return x;
    }
}

cc_xp cc_x_complements(cc_alg *g, cc_xp x, bool back) {
    if (!cc_x_has_any(x, has_complement)) return x;
    complements c = {.back = back};
    gather(g, &c, x);
    return cc_x_map(g, x, rewrite, &c);
}
