// Series of functions at arguments that are series: by Taylor's theorem where the function is analytic, by its own laws elsewhere
// (singular.c). Called by expand.c. Each rule holds for real w → 0+; a point where no rule is proven to hold gives "not found".
#include "math/series/series.h"

#define MOST_TAYLOR 24 // terms where every one is a derivative taken by hand

// Expands an expression that a law gives for f; it holds w through the arguments of f.
bool cc_ps_by_law(const cc_ps_context *s, cc_xp law, cc_ps *out, bool *more) { return law && cc_ps_expand(s, law, out, more); }

// ---- analytic points ----

// Where a constant lies, as far as it is proven.
typedef struct place {
    bool above0, above1, inside, off_axis, off_other; // > 0; > 1; |c0| < 1; not on the real axis; not on the imaginary one
} place;

static place place_of(cc_alg *g, cc_xp c0) {
    cc_xp re = cc_x_f1(g, CC_F_RE, c0), im = cc_x_f1(g, CC_F_IM, c0), size = cc_x_add(g, cc_x_powi(g, re, 2), cc_x_powi(g, im, 2));
    return (place){
        .above0 = cc_tail_fact(g, c0, CC_IS_POSITIVE) == CC_TRUE,
        .above1 = cc_tail_fact(g, cc_x_sub(g, c0, g->one), CC_IS_POSITIVE) == CC_TRUE,
        .inside = cc_tail_fact(g, cc_x_sub(g, g->one, size), CC_IS_POSITIVE) == CC_TRUE,
        .off_axis = cc_tail_fact(g, im, CC_IS_NONZERO) == CC_TRUE,
        .off_other = cc_tail_fact(g, re, CC_IS_NONZERO) == CC_TRUE,
    };
}

// True when the function is analytic around c0, along the real axis at least where the series is real. Parameters are taken to be in
// general position.
static bool analytic(const cc_ps_context *s, cc_xfn fn, cc_xp c0, bool real) {
    cc_alg *g = s->g;
    bool constant = cc_x_is_constant(c0);
    place at = constant ? place_of(g, c0) : (place){.above0 = cc_tail_fact(g, c0, CC_IS_POSITIVE) == CC_TRUE};
    switch (fn) {
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI:
    case CC_F_SI:
    case CC_F_SHI:
    case CC_F_FRESNELS:
    case CC_F_FRESNELC:
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_AIRYAIPRIME:
    case CC_F_AIRYBIPRIME:
    case CC_F_SINC: return true;
    case CC_F_ATAN:
    case CC_F_ASINH: return at.inside || at.off_other || (real && cc_tail_fact(g, c0, CC_IS_REAL) != CC_FALSE) || at.above0;
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ATANH: return constant ? at.inside || at.off_axis : real;
    case CC_F_ACOSH: return !constant || at.above1 || at.off_axis;
    case CC_F_GAMMA:
    case CC_F_DIGAMMA:
    case CC_F_FACTORIAL: return !constant || at.above0 || cc_tail_fact(g, c0, CC_IS_INTEGER) == CC_FALSE;
    case CC_F_LOGGAMMA:
    case CC_F_CI:
    case CC_F_CHI:
    case CC_F_LOWERGAMMA:
    case CC_F_UPPERGAMMA:
    case CC_F_BESSELY:
    case CC_F_BESSELK:
    case CC_F_BESSELJ:
    case CC_F_BESSELI: return !constant || at.above0 || at.off_axis;
    case CC_F_POLYGAMMA: return !constant || at.above0;
    case CC_F_EI: return !constant || at.above0 || at.off_axis || (real && cc_tail_fact(g, c0, CC_IS_NONZERO) == CC_TRUE);
    case CC_F_LI: return !constant || (at.above0 && cc_tail_is_zero(g, cc_x_sub(g, c0, g->one)) == CC_FALSE);
    case CC_F_HYPER: return c0 == g->zero;
    case CC_F_ZETA: return !constant || cc_tail_is_zero(g, cc_x_sub(g, c0, g->one)) == CC_FALSE;
    case CC_F_LAMBERTW: // branch 0, right of -1/e
        return !constant || cc_tail_fact(g, cc_x_add(g, c0, cc_x_exp(g, g->minus_one)), CC_IS_POSITIVE) == CC_TRUE;
    case CC_F_POLYLOG:
    case CC_F_ELLIPTIC_K:
    case CC_F_ELLIPTIC_E: return !constant || at.off_axis || cc_tail_fact(g, cc_x_sub(g, g->one, c0), CC_IS_POSITIVE) == CC_TRUE;
    default: return false;
    }
}

