// Statistics of exact numbers: n of them in an array of _fmpq_vec_init. For calc_stats and percentiles.
#ifndef CODECALC_STATS_H
#define CODECALC_STATS_H

#include <flint/fmpq.h>

void cc_stats_sort(fmpq *x, slong n);
// sum / n; n >= 1.
void cc_stats_mean(fmpq_t mean, const fmpq *x, slong n);
// The sample variance, sum of squared deviations / (n - 1); n >= 2.
void cc_stats_variance(fmpq_t variance, const fmpq *x, slong n);
// Of sorted numbers: the smallest with at least percent % of all at or below it (1 <= percent <= 100), and the linear interpolation
// at rank percent/100 × (n - 1) (0 <= percent <= 100).
void cc_stats_nearest_rank(fmpq_t out, const fmpq *sorted, slong n, unsigned percent);
void cc_stats_interpolated(fmpq_t out, const fmpq *sorted, slong n, unsigned percent);

#endif
