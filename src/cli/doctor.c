// `codecalc doctor`: looks at everything that must be there for a call to succeed. Without --deep nothing of the user's is executed.
// What starts processes itself (the sandbox probe, version commands) runs in a child of its own. Owns the report's arena.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/clients.h"
#include "cli/commands.h"
#include "cli/doctor.h"
#include "cli/userfile.h"

// ---- a child for one question ----

// Runs ask in a child process; its answer (at most size bytes) goes to answer. The number of bytes, or -1 when the child died.
static ssize_t in_child(void (*ask)(void *ctx, int out), void *ctx, void *answer, size_t size) {
    int p[2];
    if (pipe2(p, O_CLOEXEC)) return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close(p[0]);
        ask(ctx, p[1]);
        _exit(0);
    }
    close(p[1]);
    size_t n = 0;
    for (ssize_t got = 1; pid > 0 && got && n < size;) {
        got = read(p[0], (char *)answer + n, size - n);
        if (got < 0 && errno != EINTR) break;
        if (got > 0) n += (size_t)got;
    }
    close(p[0]);
    int status = 1;
    if (pid > 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status) ? (ssize_t)n : -1;
}

static void ask_sandbox(void *ctx, int out) {
    (void)ctx;
    if (cc_fd_write_all(out, cc_sandbox_probe(), sizeof(cc_sandbox_level))) _exit(1);
}

static void look_at_sandbox(cc_doctor *d, cc_arena *a) {
    if (in_child(ask_sandbox, NULL, &d->sandbox, sizeof d->sandbox) != (ssize_t)sizeof d->sandbox) {
        d->sandbox = (cc_sandbox_level){.level = CC_ISOLATION_NONE};
        snprintf(d->sandbox.reason, sizeof d->sandbox.reason, "the probe of the sandbox died");
    }
    d->no_cgroup = cc_cgroup_reason(&d->cgroup_fix);
    const char *required = cc_settings_get()->require_isolation;
    cc_isolation least;
    if (!cc_isolation_required(required, &least) || d->sandbox.level < least) d->isolation_required = required;
    cc_error err;
    if (!cc_run_possible(&d->sandbox, &err) && !cc_run_check_provider((cc_str){0}, &err)) return;
    d->refused = cc_arena_strdup(a, err.msg);
    d->refused_fix = cc_arena_strdup(a, err.remedy);
}

// ---- jobs ----

static void look_at_jobs(cc_doctor *d, cc_arena *a, cc_runner *runner) {
    CC_CLEANUP_BUF cc_buf body = {0};
    cc_error err = {0};
    const cc_tool *tool = cc_tools_find(CC_STR("calc_exact"));
    int64_t start = cc_now_ns();
    int ok = cc_runner_call(runner, tool, CC_STR("{\"expr\":\"1/3 + 1/6 == 1/2\"}"), NULL, &body, &err);
    d->job_ms = (double)(cc_now_ns() - start) / 1e6;
    d->jobs_work = ok == 1;
    if (!d->jobs_work) d->jobs_detail = ok < 0 ? cc_arena_strdup(a, err.msg) : cc_arena_dup(a, cc_buf_str(&body)).p;
}

// ---- languages ----

typedef struct version_answer {
    bool ok;
    char text[256];
} version_answer;

static void ask_version(void *ctx, int out) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    version_answer answer = {0};
    cc_error err;
    cc_str line;
    answer.ok = !cc_language_version(&a, ctx, &line, &err);
    if (answer.ok)
        snprintf(answer.text, sizeof answer.text, "%.*s", (int)cc_utf8_prefix(line, sizeof answer.text - 1).n, line.p);
    else
        snprintf(answer.text, sizeof answer.text, "%.250s", err.msg);
    if (cc_fd_write_all(out, &answer, sizeof answer)) _exit(1);
}

static void read_version(cc_arena *a, cc_resolution *r, cc_doctor_runtime *out) {
    version_answer answer;
    if (in_child(ask_version, r, &answer, sizeof answer) != (ssize_t)sizeof answer)
        out->probe_error = "the version could not be asked for";
    else if (answer.ok)
        out->version = cc_arena_strdup(a, answer.text);
    else
        out->probe_error = cc_arena_strdup(a, answer.text);
}

