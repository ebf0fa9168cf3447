// radix_convert: a value between bases 2 and 36, fractions included.
#include "codecalc/radix.h"
#include "codecalc/tools.h"

static const cc_param params[] = {
    {"value", CC_STRING, .required = true, .max_len = CC_RADIX_MAX_LEN, .doc = "In from_base"},
    {"from_base", CC_INT, .min = 2, .max = 36, .def = "10"},
    {"to_base", CC_INT, .min = 2, .max = 36, .def = "10"},
    {0},
};

static const cc_field result[] = {
    {"value", "string", true, "Digits in to_base; cut with … when the expansion does not end"},
    {"non_terminating", "boolean", false, "true when the expansion does not end"},
    {"repeating", "string", false, "Such an expansion with its period in parentheses, where that is short"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    cc_radix r;
    if (cc_radix_convert(cc_arg_text(call, "value"), (int)cc_arg_int(call, "from_base"), (int)cc_arg_int(call, "to_base"), &r, err))
        return -1;
    cc_jw_kstring(&call->out, "value", cc_buf_str(&r.value));
    if (!r.ends) cc_jw_kbool(&call->out, "non_terminating", true);
    if (r.repeating.n) cc_jw_kstring(&call->out, "repeating", cc_buf_str(&r.repeating));
    cc_radix_free(&r);
    return 0;
}

const cc_tool cc_tool_radix_convert = {
    .name = "radix_convert",
    .group = CC_CALCULATOR,
    .title = "Radix Convert",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Convert between bases 2-36, fractions too; tells if one is endless. For two's complement use bits.",
    .params = params,
    .result = result,
    .run = run,
};
