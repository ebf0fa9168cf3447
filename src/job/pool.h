// The worker processes as the server sees them: started through the spawner, handed one call at a time, read, kept or replaced,
// killed and reaped. jobs.c is the only caller; calls, queues and deadlines are its business. Folder-private.
#ifndef CODECALC_JOB_POOL_H
#define CODECALC_JOB_POOL_H

#include <uv.h>

#include "codecalc/job.h"
#include "job/protocol.h"

#define CC_JOB_KINDS 3 // CC_SEALED, CC_FILES, CC_LAUNCHER: the values of cc_where that need a process

typedef struct cc_pool cc_pool;
typedef struct cc_worker cc_worker;

// Reported from the loop, never from inside a call of this header. None after cc_pool_close.
typedef struct cc_pool_events {
    void (*ready)(void *ctx, cc_where where);                        // an idle worker can be taken, or a place is free again
    void (*refused)(void *ctx, cc_where where, const cc_error *err); // a worker that was on its way will not come
    void (*reply)(void *ctx, cc_job *job, cc_code code, cc_str body, cc_str receipt); // the text is valid during the callback only
    void (*progress)(void *ctx, cc_job *job, double done, double total, cc_str message);
    void (*output)(void *ctx, cc_job *job, double done, cc_str text);
    void (*died)(void *ctx, cc_job *job, const cc_error *err); // the worker ended without a reply
} cc_pool_events;

typedef struct cc_pool_count {
    unsigned starting, idle, busy;
} cc_pool_count;

typedef struct cc_pool_limits {
    unsigned sealed;     // at most so many CC_SEALED workers serve at once; the caller starts no more than that, and the pool replaces them
                         // within it (for the moment in which an old one is relieved there is one more)
    unsigned launchers;  // the same of CC_LAUNCHER; those in stock count
    unsigned spares;     // in stock
    unsigned spare_ms;   // how long they are kept when none is used
    uint64_t waiting_kb; // what interpreters that wait may hold together
} cc_pool_limits;

// Owns the spawner from here on.
cc_pool *cc_pool_new(uv_loop_t *loop, cc_spawner spawner, cc_pool_limits limits, cc_pool_events events, void *ctx);
// Asks for one more worker; ready or refused follows. 0, or -1 with *err.
int cc_pool_start(cc_pool *pool, cc_where where, cc_error *err);
cc_pool_count cc_pool_counts(const cc_pool *pool, cc_where where);
// Launchers with an interpreter that waits, and what these hold. They are none of cc_pool_counts.
unsigned cc_pool_waiting(const cc_pool *pool, uint64_t *kb);
uint64_t cc_pool_replaced(const cc_pool *pool);
uint64_t cc_pool_died(const cc_pool *pool);
// Writes one request to an idle worker and returns it, now busy with job; NULL when none is idle. reply or died follows.
// request: everything but its magic and length.
cc_worker *cc_pool_run(cc_pool *pool, cc_where where, cc_job *job, cc_request_head request, cc_str arguments);
// The soft stop: SIGALRM. The worker serves no further call after this one.
void cc_worker_stop(cc_worker *w);
// SIGKILL; neither reply nor died will be reported for its job.
void cc_worker_kill(cc_worker *w);
// Kills every worker and the spawner. Everything is gone when the loop has run to its end; then cc_pool_free.
void cc_pool_close(cc_pool *pool);
void cc_pool_free(cc_pool *pool);

#endif
