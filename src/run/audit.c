// The record of what was run: one line of JSON an event, appended in one write to the file that CODECALC_AUDIT_LOG names. Called by
// execute.c after every run and every refusal, and by cleanup; in processes that may block. Owns nothing. It never writes source, input,
// arguments, variables or output, and its failures never fail what it records.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "codecalc/json.h"
#include "run/run.h"

static int open_log(const char *path) {
    // O_NONBLOCK: a pipe that nobody reads must not hold a run up.
    const int how = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int fd = open(path, how, 0600);
    if (fd >= 0 || errno != ENOENT) return fd;
    const char *slash = strrchr(path, '/');
    if (!slash) return -1;
    CC_CLEANUP_FREE char *folder = cc_strdup(path);
    folder[slash - path] = 0;
    return cc_folder_make(folder) ? -1 : open(path, how, 0600);
}

static void append(const char *path, cc_str line) {
    CC_CLEANUP_FD int fd = open_log(path);
    ssize_t n;
    do n = fd < 0 ? -1 : write(fd, line.p, line.n);
    while (fd >= 0 && n < 0 && errno == EINTR);
    if (n == (ssize_t)line.n) return;
    cc_log(CC_LOG_WARN, "CODECALC_AUDIT_LOG: an event could not be written to %s: %s", path, n < 0 ? strerror(errno) : "it is full");
}

cc_jw cc_audit_begin(cc_buf *line, const char *event) {
    struct timespec now;
    struct tm utc;
    char text[64];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + n, sizeof text - n, ".%03ldZ", now.tv_nsec / 1000000);
    cc_jw w = cc_jw_make(line);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "ts", text);
    cc_jw_kstringz(&w, "event", event);
    return w;
}

void cc_audit_end(cc_jw *w) {
    const char *path = cc_settings_get()->audit_log;
    cc_jw_end_object(w);
    cc_buf_addc(w->buf, '\n');
    if (path && path[0]) append(path, cc_buf_str(w->buf));
}

static void write_outcome(cc_jw *w, const cc_run_result *r) {
    cc_jw_kstringz(w, "isolation", cc_isolation_name(r->isolation));
    cc_jw_key(w, "unenforced");
    cc_jw_array(w);
    for (size_t i = 0; i < r->n_unenforced; i++) cc_jw_string(w, cc_str_of(r->unenforced[i]));
    cc_jw_end_array(w);
    cc_jw_kstringz(w, "verdict", cc_verdict_name(r->verdict));
    if (r->compiling) cc_jw_kstringz(w, "phase", "compile");
    cc_jw_kint(w, "exit_code", r->signal ? -r->signal : r->exit_code);
    if (r->cancelled) cc_jw_kbool(w, "cancelled", true);
    if (r->timed_out) cc_jw_kbool(w, "timed_out", true);
    cc_jw_kint(w, "compile_ms", r->compile_ms);
    cc_jw_kint(w, "duration_ms", r->duration_ms);
    cc_jw_kint(w, "total_ms", r->total_ms);
    cc_jw_kint(w, "cpu_ms", r->cpu_ms);
    cc_jw_kint(w, "peak_memory_kb", r->peak_kb);
    cc_jw_kint(w, "stdout_bytes", (int64_t)r->out.bytes);
    cc_jw_kint(w, "stderr_bytes", (int64_t)r->err.bytes);
}

void cc_audit_run(const cc_run_request *q, const cc_run_result *r, const cc_error *err) {
    const cc_settings *s = cc_settings_get();
    if (!s->audit_log || !s->audit_log[0]) return;
    CC_CLEANUP_BUF cc_buf line = {0};
    cc_jw w = cc_audit_begin(&line, "run");
    if (q->tool) cc_jw_kstringz(&w, "tool", q->tool);
    if (q->run_id) cc_jw_kstringz(&w, "run_id", q->run_id);
    cc_jw_kstringz(&w, "provider", "local");
    cc_jw_kstringz(&w, "language", q->language->name);
    cc_jw_kint(&w, "source_bytes", (int64_t)q->code.n);
    cc_jw_kint(&w, "timeout_ms", q->timeout_ms);
    cc_jw_kint(&w, "max_memory_mb", q->memory_mb ? q->memory_mb : s->default_memory_mb);
    cc_jw_kbool(&w, "network", q->network);
    cc_jw_kstringz(&w, "decision", r ? "allowed" : err->code == CC_PERMISSION_DENIED ? "denied" : "failed");
    if (r) {
        write_outcome(&w, r);
    } else {
        cc_jw_kstringz(&w, "code", cc_code_name(err->code));
        // What the policy says quotes nothing of the call; other messages may.
        if (err->code == CC_PERMISSION_DENIED) cc_jw_kstringz(&w, "reason", err->msg);
    }
    cc_audit_end(&w);
}
