// Arithmetic and elementary functions of numbers, real or complex (a pair of exact reals), with the principal values that are
// usual in the field. Called by the calculator. Square roots and logarithms of negative numbers are complex; the inverse functions
// outside their real domain are errors, because conventions differ about the value on a branch cut, and so are poles.
#include "math/value.h"

#include <assert.h>
#include <stdlib.h>

static bool rat_zero(const cc_real *x) { return x->op == CC_R_RAT && fmpq_is_zero(x->q); }

int cc_val_pair(cc_calc *c, cc_val *out, cc_real *re, cc_real *im) {
    (void)c;
    *out = (cc_val){.kind = CC_V_NUMBER, .re = re, .im = im && rat_zero(im) ? NULL : im};
    return re && im ? 0 : -1;
}

int cc_val_settle(cc_calc *c, cc_val *v) {
    int sign = 1;
    if (v->kind != CC_V_NUMBER || !v->im) return 0;
    if (cc_real_try_sign(&c->r, v->im, &sign)) return cc_reals_poll(&c->r);
    if (sign == 0) v->im = NULL;
    return 0;
}

static cc_real *zero(cc_calc *c) { return cc_real_si(&c->r, 0); }
static cc_real *one(cc_calc *c) { return cc_real_si(&c->r, 1); }
static cc_real *half(cc_calc *c) { return cc_real_frac(&c->r, 1, 2); }
static cc_real *pi(cc_calc *c) { return cc_real_const(&c->r, CC_R_PI); }
static cc_real *imag(cc_calc *c, const cc_val *a) { return a->im ? a->im : zero(c); }

int cc_val_add(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out) {
    cc_real *re = cc_real_add(&c->r, a->re, b->re);
    if (!a->im && !b->im) return cc_val_real(out, re);
    return cc_val_pair(c, out, re, cc_real_add(&c->r, imag(c, a), imag(c, b)));
}

int cc_val_neg(cc_calc *c, const cc_val *a, cc_val *out) {
    cc_real *re = cc_real_neg(&c->r, a->re);
    return a->im ? cc_val_pair(c, out, re, cc_real_neg(&c->r, a->im)) : cc_val_real(out, re);
}

int cc_val_sub(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out) {
    cc_val n;
    return cc_val_neg(c, b, &n) ? -1 : cc_val_add(c, a, &n, out);
}

int cc_val_mul(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out) {
    cc_reals *r = &c->r;
    if (!a->im && !b->im) return cc_val_real(out, cc_real_mul(r, a->re, b->re));
    if (!a->im) return cc_val_pair(c, out, cc_real_mul(r, a->re, b->re), cc_real_mul(r, a->re, b->im));
    if (!b->im) return cc_val_pair(c, out, cc_real_mul(r, a->re, b->re), cc_real_mul(r, a->im, b->re));
    cc_real *re = cc_real_sub(r, cc_real_mul(r, a->re, b->re), cc_real_mul(r, a->im, b->im));
    cc_real *im = cc_real_add(r, cc_real_mul(r, a->re, b->im), cc_real_mul(r, a->im, b->re));
    return cc_val_pair(c, out, re, im);
}

static cc_real *norm(cc_calc *c, const cc_val *a) { // |a|^2
    return cc_real_add(&c->r, cc_real_powi(&c->r, a->re, 2), cc_real_powi(&c->r, imag(c, a), 2));
}

int cc_val_div(cc_calc *c, const cc_val *a, const cc_val *b, cc_val *out) {
    cc_reals *r = &c->r;
    if (!b->im) {
        cc_real *re = cc_real_div(r, a->re, b->re);
        return a->im ? cc_val_pair(c, out, re, cc_real_div(r, a->im, b->re)) : cc_val_real(out, re);
    }
    cc_val conj, num;
    cc_real *n = norm(c, b);
    if (!n || cc_val_pair(c, &conj, b->re, cc_real_neg(r, b->im)) || cc_val_mul(c, a, &conj, &num)) return -1;
    cc_real *re = cc_real_div(r, num.re, n);
    return num.im ? cc_val_pair(c, out, re, cc_real_div(r, num.im, n)) : cc_val_real(out, re);
}

int cc_val_abs(cc_calc *c, const cc_val *a, cc_val *out) {
    return cc_val_real(out, a->im ? cc_real_root(&c->r, norm(c, a), 2) : cc_real_abs(&c->r, a->re));
}

