// Buchberger's algorithm over the integers. Called by groebner.c. Monomials are packed, so that most work is on machine words; coefficients
// are kept primitive, and a reduction multiplies instead of dividing. It owns what the caller's basis holds, and gives up on sizes and when
// the time for searching is over.
#include <stdlib.h>

#include "math/solve/basis.h"

#define MOST_ELEMENTS 4000
#define MOST_TERMS    20000
#define MOST_BITS     20000
#define GUARDS        UINT64_C(0x8000800080008000)

// ---- monomials ----

cc_gp_ring cc_gp_ring_of(slong k, bool lex) { return (cc_gp_ring){.k = k, .lex = lex, .words = 1 + (size_t)(k + 3) / 4}; }

// By degree the last variable comes first: where two monomials of one degree differ, the one with less of it is larger.
static slong place_of(const cc_gp_ring *r, slong v) { return r->lex ? v : r->k - 1 - v; }

static void pack(const cc_gp_ring *r, const ulong *exponents, uint64_t *m) {
    memset(m, 0, r->words * sizeof *m);
    for (slong v = 0; v < r->k; v++) {
        slong at = place_of(r, v);
        m[0] += exponents[v];
        m[1 + at / 4] |= exponents[v] << (48 - 16 * (at % 4));
    }
}

void cc_gp_unpack(const cc_gp_ring *r, const uint64_t *m, ulong *exponents) {
    for (slong v = 0; v < r->k; v++) {
        slong at = place_of(r, v);
        exponents[v] = m[1 + at / 4] >> (48 - 16 * (at % 4)) & 0xffff;
    }
}

int cc_gp_compare(const cc_gp_ring *r, const uint64_t *a, const uint64_t *b) {
    if (!r->lex && a[0] != b[0]) return a[0] > b[0] ? 1 : -1;
    for (size_t w = 1; w < r->words; w++)
        if (a[w] != b[w]) return (a[w] > b[w]) == r->lex ? 1 : -1;
    return 0;
}

static bool divides(const cc_gp_ring *r, const uint64_t *a, const uint64_t *b) {
    if (a[0] > b[0]) return false;
    for (size_t w = 1; w < r->words; w++)
        if ((((b[w] | GUARDS) - a[w]) & GUARDS) != GUARDS) return false;
    return true;
}

static bool same(const cc_gp_ring *r, const uint64_t *a, const uint64_t *b) { return !memcmp(a, b, r->words * sizeof *a); }

static void lcm(const cc_gp_ring *r, const uint64_t *a, const uint64_t *b, uint64_t *out) {
    out[0] = 0;
    for (size_t w = 1; w < r->words; w++) {
        out[w] = 0;
        for (int shift = 0; shift < 64; shift += 16) {
            uint64_t x = a[w] >> shift & 0xffff, y = b[w] >> shift & 0xffff, most = x > y ? x : y;
            out[w] |= most << shift;
            out[0] += most;
        }
    }
}

// ---- polynomials ----

static void make_room(const cc_gp_ring *r, cc_gp *p, slong n) {
    if (n <= p->room) return;
    slong room = n > 2 * p->room ? n : 2 * p->room;
    p->m = cc_realloc(p->m, (size_t)room * r->words * sizeof *p->m);
    p->c = cc_realloc(p->c, (size_t)room * sizeof *p->c);
    for (slong i = p->room; i < room; i++) fmpz_init(p->c + i);
    p->room = room;
}

void cc_gp_clear(cc_gp *p) {
    for (slong i = 0; i < p->room; i++) fmpz_clear(p->c + i);
    free(p->m), free(p->c);
    *p = (cc_gp){0};
}

static uint64_t *term(const cc_gp_ring *r, const cc_gp *p, slong i) { return p->m + (size_t)i * r->words; }

static void copy_monomial(const cc_gp_ring *r, uint64_t *to, const uint64_t *from) {
    for (size_t w = 0; w < r->words; w++) to[w] = from[w];
}