bool cc_ps_is_real(const cc_ps_context *s, const cc_ps *a) {
    for (size_t i = 0; i < a->n; i++)
        if (cc_tail_fact(s->g, a->c[i], CC_IS_REAL) == CC_FALSE) return false;
    return true;
}

// All terms that are known are real.
static bool surely_real(const cc_ps_context *s, const cc_ps *a) {
    for (size_t i = 0; i < a->n; i++)
        if (cc_tail_fact(s->g, a->c[i], CC_IS_REAL) != CC_TRUE) return false;
    return true;
}

// Taylor in the argument number `at`; the others are constants.
bool cc_ps_taylor(const cc_ps_context *s, cc_xp f, size_t at, cc_xp c0, const cc_ps *u, cc_ps *out) {
    cc_alg *g = s->g;
    cc_xp t = cc_x_dummy(g, "t", 0), *args = CC_ARENA_ARRAY(g->arena, cc_xp, f->n);
    for (size_t i = 0; i < f->n; i++) args[i] = i == at ? t : f->args[i];
    cc_xp d = cc_x_rebuild(g, f, args), factorial = g->one;
    size_t n = s->keep + 1 < MOST_TAYLOR ? s->keep + 1 : MOST_TAYLOR;
    cc_xp *coefficients = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t k = 0; k < n; k++) {
        if (!d || !cc_alg_may_search(g)) return false;
        cc_xp value = cc_x_subs(g, d, t, c0);
        if (!value || !value->finite) return false;
        coefficients[k] = cc_x_div(g, value, factorial);
        factorial = cc_x_mul(g, factorial, cc_x_int(g, (slong)k + 1));
        d = cc_tail_diff(g, d, t);
    }
    *out = cc_ps_compose(s, coefficients, n, u);
    return true;
}

// sin and cos, sinh and cosh of c0 + u.
static bool circular(const cc_ps_context *s, bool hyperbolic, bool cosine, cc_xp c0, const cc_ps *u, cc_ps *out) {
    cc_alg *g = s->g;
    cc_xfn sine_fn = hyperbolic ? CC_F_SINH : CC_F_SIN, cosine_fn = hyperbolic ? CC_F_COSH : CC_F_COS;
    cc_xp sine = cc_x_f1(g, sine_fn, c0), cosine_value = cc_x_f1(g, cosine_fn, c0), factorial = g->one;
    size_t n = s->keep < 2 ? 4 : 2 * s->keep + 1;
    if (n > 100) n = 100;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t k = 0; k < n; k++) {
        cc_xp value = (k % 2 == 1) != cosine ? cosine_value : sine;
        bool minus = !hyperbolic && (cosine ? (k % 4 == 1 || k % 4 == 2) : (k % 4 == 2 || k % 4 == 3));
        t[k] = cc_x_div(g, minus ? cc_x_neg(g, value) : value, factorial);
        factorial = cc_x_mul(g, factorial, cc_x_int(g, (slong)k + 1));
    }
    *out = cc_ps_compose(s, t, n, u);
    return sine && cosine_value;
}

// f(c0) + the integral of f'(a) a' for functions whose derivative is algebraic.
static bool by_integral(const cc_ps_context *s, cc_xp at_c0, const cc_ps *derivative, const cc_ps *a, cc_ps *out) {
    cc_ps da = cc_ps_derivative(s, a), d = cc_ps_mul(s, derivative, &da), rest, c = cc_ps_constant(s, at_c0);
    if (!cc_ps_integral(s, &d, &rest)) return false;
    *out = cc_ps_add(s, &c, &rest);
    return true;
}

// An inverse function at a → c0, where it is at_c0, from its derivative (1 ± a**2)**power times sign.
bool cc_ps_inverse(const cc_ps_context *s, cc_xfn fn, cc_xp at_c0, const cc_ps *a, cc_ps *out) {
    cc_alg *g = s->g;
    bool plus = fn == CC_F_ATAN || fn == CC_F_ASINH, root = fn != CC_F_ATAN && fn != CC_F_ATANH;
    cc_ps square = cc_ps_mul(s, a, a), one = cc_ps_constant(s, g->one), inner, d;
    square = cc_ps_scale(s, &square, plus ? g->one : g->minus_one, g->zero);
    inner = cc_ps_add(s, &one, &square);
    if (!cc_ps_power(s, &inner, root ? cc_x_frac(g, -1, 2) : g->minus_one, &d)) return false;
    if (fn == CC_F_ACOS) d = cc_ps_scale(s, &d, g->minus_one, g->zero);
    return by_integral(s, at_c0, &d, a, out);
}

