// One step of a sandbox, from the clone of its process to its last report: limits, what the process becomes, an interpreter that waits
// for its program, measuring, the end of everything that it started. Called by init.c in pid 1 of the sandbox; owns the step's processes.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/inside.h"

#define SAMPLE_MS   25          // how often the tree is measured
#define SAMPLE_COST 10          // a measurement may take a tenth of the time, unless what is left of the limit is filled before:
#define FILL_KB_MS  4096        // so fast by each core
#define SIGNALS     1024        // that may wait, with timers
#define TOLD_MAX    (32u << 10) // bytes that a driver may leave in a file: fewer than a pipe holds, so that writing never waits

static int limit(pid_t pid, int resource, uint64_t soft, uint64_t hard, cc_report *fault) {
    struct rlimit old, r = {soft, hard};
    if (prlimit(pid, resource, NULL, &old) == 0 && old.rlim_max < r.rlim_max) { // what the host limits already stays
        r.rlim_max = old.rlim_max;
        if (r.rlim_cur > r.rlim_max) r.rlim_cur = r.rlim_max;
    }
    return prlimit(pid, resource, &r, NULL) ? cc_inside_fail(fault, "prlimit") : 0;
}

// Of a process, 0 being this one.
static int apply_limits(const cc_init *s, const cc_step_limits *l, pid_t pid, cc_report *fault) {
    // No core dump: where the machine has a program for them (systemd-coredump, apport), the kernel starts it outside, as root, for every
    // limit but 1, which is too small for a file as well. The filter keeps the program from setting another.
    if (limit(pid, RLIMIT_CORE, 1, 1, fault)) return -1;
    if (limit(pid, RLIMIT_FSIZE, l->file_size, l->file_size, fault)) return -1;
    if (limit(pid, RLIMIT_NOFILE, l->files, l->files, fault)) return -1;
    if (limit(pid, RLIMIT_STACK, l->stack, l->stack, fault)) return -1;
    if (limit(pid, RLIMIT_MSGQUEUE, 0, 0, fault)) return -1;
    if (limit(pid, RLIMIT_MEMLOCK, 65536, 65536, fault)) return -1;
    // Signals that wait, and timers: what the guest has of these counts as its user's outside, too.
    if (limit(pid, RLIMIT_SIGPENDING, SIGNALS, SIGNALS, fault)) return -1;
    // Whoever starts the server may be allowed to go before everybody else.
    if (limit(pid, RLIMIT_RTPRIO, 0, 0, fault) || limit(pid, RLIMIT_NICE, 0, 0, fault)) return -1;
    uint64_t cpu = l->process_cpu_s && (!l->cpu_s || l->process_cpu_s < l->cpu_s) ? l->process_cpu_s : l->cpu_s;
    // One second later than init, which measures finer than the kernel's ticks: a bound that holds when init is late.
    if (cpu && limit(pid, RLIMIT_CPU, cpu + 1, cpu + 2, fault)) return -1;
    if (l->address_space && limit(pid, RLIMIT_AS, l->address_space, l->address_space, fault)) return -1;
    uint64_t tasks = l->processes + s->ambient_tasks;
    return limit(pid, RLIMIT_NPROC, tasks, tasks, fault);
}

// Gives a descriptor the highest number that this process can have, and lets it through the exec: the driver closes it to further ones.
static int move_to_top(int fd) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || dup2(fd, (int)files.rlim_cur - 1) < 0) return -1;
    return close(fd);
}

// Passes on what a driver without a descriptor has left in a file. The directory is the one that was there before the program began.
static void pass_on(int directory, int control) {
    char text[TOLD_MAX];
    CC_CLEANUP_FD int fd = openat(directory, "told", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) return;
    ssize_t n = read(fd, text, sizeof text);
    if (n > 0 && write(control, text, (size_t)n) < 0) errno = 0; // nobody listens any more
}

// A linker makes its output executable by name, which CC_ISOLATION_RESTRICTED refuses: a program in the work directory is made so here.
static int make_executable(const char *path) {
    if (path[0] == '/') return 0;
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink != 1 || st.st_uid != geteuid())
        return 0; // execve says what is wrong
    return st.st_mode & S_IXUSR ? 0 : fchmod(fd, 0755);
}

