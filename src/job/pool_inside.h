// What pool.c and waiting.c know of the workers. Folder-private.
#ifndef CODECALC_JOB_POOL_INSIDE_H
#define CODECALC_JOB_POOL_INSIDE_H

#include "job/list.h"
#include "job/pool.h"

// COMING and WAITING are STARTING and IDLE of a launcher with an interpreter, which is kept for calls of its language.
typedef enum worker_state { STARTING, COMING, IDLE, WAITING, BUSY, ENDING } worker_state;
#define STATES 6

struct cc_worker {
    cc_link link; // in pool->workers[where][state]
    cc_pool *pool;
    cc_where where;
    worker_state state;
    unsigned language; // whose interpreter it keeps; 0 = none
    uint64_t holds_kb; // and what that takes, as soon as it is known
    uint64_t id;
    int fd, pidfd; // -1 when closed or not yet there
    uv_poll_t socket_poll, pidfd_poll;
    unsigned handles; // of these two, initialised and not yet closed
    cc_job *job;
    unsigned calls;
    bool stopped;    // got the soft stop
    cc_buf in, out;  // a frame not yet complete; a request not yet written
    size_t out_at;   // bytes of .out that are written
    cc_error reason; // of CC_FRAME_FATAL; code CC_OK when there was none
};

// Which languages have had use for an interpreter that waits. By their numbers; higher ones have none.
typedef struct cc_waiting {
    struct {
        int64_t used_ms; // 0 = never
        bool refused;    // one of them takes more than all may
    } of[64];
    uv_timer_t unused; // when the one that was used longest ago has not been used for long enough
} cc_waiting;

struct cc_pool {
    uv_loop_t *loop;
    cc_pool_events events;
    void *ctx;
    cc_spawner spawner;
    uv_poll_t spawner_poll, spawner_exit;
    cc_pool_limits limits;
    uv_timer_t unused; // when the spare launchers have not been used for long enough
    cc_waiting waiting;
    bool spawner_gone, closing;
    cc_list workers[CC_JOB_KINDS][STATES];
    uint64_t next_id, replaced, died;
    char *scratch; // where frames are received; most are handled right there
};

// ---- pool.c ----

// Asks for one more launcher, which starts an interpreter of language ahead; 0 = for none. 0, or -1 with *err.
int cc_pool_start_with(cc_pool *pool, cc_where where, unsigned language, cc_error *err);
// Takes a launcher without a call out of service: it has a sandbox to put away, ends at the end of its stream, and leaves no child to
// others.
void cc_worker_dismiss(cc_worker *w);
// Ends every launcher that has a call, whose error this is. Uses no part of libuv.
void cc_pool_end_programs(cc_pool *pool, const cc_error *why);

// ---- watches.c ----

// The pool whose programs are ended when the kernel has no epoll watch left for this process; NULL = none.
void cc_watches_of(cc_pool *pool);

// ---- waiting.c ----

// After a call of a language that could have used an interpreter that waits: the next one should find it.
void cc_waiting_keep(cc_pool *pool, unsigned language);
// A launcher with one has come.
void cc_waiting_came(cc_pool *pool);
// What one holds is known.
void cc_waiting_bound(cc_worker *told);

#endif
