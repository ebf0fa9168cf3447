// run_submit: execute_code in the background. In the server it enters the run in the table, which starts it; in the run's own worker it
// runs the program and keeps the run's record.
#include <assert.h>
#include <stdio.h>

#include "tools/execution/runs.h"
#include "tools/execution/shared.h"

static const cc_param params[] = {
    CC_PROGRAM_PARAMS(CC_UNEXPLAINED, "30", CC_RUN_TIMEOUT_MAX_S, NULL),
    {0},
};

static const cc_field fields[] = {
    CC_RUN_FIELDS,
    {"waiting", "boolean", false, "it begins when another background run ends"},
    {0},
};

// ---- in the server ----

static int submit(cc_call *call, cc_error *err) {
    cc_run_request q;
    if (cc_program_read(call, &q, err) || cc_run_check(&q, err)) return -1; // what would be refused in any case is refused now
    if (q.network && !cc_run_network_allowed(err)) return cc_call_hand_on(call);
    uint32_t tool = (uint32_t)cc_tools_index(call->tool);
    cc_run *r = cc_runs_add(call->runs, tool, call->arguments, q.timeout_ms, cc_program_deadline(&call->args), err);
    if (!r) return -1;
    cc_run_write_handle(&call->out, cc_str_of(r->id), r->state, r->waiting ? 0 : r->started_ms, r->timeout_ms);
    if (r->waiting) cc_jw_kbool(&call->out, "waiting", true);
    return 0;
}

// ---- in its worker ----

static void record(cc_call *call, const cc_run_record *r) {
    cc_error err;
    if (cc_run_record_write(r, &err) == 0) return;
    cc_log(CC_LOG_WARN, "%s", err.msg);
    if (cc_run_ended(r->state))
        cc_call_warn(call, "the record of this run could not be written: after a restart of the server it is unknown");
}

static int work(cc_call *call, cc_error *err) {
    cc_run_request q;
    cc_run_result r;
    cc_run_record note;
    if (cc_program_read(call, &q, err)) return -1;
    if (!call->run_id) { // the policy refuses it, and a refusal is put on record
        bool allowed = cc_run_network_allowed(err);
        assert(!allowed);
        cc_audit_run(&q, NULL, err);
        return -1;
    }
    q.run_id = call->run_id;
    cc_run_record_begin(&note, call->run_id);
    snprintf(note.language, sizeof note.language, "%s", q.language->name);
    note.timeout_ms = q.timeout_ms;
    cc_run_records_bound();
    record(call, &note); // before the program starts, so that none ever ran without one
    call->output(call, 0, (cc_str){0});
    int failed = cc_program_run_watched(call, &q, &r, err);
    note.state = CC_RUN_CLEANED;
    note.ended_ms = cc_run_now_ms();
    if (!failed) {
        snprintf(note.verdict, sizeof note.verdict, "%s", cc_verdict_name(r.verdict));
        note.exit_code = r.signal ? -r.signal : r.exit_code;
        note.ok = r.verdict == CC_VERDICT_OK;
        note.cancelled = r.cancelled;
    }
    record(call, &note);
    if (failed) return -1;
    cc_program_answer(call, &q, &r);
    if (r.cancelled) cc_jw_kbool(&call->out, "cancelled", true);
    return 0;
}

static int run(cc_call *call, cc_error *err) { return call->runs ? submit(call, err) : work(call, err); }

const cc_tool cc_tool_run_submit = {
    .name = "run_submit",
    .group = CC_SESSIONS,
    .title = "Run Submit",
    .where = CC_SERVER,
    .worker = CC_LAUNCHER,
    .hints = CC_OPEN_WORLD,
    .doc = "execute_code in the background (same arguments): answers at once with a run_id for run_inspect and run_cancel.",
    .params = params,
    .result = fields,
    .run = run,
};
