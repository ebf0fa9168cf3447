// Operations that may be written inside an expression: diff(f, x), expand(f), subs(f, x, 2) … Called by call.c. Each checks its arguments
// and calls the folder that does the work; nothing is computed here.
#include "math/expr/operations.h"

#include "math/excluded.h"

cc_xp cc_operation_wrong(cc_alg *g, const char *usage) {
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
    if (n == 0) return cc_operation_wrong(g, usage);
    cc_xp f = a[0];
    cc_excluded_conditions(g, cc_excluded_of_node(g, g->written, f));
    if (n == 1) {
        cc_xp v = only_symbol(g, f);
        if (!v && f->free == 0) return g->zero;
        return v ? cc_x_diff(g, f, v) : cc_operation_wrong(g, "diff(f, x) with the variable named, since f has several symbols,");
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
        if (!is_symbol(v) || !cc_x_fits_si(times, &k) || k < 0) return cc_operation_wrong(g, usage);
        f = cc_x_diffn(g, f, v, (ulong)k);
    }
    return f;
}

// Operations of one expression.
static cc_xp of_one(cc_alg *g, const cc_xp *a, size_t n, cc_xp (*f)(cc_alg *, cc_xp), const char *usage) {
    return n == 1 ? f(g, a[0]) : cc_operation_wrong(g, usage);
}
static cc_xp op_expand(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_expand, "expand(f)"); }
static cc_xp op_simplify(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_simplify, "simplify(f)"); }
static cc_xp op_trigsimp(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_trigsimp, "trigsimp(f)"); }
static cc_xp op_factor(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_factor, "factor(f)"); }
static cc_xp op_together(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_together, "together(f)"); }
static cc_xp op_cancel(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_cancel, "cancel(f)"); }
static cc_xp op_radsimp(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_radsimp, "radsimp(f)"); }
static cc_xp op_expand_trig(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, cc_x_expand_trig, "expand_trig(f)"); }
static cc_xp expand_log(cc_alg *g, cc_xp f) { return cc_x_expand_log(g, f, false); }
static cc_xp op_expand_log(cc_alg *g, const cc_xp *a, size_t n) { return of_one(g, a, n, expand_log, "expand_log(f)"); }

static cc_xp op_apart(cc_alg *g, const cc_xp *a, size_t n) {
    cc_xp v = n == 1 ? only_symbol(g, a[0]) : n == 2 && is_symbol(a[1]) ? a[1] : NULL;
    if (n == 1 && a[0]->free == 0) return a[0];
    return v ? cc_x_apart(g, a[0], v) : cc_operation_wrong(g, "apart(f, x)");
}

static cc_xp op_collect(cc_alg *g, const cc_xp *a, size_t n) {
    return n == 2 && a[1]->kind < CC_X_REL ? cc_x_collect(g, a[0], a[1]) : cc_operation_wrong(g, "collect(f, x)");
}

// One integral over (x, a, b) or of x alone; what is not found stays Integral(…).
static cc_xp integral_over(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b) {
    const char *graded = NULL;
    cc_xp x = a ? cc_x_integral(g, f, v, a, b, &graded) : cc_x_antiderivative(g, f, v, &graded);
    if (!x)
        return a ? cc_x_unevaluated(g, CC_F_INTEGRAL, (const cc_xp[]){f, v, a, b}, 4)
                 : cc_x_unevaluated(g, CC_F_INTEGRAL, (const cc_xp[]){f, v}, 2);
    if (graded && strcmp(graded, "cross_checked") == 0) g->cross_checked = true;
    return x;
}

// integrate(f), integrate(f, x), integrate(f, (x, a, b), …), integrate(f, x, a, b)
static cc_xp op_integrate(cc_alg *g, const cc_xp *a, size_t n) {
    const char *usage = "integrate(f, x) or integrate(f, (x, a, b))";
    if (n == 0 || a[0]->kind >= CC_X_REL) return cc_operation_wrong(g, usage);
    cc_xp f = a[0];
    if (n == 1) {
        cc_xp v = only_symbol(g, f);
        return v ? integral_over(g, f, v, NULL, NULL) : cc_operation_wrong(g, "integrate(f, x) with the variable named");
    }
    if (n == 4 && is_symbol(a[1]) && !is_symbol(a[2]) && a[2]->kind < CC_X_REL && a[3]->kind < CC_X_REL)
        return integral_over(g, f, a[1], a[2], a[3]);
    for (size_t i = 1; i < n; i++) {
        bool range = cc_x_is_kind(a[i], CC_X_TUPLE) && a[i]->n == 3 && is_symbol(a[i]->args[0]);
        if (!range && !is_symbol(a[i])) return cc_operation_wrong(g, usage);
        f = range ? integral_over(g, f, a[i]->args[0], a[i]->args[1], a[i]->args[2]) : integral_over(g, f, a[i], NULL, NULL);
        if (!f) return NULL;
    }
    return f;
}

