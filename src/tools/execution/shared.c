// Reading what a program's run shall be, writing what became of it, and telling what it prints meanwhile. Called by the tools of this
// folder. Owns nothing.
#include <stdio.h>

#include "tools/execution/shared.h"

#define SLACK_MS 15000 // beyond the program's own time: waiting for a free launcher, starting, ending, writing the answer

// ---- reading ----

static int not_yet(cc_error *err, const char *field, const char *remedy) {
    cc_error_set(err, CC_VALIDATION, "%s: not supported by this version", field);
    return cc_error_remedy(err, "%s", remedy);
}

const cc_language *cc_program_language(cc_arena *a, const char *field, cc_str name, cc_error *err) {
    const cc_language *l = cc_language_find(name);
    if (l) return l;
    const char *near = cc_language_nearest(name);
    cc_str shown = cc_utf8_prefix(name, 60), names = cc_language_names(a);
    if (near) {
        cc_error_set(err, CC_VALIDATION, "%s: unknown language '%.*s'", field, (int)shown.n, shown.p);
        cc_error_remedy(err, "did you mean '%s'?", near);
    } else {
        cc_error_set(err, CC_VALIDATION, "%s: unknown language '%.*s'. Available: %.*s", field, (int)shown.n, shown.p, (int)names.n,
                     names.p);
        cc_error_remedy(err, "use one of these; list_languages says which are installed");
    }
    return NULL;
}

static int read_environment(cc_call *call, cc_run_request *q, cc_error *err) {
    const cc_value *env = cc_arg(&call->args, "env");
    cc_str *pairs = CC_ARENA_ARRAY(call->arena, cc_str, env->n + 1);
    for (size_t i = 0; i < env->n; i++) {
        cc_str name = env->keys[i];
        if (name.n && memchr(name.p, '=', name.n)) // it would be taken for another variable
            return cc_error_set(err, CC_VALIDATION, "env: a variable's name cannot hold '='");
        CC_CLEANUP_BUF cc_buf pair = {0};
        cc_buf_adds(&pair, name);
        cc_buf_addc(&pair, '=');
        cc_buf_adds(&pair, env->items[i]);
        pairs[i] = cc_arena_dup(call->arena, cc_buf_str(&pair));
    }
    q->env = pairs;
    q->n_env = env->n;
    return 0;
}

int cc_program_read(cc_call *call, cc_run_request *q, cc_error *err) {
    const cc_value *files = cc_arg(&call->args, "files"), *args = cc_arg(&call->args, "args");
    if (cc_arg(&call->args, "dependencies")->n)
        return not_yet(err, "dependencies", "leave it out; what the runtime has installed can be imported");
    if (cc_run_check_provider(cc_arg_text(call, "provider"), err)) return -1;
    *q = (cc_run_request){
        .tool = call->tool->name,
        .language = cc_program_language(call->arena, "language", cc_arg_text(call, "language"), err),
        .code = cc_arg_text(call, "code"),
        .input = cc_arg_text(call, "stdin"),
        .timeout_ms = (unsigned)cc_arg_int(call, "timeout") * 1000,
        .memory_mb = (unsigned)cc_arg_int(call, "max_memory_mb"),
        .cpu_s = (unsigned)cc_arg_int(call, "max_cpu"),
        .output_kb = (unsigned)cc_arg_int(call, "max_output_kb"),
        .network = !cc_arg_flag(call, "no_net"),
        .file_names = files->keys,
        .file_bytes = files->items,
        .n_files = files->n,
        .args = args->items,
        .n_args = args->n,
        .stop = call->stop,
    };
    const char *whose;
    unsigned most = cc_run_memory_ceiling_mb(&whose);
    if (q->memory_mb > most) cc_call_warn(call, "max_memory_mb was limited to %u by %s", most, whose);
    return q->language ? read_environment(call, q, err) : -1;
}

unsigned cc_program_deadline(const cc_args *args) {
    const cc_language *l = cc_language_find(cc_arg(args, "language")->text);
    return (unsigned)cc_arg(args, "timeout")->i * 1000 + SLACK_MS + (l && cc_language_prepares(l) ? CC_WARM_MAX_MS : 0);
}

// ---- writing ----

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

