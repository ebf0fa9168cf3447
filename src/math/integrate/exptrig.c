// Sums of rational function * exponential * sine or cosine, all of linear arguments: products of sines and cosines become sums, polynomials
// are integrated in closed form, poles give Ei, Si and Ci. Called by search.c.
#include "math/integrate/integrate.h"

enum { MAX_TERMS = 300, MAX_POWER = 24, MAX_DEGREE = 60 };

typedef struct term {
    cc_xp coefficient; // rational in the variable
    cc_xp growth;      // product of exponentials
    cc_xp rate;        // growth' = rate * growth
    cc_xp arg;         // of the sine or cosine; NULL: none
    bool sine;
} term;

typedef struct terms {
    cc_alg *g;
    cc_xp v;
    term t[MAX_TERMS];
    size_t n;
    bool seen; // an exponential, a sine or a cosine
} terms;

static bool push(terms *l, term t) {
    cc_alg *g = l->g;
    if (t.arg && cc_int_minus(t.arg)) {
        t.arg = cc_x_neg(g, t.arg);
        if (t.sine) t.coefficient = cc_x_neg(g, t.coefficient);
    }
    if (t.arg && cc_int_free(t.arg, l->v)) {
        t.coefficient = cc_x_mul(g, t.coefficient, cc_x_f1(g, t.sine ? CC_F_SIN : CC_F_COS, t.arg));
        t.arg = NULL;
    }
    if (!t.arg) t.sine = false;
    if (!t.coefficient) return false;
    if (t.coefficient == g->zero) return true;
    for (size_t i = 0; i < l->n; i++) {
        term *o = &l->t[i];
        if (o->growth != t.growth || o->arg != t.arg || o->sine != t.sine) continue;
        o->coefficient = cc_x_add(g, o->coefficient, t.coefficient);
        return true;
    }
    if (l->n == MAX_TERMS || !cc_alg_may_search(g)) return false;
    l->t[l->n++] = t;
    return true;
}

// Every term of l times sin(arg) or cos(arg).
static bool times_trig(terms *l, cc_xp arg, bool sine) {
    cc_alg *g = l->g;
    size_t n = l->n;
    term *old = cc_arena_alloc(g->arena, n * sizeof *old);
    for (size_t i = 0; i < n; i++) old[i] = l->t[i];
    l->n = 0;
    for (size_t i = 0; i < n; i++) {
        term t = old[i];
        if (!t.arg) {
            t.arg = arg;
            t.sine = sine;
            if (!push(l, t)) return false;
            continue;
        }
        // sin s*sin a = (cos(s-a) - cos(s+a))/2, cos s*cos a = (cos(s-a) + cos(s+a))/2, sin s*cos a = (sin(s+a) + sin(s-a))/2
        term sum = t, difference = t;
        sum.arg = cc_x_expand(g, cc_x_add(g, t.arg, arg));
        difference.arg = cc_x_expand(g, cc_x_sub(g, t.arg, arg));
        sum.sine = difference.sine = t.sine != sine;
        sum.coefficient = difference.coefficient = cc_x_mul(g, g->half, t.coefficient);
        if (t.sine && sine) sum.coefficient = cc_x_neg(g, sum.coefficient);
        if (!t.sine && sine) difference.coefficient = cc_x_neg(g, difference.coefficient); // cos s*sin a = (sin(s+a) - sin(s-a))/2
        if (!push(l, sum) || !push(l, difference)) return false;
    }
    return true;
}

// Every term times the sum of c[k]*growth[k], each growing at rate[k].
static bool times_growth(terms *l, const cc_xp *c, const cc_xp *growth, const cc_xp *rate, size_t count) {
    cc_alg *g = l->g;
    size_t n = l->n;
    term *old = cc_arena_alloc(g->arena, n * sizeof *old);
    for (size_t i = 0; i < n; i++) old[i] = l->t[i];
    l->n = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count; k++) {
            term t = old[i];
            t.coefficient = cc_x_mul(g, t.coefficient, c[k]);
            t.growth = cc_x_mul(g, t.growth, growth[k]);
            t.rate = cc_x_expand(g, cc_x_add(g, t.rate, rate[k]));
            if (!push(l, t)) return false;
        }
    return true;
}

