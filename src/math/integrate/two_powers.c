// Two powers, of which one at least is no whole one, by the hypergeometric function: (a + b*v)**p * (c + d*v)**q times a polynomial, a
// power of a quadratic times a polynomial, and powers of sines and cosines. Called by search.c. Factors that are constant between branch
// points stay before the integral.
#include "math/integrate/integrate.h"

enum { MAX_DEGREE = 16 };

// The integral of u**m*(A + B*u)**q in u.
static cc_xp of_powers(cc_alg *g, cc_xp u, cc_xp m, cc_xp A, cc_xp B, cc_xp q) {
    cc_xp next = cc_x_add(g, m, g->one), z = cc_x_neg(g, cc_x_div(g, cc_x_mul(g, B, u), A));
    if (!next || next == g->zero || (cc_x_is_int(next) && cc_x_num_sign(next) < 0)) return NULL;
    cc_xp upper[] = {cc_x_neg(g, q), next}, lower[] = {cc_x_add(g, next, g->one)};
    cc_xp scale = cc_x_pow(g, A, q);
    if (!cc_x_is_int(q))
        scale = cc_x_mul(g, cc_x_pow(g, cc_x_add(g, A, cc_x_mul(g, B, u)), q), cc_x_pow(g, cc_x_sub(g, g->one, z), cc_x_neg(g, q)));
    return CC_PROD(g, cc_x_pow(g, u, next), cc_x_pow(g, next, g->minus_one), scale,
                   cc_x_fun(g, CC_F_HYPER, (const cc_xp[]){cc_x_list(g, upper, 2), cc_x_list(g, lower, 1), z}, 3));
}

// That of u**p*(A + B*u)**q times the polynomial P in v, v = (u - a)/b.
static cc_xp with_polynomial(cc_alg *g, cc_xp P, cc_xp v, cc_xp a, cc_xp b, cc_xp p, cc_xp A, cc_xp B, cc_xp q, cc_xp u) {
    cc_xp t = cc_x_dummy(g, "t", 0), c[MAX_DEGREE + 1], F = g->zero;
    if (!cc_int_polynomial(g, cc_x_subs(g, P, v, cc_x_div(g, cc_x_sub(g, t, a), b)), t, MAX_DEGREE, c)) return NULL;
    for (slong k = 0; k <= MAX_DEGREE; k++) {
        if (c[k] == g->zero) continue;
        cc_xp part = of_powers(g, u, cc_x_add(g, p, cc_x_int(g, k)), A, B, q);
        F = part ? cc_x_add(g, F, cc_x_mul(g, cc_int_normal(g, c[k], t), part)) : NULL;
        if (!F) return NULL;
    }
    return cc_x_div(g, F, b);
}

cc_xp cc_int_two_powers(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    cc_xp base[2], power[2], P = g->one, a[2], b[2], c;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        cc_xp x, e;
        cc_x_split_power(g, factors[i], &x, &e);
        if (!x || !e || !cc_int_free(e, v)) return NULL;
        if (cc_x_is_int(e) && cc_x_num_sign(e) > 0) {
            P = cc_x_mul(g, P, factors[i]);
        } else if (m < 2) {
            base[m] = x;
            power[m++] = e;
        } else {
            return NULL;
        }
    }
    if (m == 1 && !cc_x_is_num(power[0]) && cc_int_quadratic(g, base[0], v, &a[0], &b[0], &c)) {
        // c*u*(u + d), u = v - r
        cc_xp disc = cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, b[0], b[0]), CC_PROD(g, cc_x_int(g, 4), a[0], c)));
        cc_xp root = cc_int_square_root(g, disc), d = cc_x_div(g, root, c);
        cc_xp r = cc_x_div(g, cc_x_sub(g, root, b[0]), cc_x_mul(g, g->two, c)), u = cc_x_sub(g, v, r);
        if (!d || d == g->zero) return NULL;
        cc_xp sigma = CC_PROD(g, f, cc_x_pow(g, P, g->minus_one), cc_x_pow(g, u, cc_x_neg(g, power[0])),
                              cc_x_pow(g, cc_x_add(g, d, u), cc_x_neg(g, power[0])));
        return cc_x_mul(g, sigma, with_polynomial(g, P, v, cc_x_neg(g, r), g->one, power[0], d, g->one, power[0], u));
    }
    if (m != 2 || !cc_int_linear(g, base[0], v, &a[0], &b[0]) || !cc_int_linear(g, base[1], v, &a[1], &b[1])) return NULL;
    int first = cc_x_is_int(power[0]); // u has the power that is no whole one
    if (cc_x_is_int(power[first])) return NULL;
    int other = !first;
    cc_xp B = cc_x_div(g, b[other], b[first]), A = cc_int_normal(g, cc_x_sub(g, a[other], cc_x_mul(g, B, a[first])), v);
    if (!A || A == g->zero) return NULL;
    return with_polynomial(g, P, v, a[first], b[first], power[first], A, B, power[other], base[first]);
}

