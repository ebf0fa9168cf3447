// Doctor's report, for people and for programs. Called by doctor. Pure: reads the findings, writes to a buffer.
#include "cli/commands.h"
#include "cli/doctor.h"
#include "codecalc/analyze.h"

const char *cc_runtime_state_name(cc_runtime_state state) {
    static const char *const names[] = {"supported", "installed", "unhealthy", "available"};
    return names[state];
}

static size_t active_tools(const cc_doctor *d) {
    size_t n = 0;
    for (const cc_tool *const *tool = cc_tools; *tool; tool++) n += cc_selection_has(&d->selection, *tool);
    return n;
}

static size_t tools_of(unsigned group) {
    size_t n = 0;
    for (const cc_tool *const *tool = cc_tools; *tool; tool++) n += (*tool)->group == group;
    return n;
}

static void write_client_block(cc_jw *w, const cc_doctor *d) {
    cc_jw_object(w);
    cc_jw_key(w, "mcpServers");
    cc_jw_object(w);
    cc_jw_key(w, "codecalc");
    cc_jw_object(w);
    cc_jw_kstringz(w, "command", d->program);
    cc_jw_kraw(w, "args", CC_STR("[\"serve\"]"));
    cc_jw_end_object(w);
    cc_jw_end_object(w);
    cc_jw_end_object(w);
}

// ---- for people ----

static void print_sandbox(cc_term *t, const cc_doctor *d) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    const cc_sandbox_level *s = &d->sandbox;
    cc_term_heading(t, "Sandbox");
    cc_mark mark = s->level == CC_ISOLATION_FULL ? CC_MARK_OK : s->level == CC_ISOLATION_NONE ? CC_MARK_PROBLEM : CC_MARK_WARNING;
    cc_term_finding(t, mark, "isolation: %s", cc_isolation_name(s->level));
    if (s->reason[0]) cc_term_under(t, "why", s->reason);
    if (s->remedy[0]) cc_term_under(t, "fix", s->remedy);
    for (const cc_gap *g = cc_gaps; g->bit; g++)
        if (s->gaps & g->bit) cc_term_under(t, "unenforced", cc_arena_printf(&a, "%s - %s", g->name, g->text).p);
    if (d->no_cgroup && s->level >= CC_ISOLATION_RESTRICTED) {
        cc_term_under(t, "no cgroup", d->no_cgroup);
        if (d->cgroup_fix) cc_term_under(t, "fix", d->cgroup_fix);
    }
    if (d->refused) {
        cc_term_finding(t, CC_MARK_PROBLEM, "every program is refused: %s", d->refused);
        cc_term_under(t, "fix", d->refused_fix);
    }
    if (d->jobs_work) {
        cc_term_finding(t, CC_MARK_OK, "job processes: a sealed calculation answered (%.1f ms with its process)", d->job_ms);
    } else {
        cc_term_finding(t, CC_MARK_PROBLEM, "job processes: %s", d->jobs_detail);
        cc_term_under(t, "fix", "CODECALC_LOG=debug codecalc call calc_exact expr=1 says more");
    }
}

static void print_languages(cc_term *t, const cc_doctor *d) {
    cc_term_heading(t, d->deep ? "Languages (each installed one ran a program)" : "Languages (found, not run; --deep runs them)");
    CC_CLEANUP_BUF cc_buf missing = {0};
    size_t count[4] = {0};
    for (size_t i = 0; i < d->n_runtimes; i++) {
        const cc_doctor_runtime *r = &d->runtimes[i];
        count[r->state]++;
        if (r->state == CC_SUPPORTED && !r->path && d->named) {
            cc_term_finding(t, CC_MARK_WARNING, "%-11s not installed", r->language->name);
        } else if (r->state == CC_SUPPORTED && !r->path) {
            cc_buf_printf(&missing, "%s%s", missing.n ? ", " : "", r->language->name);
            continue;
        } else {
            cc_term_finding(t, r->state == CC_UNHEALTHY ? CC_MARK_WARNING : CC_MARK_OK, "%-11s %-10s %-12s %s%s%s", r->language->name,
                            cc_runtime_state_name(r->state), cc_language_tier(r->language), r->path, r->version ? "  " : "",
                            r->version ? r->version : "");
        }
        if (r->detail) cc_term_under(t, "why", r->detail);
        if (r->remedy) cc_term_under(t, "fix", r->remedy);
        if (r->probe_error && r->state != CC_UNHEALTHY) cc_term_under(t, "version unknown", r->probe_error);
    }
    cc_buf_addc(&missing, 0);
    if (missing.n > 1) cc_term_under(t, "supported, not installed here (`codecalc doctor NAME` says how to get one)", missing.p);
    cc_term_text(t, CC_DIM, "             %zu of %zu found%s\n", d->n_runtimes - count[CC_SUPPORTED], d->n_runtimes,
                 count[CC_UNHEALTHY] ? ", some unhealthy" : "");
}

