// What an expression is on a whole interval (0, 2**-m] of t, up to an end of an integral: a sum of terms c * t**a * log(1/t)**k times
// exp(a sum of terms that has no bound), where every c is a ball that holds for all t there. Private to src/math/integrate.
#ifndef CODECALC_MATH_INTEGRATE_GERM_H
#define CODECALC_MATH_INTEGRATE_GERM_H

#include "math/integrate/integrate.h"

enum { CC_GERM_TERMS = 24, CC_GERM_EXPONENT = 4 };

typedef struct cc_fraction {
    slong p, q; // q > 0, coprime
} cc_fraction;

typedef struct cc_germ_term {
    acb_t c;
    cc_fraction a, k;
    bool constant; // c is the value of one constant, not a range over t
} cc_germ_term;

typedef struct cc_germ {
    cc_germ_term t[CC_GERM_TERMS]; // the largest towards t = 0 first
    size_t n;
    cc_germ_term e[CC_GERM_EXPONENT]; // none is bounded
    size_t ne;
} cc_germ;

void cc_germ_init(cc_germ *x);
void cc_germ_clear(cc_germ *x);
// x on 0 < t <= 2**-m, m >= 2; false when that was not found.
bool cc_germ_of(cc_alg *g, cc_germ *out, cc_xp x, cc_xp t, slong m, slong prec);
// The integral of x * t**shift over (0, 2**-m]. CC_TRUE: it is in out; CC_FALSE: it diverges, proven, *sign: towards oo or -oo.
cc_truth cc_germ_integral(acb_t out, int *sign, const cc_germ *x, slong shift, slong m, slong prec);
// The sign of x on 0 < t <= 2**-m: 1, -1; 0: unknown, or not real.
int cc_germ_sign(cc_alg *g, cc_xp x, cc_xp t, slong m, slong prec);
// x has a germ, and is real there.
bool cc_germ_is_real(cc_alg *g, cc_xp x, cc_xp t, slong m, slong prec);

// ---- the arithmetic of germs (germ.c), for germ_of.c ----

typedef struct cc_near {
    cc_alg *g;
    cc_xp t;
    slong m, prec;
    arb_t log;             // log(1/t) at the far end, the least there is
    struct cc_germ_known { // of parts that occurred before
        cc_xp x;
        bool ok;
        cc_germ germ;
    } * known;
    size_t *n_known;
} cc_near;
enum { CC_GERM_KNOWN = 64 };

bool cc_germ_times(cc_fraction *out, cc_fraction x, cc_fraction y);
int cc_germ_size_of(const cc_germ_term *x);
bool cc_germ_term_is_real(const cc_germ_term *x);
bool cc_germ_terms_are_real(const cc_germ_term *x, size_t n);
void cc_germ_set_term(cc_germ_term *out, const cc_germ_term *x);
void cc_germ_set(cc_germ *out, const cc_germ *x);
void cc_germ_set_one(cc_germ *out, bool constant);
bool cc_germ_push(const cc_near *c, cc_germ_term *list, size_t *n, size_t room, const cc_germ_term *x);
bool cc_germ_multiply_terms(const cc_near *c, cc_germ *out, const cc_germ *x, const cc_germ *y);
bool cc_germ_multiply(const cc_near *c, cc_germ *out, const cc_germ *x, const cc_germ *y);
bool cc_germ_add_exponent(const cc_near *c, cc_germ_term *list, size_t *n, const cc_germ_term *other, size_t m, int sign);
bool cc_germ_flatten(const cc_near *c, cc_germ *x);
bool cc_germ_add(const cc_near *c, cc_germ *acc, const cc_germ *x);
void cc_germ_range_of(const cc_near *c, acb_t out, const cc_germ_term *list, size_t n);
bool cc_germ_leading(const cc_near *c, const cc_germ *x, cc_germ_term *lead, cc_germ *u);
int cc_germ_sign_of(const cc_near *c, const cc_germ *x);
void cc_germ_up_to(arb_t out, const mag_t m);
bool cc_germ_fraction(cc_fraction *out, slong p, slong q);

// ---- powers and functions (germ_series.c), for germ_of.c ----

// lead * (1 + u) stays on one side of the cut of logarithms and powers.
bool cc_germ_one_branch(const cc_near *c, const cc_germ_term *lead, const cc_germ *u);
bool cc_germ_power_of(const cc_near *c, cc_germ *out, const cc_germ *x, cc_fraction e);
// F(s) at x, for an F that is analytic around the constant part of x.
bool cc_germ_analytic(const cc_near *c, cc_germ *out, cc_xp F, cc_xp s, const cc_germ *x);

#endif