// ---- powers of sines and cosines ----

typedef struct waves {
    cc_xp w;           // the argument
    cc_xp s, c;        // exponents of sin(w) and cos(w)
    cc_xp plus, minus; // of 1 + t and 1 - t, t the sine or the cosine
    cc_xfn t;
    bool hyperbolic, general; // an exponent for which nothing else serves
} waves;

static bool add_wave(cc_alg *g, waves *x, cc_xp base, cc_xp e, cc_xp v) {
    static const struct {
        cc_xfn fn;
        int s, c;
        bool hyperbolic;
    } table[] = {{CC_F_SIN, 1, 0, false},  {CC_F_COS, 0, 1, false},  {CC_F_TAN, 1, -1, false}, {CC_F_COT, -1, 1, false},
                 {CC_F_SEC, 0, -1, false}, {CC_F_CSC, -1, 0, false}, {CC_F_SINH, 1, 0, true},  {CC_F_COSH, 0, 1, true},
                 {CC_F_TANH, 1, -1, true}, {CC_F_COTH, -1, 1, true}, {CC_F_SECH, 0, -1, true}, {CC_F_CSCH, -1, 0, true}};
    cc_xp with = base, a = NULL, b = g->one, scale;
    if (base->kind == CC_X_ADD) cc_x_separate_add(g, base, v, &with, &a);
    if (!with) return false;
    cc_x_separate_mul(g, with, v, &with, &scale);
    if (!with || with->kind != CC_X_FUN || with->n != 1) return false;
    if (x->w && x->w != with->args[0]) return false;
    x->w = with->args[0];
    x->general = x->general || !cc_x_is_num(e) || fmpz_cmp_si(fmpq_denref(e->num), 2) > 0;
    if (a) {
        cc_xp ratio = cc_int_normal(g, cc_x_div(g, scale, a), v);
        if ((with->fn != CC_F_SIN && with->fn != CC_F_COS) || (ratio != g->one && ratio != g->minus_one)) return false;
        if (x->t != CC_F_COUNT && x->t != with->fn) return false;
        x->t = with->fn;
        cc_xp *side = ratio == g->one ? &x->plus : &x->minus;
        *side = cc_x_add(g, *side, e);
        return true;
    }
    for (size_t i = 0; i < CC_ARRAY_LEN(table); i++) {
        if (table[i].fn != with->fn) continue;
        if (table[i].hyperbolic) x->hyperbolic = true;
        x->s = cc_x_add(g, x->s, cc_x_mul(g, cc_x_int(g, table[i].s), e));
        x->c = cc_x_add(g, x->c, cc_x_mul(g, cc_x_int(g, table[i].c), e));
        return b != NULL;
    }
    return false;
}

