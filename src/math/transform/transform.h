// Laplace transforms, from t > 0. Called by symbolic_ode.c. A function that finds nothing returns NULL and sets no error.
#ifndef CODECALC_MATH_TRANSFORM_H
#define CODECALC_MATH_TRANSFORM_H

#include "math/expr/expr.h"

// The integral of exp(-s t) f(t) from 0- on: a DiracDelta at 0 counts whole. Conditions say where it converges.
cc_xp cc_x_laplace(cc_alg *g, cc_xp f, cc_xp t, cc_xp s);
// The f(t), for t > 0, whose transform is F(s); checked by transforming it. *proven = false: at points only.
cc_xp cc_x_inverse_laplace(cc_alg *g, cc_xp F, cc_xp s, cc_xp t, bool *proven);

#endif
