// Runs one program: plans it, starts the sandbox, moves its input and output, keeps its time, and judges how it ended. Called by tools and
// doctor, in a process that may block. Owns the pipes, the sandbox and the work directory; nothing of them is left when it returns.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/run.h"

#define LOOK_MS      50  // how late a stop request may be noticed
#define LAST_WORD_MS 150 // between the soft signal at the time limit and the end
#define REPORT_MS    300 // how long init may take to say how it ended a step
#define PREPARED_MS  500 // looking whether a toolchain is prepared takes less
#define FILES_MAX    64

const char *cc_verdict_name(cc_verdict v) {
    static const char *const names[] = {"OK", "TLE", "MLE", "OLE", "RTE"};
    return names[v];
}

// ---- checking a request ----

static bool has_nul(cc_str s) { return s.n && memchr(s.p, 0, s.n); }

// A relative path that stays inside: no empty part, no "." or "..".
static bool stays_inside(cc_str name) {
    if (!name.n || name.n > 255 || has_nul(name)) return false;
    for (size_t from = 0, i = 0; i <= name.n; i++) {
        if (i < name.n && name.p[i] != '/') continue;
        cc_str part = {name.p + from, i - from};
        if (!part.n || cc_str_eqz(part, ".") || cc_str_eqz(part, "..")) return false;
        from = i + 1;
    }
    return true;
}

static bool is_variable_name(cc_str name) {
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (c != '_' && !((c | 32) >= 'a' && (c | 32) <= 'z') && !(i && c >= '0' && c <= '9')) return false;
    }
    return name.n;
}

static int check_variable(cc_str pair, cc_error *err) {
    const char *eq = pair.n ? memchr(pair.p, '=', pair.n) : NULL;
    cc_str name = {pair.p, eq ? (size_t)(eq - pair.p) : pair.n}, shown = cc_utf8_prefix(name, 60);
    if (!eq || !is_variable_name(name))
        return cc_error_set(err, CC_VALIDATION, "env: '%.*s' is not a variable's name (letters, digits, _)", (int)shown.n, shown.p);
    if (!has_nul(pair)) return 0;
    return cc_error_set(err, CC_VALIDATION, "env: the value of %.*s holds a NUL, which no variable can", (int)shown.n, shown.p);
}

int cc_run_check(const cc_run_request *q, cc_error *err) {
    // Interpreters stop reading at a NUL, or drop it, and run half of the program without a word.
    if (has_nul(q->code))
        return cc_error_set(err, CC_VALIDATION, "code: has a NUL at byte %zu",
                            (size_t)((const char *)memchr(q->code.p, 0, q->code.n) - q->code.p));
    if (q->n_files > FILES_MAX) return cc_error_set(err, CC_VALIDATION, "files: %zu files; at most %d", q->n_files, FILES_MAX);
    for (size_t i = 0; i < q->n_files; i++) {
        if (stays_inside(q->file_names[i])) continue;
        cc_str shown = cc_utf8_prefix(q->file_names[i], 80);
        return cc_error_set(err, CC_VALIDATION,
                            "files: '%.*s' is not a relative path of at most 255 bytes that stays inside the work directory", (int)shown.n,
                            shown.p);
    }
    for (size_t i = 0; i < q->n_args; i++)
        if (has_nul(q->args[i])) return cc_error_set(err, CC_VALIDATION, "args[%zu]: holds a NUL, which no argument can", i);
    for (size_t i = 0; i < q->n_env; i++)
        if (check_variable(q->env[i], err)) return -1;
    return 0;
}

// ---- the levels ----

static struct {
    cc_isolation level; // full isolation was tried and failed: what is tried instead
    cc_sandbox_level why;
} below = {.level = CC_ISOLATION_FULL};

// ---- one run in progress ----

typedef struct run {
    const cc_run_request *q;
    cc_plan plan;
    cc_sandbox box;
    bool has_waited; // its interpreter
    int input;       // writing end of stdin, -1 when done
    size_t input_at;
    int input_error;
    cc_driver driver;
    cc_capture streams[2][2]; // compiling, running: stdout, stderr
    cc_report ended[CC_SANDBOX_STEPS];
    int64_t started_ns[CC_SANDBOX_STEPS];
    bool has_ended[CC_SANDBOX_STEPS];
    cc_report failed; // of set-up
    uint32_t gaps;
    bool timed_out, cancelled, flooded;
    bool over;  // nothing of the program lives any more, and init is on its way out
    cc_str key; // of the compiled program; empty when it is not to be kept
    bool is_cached;
    cc_cached cached;
    int kept; // where compiling leaves what is to be kept, or -1
} run;

