// What a name may mean: a unit, one with a prefix, a plural, another case; and what to say when it means nothing. Called by
// units_parse.c and units.c. Exact case comes first; readings are all kept, since the dimension asked for may decide between them.
#include <assert.h>

#include "math/units.h"

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c; }

static bool same_letters(cc_str a, cc_str b) {
    if (a.n != b.n) return false;
    for (size_t i = 0; i < a.n; i++)
        if (lower(a.p[i]) != lower(b.p[i])) return false;
    return true;
}

static bool same(cc_str a, cc_str b, bool exact) { return exact ? cc_str_eq(a, b) : same_letters(a, b); }

bool cc_unit_next_word(const char **list, cc_str *word, char *mark) {
    const char *p = *list;
    while (*p == ' ') p++;
    if (!*p) return false;
    char m = *p == '~' || *p == '!' ? *p++ : '\0';
    if (mark) *mark = m;
    word->p = p;
    while (*p && *p != ' ') p++;
    word->n = (size_t)(p - word->p);
    *list = p;
    return true;
}

// ---- readings ----

typedef struct finder {
    cc_unit_reading *out;
    size_t n;
} finder;

static void add(finder *f, cc_unit_reading r) {
    for (size_t i = 0; i < f->n; i++)
        if (f->out[i].unit == r.unit && f->out[i].prefix == r.prefix) {
            if (r.rank < f->out[i].rank) f->out[i] = r;
            return;
        }
    if (f->n < CC_UNIT_READINGS) f->out[f->n++] = r;
}

// ---- the index of names, made at the first look-up ----

typedef struct entry {
    cc_str word;
    const cc_unit *unit;
    char mark;
    bool long_name; // of .names: has a plural
    uint16_t next;  // in its bucket, in the order of the table; 0 = end
} entry;

enum { ENTRIES = 2048, BUCKETS = 1024 };
static entry entries[ENTRIES]; // from 1
static uint16_t buckets[BUCKETS];
static size_t n_entries;

static size_t bucket_of(cc_str s) {
    uint32_t h = 2166136261u; // FNV-1a of the letters without their case
    for (size_t i = 0; i < s.n; i++) h = (h ^ (unsigned char)lower(s.p[i])) * 16777619u;
    return h % BUCKETS;
}

static void make_index(void) {
    for (const cc_unit *u = cc_units; u->def; u++)
        for (int names = 0; names < 2; names++) {
            const char *list = names ? u->names : u->symbols;
            entry e = {.unit = u, .long_name = names};
            while (cc_unit_next_word(&list, &e.word, &e.mark)) {
                assert(n_entries + 1 < ENTRIES);
                entries[++n_entries] = e;
            }
        }
    for (size_t i = n_entries; i; i--) { // backwards, so that each chain is in order
        size_t b = bucket_of(entries[i].word);
        entries[i].next = buckets[b];
        buckets[b] = (uint16_t)i;
    }
}

// The next entry with these letters after *at (0 = from the first), NULL at the end.
static const entry *next_entry(cc_str name, bool exact, uint16_t *at) {
    if (!n_entries) make_index();
    for (*at = *at ? entries[*at].next : buckets[bucket_of(name)]; *at; *at = entries[*at].next)
        if (same(entries[*at].word, name, exact)) return &entries[*at];
    return NULL;
}

// What a plural is of; false when s is not at its end.
static bool singular(cc_str name, cc_str *out) {
    if (name.n < 4 || lower(name.p[name.n - 1]) != 's') return false;
    *out = (cc_str){name.p, name.n - 1};
    return true;
}

static uint8_t rank_of(const entry *e, bool exact, bool prefixed) {
    if (e->mark) return exact ? CC_RANK_SECOND : CC_RANK_CASE_SECOND;
    if (prefixed) return exact ? CC_RANK_PREFIXED : CC_RANK_CASE_PREFIXED;
    return exact ? CC_RANK_WHOLE : CC_RANK_CASE;
}

static void find_whole(finder *f, cc_str name, bool exact) {
    uint16_t at = 0;
    const entry *e;
    while ((e = next_entry(name, exact, &at)))
        add(f, (cc_unit_reading){.unit = e->unit, .rank = rank_of(e, exact, false), .tell = e->mark == '!'});
    if (!singular(name, &name)) return;
    while ((e = next_entry(name, exact, &at)))
        if (e->long_name) add(f, (cc_unit_reading){.unit = e->unit, .rank = rank_of(e, exact, false), .tell = e->mark == '!'});
}

static bool takes(const cc_unit *u, const cc_unit_prefix *p) {
    return u->prefixes == CC_PREFIX_SI ? !p->binary : u->prefixes == CC_PREFIX_UP && (p->binary || p->power >= 3);
}

static void add_prefixed(finder *f, const cc_unit_prefix *p, cc_str head, cc_str rest, bool words, bool exact) {
    uint16_t at = 0;
    const entry *e;
    while ((e = next_entry(rest, exact, &at))) {
        if (e->long_name != words || !takes(e->unit, p)) continue;
        bool upper = words || (cc_str_eqz(head, p->symbol) && *head.p >= 'A' && *head.p <= 'Z');
        add(f, (cc_unit_reading){.unit = e->unit, .prefix = p, .rank = rank_of(e, exact, true), .tell = e->mark == '!', .upper = upper});
    }
}

