// Elliptic integrals of trigonometric and hyperbolic functions: f = q/sqrt(B) with q rational in sin(w), cos(w) and B a polynomial of
// degree 1 or 2 in one of them. x = sin(w)**2 or (1 - cos(w))/2 as variable makes it R(x)/sqrt(x*(1 - x)*B). Called by search.c.
#include "math/integrate/elliptic.h"

// Square roots of quotients, as constant * sqrt(base) * outside with a polynomial as base.
typedef struct roots {
    cc_xp s, c;
    cc_xp from[CC_ELLIPTIC_ROOTS], sigma[CC_ELLIPTIC_ROOTS], constant[CC_ELLIPTIC_ROOTS], base[CC_ELLIPTIC_ROOTS],
        outside[CC_ELLIPTIC_ROOTS];
    size_t n;
    bool failed;
} roots;

// x = inside * outside**2, factored.
static void take_squares(cc_alg *g, cc_xp x, cc_xp *inside, cc_xp *outside) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&x, &n);
    *inside = *outside = g->one;
    for (size_t i = 0; i < n; i++) {
        cc_xp b, e;
        slong k;
        cc_x_split_power(g, factors[i], &b, &e);
        if (!cc_x_fits_si(e, &k)) b = factors[i], k = 1;
        *outside = cc_x_mul(g, *outside, cc_x_powi(g, b, k / 2));
        if (k % 2) *inside = cc_x_mul(g, *inside, cc_x_powi(g, b, k % 2));
    }
}

static cc_xp name_roots(cc_alg *g, cc_xp x, void *ctx) {
    roots *r = ctx;
    if (x->kind != CC_X_POW || !cc_x_is_num(x->args[1]) || cc_x_is_int(x->args[1])) return x;
    if (!cc_x_has(x, r->s) && !cc_x_has(x, r->c)) return x;
    cc_xp num, den;
    size_t i = 0;
    while (i < r->n && r->from[i] != x->args[0]) i++;
    if (!fmpz_equal_si(fmpq_denref(x->args[1]->num), 2) || i == CC_ELLIPTIC_ROOTS) {
        r->failed = true;
        return x;
    }
    cc_xp base = cc_int_normal(g, x->args[0], r->c);
    cc_x_fraction(g, base, &num, &den);
    bool whole = !cc_x_has(den, r->s) && !cc_x_has(den, r->c);
    if (i == r->n && whole) {
        r->n++;
        r->from[i] = r->base[i] = x->args[0];
        r->sigma[i] = r->constant[i] = g->one;
    } else if (i == r->n) {
        r->n++;
        r->from[i] = x->args[0];
        r->sigma[i] = cc_x_dummy(g, "sigma", CC_IS_NONZERO);
        take_squares(g, cc_x_mul(g, num, den), &r->base[i], &r->outside[i]);
        r->outside[i] = cc_x_div(g, r->outside[i], den);
        r->base[i] = cc_x_expand(g, r->base[i]);
        r->constant[i] = cc_x_div(g, cc_x_sqrt(g, x->args[0]), cc_x_mul(g, cc_x_sqrt(g, r->base[i]), r->outside[i]));
    }
    if (whole) return x;
    // base**(n/2) = base**((n-1)/2) * sigma*root*outside
    cc_xp e = cc_x_sub(g, x->args[1], g->half);
    return CC_PROD(g, cc_x_pow(g, base, e), r->sigma[i], cc_x_sqrt(g, r->base[i]), r->outside[i]);
}

// B by c alone (or by s alone), of degree 1 or 2, or of degree 4 and even: its coefficients.
static bool in_one(cc_alg *g, cc_xp B, cc_xp s, cc_xp c, cc_xp *k) {
    cc_xp square = cc_x_sub(g, g->one, cc_x_mul(g, c, c));
    cc_xp p = cc_x_has(B, s) ? cc_int_even_in(g, B, s, square) : B;
    p = p ? cc_x_expand(g, p) : NULL;
    return p && !cc_x_has(p, s) && cc_int_polynomial(g, p, c, 4, k) && (k[1] != g->zero || k[2] != g->zero) && k[3] == g->zero &&
           (k[4] == g->zero || k[1] == g->zero);
}

// F with the constants that went with roots of quotients.
static cc_xp constants_back(cc_alg *g, cc_xp F, const roots *r, cc_xp s, cc_xp c, cc_xp sine, cc_xp cosine) {
    for (size_t i = 0; F && i < r->n; i++)
        F = cc_x_subs(g, F, r->sigma[i], cc_x_subs_many(g, r->constant[i], (const cc_xp[]){s, c}, (const cc_xp[]){sine, cosine}, 2));
    return F;
}

