// Limits from one side and from both: a power series where one exists, Gruntz's algorithm otherwise, then oscillation. Called by
// operations and by every part of the algebra that needs a limit. Owns nothing.
#include "math/series/series.h"

static bool unknown_inside(cc_xp f) {
    return cc_x_has_fn(f, CC_F_INTEGRAL) || cc_x_has_fn(f, CC_F_SUM) || cc_x_has_fn(f, CC_F_PRODUCT) || cc_x_has_fn(f, CC_F_LIMIT) ||
           cc_x_has_fn(f, CC_F_DERIVATIVE) || cc_x_has_fn(f, CC_F_SUBS) || cc_x_has_fn(f, CC_F_APPLIED) || cc_x_has_fn(f, CC_F_ORDER);
}

// What c * w**e (c may hold log(w), which tends to -oo) tends to.
static cc_xp value_of(cc_alg *g, const cc_ps_context *s, cc_xp c, cc_xp e) {
    if (c == g->zero) return c;
    int order = cc_ps_compare(s, e, g->zero);
    if (order == 2) return NULL;
    if (order > 0) return g->zero;
    if (cc_x_has(c, s->log_w)) {
        cc_xp big = cc_x_dummy(g, "x", CC_IS_POSITIVE);
        c = cc_gruntz_limit(g, cc_x_subs(g, c, s->log_w, cc_x_neg(g, big)), big);
        if (order == 0 || !c || !c->finite) return c;
    }
    if (order == 0) return c;
    int sign = cc_x_sign(g, c);
    if (sign == 1 || sign == -1) return sign > 0 ? g->oo : g->neg_oo;
    return cc_x_is_constant(c) && cc_x_is(g, c, CC_IS_REAL) == CC_FALSE ? g->zoo : NULL;
}

// f(w) for w → 0+ as a power series, with powers of log(w).
static cc_xp by_series(cc_alg *g, cc_xp f, cc_xp w) {
    cc_xp log_w = cc_x_dummy(g, "L", CC_IS_NEGATIVE), c, e;
    bool unsure = false;
    const cc_ps_context s = {.g = g, .w = w, .log_w = log_w, .keep = 1, .unsure = &unsure};
    return cc_ps_leading(g, f, w, log_w, NULL, &c, &e) ? value_of(g, &s, c, e) : NULL;
}

// f holds (-2)**n: of a real n the modulus alone grows, of whole n the sign changes. Which is meant is not known.
static bool alternates(cc_alg *g, cc_xp f, cc_xp x) {
    if (f->kind == CC_X_POW && cc_x_has(f->args[1], x) && cc_x_is_constant(f->args[0]) && cc_x_is(g, f->args[0], CC_IS_NEGATIVE) == CC_TRUE)
        return true;
    for (uint32_t i = 0; i < f->n; i++)
        if (alternates(g, f->args[i], x)) return true;
    return false;
}

// What has grown too large for one method is no answer, and no error.
static cc_xp found(cc_alg *g, cc_xp out) {
    if (g->err->code != CC_RESOURCE_EXHAUSTED) return out;
    *g->err = (cc_error){0};
    return NULL;
}

// from = '+', '-' at a finite point; ignored at infinity. *none: proven that there is no limit.
static cc_xp one_sided(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, char from, bool *none) {
    cc_xp w = cc_x_dummy(g, "w", CC_IS_POSITIVE), big = cc_x_dummy(g, "x", CC_IS_POSITIVE), near, far;
    bool infinite = a == g->oo || a == g->neg_oo;
    if (infinite) {
        near = cc_x_div(g, a == g->oo ? g->one : g->minus_one, w);
        far = a == g->oo ? big : cc_x_neg(g, big);
    } else {
        near = from == '-' ? cc_x_sub(g, a, w) : cc_x_add(g, a, w);
        far = from == '-' ? cc_x_sub(g, a, cc_x_div(g, g->one, big)) : cc_x_add(g, a, cc_x_div(g, g->one, big));
    }
    size_t conditions = g->n_conditions; // of an attempt that failed there are none
    cc_xp out = found(g, by_series(g, cc_x_subs(g, f, v, near), w));
    if (out || g->err->code) return out;
    g->n_conditions = conditions;
    cc_xp g_of = cc_x_subs(g, f, v, far);
    out = found(g, cc_gruntz_limit(g, g_of, big));
    if (out || g->err->code) return out;
    g->n_conditions = conditions;
    out = found(g, cc_oscillating_limit(g, g_of, big, none));
    return out == g->zoo && infinite && alternates(g, f, v) ? NULL : out;
}

