// Limits, integrals, series, sums and products of the tool `symbolic`: arguments to the folders that do the work, and what these found, or
// did not find, as fields. Called by the table in symbolic.c.
#include "math/symbolic.h"

#include "math/excluded.h"

#define MOST_ORDER 200 // of a series

static cc_xp read_or(cc_symbolic_job *j, const char *name, cc_str text, cc_xp otherwise) {
    return cc_str_trim(text).n ? cc_symbolic_argument(j, name, text) : otherwise;
}

static void say_question(cc_symbolic_job *j) {
    cc_symbolic_show(j, "expression", j->expr);
    cc_symbolic_show(j, "variable", j->var);
}

static void not_found(cc_symbolic_job *j, const char *what) {
    if (!j->g.err->code) cc_symbolic_say(j, "status", cc_arena_printf(j->g.arena, "unknown: %s", what));
}

// Parameters of which nothing is assumed: more may be found when something is.
static void ask_for_signs(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, j->expr, &n);
    for (size_t i = 0; i < n && !g->err->code; i++)
        if (symbols[i] != j->var && !symbols[i]->facts) {
            cc_str name = cc_x_show(g, symbols[i]);
            cc_alg_note(g, "it may depend on %.*s: say what holds, such as assume='%.*s>0'", (int)name.n, name.p, (int)name.n, name.p);
            return;
        }
}

static void graded(cc_symbolic_job *j, const char *grade, const char *basis) {
    j->out->about.grade = grade;
    j->out->about.basis = basis;
}

void cc_symbolic_limit(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xp point = read_or(j, "point", j->q->point, g->oo), left, right;
    cc_str dir = cc_str_trim(j->q->dir);
    if (!point) return;
    if (dir.n && !cc_str_eqz(dir, "+") && !cc_str_eqz(dir, "-")) {
        cc_error_set(g->err, CC_VALIDATION, "dir: is '+' (from above) or '-' (from below)");
        return;
    }
    say_question(j);
    cc_symbolic_show(j, "point", point);
    cc_xp x = cc_x_limit(g, j->expr, j->var, point, dir.n ? dir.p[0] : 0, &left, &right);
    if (x) {
        cc_symbolic_show_result(j, "limit", x);
        graded(j, "exact", "signs and zeros on the way were decided");
        return;
    }
    if (left && right) {
        cc_symbolic_say(j, "status", CC_STR("does not exist: the sides differ"));
        graded(j, "exact", "both one-sided limits were found");
    } else if (g->no_limit) {
        cc_symbolic_say(j, "status", CC_STR("does not exist"));
        graded(j, "exact", "two sequences with different limits");
    } else {
        not_found(j, "no method found the limit, and none showed that there is none");
        ask_for_signs(j);
    }
    cc_symbolic_show(j, "left", left);
    cc_symbolic_show(j, "right", right);
}

// The value of a definite integral without closed form.
static void enclose(cc_symbolic_job *j, cc_xp a, cc_xp b) {
    cc_alg *g = &j->g;
    if (!cc_x_is_constant(a) || !cc_x_is_constant(b)) return;
    arb_t re, im;
    arb_init(re), arb_init(im);
    if (cc_x_quadrature(g, re, im, j->expr, j->var, a, b, 64) && arb_contains_zero(im)) {
        char *text = arb_get_str(re, 20, 0);
        cc_symbolic_say(j, "enclosure", cc_arena_dup(g->arena, cc_str_of(text)));
        flint_free(text);
        graded(j, "certified", "quadrature with a proven radius");
    }
    arb_clear(re), arb_clear(im);
}

void cc_symbolic_integrate(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xp a = read_or(j, "lower", j->q->lower, NULL), b = read_or(j, "upper", j->q->upper, NULL);
    const char *grade = NULL;
    if (g->err->code) return;
    if (!a != !b) {
        cc_error_set(g->err, CC_VALIDATION, "%s: is missing: give both bounds, or none", a ? "upper" : "lower");
        return;
    }
    say_question(j);
    cc_xp x = a ? cc_x_integral(g, j->expr, j->var, a, b, &grade) : cc_x_antiderivative(g, j->expr, j->var, &grade);
    if (!x) {
        if (a) enclose(j, a, b);
        not_found(j, "no closed form was found");
        return;
    }
    cc_symbolic_show_result(j, "result", x);
    if (a && cc_x_is_constant(x) && x->finite && x->kind != CC_X_NUM)
        cc_symbolic_say(j, "approx", cc_x_decimal(g, x, j->q->options.digits));
    if (grade) graded(j, grade, strcmp(grade, "exact") ? "checked at independent points" : "differentiated and decided to be equal");
}

void cc_symbolic_series(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xp point = read_or(j, "point", j->q->point, g->zero);
    int64_t n = j->q->has_n ? j->q->n : 6;
    if (!point) return;
    if (n < 1 || n > MOST_ORDER) {
        cc_error_set(g->err, CC_VALIDATION, "n: the order of a series is from 1 to %d", MOST_ORDER);
        return;
    }
    say_question(j);
    cc_xp x = cc_x_series(g, j->expr, j->var, point, (slong)n);
    if (!x) {
        not_found(j, "no expansion was found at this point");
        return;
    }
    cc_symbolic_show_result(j, "result", x);
    graded(j, "exact", "exact arithmetic");
}

static void over(cc_symbolic_job *j, cc_xp (*f)(cc_alg *, cc_xp, cc_xp, cc_xp, cc_xp)) {
    cc_alg *g = &j->g;
    cc_xp a = cc_symbolic_argument(j, "lower", j->q->lower), b = a ? cc_symbolic_argument(j, "upper", j->q->upper) : NULL;
    if (!b) return;
    say_question(j);
    cc_xp x = f(g, j->expr, j->var, a, b);
    if (!x) {
        not_found(j, "no closed form was found");
        return;
    }
    x = cc_excluded_term(g, cc_excluded_of_text(g, j->q->expr, j->expr), j->var, a, b, x);
    cc_symbolic_show_result(j, "result", x);
    if (cc_x_is_constant(x) && x->finite && x->kind != CC_X_NUM) cc_symbolic_say(j, "approx", cc_x_decimal(g, x, j->q->options.digits));
    graded(j, "exact", "exact arithmetic");
}

void cc_symbolic_sum(cc_symbolic_job *j) { over(j, cc_x_sum); }
void cc_symbolic_product(cc_symbolic_job *j) { over(j, cc_x_product); }
