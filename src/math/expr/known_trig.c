// Known values of trigonometric and hyperbolic functions and their inverses: exact values at rational multiples of pi, parity, shifts by
// multiples of pi/2, imaginary arguments, functions of inverse functions. Called by known.c. All rules hold for complex arguments.
#include "math/expr/intern.h"

// ---- the sine at p/q*pi in the first quadrant ----

// (a + b*sqrt(c))/d, under a further root when `nested` is set.
typedef struct surd {
    uint8_t p, q; // the angle p/q*pi
    int8_t a, b;
    uint8_t c, d;
    bool nested;
} surd;

static const surd sines[] = {
    {0, 1, 0, 0, 1, 1, false}, {1, 6, 1, 0, 1, 2, false},   {1, 2, 1, 0, 1, 1, false},  {1, 4, 0, 1, 2, 2, false},
    {1, 3, 0, 1, 3, 2, false}, {1, 10, -1, 1, 5, 4, false}, {3, 10, 1, 1, 5, 4, false}, {1, 5, 10, -2, 5, 4, true},
    {2, 5, 10, 2, 5, 4, true}, {1, 8, 2, -1, 2, 2, true},   {3, 8, 2, 1, 2, 2, true},
};
static const surd tangents[] = {
    {0, 1, 0, 0, 1, 1, false},  {1, 6, 0, 1, 3, 3, false}, {1, 4, 1, 0, 1, 1, false},    {1, 3, 0, 1, 3, 1, false},
    {1, 8, -1, 1, 2, 1, false}, {3, 8, 1, 1, 2, 1, false}, {1, 12, 2, -1, 3, 1, false},  {5, 12, 2, 1, 3, 1, false},
    {1, 5, 5, -2, 5, 1, true},  {2, 5, 5, 2, 5, 1, true},  {1, 10, 25, -10, 5, 5, true}, {3, 10, 25, 10, 5, 5, true},
};

static cc_xp surd_value(cc_alg *g, const surd *s) {
    cc_xp x = cc_x_add(g, cc_x_int(g, s->a), cc_x_mul(g, cc_x_int(g, s->b), cc_x_sqrt(g, cc_x_int(g, s->c))));
    if (s->nested) x = cc_x_sqrt(g, x);
    cc_xp over = cc_x_frac(g, 1, s->d);
    // Multiplied out, so that the value is one sum.
    if (!cc_x_is_kind(x, CC_X_ADD)) return cc_x_mul(g, x, over);
    return cc_x_add(g, cc_x_mul(g, x->args[0], over), cc_x_mul(g, x->args[1], over));
}

// sin(pi/12) = sqrt(6)/4 - sqrt(2)/4 and sin(5*pi/12) have two roots.
static cc_xp twelfth(cc_alg *g, bool five) {
    cc_xp a = cc_x_mul(g, cc_x_frac(g, 1, 4), cc_x_sqrt(g, cc_x_int(g, 6)));
    return cc_x_add(g, a, cc_x_mul(g, cc_x_frac(g, five ? 1 : -1, 4), cc_x_sqrt(g, g->two)));
}

static cc_xp in_table(cc_alg *g, const surd *table, size_t n, slong p, ulong q) {
    for (size_t i = 0; i < n; i++)
        if (table[i].p == p && table[i].q == q) return surd_value(g, &table[i]);
    return NULL;
}

