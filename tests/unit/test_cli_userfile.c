// The user's files: replaced whole or not at all. (Links, modes, locks and owners are in tests/e2e/test_cli_setup.py.)
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/userfile.h"

static char folder[64], path[96];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/codecalc-userfile-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    struct stat st;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return stat(folder, &st) ? -1 : system(command);
}

static void put(const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void expect(const char *text) {
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    assert_int_equal(cc_userfile_load(&f, path, folder, &err), 0);
    assert_true(f.exists);
    assert_text(f.text, text);
}

static void replaces_the_file_that_was_loaded(void **state) {
    (void)state;
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    put("old");
    assert_int_equal(cc_userfile_load(&f, path, folder, &err), 0);
    assert_int_equal(cc_userfile_replace(&f, CC_STR("new"), &err), 0);
    expect("new");
}

static void refuses_a_file_that_changed_since(void **state) {
    (void)state;
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    put("old");
    assert_int_equal(cc_userfile_load(&f, path, folder, &err), 0);
    put("theirs");
    assert_int_equal(cc_userfile_replace(&f, CC_STR("ours"), &err), -1);
    assert_non_null(strstr(err.msg, "changed while it was being edited"));
    assert_int_equal(cc_userfile_delete(&f, &err), -1);
    expect("theirs");
    unlink(path); // gone altogether
    assert_int_equal(cc_userfile_replace(&f, CC_STR("ours"), &err), -1);
    assert_int_equal(access(path, F_OK), -1);
}

static void refuses_a_file_that_appeared_since(void **state) {
    (void)state;
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    assert_int_equal(cc_userfile_load(&f, path, folder, &err), 0);
    assert_false(f.exists);
    put("theirs");
    assert_int_equal(cc_userfile_replace(&f, CC_STR("ours"), &err), -1);
    expect("theirs");
}

static bool first(void *ctx, const char *backup, cc_str text) {
    assert_true(strstr(backup, "/file.codecalc-bak") != NULL);
    cc_buf_adds(ctx, text);
    cc_buf_addc(ctx, ';');
    return false;
}

static void keeps_every_backup(void **state) {
    (void)state;
    char name[4096];
    cc_error err;
    static const char *const versions[] = {"one", "two", "two", "one"};
    for (size_t i = 0; i < CC_ARRAY_LEN(versions); i++) {
        CC_CLEANUP_USERFILE cc_userfile f = {0};
        put(versions[i]);
        assert_int_equal(cc_userfile_load(&f, path, folder, &err), 0);
        assert_int_equal(cc_userfile_backup(&f, name, sizeof name, &err), 0);
    }
    CC_CLEANUP_BUF cc_buf seen = {0};
    assert_false(cc_userfile_backups(path, first, &seen));
    assert_text(seen, "two;one;"); // the newest first, and none twice
}

static void leaves_nothing_beside_the_file(void **state) {
    (void)state;
    CC_CLEANUP_USERFILE cc_userfile f = {0};
    cc_error err;
    put("old");
    assert_int_equal(cc_userfile_load(&f, path, folder, &err), 0);
    assert_int_equal(cc_userfile_replace(&f, CC_STR("new"), &err), 0);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // it was empty
    assert_int_equal(mkdir(folder, 0700), 0);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(replaces_the_file_that_was_loaded),  WITH_FOLDER(refuses_a_file_that_changed_since),
        WITH_FOLDER(refuses_a_file_that_appeared_since), WITH_FOLDER(keeps_every_backup),
        WITH_FOLDER(leaves_nothing_beside_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
