// Exact real numbers: a rational, or a node of a graph of operations on reals that evaluates to an enclosure of any precision
// (ball.c) and to a Calcium number (exact.c). Private to src/math. Who calls it: the calculator; later the algebra.
//
// A cc_reals owns every number of one evaluation, and cc_reals_clear frees them all. Functions that make numbers return NULL
// with *r->err set when a size would pass its limit, a domain is left, or a sign cannot be decided.
#ifndef CODECALC_MATH_REAL_H
#define CODECALC_MATH_REAL_H

#include <gmp.h>
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpq.h>
#include <flint/fmpz_poly.h>
#include <flint/arb.h>
#include <flint/ca.h>

#include "codecalc/math.h"

// fmpq_t is an array of one struct whose first member has the same address: after a use of the numerator, gcc 12 to 14 take
// the address of the whole for that of the member and warn of an overread in every fmpq_… call.
#pragma GCC diagnostic ignored "-Wstringop-overread"

#define CC_MAX_BITS       (1L << 25) // of a numerator or denominator: ten million digits
#define CC_MAX_REALS      200000     // numbers of one evaluation
#define CC_MAX_TOTAL_BITS 2e9        // of all of them together
#define CC_MAX_REAL_DEPTH 2000       // of the graph, because it is walked recursively
#define CC_SIGN_PREC      (1L << 17) // bits of the last enclosure before a sign is called undecided
#define CC_SLOW_SIGN_PREC (1L << 14) // the same for functions whose enclosures take seconds at more

typedef enum cc_real_op {
    CC_R_RAT,
    CC_R_PI,
    CC_R_EULER, // 0.5772…
    CC_R_ADD,
    CC_R_MUL,  // a rational factor stands in .a
    CC_R_POWI, // a ** n, n any integer but 0 and 1; a is not zero when n < 0
    CC_R_ROOT, // n-th root of a > 0
    CC_R_POW,  // a ** b, a > 0
    CC_R_EXP,
    CC_R_LOG, // a > 0
    CC_R_SIN,
    CC_R_COS,
    CC_R_TAN,
    CC_R_ASIN,
    CC_R_ACOS,
    CC_R_ATAN,
    CC_R_SINH,
    CC_R_COSH,
    CC_R_TANH,
    CC_R_ASINH,
    CC_R_ACOSH,
    CC_R_ATANH,
    CC_R_GAMMA,
    CC_R_LGAMMA,
    CC_R_DIGAMMA,
    CC_R_ERF,
    CC_R_ERFC,
    CC_R_ERFI,
    CC_R_ZETA,
} cc_real_op;

enum { CC_CA_DIRECT, CC_CA_EXPONENTIAL, CC_CA_MODES };

typedef struct cc_real {
    cc_real_op op;
    uint32_t depth;
    uint32_t root_nest; // how deep roots of irrational numbers are nested
    uint32_t mark;      // of the last walk that visited it
    int16_t sign;       // -1, 0, 1; 2 = not determined yet, 3 = tried and undecided
    long n;
    struct cc_real *a, *b;
    fmpq_t q;        // CC_R_RAT
    slong ball_prec; // 0 = ball is not initialised
    arb_t ball;
    ca_struct *ca[CC_CA_MODES]; // NULL = not computed
    bool hopeless;              // a search for a rational value failed
    bool slow;                  // gamma, zeta and the like of general arguments are inside
} cc_real;

typedef struct cc_reals {
    cc_arena *arena;
    cc_error *err;
    const volatile sig_atomic_t *stop;
    cc_real **all;
    size_t n, cap;
    double bits;      // of the rationals so far
    slong max_prec;   // bits of the last enclosure before a sign is called undecided; 0 = the limits above
    slong tried_bits; // of the last enclosure of the number whose sign was left undecided last
    uint32_t mark;
    bool has_ca[CC_CA_MODES];
    ca_ctx_t ca[CC_CA_MODES];
    ulong exp_lcm; // denominators of the rational arguments of exp that the Calcium values were computed with
} cc_reals;

void cc_reals_init(cc_reals *r, cc_arena *arena, cc_error *err, const volatile sig_atomic_t *stop);
void cc_reals_clear(cc_reals *r);
// 0, or -1 with CC_TIMEOUT when the call shall stop.
int cc_reals_poll(cc_reals *r);

// ---- making numbers (real.c, elementary.c) ----

