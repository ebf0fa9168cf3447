// Special functions for large arguments: f(z) = exp(±g(z)) * tail(z), where the tail is a power series in 1/z. With the exponential factor
// taken out, limits at infinity are those of exponentials and powers. Called by gruntz.c and functions.c. Sources: NIST DLMF 7.12.1
// (erfc; erfi(z) = -i erf(iz)), 6.12 (Ei), 8.11
// (Gamma), 9.7 (Airy), 10.40 (Bessel).
#include "math/series/series.h"

static const char *const names[CC_TAILS] = {"\001erfc", "\001erfi", "\001Ei", "\001Ai", "\001Bi", "\001I", "\001K", "\001Gamma", "\001exp"};

cc_xp cc_tail_of(cc_alg *g, cc_tail which, cc_xp z) { return cc_x_applied(g, cc_str_of(names[which]), &z, 1); }

cc_xp cc_tail_of2(cc_alg *g, cc_tail which, cc_xp n, cc_xp z) { return cc_x_applied(g, cc_str_of(names[which]), (const cc_xp[]){n, z}, 2); }

bool cc_tail_is(cc_xp x, cc_tail *which) {
    if (!cc_x_is_fun(x, CC_F_APPLIED) || !x->name.n || x->name.p[0] != '\001') return false;
    for (size_t i = 0; i < CC_TAILS; i++)
        if (cc_str_eqz(x->name, names[i])) {
            *which = (cc_tail)i;
            return true;
        }
    return false;
}

cc_xp cc_tail_airy_exponent(cc_alg *g, cc_xp z) { return cc_x_mul(g, cc_x_frac(g, 2, 3), cc_x_pow(g, z, cc_x_frac(g, 3, 2))); }

// What the tail is, as a product.
static cc_xp meaning(cc_alg *g, cc_tail which, cc_xp n, cc_xp z) {
    switch (which) {
    case CC_TAIL_ERFC: return cc_x_mul(g, cc_x_f1(g, CC_F_ERFC, z), cc_x_exp(g, cc_x_powi(g, z, 2)));
    case CC_TAIL_ERFI: return cc_x_mul(g, cc_x_f1(g, CC_F_ERFI, z), cc_x_exp(g, cc_x_neg(g, cc_x_powi(g, z, 2))));
    case CC_TAIL_EI: return cc_x_mul(g, cc_x_f1(g, CC_F_EI, z), cc_x_exp(g, cc_x_neg(g, z)));
    case CC_TAIL_AI: return cc_x_mul(g, cc_x_f1(g, CC_F_AIRYAI, z), cc_x_exp(g, cc_tail_airy_exponent(g, z)));
    case CC_TAIL_BI: return cc_x_mul(g, cc_x_f1(g, CC_F_AIRYBI, z), cc_x_exp(g, cc_x_neg(g, cc_tail_airy_exponent(g, z))));
    case CC_TAIL_BESSELI: return cc_x_mul(g, cc_x_f2(g, CC_F_BESSELI, n, z), cc_x_exp(g, cc_x_neg(g, z)));
    case CC_TAIL_BESSELK: return cc_x_mul(g, cc_x_f2(g, CC_F_BESSELK, n, z), cc_x_exp(g, z));
    case CC_TAIL_GAMMA: return cc_x_mul(g, cc_x_f2(g, CC_F_UPPERGAMMA, n, z), cc_x_exp(g, z));
    case CC_TAIL_EXP: return cc_x_exp(g, z);
    case CC_TAILS: break;
    }
    return NULL;
}

static cc_xp undo_node(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    cc_tail which;
    return cc_tail_is(x, &which) ? meaning(g, which, x->args[0], x->args[x->n - 1]) : x;
}
cc_xp cc_tail_undo(cc_alg *g, cc_xp f) { return f && cc_x_has_fn(f, CC_F_APPLIED) ? cc_x_map(g, f, undo_node, NULL) : f; }

cc_truth cc_tail_is_zero(cc_alg *g, cc_xp f) { return cc_x_is_zero(g, cc_tail_undo(g, f)); }
cc_truth cc_tail_fact(cc_alg *g, cc_xp f, unsigned fact) { return cc_x_is(g, cc_tail_undo(g, f), fact); }
int cc_tail_sign(cc_alg *g, cc_xp f) { return cc_x_sign(g, cc_tail_undo(g, f)); }

