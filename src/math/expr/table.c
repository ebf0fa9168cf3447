// The table of unique nodes: equal structure is the same pointer. Called by all constructors. It owns the numbers' fmpq and the slots; the
// nodes live in the arena. It never looks into what a node means: canonical form is the constructors' work.
#include "math/expr/intern.h"

#include <flint/fmpz.h>
#include <stdlib.h>

static uint32_t mix(uint32_t h, uint32_t v) {
    uint64_t m = (uint64_t)(h ^ v) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(m >> 32) ^ (uint32_t)m;
}

static uint32_t hash_fmpz(const fmpz_t n) {
    uint64_t r = fmpz_fdiv_ui(n, 0xffffffffffffffc5u);
    return mix((uint32_t)r, (uint32_t)(r >> 32));
}

static uint32_t hash_of(const cc_x *proto, const cc_xp *args, size_t n) {
    uint32_t h = mix(0x51ed270bu, (uint32_t)proto->kind | (uint32_t)proto->konst << 8 | (uint32_t)proto->fn << 16);
    if (proto->num) h = mix(mix(h, hash_fmpz(fmpq_numref(proto->num))), hash_fmpz(fmpq_denref(proto->num)));
    for (size_t i = 0; i < proto->name.n; i++) h = mix(h, (unsigned char)proto->name.p[i]);
    if (proto->dummy) h = mix(h, proto->serial);
    for (size_t i = 0; i < n; i++) h = mix(h, args[i]->hash);
    return mix(h, (uint32_t)n);
}

static bool same(const cc_x *a, const cc_x *proto, uint32_t hash, const cc_xp *args, size_t n) {
    if (a->hash != hash || a->kind != proto->kind || a->konst != proto->konst || a->fn != proto->fn || a->n != n) return false;
    if (a->dummy != proto->dummy || (a->dummy && a->serial != proto->serial)) return false;
    if (!cc_str_eq(a->name, proto->name)) return false;
    if (proto->num && !fmpq_equal(a->num, proto->num)) return false;
    return n == 0 || memcmp(a->args, args, n * sizeof *args) == 0;
}

static void grow(cc_x_table *t) {
    size_t cap = t->cap ? t->cap * 2 : 1024;
    cc_x **slots = cc_malloc(cap * sizeof *slots);
    memset(slots, 0, cap * sizeof *slots);
    for (size_t i = 0; i < t->cap; i++) {
        if (!t->slots[i]) continue;
        size_t k = t->slots[i]->hash & (cap - 1);
        while (slots[k]) k = (k + 1) & (cap - 1);
        slots[k] = t->slots[i];
    }
    free(t->slots);
    t->slots = slots;
    t->cap = cap;
}

static const fmpq *keep_number(cc_alg *g, const fmpq *q) {
    cc_x_table *t = g->table;
    if (t->n_nums == t->cap_nums) {
        t->cap_nums = t->cap_nums ? t->cap_nums * 2 : 256;
        t->nums = cc_realloc(t->nums, t->cap_nums * sizeof *t->nums);
    }
    fmpq *own = CC_ARENA_NEW(g->arena, fmpq);
    fmpq_init(own);
    fmpq_set(own, q);
    return t->nums[t->n_nums++] = own;
}

// The symbols of x other than v, exactly.
static uint64_t free_without(cc_xp x, cc_xp v) {
    if (!(x->free & v->free)) return x->free;
    if (x == v) return 0;
    cc_xp bound = cc_x_bound(x);
    uint64_t bits = x->n ? 0 : x->free;
    for (uint32_t i = 0; i < x->n; i++)
        if (!(bound && i == 1))
            bits |=
                bound && i == 0 && bound != v ? free_without(x->args[0], bound) & free_without(x->args[0], v) : free_without(x->args[i], v);
    return bits;
}

static void describe(cc_x *x) {
    x->finite = !(x->kind == CC_X_CONST && (x->konst == CC_K_OO || x->konst == CC_K_ZOO || x->konst == CC_K_NAN));
    if (x->kind == CC_X_SYM) x->free = UINT64_C(1) << (x->serial % 64);
    uint64_t size = 1;
    cc_xp bound = cc_x_bound(x);
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp arg = x->args[i];
        size += arg->size;
        if (arg->depth >= x->depth) x->depth = arg->depth + 1;
        x->finite = x->finite && arg->finite;
        if (bound && i == 0)
            x->free |= free_without(arg, bound);
        else if (!(bound && i == 1))
            x->free |= arg->free;
    }
    x->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

cc_xp cc_x_known_symbol(const cc_alg *g, cc_str name) {
    const cc_x_table *t = g->table;
    const cc_x proto = {.kind = CC_X_SYM, .name = name};
    uint32_t hash = hash_of(&proto, NULL, 0);
    if (!t->cap) return NULL;
    for (size_t k = hash & (t->cap - 1); t->slots[k]; k = (k + 1) & (t->cap - 1))
        if (same(t->slots[k], &proto, hash, NULL, 0)) return t->slots[k];
    return NULL;
}

