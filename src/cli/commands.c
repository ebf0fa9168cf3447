// The command table: names, options and help, from which argv is taken apart, help is printed and completion is generated.
// Called by main. Owns nothing.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "codecalc/mcp.h"
#include "codecalc/sandbox.h"

static const cc_option serve_options[] = {
    {"--tools", "WORDS", "groups and presets to offer; else CODECALC_TOOLS, else all"},
    {0},
};
static const cc_option call_options[] = {
    {"--json", "TEXT", "the arguments as one JSON object; - reads it from stdin"},
    {0},
};
static const cc_option tools_options[] = {
    {"--json", NULL, "the declarations as an MCP client sees them"},
    {"--schema", NULL, "the JSON Schemas of arguments and result, by tool"},
    {0},
};
static const cc_option doctor_options[] = {
    {"--json", NULL, "the report as JSON (docs/contract/doctor-v1.schema.json)"},
    {"--deep", NULL, "run a program in every installed language; tell its version"},
    {0},
};
static const cc_option setup_options[] = {
    {"--client", "NAMES", "these clients (commas between) instead of those found here"},
    {"--project", NULL, "the files of the project in the current folder instead"},
    {"--write", NULL, "change the files (without it they are only shown)"},
    {"--remove", NULL, "take codecalc out of the files again"},
    {"--tools", "WORDS", "groups and presets of tools that the client shall see"},
    {"--no-skill", NULL, "leave the skill alone"},
    {"--skill", NULL, "print the skill (SKILL.md) and do nothing else"},
    {0},
};
static const cc_option status_options[] = {
    {"--json", NULL, "the same as JSON"},
    {0},
};
static const cc_option cleanup_options[] = {
    {"--write", NULL, "remove it (without it nothing is changed)"},
    {"--json", NULL, "the same as JSON"},
    {0},
};
static const cc_option version_options[] = {
    {"--json", NULL, "with the version of every library in the program"},
    {0},
};
static const cc_option no_options[] = {{0}};

const cc_command cc_commands[] = {
    {"serve", "", "serve MCP on standard input and output",
     "This is what an AI client starts. Without any command the program serves too,\nunless standard input is a terminal.", serve_options,
     true, cc_cmd_serve},
    {"call", "TOOL [KEY=VALUE …]", "run one tool and print its result",
     "Values of text parameters are taken as they are; others are read as JSON, a list\n"
     "also as items with commas between. Prints the result object, on one line unless\n"
     "the output is a terminal. Exit status: 0, 1 when \"ok\" is false, 2 when the call\n"
     "is not a valid one.\n\n"
     "Examples: codecalc call calc_exact expr='0.1 + 0.2 == 0.3'\n"
     "          codecalc call execute_code language=python3 code=\"$(cat main.py)\"",
     call_options, true, cc_cmd_call},
    {"tools", "[NAME]", "list the tools, or print the reference page of one", "", tools_options, false, cc_cmd_tools},
    {"doctor", "[LANGUAGE …]", "check this installation: sandbox, languages, folders, tools",
     "With names, only these languages are looked at, and what is missing says how to\n"
     "get it. Without --deep nothing is executed to check a language, and none is\n"
     "called available. Exit status: 0 when programs can be executed here, 1 when they\n"
     "cannot, 2 for a wrong call. A language that is not installed is no failure.",
     doctor_options, true, cc_cmd_doctor},
    {"setup", "", "enter codecalc in the configuration of AI clients",
     "Shows what would change; --write does it. Comments, order, indentation and line\n"
     "endings of a file are kept, the old file is copied to FILE.codecalc-bak first,\n"
     "and a file that cannot be read for certain is never touched. Two calls through\n"
     "the real server then tell whether a client would be served. Exit status: 0 ready\n"
     "or degraded, 1 not ready, 2 for a wrong call.",
     setup_options, false, cc_cmd_setup},
    {"status", "", "what codecalc keeps here: audit log, runs, folders, cache", "Changes nothing.", status_options, false, cc_cmd_status},
    {"cleanup", "", "remove what runs have left over",
     "Work directories of runs that were killed (there are some only below full\n"
     "isolation; older than an hour, and only if they still are what they were),\n"
     "records of background runs that ended over a day ago, compiled programs that are\n"
     "kept to be run again, and prepared toolchains that no run uses. Shows them;\n"
     "--write removes them.",
     cleanup_options, false, cc_cmd_cleanup},
    {"completion", "bash|zsh|fish", "print a completion script for a shell",
     "bash: source <(codecalc completion bash)\nzsh:  codecalc completion zsh > ~/.zfunc/_codecalc\n"
     "fish: codecalc completion fish > ~/.config/fish/completions/codecalc.fish",
     no_options, false, cc_cmd_completion},
    {"version", "", "print the version", "", version_options, false, cc_cmd_version},
    {"help", "[COMMAND]", "print help", "", no_options, false, cc_cmd_help},
    {0},
};

