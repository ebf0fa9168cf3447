// The one zero test. Called by everything that divides, compares leading terms or checks a result. TRUE comes from normal forms and exact
// arithmetic alone, FALSE from an enclosure away from zero at a point where the assumptions hold; what neither reaches is UNDECIDED.
#include "math/simplify/forms.h"
#include "math/simplify/ratio.h"

#define FIRST_POINTS 3
#define MORE_POINTS  12

// ---- points ----

// A number that is the same in every run: the k-th value of symbol i, in (0, 1), with few bits.
static double draw(size_t i, unsigned k) {
    uint64_t h = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + (k + 1) * UINT64_C(0xd1b54a32d192ed03);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    h ^= h >> 32;
    return ((double)(h >> 44) + 0.5) / (double)(1 << 20);
}

// A value that s may have. Every other point is real, since some functions are known on the real line only.
static void choose(acb_t out, cc_xp s, size_t i, unsigned k) {
    double u = draw(i, 2 * k), v = draw(i, 2 * k + 1);
    double x = (k & 2) ? 4 * u - 2 : (k & 4) ? 12 * u - 4 : 2 * u - 0.5;
    unsigned facts = s->facts;
    bool integer = facts & (CC_IS_INTEGER | CC_IS_EVEN | CC_IS_ODD);
    if (integer) {
        slong n = (slong)(u * (double)(6 + 4 * k)) + 1;
        if (facts & CC_IS_EVEN) n = 2 * n;
        if (facts & CC_IS_ODD) n = 2 * n + 1;
        if (!(facts & (CC_IS_POSITIVE | CC_IS_NONNEGATIVE)) && ((facts & (CC_IS_NEGATIVE | CC_IS_NONPOSITIVE)) || v < 0.3)) n = -n;
        acb_set_si(out, n);
        return;
    }
    if (facts & (CC_IS_POSITIVE | CC_IS_NONNEGATIVE))
        x = (k & 4) ? 9 * u + 0.01 : 2 * u + 0.01;
    else if (facts & (CC_IS_NEGATIVE | CC_IS_NONPOSITIVE))
        x = -2 * u - 0.01;
    bool real = facts & (CC_IS_REAL | CC_IS_RATIONAL | CC_IS_POSITIVE | CC_IS_NEGATIVE | CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE);
    acb_zero(out);
    arb_set_d(acb_realref(out), x);
    if (!real && (k & 1)) arb_set_d(acb_imagref(out), 3 * v - 1.5);
}

typedef struct point {
    const cc_xp *symbols;
    acb_ptr values;
    size_t n;
} point;

static point point_make(cc_alg *g, cc_xp x) {
    point p = {0};
    p.symbols = cc_x_symbols(g, x, &p.n);
    p.values = _acb_vec_init((slong)p.n);
    return p;
}

static void point_clear(point *p) { _acb_vec_clear(p->values, (slong)p->n); }

// The value of x at the k-th point.
static bool enclose_at(cc_alg *g, acb_t out, cc_xp x, point *p, unsigned k, slong prec) {
    for (size_t i = 0; i < p->n; i++) choose(p->values + i, p->symbols[i], i, k);
    cc_xenv env = {p->symbols, p->values, p->n};
    return cc_x_enclose(g, out, x, &env, prec);
}

// x is away from zero at one of the points from..to.
static bool has_witness(cc_alg *g, cc_xp x, unsigned from, unsigned to, slong prec) {
    point p = point_make(g, x);
    acb_t v;
    acb_init(v);
    bool found = false;
    for (unsigned k = from; k < to && !found && cc_alg_go_on(g); k++)
        found = enclose_at(g, v, x, &p, k, prec) && acb_is_finite(v) && !acb_contains_zero(v);
    acb_clear(v);
    point_clear(&p);
    return found;
}

// ---- the test ----

static bool form_is_zero(cc_alg *g, cc_xp x, unsigned form) {
    cc_xratio r;
    if (!cc_ratio_make(g, &r, x, form)) return false;
    bool zero = fmpz_mpoly_q_is_zero(r.q, r.ctx);
    cc_xratio_clear(&r);
    return zero;
}

static bool is_inverse(cc_xp x) {
    return x->kind == CC_X_FUN && ((x->fn >= CC_F_ASIN && x->fn <= CC_F_ACSC) || (x->fn >= CC_F_ASINH && x->fn <= CC_F_ACSCH));
}

