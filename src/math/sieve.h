// The parts of the quadratic sieve (sieve.c, sieve_collect.c, sieve_solve.c) and the one function that it offers. Called by
// factor_integer.c alone.
#ifndef MATH_SIEVE_H
#define MATH_SIEVE_H

#include "codecalc/base.h"

#include <flint/fmpz.h>

enum {
    CC_SIEVE_MIN_BITS = 60,
    CC_SIEVE_MAX_BITS = 208, // the values that are sieved then fit in 127 bits
};

// Splits n: a composite number of CC_SIEVE_MIN_BITS to CC_SIEVE_MAX_BITS bits without prime factors below 1000, and no perfect power.
// True with a factor p, 1 < p < n, which need not be prime. False when it found none: *stop became nonzero (NULL: never), or it was
// unlucky. Memory: below 100 MB at the upper end, all of it given back.
bool cc_sieve_split(fmpz_t p, const fmpz_t n, const volatile sig_atomic_t *stop);

// ---- between the three files ----

typedef unsigned __int128 cc_u128;
typedef __int128 cc_i128;

enum {
    CC_SIEVE_BLOCK = 32768, // bytes sieved at once: they stay in the first cache
    CC_SIEVE_MAX_A = 16,    // prime factors of a leading coefficient
    CC_SIEVE_LANES = 32,    // arrays over the base are padded to a multiple of this
};

// y^2 = 4 * (product of the listed members of the base) * large (mod n); large is 1 or a prime above the base.
typedef struct cc_relation {
    cc_u128 y;
    uint32_t large;
    uint32_t n;     // members, those with an exponent repeated; 0 stands for -1, i for the base's prime i - 1
    size_t members; // where they begin in the pool
} cc_relation;

// All relations so far. Those with the same large prime combine in pairs, each with the first of them.
typedef struct cc_relations {
    cc_relation *list;
    uint16_t *pool;
    size_t n, cap, n_pool, pool_cap;
    size_t whole;             // relations without a large prime, and pairs
    uint64_t *seen;           // a table of the y, by their low words: a relation found twice is no second relation
    uint32_t *first_of_large; // a table of indices into list, plus 1
    size_t slots;             // of each table, a power of two; half of them are used at most
} cc_relations;

typedef struct cc_sieve {
    fmpz_t n, kn; // kn = multiplier * n, which is 1 modulo 4
    const volatile sig_atomic_t *stop;
    uint32_t multiplier;

    // the factor base: primes p with kn a square modulo p
    uint32_t n_base, padded, n_medium; // n_medium: those below CC_SIEVE_BLOCK
    uint32_t first;                    // primes before this one are not sieved with
    uint32_t *prime, *square_root;     // of kn modulo the prime
    uint8_t *log;
    uint16_t *inverse, *multiples; // of medium primes p: 1/p modulo 2^16, and the multiples of p below 2^16

    // sieved is x from -half to half - 1; position i stands for x = i - half
    uint32_t half, block;
    uint64_t *inverse64, *limit64;   // 1/p modulo 2^64, and 2^64/p
    uint16_t *hits;                  // of medium primes, in a block at each root for certain
    uint8_t start;                   // value of an untouched position: 128 and above are candidates
    double scale, allowed;           // units of log a bit; bits that may be missing in a candidate
    uint32_t large_limit;            // of the large prime of a relation
    uint8_t *bytes;                  // a block, and room behind it for what is written past its end
    uint16_t *next1, *next2;         // medium primes: the next positions to hit, counted from the block's beginning
    uint32_t *far1, *far2;           // the same of larger primes, in the places of their index in the base
    uint32_t *root1, *root2;         // the roots of the polynomial, as positions
    uint32_t *delta[CC_SIEVE_MAX_A]; // what a change of the sign of term[v] adds to or takes from them

    // the polynomial a*x^2 + b*x + c, with b^2 - 4*a*c = kn; a is the product of the n_a members of the base in a_index
    cc_i128 a, b, c;
    uint32_t n_a, a_index[CC_SIEVE_MAX_A];
    uint8_t a_log[CC_SIEVE_MAX_A]; // their logarithms, which are 0 in log meanwhile
    cc_i128 term[CC_SIEVE_MAX_A];  // b is their sum with signs
    int sign[CC_SIEVE_MAX_A];
    double log2_a; // that a should have
    uint64_t random;
    uint64_t *used_a; // the low words of those used
    size_t n_used_a, used_a_cap;

    cc_relations relations;
} cc_sieve;

// Sieves with the present polynomial and collects its relations.
void cc_sieve_collect(cc_sieve *s);
void cc_relations_init(cc_relations *r);
void cc_relations_clear(cc_relations *r);
// Finds a product of relations that is a square on both sides and splits n. True with a factor.
bool cc_sieve_solve(cc_sieve *s, fmpz_t p);

#endif
