// `codecalc setup`: enters the program in the configuration of AI clients, or takes it out again, and proves that a client would be
// served. Shows what would change unless --write is given. Owns nothing; files are changed only through cli/userfile.
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/canary.h"
#include "cli/commands.h"
#include "cli/diff.h"
#include "cli/entry.h"
#include "cli/userfile.h"

typedef struct plan {
    cc_arena *arena;
    cc_term *t;
    const char *root; // the user's home or the project's folder: nothing is written outside
    bool project, write, remove, skill;
    cc_entry entry;
    bool keep_args;
    bool changed; // a file was, or would be, changed
    bool warned, failed;
} plan;

static void problem(plan *p, const cc_error *err) {
    cc_term_finding(p->t, CC_MARK_PROBLEM, "%s", err->msg);
    if (err->remedy[0]) cc_term_under(p->t, "fix", err->remedy);
    p->failed = true;
}

static void warn(plan *p, const char *what, const char *fix) {
    cc_term_finding(p->t, CC_MARK_WARNING, "%s", what);
    cc_term_under(p->t, "fix", fix);
    p->warned = true;
}

// ---- files ----

// Writes the new text, or says that it would.
static void apply(plan *p, const cc_userfile *f, cc_str text, const char *done, const char *would) {
    char backup[PATH_MAX];
    cc_error err;
    p->changed = true;
    if (!p->write) {
        cc_term_finding(p->t, CC_MARK_OK, "%s", would);
        return;
    }
    if (cc_userfile_make_folder(f->path, p->root, &err) || cc_userfile_backup(f, backup, sizeof backup, &err) ||
        cc_userfile_replace(f, text, &err)) {
        problem(p, &err);
        return;
    }
    cc_term_finding(p->t, CC_MARK_OK, "%s", done);
    if (backup[0]) cc_term_under(p->t, "backup", backup);
}

static void erase(plan *p, const cc_userfile *f, const char *what) {
    cc_error err;
    cc_diff_print(p->t, f->path, cc_buf_str(&f->text), (cc_str){0});
    p->changed = true;
    if (!p->write)
        cc_term_finding(p->t, CC_MARK_OK, "would delete the file: %s", what);
    else if (cc_userfile_delete(f, &err))
        problem(p, &err);
    else
        cc_term_finding(p->t, CC_MARK_OK, "deleted the file: %s", what);
}

static void print_block(plan *p, const cc_client *client) {
    CC_CLEANUP_BUF cc_buf block = {0};
    cc_error err;
    if (p->remove) {
        cc_term_under(p->t, "fix", "the file was left alone; take the entry codecalc out by hand");
        return;
    }
    if (cc_entry_set(client, &p->entry, false, (cc_str){0}, &block, &err)) {
        problem(p, &err);
        return;
    }
    cc_term_under(p->t, "fix", "the file was left alone; enter this by hand:");
    for (cc_str rest = cc_buf_str(&block); rest.n;) {
        size_t n = (size_t)((const char *)memchr(rest.p, '\n', rest.n) - rest.p) + 1;
        cc_term_text(p->t, CC_PLAIN, "               %.*s", (int)n, rest.p);
        rest.p += n, rest.n -= n;
    }
}

// ---- one client: entering ----

static int enter(plan *p, const cc_client *client, const cc_userfile *f, cc_error *err) {
    CC_CLEANUP_BUF cc_buf text = {0};
    cc_entry check;
    if (cc_entry_set(client, &p->entry, p->keep_args, cc_buf_str(&f->text), &text, err)) return -1;
    // What was edited is read again, as the client will.
    if (cc_entry_read(p->arena, client, cc_buf_str(&text), &check, err) != 1 || !cc_str_eq(check.command, p->entry.command))
        return cc_error_set(err, CC_INTERNAL, "%s: the edited text does not say what it should", f->path);
    if (cc_entry_needs_strict(client, cc_buf_str(&f->text)))
        warn(p, "the file has comments or trailing commas, which this client may refuse",
             "take them out if the client does not show the server");
    if (f->exists && cc_str_eq(cc_buf_str(&f->text), cc_buf_str(&text))) {
        cc_term_finding(p->t, CC_MARK_OK, "already entered; nothing to change");
        return 0;
    }
    cc_diff_print(p->t, f->path, cc_buf_str(&f->text), cc_buf_str(&text));
    apply(p, f, cc_buf_str(&text), "entered", f->exists ? "would be entered" : "the file would be made");
    if (p->write && !p->failed) cc_term_under(p->t, "next", client->after);
    return 0;
}

