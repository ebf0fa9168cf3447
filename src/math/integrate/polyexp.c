// Polynomials in v times a rational function of E = exp(k*v + s), or times polylog(n, c*E**q), log(a + b*E**q), atan, atanh of c*E**q: by
// parts down to polylogarithms. Trigonometric and hyperbolic functions are such functions of E; with v = log(x) as variable so are powers
// of log(x) over x times these. Also exp(m*v) times functions of E with any m, by the hypergeometric function. Called by search.c and, for
// the chain itself, by logarithm.c.
#include <string.h>

#include "math/integrate/integrate.h"

enum { MAX_DEGREE = 12, MAX_POWER = 24, MAX_ORDER = 6, SHORT = 400 };

typedef struct chain {
    cc_alg *g;
    cc_xp v, E, k; // E stands for exp(exponent), k = exponent'
    cc_xp exponent;
    cc_xp unit; // exponents are whole multiples of it, up to constants
    bool failed;
} chain;

// exp(e) or base**e with e linear in v: its exponent, to the base of E.
static cc_xp exponent_of(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp base, e, a, b;
    if (x->kind != CC_X_POW && !cc_x_is_fun(x, CC_F_EXP)) return NULL;
    cc_x_split_power(g, x, &base, &e);
    if (!base || !cc_int_free(base, v) || cc_int_free(e, v) || !cc_int_linear(g, e, v, &a, &b)) return NULL;
    return base == g->e ? e : cc_x_expand(g, cc_x_mul(g, e, cc_x_log(g, base)));
}

static void survey(chain *c, cc_xp x) {
    cc_alg *g = c->g;
    if (!x || c->failed || cc_int_free(x, c->v)) return;
    cc_xp e = exponent_of(g, x, c->v);
    if (!e) {
        for (uint32_t i = 0; i < x->n; i++) survey(c, x->args[i]);
        return;
    }
    if (!c->unit) {
        c->unit = cc_x_expand(g, e);
        return;
    }
    cc_xp ratio = cc_int_normal(g, cc_x_div(g, cc_x_diff(g, e, c->v), cc_x_diff(g, c->unit, c->v)), c->v);
    if (!cc_x_is_num(ratio) || fmpz_cmpabs(fmpq_denref(ratio->num), (fmpz[]){MAX_POWER}) > 0) {
        c->failed = true;
        return;
    }
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    fmpq_gcd(one, one, ratio->num);
    c->unit = cc_x_expand(g, cc_x_mul(g, c->unit, cc_x_num(g, one)));
    fmpq_clear(one);
}

static cc_xp by_power(cc_alg *g, cc_xp x, void *ctx) {
    chain *c = ctx;
    cc_xp e = exponent_of(g, x, c->v);
    if (!e) return x;
    slong n;
    cc_xp ratio = cc_int_normal(g, cc_x_div(g, cc_x_diff(g, e, c->v), c->k), c->v);
    if (!cc_x_fits_si(ratio, &n) || n > MAX_POWER || n < -MAX_POWER) {
        c->failed = true;
        return x;
    }
    cc_xp rest = cc_x_expand(g, cc_x_sub(g, e, cc_x_mul(g, ratio, c->exponent)));
    return cc_x_mul(g, cc_x_exp(g, rest), cc_x_pow(g, c->E, ratio));
}

// polylog(n, z)
static cc_xp Li(cc_alg *g, slong n, cc_xp z) {
    if (n == 0) return cc_x_div(g, z, cc_x_sub(g, g->one, z));
    if (n == 1) return cc_x_neg(g, cc_x_log(g, cc_x_sub(g, g->one, z)));
    return cc_x_f2(g, CC_F_POLYLOG, cc_x_int(g, n), z);
}

