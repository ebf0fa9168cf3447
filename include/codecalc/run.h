// One program, one language: the table of languages, finding them on this machine, and running a program in the sandbox.
// Called by tools (execute_code, list_languages, …) and by the command line (doctor).
#ifndef CODECALC_RUN_H
#define CODECALC_RUN_H

#include "codecalc/base.h"
#include "codecalc/json.h"
#include "codecalc/sandbox.h"

// ---- the table (src/run/languages.c): one row of data a language ----

#define CC_VARIANT_TOOLS 3
#define CC_VARIANTS      6

typedef enum cc_file_rule {
    CC_FILE_FIXED,  // .file
    CC_FILE_AWAIT,  // .file, with an m before its extension when it awaits outside of functions
    CC_FILE_MODULE, // the same, also when it imports or exports as a module
    CC_FILE_JAVA,   // named after the public type of the source; the main class is the type that has main
    CC_FILE_KOTLIN, // .file; the main class is the object that has main, else the file's own
} cc_file_rule;

typedef enum cc_memory_rule {
    CC_MEMORY_ADDRESS_SPACE, // survives RLIMIT_AS: set, and the tree is measured
    CC_MEMORY_MEASURED,      // reserves far more than it uses: the variant's own flag or variable, and the tree is measured
} cc_memory_rule;

// A file of ours that a variant runs with (src/harness), shown to it at {lib}/name.
typedef struct cc_helper {
    const char *name;
    const char *begin, *end;
} cc_helper;

// What a toolchain would compute anew in every run (Go's standard library, Zig's compiler support, class archives): made once a machine by
// `fill`, run in a sandbox of its own on the language's hello-world, never on anything a caller sent; shown to runs read-only as {warm}.
typedef struct cc_warm {
    const char *name;
    const char *const *fill; // words as below; writes into {warm}
} cc_warm;

// One way of running a language: which commands it takes, and how they are called. In words and environment, {0} {1} {2} stand for the
// tools found, {home0} for the directory that a tool's installation begins at (above its bin), {dir0} for the one that its real file is in,
// {file} for the source's name, {files} (a word of its own) for it behind the further sources of the call, {exe} for the compiled program,
// {main} for the main class, {tmp} for the temporary directory, {lib} and {warm} as above, {mb} for three quarters of the memory limit in
// MiB (a heap limit below the measured one, so that the runtime collects before it is stopped). Where the driver of an interpreter that is
// started ahead stops.
typedef enum cc_waits {
    CC_WAITS_NOT,
    CC_WAITS_WITHOUT_FILE, // where the program's file is not there
    CC_WAITS_WITH_FILE // where a file {lib}/wait is there; the program's file, which the interpreter opens before, is an empty line until
                       // then
} cc_waits;

typedef struct cc_variant {
    const char *tools[CC_VARIANT_TOOLS]; // each one command name, or several to try in order: "lua5.4|lua|luajit"
    const char *inner;                   // below {home0}: what the first tool starts, taken in its place where it exists (* as in a shell)
    const char *needs;                   // below {home0}: what must exist, else the variant is not there (* as in a shell)
    unsigned node_version;               // its first tool is a Node.js of at least this version (major * 100 + minor), by its headers
    const char *const *compile;          // NULL = nothing to compile
    const char *const *compile_main;     // in place of it, where a line of the source begins with @main; NULL = compile
    const char *const *run;
    const char *const *run_no_input; // in place of run when the call has no stdin and no argument names a file of its; NULL = run
    const char *const *not_input;    // options whose second word may name a file that is no input
    const char *const *env;          // "NAME=value" on top of the common environment; may be NULL
    const char *const *reads;        // more paths of the host it needs read-only, where they exist, * as in a shell; may be NULL
    const char *const *version;      // command that prints the version, words as above
    const cc_helper *helper;         // may be NULL
    const cc_helper *driver;         // in place of a helper: it reports over the control descriptor of the program's step; may be NULL
    const char *driver_env;          // "NAME=value" that makes the runtime load the driver; NULL = run does. A call that sets NAME has none
    bool driver_file;                // the driver has no descriptor: it writes to {lib}/told
    const char *const *sees_driver;  // words of a program that would see what the driver does, and runs without it; or NULL
    cc_waits waits;                  // for rows without compile
    const char *const
        *sees_waiting;   // words of a program that would see that its interpreter has waited, and so gets none that has; or NULL
    const cc_warm *warm; // may be NULL
    cc_memory_rule memory;
    int soft_signal;    // at the time limit, sent before the kill: the runtime then writes out what it has and says where it was; 0 = none
    bool shared_memory; // cannot do without memfd_create
} cc_variant;

