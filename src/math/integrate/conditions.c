// What an answer divides by, and the integrand does not: where that vanishes the answer says nothing, as x**(n + 1)/(n + 1) at n = -1. It
// is stated as a condition. Called by search.c and by definite integration with symbols, once for what is returned.
#include "math/integrate/integrate.h"

#include "math/simplify/simplify.h"

enum { MAX_STATED = 8, MAX_LOOKED_AT = 20000 };

static void collect(cc_alg *g, cc_xpoles *p, cc_xp x, cc_xp v) {
    if (!x || !x->free) return;
    if (x->kind == CC_X_POW && cc_int_free(x->args[0], v) && cc_x_is_num(x->args[1]) && cc_x_num_sign(x->args[1]) < 0)
        cc_x_note_factors(g, p, x->args[0]);
    for (uint32_t i = 0; i < x->n; i++) collect(g, p, x->args[i], v);
}

void cc_int_state_conditions(cc_alg *g, cc_xp F, cc_xp f, cc_xp v) {
    if (!F || !f || g->err->code != CC_OK || F->size > MAX_LOOKED_AT) return;
    cc_xpoles *of_answer = CC_ARENA_NEW(g->arena, cc_xpoles), *of_integrand = CC_ARENA_NEW(g->arena, cc_xpoles);
    collect(g, of_answer, F, v);
    if (of_answer->n) collect(g, of_integrand, f, v);
    size_t stated = 0, more = 0;
    for (size_t i = 0; i < of_answer->n; i++) {
        if (cc_x_is_noted(g, of_integrand, of_answer->items[i])) continue;
        if (stated++ < MAX_STATED)
            cc_x_require_nonzero(g, of_answer->items[i]); // of a root, its factors
        else
            more++;
    }
    if (more) cc_alg_note(g, "%zu more divisors of the answer must not be zero", more);
}
