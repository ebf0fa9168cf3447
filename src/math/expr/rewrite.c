// Rewriting functions in terms of others, and expansion of logarithms and trigonometric functions. Called by simplification, limits and
// integration. Each identity holds wherever both sides are defined; those of logarithms only under what is known of the arguments.
#include "math/expr/intern.h"

enum { MAX_MULTIPLE = 64 }; // sin(k*x) is expanded up to this k

static cc_xp f1(cc_alg *g, cc_xfn fn, cc_xp a) { return cc_x_f1(g, fn, a); }

// ---- rewrite ----

// sin and the like by exp: s = exp(I*a) (hyperbolic: exp(a)).
static cc_xp by_exp(cc_alg *g, cc_xfn fn, cc_xp a) {
    bool trig = fn <= CC_F_CSC;
    cc_xp p = cc_x_exp(g, trig ? cc_x_mul(g, g->i, a) : a), q = cc_x_exp(g, cc_x_neg(g, trig ? cc_x_mul(g, g->i, a) : a));
    cc_xp minus = cc_x_sub(g, p, q), plus = cc_x_add(g, p, q), two_i = cc_x_mul(g, g->two, g->i);
    switch (fn) {
    case CC_F_SIN: return cc_x_div(g, minus, two_i);
    case CC_F_COS:
    case CC_F_COSH: return cc_x_mul(g, g->half, plus);
    case CC_F_TAN: return cc_x_neg(g, cc_x_mul(g, g->i, cc_x_div(g, minus, plus)));
    case CC_F_COT: return cc_x_mul(g, g->i, cc_x_div(g, plus, minus));
    case CC_F_SEC:
    case CC_F_SECH: return cc_x_div(g, g->two, plus);
    case CC_F_CSC: return cc_x_div(g, two_i, minus);
    case CC_F_SINH: return cc_x_mul(g, g->half, minus);
    case CC_F_TANH: return cc_x_div(g, minus, plus);
    case CC_F_COTH: return cc_x_div(g, plus, minus);
    default: return cc_x_div(g, g->two, minus); // csch
    }
}

static cc_xp by_sin_cos(cc_alg *g, cc_xp x) {
    cc_xp a = x->args[0];
    switch ((cc_xfn)x->fn) {
    case CC_F_TAN: return cc_x_div(g, f1(g, CC_F_SIN, a), f1(g, CC_F_COS, a));
    case CC_F_COT: return cc_x_div(g, f1(g, CC_F_COS, a), f1(g, CC_F_SIN, a));
    case CC_F_SEC: return cc_x_div(g, g->one, f1(g, CC_F_COS, a));
    case CC_F_CSC: return cc_x_div(g, g->one, f1(g, CC_F_SIN, a));
    case CC_F_SINC: return a->finite && cc_x_is(g, a, CC_IS_NONZERO) == CC_TRUE ? cc_x_div(g, f1(g, CC_F_SIN, a), a) : x;
    case CC_F_TANH: return cc_x_div(g, f1(g, CC_F_SINH, a), f1(g, CC_F_COSH, a));
    case CC_F_COTH: return cc_x_div(g, f1(g, CC_F_COSH, a), f1(g, CC_F_SINH, a));
    case CC_F_SECH: return cc_x_div(g, g->one, f1(g, CC_F_COSH, a));
    case CC_F_CSCH: return cc_x_div(g, g->one, f1(g, CC_F_SINH, a));
    default: return x;
    }
}

// t = tan(a/2), or tanh(a/2).
static cc_xp by_half(cc_alg *g, cc_xp x) {
    cc_xfn fn = (cc_xfn)x->fn;
    bool trig = fn <= CC_F_CSC;
    cc_xp t = f1(g, trig ? CC_F_TAN : CC_F_TANH, cc_x_mul(g, g->half, x->args[0])), t2 = cc_x_powi(g, t, 2);
    if (!t2) return NULL;
    cc_xp s = trig ? t2 : cc_x_neg(g, t2); // 1 + t2 and 1 - t2 change places for hyperbolic functions
    cc_xp plus = cc_x_add(g, g->one, s), minus = cc_x_sub(g, g->one, s), twice = cc_x_mul(g, g->two, t);
    switch (fn) {
    case CC_F_SIN:
    case CC_F_SINH: return cc_x_div(g, twice, plus);
    case CC_F_COS:
    case CC_F_COSH: return cc_x_div(g, minus, plus);
    case CC_F_TAN:
    case CC_F_TANH: return cc_x_div(g, twice, minus);
    case CC_F_COT:
    case CC_F_COTH: return cc_x_div(g, minus, twice);
    case CC_F_SEC:
    case CC_F_SECH: return cc_x_div(g, plus, minus);
    default: return cc_x_div(g, plus, twice);
    }
}

