// Binomial differentials: roots (a + b*x**n)**(p/q) where t = (a + b*x**n)**(1/q)/x**(n/q) makes the integrand rational (Chebyshev's third
// case; the first two are substitutions), and powers of binomials by the hypergeometric function. Called by search.c.
#include "math/integrate/integrate.h"

enum { MAX_DEGREE = 40 };

static cc_xp find_radical(cc_xp x, cc_xp v) {
    if (!x || cc_int_free(x, v)) return NULL;
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp r = find_radical(x->args[i], v);
        if (r) return r;
    }
    return x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && !cc_x_is_int(x->args[1]) && x->args[0] != v ? x : NULL;
}

// base = a + b*v**n.
static bool binomial(cc_alg *g, cc_xp base, cc_xp v, cc_xp *a, cc_xp *b, slong *n) {
    cc_xp c[MAX_DEGREE + 1];
    if (!cc_int_polynomial(g, base, v, MAX_DEGREE, c) || c[0] == g->zero) return false;
    *n = 0;
    for (slong i = 1; i <= MAX_DEGREE; i++) {
        if (c[i] == g->zero) continue;
        if (*n) return false;
        *n = i;
    }
    *a = c[0];
    if (*n) *b = c[*n];
    return *n > 0;
}

typedef struct naming {
    cc_xp base, root; // base**(p/q) -> root**(p*n/q)
    slong n;
} naming;

static cc_xp name_root(cc_alg *g, cc_xp x, void *ctx) {
    naming *k = ctx;
    if (x->kind != CC_X_POW || x->args[0] != k->base || !cc_x_is_num(x->args[1]) || cc_x_is_int(x->args[1])) return x;
    return cc_x_pow(g, k->root, cc_x_mul(g, x->args[1], cc_x_int(g, k->n)));
}

cc_xp cc_int_binomial(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp radical = find_radical(f, v), a, b;
    slong n;
    if (!radical || !binomial(g, radical->args[0], v, &a, &b, &n) || n < 2) return NULL;
    slong q = fmpz_get_si(fmpq_denref(radical->args[1]->num));
    cc_xp t = cc_int_variable(in, v), Z = cc_x_dummy(g, "Z", 0);
    // base**(1/q) = t*v**(n/q)
    naming k = {radical->args[0], cc_x_dummy(g, "root", 0), q};
    cc_xp h = cc_x_map(g, f, name_root, &k);
    if (!h || find_radical(h, v)) return NULL;
    // powers of v one by one: v = V**q keeps all exponents whole
    cc_xp V = cc_x_dummy(g, "V", CC_IS_POSITIVE);
    h = cc_x_div(g, h, cc_x_powi(g, v, n - 1));
    h = cc_x_subs_many(g, h, (const cc_xp[]){k.root, v}, (const cc_xp[]){cc_x_mul(g, t, cc_x_powi(g, V, n)), cc_x_powi(g, V, q)}, 2);
    h = cc_int_expanded(g, h, V);
    h = cc_int_in_terms(g, h, V, cc_x_powi(g, V, q * n), Z);
    if (!h || cc_x_has(h, V) || cc_x_has(h, v)) return NULL;
    cc_xp tq = cc_x_powi(g, t, q), value = cc_x_div(g, a, cc_x_sub(g, tq, b)); // v**n
    h = cc_x_mul(g, cc_x_subs(g, h, Z, value), cc_x_div(g, cc_x_diff(g, value, t), cc_x_int(g, n)));
    cc_xp F = cc_int_find(in, cc_int_normal(g, h, t), t);
    cc_xp T = cc_x_mul(g, cc_x_pow(g, radical->args[0], cc_x_frac(g, 1, q)), cc_x_pow(g, v, cc_x_frac(g, -n, q)));
    return F ? cc_x_subs(g, F, t, T) : NULL;
}

// v**m * (a + b*v**n)**p = v**(m+1)/(m+1) * (a + b*v**n)**p/(1 + b*v**n/a)**p * 2F1(-p, (m+1)/n; (m+1)/n + 1; -b*v**n/a).
cc_xp cc_int_hypergeometric(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t count;
    const cc_xp *factors = cc_x_factors(&f, &count);
    cc_xp m = g->zero, base = NULL, p = NULL;
    for (size_t i = 0; i < count; i++) {
        cc_xp b, e;
        cc_x_split_power(g, factors[i], &b, &e);
        if (!e || !cc_int_free(e, v)) return NULL;
        if (b == v) {
            m = cc_x_add(g, m, e);
        } else if (!base && b->kind == CC_X_ADD && b->n == 2) {
            base = b;
            p = e;
        } else {
            return NULL;
        }
    }
    if (!base) return NULL;
    cc_xp with, a, power, b, x, n;
    cc_x_separate_add(g, base, v, &with, &a);
    if (!with || a == g->zero) return NULL;
    cc_x_separate_mul(g, with, v, &power, &b);
    if (!power) return NULL;
    cc_x_split_power(g, power, &x, &n);
    cc_xp next = cc_x_add(g, m, g->one);
    if (x != v || !cc_int_free(n, v) || next == g->zero) return NULL;
    cc_xp s = cc_x_div(g, next, n), z = cc_x_neg(g, cc_x_div(g, with, a));
    cc_xp upper[] = {cc_x_neg(g, p), s}, lower[] = {cc_x_add(g, s, g->one)};
    cc_xp hyper = cc_x_fun(g, CC_F_HYPER, (const cc_xp[]){cc_x_list(g, upper, 2), cc_x_list(g, lower, 1), z}, 3);
    cc_xp scale = cc_x_mul(g, cc_x_pow(g, base, p), cc_x_pow(g, cc_x_sub(g, g->one, z), cc_x_neg(g, p)));
    if (cc_x_is_int(p)) scale = cc_x_pow(g, a, p);
    return CC_PROD(g, cc_x_pow(g, v, next), cc_x_pow(g, next, g->minus_one), scale, hyper);
}
