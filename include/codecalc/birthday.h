// The birthday problem, exact or enclosed. For collision_probability.
#ifndef CODECALC_BIRTHDAY_H
#define CODECALC_BIRTHDAY_H

#include <flint/fmpq.h>
#include <stdbool.h>

#define CC_BIRTHDAY_MAX_BITS 65536

// The chance that among items draws from 2^bits equally likely values two are the same: 1 - prod(1 - i / 2^bits), i < items.
// Exact when lo = hi; else an enclosure of relative width about 2^-prec. items >= 0, 1 <= bits <= CC_BIRTHDAY_MAX_BITS.
void cc_birthday(fmpq_t lo, fmpq_t hi, const fmpz_t items, slong bits, slong prec);
// The chance of no collision, likewise. False when it is below about 10^-40000 (and nothing is written).
bool cc_birthday_none(fmpq_t lo, fmpq_t hi, const fmpz_t items, slong bits, slong prec);

#endif
