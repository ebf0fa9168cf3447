// execute_code_stream: execute_code with its output told as it comes, to a client that asked for progress, and with more time.
#include "tools/execution/shared.h"

static const cc_param params[] = {
    CC_PROGRAM_PARAMS(CC_UNEXPLAINED, "30", CC_RUN_STREAM_MAX_S, NULL),
    {0},
};

static const cc_field fields[] = {
    CC_PROGRAM_FIELDS(true),
    {"streamed", "boolean", false, "the client asked for progress, and was told output as it came"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    cc_run_request q;
    cc_run_result r;
    if (cc_program_read(call, &q, err) || cc_program_run_watched(call, &q, &r, err)) return -1;
    cc_program_answer(call, &q, &r);
    if (call->output) cc_jw_kbool(&call->out, "streamed", true);
    return 0;
}

const cc_tool cc_tool_execute_code_stream = {
    .name = "execute_code_stream",
    .group = CC_EXECUTION,
    .title = "Execute Code Stream",
    .where = CC_LAUNCHER,
    .hints = CC_OPEN_WORLD | CC_LARGE_RESULT,
    .doc = "execute_code (same arguments), with output also sent as progress while it runs; up to 300 s.",
    .params = params,
    .result = fields,
    .run = run,
    .deadline_ms = cc_program_deadline,
};
