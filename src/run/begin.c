// From a plan to a sandbox that works on it: the pipes, the cgroups, and the sandbox itself: one whose interpreter waits, a blank one, or a
// new one. Called by execute.c and waiting.c. What it opens belongs to the caller; nothing is left open when it fails.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

static bool no_groups; // this kernel does not let programs into the cgroups that were made for them

bool cc_begin_without_groups(void) {
    bool first = !no_groups;
    no_groups = true;
    return first;
}

static int pipe_for(int *ours, int *theirs, bool input, cc_error *err) {
    int p[2];
    if (pipe2(p, O_CLOEXEC)) return cc_error_errno(err, "pipe");
    *ours = p[input ? 1 : 0];
    *theirs = p[input ? 0 : 1];
    return cc_fd_set_nonblock(*ours, true) ? cc_error_errno(err, "fcntl of a pipe") : 0;
}

// A cgroup for each step, or for none. At CC_ISOLATION_RLIMITS the program could leave it.
static void make_groups(cc_plan *plan) {
    cc_step *steps = plan->steps;
    size_t n = plan->spec.n_steps, made = 0;
    if (plan->spec.level < CC_ISOLATION_RESTRICTED || no_groups) return;
    while (made < n && cc_cgroup_make(steps[made].limits.tree_memory, steps[made].limits.processes, &steps[made].group) == 0) made++;
    if (made == n)
        plan->spec.shared_memory = true; // it counts there
    else
        while (made) cc_cgroup_remove(&steps[--made].group);
}

static int make_pipes(cc_plan *plan, cc_begun *b, cc_error *err) {
    for (size_t i = 0; i < plan->spec.n_steps; i++) {
        cc_step *s = &plan->steps[i];
        bool program = i == plan->run_step;
        if (program && pipe_for(&b->input, &s->in, true, err)) return -1;
        if (s->driven && pipe_for(&b->control, &s->control, false, err)) return -1;
        if (pipe_for(&b->streams[program][0], &s->out, false, err) || pipe_for(&b->streams[program][1], &s->err, false, err)) return -1;
    }
    return 0;
}

static void close_theirs(cc_plan *plan) {
    for (size_t i = 0; i < plan->spec.n_steps; i++) {
        cc_step *s = &plan->steps[i];
        cc_fd_close(&s->in);
        cc_fd_close(&s->out);
        cc_fd_close(&s->err);
        if (s->driven) cc_fd_close(&s->control);
    }
}

void cc_begun_close(cc_begun *b) {
    cc_sandbox_finish(&b->box);
    cc_fd_close(&b->input);
    cc_fd_close(&b->control);
    for (int i = 0; i < 4; i++) cc_fd_close(&b->streams[i / 2][i % 2]);
}

int cc_begin(cc_plan *plan, cc_begun *out, cc_report *fault, cc_error *err) {
    *out = CC_BEGUN_NONE;
    int failed = make_pipes(plan, out, err);
    if (!failed) {
        make_groups(plan);
        failed = cc_blank_take(&plan->blank, &out->box, fault) || cc_sandbox_begin(&out->box, &plan->spec, fault) ? -1 : 0;
    }
    close_theirs(plan);
    if (failed) cc_begun_close(out);
    return failed;
}
