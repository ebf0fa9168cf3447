// Exact rational numbers between text, fmpq and double. Called by the calculator tools and the expression evaluator. Owns nothing:
// every fmpq belongs to the caller. Never rounds without saying so, and never computes a power of ten whose size was not bounded.
#include "codecalc/rational.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- reading ----

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// An unsigned decimal at the front of *s, cut off it. Digits go, without the point, into a NUL-terminated string.
typedef struct decimal {
    const char *digits; // no leading zeros; "" is zero
    int64_t written;    // the exponent in the text; saturated far above any bound
    int64_t exponent;   // value = digits × 10^exponent
    bool found;
} decimal;

static decimal scan_decimal(cc_str *s, cc_buf *digits) {
    const int64_t saturated = INT64_C(1) << 40;
    decimal d = {0};
    size_t at = 0;
    int64_t fraction = 0;
    bool point = false;
    for (; at < s->n; at++) {
        char c = s->p[at];
        if (c == '.' && !point) {
            point = true;
        } else if (is_digit(c)) {
            d.found = true;
            if (c != '0' || digits->n) cc_buf_addc(digits, c);
            fraction += point;
        } else {
            break;
        }
    }
    if (!d.found) return d;
    int64_t exponent = 0;
    if (at < s->n && (s->p[at] == 'e' || s->p[at] == 'E')) {
        size_t e = at + 1;
        bool negative = e < s->n && s->p[e] == '-';
        if (e < s->n && (s->p[e] == '-' || s->p[e] == '+')) e++;
        if (e < s->n && is_digit(s->p[e])) {
            for (; e < s->n && is_digit(s->p[e]); e++)
                if (exponent < saturated) exponent = exponent * 10 + (s->p[e] - '0');
            if (negative) exponent = -exponent;
            at = e;
        }
    }
    d.written = exponent;
    // Trailing zeros move into the exponent, so that "1.000…0" costs nothing.
    while (digits->n && digits->p[digits->n - 1] == '0') digits->n--, exponent++;
    cc_buf_addc(digits, '\0');
    d.digits = digits->p;
    d.exponent = exponent - fraction;
    s->p += at, s->n -= at;
    return d;
}

static int not_a_number(cc_str text, const char *what, cc_error *err) {
    CC_CLEANUP_BUF cc_buf shown = {0};
    cc_utf8_escape_invalid(&shown, cc_utf8_prefix(text, 60));
    cc_error_set(err, CC_VALIDATION, "%s: '%.*s%s' is not a number", what, (int)shown.n, shown.p ? shown.p : "", text.n > 60 ? "…" : "");
    if (memchr(text.p, '_', text.n) || memchr(text.p, ',', text.n))
        return cc_error_remedy(err, "write the digits of %s without separators", what);
    return cc_error_remedy(err, "give %s as a decimal or a rational, e.g. 12, -0.5, 1e-3 or '3/4'", what);
}

// out = d. The exponent is bounded: by the caller as written, and by the length of the text otherwise.
static void set_decimal(fmpq_t out, const decimal *d) {
    if (!*d->digits) {
        fmpq_zero(out);
        return;
    }
    int bad = fmpz_set_str(fmpq_numref(out), d->digits, 10);
    assert(!bad);
    (void)bad;
    fmpz_t power;
    fmpz_init(power);
    fmpz_ui_pow_ui(power, 10, (ulong)llabs(d->exponent));
    if (d->exponent >= 0) {
        fmpz_mul(fmpq_numref(out), fmpq_numref(out), power);
        fmpz_one(fmpq_denref(out));
    } else {
        fmpz_set(fmpq_denref(out), power);
        fmpq_canonicalise(out);
    }
    fmpz_clear(power);
}

// One unsigned decimal off the front of *s into out. 0, 1 = no number there, -1 = refused with *err.
static int read_decimal(fmpq_t out, cc_str *s, int64_t max_exponent, const char *what, cc_error *err) {
    CC_CLEANUP_BUF cc_buf digits = {0};
    decimal d = scan_decimal(s, &digits);
    if (!d.found) return 1;
    if (*d.digits && (d.written > max_exponent || d.written < -max_exponent)) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%s: the exponent is out of range (at most ±%lld)", what, (long long)max_exponent);
        return cc_error_remedy(err, "scale %s, or give fewer digits", what);
    }
    set_decimal(out, &d);
    return 0;
}