typedef struct cc_language {
    const char *name;
    const char *const *aliases; // NULL-terminated, or NULL
    const char *extension;      // "py"
    const char *file;           // "main.py"
    cc_file_rule file_rule;
    const char *const *sources;       // extensions of further files that are compiled with it, as {files}; or NULL
    bool sources_beside;              // only those in its own directory
    cc_variant variants[CC_VARIANTS]; // in order of preference; ended by one without run
    const char *diagnostics;          // format of its errors (src/run/diagnostics.c); NULL = none known
    const char *const
        *out_of_memory;  // what the runtime writes to stderr when a limit refuses it memory (^ = at the start of a line); or NULL
    const char *hello;   // a program that writes "hello " and what it reads from stdin
    bool json;           // its input and output are JSON: hello reads and writes strings in quotes
    const char *notes;   // what of its standard library is there, or not; NULL = all of it
    const char *install; // what to install, for the remedy
} cc_language;

extern const cc_language *const cc_languages[];
extern const size_t cc_languages_count;

// By name or alias, in any case; NULL when there is none.
const cc_language *cc_language_find(cc_str name);
// Its place in cc_languages plus one; 0 of NULL.
unsigned cc_language_number(const cc_language *language);
// "tested" when the project's own test run executes the language, else "best_effort".
const char *cc_language_tier(const cc_language *language);
// "bash, c, c++, cpp, node, python3": for messages.
cc_str cc_language_names(cc_arena *a);
// Whether its first run on a machine prepares its toolchain.
bool cc_language_prepares(const cc_language *language);
// The nearest name to a mistyped one, NULL when none is near.
const char *cc_language_nearest(cc_str name);

// ---- finding it here (src/run/resolve.c) ----

typedef struct cc_tool_path {
    const char *name;    // the command that was found: "python3"
    const char *found;   // where it was found on the path
    const char *path;    // what is executed: found, or the real file behind version-manager shims and links out of what is always visible
    const char *prefix;  // directory that must be visible to run it, NULL when /usr has it all
    const char *prefix2; // a second one (the interpreter behind a virtual environment), or NULL
    const char *home;    // where its installation begins: the directory above its real bin, else the directory of its real file
    const char *dir;     // the directory of its real file
} cc_tool_path;

typedef struct cc_resolution {
    const cc_language *language;
    const cc_variant *variant;
    cc_tool_path tools[CC_VARIANT_TOOLS];
    size_t n_tools;
    const char *warm; // directory of the host with what the variant keeps warm, ready to be shown; NULL = none
    const char
        *root; // the tools live in a system tree of their own, which the sandbox then shows in place of the machine's; NULL = the machine's
} cc_resolution;

// The first variant all of whose tools are found along cc_settings_get()->runtime_path, then in the places where installers put them
// (src/run/places.c). Executes nothing. 0, or -1 with CC_RUNTIME_UNAVAILABLE that says what was looked for and what to install.
int cc_language_resolve(cc_arena *a, const cc_language *language, cc_resolution *out, cc_error *err);

// ---- running (src/run/execute.c) ----

typedef enum cc_verdict { CC_VERDICT_OK, CC_VERDICT_TLE, CC_VERDICT_MLE, CC_VERDICT_OLE, CC_VERDICT_RTE } cc_verdict;
const char *cc_verdict_name(cc_verdict v);

