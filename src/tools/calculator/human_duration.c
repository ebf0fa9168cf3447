// human_duration: a span of seconds in days, hours, minutes and so on down to nanoseconds, and as a share of a day and of 30 days.
#include "tools/calculator/shared.h"

#define MAX_EXPONENT 400 // as far as doubles reach

static const cc_param params[] = {
    {"seconds", CC_NUMBER, .required = true, .big = true},
    {0},
};

static const cc_field result[] = {
    {"seconds", "number|string", true, "The span"},
    {"human", "string", true, "For example 2d 7h 35m 3s 250ms"},
    {"per_day", "number|string", true, "seconds / 86400"},
    {"per_30d", "number|string", true, "seconds / 2592000"},
    {"rounding", "object", false, "Digits after the point kept in per_day and per_30d, when they were rounded"},
    {"note", "string", false, "What human leaves out"},
    {0},
};

// Appends the non-zero parts of a number of nanoseconds.
static void print_human(cc_buf *out, const fmpz_t nanos) {
    static const struct {
        const char *name;
        slong of_next; // how many make one of the unit above; 0 = no unit above
    } units[] = {{"ns", 1000}, {"us", 1000}, {"ms", 1000}, {"s", 60}, {"m", 60}, {"h", 24}, {"d", 0}};
    fmpz_t count[CC_ARRAY_LEN(units)], left;
    fmpz_init_set(left, nanos);
    for (size_t i = 0; i < CC_ARRAY_LEN(units); i++) {
        fmpz_init(count[i]);
        if (units[i].of_next) {
            fmpz_set_ui(count[i], fmpz_fdiv_ui(left, (ulong)units[i].of_next));
            fmpz_fdiv_q_si(left, left, units[i].of_next);
        } else {
            fmpz_set(count[i], left);
        }
    }
    size_t start = out->n;
    for (size_t i = CC_ARRAY_LEN(units); i-- > 0;) {
        if (!fmpz_is_zero(count[i])) {
            if (out->n > start) cc_buf_addc(out, ' ');
            cc_integer_print(out, count[i]);
            cc_buf_addz(out, units[i].name);
        }
        fmpz_clear(count[i]);
    }
    if (out->n == start) cc_buf_addz(out, "0s");
    fmpz_clear(left);
}

static void answer(cc_jw *w, const fmpq_t seconds) {
    fmpq_t x;
    fmpz_t nanos, rest;
    fmpq_init(x);
    fmpz_init(nanos);
    fmpz_init(rest);
    cc_rounding rounding = {0};
    CC_CLEANUP_BUF cc_buf human = {0};
    fmpq_mul_si(x, seconds, 1000000000);
    fmpz_fdiv_qr(nanos, rest, fmpq_numref(x), fmpq_denref(x));
    bool cut = !fmpz_is_zero(rest);
    if (cut && fmpz_is_zero(nanos))
        cc_buf_addz(&human, "<1ns");
    else
        print_human(&human, nanos);
    cc_jw_kvalue(w, "seconds", seconds);
    cc_jw_kstring(w, "human", cc_buf_str(&human));
    fmpq_div_fmpz(x, seconds, (fmpz[]){86400});
    cc_round_field(w, &rounding, "per_day", x);
    fmpq_div_fmpz(x, x, (fmpz[]){30});
    cc_round_field(w, &rounding, "per_30d", x);
    cc_write_rounding(w, &rounding);
    if (cut) cc_jw_kstringz(w, "note", "human leaves out what is less than a nanosecond");
    fmpq_clear(x);
    fmpz_clear(nanos);
    fmpz_clear(rest);
}

static int run(cc_call *call, cc_error *err) {
    fmpq_t seconds;
    fmpq_init(seconds);
    int rc = cc_arg_rational(call, "seconds", MAX_EXPONENT, seconds, err);
    if (!rc && fmpq_sgn(seconds) < 0) {
        cc_error_set(err, CC_VALIDATION, "seconds is negative: a span is at least 0");
        rc = cc_error_remedy(err, "give the length of the span; for a point in time use epoch_time");
    }
    if (!rc) answer(&call->out, seconds);
    fmpq_clear(seconds);
    return rc;
}

const cc_tool cc_tool_human_duration = {
    .name = "human_duration",
    .group = CC_CALCULATOR,
    .title = "Human Duration",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "A span of seconds in words (2d 3h 4m) and per day. For a timestamp use epoch_time.",
    .params = params,
    .result = result,
    .run = run,
};
