// Which method is tried when, the check of every solution, and the constants from initial values. Called by symbolic_ode.c.
#include "math/ode/ode.h"

#include "math/solve/solve.h"

#define CHECK_POINTS 8

static bool zero(cc_alg *g, cc_xp x, bool *proven) {
    *proven = true;
    if (!x || !x->finite) return false;
    cc_truth t = cc_x_is_zero(g, x);
    if (t == CC_UNDECIDED) t = cc_x_is_zero(g, cc_x_simplify(g, x));
    if (t == CC_UNDECIDED) t = cc_x_is_zero_probably(g, x, CHECK_POINTS, proven);
    return t == CC_TRUE;
}

bool cc_ode_satisfied(cc_alg *g, const cc_ode *ode, cc_xp value, bool implicit, bool *proven) {
    cc_xp with[CC_ODE_ORDER + 1];
    if (implicit) { // value(x, y) = 0: value_x + value_y y' = 0
        cc_xp slope = cc_x_neg(g, cc_x_div(g, cc_x_diff(g, value, ode->x), cc_x_diff(g, value, ode->y[0])));
        return ode->order == 1 && zero(g, cc_x_subs(g, ode->f, ode->y[1], slope), proven);
    }
    with[0] = value;
    for (slong i = 1; i <= ode->order; i++) with[i] = cc_x_diff(g, with[i - 1], ode->x);
    return zero(g, cc_x_subs_many(g, ode->f, ode->y, with, (size_t)ode->order + 1), proven);
}

bool cc_ode_solve(cc_alg *g, const cc_ode *ode, cc_ode_solutions *out) {
    *out = (cc_ode_solutions){0};
    size_t kept = g->n_conditions;
    if (!cc_ode_linear(g, ode, out)) {
        g->n_conditions = kept;
        if (g->err->code || !cc_ode_first_order(g, ode, out)) return false;
    }
    out->proven = true;
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) {
        bool proven;
        cc_xp y = out->values[i];
        if (!out->implicit[i] && !out->linear) y = cc_x_simplify(g, y);
        if (!y || !cc_ode_satisfied(g, ode, y, out->implicit[i], &proven)) continue;
        out->proven = out->proven && proven;
        out->values[n] = y, out->implicit[n++] = out->implicit[i];
    }
    out->n = n;
    return n > 0;
}

// What is to be 0 for a value: y^(order)(point) - value.
static cc_xp at_point(cc_alg *g, const cc_ode *ode, cc_xp y, const cc_ode_value *v) {
    return cc_x_sub(g, cc_x_subs(g, cc_x_diffn(g, y, ode->x, (ulong)v->order), ode->x, v->point), v->value);
}

bool cc_ode_fit(cc_alg *g, const cc_ode *ode, cc_ode_solutions *s, const cc_ode_value *values, size_t n, bool *none) {
    *none = false;
    cc_xp constants[CC_ODE_ORDER];
    for (slong i = 0; i < ode->order; i++) constants[i] = cc_ode_constant(g, i);
    if (s->linear) {
        cc_xp equations[CC_ODE_ORDER];
        cc_xsystem found;
        for (size_t i = 0; i < n; i++) {
            equations[i] = at_point(g, ode, s->values[0], &values[i]);
            if (!equations[i] || !equations[i]->finite) return false;
        }
        if (cc_solve_system(g, equations, n, constants, (size_t)ode->order, &found) || !found.found) return false;
        *none = found.n == 0 && found.complete;
        if (found.n != 1) return false;
        for (slong i = 0; i < ode->order; i++)
            if (found.values[i]) s->values[0] = cc_x_subs(g, s->values[0], constants[i], found.values[i]);
        s->values[0] = cc_x_simplify(g, s->values[0]);
        return s->values[0] != NULL;
    }
    if (n != 1 || values[0].order != 0) return false;
    cc_ode_solutions fitted = *s;
    bool proven;
    fitted.n = 0;
    if (!cc_x_has(values[0].value, ode->x) && cc_ode_satisfied(g, ode, values[0].value, false, &proven)) // a constant, lost by dividing
        fitted.values[0] = values[0].value, fitted.implicit[0] = false, fitted.n = 1;
    for (size_t i = 0; i < s->n; i++) {
        cc_xsolutions c;
        cc_xp equation = s->implicit[i] ? cc_x_subs_many(g, s->values[i], (const cc_xp[]){ode->x, ode->y[0]},
                                                         (const cc_xp[]){values[0].point, values[0].value}, 2)
                                        : at_point(g, ode, s->values[i], &values[0]);
        size_t notes = g->n_notes;
        if (!equation || !equation->finite || cc_x_solve(g, equation, constants[0], &c)) continue;
        g->n_notes = notes; // on the constant, which is not shown
        if (c.kind != CC_SOLVED_FINITE && c.kind != CC_SOLVED_FAMILY) continue;
        // each root gives a solution; of a family, one that satisfies the value is as good as another
        for (size_t j = 0; j < c.n && fitted.n < CC_ODE_SOLUTIONS; j++) {
            cc_xp root = c.roots[j], y;
            size_t k;
            const cc_xp *free = cc_x_symbols(g, root, &k);
            for (size_t h = 0; h < k; h++)
                if (free[h]->dummy) root = cc_x_subs(g, root, free[h], g->zero);
            y = cc_x_simplify(g, cc_x_subs(g, s->values[i], constants[0], root));
            bool known = false;
            if (!y || !cc_ode_satisfied(g, ode, y, s->implicit[i], &proven)) continue;
            if (!s->implicit[i] && !zero(g, at_point(g, ode, y, &values[0]), &proven)) continue;
            for (size_t h = 0; h < fitted.n; h++) known = known || fitted.values[h] == y;
            if (!known) fitted.values[fitted.n] = y, fitted.implicit[fitted.n++] = s->implicit[i];
        }
    }
    if (fitted.n) *s = fitted;
    return fitted.n > 0;
}
