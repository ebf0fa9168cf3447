// What whoever starts the server allows programs: the network, how much memory at most, with how little isolation, as whom. Called by
// execute.c, plan.c, the tools and doctor. Reads the settings; owns nothing. Nothing that a call says can widen it.
#include <stdlib.h>
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

int cc_policy_require(cc_isolation level, const cc_sandbox_level *why, cc_error *err) {
    const char *required = cc_settings_get()->require_isolation;
    cc_isolation least;
    if (!cc_isolation_required(required, &least)) {
        cc_error_set(err, CC_PERMISSION_DENIED, "CODECALC_REQUIRE_ISOLATION: '%.60s' is not known", required);
        return cc_error_remedy(err, "whoever runs the server sets it to full or restricted");
    }
    if (level >= least) return 0;
    cc_error_set(err, CC_PERMISSION_DENIED, "CODECALC_REQUIRE_ISOLATION=%s, and this machine gives less: %s", required, why->reason);
    return cc_error_remedy(err, "%s", why->remedy);
}

int cc_policy_guest_base(uint32_t *out, cc_error *err) {
    const char *text = cc_settings_get()->guest_uid_base;
    char *end;
    unsigned long base = strtoul(text, &end, 10);
    *out = (uint32_t)base;
    if (!*text) return 0;
    // Pids go up to 2^22 and are added to it; ids from 2^31 on are negative to some programs.
    if (!*end && *text != '-' && base >= 1000 && base <= 0x7fffffff - (1 << 22)) return 0;
    cc_error_set(err, CC_PERMISSION_DENIED, "CODECALC_GUEST_UID_BASE: '%.40s' is not a number from 1000 to 2143289343", text);
    return cc_error_remedy(err, "whoever runs the server corrects it or takes it away");
}

int cc_run_check_provider(cc_str name, cc_error *err) {
    const char *by_default = cc_settings_get()->provider;
    if (name.n && !cc_str_eqz(name, "local")) {
        cc_str shown = cc_utf8_prefix(name, 60);
        cc_error_set(err, CC_VALIDATION, "provider: there is no '%.*s'", (int)shown.n, shown.p);
        return cc_error_remedy(err, "leave it out, or 'local'");
    }
    if (!name.n && strcmp(by_default, "local") != 0) {
        cc_error_set(err, CC_VALIDATION, "provider: the host's CODECALC_EXECUTION_PROVIDER is '%.60s', which does not exist", by_default);
        return cc_error_remedy(err, "pass provider 'local'; or whoever runs the server takes the variable away");
    }
    return 0;
}

int cc_run_possible(const cc_sandbox_level *here, cc_error *err) {
    uint32_t base;
    return cc_policy_require(here->level, here, err) || cc_policy_check(here->level, false, err) || cc_policy_guest_base(&base, err) ? -1
                                                                                                                                     : 0;
}

unsigned cc_run_memory_ceiling_mb(const char **whose) {
    long set = cc_settings_get()->max_memory_mb, pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page >> 20 : UINT32_MAX;
    bool by_host = set && (uint64_t)set < machine;
    *whose = by_host ? "CODECALC_MAX_MEMORY_MB" : "the memory of this machine";
    uint64_t ceiling = by_host ? (uint64_t)set : machine;
    return ceiling > UINT32_MAX ? UINT32_MAX : ceiling ? (unsigned)ceiling : 1;
}