// The integral of X**p*Y**q, X' = Y and Y**2 = 1 + sign*X**2: X**(p+1)/(p+1) * 2F1((p+1)/2, (1-q)/2; (p+3)/2; -sign*X**2).
static cc_xp of_waves(cc_alg *g, cc_xp X, cc_xp p, cc_xp q, int sign) {
    cc_xp next = cc_x_add(g, p, g->one), s = cc_x_mul(g, g->half, next), square = cc_x_mul(g, X, X);
    if (next == g->zero || (cc_x_is_int(s) && cc_x_num_sign(s) <= 0)) return NULL;
    cc_xp upper[] = {s, cc_x_mul(g, g->half, cc_x_sub(g, g->one, q))}, lower[] = {cc_x_add(g, s, g->one)};
    if (sign > 0) square = cc_x_neg(g, square);
    return CC_PROD(g, cc_x_pow(g, X, next), cc_x_pow(g, next, g->minus_one),
                   cc_x_fun(g, CC_F_HYPER, (const cc_xp[]){cc_x_list(g, upper, 2), cc_x_list(g, lower, 1), square}, 3));
}

cc_xp cc_int_wave_powers(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    waves x = {.s = g->zero, .c = g->zero, .plus = g->zero, .minus = g->zero, .t = CC_F_COUNT};
    cc_xp a, slope;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (!base || !e || !cc_int_free(e, v) || !add_wave(g, &x, base, e, v)) return NULL;
    }
    if (!x.general || !x.w || !cc_int_linear(g, x.w, v, &a, &slope)) return NULL;
    if (x.hyperbolic && x.t != CC_F_COUNT) return NULL;
    cc_xp S = cc_x_f1(g, x.hyperbolic ? CC_F_SINH : CC_F_SIN, x.w), C = cc_x_f1(g, x.hyperbolic ? CC_F_COSH : CC_F_COS, x.w), F, canonical;
    if (x.t == CC_F_COUNT) {
        // by the one whose power is general; what f is to X**p*Y*(Y**2)**((q - 1)/2) is constant between branch points
        bool sine = x.hyperbolic || cc_x_is_num(x.c);
        cc_xp X = sine ? S : C, Y = sine ? C : S, p = sine ? x.s : x.c, q = sine ? x.c : x.s;
        cc_xp half = cc_x_mul(g, g->half, cc_x_sub(g, q, g->one)), square = cc_x_mul(g, Y, Y);
        F = of_waves(g, X, p, q, x.hyperbolic ? 1 : -1);
        canonical = CC_PROD(g, cc_x_pow(g, X, p), Y, cc_x_pow(g, square, half));
        if (!sine) canonical = cc_x_neg(g, canonical);
    } else {
        // t the sine: f*dw = f/cos(w)*dt, and cos(w)**2 = (1 + t)*(1 - t)
        bool sine = x.t == CC_F_SIN;
        cc_xp t = sine ? S : C, other = sine ? x.c : x.s, dt = sine ? C : cc_x_neg(g, S);
        if ((sine ? x.s : x.c) != g->zero) return NULL;
        cc_xp half = cc_x_mul(g, g->half, cc_x_sub(g, other, g->one)), plus = cc_x_expand(g, cc_x_add(g, x.plus, half)),
              minus = cc_x_expand(g, cc_x_add(g, x.minus, half));
        cc_xp u = cc_x_add(g, g->one, t), below = cc_x_sub(g, g->one, t);
        F = of_powers(g, u, plus, g->two, g->minus_one, minus);
        if (!F) {
            F = cc_x_neg(g, of_powers(g, below, minus, g->two, g->minus_one, plus));
        }
        canonical = CC_PROD(g, cc_x_pow(g, u, plus), cc_x_pow(g, below, minus), dt);
    }
    return F ? cc_x_div(g, CC_PROD(g, f, cc_x_pow(g, canonical, g->minus_one), F), slope) : NULL;
}

// ---- v**m*(1 + k*v)**p*(1 - k*v)**q with a whole p - q, by powers of 1 - k**2*v**2 ----

typedef struct conjugates {
    cc_xp k, m, plus, minus; // exponents
    bool general;            // one that nothing else serves
} conjugates;