#define CC_RUN_TIMEOUT_MAX_S     120    // of one call that waits for its end
#define CC_RUN_STREAM_MAX_S      300    // of one that tells its output as it comes
#define CC_WARM_MAX_MS           180000 // for preparing a toolchain, once for each version of it
#define CC_RUN_OUTPUT_DEFAULT_KB 64
#define CC_RUN_OUTPUT_MAX_KB     240

typedef struct cc_run_request {
    const char *tool;   // who asks, for the audit log; NULL = nobody in particular
    const char *run_id; // of a background run; else NULL
    const cc_language *language;
    cc_str code;
    cc_str input;             // for stdin; empty = end of file at once
    unsigned timeout_ms;      // total, compiling included
    unsigned memory_mb;       // 0 = the default of the settings
    unsigned cpu_s;           // 0 = none asked for
    unsigned output_kb;       // of each stream; 0 = the default
    bool network;             // needs cc_run_network_allowed
    bool fresh;               // compile even when the compiled program is kept from an earlier run
    const cc_str *file_names; // further files beside the program: relative paths that stay inside
    const cc_str *file_bytes;
    size_t n_files;
    const cc_str *args; // further arguments of the program
    size_t n_args;
    const cc_str *env; // "NAME=value"
    size_t n_env;
    const volatile sig_atomic_t *stop; // nonzero ends the run at once; may be NULL
    // Told of what the program writes, piece by piece as it is read, and of nothing (n = 0) at least every 50 ms; may be NULL.
    void (*output)(void *ctx, bool is_stderr, cc_str bytes);
    void *output_ctx;
} cc_run_request;

typedef struct cc_stream {
    cc_str text;    // valid UTF-8; beginning and end with a mark between them when cut
    uint64_t bytes; // how many the program really wrote (as far as it was allowed to)
    bool cut;
} cc_stream;

typedef struct cc_diagnostic {
    cc_str file;
    int line, column;     // 0 = unknown
    const char *severity; // "error", "warning", "note"
    cc_str message;
} cc_diagnostic;

typedef struct cc_frame {
    cc_str file; // the program's own, relative to the work directory
    int line;
    cc_str function;
} cc_frame;

#define CC_EXCEPTION_FRAMES 16

// What a program ended with because it was not caught, as the language's driver tells it: for reading, never for a verdict.
typedef struct cc_exception {
    cc_str type; // empty = none was told
    cc_str message;
    bool has_message;
    cc_frame frames[CC_EXCEPTION_FRAMES]; // the innermost last
    size_t n_frames;
} cc_exception;

typedef struct cc_run_result {
    cc_verdict verdict;
    bool compiling;     // the phase that the verdict speaks of is compiling
    bool timed_out;     // wall clock or CPU
    bool cpu_over;      // CPU
    bool cancelled;     // ended because of request->stop
    int exit_code;      // -1 when there is none: ended by a signal
    int signal;         // 0 when it exited
    const char *reason; // why it was ended, for people: "wall-clock timeout of 10 s"; NULL when it ended by itself
    cc_stream out, err;
    int64_t prepare_ms;  // before all that: preparing the toolchain, which counts for no limit; 0 = it was ready
    bool warm;           // its interpreter had been started before the call
    bool compile_cached; // compiled by an earlier run; .compile_ms is then 0
    int64_t compile_ms, duration_ms, total_ms, cpu_ms, peak_kb;
    int64_t memory_limit_kb;
    cc_isolation isolation;
    uint32_t gaps;
    const char *fallback;          // why not fully isolated; NULL when it was
    const char *const *unenforced; // names for the result, n of them
    size_t n_unenforced;
    const cc_diagnostic *diagnostics;
    size_t n_diagnostics;
    cc_exception exception;
    const char *workdir; // as the program saw it
} cc_run_result;

// What can be said of a request without looking at anything else: 0, or -1 with *err (CC_VALIDATION, naming the field).
int cc_run_check(const cc_run_request *request, cc_error *err);

