// Sines and cosines, circular or hyperbolic, whose arguments differ by constants, as in tan(x)*tan(x - a): by the theorems of addition, all
// become functions of one argument. The constant d comes in by the tangent of its half, a symbol, so that sin(d)**2 + cos(d)**2 = 1 needs
// no thought. Called by search.c.
#include "math/integrate/integrate.h"

enum { MAX_PHASES = 3 };

typedef struct phases {
    cc_xp v, w; // w: the argument that all others become
    bool hyperbolic, failed;
    cc_xp d[MAX_PHASES], t[MAX_PHASES];
    size_t n;
} phases;

static bool is_wave(cc_xp x, bool *hyperbolic) {
    if (x->kind != CC_X_FUN || x->n != 1) return false;
    *hyperbolic = x->fn >= CC_F_SINH && x->fn <= CC_F_CSCH;
    return *hyperbolic || (x->fn >= CC_F_SIN && x->fn <= CC_F_CSC);
}

static cc_xp by_one_argument(cc_alg *g, cc_xp x, void *ctx) {
    phases *p = ctx;
    bool hyperbolic;
    if (p->failed || cc_int_free(x, p->v) || !is_wave(x, &hyperbolic)) return x;
    cc_xp u = cc_x_expand(g, x->args[0]), a, b;
    if (!p->w) {
        if (!cc_int_linear(g, u, p->v, &a, &b)) p->failed = true;
        p->w = u;
        p->hyperbolic = hyperbolic;
    }
    cc_xp d = cc_x_sub(g, u, p->w);
    bool mirrored = d && !cc_int_free(d, p->v);
    if (mirrored) d = cc_x_sub(g, cc_x_neg(g, u), p->w);
    if (p->failed || hyperbolic != p->hyperbolic || !d || !cc_int_free(d, p->v)) {
        p->failed = true;
        return x;
    }
    cc_xp s = cc_x_f1(g, hyperbolic ? CC_F_SINH : CC_F_SIN, p->w), c = cc_x_f1(g, hyperbolic ? CC_F_COSH : CC_F_COS, p->w);
    if (d != g->zero) {
        size_t i = 0;
        while (i < p->n && p->d[i] != d) i++;
        if (i == MAX_PHASES) {
            p->failed = true;
            return x;
        }
        if (i == p->n) {
            p->d[i] = d;
            p->t[p->n++] = cc_x_dummy(g, "t", 0);
        }
        cc_xp square = cc_x_mul(g, p->t[i], p->t[i]), other = cc_x_neg(g, square);
        if (hyperbolic) square = cc_x_neg(g, square), other = cc_x_neg(g, other);
        cc_xp below = cc_x_add(g, g->one, square), sine = cc_x_div(g, cc_x_mul(g, g->two, p->t[i]), below),
              cosine = cc_x_div(g, cc_x_add(g, g->one, other), below);
        cc_xp s0 = s, cross = cc_x_mul(g, s, sine);
        s = cc_x_add(g, cc_x_mul(g, s0, cosine), cc_x_mul(g, c, sine));
        c = cc_x_add(g, cc_x_mul(g, c, cosine), hyperbolic ? cross : cc_x_neg(g, cross));
    }
    if (mirrored) s = cc_x_neg(g, s);
    return cc_int_wave(g, (cc_xfn)x->fn, s, c);
}

cc_xp cc_int_phases(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    phases p = {.v = v};
    cc_xp h = cc_x_map(g, f, by_one_argument, &p), values[MAX_PHASES];
    if (!h || p.failed || !p.n) return NULL;
    cc_xp F = cc_int_find(in, h, v);
    for (size_t i = 0; i < p.n; i++) values[i] = cc_x_f1(g, p.hyperbolic ? CC_F_TANH : CC_F_TAN, cc_x_mul(g, g->half, p.d[i]));
    return cc_x_subs_many(g, F, p.t, values, p.n);
}
