// The named functions of the calculator: roots, logarithms, trigonometry, rounding, statistics of a few values, special
// functions; those of integers are in integers.c. Called by calc.c with evaluated arguments. A list as an argument of a function
// that takes any number of values stands for its items.
#include "math/value.h"

#include <flint/ulong_extras.h>

typedef enum fn {
    F_SQRT,
    F_CBRT,
    F_ROOT,
    F_EXP,
    F_EXP2,
    F_EXPM1,
    F_LN,
    F_LOG,
    F_LOG2,
    F_LOG10,
    F_LOG1P,
    F_ELEMENTARY,
    F_RECIPROCAL,
    F_ATAN2,
    F_DEGREES,
    F_RADIANS,
    F_HYPOT,
    F_ABS,
    F_FLOOR,
    F_CEIL,
    F_ROUND,
    F_TRUNC,
    F_SIGN,
    F_MIN,
    F_MAX,
    F_SUM,
    F_PROD,
    F_GAMMA,
    F_SPECIAL,
    F_BETA,
    F_MOD,
    F_FMOD,
    F_POW,
    F_RE,
    F_IM,
    F_ARG,
    F_CONJ,
    F_MEAN,
    F_MEDIAN,
    F_VARIANCE,
    F_STDEV,
    F_PVARIANCE,
    F_PSTDEV,
    F_GMEAN,
    F_DIVMOD,
    F_FRAC,
    F_CLAMP,
} fn;

