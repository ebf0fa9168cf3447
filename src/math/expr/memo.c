// Results remembered by pointer for one call: expressions are unique, so (operation, expression, parameter) is a key. Owned by the cc_alg.
#include "math/expr/intern.h"

#include <stdlib.h>

typedef struct entry {
    unsigned what; // 0 = free
    cc_xp a, b, value;
} entry;

struct cc_x_memo {
    entry *slots;
    size_t cap, n;
};

static size_t place(const struct cc_x_memo *m, unsigned what, cc_xp a, cc_xp b) {
    size_t h = ((size_t)a->hash * 31 + (b ? b->hash : 0)) * 31 + what;
    h ^= h >> 17;
    size_t k = h & (m->cap - 1);
    while (m->slots[k].what && !(m->slots[k].what == what && m->slots[k].a == a && m->slots[k].b == b)) k = (k + 1) & (m->cap - 1);
    return k;
}

bool cc_x_memo_find(cc_alg *g, unsigned what, cc_xp a, cc_xp b, cc_xp *out) {
    if (!g->memo) return false;
    const entry *e = &g->memo->slots[place(g->memo, what, a, b)];
    if (e->what) *out = e->value;
    return e->what != 0;
}

void cc_x_memo_put(cc_alg *g, unsigned what, cc_xp a, cc_xp b, cc_xp value) {
    if (!g->memo) {
        g->memo = cc_malloc(sizeof *g->memo);
        *g->memo = (struct cc_x_memo){0};
    }
    struct cc_x_memo *m = g->memo;
    if (m->n * 2 >= m->cap) {
        struct cc_x_memo more = {.cap = m->cap ? m->cap * 2 : 256, .n = m->n};
        more.slots = cc_malloc(more.cap * sizeof *more.slots);
        memset(more.slots, 0, more.cap * sizeof *more.slots);
        for (size_t i = 0; i < m->cap; i++)
            if (m->slots[i].what) more.slots[place(&more, m->slots[i].what, m->slots[i].a, m->slots[i].b)] = m->slots[i];
        free(m->slots);
        *m = more;
    }
    entry *e = &m->slots[place(m, what, a, b)];
    if (!e->what) m->n++;
    *e = (entry){what, a, b, value};
}

void cc_x_memo_clear(cc_alg *g) {
    if (!g->memo) return;
    free(g->memo->slots);
    free(g->memo);
    g->memo = NULL;
}