// ---- signs and steps ----

// The sign of a real series near 0; 2 = unknown.
int cc_ps_series_sign(const cc_ps_context *s, const cc_ps *a, bool *more) {
    cc_ps x = *a;
    if (!cc_ps_settle(s, &x)) {
        if (!x.n) *more = true;
        return 2;
    }
    if (x.n && x.e[0] != s->g->zero && s->one_sided) *s->one_sided = true;
    return x.n ? cc_ps_sign(s, x.c[0]) : 0;
}

static bool step_function(const cc_ps_context *s, cc_xfn fn, const cc_ps *a, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_xp c0;
    cc_ps u;
    if (!cc_ps_split(s, a, &c0, &u) || !cc_x_is_constant(c0) || !surely_real(s, a)) return false;
    cc_xp value = cc_x_f1(g, fn == CC_F_FRAC ? CC_F_FLOOR : fn, c0);
    if (!cc_x_is_int(value)) return false;
    cc_truth whole = cc_tail_is_zero(g, cc_x_sub(g, c0, value));
    if (whole == CC_UNDECIDED) return false;
    if (whole == CC_TRUE) { // at a step: from which side?
        int sign = cc_ps_series_sign(s, &u, more);
        if (sign == 2) return false;
        if (fn == CC_F_CEIL ? sign > 0 : sign < 0) value = cc_x_add(g, value, cc_x_int(g, sign));
    }
    *out = cc_ps_constant(s, value);
    if (fn != CC_F_FRAC) return true;
    cc_ps minus = cc_ps_scale(s, out, g->minus_one, g->zero);
    *out = cc_ps_add(s, a, &minus);
    return true;
}

static cc_ps conjugated(const cc_ps_context *s, const cc_ps *a) {
    cc_ps out = {CC_ARENA_ARRAY(s->g->arena, cc_xp, a->n + 1), a->e, a->n, a->order};
    for (size_t i = 0; i < a->n; i++) out.c[i] = cc_x_f1(s->g, CC_F_CONJUGATE, a->c[i]);
    return out;
}

static bool absolute(const cc_ps_context *s, const cc_ps *a, cc_ps *out, bool *more) {
    int sign = cc_ps_is_real(s, a) ? cc_ps_series_sign(s, a, more) : 2;
    if (sign != 2) {
        *out = cc_ps_scale(s, a, cc_x_int(s->g, sign), s->g->zero);
        return true;
    }
    cc_ps x = *a;
    if (!cc_ps_settle(s, &x)) return false;
    cc_ps other = conjugated(s, a), square = cc_ps_mul(s, a, &other);
    return cc_ps_power(s, &square, s->g->half, out);
}

static bool choose(const cc_ps_context *s, cc_xp f, const cc_ps *args, cc_ps *out, bool *more) { // Max, Min
    cc_alg *g = s->g;
    *out = args[0];
    for (size_t i = 1; i < f->n; i++) {
        cc_ps minus = cc_ps_scale(s, out, g->minus_one, g->zero), d = cc_ps_add(s, &args[i], &minus);
        int sign = cc_ps_series_sign(s, &d, more);
        if (sign == 2) return false;
        if (f->fn == CC_F_MAX ? sign > 0 : sign < 0) *out = args[i];
    }
    return true;
}

