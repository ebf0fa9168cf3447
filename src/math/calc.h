// Between the files of the calculator: calc.c computes, report.c tells. Private to src/math.
#ifndef CODECALC_MATH_CALC_H
#define CODECALC_MATH_CALC_H

#include "math/value.h"

// Parses and evaluates.
int cc_calc_run(cc_calc *c, cc_str text, cc_val *out);
// `a op b` for one of the six comparisons; an undecided one is CC_UNDECIDED and no error.
int cc_calc_compare_values(cc_calc *c, cc_op op, cc_val *a, cc_val *b, cc_truth *out);

#endif