static cc_truth decide(cc_alg *g, cc_xp x) {
    if (cc_x_is_fun(x, CC_F_PIECEWISE)) { // each branch where its condition holds
        bool all = true;
        for (uint32_t i = 0; i < x->n && all; i += 2) all = cc_x_is_zero(g, x->args[i]) == CC_TRUE;
        if (all) return CC_TRUE;
    }
    if (cc_x_is_constant(x)) {
        cc_truth t = cc_x_constant_is_zero(g, x);
        if (t != CC_UNDECIDED) return t;
    } else if (has_witness(g, x, 0, FIRST_POINTS, 64)) {
        return CC_FALSE;
    }
    if (g->err->code != CC_OK) return CC_UNDECIDED;
    if (form_is_zero(g, x, 0) || form_is_zero(g, x, CC_FORM_ZERO)) return CC_TRUE;
    const cc_xp others[] = {cc_x_complements(g, x, false), cc_x_has_any(x, is_inverse) ? cc_x_rewrite(g, x, CC_REWRITE_LOG) : x};
    for (size_t i = 0; i < CC_ARRAY_LEN(others); i++)
        if (others[i] && others[i] != x && others[i]->finite && form_is_zero(g, others[i], CC_FORM_ZERO)) return CC_TRUE;
    if (g->err->code == CC_OK && !cc_x_is_constant(x) && cc_alg_may_search(g)) {
        if (has_witness(g, x, 0, MORE_POINTS, 128) || has_witness(g, x, 0, FIRST_POINTS, 1024)) return CC_FALSE;
    }
    return CC_UNDECIDED;
}

cc_truth cc_x_is_zero(cc_alg *g, cc_xp x) {
    if (!x || g->err->code != CC_OK) return CC_UNDECIDED;
    if (cc_x_is_num(x)) return fmpq_is_zero(x->num) ? CC_TRUE : CC_FALSE;
    if (x->kind == CC_X_SYM && !(x->facts & (CC_IS_NONZERO | CC_IS_POSITIVE | CC_IS_NEGATIVE))) return CC_FALSE;
    if (!x->finite || x->kind == CC_X_REL || x->kind >= CC_X_AND) {
        if (x->kind != CC_X_FUN) return CC_UNDECIDED;
    }
    cc_xp known;
    if (cc_x_memo_find(g, CC_MEMO_ZERO, x, NULL, &known))
        return !known ? CC_UNDECIDED : cc_x_is_const(known, CC_K_TRUE) ? CC_TRUE : CC_FALSE;
    if (g->depth_guard > 30) return CC_UNDECIDED;
    g->depth_guard++;
    cc_truth t = decide(g, x);
    g->depth_guard--;
    if (g->err->code != CC_OK) return CC_UNDECIDED;
    cc_x_memo_put(g, CC_MEMO_ZERO, x, NULL, t == CC_UNDECIDED ? NULL : cc_x_const(g, t == CC_TRUE ? CC_K_TRUE : CC_K_FALSE));
    return t;
}

cc_truth cc_x_is_zero_probably(cc_alg *g, cc_xp x, unsigned points, bool *proven) {
    *proven = true;
    cc_truth t = cc_x_is_zero(g, x);
    if (t != CC_UNDECIDED || !x || g->err->code != CC_OK) return t;
    point p = point_make(g, x);
    acb_t v;
    acb_init(v);
    unsigned seen = 0;
    for (unsigned k = 0; k < 5 * points && seen < points && cc_alg_go_on(g); k++) {
        bool inside = false;
        for (slong prec = 192; prec <= 1536 && !inside; prec *= 2) {
            if (!enclose_at(g, v, x, &p, k, prec) || !acb_is_finite(v)) break;
            if (!acb_contains_zero(v)) {
                t = CC_FALSE;
                break;
            }
            inside = mag_cmp_2exp_si(arb_radref(acb_realref(v)), -100) < 0 && mag_cmp_2exp_si(arb_radref(acb_imagref(v)), -100) < 0;
        }
        if (t == CC_FALSE) break;
        seen += inside;
        if (p.n == 0) { // a constant has one point
            seen = inside ? points : 0;
            break;
        }
    }
    if (t == CC_UNDECIDED && seen >= points && points > 0) {
        t = CC_TRUE;
        *proven = false;
    }
    acb_clear(v);
    point_clear(&p);
    return t;
}
