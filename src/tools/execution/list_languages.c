// list_languages: what can be run, and what of it is on this machine. Looks for the commands; executes nothing.
#include "tools/execution/shared.h"

static const cc_param params[] = {{0}};

static const cc_field fields[] = {
    {"result", "object[]", true,
     "name, aliases, extension, compiled, run, tier (tested: the project's tests execute it; best_effort), available, status (installed, "
     "supported), notes, install"},
    {0},
};

static int run(cc_call *call, cc_error *err) {
    (void)err;
    cc_jw *w = &call->out;
    cc_jw_key(w, "result");
    cc_jw_array(w);
    for (size_t i = 0; i < cc_languages_count; i++) {
        const cc_language *l = cc_languages[i];
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
        cc_program_write_commands(w, v, available ? &found : NULL);
        cc_jw_kstringz(w, "tier", cc_language_tier(l));
        cc_jw_kbool(w, "available", available);
        cc_jw_kstringz(w, "status", available ? "installed" : "supported");
        if (l->notes) cc_jw_kstringz(w, "notes", l->notes);
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
