// A logarithm L as the variable: L' = K/(v - r), as of log(c*(a + b*v)**n), or K/(v - r) - K/(v - s), as of log(c*((a + b*v)/(d +
// e*v))**n). With w = L/K and u = v - r or (v - r)/(v - s), u' = u in w, so that what is polynomial in L and rational in v ends in
// polylogarithms of u. Called by search.c. No branch of L enters: any function with that derivative serves.
#include "math/integrate/integrate.h"

enum { MAX_LOGS = 4 };

typedef struct logs {
    cc_xp v;
    cc_xp at[MAX_LOGS];
    size_t n;
    bool failed;
} logs;

static void survey(logs *l, cc_xp x) {
    if (!x || l->failed || cc_int_free(x, l->v)) return;
    if (x->kind == CC_X_FUN && x->fn != CC_F_LOG) l->failed = true;
    if (x->kind == CC_X_POW && !cc_int_free(x->args[1], l->v)) l->failed = true;
    if (!cc_x_is_fun(x, CC_F_LOG)) {
        for (uint32_t i = 0; i < x->n; i++) survey(l, x->args[i]);
        return;
    }
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i] == x) return;
    if (l->n == MAX_LOGS)
        l->failed = true;
    else
        l->at[l->n++] = x;
}

cc_xp cc_int_logarithm_late(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    if (!cc_x_has_fn(f, CC_F_LOG)) return NULL;
    logs l = {.v = v};
    survey(&l, f);
    if (l.failed || !l.n) return NULL;
    cc_poles *p = cc_arena_alloc(g->arena, sizeof *p);
    cc_xp L = l.at[0], slope = cc_int_normal(g, cc_x_diff(g, L, v), v);
    if (L->args[0] == v && l.n == 1) return NULL; // by others
    if (!slope || !cc_int_poles(g, slope, v, p) || p->degree >= 0 || p->n < 1 || p->n > 2) return NULL;
    cc_xp K = p->at[0].coefficient, r = p->at[0].root, s = p->n == 2 ? p->at[1].root : NULL;
    if (p->at[0].order != 1) return NULL;
    if (s && (p->at[1].order != 1 || cc_int_normal(g, cc_x_add(g, K, p->at[1].coefficient), v) != g->zero)) return NULL;
    // the others by L
    cc_xp w = cc_x_dummy(g, "w", 0), u = cc_x_dummy(g, "u", 0), by[MAX_LOGS], name[MAX_LOGS], rest[MAX_LOGS];
    for (size_t i = 0; i < l.n; i++) {
        cc_xp ratio = i ? cc_int_normal(g, cc_x_div(g, cc_x_diff(g, l.at[i], v), slope), v) : g->one;
        if (!ratio || !cc_int_free(ratio, v)) return NULL;
        name[i] = cc_x_dummy(g, "c", 0);
        rest[i] = cc_x_sub(g, l.at[i], cc_x_mul(g, ratio, L)); // constant between branch points
        by[i] = CC_PROD(g, ratio, K, w);
        if (i) by[i] = cc_x_add(g, by[i], name[i]);
    }
    cc_xp value = cc_x_add(g, r, u), step = u, U = cc_x_sub(g, v, r); // v, its derivative in w
    if (s) {
        cc_xp below = cc_x_sub(g, g->one, u);
        value = cc_x_div(g, cc_x_sub(g, r, cc_x_mul(g, s, u)), below);
        step = CC_PROD(g, u, cc_x_sub(g, r, s), cc_x_powi(g, below, -2));
        U = cc_x_div(g, U, cc_x_sub(g, v, s));
    }
    cc_xp h = cc_x_subs_many(g, f, l.at, by, l.n);
    h = h ? cc_x_mul(g, cc_x_subs(g, h, v, value), step) : NULL;
    if (!h || !cc_int_free(h, v)) return NULL;
    cc_xp F = cc_int_chain(g, h, w, u);
    if (!F) return NULL;
    F = cc_x_subs_many(g, F, (const cc_xp[]){w, u}, (const cc_xp[]){cc_x_div(g, L, K), U}, 2);
    return cc_x_subs_many(g, F, name, rest, l.n);
}

// Two logarithms, or a square of one.
static bool is_squared(cc_xp f, cc_xp v) {
    size_t n, logarithms = 0;
    slong k;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp x = factors[i]->kind == CC_X_POW ? factors[i]->args[0] : factors[i];
        if (!cc_int_find_fun(x, CC_F_LOG, v)) continue;
        logarithms += factors[i]->kind == CC_X_POW && cc_x_fits_si(factors[i]->args[1], &k) && k > 1 ? 2 : 1;
    }
    return logarithms > 1;
}

// Of one logarithm, and where no polylogarithm comes out, there are shorter forms by parts.
cc_xp cc_int_logarithm(cc_int *in, cc_xp f, cc_xp v) {
    cc_xp F = is_squared(f, v) ? cc_int_logarithm_late(in, f, v) : NULL;
    return F && cc_x_has_fn(F, CC_F_POLYLOG) ? F : NULL;
}

// ---- several logarithms of products of powers ----

typedef struct splitting {
    cc_xp v;
    cc_xp name[MAX_LOGS], value[MAX_LOGS];
    size_t n;
    bool powers, failed; // there is a power of something else than the variable
} splitting;

// log(c*P**m*…) = m*log(P) + … + what is constant between branch points.
static cc_xp split_log(cc_alg *g, cc_xp x, void *ctx) {
    splitting *s = ctx;
    if (!cc_x_is_fun(x, CC_F_LOG) || cc_int_free(x, s->v) || (x->args[0]->kind != CC_X_MUL && x->args[0]->kind != CC_X_POW)) return x;
    size_t n;
    const cc_xp *factors = cc_x_factors(&x->args[0], &n);
    cc_xp sum = g->zero;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (cc_int_free(factors[i], s->v)) continue;
        if (!cc_int_free(e, s->v)) return x;
        s->powers = s->powers || (base != s->v && e != g->one);
        sum = cc_x_add(g, sum, cc_x_mul(g, e, cc_x_log(g, base)));
    }
    if (s->n == MAX_LOGS) s->failed = true;
    if (s->failed || !sum) return x;
    s->name[s->n] = cc_x_dummy(g, "c", 0);
    s->value[s->n] = cc_x_sub(g, x, sum);
    return cc_x_add(g, sum, s->name[s->n++]);
}

cc_xp cc_int_split_logs(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    logs l = {.v = v};
    survey(&l, f);
    if (l.failed || l.n < 2) return NULL;
    splitting s = {.v = v};
    cc_xp h = cc_x_map(g, f, split_log, &s);
    if (!h || s.failed || !s.powers) return NULL;
    cc_xp F = cc_int_find(in, cc_x_expand(g, h), v);
    return F ? cc_x_subs_many(g, F, s.name, s.value, s.n) : NULL;
}
