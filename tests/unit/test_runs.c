// The table of background runs: places, order, bounds. It starts nothing, so the test plays the part of who does.
#include "unit.h"

#include "codecalc/runs.h"

static cc_runs *runs;

static int make(void **state) {
    (void)state;
    runs = cc_runs_new(64, 2);
    return 0;
}

static int drop(void **state) {
    (void)state;
    cc_runs_free(runs);
    return 0;
}

static cc_run *add(size_t bytes) {
    cc_error err;
    CC_CLEANUP_BUF cc_buf arguments = {0};
    cc_buf_reserve(&arguments, bytes + 1);
    memset(arguments.p, 'a', bytes);
    cc_run *r = cc_runs_add(runs, 7, cc_str_make(arguments.p, bytes), 1000, 2000, &err);
    if (!r) assert_int_equal(err.code, CC_RESOURCE_EXHAUSTED);
    return r;
}

static cc_run *start_next(void) {
    cc_run *r = cc_runs_next(runs);
    if (r) cc_runs_started(runs, r, r);
    return r;
}

static void end(cc_run *r, size_t bytes) {
    CC_CLEANUP_BUF cc_buf body = {0};
    cc_buf_reserve(&body, bytes + 1);
    memset(body.p, 'b', bytes);
    cc_runs_end(runs, r, cc_str_make(body.p, bytes), CC_STR("{}"), true);
}

static cc_run *find(const char *id) { return cc_runs_find(runs, cc_str_of(id)); }

static void test_names(void **state) {
    (void)state;
    cc_run *a = add(1), *b = add(1);
    assert_true(cc_run_id_valid(cc_str_of(a->id)));
    assert_string_not_equal(a->id, b->id);
    assert_ptr_equal(find(a->id), a);
    assert_null(find("nope"));
    static const char *const bad[] = {"", "../../../../../../../../etc/passwd", "0123456789ABCDEF0123456789ABCDEF",
                                      "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0"};
    for (size_t i = 0; i < CC_ARRAY_LEN(bad); i++) assert_false(cc_run_id_valid(cc_str_of(bad[i])));
}

static void test_places_go_in_order(void **state) {
    (void)state;
    cc_run *r[5];
    for (size_t i = 0; i < 5; i++) r[i] = add(1);
    assert_ptr_equal(start_next(), r[0]);
    assert_ptr_equal(start_next(), r[1]);
    assert_null(start_next());
    assert_true(r[2]->waiting && !r[1]->waiting);
    find(r[3]->id); // being asked for does not put it first
    end(r[1], 10);
    assert_ptr_equal(start_next(), r[2]);
    assert_true(cc_runs_cancel(runs, r[3])); // waits: ends at once
    assert_int_equal(r[3]->state, CC_RUN_CLEANED);
    assert_true(cc_runs_cancel(runs, r[0])); // runs: its owner is to end it
    assert_int_equal(r[0]->state, CC_RUN_CANCELLING);
    assert_null(start_next());
    end(r[0], 10);
    assert_false(cc_runs_cancel(runs, r[0]));
    assert_ptr_equal(start_next(), r[4]);
}

static void test_one_that_never_got_a_worker_gives_its_place_back(void **state) {
    (void)state;
    add(1), add(1);
    for (int i = 0; i < 2; i++) end(cc_runs_next(runs), 5);
    add(1), add(1);
    assert_non_null(start_next());
    assert_non_null(start_next());
}

static void test_cap(void **state) {
    (void)state;
    for (int i = 0; i < 64; i++) assert_non_null(add(1));
    assert_null(add(1));
    cc_run *r = start_next();
    end(r, 1);
    assert_non_null(add(1));
    assert_null(add(1));
    cc_runs *none = cc_runs_new(0, 1);
    cc_error err;
    assert_null(cc_runs_add(none, 0, CC_STR("{}"), 1, 1, &err));
    assert_int_equal(err.code, CC_VALIDATION);
    cc_runs_free(none);
}

static void test_arguments_are_bounded(void **state) {
    (void)state;
    const size_t mb = 1 << 20;
    for (int i = 0; i < 4; i++) assert_non_null(add(16 * mb));
    assert_null(add(1));
    assert_non_null(start_next()); // its arguments are with its worker now
    assert_non_null(add(16 * mb));
    assert_null(add(1));
}

static void test_results_go_by_last_use(void **state) {
    (void)state;
    char first[CC_RUN_ID + 1], second[CC_RUN_ID + 1];
    add(1), add(1);
    cc_run *a = start_next(), *b = start_next();
    memcpy(first, a->id, sizeof first);
    memcpy(second, b->id, sizeof second);
    end(a, 100), end(b, 100);
    for (int i = 0; i < 255; i++) {
        add(1);
        end(start_next(), 100);
        assert_non_null(find(first));
    }
    assert_false(find(first)->gone);
    assert_true(find(second)->gone);
    assert_int_equal(find(second)->body.n, 0);
    // By bytes too.
    add(1), end(start_next(), (size_t)65 << 20);
    assert_true(find(first)->gone);
    // And the names in the end; those that have not ended stay.
    add(1);
    cc_run *stays = start_next();
    for (int i = 0; i < 1100; i++) add(1), end(start_next(), 10);
    assert_null(find(second));
    assert_ptr_equal(find(stays->id), stays);
    unsigned active = 0;
    for (cc_run *r = cc_runs_active(runs, NULL); r; r = cc_runs_active(runs, r)) active++;
    assert_int_equal(active, 1);
}

static void test_output_is_kept_in_bounds(void **state) {
    (void)state;
    add(1);
    cc_run *r = start_next();
    static char piece[1 << 20];
    for (int i = 0; i < 5; i++) cc_run_printed(r, cc_str_make(piece, sizeof piece));
    assert_int_equal(r->output.n, 2 << 20);
    end(r, 1);
    assert_int_equal(r->output.n, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names, make, drop),
        cmocka_unit_test_setup_teardown(test_places_go_in_order, make, drop),
        cmocka_unit_test_setup_teardown(test_one_that_never_got_a_worker_gives_its_place_back, make, drop),
        cmocka_unit_test_setup_teardown(test_cap, make, drop),
        cmocka_unit_test_setup_teardown(test_arguments_are_bounded, make, drop),
        cmocka_unit_test_setup_teardown(test_results_go_by_last_use, make, drop),
        cmocka_unit_test_setup_teardown(test_output_is_kept_in_bounds, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
