// Finds running servers by their spawners, and what they hold in memory, also in what they keep ready. Called by status. Owns nothing.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/servers.h"

#define PROCESSES_MAX 65536

typedef struct process {
    int pid, parent;
    char state, name[17];
} process;

typedef struct table {
    process *p;
    size_t n;
} table;

// At most n - 1 bytes of a file of a process, ended by a NUL. False when there is none.
static bool read_file(int proc, int pid, const char *name, char *text, size_t n) {
    char path[64];
    snprintf(path, sizeof path, "%d/%s", pid, name);
    CC_CLEANUP_FD int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, n - 1);
    if (got <= 0) return false;
    text[got] = 0;
    return true;
}

static bool read_process(int proc, int pid, process *out) {
    char text[512];
    if (!read_file(proc, pid, "stat", text, sizeof text)) return false;
    char *open = strchr(text, '('), *close = strrchr(text, ')'); // the name may hold both
    if (!open || !close) return false;
    *close = 0;
    *out = (process){.pid = pid};
    snprintf(out->name, sizeof out->name, "%s", open + 1);
    return sscanf(close + 1, " %c %d", &out->state, &out->parent) == 2;
}

static int read_all(cc_arena *a, int proc, table *t, cc_error *err) {
    CC_CLEANUP_FD int again = fcntl(proc, F_DUPFD_CLOEXEC, 3);
    DIR *d = again < 0 ? NULL : fdopendir(again);
    if (!d) return cc_error_errno(err, "cannot read /proc");
    cc_fd_steal(&again);
    size_t room = 0;
    for (struct dirent *e; (e = readdir(d)) && t->n < PROCESSES_MAX;) {
        int pid = atoi(e->d_name);
        if (pid <= 0) continue;
        if (t->n == room) {
            process *more = CC_ARENA_ARRAY(a, process, room * 2 + 256);
            if (t->n) memcpy(more, t->p, t->n * sizeof *more);
            t->p = more;
            room = room * 2 + 256;
        }
        t->n += read_process(proc, pid, &t->p[t->n]);
    }
    closedir(d);
    return 0;
}

static const process *find(const table *t, int pid) {
    for (size_t i = 0; i < t->n; i++)
        if (t->p[i].pid == pid) return &t->p[i];
    return NULL;
}

static bool is_below(const table *t, const process *p, int root) {
    for (unsigned depth = 0; p && depth < 64; depth++, p = find(t, p->parent))
        if (p->pid == root) return true;
    return false;
}

static uint64_t memory_kb(int proc, int pid) {
    char text[1024];
    const char *pss = read_file(proc, pid, "smaps_rollup", text, sizeof text) ? strstr(text, "\nPss:") : NULL;
    if (pss) return strtoull(pss + 5, NULL, 10);
    unsigned long long size, resident;
    if (!read_file(proc, pid, "statm", text, sizeof text) || sscanf(text, "%llu %llu", &size, &resident) != 2) return 0;
    return resident * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

// Stopped before it was given a program: its init says so by its name.
static bool is_waiting(const table *t, const process *p) {
    const process *init = find(t, p->parent);
    return p->state == 'T' && init && !strcmp(init->name, "cc-waiting");
}

static void describe(cc_arena *a, int proc, const table *t, cc_server *s) {
    s->waiting = CC_ARENA_ARRAY(a, cc_waiting_interpreter, t->n);
    for (size_t i = 0; i < t->n; i++) {
        const process *p = &t->p[i];
        if (!is_below(t, p, s->pid)) continue;
        uint64_t kb = memory_kb(proc, p->pid);
        s->processes++;
        s->kb += kb;
        if (is_waiting(t, p)) s->waiting[s->n_waiting++] = (cc_waiting_interpreter){cc_arena_strdup(a, p->name), kb};
    }
}

int cc_servers_find(cc_arena *a, cc_server **out, size_t *n, cc_error *err) {
    CC_CLEANUP_FD int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) return cc_error_errno(err, "cannot open /proc");
    table t = {0};
    if (read_all(a, proc, &t, err)) return -1;
    *out = CC_ARENA_ARRAY(a, cc_server, t.n + 1);
    *n = 0;
    for (size_t i = 0; i < t.n; i++) {
        const process *spawner = &t.p[i], *server = find(&t, spawner->parent);
        if (strcmp(spawner->name, "cc-spawner") != 0 || !server || server->pid == getpid()) continue;
        // What cannot be dumped belongs to root in /proc: whose it is stands in its status.
        char status[2048];
        const char *uid = read_file(proc, server->pid, "status", status, sizeof status) ? strstr(status, "\nUid:") : NULL;
        if (!uid || (geteuid() != 0 && strtoul(uid + 5, NULL, 10) != getuid())) continue;
        cc_server *s = &(*out)[(*n)++];
        *s = (cc_server){.pid = server->pid};
        describe(a, proc, &t, s);
    }
    return 0;
}