// ---- one client: taking out ----

typedef struct undo {
    const cc_client *client;
    cc_entry entry; // as it stands in the file now
    cc_str now;
    cc_buf text; // the backup that the file came from
    char backup[PATH_MAX];
} undo;

// True when entering `entry` in this text gives the present file: then this text is exactly what stood there before.
static bool came_from(const undo *u, cc_str before) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf after = {0};
    cc_entry ignored;
    cc_error err;
    if (!u->entry.command.n || !u->entry.args.n || cc_entry_read(&a, u->client, before, &ignored, &err)) return false;
    return !cc_entry_set(u->client, &u->entry, false, before, &after, &err) && cc_str_eq(cc_buf_str(&after), u->now);
}

static bool try_backup(void *ctx, const char *backup, cc_str text) {
    undo *u = ctx;
    if (!came_from(u, text)) return false;
    cc_buf_adds(&u->text, text);
    snprintf(u->backup, sizeof u->backup, "%s", backup);
    return true;
}

static int take_out(plan *p, const cc_client *client, const cc_userfile *f, cc_error *err) {
    undo u = {.client = client, .now = cc_buf_str(&f->text)};
    CC_CLEANUP_BUF cc_buf text = {0};
    int found = cc_entry_read(p->arena, client, u.now, &u.entry, err);
    if (found < 0) return -1;
    if (!found) {
        cc_term_finding(p->t, CC_MARK_OK, "no entry; nothing to change");
        return 0;
    }
    if (cc_userfile_backups(f->path, try_backup, &u)) {
        cc_diff_print(p->t, f->path, u.now, cc_buf_str(&u.text));
        p->changed = true;
        if (!p->write) {
            cc_term_finding(p->t, CC_MARK_OK, "would be as before setup, byte for byte");
        } else if (cc_userfile_replace(f, cc_buf_str(&u.text), err)) {
            problem(p, err);
        } else {
            unlink(u.backup); // the file itself says the same again
            cc_term_finding(p->t, CC_MARK_OK, "as before setup, byte for byte");
        }
        cc_buf_free(&u.text);
        return 0;
    }
    if (came_from(&u, (cc_str){0})) {
        erase(p, f, "setup made it, and nothing else is in it");
        return 0;
    }
    if (cc_entry_remove(client, u.now, &text, err)) return -1;
    cc_diff_print(p->t, f->path, u.now, cc_buf_str(&text));
    apply(p, f, cc_buf_str(&text), "taken out", "would be taken out");
    return 0;
}

// ---- the skill ----

static void do_skill(plan *p, const cc_client *client) {
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    const char *folder = p->project
                             ? (client->project_skills ? cc_arena_printf(p->arena, "%s/%s", p->root, client->project_skills).p : NULL)
                             : cc_client_path_of(p->arena, &client->skills);
    if (!folder) return;
    const char *path = cc_arena_printf(p->arena, "%s/codecalc/SKILL.md", folder).p;
    if (cc_userfile_load(&f, path, p->root, &err)) {
        problem(p, &err);
        return;
    }
    bool same = f.exists && cc_str_eq(cc_buf_str(&f.text), cc_skill_text());
    if (!p->remove) {
        if (same) {
            cc_term_finding(p->t, CC_MARK_OK, "skill is up to date: %s", path);
            return;
        }
        const char *verb = f.exists ? "replaced" : "copied";
        if (f.exists) cc_diff_print(p->t, path, cc_buf_str(&f.text), cc_skill_text()); // it may hold changes of the user's
        apply(p, &f, cc_skill_text(), cc_arena_printf(p->arena, "skill %s: %s", verb, path).p,
              cc_arena_printf(p->arena, "skill would be %s: %s", verb, path).p);
        return;
    }
    if (!f.exists) return;
    p->changed = true;
    if (!p->write) {
        cc_term_finding(p->t, CC_MARK_OK, "skill would be deleted: %s", path);
        return;
    }
    char backup[PATH_MAX] = "";
    if ((!same && cc_userfile_backup(&f, backup, sizeof backup, &err)) || cc_userfile_delete(&f, &err)) {
        problem(p, &err);
        return;
    }
    cc_term_finding(p->t, CC_MARK_OK, "skill deleted: %s", path);
    if (backup[0])
        cc_term_under(p->t, "backup", backup);
    else if (rmdir(cc_arena_printf(p->arena, "%s/codecalc", folder).p))
        cc_term_under(p->t, "note", "its folder holds other files and stays");
}