cc_real *cc_real_atan2(cc_calc *c, cc_real *y, cc_real *x) {
    cc_reals *r = &c->r;
    int sx, sy;
    if (!x || !y || cc_real_sign(r, x, &sx) || cc_real_sign(r, y, &sy)) return NULL;
    if (sx == 0 && sy == 0) {
        cc_error_set(c->err, CC_VALIDATION, "the angle of the point (0, 0) is not defined");
        return NULL;
    }
    if (sy == 0) return sx > 0 ? zero(c) : pi(c);
    if (sx == 0) return cc_real_mul(r, cc_real_frac(r, sy, 2), pi(c));
    cc_real *a = cc_real_atan(r, cc_real_div(r, y, x));
    return sx > 0 ? a : cc_real_add(r, a, cc_real_mul_si(r, pi(c), sy));
}

int cc_val_arg(cc_calc *c, const cc_val *a, cc_val *out) { return cc_val_real(out, cc_real_atan2(c, imag(c, a), a->re)); }

int cc_val_log(cc_calc *c, const cc_val *a, cc_val *out) {
    cc_reals *r = &c->r;
    if (a->im) {
        cc_real *re = cc_real_mul(r, half(c), cc_real_log(r, norm(c, a)));
        return cc_val_pair(c, out, re, cc_real_atan2(c, a->im, a->re));
    }
    int sign;
    if (cc_real_sign(r, a->re, &sign)) return -1;
    if (sign == 0) return cc_error_set(c->err, CC_VALIDATION, "the logarithm of 0 is not defined");
    if (sign > 0) return cc_val_real(out, cc_real_log(r, a->re));
    return cc_val_pair(c, out, cc_real_log(r, cc_real_neg(r, a->re)), pi(c));
}

// r (cos t + i sin t)
static int polar(cc_calc *c, cc_real *radius, cc_real *angle, cc_val *out) {
    cc_reals *r = &c->r;
    cc_real *re = cc_real_mul(r, radius, cc_real_cos(r, angle));
    return cc_val_pair(c, out, re, cc_real_mul(r, radius, cc_real_sin(r, angle)));
}

int cc_val_exp(cc_calc *c, const cc_val *a, cc_val *out) {
    cc_real *e = cc_real_exp(&c->r, a->re);
    return a->im ? polar(c, e, a->im, out) : cc_val_real(out, e);
}

int cc_val_sqrt(cc_calc *c, const cc_val *a, cc_val *out) {
    cc_reals *r = &c->r;
    int sign;
    if (!a->im) {
        if (cc_real_sign(r, a->re, &sign)) return -1;
        if (sign >= 0) return cc_val_real(out, cc_real_root(r, a->re, 2));
        return cc_val_pair(c, out, zero(c), cc_real_root(r, cc_real_neg(r, a->re), 2));
    }
    // sqrt(x + iy) = sqrt((|z| + x)/2) + i sign(y) sqrt((|z| - x)/2)
    cc_val m;
    if (cc_val_abs(c, a, &m) || cc_real_sign(r, a->im, &sign)) return -1;
    cc_real *re = cc_real_root(r, cc_real_mul(r, half(c), cc_real_add(r, m.re, a->re)), 2);
    cc_real *im = cc_real_root(r, cc_real_mul(r, half(c), cc_real_sub(r, m.re, a->re)), 2);
    return cc_val_pair(c, out, re, sign < 0 ? cc_real_neg(r, im) : im);
}

// ---- powers ----

