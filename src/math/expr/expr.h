// Symbolic expressions: the kernel that evaluation, simplification, limits, series, integration, solving and summation share.
// Private to src/math. Who calls it: everything below src/math/{expr,simplify,series,integrate,solve,sum}, and src/math/algebra.c,
// which is the face of all this (include/codecalc/algebra.h).
//
// A cc_x is immutable and unique within its cc_alg: equal structure is the same pointer (hash-consing), so `a == b` compares, and
// results can be memoized by pointer. All live until cc_alg_clear. Constructors bring what they make into canonical form (sums and
// products flattened and sorted, like terms and equal bases collected, numbers folded, known values of functions inserted): this
// form is cheap and always valid for complex values; anything that may change the domain or take time is a function of its own.
//
// Errors: a constructor or operation that fails (a size limit, a domain, the deadline) sets *g->err once and returns NULL; every function
// takes NULL arguments and then returns NULL (or false, or -1) at once, so that a chain needs one check at its end.
// "Not found" is not an error: such functions return NULL with g->err->code == CC_OK, and say so in their comment.
#ifndef CODECALC_MATH_EXPR_EXPR_H
#define CODECALC_MATH_EXPR_EXPR_H

#include <flint/acb.h>
#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_q.h>

#include "codecalc/math.h"

typedef enum cc_xkind {
    CC_X_NUM, // a rational
    CC_X_CONST,
    CC_X_SYM,
    CC_X_ADD, // n >= 2 arguments; a number, if any, first
    CC_X_MUL, // n >= 2 arguments; a number other than 1, if any, first
    CC_X_POW, // args[0] ** args[1]
    CC_X_FUN, // .fn of the arguments
    CC_X_REL, // args[0] .rel args[1]
    CC_X_AND, // of relations and other truth values
    CC_X_OR,
    CC_X_NOT,
    CC_X_LIST, // [a, b]
    CC_X_TUPLE // (a, b)
} cc_xkind;

typedef enum cc_xconst {
    CC_K_PI,
    CC_K_E,
    CC_K_I,
    CC_K_EULER_GAMMA,
    CC_K_CATALAN,
    CC_K_GOLDEN, // (1 + sqrt(5))/2
    CC_K_OO,     // +infinity; -oo is MUL(-1, oo)
    CC_K_ZOO,    // complex infinity
    CC_K_NAN,    // undefined: oo - oo, 0*oo
    CC_K_TRUE,
    CC_K_FALSE,
} cc_xconst;

typedef enum cc_xrel { CC_REL_EQ, CC_REL_NE, CC_REL_LT, CC_REL_LE } cc_xrel; // a > b is b < a; its printed side is restored by the printer

