// A sample of numbers as an argument. For calc_stats and percentiles.
#ifndef TOOLS_CALCULATOR_SAMPLE_H
#define TOOLS_CALCULATOR_SAMPLE_H

#include <flint/fmpq_vec.h>
#include <stdio.h>

#include "tools/calculator/shared.h"

#define CC_SAMPLE_MAX_EXPONENT 400     // as far as doubles reach
#define CC_SAMPLE_MAX_TEXT     1000000 // digits of all numbers together: what is added up stays small

#define CC_SAMPLE_MAX_COMMON 100000 // bits of the common denominator beside powers of 2 and 5

// all = lcm(all, den without its factors 2 and 5). False when that is too long.
static inline bool cc_sample_common(fmpz_t all, const fmpz_t den) {
    fmpz_t rest, five;
    fmpz_init(rest);
    fmpz_init_set_ui(five, 5);
    fmpz_tdiv_q_2exp(rest, den, fmpz_val2(den));
    if (!fmpz_is_one(rest)) fmpz_remove(rest, rest, five);
    if (!fmpz_is_one(rest)) fmpz_lcm(all, all, rest);
    fmpz_clear(rest);
    fmpz_clear(five);
    return fmpz_bits(all) <= CC_SAMPLE_MAX_COMMON;
}

// Reads the list, refuses fewer than `least` numbers, and hands it to use.
static inline int cc_with_sample(cc_call *call, const char *name, size_t least, void (*use)(cc_jw *w, fmpq *x, slong n), cc_error *err) {
    const cc_value *v = cc_arg(&call->args, name);
    if (v->n < least) {
        cc_error_set(err, CC_VALIDATION, "%s: needs at least %zu number%s, got %zu", name, least, least == 1 ? "" : "s", v->n);
        return cc_error_remedy(err, "give more numbers");
    }
    size_t text = 0;
    for (size_t i = 0; i < v->n; i++) text += v->items[i].n;
    if (text > CC_SAMPLE_MAX_TEXT) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%s: %zu characters in all, at most %d are taken", name, text, CC_SAMPLE_MAX_TEXT);
        return cc_error_remedy(err, "give fewer numbers or fewer digits");
    }
    slong n = (slong)v->n;
    fmpq *x = _fmpq_vec_init(n);
    fmpz_t common;
    fmpz_init_set_ui(common, 1);
    int rc = 0;
    for (slong i = 0; i < n && !rc; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s[%ld]", name, i);
        rc = cc_rational_parse(x + i, v->items[i], CC_SAMPLE_MAX_EXPONENT, what, err);
        if (!rc && !cc_sample_common(common, fmpq_denref(x + i))) {
            cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%s: the common denominator of the fractions is too long", name);
            rc = cc_error_remedy(err, "give decimals instead of fractions with unlike denominators");
        }
    }
    fmpz_clear(common);
    if (!rc) use(&call->out, x, n);
    _fmpq_vec_clear(x, n);
    return rc;
}

#endif
