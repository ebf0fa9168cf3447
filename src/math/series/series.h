// What the files of this folder share: generalized power series, and limits at infinity by Gruntz's algorithm. The face is cc_x_limit,
// cc_x_series and cc_x_leading_term in math/expr/expr.h. A function that finds nothing returns false or NULL and sets no error.
#ifndef CODECALC_MATH_SERIES_SERIES_H
#define CODECALC_MATH_SERIES_SERIES_H

#include "math/expr/expr.h"

// ---- power.c: arithmetic of truncated series in w → 0+ ----

// The sum of c[i] * w**e[i], exponents real, free of variables of ours, in ascending order, coefficients free of w; `order` is an exponent
// below which no term is missing, NULL when none is missing at all. Coefficients may hold slower functions and the symbol for log(w).
typedef struct cc_ps {
    cc_xp *c, *e;
    size_t n;
    cc_xp order;
} cc_ps;

// What a series is computed with.
typedef struct cc_ps_context {
    cc_alg *g;
    cc_xp w;
    cc_xp log_w;     // stands for log(w) in coefficients
    size_t keep;     // terms kept at most
    cc_xp x;         // a variable that grows while w falls, in coefficients (Gruntz); NULL: coefficients are constants or parameters
    bool *one_sided; // set, if not NULL, when something was used that holds for w > 0 only: sqrt(w**2) = w
    bool *unsure;    // set when two exponents could not be compared: nothing that was computed may then be used
} cc_ps_context;

cc_ps cc_ps_constant(const cc_ps_context *s, cc_xp c);
cc_ps cc_ps_term(const cc_ps_context *s, cc_xp c, cc_xp e);
cc_ps cc_ps_add(const cc_ps_context *s, const cc_ps *a, const cc_ps *b);
cc_ps cc_ps_mul(const cc_ps_context *s, const cc_ps *a, const cc_ps *b);
cc_ps cc_ps_scale(const cc_ps_context *s, const cc_ps *a, cc_xp c, cc_xp shift); // times c * w**shift
cc_ps cc_ps_derivative(const cc_ps_context *s, const cc_ps *a);
// Termwise antiderivative without constant; false when it holds 1/w or powers of log(w).
bool cc_ps_integral(const cc_ps_context *s, const cc_ps *a, cc_ps *out);
// sum of t[k] * u**k, all exponents of u positive.
cc_ps cc_ps_compose(const cc_ps_context *s, const cc_xp *t, size_t n, const cc_ps *u);
// Drops leading coefficients that are zero. False when that is undecided for the first one, or no term is left and order is known:
// then more terms are needed.
bool cc_ps_settle(const cc_ps_context *s, cc_ps *a);
int cc_ps_compare(const cc_ps_context *s, cc_xp a, cc_xp b); // of exponents: -1, 0, 1; 2 = undecided, and *s->unsure is set
// a**r, exp(a), log(a). False: no such series.
bool cc_ps_power(const cc_ps_context *s, const cc_ps *a, cc_xp r, cc_ps *out);
bool cc_ps_exp(const cc_ps_context *s, const cc_ps *a, cc_ps *out);
bool cc_ps_log(const cc_ps_context *s, const cc_ps *a, cc_ps *out);
// A leading coefficient on the cut of log and powers: the first term off the real axis says on which side the values lie.
// 0 = upper side, on the cut itself or not near it, 1 = below; -1 = not known.
int cc_ps_side_of_cut(const cc_ps_context *s, const cc_ps *a);
// The constant part (c0) and the rest with positive exponents; false when a has negative exponents or its order is not positive.
bool cc_ps_split(const cc_ps_context *s, const cc_ps *a, cc_xp *c0, cc_ps *rest);

// c holds what stands for the sine or cosine of a growing argument (oscillate.c): bounded, but perhaps zero again and again.
bool cc_ps_oscillates(const cc_ps_context *s, cc_xp c);

// ---- expand.c ----

// f as a series in w. False: not found, or more terms are needed (then *more).
bool cc_ps_expand(const cc_ps_context *s, cc_xp f, cc_ps *out, bool *more);
// Whether the terms of f, which is a as a series, suffice to tell on which side of the cut of log and powers its values lie: one off the
// real axis is among them, or f is real. False: more terms are needed (then *more).
bool cc_ps_cut_is_seen(const cc_ps_context *s, cc_xp f, const cc_ps *a, bool *more);
// The first term of f, with as many terms as that takes.
bool cc_ps_leading(cc_alg *g, cc_xp f, cc_xp w, cc_xp log_w, cc_xp x, cc_xp *c, cc_xp *e);
// The sign of a real coefficient near w = 0: -1, 0, 1; 2 = unknown.
int cc_ps_sign(const cc_ps_context *s, cc_xp c);

// ---- rational.c ----

// f as a series in w with rational coefficients and whole exponents, known at least to w**n, by working with up to `most` terms. False: f
// has none, or it was not reached.
bool cc_series_rational(cc_alg *g, cc_xp f, cc_xp w, slong n, slong most, cc_ps *out);

