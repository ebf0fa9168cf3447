// bits: facts about an integer and operations on the bits of a fixed width, chosen by mode. Integers are of any size except where a
// width is given: there they are taken modulo 2^width, with a warning when that changes one.
#include <stdio.h>

#include "tools/calculator/shared.h"

#define MAX_SHOWN_SHIFT 4096 // of the unbounded result of a left shift

static const char *const modes[] = {"analysis", "op", "widths", "repr", NULL};
static const char *const ops[] = {"and", "or", "xor", "nand", "nor", "xnor", "not", "shl", "shr", "sar", "rol", "ror", NULL};
static const slong widths[] = {8, 16, 32, 64};

static const cc_param params[] = {
    {"mode", CC_ENUM, .required = true, .values = modes, .doc = "op: a, op, b; others: n"},
    {"n", CC_INT, .big = true},
    {"align", CC_INT, .big = true, .doc = "analysis: pad to a multiple"},
    {"a", CC_INT, .big = true},
    {"op", CC_ENUM, .values = ops},
    {"b", CC_INT, .big = true},
    {"width", CC_INT, .doc = "8, 16, 32 or 64"},
    {0},
};

static const cc_field result[] = {
    {"value", "integer|string", false, "analysis, widths, repr: n"},
    {"popcount", "integer", false, "analysis: bits set"},
    {"bit_length", "integer", false, "analysis: bits without leading zeros"},
    {"trailing_zeros", "integer", false, "analysis: zero bits at the low end; absent for 0"},
    {"is_power_of_two", "boolean", false, "analysis"},
    {"next_power_of_two", "integer|string", false, "analysis: the smallest power of two that is at least n"},
    {"aligned_to", "integer|string", false, "analysis: align"},
    {"padding_needed", "integer|string", false, "analysis: from n to aligned_value"},
    {"aligned_value", "integer|string", false, "analysis: the smallest multiple of align that is at least n"},
    {"width", "integer", false, "op, analysis: the width in bits"},
    {"op", "string", false, "op: the operation"},
    {"unsigned", "integer|string", false, "op: result"},
    {"signed", "integer|string", false, "op: result in two's complement"},
    {"hex", "string", false, "op: all digits of the width, with prefix; repr: of n, with sign and without prefix"},
    {"oct", "string", false, "as hex"},
    {"bin", "string", false, "as hex, without prefix"},
    {"overflow", "boolean|string", false, "op: true when a left shift lost bits; repr: why n does not fit the width"},
    {"unbounded", "integer|string", false, "op: the left shift without a width, when it lost bits"},
    {"note", "string", false, "op: a shift by the whole width or more; widths: n is past 2^53"},
    {"fits", "string[]", false, "widths: the types that hold n"},
    {"wraps", "string[]", false, "widths: for the others, what n becomes"},
    {"signed_i8", "integer", false, "repr: n in that type, by width; likewise the seven fields after it"},
    {"signed_i16", "integer", false, ""},
    {"signed_i32", "integer", false, ""},
    {"signed_i64", "integer|string", false, ""},
    {"unsigned_u8", "integer", false, ""},
    {"unsigned_u16", "integer", false, ""},
    {"unsigned_u32", "integer", false, ""},
    {"unsigned_u64", "integer|string", false, ""},
    {"two_complement_bin", "string", false, "repr: the bits of the width"},
    {"wrapped_signed", "integer|string", false, "repr: what n becomes in the signed type that does not hold it"},
    {"signed_overflow", "string", false, "repr: n fits the unsigned type only"},
    {"mode", "string", true, "As given"},
    {0},
};

// ---- integers of a width ----

static void to_unsigned(fmpz_t out, const fmpz_t x, slong width) { fmpz_fdiv_r_2exp(out, x, (ulong)width); }

static void to_signed(fmpz_t out, const fmpz_t x, slong width) {
    to_unsigned(out, x, width);
    if (!fmpz_tstbit(out, (ulong)width - 1)) return;
    fmpz_t modulus;
    fmpz_init(modulus);
    fmpz_one_2exp(modulus, (ulong)width);
    fmpz_sub(out, out, modulus);
    fmpz_clear(modulus);
}

