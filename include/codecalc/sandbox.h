// The confined child: one sandbox runs a few steps (compile, run) one after the other and then ends, with everything that was
// started in it. Set-up is data: a list of operations that one switch executes between clone and exec. Knows nothing of languages.
// Uses only the part of base.h that does not allocate, and libc.
//
//   launcher ──clone──> init (pid 1 of its own namespaces) ──clone──> the step's program, and whatever that starts
//           ──order───> (the specification, which may come much later than the clone)
//           <─reports──
//
// init ends when the last step's main process ends, when the launcher is gone (whoever killed it), or when it is killed; the kernel
// then ends every process of the namespace.
#ifndef CODECALC_SANDBOX_H
#define CODECALC_SANDBOX_H

#include "codecalc/base.h"

// How much of the isolation is there. Each level has everything of the lower ones.
typedef enum cc_isolation {
    CC_ISOLATION_NONE = 0,   // nothing can be started here at all
    CC_ISOLATION_RLIMITS,    // resource limits, seccomp where the kernel has it, tree kill by a subreaper; the host's files are visible
    CC_ISOLATION_RESTRICTED, // and Landlock: of the host's files only what the operations name can be opened, and nobody else be signalled
    CC_ISOLATION_FULL,       // and own user, mount, pid, network, ipc and uts namespaces, private root, no capability
} cc_isolation;

// "none", "rlimits", "restricted", "full".
const char *cc_isolation_name(cc_isolation level);
// What CODECALC_REQUIRE_ISOLATION says: "" asks for nothing (CC_ISOLATION_NONE), "restricted", "full". False for any other word.
bool cc_isolation_required(const char *word, cc_isolation *out);

// ---- what the sandbox sees: operations in order, executed inside the new mount namespace ----

typedef enum cc_op_kind {
    CC_OP_DIR,      // path, mode 0755, parents included
    CC_OP_BIND,     // source appears read-only, nosuid, nodev at path (a directory with all below it, or a file); must exist
    CC_OP_TRY_BIND, // the same, skipped when source does not exist
    CC_OP_BIND_OWN, // source, a directory, appears writable at path and is given to the guest
    CC_OP_DEVICE,   // a device node of the host at path
    CC_OP_SYMLINK,  // path points to source
    CC_OP_TEXT,     // a read-only file at path with .bytes
    CC_OP_TMPFS,    // an empty writable directory of the guest at path, at most .size bytes
    CC_OP_PROC,     // /proc of the namespace at path
    CC_OP_OWN_DIR,  // a directory of the guest's own, made with the guest's rights
    CC_OP_INPUT,    // a file of the guest's own at path, with .bytes; parents included, made with the guest's rights
} cc_op_kind;

typedef struct cc_op {
    cc_op_kind kind;
    const char *path; // absolute inside; CC_OP_OWN_DIR and CC_OP_INPUT may be relative to the working directory
    const char *source;
    cc_str bytes;
    uint64_t size;
    bool executable; // CC_OP_INPUT: it may be run
    bool there;      // CC_OP_INPUT: the file is there, and is written over
} cc_op;

// ---- what it runs ----

typedef struct cc_step_limits {
    uint64_t address_space; // bytes, RLIMIT_AS of each process; 0 = none
    uint64_t tree_memory;   // bytes, of all processes and temporary files together, measured; 0 = none
    uint32_t cpu_s;         // seconds of CPU of all processes together; 0 = none
    uint32_t process_cpu_s; // seconds of CPU of one process, as a bound that holds by itself; 0 = cpu_s
    uint64_t file_size;     // bytes of one file
    uint32_t processes;     // processes and threads of the sandbox; below CC_ISOLATION_FULL: on top of what the user runs already
    uint32_t files;         // open descriptors of a process
    uint64_t stack;         // bytes
} cc_step_limits;

// A cgroup of a step's own, see below.
typedef struct cc_cgroup {
    int dir, procs;
    unsigned serial; // 0 = none
} cc_cgroup;

typedef struct cc_step {
    const char *path;        // program, absolute or relative to the working directory
    const char *const *argv; // NULL-terminated
    const char *const *envp;
    int soft_signal;  // what cc_sandbox_ask sends, 0 = nothing
    int in, out, err; // the launcher's descriptors for the program's 0, 1, 2; -1 = /dev/null
    bool waits;       // its program stops itself before it looks for what it shall do: see cc_sandbox_resume. Only where it is the one
                      // step, at CC_ISOLATION_FULL
    bool driven;      // it gets .control too, as the highest number below the limit of descriptors
    int control;      // a descriptor of the launcher
    const char *told; // driven: a directory made by an operation; the program gets no .control, which receives at the end what of a file
                      // "told" in there fits a pipe. NULL = none
    bool keeps;       // when it ended with status 0 and all its processes are gone, the files of the working directory are written to .kept
    int kept;         // a descriptor of the launcher; read with cc_collected_next
    cc_step_limits limits;
    cc_cgroup group; // it runs in there, and the kernel counts and limits its memory and processes
} cc_step;