// Runs the language's hello-world as a client would: by execute_code.
static void run_hello(cc_arena *a, cc_runner *runner, cc_doctor_runtime *out) {
    CC_CLEANUP_BUF cc_buf arguments = {0}, body = {0};
    cc_error err = {0};
    cc_jw w = cc_jw_make(&arguments);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "language", out->language->name);
    cc_jw_kstringz(&w, "code", out->language->hello);
    cc_jw_kstring(&w, "stdin", cc_language_hello_input(a, out->language, "doctor"));
    cc_jw_kint(&w, "timeout", 60);
    cc_jw_end_object(&w);
    const cc_json *result, *text;
    int ok = cc_runner_call(runner, cc_tools_find(CC_STR("execute_code")), cc_buf_str(&arguments), NULL, &body, &err);
    out->state = CC_UNHEALTHY;
    if (ok < 0 || cc_json_parse(a, cc_arena_dup(a, cc_buf_str(&body)), CC_JSON_MAX_DEPTH, &result, &err)) {
        out->detail = cc_arena_strdup(a, err.msg);
        return;
    }
    text = cc_json_get_type(result, "stdout", CC_JSON_STRING);
    if (ok && text && cc_language_greets(a, out->language, cc_json_string(text), "doctor")) {
        out->state = CC_AVAILABLE;
        return;
    }
    static const char *const fields[] = {"error", "stderr", "verdict"};
    for (size_t i = 0; i < CC_ARRAY_LEN(fields) && !out->detail; i++) {
        const cc_json *said = cc_json_get_type(result, fields[i], CC_JSON_STRING);
        cc_str s = said ? cc_str_trim(cc_json_string(said)) : (cc_str){0};
        if (s.n) out->detail = cc_arena_dup(a, cc_utf8_prefix(s, 300)).p;
    }
    if (!out->detail || strcmp(out->detail, "OK") == 0) out->detail = "its hello-world printed something else";
    const cc_json *remedy = cc_json_get_type(result, "remedy", CC_JSON_STRING);
    if (remedy) out->remedy = cc_arena_dup(a, cc_json_string(remedy)).p;
}

static void look_at_language(cc_arena *a, const cc_doctor *d, cc_runner *runner, const cc_language *language, cc_doctor_runtime *out) {
    cc_error err = {0};
    cc_resolution r = {0};
    *out = (cc_doctor_runtime){.language = language, .state = CC_SUPPORTED};
    if (cc_language_resolve(a, language, &r, &err)) {
        out->detail = cc_arena_strdup(a, err.msg);
        if (err.remedy[0]) out->remedy = cc_arena_strdup(a, err.remedy);
        return;
    }
    out->state = CC_INSTALLED;
    const char *root = r.root ? r.root : "";
    out->path = cc_arena_printf(a, "%s%s", root, r.tools[0].path).p;
    for (size_t i = 0; i < r.n_tools; i++) {
        if (access(cc_arena_printf(a, "%s%s", root, r.tools[i].path).p, X_OK) == 0) continue;
        out->state = CC_UNHEALTHY;
        out->detail = cc_arena_printf(a, "%s cannot be executed: %s", r.tools[i].path, strerror(errno)).p;
    }
    if (!d->deep || out->state == CC_UNHEALTHY) return;
    run_hello(a, runner, out);
    read_version(a, &r, out);
}

// The languages that were named, else all. False: one is unknown, which was said.
static bool choose_languages(cc_doctor *d, cc_arena *a, cc_invocation *in) {
    d->runtimes = CC_ARENA_ARRAY(a, cc_doctor_runtime, cc_languages_count + in->n_words);
    d->named = in->n_words > 0;
    for (size_t i = 0; i < in->n_words; i++) {
        cc_str name = cc_str_of(in->words[i]);
        const cc_language *language = cc_language_find(name);
        if (!language) {
            const char *near = cc_language_nearest(name);
            cc_cli_usage(in, "unknown language '%s'%s%s%s", in->words[i], near ? ", did you mean '" : "", near ? near : "",
                         near ? "'?" : "");
            return false;
        }
        d->runtimes[d->n_runtimes++].language = language;
    }
    for (size_t i = 0; !in->n_words && i < cc_languages_count; i++) d->runtimes[d->n_runtimes++].language = cc_languages[i];
    return true;
}

static void look_at_languages(cc_doctor *d, cc_arena *a, cc_runner *runner, cc_term *progress) {
    for (size_t i = 0; i < d->n_runtimes; i++) {
        const cc_language *language = d->runtimes[i].language;
        if (d->deep) cc_term_progress(progress, "running a program in %s (%zu of %zu)", language->name, i + 1, d->n_runtimes);
        look_at_language(a, d, runner, language, &d->runtimes[i]);
    }
    if (d->deep) cc_term_progress(progress, NULL);
}

// ---- folders ----

