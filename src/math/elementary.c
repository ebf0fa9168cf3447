// Elementary and special functions of exact reals: what simplifies by itself (exp(log x), sin at simple multiples of pi, log of
// perfect powers, gamma at integers and halves, zeta at even integers), and a node for the rest. Called by the calculator.
// Domains are decided here by signs, never assumed: each function states what its argument must be.
#include "math/real.h"

#include <flint/bernoulli.h>
#include <math.h>

static cc_real *pi(cc_reals *r) { return cc_real_const(r, CC_R_PI); }

// x = q * pi for a rational q, by form.
static bool multiple_of_pi(const cc_real *x, fmpq_t q) {
    if (x->op == CC_R_RAT) {
        fmpq_zero(q);
        return fmpq_is_zero(x->q);
    }
    if (x->op == CC_R_PI) {
        fmpq_one(q);
        return true;
    }
    if (x->op != CC_R_MUL || x->a->op != CC_R_RAT || x->b->op != CC_R_PI) return false;
    fmpq_set(q, x->a->q);
    return true;
}

// y when x = c * log(y), with the rational c in q; NULL when x is not such a product.
static cc_real *log_factor(cc_real *x, fmpq_t q) {
    fmpq_one(q);
    if (x->op == CC_R_LOG) return x->a;
    if (x->op != CC_R_MUL || x->a->op != CC_R_RAT || x->b->op != CC_R_LOG) return NULL;
    fmpq_set(q, x->a->q);
    return x->b->a;
}

// Whether y**q is short enough to be written as a power of y instead of exp(q*log(y)).
static bool short_power(const cc_real *y, const fmpq_t q) {
    if (fmpz_cmp_ui(fmpq_denref(q), 1000) > 0 || fmpz_cmpabs(fmpq_numref(q), (fmpz[]){1000000}) > 0) return false;
    return y->op != CC_R_RAT || fabs(fmpz_get_d(fmpq_numref(q))) * (double)fmpq_height_bits(y->q) < 1e6;
}

cc_real *cc_real_exp(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    if (a->op == CC_R_RAT && fmpq_is_zero(a->q)) return cc_real_si(r, 1);
    fmpq_t q;
    fmpq_init(q);
    cc_real *res = NULL, *y = log_factor(a, q);
    if (a->op == CC_R_ADD && (log_factor(a->a, q) || log_factor(a->b, q))) // exp(u + log y) = exp(u) y
        res = cc_real_mul(r, cc_real_exp(r, a->a), cc_real_exp(r, a->b));
    else if (y && short_power(y, q))
        res = cc_real_powi(r, cc_real_root(r, y, fmpz_get_si(fmpq_denref(q))), fmpz_get_si(fmpq_numref(q)));
    else
        res = cc_real_node(r, CC_R_EXP, a, NULL, 0);
    fmpq_clear(q);
    return res;
}

static cc_real *log_of_rational(cc_reals *r, cc_real *a) {
    fmpq_t q;
    fmpz_t root;
    fmpq_init(q);
    fmpz_init(root);
    cc_real *res;
    if (fmpz_is_one(fmpq_numref(a->q))) { // log(1/n) = -log(n)
        fmpq_inv(q, a->q);
        res = fmpz_is_one(fmpq_numref(q)) ? cc_real_si(r, 0) : cc_real_neg(r, cc_real_log(r, cc_real_fmpq(r, q)));
    } else {
        int k = cc_real_is_int(a) ? fmpz_is_perfect_power(root, fmpq_numref(a->q)) : 0;
        if (k > 1) {
            if (fmpz_sgn(root) < 0) fmpz_neg(root, root);
            res = cc_real_mul_si(r, cc_real_log(r, cc_real_fmpz(r, root)), k); // the root may be a power again
        } else {
            res = cc_real_node(r, CC_R_LOG, a, NULL, 0);
        }
    }
    fmpq_clear(q);
    fmpz_clear(root);
    return res;
}

