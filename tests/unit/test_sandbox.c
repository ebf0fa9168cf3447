// The sandbox alone: the system-call filter as a program, removing trees, sandboxes that come up, run steps, are stopped, and leave nothing
// when their launcher is killed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/inside.h"

// ---- the filter, run by a small interpreter of classic BPF ----

static uint32_t decide(const cc_filter *f, const struct seccomp_data *d) {
    uint32_t acc = 0;
    for (unsigned pc = 0; pc < f->n; pc++) {
        const struct sock_filter *i = &f->code[pc];
        bool yes;
        switch (i->code) {
        case BPF_LD | BPF_W | BPF_ABS: memcpy(&acc, (const char *)d + i->k, 4); continue;
        case BPF_RET | BPF_K: return i->k;
        case BPF_ALU | BPF_AND | BPF_K: acc &= i->k; continue;
        case BPF_JMP | BPF_JA: pc += i->k; continue;
        case BPF_JMP | BPF_JEQ | BPF_K: yes = acc == i->k; break;
        case BPF_JMP | BPF_JGT | BPF_K: yes = acc > i->k; break;
        case BPF_JMP | BPF_JGE | BPF_K: yes = acc >= i->k; break;
        case BPF_JMP | BPF_JSET | BPF_K: yes = (acc & i->k) != 0; break;
        default: fail_msg("instruction %x", i->code); return 0;
        }
        pc += yes ? i->jt : i->jf;
    }
    fail_msg("the program runs off its end");
    return 0;
}

#if defined(__x86_64__)
#define HERE  AUDIT_ARCH_X86_64
#define OTHER AUDIT_ARCH_I386
#else
#define HERE  AUDIT_ARCH_AARCH64
#define OTHER AUDIT_ARCH_ARM
#endif
#define DENIED(e) (SECCOMP_RET_ERRNO | (e))

static uint32_t ask(const cc_filter *f, long nr, uint64_t a0, uint64_t a1) {
    struct seccomp_data d = {.nr = (int)nr, .arch = HERE, .args = {a0, a1}};
    return decide(f, &d);
}

static const cc_filter_options full = {.internet = true, .own_ipc = true};

static void filter_decides(void **state) {
    (void)state;
    static cc_filter f;
    cc_filter_build(&f, &full);
    struct seccomp_data foreign = {.nr = SYS_getpid, .arch = OTHER};
    assert_int_equal(decide(&f, &foreign), SECCOMP_RET_KILL_PROCESS);
    static const long allowed[] = {
        SYS_read, SYS_write,      SYS_openat,    SYS_execve,      SYS_mmap,      SYS_futex,      SYS_wait4,
        SYS_kill, SYS_exit_group, SYS_prlimit64, SYS_epoll_pwait, SYS_getrandom, SYS_pidfd_open, SYS_landlock_create_ruleset};
    for (size_t i = 0; i < CC_ARRAY_LEN(allowed); i++) assert_int_equal(ask(&f, allowed[i], 0, 0), SECCOMP_RET_ALLOW);
    static const long refused[] = {SYS_ptrace,
                                   SYS_process_vm_readv,
                                   SYS_process_vm_writev,
                                   SYS_pidfd_getfd,
                                   SYS_kcmp,
                                   SYS_unshare,
                                   SYS_setns,
                                   SYS_mount,
                                   SYS_umount2,
                                   SYS_pivot_root,
                                   SYS_chroot,
                                   SYS_move_mount,
                                   SYS_open_tree,
                                   SYS_fsopen,
                                   SYS_keyctl,
                                   SYS_add_key,
                                   SYS_request_key,
                                   SYS_bpf,
                                   SYS_perf_event_open,
                                   SYS_userfaultfd,
                                   SYS_kexec_load,
                                   SYS_init_module,
                                   SYS_finit_module,
                                   SYS_syslog,
                                   SYS_acct,
                                   SYS_reboot,
                                   SYS_swapon,
                                   SYS_open_by_handle_at,
                                   SYS_fanotify_init,
                                   SYS_settimeofday,
                                   SYS_clock_settime,
                                   SYS_sethostname};
    for (size_t i = 0; i < CC_ARRAY_LEN(refused); i++) assert_int_equal(ask(&f, refused[i], 0, 0), DENIED(EPERM));
    static const long absent[] = {SYS_clone3,
                                  SYS_io_uring_setup,
                                  SYS_io_uring_enter,
                                  SYS_io_uring_register,
                                  SYS_memfd_create,
                                  SYS_shmget,
                                  SYS_inotify_init1,
                                  447,
                                  459,
                                  463,
                                  500,
                                  100000};
    for (size_t i = 0; i < CC_ARRAY_LEN(absent); i++) assert_int_equal(ask(&f, absent[i], 0, 0), DENIED(ENOSYS));
#ifdef __x86_64__
    assert_int_equal(ask(&f, 0x40000000 | SYS_getpid, 0, 0), DENIED(ENOSYS)); // x32
#endif
}