void cc_gp_push(const cc_gp_ring *r, cc_gp *p, const fmpz_t c, const ulong *exponents) {
    if (p->n == p->room) make_room(r, p, p->n + 8);
    pack(r, exponents, term(r, p, p->n));
    fmpz_set(p->c + p->n++, c);
}

static void swap_terms(const cc_gp_ring *r, cc_gp *p, slong i, slong j) {
    uint64_t *a = term(r, p, i), *b = term(r, p, j);
    for (size_t w = 0; w < r->words; w++) {
        uint64_t t = a[w];
        a[w] = b[w], b[w] = t;
    }
    fmpz_swap(p->c + i, p->c + j);
}

static void sift_down(const cc_gp_ring *r, cc_gp *p, slong i, slong n) {
    for (slong child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && cc_gp_compare(r, term(r, p, child + 1), term(r, p, child)) < 0) child++;
        if (cc_gp_compare(r, term(r, p, child), term(r, p, i)) >= 0) return;
        swap_terms(r, p, i, child);
    }
}

void cc_gp_sort(const cc_gp_ring *r, cc_gp *p) {
    bool sorted = true;
    for (slong i = 1; i < p->n && sorted; i++) sorted = cc_gp_compare(r, term(r, p, i - 1), term(r, p, i)) > 0;
    if (!sorted) { // heapsort, the least to the end
        for (slong i = p->n / 2; i-- > 0;) sift_down(r, p, i, p->n);
        for (slong i = p->n; i-- > 1;) swap_terms(r, p, 0, i), sift_down(r, p, 0, i);
    }
    slong n = 0;
    for (slong i = 0; i < p->n; i++) {
        if (n && same(r, term(r, p, n - 1), term(r, p, i))) {
            fmpz_add(p->c + n - 1, p->c + n - 1, p->c + i);
        } else {
            if (n && fmpz_is_zero(p->c + n - 1)) n--;
            copy_monomial(r, term(r, p, n), term(r, p, i));
            fmpz_swap(p->c + n++, p->c + i);
        }
    }
    p->n = n && fmpz_is_zero(p->c + n - 1) ? n - 1 : n;
    p->sugar = 0;
    for (slong i = 0; i < p->n; i++)
        if ((slong)term(r, p, i)[0] > p->sugar) p->sugar = (slong)term(r, p, i)[0];
}

static void divide_by_content(cc_gp *p, cc_gp *q) {
    fmpz_t d;
    fmpz_init(d);
    for (slong i = 0; i < p->n && !fmpz_is_one(d); i++) fmpz_gcd(d, d, p->c + i);
    for (slong i = 0; q && i < q->n && !fmpz_is_one(d); i++) fmpz_gcd(d, d, q->c + i);
    if (!fmpz_is_one(d) && !fmpz_is_zero(d)) {
        for (slong i = 0; i < p->n; i++) fmpz_divexact(p->c + i, p->c + i, d);
        for (slong i = 0; q && i < q->n; i++) fmpz_divexact(q->c + i, q->c + i, d);
    }
    fmpz_clear(d);
}

void cc_gp_make_primitive(cc_gp *p) {
    divide_by_content(p, NULL);
    if (p->n && fmpz_sgn(p->c) < 0)
        for (slong i = 0; i < p->n; i++) fmpz_neg(p->c + i, p->c + i);
}

