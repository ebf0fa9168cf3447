// Trigonometric and hyperbolic functions of multiples of one linear argument: everything by sine and cosine, then u = cosine, sine or
// tangent as the parities allow, else the tangent of the half. Called by search.c. Rational integrands always end here; with roots it is
// tried.
#include "math/integrate/integrate.h"

enum { MAX_MULTIPLE = 24 };

typedef struct circle {
    cc_alg *g;
    cc_xp v;
    int sign;    // +1: trigonometric, -1: hyperbolic: c**2 + sign*s**2 = 1
    cc_xp w;     // the common argument
    cc_xp slope; // w'
    cc_xp s, c;  // stand for sin(w), cos(w)
    bool mixed;  // both kinds, or an argument that does not fit
    slong q;     // arguments are multiples of first/q
    cc_xp first;
    bool found;
} circle;

static bool is_trig(cc_xfn f) { return f == CC_F_SIN || f == CC_F_COS || f == CC_F_TAN || f == CC_F_COT || f == CC_F_SEC || f == CC_F_CSC; }
static bool is_hyperbolic(cc_xfn f) {
    return f == CC_F_SINH || f == CC_F_COSH || f == CC_F_TANH || f == CC_F_COTH || f == CC_F_SECH || f == CC_F_CSCH;
}

static slong gcd(slong a, slong b) { return (slong)n_gcd((ulong)a, (ulong)b); }

// Finds the argument of which all others are rational multiples.
static void survey(circle *k, cc_xp x) {
    cc_alg *g = k->g;
    if (!x || k->mixed || cc_int_free(x, k->v)) return;
    if (x->kind == CC_X_FUN && x->n == 1 && (is_trig((cc_xfn)x->fn) || is_hyperbolic((cc_xfn)x->fn))) {
        int sign = is_trig((cc_xfn)x->fn) ? 1 : -1;
        cc_xp arg = x->args[0], a, b;
        if (!k->found) {
            k->found = true;
            k->sign = sign;
            k->first = arg;
            k->q = 1;
            k->mixed = !cc_int_linear(g, arg, k->v, &a, &b);
            return;
        }
        cc_xp ratio = cc_int_normal(g, cc_x_div(g, arg, k->first), k->v);
        if (sign != k->sign || !cc_x_is_num(ratio) || !fmpz_fits_si(fmpq_denref(ratio->num))) {
            k->mixed = true;
            return;
        }
        slong d = fmpz_get_si(fmpq_denref(ratio->num));
        k->q = k->q / gcd(k->q, d) * d;
        k->mixed = k->q > MAX_MULTIPLE;
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) survey(k, x->args[i]);
}

// cos(n*w) and sin(n*w) as polynomials in s, c.
static void multiple(circle *k, slong n, cc_xp *cosine, cc_xp *sine) {
    cc_alg *g = k->g;
    cc_xp c = g->one, s = g->zero;
    for (slong i = 0; i < (n < 0 ? -n : n); i++) {
        cc_xp c2 = cc_x_sub(g, cc_x_mul(g, c, k->c), cc_x_mul(g, cc_x_int(g, k->sign), cc_x_mul(g, s, k->s)));
        cc_xp s2 = cc_x_add(g, cc_x_mul(g, s, k->c), cc_x_mul(g, c, k->s));
        c = cc_x_expand(g, c2);
        s = cc_x_expand(g, s2);
    }
    *cosine = c;
    *sine = n < 0 ? cc_x_neg(g, s) : s;
}

static cc_xp rewrite(circle *k, cc_xp x) {
    cc_alg *g = k->g;
    if (!x || cc_int_free(x, k->v) || !x->n) return x;
    if (x->kind == CC_X_FUN && x->n == 1 && (is_trig((cc_xfn)x->fn) || is_hyperbolic((cc_xfn)x->fn))) {
        slong n;
        cc_xp ratio = cc_int_normal(g, cc_x_div(g, x->args[0], k->w), k->v), c, s;
        if (!cc_x_fits_si(ratio, &n) || n > MAX_MULTIPLE || n < -MAX_MULTIPLE) return x;
        multiple(k, n, &c, &s);
        return cc_int_wave(g, (cc_xfn)x->fn, s, c);
    }
    cc_xp *args = cc_arena_alloc(g->arena, x->n * sizeof *args);
    for (uint32_t i = 0; i < x->n; i++) args[i] = rewrite(k, x->args[i]);
    return cc_x_rebuild(g, x, args);
}

