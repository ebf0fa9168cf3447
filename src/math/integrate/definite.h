// What definite integration shares. Private to src/math/integrate.
#ifndef CODECALC_MATH_INTEGRATE_DEFINITE_H
#define CODECALC_MATH_INTEGRATE_DEFINITE_H

#include "math/integrate/integrate.h"

// The integral by the double exponential rule, singular and infinite ends allowed: an estimate with an estimated error, for comparison
// only. False when it does not settle.
bool cc_int_double_exponential(cc_alg *g, arb_t re, arb_t im, cc_xp f, cc_xp v, cc_xp a, cc_xp b);
// x has no singularity at any finite complex v.
bool cc_int_entire(cc_xp x, cc_xp v);

// The integral over [a, b] by quadrature, added up from pieces on which f is bounded; false when none was reached.
bool cc_int_proper(cc_alg *g, acb_t out, cc_xp f, cc_xp v, const arb_t a, const arb_t b, slong bits);
// The points strictly between lo and hi where f may not be analytic, ascending, as far as they are found; -1: too many.
enum { CC_INT_POINTS = 64 };
slong cc_int_points(cc_alg *g, cc_xp *at, cc_xp f, cc_xp v, const arb_t lo, const arb_t hi);
// The integral by rigorous quadrature, infinite intervals and integrable singularities included. CC_TRUE: out encloses it. CC_FALSE: it
// diverges, proven; *sign is that of the infinite parts, 2 when there are both.
cc_truth cc_int_improper(cc_alg *g, acb_t out, int *sign, cc_xp f, cc_xp v, cc_xp a, cc_xp b, slong bits);
// Solving for our own purposes: what it notes is not of the answer, and its failure is none of ours.
bool cc_int_solve_quietly(cc_alg *g, cc_xp u, cc_xp v, cc_xsolutions *s);
// Where an expression may stop to be analytic on the real line: at zeros of what `visit` is given.
void cc_int_singularities(cc_alg *g, cc_xp x, cc_xp v, void (*visit)(void *ctx, cc_xp u), void *ctx);

// The integral of f from a to b by a form of forms.c (proven: only such a one), compared with numbers.
cc_xp cc_int_by_form(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, bool proven, const char **graded);
// The integral of f from a to b with symbols in any of them.
cc_xp cc_int_with_symbols(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded);

// A closed form and what it wants; not checked (forms.c). false: f is of no kind that is known.
enum { CC_INT_FORM_CONDITIONS = 4 };
typedef struct cc_int_form {
    cc_xp value, conditions[CC_INT_FORM_CONDITIONS];
    size_t n;
    bool proven; // by what was decided on the way
} cc_int_form;
bool cc_int_known_form(cc_alg *g, cc_int_form *out, cc_xp f, cc_xp v, cc_xp a, cc_xp b);

// The integral of f over [a, b] with an impulse DiracDelta in f; NULL: there is none, or it is at an end, or not found (impulse.c).
cc_xp cc_int_impulses(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded);

// f = boundary' + rest, where the rest of an f that oscillates as v goes to oo falls faster; false: it is no sum of such terms.
bool cc_int_oscillation(cc_alg *g, cc_xp f, cc_xp v, cc_xp *boundary, cc_xp *rest);

// The limit of F as v goes to p from a side ('+': from the right; p may be infinite), term by term where that finds it; NULL: not found.
cc_xp cc_int_limit(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side);
// The same, which is the value where F is continuous.
cc_xp cc_int_end_value(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side);

#endif
