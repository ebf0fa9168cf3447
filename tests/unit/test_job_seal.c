// What each kind of worker can and cannot do, tried from inside. A refused call must answer with the errno of the design (EPERM;
// EAGAIN for a new process), and nothing of the client may be visible.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "codecalc/sandbox.h"
#include "job_fixture.h"

static const cc_param none[] = {{0}};
static pid_t server_pid, bystander; // known to every worker by inheritance
static char own_page[1];

// Puts name: errno into the result, 0 when the call went through.
static void note(cc_call *call, const char *name, long result) { cc_jw_kint(&call->out, name, result < 0 ? errno : 0); }
#define TRY(call, name, ...) (errno = 0, note((call), (name), (long)(__VA_ARGS__)))
#define ADDRESS(p)           ((long)(intptr_t)(p))

static void try_forbidden(cc_call *c) {
    struct clone_args args = {.exit_signal = SIGCHLD};
    struct iovec iov = {own_page, 1};
    struct rlimit limit = {0};
    TRY(c, "socket", socket(AF_INET, SOCK_STREAM, 0));
    TRY(c, "socketpair", syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
    TRY(c, "open_write", open("/tmp/codecalc-test-job-seal", O_WRONLY | O_CREAT, 0600));
    TRY(c, "open_both", open("/dev/null", O_RDWR));
    TRY(c, "unlink", unlink("/tmp/codecalc-test-job-seal"));
    TRY(c, "mkdir", mkdir("/tmp/codecalc-test-job-seal", 0700));
    TRY(c, "rename", rename("/tmp/codecalc-a", "/tmp/codecalc-b"));
    TRY(c, "chmod", chmod("/", 0755));
    TRY(c, "execve", execl("/bin/true", "true", NULL));
    TRY(c, "kill", kill(server_pid, 0));
    TRY(c, "tgkill", syscall(SYS_tgkill, server_pid, server_pid, 0));
    TRY(c, "ptrace", syscall(SYS_ptrace, 16, server_pid, 0, 0));
    TRY(c, "process_vm_readv", process_vm_readv(server_pid, &iov, 1, &iov, 1, 0));
    TRY(c, "mmap_exec", ADDRESS(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)));
    TRY(c, "mprotect_exec", mprotect((void *)((uintptr_t)own_page & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
    TRY(c, "setrlimit", setrlimit(RLIMIT_AS, &limit));
    TRY(c, "prctl", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
    TRY(c, "setuid", syscall(SYS_setuid, 0));
    TRY(c, "unshare", unshare(CLONE_NEWUSER));
    TRY(c, "mount", syscall(SYS_mount, "none", "/", NULL, 0, NULL));
    TRY(c, "bpf", syscall(SYS_bpf, 0, NULL, 0));
    TRY(c, "ioctl", ioctl(3, FIONBIO, &(int){1}));
    TRY(c, "sendto", send(3, "x", 1, 0)); // with an address it could reach other sockets
    TRY(c, "fork", fork());
    TRY(c, "clone3", syscall(SYS_clone3, &args, sizeof args));
}

static int run_sealed(cc_call *call, cc_error *err) {
    (void)err;
    try_forbidden(call);
    TRY(call, "open", open("/etc/passwd", O_RDONLY));
    TRY(call, "stat", access("/", R_OK));
    TRY(call, "read_stdin", read(0, own_page, 1));
    TRY(call, "write_stderr", write(2, "", 1));
    TRY(call, "dup", dup(3));
    TRY(call, "nanosleep", nanosleep(&(struct timespec){0, 1}, NULL));
    return 0;
}

static int run_allowed(cc_call *call, cc_error *err) {
    (void)err;
    struct rusage usage;
    struct timespec now;
    void *p = mmap(NULL, 1 << 26, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TRY(call, "mmap", ADDRESS(p));
    TRY(call, "mremap", ADDRESS(p = mremap(p, 1 << 26, 1 << 27, MREMAP_MAYMOVE)));
    TRY(call, "madvise", madvise(p, 1 << 27, MADV_DONTNEED));
    TRY(call, "munmap", munmap(p, 1 << 27));
    TRY(call, "getrandom", syscall(SYS_getrandom, own_page, 1, 0));
    TRY(call, "getrusage", getrusage(RUSAGE_SELF, &usage));
    TRY(call, "clock_gettime", syscall(SYS_clock_gettime, CLOCK_REALTIME, &now));
    TRY(call, "sigaction", sigaction(SIGUSR1, &(struct sigaction){.sa_handler = SIG_IGN}, NULL));
    TRY(call, "raise", raise(SIGUSR1));
    return 0;
}

// The 32-bit entry: other numbers for other calls, so the filter must not even look at them.
static int run_foreign(cc_call *call, cc_error *err) {
    (void)err;
#ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    cc_jw_kint(&call->out, "result", result);
#else
    raise(SIGSYS);
#endif
    return 0;
}

static int run_files(cc_call *call, cc_error *err) {
    (void)err;
    try_forbidden(call);
    int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    TRY(call, "open", fd);
    TRY(call, "read", read(fd, own_page, 1));
    TRY(call, "close", close(fd));
    DIR *dir = opendir("/usr/bin");
    TRY(call, "opendir", dir ? 0 : -1);
    TRY(call, "readdir", dir && readdir(dir) ? 0 : -1);
    TRY(call, "access", access("/bin/sh", X_OK));
    struct stat st;
    TRY(call, "stat", stat("/bin/sh", &st));
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)server_pid);
    TRY(call, "server", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/environ", (int)bystander);
    TRY(call, "bystander", open(path, O_RDONLY));
    return 0;
}

// Everything that could be left of the client in a process that may look around freely.
static int run_launcher(cc_call *call, cc_error *err) {
    (void)err;
    unsigned descriptors = 0, bytes = 0, variables = 0;
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) descriptors++;
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); // else these files are root's
    int fd = open("/proc/self/environ", O_RDONLY);
    char buffer[65536];
    ssize_t n = read(fd, buffer, sizeof buffer);
    for (ssize_t i = 0; i < n; i++) bytes += buffer[i] != 0;
    for (char **e = environ; e && *e; e++) variables++;
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    struct sigaction chld;
    sigaction(SIGCHLD, NULL, &chld);
    cc_jw_kint(&call->out, "descriptors", descriptors);
    cc_jw_kint(&call->out, "environment", n < 0 ? -1 : (int64_t)bytes);
    cc_jw_kint(&call->out, "variables", variables);
    cc_jw_kbool(&call->out, "blocked", sigismember(&mask, SIGALRM));
    cc_jw_kbool(&call->out, "ignored", chld.sa_handler == SIG_IGN);
    cc_jw_kint(&call->out, "parent", getppid() == server_pid);
    int subreaper = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper, 0, 0, 0);
    cc_jw_kint(&call->out, "subreaper", subreaper);
    cc_jw_kbool(&call->out, "inherited_socket", !(fcntl(3, F_GETFD) & FD_CLOEXEC));
    return 0;
}

static int run_polite(cc_call *call, cc_error *err) {
    while (!*call->stop) {
    }
    return cc_error_set(err, CC_TIMEOUT, "stopped when asked");
}

// A blocking call is ended by the soft stop, too.
static int run_blocked(cc_call *call, cc_error *err) {
    (void)call;
    nanosleep(&(struct timespec){60, 0}, NULL);
    return cc_error_set(err, CC_TIMEOUT, "woken");
}

#define TOOL(id, kind) static const cc_tool tool_##id = {.name = #id, .title = #id, .where = kind, .params = none, .run = run_##id}
TOOL(sealed, CC_SEALED);
TOOL(allowed, CC_SEALED);
TOOL(foreign, CC_SEALED);
TOOL(files, CC_FILES);
TOOL(launcher, CC_LAUNCHER);
TOOL(polite, CC_SEALED);
TOOL(blocked, CC_LAUNCHER);
const cc_tool *const cc_tools[] = {&tool_sealed,   &tool_allowed, &tool_foreign, &tool_files,
                                   &tool_launcher, &tool_polite,  &tool_blocked, NULL};

static server *start(void) {
    server_pid = getpid();
    return server_start((cc_jobs_limits){.sealed = 1});
}

// EPERM is 1, EAGAIN 11 on every architecture that we build for.
#define FORBIDDEN                                                                                                                          \
    "\"socket\":1,\"socketpair\":1,\"open_write\":1,\"open_both\":1,\"unlink\":1,\"mkdir\":1,\"rename\":1,\"chmod\":1,\"execve\":1,"       \
    "\"kill\":1,"                                                                                                                          \
    "\"tgkill\":1,\"ptrace\":1,\"process_vm_readv\":1,\"mmap_exec\":1,\"mprotect_exec\":1,\"setrlimit\":1,\"prctl\":1,\"setuid\":1,"       \
    "\"unshare\":1,\"mount\":1,\"bpf\":1,\"ioctl\":1,\"sendto\":1,\"fork\":11,\"clone3\":11"

// The sanitizers make calls of their own, which the seal of their build lets through.
static void skip_under_sanitizers(void) {
#ifdef CC_ASAN
    print_message("skipped: the seal is tried in the build that is shipped\n");
    skip();
#endif
}

static void sealed(void **state) {
    (void)state;
    skip_under_sanitizers();
    server *s = start();
    expect_body(s, &tool_sealed, "{}",
                "{\"ok\":true," FORBIDDEN ",\"open\":1,\"stat\":1,\"read_stdin\":1,\"write_stderr\":1,\"dup\":1,\"nanosleep\":1}");
    expect_body(s, &tool_allowed, "{}",
                "{\"ok\":true,\"mmap\":0,\"mremap\":0,\"madvise\":0,\"munmap\":0,\"getrandom\":0,\"getrusage\":0,\"clock_gettime\":0,"
                "\"sigaction\":0,\"raise\":0}");
    expect_failure(s, &tool_foreign, "{}", 5000, "internal", "SIGSYS");
    server_stop(s);
}

static void files(void **state) {
    (void)state;
    skip_under_sanitizers();
    // A process of the same user with as few rights, into which only Landlock keeps one from looking. EACCES is 13.
    bystander = fork();
    if (bystander == 0) {
        struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
        struct __user_cap_data_struct nothing[2] = {0};
        syscall(SYS_capset, &head, nothing);
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        for (;;) pause();
    }
    bool landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
    server *s = start();
    char expected[1024];
    snprintf(expected, sizeof expected,
             "{\"ok\":true," FORBIDDEN ",\"open\":0,\"read\":0,\"close\":0,\"opendir\":0,\"readdir\":0,\"access\":0,\"stat\":0,"
             "\"server\":13,\"bystander\":%d}",
             landlock ? 13 : 0);
    expect_body(s, &tool_files, "{}", expected);
    server_stop(s);
    kill(bystander, SIGKILL);
    assert_int_equal(waitpid(bystander, NULL, 0), bystander);
}

static void nothing_inherited(void **state) {
    (void)state;
    bool full = cc_sandbox_probe()->level == CC_ISOLATION_FULL;
    setenv("CODECALC_TEST_TOKEN", "secret", 1);
    int extra = dup(2); // not close-on-exec
    sigset_t all, kept;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &kept);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGALRM, SIG_IGN);
    server *s = start();
    // 0, 1, 2 and its socket; where sandboxes can be made it has one in stock, with a pidfd and a socket
    char expected[200];
    snprintf(expected, sizeof expected,
             "{\"ok\":true,\"descriptors\":%d,\"environment\":0,\"variables\":0,\"blocked\":false,\"ignored\":false,\"parent\":1,"
             "\"subreaper\":1,\"inherited_socket\":false}",
             full ? 6 : 4);
    expect_body(s, &tool_launcher, "{}", expected);
    test_call c = call_run(s, &tool_polite, "{}", 100);
    assert_has(c.body, "stopped when asked");
    call_free(&c);
    c = call_run(s, &tool_blocked, "{}", 100);
    assert_has(c.body, "woken");
    call_free(&c);
    assert_string_equal(getenv("CODECALC_TEST_TOKEN"), "secret"); // here it is still ours
#ifndef CC_ASAN                                                   // whose leak check needs the opposite
    assert_int_equal(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
#endif
    server_stop(s);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &kept, NULL);
    close(extra);
}

// A container that does not let a filter be loaded: every call must say so, and none may run unsealed.
static void no_seccomp(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
        if (!ctx || seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP)) ||
            seccomp_load(ctx))
            _exit(2);
        cc_log_set_level("error", &(cc_error){0});
        server *s = start();
        for (int i = 0; i < 3; i++)
            expect_failure(s, &tool_allowed, "{}", 5000, "internal", "cannot load the seccomp filter: Operation not permitted");
        cc_jobs_stats stats = cc_jobs_get_stats(s->jobs);
        _exit(stats.died < 3 || stats.died > 7); // one a call, and those kept warm between: no endless replacing
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sealed), cmocka_unit_test(files), cmocka_unit_test(nothing_inherited),
                                       cmocka_unit_test(no_seccomp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
