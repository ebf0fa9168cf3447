// The ground everything stands on: strings with a length, arenas, errors, growable buffers, scoped clean-up, clocks.
// Every folder may include this; it includes nothing of the project. `sandbox` uses only the part above CC_BASE_MEMORY
// (no allocation), because it runs between clone and exec.
#ifndef CODECALC_BASE_H
#define CODECALC_BASE_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define CC_VERSION          "0.1.0"
#define CC_CONTRACT_VERSION "1.18.0" // of the result envelope that clients of the wire contract know

#define CC_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define CC_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define CC_NORETURN     __attribute__((noreturn))

// ---- strings: bytes with a length; never assumed to end in NUL, may contain NUL. Does not own its bytes. ----

typedef struct cc_str {
    const char *p;
    size_t n;
} cc_str;

#define CC_STR(literal) ((cc_str){(literal), sizeof(literal) - 1})

static inline cc_str cc_str_make(const char *p, size_t n) { return (cc_str){p, n}; }
static inline cc_str cc_str_of(const char *z) { return (cc_str){z, z ? strlen(z) : 0}; }
static inline bool cc_str_eq(cc_str a, cc_str b) { return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0); }
// The first byte is looked at before the length is: tables of names are searched with it.
static inline bool cc_str_eqz(cc_str a, const char *z) { return !(a.n && z && a.p[0] != z[0]) && cc_str_eq(a, cc_str_of(z)); }
static inline bool cc_str_starts(cc_str s, cc_str prefix) { return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0; }
// The part of s without ASCII white space at both ends.
cc_str cc_str_trim(cc_str s);

// ---- errors: by value on the caller's stack, so that reporting one never allocates ----

// The eight codes of the wire contract. A client branches on these; the prose may improve.
typedef enum cc_code {
    CC_OK = 0,
    CC_VALIDATION,          // the request is malformed or out of range
    CC_RUNTIME_UNAVAILABLE, // a language or compiler is not installed here
    CC_TIMEOUT,             // a deadline passed
    CC_RESOURCE_EXHAUSTED,  // a ceiling of memory, output, processes or queue was hit, or would have been
    CC_PERMISSION_DENIED,   // refused by policy
    CC_DEPENDENCY_MISSING,  // something optional is not there
    CC_WORKER_FAILURE,      // the process that served the call died
    CC_INTERNAL,            // a defect of ours
} cc_code;

// The word of a code on the wire ("validation", …); "" for CC_OK.
const char *cc_code_name(cc_code code);

// What went wrong (msg names the field or thing), what to do about it (remedy, for this very failure; may be empty) and,
// where a corrected call can be written down, that call as the JSON text {"tool":…,"arguments":…} (next; may be empty).
typedef struct cc_error {
    cc_code code;
    char msg[512];
    char remedy[384];
    char next[512];
} cc_error;

// Each sets *err (truncating what does not fit, on a code-point boundary) and returns -1, so that a caller can write
// `return cc_error_set(err, …)`.
int cc_error_set(cc_error *err, cc_code code, const char *fmt, ...) CC_PRINTF(3, 4);
// As cc_error_set with CC_INTERNAL, ": " and the text of errno appended.
int cc_error_errno(cc_error *err, const char *fmt, ...) CC_PRINTF(2, 3);
// Puts "context: " in front of the message already there.
int cc_error_wrap(cc_error *err, const char *fmt, ...) CC_PRINTF(2, 3);
// Adds the remedy to an error that is already set.
int cc_error_remedy(cc_error *err, const char *fmt, ...) CC_PRINTF(2, 3);

// ---- clean-up at the end of a scope ----

void cc_cleanup_fd_(int *fd);
#define CC_CLEANUP_FD __attribute__((cleanup(cc_cleanup_fd_)))
// Closes *fd when it is open and sets it to -1; keeps errno.
void cc_fd_close(int *fd);
// Hands a descriptor over from a CC_CLEANUP_FD variable to the caller.
static inline int cc_fd_steal(int *fd) {
    int taken = *fd;
    *fd = -1;
    return taken;
}
// write(2) until everything is out; restarts on EINTR. 0, or -1 with errno.
int cc_fd_write_all(int fd, const void *data, size_t n);
// Makes a directory and those above it that are missing, for the user alone (0700). 0, also when it is there; or -1 with errno.
int cc_folder_make(const char *path);
// Sets or clears O_NONBLOCK. 0, or -1 with errno.
int cc_fd_set_nonblock(int fd, bool on);

// ---- time, in milliseconds or nanoseconds of CLOCK_MONOTONIC ----

int64_t cc_now_ms(void);
int64_t cc_now_ns(void);

// ================================ CC_BASE_MEMORY: everything below allocates ================================

// malloc and friends that never return NULL: out of memory ends the process with status CC_EXIT_OOM, which the server
// reports as resource_exhausted when it was a job.
#define CC_EXIT_OOM 86
void *cc_malloc(size_t n);
void *cc_realloc(void *p, size_t n);
char *cc_strdup(const char *z);
CC_NORETURN void cc_out_of_memory(void);
void cc_cleanup_free_(void *p);
#define CC_CLEANUP_FREE __attribute__((cleanup(cc_cleanup_free_)))

// ---- arena: everything of one call, freed in one place ----

typedef struct cc_arena_block cc_arena_block;
typedef struct cc_arena {
    cc_arena_block *head;
    size_t used; // bytes handed out since the last reset
} cc_arena;

