// How much the processes of a sandbox use, and ending those that nothing else reaches, by reading /proc. Called by step.c every few
// milliseconds, so it allocates nothing and reads one small file a process where that is enough. Owns nothing.
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/inside.h"

#define HOLD_NS    50000000LL // what a look may take while the processes run on
#define WORTH_KB   4096       // of files in memory that are mapped, such as the program itself: less is not looked for
#define HOLD_TIMES 4          // or at once, when they would pass the limit so many times if nothing were shared

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
    ssize_t n = read_small(proc, number, "smaps_rollup", text, sizeof text);
    if (n <= 0) return n == 0 || errno == ESRCH || errno == ENOENT ? 0 : otherwise; // the first: it has ended meanwhile
    const char *pss = strstr(text, "\nPss:"), *swap = strstr(text, "\nSwapPss:");   // a program can push out what it holds
    return pss ? strtoull(pss + 5, NULL, 10) + (swap ? strtoull(swap + 9, NULL, 10) : 0) : otherwise;
}

// Whether anything at all has been swapped out on this machine: else nobody needs to be asked.
static bool is_swapping(void) {
    struct sysinfo machine;
    return sysinfo(&machine) == 0 && machine.totalswap > machine.freeswap;
}

// A line of <pid>/status, as "\nVmSwap:".
static uint64_t status_kb(int proc, pid_t pid, const char *line) {
    char number[16], text[4096];
    snprintf(number, sizeof number, "%d", (int)pid);
    if (read_small(proc, number, "status", text, sizeof text) <= 0) return 0;
    const char *at = strstr(text, line);
    return at ? strtoull(at + strlen(line), NULL, 10) : 0;
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

// Moves all but self to the front and returns their number.
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

static size_t read_family(const cc_family *of) {
    size_t n = read_table(of->proc);
    return of->whole_namespace ? keep_others(n, of->self) : keep_descendants(n, of->self);
}

// ---- holding processes ----

typedef struct pid_list {
    pid_t pids[MAX_PROCESSES];
    size_t n;
} pid_list;

// True when it was not there yet.
static bool add_pid(pid_list *l, pid_t pid) {
    for (size_t i = 0; i < l->n; i++)
        if (l->pids[i] == pid) return false;
    if (l->n == MAX_PROCESSES) return false;
    l->pids[l->n++] = pid;
    return true;
}

static pid_list held;

// Stops every process that runs, those that are being made meanwhile as well, and reads the table of what then stands still.
static size_t hold(const cc_family *of) {
    for (;;) {
        size_t n = read_family(of), more = 0;
        for (size_t i = 0; i < n; i++) {
            bool runs = table[i].state != 'Z' && table[i].state != 'T' && table[i].state != 't'; // what stopped itself stays so
            if (runs && add_pid(&held, table[i].pid) && kill(table[i].pid, SIGSTOP) == 0) more++;
        }
        if (!more) return n;
    }
}

static void let_go(void) {
    while (held.n) kill(held.pids[--held.n], SIGCONT); // whom they belong to last, who may look at them
}

// ---- measuring ----

// What processes hold together, each page that they share once. That takes long where many share much, and each can make it its own
// meanwhile: past HOLD_NS, or with `hold_now`, they are stopped until it is done. Ends early, with less than there is, when `wake` has
// something to say.
static uint64_t shared_kb(const cc_family *of, size_t n, uint64_t page_kb, bool hold_now, int wake) {
    static pid_list done;
    struct pollfd said = {.fd = wake, .events = POLLIN};
    uint64_t kb = 0;
    int64_t looked = cc_now_ns();
    bool holding = false, more = true;
    done.n = 0;
    while (more) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            if (hold_now || cc_now_ns() - looked > HOLD_NS) {
                if (poll(&said, 1, 0) > 0) return let_go(), kb;
                if (!holding) kb = done.n = 0; // anew: they have run on
                holding = true;
                hold_now = false;
                n = hold(of);
                i = 0;
                looked = cc_now_ns();
            }
            if (i >= n || !add_pid(&done, table[i].pid)) continue;
            kb += cc_read_pss(of->proc, table[i].pid, table[i].rss_pages * page_kb);
            more = holding;
        }
        if (more) n = hold(of); // what was still being made
    }
    let_go();
    return kb;
}