// limit(f, x, a), limit(f, x, a, '+')
static cc_xp op_limit(cc_alg *g, const cc_xp *a, size_t n) {
    slong side = 0;
    bool given = n == 4;
    cc_xp dir = given ? a[3] : NULL;
    if (given && cc_x_is_kind(dir, CC_X_REL)) dir = dir->args[1]; // dir = '+'
    if ((n != 3 && n != 4) || !is_symbol(a[1]) || a[0]->kind >= CC_X_REL || a[2]->kind >= CC_X_REL || (given && !cc_x_fits_si(dir, &side)))
        return cc_operation_wrong(g, "limit(f, x, a) or limit(f, x, a, '+')");
    cc_xp left = NULL, right = NULL;
    cc_xp x = cc_x_limit(g, a[0], a[1], a[2], side > 0 ? '+' : side < 0 ? '-' : 0, &left, &right);
    if (x || g->err->code) return x;
    if (left && right) { // both sides differ: there is no limit
        cc_str l = cc_x_show(g, left), r = cc_x_show(g, right);
        cc_alg_note(g, "the limits from the left, %.*s, and from the right, %.*s, differ: there is no two-sided limit", (int)l.n, l.p,
                    (int)r.n, r.p);
        return g->nan;
    }
    if (g->no_limit) return g->nan;
    return cc_x_unevaluated(g, CC_F_LIMIT, (const cc_xp[]){a[0], a[1], a[2], cc_x_int(g, side)}, 4);
}

// series(f), series(f, x), series(f, x, a, n)
static cc_xp op_series(cc_alg *g, const cc_xp *a, size_t n) {
    slong order = 6;
    cc_xp v = n >= 2 ? a[1] : n == 1 ? only_symbol(g, a[0]) : NULL;
    if (n == 0 || n > 4 || !v || !is_symbol(v) || a[0]->kind >= CC_X_REL || (n > 2 && a[2]->kind >= CC_X_REL) ||
        (n == 4 && (!cc_x_fits_si(a[3], &order) || order < 0)))
        return cc_operation_wrong(g, "series(f, x, a, n)");
    cc_xp x = cc_x_series(g, a[0], v, n > 2 ? a[2] : g->zero, order);
    if (!x && !g->err->code) cc_error_set(g->err, CC_VALIDATION, "series(): no expansion was found at this point");
    return x;
}

// summation(f, (k, a, b)), sum(f, k, a, b); product likewise
static cc_xp over_range(cc_alg *g, const cc_xp *a, size_t n, cc_xfn fn, const char *usage) {
    bool tuple = n == 2 && cc_x_is_kind(a[1], CC_X_TUPLE) && a[1]->n == 3;
    const cc_xp *r = tuple ? a[1]->args : a + 1;
    if ((!tuple && n != 4) || !is_symbol(r[0]) || a[0]->kind >= CC_X_REL || r[1]->kind >= CC_X_REL || r[2]->kind >= CC_X_REL)
        return cc_operation_wrong(g, usage);
    cc_xp x = fn == CC_F_SUM ? cc_x_sum(g, a[0], r[0], r[1], r[2]) : cc_x_product(g, a[0], r[0], r[1], r[2]);
    x = cc_excluded_term(g, cc_excluded_of_node(g, g->written, a[0]), r[0], r[1], r[2], x);
    return x || g->err->code ? x : cc_x_unevaluated(g, fn, (const cc_xp[]){a[0], r[0], r[1], r[2]}, 4);
}
static cc_xp op_sum(cc_alg *g, const cc_xp *a, size_t n) { return over_range(g, a, n, CC_F_SUM, "summation(f, (k, a, b))"); }
static cc_xp op_product(cc_alg *g, const cc_xp *a, size_t n) { return over_range(g, a, n, CC_F_PRODUCT, "product(f, (k, a, b))"); }

// solve(f), solve(f, x), solve(left = right, x): the list of roots, or a condition.
static cc_xp op_solve(cc_alg *g, const cc_xp *a, size_t n) {
    cc_xp v = n == 2 ? a[1] : n == 1 ? only_symbol(g, a[0]) : NULL;
    if (!v || !is_symbol(v)) return cc_operation_wrong(g, "solve(equation, x)");
    cc_xsolutions s = {0};
    if (cc_x_solve(g, a[0], v, &s)) return NULL;
    if (s.kind == CC_SOLVED_FINITE || s.kind == CC_SOLVED_FAMILY) cc_excluded_roots(g, cc_excluded_of_node(g, g->written, a[0]), v, &s);
    switch (s.kind) {
    case CC_SOLVED_ALL: return g->yes;
    case CC_SOLVED_NONE: return cc_x_list(g, NULL, 0);
    case CC_SOLVED_UNKNOWN:
        cc_error_set(g->err, CC_VALIDATION, "solve(): no solution was found, and none was excluded");
        cc_error_remedy(g->err, "the tool symbolic, op solve, isolates real roots without closed form; give lower and upper");
        return NULL;
    case CC_SOLVED_SET: return s.roots[0];
    default: break;
    }
    if (!s.complete) cc_alg_note(g, "there may be further solutions");
    cc_xp list = cc_x_list(g, s.roots, s.n);
    const cc_xp *symbols = cc_x_symbols(g, list, &n);
    for (size_t i = 0; s.kind == CC_SOLVED_FAMILY && i < n; i++) // n_, m_ … are names of ours
        if (symbols[i]->name.n && symbols[i]->name.p[symbols[i]->name.n - 1] == '_')
            cc_alg_note(g, "%.*s is any integer", (int)symbols[i]->name.n, symbols[i]->name.p);
    return list;
}

