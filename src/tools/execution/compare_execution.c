// compare_execution: several programs with the same input, side by side, and where their output differs. One after the other, so that the
// times can be compared; at once, up to the number of cores, when that is asked for, and then no time is compared.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/execution/shared.h"

enum { PROGRAMS_MAX = 32, SLACK_MS = 15000 };

static const cc_param params[] = {
    {"snippets", CC_STRING_MAP, .required = true, .max_len = PROGRAMS_MAX, .doc = "Language to complete program"},
    {"stdin", CC_STRING, .max_len = 12 << 20, .page = "What each can read"},
    {"timeout", CC_INT, .min = 1, .max = CC_RUN_TIMEOUT_MAX_S, .clamp = true, .def = "15", .page = "Seconds for each, compiling included"},
    {"parallel", CC_BOOL, .def = "false", .doc = "Then no times",
     .page = "Several at once, as many as there are cores; then no times are told"},
    {"dependencies", CC_OBJECT, .unlisted = true, .doc = "Nothing is installed for a comparison"},
    {0},
};

static const cc_field fields[] = {
    {"count", "integer", true, "programs"},
    {"succeeded", "integer", true, "of them, with verdict OK (ok says only that they were compared)"},
    {"results", "object[]", true, "language, ok, and then as execute_code's compact result; duration_ms when not in parallel"},
    {"fastest", "string", false, "of those that succeeded; not in parallel"},
    {"fastest_note", "string", false, "why the fastest is none, or not clearly"},
    {"discrepancies", "object[]", false, "{language, from, field}: whose output differs, and from whose"},
    {0},
};

// ---- one program ----

typedef struct row {
    const cc_tool *tool;
    cc_run_request q;
    cc_str name; // of the language, as the caller wrote it
    cc_buf text; // one line of result, one of receipt
    bool ok;
    cc_str out;
    int64_t ms;
    bool started;
    pid_t pid; // in parallel
    int fd;
} row;

static void run_row(cc_arena *a, row *r, bool timed) {
    cc_error err = {0};
    cc_run_result result;
    int failed = cc_run_execute(a, &r->q, &result, &err);
    cc_jw w = cc_jw_make(&r->text);
    cc_jw_object(&w);
    cc_jw_kstring(&w, "language", r->name);
    cc_jw_kbool(&w, "ok", !failed && result.verdict == CC_VERDICT_OK);
    if (failed) {
        cc_jw_kstringz(&w, "code", cc_code_name(err.code));
        cc_jw_kstringz(&w, "error", err.msg);
        if (err.remedy[0]) cc_jw_kstringz(&w, "remedy", err.remedy);
    } else {
        cc_program_write(&w, r->tool, &r->q, &result, true);
        if (timed) cc_jw_kint(&w, "duration_ms", result.duration_ms);
    }
    cc_jw_end_object(&w);
    cc_buf_addc(&r->text, '\n');
    w = cc_jw_make(&r->text);
    cc_jw_object(&w);
    cc_jw_kstring(&w, "language", r->name);
    if (!failed) cc_program_write_receipt(&w, &r->q, &result);
    cc_jw_end_object(&w);
}

// Reads back what a row says. The texts live in the arena.
static void read_row(cc_arena *a, row *r, cc_str *result, cc_str *receipt) {
    cc_str all = cc_arena_dup(a, cc_buf_str(&r->text));
    const char *eol = all.n ? memchr(all.p, '\n', all.n) : NULL;
    const cc_json *o;
    cc_error err;
    *receipt = CC_STR("{}");
    *result = (cc_str){0};
    if (eol) {
        *result = (cc_str){all.p, (size_t)(eol - all.p)};
        *receipt = (cc_str){eol + 1, all.n - result->n - 1};
    }
    if (!eol || cc_json_parse(a, *result, CC_JSON_MAX_DEPTH, &o, &err)) { // its process died
        CC_CLEANUP_BUF cc_buf b = {0};
        cc_jw w = cc_jw_make(&b);
        cc_jw_object(&w);
        cc_jw_kstring(&w, "language", r->name);
        cc_jw_kbool(&w, "ok", false);
        cc_jw_kstringz(&w, "code", cc_code_name(CC_WORKER_FAILURE));
        cc_jw_kstringz(&w, "error", r->started ? "the process that ran it died; the machine may be out of memory" : "it was not run");
        cc_jw_end_object(&w);
        *result = cc_arena_dup(a, cc_buf_str(&b));
        *receipt = CC_STR("{}");
        return;
    }
    const cc_json *out = cc_json_get_type(o, "stdout", CC_JSON_STRING), *ms = cc_json_get_type(o, "duration_ms", CC_JSON_NUMBER);
    r->ok = cc_json_bool(cc_json_get(o, "ok"));
    if (out) r->out = cc_json_string(out);
    if (ms && !cc_json_int64(ms, &r->ms)) r->ms = 0;
}