static void filter_looks_at_arguments(void **state) {
    (void)state;
    static cc_filter f;
    cc_filter_build(&f, &full);
    assert_int_equal(ask(&f, SYS_clone, SIGCHLD, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_clone, SIGCHLD | CLONE_NEWUSER, 0), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_clone, CLONE_NEWNS, 0), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_ioctl, 0, TCGETS), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_ioctl, 0, TIOCSTI), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_ioctl, 0, UINT64_C(1) << 32 | TIOCSTI), DENIED(EPERM)); // the kernel ignores the upper half
    assert_int_equal(ask(&f, SYS_ioctl, 0, TIOCLINUX), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_socket, AF_UNIX, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_socket, AF_INET, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_socket, AF_INET6, 0), SECCOMP_RET_ALLOW);
    for (int family = 11; family < 50; family++) assert_int_equal(ask(&f, SYS_socket, (uint64_t)family, 0), DENIED(EAFNOSUPPORT));
    assert_int_equal(ask(&f, SYS_fcntl, 0, F_GETFL), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_fcntl, 0, F_NOTIFY), DENIED(EINVAL));
    assert_int_equal(ask(&f, SYS_prlimit64, 1, 0), DENIED(EPERM)); // init's
    assert_int_equal(ask(&f, SYS_msgget, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_personality, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_personality, 8, 0), DENIED(EPERM));
    cc_filter_build(&f, &(cc_filter_options){.shared_memory = true});
    assert_int_equal(ask(&f, SYS_socket, AF_UNIX, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_socket, AF_INET, 0), DENIED(EACCES));
    assert_int_equal(ask(&f, SYS_socket, AF_INET6, 0), DENIED(EACCES));
    assert_int_equal(ask(&f, SYS_memfd_create, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_msgget, 0, 0), DENIED(ENOSYS)); // would outlive the run
    assert_int_equal(ask(&f, SYS_semget, 0, 0), DENIED(ENOSYS));
}

static void restricted_filter_refuses_what_landlock_does_not_govern(void **state) {
    (void)state;
    static cc_filter f;
    cc_filter_build(&f, &(cc_filter_options){.restricted = true, .fixed_attributes = true});
    assert_int_equal(ask(&f, SYS_socket, AF_UNIX, 0), DENIED(EACCES));
    assert_int_equal(ask(&f, SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_socketpair, AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK), DENIED(EACCES));
    assert_int_equal(ask(&f, SYS_setpriority, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_setpriority, 0, 1), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_setpriority, 2, 0), DENIED(EPERM)); // PRIO_USER
    assert_int_equal(ask(&f, SYS_sched_setaffinity, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_sched_setaffinity, 1, 0), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_sched_setscheduler, 0, 5), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_sched_setscheduler, 1, 5), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_sched_setscheduler, 1, 1), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_sched_setscheduler, 1, 0), DENIED(0)); // what it is anyway
    assert_int_equal(ask(&f, SYS_shmat, 1, 0), DENIED(ENOSYS));
    assert_int_equal(ask(&f, SYS_fchmodat, 0, 0), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_utimensat, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_utimensat, 0, UINT64_C(1) << 32), DENIED(EPERM)); // a name whose address ends in zeros
    assert_int_equal(ask(&f, SYS_utimensat, 0, 4096), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_read, 0, 0), SECCOMP_RET_ALLOW);
    assert_int_equal(ask(&f, SYS_ptrace, 0, 0), DENIED(EPERM));
    assert_int_equal(ask(&f, SYS_pidfd_getfd, 0, 0), DENIED(EPERM)); // beyond the longest jump
    assert_int_equal(ask(&f, 462, 0, 0), SECCOMP_RET_ALLOW);
}

// ---- removing trees ----

