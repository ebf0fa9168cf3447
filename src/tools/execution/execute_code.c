// execute_code: one program, run in the sandbox, and what became of it.
#include "tools/execution/shared.h"

static const cc_param params[] = {
    CC_PROGRAM_PARAMS(CC_EXPLAINED, "10", CC_RUN_TIMEOUT_MAX_S, "Seconds, at most 120"),
    {"session_id", CC_STRING, .max_len = 64, .unlisted = true, .doc = "Sessions are not available yet"},
    {0},
};

static const cc_field fields[] = {CC_PROGRAM_FIELDS(true), {0}};

static int run(cc_call *call, cc_error *err) {
    cc_run_request q;
    cc_run_result r;
    if (cc_arg_given(call, "session_id")) {
        cc_error_set(err, CC_VALIDATION, "session_id: not supported by this version");
        return cc_error_remedy(err, "leave it out: each call runs in a fresh sandbox");
    }
    if (cc_program_read(call, &q, err) || cc_run_execute(call->arena, &q, &r, err)) return -1;
    cc_program_answer(call, &q, &r);
    return 0;
}

const cc_tool cc_tool_execute_code = {
    .name = "execute_code",
    .group = CC_EXECUTION,
    .title = "Execute Code",
    .where = CC_LAUNCHER,
    .hints = CC_OPEN_WORLD | CC_ALWAYS_LOAD | CC_LARGE_RESULT,
    .doc = "Run one program in a fresh sandbox: stdout, stderr, exit code, verdict (OK/TLE/MLE/OLE/RTE), time, memory. `unenforced` names "
           "guarantees not given.",
    .params = params,
    .result = fields,
    .run = run,
    .deadline_ms = cc_program_deadline,
};