static void print_folders(cc_term *t, const cc_doctor *d) {
    cc_term_heading(t, "Folders");
    for (size_t i = 0; i < CC_DOCTOR_FOLDERS; i++) {
        const cc_doctor_folder *f = &d->folders[i];
        if (f->writable) {
            cc_term_finding(t, CC_MARK_OK, "%s is writable: %s", f->name, f->path);
            continue;
        }
        cc_term_finding(t, f->needed ? CC_MARK_PROBLEM : CC_MARK_WARNING, "%s is not writable: %s", f->name, f->detail);
        cc_term_under(t, "fix",
                      i == 0 ? "set TMPDIR to a folder that you may write to"
                             : "set XDG_CACHE_HOME to a folder that you may write to; until then nothing is cached");
    }
}

static void print_libraries(cc_term *t) {
    cc_term_heading(t, "Libraries");
    CC_CLEANUP_BUF cc_buf line = {0};
    size_t n;
    const cc_library *libraries = cc_libraries(&n);
    for (size_t i = 0; i < n; i++) cc_buf_printf(&line, "%s%s %s", i ? ", " : "", libraries[i].name, libraries[i].version);
    cc_buf_printf(&line, ", %zu grammars", cc_grammars_count);
    cc_buf_addc(&line, 0);
    cc_term_finding(t, CC_MARK_OK, "all built in");
    cc_term_under(t, "", line.p);
}

static void print_tools(cc_term *t, const cc_doctor *d) {
    cc_term_heading(t, "Tools");
    if (d->selection_error) {
        cc_term_finding(t, CC_MARK_PROBLEM, "%s", d->selection_error);
        cc_term_under(t, "fix", "correct CODECALC_TOOLS or unset it");
        return;
    }
    cc_term_finding(t, CC_MARK_OK, "%zu of %zu active (CODECALC_TOOLS %s%s)", active_tools(d), cc_tools_count(),
                    d->selection_words[0] ? "is " : "is not set: all", d->selection_words);
    for (unsigned g = 0; g < CC_GROUPS; g++) {
        CC_CLEANUP_BUF cc_buf names = {0};
        for (const cc_tool *const *tool = cc_tools; *tool; tool++)
            if ((*tool)->group == g) cc_buf_printf(&names, "%s%s", names.n ? ", " : "", (*tool)->name);
        if (!names.n) continue;
        cc_buf_printf(&names, "%s", d->selection.group[g] ? "" : " (off)");
        cc_buf_addc(&names, 0);
        cc_term_under(t, cc_group_name((cc_group)g), names.p);
    }
}

static void print_client(cc_term *t, const cc_doctor *d) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf block = {0};
    cc_jw w = cc_jw_make(&block);
    write_client_block(&w, d);
    const cc_json *json;
    cc_error err;
    cc_term_heading(t, "Client");
    if (d->program_temporary) {
        cc_term_finding(t, CC_MARK_WARNING, "this program lies in a temporary place: %s", d->program);
        cc_term_under(t, "fix", "move it to a lasting place, e.g. ~/.local/bin");
    }
    if (!d->program[0] || cc_json_parse(&a, cc_buf_str(&block), CC_JSON_MAX_DEPTH, &json, &err)) {
        cc_term_finding(t, CC_MARK_WARNING, "the file of this program is not where it was when it was started");
        return;
    }
    cc_term_prose(t, "`codecalc setup` enters this in a client's configuration (the key differs between clients):");
    cc_term_json(t, json);
}

static void print_skills(cc_term *t, const cc_doctor *d) {
    cc_term_heading(t, "Skill");
    for (size_t i = 0; i < d->n_skills; i++) {
        const cc_doctor_skill *s = &d->skills[i];
        cc_term_finding(t, s->current ? CC_MARK_OK : CC_MARK_WARNING, "%s: %s%s", s->client, s->path,
                        s->current ? "" : " is not the one of this version");
        if (!s->current) cc_term_under(t, "fix", "codecalc setup --write");
    }
    if (!d->n_skills)
        cc_term_prose(t, "built in, copied to no client; `codecalc setup --write` copies it, `codecalc setup --skill` prints it");
}

void cc_doctor_print(cc_term *t, const cc_doctor *d) {
    cc_term_text(t, CC_BOLD, "codecalc " CC_VERSION "\n");
    print_sandbox(t, d);
    print_languages(t, d);
    print_folders(t, d);
    print_libraries(t);
    print_tools(t, d);
    print_client(t, d);
    print_skills(t, d);
    if (d->can_execute)
        cc_term_text(t, CC_BOLD, "\nverdict: programs can be executed here\n");
    else
        cc_term_text(t, CC_BOLD, "\nverdict: programs cannot be executed here: %s\n", d->blocker);
}

// ---- for programs ----