static int pow_integer(cc_calc *c, const cc_val *a, const fmpz_t n, cc_val *out) {
    cc_reals *r = &c->r;
    if (!a->im) {
        int sign;
        if (fmpz_sgn(n) < 0) {
            if (cc_real_sign(r, a->re, &sign)) return -1;
            if (sign == 0) return cc_error_set(c->err, CC_VALIDATION, "division by zero: 0 to a negative power");
        }
        if (fmpz_fits_si(n)) return cc_val_real(out, cc_real_powi(r, a->re, fmpz_get_si(n)));
        bool unit = cc_real_is_int(a->re) && (fmpz_is_zero(fmpq_numref(a->re->q)) || fmpz_is_pm1(fmpq_numref(a->re->q)));
        if (unit) return cc_val_real(out, fmpz_is_odd(n) ? a->re : cc_real_mul(r, a->re, a->re));
        return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "the exponent has %lu bits: the power is too long to compute exactly",
                            fmpz_bits(n));
    }
    if (fmpz_cmpabs(n, (fmpz[]){1000}) > 0)
        return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "powers of complex numbers are computed up to the exponent 1000");
    cc_val base = *a, acc = {.kind = CC_V_NUMBER, .re = one(c)};
    if (!acc.re) return -1;
    for (ulong k = (ulong)labs(fmpz_get_si(n)); k; k >>= 1) {
        if ((k & 1) && cc_val_mul(c, &acc, &base, &acc)) return -1;
        if (k > 1 && cc_val_mul(c, &base, &base, &base)) return -1;
    }
    cc_val unit = {.kind = CC_V_NUMBER, .re = one(c)};
    if (fmpz_sgn(n) < 0) return cc_val_div(c, &unit, &acc, out);
    *out = acc;
    return 0;
}

static int pow_of_zero(cc_calc *c, cc_val *b, cc_val *out) {
    int sign;
    if (cc_val_settle(c, b)) return -1;
    if (b->im) return cc_error_set(c->err, CC_VALIDATION, "0 to a complex power is not defined");
    if (cc_real_sign(&c->r, b->re, &sign)) return -1;
    if (sign < 0) return cc_error_set(c->err, CC_VALIDATION, "division by zero: 0 to a negative power");
    return cc_val_real(out, sign ? zero(c) : one(c));
}

int cc_val_pow(cc_calc *c, const cc_val *base, const cc_val *exponent, cc_val *out) {
    cc_reals *r = &c->r;
    cc_val a = *base, b = *exponent;
    if (cc_val_settle(c, &a) || cc_val_settle(c, &b)) return -1;
    if (!b.im && cc_real_find_rat(r, b.re) && cc_real_is_int(b.re)) return pow_integer(c, &a, fmpq_numref(b.re->q), out);
    int sign = 1;
    if (!a.im && cc_real_sign(r, a.re, &sign)) return -1;
    if (sign == 0) return pow_of_zero(c, &b, out);
    if (!a.im && !b.im) {
        if (sign > 0) return cc_val_real(out, cc_real_pow(r, a.re, b.re));
        cc_real *radius = cc_real_pow(r, cc_real_neg(r, a.re), b.re);
        if (b.re->op == CC_R_RAT && fmpz_is_odd(fmpq_denref(b.re->q)))
            cc_parsed_warn(
                c->arena, c->parsed,
                "a negative number to a fractional power is the complex principal value; for the real root use cbrt(x) or root(x, n)");
        return polar(c, radius, cc_real_mul(r, b.re, pi(c)), out);
    }
    cc_val l;
    if (cc_val_log(c, &a, &l) || cc_val_mul(c, &b, &l, &l)) return -1;
    return cc_val_exp(c, &l, out);
}

// ---- functions ----

static int pair_of(cc_calc *c, cc_val *out, cc_real *a, cc_real *b, cc_real *d, cc_real *e) { // a*b + i d*e
    return cc_val_pair(c, out, cc_real_mul(&c->r, a, b), cc_real_mul(&c->r, d, e));
}

static int complex_circular(cc_calc *c, cc_real_op op, const cc_val *z, cc_val *out) {
    cc_reals *r = &c->r;
    cc_val s, k;
    cc_real *ch = cc_real_func(r, CC_R_COSH, z->im), *sh = cc_real_func(r, CC_R_SINH, z->im);
    cc_real *sn = cc_real_sin(r, z->re), *cs = cc_real_cos(r, z->re);
    if (!ch || !sh || !sn || !cs || pair_of(c, &s, sn, ch, cs, sh) || pair_of(c, &k, cs, ch, cc_real_neg(r, sn), sh)) return -1;
    *out = op == CC_R_SIN ? s : k;
    return op == CC_R_TAN ? cc_val_div(c, &s, &k, out) : 0;
}

static int complex_hyperbolic(cc_calc *c, cc_real_op op, const cc_val *z, cc_val *out) {
    cc_reals *r = &c->r;
    cc_val s, k;
    cc_real *ch = cc_real_func(r, CC_R_COSH, z->re), *sh = cc_real_func(r, CC_R_SINH, z->re);
    cc_real *sn = cc_real_sin(r, z->im), *cs = cc_real_cos(r, z->im);
    if (!ch || !sh || !sn || !cs || pair_of(c, &s, sh, cs, ch, sn) || pair_of(c, &k, ch, cs, sh, sn)) return -1;
    *out = op == CC_R_SINH ? s : k;
    return op == CC_R_TANH ? cc_val_div(c, &s, &k, out) : 0;
}

