// What the operations of the tool `symbolic` share: the call they answer, and how they read arguments and say results. Private to src/math.
#ifndef CODECALC_MATH_SYMBOLIC_H
#define CODECALC_MATH_SYMBOLIC_H

#include "codecalc/algebra.h"
#include "math/expr/expr.h"

typedef struct cc_symbolic_job {
    cc_alg g;
    const cc_symbolic_request *q;
    cc_symbolic_result *out;
    cc_xp expr, var;
} cc_symbolic_job;

// Adds a field of the result; nothing once an error is set.
void cc_symbolic_say(cc_symbolic_job *j, const char *name, cc_str value);
void cc_symbolic_raw(cc_symbolic_job *j, const char *name, cc_str value); // a number or truth value
void cc_symbolic_show(cc_symbolic_job *j, const char *name, cc_xp x);
void cc_symbolic_show_result(cc_symbolic_job *j, const char *name, cc_xp x); // with LaTeX when that was asked for
void cc_symbolic_list(cc_symbolic_job *j, const char *name, const cc_str *items, size_t n);
// An argument as an expression; an empty one, or one that cannot be read, is an error naming it.
cc_xp cc_symbolic_argument(cc_symbolic_job *j, const char *name, cc_str text);

// ---- the operations of the files beside ----

void cc_symbolic_limit(cc_symbolic_job *j);
void cc_symbolic_integrate(cc_symbolic_job *j);
void cc_symbolic_series(cc_symbolic_job *j);
void cc_symbolic_sum(cc_symbolic_job *j);
void cc_symbolic_product(cc_symbolic_job *j);
cc_xp cc_symbolic_read_several(cc_symbolic_job *j); // expr of solve: may be several conditions with commas between
void cc_symbolic_solve(cc_symbolic_job *j);
void cc_symbolic_solve_linear(cc_symbolic_job *j);
void cc_symbolic_groebner(cc_symbolic_job *j);
void cc_symbolic_ode(cc_symbolic_job *j);
void cc_symbolic_laplace(cc_symbolic_job *j);
void cc_symbolic_inverse_laplace(cc_symbolic_job *j);

#endif