// Starts the sandbox, or lets one go on that waits for such a plan. 0; or -1 with *err (no pipes), or *fault (no sandbox).
static int start(run *r, cc_report *fault, cc_error *err) {
    size_t cap = (r->q->output_kb ? r->q->output_kb : CC_RUN_OUTPUT_DEFAULT_KB) * (size_t)1024;
    cc_begun b;
    r->has_waited = cc_waiting_take(&r->plan, &b);
    if (!r->has_waited && cc_begin(&r->plan, &b, fault, err)) return -1;
    r->box = b.box;
    r->input = b.input;
    cc_driver_begin(&r->driver, b.control);
    for (int i = 0; i < 4; i++) {
        cc_capture *c = &r->streams[i / 2][i % 2];
        if (b.streams[i / 2][i % 2] < 0) continue;
        cc_capture_begin(c, b.streams[i / 2][i % 2], cap);
        if (i / 2) c->seen = r->q->output, c->ctx = r->q->output_ctx, c->is_stderr = i % 2;
    }
    return 0;
}

static void feed(run *r) {
    while (r->input >= 0) {
        size_t left = r->q->input.n - r->input_at;
        ssize_t n = left ? write(r->input, r->q->input.p + r->input_at, left) : 0;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n > 0) r->input_at += (size_t)n;
        if (n < 0 && errno != EPIPE) r->input_error = errno;
        if (n < 0 || r->input_at == r->q->input.n) cc_fd_close(&r->input); // all written, or the program does not read on
    }
}

// False when no more reports are to be waited for.
static bool read_reports(run *r) {
    cc_report report;
    int got;
    while ((got = cc_sandbox_next(&r->box, &report)) > 0) {
        r->gaps |= report.gaps;
        if (report.kind == CC_REPORT_FAILED) r->failed = report;
        if (report.kind == CC_REPORT_STARTED) r->started_ns[report.step] = report.at_ns;
        if (report.kind != CC_REPORT_ENDED) continue;
        r->ended[report.step] = report, r->has_ended[report.step] = true;
        bool last = report.step + 1 == r->plan.spec.n_steps || report.exit_code || report.cause;
        if (last && r->box.full) r->over = true;
    }
    return got == 0 && !r->over;
}

static bool floods(const run *r) {
    for (int i = 0; i < 4; i++)
        if (r->streams[i / 2][i % 2].total > CC_OUTPUT_STOP) return true;
    return false;
}

// Moves bytes until the sandbox has ended. began is when the whole run began.
static void pump(run *r, int64_t began_ms) {
    int64_t deadline = began_ms + r->q->timeout_ms, end_at = INT64_MAX;
    bool asked = false, stopped = false;
    for (;;) {
        struct pollfd on[7] = {{.fd = r->box.reports, .events = POLLIN}, {.fd = r->input, .events = POLLOUT}};
        for (int i = 0; i < 4; i++) {
            const cc_capture *c = &r->streams[i / 2][i % 2];
            on[2 + i] = (struct pollfd){.fd = c->total > CC_OUTPUT_STOP ? -1 : c->fd, .events = POLLIN};
        }
        on[6] = (struct pollfd){.fd = r->driver.fd, .events = POLLIN};
        int64_t now = cc_now_ms(), next = stopped ? end_at : asked ? deadline + LAST_WORD_MS : deadline;
        int64_t wait = next - now;
        poll(on, CC_ARRAY_LEN(on), wait < 0 ? 0 : wait > LOOK_MS ? LOOK_MS : (int)wait);
        if (on[1].revents) feed(r);
        for (int i = 0; i < 4; i++)
            if (on[2 + i].revents) cc_capture_read(&r->streams[i / 2][i % 2]);
        if (on[6].revents) cc_driver_read(&r->driver);
        if (r->q->output) r->q->output(r->q->output_ctx, false, (cc_str){0});
        if (on[0].revents && !read_reports(r)) return;
        now = cc_now_ms();
        if (stopped) {
            if (now >= end_at) return; // cc_sandbox_finish kills what does not answer
            continue;
        }
        bool wanted = r->q->stop && *r->q->stop;
        if (wanted) r->cancelled = true;
        if (floods(r)) r->flooded = true;
        if (now >= deadline && !asked) {
            r->timed_out = asked = true;
            cc_sandbox_ask(&r->box);
        }
        int soft = r->plan.steps[r->plan.run_step].soft_signal;
        if (wanted || r->flooded || (asked && (!soft || now >= deadline + LAST_WORD_MS))) {
            cc_sandbox_stop(&r->box);
            stopped = true;
            end_at = now + REPORT_MS;
        }
    }
}

