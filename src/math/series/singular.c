// Series of functions where they are not analytic: at infinity, at poles and at branch points. Called by functions.c. Each rule holds for
// real w → 0+; a point where no rule is proven to hold gives "not found". Owns nothing.
#include "math/series/series.h"

// ---- infinity ----

// log(gamma(a)) for a → +oo: (a - 1/2) log a - a + log(2 pi)/2 + sum B_2k/(2k (2k-1) a**(2k-1)) (Abramowitz and Stegun 6.1.41); its
// derivative for digamma (6.3.18).
static bool stirling(const cc_ps_context *s, bool derivative, const cc_ps *a, cc_ps *out) {
    cc_alg *g = s->g;
    cc_ps log_a, inverse_a, part;
    if (!cc_ps_log(s, a, &log_a) || !cc_ps_power(s, a, g->minus_one, &inverse_a)) return false;
    cc_ps square = cc_ps_mul(s, &inverse_a, &inverse_a);
    size_t n = s->keep + 1;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t k = 1; k <= n; k++) {
        slong j = 2 * (slong)k;
        cc_xp b = cc_x_f1(g, CC_F_BERNOULLI, cc_x_int(g, j));
        t[k - 1] = derivative ? cc_x_neg(g, cc_x_div(g, b, cc_x_int(g, j))) : cc_x_div(g, b, cc_x_int(g, j * (j - 1)));
    }
    cc_ps tail = cc_ps_compose(s, t, n, &square);
    if (derivative) { // log a - 1/(2a) - sum B_2k/(2k a**2k)
        tail = cc_ps_mul(s, &tail, &square);
        part = cc_ps_scale(s, &inverse_a, cc_x_neg(g, g->half), g->zero);
        *out = cc_ps_add(s, &log_a, &part);
    } else {
        tail = cc_ps_mul(s, &tail, &inverse_a);
        cc_ps minus_half = cc_ps_constant(s, cc_x_neg(g, g->half)), shifted = cc_ps_add(s, a, &minus_half);
        *out = cc_ps_mul(s, &shifted, &log_a);
        part = cc_ps_scale(s, a, g->minus_one, g->zero);
        *out = cc_ps_add(s, out, &part);
        part = cc_ps_constant(s, cc_x_mul(g, g->half, cc_x_log(g, cc_x_mul(g, g->two, g->pi))));
        *out = cc_ps_add(s, out, &part);
    }
    *out = cc_ps_add(s, out, &tail);
    return true;
}

// polygamma(m, a), m >= 1 (Abramowitz and Stegun 6.4.11): (-1)**(m+1) ((m-1)!/a**m + m!/(2 a**(m+1)) + sum B_2k (2k+m-1)!/((2k)!
// a**(2k+m))).
static bool polygamma(const cc_ps_context *s, cc_xp order, const cc_ps *a, cc_ps *out) {
    cc_alg *g = s->g;
    slong m;
    cc_ps inverse, power;
    if (!cc_x_fits_si(order, &m) || m < 1 || m > 50 || !cc_ps_power(s, a, g->minus_one, &inverse) ||
        !cc_ps_power(s, &inverse, order, &power))
        return false;
    size_t n = 2 * s->keep + 2;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t k = 0; k < n; k++) { // B_k (k+m-1)!/k!, B_1 taken as 1/2
        slong j = (slong)k;
        cc_xp b = k == 1 ? g->half : cc_x_f1(g, CC_F_BERNOULLI, cc_x_int(g, j));
        cc_xp up = cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, j + m - 1)), down = cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, j));
        t[k] = cc_x_mul(g, b, cc_x_div(g, up, down));
        if (m % 2 == 0) t[k] = cc_x_neg(g, t[k]);
    }
    cc_ps sum = cc_ps_compose(s, t, n, &inverse);
    *out = cc_ps_mul(s, &sum, &power);
    return true;
}

