// execute_code: one program, run in the sandbox, and what became of it. Reads the arguments, calls src/run, writes the result.
#include <stdio.h>

#include "codecalc/run.h"
#include "codecalc/tools.h"

#define SLACK_MS 15000 // beyond the program's own time: waiting for a free launcher, starting, ending, writing the answer

// The names say most of it: every byte here is sent with every list of tools.
static const cc_param params[] = {
    {"language", CC_STRING, .required = true, .max_len = 32, .doc = "python3, node, bash, c, cpp: see list_languages"},
    {"code", CC_STRING, .required = true, .max_len = 4 << 20},
    {"stdin", CC_STRING, .max_len = 12 << 20},
    {"timeout", CC_INT, .min = 1, .max = CC_RUN_TIMEOUT_MAX_S, .clamp = true, .def = "10", .doc = "Seconds, at most 120"},
    {"max_memory_mb", CC_INT, .min = 0, .max = 1 << 20, .clamp = true, .def = "0"},
    {"max_output_kb", CC_INT, .min = 0, .max = CC_RUN_OUTPUT_MAX_KB, .clamp = true, .def = "0", .doc = "Per stream, at most 240"},
    {"max_cpu", CC_INT, .min = 0, .max = 86400, .clamp = true, .def = "0", .doc = "Seconds"},
    {"no_net", CC_BOOL, .def = "true", .doc = "false asks for network, if the host allows it"},
    {"compact", CC_BOOL, .def = "false", .doc = "Leave out timings"},
    {"files", CC_STRING_MAP, .max_len = 64, .doc = "Relative path to content"},
    {"args", CC_STRING_LIST, .max_len = 256},
    {"env", CC_STRING_MAP, .max_len = 64},
    {"session_id", CC_STRING, .max_len = 64, .unlisted = true, .doc = "Sessions are not available yet"},
    {"provider", CC_STRING, .max_len = 64, .unlisted = true, .doc = "Only 'local'"},
    {"dependencies", CC_STRING_LIST, .unlisted = true, .doc = "Installing packages is not available yet"},
    {0},
};

static const cc_field fields[] = {
    {"verdict", "string", true, "OK, TLE (time), MLE (memory), OLE (output cut), RTE (failed; also compile errors)"},
    {"language", "string", false, "the language's own name"},
    {"phase", "string", false, "compile, when that is what the verdict speaks of"},
    {"exit_code", "integer", true, "minus the signal's number when a signal ended it"},
    {"signal", "integer", false, "the signal that ended it"},
    {"code", "string", false, "timeout or resource_exhausted, when a limit ended it"},
    {"error", "string", false, "which limit, and what was measured"},
    {"remedy", "string", false, "what to do about it"},
    {"timed_out", "boolean", false, "wall-clock or CPU time"},
    {"stdout", "string", true, "what it wrote; invalid UTF-8 as \\xNN; beginning and end when cut"},
    {"stderr", "string", false, "the same for stderr; the compiler's when that failed"},
    {"stdout_bytes", "integer", false, "bytes really written"},
    {"stderr_bytes", "integer", false, "bytes really written"},
    {"output_truncated", "boolean", false, "one of the streams is cut"},
    {"diagnostics", "object[]", false, "errors as {file, line, column, severity, message}"},
    {"duration_ms", "integer", false, "of the program (of compiling in that phase)"},
    {"compile_ms", "integer", false, "of compiling"},
    {"total_ms", "integer", false, "of everything"},
    {"cpu_ms", "integer", false, "of all its processes"},
    {"peak_memory_kb", "integer", false, "of all its processes at once"},
    {"network", "boolean", false, "true when the program had the network"},
    {"unenforced", "string[]", false, "guarantees that could not be given in this run"},
    {0},
};

static int not_yet(cc_error *err, const char *field, const char *remedy) {
    cc_error_set(err, CC_VALIDATION, "%s: not supported by this version", field);
    return cc_error_remedy(err, "%s", remedy);
}