static bool add_conjugate(cc_alg *g, conjugates *x, cc_xp base, cc_xp e, cc_xp v, bool quadratics) {
    cc_xp a, b, c, with, power, scale, exponent;
    if (base == v) {
        if (!quadratics) x->m = cc_x_add(g, x->m, e);
        return true;
    }
    if (cc_int_linear(g, base, v, &a, &b)) {
        cc_xp ratio = cc_int_normal(g, cc_x_div(g, b, a), v);
        if (quadratics) return true;
        if (!ratio || !ratio->finite) return false;
        if (!x->k) x->k = ratio;
        cc_xp *side = ratio == x->k ? &x->plus : &x->minus;
        if (side == &x->minus && cc_int_normal(g, cc_x_add(g, ratio, x->k), v) != g->zero) return false;
        *side = cc_x_add(g, *side, e);
        return true;
    }
    if (!quadratics) return true;
    cc_x_separate_add(g, base, v, &with, &a);
    cc_x_separate_mul(g, with, v, &power, &c);
    if (!power || !x->k || a == g->zero) return false;
    cc_x_split_power(g, power, &scale, &exponent);
    if (scale != v) return false;
    if (exponent == cc_x_int(g, -2)) { // a + c/v**2 = (c + a*v**2)/v**2
        x->m = cc_x_sub(g, x->m, cc_x_mul(g, g->two, e));
        cc_xp t = a;
        a = c, c = t;
    } else if (exponent != g->two) {
        return false;
    }
    if (cc_int_normal(g, cc_x_add(g, cc_x_div(g, c, a), cc_x_mul(g, x->k, x->k)), v) != g->zero) return false;
    x->plus = cc_x_add(g, x->plus, e);
    x->minus = cc_x_add(g, x->minus, e);
    return true;
}

cc_xp cc_int_conjugate_powers(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t n;
    slong d;
    const cc_xp *factors = cc_x_factors(&f, &n);
    conjugates x = {.m = g->zero, .plus = g->zero, .minus = g->zero};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            cc_xp base, e;
            cc_x_split_power(g, factors[i], &base, &e);
            if (!base || !e || !cc_int_free(e, v) || !add_conjugate(g, &x, base, e, v, pass == 1)) return NULL;
            x.general = x.general || !cc_x_is_num(e);
        }
    cc_xp difference = cc_x_expand(g, cc_x_sub(g, x.plus, x.minus));
    if (!x.k || !x.general || x.plus == g->zero || x.minus == g->zero || !cc_x_fits_si(difference, &d) || d > MAX_DEGREE || d < -MAX_DEGREE)
        return NULL;
    cc_xp kv = cc_x_mul(g, x.k, v), square = cc_x_mul(g, kv, kv), below = cc_x_sub(g, g->one, square), power = d < 0 ? x.plus : x.minus;
    cc_xp one = d < 0 ? cc_x_sub(g, g->one, kv) : cc_x_add(g, g->one, kv), F = g->zero, step = d < 0 ? cc_x_neg(g, x.k) : x.k;
    d = d < 0 ? -d : d;
    for (slong j = 0; j <= d; j++) { // the terms of (1 +- k*v)**d
        cc_xp next = cc_x_expand(g, cc_x_add(g, x.m, cc_x_int(g, j + 1))), s = cc_x_mul(g, g->half, next);
        if (next == g->zero || (cc_x_is_int(s) && cc_x_num_sign(s) < 0)) return NULL;
        cc_xp upper[] = {cc_x_neg(g, power), s}, lower[] = {cc_x_add(g, s, g->one)};
        F = cc_x_add(g, F,
                     CC_PROD(g, cc_x_f2(g, CC_F_BINOMIAL, cc_x_int(g, d), cc_x_int(g, j)), cc_x_powi(g, step, j), cc_x_pow(g, v, next),
                             cc_x_pow(g, next, g->minus_one),
                             cc_x_fun(g, CC_F_HYPER, (const cc_xp[]){cc_x_list(g, upper, 2), cc_x_list(g, lower, 1), square}, 3)));
    }
    cc_xp canonical = CC_PROD(g, cc_x_pow(g, v, x.m), cc_x_pow(g, below, power), cc_x_powi(g, one, d));
    return cc_x_mul(g, cc_x_div(g, f, canonical), F);
}