// Inverse functions by logarithms, on principal branches.
static cc_xp by_log(cc_alg *g, cc_xfn fn, cc_xp x, cc_xp whole) {
    cc_xp one = g->one, i = g->i, ix = cc_x_mul(g, i, x), x2 = cc_x_powi(g, x, 2), minus_i = cc_x_neg(g, i);
    cc_xp half_i = cc_x_mul(g, g->half, i);
    switch (fn) {
    case CC_F_ASIN: return cc_x_mul(g, minus_i, cc_x_log(g, cc_x_add(g, ix, cc_x_sqrt(g, cc_x_sub(g, one, x2)))));
    case CC_F_ACOS: {
        cc_xp asin = by_log(g, CC_F_ASIN, x, whole);
        return cc_x_sub(g, cc_x_mul(g, g->half, g->pi), asin);
    }
    case CC_F_ATAN: // I/2*(log(1 - I*x) - log(1 + I*x))
        return cc_x_mul(g, half_i, cc_x_sub(g, cc_x_log(g, cc_x_sub(g, one, ix)), cc_x_log(g, cc_x_add(g, one, ix))));
    case CC_F_ACOT: { // of I/x
        cc_xp q = cc_x_div(g, i, x);
        return cc_x_mul(g, half_i, cc_x_sub(g, cc_x_log(g, cc_x_sub(g, one, q)), cc_x_log(g, cc_x_add(g, one, q))));
    }
    case CC_F_ASEC: return by_log(g, CC_F_ACOS, cc_x_div(g, one, x), whole);
    case CC_F_ACSC: return by_log(g, CC_F_ASIN, cc_x_div(g, one, x), whole);
    case CC_F_ASINH: return cc_x_log(g, cc_x_add(g, x, cc_x_sqrt(g, cc_x_add(g, x2, one))));
    case CC_F_ACOSH: // log(x + sqrt(x - 1)*sqrt(x + 1))
        return cc_x_log(g, cc_x_add(g, x, cc_x_mul(g, cc_x_sqrt(g, cc_x_sub(g, x, one)), cc_x_sqrt(g, cc_x_add(g, x, one)))));
    case CC_F_ATANH: return cc_x_mul(g, g->half, cc_x_sub(g, cc_x_log(g, cc_x_add(g, one, x)), cc_x_log(g, cc_x_sub(g, one, x))));
    case CC_F_ACOTH: return by_log(g, CC_F_ATANH, cc_x_div(g, one, x), whole);
    case CC_F_ASECH: return by_log(g, CC_F_ACOSH, cc_x_div(g, one, x), whole);
    case CC_F_ACSCH: return by_log(g, CC_F_ASINH, cc_x_div(g, one, x), whole);
    default: return whole;
    }
}

static cc_xp by_gamma(cc_alg *g, cc_xp x) {
    cc_xp a = x->args[0], b = x->n > 1 ? x->args[1] : NULL;
    switch ((cc_xfn)x->fn) {
    case CC_F_FACTORIAL: return f1(g, CC_F_GAMMA, cc_x_add(g, a, g->one));
    case CC_F_BINOMIAL:
        return cc_x_div(g, f1(g, CC_F_GAMMA, cc_x_add(g, a, g->one)),
                        cc_x_mul(g, f1(g, CC_F_GAMMA, cc_x_add(g, b, g->one)), f1(g, CC_F_GAMMA, cc_x_add(g, cc_x_sub(g, a, b), g->one))));
    case CC_F_BETA: return cc_x_div(g, cc_x_mul(g, f1(g, CC_F_GAMMA, a), f1(g, CC_F_GAMMA, b)), f1(g, CC_F_GAMMA, cc_x_add(g, a, b)));
    case CC_F_RISING: return cc_x_div(g, f1(g, CC_F_GAMMA, cc_x_add(g, a, b)), f1(g, CC_F_GAMMA, a));
    case CC_F_FALLING:
        return cc_x_div(g, f1(g, CC_F_GAMMA, cc_x_add(g, a, g->one)), f1(g, CC_F_GAMMA, cc_x_add(g, cc_x_sub(g, a, b), g->one)));
    case CC_F_CATALAN: // 4**n*gamma(n + 1/2)/(sqrt(pi)*gamma(n + 2))
        return cc_x_div(g, cc_x_mul(g, cc_x_pow(g, cc_x_int(g, 4), a), f1(g, CC_F_GAMMA, cc_x_add(g, a, g->half))),
                        cc_x_mul(g, cc_x_sqrt(g, g->pi), f1(g, CC_F_GAMMA, cc_x_add(g, a, g->two))));
    default: return x;
    }
}

