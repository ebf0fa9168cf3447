// Completion scripts for shells, generated from the command table and the declarations of the tools. Owns nothing.
#include <unistd.h>

#include "cli/clients.h"
#include "cli/commands.h"

static void add_words(cc_buf *b, const char *word) {
    if (b->n && b->p[b->n - 1] != '\'' && b->p[b->n - 1] != '\n') cc_buf_addc(b, ' ');
    cc_buf_addz(b, word);
}

static void command_names(cc_buf *b) {
    for (const cc_command *c = cc_commands; c->name; c++) add_words(b, c->name);
}

static void option_names(cc_buf *b, const cc_command *c) {
    for (const cc_option *o = c->options; o->name; o++) add_words(b, o->name);
}

static void tool_names(cc_buf *b) {
    for (const cc_tool *const *t = cc_tools; *t; t++) add_words(b, (*t)->name);
}

static void client_names(cc_buf *b) {
    for (const cc_client *c = cc_clients; c->name; c++) add_words(b, c->name);
}

// "expr=" for each parameter; for those with a choice, "mode=analysis" and so on.
static void parameter_words(cc_buf *b, const cc_tool *t) {
    for (const cc_param *p = t->params; p && p->name; p++) {
        static const char *const flags[] = {"true", "false", NULL};
        const char *const *values = p->kind == CC_ENUM ? p->values : p->kind == CC_BOOL ? flags : NULL;
        if (!values) {
            add_words(b, p->name);
            cc_buf_addc(b, '=');
        }
        for (; values && *values; values++) {
            add_words(b, p->name);
            cc_buf_printf(b, "=%s", *values);
        }
    }
}

// A shell function that prints the words that fit, given the command line so far: the same for bash and zsh.
static void write_lookup(cc_buf *b) {
    cc_buf_addz(b, "_codecalc_words() { # COMMAND TOOL PREVIOUS\n    case $3 in\n    --client) echo '");
    client_names(b);
    cc_buf_printf(b, "'; return ;;\n    --tools) echo 'core dev full");
    for (unsigned g = 0; g < CC_GROUPS; g++) add_words(b, cc_group_name((cc_group)g));
    cc_buf_addz(b, "'; return ;;\n    esac\n    case $1 in\n    '') echo '");
    command_names(b);
    cc_buf_addz(b, " --help --version' ;;\n    help) echo '");
    command_names(b);
    cc_buf_addz(b, "' ;;\n    completion) echo 'bash zsh fish' ;;\n    tools) echo '--json ");
    tool_names(b);
    cc_buf_addz(b, "' ;;\n    call)\n        case $2 in\n        '') echo '");
    tool_names(b);
    cc_buf_addz(b, "' ;;\n");
    for (const cc_tool *const *t = cc_tools; *t; t++) {
        cc_buf_printf(b, "        %s) echo '--json ", (*t)->name);
        parameter_words(b, *t);
        cc_buf_addz(b, "' ;;\n");
    }
    cc_buf_addz(b, "        esac ;;\n");
    for (const cc_command *c = cc_commands; c->name; c++) {
        if (!c->options[0].name || strcmp(c->name, "tools") == 0 || strcmp(c->name, "call") == 0) continue;
        cc_buf_printf(b, "    %s) echo '", c->name);
        option_names(b, c);
        cc_buf_addz(b, "' ;;\n");
    }
    cc_buf_addz(b, "    esac\n}\n");
}

static void write_bash(cc_buf *b) {
    cc_buf_addz(b, "# bash completion of codecalc; made by `codecalc completion bash`\n");
    write_lookup(b);
    cc_buf_addz(b, "_codecalc() {\n"
                   "    local line=${COMP_LINE:0:$COMP_POINT} word command= tool= words\n"
                   "    local -a seen\n"
                   "    read -ra seen <<<\"$line\"\n"
                   "    word=\n"
                   "    [[ $line == *[[:space:]] ]] || { word=${seen[-1]}; unset 'seen[-1]'; }\n"
                   "    command=${seen[1]-}\n"
                   "    [[ $command == call ]] && tool=${seen[2]-}\n"
                   "    words=$(_codecalc_words \"$command\" \"$tool\" \"${seen[-1]-}\")\n"
                   "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                   "    # The shell takes what stands before the last '=' for a word of its own.\n"
                   "    [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && COMPREPLY=(\"${COMPREPLY[@]#\"${word%=*}=\"}\")\n"
                   "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
                   "    return 0\n"
                   "}\n"
                   "complete -F _codecalc codecalc\n");
}

