// JSON-RPC 2.0 messages: what a frame is, and the frames of results, errors and notifications. Called by mcp; owns nothing. Never
// answers by itself, and knows no method.
#include <assert.h>

#include "codecalc/rpc.h"

static int refuse(int *rpc_code, int code, cc_error *err, const char *text) {
    *rpc_code = code;
    return cc_error_set(err, CC_VALIDATION, "%s", text);
}

cc_str cc_message_id_text(cc_arena *a, const cc_json *value) {
    if (!value) return (cc_str){0};
    if (cc_json_type_of(value) == CC_JSON_NUMBER) {
        cc_str n = cc_json_number(value);
        bool integer = !memchr(n.p, '.', n.n) && !memchr(n.p, 'e', n.n) && !memchr(n.p, 'E', n.n);
        return integer ? n : (cc_str){0};
    }
    if (cc_json_type_of(value) != CC_JSON_STRING) return (cc_str){0};
    cc_str s = cc_json_string(value);
    // A byte takes at most six (\u0000), so the buffer lies in the arena and never grows.
    cc_buf b = {.p = cc_arena_alloc(a, s.n * 6 + 2), .cap = s.n * 6 + 2};
    cc_jw w = cc_jw_make(&b);
    cc_jw_string(&w, s);
    return cc_buf_str(&b);
}

int cc_message_parse(cc_arena *a, cc_str frame, cc_message *msg, int *rpc_code, cc_error *err) {
    *msg = (cc_message){0};
    const cc_json *root;
    if (cc_json_parse(a, frame, CC_JSON_MAX_DEPTH, &root, err)) return *rpc_code = CC_RPC_PARSE, -1;
    if (cc_json_type_of(root) == CC_JSON_ARRAY)
        return refuse(rpc_code, CC_RPC_INVALID_REQUEST, err, "batches are not supported: send one message a line");
    if (cc_json_type_of(root) != CC_JSON_OBJECT) return refuse(rpc_code, CC_RPC_INVALID_REQUEST, err, "a message must be a JSON object");

    const cc_json *id = cc_json_get(root, "id"), *method = cc_json_get(root, "method");
    if (!method && (cc_json_get(root, "result") || cc_json_get(root, "error"))) {
        msg->kind = CC_RESPONSE;
        return 0;
    }
    // Without id it is a notification, which is never answered, however malformed.
    int code = id ? CC_RPC_INVALID_REQUEST : 0;
    msg->kind = id ? CC_REQUEST : CC_NOTIFICATION;
    msg->id = cc_message_id_text(a, id);
    if (id && !msg->id.n) return refuse(rpc_code, code, err, "id must be a string or an integer");
    const cc_json *version = cc_json_get_type(root, "jsonrpc", CC_JSON_STRING);
    if (!version || !cc_str_eqz(cc_json_string(version), "2.0")) return refuse(rpc_code, code, err, "jsonrpc must be \"2.0\"");
    if (!method) return refuse(rpc_code, code, err, "method is missing");
    if (cc_json_type_of(method) != CC_JSON_STRING) return refuse(rpc_code, code, err, "method must be a string");
    msg->method = cc_json_string(method);
    const cc_json *params = cc_json_get(root, "params");
    if (params && cc_json_type_of(params) != CC_JSON_NULL) { // some clients send null for "none"
        cc_json_type t = cc_json_type_of(params);
        if (t != CC_JSON_OBJECT && t != CC_JSON_ARRAY) return refuse(rpc_code, code, err, "params must be an object");
        msg->params = params;
    }
    return 0;
}

void cc_message_write_error(cc_buf *out, cc_str id, int rpc_code, cc_str text, cc_str data) {
    cc_jw w = cc_jw_make(out);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "jsonrpc", "2.0");
    if (id.n) cc_jw_kraw(&w, "id", id);
    cc_jw_key(&w, "error");
    cc_jw_object(&w);
    cc_jw_kint(&w, "code", rpc_code);
    cc_jw_kstring(&w, "message", text);
    if (data.n) cc_jw_kraw(&w, "data", data);
    cc_jw_end_object(&w);
    cc_message_end(&w);
}

cc_jw cc_message_begin_result(cc_buf *out, cc_str id) {
    assert(id.n);
    cc_buf_adds(out, CC_STR("{\"jsonrpc\":\"2.0\",\"id\":"));
    cc_buf_adds(out, id);
    cc_buf_adds(out, CC_STR(",\"result\":"));
    return cc_jw_make(out);
}

cc_jw cc_message_begin_notification(cc_buf *out, const char *method) {
    cc_buf_adds(out, CC_STR("{\"jsonrpc\":\"2.0\",\"method\":\""));
    cc_buf_addz(out, method);
    cc_buf_adds(out, CC_STR("\",\"params\":"));
    return cc_jw_make(out);
}

void cc_message_end(cc_jw *w) {
    cc_jw_end_object(w);
    cc_buf_addc(w->buf, '\n');
}
