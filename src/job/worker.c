// What runs in a worker: descriptors and limits set, sealed, then one request after the other from the socket: arguments parsed, the
// tool run, the reply written. Called by the spawner in the new process. Owns that process. It never decides about its own life:
// the server stops, kills and replaces it, and the end of the socket's stream ends it.
#include <errno.h>
#include <fcntl.h>
#include <gmp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <flint/flint.h>

#include "codecalc/run.h"
#include "job/library_memory.h"
#include "job/protocol.h"
#include "job/seal.h"
#include "job/worker.h"

// Buffers that one large call has grown past this are given back after it.
#define KEPT_BUFFER ((size_t)256 << 10)

static volatile sig_atomic_t stop_asked;

static struct {
    cc_arena arena;
    cc_where where;
    cc_buf in, body, receipt;
    uint64_t base_kb; // peak resident memory when the worker was ready
} me;

static uint64_t peak_kb(void) {
    struct rusage u;
    return getrusage(RUSAGE_SELF, &u) ? 0 : (uint64_t)u.ru_maxrss;
}

// ---- frames to the server. A server that is gone ends this worker by SIGPIPE or here. ----

static void send_frame(cc_frame_head head, cc_str body, cc_str receipt) {
    head.magic = CC_FRAME_MAGIC;
    head.body = (uint32_t)body.n;
    head.receipt = (uint32_t)receipt.n;
    struct iovec v[] = {
        {&head, sizeof head},
        {(void *)(uintptr_t)body.p, body.n}, // writev only reads
        {(void *)(uintptr_t)receipt.p, receipt.n},
    };
    if (cc_write_vector(CC_WORKER_SOCKET, v, CC_ARRAY_LEN(v))) _exit(EXIT_FAILURE);
}

CC_NORETURN static void end_with_reason(cc_code code, const char *reason, int status) {
    cc_str text = cc_utf8_prefix(cc_str_of(reason), CC_FRAME_TEXT_MAX);
    send_frame((cc_frame_head){.type = CC_FRAME_FATAL, .code = (uint16_t)code}, text, (cc_str){0});
    _exit(status);
}

static void send_progress(cc_call *call, double done, double total, cc_str message) {
    (void)call;
    send_frame((cc_frame_head){.type = CC_FRAME_PROGRESS, .done = done, .total = total}, cc_utf8_prefix(message, CC_FRAME_TEXT_MAX),
               (cc_str){0});
}

static void send_output(cc_call *call, double done, cc_str text) {
    (void)call;
    send_frame((cc_frame_head){.type = CC_FRAME_OUTPUT, .done = done}, cc_utf8_prefix(text, CC_FRAME_OUTPUT_MAX), (cc_str){0});
}

// ---- libraries that end the process instead of returning ----

static void *gmp_realloc(void *p, size_t old, size_t n) {
    (void)old;
    return cc_library_realloc(p, n);
}

static void gmp_free(void *p, size_t n) {
    (void)n;
    cc_library_free(p);
}

static void *flint_aligned_or_end(size_t alignment, size_t size) {
    void *p = aligned_alloc(alignment, size);
    if (!p) cc_out_of_memory();
    return p;
}

// FLINT's state is undefined after a throw, so the worker ends; the message is what the user can act on.
static void flint_threw(flint_err_t kind, const char *format, va_list args) {
    (void)kind;
    char text[CC_FRAME_TEXT_MAX] = "the algebra library gave up: ";
    size_t n = strlen(text);
    FILE *f = fmemopen(text + n, sizeof text - n, "w"); // FLINT's formats are its own, and it prints them only to streams
    if (f) {
        flint_vfprintf(f, format, args);
        fclose(f);
    }
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ') *c = ' ';
    end_with_reason(CC_INTERNAL, text, EXIT_FAILURE);
}

static void hook_libraries(void) {
    mp_set_memory_functions(cc_library_alloc, gmp_realloc, gmp_free);
    __flint_set_all_memory_functions(cc_library_alloc, cc_library_calloc, cc_library_realloc, cc_library_free, flint_aligned_or_end, free);
    flint_set_throw(flint_threw);
}

// ---- one request ----

// Until the interpreter that was started ahead waits, or a request is there.
static void tell_what_waits(void) {
    struct pollfd on[2] = {{.fd = CC_WORKER_SOCKET, .events = POLLIN}, {.fd = cc_run_waiting_fd(), .events = POLLIN}};
    uint64_t kb;
    int told = on[1].fd < 0 ? -1 : 0;
    while (!told && !on[0].revents && (poll(on, 2, -1) >= 0 || errno == EINTR)) told = on[1].revents ? cc_run_waiting(&kb) : 0;
    if (told > 0) send_frame((cc_frame_head){.type = CC_FRAME_HOLDS, .grown_kb = kb}, (cc_str){0}, (cc_str){0});
}

