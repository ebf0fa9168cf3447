// collision_probability: the birthday problem for hashes, without the approximation that is wrong for small spaces.
#include "codecalc/birthday.h"
#include "tools/calculator/shared.h"

static const cc_param params[] = {
    {"items", CC_INT, .required = true, .big = true, .doc = "Hashes"},
    {"bits", CC_INT, .required = true, .min = 1, .max = CC_BIRTHDAY_MAX_BITS, .doc = "Width of the hash"},
    {0},
};

static const cc_field result[] = {
    {"items", "integer|string", true, "Hashes"},
    {"bits", "integer", true, "Width of the hash"},
    {"probability", "number|string", true, "That two are the same: 1 - prod(1 - i/2^bits), i < items; rounded correctly"},
    {"exact", "string", false, "The probability as a fraction, where it is short and probability is rounded"},
    {"percent", "number|string", false, "probability * 100, unless it would round to 0 or 100"},
    {"rounding", "object", false, "Digits after the point kept in percent, when it was rounded"},
    {"no_collision", "number|string", false, "1 - probability, where probability rounds to 1"},
    {"note", "string", false, "That probability is not exactly 1"},
    {0},
};

#define EXACT_MAX 60 // characters of a fraction that is worth its tokens

typedef struct enclosure {
    fmpq_t lo, hi;
} enclosure;

// The text that both ends give, or false: they differ, and more precision is needed.
static bool both(cc_buf *out, const enclosure *e, void (*print)(cc_buf *out, const fmpq_t x)) {
    CC_CLEANUP_BUF cc_buf other = {0};
    out->n = 0;
    print(out, e->lo);
    print(&other, e->hi);
    return cc_str_eq(cc_buf_str(out), cc_buf_str(&other));
}

static void print_percent(cc_buf *out, const fmpq_t x) {
    fmpq_t percent;
    fmpq_init(percent);
    fmpq_mul_si(percent, x, 100);
    cc_rational_places(out, percent, 6);
    fmpq_clear(percent);
}

static void write_none(cc_jw *w, const fmpz_t items, slong bits, enclosure *e) {
    CC_CLEANUP_BUF cc_buf text = {0};
    for (slong prec = 128; prec <= 1024; prec *= 2) {
        if (!cc_birthday_none(e->lo, e->hi, items, bits, prec)) break;
        if (!both(&text, e, cc_rational_nearest)) continue;
        cc_jw_kraw(w, "no_collision", cc_buf_str(&text));
        break;
    }
    cc_jw_kstringz(w, "note", "probability is rounded: a collision is not certain");
}

static int answer(cc_jw *w, const fmpz_t items, slong bits, enclosure *e, cc_error *err) {
    CC_CLEANUP_BUF cc_buf probability = {0};
    CC_CLEANUP_BUF cc_buf percent = {0};
    bool told = false;
    // An inexact probability is a fraction of far more than 54 bits, so it is no tie between two doubles and some precision tells.
    for (slong prec = 128; !told && prec <= 1024; prec *= 2) {
        cc_birthday(e->lo, e->hi, items, bits, prec);
        told = both(&probability, e, cc_rational_nearest) && both(&percent, e, print_percent);
    }
    if (!told) return cc_error_set(err, CC_INTERNAL, "the probability could not be told apart from its neighbours");
    cc_jw_kinteger(w, "items", items);
    cc_jw_kint(w, "bits", bits);
    cc_jw_kraw(w, "probability", cc_buf_str(&probability));
    bool exact = fmpq_equal(e->lo, e->hi), certain = exact && fmpq_is_one(e->lo), none = fmpq_is_zero(e->lo);
    if (exact && !cc_rational_is_double(e->lo)) {
        CC_CLEANUP_BUF cc_buf fraction = {0};
        cc_rational_print(&fraction, e->lo);
        if (fraction.n <= EXACT_MAX) cc_jw_kstring(w, "exact", cc_buf_str(&fraction));
    }
    if (certain || (!none && !cc_str_eqz(cc_buf_str(&percent), "0") && !cc_str_eqz(cc_buf_str(&percent), "100"))) {
        cc_jw_kraw(w, "percent", cc_buf_str(&percent));
        fmpq_mul_si(e->lo, e->lo, 100000000);
        if (!exact || !fmpz_is_one(fmpq_denref(e->lo))) cc_jw_kraw(w, "rounding", CC_STR("{\"percent\":6}"));
    }
    if (!certain && cc_str_eqz(cc_buf_str(&probability), "1")) write_none(w, items, bits, e);
    return 0;
}

static int run(cc_call *call, cc_error *err) {
    fmpz_t items;
    enclosure e;
    fmpz_init(items);
    fmpq_init(e.lo);
    fmpq_init(e.hi);
    cc_arg_integer(call, "items", items);
    int rc;
    if (fmpz_sgn(items) < 0) {
        cc_error_set(err, CC_VALIDATION, "items is negative: a count is at least 0");
        rc = cc_error_remedy(err, "give the number of items");
    } else {
        rc = answer(&call->out, items, cc_arg_int(call, "bits"), &e, err);
    }
    fmpz_clear(items);
    fmpq_clear(e.lo);
    fmpq_clear(e.hi);
    return rc;
}

const cc_tool cc_tool_collision_probability = {
    .name = "collision_probability",
    .group = CC_CALCULATOR,
    .title = "Collision Probability",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Chance of a hash collision, exact: 1 - prod(1 - i/2^bits).",
    .params = params,
    .result = result,
    .run = run,
};
