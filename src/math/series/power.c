// Arithmetic of truncated generalized power series. Every operation keeps track of what is missing, so that a term that is shown is right.
// Called by the other files of this folder. Owns nothing: all lives in the arena of the call.
#include "math/series/series.h"
#include "math/simplify/simplify.h"

int cc_ps_compare(const cc_ps_context *s, cc_xp a, cc_xp b) {
    if (a == b) return 0;
    if (cc_x_is_num(a) && cc_x_is_num(b)) {
        int c = fmpq_cmp(a->num, b->num);
        return c < 0 ? -1 : 1;
    }
    bool constant = cc_x_is_constant(a) && cc_x_is_constant(b);
    int c = constant ? cc_x_constant_compare(s->g, a, b) : cc_x_sign(s->g, cc_x_expand(s->g, cc_x_sub(s->g, a, b)));
    if (c == 2) *s->unsure = true;
    return c;
}

static int sign_of(const cc_ps_context *s, cc_xp e) { return cc_ps_compare(s, e, s->g->zero); }

static cc_ps empty(const cc_ps_context *s, size_t room, cc_xp order) {
    return (cc_ps){CC_ARENA_ARRAY(s->g->arena, cc_xp, room + 1), CC_ARENA_ARRAY(s->g->arena, cc_xp, room + 1), 0, order};
}

static void put(cc_ps *a, cc_xp c, cc_xp e) {
    a->c[a->n] = c;
    a->e[a->n++] = e;
}

// The smaller of two orders, NULL being infinite.
static cc_xp least(const cc_ps_context *s, cc_xp a, cc_xp b) {
    if (!a || !b) return a ? a : b;
    return cc_ps_compare(s, a, b) <= 0 ? a : b;
}

// Keeps s->keep terms and none at or past the order.
static void trim(const cc_ps_context *s, cc_ps *a) {
    while (a->order && a->n && cc_ps_compare(s, a->e[a->n - 1], a->order) >= 0) a->n--;
    if (a->n > s->keep) {
        a->order = a->e[s->keep];
        a->n = s->keep;
    }
}

cc_ps cc_ps_term(const cc_ps_context *s, cc_xp c, cc_xp e) {
    cc_ps out = empty(s, 1, NULL);
    if (c != s->g->zero) put(&out, c, e);
    return out;
}

cc_ps cc_ps_constant(const cc_ps_context *s, cc_xp c) { return cc_ps_term(s, c, s->g->zero); }

cc_ps cc_ps_add(const cc_ps_context *s, const cc_ps *a, const cc_ps *b) {
    cc_ps out = empty(s, a->n + b->n, least(s, a->order, b->order));
    for (size_t i = 0, j = 0; i < a->n || j < b->n;) {
        int c = i == a->n ? 1 : j == b->n ? -1 : cc_ps_compare(s, a->e[i], b->e[j]);
        if (c < 0) {
            put(&out, a->c[i], a->e[i]), i++;
        } else if (c > 0) {
            put(&out, b->c[j], b->e[j]), j++;
        } else {
            cc_xp sum = cc_x_add(s->g, a->c[i], b->c[j]);
            if (sum != s->g->zero) put(&out, sum, a->e[i]);
            i++, j++;
        }
    }
    trim(s, &out);
    return out;
}

cc_ps cc_ps_scale(const cc_ps_context *s, const cc_ps *a, cc_xp c, cc_xp shift) {
    cc_ps out = empty(s, a->n, a->order ? cc_x_add(s->g, a->order, shift) : NULL);
    if (c == s->g->zero) return cc_ps_constant(s, c);
    for (size_t i = 0; i < a->n; i++) put(&out, cc_x_mul(s->g, c, a->c[i]), cc_x_add(s->g, a->e[i], shift));
    return out;
}

// The exponent that nothing of a is below.
static cc_xp valuation(const cc_ps *a) { return a->n ? a->e[0] : a->order; }

// Products of sums pile up, though they have few different terms: those that have grown are multiplied out where that is shorter.
static void flatten(cc_alg *g, cc_ps *a) {
    enum { GROWN = 60 };
    for (size_t i = 0; i < a->n; i++) {
        if (!a->c[i] || a->c[i]->size < GROWN) continue;
        cc_xp flat = cc_x_expand(g, a->c[i]);
        if (flat && flat->size < a->c[i]->size) a->c[i] = flat;
        if (!flat && g->err->code == CC_RESOURCE_EXHAUSTED) *g->err = (cc_error){0}; // it stays as it is
    }
}

