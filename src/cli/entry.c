// What codecalc's entry looks like in each client's file, built on the text editors. Called by setup and doctor. Pure.
#include "cli/entry.h"

#define NAME CC_STR("codecalc")

enum { DEPTH = 2 };

static void path_to(const cc_client *client, cc_str path[DEPTH]) {
    path[0] = cc_str_of(client->key);
    path[1] = NAME;
}

static bool starts_server(const cc_json *args) {
    if (!args || cc_json_type_of(args) != CC_JSON_ARRAY) return false;
    cc_json_iter it = cc_json_iterate(args);
    return cc_json_next(&it) && cc_json_type_of(it.value) == CC_JSON_STRING && cc_str_eq(cc_json_string(it.value), CC_STR("serve"));
}

static void quote(cc_buf *out, cc_str s) {
    cc_jw w = cc_jw_make(out);
    cc_jw_string(&w, s);
}

// ---- JSON ----

static int json_entry(cc_arena *a, const cc_client *client, cc_str text, const cc_json **out, cc_error *err) {
    const cc_json *root, *servers;
    *out = NULL;
    if (cc_jsonc_parse(a, text, &root, err)) return -1;
    servers = root ? cc_json_get(root, client->key) : NULL;
    if (servers) *out = cc_json_get(servers, "codecalc");
    return 0;
}

static int json_read(cc_arena *a, const cc_client *client, cc_str text, cc_entry *out, cc_error *err) {
    const cc_json *entry;
    if (json_entry(a, client, text, &entry, err)) return -1;
    if (!entry) return 0;
    const cc_json *command = cc_json_get_type(entry, "command", CC_JSON_STRING), *args = cc_json_get_type(entry, "args", CC_JSON_ARRAY);
    if (command) out->command = cc_json_string(command);
    if (args) {
        CC_CLEANUP_BUF cc_buf list = {0};
        cc_jw w = cc_jw_make(&list);
        cc_jw_value(&w, args);
        out->args = cc_arena_dup(a, cc_buf_str(&list));
    }
    return 1;
}

// Sets one member of the entry in *text, which is replaced.
static int set_member(const cc_client *client, cc_buf *text, const char *member, cc_str value, cc_error *err) {
    cc_str path[DEPTH + 1];
    path_to(client, path);
    path[DEPTH] = cc_str_of(member);
    cc_buf edited = {0};
    int rc = cc_jsonc_set(cc_buf_str(text), path, DEPTH + 1, value, &edited, err);
    cc_buf_free(text);
    *text = edited;
    return rc;
}

static int json_set(const cc_client *client, const cc_entry *entry, bool keep_args, cc_str text, cc_buf *out, cc_error *err) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf command = {0}, whole = {0}, edited = {0};
    const cc_json *present;
    if (json_entry(&a, client, text, &present, err)) return -1;
    quote(&command, entry->command);
    if (present && cc_json_get_type(present, "command", CC_JSON_STRING)) {
        cc_buf_adds(&edited, text);
        const cc_json *type = cc_json_get(present, "type");
        bool other_type = type && !(cc_json_type_of(type) == CC_JSON_STRING && cc_str_eq(cc_json_string(type), CC_STR("stdio")));
        bool set_args = !keep_args || !starts_server(cc_json_get(present, "args"));
        if ((other_type && set_member(client, &edited, "type", CC_STR("\"stdio\""), err)) ||
            (set_args && set_member(client, &edited, "args", entry->args, err)) ||
            set_member(client, &edited, "command", cc_buf_str(&command), err))
            return -1;
        cc_buf_adds(out, cc_buf_str(&edited));
        return 0;
    }
    cc_jw w = cc_jw_make(&whole);
    cc_jw_object(&w);
    if (client->typed) cc_jw_kstringz(&w, "type", "stdio");
    cc_jw_kraw(&w, "command", cc_buf_str(&command));
    cc_jw_kraw(&w, "args", entry->args);
    if (client->env) cc_jw_kraw(&w, "env", CC_STR("{}"));
    cc_jw_end_object(&w);
    cc_str path[DEPTH];
    path_to(client, path);
    return cc_jsonc_set(text, path, DEPTH, cc_buf_str(&whole), out, err);
}

