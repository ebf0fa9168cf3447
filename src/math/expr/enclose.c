// Enclosures of expressions by complex balls, with principal branches: arithmetic, conditions, bounded sums; the functions are
// in enclose_special.c, roots of polynomials in root_of.c. Called by the zero test, facts, decimals, and whoever needs a number. It never
// answers with a ball that misses the value; what cannot be enclosed (poles, infinities, symbols without value) is refused. It sets no
// error.
#include "math/expr/enclose.h"

#include "math/real.h"

enum {
    MAX_SUM = 20000,            // terms of Sum and Product
    MAX_ENCLOSE_PREC = 1 << 18, // where raising the precision ends
};

static bool enclose(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec);

static bool stopped(const cc_alg *g) { return g->stop && *g->stop; }

// ---- real values ----

bool cc_x_enclose_real(cc_alg *g, arb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    acb_t t;
    acb_init(t);
    bool ok = enclose(g, t, x, env, prec);
    if (ok && !arb_is_zero(acb_imagref(t)))
        ok = arb_contains_zero(acb_imagref(t)) && (!env || !env->n || cc_x_is_constant(x)) && cc_x_is(g, x, CC_IS_REAL) == CC_TRUE;
    if (ok) arb_swap(out, acb_realref(t));
    acb_clear(t);
    return ok;
}

// ---- conditions ----

static cc_truth compare(cc_alg *g, cc_xp x, const cc_xenv *env, slong prec) {
    cc_truth t = CC_UNDECIDED;
    if (x->konst == CC_REL_EQ || x->konst == CC_REL_NE) {
        acb_t a, b;
        acb_init(a);
        acb_init(b);
        if (enclose(g, a, x->args[0], env, prec) && enclose(g, b, x->args[1], env, prec)) {
            if (!acb_overlaps(a, b))
                t = CC_FALSE;
            else if (acb_is_exact(a) && acb_is_exact(b))
                t = acb_equal(a, b) ? CC_TRUE : CC_FALSE;
        }
        acb_clear(a);
        acb_clear(b);
        if (x->konst == CC_REL_NE && t != CC_UNDECIDED) t = t == CC_TRUE ? CC_FALSE : CC_TRUE;
        return t;
    }
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    if (cc_x_enclose_real(g, a, x->args[0], env, prec) && cc_x_enclose_real(g, b, x->args[1], env, prec)) {
        bool strict = x->konst == CC_REL_LT;
        if (strict ? arb_lt(a, b) : arb_le(a, b))
            t = CC_TRUE;
        else if (strict ? arb_ge(a, b) : arb_gt(a, b))
            t = CC_FALSE;
    }
    arb_clear(a);
    arb_clear(b);
    return t;
}

cc_truth cc_x_enclose_truth(cc_alg *g, cc_xp x, const cc_xenv *env, slong prec) {
    if (!x) return CC_UNDECIDED;
    if (x->kind == CC_X_CONST) return x->konst == CC_K_TRUE ? CC_TRUE : x->konst == CC_K_FALSE ? CC_FALSE : CC_UNDECIDED;
    if (x->kind == CC_X_REL) return compare(g, x, env, prec);
    if (x->kind == CC_X_NOT) {
        cc_truth t = cc_x_enclose_truth(g, x->args[0], env, prec);
        return t == CC_UNDECIDED ? t : t == CC_TRUE ? CC_FALSE : CC_TRUE;
    }
    if (x->kind != CC_X_AND && x->kind != CC_X_OR) return CC_UNDECIDED;
    const cc_truth ends = x->kind == CC_X_AND ? CC_FALSE : CC_TRUE;
    cc_truth all = ends == CC_FALSE ? CC_TRUE : CC_FALSE;
    for (size_t i = 0; i < x->n; i++) {
        cc_truth t = cc_x_enclose_truth(g, x->args[i], env, prec);
        if (t == ends) return ends;
        if (t == CC_UNDECIDED) all = CC_UNDECIDED;
    }
    return all;
}

static bool piecewise(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    for (size_t i = 0; i + 1 < x->n; i += 2) {
        cc_truth t = cc_x_enclose_truth(g, x->args[i + 1], env, prec);
        if (t == CC_TRUE) return enclose(g, out, x->args[i], env, prec);
        if (t == CC_UNDECIDED) return false;
    }
    return false;
}

