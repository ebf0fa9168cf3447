// Factoring integers (see factor_integer.h). In this order: the algebraic factors
// of b^k - 1 and b^k + 1; small primes by trial division; below 2^64 FLINT's routines for words;
// perfect powers; elliptic curves for a factor that is much smaller than the number; the
// quadratic sieve. A factor is accepted when it is proven prime, and the product is checked. Called by calculator and algebra.
#include "math/factor_integer.h"

#include "math/primality.h"
#include "math/sieve.h"

#include <assert.h>
#include <flint/ulong_extras.h>

enum {
    TRIAL_PRIMES = 168,    // those below 1000
    MAX_SIEVED_BITS = 256, // above CC_SIEVE_MAX_BITS by FLINT's quadratic sieve
    MAX_TESTED_BITS = 8192 // longer than this, a number without small factors is neither proven prime nor factored
};

typedef struct work {
    fmpz_factor_struct *f;
    const volatile sig_atomic_t *stop;
    flint_rand_t random;
    cc_factored status; // CC_FACTORED until something else becomes known
} work;

static bool stopped(const work *w) { return w->stop && *w->stop; }

// n^e stays as it is.
static void leave(work *w, const fmpz_t n, ulong e, cc_factored why) {
    _fmpz_factor_append(w->f, n, e);
    w->status = why;
}

// The elliptic curves that are tried for factors of so many bits, before anything that takes longer: limit B1 and number.
static const struct curves {
    unsigned bits, limit, number;
} curves[] = {
    {24, 32, 6},       {30, 100, 12},      {36, 300, 14},      {42, 900, 18},       {48, 2600, 22},      {54, 8500, 25},
    {60, 14000, 42},   {66, 18000, 87},    {72, 30000, 131},   {78, 60000, 175},    {84, 100000, 220},   {90, 240000, 291},
    {96, 370000, 372}, {102, 520000, 450}, {108, 740000, 560}, {114, 1100000, 700}, {120, 1500000, 900},
};

// A factor of up to about so many bits, by the elliptic curve method. False when none was found, or stopped.
static bool by_curves(work *w, fmpz_t p, const fmpz_t n, unsigned bits) {
    for (size_t i = 0; i < CC_ARRAY_LEN(curves) && curves[i].bits <= bits; i++) {
        for (unsigned k = 0; k < curves[i].number; k++) {
            if (stopped(w)) return false;
            if (fmpz_factor_ecm(p, 1, curves[i].limit, 100UL * curves[i].limit, w->random, n) && fmpz_cmp_ui(p, 1) > 0 &&
                fmpz_cmp(p, n) < 0)
                return true;
        }
    }
    return false;
}

// A proper factor of a composite n that is no perfect power. False when stopped, or when it is left to FLINT's sieve.
static bool split(work *w, fmpz_t p, const fmpz_t n) {
    unsigned bits = (unsigned)fmpz_bits(n);
    // Looking for factors of about a third of the number's length, less 20 bits, costs a tenth of sieving; past MAX_SIEVED_BITS no sieve
    // ends in time, but curves may be lucky.
    if (bits > 100 && by_curves(w, p, n, bits > MAX_SIEVED_BITS ? 120 : bits / 3 - 20)) return true;
    return bits <= CC_SIEVE_MAX_BITS && cc_sieve_split(p, n, w->stop);
}

static void factor(work *w, const fmpz_t n, ulong e);

static void factor_word(work *w, ulong n, ulong e) {
    n_factor_t f;
    n_factor_init(&f);
    n_factor(&f, n, 1);
    for (int i = 0; i < f.num; i++) _fmpz_factor_append_ui(w->f, f.p[i], e * (ulong)f.exp[i]);
}

static void factor_composite(work *w, const fmpz_t n, ulong e) {
    const bool too_long = fmpz_bits(n) > CC_FACTOR_MAX_BITS;
    fmpz_t p, q;
    fmpz_init(p);
    fmpz_init(q);
    int k = fmpz_is_perfect_power(p, n);
    if (k) {
        factor(w, p, e * (ulong)k);
    } else if (too_long ? by_curves(w, p, n, 36) : split(w, p, n)) {
        fmpz_divexact(q, n, p);
        factor(w, p, e);
        factor(w, q, e);
    } else if (stopped(w)) {
        leave(w, n, e, CC_FACTOR_STOPPED);
    } else if (too_long) {
        leave(w, n, e, CC_FACTOR_TOO_LONG);
    } else { // the sieve was unlucky, or the number is beyond it
        fmpz_factor_t f;
        fmpz_factor_init(f);
        fmpz_factor(f, n);
        _fmpz_factor_concat(w->f, f, e);
        fmpz_factor_clear(f);
    }
    fmpz_clear(p);
    fmpz_clear(q);
}

