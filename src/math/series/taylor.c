// Series for people: terms below an order, and the O-term. Called by the operation "series". Owns nothing.
#include "math/series/series.h"

#define MOST_KEPT 512

static bool has_logarithm(const cc_ps *a, cc_xp log_w) {
    for (size_t i = 0; i < a->n; i++)
        if (cc_x_has(a->c[i], log_w)) return true;
    return false;
}

cc_xp cc_x_series(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, slong n) {
    if (!f || !v || !a) return NULL;
    if (!cc_x_has(f, v)) return f;
    bool infinite = a == g->oo || a == g->neg_oo;
    cc_xp w = cc_x_dummy(g, "w", CC_IS_REAL | CC_IS_NONZERO), log_w = cc_x_dummy(g, "L", CC_IS_NEGATIVE), limit = cc_x_int(g, n);
    cc_xp at = infinite ? cc_x_div(g, a == g->oo ? g->one : g->minus_one, w) : cc_x_add(g, a, w);
    cc_xp in_w = cc_x_subs(g, f, v, at);
    // w**e is back**(sign*e)
    cc_xp back = a == g->oo ? v : a == g->neg_oo ? cc_x_neg(g, v) : cc_x_sub(g, v, a), sign = infinite ? g->minus_one : g->one;
    cc_xp log_back = cc_x_mul(g, sign, cc_x_log(g, back));
    cc_ps out = {0};
    bool reached = cc_series_rational(g, in_w, w, n, 4 * MOST_KEPT, &out), unsure = false, one_sided = false;
    for (size_t keep = n < 4 ? 6 : (size_t)n + 2; keep <= MOST_KEPT && !reached && cc_alg_may_search(g); keep *= 2) {
        const cc_ps_context s = {.g = g, .w = w, .log_w = log_w, .keep = keep, .one_sided = &one_sided, .unsure = &unsure};
        bool more = false;
        if (!cc_ps_expand(&s, in_w, &out, &more)) {
            if (!more) return NULL;
            continue;
        }
        int beyond = out.order ? cc_ps_compare(&s, out.order, limit) : 1;
        reached = beyond > 0 || (beyond == 0 && !has_logarithm(&out, log_w)); // the O-term needs the power of the logarithm
    }
    if (!reached || unsure || g->err->code != CC_OK) return NULL; // after an error coefficients are missing
    const cc_ps_context s = {.g = g, .w = w, .log_w = log_w, .keep = MOST_KEPT, .unsure = &unsure};
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, out.n + 1);
    size_t count = 0;
    slong logarithms = 0;
    bool exact = out.order == NULL;
    for (size_t i = 0; i < out.n; i++) {
        int beyond = cc_ps_compare(&s, out.e[i], limit);
        if (beyond == 2 && out.order) return NULL;
        if (beyond == 0 || beyond == 1) { // a term that is left out
            const cc_xp *by_log;
            if (beyond == 0 && cc_x_has(out.c[i], log_w) &&
                !cc_x_poly_coefficients(g, cc_x_expand(g, out.c[i]), log_w, MOST_KEPT, &by_log, &logarithms))
                return NULL;
            exact = false;
            break;
        }
        cc_xp c = out.c[i]->kind == CC_X_NUM ? out.c[i] : cc_x_subs(g, cc_x_simplify(g, out.c[i]), log_w, log_back);
        terms[count++] = cc_x_mul(g, c, cc_x_pow(g, back, cc_x_mul(g, sign, out.e[i])));
    }
    if (!exact) {
        cc_xp power = cc_x_powi(g, infinite ? v : back, infinite ? -n : n),
              log = cc_x_powi(g, cc_x_log(g, infinite ? v : back), logarithms);
        cc_xp order[] = {cc_x_mul(g, power, log), v, a};
        terms[count++] = cc_x_unevaluated(g, CC_F_ORDER, order, a == g->zero ? 1 : 3);
    }
    if (one_sided && !infinite) cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, a, v));
    return cc_x_addn(g, terms, count);
}
