// Shared inside src/mcp: the state of the protocol, a request on its way through, and who does what.
#ifndef CODECALC_MCP_INTERNAL_H
#define CODECALC_MCP_INTERNAL_H

#include "codecalc/mcp.h"
#include "codecalc/rpc.h"

// ---- era.c: which revision a request is in ----

#define CC_MCP_MODERN              "2026-07-28"
#define CC_MCP_UNSUPPORTED_VERSION -32022

// A handshake revision and what its schema knows of the things that we send.
typedef struct cc_legacy {
    const char *version;
    bool structured; // structuredContent
    bool icons;      // serverInfo.icons
} cc_legacy;

const cc_legacy *cc_legacy_find(cc_str version); // NULL when unknown
const cc_legacy *cc_legacy_latest(void);

// A request: msg with its era decided and its _meta checked.
typedef struct cc_request {
    cc_str id, method;
    const cc_json *params; // an object or NULL
    cc_str token;          // progressToken as JSON text; empty = no progress wanted
    bool modern;
} cc_request;

typedef struct cc_rpc_error {
    int code;
    cc_str data; // JSON text, in the arena of the frame, or empty
    cc_error err;
} cc_rpc_error;

// cc_rpc_refuse(e, code, format, …) sets *e and is -1.
#define cc_rpc_refuse(e, rpc_code, ...) ((e)->code = (rpc_code), cc_error_set(&(e)->err, CC_VALIDATION, __VA_ARGS__))
// 0, or -1 with *e.
int cc_request_read(cc_arena *a, const cc_message *msg, cc_request *out, cc_rpc_error *e);

// ---- calls.c: requests that stay in flight ----

typedef struct cc_flight_link {
    struct cc_flight_link *prev, *next;
} cc_flight_link;

enum { CC_FLIGHT_BUCKETS = 1024 }; // a power of two, above what the job queue takes

typedef struct cc_flight cc_flight;

// Everything that is not answered at once, by id.
typedef struct cc_flights {
    cc_flight *bucket[CC_FLIGHT_BUCKETS];
    cc_flight_link all;          // calls, subscriptions, and cancelled calls whose job has not ended
    cc_flight_link young, older; // calls with a progress token, by the time of their next keep-alive: never told, told
    cc_flight_link spare;        // for reuse, with their buffers
    size_t owed;                 // calls without answer
    size_t subscriptions;
} cc_flights;

struct cc_mcp {
    cc_jobs *jobs;
    cc_selection selection;
    cc_mcp_output output;
    const cc_legacy *legacy; // negotiated; the latest until then
    cc_arena arena;          // of one frame
    cc_buf tools;            // the array of tools/list
    cc_buf instructions;
    cc_buf arguments, body; // scratch of one call
    cc_flights flights;
    int64_t grace_end; // INT64_MAX = none
};

void cc_flights_init(cc_mcp *m);
void cc_flights_free(cc_mcp *m);
bool cc_flights_has(const cc_mcp *m, cc_str id);
// notifications/cancelled: stops the call or subscription without another message. Unknown ids are nothing.
void cc_flights_cancel(cc_mcp *m, cc_str id);
// Each answers, or leaves something in flight that will; or -1 with *e.
int cc_call_tool(cc_mcp *m, const cc_request *r, cc_rpc_error *e);
int cc_listen(cc_mcp *m, const cc_request *r, cc_rpc_error *e);

// ---- reply.c: results ----

static inline cc_buf *cc_mcp_out(const cc_mcp *m) { return m->output.buffer(m->output.ctx); }
// The short form of serverInfo, for _meta of every modern result.
#define CC_MCP_SERVER_INFO "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"codecalc\",\"version\":\"" CC_VERSION "\"}"
// The result object, opened (with resultType when modern) and closed (with its _meta when modern).
cc_jw cc_reply_begin(const cc_mcp *m, cc_str id, bool modern);
void cc_reply_end(cc_jw *w, bool modern);
// ttlMs and cacheScope of what may be cached.
void cc_reply_cacheable(cc_jw *w);
void cc_reply_server_info(cc_jw *w, bool icons); // the Implementation object
void cc_reply_tool(const cc_mcp *m, cc_str id, bool modern, const cc_outcome *outcome);

#endif
