// System calls that fail while a program is started and run: each that set-up makes, at each of its first occurrences, with every plausible
// errno. The run then ends in an error that says something, or in the program's own right result; nothing stays: no process, no file, no
// descriptor. The kernel hands the calls of the run's processes to this one (seccomp's user notifications), which answers in their place.
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/run.h"

#define MOST_PLACES 4    // of a call; evenly among its occurrences
#define HANGS_MS    8000 // a run takes some ms

typedef struct shared { // memory of this process and of the one that runs
    int listener;       // its descriptor, 0 = not yet
    int armed;          // calls are counted and made to fail
    int returned, code, verdict, isolation, descriptors, children;
    char message[512], out[64], fallback[256];
} shared;

static shared *told;

static int count_descriptors(void) {
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n;
}

static void watch_calls(long nr) {
    struct sock_filter code[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offsetof(struct seccomp_data, nr)},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)nr},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {CC_ARRAY_LEN(code), code};
    if (geteuid() != 0) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (fd < 0) _exit(40);
    __atomic_store_n(&told->listener, (int)fd, __ATOMIC_SEQ_CST);
}

// The process whose calls fail: one run, and what it says.
static void run_it(long nr) {
    static cc_arena arena;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); // what escapes is seen
    alarm(20);
    const cc_run_request q = {.language = cc_language_find(CC_STR("bash")), .code = CC_STR("echo $((6 * 7))"), .timeout_ms = 5000};
    cc_run_result r = {0};
    cc_error err = {0};
    watch_calls(nr);
    int before = count_descriptors();
    __atomic_store_n(&told->armed, 1, __ATOMIC_SEQ_CST);
    told->returned = cc_run_execute(&arena, &q, &r, &err);
    __atomic_store_n(&told->armed, 0, __ATOMIC_SEQ_CST);
    told->code = (int)err.code;
    snprintf(told->message, sizeof told->message, "%s", err.msg);
    if (!told->returned) {
        told->verdict = (int)r.verdict;
        told->isolation = (int)r.isolation;
        snprintf(told->out, sizeof told->out, "%.*s", (int)(r.out.text.n < 60 ? r.out.text.n : 60), r.out.text.p ? r.out.text.p : "");
        snprintf(told->fallback, sizeof told->fallback, "%s", r.fallback ? r.fallback : "");
    }
    cc_sandbox none = {.pidfd = -1, .reports = -1};
    cc_blank_leave(&none); // the sandbox of a run that ended well is reaped with the next one
    told->descriptors = count_descriptors() - before;
    siginfo_t info = {0};
    told->children = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
    _exit(0);
}

// Set-up is what this program does itself, under its own name or as init; a guest's calls are the guest's affair.
static bool is_ours(uint32_t pid) {
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%u/comm", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, name, sizeof name - 1);
    if (fd >= 0) close(fd);
    name[n > 0 ? n - 1 : 0] = 0;
    return !strcmp(name, "init") || !strncmp(name, "cc-", 3) || !strncmp(name, "test_faults", 11);
}