int cc_rational_parse(fmpq_t out, cc_str text, int64_t max_exponent, const char *what, cc_error *err) {
    if (text.n > CC_RATIONAL_MAX_TEXT) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%s has %zu characters; at most %d", what, text.n, CC_RATIONAL_MAX_TEXT);
        return cc_error_remedy(err, "give %s with fewer digits", what);
    }
    cc_str s = cc_str_trim(text);
    bool negative = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s.p++, s.n--;
    int got = read_decimal(out, &s, max_exponent, what, err);
    if (got) return got < 0 ? -1 : not_a_number(text, what, err);
    s = cc_str_trim(s);
    if (s.n && s.p[0] == '/') {
        s = cc_str_trim((cc_str){s.p + 1, s.n - 1});
        fmpq_t q;
        fmpq_init(q);
        got = read_decimal(q, &s, max_exponent, what, err);
        if (got == 0 && fmpq_is_zero(q)) {
            got = cc_error_set(err, CC_VALIDATION, "%s: the denominator is zero", what);
        } else if (got == 0) {
            fmpq_div(out, out, q);
        }
        fmpq_clear(q);
        if (got) return got < 0 ? -1 : not_a_number(text, what, err);
    }
    if (s.n) return not_a_number(text, what, err);
    if (negative) fmpq_neg(out, out);
    return 0;
}

// ---- printing ----

void cc_integer_print(cc_buf *out, const fmpz_t x) {
    cc_buf_reserve(out, fmpz_sizeinbase(x, 10) + 2); // sign and NUL
    fmpz_get_str(out->p + out->n, 10, x);
    out->n += strlen(out->p + out->n);
}

void cc_rational_print(cc_buf *out, const fmpq_t x) {
    cc_integer_print(out, fmpq_numref(x));
    if (fmpz_is_one(fmpq_denref(x))) return;
    cc_buf_addc(out, '/');
    cc_integer_print(out, fmpq_denref(x));
}

bool cc_rational_terminates(const fmpq_t x, slong *places) {
    fmpz_t rest, five;
    fmpz_init(rest);
    fmpz_init_set_ui(five, 5);
    slong twos = (slong)fmpz_val2(fmpq_denref(x));
    fmpz_tdiv_q_2exp(rest, fmpq_denref(x), (ulong)twos);
    slong fives = fmpz_is_one(rest) ? 0 : fmpz_remove(rest, rest, five);
    bool ends = fmpz_is_one(rest);
    if (ends && places) *places = twos > fives ? twos : fives;
    fmpz_clear(rest);
    fmpz_clear(five);
    return ends;
}

typedef enum rest { EXACT, DOWN, UP } rest; // what half-to-even makes of the part that was cut off

// m = floor(|x| × 10^places); places may be negative.
static rest scaled(fmpz_t m, const fmpq_t x, slong places) {
    fmpz_t num, den, rem;
    fmpz_init(num);
    fmpz_init_set(den, fmpq_denref(x));
    fmpz_init(rem);
    fmpz_abs(num, fmpq_numref(x));
    fmpz_ui_pow_ui(rem, 10, (ulong)labs(places));
    if (places >= 0)
        fmpz_mul(num, num, rem);
    else
        fmpz_mul(den, den, rem);
    fmpz_fdiv_qr(m, rem, num, den);
    rest r = EXACT;
    if (!fmpz_is_zero(rem)) {
        int side = fmpz_cmp2abs(den, rem); // den against 2 × rem
        r = side < 0 || (side == 0 && fmpz_is_odd(m)) ? UP : DOWN;
    }
    fmpz_clear(num);
    fmpz_clear(den);
    fmpz_clear(rem);
    return r;
}

// digits × 10^-places in plain notation, trailing zeros after the point dropped. digits has no leading zeros and is not "0".
static void add_plain(cc_buf *out, cc_str digits, slong places) {
    while (places > 0 && digits.n && digits.p[digits.n - 1] == '0') digits.n--, places--;
    slong whole = (slong)digits.n - places; // digits before the point
    if (whole <= 0) {
        cc_buf_addc(out, '0');
    } else {
        slong have = whole < (slong)digits.n ? whole : (slong)digits.n;
        cc_buf_add(out, digits.p, (size_t)have);
        for (slong i = have; i < whole; i++) cc_buf_addc(out, '0');
        digits.p += have, digits.n -= (size_t)have;
    }
    if (!digits.n) return;
    cc_buf_addc(out, '.');
    for (slong i = whole; i < 0; i++) cc_buf_addc(out, '0');
    cc_buf_adds(out, digits);
}

// Appends ±m × 10^-places.
static void add_scaled(cc_buf *out, bool negative, const fmpz_t m, slong places) {
    if (fmpz_is_zero(m)) {
        cc_buf_addc(out, '0');
        return;
    }
    CC_CLEANUP_BUF cc_buf digits = {0};
    cc_integer_print(&digits, m);
    if (negative) cc_buf_addc(out, '-');
    add_plain(out, cc_buf_str(&digits), places);
}