// ---- bound variables ----

// env with one more value, which may hide another.
static cc_xenv bind(cc_alg *g, const cc_xenv *env, cc_xp v, acb_ptr *room) {
    size_t n = env ? env->n : 0;
    cc_xp *symbols = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    *room = _acb_vec_init((slong)n + 1);
    symbols[0] = v;
    for (size_t i = 0; i < n; i++) {
        symbols[i + 1] = env->symbols[i];
        acb_set(*room + i + 1, env->values + i);
    }
    return (cc_xenv){.symbols = symbols, .values = *room, .n = n + 1};
}

static bool integer_bound(cc_alg *g, cc_xp x, const cc_xenv *env, slong prec, slong *n) {
    if (cc_x_fits_si(x, n)) return *n > -(1L << 40) && *n < 1L << 40;
    arb_t t;
    fmpz_t k;
    arb_init(t);
    fmpz_init(k);
    bool ok = cc_x_enclose_real(g, t, x, env, prec) && arb_is_int(t) && arf_cmpabs_2exp_si(arb_midref(t), 40) < 0;
    if (ok) *n = arf_get_si(arb_midref(t), ARF_RND_DOWN);
    arb_clear(t);
    fmpz_clear(k);
    return ok;
}

// Sum and Product from a to b; b < a - 1 means the inverse of what lies between (Karr).
static bool accumulate(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    slong from, to;
    if (!integer_bound(g, x->args[2], env, prec, &from) || !integer_bound(g, x->args[3], env, prec, &to)) return false;
    bool product = x->fn == CC_F_PRODUCT, inverse = to < from - 1;
    if (inverse) {
        slong t = from - 1;
        from = to + 1;
        to = t;
    }
    if (to - from >= MAX_SUM) return false;
    acb_ptr room;
    acb_t acc, term;
    cc_xenv inner = bind(g, env, x->args[1], &room);
    acb_init(acc);
    acb_init(term);
    acb_set_si(acc, product);
    bool ok = true;
    for (slong k = from; k <= to && ok; k++) {
        acb_set_si(room, k);
        ok = !stopped(g) && enclose(g, term, x->args[0], &inner, prec);
        if (product)
            acb_mul(acc, acc, term, prec);
        else
            acb_add(acc, acc, term, prec);
    }
    if (inverse && product)
        acb_inv(acc, acc, prec);
    else if (inverse)
        acb_neg(acc, acc);
    acb_swap(out, acc);
    acb_clear(acc);
    acb_clear(term);
    _acb_vec_clear(room, (slong)inner.n);
    return ok && acb_is_finite(out);
}

static bool substituted(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    acb_ptr room;
    cc_xenv inner = bind(g, env, x->args[1], &room);
    bool ok = enclose(g, room, x->args[2], env, prec) && enclose(g, out, x->args[0], &inner, prec);
    _acb_vec_clear(room, (slong)inner.n);
    return ok;
}

// ---- functions ----

static const cc_xp *items(const cc_xp *x, size_t *n) {
    *n = 1;
    if ((*x)->kind != CC_X_LIST && (*x)->kind != CC_X_TUPLE) return x;
    *n = (*x)->n;
    return (*x)->args;
}

static bool hyper(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    size_t p, q;
    const cc_xp *a = items(&x->args[0], &p), *b = items(&x->args[1], &q);
    acb_ptr v = _acb_vec_init((slong)(p + q + 1));
    bool ok = enclose(g, v + p + q, x->args[2], env, prec);
    for (size_t i = 0; i < p && ok; i++) ok = enclose(g, v + i, a[i], env, prec);
    for (size_t i = 0; i < q && ok; i++) ok = enclose(g, v + p + i, b[i], env, prec);
    ok = ok && cc_x_enclose_hyper(out, v, p, v + p, q, v + p + q, prec);
    _acb_vec_clear(v, (slong)(p + q + 1));
    return ok;
}

