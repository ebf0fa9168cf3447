// Inequalities in one real variable: the points where a side changes its sign or its nature cut the line into intervals; each interval and
// each point is tried. That is exact because the points are exact and all of them are known; where they are not, nothing is found. Called
// by the operations.
#include "math/solve/solve.h"

#define MOST_POINTS 200
#define MOST_PERIOD 64 // members of a periodic family inside given bounds

typedef struct cuts {
    cc_alg *g;
    cc_xp v, at[MOST_POINTS];
    size_t n;
    cc_xp low, high; // bounds that the condition itself names: families are counted between them
    bool failed;
} cuts;

static void add_point(cuts *s, cc_xp x) {
    cc_alg *g = s->g;
    if (cc_x_is(g, x, CC_IS_REAL) == CC_FALSE) return;
    if (cc_x_is(g, x, CC_IS_REAL) != CC_TRUE || !cc_x_is_constant(x) || s->n == MOST_POINTS) {
        s->failed = true;
        return;
    }
    size_t i = 0;
    for (; i < s->n; i++) {
        int c = cc_x_constant_compare(g, x, s->at[i]);
        if (c == 0) return;
        if (c == 2) {
            s->failed = true;
            return;
        }
        if (c < 0) break;
    }
    memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof *s->at);
    s->at[i] = x;
    s->n++;
}

// All members of a periodic family between the bounds.
static void add_family(cuts *s, cc_xp x) {
    cc_alg *g = s->g;
    cc_xp n = cc_roots_integer(g);
    if (!s->low || !s->high) {
        s->failed = true;
        return;
    }
    for (slong k = -MOST_PERIOD; k <= MOST_PERIOD && !s->failed; k++) {
        cc_xp member = cc_x_subs(g, x, n, cc_x_int(g, k));
        if (cc_x_is(g, member, CC_IS_REAL) == CC_FALSE) return;
        int below = cc_x_constant_compare(g, member, s->low), above = cc_x_constant_compare(g, member, s->high);
        if (below == 2 || above == 2) s->failed = true;
        if (below >= 0 && above <= 0) {
            if (k == -MOST_PERIOD || k == MOST_PERIOD) s->failed = true; // there may be more
            add_point(s, member);
        }
    }
}

// The real zeros of f cut the line.
static void cut_at_zeros(cuts *s, cc_xp f) {
    cc_alg *g = s->g;
    cc_xsolutions z;
    if (!f || s->failed || !cc_x_has(f, s->v)) return;
    if (cc_x_solve(g, cc_x_rel(g, CC_REL_EQ, f, g->zero), s->v, &z) || z.kind == CC_SOLVED_UNKNOWN || z.kind == CC_SOLVED_SET ||
        (!z.complete && z.kind != CC_SOLVED_ALL)) {
        s->failed = true;
        return;
    }
    for (size_t i = 0; i < z.n && !s->failed; i++) {
        if (cc_x_has(z.roots[i], cc_roots_integer(g)))
            add_family(s, z.roots[i]);
        else
            add_point(s, z.roots[i]);
    }
}

// Where subexpressions change their nature: poles, and the ends of domains.
static void cut_inside(cuts *s, cc_xp f) {
    cc_alg *g = s->g;
    if (!f || s->failed || !cc_x_has(f, s->v)) return;
    for (size_t i = 0; i < f->n; i++) cut_inside(s, f->args[i]);
    if (f->kind == CC_X_POW) {
        if (cc_x_has(f->args[1], s->v) && !cc_x_is_constant(f->args[0])) cut_at_zeros(s, f->args[0]);
        if (cc_x_is_num(f->args[1]) && (!cc_x_is_int(f->args[1]) || cc_x_num_sign(f->args[1]) < 0)) cut_at_zeros(s, f->args[0]);
        return;
    }
    if (f->kind != CC_X_FUN) return;
    switch (f->fn) {
    case CC_F_EXP:
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_ATAN:
    case CC_F_ASINH:
    case CC_F_ERF: return;
    case CC_F_LOG:
    case CC_F_ABS:
    case CC_F_SIGN: cut_at_zeros(s, f->args[0]); return;
    case CC_F_TAN:
    case CC_F_SEC: cut_at_zeros(s, cc_x_f1(g, CC_F_COS, f->args[0])); return;
    case CC_F_COT:
    case CC_F_CSC: cut_at_zeros(s, cc_x_f1(g, CC_F_SIN, f->args[0])); return;
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ATANH:
        cut_at_zeros(s, cc_x_sub(g, f->args[0], g->one));
        cut_at_zeros(s, cc_x_add(g, f->args[0], g->one));
        return;
    default: s->failed = true; return;
    }
}

static void cut(cuts *s, cc_xp condition) {
    if (condition->kind == CC_X_AND || condition->kind == CC_X_OR || condition->kind == CC_X_NOT) {
        for (size_t i = 0; i < condition->n; i++) cut(s, condition->args[i]);
        return;
    }
    if (condition->kind != CC_X_REL) {
        s->failed = s->failed || cc_x_has(condition, s->v);
        return;
    }
    cc_xp f = cc_x_sub(s->g, condition->args[0], condition->args[1]);
    cut_at_zeros(s, f);
    cut_inside(s, f);
}

