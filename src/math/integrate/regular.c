// Whether an expression is analytic on a ball. Called by quadrature.c and definite.c, beside enclosures: these are right on a branch cut
// too (they hold the values of both sides), so a finite enclosure alone says nothing of analyticity. What is not known here counts as not
// analytic.
#include "math/integrate/integrate.h"

typedef struct ball {
    const cc_xenv *env;
    cc_xp v;
    slong prec;
    bool line; // on the real line only: along a cut a function is smooth as long as its argument stays real
} ball;

static bool less(const arb_t x, slong n) { // x < n, certainly
    arb_t t;
    arb_init(t);
    arb_sub_si(t, x, n, 64);
    bool r = arb_is_negative(t);
    arb_clear(t);
    return r;
}

static bool more(const arb_t x, slong n) {
    arb_t t;
    arb_init(t);
    arb_sub_si(t, x, n, 64);
    bool r = arb_is_positive(t);
    arb_clear(t);
    return r;
}

// Cuts on the real axis: (-oo, n], [n, oo).
static bool off_left(const ball *b, const acb_t z, slong n) {
    if (!arb_contains_zero(acb_imagref(z)) || more(acb_realref(z), n)) return true;
    return b->line && arb_is_zero(acb_imagref(z)) && less(acb_realref(z), n);
}

static bool off_right(const ball *b, const acb_t z, slong n) {
    if (!arb_contains_zero(acb_imagref(z)) || less(acb_realref(z), n)) return true;
    return b->line && arb_is_zero(acb_imagref(z)) && more(acb_realref(z), n);
}

static bool cut_free(const ball *b, cc_xfn fn, acb_t z) {
    switch (fn) {
    case CC_F_LOG:
    case CC_F_EI:
    case CC_F_CI:
    case CC_F_CHI:
    case CC_F_LOGGAMMA: return off_left(b, z, 0);
    case CC_F_LI: return off_left(b, z, 0) && off_left(b, z, 1);
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ATANH: return off_left(b, z, -1) && off_right(b, z, 1);
    case CC_F_ACOSH: return off_left(b, z, 1) && off_left(b, z, -1);
    case CC_F_LAMBERTW: // cut below -1/e
        return !arb_contains_zero(acb_imagref(z)) || !arb_contains_negative(acb_realref(z));
    case CC_F_ELLIPTIC_K:
    case CC_F_ELLIPTIC_E: return off_right(b, z, 1);
    case CC_F_ATAN:
    case CC_F_ASINH: // of I*z, as atanh and asin
        acb_mul_onei(z, z);
        return off_left(b, z, -1) && off_right(b, z, 1);
    case CC_F_ACOT:
    case CC_F_ACSCH: // of I/z
        if (acb_contains_zero(z)) return false;
        acb_inv(z, z, b->prec);
        acb_mul_onei(z, z);
        return off_left(b, z, -1) && off_right(b, z, 1);
    case CC_F_ACOTH:
    case CC_F_ASEC:
    case CC_F_ACSC: // of 1/z
        if (acb_contains_zero(z)) return false;
        acb_inv(z, z, b->prec);
        return off_left(b, z, -1) && off_right(b, z, 1);
    case CC_F_ASECH:
        if (acb_contains_zero(z)) return false;
        acb_inv(z, z, b->prec);
        return off_left(b, z, 1) && off_left(b, z, -1);
    case CC_F_EXP:
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_TAN:
    case CC_F_COT:
    case CC_F_SEC:
    case CC_F_CSC:
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_SECH:
    case CC_F_CSCH:
    case CC_F_SINC:
    case CC_F_GAMMA:
    case CC_F_DIGAMMA:
    case CC_F_FACTORIAL:
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI:
    case CC_F_SI:
    case CC_F_SHI:
    case CC_F_FRESNELS:
    case CC_F_FRESNELC:
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_AIRYAIPRIME:
    case CC_F_AIRYBIPRIME:
    case CC_F_ZETA: return true; // poles have no enclosure
    default: return false;
    }
}

static bool regular(cc_alg *g, const ball *b, cc_xp x) {
    if (cc_int_free(x, b->v)) return true;
    if (x->kind == CC_X_SYM) return true;
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL && x->kind != CC_X_POW && x->kind != CC_X_FUN) return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (!regular(g, b, x->args[i])) return false;
    if (x->kind == CC_X_ADD || x->kind == CC_X_MUL || (x->kind == CC_X_POW && (cc_x_is_int(x->args[1]) || cc_int_free(x->args[0], b->v))))
        return true;
    // functions of several arguments: a cut in the last one, constants before it
    for (uint32_t i = 0; x->kind == CC_X_FUN && i + 1 < x->n; i++)
        if (!cc_int_free(x->args[i], b->v)) return false;
    acb_t z;
    acb_init(z);
    bool ok = cc_x_enclose(g, z, x->kind == CC_X_POW ? x->args[0] : x->args[x->n - 1], b->env, b->prec) && acb_is_finite(z);
    if (ok && x->kind == CC_X_POW)
        ok = off_left(b, z, 0);
    else if (ok && x->n == 1)
        ok = cut_free(b, (cc_xfn)x->fn, z);
    else if (ok)
        switch ((cc_xfn)x->fn) {
        case CC_F_POLYLOG:
        case CC_F_HYPER: ok = off_right(b, z, 1); break;
        case CC_F_UPPERGAMMA:
        case CC_F_LOWERGAMMA:
        case CC_F_EXPINT: ok = off_left(b, z, 0); break;
        case CC_F_BESSELJ:
        case CC_F_BESSELI: ok = cc_x_is_int(x->args[0]) || off_left(b, z, 0); break;
        case CC_F_BESSELY:
        case CC_F_BESSELK: ok = off_left(b, z, 0); break;
        default: ok = false;
        }
    acb_clear(z);
    return ok;
}

bool cc_int_regular(cc_alg *g, cc_xp x, cc_xp v, const cc_xenv *env, slong prec, bool line) {
    ball b = {.env = env, .v = v, .prec = prec, .line = line};
    return x && regular(g, &b, x);
}