// polylog(n, z) by polylog(n, 1/z), whole n >= 2, for z outside [0, 1] (A. Jonquière; NIST DLMF 25.12.7 for n = 2): with L = log(-z) it is
// -(-1)**n polylog(n, 1/z) - L**n/n! - 2 sum eta(2k) L**(n-2k)/(n-2k)!, k = 1 … n/2.
static cc_xp polylog_inverted(cc_alg *g, cc_xp f) {
    cc_xp z = f->args[1], log = cc_x_log(g, cc_x_neg(g, z));
    slong n;
    if (!cc_x_fits_si(f->args[0], &n) || n < 2 || n > 30) return NULL;
    cc_xp out = cc_x_f2(g, CC_F_POLYLOG, f->args[0], cc_x_div(g, g->one, z));
    if (n % 2 == 0) out = cc_x_neg(g, out);
    for (slong k = 0; 2 * k <= n; k++) {
        cc_xp eta = g->half; // of 0; (1 - 2**(1-s)) zeta(s)
        if (k) eta = cc_x_mul(g, cc_x_sub(g, g->one, cc_x_powi(g, g->two, 1 - 2 * k)), cc_x_f1(g, CC_F_ZETA, cc_x_int(g, 2 * k)));
        cc_xp term = cc_x_div(g, cc_x_powi(g, log, n - 2 * k), cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, n - 2 * k)));
        out = cc_x_sub(g, out, cc_x_mul(g, cc_x_mul(g, g->two, eta), term));
    }
    return out;
}

// f by logarithms, its argument as it is.
static cc_xp as_log(cc_alg *g, cc_xp f) {
    cc_xp t = cc_x_dummy(g, "t", 0), law = cc_x_rewrite(g, cc_x_f1(g, (cc_xfn)f->fn, t), CC_REWRITE_LOG);
    return cc_x_is_fun(law, (cc_xfn)f->fn) ? NULL : cc_x_subs(g, law, t, f->args[0]);
}

bool cc_ps_at_infinity(const cc_ps_context *s, cc_xp f, const cc_ps *a, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_xp z = f->args[0];
    if (f->fn == CC_F_POLYLOG) return cc_ps_by_law(s, polylog_inverted(g, f), out, more);
    int sign = cc_ps_series_sign(s, a, more);
    if (sign == 2 || sign == 0 || !cc_ps_is_real(s, a)) return false;
    switch (f->fn) {
    case CC_F_ATAN: { // ±pi/2 - atan(1/z)
        cc_xp law = cc_x_sub(g, cc_x_mul(g, cc_x_frac(g, sign, 2), g->pi), cc_x_f1(g, CC_F_ATAN, cc_x_div(g, g->one, z)));
        return cc_x_is_fun(cc_x_f1(g, CC_F_ATAN, cc_x_div(g, g->one, z)), CC_F_ATAN) && cc_ps_by_law(s, law, out, more);
    }
    case CC_F_ASINH: // sign * log(|z| + sqrt(z**2 + 1))
        if (sign < 0) z = cc_x_neg(g, z);
        z = cc_x_log(g, cc_x_add(g, z, cc_x_sqrt(g, cc_x_add(g, cc_x_powi(g, z, 2), g->one))));
        return cc_ps_by_law(s, sign < 0 ? cc_x_neg(g, z) : z, out, more);
    case CC_F_ACOSH:
        if (sign < 0) return false;
        z = cc_x_log(g, cc_x_add(g, z, cc_x_mul(g, cc_x_sqrt(g, cc_x_sub(g, z, g->one)), cc_x_sqrt(g, cc_x_add(g, z, g->one)))));
        return cc_ps_by_law(s, z, out, more);
    case CC_F_ASIN:
    case CC_F_ACOS: return cc_ps_by_law(s, as_log(g, f), out, more); // complex there
    case CC_F_ATANH:
        z = cc_x_sub(g, cc_x_log(g, cc_x_add(g, g->one, z)), cc_x_log(g, cc_x_sub(g, g->one, z)));
        return cc_ps_by_law(s, cc_x_mul(g, g->half, z), out, more);
    case CC_F_LOGGAMMA: return sign > 0 && stirling(s, false, a, out);
    case CC_F_DIGAMMA: return sign > 0 && stirling(s, true, a, out);
    case CC_F_POLYGAMMA: return sign > 0 && polygamma(s, f->args[0], a, out);
    default: return false;
    }
}

// ---- poles and branch points ----

// asin and acos on their cuts, c0 real and |c0| > 1: asin(z) = -I*log(I*z + sqrt(1 - z**2)) has the conjugate value where the root's
// argument comes to its cut from below.
static bool on_cut(const cc_ps_context *s, cc_xp f, cc_xp c0, const cc_ps *a, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_xfn fn = (cc_xfn)f->fn;
    if (!cc_x_is_constant(c0) || cc_tail_fact(g, cc_x_sub(g, cc_x_powi(g, c0, 2), g->one), CC_IS_POSITIVE) != CC_TRUE) return false;
    cc_ps square = cc_ps_mul(s, a, a), one = cc_ps_constant(s, g->one), inner;
    square = cc_ps_scale(s, &square, g->minus_one, g->zero);
    inner = cc_ps_add(s, &one, &square);
    if (!cc_ps_settle(s, &inner) || !inner.n) return false;
    if (!cc_ps_cut_is_seen(s, cc_x_sub(g, g->one, cc_x_powi(g, f->args[0], 2)), &inner, more)) return false;
    int below = cc_ps_side_of_cut(s, &inner), sign = cc_tail_sign(g, c0);
    cc_xp value = cc_x_f1(g, fn, c0), turn = g->zero; // value + conjugate
    if (below < 0 || (sign != 1 && sign != -1)) return false;
    if (fn == CC_F_ASIN) turn = sign > 0 ? g->pi : cc_x_neg(g, g->pi);
    if (fn == CC_F_ACOS && sign < 0) turn = cc_x_mul(g, g->two, g->pi);
    return cc_ps_inverse(s, fn, below ? cc_x_sub(g, turn, value) : value, a, out);
}

