// Positional notation between bases, exactly. For radix_convert.
#ifndef CODECALC_RADIX_H
#define CODECALC_RADIX_H

#include "codecalc/base.h"

typedef struct cc_radix {
    cc_buf value;     // digits in the new base; ends in "…" when the expansion does not end
    cc_buf repeating; // "0.0(0011)" when it does not end and its period is short enough to be found; else empty
    bool ends;
} cc_radix;

#define CC_RADIX_MAX_LEN 10000 // bytes of the value

// Converts an exact value, fraction included, between bases 2 … 36. Digits of either case, "_" between digits and the prefix that
// belongs to `from` (0x, 0o, 0b) are accepted. 0, or -1 with CC_VALIDATION naming value. Free the result with cc_radix_free.
int cc_radix_convert(cc_str value, int from, int to, cc_radix *out, cc_error *err);
void cc_radix_free(cc_radix *r);

#endif
