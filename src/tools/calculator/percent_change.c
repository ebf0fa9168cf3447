// percent_change: the change from one value to another, relative to the magnitude of the first, exactly.
#include "tools/calculator/shared.h"

static const cc_param params[] = {
    {"from_value", CC_NUMBER, .required = true, .big = true, .doc = "not 0"},
    {"to_value", CC_NUMBER, .required = true, .big = true},
    {0},
};

static const cc_field result[] = {
    {"from_value", "string", true, "Exact value before"},
    {"to_value", "string", true, "Exact value after"},
    {"absolute_change", "string", true, "to_value - from_value, exact"},
    {"percent_exact", "string", true, "(to_value - from_value) / |from_value| * 100, exact"},
    {"percent_decimal", "number|string", true, "The same as a decimal"},
    {"direction", "string", true, "increase, decrease or unchanged"},
    {"multiplier", "string", true, "to_value / from_value, exact"},
    {"rounding", "object", false, "Digits after the point kept in percent_decimal, when it was rounded"},
    {"note", "string", false, "How a negative from_value was read"},
    {0},
};

static void answer(cc_jw *w, const fmpq_t from, const fmpq_t to) {
    fmpq_t change, x;
    fmpq_init(change);
    fmpq_init(x);
    cc_rounding rounding = {0};
    cc_jw_kcanonical(w, "from_value", from);
    cc_jw_kcanonical(w, "to_value", to);
    fmpq_sub(change, to, from);
    cc_jw_kcanonical(w, "absolute_change", change);
    fmpq_abs(x, from);
    fmpq_div(x, change, x);
    fmpq_mul_si(x, x, 100);
    cc_jw_kcanonical(w, "percent_exact", x);
    cc_round_field(w, &rounding, "percent_decimal", x);
    int sign = fmpq_sgn(change);
    cc_jw_kstringz(w, "direction", sign > 0 ? "increase" : sign < 0 ? "decrease" : "unchanged");
    fmpq_div(x, to, from);
    cc_jw_kcanonical(w, "multiplier", x);
    cc_write_rounding(w, &rounding);
    if (fmpq_sgn(from) < 0)
        cc_jw_kstringz(
            w, "note",
            "from_value is negative: percents are relative to its magnitude, and direction follows the sign of to_value - from_value");
    fmpq_clear(change);
    fmpq_clear(x);
}

static int run(cc_call *call, cc_error *err) {
    fmpq_t from, to;
    fmpq_init(from);
    fmpq_init(to);
    int rc = cc_arg_rational(call, "from_value", CC_ARG_MAX_EXPONENT, from, err);
    if (!rc) rc = cc_arg_rational(call, "to_value", CC_ARG_MAX_EXPONENT, to, err);
    if (!rc && fmpq_is_zero(from)) {
        cc_error_set(err, CC_VALIDATION, "from_value is 0: a percent change from nothing is undefined");
        rc = cc_error_remedy(err, "report the absolute change (to_value) instead");
    }
    if (!rc) answer(&call->out, from, to);
    fmpq_clear(from);
    fmpq_clear(to);
    return rc;
}

const cc_tool cc_tool_percent_change = {
    .name = "percent_change",
    .group = CC_CALCULATOR,
    .title = "Percent Change",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Percent change, exact, relative to |from_value|. For part / total use percentage.",
    .params = params,
    .result = result,
    .run = run,
};
