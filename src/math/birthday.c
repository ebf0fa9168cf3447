// The birthday problem without the usual approximation: with N = 2^bits values, the chance that n draws are all different is
// N! / ((N - n)! N^n). Called by collision_probability. Small cases are exact rationals; the others are enclosures by the logarithm
// of the gamma function, with enough precision for what cancels.
#include <assert.h>

#include "codecalc/numeric.h"

#define EXACT_BITS 4096 // of N^n: below this the product itself is quick and short

typedef enum size { CERTAIN_NONE, CERTAIN_HIT, SMALL, LARGE } size;

static size classify(const fmpz_t items, slong bits) {
    assert(fmpz_sgn(items) >= 0 && bits >= 1 && bits <= CC_BIRTHDAY_MAX_BITS);
    if (fmpz_cmp_ui(items, 1) <= 0) return CERTAIN_NONE;
    fmpz_t values;
    fmpz_init(values);
    fmpz_one_2exp(values, (ulong)bits);
    int over = fmpz_cmp(items, values);
    fmpz_clear(values);
    if (over > 0) return CERTAIN_HIT;
    return fmpz_cmp_si(items, EXACT_BITS / bits) <= 0 ? SMALL : LARGE;
}

// prod (N - i) / N^n.
static void exact_none(fmpq_t none, ulong items, slong bits) {
    fmpz_t factor;
    fmpz_init(factor);
    fmpz_one_2exp(factor, (ulong)bits);
    fmpz_one(fmpq_numref(none));
    for (ulong i = 0; i < items; i++) {
        fmpz_mul(fmpq_numref(none), fmpq_numref(none), factor);
        fmpz_sub_ui(factor, factor, 1);
    }
    fmpz_one_2exp(fmpq_denref(none), (ulong)bits * items);
    fmpq_canonicalise(none);
    fmpz_clear(factor);
}

// log(N!) - log((N - n)!) - n bits log 2. Both logarithms are below 2^(2 bits), and the result is at least 2^-bits in size.
static void log_none(arb_t out, const fmpz_t items, slong bits, slong prec) {
    prec += 2 * bits + 64;
    fmpz_t k;
    arb_t t;
    fmpz_init(k);
    arb_init(t);
    fmpz_one_2exp(k, (ulong)bits);
    fmpz_add_ui(k, k, 1);
    arb_set_fmpz(out, k);
    arb_lgamma(out, out, prec);
    fmpz_sub(k, k, items);
    arb_set_fmpz(t, k);
    arb_lgamma(t, t, prec);
    arb_sub(out, out, t, prec);
    arb_const_log2(t, prec);
    fmpz_mul_ui(k, items, (ulong)bits);
    arb_submul_fmpz(out, t, k, prec);
    fmpz_clear(k);
    arb_clear(t);
}

void cc_birthday(fmpq_t lo, fmpq_t hi, const fmpz_t items, slong bits, slong prec) {
    switch (classify(items, bits)) {
    case CERTAIN_NONE:
        fmpq_zero(lo);
        fmpq_zero(hi);
        return;
    case CERTAIN_HIT:
        fmpq_one(lo);
        fmpq_one(hi);
        return;
    case SMALL:
        exact_none(lo, fmpz_get_ui(items), bits);
        fmpq_sub_si(lo, lo, 1);
        fmpq_neg(lo, lo);
        fmpq_set(hi, lo);
        return;
    case LARGE: break;
    }
    arb_t p;
    arb_init(p);
    log_none(p, items, bits, prec);
    arb_expm1(p, p, prec);
    arb_neg(p, p);
    cc_enclosure(lo, hi, p);
    if (fmpq_cmp_si(hi, 1) > 0) fmpq_one(hi);
    arb_clear(p);
}

bool cc_birthday_none(fmpq_t lo, fmpq_t hi, const fmpz_t items, slong bits, slong prec) {
    size kind = classify(items, bits);
    if (kind == CERTAIN_NONE || kind == CERTAIN_HIT) {
        fmpq_set_si(lo, kind == CERTAIN_NONE, 1);
        fmpq_set(hi, lo);
        return true;
    }
    if (kind == SMALL) {
        exact_none(lo, fmpz_get_ui(items), bits);
        fmpq_set(hi, lo);
        return true;
    }
    arb_t q;
    arb_init(q);
    log_none(q, items, bits, prec);
    arf_t least;
    arf_init(least);
    arf_set_si(least, -92000); // log(10^-40000), nearly
    bool told = arf_cmp(arb_midref(q), least) > 0;
    if (told) {
        arb_exp(q, q, prec);
        cc_enclosure(lo, hi, q);
    }
    arf_clear(least);
    arb_clear(q);
    return told;
}
