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

// The listing of the selected tools is generated here, once.
cc_mcp *cc_mcp_new(cc_jobs *jobs, const cc_selection *selection, cc_mcp_output output);
void cc_mcp_frame(cc_mcp *mcp, cc_str frame);
void cc_mcp_oversized(cc_mcp *mcp);
size_t cc_mcp_in_flight(const cc_mcp *mcp); // calls not answered yet
// No more input: open subscriptions end; every call in flight is cancelled after grace_ms (< 0: left to its own deadline), answered all the
// same.
void cc_mcp_input_ended(cc_mcp *mcp, int grace_ms);
void cc_mcp_free(cc_mcp *mcp);

// The whole server (src/mcp/server.c): loop, transport, signals, parent watch, exit rules. Returns the exit status.
int cc_server_run(const cc_selection *selection, cc_spawner spawner);

#endif