static void make_tree(char *path) {
    strcpy(path, "/tmp/codecalc-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static void tree_is_removed(void **state) {
    (void)state;
    char top[64], command[512];
    make_tree(top);
    // Deep, closed to its owner, with links out of it, and with a file of the name that removal itself uses.
    snprintf(command, sizeof command,
             "cd %s && mkdir -p a/b/c shut/in && echo x >a/b/c/f && ln -s /etc out && ln -s /etc/passwd a/p && mkfifo a/pipe && touch "
             ".removing-1 && "
             "for i in $(seq 60); do mkdir -p d && cd d; done; cd %s && chmod 000 shut/in shut",
             top, top);
    assert_int_equal(system(command), 0);
    struct stat st;
    assert_int_equal(stat(top, &st), 0);
    assert_int_equal(cc_sandbox_remove_tree(top, st.st_dev, st.st_ino), 0);
    assert_int_equal(access(top, F_OK), -1);
    assert_int_equal(access("/etc/passwd", F_OK), 0);
}

static void another_tree_is_not(void **state) {
    (void)state;
    char top[64], moved[80];
    make_tree(top);
    struct stat st;
    assert_int_equal(stat(top, &st), 0);
    snprintf(moved, sizeof moved, "%s-moved", top);
    assert_int_equal(rename(top, moved), 0);
    assert_int_equal(mkdir(top, 0700), 0); // another one in its place
    assert_int_equal(cc_sandbox_remove_tree(top, st.st_dev, st.st_ino), -1);
    assert_int_equal(errno, ESTALE);
    assert_int_equal(rmdir(top), 0);
    assert_int_equal(symlink(moved, top), 0); // a link to the right one
    assert_int_equal(cc_sandbox_remove_tree(top, st.st_dev, st.st_ino), -1);
    assert_int_equal(errno, ESTALE);
    assert_int_equal(unlink(top), 0);
    assert_int_equal(rmdir(moved), 0);
}

// ---- sandboxes ----

static const cc_op root_ops[] = {
    {.kind = CC_OP_BIND, .path = "/usr", .source = "/usr"},
    {.kind = CC_OP_DEVICE, .path = "/dev/null", .source = "/dev/null"},
    {.kind = CC_OP_SYMLINK, .path = "/bin", .source = "usr/bin"},
    {.kind = CC_OP_SYMLINK, .path = "/lib", .source = "usr/lib"},
    {.kind = CC_OP_SYMLINK, .path = "/lib64", .source = "usr/lib64"},
    {.kind = CC_OP_TRY_BIND, .path = "/not/here", .source = "/not/here"},
    {.kind = CC_OP_PROC, .path = "/proc"},
    {.kind = CC_OP_TEXT, .path = "/etc/said", .bytes = {"a\0b", 3}},
    {.kind = CC_OP_TMPFS, .path = "/box", .size = 64 << 20},
    {.kind = CC_OP_INPUT, .path = "sub/in.txt", .bytes = {"input", 5}},
};
static const char *const no_env[] = {"PATH=/usr/bin:/bin", NULL};
static const cc_step_limits wide = {.file_size = 1 << 20, .processes = 64, .files = 64, .stack = 8 << 20};

static cc_step shell(const char *script, int out) {
    static const char *slots[8][4]; // of the steps that one test has at once
    static size_t next;
    const char **argv = slots[next++ % 8];
    argv[0] = "/bin/sh", argv[1] = "-c", argv[2] = script;
    return (cc_step){.path = argv[0], .argv = argv, .envp = no_env, .in = -1, .out = out, .err = out, .limits = wide};
}

static cc_sandbox_spec spec_of(cc_isolation level, const cc_step *steps, size_t n) {
    cc_sandbox_spec spec = {.level = level, .cwd = "/box", .ops = root_ops, .n_ops = CC_ARRAY_LEN(root_ops), .steps = steps, .n_steps = n};
    if (level != CC_ISOLATION_FULL) spec.cwd = NULL, spec.n_ops = 2; // nothing of its own is made on the host
    return spec;
}

static void skip_unless_full(void) {
    if (cc_sandbox_probe()->level == CC_ISOLATION_FULL) return;
    print_message("skipped: %s\n", cc_sandbox_probe()->reason);
    skip();
}

typedef struct heard {
    cc_report ended[CC_SANDBOX_STEPS], failed;
    unsigned n_ended, started, ready;
    char out[4096];
    size_t n_out;
} heard;

// Listens until the sandbox is done.
static void hear(cc_sandbox *s, int out, heard *h) {
    int64_t until = cc_now_ms() + 20000;
    for (int got = 0; got >= 0;) {
        if (cc_now_ms() > until) fail_msg("the sandbox does not end");
        struct pollfd on[2] = {{.fd = s->reports, .events = POLLIN}, {.fd = out, .events = POLLIN}};
        poll(on, 2, 100);
        cc_report r;
        while ((got = cc_sandbox_next(s, &r)) > 0) {
            if (r.kind == CC_REPORT_READY) h->ready++;
            if (r.kind == CC_REPORT_STARTED) h->started++;
            if (r.kind == CC_REPORT_ENDED) h->ended[h->n_ended++] = r;
            if (r.kind == CC_REPORT_FAILED) h->failed = r;
        }
    }
    cc_sandbox_finish(s);
    ssize_t n;
    while (out >= 0 && (n = read(out, h->out + h->n_out, sizeof h->out - 1 - h->n_out)) > 0) h->n_out += (size_t)n;
}

static void run_script(cc_isolation level, const char *script, heard *h) {
    int p[2];
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    cc_step step = shell(script, p[1]);
    cc_sandbox_spec spec = spec_of(level, &step, 1);
    cc_sandbox s;
    cc_report fault;
    *h = (heard){0};
    assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
    close(p[1]);
    hear(&s, p[0], h);
    close(p[0]);
}

static void it_sees_what_the_operations_make(void **state) {
    (void)state;
    skip_unless_full();
    heard h;
    run_script(CC_ISOLATION_FULL,
               "pwd; cat sub/in.txt; od -An -c /etc/said; ls -A /; ls -A /etc; id -u; echo w >/etc/said; echo w >/x; echo w >/usr/x; ls "
               "/proc | grep -c '^[0-9]'; "
               "cat /proc/1/environ; tr -d '\\000' </proc/1/cmdline; grep -c . /proc/net/dev; uname -n",
               &h);
    assert_int_equal(h.failed.error, 0);
    assert_int_equal(h.n_ended, 1);
    assert_non_null(strstr(h.out, "/box\ninput"));
    assert_non_null(strstr(h.out, "a  \\0   b"));
    assert_null(strstr(h.out, "\nroot\n")); // no home of anybody
    assert_null(strstr(h.out, "shadow"));
    assert_non_null(strstr(h.out, "\n1000\n"));
    assert_non_null(strstr(h.out, "cannot create /etc/said"));
    assert_non_null(strstr(h.out, "cannot create /x: Read-only"));
    assert_non_null(strstr(h.out, "cannot create /usr/x: Read-only"));
    assert_non_null(strstr(h.out, "environ: Permission denied"));
    assert_null(strstr(h.out, "test_sandbox"));       // the launcher's command line
    assert_non_null(strstr(h.out, "\n3\nsandbox\n")); // two lines of heading, loopback
}

// The shell reads itself, its work directory and what is bound; the machine's files are closed to it, and so is its supervisor.
static void restricted_opens_only_what_is_named(void **state) {
    (void)state;
    if (cc_landlock_abi() < CC_LANDLOCK_ABI_SCOPES) {
        print_message("skipped: Landlock ABI %d\n", cc_landlock_abi());
        skip();
    }
    char top[64], secret[96], script[1024];
    make_tree(top);
    assert_int_equal(chmod(top, 0755), 0);
    snprintf(secret, sizeof secret, "%s/secret", top);
    int fd = open(secret, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "hidden", 6), 6);
    assert_int_equal(fchmod(fd, 0666), 0);
    close(fd);
    char work[96];
    snprintf(work, sizeof work, "%s/work", top);
    assert_int_equal(mkdir(work, 0755), 0);
    snprintf(script, sizeof script,
             "read x <%s || echo closed; echo y 2>&1 >%s; read x </proc/self/stat && echo self; read x </proc/$PPID/stat || echo none; "
             "kill -9 $PPID || echo kept; echo w >f && read y <f && echo $y; read z <sub/in.txt; echo $z; chmod 700 %s && echo changed; "
             "mv ../secret . || echo stays; exit 3",
             secret, secret, secret);
    int p[2];
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    cc_step step = shell(script, p[1]);
    cc_op ops[] = {{.kind = CC_OP_BIND, .path = "/usr", .source = "/usr"},
                   {.kind = CC_OP_PROC, .path = "/proc"},
                   {.kind = CC_OP_INPUT, .path = "sub/in.txt", .bytes = CC_STR("input\n")}};
    cc_sandbox_spec spec = {
        .level = CC_ISOLATION_RESTRICTED, .cwd = work, .ops = ops, .n_ops = CC_ARRAY_LEN(ops), .steps = &step, .n_steps = 1};
    cc_sandbox s;
    cc_report fault;
    heard h = {0};
    assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
    close(p[1]);
    hear(&s, p[0], &h);
    close(p[0]);
    assert_int_equal(h.failed.error, 0);
    assert_int_equal(h.ended[0].exit_code, 3);
    assert_int_equal(h.ended[0].gaps & (CC_GAP_FILES | CC_GAP_PROCESSES | CC_GAP_PROCESS_TREE), 0);
    static const char *const said[] = {"closed\n", "self\n", "none\n", "kept\n", "\nw\ninput\n", "stays\n"};
    for (size_t i = 0; i < CC_ARRAY_LEN(said); i++) assert_non_null(strstr(h.out, said[i]));
    assert_null(strstr(h.out, "changed")); // as root the guest is somebody else, as a user no mode can be changed
    char text[16] = "";
    fd = open(secret, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, text, sizeof text), 6);
    close(fd);
    assert_string_equal(text, "hidden");
    struct stat st;
    assert_int_equal(stat(top, &st), 0);
    assert_int_equal(cc_sandbox_remove_tree(top, st.st_dev, st.st_ino), 0);
}

