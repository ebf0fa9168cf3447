// The memory of the libraries: pieces do not overlap, keep their content when they grow, and are zero when that is asked for.
#include "unit.h"

#include <stdlib.h>

#include "job/library_memory.h"

#define PIECES 2000
#define ROUNDS 400000

static uint32_t seed = 1;

static uint32_t pick(uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

// Mostly small, as the libraries ask.
static size_t size(void) { return pick(50) ? pick(600) : pick(40000); }

static void fill(unsigned char *p, size_t n, size_t i) { memset(p, (int)(i % 251 + 1), n); }

static void check(const unsigned char *p, size_t n, size_t i) {
    for (size_t k = 0; k < n; k++)
        if (p[k] != i % 251 + 1) fail_msg("byte %zu of piece %zu is %u", k, i, p[k]);
}

static void pieces(void **state) {
    (void)state;
    static unsigned char *at[PIECES];
    static size_t n[PIECES];
    for (int round = 0; round < ROUNDS; round++) {
        size_t i = pick(PIECES), want = size();
        check(at[i], n[i], i);
        if (at[i] && pick(3)) {
            size_t kept = n[i] < want ? n[i] : want;
            at[i] = cc_library_realloc(at[i], want);
            check(at[i], kept, i);
        } else {
            cc_library_free(at[i]);
            at[i] = pick(2) ? cc_library_alloc(want) : cc_library_calloc(1, want);
        }
        assert_non_null(at[i]);
        assert_int_equal((uintptr_t)at[i] % 16, 0);
        n[i] = want;
        fill(at[i], want, i);
    }
    for (size_t i = 0; i < PIECES; i++) {
        check(at[i], n[i], i);
        cc_library_free(at[i]);
    }
}

static void zeroed(void **state) {
    (void)state;
    for (size_t n = 1; n < 2000; n += 7) {
        unsigned char *dirty = cc_library_alloc(n);
        memset(dirty, 0xff, n);
        cc_library_free(dirty);
        unsigned char *p = cc_library_calloc(n, 1);
        for (size_t k = 0; k < n; k++) assert_int_equal(p[k], 0);
        cc_library_free(p);
    }
}

// What was there before the fork came from malloc.
static void of_malloc(void **state) {
    (void)state;
    char *p = malloc(40);
    strcpy(p, "before");
    p = cc_library_realloc(p, 4000);
    assert_string_equal(p, "before");
    cc_library_free(p);
    cc_library_free(malloc(8));
    cc_library_free(NULL);
    assert_non_null(p = cc_library_realloc(NULL, 0));
    cc_library_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces), cmocka_unit_test(zeroed), cmocka_unit_test(of_malloc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
