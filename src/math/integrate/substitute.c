// Substitution: u a part of the integrand, f/u' written in u alone ("derivative divides"), and the logarithm as variable. Called by
// search.c. Powers of u are recognised (exp(2*x) is exp(x)**2, x**4 is (x**2)**2, sin(x)**2 is 1 - cos(x)**2).
#include "math/integrate/integrate.h"

enum { MAX_CANDIDATES = 40, MAX_SHIFTED = 8 };

typedef struct replacing {
    cc_xp v, u, U;
    cc_xp base, exponent; // u = base**exponent
    cc_xp slope;          // exponent' when the base is free of v
} replacing;

// g(w)**2 as a polynomial in f(w): c + s*f**2.
static const struct {
    cc_xfn f, g;
    int c, s;
} squares[] = {
    {CC_F_SIN, CC_F_COS, 1, -1},   {CC_F_COS, CC_F_SIN, 1, -1},   {CC_F_TAN, CC_F_SEC, 1, 1},    {CC_F_SEC, CC_F_TAN, -1, 1},
    {CC_F_COT, CC_F_CSC, 1, 1},    {CC_F_CSC, CC_F_COT, -1, 1},   {CC_F_SINH, CC_F_COSH, 1, 1},  {CC_F_COSH, CC_F_SINH, -1, 1},
    {CC_F_TANH, CC_F_SECH, 1, -1}, {CC_F_SECH, CC_F_TANH, 1, -1}, {CC_F_COTH, CC_F_CSCH, -1, 1}, {CC_F_CSCH, CC_F_COTH, 1, 1},
};

static cc_xp replace(cc_alg *g, cc_xp x, const replacing *r) {
    if (!x) return NULL;
    if (x == r->u) return r->U;
    if (cc_int_free(x, r->v)) return x;
    if (!cc_alg_may_search(g)) return x;
    if (x->kind == CC_X_POW || x->kind == CC_X_SYM || cc_x_is_fun(x, CC_F_EXP)) {
        cc_xp base, e;
        cc_x_split_power(g, x, &base, &e);
        if (base == r->base && base && e) {
            if (r->slope) { // base**(k*exponent + rest)
                cc_xp k = cc_int_normal(g, cc_x_div(g, cc_x_diff(g, e, r->v), r->slope), r->v);
                if (cc_x_is_int(k)) {
                    cc_xp rest = cc_x_expand(g, cc_x_sub(g, e, cc_x_mul(g, k, r->exponent)));
                    if (rest && cc_int_free(rest, r->v)) return cc_x_mul(g, cc_x_pow(g, r->U, k), cc_x_pow(g, base, rest));
                }
            } else if (cc_int_free(e, r->v)) {
                cc_xp k = cc_x_div(g, e, r->exponent);
                if (cc_x_is_int(k)) return cc_x_pow(g, r->U, k);
            }
        }
        slong n;
        if (base && e && base->kind == CC_X_FUN && r->u->kind == CC_X_FUN && base->n == 1 && r->u->n == 1 &&
            base->args[0] == r->u->args[0] && cc_x_fits_si(e, &n) && n % 2 == 0)
            for (size_t i = 0; i < CC_ARRAY_LEN(squares); i++)
                if (squares[i].f == r->u->fn && squares[i].g == base->fn) {
                    cc_xp square = cc_x_add(g, cc_x_int(g, squares[i].c), cc_x_mul(g, cc_x_int(g, squares[i].s), cc_x_mul(g, r->U, r->U)));
                    return cc_x_powi(g, square, n / 2);
                }
    }
    if (!x->n) return x;
    cc_xp *args = cc_arena_alloc(g->arena, x->n * sizeof *args);
    bool same = true;
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = replace(g, x->args[i], r);
        if (!args[i]) return NULL;
        same = same && args[i] == x->args[i];
    }
    return same ? x : cc_x_rebuild(g, x, args);
}