// The step's process, until exec. Says what failed over the pipe, which closes by itself when exec succeeds.
static CC_NORETURN void become_step(const cc_init *s, size_t index, int says) {
    const cc_step *step = &s->spec->steps[index];
    cc_report fault;
    // Before anything of the program is there. The descriptor says who may: whoever opened it.
    bool joined = s->kept[index][CC_CGROUP_PROCS] < 0 || write(s->kept[index][CC_CGROUP_PROCS], "0", 1) == 1;
    int join_error = errno;
    // Out of the way of the numbers that follow.
    int next = 4, control = step->told ? -1 : s->kept[index][CC_CONTROL_FD];
    if (control >= 0 && (control = fcntl(control, F_DUPFD_CLOEXEC, CC_INIT_CONTROL)) < 0) goto failed;
    setsid();                           // no controlling terminal
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); // else its own /proc/self is root's
    for (int j = 0; j < 3; j++)
        if (s->kept[index][j] >= 0 && dup2(s->kept[index][j], j) != j) goto failed;
    if (dup2(says, 3) != 3) goto failed;
    says = 3;
    if (fcntl(3, F_SETFD, FD_CLOEXEC)) goto failed;
    if (!joined) {
        errno = join_error;
        cc_inside_fail(&fault, CC_CANNOT_JOIN);
        goto said;
    }
    int ruleset = s->ruleset < 0 ? -1 : next++;
    if (ruleset >= 0 && s->ruleset != ruleset && dup3(s->ruleset, ruleset, O_CLOEXEC) < 0) goto failed;
    if (control >= 0 && dup3(control, next, O_CLOEXEC) < 0) goto failed;
    if (control >= 0) control = next++;
    if (close_range((unsigned)next, ~0u, 0)) goto failed;
    sigset_t none; // init has all signals blocked, and none handled or ignored
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    cc_inside_write("/proc/self/oom_score_adj", "1000"); // when the machine is out of memory, the guest goes first
    if (apply_limits(s, &step->limits, 0, &fault)) goto said;
    if (control >= 0 && move_to_top(control)) goto failed;
    if (cc_init_keep_capabilities(0, &fault)) goto said;
    if (!s->full && make_executable(step->path)) goto failed;
    if (cc_landlock_enter(s->spec, ruleset, &fault)) goto said;
    if (cc_filter_load(s->filter) && !(s->gaps & CC_GAP_SECCOMP)) {
        cc_inside_fail(&fault, "load the seccomp filter");
        goto said;
    }
    execve(step->path, (char *const *)(uintptr_t)step->argv, (char *const *)(uintptr_t)step->envp);
    cc_inside_fail(&fault, "execute the program");
    fault.of_request = true;
    goto said;
failed:
    cc_inside_fail(&fault, "prepare the program");
said:
    if (write(says, &fault, sizeof fault) != sizeof fault) _exit(126);
    _exit(127);
}

// Reaps whatever has ended; true, with its status, when main is among them.
static bool reap(pid_t main_pid, siginfo_t *status, struct rusage *usage) {
    bool found = false;
    for (;;) {
        siginfo_t info = {0};
        struct rusage ru;
        // Every child, by intent: this process is its own, and orphans of the guest are its children.
        if (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | __WALL, &ru) || !info.si_pid) return found;
        if (info.si_pid != main_pid) continue;
        *status = info;
        *usage = ru;
        found = true;
    }
}

