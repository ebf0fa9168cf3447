// Roots that half the angle takes away: a + a*cos(w) = 2*a*cos(w/2)**2, and so with sin, cosh and I*sinh. The root of that is the cosine up
// to a factor that is constant between branch points; the factor is carried through the integration as a symbol and put back. Called by
// search.c.
#include "math/integrate/integrate.h"

enum { MAX_ROOTS = 2 };

typedef struct halves {
    cc_xp v;
    cc_xp base[MAX_ROOTS], half[MAX_ROOTS], scale[MAX_ROOTS], sigma[MAX_ROOTS]; // base = scale*half**2, sqrt(base) = sigma*half
    size_t n;
} halves;

static bool of_half(cc_alg *g, cc_xp base, cc_xp v, cc_xp *half, cc_xp *scale) {
    cc_xp with, a, wave, b, unused, slope;
    cc_x_separate_add(g, base, v, &with, &a);
    if (!with || a == g->zero) return false;
    cc_x_separate_mul(g, with, v, &wave, &b);
    if (!wave || wave->kind != CC_X_FUN || wave->n != 1 || !cc_int_linear(g, wave->args[0], v, &unused, &slope)) return false;
    cc_xp ratio = cc_int_normal(g, cc_x_div(g, b, a), v), w = cc_x_mul(g, g->half, wave->args[0]),
          quarter = cc_x_mul(g, cc_x_frac(g, 1, 4), g->pi);
    bool plus = ratio == g->one, minus = ratio == g->minus_one;
    cc_xfn fn;
    *scale = cc_x_mul(g, g->two, a);
    switch ((cc_xfn)wave->fn) {
    case CC_F_SIN:
    case CC_F_COS:
        if (!plus && !minus) return false;
        if (wave->fn == CC_F_SIN) w = cc_x_sub(g, w, quarter);
        fn = plus ? CC_F_COS : CC_F_SIN;
        break;
    case CC_F_COSH:
        if (!plus && !minus) return false;
        if (minus) *scale = cc_x_neg(g, *scale);
        fn = plus ? CC_F_COSH : CC_F_SINH;
        break;
    case CC_F_SINH: // cosh(w + I*pi/2) = I*sinh(w)
        if (ratio != g->i && ratio != cc_x_neg(g, g->i)) return false;
        quarter = cc_x_mul(g, g->i, quarter);
        w = ratio == g->i ? cc_x_add(g, w, quarter) : cc_x_sub(g, w, quarter);
        fn = CC_F_COSH;
        break;
    default: return false;
    }
    *half = cc_x_f1(g, fn, cc_x_expand(g, w));
    return *half != NULL;
}

static cc_xp name(cc_alg *g, cc_xp x, void *ctx) {
    halves *h = ctx;
    slong k;
    if (x->kind != CC_X_POW || x->args[0]->kind != CC_X_ADD || cc_int_free(x, h->v)) return x;
    cc_xp twice = cc_x_mul(g, g->two, x->args[1]);
    if (!cc_x_fits_si(twice, &k) || k > 40 || k < -40) return x;
    size_t i = 0;
    while (i < h->n && h->base[i] != x->args[0]) i++;
    if (i == h->n) {
        if (k % 2 == 0 || h->n == MAX_ROOTS || !of_half(g, x->args[0], h->v, &h->half[i], &h->scale[i])) return x;
        h->base[i] = x->args[0];
        h->sigma[i] = cc_x_dummy(g, "sigma", CC_IS_NONZERO);
        h->n++;
    }
    cc_xp power = cc_x_powi(g, h->half[i], k);
    if (k % 2 == 0) return cc_x_mul(g, cc_x_powi(g, h->scale[i], k / 2), power);
    return CC_PROD(g, cc_x_powi(g, h->scale[i], (k - 1) / 2), h->sigma[i], power);
}

cc_xp cc_int_half_angle(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    halves h = {.v = v};
    cc_xp x = cc_x_map(g, f, name, &h);
    if (!x || !h.n) return NULL;
    cc_xp F = cc_int_find(in, x, v);
    for (size_t i = 0; i < h.n; i++) F = cc_x_subs(g, F, h.sigma[i], cc_x_div(g, cc_x_sqrt(g, h.base[i]), h.half[i]));
    return F;
}