cc_ps cc_ps_mul(const cc_ps_context *s, const cc_ps *a, const cc_ps *b) {
    cc_xp order = NULL, va = valuation(a), vb = valuation(b);
    if (a->order && vb) order = cc_x_add(s->g, a->order, vb);
    if (b->order && va) order = least(s, order, cc_x_add(s->g, b->order, va));
    cc_ps out = empty(s, 0, order);
    if (!va || !vb) return cc_ps_constant(s, s->g->zero); // one of them is exactly zero
    for (size_t i = 0; i < a->n; i++) {
        cc_ps row = cc_ps_scale(s, b, a->c[i], a->e[i]);
        row.order = order;
        trim(s, &row);
        out = cc_ps_add(s, &out, &row);
    }
    flatten(s->g, &out);
    return out;
}

cc_ps cc_ps_derivative(const cc_ps_context *s, const cc_ps *a) {
    cc_ps out = empty(s, a->n, a->order ? cc_x_sub(s->g, a->order, s->g->one) : NULL);
    for (size_t i = 0; i < a->n; i++)
        if (a->e[i] != s->g->zero) put(&out, cc_x_mul(s->g, a->c[i], a->e[i]), cc_x_sub(s->g, a->e[i], s->g->one));
    return out;
}

bool cc_ps_integral(const cc_ps_context *s, const cc_ps *a, cc_ps *out) {
    *out = empty(s, a->n, a->order ? cc_x_add(s->g, a->order, s->g->one) : NULL);
    for (size_t i = 0; i < a->n; i++) {
        cc_xp e = cc_x_add(s->g, a->e[i], s->g->one);
        if (e == s->g->zero || cc_x_has(a->c[i], s->log_w)) return false;
        put(out, cc_x_div(s->g, a->c[i], e), e);
    }
    return true;
}

cc_ps cc_ps_compose(const cc_ps_context *s, const cc_xp *t, size_t n, const cc_ps *u) {
    cc_ps power = cc_ps_constant(s, s->g->one), out = cc_ps_constant(s, s->g->zero);
    size_t k = 0;
    for (; k < n && cc_alg_may_search(s->g); k++) {
        cc_ps term = cc_ps_scale(s, &power, t[k], s->g->zero);
        out = cc_ps_add(s, &out, &term);
        power = cc_ps_mul(s, &power, u);
        if (!valuation(&power)) return out; // u is exactly zero
    }
    // what follows begins with u**n
    out.order = least(s, out.order, valuation(&power));
    trim(s, &out);
    return out;
}

static bool has_parameter(cc_alg *g, cc_xp x) {
    size_t n;
    if (cc_x_is_constant(x)) return false;
    const cc_xp *symbols = cc_x_symbols(g, x, &n);
    for (size_t i = 0; i < n; i++)
        if (!symbols[i]->dummy) return true;
    return false;
}

// A function without branches, or one with them of a symbol alone: two of those are not pieces of each other.
static bool one_piece(cc_xp x) {
    switch (x->fn) {
    case CC_F_EXP:
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_TAN:
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_GAMMA:
    case CC_F_DIGAMMA:
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_APPLIED: return true;
    case CC_F_LOG:
    case CC_F_ATAN:
    case CC_F_ASIN:
    case CC_F_ACOS: return x->args[0]->kind == CC_X_SYM;
    default: return false;
    }
}

// x holds a root, logarithm, absolute value … of a sum with parameters: such a function is another one elsewhere in its domain.
static bool has_branches(cc_alg *g, cc_xp x) {
    if (!has_parameter(g, x)) return false;
    bool root = x->kind == CC_X_POW && !cc_x_is_int(x->args[1]) && x->args[0]->kind != CC_X_SYM;
    bool sides = x->kind == CC_X_FUN && !one_piece(x);
    for (uint32_t i = 0; i < x->n && !root && !sides; i++)
        if (has_branches(g, x->args[i])) return true;
    return root || sides;
}

// A coefficient that is not zero everywhere may yet vanish for all parameters of some region: M + K - sqrt((M + K)**2).
static bool may_vanish(cc_alg *g, cc_xp c) {
    switch (c->kind) {
    case CC_X_MUL:
        for (uint32_t i = 0; i < c->n; i++)
            if (may_vanish(g, c->args[i])) return true;
        return false;
    case CC_X_POW: return may_vanish(g, c->args[0]);
    case CC_X_ADD: return has_branches(g, c) && cc_x_is(g, c, CC_IS_NONZERO) != CC_TRUE;
    default: return false;
    }
}

bool cc_ps_settle(const cc_ps_context *s, cc_ps *a) {
    while (a->n) {
        cc_truth zero = cc_tail_is_zero(s->g, a->c[0]);
        if (zero == CC_FALSE) return !may_vanish(s->g, a->c[0]);
        if (zero == CC_UNDECIDED) return false;
        a->c++, a->e++, a->n--;
    }
    return a->order == NULL;
}