static int64_t cpu_us_of_reaped(void) {
    struct rusage ru;
    getrusage(RUSAGE_CHILDREN, &ru);
    return ((int64_t)ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000 + ru.ru_utime.tv_usec + ru.ru_stime.tv_usec;
}

static uint64_t disk_kb(const cc_init *s) {
    uint64_t kb = 0;
    struct statfs fs;
    for (size_t i = 0; i < s->n_disks; i++)
        if (fstatfs(s->disks[i], &fs) == 0) kb += (fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize / 1024;
    return kb;
}

static void end_all(const cc_init *s) {
    if (s->full)
        kill(-1, SIGKILL); // everything in the namespace but this process
    else
        cc_sweep(s->proc, s->self, cc_now_ns() + CC_INIT_SWEEP_NS);
}

static void reap_all(const cc_init *s) {
    while (syscall(SYS_waitid, P_ALL, 0, NULL, WEXITED | __WALL | (s->full ? 0 : WNOHANG), NULL) == 0) {
        siginfo_t info = {0}; // with WNOHANG, success may mean that nothing has ended
        if (!s->full && (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL, NULL) || !info.si_pid)) return;
    }
}

typedef struct watch {
    int group;             // the step's cgroup, -1 = none
    int64_t cpu_before_us; // of earlier steps
    uint64_t seen_before_ms;
    uint64_t peak_kb, over_kb;
    cc_stop_cause cause;
} watch;

static cc_family family_of(const cc_init *s) { return (cc_family){.proc = s->proc, .self = s->self, .whole_namespace = s->full}; }

// Measures once and ends everything when a limit is passed. Returns how many milliseconds later to look again.
static int look(cc_init *s, const cc_step_limits *l, watch *w) {
    int64_t began = cc_now_ns();
    cc_usage u;
    uint64_t allowed_kb = w->group < 0 ? l->tree_memory / 1024 : 0, care = w->peak_kb; // the kernel keeps a cgroup's limit
    if (allowed_kb && allowed_kb < care) care = allowed_kb;
    if (w->group >= 0) care = UINT64_MAX;
    if (!care) care = 1;
    const cc_family family = family_of(s);
    cc_measure(&family, care, allowed_kb, s->control, &u);
    s->seen_ms = u.seen_ms;
    uint64_t kb = u.memory_kb, files_kb = u.processes ? disk_kb(s) : 0;
    if (w->group >= 0) { // which counts the files in memory as well
        kb = cc_cgroup_number(w->group, "memory.current", NULL) / 1024;
    } else if (files_kb && kb + files_kb > care) {
        // A file that is mapped is in both. What is mapped changes while all this is read: the larger of before and after, and of
        // memory the sum over mappings too, so that nothing counts twice.
        uint64_t before = cc_measure_mapped(&family, s->disks, s->n_disks);
        cc_measure(&family, 0, allowed_kb, s->control, &u);
        files_kb = disk_kb(s);
        uint64_t after = cc_measure_mapped(&family, s->disks, s->n_disks), twice = after > before ? after : before;
        kb = u.memory_kb + files_kb > twice ? u.memory_kb + files_kb - twice : 0;
    } else {
        kb += files_kb;
    }
    if (kb > w->peak_kb) w->peak_kb = kb;
    if (w->cause) return SAMPLE_MS;
    if (allowed_kb && kb > allowed_kb) {
        w->cause = CC_STOP_MEMORY;
        w->over_kb = kb - allowed_kb;
    } else if (l->cpu_s) {
        // Both are too low when processes are not waited for, or live shorter than a look; neither is ever too high.
        uint64_t waited = (uint64_t)(cpu_us_of_reaped() - w->cpu_before_us) / 1000 + u.cpu_ms, seen = u.seen_ms - w->seen_before_ms;
        if ((waited > seen ? waited : seen) >= l->cpu_s * UINT64_C(1000)) w->cause = CC_STOP_CPU;
    }
    if (w->cause) end_all(s);
    int64_t wait_ms = (cc_now_ns() - began) * SAMPLE_COST / 1000000;
    if (allowed_kb && kb < allowed_kb) {
        int64_t filled_ms = (int64_t)(allowed_kb - kb) / (FILL_KB_MS * s->cores);
        if (filled_ms < wait_ms) wait_ms = filled_ms;
    }
    return wait_ms < SAMPLE_MS ? SAMPLE_MS : (int)wait_ms;
}

// Until the step's program has stopped itself; says so; then until it is known what it shall do. False when it has ended instead.
static bool await_resume(cc_init *s, size_t index, pid_t main_pid, int main_fd) {
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)main_pid, &info, WSTOPPED | WEXITED | WNOWAIT) && errno == EINTR) {
    }
    if (info.si_code != CLD_STOPPED) return false;
    cc_usage u;
    const cc_family family = family_of(s);
    cc_measure(&family, 1, 0, -1, &u);
    cc_report r = {.kind = CC_REPORT_WAITING, .step = (uint32_t)index, .peak_kb = (int64_t)(u.memory_kb + disk_kb(s))};
    cc_init_report(s, &r);
    struct pollfd on[2] = {{.fd = main_fd, .events = POLLIN}, {.fd = s->control, .events = POLLIN}};
    while (!on[0].revents) {
        poll(on, 2, -1);
        char order = 0;
        if (on[1].revents && recv(s->control, &order, 1, MSG_DONTWAIT) == 0) cc_init_leave(s);
        if (order == CC_ORDER_RESUME) return poll(on, 1, 0) == 0;
    }
    return false;
}

// Gives the program that has waited its files and limits, and lets it go on. Returns when.
static int64_t go_on(cc_init *s, const cc_step *step, pid_t main_pid) {
    cc_report fault;
    if (cc_root_write_inputs(s->spec, &fault)) fault.of_request = true, cc_init_give_up(s, &fault);
    if (apply_limits(s, &step->limits, main_pid, &fault)) cc_init_give_up(s, &fault);
    int64_t now = cc_now_ns();
    if (kill(main_pid, SIGCONT)) cc_inside_fail(&fault, "continue the program"), cc_init_give_up(s, &fault);
    return now;
}

