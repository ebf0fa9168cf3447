// The inner part of the quadratic sieve: the sieve of one polynomial, and the relations that it finds. Called by sieve.c. The sieve is an
// array of bytes over x; a prime p adds its logarithm at the two residues of x where p divides the polynomial, and positions that
// reach the threshold are divided out. The table of relations owns its memory; it is bounded by the base's size.
#include "math/sieve.h"

#include <assert.h>
#include <stdlib.h>

// ---- the table of relations ----

enum { SLOTS_PER_PRIME = 64, MAX_MEMBERS = 160 };

void cc_relations_init(cc_relations *r, size_t n_base) {
    r->slots = 1024;
    while (r->slots < n_base * SLOTS_PER_PRIME) r->slots *= 2;
    r->seen = cc_malloc(r->slots * sizeof *r->seen);
    memset(r->seen, 0, r->slots * sizeof *r->seen);
    r->first_of_large = cc_malloc(r->slots * sizeof *r->first_of_large);
    memset(r->first_of_large, 0, r->slots * sizeof *r->first_of_large);
}

void cc_relations_clear(cc_relations *r) { free(r->list), free(r->pool), free(r->seen), free(r->first_of_large); }

static size_t slot_of(const cc_relations *r, uint64_t key) { return (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & (r->slots - 1); }

static void add_relation(cc_relations *r, cc_u128 y, uint32_t large, const uint16_t *members, uint32_t n) {
    if (r->n >= r->slots / 2) return; // the tables are full: so many are never needed
    uint64_t key = (uint64_t)y;       // not 0: y is odd
    size_t i = slot_of(r, key);
    for (; r->seen[i]; i = (i + 1) & (r->slots - 1))
        if (r->seen[i] == key) return;
    r->seen[i] = key;
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
    if (large == 1) {
        r->whole++;
        return;
    }
    for (i = slot_of(r, large); r->first_of_large[i]; i = (i + 1) & (r->slots - 1)) {
        if (r->list[r->first_of_large[i] - 1].large != large) continue;
        r->whole++;
        return;
    }
    r->first_of_large[i] = (uint32_t)r->n;
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

// The medium primes of these indices with a root at this place in the block. next1 and next2 are already those behind the block, so p must
// divide the distance, which is seen as in take_out, in 16 bits.
static void divide_by_medium(const cc_sieve *s, value *v, uint32_t place, uint32_t from, uint32_t to) {
    const u16x8 back = (u16x8){0} + (uint16_t)(s->block - place);
    for (uint32_t i = from & ~15U; i < to; i += 16) {
        u64x2 hit[2];
        for (uint32_t k = 0; k < 2; k++) {
            u16x8 inverse = *(const u16x8 *)(s->inverse + i + 8 * k), multiples = *(const u16x8 *)(s->multiples + i + 8 * k);
            u16x8 d1 = (*(const u16x8 *)(s->next1 + i + 8 * k) + back) * inverse;
            u16x8 d2 = (*(const u16x8 *)(s->next2 + i + 8 * k) + back) * inverse;
            hit[k] = (u64x2)((d1 <= multiples) | (d2 <= multiples));
        }
        if (!any(hit[0] | hit[1])) continue;
        take_out_lanes(s, v, hit[0], i, 8, from, to);
        take_out_lanes(s, v, hit[1], i + 8, 8, from, to);
    }
}

// Larger primes hit a block once at most.
static void divide_by_large(const cc_sieve *s, value *v, uint32_t place) {
    for (uint32_t i = s->n_medium & ~7U; i < s->padded; i += 8) {
        u64x2 hit[2];
        for (uint32_t k = 0; k < 2; k++) {
            u32x4 here = *(const u32x4 *)(s->prime + i + 4 * k) + place - s->block;
            hit[k] = (u64x2)((*(const u32x4 *)(s->far1 + i + 4 * k) == here) | (*(const u32x4 *)(s->far2 + i + 4 * k) == here));
        }
        if (!any(hit[0] | hit[1])) continue;
        take_out_lanes(s, v, hit[0], i, 4, s->n_medium, s->n_base);
        take_out_lanes(s, v, hit[1], i + 4, 4, s->n_medium, s->n_base);
    }
}

static double bits_of(cc_u128 x) {
    return x >> 64 ? 128 - __builtin_clzll((uint64_t)(x >> 64)) : 64 - __builtin_clzll((uint64_t)x);
}

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

// Every prime hits as often as a block has room for it at least once more, the last time perhaps behind the block's end, so that the
// number of hits is the same for neighbouring primes and no branch is mispredicted.
static void sieve_medium(cc_sieve *s) {
    uint8_t *bytes = s->bytes;
    const uint32_t block = s->block;
    for (uint32_t i = s->first; i < s->n_medium; i++) {
        uint32_t p = s->prime[i], r1 = s->next1[i], r2 = s->next2[i];
        uint8_t l = s->log[i];
        for (uint32_t k = s->hits[i]; k; k--) {
            bytes[r1] = (uint8_t)(bytes[r1] + l);
            bytes[r2] = (uint8_t)(bytes[r2] + l);
            r1 += p;
            r2 += p;
        }
        bytes[r1] = (uint8_t)(bytes[r1] + l);
        bytes[r2] = (uint8_t)(bytes[r2] + l);
        r1 -= block;
        r2 -= block;
        s->next1[i] = (uint16_t)(r1 + (p & (uint32_t)((int32_t)r1 >> 31)));
        s->next2[i] = (uint16_t)(r2 + (p & (uint32_t)((int32_t)r2 >> 31)));
    }
}

static void sieve_large(cc_sieve *s) {
    uint8_t *bytes = s->bytes;
    const uint32_t block = s->block;
    for (uint32_t i = s->n_medium; i < s->n_base; i++) {
        uint32_t p = s->prime[i], r1 = s->far1[i], r2 = s->far2[i];
        uint8_t l = s->log[i];
        if (r1 < block) {
            bytes[r1] = (uint8_t)(bytes[r1] + l);
            r1 += p;
        }
        if (r2 < block) {
            bytes[r2] = (uint8_t)(bytes[r2] + l);
            r2 += p;
        }
        s->far1[i] = r1 - block;
        s->far2[i] = r2 - block;
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