// sin(q*pi) for any rational q: the value, or (-1)**k*sin(r*pi) with r in (0, 1/2); NULL when q is such an r already.
static cc_xp sine_of(cc_alg *g, const fmpq_t q, bool *reduced) {
    fmpq_t r;
    fmpz_t k;
    fmpq_init(r);
    fmpz_init(k);
    fmpz_fdiv_q(k, fmpq_numref(q), fmpq_denref(q));
    fmpq_sub_fmpz(r, q, k); // [0, 1)
    bool minus = fmpz_is_odd(k), moved = !fmpz_is_zero(k);
    if (fmpq_cmp(r, g->half->num) > 0) {
        fmpq_sub_si(r, r, 1);
        fmpq_neg(r, r);
        moved = true;
    }
    cc_xp x = NULL;
    if (fmpz_cmp_ui(fmpq_denref(r), 12) <= 0) {
        slong p = fmpz_get_si(fmpq_numref(r));
        ulong d = fmpz_get_ui(fmpq_denref(r));
        x = d == 12 ? twelfth(g, p == 5) : in_table(g, sines, CC_ARRAY_LEN(sines), p, d);
    }
    *reduced = x != NULL;
    if (!x && moved) x = cc_x_intern_fun(g, CC_F_SIN, (const cc_xp[]){cc_x_mul(g, cc_x_num(g, r), g->pi)}, 1);
    if (x && minus) x = cc_x_neg(g, x);
    fmpq_clear(r);
    fmpz_clear(k);
    return x;
}

// ---- arguments ----

static int compare_rests(cc_xp a, cc_xp b) {
    size_t na, nb;
    const cc_xp *fa = cc_x_factors(&a, &na), *fb = cc_x_factors(&b, &nb);
    size_t i = cc_x_is_num(fa[0]), k = cc_x_is_num(fb[0]);
    for (; i < na && k < nb; i++, k++) {
        int c = cc_x_compare(fa[i], fb[k]);
        if (c) return c;
    }
    return (i < na) - (k < nb);
}

static bool negative_term(cc_xp x) { return cc_x_num_sign(x->kind == CC_X_MUL ? x->args[0] : x) < 0; }

bool cc_x_takes_minus(cc_xp x) {
    if (x->kind != CC_X_ADD) return negative_term(x);
    uint32_t minus = 0, first = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        minus += negative_term(x->args[i]);
        if (i && compare_rests(x->args[i], x->args[first]) < 0) first = i;
    }
    return minus * 2 != x->n ? minus * 2 > x->n : negative_term(x->args[first]);
}

// a = k*pi + rest with k an integer or half an integer, k as an expression: all terms of a that are known to be such. False when none is.
static bool split_turns(cc_alg *g, cc_xp a, cc_xp *k, cc_xp *rest) {
    size_t n, t = 0, r = 0;
    const cc_xp *terms = cc_x_terms(&a, &n);
    cc_xp *turns = CC_ARENA_ARRAY(g->arena, cc_xp, n), *others = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t i = 0; i < n; i++) {
        cc_xp q = terms[i] == g->pi ? g->one : NULL;
        if (!q && terms[i]->kind == CC_X_MUL)
            for (uint32_t j = 0; j < terms[i]->n && !q; j++)
                if (terms[i]->args[j] == g->pi) q = cc_x_div(g, terms[i], g->pi);
        bool turn = q && (q->kind == CC_X_NUM ? fmpz_cmp_ui(fmpq_denref(q->num), 2) <= 0 : cc_x_is(g, q, CC_IS_INTEGER) == CC_TRUE);
        if (turn)
            turns[t++] = q;
        else
            others[r++] = terms[i];
    }
    *k = cc_x_addn(g, turns, t);
    *rest = cc_x_addn(g, others, r);
    return t != 0 && *k && *rest;
}

// a is c*pi with rational c.
static const fmpq *pi_multiple(cc_alg *g, cc_xp a) {
    if (a == g->pi) return g->one->num;
    return a->kind == CC_X_MUL && a->n == 2 && a->args[1] == g->pi && a->args[0]->kind == CC_X_NUM ? a->args[0]->num : NULL;
}

// a = I*x: x. Else NULL.
static cc_xp without_i(cc_alg *g, cc_xp a) {
    if (a == g->i) return g->one;
    if (a->kind != CC_X_MUL) return NULL;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->args[i] == g->i) return cc_x_neg(g, cc_x_mul(g, a, g->i));
    return NULL;
}

