// What several calculator tools do alike: reading number arguments, and telling which fields of a result were rounded.
#ifndef TOOLS_CALCULATOR_SHARED_H
#define TOOLS_CALCULATOR_SHARED_H

#include "codecalc/rational.h"
#include "codecalc/tools.h"

#define CC_ARG_MAX_EXPONENT 5000 // of ten in an argument: results stay readable

// Values of an argument that has passed the framework's check. Errors name the argument.
static inline int cc_arg_rational(cc_call *call, const char *name, int64_t max_exponent, fmpq_t out, cc_error *err) {
    return cc_rational_parse(out, cc_arg_text(call, name), max_exponent, name, err);
}

static inline void cc_arg_integer(cc_call *call, const char *name, fmpz_t out) {
    fmpz_set_str(out, cc_arena_dup(call->arena, cc_arg_text(call, name)).p, 10);
}

// The `rounding` object of a result: field name → digits kept after the point (negative: rounded before it). Only fields that were rounded
// are in it.
typedef struct cc_rounding {
    const char *name[2];
    slong places[2];
    int n;
} cc_rounding;

// Writes the field, rounded when it must be, and remembers that it was.
static inline void cc_round_field(cc_jw *w, cc_rounding *r, const char *name, const fmpq_t x) {
    slong places = cc_jw_krounded(w, name, x, 6);
    if (places == CC_ROUNDED_EXACT) return;
    r->name[r->n] = name;
    r->places[r->n++] = places;
}

static inline void cc_write_rounding(cc_jw *w, const cc_rounding *r) {
    if (!r->n) return;
    cc_jw_key(w, "rounding");
    cc_jw_object(w);
    for (int i = 0; i < r->n; i++) cc_jw_kint(w, r->name[i], r->places[i]);
    cc_jw_end_object(w);
}

static inline void cc_jw_kcanonical(cc_jw *w, const char *key, const fmpq_t x) {
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_rational_print(&text, x);
    cc_jw_kstring(w, key, cc_buf_str(&text));
}

#endif