// Even powers of `from` by 1 -+ to**2, in radicals too; odd powers keep one factor.
typedef struct parity {
    cc_xp from, square; // from**2 = square
} parity;

static cc_xp reduce_power(cc_alg *g, cc_xp x, void *ctx) {
    parity *p = ctx;
    slong n;
    if (x->kind != CC_X_POW || x->args[0] != p->from || !cc_x_fits_si(x->args[1], &n)) return x;
    slong half = n / 2 - (n % 2 < 0);
    return cc_x_mul(g, cc_x_powi(g, p->square, half), cc_x_powi(g, p->from, n - 2 * half));
}

static cc_xp reduced(cc_alg *g, cc_xp x, cc_xp from, cc_xp square) {
    parity p = {from, square};
    return cc_x_map(g, x, reduce_power, &p);
}

// f written in `to` alone after division by from; rational functions through the field.
static cc_xp odd_in(circle *k, cc_xp f, cc_xp from, cc_xp square) {
    cc_alg *g = k->g;
    cc_xp q = reduced(g, cc_x_div(g, f, from), from, square);
    if (q && !cc_x_has(q, from)) return q;
    q = cc_x_div(g, f, from);
    // f/from unchanged by from -> -from?
    cc_field F;
    if (!cc_field_init(&F, g, from, &q, 1)) return NULL;
    cc_xp r = NULL;
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, F.ctx);
    bool atoms = F.how[0].q == 1;
    for (size_t i = 1; atoms && i + 1 < F.n; i++) atoms = !cc_x_has(F.gens[i], from);
    if (atoms && cc_field_get(&F, t, q)) {
        // numerator and denominator times the denominator with -from
        fmpz_mpoly_t conjugate, num, den;
        fmpz_mpoly_init(conjugate, F.ctx);
        fmpz_mpoly_init(num, F.ctx);
        fmpz_mpoly_init(den, F.ctx);
        fmpz_mpoly_t minus;
        fmpz_mpoly_init(minus, F.ctx);
        fmpz_mpoly_gen(minus, 0, F.ctx);
        fmpz_mpoly_neg(minus, minus, F.ctx);
        fmpz_mpoly_struct **images = cc_arena_alloc(g->arena, F.n * sizeof *images);
        fmpz_mpoly_struct *gens = cc_arena_alloc(g->arena, F.n * sizeof *gens);
        for (size_t i = 0; i < F.n; i++) {
            fmpz_mpoly_init(gens + i, F.ctx);
            fmpz_mpoly_gen(gens + i, (slong)i, F.ctx);
            images[i] = i ? gens + i : minus;
        }
        if (fmpz_mpoly_compose_fmpz_mpoly(conjugate, fmpz_mpoly_q_denref(t), images, F.ctx, F.ctx)) {
            fmpz_mpoly_mul(num, fmpz_mpoly_q_numref(t), conjugate, F.ctx);
            fmpz_mpoly_mul(den, fmpz_mpoly_q_denref(t), conjugate, F.ctx);
            cc_xp n = cc_x_expand(g, reduced(g, cc_field_poly(&F, num), from, square)),
                  d = cc_x_expand(g, reduced(g, cc_field_poly(&F, den), from, square));
            if (n && d && !cc_x_has(n, from) && !cc_x_has(d, from) && d != g->zero) r = cc_x_div(g, n, d);
        }
        for (size_t i = 0; i < F.n; i++) fmpz_mpoly_clear(gens + i, F.ctx);
        fmpz_mpoly_clear(minus, F.ctx);
        fmpz_mpoly_clear(conjugate, F.ctx);
        fmpz_mpoly_clear(num, F.ctx);
        fmpz_mpoly_clear(den, F.ctx);
    }
    fmpz_mpoly_q_clear(t, F.ctx);
    cc_field_clear(&F);
    return r;
}