static cc_xp one_minus_square(cc_alg *g, cc_xp x) { return cc_x_sub(g, g->one, cc_x_powi(g, x, 2)); }
static cc_xp one_plus_square(cc_alg *g, cc_xp x) { return cc_x_add(g, g->one, cc_x_powi(g, x, 2)); }
static cc_xp root(cc_alg *g, cc_xp x) { return cc_x_sqrt(g, x); }

// ---- sin, cos ----

static cc_xp sin_of_inverse(cc_alg *g, cc_xp a, bool cosine) {
    if (a->kind != CC_X_FUN) return NULL;
    cc_xp x = a->args[0];
    switch ((cc_xfn)a->fn) {
    case CC_F_ASIN: return cosine ? root(g, one_minus_square(g, x)) : x;
    case CC_F_ACOS: return cosine ? x : root(g, one_minus_square(g, x));
    case CC_F_ATAN: return cc_x_div(g, cosine ? g->one : x, root(g, one_plus_square(g, x)));
    case CC_F_ASEC: return cosine ? cc_x_div(g, g->one, x) : NULL;
    case CC_F_ACSC: return cosine ? NULL : cc_x_div(g, g->one, x);
    default: return NULL;
    }
}

static cc_xp sine(cc_alg *g, cc_xp a);
static cc_xp cosine(cc_alg *g, cc_xp a);

// sin or cos of k*pi + rest, k integer or half integer.
static cc_xp turned(cc_alg *g, cc_xp k, cc_xp rest, bool cosine) {
    // A half turn in k shows in its number alone: k's symbolic terms are integers.
    cc_xp number = k->kind == CC_X_NUM ? k : k->kind == CC_X_ADD && k->args[0]->kind == CC_X_NUM ? k->args[0] : g->zero;
    bool halves = !cc_x_is_int(number);
    if (halves) { // sin(t + pi/2) = cos(t), cos(t + pi/2) = -sin(t)
        k = cc_x_sub(g, k, g->half);
        if (cosine) k = cc_x_add(g, k, g->one);
        cosine = !cosine;
    }
    return cc_x_mul(g, cc_x_pow(g, g->minus_one, k), cc_x_f1(g, cosine ? CC_F_COS : CC_F_SIN, rest));
}

static cc_xp sine(cc_alg *g, cc_xp a) {
    if (a == g->zero) return a;
    if (a == g->zoo) return g->nan;
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_SIN, cc_x_neg(g, a)));
    const fmpq *q = pi_multiple(g, a);
    bool reduced;
    if (q) return sine_of(g, q, &reduced);
    cc_xp x = sin_of_inverse(g, a, false), k, rest;
    if (x) return x;
    if ((x = without_i(g, a))) return cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SINH, x));
    return split_turns(g, a, &k, &rest) ? turned(g, k, rest, false) : NULL;
}

static cc_xp cosine(cc_alg *g, cc_xp a) {
    if (a == g->zero) return g->one;
    if (a == g->zoo) return g->nan;
    if (cc_x_takes_minus(a)) return cc_x_f1(g, CC_F_COS, cc_x_neg(g, a));
    const fmpq *q = pi_multiple(g, a);
    if (q) { // cos(q*pi) = sin((1/2 - q)*pi), or ±cos(r*pi)
        fmpq_t r;
        fmpz_t k;
        fmpq_init(r);
        fmpz_init(k);
        fmpq_sub(r, g->half->num, q);
        bool found;
        cc_xp x = sine_of(g, r, &found);
        if (!found) {
            fmpz_fdiv_q(k, fmpq_numref(q), fmpq_denref(q));
            fmpq_sub_fmpz(r, q, k);
            bool minus = fmpz_is_odd(k), moved = !fmpz_is_zero(k);
            if (fmpq_cmp(r, g->half->num) > 0) { // cos(t) = -cos(pi - t)
                fmpq_sub_si(r, r, 1);
                fmpq_neg(r, r);
                minus = !minus;
                moved = true;
            }
            x = moved ? cc_x_intern_fun(g, CC_F_COS, (const cc_xp[]){cc_x_mul(g, cc_x_num(g, r), g->pi)}, 1) : NULL;
            if (x && minus) x = cc_x_neg(g, x);
        }
        fmpq_clear(r);
        fmpz_clear(k);
        return x;
    }
    cc_xp x = sin_of_inverse(g, a, true), k, rest;
    if (x) return x;
    if ((x = without_i(g, a))) return cc_x_f1(g, CC_F_COSH, x);
    return split_turns(g, a, &k, &rest) ? turned(g, k, rest, true) : NULL;
}