// out = a * p without its first i terms - b * m * g without its first j terms. Uses p's coefficients up. False: a degree is too large.
static bool combine(const cc_gp_ring *r, cc_gp *out, cc_gp *p, slong i, const fmpz_t a, const cc_gp *g, slong j, const uint64_t *m,
                    const fmpz_t b) {
    bool one = fmpz_is_one(a), made = false, small = true;
    uint64_t t[1 + CC_GP_VARS / 4];
    slong n = 0;
    make_room(r, out, p->n - i + g->n - j);
    while (i < p->n || j < g->n) {
        if (j < g->n && !made) {
            const uint64_t *s = term(r, g, j);
            for (size_t w = 0; w < r->words; w++) t[w] = s[w] + m[w];
            small = small && t[0] <= CC_GP_DEGREE;
            made = true;
        }
        int order = i == p->n ? -1 : j == g->n ? 1 : cc_gp_compare(r, term(r, p, i), t);
        fmpz *c = out->c + n;
        if (order < 0) {
            fmpz_mul(c, g->c + j, b);
            fmpz_neg(c, c);
        } else {
            fmpz_swap(c, p->c + i);
            if (!one) fmpz_mul(c, c, a);
            if (order == 0) fmpz_submul(c, g->c + j, b);
        }
        copy_monomial(r, term(r, out, n), order > 0 ? term(r, p, i) : t);
        n += !fmpz_is_zero(c);
        i += order >= 0;
        if (order <= 0) j++, made = false;
    }
    out->n = n;
    return small;
}

static void exchange(cc_gp *a, cc_gp *b) {
    cc_gp t = *a;
    *a = *b, *b = t;
}

// ---- reduction ----

// The shortest of those that can.
static const cc_gp *reducer(const cc_gp_basis *b, const uint64_t *m) {
    const cc_gp *best = NULL;
    for (slong i = 0; i < b->n_active; i++) {
        const cc_gp *g = b->all + b->active[i];
        if ((!best || g->n < best->n) && b->active[i] + 1 != b->excluded && divides(&b->ring, g->m, m)) best = g;
    }
    return best;
}

bool cc_gp_basis_reduce(cc_gp_basis *b, cc_gp *p, fmpz *scale) {
    const cc_gp_ring *r = &b->ring;
    uint64_t shift[1 + CC_GP_VARS / 4];
    slong from = 0;
    unsigned multiplied = 0;
    bool ok = true;
    fmpz_t x, y;
    fmpz_init(x), fmpz_init(y);
    b->rest.n = 0;
    while (from < p->n && ok) {
        const uint64_t *lead = term(r, p, from);
        const cc_gp *g = reducer(b, lead);
        if (!g) {
            make_room(r, &b->rest, b->rest.n + 1);
            copy_monomial(r, term(r, &b->rest, b->rest.n), lead);
            fmpz_swap(b->rest.c + b->rest.n++, p->c + from++);
            continue;
        }
        for (size_t w = 0; w < r->words; w++) shift[w] = lead[w] - g->m[w];
        fmpz_gcd(x, p->c + from, g->c);
        fmpz_divexact(y, p->c + from, x);
        fmpz_divexact(x, g->c, x);
        slong sugar = p->sugar, of_g = g->sugar + (slong)shift[0];
        ok = combine(r, &b->work, p, from + 1, x, g, 1, shift, y);
        exchange(p, &b->work);
        p->sugar = of_g > sugar ? of_g : sugar;
        from = 0;
        if (!fmpz_is_one(x)) {
            for (slong i = 0; i < b->rest.n; i++) fmpz_mul(b->rest.c + i, b->rest.c + i, x);
            if (scale)
                fmpz_mul(scale, scale, x);
            else if (++multiplied % 8 == 0)
                divide_by_content(p, &b->rest);
        }
        ok =
            ok && p->n + b->rest.n <= MOST_TERMS && (!p->n || fmpz_bits(p->c) <= MOST_BITS) && (++b->steps % 16 || cc_alg_may_search(b->g));
    }
    b->rest.sugar = p->sugar;
    exchange(p, &b->rest);
    fmpz_clear(x), fmpz_clear(y);
    return ok;
}

// ---- pairs ----

static bool are_disjoint(const uint64_t *a, const uint64_t *b, const uint64_t *their_lcm) { return their_lcm[0] == a[0] + b[0]; }

