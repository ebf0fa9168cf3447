// Between the parts of reading: read.c (the tree), call.c (names of functions and constants), latex_read.c, and whoever looks at the text
// as it was written (src/math/simplify/poles.c).
#ifndef CODECALC_MATH_EXPR_READ_H
#define CODECALC_MATH_EXPR_READ_H

#include "math/expr/expr.h"

// Errors carry the column of what was being read.
CC_PRINTF(3, 4) cc_xp cc_read_error(cc_alg *g, const cc_node *at, const char *fmt, ...);
// The expression of a call node whose arguments have been read.
cc_xp cc_read_call(cc_alg *g, const cc_node *call, const cc_xp *args, size_t n);
// A power as it is written: where a reader may expect the real root of a negative number, a warning says that this is another one.
cc_xp cc_read_power(cc_alg *g, cc_xp base, cc_xp exponent);
// A constant, or NULL when it is not the name of one.
cc_xp cc_read_constant(cc_alg *g, cc_str name);
// The name is that of a function or operation and nothing else: alone, without arguments, it is a mistake.
bool cc_read_needs_arguments(cc_str name);

// One node of a parsed text (read.c).
cc_xp cc_read_node(cc_alg *g, const cc_node *x);
// LaTeX → plain notation, empty with the error set. evaluate: an integral, sum, limit … is written as the operation that carries it out,
// else as the form that stays (latex_read.c).
cc_str cc_read_latex_plain(cc_alg *g, cc_str text, bool evaluate);

#endif