cc_real *cc_real_log(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    if (a->op == CC_R_RAT) return log_of_rational(r, a);
    if (a->op == CC_R_EXP) return a->a;
    if (a->op == CC_R_ROOT) return cc_real_mul(r, cc_real_frac(r, 1, (ulong)a->n), cc_real_log(r, a->a));
    if (a->op == CC_R_POW) return cc_real_mul(r, a->b, cc_real_log(r, a->a));
    if (a->op == CC_R_POWI) return cc_real_mul_si(r, cc_real_log(r, cc_real_abs(r, a->a)), a->n);
    return cc_real_node(r, CC_R_LOG, a, NULL, 0);
}

cc_real *cc_real_pow(cc_reals *r, cc_real *a, cc_real *b) {
    if (!a || !b) return NULL;
    if (b->op == CC_R_RAT && fmpz_cmp_ui(fmpq_denref(b->q), 1000000) <= 0 && fmpz_cmpabs(fmpq_numref(b->q), (fmpz[]){WORD(1) << 40}) <= 0)
        return cc_real_powi(r, cc_real_root(r, a, fmpz_get_si(fmpq_denref(b->q))), fmpz_get_si(fmpq_numref(b->q)));
    if (a->op == CC_R_RAT && fmpq_is_one(a->q)) return a;
    if (a->op == CC_R_EXP) return cc_real_exp(r, cc_real_mul(r, a->a, b));
    if (a->op == CC_R_POWI) return cc_real_pow(r, cc_real_abs(r, a->a), cc_real_mul_si(r, b, a->n));
    return cc_real_node(r, CC_R_POW, a, b, 0);
}

// ---- trigonometric ----

// sin(pi p/q) for 0 < p/q <= 1/2 where it is 1/2, sqrt(2)/2, sqrt(3)/2 or 1; NULL otherwise.
static cc_real *simple_sine(cc_reals *r, const fmpq_t q) {
    if (fmpz_cmp_ui(fmpq_denref(q), 6) > 0) return NULL;
    switch (fmpz_get_ui(fmpq_denref(q))) {
    case 2: return cc_real_si(r, 1);
    case 6: return cc_real_frac(r, 1, 2);
    case 4: return cc_real_root(r, cc_real_frac(r, 1, 2), 2);
    case 3: return cc_real_root(r, cc_real_frac(r, 3, 4), 2);
    default: return NULL;
    }
}

// sin(pi q), with the argument brought into (0, 1/2].
static cc_real *sin_pi(cc_reals *r, const fmpq_t q) {
    fmpq_t t;
    fmpz_t k;
    fmpq_init(t);
    fmpz_init(k);
    fmpz_fdiv_q(k, fmpq_numref(q), fmpq_denref(q)); // sin(pi (k + t)) = (-1)^k sin(pi t)
    fmpq_sub_fmpz(t, q, k);
    bool odd = fmpz_is_odd(k);
    fmpq_t other;
    fmpq_init(other);
    fmpq_sub_si(other, t, 1);
    fmpq_neg(other, other);
    if (fmpq_cmp(other, t) < 0) fmpq_set(t, other); // sin(pi t) = sin(pi (1 - t))
    cc_real *res;
    if (fmpq_is_zero(t)) {
        res = cc_real_si(r, 0);
    } else {
        res = simple_sine(r, t);
        if (!res) {
            cc_real *arg = cc_real_mul(r, cc_real_fmpq(r, t), pi(r));
            res = arg ? cc_real_node(r, CC_R_SIN, arg, NULL, 0) : NULL;
        }
        if (odd) res = cc_real_neg(r, res);
    }
    fmpq_clear(t);
    fmpq_clear(other);
    fmpz_clear(k);
    return res;
}

// cos(pi q) as sin or cos of an argument in (0, 1/4]·pi … (0, 1/2]·pi, whichever is shorter to read: cos stays cos.
static cc_real *cos_pi(cc_reals *r, const fmpq_t q) {
    fmpq_t t, half;
    fmpq_init(t);
    fmpq_init(half);
    fmpq_set_si(half, 1, 2);
    fmpq_add(t, q, half);
    cc_real *s = sin_pi(r, t); // cos(pi q) = sin(pi (q + 1/2))
    bool negative = s && s->op == CC_R_MUL;
    cc_real *bare = negative ? s->b : s;
    if (bare && bare->op == CC_R_SIN && multiple_of_pi(bare->a, t)) { // back from sin(pi t) to cos(pi (1/2 - t))
        fmpq_sub(t, half, t);
        cc_real *arg = cc_real_mul(r, cc_real_fmpq(r, t), pi(r));
        s = arg ? cc_real_node(r, CC_R_COS, arg, NULL, 0) : NULL;
        if (negative) s = cc_real_neg(r, s);
    }
    fmpq_clear(t);
    fmpq_clear(half);
    return s;
}