bool cc_rational_places(cc_buf *out, const fmpq_t x, slong places) {
    assert(places >= 0);
    fmpz_t m;
    fmpz_init(m);
    rest r = scaled(m, x, places);
    if (r == UP) fmpz_add_ui(m, m, 1);
    add_scaled(out, fmpq_sgn(x) < 0, m, places);
    fmpz_clear(m);
    return r == EXACT;
}

// d[.ddd]e±x from digits (first one before the point) and the exponent of the first digit; plain inside [1e-7, 10^plain_below).
static void add_digits(cc_buf *out, cc_str digits, slong exponent, slong plain_below) {
    while (digits.n > 1 && digits.p[digits.n - 1] == '0') digits.n--;
    if (exponent >= -7 && exponent < plain_below) {
        add_plain(out, digits, (slong)digits.n - 1 - exponent);
        return;
    }
    add_plain(out, digits, (slong)digits.n - 1);
    cc_buf_printf(out, "e%ld", exponent);
}

// m = the first `digits` significant digits of |x| != 0, cut; *exponent = that of the first digit.
static rest first_digits(fmpz_t m, slong *exponent, const fmpq_t x, slong digits) {
    fmpz_t least;
    fmpz_init(least);
    fmpz_ui_pow_ui(least, 10, (ulong)digits - 1);
    // Start with an exponent that is right or too high (fmpz_sizeinbase may say one digit too many): too high a one cuts off more.
    *exponent = (slong)fmpz_sizeinbase(fmpq_numref(x), 10) - (slong)fmpz_sizeinbase(fmpq_denref(x), 10) + 1;
    rest r;
    while (r = scaled(m, x, digits - 1 - *exponent), fmpz_cmp(m, least) < 0) --*exponent;
    fmpz_clear(least);
    return r;
}

bool cc_rational_digits(cc_buf *out, const fmpq_t x, slong digits) {
    assert(digits >= 1);
    if (fmpq_is_zero(x)) {
        cc_buf_addc(out, '0');
        return true;
    }
    fmpz_t m;
    fmpz_init(m);
    slong exponent;
    rest r = first_digits(m, &exponent, x, digits);
    if (r == UP) fmpz_add_ui(m, m, 1);
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_integer_print(&text, m);
    if ((slong)text.n > digits) exponent++; // 9.99… was rounded up to 10.0
    if (fmpq_sgn(x) < 0) cc_buf_addc(out, '-');
    // Zeros that were not computed are not written: they would read as digits of an integer.
    add_digits(out, cc_buf_str(&text), exponent, r != EXACT || digits > 21 ? digits : 21);
    fmpz_clear(m);
    return r == EXACT;
}

bool cc_rational_decimal(cc_buf *out, const fmpq_t x, slong max_places) {
    slong places;
    if (!cc_rational_terminates(x, &places) || places > max_places) return false;
    cc_rational_places(out, x, places);
    return true;
}

// ---- doubles ----

double cc_rational_get_double(const fmpq_t x) {
    if (fmpq_is_zero(x)) return 0;
    double sign = fmpq_sgn(x) < 0 ? -1 : 1;
    slong e = (slong)fmpz_bits(fmpq_numref(x)) - (slong)fmpz_bits(fmpq_denref(x)); // 2^(e-1) < |x| < 2^(e+1)
    if (e > 1025) return sign * INFINITY;
    if (e < -1080) return sign * 0.0;
    slong shift = 55 - e; // q = floor(|x| × 2^shift) has 55 or 56 bits: at least two below the last one kept
    fmpz_t num, den, q, rem;
    fmpz_init(num);
    fmpz_init_set(den, fmpq_denref(x));
    fmpz_init(q);
    fmpz_init(rem);
    fmpz_abs(num, fmpq_numref(x));
    if (shift >= 0)
        fmpz_mul_2exp(num, num, (ulong)shift);
    else
        fmpz_mul_2exp(den, den, (ulong)-shift);
    fmpz_fdiv_qr(q, rem, num, den);
    bool sticky = !fmpz_is_zero(rem);
    uint64_t bits = fmpz_get_ui(q);
    slong length = (slong)fmpz_bits(q);
    fmpz_clear(num);
    fmpz_clear(den);
    fmpz_clear(q);
    fmpz_clear(rem);

    slong top = length - 1 - shift;                      // exponent of the leading bit
    slong keep = top >= -1022 ? 53 : 53 - (-1022 - top); // subnormals have fewer bits
    if (keep < 0) return sign * 0.0;
    slong drop = length - keep;
    uint64_t half = UINT64_C(1) << (drop - 1);
    uint64_t low = bits & ((half << 1) - 1);
    uint64_t m = bits >> drop;
    if (low > half || (low == half && (sticky || (m & 1)))) m++;
    return sign * ldexp((double)m, (int)(drop - shift)); // exact; overflows to infinity where it must
}