static const struct {
    const char *name;
    fn fn;
    unsigned char min, max; // arguments; 0 = any number, or a list
    unsigned char op;       // a cc_real_op
} table[] = {
    {"sqrt", F_SQRT, 1, 1, 0},
    {"cbrt", F_CBRT, 1, 1, 0},
    {"root", F_ROOT, 2, 2, 0},
    {"nthroot", F_ROOT, 2, 2, 0},
    {"exp", F_EXP, 1, 1, 0},
    {"exp2", F_EXP2, 1, 1, 0},
    {"expm1", F_EXPM1, 1, 1, 0},
    {"ln", F_LN, 1, 1, 0},
    {"log", F_LOG, 1, 2, 0},
    {"log2", F_LOG2, 1, 1, 0},
    {"lg", F_LOG2, 1, 1, 0},
    {"log10", F_LOG10, 1, 1, 0},
    {"log1p", F_LOG1P, 1, 1, 0},
    {"sin", F_ELEMENTARY, 1, 1, CC_R_SIN},
    {"cos", F_ELEMENTARY, 1, 1, CC_R_COS},
    {"tan", F_ELEMENTARY, 1, 1, CC_R_TAN},
    {"asin", F_ELEMENTARY, 1, 1, CC_R_ASIN},
    {"acos", F_ELEMENTARY, 1, 1, CC_R_ACOS},
    {"atan", F_ELEMENTARY, 1, 1, CC_R_ATAN},
    {"arcsin", F_ELEMENTARY, 1, 1, CC_R_ASIN},
    {"arccos", F_ELEMENTARY, 1, 1, CC_R_ACOS},
    {"arctan", F_ELEMENTARY, 1, 1, CC_R_ATAN},
    {"sinh", F_ELEMENTARY, 1, 1, CC_R_SINH},
    {"cosh", F_ELEMENTARY, 1, 1, CC_R_COSH},
    {"tanh", F_ELEMENTARY, 1, 1, CC_R_TANH},
    {"asinh", F_ELEMENTARY, 1, 1, CC_R_ASINH},
    {"acosh", F_ELEMENTARY, 1, 1, CC_R_ACOSH},
    {"atanh", F_ELEMENTARY, 1, 1, CC_R_ATANH},
    {"sec", F_RECIPROCAL, 1, 1, CC_R_COS},
    {"csc", F_RECIPROCAL, 1, 1, CC_R_SIN},
    {"cot", F_RECIPROCAL, 1, 1, CC_R_TAN},
    {"sech", F_RECIPROCAL, 1, 1, CC_R_COSH},
    {"csch", F_RECIPROCAL, 1, 1, CC_R_SINH},
    {"coth", F_RECIPROCAL, 1, 1, CC_R_TANH},
    {"atan2", F_ATAN2, 2, 2, 0},
    {"degrees", F_DEGREES, 1, 1, 0},
    {"radians", F_RADIANS, 1, 1, 0},
    {"hypot", F_HYPOT, 0, 0, 0},
    {"abs", F_ABS, 1, 1, 0},
    {"fabs", F_ABS, 1, 1, 0},
    {"Abs", F_ABS, 1, 1, 0},
    {"floor", F_FLOOR, 1, 1, 0},
    {"ceil", F_CEIL, 1, 1, 0},
    {"ceiling", F_CEIL, 1, 1, 0},
    {"round", F_ROUND, 1, 2, 0},
    {"trunc", F_TRUNC, 1, 1, 0},
    {"int", F_TRUNC, 1, 1, 0},
    {"frac", F_FRAC, 1, 1, 0},
    {"sign", F_SIGN, 1, 1, 0},
    {"sgn", F_SIGN, 1, 1, 0},
    {"min", F_MIN, 0, 0, 0},
    {"max", F_MAX, 0, 0, 0},
    {"clamp", F_CLAMP, 3, 3, 0},
    {"sum", F_SUM, 0, 0, 0},
    {"fsum", F_SUM, 0, 0, 0},
    {"prod", F_PROD, 0, 0, 0},
    {"product", F_PROD, 0, 0, 0},
    {"gamma", F_GAMMA, 1, 1, 0},
    {"lgamma", F_SPECIAL, 1, 1, CC_R_LGAMMA},
    {"loggamma", F_SPECIAL, 1, 1, CC_R_LGAMMA},
    {"digamma", F_SPECIAL, 1, 1, CC_R_DIGAMMA},
    {"erf", F_SPECIAL, 1, 1, CC_R_ERF},
    {"erfc", F_SPECIAL, 1, 1, CC_R_ERFC},
    {"erfi", F_SPECIAL, 1, 1, CC_R_ERFI},
    {"zeta", F_SPECIAL, 1, 1, CC_R_ZETA},
    {"beta", F_BETA, 2, 2, 0},
    {"mod", F_MOD, 2, 2, 0},
    {"fmod", F_FMOD, 2, 2, 0},
    {"divmod", F_DIVMOD, 2, 2, 0},
    {"pow", F_POW, 2, 3, 0},
    {"re", F_RE, 1, 1, 0},
    {"im", F_IM, 1, 1, 0},
    {"arg", F_ARG, 1, 1, 0},
    {"conj", F_CONJ, 1, 1, 0},
    {"conjugate", F_CONJ, 1, 1, 0},
    {"mean", F_MEAN, 0, 0, 0},
    {"avg", F_MEAN, 0, 0, 0},
    {"average", F_MEAN, 0, 0, 0},
    {"median", F_MEDIAN, 0, 0, 0},
    {"variance", F_VARIANCE, 0, 0, 0},
    {"var", F_VARIANCE, 0, 0, 0},
    {"stdev", F_STDEV, 0, 0, 0},
    {"std", F_STDEV, 0, 0, 0},
    {"pvariance", F_PVARIANCE, 0, 0, 0},
    {"pstdev", F_PSTDEV, 0, 0, 0},
    {"geometric_mean", F_GMEAN, 0, 0, 0},
};

static size_t find(cc_str name) {
    size_t i = 0;
    while (i < CC_ARRAY_LEN(table) && !cc_str_eqz(name, table[i].name)) i++;
    return i;
}

bool cc_calc_is_function(cc_str name) {
    unsigned d = 1; // only an equal name is nearer
    return find(name) < CC_ARRAY_LEN(table) || cc_calc_nearest_integer_function(name, &d);
}

const char *cc_calc_nearest_function(cc_str name) {
    unsigned distance = 2 * (name.n < 4 ? 2 : 3); // at most one or two letters off
    const char *best = cc_calc_nearest_integer_function(name, &distance);
    for (size_t i = 0; i < CC_ARRAY_LEN(table); i++) cc_calc_nearer(name, table[i].name, &best, &distance);
    return best;
}

