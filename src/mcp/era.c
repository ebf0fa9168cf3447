// Which revision of the protocol a request is in, and what its _meta must say. Judged for each request by itself: 2026-07-28 is
// stateless and tells its version in _meta; before that there was a handshake. Called by mcp.c; owns nothing.
#include "mcp/internal.h"

static const cc_legacy legacy[] = {
    {.version = "2025-11-25", .structured = true, .icons = true},
    {.version = "2025-06-18", .structured = true},
    {.version = "2025-03-26"},
    {.version = "2024-11-05"},
};

const cc_legacy *cc_legacy_latest(void) { return &legacy[0]; }

const cc_legacy *cc_legacy_find(cc_str version) {
    for (size_t i = 0; i < CC_ARRAY_LEN(legacy); i++)
        if (cc_str_eqz(version, legacy[i].version)) return &legacy[i];
    return NULL;
}

#define KEY(name) "io.modelcontextprotocol/" name

// Keys that only a modern client sends. One of them without the version is a malformed modern request, not a legacy one.
static bool looks_modern(const cc_json *meta) {
    static const char *const keys[] = {KEY("protocolVersion"), KEY("clientCapabilities"), KEY("clientInfo"), KEY("logLevel")};
    for (size_t i = 0; i < CC_ARRAY_LEN(keys); i++)
        if (cc_json_get(meta, keys[i])) return true;
    return false;
}

static int unsupported(cc_arena *a, cc_str requested, cc_rpc_error *e) {
    cc_rpc_refuse(e, CC_MCP_UNSUPPORTED_VERSION, "unsupported protocol version");
    cc_str shown = cc_utf8_prefix(requested, 64);
    cc_buf data = {.p = cc_arena_alloc(a, 512), .cap = 512}; // 64 bytes quoted are at most 386: it never grows
    cc_jw w = cc_jw_make(&data);
    cc_jw_object(&w);
    cc_jw_key(&w, "supported");
    cc_jw_array(&w);
    cc_jw_string(&w, CC_STR(CC_MCP_MODERN));
    cc_jw_end_array(&w);
    cc_jw_kstring(&w, "requested", shown);
    cc_jw_end_object(&w);
    e->data = cc_buf_str(&data);
    return -1;
}

static int check_modern(cc_arena *a, const cc_json *meta, cc_rpc_error *e) {
    const cc_json *version = cc_json_get(meta, KEY("protocolVersion"));
    if (!version || cc_json_type_of(version) != CC_JSON_STRING)
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "_meta: %s must be a string", KEY("protocolVersion"));
    if (!cc_str_eqz(cc_json_string(version), CC_MCP_MODERN)) return unsupported(a, cc_json_string(version), e);
    if (!cc_json_get_type(meta, KEY("clientCapabilities"), CC_JSON_OBJECT))
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "_meta: %s must be an object", KEY("clientCapabilities"));
    const cc_json *level = cc_json_get(meta, KEY("logLevel"));
    if (!level) return 0;
    static const char *const levels[] = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};
    for (size_t i = 0; i < CC_ARRAY_LEN(levels); i++)
        if (cc_json_type_of(level) == CC_JSON_STRING && cc_str_eqz(cc_json_string(level), levels[i])) return 0;
    return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "_meta: %s is not a level", KEY("logLevel"));
}

int cc_request_read(cc_arena *a, const cc_message *msg, cc_request *out, cc_rpc_error *e) {
    *out = (cc_request){.id = msg->id, .method = msg->method, .params = msg->params};
    if (msg->params && cc_json_type_of(msg->params) != CC_JSON_OBJECT)
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "params must be an object");
    const cc_json *meta = cc_json_get(msg->params, "_meta");
    if (!meta || cc_json_type_of(meta) == CC_JSON_NULL) return 0;
    if (cc_json_type_of(meta) != CC_JSON_OBJECT) return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "_meta must be an object");
    out->modern = looks_modern(meta);
    if (out->modern && check_modern(a, meta, e)) return -1;
    const cc_json *token = cc_json_get(meta, "progressToken");
    if (!token || cc_json_type_of(token) == CC_JSON_NULL) return 0;
    out->token = cc_message_id_text(a, token);
    return out->token.n ? 0 : cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "_meta: progressToken must be a string or an integer");
}
