// The languages: the table of the rows (rows_*.c), and looking them up by name. To add one, add a row and its line here; its names, file
// name, commands, limits and messages all come from the row. Read by resolve.c, plan.c, execute.c, the tools and the command line.
#include <strings.h>

#include "run/rows.h"

// In the order in which they are listed.
const cc_language *const cc_languages[] = {
    &cc_row_python3, &cc_row_node,    &cc_row_bun,   &cc_row_deno,    &cc_row_typescript, &cc_row_ruby, &cc_row_php,    &cc_row_perl,
    &cc_row_lua,     &cc_row_tcl,     &cc_row_r,     &cc_row_bash,    &cc_row_zsh,        &cc_row_c,    &cc_row_cpp,    &cc_row_rust,
    &cc_row_go,      &cc_row_fortran, &cc_row_zig,   &cc_row_mojo,    &cc_row_swift,      &cc_row_java, &cc_row_kotlin, &cc_row_csharp,
    &cc_row_erlang,  &cc_row_elixir,  &cc_row_gleam, &cc_row_haskell, &cc_row_sqlite,     &cc_row_jq,   &cc_row_awk,
};
const size_t cc_languages_count = CC_ARRAY_LEN(cc_languages);

static bool is_called(cc_str name, const char *z) { return strlen(z) == name.n && strncasecmp(name.p, z, name.n) == 0; }

const cc_language *cc_language_find(cc_str name) {
    for (size_t i = 0; name.n && i < cc_languages_count; i++) {
        const cc_language *l = cc_languages[i];
        if (is_called(name, l->name)) return l;
        for (const char *const *a = l->aliases; a && *a; a++)
            if (is_called(name, *a)) return l;
    }
    return NULL;
}

const char *cc_language_tier(const cc_language *language) {
    static const char *const executed[] = {
#include "tested_languages.h"
        NULL,
    };
    for (const char *const *name = executed; *name; name++)
        if (!strcmp(language->name, *name)) return "tested";
    return "best_effort";
}

cc_str cc_language_hello_input(cc_arena *a, const cc_language *language, const char *word) {
    return cc_arena_printf(a, language->json ? "\"%s\"\n" : "%s\n",
                           word); // a whole line: not every runtime reads a last one that has no end
}

bool cc_language_greets(cc_arena *a, const cc_language *language, cc_str said, const char *word) {
    const char *quote = language->json ? "\"" : "";
    return cc_str_eq(cc_str_trim(said), cc_arena_printf(a, "%shello %s%s", quote, word, quote));
}

bool cc_language_prepares(const cc_language *language) {
    for (size_t i = 0; i < CC_VARIANTS && language->variants[i].run; i++)
        if (language->variants[i].warm) return true;
    return false;
}

unsigned cc_language_number(const cc_language *language) {
    for (size_t i = 0; language && i < cc_languages_count; i++)
        if (cc_languages[i] == language) return (unsigned)i + 1;
    return 0;
}

cc_str cc_language_names(cc_arena *a) {
    cc_str all = {0};
    for (size_t i = 0; i < cc_languages_count; i++)
        all = cc_arena_printf(a, "%.*s%s%s", (int)all.n, all.n ? all.p : "", i ? ", " : "", cc_languages[i]->name);
    return all;
}

const char *cc_language_nearest(cc_str name) {
    const char *best = NULL;
    unsigned least = 3; // further away is another word
    for (size_t i = 0; i < cc_languages_count; i++) {
        const cc_language *l = cc_languages[i];
        unsigned d = cc_edit_distance(name, cc_str_of(l->name));
        for (const char *const *a = l->aliases; a && *a; a++) {
            unsigned e = cc_edit_distance(name, cc_str_of(*a));
            if (e < d) d = e;
        }
        if (d < least && d < name.n) least = d, best = l->name;
    }
    return best;
}
