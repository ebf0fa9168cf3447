// list_languages: what can be run, and what of it is on this machine. Looks for the commands; executes nothing.
#include <stdio.h>

#include "codecalc/run.h"
#include "codecalc/tools.h"

static const cc_param params[] = {{0}};

static const cc_field fields[] = {
    {"result", "object[]", true,
     "name, aliases, extension, compiled, run, tier (tested: the project's tests execute it; best_effort), available, status (installed, "
     "supported)"},
    {0},
};

// A command of the table as one line: "{0} -O2 …" with the tools' names in place of their numbers.
static void write_command(cc_jw *w, const char *key, const char *const *words, const cc_variant *v, const cc_resolution *r) {
    CC_CLEANUP_BUF cc_buf line = {0};
    for (size_t i = 0; words[i]; i++) {
        const char *word = words[i];
        if (strstr(word, "{mb}")) continue; // a limit of the call, not of the command
        if (i) cc_buf_addc(&line, ' ');
        if (word[0] == '{' && word[1] >= '0' && word[1] < '0' + CC_VARIANT_TOOLS && word[2] == '}') {
            size_t tool = (size_t)(word[1] - '0');
            const char *name = r ? r->tools[tool].name : v->tools[tool];
            size_t n = r ? strlen(name) : strcspn(name, "|");
            cc_buf_add(&line, name, n);
        } else {
            cc_buf_addz(&line, word);
        }
    }
    cc_jw_kstring(w, key, cc_buf_str(&line));
}

static int run(cc_call *call, cc_error *err) {
    (void)err;
    cc_jw *w = &call->out;
    cc_jw_key(w, "result");
    cc_jw_array(w);
    for (size_t i = 0; i < cc_languages_count; i++) {
        const cc_language *l = &cc_languages[i];
        cc_resolution found;
        cc_error missing;
        bool available = cc_language_resolve(call->arena, l, &found, &missing) == 0;
        const cc_variant *v = available ? found.variant : &l->variants[0];
        cc_jw_object(w);
        cc_jw_kstringz(w, "name", l->name);
        if (l->aliases) {
            cc_jw_key(w, "aliases");
            cc_jw_array(w);
            for (const char *const *a = l->aliases; *a; a++) cc_jw_string(w, cc_str_of(*a));
            cc_jw_end_array(w);
        }
        cc_jw_kstringz(w, "extension", l->extension);
        cc_jw_kbool(w, "compiled", v->compile != NULL);
        if (v->compile) write_command(w, "compile", v->compile, v, available ? &found : NULL);
        write_command(w, "run", v->run, v, available ? &found : NULL);
        cc_jw_kstringz(w, "tier", cc_language_tier(l));
        cc_jw_kbool(w, "available", available);
        cc_jw_kstringz(w, "status", available ? "installed" : "supported");
        if (!available) cc_jw_kstringz(w, "install", l->install);
        cc_jw_end_object(w);
    }
    cc_jw_end_array(w);
    return 0;
}

const cc_tool cc_tool_list_languages = {
    .name = "list_languages",
    .group = CC_EXECUTION,
    .title = "List Languages",
    .where = CC_FILES,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT | CC_ALWAYS_LOAD,
    .doc = "Languages execute_code runs, their commands, which are installed here. tested: run by this project's tests.",
    .params = params,
    .result = fields,
    .run = run,
};
