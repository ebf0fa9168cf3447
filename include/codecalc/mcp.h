// What a message means: eras, lifecycle, tools, progress, cancellation. Transport-independent: frames come in by
// cc_mcp_frame and whole frames go out through a buffer.
#ifndef CODECALC_MCP_H
#define CODECALC_MCP_H

#include "codecalc/base.h"
#include "codecalc/job.h"
#include "codecalc/tools.h"

typedef struct cc_mcp cc_mcp;

typedef struct cc_mcp_output {
    cc_buf *(*buffer)(void *ctx); // where to append whole frames
    void *ctx;
} cc_mcp_output;

// The listing of the selected tools is generated here, once. Never NULL.
cc_mcp *cc_mcp_new(cc_jobs *jobs, const cc_selection *selection, cc_mcp_output output);
void cc_mcp_frame(cc_mcp *mcp, cc_str frame);
void cc_mcp_oversized(cc_mcp *mcp);         // a frame over CC_FRAME_MAX was skipped
size_t cc_mcp_in_flight(const cc_mcp *mcp); // calls that still have to be answered
// What is due by time: keep-alive progress, the end of the grace period. next_tick: when (of cc_now_ms; INT64_MAX = nothing).
int64_t cc_mcp_next_tick(const cc_mcp *mcp);
void cc_mcp_tick(cc_mcp *mcp, int64_t now_ms);
// No more input: open subscriptions end; every call in flight is cancelled after grace_ms (< 0: left to its own deadline), answered all the
// same.
void cc_mcp_input_ended(cc_mcp *mcp, int grace_ms);
// After cc_jobs_close, or when no call runs.
void cc_mcp_free(cc_mcp *mcp);
// The `instructions` for these groups: which tool for which intent. Appends to out.
void cc_mcp_write_instructions(const cc_selection *selection, cc_buf *out);

// The whole server (src/mcp/server.c): loop, transport, signals, parent watch, exit rules. Takes the spawner over. Returns the
// exit status: 0 after the end of input, SIGTERM, a closed stdout or the parent's death; 130 after SIGINT, 129 after SIGHUP;
// 1 when it cannot start.
int cc_server_run(const cc_selection *selection, cc_spawner spawner);

#endif