// Runs one program to its end. 0 when there is a result (also when the program failed), -1 with *err when it could not be run:
// CC_RUNTIME_UNAVAILABLE, CC_PERMISSION_DENIED, CC_VALIDATION (naming the field), CC_RESOURCE_EXHAUSTED, CC_INTERNAL. Everything that
// was started is gone when it returns. The result lives in the arena. Blocks; for a job process with no other children.
int cc_run_execute(cc_arena *a, const cc_run_request *request, cc_run_result *out, cc_error *err);
// In a child that this process has forked to run programs beside it: leaves alone what belongs to the parent.
void cc_run_forked(void);

// Makes the sandbox of the first run ahead of time, blank and without any data. For a process that will run programs, before it has
// something to do; costs it nothing but a clone. With language (a number of cc_language_number) starts its interpreter in there, which then
// waits for its program.
void cc_run_prepare(unsigned language);
// Becomes readable when there is something new about the interpreter (-1: nothing is to be expected).
int cc_run_waiting_fd(void);
// What is known by now, without waiting: 1 when it waits, with the memory it holds in KiB; 0 when it is still on its way; -1 when it never
// will.
int cc_run_waiting(uint64_t *kb);
// The language that was run last in this process, when the next call for it would find use for an interpreter that waits; 0 = none.
unsigned cc_run_wanted(void);
// Before the end of such a process: waits for what its last run left to the kernel, and puts a sandbox away that was not used. Else these
// would be left to the machine's first process, which in a container may reap nobody.
void cc_run_end(void);

// False, with *err (CC_PERMISSION_DENIED), when the host's policy does not open the network to programs.
bool cc_run_network_allowed(cc_error *err);
// Whether the settings of the host let any program run on a machine that gives this much: 0, or -1 with *err.
int cc_run_possible(const cc_sandbox_level *here, cc_error *err);
// Checks a provider's name ("" = the default). 0, or -1 with *err.
int cc_run_check_provider(cc_str name, cc_error *err);
// The most memory that a call may ask for, and for messages by whom. Plans never exceed it.
unsigned cc_run_memory_ceiling_mb(const char **whose);

// ---- the audit log (src/run/audit.c) ----

// Records a run (r), or that there was none (r = NULL, and *err says why). cc_run_execute does it. A failure is only logged.
void cc_audit_run(const cc_run_request *q, const cc_run_result *r, const cc_error *err);
// Any other event: opens a line in the buffer, to which the caller adds fields; end appends it to the log.
cc_jw cc_audit_begin(cc_buf *line, const char *event);
void cc_audit_end(cc_jw *w);

// ---- compiled programs (src/run/cache.c) ----

// How many are kept on disk.
void cc_cache_measure(unsigned *programs, uint64_t *bytes);
// Forgets them all; says how many there were.
void cc_cache_clear(unsigned *programs, uint64_t *bytes);

// ---- prepared toolchains (src/run/warm.c) ----

typedef struct cc_warm_kept {
    unsigned toolchains;
    uint64_t bytes;
    unsigned in_use, stuck; // not removed because somebody uses it, or because it could not be
} cc_warm_kept;

// How many are kept on disk.
void cc_warm_measure(cc_warm_kept *out);
// Removes all that nobody uses, and says how many that were.
void cc_warm_clear(cc_warm_kept *out);

// ---- asking a runtime ----

// Runs the language's version command in the sandbox; the first line that it prints. 0, or -1 with *err.
int cc_language_version(cc_arena *a, const cc_resolution *r, cc_str *out, cc_error *err);

// What the hello-world of a language is given to read so that it greets `word`, and whether what it wrote does that.
cc_str cc_language_hello_input(cc_arena *a, const cc_language *language, const char *word);
bool cc_language_greets(cc_arena *a, const cc_language *language, cc_str said, const char *word);

// Runs the hello-world of a language and checks what it prints: doctor's `available`. 0, or -1 with *err saying what happened.
int cc_language_try(cc_arena *a, const cc_language *language, cc_error *err);

#endif