// Functions: X(id, name, least arguments, most arguments (255 = any)). The order is that of printing nothing depends on.
// sqrt(x), cbrt(x), root(x, n) are powers; exp(1) is E; sec … are kept; Abs, re, im, arg, conjugate, sign of complex arguments.
// LOG is natural; log(x, b), log2, log10, ln are read into it. Unevaluated forms are functions as well: INTEGRAL(f, x[, a, b]),
// SUM(f, k, a, b), PRODUCT(f, k, a, b), LIMIT(f, x, a, dir) with dir 1 (from above), -1 or 0 (both), DERIVATIVE(f, x, n), ORDER(term, x,
// a), SUBS(f, x, a), CROOTOF(p, x, index), PIECEWISE(v1, c1, v2, c2, …).
// clang-format off
#define CC_X_FUNCTIONS(X)                                                                                                                  \
    X(EXP, "exp", 1, 1)                                                                                                                    \
    X(LOG, "log", 1, 1)                                                                                                                    \
    X(SIN, "sin", 1, 1)                                                                                                                    \
    X(COS, "cos", 1, 1) X(TAN, "tan", 1, 1) X(COT, "cot", 1, 1) X(SEC, "sec", 1, 1) X(CSC, "csc", 1, 1) X(ASIN, "asin", 1, 1)              \
        X(ACOS, "acos", 1, 1) X(ATAN, "atan", 1, 1) X(ACOT, "acot", 1, 1) X(ASEC, "asec", 1, 1) X(ACSC, "acsc", 1, 1)                      \
            X(ATAN2, "atan2", 2, 2) X(SINH, "sinh", 1, 1) X(COSH, "cosh", 1, 1) X(TANH, "tanh", 1, 1) X(COTH, "coth", 1, 1)                \
                X(SECH, "sech", 1, 1) X(CSCH, "csch", 1, 1) X(ASINH, "asinh", 1, 1) X(ACOSH, "acosh", 1, 1) X(ATANH, "atanh", 1, 1)        \
                    X(ACOTH, "acoth", 1, 1) X(ASECH, "asech", 1, 1) X(ACSCH, "acsch", 1, 1) X(SINC, "sinc", 1, 1) X(ABS, "Abs", 1, 1) X(   \
                        SIGN, "sign", 1, 1) X(FLOOR, "floor", 1, 1) X(CEIL, "ceiling", 1, 1) X(FRAC, "frac", 1, 1) X(RE, "re", 1, 1)       \
                        X(IM, "im", 1, 1) X(ARG, "arg", 1, 1) X(CONJUGATE, "conjugate", 1, 1) X(MAX, "Max", 1, 255) X(MIN, "Min", 1, 255)  \
                            X(MOD, "Mod", 2, 2) X(HEAVISIDE, "Heaviside", 1, 1) X(DIRAC, "DiracDelta", 1, 1)                               \
                                X(PIECEWISE, "Piecewise", 2, 255) X(GAMMA, "gamma", 1, 1) X(LOGGAMMA, "loggamma", 1, 1) X(                 \
                                    DIGAMMA, "digamma", 1, 1) X(POLYGAMMA, "polygamma", 2, 2) X(UPPERGAMMA, "uppergamma", 2, 2)            \
                                    X(LOWERGAMMA, "lowergamma", 2, 2) X(BETA, "beta", 2, 2) X(ZETA, "zeta", 1, 2)                          \
                                        X(POLYLOG, "polylog", 2, 2) X(ERF, "erf", 1, 1) X(ERFC, "erfc", 1, 1) X(ERFI, "erfi", 1, 1)        \
                                            X(EI, "Ei", 1, 1) X(EXPINT, "expint", 2, 2) X(LI, "li", 1, 1) X(SI, "Si", 1, 1)                \
                                                X(CI, "Ci", 1, 1) X(SHI, "Shi", 1, 1) X(CHI, "Chi", 1, 1) X(FRESNELS, "fresnels", 1, 1)    \
                                                    X(FRESNELC, "fresnelc", 1, 1) X(LAMBERTW, "LambertW", 1, 2)                            \
                                                        X(BESSELJ, "besselj", 2, 2) X(BESSELY, "bessely", 2, 2)                            \
                                                            X(BESSELI, "besseli", 2, 2) X(BESSELK, "besselk", 2, 2) X(AIRYAI, "airyai", 1, \
                                                                                                                      1)                   \
                                                                X(AIRYBI, "airybi", 1, 1) X(AIRYAIPRIME, "airyaiprime", 1, 1) X(           \
                                                                    AIRYBIPRIME, "airybiprime", 1,                                         \
                                                                    1) X(ELLIPTIC_K, "elliptic_k", 1, 1)                                   \
                                                                    X(ELLIPTIC_E, "elliptic_e", 1, 2) X(ELLIPTIC_F, "elliptic_f", 2, 2) X( \
                                                                        ELLIPTIC_PI, "elliptic_pi",                                        \
                                                                        2, 3) X(HYPER, "hyper", 3, 3)                                      \
                                                                        X(BINOMIAL, "binomial", 2, 2) X(FACTORIAL, "factorial", 1, 1)      \
                                                                            X(FACTORIAL2, "factorial2", 1,                                 \
                                                                              1) X(RISING, "RisingFactorial", 2,                           \
                                                                                   2) X(FALLING, "FallingFactorial", 2, 2)                 \
                                                                                X(FIBONACCI, "fibonacci", 1,                               \
                                                                                  1) X(LUCAS, "lucas", 1,                                  \
                                                                                       1) X(BERNOULLI, "bernoulli", 1,                     \
                                                                                            1) X(EULER, "euler", 1, 1)                     \
                                                                                    X(HARMONIC, "harmonic", 1,                             \
                                                                                      2) X(CATALAN, "catalan", 1,                          \
                                                                                           1) X(KRONECKER, "KroneckerDelta", 2, 2)         \
                                                                                        X(INTEGRAL, "Integral", 2, 4) X(SUM, "Sum", 4, 4)  \
                                                                                            X(PRODUCT, "Product", 4,                       \
                                                                                              4) X(LIMIT, "Limit", 4,                      \
                                                                                                   4) X(DERIVATIVE, "Derivative", 3,       \
                                                                                                        3) X(ORDER, "O", 1, 3)             \
                                                                                                X(SUBS, "Subs", 3,                         \
                                                                                                  3) X(CROOTOF, "CRootOf", 3, 3)           \
                                                                                                    X(INTERVAL, "Interval", 4,             \
                                                                                                      4) /* lower, upper, left open, right \
                                                                                                            open (TRUE, FALSE) */          \
        X(APPLIED, "f", 1, 255) /* an unknown function f(x, …), for ordinary differential equations: .name says which */