// The integral of v**j * polylog(n, z), z' = rate*z.
static cc_xp of_polylog(cc_alg *g, cc_xp v, slong j, slong n, cc_xp z, cc_xp rate) {
    cc_xp sum = g->zero, factor = cc_x_pow(g, rate, g->minus_one);
    for (; j >= 0; j--, n++) {
        sum = cc_x_add(g, sum, CC_PROD(g, factor, cc_x_powi(g, v, j), Li(g, n + 1, z)));
        factor = cc_x_neg(g, cc_x_div(g, cc_x_mul(g, factor, cc_x_int(g, j)), rate));
    }
    return sum;
}

// That of v**j * E**n.
static cc_xp of_power(const chain *c, slong j, slong n) {
    cc_alg *g = c->g;
    if (n == 0) return cc_x_div(g, cc_x_powi(g, c->v, j + 1), cc_x_int(g, j + 1));
    cc_xp rate = cc_x_mul(g, c->k, cc_x_int(g, n)), sum = g->zero, factor = cc_x_pow(g, rate, g->minus_one);
    for (; j >= 0; j--) {
        sum = cc_x_add(g, sum, cc_x_mul(g, factor, cc_x_powi(g, c->v, j)));
        factor = cc_x_neg(g, cc_x_div(g, cc_x_mul(g, factor, cc_x_int(g, j)), rate));
    }
    return cc_x_mul(g, sum, cc_x_powi(g, c->E, n));
}

// That of v**j/(E - r)**o.
static cc_xp of_pole(const chain *c, slong j, slong o, cc_xp r) {
    cc_alg *g = c->g;
    cc_xp inverse = cc_x_pow(g, r, g->minus_one);
    if (o == 1) // 1/(E - r) = -(1 + polylog(0, E/r))/r
        return cc_x_neg(g,
                        cc_x_mul(g, inverse, cc_x_add(g, of_power(c, j, 0), of_polylog(g, c->v, j, 0, cc_x_mul(g, c->E, inverse), c->k))));
    // (E - r)**-o = -(E - r)**(1-o)/r - ((E - r)**(1-o))'/((o - 1)*k*r)
    cc_xp part = cc_x_mul(g, cc_x_powi(g, c->v, j), cc_x_powi(g, cc_x_sub(g, c->E, r), 1 - o));
    if (j) part = cc_x_sub(g, part, cc_x_mul(g, cc_x_int(g, j), of_pole(c, j - 1, o - 1, r)));
    part = cc_x_div(g, part, cc_x_mul(g, cc_x_int(g, o - 1), c->k));
    return cc_x_neg(g, cc_x_mul(g, inverse, cc_x_add(g, of_pole(c, j, o - 1, r), part)));
}

static cc_xp rational(const chain *c, cc_xp R, slong j) {
    cc_alg *g = c->g;
    cc_poles *p = cc_arena_alloc(g->arena, sizeof *p);
    cc_xp F = g->zero;
    if (!cc_int_poles(g, R, c->E, p) || p->degree > MAX_POWER) return NULL;
    for (slong n = 0; n <= p->degree; n++) F = cc_x_add(g, F, cc_x_mul(g, p->polynomial[n], of_power(c, j, n)));
    for (size_t i = 0; i < p->n; i++) {
        if (p->at[i].order > MAX_ORDER) return NULL;
        cc_xp part = p->at[i].root == g->zero ? of_power(c, j, -p->at[i].order) : of_pole(c, j, p->at[i].order, p->at[i].root);
        F = cc_x_add(g, F, cc_x_mul(g, p->at[i].coefficient, part));
    }
    return F;
}

// z = c*E**q: the rate of z.
static cc_xp rate_of(const chain *c, cc_xp z) {
    cc_alg *g = c->g;
    cc_xp with, without, base, q;
    cc_x_separate_mul(g, z, c->E, &with, &without);
    if (!with || cc_x_has(without, c->v)) return NULL;
    cc_x_split_power(g, with, &base, &q);
    return base == c->E && cc_x_is_num(q) && cc_x_num_sign(q) != 0 ? cc_x_mul(g, q, c->k) : NULL;
}

