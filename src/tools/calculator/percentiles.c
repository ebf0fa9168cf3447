// percentiles: p50, p90, p95 and p99, by nearest rank and by linear interpolation.
#include "codecalc/stats.h"
#include "tools/calculator/sample.h"

static const cc_param params[] = {
    {"nums", CC_NUMBER_LIST, .required = true},
    {0},
};

static const cc_field result[] = {
    {"n", "integer", true, "How many numbers"},
    {"percentiles", "object", true, "p50, p90, p95, p99: each nearest_rank and interpolated (with rounding when that was rounded)"},
    {"warning", "string", false, "That the sample is too small for p99"},
    {0},
};

static void answer(cc_jw *w, fmpq *x, slong n) {
    static const unsigned cutoffs[] = {50, 90, 95, 99};
    fmpq_t t;
    fmpq_init(t);
    cc_stats_sort(x, n);
    cc_jw_kint(w, "n", n);
    cc_jw_key(w, "percentiles");
    cc_jw_object(w);
    for (size_t i = 0; i < CC_ARRAY_LEN(cutoffs); i++) {
        const char key[] = {'p', (char)('0' + cutoffs[i] / 10), (char)('0' + cutoffs[i] % 10), 0};
        cc_rounding rounding = {0};
        cc_jw_key(w, key);
        cc_jw_object(w);
        cc_stats_nearest_rank(t, x, n, cutoffs[i]);
        cc_jw_kvalue(w, "nearest_rank", t);
        cc_stats_interpolated(t, x, n, cutoffs[i]);
        cc_round_field(w, &rounding, "interpolated", t);
        cc_write_rounding(w, &rounding);
        cc_jw_end_object(w);
    }
    cc_jw_end_object(w);
    if (n < 100) cc_jw_kstringz(w, "warning", "n < 100: p99 by nearest rank is only the maximum");
    fmpq_clear(t);
}

static int run(cc_call *call, cc_error *err) { return cc_with_sample(call, "nums", 1, answer, err); }

const cc_tool cc_tool_percentiles = {
    .name = "percentiles",
    .group = CC_CALCULATOR,
    .title = "Percentiles",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "p50, p90, p95, p99 by nearest rank and interpolation. For the mean use calc_stats.",
    .params = params,
    .result = result,
    .run = run,
};
