// The factorization of integers: the only way by which src/math factors completely. Implemented in factor_integer.c on the quadratic
// sieve (sieve.h) and FLINT's trial division, elliptic curves and proofs of primality.
#ifndef MATH_FACTOR_INTEGER_H
#define MATH_FACTOR_INTEGER_H

#include <flint/fmpz_factor.h>
#include <signal.h>

enum { CC_FACTOR_MAX_BITS = 512 }; // of a composite that is left when small factors are out

typedef enum cc_factored {
    CC_FACTORED,        // every factor is proven prime
    CC_FACTOR_STOPPED,  // *stop became nonzero
    CC_FACTOR_TOO_LONG, // a composite factor of more than CC_FACTOR_MAX_BITS bits is left
} cc_factored;

// Factors n != 0 into f, which the caller has initialised: f->sign is its sign, the factors rise. n may have any size; what it costs is the
// caller's to bound, since taking out small factors takes a while from 10^5 bits on. Unless CC_FACTORED is returned, the product of f is
// n all the same, but its factors need not be prime or different. stop may be NULL. It is polled in our own loops;
// not broken off are FLINT's proof that a factor is prime, and its sieve, which takes composites of 209 to 256 bits that curves do not
// split.
cc_factored cc_factor(fmpz_factor_t f, const fmpz_t n, const volatile sig_atomic_t *stop);

#endif
