// Abs, sign, re, im, arg, conjugate and atan2: taken apart by what is known of the parts. Called by known.c.
#include "math/expr/intern.h"

static bool is_true(cc_alg *g, cc_xp x, unsigned fact) { return cc_x_is(g, x, fact) == CC_TRUE; }

static bool imaginary_unit_power(cc_alg *g, cc_xp x) {
    return x == g->i || (x->kind == CC_X_POW && x->args[0] == g->minus_one && x->args[1]->kind == CC_X_NUM);
}

// The absolute value of one factor, NULL when it stays.
static cc_xp absolute_factor(cc_alg *g, cc_xp x) {
    if (imaginary_unit_power(g, x)) return g->one;
    if (is_true(g, x, CC_IS_NONNEGATIVE)) return x;
    if (is_true(g, x, CC_IS_NONPOSITIVE)) return cc_x_neg(g, x);
    if (cc_x_is_fun(x, CC_F_EXP)) return cc_x_exp(g, cc_x_f1(g, CC_F_RE, x->args[0]));
    if (cc_x_is_fun(x, CC_F_CONJUGATE)) return cc_x_f1(g, CC_F_ABS, x->args[0]);
    if (x->kind == CC_X_POW && is_true(g, x->args[1], CC_IS_REAL)) return cc_x_pow(g, cc_x_f1(g, CC_F_ABS, x->args[0]), x->args[1]);
    return NULL;
}

static cc_xp absolute(cc_alg *g, cc_xp a) {
    if (cc_x_is_infinite(a)) return g->oo;
    cc_xp x = absolute_factor(g, a);
    if (x || g->err->code) return x;
    if (a->kind == CC_X_MUL) { // |x*y| = |x|*|y|
        cc_xp *f = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
        for (uint32_t i = 0; i < a->n; i++) f[i] = cc_x_f1(g, CC_F_ABS, a->args[i]);
        return cc_x_muln(g, f, a->n);
    }
    if (a->kind == CC_X_ADD && a->free == 0 && a->finite) { // |3 + 4*I|
        cc_xp re = cc_x_f1(g, CC_F_RE, a), im = cc_x_f1(g, CC_F_IM, a);
        if (re && im && im != g->zero && !cc_x_has_fn(re, CC_F_RE) && !cc_x_has_fn(im, CC_F_IM))
            return cc_x_sqrt(g, cc_x_add(g, cc_x_powi(g, re, 2), cc_x_powi(g, im, 2)));
    }
    return cc_x_takes_minus(a) ? cc_x_f1(g, CC_F_ABS, cc_x_neg(g, a)) : NULL;
}

static cc_xp sign_of(cc_alg *g, cc_xp a) {
    if (a == g->oo) return g->one;
    if (a == g->neg_oo) return g->minus_one;
    int s = cc_x_sign(g, a);
    if (s != 2) return cc_x_int(g, s);
    if (imaginary_unit_power(g, a) || cc_x_is_fun(a, CC_F_SIGN)) return a;
    if (a->kind != CC_X_MUL) return cc_x_takes_minus(a) ? cc_x_neg(g, cc_x_f1(g, CC_F_SIGN, cc_x_neg(g, a))) : NULL;
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, a->n), *in = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
    size_t n_out = 0, n_in = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        s = cc_x_sign(g, a->args[i]);
        if (s == 1 || s == -1)
            out[n_out++] = cc_x_int(g, s);
        else if (imaginary_unit_power(g, a->args[i]))
            out[n_out++] = a->args[i];
        else
            in[n_in++] = a->args[i];
    }
    if (!n_out) return NULL;
    return cc_x_mul(g, cc_x_muln(g, out, n_out), cc_x_f1(g, CC_F_SIGN, cc_x_muln(g, in, n_in)));
}

