// Symbolic mathematics: evaluate an expression, solve, integrate, take limits, decide identities. Takes and returns text; no type of
// a library crosses this header. The kernel behind it is src/math/expr/expr.h. Everything returned lives in the caller's arena.
#ifndef CODECALC_ALGEBRA_H
#define CODECALC_ALGEBRA_H

#include "codecalc/math.h"

typedef struct cc_algebra_options {
    bool latex_in;                     // the expressions are LaTeX
    bool latex_out;                    // results carry latex
    cc_str assume;                     // "x>0, n integer, a real"; may be empty
    long digits;                       // significant digits of approx, 1 … CC_CALC_MAX_DIGITS
    int64_t deadline_ms;               // of cc_now_ms; searches give up with "not found" shortly before
    const volatile sig_atomic_t *stop; // may be NULL
} cc_algebra_options;

// What every operation says beside its value.
typedef struct cc_algebra_about {
    const char *grade;  // "exact", "certified", "cross_checked"; NULL = ungraded
    const char *basis;  // what the grade rests on, for people
    cc_str *conditions; // excluded points, branches, signs under which the result holds
    size_t n_conditions;
    cc_str *notes;
    size_t n_notes;
    cc_str *warnings;
    size_t n_warnings;
} cc_algebra_about;

#endif