static void kstring_if(cc_jw *w, const char *key, const char *value) {
    if (value && *value) cc_jw_kstringz(w, key, value);
}

static void write_runtime(cc_jw *w, const cc_doctor_runtime *r) {
    cc_jw_object(w);
    cc_jw_kstringz(w, "name", r->language->name);
    cc_jw_kstringz(w, "status", cc_runtime_state_name(r->state));
    cc_jw_kstringz(w, "tier", cc_language_tier(r->language));
    kstring_if(w, "path", r->path);
    kstring_if(w, "version", r->version);
    kstring_if(w, "probe_error", r->probe_error);
    kstring_if(w, "detail", r->detail);
    kstring_if(w, "remedy", r->remedy);
    cc_jw_end_object(w);
}

static void write_groups(cc_jw *w, const cc_doctor *d) {
    cc_jw_key(w, "groups");
    cc_jw_array(w);
    for (unsigned g = 0; g < CC_GROUPS; g++) {
        if (!tools_of(g)) continue;
        cc_jw_object(w);
        cc_jw_kstringz(w, "name", cc_group_name((cc_group)g));
        cc_jw_kbool(w, "active", d->selection.group[g]);
        cc_jw_key(w, "tools");
        cc_jw_array(w);
        for (const cc_tool *const *tool = cc_tools; *tool; tool++)
            if ((*tool)->group == g) cc_jw_string(w, cc_str_of((*tool)->name));
        cc_jw_end_array(w);
        cc_jw_end_object(w);
    }
    cc_jw_end_array(w);
}

void cc_doctor_write_json(cc_buf *out, const cc_doctor *d) {
    cc_jw w = cc_jw_make(out);
    cc_jw_object(&w);
    cc_jw_kbool(&w, "ok", d->can_execute);
    kstring_if(&w, "blocker", d->blocker);
    cc_jw_kstringz(&w, "version", CC_VERSION);
    cc_jw_kstringz(&w, "contract_version", CC_CONTRACT_VERSION);
    cc_jw_kstringz(&w, "status_basis", d->deep ? "executed" : "resolved");

    cc_jw_key(&w, "sandbox");
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "isolation", cc_isolation_name(d->sandbox.level));
    kstring_if(&w, "reason", d->sandbox.reason);
    kstring_if(&w, "remedy", d->sandbox.remedy);
    cc_jw_key(&w, "gaps");
    cc_jw_array(&w);
    for (const cc_gap *g = cc_gaps; g->bit; g++)
        if (d->sandbox.gaps & g->bit) cc_jw_string(&w, cc_str_of(g->name));
    cc_jw_end_array(&w);
    kstring_if(&w, "no_cgroup", d->no_cgroup);
    kstring_if(&w, "required", d->isolation_required);
    kstring_if(&w, "refused", d->refused);
    cc_jw_end_object(&w);

    cc_jw_key(&w, "jobs");
    cc_jw_object(&w);
    cc_jw_kbool(&w, "ok", d->jobs_work);
    kstring_if(&w, "detail", d->jobs_detail);
    cc_jw_end_object(&w);

    cc_jw_key(&w, "runtimes");
    cc_jw_array(&w);
    for (size_t i = 0; i < d->n_runtimes; i++) write_runtime(&w, &d->runtimes[i]);
    cc_jw_end_array(&w);

    cc_jw_key(&w, "folders");
    cc_jw_array(&w);
    for (size_t i = 0; i < CC_DOCTOR_FOLDERS; i++) {
        const cc_doctor_folder *f = &d->folders[i];
        cc_jw_object(&w);
        cc_jw_kstringz(&w, "name", f->name);
        cc_jw_kstringz(&w, "path", f->path);
        cc_jw_kbool(&w, "writable", f->writable);
        kstring_if(&w, "detail", f->detail);
        cc_jw_end_object(&w);
    }
    cc_jw_end_array(&w);

    cc_libraries_write(&w);

    cc_jw_key(&w, "tools");
    cc_jw_object(&w);
    cc_jw_kint(&w, "active", (int64_t)active_tools(d));
    cc_jw_kint(&w, "total", (int64_t)cc_tools_count());
    kstring_if(&w, "selection", d->selection_words);
    kstring_if(&w, "error", d->selection_error);
    write_groups(&w, d);
    cc_jw_end_object(&w);

    cc_jw_key(&w, "client");
    write_client_block(&w, d);

    cc_jw_key(&w, "skills");
    cc_jw_array(&w);
    for (size_t i = 0; i < d->n_skills; i++) {
        cc_jw_object(&w);
        cc_jw_kstringz(&w, "client", d->skills[i].client);
        cc_jw_kstringz(&w, "path", d->skills[i].path);
        cc_jw_kbool(&w, "current", d->skills[i].current);
        cc_jw_end_object(&w);
    }
    cc_jw_end_array(&w);
    cc_jw_end_object(&w);
    cc_buf_addc(out, '\n');
}
