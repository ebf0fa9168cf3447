// Numbers to compare definite integrals with where rigorous quadrature does not reach: singular ends and infinite intervals. Called by
// definite.c. These are estimates; they never become an answer.
#include "math/integrate/definite.h"

bool cc_int_entire(cc_xp x, cc_xp v) {
    if (cc_int_free(x, v) || x == v) return true;
    slong n;
    switch ((cc_xkind)x->kind) {
    case CC_X_ADD:
    case CC_X_MUL: break;
    case CC_X_POW: return cc_x_fits_si(x->args[1], &n) ? n > 0 && cc_int_entire(x->args[0], v) : false;
    case CC_X_FUN:
        switch ((cc_xfn)x->fn) {
        case CC_F_EXP:
        case CC_F_SIN:
        case CC_F_COS:
        case CC_F_SINH:
        case CC_F_COSH:
        case CC_F_ERF:
        case CC_F_ERFC:
        case CC_F_ERFI:
        case CC_F_SI:
        case CC_F_SHI:
        case CC_F_FRESNELS:
        case CC_F_FRESNELC: break;
        default: return false;
        }
        break;
    default: return false;
    }
    for (uint32_t i = 0; i < x->n; i++)
        if (!cc_int_entire(x->args[i], v)) return false;
    return true;
}

enum { PREC = 160 };

typedef struct rule {
    cc_alg *g;
    cc_xp f, v;
    int kind; // 0: both ends finite, 1: [a, oo), 2: (-oo, b], 3: (-oo, oo)
    arb_t a, b;
} rule;

// The integrand times the weight at t; false when it cannot be enclosed there.
static bool sample(const rule *r, acb_t out, const arb_t t) {
    arb_t s, c, x, w, e;
    arb_init(s);
    arb_init(c);
    arb_init(x);
    arb_init(w);
    arb_init(e);
    arb_sinh_cosh(s, c, t, PREC);
    arb_const_pi(e, PREC);
    arb_mul_2exp_si(e, e, -1);
    arb_mul(s, s, e, PREC); // pi/2*sinh(t)
    arb_mul(c, c, e, PREC);
    if (r->kind == 0) { // x = a + (b - a)/(1 + exp(-2*s)), dx = (b - a)/(2*cosh(s)**2) * c
        arb_t width;
        arb_init(width);
        arb_sub(width, r->b, r->a, PREC);
        arb_mul_2exp_si(x, s, 1);
        arb_neg(x, x);
        arb_exp(x, x, PREC);
        arb_add_ui(x, x, 1, PREC);
        arb_div(x, width, x, PREC);
        arb_add(x, x, r->a, PREC);
        arb_cosh(w, s, PREC);
        arb_mul(w, w, w, PREC);
        arb_mul_2exp_si(w, w, 1);
        arb_div(w, width, w, PREC);
        arb_clear(width);
    } else if (r->kind == 3) { // x = sinh(s)
        arb_sinh_cosh(x, w, s, PREC);
    } else { // x = a + exp(s), or b - exp(s)
        arb_exp(w, s, PREC);
        if (r->kind == 1)
            arb_add(x, r->a, w, PREC);
        else
            arb_sub(x, r->b, w, PREC);
    }
    arb_mul(w, w, c, PREC);
    acb_t z;
    acb_init(z);
    arb_get_mid_arb(acb_realref(z), x);
    cc_xenv env = {.symbols = &r->v, .values = z, .n = 1};
    bool ok = cc_x_enclose(r->g, out, r->f, &env, PREC) && acb_is_finite(out);
    acb_mul_arb(out, out, w, PREC);
    acb_clear(z);
    arb_clear(s);
    arb_clear(c);
    arb_clear(x);
    arb_clear(w);
    arb_clear(e);
    return ok;
}

// The trapezoidal sum with step 2**-level over |t| <= 3.8; samples that fail near the ends are left out.
static bool trapezoid(const rule *r, acb_t sum, int level) {
    acb_t y;
    arb_t t;
    acb_init(y);
    arb_init(t);
    acb_zero(sum);
    slong n = (slong)(3.8 * (double)(1 << level)), failed = 0;
    bool ok = true;
    for (slong i = -n; ok && i <= n; i++) {
        arb_set_si(t, i);
        arb_mul_2exp_si(t, t, -level);
        if (sample(r, y, t))
            acb_add(sum, sum, y, PREC);
        else
            failed++;
        ok = cc_alg_may_search(r->g);
    }
    acb_mul_2exp_si(sum, sum, -level);
    acb_clear(y);
    arb_clear(t);
    return ok && failed <= n / 4 && acb_is_finite(sum);
}

bool cc_int_double_exponential(cc_alg *g, arb_t re, arb_t im, cc_xp f, cc_xp v, cc_xp a, cc_xp b) {
    rule r = {.g = g, .f = f, .v = v, .kind = (b == g->oo ? 1 : 0) + (a == g->neg_oo ? 2 : 0)};
    acb_t z, last, sum;
    mag_t error, scale;
    arb_init(r.a);
    arb_init(r.b);
    acb_init(z);
    acb_init(last);
    acb_init(sum);
    mag_init(error);
    mag_init(scale);
    bool ok = true, settled = false;
    if (!(r.kind & 2)) {
        ok = cc_x_enclose_to(g, z, a, NULL, PREC);
        arb_set(r.a, acb_realref(z));
    }
    if (!(r.kind & 1)) {
        ok = ok && cc_x_enclose_to(g, z, b, NULL, PREC);
        arb_set(r.b, acb_realref(z));
    }
    for (int level = 3; ok && !settled && level <= 7; level++) {
        ok = trapezoid(&r, sum, level);
        if (ok && level > 3) {
            acb_sub(last, last, sum, PREC);
            acb_get_mag(error, last);
            acb_get_mag(scale, sum);
            mag_mul_2exp_si(scale, scale, -24);
            settled = mag_cmp(error, scale) < 0 || mag_cmp_2exp_si(error, -40) < 0;
        }
        acb_set(last, sum);
    }
    if (settled) { // the difference of two steps is far more than the error of the finer one
        arb_get_mid_arb(re, acb_realref(sum));
        arb_get_mid_arb(im, acb_imagref(sum));
        mag_mul_2exp_si(error, error, 2);
        mag_mul_2exp_si(scale, scale, -6);
        mag_add(error, error, scale);
        arf_set_mag(arb_midref(r.a), error);
        mag_zero(arb_radref(r.a));
        arb_add_error(re, r.a);
        arb_add_error(im, r.a);
    }
    arb_clear(r.a);
    arb_clear(r.b);
    acb_clear(z);
    acb_clear(last);
    acb_clear(sum);
    mag_clear(error);
    mag_clear(scale);
    return settled;
}
