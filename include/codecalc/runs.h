// Background runs: the server's table of them (src/session/runs.c), and the records of them that outlive it (src/session/records.c).
#ifndef CODECALC_RUNS_H
#define CODECALC_RUNS_H

#include "codecalc/base.h"

#define CC_RUN_ID 32 // hex digits of a run's name

typedef enum cc_run_state {
    CC_RUN_RUNNING,
    CC_RUN_CANCELLING,
    CC_RUN_FINISHED,  // ended; whoever should have cleaned up after it died
    CC_RUN_CLEANED,   // ended, and nothing of it is left
    CC_RUN_RECOVERED, // its server ended before it did, and it with the server
} cc_run_state;

const char *cc_run_state_name(cc_run_state state);
static inline bool cc_run_ended(cc_run_state s) { return s >= CC_RUN_FINISHED; }
// True for what can be the name of a run.
bool cc_run_id_valid(cc_str id);
// Milliseconds since 1970.
int64_t cc_run_now_ms(void);

// ---- the table: memory alone; it starts nothing and stops nothing. Whoever owns it looks at it and does what it says. ----

typedef struct cc_runs cc_runs;

typedef struct cc_run {
    struct cc_run *prev, *next; // in the table, the one used last first
    char id[CC_RUN_ID + 1];
    cc_run_state state;
    bool waiting;   // for a place: not to be started yet
    bool cancelled; // ended because somebody wanted it to, without a result of its own
    bool gone;      // ended, and its result was dropped to make room
    uint32_t tool;  // for whoever starts it
    unsigned timeout_ms, deadline_ms;
    int64_t started_ms;   // since 1970
    cc_buf arguments;     // until it is started
    cc_buf output;        // while it runs: what it has written
    cc_buf body, receipt; // once ended: its result object and its receipt
    void *job;            // its process, for whoever starts and stops it; NULL before and after
    bool stopping;        // the same: told to stop
    void *owner;          // the same: itself
    struct cc_runs *runs;
} cc_run;

// At most max_active runs that have not ended (0: none at all), of which places run at once and the others wait. Never NULL.
cc_runs *cc_runs_new(unsigned max_active, unsigned places);
void cc_runs_free(cc_runs *runs);
// Enters a run. NULL with *err (CC_RESOURCE_EXHAUSTED) when there are too many.
cc_run *cc_runs_add(cc_runs *runs, uint32_t tool, cc_str arguments, unsigned timeout_ms, unsigned deadline_ms, cc_error *err);
// NULL when it is not in the table.
cc_run *cc_runs_find(cc_runs *runs, cc_str id);
// The first one to be started now, NULL when there is none.
cc_run *cc_runs_next(cc_runs *runs);
// All that have not ended: for (r = cc_runs_active(runs, NULL); r; r = cc_runs_active(runs, r)).
cc_run *cc_runs_active(cc_runs *runs, const cc_run *after);
void cc_runs_started(cc_runs *runs, cc_run *run, void *job);
// The program begins only now.
void cc_run_began(cc_run *run);
void cc_run_printed(cc_run *run, cc_str text);
// Wants it to end. One that is not started ends here; else whoever started it sees CC_RUN_CANCELLING. False when it had ended already.
bool cc_runs_cancel(cc_runs *runs, cc_run *run);
// Its result (copied). May drop the results of others, the least recently used first.
void cc_runs_end(cc_runs *runs, cc_run *run, cc_str body, cc_str receipt, bool cleaned);

// ---- records: one small file a run in CODECALC_RUN_STATE_DIR, written by the run's own worker before the program starts and after
// it has ended. Never source, input or output. ----

typedef struct cc_run_record {
    char id[CC_RUN_ID + 1];
    cc_run_state state;
    char language[32];
    unsigned timeout_ms;
    int64_t started_ms, ended_ms;
    char verdict[8]; // of one that ended; "" when it was not run
    int exit_code;
    bool ok, cancelled;
    pid_t server; // which ran it; its start, in clock ticks since boot, and the boot tell it from others with this number
    uint64_t server_start;
    char boot[37];
    bool server_lives; // set by reading
} cc_run_record;

// Fills what names the server, which is this process's parent.
void cc_run_record_begin(cc_run_record *r, const char *id);
// Writes the file anew, at once or not at all. 0, or -1 with *err. Nothing when records are off.
int cc_run_record_write(const cc_run_record *r, cc_error *err);
// Reads one; a run whose server is gone without its end is CC_RUN_RECOVERED. 1, 0 when there is none, or -1 with *err.
int cc_run_record_read(cc_str id, cc_run_record *out, cc_error *err);
// Keeps the number of records in bounds: past KEPT_MAX (1000) the oldest go. A failure shows in status.
void cc_run_records_bound(void);
// What is there, and what of it is over and older than before_ms.
typedef struct cc_run_records {
    size_t states[CC_RUN_RECOVERED + 1]; // by state
    size_t old;
    uint64_t bytes, old_bytes;
} cc_run_records;
// Counts them, and removes the old when remove is set. 0, or -1 with *err.
int cc_run_records_sweep(int64_t before_ms, bool remove, cc_run_records *out, cc_error *err);

#endif