// clang-format on
#define CC_X_FN_ENUM(id, name, least, most) CC_F_##id,
typedef enum cc_xfn { CC_X_FUNCTIONS(CC_X_FN_ENUM) CC_F_COUNT } cc_xfn;

// What is known of a symbol. Implied facts are closed over by cc_x_symbol (positive: real, nonzero, finite, …).
enum {
    CC_IS_REAL = 1,
    CC_IS_POSITIVE = 2,
    CC_IS_NEGATIVE = 4,
    CC_IS_NONNEGATIVE = 8,
    CC_IS_NONPOSITIVE = 16,
    CC_IS_NONZERO = 32,
    CC_IS_INTEGER = 64,
    CC_IS_RATIONAL = 128,
    CC_IS_EVEN = 256,
    CC_IS_ODD = 512,
};

typedef struct cc_x {
    uint8_t kind;  // cc_xkind
    uint8_t konst; // cc_xconst of CC_X_CONST, cc_xrel of CC_X_REL
    uint16_t fn;   // cc_xfn of CC_X_FUN
    uint32_t n;    // arguments
    uint32_t hash;
    uint32_t size; // nodes of the tree, saturating
    uint32_t depth;
    uint16_t facts;  // CC_IS_* of CC_X_SYM as assumed
    bool dummy;      // CC_X_SYM made by cc_x_dummy: prints as its name, equal to no other
    bool finite;     // no oo, zoo, nan anywhere inside
    uint64_t free;   // Bloom set of the symbols inside: bit (serial % 64) of each; 0 = a constant
    uint32_t serial; // order of making
    cc_str name;     // CC_X_SYM, CC_F_APPLIED
    const fmpq *num; // CC_X_NUM
    const struct cc_x *const *args;
} cc_x;
typedef const cc_x *cc_xp;

#define CC_X_MAX_SIZE  200000     // nodes of one expression
#define CC_X_MAX_NODES 2000000    // of one call
#define CC_X_MAX_BITS  (1L << 22) // of a rational inside an expression
#define CC_X_MAX_DEPTH 1000

