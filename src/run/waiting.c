// An interpreter that is started before there is a program for it: in its sandbox, under its driver, which stops it where it would begin to
// look at the program. Called by blank.c (in a launcher that waits) and execute.c (take). Owns the one that waits until it is taken; it
// ends with this process like any other sandbox. Only a call that would have started the very same process gets it: the same files to see,
// the same words and variables. What the call adds, its files and its limits, is added when it is let go on.
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>

#include "run/run.h"

#define LONGEST_MS 2000 // that a call waits for one that is still on its way: far more than an interpreter takes

static struct {
    bool there, stopped;
    const cc_variant *variant;
    cc_plan plan;
    cc_begun begun;
    cc_arena arena;
    struct stat program;
} it;

// There is a line in the place of the program.
static bool has_file(void) { return it.variant->waits == CC_WAITS_WITH_FILE; }

// The program is not there yet: its operations are left out, or tell the driver to wait.
static void add_place(cc_plan *plan) {
    size_t n = plan->n_common;
    plan->spec.n_ops = n;
    if (!has_file()) return;
    cc_op *ops = CC_ARENA_ARRAY(&it.arena, cc_op, n + 2);
    memcpy(ops, plan->spec.ops, n * sizeof *ops);
    ops[n] = (cc_op){.kind = CC_OP_INPUT, .path = plan->file, .bytes = CC_STR("\n")}; // Ruby takes an empty file for none
    ops[n + 1] = (cc_op){.kind = CC_OP_INPUT, .path = cc_arena_printf(&it.arena, "%s/wait", plan->lib).p};
    plan->spec.ops = ops;
    plan->spec.n_ops = n + 2;
}

void cc_waiting_prepare(const cc_language *language) {
    cc_error err;
    cc_report fault;
    cc_resolution found;
    const cc_run_request q = {.language = language, .timeout_ms = 1000};
    if (it.there || cc_language_resolve(&it.arena, language, &found, &err) || !found.variant->waits) return;
    if (cc_plan_make(&it.arena, &q, &found, CC_ISOLATION_FULL, &it.plan, &err)) return;
    cc_step *step = &it.plan.steps[0];
    if (it.plan.spec.n_steps != 1 || !step->driven || stat(step->path, &it.program)) return;
    it.variant = found.variant;
    add_place(&it.plan);
    step->waits = true;
    step->limits.address_space = step->limits.cpu_s = step->limits.process_cpu_s = 0; // the call's
    it.there = cc_begin(&it.plan, &it.begun, &fault, &err) == 0;
}

int cc_run_waiting_fd(void) { return it.there && !it.stopped ? it.begun.box.reports : -1; }

void cc_waiting_end(void) {
    if (!it.there) return;
    cc_begun_close(&it.begun);
    cc_cgroup_remove(&it.plan.steps[0].group);
    it.there = false;
}

int cc_run_waiting(uint64_t *kb) {
    cc_report r;
    int got = -1;
    // What comes before is that the sandbox is ready; what else may come ends it.
    while (it.there && (got = cc_sandbox_next(&it.begun.box, &r)) > 0 && r.kind == CC_REPORT_READY) continue;
    if (got == 0) return 0;
    if (got < 0 || r.kind != CC_REPORT_WAITING) {
        cc_waiting_end();
        return -1;
    }
    it.stopped = true;
    *kb = (uint64_t)r.peak_kb;
    return 1;
}

void cc_waiting_forked(void) {
    if (!it.there) return;
    cc_blank_forget(&it.begun.box);
    cc_begun_close(&it.begun);
    it.there = false;
}

static bool same_words(const char *const *a, const char *const *b) {
    while (*a && *b && !strcmp(*a, *b)) a++, b++;
    return !*a && !*b;
}

// True when a call's plan would have started the process that waits.
static bool fits(const cc_plan *plan) {
    const cc_sandbox_spec *a = &it.plan.spec, *b = &plan->spec;
    const cc_step *x = &it.plan.steps[0], *y = &plan->steps[0];
    struct stat now;
    if (plan->sees_waiting || b->n_steps != 1 || !y->driven) return false;
    if (!cc_blank_is_like(&it.plan.blank, &plan->blank) || a->level != b->level || a->network != b->network) return false;
    if (plan->n_common != it.plan.n_common || !cc_blank_same_ops(a->ops, b->ops, plan->n_common)) return false;
    if (strcmp(x->path, y->path) != 0 || !same_words(x->argv, y->argv) || !same_words(x->envp, y->envp)) return false;
    // The first line may be an order to the interpreter itself, which has read one.
    if (has_file() && cc_str_starts(b->ops[plan->n_common].bytes, CC_STR("#!"))) return false;
    // A cgroup's limits are those that it was made with.
    if (x->group.serial && x->limits.tree_memory != y->limits.tree_memory) return false;
    return stat(y->path, &now) == 0 && now.st_dev == it.program.st_dev && now.st_ino == it.program.st_ino;
}

static bool has_stopped(void) {
    uint64_t kb;
    int64_t until = cc_now_ms() + LONGEST_MS, left;
    struct pollfd on = {.fd = it.begun.box.reports, .events = POLLIN};
    int told = it.stopped;
    while (!told && (left = until - cc_now_ms()) > 0 && (poll(&on, 1, (int)left) >= 0 || errno == EINTR)) told = cc_run_waiting(&kb);
    return told > 0;
}

bool cc_waiting_take(cc_plan *plan, cc_begun *out) {
    if (!it.there) return false;
    cc_report fault;
    if (!fits(plan) || !has_stopped()) {
        cc_waiting_end();
        return false;
    }
    cc_sandbox_spec rest = plan->spec;
    rest.n_ops -= plan->n_common;
    cc_op *own = CC_ARENA_ARRAY(&it.arena, cc_op, rest.n_ops);
    memcpy(own, rest.ops + plan->n_common, rest.n_ops * sizeof *own);
    own[0].there = has_file(); // the program comes first
    rest.ops = own;
    plan->steps[0].waits = true;
    if (cc_sandbox_resume(&it.begun.box, &rest, &fault)) {
        plan->steps[0].waits = false;
        cc_waiting_end();
        return false;
    }
    plan->steps[0].group = it.plan.steps[0].group;
    *out = it.begun;
    it.there = false;
    return true;
}