static bool leading_minus(const cc_real *a) {
    return (a->op == CC_R_MUL || a->op == CC_R_RAT) && fmpq_sgn(a->op == CC_R_RAT ? a->q : a->a->q) < 0;
}

cc_real *cc_real_sin(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    fmpq_t q;
    fmpq_init(q);
    cc_real *res;
    if (multiple_of_pi(a, q))
        res = sin_pi(r, q);
    else if (leading_minus(a))
        res = cc_real_neg(r, cc_real_sin(r, cc_real_neg(r, a)));
    else if (a->op == CC_R_ASIN)
        res = a->a;
    else
        res = cc_real_node(r, CC_R_SIN, a, NULL, 0);
    fmpq_clear(q);
    return res;
}

cc_real *cc_real_cos(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    fmpq_t q;
    fmpq_init(q);
    cc_real *res;
    if (multiple_of_pi(a, q))
        res = cos_pi(r, q);
    else if (leading_minus(a))
        res = cc_real_cos(r, cc_real_neg(r, a));
    else if (a->op == CC_R_ACOS)
        res = a->a;
    else
        res = cc_real_node(r, CC_R_COS, a, NULL, 0);
    fmpq_clear(q);
    return res;
}

cc_real *cc_real_tan(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    cc_real *c = cc_real_cos(r, a);
    int sign;
    if (!c || cc_real_sign(r, c, &sign)) return NULL;
    if (sign == 0) {
        cc_error_set(r->err, CC_VALIDATION, "the tangent has a pole there: its cosine is 0");
        return NULL;
    }
    fmpq_t q;
    fmpq_init(q);
    cc_real *res;
    if (multiple_of_pi(a, q)) {
        bool simple = fmpz_cmp_ui(fmpq_denref(q), 6) <= 0 && !fmpz_equal_ui(fmpq_denref(q), 5);
        fmpz_fdiv_r(fmpq_numref(q), fmpq_numref(q), fmpq_denref(q)); // period 1
        if (simple) {
            res = cc_real_div(r, cc_real_sin(r, a), c);
        } else {
            cc_real *arg = cc_real_mul(r, cc_real_fmpq(r, q), pi(r));
            res = arg ? cc_real_node(r, CC_R_TAN, arg, NULL, 0) : NULL;
        }
    } else if (leading_minus(a)) {
        res = cc_real_neg(r, cc_real_tan(r, cc_real_neg(r, a)));
    } else if (a->op == CC_R_ATAN) {
        res = a->a;
    } else {
        res = cc_real_node(r, CC_R_TAN, a, NULL, 0);
    }
    fmpq_clear(q);
    return res;
}

// f_inverse(f(y)) for a real y: sin: (-1)^k (y - k pi), k = round(y/pi); tan: y - k pi.
static cc_real *unwind(cc_reals *r, cc_real *y, bool alternating) {
    cc_real *k = cc_real_floor(r, cc_real_add(r, cc_real_div(r, y, pi(r)), cc_real_frac(r, 1, 2)));
    if (!k) return NULL;
    cc_real *x = cc_real_sub(r, y, cc_real_mul(r, k, pi(r)));
    return alternating && fmpz_is_odd(fmpq_numref(k->q)) ? cc_real_neg(r, x) : x;
}

