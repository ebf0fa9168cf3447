// Equations with infinitely many real roots that have no closed form: x*sin(x) = 1, tan(x) = x. Called by the operation `solve`. The proof:
// where the sine and cosine of the common argument are 0 and +-1, the function has, from some point on, different signs in turn, by its
// germs at infinity; and it is continuous there.
#include "math/integrate/germ.h"
#include "math/solve/solve.h"

enum { BITS = 90, M = 10 }; // from 2**M on

// The sign of x for all v >= 2**M (or v <= -2**M); 0: unknown, or not real.
static int sign_far(cc_alg *g, cc_xp x, cc_xp v, int side) {
    cc_xp t = cc_x_dummy(g, "t", CC_IS_POSITIVE);
    return x ? cc_germ_sign(g, cc_x_subs(g, x, v, cc_x_mul(g, cc_x_int(g, side), cc_x_pow(g, t, g->minus_one))), t, M, BITS) : 0;
}

static cc_xp at(cc_alg *g, cc_xp x, cc_xp s, cc_xp c, int sine, int cosine) {
    return cc_x_subs_many(g, x, (const cc_xp[]){s, c}, (const cc_xp[]){cc_x_int(g, sine), cc_x_int(g, cosine)}, 2);
}

// Only functions that are continuous where they are real.
static bool is_plain(cc_xp x, cc_xp v) {
    if (cc_int_free(x, v)) return true;
    if (x->kind == CC_X_FUN) switch ((cc_xfn)x->fn) {
        case CC_F_SIN:
        case CC_F_COS:
        case CC_F_TAN:
        case CC_F_COT:
        case CC_F_SEC:
        case CC_F_CSC:
        case CC_F_EXP:
        case CC_F_LOG:
        case CC_F_ABS:
        case CC_F_ATAN:
        case CC_F_SINH:
        case CC_F_COSH:
        case CC_F_TANH:
        case CC_F_ERF:
        case CC_F_ERFC: break;
        default: return false;
        }
    for (uint32_t i = 0; i < x->n; i++)
        if (!is_plain(x->args[i], v)) return false;
    return x->kind <= CC_X_FUN;
}

bool cc_solve_endless(cc_alg *g, cc_xp f, cc_xp v) {
    cc_xp s = cc_x_dummy(g, "s", 0), c = cc_x_dummy(g, "c", 0), w, num, den;
    if (!f || !is_plain(f, v)) return false;
    cc_xp h = cc_int_circle(g, f, v, s, c, &w);
    if (!h || cc_x_is(g, cc_x_diff(g, w, v), CC_IS_REAL) != CC_TRUE || cc_x_is(g, cc_x_subs(g, w, v, g->zero), CC_IS_REAL) != CC_TRUE)
        return false;
    cc_x_fraction(g, cc_int_normal(g, h, c), &num, &den);
    if (!num || !den) return false;
    // the denominator is zero at most where the cosine, or the sine, is
    bool by_c = cc_x_has(den, c), by_s = cc_x_has(den, s);
    size_t n;
    const cc_xp *factors = cc_x_factors(&den, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (base == s || base == c || cc_int_free(base, v)) continue;
        if (cc_x_has(base, s) || cc_x_has(base, c) || !sign_far(g, base, v, 1) || !sign_far(g, base, v, -1)) return false;
    }
    for (int side = 1; side >= -1; side -= 2) {
        // continuous and real: it has a real germ, with the waves in it
        cc_xp back = cc_x_subs_many(g, num, (const cc_xp[]){s, c}, (const cc_xp[]){cc_x_f1(g, CC_F_SIN, w), cc_x_f1(g, CC_F_COS, w)}, 2);
        cc_xp t = cc_x_dummy(g, "t", CC_IS_POSITIVE);
        back = back ? cc_x_subs(g, back, v, cc_x_mul(g, cc_x_int(g, side), cc_x_pow(g, t, g->minus_one))) : NULL;
        if (!back || !cc_germ_is_real(g, back, t, M, BITS)) continue;
        int a[2] = {sign_far(g, at(g, num, s, c, 1, 0), v, side), sign_far(g, at(g, num, s, c, -1, 0), v, side)},
            b[2] = {sign_far(g, at(g, num, s, c, 0, 1), v, side), sign_far(g, at(g, num, s, c, 0, -1), v, side)};
        if ((by_c && !(a[0] && a[1])) || (by_s && !(b[0] && b[1]))) continue;
        if (a[0] * a[1] < 0 || b[0] * b[1] < 0) return g->err->code == CC_OK;
    }
    return false;
}
