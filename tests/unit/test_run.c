// Running programs: each verdict, in five languages, and what a program sees of the host and of its call. All languages are run by
// tests/e2e/test_languages.py.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

static cc_arena arena;

static const cc_language *language(const char *name) {
    const cc_language *l = cc_language_find(cc_str_of(name));
    assert_non_null(l);
    return l;
}

static void skip_without(const char *name) {
    cc_resolution found;
    cc_error err;
    if (cc_language_resolve(&arena, language(name), &found, &err) == 0) return;
    print_message("skipped: %s\n", err.msg);
    skip();
}

static cc_run_request request(const char *name, const char *code) {
    return (cc_run_request){.language = language(name), .code = cc_str_of(code), .timeout_ms = 20000};
}

static cc_run_result run(const cc_run_request *q) {
    cc_run_result r;
    cc_error err;
    if (cc_run_execute(&arena, q, &r, &err)) fail_msg("%s", err.msg);
    return r;
}

static void assert_text(cc_str got, const char *expected) {
    if (!cc_str_eqz(got, expected)) fail_msg("'%.*s', not '%s'", (int)got.n, got.p, expected);
}

static bool contains(cc_str text, const char *part) { return text.n && memmem(text.p, text.n, part, strlen(part)); }

static void assert_verdict(const cc_run_result *r, cc_verdict v) {
    if (r->verdict != v)
        fail_msg("%s (%s), not %s; stdout '%.*s' stderr '%.*s'", cc_verdict_name(r->verdict), r->reason ? r->reason : "",
                 cc_verdict_name(v), (int)r->out.text.n, r->out.text.p, (int)r->err.text.n, r->err.text.p);
}

// ---- every verdict in every language ----

typedef struct programs {
    const char *name, *fails, *spins, *hogs, *floods;
    int line; // of the failure in `fails`
} programs;

static const programs all[] = {
    {"python3", "print('before')\nraise SystemExit(int('x'))\n", "while True: pass\n", "x = []\nwhile True: x.append('y' * 1000000)\n",
     "print('z' * 100000)\n", 2},
    {"node", "console.log('before')\nthrow new TypeError('x')\n", "for (;;) {}\n", "const x = []\nfor (;;) x.push(Buffer.alloc(1e6, 1))\n",
     "console.log('z'.repeat(100000))\n", 2},
    {"bash", "echo before\nnosuchcommand\n", "while :; do :; done\n", "x=y\nwhile :; do x=$x$x; done\n",
     "head -c 100000 /dev/zero | tr '\\0' z\n", 2},
    {"c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(\"before\"); exit(3); }\n",
     "int main(void) { for (volatile int i = 0;; i++) {} }\n",
     "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) { char *p = malloc(1000000); if (p) memset(p, 1, 1000000); } }\n",
     "#include <stdio.h>\nint main(void) { for (int i = 0; i < 100000; i++) putchar('z'); }\n", 0},
    {"cpp", "#include <cstdio>\n#include <stdexcept>\nint main() { puts(\"before\"); fflush(stdout); throw std::runtime_error(\"x\"); }\n",
     "int main() { for (volatile int i = 0;; i = i + 1) {} }\n",
     "#include <cstring>\nint main() { for (;;) std::memset(new char[1000000], 1, 1000000); }\n",
     "#include <cstdio>\nint main() { for (int i = 0; i < 100000; i++) putchar('z'); }\n", 0},
};

static void hello_says_what_it_reads(void **state) {
    const programs *p = *state;
    skip_without(p->name);
    cc_error err;
    if (cc_language_try(&arena, language(p->name), &err)) fail_msg("%s", err.msg);
}

