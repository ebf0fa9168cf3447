// What a formula as it was written excludes, and its canonical form does not: x**2/x has been read as x. Called by operations whose answer
// would claim more than it may: solve, diff, subs, sum and product, in the tool symbolic and inside expressions.
#ifndef CODECALC_MATH_EXCLUDED_H
#define CODECALC_MATH_EXCLUDED_H

#include "math/simplify/simplify.h"

// The points of a text, or of a part of a parsed one, that was read as x. In g's arena; empty when nothing was forgotten or all is
// unknown; sets no error.
const cc_xpoles *cc_excluded_of_text(cc_alg *g, cc_str text, cc_xp x);
const cc_xpoles *cc_excluded_of_node(cc_alg *g, const cc_node *node, cc_xp x);
// Leaves out the roots in v that are excluded; what excludes whatever v is becomes a condition of the call.
void cc_excluded_roots(cc_alg *g, const cc_xpoles *p, cc_xp v, cc_xsolutions *s);
// All that is excluded becomes a condition of the call.
void cc_excluded_conditions(cc_alg *g, const cc_xpoles *p);
// The value y that putting with[i] in the place of old[i], i < n, has given: nan where that point is excluded; where it can be, that it is
// not becomes a condition.
cc_xp cc_excluded_value(cc_alg *g, const cc_xpoles *p, const cc_xp *old, const cc_xp *with, size_t n, cc_xp y);
// The sum or product y over k from a to b: nan, with a note, when a term of it is excluded; where the bounds leave that open, a note.
cc_xp cc_excluded_term(cc_alg *g, const cc_xpoles *p, cc_xp k, cc_xp a, cc_xp b, cc_xp y);

#endif
