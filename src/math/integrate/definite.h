// What definite integration shares. Private to src/math/integrate.
#ifndef CODECALC_MATH_INTEGRATE_DEFINITE_H
#define CODECALC_MATH_INTEGRATE_DEFINITE_H

#include "math/integrate/integrate.h"

// The integral by the double exponential rule, singular and infinite ends allowed: an estimate with an estimated error, for comparison
// only. False when it does not settle.
bool cc_int_double_exponential(cc_alg *g, arb_t re, arb_t im, cc_xp f, cc_xp v, cc_xp a, cc_xp b);
// x has no singularity at any finite complex v.
bool cc_int_entire(cc_xp x, cc_xp v);

#endif