static void a_failure_is_rte(void **state) {
    const programs *p = *state;
    skip_without(p->name);
    cc_run_request q = request(p->name, p->fails);
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_RTE);
    assert_text(r.out.text, "before\n");
    assert_true(r.exit_code > 0 || r.signal > 0);
    assert_false(contains(r.err.text, "codecalc-")); // no temporary path
    if (!p->line) return;
    assert_int_equal(r.n_diagnostics, 1);
    assert_int_equal(r.diagnostics[0].line, p->line);
    assert_text(r.diagnostics[0].file, language(p->name)->file);
}

static void spinning_is_tle(void **state) {
    const programs *p = *state;
    skip_without(p->name);
    cc_run_request q = request(p->name, p->spins);
    q.timeout_ms = language(p->name)->variants[0].compile ? 6000 : 700;
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_TLE);
    assert_true(r.timed_out);
    assert_false(r.compiling);
    assert_in_range(r.total_ms, q.timeout_ms - 50, q.timeout_ms + 1000);
}

static void cpu_is_limited(void **state) {
    (void)state;
    skip_without("bash");
    cc_run_request q = request("bash", "(while :; do :; done) & while :; do :; done");
    q.cpu_s = 1;
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_TLE);
    assert_true(r.timed_out);
    assert_in_range(r.cpu_ms, 900, 2000);
}

static void hogging_is_mle(void **state) {
    const programs *p = *state;
    skip_without(p->name);
    cc_run_request q = request(p->name, p->hogs);
    q.memory_mb = 100;
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_MLE);
    assert_non_null(r.reason);
}

static void flooding_is_ole(void **state) {
    const programs *p = *state;
    skip_without(p->name);
    cc_run_request q = request(p->name, p->floods);
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_OLE);
    assert_true(r.out.cut);
    assert_in_range(r.out.bytes, 100000, 100001);
    assert_in_range(r.out.text.n, 64 * 1024, 64 * 1024 + 100);
    assert_int_equal(r.exit_code, 0);
}

static void one_language(void **state) {
    hello_says_what_it_reads(state);
    a_failure_is_rte(state);
    spinning_is_tle(state);
    hogging_is_mle(state);
    flooding_is_ole(state);
}

// ---- compiling ----

static void a_compile_error_is_rte_in_its_own_phase(void **state) {
    (void)state;
    skip_without("c");
    cc_run_request q = request("c", "#include \"part.h\"\nint main(void) { return x; }\n");
    static const cc_str names[] = {{"inc/part.h", 10}}, bytes[] = {{"int unfinished\n", 15}};
    q.file_names = names, q.file_bytes = bytes, q.n_files = 1;
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_RTE); // part.h is in inc
    assert_true(r.compiling);
    assert_int_equal(r.n_diagnostics, 1);
    assert_text(r.diagnostics[0].file, "main.c");
    assert_int_equal(r.diagnostics[0].line, 1);
    assert_int_equal(r.diagnostics[0].column, 10);
    assert_text(r.diagnostics[0].message, "part.h: No such file or directory");
}

static void a_program_that_cannot_be_started_is_no_success(void **state) {
    (void)state;
    skip_without("bash");
    // The compiler says that all is well, and there is no program.
    const cc_language broken = {.name = "broken",
                                .file = "main.x",
                                .extension = "x",
                                .variants = {{.tools = {"bash"},
                                              .compile = (const char *const[]){"{0}", "-c", "exit 0", NULL},
                                              .run = (const char *const[]){"{exe}", NULL}}},
                                .install = ""};
    cc_run_request q = {.language = &broken, .timeout_ms = 5000};
    cc_run_result r;
    cc_error err;
    assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
    assert_int_equal(err.code, CC_VALIDATION);
    assert_non_null(strstr(err.msg, "left no program"));
}

static void a_compiler_sees_no_secret(void **state) {
    (void)state;
    skip_without("c");
    cc_run_request q = request("c", "#include \"/etc/passwd\"\n__asm__(\".incbin \\\"/etc/shadow\\\"\");\nint main(void) { return 0; }\n");
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_RTE);
    if (r.isolation == CC_ISOLATION_FULL) assert_true(contains(r.err.text, "No such file"));
    assert_false(contains(r.err.text, "root:") && r.isolation == CC_ISOLATION_FULL);
}