// Makes and removes a folder with a file in it. made: below the nearest parent that exists, since it is made when it is needed.
static void look_at_folder(cc_arena *a, cc_doctor_folder *f, bool made) {
    char path[PATH_MAX], probe[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s", f->path);
    for (char *slash; made && stat(path, &st) && errno == ENOENT && (slash = strrchr(path, '/')) && slash > path;) *slash = 0;
    if (snprintf(probe, sizeof probe, "%s/.codecalc-doctor-XXXXXX", path) >= (int)sizeof probe)
        errno = ENAMETOOLONG;
    else if (mkdtemp(probe)) {
        char file[PATH_MAX];
        int n = snprintf(file, sizeof file, "%s/f", probe);
        CC_CLEANUP_FD int fd = n < (int)sizeof file ? open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
        f->writable = fd >= 0 && !cc_fd_write_all(fd, "x", 1);
        int number = errno;
        unlink(file);
        rmdir(probe);
        errno = number;
    }
    if (!f->writable) f->detail = cc_arena_printf(a, "%s: %s", path, strerror(errno)).p;
}

static void look_at_folders(cc_doctor *d, cc_arena *a) {
    const cc_settings *s = cc_settings_get();
    // A fully isolated program has a private folder in memory; below that, its folder is made in tmp.
    d->folders[0] = (cc_doctor_folder){.name = "tmp", .path = s->tmp_dir, .needed = d->sandbox.level != CC_ISOLATION_FULL};
    d->folders[1] = (cc_doctor_folder){.name = "cache", .path = s->cache_dir};
    for (size_t i = 0; i < CC_ARRAY_LEN(d->folders); i++) {
        if (d->folders[i].path[0])
            look_at_folder(a, &d->folders[i], i > 0);
        else
            d->folders[i].detail = "HOME is not set";
    }
}

// ---- tools, program, skill ----

static void look_at_tools(cc_doctor *d, cc_arena *a) {
    cc_error err;
    d->selection_words = cc_settings_get()->tools;
    if (cc_selection_parse("CODECALC_TOOLS", cc_str_of(d->selection_words), &d->selection, &err))
        d->selection_error = cc_arena_strdup(a, err.msg);
}

static void look_at_program(cc_doctor *d, cc_arena *a) {
    char path[PATH_MAX];
    cc_error err;
    if (cc_self_path(path, sizeof path, &err)) {
        d->program = "";
        return;
    }
    d->program = cc_arena_strdup(a, path);
    d->program_temporary = cc_path_is_temporary(path);
}

static void look_at_skills(cc_doctor *d, cc_arena *a) {
    for (const cc_client *c = cc_clients; c->name && d->n_skills < CC_DOCTOR_SKILLS_MAX; c++) {
        CC_CLEANUP_USERFILE cc_userfile f = {0};
        cc_error err;
        const char *folder = cc_client_path_of(a, &c->skills);
        if (!folder) continue;
        const char *path = cc_arena_printf(a, "%s/codecalc/SKILL.md", folder).p;
        if (cc_userfile_load(&f, path, "/", &err) || !f.exists) continue;
        d->skills[d->n_skills++] = (cc_doctor_skill){c->title, path, cc_str_eq(cc_buf_str(&f.text), cc_skill_text())};
    }
}

// ---- the verdict ----

static void judge(cc_doctor *d) {
    bool any = false;
    for (size_t i = 0; i < d->n_runtimes; i++)
        any |= d->runtimes[i].state == CC_AVAILABLE || (!d->deep && d->runtimes[i].state == CC_INSTALLED);
    if (!d->jobs_work)
        d->blocker = "job processes do not work";
    else if (d->sandbox.level == CC_ISOLATION_NONE)
        d->blocker = "no program can be started in a sandbox";
    else if (d->refused)
        d->blocker = d->refused;
    else if (!any)
        d->blocker = d->deep ? "no language works" : "no language is installed";
    else if (d->folders[0].needed && !d->folders[0].writable)
        d->blocker = "no folder for programs can be made";
    else if (d->selection_error)
        d->blocker = "CODECALC_TOOLS is not valid, so the server does not start";
    d->can_execute = !d->blocker;
}

int cc_cmd_doctor(cc_invocation *in) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO), progress = cc_term_open(STDERR_FILENO);
    cc_doctor d = {.deep = cc_option_of(in, "--deep")};
    if (!choose_languages(&d, &a, in)) return CC_EXIT_USAGE;
    look_at_sandbox(&d, &a);
    cc_runner *runner = cc_runner_new(in->spawner);
    look_at_jobs(&d, &a, runner);
    look_at_languages(&d, &a, runner, &progress);
    cc_runner_free(runner);
    look_at_folders(&d, &a);
    look_at_tools(&d, &a);
    look_at_program(&d, &a);
    look_at_skills(&d, &a);
    judge(&d);
    if (cc_option_of(in, "--json"))
        cc_doctor_write_json(&t.out, &d);
    else
        cc_doctor_print(&t, &d);
    return d.can_execute ? CC_EXIT_OK : CC_EXIT_FAILED;
}
