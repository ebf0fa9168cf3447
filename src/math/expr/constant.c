// Deciding about constants: is it zero, which of two is larger, and a simpler form. Called by the zero test, limits, and whoever must know.
// In this order: enclosures (they prove that a number is not zero), remainders (polynomials in one root of another), separation bounds
// (algebraic numbers), Calcium by way of the calculator. Effort is bounded and results are remembered by pointer; what none of them settles
// is undecided.
#include "math/expr/bridge.h"
#include "math/expr/enclose.h"
#include "math/expr/intern.h"

enum {
    MEMO_ZERO = 101, // see cc_x_memo_put
    MEMO_SIMPLE = 102,
    FIRST_PREC = 64,
    EASY_PREC = 1024,    // of the enclosures before exact work
    LAST_PREC = 1 << 14, // and after it
};

// Not zero by an enclosure at `from` … `to` bits, or zero where the ball is exactly that.
static cc_truth by_enclosure(cc_alg *g, cc_xp x, slong from, slong to) {
    acb_t v;
    acb_init(v);
    cc_truth t = CC_UNDECIDED;
    for (slong prec = from; prec <= to && t == CC_UNDECIDED && cc_alg_go_on(g); prec *= 4)
        if (cc_x_enclose(g, v, x, NULL, prec)) t = acb_is_zero(v) ? CC_TRUE : acb_contains_zero(v) ? CC_UNDECIDED : CC_FALSE;
    acb_clear(v);
    return t;
}

static cc_truth by_calcium(cc_alg *g, cc_xp x) {
    cc_x_bridge b;
    cc_val v;
    int re = 2, im = 0;
    cc_x_bridge_init(&b, g);
    if (cc_x_to_val(&b, x, &v)) {
        if (cc_real_try_sign(&b.calc.r, v.re, &re)) re = 2;
        if (v.im && cc_real_try_sign(&b.calc.r, v.im, &im)) im = 2;
    }
    cc_x_bridge_clear(&b);
    if (re == 1 || re == -1 || im == 1 || im == -1) return CC_FALSE;
    return re == 0 && im == 0 ? CC_TRUE : CC_UNDECIDED;
}

static cc_truth decide(cc_alg *g, cc_xp x) {
    cc_truth t = by_enclosure(g, x, FIRST_PREC, FIRST_PREC);
    if (t == CC_UNDECIDED) t = cc_x_root_is_zero(g, x);
    if (t == CC_UNDECIDED) t = by_enclosure(g, x, 4 * FIRST_PREC, EASY_PREC);
    if (t == CC_UNDECIDED) t = cc_x_algebraic_is_zero(g, x);
    if (t == CC_UNDECIDED) t = by_calcium(g, x);
    if (t == CC_UNDECIDED) t = by_enclosure(g, x, 4 * EASY_PREC, LAST_PREC);
    return t;
}

cc_truth cc_x_constant_is_zero(cc_alg *g, cc_xp x) {
    if (!x || g->err->code) return CC_UNDECIDED;
    if (x->kind == CC_X_NUM) return fmpq_is_zero(x->num) ? CC_TRUE : CC_FALSE;
    if (x == g->oo || x == g->neg_oo || x == g->zoo) return CC_FALSE;
    if (!x->finite || !cc_x_is_constant(x)) return CC_UNDECIDED;
    cc_xp known;
    if (cc_x_memo_find(g, MEMO_ZERO, x, NULL, &known)) return known == g->yes ? CC_TRUE : known == g->no ? CC_FALSE : CC_UNDECIDED;
    cc_truth t = decide(g, x);
    if (!g->err->code) cc_x_memo_put(g, MEMO_ZERO, x, NULL, t == CC_TRUE ? g->yes : t == CC_FALSE ? g->no : g->nan);
    return t;
}

// The sign of a real constant by enclosures; 2 = not found.
static int sign_by_enclosure(cc_alg *g, cc_xp x, slong from, slong to) {
    arb_t v;
    arb_init(v);
    int sign = 2;
    for (slong prec = from; prec <= to && sign == 2 && cc_alg_go_on(g); prec *= 4)
        if (cc_x_enclose_real(g, v, x, NULL, prec)) sign = arb_is_positive(v) ? 1 : arb_is_negative(v) ? -1 : arb_is_zero(v) ? 0 : 2;
    arb_clear(v);
    return sign;
}

