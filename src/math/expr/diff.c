// Derivatives: of every function of the table, of Piecewise, of unevaluated integrals, sums and limits under the sign. Called by everybody.
// What has no derivative in closed form stays Derivative(f, x, n) or Subs(Derivative(…), …). Abs, sign, re, im and conjugate are derived
// for real arguments only, else they stay.
#include "math/expr/intern.h"

static cc_xp diff(cc_alg *g, cc_xp x, cc_xp v);

static cc_xp stays(cc_alg *g, cc_xp x, cc_xp v) { return cc_x_unevaluated(g, CC_F_DERIVATIVE, (const cc_xp[]){x, v, g->one}, 3); }
static cc_xp f1(cc_alg *g, cc_xfn fn, cc_xp a) { return cc_x_f1(g, fn, a); }
static cc_xp sq(cc_alg *g, cc_xp a) { return cc_x_powi(g, a, 2); }
static cc_xp plus1(cc_alg *g, cc_xp a) { return cc_x_add(g, a, g->one); }
static cc_xp inverse(cc_alg *g, cc_xp a) { return cc_x_pow(g, a, g->minus_one); }
static cc_xp inverse_root(cc_alg *g, cc_xp a) { return cc_x_pow(g, a, cc_x_neg(g, g->half)); }

// f'(a) of a function of one argument; NULL without error when it has no such form.
static cc_xp outer(cc_alg *g, cc_xfn fn, cc_xp x, cc_xp a) {
    switch (fn) {
    case CC_F_EXP: return x;
    case CC_F_LOG: return inverse(g, a);
    case CC_F_SIN: return f1(g, CC_F_COS, a);
    case CC_F_COS: return cc_x_neg(g, f1(g, CC_F_SIN, a));
    case CC_F_TAN: return plus1(g, sq(g, x));
    case CC_F_COT: return cc_x_neg(g, plus1(g, sq(g, x)));
    case CC_F_SEC: return cc_x_mul(g, x, f1(g, CC_F_TAN, a));
    case CC_F_CSC: return cc_x_neg(g, cc_x_mul(g, x, f1(g, CC_F_COT, a)));
    case CC_F_ASIN: return inverse_root(g, cc_x_sub(g, g->one, sq(g, a)));
    case CC_F_ACOS: return cc_x_neg(g, inverse_root(g, cc_x_sub(g, g->one, sq(g, a))));
    case CC_F_ATAN: return inverse(g, plus1(g, sq(g, a)));
    case CC_F_ACOT: return cc_x_neg(g, inverse(g, plus1(g, sq(g, a))));
    case CC_F_ASEC: // 1/(a**2*sqrt(1 - 1/a**2))
    case CC_F_ACSC: {
        cc_xp d = cc_x_mul(g, cc_x_powi(g, a, -2), inverse_root(g, cc_x_sub(g, g->one, cc_x_powi(g, a, -2))));
        return fn == CC_F_ASEC ? d : cc_x_neg(g, d);
    }
    case CC_F_SINH: return f1(g, CC_F_COSH, a);
    case CC_F_COSH: return f1(g, CC_F_SINH, a);
    case CC_F_TANH:
    case CC_F_COTH: return cc_x_sub(g, g->one, sq(g, x));
    case CC_F_SECH: return cc_x_neg(g, cc_x_mul(g, x, f1(g, CC_F_TANH, a)));
    case CC_F_CSCH: return cc_x_neg(g, cc_x_mul(g, x, f1(g, CC_F_COTH, a)));
    case CC_F_ASINH: return inverse_root(g, plus1(g, sq(g, a)));
    case CC_F_ACOSH: return cc_x_mul(g, inverse_root(g, cc_x_sub(g, a, g->one)), inverse_root(g, plus1(g, a)));
    case CC_F_ATANH:
    case CC_F_ACOTH: return inverse(g, cc_x_sub(g, g->one, sq(g, a)));
    case CC_F_ASECH: // of acosh(1/a)
        return cc_x_neg(g, cc_x_muln(g,
                                     (const cc_xp[]){cc_x_powi(g, a, -2), inverse_root(g, cc_x_sub(g, inverse(g, a), g->one)),
                                                     inverse_root(g, plus1(g, inverse(g, a)))},
                                     3));
    case CC_F_ACSCH: return cc_x_neg(g, cc_x_mul(g, cc_x_powi(g, a, -2), inverse_root(g, plus1(g, cc_x_powi(g, a, -2)))));
    case CC_F_SINC: // (cos(a) - sinc(a))/a
        return cc_x_div(g, cc_x_sub(g, f1(g, CC_F_COS, a), x), a);
    case CC_F_ABS: return cc_x_is(g, a, CC_IS_REAL) == CC_TRUE ? f1(g, CC_F_SIGN, a) : NULL;
    case CC_F_SIGN: return cc_x_is(g, a, CC_IS_REAL) == CC_TRUE ? cc_x_mul(g, g->two, f1(g, CC_F_DIRAC, a)) : NULL;
    case CC_F_HEAVISIDE: return f1(g, CC_F_DIRAC, a);
    case CC_F_FLOOR:
    case CC_F_CEIL: return NULL; // 0 except at the jumps
    case CC_F_GAMMA: return cc_x_mul(g, x, f1(g, CC_F_DIGAMMA, a));
    case CC_F_FACTORIAL: return cc_x_mul(g, f1(g, CC_F_GAMMA, plus1(g, a)), f1(g, CC_F_DIGAMMA, plus1(g, a)));
    case CC_F_LOGGAMMA: return f1(g, CC_F_DIGAMMA, a);
    case CC_F_DIGAMMA: return cc_x_f2(g, CC_F_POLYGAMMA, g->one, a);
    case CC_F_HARMONIC: return cc_x_f2(g, CC_F_POLYGAMMA, g->one, plus1(g, a));
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI: {
        cc_xp e = cc_x_exp(g, fn == CC_F_ERFI ? sq(g, a) : cc_x_neg(g, sq(g, a)));
        return cc_x_muln(g, (const cc_xp[]){cc_x_int(g, fn == CC_F_ERFC ? -2 : 2), e, inverse_root(g, g->pi)}, 3);
    }
    case CC_F_EI: return cc_x_div(g, cc_x_exp(g, a), a);
    case CC_F_LI: return inverse(g, cc_x_log(g, a));
    case CC_F_SI: return f1(g, CC_F_SINC, a);
    case CC_F_CI: return cc_x_div(g, f1(g, CC_F_COS, a), a);
    case CC_F_SHI: return cc_x_div(g, f1(g, CC_F_SINH, a), a);
    case CC_F_CHI: return cc_x_div(g, f1(g, CC_F_COSH, a), a);
    case CC_F_FRESNELS:
    case CC_F_FRESNELC: return f1(g, fn == CC_F_FRESNELS ? CC_F_SIN : CC_F_COS, cc_x_muln(g, (const cc_xp[]){g->half, g->pi, sq(g, a)}, 3));
    case CC_F_LAMBERTW: return cc_x_div(g, x, cc_x_mul(g, a, plus1(g, x)));
    case CC_F_AIRYAI: return f1(g, CC_F_AIRYAIPRIME, a);
    case CC_F_AIRYBI: return f1(g, CC_F_AIRYBIPRIME, a);
    case CC_F_AIRYAIPRIME: return cc_x_mul(g, a, f1(g, CC_F_AIRYAI, a));
    case CC_F_AIRYBIPRIME: return cc_x_mul(g, a, f1(g, CC_F_AIRYBI, a));
    case CC_F_ELLIPTIC_K: // (E(a) - (1 - a)*K(a))/(2*a*(1 - a))
        return cc_x_div(g, cc_x_sub(g, f1(g, CC_F_ELLIPTIC_E, a), cc_x_mul(g, cc_x_sub(g, g->one, a), x)),
                        cc_x_muln(g, (const cc_xp[]){g->two, a, cc_x_sub(g, g->one, a)}, 3));
    case CC_F_ELLIPTIC_E: return cc_x_div(g, cc_x_sub(g, x, f1(g, CC_F_ELLIPTIC_K, a)), cc_x_mul(g, g->two, a));
    default: return NULL;
    }
}

