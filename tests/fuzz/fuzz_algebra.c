// The algebra engine: the first byte names an operation, the rest is an expression. Whatever comes back is UTF-8 that reads
// back, or an error with a message and one of three codes; simplify's answer is not different from its question.
//
// As in fuzz_expr.c, a computation that FLINT cannot be told to stop is no finding: fork mode goes on after a time-out (algebra.options).
#include "fuzz.h"
#include "timer.h"

#include "codecalc/algebra.h"

#define MAX_TEXT 200
#define LIMIT_MS 150

static cc_algebra_options options(void) {
    return (cc_algebra_options){.digits = 15, .deadline_ms = cc_now_ms() + LIMIT_MS / 2, .stop = &stop, .latex_out = true};
}

static void check_error(const cc_error *err) {
    FUZZ_REQUIRE(err->code == CC_VALIDATION || err->code == CC_RESOURCE_EXHAUSTED || err->code == CC_TIMEOUT);
    FUZZ_REQUIRE(err->msg[0] && cc_utf8_valid(cc_str_of(err->msg)));
}

static void evaluate(cc_arena *a, cc_str text) {
    cc_algebra_options opt = options();
    cc_evaluate_result r = {0}, again = {0};
    cc_error err = {0};
    if (cc_algebra_evaluate(a, text, &opt, &r, &err)) {
        check_error(&err);
        return;
    }
    FUZZ_REQUIRE(r.expression.n && cc_utf8_valid(r.expression) && cc_utf8_valid(r.latex));
    if (r.expression.n > 2000 || stop) return;
    if (cc_algebra_evaluate(a, r.expression, &opt, &again, &err)) {
        FUZZ_REQUIRE(stop || err.code == CC_RESOURCE_EXHAUSTED || err.code == CC_TIMEOUT);
        return;
    }
}

static void symbolic(cc_arena *a, const char *op, cc_str text) {
    cc_symbolic_request q = {.op = cc_str_of(op), .expr = text, .var = CC_STR("x"), .point = CC_STR("0"), .options = options()};
    cc_symbolic_result r = {0};
    cc_error err = {0};
    if (cc_symbolic_run(a, &q, &r, &err)) {
        check_error(&err);
        return;
    }
    cc_str original = {0}, simplified = {0};
    for (size_t i = 0; i < r.n_fields; i++) {
        FUZZ_REQUIRE(cc_utf8_valid(r.fields[i].value));
        for (size_t k = 0; k < r.fields[i].n_items; k++) FUZZ_REQUIRE(cc_utf8_valid(r.fields[i].items[k]));
        if (strcmp(r.fields[i].name, "original") == 0) original = r.fields[i].value;
        if (strcmp(r.fields[i].name, "simplified") == 0) simplified = r.fields[i].value;
    }
    if (!original.n || !simplified.n || original.n > 300 || simplified.n > 300 || stop) return;
    cc_equiv_result same = {0};
    if (cc_algebra_equiv(a, original, simplified, &q.options, &same, &err) == 0) FUZZ_REQUIRE(same.identical != CC_FALSE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static const char *const ops[] = {"simplify", "factor", "expand", "together",          "apart", "diff",    "integrate",
                                      "limit",    "series", "solve",  NULL /* evaluate */, "ode",   "laplace", "inverse_laplace"};
    if (n < 2 || n > MAX_TEXT) return 0;
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_str text = {(const char *)data + 1, n - 1};
    const char *op = ops[data[0] % CC_ARRAY_LEN(ops)];
    arm(LIMIT_MS);
    if (op)
        symbolic(&a, op, text);
    else
        evaluate(&a, text);
    arm(0);
    return 0;
}
