// Inside of src/math/simplify: how an expression becomes a rational function of generators. An "atom" is what generators are made for: a
// base with a family of exponents, or an angle with its multiples. Atoms are gathered in a first pass over the expression, which finds the
// common measure of the exponents (x**(1/2) and x**(1/3): the generator is x**(1/6)); the second pass computes. Included by no other
// folder.
#ifndef CODECALC_MATH_SIMPLIFY_RATIO_H
#define CODECALC_MATH_SIMPLIFY_RATIO_H

#include "math/expr/expr.h"

// How far functions are taken apart. Zero of them: sin(x) and cos(x) stay what they are, and arguments are left alone.
enum {
    CC_FORM_EXP = 1,        // trigonometric and hyperbolic functions by exponentials, sums in their arguments taken apart
    CC_FORM_GAMMA = 2,      // factorials, binomials and gammas of arguments that differ by integers by one gamma
    CC_FORM_LOG = 4,        // logarithms of products taken apart where that is valid
    CC_FORM_ARGS = 8,       // arguments of functions in this same form
    CC_FORM_COS_FIRST = 16, // cos**2 is replaced by 1 - sin**2 instead of sin**2 by 1 - cos**2 (likewise cosh)
    CC_FORM_KEEP = 32,      // trigonometric and hyperbolic functions are generators of their own
    CC_FORM_FREE = 64,      // no relation is used
    CC_FORM_PLAIN = CC_FORM_KEEP | CC_FORM_FREE,
    CC_FORM_ZERO = CC_FORM_EXP | CC_FORM_GAMMA | CC_FORM_LOG | CC_FORM_ARGS,
};

#define CC_RATIO_MAX_ATOMS 200
#define CC_RATIO_MAX_TERMS 60000 // of a polynomial
#define CC_RATIO_MAX_GCD   12000 // terms * generators of a polynomial of which a greatest common divisor is taken with another of this size

typedef enum cc_atom_kind {
    CC_ATOM_POWER, // base ** (multiple * mono); mono NULL = 1
    CC_ATOM_ROOT,  // base ** multiple where base ** 1 is a polynomial in other generators, or a number
    CC_ATOM_TRIG,  // functions of the angle multiple * base
    CC_ATOM_HYPER,
    CC_ATOM_GAMMA, // gamma(base + integer)
} cc_atom_kind;

typedef struct cc_atom {
    cc_atom_kind kind;
    cc_xp base, mono;
    fmpq_t step; // the generator is base ** (step * mono); a positive rational
    bool sine;   // sin, cos, sec or csc of the angle occurs (else only tan and cot)
    bool other;  // CC_ATOM_GAMMA: not only factorials
    slong low;   // CC_ATOM_GAMMA: least integer seen
    bool seen;   // .low is set
    slong gen;   // its first generator
} cc_atom;

typedef struct cc_builder {
    cc_alg *g;
    unsigned form;
    bool scanning;
    bool failed;
    unsigned depth; // of functions that became others
    cc_atom *atoms;
    size_t n_atoms;
    fmpz_mpoly_ctx_struct *ctx; // of the result; while scanning, one without variables
    cc_xrule *rules;
    size_t n_rules;
} cc_builder;

// x in that form. false: error, too large, infinite, or a division by what is zero (no error).
bool cc_ratio_make(cc_alg *g, cc_xratio *out, cc_xp x, unsigned form);
// The same as an expression: NULL when it could not be made (no error). Memoized.
cc_xp cc_ratio_form(cc_alg *g, cc_xp x, unsigned form);
// A polynomial over the generators of r, divided by `over` when that is not NULL.
cc_xp cc_ratio_poly(cc_alg *g, const cc_xratio *r, const fmpz_mpoly_t p, const fmpz_t over);

// ---- arithmetic that fails softly and reduces (reduce.c); while scanning it does nothing ----
void cc_ratio_add(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_mpoly_q_t y);
void cc_ratio_mul(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_mpoly_q_t y);
void cc_ratio_pow(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_t n);
void cc_ratio_reduce(cc_builder *b, fmpz_mpoly_q_t x);

// ---- conversion (convert.c, kernels.c) ----
void cc_ratio_convert(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x);
// out *= base ** (multiple * mono)
void cc_ratio_times_power(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, const fmpq_t multiple, cc_xp mono);
// The same for a base that is its own generator.
void cc_ratio_times_atom(cc_builder *b, fmpz_mpoly_q_t out, cc_atom_kind kind, cc_xp base, const fmpq_t multiple, cc_xp mono);
// out *= base ** (factor * exponent); factor may be NULL
void cc_ratio_times_general(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, cc_xp factor, cc_xp exponent);
// out *= exp(c * mono) when mono is an inverse function (of I) of which that is algebraic; false when it is none.
bool cc_ratio_times_inverse(cc_builder *b, fmpz_mpoly_q_t out, const fmpq_t c, cc_xp mono);
// out *= a * b as (r - s)**w * (r + s)**w when base is r**2 - s**2 and this is valid; false when it is not of that kind.
bool cc_ratio_times_split(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, const fmpq_t multiple, cc_xp mono);
// A function of arguments.
void cc_ratio_function(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x);
// A function that is its own generator, with its arguments in the form of the builder; NULL when it is taken apart.
cc_xp cc_ratio_opaque(cc_builder *b, cc_xp x);
// The atom, registered while scanning; NULL (and failed) when there are too many.
cc_atom *cc_ratio_atom(cc_builder *b, cc_atom_kind kind, cc_xp base, cc_xp mono);
// out = generator of a ** n
void cc_ratio_gen_power(cc_builder *b, fmpz_mpoly_q_t out, slong gen, const fmpz_t n);
// The argument of the absolute value x when it is known to be real, else NULL.
cc_xp cc_ratio_real_abs(cc_alg *g, cc_xp x);
// x = c * rest, with the rational content of a sum taken out as well (its first term then has a positive coefficient).
void cc_ratio_content(cc_alg *g, cc_xp x, fmpq_t c, cc_xp *rest);
// An argument in the form of the builder.
cc_xp cc_ratio_argument(cc_builder *b, cc_xp x);

#endif
