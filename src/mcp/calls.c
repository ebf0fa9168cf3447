// Requests that stay in flight: tool calls and subscriptions, found by id; their progress, cancellation and answers. Called by
// mcp.c and by the job layer's events. Owns the flights. Never computes: a call is checked here and run by a job.
//
// Flights and their buffers are reused, so that a steady stream of calls allocates nothing. A cancelled call loses its id at once
// (nothing more is said about it) and its flight when its job has ended.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "codecalc/run.h"
#include "mcp/internal.h"

enum {
    KEEP_ALIVE_FIRST_MS = 2000, // most calls end before; then often enough for any client's timer
    KEEP_ALIVE_MS = 1000,
    PROGRESS_MS = 100, // between two messages of one call, whatever the job sends
    MESSAGE_MAX = 500, // bytes of a progress message
    SUBSCRIPTIONS = 1000,
    ID_KEEP = 4096, // bytes of an id's buffer that a flight at rest may hold
};

struct cc_flight {
    cc_flight_link all;      // first, so that a link is a flight
    cc_flight_link due_link; // in young or older; unlinked (next NULL) without a token
    cc_flight *chain;        // in its bucket
    cc_mcp *mcp;
    cc_job *job;
    cc_buf id, token;
    bool modern, listening;
    bool silent;                 // cancelled by the client
    int64_t start, due, told_at; // ms; told_at: of the last progress message, 0 = none
    double told, done, total;    // the last value sent; the job's last report (done < 0: none)
    cc_buf message;
};

// ---- lists ----

static void list_init(cc_flight_link *head) { head->prev = head->next = head; }
static bool list_empty(const cc_flight_link *head) { return head->next == head; }

static void list_push(cc_flight_link *head, cc_flight_link *l) { // at the end
    l->prev = head->prev, l->next = head;
    head->prev->next = l;
    head->prev = l;
}

static void list_drop(cc_flight_link *l) {
    if (!l->next) return;
    l->prev->next = l->next;
    l->next->prev = l->prev;
    l->prev = l->next = NULL;
}

static cc_flight *of_all(cc_flight_link *l) { return (cc_flight *)(void *)l; }
static cc_flight *of_due(cc_flight_link *l) { return (cc_flight *)(void *)((char *)l - offsetof(cc_flight, due_link)); }

// ---- the table ----

static size_t bucket_of(cc_str id) { // FNV-1a; what is in flight is bounded, so a chosen collision costs nothing that matters
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < id.n; i++) h = (h ^ (unsigned char)id.p[i]) * 0x100000001B3u;
    return (h ^ h >> 32) & (CC_FLIGHT_BUCKETS - 1);
}

static cc_flight *find(const cc_mcp *m, cc_str id) {
    cc_flight *f = m->flights.bucket[bucket_of(id)];
    while (f && !cc_str_eq(cc_buf_str(&f->id), id)) f = f->chain;
    return f;
}

bool cc_flights_has(const cc_mcp *m, cc_str id) { return find(m, id) != NULL; }

void cc_flights_init(cc_mcp *m) {
    list_init(&m->flights.all);
    list_init(&m->flights.young);
    list_init(&m->flights.older);
    list_init(&m->flights.spare);
}

static cc_flight *flight_new(cc_mcp *m, const cc_request *r) {
    cc_flights *fs = &m->flights;
    cc_flight *f;
    if (list_empty(&fs->spare)) {
        f = cc_malloc(sizeof *f);
        *f = (cc_flight){0};
    } else {
        f = of_all(fs->spare.next);
        list_drop(&f->all);
        *f = (cc_flight){.id = f->id, .token = f->token, .message = f->message};
    }
    f->id.n = f->token.n = f->message.n = 0;
    cc_buf_adds(&f->id, r->id);
    cc_buf_adds(&f->token, r->token);
    f->mcp = m;
    f->modern = r->modern;
    f->told = -INFINITY;
    f->done = f->total = -1;
    size_t b = bucket_of(r->id);
    f->chain = fs->bucket[b];
    fs->bucket[b] = f;
    list_push(&fs->all, &f->all);
    return f;
}

