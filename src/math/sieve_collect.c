// The inner part of the quadratic sieve: the sieve of one polynomial, and the relations that it finds. Called by sieve.c. The sieve is an
// array of bytes over x; a prime p adds its logarithm at the two residues of x where p divides the polynomial, and positions that
// reach the threshold are divided out. The table of relations owns its memory; it is bounded by the base's size.
#include "math/sieve.h"

#include <assert.h>
#include <stdlib.h>

// ---- the table of relations ----

enum { MAX_MEMBERS = 160, FIRST_SLOTS = 2048, MAX_SLOTS = 1 << 22 };

static size_t slot_of(const cc_relations *r, uint64_t key) { return (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & (r->slots - 1); }

// The slot of a key in seen, which holds it or 0.
static uint64_t *find_seen(const cc_relations *r, uint64_t key) {
    size_t i = slot_of(r, key);
    while (r->seen[i] && r->seen[i] != key) i = (i + 1) & (r->slots - 1);
    return &r->seen[i];
}

// The slot of a large prime in first_of_large, which holds its first relation or 0.
static uint32_t *find_large(const cc_relations *r, uint32_t large) {
    size_t i = slot_of(r, large);
    while (r->first_of_large[i] && r->list[r->first_of_large[i] - 1].large != large) i = (i + 1) & (r->slots - 1);
    return &r->first_of_large[i];
}

// Empty tables of that size, and everything that is known put into them.
static void set_slots(cc_relations *r, size_t slots) {
    free(r->seen), free(r->first_of_large);
    r->slots = slots;
    r->seen = cc_malloc(slots * sizeof *r->seen);
    r->first_of_large = cc_malloc(slots * sizeof *r->first_of_large);
    memset(r->seen, 0, slots * sizeof *r->seen);
    memset(r->first_of_large, 0, slots * sizeof *r->first_of_large);
    for (size_t i = 0; i < r->n; i++) {
        *find_seen(r, (uint64_t)r->list[i].y) = (uint64_t)r->list[i].y;
        if (r->list[i].large == 1) continue;
        uint32_t *first = find_large(r, r->list[i].large);
        if (!*first) *first = (uint32_t)i + 1;
    }
}

void cc_relations_init(cc_relations *r) { set_slots(r, FIRST_SLOTS); }

void cc_relations_clear(cc_relations *r) { free(r->list), free(r->pool), free(r->seen), free(r->first_of_large); }

static void add_relation(cc_relations *r, cc_u128 y, uint32_t large, const uint16_t *members, uint32_t n) {
    if (r->n == r->slots / 2) {
        if (r->slots == MAX_SLOTS) return; // so many are never needed
        set_slots(r, 2 * r->slots);
    }
    uint64_t key = (uint64_t)y, *seen = find_seen(r, key); // not 0: y is odd
    if (*seen) return;
    *seen = key;
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 1024;
        r->list = cc_realloc(r->list, r->cap * sizeof *r->list);
    }
    if (r->n_pool + n > r->pool_cap) {
        r->pool_cap = r->pool_cap ? 2 * r->pool_cap : 16384;
        r->pool = cc_realloc(r->pool, r->pool_cap * sizeof *r->pool);
    }
    memcpy(r->pool + r->n_pool, members, n * sizeof *members);
    r->list[r->n++] = (cc_relation){.y = y, .large = large, .n = n, .members = r->n_pool};
    r->n_pool += n;
    uint32_t *first = large == 1 ? NULL : find_large(r, large);
    if (!first || *first)
        r->whole++;
    else
        *first = (uint32_t)r->n;
}

// ---- dividing out ----

typedef struct value {
    cc_u128 rest;
    uint16_t member[MAX_MEMBERS];
    uint32_t n;
} value;

// Divides by the prime as often as it goes. A number below 2^127 times 1/p modulo 2^128 is below 2^127/p when p divides it, and else not
// (T. Granlund, P. Montgomery, "Division by invariant integers using multiplication", 1994).
static inline void take_out(const cc_sieve *s, value *v, uint32_t i) {
    const uint64_t inverse = s->inverse64[i], limit = s->limit64[i], p = s->prime[i];
    for (;;) {
        uint64_t lo = (uint64_t)v->rest * inverse, carry = (uint64_t)((cc_u128)lo * p >> 64);
        uint64_t hi = ((uint64_t)(v->rest >> 64) - carry) * inverse;
        if (hi >= limit) return;
        v->rest = (cc_u128)hi << 64 | lo;
        v->member[v->n++] = (uint16_t)(i + 1);
    }
}