int cc_calc_arity(cc_calc *c, const cc_node *call, size_t n, unsigned min, unsigned max) {
    if (n >= min && (max == 0 || n <= max)) return 0;
    const char *hint = n > max && max ? "; inside a call a comma separates arguments, so write 1234 and not 1,234" : "";
    if (min == max)
        return cc_error_set(c->err, CC_VALIDATION, "column %u: %.*s takes %u argument%s, not %zu%s", call->pos + 1, (int)call->text.n,
                            call->text.p, min, min == 1 ? "" : "s", n, hint);
    if (max == 0)
        return cc_error_set(c->err, CC_VALIDATION, "column %u: %.*s needs at least %u argument%s", call->pos + 1, (int)call->text.n,
                            call->text.p, min, min == 1 ? "" : "s");
    return cc_error_set(c->err, CC_VALIDATION, "column %u: %.*s takes %u to %u arguments, not %zu%s", call->pos + 1, (int)call->text.n,
                        call->text.p, min, max, n, hint);
}

int cc_val_need_real(cc_calc *c, const char *who, cc_val *x) {
    if (x->kind == CC_V_LIST || x->kind == CC_V_FACTORS) return cc_error_set(c->err, CC_VALIDATION, "%s needs a number, not a list", who);
    if (x->kind == CC_V_TRUTH) return cc_error_set(c->err, CC_VALIDATION, "%s depends on a comparison that could not be decided", who);
    if (cc_val_settle(c, x)) return -1;
    if (x->im) return cc_error_set(c->err, CC_VALIDATION, "%s needs a real number, and its argument is complex", who);
    return 0;
}

int cc_val_integer(cc_calc *c, const cc_node *at, const char *who, cc_val *x, cc_real **out) {
    if (cc_val_need_real(c, who, x)) return -1;
    if (!cc_real_find_rat(&c->r, x->re) || !cc_real_is_int(x->re)) {
        cc_str s = cc_utf8_prefix(cc_real_show(&c->r, x->re), 60);
        return cc_error_set(c->err, CC_VALIDATION, "column %u: %s needs integers, not %.*s", at->pos + 1, who, (int)s.n, s.p);
    }
    *out = x->re;
    return 0;
}

cc_real *cc_real_floordiv(cc_reals *r, cc_real *a, cc_real *b) {
    if (!a || !b) return NULL;
    if (!cc_real_is_int(a) || !cc_real_is_int(b) || fmpq_is_zero(b->q)) return cc_real_floor(r, cc_real_div(r, a, b));
    fmpz_t q;
    fmpz_init(q);
    fmpz_fdiv_q(q, fmpq_numref(a->q), fmpq_numref(b->q));
    cc_real *x = cc_real_fmpz(r, q);
    fmpz_clear(q);
    return x;
}

cc_real *cc_real_mod(cc_reals *r, cc_real *a, cc_real *b) { return cc_real_sub(r, a, cc_real_mul(r, b, cc_real_floordiv(r, a, b))); }

static cc_real *ceiling(cc_reals *r, cc_real *x) { return cc_real_neg(r, cc_real_floor(r, cc_real_neg(r, x))); }

static cc_real *toward_zero(cc_reals *r, cc_real *x) {
    int sign;
    if (!x || cc_real_sign(r, x, &sign)) return NULL;
    return sign < 0 ? ceiling(r, x) : cc_real_floor(r, x);
}

// Half to even, as Python's round.
static cc_real *round_even(cc_reals *r, cc_real *x) {
    cc_real *y = cc_real_add(r, x, cc_real_frac(r, 1, 2)), *f = cc_real_floor(r, y);
    if (!f) return NULL;
    bool tie = y->op == CC_R_RAT && cc_real_is_int(y); // floor found out whether y is rational
    return tie && fmpz_is_odd(fmpq_numref(f->q)) ? cc_real_sub(r, f, cc_real_si(r, 1)) : f;
}

static int call_round(cc_calc *c, const cc_node *at, cc_val *a, size_t n, cc_val *out) {
    cc_reals *r = &c->r;
    cc_real *places = NULL, *scale = cc_real_si(r, 1);
    if (cc_val_need_real(c, "round", &a[0])) return -1;
    if (n == 2) {
        if (cc_val_integer(c, at, "the number of places", &a[1], &places)) return -1;
        if (fmpz_cmpabs(fmpq_numref(places->q), (fmpz[]){1000000}) > 0)
            return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "column %u: round takes at most 1000000 places", at->pos + 1);
        scale = cc_real_powi(r, cc_real_si(r, 10), fmpz_get_si(fmpq_numref(places->q)));
    }
    return cc_val_real(out, cc_real_div(r, round_even(r, cc_real_mul(r, a[0].re, scale)), scale));
}

