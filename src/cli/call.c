// `codecalc call` and `codecalc tools`: running a tool, and reading about it, from the terminal. Everything comes from the
// declarations of the tools.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/commands.h"

static const cc_tool *find_tool(const cc_invocation *in, const char *name) {
    const cc_tool *tool = cc_tools_find(cc_str_of(name));
    if (tool) return tool;
    const cc_tool *nearest = cc_tools_nearest(cc_str_of(name));
    if (nearest)
        cc_cli_usage(in, "there is no tool '%s'; did you mean '%s'?", name, nearest->name);
    else
        cc_cli_usage(in, "there is no tool '%s'; `codecalc tools` lists them", name);
    return NULL;
}

static int read_input(cc_buf *out) {
    for (;;) {
        cc_buf_reserve(out, 65536);
        ssize_t n = read(STDIN_FILENO, out->p + out->n, out->cap - out->n);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return (int)n;
        out->n += (size_t)n;
    }
}

// The arguments object of the call, as JSON text.
static int arguments_of(const cc_invocation *in, cc_arena *a, const cc_tool *tool, cc_buf *out, cc_error *err) {
    const char *json = cc_option_of(in, "--json");
    size_t n = in->n_words - 1;
    if (!json) return cc_args_from_words(a, tool, n, in->words + 1, out, err);
    if (n) return cc_error_set(err, CC_VALIDATION, "the arguments come either by --json or as KEY=VALUE words, not both");
    if (strcmp(json, "-") != 0)
        cc_buf_addz(out, json);
    else if (read_input(out))
        return cc_error_errno(err, "standard input cannot be read");
    return 0;
}

static int fail(const cc_tool *tool, const cc_error *err) {
    cc_cli_fail(0, err);
    if (err->code != CC_VALIDATION) return CC_EXIT_FAILED;
    fprintf(stderr, "  see: codecalc tools %s\n", tool->name);
    return CC_EXIT_USAGE;
}

int cc_cmd_call(cc_invocation *in) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf arguments = {0}, body = {0};
    CC_CLEANUP_TERM cc_term progress = cc_term_open(STDERR_FILENO);
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    cc_error err;
    if (!in->n_words) return cc_cli_usage(in, "call needs the name of a tool");
    const cc_tool *tool = find_tool(in, in->words[0]);
    if (!tool) return CC_EXIT_USAGE;
    if (arguments_of(in, &a, tool, &arguments, &err)) return fail(tool, &err);
    cc_runner *runner = cc_runner_new(in->spawner);
    int ok = cc_runner_call(runner, tool, cc_buf_str(&arguments), &progress, &body, &err);
    cc_runner_free(runner);
    if (ok < 0) return fail(tool, &err);
    const cc_json *result;
    if (t.terminal && !cc_json_parse(&a, cc_buf_str(&body), CC_JSON_MAX_DEPTH, &result, &err)) {
        cc_term_json(&t, result);
    } else {
        cc_buf_adds(&t.out, cc_buf_str(&body));
        cc_buf_addc(&t.out, '\n');
    }
    return ok ? CC_EXIT_OK : CC_EXIT_FAILED;
}

// ---- tools ----

// The first sentence of a description: up to a full stop before a capital letter ("e.g. 3" goes on).
static cc_str first_sentence(const char *doc) {
    for (const char *p = doc; *p; p++) {
        if (*p == '\n') return (cc_str){doc, (size_t)(p - doc)};
        if (p[0] == '.' && p[1] == ' ' && p[2] >= 'A' && p[2] <= 'Z') return (cc_str){doc, (size_t)(p - doc) + 1};
    }
    return cc_str_of(doc);
}