// 1/x with sin and cos turned into csc and sec.
static cc_xp reciprocal(cc_alg *g, cc_xp x) {
    if (!x) return NULL;
    size_t n;
    const cc_xp *f = cc_x_factors(&x, &n);
    cc_xp r = g->one;
    for (size_t i = 0; i < n; i++) {
        bool s = cc_x_is_fun(f[i], CC_F_SIN), c = cc_x_is_fun(f[i], CC_F_COS);
        bool sh = cc_x_is_fun(f[i], CC_F_SINH), ch = cc_x_is_fun(f[i], CC_F_COSH);
        cc_xp part = s || c || sh || ch ? cc_x_f1(g,
                                                  s    ? CC_F_CSC
                                                  : c  ? CC_F_SEC
                                                  : sh ? CC_F_CSCH
                                                       : CC_F_SECH,
                                                  f[i]->args[0])
                                        : cc_x_div(g, g->one, f[i]);
        r = cc_x_mul(g, r, part);
    }
    return r;
}

// ---- tan, cot ----

static cc_xp tangent(cc_alg *g, cc_xp a) {
    if (a == g->zero) return a;
    if (a == g->zoo) return g->nan;
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_TAN, cc_x_neg(g, a)));
    const fmpq *q = pi_multiple(g, a);
    if (q) {
        fmpq_t r;
        fmpz_t k;
        fmpq_init(r);
        fmpz_init(k);
        fmpz_fdiv_q(k, fmpq_numref(q), fmpq_denref(q));
        fmpq_sub_fmpz(r, q, k);
        bool minus = fmpq_cmp(r, g->half->num) > 0, moved = !fmpz_is_zero(k) || minus;
        if (minus) {
            fmpq_sub_si(r, r, 1);
            fmpq_neg(r, r);
        }
        cc_xp x = fmpq_equal(r, g->half->num) ? g->zoo : NULL;
        if (!x && fmpz_cmp_ui(fmpq_denref(r), 12) <= 0)
            x = in_table(g, tangents, CC_ARRAY_LEN(tangents), fmpz_get_si(fmpq_numref(r)), fmpz_get_ui(fmpq_denref(r)));
        if (!x && moved) x = cc_x_intern_fun(g, CC_F_TAN, (const cc_xp[]){cc_x_mul(g, cc_x_num(g, r), g->pi)}, 1);
        if (x && minus) x = cc_x_neg(g, x);
        fmpq_clear(r);
        fmpz_clear(k);
        return x;
    }
    cc_xp k, rest, x;
    if (a->kind == CC_X_FUN) {
        x = a->args[0];
        switch ((cc_xfn)a->fn) {
        case CC_F_ATAN: return x;
        case CC_F_ACOT: return cc_x_div(g, g->one, x);
        case CC_F_ASIN: return cc_x_div(g, x, root(g, one_minus_square(g, x)));
        case CC_F_ACOS: return cc_x_div(g, root(g, one_minus_square(g, x)), x);
        default: break;
        }
    }
    if ((x = without_i(g, a))) return cc_x_mul(g, g->i, cc_x_f1(g, CC_F_TANH, x));
    if (!split_turns(g, a, &k, &rest)) return NULL;
    cc_xp number = k->kind == CC_X_NUM ? k : k->kind == CC_X_ADD && k->args[0]->kind == CC_X_NUM ? k->args[0] : g->zero;
    return cc_x_is_int(number) ? cc_x_f1(g, CC_F_TAN, rest) : cc_x_neg(g, cc_x_f1(g, CC_F_COT, rest));
}