// A part (re or im) of (-1)**q: cos(q*pi), sin(q*pi).
static cc_xp part(cc_alg *g, cc_xp a, bool re) {
    if (cc_x_is_infinite(a)) return a == g->zoo ? g->nan : re ? a : g->zero;
    if (is_true(g, a, CC_IS_REAL)) return re ? a : g->zero;
    if (a == g->i) return re ? g->zero : g->one;
    if (imaginary_unit_power(g, a)) return cc_x_f1(g, re ? CC_F_COS : CC_F_SIN, cc_x_mul(g, a->args[1], g->pi));
    if (cc_x_is_fun(a, CC_F_CONJUGATE)) {
        cc_xp x = cc_x_f1(g, re ? CC_F_RE : CC_F_IM, a->args[0]);
        return re ? x : cc_x_neg(g, x);
    }
    if (a->kind == CC_X_ADD) {
        cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
        for (uint32_t i = 0; i < a->n; i++) t[i] = cc_x_f1(g, re ? CC_F_RE : CC_F_IM, a->args[i]);
        return cc_x_addn(g, t, a->n);
    }
    if (cc_x_is_fun(a, CC_F_EXP)) { // exp(x + I*y)
        cc_xp x = cc_x_f1(g, CC_F_RE, a->args[0]), y = cc_x_f1(g, CC_F_IM, a->args[0]);
        return cc_x_mul(g, cc_x_exp(g, x), cc_x_f1(g, re ? CC_F_COS : CC_F_SIN, y));
    }
    if (a->kind == CC_X_POW && a->args[0]->free == 0 && cc_x_is_int(a->args[1])) { // (1 + I)**2
        slong k;
        cc_xp x = cc_x_f1(g, CC_F_RE, a->args[0]), y = cc_x_f1(g, CC_F_IM, a->args[0]);
        if (!x || !y || !cc_x_fits_si(a->args[1], &k) || k < -64 || k > 64 || x->kind != CC_X_NUM || y->kind != CC_X_NUM) return NULL;
        cc_xp u = g->one, v = g->zero, n2 = cc_x_add(g, cc_x_powi(g, x, 2), cc_x_powi(g, y, 2));
        if (k < 0) { // 1/(x + I*y) = (x - I*y)/(x**2 + y**2)
            x = cc_x_div(g, x, n2);
            y = cc_x_neg(g, cc_x_div(g, y, n2));
            k = -k;
        }
        for (; k > 0; k--) {
            cc_xp t = cc_x_sub(g, cc_x_mul(g, u, x), cc_x_mul(g, v, y));
            v = cc_x_add(g, cc_x_mul(g, u, y), cc_x_mul(g, v, x));
            u = t;
        }
        return re ? u : v;
    }
    if (a->kind != CC_X_MUL) return NULL;
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, a->n), *in = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
    size_t n_out = 0, n_in = 0;
    bool i_out = false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->args[i] == g->i)
            i_out = true;
        else if (is_true(g, a->args[i], CC_IS_REAL))
            out[n_out++] = a->args[i];
        else
            in[n_in++] = a->args[i];
    if (g->err->code) return NULL;
    cc_xp rest = cc_x_muln(g, in, n_in), factor = cc_x_muln(g, out, n_out);
    if (i_out) { // re(I*z) = -im(z), im(I*z) = re(z)
        cc_xp x = cc_x_f1(g, re ? CC_F_IM : CC_F_RE, rest);
        return cc_x_mul(g, factor, re ? cc_x_neg(g, x) : x);
    }
    if (n_out) return cc_x_mul(g, factor, cc_x_f1(g, re ? CC_F_RE : CC_F_IM, rest));
    if (n_in != 2) return NULL;
    // (a + b*I)*(c + d*I) of two factors whose parts are known
    cc_xp x = part(g, in[0], true), y = part(g, in[0], false), u = part(g, in[1], true), v = part(g, in[1], false);
    if (!x || !y || !u || !v || x->free || u->free) return NULL;
    return re ? cc_x_sub(g, cc_x_mul(g, x, u), cc_x_mul(g, y, v)) : cc_x_add(g, cc_x_mul(g, x, v), cc_x_mul(g, y, u));
}

// Functions with f(conjugate(z)) = conjugate(f(z)) on all of the plane.
static bool commutes(cc_xfn fn) {
    switch (fn) {
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
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI:
    case CC_F_SI:
    case CC_F_GAMMA:
    case CC_F_FACTORIAL:
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_SIGN: return true;
    default: return false;
    }
}

// Functions and powers with cuts on one axis only, of a constant that is not on that axis.
static bool commutes_there(cc_alg *g, cc_xp a) {
    if (!cc_x_is_constant(a)) return false;
    bool imaginary = false;
    if (a->kind != CC_X_FUN && a->kind != CC_X_POW) return false;
    if (a->kind == CC_X_FUN) switch ((cc_xfn)a->fn) {
        case CC_F_LOG:
        case CC_F_EI:
        case CC_F_CI:
        case CC_F_CHI:
        case CC_F_LI:
        case CC_F_LOGGAMMA:
        case CC_F_ASIN:
        case CC_F_ACOS:
        case CC_F_ACOSH:
        case CC_F_ATANH:
        case CC_F_POLYLOG: break;
        case CC_F_ATAN:
        case CC_F_ASINH: imaginary = true; break;
        default: return false;
        }
    bool power = a->kind == CC_X_POW;
    if (!power && a->n == 2 && !is_true(g, a->args[0], CC_IS_REAL)) return false;
    if (power && !is_true(g, a->args[1], CC_IS_REAL)) return false;
    acb_t z;
    acb_init(z);
    bool off = cc_x_enclose(g, z, power ? a->args[0] : a->args[a->n - 1], NULL, 64) &&
               !arb_contains_zero(imaginary ? acb_realref(z) : acb_imagref(z));
    acb_clear(z);
    return off;
}

