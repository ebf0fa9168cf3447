// Rigorous quadrature over a finite interval on which the integrand is bounded. Called by improper.c, which sees to the rest. Analytic
// integrands go to FLINT's acb_calc_integrate; Abs, sign, floor and the like are replaced by what they are on a piece where that is
// decided, and the interval is halved until it is. Nothing is assumed of what cannot be enclosed: such a piece fails.
#include <flint/acb_calc.h>

#include "math/integrate/definite.h"

enum { MAX_DEPTH = 80, MAX_PIECES = 2000 };

typedef struct quadrature {
    cc_alg *g;
    cc_xp f, v;
    const cc_xenv *env; // the variable first
    unsigned pieces;
    slong bits;
} quadrature;

static bool is_piecewise(cc_xfn f) {
    switch (f) {
    case CC_F_ABS:
    case CC_F_SIGN:
    case CC_F_FLOOR:
    case CC_F_CEIL:
    case CC_F_FRAC:
    case CC_F_MAX:
    case CC_F_MIN:
    case CC_F_MOD:
    case CC_F_HEAVISIDE:
    case CC_F_RE:
    case CC_F_IM:
    case CC_F_ARG:
    case CC_F_CONJUGATE:
    case CC_F_PIECEWISE:
    case CC_F_ATAN2: return true;
    default: return false;
    }
}

static bool has_piecewise(cc_xp x) {
    if (x->kind == CC_X_FUN && is_piecewise((cc_xfn)x->fn)) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (has_piecewise(x->args[i])) return true;
    return false;
}

enum { MAX_LOOSE = 8 };

typedef struct resolving {
    const cc_xenv *env;
    slong prec;
    bool failed;
    // what is undecided becomes a symbol with the range of its values, when there is room for it
    cc_xp *loose;
    acb_ptr range;
    size_t n;
} resolving;

// The real enclosure of x on the piece; false: none, or not real.
static bool real_range(cc_alg *g, arb_t out, cc_xp x, const resolving *r) {
    acb_t z;
    acb_init(z);
    bool ok = cc_x_enclose(g, z, x, r->env, r->prec) && acb_is_finite(z) && arb_is_zero(acb_imagref(z));
    arb_set(out, acb_realref(z));
    acb_clear(z);
    return ok;
}

// 1: positive, -1: negative, 0: undecided, on the whole piece.
static int sign_on(cc_alg *g, cc_xp x, const resolving *r) {
    arb_t t;
    arb_init(t);
    int s = !real_range(g, t, x, r) ? 0 : arb_is_positive(t) ? 1 : arb_is_negative(t) ? -1 : 0;
    arb_clear(t);
    return s;
}

static int truth_on(cc_alg *g, cc_xp c, const resolving *r) {
    if (c == g->yes) return 1;
    if (c == g->no) return -1;
    if (c->kind == CC_X_REL) {
        int s = sign_on(g, cc_x_sub(g, c->args[1], c->args[0]), r);
        if (!s) return 0;
        return c->konst == CC_REL_EQ ? -1 : c->konst == CC_REL_NE ? 1 : s;
    }
    if (c->kind == CC_X_AND || c->kind == CC_X_OR) {
        bool all = true;
        int decisive = c->kind == CC_X_AND ? -1 : 1;
        for (uint32_t i = 0; i < c->n; i++) {
            int t = truth_on(g, c->args[i], r);
            if (t == decisive) return decisive;
            all = all && t;
        }
        return all ? -decisive : 0;
    }
    if (c->kind == CC_X_NOT) return -truth_on(g, c->args[0], r);
    return 0;
}

static cc_xp whole_part(cc_alg *g, cc_xp x, const resolving *r, bool up) {
    arb_t t;
    fmpz_t n;
    arb_init(t);
    fmpz_init(n);
    cc_xp k = NULL;
    if (real_range(g, t, x, r)) {
        if (up)
            arb_ceil(t, t, r->prec);
        else
            arb_floor(t, t, r->prec);
        if (arb_get_unique_fmpz(n, t)) k = cc_x_fmpz(g, n);
    }
    arb_clear(t);
    fmpz_clear(n);
    return k;
}