static int logarithm(cc_calc *c, const cc_val *x, slong base, cc_val *out) {
    cc_val b = {.kind = CC_V_NUMBER, .re = cc_real_si(&c->r, base)};
    return !b.re || cc_val_log(c, x, out) || cc_val_log(c, &b, &b) ? -1 : cc_val_div(c, out, &b, out);
}

static int call_log(cc_calc *c, const cc_val *a, size_t n, cc_val *out) {
    cc_val b;
    if (cc_val_log(c, &a[0], out)) return -1;
    if (n == 1) return 0;
    if (cc_val_log(c, &a[1], &b)) return -1;
    int sign;
    if (!b.im && !cc_real_try_sign(&c->r, b.re, &sign) && sign == 0)
        return cc_error_set(c->err, CC_VALIDATION, "a logarithm to base 1 is not defined");
    return cc_val_div(c, out, &b, out);
}

static int call_root(cc_calc *c, const cc_node *at, cc_val *a, cc_val *out) {
    cc_reals *r = &c->r;
    cc_real *index;
    int sign;
    if (cc_val_settle(c, &a[0]) || cc_val_integer(c, at, "the index of a root", &a[1], &index)) return -1;
    if (fmpz_sgn(fmpq_numref(index->q)) <= 0 || fmpz_cmp_ui(fmpq_numref(index->q), 1000000) > 0)
        return cc_error_set(c->err, CC_VALIDATION, "column %u: the index of a root is an integer from 1 to 1000000", at->pos + 1);
    long k = fmpz_get_si(fmpq_numref(index->q));
    if (!a[0].im) {
        if (cc_real_sign(r, a[0].re, &sign)) return -1;
        if (sign >= 0 || k % 2) return cc_val_real(out, cc_real_root(r, a[0].re, k));
    }
    cc_val e = {.kind = CC_V_NUMBER, .re = cc_real_frac(r, 1, (ulong)k)};
    return e.re ? cc_val_pow(c, &a[0], &e, out) : -1;
}

// ---- many values ----

static int sum(cc_calc *c, const cc_val *a, size_t n, cc_val *out) {
    if (cc_val_real(out, cc_real_si(&c->r, 0))) return -1;
    for (size_t i = 0; i < n; i++)
        if (cc_reals_poll(&c->r) || cc_val_add(c, out, &a[i], out)) return -1;
    return 0;
}

static int product(cc_calc *c, const cc_val *a, size_t n, cc_val *out) {
    if (cc_val_real(out, cc_real_si(&c->r, 1))) return -1;
    for (size_t i = 0; i < n; i++)
        if (cc_reals_poll(&c->r) || cc_val_mul(c, out, &a[i], out)) return -1;
    return 0;
}

// -1, 0, 1 by value; undecided is an error.
static int order(cc_calc *c, cc_val *a, cc_val *b, int *sign) {
    bool decided;
    if (cc_val_need_real(c, "an order", a) || cc_val_need_real(c, "an order", b) || cc_val_order(c, a, b, sign, &decided)) return -1;
    if (!decided)
        return cc_error_set(c->err, CC_VALIDATION,
                            "could not decide which of two numbers is larger (tried exact algebra and enclosures of %ld bits)",
                            CC_SIGN_PREC);
    return 0;
}

static int extreme(cc_calc *c, cc_val *a, size_t n, int wanted, cc_val *out) {
    if (cc_val_need_real(c, "min or max", &a[0])) return -1;
    *out = a[0];
    for (size_t i = 1; i < n; i++) {
        int sign;
        if (order(c, &a[i], out, &sign)) return -1;
        if (sign == wanted) *out = a[i];
    }
    return 0;
}