// Whether a condition holds for all small w > 0.
static cc_truth holds(const cc_ps_context *s, cc_xp condition, bool *more) {
    cc_alg *g = s->g;
    if (condition == g->yes) return CC_TRUE;
    if (condition == g->no) return CC_FALSE;
    if (condition->kind == CC_X_AND || condition->kind == CC_X_OR) {
        cc_truth out = condition->kind == CC_X_AND ? CC_TRUE : CC_FALSE, stop = condition->kind == CC_X_AND ? CC_FALSE : CC_TRUE;
        for (size_t i = 0; i < condition->n; i++) {
            cc_truth t = holds(s, condition->args[i], more);
            if (t == stop) return stop;
            if (t == CC_UNDECIDED) out = CC_UNDECIDED;
        }
        return out;
    }
    if (condition->kind == CC_X_NOT) {
        cc_truth t = holds(s, condition->args[0], more);
        return t == CC_UNDECIDED ? t : t == CC_TRUE ? CC_FALSE : CC_TRUE;
    }
    cc_ps d;
    if (condition->kind != CC_X_REL || !cc_ps_expand(s, cc_x_sub(g, condition->args[0], condition->args[1]), &d, more)) return CC_UNDECIDED;
    int sign = cc_ps_series_sign(s, &d, more);
    if (sign == 2) return CC_UNDECIDED;
    switch ((cc_xrel)condition->konst) {
    case CC_REL_EQ: return sign == 0 ? CC_TRUE : CC_FALSE;
    case CC_REL_NE: return sign != 0 ? CC_TRUE : CC_FALSE;
    case CC_REL_LT: return sign < 0 ? CC_TRUE : CC_FALSE;
    case CC_REL_LE: return sign <= 0 ? CC_TRUE : CC_FALSE;
    }
    return CC_UNDECIDED;
}

static bool piecewise(const cc_ps_context *s, cc_xp f, cc_ps *out, bool *more) {
    for (size_t i = 0; i + 1 < f->n; i += 2) {
        cc_truth t = holds(s, f->args[i + 1], more);
        if (t == CC_UNDECIDED) return false;
        if (t == CC_TRUE) return cc_ps_expand(s, f->args[i], out, more);
    }
    return false;
}

static bool angle(const cc_ps_context *s, cc_xp f, const cc_ps *y, const cc_ps *x, cc_ps *out, bool *more) { // atan2(y, x)
    cc_alg *g = s->g;
    int sy = cc_ps_series_sign(s, y, more), sx = cc_ps_series_sign(s, x, more);
    if (sx == 2 && (sy == 1 || sy == -1)) { // ±pi/2 - atan(x/y)
        cc_xp quarter = cc_x_mul(g, cc_x_frac(g, sy, 2), g->pi), rest = cc_x_f1(g, CC_F_ATAN, cc_x_div(g, f->args[1], f->args[0]));
        return cc_ps_is_real(s, x) && cc_ps_by_law(s, cc_x_sub(g, quarter, rest), out, more);
    }
    if (sy == 2 || sx == 2 || (sy == 0 && sx == 0)) return false;
    if (sx == 0) {
        *out = cc_ps_constant(s, cc_x_mul(g, cc_x_frac(g, sy, 2), g->pi));
        return true;
    }
    cc_ps ratio, inverse_x;
    if (!cc_ps_power(s, x, g->minus_one, &inverse_x)) return false;
    ratio = cc_ps_mul(s, y, &inverse_x);
    cc_xp atan = cc_x_f1(g, CC_F_ATAN, cc_x_div(g, f->args[0], f->args[1]));
    cc_ps turn = cc_ps_constant(s, sx > 0 ? g->zero : sy < 0 ? cc_x_neg(g, g->pi) : g->pi);
    if (atan->kind != CC_X_FUN || atan->fn != CC_F_ATAN) {
        if (!cc_ps_expand(s, atan, out, more)) return false;
    } else if (!cc_ps_function(s, atan, &ratio, out, more)) {
        return false;
    }
    *out = cc_ps_add(s, out, &turn);
    return true;
}

// ---- the table ----

// harmonic(z) = digamma(z + 1) + EulerGamma; harmonic(z, m) = zeta(m) + (-1)**(m-1)/(m-1)! polygamma(m - 1, z + 1) for whole m >= 2.
cc_xp cc_harmonic_law(cc_alg *g, cc_xp f) {
    cc_xp up = cc_x_add(g, f->args[0], g->one);
    slong m;
    if (f->n == 1) return cc_x_add(g, cc_x_f1(g, CC_F_DIGAMMA, up), cc_x_const(g, CC_K_EULER_GAMMA));
    if (!cc_x_fits_si(f->args[1], &m) || m < 2 || m > 50) return NULL;
    cc_xp rest = cc_x_div(g, cc_x_f2(g, CC_F_POLYGAMMA, cc_x_int(g, m - 1), up), cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, m - 1)));
    return cc_x_add(g, cc_x_f1(g, CC_F_ZETA, f->args[1]), m % 2 ? rest : cc_x_neg(g, rest));
}