// gamma, zeta of small rationals and logarithms of integers have faster series.
static bool at_number(acb_t out, cc_xp x, slong prec) {
    const fmpq *q = x->args[0]->num;
    bool whole = fmpz_is_one(fmpq_denref(q)), small = fmpz_cmpabs(fmpq_numref(q), (fmpz[]){10000}) < 0;
    if (x->fn == CC_F_GAMMA && small && fmpz_cmp_ui(fmpq_denref(q), 10000) < 0 && !(whole && fmpz_sgn(fmpq_numref(q)) <= 0))
        arb_gamma_fmpq(acb_realref(out), q, prec);
    else if (x->fn == CC_F_ZETA && small && whole && fmpz_cmp_ui(fmpq_numref(q), 1) > 0)
        arb_zeta_ui(acb_realref(out), fmpz_get_ui(fmpq_numref(q)), prec);
    else if (x->fn == CC_F_LOG && whole && small && fmpz_sgn(fmpq_numref(q)) > 0)
        arb_log_ui(acb_realref(out), fmpz_get_ui(fmpq_numref(q)), prec);
    else
        return false;
    arb_zero(acb_imagref(out));
    return acb_is_finite(out);
}

// floor and its like at a constant that is an integer exactly: no ball tells that.
static bool whole_constant(cc_alg *g, acb_t out, cc_xp x, const acb_t a) {
    if (!cc_x_is_constant(x) || !arb_contains_zero(acb_imagref(a))) return false;
    fmpz_t k;
    fmpz_init(k);
    bool ok = arf_cmpabs_2exp_si(arb_midref(acb_realref(a)), 10000) < 0 && cc_arb_unique_integer(k, acb_realref(a)) &&
              cc_x_constant_is_zero(g, cc_x_sub(g, x->args[0], cc_x_fmpz(g, k))) == CC_TRUE;
    if (ok && x->fn == CC_F_FRAC)
        acb_zero(out);
    else if (ok)
        acb_set_fmpz(out, k);
    fmpz_clear(k);
    return ok;
}

static bool plain_function(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    if (x->n == 1 && cc_x_is_num(x->args[0]) && at_number(out, x, prec)) return true;
    acb_ptr a = _acb_vec_init((slong)x->n);
    bool ok = true;
    const bool reals = x->fn == CC_F_MAX || x->fn == CC_F_MIN || x->fn == CC_F_MOD || x->fn == CC_F_HEAVISIDE;
    for (size_t i = 0; i < x->n && ok; i++)
        ok = reals ? cc_x_enclose_real(g, acb_realref(a + i), x->args[i], env, prec) : enclose(g, a + i, x->args[i], env, prec);
    if (ok && !cc_x_enclose_fun((cc_xfn)x->fn, out, a, x->n, prec)) {
        bool rounding = x->fn == CC_F_FLOOR || x->fn == CC_F_CEIL || x->fn == CC_F_FRAC;
        ok = rounding && prec >= 128 && whole_constant(g, out, x, a);
    }
    _acb_vec_clear(a, (slong)x->n);
    return ok;
}

static bool function(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    switch (x->fn) {
    case CC_F_PIECEWISE: return piecewise(g, out, x, env, prec);
    case CC_F_SUM:
    case CC_F_PRODUCT: return accumulate(g, out, x, env, prec);
    case CC_F_SUBS: return substituted(g, out, x, env, prec);
    case CC_F_CROOTOF: return cc_x_enclose_root(g, out, x, prec);
    case CC_F_HYPER: return hyper(g, out, x, env, prec);
    case CC_F_INTEGRAL:
    case CC_F_LIMIT:
    case CC_F_DERIVATIVE:
    case CC_F_ORDER:
    case CC_F_INTERVAL:
    case CC_F_APPLIED: return false;
    default: return plain_function(g, out, x, env, prec);
    }
}

// ---- the tree ----

static bool constant(acb_t out, cc_xconst k, slong prec) {
    acb_zero(out);
    switch (k) {
    case CC_K_PI: arb_const_pi(acb_realref(out), prec); return true;
    case CC_K_E: arb_const_e(acb_realref(out), prec); return true;
    case CC_K_I: acb_onei(out); return true;
    case CC_K_EULER_GAMMA: arb_const_euler(acb_realref(out), prec); return true;
    case CC_K_CATALAN: arb_const_catalan(acb_realref(out), prec); return true;
    case CC_K_GOLDEN:
        arb_sqrt_ui(acb_realref(out), 5, prec);
        arb_add_ui(acb_realref(out), acb_realref(out), 1, prec);
        arb_mul_2exp_si(acb_realref(out), acb_realref(out), -1);
        return true;
    default: return false;
    }
}

