// list_units: the names that convert_units knows.
#include "codecalc/tools.h"
#include "codecalc/units.h"

static const cc_param params[] = {
    {"dimension", CC_STRING, .max_len = 400, .doc = "Only these, e.g. 'length'"},
    {0},
};

static const cc_field result[] = {
    {"count", "integer", true, "Names in units"},
    {"units", "string[]", true,
     "The usual names, or all names of one dimension; prefixes (km, MiB) and products (kg*m/s^2) are taken beside them"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    cc_str *names;
    size_t n;
    if (cc_units_list(call->arena, cc_arg_text(call, "dimension"), &names, &n, err)) return -1;
    cc_jw *w = &call->out;
    cc_jw_kint(w, "count", (int64_t)n);
    cc_jw_key(w, "units");
    cc_jw_array(w);
    for (size_t i = 0; i < n; i++) cc_jw_string(w, names[i]);
    cc_jw_end_array(w);
    return 0;
}

const cc_tool cc_tool_list_units = {
    .name = "list_units",
    .group = CC_CALCULATOR,
    .title = "List Units",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Unit names of convert_units. Long; rarely needed: just try.",
    .params = params,
    .result = result,
    .run = run,
};
