// What a declaration looks like to others: the element of tools/list, the input schema, the page of reference. Owns nothing.
#include "codecalc/tools.h"

static void write_type(cc_jw *w, const char *type, const char *other) {
    cc_jw_key(w, "type");
    if (!other) {
        cc_jw_string(w, cc_str_of(type));
        return;
    }
    cc_jw_array(w);
    cc_jw_string(w, cc_str_of(type));
    cc_jw_string(w, cc_str_of(other));
    cc_jw_end_array(w);
}

static void write_items(cc_jw *w, const char *type, const char *other) {
    cc_jw_key(w, "items");
    cc_jw_object(w);
    write_type(w, type, other);
    cc_jw_end_object(w);
}

static void write_kind(cc_jw *w, const cc_param *p) {
    switch (p->kind) {
    case CC_STRING: write_type(w, "string", p->big ? "number" : NULL); break;
    case CC_INT: write_type(w, "integer", p->big ? "string" : NULL); break;
    case CC_NUMBER: write_type(w, "number", p->big ? "string" : NULL); break;
    case CC_BOOL: write_type(w, "boolean", NULL); break;
    case CC_ENUM:
        write_type(w, "string", NULL);
        cc_jw_key(w, "enum");
        cc_jw_array(w);
        for (const char *const *v = p->values; *v; v++) cc_jw_string(w, cc_str_of(*v));
        cc_jw_end_array(w);
        break;
    case CC_STRING_LIST:
        write_type(w, "array", NULL);
        write_items(w, "string", NULL);
        break;
    case CC_NUMBER_LIST:
        write_type(w, "array", NULL);
        write_items(w, "number", p->big ? "string" : NULL);
        break;
    case CC_STRING_MAP:
        write_type(w, "object", NULL);
        cc_jw_key(w, "additionalProperties");
        cc_jw_object(w);
        write_type(w, "string", NULL);
        cc_jw_end_object(w);
        break;
    case CC_MATRIX:
        write_type(w, "array", NULL);
        cc_jw_key(w, "items");
        cc_jw_object(w);
        write_type(w, "array", NULL);
        if (!p->brief) write_items(w, "number", "string");
        cc_jw_end_object(w);
        break;
    case CC_OBJECT: write_type(w, "object", NULL); break;
    }
    // Ranges are not listed: refusing or moving to the bound, the answer names them, and every listing pays for them.
}

void cc_tool_write_schema(cc_jw *w, const cc_tool *tool) {
    cc_jw_object(w);
    cc_jw_kstringz(w, "type", "object");
    if (!tool->params || !tool->params->name) {
        cc_jw_kbool(w, "additionalProperties", false);
        cc_jw_end_object(w);
        return;
    }
    cc_jw_key(w, "properties");
    cc_jw_object(w);
    bool any_required = false;
    for (const cc_param *p = tool->params; p->name; p++) {
        if (p->unlisted) continue;
        cc_jw_key(w, p->name);
        cc_jw_object(w);
        write_kind(w, p);
        if (p->doc) cc_jw_kstringz(w, "description", p->doc);
        // A default of 0 or false is what anybody would expect.
        if (p->def && strcmp(p->def, "0") != 0 && strcmp(p->def, "false") != 0) cc_jw_kraw(w, "default", cc_str_of(p->def));
        cc_jw_end_object(w);
        any_required |= p->required;
    }
    cc_jw_end_object(w);
    if (any_required) {
        cc_jw_key(w, "required");
        cc_jw_array(w);
        for (const cc_param *p = tool->params; p->name; p++)
            if (p->required) cc_jw_string(w, cc_str_of(p->name));
        cc_jw_end_array(w);
    }
    cc_jw_end_object(w);
}