// ---- several at once ----

static void start_row(cc_arena *a, row *r) {
    int p[2];
    if (pipe2(p, O_CLOEXEC)) return;
    pid_t parent = getpid();
    r->pid = fork();
    if (r->pid == 0) {
        // It ends with the launcher, as everything does that a launcher starts.
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || getppid() != parent) _exit(1);
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        close(p[0]);
        cc_run_forked();
        run_row(a, r, false);
        _exit(cc_fd_write_all(p[1], r->text.p, r->text.n) ? 1 : 0);
    }
    close(p[1]);
    r->started = r->pid > 0;
    r->fd = r->started ? p[0] : (close(p[0]), -1);
}

// Reads what there is. False when the row's process has said everything.
static bool follow_row(row *r) {
    cc_buf_reserve(&r->text, 65536);
    ssize_t n = read(r->fd, r->text.p + r->text.n, r->text.cap - r->text.n);
    if (n < 0 && errno == EINTR) return true;
    if (n > 0) return r->text.n += (size_t)n, true;
    cc_fd_close(&r->fd);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR) continue;
    r->pid = 0;
    return false;
}

static void run_at_once(cc_call *call, row *rows, size_t n) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t next = 0, running = 0, places = cores > 0 ? (size_t)cores : 1;
    bool stopped = false;
    while (next < n || running) {
        for (; next < n && running < places && !*call->stop; next++) {
            start_row(call->arena, &rows[next]);
            running += rows[next].fd >= 0;
        }
        if (!running) return; // cancelled, or nothing can be started
        struct pollfd on[PROGRAMS_MAX];
        for (size_t i = 0; i < n; i++) on[i] = (struct pollfd){.fd = i < next ? rows[i].fd : -1, .events = POLLIN};
        poll(on, (nfds_t)n, 50); // a soft stop that comes just before it is then seen soon
        if (*call->stop && !stopped) {
            stopped = true;
            for (size_t i = 0; i < next; i++)
                if (rows[i].pid > 0) kill(rows[i].pid, SIGALRM);
        }
        for (size_t i = 0; i < next; i++)
            if (on[i].revents && !follow_row(&rows[i])) running--;
    }
}

// ---- comparing ----

static void name_fastest(cc_jw *w, const row *rows, size_t n, bool timed) {
    const row *best = NULL, *second = NULL;
    for (size_t i = 0; timed && i < n; i++) {
        const row *r = &rows[i];
        if (!r->ok) continue;
        if (!best || r->ms < best->ms)
            second = best, best = r;
        else if (!second || r->ms < second->ms)
            second = r;
    }
    if (!timed) {
        cc_jw_kstringz(w, "fastest_note", "not timed: the programs ran at once and shared the machine");
        return;
    }
    if (!second) return; // none to be faster than
    // Measured on a busy machine: of twelve pairs of one and the same program, half differed by more than 10 %, one by 70 %.
    int64_t noise = best->ms + 10;
    cc_jw_kstring(w, "fastest", best->name);
    if (second->ms - best->ms > noise) return;
    char text[160];
    snprintf(text, sizeof text,
             "not clearly: %.*s took %lld ms more, in one run each; the same program can take twice as long the next time",
             (int)second->name.n, second->name.p, (long long)(second->ms - best->ms));
    cc_jw_kstringz(w, "fastest_note", text);
}

