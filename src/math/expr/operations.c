// Operations that may be written inside an expression: diff(f, x), expand(f), subs(f, x, 2) … Called by call.c. Each checks its arguments
// and calls the folder that does the work; nothing is computed here.
#include "math/expr/operations.h"

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
        if (!equation && !(cc_x_is_kind(pairs[i], CC_X_TUPLE) && pairs[i]->n == 2)) return cc_operation_wrong(g, usage);
        old[i] = pairs[i]->args[0];
        with[i] = pairs[i]->args[1];
    }
    return cc_x_subs_many(g, a[0], old, with, m);
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
