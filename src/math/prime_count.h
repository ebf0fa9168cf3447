// How many primes there are up to a number, and the n-th prime. Called by the calculator and the algebra.
#ifndef MATH_PRIME_COUNT_H
#define MATH_PRIME_COUNT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define CC_PRIME_COUNT_MAX UINT64_C(100000000000000) // 10^14: ten seconds and 80 MB
#define CC_NTH_PRIME_MAX   UINT64_C(1000000000000)   // 10^12: the prime is below 3.1 * 10^13

// The number of primes up to n <= CC_PRIME_COUNT_MAX, exactly. False when *stop became nonzero (NULL: never).
bool cc_prime_count(uint64_t n, const volatile sig_atomic_t *stop, uint64_t *count);
// The n-th prime, 1 <= n <= CC_NTH_PRIME_MAX: 2 is the first. False when *stop became nonzero.
bool cc_nth_prime(uint64_t n, const volatile sig_atomic_t *stop, uint64_t *prime);

#endif