static bool times_factor(terms *l, cc_xp f) {
    cc_alg *g = l->g;
    cc_xp base, e, a, b;
    cc_x_split_power(g, f, &base, &e);
    if (!base || !e) return false;
    if (cc_int_free(base, l->v) && !cc_int_free(e, l->v)) {
        if (!cc_int_linear(g, e, l->v, &a, &b)) return false;
        l->seen = true;
        cc_xp rate = base == g->e ? b : cc_x_mul(g, b, cc_x_log(g, base));
        return times_growth(l, (const cc_xp[]){g->one}, (const cc_xp[]){f}, (const cc_xp[]){rate}, 1);
    }
    slong n;
    if (base->kind == CC_X_FUN && base->n == 1 && cc_x_fits_si(e, &n) && n > 0 && n <= MAX_POWER &&
        (base->fn == CC_F_SIN || base->fn == CC_F_COS || base->fn == CC_F_SINH || base->fn == CC_F_COSH)) {
        if (!cc_int_linear(g, base->args[0], l->v, &a, &b)) return false;
        l->seen = true;
        for (slong i = 0; i < n; i++) {
            if (base->fn == CC_F_SIN || base->fn == CC_F_COS) {
                if (!times_trig(l, base->args[0], base->fn == CC_F_SIN)) return false;
            } else {
                cc_xp minus = cc_x_neg(g, base->args[0]);
                const cc_xp c[] = {g->half, base->fn == CC_F_COSH ? g->half : cc_x_neg(g, g->half)};
                const cc_xp growth[] = {cc_x_exp(g, base->args[0]), cc_x_exp(g, minus)}, rate[] = {b, cc_x_neg(g, b)};
                if (!times_growth(l, c, growth, rate, 2)) return false;
            }
        }
        return true;
    }
    for (size_t i = 0; i < l->n; i++) l->t[i].coefficient = cc_x_mul(g, l->t[i].coefficient, f);
    return true;
}

// The integrals of P*growth*cos(arg) and of P*growth*sin(arg) are the real and imaginary parts (formally) of growth*exp(I*arg)*Q with
// Q = sum((-1)**k * P^(k)/s**(k+1)), s = rate + I*beta.
static cc_xp polynomial_part(cc_alg *g, const cc_xp *c, slong degree, const term *t, cc_xp beta, cc_xp v) {
    cc_xp norm = cc_x_add(g, cc_x_mul(g, t->rate, t->rate), cc_x_mul(g, beta, beta));
    norm = cc_x_expand(g, norm);
    cc_xp inv_re = cc_x_div(g, t->rate, norm), inv_im = cc_x_neg(g, cc_x_div(g, beta, norm)); // 1/s
    if (!t->arg) {
        inv_re = cc_x_pow(g, t->rate, g->minus_one);
        inv_im = g->zero;
    }
    cc_xp re = g->zero, im = g->zero, pr = inv_re, pi = inv_im, derivative = cc_x_from_coefficients(g, c, degree, v);
    for (slong k = 0; k <= degree; k++) {
        re = cc_x_add(g, re, cc_x_mul(g, pr, derivative));
        im = cc_x_add(g, im, cc_x_mul(g, pi, derivative));
        cc_xp r = cc_x_neg(g, cc_x_sub(g, cc_x_mul(g, pr, inv_re), cc_x_mul(g, pi, inv_im)));
        cc_xp i = cc_x_neg(g, cc_x_add(g, cc_x_mul(g, pr, inv_im), cc_x_mul(g, pi, inv_re)));
        pr = r;
        pi = i;
        derivative = cc_x_diff(g, derivative, v);
    }
    if (!t->arg) return cc_x_mul(g, t->growth, re);
    cc_xp cosine = cc_x_f1(g, CC_F_COS, t->arg), sine = cc_x_f1(g, CC_F_SIN, t->arg);
    cc_xp r =
        t->sine ? cc_x_add(g, cc_x_mul(g, re, sine), cc_x_mul(g, im, cosine)) : cc_x_sub(g, cc_x_mul(g, re, cosine), cc_x_mul(g, im, sine));
    return cc_x_mul(g, t->growth, r);
}

// exp-like growth/(v - r)**k, k >= 1.
static cc_xp growth_pole(cc_alg *g, cc_xp growth, cc_xp rate, cc_xp r, slong k, cc_xp v) {
    cc_xp d = cc_x_sub(g, v, r);
    if (k == 1) return cc_x_mul(g, cc_x_subs(g, growth, v, r), cc_x_f1(g, CC_F_EI, cc_x_expand(g, cc_x_mul(g, rate, d))));
    cc_xp rest = growth_pole(g, growth, rate, r, k - 1, v);
    return cc_x_div(g, cc_x_sub(g, cc_x_mul(g, rate, rest), cc_x_mul(g, growth, cc_x_powi(g, d, 1 - k))), cc_x_int(g, k - 1));
}

