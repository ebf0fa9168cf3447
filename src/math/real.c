// Making exact real numbers: the context that owns them, sums, products, integer powers and roots, with the light normal form
// that keeps graphs small (rational parts outermost, equal operations shared, roots of rationals free of powers). Called by
// elementary.c and the calculator. It owns every FLINT object of an evaluation through cc_reals. It never decides equality of
// irrational numbers; that is exact.c.
#include "math/real.h"

#include <assert.h>
#include <flint/fmpz_factor.h>
#include <flint/ulong_extras.h>
#include <math.h>

void cc_reals_init(cc_reals *r, cc_arena *arena, cc_error *err, const volatile sig_atomic_t *stop) {
    *r = (cc_reals){.arena = arena, .err = err, .stop = stop, .exp_lcm = 1};
}

void cc_reals_clear(cc_reals *r) {
    for (size_t i = 0; i < r->n; i++) {
        cc_real *x = r->all[i];
        fmpq_clear(x->q);
        if (x->ball_prec) arb_clear(x->ball);
        for (int m = 0; m < CC_CA_MODES; m++)
            if (x->ca[m]) {
                ca_clear(x->ca[m], r->ca[m]);
                flint_free(x->ca[m]);
            }
    }
    for (int m = 0; m < CC_CA_MODES; m++)
        if (r->has_ca[m]) ca_ctx_clear(r->ca[m]);
    *r = (cc_reals){0};
}

int cc_reals_poll(cc_reals *r) {
    if (!r->stop || !*r->stop) return 0;
    return cc_error_set(r->err, CC_TIMEOUT, "the calculation did not finish in its time");
}

static bool same(const cc_real *a, const cc_real *b) {
    return a == b || (a && b && a->op == CC_R_RAT && b->op == CC_R_RAT && fmpq_equal(a->q, b->q));
}

static cc_real *append(cc_reals *r, cc_real_op op) {
    if (r->n == CC_MAX_REALS) {
        cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "the calculation has more than %d intermediate numbers", CC_MAX_REALS);
        return NULL;
    }
    if (r->n == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 64;
        cc_real **all = CC_ARENA_ARRAY(r->arena, cc_real *, cap);
        if (r->n) memcpy(all, r->all, r->n * sizeof(cc_real *));
        r->all = all;
        r->cap = cap;
    }
    cc_real *x = CC_ARENA_NEW(r->arena, cc_real);
    x->op = op;
    x->sign = 2;
    fmpq_init(x->q);
    r->all[r->n++] = x;
    return x;
}

cc_real *cc_real_node(cc_reals *r, cc_real_op op, cc_real *a, cc_real *b, long n) {
    // An equal operation made a short while ago is the same number: sqrt(2) written twice is one node.
    size_t oldest = r->n > 256 ? r->n - 256 : 0;
    for (size_t i = r->n; i-- > oldest;) {
        cc_real *x = r->all[i];
        if (x->op == op && x->n == n && same(x->a, a) && same(x->b, b)) return x;
    }
    uint32_t depth = a ? a->depth + 1 : 0;
    if (b && b->depth + 1 > depth) depth = b->depth + 1;
    if (depth > CC_MAX_REAL_DEPTH) {
        cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "irrational numbers are nested deeper than %d", CC_MAX_REAL_DEPTH);
        return NULL;
    }
    cc_real *x = append(r, op);
    if (!x) return NULL;
    x->a = a;
    x->b = b;
    x->n = n;
    x->depth = depth;
    x->root_nest = a ? a->root_nest : 0;
    if (b && b->root_nest > x->root_nest) x->root_nest = b->root_nest;
    if (op == CC_R_ROOT && a->op != CC_R_RAT) x->root_nest++;
    x->slow = (a && a->slow) || (b && b->slow) || op == CC_R_LGAMMA || op == CC_R_DIGAMMA || (op == CC_R_GAMMA && a->op != CC_R_RAT) ||
              (op == CC_R_ZETA && !cc_real_is_int(a));
    return x;
}