static void release(run *r) {
    cc_fd_close(&r->input);
    cc_fd_close(&r->kept);
    for (int i = 0; i < 4; i++) cc_capture_free(&r->streams[i / 2][i % 2]);
    cc_driver_free(&r->driver);
    for (size_t i = 0; i < r->plan.spec.n_steps; i++) cc_cgroup_remove(&r->plan.steps[i].group);
    cc_plan_clean(&r->plan);
}

static void prepare(run *r, const cc_run_request *q) {
    *r = (run){.q = q, .input = -1, .kept = -1, .driver = {.fd = -1}, .box = {.pidfd = -1, .reports = -1}};
    for (int i = 0; i < 4; i++) r->streams[i / 2][i % 2].fd = -1;
}

// An errno when bytes were lost on their way.
static int transfer_error(const run *r) {
    int error = r->input_error;
    for (int i = 0; i < 4 && !error; i++) error = r->streams[i / 2][i % 2].error;
    return error;
}

// The step that was begun last; 0 also when none was.
static size_t last_step(const run *r) {
    size_t step = r->plan.run_step;
    while (step && !r->started_ns[step]) step--;
    return step;
}

// True when it is known how the run ended. Else init died: by the kernel's memory killer, or below CC_ISOLATION_FULL by the program itself.
static bool is_complete(const run *r) {
    size_t step = last_step(r);
    const cc_report *e = &r->ended[step];
    bool whole = r->has_ended[step] && (step == r->plan.run_step || e->exit_code != 0 || e->cause);
    return whole || r->timed_out || r->cancelled || r->flooded;
}

static bool is_shortage(int error) { return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE; }

// The error of a call whose sandbox could not be set up, at a level that no lower one would mend.
static int refuse(const cc_report *fault, const run *r, const cc_resolution *found, cc_error *err) {
    bool executing = fault->of_request && !strncmp(fault->what, "execute", 7);
    if (executing && r->plan.run_step && r->has_ended[0] && (fault->error == ENOENT || fault->error == EACCES || fault->error == ENOEXEC)) {
        // The compiler was content with a library, a module, a package.
        cc_error_set(err, CC_VALIDATION, "code: compiling it left no program that can be started");
        return cc_error_remedy(err, "make it a whole program: with main (in Go also 'package main', in Haskell 'module Main')");
    }
    if (fault->error == E2BIG) {
        cc_error_set(err, CC_VALIDATION, "args, env: longer than Linux takes (128 KiB in each, and a limit for all)");
        return cc_error_remedy(err, "pass the rest by stdin or files");
    }
    if (fault->of_request && !strncmp(fault->what, "write ", 6)) {
        const char *name = fault->what + 6;
        bool full = fault->error == ENOSPC;
        cc_error_set(err, full ? CC_RESOURCE_EXHAUSTED : CC_VALIDATION, "files: '%s': %s", name, strerror(fault->error));
        return full ? cc_error_remedy(err, "give it less; files count as memory (max_memory_mb), and 256 MiB of them are the most")
                    : cc_error_remedy(err, "give it another name");
    }
    if (fault->error == EINVAL && !strcmp(fault->what, "chown the work directory")) { // below full isolation, where root is the only user
        cc_error_set(err, CC_PERMISSION_DENIED, "the server runs as root where no other user is mapped, and gives no program its own user");
        return cc_error_remedy(err,
                               "start it as an ordinary user, or with more users mapped; codecalc doctor says how to get full isolation");
    }
    if (executing && fault->error == EACCES) {
        cc_error_set(err, CC_RUNTIME_UNAVAILABLE, "%s is out of reach for the user that programs run as", found->tools[0].path);
        return cc_error_remedy(err, "set CODECALC_RUNTIME_PATH to directories that everybody can read, such as /usr/bin");
    }
    cc_code code = is_shortage(fault->error) || fault->error == ENOSPC ? CC_RESOURCE_EXHAUSTED
                   : fault->of_request && !executing                   ? CC_VALIDATION
                                                                       : CC_INTERNAL;
    cc_error_set(err, code, "%s%s: %s", fault->of_request && !executing ? "files: " : "starting the sandbox: ", fault->what,
                 strerror(fault->error));
    if (fault->error == EMFILE) cc_error_remedy(err, "run fewer calls at once, or raise the limit of open files (ulimit -n)");
    return -1;
}