static int median(cc_calc *c, cc_val *a, size_t n, cc_val *out) {
    for (size_t i = 1; i < n; i++) // insertion sort: comparing can fail, and the lists are short
        for (size_t j = i; j > 0; j--) {
            int sign;
            if (order(c, &a[j - 1], &a[j], &sign)) return -1;
            if (sign <= 0) break;
            cc_val t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    if (n % 2) {
        *out = a[n / 2];
        return 0;
    }
    cc_real *s = cc_real_add(&c->r, a[n / 2 - 1].re, a[n / 2].re);
    return cc_val_real(out, cc_real_mul(&c->r, cc_real_frac(&c->r, 1, 2), s));
}

static int mean(cc_calc *c, const cc_val *a, size_t n, cc_val *out) {
    cc_val count = {.kind = CC_V_NUMBER, .re = cc_real_si(&c->r, (slong)n)};
    return !count.re || sum(c, a, n, out) ? -1 : cc_val_div(c, out, &count, out);
}

static int variance(cc_calc *c, cc_val *a, size_t n, size_t divisor, bool root, cc_val *out) {
    cc_reals *r = &c->r;
    cc_val m;
    if (divisor == 0) return cc_error_set(c->err, CC_VALIDATION, "a sample variance needs at least two values");
    for (size_t i = 0; i < n; i++)
        if (cc_val_need_real(c, "a variance", &a[i])) return -1;
    if (mean(c, a, n, &m)) return -1;
    cc_real *s = cc_real_si(r, 0);
    for (size_t i = 0; i < n && s; i++) s = cc_real_add(r, s, cc_real_powi(r, cc_real_sub(r, a[i].re, m.re), 2));
    s = cc_real_mul(r, s, cc_real_frac(r, 1, divisor));
    return cc_val_real(out, root ? cc_real_root(r, s, 2) : s);
}

static int geometric_mean(cc_calc *c, cc_val *a, size_t n, cc_val *out) {
    for (size_t i = 0; i < n; i++) {
        int sign;
        if (cc_val_need_real(c, "a geometric mean", &a[i]) || cc_real_sign(&c->r, a[i].re, &sign)) return -1;
        if (sign <= 0) return cc_error_set(c->err, CC_VALIDATION, "a geometric mean needs positive numbers");
    }
    return product(c, a, n, out) ? -1 : cc_val_real(out, cc_real_root(&c->r, out->re, (long)n));
}

static int hypot_of(cc_calc *c, cc_val *a, size_t n, cc_val *out) {
    cc_reals *r = &c->r;
    cc_real *s = cc_real_si(r, 0);
    for (size_t i = 0; i < n && s; i++) {
        if (cc_val_need_real(c, "hypot", &a[i])) return -1;
        s = cc_real_add(r, s, cc_real_powi(r, a[i].re, 2));
    }
    return cc_val_real(out, cc_real_root(r, s, 2));
}

// ---- special functions of a real number ----

static int special(cc_calc *c, const char *name, cc_real_op op, cc_val *a, cc_val *out) {
    int sign = 1;
    if (cc_val_need_real(c, name, a)) return -1;
    cc_real_find_rat(&c->r, a->re);
    if (op == CC_R_ZETA && cc_real_is_int(a->re) && fmpz_is_one(fmpq_numref(a->re->q)))
        return cc_error_set(c->err, CC_VALIDATION, "zeta has a pole at 1");
    if (op == CC_R_ZETA) {
        cc_real *low = cc_real_add(&c->r, a->re, cc_real_si(&c->r, 100000));
        if (!low || cc_real_sign(&c->r, low, &sign)) return -1;
        if (sign < 0) return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "zeta below -100000 is too large to enclose in reasonable time");
    }
    if (op == CC_R_LGAMMA || op == CC_R_DIGAMMA || op == CC_R_GAMMA) {
        if (cc_real_sign(&c->r, a->re, &sign)) return -1;
        if (sign <= 0 && cc_real_is_int(a->re))
            return cc_error_set(c->err, CC_VALIDATION, "%s has a pole at 0 and at negative integers", name);
        if (sign < 0 && op == CC_R_LGAMMA) return cc_error_set(c->err, CC_VALIDATION, "lgamma needs a positive number");
    }
    return cc_val_real(out, cc_real_func(&c->r, op, a->re));
}

static int beta(cc_calc *c, cc_val *a, cc_val *out) {
    cc_val x, y, s;
    if (cc_val_need_real(c, "beta", &a[0]) || cc_val_need_real(c, "beta", &a[1]) || cc_val_add(c, &a[0], &a[1], &s)) return -1;
    if (special(c, "gamma", CC_R_GAMMA, &a[0], &x) || special(c, "gamma", CC_R_GAMMA, &a[1], &y) || special(c, "gamma", CC_R_GAMMA, &s, &s))
        return -1;
    return cc_val_mul(c, &x, &y, out) ? -1 : cc_val_div(c, out, &s, out);
}

