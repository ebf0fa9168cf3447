// Powers in canonical form, and roots of numbers: 12**(1/2) is 2*sqrt(3), (-8)**(1/3) is 2*(-1)**(1/3), 1/sqrt(2) is sqrt(2)/2. A power of
// a power or of a product is taken apart only where that holds for the principal values. Called by mul.c and everybody.
//
// Roots of positive integers are brought to one form in a product: all bases are factored, the exponents of a prime added, their whole
// parts go to the rational factor, and primes with the same remaining exponent are multiplied (sqrt(2)*sqrt(3) is sqrt(6)). A factor that
// is too hard to find stays part of its composite, which is right, only not the simplest.
#include "math/expr/intern.h"
#include "math/factor_integer.h"

#include <stdlib.h>

enum {
    TRIAL_PRIMES = 3512, // up to 2^15
    FULL_BITS = 70,      // factored completely in well under a millisecond
};

// ---- roots of positive integers ----

void cc_radicals_init(cc_radicals *r) { *r = (cc_radicals){0}; }

void cc_radicals_clear(cc_radicals *r) {
    for (size_t i = 0; i < r->n; i++) {
        fmpz_clear(&r->base[i]);
        fmpq_clear(&r->exponent[i]);
    }
    free(r->base);
    free(r->exponent);
}

static void put_factor(cc_radicals *r, const fmpz_t base, const fmpq_t exponent, ulong times) {
    fmpq_t e;
    fmpq_init(e);
    fmpq_mul_ui(e, exponent, times);
    size_t i = 0;
    while (i < r->n && !fmpz_equal(&r->base[i], base)) i++;
    if (i == r->n) {
        if (r->n == r->cap) {
            r->cap = r->cap ? r->cap * 2 : 8;
            r->base = cc_realloc(r->base, r->cap * sizeof *r->base);
            r->exponent = cc_realloc(r->exponent, r->cap * sizeof *r->exponent);
        }
        fmpz_init_set(&r->base[i], base);
        fmpq_init(&r->exponent[i]);
        r->n++;
    }
    fmpq_add(&r->exponent[i], &r->exponent[i], e);
    fmpq_clear(e);
}

void cc_radicals_put(cc_radicals *r, const fmpz_t n, const fmpq_t exponent) {
    if (fmpz_is_one(n)) return;
    fmpz_factor_t f;
    fmpz_factor_init(f);
    if (fmpz_bits(n) <= FULL_BITS)
        cc_factor(f, n, NULL);
    else
        fmpz_factor_trial(f, n, TRIAL_PRIMES);
    fmpz_t root;
    fmpz_init(root);
    for (slong i = 0; i < f->num; i++) {
        int k = fmpz_bits(&f->p[i]) > 15 ? fmpz_is_perfect_power(root, &f->p[i]) : 0;
        put_factor(r, k ? root : &f->p[i], exponent, f->exp[i] * (ulong)(k ? k : 1));
    }
    fmpz_clear(root);
    fmpz_factor_clear(f);
}

// number *= n ** e. False with an error when it is too large.
static bool multiply_power(cc_alg *g, fmpq_t number, const fmpz_t n, const fmpz_t e) {
    if (fmpz_is_zero(e)) return true;
    if (!fmpz_fits_si(e) || (double)fmpz_bits(n) * (double)FLINT_ABS(fmpz_get_si(e)) > (double)CC_X_MAX_BITS)
        return cc_x_too_large(g, "a power") != NULL;
    slong k = fmpz_get_si(e);
    fmpz_t p;
    fmpz_init(p);
    fmpz_pow_ui(p, n, (ulong)FLINT_ABS(k));
    if (k > 0)
        fmpq_mul_fmpz(number, number, p);
    else
        fmpq_div_fmpz(number, number, p);
    fmpz_clear(p);
    return true;
}

