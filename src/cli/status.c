// `codecalc status` and `codecalc cleanup`: what codecalc keeps on this machine, and removing what is left over. Neither talks to a running
// server: both look at what is on disk, and at the processes of running servers. Owns nothing.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/leftovers.h"
#include "cli/servers.h"
#include "codecalc/run.h"

typedef struct runtimes {
    unsigned languages, installed, tested;
} runtimes;

static runtimes count_runtimes(void) {
    runtimes n = {0};
    for (size_t i = 0; i < cc_languages_count; i++) {
        CC_CLEANUP_ARENA cc_arena a = {0};
        cc_resolution found;
        cc_error err;
        n.languages++;
        if (cc_language_resolve(&a, cc_languages[i], &found, &err)) continue;
        n.installed++;
        n.tested += strcmp(cc_language_tier(cc_languages[i]), "tested") == 0;
    }
    return n;
}

static int64_t file_size(const char *path) {
    struct stat st;
    return path[0] && stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

// "12.3 KiB", in text of at least 24 bytes.
static const char *human(char text[24], uint64_t bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    double v = (double)bytes;
    while (v >= 1024 && u + 1 < CC_ARRAY_LEN(units)) v /= 1024, u++;
    snprintf(text, 24, u ? "%.1f %s" : "%.0f %s", v, units[u]);
    return text;
}

typedef struct servers {
    cc_server *list;
    size_t n;
} servers;

static void write_servers(cc_jw *w, const servers *all) {
    cc_jw_key(w, "servers");
    cc_jw_array(w);
    for (size_t i = 0; i < all->n; i++) {
        const cc_server *s = &all->list[i];
        cc_jw_object(w);
        cc_jw_kint(w, "pid", s->pid);
        cc_jw_kint(w, "processes", s->processes);
        cc_jw_kint(w, "memory_kb", (int64_t)s->kb);
        cc_jw_key(w, "waiting");
        cc_jw_array(w);
        for (size_t j = 0; j < s->n_waiting; j++) {
            cc_jw_object(w);
            cc_jw_kstringz(w, "interpreter", s->waiting[j].name);
            cc_jw_kint(w, "memory_kb", (int64_t)s->waiting[j].kb);
            cc_jw_end_object(w);
        }
        cc_jw_end_array(w);
        cc_jw_end_object(w);
    }
    cc_jw_end_array(w);
    cc_jw_kint(w, "waiting_most_mb", cc_settings_get()->warm ? (int64_t)cc_settings_get()->warm_mb : 0);
}

static void print_servers(cc_term *t, const servers *all) {
    char text[24];
    cc_term_heading(t, "Servers");
    if (!all->n) cc_term_finding(t, CC_MARK_OK, "none runs");
    for (size_t i = 0; i < all->n; i++) {
        const cc_server *s = &all->list[i];
        cc_term_finding(t, CC_MARK_OK, "pid %d: %u processes, %s", s->pid, s->processes, human(text, s->kb * 1024));
        for (size_t j = 0; j < s->n_waiting; j++)
            cc_term_text(t, CC_DIM, "    %s waits for its next program, %s\n", s->waiting[j].name, human(text, s->waiting[j].kb * 1024));
    }
}

static void write_json(cc_jw *w, const cc_leftovers *l, const runtimes *r, const servers *all) {
    const cc_settings *s = cc_settings_get();
    cc_jw_object(w);
    cc_jw_kstringz(w, "version", CC_VERSION);
    write_servers(w, all);
    cc_jw_key(w, "audit_log");
    cc_jw_object(w);
    cc_jw_kbool(w, "enabled", s->audit_log[0] != 0);
    if (s->audit_log[0]) cc_jw_kstringz(w, "path", s->audit_log);
    cc_jw_kint(w, "bytes", file_size(s->audit_log));
    cc_jw_end_object(w);
    cc_jw_key(w, "runs");
    cc_jw_object(w);
    if (s->run_state_dir[0]) cc_jw_kstringz(w, "path", s->run_state_dir);
    for (unsigned i = 0; i <= CC_RUN_RECOVERED; i++) cc_jw_kint(w, cc_run_state_name((cc_run_state)i), (int64_t)l->records.states[i]);
    cc_jw_kint(w, "old", (int64_t)l->records.old);
    cc_jw_kint(w, "bytes", (int64_t)l->records.bytes);
    cc_jw_kint(w, "max_active", s->max_active_runs);
    cc_jw_end_object(w);
    cc_jw_key(w, "work_directories");
    cc_jw_object(w);
    cc_jw_kstringz(w, "path", s->tmp_dir);
    cc_jw_kint(w, "count", (int64_t)l->folders);
    cc_jw_kint(w, "stale", (int64_t)l->stale_folders);
    cc_jw_end_object(w);
    cc_jw_key(w, "compiled_programs");
    cc_jw_object(w);
    if (s->cache_dir[0]) cc_jw_kstringz(w, "path", s->cache_dir);
    cc_jw_kint(w, "count", l->programs);
    cc_jw_kint(w, "bytes", (int64_t)l->program_bytes);
    cc_jw_end_object(w);
    cc_jw_key(w, "prepared_toolchains");
    cc_jw_object(w);
    cc_jw_kint(w, "count", l->warm.toolchains);
    cc_jw_kint(w, "bytes", (int64_t)l->warm.bytes);
    cc_jw_end_object(w);
    cc_jw_key(w, "runtimes");
    cc_jw_object(w);
    cc_jw_kint(w, "languages", r->languages);
    cc_jw_kint(w, "installed", r->installed);
    cc_jw_kint(w, "tested", r->tested);
    cc_jw_end_object(w);
    cc_jw_end_object(w);
    cc_buf_addc(w->buf, '\n');
}

static void print(cc_term *t, const cc_leftovers *l, const runtimes *r, const servers *all) {
    const cc_settings *s = cc_settings_get();
    const size_t *n = l->records.states;
    char text[24];
    print_servers(t, all);
    cc_term_heading(t, "Audit log");
    if (s->audit_log[0])
        cc_term_finding(t, CC_MARK_OK, "%s, %s", s->audit_log, human(text, (uint64_t)file_size(s->audit_log)));
    else
        cc_term_finding(t, CC_MARK_OK, "off");
    cc_term_heading(t, "Background runs");
    if (s->run_state_dir[0])
        cc_term_finding(t, CC_MARK_OK, "%zu running, %zu ended, %zu lost with their server; records: %s in %s",
                        n[CC_RUN_RUNNING] + n[CC_RUN_CANCELLING], n[CC_RUN_FINISHED] + n[CC_RUN_CLEANED], n[CC_RUN_RECOVERED],
                        human(text, l->records.bytes), s->run_state_dir);
    else
        cc_term_finding(t, CC_MARK_OK, "without records");
    cc_term_finding(t, CC_MARK_OK, "a server takes %ld at once", s->max_active_runs);
    if (l->records.old) cc_term_finding(t, CC_MARK_OK, "%zu records are older than a day", l->records.old);
    cc_term_heading(t, "Work directories");
    cc_term_finding(t, l->stale_folders ? CC_MARK_WARNING : CC_MARK_OK, "%zu in %s, %zu of them left over", l->folders, s->tmp_dir,
                    l->stale_folders);
    cc_term_heading(t, "Compiled programs");
    cc_term_finding(t, CC_MARK_OK, "%u kept to be run again, %s", l->programs, human(text, l->program_bytes));
    cc_term_heading(t, "Prepared toolchains");
    cc_term_finding(t, CC_MARK_OK, "%u, %s", l->warm.toolchains, human(text, l->warm.bytes));
    cc_term_heading(t, "Languages");
    cc_term_finding(t, CC_MARK_OK, "%u of %u are installed, %u of these are tested", r->installed, r->languages, r->tested);
    if (l->records.old || l->stale_folders || l->programs || l->warm.bytes)
        cc_term_text(t, CC_PLAIN, "\n`codecalc cleanup` shows what can be removed.\n");
}

int cc_cmd_status(cc_invocation *in) {
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_leftovers l;
    servers all;
    cc_error err;
    if (cc_leftovers_find(cc_run_now_ms(), false, &l, &err) || cc_servers_find(&a, &all.list, &all.n, &err))
        return cc_cli_fail(CC_EXIT_FAILED, &err);
    runtimes r = count_runtimes();
    cc_jw w = cc_jw_make(&t.out);
    if (cc_option_of(in, "--json"))
        write_json(&w, &l, &r, &all);
    else
        print(&t, &l, &r, &all);
    return CC_EXIT_OK;
}

// ---- cleanup ----

static void write_counts(cc_jw *w, const cc_leftovers *l) {
    cc_jw_kint(w, "work_directories", (int64_t)(l->stale_folders - l->kept_folders));
    if (l->kept_folders) cc_jw_kint(w, "work_directories_kept", (int64_t)l->kept_folders);
    cc_jw_kint(w, "run_records", (int64_t)l->records.old);
    cc_jw_kint(w, "run_record_bytes", (int64_t)l->records.old_bytes);
    cc_jw_kint(w, "compiled_programs", l->programs);
    cc_jw_kint(w, "compiled_program_bytes", (int64_t)l->program_bytes);
    cc_jw_kint(w, "prepared_toolchains", l->warm.toolchains);
    cc_jw_kint(w, "prepared_toolchain_bytes", (int64_t)l->warm.bytes);
    if (l->warm.in_use) cc_jw_kint(w, "prepared_toolchains_in_use", l->warm.in_use);
    if (l->warm.stuck) cc_jw_kint(w, "prepared_toolchains_kept", l->warm.stuck);
}

static void print_cleanup(cc_term *t, const cc_leftovers *l, bool removed) {
    const char *verb = removed ? "removed" : "to be removed";
    char text[24];
    cc_term_finding(t, CC_MARK_OK, "work directories %s: %zu", verb, l->stale_folders - l->kept_folders);
    if (l->kept_folders) cc_term_finding(t, CC_MARK_WARNING, "work directories that could not be removed: %zu", l->kept_folders);
    cc_term_finding(t, CC_MARK_OK, "records of runs that ended over a day ago %s: %zu, %s", verb, l->records.old,
                    human(text, l->records.old_bytes));
    cc_term_finding(t, CC_MARK_OK, "compiled programs %s: %u, %s", verb, l->programs, human(text, l->program_bytes));
    cc_term_finding(t, CC_MARK_OK, "prepared toolchains %s: %u, %s", verb, l->warm.toolchains, human(text, l->warm.bytes));
    if (l->warm.in_use) cc_term_finding(t, CC_MARK_OK, "prepared toolchains that runs use now, and keep: %u", l->warm.in_use);
    if (l->warm.stuck) cc_term_finding(t, CC_MARK_WARNING, "prepared toolchains that could not be removed: %u", l->warm.stuck);
    if (!removed) cc_term_text(t, CC_PLAIN, "\nNothing was changed; `codecalc cleanup --write` does it.\n");
}

int cc_cmd_cleanup(cc_invocation *in) {
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    bool remove = cc_option_of(in, "--write");
    cc_leftovers l;
    cc_error err;
    if (cc_leftovers_find(cc_run_now_ms(), remove, &l, &err)) return cc_cli_fail(CC_EXIT_FAILED, &err);
    if (cc_option_of(in, "--json")) {
        cc_jw w = cc_jw_make(&t.out);
        cc_jw_object(&w);
        cc_jw_kbool(&w, "removed", remove);
        write_counts(&w, &l);
        cc_jw_end_object(&w);
        cc_buf_addc(&t.out, '\n');
    } else {
        print_cleanup(&t, &l, remove);
    }
    if (remove) {
        CC_CLEANUP_BUF cc_buf line = {0};
        cc_jw w = cc_audit_begin(&line, "cleanup");
        write_counts(&w, &l);
        cc_audit_end(&w);
    }
    return l.kept_folders || l.warm.stuck ? CC_EXIT_FAILED : CC_EXIT_OK;
}
