// Physical constants: CODATA 2022, and a few that are defined elsewhere, by name. Facts as static text; nothing is owned.
#ifndef CODECALC_CONSTANTS_H
#define CODECALC_CONSTANTS_H

#include "codecalc/base.h"

typedef struct cc_constant {
    const char *name;        // CODATA's, "mag. flux quantum"
    const char *value;       // decimal; of an exact constant whose decimal does not end, its first 25 digits
    const char *digits;      // the uncertainty in the last digits of value: "52" in 1.67262192595(52)e-27; "" = exact
    const char *uncertainty; // standard uncertainty, in unit; "" = exact
    const char *unit;        // as CODATA writes it: "J mol^-1 K^-1"; convert_units reads it
    const char *formula;     // the exact value where value is cut off, in calc_exact's language; "" otherwise, or where there is none
} cc_constant;

extern const cc_constant cc_constants[]; // ends with a NULL name

// A short name of a constant that is often asked for.
typedef struct cc_known_constant {
    const char *name;      // "speed_of_light"
    const char *symbol;    // "c"; as in an equation
    const char *aliases;   // other names, separated by spaces
    const char *of;        // the name in cc_constants
    const char *unit;      // as people write it: "J·s"
    const char *remark;    // behind the value: " (standard)"; may be ""
    bool listed;           // in the list without a name
    cc_constant elsewhere; // when it is not CODATA's (of is NULL)
    const char *source;    // then
} cc_known_constant;

extern const cc_known_constant cc_known_constants[]; // sorted by name among the listed ones; ends with a NULL name

const cc_constant *cc_constant_of(const cc_known_constant *known);
// "h = 6.62607015e-34 J·s"; appended.
void cc_constant_describe(cc_buf *out, const cc_known_constant *known);
// "1.67262192595(52)e-27 kg"; appended.
void cc_constant_print(cc_buf *out, const cc_constant *c);

enum { CC_CONSTANT_MATCHES = 8 };
typedef struct cc_constant_search {
    const cc_known_constant *known;                  // the one that was meant, when it has a short name
    const cc_constant *found;                        // the one that was meant, else NULL
    const cc_constant *matches[CC_CONSTANT_MATCHES]; // the best ones, when there are several
    size_t n, total;
} cc_constant_search;

// By short name, symbol, CODATA name, or words in it ("proton mass", "compton muon"). 0, or -1 with CC_VALIDATION naming `name`.
int cc_constants_search(cc_str name, cc_constant_search *out, cc_error *err);

#endif
