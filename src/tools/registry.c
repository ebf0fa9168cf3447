// Look-ups in the table of tools, and the choice of groups by CODECALC_TOOLS or --tools. Owns nothing.
#include <assert.h>

#include "codecalc/tools.h"

size_t cc_tools_count(void) {
    size_t n = 0;
    while (cc_tools[n]) n++;
    return n;
}

const cc_tool *cc_tools_find(cc_str name) {
    for (const cc_tool *const *t = cc_tools; *t; t++)
        if (cc_str_eqz(name, (*t)->name)) return *t;
    return NULL;
}

const cc_tool *cc_tools_nearest(cc_str name) {
    const cc_tool *best = NULL;
    unsigned distance = (unsigned)(name.n / 3) + 1; // further than a third of the name is another word
    for (const cc_tool *const *t = cc_tools; *t; t++) {
        unsigned d = cc_edit_distance(name, cc_str_of((*t)->name));
        if (d <= distance && (!best || d < distance)) best = *t, distance = d;
    }
    return best;
}

int cc_tools_index(const cc_tool *tool) {
    for (int i = 0; cc_tools[i]; i++)
        if (cc_tools[i] == tool) return i;
    assert(!"a tool outside the table");
    return -1;
}

// ---- groups ----

static const struct {
    const char *name, *doc;
} groups[CC_GROUPS] = {
    [CC_CALCULATOR] = {"calculator", "exact arithmetic, algebra, units, statistics, bits"},
    [CC_VERIFICATION] = {"verification", "proofs and comparisons of expressions and programs"},
    [CC_EXECUTION] = {"execution", "running programs in a sandbox"},
    [CC_SESSIONS] = {"sessions", "workspaces and runs that outlive a call"},
    [CC_ANALYSIS] = {"analysis", "complexity, benchmarks, extraction"},
    [CC_ADMIN] = {"admin", "packages and runtimes of this machine"},
};

#define BIT(g) (1u << (g))
static const struct {
    const char *name;
    unsigned groups;
} presets[] = {
    {"core", BIT(CC_CALCULATOR)},
    {"dev", BIT(CC_CALCULATOR) | BIT(CC_EXECUTION) | BIT(CC_VERIFICATION) | BIT(CC_ANALYSIS)},
    {"full", BIT(CC_GROUPS) - 1},
};

const char *cc_group_name(cc_group group) { return groups[group].name; }
const char *cc_group_doc(cc_group group) { return groups[group].doc; }

const char *cc_selection_words(void) { return "core, dev, full, calculator, verification, execution, sessions, analysis, admin"; }

static unsigned groups_of(cc_str word) {
    for (size_t i = 0; i < CC_ARRAY_LEN(presets); i++)
        if (cc_str_eqz(word, presets[i].name)) return presets[i].groups;
    for (unsigned g = 0; g < CC_GROUPS; g++)
        if (cc_str_eqz(word, groups[g].name)) return BIT(g);
    return 0;
}

int cc_selection_parse(const char *from, cc_str words, cc_selection *out, cc_error *err) {
    unsigned chosen = 0;
    while (words.n) {
        const char *comma = memchr(words.p, ',', words.n);
        size_t n = comma ? (size_t)(comma - words.p) : words.n;
        cc_str word = cc_str_trim((cc_str){words.p, n});
        words.p += n + (comma ? 1 : 0);
        words.n -= n + (comma ? 1 : 0);
        if (!word.n) continue;
        unsigned found = groups_of(word);
        if (!found)
            return cc_error_set(err, CC_VALIDATION, "%s: unknown group or preset '%.*s'; valid: %s", from, (int)(word.n > 60 ? 60 : word.n),
                                word.p, cc_selection_words());
        chosen |= found;
    }
    if (!chosen) chosen = groups_of(CC_STR("full")); // unset, empty or only commas
    for (unsigned g = 0; g < CC_GROUPS; g++) out->group[g] = chosen & BIT(g);
    return 0;
}