// Returns n bytes aligned for any type, zeroed. Never NULL. Owned by the arena.
void *cc_arena_alloc(cc_arena *a, size_t n);
#define CC_ARENA_NEW(a, type)      ((type *)cc_arena_alloc((a), sizeof(type)))
#define CC_ARENA_ARRAY(a, type, n) ((type *)cc_arena_alloc((a), sizeof(type) * (n)))
// Copies of s in the arena, followed by a NUL that does not count (so .p can serve as a C string when s has no NUL inside).
cc_str cc_arena_dup(cc_arena *a, cc_str s);
char *cc_arena_strdup(cc_arena *a, const char *z);
cc_str cc_arena_printf(cc_arena *a, const char *fmt, ...) CC_PRINTF(2, 3);
// Forgets everything handed out and keeps one block for reuse.
void cc_arena_reset(cc_arena *a);
// Gives all memory back; the arena is then as if zeroed.
void cc_arena_free(cc_arena *a);
void cc_cleanup_arena_(cc_arena *a);
#define CC_CLEANUP_ARENA __attribute__((cleanup(cc_cleanup_arena_)))

// ---- growable byte buffer, owned by whoever declares it ----

typedef struct cc_buf {
    char *p;
    size_t n;
    size_t cap;
} cc_buf;

void cc_buf_reserve(cc_buf *b, size_t more); // room for `more` bytes after .n
void cc_buf_add(cc_buf *b, const void *data, size_t n);
static inline void cc_buf_adds(cc_buf *b, cc_str s) { cc_buf_add(b, s.p, s.n); }
void cc_buf_addz(cc_buf *b, const char *z);
void cc_buf_addc(cc_buf *b, char c);
void cc_buf_printf(cc_buf *b, const char *fmt, ...) CC_PRINTF(2, 3);
static inline cc_str cc_buf_str(const cc_buf *b) { return (cc_str){b->p, b->n}; }
void cc_buf_consume(cc_buf *b, size_t n); // drops the first n bytes
void cc_buf_free(cc_buf *b);
void cc_cleanup_buf_(cc_buf *b);
#define CC_CLEANUP_BUF __attribute__((cleanup(cc_cleanup_buf_)))

// ---- UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF) ----

// Length of the valid sequence at s.p[0], 0 when there is none.
size_t cc_utf8_len(cc_str s);
// True when all of s is valid.
bool cc_utf8_valid(cc_str s);
// The longest prefix of s of at most max bytes that does not cut a sequence.
cc_str cc_utf8_prefix(cc_str s, size_t max);
// Appends s with every byte that is not part of a valid sequence written as \xNN.
void cc_utf8_escape_invalid(cc_buf *out, cc_str s);
// Edit distance (Levenshtein, bytes) of two short names, for "did you mean"; names over 64 bytes compare as far apart.
unsigned cc_edit_distance(cc_str a, cc_str b);

// ---- logging to stderr: one line a message, CODECALC_LOG=error|warn|info|debug (default warn) ----

typedef enum cc_log_level { CC_LOG_ERROR, CC_LOG_WARN, CC_LOG_INFO, CC_LOG_DEBUG } cc_log_level;
// 0, or -1 with *err naming the valid words.
int cc_log_set_level(const char *word, cc_error *err);
void cc_log(cc_log_level level, const char *fmt, ...) CC_PRINTF(2, 3);

// ---- settings: the CODECALC_* variables that processes without an environment need, read once at start ----

typedef struct cc_settings {
    char *runtime_path;      // CODECALC_RUNTIME_PATH, else PATH, else /usr/local/bin:/usr/bin:/bin
    char *home;              // HOME, "" when unset
    char *tools;             // CODECALC_TOOLS, "" when unset
    char *capability_policy; // CODECALC_CAPABILITY_POLICY, "" when unset
    char *require_isolation; // CODECALC_REQUIRE_ISOLATION, "" when unset
    char *cache_dir;         // ${XDG_CACHE_HOME:-$HOME/.cache}/codecalc, "" when there is no home
    char *tmp_dir;           // TMPDIR when absolute, else /tmp
    char *guest_uid_base;    // CODECALC_GUEST_UID_BASE, "" when unset
    char *provider;          // CODECALC_EXECUTION_PROVIDER, else "local"
    char *run_state_dir;     // CODECALC_RUN_STATE_DIR, else ~/.codecalc/runs; "" = no records
    char *audit_log;         // CODECALC_AUDIT_LOG, else ~/.codecalc/audit/audit.log; "" = none, as when it is set to nothing
    long default_memory_mb;  // CODECALC_DEFAULT_MEMORY_MB, else 1024
    long max_memory_mb;      // CODECALC_MAX_MEMORY_MB, 0 when unset
    long max_processes;      // CODECALC_MAX_PROCESSES, 0 when unset
    uint64_t cache_mb;       // CODECALC_CACHE_MB, else 256; 0 = compiled programs are not kept
    long process_headroom;   // CODECALC_PROCESS_HEADROOM, else 512
    long max_active_runs;    // CODECALC_MAX_ACTIVE_RUNS, else 64
    bool structured;         // CODECALC_STRUCTURED is not "0"
    bool warm;               // CODECALC_WARM is not "0"
    uint64_t warm_mb;        // CODECALC_WARM_MB: what interpreters that wait may hold together; 0 = none waits
} cc_settings;

// Reads the environment into the one settings object. A malformed number is an error naming the variable.
int cc_settings_load(cc_error *err);
const cc_settings *cc_settings_get(void);

#endif
