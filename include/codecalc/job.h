// Jobs: every tool call that is not a look-up in the server's tables runs in a process of its own, made by the spawner and owned
// by the server through a pidfd. A job that crashes, hangs or eats memory ends itself and nothing else.
//
//   server ──(socketpair)── spawner ──clone(CLONE_PARENT)── worker   one a call (CC_FILES, CC_LAUNCHER), or reused (CC_SEALED)
//
// A call that dies is answered all the same: resource_exhausted when it needed too much memory, timeout at its deadline or when it
// was cancelled, internal, naming the signal, for everything else. The next call works.
#ifndef CODECALC_JOB_H
#define CODECALC_JOB_H

#include <uv.h>

#include "codecalc/base.h"
#include "codecalc/tools.h"

// ---- the spawner: forked first thing in main, before anything is read ----

typedef struct cc_spawner {
    int socket; // SEQPACKET, the server's end
    int pidfd;
    pid_t pid;
} cc_spawner;

// Forks the spawner (cleared environment, no other descriptor) and makes this process non-dumpable. Call after cc_settings_load, which
// the workers inherit, and before any other set-up; single-threaded, and on the thread that lives as long as the process, because its
// end kills spawner and workers. Resets SIGCHLD to its default. 0, or -1 with *err.
int cc_spawner_start(cc_spawner *out, cc_error *err);

// ---- running jobs, on the server's loop ----

typedef struct cc_jobs cc_jobs;
typedef struct cc_job cc_job;

typedef struct cc_jobs_limits {
    unsigned sealed;    // sealed workers at once; 0 = number of cores
    unsigned launchers; // CC_LAUNCHER jobs at once, and so many of CC_FILES; 0 = 2 × cores
    unsigned queue;     // calls waiting; 0 = 256
    unsigned runs;      // background runs that have not ended; 0 = there are none here
    bool stock;         // from the first CC_LAUNCHER call on, so many launchers as there are cores wait, each with a blank sandbox (unless
                        // CODECALC_WARM is 0)
                        // A language whose calls can use one then has an interpreter waiting as well, within CODECALC_WARM_MB
    unsigned spare_ms;  // how long they are kept when none is used; 0 = five minutes
} cc_jobs_limits;

// Owns the spawner from here on, and starts one sealed worker for the first call. Never NULL.
cc_jobs *cc_jobs_new(uv_loop_t *loop, cc_spawner spawner, cc_jobs_limits limits);

// How a call ended. body is the result object (one line of JSON, "ok" first), receipt a JSON object or empty; both are valid
// during the callback only. failed = the request failed (isError).
typedef struct cc_outcome {
    cc_str body;
    cc_str receipt;
    bool failed;
    bool cancelled; // ended because of cc_job_cancel; body then says so
    bool died;      // its process ended without an answer
} cc_outcome;

typedef struct cc_job_events {
    void (*done)(void *ctx, const cc_outcome *outcome);                     // exactly once, never from inside cc_jobs_submit
    void (*progress)(void *ctx, double done, double total, cc_str message); // may be NULL
    void (*output)(void *ctx, double done, cc_str text);                    // a program's output as it comes; NULL: not wanted
} cc_job_events;

// Starts or queues one call. arguments is the JSON text of an arguments object that cc_args_parse has accepted (copied);
// language: the one that it will run, a number of cc_language_number, 0 = none or several; deadline in ms from now, of the whole call,
// queue included: the soft stop comes then, SIGKILL 100 ms later. A CC_SERVER tool runs on the loop at its next turn. The job is valid
// until done. Returns NULL with *err (CC_RESOURCE_EXHAUSTED) when the queue is full.
cc_job *cc_jobs_submit(cc_jobs *jobs, const cc_tool *tool, cc_str arguments, unsigned language, unsigned deadline_ms, cc_job_events events,
                       void *ctx, cc_error *err);
// Soft stop now, SIGKILL 100 ms later; done follows, never from inside, with .cancelled unless the tool still answered in full.
void cc_job_cancel(cc_job *job);
size_t cc_jobs_active(const cc_jobs *jobs); // running + queued
// Kills every job, worker and the spawner at once (SIGKILL), without callbacks, and closes all handles. Everything is gone when
// the loop has run to its end; then cc_jobs_free.
void cc_jobs_close(cc_jobs *jobs);
void cc_jobs_free(cc_jobs *jobs);

// For `status` and tests: processes now alive by kind.
typedef struct cc_jobs_stats {
    unsigned sealed_idle, sealed_busy, others, queued;
    unsigned spares; // of the others: launchers in stock, each with a blank sandbox
    uint64_t calls, replaced, died;
} cc_jobs_stats;
cc_jobs_stats cc_jobs_get_stats(const cc_jobs *jobs);

#endif