static int real_sign(cc_alg *g, cc_xp d) {
    int sign = sign_by_enclosure(g, d, FIRST_PREC, EASY_PREC);
    if (sign != 2) return sign;
    if (cc_x_constant_is_zero(g, d) == CC_TRUE) return 0;
    sign = sign_by_enclosure(g, d, 4 * EASY_PREC, LAST_PREC);
    if (sign != 2 || cc_x_is(g, d, CC_IS_REAL) != CC_UNDECIDED) return sign;
    // Perhaps it is real, but was computed by way of complex numbers.
    cc_xp im = cc_x_f1(g, CC_F_IM, d);
    return cc_x_constant_is_zero(g, im) == CC_TRUE ? sign_by_enclosure(g, cc_x_f1(g, CC_F_RE, d), FIRST_PREC, LAST_PREC) : 2;
}

int cc_x_constant_compare(cc_alg *g, cc_xp a, cc_xp b) {
    if (!a || !b || g->err->code) return 2;
    if (a->kind == CC_X_NUM && b->kind == CC_X_NUM) {
        int c = fmpq_cmp(a->num, b->num);
        return (c > 0) - (c < 0);
    }
    int ia = a == g->oo ? 1 : a == g->neg_oo ? -1 : 0, ib = b == g->oo ? 1 : b == g->neg_oo ? -1 : 0;
    if (ia || ib) {
        if (ia && ib) return (ia > ib) - (ia < ib);
        return cc_x_is(g, ia ? b : a, CC_IS_REAL) == CC_TRUE ? ia - ib : 2;
    }
    if (!a->finite || !b->finite || !cc_x_is_constant(a) || !cc_x_is_constant(b)) return 2;
    cc_xp d = cc_x_sub(g, a, b);
    if (!d) return 2;
    return d->kind == CC_X_NUM ? cc_x_num_sign(d) : real_sign(g, d);
}

// ---- simpler forms ----

static bool overlap(cc_alg *g, cc_xp a, cc_xp b) {
    acb_t u, v;
    acb_init(u);
    acb_init(v);
    bool ok = cc_x_enclose(g, u, a, NULL, 256) && cc_x_enclose(g, v, b, NULL, 256) && acb_overlaps(u, v);
    acb_clear(u);
    acb_clear(v);
    return ok;
}

// The form that Calcium gives a part of a number; the part itself when there is none.
static cc_real *simpler(cc_x_bridge *b, cc_real *x) {
    cc_real_find_rat(&b->calc.r, x);
    cc_real *y = cc_real_simplify(&b->calc.r, x);
    return y ? y : x;
}

// How long a constant is to read: a function weighs more than a root, that more than arithmetic.
static unsigned weight(cc_xp x) {
    unsigned w = cc_x_is_fun(x, CC_F_CROOTOF) ? 20 : x->kind == CC_X_FUN ? 4 : x->kind == CC_X_POW && !cc_x_is_int(x->args[1]) ? 2 : 1;
    for (uint32_t i = 0; i < x->n && w < 10000; i++) w += weight(x->args[i]);
    return w;
}

static cc_xp shorter(cc_alg *g, cc_xp x, cc_xp candidate) {
    return candidate && candidate->size < 1000 && weight(candidate) < weight(x) && overlap(g, x, candidate) ? candidate : x;
}

static cc_xp simplify(cc_alg *g, cc_xp x) {
    cc_x_bridge b;
    cc_val v;
    cc_xp best = x;
    cc_x_bridge_init(&b, g);
    if (cc_x_to_val(&b, x, &v) && !cc_val_settle(&b.calc, &v)) {
        best = shorter(g, best, cc_x_from_val(g, &v));
        v.re = simpler(&b, v.re);
        if (v.im) v.im = simpler(&b, v.im);
        best = shorter(g, best, cc_x_from_val(g, &v));
    }
    cc_x_bridge_clear(&b);
    return best;
}

cc_xp cc_x_constant_simplify(cc_alg *g, cc_xp x) {
    if (!x || g->err->code) return NULL;
    if (x->kind == CC_X_NUM || x->kind == CC_X_CONST || !x->finite || !cc_x_is_constant(x)) return x;
    cc_xp y;
    if (cc_x_memo_find(g, MEMO_SIMPLE, x, NULL, &y)) return y;
    y = cc_x_constant_is_zero(g, x) == CC_TRUE ? g->zero : simplify(g, x);
    if (g->err->code) return NULL;
    cc_x_memo_put(g, MEMO_SIMPLE, x, NULL, y);
    return y;
}