static const cc_language *find_language(cc_call *call, cc_error *err) {
    cc_str name = cc_arg_text(call, "language");
    const cc_language *l = cc_language_find(name);
    if (l) return l;
    cc_str names = cc_language_names(call->arena);
    const char *near = cc_language_nearest(name);
    cc_error_set(err, CC_VALIDATION, "language: unknown language '%.*s'. Available: %.*s", (int)name.n, name.p, (int)names.n, names.p);
    if (near)
        cc_error_remedy(err, "did you mean '%s'?", near);
    else
        cc_error_remedy(err, "use one of these; list_languages says which are installed");
    return NULL;
}

static int read_request(cc_call *call, cc_run_request *q, cc_error *err) {
    cc_str provider = cc_arg_text(call, "provider");
    if (cc_arg_given(call, "session_id")) return not_yet(err, "session_id", "leave it out: each call runs in a fresh sandbox");
    if (cc_arg_given(call, "dependencies") && cc_arg(&call->args, "dependencies")->n)
        return not_yet(err, "dependencies", "leave it out; what the runtime has installed can be imported");
    if (cc_arg_given(call, "provider") && !cc_str_eqz(provider, "local")) {
        cc_error_set(err, CC_VALIDATION, "provider: there is no '%.*s'", (int)provider.n, provider.p);
        return cc_error_remedy(err, "leave it out, or 'local'");
    }
    *q = (cc_run_request){
        .language = find_language(call, err),
        .code = cc_arg_text(call, "code"),
        .input = cc_arg_text(call, "stdin"),
        .timeout_ms = (unsigned)cc_arg_int(call, "timeout") * 1000,
        .memory_mb = (unsigned)cc_arg_int(call, "max_memory_mb"),
        .cpu_s = (unsigned)cc_arg_int(call, "max_cpu"),
        .output_kb = (unsigned)cc_arg_int(call, "max_output_kb"),
        .network = !cc_arg_flag(call, "no_net"),
        .stop = call->stop,
    };
    if (!q->language) return -1;
    const cc_value *files = cc_arg(&call->args, "files"), *args = cc_arg(&call->args, "args"), *env = cc_arg(&call->args, "env");
    q->file_names = files->keys;
    q->file_bytes = files->items;
    q->n_files = files->n;
    q->args = args->items;
    q->n_args = args->n;
    cc_str *pairs = CC_ARENA_ARRAY(call->arena, cc_str, env->n + 1);
    for (size_t i = 0; i < env->n; i++) {
        cc_str name = env->keys[i];
        if (!name.n || memchr(name.p, '=', name.n))
            return cc_error_set(err, CC_VALIDATION, "env: '%.*s' cannot be the name of a variable", (int)(name.n > 60 ? 60 : name.n),
                                name.p);
        CC_CLEANUP_BUF cc_buf pair = {0};
        cc_buf_adds(&pair, env->keys[i]);
        cc_buf_addc(&pair, '=');
        cc_buf_adds(&pair, env->items[i]);
        pairs[i] = cc_arena_dup(call->arena, cc_buf_str(&pair));
    }
    q->env = pairs;
    q->n_env = env->n;
    return 0;
}

static void write_diagnostics(cc_jw *w, const cc_run_result *r) {
    cc_jw_key(w, "diagnostics");
    cc_jw_array(w);
    for (size_t i = 0; i < r->n_diagnostics; i++) {
        const cc_diagnostic *d = &r->diagnostics[i];
        cc_jw_object(w);
        cc_jw_kstring(w, "file", d->file);
        if (d->line) cc_jw_kint(w, "line", d->line);
        if (d->column) cc_jw_kint(w, "column", d->column);
        cc_jw_kstringz(w, "severity", d->severity);
        cc_jw_kstring(w, "message", d->message);
        cc_jw_end_object(w);
    }
    cc_jw_end_array(w);
}

// A run that a limit ended carries what every failure does. A program that failed by itself has said why on stderr.
static void write_failure(cc_jw *w, const cc_run_result *r) {
    static const struct {
        cc_code code;
        const char *remedy;
    } of[] = {
        [CC_VERDICT_TLE] = {CC_TIMEOUT, "make it do less, or raise timeout (at most 120; compiling counts) or max_cpu"},
        [CC_VERDICT_MLE] = {CC_RESOURCE_EXHAUSTED, "make it hold less, or raise max_memory_mb"},
        [CC_VERDICT_OLE] = {CC_RESOURCE_EXHAUSTED, "print less, or raise max_output_kb (at most 240)"},
    };
    if (!r->reason) return;
    cc_jw_kstringz(w, "code", cc_code_name(of[r->verdict].code));
    cc_jw_kstringz(w, "error", r->reason);
    cc_jw_kstringz(w, "remedy", of[r->verdict].remedy);
}