cc_xp cc_int_in_terms(cc_alg *g, cc_xp x, cc_xp v, cc_xp u, cc_xp U) {
    replacing r = {.v = v, .u = u, .U = U};
    cc_x_split_power(g, u, &r.base, &r.exponent);
    if (!r.base || !r.exponent) return NULL;
    if (cc_int_free(r.base, v)) r.slope = cc_x_diff(g, r.exponent, v);
    return replace(g, x, &r);
}

typedef struct candidates {
    cc_xp u[MAX_CANDIDATES];
    size_t n;
} candidates;

static void add(candidates *c, cc_xp u, cc_xp v) {
    if (!u || u == v || c->n == MAX_CANDIDATES || cc_int_free(u, v)) return;
    for (size_t i = 0; i < c->n; i++)
        if (c->u[i] == u) return;
    size_t k = c->n++;
    for (; k > 0 && c->u[k - 1]->size < u->size; k--) c->u[k] = c->u[k - 1]; // the largest first
    c->u[k] = u;
}

static void collect(cc_alg *g, candidates *c, cc_xp x, cc_xp v) {
    if (!x || cc_int_free(x, v) || x == v) return;
    if (x->kind == CC_X_FUN) {
        add(c, x, v);
        for (uint32_t i = 0; i < x->n; i++) add(c, x->args[i], v);
    }
    if (x->kind == CC_X_POW) {
        if (x->args[0] == v || !cc_int_free(x->args[1], v)) add(c, x, v);
        add(c, x->args[0], v);
        add(c, x->args[1], v);
    }
    if (x->kind == CC_X_MUL && x->n == 2 && cc_int_free(x->args[0], v) && x->args[1] != v) add(c, x->args[1], v);
    for (uint32_t i = 0; i < x->n; i++) collect(g, c, x->args[i], v);
}

// The greatest common divisor of the whole powers of v in x.
static ulong common_power(cc_xp x, cc_xp v, ulong k) {
    slong n;
    if (!x || cc_int_free(x, v)) return k;
    if (x == v) return 1;
    if (x->kind == CC_X_POW && x->args[0] == v && cc_x_fits_si(x->args[1], &n)) return n_gcd(k, (ulong)(n < 0 ? -n : n));
    for (uint32_t i = 0; i < x->n; i++) k = common_power(x->args[i], v, k);
    return k;
}

// v**k when f = v**m * h(v**k) and k divides m + 1.
static void add_power(cc_alg *g, candidates *c, cc_xp f, cc_xp v) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    slong m = 0, e;
    ulong k = 0;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, exponent;
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (base == v && cc_x_fits_si(exponent, &e))
            m = e;
        else
            k = common_power(factors[i], v, k);
    }
    k = n_gcd(k, (ulong)(m + 1 < 0 ? -m - 1 : m + 1));
    if (k > 1) add(c, cc_x_powi(g, v, (slong)k), v);
}

// exp(u) times a constant times u'/u.
static cc_xp exponential_integral(cc_alg *g, cc_xp f, cc_xp v) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, u;
        cc_x_split_power(g, factors[i], &base, &u);
        if (base != g->e || !u || cc_int_free(u, v)) continue;
        cc_xp slope = cc_x_diff(g, u, v);
        cc_xp c = slope ? cc_int_normal(g, CC_PROD(g, cc_x_div(g, f, factors[i]), u, cc_x_pow(g, slope, g->minus_one)), v) : NULL;
        if (c && cc_int_free(c, v)) return cc_x_mul(g, c, cc_x_f1(g, CC_F_EI, u));
    }
    return NULL;
}

