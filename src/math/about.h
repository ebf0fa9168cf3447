// What the answers of symbolic mathematics say beside their value. Private to src/math; included by its three faces.
#ifndef CODECALC_MATH_ABOUT_H
#define CODECALC_MATH_ABOUT_H

#include "codecalc/algebra.h"
#include "math/expr/expr.h"

// Conditions, notes and warnings of the call; the grade is the caller's.
void cc_about_tell(cc_alg *g, cc_algebra_about *about);
// Warns of free names in x that a reader may have meant otherwise; not of the variable v (may be NULL).
void cc_about_names(cc_alg *g, cc_xp x, cc_xp v);

#endif