static bool symbol(acb_t out, cc_xp x, const cc_xenv *env) {
    for (size_t i = 0; env && i < env->n; i++)
        if (env->symbols[i] == x) {
            acb_set(out, env->values + i);
            return acb_is_finite(out);
        }
    return false;
}

static bool fold(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    acb_t acc, t;
    acb_init(acc);
    acb_init(t);
    acb_set_si(acc, x->kind == CC_X_MUL);
    bool ok = true;
    for (size_t i = 0; i < x->n && ok; i++) {
        ok = !stopped(g) && enclose(g, t, x->args[i], env, prec);
        if (x->kind == CC_X_MUL)
            acb_mul(acc, acc, t, prec);
        else
            acb_add(acc, acc, t, prec);
    }
    acb_swap(out, acc);
    acb_clear(acc);
    acb_clear(t);
    return ok && acb_is_finite(out);
}

// gamma(u)**-n and factorial(u)**-n, which are entire: 1/gamma at poles of gamma is 0.
static bool reciprocal_gamma(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    slong n;
    bool factorial = cc_x_is_fun(x->args[0], CC_F_FACTORIAL);
    if ((!factorial && !cc_x_is_fun(x->args[0], CC_F_GAMMA)) || !cc_x_fits_si(x->args[1], &n) || n >= 0 || n < -1000) return false;
    acb_t a;
    acb_init(a);
    bool ok = enclose(g, a, x->args[0]->args[0], env, prec);
    if (ok && factorial) acb_add_ui(a, a, 1, prec);
    if (ok) {
        acb_rgamma(out, a, prec);
        acb_pow_ui(out, out, (ulong)-n, prec);
        ok = acb_is_finite(out);
    }
    acb_clear(a);
    return ok;
}

static bool power(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    if (reciprocal_gamma(g, out, x, env, prec)) return true;
    acb_t a, b;
    acb_init(a);
    acb_init(b);
    bool ok = enclose(g, b, x->args[1], env, prec);
    if (ok && cc_x_is_const(x->args[0], CC_K_E)) {
        acb_exp(out, b, prec);
        ok = acb_is_finite(out);
    } else {
        ok = ok && enclose(g, a, x->args[0], env, prec) &&
             cc_x_enclose_power(out, a, b, cc_x_is_num(x->args[1]) ? x->args[1]->num : NULL, prec);
    }
    acb_clear(a);
    acb_clear(b);
    return ok;
}

static bool enclose(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: acb_set_fmpq(out, x->num, prec); return true;
    case CC_X_CONST: return constant(out, (cc_xconst)x->konst, prec);
    case CC_X_SYM: return symbol(out, x, env);
    case CC_X_ADD:
    case CC_X_MUL: return fold(g, out, x, env, prec);
    case CC_X_POW: return power(g, out, x, env, prec);
    case CC_X_FUN: return function(g, out, x, env, prec);
    default: return false;
    }
}

bool cc_x_enclose(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong prec) {
    if (!x || g->err->code || !enclose(g, out, x, env, prec)) {
        acb_indeterminate(out);
        return false;
    }
    return true;
}

bool cc_x_enclose_to(cc_alg *g, acb_t out, cc_xp x, const cc_xenv *env, slong bits) {
    if (!cc_x_is_constant(x) && (!env || !env->n)) return false; // no precision gives a symbol a value
    acb_t best;
    acb_init(best);
    bool any = false, enough = false;
    for (slong prec = bits + 32; !enough && prec <= 4 * bits + MAX_ENCLOSE_PREC / 16 && !stopped(g); prec *= 2) {
        if (!cc_x_enclose(g, out, x, env, prec)) continue;
        if (!any || acb_rel_accuracy_bits(out) > acb_rel_accuracy_bits(best)) acb_set(best, out);
        any = true;
        mag_t m;
        mag_init(m);
        acb_get_mag(m, out);
        enough = acb_rel_accuracy_bits(out) >= bits || mag_cmp_2exp_si(m, -2 * bits - 64) < 0;
        mag_clear(m);
    }
    if (enough) acb_set(best, out);
    acb_swap(out, best);
    acb_clear(best);
    return any && enough;
}
