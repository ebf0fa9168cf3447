// Definite integrals: the fundamental theorem where the antiderivative is proven to be continuous between the limits, always compared with
// rigorous quadrature when there are no other symbols; else the enclosure itself. Called by operations.c. What cannot be shown is not answered.
#include "math/integrate/integrate.h"

enum { CHECK_BITS = 60, MAX_PIECES = 4000 };

// F can be enclosed on all of [a, b], so it is analytic there: enclosures fail where a pole or a cut is touched.
static bool continuous(cc_alg *g, cc_xp F, cc_xp v, const arb_t a, const arb_t b, unsigned *pieces, int depth) {
    if (++*pieces > MAX_PIECES || !cc_alg_may_search(g)) return false;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    arb_union(acb_realref(x), a, b, 64);
    cc_xenv env = {.symbols = &v, .values = x, .n = 1};
    bool ok = cc_x_enclose(g, y, F, &env, 64) && acb_is_finite(y);
    if (!ok && depth > 0) {
        arb_t m;
        arb_init(m);
        arb_add(m, a, b, 64);
        arb_mul_2exp_si(m, m, -1);
        arb_get_mid_arb(m, m);
        ok = continuous(g, F, v, a, m, pieces, depth - 1) && continuous(g, F, v, m, b, pieces, depth - 1);
        arb_clear(m);
    }
    acb_clear(x);
    acb_clear(y);
    return ok;
}

static bool constant_real(cc_alg *g, arb_t out, cc_xp x) {
    acb_t z;
    acb_init(z);
    bool ok = x->finite && cc_x_is_constant(x) && cc_x_enclose_to(g, z, x, NULL, CHECK_BITS + 20) && acb_is_real(z);
    arb_set(out, acb_realref(z));
    acb_clear(z);
    return ok;
}

// value lies in the enclosure [re, im].
static bool agrees(cc_alg *g, cc_xp value, const arb_t re, const arb_t im) {
    acb_t z;
    acb_init(z);
    bool ok = cc_x_enclose_to(g, z, value, NULL, CHECK_BITS + 20) && arb_overlaps(acb_realref(z), re) && arb_overlaps(acb_imagref(z), im);
    acb_clear(z);
    return ok;
}

// Entire functions of v: sums, products, whole powers, and functions without singularities of such.
static bool entire(cc_xp x, cc_xp v) {
    if (cc_int_free(x, v) || x == v) return true;
    slong n;
    switch ((cc_xkind)x->kind) {
    case CC_X_ADD: case CC_X_MUL: break;
    case CC_X_POW: return cc_x_fits_si(x->args[1], &n) ? n > 0 && entire(x->args[0], v) : false;
    case CC_X_FUN:
        switch ((cc_xfn)x->fn) {
        case CC_F_EXP: case CC_F_SIN: case CC_F_COS: case CC_F_SINH: case CC_F_COSH: case CC_F_ERF: case CC_F_ERFC: case CC_F_ERFI: case CC_F_SI:
        case CC_F_SHI: case CC_F_FRESNELS: case CC_F_FRESNELC: break;
        default: return false;
        }
        break;
    default: return false;
    }
    for (uint32_t i = 0; i < x->n; i++)
        if (!entire(x->args[i], v)) return false;
    return true;
}

static cc_xp difference(cc_alg *g, cc_xp F, cc_xp v, cc_xp a, cc_xp b) { return cc_x_sub(g, cc_x_subs(g, F, v, b), cc_x_subs(g, F, v, a)); }

cc_xp cc_x_integral(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    if (!f || !v || !a || !b) return NULL;
    const char *grade = "exact";
    if (a == b && a->finite) return g->zero;
    if (f == g->zero) return g->zero;
    if (!a->finite || !b->finite) return NULL;
    bool closed = f->free == v->free && cc_x_is_constant(cc_x_subs(g, f, v, g->one)) && cc_x_is_constant(a) && cc_x_is_constant(b);
    cc_xp F = cc_x_antiderivative(g, f, v, &grade), value = NULL;
    if (g->err->code != CC_OK) return NULL;
    if (!closed) {
        // limits or integrand with symbols: no cut or pole can lie between the limits of an entire antiderivative
        if (F && entire(F, v) && entire(f, v)) value = difference(g, F, v, a, b);
        if (value && graded) *graded = grade;
        return value;
    }
    arb_t lo, hi, re, im;
    arb_init(lo);
    arb_init(hi);
    arb_init(re);
    arb_init(im);
    unsigned pieces = 0;
    if (F && constant_real(g, lo, a) && constant_real(g, hi, b) && continuous(g, F, v, lo, hi, &pieces, 30)) {
        value = difference(g, F, v, a, b);
        if (value && !value->finite) value = NULL;
        if (value && cc_x_quadrature(g, re, im, f, v, a, b, CHECK_BITS) && !agrees(g, value, re, im)) value = NULL;
    }
    arb_clear(lo);
    arb_clear(hi);
    arb_clear(re);
    arb_clear(im);
    if (g->err->code != CC_OK) return NULL;
    if (value && graded) *graded = grade;
    return value;
}
