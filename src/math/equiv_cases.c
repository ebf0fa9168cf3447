// Is an expression with absolute values, signs, Max, Piecewise … zero? By the cases of their signs, or by real and imaginary parts. Called
// by equiv.c when normal forms have not decided. It proves only that it is zero; a point that shows the opposite is sought there.
#include "math/equiv.h"

#include "math/simplify/simplify.h"

enum { DEEPEST = 4, MOST_SYMBOLS = 6 };

// ---- real arguments ----

static bool orders(cc_xp x) {
    static const cc_xfn fns[] = {CC_F_MAX, CC_F_MIN, CC_F_HEAVISIDE, CC_F_PIECEWISE};
    for (size_t i = 0; i < CC_ARRAY_LEN(fns); i++)
        if (cc_x_has_fn(x, fns[i])) return true;
    return false;
}

static bool has_parts(cc_xp x) {
    static const cc_xfn fns[] = {CC_F_ABS, CC_F_SIGN, CC_F_RE, CC_F_IM, CC_F_CONJUGATE};
    for (size_t i = 0; i < CC_ARRAY_LEN(fns); i++)
        if (cc_x_has_fn(x, fns[i])) return true;
    return false;
}

// Max(a, b) = (a + b + |a - b|)/2, Min with a minus; Heaviside(u) = (1 + sign(u))/2.
static cc_xp by_signs(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    if (cc_x_is_fun(x, CC_F_HEAVISIDE)) return cc_x_mul(g, g->half, cc_x_add(g, g->one, cc_x_f1(g, CC_F_SIGN, x->args[0])));
    if (!cc_x_is_fun(x, CC_F_MAX) && !cc_x_is_fun(x, CC_F_MIN)) return x;
    cc_xp out = x->args[0];
    for (uint32_t i = 1; i < x->n; i++) {
        cc_xp apart = cc_x_f1(g, CC_F_ABS, cc_x_sub(g, out, x->args[i]));
        if (x->fn == CC_F_MIN) apart = cc_x_neg(g, apart);
        out = cc_x_mul(g, g->half, cc_x_add(g, cc_x_add(g, out, x->args[i]), apart));
    }
    return out;
}

// An expression whose sign decides between cases.
static cc_xp decisive(cc_alg *g, cc_xp x) {
    if (!x->free) return NULL;
    if (x->kind == CC_X_REL) return cc_x_sub(g, x->args[0], x->args[1]);
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp inner = decisive(g, x->args[i]);
        if (inner) return inner;
    }
    return cc_x_is_fun(x, CC_F_ABS) || cc_x_is_fun(x, CC_F_SIGN) ? x->args[0] : NULL;
}

// u = 0, > 0 and < 0, u being linear in a real symbol, for which the others are free.
static cc_truth cases(cc_alg *g, cc_xp d, unsigned depth) {
    d = cc_x_map(g, d, by_signs, NULL);
    if (!d || !cc_alg_may_search(g)) return CC_UNDECIDED;
    cc_truth zero = cc_x_is_zero(g, d);
    cc_xp u = zero == CC_UNDECIDED && depth < DEEPEST ? decisive(g, d) : NULL;
    if (!u) return zero;
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, u, &n);
    for (size_t i = 0; i < n; i++) {
        const cc_xp *c;
        slong degree;
        if (!(symbols[i]->facts & CC_IS_REAL) || (symbols[i]->facts & ~(unsigned)(CC_IS_REAL | CC_IS_NONZERO))) continue;
        if (!cc_x_poly_coefficients(g, u, symbols[i], 1, &c, &degree) || degree != 1 || !cc_x_is_num(c[1])) continue;
        cc_xp p = cc_x_dummy(g, "p", CC_IS_POSITIVE), values[] = {p, cc_x_neg(g, p), g->zero};
        for (size_t k = 0; k < CC_ARRAY_LEN(values); k++) {
            cc_xp with = cc_x_expand(g, cc_x_div(g, cc_x_sub(g, values[k], c[0]), c[1])), there = cc_x_subs(g, d, symbols[i], with);
            if (there && !there->finite) continue; // not defined there
            if (!there || cases(g, there, depth + 1) != CC_TRUE) return CC_UNDECIDED;
        }
        return CC_TRUE;
    }
    return CC_UNDECIDED;
}

// ---- complex arguments ----

// |z| and sign(z) by the real and imaginary part of z.
static cc_xp by_parts(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    if (!cc_x_is_fun(x, CC_F_ABS) && !cc_x_is_fun(x, CC_F_SIGN)) return x;
    cc_xp z = x->args[0], re = cc_x_f1(g, CC_F_RE, z), im = cc_x_f1(g, CC_F_IM, z);
    if (!re || !im || cc_x_has_fn(re, CC_F_RE) || cc_x_has_fn(re, CC_F_IM) || cc_x_has_fn(im, CC_F_RE) || cc_x_has_fn(im, CC_F_IM))
        return x;
    cc_xp size = cc_x_sqrt(g, cc_x_expand(g, cc_x_add(g, cc_x_powi(g, re, 2), cc_x_powi(g, im, 2))));
    return x->fn == CC_F_ABS ? size : cc_x_div(g, z, size);
}

cc_truth cc_equiv_by_cases(cc_alg *g, cc_xp d, const char **basis) {
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, d, &n);
    bool real = orders(d), parts = has_parts(d);
    if ((!real && !parts) || n > MOST_SYMBOLS) return CC_UNDECIDED;
    cc_xp with[MOST_SYMBOLS];
    for (size_t i = 0; i < n; i++) {
        with[i] = symbols[i];
        if (symbols[i]->facts & CC_IS_REAL) continue;
        with[i] = cc_x_dummy(g, "u", CC_IS_REAL);
        if (!real) with[i] = cc_x_add(g, with[i], cc_x_mul(g, g->i, cc_x_dummy(g, "v", CC_IS_REAL)));
    }
    cc_xp in_parts = cc_x_subs_many(g, d, symbols, with, n);
    if (in_parts && !real) in_parts = cc_x_map(g, in_parts, by_parts, NULL);
    if (!in_parts || cases(g, in_parts, 0) != CC_TRUE) return CC_UNDECIDED;
    for (size_t i = 0; i < n && real; i++)
        if (!(symbols[i]->facts & CC_IS_REAL)) cc_alg_note(g, "%.*s was taken to be real", (int)symbols[i]->name.n, symbols[i]->name.p);
    *basis = "the difference is zero in each case of the signs, or by real and imaginary parts";
    return CC_TRUE;
}
