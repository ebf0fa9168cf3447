// Tool arguments: the first byte picks a tool, the rest is the JSON text of its arguments. Accepted values are as their
// declaration says; a refusal names something.
#include "fuzz.h"

#include "codecalc/json.h"
#include "codecalc/tools.h"

static void check(const cc_param *p, const cc_value *v) {
    FUZZ_REQUIRE(!p->required || v->given);
    FUZZ_REQUIRE(!v->given || v->present);
    if (!v->present) return;
    size_t max = p->max_len ? p->max_len : p->kind == CC_STRING ? 1u << 20 : 10000;
    switch (p->kind) {
    case CC_INT:
        FUZZ_REQUIRE(v->text.n > 0);
        if (p->min != 0 || p->max != 0) FUZZ_REQUIRE(v->fits && v->i >= p->min && v->i <= p->max);
        break;
    case CC_NUMBER: FUZZ_REQUIRE(v->text.n > 0); break;
    case CC_ENUM: {
        bool found = false;
        for (const char *const *word = p->values; *word; word++) found |= cc_str_eqz(v->text, *word);
        FUZZ_REQUIRE(found);
        break;
    }
    case CC_STRING: FUZZ_REQUIRE(v->text.n <= max && cc_utf8_valid(v->text)); break;
    case CC_STRING_LIST:
    case CC_NUMBER_LIST:
    case CC_STRING_MAP:
        FUZZ_REQUIRE(v->n <= max);
        for (size_t i = 0; i < v->n; i++) FUZZ_REQUIRE(v->items[i].n == 0 || v->items[i].p);
        break;
    case CC_MATRIX: FUZZ_REQUIRE(v->n <= max && v->columns > 0 && v->n % v->columns == 0); break;
    case CC_OBJECT: FUZZ_REQUIRE(cc_json_type_of(v->json) == CC_JSON_OBJECT); break;
    case CC_BOOL: break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n < 1) return 0;
    FUZZ_REQUIRE(cc_tools_count() > 0);
    const cc_tool *tool = cc_tools[data[0] % cc_tools_count()];
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *object = NULL;
    cc_error err = {0};
    if (cc_json_parse(&a, (cc_str){(const char *)data + 1, n - 1}, CC_JSON_MAX_DEPTH, &object, &err) != 0) return 0;
    cc_args args = {0};
    if (cc_args_parse(&a, tool, object, &args, &err) != 0) {
        FUZZ_REQUIRE(err.code == CC_VALIDATION && err.msg[0] && cc_utf8_valid(cc_str_of(err.msg)));
        return 0;
    }
    for (size_t i = 0; tool->params && tool->params[i].name; i++) check(&tool->params[i], &args.values[i]);
    return 0;
}
