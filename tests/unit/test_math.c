// The expression parser, and the parts of the exact calculator that the cases in tests/cases do not reach: positions, dialects,
// limits, stopping, high precision.
#include "unit.h"

#include "codecalc/math.h"

static cc_arena arena;

// The tree as text: (op a b), a call as name(a b), a chain as [a op b op c].
static void write_tree(cc_buf *b, const cc_node *x) {
    switch (x->kind) {
    case CC_NODE_NUMBER:
    case CC_NODE_NAME: cc_buf_adds(b, x->text); return;
    case CC_NODE_CALL:
    case CC_NODE_TUPLE:
    case CC_NODE_LIST:
        if (x->kind == CC_NODE_CALL) cc_buf_adds(b, x->text);
        cc_buf_addc(b, x->kind == CC_NODE_CALL ? '(' : '{');
        for (size_t i = 0; i < x->n_args; i++) {
            if (i) cc_buf_addc(b, ' ');
            write_tree(b, x->args[i]);
        }
        cc_buf_addc(b, x->kind == CC_NODE_CALL ? ')' : '}');
        return;
    case CC_NODE_COMPARE:
        cc_buf_addc(b, '[');
        for (size_t i = 0; i < x->n_args; i++) {
            if (i) cc_buf_printf(b, " %s ", cc_op_text(x->ops[i - 1]));
            write_tree(b, x->args[i]);
        }
        cc_buf_addc(b, ']');
        return;
    case CC_NODE_UNARY:
    case CC_NODE_BINARY:
        cc_buf_printf(b, "(%s", x->implicit ? "" : cc_op_text(x->op));
        for (size_t i = 0; i < x->n_args; i++) {
            cc_buf_addc(b, ' ');
            write_tree(b, x->args[i]);
        }
        cc_buf_addc(b, ')');
    }
}

static void check_tree(cc_dialect dialect, const char *text, const char *want) {
    cc_parsed p;
    cc_error err = {0};
    CC_CLEANUP_BUF cc_buf b = {0};
    if (cc_expr_parse(&arena, cc_str_of(text), dialect, &p, &err)) fail_msg("%s: %s", text, err.msg);
    write_tree(&b, p.root);
    assert_text(b, want);
    cc_arena_reset(&arena);
}

