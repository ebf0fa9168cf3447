// Every library in the program is called once for real, so that a build with a wrong or missing one fails here and not at a user's.
#include "unit.h"

#include <flint/ca.h>
#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>
#include <gmp.h>
#include <mpfr.h>
#include <seccomp.h>
#include <tree_sitter/api.h>
#include <uv.h>
#include <z3.h>

#include "codecalc/analyze.h"
#include "codecalc/json.h"
#include "codecalc/logic.h"

static void gmp_computes(void **state) {
    (void)state;
    mpz_t n;
    mpz_init(n);
    mpz_fac_ui(n, 25);
    char *text = mpz_get_str(NULL, 10, n);
    assert_string_equal(text, "15511210043330985984000000"); // OEIS A000142
    free(text);
    mpz_clear(n);
}

static void mpfr_computes(void **state) {
    (void)state;
    mpfr_t pi;
    char *text;
    mpfr_init2(pi, 200);
    mpfr_const_pi(pi, MPFR_RNDD);
    assert_true(mpfr_asprintf(&text, "%.45RDf", pi) > 0);
    assert_string_equal(text, "3.141592653589793238462643383279502884197169399"); // OEIS A000796
    mpfr_free_str(text);
    mpfr_clear(pi);
    mpfr_free_cache();
}

static void flint_computes(void **state) {
    (void)state;
    fmpz_t n;
    fmpz_factor_t f;
    fmpz_init(n);
    fmpz_factor_init(f);
    fmpz_set_str(n, "18446744073709551617", 10); // the sixth Fermat number: 274177 × 67280421310721
    fmpz_factor(f, n);
    assert_int_equal(f->num, 2);
    assert_true(fmpz_equal_ui(&f->p[0], 274177) && fmpz_equal_ui(&f->p[1], 67280421310721));
    fmpz_factor_clear(f);
    fmpz_clear(n);

    ca_ctx_t ctx; // and Calcium decides: sqrt(2)·sqrt(2) = 2
    ca_ctx_init(ctx);
    ca_t x;
    ca_init(x, ctx);
    ca_sqrt_ui(x, 2, ctx);
    ca_mul(x, x, x, ctx);
    ca_sub_ui(x, x, 2, ctx);
    assert_int_equal(ca_check_is_zero(x, ctx), T_TRUE);
    ca_clear(x, ctx);
    ca_ctx_clear(ctx);
    flint_cleanup_master();
}

static void z3_solves(void **state) {
    (void)state;
    Z3_config config = Z3_mk_config();
    Z3_context c = Z3_mk_context(config);
    Z3_del_config(config);
    // No integers make x² = 2y² + 1 ∧ 1 < x < 4 but x = 3, y = ±2.
    Z3_string text =
        Z3_eval_smtlib2_string(c, "(declare-const x Int)(declare-const y Int)(assert (= (* x x) (+ (* 2 y y) 1)))"
                                  "(assert (< 1 x 4))(assert (> y 0))(check-sat)(get-value (x y))(assert (not (= x 3)))(check-sat)");
    assert_string_equal(text, "sat\n((x 3)\n (y 2))\nunsat\n");
    Z3_del_context(c);
    unsigned major, minor, build, revision;
    Z3_get_version(&major, &minor, &build, &revision);
    char version[32];
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, build);
    assert_string_equal(cc_logic_solver_version(), version);
}

static void seccomp_makes_a_filter(void **state) {
    (void)state;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    assert_non_null(filter);
    assert_int_equal(seccomp_rule_add(filter, SCMP_ACT_ERRNO(1), SCMP_SYS(ptrace), 0), 0);
    FILE *file = tmpfile();
    assert_int_equal(seccomp_export_bpf(filter, fileno(file)), 0);
    assert_true(lseek(fileno(file), 0, SEEK_END) > 0);
    fclose(file);
    seccomp_release(filter);
}

static void fired(uv_timer_t *timer) {
    ++*(int *)timer->data;
    uv_close((uv_handle_t *)timer, NULL);
}