// Out of everything but `all`: no message about it follows.
static void flight_hide(cc_flight *f) {
    cc_flight **at = &f->mcp->flights.bucket[bucket_of(cc_buf_str(&f->id))];
    while (*at != f) at = &(*at)->chain;
    *at = f->chain;
    list_drop(&f->due_link);
}

static void flight_end(cc_flight *f) { // hidden before
    list_drop(&f->all);
    if (f->id.cap > ID_KEEP) cc_buf_free(&f->id);
    if (f->token.cap > ID_KEEP) cc_buf_free(&f->token);
    list_push(&f->mcp->flights.spare, &f->all);
}

static void free_list(cc_flight_link *head) {
    for (cc_flight_link *l = head->next, *next; l != head; l = next) {
        next = l->next;
        cc_flight *f = of_all(l);
        cc_buf_free(&f->id);
        cc_buf_free(&f->token);
        cc_buf_free(&f->message);
        free(f);
    }
    list_init(head);
}

void cc_flights_free(cc_mcp *m) {
    free_list(&m->flights.all);
    free_list(&m->flights.spare);
}

// ---- progress ----

static void tell(cc_flight *f, int64_t now, double value, cc_str message) {
    if (value <= f->told) { // the protocol wants it to grow strictly, whatever the job says
        value = (floor(f->told * 1000) + 1) / 1000;
        if (value <= f->told) value = nextafter(f->told, INFINITY);
    }
    cc_jw w = cc_message_begin_notification(cc_mcp_out(f->mcp), "notifications/progress");
    cc_jw_object(&w);
    cc_jw_kraw(&w, "progressToken", cc_buf_str(&f->token));
    cc_jw_kdouble(&w, "progress", value);
    if (f->total > 0 && value <= f->total) cc_jw_kdouble(&w, "total", f->total);
    if (message.n) cc_jw_kstring(&w, "message", message);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    f->told = value;
    f->told_at = now;
    f->due = now + KEEP_ALIVE_MS;
    list_drop(&f->due_link);
    list_push(&f->mcp->flights.older, &f->due_link); // the list stays in order, since time does
}

static void on_progress(void *ctx, double done, double total, cc_str message) {
    cc_flight *f = ctx;
    if (f->silent || !f->token.n || !isfinite(done) || done < 0) return;
    f->done = done;
    f->total = isfinite(total) ? total : -1;
    f->message.n = 0;
    cc_buf_adds(&f->message, cc_utf8_prefix(message, MESSAGE_MAX));
    int64_t now = cc_now_ms();
    // What comes too early is kept, and the next message tells the latest.
    if (!f->told_at || now - f->told_at >= PROGRESS_MS) tell(f, now, done, cc_buf_str(&f->message));
}

// What a program writes is told at once (the worker keeps the pace) and once.
static void on_output(void *ctx, double done, cc_str text) {
    cc_flight *f = ctx;
    if (f->silent) return;
    f->done = done;
    f->message.n = 0;
    tell(f, cc_now_ms(), done, text);
}

static void keep_alive(cc_flight *f, int64_t now) {
    if (f->done >= 0) {
        tell(f, now, f->done, cc_buf_str(&f->message));
        return;
    }
    int64_t seconds = (now - f->start) / 1000;
    cc_str text = cc_arena_printf(&f->mcp->arena, "running for %lld s", (long long)seconds);
    tell(f, now, (double)seconds, text);
    cc_arena_reset(&f->mcp->arena);
}

int64_t cc_mcp_next_tick(const cc_mcp *m) {
    int64_t next = m->grace_end;
    const cc_flight_link *const heads[] = {&m->flights.young, &m->flights.older};
    for (size_t i = 0; i < CC_ARRAY_LEN(heads); i++)
        if (!list_empty(heads[i]) && of_due(heads[i]->next)->due < next) next = of_due(heads[i]->next)->due;
    return next;
}

void cc_mcp_tick(cc_mcp *m, int64_t now) {
    cc_flight_link *const heads[] = {&m->flights.young, &m->flights.older};
    for (size_t i = 0; i < CC_ARRAY_LEN(heads); i++)
        while (!list_empty(heads[i]) && of_due(heads[i]->next)->due <= now) keep_alive(of_due(heads[i]->next), now);
    if (now < m->grace_end) return;
    m->grace_end = INT64_MAX;
    for (cc_flight_link *l = m->flights.all.next, *next; l != &m->flights.all; l = next) {
        next = l->next;
        if (!of_all(l)->silent) cc_job_cancel(of_all(l)->job); // its done event answers
    }
}