// v**j * T, T one logarithm, inverse tangent or polylogarithm of a power of E.
static cc_xp transcendental(const chain *c, cc_xp T, slong j) {
    cc_alg *g = c->g;
    cc_xp z = T->args[T->n - 1], rate, with, a;
    slong n;
    switch ((cc_xfn)T->fn) {
    case CC_F_POLYLOG:
        rate = rate_of(c, z);
        return rate && cc_x_fits_si(T->args[0], &n) && n >= 2 && n < 100 ? of_polylog(g, c->v, j, n, z, rate) : NULL;
    case CC_F_LOG: { // log(a + z) = log(1 + z/a) + what is constant between branch points
        cc_x_separate_add(g, cc_x_expand(g, z), c->E, &with, &a);
        if (!with || !a || a == g->zero || cc_x_has(a, c->v)) return NULL;
        z = cc_x_neg(g, cc_x_div(g, with, a));
        if (!(rate = rate_of(c, z))) return NULL;
        cc_xp F = cc_x_neg(g, of_polylog(g, c->v, j, 1, z, rate));
        if (a == g->one) return F;
        cc_xp constant = cc_x_sub(g, T, cc_x_log(g, cc_x_sub(g, g->one, z)));
        return cc_x_add(g, F, cc_x_mul(g, constant, of_power(c, j, 0)));
    }
    case CC_F_ATAN: // (log(1 + I*z) - log(1 - I*z))/(2*I) = I*(polylog(1, -I*z) - polylog(1, I*z))/2
    case CC_F_ATANH: {
        cc_xp i = T->fn == CC_F_ATAN ? g->i : g->one, plus = cc_x_mul(g, i, z);
        if (!(rate = rate_of(c, z))) return NULL;
        cc_xp F = cc_x_sub(g, of_polylog(g, c->v, j, 1, plus, rate), of_polylog(g, c->v, j, 1, cc_x_neg(g, plus), rate));
        return cc_x_div(g, F, cc_x_mul(g, g->two, i));
    }
    default: return NULL;
    }
}

cc_xp cc_int_chain(cc_alg *g, cc_xp h, cc_xp v, cc_xp E) {
    chain c = {.g = g, .v = v, .E = E, .k = g->one};
    cc_xp coefficients[MAX_DEGREE + 1], F = g->zero;
    if (!h || !cc_int_polynomial(g, h, v, MAX_DEGREE, coefficients)) return NULL;
    for (slong j = 0; j <= MAX_DEGREE; j++) {
        cc_xp part = coefficients[j] == g->zero ? g->zero : rational(&c, coefficients[j], j);
        if (!part) return NULL;
        F = cc_x_add(g, F, part);
    }
    return F;
}

static bool is_transcendental(cc_xp x) {
    return cc_x_is_fun(x, CC_F_POLYLOG) || cc_x_is_fun(x, CC_F_LOG) || cc_x_is_fun(x, CC_F_ATAN) || cc_x_is_fun(x, CC_F_ATANH);
}