static void list_tools(cc_term *t) {
    for (unsigned g = 0; g < CC_GROUPS; g++) {
        bool any = false;
        for (const cc_tool *const *tool = cc_tools; *tool; tool++) {
            if ((*tool)->group != g) continue;
            if (!any) {
                cc_term_text(t, CC_BOLD, "%s%s", t->out.n ? "\n" : "", cc_group_name((cc_group)g));
                cc_term_text(t, CC_DIM, " - %s\n", cc_group_doc((cc_group)g));
            }
            any = true;
            cc_str doc = first_sentence((*tool)->doc);
            size_t room = t->width > 40 ? t->width - 26 : 60;
            cc_str shown = doc.n > room ? cc_utf8_prefix(doc, room - 3) : doc;
            cc_term_text(t, CC_PLAIN, "  %-23s %.*s%s\n", (*tool)->name, (int)shown.n, shown.p, shown.n < doc.n ? "..." : "");
        }
    }
    cc_term_text(t, CC_PLAIN, "\n`codecalc tools NAME` prints the reference page of one.\nWords for --tools and CODECALC_TOOLS: %s\n",
                 cc_selection_words());
}

// The page of reference as a terminal shows it: what Markdown puts into tables is wrapped at the width.
static void print_page(cc_term *t, const cc_tool *tool) {
    cc_term_text(t, CC_BOLD, "%s", tool->name);
    cc_term_text(t, CC_DIM, "  %s\n", cc_group_name(tool->group));
    cc_term_under(t, "", tool->doc);
    cc_term_heading(t, "Arguments");
    const cc_param *p = tool->params;
    if (!p || !p->name) cc_term_text(t, CC_PLAIN, "  none\n");
    for (; p && p->name; p++) {
        CC_CLEANUP_BUF cc_buf kind = {0};
        cc_param_write_kind(&kind, p);
        cc_term_text(t, CC_BOLD, "  %s", p->name);
        cc_term_text(t, CC_PLAIN, "  %.*s%s%s\n", (int)kind.n, kind.p,
                     p->required ? ", required"
                     : p->def    ? ", default "
                                 : "",
                     p->required || !p->def ? "" : p->def);
        if (*cc_param_meaning(p)) cc_term_under(t, "", cc_param_meaning(p));
    }
    cc_term_heading(t, "Result");
    for (const cc_field *f = tool->result; f->name; f++) {
        cc_term_text(t, CC_BOLD, "  %s", f->name);
        cc_term_text(t, CC_PLAIN, "  %s%s\n", f->type, f->always ? "" : ", when it applies");
        if (f->doc) cc_term_under(t, "", f->doc);
    }
}

static void write_schemas(cc_buf *out, const cc_tool *only) {
    cc_jw w = cc_jw_make(out);
    cc_jw_object(&w);
    for (const cc_tool *const *tool = cc_tools; *tool; tool++) {
        if (only && *tool != only) continue;
        cc_jw_key(&w, (*tool)->name);
        cc_jw_object(&w);
        cc_jw_key(&w, "arguments");
        cc_tool_write_schema(&w, *tool);
        cc_jw_key(&w, "result");
        cc_tool_write_result_schema(&w, *tool);
        cc_jw_end_object(&w);
    }
    cc_jw_end_object(&w);
}

int cc_cmd_tools(cc_invocation *in) {
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    bool json = cc_option_of(in, "--json");
    if (in->n_words > 1) return cc_cli_usage(in, "tools takes one name");
    const cc_tool *only = NULL;
    if (in->n_words && !(only = find_tool(in, in->words[0]))) return CC_EXIT_USAGE;
    if (cc_option_of(in, "--schema")) {
        if (json) return cc_cli_usage(in, "--json and --schema are two answers");
        write_schemas(&t.out, only);
        cc_buf_addc(&t.out, '\n');
    } else if (json) {
        cc_jw w = cc_jw_make(&t.out);
        if (only) {
            cc_tool_write_listing(&w, only);
        } else {
            cc_jw_array(&w);
            for (const cc_tool *const *tool = cc_tools; *tool; tool++) cc_tool_write_listing(&w, *tool);
            cc_jw_end_array(&w);
        }
        cc_buf_addc(&t.out, '\n');
    } else if (only && t.terminal) {
        print_page(&t, only);
    } else if (only) {
        cc_tool_write_page(&t.out, only);
    } else {
        list_tools(&t);
    }
    return CC_EXIT_OK;
}