// Appends the factors of n^e, n > 1, without small ones.
static void factor(work *w, const fmpz_t n, ulong e) {
    if (fmpz_abs_fits_ui(n)) {
        factor_word(w, fmpz_get_ui(n), e);
        return;
    }
    cc_primality prime = fmpz_bits(n) > MAX_TESTED_BITS ? CC_PRIME_UNPROVEN : cc_is_prime(n);
    if (prime == CC_COMPOSITE)
        factor_composite(w, n, e);
    else if (prime == CC_PRIME)
        _fmpz_factor_append(w->f, n, e);
    else
        leave(w, n, e, CC_FACTOR_TOO_LONG);
}

// Appends the factors of n > 0.
static void factor_piece(work *w, const fmpz_t n) {
    fmpz_factor_t f;
    fmpz_factor_init(f);
    bool complete = fmpz_factor_trial(f, n, TRIAL_PRIMES);
    for (slong i = 0; i < f->num; i++) {
        if (!complete && i == f->num - 1)
            factor(w, f->p + i, f->exp[i]);
        else
            _fmpz_factor_append(w->f, f->p + i, f->exp[i]);
    }
    fmpz_factor_clear(f);
}

// ---- the algebraic factors of b^k - 1 and b^k + 1 ----

// pieces, whose product stays what it is, are taken apart by their common factors with t.
static void refine(fmpz_factor_t pieces, const fmpz_t t) {
    fmpz_t d;
    fmpz_init(d);
    for (slong i = pieces->num; i-- > 0;) {
        fmpz_gcd(d, pieces->p + i, t);
        if (fmpz_is_one(d) || fmpz_equal(d, pieces->p + i)) continue;
        fmpz_divexact(pieces->p + i, pieces->p + i, d);
        _fmpz_factor_append(pieces, d, 1);
    }
    fmpz_clear(d);
}

// For n = b^k - sign with k > 1: b^d - sign divides it when d divides k, and when sign is -1 if k/d is odd besides.
static void take_apart(fmpz_factor_t pieces, const fmpz_t n) {
    _fmpz_factor_append(pieces, n, 1);
    fmpz_t b, t;
    fmpz_init(b);
    fmpz_init(t);
    for (int sign = 1; sign >= -1; sign -= 2) {
        fmpz_add_si(t, n, sign);
        int k = fmpz_is_perfect_power(b, t);
        for (int d = 1; d < k; d++) {
            if (k % d || (sign < 0 && k / d % 2 == 0)) continue;
            fmpz_pow_ui(t, b, (ulong)d);
            fmpz_sub_si(t, t, sign);
            refine(pieces, t);
        }
    }
    fmpz_clear(b);
    fmpz_clear(t);
}

// Factors rise, and equal ones become one.
static void sort(fmpz_factor_t f) {
    for (slong i = 1; i < f->num; i++) {
        for (slong k = i; k > 0 && fmpz_cmp(f->p + k - 1, f->p + k) > 0; k--) {
            fmpz_swap(f->p + k - 1, f->p + k);
            FLINT_SWAP(ulong, f->exp[k - 1], f->exp[k]);
        }
    }
    slong kept = 0;
    for (slong i = 1; i < f->num; i++) {
        if (fmpz_equal(f->p + i, f->p + kept)) {
            f->exp[kept] += f->exp[i];
        } else if (++kept != i) {
            fmpz_swap(f->p + kept, f->p + i);
            f->exp[kept] = f->exp[i];
        }
    }
    if (f->num) _fmpz_factor_set_length(f, kept + 1);
}

cc_factored cc_factor(fmpz_factor_t f, const fmpz_t n, const volatile sig_atomic_t *stop) {
    assert(!fmpz_is_zero(n));
    if (fmpz_bits(n) < 64) {
        fmpz_factor(f, n);
        sort(f);
        return CC_FACTORED;
    }
    work w = {.f = f, .stop = stop, .status = CC_FACTORED};
    flint_rand_init(w.random);
    fmpz_factor_t pieces;
    fmpz_factor_init(pieces);
    _fmpz_factor_set_length(f, 0);
    f->sign = fmpz_sgn(n);
    fmpz_t t;
    fmpz_init(t);
    fmpz_abs(t, n);
    if (fmpz_bits(n) <= MAX_TESTED_BITS)
        take_apart(pieces, t);
    else
        _fmpz_factor_append(pieces, t, 1);
    for (slong i = 0; i < pieces->num; i++) factor_piece(&w, pieces->p + i);
    sort(f);
    fmpz_factor_expand(t, f);
    assert(fmpz_equal(t, n));
    fmpz_clear(t);
    fmpz_factor_clear(pieces);
    flint_rand_clear(w.random);
    return w.status;
}
