// Editing of configuration files: what is set is there, what is removed is gone, everything else reads as before, and doing it
// again changes nothing. A wrong edit here would lose somebody's settings.
#include "fuzz.h"

#include "codecalc/cli.h"
#include "codecalc/json.h"

static const cc_json *at_path(const cc_json *root, const char *outer, const char *inner) {
    const cc_json *o = cc_json_get_type(root, outer, CC_JSON_OBJECT);
    return o ? cc_json_get(o, inner) : NULL;
}

// The document without one member of its outer object, written as strict JSON; an outer object left empty is left out too.
static void write_rest(cc_buf *out, const cc_json *root, const char *outer, const char *inner) {
    cc_jw w = cc_jw_make(out);
    cc_jw_object(&w);
    if (root) {
        for (cc_json_iter it = cc_json_iterate(root); cc_json_next(&it);) {
            if (!cc_str_eqz(it.key, outer) || cc_json_type_of(it.value) != CC_JSON_OBJECT) {
                cc_jw_keys(&w, it.key);
                cc_jw_value(&w, it.value);
                continue;
            }
            size_t others = cc_json_size(it.value) - (cc_json_get(it.value, inner) != NULL);
            if (others == 0) continue;
            cc_jw_keys(&w, it.key);
            cc_jw_object(&w);
            for (cc_json_iter in = cc_json_iterate(it.value); cc_json_next(&in);) {
                if (cc_str_eqz(in.key, inner)) continue;
                cc_jw_keys(&w, in.key);
                cc_jw_value(&w, in.value);
            }
            cc_jw_end_object(&w);
        }
    }
    cc_jw_end_object(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf set = {0}, again = {0}, removed = {0}, before = {0}, after = {0}, last = {0};
    cc_error err = {0};
    cc_str text = {(const char *)data, n};
    const cc_str path[] = {CC_STR("mcpServers"), CC_STR("codecalc")};
    const cc_str value = CC_STR("{\"command\":\"/usr/bin/codecalc\",\"args\":[]}");
    const cc_json *root = NULL, *changed = NULL, *left = NULL;
    bool readable = cc_jsonc_parse(&a, text, &root, &err) == 0;
    if (cc_jsonc_set(text, path, 2, value, &set, &err) != 0) {
        FUZZ_REQUIRE(err.msg[0]);
        return 0;
    }
    if (!readable) return 0; // a key that occurs twice, away from the path: the edit is allowed, but nothing here can compare it
    FUZZ_REQUIRE(cc_jsonc_parse(&a, cc_buf_str(&set), &changed, &err) == 0 && changed);
    const cc_json *entry = at_path(changed, "mcpServers", "codecalc");
    FUZZ_REQUIRE(entry && cc_str_eqz(cc_json_string(cc_json_get_type(entry, "command", CC_JSON_STRING)), "/usr/bin/codecalc"));
    write_rest(&before, root, "mcpServers", "codecalc");
    write_rest(&after, changed, "mcpServers", "codecalc");
    FUZZ_REQUIRE(cc_str_eq(cc_buf_str(&before), cc_buf_str(&after)));

    FUZZ_REQUIRE(cc_jsonc_set(cc_buf_str(&set), path, 2, value, &again, &err) == 0);
    FUZZ_REQUIRE(cc_str_eq(cc_buf_str(&set), cc_buf_str(&again)));

    FUZZ_REQUIRE(cc_jsonc_remove(cc_buf_str(&set), path, 2, &removed, &err) == 0);
    FUZZ_REQUIRE(cc_jsonc_parse(&a, cc_buf_str(&removed), &left, &err) == 0);
    FUZZ_REQUIRE(at_path(left, "mcpServers", "codecalc") == NULL);
    write_rest(&last, left, "mcpServers", "codecalc");
    FUZZ_REQUIRE(cc_str_eq(cc_buf_str(&before), cc_buf_str(&last)));
    return 0;
}