cc_xp cc_tail_diff(cc_alg *g, cc_xp f, cc_xp v) {
    cc_tail which;
    if (!f || !cc_x_has(f, v)) return f ? g->zero : NULL;
    if (cc_tail_is(f, &which)) {
        cc_xp z = f->args[f->n - 1], inner = cc_tail_diff(g, z, v), d = NULL;
        switch (which) {
        case CC_TAIL_ERFC: // 2 z tail - 2/sqrt(pi)
            d = cc_x_sub(g, cc_x_mul(g, cc_x_mul(g, g->two, z), f), cc_x_div(g, g->two, cc_x_sqrt(g, g->pi)));
            break;
        case CC_TAIL_ERFI: // 2/sqrt(pi) - 2 z tail
            d = cc_x_sub(g, cc_x_div(g, g->two, cc_x_sqrt(g, g->pi)), cc_x_mul(g, cc_x_mul(g, g->two, z), f));
            break;
        case CC_TAIL_EI: d = cc_x_sub(g, cc_x_div(g, g->one, z), f); break; // 1/z - tail
        case CC_TAIL_AI:
        case CC_TAIL_BI:
        case CC_TAIL_BESSELI:
        case CC_TAIL_BESSELK:
        case CC_TAIL_GAMMA: { // involves Ai', Bi' …: by the product rule on its meaning
            cc_xp t = cc_x_dummy(g, "t", CC_IS_POSITIVE);
            d = cc_x_subs(g, cc_x_diff(g, meaning(g, which, f->args[0], t), t), t, z);
            break;
        }
        case CC_TAIL_EXP: d = f; break;
        case CC_TAILS: break;
        }
        return cc_x_mul(g, d, inner);
    }
    if (!cc_x_has_fn(f, CC_F_APPLIED)) return cc_x_diff(g, f, v);
    switch (f->kind) { // sums, products, powers and exponentials of tails
    case CC_X_ADD: {
        cc_xp out = g->zero;
        for (size_t i = 0; i < f->n; i++) out = cc_x_add(g, out, cc_tail_diff(g, f->args[i], v));
        return out;
    }
    case CC_X_MUL: {
        cc_xp out = g->zero;
        for (size_t i = 0; i < f->n; i++) out = cc_x_add(g, out, cc_x_mul(g, cc_x_div(g, f, f->args[i]), cc_tail_diff(g, f->args[i], v)));
        return out;
    }
    case CC_X_POW: {
        cc_xp b = f->args[0], e = f->args[1];
        if (cc_x_has(e, v)) return NULL;
        return cc_x_mul(g, cc_x_mul(g, e, cc_x_pow(g, b, cc_x_sub(g, e, g->one))), cc_tail_diff(g, b, v));
    }
    default: { // F(u): F'(u) u'
        if (f->kind != CC_X_FUN || f->n != 1 || f->fn == CC_F_APPLIED) return NULL;
        cc_xp t = cc_x_dummy(g, "t", 0), outer = cc_x_diff(g, cc_x_f1(g, (cc_xfn)f->fn, t), t);
        return cc_x_mul(g, cc_x_subs(g, outer, t, f->args[0]), cc_tail_diff(g, f->args[0], v));
    }
    }
}

