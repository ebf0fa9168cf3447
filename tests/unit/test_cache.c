// Compiled programs that are kept: what is taken for the same program and what is not, entries that somebody or something spoiled, the
// bound by bytes, and what a step leaves in its work directory.
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

static char home[64], programs[128];

static void skip_unless_kept(void) {
    cc_error err;
    cc_resolution r;
    CC_CLEANUP_ARENA cc_arena a = {0};
    if (cc_sandbox_probe()->level == CC_ISOLATION_FULL && !cc_language_resolve(&a, cc_language_find(CC_STR("c")), &r, &err)) return;
    print_message("skipped: needs full isolation and a C compiler\n");
    skip();
}

static const char reads[] = "#include <stdio.h>\nint main(void) { char s[9]; puts(fgets(s, 9, stdin) ? s : \"none\"); return 3; }\n";

static cc_run_request request(const char *code) {
    return (cc_run_request){.language = cc_language_find(CC_STR("c")), .code = cc_str_of(code), .timeout_ms = 60000};
}

static bool was_cached(const cc_run_request *q) {
    static cc_arena a;
    cc_error err;
    cc_run_result r;
    cc_arena_reset(&a);
    if (cc_run_execute(&a, q, &r, &err)) fail_msg("%s", err.msg);
    assert_false(r.compiling);
    assert_true(!r.compile_cached || !r.compile_ms);
    return r.compile_cached;
}

// The one entry there is, as a path.
static const char *entry(void) {
    static char path[512];
    DIR *d = opendir(programs);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') n++, snprintf(path, sizeof path, "%s/%s", programs, e->d_name);
    if (d) closedir(d);
    return n == 1 ? path : NULL;
}

static void clear(void) {
    unsigned n;
    uint64_t bytes;
    cc_cache_clear(&n, &bytes);
    assert_null(entry());
}