// ---- all of it ----

static void do_client(plan *p, const cc_client *client) {
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    const char *path = cc_client_path_of(p->arena, &client->file), *other = cc_client_path_of(p->arena, &client->other_file);
    if (p->project)
        path = cc_arena_printf(p->arena, "%s/%s", p->root, client->project_file).p;
    else if (access(path, F_OK) && other && !access(other, F_OK))
        path = other;
    cc_term_text(p->t, CC_BOLD, "\n%s", client->title);
    cc_term_text(p->t, CC_DIM, "  %s\n", path);
    bool refused = cc_userfile_load(&f, path, p->root, &err) || (p->remove ? take_out(p, client, &f, &err) : enter(p, client, &f, &err));
    if (refused) {
        problem(p, &err);
        print_block(p, client);
    }
    if (p->skill && (p->remove || !refused)) do_skill(p, client);
    cc_term_flush(p->t);
}

// The clients named, or those found. Returns how many were handled, or -1 for a usage error.
static int do_clients(plan *p, const cc_invocation *in) {
    const char *names = cc_option_of(in, "--client");
    int n = 0;
    if (names) {
        for (int pass = 0; pass < 2; pass++) { // all names are checked before anything is touched
            for (cc_str rest = cc_str_of(names); rest.n;) {
                const char *comma = memchr(rest.p, ',', rest.n);
                cc_str name = {rest.p, comma ? (size_t)(comma - rest.p) : rest.n};
                rest = (cc_str){rest.p + name.n + (comma ? 1 : 0), rest.n - name.n - (comma ? 1 : 0)};
                name = cc_str_trim(name);
                const cc_client *client = cc_client_find(name);
                if (!client) {
                    cc_cli_usage(in, "there is no client '%.*s'; known: %s", (int)name.n, name.p, cc_client_names(p->arena));
                    return -1;
                }
                if (p->project && !client->project_file) {
                    cc_cli_usage(in, "%s has no configuration file in a project", client->title);
                    return -1;
                }
                if (pass) do_client(p, client), n++;
            }
        }
        return n;
    }
    for (const cc_client *client = cc_clients; client->name; client++)
        if (cc_client_installed(client) && (!p->project || client->project_file)) do_client(p, client), n++;
    return n;
}

static void check_program(plan *p, const char *program) {
    cc_canary canary[CC_CANARIES];
    int64_t start_ms;
    cc_term_heading(p->t, "Program");
    cc_term_finding(p->t, CC_MARK_OK, "%s", program);
    if (cc_path_is_temporary(program))
        warn(p, "it lies in a temporary place, from which it may vanish",
             "move it to a lasting place, e.g. ~/.local/bin, and run setup from there");
    cc_term_heading(p->t, "Calls through the server");
    cc_term_flush(p->t);
    cc_canaries_run(program, canary, &start_ms);
    for (int i = 0; i < CC_CANARIES; i++) {
        cc_canary *c = &canary[i];
        if (c->state == CC_CANARY_OK) {
            cc_term_finding(p->t, CC_MARK_OK, "%s answered rightly (%lld ms)", c->what, (long long)c->ms);
            continue;
        }
        bool missing = c->state == CC_CANARY_MISSING;
        cc_term_finding(p->t, missing ? CC_MARK_WARNING : CC_MARK_PROBLEM, "%s: %s", c->what, c->detail);
        if (c->remedy[0]) cc_term_under(p->t, "fix", c->remedy);
        if (missing)
            p->warned = true;
        else
            p->failed = true;
    }
}

