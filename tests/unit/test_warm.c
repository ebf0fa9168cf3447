// Prepared toolchains: made once, whole or not at all whatever goes wrong meanwhile, and not taken away from under a run. The toolchains
// here are shell commands, filled in a real sandbox.
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

static char home[64], top[128];
static cc_arena arena;

static int set_up(void **state) {
    (void)state;
    cc_error err;
    strcpy(home, "/tmp/codecalc-warm-XXXXXX");
    if (!mkdtemp(home)) return -1;
    snprintf(top, sizeof top, "%s/codecalc/warm", home);
    setenv("XDG_CACHE_HOME", home, 1);
    setenv("CODECALC_AUDIT_LOG", "", 1);
    setenv("CODECALC_LOG", "error", 1);
    return cc_settings_load(&err);
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

static void skip_unless_full(void) {
    if (cc_sandbox_probe()->level == CC_ISOLATION_FULL) return;
    print_message("skipped: only full isolation prepares toolchains\n");
    skip();
}

// A language that is bash, with a toolchain that this script fills.
static cc_resolution toolchain(const char *script) {
    static cc_variant variant;
    static cc_warm warm;
    static const char *words[5];
    cc_resolution r;
    cc_error err;
    assert_int_equal(cc_language_resolve(&arena, cc_language_find(CC_STR("bash")), &r, &err), 0);
    words[0] = "/bin/sh", words[1] = "-c", words[2] = script, words[3] = "{warm}", words[4] = NULL; // {warm} is $0
    warm = (cc_warm){.name = "test", .fill = words};
    variant = *r.variant;
    variant.warm = &warm;
    r.variant = &variant;
    return r;
}

static bool there(const char *directory, const char *name) {
    struct stat st;
    int at = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC), found = at >= 0 && fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    close(at);
    return found;
}

// Names in the directory of all toolchains, joined by spaces.
static const char *names(void) {
    static char text[1024];
    text[0] = 0;
    DIR *d = opendir(top);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) strcat(strcat(text, e->d_name), " ");
    if (d) closedir(d);
    return text;
}

static unsigned count(void) {
    unsigned n = 0;
    for (const char *p = names(); *p; p++) n += *p == ' ';
    return n;
}

static void clear(void) {
    cc_warm_kept kept;
    cc_warm_clear(&kept);
    assert_int_equal(kept.in_use, 0);
    assert_int_equal(kept.stuck, 0);
    assert_int_equal(count(), 0);
}

static int prepare(const char *script, cc_resolution *r) {
    *r = toolchain(script);
    int fd = cc_warm_prepare(&arena, r, NULL);
    assert_int_equal(fd >= 0, r->warm != NULL);
    return fd;
}

static void it_is_made_once(void **state) {
    (void)state;
    skip_unless_full();
    static const char script[] = "mkdir $0/d; date +%N >$0/d/made; printf 12345 >$0/five; ln -s /etc/passwd $0/link";
    cc_resolution r;
    struct stat first, second;
    char path[512];
    CC_CLEANUP_FD int one = prepare(script, &r);
    assert_true(one >= 0);
    assert_true(there(r.warm, "five") && !there(r.warm, "link"));
    snprintf(path, sizeof path, "%s/d/made", r.warm);
    assert_int_equal(stat(path, &first), 0);
    assert_int_equal(first.st_uid, geteuid());
    assert_int_equal(first.st_mode & 0777, 0644);
    CC_CLEANUP_FD int two = prepare(script, &r);
    assert_true(two >= 0);
    assert_int_equal(stat(path, &second), 0);
    assert_int_equal(first.st_ino, second.st_ino);
    assert_int_equal(count(), 1);
    cc_warm_kept kept;
    cc_warm_measure(&kept);
    assert_int_equal(kept.toolchains, 1);
    assert_int_equal(kept.bytes, (uint64_t)first.st_size + 5);
    // A change of what fills it is another toolchain; the first one stays while it may still be used.
    CC_CLEANUP_FD int other = prepare("printf 1 >$0/one", &r);
    assert_true(other >= 0);
    assert_int_equal(count(), 2);
    cc_fd_close(&one), cc_fd_close(&two), cc_fd_close(&other);
    clear();
}