bool cc_tail_series(const cc_ps_context *s, cc_xp f, const cc_ps *z, cc_ps *out) {
    cc_alg *g = s->g;
    cc_tail which;
    if (!cc_tail_is(f, &which)) return false;
    cc_ps inverse, first;
    size_t n = s->keep + 2;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n), minus = g->minus_one;
    if (!cc_ps_power(s, z, minus, &inverse)) return false;
    switch (which) {
    case CC_TAIL_ERFC:
    case CC_TAIL_ERFI: { // 1/(sqrt(pi) z) sum (∓1)**k (2k-1)!!/(2 z**2)**k
        slong sign = which == CC_TAIL_ERFC ? -1 : 1;
        cc_ps square = cc_ps_mul(s, &inverse, &inverse);
        t[0] = cc_x_div(g, g->one, cc_x_sqrt(g, g->pi));
        for (size_t k = 1; k < n; k++) t[k] = cc_x_mul(g, t[k - 1], cc_x_frac(g, sign * (2 * (slong)k - 1), 2));
        first = cc_ps_compose(s, t, n, &square);
        *out = cc_ps_mul(s, &first, &inverse);
        return true;
    }
    case CC_TAIL_EI: // 1/z sum k!/z**k
        t[0] = g->one;
        for (size_t k = 1; k < n; k++) t[k] = cc_x_mul(g, t[k - 1], cc_x_int(g, (slong)k));
        first = cc_ps_compose(s, t, n, &inverse);
        *out = cc_ps_mul(s, &first, &inverse);
        return true;
    case CC_TAIL_AI:
    case CC_TAIL_BI: { // z**(-1/4)/sqrt(pi) (1/2 for Ai) sum (∓1)**k u_k/zeta**k, u_k = (6k-5)(6k-3)(6k-1)/(216 k (2k-1)) u_{k-1}
        cc_ps power, quarter;
        if (!cc_ps_power(s, z, cc_x_frac(g, -3, 2), &power) || !cc_ps_power(s, z, cc_x_frac(g, -1, 4), &quarter)) return false;
        cc_xp step = which == CC_TAIL_AI ? cc_x_frac(g, -3, 2) : cc_x_frac(g, 3, 2); // 1/zeta = (3/2) z**(-3/2)
        t[0] = cc_x_div(g, which == CC_TAIL_AI ? g->half : g->one, cc_x_sqrt(g, g->pi));
        for (size_t k = 1; k < n; k++) {
            slong j = (slong)k;
            cc_xp u = cc_x_frac(g, (6 * j - 5) * (6 * j - 3) * (6 * j - 1), 216 * j * (2 * j - 1));
            t[k] = cc_x_mul(g, t[k - 1], cc_x_mul(g, u, step));
        }
        first = cc_ps_compose(s, t, n, &power);
        *out = cc_ps_mul(s, &first, &quarter);
        return true;
    }
    case CC_TAIL_BESSELI:
    case CC_TAIL_BESSELK: { // sqrt(1/(2 pi z)), sqrt(pi/(2 z)) sum (∓1)**k a_k/z**k, a_k = a_{k-1} (4 n**2 - (2k-1)**2)/(8 k)
        cc_xp four = cc_x_mul(g, cc_x_int(g, 4), cc_x_powi(g, f->args[0], 2));
        cc_ps root;
        if (!cc_ps_power(s, z, cc_x_frac(g, -1, 2), &root)) return false;
        bool first_kind = which == CC_TAIL_BESSELI;
        t[0] = cc_x_sqrt(g, first_kind ? cc_x_div(g, g->half, g->pi) : cc_x_mul(g, g->half, g->pi));
        for (size_t k = 1; k < n; k++) {
            cc_xp odd = cc_x_powi(g, cc_x_int(g, 2 * (slong)k - 1), 2), a = cc_x_div(g, cc_x_sub(g, four, odd), cc_x_int(g, 8 * (slong)k));
            t[k] = cc_x_mul(g, t[k - 1], first_kind ? cc_x_neg(g, a) : a);
        }
        first = cc_ps_compose(s, t, n, &inverse);
        *out = cc_ps_mul(s, &first, &root);
        return true;
    }
    case CC_TAIL_GAMMA: { // z**(n-1) sum (n-1)(n-2)…(n-k)/z**k
        cc_ps power;
        if (!cc_ps_power(s, z, cc_x_sub(g, f->args[0], g->one), &power)) return false;
        t[0] = g->one;
        for (size_t k = 1; k < n; k++) t[k] = cc_x_mul(g, t[k - 1], cc_x_sub(g, f->args[0], cc_x_int(g, (slong)k)));
        first = cc_ps_compose(s, t, n, &inverse);
        *out = cc_ps_mul(s, &first, &power);
        return true;
    }
    case CC_TAIL_EXP: return cc_ps_exp(s, z, out);
    case CC_TAILS: break;
    }
    return false;
}