static cc_xp rewrite_node(cc_alg *g, cc_xp x, void *ctx) {
    cc_xrewrite to = *(const cc_xrewrite *)ctx;
    if (x->kind != CC_X_FUN) return x;
    cc_xfn fn = (cc_xfn)x->fn;
    bool direct = (fn >= CC_F_SIN && fn <= CC_F_CSC) || (fn >= CC_F_SINH && fn <= CC_F_CSCH);
    switch (to) {
    case CC_REWRITE_EXP: return direct ? by_exp(g, fn, x->args[0]) : fn == CC_F_SINC ? by_sin_cos(g, x) : x;
    case CC_REWRITE_SINCOS: return by_sin_cos(g, x);
    case CC_REWRITE_TAN_HALF: return direct ? by_half(g, x) : x;
    case CC_REWRITE_LOG: return by_log(g, fn, x->args[0], x);
    case CC_REWRITE_GAMMA: return by_gamma(g, x);
    }
    return x;
}

cc_xp cc_x_rewrite(cc_alg *g, cc_xp x, cc_xrewrite to) { return cc_x_map(g, x, rewrite_node, &to); }

// ---- logarithms ----

static bool known_positive(cc_alg *g, cc_xp x, bool force) {
    cc_truth t = cc_x_is(g, x, CC_IS_POSITIVE);
    return t == CC_TRUE || (force && !(x->kind == CC_X_NUM && cc_x_num_sign(x) < 0) && x != g->i);
}

static cc_xp log_of(cc_alg *g, cc_xp a, bool force);

static cc_xp log_of_power(cc_alg *g, cc_xp a, bool force) {
    cc_xp base, e;
    cc_x_split_power(g, a, &base, &e);
    bool valid = force || (known_positive(g, base, false) && cc_x_is(g, e, CC_IS_REAL) == CC_TRUE);
    return valid ? cc_x_mul(g, e, log_of(g, base, force)) : cc_x_log(g, a);
}

static cc_xp log_of(cc_alg *g, cc_xp a, bool force) {
    if (a->kind == CC_X_NUM && cc_x_num_sign(a) > 0 && !cc_x_is_int(a))
        return cc_x_sub(g, cc_x_log(g, cc_x_fmpz(g, fmpq_numref(a->num))), cc_x_log(g, cc_x_fmpz(g, fmpq_denref(a->num))));
    if (a->kind == CC_X_POW || cc_x_is_fun(a, CC_F_EXP)) return log_of_power(g, a, force);
    if (a->kind != CC_X_MUL) return cc_x_log(g, a);
    // log(p*r) = log(p) + log(r) for positive p
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, a->n + 1), *rest = CC_ARENA_ARRAY(g->arena, cc_xp, a->n + 1);
    size_t n = 0, m = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        cc_xp f = a->args[i];
        if (f->kind == CC_X_NUM && cc_x_num_sign(f) < 0 && f != g->minus_one) { // |c| comes out, the sign stays
            terms[n++] = log_of(g, cc_x_neg(g, f), force);
            rest[m++] = g->minus_one;
        } else if (known_positive(g, f, force)) {
            terms[n++] = log_of(g, f, force);
        } else {
            rest[m++] = f;
        }
    }
    if (!n) return cc_x_log(g, a);
    terms[n++] = cc_x_log(g, cc_x_muln(g, rest, m));
    return cc_x_addn(g, terms, n);
}

static cc_xp expand_log_node(cc_alg *g, cc_xp x, void *ctx) {
    return cc_x_is_fun(x, CC_F_LOG) ? log_of(g, x->args[0], *(const bool *)ctx) : x;
}

cc_xp cc_x_expand_log(cc_alg *g, cc_xp x, bool force) { return cc_x_map(g, x, expand_log_node, &force); }

// ---- trigonometric functions of sums and multiples ----

void cc_x_multiple_angle(cc_alg *g, slong k, cc_xp s, cc_xp c, cc_xp *sin_k, cc_xp *cos_k) {
    *sin_k = g->zero, *cos_k = g->one;
    for (slong i = 0; i < (k < 0 ? -k : k); i++) {
        cc_xp next = cc_x_sub(g, cc_x_mul(g, *cos_k, c), cc_x_mul(g, *sin_k, s));
        *sin_k = cc_x_add(g, cc_x_mul(g, *sin_k, c), cc_x_mul(g, *cos_k, s));
        *cos_k = next;
    }
    if (k < 0) *sin_k = cc_x_neg(g, *sin_k);
}

static cc_xp of_sum(cc_alg *g, cc_xfn fn, cc_xp a);