// Fills me.in with one whole request; the process ends at the end of the stream.
static void read_request(cc_request_head *head) {
    me.in.n = 0;
    size_t want = sizeof *head;
    cc_buf_reserve(&me.in, (size_t)16 << 10);
    while (me.in.n < want) {
        ssize_t n = read(CC_WORKER_SOCKET, me.in.p + me.in.n, me.in.cap - me.in.n);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (me.where == CC_LAUNCHER) cc_run_end();
            _exit(EXIT_SUCCESS);
        }
        me.in.n += (size_t)n;
        if (want > sizeof *head || me.in.n < sizeof *head) continue;
        memcpy(head, me.in.p, sizeof *head);
        if (head->magic != CC_REQUEST_MAGIC || head->tool >= cc_tools_count())
            end_with_reason(CC_INTERNAL, "the server sent no request", EXIT_FAILURE);
        want += head->n;
        cc_buf_reserve(&me.in, want - me.in.n);
    }
}

static int parse_arguments(const cc_tool *tool, cc_str text, cc_args *args, cc_error *err) {
    const cc_json *object;
    if (cc_json_parse(&me.arena, text, CC_JSON_MAX_DEPTH, &object, err)) return -1;
    return cc_args_parse(&me.arena, tool, object, args, err);
}

static cc_code run(const cc_request_head *head) {
    cc_error err;
    cc_call call = {
        .tool = cc_tools[head->tool], .arena = &me.arena, .deadline_ms = head->deadline_ms, .stop = &stop_asked, .progress = send_progress};
    if (head->watched) call.output = send_output;
    if (head->run_id[0]) call.run_id = head->run_id;
    // The server has checked them; checking again here costs little and keeps a tool from ever seeing unchecked ones.
    if (parse_arguments(call.tool, (cc_str){me.in.p + sizeof *head, head->n}, &call.args, &err)) {
        cc_error_write(&me.body, &err);
        return err.code;
    }
    return cc_call_run(&call, &me.body, &me.receipt) ? CC_OK : call.code;
}

static void trim(cc_buf *b) {
    if (b->cap > KEPT_BUFFER) cc_buf_free(b);
    b->n = 0;
}

static void serve(void) {
    cc_request_head head;
    read_request(&head);
    // A stop that was meant for the call before has arrived by now: it was sent before this request was written.
    stop_asked = 0;
    cc_code code = run(&head);
    if (me.body.n + me.receipt.n > CC_REPLY_MAX) {
        cc_error err;
        cc_error_set(&err, CC_RESOURCE_EXHAUSTED, "the result has %zu MB; at most %zu MB can be returned", me.body.n >> 20,
                     CC_REPLY_MAX >> 20);
        cc_error_remedy(&err, "ask for fewer digits or a part of the result");
        code = err.code;
        me.receipt.n = me.body.n = 0;
        cc_error_write(&me.body, &err);
    }
    uint64_t peak = peak_kb();
    cc_frame_head reply = {.type = CC_FRAME_REPLY,
                           .code = (uint16_t)code,
                           .grown_kb = peak > me.base_kb ? peak - me.base_kb : 0,
                           .language = me.where == CC_LAUNCHER ? cc_run_wanted() : 0};
    send_frame(reply, cc_buf_str(&me.body), cc_buf_str(&me.receipt));
    trim(&me.in);
    trim(&me.body);
    trim(&me.receipt);
    cc_arena_reset(&me.arena);
}

// ---- start ----

static void on_alarm(int sig) {
    (void)sig;
    stop_asked = 1;
}

// Leaves the socket, /dev/null on 0 and 1, and standard error. Close-on-exec, so that no program that a launcher starts gets it.
static int arrange_descriptors(int socket) {
    if (socket == CC_WORKER_SOCKET) {
        if (fcntl(socket, F_SETFD, FD_CLOEXEC)) return -1;
    } else if (dup3(socket, CC_WORKER_SOCKET, O_CLOEXEC) < 0) {
        return -1;
    }
    return (int)syscall(SYS_close_range, CC_WORKER_SOCKET + 1, ~0u, 0);
}

// Dies with the server: the signal is asked for first, then the server is looked at, so that no moment is left between.
static void follow_server(int server) {
    struct pollfd p = {.fd = server, .events = POLLIN};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || poll(&p, 1, 0) != 0) _exit(EXIT_FAILURE);
}

CC_NORETURN void cc_worker_main(cc_where where, unsigned language, int socket, int server) {
    static const char *const names[] = {[CC_SEALED] = "cc-sealed", [CC_FILES] = "cc-files", [CC_LAUNCHER] = "cc-launcher"};
    cc_error err;
    prctl(PR_SET_NAME, names[where], 0, 0, 0);
    int failed = cc_seal_credentials(where, &err);
    follow_server(server);                                // after the last change of credentials, which would clear it
    if (arrange_descriptors(socket)) _exit(EXIT_FAILURE); // without the socket nobody can be told why
    if (failed) end_with_reason(err.code, err.msg, CC_EXIT_SEAL);
    // Guests that a guest leaves behind become children of the launcher, and can be found and reaped there.
    if (where == CC_LAUNCHER) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // No SA_RESTART: a soft stop also ends a blocking call.
    struct sigaction alarm = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &alarm, NULL);
    hook_libraries();
    cc_buf_reserve(&me.in, (size_t)16 << 10);
    me.base_kb = peak_kb();
    if (cc_seal_apply(where, &err)) end_with_reason(err.code, err.msg, CC_EXIT_SEAL);
    me.where = where;
    if (where == CC_LAUNCHER) cc_run_prepare(language <= cc_languages_count ? language : 0);
    if (where == CC_LAUNCHER) tell_what_waits();
    for (;;) serve();
}
