// What a message means: methods by era, the handshake, the lists, and which tool for which intent. Called by server.c with
// frames; owns the state of the protocol. Answers through the buffer it was given, never blocks, and computes nothing.
#include <stdlib.h>

#include "mcp/internal.h"

// ---- instructions ----

// A line is there when one of its tools is.
static const struct {
    const char *intent;
    const char *tools[4];
} intents[] = {
    {"Arithmetic, however small; fractions, roots, number theory", {"calc_exact"}},
    {"Is it over a limit", {"compare_threshold"}},
    {"Percent", {"percentage", "percent_change"}},
    {"Averages, spread", {"calc_stats", "percentiles"}},
    {"Bits, bases, floats", {"bits", "radix_convert", "float_repr"}},
    {"Sizes, times", {"data_sizes", "human_duration", "epoch_time"}},
    {"Hash or id collisions", {"collision_probability"}},
    {"Linear algebra", {"matrix"}},
    {"Algebra and calculus with symbols", {"evaluate_expression", "symbolic"}},
    {"Are two formulas the same", {"algebraic_equiv"}},
    {"Run a program", {"execute_code", "execute_code_stream"}},
    {"The same in several languages", {"compare_execution"}},
    {"Run it in the background", {"run_submit", "run_inspect", "run_cancel"}},
    {"Installed languages, packages", {"list_languages", "runtime_probe"}},
};

static const cc_tool *active(const cc_selection *selection, const char *name) {
    const cc_tool *tool = cc_tools_find(cc_str_of(name));
    return tool && cc_selection_has(selection, tool) ? tool : NULL;
}

void cc_mcp_write_instructions(const cc_selection *selection, cc_buf *out) {
    cc_buf_addz(out, "Call these instead of computing in your head: an answer is exact or says that it is not.");
    for (size_t i = 0; i < CC_ARRAY_LEN(intents); i++) {
        const char *before = NULL;
        for (size_t j = 0; j < CC_ARRAY_LEN(intents[i].tools) && intents[i].tools[j]; j++) {
            if (!active(selection, intents[i].tools[j])) continue;
            if (before)
                cc_buf_printf(out, ", %s", intents[i].tools[j]);
            else
                cc_buf_printf(out, " %s: %s", intents[i].intent, intents[i].tools[j]);
            before = intents[i].tools[j];
        }
        if (before) cc_buf_addc(out, '.');
    }
    cc_buf_addz(out, " When ok is false, do what remedy says.");
}

// ---- the methods ----

static int initialize(cc_mcp *m, const cc_request *r, cc_rpc_error *e) {
    const cc_json *wanted = cc_json_get_type(r->params, "protocolVersion", CC_JSON_STRING);
    if (!wanted) return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "params: protocolVersion must be a string");
    m->legacy = cc_legacy_find(cc_json_string(wanted));
    if (!m->legacy) m->legacy = cc_legacy_latest(); // the client decides whether it can go on with that
    cc_jw w = cc_reply_begin(m, r->id, false);
    cc_jw_kstringz(&w, "protocolVersion", m->legacy->version);
    cc_jw_kraw(&w, "capabilities", CC_STR("{\"tools\":{}}"));
    cc_jw_key(&w, "serverInfo");
    cc_reply_server_info(&w, m->legacy->icons);
    cc_jw_kstring(&w, "instructions", cc_buf_str(&m->instructions));
    cc_reply_end(&w, false);
    return 0;
}

static int discover(cc_mcp *m, const cc_request *r, cc_rpc_error *e) {
    (void)e;
    cc_jw w = cc_reply_begin(m, r->id, true);
    cc_jw_kraw(&w, "supportedVersions", CC_STR("[\"" CC_MCP_MODERN "\"]"));
    cc_jw_kraw(&w, "capabilities", CC_STR("{\"tools\":{}}"));
    cc_reply_cacheable(&w);
    cc_jw_kstring(&w, "instructions", cc_buf_str(&m->instructions));
    cc_jw_key(&w, "_meta");
    cc_jw_object(&w);
    cc_jw_key(&w, "io.modelcontextprotocol/serverInfo");
    cc_reply_server_info(&w, true);
    cc_jw_end_object(&w);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    return 0;
}

static int ping(cc_mcp *m, const cc_request *r, cc_rpc_error *e) {
    (void)e;
    cc_jw w = cc_reply_begin(m, r->id, false);
    cc_reply_end(&w, false);
    return 0;
}

static int tools_list(cc_mcp *m, const cc_request *r, cc_rpc_error *e) {
    const cc_json *cursor = cc_json_get(r->params, "cursor");
    if (cursor && cc_json_type_of(cursor) != CC_JSON_NULL)
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "params: cursor is not one of ours; the list has one page");
    cc_jw w = cc_reply_begin(m, r->id, r->modern);
    cc_jw_kraw(&w, "tools", cc_buf_str(&m->tools));
    if (r->modern) cc_reply_cacheable(&w);
    cc_reply_end(&w, r->modern);
    return 0;
}

