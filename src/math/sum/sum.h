// What the files of this folder share: closed forms of sums and products. The face is cc_x_sum and cc_x_product in math/expr/expr.h.
// A function that finds nothing returns NULL and sets no error.
#ifndef CODECALC_MATH_SUM_SUM_H
#define CODECALC_MATH_SUM_SUM_H

#include "math/expr/expr.h"

// ---- hyper.c ----

// f(k+1)/f(k) for a hypergeometric term: a product of rational functions of k, powers c**(m*k + …) and gamma functions, factorials and
// binomials of linear arguments with integer slopes. Not yet cancelled. NULL: it is none.
cc_xp cc_sum_ratio(cc_alg *g, cc_xp f, cc_xp k);
// A hypergeometric term taken apart: f = rational(k) * base**k * gammas(k), the last without rational functions or pure powers of k.
// False: it is none.
typedef struct cc_term {
    cc_xp rational, base, gammas;
} cc_term;
bool cc_sum_take_apart(cc_alg *g, cc_xp f, cc_xp k, cc_term *out);
// f with gamma(x + n)/gamma(x) written out as rational functions; f itself where there are none.
cc_xp cc_sum_cancel_gammas(cc_alg *g, cc_xp f, cc_xp k);
// f(k+1)/f(k) = lead*(1 + power/k + O(1/k**2)), or lead is oo: for lead 1 the term behaves as k**power. False: not hypergeometric.
bool cc_sum_growth(cc_alg *g, cc_xp f, cc_xp k, cc_xp *lead, cc_xp *power);
// The sign that a hypergeometric term has for all large k; 2: not known, or there is none.
int cc_sum_last_sign(cc_alg *g, cc_xp f, cc_xp k);
// x = slope*k + offset, both free of k. False when it is not linear.
bool cc_sum_linear(cc_alg *g, cc_xp x, cc_xp k, cc_xp *slope, cc_xp *offset);

// ---- gosper.c ----

// z with z(k+1) - z(k) = f, hypergeometric itself (Gosper's algorithm in the form of Petkovsek, Wilf, Zeilberger, "A = B", chapter 5;
// the dispersion from irreducible factors: Man and Wright 1994). Proven by substitution. NULL: there is none.
cc_xp cc_sum_antidifference(cc_alg *g, cc_xp f, cc_xp k);

// ---- rational.c ----

// c[2]*k**2 + c[1]*k + c[0] = c[2]*(k + *h - *t)*(k + *h + *t).
void cc_sum_split_quadratic(cc_alg *g, const cc_xp *c, cc_xp *h, cc_xp *t);
// The sum of a rational function of k from a to b (b may be oo), by partial fractions: values of digamma and polygamma functions
// (Abramowitz and Stegun 6.8), closed where they are known. Divergent sums are oo, -oo.
cc_xp cc_sum_rational(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);
// f(k) = sum of c[i] / (k + q[i])**m[i] over Q(parameters) and square roots; the polynomial part must be 0 unless poly is given.
typedef struct cc_poles {
    cc_xp *c, *q;
    ulong *m;
    size_t n;
} cc_poles;
bool cc_sum_poles(cc_alg *g, cc_xp f, cc_xp k, cc_poles *out, cc_xp *poly);

// ---- powerseries.c ----

// The sum from a to oo of a hypergeometric term as a known function: exponential, geometric, logarithmic, binomial, circular, Bessel,
// polylogarithmic series. Adds the condition of convergence.
cc_xp cc_sum_power_series(cc_alg *g, cc_xp f, cc_xp k, cc_xp a);
// The finite sum with a factor binomial(b, k) from k = 0 to b: the infinite series, which breaks off there by itself.
cc_xp cc_sum_terminating(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);

// ---- recurrent.c ----

// z with z(k+1) - z(k) = f for a polynomial times a power times one sine, cosine, sinh, cosh, Fibonacci or Lucas number of linear
// arguments; adds the condition under which it exists. NULL: f is none, or there is none of this form.
cc_xp cc_sum_recurrent(cc_alg *g, cc_xp f, cc_xp k);
// f with products and powers of sines and cosines as sums; f itself where there are none.
cc_xp cc_sum_linear_circles(cc_alg *g, cc_xp f, cc_xp k);

// ---- fourier.c ----

// The sum to oo of a term with one sine or cosine.
cc_xp cc_sum_fourier(cc_alg *g, cc_xp f, cc_xp k, cc_xp a);

// ---- known.c ----

// The sum of terms t(k) - t(k + h), any functions: what is left at the ends.
cc_xp cc_sum_shifts(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);
// The sum of log(r(k)), r rational and positive throughout.
cc_xp cc_sum_of_logs(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);
// The sum of harmonic(k + j) times a term with an antidifference.
cc_xp cc_sum_harmonic(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);
// The sum of a polynomial (over k + 1 at most) times binomial(n, k) x**k up to k = n.
cc_xp cc_sum_binomial(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);

#endif