// f(s, c) with s = t*c: even in both when only even powers of c remain.
static cc_xp in_tangent(circle *k, cc_xp f, cc_xp t) {
    cc_alg *g = k->g;
    cc_xp q = cc_int_normal(g, cc_x_subs(g, f, k->s, cc_x_mul(g, t, k->c)), k->c);
    cc_xp square = cc_x_pow(g, cc_x_add(g, g->one, cc_x_mul(g, cc_x_int(g, k->sign), cc_x_mul(g, t, t))), g->minus_one);
    q = reduced(g, q, k->c, square);
    if (!q || cc_x_has(q, k->c)) {
        q = cc_x_subs(g, f, k->s, cc_x_mul(g, t, k->c));
        q = odd_in(k, cc_x_mul(g, q, k->c), k->c, square);
    }
    return q && !cc_x_has(q, k->c) && !cc_x_has(q, k->s) ? q : NULL;
}

static cc_xp finish(cc_int *in, circle *k, cc_xp integrand, cc_xp u, cc_xp value) {
    cc_alg *g = in->g;
    cc_xp normal = cc_int_normal(g, integrand, u);
    in->in_trig++;
    cc_xp F = cc_int_find(in, normal, u);
    if (!F && normal != integrand) F = cc_int_find(in, integrand, u);
    in->in_trig--;
    return F ? cc_x_div(g, cc_x_subs(g, F, u, value), k->slope) : NULL;
}

cc_xp cc_int_trig(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    circle k = {.g = g, .v = v};
    survey(&k, f);
    if (!k.found || k.mixed) return NULL;
    k.w = cc_x_div(g, k.first, cc_x_int(g, k.q));
    k.slope = cc_x_diff(g, k.w, v);
    k.s = cc_x_dummy(g, "s", 0);
    k.c = cc_x_dummy(g, "c", 0);
    cc_xp h = rewrite(&k, f);
    if (!h || !cc_int_free(h, v)) return NULL;
    bool hyperbolic = k.sign < 0;
    cc_xp sine = cc_x_f1(g, hyperbolic ? CC_F_SINH : CC_F_SIN, k.w), cosine = cc_x_f1(g, hyperbolic ? CC_F_COSH : CC_F_COS, k.w);
    cc_xp sign = cc_x_int(g, k.sign), u = cc_int_variable(in, v);
    cc_xp sine_square = cc_x_mul(g, sign, cc_x_sub(g, g->one, cc_x_mul(g, k.c, k.c)));
    cc_xp cosine_square = cc_x_sub(g, g->one, cc_x_mul(g, sign, cc_x_mul(g, k.s, k.s)));
    cc_xp r = NULL, q = odd_in(&k, h, k.s, sine_square);
    if (q) r = finish(in, &k, cc_x_neg(g, cc_x_mul(g, sign, cc_x_subs(g, q, k.c, u))), u, cosine);
    if (r || g->err->code != CC_OK) return r;
    q = odd_in(&k, h, k.c, cosine_square);
    if (q) r = finish(in, &k, cc_x_subs(g, q, k.s, u), u, sine);
    if (r || g->err->code != CC_OK) return r;
    cc_xp square = cc_x_mul(g, u, u), one_plus = cc_x_add(g, g->one, cc_x_mul(g, sign, square));
    q = in_tangent(&k, h, u);
    if (q) r = finish(in, &k, cc_x_div(g, q, one_plus), u, cc_x_f1(g, hyperbolic ? CC_F_TANH : CC_F_TAN, k.w));
    if (r || g->err->code != CC_OK) return r;
    // roots: one factor of the cosine is sigma/sqrt(1 + tangent**2), sigma constant between the poles
    q = cc_int_normal(g, cc_x_subs(g, h, k.s, cc_x_mul(g, u, k.c)), k.c);
    q = reduced(g, q, k.c, cc_x_pow(g, one_plus, g->minus_one));
    if (q && cc_x_has(q, k.c)) {
        cc_xp with, without, tangent = cc_x_f1(g, hyperbolic ? CC_F_TANH : CC_F_TAN, k.w), e, b;
        cc_x_separate_mul(g, q, k.c, &with, &without);
        cc_x_split_power(g, with, &b, &e);
        if (b == k.c && cc_x_is_num(e)) {
            cc_xp root = cc_x_pow(g, one_plus, cc_x_mul(g, cc_x_frac(g, -1, 2), e));
            r = finish(in, &k, CC_PROD(g, without, root, cc_x_pow(g, one_plus, g->minus_one)), u, tangent);
            if (r) r = CC_PROD(g, r, cc_x_pow(g, cosine, e), cc_x_pow(g, cc_x_subs(g, root, u, tangent), g->minus_one));
            if (r || g->err->code != CC_OK) return r;
        }
    }
    cc_xp s = cc_x_div(g, cc_x_mul(g, g->two, u), one_plus), c = cc_x_div(g, cc_x_sub(g, g->one, cc_x_mul(g, sign, square)), one_plus);
    q = cc_x_subs_many(g, h, (const cc_xp[]){k.s, k.c}, (const cc_xp[]){s, c}, 2);
    return finish(in, &k, cc_x_div(g, cc_x_mul(g, g->two, q), one_plus), u,
                  cc_x_f1(g, hyperbolic ? CC_F_TANH : CC_F_TAN, cc_x_mul(g, g->half, k.w)));
}

