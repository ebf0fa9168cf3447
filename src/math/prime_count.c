// Counting primes (see prime_count.h) by Legendre's sieve on the values floor(n/k) alone, as Lucy_Hedgehog put it (2010): let T(v, p) be
// how many odd numbers in 3 … v are prime or have no prime factor up to p. Then T(v, p) = T(v, q) - (T(v/p, q) - T(p-1, q)), where q is the
// prime before p and p^2 <= v, and T(n, p) is the number of odd primes when p^2 > n. Of the large values n/k only those are kept up to date
// whose k has no factor up to p: the others are not asked for again. About n^(3/4)/log(n) steps, most of them one subtraction. Its arrays
// take 8 bytes for each number up to sqrt(n).
#include "math/prime_count.h"

#include "codecalc/base.h"

#include <assert.h>
#include <flint/ulong_extras.h>
#include <math.h>
#include <stdlib.h>

// T as it is so far, for odd numbers i*2+1 up to root, and for n/k with odd k = i*2+1 up to root.
typedef struct count {
    uint64_t n, root;
    uint32_t *small;
    uint64_t *large;
    uint32_t *ks; // that are kept up to date, rising
    size_t n_ks;
} count;

static uint64_t isqrt(uint64_t n) {
    uint64_t r = (uint64_t)sqrt((double)n);
    while (r * r > n) r--;
    while ((r + 1) * (r + 1) <= n) r++;
    return r;
}

static size_t place(uint64_t v) { return (size_t)(v - 1) / 2; } // of v or of the odd number below it

// n/d for n below 2^47: the quotient is never so close to an integer from below that it is rounded to it.
static uint64_t quotient(uint64_t n, uint64_t d) { return (uint64_t)((double)n / (double)d); }

// T(n/k, p) for all k in use.
static void sieve_large(count *c, uint64_t p, uint32_t before) {
    const uint64_t over_p = c->n / p, last = over_p / p < c->root ? over_p / p : c->root;
    for (size_t i = 0; i < c->n_ks && c->ks[i] <= last; i++) {
        const uint64_t k = c->ks[i], kp = k * p;
        const uint64_t there = kp <= c->root ? c->large[place(kp)] : c->small[place(quotient(over_p, k))];
        c->large[place(k)] -= there - before;
    }
}

// T(v, p) for all odd v from p^2 to root, from above, since smaller ones are needed as they were: those with v/p = j are jp … jp + p-1.
static void sieve_small(count *c, uint64_t p, uint32_t before) {
    size_t end = place(c->root) + 1;
    for (uint64_t j = c->root / p; j >= p; j--) {
        const size_t begin = (size_t)(j * p) / 2; // of the first odd number from jp on
        const uint32_t less = c->small[place(j)] - before;
        for (size_t i = begin; i < end; i++) c->small[i] -= less;
        end = begin;
    }
}

static void drop_multiples(count *c, uint64_t p) {
    size_t kept = 0;
    for (size_t i = 0; i < c->n_ks; i++)
        if (c->ks[i] % p) c->ks[kept++] = c->ks[i];
    c->n_ks = kept;
}

bool cc_prime_count(uint64_t n, const volatile sig_atomic_t *stop, uint64_t *out) {
    assert(n <= CC_PRIME_COUNT_MAX);
    if (n < 3) return *out = n == 2, true;
    count c = {.n = n, .root = isqrt(n)};
    const size_t size = place(c.root) + 1;
    c.small = cc_malloc(size * sizeof *c.small);
    c.large = cc_malloc(size * sizeof *c.large);
    c.ks = cc_malloc(size * sizeof *c.ks);
    for (size_t i = 0; i < size; i++) {
        c.small[i] = (uint32_t)i;
        c.ks[i] = (uint32_t)(2 * i + 1);
        c.large[i] = place(n / (2 * i + 1));
    }
    c.n_ks = size;
    bool go_on = true;
    for (uint64_t p = 3; p <= c.root && go_on; p += 2) {
        const uint32_t before = c.small[place(p) - 1];
        if (c.small[place(p)] == before) continue; // it is not prime
        go_on = !(stop && *stop);
        sieve_large(&c, p, before);
        if (p * p > c.root) continue;
        drop_multiples(&c, p);
        sieve_small(&c, p, before);
    }
    *out = c.large[0] + 1;
    free(c.small), free(c.large), free(c.ks);
    return go_on;
}

// Riemann's R(x), which is near the number of primes up to x, by Gram's series.
static double riemann(double x) {
    double l = log(x), power = 1, sum = 1;
    for (int k = 1; k < 400; k++) {
        power *= l / k;
        double zeta = 1; // of k + 1, by its first terms and what follows them as an integral
        for (int m = 2; m < 12; m++) zeta += pow(m, -(k + 1));
        zeta += pow(11.5, -k) / k;
        double term = power / (k * zeta);
        sum += term;
        if (term < 1e-17 * sum) break;
    }
    return sum;
}

bool cc_nth_prime(uint64_t n, const volatile sig_atomic_t *stop, uint64_t *prime) {
    assert(n >= 1 && n <= CC_NTH_PRIME_MAX);
    if (n <= 10000) return *prime = n_nth_prime(n), true;
    double x = (double)n * log((double)n);
    for (int i = 0; i < 30; i++) x += ((double)n - riemann(x)) * log(x);
    uint64_t p = (uint64_t)x, have;
    if (!cc_prime_count(p, stop, &have)) return false;
    bool go_on = true;
    for (; have < n && go_on; have++) { // the primes in between, one by one
        go_on = !(stop && *stop);
        p = n_nextprime(p, 1);
    }
    while (!n_is_prime(p)) p--;
    for (; have > n && go_on; have--) {
        go_on = !(stop && *stop);
        do p--;
        while (!n_is_prime(p));
    }
    *prime = p;
    return go_on;
}
