// Integration: what the methods share. Private to src/math/integrate; the outside sees cc_x_antiderivative, cc_x_integral and
// cc_x_quadrature of expr.h.
//
// A method is a function that is given an integrand and returns a candidate antiderivative, or NULL when it has none (an error, if any, is
// in g->err). It may be wrong about branches: search.c differentiates what the methods return and drops what does not give the integrand
// back. To add one: write it in a file of its own and name it in the table of search.c.
#ifndef CODECALC_MATH_INTEGRATE_INTEGRATE_H
#define CODECALC_MATH_INTEGRATE_INTEGRATE_H

// first: gr.h declares its ring only then
#include <flint/fmpz_mpoly_q.h>

#include <flint/fmpz_mpoly_factor.h>
#include <flint/gr.h>
#include <flint/gr_poly.h>
#include <flint/ulong_extras.h>

#include "math/expr/expr.h"

#define CC_INT_DEPTH    14   // of nested integrals
#define CC_INT_MAX_SIZE 4000 // nodes of an integrand
#define CC_INT_KNOWN    4096 // a power of two

typedef struct cc_int {
    cc_alg *g;
    unsigned depth;
    unsigned in_trig; // within trigonometric substitutions, whose elliptic integrals were sought before
    cc_xp dummy[2];   // the variables of substitutions in turn, so that equal subproblems are the same expressions
    struct {
        cc_xp f, v, F;
        unsigned depth;
    } known[CC_INT_KNOWN]; // what was found; F NULL: nothing, at that depth
    struct {
        cc_xp f, v;
    } open[CC_INT_DEPTH + 2]; // being worked on, against circles
} cc_int;

// An antiderivative of f in v by any method, NULL = not found. For methods: parts of their own problem.
cc_xp cc_int_find(cc_int *in, cc_xp f, cc_xp v);
// x with u (and its powers) replaced by U; what else contains v stays.
cc_xp cc_int_in_terms(cc_alg *g, cc_xp x, cc_xp v, cc_xp u, cc_xp U);
// A variable other than v for a substitution. It may be one that is in use further out.
cc_xp cc_int_variable(cc_int *in, cc_xp v);
// F' = f at independent points. CC_TRUE: at all of enough points; CC_FALSE: at one it differs; else CC_UNDECIDED. *positive_only: so for
// positive values of the other symbols, and not for all.
cc_truth cc_int_agrees(cc_alg *g, cc_xp F, cc_xp f, cc_xp v, bool *positive_only);

// The derivative, with factors that are constant between branch points recognised before elliptic integrals.
cc_xp cc_int_derivative(cc_alg *g, cc_xp F, cc_xp v);

// An antiderivative of f with impulses DiracDelta in it, by steps Heaviside; no other method may see such an f, since at points it is that
// without them (impulse.c).
cc_xp cc_int_steps(cc_alg *g, cc_xp f, cc_xp v, const char **graded);

// States as conditions that what F divides by, and f does not, is not zero (conditions.c).
void cc_int_state_conditions(cc_alg *g, cc_xp F, cc_xp f, cc_xp v);

bool cc_int_has_elliptic(cc_xp x);
// x is constant in v between branch points.
bool cc_int_locally_constant(cc_alg *g, cc_xp x, cc_xp v);

// f without Abs, sign, floor, Piecewise …, as what it is for the values of env (a piece of an interval); NULL when that is not decided
// there.
cc_xp cc_int_resolve(cc_alg *g, cc_xp f, const cc_xenv *env, slong prec);

// x is proven analytic in v on the ball that env gives v; line: along the real line there.
bool cc_int_regular(cc_alg *g, cc_xp x, cc_xp v, const cc_xenv *env, slong prec, bool line);
// x is proven continuous at the constant p, from either side.
bool cc_int_continuous(cc_alg *g, cc_xp x, cc_xp v, cc_xp p);

// ---- methods ----