static bool fits_unsigned(const fmpz_t x, slong width) { return fmpz_sgn(x) >= 0 && fmpz_bits(x) <= (ulong)width; }

static bool fits_signed(const fmpz_t x, slong width) {
    fmpz_t wrapped;
    fmpz_init(wrapped);
    to_signed(wrapped, x, width);
    bool fits = fmpz_equal(wrapped, x);
    fmpz_clear(wrapped);
    return fits;
}

// Digits of x in a base, filled up with zeros to `digits`.
static void print_base(cc_buf *out, const fmpz_t x, int base, slong digits) {
    slong n = (slong)fmpz_sizeinbase(x, base);
    cc_buf_reserve(out, (size_t)(n > digits ? n : digits) + 3);
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_buf_reserve(&text, (size_t)n + 2);
    fmpz_get_str(text.p, base, x);
    text.n = strlen(text.p);
    for (slong i = (slong)text.n; i < digits; i++) cc_buf_addc(out, '0');
    cc_buf_adds(out, cc_buf_str(&text));
}

static void write_base(cc_jw *w, const char *key, const char *prefix, const fmpz_t x, int base, slong digits) {
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_buf_addz(&text, prefix);
    print_base(&text, x, base, digits);
    cc_jw_kstring(w, key, cc_buf_str(&text));
}

static int need(const cc_call *call, const char *name, const char *mode, cc_error *err) {
    if (cc_arg_given(call, name)) return 0;
    cc_error_set(err, CC_VALIDATION, "%s: is required by mode '%s'", name, mode);
    return cc_error_remedy(err, "give %s", name);
}

// The width that was given, 0 when none was.
static int read_width(const cc_call *call, slong *width, cc_error *err) {
    const cc_value *v = cc_arg(&call->args, "width");
    *width = 0;
    if (!v->present) return 0;
    for (size_t i = 0; i < CC_ARRAY_LEN(widths); i++)
        if (v->fits && v->i == widths[i]) *width = widths[i];
    if (*width) return 0;
    cc_error_set(err, CC_VALIDATION, "width: %.*s is not one of 8, 16, 32, 64", (int)(v->text.n > 20 ? 20 : v->text.n), v->text.p);
    return cc_error_remedy(err, "for other widths mask with and in calc_exact");
}

// ---- modes ----

static int analysis(cc_call *call, cc_error *err) {
    cc_jw *w = &call->out;
    slong width;
    if (need(call, "n", "analysis", err) || read_width(call, &width, err)) return -1;
    fmpz_t n, t, align;
    fmpz_init(n);
    fmpz_init(t);
    fmpz_init(align);
    cc_arg_integer(call, "n", n);
    if (cc_arg_given(call, "align")) cc_arg_integer(call, "align", align);
    int rc = 0;
    if (fmpz_sgn(n) < 0 && !width) {
        cc_error_set(err, CC_VALIDATION, "n is negative: its bits depend on a width");
        rc = cc_error_remedy(err, "give width (8, 16, 32 or 64) for its two's complement");
    } else if (cc_arg_given(call, "align") && fmpz_sgn(align) <= 0) {
        cc_error_set(err, CC_VALIDATION, "align must be at least 1");
        rc = cc_error_remedy(err, "give a positive align");
    }
    if (!rc) {
        cc_jw_kinteger(w, "value", n);
        if (width) {
            if (!fits_unsigned(n, width) && !fits_signed(n, width))
                cc_call_warn(call, "n does not fit %ld bits and was taken modulo 2^%ld", width, width);
            cc_jw_kint(w, "width", width);
            to_unsigned(n, n, width);
        }
        bool zero = fmpz_is_zero(n);
        slong bits = (slong)fmpz_bits(n);
        bool power = !zero && (slong)fmpz_val2(n) == bits - 1;
        cc_jw_kint(w, "popcount", (int64_t)fmpz_popcnt(n));
        cc_jw_kint(w, "bit_length", bits);
        if (!zero) cc_jw_kint(w, "trailing_zeros", (int64_t)fmpz_val2(n));
        cc_jw_kbool(w, "is_power_of_two", power);
        fmpz_one_2exp(t, (ulong)(power || zero ? (zero ? 0 : bits - 1) : bits));
        cc_jw_kinteger(w, "next_power_of_two", t);
        if (!fmpz_is_zero(align)) {
            cc_jw_kinteger(w, "aligned_to", align);
            fmpz_cdiv_q(t, n, align);
            fmpz_mul(t, t, align);
            fmpz_sub(n, t, n);
            cc_jw_kinteger(w, "padding_needed", n);
            cc_jw_kinteger(w, "aligned_value", t);
        }
    }
    fmpz_clear(n);
    fmpz_clear(t);
    fmpz_clear(align);
    return rc;
}

