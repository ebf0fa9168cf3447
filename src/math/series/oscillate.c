// Limits at infinity of expressions with sin and cos of growing arguments. With s, c for the sine and cosine, an expression whose
// coefficients other than the constant one all vanish has a limit; one that tends to different values along two sequences with constant
// sine and cosine has none. Called by limit.c when the exponential scales have found nothing.
#include "math/series/series.h"

#define MOST_POWER 12

typedef struct waves {
    cc_xp x, argument;  // the one growing argument
    cc_xp sine, cosine; // what stands for them
    bool failed;
} waves;

// sin(k*u) and cos(k*u) by the sine and cosine of u (Chebyshev).
static cc_xp multiple(cc_alg *g, bool cosine, slong k, cc_xp s, cc_xp c) {
    slong n = k < 0 ? -k : k;
    cc_xp cos_now = g->one, sin_now = g->zero;
    for (slong i = 0; i < n; i++) {
        cc_xp next_cos = cc_x_sub(g, cc_x_mul(g, cos_now, c), cc_x_mul(g, sin_now, s));
        sin_now = cc_x_add(g, cc_x_mul(g, sin_now, c), cc_x_mul(g, cos_now, s));
        cos_now = next_cos;
    }
    if (cosine) return cos_now;
    return k < 0 ? cc_x_neg(g, sin_now) : sin_now;
}

static cc_xp wave(cc_alg *g, waves *t, cc_xp f, bool cosine) {
    cc_xp u = f->args[0], to = cc_gruntz_limit(g, u, t->x);
    if (!to) {
        t->failed = true;
        return f;
    }
    if (to != g->oo && to != g->neg_oo) return f;
    if (!t->argument) t->argument = u;
    cc_xp ratio = cc_x_cancel(g, cc_x_div(g, u, t->argument));
    slong k;
    if (!cc_x_fits_si(ratio, &k) || k < -MOST_POWER || k > MOST_POWER) {
        // the other way round: u may be the fundamental one; general combinations are left alone
        t->failed = true;
        return f;
    }
    return multiple(g, cosine, k, t->sine, t->cosine);
}

static cc_xp wave_node(cc_alg *g, cc_xp f, void *ctx) {
    waves *t = ctx;
    if (f->kind != CC_X_FUN || !cc_x_has(f, t->x)) return f;
    if (f->fn == CC_F_SIN || f->fn == CC_F_COS) return wave(g, t, f, f->fn == CC_F_COS);
    return f;
}

// log(b) as log|b| + I*arg(b): real and imaginary part apart.
static cc_xp log_apart(cc_alg *g, cc_xp b) {
    if (!cc_x_is_constant(b) || cc_x_is(g, b, CC_IS_POSITIVE) == CC_TRUE) return cc_x_log(g, b);
    return cc_x_add(g, cc_x_log(g, cc_x_f1(g, CC_F_ABS, b)), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_ARG, b)));
}

// exp(I*u), u real and growing, as cos(u) + I*sin(u); powers with exponents that grow likewise.
static cc_xp complex_node(cc_alg *g, cc_xp f, void *ctx) {
    cc_xp x = ctx, h;
    if (!cc_x_has(f, x)) return f;
    if (f->kind == CC_X_POW && cc_x_has(f->args[1], x)) {
        h = cc_x_mul(g, f->args[1], log_apart(g, f->args[0]));
    } else if (f->kind == CC_X_FUN && f->fn == CC_F_EXP) {
        h = f->args[0];
    } else {
        bool quotient = f->kind == CC_X_FUN && (f->fn == CC_F_TAN || f->fn == CC_F_COT || f->fn == CC_F_SEC || f->fn == CC_F_CSC);
        return quotient ? cc_x_rewrite(g, f, CC_REWRITE_SINCOS) : f;
    }
    cc_xp real = g->zero, imaginary = g->zero, expanded = cc_x_expand(g, h);
    if (!expanded) return NULL;
    size_t n;
    const cc_xp *terms = cc_x_terms(&expanded, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp turned = cc_x_div(g, terms[i], g->i);
        if (cc_x_is(g, terms[i], CC_IS_REAL) == CC_TRUE)
            real = cc_x_add(g, real, terms[i]);
        else if (cc_x_is(g, turned, CC_IS_REAL) == CC_TRUE)
            imaginary = cc_x_add(g, imaginary, turned);
        else
            return f;
    }
    if (imaginary == g->zero) return f;
    cc_xp turn = cc_x_add(g, cc_x_f1(g, CC_F_COS, imaginary), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, imaginary)));
    return cc_x_mul(g, cc_x_exp(g, real), turn);
}

// ---- bounds ----

static bool is_wave(cc_xp x) { return x->kind == CC_X_SYM && x->dummy && x->name.n && x->name.p[0] == '\001'; }

// f over all values of the sine and cosine; false when it holds anything else, or has no enclosure.
static bool over_waves(cc_alg *g, acb_t out, cc_xp f) {
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, f, &n);
    acb_ptr values = _acb_vec_init((slong)n);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok && is_wave(symbols[i]);
        arb_zero_pm_one(acb_realref(values + i));
    }
    const cc_xenv env = {symbols, values, n};
    ok = ok && cc_x_enclose(g, out, f, &env, 64) && acb_is_finite(out);
    _acb_vec_clear(values, (slong)n);
    return ok;
}