const char *cc_option_of(const cc_invocation *in, const char *name) {
    for (size_t i = 0; in->command->options[i].name; i++)
        if (strcmp(in->command->options[i].name, name) == 0) return in->given[i];
    assert(!"an option that is not declared");
    return NULL;
}

// ---- messages ----

int cc_cli_fail(int status, const cc_error *err) {
    fprintf(stderr, "codecalc: %s\n", err->msg);
    if (err->remedy[0]) fprintf(stderr, "  %s\n", err->remedy);
    return status;
}

int cc_cli_usage(const cc_invocation *in, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fputs("codecalc: ", stderr);
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n  see: codecalc help %s\n", in->command->name);
    va_end(args);
    return CC_EXIT_USAGE;
}

// ---- help ----

static void print_usage(cc_term *t) {
    cc_term_text(t, CC_BOLD, "codecalc " CC_VERSION);
    cc_term_text(t, CC_PLAIN,
                 "\nexact mathematics, sandboxed code execution and verification for AI agents\n\nusage: codecalc COMMAND [OPTIONS]\n\n");
    for (const cc_command *c = cc_commands; c->name; c++) {
        cc_term_text(t, CC_BOLD, "  %-11s", c->name);
        cc_term_text(t, CC_PLAIN, " %s\n", c->doc);
    }
    cc_term_text(t, CC_PLAIN,
                 "\nAn AI client starts `codecalc serve`; `codecalc setup --write` enters it in the\n"
                 "client's configuration. `codecalc help COMMAND` says more about one.\n");
}

static void print_command(cc_term *t, const cc_command *c) {
    cc_term_text(t, CC_PLAIN, "usage: ");
    cc_term_text(t, CC_BOLD, "codecalc %s", c->name);
    cc_term_text(t, CC_PLAIN, "%s%s%s\n\n%s\n", *c->words ? " " : "", c->words, c->options[0].name ? " [OPTIONS]" : "", c->doc);
    for (const cc_option *o = c->options; o->name; o++) {
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        cc_term_text(t, CC_BOLD, "%s  %-16s", o == c->options ? "\n" : "", left);
        cc_term_text(t, CC_PLAIN, " %s\n", o->doc);
    }
    if (*c->more) cc_term_text(t, CC_PLAIN, "\n%s\n", c->more);
}