static int call_pow(cc_calc *c, const cc_node *at, cc_val *a, size_t n, cc_val *out) {
    if (n == 2) return cc_val_pow(c, &a[0], &a[1], out);
    cc_node mod = *at;
    mod.text = CC_STR("powmod");
    bool found;
    return cc_calc_call_integer(c, &mod, a, n, out, &found);
}

static int two_reals(cc_calc *c, const char *name, cc_val *a) {
    return cc_val_need_real(c, name, &a[0]) || cc_val_need_real(c, name, &a[1]) ? -1 : 0;
}

static int divmod(cc_calc *c, cc_val *a, cc_val *out) {
    if (two_reals(c, "divmod", a)) return -1;
    *out = (cc_val){.kind = CC_V_LIST, .n = 2, .items = CC_ARENA_ARRAY(c->arena, cc_val, 2)};
    return cc_val_real(&out->items[0], cc_real_floordiv(&c->r, a[0].re, a[1].re)) ||
                   cc_val_real(&out->items[1], cc_real_mod(&c->r, a[0].re, a[1].re))
               ? -1
               : 0;
}

static int sign_of(cc_calc *c, cc_val *a, cc_val *out) {
    int sign;
    if (cc_val_need_real(c, "sign", a) || cc_real_sign(&c->r, a->re, &sign)) return -1;
    return cc_val_real(out, cc_real_si(&c->r, sign));
}

static int clamp(cc_calc *c, cc_val *a, cc_val *out) {
    int below, above, bounds;
    if (order(c, &a[1], &a[2], &bounds) || order(c, &a[0], &a[1], &below) || order(c, &a[0], &a[2], &above)) return -1;
    if (bounds > 0) return cc_error_set(c->err, CC_VALIDATION, "clamp(x, low, high): low is above high");
    *out = below < 0 ? a[1] : above > 0 ? a[2] : a[0];
    return 0;
}

static int shifted(cc_calc *c, const cc_val *a, slong by, cc_val *out) {
    cc_val k = {.kind = CC_V_NUMBER, .re = cc_real_si(&c->r, by)};
    return k.re ? cc_val_add(c, a, &k, out) : -1;
}

