// Is a number prime? Called by the calculator, the algebra and factor_integer.c.
#ifndef MATH_PRIMALITY_H
#define MATH_PRIMALITY_H

#include <flint/fmpz.h>

enum { CC_PRIMALITY_MAX_BITS = 200000 }; // a test takes a minute there

typedef enum cc_primality {
    CC_COMPOSITE,      // proven; also of numbers below 2
    CC_PRIME,          // proven
    CC_PRIME_UNPROVEN, // passes the Baillie-PSW test, to which no composite is known, but is too long to be proven
} cc_primality;

// n of at most CC_PRIMALITY_MAX_BITS bits. Up to 1024 bits a prime is always proven (within some seconds at the upper end), up to 20000
// bits when enough is known of the factors of n - 1 or n + 1.
cc_primality cc_is_prime(const fmpz_t n);

#endif