// down: by exp(-v) rather than exp(v).
static cc_xp polyexp(cc_alg *g, cc_xp f, cc_xp v, bool down) {
    chain c = {.g = g, .v = v};
    cc_xp h = cc_x_rewrite(g, f, CC_REWRITE_EXP);
    if (!h || h->size > CC_INT_MAX_SIZE) return NULL;
    survey(&c, h);
    if (c.failed || !c.unit) return NULL;
    if (cc_int_minus(cc_x_diff(g, c.unit, v)) != (down && !cc_x_has(c.unit, g->i))) c.unit = cc_x_neg(g, c.unit);
    c.exponent = c.unit = cc_x_expand(g, c.unit);
    c.k = cc_x_diff(g, c.unit, v);
    c.E = cc_x_dummy(g, "E", 0);
    h = cc_x_map(g, h, by_power, &c);
    if (!h || c.failed) return NULL;
    // one function of E alone before the polynomial
    size_t n;
    const cc_xp *factors = cc_x_factors(&h, &n);
    cc_xp T = NULL, coefficients[MAX_DEGREE + 1], F = g->zero;
    for (size_t i = 0; i < n; i++)
        if (is_transcendental(factors[i]) && cc_x_has(factors[i], c.E)) {
            if (T || !cc_int_free(factors[i], v)) return NULL;
            T = factors[i];
        }
    if (T) h = cc_x_div(g, h, T);
    if (!cc_int_polynomial(g, h, v, MAX_DEGREE, coefficients)) return NULL;
    slong degree = MAX_DEGREE;
    while (degree > 0 && coefficients[degree] == g->zero) degree--;
    if (!degree && !T) return NULL; // by E as variable
    if (!T) {                       // by E**2 when all is even
        cc_xp square = cc_x_dummy(g, "E", 0), even[MAX_DEGREE + 1];
        bool all = true;
        for (slong j = 0; all && j <= degree; j++) {
            even[j] = cc_int_in_terms(g, cc_int_expanded(g, coefficients[j], c.E), c.E, cc_x_mul(g, c.E, c.E), square);
            all = even[j] && !cc_x_has(even[j], c.E);
        }
        if (all) {
            memcpy(coefficients, even, sizeof even);
            c.E = square;
            c.exponent = cc_x_mul(g, g->two, c.exponent);
            c.k = cc_x_mul(g, g->two, c.k);
        }
    }
    for (slong j = 0; j <= degree; j++) {
        cc_xp R = coefficients[j], part;
        if (R == g->zero) continue;
        if (T)
            part = cc_x_has(R, c.E) ? NULL : cc_x_mul(g, R, transcendental(&c, T, j));
        else
            part = rational(&c, R, j);
        if (!part) return NULL;
        F = cc_x_add(g, F, part);
    }
    cc_xp flat = F->size < SHORT ? cc_x_expand(g, F) : NULL;
    if (flat && flat->size <= 2 * F->size) F = flat;
    return cc_x_subs(g, F, c.E, cc_x_exp(g, cc_x_expand(g, c.exponent)));
}

static bool has_log_of_variable(cc_xp x, cc_xp v) {
    if (!x || cc_int_free(x, v)) return false;
    if (is_transcendental(x)) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (has_log_of_variable(x->args[i], v)) return true;
    return false;
}

cc_xp cc_int_polyexp_early(cc_int *in, cc_xp f, cc_xp v) {
    cc_xp F = cc_int_polyexp(in, f, v);
    // without polylogarithms there is another, and real, form
    return F && (cc_x_has_fn(F, CC_F_POLYLOG) || cc_x_has(f, in->g->i) || !cc_x_has(F, in->g->i)) ? F : NULL;
}

cc_xp cc_int_polyexp(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp F = polyexp(g, f, v, true);
    if (F || g->err->code != CC_OK || !has_log_of_variable(f, v)) return F;
    // v = exp(w), dv = v*dw
    cc_xp w = cc_x_dummy(g, "w", CC_IS_REAL), h = cc_x_expand(g, cc_x_mul(g, f, v));
    h = h ? cc_x_subs(g, h, v, cc_x_exp(g, w)) : NULL;
    F = h && cc_x_has(h, w) ? polyexp(g, h, w, false) : NULL;
    return F ? cc_x_subs(g, F, w, cc_x_log(g, v)) : NULL;
}

// ---- exp(m*v) times a rational function, or a power of a binomial, of E, where m is no rational multiple of k ----

