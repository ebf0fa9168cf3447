// Replacing parts of expressions: by structure, and by a function applied bottom-up. Called by everybody. Everything is rebuilt through the
// constructors, so that canonical form holds; variables that a form binds are left alone.
#include "math/expr/intern.h"

#include <stdlib.h>

// Results of one walk, by pointer: shared parts are done once.
typedef struct seen {
    cc_xp *key, *value;
    size_t cap, n;
} seen;

static size_t place(const seen *s, cc_xp x) {
    size_t k = (x->hash ^ x->hash >> 15) & (s->cap - 1);
    while (s->key[k] && s->key[k] != x) k = (k + 1) & (s->cap - 1);
    return k;
}

static cc_xp look(const seen *s, cc_xp x) { return s->cap ? s->value[place(s, x)] : NULL; }

static void keep(seen *s, cc_xp x, cc_xp value) {
    if (s->n * 2 >= s->cap) {
        seen more = {.cap = s->cap ? s->cap * 2 : 64, .n = s->n};
        more.key = cc_malloc(more.cap * sizeof *more.key);
        more.value = cc_malloc(more.cap * sizeof *more.value);
        memset(more.key, 0, more.cap * sizeof *more.key);
        memset(more.value, 0, more.cap * sizeof *more.value);
        for (size_t i = 0; i < s->cap; i++) {
            if (!s->key[i]) continue;
            size_t k = place(&more, s->key[i]);
            more.key[k] = s->key[i];
            more.value[k] = s->value[i];
        }
        free(s->key);
        free(s->value);
        *s = more;
    }
    size_t k = place(s, x);
    s->n += !s->key[k];
    s->key[k] = x;
    s->value[k] = value;
}

static void seen_clear(seen *s) {
    free(s->key);
    free(s->value);
}

// ---- substitution ----

typedef struct change {
    cc_alg *g;
    const cc_xp *old, *with;
    size_t n;
    uint64_t free;  // of what is replaced
    bool constants; // something without symbols is replaced
    seen seen;
} change;

static cc_xp replace(change *c, cc_xp x);

// A form that binds v in its first argument. If v occurs in a replacement it is renamed first; if v itself is to be replaced, the body
// stays.
static cc_xp replace_bound(change *c, cc_xp x, cc_xp v) {
    cc_alg *g = c->g;
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    cc_xp body = x->args[0];
    bool captured = false;
    size_t n = 0;
    cc_xp *old = CC_ARENA_ARRAY(g->arena, cc_xp, c->n), *with = CC_ARENA_ARRAY(g->arena, cc_xp, c->n);
    for (size_t i = 0; i < c->n; i++) {
        if (cc_x_has(c->old[i], v)) continue;
        captured = captured || (cc_x_has(c->with[i], v) && cc_x_has(body, c->old[i]));
        old[n] = c->old[i];
        with[n++] = c->with[i];
    }
    cc_xp variable = v;
    if (captured) {
        variable = cc_x_dummy(g, v->name.p, v->facts);
        body = cc_x_subs(g, body, v, variable);
    }
    args[0] = cc_x_subs_many(g, body, old, with, n);
    args[1] = variable;
    for (uint32_t i = 2; i < x->n; i++) args[i] = replace(c, x->args[i]);
    return cc_x_rebuild(g, x, args);
}

// Derivative(f, x, n) at x = a is Subs(Derivative(f, x, n), x, a); another replacement goes into f. Likewise Integral(f, x) without bounds.
static cc_xp replace_operator(change *c, cc_xp x) {
    cc_alg *g = c->g;
    cc_xp v = x->args[1], *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (size_t i = 0; i < c->n; i++) {
        if (c->old[i] == v && c->with[i]->kind != CC_X_SYM) {
            cc_xp rest = x;
            cc_xp *old = CC_ARENA_ARRAY(g->arena, cc_xp, c->n), *with = CC_ARENA_ARRAY(g->arena, cc_xp, c->n);
            size_t n = 0;
            for (size_t k = 0; k < c->n; k++) {
                if (k == i) continue;
                old[n] = c->old[k];
                with[n++] = c->with[k];
            }
            cc_xp d = cc_x_dummy(g, v->name.p, v->facts);
            rest = cc_x_subs_many(g, cc_x_subs(g, rest, v, d), old, with, n);
            return cc_x_unevaluated(g, CC_F_SUBS, (const cc_xp[]){rest, d, c->with[i]}, 3);
        }
    }
    for (uint32_t i = 0; i < x->n; i++) args[i] = replace(c, x->args[i]);
    return cc_x_rebuild(g, x, args);
}

static cc_xp replace(change *c, cc_xp x) {
    cc_alg *g = c->g;
    if (!x || !cc_alg_go_on(g)) return NULL;
    if (!c->constants && !(x->free & c->free)) return x;
    for (size_t i = 0; i < c->n; i++)
        if (x == c->old[i]) return c->with[i];
    if (x->n == 0) return x;
    cc_xp done = look(&c->seen, x);
    if (done) return done;
    cc_xp bound = cc_x_bound(x);
    if (bound) {
        done = replace_bound(c, x, bound);
    } else if (cc_x_is_fun(x, CC_F_DERIVATIVE) || cc_x_is_fun(x, CC_F_INTEGRAL) || cc_x_is_fun(x, CC_F_ORDER)) {
        done = replace_operator(c, x);
    } else {
        cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
        for (uint32_t i = 0; i < x->n; i++)
            if (!(args[i] = replace(c, x->args[i]))) return NULL;
        done = cc_x_rebuild(g, x, args);
    }
    if (done) keep(&c->seen, x, done);
    return done;
}

cc_xp cc_x_subs_many(cc_alg *g, cc_xp x, const cc_xp *old, const cc_xp *with, size_t n) {
    if (!x || cc_x_failed(g, old, n) || cc_x_failed(g, with, n)) return NULL;
    change c = {.g = g, .old = old, .with = with, .n = n};
    for (size_t i = 0; i < n; i++) {
        c.free |= old[i]->free;
        c.constants = c.constants || old[i]->free == 0;
    }
    cc_xp out = n ? replace(&c, x) : x;
    seen_clear(&c.seen);
    return out;
}

cc_xp cc_x_subs(cc_alg *g, cc_xp x, cc_xp old, cc_xp with) { return cc_x_subs_many(g, x, &old, &with, 1); }

// ---- mapping ----

typedef struct mapping {
    cc_alg *g;
    cc_xp (*f)(cc_alg *g, cc_xp x, void *ctx);
    void *ctx;
    seen seen;
} mapping;

static cc_xp map(mapping *m, cc_xp x) {
    if (!x || !cc_alg_go_on(m->g)) return NULL;
    cc_xp done = look(&m->seen, x);
    if (done) return done;
    cc_xp y = x;
    if (x->n) {
        cc_xp bound = cc_x_bound(x), *args = CC_ARENA_ARRAY(m->g->arena, cc_xp, x->n);
        for (uint32_t i = 0; i < x->n; i++)
            if (!(args[i] = bound && i == 1 ? bound : map(m, x->args[i]))) return NULL;
        y = cc_x_rebuild(m->g, x, args);
    }
    y = y ? m->f(m->g, y, m->ctx) : NULL;
    if (y) keep(&m->seen, x, y);
    return y;
}

cc_xp cc_x_map(cc_alg *g, cc_xp x, cc_xp (*f)(cc_alg *g, cc_xp x, void *ctx), void *ctx) {
    if (!x || g->err->code) return NULL;
    mapping m = {.g = g, .f = f, .ctx = ctx};
    cc_xp out = map(&m, x);
    seen_clear(&m.seen);
    return out;
}