#define CC_SANDBOX_STEPS 4 // at most

#define CC_GUEST_UID_BASE 0x70000000u // where nothing else is said: first of the user ids that root gives to guests

typedef struct cc_sandbox_spec {
    cc_isolation level;
    bool network;        // keep the host's network
    bool shared_memory;  // memfd_create and System V memory are allowed (not seen by the memory limit)
    uint32_t guest_base; // started as root: the guest's host uid is this + the pid of init; 0 = 0x70000000
    const char *cwd;     // absolute inside; made by one of the operations; below CC_ISOLATION_FULL a directory of the host
    // Below CC_ISOLATION_FULL only CC_OP_OWN_DIR and CC_OP_INPUT are made. At CC_ISOLATION_RESTRICTED, of what the host has only the
    // sources of binds and devices can be opened, at their own places, of /proc (when there is CC_OP_PROC) what is no secret, and cwd.
    const cc_op *ops;
    size_t n_ops;
    const cc_step *steps; // each runs only when the one before ended with status 0
    size_t n_steps;       // 0: the sandbox is made and ends at once
} cc_sandbox_spec;

// ---- what it says ----

typedef enum cc_report_kind {
    CC_REPORT_FAILED,  // set-up failed: .what names the call, .error is the errno; the sandbox has ended
    CC_REPORT_READY,   // set up; .gaps is final
    CC_REPORT_WAITING, // step .step has stopped itself, and holds .peak_kb of memory
    CC_REPORT_STARTED, // step .step is running since .at_ns
    CC_REPORT_ENDED,   // step .step has ended
} cc_report_kind;

typedef enum cc_stop_cause { CC_STOP_NONE, CC_STOP_MEMORY, CC_STOP_CPU, CC_STOP_ASKED } cc_stop_cause; // why init itself ended a step

enum {                           // gaps: what could not be enforced in this sandbox
    CC_GAP_FILES = 1,            // files of the host are visible, and can be changed with the rights that the guest has
    CC_GAP_METADATA = 2,         // whether a file of the host exists, and what stat tells of it, is visible
    CC_GAP_PROCESSES = 4,        // processes of the host are visible, can be signalled as far as the guest's user may, and spoken to
    CC_GAP_DISK = 8,             // what all its files take is not limited
    CC_GAP_SECCOMP = 16,         // system calls are not filtered
    CC_GAP_NETWORK = 32,         // asked for none, but sockets could not be closed off
    CC_GAP_PROCESS_TREE = 64,    // a program that ends, stops or slows its supervisor can leave processes, and escape measuring
    CC_GAP_PROCESS_LIMIT = 128,  // the limit of processes is shared with what else the user runs
    CC_GAP_USER_NAMESPACE = 256, // everything but the user namespace (started as root where they are switched off)
    CC_GAP_SHARED_MEMORY = 512,  // memory of memfds and System V segments is not measured
    CC_GAP_KERNEL_MEMORY = 1024, // what the kernel holds for it (pipes, sockets, page tables) is not counted
    CC_GAP_CRASHES = 2048,       // a crash starts the machine's own program for core dumps
};

// Their names in results, and what they mean for people; ended by one without a bit.
typedef struct cc_gap {
    uint32_t bit;
    const char *name, *text;
} cc_gap;
extern const cc_gap cc_gaps[];

typedef struct cc_report {
    cc_report_kind kind;
    uint32_t step;
    uint32_t gaps;
    int error;
    bool of_request; // CC_REPORT_FAILED: what was to be put in or run is at fault (its files, its program), not the machine
    char what[64];
    int exit_code; // -1 when ended by a signal
    int signal;    // 0 when it exited
    cc_stop_cause cause;
    int64_t at_ns;   // cc_now_ns of the start or end
    int64_t cpu_us;  // CPU of the step's whole tree
    int64_t peak_kb; // most memory of the tree at once
    int64_t over_kb; // of that, shared by the measuring interval: how far above the limit it was when stopped
} cc_report;

// .what of a failure that only a step's cgroup is the reason of.
#define CC_CANNOT_JOIN "join the cgroup"

typedef struct cc_sandbox {
    pid_t pid;
    int pidfd;
    int reports; // readable when there is something to say
    bool full;
    struct cc_order *order; // memory shared with init
} cc_sandbox;