// One call's algebra: owns all its expressions.
typedef struct cc_alg {
    cc_arena *arena;
    cc_error *err;
    const volatile sig_atomic_t *stop; // may be NULL
    int64_t soft_deadline_ms;          // of cc_now_ms, 0 = none: searches (integration, simplification) give up "not found" then
    struct cc_x_table *table;          // the unique nodes
    cc_xp zero, one, minus_one, two, half, pi, e, i, oo, neg_oo, zoo, nan, yes, no; // common ones
    cc_xp *assumed;                                                                 // symbols that `assume` named
    size_t n_assumed;
    cc_xp *conditions; // under which the result holds: relations and other truth values
    size_t n_conditions;
    cc_str *notes; // what was tried, what a reader must know
    size_t n_notes;
    cc_str *warnings;
    size_t n_warnings;
    struct cc_x_memo *memo;   // see memo.c
    struct cc_x_roots *roots; // see root_of.c
    cc_str unknown_functions; // names with blanks between that are read as unknown functions ("y f"); usually empty
    const cc_node *written;   // the first argument of the operation that is being read, as it was written
    long digits_asked;        // by N(f, digits) in the expression; 0 = not
    bool cross_checked;       // part of the result rests on checks at points, not on a proof
    bool no_limit;            // of the last cc_x_limit that found none: it is proven that there is none
    unsigned depth_guard;     // of nested searches
} cc_alg;

// err must be clear. Everything is freed by cc_alg_clear.
void cc_alg_init(cc_alg *g, cc_arena *arena, cc_error *err, const volatile sig_atomic_t *stop);
void cc_alg_clear(cc_alg *g);
// False when the call shall stop (the error is then CC_TIMEOUT) or has failed. Call it in every loop that can be long.
bool cc_alg_go_on(cc_alg *g);
// False also when the soft deadline has passed (which is no error).
bool cc_alg_may_search(cc_alg *g);
void cc_alg_condition(cc_alg *g, cc_xp condition); // TRUE and what is there already are dropped
void cc_alg_note(cc_alg *g, const char *fmt, ...) CC_PRINTF(2, 3);
void cc_alg_warn(cc_alg *g, const char *fmt, ...) CC_PRINTF(2, 3);
// Sets CC_RESOURCE_EXHAUSTED naming what is too large; returns NULL.
cc_xp cc_x_too_large(cc_alg *g, const char *what);

// ---- making (make.c, add.c, mul.c, pow.c, known.c) ----

cc_xp cc_x_int(cc_alg *g, slong n);
cc_xp cc_x_frac(cc_alg *g, slong p, slong q); // q != 0
cc_xp cc_x_fmpz(cc_alg *g, const fmpz_t n);
cc_xp cc_x_num(cc_alg *g, const fmpq_t q);
cc_xp cc_x_const(cc_alg *g, cc_xconst k);
// The symbol of that name with what `assume` says of it; facts are added to a new one only.
cc_xp cc_x_symbol(cc_alg *g, cc_str name, unsigned facts);
// The same without making it: NULL when there is none yet.
cc_xp cc_x_known_symbol(const cc_alg *g, cc_str name);
// A symbol that equals no other, for variables of our own.
cc_xp cc_x_dummy(cc_alg *g, const char *name, unsigned facts);
cc_xp cc_x_add(cc_alg *g, cc_xp a, cc_xp b);
cc_xp cc_x_sub(cc_alg *g, cc_xp a, cc_xp b);
cc_xp cc_x_neg(cc_alg *g, cc_xp a);
cc_xp cc_x_mul(cc_alg *g, cc_xp a, cc_xp b);
cc_xp cc_x_div(cc_alg *g, cc_xp a, cc_xp b); // a/0: zoo, 0/0: nan, as a value
cc_xp cc_x_pow(cc_alg *g, cc_xp a, cc_xp b);
cc_xp cc_x_powi(cc_alg *g, cc_xp a, slong n);
cc_xp cc_x_sqrt(cc_alg *g, cc_xp a);
cc_xp cc_x_addn(cc_alg *g, const cc_xp *terms, size_t n);
cc_xp cc_x_muln(cc_alg *g, const cc_xp *factors, size_t n);
cc_xp cc_x_fun(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n);
static inline cc_xp cc_x_f1(cc_alg *g, cc_xfn fn, cc_xp a) { return cc_x_fun(g, fn, &a, 1); }
static inline cc_xp cc_x_f2(cc_alg *g, cc_xfn fn, cc_xp a, cc_xp b) { return cc_x_fun(g, fn, (const cc_xp[]){a, b}, 2); }
static inline cc_xp cc_x_exp(cc_alg *g, cc_xp a) { return cc_x_f1(g, CC_F_EXP, a); }
static inline cc_xp cc_x_log(cc_alg *g, cc_xp a) { return cc_x_f1(g, CC_F_LOG, a); }
// The form without simplification of its value ("Integral(f, x)" stays itself): for unevaluated results.
cc_xp cc_x_unevaluated(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n);
cc_xp cc_x_applied(cc_alg *g, cc_str name, const cc_xp *args, size_t n);
// a == b etc. as a relation, TRUE or FALSE where that is decided cheaply.
cc_xp cc_x_rel(cc_alg *g, cc_xrel rel, cc_xp a, cc_xp b);
cc_xp cc_x_and(cc_alg *g, cc_xp a, cc_xp b);
cc_xp cc_x_or(cc_alg *g, cc_xp a, cc_xp b);
cc_xp cc_x_not(cc_alg *g, cc_xp a);
cc_xp cc_x_list(cc_alg *g, const cc_xp *items, size_t n);
cc_xp cc_x_tuple(cc_alg *g, const cc_xp *items, size_t n);
// x with other arguments (through the constructors).
cc_xp cc_x_rebuild(cc_alg *g, cc_xp x, const cc_xp *args);

