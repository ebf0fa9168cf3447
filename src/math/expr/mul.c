// Products in canonical form: flat, equal bases collected (x*x**a is x**(a + 1), exp(a)*exp(b) is exp(a + b), x/x is 1), one rational
// factor in front, roots of numbers as in pow.c, powers of -1 with one exponent in [0, 1). Products over sums are not multiplied out,
// except -(x + 1).
#include "math/expr/intern.h"

#include <stdlib.h>

typedef struct factor {
    cc_xp base, exponent, whole;
} factor;

typedef struct product {
    cc_alg *g;
    factor *factors;
    size_t n, cap;
    fmpq_t number;
    fmpq_t minus_one; // exponent of -1
    cc_radicals roots;
    bool oo, zoo, nan;
} product;

static void put(product *p, cc_xp x) {
    cc_alg *g = p->g;
    if (!x) return;
    if (x->kind == CC_X_MUL) {
        for (uint32_t i = 0; i < x->n; i++) put(p, x->args[i]);
    } else if (x->kind == CC_X_NUM) {
        fmpq_mul(p->number, p->number, x->num);
    } else if (x == g->i) {
        fmpq_add(p->minus_one, p->minus_one, g->half->num);
    } else if (x == g->oo) {
        p->oo = true;
    } else if (x == g->zoo) {
        p->zoo = true;
    } else if (x == g->nan) {
        p->nan = true;
    } else if (x->kind == CC_X_POW && x->args[1]->kind == CC_X_NUM && x->args[0] == g->minus_one) {
        fmpq_add(p->minus_one, p->minus_one, x->args[1]->num);
    } else if (x->kind == CC_X_POW && x->args[1]->kind == CC_X_NUM && cc_x_is_int(x->args[0]) && cc_x_num_sign(x->args[0]) > 0) {
        cc_radicals_put(&p->roots, fmpq_numref(x->args[0]->num), x->args[1]->num);
    } else {
        if (p->n == p->cap) {
            p->cap = p->cap ? p->cap * 2 : 16;
            p->factors = cc_realloc(p->factors, p->cap * sizeof *p->factors);
        }
        factor *f = &p->factors[p->n++];
        f->whole = x;
        cc_x_split_power(g, x, &f->base, &f->exponent);
    }
}

static int by_base(const void *a, const void *b) { return cc_x_compare(((const factor *)a)->base, ((const factor *)b)->base); }

// Collects equal bases. False when a power became something of another base, so that the product must be made again.
static bool collect(product *p) {
    cc_alg *g = p->g;
    bool settled = true;
    if (p->n > 1) qsort(p->factors, p->n, sizeof *p->factors, by_base);
    size_t m = 0;
    for (size_t i = 0, k; i < p->n; i = k) {
        for (k = i + 1; k < p->n && p->factors[k].base == p->factors[i].base; k++) {
        }
        factor f = p->factors[i];
        if (k - i > 1) {
            cc_xp *e = CC_ARENA_ARRAY(g->arena, cc_xp, k - i);
            for (size_t j = i; j < k; j++) e[j - i] = p->factors[j].exponent;
            f.whole = cc_x_pow(g, f.base, cc_x_addn(g, e, k - i));
            if (!f.whole) return true;
            cc_xp base;
            cc_x_split_power(g, f.whole, &base, &f.exponent);
            if (f.whole == g->one) continue;
            if (base != f.base || f.whole->kind == CC_X_MUL) settled = false;
        }
        p->factors[m++] = f;
    }
    p->n = m;
    return settled;
}

// The factor's sign takes part in that of an infinity: the factor can go. *sign is multiplied.
static bool absorbed(cc_alg *g, cc_xp x, bool zoo, int *sign) {
    if (zoo) return cc_x_is(g, x, CC_IS_NONZERO) == CC_TRUE;
    int s = cc_x_sign(g, x);
    if (s == 2 || s == 0) return false;
    *sign *= s;
    return true;
}

