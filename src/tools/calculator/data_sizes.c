// data_sizes: a byte count in the binary and the decimal units, exactly.
#include "tools/calculator/shared.h"

#define MAX_DIGITS 40 // of n: a billion times the largest unit (QB = 10^30)

static const cc_param params[] = {
    {"n", CC_INT, .required = true, .big = true, .doc = "Bytes"},
    {0},
};

static const cc_field result[] = {
    {"bytes", "integer|string", true, "The count"},
    {"binary", "object", true, "Powers of 1024: KiB to TiB, and larger ones up to the size of n"},
    {"decimal", "object", true, "Powers of 1000: KB to TB, and larger ones up to the size of n"},
    {0},
};

enum { UNITS = 10, ALWAYS = 4 }; // the first four are always told
static const char *const binary[UNITS] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB", "RiB", "QiB"};
static const char *const decimal[UNITS] = {"KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB", "RB", "QB"};

static void write_units(cc_jw *w, const char *key, const char *const *units, slong base, const fmpz_t n) {
    fmpq_t x;
    fmpz_t unit;
    fmpq_init(x);
    fmpz_init_set_si(unit, base);
    cc_jw_key(w, key);
    cc_jw_object(w);
    for (int i = 0; i < UNITS && (i < ALWAYS || fmpz_cmp(n, unit) >= 0); i++) {
        fmpq_set_fmpz_frac(x, n, unit);
        cc_jw_kvalue(w, units[i], x);
        fmpz_mul_si(unit, unit, base);
    }
    cc_jw_end_object(w);
    fmpq_clear(x);
    fmpz_clear(unit);
}

static int run(cc_call *call, cc_error *err) {
    if (cc_arg_text(call, "n").n > MAX_DIGITS) return cc_error_set(err, CC_VALIDATION, "n: at most %d digits are taken", MAX_DIGITS);
    fmpz_t n;
    fmpz_init(n);
    cc_arg_integer(call, "n", n);
    int rc = 0;
    if (fmpz_sgn(n) < 0) {
        cc_error_set(err, CC_VALIDATION, "n is negative: a byte count is at least 0");
        rc = cc_error_remedy(err, "give the magnitude of n");
    } else {
        cc_jw_kinteger(&call->out, "bytes", n);
        write_units(&call->out, "binary", binary, 1024, n);
        write_units(&call->out, "decimal", decimal, 1000, n);
    }
    fmpz_clear(n);
    return rc;
}

const cc_tool cc_tool_data_sizes = {
    .name = "data_sizes",
    .group = CC_CALCULATOR,
    .title = "Data Sizes",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "A byte count in binary (KiB, 1024) and decimal (KB, 1000) units.",
    .params = params,
    .result = result,
    .run = run,
};