static cc_xp cotangent(cc_alg *g, cc_xp a) {
    if (a == g->zero) return g->zoo;
    if (a == g->zoo) return g->nan;
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_COT, cc_x_neg(g, a)));
    cc_xp t = tangent(g, a);
    if (!t) return NULL;
    if (t == g->zoo) return g->zero;
    cc_xp rest;
    const fmpq *c = cc_x_coefficient(g, t, &rest); // ±tan(b) → ±cot(b)
    if (cc_x_is_fun(rest, CC_F_TAN)) return cc_x_mul(g, cc_x_num(g, c), cc_x_f1(g, CC_F_COT, rest->args[0]));
    if (cc_x_is_fun(rest, CC_F_COT)) return cc_x_mul(g, cc_x_num(g, c), cc_x_f1(g, CC_F_TAN, rest->args[0]));
    cc_xp i_times = without_i(g, a);
    if (i_times) return cc_x_neg(g, cc_x_mul(g, g->i, cc_x_f1(g, CC_F_COTH, i_times)));
    const fmpq *q = pi_multiple(g, a);
    if (!q) return cc_x_div(g, g->one, t);
    // tan((1/2 - q)*pi) is the same without a root below
    fmpq_t r;
    fmpq_init(r);
    fmpq_sub(r, g->half->num, q);
    cc_xp x = cc_x_f1(g, CC_F_TAN, cc_x_mul(g, cc_x_num(g, r), g->pi));
    fmpq_clear(r);
    return x;
}

// ---- inverse functions ----

// The angle whose sine (tangent) is x, for x in the tables, positive or 0.
static cc_xp angle(cc_alg *g, const surd *table, size_t n, cc_xp x) {
    if (x->free || x->size > 16) return NULL;
    for (size_t i = 0; i < n; i++)
        if (surd_value(g, &table[i]) == x) return cc_x_mul(g, cc_x_frac(g, table[i].p, table[i].q), g->pi);
    if (table == sines)
        for (int five = 0; five < 2; five++)
            if (twelfth(g, five) == x) return cc_x_mul(g, cc_x_frac(g, five ? 5 : 1, 12), g->pi);
    return NULL;
}

static cc_xp arcsine(cc_alg *g, cc_xp a) {
    if (a == g->zoo) return a;
    if (a == g->oo) return cc_x_mul(g, cc_x_neg(g, g->i), g->oo);
    cc_xp x = angle(g, sines, CC_ARRAY_LEN(sines), a);
    if (x) return x;
    if (a->free == 0 && (x = angle(g, sines, CC_ARRAY_LEN(sines), cc_x_neg(g, a)))) return cc_x_neg(g, x);
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_ASIN, cc_x_neg(g, a)));
    x = without_i(g, a);
    return x ? cc_x_mul(g, g->i, cc_x_f1(g, CC_F_ASINH, x)) : NULL;
}

static cc_xp arccosine(cc_alg *g, cc_xp a) {
    if (a == g->zoo) return a;
    if (a == g->oo || a == g->neg_oo) return cc_x_mul(g, a, g->i);
    cc_xp x = angle(g, sines, CC_ARRAY_LEN(sines), a);
    cc_xp right = cc_x_mul(g, g->half, g->pi);
    if (x) return cc_x_sub(g, right, x);
    if (a->free == 0 && (x = angle(g, sines, CC_ARRAY_LEN(sines), cc_x_neg(g, a)))) return cc_x_add(g, right, x);
    return NULL;
}

static cc_xp arctangent(cc_alg *g, cc_xp a) {
    cc_xp right = cc_x_mul(g, g->half, g->pi);
    if (a == g->oo) return right;
    if (a == g->neg_oo) return cc_x_neg(g, right);
    if (a == g->i || a == cc_x_neg(g, g->i)) return cc_x_mul(g, cc_x_mul(g, a, g->oo), g->one);
    cc_xp x = angle(g, tangents, CC_ARRAY_LEN(tangents), a);
    if (x) return x;
    if (a->free == 0 && (x = angle(g, tangents, CC_ARRAY_LEN(tangents), cc_x_neg(g, a)))) return cc_x_neg(g, x);
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_ATAN, cc_x_neg(g, a)));
    x = without_i(g, a);
    return x ? cc_x_mul(g, g->i, cc_x_f1(g, CC_F_ATANH, x)) : NULL;
}

