// convert_units: a quantity in other units, exactly.
#include "codecalc/tools.h"
#include "codecalc/units.h"

static const cc_param params[] = {
    {"value", CC_STRING, .required = true, .big = true, .max_len = 10000},
    {"from_unit", CC_STRING, .required = true, .max_len = 400, .doc = "e.g. 'mph', 'kg*m/s^2', 'degC', 'delta_degC', 'imp_gal'"},
    {"to_unit", CC_STRING, .required = true, .max_len = 400},
    {0},
};

static const cc_field result[] = {
    {"value", "number|string", true, "The quantity in to_unit; a string where a JSON number would lose digits"},
    {"unit", "string", true, "to_unit"},
    {"from", "string", true, "value and from_unit"},
    {"exact", "boolean", true, "value is the exact result; else it is the nearest double, or rounded to what was measured"},
    {"exact_value", "string", false, "The exact result where value is rounded: '463/900', 'pi/6'"},
    {"factor", "string", false, "One from_unit in to_units, exactly"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    cc_str value = cc_str_trim(cc_arg_text(call, "value")), from = cc_str_trim(cc_arg_text(call, "from_unit"));
    cc_str to = cc_arg_text(call, "to_unit");
    cc_conversion r;
    if (cc_units_convert(call->arena, value, from, to, call->stop, &r, err)) return -1;
    cc_jw *w = &call->out;
    cc_jw_kraw(w, "value", r.value);
    cc_jw_kstring(w, "unit", cc_str_trim(to));
    cc_jw_kstring(w, "from", cc_arena_printf(call->arena, "%.*s %.*s", (int)value.n, value.p, (int)from.n, from.p));
    cc_jw_kbool(w, "exact", r.exact);
    if (r.exact_value.n) cc_jw_kstring(w, "exact_value", r.exact_value);
    if (r.factor.n) cc_jw_kstring(w, "factor", r.factor);
    for (size_t i = 0; i < r.n_warnings; i++) cc_call_warn(call, "%.*s", (int)r.warnings[i].n, r.warnings[i].p);
    return 0;
}

const cc_tool cc_tool_convert_units = {
    .name = "convert_units",
    .group = CC_CALCULATOR,
    .title = "Convert Units",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Exact unit conversion: any product or quotient of units, prefixes, temperatures, angles, data, US and imperial. No currencies.",
    .params = params,
    .result = result,
    .run = run,
};
