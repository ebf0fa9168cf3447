// Exact reals → decimals, correctly rounded. Called for results. A rational is rounded half to even in integer arithmetic, and
// printed exactly when it terminates within the digits; any other number is enclosed at rising precision until the rounded
// digits are the same over the whole enclosure, so no digit is ever printed that is not proven.
#include "math/real.h"

#include "codecalc/rational.h"

#include <assert.h>

enum {
    PLAIN_MIN_EXP = -7,     // 1.5e-8 and smaller are written with an exponent
    MAX_TIE_BITS = 1 << 20, // beyond the digits, to tell a number from one that lies between two decimals
};

// s is the significand's digits; the value is d.ddd × 10^e. Zeros that were not computed are not written: they would read as digits of an
// integer.
static cc_str format(cc_arena *a, bool negative, cc_str s, const fmpz_t e, long digits) {
    CC_CLEANUP_BUF cc_buf b = {0};
    if (negative) cc_buf_addc(&b, '-');
    if (fmpz_cmp_si(e, PLAIN_MIN_EXP) < 0 || fmpz_cmp_si(e, digits) >= 0) {
        cc_buf_addc(&b, s.p[0]);
        if (s.n > 1) {
            cc_buf_addc(&b, '.');
            cc_buf_add(&b, s.p + 1, s.n - 1);
        }
        cc_buf_addc(&b, 'e');
        cc_buf_adds(&b, cc_fmpz_text(a, e));
        return cc_arena_dup(a, cc_buf_str(&b));
    }
    long exp = fmpz_get_si(e);
    if (exp < 0) {
        cc_buf_addz(&b, "0.");
        for (long i = exp + 1; i < 0; i++) cc_buf_addc(&b, '0');
        cc_buf_adds(&b, s);
    } else {
        size_t whole = (size_t)exp + 1;
        assert(s.n >= whole);
        cc_buf_add(&b, s.p, whole);
        if (s.n > whole) {
            cc_buf_addc(&b, '.');
            cc_buf_add(&b, s.p + whole, s.n - whole);
        }
    }
    return cc_arena_dup(a, cc_buf_str(&b));
}

size_t cc_fmpz_digits(const fmpz_t m) {
    if (fmpz_is_zero(m)) return 1;
    size_t n = fmpz_sizeinbase(m, 10); // exact or one too large
    fmpz_t t;
    fmpz_init(t);
    fmpz_ui_pow_ui(t, 10, (ulong)n - 1);
    if (fmpz_cmpabs(m, t) < 0) n--;
    fmpz_clear(t);
    return n;
}

// Rounding up may have made 10^digits of it.
static cc_str digits_of(cc_arena *a, const fmpz_t m, long digits, fmpz_t e) {
    cc_str s = cc_fmpz_text(a, m);
    if (s.n > (size_t)digits) {
        s.n = (size_t)digits;
        fmpz_add_ui(e, e, 1);
    }
    return s;
}

// floor(log10 |x|), or one next to it, from a ball that does not contain zero. False when the exponent is beyond reason.
static bool decimal_exponent(const arb_t x, fmpz_t e) {
    arb_t t, ten;
    arf_t f;
    arb_init(t);
    arb_init(ten);
    arf_init(f);
    arb_abs(t, x);
    arb_log(t, t, 128);
    arb_log_ui(ten, 10, 128);
    arb_div(t, t, ten, 128);
    bool ok = arb_is_finite(t) && arf_cmpabs_2exp_si(arb_midref(t), 60) < 0;
    if (ok) {
        arf_floor(f, arb_midref(t));
        arf_get_fmpz(e, f, ARF_RND_FLOOR);
    }
    arb_clear(t);
    arb_clear(ten);
    arf_clear(f);
    return ok;
}

// round(|x| * 10^shift) when it is the same over the whole ball.
static bool scaled(fmpz_t m, const arb_t x, const fmpz_t shift, slong prec) {
    arb_t t, half;
    arb_init(t);
    arb_init(half);
    arb_set_ui(t, 10);
    arb_pow_fmpz(t, t, shift, prec);
    arb_mul(t, t, x, prec);
    arb_abs(t, t);
    arb_set_d(half, 0.5);
    arb_add(t, t, half, prec + 64);
    arb_floor(t, t, prec + 64);
    bool ok = cc_arb_unique_integer(m, t);
    arb_clear(t);
    arb_clear(half);
    return ok;
}

