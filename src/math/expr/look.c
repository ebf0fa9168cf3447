// Looking into expressions: taking apart, searching, comparing. Called by everybody. It changes and evaluates nothing, and nothing here
// fails (a node that must be made to answer may be NULL after an error).
#include "math/expr/intern.h"

#include <stdlib.h>

bool cc_x_is_int(cc_xp x) { return cc_x_is_num(x) && fmpz_is_one(fmpq_denref(x->num)); }

bool cc_x_fits_si(cc_xp x, slong *out) {
    if (!cc_x_is_int(x) || !fmpz_fits_si(fmpq_numref(x->num))) return false;
    *out = fmpz_get_si(fmpq_numref(x->num));
    return true;
}

int cc_x_num_sign(cc_xp x) { return cc_x_is_num(x) ? fmpq_sgn(x->num) : 0; }

cc_xp cc_x_bound(cc_xp x) {
    if (x->kind != CC_X_FUN) return NULL;
    switch ((cc_xfn)x->fn) {
    case CC_F_INTEGRAL: return x->n == 4 ? x->args[1] : NULL;
    case CC_F_SUM:
    case CC_F_PRODUCT:
    case CC_F_LIMIT:
    case CC_F_SUBS:
    case CC_F_CROOTOF: return x->args[1];
    default: return NULL;
    }
}

bool cc_x_has(cc_xp x, cc_xp part) {
    if (!x || !part) return false;
    if (x == part) return true;
    if (x->size <= part->size || (part->free & ~x->free)) return false;
    cc_xp bound = cc_x_bound(x);
    for (uint32_t i = 0; i < x->n; i++) {
        if (bound && (i == 1 || (i == 0 && cc_x_has(part, bound)))) continue;
        if (cc_x_has(x->args[i], part)) return true;
    }
    return false;
}

bool cc_x_has_fn(cc_xp x, cc_xfn fn) {
    if (!x) return false;
    if (cc_x_is_fun(x, fn)) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (cc_x_has_fn(x->args[i], fn)) return true;
    return false;
}

// ---- free symbols ----

typedef struct gathering {
    cc_alg *g;
    cc_xp *found;
    size_t n, cap;
    cc_xp bound[64]; // of the forms around; deeper nesting is looked up in full below
    size_t n_bound;
} gathering;

static void gather(gathering *w, cc_xp x) {
    if (!x->free) return;
    if (x->kind == CC_X_SYM) {
        for (size_t i = 0; i < w->n_bound; i++)
            if (w->bound[i] == x) return;
        for (size_t i = 0; i < w->n; i++)
            if (w->found[i] == x) return;
        if (w->n == w->cap) {
            w->cap = w->cap ? w->cap * 2 : 8;
            cc_xp *more = CC_ARENA_ARRAY(w->g->arena, cc_xp, w->cap);
            if (w->n) memcpy(more, w->found, w->n * sizeof *more);
            w->found = more;
        }
        w->found[w->n++] = x;
        return;
    }
    cc_xp bound = cc_x_bound(x);
    for (uint32_t i = 0; i < x->n; i++) {
        if (bound && i == 1) continue;
        bool inside = bound && i == 0 && w->n_bound < CC_ARRAY_LEN(w->bound);
        if (inside) w->bound[w->n_bound++] = bound;
        gather(w, x->args[i]);
        if (inside) w->n_bound--;
    }
}

void cc_x_sort(cc_xp *items, size_t n) {
    // Insertion for the short, merging for the long: most sums have a few terms that are nearly in order.
    if (n < 12) {
        for (size_t i = 1; i < n; i++) {
            cc_xp x = items[i];
            size_t k = i;
            for (; k && cc_x_compare(items[k - 1], x) > 0; k--) items[k] = items[k - 1];
            items[k] = x;
        }
        return;
    }
    size_t half = n / 2;
    cc_x_sort(items, half);
    cc_x_sort(items + half, n - half);
    if (cc_x_compare(items[half - 1], items[half]) <= 0) return;
    cc_xp *left = cc_malloc(half * sizeof *left);
    memcpy(left, items, half * sizeof *left);
    for (size_t i = 0, k = half, at = 0; i < half; at++) items[at] = k < n && cc_x_compare(items[k], left[i]) < 0 ? items[k++] : left[i++];
    free(left);
}

const cc_xp *cc_x_symbols(cc_alg *g, cc_xp x, size_t *n) {
    gathering w = {.g = g};
    if (x) gather(&w, x);
    cc_x_sort(w.found, w.n);
    *n = w.n;
    return w.found;
}

// ---- taking apart ----

const cc_xp *cc_x_terms(const cc_xp *x, size_t *n) {
    if (cc_x_is_kind(*x, CC_X_ADD)) return *n = (*x)->n, (*x)->args;
    *n = *x != NULL;
    return x;
}

