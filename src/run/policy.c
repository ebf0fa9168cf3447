// What whoever starts the server allows programs: the network, and how much memory at most. Called by execute.c and by the tools. Reads the
// settings; owns nothing. Nothing that a call says can widen it.
#include <unistd.h>

#include "run/run.h"

typedef struct policy {
    bool allow_network, strict;
} policy;

// CODECALC_CAPABILITY_POLICY: words between commas. One that is not known refuses everything: what it was to keep closed is unknown too.
static int read_policy(policy *out, cc_error *err) {
    cc_str text = cc_str_of(cc_settings_get()->capability_policy);
    *out = (policy){0};
    while (text.n) {
        const char *comma = memchr(text.p, ',', text.n);
        cc_str word = cc_str_trim((cc_str){text.p, comma ? (size_t)(comma - text.p) : text.n});
        size_t used = comma ? (size_t)(comma - text.p) + 1 : text.n;
        text.p += used, text.n -= used;
        if (cc_str_eqz(word, "allow-network")) {
            out->allow_network = true;
        } else if (cc_str_eqz(word, "strict")) {
            out->strict = true;
        } else if (word.n && !cc_str_eqz(word, "deny-network")) { // which is how it is anyhow
            cc_error_set(err, CC_PERMISSION_DENIED, "CODECALC_CAPABILITY_POLICY: '%.*s' is not known", (int)(word.n > 60 ? 60 : word.n),
                         word.p);
            return cc_error_remedy(err,
                                   "whoever runs the server sets it to words of deny-network, allow-network, strict, with commas between");
        }
    }
    return 0;
}

bool cc_run_network_allowed(cc_error *err) {
    policy p;
    if (read_policy(&p, err)) return false;
    if (p.allow_network) return true;
    cc_error_set(err, CC_PERMISSION_DENIED, "no_net: false asks for the network, which this server keeps closed");
    cc_error_remedy(err, "leave no_net out; or whoever runs the server sets CODECALC_CAPABILITY_POLICY=allow-network");
    return false;
}

int cc_policy_check(cc_isolation level, bool network, cc_error *err) {
    policy p;
    if (read_policy(&p, err)) return -1;
    if (!p.strict || network || cc_sandbox_closes_network(level)) return 0;
    cc_error_set(err, CC_PERMISSION_DENIED, "CODECALC_CAPABILITY_POLICY=strict, and the network cannot be closed at the level %s here",
                 cc_isolation_name(level));
    return cc_error_remedy(err, "codecalc doctor says how to get more isolation");
}

unsigned cc_run_memory_ceiling_mb(const char **whose) {
    long set = cc_settings_get()->max_memory_mb, pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page >> 20 : UINT32_MAX;
    bool by_host = set && (uint64_t)set < machine;
    *whose = by_host ? "CODECALC_MAX_MEMORY_MB" : "the memory of this machine";
    uint64_t ceiling = by_host ? (uint64_t)set : machine;
    return ceiling > UINT32_MAX ? UINT32_MAX : ceiling ? (unsigned)ceiling : 1;
}