// ---- looking (look.c); none of these fails ----

static inline bool cc_x_is_num(cc_xp x) { return x && x->kind == CC_X_NUM; }
static inline bool cc_x_is_fun(cc_xp x, cc_xfn fn) { return x && x->kind == CC_X_FUN && x->fn == fn; }
static inline bool cc_x_is_const(cc_xp x, cc_xconst k) { return x && x->kind == CC_X_CONST && x->konst == k; }
static inline bool cc_x_is_kind(cc_xp x, cc_xkind k) { return x && x->kind == k; }
bool cc_x_is_int(cc_xp x);              // a number that is an integer
bool cc_x_fits_si(cc_xp x, slong *out); // an integer that fits
int cc_x_num_sign(cc_xp x);             // of a number: -1, 0, 1
bool cc_x_has(cc_xp x, cc_xp part);     // part occurs in x as a subexpression (a symbol that is bound by Sum or Integral does not)
bool cc_x_has_fn(cc_xp x, cc_xfn fn);
static inline bool cc_x_is_constant(cc_xp x) { return x && x->free == 0; } // no symbol inside
// The free symbols of x in order of name. Array in the arena.
const cc_xp *cc_x_symbols(cc_alg *g, cc_xp x, size_t *n);
// x as a sum or product of one or more: *n and the arguments (of one, itself: *one is used to hold it).
const cc_xp *cc_x_terms(const cc_xp *x, size_t *n);
const cc_xp *cc_x_factors(const cc_xp *x, size_t *n);
// x = coefficient * rest with a rational coefficient.
void cc_x_split_coefficient(cc_alg *g, cc_xp x, cc_xp *coefficient, cc_xp *rest);
// x = base ** exponent (exponent 1 when it is no power; exp(a) is E ** a).
void cc_x_split_power(cc_alg *g, cc_xp x, cc_xp *base, cc_xp *exponent);
// x = part with v * part without v, of a product; x = … + … likewise of a sum.
void cc_x_separate_mul(cc_alg *g, cc_xp x, cc_xp v, cc_xp *with, cc_xp *without);
void cc_x_separate_add(cc_alg *g, cc_xp x, cc_xp v, cc_xp *with, cc_xp *without);
// Numerator and denominator, by the signs of exponents alone (no common denominators are made).
void cc_x_fraction(cc_alg *g, cc_xp x, cc_xp *num, cc_xp *den);
// A sign can be taken out: x = -y with y the nicer of the two.
bool cc_x_takes_minus(cc_xp x);
const char *cc_x_fn_name(cc_xfn fn);
// Total order for canonical forms and printing; 0 only for the same.
int cc_x_compare(cc_xp a, cc_xp b);

