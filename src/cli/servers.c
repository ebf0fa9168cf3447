// Finds running servers by their spawners, and what they hold in memory, also in what they keep ready. Called by status. Owns nothing.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/servers.h"
#include "codecalc/sandbox.h"

#define PROCESSES_MAX 65536

typedef struct table {
    cc_proc_stat *p;
    size_t n;
} table;

static int read_all(cc_arena *a, int proc, table *t, cc_error *err) {
    CC_CLEANUP_FD int again = fcntl(proc, F_DUPFD_CLOEXEC, 3);
    DIR *d = again < 0 ? NULL : fdopendir(again);
    if (!d) return cc_error_errno(err, "cannot read /proc");
    cc_fd_steal(&again);
    size_t room = 0;
    for (struct dirent *e; (e = readdir(d)) && t->n < PROCESSES_MAX;) {
        if (atoi(e->d_name) <= 0) continue;
        if (t->n == room) {
            cc_proc_stat *more = CC_ARENA_ARRAY(a, cc_proc_stat, room * 2 + 256);
            if (t->n) memcpy(more, t->p, t->n * sizeof *more);
            t->p = more;
            room = room * 2 + 256;
        }
        t->n += cc_read_stat(proc, e->d_name, &t->p[t->n]);
    }
    closedir(d);
    return 0;
}

static const cc_proc_stat *find(const table *t, int pid) {
    for (size_t i = 0; i < t->n; i++)
        if (t->p[i].pid == pid) return &t->p[i];
    return NULL;
}

static bool is_below(const table *t, const cc_proc_stat *p, int root) {
    for (unsigned depth = 0; p && depth < 64; depth++, p = find(t, p->ppid))
        if (p->pid == root) return true;
    return false;
}

// Whose it is. What cannot be dumped belongs to root in /proc, but for what stands in its status.
static bool is_ours(int proc, pid_t pid) {
    char path[32], text[2048];
    snprintf(path, sizeof path, "%d/status", (int)pid);
    CC_CLEANUP_FD int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    const char *uid = strstr(text, "\nUid:");
    return uid && (geteuid() == 0 || strtoul(uid + 5, NULL, 10) == getuid());
}

// Stopped before it was given a program: its init says so by its name.
static bool is_waiting(const table *t, const cc_proc_stat *p) {
    const cc_proc_stat *init = find(t, p->ppid);
    return p->state == 'T' && init && !strcmp(init->name, "cc-waiting");
}

static void describe(cc_arena *a, int proc, const table *t, cc_server *s) {
    s->waiting = CC_ARENA_ARRAY(a, cc_waiting_interpreter, t->n);
    for (size_t i = 0; i < t->n; i++) {
        const cc_proc_stat *p = &t->p[i];
        if (!is_below(t, p, s->pid)) continue;
        uint64_t kb = cc_read_pss(proc, p->pid, p->rss_pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024);
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
        const cc_proc_stat *spawner = &t.p[i], *server = find(&t, spawner->ppid);
        if (strcmp(spawner->name, "cc-spawner") != 0 || !server || server->pid == getpid()) continue;
        if (!is_ours(proc, server->pid)) continue;
        cc_server *s = &(*out)[(*n)++];
        *s = (cc_server){.pid = server->pid};
        describe(a, proc, &t, s);
    }
    return 0;
}
