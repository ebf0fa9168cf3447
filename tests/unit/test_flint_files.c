// The quadratic sieve works on a file in memory: factoring a number that needs it opens nothing.
#include "unit.h"

#include <dirent.h>
#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>

static int count_sieve_files(void) {
    int n = 0;
    DIR *dir = opendir("/tmp");
    for (struct dirent *e; dir && (e = readdir(dir));) n += strncmp(e->d_name, "siqs", 4) == 0;
    if (dir) closedir(dir);
    return n;
}

// Both factors are the primes that the number was made from.
static void factors(const char *p, const char *q) {
    fmpz_t n, a, b;
    fmpz_init(n), fmpz_init(a), fmpz_init(b);
    fmpz_set_str(a, p, 10);
    fmpz_set_str(b, q, 10);
    fmpz_mul(n, a, b);
    fmpz_factor_t f;
    fmpz_factor_init(f);
    fmpz_factor(f, n);
    assert_int_equal(f->num, 2);
    assert_true(fmpz_equal(f->p, a) || fmpz_equal(f->p, b));
    assert_true(fmpz_equal(f->p + 1, a) || fmpz_equal(f->p + 1, b));
    fmpz_factor_clear(f);
    fmpz_clear(n), fmpz_clear(a), fmpz_clear(b);
}

static void sieves_in_memory(void **state) {
    (void)state;
    int before = count_sieve_files();
    factors("10000000000000000051", "30000000000000000041");
    factors("1000000000000000000000007", "10000000000000000000000013"); // long enough for a second pass over the file
    factors("10000000000000000051", "30000000000000000041");            // the file starts empty again
    assert_int_equal(count_sieve_files(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sieves_in_memory)};
    return cmocka_run_group_tests_name("flint_files", tests, NULL, NULL);
}