static cc_xp arccotangent(cc_alg *g, cc_xp a) {
    if (a == g->zero) return cc_x_mul(g, g->half, g->pi);
    if (cc_x_is_infinite(a)) return g->zero;
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_ACOT, cc_x_neg(g, a)));
    cc_xp x = angle(g, tangents, CC_ARRAY_LEN(tangents), a);
    return x ? cc_x_sub(g, cc_x_mul(g, g->half, g->pi), x) : NULL; // 0 < a: acot(a) = pi/2 - atan(a)
}

// asec(a) = acos(1/a), acsc(a) = asin(1/a): their values at constants.
static cc_xp of_reciprocal(cc_alg *g, cc_xp a, bool secant) {
    if (a == g->zero) return g->zoo;
    if (cc_x_is_infinite(a)) return secant ? cc_x_mul(g, g->half, g->pi) : g->zero;
    if (!secant && cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, CC_F_ACSC, cc_x_neg(g, a)));
    if (a->free) return NULL;
    cc_xp b = cc_x_div(g, g->one, a);
    return !b ? NULL : secant ? arccosine(g, b) : cc_x_is_fun(b = arcsine(g, b), CC_F_ASIN) ? NULL : b;
}

// ---- hyperbolic functions ----

static cc_xp hyperbolic(cc_alg *g, cc_xfn fn, cc_xp a) {
    bool odd = fn != CC_F_COSH && fn != CC_F_SECH;
    static const struct {
        cc_xfn fn;
        int at_zero, at_infinity; // 9 = oo, 8 = zoo
    } values[] = {{CC_F_SINH, 0, 9}, {CC_F_COSH, 1, 9}, {CC_F_TANH, 0, 1}, {CC_F_COTH, 8, 1}, {CC_F_SECH, 1, 0}, {CC_F_CSCH, 8, 0}};
    size_t i = 0;
    while (values[i].fn != fn) i++;
    if (a == g->zoo) return g->nan;
    if (a == g->zero) return values[i].at_zero == 8 ? g->zoo : cc_x_int(g, values[i].at_zero);
    if (a == g->oo) return values[i].at_infinity == 9 ? g->oo : cc_x_int(g, values[i].at_infinity);
    if (cc_x_takes_minus(a)) {
        cc_xp x = cc_x_f1(g, fn, cc_x_neg(g, a));
        return odd ? cc_x_neg(g, x) : x;
    }
    cc_xp x = without_i(g, a);
    if (x) {
        switch (fn) {
        case CC_F_SINH: return cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, x));
        case CC_F_COSH: return cc_x_f1(g, CC_F_COS, x);
        case CC_F_TANH: return cc_x_mul(g, g->i, cc_x_f1(g, CC_F_TAN, x));
        case CC_F_COTH: return cc_x_neg(g, cc_x_mul(g, g->i, cc_x_f1(g, CC_F_COT, x)));
        case CC_F_SECH: return cc_x_f1(g, CC_F_SEC, x);
        default: return cc_x_neg(g, cc_x_mul(g, g->i, cc_x_f1(g, CC_F_CSC, x)));
        }
    }
    if (a->kind != CC_X_FUN) return NULL;
    x = a->args[0];
    cc_xp s = NULL, c = NULL; // sinh and cosh of the inverse function
    if (a->fn == CC_F_ASINH) {
        s = x;
        c = root(g, one_plus_square(g, x));
    } else if (a->fn == CC_F_ACOSH) {
        s = cc_x_mul(g, root(g, cc_x_sub(g, x, g->one)), root(g, cc_x_add(g, x, g->one)));
        c = x;
    } else if (a->fn == CC_F_ATANH) {
        c = cc_x_div(g, g->one, root(g, one_minus_square(g, x)));
        s = cc_x_mul(g, x, c);
    } else {
        return NULL;
    }
    switch (fn) {
    case CC_F_SINH: return s;
    case CC_F_COSH: return c;
    case CC_F_TANH: return cc_x_div(g, s, c);
    case CC_F_COTH: return cc_x_div(g, c, s);
    case CC_F_SECH: return cc_x_div(g, g->one, c);
    default: return cc_x_div(g, g->one, s);
    }
}

