// symbolic: algebra on expressions with symbols. The operations are rows in src/math/symbolic.c.
#include "codecalc/algebra.h"
#include "codecalc/tools.h"

#define SLACK_MS 100 // after `timeout`, to end in order

static const cc_param params[] = {
    {"op", CC_STRING, .required = true, .max_len = 40,
     .doc = "simplify factor expand cancel together apart collect diff integrate limit series sum product solve solve_linear groebner ode "
            "laplace inverse_laplace"},
    {"expr", CC_STRING, .max_len = 10000, .big = true},
    {"var", CC_STRING, .max_len = 100},
    {"n", CC_INT, .doc = "Order of diff, series"},
    {"point", CC_STRING, .max_len = 1000, .doc = "Default: limit oo, series 0"},
    {"dir", CC_STRING, .max_len = 4, .doc = "+ or -"},
    {"lower", CC_STRING, .max_len = 1000, .doc = "Bound: integrate, sum, product, real roots"},
    {"upper", CC_STRING, .max_len = 1000},
    {"system", CC_STRING, .max_len = 10000, .doc = "'x+y=3; x*y=2'; ode: y(0)=1"},
    {"variables", CC_STRING, .max_len = 1000, .doc = "'x, y'"},
    {"order", CC_STRING, .max_len = 10, .unlisted = true, .doc = "groebner: lex (default), grevlex"},
    {"assume", CC_STRING, .max_len = 1000, .doc = "x>0, n integer"},
    {"latex", CC_BOOL, .def = "false", .unlisted = true, .doc = "Also answer in LaTeX"},
    {"timeout", CC_INT, .min = 1, .max = 60, .def = "5", .clamp = true, .unlisted = true},
    {0},
};

static const cc_field result[] = {
    {"op", "string", true, "The operation"},
    {"original", "string", false, "simplify: the expression as it was read"},
    {"simplified", "string", false, "The shortest form that was found"},
    {"factored", "string", false, "Irreducible factors over the rationals"},
    {"expanded", "string", false, "Multiplied out"},
    {"expression", "string", false, "Other operations: the expression as it was read"},
    {"variable", "string", false, "The variable"},
    {"result", "string", false, "What the operation gives"},
    {"latex", "string", false, "The result in LaTeX"},
    {"conditions", "string[]", false,
     "What must hold for the result to equal the expression, such as points where only the result is defined"},
    {"equation", "string", false, "solve, ode: the equation or inequality as it was read"},
    {"solutions", "string[]", false, "The roots; of a system, one {name: value, ...} each; of ode, equations y(x) = ... or f(x, y(x)) = 0"},
    {"multiplicities", "string[]", false, "Of the roots, where one is multiple"},
    {"approx", "string[]|string", false, "Certified decimals, where the exact values are not rational"},
    {"real", "string[]", false, "solve: the real ones among general solutions that are complex"},
    {"count", "integer", false, "solve_linear: how many solutions"},
    {"basis", "string[]", false, "groebner: the reduced basis, primitive polynomials, leading monomials descending"},
    {"unsolved", "string[]", false, "Variables that a solution leaves free"},
    {"status", "string", false, "all, none, family, unknown: what it is about, when the other fields do not say it"},
    {"complete", "boolean", false, "false: there may be further solutions"},
    {"next", "object", false, "The call that asks for roots on a wider interval: tool, arguments"},
    {"point", "string", false, "Where the limit was taken"},
    {"limit", "string", false, "The limit"},
    {"left", "string", false, "The limit from below, where the sides differ"},
    {"right", "string", false, "The limit from above, where the sides differ"},
    {"enclosure", "string", false, "The integral as a decimal with its proven radius, when there is no closed form"},
    {"grade", "string", false, "exact, certified, cross_checked"},
    {"grade_basis", "string", false, "What the grade rests on"},
    {"notes", "string[]", false, "What was tried, or must be known"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    const cc_value *n = cc_arg(&call->args, "n");
    int64_t wanted = cc_now_ms() + cc_arg_int(call, "timeout") * 1000, last = call->deadline_ms - SLACK_MS;
    if (n->present && !n->fits) return cc_error_set(err, CC_VALIDATION, "n: is too large");
    cc_symbolic_request request = {
        .op = cc_arg_text(call, "op"),
        .expr = cc_arg_text(call, "expr"),
        .var = cc_arg_text(call, "var"),
        .has_n = n->present,
        .n = n->i,
        .point = cc_arg_text(call, "point"),
        .dir = cc_arg_text(call, "dir"),
        .lower = cc_arg_text(call, "lower"),
        .upper = cc_arg_text(call, "upper"),
        .system = cc_arg_text(call, "system"),
        .variables = cc_arg_text(call, "variables"),
        .order = cc_str_trim(cc_arg_text(call, "order")),
        .options = {.digits = CC_CALC_DIGITS,
                    .latex_out = cc_arg_flag(call, "latex"),
                    .assume = cc_arg_text(call, "assume"),
                    .deadline_ms = wanted < last ? wanted : last,
                    .stop = call->stop},
    };
    cc_symbolic_result r;
    if (cc_symbolic_run(call->arena, &request, &r, err)) return -1;
    cc_jw *w = &call->out;
    cc_jw_kstring(w, "op", request.op);
    for (size_t i = 0; i < r.n_fields; i++) {
        if (r.fields[i].items)
            cc_jw_kstrings(w, r.fields[i].name, r.fields[i].items, r.fields[i].n_items);
        else if (r.fields[i].raw)
            cc_jw_kraw(w, r.fields[i].name, r.fields[i].value);
        else
            cc_jw_kstring(w, r.fields[i].name, r.fields[i].value);
    }
    cc_call_tell_about(call, &r.about);
    return 0;
}

static unsigned deadline(const cc_args *args) { return (unsigned)cc_arg(args, "timeout")->i * 1000 + SLACK_MS; }

const cc_tool cc_tool_symbolic = {
    .name = "symbolic",
    .group = CC_CALCULATOR,
    .title = "Symbolic",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Exact algebra and calculus on one expression, equation, inequality or system. Syntax as in SymPy: x**2 or x^2, 2x, "
           "pi, I.",
    .params = params,
    .result = result,
    .run = run,
    .deadline_ms = deadline,
};
