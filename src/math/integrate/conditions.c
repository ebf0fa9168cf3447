// What an answer divides by, and the integrand does not: where that vanishes the answer says nothing, as x**(n + 1)/(n + 1) at n = -1. It
// is stated as a condition. Called by search.c and by definite integration with symbols, once for what is returned.
#include "math/integrate/integrate.h"

#include "math/simplify/simplify.h"

enum { MAX_DIVISORS = 48, MAX_STATED = 8, MAX_LOOKED_AT = 20000, MAX_FACTORED = 120 };

typedef struct divisors {
    cc_alg *g;
    cc_xp v;
    cc_xp at[MAX_DIVISORS];
    size_t n;
} divisors;

static bool add(divisors *d, cc_xp x) {
    for (size_t i = 0; i < d->n; i++)
        if (d->at[i] == x) return false;
    if (d->n == MAX_DIVISORS) return false;
    d->at[d->n++] = x;
    return true;
}

static void collect(divisors *d, cc_xp x) {
    if (!x || !x->free) return;
    if (x->kind == CC_X_POW && x->args[0]->free && cc_int_free(x->args[0], d->v) && cc_x_is_num(x->args[1]) &&
        cc_x_num_sign(x->args[1]) < 0)
        add(d, x->args[0]);
    for (uint32_t i = 0; i < x->n; i++) collect(d, x->args[i]);
}

// The irreducible factors of what was collected.
static void split(divisors *to, const divisors *from) {
    cc_alg *g = to->g;
    for (size_t i = 0; i < from->n; i++) {
        cc_xp x = from->at[i], factored = x->size < MAX_FACTORED ? cc_x_factor(g, x) : x;
        size_t n;
        if (!factored) return;
        const cc_xp *factors = cc_x_factors(&factored, &n);
        for (size_t k = 0; k < n; k++) {
            cc_xp base, e;
            cc_x_split_power(g, factors[k], &base, &e);
            if (base && cc_x_is_num(e) && base->free) add(to, cc_int_minus(base) ? cc_x_neg(g, base) : base);
        }
    }
}

void cc_int_state_conditions(cc_alg *g, cc_xp F, cc_xp f, cc_xp v) {
    if (!F || !f || g->err->code != CC_OK || F->size > MAX_LOOKED_AT) return;
    divisors *of_answer = cc_arena_alloc(g->arena, sizeof *of_answer), *known = cc_arena_alloc(g->arena, sizeof *known),
             *parts = cc_arena_alloc(g->arena, sizeof *parts);
    *of_answer = *known = *parts = (divisors){.g = g, .v = v};
    collect(of_answer, F);
    if (!of_answer->n) return;
    divisors *of_integrand = cc_arena_alloc(g->arena, sizeof *of_integrand);
    *of_integrand = (divisors){.g = g, .v = v};
    collect(of_integrand, f);
    split(known, of_integrand);
    split(parts, of_answer);
    size_t stated = 0, more = 0;
    for (size_t i = 0; i < parts->n; i++) {
        if (!add(known, parts->at[i]) || cc_x_is(g, parts->at[i], CC_IS_NONZERO) == CC_TRUE) continue;
        if (stated++ < MAX_STATED)
            cc_x_require_nonzero(g, parts->at[i]);
        else
            more++;
    }
    if (more) cc_alg_note(g, "%zu more divisors of the answer must not be zero", more);
}
