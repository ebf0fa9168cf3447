// Values of the calculator: numbers (real, or complex as a pair), truth values, lists, factorizations. Private to src/math.
#ifndef CODECALC_MATH_VALUE_H
#define CODECALC_MATH_VALUE_H

#include <flint/qqbar.h>

#include "math/lex.h"
#include "math/real.h"

typedef enum cc_val_kind { CC_V_NUMBER, CC_V_TRUTH, CC_V_LIST, CC_V_FACTORS } cc_val_kind;

typedef struct cc_val {
    cc_val_kind kind;
    cc_truth truth;
    cc_real *re;
    cc_real *im; // NULL = real; otherwise not known to be zero
    size_t n;    // CC_V_LIST: items; CC_V_FACTORS: primes, each item a pair re = prime, im = exponent
    struct cc_val *items;
} cc_val;

typedef struct cc_calc {
    cc_reals r;
    cc_arena *arena;
    cc_error *err;
    cc_str text;         // the expression
    cc_parsed *parsed;   // where warnings go
    cc_str unknown_name; // of the error "unknown name", else empty
} cc_calc;

// Every function below returns 0, or -1 with *c->err set; the result is in *out. `re` being NULL counts as an error, so that a
// chain of constructors needs one check at its end.
static inline int cc_val_real(cc_val *out, cc_real *re) {
    *out = (cc_val){.kind = CC_V_NUMBER, .re = re};
    return re ? 0 : -1;
}
int cc_val_pair(cc_calc *c, cc_val *out, cc_real *re, cc_real *im);
static inline bool cc_val_is_real(const cc_val *v) { return v->kind == CC_V_NUMBER && !v->im; }
// Proves or refutes that the imaginary part is zero, and drops it when it is; 0 also when undecided (it then stays).
int cc_val_settle(cc_calc *c, cc_val *v);

// ---- complex.c: arithmetic and functions of numbers, principal values ----

int cc_val_add(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out);
int cc_val_sub(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out);
int cc_val_neg(cc_calc *c, const cc_val *a, cc_val *out);
int cc_val_mul(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out);
int cc_val_div(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out);
int cc_val_pow(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out);
int cc_val_sqrt(cc_calc *c, const cc_val *a, cc_val *out);
int cc_val_exp(cc_calc *c, const cc_val *a, cc_val *out);
int cc_val_log(cc_calc *c, const cc_val *a, cc_val *out); // log(0) is an error
int cc_val_abs(cc_calc *c, const cc_val *a, cc_val *out);
int cc_val_arg(cc_calc *c, const cc_val *a, cc_val *out);
// CC_R_SIN … CC_R_ATANH
int cc_val_elementary(cc_calc *c, cc_real_op op, const cc_val *a, cc_val *out);
// The angle of (x, y); (0, 0) is an error.
cc_real *cc_real_atan2(cc_calc *c, cc_real *y, cc_real *x);
// a == b
int cc_val_equal(cc_calc *c, const cc_val *a, const cc_val *b, cc_truth *out);
// The sign of a - b of two reals; CC_FALSE when undecided, which sets no error.
int cc_val_order(cc_calc *c, const cc_val *a, const cc_val *b, int *sign, bool *decided);

// The exact form of a number; empty when it is too long to read (report.c).
cc_str cc_val_form(cc_calc *c, const cc_val *v);
// A Calcium number of the direct context as a number, rational or real where that is proven (complexback.c). 0, or -1 when it has
// no readable form, which sets no error.
int cc_val_read(cc_calc *c, ca_srcptr x, cc_val *out);
// The same of an algebraic number.
int cc_val_read_algebraic(cc_calc *c, const qqbar_t x, cc_val *out);
// The value of a tree that was parsed (calc.c).
int cc_calc_node(cc_calc *c, const cc_node *x, cc_val *out);
// `x op y` by logarithms (magnitude.c), for products, powers and factorials that are too large to be computed. CC_UNDECIDED, without
// error, where they are no such forms.
cc_truth cc_calc_compare_large(cc_calc *c, cc_op op, const cc_node *x, const cc_node *y);

// ---- functions.c, integers.c: named functions ----

int cc_calc_call(cc_calc *c, const cc_node *call, cc_val *args, size_t n, cc_val *out);
// *found says whether name is a function of integers.
int cc_calc_call_integer(cc_calc *c, const cc_node *call, cc_val *args, size_t n, cc_val *out, bool *found);
// The function name nearest to a misspelt one, NULL when none is near.
const char *cc_calc_nearest_function(cc_str name);
const char *cc_calc_nearest_integer_function(cc_str name, unsigned *distance);
// Takes candidate as *best when it is nearer to name than *distance, which it then lowers.
void cc_calc_nearer(cc_str name, const char *candidate, const char **best, unsigned *distance);
bool cc_calc_is_function(cc_str name);
int cc_calc_factorial(cc_calc *c, const cc_node *at, cc_val *x, unsigned step, cc_val *out);
// x as an integer node; `who` is for the message.
int cc_val_integer(cc_calc *c, const cc_node *at, const char *who, cc_val *x, cc_real **out);
int cc_val_need_real(cc_calc *c, const char *who, cc_val *x);
int cc_calc_arity(cc_calc *c, const cc_node *call, size_t n, unsigned min, unsigned max);
// floor(a/b); b = 0 is an error.
cc_real *cc_real_floordiv(cc_reals *r, cc_real *a, cc_real *b);
cc_real *cc_real_mod(cc_reals *r, cc_real *a, cc_real *b);

#endif