static cc_xp by_exp(cc_alg *g, cc_xp x, void *v) {
    if (x->kind != CC_X_FUN || x->n != 1 || !is_hyperbolic((cc_xfn)x->fn) || cc_int_free(x, v)) return x;
    cc_xp up = cc_x_exp(g, x->args[0]), down = cc_x_exp(g, cc_x_neg(g, x->args[0]));
    cc_xp c = cc_x_add(g, up, down), s = cc_x_sub(g, up, down);
    switch ((cc_xfn)x->fn) {
    case CC_F_SINH: return cc_x_mul(g, g->half, s);
    case CC_F_COSH: return cc_x_mul(g, g->half, c);
    case CC_F_TANH: return cc_x_div(g, s, c);
    case CC_F_COTH: return cc_x_div(g, c, s);
    case CC_F_SECH: return cc_x_div(g, g->two, c);
    default: return cc_x_div(g, g->two, s);
    }
}

cc_xp cc_int_hyperbolic_by_exp(cc_alg *g, cc_xp x, cc_xp v) { return cc_x_map(g, x, by_exp, (void *)v); }

cc_xp cc_int_hyperbolic(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp h = cc_int_hyperbolic_by_exp(g, f, v);
    return h && h != f ? cc_int_find(in, cc_int_normal(g, h, v), v) : NULL;
}

cc_xp cc_int_circle(cc_alg *g, cc_xp f, cc_xp v, cc_xp s, cc_xp c, cc_xp *w) {
    circle k = {.g = g, .v = v, .s = s, .c = c};
    survey(&k, f);
    if (!k.found || k.mixed) return NULL;
    k.w = cc_x_div(g, k.first, cc_x_int(g, k.q));
    cc_xp h = rewrite(&k, f);
    *w = k.w;
    if (k.sign < 0) { // sinh(w) = -I*sin(I*w), cosh(w) = cos(I*w)
        h = cc_x_subs(g, h, s, cc_x_neg(g, cc_x_mul(g, g->i, s)));
        *w = cc_x_mul(g, g->i, k.w);
    }
    return h;
}

cc_xp cc_int_even_in(cc_alg *g, cc_xp f, cc_xp from, cc_xp square) {
    circle k = {.g = g};
    return odd_in(&k, cc_x_mul(g, f, from), from, square);
}

cc_xp cc_int_half_tangent(cc_alg *g, cc_xp x, cc_xp v) {
    circle k = {.g = g, .v = v};
    survey(&k, x);
    if (!k.found) return x;
    if (k.mixed || k.sign < 0) return NULL;
    k.w = cc_x_div(g, k.first, cc_x_int(g, k.q));
    k.s = cc_x_dummy(g, "s", 0);
    k.c = cc_x_dummy(g, "c", 0);
    cc_xp h = rewrite(&k, x), t = cc_x_f1(g, CC_F_TAN, cc_x_mul(g, g->half, k.w)), square = cc_x_mul(g, t, t);
    cc_xp one_plus = cc_x_add(g, g->one, square);
    cc_xp s = cc_x_div(g, cc_x_mul(g, g->two, t), one_plus), c = cc_x_div(g, cc_x_sub(g, g->one, square), one_plus);
    return cc_x_subs_many(g, h, (const cc_xp[]){k.s, k.c}, (const cc_xp[]){s, c}, 2);
}