// Takes the compiled program from the cache, or arranges that it can be put there. Not where guests can write to what is the user's.
static void use_cache(cc_arena *a, run *r, const cc_resolution *found) {
    cc_plan *p = &r->plan;
    if (!p->run_step || r->q->fresh || p->spec.network || p->spec.level != CC_ISOLATION_FULL) return;
    r->key = cc_cache_key(a, found, p);
    if (!r->key.n) return;
    r->is_cached = cc_cache_find(a, r->key, &r->cached);
    if (r->is_cached) {
        cc_plan_skip_compiling(a, p, r->cached.ops, r->cached.n_ops);
        return;
    }
    cc_step *last = &p->steps[p->run_step - 1];
    last->kept = r->kept = memfd_create("kept", MFD_CLOEXEC);
    last->keeps = r->kept >= 0;
}

static void fill_cache(cc_arena *a, const run *r) {
    if (r->kept >= 0 && r->started_ns[r->plan.run_step]) cc_cache_store(r->key, cc_capture_finish(a, &r->streams[0][1]).text, r->kept);
}

// Plans (the row's command, or the request's program) and runs at the best level there is. 0 when the sandbox did its work, whatever
// became of the program.
static int run_plan(cc_arena *a, run *r, const cc_resolution *found, const char *const *words, const char *warm, int64_t began_ms,
                    cc_error *err) {
    for (cc_isolation level = below.level; level > CC_ISOLATION_NONE; level--) {
        if (cc_policy_require(level, &below.why, err) || cc_policy_check(level, r->q->network, err)) return -1;
        if (warm && level < CC_ISOLATION_FULL) return cc_error_set(err, CC_PERMISSION_DENIED, "only full isolation prepares toolchains");
        prepare(r, r->q);
        int failed = words ? cc_plan_command(a, found, words, warm, r->q->timeout_ms, level, &r->plan, err)
                           : cc_plan_make(a, r->q, found, level, &r->plan, err);
        if (failed) return -1;
        use_cache(a, r, found);
        cc_report fault = {0};
        if (start(r, &fault, err) == 0) {
            feed(r);
            pump(r, began_ms);
            if (r->over)
                cc_blank_leave(&r->box);
            else
                cc_sandbox_finish(&r->box);
            for (int i = 0; i < 4; i++) cc_capture_read(&r->streams[i / 2][i % 2]); // what was in the pipes when it ended
            cc_driver_read(&r->driver);
            if (r->has_waited && !r->started_ns[0] && !r->failed.of_request && !r->cancelled) { // nothing was done: it died while it waited
                release(r);
                level++;
                continue;
            }
            if (!r->failed.what[0]) {
                int lost = transfer_error(r);
                if (!lost && is_complete(r)) return 0;
                release(r);
                if (lost) return cc_error_set(err, CC_INTERNAL, "moving the program's input and output: %s", strerror(lost));
                cc_error_set(err, CC_WORKER_FAILURE, "the sandbox was killed while it ran %s", found->language->name);
                if (!(r->gaps & CC_GAP_PROCESS_TREE))
                    return cc_error_remedy(err, "try again; if it stays so, the machine is out of memory");
                return cc_error_remedy(err, "the program can have done it: below full isolation process_tree is not enforced; codecalc "
                                            "doctor says how to get it");
            }
            fault = r->failed;
        } else if (!fault.what[0]) {
            release(r);
            return -1; // no pipe: a lower level has none either
        }
        release(r);
        if (strcmp(fault.what, CC_CANNOT_JOIN) == 0 && cc_begin_without_groups()) {
            level++; // the same level once more, without
            continue;
        }
        // Only what the machine refuses leads to a lower level: a request that cannot be set up must not choose its isolation.
        if (fault.of_request || is_shortage(fault.error) || level == CC_ISOLATION_RLIMITS) return refuse(&fault, r, found, err);
        below.level = level - 1;
        cc_sandbox_explain(level, &fault, &below.why);
        cc_log(CC_LOG_INFO, "%s isolation is not available: %s", cc_isolation_name(level), below.why.reason);
    }
    return -1;
}

