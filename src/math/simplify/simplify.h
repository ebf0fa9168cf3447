// Simplification: what the rest of src/math may call beside what expr.h declares.
#ifndef CODECALC_MATH_SIMPLIFY_SIMPLIFY_H
#define CODECALC_MATH_SIMPLIFY_SIMPLIFY_H

#include "math/expr/expr.h"

// ---- poles.c: where an expression is not defined ----

#define CC_X_MOST_POLES 64

typedef struct cc_xpoles {
    cc_xp items[CC_X_MOST_POLES]; // there is no value where one of these is zero
    size_t n;
} cc_xpoles;
void cc_x_poles(cc_alg *g, cc_xpoles *out, cc_xp x); // adds those of x
// Adds the irreducible factors of x, up to sign, that can be zero and are not there yet.
void cc_x_note_factors(cc_alg *g, cc_xpoles *out, cc_xp x);
// x or -x is there.
bool cc_x_is_noted(cc_alg *g, const cc_xpoles *p, cc_xp x);
// Adds those of a text as it was written: x/x has been read as 1. What cannot be found out is left out, without an error.
void cc_x_written_poles(cc_alg *g, cc_xpoles *out, cc_str text);
void cc_x_node_poles(cc_alg *g, cc_xpoles *out, const cc_node *x); // the same of a part of a parsed text
// Adds to the conditions of the call that the points of `was` are excluded, but those of `is`.
void cc_x_lost(cc_alg *g, const cc_xpoles *was, const cc_xpoles *is);
// Both at once, for an expression and what is equal to it elsewhere.
void cc_x_lost_poles(cc_alg *g, cc_xp before, cc_xp after);
// The condition f != 0, as x != 1 where f is linear in its only symbol.
cc_xp cc_x_nonzero(cc_alg *g, cc_xp f);
// It becomes a condition of the call, for each factor of f that can be zero.
void cc_x_require_nonzero(cc_alg *g, cc_xp f);

#endif
