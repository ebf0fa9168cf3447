// Elementary forms: powers, exponentials and single functions of a linear argument; Gaussian and Fresnel forms; exponentials of powers.
// Called by search.c. Every entry is an identity for complex arguments.
#include "math/integrate/integrate.h"

// The antiderivative of fn(u) in u.
static cc_xp of_function(cc_alg *g, cc_xfn fn, cc_xp u) {
    cc_xp one_minus = cc_x_sub(g, g->one, cc_x_mul(g, u, u)), one_plus = cc_x_add(g, g->one, cc_x_mul(g, u, u));
    cc_xp f = cc_x_f1(g, fn, u), uf = cc_x_mul(g, u, f);
    cc_xp root_pi = cc_x_sqrt(g, g->pi);
    switch (fn) {
    case CC_F_EXP: return f;
    case CC_F_LOG: return cc_x_sub(g, uf, u);
    case CC_F_SIN: return cc_x_neg(g, cc_x_f1(g, CC_F_COS, u));
    case CC_F_COS: return cc_x_f1(g, CC_F_SIN, u);
    case CC_F_TAN: return cc_x_neg(g, cc_x_log(g, cc_x_f1(g, CC_F_COS, u)));
    case CC_F_COT: return cc_x_log(g, cc_x_f1(g, CC_F_SIN, u));
    case CC_F_SEC: return cc_x_f1(g, CC_F_ATANH, cc_x_f1(g, CC_F_SIN, u));
    case CC_F_CSC: return cc_x_neg(g, cc_x_f1(g, CC_F_ATANH, cc_x_f1(g, CC_F_COS, u)));
    case CC_F_SINH: return cc_x_f1(g, CC_F_COSH, u);
    case CC_F_COSH: return cc_x_f1(g, CC_F_SINH, u);
    case CC_F_TANH: return cc_x_log(g, cc_x_f1(g, CC_F_COSH, u));
    case CC_F_COTH: return cc_x_log(g, cc_x_f1(g, CC_F_SINH, u));
    case CC_F_SECH: return cc_x_f1(g, CC_F_ATAN, cc_x_f1(g, CC_F_SINH, u));
    case CC_F_CSCH: return cc_x_log(g, cc_x_f1(g, CC_F_TANH, cc_x_mul(g, g->half, u)));
    case CC_F_ASIN: return cc_x_add(g, uf, cc_x_sqrt(g, one_minus));
    case CC_F_ACOS: return cc_x_sub(g, uf, cc_x_sqrt(g, one_minus));
    case CC_F_ATAN: return cc_x_sub(g, uf, cc_x_mul(g, g->half, cc_x_log(g, one_plus)));
    case CC_F_ACOT: return cc_x_add(g, uf, cc_x_mul(g, g->half, cc_x_log(g, one_plus)));
    case CC_F_ASINH: return cc_x_sub(g, uf, cc_x_sqrt(g, one_plus));
    case CC_F_ACOSH: return cc_x_sub(g, uf, cc_x_mul(g, cc_x_sqrt(g, cc_x_sub(g, u, g->one)), cc_x_sqrt(g, cc_x_add(g, u, g->one))));
    case CC_F_ATANH: return cc_x_add(g, uf, cc_x_mul(g, g->half, cc_x_log(g, one_minus)));
    case CC_F_ACOTH: return cc_x_add(g, uf, cc_x_mul(g, g->half, cc_x_log(g, one_minus)));
    case CC_F_ASEC:
    case CC_F_ACSC: {
        cc_xp root = cc_x_sqrt(g, cc_x_sub(g, g->one, cc_x_powi(g, u, -2)));
        cc_xp part = cc_x_f1(g, CC_F_ATANH, root);
        return fn == CC_F_ASEC ? cc_x_sub(g, uf, part) : cc_x_add(g, uf, part);
    }
    case CC_F_ACSCH: return cc_x_add(g, uf, cc_x_f1(g, CC_F_ATANH, cc_x_sqrt(g, cc_x_add(g, g->one, cc_x_powi(g, u, -2)))));
    case CC_F_ERF: return cc_x_add(g, uf, cc_x_div(g, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, u, u))), root_pi));
    case CC_F_ERFC: return cc_x_sub(g, uf, cc_x_div(g, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, u, u))), root_pi));
    case CC_F_ERFI: return cc_x_sub(g, uf, cc_x_div(g, cc_x_exp(g, cc_x_mul(g, u, u)), root_pi));
    case CC_F_EI: return cc_x_sub(g, uf, cc_x_exp(g, u));
    case CC_F_SI: return cc_x_add(g, uf, cc_x_f1(g, CC_F_COS, u));
    case CC_F_CI: return cc_x_sub(g, uf, cc_x_f1(g, CC_F_SIN, u));
    case CC_F_SHI: return cc_x_sub(g, uf, cc_x_f1(g, CC_F_COSH, u));
    case CC_F_CHI: return cc_x_sub(g, uf, cc_x_f1(g, CC_F_SINH, u));
    case CC_F_LI: return cc_x_sub(g, uf, cc_x_f1(g, CC_F_EI, cc_x_mul(g, g->two, cc_x_log(g, u))));
    case CC_F_FRESNELS: return cc_x_add(g, uf, cc_x_div(g, cc_x_f1(g, CC_F_COS, CC_PROD(g, g->half, g->pi, u, u)), g->pi));
    case CC_F_FRESNELC: return cc_x_sub(g, uf, cc_x_div(g, cc_x_f1(g, CC_F_SIN, CC_PROD(g, g->half, g->pi, u, u)), g->pi));
    case CC_F_LAMBERTW: return CC_SUM(g, uf, cc_x_neg(g, u), cc_x_div(g, u, f));
    case CC_F_DIGAMMA: return cc_x_f1(g, CC_F_LOGGAMMA, u);
    case CC_F_SINC: return cc_x_f1(g, CC_F_SI, u);
    default: return NULL;
    }
}

