// One algebra for each question of a test: begin() before it, end() after it.
#ifndef CODECALC_TESTS_ALGEBRA_FIXTURE_H
#define CODECALC_TESTS_ALGEBRA_FIXTURE_H

#include "unit.h"

#include "math/expr/expr.h"

static cc_arena arena;
static cc_error err;
static cc_alg g;

static void begin(void) {
    err = (cc_error){0};
    cc_alg_init(&g, &arena, &err, NULL);
}

static void end(void) {
    cc_alg_clear(&g);
    cc_arena_reset(&arena);
}

#endif
