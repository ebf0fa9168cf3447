// The strict JSON pass: what is accepted is valid UTF-8, is written back as one line, and reads back as the same; what is
// refused has a message.
#include "fuzz.h"

#include "codecalc/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf first = {0}, second = {0};
    cc_str text = {(const char *)data, n};
    const cc_json *v = NULL;
    cc_error err = {0};
    if (cc_json_parse(&a, text, CC_JSON_MAX_DEPTH, &v, &err) != 0) {
        FUZZ_REQUIRE(err.code == CC_VALIDATION && err.msg[0]);
        return 0;
    }
    FUZZ_REQUIRE(cc_utf8_valid(text));
    cc_jw w = cc_jw_make(&first);
    cc_jw_value(&w, v);
    FUZZ_REQUIRE(first.n > 0 && memchr(first.p, '\n', first.n) == NULL);
    const cc_json *again = NULL;
    FUZZ_REQUIRE(cc_json_parse(&a, cc_buf_str(&first), CC_JSON_MAX_DEPTH, &again, &err) == 0);
    FUZZ_REQUIRE(cc_json_type_of(again) == cc_json_type_of(v));
    w = cc_jw_make(&second);
    cc_jw_value(&w, again);
    FUZZ_REQUIRE(cc_str_eq(cc_buf_str(&first), cc_buf_str(&second)));
    return 0;
}
