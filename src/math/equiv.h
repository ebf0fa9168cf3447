// Between equiv.c and equiv_cases.c. Private to these.
#ifndef CODECALC_MATH_EQUIV_H
#define CODECALC_MATH_EQUIV_H

#include "math/expr/expr.h"

// CC_TRUE: d is zero wherever it is defined, *basis says by what; else CC_UNDECIDED.
cc_truth cc_equiv_by_cases(cc_alg *g, cc_xp d, const char **basis);

#endif
