// Lambert's W of a power of v, W*exp(W) = c*v**q, as the variable: dv/v = (1 + W)/(q*W)*dW. Called by search.c. v**(m + 1) is a multiple of
// (W*exp(W))**((m + 1)/q) that is constant between branch points, so the result holds on every branch.
#include "math/integrate/integrate.h"

cc_xp cc_int_product_log(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp W = cc_int_find_fun(f, CC_F_LAMBERTW, v), a, b, with, c, base, q;
    if (!W) return NULL;
    cc_xp u = W->args[0];
    if (cc_int_linear(g, u, v, &a, &b) && a != g->zero) { // of u itself
        cc_xp t = cc_int_variable(in, v);
        cc_xp h = cc_x_subs(g, cc_x_subs(g, f, u, t), v, cc_x_div(g, cc_x_sub(g, t, a), b));
        h = h ? cc_x_expand(g, cc_x_div(g, h, b)) : NULL;
        cc_xp F = h && !cc_x_has(h, v) ? cc_int_find(in, h, t) : NULL;
        return F ? cc_x_subs(g, F, t, u) : NULL;
    }
    cc_x_separate_mul(g, u, v, &with, &c);
    if (!with) return NULL;
    cc_x_split_power(g, with, &base, &q);
    if (base != v || !cc_int_free(q, v)) return NULL;
    // f = v**m * G(W)
    cc_xp w = cc_int_variable(in, v), h = cc_x_subs(g, f, W, w), m = g->zero, rest = g->one;
    size_t n;
    const cc_xp *factors = cc_x_factors(&h, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (base == v && cc_int_free(e, v) && !cc_x_has(e, w))
            m = cc_x_add(g, m, e);
        else
            rest = cc_x_mul(g, rest, factors[i]);
    }
    if (!cc_int_free(rest, v)) return NULL;
    cc_xp next = cc_x_add(g, m, g->one), p = cc_x_div(g, next, q);
    cc_xp slope = cc_x_div(g, cc_x_add(g, g->one, w), cc_x_mul(g, q, w));
    cc_xp H = cc_int_find(in, cc_x_expand(g, CC_PROD(g, rest, slope, cc_x_pow(g, w, p), cc_x_exp(g, cc_x_mul(g, p, w)))), w);
    if (!H) return NULL;
    // v**(m + 1)*W**-p*exp(-p*W) is constant there
    H = cc_x_expand(g, cc_x_mul(g, H, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, p, w)))));
    H = cc_x_expand(g, cc_x_mul(g, H, cc_x_pow(g, w, cc_x_neg(g, p))));
    return cc_x_mul(g, cc_x_pow(g, v, next), cc_x_subs(g, H, w, W));
}
