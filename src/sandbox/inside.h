// What the files of this folder share: the side of the sandbox that runs between clone and exec. Nothing here allocates.
#ifndef CODECALC_SANDBOX_INSIDE_H
#define CODECALC_SANDBOX_INSIDE_H

#include <linux/filter.h>

#include "codecalc/sandbox.h"

// Fills the report of a failed set-up step from errno; returns -1.
int cc_inside_fail(cc_report *r, const char *what);

// As fork, with *pidfd naming the child and these CLONE_NEW* flags. Not clone3, which containers' filters refuse.
pid_t cc_inside_clone(unsigned long flags, int *pidfd);

// ---- seccomp.c ----

enum { CC_FILTER_MAX = 768 };
typedef struct cc_filter {
    struct sock_filter code[CC_FILTER_MAX];
    unsigned short n;
} cc_filter;

typedef struct cc_filter_options {
    bool internet;         // sockets beyond the machine may be opened: the network namespace, or the host's word, decides where they reach
    bool own_ipc;          // System V queues and semaphores end with an ipc namespace of the run's own
    bool shared_memory;    // memfd_create and System V memory
    bool restricted;       // Landlock is the wall: what it does not govern is refused, sockets in the file system and others' priorities
    bool fixed_attributes; // nor does it govern modes, owners and attributes of files that belong to the guest's user
} cc_filter_options;
void cc_filter_build(cc_filter *f, const cc_filter_options *o);
// False on a kernel without filters.
bool cc_filter_supported(void);
// Sets no_new_privs and loads the filter for this process. 0, or -1 with errno.
int cc_filter_load(const cc_filter *f);

// The descriptors that come with the order, of each step: its 0, 1, 2, its control, where its files are kept, and its cgroup.
enum { CC_CONTROL_FD = 3, CC_KEPT_FD, CC_OF_CGROUP, CC_CGROUP_PROCS, CC_STEP_FDS };
void cc_step_fds(const cc_step *step, int fds[CC_STEP_FDS]); // -1 = none

// ---- order.c ----

typedef struct cc_order {
    cc_filter filter;
    cc_sandbox_spec spec;
} cc_order;

// Memory that a process cloned later shares; NULL with errno.
cc_order *cc_order_new(void);
// Copies the specification, and all that it points to, into it. 0, or -1 with errno.
int cc_order_write(cc_order *o, const cc_sandbox_spec *spec);
void cc_order_free(cc_order *o);

// ---- collect.c ----

// Writes all files below the working directory to out, at most `room` bytes. 0; or -1 when something is there that is no plain file or
// directory, or too much: what was written is then not whole, and reading says so.
int cc_collect(int out, uint64_t room);

// ---- cgroup.c ----

// The number in a file of a cgroup, behind key when the file has several; 0 when there is none.
uint64_t cc_cgroup_number(int dir, const char *name, const char *key);

// ---- landlock.c ----

enum {
    CC_LANDLOCK_ABI_NEEDED = 3, // by CC_ISOLATION_RESTRICTED
    CC_LANDLOCK_ABI_SCOPES = 6, // from here on signals and abstract sockets stay inside
    CC_LANDLOCK_PINS = 11,
};
// The version that this kernel has; 0 = none.
int cc_landlock_abi(void);
// Makes the rules of a sandbox, when its files are in place: those of the blank one and of the order. *ruleset is -1 where there are none.
// 0, or -1.
int cc_landlock_make(const cc_sandbox_spec *blank, const cc_sandbox_spec *spec, int *ruleset, cc_report *fault);
// The calling step is bound by them from here on. 0, or -1.
int cc_landlock_enter(const cc_sandbox_spec *spec, int ruleset, cc_report *fault);
// Below CC_ISOLATION_FULL: keeps the names in /proc that a step's rules speak of, while it runs.
void cc_landlock_pin(int proc, pid_t pid, int pins[CC_LANDLOCK_PINS]);
void cc_landlock_unpin(int pins[CC_LANDLOCK_PINS]);

// ---- root.c ----

// Begins a private root, which is the working directory from then on; owner is the guest, as this user namespace numbers it. 0, or -1.
int cc_root_begin(cc_report *fault);
// Executes operations in the root that was begun. 0, or -1.
int cc_root_build(const cc_sandbox_spec *spec, uid_t owner, cc_report *fault);
// Moves into it and leaves the host's tree behind. 0, or -1.
int cc_root_enter(cc_report *fault);
// The guest's own files: CC_OP_OWN_DIR and CC_OP_INPUT; with the guest's rights, cwd being the working directory.
int cc_root_write_inputs(const cc_sandbox_spec *spec, cc_report *fault);
// Writes a whole small file that exists. 0, or -1 with errno.
int cc_inside_write(const char *path, const char *text);

