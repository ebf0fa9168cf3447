// compare_threshold: a OP b, decided exactly, with the shortfall when it fails.
#include "codecalc/math.h"
#include "codecalc/tools.h"

static const cc_param params[] = {
    {"a", CC_STRING, .required = true, .max_len = 20000},
    {"op", CC_STRING, .required = true, .max_len = 8, .doc = "== != > >= < <="},
    {"b", CC_STRING, .required = true, .max_len = 20000},
    {0},
};

static const cc_field result[] = {
    {"a", "string", true, "Exact form of the left side"},
    {"b", "string", true, "Exact form of the right side"},
    {"op", "string", true, "The comparison"},
    {"holds", "boolean|null", true, "The verdict; null when it could not be decided"},
    {"difference", "string", false, "a - b, exact form"},
    {"difference_approx", "string", false, "Its decimal, when it is irrational"},
    {"shortfall", "string", false, "|a - b| when the comparison fails"},
    {"shortfall_approx", "string", false, "Its decimal, when it is irrational"},
    {"note", "string", false, "What was tried, when undecided"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    cc_calc_options opt = {.digits = CC_CALC_DIGITS, .stop = call->stop};
    cc_compare_result r;
    if (cc_calc_compare(call->arena, cc_arg_text(call, "a"), cc_arg_text(call, "op"), cc_arg_text(call, "b"), &opt, &r, err)) return -1;
    cc_jw *w = &call->out;
    cc_jw_kstring(w, "a", r.a);
    cc_jw_kstring(w, "b", r.b);
    cc_jw_kstringz(w, "op", r.op);
    cc_jw_key(w, "holds");
    if (r.holds == CC_UNDECIDED)
        cc_jw_null(w);
    else
        cc_jw_bool(w, r.holds == CC_TRUE);
    if (r.difference.n) cc_jw_kstring(w, "difference", r.difference);
    if (r.difference_approx.n) cc_jw_kstring(w, "difference_approx", r.difference_approx);
    if (r.shortfall.n) cc_jw_kstring(w, "shortfall", r.shortfall);
    if (r.shortfall_approx.n) cc_jw_kstring(w, "shortfall_approx", r.shortfall_approx);
    if (r.note.n) cc_jw_kstring(w, "note", r.note);
    for (size_t i = 0; i < r.n_warnings; i++) cc_call_warn(call, "%.*s", (int)r.warnings[i].n, r.warnings[i].p);
    return 0;
}

const cc_tool cc_tool_compare_threshold = {
    .name = "compare_threshold",
    .group = CC_CALCULATOR,
    .title = "Compare Threshold",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Decides a OP b exactly, with the shortfall when it fails. For a value use calc_exact.",
    .params = params,
    .result = result,
    .run = run,
};
