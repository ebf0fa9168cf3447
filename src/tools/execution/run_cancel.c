// run_cancel: ends a background run with all its processes. Only the server that runs it can; of others it says how they stand.
#include "tools/execution/runs.h"

static const cc_param params[] = {{"run_id", CC_STRING, .required = true, .max_len = 64, .page = "From run_submit"}, {0}};

static const cc_field fields[] = {
    {"run_id", "string", true, "the run's name"},
    {"cancelled", "boolean", true, "it is being ended by this call; false when it had ended, or was being ended, before"},
    {"state", "string", true, "cancelling, or as run_inspect says"},
    {0},
};

static void answer(cc_call *call, cc_str id, bool cancelled, cc_run_state state) {
    cc_jw_kstring(&call->out, "run_id", id);
    cc_jw_kbool(&call->out, "cancelled", cancelled);
    cc_jw_kstringz(&call->out, "state", cc_run_state_name(state));
}

static int run(cc_call *call, cc_error *err) {
    cc_str id = cc_arg_text(call, "run_id");
    cc_run_record record;
    if (!cc_run_id_valid(id)) return cc_run_unknown(id, err);
    if (call->runs) {
        cc_run *r = cc_runs_find(call->runs, id);
        if (!r) return cc_call_hand_on(call);
        bool cancelled = r->state == CC_RUN_RUNNING && cc_runs_cancel(call->runs, r);
        answer(call, id, cancelled, r->state);
        return 0;
    }
    int found = cc_run_record_read(id, &record, err);
    if (found < 0) return -1;
    if (!found) return cc_run_unknown(id, err);
    if (cc_run_ended(record.state)) {
        answer(call, id, false, record.state);
        return 0;
    }
    cc_error_set(err, CC_PERMISSION_DENIED, "run_id: the run belongs to another server (process %d)", (int)record.server);
    return cc_error_remedy(err, "cancel it where it was submitted; it ends with that server in any case");
}

const cc_tool cc_tool_run_cancel = {
    .name = "run_cancel",
    .group = CC_SESSIONS,
    .title = "Run Cancel",
    .where = CC_SERVER,
    .worker = CC_FILES,
    .hints = CC_DESTRUCTIVE | CC_IDEMPOTENT,
    .doc = "End a run of run_submit with all its processes; run_inspect has what it wrote.",
    .params = params,
    .result = fields,
    .run = run,
};