static void warn_if_masked(cc_call *call, const char *name, const fmpz_t x, slong width) {
    if (!fits_unsigned(x, width) && !fits_signed(x, width))
        cc_call_warn(call, "%s does not fit %ld bits and was taken modulo 2^%ld", name, width, width);
}

// r = a rotated left by k, 0 <= k < width; a unsigned.
static void rotate(fmpz_t r, const fmpz_t a, slong k, slong width) {
    fmpz_t low;
    fmpz_init(low);
    fmpz_mul_2exp(r, a, (ulong)k);
    fmpz_fdiv_q_2exp(low, a, (ulong)(width - k));
    fmpz_or(r, r, low);
    to_unsigned(r, r, width);
    fmpz_clear(low);
}

// The shift count b: refused when negative; *over when it is the width or more, and then not written in *k for shifts.
static int shift_count(const char *op, const fmpz_t b, slong width, slong *k, bool *over, cc_error *err) {
    if (fmpz_sgn(b) < 0) {
        cc_error_set(err, CC_VALIDATION, "b is negative: %s takes a count of at least 0", op);
        return cc_error_remedy(err, "shift or rotate the other way by -b");
    }
    bool rotates = op[0] == 'r';
    *over = !rotates && fmpz_cmp_si(b, width) >= 0;
    *k = rotates ? (slong)fmpz_fdiv_ui(b, (ulong)width) : *over ? width : fmpz_get_si(b);
    return 0;
}