static cc_xp try_candidate(cc_int *in, cc_xp f, cc_xp v, cc_xp u) {
    cc_alg *g = in->g;
    cc_xp slope = cc_int_without_sinc(g, cc_x_diff(g, u, v));
    if (!slope || slope == g->zero) return NULL;
    cc_xp U = cc_int_variable(in, v);
    cc_xp quotient = cc_x_div(g, f, slope), h = cc_int_in_terms(g, quotient, v, u, U);
    if (h && !cc_int_free(h, v)) {
        quotient = cc_int_normal(g, quotient, v);
        h = cc_int_in_terms(g, quotient, v, u, U);
        if (h && !cc_int_free(h, v)) h = cc_int_in_terms(g, cc_int_expanded(g, quotient, v), v, u, U);
    }
    if (h && !cc_int_free(h, v)) { // x times a power of exp, a sum of several kernels: one kernel of u by the others
        h = NULL;
        if (u->kind == CC_X_ADD) {
            for (uint32_t i = 0; i < u->n && !h; i++) {
                cc_xp with, without;
                cc_x_separate_mul(g, u->args[i], v, &with, &without);
                if (!with || cc_int_free(with, v) || with == v || with->kind == CC_X_MUL) continue;
                cc_xp value = cc_x_div(g, cc_x_sub(g, U, cc_x_sub(g, u, u->args[i])), without);
                cc_xp t = cc_int_normal(g, cc_int_in_terms(g, quotient, v, with, value), v);
                if (t && cc_int_free(t, v)) h = t;
            }
        } else if (u->kind == CC_X_MUL) {
            for (uint32_t i = 0; i < u->n && !h; i++) {
                cc_xp k = u->args[i];
                if (k == v || cc_int_free(k, v)) continue;
                cc_xp t = cc_int_normal(g, cc_int_in_terms(g, quotient, v, k, cc_x_div(g, U, cc_x_div(g, u, k))), v);
                if (t && cc_int_free(t, v)) h = t;
            }
        }
    }
    if (!h || !cc_int_free(h, v)) return NULL;
    cc_xp F = cc_int_find(in, h, U);
    return F ? cc_x_subs(g, F, U, u) : NULL;
}

// f = d**m * h(L), L = log(w) with w'/w = k/d, d linear: d**(m+1) = S*exp((m+1)*L*d'/k) with S constant where it is defined.
static cc_xp by_logarithm(cc_int *in, cc_xp f, cc_xp v, cc_xp L) {
    cc_alg *g = in->g;
    cc_xp slope = cc_int_normal(g, cc_x_diff(g, L, v), v), a, b;
    if (!slope) return NULL;
    cc_xp d = cc_int_normal(g, cc_x_pow(g, slope, g->minus_one), v);
    if (!cc_int_linear(g, d, v, &a, &b)) return NULL;
    // f as powers of v + a/b and L
    cc_xp U = cc_int_variable(in, v), shifted = v;
    if (a != g->zero) {
        cc_xp t = cc_x_dummy(g, "t", 0);
        f = cc_x_subs(g, f, L, U);
        f = cc_int_normal(g, cc_x_subs(g, f, v, cc_x_sub(g, t, cc_x_div(g, a, b))), t);
        shifted = t;
    } else {
        f = cc_x_subs(g, f, L, U);
    }
    if (!f) return NULL;
    cc_xp with, h;
    cc_x_separate_mul(g, f, shifted, &with, &h);
    cc_xp base, m;
    if (!with || with == g->one) {
        m = g->zero;
    } else {
        cc_x_split_power(g, with, &base, &m);
        if (base != shifted || !cc_int_free(m, shifted)) return NULL;
    }
    cc_xp power = cc_x_add(g, m, g->one); // of shifted; d = b*shifted
    cc_xp rate = cc_x_mul(g, power, b);   // dL = 1/d: exp(power*b*L) ~ shifted**power
    cc_xp F = cc_int_find(in, cc_x_mul(g, h, cc_x_exp(g, cc_x_mul(g, rate, U))), U);
    if (!F) return NULL;
    // times b*shifted**power * exp(-rate*L)
    cc_xp original = a == g->zero ? v : cc_x_add(g, v, cc_x_div(g, a, b));
    cc_xp S = CC_PROD(g, b, cc_x_pow(g, original, power));
    cc_xp simple = cc_x_expand(g, cc_x_mul(g, F, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, rate, U)))));
    return cc_x_mul(g, S, cc_x_subs(g, simple, U, L));
}