// sqrt(1 - m*sin(z)**2)
static cc_xp delta(cc_alg *g, cc_xp z, cc_xp m) { return cc_x_sqrt(g, cc_x_sub(g, g->one, cc_x_mul(g, m, sq(g, f1(g, CC_F_SIN, z))))); }

// elliptic_pi(n, m) and elliptic_pi(n, phi, m) by their argument i (NIST DLMF 19.4).
static cc_xp of_third_kind(cc_alg *g, cc_xp x, size_t i) {
    bool complete = x->n == 2;
    cc_xp n = x->args[0], phi = complete ? NULL : x->args[1], m = x->args[x->n - 1];
    cc_xp root = complete ? NULL : delta(g, phi, m), turn = complete ? NULL : f1(g, CC_F_SIN, cc_x_mul(g, g->two, phi));
    cc_xp part = complete ? NULL : cc_x_sub(g, g->one, cc_x_mul(g, n, sq(g, f1(g, CC_F_SIN, phi)))); // 1 - n*sin(phi)**2
    if (!complete && i == 1) return inverse(g, cc_x_mul(g, part, root));
    cc_xp F = complete ? f1(g, CC_F_ELLIPTIC_K, m) : cc_x_f2(g, CC_F_ELLIPTIC_F, phi, m),
          E = complete ? f1(g, CC_F_ELLIPTIC_E, m) : cc_x_f2(g, CC_F_ELLIPTIC_E, phi, m), m_n = cc_x_sub(g, m, n);
    if (i == 0) { // (E + (m - n)*F/n + (n**2 - m)*Pi/n - n*root*sin(2*phi)/(2*part))/(2*(m - n)*(n - 1))
        cc_xp sum = cc_x_add(g, E, cc_x_div(g, cc_x_mul(g, m_n, F), n));
        sum = cc_x_add(g, sum, cc_x_div(g, cc_x_mul(g, cc_x_sub(g, sq(g, n), m), x), n));
        if (!complete) sum = cc_x_sub(g, sum, cc_x_div(g, cc_x_muln(g, (const cc_xp[]){n, root, turn}, 3), cc_x_mul(g, g->two, part)));
        return cc_x_div(g, sum, cc_x_muln(g, (const cc_xp[]){g->two, m_n, cc_x_sub(g, n, g->one)}, 3));
    }
    // (E/(m - 1) + Pi - m*sin(2*phi)/(2*(m - 1)*root))/(2*(n - m))
    cc_xp m_1 = cc_x_sub(g, m, g->one), sum = cc_x_add(g, cc_x_div(g, E, m_1), x);
    if (!complete) sum = cc_x_sub(g, sum, cc_x_div(g, cc_x_mul(g, m, turn), cc_x_muln(g, (const cc_xp[]){g->two, m_1, root}, 3)));
    return cc_x_div(g, sum, cc_x_mul(g, g->two, cc_x_neg(g, m_n)));
}

