// Inside of the kernel of expressions: the table of unique nodes, and what the constructors share. Included only by the files of this
// folder that make nodes (table.c, make.c, add.c, mul.c, pow.c, known*.c, memo.c).
#ifndef CODECALC_MATH_EXPR_INTERN_H
#define CODECALC_MATH_EXPR_INTERN_H

#include "math/expr/expr.h"

typedef struct cc_x_table {
    cc_x **slots; // open addressing; cap is a power of two
    size_t cap, n;
    fmpq **nums; // of CC_X_NUM nodes, to be cleared
    size_t n_nums, cap_nums;
    uint32_t serial;
} cc_x_table;

// The node equal to `proto` with these arguments, made when it is new; proto's kind, konst, fn, name and facts are used. The arguments are
// in canonical form and order already. NULL on a limit.
cc_xp cc_x_intern(cc_alg *g, const cc_x *proto, const cc_xp *args, size_t n);
cc_xp cc_x_intern_kind(cc_alg *g, cc_xkind kind, const cc_xp *args, size_t n);
cc_xp cc_x_intern_fun(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n);
cc_xp cc_x_intern_pow(cc_alg *g, cc_xp base, cc_xp exponent);
// coefficient * rest where rest is canonical, no number, and has no coefficient.
cc_xp cc_x_scale(cc_alg *g, const fmpq_t coefficient, cc_xp rest);
// The coefficient of a term (borrowed; 1 when there is none) and the rest.
const fmpq *cc_x_coefficient(cc_alg *g, cc_xp x, cc_xp *rest);

// The variable that a form binds in args[0] (Integral, Sum, Product, Limit, Subs, CRootOf), else NULL.
cc_xp cc_x_bound(cc_xp x);
void cc_x_sort(cc_xp *items, size_t n);
// True when an error is set already or one of the arguments is missing.
bool cc_x_failed(const cc_alg *g, const cc_xp *args, size_t n);
// nan among the arguments.
bool cc_x_any_nan(cc_alg *g, const cc_xp *args, size_t n);
// One of oo, -oo, zoo.
bool cc_x_is_infinite(cc_xp x);

// NUM ** NUM (pow.c), and the product of such powers: bases[i] ** exps[i], positive integers to rationals, into factors. mul.c.
cc_xp cc_x_numeric_power(cc_alg *g, const fmpq_t base, const fmpq_t exponent);
// Gathers roots of positive integers in canonical form: see pow.c.
typedef struct cc_radicals {
    fmpz *base; // primes, or composites that were not factored
    fmpq *exponent;
    size_t n, cap;
} cc_radicals;
void cc_radicals_init(cc_radicals *r);
void cc_radicals_clear(cc_radicals *r);
void cc_radicals_put(cc_radicals *r, const fmpz_t n, const fmpq_t exponent); // n >= 1
// Multiplies coefficient by the rational part, and appends the powers that are left (at most r->n) to out. Number of these, -1 = error.
slong cc_radicals_take(cc_alg *g, cc_radicals *r, fmpq_t coefficient, cc_xp *out);

// Known values: the value of fn at the arguments, or NULL when the form stays (check g->err). known.c and its neighbours.
cc_xp cc_x_known(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n);
cc_xp cc_x_known_trig(cc_alg *g, cc_xfn fn, cc_xp a);
cc_xp cc_x_known_special(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n);
cc_xp cc_x_known_parts(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n);

// The terms of a sum, the factors of a product in the order in which they are printed; arrays in the arena (print.c).
const cc_xp *cc_x_print_terms(cc_alg *g, cc_xp x);
const cc_xp *cc_x_print_factors(cc_alg *g, cc_xp x, size_t *n);

// Results by pointer (memo.c). `what` names the operation.
enum { CC_MEMO_EXPAND = 1, CC_MEMO_DIFF, CC_MEMO_SUBS, CC_MEMO_KERNEL_LAST };
bool cc_x_memo_find(cc_alg *g, unsigned what, cc_xp a, cc_xp b, cc_xp *out);
void cc_x_memo_put(cc_alg *g, unsigned what, cc_xp a, cc_xp b, cc_xp value);
void cc_x_memo_clear(cc_alg *g);
// The roots of polynomials that were found (root_of.c).
void cc_x_roots_clear(cc_alg *g);

#endif