// sin or cos (sinh, cosh) of k*b, k > 1, by the recurrence f(k*b) = 2*cos(b)*f((k - 1)*b) - f((k - 2)*b).
static cc_xp of_multiple(cc_alg *g, cc_xfn fn, slong k, cc_xp b) {
    bool trig = fn == CC_F_SIN || fn == CC_F_COS, odd = fn == CC_F_SIN || fn == CC_F_SINH;
    cc_xp c = of_sum(g, trig ? CC_F_COS : CC_F_COSH, b), s = of_sum(g, trig ? CC_F_SIN : CC_F_SINH, b);
    cc_xp before = odd ? g->zero : g->one, at = odd ? s : c, twice = cc_x_mul(g, g->two, c);
    for (slong i = 2; i <= k; i++) {
        cc_xp next = cc_x_sub(g, cc_x_mul(g, twice, at), before);
        before = at;
        at = cc_x_expand(g, next);
    }
    return at;
}

static cc_xp of_sum(cc_alg *g, cc_xfn fn, cc_xp a) {
    if (!a || !cc_alg_go_on(g)) return NULL;
    bool trig = fn == CC_F_SIN || fn == CC_F_COS, odd = fn == CC_F_SIN || fn == CC_F_SINH;
    if (a->kind == CC_X_ADD) {
        cc_xp u = a->args[0], v = cc_x_addn(g, a->args + 1, a->n - 1);
        cc_xfn s = trig ? CC_F_SIN : CC_F_SINH, c = trig ? CC_F_COS : CC_F_COSH;
        cc_xp su = of_sum(g, s, u), cu = of_sum(g, c, u), sv = of_sum(g, s, v), cv = of_sum(g, c, v);
        if (odd) return cc_x_add(g, cc_x_mul(g, su, cv), cc_x_mul(g, cu, sv));
        cc_xp ss = cc_x_mul(g, su, sv);
        return cc_x_add(g, cc_x_mul(g, cu, cv), trig ? cc_x_neg(g, ss) : ss);
    }
    cc_xp rest;
    const fmpq *q = cc_x_coefficient(g, a, &rest);
    if (a->kind == CC_X_MUL && rest != g->pi && !fmpz_is_pm1(fmpq_numref(q)) && fmpz_cmp_si(fmpq_numref(q), MAX_MULTIPLE) <= 0 &&
        fmpz_cmp_si(fmpq_numref(q), -MAX_MULTIPLE) >= 0) {
        slong k = fmpz_get_si(fmpq_numref(q));
        bool minus = k < 0;
        fmpq_t one_over;
        fmpq_init(one_over);
        fmpz_one(fmpq_numref(one_over));
        fmpz_set(fmpq_denref(one_over), fmpq_denref(q));
        cc_xp b = cc_x_mul(g, cc_x_num(g, one_over), rest);
        fmpq_clear(one_over);
        cc_xp x = of_multiple(g, fn, minus ? -k : k, b);
        return minus && odd ? cc_x_neg(g, x) : x;
    }
    return f1(g, fn, a);
}

static cc_xp expand_trig_node(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    if (x->kind != CC_X_FUN) return x;
    cc_xp a = x->args[0];
    switch ((cc_xfn)x->fn) {
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_SINH:
    case CC_F_COSH: return of_sum(g, (cc_xfn)x->fn, a);
    case CC_F_TAN:
    case CC_F_TANH: { // (t(u) + t(v))/(1 ∓ t(u)*t(v)); of a multiple by the sum of one and the rest
        cc_xp u = NULL, v = NULL, rest;
        const fmpq *q = cc_x_coefficient(g, a, &rest);
        if (a->kind == CC_X_ADD) {
            u = a->args[0];
            v = cc_x_addn(g, a->args + 1, a->n - 1);
        } else if (a->kind == CC_X_MUL && rest != g->pi && fmpz_cmp_ui(fmpq_numref(q), 1) > 0 &&
                   fmpz_cmp_ui(fmpq_numref(q), MAX_MULTIPLE / 4) <= 0) {
            fmpq_t one_over;
            fmpq_init(one_over);
            fmpz_one(fmpq_numref(one_over));
            fmpz_set(fmpq_denref(one_over), fmpq_denref(q));
            u = cc_x_mul(g, cc_x_num(g, one_over), rest);
            fmpq_clear(one_over);
            v = cc_x_sub(g, a, u);
        }
        if (!u) return x;
        cc_xp tu = f1(g, (cc_xfn)x->fn, u), tv = f1(g, (cc_xfn)x->fn, v);
        tu = tu ? expand_trig_node(g, tu, NULL) : NULL;
        tv = tv ? expand_trig_node(g, tv, NULL) : NULL;
        cc_xp product = cc_x_mul(g, tu, tv);
        return cc_x_div(g, cc_x_add(g, tu, tv), x->fn == CC_F_TAN ? cc_x_sub(g, g->one, product) : cc_x_add(g, g->one, product));
    }
    default: return x;
    }
}

cc_xp cc_x_expand_trig(cc_alg *g, cc_xp x) { return cc_x_map(g, x, expand_trig_node, NULL); }