// N(f), N(f, digits): the exact value stays; the digits are asked for.
static cc_xp op_n(cc_alg *g, const cc_xp *a, size_t n) {
    slong digits = 15;
    if (n == 0 || n > 2 || (n == 2 && (!cc_x_fits_si(a[1], &digits) || digits < 1 || digits > CC_CALC_MAX_DIGITS)))
        return cc_operation_wrong(g, "N(f) or N(f, digits) with 1 to 100000 digits");
    if (n == 2) g->digits_asked = digits;
    return a[0];
}

// subs(f, x, 2), subs(f, x = 2, y = 3), subs(f, [(x, 2), (y, 3)])
static cc_xp op_subs(cc_alg *g, const cc_xp *a, size_t n) {
    const char *usage = "subs(f, x, value) or subs(f, x = value, y = value)";
    if (n < 2) return cc_operation_wrong(g, usage);
    const cc_xpoles *excluded = cc_excluded_of_node(g, g->written, a[0]);
    if (n == 3 && a[1]->kind < CC_X_REL && a[2]->kind < CC_X_REL)
        return cc_excluded_value(g, excluded, &a[1], &a[2], 1, cc_x_subs(g, a[0], a[1], a[2]));
    const cc_xp *pairs = a + 1;
    size_t m = n - 1;
    if (n == 2 && cc_x_is_kind(a[1], CC_X_LIST)) {
        pairs = a[1]->args;
        m = a[1]->n;
    }
    cc_xp *old = CC_ARENA_ARRAY(g->arena, cc_xp, m + 1), *with = CC_ARENA_ARRAY(g->arena, cc_xp, m + 1);
    for (size_t i = 0; i < m; i++) {
        bool equation = cc_x_is_kind(pairs[i], CC_X_REL) && pairs[i]->konst == CC_REL_EQ;
        if (!equation && !(cc_x_is_kind(pairs[i], CC_X_TUPLE) && pairs[i]->n == 2)) return cc_operation_wrong(g, usage);
        old[i] = pairs[i]->args[0];
        with[i] = pairs[i]->args[1];
    }
    return cc_excluded_value(g, excluded, old, with, m, cc_x_subs_many(g, a[0], old, with, m));
}

static cc_xp op_rational(cc_alg *g, const cc_xp *a, size_t n) {
    if (n == 0 || n > 2 || !cc_x_is_num(a[0]) || (n == 2 && !cc_x_is_num(a[1]))) return cc_operation_wrong(g, "Rational(p, q) of numbers");
    return n == 1 ? a[0] : cc_x_div(g, a[0], a[1]);
}

static const struct {
    const char *name;
    cc_x_operation run;
} operations[] = {
    {"diff", op_diff},
    {"expand", op_expand},
    {"expand_log", op_expand_log},
    {"expand_trig", op_expand_trig},
    {"simplify", op_simplify},
    {"trigsimp", op_trigsimp},
    {"radsimp", op_radsimp},
    {"factor", op_factor},
    {"together", op_together},
    {"cancel", op_cancel},
    {"ratsimp", op_cancel},
    {"apart", op_apart},
    {"collect", op_collect},
    {"integrate", op_integrate},
    {"limit", op_limit},
    {"series", op_series},
    {"summation", op_sum},
    {"sum", op_sum},
    {"product", op_product},
    {"solve", op_solve},
    {"subs", op_subs},
    {"N", op_n},
    {"Rational", op_rational},
    {"isprime", cc_op_isprime},
    {"is_prime", cc_op_isprime},
    {"nextprime", cc_op_nextprime},
    {"prevprime", cc_op_prevprime},
    {"prime", cc_op_prime},
    {"primepi", cc_op_primepi},
    {"factorint", cc_op_factorint},
    {"divisors", cc_op_divisors},
    {"totient", cc_op_totient},
    {"mobius", cc_op_mobius},
    {"gcd", cc_op_gcd},
    {"lcm", cc_op_lcm},
};

cc_x_operation cc_x_find_operation(cc_str name) {
    for (size_t i = 0; i < CC_ARRAY_LEN(operations); i++)
        if (cc_str_eqz(name, operations[i].name)) return operations[i].run;
    return NULL;
}

const char *cc_x_operation_name(size_t i) { return i < CC_ARRAY_LEN(operations) ? operations[i].name : NULL; }