static void write_exception(cc_jw *w, const cc_exception *e) {
    cc_jw_key(w, "exception");
    cc_jw_object(w);
    cc_jw_kstring(w, "type", e->type);
    if (e->has_message) cc_jw_kstring(w, "message", e->message);
    if (e->n_frames) {
        cc_jw_key(w, "frames");
        cc_jw_array(w);
        for (size_t i = 0; i < e->n_frames; i++) {
            cc_jw_object(w);
            cc_jw_kstring(w, "file", e->frames[i].file);
            if (e->frames[i].line) cc_jw_kint(w, "line", e->frames[i].line);
            if (e->frames[i].function.n) cc_jw_kstring(w, "function", e->frames[i].function);
            cc_jw_end_object(w);
        }
        cc_jw_end_array(w);
    }
    cc_jw_end_object(w);
}

static const cc_param *param_of(const cc_tool *tool, const char *name) {
    const cc_param *p = tool->params;
    while (p->name && strcmp(p->name, name) != 0) p++;
    return p->name ? p : NULL;
}

// What to do about a limit: what the program could do, and which argument of this very tool could still be raised.
static cc_str remedy_of(cc_buf *out, const cc_tool *tool, const cc_run_request *q, const cc_run_result *r) {
    const char *whose;
    unsigned most;
    if (r->cancelled) {
        cc_buf_addz(out, q->run_id ? "submit it again if its result is wanted" : "call again when the result is wanted");
    } else if (r->cpu_over) {
        cc_buf_addz(out, "make it do less, or raise max_cpu");
    } else if (r->verdict == CC_VERDICT_TLE) {
        most = (unsigned)param_of(tool, "timeout")->max;
        cc_buf_addz(out, "make it do less");
        if (q->timeout_ms < most * 1000)
            cc_buf_printf(out, ", or raise timeout (at most %u%s)", most, r->compiling || r->compile_ms ? "; compiling counts" : "");
        else if (most < CC_RUN_STREAM_MAX_S)
            cc_buf_printf(out, ", or give it up to %d s with execute_code_stream", CC_RUN_STREAM_MAX_S);
    } else if (r->verdict == CC_VERDICT_MLE) {
        most = cc_run_memory_ceiling_mb(&whose);
        cc_buf_addz(out, "make it hold less");
        if (r->memory_limit_kb / 1024 < most)
            cc_buf_printf(out, ", or %s max_memory_mb (at most %u)",
                          param_of(tool, "max_memory_mb") ? "raise" : "run it with execute_code and its", most);
        else
            cc_buf_printf(out, ": %s allows no more", whose);
    } else {
        uint64_t longest = r->out.bytes > r->err.bytes ? r->out.bytes : r->err.bytes;
        cc_buf_addz(out, "print less");
        if (longest > (uint64_t)CC_RUN_OUTPUT_MAX_KB * 1024)
            cc_buf_printf(out, ": at most %d KiB of a stream are returned", CC_RUN_OUTPUT_MAX_KB);
        else
            cc_buf_printf(out, ", or %s max_output_kb (at most %d)",
                          param_of(tool, "max_output_kb") ? "raise" : "run it with execute_code and its", CC_RUN_OUTPUT_MAX_KB);
    }
    return cc_buf_str(out);
}

// A run that a limit ended carries what every failure does. A program that failed by itself has said why on stderr.
static void write_failure(cc_jw *w, const cc_tool *tool, const cc_run_request *q, const cc_run_result *r) {
    CC_CLEANUP_BUF cc_buf text = {0};
    if (!r->reason) return;
    cc_jw_kstringz(w, "code", cc_code_name(r->cancelled || r->verdict == CC_VERDICT_TLE ? CC_TIMEOUT : CC_RESOURCE_EXHAUSTED));
    cc_jw_kstringz(w, "error", r->reason);
    cc_jw_kstring(w, "remedy", remedy_of(&text, tool, q, r));
}

// A PEP 723 block asks for packages; it is not obeyed, and that is said.
static bool asks_for_packages(const cc_run_request *q) {
    static const char mark[] = "# /// script";
    const char *at = q->code.n ? memmem(q->code.p, q->code.n, mark, sizeof mark - 1) : NULL;
    return at && strcmp(q->language->name, "python3") == 0 && (at == q->code.p || at[-1] == '\n');
}