// ---- measure.c ----

typedef struct cc_usage {
    uint64_t memory_kb; // of all processes but self, counted once where shared
    uint64_t cpu_ms;    // of living processes, with that of children that they have waited for
    uint64_t seen_ms;   // of every process that was ever found living, as far as it was seen: what nobody waits for is only in here
    unsigned processes; // without self
} cc_usage;

// Whose processes: with whole_namespace all but self, else those that descend from it. proc is /proc.
typedef struct cc_family {
    int proc;
    pid_t self;
    bool whole_namespace;
} cc_family;

// Adds up what lives. The exact (slower) sum is made only where it can exceed `care_kb` (0 = always); below that a sum is returned that
// counts shared pages repeatedly. Where it takes long, or what is shared would pass the limit `allowed_kb` (0 = none) by far if it were
// not, the processes are stopped meanwhile; it ends early when `wake` has something to read.
void cc_measure(const cc_family *of, uint64_t care_kb, uint64_t allowed_kb, int wake, cc_usage *out);
// Of what cc_measure counts, what is also a file of these disks (descriptors of directories), mapped; less where there is much to look
// through, or only some.
uint64_t cc_measure_mapped(const cc_family *of, const int *disks, size_t n_disks);
// SIGKILL to every descendant of self (repeated until none is left or the time is over); true when none is left.
bool cc_sweep(int proc, pid_t self, int64_t until_ns);
// Tasks (threads) of this process's user.
unsigned cc_count_tasks(int proc);

// ---- init.c ----

// What the launcher can tell init, one byte a message.
#define CC_ORDER_BEGIN  'b' // the order is written; the steps' descriptors come along, in order, those that are none left out
#define CC_ORDER_RESUME 'r' // the order is written anew, for the step that waits
#define CC_ORDER_ASK    'a'
#define CC_ORDER_STOP   's'

typedef enum cc_maker { CC_MADE_BY_ROOT, CC_MADE_BY_USER } cc_maker;

// Whether root has users to give to guests.
bool cc_init_has_users(void);

#define CC_INIT_CONTROL  40          // its descriptor of the launcher, above all that come with the order
#define CC_INIT_SWEEP_NS 500000000LL // how long a sweep may take

typedef struct cc_init {
    const cc_sandbox_spec *spec; // the order's; readable when it has come
    const cc_filter *filter;
    cc_maker maker;
    uid_t owner; // of what the guest may write, as init's user namespace numbers it: the guest
    int control;
    int proc;
    pid_t self;
    bool full;
    long cores;
    unsigned ambient_tasks; // what the user runs outside, where RLIMIT_NPROC counts that too
    uint32_t gaps;
    int kept[CC_SANDBOX_STEPS][CC_STEP_FDS];
    int ruleset;       // of Landlock, -1 without
    dev_t scratch_dev; // below CC_ISOLATION_FULL: the work directory
    ino_t scratch_ino;
    uint64_t seen_ms; // CPU of every process that was ever measured
    int disks[8];     // directories of the guest's own tmpfs, whose bytes are memory
    size_t n_disks;
} cc_init;

// Ends this process and all that is in its sandbox, and removes the work directory on the host.
CC_NORETURN void cc_init_leave(const cc_init *s);
// Tells the launcher.
void cc_init_report(const cc_init *s, cc_report *r);
// Tells it why there is nothing to run, and ends.
CC_NORETURN void cc_init_give_up(const cc_init *s, cc_report *fault);
// Leaves this process these capabilities only. 0, or -1.
int cc_init_keep_capabilities(uint64_t keep, cc_report *fault);

// Pid 1 of the sandbox, or below CC_ISOLATION_FULL its subreaper. Sets up what the blank specification says, then waits for the order.
// Never returns.
CC_NORETURN void cc_init_main(const cc_sandbox_spec *blank, const cc_order *order, cc_maker maker, int control, uid_t uid, gid_t gid);

// ---- step.c ----

// Runs one step to the end of its main process. True when it ended with status 0.
bool cc_step_run(cc_init *s, size_t index);

#endif