static cc_xp tidy(cc_alg *g, cc_xp x) {
    if (!x || !x->finite) return x;
    return cc_x_is_constant(x) ? cc_x_constant_simplify(g, x) : cc_x_simplify(g, x);
}

static cc_xp oscillates(cc_alg *g) {
    g->no_limit = true;
    cc_alg_note(g, "the limit does not exist: the values keep oscillating");
    return NULL;
}

// x is divided by c, or by a power of it.
static bool divided_by(cc_xp x, cc_xp c) {
    if (x->kind == CC_X_POW && x->args[0] == c && cc_x_is_num(x->args[1]) && cc_x_num_sign(x->args[1]) < 0) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (divided_by(x->args[i], c)) return true;
    return false;
}

static cc_xp both_sides(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, char dir, cc_xp *left, cc_xp *right);

cc_xp cc_x_limit(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, char dir, cc_xp *left, cc_xp *right) {
    size_t before = g->n_conditions, kept = before;
    cc_xp out = both_sides(g, f, v, a, dir, left, right);
    bool told = out || (left && *left) || (right && *right);
    for (size_t i = before; told && i < g->n_conditions; i++) { // what the limit says itself need not be told
        cc_xp c = g->conditions[i];
        if (!(c->kind == CC_X_REL && (cc_xrel)c->konst == CC_REL_NE && out &&
              (divided_by(out, c->args[0]) || divided_by(out, cc_x_neg(g, c->args[0])))))
            g->conditions[kept++] = c;
    }
    g->n_conditions = kept;
    return out;
}

static cc_xp both_sides(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, char dir, cc_xp *left, cc_xp *right) {
    if (left) *left = NULL;
    if (right) *right = NULL;
    g->no_limit = false;
    if (!f || !v || !a) return NULL;
    if (!cc_x_has(f, v)) return f;
    if (unknown_inside(f) || !f->finite) return NULL;
    bool none = false;
    if (a == g->oo || a == g->neg_oo || dir == '+' || dir == '-') {
        cc_xp out = tidy(g, one_sided(g, f, v, a, dir, &none));
        return none ? oscillates(g) : out;
    }
    cc_xp from_left = tidy(g, one_sided(g, f, v, a, '-', &none)), from_right = none ? NULL : tidy(g, one_sided(g, f, v, a, '+', &none));
    if (none) return oscillates(g);
    if (left) *left = from_left;
    if (right) *right = from_right;
    if (!from_left || !from_right) return NULL;
    if (from_left == from_right) return from_left;
    if (!from_left->finite && !from_right->finite && (from_left == g->zoo || from_right == g->zoo)) return g->zoo;
    bool both_finite = from_left->finite && from_right->finite;
    if (both_finite) {
        cc_truth same = cc_x_is_zero(g, cc_x_sub(g, from_left, from_right));
        if (same == CC_TRUE) return from_right;
        if (same == CC_UNDECIDED) return NULL;
    }
    if (!left || !right) cc_alg_note(g, "the limit does not exist: the two sides differ");
    g->no_limit = true;
    return NULL;
}

cc_xp cc_x_leading_term(cc_alg *g, cc_xp f, cc_xp v, cc_xp a) {
    cc_xp w = cc_x_dummy(g, "w", CC_IS_POSITIVE), log_w = cc_x_dummy(g, "L", CC_IS_NEGATIVE), c, e;
    bool infinite = a == g->oo || a == g->neg_oo;
    cc_xp at = infinite ? cc_x_div(g, a == g->oo ? g->one : g->minus_one, w) : cc_x_add(g, a, w);
    if (!f || !cc_ps_leading(g, cc_x_subs(g, f, v, at), w, log_w, NULL, &c, &e)) return NULL;
    cc_xp back = infinite ? cc_x_div(g, a == g->oo ? g->one : g->minus_one, v) : cc_x_sub(g, v, a);
    return cc_x_mul(g, cc_x_subs(g, c, log_w, cc_x_log(g, back)), cc_x_pow(g, back, e));
}