static int times_i(cc_calc *c, const cc_val *z, slong sign, cc_val *out) { // sign * i * z
    return cc_val_pair(c, out, cc_real_mul_si(&c->r, imag(c, z), -sign), cc_real_mul_si(&c->r, z->re, sign));
}

// asinh z = log(z + sqrt(z^2 + 1)); asin z = -i asinh(i z)
static int complex_asinh(cc_calc *c, const cc_val *z, cc_val *out) {
    cc_val t, unit = {.kind = CC_V_NUMBER, .re = one(c)};
    if (!unit.re || cc_val_mul(c, z, z, &t) || cc_val_add(c, &t, &unit, &t) || cc_val_settle(c, &t) || cc_val_sqrt(c, &t, &t) ||
        cc_val_add(c, &t, z, &t) || cc_val_settle(c, &t))
        return -1;
    return cc_val_log(c, &t, out);
}

static int complex_asin(cc_calc *c, const cc_val *z, cc_val *out) {
    cc_val t;
    return times_i(c, z, 1, &t) || complex_asinh(c, &t, &t) ? -1 : times_i(c, &t, -1, out);
}

// acosh z = log(z + sqrt(z + 1) sqrt(z - 1))
static int complex_acosh(cc_calc *c, const cc_val *z, cc_val *out) {
    cc_val p, m, unit = {.kind = CC_V_NUMBER, .re = one(c)};
    if (!unit.re || cc_val_add(c, z, &unit, &p) || cc_val_sub(c, z, &unit, &m) || cc_val_sqrt(c, &p, &p) || cc_val_sqrt(c, &m, &m) ||
        cc_val_mul(c, &p, &m, &p) || cc_val_add(c, &p, z, &p) || cc_val_settle(c, &p))
        return -1;
    return cc_val_log(c, &p, out);
}

// atanh z = (log(1 + z) - log(1 - z)) / 2
static int complex_atanh(cc_calc *c, const cc_val *z, cc_val *out) {
    cc_val p, m, unit = {.kind = CC_V_NUMBER, .re = one(c)}, two = {.kind = CC_V_NUMBER, .re = cc_real_si(&c->r, 2)};
    if (!unit.re || !two.re || cc_val_add(c, &unit, z, &p) || cc_val_sub(c, &unit, z, &m) || cc_val_log(c, &p, &p) ||
        cc_val_log(c, &m, &m) || cc_val_sub(c, &p, &m, &p))
        return -1;
    return cc_val_div(c, &p, &two, out);
}

// Where x lies with respect to bound: -1, 0, 1.
static int place(cc_calc *c, cc_real *x, slong bound, int *out) {
    cc_real *d = cc_real_sub(&c->r, x, cc_real_si(&c->r, bound));
    return d ? cc_real_sign(&c->r, d, out) : -1;
}

static int outside(cc_calc *c, const char *name, const char *domain) {
    return cc_error_set(c->err, CC_VALIDATION, "%s of a real number needs %s: elsewhere its value is complex and differs by convention",
                        name, domain);
}

static int complex_inverse(cc_calc *c, cc_real_op op, const cc_val *z, cc_val *out) {
    cc_val t;
    int re, low, high;
    if (op == CC_R_ATAN || op == CC_R_ASINH) { // cuts on the imaginary axis beyond i and -i
        if (cc_real_sign(&c->r, z->re, &re)) return -1;
        if (re == 0 && (place(c, z->im, -1, &low) || place(c, z->im, 1, &high))) return -1;
        if (re == 0 && (low <= 0 || high >= 0))
            return cc_error_set(c->err, CC_VALIDATION, "%s has its branch cut there: the value differs by convention",
                                op == CC_R_ATAN ? "atan" : "asinh");
    }
    switch (op) {
    case CC_R_ASIN: return complex_asin(c, z, out);
    case CC_R_ACOS: {
        cc_val h = {.kind = CC_V_NUMBER, .re = cc_real_mul(&c->r, half(c), pi(c))};
        return !h.re || complex_asin(c, z, &t) ? -1 : cc_val_sub(c, &h, &t, out);
    }
    case CC_R_ATAN: return times_i(c, z, 1, &t) || complex_atanh(c, &t, &t) ? -1 : times_i(c, &t, -1, out);
    case CC_R_ASINH: return complex_asinh(c, z, out);
    case CC_R_ACOSH: return complex_acosh(c, z, out);
    default: return complex_atanh(c, z, out);
    }
}