const cc_xp *cc_x_factors(const cc_xp *x, size_t *n) {
    if (cc_x_is_kind(*x, CC_X_MUL)) return *n = (*x)->n, (*x)->args;
    *n = *x != NULL;
    return x;
}

const fmpq *cc_x_coefficient(cc_alg *g, cc_xp x, cc_xp *rest) {
    if (x->kind == CC_X_NUM) return *rest = g->one, x->num;
    if (x->kind == CC_X_MUL && x->args[0]->kind == CC_X_NUM) {
        *rest = x->n == 2 ? x->args[1] : cc_x_intern_kind(g, CC_X_MUL, x->args + 1, x->n - 1);
        return x->args[0]->num;
    }
    *rest = x;
    return g->one->num;
}

void cc_x_split_coefficient(cc_alg *g, cc_xp x, cc_xp *coefficient, cc_xp *rest) {
    *coefficient = *rest = NULL;
    if (!x) return;
    const fmpq *c = cc_x_coefficient(g, x, rest);
    *coefficient = cc_x_num(g, c);
}

void cc_x_split_power(cc_alg *g, cc_xp x, cc_xp *base, cc_xp *exponent) {
    bool power = cc_x_is_kind(x, CC_X_POW), exp = cc_x_is_fun(x, CC_F_EXP);
    *base = power ? x->args[0] : exp ? g->e : x;
    *exponent = power ? x->args[1] : exp ? x->args[0] : x ? g->one : NULL;
}

static void separate(cc_alg *g, cc_xp x, cc_xp v, bool sum, cc_xp *with, cc_xp *without) {
    *with = *without = NULL;
    if (!x || !v) return;
    size_t n, w = 0, o = 0;
    const cc_xp *parts = sum ? cc_x_terms(&x, &n) : cc_x_factors(&x, &n);
    cc_xp *a = CC_ARENA_ARRAY(g->arena, cc_xp, n), *b = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    for (size_t i = 0; i < n; i++)
        if (cc_x_has(parts[i], v))
            a[w++] = parts[i];
        else
            b[o++] = parts[i];
    *with = sum ? cc_x_addn(g, a, w) : cc_x_muln(g, a, w);
    *without = sum ? cc_x_addn(g, b, o) : cc_x_muln(g, b, o);
}

void cc_x_separate_mul(cc_alg *g, cc_xp x, cc_xp v, cc_xp *with, cc_xp *without) { separate(g, x, v, false, with, without); }
void cc_x_separate_add(cc_alg *g, cc_xp x, cc_xp v, cc_xp *with, cc_xp *without) { separate(g, x, v, true, with, without); }

// The exponent has a negative rational coefficient.
static bool negative_exponent(cc_xp e) {
    if (e->kind == CC_X_MUL) e = e->args[0];
    return cc_x_num_sign(e) < 0;
}

void cc_x_fraction(cc_alg *g, cc_xp x, cc_xp *num, cc_xp *den) {
    *num = *den = NULL;
    if (!x) return;
    size_t n, p = 0, q = 0;
    const cc_xp *f = cc_x_factors(&x, &n);
    cc_xp *up = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1), *down = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, f[i], &base, &e);
        if (f[i]->kind == CC_X_NUM) {
            up[p++] = cc_x_fmpz(g, fmpq_numref(f[i]->num));
            down[q++] = cc_x_fmpz(g, fmpq_denref(f[i]->num));
        } else if (e != g->one && negative_exponent(e)) {
            down[q++] = cc_x_pow(g, base, cc_x_neg(g, e));
        } else {
            up[p++] = f[i];
        }
    }
    *num = cc_x_muln(g, up, p);
    *den = cc_x_muln(g, down, q);
}

// ---- order ----

static int compare_text(cc_str a, cc_str b) {
    int c = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

int cc_x_compare(cc_xp a, cc_xp b) {
    while (a != b) {
        if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
        int c;
        switch ((cc_xkind)a->kind) {
        case CC_X_NUM: return fmpq_cmp(a->num, b->num);
        case CC_X_CONST: return a->konst < b->konst ? -1 : 1;
        case CC_X_SYM:
            c = compare_text(a->name, b->name);
            return c ? c : a->dummy != b->dummy ? (a->dummy ? 1 : -1) : a->serial < b->serial ? -1 : 1;
        default: break;
        }
        if (a->fn != b->fn) return a->fn < b->fn ? -1 : 1;
        if (a->konst != b->konst) return a->konst < b->konst ? -1 : 1;
        if ((a->name.n || b->name.n) && (c = compare_text(a->name, b->name))) return c;
        if (a->n != b->n) return a->n < b->n ? -1 : 1;
        uint32_t i = 0;
        while (a->args[i] == b->args[i]) i++; // they differ somewhere, or they would be one
        cc_xp x = a->args[i], y = b->args[i];
        a = x;
        b = y;
    }
    return 0;
}
