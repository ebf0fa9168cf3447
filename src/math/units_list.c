// The list of units: the usual names, or all of one dimension. Called by list_units.
#include "codecalc/units.h"

#include <stdlib.h>

#include "math/units.h"

typedef struct list {
    cc_arena *arena;
    cc_str *names;
    size_t n, cap;
} list;

static void add(list *l, cc_str name) {
    if (l->n == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 512;
        cc_str *more = CC_ARENA_ARRAY(l->arena, cc_str, cap);
        if (l->n) memcpy(more, l->names, l->n * sizeof *more);
        l->names = more;
        l->cap = cap;
    }
    l->names[l->n++] = name;
}

static int compare(const void *a, const void *b) {
    const cc_str *x = a, *y = b;
    size_t n = x->n < y->n ? x->n : y->n;
    int d = memcmp(x->p, y->p, n);
    return d ? d : x->n < y->n ? -1 : x->n > y->n;
}

static void add_words(list *l, const char *words, size_t most) {
    cc_str word;
    char mark;
    while (most && cc_unit_next_word(&words, &word, &mark))
        if (!mark) add(l, word), most--;
}

// "Electric_Charge" is "electric charge".
static bool same_dimension(cc_str asked, const char *name) {
    if (asked.n != strlen(name)) return false;
    for (size_t i = 0; i < asked.n; i++) {
        char c = asked.p[i];
        if ((c == '_' || c == '-' ? ' ' : c >= 'A' && c <= 'Z' ? c | 0x20 : c) != name[i]) return false;
    }
    return true;
}

static int unknown_dimension(cc_str asked, cc_error *err) {
    CC_CLEANUP_BUF cc_buf b = {0};
    for (const cc_dimension_name *d = cc_dimension_names; d->name; d++) cc_buf_printf(&b, "%s%s", b.n ? ", " : "", d->name);
    cc_error_set(err, CC_VALIDATION, "dimension: '%.*s' is neither a dimension nor a unit", (int)cc_utf8_prefix(asked, 60).n, asked.p);
    return cc_error_remedy(err, "give %.*s", (int)(b.n < 340 ? b.n : 340), b.p);
}

// The dimension of a name or of a unit expression.
static int read_dimension(cc_str asked, int dim[CC_DIMS], cc_error *err) {
    cc_str text = cc_str_trim(asked);
    for (const cc_dimension_name *d = cc_dimension_names; d->name; d++)
        if (same_dimension(text, d->name)) text = cc_str_of(d->def);
    cc_unit_product *p = cc_malloc(sizeof *p);
    cc_factor f;
    fmpq_init(p->number);
    cc_error unused;
    int rc = cc_unit_parse(text, false, "dimension", p, &unused) ? unknown_dimension(asked, err) : 0;
    for (size_t i = 0; !rc && i < p->n; i++) {
        cc_factor_init(&f);
        cc_reading_factor(&p->items[i].readings[0], &f);
        for (int d = 0; d < CC_DIMS; d++) dim[d] += f.dim[d] * p->items[i].power;
        cc_factor_clear(&f);
    }
    fmpq_clear(p->number);
    free(p);
    return rc;
}

int cc_units_list(cc_arena *a, cc_str dimension, cc_str **names, size_t *n, cc_error *err) {
    list l = {.arena = a};
    int dim[CC_DIMS] = {0};
    bool all = !cc_str_trim(dimension).n;
    if (!all && read_dimension(dimension, dim, err)) return -1;
    for (const cc_unit *u = cc_units; u->def; u++) {
        cc_factor f;
        cc_factor_init(&f);
        if (!all) cc_unit_factor(u, &f);
        if (all || (*u->def != '#' && memcmp(f.dim, dim, sizeof dim) == 0)) {
            add_words(&l, u->symbols, all ? 1 : 100);
            add_words(&l, u->names, all ? 1 : 100);
        }
        cc_factor_clear(&f);
    }
    if (all) add_words(&l, cc_unit_common, 1000);
    if (l.n) qsort(l.names, l.n, sizeof *l.names, compare);
    size_t kept = 0;
    for (size_t i = 0; i < l.n; i++)
        if (!kept || compare(&l.names[kept - 1], &l.names[i])) l.names[kept++] = l.names[i];
    *names = l.names;
    *n = kept;
    return 0;
}
