// Statistics of exact numbers, without rounding. Called by calc_stats and percentiles. Owns nothing.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "codecalc/stats.h"

static int compare(const void *a, const void *b) { return fmpq_cmp(a, b); }

void cc_stats_sort(fmpq *x, slong n) { qsort(x, (size_t)n, sizeof *x, compare); }

// Sum of x, or of the squares of x, by halves: unlike denominators then meet in products of equal size.
static void sum(fmpq_t out, const fmpq *x, slong n, bool squares) {
    if (n == 1) {
        if (squares)
            fmpq_mul(out, x, x);
        else
            fmpq_set(out, x);
        return;
    }
    fmpq_t right;
    fmpq_init(right);
    sum(out, x, n / 2, squares);
    sum(right, x + n / 2, n - n / 2, squares);
    fmpq_add(out, out, right);
    fmpq_clear(right);
}

void cc_stats_mean(fmpq_t mean, const fmpq *x, slong n) {
    assert(n >= 1);
    sum(mean, x, n, false);
    fmpq_div_fmpz(mean, mean, (fmpz[]){n});
}

void cc_stats_variance(fmpq_t variance, const fmpq *x, slong n) {
    assert(n >= 2);
    fmpq_t s;
    fmpq_init(s);
    sum(s, x, n, false);
    fmpq_mul(s, s, s);
    fmpq_div_fmpz(s, s, (fmpz[]){n});
    sum(variance, x, n, true);
    fmpq_sub(variance, variance, s);
    fmpq_div_fmpz(variance, variance, (fmpz[]){n - 1});
    fmpq_clear(s);
}

void cc_stats_nearest_rank(fmpq_t out, const fmpq *sorted, slong n, unsigned percent) {
    assert(n >= 1 && percent >= 1 && percent <= 100);
    fmpq_set(out, sorted + (n * (slong)percent + 99) / 100 - 1);
}

void cc_stats_interpolated(fmpq_t out, const fmpq *sorted, slong n, unsigned percent) {
    assert(n >= 1 && percent <= 100);
    slong rank = (n - 1) * (slong)percent, at = rank / 100, part = rank % 100;
    fmpq_set(out, sorted + at);
    if (!part) return;
    fmpq_t step;
    fmpq_init(step);
    fmpq_sub(step, sorted + at + 1, sorted + at);
    fmpq_mul_si(step, step, part);
    fmpq_div_fmpz(step, step, (fmpz[]){100});
    fmpq_add(out, out, step);
    fmpq_clear(step);
}
