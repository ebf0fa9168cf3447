// Factoring integers: published factorizations, numbers made from known primes, and what must not happen to callers: no wrong factor,
// no endless loop, no answer after the stop. FLINT's own factorization is the independent second opinion on random numbers.
#include "unit.h"

#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>
#include <flint/fmpz_vec.h>
#include <flint/ulong_extras.h>

#include "math/factor_integer.h"
#include "math/primality.h"
#include "math/sieve.h"

static flint_rand_t random_state;

// f is the factorization of n: rising primes, proven, whose product is n.
static void assert_factors(const fmpz_factor_t f, const fmpz_t n) {
    fmpz_t product;
    fmpz_init(product);
    fmpz_factor_expand(product, f);
    assert_true(fmpz_equal(product, n));
    for (slong i = 0; i < f->num; i++) {
        assert_int_equal(fmpz_is_prime(f->p + i), 1);
        assert_true(f->exp[i] > 0);
        if (i) assert_true(fmpz_cmp(f->p + i - 1, f->p + i) < 0);
    }
    fmpz_clear(product);
}

static void factor_and_check(const fmpz_t n) {
    fmpz_factor_t f;
    fmpz_factor_init(f);
    assert_int_equal(cc_factor(f, n, NULL), CC_FACTORED);
    assert_factors(f, n);
    fmpz_factor_clear(f);
}

// As text: "3^2*7".
static void factor_text(cc_buf *out, const fmpz_t n) {
    fmpz_factor_t f;
    fmpz_factor_init(f);
    assert_int_equal(cc_factor(f, n, NULL), CC_FACTORED);
    assert_factors(f, n);
    if (f->sign < 0) cc_buf_addz(out, "-");
    for (slong i = 0; i < f->num; i++) {
        char *p = fmpz_get_str(NULL, 10, f->p + i);
        cc_buf_printf(out, "%s%s", i ? "*" : "", p);
        if (f->exp[i] > 1) cc_buf_printf(out, "^%lu", f->exp[i]);
        flint_free(p);
    }
    fmpz_factor_clear(f);
}