// The partial derivative of a function of several arguments by argument i; NULL without error when it has no form.
static cc_xp partial(cc_alg *g, cc_xp x, uint32_t i) {
    cc_xp a = x->args[0], b = x->args[1];
    cc_xfn fn = (cc_xfn)x->fn;
    switch (fn) {
    case CC_F_ATAN2: { // of (y, x)
        cc_xp r2 = cc_x_add(g, sq(g, a), sq(g, b));
        return i == 0 ? cc_x_div(g, b, r2) : cc_x_neg(g, cc_x_div(g, a, r2));
    }
    case CC_F_POLYGAMMA: return i == 1 ? cc_x_f2(g, fn, plus1(g, a), b) : NULL;
    case CC_F_UPPERGAMMA:
    case CC_F_LOWERGAMMA: {
        if (i == 0) return NULL;
        cc_xp d = cc_x_mul(g, cc_x_exp(g, cc_x_neg(g, b)), cc_x_pow(g, b, cc_x_sub(g, a, g->one)));
        return fn == CC_F_LOWERGAMMA ? d : cc_x_neg(g, d);
    }
    case CC_F_BETA: {
        cc_xp c = i == 0 ? a : b;
        return cc_x_mul(g, x, cc_x_sub(g, f1(g, CC_F_DIGAMMA, c), f1(g, CC_F_DIGAMMA, cc_x_add(g, a, b))));
    }
    case CC_F_ZETA: return i == 1 ? cc_x_neg(g, cc_x_mul(g, a, cc_x_f2(g, fn, plus1(g, a), b))) : NULL;
    case CC_F_POLYLOG: return i == 1 ? cc_x_div(g, cc_x_f2(g, fn, cc_x_sub(g, a, g->one), b), b) : NULL;
    case CC_F_EXPINT: return i == 1 ? cc_x_neg(g, cc_x_f2(g, fn, cc_x_sub(g, a, g->one), b)) : NULL;
    case CC_F_LAMBERTW: return i == 0 ? cc_x_div(g, x, cc_x_mul(g, a, plus1(g, x))) : NULL;
    case CC_F_BESSELJ:
    case CC_F_BESSELY: {
        if (i == 0) return NULL;
        cc_xp low = cc_x_f2(g, fn, cc_x_sub(g, a, g->one), b), high = cc_x_f2(g, fn, plus1(g, a), b);
        return cc_x_sub(g, cc_x_mul(g, g->half, low), cc_x_mul(g, g->half, high));
    }
    case CC_F_BESSELI:
    case CC_F_BESSELK: {
        if (i == 0) return NULL;
        cc_xp sum = cc_x_add(g, cc_x_mul(g, g->half, cc_x_f2(g, fn, cc_x_sub(g, a, g->one), b)),
                             cc_x_mul(g, g->half, cc_x_f2(g, fn, plus1(g, a), b)));
        return fn == CC_F_BESSELI ? sum : cc_x_neg(g, sum);
    }
    case CC_F_ELLIPTIC_F:
        if (i == 0) return inverse(g, delta(g, a, b));
        return cc_x_sub(g,
                        cc_x_div(g, cc_x_sub(g, cc_x_f2(g, CC_F_ELLIPTIC_E, a, b), cc_x_mul(g, cc_x_sub(g, g->one, b), x)),
                                 cc_x_muln(g, (const cc_xp[]){g->two, b, cc_x_sub(g, g->one, b)}, 3)),
                        cc_x_div(g, f1(g, CC_F_SIN, cc_x_mul(g, g->two, a)),
                                 cc_x_muln(g, (const cc_xp[]){cc_x_int(g, 4), cc_x_sub(g, g->one, b), delta(g, a, b)}, 3)));
    case CC_F_ELLIPTIC_E:
        if (i == 0) return delta(g, a, b);
        return cc_x_div(g, cc_x_sub(g, x, cc_x_f2(g, CC_F_ELLIPTIC_F, a, b)), cc_x_mul(g, g->two, b));
    case CC_F_ELLIPTIC_PI: return of_third_kind(g, x, i);
    case CC_F_BINOMIAL: {
        cc_xp rest = f1(g, CC_F_DIGAMMA, plus1(g, cc_x_sub(g, a, b)));
        cc_xp own = f1(g, CC_F_DIGAMMA, plus1(g, i == 0 ? a : b));
        return cc_x_mul(g, x, i == 0 ? cc_x_sub(g, own, rest) : cc_x_sub(g, rest, own));
    }
    case CC_F_RISING: { // gamma(a + b)/gamma(a)
        cc_xp all = f1(g, CC_F_DIGAMMA, cc_x_add(g, a, b));
        return cc_x_mul(g, x, i == 0 ? cc_x_sub(g, all, f1(g, CC_F_DIGAMMA, a)) : all);
    }
    case CC_F_MOD: return i == 0 ? g->one : NULL;
    case CC_F_HYPER: {
        if (i != 2 || x->args[0]->kind != CC_X_LIST || x->args[1]->kind != CC_X_LIST) return NULL;
        cc_xp c = g->one, lists[2];
        for (int k = 0; k < 2; k++) {
            cc_xp l = x->args[k], *up = CC_ARENA_ARRAY(g->arena, cc_xp, l->n + 1);
            for (uint32_t j = 0; j < l->n; j++) {
                up[j] = plus1(g, l->args[j]);
                c = k == 0 ? cc_x_mul(g, c, l->args[j]) : cc_x_div(g, c, l->args[j]);
            }
            lists[k] = cc_x_list(g, up, l->n);
        }
        return cc_x_mul(g, c, cc_x_fun(g, CC_F_HYPER, (const cc_xp[]){lists[0], lists[1], x->args[2]}, 3));
    }
    default: return NULL;
    }
}

