// Differential equations and Laplace transforms of the tool `symbolic`, as fields. Called by the table in symbolic.c.
#include "math/ode/ode.h"
#include "math/symbolic.h"
#include "math/transform/transform.h"

#define ROOT_DIGITS 15

// Decimals of the CRootOf inside, which nobody knows by heart.
static void tell_numbered_roots(cc_alg *g, cc_xp x) {
    if (cc_x_is_fun(x, CC_F_CROOTOF)) {
        cc_str name = cc_x_show(g, x), value = cc_x_decimal(g, x, ROOT_DIGITS);
        if (value.n) cc_alg_note(g, "%.*s is near %.*s", (int)name.n, name.p, (int)value.n, value.p);
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) tell_numbered_roots(g, x->args[i]);
}

static void say_solutions(cc_symbolic_job *j, const cc_ode *ode, const cc_ode_solutions *s) {
    cc_alg *g = &j->g;
    cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, s->n + 1);
    for (size_t i = 0; i < s->n; i++) {
        cc_xp x = s->implicit[i] ? cc_x_subs(g, s->values[i], ode->y[0], ode->at[0]) : s->values[i];
        tell_numbered_roots(g, x);
        cc_str shown = cc_x_show(g, x), left = cc_x_show(g, ode->at[0]);
        text[i] = s->implicit[i] ? cc_arena_printf(g->arena, "%.*s = 0", (int)shown.n, shown.p)
                                 : cc_arena_printf(g->arena, "%.*s = %.*s", (int)left.n, left.p, (int)shown.n, shown.p);
    }
    cc_symbolic_list(j, "solutions", text, s->n);
    cc_alg_note(g, "%s", s->method);
    j->out->about.grade = s->proven ? "exact" : "cross_checked";
    j->out->about.basis = s->proven ? "put into the equation and decided to satisfy it" : "put into the equation and checked at points";
}

// "y(0) = 1; y'(0) = 0", also with commas.
static int read_values(cc_symbolic_job *j, const cc_ode *ode, cc_ode_value *values, size_t *n) {
    cc_str s = j->q->system;
    int depth = 0;
    *n = 0;
    if (!s.n) return 0; // none were given: there is no text to point into
    for (size_t i = 0, from = 0; i <= s.n; i++) {
        bool end = i == s.n || ((s.p[i] == ';' || s.p[i] == ',' || s.p[i] == '\n') && depth == 0);
        if (!end) {
            depth += (s.p[i] == '(') - (s.p[i] == ')');
            continue;
        }
        cc_str part = cc_str_trim(cc_str_make(s.p + from, i - from));
        from = i + 1;
        if (!part.n) continue;
        if (*n == (size_t)ode->order)
            return cc_error_set(j->g.err, CC_VALIDATION, "system: an equation of order %ld takes %ld value%s at most", ode->order,
                                ode->order, ode->order == 1 ? "" : "s");
        if (cc_ode_read_value(&j->g, ode, part, &values[(*n)++])) return -1;
    }
    return 0;
}

// What was said of the general solution does not hold of the one with values.
static void drop_constants(cc_alg *g, const cc_ode *ode) {
    size_t n = 0;
    for (size_t i = 0; i < g->n_conditions; i++) {
        bool has = false;
        for (slong k = 0; k < ode->order; k++) has = has || cc_x_has(g->conditions[i], cc_ode_constant(g, k));
        if (!has) g->conditions[n++] = g->conditions[i];
    }
    g->n_conditions = n;
    g->n_notes = 0;
}