static void write_result(cc_jw *w, const cc_run_request *q, const cc_run_result *r, bool compact) {
    bool clean = r->verdict == CC_VERDICT_OK;
    cc_jw_kstringz(w, "verdict", cc_verdict_name(r->verdict));
    if (!compact) cc_jw_kstringz(w, "language", q->language->name);
    if (r->compiling) cc_jw_kstringz(w, "phase", "compile");
    cc_jw_kint(w, "exit_code", r->signal ? -r->signal : r->exit_code);
    if (r->signal) cc_jw_kint(w, "signal", r->signal);
    write_failure(w, r);
    if (r->timed_out) cc_jw_kbool(w, "timed_out", true);
    cc_jw_kstring(w, "stdout", r->out.text);
    if (r->err.text.n && !(compact && clean)) cc_jw_kstring(w, "stderr", r->err.text);
    bool cut = r->out.cut || r->err.cut;
    if (r->out.bytes && (!compact || cut)) cc_jw_kint(w, "stdout_bytes", (int64_t)r->out.bytes);
    if (r->err.bytes && (!compact || cut)) cc_jw_kint(w, "stderr_bytes", (int64_t)r->err.bytes);
    if (cut) cc_jw_kbool(w, "output_truncated", true);
    if (r->n_diagnostics && !(compact && clean)) write_diagnostics(w, r);
    if (!compact) {
        cc_jw_kint(w, "duration_ms", r->duration_ms);
        if (r->compile_ms) cc_jw_kint(w, "compile_ms", r->compile_ms);
        cc_jw_kint(w, "total_ms", r->total_ms);
        cc_jw_kint(w, "cpu_ms", r->cpu_ms);
    }
    if (!compact || r->verdict == CC_VERDICT_MLE) cc_jw_kint(w, "peak_memory_kb", r->peak_kb);
    if (q->network) cc_jw_kbool(w, "network", true);
    if (r->n_unenforced) {
        cc_jw_key(w, "unenforced");
        cc_jw_array(w);
        for (size_t i = 0; i < r->n_unenforced; i++) cc_jw_string(w, cc_str_of(r->unenforced[i]));
        cc_jw_end_array(w);
    }
}

static void write_receipt(cc_jw *w, const cc_run_request *q, const cc_run_result *r) {
    cc_jw_kstringz(w, "workdir", r->workdir);
    cc_jw_key(w, "isolation");
    cc_jw_object(w);
    cc_jw_kstringz(w, "level", cc_isolation_name(r->isolation));
    cc_jw_kbool(w, "network", q->network);
    if (r->fallback) cc_jw_kstringz(w, "reason", r->fallback);
    cc_jw_end_object(w);
}

static int run(cc_call *call, cc_error *err) {
    cc_run_request q = {0};
    cc_run_result r;
    if (read_request(call, &q, err) || cc_run_execute(call->arena, &q, &r, err)) return -1;
    call->ok = r.verdict == CC_VERDICT_OK;
    write_result(&call->out, &q, &r, cc_arg_flag(call, "compact"));
    write_receipt(&call->receipt, &q, &r);
    return 0;
}

static unsigned deadline_ms(const cc_args *args) { return (unsigned)cc_arg(args, "timeout")->i * 1000 + SLACK_MS; }

const cc_tool cc_tool_execute_code = {
    .name = "execute_code",
    .group = CC_EXECUTION,
    .title = "Execute Code",
    .where = CC_LAUNCHER,
    .hints = CC_OPEN_WORLD | CC_ALWAYS_LOAD | CC_LARGE_RESULT,
    .doc = "Run one program in a fresh sandbox: stdout, stderr, exit code, verdict (OK/TLE/MLE/OLE/RTE), time, memory. `unenforced` names "
           "guarantees not given.",
    .params = params,
    .result = fields,
    .run = run,
    .deadline_ms = deadline_ms,
};