cc_real *cc_real_asin(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    if (a->op == CC_R_RAT && fmpq_is_zero(a->q)) return a;
    if (leading_minus(a)) return cc_real_neg(r, cc_real_asin(r, cc_real_neg(r, a)));
    if (a->op == CC_R_RAT && fmpq_is_one(a->q)) return cc_real_mul(r, cc_real_frac(r, 1, 2), pi(r));
    if (a->op == CC_R_RAT && fmpz_is_one(fmpq_numref(a->q)) && fmpz_equal_ui(fmpq_denref(a->q), 2))
        return cc_real_mul(r, cc_real_frac(r, 1, 6), pi(r));
    if (a->op == CC_R_SIN) return unwind(r, a->a, true);
    if (a->op == CC_R_COS) return unwind(r, cc_real_sub(r, cc_real_mul(r, cc_real_frac(r, 1, 2), pi(r)), a->a), true);
    return cc_real_node(r, CC_R_ASIN, a, NULL, 0);
}

cc_real *cc_real_acos(cc_reals *r, cc_real *a) {
    cc_real *s = cc_real_asin(r, a);
    if (!s) return NULL;
    fmpq_t q;
    fmpq_init(q);
    bool closed = multiple_of_pi(s, q) || a->op == CC_R_SIN || a->op == CC_R_COS ||
                  (a->op == CC_R_MUL && (a->b->op == CC_R_SIN || a->b->op == CC_R_COS));
    fmpq_clear(q);
    if (closed) return cc_real_sub(r, cc_real_mul(r, cc_real_frac(r, 1, 2), pi(r)), s);
    return cc_real_node(r, CC_R_ACOS, a, NULL, 0);
}

cc_real *cc_real_atan(cc_reals *r, cc_real *a) {
    if (!a) return NULL;
    if (a->op == CC_R_RAT && fmpq_is_zero(a->q)) return a;
    if (leading_minus(a)) return cc_real_neg(r, cc_real_atan(r, cc_real_neg(r, a)));
    if (a->op == CC_R_RAT && fmpq_is_one(a->q)) return cc_real_mul(r, cc_real_frac(r, 1, 4), pi(r));
    if (a->op == CC_R_TAN) return unwind(r, a->a, false);
    return cc_real_node(r, CC_R_ATAN, a, NULL, 0);
}

// ---- special functions ----

static cc_real *gamma_of_rational(cc_reals *r, cc_real *a) {
    fmpz_t k;
    fmpz_init(k);
    fmpz_fdiv_q(k, fmpq_numref(a->q), fmpq_denref(a->q));
    cc_real *res = NULL;
    if (fmpz_is_one(fmpq_denref(a->q))) {
        if (fmpz_sgn(k) <= 0) {
            cc_error_set(r->err, CC_VALIDATION, "gamma has a pole at 0 and at negative integers");
        } else if (fmpz_cmp_ui(k, 1000000) > 0) {
            cc_error_set(r->err, CC_RESOURCE_EXHAUSTED,
                         "gamma of an integer above 1000000 is too long to write out; lgamma gives its logarithm");
        } else {
            fmpz_fac_ui(k, fmpz_get_ui(k) - 1);
            res = cc_real_fmpz(r, k);
        }
    } else if (fmpz_cmp_si(k, 1000) > 0 || fmpz_cmp_si(k, -1000) < 0) {
        res = cc_real_node(r, CC_R_GAMMA, a, NULL, 0);
    } else { // gamma(t + k) = gamma(t) * t (t+1) … for 0 < t < 1
        fmpq_t t, product;
        fmpq_init(t);
        fmpq_init(product);
        fmpq_one(product);
        fmpq_sub_fmpz(t, a->q, k);
        cc_real *base = cc_real_fmpq(r, t);
        slong n = fmpz_get_si(k);
        for (slong i = 0; i < n; i++, fmpq_add_si(t, t, 1)) fmpq_mul(product, product, t);
        for (slong i = 0; i > n; i--) {
            fmpq_sub_si(t, t, 1);
            fmpq_div(product, product, t);
        }
        bool half = fmpz_equal_ui(fmpq_denref(a->q), 2);
        if (base) base = half ? cc_real_root(r, pi(r), 2) : cc_real_node(r, CC_R_GAMMA, base, NULL, 0);
        if (base) res = cc_real_mul(r, cc_real_fmpq(r, product), base);
        fmpq_clear(t);
        fmpq_clear(product);
    }
    fmpz_clear(k);
    return res;
}

