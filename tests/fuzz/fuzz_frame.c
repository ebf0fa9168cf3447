// One frame as JSON-RPC: whatever comes in, the answer that goes out is one line of valid JSON, and an id is echoed as sent.
#include "fuzz.h"

#include "codecalc/json.h"
#include "codecalc/rpc.h"

static void require_frame(cc_arena *a, const cc_buf *frame, cc_str id) {
    FUZZ_REQUIRE(frame->n > 1 && memchr(frame->p, '\n', frame->n) == frame->p + frame->n - 1);
    const cc_json *v = NULL;
    cc_error err = {0};
    FUZZ_REQUIRE(cc_json_parse(a, (cc_str){frame->p, frame->n - 1}, CC_JSON_MAX_DEPTH, &v, &err) == 0);
    FUZZ_REQUIRE(cc_json_type_of(v) == CC_JSON_OBJECT);
    if (id.n == 0) return;
    const cc_json *echoed = cc_json_get(v, "id"), *sent = NULL;
    FUZZ_REQUIRE(echoed && cc_json_parse(a, id, 4, &sent, &err) == 0);
    FUZZ_REQUIRE(cc_json_type_of(echoed) == cc_json_type_of(sent));
    if (cc_json_type_of(sent) == CC_JSON_STRING) FUZZ_REQUIRE(cc_str_eq(cc_json_string(sent), cc_json_string(echoed)));
    if (cc_json_type_of(sent) == CC_JSON_NUMBER) FUZZ_REQUIRE(cc_str_eq(cc_json_number(sent), cc_json_number(echoed)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf out = {0};
    cc_message msg = {0};
    cc_error err = {0};
    int code = 0;
    if (cc_message_parse(&a, (cc_str){(const char *)data, n}, &msg, &code, &err) != 0) {
        FUZZ_REQUIRE(err.msg[0]);
        if (code == 0) return 0; // a malformed notification: never answered
        FUZZ_REQUIRE(code == CC_RPC_PARSE || code == CC_RPC_INVALID_REQUEST || code == CC_RPC_BAD_PARAMS);
        cc_message_write_error(&out, msg.id, code, cc_str_of(err.msg), (cc_str){0});
        require_frame(&a, &out, msg.id);
        return 0;
    }
    if (msg.kind == CC_NOTIFICATION) FUZZ_REQUIRE(msg.id.n == 0); // nothing to answer by mistake
    if (msg.kind != CC_REQUEST) return 0;
    FUZZ_REQUIRE(msg.id.n > 0);
    FUZZ_REQUIRE(msg.params == NULL || cc_json_type_of(msg.params) == CC_JSON_OBJECT || cc_json_type_of(msg.params) == CC_JSON_ARRAY);
    cc_jw w = cc_message_begin_result(&out, msg.id);
    cc_jw_object(&w);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    require_frame(&a, &out, msg.id);
    return 0;
}