void cc_tool_write_listing(cc_jw *w, const cc_tool *tool) {
    cc_jw_object(w);
    cc_jw_kstringz(w, "name", tool->name);
    cc_jw_kstringz(w, "title", tool->title);
    cc_jw_kstringz(w, "description", tool->doc);
    cc_jw_key(w, "inputSchema");
    cc_tool_write_schema(w, tool);
    cc_jw_key(w, "annotations");
    cc_jw_object(w);
    cc_jw_kbool(w, "readOnlyHint", tool->hints & CC_READ_ONLY);
    cc_jw_kbool(w, "destructiveHint", tool->hints & CC_DESTRUCTIVE);
    cc_jw_kbool(w, "idempotentHint", tool->hints & CC_IDEMPOTENT);
    cc_jw_kbool(w, "openWorldHint", tool->hints & CC_OPEN_WORLD);
    cc_jw_end_object(w);
    if (tool->hints & (CC_ALWAYS_LOAD | CC_LARGE_RESULT | CC_USER_INTERACTION)) {
        cc_jw_key(w, "_meta");
        cc_jw_object(w);
        if (tool->hints & CC_ALWAYS_LOAD) cc_jw_kbool(w, "anthropic/alwaysLoad", true);
        // Two streams of at most 240 KiB and what surrounds them.
        if (tool->hints & CC_LARGE_RESULT) cc_jw_kint(w, "anthropic/maxResultSizeChars", 2 * 240 * 1024 + 8000);
        if (tool->hints & CC_USER_INTERACTION) cc_jw_kbool(w, "anthropic/requiresUserInteraction", true);
        cc_jw_end_object(w);
    }
    cc_jw_end_object(w);
}

// ---- results ----

// One type of a field: "string" or "object[]".
static void write_field_type(cc_jw *w, cc_str type) {
    bool list = type.n > 2 && memcmp(type.p + type.n - 2, "[]", 2) == 0;
    if (list) type.n -= 2;
    if (list) {
        cc_jw_kstringz(w, "type", "array");
        cc_jw_key(w, "items");
        cc_jw_object(w);
    }
    cc_jw_kstring(w, "type", type);
    if (list) cc_jw_end_object(w);
}

static void write_field(cc_jw *w, const cc_field *f) {
    cc_jw_key(w, f->name);
    cc_jw_object(w);
    if (strchr(f->type, '|')) {
        cc_jw_key(w, "anyOf");
        cc_jw_array(w);
        for (const char *p = f->type, *bar; p; p = bar ? bar + 1 : NULL) {
            bar = strchr(p, '|');
            cc_jw_object(w);
            write_field_type(w, (cc_str){p, bar ? (size_t)(bar - p) : strlen(p)});
            cc_jw_end_object(w);
        }
        cc_jw_end_array(w);
    } else {
        write_field_type(w, cc_str_of(f->type));
    }
    if (f->doc) cc_jw_kstringz(w, "description", f->doc);
    cc_jw_end_object(w);
}

static const cc_field common_fields[] = {
    {"ok", "boolean", true, "true: the tool answered and nothing failed"},
    {"warnings", "string[]", false, "what to know about this result"},
    {0},
};
static const cc_field failure_fields[] = {
    {"ok", "boolean", true, "false"},
    {"code", "string", true, "what kind of failure; branch on this"},
    {"error", "string", true, "what is wrong, naming the field"},
    {"remedy", "string", false, "what to do about it"},
    {"next", "object", false, "the corrected call: tool, arguments"},
    {0},
};

static void write_properties(cc_jw *w, const cc_field *const *lists, size_t n) {
    cc_jw_kstringz(w, "type", "object");
    cc_jw_key(w, "properties");
    cc_jw_object(w);
    for (size_t i = 0; i < n; i++)
        for (const cc_field *f = lists[i]; f && f->name; f++) write_field(w, f);
    cc_jw_end_object(w);
    cc_jw_key(w, "required");
    cc_jw_array(w);
    for (size_t i = 0; i < n; i++)
        for (const cc_field *f = lists[i]; f && f->name; f++)
            if (f->always) cc_jw_string(w, cc_str_of(f->name));
    cc_jw_end_array(w);
    cc_jw_kbool(w, "additionalProperties", false);
}