// By degree, that of the least common multiple: the sugar of a polynomial whose degree has dropped is too high there (cyclic-5, katsura-6).
static slong pair_sugar(const cc_gp_ring *r, const cc_gp *f, const cc_gp *g, const uint64_t *their_lcm) {
    if (!r->lex) return (slong)their_lcm[0];
    slong a = f->sugar - (slong)f->m[0], b = g->sugar - (slong)g->m[0];
    return (a > b ? a : b) + (slong)their_lcm[0];
}

// Takes the pairs of element h in, and out those, and elements, that it makes superfluous.
static void update(cc_gp_basis *b, slong h) {
    const cc_gp_ring *r = &b->ring;
    const uint64_t *lead = b->all[h].m;
    slong n = b->n_active, kept = 0;
    uint64_t *lcms = CC_ARENA_ARRAY(b->g->arena, uint64_t, (size_t)(n + 1) * r->words), t[1 + CC_GP_VARS / 4];
    bool *out = CC_ARENA_ARRAY(b->g->arena, bool, (size_t)n + 1);
    for (slong i = 0; i < n; i++) lcm(r, lead, b->all[b->active[i]].m, lcms + (size_t)i * r->words);
    for (slong i = 0; i < b->n_pairs; i++) {
        const cc_gp_pair *p = b->pairs + i;
        bool goes = divides(r, lead, p->lcm);
        if (goes) lcm(r, lead, b->all[p->i].m, t), goes = !same(r, t, p->lcm);
        if (goes) lcm(r, lead, b->all[p->j].m, t), goes = !same(r, t, p->lcm);
        if (!goes) b->pairs[kept++] = *p;
    }
    b->n_pairs = kept;
    // Of the new ones, those with a multiple of another's lcm; the last of equal ones stays, or one whose leading monomials are disjoint.
    for (slong i = 0; i < n; i++) {
        const uint64_t *mine = lcms + (size_t)i * r->words;
        bool disjoint = are_disjoint(lead, b->all[b->active[i]].m, mine);
        for (slong j = 0; j < n && !out[i] && !disjoint; j++) {
            const uint64_t *other = lcms + (size_t)j * r->words;
            out[i] = j != i && !out[j] && divides(r, other, mine);
        }
    }
    for (slong i = 0; i < n; i++) {
        uint64_t *mine = lcms + (size_t)i * r->words;
        if (out[i] || are_disjoint(lead, b->all[b->active[i]].m, mine)) continue;
        if (b->n_pairs == b->pairs_room) {
            b->pairs_room = b->pairs_room ? 2 * b->pairs_room : 64;
            b->pairs = cc_realloc(b->pairs, (size_t)b->pairs_room * sizeof *b->pairs);
        }
        slong j = b->active[i];
        b->pairs[b->n_pairs++] = (cc_gp_pair){.i = j, .j = h, .sugar = pair_sugar(r, b->all + j, b->all + h, mine), .lcm = mine};
    }
    for (slong i = kept = 0; i < n; i++)
        if (!divides(r, lead, b->all[b->active[i]].m)) b->active[kept++] = b->active[i];
    b->active[kept++] = h;
    b->n_active = kept;
}

static cc_gp_pair next_pair(cc_gp_basis *b) {
    slong best = 0;
    for (slong i = 1; i < b->n_pairs; i++) {
        const cc_gp_pair *p = b->pairs + i, *q = b->pairs + best;
        if (p->sugar < q->sugar || (p->sugar == q->sugar && cc_gp_compare(&b->ring, p->lcm, q->lcm) < 0)) best = i;
    }
    cc_gp_pair p = b->pairs[best];
    b->pairs[best] = b->pairs[--b->n_pairs];
    return p;
}

