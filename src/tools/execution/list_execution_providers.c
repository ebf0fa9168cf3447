// list_execution_providers: where programs are run, and what holds there. There is one: this machine. What it says of its isolation was
// tried out, not assumed.
#include "codecalc/run.h"
#include "codecalc/tools.h"

#define INTERFACE_VERSION "1.0.0" // of the provider's description

static const cc_param params[] = {{0}};

static const cc_field fields[] = {
    {"result", "object[]", true,
     "provider_id, provider_version, interface_version, host_class, strict (fully isolated), ready, refused (what setting lets none run), "
     "isolation (level; reason and remedy "
     "when it is not full; unenforced: what no run here can be given), capabilities"},
    {0},
};

static void write_capabilities(cc_jw *w) {
    static const struct {
        const char *name;
        bool there;
    } all[] = {
        {"execute", true},           {"managed_runs", true}, {"inspect", true},         {"stream", true},    {"cancel", true},
        {"cleanup", true},           {"files", true},        {"artifacts", false},      {"sessions", false}, {"health", true},
        {"runtime_discovery", true}, {"workdir", true},      {"network_control", true},
    };
    cc_jw_key(w, "capabilities");
    cc_jw_object(w);
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) cc_jw_kbool(w, all[i].name, all[i].there);
    cc_jw_end_object(w);
}

static int run(cc_call *call, cc_error *err) {
    (void)err;
    const cc_sandbox_level *here = cc_sandbox_probe();
    cc_error refused;
    bool possible = cc_run_possible(here, &refused) == 0;
    cc_jw *w = &call->out;
    cc_jw_key(w, "result");
    cc_jw_array(w);
    cc_jw_object(w);
    cc_jw_kstringz(w, "provider_id", "local");
    cc_jw_kstringz(w, "provider_version", CC_VERSION);
    cc_jw_kstringz(w, "interface_version", INTERFACE_VERSION);
    cc_jw_kstringz(w, "host_class", "local");
    cc_jw_kbool(w, "strict", here->level == CC_ISOLATION_FULL);
    cc_jw_kbool(w, "ready", possible && here->level != CC_ISOLATION_NONE);
    if (!possible) cc_jw_kstringz(w, "refused", refused.msg);
    cc_jw_key(w, "isolation");
    cc_jw_object(w);
    cc_jw_kstringz(w, "level", cc_isolation_name(here->level));
    if (here->level != CC_ISOLATION_FULL) {
        cc_jw_kstringz(w, "reason", here->reason);
        if (here->remedy[0]) cc_jw_kstringz(w, "remedy", here->remedy);
    }
    if (here->gaps) {
        cc_jw_key(w, "unenforced");
        cc_jw_array(w);
        for (const cc_gap *g = cc_gaps; g->bit; g++)
            if (here->gaps & g->bit) cc_jw_string(w, cc_str_of(g->name));
        cc_jw_end_array(w);
    }
    cc_jw_end_object(w);
    write_capabilities(w);
    cc_jw_end_object(w);
    cc_jw_end_array(w);
    return 0;
}

const cc_tool cc_tool_list_execution_providers = {
    .name = "list_execution_providers",
    .group = CC_EXECUTION,
    .title = "List Execution Providers",
    .where = CC_LAUNCHER,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Where programs run, how isolated, what it can do.",
    .params = params,
    .result = fields,
    .run = run,
};