cc_real *cc_real_si(cc_reals *r, slong n);
cc_real *cc_real_frac(cc_reals *r, slong p, ulong q);
cc_real *cc_real_fmpz(cc_reals *r, const fmpz_t n);
cc_real *cc_real_fmpq(cc_reals *r, const fmpq_t q);
cc_real *cc_real_const(cc_reals *r, cc_real_op op); // CC_R_PI, CC_R_EULER
cc_real *cc_real_node(cc_reals *r, cc_real_op op, cc_real *a, cc_real *b, long n);
cc_real *cc_real_add(cc_reals *r, cc_real *a, cc_real *b);
cc_real *cc_real_sub(cc_reals *r, cc_real *a, cc_real *b);
cc_real *cc_real_neg(cc_reals *r, cc_real *a);
cc_real *cc_real_mul(cc_reals *r, cc_real *a, cc_real *b);
cc_real *cc_real_mul_si(cc_reals *r, cc_real *a, slong n);
cc_real *cc_real_div(cc_reals *r, cc_real *a, cc_real *b); // division by zero is an error
cc_real *cc_real_powi(cc_reals *r, cc_real *a, slong n);
cc_real *cc_real_root(cc_reals *r, cc_real *a, long n);    // n >= 1; a >= 0 when n is even
cc_real *cc_real_pow(cc_reals *r, cc_real *a, cc_real *b); // a > 0
cc_real *cc_real_exp(cc_reals *r, cc_real *a);
cc_real *cc_real_log(cc_reals *r, cc_real *a); // a > 0
cc_real *cc_real_sin(cc_reals *r, cc_real *a);
cc_real *cc_real_cos(cc_reals *r, cc_real *a);
cc_real *cc_real_tan(cc_reals *r, cc_real *a);  // a pole is an error
cc_real *cc_real_asin(cc_reals *r, cc_real *a); // |a| <= 1
cc_real *cc_real_acos(cc_reals *r, cc_real *a);
cc_real *cc_real_atan(cc_reals *r, cc_real *a);
// The functions without special care: sinh … zeta.
cc_real *cc_real_func(cc_reals *r, cc_real_op op, cc_real *a);
cc_real *cc_real_abs(cc_reals *r, cc_real *a);

// "is a rational" without effort, and with it (Calcium; the node is then turned into the rational).
static inline bool cc_real_is_rat(const cc_real *x) { return x->op == CC_R_RAT; }
bool cc_real_is_int(const cc_real *x); // of a rational node
bool cc_real_find_rat(cc_reals *r, cc_real *x);
bool cc_real_is_irrational(cc_reals *r, cc_real *x); // proven; false also when it is not known

// ---- deciding (exact.c) ----

// The sign of x in *sign. 0, or -1 when it could not be decided (no error is set) or the call shall stop (error set; see stop).
int cc_real_try_sign(cc_reals *r, cc_real *x, int *sign);
// The same, undecided being an error that says what was tried.
int cc_real_sign(cc_reals *r, cc_real *x, int *sign);
// floor(x) as a rational node.
cc_real *cc_real_floor(cc_reals *r, cc_real *x);
// An enclosure at about prec bits of working precision. Owned by the node, valid until the next call on the same node.
arb_srcptr cc_real_ball(cc_reals *r, cc_real *x, slong prec);
// The only integer in x, when there is one and it has at most CC_MAX_BITS bits. (FLINT's own function aborts on huge and on tiny numbers.)
bool cc_arb_unique_integer(fmpz_t out, const arb_t x);
// x in Calcium, NULL when it is too large to ask without risk of running away, or Calcium cannot tell. Owned by the node.
ca_srcptr cc_real_ca(cc_reals *r, cc_real *x, int mode);
// Calcium's context of the direct mode, for numbers that come from elsewhere.
ca_ctx_struct *cc_real_context(cc_reals *r);

// ---- text (show.c, readback.c, decimal.c) ----

// The exact form, SymPy style; empty when it would be too long to read.
cc_str cc_real_show(cc_reals *r, cc_real *x);
// x simplified by Calcium and read back as a number, NULL when there is no readable form.
cc_real *cc_real_simplify(cc_reals *r, cc_real *x);
// A real Calcium number of the direct context as a number of the graph, NULL when there is no readable form.
cc_real *cc_real_read(cc_reals *r, ca_srcptr x);
// Proven cheaply: the roots of this irreducible polynomial have no readable form. false: not known.
bool cc_real_no_formula(const fmpz_poly_t p);
// A decimal with at most `digits` significant digits, correctly rounded (half to even; every digit proven). *rounded says
// whether it is not the exact value. 0, or -1 with *err when the number could not be enclosed tightly enough.
int cc_real_decimal(cc_reals *r, cc_real *x, long digits, cc_str *out, bool *rounded);
// The decimal of every number in a ball without zero, when they all have the same at `digits` significant digits; else false.
// *huge: the exponent is beyond what is written.
bool cc_arb_decimal(cc_arena *a, const arb_t x, long digits, cc_str *out, bool *huge);
// All digits of a rational p/q.
cc_str cc_fmpq_text(cc_arena *a, const fmpq_t q);
cc_str cc_fmpz_text(cc_arena *a, const fmpz_t n);
size_t cc_fmpz_digits(const fmpz_t n); // decimal digits of |n|

#endif
