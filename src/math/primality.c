// Proofs of primality (see primality.h): FLINT's up to 1024 bits, which end in the test of Adleman, Pomerance, Rumely, Cohen and Lenstra;
// above that the tests that rest on factors of n - 1 or n + 1 alone, since the general one would take minutes. They are theorems 4, 5 and
// 15 of J. Brillhart, D. H. Lehmer, J. L. Selfridge, "New primality criteria and factorizations of 2^m ± 1", Math. Comp. 29 (1975).
#include "math/primality.h"

#include "codecalc/base.h"

#include <flint/fmpz_factor.h>
#include <math.h>

enum {
    MAX_GENERAL_BITS = 1024,
    MAX_SPECIAL_BITS = 20000,
    TRIAL_PRIMES = 3512, // below 2^15: looked for in n - 1 and n + 1
    MAX_TRIES = 60,      // of a base that shows what a prime q of n - 1 or n + 1 needs: all but one in q do
};

// The smallest d above 1 of Jacobi symbol -1 modulo an odd n, which is no square.
static ulong non_square(const fmpz_t n) {
    fmpz_t d;
    fmpz_init_set_ui(d, 2);
    while (fmpz_jacobi(d, n) != -1) fmpz_add_ui(d, d, 1);
    ulong found = fmpz_get_ui(d);
    fmpz_clear(d);
    return found;
}

// Is there an a with a^(n-1) = 1 and gcd(a^((n-1)/q) - 1, n) = 1? Then every prime factor of n is 1 modulo the power of q in n - 1. d is
// no square modulo n: 2 needs such an a, and none below 400 is one for 399! + 1.
static bool shown_below(const fmpz_t n, ulong q, ulong d) {
    fmpz_t e, t, g;
    fmpz_init(e);
    fmpz_init(t);
    fmpz_init(g);
    fmpz_sub_ui(e, n, 1);
    fmpz_divexact_ui(e, e, q);
    bool shown = false, going = true;
    for (ulong a = d; a < d + MAX_TRIES && going; a++) {
        fmpz_set_ui(t, a);
        fmpz_powm(t, t, e, n);
        if (fmpz_is_one(t)) continue;
        going = false;
        fmpz_sub_ui(g, t, 1);
        fmpz_gcd(g, g, n);
        fmpz_powm_ui(t, t, q, n);
        shown = fmpz_is_one(g) && fmpz_is_one(t);
    }
    fmpz_clear(e);
    fmpz_clear(t);
    fmpz_clear(g);
    return shown;
}

// (x + y*sqrt(d))^e modulo n, in place.
static void power(fmpz_t x, fmpz_t y, ulong d, const fmpz_t e, const fmpz_t n) {
    fmpz_t a, b, t;
    fmpz_init_set(a, x);
    fmpz_init_set(b, y);
    fmpz_init(t);
    for (flint_bitcnt_t i = fmpz_bits(e) - 1; i-- > 0;) {
        fmpz_mul(t, x, y);
        fmpz_mul(x, x, x);
        fmpz_mul(y, y, y);
        fmpz_addmul_ui(x, y, d);
        fmpz_mod(x, x, n);
        fmpz_mul_2exp(t, t, 1);
        fmpz_mod(y, t, n);
        if (!fmpz_tstbit(e, i)) continue;
        fmpz_mul(t, y, b);
        fmpz_mul(y, y, a);
        fmpz_addmul(y, x, b);
        fmpz_mul(x, x, a);
        fmpz_addmul_ui(x, t, d);
        fmpz_mod(x, x, n);
        fmpz_mod(y, y, n);
    }
    fmpz_clear(a);
    fmpz_clear(b);
    fmpz_clear(t);
}