// What is known: CC_TRUE, CC_FALSE, or CC_UNDECIDED. fact is one CC_IS_*; for constants it is decided by enclosures and exact arithmetic.
// (facts.c)
cc_truth cc_x_is(cc_alg *g, cc_xp x, unsigned fact);
// Sign of a real x where it is known: -1, 0, 1; 2 = unknown.
int cc_x_sign(cc_alg *g, cc_xp x);

// ---- changing (subs.c, expand.c, diff.c) ----

cc_xp cc_x_subs(cc_alg *g, cc_xp x, cc_xp old, cc_xp with); // exact structural replacement, bottom-up; bound variables are left alone
cc_xp cc_x_subs_many(cc_alg *g, cc_xp x, const cc_xp *old, const cc_xp *with, size_t n); // simultaneously
// Applies f to every node bottom-up (after its arguments). f returns the replacement (or its argument); NULL = error.
cc_xp cc_x_map(cc_alg *g, cc_xp x, cc_xp (*f)(cc_alg *g, cc_xp x, void *ctx), void *ctx);
cc_xp cc_x_expand(cc_alg *g, cc_xp x); // products over sums, integer powers of sums (by FLINT polynomials where it is one), recursively
cc_xp cc_x_expand_log(cc_alg *g, cc_xp x, bool force); // log(a*b) where valid (force: as if positive)
cc_xp cc_x_expand_trig(cc_alg *g, cc_xp x);            // sin(a+b), sin(2a) …
// sin(k*u) and cos(k*u) as polynomials in s = sin(u) and c = cos(u), by the theorems of addition.
void cc_x_multiple_angle(cc_alg *g, slong k, cc_xp s, cc_xp c, cc_xp *sin_k, cc_xp *cos_k);
cc_xp cc_x_diff(cc_alg *g, cc_xp x, cc_xp v); // total in v; unknown derivatives stay as Derivative/Subs
cc_xp cc_x_diffn(cc_alg *g, cc_xp x, cc_xp v, ulong n);
// All trigonometric and hyperbolic functions by exp (and log), or by sin/cos only, or by tan of the half.
typedef enum cc_xrewrite { CC_REWRITE_EXP, CC_REWRITE_SINCOS, CC_REWRITE_TAN_HALF, CC_REWRITE_LOG, CC_REWRITE_GAMMA } cc_xrewrite;
cc_xp cc_x_rewrite(cc_alg *g, cc_xp x, cc_xrewrite to);

// ---- numbers (enclose.c, constant.c) ----

typedef struct cc_xenv { // values of symbols, for enclosures
    const cc_xp *symbols;
    acb_srcptr values;
    size_t n;
} cc_xenv;
// Encloses x at prec bits of working precision, principal branches; false when some part cannot be enclosed (a pole is touched, a symbol
// has no value, an unevaluated form). On a branch cut the values of both sides are inside: a finite enclosure does not prove that x is
// analytic there. Sets no error. Never optimistic: the true value is inside.
bool cc_x_enclose(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec);
// The same, raising the precision until `bits` relative (or absolute, near zero) bits are right, up to a limit.
bool cc_x_enclose_to(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong bits);
// A constant is zero: by enclosure (false), exactly by Calcium/algebraic numbers (true), else undecided. Memoized.
cc_truth cc_x_constant_is_zero(cc_alg *g, cc_xp x);
// Order of two real constants: -1, 0, 1; 2 = undecided.
int cc_x_constant_compare(cc_alg *g, cc_xp a, cc_xp b);
// A constant simplified by exact arithmetic (sqrt(5+2*sqrt(6)) → sqrt(2)+sqrt(3), denesting, values of trigonometric functions at rational
// multiples of pi, algebraic numbers of small degree to radicals); x itself where nothing simpler is found.
cc_xp cc_x_constant_simplify(cc_alg *g, cc_xp x);
// Certified decimal, `digits` significant, "re + im*I" for complex; every digit proven. Empty when it cannot be enclosed so far.
cc_str cc_x_decimal(cc_alg *g, cc_xp x, long digits);

