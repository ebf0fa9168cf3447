// Operations that may be written inside an expression: diff(f, x), expand(f), subs(f, x, 2) … Called by call.c. Each checks its arguments and
// calls the folder that does the work; nothing is computed here.
#include "math/expr/expr.h"

static cc_xp wrong(cc_alg *g, const char *usage) {
    if (!g->err->code) cc_error_set(g->err, CC_VALIDATION, "%s is expected", usage);
    return NULL;
}

static bool is_symbol(cc_xp x) { return cc_x_is_kind(x, CC_X_SYM); }

// The variable that is meant when none is written: the only symbol of f.
static cc_xp only_symbol(cc_alg *g, cc_xp f) {
    size_t n;
    const cc_xp *s = cc_x_symbols(g, f, &n);
    return n == 1 ? s[0] : NULL;
}

// diff(f), diff(f, x), diff(f, x, 2), diff(f, x, y), diff(f, (x, 2))
static cc_xp op_diff(cc_alg *g, const cc_xp *a, size_t n) {
    const char *usage = "diff(f, x) or diff(f, x, n)";
    if (n == 0) return wrong(g, usage);
    cc_xp f = a[0];
    if (n == 1) {
        cc_xp v = only_symbol(g, f);
        if (!v && f->free == 0) return g->zero;
        return v ? cc_x_diff(g, f, v) : wrong(g, "diff(f, x) with the variable named, since f has several symbols,");
    }
    for (size_t i = 1; i < n; i++) {
        cc_xp v = a[i], times = g->one;
        if (cc_x_is_kind(v, CC_X_TUPLE) && v->n == 2) {
            times = v->args[1];
            v = v->args[0];
        } else if (i + 1 < n && cc_x_is_int(a[i + 1])) {
            times = a[++i];
        }
        slong k;
        if (!is_symbol(v) || !cc_x_fits_si(times, &k) || k < 0) return wrong(g, usage);
        f = cc_x_diffn(g, f, v, (ulong)k);
    }
    return f;
}

static cc_xp op_expand(cc_alg *g, const cc_xp *a, size_t n) { return n == 1 ? cc_x_expand(g, a[0]) : wrong(g, "expand(f)"); }

// subs(f, x, 2), subs(f, x = 2, y = 3), subs(f, [(x, 2), (y, 3)])
static cc_xp op_subs(cc_alg *g, const cc_xp *a, size_t n) {
    const char *usage = "subs(f, x, value) or subs(f, x = value, y = value)";
    if (n < 2) return wrong(g, usage);
    if (n == 3 && a[1]->kind < CC_X_REL && a[2]->kind < CC_X_REL) return cc_x_subs(g, a[0], a[1], a[2]);
    const cc_xp *pairs = a + 1;
    size_t m = n - 1;
    if (n == 2 && cc_x_is_kind(a[1], CC_X_LIST)) {
        pairs = a[1]->args;
        m = a[1]->n;
    }
    cc_xp *old = CC_ARENA_ARRAY(g->arena, cc_xp, m + 1), *with = CC_ARENA_ARRAY(g->arena, cc_xp, m + 1);
    for (size_t i = 0; i < m; i++) {
        bool equation = cc_x_is_kind(pairs[i], CC_X_REL) && pairs[i]->konst == CC_REL_EQ;
        if (!equation && !(cc_x_is_kind(pairs[i], CC_X_TUPLE) && pairs[i]->n == 2)) return wrong(g, usage);
        old[i] = pairs[i]->args[0];
        with[i] = pairs[i]->args[1];
    }
    return cc_x_subs_many(g, a[0], old, with, m);
}

static cc_xp op_rational(cc_alg *g, const cc_xp *a, size_t n) {
    if (n == 0 || n > 2 || !cc_x_is_num(a[0]) || (n == 2 && !cc_x_is_num(a[1]))) return wrong(g, "Rational(p, q) of numbers");
    return n == 1 ? a[0] : cc_x_div(g, a[0], a[1]);
}

static const struct {
    const char *name;
    cc_x_operation run;
} operations[] = {
    {"diff", op_diff},
    {"expand", op_expand},
    {"subs", op_subs},
    {"Rational", op_rational},
};

cc_x_operation cc_x_find_operation(cc_str name) {
    for (size_t i = 0; i < CC_ARRAY_LEN(operations); i++)
        if (cc_str_eqz(name, operations[i].name)) return operations[i].run;
    return NULL;
}

const char *cc_x_operation_name(size_t i) { return i < CC_ARRAY_LEN(operations) ? operations[i].name : NULL; }
