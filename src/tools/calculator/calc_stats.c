// calc_stats: mean, median, sample standard deviation and coefficient of variation.
#include <math.h>

#include "codecalc/stats.h"
#include "tools/calculator/sample.h"

static const cc_param params[] = {
    {"nums", CC_NUMBER_LIST, .required = true, .doc = "At least 2"},
    {0},
};

static const cc_field result[] = {
    {"n", "integer", true, "How many numbers"},
    {"mean", "number|string", true, "Arithmetic mean"},
    {"median", "number|string", true, "Middle value, or the mean of the two in the middle"},
    {"stdev", "number|string", true, "Sample standard deviation (n - 1)"},
    {"cv", "number|string", false, "stdev / |mean|; absent when the mean is 0"},
    {"cv_note", "string", true, "What cv says about the spread"},
    {0},
};

static void write_sqrt(cc_jw *w, const char *key, const fmpq_t square) {
    fmpq_t root;
    fmpq_init(root);
    if (cc_rational_sqrt(root, square)) {
        cc_jw_kvalue(w, key, root);
    } else {
        CC_CLEANUP_BUF cc_buf text = {0};
        cc_rational_sqrt_nearest(&text, square);
        cc_jw_kraw(w, key, cc_buf_str(&text));
    }
    fmpq_clear(root);
}

// A number as clients expect it; past 2^53, where a double loses whole units, the exact decimal.
static void write_centre(cc_jw *w, const char *key, const fmpq_t x) {
    if (fabs(cc_rational_get_double(x)) >= 0x1p53)
        cc_jw_kvalue(w, key, x);
    else
        cc_jw_knearest(w, key, x);
}

static void answer(cc_jw *w, fmpq *x, slong n) {
    fmpq_t mean, variance, t, limit;
    fmpq_init(mean);
    fmpq_init(variance);
    fmpq_init(t);
    fmpq_init(limit);
    cc_stats_mean(mean, x, n);
    cc_stats_variance(variance, x, n);
    cc_stats_sort(x, n);
    cc_stats_interpolated(t, x, n, 50);
    cc_jw_kint(w, "n", n);
    write_centre(w, "mean", mean);
    write_centre(w, "median", t);
    write_sqrt(w, "stdev", variance);
    if (fmpq_is_zero(mean)) {
        cc_jw_kstringz(w, "cv_note", "no cv: the mean is 0");
    } else {
        fmpq_mul(t, mean, mean);
        fmpq_div(t, variance, t);
        write_sqrt(w, "cv", t);
        fmpq_set_si(limit, 1, 25); // 0.2 squared
        cc_jw_kstringz(w, "cv_note",
                       fmpq_cmp(t, limit) > 0 ? "cv > 0.2: the noise between runs swamps the effect"
                                              : "cv <= 0.2: within the noise budget");
    }
    fmpq_clear(mean);
    fmpq_clear(variance);
    fmpq_clear(t);
    fmpq_clear(limit);
}

static int run(cc_call *call, cc_error *err) { return cc_with_sample(call, "nums", 2, answer, err); }

const cc_tool cc_tool_calc_stats = {
    .name = "calc_stats",
    .group = CC_CALCULATOR,
    .title = "Calc Stats",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Mean, median, sample stdev, coefficient of variation; exact. For p50-p99 use percentiles.",
    .params = params,
    .result = result,
    .run = run,
};
