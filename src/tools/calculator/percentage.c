// percentage: part / total as an exact share and in percent.
#include "tools/calculator/shared.h"

static const cc_param params[] = {
    {"part", CC_STRING, .required = true, .max_len = 10000, .doc = "Numerator: a number or rational"},
    {"total", CC_STRING, .required = true, .max_len = 10000, .doc = "Denominator, likewise"},
    {0},
};

static const cc_field result[] = {
    {"part", "string", true, "Exact numerator"},
    {"total", "string", true, "Exact denominator"},
    {"share", "string", true, "part / total, exact"},
    {"percent", "number|string", true, "share * 100"},
    {"rounding", "object", false, "Digits after the point kept in percent, when it was rounded"},
    {0},
};

static void answer(cc_jw *w, const fmpq_t part, const fmpq_t total) {
    fmpq_t x;
    fmpq_init(x);
    cc_rounding rounding = {0};
    cc_jw_kcanonical(w, "part", part);
    cc_jw_kcanonical(w, "total", total);
    fmpq_div(x, part, total);
    cc_jw_kcanonical(w, "share", x);
    fmpq_mul_si(x, x, 100);
    cc_round_field(w, &rounding, "percent", x);
    cc_write_rounding(w, &rounding);
    fmpq_clear(x);
}

static int run(cc_call *call, cc_error *err) {
    fmpq_t part, total;
    fmpq_init(part);
    fmpq_init(total);
    int rc = cc_arg_rational(call, "part", CC_ARG_MAX_EXPONENT, part, err);
    if (!rc) rc = cc_arg_rational(call, "total", CC_ARG_MAX_EXPONENT, total, err);
    if (!rc && fmpq_is_zero(total)) {
        cc_error_set(err, CC_VALIDATION, "total is 0: a share of nothing is undefined");
        rc = cc_error_remedy(err, "give a total other than 0");
    }
    if (!rc) answer(&call->out, part, total);
    fmpq_clear(part);
    fmpq_clear(total);
    return rc;
}

const cc_tool cc_tool_percentage = {
    .name = "percentage",
    .group = CC_CALCULATOR,
    .title = "Percentage",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Exact share and percentage of part / total. For before and after use percent_change.",
    .params = params,
    .result = result,
    .run = run,
};