int cc_calc_call(cc_calc *c, const cc_node *at, cc_val *a, size_t n, cc_val *out) {
    cc_reals *r = &c->r;
    size_t i = find(at->text);
    if (i == CC_ARRAY_LEN(table)) {
        bool found;
        if (cc_calc_call_integer(c, at, a, n, out, &found)) return -1;
        if (found) return 0;
        const char *near = cc_calc_nearest_function(at->text);
        return cc_error_set(c->err, CC_VALIDATION, "column %u: unknown function '%.*s'%s%s%s", at->pos + 1,
                            (int)(at->text.n < 60 ? at->text.n : 60), at->text.p, near ? "; did you mean " : "", near ? near : "",
                            near ? "?" : "");
    }
    const char *name = table[i].name;
    cc_real_op op = (cc_real_op)table[i].op;
    if (cc_calc_arity(c, at, n, table[i].min ? table[i].min : 1, table[i].max)) return -1;
    cc_val unit = {.kind = CC_V_NUMBER, .re = cc_real_si(r, 1)}, t;
    switch (table[i].fn) {
    case F_SQRT: return cc_val_settle(c, a) ? -1 : cc_val_sqrt(c, a, out);
    case F_CBRT: return cc_val_need_real(c, name, a) ? -1 : cc_val_real(out, cc_real_root(r, a->re, 3));
    case F_ROOT: return call_root(c, at, a, out);
    case F_EXP: return cc_val_exp(c, a, out);
    case F_EXP2: return cc_val_real(&t, cc_real_si(r, 2)) ? -1 : cc_val_pow(c, &t, a, out);
    case F_EXPM1: return cc_val_exp(c, a, out) ? -1 : shifted(c, out, -1, out);
    case F_LN:
    case F_LOG: return cc_val_settle(c, a) ? -1 : call_log(c, a, n, out);
    case F_LOG2: return cc_val_settle(c, a) ? -1 : logarithm(c, a, 2, out);
    case F_LOG10: return cc_val_settle(c, a) ? -1 : logarithm(c, a, 10, out);
    case F_LOG1P: return shifted(c, a, 1, &t) || cc_val_settle(c, &t) ? -1 : cc_val_log(c, &t, out);
    case F_ELEMENTARY: return cc_val_elementary(c, op, a, out);
    case F_RECIPROCAL:
        if (op == CC_R_TAN) { // cos/sin, which has a value where tan has a pole
            if (cc_val_elementary(c, CC_R_COS, a, &unit)) return -1;
            op = CC_R_SIN;
        }
        return cc_val_elementary(c, op, a, &t) ? -1 : cc_val_div(c, &unit, &t, out);
    case F_ATAN2: return two_reals(c, name, a) ? -1 : cc_val_real(out, cc_real_atan2(c, a[0].re, a[1].re));
    case F_DEGREES:
        return cc_val_need_real(c, name, a) ? -1
                                            : cc_val_real(out, cc_real_div(r, cc_real_mul_si(r, a->re, 180), cc_real_const(r, CC_R_PI)));
    case F_RADIANS:
        return cc_val_need_real(c, name, a)
                   ? -1
                   : cc_val_real(out, cc_real_mul(r, cc_real_mul(r, cc_real_frac(r, 1, 180), cc_real_const(r, CC_R_PI)), a->re));
    case F_HYPOT: return hypot_of(c, a, n, out);
    case F_ABS: return cc_val_settle(c, a) ? -1 : cc_val_abs(c, a, out);
    case F_FLOOR: return cc_val_need_real(c, name, a) ? -1 : cc_val_real(out, cc_real_floor(r, a->re));
    case F_CEIL: return cc_val_need_real(c, name, a) ? -1 : cc_val_real(out, ceiling(r, a->re));
    case F_ROUND: return call_round(c, at, a, n, out);
    case F_TRUNC: return cc_val_need_real(c, name, a) ? -1 : cc_val_real(out, toward_zero(r, a->re));
    case F_FRAC: return cc_val_need_real(c, name, a) ? -1 : cc_val_real(out, cc_real_sub(r, a->re, toward_zero(r, a->re)));
    case F_SIGN: return sign_of(c, a, out);
    case F_MIN: return extreme(c, a, n, -1, out);
    case F_MAX: return extreme(c, a, n, 1, out);
    case F_CLAMP: return clamp(c, a, out);
    case F_SUM: return sum(c, a, n, out);
    case F_PROD: return product(c, a, n, out);
    case F_GAMMA: return special(c, name, CC_R_GAMMA, a, out);
    case F_SPECIAL: return special(c, name, op, a, out);
    case F_BETA: return beta(c, a, out);
    case F_MOD: return two_reals(c, name, a) ? -1 : cc_val_real(out, cc_real_mod(r, a[0].re, a[1].re));
    case F_FMOD: // the sign of the dividend, as in C
        if (two_reals(c, name, a)) return -1;
        return cc_val_real(out, cc_real_sub(r, a[0].re, cc_real_mul(r, a[1].re, toward_zero(r, cc_real_div(r, a[0].re, a[1].re)))));
    case F_DIVMOD: return divmod(c, a, out);
    case F_POW: return call_pow(c, at, a, n, out);
    case F_RE: return cc_val_real(out, a->re);
    case F_IM: return cc_val_real(out, a->im ? a->im : cc_real_si(r, 0));
    case F_ARG: return cc_val_settle(c, a) ? -1 : cc_val_arg(c, a, out);
    case F_CONJ: return a->im ? cc_val_pair(c, out, a->re, cc_real_neg(r, a->im)) : cc_val_real(out, a->re);
    case F_MEAN: return mean(c, a, n, out);
    case F_MEDIAN: return median(c, a, n, out);
    case F_VARIANCE:
    case F_STDEV: return variance(c, a, n, n - 1, table[i].fn == F_STDEV, out);
    case F_PVARIANCE:
    case F_PSTDEV: return variance(c, a, n, n, table[i].fn == F_PSTDEV, out);
    case F_GMEAN: return geometric_mean(c, a, n, out);
    }
    return -1;
}
