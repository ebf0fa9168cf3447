// What an antiderivative goes to at the ends of a piece. Called by definite.c.
#include "math/integrate/definite.h"

// Where polylog(s, z) stands for z: |polylog(s, z)| <= |z|/(1 - |z|) for s >= 1.
static cc_xp first_power(cc_alg *g, cc_xp x, void *ctx) {
    (void)g;
    bool *failed = ctx;
    if (!cc_x_is_fun(x, CC_F_POLYLOG)) return x;
    if (!cc_x_is_int(x->args[0]) || cc_x_num_sign(x->args[0]) < 1) *failed = true;
    return x->args[1];
}

// A product with one polylogarithm that vanishes with its argument.
static bool polylog_vanishes(cc_alg *g, cc_xp term, cc_xp v, cc_xp p, char side) {
    size_t n, count = 0;
    bool failed = false;
    cc_xp z = NULL;
    const cc_xp *factors = cc_x_factors(&term, &n);
    for (size_t i = 0; i < n; i++)
        if (cc_x_has_fn(factors[i], CC_F_POLYLOG)) {
            count++;
            z = cc_x_is_fun(factors[i], CC_F_POLYLOG) ? factors[i]->args[1] : NULL;
        }
    if (count != 1 || !z || cc_x_limit(g, z, v, p, side, NULL, NULL) != g->zero) return false;
    cc_xp first = cc_x_map(g, term, first_power, &failed);
    return first && !failed && cc_x_limit(g, first, v, p, side, NULL, NULL) == g->zero;
}

// What c*fn(u) with constant c and linear u goes to as v goes to +-oo; NULL: no such function, or it does not settle.
static cc_xp at_infinity(cc_alg *g, cc_xp term, cc_xp v, bool plus) {
    cc_xp with, c, a, b, limit = NULL;
    cc_x_separate_mul(g, term, v, &with, &c);
    if (!with || with->kind != CC_X_FUN || with->n != 1 || !cc_int_linear(g, with->args[0], v, &a, &b)) return NULL;
    int sign = cc_x_sign(g, b);
    if (sign != 1 && sign != -1) return NULL;
    if (!plus) sign = -sign;
    switch ((cc_xfn)with->fn) {
    case CC_F_ERF: limit = cc_x_int(g, sign); break;
    case CC_F_ERFC: limit = cc_x_int(g, 1 - sign); break;
    case CC_F_SI: limit = cc_x_is(g, a, CC_IS_REAL) == CC_TRUE ? cc_x_mul(g, cc_x_frac(g, sign, 2), g->pi) : NULL; break;
    case CC_F_FRESNELS:
    case CC_F_FRESNELC: limit = cc_x_is(g, a, CC_IS_REAL) == CC_TRUE ? cc_x_frac(g, sign, 2) : NULL; break;
    case CC_F_CI: limit = sign == 1 && cc_x_is(g, a, CC_IS_REAL) == CC_TRUE ? g->zero : NULL; break;
    case CC_F_EI: limit = sign == -1 && cc_x_is(g, a, CC_IS_REAL) == CC_TRUE ? g->zero : NULL; break;
    default: break;
    }
    return limit ? cc_x_mul(g, c, limit) : NULL;
}

// The limit of a sum of terms that have limits each.
static cc_xp limit_by_terms(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side) {
    cc_xp expanded = cc_x_expand(g, F), sum = g->zero, rest = g->zero;
    size_t n;
    if (!expanded) return NULL;
    const cc_xp *terms = cc_x_terms(&expanded, &n);
    acb_t at, y;
    acb_init(at);
    acb_init(y);
    cc_xenv env = {.symbols = &v, .values = at, .n = 1};
    bool number = p->finite && cc_x_is_constant(p) && cc_x_enclose_to(g, at, p, NULL, 80);
    for (size_t i = 0; i < n; i++) {
        cc_xp value = p->finite ? NULL : at_infinity(g, terms[i], v, p == g->oo), with, c, base, e;
        if (!value && cc_x_has_fn(terms[i], CC_F_POLYLOG) && polylog_vanishes(g, terms[i], v, p, side)) value = g->zero;
        cc_x_separate_mul(g, terms[i], v, &with, &c);
        cc_x_split_power(g, with, &base, &e);
        if (p == g->zero && side == '+' && base == v && cc_int_free(e, v) && cc_x_is(g, e, CC_IS_POSITIVE) == CC_TRUE) value = g->zero;
        if (!value && number && cc_int_regular(g, terms[i], v, &env, 64, true) && cc_x_enclose(g, y, terms[i], &env, 64) &&
            acb_is_finite(y))
            value = cc_x_subs(g, terms[i], v, p);
        if (!value && number && cc_x_has_fn(terms[i], CC_F_POLYLOG) && cc_int_continuous(g, terms[i], v, p))
            value = cc_x_subs(g, terms[i], v, p);
        if (value)
            sum = cc_x_add(g, sum, value);
        else
            rest = cc_x_add(g, rest, terms[i]);
    }
    acb_clear(at);
    acb_clear(y);
    if (rest == expanded) return NULL;
    cc_xp other = cc_x_limit(g, rest, v, p, side, NULL, NULL);
    return other ? cc_x_add(g, sum, other) : NULL;
}

cc_xp cc_int_limit(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side) {
    cc_xp r = limit_by_terms(g, F, v, p, side);
    return r || g->err->code != CC_OK ? r : cc_x_limit(g, F, v, p, side, NULL, NULL);
}

// The value of F towards the end p of a piece, '+': from the right.
cc_xp cc_int_end_value(cc_alg *g, cc_xp F, cc_xp v, cc_xp p, char side) {
    if (p->finite) {
        acb_t x, y;
        acb_init(x);
        acb_init(y);
        cc_xenv env = {.symbols = &v, .values = x, .n = 1};
        bool regular = cc_x_enclose_to(g, x, p, NULL, 80) && cc_int_regular(g, F, v, &env, 64, true) && cc_x_enclose(g, y, F, &env, 64) &&
                       acb_is_finite(y);
        acb_clear(x);
        acb_clear(y);
        if (regular || ((cc_int_has_elliptic(F) || cc_x_has_fn(F, CC_F_POLYLOG)) && cc_int_continuous(g, F, v, p)))
            return cc_x_subs(g, F, v, p);
    }
    return cc_int_limit(g, F, v, p, side);
}
