// Simplification: what the rest of src/math may call beside what expr.h declares.
#ifndef CODECALC_MATH_SIMPLIFY_SIMPLIFY_H
#define CODECALC_MATH_SIMPLIFY_SIMPLIFY_H

#include "math/expr/expr.h"

// Adds to the conditions of the call that those points are excluded where `before` has a pole and `after`, which is equal to it
// elsewhere, has none (poles.c).
void cc_x_lost_poles(cc_alg *g, cc_xp before, cc_xp after);
// The condition f != 0, as x != 1 where f is linear in its only symbol.
cc_xp cc_x_nonzero(cc_alg *g, cc_xp f);

#endif