// Bounds that are conditions on v itself: "0 <= v and v < 2*pi".
static void find_bounds(cuts *s, cc_xp condition) {
    if (condition->kind == CC_X_AND)
        for (size_t i = 0; i < condition->n; i++) find_bounds(s, condition->args[i]);
    if (condition->kind != CC_X_REL || (condition->konst != CC_REL_LT && condition->konst != CC_REL_LE)) return;
    if (condition->args[0] == s->v && cc_x_is_constant(condition->args[1])) s->high = condition->args[1];
    if (condition->args[1] == s->v && cc_x_is_constant(condition->args[0])) s->low = condition->args[0];
}

// Whether it holds at a real point. Where a side has no real value, it does not.
static cc_truth holds_at(cc_alg *g, cc_xp condition, cc_xp v, cc_xp point) {
    if (condition == g->yes) return CC_TRUE;
    if (condition == g->no) return CC_FALSE;
    if (condition->kind == CC_X_AND || condition->kind == CC_X_OR) {
        cc_truth stop = condition->kind == CC_X_AND ? CC_FALSE : CC_TRUE, out = stop == CC_TRUE ? CC_FALSE : CC_TRUE;
        for (size_t i = 0; i < condition->n; i++) {
            cc_truth t = holds_at(g, condition->args[i], v, point);
            if (t == stop) return stop;
            if (t == CC_UNDECIDED) out = CC_UNDECIDED;
        }
        return out;
    }
    if (condition->kind == CC_X_NOT) {
        cc_truth t = holds_at(g, condition->args[0], v, point);
        return t == CC_UNDECIDED ? t : t == CC_TRUE ? CC_FALSE : CC_TRUE;
    }
    if (condition->kind != CC_X_REL) return CC_UNDECIDED;
    cc_xp a = cc_x_subs(g, condition->args[0], v, point), b = cc_x_subs(g, condition->args[1], v, point);
    if (!a || !b) return CC_UNDECIDED;
    if (!a->finite || !b->finite) return CC_FALSE;
    cc_truth real_a = cc_x_is(g, a, CC_IS_REAL), real_b = cc_x_is(g, b, CC_IS_REAL);
    if (real_a == CC_FALSE || real_b == CC_FALSE) return condition->konst == CC_REL_NE ? CC_TRUE : CC_FALSE;
    if (real_a != CC_TRUE || real_b != CC_TRUE) return CC_UNDECIDED;
    int c = cc_x_constant_compare(g, a, b);
    if (c == 2) return CC_UNDECIDED;
    switch ((cc_xrel)condition->konst) {
    case CC_REL_EQ: return c == 0 ? CC_TRUE : CC_FALSE;
    case CC_REL_NE: return c != 0 ? CC_TRUE : CC_FALSE;
    case CC_REL_LT: return c < 0 ? CC_TRUE : CC_FALSE;
    case CC_REL_LE: return c <= 0 ? CC_TRUE : CC_FALSE;
    }
    return CC_UNDECIDED;
}

// A rational strictly between two constants; the outer ones one further.
static cc_xp between(cc_alg *g, cc_xp a, cc_xp b) {
    if (!a && !b) return g->zero;
    acb_t x, y;
    acb_init(x), acb_init(y);
    cc_xp out = NULL;
    if ((!a || cc_x_enclose_to(g, x, a, NULL, 128)) && (!b || cc_x_enclose_to(g, y, b, NULL, 128))) {
        arb_t m;
        arb_init(m);
        if (!a)
            arb_sub_ui(m, acb_realref(y), 1, 128);
        else if (!b)
            arb_add_ui(m, acb_realref(x), 1, 128);
        else
            arb_add(m, acb_realref(x), acb_realref(y), 128), arb_mul_2exp_si(m, m, -1);
        fmpq_t q;
        fmpq_init(q);
        arf_get_fmpq(q, arb_midref(m));
        out = cc_x_num(g, q);
        fmpq_clear(q);
        arb_clear(m);
    }
    acb_clear(x), acb_clear(y);
    bool inside = out && (!a || cc_x_constant_compare(g, a, out) == -1) && (!b || cc_x_constant_compare(g, out, b) == -1);
    return inside ? out : NULL;
}

