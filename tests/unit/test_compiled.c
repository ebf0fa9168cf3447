// Every compiled language that is here: a program that was kept runs as it did when it was compiled.
#include "unit.h"

#include <sys/stat.h>

#include "codecalc/run.h"

static char home[64];

static void run_hello(const cc_language *l, const char *input, bool cached) {
    CC_CLEANUP_ARENA cc_arena a = {0};
    CC_CLEANUP_BUF cc_buf want = {0};
    cc_error err;
    cc_run_result r;
    const cc_run_request q = {.language = l, .code = cc_str_of(l->hello), .input = cc_str_of(input), .timeout_ms = 100000};
    if (cc_run_execute(&a, &q, &r, &err)) fail_msg("%s: %s", l->name, err.msg);
    cc_buf_printf(&want, "hello %s", input);
    cc_str said = cc_str_trim(r.out.text);
    if (r.verdict != CC_VERDICT_OK || !cc_str_eq(said, cc_buf_str(&want)))
        fail_msg("%s (%s): '%.*s' '%.*s'", l->name, cached ? "kept" : "compiled", (int)said.n, said.p, (int)r.err.text.n, r.err.text.p);
    if (r.compile_cached != cached) fail_msg("%s: compile_cached is %d, the other way round from what it must be", l->name, !cached);
}

static void each_runs_from_what_was_kept(void **state) {
    (void)state;
    if (cc_sandbox_probe()->level != CC_ISOLATION_FULL) skip();
    CC_CLEANUP_ARENA cc_arena a = {0};
    unsigned n = 0;
    char *names = cc_arena_strdup(&a, cc_language_names(&a).p), *rest = NULL;
    for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        const cc_language *l = cc_language_find(cc_str_of(name));
        cc_resolution found;
        cc_error err;
        if (!l || strcmp(l->name, name) != 0 || cc_language_resolve(&a, l, &found, &err) || !found.variant->compile) continue;
        run_hello(l, "world", false);
        run_hello(l, "again", true);
        n++;
    }
    print_message("%u compiled languages\n", n);
}

int main(void) {
    cc_error err;
    strcpy(home, "/tmp/codecalc-test-XXXXXX");
    if (!mkdtemp(home) || setenv("XDG_CACHE_HOME", home, 1) || cc_settings_load(&err)) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_runs_from_what_was_kept)};
    int failed = cmocka_run_group_tests_name("compiled", tests, NULL, NULL);
    struct stat st;
    if (stat(home, &st) == 0) cc_sandbox_remove_tree(home, st.st_dev, st.st_ino);
    return failed;
}