cc_xp cc_int_elliptic_trig(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp s = cc_x_dummy(g, "s", 0), c = cc_x_dummy(g, "c", 0), w, k[5];
    cc_xp h = cc_int_circle(g, f, v, s, c, &w);
    if (!h || !cc_int_free(h, v)) return NULL;
    roots r = {.s = s, .c = c};
    h = cc_x_map(g, h, name_roots, &r);
    if (!h || r.failed || !r.n) return NULL;
    cc_xp B = g->one, S = g->one;
    for (size_t i = 0; i < r.n; i++) {
        B = cc_x_mul(g, B, r.base[i]);
        S = cc_x_mul(g, S, cc_x_sqrt(g, r.base[i]));
    }
    // what is left beside the roots has to be rational
    cc_xp q = cc_x_expand(g, cc_x_mul(g, h, S)), left[CC_ELLIPTIC_ROOTS];
    if (!q || cc_int_square_roots(left, q, s) || cc_int_square_roots(left, q, c)) return NULL;
    cc_xp sine = cc_x_f1(g, CC_F_SIN, w), cosine = cc_x_f1(g, CC_F_COS, w);
    if (!in_one(g, B, s, c, k)) { // by the sine: w = pi/2 + u, sin(w) = cos(u), cos(w) = -sin(u)
        if (!in_one(g, B, c, s, k)) return NULL;
        cc_xp t = cc_x_dummy(g, "t", 0);
        q = cc_x_subs(g, cc_x_subs(g, cc_x_subs(g, q, c, t), s, c), t, cc_x_neg(g, s));
        S = cc_x_subs(g, cc_x_subs(g, cc_x_subs(g, S, c, t), s, c), t, cc_x_neg(g, s));
        w = cc_x_sub(g, w, cc_x_mul(g, g->half, g->pi));
        t = sine;
        sine = cc_x_neg(g, cosine);
        cosine = t;
    }
    q = cc_int_normal(g, q, c);
    q = cc_int_even_in(g, q, s, cc_x_sub(g, g->one, cc_x_mul(g, c, c)));
    if (!q || cc_x_has(q, s)) return NULL; // odd in the sine: elementary
    S = cc_x_subs_many(g, S, (const cc_xp[]){s, c}, (const cc_xp[]){sine, cosine}, 2);
    cc_xp slope = cc_x_diff(g, w, v), x = cc_x_dummy(g, "x", 0), F = NULL;
    if (k[1] == g->zero) { // x = sin(w)**2 = 1 - cos(w)**2
        cc_xp R = cc_int_in_terms(g, cc_int_expanded(g, q, c), c, cc_x_mul(g, c, c), x), other = cc_x_sub(g, g->one, x);
        cc_xp whole = cc_x_add(g, k[0], k[2]); // B = whole*(1 - m*x)
        if (!R || cc_x_has(R, c)) return NULL;
        R = cc_x_subs(g, R, x, other);
        if (k[4] != g->zero) { // dv = dx/(2*slope*sin*cos)
            cc_xp zeros[4] = {g->zero, g->one}, P = CC_SUM(g, k[0], cc_x_mul(g, k[2], other), CC_PROD(g, k[4], other, other));
            if (cc_int_zeros(g, P, x, zeros + 2) != 2 || P == g->zero) return NULL;
            for (int i = 2; i < 4; i++)
                if (zeros[i] == g->zero || zeros[i] == g->one) return NULL;
            F = cc_int_by_roots(g, cc_int_normal(g, R, x), x, cc_x_mul(g, sine, sine), CC_PROD(g, g->two, sine, cosine, S), zeros, 4);
            F = F ? cc_x_div(g, F, slope) : NULL;
            return constants_back(g, F, &r, s, c, sine, cosine);
        }
        if (whole == g->zero) return NULL;
        cc_xp m = cc_x_div(g, k[2], whole), square = cc_x_mul(g, sine, sine);
        cc_xp delta = cc_x_sqrt(g, cc_x_sub(g, g->one, cc_x_mul(g, m, square)));
        // dv = dx/(2*slope*sin*cos)
        F = cc_int_legendre(g, cc_int_normal(g, R, x), x, m, square, w, CC_PROD(g, sine, cosine, delta));
        F = cc_int_times(g, F, cc_x_mul(g, g->half, delta), cc_x_mul(g, slope, S), v);
    } else if (k[2] == g->zero) { // x = (1 - cos(w))/2 = sin(w/2)**2, B = whole*(1 - m*x)
        cc_xp whole = cc_x_add(g, k[0], k[1]), m = cc_x_div(g, cc_x_mul(g, g->two, k[1]), whole),
              Z = cc_x_mul(g, g->half, cc_x_sub(g, g->one, cosine));
        if (whole == g->zero) return NULL;
        cc_xp R = cc_x_subs(g, q, c, cc_x_sub(g, g->one, cc_x_mul(g, g->two, x)));
        cc_xp delta = cc_x_sqrt(g, cc_x_div(g, cc_x_add(g, k[0], cc_x_mul(g, k[1], cosine)), whole));
        F = cc_int_legendre(g, cc_int_normal(g, R, x), x, m, Z, cc_x_expand(g, cc_x_mul(g, g->half, w)), CC_PROD(g, g->half, sine, delta));
        F = cc_int_times(g, F, delta, cc_x_mul(g, slope, S), v);
    } else {
        cc_xp zeros[4] = {g->zero, g->one}, cos_x = cc_x_sub(g, g->one, cc_x_mul(g, g->two, x));
        cc_xp P = cc_x_add(g, k[0], cc_x_add(g, cc_x_mul(g, k[1], cos_x), CC_PROD(g, k[2], cos_x, cos_x)));
        if (cc_int_zeros(g, P, x, zeros + 2) != 2) return NULL;
        for (int i = 2; i < 4; i++)
            if (zeros[i] == g->zero || zeros[i] == g->one) return NULL;
        cc_xp R = cc_int_normal(g, cc_x_subs(g, q, c, cos_x), x);
        // dv = 2*dx/(slope*sin)
        F = cc_int_by_roots(g, R, x, cc_x_mul(g, g->half, cc_x_sub(g, g->one, cosine)), CC_PROD(g, g->half, sine, S), zeros, 4);
        F = F ? cc_x_div(g, F, slope) : NULL;
    }
    return constants_back(g, F, &r, s, c, sine, cosine);
}
