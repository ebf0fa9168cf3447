// Constants as exact reals of the calculator (math/value.h) and back. Who includes it: bridge.c, constant.c, decimal.c, read.c.
#ifndef CODECALC_MATH_EXPR_BRIDGE_H
#define CODECALC_MATH_EXPR_BRIDGE_H

#include "math/expr/expr.h"
#include "math/value.h"

// A calculation beside the algebra, with an error of its own: what the calculator refuses is undecided, not an error.
typedef struct cc_x_bridge {
    cc_alg *g;
    cc_calc calc;
    cc_error err;
    cc_parsed parsed;
} cc_x_bridge;

void cc_x_bridge_init(cc_x_bridge *b, cc_alg *g);
void cc_x_bridge_clear(cc_x_bridge *b);
// A constant as a number; false when it has functions that the calculator lacks, lies outside their domain, or is too large.
bool cc_x_to_val(cc_x_bridge *b, cc_xp x, cc_val *out);
cc_xp cc_x_from_val(cc_alg *g, const cc_val *v); // a number

// A constant built of rationals, roots, roots of unity, sines at rational multiples of pi, and CRootOf: proves that it is zero by an
// enclosure below the least absolute value that such a number can have. CC_UNDECIDED when it is none or the bound is too far away.
// (algebraic.c)
cc_truth cc_x_algebraic_is_zero(cc_alg *g, cc_xp x);
// CC_TRUE for a polynomial in one CRootOf that its own polynomial divides; else CC_UNDECIDED.
cc_truth cc_x_root_is_zero(cc_alg *g, cc_xp x);

#endif