static void list_discrepancies(cc_jw *w, const row *rows, size_t n) {
    const row *first = NULL;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const row *r = &rows[i];
        if (!r->ok) continue;
        if (!first) first = r;
        if (cc_str_eq(r->out, first->out)) continue;
        if (!any) {
            cc_jw_key(w, "discrepancies");
            cc_jw_array(w);
        }
        any = true;
        cc_jw_object(w);
        cc_jw_kstring(w, "language", r->name);
        cc_jw_kstring(w, "from", first->name);
        cc_jw_kstringz(w, "field", cc_str_eq(cc_str_trim(r->out), cc_str_trim(first->out)) ? "stdout (white space at its ends)" : "stdout");
        cc_jw_end_object(w);
    }
    if (any) cc_jw_end_array(w);
}

static int read_rows(cc_call *call, row *rows, size_t n, cc_error *err) {
    const cc_value *snippets = cc_arg(&call->args, "snippets"), *dependencies = cc_arg(&call->args, "dependencies");
    if (dependencies->given && cc_json_size(dependencies->json)) {
        cc_error_set(err, CC_VALIDATION, "dependencies: nothing is installed for a comparison");
        return cc_error_remedy(err, "leave it out; what a runtime has installed can be imported");
    }
    if (!n) return cc_error_set(err, CC_VALIDATION, "snippets: is empty; give programs by language");
    for (size_t i = 0; i < n; i++) {
        row *r = &rows[i];
        *r = (row){.tool = call->tool, .name = snippets->keys[i], .fd = -1};
        r->q = (cc_run_request){
            .tool = call->tool->name,
            .language = cc_program_language(call->arena, "snippets", r->name, err),
            .code = snippets->items[i],
            .input = cc_arg_text(call, "stdin"),
            .timeout_ms = (unsigned)cc_arg_int(call, "timeout") * 1000,
            .stop = call->stop,
        };
        if (!r->q.language) return -1;
    }
    return cc_run_check_provider((cc_str){0}, err);
}

static int run(cc_call *call, cc_error *err) {
    row rows[PROGRAMS_MAX];
    size_t n = cc_arg(&call->args, "snippets")->n, succeeded = 0;
    bool timed = !cc_arg_flag(call, "parallel");
    if (read_rows(call, rows, n, err)) return -1;
    for (size_t i = 0; timed && i < n; i++) run_row(call->arena, &rows[i], true);
    if (!timed) run_at_once(call, rows, n);
    cc_jw *w = &call->out;
    cc_jw_key(&call->receipt, "runs");
    cc_jw_array(&call->receipt);
    CC_CLEANUP_BUF cc_buf results = {0};
    for (size_t i = 0; i < n; i++) {
        cc_str result, receipt;
        read_row(call->arena, &rows[i], &result, &receipt);
        cc_buf_free(&rows[i].text);
        succeeded += rows[i].ok;
        if (i) cc_buf_addc(&results, ',');
        cc_buf_adds(&results, result);
        cc_jw_raw(&call->receipt, receipt);
    }
    cc_jw_end_array(&call->receipt);
    cc_jw_kint(w, "count", (int64_t)n);
    cc_jw_kint(w, "succeeded", (int64_t)succeeded);
    cc_jw_key(w, "results");
    cc_jw_array(w);
    cc_jw_raw(w, cc_buf_str(&results));
    cc_jw_end_array(w);
    name_fastest(w, rows, n, timed);
    list_discrepancies(w, rows, n);
    return 0;
}

static unsigned deadline_ms(const cc_args *args) {
    return (unsigned)cc_arg(args, "snippets")->n * (unsigned)cc_arg(args, "timeout")->i * 1000 + SLACK_MS + CC_WARM_MAX_MS;
}

const cc_tool cc_tool_compare_execution = {
    .name = "compare_execution",
    .group = CC_EXECUTION,
    .title = "Compare Execution",
    .where = CC_LAUNCHER,
    .hints = CC_OPEN_WORLD | CC_LARGE_RESULT,
    .doc = "Programs in several languages on one stdin: results, differences in output, the fastest.",
    .params = params,
    .result = fields,
    .run = run,
    .deadline_ms = deadline_ms,
};