// ---- the end of a call ----

static bool has_lf(cc_str s) { return s.n && memchr(s.p, '\n', s.n); }

static void on_done(void *ctx, const cc_outcome *outcome) {
    cc_flight *f = ctx;
    cc_mcp *m = f->mcp;
    if (!f->silent) {
        flight_hide(f);
        m->flights.owed--;
        if (has_lf(outcome->body) || has_lf(outcome->receipt)) {
            // A job with damaged memory must not be able to take the framing apart.
            cc_error err;
            cc_error_set(&err, CC_WORKER_FAILURE, "the process that served the call wrote a malformed result");
            cc_error_remedy(&err, "call again: the next call gets a new process");
            m->body.n = 0;
            cc_error_write(&m->body, &err);
            cc_reply_tool(m, cc_buf_str(&f->id), f->modern, &(cc_outcome){.body = cc_buf_str(&m->body), .failed = true});
        } else {
            cc_reply_tool(m, cc_buf_str(&f->id), f->modern, outcome);
        }
    }
    flight_end(f);
}

void cc_flights_cancel(cc_mcp *m, cc_str id) {
    cc_flight *f = find(m, id);
    if (!f) return;
    flight_hide(f);
    if (f->listening) {
        m->flights.subscriptions--;
        flight_end(f);
        return;
    }
    f->silent = true;
    m->flights.owed--;
    cc_job_cancel(f->job);
}

// ---- tools/call ----

static int unknown_tool(const cc_mcp *m, cc_str name, const cc_tool *off, cc_rpc_error *e) {
    int shown = (int)cc_utf8_prefix(name, 80).n;
    if (off)
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "the tool \"%.*s\" is not active: add %s to CODECALC_TOOLS", shown, name.p,
                             cc_group_name(off->group));
    const cc_tool *nearest = cc_tools_nearest(name);
    if (nearest && cc_selection_has(&m->selection, nearest))
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "unknown tool \"%.*s\"; did you mean \"%s\"?", shown, name.p, nearest->name);
    return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "unknown tool \"%.*s\"", shown, name.p);
}

static void reply_tool_error(cc_mcp *m, const cc_request *r, const cc_error *err) {
    m->body.n = 0;
    cc_error_write(&m->body, err);
    cc_reply_tool(m, r->id, r->modern, &(cc_outcome){.body = cc_buf_str(&m->body), .failed = true});
}

int cc_call_tool(cc_mcp *m, const cc_request *r, cc_rpc_error *e) {
    const cc_json *name = cc_json_get_type(r->params, "name", CC_JSON_STRING);
    if (!name) return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "params: name must be a string");
    const cc_json *arguments = cc_json_get(r->params, "arguments");
    if (arguments && cc_json_type_of(arguments) == CC_JSON_NULL) arguments = NULL;
    if (arguments && cc_json_type_of(arguments) != CC_JSON_OBJECT)
        return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "params: arguments must be an object, got %s", cc_json_type_name(arguments));
    const cc_tool *tool = cc_tools_find(cc_json_string(name));
    if (!tool || !cc_selection_has(&m->selection, tool)) return unknown_tool(m, cc_json_string(name), tool, e);

    cc_args args;
    cc_error err = {0};
    if (cc_args_parse(&m->arena, tool, arguments, &args, &err)) {
        reply_tool_error(m, r, &err);
        return 0;
    }
    m->arguments.n = 0;
    cc_jw w = cc_jw_make(&m->arguments);
    if (arguments)
        cc_jw_value(&w, arguments);
    else
        cc_jw_raw(&w, CC_STR("{}"));
    cc_flight *f = flight_new(m, r);
    cc_job_events events = {on_done, on_progress, r->token.n ? on_output : NULL};
    cc_str runs = cc_tool_language(tool, &args);
    unsigned language = runs.n ? cc_language_number(cc_language_find(runs)) : 0;
    f->job = cc_jobs_submit(m->jobs, tool, cc_buf_str(&m->arguments), language, cc_tool_deadline(tool, &args), events, f, &err);
    if (!f->job) {
        flight_hide(f);
        flight_end(f);
        reply_tool_error(m, r, &err);
        return 0;
    }
    m->flights.owed++;
    if (r->token.n) {
        f->start = cc_now_ms();
        f->due = f->start + KEEP_ALIVE_FIRST_MS;
        list_push(&m->flights.young, &f->due_link);
    }
    return 0;
}