// Runs one step to the end of its main process. True when it ended with status 0.
bool cc_step_run(cc_init *s, size_t index) {
    const cc_step *step = &s->spec->steps[index];
    cc_report r = {.kind = CC_REPORT_STARTED, .step = (uint32_t)index};
    watch w = {.group = s->kept[index][CC_OF_CGROUP], .cpu_before_us = cpu_us_of_reaped(), .seen_before_ms = s->seen_ms};
    CC_CLEANUP_FD int told = step->told ? open(step->told, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    int says[2], main_fd = -1;
    if (pipe2(says, O_CLOEXEC)) cc_inside_fail(&r, "pipe"), cc_init_give_up(s, &r);
    // No signal is queued, which /proc would show to the program, when it stops.
    if (step->waits) sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}, NULL);
    int64_t began = cc_now_ns();
    pid_t main_pid = cc_inside_clone(0, &main_fd);
    if (main_pid < 0) cc_inside_fail(&r, "start the program"), cc_init_give_up(s, &r);
    if (main_pid == 0) become_step(s, index, says[1]);
    int pins[CC_LANDLOCK_PINS];
    if (!s->full) cc_landlock_pin(s->proc, main_pid, pins);
    close(says[1]);
    for (int j = 0; j < CC_CONTROL_FD + (told < 0); j++)
        cc_fd_close(&s->kept[index][j]); // the reader sees the end of a stream when the guest has closed it
    cc_report fault;
    ssize_t n;
    while ((n = read(says[0], &fault, sizeof fault)) < 0 && errno == EINTR) {
    }
    close(says[0]);
    if (n == sizeof fault) cc_init_give_up(s, &fault);
    r.at_ns = began;
    if (step->waits) {
        if (!await_resume(s, index, main_pid, main_fd)) cc_init_leave(s);
        prctl(PR_SET_NAME, "init", 0, 0, 0);
        step = &s->spec->steps[index];
        r.at_ns = go_on(s, step, main_pid);
    }
    cc_init_report(s, &r);

    siginfo_t status = {0};
    struct rusage usage = {0};
    int wait_ms = SAMPLE_MS;
    for (;;) {
        struct pollfd on[2] = {{.fd = main_fd, .events = POLLIN}, {.fd = s->control, .events = POLLIN}};
        poll(on, 2, wait_ms);
        if (on[1].revents) {
            char order = 0;
            if (recv(s->control, &order, 1, MSG_DONTWAIT) == 0) cc_init_leave(s); // the launcher is gone
            if (order == CC_ORDER_ASK && step->soft_signal) kill(main_pid, step->soft_signal);
            if (order == CC_ORDER_STOP) {
                if (!w.cause) w.cause = CC_STOP_ASKED;
                end_all(s);
            }
        }
        if (reap(main_pid, &status, &usage)) break;
        wait_ms = look(s, &step->limits, &w);
    }
    r.kind = CC_REPORT_ENDED;
    r.at_ns = cc_now_ns();
    r.exit_code = status.si_code == CLD_EXITED ? status.si_status : -1;
    r.signal = status.si_code == CLD_EXITED ? 0 : status.si_status;
    close(main_fd);
    if (!s->full) cc_landlock_unpin(pins);
    // What the step left running must not meet the next one, nor the reader of its output.
    end_all(s);
    reap_all(s);
    int64_t seen_us = (int64_t)(s->seen_ms - w.seen_before_ms) * 1000;
    r.cpu_us = cpu_us_of_reaped() - w.cpu_before_us;
    if (seen_us > r.cpu_us) r.cpu_us = seen_us;
    r.peak_kb = (int64_t)w.peak_kb > usage.ru_maxrss ? (int64_t)w.peak_kb : usage.ru_maxrss;
    if (w.group >= 0) {
        uint64_t peak = cc_cgroup_number(w.group, "memory.peak", NULL) / 1024; // from Linux 5.19 on
        if (peak > w.peak_kb) w.peak_kb = peak;
        r.peak_kb = (int64_t)w.peak_kb;
        if (!w.cause && cc_cgroup_number(w.group, "memory.events", "oom_kill")) w.cause = CC_STOP_MEMORY;
    }
    r.over_kb = (int64_t)w.over_kb;
    r.cause = w.cause;
    if (!r.cause && r.signal && step->limits.cpu_s && r.cpu_us >= (int64_t)step->limits.cpu_s * 1000000) r.cause = CC_STOP_CPU;
    bool good = r.exit_code == 0 && !r.cause;
    if (told >= 0) pass_on(told, s->kept[index][CC_CONTROL_FD]);
    cc_fd_close(&s->kept[index][CC_CONTROL_FD]);
    // What is not whole is seen by who reads it.
    if (good && step->keeps && cc_collect(s->kept[index][CC_KEPT_FD], CC_COLLECT_MAX)) errno = 0;
    cc_fd_close(&s->kept[index][CC_KEPT_FD]);
    cc_init_report(s, &r);
    return good;
}
