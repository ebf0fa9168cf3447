// evaluate_expression: symbolic mathematics in one expression.
#include "codecalc/algebra.h"
#include "codecalc/tools.h"

enum { DIGITS = 15, SECONDS = 5, MAX_SECONDS = 60 };

static const cc_param params[] = {
    {"expression", CC_STRING, .required = true, .max_len = 20000, .doc = "'integrate(x**2,(x,0,1))' or LaTeX"},
    {"assume", CC_STRING, .max_len = 1000, .doc = "x>0, n integer"},
    {"digits", CC_INT, .min = 1, .max = CC_CALC_MAX_DIGITS, .clamp = true},
    {"latex", CC_BOOL, .def = "false"},
    {"timeout", CC_INT, .min = 1, .max = MAX_SECONDS, .clamp = true, .unlisted = true},
    {0},
};

static const cc_field result[] = {
    {"expression", "string", true, "Canonical form, operations carried out"},
    {"simplified", "string", false, "When it is another form"},
    {"expanded", "string", false, "When it is another form"},
    {"type", "string", true, "Integer, Rational, Add, Mul, Pow, Symbol, list … or the function's name"},
    {"value", "string", false, "Decimal of a constant, every digit proven; nan, zoo, oo; true, false"},
    {"latex", "string", false, "The expression in LaTeX"},
    {"grade", "string", false, "exact, or cross_checked (at independent points)"},
    {"grade_basis", "string", false, "What the grade rests on"},
    {"conditions", "string[]", false, "What must hold for the result to hold"},
    {"notes", "string[]", false, "What was tried, what a reader must know"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    cc_algebra_options opt = {.latex_out = cc_arg_flag(call, "latex"),
                              .assume = cc_arg_text(call, "assume"),
                              .digits = cc_arg_given(call, "digits") ? (long)cc_arg_int(call, "digits") : DIGITS,
                              .deadline_ms = call->deadline_ms,
                              .stop = call->stop};
    cc_evaluate_result r;
    if (cc_algebra_evaluate(call->arena, cc_arg_text(call, "expression"), &opt, &r, err)) return -1;
    cc_jw *w = &call->out;
    cc_jw_kstring(w, "expression", r.expression);
    if (r.simplified.n) cc_jw_kstring(w, "simplified", r.simplified);
    if (r.expanded.n) cc_jw_kstring(w, "expanded", r.expanded);
    cc_jw_kstring(w, "type", r.type);
    if (r.value.n) cc_jw_kstring(w, "value", r.value);
    if (r.latex.n) cc_jw_kstring(w, "latex", r.latex);
    cc_call_tell_about(call, &r.about);
    return 0;
}

static unsigned deadline_ms(const cc_args *args) {
    const cc_value *seconds = cc_arg(args, "timeout");
    return (seconds->present ? (unsigned)seconds->i : SECONDS) * 1000;
}

const cc_tool cc_tool_evaluate_expression = {
    .name = "evaluate_expression",
    .group = CC_CALCULATOR,
    .title = "Evaluate Expression",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Algebra and calculus: integrate, diff, limit, series, solve … Numbers alone: calc_exact.",
    .params = params,
    .result = result,
    .run = run,
    .deadline_ms = deadline_ms,
};