static void precedence(void **state) {
    (void)state;
    static const struct {
        const char *text, *tree;
    } t[] = {
        {"1+2*3", "(+ 1 (* 2 3))"},
        {"1-2-3", "(- (- 1 2) 3)"},
        {"2**3**2", "(** 2 (** 3 2))"},
        {"-2**2", "(- (** 2 2))"},
        {"2**-1", "(** 2 (- 1))"},
        {"~5 & 3", "(& (~ 5) 3)"},
        {"1 | 2 ^ 3 & 4 << 5 + 6", "(| 1 (^ 2 (& 3 (<< 4 (+ 5 6)))))"},
        {"not 1 < 2 and 3 or 4", "(or (and (not [1 < 2]) 3) 4)"},
        {"1 < 2 <= 3 != 4", "[1 < 2 <= 3 != 4]"},
        {"2pi", "( 2 pi)"},
        {"2pi**2", "( 2 (** pi 2))"},
        {"2(3)(4)", "( ( 2 3) 4)"},
        {"1/2 pi", "( (/ 1 2) pi)"},
        {"5%", "(% 5)"},
        {"5 % 3", "(% 5 3)"},
        {"5%*3", "(* (% 5) 3)"},
        {"5% of 200", "(* (% 5) 200)"},
        {"5 % -3", "(% 5 (- 3))"},
        {"5% - 3", "(- (% 5) 3)"},
        {"3!**2", "(** (! 3) 2)"},
        {"-3!", "(- (! 3))"},
        {"3!!", "(!! 3)"},
        {"2²", "(** 2 2)"},
        {"2⁻¹⁰", "(** 2 (- 10))"},
        {"√2*3", "(* sqrt(2) 3)"},
        {"f(1,234)", "f(1 234)"},
        {"1,234,567.5", "1234567.5"},
        {"f((1,234))", "f(1234)"},
        {"[1,2]", "{1 2}"},
        {"f()", "f()"},
        {"1_000e1_0", "1000e10"},
        {"0xFF", "0xFF"},
        {"2e", "( 2 e)"},
        {"2e-3", "2e-3"},
        {"a && b || !c", "(or (and a b) (not c))"},
        {"7 mod 3", "(% 7 3)"},
        {"mod(7,3)", "mod(7 3)"},
        {"1 ≤ 2 ≠ 3", "[1 <= 2 != 3]"},
        {"6×7÷2−1", "(- (/ (* 6 7) 2) 1)"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(t); i++) check_tree(CC_DIALECT_CALC, t[i].text, t[i].tree);
}

static void dialects(void **state) {
    (void)state;
    check_tree(CC_DIALECT_SYMBOLIC, "x^2 = 4", "(= (** x 2) 4)");
    check_tree(CC_DIALECT_SYMBOLIC, "2^3^2", "(** 2 (** 3 2))");
    check_tree(CC_DIALECT_SYMBOLIC, "-x^2", "(- (** x 2))");
    check_tree(CC_DIALECT_CALC, "2^3", "(^ 2 3)");
}

static void check_error(const char *text, cc_code code, const char *part) {
    cc_parsed p;
    cc_error err = {0};
    if (!cc_expr_parse(&arena, cc_str_of(text), CC_DIALECT_CALC, &p, &err)) fail_msg("%s was parsed", text);
    if (err.code != code || !strstr(err.msg, part)) fail_msg("%s: code %d, %s", text, err.code, err.msg);
    cc_arena_reset(&arena);
}

static void syntax_errors(void **state) {
    (void)state;
    check_error("", CC_VALIDATION, "empty");
    check_error("1 + + ", CC_VALIDATION, "ends where a number");
    check_error("(1 + 2", CC_VALIDATION, "')'");
    check_error("1 + 2)", CC_VALIDATION, "column 6");
    check_error("12 34", CC_VALIDATION, "column 4");
    check_error("1 = 2", CC_VALIDATION, "==");
    check_error("1 + \x01", CC_VALIDATION, "control character");
    check_error("1 + \xff", CC_VALIDATION, "not valid UTF-8");
    check_error("0x", CC_VALIDATION, "no digits");
    check_error("0b12", CC_VALIDATION, "column 4");
    check_error("1.2.3", CC_VALIDATION, "decimal point");
    check_error("1,23", CC_VALIDATION, "three digits");
    check_error("10%-3", CC_VALIDATION, "per cent or modulo");
    check_error("2²⁻", CC_VALIDATION, "exponent");
}

static void limits(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_parsed p;
    cc_error err = {0};
    for (int i = 0; i < 150; i++) cc_buf_addc(&b, '(');
    cc_buf_addc(&b, '1');
    for (int i = 0; i < 150; i++) cc_buf_addc(&b, ')');
    assert_int_equal(cc_expr_parse(&arena, cc_buf_str(&b), CC_DIALECT_CALC, &p, &err), 0);
    static const char *const deep[] = {"(", "-", "[", "f(", "2**", "not ", "~", "√"};
    for (size_t k = 0; k < CC_ARRAY_LEN(deep); k++) {
        b.n = 0;
        for (int i = 0; i < 5000; i++) cc_buf_addz(&b, deep[k]);
        cc_buf_addc(&b, '1');
        assert_int_equal(cc_expr_parse(&arena, cc_buf_str(&b), CC_DIALECT_CALC, &p, &err), -1);
        assert_int_equal(err.code, CC_RESOURCE_EXHAUSTED);
    }
    b.n = 0; // wide is no problem, deep in postfix signs is
    for (int i = 0; i < 20000; i++) cc_buf_addz(&b, i ? "+1" : "1");
    cc_calc_options opt = {.digits = 30};
    cc_calc_result r;
    assert_int_equal(cc_calc_eval(&arena, cc_buf_str(&b), &opt, &r, &err), 0);
    assert_text(r.value, "20000");
    b.n = 0;
    for (int i = 0; i < 5000; i++) cc_buf_addz(&b, i ? "!" : "3");
    assert_int_equal(cc_expr_parse(&arena, cc_buf_str(&b), CC_DIALECT_CALC, &p, &err), -1);
    b.n = 0;
    for (int i = 0; i < 70000; i++) cc_buf_addc(&b, '1');
    assert_int_equal(cc_expr_parse(&arena, cc_buf_str(&b), CC_DIALECT_CALC, &p, &err), -1);
    assert_int_equal(err.code, CC_RESOURCE_EXHAUSTED);
    cc_arena_free(&arena);
}

// The text may hold anything, also NUL, and need not end in one.
static void bytes(void **state) {
    (void)state;
    cc_parsed p;
    cc_error err = {0};
    assert_int_equal(cc_expr_parse(&arena, CC_STR("1\0+1"), CC_DIALECT_CALC, &p, &err), -1);
    char *exact = malloc(3);
    assert_non_null(exact);
    memcpy(exact, "1e5", 3);
    assert_int_equal(cc_expr_parse(&arena, cc_str_make(exact, 2), CC_DIALECT_CALC, &p, &err), 0); // "1e": one times e
    assert_int_equal(p.root->kind, CC_NODE_BINARY);
    free(exact);
    cc_arena_reset(&arena);
}

// A sum of 200 square roots and nests of 60 are beyond exact algebra; they still have certified decimals.
static void beyond_algebra(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_error err = {0};
    cc_calc_options opt = {.digits = 20};
    cc_calc_result r;
    for (int i = 2; i < 202; i++) cc_buf_printf(&b, "%ssqrt(%d)", i > 2 ? "+" : "", i);
    assert_int_equal(cc_calc_eval(&arena, cc_buf_str(&b), &opt, &r, &err), 0);
    assert_text(r.approx, "1905.6616579071069144"); // mpmath with 60 digits
    assert_string_equal(r.grade, "certified");
    b.n = 0;
    for (int i = 0; i < 60; i++) cc_buf_addz(&b, "sqrt(1+");
    cc_buf_addc(&b, '1');
    for (int i = 0; i < 60; i++) cc_buf_addc(&b, ')');
    assert_int_equal(cc_calc_eval(&arena, cc_buf_str(&b), &opt, &r, &err), 0);
    assert_text(r.approx, "1.6180339887498948482"); // within 1e-30 of the golden ratio
    cc_arena_reset(&arena);
}

static void digits(void **state) {
    (void)state;
    cc_error err = {0};
    cc_calc_options opt = {.digits = 100000};
    cc_calc_result r;
    assert_int_equal(cc_calc_eval(&arena, CC_STR("pi"), &opt, &r, &err), 0);
    assert_int_equal(r.approx.n, 100001);
    // mpmath: the digits go on …5493624646412, of which 5493624646 rounds to 549362465 here.
    assert_memory_equal(r.approx.p + 100001 - 9, "549362465", 9);
    opt.digits = 1000;
    assert_int_equal(cc_calc_eval(&arena, CC_STR("(1/7)**3"), &opt, &r, &err), 0);
    assert_true(r.differs);
    assert_int_equal(cc_calc_eval(&arena, CC_STR("1/2**1000"), &opt, &r, &err), 0);
    assert_false(r.differs); // 699 digits
    opt.digits = 698;
    assert_int_equal(cc_calc_eval(&arena, CC_STR("1/2**1000"), &opt, &r, &err), 0);
    assert_true(r.differs);
    cc_arena_reset(&arena);
}

static void stops(void **state) {
    (void)state;
    cc_error err = {0};
    const volatile sig_atomic_t stop = 1;
    cc_calc_options opt = {.digits = 30, .stop = &stop};
    cc_calc_result r;
    assert_int_equal(cc_calc_eval(&arena, CC_STR("sqrt(2) + 1"), &opt, &r, &err), -1);
    assert_int_equal(err.code, CC_TIMEOUT);
    cc_arena_reset(&arena);
}

static void refused_at_once(void **state) {
    (void)state;
    static const char *const huge[] = {"9**9**9",       "9**9**9**9",     "2**10**18",           "factorial(10**9)",
                                       "1e99999999999", "1<<10**15",      "comb(10**12,10**11)", "fibonacci(10**12)",
                                       "(1/3)**10**9",  "10**10**10 + 1", "gamma(10**9)"};
    cc_calc_options opt = {.digits = 30};
    for (size_t i = 0; i < CC_ARRAY_LEN(huge); i++) {
        cc_error err = {0};
        cc_calc_result r;
        int64_t start = cc_now_ns();
        assert_int_equal(cc_calc_eval(&arena, cc_str_of(huge[i]), &opt, &r, &err), -1);
        int64_t took = cc_now_ns() - start;
        if (err.code != CC_RESOURCE_EXHAUSTED) fail_msg("%s: %s", huge[i], err.msg);
        if (took > 20000000) fail_msg("%s took %ld us", huge[i], (long)(took / 1000)); // far under a millisecond on an idle machine
        cc_arena_reset(&arena);
    }
}

static void unknown_names(void **state) {
    (void)state;
    cc_error err = {0};
    cc_calc_options opt = {.digits = 30};
    cc_calc_result r;
    assert_int_equal(cc_calc_eval(&arena, CC_STR("2*x + 1"), &opt, &r, &err), -1);
    assert_text(r.unknown_name, "x");
    assert_non_null(strstr(err.msg, "column 3"));
    assert_int_equal(cc_calc_eval(&arena, CC_STR("sqr(2)"), &opt, &r, &err), -1);
    assert_non_null(strstr(err.msg, "sqrt"));
    assert_int_equal(cc_calc_eval(&arena, CC_STR("fibonaci(2)"), &opt, &r, &err), -1);
    assert_non_null(strstr(err.msg, "fibonacci"));
    cc_arena_reset(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence),      cmocka_unit_test(dialects),      cmocka_unit_test(syntax_errors),  cmocka_unit_test(limits),
        cmocka_unit_test(bytes),           cmocka_unit_test(digits),        cmocka_unit_test(beyond_algebra), cmocka_unit_test(stops),
        cmocka_unit_test(refused_at_once), cmocka_unit_test(unknown_names),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    cc_arena_free(&arena);
    return rc;
}
