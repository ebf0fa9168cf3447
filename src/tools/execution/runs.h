// What the three tools of background runs share. Folder-private.
#ifndef CODECALC_TOOLS_EXECUTION_RUNS_H
#define CODECALC_TOOLS_EXECUTION_RUNS_H

#include "codecalc/runs.h"
#include "codecalc/tools.h"

// Fields of a run's handle: run_id, provider_id, started_at, deadline, state.
#define CC_RUN_FIELDS                                                                                                                      \
    {"run_id", "string", false, "the run's name"}, {"provider_id", "string", false, "where it runs: local"},                               \
        {"started_at", "number", false, "seconds since 1970; not yet when it waits"},                                                      \
        {"deadline", "number", false, "when its time is up, at the latest"}, {                                                             \
        "state", "string", false,                                                                                                          \
            "running, cancelling, finished, cleaned (finished, nothing left of it), recovered (its server ended first)"                    \
    }

void cc_run_write_handle(cc_jw *w, cc_str id, cc_run_state state, int64_t started_ms, unsigned timeout_ms);
int cc_run_unknown(cc_str id, cc_error *err);

#endif
