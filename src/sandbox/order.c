// A specification on its way to init: copied with all that it points to into memory that launcher and init share at one address, so that a
// sandbox can be made before it is known what for. Called by start.c (new, write, free); init.c only reads, after the order. Owns
// nothing but that memory.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sandbox/inside.h"

// Far more than a request can be long; a page costs nothing before it is written.
#define ROOM ((size_t)64 << 20)

typedef struct writer {
    char *at, *end; // at is NULL when there was no room
} writer;

cc_order *cc_order_new(void) {
    void *p = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void cc_order_free(cc_order *o) {
    if (o) munmap(o, ROOM);
}

static void *take(writer *w, size_t n) {
    size_t whole = (n + 15) & ~(size_t)15;
    if (!w->at || whole < n || whole > (size_t)(w->end - w->at)) return w->at = NULL;
    void *p = w->at;
    w->at += whole;
    return p;
}

static void *copy(writer *w, const void *from, size_t n) {
    void *to = take(w, n);
    if (to && n) memcpy(to, from, n);
    return to;
}

static const char *text(writer *w, const char *z) { return z ? copy(w, z, strlen(z) + 1) : NULL; }

static const char *const *words(writer *w, const char *const *list) {
    size_t n = 0;
    while (list[n]) n++;
    const char **to = copy(w, list, (n + 1) * sizeof *list);
    for (size_t i = 0; to && i < n; i++) to[i] = text(w, list[i]);
    return to;
}

int cc_order_write(cc_order *o, const cc_sandbox_spec *spec) {
    writer w = {(char *)(o + 1), (char *)o + ROOM};
    o->spec = *spec;
    o->spec.cwd = text(&w, spec->cwd);
    cc_op *ops = copy(&w, spec->ops, spec->n_ops * sizeof *ops);
    for (size_t i = 0; ops && i < spec->n_ops; i++) {
        ops[i].path = text(&w, ops[i].path);
        ops[i].source = text(&w, ops[i].source);
        ops[i].bytes.p = copy(&w, ops[i].bytes.p, ops[i].bytes.n);
    }
    cc_step *steps = copy(&w, spec->steps, spec->n_steps * sizeof *steps);
    for (size_t i = 0; steps && i < spec->n_steps; i++) {
        steps[i].path = text(&w, steps[i].path);
        steps[i].told = text(&w, steps[i].told);
        steps[i].argv = words(&w, steps[i].argv);
        steps[i].envp = words(&w, steps[i].envp);
    }
    o->spec.ops = ops;
    o->spec.steps = steps;
    return w.at ? 0 : (errno = E2BIG, -1);
}

void cc_step_fds(const cc_step *step, int fds[CC_STEP_FDS]) {
    fds[0] = step->in, fds[1] = step->out, fds[2] = step->err;
    fds[CC_CONTROL_FD] = step->driven ? step->control : -1;
    fds[CC_KEPT_FD] = step->keeps ? step->kept : -1;
    fds[CC_OF_CGROUP] = step->group.serial ? step->group.dir : -1;
    fds[CC_CGROUP_PROCS] = step->group.serial ? step->group.procs : -1;
}
