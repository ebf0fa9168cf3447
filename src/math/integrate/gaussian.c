// Polynomials times exponentials, sines and cosines of quadratic arguments: by exponentials, and error functions; any powers of the
// variable times those of its powers: by incomplete gamma functions. Called by search.c.
#include "math/integrate/integrate.h"

enum { MAX_DEGREE = 30 };

// The integral of x**n*exp(a*x**2 + b*x + c) is x**(n-1)*E/(2a) - b/(2a)*I(n-1) - (n-1)/(2a)*I(n-2).
static cc_xp moments(cc_alg *g, const cc_xp *p, slong degree, cc_xp a, cc_xp b, cc_xp c, cc_xp v) {
    cc_xp E = cc_x_exp(g, CC_SUM(g, c, cc_x_mul(g, b, v), CC_PROD(g, a, v, v)));
    cc_xp k[MAX_DEGREE + 1], two_a = cc_x_mul(g, g->two, a), poly = g->zero;
    for (slong i = 0; i <= degree; i++) k[i] = p[i];
    for (slong n = degree; n >= 1; n--) {
        if (k[n] == g->zero) continue;
        cc_xp scale = cc_x_div(g, k[n], two_a);
        poly = cc_x_add(g, poly, cc_x_mul(g, scale, cc_x_powi(g, v, n - 1)));
        k[n - 1] = cc_x_expand(g, cc_x_sub(g, k[n - 1], cc_x_mul(g, b, scale)));
        if (n >= 2) k[n - 2] = cc_x_expand(g, cc_x_sub(g, k[n - 2], cc_x_mul(g, cc_x_int(g, n - 1), scale)));
    }
    cc_xp base = k[0] == g->zero ? g->zero : cc_int_of_gaussian(g, c, b, a, v);
    return base ? cc_x_add(g, cc_x_mul(g, poly, E), cc_x_mul(g, k[0], base)) : NULL;
}

// A constant times v**m*exp(exponent), m and the power of v in the exponent any.
static cc_xp of_power(cc_alg *g, cc_xp x, cc_xp exponent, cc_xp v) {
    cc_xp with, constant, base, m;
    cc_x_separate_mul(g, x, v, &with, &constant);
    if (!with) return NULL;
    cc_x_split_power(g, with, &base, &m);
    if (with == g->one) m = g->zero;
    if ((base != v && with != g->one) || !cc_int_free(m, v)) return NULL;
    if (!cc_int_free(exponent, v)) return cc_x_mul(g, constant, cc_int_exp_of_power(g, m, exponent, g->one, v));
    cc_xp next = cc_x_add(g, m, g->one);
    return next == g->zero ? NULL : cc_x_div(g, CC_PROD(g, constant, cc_x_exp(g, exponent), cc_x_pow(g, v, next)), next);
}

cc_xp cc_int_gaussian(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp h = cc_x_expand(g, cc_x_rewrite(g, f, CC_REWRITE_EXP));
    if (!h || h->size > CC_INT_MAX_SIZE) return NULL;
    size_t n;
    const cc_xp *terms = cc_x_terms(&h, &n);
    cc_xp F = g->zero;
    bool found = false;
    for (size_t i = 0; i < n && cc_alg_may_search(g); i++) {
        cc_xp poly = g->one, exponent = g->zero, a, b, c, k[MAX_DEGREE + 1];
        size_t m;
        const cc_xp *factors = cc_x_factors(&terms[i], &m);
        for (size_t j = 0; j < m; j++) {
            cc_xp base, e;
            cc_x_split_power(g, factors[j], &base, &e);
            if (!cc_int_free(e, v) && cc_int_free(base, v))
                exponent = cc_x_add(g, exponent, base == g->e ? e : cc_x_mul(g, e, cc_x_log(g, base)));
            else
                poly = cc_x_mul(g, poly, factors[j]);
        }
        cc_xp part;
        slong degree = MAX_DEGREE;
        exponent = cc_x_expand(g, exponent);
        bool polynomial = cc_int_polynomial(g, poly, v, MAX_DEGREE, k),
             low = cc_int_linear(g, exponent, v, &a, &b) || cc_int_quadratic(g, exponent, v, &c, &b, &a);
        while (polynomial && degree > 0 && k[degree] == g->zero) degree--;
        if (!polynomial || !low) {
            part = of_power(g, poly, exponent, v);
            found = true;
        } else if (cc_int_quadratic(g, exponent, v, &c, &b, &a)) {
            found = true;
            part = moments(g, k, degree, a, b, c, v);
        } else if (cc_int_free(exponent, v)) {
            part = cc_x_mul(g, cc_int_rational(in, poly, v), cc_x_exp(g, exponent));
        } else if (cc_int_linear(g, exponent, v, &a, &b)) {
            part = cc_int_exptrig(in, cc_x_mul(g, poly, cc_x_exp(g, exponent)), v);
        } else {
            return NULL;
        }
        F = cc_x_add(g, F, part);
        if (!F) return NULL;
    }
    return found ? F : NULL;
}