// The integral of exp(m*v + ...)*(E - r)**p with growth = exp(m*v + ...): growth/m*(-r)**p * 2F1(-p, m/k; m/k + 1; E/r), with (E - r)**p
// itself before it where p is no whole number.
static cc_xp of_growth(const chain *c, cc_xp growth, cc_xp m, cc_xp a, cc_xp b, cc_xp p) { // (a + b*E)**p
    cc_alg *g = c->g;
    cc_xp s = cc_int_normal(g, cc_x_div(g, m, c->k), c->v), z = cc_x_neg(g, cc_x_div(g, cc_x_mul(g, b, c->E), a));
    if (!s || s == g->zero || cc_x_is_int(s)) return NULL;
    cc_xp upper[] = {cc_x_neg(g, p), s}, lower[] = {cc_x_add(g, s, g->one)};
    cc_xp scale = cc_x_pow(g, a, p);
    if (!cc_x_is_int(p))
        scale = cc_x_mul(g, cc_x_pow(g, cc_x_add(g, a, cc_x_mul(g, b, c->E)), p), cc_x_pow(g, cc_x_sub(g, g->one, z), cc_x_neg(g, p)));
    return CC_PROD(g, growth, cc_x_pow(g, m, g->minus_one), scale,
                   cc_x_fun(g, CC_F_HYPER, (const cc_xp[]){cc_x_list(g, upper, 2), cc_x_list(g, lower, 1), z}, 3));
}

// That of growth*R(E).
static cc_xp growth_rational(const chain *c, cc_xp growth, cc_xp m, cc_xp R) {
    cc_alg *g = c->g;
    cc_poles *p = cc_arena_alloc(g->arena, sizeof *p);
    cc_xp F = g->zero;
    if (!cc_int_poles(g, R, c->E, p) || p->degree > MAX_POWER) return NULL;
    for (slong n = -MAX_ORDER; n <= p->degree; n++) { // powers of E
        cc_xp k = n < 0 ? g->zero : p->polynomial[n];
        for (size_t i = 0; n < 0 && i < p->n; i++)
            if (p->at[i].root == g->zero && p->at[i].order == -n) k = p->at[i].coefficient;
        if (k == g->zero) continue;
        cc_xp rate = cc_x_expand(g, cc_x_add(g, m, cc_x_mul(g, cc_x_int(g, n), c->k)));
        if (rate == g->zero) return NULL;
        F = cc_x_add(g, F, cc_x_div(g, CC_PROD(g, k, growth, cc_x_powi(g, c->E, n)), rate));
    }
    for (size_t i = 0; i < p->n; i++) {
        if (p->at[i].order > MAX_ORDER) return NULL;
        if (p->at[i].root == g->zero) continue;
        cc_xp part = of_growth(c, growth, m, cc_x_neg(g, p->at[i].root), g->one, cc_x_int(g, -p->at[i].order));
        F = part ? cc_x_add(g, F, cc_x_mul(g, p->at[i].coefficient, part)) : NULL;
        if (!F) return NULL;
    }
    return F;
}

// (p + q)**e for two exponentials p, q: q**e * (1 + p/q)**e, up to a factor that is constant between branch points.
static cc_xp one_out(cc_alg *g, cc_xp x, cc_xp v, cc_xp *sigma, cc_xp *constant) {
    cc_xp base, e, rate[2];
    cc_x_split_power(g, x, &base, &e);
    if (!base || !cc_int_free(e, v)) return x;
    base = cc_x_expand(g, base);
    if (!base || base->kind != CC_X_ADD || base->n != 2) return x;
    for (int i = 0; i < 2; i++) {
        cc_xp with, k;
        cc_x_separate_mul(g, base->args[i], v, &with, &k);
        rate[i] = with ? exponent_of(g, with, v) : NULL;
        if (!rate[i]) return x;
    }
    cc_xp one = cc_x_add(g, g->one, cc_x_div(g, base->args[0], base->args[1])), split = cc_x_pow(g, one, e), q = base->args[1], with, k;
    cc_x_separate_mul(g, q, v, &with, &k);
    split = CC_PROD(g, split, cc_x_pow(g, k, e), cc_x_exp(g, cc_x_expand(g, cc_x_mul(g, e, rate[1]))));
    if (cc_x_is_int(e)) return split;
    if (*sigma) return x;
    *sigma = cc_x_dummy(g, "sigma", CC_IS_NONZERO);
    *constant = cc_x_div(g, x, split);
    return cc_x_mul(g, *sigma, split);
}

