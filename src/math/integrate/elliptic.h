// Elliptic integrals: what the algebraic and the trigonometric ones share. Private to src/math/integrate.
#ifndef CODECALC_MATH_INTEGRATE_ELLIPTIC_H
#define CODECALC_MATH_INTEGRATE_ELLIPTIC_H

#include "math/integrate/integrate.h"

enum { CC_ELLIPTIC_ROOTS = 4 };

// The integral of R(z)/sqrt(z*(1 - z)*(1 - m*z)) at z = Z = sin(phi)**2, where that root is Y. NULL: R has poles that are not found, or m
// is 0 or 1.
cc_xp cc_int_legendre(cc_alg *g, cc_xp R, cc_xp z, cc_xp m, cc_xp Z, cc_xp phi, cc_xp Y);
// That of R(x)*dx/S, S**2 a polynomial with the n = 3 or 4 simple zeros r, x = X as an expression in v.
cc_xp cc_int_by_roots(cc_alg *g, cc_xp R, cc_xp x, cc_xp X, cc_xp S, const cc_xp *r, slong n);
// The radicands of the square roots in f; 0: there is none, or f is not rational in v and such roots.
size_t cc_int_square_roots(cc_xp *base, cc_xp f, cc_xp v);
// The zeros of a polynomial, at most 4, all simple; -1: not found.
slong cc_int_zeros(cc_alg *g, cc_xp p, cc_xp x, cc_xp *roots);
// F*num/den; a factor that is free of v goes into the terms of a sum.
cc_xp cc_int_times(cc_alg *g, cc_xp F, cc_xp num, cc_xp den, cc_xp v);

#endif
