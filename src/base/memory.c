// Allocation that never returns NULL, arenas and growable buffers. Used everywhere; owns nothing beyond what its callers hold.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codecalc/base.h"

CC_NORETURN void cc_out_of_memory(void) {
    static const char text[] = "codecalc: out of memory\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        // Nothing can be done about it here: the exit status tells.
    }
    _exit(CC_EXIT_OOM);
}

void *cc_malloc(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p) cc_out_of_memory();
    return p;
}

void *cc_realloc(void *p, size_t n) {
    p = realloc(p, n ? n : 1);
    if (!p) cc_out_of_memory();
    return p;
}

char *cc_strdup(const char *z) {
    size_t n = strlen(z) + 1;
    return memcpy(cc_malloc(n), z, n);
}

void cc_cleanup_free_(void *p) { free(*(void **)p); }

// ---- arena ----

struct cc_arena_block {
    cc_arena_block *next;
    size_t size, at;
    max_align_t bytes[];
};

#define FIRST_BLOCK   ((size_t)16 * 1024)
#define LARGEST_BLOCK ((size_t)1024 * 1024) // blocks double up to this

static cc_arena_block *block_new(size_t size, cc_arena_block *next) {
    cc_arena_block *b = cc_malloc(sizeof *b + size);
    b->next = next;
    b->size = size;
    b->at = 0;
    return b;
}

void *cc_arena_alloc(cc_arena *a, size_t n) {
    if (n > SIZE_MAX / 2) cc_out_of_memory();
    n = (n + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
    if (!a->head || a->head->size - a->head->at < n) {
        size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
        if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
        if (size < n) size = n;
        a->head = block_new(size, a->head);
    }
    char *p = (char *)a->head->bytes + a->head->at;
    a->head->at += n;
    a->used += n;
    return memset(p, 0, n);
}

cc_str cc_arena_dup(cc_arena *a, cc_str s) {
    char *p = cc_arena_alloc(a, s.n + 1);
    if (s.n) memcpy(p, s.p, s.n);
    return (cc_str){p, s.n};
}

char *cc_arena_strdup(cc_arena *a, const char *z) {
    size_t n = strlen(z) + 1;
    return memcpy(cc_arena_alloc(a, n), z, n);
}

cc_str cc_arena_printf(cc_arena *a, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *p = cc_arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return (cc_str){p, (size_t)n};
}

// Keeps the largest block of those that double: the next call is often of the same size.
void cc_arena_reset(cc_arena *a) {
    cc_arena_block *kept = NULL;
    while (a->head) {
        cc_arena_block *b = a->head;
        a->head = b->next;
        bool better = b->size <= LARGEST_BLOCK && (!kept || b->size > kept->size);
        free(better ? kept : b);
        if (better) kept = b;
    }
    if (kept) kept->next = NULL, kept->at = 0;
    a->head = kept;
    a->used = 0;
}

void cc_arena_free(cc_arena *a) {
    while (a->head) {
        cc_arena_block *b = a->head;
        a->head = b->next;
        free(b);
    }
    a->used = 0;
}

void cc_cleanup_arena_(cc_arena *a) { cc_arena_free(a); }

// ---- buffer ----

void cc_buf_reserve(cc_buf *b, size_t more) {
    if (b->cap - b->n >= more) return;
    if (more > SIZE_MAX / 4 || b->n > SIZE_MAX / 4) cc_out_of_memory();
    size_t cap = b->cap ? b->cap * 2 : 256;
    if (cap < b->n + more) cap = b->n + more;
    b->p = cc_realloc(b->p, cap);
    b->cap = cap;
}

void cc_buf_add(cc_buf *b, const void *data, size_t n) {
    if (!n) return;
    cc_buf_reserve(b, n);
    memcpy(b->p + b->n, data, n);
    b->n += n;
}

void cc_buf_addz(cc_buf *b, const char *z) { cc_buf_add(b, z, strlen(z)); }

void cc_buf_addc(cc_buf *b, char c) {
    cc_buf_reserve(b, 1);
    b->p[b->n++] = c;
}

void cc_buf_printf(cc_buf *b, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    cc_buf_reserve(b, (size_t)n + 1);
    vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
    va_end(again);
    b->n += (size_t)n;
}

void cc_buf_consume(cc_buf *b, size_t n) {
    b->n -= n;
    if (b->n) memmove(b->p, b->p + n, b->n);
}

void cc_buf_free(cc_buf *b) {
    free(b->p);
    *b = (cc_buf){0};
}

void cc_cleanup_buf_(cc_buf *b) { cc_buf_free(b); }