// A symbol for x whose range on the piece is known.
static cc_xp loosen(cc_alg *g, cc_xp x, resolving *r) {
    arb_t t;
    arb_init(t);
    bool ok = true;
    switch ((cc_xfn)x->fn) {
    case CC_F_ABS:
        ok = real_range(g, t, x->args[0], r);
        arb_abs(t, t);
        break;
    case CC_F_FLOOR:
        ok = real_range(g, t, x->args[0], r);
        arb_floor(t, t, r->prec);
        break;
    case CC_F_CEIL:
        ok = real_range(g, t, x->args[0], r);
        arb_ceil(t, t, r->prec);
        break;
    case CC_F_MAX:
    case CC_F_MIN: { // one of them
        arb_t u;
        arb_init(u);
        ok = real_range(g, t, x->args[0], r);
        for (uint32_t i = 1; ok && i < x->n; i++) {
            ok = real_range(g, u, x->args[i], r);
            arb_union(t, t, u, r->prec);
        }
        arb_clear(u);
        break;
    }
    case CC_F_SIGN:
    case CC_F_HEAVISIDE:
    case CC_F_FRAC: // within [-1, 1]
        arb_zero_pm_one(t);
        break;
    default: ok = false;
    }
    cc_xp symbol = NULL;
    if (ok && arb_is_finite(t)) {
        symbol = cc_x_dummy(g, "range", CC_IS_REAL);
        r->loose[r->n] = symbol;
        acb_set_arb(r->range + r->n++, t);
    }
    arb_clear(t);
    return symbol;
}

// A node, whose arguments are resolved, as what it is on the piece.
static cc_xp resolve(cc_alg *g, cc_xp x, void *ctx) {
    resolving *r = ctx;
    if (x->kind != CC_X_FUN || !is_piecewise((cc_xfn)x->fn) || r->failed) return x;
    cc_xp a = x->args[0], result = NULL;
    int s;
    switch ((cc_xfn)x->fn) {
    case CC_F_ABS: result = (s = sign_on(g, a, r)) ? (s > 0 ? a : cc_x_neg(g, a)) : NULL; break;
    case CC_F_SIGN: result = (s = sign_on(g, a, r)) ? cc_x_int(g, s) : NULL; break;
    case CC_F_HEAVISIDE: result = (s = sign_on(g, a, r)) ? (s > 0 ? g->one : g->zero) : NULL; break;
    case CC_F_FLOOR: result = whole_part(g, a, r, false); break;
    case CC_F_CEIL: result = whole_part(g, a, r, true); break;
    case CC_F_FRAC:
        result = whole_part(g, a, r, false);
        result = result ? cc_x_sub(g, a, result) : NULL;
        break;
    case CC_F_MOD:
        result = whole_part(g, cc_x_div(g, a, x->args[1]), r, false);
        result = result ? cc_x_sub(g, a, cc_x_mul(g, result, x->args[1])) : NULL;
        break;
    case CC_F_MAX:
    case CC_F_MIN:
        result = a;
        for (uint32_t i = 1; result && i < x->n; i++) {
            s = sign_on(g, cc_x_sub(g, x->args[i], result), r);
            result = !s ? NULL : (s > 0) == (x->fn == CC_F_MAX) ? x->args[i] : result;
        }
        break;
    case CC_F_PIECEWISE:
        for (uint32_t i = 0; i + 1 < x->n; i += 2) {
            int t = truth_on(g, x->args[i + 1], r);
            if (t > 0) result = x->args[i];
            if (t >= 0) break;
        }
        break;
    default: break; // re, im, arg of real and complex parts
    }
    if (!result && r->loose && r->n < MAX_LOOSE) result = loosen(g, x, r);
    if (!result) r->failed = true;
    return result ? result : x;
}

cc_xp cc_int_resolve(cc_alg *g, cc_xp f, const cc_xenv *env, slong prec) {
    resolving r = {.env = env, .prec = prec};
    cc_xp x = cc_x_map(g, f, resolve, &r);
    return r.failed ? NULL : x;
}

