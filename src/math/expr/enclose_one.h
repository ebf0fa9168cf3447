// Complex balls: what the files of functions share. Private to enclose_one.c and enclose_special.c.
#ifndef CODECALC_MATH_EXPR_ENCLOSE_ONE_H
#define CODECALC_MATH_EXPR_ENCLOSE_ONE_H

#include "math/expr/enclose.h"

// For which real arguments a function is real; INSIDE: |x| < 1, OUTSIDE: |x| > 1.
typedef enum cc_reality { CC_ANYWHERE, CC_POSITIVE, CC_BELOW_ONE, CC_INSIDE, CC_OUTSIDE } cc_reality;

static inline bool cc_ball_is_real(const acb_t z) { return arb_is_zero(acb_imagref(z)); }
bool cc_ball_above(const acb_t z, slong n); // the real part is larger than n
bool cc_ball_real_there(const acb_t z, cc_reality where);
bool cc_ball_small_int(const acb_t z, slong *n);
bool cc_ball_within(const acb_t z, double limit); // in absolute value

// fn of one argument; false: there is no such function, or its value is not finite.
bool cc_x_enclose_one(cc_xfn fn, acb_t out, const acb_t a, slong prec);

#endif