static void steps_follow_each_other(void **state) {
    (void)state;
    skip_unless_full();
    int p[2];
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    // What the first leaves running is gone in the second, what it writes is there; the third is never begun.
    cc_step steps[] = {shell("echo one >f; sleep 1000 & exit 0", p[1]), shell("cat f; ls /proc >g; grep -c '^[0-9]' g; exit 7", p[1]),
                       shell("echo never", p[1])};
    cc_sandbox_spec spec = spec_of(CC_ISOLATION_FULL, steps, 3);
    cc_sandbox s;
    cc_report fault;
    heard h = {0};
    assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
    close(p[1]);
    hear(&s, p[0], &h);
    close(p[0]);
    assert_int_equal(h.n_ended, 2);
    assert_int_equal(h.ended[0].exit_code, 0);
    assert_int_equal(h.ended[1].exit_code, 7);
    assert_string_equal(h.out, "one\n3\n"); // init, the shell and ls
}

static void a_signal_and_an_exit_code_are_told_apart(void **state) {
    (void)state;
    static const cc_isolation levels[] = {CC_ISOLATION_FULL, CC_ISOLATION_RESTRICTED, CC_ISOLATION_RLIMITS};
    for (size_t i = 0; i < CC_ARRAY_LEN(levels); i++) {
        if (levels[i] > cc_sandbox_probe()->level) continue;
        heard h;
        run_script(levels[i], "exit 137", &h);
        assert_int_equal(h.ended[0].exit_code, 137);
        assert_int_equal(h.ended[0].signal, 0);
        run_script(levels[i], "kill -9 $$", &h);
        assert_int_equal(h.ended[0].exit_code, -1);
        assert_int_equal(h.ended[0].signal, SIGKILL);
    }
}