static cc_xp finish(product *p) {
    cc_alg *g = p->g;
    if (p->nan) return g->nan;
    bool settled = collect(p);
    if (g->err->code) return NULL;
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, p->n + p->roots.n + 3);
    size_t n = 1; // out[0] is for the number
    for (size_t i = 0; i < p->n; i++) out[n++] = p->factors[i].whole;
    slong roots = cc_radicals_take(g, &p->roots, p->number, out + n);
    if (roots < 0) return NULL;
    n += (size_t)roots;
    // (-1)**e with e in [0, 1)
    fmpz_t whole;
    fmpz_init(whole);
    fmpz_fdiv_q(whole, fmpq_numref(p->minus_one), fmpq_denref(p->minus_one));
    fmpq_sub_fmpz(p->minus_one, p->minus_one, whole);
    if (fmpz_is_odd(whole)) fmpq_neg(p->number, p->number);
    fmpz_clear(whole);
    if (fmpq_equal(p->minus_one, g->half->num))
        out[n++] = g->i;
    else if (!fmpq_is_zero(p->minus_one))
        out[n++] = cc_x_intern_pow(g, g->minus_one, cc_x_num(g, p->minus_one));
    if (g->err->code) return NULL;

    if (fmpq_is_zero(p->number)) {
        if (p->oo || p->zoo) return g->nan;
        for (size_t i = 1; i < n; i++)
            if (!out[i]->finite) return g->nan;
        return g->zero;
    }
    if (p->oo || p->zoo) {
        int sign = fmpq_sgn(p->number);
        size_t m = 1;
        for (size_t i = 1; i < n; i++)
            if (out[i] == g->zero)
                return g->nan;
            else if (!absorbed(g, out[i], p->zoo, &sign))
                out[m++] = out[i];
        if (g->err->code) return NULL;
        n = m;
        out[n++] = p->zoo ? g->zoo : g->oo;
        fmpq_set_si(p->number, p->zoo ? 1 : sign, 1);
    }
    out[0] = cc_x_num(g, p->number);
    if (g->err->code) return NULL;
    if (!settled) return cc_x_muln(g, out, n);
    if (n == 1) return out[0];
    if (n == 2 && out[1]->kind == CC_X_ADD && out[0] == g->minus_one) {
        cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, out[1]->n);
        for (uint32_t i = 0; i < out[1]->n; i++) terms[i] = cc_x_neg(g, out[1]->args[i]);
        return cc_x_addn(g, terms, out[1]->n);
    }
    if (out[0] == g->one) {
        out++;
        n--;
    }
    if (n == 1) return out[0];
    cc_x_sort(out, n);
    return cc_x_intern_kind(g, CC_X_MUL, out, n);
}

cc_xp cc_x_muln(cc_alg *g, const cc_xp *factors, size_t n) {
    if (cc_x_failed(g, factors, n)) return NULL;
    if (n == 1) return factors[0];
    product p = {.g = g};
    fmpq_init(p.number);
    fmpq_one(p.number);
    fmpq_init(p.minus_one);
    cc_radicals_init(&p.roots);
    for (size_t i = 0; i < n; i++) put(&p, factors[i]);
    cc_xp x = g->err->code ? NULL : finish(&p);
    free(p.factors);
    cc_radicals_clear(&p.roots);
    fmpq_clear(p.number);
    fmpq_clear(p.minus_one);
    return x;
}

cc_xp cc_x_scale(cc_alg *g, const fmpq_t c, cc_xp rest) {
    if (!rest || g->err->code) return NULL;
    if (fmpq_is_one(c)) return rest;
    if (rest == g->one || rest->kind == CC_X_NUM || fmpq_is_zero(c) || !rest->finite || rest->kind == CC_X_ADD)
        return cc_x_muln(g, (const cc_xp[]){cc_x_num(g, c), rest}, 2);
    size_t n = rest->kind == CC_X_MUL ? rest->n : 1;
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    out[0] = cc_x_num(g, c);
    if (!out[0]) return NULL;
    memcpy(out + 1, rest->kind == CC_X_MUL ? rest->args : &rest, n * sizeof *out);
    return cc_x_intern_kind(g, CC_X_MUL, out, n + 1);
}

cc_xp cc_x_mul(cc_alg *g, cc_xp a, cc_xp b) {
    if (cc_x_failed(g, (const cc_xp[]){a, b}, 2)) return NULL;
    if (a == g->one) return b;
    if (b == g->one) return a;
    if (b->kind == CC_X_NUM) {
        cc_xp t = a;
        a = b;
        b = t;
    }
    if (a->kind == CC_X_NUM && b->finite && b->kind != CC_X_ADD) {
        cc_xp rest;
        fmpq_t c;
        fmpq_init(c);
        fmpq_mul(c, a->num, cc_x_coefficient(g, b, &rest));
        cc_xp x = fmpq_is_zero(c) ? g->zero : cc_x_scale(g, c, rest);
        fmpq_clear(c);
        return x;
    }
    return cc_x_muln(g, (const cc_xp[]){a, b}, 2);
}

cc_xp cc_x_div(cc_alg *g, cc_xp a, cc_xp b) {
    if (b == g->zero) return !a ? NULL : a == g->zero || a == g->nan ? g->nan : g->zoo;
    return cc_x_mul(g, a, cc_x_pow(g, b, g->minus_one));
}
