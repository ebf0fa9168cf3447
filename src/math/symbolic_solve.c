// Equations, inequalities and systems of the tool `symbolic`: what src/math/solve found, as fields. All, none, not found and "these among
// others" are told apart. Called by the table in symbolic.c.
#include "math/symbolic.h"

#include "math/solve/solve.h"

#define ROOT_BITS   120 // of zeros without a closed form
#define ROOT_DIGITS 30

static void question(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_str text = cc_x_show(g, j->expr);
    if (text.p && j->expr->kind < CC_X_REL && j->expr != g->yes && j->expr != g->no)
        text = cc_arena_printf(g->arena, "%.*s = 0", (int)text.n, text.p);
    cc_symbolic_say(j, "equation", text);
    cc_symbolic_show(j, "variable", j->var);
}

static void graded(cc_symbolic_job *j, const char *grade, const char *basis) {
    j->out->about.grade = grade;
    j->out->about.basis = basis;
}

// Decimals beside roots that are not rational.
static void say_decimals(cc_symbolic_job *j, const cc_xp *roots, size_t n) {
    cc_str *text = CC_ARENA_ARRAY(j->g.arena, cc_str, n + 1);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!cc_x_is_constant(roots[i])) return;
        any = any || roots[i]->kind != CC_X_NUM;
        text[i] = cc_x_decimal(&j->g, roots[i], j->q->options.digits);
        if (!text[i].n) return;
    }
    if (any) cc_symbolic_list(j, "approx", text, n);
}

static void say_roots(cc_symbolic_job *j, const cc_xsolutions *s) {
    cc_alg *g = &j->g;
    cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, s->n + 1), *times = CC_ARENA_ARRAY(g->arena, cc_str, s->n + 1);
    bool multiple = false, known = true;
    for (size_t i = 0; i < s->n; i++) {
        text[i] = cc_x_show(g, s->roots[i]);
        times[i] = cc_arena_printf(g->arena, "%u", s->multiplicity[i]);
        multiple = multiple || s->multiplicity[i] > 1;
        known = known && s->multiplicity[i] > 0;
    }
    cc_symbolic_list(j, "solutions", text, s->n);
    if (multiple && known) cc_symbolic_list(j, "multiplicities", times, s->n);
    say_decimals(j, s->roots, s->n);
    if (s->kind == CC_SOLVED_FAMILY) {
        cc_symbolic_say(j, "status", CC_STR("family"));
        cc_alg_note(g, "n_ is any integer");
    }
    if (!s->complete) cc_symbolic_say(j, "complete", CC_STR("false"));
    graded(j, "exact", "every root was put into the equation");
}

// The bounds between which real zeros are wanted; false: none were given, or they are wrong (error).
static bool bounds(cc_symbolic_job *j, arb_t a, arb_t b) {
    if (!cc_str_trim(j->q->lower).n || !cc_str_trim(j->q->upper).n) return false;
    cc_xp low = cc_symbolic_argument(j, "lower", j->q->lower), high = low ? cc_symbolic_argument(j, "upper", j->q->upper) : NULL;
    acb_t x, y;
    acb_init(x), acb_init(y);
    bool ok = high && cc_x_enclose_to(&j->g, x, low, NULL, 128) && cc_x_enclose_to(&j->g, y, high, NULL, 128) &&
              arb_is_zero(acb_imagref(x)) && arb_is_zero(acb_imagref(y)) && arb_lt(acb_realref(x), acb_realref(y));
    if (ok) arb_set(a, acb_realref(x)), arb_set(b, acb_realref(y));
    if (!ok && !j->g.err->code) cc_error_set(j->g.err, CC_VALIDATION, "lower: must be a real number below upper");
    acb_clear(x), acb_clear(y);
    return ok;
}

// Real zeros without closed form, isolated with proof.
static bool numeric(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xp f = j->expr->kind == CC_X_REL ? cc_x_sub(g, j->expr->args[0], j->expr->args[1]) : j->expr;
    arb_t a, b;
    arb_init(a), arb_init(b);
    cc_real_roots r = {0};
    bool given = bounds(j, a, b), ok = !g->err->code;
    ok = ok && (given ? cc_solve_real_roots(g, f, j->var, a, b, ROOT_BITS, &r) : cc_solve_all_real_roots(g, f, j->var, ROOT_BITS, &r));
    ok = ok && (r.complete || r.n);
    if (ok) {
        cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, r.n + 1);
        for (size_t i = 0; i < r.n; i++) {
            char *digits = arb_get_str(r.at + i, ROOT_DIGITS, ARB_STR_NO_RADIUS);
            text[i] = cc_arena_dup(g->arena, cc_str_of(digits));
            flint_free(digits);
        }
        cc_symbolic_say(j, "status", r.n ? CC_STR("real roots as decimals: no closed form was found") : CC_STR("no real root"));
        cc_symbolic_list(j, "solutions", text, r.n);
        if (!r.complete) {
            cc_symbolic_say(j, "complete", CC_STR("false"));
            if (r.unsure.n) cc_alg_note(g, "undecided: %.*s", (int)r.unsure.n, r.unsure.p);
        } else {
            cc_alg_note(g, given ? "no other real root lies between the bounds" : "no other real root with a size below 2**1000");
        }
        graded(j, "certified", "each is the only one in its interval, by the sign of the function and of its derivative");
    }
    cc_real_roots_clear(&r);
    arb_clear(a), arb_clear(b);
    return ok;
}

static bool is_condition(cc_xp x) {
    return (x->kind == CC_X_REL && x->konst != CC_REL_EQ) || x->kind == CC_X_AND || x->kind == CC_X_OR || x->kind == CC_X_NOT;
}