static cc_xp conjugate(cc_alg *g, cc_xp a) {
    if (is_true(g, a, CC_IS_REAL) || cc_x_is_infinite(a)) return a;
    if (a == g->i) return cc_x_neg(g, a);
    if (cc_x_is_fun(a, CC_F_CONJUGATE)) return a->args[0];
    bool power = a->kind == CC_X_POW && is_true(g, a->args[1], CC_IS_INTEGER);
    if (a->kind == CC_X_POW && !power) {
        if (a->args[0] == g->minus_one && is_true(g, a->args[1], CC_IS_REAL)) return cc_x_pow(g, g->minus_one, cc_x_neg(g, a->args[1]));
        power = is_true(g, a->args[0], CC_IS_POSITIVE) || commutes_there(g, a);
    }
    if (a->kind != CC_X_ADD && a->kind != CC_X_MUL && !power && !(a->kind == CC_X_FUN && (commutes((cc_xfn)a->fn) || commutes_there(g, a))))
        return NULL;
    cc_xp *parts = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
    for (uint32_t i = 0; i < a->n; i++) parts[i] = cc_x_f1(g, CC_F_CONJUGATE, a->args[i]);
    return cc_x_rebuild(g, a, parts);
}

static cc_xp angle(cc_alg *g, cc_xp y, cc_xp x) {
    if (y->finite == false || x->finite == false) return NULL;
    int sx = cc_x_sign(g, x), sy = cc_x_sign(g, y);
    if (sx == 2 || g->err->code) return NULL;
    if (sx == 0) return sy == 2 ? NULL : sy == 0 ? g->nan : cc_x_mul(g, cc_x_frac(g, sy, 2), g->pi);
    cc_xp t = cc_x_f1(g, CC_F_ATAN, cc_x_div(g, y, x));
    if (sx > 0) return is_true(g, y, CC_IS_REAL) ? t : NULL;
    bool above = sy == 1 || sy == 0 || is_true(g, y, CC_IS_NONNEGATIVE);
    if (!above && sy != -1) return NULL;
    return above ? cc_x_add(g, t, g->pi) : cc_x_sub(g, t, g->pi);
}

static cc_xp argument(cc_alg *g, cc_xp a) {
    int s = cc_x_sign(g, a);
    if (s == 0) return g->nan;
    if (s != 2) return s > 0 ? g->zero : g->pi;
    if (a == g->i) return cc_x_mul(g, g->half, g->pi);
    if (imaginary_unit_power(g, a)) return cc_x_mul(g, a->args[1], g->pi);
    if (a->free == 0 && a->finite) {
        cc_xp x = cc_x_f1(g, CC_F_RE, a), y = cc_x_f1(g, CC_F_IM, a);
        if (!x || !y) return NULL;
        return cc_x_has_fn(x, CC_F_RE) || cc_x_has_fn(y, CC_F_IM) ? NULL : angle(g, y, x);
    }
    if (a->kind != CC_X_MUL) return NULL;
    cc_xp *in = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
    size_t n = 0;
    bool minus = false;
    for (uint32_t i = 0; i < a->n; i++) {
        s = cc_x_sign(g, a->args[i]);
        minus = minus != (s == -1);
        if (s != 1 && s != -1) in[n++] = a->args[i];
    }
    if (n == a->n || (n + 1 == a->n && minus && a->args[0] == g->minus_one)) return NULL;
    cc_xp rest = cc_x_muln(g, in, n);
    return cc_x_f1(g, CC_F_ARG, minus ? cc_x_neg(g, rest) : rest);
}

cc_xp cc_x_known_parts(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    (void)n;
    switch (fn) {
    case CC_F_ABS: return absolute(g, args[0]);
    case CC_F_SIGN: return sign_of(g, args[0]);
    case CC_F_RE:
    case CC_F_IM: return part(g, args[0], fn == CC_F_RE);
    case CC_F_CONJUGATE: return conjugate(g, args[0]);
    case CC_F_ARG: return argument(g, args[0]);
    default: return angle(g, args[0], args[1]);
    }
}