// Max(a, b, …): the derivative of the one that is largest, for real arguments: sum of a'*Heaviside(a - b)…
static cc_xp of_extreme(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp t = diff(g, x->args[i], v);
        for (uint32_t k = 0; k < x->n && t != g->zero; k++) {
            if (k == i) continue;
            cc_xp d = cc_x_sub(g, x->args[i], x->args[k]);
            t = cc_x_mul(g, t, f1(g, CC_F_HEAVISIDE, x->fn == CC_F_MAX ? d : cc_x_neg(g, d)));
        }
        terms[i] = t;
    }
    return cc_x_addn(g, terms, x->n);
}

static cc_xp of_piecewise(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i += 2) {
        args[i] = diff(g, x->args[i], v);
        args[i + 1] = x->args[i + 1];
    }
    return cc_x_fun(g, CC_F_PIECEWISE, args, x->n);
}

static cc_xp of_integral(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp f = x->args[0], t = x->args[1];
    if (x->n == 2) { // without bounds: of its own variable f, else under the sign
        if (t == v) return f;
        return cc_x_unevaluated(g, CC_F_INTEGRAL, (const cc_xp[]){diff(g, f, v), t}, 2);
    }
    if (x->n != 4) return stays(g, x, v);
    cc_xp a = x->args[2], b = x->args[3];
    cc_xp inside = t == v ? g->zero : diff(g, f, v);
    cc_xp under = inside == g->zero ? inside : cc_x_unevaluated(g, CC_F_INTEGRAL, (const cc_xp[]){inside, t, a, b}, 4);
    cc_xp top = cc_x_has(b, v) ? cc_x_mul(g, diff(g, b, v), cc_x_subs(g, f, t, b)) : g->zero;
    cc_xp bottom = cc_x_has(a, v) ? cc_x_mul(g, diff(g, a, v), cc_x_subs(g, f, t, a)) : g->zero;
    return cc_x_add(g, under, cc_x_sub(g, top, bottom));
}

