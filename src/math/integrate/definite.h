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
// f = boundary' + rest, where the rest of an f that oscillates as v goes to oo falls faster; false: it is no sum of such terms.
bool cc_int_oscillation(cc_alg *g, cc_xp f, cc_xp v, cc_xp *boundary, cc_xp *rest);

// The limit of F as v goes to p from a side ('+': from the right; p may be infinite), term by term where that finds it; NULL: not found.
cc_xp cc_int_limit(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side);
// The same, which is the value where F is continuous.
cc_xp cc_int_end_value(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side);

#endif