static void a_missing_program_is_a_failure_of_set_up(void **state) {
    (void)state;
    skip_unless_full();
    static const char *const argv[] = {"/nowhere", NULL};
    cc_step step = {.path = argv[0], .argv = argv, .envp = no_env, .in = -1, .out = -1, .err = -1, .limits = wide};
    cc_sandbox_spec spec = spec_of(CC_ISOLATION_FULL, &step, 1);
    cc_sandbox s;
    cc_report fault;
    heard h = {0};
    assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
    hear(&s, -1, &h);
    assert_int_equal(h.failed.error, ENOENT);
    assert_int_equal(h.n_ended, 0);
}

static void stopping_ends_the_whole_tree(void **state) {
    (void)state;
    static const cc_isolation levels[] = {CC_ISOLATION_FULL, CC_ISOLATION_RESTRICTED, CC_ISOLATION_RLIMITS};
    for (size_t i = 0; i < CC_ARRAY_LEN(levels); i++) {
        if (levels[i] > cc_sandbox_probe()->level) continue;
        int p[2];
        assert_int_equal(pipe2(p, O_CLOEXEC), 0);
        cc_step step = shell("trap '' TERM INT HUP; (setsid sleep 1000 &) ; (setsid sleep 1000 &) ; sleep 0.1; echo up; sleep 1000", p[1]);
        cc_sandbox_spec spec = spec_of(levels[i], &step, 1);
        cc_sandbox s;
        cc_report fault;
        heard h = {0};
        assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
        close(p[1]);
        char line[8];
        assert_int_equal(read(p[0], line, sizeof line), 3);
        int64_t t = cc_now_ms();
        cc_sandbox_stop(&s);
        hear(&s, p[0], &h); // the end of the pipe: nobody holds it any more
        assert_true(cc_now_ms() - t < 1500);
        assert_int_equal(h.ended[0].cause, CC_STOP_ASKED);
        close(p[0]);
    }
}

