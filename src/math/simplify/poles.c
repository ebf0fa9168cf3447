// Which points an expression lost when it was simplified: (x**2 - 1)/(x - 1) is not defined at 1, x + 1 is. Called by the face of the
// algebra (symbolic.c) to state conditions; simplification itself never does, since it is used for parts as well.
#include "math/simplify/simplify.h"

#define MAX_FACTORS 64

typedef struct factors {
    cc_xp items[MAX_FACTORS];
    size_t n;
} factors;

static void note(cc_alg *g, factors *f, cc_xp x) {
    if (!x || cc_x_is_constant(x)) return;
    cc_xp minus = cc_x_neg(g, x);
    for (size_t i = 0; i < f->n; i++)
        if (f->items[i] == x || f->items[i] == minus) return;
    if (f->n < MAX_FACTORS) f->items[f->n++] = x;
}

// The irreducible factors of x, up to sign.
static void note_factors(cc_alg *g, factors *f, cc_xp x) {
    cc_xp y = cc_x_factor(g, x);
    if (!y) return;
    size_t n;
    const cc_xp *p = cc_x_factors(&y, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, p[i], &base, &e);
        if (cc_x_num_sign(e) >= 0 || !cc_x_is_num(e)) note(g, f, base);
    }
}

// Bases of negative powers anywhere in x.
static void collect(cc_alg *g, factors *f, cc_xp x, unsigned depth) {
    if (!x || x->n == 0 || x->free == 0 || depth > 100 || !cc_alg_go_on(g)) return;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && cc_x_num_sign(x->args[1]) < 0) note_factors(g, f, x->args[0]);
    if (x->kind == CC_X_FUN && (x->fn == CC_F_TAN || x->fn == CC_F_SEC)) note(g, f, cc_x_f1(g, CC_F_COS, x->args[0]));
    if (x->kind == CC_X_FUN && (x->fn == CC_F_COT || x->fn == CC_F_CSC)) note(g, f, cc_x_f1(g, CC_F_SIN, x->args[0]));
    if (x->kind == CC_X_FUN && (x->fn == CC_F_ASEC || x->fn == CC_F_ACSC)) note(g, f, x->args[0]);
    for (uint32_t i = 0; i < x->n; i++) collect(g, f, x->args[i], depth + 1);
}

cc_xp cc_x_nonzero(cc_alg *g, cc_xp f) {
    size_t n;
    const cc_xp *s = cc_x_symbols(g, f, &n), *c;
    slong degree;
    if (n == 1 && cc_x_poly_coefficients(g, f, s[0], 1, &c, &degree) && degree == 1)
        return cc_x_rel(g, CC_REL_NE, s[0], cc_x_neg(g, cc_x_div(g, c[0], c[1])));
    return cc_x_rel(g, CC_REL_NE, f, cc_x_int(g, 0));
}

void cc_x_lost_poles(cc_alg *g, cc_xp before, cc_xp after) {
    factors *was = CC_ARENA_NEW(g->arena, factors), *is = CC_ARENA_NEW(g->arena, factors);
    collect(g, was, before, 0);
    if (was->n == 0) return;
    collect(g, is, after, 0);
    for (size_t i = 0; i < was->n; i++) {
        bool kept = false;
        for (size_t k = 0; k < is->n && !kept; k++) kept = is->items[k] == was->items[i] || cc_x_neg(g, is->items[k]) == was->items[i];
        if (!kept && cc_x_is(g, was->items[i], CC_IS_NONZERO) != CC_TRUE) cc_alg_condition(g, cc_x_nonzero(g, was->items[i]));
    }
}