enum { LEGACY = 1, MODERN = 2 };

static const struct {
    const char *name;
    unsigned eras;
    int (*answer)(cc_mcp *m, const cc_request *r, cc_rpc_error *e);
} methods[] = {
    {"tools/call", LEGACY | MODERN, cc_call_tool},
    {"tools/list", LEGACY | MODERN, tools_list},
    {"ping", LEGACY, ping},
    {"initialize", LEGACY, initialize},
    {"server/discover", MODERN, discover},
    {"subscriptions/listen", MODERN, cc_listen},
};

static int answer(cc_mcp *m, const cc_message *msg, cc_rpc_error *e) {
    if (cc_flights_has(m, msg->id))
        return cc_rpc_refuse(e, CC_RPC_INVALID_REQUEST, "the id is in use by a request that is still in flight");
    cc_request r;
    if (cc_request_read(&m->arena, msg, &r, e)) return -1;
    for (size_t i = 0; i < CC_ARRAY_LEN(methods); i++) {
        if (!cc_str_eqz(r.method, methods[i].name)) continue;
        if (methods[i].eras & (r.modern ? MODERN : LEGACY)) return methods[i].answer(m, &r, e);
        if (r.modern) return cc_rpc_refuse(e, CC_RPC_NO_METHOD, "%s does not exist in " CC_MCP_MODERN, methods[i].name);
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "%s needs params._meta with io.modelcontextprotocol/protocolVersion", methods[i].name);
    }
    return cc_rpc_refuse(e, CC_RPC_NO_METHOD, "unknown method \"%.*s\"", (int)cc_utf8_prefix(r.method, 80).n, r.method.p);
}

// Others (initialized, roots/list_changed, progress, unknown ones) ask for nothing.
static void notification(cc_mcp *m, const cc_message *msg) {
    if (!cc_str_eqz(msg->method, "notifications/cancelled")) return;
    cc_str id = cc_message_id_text(&m->arena, cc_json_get(msg->params, "requestId"));
    if (id.n) cc_flights_cancel(m, id);
}

// ---- frames ----

#define ARENA_KEEP ((size_t)1 << 20) // after a large frame the memory goes back

static void drop_frame(cc_mcp *m) {
    if (m->arena.used > ARENA_KEEP)
        cc_arena_free(&m->arena);
    else
        cc_arena_reset(&m->arena);
    if (m->arguments.cap > ARENA_KEEP) cc_buf_free(&m->arguments);
    if (m->body.cap > ARENA_KEEP) cc_buf_free(&m->body);
}

void cc_mcp_frame(cc_mcp *m, cc_str frame) {
    cc_message msg;
    cc_rpc_error e = {0};
    int bad = cc_message_parse(&m->arena, frame, &msg, &e.code, &e.err);
    if (!bad && msg.kind == CC_NOTIFICATION) notification(m, &msg);
    if (!bad && msg.kind == CC_REQUEST) bad = answer(m, &msg, &e);
    if (bad && e.code)
        cc_message_write_error(cc_mcp_out(m), msg.id, e.code, cc_str_of(e.err.msg), e.data);
    else if (bad)
        cc_log(CC_LOG_INFO, "a malformed notification was ignored: %s", e.err.msg);
    drop_frame(m);
}

void cc_mcp_oversized(cc_mcp *m) {
    cc_message_write_error(cc_mcp_out(m), (cc_str){0}, CC_RPC_INVALID_REQUEST, CC_STR("the message is longer than 16 MiB"), (cc_str){0});
}

// ---- life ----

cc_mcp *cc_mcp_new(cc_jobs *jobs, const cc_selection *selection, cc_mcp_output output) {
    cc_mcp *m = cc_malloc(sizeof *m);
    *m = (cc_mcp){.jobs = jobs, .selection = *selection, .output = output, .legacy = cc_legacy_latest(), .grace_end = INT64_MAX};
    cc_flights_init(m);
    cc_jw w = cc_jw_make(&m->tools);
    cc_jw_array(&w);
    for (const cc_tool *const *t = cc_tools; *t; t++)
        if (cc_selection_has(selection, *t)) cc_tool_write_listing(&w, *t);
    cc_jw_end_array(&w);
    cc_mcp_write_instructions(selection, &m->instructions);
    return m;
}

void cc_mcp_free(cc_mcp *m) {
    cc_flights_free(m);
    cc_arena_free(&m->arena);
    cc_buf_free(&m->tools);
    cc_buf_free(&m->instructions);
    cc_buf_free(&m->arguments);
    cc_buf_free(&m->body);
    free(m);
}