// ---- judging ----

// True when the end of stderr carries one of the runtime's own words for being refused memory.
static bool says_out_of_memory(const char *const *marks, cc_str text) {
    enum { LAST = 4096 };
    if (!text.n) return false;
    if (text.n > LAST) text = (cc_str){text.p + text.n - LAST, LAST};
    for (; marks && *marks; marks++) {
        bool at_line = **marks == '^';
        cc_str mark = cc_str_of(*marks + at_line);
        for (size_t i = 0; i + mark.n <= text.n; i++)
            if (!memcmp(text.p + i, mark.p, mark.n) && (!at_line || i == 0 || text.p[i - 1] == '\n')) return true;
    }
    return false;
}

// Takes the work directory's name off the files that a runtime names: on the host it is a temporary one that tells nobody anything.
static cc_str without_prefix(cc_arena *a, cc_str text, cc_str prefix) {
    char *out = cc_arena_alloc(a, text.n + 1);
    size_t n = 0;
    while (text.n) {
        const char *at = memmem(text.p, text.n, prefix.p, prefix.n);
        size_t before = at ? (size_t)(at - text.p) : text.n, skip = at ? prefix.n : 0;
        memcpy(out + n, text.p, before);
        n += before;
        text.p += before + skip, text.n -= before + skip;
    }
    return (cc_str){out, n};
}

// The verdict on the step that was begun last, and why, in the order of what is certain: what a limit ended, then what the runtime says.
static cc_verdict decide(cc_arena *a, const run *r, size_t step, const char *const *out_of_memory, const cc_run_result *out, cc_str *why) {
    const cc_run_request *q = r->q;
    const cc_report *e = &r->ended[step];
    const char *who = out->compiling ? "compiling" : "the program";
    bool failed = out->exit_code != 0;
    if (e->cause == CC_STOP_MEMORY || (out->memory_limit_kb && e->peak_kb > out->memory_limit_kb)) {
        *why = cc_arena_printf(a, "memory: %s used %lld KiB, limit %lld KiB", who, (long long)e->peak_kb, (long long)out->memory_limit_kb);
        return CC_VERDICT_MLE;
    }
    if (r->flooded) {
        *why = cc_arena_printf(a, "output: stopped after %u MiB", CC_OUTPUT_STOP >> 20);
        return CC_VERDICT_OLE;
    }
    if (out->timed_out) {
        *why = out->cpu_over ? cc_arena_printf(a, "CPU time: %s used the %u s allowed", who, q->cpu_s)
                             : cc_arena_printf(a, "wall clock: %s was ended after %g s", who, q->timeout_ms / 1000.0);
        return CC_VERDICT_TLE;
    }
    if (r->cancelled) {
        *why = CC_STR("ended before its time: the call was cancelled, or its deadline passed while it waited");
        return CC_VERDICT_TLE;
    }
    if (failed && says_out_of_memory(out_of_memory, out->err.text)) {
        *why = cc_arena_printf(a, "memory: the limit of %lld KiB refused an allocation", (long long)out->memory_limit_kb);
        return CC_VERDICT_MLE;
    }
    if (out->out.cut || out->err.cut) {
        *why = cc_arena_printf(a, "output: more than %u KiB in one stream", q->output_kb ? q->output_kb : CC_RUN_OUTPUT_DEFAULT_KB);
        return CC_VERDICT_OLE;
    }
    return failed ? CC_VERDICT_RTE : CC_VERDICT_OK;
}

// Else what the driver tells is of something that the program lived through.
static bool failed_by_itself(const cc_run_result *out) {
    return !out->compiling && out->exit_code != 0 && !out->timed_out && !out->cancelled;
}