bool cc_oscillation_bounded(cc_alg *g, cc_xp f) {
    const cc_ps_context any = {.g = g};
    if (!cc_ps_oscillates(&any, f) || is_wave(f)) return true;
    slong e;
    if (f->kind == CC_X_ADD || f->kind == CC_X_MUL || (f->kind == CC_X_POW && cc_x_fits_si(f->args[1], &e) && e > 0)) {
        for (size_t i = 0; i < f->n; i++)
            if (!cc_oscillation_bounded(g, f->args[i])) return false;
        return true;
    }
    acb_t y;
    acb_init(y);
    bool ok = over_waves(g, y, f);
    acb_clear(y);
    return ok;
}

// Steps whose argument stays between two of them are constant.
static cc_xp step_node(cc_alg *g, cc_xp f, void *ctx) {
    (void)ctx;
    const cc_ps_context any = {.g = g};
    if (f->kind != CC_X_FUN || (f->fn != CC_F_FLOOR && f->fn != CC_F_CEIL && f->fn != CC_F_SIGN) || !cc_ps_oscillates(&any, f)) return f;
    acb_t y;
    fmpz_t n;
    acb_init(y), fmpz_init(n);
    cc_xp out = f;
    if (over_waves(g, y, f) && arb_is_zero(acb_imagref(y)) && arb_get_unique_fmpz(n, acb_realref(y))) out = cc_x_fmpz(g, n);
    acb_clear(y), fmpz_clear(n);
    return out;
}

// All coefficients of s**i c**j but the constant one vanish: the limit is that of the constant one.
static cc_xp by_coefficients(cc_alg *g, cc_xp f, const waves *t) {
    const cc_xp *by_s, *by_c;
    slong ns, nc;
    cc_xp constant = g->zero;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, f), t->sine, MOST_POWER, &by_s, &ns)) return NULL;
    for (slong i = 0; i <= ns; i++) {
        if (!cc_x_poly_coefficients(g, by_s[i], t->cosine, MOST_POWER, &by_c, &nc)) return NULL;
        for (slong j = 0; j <= nc; j++) {
            cc_xp l = cc_gruntz_limit(g, by_c[j], t->x);
            if (!l) return NULL;
            if (i + j == 0)
                constant = l;
            else if (constant == g->oo || constant == g->neg_oo ? !l->finite : l != g->zero)
                return NULL;
        }
    }
    return constant;
}

// |f| → oo: |f|**2 as a polynomial in the sine alone, the cosine's square being 1 - s**2.
static bool infinite_size(cc_alg *g, cc_xp f, const waves *t) {
    const cc_xp *by_c;
    slong n;
    cc_xp square = cc_x_expand(g, cc_x_mul(g, f, cc_x_f1(g, CC_F_CONJUGATE, f))), out = g->zero;
    if (!square || cc_x_has_fn(square, CC_F_CONJUGATE) || !cc_x_poly_coefficients(g, square, t->cosine, MOST_POWER, &by_c, &n))
        return false;
    cc_xp rest = cc_x_sub(g, g->one, cc_x_powi(g, t->sine, 2));
    for (slong i = 0; i <= n; i++)
        out = cc_x_add(g, out, cc_x_mul(g, by_c[i], cc_x_mul(g, cc_x_powi(g, rest, i / 2), i % 2 ? t->cosine : g->one)));
    return by_coefficients(g, out, t) == g->oo;
}

// Two sequences along which the sine and cosine are constant and f tends to different values.
static bool differs_somewhere(cc_alg *g, cc_xp f, const waves *t) {
    static const struct {
        int sp, sq, cp, cq;
    } at[] = {{0, 1, 1, 1}, {1, 1, 0, 1}, {-1, 1, 0, 1}, {0, 1, -1, 1}, {3, 5, 4, 5}, {-3, 5, 4, 5}, {4, 5, -3, 5}}; // points of the circle
    cc_xp first = NULL;
    for (size_t i = 0; i < CC_ARRAY_LEN(at) && cc_alg_may_search(g); i++) {
        cc_xp with[] = {cc_x_frac(g, at[i].sp, at[i].sq), cc_x_frac(g, at[i].cp, at[i].cq)}, what[] = {t->sine, t->cosine};
        cc_xp along = cc_x_subs_many(g, f, what, with, 2), l = along && along->finite ? cc_gruntz_limit(g, along, t->x) : NULL;
        if (!l) continue;
        if (!first)
            first = l;
        else if (l != first && (!l->finite || !first->finite || cc_x_is_zero(g, cc_x_sub(g, l, first)) == CC_FALSE))
            return true;
    }
    return false;
}

cc_xp cc_oscillating_limit(cc_alg *g, cc_xp f, cc_xp x, bool *none) {
    *none = false;
    f = cc_x_map(g, f, complex_node, (void *)(uintptr_t)x);
    waves t = {.x = x, .sine = cc_x_dummy(g, "\001s", CC_IS_REAL), .cosine = cc_x_dummy(g, "\001c", CC_IS_REAL)};
    cc_xp flat = cc_x_map(g, f, wave_node, &t);
    if (!flat || t.failed || !t.argument) return NULL;
    flat = cc_x_map(g, flat, step_node, NULL);
    cc_xp out = by_coefficients(g, flat, &t);
    if (out || g->err->code) return out;
    if (cc_x_is(g, flat, CC_IS_REAL) != CC_TRUE && infinite_size(g, flat, &t)) return g->zoo;
    out = cc_gruntz_limit(g, flat, x); // power.c takes no root, logarithm or quotient of what holds the sine or cosine
    if (out && !cc_x_has(out, t.sine) && !cc_x_has(out, t.cosine)) return out;
    *none = !g->err->code && differs_somewhere(g, flat, &t);
    return NULL;
}
