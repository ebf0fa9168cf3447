// The engines behind the small calculator tools: statistics, birthday collisions, positional notation, dates. Exact where the
// answer is rational, enclosed where it is not. Called by tools inside a sealed job; no function keeps anything.
#ifndef CODECALC_NUMERIC_H
#define CODECALC_NUMERIC_H

#include <flint/arb.h>
#include <flint/fmpq.h>

#include "codecalc/base.h"

// ---- statistics (src/math/stats.c): n numbers in an array of _fmpq_vec_init ----

void cc_stats_sort(fmpq *x, slong n);
// sum / n; n >= 1.
void cc_stats_mean(fmpq_t mean, const fmpq *x, slong n);
// The sample variance, sum of squared deviations / (n - 1); n >= 2.
void cc_stats_variance(fmpq_t variance, const fmpq *x, slong n);
// Of sorted numbers: the smallest with at least percent % of all at or below it (1 <= percent <= 100), and the linear interpolation
// at rank percent/100 × (n - 1) (0 <= percent <= 100).
void cc_stats_nearest_rank(fmpq_t out, const fmpq *sorted, slong n, unsigned percent);
void cc_stats_interpolated(fmpq_t out, const fmpq *sorted, slong n, unsigned percent);
// The square root of x >= 0: true with *root when it is rational.
bool cc_rational_sqrt(fmpq_t root, const fmpq_t x);
// Appends the JSON value (as cc_rational_nearest) of the double nearest to sqrt(x), x >= 0, proven by an enclosure.
void cc_rational_sqrt_nearest(cc_buf *out, const fmpq_t x);

// ---- enclosures ----

// The rational ends of the ball x (finite).
void cc_enclosure(fmpq_t lo, fmpq_t hi, const arb_t x);

// ---- birthday collisions (src/math/birthday.c) ----

#define CC_BIRTHDAY_MAX_BITS 65536

// The chance that among items draws from 2^bits equally likely values two are the same: 1 - prod(1 - i / 2^bits), i < items.
// Exact when lo = hi; else an enclosure of relative width about 2^-prec. items >= 0, 1 <= bits <= CC_BIRTHDAY_MAX_BITS.
void cc_birthday(fmpq_t lo, fmpq_t hi, const fmpz_t items, slong bits, slong prec);
// The chance of no collision, likewise. False when it is below about 10^-40000 (and nothing is written).
bool cc_birthday_none(fmpq_t lo, fmpq_t hi, const fmpz_t items, slong bits, slong prec);

// ---- positional notation (src/math/radix.c) ----

typedef struct cc_radix {
    cc_buf value;     // digits in the new base; ends in "…" when the expansion does not end
    cc_buf repeating; // "0.0(0011)" when it does not end and its period is short enough to be found; else empty
    bool ends;
} cc_radix;

#define CC_RADIX_MAX_LEN 10000 // bytes of the value

// Converts an exact value, fraction included, between bases 2 … 36. Digits of either case, "_" between digits and the prefix that
// belongs to `from` (0x, 0o, 0b) are accepted. 0, or -1 with CC_VALIDATION naming value. Free the result with cc_radix_free.
int cc_radix_convert(cc_str value, int from, int to, cc_radix *out, cc_error *err);
void cc_radix_free(cc_radix *r);

// ---- dates (src/math/civil.c) ----

#define CC_CIVIL_MAX_YEAR 999999

// Appends a moment as ISO 8601 in UTC, proleptic Gregorian: "2023-11-14T22:13:20+00:00", with 3, 6 or 9 digits of a second when nanos
// is not 0 (nanos < 10^9 is added to seconds); years outside 0 … 9999 get a sign and six digits. False, with nothing written, when
// the year is outside ±CC_CIVIL_MAX_YEAR.
bool cc_civil_print(cc_buf *out, int64_t seconds, uint32_t nanos);

#endif