// What is known of errors: from what was said or, where that names no place, from the driver.
static void read_diagnostics(cc_arena *a, const run *r, const cc_language *l, cc_str said, cc_run_result *out) {
    const cc_run_request *q = r->q;
    cc_source *sources = CC_ARENA_ARRAY(a, cc_source, q->n_files + 1);
    sources[0] = (cc_source){cc_str_of(r->plan.file), q->code};
    for (size_t i = 0; i < q->n_files; i++) sources[i + 1] = (cc_source){q->file_names[i], q->file_bytes[i]};
    if (l->diagnostics)
        out->n_diagnostics = cc_diagnostics_read(a, l->diagnostics, said, r->plan.workdir, sources, q->n_files + 1, &out->diagnostics);
    const cc_exception *e = &out->exception;
    if (out->n_diagnostics || !e->n_frames) return;
    const cc_frame *at = &e->frames[e->n_frames - 1];
    cc_diagnostic *d = CC_ARENA_ARRAY(a, cc_diagnostic, 1);
    *d = (cc_diagnostic){.file = at->file, .line = at->line, .severity = "error", .message = e->type};
    if (e->message.n) d->message = cc_arena_printf(a, "%.*s: %.*s", (int)e->type.n, e->type.p, (int)e->message.n, e->message.p);
    out->diagnostics = d;
    out->n_diagnostics = 1;
}

static void judge(cc_arena *a, const run *r, const cc_language *l, cc_run_result *out) {
    size_t step = last_step(r), program = r->plan.run_step;
    const cc_report *e = &r->ended[step];
    bool ended = r->has_ended[step];
    out->compiling = step < program;
    const cc_capture *streams = r->streams[!out->compiling];
    out->out = cc_capture_finish(a, &streams[0]);
    out->err = cc_capture_finish(a, &streams[1]);
    if (r->plan.scratch) out->err.text = without_prefix(a, out->err.text, cc_arena_printf(a, "%s/", r->plan.scratch));
    out->signal = ended ? e->signal : SIGKILL;
    out->exit_code = ended ? e->exit_code : -1;
    out->memory_limit_kb = (int64_t)(r->plan.steps[step].limits.tree_memory / 1024);
    out->cpu_over = e->cause == CC_STOP_CPU;
    out->timed_out = r->timed_out || out->cpu_over;
    out->cancelled = r->cancelled;
    cc_str why = {0};
    out->verdict = decide(a, r, step, l->out_of_memory, out, &why);
    out->reason = why.p;
    out->peak_kb = e->peak_kb;
    out->cpu_ms = e->cpu_us / 1000;
    if (r->started_ns[step]) out->duration_ms = ((ended ? e->at_ns : cc_now_ns()) - r->started_ns[step]) / 1000000;
    if (program) out->compile_ms = out->compiling ? out->duration_ms : (r->ended[0].at_ns - r->started_ns[0]) / 1000000;
    out->compile_cached = r->is_cached;
    if (failed_by_itself(out)) cc_driver_finish(a, &r->driver, &out->exception);
    // A compiler's warnings count also when the program ran, and when it compiled earlier; what the program itself says comes first.
    bool compiled = program || r->is_cached, failed = out->exit_code != 0;
    cc_str said = failed ? out->err.text : (cc_str){0};
    if (compiled && !out->compiling) {
        CC_CLEANUP_BUF cc_buf both = {0};
        cc_buf_adds(&both, said);
        cc_buf_addc(&both, '\n');
        cc_buf_adds(&both, r->is_cached ? r->cached.said : cc_capture_finish(a, &r->streams[0][1]).text);
        said = cc_arena_dup(a, cc_buf_str(&both));
    }
    read_diagnostics(a, r, l, said, out);
}

static void list_unenforced(cc_arena *a, const run *r, cc_run_result *out) {
    size_t n = 0, most = 0;
    while (cc_gaps[most].bit) most++;
    const char **list = CC_ARENA_ARRAY(a, const char *, most);
    for (const cc_gap *g = cc_gaps; g->bit; g++)
        if (r->gaps & g->bit) list[n++] = g->name;
    out->unenforced = list;
    out->n_unenforced = n;
}

static unsigned wanted; // see cc_run_wanted

unsigned cc_run_wanted(void) { return wanted; }

