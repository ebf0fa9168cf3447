// What the files of this folder share.
#ifndef CODECALC_RUN_RUN_H
#define CODECALC_RUN_RUN_H

#include "codecalc/run.h"

// ---- places.c ----

// Directories, joined by colons, where runtimes may be although no path names them.
const char *cc_places(cc_arena *a);
// The paths that exist and match a pattern with * in it, the newest version first.
const char *const *cc_expand(cc_arena *a, const char *pattern, size_t *n);

// ---- jvmnames.c ----

typedef struct cc_jvm_names {
    cc_str package;     // empty = none
    cc_str public_type; // Java's public top-level type; empty = none
    cc_str first_type;  // its first top-level type
    cc_str main_type;   // the first type with a method main; of Kotlin empty when it is the file's own class under its usual name
} cc_jvm_names;

void cc_java_names_read(cc_str code, cc_jvm_names *out);
void cc_kotlin_names_read(cc_str code, cc_jvm_names *out);

// ---- warm.c, and filling in execute.c ----

// Sets r->warm to what the toolchain keeps warm, made now when it is not there yet: that takes up to CC_WARM_MAX_MS, once for each version
// of it. Returns a descriptor that keeps it from being removed until it is closed; or -1 and leaves r->warm NULL where it cannot be had:
// the run then does the work itself.
int cc_warm_prepare(cc_arena *a, cc_resolution *r, const volatile sig_atomic_t *stop);
// Runs the command that fills a warm directory, in full isolation. 0, or -1 with *err: CC_RUNTIME_UNAVAILABLE when it ran and failed.
int cc_run_fill(cc_arena *a, const cc_resolution *r, const char *directory, const volatile sig_atomic_t *stop, cc_error *err);

// ---- plan.c: a request and a resolution → what the sandbox shall be ----

typedef struct cc_plan {
    cc_sandbox_spec blank; // what comes before .spec
    cc_sandbox_spec spec;
    cc_step steps[CC_SANDBOX_STEPS];
    size_t n_common;                  // so many of the operations are the same for every program of the language
    size_t run_step;                  // index of the program's own step; those before compile
    const char *workdir, *tmp, *home; // as the program sees them
    const char *lib;                  // where a helper or driver lies
    const char *file;                 // name of the source in it
    bool sees_waiting;                // it has one of the row's words for that
    uint64_t memory_bytes;
    uint64_t compile_bytes; // what a compiler gets at least
    char *scratch;          // below CC_ISOLATION_FULL: the directory on the host, "" else
    dev_t scratch_dev;
    ino_t scratch_ino;
} cc_plan;

// Fills everything but the steps' descriptors. Below CC_ISOLATION_FULL makes the work directory. 0, or -1 with *err.
int cc_plan_make(cc_arena *a, const cc_run_request *q, const cc_resolution *r, cc_isolation level, cc_plan *out, cc_error *err);
// As cc_plan_make with one step, a command of the row (its version). With fill, a directory of the host, the command finds
// the language's hello-world as {file} and may write into fill, which it sees as {warm}.
int cc_plan_command(cc_arena *a, const cc_resolution *r, const char *const *words, const char *fill, unsigned timeout_ms,
                    cc_isolation level, cc_plan *out, cc_error *err);
// What every sandbox of this level begins with. 0, or -1 with *err.
int cc_plan_blank(cc_arena *a, cc_isolation level, bool network, cc_sandbox_spec *out, cc_error *err);
// Removes the work directory that it made on the host, if it is still the same.
void cc_plan_clean(const cc_plan *plan);

// Leaves compiling out: the program's own step sees the files of a compile step before it, given as operations.
void cc_plan_skip_compiling(cc_arena *a, cc_plan *plan, const cc_op *files, size_t n_files);

// ---- cache.c: compiled programs ----

typedef struct cc_cached {
    const cc_op *ops; // the files that compiling left
    size_t n_ops;
    cc_str said; // what the compiler wrote to stderr
} cc_cached;

// What the plan's compiled program depends on, in the arena; empty when it must not be kept.
cc_str cc_cache_key(cc_arena *a, const cc_resolution *r, const cc_plan *plan);
// True when the program of this key is there.
bool cc_cache_find(cc_arena *a, cc_str key, cc_cached *out);
// Keeps a program: kept is what its last compile step wrote to cc_step.kept. What cannot be kept is not.
void cc_cache_store(cc_str key, cc_str said, int kept);

// ---- begin.c: from a plan to a sandbox that works on it ----

// The launcher's side: a sandbox and its ends of the pipes, non-blocking, -1 = none.
typedef struct cc_begun {
    cc_sandbox box;
    int input;         // writing end of the program's stdin
    int control;       // reading end of what its driver says
    int streams[2][2]; // reading ends, of compiling and of running: stdout, stderr
} cc_begun;

