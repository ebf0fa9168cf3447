// What every fuzz target includes. A target is one file with LLVMFuzzerTestOneInput; it must be fast, keep no state between
// inputs, and check more than "does not crash": each states what must hold of every input.
#ifndef CODECALC_TESTS_FUZZ_H
#define CODECALC_TESTS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "codecalc/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define FUZZ_REQUIRE(condition)                                                                                                            \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "ERROR: %s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                                          \
            abort();                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

#endif
