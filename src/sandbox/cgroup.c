// A cgroup (v2) for each step of a run, where whoever starts the server has delegated a subtree to it: the kernel then counts and limits
// all that a program holds, its own memory included. Adopted once by the process that starts all others, before it starts any (cli), and
// left by the one that ends last (the spawner); a step's is made and removed by the launcher (run) and read by init. Owns the directories
// codecalc-* of that one cgroup. Never touches another's: a cgroup that others are in as well, or that was not delegated, is left as it is.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/inside.h"

#define OURS "codecalc-"
#define RUN  OURS "run-"

static struct {
    char path[PATH_MAX];      // of the delegated cgroup; empty = none
    char leaf[PATH_MAX + 32]; // in it, where the server and its jobs are: one that is divided may have no processes of its own
    bool divided;             // by us
    const char *why;
    bool mendable; // by another way of starting
} base = {.why = "not looked for"};

const char *cc_cgroup_reason(const char **remedy) {
    *remedy = base.mendable
                  ? "have the client start codecalc in a cgroup of its own: systemd-run --user --scope -q -p Delegate=yes codecalc"
                  : NULL;
    return base.path[0] ? NULL : base.why;
}

// ---- small files ----

static int open_in(const char *dir, const char *name, int flags) {
    char path[PATH_MAX + 64];
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path) return errno = ENAMETOOLONG, -1;
    return open(path, flags | O_CLOEXEC);
}