// ---- TOML: a basic string and an array of them are written as in JSON ----

// A TOML value that JSON knows too, in the arena; NULL when it is another.
static const cc_json *as_json(cc_arena *a, cc_str raw) {
    CC_CLEANUP_BUF cc_buf quoted = {0};
    cc_error ignored;
    const cc_json *v;
    if (raw.n >= 2 && raw.p[0] == '\'' && raw.p[1] != '\'') { // a literal string: no escapes inside
        quote(&quoted, (cc_str){raw.p + 1, raw.n - 2});
        raw = cc_buf_str(&quoted);
    }
    return cc_json_parse(a, raw, 2, &v, &ignored) ? NULL : v;
}

static int toml_read(cc_arena *a, const cc_client *client, cc_str text, cc_entry *out, cc_error *err) {
    cc_str path[DEPTH], raw;
    path_to(client, path);
    int command = cc_toml_get(text, path, DEPTH, CC_STR("command"), &raw, err);
    if (command < 0) return -1;
    const cc_json *v = command ? as_json(a, raw) : NULL;
    if (v && cc_json_type_of(v) == CC_JSON_STRING) out->command = cc_json_string(v);
    int args = cc_toml_get(text, path, DEPTH, CC_STR("args"), &raw, err);
    if (args > 0 && as_json(a, raw)) out->args = raw;
    return command || args;
}

static int toml_set(const cc_client *client, const cc_entry *entry, bool keep_args, cc_str text, cc_buf *out, cc_error *err) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf command = {0}, edited = {0};
    cc_str path[DEPTH], raw;
    path_to(client, path);
    const cc_json *v;
    int args = cc_toml_get(text, path, DEPTH, CC_STR("args"), &raw, err);
    if (args < 0) return -1;
    bool set_args = !keep_args || !args || !(v = as_json(&a, raw)) || !starts_server(v);
    quote(&command, entry->command);
    bool same = cc_toml_get(text, path, DEPTH, CC_STR("command"), &raw, err) == 1 && (v = as_json(&a, raw)) &&
                cc_json_type_of(v) == CC_JSON_STRING && cc_str_eq(cc_json_string(v), entry->command);
    if (same)
        cc_buf_adds(&edited, text);
    else if (cc_toml_set(text, path, DEPTH, CC_STR("command"), cc_buf_str(&command), &edited, err))
        return -1;
    if (set_args) return cc_toml_set(cc_buf_str(&edited), path, DEPTH, CC_STR("args"), entry->args, out, err);
    cc_buf_adds(out, cc_buf_str(&edited));
    return 0;
}

// ---- both ----

int cc_entry_read(cc_arena *a, const cc_client *client, cc_str text, cc_entry *out, cc_error *err) {
    *out = (cc_entry){0};
    return client->format == CC_CLIENT_TOML ? toml_read(a, client, text, out, err) : json_read(a, client, text, out, err);
}

int cc_entry_set(const cc_client *client, const cc_entry *entry, bool keep_args, cc_str text, cc_buf *out, cc_error *err) {
    return client->format == CC_CLIENT_TOML ? toml_set(client, entry, keep_args, text, out, err)
                                            : json_set(client, entry, keep_args, text, out, err);
}

int cc_entry_remove(const cc_client *client, cc_str text, cc_buf *out, cc_error *err) {
    cc_str path[DEPTH];
    path_to(client, path);
    return client->format == CC_CLIENT_TOML ? cc_toml_remove(text, path, DEPTH, out, err) : cc_jsonc_remove(text, path, DEPTH, out, err);
}

bool cc_entry_needs_strict(const cc_client *client, cc_str text) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_json *v;
    cc_error ignored;
    if (client->format != CC_CLIENT_JSON || !cc_str_trim(text).n) return false;
    if (cc_str_starts(text, CC_STR("\xEF\xBB\xBF"))) text.p += 3, text.n -= 3;
    return cc_json_parse(&a, text, 201, &v, &ignored) != 0;
}
