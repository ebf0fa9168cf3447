// The table of background runs. Called by the run_* tools, in the server, and by the job layer, which starts what is to be started and
// stops what is to be stopped. Owns arguments, output and results of runs, within bounds. It only touches memory.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "codecalc/runs.h"

enum {
    KEPT_RUNS = 1024,   // of which it is at least known that they ended
    KEPT_RESULTS = 256, // of these with their results
};
#define KEPT_BYTES    ((size_t)64 << 20) // of results
#define WAITING_BYTES ((size_t)64 << 20) // of arguments
#define OUTPUT_BYTES  ((size_t)2 << 20)  // of one run's output so far; its worker sends less

struct cc_runs {
    cc_run ring; // head of the ring
    unsigned max_active, places;
    unsigned active, placed, results, all;
    size_t result_bytes, waiting_bytes;
};

const char *cc_run_state_name(cc_run_state state) {
    static const char *const names[] = {"running", "cancelling", "finished", "cleaned", "recovered"};
    return names[state];
}

bool cc_run_id_valid(cc_str id) {
    for (size_t i = 0; i < id.n; i++)
        if (!((id.p[i] >= '0' && id.p[i] <= '9') || (id.p[i] >= 'a' && id.p[i] <= 'f'))) return false;
    return id.n == CC_RUN_ID;
}

int64_t cc_run_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// ---- the ring ----

static void unlink_run(cc_run *r) {
    r->prev->next = r->next;
    r->next->prev = r->prev;
}

static void push_front(cc_runs *runs, cc_run *r) {
    r->prev = &runs->ring;
    r->next = runs->ring.next;
    r->next->prev = r->prev->next = r;
}

static void free_result(cc_runs *runs, cc_run *r) {
    runs->results--;
    runs->result_bytes -= r->body.n + r->receipt.n;
    cc_buf_free(&r->body);
    cc_buf_free(&r->receipt);
}

static void free_run(cc_runs *runs, cc_run *r) {
    unlink_run(r);
    runs->all--;
    cc_buf_free(&r->arguments);
    cc_buf_free(&r->output);
    cc_buf_free(&r->body);
    cc_buf_free(&r->receipt);
    free(r);
}

// Within the bounds again: the least recently used of the ended lose their results, and then their names.
static void make_room(cc_runs *runs) {
    cc_run *before;
    for (cc_run *r = runs->ring.prev; r != &runs->ring; r = before) {
        before = r->prev;
        if (!cc_run_ended(r->state)) continue;
        if (!r->gone && (runs->results > KEPT_RESULTS || runs->result_bytes > KEPT_BYTES)) {
            free_result(runs, r);
            r->gone = true;
        }
        if (r->gone && runs->all > KEPT_RUNS) free_run(runs, r);
    }
}

cc_runs *cc_runs_new(unsigned max_active, unsigned places) {
    cc_runs *runs = cc_malloc(sizeof *runs);
    *runs = (cc_runs){.max_active = max_active, .places = places};
    runs->ring.prev = runs->ring.next = &runs->ring;
    return runs;
}

void cc_runs_free(cc_runs *runs) {
    if (!runs) return;
    while (runs->ring.next != &runs->ring) free_run(runs, runs->ring.next);
    free(runs);
}

// ---- a run's life ----

static void name_run(cc_run *r) {
    unsigned char bytes[CC_RUN_ID / 2];
    ssize_t got = getrandom(bytes, sizeof bytes, 0);
    if (got != (ssize_t)sizeof bytes) abort(); // so few bytes come whole, from a kernel that has any
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(r->id + 2 * i, 3, "%02x", bytes[i]);
}

// The free places go to those that wait, the longest waiting first.
static void give_places(cc_runs *runs) {
    for (cc_run *r = runs->ring.prev; r != &runs->ring && runs->placed < runs->places; r = r->prev) {
        if (!r->waiting) continue;
        r->waiting = false;
        runs->placed++;
    }
}

