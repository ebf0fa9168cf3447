// Positional notation between bases 2 and 36, fractions included, exactly. Called by radix_convert. An expansion that does not end
// is never passed off as one that does.
#include <assert.h>

#include "codecalc/radix.h"

#include <flint/fmpq.h>

#define SHOWN 60 // significant digits of an expansion whose period was not found; also where the search for it ends

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

static int bad_digit(cc_str s, size_t at, int from, cc_error *err) {
    cc_str c = {s.p + at, cc_utf8_len((cc_str){s.p + at, s.n - at})};
    cc_error_set(err, CC_VALIDATION, "value: '%.*s' at position %zu is not a digit of base %d", (int)(c.n ? c.n : 1), c.p, at + 1, from);
    if ((*c.p == 'e' || *c.p == 'E') && from == 10) return cc_error_remedy(err, "write the number out: an exponent is not taken");
    return cc_error_remedy(err, "check value and from_base");
}

// x = |value|; *negative tells its sign.
static int read_value(fmpq_t x, bool *negative, cc_str value, int from, cc_error *err) {
    cc_str s = cc_str_trim(value);
    if (s.n > CC_RADIX_MAX_LEN)
        return cc_error_set(err, CC_VALIDATION, "value: has %zu bytes, at most %d are taken", s.n, CC_RADIX_MAX_LEN);
    size_t at = 0;
    *negative = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) at++;
    char prefix = from == 16 ? 'x' : from == 8 ? 'o' : from == 2 ? 'b' : 0;
    if (prefix && s.n > at + 2 && s.p[at] == '0' && (s.p[at + 1] | 0x20) == prefix) at += 2;
    CC_CLEANUP_BUF cc_buf digits = {0};
    size_t fraction = 0;
    bool point = false;
    for (size_t from_at = at; at < s.n; at++) {
        char c = s.p[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c == '_' && at > from_at && at + 1 < s.n && digit_of(s.p[at - 1]) < from && digit_of(s.p[at + 1]) < from) {
            continue;
        } else if (digit_of(c) < from) {
            cc_buf_addc(&digits, (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c));
            fraction += point;
        } else {
            return bad_digit(s, at, from, err);
        }
    }
    if (!digits.n) {
        cc_error_set(err, CC_VALIDATION, "value: has no digits");
        return cc_error_remedy(err, "give at least one digit of base %d", from);
    }
    cc_buf_addc(&digits, '\0');
    int bad = fmpz_set_str(fmpq_numref(x), digits.p, from);
    assert(!bad);
    (void)bad;
    fmpz_ui_pow_ui(fmpq_denref(x), (ulong)from, fraction);
    fmpq_canonicalise(x);
    return 0;
}

static void print_integer(cc_buf *out, const fmpz_t x, int base) {
    cc_buf_reserve(out, fmpz_sizeinbase(x, base) + 2);
    fmpz_get_str(out->p + out->n, base, x);
    out->n += strlen(out->p + out->n);
}

// Digits before the period of a fraction with denominator den begins, in the given base; *ends when there is no period.
static slong before_period(const fmpz_t den, int base, bool *ends) {
    fmpz_t d, g, b;
    fmpz_init_set(d, den);
    fmpz_init(g);
    fmpz_init_set_si(b, base);
    slong k = 0;
    while (fmpz_gcd(g, d, b), !fmpz_is_one(g)) {
        fmpz_divexact(d, d, g);
        k++;
    }
    *ends = fmpz_is_one(d);
    fmpz_clear(d);
    fmpz_clear(g);
    fmpz_clear(b);
    return k;
}

// Appends the fraction's `places` digits, all of them.
static void print_ending(cc_buf *out, const fmpz_t num, const fmpz_t den, int base, slong places) {
    fmpz_t m;
    fmpz_init(m);
    fmpz_ui_pow_ui(m, (ulong)base, (ulong)places);
    fmpz_mul(m, m, num);
    fmpz_divexact(m, m, den);
    CC_CLEANUP_BUF cc_buf text = {0};
    print_integer(&text, m, base);
    for (slong i = (slong)text.n; i < places; i++) cc_buf_addc(out, '0');
    cc_buf_adds(out, cc_buf_str(&text));
    fmpz_clear(m);
}

// Long division. Appends digits until the period closes (returns true) or enough are shown.
static bool print_repeating(cc_buf *out, const fmpz_t num, const fmpz_t den, int base, slong prefix) {
    fmpz_t r, first, digit;
    fmpz_init_set(r, num);
    fmpz_init(first);
    fmpz_init(digit);
    bool closed = false;
    slong significant = 0;
    for (slong i = 0;; i++) {
        if (i == prefix) fmpz_set(first, r);
        closed = i > prefix && fmpz_equal(r, first);
        if (closed || significant >= SHOWN) break;
        fmpz_mul_si(r, r, base);
        fmpz_fdiv_qr(digit, r, r, den);
        int d = (int)fmpz_get_si(digit);
        if (d || significant) significant++;
        cc_buf_addc(out, "0123456789abcdefghijklmnopqrstuvwxyz"[d]);
    }
    fmpz_clear(r);
    fmpz_clear(first);
    fmpz_clear(digit);
    return closed;
}

int cc_radix_convert(cc_str value, int from, int to, cc_radix *out, cc_error *err) {
    assert(from >= 2 && from <= 36 && to >= 2 && to <= 36);
    *out = (cc_radix){.ends = true};
    fmpq_t x;
    fmpq_init(x);
    bool negative = false;
    if (read_value(x, &negative, value, from, err)) {
        fmpq_clear(x);
        return -1;
    }
    fmpz_t whole, rest;
    fmpz_init(whole);
    fmpz_init(rest);
    fmpz_fdiv_qr(whole, rest, fmpq_numref(x), fmpq_denref(x));
    if (negative && !fmpq_is_zero(x)) cc_buf_addc(&out->value, '-');
    print_integer(&out->value, whole, to);
    if (!fmpz_is_zero(rest)) {
        cc_buf_addc(&out->value, '.');
        size_t start = out->value.n;
        slong prefix = before_period(fmpq_denref(x), to, &out->ends);
        if (out->ends) {
            print_ending(&out->value, rest, fmpq_denref(x), to, prefix);
        } else {
            if (print_repeating(&out->value, rest, fmpq_denref(x), to, prefix)) {
                size_t open = start + (size_t)prefix;
                cc_buf_add(&out->repeating, out->value.p, open);
                cc_buf_addc(&out->repeating, '(');
                cc_buf_add(&out->repeating, out->value.p + open, out->value.n - open);
                cc_buf_addc(&out->repeating, ')');
            }
            cc_buf_addz(&out->value, "…");
        }
    }
    fmpq_clear(x);
    fmpz_clear(whole);
    fmpz_clear(rest);
    return 0;
}

void cc_radix_free(cc_radix *r) {
    cc_buf_free(&r->value);
    cc_buf_free(&r->repeating);
}