// zeta(0), zeta(-n) = -B(n+1)/(n+1), zeta(2k) = |B(2k)| (2 pi)^(2k) / (2 (2k)!)
static cc_real *zeta_of_integer(cc_reals *r, cc_real *a) {
    slong n = fmpz_get_si(fmpq_numref(a->q));
    fmpq_t b;
    fmpq_init(b);
    cc_real *res;
    if (n == 0) {
        res = cc_real_frac(r, -1, 2);
    } else if (n < 0) {
        bernoulli_fmpq_ui(b, (ulong)(1 - n));
        fmpq_div_fmpz(b, b, (fmpz[]){1 - n});
        fmpq_neg(b, b);
        res = cc_real_fmpq(r, b);
    } else {
        fmpz_t f;
        fmpz_init(f);
        bernoulli_fmpq_ui(b, (ulong)n);
        fmpq_abs(b, b);
        fmpz_fac_ui(f, (ulong)n);
        fmpq_div_fmpz(b, b, f);
        fmpq_mul_2exp(b, b, (flint_bitcnt_t)n - 1);
        fmpz_clear(f);
        res = cc_real_mul(r, cc_real_fmpq(r, b), cc_real_powi(r, pi(r), n));
    }
    fmpq_clear(b);
    return res;
}

// digamma(n) = 1 + 1/2 + … + 1/(n - 1) - EulerGamma
static cc_real *digamma_of_integer(cc_reals *r, slong n) {
    fmpq_t h;
    fmpq_init(h);
    fmpq_harmonic_ui(h, (ulong)n - 1);
    cc_real *x = cc_real_sub(r, cc_real_fmpq(r, h), cc_real_const(r, CC_R_EULER));
    fmpq_clear(h);
    return x;
}

cc_real *cc_real_func(cc_reals *r, cc_real_op op, cc_real *a) {
    if (!a) return NULL;
    bool odd = op == CC_R_SINH || op == CC_R_TANH || op == CC_R_ASINH || op == CC_R_ATANH || op == CC_R_ERF || op == CC_R_ERFI;
    if (odd && leading_minus(a)) return cc_real_neg(r, cc_real_func(r, op, cc_real_neg(r, a)));
    if (a->op == CC_R_RAT && fmpq_is_zero(a->q)) {
        if (odd) return a;
        if (op == CC_R_COSH || op == CC_R_ERFC) return cc_real_si(r, 1);
    }
    if ((op == CC_R_SINH && a->op == CC_R_ASINH) || (op == CC_R_COSH && a->op == CC_R_ACOSH) || (op == CC_R_TANH && a->op == CC_R_ATANH) ||
        (op == CC_R_ASINH && a->op == CC_R_SINH) || (op == CC_R_ATANH && a->op == CC_R_TANH))
        return a->a;
    if (op == CC_R_COSH && leading_minus(a)) return cc_real_func(r, op, cc_real_neg(r, a));
    if (op == CC_R_ACOSH && a->op == CC_R_RAT && fmpq_is_one(a->q)) return cc_real_si(r, 0);
    if (op == CC_R_GAMMA && a->op == CC_R_RAT) return gamma_of_rational(r, a);
    if (op == CC_R_DIGAMMA && cc_real_is_int(a) && fmpz_sgn(fmpq_numref(a->q)) > 0 && fmpz_cmp_ui(fmpq_numref(a->q), 1000) <= 0)
        return digamma_of_integer(r, fmpz_get_si(fmpq_numref(a->q)));
    if (op == CC_R_LGAMMA && cc_real_is_int(a) && fmpz_sgn(fmpq_numref(a->q)) > 0 && fmpz_cmp_ui(fmpq_numref(a->q), 1000) <= 0)
        return cc_real_log(r, gamma_of_rational(r, a));
    if (op == CC_R_ZETA && cc_real_is_int(a) && fmpz_cmp_si(fmpq_numref(a->q), -1000) >= 0 && fmpz_cmp_si(fmpq_numref(a->q), 200) <= 0 &&
        (fmpz_sgn(fmpq_numref(a->q)) <= 0 || fmpz_is_even(fmpq_numref(a->q))))
        return zeta_of_integer(r, a);
    return cc_real_node(r, op, a, NULL, 0);
}