typedef uint16_t u16x8 __attribute__((vector_size(16), aligned(16)));
typedef int16_t i16x8 __attribute__((vector_size(16), aligned(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16), aligned(16)));
typedef int32_t i32x4 __attribute__((vector_size(16), aligned(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16), aligned(16)));

// Takes out the primes that a mask tells of, one lane a prime, the first one i; only those in from ≤ i < to.
static inline void take_out_lanes(const cc_sieve *s, value *v, u64x2 mask, uint32_t i, uint32_t lanes, uint32_t from, uint32_t to) {
    const uint32_t width = 128 / lanes; // in bits
    for (uint32_t half = 0; half < 2; half++) {
        for (uint64_t m = mask[half]; m;) {
            uint32_t lane = (uint32_t)__builtin_ctzll(m) / width, k = i + half * lanes / 2 + lane;
            m &= ~(((UINT64_C(1) << width) - 1) << lane * width);
            if (k >= from && k < to) take_out(s, v, k);
        }
    }
}

static inline bool any(u64x2 mask) { return (mask[0] | mask[1]) != 0; }

// Which of eight medium primes from the i-th on have a root at a place in the block, back before its end. next1 and next2 are already those
// behind the block, so p must divide the distance, which is seen as in take_out, in 16 bits.
static inline u64x2 medium_hits(const cc_sieve *s, uint32_t i, u16x8 back) {
    const u16x8 inverse = *(const u16x8 *)(s->inverse + i), multiples = *(const u16x8 *)(s->multiples + i);
    const u16x8 d1 = (*(const u16x8 *)(s->next1 + i) + back) * inverse, d2 = (*(const u16x8 *)(s->next2 + i) + back) * inverse;
    return (u64x2)((d1 <= multiples) | (d2 <= multiples));
}

static void divide_by_medium(const cc_sieve *s, value *v, uint32_t place, uint32_t from, uint32_t to) {
    const u16x8 back = (u16x8){0} + (uint16_t)(s->block - place);
    for (uint32_t i = from & ~15U; i < to; i += 16) {
        const u64x2 low = medium_hits(s, i, back), high = medium_hits(s, i + 8, back);
        if (!any(low | high)) continue;
        take_out_lanes(s, v, low, i, 8, from, to);
        take_out_lanes(s, v, high, i + 8, 8, from, to);
    }
}

// The same of four larger primes, which hit a block once at most.
static inline u64x2 large_hits(const cc_sieve *s, uint32_t i, uint32_t back) {
    const u32x4 here = *(const u32x4 *)(s->prime + i) - back;
    return (u64x2)((*(const u32x4 *)(s->far1 + i) == here) | (*(const u32x4 *)(s->far2 + i) == here));
}

static void divide_by_large(const cc_sieve *s, value *v, uint32_t place) {
    for (uint32_t i = s->n_medium & ~7U; i < s->n_base; i += 8) {
        const u64x2 low = large_hits(s, i, s->block - place), high = large_hits(s, i + 4, s->block - place);
        if (!any(low | high)) continue;
        take_out_lanes(s, v, low, i, 4, s->n_medium, s->n_base);
        take_out_lanes(s, v, high, i + 4, 4, s->n_medium, s->n_base);
    }
}

static double bits_of(cc_u128 x) { return x >> 64 ? 128 - __builtin_clzll((uint64_t)(x >> 64)) : 64 - __builtin_clzll((uint64_t)x); }

static void divide_out(cc_sieve *s, uint32_t position, uint32_t place) {
    cc_i128 x = (cc_i128)position - s->half, q = (s->a * x + s->b) * x + s->c, y = 2 * s->a * x + s->b;
    if (q == 0) return;
    value v = {.n = 0};
    if (q < 0) v.member[v.n++] = 0, q = -q;
    v.rest = (cc_u128)q;
    while (!(v.rest & 1)) v.rest >>= 1, v.member[v.n++] = 1;
    divide_by_medium(s, &v, place, 1, s->first);
    double missing = bits_of(v.rest) - (s->bytes[place] - s->start) / s->scale;
    if (missing > s->allowed) return;
    divide_by_medium(s, &v, place, s->first, s->n_medium);
    if (s->n_medium < s->n_base) divide_by_large(s, &v, place);
    for (uint32_t k = 0; k < s->n_a; k++) {
        take_out(s, &v, s->a_index[k]);
        v.member[v.n++] = (uint16_t)(s->a_index[k] + 1);
    }
    if (v.rest > s->large_limit) return;
    add_relation(&s->relations, (cc_u128)(y < 0 ? -y : y), (uint32_t)v.rest, v.member, v.n);
}