void cc_rational_set_double(fmpq_t x, double v) {
    assert(isfinite(v));
    int e;
    double m = frexp(v, &e);
    fmpz_set_si(fmpq_numref(x), (slong)ldexp(m, 53));
    fmpz_one(fmpq_denref(x));
    e -= 53;
    if (e >= 0)
        fmpz_mul_2exp(fmpq_numref(x), fmpq_numref(x), (ulong)e);
    else
        fmpz_mul_2exp(fmpq_denref(x), fmpq_denref(x), (ulong)-e);
    fmpq_canonicalise(x);
}

bool cc_rational_is_double(const fmpq_t x) {
    double v = cc_rational_get_double(x);
    if (!isfinite(v)) return false;
    fmpq_t stored;
    fmpq_init(stored);
    cc_rational_set_double(stored, v);
    bool same = fmpq_equal(stored, x);
    fmpq_clear(stored);
    return same;
}

// The n-digit decimal nearest to v as "d.ddde±x" (n = 1: "de±x"), or the next one above in magnitude.
static void candidate(char text[40], double v, int n, bool above) {
    snprintf(text, 40, "%.*e", n - 1, v);
    if (!above) return;
    char *p = strchr(text, 'e') - 1;
    while (p >= text && (*p == '9' || *p == '.')) {
        if (*p == '9') *p = '0';
        p--;
    }
    if (p >= text) *p = (char)(*p + 1); // 9.99… is left wrong and does not read back
}

void cc_double_print(cc_buf *out, double v) {
    assert(isfinite(v));
    if (v == 0) {
        cc_buf_addz(out, signbit(v) ? "-0.0" : "0");
        return;
    }
    double a = fabs(v);
    char text[40] = "";
    // 17 digits always read back, and 15 keep every shorter decimal of a normal double: its zeros then go. Below a power of two
    // doubles are closer than above it, so there the nearest n-digit decimal may fail where the next one above reads back.
    for (int n = a < DBL_MIN ? 1 : 15; n <= 17; n++) {
        candidate(text, a, n, false);
        if (strtod(text, NULL) == a) break;
        candidate(text, a, n, true);
        if (strtod(text, NULL) == a) break;
    }
    char *e = strchr(text, 'e');
    char digits[20];
    size_t n = 0;
    for (const char *p = text; p < e; p++)
        if (*p != '.') digits[n++] = *p;
    while (n > 1 && digits[n - 1] == '0') n--;
    if (v < 0) cc_buf_addc(out, '-');
    add_digits(out, cc_str_make(digits, n), strtol(e + 1, NULL, 10), a <= 0x1p53 ? 16 : 0);
}

// ---- JSON ----

static bool integer_is_small(const fmpz_t x) { return fmpz_cmpabs(x, (fmpz[]){WORD(1) << 53}) <= 0; }

// True, with the text of a JSON number that is exactly x appended, when a double carries x.
static bool number_text(cc_buf *out, const fmpq_t x) {
    if (fmpz_is_one(fmpq_denref(x))) {
        if (!integer_is_small(fmpq_numref(x))) return false;
        cc_integer_print(out, fmpq_numref(x));
        return true;
    }
    double v = cc_rational_get_double(x);
    if (!isfinite(v) || v == 0 || !cc_rational_terminates(x, NULL)) return false;
    size_t before = out->n;
    cc_double_print(out, v);
    fmpq_t back;
    fmpq_init(back);
    cc_error err;
    bool same = cc_rational_parse(back, cc_str_make(out->p + before, out->n - before), 400, "", &err) == 0 && fmpq_equal(back, x);
    fmpq_clear(back);
    if (!same) out->n = before;
    return same;
}

void cc_jw_rational(cc_jw *w, const fmpq_t x) {
    CC_CLEANUP_BUF cc_buf text = {0};
    if (number_text(&text, x)) {
        cc_jw_raw(w, cc_buf_str(&text));
    } else {
        cc_rational_print(&text, x);
        cc_jw_string(w, cc_buf_str(&text));
    }
}

void cc_jw_kinteger(cc_jw *w, const char *key, const fmpz_t x) {
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_integer_print(&text, x);
    if (integer_is_small(x))
        cc_jw_kraw(w, key, cc_buf_str(&text));
    else
        cc_jw_kstring(w, key, cc_buf_str(&text));
}