cc_xp cc_x_intern(cc_alg *g, const cc_x *proto, const cc_xp *args, size_t n) {
    cc_x_table *t = g->table;
    if (t->n * 2 >= t->cap) grow(t);
    uint32_t hash = hash_of(proto, args, n);
    size_t k = hash & (t->cap - 1);
    for (; t->slots[k]; k = (k + 1) & (t->cap - 1))
        if (same(t->slots[k], proto, hash, args, n)) return t->slots[k];
    if (t->n >= CC_X_MAX_NODES) return cc_x_too_large(g, "the work on this expression");
    if ((t->n & 1023) == 0 && !cc_alg_go_on(g)) return NULL;
    cc_x *x = CC_ARENA_NEW(g->arena, cc_x);
    *x = *proto;
    x->hash = hash;
    x->n = (uint32_t)n;
    x->serial = proto->dummy ? proto->serial : t->serial++;
    if (proto->num) {
        if ((slong)fmpz_bits(fmpq_numref(proto->num)) > CC_X_MAX_BITS || (slong)fmpz_bits(fmpq_denref(proto->num)) > CC_X_MAX_BITS)
            return cc_x_too_large(g, "a number in the expression");
        x->num = keep_number(g, proto->num);
    }
    if (n) {
        cc_xp *own = CC_ARENA_ARRAY(g->arena, cc_xp, n);
        memcpy(own, args, n * sizeof *own);
        x->args = own;
    }
    describe(x);
    if (x->size > CC_X_MAX_SIZE) return cc_x_too_large(g, "the expression");
    if (x->depth > CC_X_MAX_DEPTH) return cc_x_too_large(g, "the depth of the expression");
    if (proto->name.n) x->name = cc_arena_dup(g->arena, proto->name);
    t->slots[k] = x;
    t->n++;
    return x;
}

cc_xp cc_x_intern_kind(cc_alg *g, cc_xkind kind, const cc_xp *args, size_t n) {
    return cc_x_intern(g, &(cc_x){.kind = (uint8_t)kind}, args, n);
}

cc_xp cc_x_intern_fun(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    return cc_x_intern(g, &(cc_x){.kind = CC_X_FUN, .fn = (uint16_t)fn}, args, n);
}

cc_xp cc_x_intern_pow(cc_alg *g, cc_xp base, cc_xp exponent) { return cc_x_intern_kind(g, CC_X_POW, (const cc_xp[]){base, exponent}, 2); }

// ---- one call's algebra ----

void cc_alg_init(cc_alg *g, cc_arena *arena, cc_error *err, const volatile sig_atomic_t *stop) {
    *g = (cc_alg){.arena = arena, .err = err, .stop = stop};
    g->table = cc_malloc(sizeof *g->table);
    *g->table = (cc_x_table){0};
    g->zero = cc_x_int(g, 0);
    g->one = cc_x_int(g, 1);
    g->minus_one = cc_x_int(g, -1);
    g->two = cc_x_int(g, 2);
    g->half = cc_x_frac(g, 1, 2);
    g->pi = cc_x_const(g, CC_K_PI);
    g->e = cc_x_const(g, CC_K_E);
    g->i = cc_x_const(g, CC_K_I);
    g->oo = cc_x_const(g, CC_K_OO);
    g->zoo = cc_x_const(g, CC_K_ZOO);
    g->nan = cc_x_const(g, CC_K_NAN);
    g->yes = cc_x_const(g, CC_K_TRUE);
    g->no = cc_x_const(g, CC_K_FALSE);
    g->neg_oo = cc_x_intern_kind(g, CC_X_MUL, (const cc_xp[]){g->minus_one, g->oo}, 2);
}

void cc_alg_clear(cc_alg *g) {
    cc_x_table *t = g->table;
    if (!t) return;
    for (size_t i = 0; i < t->n_nums; i++) fmpq_clear(t->nums[i]);
    free(t->nums);
    free(t->slots);
    free(t);
    g->table = NULL;
    cc_x_memo_clear(g);
    cc_x_roots_clear(g);
}

bool cc_alg_go_on(cc_alg *g) {
    if (g->err->code) return false;
    if (!g->stop || !*g->stop) return true;
    cc_error_set(g->err, CC_TIMEOUT, "the time given for this call has passed");
    return false;
}

bool cc_alg_may_search(cc_alg *g) { return cc_alg_go_on(g) && (!g->soft_deadline_ms || cc_now_ms() < g->soft_deadline_ms); }

cc_xp cc_x_too_large(cc_alg *g, const char *what) {
    if (!g->err->code) {
        cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "%s grows too large", what);
        cc_error_remedy(g->err, "Ask for less at once: smaller exponents, fewer terms, or a numeric value.");
    }
    return NULL;
}

// Appends to an array in the arena that doubles when its length is a power of two.
static void *append(cc_arena *a, void *items, size_t n, size_t size) {
    if (n && (n & (n - 1))) return items;
    char *more = cc_arena_alloc(a, (n ? 2 * n : 1) * size);
    if (n) memcpy(more, items, n * size);
    return more;
}

void cc_alg_condition(cc_alg *g, cc_xp condition) {
    if (!condition || condition == g->yes) return;
    for (size_t i = 0; i < g->n_conditions; i++)
        if (g->conditions[i] == condition) return;
    g->conditions = append(g->arena, g->conditions, g->n_conditions, sizeof *g->conditions);
    g->conditions[g->n_conditions++] = condition;
}

static void say(cc_alg *g, cc_str **list, size_t *n, const char *fmt, va_list ap) {
    CC_CLEANUP_FREE char *text = NULL;
    int len = vasprintf(&text, fmt, ap);
    if (len < 0) cc_out_of_memory();
    cc_str s = {text, (size_t)len};
    for (size_t i = 0; i < *n; i++)
        if (cc_str_eq((*list)[i], s)) return;
    *list = append(g->arena, *list, *n, sizeof **list);
    (*list)[(*n)++] = cc_arena_dup(g->arena, s);
}

void cc_alg_note(cc_alg *g, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    say(g, &g->notes, &g->n_notes, fmt, ap);
    va_end(ap);
}

void cc_alg_warn(cc_alg *g, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    say(g, &g->warnings, &g->n_warnings, fmt, ap);
    va_end(ap);
}