void cc_tool_write_result_schema(cc_jw *w, const cc_tool *tool) {
    const cc_field *answer[] = {common_fields, tool->result}, *failure[] = {failure_fields};
    cc_jw_object(w);
    cc_jw_kstringz(w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cc_jw_kstringz(w, "title", tool->name);
    cc_jw_key(w, "anyOf");
    cc_jw_array(w);
    cc_jw_object(w);
    write_properties(w, answer, CC_ARRAY_LEN(answer));
    cc_jw_end_object(w);
    cc_jw_object(w);
    write_properties(w, failure, CC_ARRAY_LEN(failure));
    cc_jw_end_object(w);
    cc_jw_end_array(w);
    cc_jw_end_object(w);
}

// ---- the page of reference ----

static const char *kind_text(const cc_param *p) {
    switch (p->kind) {
    case CC_STRING: return "text";
    case CC_INT: return "integer";
    case CC_NUMBER: return "number";
    case CC_BOOL: return "true or false";
    case CC_ENUM: return "one of";
    case CC_STRING_LIST: return "list of texts";
    case CC_NUMBER_LIST: return "list of numbers";
    case CC_STRING_MAP: return "object of texts";
    case CC_MATRIX: return "list of rows";
    case CC_OBJECT: return "object";
    }
    return "";
}

void cc_param_write_kind(cc_buf *out, const cc_param *p) {
    cc_buf_addz(out, kind_text(p));
    for (const char *const *v = p->kind == CC_ENUM ? p->values : NULL; v && *v; v++) cc_buf_printf(out, " `%s`", *v);
    if (p->kind == CC_INT && (p->min || p->max))
        cc_buf_printf(out, " %s%lld to %lld", p->clamp ? "limited to " : "", (long long)p->min, (long long)p->max);
}

// Text of a table's cell: a bar would end it.
static void add_cell(cc_buf *out, const char *text) {
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '|') cc_buf_addc(out, '\\');
        cc_buf_addc(out, *c);
    }
}

static void write_page_arguments(cc_buf *out, const cc_tool *tool) {
    if (!tool->params || !tool->params->name) {
        cc_buf_addz(out, "\nNo arguments.\n");
        return;
    }
    cc_buf_addz(out, "\n| argument | type | default | meaning |\n|---|---|---|---|\n");
    for (const cc_param *p = tool->params; p->name; p++) {
        cc_buf_printf(out, "| `%s` | ", p->name);
        cc_param_write_kind(out, p);
        cc_buf_printf(out, " | %s%s%s | ", p->def ? "`" : "", p->required ? "required" : p->def ? p->def : "none", p->def ? "`" : "");
        add_cell(out, cc_param_meaning(p));
        cc_buf_addz(out, " |\n");
    }
}

void cc_tool_write_page(cc_buf *out, const cc_tool *tool) {
    cc_buf_printf(out, "## %s\n\n%s\n\n", tool->name, tool->doc);
    const char *hints = tool->hints & CC_READ_ONLY     ? "read-only"
                        : tool->hints & CC_DESTRUCTIVE ? "changes this machine, may destroy"
                                                       : "runs code";
    cc_buf_printf(out, "Group: %s. %s%s.", cc_group_name(tool->group), hints, tool->hints & CC_IDEMPOTENT ? ", idempotent" : "");
    if (tool->timeout_ms) cc_buf_printf(out, " It has %u s.", tool->timeout_ms / 1000);
    cc_buf_addc(out, '\n');
    write_page_arguments(out, tool);
    if (!tool->result || !tool->result->name) return;
    cc_buf_addz(out, "\n| result | type | meaning |\n|---|---|---|\n");
    for (const cc_field *f = tool->result; f->name; f++) {
        cc_buf_printf(out, "| `%s` | ", f->name);
        add_cell(out, f->type);
        cc_buf_addz(out, " | ");
        add_cell(out, f->doc);
        cc_buf_addz(out, f->always ? " |\n" : " (when it applies) |\n");
    }
}
