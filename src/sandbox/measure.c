// How much the processes of a sandbox use, and ending those that nothing else reaches, by reading /proc. Called by step.c every few
// milliseconds, so it allocates nothing and reads one small file a process where that is enough. Owns nothing.
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/inside.h"

enum { MAX_PROCESSES = 8192 }; // more than any limit lets live; what is beyond is not seen

static ssize_t read_small(int proc, const char *pid, const char *name, char *into, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", pid, name);
    CC_CLEANUP_FD int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    ssize_t n = read(fd, into, size - 1);
    if (n >= 0) into[n] = 0;
    return n;
}

bool cc_read_stat(int proc, const char *pid, cc_proc_stat *out) {
    char text[1024];
    if (read_small(proc, pid, "stat", text, sizeof text) <= 0) return false;
    *out = (cc_proc_stat){.pid = (pid_t)strtol(text, NULL, 10)};
    const char *name = strchr(text, '('), *p = strrchr(text, ')'); // the name between them may hold anything
    if (!name || !p || !p[1]) return false;
    size_t n = (size_t)(p - name - 1);
    memcpy(out->name, name + 1, n < sizeof out->name ? n : sizeof out->name - 1); // the kernel keeps no more
    p += 2;
    out->state = *p++;
    for (int field = 4; *p; field++) { // numbered as in proc(5)
        char *end;
        uint64_t v = strtoull(p, &end, 10);
        if (end == p) break;
        p = end;
        switch (field) {
        case 4: out->ppid = (pid_t)v; break;
        case 14:
        case 15: out->own_ticks += v, out->cpu_ticks += v; break;
        case 16:
        case 17: out->cpu_ticks += v; break; // its own and that of children it has waited for
        case 20: out->threads = v; break;
        case 22: out->began = v; break;
        case 24: out->rss_pages = v; break;
        case 48: out->arg_start = v; break;
        case 49: out->arg_end = v; break;
        case 50: out->env_start = v; break;
        case 51: out->env_end = v; break;
        default: break;
        }
    }
    return true;
}

uint64_t cc_read_pss(int proc, pid_t pid, uint64_t otherwise) {
    char number[16], text[1024];
    snprintf(number, sizeof number, "%d", (int)pid);
    if (read_small(proc, number, "smaps_rollup", text, sizeof text) <= 0) return otherwise;
    const char *at = strstr(text, "\nPss:");
    return at ? strtoull(at + 5, NULL, 10) : otherwise;
}

static cc_proc_stat table[MAX_PROCESSES]; // init is single-threaded, and a process of its own for each sandbox

// Reads every process; returns how many.
static size_t read_table(int proc) {
    CC_CLEANUP_FD int fd = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return 0;
    size_t n = 0;
    _Alignas(8) char buffer[8192];
    ssize_t got;
    while ((got = getdents64(fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *d = (const struct dirent64 *)(const void *)(buffer + at);
            at += d->d_reclen;
            if (isdigit((unsigned char)d->d_name[0]) && n < MAX_PROCESSES && cc_read_stat(proc, d->d_name, &table[n])) n++;
        }
    }
    return n;
}

// Moves the descendants of self to the front and returns their number.
static size_t keep_descendants(size_t n, pid_t self) {
    size_t kept = 0;
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = kept; i < n; i++) {
            bool mine = table[i].ppid == self;
            for (size_t j = 0; j < kept && !mine; j++) mine = table[i].ppid == table[j].pid;
            if (!mine) continue;
            cc_proc_stat t = table[i];
            table[i] = table[kept];
            table[kept++] = t;
            more = true;
        }
    }
    return kept;
}

static size_t keep_others(size_t n, pid_t self) {
    for (size_t i = 0; i < n; i++)
        if (table[i].pid == self) {
            table[i] = table[n - 1];
            return n - 1;
        }
    return n;
}

// The CPU of all processes that were ever seen, in ticks, those that have gone included: a parent that ignores SIGCHLD never gets it.
// Never too high: what is missing from the table though it lives (its parent ended while the table was read) is kept, not added again.
static uint64_t seen_ticks(int proc, size_t n) {
    static struct seen {
        pid_t pid;
        uint64_t began, ticks;
    } before[MAX_PROCESSES];
    static size_t n_before;
    static uint64_t gone;
    uint64_t living = 0;
    size_t kept = 0;
    for (size_t i = 0; i < n_before; i++) {
        size_t j = 0;
        while (j < n && (table[j].pid != before[i].pid || table[j].began != before[i].began)) j++;
        if (j < n) continue;
        char pid[16];
        struct stat st;
        snprintf(pid, sizeof pid, "%d", (int)before[i].pid);
        if (fstatat(proc, pid, &st, 0))
            gone += before[i].ticks;
        else
            living += before[i].ticks, before[kept++] = before[i];
    }
    for (size_t i = 0; i < n && kept < MAX_PROCESSES; i++) {
        before[kept++] = (struct seen){table[i].pid, table[i].began, table[i].own_ticks};
        living += table[i].own_ticks;
    }
    n_before = kept;
    return gone + living;
}

void cc_measure(int proc, pid_t self, bool whole_namespace, uint64_t care_kb, cc_usage *out) {
    uint64_t page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024, tick_ms = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    size_t n = read_table(proc);
    n = whole_namespace ? keep_others(n, self) : keep_descendants(n, self);
    *out = (cc_usage){.processes = (unsigned)n, .seen_ms = seen_ticks(proc, n) * tick_ms};
    for (size_t i = 0; i < n; i++) {
        out->memory_kb += table[i].rss_pages * page_kb;
        out->cpu_ms += table[i].cpu_ticks * tick_ms;
    }
    if (n < 2 || out->memory_kb <= care_kb) return;
    out->memory_kb = 0;
    for (size_t i = 0; i < n; i++) out->memory_kb += cc_read_pss(proc, table[i].pid, table[i].rss_pages * page_kb);
}

bool cc_sweep(int proc, pid_t self, int64_t until_ns) {
    // Stopping all first keeps a fork bomb from outrunning the sweep.
    for (;;) {
        size_t n = keep_descendants(read_table(proc), self), living = 0;
        for (size_t i = 0; i < n; i++)
            if (table[i].state != 'Z') kill(table[i].pid, SIGSTOP);
        for (size_t i = 0; i < n; i++)
            if (table[i].state != 'Z') living++, kill(table[i].pid, SIGKILL);
        if (!living) return true;
        if (cc_now_ns() > until_ns) return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

unsigned cc_count_tasks(int proc) {
    uid_t me = getuid();
    uint64_t tasks = 0;
    size_t n = read_table(proc);
    for (size_t i = 0; i < n; i++) {
        char pid[16];
        struct stat st;
        snprintf(pid, sizeof pid, "%d", (int)table[i].pid);
        if (fstatat(proc, pid, &st, 0) == 0 && st.st_uid == me) tasks += table[i].threads;
    }
    return (unsigned)tasks;
}
