// Small pieces of memory for the libraries of mathematics: a free list for each size over one range of addresses, where a page holds pieces
// of one size, so that no piece needs a head. What is larger, or finds no room, comes from malloc. Called by the hooks that worker.c sets.
// Owns the range as long as the process lives; gives nothing back to the kernel: a worker that has grown is replaced. A sanitizer's build
// takes everything from malloc, which it watches.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "codecalc/base.h"
#include "job/library_memory.h"

#define STEP    ((size_t)16) // sizes are its multiples, and so is every address
#define SMALL   ((size_t)512)
#define CLASSES (SMALL / STEP)
#define PAGE    ((size_t)16 << 10)
#ifdef CC_ASAN
#define PAGES 0
#else
#define PAGES ((size_t)4096)
#endif

typedef struct piece {
    struct piece *next;
} piece;

static struct {
    char *base; // NULL before the first use, and when there is none
    bool tried;
    size_t pages;         // in use
    piece *free[CLASSES]; // given back
    char *at[CLASSES];    // the rest of the newest page of a class
    size_t left[CLASSES]; // pieces in it
    uint8_t class_of[PAGES + 1];
} m;

static bool is_ours(const void *p) { return m.base && (uintptr_t)p - (uintptr_t)m.base < m.pages * PAGE; }

static size_t class_of(const void *p) { return m.class_of[(size_t)((const char *)p - m.base) / PAGE]; }

static size_t size_of(size_t class) { return (class + 1) * STEP; }

// One more page for a class; false when there is no room.
static bool add_page(size_t class) {
    if (!m.tried) {
        m.tried = true;
        void *p = PAGES ? mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
        if (p != MAP_FAILED) m.base = p;
    }
    if (!m.base || m.pages == PAGES) return false;
    m.at[class] = m.base + m.pages * PAGE;
    m.left[class] = PAGE / size_of(class);
    m.class_of[m.pages++] = (uint8_t) class;
    return true;
}

void *cc_library_alloc(size_t n) {
    size_t class = n ? (n - 1) / STEP : 0;
    if (class >= CLASSES) return cc_malloc(n);
    piece *p = m.free[class];
    if (p) {
        m.free[class] = p->next;
        return p;
    }
    if (!m.left[class] && !add_page(class)) return cc_malloc(n);
    void *fresh = m.at[class];
    m.at[class] += size_of(class);
    m.left[class]--;
    return fresh;
}

void *cc_library_calloc(size_t count, size_t size) {
    size_t n;
    if (__builtin_mul_overflow(count, size, &n)) cc_out_of_memory();
    if (n <= SMALL) return memset(cc_library_alloc(n), 0, n);
    void *p = calloc(1, n); // fresh pages of the kernel's are zero already
    if (!p) cc_out_of_memory();
    return p;
}

void cc_library_free(void *p) {
    if (!is_ours(p)) {
        free(p);
        return;
    }
    piece *f = p;
    size_t class = class_of(p);
    f->next = m.free[class];
    m.free[class] = f;
}

void *cc_library_realloc(void *p, size_t n) {
    if (!p) return cc_library_alloc(n);
    if (!is_ours(p)) return cc_realloc(p, n);
    size_t old = size_of(class_of(p));
    if (n <= old) return p;
    void *to = cc_library_alloc(n);
    memcpy(to, p, old);
    cc_library_free(p);
    return to;
}
