// Logarithmic parts of rational functions, for the files that integrate rational functions. Private to src/math/integrate.
#ifndef CODECALC_MATH_INTEGRATE_RATIONAL_H
#define CODECALC_MATH_INTEGRATE_RATIONAL_H

#include "math/integrate/integrate.h"

// The integral of (p*x + q)/(a*x**2 + b*x + c) in x.
cc_xp cc_int_over_quadratic(cc_alg *g, cc_xp p, cc_xp q, cc_xp a, cc_xp b, cc_xp c, cc_xp x);
// The integral of sum(num[j] * x**j, j < n)/(a*x**n + c).
cc_xp cc_int_over_binomial(cc_alg *g, const cc_xp *num, ulong n, cc_xp a, cc_xp c, cc_xp x);
// The integral of sum(num[j] * x**j, j < 2k)/(a*x**(2k) + b*x**k + c).
cc_xp cc_int_over_trinomial(cc_alg *g, const cc_xp *num, ulong k, cc_xp a, cc_xp b, cc_xp c, cc_xp x);
// The integral of sum(num[j] * x**j, j < 4)/(x**4 + p*x**2 + q*x + r), q != 0, by a root z of the resolvent z**3 + 2*p*z**2 + (p**2 -
// 4*r)*z - q**2.
cc_xp cc_int_over_quartic(cc_alg *g, const cc_xp *num, cc_xp p, cc_xp q, cc_xp z, cc_xp x);

#endif