bool cc_jw_kplaces(cc_jw *w, const char *key, const fmpq_t x, slong places) {
    assert(places >= 0);
    fmpq_t rounded;
    fmpz_t m;
    fmpq_init(rounded);
    fmpz_init(m);
    rest r = scaled(m, x, places);
    if (r == UP) fmpz_add_ui(m, m, 1);
    fmpz_ui_pow_ui(fmpq_denref(rounded), 10, (ulong)places);
    fmpz_set(fmpq_numref(rounded), m);
    if (fmpq_sgn(x) < 0) fmpq_neg(rounded, rounded);
    fmpq_canonicalise(rounded);
    CC_CLEANUP_BUF cc_buf text = {0};
    if (number_text(&text, rounded)) {
        cc_jw_kraw(w, key, cc_buf_str(&text));
    } else {
        add_scaled(&text, fmpq_sgn(x) < 0, m, places);
        cc_jw_kstring(w, key, cc_buf_str(&text));
    }
    fmpz_clear(m);
    fmpq_clear(rounded);
    return r == EXACT;
}

// Writes x in significant digits; as cc_jw_krounded.
static slong write_digits(cc_jw *w, const char *key, const fmpq_t x, slong digits) {
    CC_CLEANUP_BUF cc_buf text = {0};
    fmpz_t m;
    fmpz_init(m);
    slong exponent;
    first_digits(m, &exponent, x, digits);
    fmpz_clear(m);
    bool exact = cc_rational_digits(&text, x, digits);
    if (digits <= 15 && exponent > -300 && exponent < 300) // a double carries these
        cc_jw_kraw(w, key, cc_buf_str(&text));
    else
        cc_jw_kstring(w, key, cc_buf_str(&text));
    return exact ? CC_ROUNDED_EXACT : digits - 1 - exponent;
}

slong cc_jw_krounded(cc_jw *w, const char *key, const fmpq_t x, slong places) {
    CC_CLEANUP_BUF cc_buf text = {0};
    if (number_text(&text, x)) {
        cc_jw_kraw(w, key, cc_buf_str(&text));
        return CC_ROUNDED_EXACT;
    }
    fmpz_t m;
    fmpz_init(m);
    bool vanishes = scaled(m, x, places) != UP && fmpz_is_zero(m);
    bool huge = fmpz_sizeinbase(m, 10) > 60;
    fmpz_clear(m);
    if (vanishes) return write_digits(w, key, x, 6);
    if (huge) return write_digits(w, key, x, 17);
    return cc_jw_kplaces(w, key, x, places) ? CC_ROUNDED_EXACT : places;
}

void cc_rational_nearest(cc_buf *out, const fmpq_t x) {
    double v = cc_rational_get_double(x);
    if (isfinite(v) && (fabs(v) >= DBL_MIN || fmpq_is_zero(x))) {
        cc_double_print(out, v);
        return;
    }
    cc_buf_addc(out, '"');
    cc_rational_digits(out, x, 17);
    cc_buf_addc(out, '"');
}

void cc_jw_knearest(cc_jw *w, const char *key, const fmpq_t x) {
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_rational_nearest(&text, x);
    cc_jw_kraw(w, key, cc_buf_str(&text));
}

void cc_jw_kvalue(cc_jw *w, const char *key, const fmpq_t x) {
    CC_CLEANUP_BUF cc_buf text = {0};
    if (number_text(&text, x)) {
        cc_jw_kraw(w, key, cc_buf_str(&text));
        return;
    }
    // A long dyadic fraction that is a double loses nothing as a number; an integer past 2^53 would, for many a reader.
    bool dyadic = !fmpz_is_one(fmpq_denref(x)) && cc_rational_is_double(x);
    if (!dyadic && cc_rational_decimal(&text, x, 40) && text.n <= 60)
        cc_jw_kstring(w, key, cc_buf_str(&text));
    else
        cc_jw_knearest(w, key, x);
}

// ---- roots ----

bool cc_rational_sqrt(fmpq_t root, const fmpq_t x) {
    if (!fmpz_is_square(fmpq_numref(x)) || !fmpz_is_square(fmpq_denref(x))) return false; // x is in lowest terms
    fmpz_sqrt(fmpq_numref(root), fmpq_numref(x));
    fmpz_sqrt(fmpq_denref(root), fmpq_denref(x));
    return true;
}

void cc_rational_enclose(fmpq_t lo, fmpq_t hi, const arb_t x) {
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
            cc_rational_enclose(lo, hi, root);
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
