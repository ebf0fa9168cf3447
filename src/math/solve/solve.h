// What the files of this folder share: roots of equations in one variable, systems, inequalities. The face is cc_x_solve in
// math/expr/expr.h. A function that finds nothing returns false and sets no error.
#ifndef CODECALC_MATH_SOLVE_SOLVE_H
#define CODECALC_MATH_SOLVE_SOLVE_H

#include "math/expr/expr.h"

// A growing set of roots. Roots may hold integer dummies (general solutions of periodic equations).
typedef struct cc_roots {
    cc_alg *g;
    cc_xp *at;
    unsigned *multiplicity; // 0 = unknown
    size_t n, room;
    bool complete; // nothing was left out on the way
    bool all;      // every value is a root
    cc_xp set;     // a condition on the variable that describes further roots (whole intervals), or NULL
} cc_roots;

void cc_roots_init(cc_roots *r, cc_alg *g);
void cc_roots_add(cc_roots *r, cc_xp root, unsigned multiplicity); // what is there already adds its multiplicity

// ---- members.c: general solutions ----

// The integers of general solutions have names of their own: n_, m_, …
cc_xp cc_roots_integer(cc_alg *g);                                                // the first
cc_xp cc_roots_integer_beside(cc_alg *g, const cc_xp *used, size_t n);            // the first that none of these has; NULL: all are used
cc_xp cc_roots_integer_of(cc_alg *g, cc_xp x);                                    // the first that x has; NULL: none
bool cc_roots_linear(cc_alg *g, cc_xp x, cc_xp n, cc_xp *a, cc_xp *b);            // x = a + b*n, b not 0
cc_xp cc_roots_normal(cc_alg *g, cc_xp x);                                        // a + b*n with b > 0 and a within half of it
void cc_roots_merge(cc_alg *g, cc_xsolutions *s);                                 // families that are one, and what others contain
size_t cc_roots_real(cc_alg *g, const cc_xsolutions *s, cc_xp *real, bool *sure); // the real ones; not sure: others may be real

// Which members of a family hold: adds those to `out`, with conditions on their integer where it needs them. False: not found.
typedef struct cc_members {
    cc_alg *g;
    cc_xp family, n; // n: its integer
    unsigned multiplicity;
    const cc_xp *special; // values near which members are tried: where something can change
    size_t n_special;
    cc_truth (*holds)(struct cc_members *q, cc_xp member);
    void *ctx;
    cc_roots *out;
} cc_members;
bool cc_roots_members(cc_members *q);

int cc_roots_compare(cc_alg *g, cc_xp a, cc_xp b); // the order of that; 0 also where it is not known
void cc_roots_sort(cc_alg *g, cc_xsolutions *s);   // the real ones first, ascending; of others by their real part

// Roots of f = 0 in v, f any expression; recursive. False: not found (r then holds nothing that may be used).
bool cc_solve_zero(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth);
// f holds powers that nobody would want multiplied out or factored.
bool cc_solve_is_high(cc_xp f, cc_xp v);

// ---- polynomial.c ----
// Roots of the sum of c[i] * v**i with multiplicities. Rational coefficients: all, exactly, as radicals where these are short, else
// CRootOf.
bool cc_solve_polynomial(cc_alg *g, const cc_xp *c, slong degree, cc_xp v, cc_roots *r);

// ---- invert.c ----
// F(u) = c, u an expression in v, for one function, power or exponential F of an inner expression: the inner expression equals each of
// `values` (which may hold an integer dummy). *complete says whether these are all. What parameters in c must not be becomes a condition of
// the call.
bool cc_solve_invert(cc_alg *g, cc_xp outer, cc_xp v, cc_xp c, cc_xp *inner, cc_xp *values, size_t *n, bool *complete);
#define CC_INVERSES 8

// ---- trigonometric.c ----
bool cc_solve_trigonometric(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth);

// ---- lambert.c ----
bool cc_solve_lambert(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r);

// ---- radical.c ----
// Equations with roots of expressions in v: candidates by elimination, each to be checked by the caller.
bool cc_solve_radical(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth);
// Absolute values and signs of real v: every combination of signs, checked.
bool cc_solve_absolute(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth);

// ---- pieces.c ----
// Piecewise and Heaviside of real v.
bool cc_solve_pieces(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth);
// floor(u) = c, ceiling(u) = c, Mod(u, m) = c: adds the roots in v, or the set of them. False: not found.
bool cc_solve_is_step(cc_xp t);
bool cc_solve_step(cc_alg *g, cc_xp t, cc_xp c, cc_xp v, cc_roots *r, unsigned depth);

// ---- real_roots.c ----

// The real zeros of a function of v alone on [lower, upper], isolated: in each interval exactly one, proven by a change of sign and a
// derivative that is not zero there. The enclosures are refined to `bits` relative bits.
typedef struct cc_real_roots {
    arb_ptr at; // n enclosures, ascending; owned, freed by cc_real_roots_clear
    size_t n;
    bool complete;   // every other part of [lower, upper] is proven to hold none
    bool everywhere; // that is the whole line, without an end
    cc_str unsure;   // where it could not be decided (multiple zeros, poles): "near 0, 1.5"
} cc_real_roots;
bool cc_solve_real_roots(cc_alg *g, cc_xp f, cc_xp v, const arb_t lower, const arb_t upper, slong bits, cc_real_roots *out);
// The same on the whole line, or as far as |v| < 2**1000.
bool cc_solve_all_real_roots(cc_alg *g, cc_xp f, cc_xp v, slong bits, cc_real_roots *out);
void cc_real_roots_clear(cc_real_roots *r);
// f has functions that jump without a pole: no zeros are isolated.
bool cc_solve_jumps(cc_xp f);
// f = 0 is proven to have infinitely many real roots.
bool cc_solve_endless(cc_alg *g, cc_xp f, cc_xp v);

// ---- inequality.c ----

// The real v for which a condition (an inequality, or several with and/or) holds, as a condition built from v < c, c < v, v = c: TRUE: all;
// FALSE: none. NULL: not found.
cc_xp cc_solve_inequality(cc_alg *g, cc_xp condition, cc_xp v);
// A period of a condition that depends on v by circular functions alone; NULL: it is none.
cc_xp cc_solve_period(cc_alg *g, cc_xp condition, cc_xp v);

// ---- groebner.c ----

#define CC_BASIS_MOST 200

typedef struct cc_basis {
    cc_xp of[CC_BASIS_MOST]; // primitive, with a positive leading coefficient
    size_t n;
    bool polynomials; // f are, with rational coefficients
    bool parameters;  // there are symbols that are no variables: they come after these in the order
} cc_basis;
// The reduced Gröbner basis of the polynomials f for vars[0] > vars[1] > …, lexicographic or by degree (reverse lexicographic). False: they
// are none, or it is too large.
bool cc_solve_groebner(cc_alg *g, const cc_xp *f, size_t n, const cc_xp *vars, size_t k, bool lex, cc_basis *out);

// ---- system.c ----

// Solutions of several equations in several variables.
typedef struct cc_xsystem {
    size_t n_vars, n;
    cc_xp *values;            // n rows of n_vars: what each variable is; NULL = free (the others are given by it)
    bool complete;            // no other solution exists
    bool found;               // false: no method applied
    bool linear, substituted; // how: by elimination, by solving for one variable after the other, else by a basis
} cc_xsystem;
// equations: relations of equality, or expressions that are to be 0. 0, or -1 with *g->err.
int cc_solve_system(cc_alg *g, const cc_xp *equations, size_t n, const cc_xp *vars, size_t n_vars, cc_xsystem *out);

#endif