#define CC_BEGUN_NONE ((cc_begun){.box = {.pidfd = -1, .reports = -1}, .input = -1, .control = -1, .streams = {{-1, -1}, {-1, -1}}})

// Makes pipes and, where they can be had, cgroups for the plan's steps and hands it to a sandbox. 0; or -1 with *fault (no sandbox), or
// with *err and fault->what empty (no pipes). The plan's cgroups are the caller's to remove either way.
int cc_begin(cc_plan *plan, cc_begun *out, cc_report *fault, cc_error *err);
void cc_begun_close(cc_begun *b);
// No cgroups from now on. False when there were none before.
bool cc_begin_without_groups(void);

// ---- waiting.c: an interpreter that waits for its program ----

// Starts one for this language, where its row can (cc_variant.waits), in full isolation, out of the spare sandbox. Does nothing on failure.
void cc_waiting_prepare(const cc_language *language);
// Lets it go on with what this plan adds, when it is what the plan would have begun. True with *out, as cc_begin does; false leaves none.
bool cc_waiting_take(cc_plan *plan, cc_begun *out);
void cc_waiting_end(void);
// In a process forked from the one that has it: closes what it has of it, and nothing else.
void cc_waiting_forked(void);

// ---- blank.c: sandboxes before it is known what for ----

// Takes the spare sandbox when there is one like this, else makes one. 0, or -1 with *fault.
int cc_blank_take(const cc_sandbox_spec *blank, cc_sandbox *out, cc_report *fault);
// As cc_sandbox_finish for one at CC_ISOLATION_FULL that has reported its last step: does not wait for init, which has nothing left to do
// but to exit, until the next one is left or taken.
void cc_blank_leave(cc_sandbox *box);
// Closes this process's descriptors of a sandbox that belongs to another.
void cc_blank_forget(cc_sandbox *box);
// Whether two sandboxes begin with the same view.
bool cc_blank_is_like(const cc_sandbox_spec *a, const cc_sandbox_spec *b);
bool cc_blank_same_ops(const cc_op *a, const cc_op *b, size_t n);

// ---- policy.c ----

// 0, or -1 when the host's policy is not kept at this level, or cannot be read.
int cc_policy_check(cc_isolation level, bool network, cc_error *err);
// 0, or -1 when the host demands more isolation than this level; why: what keeps it so low.
int cc_policy_require(cc_isolation level, const cc_sandbox_level *why, cc_error *err);
// The first of the host's user ids for guests (0 = none was set). 0, or -1 when the setting is no such number.
int cc_policy_guest_base(uint32_t *out, cc_error *err);

// ---- capture.c: a stream of the program, kept in bounds ----

#define CC_OUTPUT_STOP (16u << 20) // bytes of one stream after which a program is stopped: by then it floods

typedef struct cc_capture {
    int fd; // the reading end, non-blocking; -1 when it has ended
    int error;
    size_t cap;
    cc_buf head; // the first cap bytes
    char *ring;  // the last half cap of bytes
    uint64_t total;
    void (*seen)(void *ctx, bool is_stderr, cc_str bytes); // told of everything that is read; may be NULL. Set after cc_capture_begin
    void *ctx;
    bool is_stderr;
} cc_capture;

void cc_capture_begin(cc_capture *c, int fd, size_t cap);
// Reads what there is now, up to CC_OUTPUT_STOP in all.
void cc_capture_read(cc_capture *c);
// The text in the arena: valid UTF-8, at most cap bytes and the mark.
cc_stream cc_capture_finish(cc_arena *a, const cc_capture *c);
void cc_capture_free(cc_capture *c);

// ---- driver.c: what the driver of a language tells ----

typedef struct cc_driver {
    int fd; // the reading end of the control descriptor, non-blocking; -1 when it has ended
    cc_buf said;
} cc_driver;

void cc_driver_begin(cc_driver *d, int fd); // non-blocking, or -1
// Reads what there is now, and keeps what one driver can have to say of it.
void cc_driver_read(cc_driver *d);
// The last exception that makes sense, in the arena; an empty type when there is none.
void cc_driver_finish(cc_arena *a, const cc_driver *d, cc_exception *out);
void cc_driver_free(cc_driver *d);

// ---- diagnostics.c ----

// A file that the call brought, as the program's directory holds it.
typedef struct cc_source {
    cc_str file, code;
} cc_source;

// Reads errors and warnings from what a compiler or runtime wrote. format is the row's word; workdir is where the files lay for it, the
// program's own being the first of them. The list lives in the arena.
size_t cc_diagnostics_read(cc_arena *a, const char *format, cc_str text, const char *workdir, const cc_source *sources, size_t n_sources,
                           const cc_diagnostic **out);

#endif
