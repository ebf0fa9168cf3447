// Exact rational numbers: text → fmpq → text and double. For the calculator tools, the expression evaluator and whatever else
// compares or prints numbers. Values are FLINT's fmpq_t, owned (initialised and cleared) by the caller.
#ifndef CODECALC_RATIONAL_H
#define CODECALC_RATIONAL_H

#include <flint/arb.h>
#include <flint/fmpq.h>

#include "codecalc/base.h"
#include "codecalc/json.h"

#define CC_RATIONAL_MAX_TEXT     1000000 // bytes of one number as text
#define CC_RATIONAL_MAX_EXPONENT 100000  // largest |e| of digits × 10^e unless the caller says less

// Reads an exact number: [sign] digits [. digits] [e [sign] digits], or two of them as p/q (no sign on q); white space around
// it and around the slash is ignored; ".5" and "5." are fine, "_" and "," are not. Zero has any exponent. what names the value in
// messages ("part", "nums[3]"). max_exponent bounds the power of ten before anything is computed. Returns 0; or -1 with
// CC_VALIDATION (not a number, zero denominator) or CC_RESOURCE_EXHAUSTED (too long, exponent too large).
int cc_rational_parse(fmpq_t out, cc_str text, int64_t max_exponent, const char *what, cc_error *err);

// Appends the canonical form: "3/4", "-12".
void cc_rational_print(cc_buf *out, const fmpq_t x);
void cc_integer_print(cc_buf *out, const fmpz_t x);

// True when the decimal expansion ends; *places (may be NULL) is then the number of digits after the point.
bool cc_rational_terminates(const fmpq_t x, slong *places);

// Append x rounded half to even, without trailing zeros: to at most `places` digits after the point (places >= 0, plain notation),
// or to at most `digits` significant digits (digits >= 1; plain notation from 1e-7 to 1e21 or 10^digits, else 1.5e-9).
// Return true when what was appended is exactly x. "-0" is never printed.
bool cc_rational_places(cc_buf *out, const fmpq_t x, slong places);
bool cc_rational_digits(cc_buf *out, const fmpq_t x, slong digits);
// Appends the whole decimal expansion when it ends within max_places digits after the point; else appends nothing. Returns
// whether it did.
bool cc_rational_decimal(cc_buf *out, const fmpq_t x, slong max_places);

// The double nearest to x, ties to even (subnormals included); ±infinity past the largest.
double cc_rational_get_double(const fmpq_t x);
// True when a double is exactly x.
bool cc_rational_is_double(const fmpq_t x);
// x = v exactly; v is finite (asserted).
void cc_rational_set_double(fmpq_t x, double v);

// Appends the shortest decimal that reads back as v ("0.1", "5e-324", "-0.0", "1e308"); a valid JSON number. v is finite
// (asserted). Past 2^53 it has an exponent, so that nobody takes it for an exact integer.
void cc_double_print(cc_buf *out, double v);

// The square root of x >= 0: true with *root when it is rational.
bool cc_rational_sqrt(fmpq_t root, const fmpq_t x);
// Appends the JSON value (as cc_rational_nearest) of the double nearest to sqrt(x), x >= 0, proven by an enclosure.
void cc_rational_sqrt_nearest(cc_buf *out, const fmpq_t x);

// The rational ends of the ball x (finite).
void cc_rational_enclose(fmpq_t lo, fmpq_t hi, const arb_t x);

// Writes x as a JSON value: a number when a double carries every digit of it (the shortest decimal of the nearest double is x
// itself, and integers are at most 2^53), else a string of its canonical form.
void cc_jw_rational(cc_jw *w, const fmpq_t x);
// As cc_jw_int, for any size: past 2^53 a string of digits.
void cc_jw_kinteger(cc_jw *w, const char *key, const fmpz_t x);
// Writes x rounded to at most `places` digits after the point: as a number when a double carries these digits, else as a string.
// Returns true when the value written is exactly x.
bool cc_jw_kplaces(cc_jw *w, const char *key, const fmpq_t x, slong places);
// Writes x exactly when a double carries it, else rounded to at most `places` digits after the point, or, where that would leave
// nothing but 0, to six significant digits, and where it would be more than about 60 digits, to seventeen. Returns the digits
// after the point that were kept (negative: so many before it were not), CC_ROUNDED_EXACT when the value written is exactly x.
#define CC_ROUNDED_EXACT WORD_MIN
slong cc_jw_krounded(cc_jw *w, const char *key, const fmpq_t x, slong places);
// Appends the double nearest to x in its shortest form, or, outside the range of normal doubles, a JSON string of 17 significant
// digits.
void cc_rational_nearest(cc_buf *out, const fmpq_t x);
void cc_jw_knearest(cc_jw *w, const char *key, const fmpq_t x);
// Writes x exactly where that is short: a number when a double holds it, else a string when its decimal expansion ends within 40
// digits after the point (60 characters in all); else the nearest double.
void cc_jw_kvalue(cc_jw *w, const char *key, const fmpq_t x);

#endif