// The antiderivative of fn(s, u) in u.
static cc_xp of_order(cc_alg *g, cc_xfn fn, cc_xp s, cc_xp u) {
    cc_xp next = cc_x_add(g, s, g->one);
    switch (fn) {
    case CC_F_EXPINT: return cc_x_neg(g, cc_x_f2(g, fn, next, u));
    case CC_F_UPPERGAMMA:
    case CC_F_LOWERGAMMA: return cc_x_sub(g, cc_x_mul(g, u, cc_x_f2(g, fn, s, u)), cc_x_f2(g, fn, next, u));
    default: return NULL;
    }
}

// exp(a + b*x + c*x**2): with w = sqrt(c)*(x + b/(2*c)), sqrt(pi)/(2*sqrt(c))*erfi(w)*exp(a - b**2/(4*c)).
cc_xp cc_int_of_gaussian(cc_alg *g, cc_xp a, cc_xp b, cc_xp c, cc_xp v) {
    bool minus = cc_int_minus(c);
    cc_xp root = cc_int_square_root(g, minus ? cc_x_neg(g, c) : c);
    cc_xp w = cc_x_mul(g, root, cc_x_add(g, v, cc_x_div(g, b, cc_x_mul(g, g->two, c))));
    cc_xp height = cc_x_exp(g, cc_x_sub(g, a, cc_x_div(g, cc_x_mul(g, b, b), cc_x_mul(g, cc_x_int(g, 4), c))));
    return CC_PROD(g, g->half, cc_x_sqrt(g, g->pi), cc_x_pow(g, root, g->minus_one), height,
                   cc_x_f1(g, minus ? CC_F_ERF : CC_F_ERFI, cc_x_expand(g, w)));
}