static void inequality(cc_symbolic_job *j) {
    cc_xp set = cc_solve_inequality(&j->g, j->expr, j->var);
    if (set == j->g.yes)
        cc_symbolic_say(j, "status", CC_STR("all real values"));
    else if (set == j->g.no)
        cc_symbolic_say(j, "status", CC_STR("none"));
    else if (set)
        cc_symbolic_show_result(j, "result", set);
    else if (!j->g.err->code)
        cc_symbolic_say(j, "status", CC_STR("unknown: the points where it changes were not all found"));
    if (set) graded(j, "exact", "every interval between the points where it can change was tried");
}

void cc_symbolic_solve(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xsolutions s;
    question(j);
    if (is_condition(j->expr)) {
        inequality(j);
        return;
    }
    if (cc_str_trim(j->q->lower).n || cc_str_trim(j->q->upper).n) {
        if (!numeric(j) && !g->err->code)
            cc_symbolic_say(j, "status", CC_STR("unknown: the zeros could not be isolated (give both bounds, and one variable)"));
        return;
    }
    if (cc_x_solve(g, j->expr, j->var, &s)) return;
    switch (s.kind) {
    case CC_SOLVED_FINITE:
    case CC_SOLVED_FAMILY: say_roots(j, &s); break;
    case CC_SOLVED_SET: cc_symbolic_show_result(j, "result", s.roots[0]); break;
    case CC_SOLVED_ALL:
        cc_symbolic_say(j, "status", CC_STR("all"));
        graded(j, "exact", "the equation is an identity");
        break;
    case CC_SOLVED_NONE:
        cc_symbolic_say(j, "status", CC_STR("none"));
        graded(j, "exact", "every candidate was excluded");
        break;
    case CC_SOLVED_UNKNOWN:
        if (!numeric(j) && !g->err->code) cc_symbolic_say(j, "status", CC_STR("unknown: no solution was found, and none was excluded"));
        break;
    }
}

// ---- systems ----

// Takes the next part of text up to the separator.
static bool next_part(cc_str *rest, const char *separators, cc_str *part) {
    while (rest->n) {
        size_t n = 0;
        while (n < rest->n && !strchr(separators, rest->p[n])) n++;
        *part = cc_str_trim((cc_str){rest->p, n});
        rest->p += n + (n < rest->n), rest->n -= n + (n < rest->n);
        if (part->n) return true;
    }
    return false;
}

#define MOST_EQUATIONS 64

void cc_symbolic_solve_linear(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xp equations[MOST_EQUATIONS], vars[MOST_EQUATIONS];
    size_t n = 0, k = 0;
    cc_str rest = j->q->system, part;
    while (next_part(&rest, ";\n", &part)) {
        if (n == MOST_EQUATIONS) {
            cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "system: has more than %d equations", MOST_EQUATIONS);
            return;
        }
        if (!(equations[n++] = cc_symbolic_argument(j, "system", part))) return;
    }
    for (rest = j->q->variables; next_part(&rest, ",; ", &part);) {
        if (k == MOST_EQUATIONS) {
            cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "variables: are more than %d", MOST_EQUATIONS);
            return;
        }
        if (!(vars[k] = cc_symbolic_argument(j, "variables", part))) return;
        if (vars[k++]->kind != CC_X_SYM) {
            cc_error_set(g->err, CC_VALIDATION, "variables: '%.*s' is not a name", (int)part.n, part.p);
            return;
        }
    }
    if (!n || !k) {
        cc_error_set(g->err, CC_VALIDATION, "%s: is required by op 'solve_linear'", n ? "variables" : "system");
        cc_error_remedy(g->err, n ? "give the names with commas: 'x, y'" : "give equations with ';' between them: 'x + y = 10; x - y = 2'");
        return;
    }
    cc_xsystem s;
    if (cc_solve_system(g, equations, n, vars, k, &s)) return;
    if (!s.found) {
        cc_symbolic_say(j, "status", CC_STR("unknown: not a linear or polynomial system that could be solved here"));
        return;
    }
    cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, s.n + 1), *open = CC_ARENA_ARRAY(g->arena, cc_str, k + 1);
    size_t n_open = 0;
    for (size_t i = 0; i < s.n; i++) {
        CC_CLEANUP_BUF cc_buf b = {0};
        cc_buf_addc(&b, '{');
        for (size_t v = 0; v < k; v++) {
            cc_xp value = s.values[i * k + v];
            if (!value) continue;
            cc_str name = vars[v]->name, shown = cc_x_show(g, value);
            cc_buf_printf(&b, "%s%.*s: %.*s", b.n > 1 ? ", " : "", (int)name.n, name.p, (int)shown.n, shown.p);
        }
        cc_buf_addc(&b, '}');
        text[i] = cc_arena_dup(g->arena, cc_buf_str(&b));
    }
    for (size_t v = 0; s.n && v < k; v++)
        if (!s.values[v]) open[n_open++] = vars[v]->name;
    cc_symbolic_list(j, "solutions", text, s.n);
    cc_symbolic_list(j, "unsolved", open, n_open);
    if (!s.n) cc_symbolic_say(j, "status", CC_STR("none"));
    if (!s.complete) cc_symbolic_say(j, "complete", CC_STR("false"));
    if (n_open) cc_alg_note(g, "the system does not determine what stays unsolved: any value of it gives a solution");
    graded(j, "exact", s.linear ? "elimination in exact arithmetic" : "a Gröbner basis; every solution was put into the equations");
}
