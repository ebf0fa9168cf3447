// The one way in which conditions, notes and warnings get from the algebra of a call into its answer. Called by algebra.c, symbolic.c and
// equiv.c at their ends, before the algebra is cleared; everything lives in the call's arena.
#include "math/about.h"

// As people write it: a != 0, a = b, a > 0; the printed forms of expressions can be read back instead, as Ne(a, 0).
static cc_str condition(cc_alg *g, cc_xp c) {
    bool relation = c->kind == CC_X_REL && (c->konst == CC_REL_NE || c->konst == CC_REL_EQ),
         joined = c->kind == CC_X_AND || c->kind == CC_X_OR;
    if (relation && cc_x_is_fun(c->args[0], CC_F_GAMMA) && c->args[1] == g->zoo) {
        cc_str u = cc_x_show(g, c->args[0]->args[0]);
        return cc_arena_printf(g->arena, "%.*s is not 0, -1, -2, ...", (int)u.n, u.p);
    }
    if (relation) {
        cc_str a = cc_x_show(g, c->args[0]), b = cc_x_show(g, c->args[1]);
        return cc_arena_printf(g->arena, "%.*s %s %.*s", (int)a.n, a.p, c->konst == CC_REL_NE ? "!=" : "=", (int)b.n, b.p);
    }
    if (!joined) return cc_x_show(g, c);
    CC_CLEANUP_BUF cc_buf all = {0};
    for (uint32_t i = 0; i < c->n; i++) {
        cc_str part = condition(g, c->args[i]);
        bool inner = c->args[i]->kind == CC_X_AND || c->args[i]->kind == CC_X_OR;
        cc_buf_printf(&all, "%s%s%.*s%s",
                      !i                    ? ""
                      : c->kind == CC_X_AND ? " and "
                                            : " or ",
                      inner ? "(" : "", (int)part.n, part.p, inner ? ")" : "");
    }
    return cc_arena_dup(g->arena, cc_buf_str(&all));
}

void cc_about_tell(cc_alg *g, cc_algebra_about *about) {
    about->n_conditions = g->n_conditions;
    about->conditions = CC_ARENA_ARRAY(g->arena, cc_str, g->n_conditions + 1);
    for (size_t i = 0; i < g->n_conditions; i++) about->conditions[i] = condition(g, g->conditions[i]);
    about->notes = g->notes;
    about->n_notes = g->n_notes;
    about->warnings = g->warnings;
    about->n_warnings = g->n_warnings;
}

// xy beside x or y: as a product it would have been written x*y.
static bool is_run_together(const cc_xp *s, size_t n, cc_str name) {
    bool any = false;
    if (name.n < 2 || name.n > 3) return false;
    for (size_t k = 0; k < name.n; k++) {
        if (!(name.p[k] >= 'a' && name.p[k] <= 'z')) return false;
        for (size_t i = 0; i < n; i++) any = any || (s[i]->name.n == 1 && s[i]->name.p[0] == name.p[k]);
    }
    return any;
}

void cc_about_names(cc_alg *g, cc_xp x, cc_xp v) {
    size_t n;
    const cc_xp *s = cc_x_symbols(g, x, &n);
    for (size_t i = 0; i < n; i++) {
        cc_str name = s[i]->name;
        if (s[i]->dummy || s[i] == v) continue;
        if (cc_str_eqz(name, "e")) cc_alg_warn(g, "e was read as a symbol; Euler's number is E, e**x is exp(x)");
        if (cc_str_eqz(name, "i") || cc_str_eqz(name, "j"))
            cc_alg_warn(g, "%.*s was read as a symbol; the imaginary unit is I", (int)name.n, name.p);
        if (is_run_together(s, n, name)) cc_alg_warn(g, "%.*s was read as one symbol; a product is written with *", (int)name.n, name.p);
    }
}
