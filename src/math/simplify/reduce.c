// Arithmetic of rational functions modulo the relations between generators, with bounds on size. Called by the conversion of expressions
// (convert.c, kernels.c). It owns nothing; it never divides by what the relations make zero, and gives up (builder.failed) instead of
// starting what would take long.
#include "math/simplify/ratio.h"

#include <math.h>

// A greatest common divisor cannot be interrupted: its effort grows with the terms and with the variables.
static bool gcd_fits(cc_builder *b, slong terms) { return terms * fmpz_mpoly_ctx_nvars(b->ctx) <= CC_RATIO_MAX_GCD; }

static bool small_enough(cc_builder *b, const fmpz_mpoly_q_t x) {
    if (fmpz_mpoly_length(fmpz_mpoly_q_numref(x), b->ctx) > CC_RATIO_MAX_TERMS ||
        !gcd_fits(b, fmpz_mpoly_length(fmpz_mpoly_q_denref(x), b->ctx)))
        b->failed = true;
    return !b->failed;
}

// p becomes p * d with gens[rule.gen] of less than rule.degree; d is multiplied into den.
static void reduce_poly(cc_builder *b, fmpz_mpoly_t p, fmpz_mpoly_t den, const cc_xrule *rule) {
    const fmpz_mpoly_ctx_struct *ctx = b->ctx;
    if (fmpz_mpoly_degree_si(p, rule->gen, ctx) < rule->degree) return;
    fmpz_mpoly_t power, high, low;
    fmpz_mpoly_init(power, ctx);
    fmpz_mpoly_init(high, ctx);
    fmpz_mpoly_init(low, ctx);
    fmpz_mpoly_gen(power, rule->gen, ctx);
    if (!fmpz_mpoly_pow_ui(power, power, (ulong)rule->degree, ctx)) b->failed = true;
    while (!b->failed && fmpz_mpoly_degree_si(p, rule->gen, ctx) >= rule->degree) {
        fmpz_mpoly_divrem(high, low, p, power, ctx);
        fmpz_mpoly_mul(high, high, fmpz_mpoly_q_numref(rule->value), ctx);
        if (!fmpz_mpoly_is_one(fmpz_mpoly_q_denref(rule->value), ctx)) {
            fmpz_mpoly_mul(low, low, fmpz_mpoly_q_denref(rule->value), ctx);
            fmpz_mpoly_mul(den, den, fmpz_mpoly_q_denref(rule->value), ctx);
        }
        fmpz_mpoly_add(p, high, low, ctx);
        if (fmpz_mpoly_length(p, ctx) > CC_RATIO_MAX_TERMS || !gcd_fits(b, fmpz_mpoly_length(den, ctx)) || !cc_alg_go_on(b->g))
            b->failed = true;
    }
    fmpz_mpoly_clear(power, ctx);
    fmpz_mpoly_clear(high, ctx);
    fmpz_mpoly_clear(low, ctx);
}

static bool reducible(const cc_builder *b, const fmpz_mpoly_t p) {
    for (size_t i = 0; i < b->n_rules; i++)
        if (fmpz_mpoly_degree_si(p, b->rules[i].gen, b->ctx) >= b->rules[i].degree) return true;
    return false;
}

// The rules were made inner generators first, and a rule's value has no generator of a later rule: one pass from the last does it.
void cc_ratio_reduce(cc_builder *b, fmpz_mpoly_q_t x) {
    if (b->scanning || b->failed || (!reducible(b, fmpz_mpoly_q_numref(x)) && !reducible(b, fmpz_mpoly_q_denref(x)))) return;
    const fmpz_mpoly_ctx_struct *ctx = b->ctx;
    fmpz_mpoly_t below_num, below_den;
    fmpz_mpoly_init(below_num, ctx);
    fmpz_mpoly_init(below_den, ctx);
    fmpz_mpoly_one(below_num, ctx);
    fmpz_mpoly_one(below_den, ctx);
    for (size_t i = b->n_rules; i-- > 0 && !b->failed;) {
        reduce_poly(b, fmpz_mpoly_q_numref(x), below_num, &b->rules[i]);
        reduce_poly(b, fmpz_mpoly_q_denref(x), below_den, &b->rules[i]);
    }
    if (fmpz_mpoly_is_zero(fmpz_mpoly_q_denref(x), ctx)) {
        b->failed = true;
        fmpz_mpoly_q_zero(x, ctx);
    }
    if (!b->failed) {
        if (!fmpz_mpoly_equal(below_num, below_den, ctx)) {
            fmpz_mpoly_mul(fmpz_mpoly_q_numref(x), fmpz_mpoly_q_numref(x), below_den, ctx);
            fmpz_mpoly_mul(fmpz_mpoly_q_denref(x), fmpz_mpoly_q_denref(x), below_num, ctx);
        }
        if (small_enough(b, x)) fmpz_mpoly_q_canonicalise(x, ctx);
    }
    fmpz_mpoly_clear(below_num, ctx);
    fmpz_mpoly_clear(below_den, ctx);
}

