// Statistics of exact numbers. Called by calc_stats and percentiles. Owns nothing; the only rounding is in
// cc_rational_sqrt_nearest, to the nearest double, and it is proven.
#include <assert.h>
#include <stdlib.h>

#include "codecalc/numeric.h"
#include "codecalc/rational.h"

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

bool cc_rational_sqrt(fmpq_t root, const fmpq_t x) {
    if (!fmpz_is_square(fmpq_numref(x)) || !fmpz_is_square(fmpq_denref(x))) return false; // x is in lowest terms
    fmpz_sqrt(fmpq_numref(root), fmpq_numref(x));
    fmpz_sqrt(fmpq_denref(root), fmpq_denref(x));
    return true;
}

void cc_enclosure(fmpq_t lo, fmpq_t hi, const arb_t x) {
    assert(arb_is_finite(x));
    arf_t a, b;
    arf_init(a);
    arf_init(b);
    arb_get_interval_arf(a, b, x, ARF_PREC_EXACT);
    arf_get_fmpq(lo, a);
    arf_get_fmpq(hi, b);
    arf_clear(a);
    arf_clear(b);
}

void cc_rational_sqrt_nearest(cc_buf *out, const fmpq_t x) {
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    if (cc_rational_sqrt(lo, x)) {
        cc_rational_nearest(out, lo);
    } else {
        // An irrational root is no tie between two doubles, so some precision tells them apart.
        arb_t root;
        arb_init(root);
        for (slong prec = 96;; prec *= 2) {
            arb_set_fmpq(root, x, prec);
            arb_sqrt(root, root, prec);
            cc_enclosure(lo, hi, root);
            CC_CLEANUP_BUF cc_buf a = {0}, b = {0};
            cc_rational_nearest(&a, lo);
            cc_rational_nearest(&b, hi);
            if (!cc_str_eq(cc_buf_str(&a), cc_buf_str(&b))) continue;
            cc_buf_adds(out, cc_buf_str(&a));
            break;
        }
        arb_clear(root);
    }
    fmpq_clear(lo);
    fmpq_clear(hi);
}