// gamma, digamma, loggamma at a pole -n: by the recurrence, n + 1 steps up.
static bool gamma_pole(const cc_ps_context *s, cc_xp f, cc_xp c0, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    slong n;
    if (!cc_x_fits_si(c0, &n) || n > 0 || n < -200) return false;
    cc_xp z = f->args[0], up = cc_x_add(g, z, cc_x_int(g, 1 - n)), law;
    if (f->fn == CC_F_LOGGAMMA) {
        if (n != 0) return false;
        law = cc_x_sub(g, cc_x_f1(g, CC_F_LOGGAMMA, cc_x_add(g, z, g->one)), cc_x_log(g, z));
        return cc_ps_by_law(s, law, out, more);
    }
    cc_ps start, factor;
    if (!cc_ps_expand(s, up, &start, more)) return false;
    cc_xp c1;
    cc_ps u;
    if (!cc_ps_split(s, &start, &c1, &u) || !cc_ps_taylor(s, cc_x_f1(g, (cc_xfn)f->fn, cc_x_dummy(g, "z", 0)), 0, c1, &u, out))
        return false;
    for (slong j = 0; j <= -n; j++) {
        if (!cc_ps_expand(s, cc_x_div(g, g->one, cc_x_add(g, z, cc_x_int(g, j))), &factor, more)) return false;
        if (f->fn == CC_F_GAMMA) {
            *out = cc_ps_mul(s, out, &factor);
        } else {
            factor = cc_ps_scale(s, &factor, g->minus_one, g->zero);
            *out = cc_ps_add(s, out, &factor);
        }
    }
    return true;
}

// Ei, Ci, Chi at 0: EulerGamma + log + a power series (Abramowitz and Stegun 5.1.10, 5.2.16).
static bool logarithmic(const cc_ps_context *s, cc_xp f, const cc_ps *a, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_ps log_a, positive = *a, x = *a;
    int sign = cc_ps_series_sign(s, a, more);
    if (sign == 0 || sign == 2) return false;
    if (f->fn == CC_F_EI && sign < 0) positive = cc_ps_scale(s, a, g->minus_one, g->zero); // real: log|x|
    if (!cc_ps_log(s, &positive, &log_a)) return false;
    size_t n = s->keep * 2 + 1;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n), factorial = g->one;
    t[0] = cc_x_const(g, CC_K_EULER_GAMMA);
    for (size_t k = 1; k < n; k++) {
        factorial = cc_x_mul(g, factorial, cc_x_int(g, (slong)k));
        t[k] = cc_x_div(g, g->one, cc_x_mul(g, factorial, cc_x_int(g, (slong)k)));
        if (f->fn != CC_F_EI && k % 2) t[k] = g->zero;
        if (f->fn == CC_F_CI && k % 4 == 2) t[k] = cc_x_neg(g, t[k]);
    }
    cc_ps rest = cc_ps_compose(s, t, n, &x);
    *out = cc_ps_add(s, &log_a, &rest);
    return true;
}