static void find_prefixed(finder *f, cc_str name, bool exact) {
    for (const cc_unit_prefix *p = cc_unit_prefixes; p->symbol; p++)
        for (int words = 0; words < 2; words++) {
            cc_str prefix = cc_str_of(words ? p->name : p->symbol), head = {name.p, prefix.n}, one;
            if (name.n <= prefix.n || !same(prefix, head, exact)) continue;
            cc_str rest = {name.p + prefix.n, name.n - prefix.n};
            add_prefixed(f, p, head, rest, words, exact);
            if (words && singular(rest, &one)) add_prefixed(f, p, head, one, true, exact);
        }
}

static void sort(finder *f) { // few, and mostly in order: stable insertion
    for (size_t i = 1; i < f->n; i++) {
        cc_unit_reading r = f->out[i];
        size_t k = i;
        for (; k && f->out[k - 1].rank > r.rank; k--) f->out[k] = f->out[k - 1];
        f->out[k] = r;
    }
}

static bool is_word_of(const char *list, cc_str name) {
    cc_str word;
    while (cc_unit_next_word(&list, &word, NULL))
        if (same_letters(word, name)) return true;
    return false;
}

size_t cc_unit_read_name(cc_str name, bool strict, cc_unit_reading out[CC_UNIT_READINGS]) {
    finder f = {.out = out};
    find_whole(&f, name, true);
    find_prefixed(&f, name, true);
    if (strict) {
        sort(&f);
        return f.n && out[0].rank <= CC_RANK_PREFIXED ? 1 : 0;
    }
    // "dB" is no decibarn.
    if (!f.n && (is_word_of(cc_unit_logarithmic, name) || is_word_of(cc_unit_currencies, name))) return 0;
    for (size_t i = 0; cc_unit_decided[i][0]; i++) {
        if (!cc_str_eqz(name, cc_unit_decided[i][0])) continue;
        cc_unit_reading meant[CC_UNIT_READINGS];
        if (!cc_unit_read_name(cc_str_of(cc_unit_decided[i][1]), true, meant)) continue;
        meant[0].rank = CC_RANK_DECIDED;
        add(&f, meant[0]);
    }
    find_whole(&f, name, false);
    find_prefixed(&f, name, false);
    sort(&f);
    return f.n;
}

bool cc_unit_is_name(cc_str name) {
    uint16_t at = 0;
    if (next_entry(name, false, &at)) return true;
    const entry *e;
    if (singular(name, &name))
        while ((e = next_entry(name, false, &at)))
            if (e->long_name) return true;
    return false;
}

void cc_unit_print(cc_buf *out, const cc_unit_reading *r) {
    const char *symbols = r->unit->symbols, *names = r->unit->names;
    cc_str word;
    char mark;
    bool symbol = cc_unit_next_word(&symbols, &word, &mark) && !mark;
    // A unit's plain name says more than its symbol; prefixes are read best in symbols.
    if (!(r->prefix && symbol)) {
        cc_str named;
        while (cc_unit_next_word(&names, &named, &mark))
            if (!mark) {
                if (r->prefix) cc_buf_addz(out, r->prefix->name);
                cc_buf_adds(out, named);
                return;
            }
    }
    if (r->prefix) cc_buf_addz(out, r->prefix->symbol);
    cc_buf_adds(out, word);
}

// ---- names without a meaning ----

// The name in the table nearest to this one, empty when none is near.
static cc_str nearest(cc_str name) {
    cc_str best = {0};
    if (name.n < 3 || name.n > 60) return best;
    unsigned distance = (unsigned)(name.n / 3) + 1;
    for (const cc_unit *u = cc_units; u->def; u++)
        for (int words = 0; words < 2; words++) {
            const char *list = words ? u->names : u->symbols;
            cc_str word;
            char mark;
            while (cc_unit_next_word(&list, &word, &mark)) {
                if (mark || word.n < 3) continue;
                unsigned d = cc_edit_distance(name, word);
                if (d < distance) best = word, distance = d;
            }
        }
    return best;
}

int cc_unit_unknown(cc_str name, const char *what, cc_error *err) {
    int n = (int)cc_utf8_prefix(name, 60).n;
    if (is_word_of(cc_unit_currencies, name)) {
        cc_error_set(err, CC_VALIDATION, "%s: '%.*s' is a currency: exchange rates change every minute, and none are kept here", what, n,
                     name.p);
        return cc_error_remedy(err, "get today's rate elsewhere and multiply with calc_exact");
    }
    if (is_word_of(cc_unit_logarithmic, name)) {
        cc_error_set(err, CC_VALIDATION, "%s: '%.*s' is a logarithmic scale, not a unit with a factor", what, n, name.p);
        return cc_error_remedy(err, "compute with calc_exact: a power ratio in dB is 10*log10(ratio), an amplitude ratio 20*log10(ratio)");
    }
    cc_str near = nearest(name);
    if (near.n) {
        cc_error_set(err, CC_VALIDATION, "%s: unknown unit '%.*s'; did you mean %.*s?", what, n, name.p, (int)near.n, near.p);
        return cc_error_remedy(err, "correct %s; list_units shows all", what);
    }
    cc_error_set(err, CC_VALIDATION, "%s: unknown unit '%.*s'", what, n, name.p);
    return cc_error_remedy(err, "call list_units, or write it as a product of known units with a number (1.5*kg)");
}