// The same above, where d is no square modulo n: Lucas' U of a + sqrt(d) and its conjugate, which is the second coordinate of the powers
// but for a factor that is a power of 2. Every prime factor of n is then 1 or -1 modulo the power of q in n + 1.
static bool shown_above(const fmpz_t n, ulong q, ulong d) {
    fmpz_t e, x, y, g;
    fmpz_init(e);
    fmpz_init(x);
    fmpz_init(y);
    fmpz_init(g);
    fmpz_add_ui(e, n, 1);
    fmpz_divexact_ui(e, e, q);
    bool shown = false, going = true;
    for (ulong a = 1; a <= MAX_TRIES && going; a++) {
        fmpz_set_si(g, (slong)(a * a) - (slong)d); // the norm
        fmpz_gcd(g, g, n);
        if (!fmpz_is_one(g)) continue;
        fmpz_set_ui(x, a);
        fmpz_one(y);
        power(x, y, d, e, n);
        if (fmpz_is_zero(y)) continue;
        going = false;
        fmpz_gcd(g, y, n);
        fmpz_set_ui(e, q);
        power(x, y, d, e, n);
        shown = fmpz_is_one(g) && fmpz_is_zero(y);
    }
    fmpz_clear(e);
    fmpz_clear(x);
    fmpz_clear(y);
    fmpz_clear(g);
    return shown;
}

// All prime factors of n are 1 modulo F, F divides n - 1: is n prime? With F^2 > n it is. With F^3 > n write n = c2*F^2 + c1*F + 1; it is
// prime when c1^2 - 4*c2 is no square.
static bool enough_below(const fmpz_t n, const fmpz_t F) {
    fmpz_t t, c1, c2;
    fmpz_init(t);
    fmpz_init(c1);
    fmpz_init(c2);
    fmpz_mul(t, F, F);
    bool prime = fmpz_cmp(t, n) > 0;
    fmpz_mul(t, t, F);
    if (!prime && fmpz_cmp(t, n) > 0) {
        fmpz_sub_ui(t, n, 1);
        fmpz_divexact(t, t, F);
        fmpz_tdiv_qr(c2, c1, t, F);
        fmpz_mul(c1, c1, c1);
        fmpz_submul_ui(c1, c2, 4);
        prime = fmpz_sgn(c1) < 0 || !fmpz_is_square(c1);
    }
    fmpz_clear(t);
    fmpz_clear(c1);
    fmpz_clear(c2);
    return prime;
}

// The same for 1 or -1 modulo F, which divides n + 1: a prime factor is F - 1 at least.
static bool enough_above(const fmpz_t n, const fmpz_t F) {
    fmpz_t t;
    fmpz_init(t);
    fmpz_sub_ui(t, F, 1);
    fmpz_mul(t, t, t);
    bool prime = fmpz_cmp(t, n) > 0;
    fmpz_clear(t);
    return prime;
}

// A proof from n + which, -1 or 1. False when too little is known of its factors. F is the product of the powers of the smallest ones,
// which are the largest powers as a rule, as many as are needed; each costs a power modulo n, so that it is known before whether they
// suffice.
static bool proven_by(const fmpz_t n, int which) {
    fmpz_t F, t;
    fmpz_init_set_ui(F, 1);
    fmpz_init(t);
    fmpz_add_si(t, n, which);
    fmpz_factor_t f;
    fmpz_factor_init(f);
    const bool complete = fmpz_factor_trial(f, t, TRIAL_PRIMES);
    const slong known = complete ? f->num : f->num - 1; // the rest stands last
    slong used = 0;
    for (bool enough = false; used < known && !enough; used++) {
        fmpz_pow_ui(t, f->p + used, f->exp[used]);
        fmpz_mul(F, F, t);
        enough = which < 0 ? 2 * fmpz_bits(F) > fmpz_bits(n) + 2 : enough_above(n, F);
    }
    bool proven = which < 0 ? enough_below(n, F) : enough_above(n, F);
    const ulong d = proven ? non_square(n) : 0;
    for (slong i = 0; i < used && proven; i++) {
        const ulong q = fmpz_get_ui(f->p + i);
        proven = which < 0 ? shown_below(n, q, d) : shown_above(n, q, d);
    }
    fmpz_factor_clear(f);
    fmpz_clear(F);
    fmpz_clear(t);
    return proven;
}

cc_primality cc_is_prime(const fmpz_t n) {
    if (fmpz_cmp_ui(n, 2) < 0 || !fmpz_is_probabprime(n)) return CC_COMPOSITE;
    if (fmpz_bits(n) <= MAX_GENERAL_BITS) return fmpz_is_prime(n) ? CC_PRIME : CC_COMPOSITE;
    return fmpz_bits(n) <= MAX_SPECIAL_BITS && (proven_by(n, -1) || proven_by(n, 1)) ? CC_PRIME : CC_PRIME_UNPROVEN;
}
