// Exact matrices below the tool: every operation over every kind of entry on the way out and on every error, stopping, and limits
// (the sanitizers look for what is not given back). Values are checked in tests/cases/matrix.jsonl; the few here come from
// definitions.
#include "unit.h"

#include "codecalc/matrix.h"

static cc_arena arena;

static const char *const ops[] = {"det",      "inverse", "eigenvalues", "transpose", "rank", "trace",  "eigenvectors",
                                  "charpoly", "minpoly", "nullspace",   "rref",      "lu",   "qr",     "solve",
                                  "multiply", "power",   "smith",       "hermite",   "norm", "jordan", "exp"};

// A matrix from a text: entries separated by blanks, rows by semicolons.
static cc_matrix_text read_matrix(const char *text) {
    cc_str *entries = CC_ARENA_ARRAY(&arena, cc_str, 400);
    size_t n = 0, rows = 1;
    for (const char *p = text; *p;) {
        size_t k = strcspn(p, " ;");
        if (k) entries[n++] = cc_str_make(p, k);
        p += k;
        rows += *p == ';';
        p += *p != 0;
    }
    return (cc_matrix_text){rows, n / rows, entries};
}

static int run(const char *op, const char *a, const char *b, cc_matrix_result *out, cc_error *err) {
    cc_matrix_request q = {.op = cc_str_of(op), .a = read_matrix(a), .has_n = true, .n = -2};
    if (b) q.b = read_matrix(b);
    return cc_matrix_run(&arena, &q, out, err);
}

// Every operation on every kind of entry either answers or says why not, and never with a defect.
static void every_operation(void **state) {
    (void)state;
    static const char *const matrices[] = {
        "1 2;3 4",
        "1 2;2 4",
        "0 0;0 0",
        "1/2 0.25;-3 1e2",
        "1 2 3;4 5 6",
        "1 2 3;4 5 6;7 8 10",
        "0 0 3;1 0 1;0 1 0",
        "sqrt(2) 1;1 sqrt(3)",
        "I 1;1 -I",
        "pi 1;1 E",
        "cos(1) -sin(1);sin(1) cos(1)",
        "exp(1/2)*exp(1/3)*exp(1/5)-exp(31/30) 0;0 1",
        "x 1;1 x",
        "x x;x x",
        "a b;c d",
        "1/x y;(x+1)/(x-1) z^2",
        "x 1 0;1 x 1;0 1 y",
        "a b c;d e f;g h i",
        "x y",
        "x/0 1;1 1",
        "sin(x) 1;1 1",
        "x**y 1;1 1",
        "sqrt(2)*x 1;1 1",
        "(x+y+z+u+v)**60 1;1 1",
        "9**9**9 1;1 1",
        "oo 1;1 1",
        "((( 1;1 1",
        "gamma(sqrt(2)) 1;1 zeta(3)",
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(matrices); i++)
        for (size_t j = 0; j < CC_ARRAY_LEN(ops); j++)
            for (int other = 0; other < 3; other++) {
                cc_matrix_result r;
                cc_error err;
                bool wide = strchr(matrices[i], ';') == NULL;
                const char *b = other == 0                                  ? NULL
                                : wide                                      ? "1"
                                : strchr(strchr(matrices[i], ';') + 1, ';') ? (other == 1 ? "1;2;3" : "x;y;1")
                                                                            : (other == 1 ? "1;2" : "x;sqrt(4)");
                int rc = run(ops[j], matrices[i], b, &r, &err);
                if (rc == 0)
                    assert_true(r.value.n || r.n_parts || r.has_eigen || r.solutions);
                else
                    assert_true(err.msg[0] && err.code != CC_OK && err.code != CC_INTERNAL);
                cc_arena_reset(&arena);
            }
}

static void stops(void **state) {
    (void)state;
    const volatile sig_atomic_t stop = 1;
    static const char *const matrices[] = {"sqrt(2) 1;1 sqrt(3)", "a b;c d", "1 2;3 4"};
    for (size_t i = 0; i < CC_ARRAY_LEN(matrices); i++)
        for (size_t j = 0; j < CC_ARRAY_LEN(ops); j++) {
            cc_matrix_request q = {.op = cc_str_of(ops[j]), .a = read_matrix(matrices[i]), .b = read_matrix("1;2"), .stop = &stop};
            cc_matrix_result r;
            cc_error err;
            assert_int_equal(cc_matrix_run(&arena, &q, &r, &err), -1);
            assert_int_equal(err.code, CC_TIMEOUT);
            cc_arena_reset(&arena);
        }
}

static void large(void **state) {
    (void)state;
    // The Hilbert matrix of order 12 has an integer inverse, whose first entries are n^2 and -n^2 (n^2 - 1)/2.
    CC_CLEANUP_BUF cc_buf b = {0};
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) cc_buf_printf(&b, "%s1/%d", j ? " " : i ? ";" : "", i + j + 1);
    cc_buf_addc(&b, 0);
    cc_matrix_result r;
    cc_error err;
    assert_int_equal(run("inverse", b.p, NULL, &r, &err), 0);
    assert_text(r.parts[0].text.entries[0], "144");
    assert_text(r.parts[0].text.entries[1], "-10296");
    cc_arena_reset(&arena);
}

// Entries whose being zero nobody here can decide end in an error that says so.
static void undecided(void **state) {
    (void)state;
    cc_matrix_result r;
    cc_error err;
    assert_int_equal(run("rank", "exp(10**-3000)-1 0;0 1", NULL, &r, &err), 0);
    assert_text(r.value, "2");
    cc_arena_reset(&arena);
    // By the reflection formula of gamma this is zero; should that be decided one day, the rank is 1.
    if (run("rank", "loggamma(1/3)+loggamma(2/3)-log(2*pi/sqrt(3)) 0;0 1", NULL, &r, &err)) {
        assert_int_equal(err.code, CC_VALIDATION);
        assert_non_null(strstr(err.msg, "could not decide whether"));
    } else {
        assert_text(r.value, "1");
    }
    cc_arena_reset(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation),
        cmocka_unit_test(stops),
        cmocka_unit_test(large),
        cmocka_unit_test(undecided),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    cc_arena_free(&arena);
    return rc;
}