int cc_val_elementary(cc_calc *c, cc_real_op op, const cc_val *arg, cc_val *out) {
    cc_reals *r = &c->r;
    cc_val a = *arg;
    if (cc_val_settle(c, &a)) return -1;
    if (a.im) {
        if (op == CC_R_SIN || op == CC_R_COS || op == CC_R_TAN) return complex_circular(c, op, &a, out);
        if (op == CC_R_SINH || op == CC_R_COSH || op == CC_R_TANH) return complex_hyperbolic(c, op, &a, out);
        return complex_inverse(c, op, &a, out);
    }
    int low = 1, high = -1;
    switch (op) {
    case CC_R_SIN: return cc_val_real(out, cc_real_sin(r, a.re));
    case CC_R_COS: return cc_val_real(out, cc_real_cos(r, a.re));
    case CC_R_TAN: return cc_val_real(out, cc_real_tan(r, a.re));
    case CC_R_ATAN: return cc_val_real(out, cc_real_atan(r, a.re));
    case CC_R_ASIN:
    case CC_R_ACOS:
        if (place(c, a.re, -1, &low) || place(c, a.re, 1, &high)) return -1;
        if (low < 0 || high > 0) return outside(c, op == CC_R_ASIN ? "asin" : "acos", "-1 <= x <= 1");
        // At a bound the number itself goes on: an enclosure of a would stick out of the domain.
        if (low == 0 || high == 0) a.re = cc_real_si(r, low == 0 ? -1 : 1);
        return cc_val_real(out, op == CC_R_ASIN ? cc_real_asin(r, a.re) : cc_real_acos(r, a.re));
    case CC_R_ACOSH:
        if (place(c, a.re, 1, &low)) return -1;
        if (low == 0) return cc_val_real(out, zero(c));
        return low < 0 ? outside(c, "acosh", "x >= 1") : cc_val_real(out, cc_real_func(r, op, a.re));
    case CC_R_ATANH:
        if (place(c, a.re, -1, &low) || place(c, a.re, 1, &high)) return -1;
        if (low == 0 || high == 0) return cc_error_set(c->err, CC_VALIDATION, "atanh has poles at 1 and -1");
        return low < 0 || high > 0 ? outside(c, "atanh", "-1 < x < 1") : cc_val_real(out, cc_real_func(r, op, a.re));
    default: return cc_val_real(out, cc_real_func(r, op, a.re));
    }
}

// ---- comparing ----

static int part_equal(cc_calc *c, cc_real *a, cc_real *b, cc_truth *out) {
    int sign;
    cc_real *d = cc_real_sub(&c->r, a, b);
    if (!d) return -1;
    if (cc_real_try_sign(&c->r, d, &sign)) {
        *out = CC_UNDECIDED;
        return cc_reals_poll(&c->r);
    }
    *out = sign == 0 ? CC_TRUE : CC_FALSE;
    return 0;
}

int cc_val_equal(cc_calc *c, const cc_val *a, const cc_val *b, cc_truth *out) {
    cc_truth re, im = CC_TRUE;
    if (part_equal(c, a->re, b->re, &re)) return -1;
    if (re != CC_FALSE && (a->im || b->im) && part_equal(c, imag(c, a), imag(c, b), &im)) return -1;
    *out = re == CC_FALSE || im == CC_FALSE ? CC_FALSE : re == CC_UNDECIDED || im == CC_UNDECIDED ? CC_UNDECIDED : CC_TRUE;
    return 0;
}

int cc_val_order(cc_calc *c, const cc_val *a, const cc_val *b, int *sign, bool *decided) {
    assert(cc_val_is_real(a) && cc_val_is_real(b));
    cc_real *d = cc_real_sub(&c->r, a->re, b->re);
    if (!d) return -1;
    *decided = !cc_real_try_sign(&c->r, d, sign);
    return *decided ? 0 : cc_reals_poll(&c->r);
}
