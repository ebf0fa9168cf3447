// What every unit test includes. cmocka wants these headers first.
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codecalc/base.h"

// Compares a cc_str or cc_buf with a C string and shows both when they differ.
#define assert_text(have, want)                                                                                                            \
    do {                                                                                                                                   \
        cc_str have_ = {(have).p, (have).n}, want_ = cc_str_of(want);                                                                      \
        if (!cc_str_eq(have_, want_)) fail_msg("have \"%.*s\", want \"%s\"", (int)have_.n, have_.p, want_.p);                              \
    } while (0)

#endif
