// What full isolation costs: a static program that does nothing, in a sandbox from stock, in one from nothing, and in bubblewrap with the
// same mounts, in turn. Called by bench.py, with the path of that program and the number of rounds; prints one JSON object: the
// microseconds of every round, and bubblewrap's command line.
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

enum { POOL, NOTHING, BWRAP, KINDS };
static const char *const names[KINDS] = {"pool", "nothing", "bwrap"};

static CC_NORETURN void die(const char *what) {
    fprintf(stderr, "sandbox: %s\n", what);
    exit(1);
}

static void pause_ms(long ms) { nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL); }

// Microseconds from the order, or from nothing, to the last report: every process of the program has been waited for. What is left is that
// the kernel takes the namespaces apart, which bubblewrap does not wait for either.
static double run_ours(const cc_plan *p, bool from_stock) {
    cc_sandbox s;
    cc_report r = {0};
    int64_t began = cc_now_ns();
    if (cc_sandbox_open(&p->blank, &s, &r)) die(r.what);
    if (from_stock) {
        pause_ms(10); // it is made by then
        began = cc_now_ns();
    }
    if (cc_sandbox_begin(&s, &p->spec, &r)) die(r.what);
    bool good = false;
    int64_t ended = 0;
    for (int got = 0; got >= 0;) {
        struct pollfd on = {.fd = s.reports, .events = POLLIN};
        poll(&on, 1, 1000);
        while ((got = cc_sandbox_next(&s, &r)) > 0) {
            if (r.kind == CC_REPORT_FAILED) die(r.what);
            if (r.kind == CC_REPORT_ENDED) good = r.exit_code == 0, ended = cc_now_ns();
        }
    }
    cc_sandbox_finish(&s);
    if (!good) die("the program failed");
    return (double)(ended - began) / 1e3;
}

static double run_bwrap(char *const *argv) {
    pid_t pid;
    int status;
    char *const env[] = {NULL};
    int64_t began = cc_now_ns();
    if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, env) || waitpid(pid, &status, 0) != pid || status) die("bwrap failed");
    return (double)(cc_now_ns() - began) / 1e3;
}

static void add_ops(const char **argv, size_t *n, const cc_sandbox_spec *spec) {
    for (size_t i = 0; i < spec->n_ops; i++) {
        const cc_op *op = &spec->ops[i];
        const char *option = op->kind == CC_OP_BIND       ? "--ro-bind"
                             : op->kind == CC_OP_TRY_BIND ? "--ro-bind-try"
                             : op->kind == CC_OP_DEVICE   ? "--dev-bind"
                             : op->kind == CC_OP_SYMLINK  ? "--symlink"
                             : op->kind == CC_OP_TMPFS    ? "--tmpfs"
                             : op->kind == CC_OP_PROC     ? "--proc"
                                                          : NULL;
        if (!option) continue;
        argv[(*n)++] = option;
        if (op->kind != CC_OP_TMPFS && op->kind != CC_OP_PROC) argv[(*n)++] = op->source;
        argv[(*n)++] = op->path;
    }
}

int main(int argc, char **argv) {
    cc_error err;
    CC_CLEANUP_ARENA cc_arena a = {0};
    if (argc != 3 || cc_settings_load(&err)) die("usage: sandbox TRUE ROUNDS");
    const char *program = cc_arena_strdup(&a, argv[1]); // a sandbox wipes its own copy of the arguments
    int rounds = atoi(argv[2]);
    cc_resolution found;
    if (cc_language_resolve(&a, cc_language_find(CC_STR("bash")), &found, &err)) die(err.msg);
    const cc_run_request q = {.language = found.language, .timeout_ms = 10000};
    cc_plan p;
    if (cc_plan_make(&a, &q, &found, CC_ISOLATION_FULL, &p, &err)) die(err.msg);
    // What a run of bash sees, and the program beside it.
    cc_op *ops = CC_ARENA_ARRAY(&a, cc_op, p.spec.n_ops + 1);
    memcpy(ops, p.spec.ops, p.spec.n_ops * sizeof *ops);
    ops[p.spec.n_ops++] = (cc_op){.kind = CC_OP_BIND, .path = "/true", .source = program};
    p.spec.ops = ops;
    const char *const command[] = {"/true", NULL};
    p.steps[0].path = command[0];
    p.steps[0].argv = command;

    const char **bwrap = CC_ARENA_ARRAY(&a, const char *, (p.blank.n_ops + p.spec.n_ops) * 3 + 8);
    size_t n = 0;
    bwrap[n++] = "bwrap";
    bwrap[n++] = "--unshare-all";
    bwrap[n++] = "--die-with-parent";
    add_ops(bwrap, &n, &p.blank);
    add_ops(bwrap, &n, &p.spec);
    bwrap[n++] = "/true";

    double *spent[KINDS];
    for (int k = 0; k < KINDS; k++) spent[k] = CC_ARENA_ARRAY(&a, double, (size_t)rounds + 1);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < KINDS; k++) {
            spent[k][i] = k == BWRAP ? run_bwrap((char *const *)(uintptr_t)bwrap) : run_ours(&p, k == POOL);
            pause_ms(3); // what ends late must not be the next one's burden
        }
    printf("{");
    for (int k = 0; k < KINDS; k++) {
        printf("\"%s\":[", names[k]);
        for (int i = 0; i < rounds; i++) printf("%s%.1f", i ? "," : "", spent[k][i]);
        printf("],");
    }
    printf("\"command\":[");
    for (size_t i = 0; i < n; i++) printf("%s\"%s\"", i ? "," : "", bwrap[i]);
    printf("]}\n");
    return 0;
}