static void write_zsh(cc_buf *b) {
    cc_buf_addz(b, "#compdef codecalc\n# zsh completion of codecalc; made by `codecalc completion zsh`\n");
    write_lookup(b);
    cc_buf_addz(b, "_codecalc() {\n"
                   "    local command= tool= previous=${words[CURRENT-1]}\n"
                   "    (( CURRENT > 2 )) && command=${words[2]}\n"
                   "    [[ $command == call ]] && (( CURRENT > 3 )) && tool=${words[3]}\n"
                   "    local -a fit open\n"
                   "    fit=(${=\"$(_codecalc_words \"$command\" \"$tool\" \"$previous\")\"})\n"
                   "    open=(${(M)fit:#*=})\n"
                   "    fit=(${fit:#*=})\n"
                   "    compadd -- $fit\n"
                   "    compadd -S '' -- $open\n"
                   "}\n"
                   "if [ \"$funcstack[1]\" = _codecalc ]; then _codecalc \"$@\"; else compdef _codecalc codecalc; fi\n");
}

static void fish_line(cc_buf *b, const char *condition, const char *words, const char *doc) {
    cc_buf_printf(b, "complete -c codecalc -f -n '%s' -a '%s'", condition, words);
    if (*doc) {
        cc_buf_addz(b, " -d '");
        for (const char *p = doc; *p; p++) cc_buf_printf(b, strchr("'\\", *p) ? "\\%c" : "%c", *p);
        cc_buf_addc(b, '\'');
    }
    cc_buf_addc(b, '\n');
}

static void write_fish(cc_buf *b) {
    cc_buf_addz(b, "# fish completion of codecalc; made by `codecalc completion fish`\n");
    CC_CLEANUP_ARENA cc_arena a = {0};
    for (const cc_command *c = cc_commands; c->name; c++) {
        fish_line(b, "__fish_use_subcommand", c->name, c->doc);
        cc_str condition = cc_arena_printf(&a, "__fish_seen_subcommand_from %s", c->name);
        for (const cc_option *o = c->options; o->name; o++) fish_line(b, condition.p, o->name, o->doc);
    }
    CC_CLEANUP_BUF cc_buf names = {0};
    tool_names(&names);
    cc_buf_addc(&names, 0);
    fish_line(b, "__fish_seen_subcommand_from tools", names.p, "");
    fish_line(b, cc_arena_printf(&a, "__fish_seen_subcommand_from call; and not __fish_seen_subcommand_from %s", names.p).p, names.p, "");
    for (const cc_tool *const *t = cc_tools; *t; t++) {
        CC_CLEANUP_BUF cc_buf words = {0};
        parameter_words(&words, *t);
        cc_buf_addc(&words, 0);
        fish_line(b, cc_arena_printf(&a, "__fish_seen_subcommand_from call; and __fish_seen_subcommand_from %s", (*t)->name).p, words.p,
                  "");
    }
    names.n = 0;
    command_names(&names);
    cc_buf_addc(&names, 0);
    fish_line(b, "__fish_seen_subcommand_from help", names.p, "");
    fish_line(b, "__fish_seen_subcommand_from completion", "bash zsh fish", "");
}

int cc_cmd_completion(cc_invocation *in) {
    static const struct {
        const char *shell;
        void (*write)(cc_buf *b);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    for (size_t i = 0; in->n_words == 1 && i < CC_ARRAY_LEN(shells); i++) {
        if (strcmp(shells[i].shell, in->words[0]) != 0) continue;
        shells[i].write(&t.out);
        return CC_EXIT_OK;
    }
    return cc_cli_usage(in, "completion needs one of: bash, zsh, fish");
}
