// What the files of src/math/simplify share beside the making of rational functions (ratio.h). Included by no other folder.
#ifndef CODECALC_MATH_SIMPLIFY_FORMS_H
#define CODECALC_MATH_SIMPLIFY_FORMS_H

#include "math/expr/expr.h"

// Keys of this folder's remembered results; the kernel's own are below. CC_MEMO_FORMS + a set of CC_FORM_* flags.
enum { CC_MEMO_ZERO = 64, CC_MEMO_SIMPLIFY, CC_MEMO_TRIGSIMP, CC_MEMO_FACTOR, CC_MEMO_FORMS = 256 };
bool cc_x_memo_find(cc_alg *g, unsigned what, cc_xp a, cc_xp b, cc_xp *out);
void cc_x_memo_put(cc_alg *g, unsigned what, cc_xp a, cc_xp b, cc_xp value);

// A polynomial over the generators of r as a product of irreducible powers (rational.c).
cc_xp cc_ratio_factored(cc_alg *g, const cc_xratio *r, const fmpz_mpoly_t p);
// r factored over the rationals with the one algebraic constant that is among its generators; NULL (no error) when it is of another
// kind (over_roots.c).
cc_xp cc_ratio_over_root(cc_alg *g, const cc_xratio *r);
// Makes the denominator of r free of roots; false when that would be too large (rational.c).
bool cc_ratio_rationalize(cc_alg *g, cc_xratio *r);
// A form that would be too large is no error of the call: clears such an error (ratio.c).
void cc_forms_recover(cc_alg *g);
// x or a part of it is such (trig.c).
bool cc_x_has_any(cc_xp x, bool (*is)(cc_xp));
bool cc_x_is_angle_fn(cc_xp x); // a trigonometric or hyperbolic function
// x with functions that complete each other (erf and erfc, acos and asin, …) written by one of the two; `back`: by the other
// (complement.c).
cc_xp cc_x_complements(cc_alg *g, cc_xp x, bool back);

#endif
