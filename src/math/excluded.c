// Points that a formula excludes as it was written: see excluded.h. Nothing here makes an answer; it takes away what the answer may not
// claim.
#include "math/excluded.h"

static const cc_xpoles *keep_forgotten(cc_alg *g, cc_xpoles *written, cc_xp x) {
    cc_xpoles *read = CC_ARENA_NEW(g->arena, cc_xpoles);
    if (written->n) cc_x_poles(g, read, x);
    size_t kept = 0;
    for (size_t i = 0; i < written->n; i++)
        if (!cc_x_is_noted(g, read, written->items[i])) written->items[kept++] = written->items[i];
    written->n = kept;
    return written;
}

const cc_xpoles *cc_excluded_of_text(cc_alg *g, cc_str text, cc_xp x) {
    cc_xpoles *written = CC_ARENA_NEW(g->arena, cc_xpoles);
    cc_x_written_poles(g, written, text);
    return keep_forgotten(g, written, x);
}

const cc_xpoles *cc_excluded_of_node(cc_alg *g, const cc_node *node, cc_xp x) {
    cc_xpoles *written = CC_ARENA_NEW(g->arena, cc_xpoles);
    cc_x_node_poles(g, written, node);
    return keep_forgotten(g, written, x);
}

void cc_excluded_roots(cc_alg *g, const cc_xpoles *p, cc_xp v, cc_xsolutions *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool out = false;
        for (size_t k = 0; k < p->n && !out; k++) {
            cc_xp there = cc_x_subs(g, p->items[k], v, s->roots[i]);
            out = there && (!there->finite || cc_x_is_zero(g, there) == CC_TRUE);
        }
        if (out) continue;
        s->multiplicity[kept] = s->multiplicity[i];
        s->roots[kept++] = s->roots[i];
    }
    if (s->n && !kept) s->kind = CC_SOLVED_NONE;
    s->n = kept;
    for (size_t k = 0; k < p->n; k++)
        if (!cc_x_has(p->items[k], v)) cc_x_require_nonzero(g, p->items[k]);
}

void cc_excluded_conditions(cc_alg *g, const cc_xpoles *p) {
    for (size_t i = 0; i < p->n; i++) cc_x_require_nonzero(g, p->items[i]);
}

cc_xp cc_excluded_value(cc_alg *g, const cc_xpoles *p, const cc_xp *old, const cc_xp *with, size_t n, cc_xp y) {
    for (size_t i = 0; i < p->n; i++) {
        cc_xp there = cc_x_subs_many(g, p->items[i], old, with, n);
        if (!there) return NULL;
        if (!there->finite || cc_x_is_zero(g, there) == CC_TRUE) return g->nan;
        cc_x_require_nonzero(g, there);
    }
    return y;
}

// Whether k is an integer from a to b: undecided where one of them has symbols.
static cc_truth lies_between(cc_alg *g, cc_xp k, cc_xp a, cc_xp b) {
    if (!cc_x_is_int(k)) return cc_x_is_constant(k) ? CC_FALSE : CC_UNDECIDED;
    bool below = a == g->neg_oo || (cc_x_is_constant(a) && a->finite && cc_x_constant_compare(g, a, k) <= 0);
    bool above = b == g->oo || (cc_x_is_constant(b) && b->finite && cc_x_constant_compare(g, k, b) <= 0);
    if (below && above) return CC_TRUE;
    bool out = (cc_x_is_constant(a) && !below) || (cc_x_is_constant(b) && !above);
    return out ? CC_FALSE : CC_UNDECIDED;
}

// A k that is excluded, and not known to be no term's; NULL when there is none.
static cc_xp excluded_index(cc_alg *g, cc_xp pole, cc_xp k, cc_xp a, cc_xp b) {
    size_t notes = g->n_notes, warnings = g->n_warnings, conditions = g->n_conditions;
    cc_xsolutions s = {0};
    cc_xp first = a == g->neg_oo ? g->zero : a, found = NULL;
    cc_xp there = cc_x_subs(g, pole, k, first); // zeros that come again and again
    if (there && cc_x_is_zero(g, there) == CC_TRUE) found = first;
    if (!found && !g->err->code && cc_x_solve(g, pole, k, &s) == 0 && s.kind == CC_SOLVED_FINITE)
        for (size_t i = 0; i < s.n && !found; i++)
            if (lies_between(g, s.roots[i], a, b) != CC_FALSE) found = s.roots[i];
    if (g->err->code != CC_TIMEOUT) *g->err = (cc_error){0};
    g->n_notes = notes, g->n_warnings = warnings, g->n_conditions = conditions; // they were about the poles
    return found;
}

cc_xp cc_excluded_term(cc_alg *g, const cc_xpoles *p, cc_xp k, cc_xp a, cc_xp b, cc_xp y) {
    for (size_t i = 0; y && i < p->n && !g->err->code; i++) {
        if (!cc_x_has(p->items[i], k)) {
            cc_x_require_nonzero(g, p->items[i]);
            continue;
        }
        cc_xp at = excluded_index(g, p->items[i], k, a, b);
        if (!at) continue;
        cc_str shown = cc_x_show(g, at), name = k->name;
        bool sure = lies_between(g, at, a, b) == CC_TRUE;
        cc_alg_note(g, "as it is written, the term for %.*s = %.*s has no value%s", (int)name.n, name.p, (int)shown.n, shown.p,
                    sure ? "" : ", should it be one");
        if (sure) return g->nan;
    }
    return y;
}