// f(u1, u2, …) of an unknown function: the sum of Subs(Derivative(f(…, d, …), d), d, ui)*ui'.
static cc_xp of_unknown(cc_alg *g, cc_xp x, cc_xp v) {
    uint32_t with = 0, at = 0;
    for (uint32_t i = 0; i < x->n; i++)
        if (cc_x_has(x->args[i], v)) {
            with++;
            at = i;
        }
    if (with == 1 && x->args[at] == v) return stays(g, x, v);
    cc_xp sum = g->zero;
    for (uint32_t i = 0; i < x->n; i++) {
        if (!cc_x_has(x->args[i], v)) continue;
        cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n), d = cc_x_dummy(g, "_xi", 0);
        memcpy(args, x->args, x->n * sizeof *args);
        args[i] = d;
        cc_xp fx = x->fn == CC_F_APPLIED ? cc_x_applied(g, x->name, args, x->n) : cc_x_unevaluated(g, (cc_xfn)x->fn, args, x->n);
        cc_xp part = cc_x_unevaluated(g, CC_F_SUBS, (const cc_xp[]){stays(g, fx, d), d, x->args[i]}, 3);
        sum = cc_x_add(g, sum, cc_x_mul(g, part, diff(g, x->args[i], v)));
    }
    return sum;
}

static cc_xp of_function(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xfn fn = (cc_xfn)x->fn;
    switch (fn) {
    case CC_F_PIECEWISE: return of_piecewise(g, x, v);
    case CC_F_MAX:
    case CC_F_MIN: return of_extreme(g, x, v);
    case CC_F_INTEGRAL: return of_integral(g, x, v);
    case CC_F_SUM: // under the sign, when the bounds do not move
        if (x->args[1] == v || cc_x_has(x->args[2], v) || cc_x_has(x->args[3], v)) return stays(g, x, v);
        return cc_x_unevaluated(g, CC_F_SUM, (const cc_xp[]){diff(g, x->args[0], v), x->args[1], x->args[2], x->args[3]}, 4);
    case CC_F_DERIVATIVE: {
        if (x->args[1] == v) return cc_x_unevaluated(g, fn, (const cc_xp[]){x->args[0], v, plus1(g, x->args[2])}, 3);
        cc_xp inner = diff(g, x->args[0], v); // the order of derivatives does not matter
        slong n;
        if (!cc_x_fits_si(x->args[2], &n) || cc_x_is_fun(inner, CC_F_DERIVATIVE)) return stays(g, x, v);
        return cc_x_diffn(g, inner, x->args[1], (ulong)n);
    }
    case CC_F_RE:
    case CC_F_IM:
    case CC_F_CONJUGATE: // of a real variable they commute with the derivative
        return cc_x_is(g, v, CC_IS_REAL) == CC_TRUE ? f1(g, fn, diff(g, x->args[0], v)) : stays(g, x, v);
    case CC_F_PRODUCT:
    case CC_F_LIMIT:
    case CC_F_SUBS:
    case CC_F_CROOTOF:
    case CC_F_ORDER:
    case CC_F_INTERVAL: return stays(g, x, v);
    case CC_F_APPLIED: return of_unknown(g, x, v);
    case CC_F_ABS: // for complex a of a real variable: re(conjugate(a)*a')/Abs(a)
        if (cc_x_is(g, x->args[0], CC_IS_REAL) != CC_TRUE) {
            if (cc_x_is(g, v, CC_IS_REAL) != CC_TRUE) return stays(g, x, v);
            cc_xp a = x->args[0];
            return cc_x_div(g, f1(g, CC_F_RE, cc_x_mul(g, f1(g, CC_F_CONJUGATE, a), diff(g, a, v))), x);
        }
        break;
    default: break;
    }
    if (x->n == 1) {
        cc_xp d = outer(g, fn, x, x->args[0]);
        if (!d) return g->err->code ? NULL : fn == CC_F_SIGN || fn == CC_F_ARG ? stays(g, x, v) : of_unknown(g, x, v);
        return cc_x_mul(g, diff(g, x->args[0], v), d);
    }
    cc_xp sum = g->zero;
    for (uint32_t i = 0; i < x->n; i++) {
        if (!cc_x_has(x->args[i], v)) continue;
        cc_xp d = partial(g, x, i);
        if (!d) return g->err->code ? NULL : fn == CC_F_HYPER ? stays(g, x, v) : of_unknown(g, x, v);
        cc_xp own = x->args[i]->kind == CC_X_LIST ? NULL : diff(g, x->args[i], v);
        sum = cc_x_add(g, sum, cc_x_mul(g, d, own));
    }
    return sum;
}

