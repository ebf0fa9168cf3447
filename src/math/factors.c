// Factorizations of integers, as they are shown: FLINT gives large primes in the order in which it found them. Called by the integer
// functions of the calculator (integers.c) and of the algebra (expr/integer_operations.c). It owns nothing and bounds nothing.
#include "math/factors.h"

void cc_factor_in_order(fmpz_factor_t f, const fmpz_t n) {
    fmpz_factor(f, n);
    for (slong i = 1; i < f->num; i++)
        for (slong k = i; k > 0 && fmpz_cmp(f->p + k - 1, f->p + k) > 0; k--) {
            fmpz_swap(f->p + k - 1, f->p + k);
            ulong exp = f->exp[k];
            f->exp[k] = f->exp[k - 1];
            f->exp[k - 1] = exp;
        }
}