slong cc_radicals_take(cc_alg *g, cc_radicals *r, fmpq_t coefficient, cc_xp *out) {
    fmpz_t whole, base;
    fmpz_init(whole);
    fmpz_init(base);
    slong n = 0;
    for (size_t i = 0; i < r->n && n >= 0; i++) {
        fmpz_fdiv_q(whole, fmpq_numref(&r->exponent[i]), fmpq_denref(&r->exponent[i]));
        fmpq_sub_fmpz(&r->exponent[i], &r->exponent[i], whole);
        if (!multiply_power(g, coefficient, &r->base[i], whole)) n = -1;
    }
    for (size_t i = 0; i < r->n && n >= 0; i++) {
        if (fmpq_is_zero(&r->exponent[i])) continue;
        fmpz_set(base, &r->base[i]);
        for (size_t k = i + 1; k < r->n; k++) {
            if (!fmpq_equal(&r->exponent[k], &r->exponent[i])) continue;
            fmpz_mul(base, base, &r->base[k]);
            fmpq_zero(&r->exponent[k]);
        }
        out[n] = cc_x_intern_pow(g, cc_x_fmpz(g, base), cc_x_num(g, &r->exponent[i]));
        if (!out[n++]) n = -1;
    }
    fmpz_clear(whole);
    fmpz_clear(base);
    return n;
}

static cc_xp whole_power(cc_alg *g, const fmpq_t base, const fmpz_t e) {
    if (fmpz_is_one(fmpq_denref(base)) && fmpz_is_pm1(fmpq_numref(base)))
        return fmpz_is_one(fmpq_numref(base)) || fmpz_is_even(e) ? g->one : g->minus_one;
    double bits = (double)FLINT_MAX(fmpz_bits(fmpq_numref(base)), fmpz_bits(fmpq_denref(base)));
    if (!fmpz_fits_si(e) || bits * (double)FLINT_ABS(fmpz_get_si(e)) > (double)CC_X_MAX_BITS) return cc_x_too_large(g, "a power");
    fmpq_t p;
    fmpq_init(p);
    fmpq_pow_si(p, base, fmpz_get_si(e));
    cc_xp x = cc_x_num(g, p);
    fmpq_clear(p);
    return x;
}

cc_xp cc_x_numeric_power(cc_alg *g, const fmpq_t base, const fmpq_t exponent) {
    if (fmpq_is_zero(base)) return fmpq_sgn(exponent) > 0 ? g->zero : fmpq_sgn(exponent) < 0 ? g->zoo : g->one;
    if (fmpz_is_one(fmpq_denref(exponent))) return whole_power(g, base, fmpq_numref(exponent));
    cc_radicals r;
    cc_radicals_init(&r);
    fmpq_t number, minus;
    fmpz_t n;
    fmpq_init(number);
    fmpq_init(minus);
    fmpz_init(n);
    fmpq_one(number);
    fmpz_abs(n, fmpq_numref(base));
    cc_radicals_put(&r, n, exponent);
    fmpq_neg(minus, exponent);
    cc_radicals_put(&r, fmpq_denref(base), minus);
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, r.n + 2);
    slong k = cc_radicals_take(g, &r, number, out);
    cc_xp x = NULL;
    if (k >= 0) {
        size_t m = (size_t)k;
        out[m++] = cc_x_num(g, number);
        // (-1)**e is made by the product, which brings e to [0, 1)
        if (fmpq_sgn(base) < 0) out[m++] = cc_x_intern_pow(g, g->minus_one, cc_x_num(g, exponent));
        if (m == 1)
            x = out[0];
        else if (m == 2 && out[0]->kind == CC_X_POW && fmpq_is_one(number))
            x = out[0];
        else
            x = cc_x_muln(g, out, m);
    }
    cc_radicals_clear(&r);
    fmpq_clear(number);
    fmpq_clear(minus);
    fmpz_clear(n);
    return x;
}

// ---- powers with an infinity ----

static cc_xp infinite_exponent(cc_alg *g, cc_xp a, cc_xp b) {
    if (b == g->zoo) return g->nan;
    if (b == g->neg_oo) return a == g->zero ? g->zoo : infinite_exponent(g, cc_x_pow(g, a, g->minus_one), g->oo);
    if (!a) return NULL;
    if (a == g->oo || a == g->zero) return a;
    if (a == g->neg_oo || a == g->zoo || a == g->one) return g->nan;
    int s = cc_x_sign(g, a);
    if (s == 2 || s == 0) return cc_x_intern_pow(g, a, b);
    int beyond = cc_x_sign(g, cc_x_sub(g, s > 0 ? a : cc_x_neg(g, a), g->one));
    if (g->err->code) return NULL;
    switch (beyond) {
    case -1: return g->zero;
    case 0: return g->nan;
    case 1: return s > 0 ? g->oo : g->zoo;
    default: return cc_x_intern_pow(g, a, b);
    }
}

