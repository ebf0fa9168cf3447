// run_inspect: how a background run stands, and its result when it has ended. Answers from the server's table; for a run that is not in it,
// from the run's record, in a worker.
#include <stdio.h>

#include "tools/execution/runs.h"
#include "tools/execution/shared.h"

static const cc_param params[] = {{"run_id", CC_STRING, .required = true, .max_len = 64, .page = "From run_submit"}, {0}};

static const cc_field fields[] = {
    CC_RUN_FIELDS,
    {"waiting", "boolean", false, "it begins when another background run ends"},
    {"streamed_partial", "string", false, "of one that runs: what it has written so far"},
    {"cleaned", "boolean", false, "nothing of it is left"},
    {"cancelled", "boolean", false, "it was ended by run_cancel"},
    CC_PROGRAM_FIELDS(false),
    {0},
};

void cc_run_write_handle(cc_jw *w, cc_str id, cc_run_state state, int64_t started_ms, unsigned timeout_ms) {
    cc_jw_kstring(w, "run_id", id);
    cc_jw_kstringz(w, "provider_id", "local");
    if (started_ms) cc_jw_kdouble(w, "started_at", (double)started_ms / 1000);
    if (started_ms) cc_jw_kdouble(w, "deadline", (double)(started_ms + timeout_ms) / 1000);
    cc_jw_kstringz(w, "state", cc_run_state_name(state));
}

int cc_run_unknown(cc_str id, cc_error *err) {
    cc_error_set(err, CC_VALIDATION, "run_id: unknown run '%.*s'", (int)(id.n > 60 ? 60 : id.n), id.p);
    return cc_error_remedy(err,
                           "use the run_id that run_submit gave; one that had not begun when its server ended is not known, and never ran");
}

static void write_failure(cc_jw *w, cc_code code, const char *error) {
    cc_jw_kstringz(w, "code", cc_code_name(code));
    cc_jw_kstringz(w, "error", error);
    cc_jw_kstringz(w, "remedy", "submit it again if its output is wanted");
}

// ---- from the table ----

// Puts the fields of an object that was answered before into this result; "ok" leads it.
static void splice(cc_jw *w, cc_str object) {
    const char *comma = memchr(object.p, ',', object.n);
    if (!comma) return;
    cc_buf_add(w->buf, comma, object.n - (size_t)(comma - object.p) - 1);
}

static void from_table(cc_call *call, const cc_run *r) {
    cc_jw *w = &call->out;
    bool ended = cc_run_ended(r->state);
    if (ended && r->gone) {
        call->ok = false;
        write_failure(w, CC_RESOURCE_EXHAUSTED, "the run has ended, and its result was dropped to make room for those of later runs");
    } else if (ended) {
        call->ok = cc_str_starts(cc_buf_str(&r->body), CC_STR("{\"ok\":true"));
        splice(w, cc_buf_str(&r->body));
        if (r->receipt.n > 2) cc_buf_add(call->receipt.buf, r->receipt.p + 1, r->receipt.n - 2), call->receipt.comma = true;
        if (r->cancelled) cc_jw_kbool(w, "cancelled", true);
    }
    cc_run_write_handle(w, cc_str_of(r->id), r->state, r->waiting ? 0 : r->started_ms, r->timeout_ms);
    if (r->state == CC_RUN_CLEANED) cc_jw_kbool(w, "cleaned", true);
    if (r->waiting) cc_jw_kbool(w, "waiting", true);
    if (r->output.n) cc_jw_kstring(w, "streamed_partial", cc_buf_str(&r->output));
}

// ---- from its record ----

static void from_record(cc_call *call, const cc_run_record *r) {
    cc_jw *w = &call->out;
    char text[200];
    call->ok = r->state == CC_RUN_RUNNING;
    if (r->state == CC_RUN_RUNNING) {
        cc_call_warn(call, "the run belongs to another server (process %d), which alone has its output and can cancel it", (int)r->server);
    } else if (r->state == CC_RUN_RECOVERED) {
        write_failure(w, CC_WORKER_FAILURE, "the server that ran it ended before the run did; nothing of it runs any more");
    } else {
        snprintf(text, sizeof text, "the run has ended, and its output is not here: it was kept by %s",
                 r->server_lives ? "another server, or dropped to make room" : "a server that has ended");
        if (r->verdict[0]) cc_jw_kstringz(w, "verdict", r->verdict);
        if (r->verdict[0]) cc_jw_kint(w, "exit_code", r->exit_code);
        write_failure(w, CC_WORKER_FAILURE, text);
        if (r->cancelled) cc_jw_kbool(w, "cancelled", true);
    }
    cc_jw_kstringz(w, "language", r->language);
    cc_run_write_handle(w, cc_str_of(r->id), r->state, r->started_ms, r->timeout_ms);
    if (r->state == CC_RUN_CLEANED) cc_jw_kbool(w, "cleaned", true);
}

static int run(cc_call *call, cc_error *err) {
    cc_str id = cc_arg_text(call, "run_id");
    cc_run_record record;
    if (!cc_run_id_valid(id)) return cc_run_unknown(id, err);
    if (call->runs) {
        const cc_run *r = cc_runs_find(call->runs, id);
        if (!r) return cc_call_hand_on(call);
        from_table(call, r);
        return 0;
    }
    int found = cc_run_record_read(id, &record, err);
    if (found < 0) return -1;
    if (!found) return cc_run_unknown(id, err);
    from_record(call, &record);
    return 0;
}

const cc_tool cc_tool_run_inspect = {
    .name = "run_inspect",
    .group = CC_SESSIONS,
    .title = "Run Inspect",
    .where = CC_SERVER,
    .worker = CC_FILES,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT | CC_LARGE_RESULT,
    .doc = "State and output so far of a run of run_submit; then its result, as of execute_code.",
    .params = params,
    .result = fields,
    .run = run,
};