// From the tables of the Cunningham project (b^n - 1 and b^n + 1), which were published long before this program.
static void published(void **state) {
    (void)state;
    static const struct {
        ulong base, exponent;
        slong add;
        const char *factors;
    } table[] = {
        {2, 64, 1, "274177*67280421310721"},                     // F6, Landry 1880
        {2, 128, 1, "59649589127497217*5704689200685129054721"}, // F7, Morrison and Brillhart 1970
        {2, 67, -1, "193707721*761838257287"},                   // Cole 1903
        {2, 101, -1, "7432339208719*341117531003194129"},
        {2, 103, -1, "2550183799*3976656429941438590393"},
        {2, 109, -1, "745988807*870035986098720987332873"},
        {2, 137, -1, "32032215596496435569*5439042183600204290159"},
        {2, 139, -1, "5625767248687*123876132205208335762278423601"},
        {2, 149, -1, "86656268566282183151*8235109336690846723986161"},
        {10, 17, -1, "3^2*2071723*5363222357"},
        {10, 19, -1, "3^2*1111111111111111111"},
        {10, 31, -1, "3^2*2791*6943319*57336415063790604359"},
        {10, 37, -1, "3^2*2028119*247629013*2212394296770203368013"},
        {10, 41, -1, "3^2*83*1231*538987*201763709900322803748657942361"},
        {3, 71, -1, "2*3754733257489862401973357979128773"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(table); i++) {
        CC_CLEANUP_BUF cc_buf text = {0};
        fmpz_t n;
        fmpz_init(n);
        fmpz_ui_pow_ui(n, table[i].base, table[i].exponent);
        fmpz_add_si(n, n, table[i].add);
        factor_text(&text, n);
        fmpz_clear(n);
        assert_text(text, table[i].factors);
    }
}

// A random prime of so many bits.
static void random_prime(fmpz_t p, flint_bitcnt_t bits) {
    do {
        fmpz_randbits_unsigned(p, random_state, bits);
        fmpz_nextprime(p, p, bits < 500); // longer ones are not proven: they need not be here
    } while (fmpz_bits(p) != bits);
}

static void semiprimes(void **state) {
    (void)state;
    fmpz_t p, q, n;
    fmpz_init(p);
    fmpz_init(q);
    fmpz_init(n);
    for (flint_bitcnt_t bits = 30; bits <= 72; bits += 3) { // products of up to 149 bits, of factors as long as another or nearly
        for (flint_bitcnt_t more = 0; more <= 5; more += 5) {
            random_prime(p, bits);
            random_prime(q, bits + more);
            fmpz_mul(n, p, q);
            factor_and_check(n);
        }
    }
    for (flint_bitcnt_t bits = 40; bits <= 90; bits += 10) { // and unlike ones
        random_prime(p, bits / 2);
        random_prime(q, 130 - bits / 2);
        fmpz_mul(n, p, q);
        factor_and_check(n);
    }
    fmpz_clear(p);
    fmpz_clear(q);
    fmpz_clear(n);
}

// The sieve by itself on every length that it takes with little time, many numbers of the shortest ones, where relations are few and often
// found twice.
static void sieve_alone(void **state) {
    (void)state;
    fmpz_t p, q, n;
    fmpz_init(p);
    fmpz_init(q);
    fmpz_init(n);
    for (flint_bitcnt_t bits = CC_SIEVE_MIN_BITS; bits <= 130; bits++) {
        for (int i = 0; i < (bits < 90 ? 10 : 1); i++) {
            do {
                random_prime(p, bits / 2);
                random_prime(q, bits - bits / 2);
                fmpz_mul(n, p, q);
            } while (fmpz_bits(n) != bits || fmpz_equal(p, q));
            fmpz_t d;
            fmpz_init(d);
            assert_true(cc_sieve_split(d, n, NULL));
            assert_true(fmpz_equal(d, p) || fmpz_equal(d, q));
            fmpz_clear(d);
        }
    }
    fmpz_clear(p);
    fmpz_clear(q);
    fmpz_clear(n);
}

static void powers_and_neighbours(void **state) {
    (void)state;
    fmpz_t p, q, n;
    fmpz_init(p);
    fmpz_init(q);
    fmpz_init(n);
    for (flint_bitcnt_t bits = 12; bits <= 66; bits += 6) {
        random_prime(p, bits);
        fmpz_nextprime(q, p, 1);
        fmpz_mul(n, p, q); // close to a square
        factor_and_check(n);
        fmpz_mul(n, n, p); // p^2 q
        if (fmpz_bits(n) < 150) factor_and_check(n);
        for (ulong e = 2; e <= 7; e++) {
            fmpz_pow_ui(n, p, e);
            factor_and_check(n);
        }
        if (bits < 40) {
            fmpz_mul(n, p, q);
            fmpz_pow_ui(n, n, 3); // (p q)^3
            factor_and_check(n);
        }
    }
    fmpz_clear(p);
    fmpz_clear(q);
    fmpz_clear(n);
}

// (6k+1)(12k+1)(18k+1) with three primes is a Carmichael number (Chernick 1939).
static void carmichael_numbers(void **state) {
    (void)state;
    size_t found = 0;
    fmpz_t n;
    fmpz_init(n);
    for (ulong k = 1; k < UINT64_C(1) << 40; k = k * 2 + 35) {
        while (!n_is_prime(6 * k + 1) || !n_is_prime(12 * k + 1) || !n_is_prime(18 * k + 1)) k++;
        fmpz_set_ui(n, 6 * k + 1);
        fmpz_mul_ui(n, n, 12 * k + 1);
        fmpz_mul_ui(n, n, 18 * k + 1);
        factor_and_check(n);
        found++;
    }
    fmpz_clear(n);
    assert_true(found > 15);
}

static void many_factors(void **state) {
    (void)state;
    fmpz_t n, p;
    fmpz_init(n);
    fmpz_init(p);
    for (ulong count = 3; count <= 40; count += 4) {
        fmpz_one(n);
        for (ulong i = 0; i < count; i++) {
            random_prime(p, 2 + n_randint(random_state, 40));
            fmpz_mul(n, n, p);
        }
        factor_and_check(n);
        fmpz_neg(n, n);
        factor_and_check(n);
    }
    for (ulong bits = 25; bits <= 50; bits += 5) { // three of a kind
        fmpz_one(n);
        for (int i = 0; i < 3; i++) {
            random_prime(p, bits);
            fmpz_mul(n, n, p);
        }
        factor_and_check(n);
    }
    fmpz_fac_ui(n, 500);
    factor_and_check(n);
    for (ulong k = 1; k <= 90; k++) { // algebraic factors: 10^k - 1, 10^k + 1
        fmpz_ui_pow_ui(n, 6, k);
        fmpz_add_si(n, n, k % 2 ? 1 : -1);
        if (fmpz_bits(n) < 120) factor_and_check(n);
    }
    fmpz_clear(n);
    fmpz_clear(p);
}

static void like_flint(void **state) {
    (void)state;
    fmpz_t n;
    fmpz_init(n);
    for (flint_bitcnt_t bits = 1; bits <= 120; bits++) {
        for (int i = 0; i < 3; i++) {
            fmpz_randbits(n, random_state, bits);
            fmpz_factor_t ours, theirs;
            fmpz_factor_init(ours);
            fmpz_factor_init(theirs);
            assert_int_equal(cc_factor(ours, n, NULL), CC_FACTORED);
            assert_factors(ours, n);
            fmpz_factor(theirs, n);
            assert_int_equal(ours->num, theirs->num);
            assert_int_equal(ours->sign, theirs->sign);
            for (slong k = 0; k < ours->num; k++) { // theirs do not always rise
                bool found = false;
                for (slong j = 0; j < ours->num; j++) found |= fmpz_equal(ours->p + k, theirs->p + j) && ours->exp[k] == theirs->exp[j];
                assert_true(found);
            }
            fmpz_factor_clear(ours);
            fmpz_factor_clear(theirs);
        }
    }
    fmpz_clear(n);
}

// What cannot be factored in time ends with the stop, and its product is still the number.
static void stops(void **state) {
    (void)state;
    const volatile sig_atomic_t stop = 1;
    for (flint_bitcnt_t bits = 50; bits <= 240; bits += 30) {
        fmpz_t n, p, product;
        fmpz_init(n);
        fmpz_init(p);
        fmpz_init(product);
        random_prime(n, bits);
        random_prime(p, bits);
        fmpz_mul(n, n, p);
        fmpz_factor_t f;
        fmpz_factor_init(f);
        assert_int_equal(cc_factor(f, n, &stop), CC_FACTOR_STOPPED);
        fmpz_factor_expand(product, f);
        assert_true(fmpz_equal(product, n));
        fmpz_factor_clear(f);
        fmpz_clear(n);
        fmpz_clear(p);
        fmpz_clear(product);
    }
}

// A composite of 900 bits without small factors is refused at once.
static void refuses(void **state) {
    (void)state;
    fmpz_t n, p;
    fmpz_init(n);
    fmpz_init(p);
    random_prime(n, 450);
    random_prime(p, 450);
    fmpz_mul(n, n, p);
    fmpz_mul_ui(n, n, 12);
    fmpz_factor_t f;
    fmpz_factor_init(f);
    assert_int_equal(cc_factor(f, n, NULL), CC_FACTOR_TOO_LONG);
    fmpz_factor_expand(p, f);
    assert_true(fmpz_equal(p, n));
    assert_int_equal(f->num, 3);
    fmpz_factor_clear(f);
    fmpz_clear(n);
    fmpz_clear(p);
}

// Primes of published lists: of Mersenne (Robinson 1952), of Proth's form, and next to factorials. Each has the neighbour n - 1 or n + 1 to
// be proven by. The numbers before and after them in their rows are composite.
static void proofs(void **state) {
    (void)state;
    static const struct {
        ulong times, base, exponent;
        slong add;
        cc_primality want;
    } table[] = {
        {1, 2, 521, -1, CC_PRIME},     {1, 2, 1279, -1, CC_PRIME},    {1, 2, 2203, -1, CC_PRIME},  {1, 2, 2207, -1, CC_COMPOSITE},
        {3, 2, 2208, 1, CC_PRIME},     {3, 2, 2209, 1, CC_COMPOSITE}, {3, 2, 2816, 1, CC_PRIME},   {1, 2, 2048, 1, CC_COMPOSITE},
        {1, 10, 40, 121, CC_PRIME},    {1, 10, 50, 151, CC_PRIME},    {1, 10, 100, 267, CC_PRIME}, {1, 10, 100, 269, CC_COMPOSITE},
        {1, 2, 4000, 0, CC_COMPOSITE}, {1, 7, 1, 0, CC_PRIME},        {0, 7, 1, -7, CC_COMPOSITE}, {0, 7, 1, 1, CC_COMPOSITE},
    };
    fmpz_t n;
    fmpz_init(n);
    for (size_t i = 0; i < CC_ARRAY_LEN(table); i++) {
        fmpz_ui_pow_ui(n, table[i].base, table[i].exponent);
        fmpz_mul_ui(n, n, table[i].times);
        fmpz_add_si(n, n, table[i].add);
        assert_int_equal(cc_is_prime(n), table[i].want);
    }
    fmpz_fac_ui(n, 399);
    fmpz_add_ui(n, n, 1);
    assert_int_equal(cc_is_prime(n), CC_PRIME);
    fmpz_fac_ui(n, 379);
    fmpz_sub_ui(n, n, 1);
    assert_int_equal(cc_is_prime(n), CC_PRIME);
    random_prime(n, 1100); // with nothing to prove it by
    assert_int_equal(cc_is_prime(n), CC_PRIME_UNPROVEN);
    fmpz_clear(n);
}

int main(void) {
    flint_rand_init(random_state);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published),
        cmocka_unit_test(semiprimes),
        cmocka_unit_test(sieve_alone),
        cmocka_unit_test(powers_and_neighbours),
        cmocka_unit_test(carmichael_numbers),
        cmocka_unit_test(many_factors),
        cmocka_unit_test(like_flint),
        cmocka_unit_test(stops),
        cmocka_unit_test(refuses),
        cmocka_unit_test(proofs),
    };
    int failed = cmocka_run_group_tests_name("factor", tests, NULL, NULL);
    flint_rand_clear(random_state);
    return failed;
}