bool cc_ps_split(const cc_ps_context *s, const cc_ps *a, cc_xp *c0, cc_ps *rest) {
    cc_ps x = *a;
    if (!cc_ps_settle(s, &x)) return false;
    *c0 = s->g->zero;
    if (x.n && sign_of(s, x.e[0]) == 0) {
        *c0 = x.c[0];
        x.c++, x.e++, x.n--;
    }
    *rest = x;
    cc_xp v = valuation(&x);
    return !v || sign_of(s, v) == 1;
}

// A parameter stands for a number on the cut as well as for any other: what follows it must not leave the real axis. An expression that
// holds I lies on the cut for single values of its parameters at most.
static int side_of_parameter(const cc_ps_context *s, const cc_ps *a) {
    cc_truth real = cc_tail_fact(s->g, a->c[0], CC_IS_REAL);
    if (real == CC_FALSE || cc_tail_fact(s->g, a->c[0], CC_IS_NONNEGATIVE) == CC_TRUE) return 0;
    if (real == CC_UNDECIDED && cc_x_has(a->c[0], s->g->i)) return 0;
    for (size_t i = 1; i < a->n; i++)
        if (cc_tail_fact(s->g, a->c[i], CC_IS_REAL) != CC_TRUE && cc_x_has(a->c[i], s->g->i)) return -1;
    return 0;
}

int cc_ps_side_of_cut(const cc_ps_context *s, const cc_ps *a) {
    cc_alg *g = s->g;
    if (cc_tail_fact(g, a->c[0], CC_IS_NEGATIVE) != CC_TRUE) {
        // not negative: any definite non-real or positive value is off the cut
        if (!cc_x_is_constant(a->c[0])) return side_of_parameter(s, a);
        return cc_tail_fact(g, a->c[0], CC_IS_REAL) == CC_UNDECIDED && cc_tail_fact(g, a->c[0], CC_IS_POSITIVE) != CC_TRUE ? -1 : 0;
    }
    for (size_t i = 1; i < a->n; i++) {
        cc_truth real = cc_tail_fact(g, a->c[i], CC_IS_REAL);
        if (real == CC_TRUE) continue;
        if (real == CC_UNDECIDED) return -1;
        int sign = cc_tail_sign(g, cc_x_f1(g, CC_F_IM, a->c[i]));
        return sign == 1 ? 0 : sign == -1 ? 1 : -1;
    }
    return 0; // real as far as it is known; a real function stays on the cut
}

bool cc_ps_oscillates(const cc_ps_context *s, cc_xp c) {
    size_t n;
    if (cc_x_is_constant(c)) return false;
    const cc_xp *symbols = cc_x_symbols(s->g, c, &n);
    for (size_t i = 0; i < n; i++)
        if (symbols[i]->dummy && symbols[i]->name.n && symbols[i]->name.p[0] == '\001') return true;
    return false;
}

// The result holds where c, by which it was divided, is not zero. Of sums that hold a variable of ours nobody could be told.
static void not_zero(const cc_ps_context *s, cc_xp c) {
    cc_alg *g = s->g;
    if (!has_parameter(g, c)) return;
    if (c->kind == CC_X_POW) {
        not_zero(s, c->args[0]);
    } else if (c->kind == CC_X_MUL) {
        for (uint32_t i = 0; i < c->n; i++) not_zero(s, c->args[i]);
    } else if (cc_tail_fact(g, c, CC_IS_NONZERO) != CC_TRUE) {
        size_t n;
        const cc_xp *symbols = cc_x_symbols(g, c, &n);
        for (size_t i = 0; i < n; i++)
            if (symbols[i]->dummy) return;
        cc_alg_condition(g, cc_x_nonzero(g, c));
    }
}

// a = c0 w**e0 (1 + u)
static bool lead(const cc_ps_context *s, const cc_ps *a, cc_xp *c0, cc_xp *e0, cc_ps *u) {
    cc_ps x = *a;
    if (!cc_ps_settle(s, &x) || !x.n) return false;
    *c0 = x.c[0], *e0 = x.e[0];
    if (cc_ps_oscillates(s, *c0)) return false;
    not_zero(s, *c0);
    x.c++, x.e++, x.n--;
    *u = cc_ps_scale(s, &x, cc_x_div(s->g, s->g->one, *c0), cc_x_neg(s->g, *e0));
    return true;
}