static void the_same_is_compiled_once(void **state) {
    (void)state;
    skip_unless_kept();
    clear();
    static cc_arena a;
    cc_error err;
    cc_run_result r;
    cc_run_request q = request(reads);
    q.input = CC_STR("one");
    assert_int_equal(cc_run_execute(&a, &q, &r, &err), 0);
    assert_false(r.compile_cached);
    q.input = CC_STR("two");
    q.args = (cc_str[]){CC_STR("arg")};
    q.n_args = 1;
    q.memory_mb = 64;
    assert_int_equal(cc_run_execute(&a, &q, &r, &err), 0);
    assert_true(r.compile_cached);
    assert_int_equal(r.exit_code, 3);
    assert_true(cc_str_eqz(r.out.text, "two\n"));
    q.fresh = true;
    assert_false(was_cached(&q));
    // Nothing but the entry is left.
    assert_non_null(entry());
    struct stat st;
    assert_int_equal(stat(entry(), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(stat(programs, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    unsigned n;
    uint64_t bytes;
    cc_cache_clear(&n, &bytes);
    assert_int_equal(n, 1);
    assert_in_range(bytes, 4096, 1 << 20);
    assert_false(was_cached(&(cc_run_request){.language = q.language, .code = q.code, .timeout_ms = 60000}));
}

static void another_is_compiled(void **state) {
    (void)state;
    skip_unless_kept();
    clear();
    cc_str name = CC_STR("add.h"), first = CC_STR("#define N 1\n"), second = CC_STR("#define N 2\n");
    cc_run_request q = request("#include \"add.h\"\nint main(void) { return N - 1 + N - 1; }\n");
    q.file_names = &name;
    q.n_files = 1;
    q.file_bytes = &first;
    assert_false(was_cached(&q));
    assert_true(was_cached(&q));
    q.file_bytes = &second;
    assert_false(was_cached(&q));
    q.file_bytes = &first;
    assert_true(was_cached(&q));
    cc_str define = CC_STR("CPATH=/usr/include");
    q.env = &define;
    q.n_env = 1;
    assert_false(was_cached(&q)); // the compiler sees it too
    cc_run_request time = request("#include <stdio.h>\nint main(void) { puts(__TIME__); }\n");
    assert_false(was_cached(&time));
    assert_false(was_cached(&time));
    cc_run_request other = request(reads);
    assert_false(was_cached(&other));
    other.language = cc_language_find(CC_STR("cpp"));
    cc_resolution found;
    cc_error err;
    CC_CLEANUP_ARENA cc_arena a = {0};
    if (!cc_language_resolve(&a, other.language, &found, &err)) assert_false(was_cached(&other));
    ((cc_settings *)(uintptr_t)cc_settings_get())->cache_mb = 0;
    assert_false(was_cached(&q));
    ((cc_settings *)(uintptr_t)cc_settings_get())->cache_mb = 256;
}

static void warnings_are_repeated(void **state) {
    (void)state;
    skip_unless_kept();
    clear();
    cc_run_request q = request("#warning look here\nint main(void) { return 0; }\n");
    for (int i = 0; i < 2; i++) {
        CC_CLEANUP_ARENA cc_arena a = {0};
        cc_run_result r;
        cc_error err;
        assert_int_equal(cc_run_execute(&a, &q, &r, &err), 0);
        assert_int_equal(r.compile_cached, i);
        assert_int_equal(r.n_diagnostics, 1);
        assert_int_equal(r.diagnostics[0].line, 1);
        assert_string_equal(r.diagnostics[0].severity, "warning");
    }
}

static void what_fails_is_not_kept(void **state) {
    (void)state;
    skip_unless_kept();
    clear();
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_run_result r;
    cc_error err;
    cc_run_request q = request("int main(void) { return x; }\n");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cc_run_execute(&a, &q, &r, &err), 0);
        assert_true(r.compiling);
        assert_false(r.compile_cached);
        assert_null(entry());
    }
}

static void spoiled_entries_are_not_used(void **state) {
    (void)state;
    skip_unless_kept();
    cc_run_request q = request(reads);
    clear();
    assert_false(was_cached(&q));
    struct stat st;
    assert_int_equal(stat(entry(), &st), 0);
    // A bit anywhere: in the head, the key, the names, the program, the last byte.
    const off_t places[] = {0, 9, 17, 45, 200, st.st_size / 2, st.st_size - 1};
    for (size_t i = 0; i < CC_ARRAY_LEN(places); i++) {
        int fd = open(entry(), O_RDWR);
        char c;
        assert_int_equal(pread(fd, &c, 1, places[i]), 1);
        c ^= 4;
        assert_int_equal(pwrite(fd, &c, 1, places[i]), 1);
        close(fd);
        assert_false(was_cached(&q)); // and compiled anew, in its place
        assert_true(was_cached(&q));
    }
    assert_int_equal(truncate(entry(), st.st_size - 40), 0);
    assert_false(was_cached(&q));
    assert_int_equal(truncate(entry(), 0), 0);
    assert_false(was_cached(&q));
    assert_true(was_cached(&q));
    // What others could have written to, or put there.
    assert_int_equal(chmod(entry(), 0666), 0);
    assert_false(was_cached(&q));
    char moved[128];
    snprintf(moved, sizeof moved, "%s/moved", home);
    char *path = strdup(entry());
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_false(was_cached(&q));
    assert_int_equal(unlink(moved), 0);
    free(path);
    assert_int_equal(chmod(programs, 0777), 0);
    assert_false(was_cached(&q));
    assert_int_equal(chmod(programs, 0700), 0);
}

static void bytes_are_bounded(void **state) {
    (void)state;
    skip_unless_kept();
    clear();
    ((cc_settings *)(uintptr_t)cc_settings_get())->cache_mb = 1;
    char code[5][160];
    for (int i = 0; i < 5; i++) {
        snprintf(code[i], sizeof code[i], "char big[300000] = {%d};\nint main(void) { return big[1]; }\n", i + 1);
        cc_run_request q = request(code[i]), first = request(code[0]);
        assert_false(was_cached(&q));
        usleep(20000);
        if (i) assert_true(was_cached(&first)); // used all the time: never the one to go
        usleep(20000);
    }
    uint64_t bytes = 0;
    DIR *d = opendir(programs);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", programs, e->d_name);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) bytes += (uint64_t)st.st_size;
    }
    closedir(d);
    assert_in_range(bytes, 600000, 1 << 20);
    cc_run_request last = request(code[4]), second = request(code[1]);
    assert_true(was_cached(&last));
    assert_false(was_cached(&second));
    ((cc_settings *)(uintptr_t)cc_settings_get())->cache_mb = 256;
}

// ---- what a step leaves ----

static const cc_op root_ops[] = {
    {.kind = CC_OP_BIND, .path = "/usr", .source = "/usr"},
    {.kind = CC_OP_SYMLINK, .path = "/bin", .source = "usr/bin"},
    {.kind = CC_OP_SYMLINK, .path = "/lib", .source = "usr/lib"},
    {.kind = CC_OP_SYMLINK, .path = "/lib64", .source = "usr/lib64"},
    {.kind = CC_OP_PROC, .path = "/proc"},
    {.kind = CC_OP_DEVICE, .path = "/dev/null", .source = "/dev/null"},
    {.kind = CC_OP_TMPFS, .path = "/box", .size = 64 << 20},
};

// Runs a script and returns what it left.
static cc_str left_by(cc_arena *a, const char *script) {
    const char *const argv[] = {"/bin/sh", "-c", script, NULL}, *const env[] = {"PATH=/usr/bin:/bin", NULL};
    CC_CLEANUP_FD int kept = memfd_create("kept", MFD_CLOEXEC);
    cc_step step = {.path = argv[0], .argv = argv, .envp = env, .in = -1, .out = -1, .err = -1, .keeps = true, .kept = kept};
    step.limits = (cc_step_limits){.file_size = 64 << 20, .processes = 64, .files = 64, .stack = 8 << 20};
    cc_sandbox_spec spec = {
        .level = CC_ISOLATION_FULL, .cwd = "/box", .ops = root_ops, .n_ops = CC_ARRAY_LEN(root_ops), .steps = &step, .n_steps = 1};
    cc_sandbox s;
    cc_report r;
    assert_int_equal(cc_sandbox_start(&spec, &s, &r), 0);
    for (int got = 0; got >= 0;) {
        struct pollfd on = {.fd = s.reports, .events = POLLIN};
        poll(&on, 1, 100);
        while ((got = cc_sandbox_next(&s, &r)) > 0) continue;
    }
    cc_sandbox_finish(&s);
    off_t n = lseek(kept, 0, SEEK_END);
    char *p = cc_arena_alloc(a, (size_t)n + 1);
    assert_int_equal(pread(kept, p, (size_t)n, 0), n);
    return (cc_str){p, (size_t)n};
}

static void files_of_every_kind(void **state) {
    (void)state;
    skip_unless_kept();
    CC_CLEANUP_ARENA cc_arena a = {0};
    cc_str all = left_by(&a, "mkdir -p a/b empty; printf 'x\\000y' >a/b/f; echo run >'n n'; chmod 755 'n n'; : >nothing; (sleep 100 &)"),
           rest = all;
    cc_collected c;
    int more, found = 0;
    while ((more = cc_collected_next(&rest, &c)) > 0) {
        if (cc_str_eqz(c.path, "a/b/f")) found++, assert_true(cc_str_eq(c.bytes, (cc_str){"x\0y", 3}) && !c.executable);
        if (cc_str_eqz(c.path, "n n")) found++, assert_true(cc_str_eqz(c.bytes, "run\n") && c.executable);
        if (cc_str_eqz(c.path, "nothing")) found++, assert_true(!c.bytes.n && !c.directory);
        if (cc_str_eqz(c.path, "empty") || cc_str_eqz(c.path, "a") || cc_str_eqz(c.path, "a/b")) found++, assert_true(c.directory);
    }
    assert_int_equal(more, 0);
    assert_int_equal(found, 6);
    // Cut anywhere, it is not whole, and is never read past its end.
    for (size_t n = 0; n < all.n; n++) {
        char *part = malloc(n + !n);
        memcpy(part, all.p, n);
        rest = (cc_str){part, n};
        while ((more = cc_collected_next(&rest, &c)) > 0) continue;
        assert_int_equal(more, -1);
        free(part);
    }
}

static void what_cannot_be_kept(void **state) {
    (void)state;
    skip_unless_kept();
    static const char *const scripts[] = {"ln -s /etc/passwd out",
                                          "mkfifo pipe",
                                          "echo x >f; chmod 000 f",
                                          "mkdir d; chmod 000 d",
                                          "head -c 26000000 /dev/zero >big",
                                          "for i in $(seq 30); do mkdir d; cd d; done; echo x >f",
                                          "exit 1"};
    for (size_t i = 0; i < CC_ARRAY_LEN(scripts); i++) {
        CC_CLEANUP_ARENA cc_arena a = {0};
        cc_str rest = left_by(&a, scripts[i]);
        cc_collected c;
        int more;
        while ((more = cc_collected_next(&rest, &c)) > 0) continue;
        if (more != -1) fail_msg("'%s' was kept", scripts[i]);
    }
}

int main(void) {
    cc_error err;
    strcpy(home, "/tmp/codecalc-test-XXXXXX");
    if (!mkdtemp(home)) return 1;
    snprintf(programs, sizeof programs, "%s/codecalc/programs", home);
    setenv("XDG_CACHE_HOME", home, 1);
    if (cc_settings_load(&err)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_compiled_once),    cmocka_unit_test(another_is_compiled),
        cmocka_unit_test(warnings_are_repeated),        cmocka_unit_test(what_fails_is_not_kept),
        cmocka_unit_test(spoiled_entries_are_not_used), cmocka_unit_test(bytes_are_bounded),
        cmocka_unit_test(files_of_every_kind),          cmocka_unit_test(what_cannot_be_kept),
    };
    int failed = cmocka_run_group_tests_name("cache", tests, NULL, NULL);
    struct stat st;
    if (stat(home, &st) == 0) cc_sandbox_remove_tree(home, st.st_dev, st.st_ino);
    return failed;
}