// sin or cos of a + b*x + c*x**2, by Fresnel's integrals of w = sqrt(2*c/pi)*(x + b/(2*c)) with the phase a - b**2/(4*c).
static cc_xp fresnel(cc_alg *g, bool sine, cc_xp a, cc_xp b, cc_xp c, cc_xp v) {
    if (cc_int_minus(c)) {
        cc_xp r = fresnel(g, sine, cc_x_neg(g, a), cc_x_neg(g, b), cc_x_neg(g, c), v);
        return sine ? cc_x_neg(g, r) : r;
    }
    cc_xp scale = cc_x_div(g, cc_x_mul(g, g->two, cc_int_square_root(g, cc_x_mul(g, g->half, c))), cc_x_sqrt(g, g->pi));
    cc_xp w = cc_x_expand(g, cc_x_mul(g, scale, cc_x_add(g, v, cc_x_div(g, b, cc_x_mul(g, g->two, c)))));
    cc_xp phase = cc_x_sub(g, a, cc_x_div(g, cc_x_mul(g, b, b), cc_x_mul(g, cc_x_int(g, 4), c)));
    cc_xp S = cc_x_f1(g, CC_F_FRESNELS, w), C = cc_x_f1(g, CC_F_FRESNELC, w), s = cc_x_f1(g, CC_F_SIN, phase),
          k = cc_x_f1(g, CC_F_COS, phase);
    cc_xp r = sine ? cc_x_add(g, cc_x_mul(g, k, S), cc_x_mul(g, s, C)) : cc_x_sub(g, cc_x_mul(g, k, C), cc_x_mul(g, s, S));
    return cc_x_div(g, r, scale);
}

// x**m * exp(a + b*x**n): by the incomplete gamma function, or elementary by parts when (m + 1)/n is a positive integer (left to
// substitution).
cc_xp cc_int_exp_of_power(cc_alg *g, cc_xp m, cc_xp exponent, cc_xp rate, cc_xp v) {
    cc_xp with, a;
    cc_x_separate_add(g, exponent, v, &with, &a);
    cc_xp power = NULL, b = g->zero;
    size_t count;
    if (!with) return NULL;
    const cc_xp *terms = cc_x_terms(&with, &count);
    for (size_t i = 0; i < count; i++) { // all of one power
        cc_xp one, k;
        cc_x_separate_mul(g, terms[i], v, &one, &k);
        if (!one || (power && one != power)) return NULL;
        power = one;
        b = cc_x_add(g, b, k);
    }
    cc_xp base, n;
    cc_x_split_power(g, power, &base, &n);
    if (base != v || !cc_int_free(n, v) || (n == g->one && cc_x_is_int(m))) return NULL;
    b = cc_x_mul(g, b, rate);
    a = cc_x_mul(g, a, rate);
    cc_xp s = cc_x_div(g, cc_x_add(g, m, g->one), n);
    if (cc_x_is_int(s) && cc_x_num_sign(s) > 0) return NULL;
    cc_xp t = cc_x_neg(g, cc_x_mul(g, b, power)); // exp(-t)
    // at s = -k: by parts down to Ei; at s = 1/2 + k: erf; both are left to other methods when they find them
    if (s == g->zero) return cc_x_div(g, cc_x_mul(g, cc_x_exp(g, a), cc_x_f1(g, CC_F_EI, cc_x_neg(g, t))), n);
    if (s == g->half) {
        bool minus = cc_int_minus(b);
        cc_xp half_power = cc_x_pow(g, v, cc_x_mul(g, n, g->half));
        cc_xp root = cc_int_square_root(g, minus ? cc_x_neg(g, b) : b);
        return CC_PROD(g, cc_x_sqrt(g, g->pi), cc_x_exp(g, a), cc_x_f1(g, minus ? CC_F_ERF : CC_F_ERFI, cc_x_mul(g, root, half_power)),
                       cc_x_pow(g, cc_x_mul(g, n, root), g->minus_one));
    }
    slong p, q;
    if (cc_x_is_num(s) && fmpz_fits_si(fmpq_numref(s->num)) && fmpz_fits_si(fmpq_denref(s->num))) {
        // t**s*exp(-t) steps: G(s) = integral of x**m exp(b x**n): towards 0 or 1/2
        p = fmpz_get_si(fmpq_numref(s->num));
        q = fmpz_get_si(fmpq_denref(s->num));
        if ((q == 1 || q == 2) && p > -40 && p < 40) {
            cc_xp e = cc_x_exp(g, cc_x_mul(g, rate, exponent));
            if (p > 0) { // x**(m+1-n) e/(n b) - (m+1-n)/(n b) * G(m - n)
                cc_xp lower = cc_x_sub(g, m, n);
                cc_xp rest = cc_int_exp_of_power(g, lower, exponent, rate, v);
                cc_xp k = cc_x_add(g, lower, g->one), nb = cc_x_mul(g, n, b);
                if (!rest) return NULL;
                return cc_x_div(g, cc_x_sub(g, cc_x_mul(g, cc_x_pow(g, v, k), e), cc_x_mul(g, k, rest)), nb);
            }
            // x**(m+1) e/(m+1) - n b/(m+1) * G(m + n)
            cc_xp rest = cc_int_exp_of_power(g, cc_x_add(g, m, n), exponent, rate, v);
            cc_xp k = cc_x_add(g, m, g->one);
            if (!rest) return NULL;
            return cc_x_div(g, cc_x_sub(g, cc_x_mul(g, cc_x_pow(g, v, k), e), CC_PROD(g, n, b, rest)), k);
        }
    }
    return CC_PROD(g, g->minus_one, cc_x_exp(g, a), cc_x_pow(g, v, cc_x_add(g, m, g->one)), cc_x_pow(g, n, g->minus_one),
                   cc_x_pow(g, t, cc_x_neg(g, s)), cc_x_f2(g, CC_F_UPPERGAMMA, s, t));
}

