// Which level of isolation this machine gives to this user, why not more, and what to do about it. Called by src/run when full isolation
// fails, and by the command line (doctor). Owns the remembered answer.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sandbox/inside.h"

const cc_gap cc_gaps[] = {
    {CC_GAP_FILES, "filesystem_isolation", "programs see the files of this machine, and can change yours"},
    {CC_GAP_METADATA, "host_metadata",
     "programs can ask whether a file or process of this machine exists, how large and old it is, and what the machine is called"},
    {CC_GAP_PROCESSES, "process_isolation", "programs see the processes of this machine, and can signal yours"},
    {CC_GAP_DISK, "disk_limit", "programs can fill the disk"},
    {CC_GAP_SECCOMP, "seccomp", "system calls are not filtered"},
    {CC_GAP_NETWORK, "no_net", "the network cannot be closed off"},
    {CC_GAP_PROCESS_TREE, "process_tree", "a program that kills its supervisor can leave processes behind"},
    {CC_GAP_PROCESS_LIMIT, "process_limit", "the number of processes is shared with what else you run"},
    {CC_GAP_USER_NAMESPACE, "user_namespace", "no user namespace (everything else is there)"},
    {CC_GAP_SHARED_MEMORY, "memory_shared", "shared memory segments are not counted"},
    {CC_GAP_KERNEL_MEMORY, "kernel_memory", "what the kernel holds for programs (pipes, sockets) is not counted"},
    {CC_GAP_CRASHES, "crash_handler", "a program that crashes starts this machine's program for core dumps, outside of the sandbox"},
    {0, NULL, NULL},
};

bool cc_isolation_required(const char *word, cc_isolation *out) {
    *out = CC_ISOLATION_NONE;
    if (!*word) return true;
    for (cc_isolation level = CC_ISOLATION_RESTRICTED; level <= CC_ISOLATION_FULL; level++)
        if (strcmp(word, cc_isolation_name(level)) == 0) return *out = level, true;
    return false;
}

bool cc_sandbox_closes_network(cc_isolation level) { return level == CC_ISOLATION_FULL || cc_filter_supported(); }

// The number in a file of /proc/sys, or otherwise.
static long number_in(const char *path, long otherwise) {
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
    char text[32];
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (n <= 0) return otherwise;
    text[n] = 0;
    return strtol(text, NULL, 10);
}

static void say(cc_sandbox_level *out, const char *reason, const char *remedy) {
    snprintf(out->reason, sizeof out->reason, "%s", reason);
    snprintf(out->remedy, sizeof out->remedy, "%s", remedy);
}

