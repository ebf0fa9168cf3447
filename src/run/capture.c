// A program's stdout or stderr: drained as long as it flows, counted to the last byte, kept at the beginning and the end. Called by
// execute.c. Owns the descriptor and the buffers until cc_capture_free.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/run.h"

void cc_capture_begin(cc_capture *c, int fd, size_t cap) {
    *c = (cc_capture){.fd = fd, .cap = cap};
    cc_fd_set_nonblock(fd, true);
}

// The ring takes what lies behind the first half of the cap, so that once the cap is passed it holds the last half.
static void keep(cc_capture *c, const char *p, size_t n) {
    if (c->seen) c->seen(c->ctx, c->is_stderr, (cc_str){p, n});
    size_t half = c->cap / 2, room = c->cap - c->head.n;
    cc_buf_add(&c->head, p, n < room ? n : room);
    uint64_t before = c->total;
    c->total += n;
    if (c->total <= half) return;
    size_t skip = before < half ? half - (size_t)before : 0;
    if (n - skip > half) skip = n - half;
    if (!c->ring) c->ring = cc_malloc(half);
    for (size_t at = skip; at < n;) {
        size_t place = (size_t)((before + at) % half), part = half - place < n - at ? half - place : n - at;
        memcpy(c->ring + place, p + at, part);
        at += part;
    }
}

void cc_capture_read(cc_capture *c) {
    char chunk[65536];
    while (c->fd >= 0 && c->total <= CC_OUTPUT_STOP) {
        ssize_t n = read(c->fd, chunk, sizeof chunk);
        if (n > 0) {
            keep(c, chunk, (size_t)n);
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else {
            if (n < 0 && errno == EAGAIN) return;
            if (n < 0) c->error = errno; // no pipe does that; what follows would be missing without a word
            cc_fd_close(&c->fd);
            return;
        }
    }
}

// The longest end of valid UTF-8 of at most max bytes that does not begin inside a sequence.
static cc_str suffix(cc_str s, size_t max) {
    size_t from = s.n > max ? s.n - max : 0;
    while (from < s.n && ((unsigned char)s.p[from] & 0xC0) == 0x80) from++;
    return (cc_str){s.p + from, s.n - from};
}

cc_stream cc_capture_finish(cc_arena *a, const cc_capture *c) {
    CC_CLEANUP_BUF cc_buf first = {0}, last = {0};
    size_t half = c->cap / 2;
    if (c->total <= c->cap) {
        cc_utf8_escape_invalid(&first, cc_buf_str(&c->head));
        if (first.n <= c->cap) return (cc_stream){cc_arena_dup(a, cc_buf_str(&first)), c->total, false};
        cc_buf_add(&last, first.p, first.n); // escaping made it too long: both ends of that
    } else {
        // A sequence that the cut goes through is left out, not escaped: the program wrote it whole.
        cc_utf8_escape_invalid(&first, cc_utf8_prefix((cc_str){c->head.p, half}, half));
        CC_CLEANUP_BUF cc_buf end = {0};
        size_t at = (size_t)(c->total % half), skip = 0;
        cc_buf_add(&end, c->ring + at, half - at);
        cc_buf_add(&end, c->ring, at);
        while (skip < 3 && ((unsigned char)end.p[skip] & 0xC0) == 0x80) skip++;
        cc_utf8_escape_invalid(&last, (cc_str){end.p + skip, end.n - skip});
    }
    cc_str begin = cc_utf8_prefix(cc_buf_str(&first), half), rest = suffix(cc_buf_str(&last), half);
    CC_CLEANUP_BUF cc_buf all = {0};
    cc_buf_adds(&all, begin);
    cc_buf_printf(&all, "\n[... cut: the program wrote %llu bytes ...]\n", (unsigned long long)c->total);
    cc_buf_adds(&all, rest);
    return (cc_stream){cc_arena_dup(a, cc_buf_str(&all)), c->total, true};
}

void cc_capture_free(cc_capture *c) {
    cc_fd_close(&c->fd);
    cc_buf_free(&c->head);
    free(c->ring);
    c->ring = NULL;
}