// The range of f on the piece where env->values[0] is.
static bool range_of(cc_alg *g, acb_t out, cc_xp f, const cc_xenv *env, slong prec) {
    cc_xp symbols[MAX_LOOSE + 1] = {env->symbols[0]};
    acb_ptr values = _acb_vec_init(MAX_LOOSE + 1);
    acb_set(values, env->values);
    resolving r = {.env = env, .prec = prec, .loose = symbols + 1, .range = values + 1};
    cc_xp x = cc_x_map(g, f, resolve, &r);
    cc_xenv all = {.symbols = symbols, .values = values, .n = r.n + 1};
    bool ok = x && !r.failed && cc_x_enclose(g, out, x, &all, prec) && acb_is_finite(out);
    _acb_vec_clear(values, MAX_LOOSE + 1);
    return ok;
}

static int at(acb_ptr out, const acb_t x, void *param, slong order, slong prec) {
    quadrature *q = param;
    acb_t value;
    acb_init(value);
    acb_set(value, x);
    cc_xenv env = {.symbols = &q->v, .values = value, .n = 1};
    // order 1 asks for an enclosure only where the integrand is analytic
    if (!cc_alg_go_on(q->g) || (order > 0 && !cc_int_regular(q->g, q->f, q->v, &env, prec, false)) ||
        !cc_x_enclose(q->g, out, q->f, &env, prec))
        acb_indeterminate(out);
    acb_clear(value);
    return 0;
}

static bool analytic(quadrature *q, acb_t out, cc_xp f, const arb_t a, const arb_t b) {
    acb_t lo, hi;
    mag_t tol;
    acb_init(lo);
    acb_init(hi);
    mag_init(tol);
    acb_set_arb(lo, a);
    acb_set_arb(hi, b);
    mag_set_ui_2exp_si(tol, 1, -q->bits);
    acb_calc_integrate_opt_t opt;
    acb_calc_integrate_opt_init(opt);
    opt->eval_limit = 20000;
    quadrature inner = *q;
    inner.f = f;
    acb_calc_integrate(out, at, &inner, lo, hi, q->bits, tol, opt, q->bits + 30);
    acb_clear(lo);
    acb_clear(hi);
    mag_clear(tol);
    return acb_is_finite(out);
}

// Adds the integral over [a, b].
static bool piece(quadrature *q, acb_t sum, const arb_t a, const arb_t b, int depth) {
    cc_alg *g = q->g;
    if (++q->pieces > MAX_PIECES || !cc_alg_may_search(g)) return false;
    slong prec = q->bits + 30;
    acb_t value;
    acb_init(value);
    arb_union(acb_realref(value), a, b, prec);
    cc_xenv env = {.symbols = &q->v, .values = value, .n = 1};
    cc_xp f = has_piecewise(q->f) ? cc_int_resolve(g, q->f, &env, prec) : q->f;
    bool ok = false;
    acb_t part;
    arb_t middle;
    acb_init(part);
    arb_init(middle);
    if (f && g->err->code == CC_OK) {
        ok = analytic(q, part, f, a, b);
        if (ok) acb_add(sum, sum, part, prec);
    } else if (g->err->code == CC_OK && depth == 0) {
        // so short a piece that length times range is small enough
        ok = range_of(g, part, q->f, &env, prec);
        arb_sub(middle, b, a, prec);
        acb_mul_arb(part, part, middle, prec);
        if (ok) acb_add(sum, sum, part, prec);
    } else if (g->err->code == CC_OK) {
        arb_add(middle, a, b, prec);
        arb_mul_2exp_si(middle, middle, -1);
        arb_get_mid_arb(middle, middle);
        ok = piece(q, sum, a, middle, depth - 1) && piece(q, sum, middle, b, depth - 1);
    }
    acb_clear(value);
    acb_clear(part);
    arb_clear(middle);
    return ok;
}

bool cc_int_proper(cc_alg *g, acb_t out, cc_xp f, cc_xp v, const arb_t a, const arb_t b, slong bits) {
    quadrature q = {.g = g, .f = f, .v = v, .bits = bits};
    acb_zero(out);
    return piece(&q, out, a, b, (int)(bits < MAX_DEPTH ? bits : MAX_DEPTH)) && g->err->code == CC_OK;
}