// (c0 w**e0)**r = c0**r w**(e0 r), and the same of logarithms: also for w < 0 when e0 = 0, or e0 = 1 and c0 > 0.
static void mark_side(const cc_ps_context *s, cc_xp c0, cc_xp e0) {
    if (!s->one_sided || e0 == s->g->zero) return;
    if (e0 != s->g->one || cc_tail_fact(s->g, c0, CC_IS_POSITIVE) != CC_TRUE) *s->one_sided = true;
}

// Taylor coefficients needed: as many as terms are kept, at least two.
static size_t length(const cc_ps_context *s) { return s->keep < 2 ? 2 : s->keep + 1; }

bool cc_ps_power(const cc_ps_context *s, const cc_ps *a, cc_xp r, cc_ps *out) {
    cc_alg *g = s->g;
    cc_xp c0, e0;
    cc_ps u;
    slong whole;
    if (cc_x_fits_si(r, &whole) && whole >= 0 && whole <= 64) { // also of series whose lead is not known
        *out = cc_ps_constant(s, g->one);
        for (slong i = 0; i < whole; i++) *out = cc_ps_mul(s, out, a);
        return true;
    }
    cc_ps x = *a;
    if (!lead(s, a, &c0, &e0, &u)) {
        if (!cc_ps_settle(s, &x) || x.n || cc_tail_sign(g, r) != 1) return false; // 0**r
        *out = cc_ps_constant(s, g->zero);
        return true;
    }
    size_t n = length(s);
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    t[0] = g->one;
    for (size_t k = 1; k < n; k++) // binomial(r, k)
        t[k] = cc_x_div(g, cc_x_mul(g, t[k - 1], cc_x_sub(g, r, cc_x_int(g, (slong)k - 1))), cc_x_int(g, (slong)k));
    cc_xp front = cc_x_pow(g, c0, r);
    if (!cc_x_is_int(r)) {
        mark_side(s, c0, e0);
        cc_ps y = *a;
        cc_ps_settle(s, &y);
        int below = cc_ps_side_of_cut(s, &y);
        if (below < 0) return false;
        if (below) front = cc_x_mul(g, front, cc_x_exp(g, cc_x_mul(g, cc_x_mul(g, cc_x_int(g, -2), g->i), cc_x_mul(g, g->pi, r))));
    }
    cc_ps series = cc_ps_compose(s, t, n, &u);
    *out = cc_ps_scale(s, &series, front, cc_x_mul(g, e0, r));
    return front != NULL;
}

bool cc_ps_exp(const cc_ps_context *s, const cc_ps *a, cc_ps *out) {
    cc_alg *g = s->g;
    cc_xp c0, shift = g->zero, with, without;
    cc_ps u;
    if (!cc_ps_split(s, a, &c0, &u)) return false;
    if (s->log_w->kind == CC_X_SYM && cc_x_has(c0, s->log_w)) { // exp(r*log(w) + …) = w**r …
        cc_xp expanded = cc_x_expand(g, c0);
        const cc_xp *c;
        slong degree;
        if (!cc_x_poly_coefficients(g, expanded, s->log_w, 1, &c, &degree) || degree != 1) return false;
        with = c[1], without = c[0];
        if ((s->x && cc_x_has(with, s->x)) || cc_tail_fact(g, with, CC_IS_REAL) != CC_TRUE) return false;
        shift = with, c0 = without;
    }
    size_t n = length(s);
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    t[0] = g->one;
    for (size_t k = 1; k < n; k++) t[k] = cc_x_div(g, t[k - 1], cc_x_int(g, (slong)k));
    cc_ps series = cc_ps_compose(s, t, n, &u);
    cc_xp front = s->x && cc_x_has(c0, s->x) ? cc_tail_of(g, CC_TAIL_EXP, c0) : cc_x_exp(g, c0);
    *out = cc_ps_scale(s, &series, front, shift);
    return true;
}

bool cc_ps_log(const cc_ps_context *s, const cc_ps *a, cc_ps *out) {
    cc_alg *g = s->g;
    cc_xp c0, e0;
    cc_ps u, y = *a;
    if (!lead(s, a, &c0, &e0, &u)) return false;
    cc_ps_settle(s, &y);
    int below = cc_ps_side_of_cut(s, &y);
    if (below < 0) return false;
    mark_side(s, c0, e0);
    size_t n = length(s);
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    t[0] = cc_x_add(g, cc_x_log(g, c0), cc_x_mul(g, e0, s->log_w));
    if (below) t[0] = cc_x_sub(g, t[0], cc_x_mul(g, g->two, cc_x_mul(g, g->i, g->pi)));
    for (size_t k = 1; k < n; k++) t[k] = cc_x_frac(g, k % 2 ? 1 : -1, (slong)k);
    *out = cc_ps_compose(s, t, n, &u);
    return true;
}