static cc_xp inverse_hyperbolic(cc_alg *g, cc_xfn fn, cc_xp a) {
    cc_xp right = cc_x_mul(g, cc_x_mul(g, g->half, g->pi), g->i), x;
    switch (fn) {
    case CC_F_ASINH:
        if (a == g->zero || a == g->oo || a == g->zoo) return a;
        if (a == g->one) return cc_x_log(g, cc_x_add(g, g->one, cc_x_sqrt(g, g->two)));
        break;
    case CC_F_ACOSH: // neither odd nor even
        if (a == g->one) return g->zero;
        if (a == g->zero) return right;
        if (a == g->minus_one) return cc_x_mul(g, g->i, g->pi);
        return a == g->oo || a == g->zoo ? a : a == g->neg_oo ? g->oo : NULL;
    case CC_F_ATANH:
        if (a == g->zero) return a;
        if (a == g->one) return g->oo;
        if (a == g->oo) return cc_x_neg(g, right);
        if (a == g->neg_oo) return right;
        break;
    case CC_F_ACOTH:
        if (cc_x_is_infinite(a)) return g->zero;
        if (a == g->zero) return right;
        if (a == g->one) return g->oo;
        break;
    case CC_F_ASECH: // acosh(1/a)
        if (a == g->zero) return g->oo;
        if (a == g->one) return g->zero;
        if (a == g->minus_one) return cc_x_mul(g, g->i, g->pi);
        return a == g->oo || a == g->neg_oo ? right : NULL;
    case CC_F_ACSCH: // asinh(1/a)
        if (a == g->zero) return g->zoo;
        if (cc_x_is_infinite(a)) return g->zero;
        if (a == g->one) return cc_x_log(g, cc_x_add(g, g->one, cc_x_sqrt(g, g->two)));
        break;
    default: return NULL;
    }
    if (cc_x_takes_minus(a)) return cc_x_neg(g, cc_x_f1(g, fn, cc_x_neg(g, a)));
    x = without_i(g, a);
    if (!x) return NULL;
    if (fn == CC_F_ASINH) return cc_x_mul(g, g->i, cc_x_f1(g, CC_F_ASIN, x));
    if (fn == CC_F_ATANH) return cc_x_mul(g, g->i, cc_x_f1(g, CC_F_ATAN, x));
    return NULL;
}

cc_xp cc_x_known_trig(cc_alg *g, cc_xfn fn, cc_xp a) {
    if ((a == g->oo || a == g->neg_oo) && fn >= CC_F_SIN && fn <= CC_F_CSC) return NULL; // has no limit
    switch (fn) {
    case CC_F_SIN: return sine(g, a);
    case CC_F_COS: return cosine(g, a);
    case CC_F_TAN: return tangent(g, a);
    case CC_F_COT: return cotangent(g, a);
    case CC_F_SEC: return reciprocal(g, cosine(g, a));
    case CC_F_CSC: return a == g->zero ? g->zoo : reciprocal(g, sine(g, a));
    case CC_F_ASIN: return arcsine(g, a);
    case CC_F_ACOS: return arccosine(g, a);
    case CC_F_ATAN: return arctangent(g, a);
    case CC_F_ACOT: return arccotangent(g, a);
    case CC_F_ASEC: return of_reciprocal(g, a, true);
    case CC_F_ACSC: return of_reciprocal(g, a, false);
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_SECH:
    case CC_F_CSCH: return hyperbolic(g, fn, a);
    default: return inverse_hyperbolic(g, fn, a);
    }
}