// ---- polynomials and rational functions (poly.c; zero.c, factor.c … of src/math/simplify) ----

// x as a polynomial in v alone with coefficients free of v: coefficient array c[0..*degree]. False (no error) when it is none or the
// degree passes `most`. Array in the arena.
bool cc_x_poly_coefficients(cc_alg *g, cc_xp x, cc_xp v, slong most, const cc_xp **c, slong *degree);
cc_xp cc_x_from_coefficients(cc_alg *g, const cc_xp *c, slong degree, cc_xp v);
// x as a polynomial in v with rational coefficients. out is initialised by the caller. False when it is none.
bool cc_x_to_fmpq_poly(cc_alg *g, fmpq_poly_t out, cc_xp x, cc_xp v);
cc_xp cc_x_from_fmpq_poly(cc_alg *g, const fmpq_poly_t p, cc_xp v);

// x as a rational function over Q of generators: symbols and the maximal subexpressions that are not rational (sin(x), sqrt(2), exp(x) …),
// with algebraic relations between generators used where they are known (sqrt(2)**2 = 2, I**2 = -1, roots of polynomials), sin**2+cos**2 =
// 1, exp(2x) as exp(x)**2, x**(1/2) and x**(1/3) as powers of x**(1/6)). A cc_xratio owns FLINT objects; cc_xratio_clear frees them.
typedef struct cc_xratio {
    fmpz_mpoly_ctx_t ctx;
    fmpz_mpoly_q_t q;
    cc_xp *gens; // ctx's variables, in order
    size_t n_gens;
    bool relations; // some generators are algebraic over others: q is reduced modulo these relations
    struct cc_xrule *rules;
    size_t n_rules;
} cc_xratio;
// gens[gen] ** degree == value; value has no generator of a later rule.
typedef struct cc_xrule {
    slong gen, degree;
    fmpz_mpoly_q_t value;
} cc_xrule;
bool cc_x_to_ratio(cc_alg *g, cc_xratio *out, cc_xp x); // false: error, or too large (no error)
cc_xp cc_x_from_ratio(cc_alg *g, const cc_xratio *r);   // expanded numerator over expanded denominator
void cc_xratio_clear(cc_xratio *r);
// Reduces r->q, after it was computed with; false when it became too large or its denominator zero.
bool cc_xratio_reduce(cc_alg *g, cc_xratio *r);

cc_xp cc_x_together(cc_alg *g, cc_xp x);       // over one common denominator, cancelled
cc_xp cc_x_cancel(cc_alg *g, cc_xp x);         // numerator/denominator expanded, without common factor; x itself when it is none
cc_xp cc_x_factor(cc_alg *g, cc_xp x);         // over Q(its algebraic constants where cheap): product of irreducible powers
cc_xp cc_x_apart(cc_alg *g, cc_xp x, cc_xp v); // partial fractions in v over Q
cc_xp cc_x_collect(cc_alg *g, cc_xp x, cc_xp v);
// x is identically zero as a function of its symbols (where it is defined): CC_TRUE only by normal forms and exact arithmetic, CC_FALSE
// with proof (an enclosure at a point that excludes zero), else CC_UNDECIDED. Memoized. The one zero test for everything.
cc_truth cc_x_is_zero(cc_alg *g, cc_xp x);
// As cc_x_is_zero, and when undecided: encloses zero at `points` independent random points to ≥ 100 bits (CC_TRUE, *proven = false) or not.
cc_truth cc_x_is_zero_probably(cc_alg *g, cc_xp x, unsigned points, bool *proven);
cc_xp cc_x_simplify(cc_alg *g, cc_xp x); // the shortest of several equivalent forms; equal to x wherever x is defined
cc_xp cc_x_trigsimp(cc_alg *g, cc_xp x);
cc_xp cc_x_powsimp(cc_alg *g, cc_xp x, bool force);
cc_xp cc_x_logcombine(cc_alg *g, cc_xp x, bool force);
cc_xp cc_x_radsimp(cc_alg *g, cc_xp x); // no roots in the denominator
// Cost of reading x: what simplify makes least.
ulong cc_x_cost(cc_xp x);