// Runs once with the nth call (from 1; 0 = none) failing with error. Returns how many there were, -1 when it hung.
static int run_with(long nr, int nth, int error) {
    memset(told, 0, sizeof *told);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) run_it(nr);
    int child = (int)syscall(SYS_pidfd_open, pid, 0), listener = -1, seen = 0;
    int64_t until = cc_now_ms() + HANGS_MS;
    for (;;) {
        int theirs = __atomic_load_n(&told->listener, __ATOMIC_SEQ_CST);
        if (listener < 0 && theirs) listener = (int)syscall(SYS_pidfd_getfd, child, theirs, 0);
        struct pollfd on[2] = {{.fd = child, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
        poll(on, 2, listener < 0 ? 1 : 100);
        if (on[1].revents & POLLIN) {
            struct seccomp_notif call = {0};
            if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0) {
                struct seccomp_notif_resp answer = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
                if (__atomic_load_n(&told->armed, __ATOMIC_SEQ_CST) && is_ours(call.pid) && ++seen == nth)
                    answer.flags = 0, answer.error = -error;
                ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
            }
            continue;
        }
        if (on[0].revents) break;
        if (cc_now_ms() > until) {
            kill(pid, SIGKILL);
            seen = -1;
            break;
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 40) skip(); // no user notifications here
    if (seen >= 0 && status != 0)
        snprintf(told->message, sizeof told->message, "the process ended with status %x", status), told->code = -1;
    close(child);
    if (listener >= 0) close(listener);
    return seen;
}

// Says what is wrong with how a run ended; NULL when nothing is.
static const char *judge(int seen) {
    static char text[600];
    if (seen < 0) return "it hangs";
    if (told->code == -1) return told->message;
    if (told->children) return "a process is left";
    if (told->descriptors) return snprintf(text, sizeof text, "%d descriptors are left", told->descriptors), text;
    if (told->returned) return told->message[0] ? NULL : "an error that says nothing";
    if (told->verdict != CC_VERDICT_OK || strcmp(told->out, "42\n") != 0)
        return snprintf(text, sizeof text, "verdict %d, output '%s'", told->verdict, told->out), text;
    if (told->isolation < CC_ISOLATION_FULL && !told->fallback[0]) return "less isolation, and no word of it";
    return NULL;
}

typedef struct plan {
    const char *name;
    long nr;
    int errors[5];
} plan;

#define CALL(name, ...)                                                                                                                    \
    {                                                                                                                                      \
#name, SYS_##name, { __VA_ARGS__ }                                                                                                 \
    }
static const plan plans[] = {
    CALL(clone, EAGAIN, ENOMEM, EPERM, ENOSPC),
    CALL(unshare, EPERM, ENOSPC, ENOMEM),
    CALL(mount, EPERM, EBUSY, ENOMEM, EINVAL, ENODEV),
    CALL(umount2, EPERM, EBUSY),
    CALL(open_tree, EPERM, ENOSYS, EMFILE, ENOENT),
    CALL(move_mount, EPERM, ENOSYS, EBUSY),
    CALL(mount_setattr, EPERM, ENOSYS, EINVAL),
    CALL(pivot_root, EPERM, EINVAL),
    CALL(openat, EMFILE, ENFILE, ENOMEM, EACCES, EINTR),
    CALL(pipe2, EMFILE, ENFILE),
    CALL(socketpair, EMFILE, ENFILE, ENOMEM),
#ifndef CC_ASAN // whose allocator ends the process then
    CALL(mmap, ENOMEM),
#endif
    CALL(sendmsg, ENOBUFS, ENOMEM, EPERM),
    CALL(recvmsg, EINTR, ENOMEM),
    CALL(recvfrom, EINTR, ECONNRESET),
    CALL(fcntl, EMFILE),
    CALL(close_range, ENOSYS, EMFILE),
    CALL(dup3, EMFILE, EBUSY),
    CALL(setresuid, EAGAIN, EPERM),
    CALL(setresgid, EPERM),
    CALL(setgroups, EPERM, ENOMEM),
    CALL(prlimit64, EPERM, EINVAL),
    CALL(capset, EPERM),
    CALL(prctl, EPERM, EINVAL),
    CALL(seccomp, EACCES, EINVAL, ENOMEM),
    CALL(sethostname, EPERM),
    CALL(landlock_create_ruleset, ENOSYS, EOPNOTSUPP, EMFILE),
    CALL(landlock_add_rule, ENOMEM, EINVAL),
    CALL(landlock_restrict_self, E2BIG, EPERM),
    CALL(execve, ENOMEM, EAGAIN, ETXTBSY, ENOENT),
    CALL(chdir, EACCES, ENOMEM),
    CALL(write, EINTR, ENOSPC, EIO),
    CALL(read, EINTR, EIO),
    CALL(waitid, EINTR),
    CALL(setsid, EPERM),
    CALL(fchmod, EPERM),
#ifdef SYS_mkdir
    CALL(mkdir, ENOSPC, EROFS, EACCES),
    CALL(dup2, EMFILE, EBUSY),
    CALL(poll, EINTR, ENOMEM),
    CALL(symlink, ENOSPC, EROFS),
#else
    CALL(mkdirat, ENOSPC, EROFS, EACCES),
    CALL(ppoll, EINTR, ENOMEM),
    CALL(symlinkat, ENOSPC, EROFS),
#endif
};

static void a_failing_call_is_told_and_leaves_nothing(void **state) {
    const plan *p = *state;
    int n = run_with(p->nr, 0, 0), tried = 0, wrong = 0;
    const char *fault = judge(n);
    if (fault) fail_msg("%s: without a failure: %s", p->name, fault);
    for (int k = 0; k < MOST_PLACES && k < n; k++) {
        int nth = n <= MOST_PLACES ? k + 1 : 1 + k * (n - 1) / (MOST_PLACES - 1);
        for (size_t e = 0; e < CC_ARRAY_LEN(p->errors) && p->errors[e]; e++, tried++) {
            fault = judge(run_with(p->nr, nth, p->errors[e]));
            if (fault) wrong++, print_error("%s, %d of %d, %s: %s\n", p->name, nth, n, strerror(p->errors[e]), fault);
        }
    }
    print_message("%s: %d calls, %d failures tried\n", p->name, n, tried);
    DIR *d = opendir(getenv("TMPDIR"));
    for (const struct dirent *f; (f = readdir(d));)
        if (f->d_name[0] != '.') wrong++, print_error("%s: %s is left\n", p->name, f->d_name);
    closedir(d);
    assert_int_equal(wrong, 0);
}

int main(void) {
    static char tmp[] = "/tmp/codecalc-faults-XXXXXX";
    cc_error err;
    if (!mkdtemp(tmp) || chmod(tmp, 0755) || setenv("TMPDIR", tmp, 1) || setenv("CODECALC_AUDIT_LOG", "", 1) ||
        setenv("CODECALC_LOG", "error", 1) || setenv("CODECALC_CACHE_MB", "0", 1) || cc_settings_load(&err))
        return 1;
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) return 1;
    struct CMUnitTest tests[CC_ARRAY_LEN(plans)];
    for (size_t i = 0; i < CC_ARRAY_LEN(plans); i++)
        tests[i] = (struct CMUnitTest){
            .name = plans[i].name, .test_func = a_failing_call_is_told_and_leaves_nothing, .initial_state = (void *)(uintptr_t)&plans[i]};
    int failed = _cmocka_run_group_tests("faults", tests, CC_ARRAY_LEN(tests), NULL, NULL);
    return failed ? failed : rmdir(tmp) != 0;
}