cc_xp cc_int_table(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp a, b, c, base, e;
    cc_x_split_power(g, f, &base, &e);
    if (!base || !e) return NULL;
    if (cc_int_free(e, v) && cc_int_linear(g, base, v, &a, &b)) {
        if (e == g->minus_one) return cc_x_div(g, cc_x_log(g, base), b);
        cc_xp next = cc_x_add(g, e, g->one);
        return cc_x_div(g, cc_x_pow(g, base, next), cc_x_mul(g, b, next));
    }
    if (cc_int_free(base, v)) {
        cc_xp rate = base == g->e ? g->one : cc_x_log(g, base);
        if (cc_int_linear(g, e, v, &a, &b)) return cc_x_div(g, f, cc_x_mul(g, b, rate));
        if (cc_int_quadratic(g, e, v, &a, &b, &c))
            return cc_int_of_gaussian(g, cc_x_mul(g, a, rate), cc_x_mul(g, b, rate), cc_x_mul(g, c, rate), v);
        return cc_int_exp_of_power(g, g->zero, e, rate, v);
    }
    if (f->kind == CC_X_MUL && f->n == 2) { // x**m times an exponential
        for (int i = 0; i < 2; i++) {
            cc_xp xbase, m, ebase, exponent;
            cc_x_split_power(g, f->args[i], &xbase, &m);
            cc_x_split_power(g, f->args[1 - i], &ebase, &exponent);
            if (xbase == v && cc_int_free(m, v) && ebase && cc_int_free(ebase, v))
                return cc_int_exp_of_power(g, m, exponent, ebase == g->e ? g->one : cc_x_log(g, ebase), v);
        }
        return NULL;
    }
    if (f->kind == CC_X_FUN && f->n == 2 && cc_int_free(f->args[0], v) && cc_int_linear(g, f->args[1], v, &a, &b)) {
        cc_xp F = of_order(g, (cc_xfn)f->fn, f->args[0], f->args[1]);
        return F ? cc_x_div(g, F, b) : NULL;
    }
    if (f->kind != CC_X_FUN || f->n != 1) return NULL;
    if (cc_int_linear(g, f->args[0], v, &a, &b)) {
        cc_xp F = of_function(g, (cc_xfn)f->fn, f->args[0]);
        return F ? cc_x_div(g, F, b) : NULL;
    }
    if ((f->fn == CC_F_SIN || f->fn == CC_F_COS) && cc_int_quadratic(g, f->args[0], v, &a, &b, &c))
        return fresnel(g, f->fn == CC_F_SIN, a, b, c, v);
    return NULL;
}