// R in E**2 alone: E becomes that.
static cc_xp by_square(chain *c, cc_xp R) {
    cc_alg *g = c->g;
    cc_xp square = cc_x_dummy(g, "E", 0), S = cc_int_in_terms(g, cc_int_expanded(g, R, c->E), c->E, cc_x_mul(g, c->E, c->E), square);
    if (!S || cc_x_has(S, c->E)) return R;
    c->E = square;
    c->exponent = cc_x_expand(g, cc_x_mul(g, g->two, c->exponent));
    c->k = cc_x_mul(g, g->two, c->k);
    return S;
}

static bool has_exponential(cc_xp x, cc_xp v) {
    if (!x || cc_int_free(x, v)) return false;
    if (cc_x_is_fun(x, CC_F_EXP) || (x->kind == CC_X_POW && !cc_int_free(x->args[1], v))) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (has_exponential(x->args[i], v)) return true;
    return false;
}

cc_xp cc_int_growth(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    if (!has_exponential(f, v)) return NULL; // waves alone: by others
    chain c = {.g = g, .v = v};
    cc_xp sigma = NULL, sigma_is = NULL;
    cc_xp h = cc_x_rewrite(g, f, CC_REWRITE_EXP), num = g->one, rest = g->one;
    if (!h || h->size > CC_INT_MAX_SIZE) return NULL;
    // what is below, or a power of a sum that is no whole one, sets E; the terms above grow as they like
    size_t n;
    const cc_xp *factors = cc_x_factors(&h, &n);
    cc_xp split = g->one;
    for (size_t i = 0; i < n; i++) split = cc_x_mul(g, split, one_out(g, factors[i], v, &sigma, &sigma_is));
    factors = cc_x_factors(&split, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        bool below = !cc_int_free(base, v) && cc_int_free(e, v) && !(cc_x_is_int(e) && cc_x_num_sign(e) > 0);
        cc_xp *side = below ? &rest : &num;
        *side = cc_x_mul(g, *side, factors[i]);
    }
    if (rest == g->one || rest == g->zero) return NULL;
    survey(&c, rest);
    if (c.failed || !c.unit) return NULL;
    c.exponent = c.unit = cc_x_expand(g, c.unit);
    c.k = cc_x_diff(g, c.unit, v);
    c.E = cc_x_dummy(g, "E", 0);
    cc_xp R = cc_x_map(g, rest, by_power, &c), F = g->zero, a, b, base, e;
    num = cc_x_expand(g, num);
    if (!R || !num || c.failed || !cc_int_free(R, v)) return NULL;
    cc_x_split_power(g, R, &base, &e);
    bool binomial = !cc_x_is_int(e) && cc_x_has(base, c.E);
    if (binomial) {
        base = cc_x_expand(g, base);
        if (!cc_int_linear(g, base, c.E, &a, &b) || a == g->zero) return NULL;
    } else {
        R = by_square(&c, R);
    }
    const cc_xp *terms = cc_x_terms(&num, &n);
    for (size_t i = 0; i < n && cc_alg_may_search(g); i++) {
        cc_xp growth = g->one, constant = g->one, m = g->zero;
        size_t k;
        const cc_xp *parts = cc_x_factors(&terms[i], &k);
        for (size_t j = 0; j < k; j++) {
            cc_xp exponent = exponent_of(g, parts[j], v);
            if (exponent) {
                growth = cc_x_mul(g, growth, parts[j]);
                m = cc_x_add(g, m, cc_x_diff(g, exponent, v));
            } else if (cc_int_free(parts[j], v)) {
                constant = cc_x_mul(g, constant, parts[j]);
            } else {
                return NULL;
            }
        }
        cc_xp part = binomial ? of_growth(&c, growth, m, a, b, e) : growth_rational(&c, growth, m, R);
        F = part ? cc_x_add(g, F, cc_x_mul(g, constant, part)) : NULL;
        if (!F) return NULL;
    }
    F = cc_x_subs(g, F, c.E, cc_x_exp(g, c.exponent));
    return sigma ? cc_x_subs(g, F, sigma, sigma_is) : F;
}