static const cc_command *find_command(const char *name) {
    for (const cc_command *c = cc_commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

static int unknown_command(const char *name) {
    const cc_command *nearest = NULL;
    unsigned best = 4; // further away than three letters is no misspelling
    for (const cc_command *c = cc_commands; c->name; c++) {
        unsigned d = cc_edit_distance(cc_str_of(c->name), cc_str_of(name));
        if (d < best && d < strlen(c->name)) best = d, nearest = c;
    }
    fprintf(stderr, "codecalc: there is no command '%s'", name);
    if (nearest) fprintf(stderr, "; did you mean '%s'?", nearest->name);
    fputs("\n  see: codecalc help\n", stderr);
    return CC_EXIT_USAGE;
}

int cc_cmd_help(cc_invocation *in) {
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    if (in->n_words > 1) return cc_cli_usage(in, "help takes one command");
    if (!in->n_words) return print_usage(&t), CC_EXIT_OK;
    const cc_command *c = find_command(in->words[0]);
    if (!c) return unknown_command(in->words[0]);
    print_command(&t, c);
    return CC_EXIT_OK;
}

// ---- taking argv apart ----

static int unknown_option(const cc_invocation *in, const char *name) {
    const char *nearest = NULL;
    unsigned best = 4;
    for (const cc_option *o = in->command->options; o->name; o++) {
        unsigned d = cc_edit_distance(cc_str_of(o->name), cc_str_of(name));
        if (d < best) best = d, nearest = o->name;
    }
    return nearest ? cc_cli_usage(in, "there is no option '%s'; did you mean '%s'?", name, nearest)
                   : cc_cli_usage(in, "there is no option '%s'", name);
}

// Sorts the words after the command into in. *help is set when help was asked for. 0, or the exit status of a usage error.
static int take_apart(cc_invocation *in, int argc, char **argv, bool *help) {
    const cc_command *c = in->command;
    in->words = argv; // words are moved down over the options
    bool options = true;
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (!options || word[0] != '-' || !word[1]) {
            in->words[in->n_words++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options = false;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return *help = true, 0;
        char *equals = strchr(word, '=');
        size_t n = equals ? (size_t)(equals - word) : strlen(word), o = 0;
        while (c->options[o].name && !(strlen(c->options[o].name) == n && strncmp(c->options[o].name, word, n) == 0)) o++;
        if (!c->options[o].name) {
            if (equals) *equals = 0;
            return unknown_option(in, word);
        }
        if (in->given[o]) return cc_cli_usage(in, "%s is given twice", c->options[o].name);
        if (!c->options[o].value) {
            if (equals) return cc_cli_usage(in, "%s takes no value", c->options[o].name);
            in->given[o] = "";
        } else if (equals) {
            in->given[o] = equals + 1;
        } else if (++i < argc) {
            in->given[o] = argv[i];
        } else {
            return cc_cli_usage(in, "%s needs a value: %s", c->options[o].name, c->options[o].value);
        }
    }
    return 0;
}

static int run_command(const cc_command *c, int argc, char **argv) {
    cc_invocation in = {.command = c, .spawner = {-1, -1, 0}};
    bool help = false;
    int status = take_apart(&in, argc, argv, &help);
    if (status) return status;
    if (help) {
        CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
        print_command(&t, c);
        return CC_EXIT_OK;
    }
    if (in.n_words && !*c->words) return cc_cli_usage(&in, "%s takes no words: '%s'", c->name, in.words[0]);
    cc_error err;
    if (cc_settings_load(&err)) return cc_cli_fail(CC_EXIT_USAGE, &err);
    if (c->jobs) cc_cgroup_adopt();
    if (c->jobs && cc_spawner_start(&in.spawner, &err)) return cc_cli_fail(CC_EXIT_FAILED, &err);
    status = c->run(&in);
    if (c->jobs) cc_cgroup_leave();
    return status == CC_EXIT_OK && cc_term_failed() ? CC_EXIT_FAILED : status;
}

int cc_cmd_serve(cc_invocation *in) {
    cc_selection selection;
    cc_error err;
    const char *words = cc_option_of(in, "--tools");
    if (cc_selection_parse(words ? "--tools" : "CODECALC_TOOLS", cc_str_of(words ? words : cc_settings_get()->tools), &selection, &err))
        return cc_cli_fail(CC_EXIT_USAGE, &err);
    return cc_server_run(&selection, in->spawner);
}

int cc_cli_main(int argc, char **argv) {
    if (argc < 2) {
        if (!isatty(STDIN_FILENO)) return run_command(find_command("serve"), 0, argv);
        CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
        print_usage(&t);
        return CC_EXIT_OK;
    }
    const char *first = argv[1];
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) first = "help";
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) first = "version";
    const cc_command *c = find_command(first);
    return c ? run_command(c, argc - 2, argv + 2) : unknown_command(first);
}