// Makes a blank sandbox: init in its namespaces, with a root that is not closed yet, waiting. Of the specification level, network,
// guest_base and ops are looked at. 0, or -1 with *fault (.what, .error) when not even a process could be made; later failures of set-up
// come as CC_REPORT_FAILED.
int cc_sandbox_open(const cc_sandbox_spec *blank, cc_sandbox *out, cc_report *fault);
// Tells a blank sandbox, once, what it is for; it works on while the caller pumps its pipes. The specification is copied; its ops come on
// top of those of the blank one, whose level, network and guest_base it must have. The caller closes its own copies of the steps'
// descriptors. 0, or -1 with *fault; what goes wrong inside comes as CC_REPORT_FAILED.
int cc_sandbox_begin(cc_sandbox *s, const cc_sandbox_spec *spec, cc_report *fault);
// Lets a step go on that waits, once, after CC_REPORT_WAITING: the files (CC_OP_INPUT) of this specification are made, and the limits of
// its step hold from then on; none may be wider than those it began with. CC_REPORT_STARTED follows. 0, or -1 with *fault.
int cc_sandbox_resume(cc_sandbox *s, const cc_sandbox_spec *spec, cc_report *fault);
// The first two in one, from nothing.
int cc_sandbox_start(const cc_sandbox_spec *spec, cc_sandbox *out, cc_report *fault);
// 1 with the next report; 0 when there is none now; -1 when there will be none any more. Never blocks.
int cc_sandbox_next(cc_sandbox *s, cc_report *out);
// Sends the running step's main process its soft signal: a last chance to write what it has.
void cc_sandbox_ask(cc_sandbox *s);
// Ends the step that runs, with all its processes; its CC_REPORT_ENDED (CC_STOP_ASKED) follows at once and no further step is begun.
void cc_sandbox_stop(cc_sandbox *s);
// Waits until init has ended (a moment; kills it if need be), reaps it and closes the descriptors. *s is empty then. Below
// CC_ISOLATION_FULL, when init was killed, every descendant of the calling process is ended: one of them did it.
void cc_sandbox_finish(cc_sandbox *s);

// Removes a directory and everything below it that is still the directory (device, inode) named; refuses when another has taken its
// place. Depth and modes do not matter. 0, or -1 with errno (ESTALE: not the same directory).
int cc_sandbox_remove_tree(const char *path, dev_t dev, ino_t ino);

// ---- what a step left ----

#define CC_COLLECT_MAX (UINT64_C(24) << 20) // bytes of all files together; what is more is not kept

typedef struct cc_collected {
    cc_str path; // relative, and inside
    cc_str bytes;
    bool directory, executable;
} cc_collected;

// Takes the next file or directory from what cc_step.kept received. 1; 0 at the end of all of it; -1 when it is not whole or makes no
// sense. Strings point into *rest.
int cc_collected_next(cc_str *rest, cc_collected *out);

// ---- cgroups, where a subtree was delegated to this process (src/sandbox/cgroup.c) ----

// Looks for it, and moves this process into a leaf of it, so that it can be divided. Before any other process is started.
void cc_cgroup_adopt(void);
bool cc_cgroup_is_ours(void);
// Waits a moment until this process is the last one in it, and puts it back as it was.
void cc_cgroup_leave(void);
// Why there is none, and what to do about it (or NULL); NULL when there is one.
const char *cc_cgroup_reason(const char **remedy);
// One for a step, with its limits. -1 when there can be none.
int cc_cgroup_make(uint64_t memory, uint32_t processes, cc_cgroup *out);
// Ends all that is in it and removes it.
void cc_cgroup_remove(cc_cgroup *g);

// ---- processes as /proc shows them (src/sandbox/measure.c); proc is a descriptor of /proc ----

typedef struct cc_proc_stat {
    pid_t pid, ppid;
    char state, name[16];
    uint64_t own_ticks, cpu_ticks; // without and with the children that it has waited for
    uint64_t rss_pages, threads;
    uint64_t began; // ticks since the machine's start: with its number, this names the process
    uint64_t arg_start, arg_end, env_start, env_end;
} cc_proc_stat;

// One field group of <pid>/stat, pid being a number or "self"; false when there is no such process.
bool cc_read_stat(int proc, const char *pid, cc_proc_stat *out);
// What it holds in KiB, shared pages in proportion; where the kernel does not tell (also: not to this user), otherwise.
uint64_t cc_read_pss(int proc, pid_t pid, uint64_t otherwise);

// ---- what is possible here ----

typedef struct cc_sandbox_level {
    cc_isolation level;
    uint32_t gaps;    // CC_GAP_* of this level here
    char reason[256]; // why not higher; empty at the top
    char remedy[384]; // what the user can do about it; empty at the top
} cc_sandbox_level;

// Whether a sandbox of this level that is not to have the network really has none here.
bool cc_sandbox_closes_network(cc_isolation level);
// Makes an empty sandbox (about 2 ms) the first time, then remembers. Called in a process that may start children.
const cc_sandbox_level *cc_sandbox_probe(void);
// Explains why a level failed to be set up here: the reason and remedy of CC_ISOLATION_FULL, to which lower ones add.
void cc_sandbox_explain(cc_isolation level, const cc_report *failed, cc_sandbox_level *out);

#endif
