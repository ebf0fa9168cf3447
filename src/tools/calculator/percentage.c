// percentage: part / total as an exact share and in percent.
#include "codecalc/math.h"
#include "tools/calculator/shared.h"

static const cc_param params[] = {
    {"part", CC_STRING, .required = true, .max_len = 10000, .doc = "Number or expression"},
    {"total", CC_STRING, .required = true, .max_len = 10000},
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

// Points an irrational operand to the tool that takes it.
static void suggest_calc(const cc_call *call, cc_error *err) {
    cc_str part = cc_arg_text(call, "part"), total = cc_arg_text(call, "total");
    CC_CLEANUP_BUF cc_buf expr = {0}, next = {0};
    cc_buf_printf(&expr, "(%.*s)/(%.*s)*100", (int)part.n, part.p, (int)total.n, total.p);
    cc_jw w = cc_jw_make(&next);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "tool", "calc_exact");
    cc_jw_key(&w, "arguments");
    cc_jw_object(&w);
    cc_jw_kstring(&w, "expr", cc_buf_str(&expr));
    cc_jw_end_object(&w);
    cc_jw_end_object(&w);
    cc_buf_addc(&next, '\0');
    if (next.n <= sizeof err->next) memcpy(err->next, next.p, next.n);
}

// A plain number is read as it is; anything else is an expression of calc_exact's language with a rational value.
static int read_operand(cc_call *call, const char *name, fmpq_t out, cc_error *err) {
    cc_str text = cc_arg_text(call, name);
    *err = (cc_error){0};
    if (cc_rational_parse(out, text, CC_ARG_MAX_EXPONENT, name, err) == 0) return 0;
    if (err->code == CC_RESOURCE_EXHAUSTED) return -1; // a number, but too large a one
    *err = (cc_error){0};
    cc_calc_options opt = {.digits = CC_CALC_DIGITS, .stop = call->stop};
    cc_calc_result value = {0};
    if (cc_calc_eval(call->arena, text, &opt, &value, err)) return cc_error_wrap(err, "%s", name);
    if (strcmp(value.type, "rational") != 0) {
        bool real = strcmp(value.type, "irrational") == 0 || strcmp(value.type, "real") == 0;
        cc_error_set(err, CC_VALIDATION, "%s: takes a rational value; this one is of type %s", name, value.type);
        if (real) suggest_calc(call, err);
        return cc_error_remedy(err, real ? "use calc_exact" : "give %s as a number", name);
    }
    if (!value.value.n) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%s: its value is too long", name);
        return cc_error_remedy(err, "scale part and total");
    }
    for (size_t i = 0; i < value.n_warnings; i++) cc_call_warn(call, "%s: %.*s", name, (int)value.warnings[i].n, value.warnings[i].p);
    return cc_rational_parse(out, value.value, CC_ARG_MAX_EXPONENT, name, err);
}

static int run(cc_call *call, cc_error *err) {
    fmpq_t part, total;
    fmpq_init(part);
    fmpq_init(total);
    int rc = read_operand(call, "part", part, err);
    if (!rc) rc = read_operand(call, "total", total, err);
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