static void nothing_outlives_a_killed_launcher(void **state) {
    (void)state;
    static const cc_isolation levels[] = {CC_ISOLATION_FULL, CC_ISOLATION_RESTRICTED, CC_ISOLATION_RLIMITS};
    for (size_t i = 0; i < CC_ARRAY_LEN(levels); i++) {
        if (levels[i] > cc_sandbox_probe()->level) continue;
        int p[2];
        assert_int_equal(pipe2(p, O_CLOEXEC), 0);
        pid_t launcher = fork();
        if (launcher == 0) {
            cc_step step = shell("(setsid sleep 1000 &) ; sleep 0.1; echo up; sleep 1000", p[1]);
            cc_sandbox_spec spec = spec_of(levels[i], &step, 1);
            cc_sandbox s;
            cc_report fault;
            if (cc_sandbox_start(&spec, &s, &fault)) _exit(1);
            close(p[1]);
            for (;;) pause();
        }
        close(p[1]);
        char line[8];
        assert_int_equal(read(p[0], line, sizeof line), 3);
        kill(launcher, SIGKILL);
        assert_int_equal(waitpid(launcher, NULL, 0), launcher);
        // The pipe ends when the last process that holds it is gone.
        struct pollfd on = {.fd = p[0], .events = POLLIN};
        assert_int_equal(poll(&on, 1, 1500), 1);
        assert_int_equal(read(p[0], line, sizeof line), 0);
        close(p[0]);
    }
}

static void a_blank_sandbox_waits_for_its_order(void **state) {
    (void)state;
    static const cc_isolation levels[] = {CC_ISOLATION_FULL, CC_ISOLATION_RLIMITS};
    for (size_t i = 0; i < 2; i++) {
        if (levels[i] > cc_sandbox_probe()->level) continue;
        bool all = levels[i] == CC_ISOLATION_FULL;
        cc_sandbox_spec blank = spec_of(levels[i], NULL, 0), spec;
        if (all) blank.n_ops = 7; // the rest comes with the order
        cc_sandbox s;
        cc_report fault;
        heard h = {0};
        assert_int_equal(cc_sandbox_open(&blank, &s, &fault), 0);
        struct pollfd on = {.fd = s.pidfd, .events = POLLIN};
        assert_int_equal(poll(&on, 1, 100), 0);
        // What the order names exists for a moment only, and each stream goes where it belongs.
        int out[2], err[2];
        assert_int_equal(pipe2(out, O_CLOEXEC), 0);
        assert_int_equal(pipe2(err, O_CLOEXEC), 0);
        char *script = strdup(all ? "cat sub/in.txt; echo wrong >&2; ls -A /etc" : "echo input; echo wrong >&2");
        cc_step step = shell(script, out[1]);
        step.err = err[1];
        spec = spec_of(levels[i], &step, 1);
        if (all) spec.ops = root_ops + 7, spec.n_ops -= 7;
        assert_int_equal(cc_sandbox_begin(&s, &spec, &fault), 0);
        memset(script, 'x', strlen(script));
        free(script);
        close(out[1]);
        close(err[1]);
        hear(&s, out[0], &h);
        char text[32] = "";
        assert_int_equal(read(err[0], text, sizeof text), 6);
        assert_string_equal(text, "wrong\n");
        assert_int_equal(h.ended[0].exit_code, 0);
        assert_string_equal(h.out, all ? "inputsaid\n" : "input\n");
        close(out[0]);
        close(err[0]);
    }
}