static cc_real *too_large(cc_reals *r, double digits) {
    cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "an exact intermediate result would have about %.3g digits; the limit is %.3g", digits,
                 (double)CC_MAX_BITS * 0.30103);
    cc_error_remedy(r->err, "for a remainder use powmod(base, exponent, modulus); compare logarithms instead of the numbers");
    return NULL;
}

static double bits_of(const cc_real *x) { return (double)fmpz_bits(fmpq_numref(x->q)) + (double)fmpz_bits(fmpq_denref(x->q)); }

static double log2_abs(const fmpz_t n) {
    slong e;
    double m = fmpz_get_d_2exp(&e, n); // n = m 2^e, 1/2 <= |m| < 1
    return log2(fabs(m)) + (double)e;
}
// log2 of the longer of numerator and denominator
static double longer_bits(const cc_real *x) {
    double p = fmpz_is_zero(fmpq_numref(x->q)) ? 0 : log2_abs(fmpq_numref(x->q)), q = log2_abs(fmpq_denref(x->q));
    return fmax(p, q);
}
static bool is_unit(const cc_real *x) { // 0, 1 or -1
    return fmpz_is_one(fmpq_denref(x->q)) && (fmpz_is_zero(fmpq_numref(x->q)) || fmpz_is_pm1(fmpq_numref(x->q)));
}

// Numbers are kept until the evaluation ends, so many long ones add up.
static cc_real *spend(cc_reals *r, cc_real *x) {
    r->bits += bits_of(x);
    if (r->bits <= CC_MAX_TOTAL_BITS) return x;
    cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "the intermediate numbers take more than %.0f MB", CC_MAX_TOTAL_BITS / 8e6);
    return NULL;
}

cc_real *cc_real_fmpq(cc_reals *r, const fmpq_t q) {
    cc_real *x = append(r, CC_R_RAT);
    if (!x) return NULL;
    fmpq_set(x->q, q);
    return spend(r, x);
}

cc_real *cc_real_fmpz(cc_reals *r, const fmpz_t n) {
    cc_real *x = append(r, CC_R_RAT);
    if (!x) return NULL;
    fmpq_set_fmpz(x->q, n);
    return spend(r, x);
}

cc_real *cc_real_si(cc_reals *r, slong n) {
    cc_real *x = append(r, CC_R_RAT);
    if (x) fmpq_set_si(x->q, n, 1);
    return x;
}

cc_real *cc_real_frac(cc_reals *r, slong p, ulong q) {
    cc_real *x = append(r, CC_R_RAT);
    if (x) fmpq_set_si(x->q, p, q);
    return x;
}

cc_real *cc_real_const(cc_reals *r, cc_real_op op) { return cc_real_node(r, op, NULL, NULL, 0); }

bool cc_real_is_int(const cc_real *x) { return x->op == CC_R_RAT && fmpz_is_one(fmpq_denref(x->q)); }

static bool is_zero(const cc_real *x) { return x->op == CC_R_RAT && fmpq_is_zero(x->q); }
static bool is_one(const cc_real *x) { return x->op == CC_R_RAT && fmpq_is_one(x->q); }
// x is c * y with a rational c that stands outermost.
static bool has_coefficient(const cc_real *x) { return x->op == CC_R_MUL && x->a->op == CC_R_RAT; }

static cc_real *add_rats(cc_reals *r, const cc_real *a, const cc_real *b) {
    double whole = fmax((double)fmpz_bits(fmpq_numref(a->q)), (double)fmpz_bits(fmpq_numref(b->q)));
    double bits = cc_real_is_int(a) && cc_real_is_int(b) ? whole : bits_of(a) + bits_of(b);
    if (bits > (double)CC_MAX_BITS) return too_large(r, bits * 0.30103);
    cc_real *x = append(r, CC_R_RAT);
    if (!x) return NULL;
    fmpq_add(x->q, a->q, b->q);
    return spend(r, x);
}

static cc_real *mul_rats(cc_reals *r, const cc_real *a, const cc_real *b) {
    if (bits_of(a) + bits_of(b) > (double)CC_MAX_BITS) return too_large(r, (bits_of(a) + bits_of(b)) * 0.30103);
    cc_real *x = append(r, CC_R_RAT);
    if (!x) return NULL;
    fmpq_mul(x->q, a->q, b->q);
    return spend(r, x);
}