// The `digits` digits of |x| in m, with the exponent in e, which comes in as an estimate; false when the ball is too wide.
static bool round_ball(fmpz_t m, fmpz_t e, const arb_t x, long digits, slong prec) {
    fmpz_t low, shift;
    fmpz_init(low);
    fmpz_init(shift);
    fmpz_ui_pow_ui(low, 10, (ulong)digits - 1);
    bool ok = false;
    for (int tries = 0; tries < 4; tries++) {
        fmpz_sub_si(shift, e, digits - 1);
        fmpz_neg(shift, shift);
        if (!scaled(m, x, shift, prec)) break;
        slong n = fmpz_is_zero(m) ? 0 : (slong)cc_fmpz_digits(m);
        // 10…0 may be 9.99…, rounded at one digit too few: the smaller exponent tells.
        if (n == digits && !fmpz_equal(m, low)) ok = true;
        if (n == digits && fmpz_equal(m, low)) {
            fmpz_add_ui(shift, shift, 1);
            ok = scaled(m, x, shift, prec);
            if (ok && (slong)cc_fmpz_digits(m) == digits)
                fmpz_sub_ui(e, e, 1);
            else
                fmpz_set(m, low);
        }
        if (n == digits) break;
        fmpz_add_si(e, e, n > digits ? 1 : -1);
    }
    fmpz_clear(low);
    fmpz_clear(shift);
    return ok;
}

static int not_enclosed(cc_reals *r, cc_real *x, const char *why) {
    if (cc_reals_poll(r)) return -1;
    cc_str s = cc_utf8_prefix(cc_real_show(r, x), 100);
    return cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "no certified decimal for %.*s: %s", (int)s.n, s.p, why);
}

bool cc_arb_decimal(cc_arena *a, const arb_t x, long digits, cc_str *out, bool *huge) {
    fmpz_t e, m;
    fmpz_init(e);
    fmpz_init(m);
    *huge = !decimal_exponent(x, e);
    // What the ball knows, and what the digits need; a ball can be far tighter than either (erf(10**10)).
    slong bits = arb_is_exact(x) ? arb_bits(x) : arb_rel_accuracy_bits(x);
    bits = bits < 0 ? 0 : bits > MAX_TIE_BITS ? MAX_TIE_BITS : bits;
    bool ok = !*huge && round_ball(m, e, x, digits, bits + 4 * digits + 64);
    if (ok) *out = format(a, arb_is_negative(x), digits_of(a, m, digits, e), e, digits);
    fmpz_clear(e);
    fmpz_clear(m);
    return ok;
}

int cc_real_decimal(cc_reals *r, cc_real *x, long digits, cc_str *out, bool *rounded) {
    if (x->op == CC_R_RAT) {
        CC_CLEANUP_BUF cc_buf b = {0};
        *rounded = !cc_rational_digits(&b, x->q, digits);
        *out = cc_arena_dup(r->arena, cc_buf_str(&b));
        return 0;
    }
    *rounded = true;
    const slong base = (slong)((double)digits * 3.3219280948873623) + 40;
    const slong limit = base * 2 + (x->slow ? CC_SLOW_SIGN_PREC : CC_SIGN_PREC);
    bool zero = true, huge = false;
    for (slong prec = base; prec <= limit && !huge; prec += prec - base < 32 ? 32 : prec - base) {
        if (cc_reals_poll(r)) break;
        arb_srcptr b = cc_real_ball(r, x, prec);
        if (arb_contains_zero(b) || !arb_is_finite(b)) continue;
        zero = false;
        if (cc_arb_decimal(r->arena, b, digits, out, &huge)) return 0;
    }
    return not_enclosed(r, x,
                        huge   ? "its exponent is too large"
                        : zero ? "no enclosure that was tried tells it from zero"
                               : "its enclosures stay too wide");
}