// Functions that are others in disguise.
static cc_xp law_of(cc_alg *g, cc_xp f) {
    cc_xp a = f->args[0], b = f->n > 1 ? f->args[1] : NULL;
    switch (f->fn) {
    case CC_F_TAN: return cc_x_mul(g, cc_x_f1(g, CC_F_SIN, a), cc_x_powi(g, cc_x_f1(g, CC_F_COS, a), -1));
    case CC_F_COT: return cc_x_mul(g, cc_x_f1(g, CC_F_COS, a), cc_x_powi(g, cc_x_f1(g, CC_F_SIN, a), -1));
    case CC_F_SEC: return cc_x_powi(g, cc_x_f1(g, CC_F_COS, a), -1);
    case CC_F_CSC: return cc_x_powi(g, cc_x_f1(g, CC_F_SIN, a), -1);
    case CC_F_TANH: return cc_x_mul(g, cc_x_f1(g, CC_F_SINH, a), cc_x_powi(g, cc_x_f1(g, CC_F_COSH, a), -1));
    case CC_F_COTH: return cc_x_mul(g, cc_x_f1(g, CC_F_COSH, a), cc_x_powi(g, cc_x_f1(g, CC_F_SINH, a), -1));
    case CC_F_SECH: return cc_x_powi(g, cc_x_f1(g, CC_F_COSH, a), -1);
    case CC_F_CSCH: return cc_x_powi(g, cc_x_f1(g, CC_F_SINH, a), -1);
    case CC_F_ACOT: return cc_x_f1(g, CC_F_ATAN, cc_x_div(g, g->one, a));
    case CC_F_ASEC: return cc_x_f1(g, CC_F_ACOS, cc_x_div(g, g->one, a));
    case CC_F_ACSC: return cc_x_f1(g, CC_F_ASIN, cc_x_div(g, g->one, a));
    case CC_F_ACOTH: return cc_x_f1(g, CC_F_ATANH, cc_x_div(g, g->one, a));
    case CC_F_ASECH: return cc_x_f1(g, CC_F_ACOSH, cc_x_div(g, g->one, a));
    case CC_F_ACSCH: return cc_x_f1(g, CC_F_ASINH, cc_x_div(g, g->one, a));
    case CC_F_SINC: return cc_x_div(g, cc_x_f1(g, CC_F_SIN, a), a);
    case CC_F_FACTORIAL: return cc_x_f1(g, CC_F_GAMMA, cc_x_add(g, a, g->one));
    case CC_F_BINOMIAL:
    case CC_F_RISING:
    case CC_F_FALLING:
    case CC_F_BETA: return cc_x_rewrite(g, f, CC_REWRITE_GAMMA);
    case CC_F_HARMONIC: return cc_harmonic_law(g, f);
    case CC_F_MOD: return cc_x_sub(g, a, cc_x_mul(g, b, cc_x_f1(g, CC_F_FLOOR, cc_x_div(g, a, b))));
    default: return NULL;
    }
}

// sum (-k)**(k-1)/k! u**k
static bool lambert_at_zero(const cc_ps_context *s, const cc_ps *u, cc_ps *out) {
    cc_alg *g = s->g;
    size_t n = s->keep + 1;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    t[0] = g->zero;
    for (size_t k = 1; k < n; k++) {
        cc_xp j = cc_x_int(g, (slong)k);
        t[k] = cc_x_div(g, cc_x_powi(g, cc_x_neg(g, j), (slong)k - 1), cc_x_f1(g, CC_F_FACTORIAL, j));
    }
    *out = cc_ps_compose(s, t, n, u);
    return true;
}

// sum u**k/k**n
static bool polylog_at_zero(const cc_ps_context *s, cc_xp order, const cc_ps *u, cc_ps *out) {
    cc_alg *g = s->g;
    size_t n = s->keep + 1;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    t[0] = g->zero;
    for (size_t k = 1; k < n; k++) t[k] = cc_x_pow(g, cc_x_int(g, (slong)k), cc_x_neg(g, order));
    *out = cc_ps_compose(s, t, n, u);
    return true;
}

