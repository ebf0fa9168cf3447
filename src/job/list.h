// A doubly linked list through members of the things listed, so that putting something on a list allocates nothing. Folder-private.
#ifndef CODECALC_JOB_LIST_H
#define CODECALC_JOB_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cc_link {
    struct cc_link *prev, *next;
} cc_link;

typedef struct cc_list {
    cc_link head; // of a ring; cc_list_init first
    unsigned n;
} cc_list;

#define CC_LIST_ITEM(link, type, member) ((type *)(void *)&((char *)(link))[-(ptrdiff_t)offsetof(type, member)])

static inline void cc_list_init(cc_list *l) { *l = (cc_list){{&l->head, &l->head}, 0}; }

static inline void cc_list_insert_(cc_list *l, cc_link *after, cc_link *k) {
    k->prev = after;
    k->next = after->next;
    after->next->prev = k;
    after->next = k;
    l->n++;
}

static inline void cc_list_push_front(cc_list *l, cc_link *k) { cc_list_insert_(l, &l->head, k); }
static inline void cc_list_push_back(cc_list *l, cc_link *k) { cc_list_insert_(l, l->head.prev, k); }

static inline void cc_list_remove(cc_list *l, cc_link *k) {
    k->prev->next = k->next;
    k->next->prev = k->prev;
    l->n--;
}

// The first one, NULL when the list is empty.
static inline cc_link *cc_list_first(const cc_list *l) { return l->n ? l->head.next : NULL; }
// The one after k, NULL at the end.
static inline cc_link *cc_list_next(const cc_list *l, const cc_link *k) { return k->next == &l->head ? NULL : k->next; }

#endif