// ---- the sieve ----

static inline void add(uint8_t *byte, uint8_t log) { *byte = (uint8_t)(*byte + log); }

// Every prime hits as often as a block has room for it at least once more, the last time perhaps behind the block's end, so that the
// number of hits is the same for neighbouring primes and no branch is mispredicted.
static void sieve_medium(cc_sieve *s) {
    const uint32_t block = s->block;
    for (uint32_t i = s->first; i < s->n_medium; i++) {
        const size_t p = s->prime[i];
        const uint8_t l = s->log[i];
        uint8_t *at1 = s->bytes + s->next1[i], *at2 = s->bytes + s->next2[i];
        uint32_t k = s->hits[i];
        for (; k >= 4; k -= 4, at1 += 4 * p, at2 += 4 * p) {
            add(at1, l), add(at2, l), add(at1 + p, l), add(at2 + p, l);
            add(at1 + 2 * p, l), add(at2 + 2 * p, l), add(at1 + 3 * p, l), add(at2 + 3 * p, l);
        }
        for (; k; k--, at1 += p, at2 += p) add(at1, l), add(at2, l);
        add(at1, l), add(at2, l);
        const int32_t r1 = (int32_t)(at1 - s->bytes) - (int32_t)block, r2 = (int32_t)(at2 - s->bytes) - (int32_t)block;
        s->next1[i] = (uint16_t)(r1 + ((int32_t)p & r1 >> 31));
        s->next2[i] = (uint16_t)(r2 + ((int32_t)p & r2 >> 31));
    }
}

// These hit a block once or not at all; what does not hit it is added behind its end, again without a branch.
static void sieve_large(cc_sieve *s) {
    const uint32_t block = s->block;
    for (uint32_t i = s->n_medium; i < s->n_base; i++) {
        const uint32_t p = s->prime[i], r1 = s->far1[i], r2 = s->far2[i];
        const uint8_t l = s->log[i];
        add(s->bytes + (r1 < block ? r1 : block + r1 % 64), l);
        add(s->bytes + (r2 < block ? r2 : block + r2 % 64), l);
        s->far1[i] = r1 - block + (r1 < block ? p : 0);
        s->far2[i] = r2 - block + (r2 < block ? p : 0);
    }
}

// The primes that are not sieved with: where they would hit next, from the end of the block on.
static void skip_small(cc_sieve *s, uint32_t end) {
    for (uint32_t i = 1; i < s->first; i++) {
        uint32_t p = s->prime[i], r = end % p;
        s->next1[i] = (uint16_t)(s->root1[i] - r + (s->root1[i] < r ? p : 0));
        s->next2[i] = (uint16_t)(s->root2[i] - r + (s->root2[i] < r ? p : 0));
    }
}

void cc_sieve_collect(cc_sieve *s) {
    for (uint32_t i = s->first; i < s->n_medium; i++) {
        s->next1[i] = (uint16_t)s->root1[i];
        s->next2[i] = (uint16_t)s->root2[i];
    }
    if (s->n_medium < s->n_base) {
        memcpy(s->far1 + s->n_medium, s->root1 + s->n_medium, (s->n_base - s->n_medium) * sizeof *s->far1);
        memcpy(s->far2 + s->n_medium, s->root2 + s->n_medium, (s->n_base - s->n_medium) * sizeof *s->far2);
    }
    for (uint32_t at = 0; at < 2 * s->half; at += s->block) {
        memset(s->bytes, s->start, s->block);
        skip_small(s, at + s->block);
        sieve_medium(s);
        sieve_large(s);
        for (uint32_t i = 0; i < s->block; i += 32) {
            uint64_t w[4];
            memcpy(w, s->bytes + i, sizeof w);
            if (!((w[0] | w[1] | w[2] | w[3]) & 0x8080808080808080)) continue;
            for (uint32_t k = i; k < i + 32; k++)
                if (s->bytes[k] & 128) divide_out(s, at + k, k);
        }
    }
}