static bool ordinary(const cc_ps_context *s, cc_xp f, const cc_ps *a, cc_xp c0, const cc_ps *u, cc_ps *out) {
    cc_alg *g = s->g;
    switch (f->fn) {
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_SINH:
    case CC_F_COSH: return circular(s, f->fn == CC_F_SINH || f->fn == CC_F_COSH, f->fn == CC_F_COS || f->fn == CC_F_COSH, c0, u, out);
    case CC_F_ATAN:
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ASINH:
    case CC_F_ATANH:
        if (!s->x && cc_ps_inverse(s, (cc_xfn)f->fn, cc_x_f1(g, (cc_xfn)f->fn, c0), a, out)) return true;
        return cc_ps_taylor(s, f, 0, c0, u, out);
    case CC_F_LAMBERTW: return c0 == s->g->zero && f->n == 1 ? lambert_at_zero(s, u, out) : cc_ps_taylor(s, f, f->n - 1, c0, u, out);
    case CC_F_POLYLOG: return c0 == s->g->zero ? polylog_at_zero(s, f->args[0], u, out) : cc_ps_taylor(s, f, f->n - 1, c0, u, out);
    default: return cc_ps_taylor(s, f, f->n - 1, c0, u, out);
    }
}

bool cc_ps_function(const cc_ps_context *s, cc_xp f, const cc_ps *args, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    cc_tail tail;
    const cc_ps *a = &args[f->n - 1];
    switch (f->fn) {
    case CC_F_PIECEWISE: return piecewise(s, f, out, more);
    case CC_F_ABS: return absolute(s, &args[0], out, more);
    case CC_F_SIGN:
    case CC_F_HEAVISIDE: {
        int sign = cc_ps_is_real(s, &args[0]) ? cc_ps_series_sign(s, &args[0], more) : 2;
        if (sign == 2) return false;
        cc_xp value = f->fn == CC_F_SIGN ? cc_x_int(g, sign) : sign > 0 ? g->one : sign < 0 ? g->zero : g->half;
        *out = cc_ps_constant(s, value);
        return true;
    }
    case CC_F_FLOOR:
    case CC_F_CEIL:
    case CC_F_FRAC: return step_function(s, (cc_xfn)f->fn, &args[0], out, more);
    case CC_F_MAX:
    case CC_F_MIN: return choose(s, f, args, out, more);
    case CC_F_ATAN2: return angle(s, f, &args[0], &args[1], out, more);
    case CC_F_CONJUGATE: *out = conjugated(s, &args[0]); return true;
    case CC_F_RE:
    case CC_F_IM: {
        cc_ps other = conjugated(s, &args[0]);
        if (f->fn == CC_F_IM) other = cc_ps_scale(s, &other, g->minus_one, g->zero);
        *out = cc_ps_add(s, &args[0], &other);
        *out = cc_ps_scale(s, out, f->fn == CC_F_RE ? g->half : cc_x_div(g, g->half, g->i), g->zero);
        return true;
    }
    default: break;
    }
    cc_xp law = law_of(g, f), c0;
    if (law) return cc_ps_by_law(s, law, out, more);
    for (size_t i = 0; i + 1 < f->n; i++)
        if (cc_x_has(f->args[i], s->w)) return false; // only the last argument may vary
    cc_ps u, x = *a;
    if (!cc_ps_settle(s, &x)) {
        if (!x.n) *more = true;
        return false;
    }
    if (cc_tail_is(f, &tail)) {
        if (cc_ps_split(s, a, &c0, &u)) return c0 != g->zero && cc_ps_taylor(s, f, f->n - 1, c0, &u, out);
        return cc_tail_series(s, f, a, out);
    }
    if (!cc_ps_split(s, a, &c0, &u)) return cc_ps_at_infinity(s, f, a, out, more);
    if (cc_x_has(c0, s->log_w) && s->log_w->kind == CC_X_SYM) return false;   // the argument grows like a logarithm
    if (f->fn == CC_F_EI && cc_tail_fact(g, c0, CC_IS_NEGATIVE) == CC_TRUE && // on its cut
        (!cc_ps_cut_is_seen(s, f->args[0], a, more) || !surely_real(s, a)))
        return false;
    bool entire = f->fn == CC_F_SIN || f->fn == CC_F_COS || f->fn == CC_F_SINH || f->fn == CC_F_COSH;
    if (!entire && cc_ps_oscillates(s, c0)) return false;
    if (entire || analytic(s, (cc_xfn)f->fn, c0, cc_ps_is_real(s, a))) return ordinary(s, f, a, c0, &u, out);
    return cc_ps_singular(s, f, a, c0, &u, out, more);
}