static void libuv_runs_a_loop(void **state) {
    (void)state;
    uv_loop_t loop;
    uv_timer_t timer;
    int times = 0;
    assert_int_equal(uv_loop_init(&loop), 0);
    uv_timer_init(&loop, &timer);
    timer.data = &times;
    uv_timer_start(&timer, fired, 1, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(times, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void yyjson_tells_its_version(void **state) {
    (void)state;
    assert_string_equal(cc_json_library_version(), "0.10.0");
}

// ---- tree-sitter: a snippet in every grammar ----

static const struct {
    const char *name, *text;
} snippets[] = {
    {"awk", "BEGIN { print 1 + 2 }\n"},
    {"bash", "for i in 1 2; do echo \"$i\"; done\n"},
    {"c", "int main(void) { return 0; }\n"},
    {"c_sharp", "class A { static void Main() { int x = 1; } }\n"},
    {"cpp", "template <class T> T f(T x) { return x; }\n"},
    {"elixir", "defmodule A do\n  def f(x), do: x + 1\nend\n"},
    {"erlang", "-module(a).\nf(X) -> X + 1.\n"},
    {"fortran", "program a\n  integer :: i\n  i = 1\nend program a\n"},
    {"gleam", "pub fn f(x: Int) -> Int { x + 1 }\n"},
    {"go", "package main\n\nfunc main() { x := 1; _ = x }\n"},
    {"haskell", "main :: IO ()\nmain = print (1 + 2)\n"},
    {"java", "class A { public static void main(String[] a) { int x = 1; } }\n"},
    {"javascript", "const f = (x) => { return `a${x}`; };\n"},
    {"jq", ".a | map(. + 1)\n"},
    {"json", "{\"a\": [1, true, null]}\n"},
    {"kotlin", "fun main() { val x = 1; println(\"a$x\") }\n"},
    {"lua", "local function f(x) return x + 1 end\n"},
    {"perl", "my $x = 1;\nprint \"a\";\n"},
    {"php", "<?php function f($x) { return $x + 1; }\n"},
    {"python", "def f(x):\n    if x:\n        return x + 1\n"},
    {"r", "f <- function(x) { x + 1 }\n"},
    {"ruby", "def f(x)\n  x + 1\nend\n"},
    {"rust", "fn main() { let x: i32 = 1; println!(\"{}\", x); }\n"},
    {"sql", "SELECT a, b FROM t WHERE a > 1;\n"},
    {"swift", "func f(_ x: Int) -> Int { return x + 1 }\n"},
    {"tcl", "proc f {x} { expr {$x + 1} }\n"},
    {"tsx", "const a = <b c={1}>d</b>;\n"},
    {"typescript", "function f(x: number): number { return x + 1; }\n"},
    {"zig", "pub fn main() void { const x: i32 = 1; _ = x; }\n"},
    {"zsh", "for i in a b; do echo $i; done\n"},
};

static void every_grammar_parses(void **state) {
    (void)state;
    assert_int_equal(cc_grammars_count, CC_ARRAY_LEN(snippets));
    TSParser *parser = ts_parser_new();
    for (size_t i = 0; i < cc_grammars_count; i++) {
        assert_string_equal(cc_grammars[i].name, snippets[i].name);
        if (!ts_parser_set_language(parser, cc_grammars[i].language())) fail_msg("%s: the runtime refuses the grammar", snippets[i].name);
        TSTree *tree = ts_parser_parse_string(parser, NULL, snippets[i].text, (uint32_t)strlen(snippets[i].text));
        TSNode root = ts_tree_root_node(tree);
        if (ts_node_has_error(root) || !ts_node_named_child_count(root)) {
            char *shown = ts_node_string(root);
            fail_msg("%s: %s", snippets[i].name, shown);
        }
        ts_tree_delete(tree);
    }
    ts_parser_delete(parser);
}

// The runtime cannot be asked for its version, so ours is compared with the recipe that builds it.
static void parser_version_is_that_of_the_recipe(void **state) {
    (void)state;
    FILE *file = fopen("scripts/deps.sh", "r");
    if (!file) skip(); // not started in the project's folder
    char line[512], want[64];
    snprintf(want, sizeof want, "version_treesitter() { echo %s; }", cc_analyze_parser_version());
    bool found = false;
    while (fgets(line, sizeof line, file)) found |= strncmp(line, want, strlen(want)) == 0;
    fclose(file);
    assert_true(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gmp_computes),
        cmocka_unit_test(mpfr_computes),
        cmocka_unit_test(flint_computes),
        cmocka_unit_test(z3_solves),
        cmocka_unit_test(seccomp_makes_a_filter),
        cmocka_unit_test(libuv_runs_a_loop),
        cmocka_unit_test(yyjson_tells_its_version),
        cmocka_unit_test(every_grammar_parses),
        cmocka_unit_test(parser_version_is_that_of_the_recipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
