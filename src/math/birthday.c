// The birthday problem without the usual approximation: with N = 2^bits values, the chance that n draws are all different is
// N! / ((N - n)! N^n). Called by collision_probability. Small cases are exact rationals; the others are enclosures: by a series where
// n is far below N, else by the logarithm of the gamma function, with enough precision for what cancels.
#include <assert.h>

#include "codecalc/birthday.h"
#include "codecalc/rational.h"

#define EXACT_BITS 4096 // of N^n: below this the product itself is quick and short

#define SPARSE_BITS 32 // n / N below 2^-32: the series converges by so many bits a term

// OVERWHELMING: the chance of no collision is below exp(-OVERWHELMING_LOG), about 10^-40000.
#define OVERWHELMING_LOG 92000
typedef enum size { CERTAIN_NONE, CERTAIN_HIT, OVERWHELMING, SMALL, LARGE } size;

static size classify(const fmpz_t items, slong bits) {
    assert(fmpz_sgn(items) >= 0 && bits >= 1 && bits <= CC_BIRTHDAY_MAX_BITS);
    if (fmpz_cmp_ui(items, 1) <= 0) return CERTAIN_NONE;
    fmpz_t values;
    fmpz_init(values);
    fmpz_one_2exp(values, (ulong)bits);
    int over = fmpz_cmp(items, values);
    fmpz_clear(values);
    if (over > 0) return CERTAIN_HIT;
    // prod (1 - i/N) <= exp(-n (n - 1) / 2N)
    fmpz_t pairs;
    fmpz_init(pairs);
    fmpz_sub_ui(pairs, items, 1);
    fmpz_mul(pairs, pairs, items);
    fmpz_fdiv_q_2exp(pairs, pairs, (ulong)bits + 1);
    bool overwhelming = fmpz_cmp_ui(pairs, OVERWHELMING_LOG) > 0;
    fmpz_clear(pairs);
    if (overwhelming) return OVERWHELMING;
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

// sum of log(1 - i/N) by powers of 1/N: -sum P(k) / (k N^k), where P(k) = 0^k + … + (n-1)^k = (B_{k+1}(n) - B_{k+1}) / (k+1). For
// n < 2^(bits - SPARSE_BITS). What is left out after K terms is at most 2 n (n/N)^(K+1), and 8 (n/N)^K of the whole.
static void log_none_sparse(arb_t out, const fmpz_t items, slong bits, slong prec) {
    ulong last = (ulong)(prec + 11) / SPARSE_BITS + 1;
    prec += 256; // the Bernoulli numbers of small n cancel
    arb_t n, t, b;
    arb_init(n);
    arb_init(t);
    arb_init(b);
    arb_set_fmpz(n, items);
    arb_zero(out);
    for (ulong k = 1; k <= last; k++) {
        arb_bernoulli_poly_ui(t, k + 1, n, prec);
        arb_bernoulli_ui(b, k + 1, prec);
        arb_sub(t, t, b, prec);
        arb_div_ui(t, t, k * (k + 1), prec);
        arb_mul_2exp_si(t, t, -bits * (slong)k);
        arb_sub(out, out, t, prec);
    }
    slong length = (slong)fmpz_bits(items);
    arb_add_error_2exp_si(out, 1 + length + (length - bits) * (slong)(last + 1));
    arb_clear(n);
    arb_clear(t);
    arb_clear(b);
}

// log(N!) - log((N - n)!) - n bits log 2. Both logarithms are below 2^(bits + 7), the result is at least 2^-bits in size.
static void log_none_dense(arb_t out, const fmpz_t items, slong bits, slong prec) {
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

static void log_none(arb_t out, const fmpz_t items, slong bits, slong prec) {
    if ((slong)fmpz_bits(items) <= bits - SPARSE_BITS) {
        log_none_sparse(out, items, bits, prec);
    } else {
        assert(bits < 100); // n >= 2^(bits-33), and n^2 / 2N is not overwhelming
        log_none_dense(out, items, bits, prec);
    }
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
    case OVERWHELMING:
        fmpq_one(hi);
        fmpz_one_2exp(fmpq_denref(lo), 4096);
        fmpz_sub_ui(fmpq_numref(lo), fmpq_denref(lo), 1); // 1 - 2^-4096
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
    cc_rational_enclose(lo, hi, p);
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
    if (kind == OVERWHELMING) return false;
    arb_t q;
    arb_init(q);
    log_none(q, items, bits, prec);
    arb_exp(q, q, prec);
    cc_rational_enclose(lo, hi, q);
    arb_clear(q);
    return true;
}