static cc_xp infinite_base(cc_alg *g, cc_xp a, cc_xp b) {
    int s = cc_x_sign(g, b);
    if (g->err->code) return NULL;
    if (s == -1) return g->zero;
    if (s != 1) return cc_x_intern_pow(g, a, b);
    if (a == g->oo || a == g->zoo) return a;
    return cc_x_mul(g, cc_x_pow(g, g->minus_one, b), g->oo);
}

// ---- symbolic powers ----

static bool is_true(cc_alg *g, cc_xp x, unsigned fact) { return cc_x_is(g, x, fact) == CC_TRUE; }

// (-1)**b, b no number: where b is an integer its rational factor counts modulo 2.
static cc_xp minus_one_to(cc_alg *g, cc_xp b) {
    if (is_true(g, b, CC_IS_EVEN)) return g->one;
    if (is_true(g, b, CC_IS_ODD)) return g->minus_one;
    cc_xp rest;
    const fmpq *c = cc_x_coefficient(g, b, &rest);
    if (rest && !fmpq_is_one(c) && fmpz_is_one(fmpq_denref(c)) && is_true(g, rest, CC_IS_INTEGER))
        return fmpz_is_even(fmpq_numref(c)) ? g->one : cc_x_intern_pow(g, g->minus_one, rest);
    return g->err->code ? NULL : cc_x_intern_pow(g, g->minus_one, b);
}

// a rational, b no number.
static cc_xp number_to(cc_alg *g, cc_xp a, cc_xp b) {
    if (b->kind == CC_X_ADD && b->args[0]->kind == CC_X_NUM) // 2**(n + 1) is 2*2**n
        return cc_x_mul(g, cc_x_pow(g, a, b->args[0]), cc_x_pow(g, a, cc_x_addn(g, b->args + 1, b->n - 1)));
    if (a == g->minus_one) return minus_one_to(g, b);
    if (fmpz_is_one(fmpq_numref(a->num)) && !cc_x_is_int(a)) return cc_x_pow(g, cc_x_fmpz(g, fmpq_denref(a->num)), cc_x_neg(g, b));
    return cc_x_intern_pow(g, a, b);
}

// (base**e)**b with b no integer.
static cc_xp power_to(cc_alg *g, cc_xp a, cc_xp b) {
    cc_xp base, e;
    cc_x_split_power(g, a, &base, &e);
    bool joins = base == g->e ? is_true(g, e, CC_IS_REAL) : is_true(g, base, CC_IS_NONNEGATIVE) && is_true(g, e, CC_IS_REAL);
    // The argument of base**e is e times that of base, in (-pi, pi], for -1 < e <= 1.
    if (!joins && e->kind == CC_X_NUM) joins = (fmpq_cmp_si(e->num, -1) > 0 && fmpq_cmp_si(e->num, 1) <= 0);
    if (joins) return cc_x_pow(g, base, cc_x_mul(g, e, b));
    if (cc_x_is_int(e) && fmpz_is_even(fmpq_numref(e->num)) && is_true(g, base, CC_IS_REAL))
        return cc_x_pow(g, cc_x_f1(g, CC_F_ABS, base), cc_x_mul(g, e, b));
    return g->err->code ? NULL : cc_x_intern_pow(g, a, b);
}

// (f1*f2*…)**b with b no integer: factors that are known to be nonnegative come out, of a negative one its absolute value.
static cc_xp product_to(cc_alg *g, cc_xp a, cc_xp b) {
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, a->n + 1), *in = CC_ARENA_ARRAY(g->arena, cc_xp, a->n + 1);
    size_t n_out = 0, n_in = 0;
    bool minus = false, moved = false;
    if (a->n == 2 && a->args[0] == g->minus_one && is_true(g, a->args[1], CC_IS_NEGATIVE)) return cc_x_intern_pow(g, a, b); // positive
    for (uint32_t i = 0; i < a->n; i++) {
        cc_xp f = a->args[i];
        if (f == g->minus_one) {
            minus = !minus;
        } else if (is_true(g, f, CC_IS_NONNEGATIVE)) {
            out[n_out++] = cc_x_pow(g, f, b);
            moved = true;
        } else if (is_true(g, f, CC_IS_NEGATIVE)) {
            out[n_out++] = cc_x_pow(g, cc_x_neg(g, f), b);
            minus = !minus;
            moved = true;
        } else {
            in[n_in++] = f;
        }
    }
    if (g->err->code) return NULL;
    if (!moved) return cc_x_intern_pow(g, a, b);
    if (minus) in[n_in++] = g->minus_one;
    out[n_out++] = cc_x_pow(g, cc_x_muln(g, in, n_in), b);
    return cc_x_muln(g, out, n_out);
}