static int op_mode(cc_call *call, cc_error *err) {
    cc_jw *w = &call->out;
    slong width, k = 0;
    if (need(call, "a", "op", err) || need(call, "op", "op", err) || read_width(call, &width, err)) return -1;
    if (!width) width = 64;
    const char *op = cc_arena_dup(call->arena, cc_arg_text(call, "op")).p;
    bool unary = strcmp(op, "not") == 0,
         shifts = strcmp(op, "shl") == 0 || strcmp(op, "shr") == 0 || strcmp(op, "sar") == 0 || op[0] == 'r';
    if (!unary && need(call, "b", "op", err)) return -1;
    if (unary && cc_arg_given(call, "b")) cc_call_warn(call, "op 'not' does not use b");
    fmpz_t given, a, b, r;
    fmpz_init(given);
    fmpz_init(a);
    fmpz_init(b);
    fmpz_init(r);
    bool over = false, lost = false;
    cc_arg_integer(call, "a", given);
    warn_if_masked(call, "a", given, width);
    if (!fits_unsigned(given, width) && !fits_signed(given, width)) to_unsigned(given, given, width);
    to_unsigned(a, given, width);
    if (!unary) cc_arg_integer(call, "b", b);
    int rc = shifts ? shift_count(op, b, width, &k, &over, err) : 0;
    if (!rc) {
        if (!shifts && !unary) {
            warn_if_masked(call, "b", b, width);
            to_unsigned(b, b, width);
        }
        switch (op[0]) {
        case 'a': fmpz_and(r, a, b); break;
        case 'o': fmpz_or(r, a, b); break;
        case 'x':
            fmpz_xor(r, a, b);
            if (op[1] == 'n') fmpz_complement(r, r);
            break;
        case 'n':
            if (op[1] == 'a') fmpz_and(r, a, b);
            if (op[1] == 'o') fmpz_or(r, a, unary ? a : b);
            fmpz_complement(r, r);
            break;
        case 'r': rotate(r, a, op[2] == 'l' ? k : (width - k) % width, width); break;
        default: // shl, shr, sar
            if (op[1] == 'a') to_signed(a, a, width);
            if (op[2] == 'l')
                fmpz_mul_2exp(r, given, (ulong)k);
            else
                fmpz_fdiv_q_2exp(r, a, (ulong)k);
            lost = op[2] == 'l' && !(fmpz_sgn(given) < 0 ? fits_signed(r, width) : fits_unsigned(r, width));
        }
        to_unsigned(r, r, width);
        cc_jw_kstringz(w, "op", op);
        cc_jw_kint(w, "width", width);
        cc_jw_kinteger(w, "unsigned", r);
        to_signed(a, r, width);
        cc_jw_kinteger(w, "signed", a);
        write_base(w, "hex", "0x", r, 16, width / 4);
        write_base(w, "oct", "0o", r, 8, (width + 2) / 3);
        write_base(w, "bin", "", r, 2, width);
        if (lost) {
            cc_jw_kbool(w, "overflow", true);
            if (fmpz_cmp_si(b, MAX_SHOWN_SHIFT) <= 0) {
                fmpz_mul_2exp(r, given, fmpz_get_ui(b));
                cc_jw_kinteger(w, "unbounded", r);
            }
        }
        if (over) cc_jw_kstringz(w, "note", "b >= width: every bit is shifted out");
    }
    fmpz_clear(given);
    fmpz_clear(a);
    fmpz_clear(b);
    fmpz_clear(r);
    return rc;
}

static void print_wrapped(cc_buf *out, const fmpz_t n, slong width, bool sign) {
    fmpz_t t;
    fmpz_init(t);
    if (sign)
        to_signed(t, n, width);
    else
        to_unsigned(t, n, width);
    cc_integer_print(out, t);
    fmpz_clear(t);
}

static void write_wraps(cc_jw *w, const fmpz_t n, slong width) {
    bool s = fits_signed(n, width), u = fits_unsigned(n, width);
    if (s && u) return;
    CC_CLEANUP_BUF cc_buf text = {0};
    if (s || u) {
        cc_buf_printf(&text, "%c%ld: wraps to ", u ? 'i' : 'u', width);
        print_wrapped(&text, n, width, u);
    } else {
        fmpz_t limit;
        fmpz_init(limit);
        fmpz_one_2exp(limit, (ulong)(fmpz_sgn(n) < 0 ? width - 1 : width));
        cc_buf_printf(&text, "i%ld/u%ld: ", width, width);
        if (fmpz_sgn(n) < 0) {
            fmpz_neg(limit, limit);
            cc_buf_addz(&text, "too negative (below ");
        } else {
            fmpz_sub_ui(limit, limit, 1);
            cc_buf_addz(&text, "too large (above ");
        }
        cc_integer_print(&text, limit);
        cc_buf_addz(&text, "), wraps to ");
        print_wrapped(&text, n, width, true);
        if (fmpz_tstbit(n, (ulong)width - 1)) { // the two types differ
            cc_buf_addc(&text, '/');
            print_wrapped(&text, n, width, false);
        }
        fmpz_clear(limit);
    }
    cc_jw_string(w, cc_buf_str(&text));
}