// v + s when the polynomial x is a*(v + s)**n + c, n >= 3; NULL: it is not.
static cc_xp shifted_power(cc_alg *g, cc_xp x, cc_xp v) {
    cc_xp c[MAX_SHIFTED + 1];
    slong n = MAX_SHIFTED;
    if (!x || x->kind != CC_X_ADD || !cc_int_polynomial(g, x, v, MAX_SHIFTED, c)) return NULL;
    while (n > 0 && c[n] == g->zero) n--;
    if (n < 3 || c[n - 1] == g->zero) return NULL;
    cc_xp s = cc_x_div(g, c[n - 1], cc_x_mul(g, cc_x_int(g, n), c[n])), k = c[n], u = cc_x_add(g, v, s);
    for (slong i = n - 1; i > 0; i--) { // k: what v**i has in c[n]*(v + s)**n
        k = cc_x_div(g, CC_PROD(g, k, s, cc_x_int(g, i + 1)), cc_x_int(g, n - i));
        if (cc_int_normal(g, cc_x_sub(g, c[i], k), v) != g->zero) return NULL;
    }
    return u;
}

// A linear form under a power that is no whole number, or inside a function under a negative power, or whose power is the argument of a
// function: as the variable it makes what is left polynomial.
static cc_xp find_shift(cc_alg *g, cc_xp x, cc_xp v, bool inside) {
    if (!x || cc_int_free(x, v)) return NULL;
    cc_xp a, b;
    if (x->kind == CC_X_POW && x->args[0] != v && cc_int_free(x->args[1], v) && cc_int_linear(g, x->args[0], v, &a, &b) &&
        (!cc_x_is_num(x->args[1]) || (inside && cc_x_num_sign(x->args[1]) < 0)))
        return x->args[0];
    bool transcendental = x->kind == CC_X_FUN || (x->kind == CC_X_POW && !cc_int_free(x->args[1], v));
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp r = transcendental ? shifted_power(g, x->args[i], v) : NULL;
        if (!r) r = find_shift(g, x->args[i], v, inside || transcendental);
        if (r) return r;
    }
    return NULL;
}

cc_xp cc_int_shift(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp u = find_shift(g, f, v, false), a, b;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) { // one is in place
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (base == v && !cc_x_is_int(e)) return NULL;
    }
    if (!u || !cc_int_linear(g, u, v, &a, &b)) return NULL;
    cc_xp U = cc_int_variable(in, v);
    cc_xp h = cc_x_subs_many(g, f, (const cc_xp[]){u, v}, (const cc_xp[]){U, cc_x_div(g, cc_x_sub(g, U, a), b)}, 2);
    h = cc_x_expand(g, cc_x_div(g, h, b));
    cc_xp F = h && !cc_x_has(h, v) ? cc_int_find(in, h, U) : NULL;
    return F ? cc_x_subs(g, F, U, u) : NULL;
}

cc_xp cc_int_substitute(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    candidates *c = cc_arena_alloc(g->arena, sizeof *c);
    f = cc_int_without_sinc(g, f);
    cc_xp Ei = exponential_integral(g, f, v);
    if (Ei) return Ei;
    collect(g, c, f, v);
    add_power(g, c, f, v);
    cc_field F;
    if (cc_field_init(&F, g, v, &f, 1)) { // roots that serve all powers: x**(1/6), exp(x/6)
        for (size_t i = 0; i + 1 < F.n; i++) add(c, F.gens[i], v);
        cc_field_clear(&F);
    }
    for (size_t i = 0; i < c->n && cc_alg_may_search(g); i++) {
        cc_xp r = try_candidate(in, f, v, c->u[i]);
        if (r || g->err->code != CC_OK) return r;
    }
    cc_xp L = cc_int_find_fun(f, CC_F_LOG, v);
    return L && L != f ? by_logarithm(in, f, v, L) : NULL;
}