static void what_is_used_is_not_removed(void **state) {
    (void)state;
    skip_unless_full();
    cc_resolution r;
    cc_warm_kept kept;
    CC_CLEANUP_FD int fd = prepare("echo 1 >$0/a", &r);
    CC_CLEANUP_FD int second = prepare("echo 1 >$0/a", &r);
    assert_true(fd >= 0 && second >= 0);
    for (int i = 0; i < 2; i++) {
        cc_warm_clear(&kept);
        assert_int_equal(kept.in_use, 1);
        assert_int_equal(kept.toolchains, 0);
        assert_int_equal(kept.bytes, 0);
        assert_true(there(r.warm, "a"));
        cc_fd_close(i ? &second : &fd);
    }
    cc_warm_clear(&kept);
    assert_int_equal(kept.toolchains, 1);
    assert_int_equal(kept.in_use, 0);
    assert_int_equal(count(), 0);
}

// ---- filling fails ----

static void a_failure_leaves_no_half(void **state) {
    (void)state;
    skip_unless_full();
    static const char script[] = "echo half >$0/a; exit 3";
    cc_resolution r;
    assert_int_equal(prepare(script, &r), -1);
    assert_int_equal(count(), 1); // a directory with nothing in it
    char path[512];
    snprintf(path, sizeof path, "%s/%.*s", top, (int)strcspn(names(), " "), names());
    assert_false(there(path, "files"));
    int64_t began = cc_now_ms();
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(prepare(script, &r), -1); // not tried again
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    // After a day it is.
    struct timespec then[2] = {{.tv_sec = time(NULL) - 90000}, {.tv_sec = time(NULL) - 90000}};
    assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
    assert_int_equal(prepare(script, &r), -1);
    assert_int_equal(stat(path, &after), 0);
    assert_true(after.st_mtim.tv_sec >= before.st_mtim.tv_sec);
    assert_true(cc_now_ms() - began < 60000);
    clear();
    assert_int_equal(prepare("no-such-command", &r), -1);
    clear();
}