static void an_unused_one_ends_with_its_launcher(void **state) {
    (void)state;
    skip_unless_full();
    cc_sandbox_spec blank = spec_of(CC_ISOLATION_FULL, NULL, 0);
    int p[2];
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    pid_t launcher = fork();
    if (launcher == 0) {
        cc_sandbox s;
        cc_report fault;
        if (cc_sandbox_open(&blank, &s, &fault)) _exit(1);
        int pid = s.pid;
        if (write(p[1], &pid, sizeof pid) != sizeof pid) _exit(1);
        for (;;) pause();
    }
    int pid;
    assert_int_equal(read(p[0], &pid, sizeof pid), sizeof pid);
    struct pollfd on = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    assert_true(on.fd >= 0);
    kill(launcher, SIGKILL);
    assert_int_equal(waitpid(launcher, NULL, 0), launcher);
    assert_int_equal(poll(&on, 1, 1500), 1);
    close(on.fd);
    close(p[0]);
    close(p[1]);
    // The same with a launcher that has no use for it.
    cc_sandbox s;
    cc_report fault;
    assert_int_equal(cc_sandbox_open(&blank, &s, &fault), 0);
    on.fd = (int)syscall(SYS_pidfd_open, s.pid, 0);
    cc_sandbox_finish(&s);
    assert_int_equal(poll(&on, 1, 0), 1);
    close(on.fd);
}

static void memory_and_cpu_are_limited_over_the_tree(void **state) {
    (void)state;
    skip_unless_full();
    cc_step step = shell("(while :; do :; done) & while :; do :; done", -1);
    step.limits.cpu_s = 1;
    cc_sandbox_spec spec = spec_of(CC_ISOLATION_FULL, &step, 1);
    cc_sandbox s;
    cc_report fault;
    heard h = {0};
    assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
    hear(&s, -1, &h);
    assert_int_equal(h.ended[0].cause, CC_STOP_CPU);
    assert_in_range(h.ended[0].cpu_us, 900000, 2500000);

    step = shell("yes | head -c 20000000 >f; sleep 1000", -1); // a file in memory
    step.limits.file_size = 64 << 20;
    step.limits.tree_memory = 12 << 20;
    spec = spec_of(CC_ISOLATION_FULL, &step, 1);
    h = (heard){0};
    assert_int_equal(cc_sandbox_start(&spec, &s, &fault), 0);
    hear(&s, -1, &h);
    assert_int_equal(h.ended[0].cause, CC_STOP_MEMORY);
    assert_true(h.ended[0].peak_kb > 12 << 10);
}

static void descriptors_are_not_leaked(void **state) {
    (void)state;
    heard h;
    int fd = open("/etc/passwd", O_RDONLY); // not close-on-exec
    int before = dup(0);
    close(before);
    for (int i = 0; i < 3; i++)
        run_script(cc_sandbox_probe()->level,
                   "for f in 3 4 5 6 7 8 9 10 11 12 13 14 15; do [ -e /proc/self/fd/$f ] && echo open $f; done; echo done", &h);
    assert_string_equal(h.out, "done\n");
    int after = dup(0);
    assert_int_equal(after, before);
    close(after);
    close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filter_decides),
        cmocka_unit_test(filter_looks_at_arguments),
        cmocka_unit_test(restricted_filter_refuses_what_landlock_does_not_govern),
        cmocka_unit_test(tree_is_removed),
        cmocka_unit_test(another_tree_is_not),
        cmocka_unit_test(it_sees_what_the_operations_make),
        cmocka_unit_test(restricted_opens_only_what_is_named),
        cmocka_unit_test(steps_follow_each_other),
        cmocka_unit_test(a_signal_and_an_exit_code_are_told_apart),
        cmocka_unit_test(a_missing_program_is_a_failure_of_set_up),
        cmocka_unit_test(stopping_ends_the_whole_tree),
        cmocka_unit_test(nothing_outlives_a_killed_launcher),
        cmocka_unit_test(a_blank_sandbox_waits_for_its_order),
        cmocka_unit_test(an_unused_one_ends_with_its_launcher),
        cmocka_unit_test(memory_and_cpu_are_limited_over_the_tree),
        cmocka_unit_test(descriptors_are_not_leaked),
    };
    return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}