cc_real *cc_real_add(cc_reals *r, cc_real *a, cc_real *b) {
    if (!a || !b) return NULL;
    if (a->op == CC_R_RAT && b->op == CC_R_RAT) return add_rats(r, a, b);
    if (is_zero(a)) return b;
    if (is_zero(b)) return a;
    if (b->op == CC_R_RAT) {
        cc_real *t = a;
        a = b;
        b = t;
    }
    if (a->op == CC_R_RAT) {
        if (b->op != CC_R_ADD || b->a->op != CC_R_RAT) return cc_real_node(r, CC_R_ADD, a, b, 0);
        cc_real *sum = add_rats(r, a, b->a);
        return !sum ? NULL : is_zero(sum) ? b->b : cc_real_node(r, CC_R_ADD, sum, b->b, 0);
    }
    if (a->op == CC_R_ADD && a->a->op == CC_R_RAT) return cc_real_add(r, a->a, cc_real_add(r, a->b, b));
    if (b->op == CC_R_ADD && b->a->op == CC_R_RAT) return cc_real_add(r, b->a, cc_real_add(r, a, b->b));
    cc_real *pa = has_coefficient(a) ? a->b : a, *pb = has_coefficient(b) ? b->b : b;
    if (pa == pb) {
        cc_real *one = cc_real_si(r, 1);
        return one ? cc_real_mul(r, cc_real_add(r, a == pa ? one : a->a, b == pb ? one : b->a), pa) : NULL;
    }
    return cc_real_node(r, CC_R_ADD, a, b, 0);
}

cc_real *cc_real_mul(cc_reals *r, cc_real *a, cc_real *b) {
    if (!a || !b) return NULL;
    if (a->op == CC_R_RAT && b->op == CC_R_RAT) return mul_rats(r, a, b);
    if (is_zero(a) || is_one(b)) return a;
    if (is_zero(b) || is_one(a)) return b;
    if (b->op == CC_R_RAT) {
        cc_real *t = a;
        a = b;
        b = t;
    }
    if (a->op == CC_R_RAT) {
        if (!has_coefficient(b)) return cc_real_node(r, CC_R_MUL, a, b, 0);
        cc_real *c = mul_rats(r, a, b->a);
        return !c ? NULL : is_one(c) ? b->b : cc_real_node(r, CC_R_MUL, c, b->b, 0);
    }
    if (has_coefficient(a)) return cc_real_mul(r, a->a, cc_real_mul(r, a->b, b));
    if (has_coefficient(b)) return cc_real_mul(r, b->a, cc_real_mul(r, a, b->b));
    if (a == b) return cc_real_powi(r, a, 2);
    if (a->op == CC_R_ROOT && b->op == CC_R_ROOT && a->n == b->n && a->a->op == CC_R_RAT && b->a->op == CC_R_RAT)
        return cc_real_root(r, mul_rats(r, a->a, b->a), a->n);
    return cc_real_node(r, CC_R_MUL, a, b, 0);
}

cc_real *cc_real_mul_si(cc_reals *r, cc_real *a, slong n) {
    cc_real *c = cc_real_si(r, n);
    return c ? cc_real_mul(r, c, a) : NULL;
}
cc_real *cc_real_neg(cc_reals *r, cc_real *a) { return cc_real_mul_si(r, a, -1); }
cc_real *cc_real_sub(cc_reals *r, cc_real *a, cc_real *b) { return b ? cc_real_add(r, a, cc_real_neg(r, b)) : NULL; }

cc_real *cc_real_div(cc_reals *r, cc_real *a, cc_real *b) {
    if (!a || !b) return NULL;
    int sign;
    if (cc_real_sign(r, b, &sign)) return NULL;
    if (sign == 0) {
        cc_error_set(r->err, CC_VALIDATION, "division by zero");
        return NULL;
    }
    return cc_real_mul(r, a, cc_real_powi(r, b, -1));
}