// ---- what a program gets ----

static void arguments_files_environment_and_input_arrive(void **state) {
    (void)state;
    skip_without("python3");
    cc_run_request q = request("python3", "import os, sys, helper\nprint(sys.argv[1:], helper.x, os.environ['A'], sys.stdin.read(), "
                                          "open('data/d.bin', 'rb').read(), __name__)\n");
    static const cc_str names[] = {{"helper.py", 9}, {"data/d.bin", 10}}, bytes[] = {{"x = 41 + 1\n", 11}, {"\0\xff", 2}};
    static const cc_str args[] = {{"a b", 3}, {"--flag", 6}}, env[] = {{"A=value=1", 9}, {"HOME=/elsewhere", 15}};
    q.file_names = names, q.file_bytes = bytes, q.n_files = 2;
    q.args = args, q.n_args = 2;
    q.env = env, q.n_env = 2;
    q.input = CC_STR("h\xc3\xa9llo");
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_OK);
    assert_text(r.out.text, "['a b', '--flag'] 42 value=1 h\xc3\xa9llo b'\\x00\\xff' __main__\n");
}

static void nothing_of_the_server_reaches_it(void **state) {
    (void)state;
    skip_without("bash");
    cc_run_request q = request(
        "bash", "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; cat /proc/1/cmdline | tr '\\0' ' '; echo; ls /proc/self/fd");
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_OK);
    assert_false(contains(r.out.text, "canary-in-the-environment"));
    if (r.isolation == CC_ISOLATION_FULL) assert_false(contains(r.out.text, "test_run"));
    assert_true(contains(r.out.text, "\n0\n1\n2\n3\n")); // 3 is the listing's own
    assert_false(contains(r.out.text, "\n4\n"));
}

static void the_host_is_out_of_sight(void **state) {
    (void)state;
    skip_without("bash");
    if (cc_sandbox_probe()->level < CC_ISOLATION_FULL) skip();
    cc_run_request q =
        request("bash", "for f in /etc/shadow /etc/hostname /root /home \"$1\" /var/log /run /sys /boot /dev/mem /dev/tty; do [ -e \"$f\" "
                        "] && echo \"sees $f\"; done\n"
                        "echo x 2>/dev/null >/usr/x && echo wrote; (exec 3<>/dev/tcp/127.0.0.1/22) 2>/dev/null && echo connected\n"
                        "[ \"$(id -u)\" = 0 ] && echo root; grep -c '^Max core file size *1 *1 ' /proc/self/limits; grep NoNewPrivs: "
                        "/proc/self/status | cut -f 2");
    static cc_str home;
    home = cc_str_of(getenv("HOME") ? getenv("HOME") : "/root");
    q.args = &home, q.n_args = 1;
    cc_run_result r = run(&q);
    assert_text(r.out.text, "1\n1\n");
}

static void it_returns_when_the_program_ends(void **state) {
    (void)state;
    skip_without("bash");
    cc_run_request q = request("bash", "sleep 1000 &\n(setsid sleep 1000 &)\necho main-done\nexit 3\n");
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_RTE);
    assert_text(r.out.text, "main-done\n");
    assert_int_equal(r.exit_code, 3);
    assert_true(r.total_ms < 3000);
}

static void input_may_be_large_slow_or_unread(void **state) {
    (void)state;
    skip_without("bash");
    size_t n = 4 << 20;
    char *big = malloc(n);
    memset(big, 'i', n);
    cc_run_request q = request("bash", "head -c 10; echo; exit 0");
    q.input = (cc_str){big, n};
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_OK);
    q.code = CC_STR("sleep 0.3; wc -c");
    r = run(&q);
    assert_text(cc_str_trim(r.out.text), "4194304");
    q.code = CC_STR("exec <&-; sleep 0.1; echo closed");
    r = run(&q);
    assert_text(r.out.text, "closed\n");
    free(big);
}

