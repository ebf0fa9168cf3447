// Sums in canonical form: flat, like terms collected, sorted, the number first. A rational factor of a sum inside a sum is multiplied out
// (2*(x + 1) - 2*x is 2), and so is the factor -1 alone: -(x - 1) is 1 - x. Infinities absorb what is known to be finite and real.
#include "math/expr/intern.h"

#include <stdlib.h>

typedef struct term {
    cc_xp rest;
    fmpq c;
} term;

typedef struct sum {
    cc_alg *g;
    term *terms;
    size_t n, cap;
    fmpq_t number;
    bool plus_oo, minus_oo, zoo, nan;
} sum;

static void put(sum *s, cc_xp x, const fmpq *factor) {
    cc_alg *g = s->g;
    if (!x) return;
    if (x->kind == CC_X_NUM) {
        if (fmpq_is_one(factor)) {
            fmpq_add(s->number, s->number, x->num);
        } else {
            fmpq_addmul(s->number, x->num, factor);
        }
        return;
    }
    if (x == g->nan)
        s->nan = true;
    else if (x == g->zoo)
        s->zoo = true;
    else if (x == g->oo || x == g->neg_oo)
        *((x == g->oo) == (fmpq_sgn(factor) > 0) ? &s->plus_oo : &s->minus_oo) = true;
    else if (x->kind == CC_X_ADD) {
        for (uint32_t i = 0; i < x->n; i++) put(s, x->args[i], factor);
    } else {
        cc_xp rest;
        const fmpq *c = cc_x_coefficient(g, x, &rest);
        if (!rest) return;
        fmpq_t k;
        fmpq_init(k);
        fmpq_mul(k, c, factor);
        if (rest->kind == CC_X_ADD) {
            put(s, rest, k);
        } else {
            if (s->n == s->cap) {
                s->cap = s->cap ? s->cap * 2 : 16;
                s->terms = cc_realloc(s->terms, s->cap * sizeof *s->terms);
            }
            s->terms[s->n].rest = rest;
            fmpq_init(&s->terms[s->n].c);
            fmpq_swap(&s->terms[s->n++].c, k);
        }
        fmpq_clear(k);
    }
}

static int by_rest(const void *a, const void *b) { return cc_x_compare(((const term *)a)->rest, ((const term *)b)->rest); }

static bool absorbed(cc_alg *g, cc_xp x) { return x->finite && cc_x_is(g, x, CC_IS_REAL) == CC_TRUE; }

static cc_xp finish(sum *s) {
    cc_alg *g = s->g;
    if (s->nan || (s->plus_oo && s->minus_oo) || (s->zoo && (s->plus_oo || s->minus_oo))) return g->nan;
    if (s->n > 1) qsort(s->terms, s->n, sizeof *s->terms, by_rest);
    size_t m = 0;
    for (size_t i = 0; i < s->n;) {
        term *t = &s->terms[m];
        if (i != m) {
            fmpq_swap(&t->c, &s->terms[i].c);
            t->rest = s->terms[i].rest;
        }
        for (i++; i < s->n && s->terms[i].rest == t->rest; i++) fmpq_add(&t->c, &t->c, &s->terms[i].c);
        if (!fmpq_is_zero(&t->c))
            m++;
        else if (!t->rest->finite)
            return g->nan; // oo*x - oo*x
    }
    cc_xp infinite = s->plus_oo ? g->oo : s->minus_oo ? g->neg_oo : s->zoo ? g->zoo : NULL;
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, m + 2);
    size_t n = 0;
    if (!infinite && !fmpq_is_zero(s->number)) out[n++] = cc_x_num(g, s->number);
    for (size_t i = 0; i < m; i++) {
        cc_xp x = cc_x_scale(g, &s->terms[i].c, s->terms[i].rest);
        if (!x) return NULL;
        if (infinite && (infinite == g->zoo ? x->finite && x->free == 0 : absorbed(g, x))) continue;
        out[n++] = x;
    }
    if (infinite) out[n++] = infinite;
    if (g->err->code) return NULL;
    if (n == 0) return g->zero;
    if (n == 1) return out[0];
    // The order is that of the terms as wholes, the number first.
    cc_x_sort(out, n);
    return cc_x_intern_kind(g, CC_X_ADD, out, n);
}

cc_xp cc_x_addn(cc_alg *g, const cc_xp *terms, size_t n) {
    if (cc_x_failed(g, terms, n)) return NULL;
    if (n == 1) return terms[0];
    sum s = {.g = g};
    fmpq_init(s.number);
    for (size_t i = 0; i < n; i++) put(&s, terms[i], g->one->num);
    cc_xp x = g->err->code ? NULL : finish(&s);
    for (size_t i = 0; i < s.n; i++) fmpq_clear(&s.terms[i].c);
    free(s.terms);
    fmpq_clear(s.number);
    return x;
}

cc_xp cc_x_add(cc_alg *g, cc_xp a, cc_xp b) {
    if (a == g->zero) return b;
    if (b == g->zero) return a;
    return cc_x_addn(g, (const cc_xp[]){a, b}, 2);
}

cc_xp cc_x_neg(cc_alg *g, cc_xp a) { return cc_x_mul(g, g->minus_one, a); }
cc_xp cc_x_sub(cc_alg *g, cc_xp a, cc_xp b) { return a && a == b && a->finite ? g->zero : cc_x_add(g, a, cc_x_neg(g, b)); }