void cc_symbolic_ode(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_ode ode;
    cc_ode_solutions s;
    cc_ode_value values[CC_ODE_ORDER];
    size_t n;
    bool none;
    if (!cc_str_trim(j->q->expr).n) {
        cc_symbolic_argument(j, "expr", j->q->expr); // says that it is required
        return;
    }
    if (cc_ode_read(g, j->q->expr, j->q->var, &ode) || read_values(j, &ode, values, &n)) return;
    cc_symbolic_show(j, "equation", ode.shown);
    bool found = cc_ode_solve(g, &ode, &s);
    if (g->err->code) return;
    if (!found) {
        cc_symbolic_say(j, "status", CC_STR("unknown: no method found a solution that satisfies the equation"));
        cc_alg_note(g, ode.order == 1 ? "tried: linear, separable, Bernoulli, exact (integrating factors of one variable), homogeneous"
                                      : "tried: linear with constant coefficients, Cauchy-Euler");
        return;
    }
    bool fitted = n && cc_ode_fit(g, &ode, &s, values, n, &none);
    if (fitted) drop_constants(g, &ode);
    if (n && !fitted) {
        if (g->err->code) return;
        cc_symbolic_say(j, "status",
                        none ? CC_STR("none: no solution has these values")
                             : CC_STR("unknown: the constants could not be found from these values"));
        if (none || !s.n) return;
    }
    say_solutions(j, &ode, &s);
}

// The variable of the other side: the usual name, or the next free one.
static cc_xp other_variable(cc_symbolic_job *j, const char *const names[2]) {
    cc_xp v = cc_x_symbol(&j->g, cc_str_of(names[0]), 0);
    return v == j->var || cc_x_has(j->expr, v) ? cc_x_symbol(&j->g, cc_str_of(names[1]), 0) : v;
}

static bool transform_question(cc_symbolic_job *j, const char *variable, const char *const other[2], cc_xp *to) {
    cc_alg *g = &j->g;
    if (cc_str_trim(j->q->expr).n == 0) return cc_symbolic_argument(j, "expr", j->q->expr) != NULL;
    cc_str name = cc_str_trim(j->q->var).n ? cc_str_trim(j->q->var) : cc_str_of(variable);
    j->var = cc_symbolic_argument(j, "var", name);
    j->expr = j->var ? cc_symbolic_argument(j, "expr", j->q->expr) : NULL;
    if (!j->expr) return false;
    if (j->var->kind != CC_X_SYM || j->expr->kind >= CC_X_REL) {
        cc_error_set(g->err, CC_VALIDATION, "%s",
                     j->var->kind != CC_X_SYM ? "var: must be the name of a variable" : "expr: must be a function of var");
        return false;
    }
    cc_symbolic_show(j, "expression", j->expr);
    cc_symbolic_show(j, "variable", j->var);
    *to = other_variable(j, other);
    size_t n;
    cc_x_symbols(g, j->expr, &n);
    if (n > 1) cc_alg_note(g, "parameters are taken as real");
    return true;
}

void cc_symbolic_laplace(cc_symbolic_job *j) {
    cc_xp s;
    if (!transform_question(j, "t", (const char *const[]){"s", "p"}, &s)) return;
    cc_xp x = cc_x_laplace(&j->g, j->expr, j->var, s);
    if (x) {
        cc_symbolic_show_result(j, "result", x);
        j->out->about.grade = "exact", j->out->about.basis = "rules of the table";
    } else if (!j->g.err->code) {
        cc_symbolic_say(j, "status",
                        CC_STR("unknown: no sum of powers, exponentials, circular and hyperbolic functions, steps and impulses"));
    }
}

void cc_symbolic_inverse_laplace(cc_symbolic_job *j) {
    cc_xp t;
    bool proven;
    if (!transform_question(j, "s", (const char *const[]){"t", "x"}, &t)) return;
    cc_xp x = cc_x_inverse_laplace(&j->g, j->expr, j->var, t, &proven);
    if (x) {
        cc_symbolic_show_result(j, "result", x);
        cc_alg_note(&j->g, "for %.*s %s 0", (int)t->name.n, t->name.p, cc_x_has_fn(x, CC_F_DIRAC) ? ">=" : ">");
        tell_numbered_roots(&j->g, x);
        j->out->about.grade = proven ? "exact" : "cross_checked";
        j->out->about.basis = proven ? "its transform was decided to be the expression" : "its transform is the expression at points";
    } else if (!j->g.err->code) {
        cc_symbolic_say(j, "status",
                        CC_STR("unknown: no sum of proper rational functions, powers and exponential delays that could be split"));
    }
}