// ---- subscriptions/listen ----

static int check_filter(const cc_json *filter, cc_rpc_error *e) {
    static const char *const flags[] = {"toolsListChanged", "promptsListChanged", "resourcesListChanged"};
    for (size_t i = 0; i < CC_ARRAY_LEN(flags); i++) {
        const cc_json *v = cc_json_get(filter, flags[i]);
        if (v && cc_json_type_of(v) != CC_JSON_BOOL)
            return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "notifications: %s must be true or false", flags[i]);
    }
    const cc_json *uris = cc_json_get(filter, "resourceSubscriptions");
    bool good = !uris || cc_json_type_of(uris) == CC_JSON_ARRAY;
    if (uris && good) {
        cc_json_iter it = cc_json_iterate(uris);
        while (cc_json_next(&it)) good &= cc_json_type_of(it.value) == CC_JSON_STRING;
    }
    return good ? 0 : cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "notifications: resourceSubscriptions must be a list of strings");
}

#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

int cc_listen(cc_mcp *m, const cc_request *r, cc_rpc_error *e) {
    const cc_json *filter = cc_json_get_type(r->params, "notifications", CC_JSON_OBJECT);
    if (!filter) return cc_rpc_refuse(e, CC_RPC_BAD_PARAMS, "params: notifications must be an object");
    if (check_filter(filter, e)) return -1;
    if (m->flights.subscriptions == SUBSCRIPTIONS)
        return cc_rpc_refuse(e, CC_RPC_INTERNAL, "%d subscriptions are open: cancel one first", SUBSCRIPTIONS);
    cc_flight *f = flight_new(m, r);
    f->listening = f->silent = true; // nothing is owed
    m->flights.subscriptions++;
    // The lists are fixed and there are no resources, so no notification is ever due: the accepted subset is empty.
    cc_jw w = cc_message_begin_notification(cc_mcp_out(m), "notifications/subscriptions/acknowledged");
    cc_jw_object(&w);
    cc_jw_key(&w, "_meta");
    cc_jw_object(&w);
    cc_jw_kraw(&w, SUBSCRIPTION_ID, r->id);
    cc_jw_end_object(&w);
    cc_jw_kraw(&w, "notifications", CC_STR("{}"));
    cc_jw_end_object(&w);
    cc_message_end(&w);
    return 0;
}

static void end_subscription(cc_mcp *m, cc_flight *f) {
    cc_str id = cc_buf_str(&f->id);
    cc_jw w = cc_reply_begin(m, id, true);
    cc_jw_key(&w, "_meta");
    cc_jw_raw(&w, CC_STR("{" CC_MCP_SERVER_INFO));
    cc_jw_kraw(&w, SUBSCRIPTION_ID, id);
    cc_jw_end_object(&w);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    // Said twice, because one page of the specification asks for the answer and another for this.
    w = cc_message_begin_notification(cc_mcp_out(m), "notifications/cancelled");
    cc_jw_object(&w);
    cc_jw_kraw(&w, "requestId", id);
    cc_jw_end_object(&w);
    cc_message_end(&w);
    flight_hide(f);
    m->flights.subscriptions--;
    flight_end(f);
}

// ---- the end of input ----

size_t cc_mcp_in_flight(const cc_mcp *m) { return m->flights.owed; }

void cc_mcp_input_ended(cc_mcp *m, int grace_ms) {
    for (cc_flight_link *l = m->flights.all.next, *next; l != &m->flights.all; l = next) {
        next = l->next;
        if (of_all(l)->listening) end_subscription(m, of_all(l));
    }
    if (grace_ms >= 0 && m->flights.owed) m->grace_end = cc_now_ms() + grace_ms;
}