cc_run *cc_runs_add(cc_runs *runs, uint32_t tool, cc_str arguments, unsigned timeout_ms, unsigned deadline_ms, cc_error *err) {
    if (!runs->max_active) {
        cc_error_set(err, CC_VALIDATION, "a background run lives in the server that started it, and here there is none that stays");
        cc_error_remedy(err, "use execute_code, which waits for the end");
        return NULL;
    }
    if (runs->active >= runs->max_active) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "%u background runs have not ended; at most %u may be so at once", runs->active,
                     runs->max_active);
        cc_error_remedy(err, "wait for one to end (run_inspect) or end one (run_cancel)");
        return NULL;
    }
    if (runs->waiting_bytes + arguments.n > WAITING_BYTES) {
        cc_error_set(err, CC_RESOURCE_EXHAUSTED, "the background runs that wait hold %zu MB of programs and input; at most %zu MB",
                     runs->waiting_bytes >> 20, WAITING_BYTES >> 20);
        cc_error_remedy(err, "wait for one to start, or submit less at once");
        return NULL;
    }
    cc_run *r = cc_malloc(sizeof *r);
    *r = (cc_run){
        .tool = tool, .timeout_ms = timeout_ms, .deadline_ms = deadline_ms, .waiting = true, .runs = runs, .started_ms = cc_run_now_ms()};
    name_run(r);
    cc_buf_adds(&r->arguments, arguments);
    runs->waiting_bytes += arguments.n;
    runs->active++;
    runs->all++;
    push_front(runs, r);
    give_places(runs);
    return r;
}

cc_run *cc_runs_find(cc_runs *runs, cc_str id) {
    for (cc_run *r = runs->ring.next; r != &runs->ring; r = r->next) {
        if (!cc_str_eqz(id, r->id)) continue;
        if (cc_run_ended(r->state)) { // the order of those that wait is that of their coming
            unlink_run(r);
            push_front(runs, r);
        }
        return r;
    }
    return NULL;
}

cc_run *cc_runs_active(cc_runs *runs, const cc_run *after) {
    cc_run *r = after ? after->next : runs->ring.next;
    while (r != &runs->ring && cc_run_ended(r->state)) r = r->next;
    return r == &runs->ring ? NULL : r;
}

cc_run *cc_runs_next(cc_runs *runs) {
    for (cc_run *r = runs->ring.prev; r != &runs->ring; r = r->prev)
        if (r->state == CC_RUN_RUNNING && !r->waiting && !r->job) return r;
    return NULL;
}

void cc_runs_started(cc_runs *runs, cc_run *run, void *job) {
    run->job = job;
    runs->waiting_bytes -= run->arguments.n;
    cc_buf_free(&run->arguments);
    cc_run_began(run);
}

void cc_run_began(cc_run *run) { run->started_ms = cc_run_now_ms(); }

void cc_run_printed(cc_run *run, cc_str text) {
    if (run->output.n + text.n <= OUTPUT_BYTES) cc_buf_adds(&run->output, text);
}

void cc_runs_end(cc_runs *runs, cc_run *run, cc_str body, cc_str receipt, bool cleaned) {
    assert(!cc_run_ended(run->state));
    runs->active--;
    if (!run->waiting) runs->placed--;
    runs->waiting_bytes -= run->arguments.n;
    cc_buf_free(&run->arguments);
    cc_buf_free(&run->output);
    run->waiting = false;
    run->job = NULL;
    run->state = cleaned ? CC_RUN_CLEANED : CC_RUN_FINISHED;
    cc_buf_adds(&run->body, body);
    cc_buf_adds(&run->receipt, receipt);
    runs->results++;
    runs->result_bytes += body.n + receipt.n;
    unlink_run(run);
    push_front(runs, run);
    make_room(runs);
    give_places(runs);
}

bool cc_runs_cancel(cc_runs *runs, cc_run *run) {
    static const char never[] = "{\"ok\":false,\"code\":\"timeout\",\"error\":\"the run was cancelled before it began\","
                                "\"remedy\":\"submit it again when the result is wanted\"}";
    if (cc_run_ended(run->state)) return false;
    if (run->job) {
        run->state = CC_RUN_CANCELLING;
        return true;
    }
    run->cancelled = true;
    run->started_ms = 0;
    cc_runs_end(runs, run, CC_STR(never), (cc_str){0}, true);
    return true;
}