cc_real *cc_real_powi(cc_reals *r, cc_real *a, slong n) {
    if (!a) return NULL;
    if (n == 0) return cc_real_si(r, 1);
    if (n == 1) return a;
    if (a->op == CC_R_RAT) {
        assert(n > 0 || !fmpq_is_zero(a->q));
        double size = is_unit(a) ? 1 : longer_bits(a) * fabs((double)n);
        if (size > (double)CC_MAX_BITS) return too_large(r, size * 0.30103);
        cc_real *x = append(r, CC_R_RAT);
        if (!x) return NULL;
        fmpq_pow_si(x->q, a->q, n);
        return spend(r, x);
    }
    if (has_coefficient(a)) return cc_real_mul(r, cc_real_powi(r, a->a, n), cc_real_powi(r, a->b, n));
    if (a->op == CC_R_EXP) return cc_real_exp(r, cc_real_mul_si(r, a->a, n));
    if (a->op == CC_R_ROOT && a->a->op == CC_R_RAT) { // root(q, k)**n = q**(n div k) * root(q**(n mod k), k)
        slong k = a->n, whole = n / k - (n % k < 0), rest = n - whole * k;
        return cc_real_mul(r, cc_real_powi(r, a->a, whole), cc_real_root(r, cc_real_powi(r, a->a, rest), k));
    }
    if (a->op == CC_R_POWI) {
        slong m;
        if (!__builtin_mul_overflow(a->n, n, &m))
            return m == 0 ? cc_real_si(r, 1) : m == 1 ? a->a : cc_real_node(r, CC_R_POWI, a->a, NULL, m);
    }
    if (a->op == CC_R_MUL && n < 0) return cc_real_mul(r, cc_real_powi(r, a->a, n), cc_real_powi(r, a->b, n));
    return cc_real_node(r, CC_R_POWI, a, NULL, n);
}

// root(m, n) for an integer m > 0 as c * root(k, d) with k free of d-th powers as far as small factors show.
static cc_real *root_of_integer(cc_reals *r, const fmpz_t m, long n) {
    fmpz_t c, k, t;
    fmpz_init_set_ui(c, 1);
    fmpz_init_set_ui(k, 1);
    fmpz_init(t);
    fmpz_factor_t f;
    fmpz_factor_init(f);
    if (fmpz_bits(m) <= 128)
        fmpz_factor_smooth(f, m, 20, 0);
    else if (fmpz_bits(m) <= 20000)
        fmpz_factor_trial(f, m, 500);
    else // too long to search: perfect powers were tried by the caller
        _fmpz_factor_append(f, m, 1);
    ulong g = (ulong)n;
    for (slong i = 0; i < f->num; i++) g = n_gcd(g, (ulong)f->exp[i] % (ulong)n);
    for (slong i = 0; i < f->num; i++) {
        fmpz_pow_ui(t, f->p + i, f->exp[i] / (ulong)n);
        fmpz_mul(c, c, t);
        fmpz_pow_ui(t, f->p + i, f->exp[i] % (ulong)n / g);
        fmpz_mul(k, k, t);
    }
    cc_real *x = cc_real_fmpz(r, k);
    if (x && !fmpz_is_one(k) && (ulong)n != g) x = cc_real_node(r, CC_R_ROOT, x, NULL, n / (long)g);
    if (x) x = cc_real_mul(r, cc_real_fmpz(r, c), x);
    fmpz_factor_clear(f);
    fmpz_clear(c);
    fmpz_clear(k);
    fmpz_clear(t);
    return x;
}

static cc_real *root_of_rational(cc_reals *r, cc_real *a, long n) {
    fmpq_t x;
    fmpq_init(x);
    cc_real *res = NULL;
    if (fmpz_root(fmpq_numref(x), fmpq_numref(a->q), n) && fmpz_root(fmpq_denref(x), fmpq_denref(a->q), n)) {
        res = cc_real_fmpq(r, x);
    } else if ((double)fmpz_bits(fmpq_denref(a->q)) * (double)n > 100000) {
        res = cc_real_node(r, CC_R_ROOT, a, NULL, n); // moving the denominator out would make it long
    } else {                                          // root(p/q) = root(p * q**(n-1)) / q
        fmpz_pow_ui(fmpq_numref(x), fmpq_denref(a->q), (ulong)n - 1);
        fmpz_mul(fmpq_numref(x), fmpq_numref(x), fmpq_numref(a->q));
        res = root_of_integer(r, fmpq_numref(x), n);
        fmpz_one(fmpq_numref(x));
        fmpz_set(fmpq_denref(x), fmpq_denref(a->q));
        if (res) res = cc_real_mul(r, cc_real_fmpq(r, x), res);
    }
    fmpq_clear(x);
    return res;
}