// out = the combination of the pair in which the leading terms cancel.
static bool s_polynomial(cc_gp_basis *b, const cc_gp_pair *pair, cc_gp *out) {
    const cc_gp_ring *r = &b->ring;
    const cc_gp *f = b->all + pair->i, *g = b->all + pair->j;
    uint64_t shift[1 + CC_GP_VARS / 4];
    fmpz_t x, y;
    fmpz_init(x), fmpz_init(y);
    fmpz_gcd(x, f->c, g->c);
    fmpz_divexact(y, f->c, x);
    fmpz_divexact(x, g->c, x);
    fmpz_neg(x, x);
    out->n = 0;
    for (size_t w = 0; w < r->words; w++) shift[w] = pair->lcm[w] - f->m[w];
    fmpz_t one;
    fmpz_init_set_ui(one, 1);
    bool ok = combine(r, &b->work, out, 0, one, f, 1, shift, x);
    for (size_t w = 0; w < r->words; w++) shift[w] = pair->lcm[w] - g->m[w];
    ok = ok && combine(r, out, &b->work, 0, one, g, 1, shift, y);
    out->sugar = pair->sugar;
    fmpz_clear(x), fmpz_clear(y), fmpz_clear(one);
    return ok;
}

// ---- the basis ----

// Reduces p, and takes what is left of it in. p is then empty.
static bool take_in(cc_gp_basis *b, cc_gp *p) {
    if (!cc_gp_basis_reduce(b, p, NULL)) return false;
    if (!p->n) return true;
    if (b->n == MOST_ELEMENTS) return false;
    cc_gp_make_primitive(p);
    if (b->n == b->room) {
        b->room = b->room ? 2 * b->room : 32;
        b->all = cc_realloc(b->all, (size_t)b->room * sizeof *b->all);
        b->active = cc_realloc(b->active, (size_t)b->room * sizeof *b->active);
    }
    cc_gp *own = b->all + b->n;
    *own = (cc_gp){0};
    make_room(&b->ring, own, p->n); // of its size: there are many of them
    memcpy(own->m, p->m, (size_t)p->n * b->ring.words * sizeof *p->m);
    for (slong i = 0; i < p->n; i++) fmpz_swap(own->c + i, p->c + i);
    own->n = p->n, own->sugar = p->sugar;
    p->n = 0;
    update(b, b->n++);
    return true;
}

static void sort_active(cc_gp_basis *b) {
    for (slong i = 1; i < b->n_active; i++)
        for (slong j = i; j > 0 && cc_gp_compare(&b->ring, b->all[b->active[j - 1]].m, b->all[b->active[j]].m) > 0; j--) {
            slong t = b->active[j];
            b->active[j] = b->active[j - 1], b->active[j - 1] = t;
        }
}

// Each tail by all the others.
static bool reduce_tails(cc_gp_basis *b) {
    bool ok = true;
    for (slong i = 0; i < b->n_active && ok; i++) {
        cc_gp *p = b->all + b->active[i];
        cc_gp own = *p; // the element is not to be seen while it changes
        b->excluded = b->active[i] + 1;
        ok = cc_gp_basis_reduce(b, &own, NULL);
        b->excluded = 0;
        cc_gp_make_primitive(&own);
        *p = own;
    }
    return ok;
}

bool cc_gp_basis_make(cc_gp_basis *b, cc_gp *in, slong n) {
    const cc_gp_ring *r = &b->ring;
    cc_gp p = {0};
    bool ok = true;
    for (slong left = n; left > 0 && ok; left--) { // the least first
        slong least = -1;
        for (slong i = 0; i < n; i++)
            if (in[i].n && (least < 0 || cc_gp_compare(r, in[i].m, in[least].m) < 0)) least = i;
        if (least < 0) break;
        ok = take_in(b, in + least);
        in[least].n = 0;
    }
    while (ok && b->n_pairs) {
        cc_gp_pair pair = next_pair(b);
        ok = s_polynomial(b, &pair, &p) && take_in(b, &p);
    }
    cc_gp_clear(&p);
    sort_active(b);
    return ok && reduce_tails(b);
}

void cc_gp_basis_clear(cc_gp_basis *b) {
    for (slong i = 0; i < b->n; i++) cc_gp_clear(b->all + i);
    free(b->all), free(b->active), free(b->pairs);
    cc_gp_clear(&b->work), cc_gp_clear(&b->rest);
    *b = (cc_gp_basis){0};
}