void cc_program_write(cc_jw *w, const cc_tool *tool, const cc_run_request *q, const cc_run_result *r, bool compact) {
    bool clean = r->verdict == CC_VERDICT_OK;
    cc_jw_kstringz(w, "verdict", cc_verdict_name(r->verdict));
    if (!compact) cc_jw_kstringz(w, "language", q->language->name);
    if (r->compiling) cc_jw_kstringz(w, "phase", "compile");
    cc_jw_kint(w, "exit_code", r->signal ? -r->signal : r->exit_code);
    if (r->signal) cc_jw_kint(w, "signal", r->signal);
    write_failure(w, tool, q, r);
    if (r->timed_out) cc_jw_kbool(w, "timed_out", true);
    cc_jw_kstring(w, "stdout", r->out.text);
    if (r->err.text.n && !(compact && clean)) cc_jw_kstring(w, "stderr", r->err.text);
    bool cut = r->out.cut || r->err.cut;
    if (r->out.bytes && (!compact || cut)) cc_jw_kint(w, "stdout_bytes", (int64_t)r->out.bytes);
    if (r->err.bytes && (!compact || cut)) cc_jw_kint(w, "stderr_bytes", (int64_t)r->err.bytes);
    if (cut) cc_jw_kbool(w, "output_truncated", true);
    if (r->n_diagnostics && !(compact && clean)) write_diagnostics(w, r);
    if (r->exception.type.n && !compact) write_exception(w, &r->exception);
    if (!compact) {
        cc_jw_kint(w, "duration_ms", r->duration_ms);
        if (r->compile_ms) cc_jw_kint(w, "compile_ms", r->compile_ms);
        if (r->compile_cached) cc_jw_kbool(w, "compile_cached", true);
        if (r->prepare_ms) cc_jw_kint(w, "prepare_ms", r->prepare_ms);
        cc_jw_kint(w, "total_ms", r->total_ms);
        cc_jw_kint(w, "cpu_ms", r->cpu_ms);
    }
    if (!compact || r->verdict == CC_VERDICT_MLE) cc_jw_kint(w, "peak_memory_kb", r->peak_kb);
    if (asks_for_packages(q))
        cc_jw_kraw(w, "dependencies", CC_STR("{\"status\":\"unsupported\",\"reason\":\"nothing is installed for a program\"}"));
    if (q->network) cc_jw_kbool(w, "network", true);
    if (r->n_unenforced) {
        cc_jw_key(w, "unenforced");
        cc_jw_array(w);
        for (size_t i = 0; i < r->n_unenforced; i++) cc_jw_string(w, cc_str_of(r->unenforced[i]));
        cc_jw_end_array(w);
    }
}

void cc_program_write_receipt(cc_jw *w, const cc_run_request *q, const cc_run_result *r) {
    cc_jw_kstringz(w, "provider", "local");
    cc_jw_kstringz(w, "workdir", r->workdir);
    cc_jw_key(w, "isolation");
    cc_jw_object(w);
    cc_jw_kstringz(w, "level", cc_isolation_name(r->isolation));
    cc_jw_kbool(w, "network", q->network);
    if (r->fallback) cc_jw_kstringz(w, "reason", r->fallback);
    cc_jw_end_object(w);
    if (r->warm) cc_jw_kbool(w, "warm", true);
}

void cc_program_answer(cc_call *call, const cc_run_request *q, const cc_run_result *r) {
    call->ok = r->verdict == CC_VERDICT_OK;
    cc_program_write(&call->out, call->tool, q, r, cc_arg_flag(call, "compact"));
    cc_program_write_receipt(&call->receipt, q, r);
}

// True for what is the sandbox's affair and tells a reader nothing: limits, caches, the virtual machine's tuning.
static bool is_detail(const char *word) {
    static const char *const inside[] = {"{mb}", "{warm}", "{tmp}", "={lib}/", "-XX:", "-Xshare", "encoding="};
    for (size_t i = 0; i < CC_ARRAY_LEN(inside); i++)
        if (strstr(word, inside[i])) return true;
    return false;
}

