// Enclosures inside the kernel: functions over complex balls, without expressions. Who includes it: enclose*.c, root_of.c,
// constant.c, facts.c, decimal.c, bridge.c, and their test.
#ifndef CODECALC_MATH_EXPR_ENCLOSE_H
#define CODECALC_MATH_EXPR_ENCLOSE_H

#include <flint/qqbar.h>

#include "math/expr/expr.h"

// fn at n balls: principal value as in SymPy. False when it cannot be enclosed: a pole or an undefined point may be inside, the
// arguments do not fit the function, or it would take too long. Where the balls touch a branch cut, the result holds the values on both
// sides; on the cut itself (an exactly real argument) it is the principal value.
bool cc_x_enclose_fun(cc_xfn fn, acb_t out, acb_srcptr a, size_t n, slong prec);
// hyper([a…], [b…], z)
bool cc_x_enclose_hyper(acb_t out, acb_srcptr a, size_t p, acb_srcptr b, size_t q, const acb_t z, slong prec);
// base ** exponent; exact: the exponent as a rational where it is one, else NULL.
bool cc_x_enclose_power(acb_t out, const acb_t base, const acb_t exponent, const fmpq *exact, slong prec);
// The value of a CRootOf (root_of.c): the real roots in ascending order, then the others by real part, absolute value of the imaginary
// part, negative imaginary part first. Roots are counted once each, whatever their multiplicity. False: the degree is too large, or no such
// root.
bool cc_x_enclose_root(cc_alg *g, acb_t out, cc_xp x, slong prec);
// The same exactly, or NULL; owned by g.
const qqbar_struct *cc_x_algebraic_root(cc_alg *g, cc_xp x);
// The truth of a condition at the values of env.
cc_truth cc_x_enclose_truth(cc_alg *g, cc_xp condition, const cc_xenv *env, slong prec);
// x is a real number exactly, or is enclosed by a ball that touches the real axis and proven real; its real part.
bool cc_x_enclose_real(cc_alg *g, arb_t out, cc_xp x, const cc_xenv *env, slong prec);

#endif
