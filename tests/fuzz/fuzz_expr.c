// Expressions: the parser in both dialects, and the calculator on short ones. An error has a message and a position that lies in
// the text; a rational result is written so that it reads back as itself.
//
// A computation that FLINT cannot be told to stop is no finding (a job is killed at its deadline): the target runs in libFuzzer's
// fork mode, which goes on after a time-out (expr.options).
#include "fuzz.h"
#include "timer.h"

#include "codecalc/math.h"

static void check_nodes(const cc_node *node, size_t n, unsigned depth) {
    FUZZ_REQUIRE(node && node->pos <= n && depth <= 4 * CC_EXPR_MAX_DEPTH);
    if (node->kind == CC_NODE_BINARY) FUZZ_REQUIRE(node->n_args == 2);
    if (node->kind == CC_NODE_UNARY) FUZZ_REQUIRE(node->n_args == 1);
    if (node->kind == CC_NODE_COMPARE) FUZZ_REQUIRE(node->n_args >= 2 && node->ops);
    if (node->kind == CC_NODE_NUMBER || node->kind == CC_NODE_NAME) FUZZ_REQUIRE(node->text.n > 0 && node->n_args == 0);
    for (size_t i = 0; i < node->n_args; i++) check_nodes(node->args[i], n, depth + 1);
}

static void require_message(const cc_error *err) { FUZZ_REQUIRE(err->code != CC_OK && err->msg[0] && cc_utf8_valid(cc_str_of(err->msg))); }

static void calculate(cc_arena *a, cc_str text) {
    cc_calc_options options = {.digits = CC_CALC_DIGITS, .stop = &stop};
    cc_calc_result result = {0}, again = {0};
    cc_error err = {0};
    if (cc_calc_eval(a, text, &options, &result, &err) != 0) {
        require_message(&err);
        return;
    }
    FUZZ_REQUIRE(result.type);
    FUZZ_REQUIRE(!result.exact || result.value.n > 0 || strcmp(result.type, "bool") == 0);
    if (strcmp(result.type, "rational") != 0 || !result.exact || result.value.n == 0 || result.value.n > 1000) return;
    if (cc_calc_eval(a, result.value, &options, &again, &err) != 0) {
        FUZZ_REQUIRE(stop);
        return;
    }
    FUZZ_REQUIRE(cc_str_eq(result.value, again.value) && cc_str_eq(result.approx, again.approx));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_str text = {(const char *)data, n};
    for (int dialect = CC_DIALECT_CALC; dialect <= CC_DIALECT_SYMBOLIC; dialect++) {
        cc_parsed parsed = {0};
        cc_error err = {0};
        if (cc_expr_parse(&a, text, (cc_dialect)dialect, &parsed, &err) != 0) {
            FUZZ_REQUIRE(err.code == CC_VALIDATION || err.code == CC_RESOURCE_EXHAUSTED);
            require_message(&err);
            continue;
        }
        FUZZ_REQUIRE(parsed.n_warnings <= CC_ARRAY_LEN(parsed.warnings));
        check_nodes(parsed.root, n, 0);
    }
    if (n > 64) return 0;
    arm(200);
    calculate(&a, text);
    arm(0);
    return 0;
}