// sqrt(u + v*sqrt(w)) as a sum of two simpler roots when u^2 - v^2 w is the square of a rational d:
// sqrt((u + d)/2) + sign(v) sqrt((u - d)/2). NULL when it is not, with no error set.
static cc_real *denest(cc_reals *r, cc_real *a) {
    if (a->op != CC_R_ADD || a->a->op != CC_R_RAT || fmpq_sgn(a->a->q) <= 0) return NULL;
    cc_real *s = has_coefficient(a->b) ? a->b->b : a->b;
    if (s->op != CC_R_ROOT || s->n != 2 || s->a->op != CC_R_RAT) return NULL;
    fmpq_t d, t;
    fmpq_init(d);
    fmpq_init(t);
    fmpq_mul(d, a->a->q, a->a->q);
    fmpq_set(t, s->a->q);
    if (has_coefficient(a->b)) {
        fmpq_mul(t, t, a->b->a->q);
        fmpq_mul(t, t, a->b->a->q);
    }
    fmpq_sub(d, d, t);
    bool minus = has_coefficient(a->b) && fmpq_sgn(a->b->a->q) < 0;
    cc_real *x = NULL;
    if (fmpq_sgn(d) >= 0 && fmpz_is_square(fmpq_numref(d)) && fmpz_is_square(fmpq_denref(d))) {
        fmpz_sqrt(fmpq_numref(d), fmpq_numref(d));
        fmpz_sqrt(fmpq_denref(d), fmpq_denref(d));
        fmpq_add(t, a->a->q, d);
        fmpq_div_2exp(t, t, 1);
        cc_real *p = cc_real_root(r, cc_real_fmpq(r, t), 2);
        fmpq_sub(t, a->a->q, d);
        fmpq_div_2exp(t, t, 1);
        cc_real *q = cc_real_root(r, cc_real_fmpq(r, t), 2);
        x = minus ? cc_real_sub(r, p, q) : cc_real_add(r, p, q);
    }
    fmpq_clear(d);
    fmpq_clear(t);
    return x;
}

cc_real *cc_real_root(cc_reals *r, cc_real *a, long n) {
    if (!a) return NULL;
    assert(n >= 1);
    if (n == 1) return a;
    int sign;
    if (cc_real_sign(r, a, &sign)) return NULL;
    if (sign == 0) return cc_real_si(r, 0);
    assert(sign > 0 || n % 2 == 1);
    if (sign < 0) return cc_real_neg(r, cc_real_root(r, cc_real_neg(r, a), n));
    if (a->op == CC_R_RAT) return root_of_rational(r, a, n);
    if (a->op == CC_R_EXP) return cc_real_exp(r, cc_real_mul(r, cc_real_frac(r, 1, (ulong)n), a->a));
    if (a->op == CC_R_ROOT && a->n <= 1000000 / n) return cc_real_root(r, a->a, a->n * n);
    if (has_coefficient(a) && fmpq_sgn(a->a->q) > 0) return cc_real_mul(r, cc_real_root(r, a->a, n), cc_real_root(r, a->b, n));
    if (a->op == CC_R_POWI) { // a = y**m > 0, so y > 0 or m is even, and a = |y|**m
        slong g = (slong)n_gcd((ulong)(a->n < 0 ? -a->n : a->n), (ulong)n);
        if (g > 1) return cc_real_root(r, cc_real_powi(r, cc_real_abs(r, a->a), a->n / g), n / g);
    }
    cc_real *simple = n == 2 ? denest(r, a) : NULL;
    return simple ? simple : cc_real_node(r, CC_R_ROOT, a, NULL, n);
}

cc_real *cc_real_abs(cc_reals *r, cc_real *a) {
    int sign;
    if (!a || cc_real_sign(r, a, &sign)) return NULL;
    return sign < 0 ? cc_real_neg(r, a) : a;
}
