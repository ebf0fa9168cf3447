// Left-over work directories: which ones are, and that removing them touches nothing else. (The command line's side: test_cli_status.py.)
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/leftovers.h"

static char base[64];

static const char *in_base(const char *name) {
    static char paths[4][256];
    static unsigned turn;
    char *p = paths[turn++ % 4];
    snprintf(p, sizeof paths[0], "%s/%s", base, name);
    return p;
}

static bool there(const char *name) {
    struct stat st;
    return lstat(in_base(name), &st) == 0;
}

static void make_file(const char *name) {
    int fd = open(in_base(name), O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static int set_up(void **state) {
    (void)state;
    cc_error err;
    strcpy(base, "/tmp/codecalc-leftovers-XXXXXX");
    if (!mkdtemp(base)) return -1;
    setenv("CODECALC_RUN_STATE_DIR", in_base("runs"), 1);
    setenv("CODECALC_AUDIT_LOG", "", 1);
    if (mkdir(in_base("tmp"), 0700)) return -1;
    setenv("TMPDIR", in_base("tmp"), 1);
    return cc_settings_load(&err);
}

static int tear_down(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -r %s", base, base);
    return system(command);
}

static void test_folders(void **state) {
    (void)state;
    cc_leftovers l;
    cc_error err;
    static const char *const folders[] = {"outside",
                                          "tmp/codecalc-aB3dE6",
                                          "tmp/codecalc-aB3dE6/deep",
                                          "tmp/codecalc-aB3dE6/deep/er",
                                          "tmp/codecalc-000000",
                                          "tmp/codecalc-tests-x",
                                          "tmp/codecalc-abc",
                                          "tmp/codecalc-ab..ef",
                                          "tmp/else"};
    for (size_t i = 0; i < CC_ARRAY_LEN(folders); i++) assert_int_equal(mkdir(in_base(folders[i]), 0700), 0);
    make_file("outside/precious");
    make_file("tmp/codecalc-aB3dE6/deep/er/f");
    make_file("tmp/codecalc-zzzzzz"); // no folder
    assert_int_equal(symlink(in_base("outside"), in_base("tmp/codecalc-aB3dE6/link")), 0);
    assert_int_equal(symlink(in_base("outside"), in_base("tmp/codecalc-linked")), 0);
    assert_int_equal(chmod(in_base("tmp/codecalc-aB3dE6/deep"), 0), 0);

    int64_t now = cc_run_now_ms(), later = now + CC_FOLDER_STALE_S * INT64_C(1000) + 2000;
    assert_int_equal(cc_leftovers_find(now, true, &l, &err), 0);
    assert_int_equal(l.folders, 2);
    assert_int_equal(l.stale_folders, 0);
    assert_int_equal(cc_leftovers_find(later, false, &l, &err), 0);
    assert_int_equal(l.stale_folders, 2);
    assert_true(there("tmp/codecalc-aB3dE6") && there("tmp/codecalc-000000"));
    assert_int_equal(cc_leftovers_find(later, true, &l, &err), 0);
    assert_int_equal(l.stale_folders, 2);
    assert_int_equal(l.kept_folders, 0);
    assert_false(there("tmp/codecalc-aB3dE6") || there("tmp/codecalc-000000"));
    assert_true(there("outside/precious") && there("tmp/codecalc-linked") && there("tmp/codecalc-zzzzzz") && there("tmp/else"));
    assert_true(there("tmp/codecalc-tests-x") && there("tmp/codecalc-abc") && there("tmp/codecalc-ab..ef"));
    assert_int_equal(cc_leftovers_find(later, true, &l, &err), 0);
    assert_int_equal(l.folders, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_folders, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
