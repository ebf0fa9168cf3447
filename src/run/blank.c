// Sandboxes before it is known what they are for. A launcher makes one as soon as it is there, so that namespaces and the common part of
// the root are made while it waits for its call, or reads it. Called by job (prepare) and execute.c (take). Owns the spare one until it is
// taken; it ends with this process like any other sandbox.
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "run/run.h"

static struct {
    bool there;
    cc_sandbox box;
    cc_sandbox_spec blank;
    cc_arena arena;       // of what the specification points to
    struct stat *sources; // of its operations, as they were
} spare;

static cc_sandbox leaving; // the last one, .pid 0 when there is none

// What an operation shows; all zero when there is nothing.
static void look_at(const cc_op *op, struct stat *st) {
    bool shows = op->kind == CC_OP_BIND || op->kind == CC_OP_TRY_BIND;
    if (!shows || stat(op->source, st)) *st = (struct stat){0};
}

// True when the machine has put something else in the place of what is shown: an update writes a new file and renames it.
static bool is_stale(void) {
    for (size_t i = 0; i < spare.blank.n_ops; i++) {
        struct stat now;
        look_at(&spare.blank.ops[i], &now);
        if (now.st_dev != spare.sources[i].st_dev || now.st_ino != spare.sources[i].st_ino) return true;
    }
    return false;
}

void cc_run_prepare(unsigned language) {
    cc_error err;
    cc_report fault;
    if (spare.there || cc_plan_blank(&spare.arena, CC_ISOLATION_FULL, false, &spare.blank, &err)) return;
    spare.sources = CC_ARENA_ARRAY(&spare.arena, struct stat, spare.blank.n_ops);
    for (size_t i = 0; i < spare.blank.n_ops; i++) look_at(&spare.blank.ops[i], &spare.sources[i]);
    spare.there = cc_sandbox_open(&spare.blank, &spare.box, &fault) == 0; // if not, the run will try, and can say so
    if (spare.there && language) cc_waiting_prepare(cc_languages[language - 1]);
    tzset(); // the record of the run has a date, for which the C library reads the time zone's file once
}

void cc_run_end(void) {
    cc_sandbox_finish(&leaving);
    if (spare.there) cc_sandbox_finish(&spare.box);
    spare.there = false;
    cc_waiting_end();
}

void cc_blank_forget(cc_sandbox *box) {
    cc_fd_close(&box->pidfd);
    cc_fd_close(&box->reports);
    *box = (cc_sandbox){.pidfd = -1, .reports = -1};
}

void cc_run_forked(void) {
    if (spare.there) cc_blank_forget(&spare.box);
    if (leaving.pid) cc_blank_forget(&leaving);
    spare.there = false;
    cc_waiting_forked();
}

// False when it ended without saying why, which no run did.
static bool is_good(const cc_sandbox *box) {
    struct pollfd ended = {.fd = box->pidfd, .events = POLLIN};
    char first;
    return poll(&ended, 1, 0) == 0 || recv(box->reports, &first, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

bool cc_blank_same_ops(const cc_op *a, const cc_op *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const cc_op *x = &a[i], *y = &b[i];
        if (x->kind != y->kind || x->size != y->size || !same_text(x->path, y->path) || !same_text(x->source, y->source) ||
            !cc_str_eq(x->bytes, y->bytes))
            return false;
    }
    return true;
}

bool cc_blank_is_like(const cc_sandbox_spec *a, const cc_sandbox_spec *b) {
    return a->level == b->level && a->network == b->network && a->guest_base == b->guest_base && a->n_ops == b->n_ops &&
           cc_blank_same_ops(a->ops, b->ops, a->n_ops);
}

void cc_blank_leave(cc_sandbox *box) {
    cc_sandbox_finish(&leaving);
    leaving = *box;
    *box = (cc_sandbox){.pidfd = -1, .reports = -1};
}

int cc_blank_take(const cc_sandbox_spec *blank, cc_sandbox *out, cc_report *fault) {
    cc_sandbox_finish(&leaving);
    if (spare.there) {
        bool fits = cc_blank_is_like(blank, &spare.blank);
        spare.there = false;
        *out = spare.box;
        if (fits && is_good(out) && !is_stale()) return 0;
        cc_sandbox_finish(out);
    }
    return cc_sandbox_open(blank, out, fault);
}