// ---- text (print.c, latex.c, read.c, latex_read.c) ----

cc_str cc_x_show(cc_alg *g, cc_xp x); // SymPy style: x**2 + 2*x + 1, oo, -x/2; what it prints can be read back
cc_str cc_x_latex(cc_alg *g, cc_xp x);
// Builds the expression of a parsed tree. Names of functions in CC_X_FUNCTIONS and their usual aliases; operations (diff, integrate, limit,
// series, solve …) are carried out by the table of operations below. 0, or NULL with *g->err naming the column.
cc_xp cc_x_read(cc_alg *g, cc_str text);
// LaTeX input → the same expression as in plain notation.
bool cc_x_is_latex(cc_str text); // it has a command, or braces behind ^ or _, which plain notation has not
cc_xp cc_x_read_latex(cc_alg *g, cc_str text);
// "x>0, n integer, a real": one assumption or several.
int cc_x_assume(cc_alg *g, cc_str text);

// ---- operations that can be written inside an expression: diff(f, x), integrate(f, (x, 0, 1)) … (operations.c) ----

typedef cc_xp (*cc_x_operation)(cc_alg *g, const cc_xp *args, size_t n);
// The operation of that name, NULL when there is none. The table names functions of the folders beside; each checks its arguments.
cc_x_operation cc_x_find_operation(cc_str name);
const char *cc_x_operation_name(size_t i); // of the table in its order, NULL after the last

// ---- the folders beside: each declares more in its own header ----

// series/: lim x→a of f from dir ('+', '-', or 0 = both sides agree). NULL without error: not found; a note says why. When both sides
// differ: NULL, and *left, *right are set if not NULL.
cc_xp cc_x_limit(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, char dir, cc_xp *left, cc_xp *right);
// Truncated series of f at v = a with all terms of order < n, and the O-term (omitted when the series is exact). a may be oo, -oo.
cc_xp cc_x_series(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, slong n);
// Leading term c*(v-a)**e (times powers of log) of f as v → a+; NULL without error: not found.
cc_xp cc_x_leading_term(cc_alg *g, cc_xp f, cc_xp v, cc_xp a);

// integrate/: an antiderivative of f in v, checked; NULL without error: not found. *graded: "exact" (its derivative is decided to be f) or
// "cross_checked" (at independent points).
cc_xp cc_x_antiderivative(cc_alg *g, cc_xp f, cc_xp v, const char **graded);
// The definite integral; a, b may be infinite. NULL without error: not found. Divergent: oo, -oo or nan with a note.
cc_xp cc_x_integral(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded);
// A rigorous enclosure by quadrature; false when none was reached.
bool cc_x_quadrature(cc_alg *g, arb_t out_re, arb_t out_im, cc_xp f, cc_xp v, cc_xp a, cc_xp b, slong bits);

// solve/: the roots of f = 0 in v.
typedef enum cc_xsolved { CC_SOLVED_FINITE, CC_SOLVED_FAMILY, CC_SOLVED_ALL, CC_SOLVED_NONE, CC_SOLVED_SET, CC_SOLVED_UNKNOWN } cc_xsolved;
typedef struct cc_xsolutions {
    cc_xsolved kind;
    cc_xp *roots;           // FINITE: values; FAMILY: values in the integer dummies `k`; SET: the truth value (inequalities) in v
    unsigned *multiplicity; // of roots; 0 = unknown
    size_t n;
    bool complete; // no other root exists (in the stated domain)
} cc_xsolutions;
int cc_x_solve(cc_alg *g, cc_xp equation, cc_xp v, cc_xsolutions *out);

// sum/: closed forms of finite, indefinite and infinite sums and products; NULL without error: not found.
cc_xp cc_x_sum(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);
cc_xp cc_x_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);

#endif