// With other symbols: relations that are linear in v, whose factor has a known sign.
static cc_xp linear(cc_alg *g, cc_xp condition, cc_xp v) {
    const cc_xp *c;
    slong degree;
    if (condition->kind == CC_X_AND || condition->kind == CC_X_OR) {
        cc_xp out = condition->kind == CC_X_AND ? g->yes : g->no;
        for (size_t i = 0; out && i < condition->n; i++) {
            cc_xp part = linear(g, condition->args[i], v);
            out = !part ? NULL : condition->kind == CC_X_AND ? cc_x_and(g, out, part) : cc_x_or(g, out, part);
        }
        return out;
    }
    if (condition->kind != CC_X_REL) return NULL;
    cc_xp f = cc_x_expand(g, cc_x_sub(g, condition->args[0], condition->args[1]));
    if (!f || !cc_x_poly_coefficients(g, f, v, 1, &c, &degree) || degree != 1) return NULL;
    int sign = cc_x_sign(g, c[1]);
    if (sign != 1 && sign != -1) return NULL;
    cc_xp end = cc_x_together(g, cc_x_neg(g, cc_x_div(g, c[0], c[1])));
    return sign == 1 ? cc_x_rel(g, (cc_xrel)condition->konst, v, end) : cc_x_rel(g, (cc_xrel)condition->konst, end, v);
}

// Whether f depends on v by sines, cosines, tangents … of q*v + c with rational q alone; *p and *r get the divisor of all numerators and
// the multiple of all denominators of the q.
static bool by_waves(cc_alg *g, cc_xp f, cc_xp v, fmpz_t p, fmpz_t r) {
    if (!cc_x_has(f, v)) return true;
    if (f == v) return false;
    if (f->kind == CC_X_FUN && f->fn >= CC_F_SIN && f->fn <= CC_F_CSC) {
        const cc_xp *c;
        slong degree;
        if (!cc_x_poly_coefficients(g, f->args[0], v, 1, &c, &degree) || degree != 1 || !cc_x_is_num(c[1])) return false;
        fmpz_gcd(p, p, fmpq_numref(c[1]->num));
        fmpz_lcm(r, r, fmpq_denref(c[1]->num));
        return true;
    }
    for (size_t i = 0; i < f->n; i++)
        if (!by_waves(g, f->args[i], v, p, r)) return false;
    return true;
}

cc_xp cc_solve_period(cc_alg *g, cc_xp condition, cc_xp v) {
    fmpz_t p, r;
    fmpz_init(p), fmpz_init_set_ui(r, 1);
    cc_xp out = NULL;
    if (condition && cc_x_has(condition, v) && by_waves(g, condition, v, p, r) && !fmpz_is_zero(p))
        out = cc_x_mul(g, cc_x_div(g, cc_x_mul(g, g->two, cc_x_fmpz(g, r)), cc_x_fmpz(g, p)), g->pi);
    fmpz_clear(p), fmpz_clear(r);
    return out;
}

cc_xp cc_solve_inequality(cc_alg *g, cc_xp condition, cc_xp v) {
    size_t n;
    if (!condition || !v) return NULL;
    const cc_xp *symbols = cc_x_symbols(g, condition, &n);
    if (n == 0) return condition == g->yes || condition == g->no ? condition : NULL;
    if (n != 1 || symbols[0] != v) return linear(g, condition, v);
    cc_xp t = cc_x_dummy(g, "x", CC_IS_REAL);
    condition = cc_x_subs(g, condition, v, t);
    if (!condition || condition == g->yes || condition == g->no) return condition;
    cuts s = {.g = g, .v = t};
    find_bounds(&s, condition);
    cut(&s, condition);
    if (s.failed || g->err->code) return NULL;
    if (s.low) add_point(&s, s.low);
    if (s.high) add_point(&s, s.high);
    cc_xp out = g->no;
    // intervals and points from left to right; what holds without a gap becomes one interval
    cc_xp begin = NULL;
    bool open = false, inside = false, begin_closed = false;
    for (size_t i = 0; i <= 2 * s.n; i++) {
        bool point = i % 2 == 1;
        cc_xp left = i >= 2 ? s.at[i / 2 - 1] : NULL, right = i / 2 < s.n ? s.at[i / 2] : NULL;
        if (point) left = s.at[i / 2];
        cc_xp sample = point ? left : between(g, left, right);
        cc_truth holds = sample ? holds_at(g, condition, t, sample) : CC_UNDECIDED;
        if (holds == CC_UNDECIDED) return NULL;
        if (holds == CC_TRUE && !inside) {
            inside = true, begin = left, begin_closed = point, open = !left;
        } else if (holds == CC_FALSE && inside) {
            // ended: at a point that does not belong to it, or just after one that does
            cc_xp end = left;
            bool end_closed = !point;
            cc_xp part;
            if (begin == end && begin_closed && end_closed) {
                part = cc_x_rel(g, CC_REL_EQ, v, end);
            } else {
                part = cc_x_rel(g, end_closed ? CC_REL_LE : CC_REL_LT, v, end);
                if (!open) part = cc_x_and(g, cc_x_rel(g, begin_closed ? CC_REL_LE : CC_REL_LT, begin, v), part);
            }
            out = cc_x_or(g, out, part);
            inside = false;
        }
    }
    if (inside) out = open ? g->yes : cc_x_or(g, out, cc_x_rel(g, begin_closed ? CC_REL_LE : CC_REL_LT, begin, v));
    return out;
}