static int write_in(const char *dir, const char *name, const char *text) {
    CC_CLEANUP_FD int fd = open_in(dir, name, O_WRONLY);
    return fd < 0 ? -1 : write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

static ssize_t read_fd(int fd, char *into, size_t size) {
    ssize_t n = fd < 0 ? -1 : read(fd, into, size - 1);
    into[n > 0 ? n : 0] = 0;
    return n;
}

// True when a file that lists words has this one.
static bool has_word(const char *dir, const char *name, const char *word) {
    CC_CLEANUP_FD int fd = open_in(dir, name, O_RDONLY);
    char text[512];
    if (read_fd(fd, text, sizeof text) <= 0) return false;
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n)
        if ((at == text || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\n' || !at[n])) return true;
    return false;
}

static int write_pid(const char *dir) {
    char number[16];
    snprintf(number, sizeof number, "%d", (int)getpid());
    return write_in(dir, "cgroup.procs", number);
}

// ---- where we are ----

// The part of a line of /proc/self/mountinfo up to the next space, ended there; *at moves behind it.
static char *next_field(char **at) {
    char *field = *at;
    *at += strcspn(*at, " ");
    if (**at) *(*at)++ = 0;
    return field;
}

// The directory of this process's own cgroup in the unified hierarchy. False when there is none.
static bool find_own(char *into, size_t size) {
    FILE *f = fopen("/proc/self/cgroup", "re");
    char line[PATH_MAX + 256], own[PATH_MAX] = "";
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::", 3) == 0) snprintf(own, sizeof own, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
    if (f) fclose(f);
    if (own[0] != '/' || strncmp(own, "/..", 3) == 0) return false; // outside of what this cgroup namespace shows
    bool found = false;
    f = fopen("/proc/self/mountinfo", "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        char *kind = strstr(line, " - cgroup2 ");
        if (!kind) continue;
        *kind = 0;
        char *at = line;
        for (int i = 0; i < 3; i++) next_field(&at);
        const char *root = next_field(&at), *point = next_field(&at);
        size_t n = strcmp(root, "/") == 0 ? 0 : strlen(root);
        if (strncmp(own, root, n) != 0 || (own[n] && own[n] != '/')) continue;
        found = snprintf(into, size, "%s%s", point, strcmp(own + n, "/") ? own + n : "") < (int)size;
    }
    if (f) fclose(f);
    return found;
}

// Whether it is ours to divide. Owning it says so; root owns all, so there systemd's mark must be on it, or it must be the root of a
// container, whose processes have nothing above them.
static bool is_delegated(const char *dir) {
    struct stat st;
    if (stat(dir, &st)) return false;
    if (geteuid() != 0) return st.st_uid == geteuid() && access(dir, W_OK) == 0;
    char mark[4] = "";
    if (getxattr(dir, "trusted.delegate", mark, sizeof mark) == 1 && mark[0] == '1') return true;
    if (getxattr(dir, "user.delegate", mark, sizeof mark) == 1 && mark[0] == '1') return true;
    CC_CLEANUP_FD int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    char text[1024];
    read_fd(fd, text, sizeof text);
    return strstr(text, "0::/\n") && access("/run/systemd/system", F_OK) != 0;
}

// ---- dividing it ----

// What has ended counts until it is reaped: a moment.
static void remove_when_empty(const char *path) {
    for (int i = 0; rmdir(path) && errno == EBUSY && i < 200; i++) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void end_and_remove(const char *path) {
    // Before Linux 5.14 there is no such file; init has ended what was in there.
    if (write_in(path, "cgroup.kill", "1") && errno != ENOENT) cc_log(CC_LOG_WARN, "%s: %s", path, strerror(errno));
    remove_when_empty(path);
}

// Removes what launchers that are gone have left; with all, what any has.
static void remove_stale(bool all) {
    DIR *d = opendir(base.path);
    if (!d) return;
    for (const struct dirent *e; (e = readdir(d));) {
        if (strncmp(e->d_name, OURS, sizeof OURS - 1) != 0) continue;
        const char *number = e->d_name + strcspn(e->d_name, "0123456789");
        long pid = strtol(number, NULL, 10);
        bool lives = pid > 0 && (kill((pid_t)pid, 0) == 0 || errno != ESRCH);
        char path[PATH_MAX + 256];
        snprintf(path, sizeof path, "%s/%s", base.path, e->d_name);
        if ((!lives || all) && strcmp(path, base.leaf) != 0) end_and_remove(path);
    }
    closedir(d);
}

static const char *divide(void) {
    snprintf(base.leaf, sizeof base.leaf, "%s/" OURS "server-%d", base.path, (int)getpid());
    if (mkdir(base.leaf, 0755) && errno != EEXIST) return "the cgroup cannot be divided";
    if (write_pid(base.leaf)) return rmdir(base.leaf), "the cgroup cannot be divided";
    if (has_word(base.path, "cgroup.subtree_control", "memory") && has_word(base.path, "cgroup.subtree_control", "pids")) return NULL;
    if (write_in(base.path, "cgroup.subtree_control", "+memory +pids") == 0) return base.divided = true, NULL;
    if (write_pid(base.path) == 0) rmdir(base.leaf);
    return "other programs are in the same cgroup";
}

void cc_cgroup_adopt(void) {
    if (!find_own(base.path, sizeof base.path))
        base.why = "there is no unified cgroup hierarchy";
    else if (!has_word(base.path, "cgroup.controllers", "memory") || !has_word(base.path, "cgroup.controllers", "pids"))
        base.why = "the cgroup has no memory and pids controllers";
    else if (!is_delegated(base.path))
        base.why = "the cgroup was not delegated to this user";
    else {
        remove_stale(false);
        base.why = divide();
    }
    if (base.why) base.path[0] = 0;
    base.mendable = base.why && access("/run/systemd/system", F_OK) == 0;
}

bool cc_cgroup_is_ours(void) { return base.path[0]; }

// The only one in the leaf?
static bool is_last(void) {
    char text[64], number[16];
    CC_CLEANUP_FD int fd = open_in(base.leaf, "cgroup.procs", O_RDONLY);
    snprintf(number, sizeof number, "%d\n", (int)getpid());
    return read_fd(fd, text, sizeof text) <= 0 || strcmp(text, number) == 0;
}

void cc_cgroup_leave(void) {
    if (!base.path[0]) return;
    for (int i = 0; !is_last() && i < 400; i++) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    remove_stale(true);
    if (base.divided && write_in(base.path, "cgroup.subtree_control", "-memory -pids")) return;
    if (write_pid(base.path) == 0) remove_when_empty(base.leaf);
}

// ---- one step's ----

int cc_cgroup_make(uint64_t memory, uint32_t processes, cc_cgroup *out) {
    static unsigned serial;
    char path[PATH_MAX + 64], number[32];
    if (!base.path[0] || !memory) return -1;
    if (!serial) remove_stale(false);
    *out = (cc_cgroup){.dir = -1, .procs = -1, .serial = ++serial};
    snprintf(path, sizeof path, "%s/" RUN "%d-%u", base.path, (int)getpid(), out->serial);
    if (mkdir(path, 0755)) return -1;
    out->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    out->procs = open_in(path, "cgroup.procs", O_WRONLY);
    snprintf(number, sizeof number, "%llu", (unsigned long long)memory);
    int failed = out->dir < 0 || out->procs < 0 || write_in(path, "memory.max", number) || write_in(path, "memory.oom.group", "1");
    // A kernel without swap has no limit for it.
    if (!failed && write_in(path, "memory.swap.max", "0")) failed = errno != ENOENT;
    snprintf(number, sizeof number, "%u", processes);
    if (!failed) failed = write_in(path, "pids.max", number);
    if (!failed) return 0;
    cc_cgroup_remove(out);
    return -1;
}

void cc_cgroup_remove(cc_cgroup *g) {
    char path[PATH_MAX + 64];
    if (!g->serial) return;
    snprintf(path, sizeof path, "%s/" RUN "%d-%u", base.path, (int)getpid(), g->serial);
    end_and_remove(path);
    cc_fd_close(&g->dir);
    cc_fd_close(&g->procs);
    g->serial = 0;
}

uint64_t cc_cgroup_number(int dir, const char *name, const char *key) {
    char text[1024];
    CC_CLEANUP_FD int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (read_fd(fd, text, sizeof text) <= 0) return 0;
    const char *at = text;
    if (key) {
        size_t n = strlen(key);
        while (strncmp(at, key, n) != 0 || at[n] != ' ') {
            at = strchr(at, '\n');
            if (!at++) return 0;
        }
        at += n;
    }
    return strtoull(at, NULL, 10);
}