static int widths_mode(cc_call *call, cc_error *err) {
    cc_jw *w = &call->out;
    if (need(call, "n", "widths", err)) return -1;
    fmpz_t n;
    fmpz_init(n);
    cc_arg_integer(call, "n", n);
    cc_jw_kinteger(w, "value", n);
    bool wraps = false;
    cc_jw_key(w, "fits");
    cc_jw_array(w);
    for (size_t i = 0; i < CC_ARRAY_LEN(widths); i++) {
        char type[8];
        bool s = fits_signed(n, widths[i]), u = fits_unsigned(n, widths[i]);
        if (s) snprintf(type, sizeof type, "i%ld", widths[i]), cc_jw_string(w, cc_str_of(type));
        if (u) snprintf(type, sizeof type, "u%ld", widths[i]), cc_jw_string(w, cc_str_of(type));
        wraps |= !s || !u;
    }
    cc_jw_end_array(w);
    if (wraps) {
        cc_jw_key(w, "wraps");
        cc_jw_array(w);
        for (size_t i = 0; i < CC_ARRAY_LEN(widths); i++) write_wraps(w, n, widths[i]);
        cc_jw_end_array(w);
    }
    if (fmpz_cmpabs(n, (fmpz[]){WORD(1) << 53}) > 0)
        cc_jw_kstringz(w, "note", "past 2^53: a JSON number or a JavaScript Number may round it");
    fmpz_clear(n);
    return 0;
}

static void write_typed(cc_jw *w, const char *name, slong width, const fmpz_t x) {
    char key[32];
    snprintf(key, sizeof key, "%s%ld", name, width);
    cc_jw_kinteger(w, key, x);
}

static int repr(cc_call *call, cc_error *err) {
    cc_jw *w = &call->out;
    slong width;
    if (need(call, "n", "repr", err) || read_width(call, &width, err)) return -1;
    fmpz_t n, s, u;
    fmpz_init(n);
    fmpz_init(s);
    fmpz_init(u);
    cc_arg_integer(call, "n", n);
    cc_jw_kinteger(w, "value", n);
    write_base(w, "hex", "", n, 16, 0);
    write_base(w, "oct", "", n, 8, 0);
    write_base(w, "bin", "", n, 2, 0);
    if (width) {
        to_signed(s, n, width);
        to_unsigned(u, n, width);
        bool holds_signed = fits_signed(n, width), holds_unsigned = fits_unsigned(n, width);
        int64_t max = (int64_t)((UINT64_C(1) << (width - 1)) - 1);
        CC_CLEANUP_BUF cc_buf why = {0};
        cc_buf_printf(&why, "does not fit signed i%ld (%lld..%lld)", width, (long long)(-max - 1), (long long)max);
        if (!holds_signed && !holds_unsigned) {
            cc_buf_printf(&why, " nor unsigned u%ld", width);
            cc_jw_kstring(w, "overflow", cc_buf_str(&why));
        } else {
            write_typed(w, "signed_i", width, s);
            write_typed(w, "unsigned_u", width, u);
            write_base(w, "two_complement_bin", "", u, 2, width);
            if (!holds_signed) {
                cc_jw_kinteger(w, "wrapped_signed", s);
                cc_buf_printf(&why, "; fits u%ld only", width);
                cc_jw_kstring(w, "signed_overflow", cc_buf_str(&why));
            }
        }
    }
    fmpz_clear(n);
    fmpz_clear(s);
    fmpz_clear(u);
    return 0;
}

static int run(cc_call *call, cc_error *err) {
    static int (*const by_mode[])(cc_call *, cc_error *) = {analysis, op_mode, widths_mode, repr};
    cc_str mode = cc_arg_text(call, "mode");
    for (int i = 0; modes[i]; i++) {
        if (!cc_str_eqz(mode, modes[i])) continue;
        if (by_mode[i](call, err)) return -1;
        cc_jw_kstring(&call->out, "mode", mode);
    }
    return 0;
}

const cc_tool cc_tool_bits = {
    .name = "bits",
    .group = CC_CALCULATOR,
    .title = "Bits",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Integer bits: analysis (popcount, power of two), op, widths (types that hold n), repr (two's complement).",
    .params = params,
    .result = result,
    .run = run,
};
