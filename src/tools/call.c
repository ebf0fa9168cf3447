// One call inside its job: runs the tool's function and wraps what it wrote into the result object. Owns nothing.
#include <assert.h>
#include <stdio.h>

#include "codecalc/tools.h"

const cc_value *cc_arg(const cc_args *args, const char *name) {
    for (size_t i = 0; args->tool->params[i].name; i++)
        if (strcmp(args->tool->params[i].name, name) == 0) return &args->values[i];
    assert(!"a parameter that the tool does not declare");
    return NULL;
}

unsigned cc_tool_deadline(const cc_tool *tool, const cc_args *args) {
    if (tool->deadline_ms) return tool->deadline_ms(args);
    return tool->timeout_ms ? tool->timeout_ms : CC_DEFAULT_DEADLINE_MS;
}

cc_str cc_tool_language(const cc_tool *tool, const cc_args *args) {
    cc_str language = {0};
    for (size_t i = 0; tool->where == CC_LAUNCHER && tool->params && tool->params[i].name; i++) {
        const char *name = tool->params[i].name;
        if (!strcmp(name, "language")) language = args->values[i].text;
        if ((!strcmp(name, "args") || !strcmp(name, "env")) && args->values[i].n) return (cc_str){0};
    }
    return language;
}

void cc_call_warn(cc_call *call, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cc_str *all = CC_ARENA_ARRAY(call->arena, cc_str, call->n_warnings + 1);
    if (call->n_warnings) memcpy(all, call->warnings, call->n_warnings * sizeof *all);
    all[call->n_warnings++] = cc_arena_dup(call->arena, cc_utf8_prefix(cc_str_of(text), sizeof text));
    call->warnings = all;
}

void cc_error_write(cc_buf *body, const cc_error *err) {
    assert(err->code != CC_OK);
    cc_jw w = cc_jw_make(body);
    cc_jw_object(&w);
    cc_jw_kbool(&w, "ok", false);
    cc_jw_kstringz(&w, "code", cc_code_name(err->code));
    cc_jw_kstringz(&w, "error", err->msg);
    if (err->remedy[0]) cc_jw_kstringz(&w, "remedy", err->remedy);
    if (err->next[0]) cc_jw_kraw(&w, "next", cc_str_of(err->next));
    cc_jw_end_object(&w);
}

bool cc_call_run(cc_call *call, cc_buf *body, cc_buf *receipt) {
    // The fields are written after room for the longest head; "ok" is known only at the end.
    static const char yes[] = "{\"ok\":true", no[] = "{\"ok\":false";
    size_t start = body->n, head = sizeof no - 1;
    cc_buf_add(body, no, head);
    call->ok = true;
    call->out = (cc_jw){body, true};
    size_t receipt_start = receipt->n;
    call->receipt = cc_jw_make(receipt);
    cc_jw_object(&call->receipt);
    call->warnings = NULL;
    call->n_warnings = 0;
    for (size_t i = 0; i < call->args.n_warnings; i++) cc_call_warn(call, "%.*s", (int)call->args.warnings[i].n, call->args.warnings[i].p);

    cc_error err = {0};
    int failed = call->tool->run(call, &err);
    call->code = failed ? err.code : CC_OK;
    if (failed) {
        body->n = start;
        receipt->n = receipt_start;
        cc_error_write(body, &err);
        return false;
    }
    if (call->n_warnings) {
        cc_jw_key(&call->out, "warnings");
        cc_jw_array(&call->out);
        for (size_t i = 0; i < call->n_warnings; i++) cc_jw_string(&call->out, call->warnings[i]);
        cc_jw_end_array(&call->out);
    }
    cc_jw_end_object(&call->out);
    if (call->ok) { // one byte shorter
        memcpy(body->p + start, yes, sizeof yes - 1);
        memmove(body->p + start + sizeof yes - 1, body->p + start + head, body->n - start - head);
        body->n -= head - (sizeof yes - 1);
    }
    if (receipt->n == receipt_start + 1) { // nothing was written after its brace
        receipt->n = receipt_start;
    } else {
        cc_jw_end_object(&call->receipt);
    }
    return true;
}