// The same command, with what it was restricted to.
static void print_how_to_write(const cc_invocation *in, cc_term *t) {
    cc_term_text(t, CC_BOLD, "\nNothing was written. To do it: codecalc setup --write");
    for (size_t i = 0; in->command->options[i].name; i++) {
        const cc_option *o = &in->command->options[i];
        const char *value = in->given[i];
        if (!value) continue;
        const char *quote = value[strspn(value, "abcdefghijklmnopqrstuvwxyz,-")] ? "'" : "";
        cc_term_text(t, CC_BOLD, " %s%s%s%s%s", o->name, o->value ? " " : "", quote, value, quote);
    }
    cc_term_text(t, CC_BOLD, "\n");
}

int cc_cmd_setup(cc_invocation *in) {
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf args = {0};
    char program[PATH_MAX], folder[PATH_MAX];
    cc_error err;
    if (cc_option_of(in, "--skill")) {
        cc_buf_adds(&t.out, cc_skill_text());
        return CC_EXIT_OK;
    }
    const char *tools = cc_option_of(in, "--tools");
    cc_selection selection;
    if (tools && cc_selection_parse("--tools", cc_str_of(tools), &selection, &err)) return cc_cli_fail(CC_EXIT_USAGE, &err);
    if (cc_self_path(program, sizeof program, &err)) return cc_cli_fail(CC_EXIT_FAILED, &err);
    plan p = {.arena = &a, .t = &t, .keep_args = !tools, .skill = !cc_option_of(in, "--no-skill")};
    p.project = cc_option_of(in, "--project");
    p.write = cc_option_of(in, "--write");
    if (p.write) signal(SIGPIPE, SIG_IGN); // who reads of it may stop reading; what was begun is done
    p.remove = cc_option_of(in, "--remove");
    p.root = p.project ? getcwd(folder, sizeof folder) : cc_settings_get()->home;
    if (!p.root || p.root[0] != '/') {
        cc_error_set(&err, CC_VALIDATION, p.project ? "the current folder cannot be told" : "HOME does not name a folder");
        return cc_cli_fail(CC_EXIT_FAILED, &err);
    }
    cc_jw w = cc_jw_make(&args);
    cc_jw_array(&w);
    cc_jw_string(&w, CC_STR("serve"));
    if (tools) {
        cc_jw_string(&w, CC_STR("--tools"));
        cc_jw_string(&w, cc_str_of(tools));
    }
    cc_jw_end_array(&w);
    p.entry = (cc_entry){cc_str_of(program), cc_buf_str(&args)};

    int clients = do_clients(&p, in);
    if (clients < 0) return CC_EXIT_USAGE;
    if (!clients) {
        cc_term_finding(&t, CC_MARK_PROBLEM, "no AI client was found here");
        cc_term_under(&t, "fix", cc_arena_printf(&a, "name one with --client: %s", cc_client_names(&a)).p);
        p.failed = true;
    }
    if (!p.remove) check_program(&p, program);
    if (p.changed && !p.write) print_how_to_write(in, &t);
    if (p.remove)
        cc_term_text(&t, CC_BOLD, "\n%s\n",
                     p.failed     ? "Not everything could be removed."
                     : !p.changed ? "There was nothing to remove."
                     : p.write    ? "Removed."
                                  : "Everything can be removed.");
    else
        cc_term_text(&t, CC_BOLD, "\nverdict: %s\n",
                     p.failed   ? "not-ready (see the problems above)"
                     : p.warned ? "degraded (see the warnings above)"
                                : "ready");
    return p.failed ? CC_EXIT_FAILED : CC_EXIT_OK;
}