cc_xp cc_int_rational(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_table(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_exptrig(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_gaussian(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_substitute(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_roots(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_elliptic(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_elliptic_trig(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_quadratic_root(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_binomial(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_trig(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_hyperbolic(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_powers(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_exp_of_inverse(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_exp_of_inverse_late(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_bases(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_shift(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_euler(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_product_log(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_inverse(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_parts(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_dilogarithm(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_polyexp(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_polyexp_early(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_phases(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_half_angle(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_two_powers(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_conjugate_powers(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_wave_powers(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_growth(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_logarithm(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_logarithm_late(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_split_logs(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_power_parts(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_norman(cc_int *in, cc_xp f, cc_xp v);
cc_xp cc_int_hypergeometric(cc_int *in, cc_xp f, cc_xp v);

// The integral in v of h, a polynomial in v with rational functions of E as coefficients, where E' = E (polyexp.c).
cc_xp cc_int_chain(cc_alg *g, cc_xp h, cc_xp v, cc_xp E);
// The integral of exp(a + b*v + c*v**2), c != 0 (table.c).
cc_xp cc_int_of_gaussian(cc_alg *g, cc_xp a, cc_xp b, cc_xp c, cc_xp v);
// The integral of v**m*exp(rate*exponent), the exponent a + b*v**n; NULL: it is not, or others find it (table.c).
cc_xp cc_int_exp_of_power(cc_alg *g, cc_xp m, cc_xp exponent, cc_xp rate, cc_xp v);

// ---- helpers (help.c) ----

static inline bool cc_int_free(cc_xp x, cc_xp v) { return !cc_x_has(x, v); }
// The first part of x that is fn of something with v, further arguments free of v; NULL: there is none.
cc_xp cc_int_find_fun(cc_xp x, cc_xfn fn, cc_xp v);
// f as a polynomial in v of degree <= most: its coefficients c[0 .. most], expressions free of v.
bool cc_int_polynomial(cc_alg *g, cc_xp f, cc_xp v, slong most, cc_xp *c);
// f = a + b*v with a, b free of v.
bool cc_int_linear(cc_alg *g, cc_xp f, cc_xp v, cc_xp *a, cc_xp *b);
// f = a + b*v + c*v**2.
bool cc_int_quadratic(cc_alg *g, cc_xp f, cc_xp v, cc_xp *a, cc_xp *b, cc_xp *c);
// num/den = sum(quotient[i] * v**i, i <= most) + *proper.
bool cc_int_divide(cc_alg *g, cc_xp num, cc_xp den, cc_xp v, slong most, cc_xp *quotient, cc_xp *proper);
// An expression whose square is x: perfect squares are taken out, of whatever sign.
cc_xp cc_int_square_root(cc_alg *g, cc_xp x);
// sinc(u) as sin(u)/u.
cc_xp cc_int_without_sinc(cc_alg *g, cc_xp x);
// x begins with a minus sign when written.
bool cc_int_minus(cc_xp x);
// Hyperbolic functions by exponentials.
cc_xp cc_int_hyperbolic_by_exp(cc_alg *g, cc_xp x, cc_xp v);
// Trigonometric functions by the tangent of half the common argument; NULL: the arguments have none.
cc_xp cc_int_half_tangent(cc_alg *g, cc_xp x, cc_xp v);
// f with its trigonometric functions by s = sin(w) and c = cos(w), w linear in v (imaginary for hyperbolic ones); NULL: their arguments
// have nothing in common, or there are none.
cc_xp cc_int_circle(cc_alg *g, cc_xp f, cc_xp v, cc_xp s, cc_xp c, cc_xp *w);
// f, rational in `from` and unchanged by its sign, with from**2 replaced by square; NULL: it is not.
cc_xp cc_int_even_in(cc_alg *g, cc_xp f, cc_xp from, cc_xp square);
// Sum and product of several, for formulas.
#define CC_SUM(g, ...)  cc_x_addn(g, (const cc_xp[]){__VA_ARGS__}, sizeof((const cc_xp[]){__VA_ARGS__}) / sizeof(cc_xp))
#define CC_PROD(g, ...) cc_x_muln(g, (const cc_xp[]){__VA_ARGS__}, sizeof((const cc_xp[]){__VA_ARGS__}) / sizeof(cc_xp))

// f = polynomial + sum of coefficient/(v - root)**order (poles.c).
enum { CC_INT_POLES = 48, CC_INT_POLE_DEGREE = 60 };
typedef struct cc_poles {
    struct {
        cc_xp root, coefficient;
        slong order;
    } at[CC_INT_POLES];
    size_t n;
    cc_xp polynomial[CC_INT_POLE_DEGREE + 1];
    slong degree; // -1: there is none
} cc_poles;
// false: f is not rational in v, or its denominator has factors of degree above 2 over Q(constants).
bool cc_int_poles(cc_alg *g, cc_xp f, cc_xp v, cc_poles *p);

// sin, cos, tan … by the sine and cosine of the argument, sinh, cosh, tanh … by those of the hyperbola.
cc_xp cc_int_wave(cc_alg *g, cc_xfn fn, cc_xp s, cc_xp c);

// ---- the field of rational functions that an integrand lives in (field.c) ----

// Q(gens): generators are expressions that are not rational functions of others: symbols, constants that are no rationals, functions, and
// roots base**(m/q) with the least q that serves all powers of base that occur. gens[0] is the variable; the last is free for use (an
// auxiliary variable that stands for no expression).
typedef struct cc_field {
    cc_alg *g;
    fmpz_mpoly_ctx_t ctx;
    cc_xp *gens;
    struct cc_field_gen {
        cc_xp base, unit; // gens[i] = base ** (unit/q); base NULL: gens[i] is an atom
        slong q;
    } * how;
    size_t n;
} cc_field;

// The field of these expressions. false: too many generators, or an error; nothing is to be cleared then.
bool cc_field_init(cc_field *F, cc_alg *g, cc_xp first, const cc_xp *exprs, size_t n);
void cc_field_clear(cc_field *F);
// x in the field (out is initialised by the caller); false when it is not in it, or too large.
bool cc_field_get(cc_field *F, fmpz_mpoly_q_t out, cc_xp x);
cc_xp cc_field_poly(cc_field *F, const fmpz_mpoly_t p);
cc_xp cc_field_expr(cc_field *F, const fmpz_mpoly_q_t q);
// Factored: c * product of powers.
cc_xp cc_field_factored(cc_field *F, const fmpz_mpoly_q_t q);
// x as numerator and denominator over common generators, cancelled; x itself when it cannot be.
cc_xp cc_int_normal(cc_alg *g, cc_xp x, cc_xp v);
// The same with numerator and denominator expanded: x**4 - 1 stays a polynomial in x**2.
cc_xp cc_int_expanded(cc_alg *g, cc_xp x, cc_xp v);
// x with the sums inside functions and roots in that form.
cc_xp cc_int_normal_inside(cc_alg *g, cc_xp x, cc_xp v);

#endif
