// Counting primes: published values, agreement with a plain sieve for every small number, and the n-th prime as its inverse.
#include "unit.h"

#include <signal.h>

#include "math/prime_count.h"

static uint64_t count(uint64_t n) {
    uint64_t c;
    assert_true(cc_prime_count(n, NULL, &c));
    return c;
}

static uint64_t nth(uint64_t n) {
    uint64_t p;
    assert_true(cc_nth_prime(n, NULL, &p));
    return p;
}

// Sequence A006880 of the OEIS: primes below 10^k, and A006988: the 10^k-th prime.
static void published(void **state) {
    (void)state;
    static const uint64_t below[] = {0, 4, 25, 168, 1229, 9592, 78498, 664579, 5761455, 50847534, 455052511, 4118054813, 37607912018};
    static const uint64_t primes[] = {2,        29,        541,        7919,         104729,        1299709,
                                      15485863, 179424673, 2038074743, 22801763489u, 252097800623u, 2760727302517u};
    uint64_t n = 1;
    for (size_t k = 0; k < CC_ARRAY_LEN(below); k++, n *= 10) assert_int_equal(count(n), below[k]);
    n = 1;
    for (size_t k = 0; k < CC_ARRAY_LEN(primes); k++, n *= 10) assert_int_equal(nth(n), primes[k]);
}

enum { LIMIT = 30000 };

static void like_a_sieve(void **state) {
    (void)state;
    static bool composite[LIMIT + 1];
    uint64_t so_far = 0;
    for (uint64_t n = 0; n <= LIMIT; n++) {
        if (n >= 2 && !composite[n]) {
            so_far++;
            for (uint64_t m = n * n; m <= LIMIT; m += n) composite[m] = true;
            assert_int_equal(nth(so_far), n);
        }
        assert_int_equal(count(n), so_far);
    }
}

// Around squares and cubes of primes, where a term begins to count; and just before and at primes.
static void at_the_edges(void **state) {
    (void)state;
    static const uint64_t primes[] = {1009, 9973, 99991, 999983};
    for (size_t i = 0; i < CC_ARRAY_LEN(primes); i++) {
        const uint64_t p = primes[i], square = p * p;
        assert_int_equal(count(square), count(square - 1)); // p^2 is none, and even numbers around it are none
        assert_int_equal(count(square + 1), count(square));
    }
    for (uint64_t n = 20000; n < UINT64_C(2000000000); n = n * 3 + 7) {
        uint64_t p = nth(n);
        assert_int_equal(count(p), n);
        assert_int_equal(count(p - 1), n - 1);
    }
}

static void stops(void **state) {
    (void)state;
    const volatile sig_atomic_t stop = 1;
    uint64_t x;
    assert_false(cc_prime_count(UINT64_C(10000000000), &stop, &x));
    assert_false(cc_nth_prime(UINT64_C(10000000000), &stop, &x));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published), cmocka_unit_test(like_a_sieve), cmocka_unit_test(at_the_edges),
                                       cmocka_unit_test(stops)};
    return cmocka_run_group_tests_name("prime_count", tests, NULL, NULL);
}
