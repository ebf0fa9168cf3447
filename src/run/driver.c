// What the driver of a language tells of the program that it runs: lines of JSON on the control descriptor. The program can find that
// descriptor too, so nothing here decides anything; it is bounded, checked, and for reading only. Called by execute.c. Owns the descriptor
// and what was read until cc_driver_free.
//
// A line is an object. {"event": "exception", "type", "message", "frames": [{"file", "line", "function"}]} is what the program ended with
// because nothing caught it; message may be missing. Lines with other events are none that this version knows.
#include <errno.h>
#include <unistd.h>

#include "run/run.h"

#define KEPT     ((size_t)64 << 10) // of what is said; what follows is read and dropped
#define TEXT_MAX 2000               // bytes of one string
#define CHUNKS   16                 // read at once: a program that floods must not hold up the rest
#define DEPTH    4

void cc_driver_begin(cc_driver *d, int fd) { *d = (cc_driver){.fd = fd}; }

void cc_driver_read(cc_driver *d) {
    char chunk[16384];
    for (int i = 0; i < CHUNKS && d->fd >= 0;) {
        ssize_t n = read(d->fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) {
            cc_fd_close(&d->fd);
            return;
        }
        size_t room = KEPT - d->said.n;
        cc_buf_add(&d->said, chunk, (size_t)n < room ? (size_t)n : room);
        i++;
    }
}

static cc_str text_of(cc_arena *a, const cc_json *object, const char *key) {
    const cc_json *v = cc_json_get_type(object, key, CC_JSON_STRING);
    return v ? cc_arena_dup(a, cc_utf8_prefix(cc_json_string(v), TEXT_MAX)) : (cc_str){0};
}

static bool same(const cc_frame *a, const cc_frame *b) {
    return a->line == b->line && cc_str_eq(a->file, b->file) && cc_str_eq(a->function, b->function);
}

// A frame that is there three times in a row tells nothing more.
static bool recurs(const cc_exception *e, const cc_frame *f) {
    return e->n_frames >= 3 && same(&e->frames[e->n_frames - 1], f) && same(&e->frames[e->n_frames - 2], f) &&
           same(&e->frames[e->n_frames - 3], f);
}

static void read_exception(cc_arena *a, const cc_json *line, cc_exception *out) {
    *out = (cc_exception){.type = text_of(a, line, "type"), .message = text_of(a, line, "message")};
    out->has_message = cc_json_get_type(line, "message", CC_JSON_STRING) != NULL;
    const cc_json *frames = cc_json_get_type(line, "frames", CC_JSON_ARRAY);
    if (!frames) return;
    cc_json_iter it = cc_json_iterate(frames);
    while (out->n_frames < CC_EXCEPTION_FRAMES && cc_json_next(&it)) {
        if (cc_json_type_of(it.value) != CC_JSON_OBJECT) continue;
        const cc_json *at = cc_json_get_type(it.value, "line", CC_JSON_NUMBER);
        cc_frame f = {.file = text_of(a, it.value, "file"), .function = text_of(a, it.value, "function")};
        int64_t number;
        if (at && cc_json_int64(at, &number) && number > 0 && number <= INT32_MAX) f.line = (int)number;
        if (f.file.n && !recurs(out, &f)) out->frames[out->n_frames++] = f;
    }
}

void cc_driver_finish(cc_arena *a, const cc_driver *d, cc_exception *out) {
    cc_str rest = cc_buf_str(&d->said);
    *out = (cc_exception){0};
    for (const char *eol; rest.n && (eol = memchr(rest.p, '\n', rest.n));) {
        cc_str text = {rest.p, (size_t)(eol - rest.p)};
        rest = (cc_str){eol + 1, rest.n - text.n - 1};
        const cc_json *line;
        cc_error err;
        if (cc_json_parse(a, text, DEPTH, &line, &err) || cc_json_type_of(line) != CC_JSON_OBJECT) continue;
        if (cc_str_eqz(text_of(a, line, "event"), "exception")) read_exception(a, line, out);
    }
}

void cc_driver_free(cc_driver *d) {
    cc_fd_close(&d->fd);
    cc_buf_free(&d->said);
}