// I**b, b no number.
static cc_xp i_to(cc_alg *g, cc_xp b) {
    cc_xp rest;
    const fmpq *c = cc_x_coefficient(g, b, &rest);
    if (b->kind == CC_X_ADD && b->args[0]->kind == CC_X_NUM)
        return cc_x_mul(g, cc_x_pow(g, g->i, b->args[0]), cc_x_pow(g, g->i, cc_x_addn(g, b->args + 1, b->n - 1)));
    if (rest && fmpz_is_one(fmpq_denref(c)) && fmpz_is_even(fmpq_numref(c)) && is_true(g, rest, CC_IS_INTEGER))
        return cc_x_pow(g, g->minus_one, cc_x_mul(g, b, g->half));
    return g->err->code ? NULL : cc_x_intern_pow(g, g->i, b);
}

cc_xp cc_x_pow(cc_alg *g, cc_xp a, cc_xp b) {
    if (cc_x_failed(g, (const cc_xp[]){a, b}, 2)) return NULL;
    if (a == g->nan || b == g->nan) return g->nan;
    if (b == g->zero) return g->one;
    if (b == g->one) return a;
    if (cc_x_is_infinite(b)) return infinite_exponent(g, a, b);
    if (cc_x_is_infinite(a)) return infinite_base(g, a, b);
    if (a == g->one) return b->finite ? a : g->nan;
    if (a == g->e) return cc_x_exp(g, b);
    if (a->kind == CC_X_NUM) {
        if (b->kind == CC_X_NUM) return cc_x_numeric_power(g, a->num, b->num);
        if (a == g->zero) {
            int s = cc_x_sign(g, b);
            if (g->err->code) return NULL;
            return s == 1 ? g->zero : s == -1 ? g->zoo : cc_x_intern_pow(g, a, b);
        }
    }
    // a**(c/log(a)) is exp(c)
    size_t n;
    const cc_xp *f = cc_x_factors(&b, &n);
    for (size_t i = 0; i < n; i++)
        if (f[i]->kind == CC_X_POW && f[i]->args[1] == g->minus_one && cc_x_is_fun(f[i]->args[0], CC_F_LOG) && f[i]->args[0]->args[0] == a)
            return cc_x_exp(g, cc_x_mul(g, b, f[i]->args[0]));
    if (a->kind == CC_X_NUM) return number_to(g, a, b);
    if (a == g->i) {
        if (b->kind != CC_X_NUM) return i_to(g, b);
        return cc_x_muln(g, (const cc_xp[]){cc_x_intern_pow(g, g->minus_one, cc_x_mul(g, b, g->half)), g->one}, 2);
    }
    bool whole = b->kind == CC_X_NUM ? cc_x_is_int(b) : is_true(g, b, CC_IS_INTEGER);
    if (g->err->code) return NULL;
    if (a->kind == CC_X_POW || cc_x_is_fun(a, CC_F_EXP)) {
        if (!whole) return power_to(g, a, b);
        cc_xp base, e;
        cc_x_split_power(g, a, &base, &e);
        return cc_x_pow(g, base, cc_x_mul(g, e, b));
    }
    if (a->kind == CC_X_MUL) {
        if (!whole) return product_to(g, a, b);
        cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, a->n);
        for (uint32_t i = 0; i < a->n; i++) out[i] = cc_x_pow(g, a->args[i], b);
        return cc_x_muln(g, out, a->n);
    }
    if (cc_x_is_fun(a, CC_F_ABS) && is_true(g, b, CC_IS_EVEN) && is_true(g, a->args[0], CC_IS_REAL)) return cc_x_pow(g, a->args[0], b);
    return g->err->code ? NULL : cc_x_intern_pow(g, a, b);
}

cc_xp cc_x_powi(cc_alg *g, cc_xp a, slong n) { return cc_x_pow(g, a, cc_x_int(g, n)); }
cc_xp cc_x_sqrt(cc_alg *g, cc_xp a) { return cc_x_pow(g, a, g->half); }