static cc_xp of_power(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp a = x->args[0], b = x->args[1];
    if (!cc_x_has(b, v)) return cc_x_muln(g, (const cc_xp[]){b, cc_x_pow(g, a, cc_x_sub(g, b, g->one)), diff(g, a, v)}, 3);
    cc_xp log_a = cc_x_log(g, a);
    if (!cc_x_has(a, v)) return cc_x_muln(g, (const cc_xp[]){x, log_a, diff(g, b, v)}, 3);
    cc_xp inner = cc_x_add(g, cc_x_mul(g, diff(g, b, v), log_a), cc_x_div(g, cc_x_mul(g, b, diff(g, a, v)), a));
    return cc_x_mul(g, x, inner);
}

static cc_xp of_product(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, x->n), *factors = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    size_t n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        if (!cc_x_has(x->args[i], v)) continue;
        memcpy(factors, x->args, x->n * sizeof *factors);
        factors[i] = diff(g, x->args[i], v);
        terms[n++] = cc_x_muln(g, factors, x->n);
        if (!terms[n - 1]) return NULL;
    }
    return cc_x_addn(g, terms, n);
}

static cc_xp diff(cc_alg *g, cc_xp x, cc_xp v) {
    if (!x || !cc_alg_go_on(g)) return NULL;
    if (x == v) return g->one;
    if (x == g->nan || x == g->zoo) return g->nan; // not the value of a constant function
    if (!cc_x_has(x, v)) return g->zero;
    cc_xp out;
    if (cc_x_memo_find(g, CC_MEMO_DIFF, x, v, &out)) return out;
    switch ((cc_xkind)x->kind) {
    case CC_X_ADD:
    case CC_X_LIST:
    case CC_X_TUPLE: {
        cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
        for (uint32_t i = 0; i < x->n; i++)
            if (!(terms[i] = diff(g, x->args[i], v))) return NULL;
        out = x->kind == CC_X_ADD ? cc_x_addn(g, terms, x->n) : cc_x_rebuild(g, x, terms);
        break;
    }
    case CC_X_MUL: out = of_product(g, x, v); break;
    case CC_X_POW: out = of_power(g, x, v); break;
    case CC_X_FUN: out = of_function(g, x, v); break;
    case CC_X_REL:
        if (x->konst == CC_REL_EQ) {
            out = cc_x_rel(g, CC_REL_EQ, diff(g, x->args[0], v), diff(g, x->args[1], v));
            break;
        }
        // fallthrough
    default: cc_error_set(g->err, CC_VALIDATION, "a condition has no derivative"); return NULL;
    }
    if (out) cc_x_memo_put(g, CC_MEMO_DIFF, x, v, out);
    return out;
}

cc_xp cc_x_diff(cc_alg *g, cc_xp x, cc_xp v) {
    if (cc_x_failed(g, (const cc_xp[]){x, v}, 2)) return NULL;
    return diff(g, x, v);
}

cc_xp cc_x_diffn(cc_alg *g, cc_xp x, cc_xp v, ulong n) {
    for (; n > 0 && x && x != g->zero; n--) x = cc_x_diff(g, x, v);
    return x;
}