// Bessel functions of a constant order n at 0 (NIST DLMF 10.8, 10.25, 10.31): J, I whole; of Y, K the part that is not finite, n = 0, 1, 2
// …
static bool bessel_at_zero(const cc_ps_context *s, cc_xp f, const cc_ps *z, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_xp order = f->args[0];
    slong n;
    bool whole = cc_x_fits_si(order, &n), modified = f->fn == CC_F_BESSELI || f->fn == CC_F_BESSELK;
    cc_ps half = cc_ps_scale(s, z, g->half, g->zero), power, sum, square = cc_ps_mul(s, &half, &half);
    if (!cc_x_is_constant(order) || (whole && n < 0)) return false;
    if (f->fn == CC_F_BESSELJ || f->fn == CC_F_BESSELI) { // (z/2)**n sum (∓(z/2)**2)**k/(k! gamma(n+k+1))
        size_t length = s->keep + 1;
        cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, length);
        t[0] = cc_x_div(g, g->one, cc_x_f1(g, CC_F_GAMMA, cc_x_add(g, order, g->one)));
        for (size_t k = 1; k < length; k++) {
            cc_xp j = cc_x_int(g, (slong)k), step = cc_x_mul(g, j, cc_x_add(g, order, j));
            t[k] = cc_x_div(g, modified ? t[k - 1] : cc_x_neg(g, t[k - 1]), step);
        }
        if (!cc_ps_power(s, &half, order, &power)) return false;
        sum = cc_ps_compose(s, t, length, &square);
        *out = cc_ps_mul(s, &sum, &power);
        return true;
    }
    if (!whole || n > 100 || cc_ps_series_sign(s, z, more) != 1) return false;
    cc_xp scale = modified ? g->one : cc_x_div(g, cc_x_int(g, -2), g->pi); // Y_n begins with -2/pi times what K_n does
    if (n == 0) {                                                          // -log(z/2) - EulerGamma
        cc_ps gamma = cc_ps_constant(s, cc_x_const(g, CC_K_EULER_GAMMA));
        if (!cc_ps_log(s, &half, &power)) return false;
        sum = cc_ps_add(s, &power, &gamma);
        sum = cc_ps_scale(s, &sum, g->minus_one, g->zero);
    } else { // (n-1)!/2 (z/2)**-n
        if (!cc_ps_power(s, &half, cc_x_int(g, -n), &power)) return false;
        sum = cc_ps_scale(s, &power, cc_x_mul(g, g->half, cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, n - 1))), g->zero);
    }
    *out = cc_ps_scale(s, &sum, scale, g->zero);
    cc_xp missing = cc_x_mul(g, cc_x_int(g, 2 - n), z->e[0]); // times a logarithm at most
    if (!out->order || cc_ps_compare(s, missing, out->order) < 0) out->order = missing;
    while (out->n && cc_ps_compare(s, out->e[out->n - 1], out->order) >= 0) out->n--;
    return true;
}

static bool at_one(const cc_ps_context *s, cc_xp c0, slong value) {
    return cc_tail_is_zero(s->g, cc_x_sub(s->g, c0, cc_x_int(s->g, value))) == CC_TRUE;
}

