// Integrals of what has an impulse, g(v)*DiracDelta(u(v)): the sum of g(r)/|u'(r)| over the simple zeros r of u inside the interval, where
// g is continuous. Called by definite.c and search.c. At an end of the interval an impulse has no agreed value: there is no answer then.
#include "math/integrate/definite.h"

// f = g*DiracDelta(u).
static bool split(cc_alg *g, cc_xp f, cc_xp v, cc_xp *rest, cc_xp *u) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    *u = NULL;
    for (size_t i = 0; i < n; i++)
        if (cc_x_is_fun(factors[i], CC_F_DIRAC) && !cc_int_free(factors[i], v)) {
            if (*u) return false;
            *u = factors[i]->args[0];
            *rest = cc_x_div(g, f, factors[i]);
        }
    return *u && *rest && !cc_x_has_fn(*rest, CC_F_DIRAC);
}

// g at r, times 1/|u'(r)|; NULL: not continuous there, or not a simple zero.
static cc_xp weight(cc_alg *g, cc_xp rest, cc_xp u, cc_xp v, cc_xp r) {
    if (!cc_int_entire(rest, v) && !cc_int_continuous(g, rest, v, r)) return NULL;
    cc_xp slope = cc_x_subs(g, cc_x_diff(g, u, v), v, r), value = cc_x_subs(g, rest, v, r);
    if (!slope || !value || cc_x_is(g, slope, CC_IS_NONZERO) != CC_TRUE || cc_x_is(g, slope, CC_IS_REAL) != CC_TRUE) return NULL;
    return cc_x_div(g, value, cc_x_f1(g, CC_F_ABS, slope));
}

// Where r is from a to b: 1 inside, 0 outside, -1 at an end or not known.
static int inside(cc_alg *g, cc_xp r, cc_xp a, cc_xp b) {
    int below = a == g->neg_oo ? 1 : cc_x_sign(g, cc_x_sub(g, r, a)), above = b == g->oo ? 1 : cc_x_sign(g, cc_x_sub(g, b, r));
    if (below == 1 && above == 1) return 1;
    return below == -1 || above == -1 ? 0 : -1;
}

static bool zeros(cc_alg *g, cc_xp u, cc_xp v, cc_xsolutions *s) {
    return cc_int_solve_quietly(g, u, v, s) && s->complete && (s->kind == CC_SOLVED_FINITE || s->kind == CC_SOLVED_NONE);
}

// One impulse, from a to b: g(r)/|u'(r)| for each r between them; a NULL: times the step at r, for an antiderivative.
static cc_xp one(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b) {
    cc_xp rest = NULL, u, sum = g->zero;
    cc_xsolutions s = {0};
    if (!split(g, f, v, &rest, &u) || !zeros(g, u, v, &s)) return NULL;
    for (size_t i = 0; i < s.n && s.kind == CC_SOLVED_FINITE; i++) {
        cc_truth real = cc_x_is(g, s.roots[i], CC_IS_REAL);
        if (real == CC_FALSE) continue;
        int where = real != CC_TRUE ? -1 : a ? inside(g, s.roots[i], a, b) : 1;
        if (where == 0) continue;
        cc_xp part = where == 1 ? weight(g, rest, u, v, s.roots[i]) : NULL;
        if (!part) return NULL;
        if (!a) part = cc_x_mul(g, part, cc_x_f1(g, CC_F_HEAVISIDE, cc_x_sub(g, v, s.roots[i])));
        sum = cc_x_add(g, sum, part);
    }
    return sum;
}

// Term by term; a NULL: an antiderivative.
static cc_xp sum_of_terms(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    cc_xp sum = g->zero;
    size_t n;
    const cc_xp *terms = cc_x_terms(&f, &n);
    if (graded) *graded = "exact";
    for (size_t i = 0; i < n; i++) {
        const char *grade = NULL;
        cc_xp part = cc_x_has_fn(terms[i], CC_F_DIRAC) ? one(g, terms[i], v, a, b)
                     : a                               ? cc_x_integral(g, terms[i], v, a, b, &grade)
                                                       : cc_x_antiderivative(g, terms[i], v, &grade);
        if (!part || !part->finite) return NULL;
        if (graded && grade) *graded = grade;
        sum = cc_x_add(g, sum, part);
    }
    return sum;
}

cc_xp cc_int_impulses(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    // symbols of which nothing is assumed are real, else the argument would not be
    size_t m;
    const cc_xp *symbols = cc_x_symbols(g, f, &m);
    cc_xp *old = CC_ARENA_ARRAY(g->arena, cc_xp, m + 1), *with = CC_ARENA_ARRAY(g->arena, cc_xp, m + 1);
    for (size_t i = 0; i < m; i++) {
        old[i] = with[i] = symbols[i];
        if (symbols[i] != v && !symbols[i]->facts) with[i] = cc_x_dummy(g, "r", CC_IS_REAL);
    }
    cc_xp expanded = cc_x_subs_many(g, cc_x_expand(g, f), old, with, m);
    if (!expanded) return NULL;
    cc_xp sum = sum_of_terms(g, expanded, v, a, b, graded);
    if (!sum) return NULL;
    for (size_t i = 0; i < m; i++)
        if (with[i] != old[i]) cc_alg_note(g, "%.*s is taken as real", (int)old[i]->name.n, old[i]->name.p);
    return cc_x_subs_many(g, sum, with, old, m);
}

cc_xp cc_int_steps(cc_alg *g, cc_xp f, cc_xp v, const char **graded) {
    cc_xp expanded = cc_x_expand(g, f);
    return expanded ? sum_of_terms(g, expanded, v, NULL, NULL, graded) : NULL;
}