static void a_full_disk_leaves_no_half(void **state) {
    (void)state;
    skip_unless_full();
    pid_t pid = fork();
    if (pid == 0) { // in a mount namespace of its own
        if (unshare(geteuid() ? CLONE_NEWUSER | CLONE_NEWNS : CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) _exit(77);
        if (mkdir(top, 0700) && errno != EEXIST) _exit(78);
        if (mount("none", top, "tmpfs", 0, "size=256k,mode=0700")) _exit(77);
        cc_resolution r = toolchain("echo a >$0/a && head -c 1000000 /dev/zero >$0/b && echo c >$0/c");
        int fd = cc_warm_prepare(&arena, &r, NULL);
        if (fd >= 0 || r.warm) _exit(1);
        cc_warm_kept kept;
        cc_warm_measure(&kept);
        if (kept.bytes || kept.toolchains || count() > 1 || strchr(names(), '.')) _exit(2);
        cc_warm_clear(&kept);
        r = toolchain("echo a >$0/a"); // there is room for this
        fd = cc_warm_prepare(&arena, &r, NULL);
        _exit(fd >= 0 && there(r.warm, "a") ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("skipped: nothing can be mounted here\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static volatile sig_atomic_t stopped;
static void on_alarm(int sig) {
    (void)sig;
    stopped = 1;
}

static void cancelling_leaves_nothing(void **state) {
    (void)state;
    skip_unless_full();
    clear();
    struct sigaction act = {.sa_handler = on_alarm}, before;
    sigaction(SIGALRM, &act, &before);
    stopped = 0;
    ualarm(400000, 0);
    cc_resolution r = toolchain("echo half >$0/a; sleep 30");
    int64_t began = cc_now_ms();
    assert_int_equal(cc_warm_prepare(&arena, &r, &stopped), -1);
    assert_null(r.warm);
    assert_true(cc_now_ms() - began < 10000); // not the 30 s
    sigaction(SIGALRM, &before, NULL);
    assert_int_equal(count(), 0); // not even that it failed: nothing is known of that
}

// ---- killed half-way, and several at once ----

static const char slow[] = "echo half >$0/a; sleep 1; echo whole >$0/b";

static void await_half(void) {
    for (int i = 0; i < 1000; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%.*s/files", top, (int)strcspn(names(), " "), names());
        if (there(path, "a")) return;
        usleep(10000);
    }
    fail_msg("nothing was filled: %s", names());
}

static pid_t prepare_in_child(void) {
    pid_t pid = fork();
    if (pid) return pid;
    cc_resolution r = toolchain(slow);
    int fd = cc_warm_prepare(&arena, &r, NULL);
    _exit(fd >= 0 && there(r.warm, "a") && there(r.warm, "b") ? 0 : 1);
}

static void a_killed_one_is_begun_again(void **state) {
    (void)state;
    skip_unless_full();
    clear();
    int status;
    pid_t pid = prepare_in_child();
    await_half();
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(count(), 1);
    assert_non_null(strstr(names(), ".new"));
    cc_resolution r;
    CC_CLEANUP_FD int fd = prepare(slow, &r);
    assert_true(fd >= 0);
    assert_true(there(r.warm, "a") && there(r.warm, "b"));
    assert_int_equal(count(), 1);
    assert_null(strchr(names(), '.'));
    cc_fd_close(&fd);
    // Or cleared: what is being filled is left alone, what was left is not.
    clear();
    pid = prepare_in_child();
    await_half();
    cc_warm_kept kept;
    cc_warm_clear(&kept);
    assert_int_equal(kept.in_use, 1);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    clear();
}

static void several_at_once_fill_it_once(void **state) {
    (void)state;
    skip_unless_full();
    clear();
    pid_t pids[3];
    for (size_t i = 0; i < CC_ARRAY_LEN(pids); i++) pids[i] = prepare_in_child();
    for (size_t i = 0; i < CC_ARRAY_LEN(pids); i++) {
        int status;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count(), 1);
    clear();
}

// Something in the place of a directory, or of the one above all, is nothing that is followed or used.
static void what_others_put_there_is_not_used(void **state) {
    (void)state;
    skip_unless_full();
    clear();
    static const char script[] = "echo 1 >$0/a";
    char path[512], outside[128], precious[160];
    snprintf(outside, sizeof outside, "%s/outside", home);
    snprintf(precious, sizeof precious, "%s/files", outside);
    cc_resolution r;
    int fd = prepare(script, &r);
    snprintf(path, sizeof path, "%s/%.*s", top, (int)strcspn(names(), " "), names());
    cc_fd_close(&fd);
    clear();
    assert_int_equal(mkdir(outside, 0755), 0);
    assert_int_equal(mkdir(precious, 0755), 0);
    assert_int_equal(symlink(outside, path), 0);
    fd = prepare(script, &r); // in place of the link
    assert_true(fd >= 0 && there(r.warm, "a") && !there(precious, "a"));
    cc_fd_close(&fd);
    clear();
    assert_int_equal(symlink(outside, path), 0);
    clear();
    assert_true(there(outside, "files"));
    assert_int_equal(chmod(top, 0777), 0);
    assert_int_equal(prepare(script, &r), -1);
    assert_int_equal(chmod(top, 0700), 0);
    fd = prepare(script, &r);
    assert_true(fd >= 0);
    cc_fd_close(&fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_made_once),
        cmocka_unit_test(what_is_used_is_not_removed),
        cmocka_unit_test(a_failure_leaves_no_half),
        cmocka_unit_test(a_full_disk_leaves_no_half),
        cmocka_unit_test(cancelling_leaves_nothing),
        cmocka_unit_test(a_killed_one_is_begun_again),
        cmocka_unit_test(several_at_once_fill_it_once),
        cmocka_unit_test(what_others_put_there_is_not_used),
    };
    return cmocka_run_group_tests_name("warm", tests, set_up, tear_down);
}