// Where the function is not analytic at c0.
bool cc_ps_singular(const cc_ps_context *s, cc_xp f, const cc_ps *a, cc_xp c0, const cc_ps *u, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_xp z = f->args[f->n - 1], half_pi = cc_x_mul(g, g->half, g->pi);
    switch (f->fn) {
    case CC_F_GAMMA:
    case CC_F_DIGAMMA:
    case CC_F_LOGGAMMA: return gamma_pole(s, f, c0, out, more);
    case CC_F_EI:
    case CC_F_CI:
    case CC_F_CHI: return c0 == g->zero && logarithmic(s, f, a, out, more);
    case CC_F_BESSELJ:
    case CC_F_BESSELI:
    case CC_F_BESSELY:
    case CC_F_BESSELK: return c0 == g->zero && a->n && bessel_at_zero(s, f, a, out, more);
    case CC_F_POLYLOG: { // zeta(n) + O((1 - z) log(1 - z)), n >= 2
        slong n;
        if (cc_tail_fact(g, cc_x_sub(g, c0, g->one), CC_IS_POSITIVE) == CC_TRUE) { // on the cut
            cc_ps one = cc_ps_constant(s, g->one), inner = cc_ps_scale(s, a, g->minus_one, g->zero);
            inner = cc_ps_add(s, &one, &inner);
            if (!cc_ps_cut_is_seen(s, cc_x_sub(g, g->one, z), &inner, more)) return false;
            if (cc_ps_is_real(s, a)) return cc_ps_taylor(s, f, 1, c0, u, out);
            return cc_ps_by_law(s, polylog_inverted(g, f), out, more);
        }
        if (!at_one(s, c0, 1) || !cc_x_fits_si(f->args[0], &n) || n < 2) return false;
        if (n == 2) { // NIST DLMF 25.12.6
            cc_xp rest = cc_x_sub(g, g->one, z), law = cc_x_f1(g, CC_F_ZETA, g->two);
            law = cc_x_sub(g, law, cc_x_mul(g, cc_x_log(g, z), cc_x_log(g, rest)));
            return cc_ps_by_law(s, cc_x_sub(g, law, cc_x_f2(g, CC_F_POLYLOG, g->two, rest)), out, more);
        }
        *out = cc_ps_constant(s, cc_x_f1(g, CC_F_ZETA, f->args[0]));
        out->order = u->e[0];
        return true;
    }
    case CC_F_ELLIPTIC_K:
    case CC_F_ELLIPTIC_E: { // log(16/(1 - z))/2 + O((1 - z) log(1 - z)); 1 + the same (NIST DLMF 19.12)
        if (f->n != 1 || !at_one(s, c0, 1) || cc_ps_series_sign(s, u, more) != -1) return false;
        cc_ps distance = cc_ps_scale(s, u, g->minus_one, g->zero), log_d, four;
        *out = cc_ps_constant(s, g->one);
        if (f->fn == CC_F_ELLIPTIC_K) {
            if (!cc_ps_log(s, &distance, &log_d)) return false;
            log_d = cc_ps_scale(s, &log_d, cc_x_neg(g, g->half), g->zero);
            four = cc_ps_constant(s, cc_x_log(g, cc_x_int(g, 4)));
            *out = cc_ps_add(s, &log_d, &four);
        }
        if (!out->order || cc_ps_compare(s, u->e[0], out->order) < 0) out->order = u->e[0];
        return true;
    }
    case CC_F_LI: return at_one(s, c0, 1) && cc_ps_by_law(s, cc_x_f1(g, CC_F_EI, cc_x_log(g, z)), out, more);
    case CC_F_ASIN: // pi/2 - 2 asin(sqrt((1 - z)/2)), and odd
        if (at_one(s, c0, 1)) {
            cc_xp r = cc_x_sqrt(g, cc_x_mul(g, g->half, cc_x_sub(g, g->one, z)));
            return cc_ps_by_law(s, cc_x_sub(g, half_pi, cc_x_mul(g, g->two, cc_x_f1(g, CC_F_ASIN, r))), out, more);
        }
        if (at_one(s, c0, -1)) {
            cc_xp r = cc_x_sqrt(g, cc_x_mul(g, g->half, cc_x_add(g, g->one, z)));
            return cc_ps_by_law(s, cc_x_sub(g, cc_x_mul(g, g->two, cc_x_f1(g, CC_F_ASIN, r)), half_pi), out, more);
        }
        return on_cut(s, f, c0, a, out, more);
    case CC_F_ACOS:
        if (on_cut(s, f, c0, a, out, more)) return true;
        return cc_ps_by_law(s, cc_x_sub(g, half_pi, cc_x_f1(g, CC_F_ASIN, z)), out, more);
    case CC_F_ACOSH:
        if (!at_one(s, c0, 1)) return cc_ps_by_law(s, as_log(g, f), out, more);
        z = cc_x_sqrt(g, cc_x_mul(g, g->half, cc_x_sub(g, z, g->one)));
        return cc_ps_by_law(s, cc_x_mul(g, g->two, cc_x_f1(g, CC_F_ASINH, z)), out, more);
    case CC_F_ATAN: { // on its cut, beyond I and -I
        cc_xp iz = cc_x_expand(g, cc_x_mul(g, g->i, z));
        z = cc_x_sub(g, cc_x_log(g, cc_x_sub(g, g->one, iz)), cc_x_log(g, cc_x_add(g, g->one, iz)));
        return cc_ps_by_law(s, cc_x_mul(g, cc_x_mul(g, g->half, g->i), z), out, more);
    }
    case CC_F_ASINH:
        z = cc_x_add(g, z, cc_x_sqrt(g, cc_x_add(g, cc_x_powi(g, z, 2), g->one)));
        return cc_ps_by_law(s, cc_x_log(g, z), out, more);
    case CC_F_ATANH:
        z = cc_x_sub(g, cc_x_log(g, cc_x_add(g, g->one, z)), cc_x_log(g, cc_x_sub(g, g->one, z)));
        return cc_ps_by_law(s, cc_x_mul(g, g->half, z), out, more);
    case CC_F_ZETA: { // 1/u + EulerGamma + O(u)
        if (!at_one(s, c0, 1) || f->n != 1) return false;
        cc_ps pole, constant = cc_ps_constant(s, cc_x_const(g, CC_K_EULER_GAMMA));
        if (!cc_ps_power(s, u, g->minus_one, &pole)) return false;
        *out = cc_ps_add(s, &pole, &constant);
        cc_xp limit = u->n ? u->e[0] : g->zero;
        if (!out->order || cc_ps_compare(s, limit, out->order) < 0) out->order = limit;
        return true;
    }
    default: return false;
    }
}
