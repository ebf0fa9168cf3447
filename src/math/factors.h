// Factorizations of integers, as they are shown. See factors.c.
#ifndef CODECALC_MATH_FACTORS_H
#define CODECALC_MATH_FACTORS_H

#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>

// fmpz_factor of |n| > 0 with its primes in ascending order.
void cc_factor_in_order(fmpz_factor_t f, const fmpz_t n);

#endif