// ---- functions.c ----

// Series of a function of the table at arguments that were expanded. False: not found.
bool cc_ps_function(const cc_ps_context *s, cc_xp f, const cc_ps *args, cc_ps *out, bool *more);

// Expands an expression that a law gives for a function; it holds w through the arguments.
bool cc_ps_by_law(const cc_ps_context *s, cc_xp law, cc_ps *out, bool *more);
// Taylor in the argument number `at`, whose series is c0 + u; the others are constants.
bool cc_ps_taylor(const cc_ps_context *s, cc_xp f, size_t at, cc_xp c0, const cc_ps *u, cc_ps *out);
// The sign of a real series near 0: -1, 0, 1; 2 = unknown.
int cc_ps_series_sign(const cc_ps_context *s, const cc_ps *a, bool *more);
bool cc_ps_is_real(const cc_ps_context *s, const cc_ps *a);
// An inverse function at a → c0, where it is at_c0, from its derivative (1 ± a**2)**power times sign.
bool cc_ps_inverse(const cc_ps_context *s, cc_xfn fn, cc_xp at_c0, const cc_ps *a, cc_ps *out);
// harmonic(z[, m]) by polygamma functions; NULL: no such law.
cc_xp cc_harmonic_law(cc_alg *g, cc_xp f);

// ---- singular.c ----

// f at an argument a that grows.
bool cc_ps_at_infinity(const cc_ps_context *s, cc_xp f, const cc_ps *a, cc_ps *out, bool *more);
// f at a = c0 + u, where it is not analytic at c0.
bool cc_ps_singular(const cc_ps_context *s, cc_xp f, const cc_ps *a, cc_xp c0, const cc_ps *u, cc_ps *out, bool *more);

// ---- tails.c: what is left of special functions for large arguments when their exponential factor is taken out ----

// erfc(z) exp(z**2), erfi(z) exp(-z**2) and Ei(z) exp(-z), Ai(z), Bi(z), besseli(n, z), besselk(n, z), uppergamma(n, z) likewise: functions
// of this folder alone (applied names that no input can have). EXP is exp(z) itself, hidden from the constructors: these would make
// exp(n*log(m) - n*log(n)) a product of powers whose scales cancel.
typedef enum cc_tail {
    CC_TAIL_ERFC,
    CC_TAIL_ERFI,
    CC_TAIL_EI,
    CC_TAIL_AI,
    CC_TAIL_BI,
    CC_TAIL_BESSELI,
    CC_TAIL_BESSELK,
    CC_TAIL_GAMMA,
    CC_TAIL_EXP,
    CC_TAILS
} cc_tail;
cc_xp cc_tail_of(cc_alg *g, cc_tail which, cc_xp z);
cc_xp cc_tail_airy_exponent(cc_alg *g, cc_xp z); // (2/3) z**(3/2)
cc_xp cc_tail_of2(cc_alg *g, cc_tail which, cc_xp n, cc_xp z);
bool cc_tail_is(cc_xp x, cc_tail *which);
// Its asymptotic series for z → +oo (Ei, erfi: also -oo).
bool cc_tail_series(const cc_ps_context *s, cc_xp f, const cc_ps *z, cc_ps *out);
// f with its tails written as the functions they come from.
cc_xp cc_tail_undo(cc_alg *g, cc_xp f);
// cc_x_is_zero, cc_x_is and cc_x_sign of what f means.
cc_truth cc_tail_is_zero(cc_alg *g, cc_xp f);
cc_truth cc_tail_fact(cc_alg *g, cc_xp f, unsigned fact);
int cc_tail_sign(cc_alg *g, cc_xp f);
// Derivative in v, also of tails.
cc_xp cc_tail_diff(cc_alg *g, cc_xp f, cc_xp v);

// ---- gruntz.c: x → +oo (D. Gruntz, On computing limits in a symbolic manipulation system, ETH 1996) ----

// The limit for x → +oo, x a positive symbol. NULL: not found.
cc_xp cc_gruntz_limit(cc_alg *g, cc_xp f, cc_xp x);
// The sign that f has from some x on: -1, 0, 1; 2 = unknown.
int cc_gruntz_sign(cc_alg *g, cc_xp f, cc_xp x);
// f is real from some x on.
bool cc_gruntz_real(cc_alg *g, cc_xp f, cc_xp x);
// Rewrites f so that it holds only exp, log, powers with constant exponents and functions at arguments that stay finite. NULL: it cannot.
cc_xp cc_gruntz_tractable(cc_alg *g, cc_xp f, cc_xp x);

// ---- oscillate.c ----

// The limit for x → +oo of f that holds sin and cos of arguments that grow. *none: it is proven that there is no limit.
cc_xp cc_oscillating_limit(cc_alg *g, cc_xp f, cc_xp x, bool *none);

// f, which holds what stands for a sine or cosine, stays bounded by what else it holds: no division by, root or logarithm of what may be
// zero.
bool cc_oscillation_bounded(cc_alg *g, cc_xp f);

#endif