static void a_stop_request_ends_it(void **state) {
    (void)state;
    skip_without("bash");
    static volatile sig_atomic_t stop = 1;
    cc_run_request q = request("bash", "sleep 1000");
    q.stop = &stop;
    cc_run_result r = run(&q);
    assert_true(r.cancelled);
    assert_true(r.total_ms < 2000);
}

static void a_time_limit_keeps_what_was_printed(void **state) {
    (void)state;
    skip_without("python3");
    cc_run_request q = request("python3", "print('so far')\nwhile True:\n    pass\n");
    q.timeout_ms = 1000;
    cc_run_result r = run(&q);
    assert_verdict(&r, CC_VERDICT_TLE);
    assert_text(r.out.text, "so far\n"); // though Python had it in a buffer
    assert_int_equal(r.n_diagnostics, 1);
    assert_in_range(r.diagnostics[0].line, 2, 3);
}

static void nothing_stays_in_the_temporary_directory(void **state) {
    (void)state;
    skip_without("bash");
    if (cc_sandbox_probe()->level == CC_ISOLATION_FULL) { // the directory is not even used
        cc_run_request q = request("bash", "echo x >f; mkdir -p keep/in; chmod 000 keep/in keep; cd /; echo x >/tmp/f; echo ok");
        cc_run_result r = run(&q);
        assert_text(r.out.text, "ok\n");
    }
    assert_int_equal(system("ls -d \"$TMPDIR\"/codecalc-?????? 2>/dev/null | grep -q ."), 256);
}

static void a_request_cannot_choose_less_isolation(void **state) {
    (void)state;
    skip_without("bash");
    cc_isolation before = cc_sandbox_probe()->level;
    static const cc_str names[] = {{"main.sh", 7}, {"a", 1}, {"a/b", 3}}, bytes[] = {{"x", 1}, {"x", 1}, {"x", 1}};
    cc_run_result r;
    cc_error err;
    cc_run_request q = request("bash", "echo ok");
    q.file_names = names, q.file_bytes = bytes, q.n_files = 1; // the program's own name
    assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
    assert_int_equal(err.code, CC_VALIDATION);
    assert_non_null(strstr(err.msg, "main.sh"));
    q.file_names = names + 1, q.n_files = 2; // a file as a directory
    assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
    assert_int_equal(err.code, CC_VALIDATION);
    char *big = calloc(1, 5 << 20);
    memset(big, '#', 5 << 20);
    q = request("bash", "");
    q.code = (cc_str){big, 5 << 20}; // more than its memory
    q.memory_mb = 1;
    if (before == CC_ISOLATION_FULL) {
        assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
        assert_int_equal(err.code, CC_RESOURCE_EXHAUSTED);
    }
    memset(big, 'a', 3 << 20);
    cc_str arg = {big, 3 << 20};
    q = request("bash", "");
    q.args = &arg, q.n_args = 1;
    assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
    assert_int_equal(err.code, CC_VALIDATION);
    free(big);
    q = request("bash", "echo ok");
    r = run(&q);
    assert_int_equal(r.isolation, before);
}