void cc_measure(const cc_family *of, uint64_t care_kb, uint64_t allowed_kb, int wake, cc_usage *out) {
    uint64_t page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024, tick_ms = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    size_t n = read_family(of);
    bool swapping = is_swapping();
    *out = (cc_usage){.processes = (unsigned)n, .seen_ms = seen_ticks(of->proc, n) * tick_ms};
    for (size_t i = 0; i < n; i++) {
        out->memory_kb += table[i].rss_pages * page_kb + (swapping ? status_kb(of->proc, table[i].pid, "\nVmSwap:") : 0);
        out->cpu_ms += table[i].cpu_ticks * tick_ms;
    }
    if (care_kb && (n < 2 || out->memory_kb <= care_kb)) return;
    out->memory_kb = shared_kb(of, n, page_kb, allowed_kb && out->memory_kb / HOLD_TIMES > allowed_kb, wake);
    if (!allowed_kb || out->memory_kb <= allowed_kb) return;
    // What one that ends meanwhile shared falls to the others, and was counted twice: only what is seen twice is too much.
    uint64_t again = shared_kb(of, n, page_kb, true, wake);
    if (again < out->memory_kb) out->memory_kb = again;
}

// ---- files of the guest's disks, in its memory ----

// Of the lines of one mapping: a number behind its name.
static uint64_t number_of(const char *line, const char *name) {
    size_t n = strlen(name);
    return strncmp(line, name, n) == 0 ? strtoull(line + n, NULL, 10) : 0;
}

// Whether a mapping is shared (what a private one has of its own is no file's) and of one of these devices; its line is "range perms
// offset major:minor inode path".
static bool maps_disk(const char *line, const dev_t *disks, size_t n_disks) {
    const char *perms = strchr(line, ' '), *offset = perms ? strchr(perms + 1, ' ') : NULL,
               *device = offset ? strchr(offset + 1, ' ') : NULL;
    char *minor;
    if (!device || offset - perms != 5 || perms[4] != 's') return false;
    unsigned long major = strtoul(device + 1, &minor, 16);
    if (*minor != ':') return false;
    dev_t dev = makedev((unsigned)major, (unsigned)strtoul(minor + 1, NULL, 16));
    size_t i = 0;
    while (i < n_disks && disks[i] != dev) i++;
    return i < n_disks;
}

static uint64_t mapped_kb(int proc, pid_t pid, const dev_t *disks, size_t n_disks, int64_t until_ns) {
    static char text[65536]; // longer than any line
    char path[32];
    snprintf(path, sizeof path, "%d/smaps", (int)pid);
    CC_CLEANUP_FD int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    bool ours = false;
    uint64_t kb = 0;
    size_t have = 0;
    ssize_t got;
    while (fd >= 0 && cc_now_ns() < until_ns && (got = read(fd, text + have, sizeof text - have)) > 0) {
        have += (size_t)got;
        char *line = text, *end;
        while ((end = memchr(line, '\n', have - (size_t)(line - text)))) {
            *end = 0;
            if (!isupper((unsigned char)*line))
                ours = maps_disk(line, disks, n_disks);
            else if (ours)
                kb += number_of(line, "Pss:") + number_of(line, "SwapPss:");
            line = end + 1;
        }
        have -= (size_t)(line - text);
        memmove(text, line, have);
        if (have == sizeof text) break;
    }
    return kb;
}

uint64_t cc_measure_mapped(const cc_family *of, const int *disks, size_t n_disks) {
    dev_t devices[8];
    size_t n = read_family(of), n_devices = 0;
    uint64_t kb = 0, most_kb = 0;
    int64_t until_ns = cc_now_ns() + HOLD_NS;
    struct stat st;
    for (size_t i = 0; i < n; i++) most_kb += status_kb(of->proc, table[i].pid, "\nRssShmem:");
    if (most_kb < WORTH_KB) return 0;
    for (size_t i = 0; i < n_disks && n_devices < CC_ARRAY_LEN(devices); i++)
        if (fstat(disks[i], &st) == 0) devices[n_devices++] = st.st_dev;
    for (size_t i = 0; i < n && cc_now_ns() < until_ns; i++) kb += mapped_kb(of->proc, table[i].pid, devices, n_devices, until_ns);
    return kb;
}

// ---- ending ----

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
