// Ordinary differential equations for one unknown function. Called by symbolic_ode.c. Every solution is put into the equation before it is
// answered; constants of integration are the symbols C1, C2, … A function that finds nothing returns false or NULL and sets no error.
#ifndef CODECALC_MATH_ODE_H
#define CODECALC_MATH_ODE_H

#include "math/expr/expr.h"

#define CC_ODE_ORDER     12
#define CC_ODE_SOLUTIONS 12

typedef struct cc_ode {
    cc_str name;                // of the unknown function
    cc_xp x;                    // its variable
    cc_xp shown;                // the equation as it was read
    cc_xp f;                    // f = 0, in x and y[0] … y[order]
    cc_xp y[CC_ODE_ORDER + 1];  // symbols for the function and its derivatives
    cc_xp at[CC_ODE_ORDER + 1]; // y(x), Derivative(y(x), x), …
    slong order;
} cc_ode;

typedef struct cc_ode_solutions {
    cc_xp values[CC_ODE_SOLUTIONS]; // y(x), or with `implicit` an expression in x and y[0] that is 0
    bool implicit[CC_ODE_SOLUTIONS];
    size_t n;
    const char *method; // that found them, for people
    bool linear;        // the one value is the general solution of a linear equation
    bool proven;        // every substitution was decided to be 0
} cc_ode_solutions;

// ---- read.c ----

// "y'' - y = exp(x)", "diff(y(x), x) = x*y(x)", "dy/dx = x*y". var names the variable, or is empty. 0, or -1 with CC_VALIDATION.
int cc_ode_read(cc_alg *g, cc_str text, cc_str var, cc_ode *out);
// A value at a point, "y'(0) = 1": the order of the derivative, the point, the value. 0, or -1 with CC_VALIDATION naming `system`.
typedef struct cc_ode_value {
    slong order;
    cc_xp point, value;
} cc_ode_value;
int cc_ode_read_value(cc_alg *g, const cc_ode *ode, cc_str text, cc_ode_value *out);

// ---- roots.c ----

typedef struct cc_ode_root {
    cc_xp re, im; // where symbols count as real
    slong times;
} cc_ode_root;
// z = re + I*im, where symbols count as real: by I → -I.
void cc_ode_split(cc_alg *g, cc_xp z, cc_xp *re, cc_xp *im);
// All roots of a polynomial in v. Conditions say where roots that depend on parameters are different. False: not found.
bool cc_ode_roots(cc_alg *g, cc_xp poly, cc_xp v, cc_ode_root *out, size_t most, size_t *n);
// q(t) exp(mu t), q a polynomial, written by cosine and sine: expanded terms with conjugate mu and q add up to real functions.
cc_xp cc_ode_wave(cc_alg *g, cc_xp q, cc_xp mu, cc_xp t);

// ---- linear.c ----

// term = p(t) exp(mu t): the coefficients of p, and mu. False: another form.
bool cc_ode_exponential(cc_alg *g, cc_xp term, cc_xp t, const cc_xp **p, slong *degree, cc_xp *mu);

// The i-th constant, i from 0 on.
cc_xp cc_ode_constant(cc_alg *g, slong i);
// The general solution of c[n] y^(n) + … + c[0] y = forcing with constant c: exponentials, and for the forcing undetermined coefficients,
// else an integral for the orders 1 and 2. NULL: not found.
cc_xp cc_ode_constant_coefficients(cc_alg *g, const cc_xp *c, slong n, cc_xp forcing, cc_xp x);
// The same for a linear equation: constant coefficients, first order, Cauchy-Euler (after x = exp(t)). False when f is not linear, or no
// solution is found.
bool cc_ode_linear(cc_alg *g, const cc_ode *ode, cc_ode_solutions *out);

// ---- first.c ----

// y' = f(x, y): separable, Bernoulli, homogeneous, exact with an integrating factor of one variable.
bool cc_ode_first_order(cc_alg *g, const cc_ode *ode, cc_ode_solutions *out);

// ---- ode.c ----

// All methods in turn; true when a solution was found that satisfies the equation.
bool cc_ode_solve(cc_alg *g, const cc_ode *ode, cc_ode_solutions *out);
// The left side of the equation with a solution put in is zero; *proven = false: at points only.
bool cc_ode_satisfied(cc_alg *g, const cc_ode *ode, cc_xp value, bool implicit, bool *proven);
// Determines the constants from values at points. False: they could not be found; *none: there is no such solution.
bool cc_ode_fit(cc_alg *g, const cc_ode *ode, cc_ode_solutions *s, const cc_ode_value *values, size_t n, bool *none);

#endif