static slong longer(cc_builder *b, const fmpz_mpoly_q_t x) {
    slong n = fmpz_mpoly_length(fmpz_mpoly_q_numref(x), b->ctx), d = fmpz_mpoly_length(fmpz_mpoly_q_denref(x), b->ctx);
    return n > d ? n : d;
}

// Two operands whose greatest common divisors will be taken.
static bool fits_together(cc_builder *b, const fmpz_mpoly_q_t x, const fmpz_mpoly_q_t y) {
    slong n = longer(b, x), m = longer(b, y);
    bool whole = fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(x), b->ctx) && fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(y), b->ctx);
    if (!cc_alg_go_on(b->g) || (!whole && !gcd_fits(b, n > m ? n : m))) b->failed = true;
    return !b->failed;
}

void cc_ratio_add(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_mpoly_q_t y) {
    if (b->scanning || b->failed || !fits_together(b, x, y)) return;
    fmpz_mpoly_q_add(out, x, y, b->ctx);
    if (small_enough(b, out)) cc_ratio_reduce(b, out);
}

void cc_ratio_mul(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_mpoly_q_t y) {
    if (b->scanning || b->failed || !fits_together(b, x, y)) return;
    if (longer(b, x) * longer(b, y) > 40 * (slong)CC_RATIO_MAX_TERMS) {
        b->failed = true;
        return;
    }
    fmpz_mpoly_q_mul(out, x, y, b->ctx);
    if (small_enough(b, out)) cc_ratio_reduce(b, out);
}

// Terms of a sum of n terms to the power k: binomial(n + k - 1, k), saturating; and the bits of its coefficients.
static bool power_fits(cc_builder *b, const fmpz_mpoly_t p, ulong k) {
    double n = (double)fmpz_mpoly_length(p, b->ctx), terms = 1;
    for (ulong i = 1; n > 1 && i <= k; i++) {
        terms *= (n + (double)i - 1) / (double)i;
        if (terms > CC_RATIO_MAX_TERMS) return false;
    }
    slong bits = fmpz_mpoly_max_bits(p);
    return terms * (double)k * ((double)(bits < 0 ? -bits : bits) + log2(n + 1)) < 1e8; // bits of the result
}

void cc_ratio_pow(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_t n) {
    if (b->scanning || b->failed) return;
    const fmpz_mpoly_ctx_struct *ctx = b->ctx;
    bool inverse = fmpz_sgn(n) < 0;
    fmpz_t k;
    fmpz_init(k);
    fmpz_abs(k, n);
    if (!fmpz_abs_fits_ui(k) || (inverse && fmpz_mpoly_q_is_zero(x, ctx)) || fmpz_cmp_ui(k, 1000000) > 0) b->failed = true;
    ulong e = b->failed ? 0 : fmpz_get_ui(k);
    fmpz_clear(k);
    if (b->failed) return;
    if (b->n_rules && e > 1 && (fmpz_mpoly_length(fmpz_mpoly_q_numref(x), ctx) > 1 || fmpz_mpoly_length(fmpz_mpoly_q_denref(x), ctx) > 1)) {
        // by squaring, so that relations keep it small
        fmpz_mpoly_q_t square, result;
        fmpz_mpoly_q_init(square, ctx);
        fmpz_mpoly_q_init(result, ctx);
        fmpz_mpoly_q_set(square, x, ctx);
        fmpz_mpoly_q_one(result, ctx);
        for (ulong left = e; left && !b->failed; left >>= 1) {
            if (left & 1) cc_ratio_mul(b, result, result, square);
            if (left > 1) cc_ratio_mul(b, square, square, square);
        }
        fmpz_mpoly_q_swap(out, result, ctx);
        fmpz_mpoly_q_clear(square, ctx);
        fmpz_mpoly_q_clear(result, ctx);
    } else if (!power_fits(b, fmpz_mpoly_q_numref(x), e) || !power_fits(b, fmpz_mpoly_q_denref(x), e) ||
               !fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(out), fmpz_mpoly_q_numref(x), e, ctx) ||
               !fmpz_mpoly_pow_ui(fmpz_mpoly_q_denref(out), fmpz_mpoly_q_denref(x), e, ctx)) {
        b->failed = true;
        fmpz_mpoly_q_zero(out, ctx);
        return;
    }
    cc_ratio_reduce(b, out);
    if (!inverse || b->failed) return;
    if (fmpz_mpoly_q_is_zero(out, ctx))
        b->failed = true;
    else {
        fmpz_mpoly_q_inv(out, out, ctx);
        if (small_enough(b, out)) cc_ratio_reduce(b, out);
    }
}