void cc_sandbox_explain(cc_isolation level, const cc_report *failed, cc_sandbox_level *out) {
    char text[256];
    if (level < CC_ISOLATION_FULL) {
        size_t n = strlen(out->reason);
        if (failed->error == ENOSYS && strcmp(failed->what, "Landlock") == 0)
            snprintf(out->reason + n, sizeof out->reason - n,
                     "; nor is there Landlock (Linux 6.2 or newer, with landlock in its list of LSMs)");
        else
            snprintf(out->reason + n, sizeof out->reason - n, "; %s: %s", failed->what, strerror(failed->error));
        return;
    }
    bool root = geteuid() == 0, refused = failed->error == EPERM || failed->error == EACCES;
    if (failed->error == ENOSYS) {
        snprintf(text, sizeof text, "this kernel does not have %s", failed->what);
        say(out, text, "use Linux 5.12 or newer; in a container, a seccomp profile that lets new system calls through");
    } else if (!root && number_in("/proc/sys/user/max_user_namespaces", 1) == 0) {
        say(out, "user namespaces are switched off (user.max_user_namespaces is 0)", "sudo sysctl -w user.max_user_namespaces=15000");
    } else if (failed->error == ENOSPC && strcmp(failed->what, "clone") == 0) {
        say(out, "no further user namespace may be made here (the limit of this user or of the nesting is reached)",
            "raise user.max_user_namespaces, or run codecalc outside of the sandbox that it is in");
    } else if (!root && number_in("/proc/sys/kernel/unprivileged_userns_clone", 1) == 0) {
        say(out, "user namespaces are kept from ordinary users (kernel.unprivileged_userns_clone is 0)",
            "sudo sysctl -w kernel.unprivileged_userns_clone=1");
    } else if (!root && refused && number_in("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0) == 1) {
        char self[PATH_MAX];
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        self[n < 0 ? 0 : n] = 0;
        say(out, "AppArmor keeps user namespaces from programs without a profile", "");
        snprintf(out->remedy, sizeof out->remedy,
                 "write 'profile codecalc %.200s flags=(unconfined) { userns, }' to /etc/apparmor.d/codecalc, then: sudo apparmor_parser "
                 "-r /etc/apparmor.d/codecalc",
                 self);
    } else if (refused && strncmp(failed->what, "mount proc", 10) == 0) {
        say(out, "/proc cannot be mounted: parts of it are hidden, as containers do",
            "docker: --security-opt systempaths=unconfined; or run codecalc outside the container");
    } else if (refused && strcmp(failed->what, "clone") == 0) {
        say(out,
            root ? "namespaces are refused to this root user (no CAP_SYS_ADMIN, or a seccomp profile)"
                 : "namespaces are refused (a container's seccomp profile?)",
            root ? "run codecalc as an ordinary user, outside the container, or give the container CAP_SYS_ADMIN"
                 : "docker: --security-opt seccomp=unconfined; or run codecalc outside the container");
    } else if (failed->error == EINVAL && strncmp(failed->what, "setres", 6) == 0) {
        say(out, "the user ids for guests do not exist in this user namespace",
            "set CODECALC_GUEST_UID_BASE to the first of a range of 4194304 unused user ids, or start codecalc as an ordinary user");
    } else {
        snprintf(text, sizeof text, "%s: %s", failed->what, strerror(failed->error));
        say(out, text, "run codecalc doctor as the user that starts it, outside of containers");
    }
}

// Makes a sandbox with nothing to run; true when it came up. *fault says why not.
static bool try_level(cc_isolation level, uint32_t *gaps, cc_report *fault) {
    static const cc_op ops[] = {
        {.kind = CC_OP_BIND, .path = "/usr", .source = "/usr"},
        {.kind = CC_OP_PROC, .path = "/proc"},
        {.kind = CC_OP_DEVICE, .path = "/dev/null", .source = "/dev/null"},
        {.kind = CC_OP_TMPFS, .path = "/box", .size = 1 << 20},
    };
    cc_sandbox_spec spec = {.level = level, .ops = ops, .n_ops = CC_ARRAY_LEN(ops), .cwd = level == CC_ISOLATION_FULL ? "/box" : NULL};
    cc_sandbox s;
    if (cc_sandbox_start(&spec, &s, fault)) return false;
    bool up = false;
    int64_t until = cc_now_ms() + 5000;
    for (int got = 0; got >= 0 && cc_now_ms() < until;) {
        struct pollfd on = {.fd = s.reports, .events = POLLIN};
        poll(&on, 1, 100);
        cc_report r;
        while ((got = cc_sandbox_next(&s, &r)) > 0) {
            if (r.kind == CC_REPORT_READY) up = true, *gaps = r.gaps;
            if (r.kind == CC_REPORT_FAILED) *fault = r;
        }
    }
    cc_sandbox_finish(&s);
    return up;
}

// What a cgroup would hold is no gap where one can be had; the probe itself has nothing to put in one.
static void count_cgroup(cc_sandbox_level *known) {
    const char *remedy;
    if (known->level < CC_ISOLATION_RESTRICTED || cc_cgroup_reason(&remedy)) return;
    known->gaps &= ~(uint32_t)(CC_GAP_KERNEL_MEMORY | CC_GAP_PROCESS_LIMIT);
}

static void find_level(cc_sandbox_level *known) {
    cc_report fault = {.error = EIO, .what = "the sandbox ended without a word"};
    if (try_level(CC_ISOLATION_FULL, &known->gaps, &fault)) {
        known->level = CC_ISOLATION_FULL;
        if (known->gaps & CC_GAP_USER_NAMESPACE)
            say(known, "user namespaces are switched off; guests run as an unused user instead",
                "sudo sysctl -w user.max_user_namespaces=15000");
        return;
    }
    cc_sandbox_explain(CC_ISOLATION_FULL, &fault, known);
    for (cc_isolation level = CC_ISOLATION_RESTRICTED; level > CC_ISOLATION_NONE && !known->level; level--) {
        if (try_level(level, &known->gaps, &fault))
            known->level = level;
        else
            cc_sandbox_explain(level, &fault, known);
    }
}

const cc_sandbox_level *cc_sandbox_probe(void) {
    static cc_sandbox_level known;
    static bool done;
    if (done) return &known;
    done = true;
    find_level(&known);
    count_cgroup(&known);
    return &known;
}