static int execute(cc_arena *a, const cc_run_request *request, cc_run_result *out, cc_error *err) {
    int64_t called = cc_now_ms();
    *out = (cc_run_result){0};
    cc_resolution found;
    if (cc_run_check(request, err) || (request->network && !cc_run_network_allowed(err))) return -1;
    if (cc_language_resolve(a, request->language, &found, err)) return -1;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before); // a program that does not read its input is no error of ours
    run r = {.q = request};
    CC_CLEANUP_FD int in_use = below.level == CC_ISOLATION_FULL ? cc_warm_prepare(a, &found, request->stop) : -1;
    (void)in_use; // held until the run has ended
    int64_t began = cc_now_ms();
    int failed = run_plan(a, &r, &found, NULL, NULL, began, err);
    sigaction(SIGPIPE, &before, NULL);
    if (failed) return -1;
    judge(a, &r, request->language, out);
    list_unenforced(a, &r, out);
    out->isolation = r.plan.spec.level;
    bool plain = found.variant->waits && out->isolation == CC_ISOLATION_FULL && !request->network && !request->n_args && !request->n_env;
    wanted = plain ? cc_language_number(request->language) : 0;
    out->gaps = r.gaps;
    out->warm = r.has_waited;
    out->fallback = below.level < CC_ISOLATION_FULL ? below.why.reason : NULL;
    out->workdir = r.plan.workdir;
    out->total_ms = cc_now_ms() - began;
    if (began - called >= PREPARED_MS) out->prepare_ms = began - called;
    fill_cache(a, &r);
    release(&r);
    return 0;
}

int cc_run_execute(cc_arena *a, const cc_run_request *request, cc_run_result *out, cc_error *err) {
    int failed = execute(a, request, out, err);
    cc_audit_run(request, failed ? NULL : out, err);
    return failed;
}

// ---- asking a runtime ----

int cc_run_fill(cc_arena *a, const cc_resolution *found, const char *directory, const volatile sig_atomic_t *stop, cc_error *err) {
    const cc_run_request q = {.language = found->language, .timeout_ms = CC_WARM_MAX_MS, .stop = stop};
    run r = {.q = &q};
    if (run_plan(a, &r, found, found->variant->warm->fill, directory, cc_now_ms(), err)) return -1;
    cc_run_result result = {0};
    judge(a, &r, found->language, &result);
    release(&r);
    if (result.verdict == CC_VERDICT_OK) return 0;
    cc_str said = cc_str_trim(result.err.text.n ? result.err.text : result.out.text);
    return cc_error_set(err, CC_RUNTIME_UNAVAILABLE, "%s; %.*s", result.reason ? result.reason : cc_verdict_name(result.verdict),
                        (int)(said.n > 300 ? 300 : said.n), said.n ? said.p : "");
}

int cc_language_version(cc_arena *a, const cc_resolution *found, cc_str *out, cc_error *err) {
    if (!found->variant->version) return cc_error_set(err, CC_DEPENDENCY_MISSING, "%s does not say its version", found->language->name);
    const cc_run_request q = {.language = found->language, .timeout_ms = 10000};
    run r = {.q = &q};
    if (run_plan(a, &r, found, found->variant->version, NULL, cc_now_ms(), err)) return -1;
    cc_run_result result = {0};
    judge(a, &r, found->language, &result);
    release(&r);
    cc_str text = cc_str_trim(result.out.text.n ? result.out.text : result.err.text);
    const char *eol = text.n ? memchr(text.p, '\n', text.n) : NULL;
    if (eol) text.n = (size_t)(eol - text.p);
    *out = text;
    if (result.verdict == CC_VERDICT_OK && text.n) return 0;
    return cc_error_set(err, CC_RUNTIME_UNAVAILABLE, "asking %s for its version: %s", found->tools[0].path,
                        cc_verdict_name(result.verdict));
}

int cc_language_try(cc_arena *a, const cc_language *language, cc_error *err) {
    const cc_run_request q = {.tool = "doctor",
                              .language = language,
                              .code = cc_str_of(language->hello),
                              .input = cc_language_hello_input(a, language, "world"),
                              .timeout_ms = 60000,
                              .fresh = true};
    cc_run_result result;
    if (cc_run_execute(a, &q, &result, err)) return -1;
    cc_str said = cc_str_trim(result.out.text);
    if (result.verdict == CC_VERDICT_OK && cc_language_greets(a, language, said, "world")) return 0;
    cc_str last = cc_str_trim(result.err.text);
    for (const char *eol; last.n && (eol = memchr(last.p, '\n', last.n));) last.n -= (size_t)(eol + 1 - last.p), last.p = eol + 1;
    return cc_error_set(err, CC_RUNTIME_UNAVAILABLE, "%s answers '%.*s' (%s) %.*s", language->name, (int)(said.n > 80 ? 80 : said.n),
                        said.p ? said.p : "", cc_verdict_name(result.verdict), (int)(last.n > 200 ? 200 : last.n), last.p ? last.p : "");
}
