// float_repr: what a binary64 (double) stores for a literal: the exact value, its bits, how far it is from the literal, and what
// lies beside it. The literal is taken digit by digit, so 0.1 and 9007199254740993 mean exactly that.
#include <math.h>
#include <stdio.h>

#include "tools/calculator/shared.h"

#define MAX_LITERAL 5000 // bytes; the longest exact double has 1 077
#define STORED      800  // significant digits: every double has at most 767
#define ERROR_MAX   120  // characters of an exact error; longer ones are rounded

static const cc_param params[] = {
    {"x", CC_STRING, .required = true, .big = true, .max_len = MAX_LITERAL, .doc = "Decimal or p/q; a string is taken exactly"},
    {0},
};

static const cc_field result[] = {
    {"literal", "string", true, "As given"},
    {"stored", "string", true, "The exact value of the double, or inf, -inf, nan"},
    {"bits_hex", "string", true, "All 64 bits"},
    {"sign", "integer", true, "Sign bit"},
    {"exponent", "integer", true, "Exponent field, biased by 1023"},
    {"fraction_hex", "string", true, "The 52 bits of the fraction"},
    {"exact", "boolean", false, "Whether the double is the literal; absent for nan"},
    {"error", "string", false, "stored - literal as an exact fraction, or in 17 significant digits where that is long"},
    {"relative_error", "number|string", false, "|error / literal|"},
    {"ulp", "number", false, "Distance to the next double away from zero"},
    {"prev", "number|string", false, "The double below"},
    {"next", "number|string", false, "The double above"},
    {"note", "string", false, "What is special about it"},
    {0},
};

static void write_double(cc_jw *w, const char *key, double v) {
    CC_CLEANUP_BUF cc_buf text = {0};
    if (!isfinite(v)) {
        cc_jw_kstringz(w, key, v < 0 ? "-inf" : "inf");
        return;
    }
    cc_double_print(&text, v);
    cc_jw_kraw(w, key, cc_buf_str(&text));
}

static void write_fields(cc_jw *w, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    char hex[24];
    snprintf(hex, sizeof hex, "0x%016llx", (unsigned long long)bits);
    cc_jw_kstringz(w, "bits_hex", hex);
    cc_jw_kint(w, "sign", (int64_t)(bits >> 63));
    cc_jw_kint(w, "exponent", (int64_t)(bits >> 52 & 0x7ff));
    snprintf(hex, sizeof hex, "0x%013llx", (unsigned long long)(bits & ((UINT64_C(1) << 52) - 1)));
    cc_jw_kstringz(w, "fraction_hex", hex);
}

static void write_neighbours(cc_jw *w, double v) {
    double a = fabs(v);
    if (isfinite(v)) {
        int e = a < 0x1p-1022 ? -1022 : ilogb(a); // subnormals are as far apart as the smallest normal doubles
        write_double(w, "ulp", ldexp(1, e - 52));
    }
    if (!(isinf(v) && v < 0)) write_double(w, "prev", v == 0 ? -0x1p-1074 : nextafter(v, -INFINITY));
    if (!(isinf(v) && v > 0)) write_double(w, "next", v == 0 ? 0x1p-1074 : nextafter(v, INFINITY));
}

static void write_error(cc_jw *w, const fmpq_t literal, const fmpq_t stored) {
    fmpq_t error;
    fmpq_init(error);
    fmpq_sub(error, stored, literal);
    if (!fmpq_is_zero(error)) {
        CC_CLEANUP_BUF cc_buf text = {0};
        cc_rational_print(&text, error);
        if (text.n > ERROR_MAX) {
            text.n = 0;
            cc_rational_digits(&text, error, 17);
        }
        cc_jw_kstring(w, "error", cc_buf_str(&text));
        fmpq_div(error, error, literal); // not 0, or it would be stored exactly
        fmpq_abs(error, error);
        cc_jw_knearest(w, "relative_error", error);
    }
    fmpq_clear(error);
}

static const char *note_of(double v, bool exact) {
    double a = fabs(v);
    if (isinf(v)) return exact ? NULL : "overflow: past the largest double, 1.7976931348623157e308";
    if (v == 0) return exact ? NULL : "underflow: nearer to 0 than to the smallest double, 5e-324";
    if (a < 0x1p-1022) return "subnormal: fewer than 53 significant bits";
    if (a > 0x1p53) return "past 2^53: not every integer is a double";
    return NULL;
}

static void write_number(cc_jw *w, cc_str literal, const fmpq_t x) {
    double v = cc_rational_get_double(x);
    if (fmpq_is_zero(x) && literal.p[0] == '-') v = -0.0;
    fmpq_t stored;
    fmpq_init(stored);
    CC_CLEANUP_BUF cc_buf text = {0};
    bool exact = false;
    if (isfinite(v)) {
        cc_rational_set_double(stored, v);
        exact = fmpq_equal(stored, x);
        cc_rational_digits(&text, stored, STORED);
    } else {
        cc_buf_addz(&text, v < 0 ? "-inf" : "inf");
    }
    cc_jw_kstring(w, "literal", literal);
    cc_jw_kstring(w, "stored", cc_buf_str(&text));
    write_fields(w, v);
    cc_jw_kbool(w, "exact", exact);
    if (isfinite(v)) write_error(w, x, stored);
    write_neighbours(w, v);
    const char *note = note_of(v, exact);
    if (note) cc_jw_kstringz(w, "note", note);
    fmpq_clear(stored);
}

// "inf", "-Infinity", "NaN" and the like.
static bool read_special(cc_str s, double *v) {
    char word[12];
    bool negative = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s.p++, s.n--;
    if (s.n >= sizeof word) return false;
    for (size_t i = 0; i < s.n; i++) word[i] = (char)(s.p[i] | 0x20);
    word[s.n] = 0;
    bool nan = strcmp(word, "nan") == 0;
    if (!nan && strcmp(word, "inf") != 0 && strcmp(word, "infinity") != 0) return false;
    uint64_t bits = nan ? UINT64_C(0x7ff8000000000000) : UINT64_C(0x7ff0000000000000);
    if (negative) bits |= UINT64_C(1) << 63;
    memcpy(v, &bits, sizeof bits);
    return true;
}

static void write_special(cc_jw *w, cc_str literal, double v) {
    cc_jw_kstring(w, "literal", literal);
    cc_jw_kstringz(w, "stored", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
    write_fields(w, v);
    if (isnan(v)) {
        cc_jw_kstringz(w, "note", "a quiet nan; its sign and payload are free, and it equals nothing, not even itself");
        return;
    }
    cc_jw_kbool(w, "exact", true);
    write_neighbours(w, v);
}

static int run(cc_call *call, cc_error *err) {
    cc_str literal = cc_str_trim(cc_arg_text(call, "x"));
    double special;
    if (read_special(literal, &special)) {
        write_special(&call->out, literal, special);
        return 0;
    }
    fmpq_t x;
    fmpq_init(x);
    int rc = cc_rational_parse(x, literal, CC_RATIONAL_MAX_EXPONENT, "x", err);
    if (!rc) write_number(&call->out, literal, x);
    fmpq_clear(x);
    return rc;
}

const cc_tool cc_tool_float_repr = {
    .name = "float_repr",
    .group = CC_CALCULATOR,
    .title = "Float Repr",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "What binary64 stores for a literal: exact value, bits, error, ulp, neighbours.",
    .params = params,
    .result = result,
    .run = run,
};
