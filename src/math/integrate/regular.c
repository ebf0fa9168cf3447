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

// elliptic_f(phi, m), elliptic_e(phi, m), elliptic_pi(n, phi, m): analytic in phi where 1 - m*sin(phi)**2 is off the cut of the root and
// 1 - n*sin(phi)**2 as well.
static bool elliptic(cc_alg *g, const ball *b, cc_xp x) {
    acb_t phi, k;
    acb_init(phi);
    acb_init(k);
    bool ok = cc_x_enclose(g, phi, x->args[x->n == 3], b->env, b->prec) && acb_is_finite(phi);
    acb_sin(phi, phi, b->prec);
    acb_sqr(phi, phi, b->prec);
    for (uint32_t i = x->n == 3 ? 0 : 1; ok && i < x->n; i++) {
        if (x->n == 3 && i == 1) continue;
        ok = cc_int_free(x->args[i], b->v) && cc_x_enclose(g, k, x->args[i], b->env, b->prec);
        acb_mul(k, k, phi, b->prec);
        acb_sub_ui(k, k, 1, b->prec);
        acb_neg(k, k);
        ok = ok && (!arb_contains_zero(acb_imagref(k)) || more(acb_realref(k), 0));
    }
    acb_clear(phi);
    acb_clear(k);
    return ok;
}

static bool regular(cc_alg *g, const ball *b, cc_xp x) {
    if (cc_int_free(x, b->v)) return true;
    if (x->kind == CC_X_SYM) return true;
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL && x->kind != CC_X_POW && x->kind != CC_X_FUN) return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (!regular(g, b, x->args[i])) return false;
    if (x->kind == CC_X_ADD || x->kind == CC_X_MUL || (x->kind == CC_X_POW && (cc_x_is_int(x->args[1]) || cc_int_free(x->args[0], b->v))))
        return true;
    if ((cc_x_is_fun(x, CC_F_ELLIPTIC_F) || cc_x_is_fun(x, CC_F_ELLIPTIC_E) || cc_x_is_fun(x, CC_F_ELLIPTIC_PI)) && x->n > 1)
        return x->n + (x->fn != CC_F_ELLIPTIC_PI) == 3 ? elliptic(g, b, x) : false;
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

// Roots are continuous at 0, inverse functions at the branch points where they have values.
static bool continuous(cc_alg *g, cc_xp x, cc_xp v, cc_xp p) {
    if (cc_int_free(x, v) || x == v) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (!continuous(g, x->args[i], v, p)) return false;
    if (x->kind == CC_X_ADD || x->kind == CC_X_MUL) return true;
    cc_xp a = x->n ? cc_x_subs(g, x->args[0], v, p) : NULL;
    if (!a || !a->finite) return false;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && cc_x_num_sign(x->args[1]) > 0 &&
        (cc_x_is_int(x->args[1]) || cc_x_constant_is_zero(g, a) == CC_TRUE))
        return true;
    if ((cc_x_is_fun(x, CC_F_ASIN) || cc_x_is_fun(x, CC_F_ACOS) || cc_x_is_fun(x, CC_F_ACOSH)) &&
        (cc_x_constant_is_zero(g, cc_x_sub(g, a, g->one)) == CC_TRUE || cc_x_constant_is_zero(g, cc_x_add(g, a, g->one)) == CC_TRUE))
        return x->fn != CC_F_ACOSH || cc_x_sign(g, a) == 1;
    if (cc_x_is_fun(x, CC_F_ELLIPTIC_F) || (cc_x_is_fun(x, CC_F_ELLIPTIC_E) && x->n == 2)) { // where the root in the integrand is zero
        cc_xp sine = cc_x_f1(g, CC_F_SIN, a), m = x->args[1];
        if (cc_int_free(m, v) && cc_x_constant_is_zero(g, cc_x_sub(g, g->one, CC_PROD(g, m, sine, sine))) == CC_TRUE) return true;
    }
    if (cc_x_is_fun(x, CC_F_POLYLOG) && cc_x_is_num(x->args[0]) && fmpq_cmp_si(x->args[0]->num, 1) > 0) {
        cc_xp z = cc_x_subs(g, x->args[1], v, p);
        if (z && z->finite && cc_x_constant_is_zero(g, cc_x_sub(g, z, g->one)) == CC_TRUE) return true;
    }
    // the function itself, of its arguments as variables
    cc_xp args[3], value = NULL;
    uint32_t moving = 0;
    if (x->n > 3) return false;
    cc_xp s = cc_x_dummy(g, "s", 0);
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = x->args[i];
        if (cc_int_free(x->args[i], v)) continue;
        moving++;
        value = cc_x_subs(g, x->args[i], v, p);
        args[i] = s;
    }
    if (moving != 1 || !value || !value->finite) return false;
    acb_t z, y;
    acb_init(z);
    acb_init(y);
    cc_xenv env = {.symbols = &s, .values = z, .n = 1};
    cc_xp F = cc_x_rebuild(g, x, args);
    bool ok = F && cc_x_enclose_to(g, z, value, NULL, 80) && cc_int_regular(g, F, s, &env, 64, false) && cc_x_enclose(g, y, F, &env, 64) &&
              acb_is_finite(y);
    acb_clear(z);
    acb_clear(y);
    return ok;
}

bool cc_int_continuous(cc_alg *g, cc_xp x, cc_xp v, cc_xp p) {
    return x && p && p->finite && cc_x_is_constant(p) && continuous(g, x, v, p) && g->err->code == CC_OK;
}
