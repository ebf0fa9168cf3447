// Unit expressions and names of constants: two lines of input are the units of a conversion, the first alone is a dimension and a
// constant to look for. Whatever comes back is a value that is JSON, or an error with a message and one of two codes.
#include "fuzz.h"

#include "codecalc/constants.h"
#include "codecalc/json.h"
#include "codecalc/units.h"

static void check_error(const cc_error *err) {
    FUZZ_REQUIRE((err->code == CC_VALIDATION || err->code == CC_RESOURCE_EXHAUSTED) && err->msg[0]);
}

static void check_conversion(cc_arena *a, cc_str value, cc_str from, cc_str to) {
    cc_conversion r;
    cc_error err = {0};
    if (cc_units_convert(a, value, from, to, NULL, &r, &err)) {
        check_error(&err);
        return;
    }
    const cc_json *json;
    FUZZ_REQUIRE(cc_json_parse(a, r.value, 4, &json, &err) == 0);
    FUZZ_REQUIRE(r.n_warnings <= CC_ARRAY_LEN(r.warnings));
    FUZZ_REQUIRE(!r.exact || !r.exact_value.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_str text = {(const char *)data, n};
    const char *line = n ? memchr(text.p, '\n', n) : NULL;
    cc_str from = {text.p, line ? (size_t)(line - text.p) : n}, to = {from.p + from.n + (line ? 1 : 0), n - from.n - (line ? 1 : 0)};
    check_conversion(&a, CC_STR("-1.5"), from, to);
    check_conversion(&a, CC_STR("7/3"), from, from);
    cc_str *names;
    size_t count;
    cc_error err = {0};
    if (cc_units_list(&a, from, &names, &count, &err)) check_error(&err);
    cc_constant_search found;
    if (cc_constants_search(from, &found, &err))
        check_error(&err);
    else
        FUZZ_REQUIRE(found.found || (found.n > 1 && found.n <= found.total));
    return 0;
}