// A command of the table as one line: "{0} -O2 …" with the tools' names in place of their numbers.
static void write_command(cc_jw *w, const char *key, const char *const *words, const cc_variant *v, const cc_resolution *r) {
    CC_CLEANUP_BUF cc_buf line = {0};
    if (!strcmp(words[0], "/bin/sh")) words += 3; // a script around the command itself
    for (size_t i = 0; words[i]; i++) {
        const char *word = words[i], *next = words[i + 1], *place = strstr(word, "0}/");
        if (is_detail(word) || (word[0] == '-' && word[1] != 'X' && next && next[0] != '-' && is_detail(next))) continue;
        if (!strncmp(word, "{lib}/", 6)) word += 6;
        if (place && word[0] == '{') word = place + 3;
        if (line.n) cc_buf_addc(&line, ' ');
        if (word[0] == '{' && word[1] >= '0' && word[1] < '0' + CC_VARIANT_TOOLS && word[2] == '}') {
            size_t tool = (size_t)(word[1] - '0');
            const char *name = r ? r->tools[tool].name : v->tools[tool];
            size_t n = r ? strlen(name) : strcspn(name, "|");
            cc_buf_add(&line, name, n);
        } else {
            cc_buf_addz(&line, word);
        }
    }
    cc_jw_kstring(w, key, cc_buf_str(&line));
}

void cc_program_write_commands(cc_jw *w, const cc_variant *v, const cc_resolution *found) {
    if (v->compile) write_command(w, "compile", v->compile, v, found);
    write_command(w, "run", v->run, v, found);
}

void cc_program_write_environment(cc_jw *w, const cc_variant *v) {
    bool any = false;
    for (const char *const *e = v->env; e && *e; e++) {
        if (strchr(*e, '{')) continue; // a place of the sandbox's own, or a limit
        if (!any) {
            cc_jw_key(w, "environment");
            cc_jw_array(w);
        }
        any = true;
        cc_jw_string(w, cc_str_of(*e));
    }
    if (any) cc_jw_end_array(w);
}

// ---- telling what it prints ----

enum {
    TELL_MS = 110,         // between two messages; a little over 100, so that no second sees more than ten of them
    TELL_BYTES = 32 << 10, // of one stream in one message
};

typedef struct teller {
    cc_call *call;
    cc_buf pending[2]; // of stdout and stderr: what has not been told
    uint64_t seen[2], cap;
    bool cut[2]; // and said so
    int64_t told_at;
} teller;

// How many bytes at the end of s are the beginning of a sequence whose rest has not come.
static size_t unfinished(cc_str s) {
    for (size_t back = 1; back <= 3 && back <= s.n; back++) {
        unsigned char c = (unsigned char)s.p[s.n - back];
        if ((c & 0xC0) == 0x80) continue;
        size_t whole = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

static void tell(teller *t, int64_t now) {
    CC_CLEANUP_BUF cc_buf text = {0};
    for (int i = 0; i < 2; i++) {
        cc_buf *b = &t->pending[i];
        bool more = b->n > TELL_BYTES;
        cc_str piece = {b->p, more ? TELL_BYTES : b->n};
        piece.n -= unfinished(piece);
        cc_utf8_escape_invalid(&text, piece);
        cc_buf_consume(b, piece.n);
    }
    if (!text.n) return;
    t->told_at = now;
    t->call->output(t->call, (double)(t->seen[0] + t->seen[1]), cc_buf_str(&text));
}

// Every piece of output as it comes, and nothing (n = 0) now and then.
static void on_output(void *ctx, bool is_stderr, cc_str bytes) {
    teller *t = ctx;
    uint64_t room = t->seen[is_stderr] < t->cap ? t->cap - t->seen[is_stderr] : 0;
    if (bytes.n) cc_buf_add(&t->pending[is_stderr], bytes.p, bytes.n < room ? bytes.n : (size_t)room);
    if (bytes.n > room && !t->cut[is_stderr]) {
        cc_buf_addz(&t->pending[is_stderr], "\n[... more is not told while it runs ...]\n");
        t->cut[is_stderr] = true;
    }
    t->seen[is_stderr] += bytes.n;
    int64_t now = cc_now_ms();
    if (now - t->told_at >= TELL_MS && t->pending[0].n + t->pending[1].n) tell(t, now);
}

int cc_program_run_watched(cc_call *call, cc_run_request *q, cc_run_result *r, cc_error *err) {
    teller t = {.call = call, .cap = (q->output_kb ? q->output_kb : CC_RUN_OUTPUT_DEFAULT_KB) * (uint64_t)1024};
    if (call->output) {
        q->output = on_output;
        q->output_ctx = &t;
    }
    int failed = cc_run_execute(call->arena, q, r, err);
    for (int i = 0; i < 2; i++) cc_buf_free(&t.pending[i]); // the result has all of it
    return failed;
}
