// Conversion of units in exact arithmetic, and the list of units. Knows nothing of tools; takes and returns text. Everything returned
// lives in the caller's arena.
#ifndef CODECALC_UNITS_H
#define CODECALC_UNITS_H

#include "codecalc/base.h"

typedef struct cc_conversion {
    cc_str value;       // a JSON number, or a JSON string of a decimal that a double does not hold
    bool exact;         // value is the exact result
    cc_str exact_value; // "463/900", "pi/6" when value is rounded and this is short; else empty
    cc_str factor;      // one from_unit in to_units, exactly, where that is short, the scale is linear and value is not 1; else empty
    cc_str warnings[8]; // readings of names that have another well-known meaning, and conventions taken
    size_t n_warnings;
} cc_conversion;

// Converts value (a number, or an expression of calc_exact's language with a real value) from one unit expression to another.
// 0, or -1 with CC_VALIDATION naming value, from_unit or to_unit, CC_RESOURCE_EXHAUSTED or CC_TIMEOUT (stop, which may be NULL).
int cc_units_convert(cc_arena *a, cc_str value, cc_str from_unit, cc_str to_unit, const volatile sig_atomic_t *stop, cc_conversion *out,
                     cc_error *err);

// The names of units, sorted: the usual ones, or, given a dimension ("length", "energy", or any unit of it), all those of that
// dimension. 0, or -1 with CC_VALIDATION naming `dimension`.
int cc_units_list(cc_arena *a, cc_str dimension, cc_str **names, size_t *n, cc_error *err);

#endif