static void bad_requests_name_the_field(void **state) {
    (void)state;
    cc_run_result r;
    cc_error err;
    static const cc_str bad_names[] = {{"../x", 4}, {"/etc/x", 6}, {"a//b", 4}, {"a/./b", 5}, {"", 0}, {"a\0b", 3}};
    for (size_t i = 0; i < CC_ARRAY_LEN(bad_names); i++) {
        cc_run_request q = request("bash", "");
        q.file_names = &bad_names[i], q.file_bytes = &bad_names[i], q.n_files = 1;
        assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
        assert_int_equal(err.code, CC_VALIDATION);
        assert_non_null(strstr(err.msg, "files"));
    }
    static const cc_str bad_env[] = {{"A B=c", 5}, {"=x", 2}, {"1A=x", 4}};
    for (size_t i = 0; i < CC_ARRAY_LEN(bad_env); i++) {
        cc_run_request q = request("bash", "");
        q.env = &bad_env[i], q.n_env = 1;
        assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
        assert_non_null(strstr(err.msg, "env"));
    }
    cc_run_request q = request("bash", "");
    q.code = (cc_str){"echo a\0b", 8};
    assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
    assert_non_null(strstr(err.msg, "byte 6"));
    q = request("bash", "");
    q.network = true;
    assert_int_equal(cc_run_execute(&arena, &q, &r, &err), -1);
    assert_int_equal(err.code, CC_PERMISSION_DENIED);
    assert_non_null(strstr(err.remedy, "CODECALC_CAPABILITY_POLICY"));
}

// ---- the table ----

static void names_and_aliases_are_found(void **state) {
    (void)state;
    assert_string_equal(language("c++")->name, "cpp");
    assert_string_equal(language("Python3")->name, "python3");
    assert_null(cc_language_find(CC_STR("python33")));
    assert_string_equal(language("JavaScript")->name, "node");
    assert_null(cc_language_find(CC_STR("python 3")));
    assert_null(cc_language_find((cc_str){0}));
    assert_string_equal(cc_language_nearest(CC_STR("pyhton3")), "python3");
    assert_null(cc_language_nearest(CC_STR("cobol")));
    for (size_t i = 0; i < cc_languages_count; i++) { // a name means one language
        const cc_language *l = cc_languages[i];
        assert_ptr_equal(language(l->name), l);
        for (const char *const *alias = l->aliases; alias && *alias; alias++) assert_ptr_equal(language(*alias), l);
    }
}

static int set_up(void **state) {
    (void)state;
    setenv("SECRET", "canary-in-the-environment", 1);
    static char tmp[] = "/tmp/codecalc-tests-XXXXXXX";
    if (!mkdtemp(tmp) || chmod(tmp, 0755) || setenv("TMPDIR", tmp, 1)) return -1;
    cc_error err;
    setenv("CODECALC_CACHE_MB", "0", 1); // every program here is really compiled
    return cc_settings_load(&err);
}

static int tear_down(void **state) {
    (void)state;
    cc_arena_free(&arena);
    return rmdir(getenv("TMPDIR")); // fails when a run left something
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(one_language, (void *)(uintptr_t)&all[0]),
        cmocka_unit_test_prestate(one_language, (void *)(uintptr_t)&all[1]),
        cmocka_unit_test_prestate(one_language, (void *)(uintptr_t)&all[2]),
        cmocka_unit_test_prestate(one_language, (void *)(uintptr_t)&all[3]),
        cmocka_unit_test_prestate(one_language, (void *)(uintptr_t)&all[4]),
        cmocka_unit_test(cpu_is_limited),
        cmocka_unit_test(a_compile_error_is_rte_in_its_own_phase),
        cmocka_unit_test(a_program_that_cannot_be_started_is_no_success),
        cmocka_unit_test(a_compiler_sees_no_secret),
        cmocka_unit_test(arguments_files_environment_and_input_arrive),
        cmocka_unit_test(nothing_of_the_server_reaches_it),
        cmocka_unit_test(the_host_is_out_of_sight),
        cmocka_unit_test(it_returns_when_the_program_ends),
        cmocka_unit_test(input_may_be_large_slow_or_unread),
        cmocka_unit_test(a_stop_request_ends_it),
        cmocka_unit_test(a_time_limit_keeps_what_was_printed),
        cmocka_unit_test(nothing_stays_in_the_temporary_directory),
        cmocka_unit_test(a_request_cannot_choose_less_isolation),
        cmocka_unit_test(bad_requests_name_the_field),
        cmocka_unit_test(names_and_aliases_are_found),
    };
    return cmocka_run_group_tests_name("run", tests, set_up, tear_down);
}