// cos or sin of arg over (v - r)**k.
static cc_xp trig_pole(cc_alg *g, bool sine, cc_xp arg, cc_xp beta, cc_xp r, slong k, cc_xp v) {
    cc_xp d = cc_x_sub(g, v, r);
    if (k == 1) {
        cc_xp phase = cc_x_expand(g, cc_x_subs(g, arg, v, r)), u = cc_x_expand(g, cc_x_mul(g, beta, d));
        cc_xp s = cc_x_f1(g, CC_F_SIN, phase), c = cc_x_f1(g, CC_F_COS, phase), Si = cc_x_f1(g, CC_F_SI, u), Ci = cc_x_f1(g, CC_F_CI, u);
        return sine ? cc_x_add(g, cc_x_mul(g, s, Ci), cc_x_mul(g, c, Si)) : cc_x_sub(g, cc_x_mul(g, c, Ci), cc_x_mul(g, s, Si));
    }
    cc_xp rest = cc_x_mul(g, beta, trig_pole(g, !sine, arg, beta, r, k - 1, v));
    if (!sine) rest = cc_x_neg(g, rest);
    cc_xp head = CC_PROD(g, g->minus_one, cc_x_f1(g, sine ? CC_F_SIN : CC_F_COS, arg), cc_x_powi(g, d, 1 - k));
    return cc_x_div(g, cc_x_add(g, head, rest), cc_x_int(g, k - 1));
}

// One term whose coefficient is c/(v - r)**k (c free of v).
static cc_xp pole(cc_alg *g, const term *t, cc_xp beta, cc_xp c, cc_xp r, slong k, cc_xp v) {
    cc_xp F;
    if (!t->arg) {
        F = growth_pole(g, t->growth, t->rate, r, k, v);
    } else if (t->rate == g->zero) {
        F = trig_pole(g, t->sine, t->arg, beta, r, k, v);
    } else { // cos = (exp(I*arg) + exp(-I*arg))/2
        F = g->zero;
        for (int s = 1; s >= -1; s -= 2) {
            cc_xp i = s > 0 ? g->i : cc_x_neg(g, g->i);
            cc_xp growth = cc_x_mul(g, t->growth, cc_x_exp(g, cc_x_mul(g, i, t->arg)));
            cc_xp part = growth_pole(g, growth, cc_x_add(g, t->rate, cc_x_mul(g, i, beta)), r, k, v);
            if (t->sine) part = cc_x_div(g, part, i);
            F = cc_x_add(g, F, cc_x_mul(g, g->half, part));
        }
    }
    return cc_x_mul(g, c, F);
}

// A coefficient with poles.
static cc_xp with_poles(cc_int *in, const term *t, cc_xp beta, cc_xp v) {
    cc_alg *g = in->g;
    cc_poles p;
    if (!cc_int_poles(g, t->coefficient, v, &p)) return NULL;
    cc_xp sum = p.degree < 0 ? g->zero : polynomial_part(g, p.polynomial, p.degree, t, beta, v);
    for (size_t i = 0; i < p.n; i++) sum = cc_x_add(g, sum, pole(g, t, beta, p.at[i].coefficient, p.at[i].root, p.at[i].order, v));
    return sum;
}

cc_xp cc_int_exptrig(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp expanded = cc_x_expand(g, f);
    if (!expanded) return NULL;
    size_t n;
    const cc_xp *sum = cc_x_terms(&expanded, &n);
    terms *all = cc_arena_alloc(g->arena, sizeof *all), *l = cc_arena_alloc(g->arena, sizeof *l);
    *all = (terms){.g = g, .v = v};
    for (size_t i = 0; i < n; i++) {
        *l = (terms){.g = g, .v = v, .n = 1};
        l->t[0] = (term){g->one, g->one, g->zero, NULL, false};
        size_t m;
        const cc_xp *factors = cc_x_factors(&sum[i], &m);
        for (size_t k = 0; k < m; k++)
            if (!times_factor(l, factors[k])) return NULL;
        all->seen |= l->seen;
        for (size_t k = 0; k < l->n; k++)
            if (!push(all, l->t[k])) return NULL;
    }
    if (!all->seen) return NULL;
    cc_xp F = g->zero;
    for (size_t i = 0; i < all->n; i++) {
        term *t = &all->t[i];
        cc_xp a, beta = g->zero, c[MAX_DEGREE + 1];
        if (t->arg && !cc_int_linear(g, t->arg, v, &a, &beta)) return NULL;
        if (!t->arg && t->rate == g->zero) {
            F = cc_x_add(g, F, cc_int_rational(in, cc_x_mul(g, t->coefficient, t->growth), v));
        } else if (cc_int_polynomial(g, t->coefficient, v, MAX_DEGREE, c)) {
            slong degree = MAX_DEGREE;
            while (degree > 0 && c[degree] == g->zero) degree--;
            F = cc_x_add(g, F, polynomial_part(g, c, degree, t, beta, v));
        } else {
            F = cc_x_add(g, F, with_poles(in, t, beta, v));
        }
        if (!F) return NULL;
    }
    return F;
}
