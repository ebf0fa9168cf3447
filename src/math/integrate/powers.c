// Powers with symbolic exponents, of products and of powers: (c*x**n)**p, (F**(a*x))**n. Such a power is the product of powers of the factors up
// to a factor that is constant between branch points; that factor is carried through the integration as a symbol and put back. Called by search.c.
#include "math/integrate/integrate.h"

enum { MAX_POWERS = 4 };

typedef struct powers {
    cc_xp v;
    cc_xp from[MAX_POWERS], to[MAX_POWERS], sigma[MAX_POWERS], constant[MAX_POWERS];
    size_t n;
} powers;

static cc_xp take_apart(cc_alg *g, cc_xp x, void *ctx) {
    powers *p = ctx;
    if (x->kind != CC_X_POW || cc_x_is_num(x->args[1]) || !cc_int_free(x->args[1], p->v) || cc_int_free(x->args[0], p->v)) return x;
    cc_xp base = x->args[0];
    if (base->kind != CC_X_MUL && base->kind != CC_X_POW && !cc_x_is_fun(base, CC_F_EXP)) return x;
    for (size_t i = 0; i < p->n; i++)
        if (p->from[i] == x) return p->to[i];
    if (p->n == MAX_POWERS) return x;
    size_t n;
    const cc_xp *factors = cc_x_factors(&base, &n);
    cc_xp split = g->one;
    for (size_t i = 0; i < n; i++) {
        cc_xp b, e;
        cc_x_split_power(g, factors[i], &b, &e);
        split = cc_x_mul(g, split, cc_x_pow(g, b, cc_x_expand(g, cc_x_mul(g, e, x->args[1]))));
    }
    if (!split || split == x) return x;
    cc_xp sigma = cc_x_dummy(g, "sigma", CC_IS_NONZERO);
    p->from[p->n] = x;
    p->sigma[p->n] = sigma;
    p->constant[p->n] = cc_x_div(g, x, split);
    return p->to[p->n++] = cc_x_mul(g, sigma, split);
}

cc_xp cc_int_powers(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    powers p = {.v = v};
    cc_xp h = cc_x_map(g, f, take_apart, &p);
    if (!h || h == f || !p.n) return NULL;
    cc_xp F = cc_int_find(in, h, v);
    return F ? cc_x_subs_many(g, F, p.sigma, p.constant, p.n) : NULL;
}
