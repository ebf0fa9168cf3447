// Systems of equations: linear ones by elimination over whatever the coefficients are, polynomial ones by a lexicographic Gröbner basis
// and back-substitution of exact roots. Every solution of a polynomial system is put back into the equations. Called by the operations.
#include "math/solve/solve.h"

#include "math/simplify/simplify.h"

#define MOST_VARS      64
#define MOST_SOLUTIONS 512
#define MOST_CASES     32 // conditions that descents leave to further ones
#define DEEPEST_CASE   4

// ---- linear ----

// coefficients of the variables and, last, the negated constant. False: not linear.
static bool linear_row(cc_alg *g, cc_xp f, const cc_xp *vars, size_t n, cc_xp *row) {
    cc_xp rest = cc_x_expand(g, f);
    for (size_t j = 0; j < n; j++) {
        const cc_xp *c;
        slong degree;
        if (!cc_x_poly_coefficients(g, rest, vars[j], 1, &c, &degree)) return false;
        row[j] = degree == 1 ? c[1] : g->zero;
        rest = c[0];
        for (size_t i = 0; i < n; i++)
            if (cc_x_has(row[j], vars[i])) return false;
    }
    row[n] = cc_x_neg(g, rest);
    return row[n] != NULL;
}

static cc_xp tidy(cc_alg *g, cc_xp x) {
    return cc_x_is_num(x) ? x : cc_x_is_constant(x) ? cc_x_constant_simplify(g, x) : cc_x_cancel(g, x);
}

// The row from `from` on with the best pivot in column j: a number before a constant before an expression. n: none; *unsure: undecided.
static size_t pivot(cc_alg *g, cc_xp *const *m, size_t from, size_t n, size_t j, bool *unsure) {
    size_t best = n;
    int rank = 3;
    for (size_t i = from; i < n && rank; i++) {
        cc_xp x = m[i][j];
        if (x == g->zero) continue;
        cc_truth zero = cc_x_is_num(x) ? CC_FALSE : cc_x_is_zero(g, x);
        if (zero == CC_UNDECIDED) *unsure = true;
        if (zero != CC_FALSE) continue;
        int r = cc_x_is_num(x) ? 0 : cc_x_is_constant(x) ? 1 : 2;
        if (r < rank) rank = r, best = i;
    }
    return best;
}

static void solve_linear(cc_alg *g, cc_xp **m, size_t n, const cc_xp *vars, size_t k, cc_xsystem *out) {
    size_t row = 0, at[MOST_VARS]; // at[j] = the row of the pivot of column j
    cc_xp pivots[MOST_VARS], product = g->one;
    for (size_t j = 0; j < k; j++) {
        bool unsure = false;
        at[j] = n;
        size_t p = pivot(g, m, row, n, j, &unsure);
        if (unsure || !cc_alg_go_on(g)) {
            out->found = false;
            return;
        }
        if (p == n) continue;
        cc_xp *t = m[row];
        m[row] = m[p], m[p] = t;
        pivots[row] = m[row][j], product = cc_x_mul(g, product, m[row][j]);
        cc_xp inverse = cc_x_div(g, g->one, m[row][j]);
        for (size_t c = j; c <= k; c++) m[row][c] = tidy(g, cc_x_mul(g, m[row][c], inverse));
        for (size_t i = 0; i < n; i++) {
            cc_xp factor = m[i][j];
            if (i == row || factor == g->zero) continue;
            for (size_t c = j; c <= k; c++) m[i][c] = tidy(g, cc_x_sub(g, m[i][c], cc_x_mul(g, factor, m[row][c])));
        }
        at[j] = row++;
    }
    // a unique solution is a quotient by the determinant, whatever the pivots were
    if (row == k) cc_x_require_nonzero(g, cc_x_together(g, product));
    for (size_t i = 0; row < k && i < row; i++) cc_x_require_nonzero(g, cc_x_together(g, pivots[i]));
    for (size_t i = row; i < n; i++) { // 0 = constant
        cc_truth zero = cc_x_is_zero(g, m[i][k]);
        if (zero == CC_TRUE) continue;
        if (zero == CC_UNDECIDED) out->found = false;
        if (!cc_x_is_constant(m[i][k])) {
            cc_str text = cc_x_show(g, m[i][k]);
            cc_alg_note(g, "there are solutions only where %.*s is 0", (int)text.n, text.p);
        }
        return; // none
    }
    out->n = 1;
    out->values = CC_ARENA_ARRAY(g->arena, cc_xp, k);
    for (size_t j = 0; j < k; j++) {
        if (at[j] == n) continue;
        cc_xp value = m[at[j]][k];
        for (size_t c = j + 1; c < k; c++)
            if (at[c] == n) value = cc_x_sub(g, value, cc_x_mul(g, m[at[j]][c], vars[c]));
        out->values[j] = cc_x_is_constant(value) ? value : cc_x_expand(g, value);
    }
}

// ---- polynomial ----

typedef struct descent {
    cc_alg *g;
    const cc_xp *vars, *equations;
    size_t k, n_equations;
    cc_xsystem *out;
    cc_xp cases[MOST_CASES]; // in variables that are free: where one is 0, there may be other solutions
    size_t n_cases;
    bool polynomials; // the equations are
} descent;

static bool has_variable(const descent *d, cc_xp x) {
    for (size_t j = 0; j < d->k; j++)
        if (cc_x_has(x, d->vars[j])) return true;
    return false;
}

// This descent finds the solutions where x is not 0. What is there already is, or will be, looked at under fewer conditions.
static void leave_case(descent *d, cc_xp x) {
    cc_xp den;
    cc_x_fraction(d->g, cc_x_together(d->g, x), &x, &den);
    for (size_t i = 0; i < d->n_cases; i++)
        if (d->cases[i] == x) return;
    if (d->n_cases == MOST_CASES)
        d->out->complete = false;
    else
        d->cases[d->n_cases++] = x;
}

// Every point of the solutions a is one of b.
static bool is_among(const descent *d, const cc_xp *a, const cc_xp *b) {
    cc_alg *g = d->g;
    for (size_t j = 0; j < d->k; j++) {
        if (!b[j]) continue;
        cc_xp there = b[j];
        for (size_t m = 0; m < d->k; m++)
            if (a[m]) there = cc_x_subs(g, there, d->vars[m], a[m]);
        if (cc_x_is_zero(g, cc_x_sub(g, a[j] ? a[j] : d->vars[j], there)) != CC_TRUE) return false;
    }
    return true;
}

static void keep(descent *d, const cc_xp *values) {
    cc_alg *g = d->g;
    for (size_t i = 0; i < d->n_equations; i++) { // in the equations as they were given
        cc_xp x = d->equations[i];
        for (size_t j = 0; j < d->k; j++)
            if (values[j]) x = cc_x_subs(g, x, d->vars[j], values[j]);
        bool proven;
        cc_truth holds = !x ? CC_UNDECIDED : !x->finite ? CC_FALSE : cc_x_is_zero_probably(g, x, 8, &proven);
        if (holds == CC_TRUE) continue;
        if (holds == CC_UNDECIDED) d->out->complete = false;
        if (holds == CC_FALSE && has_variable(d, x)) leave_case(d, x); // it may hold for some values of what is free
        return;
    }
    for (size_t i = 0; i < d->out->n; i++)
        if (is_among(d, values, d->out->values + i * d->k)) return;
    if (d->out->n == MOST_SOLUTIONS) {
        d->out->complete = false;
        return;
    }
    memcpy(d->out->values + d->out->n++ * d->k, values, d->k * sizeof *values);
}

// Values for the variables j - 1, j - 2, … 0, those from j on being in `values`.
static bool descend(descent *d, const cc_basis *b, size_t j, cc_xp *values) {
    cc_alg *g = d->g;
    if (!cc_alg_may_search(g)) return false;
    if (j == 0) {
        keep(d, values);
        return true;
    }
    cc_xp v = d->vars[j - 1], best = NULL;
    slong least = 0;
    uint32_t least_lead = 0;
    for (size_t i = 0; i < b->n; i++) { // polynomials in v and what is known
        bool other = false;
        for (size_t m = 0; m + 1 < j; m++) other = other || cc_x_has(b->of[i], d->vars[m]);
        if (other || !cc_x_has(b->of[i], v)) continue;
        cc_xp x = b->of[i];
        for (size_t m = j; m < d->k; m++)
            if (values[m]) x = cc_x_subs(g, x, d->vars[m], values[m]);
        x = cc_x_expand(g, x);
        const cc_xp *c;
        slong degree;
        if (!x || !cc_x_poly_coefficients(g, x, v, 400, &c, &degree)) return false;
        while (degree > 0 && cc_x_is_zero(g, c[degree]) == CC_TRUE) degree--;
        if (degree == 0) {
            cc_truth zero = cc_x_is_zero(g, c[0]);
            if (zero == CC_FALSE && cc_x_is_constant(c[0])) return true; // no solution on this way
            continue;
        }
        // one whose leading coefficient vanishes for no, or few, values of what is free; then the least degree
        uint32_t lead = cc_x_is_constant(c[degree]) ? 0 : c[degree]->size;
        if (!best || lead < least_lead || (lead == least_lead && degree < least))
            best = cc_x_from_coefficients(g, c, degree, v), least = degree, least_lead = lead;
    }
    if (!best) { // v is free
        values[j - 1] = NULL;
        return descend(d, b, j - 1, values);
    }
    const cc_xp *c;
    slong degree;
    cc_roots r;
    cc_roots_init(&r, g);
    if (!cc_x_poly_coefficients(g, best, v, 400, &c, &degree)) return false;
    if (has_variable(d, c[degree])) leave_case(d, c[degree]);
    if (!cc_solve_polynomial(g, c, degree, v, &r)) return false;
    for (size_t i = 0; i < r.n; i++) {
        values[j - 1] = cc_x_is_constant(r.at[i]) ? cc_x_constant_simplify(g, r.at[i]) : r.at[i];
        if (!descend(d, b, j - 1, values)) return false;
    }
    return true;
}

// By the value of the first variable, then of the second …
static int compare(cc_alg *g, const cc_xp *a, const cc_xp *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] == b[i] || !a[i] || !b[i] || !cc_x_is_constant(a[i]) || !cc_x_is_constant(b[i])) continue;
        int c = cc_roots_compare(g, a[i], b[i]);
        if (c) return c;
    }
    return 0;
}

static void sort(cc_alg *g, cc_xsystem *s) {
    cc_xp row[MOST_VARS];
    size_t k = s->n_vars, bytes = k * sizeof *row;
    for (size_t i = 1; i < s->n && cc_alg_may_search(g); i++) {
        size_t j = i;
        memcpy(row, s->values + i * k, bytes);
        for (; j > 0 && compare(g, row, s->values + (j - 1) * k, k) < 0; j--) memcpy(s->values + j * k, s->values + (j - 1) * k, bytes);
        memcpy(s->values + j * k, row, bytes);
    }
}

// Adds the solutions of f, n of them with room for DEEPEST_CASE more. False: the first descent was not possible.
static bool solve_polynomials(descent *d, cc_xp *f, size_t n, unsigned depth) {
    cc_alg *g = d->g;
    cc_basis *b = CC_ARENA_NEW(g->arena, cc_basis);
    cc_xp values[MOST_VARS] = {NULL};
    size_t first = d->n_cases;
    bool found = cc_solve_groebner(g, f, n, d->vars, d->k, true, b);
    if (!depth) d->polynomials = b->polynomials;
    if (!found) return false;
    if (b->n == 1 && cc_x_is_constant(b->of[0]) && b->of[0] != g->zero) return true; // the basis is 1: no solution
    if (!descend(d, b, d->k, values)) return false;
    size_t end = d->n_cases;
    for (size_t i = first; i < end; i++) {
        f[n] = d->cases[i];
        if (depth == DEEPEST_CASE || !solve_polynomials(d, f, n + 1, depth + 1)) d->out->complete = false;
        d->n_cases = end;
    }
    return true;
}

// ---- others ----

// One unknown: the roots of one equation, put into the others.
static bool in_one_variable(descent *d) {
    cc_alg *g = d->g;
    for (size_t i = 0; i < d->n_equations; i++) {
        cc_xsolutions s;
        if (!cc_x_has(d->equations[i], d->vars[0])) continue;
        if (cc_x_solve(g, d->equations[i], d->vars[0], &s)) return false;
        if (s.kind == CC_SOLVED_ALL) continue;
        if (s.kind != CC_SOLVED_FINITE && s.kind != CC_SOLVED_FAMILY && s.kind != CC_SOLVED_NONE) return false;
        d->out->complete = d->out->complete && s.complete;
        for (size_t r = 0; r < s.n; r++) keep(d, s.roots + r);
        return true;
    }
    return false;
}

// vars[j] is c[0]/-c[1] by equation i: it is put into the others.
static bool without(descent *d, size_t i, size_t j, const cc_xp *c) {
    cc_alg *g = d->g;
    cc_xp value = cc_x_neg(g, cc_x_div(g, c[0], c[1])), equations[MOST_VARS], vars[MOST_VARS], all[MOST_VARS];
    size_t n = 0, k = 0;
    for (size_t m = 0; m < d->n_equations; m++) {
        cc_xp x = m == i ? NULL : cc_x_subs(g, d->equations[m], d->vars[j], value);
        if (x && cc_x_is_zero(g, x) != CC_TRUE) equations[n++] = x;
    }
    for (size_t m = 0; m < d->k; m++)
        if (m != j) vars[k++] = d->vars[m];
    cc_xsystem inner;
    if (!n || cc_solve_system(g, equations, n, vars, k, &inner) || !inner.found) return false;
    for (size_t s = 0; s < inner.n; s++) {
        cc_xp own = value;
        for (size_t m = 0, t = 0; m < d->k; m++) {
            if (m == j) continue;
            all[m] = inner.values[s * k + t++];
            if (all[m]) own = cc_x_subs(g, own, d->vars[m], all[m]);
        }
        all[j] = cc_x_is_constant(own) ? cc_x_constant_simplify(g, own) : own;
        keep(d, all);
    }
    d->out->complete = d->out->complete && inner.complete;
    return true;
}

static bool by_substitution(descent *d) {
    cc_alg *g = d->g;
    if (d->n_equations > MOST_VARS) return false;
    if (d->k == 1) return in_one_variable(d);
    for (size_t i = 0; i < d->n_equations && d->n_equations > 1; i++)
        for (size_t j = 0; j < d->k && cc_alg_may_search(g); j++) {
            const cc_xp *c;
            slong degree;
            if (!cc_x_poly_coefficients(g, d->equations[i], d->vars[j], 1, &c, &degree) || degree != 1) continue;
            if (!cc_x_is_constant(c[1]) || cc_x_is_zero(g, c[1]) != CC_FALSE) continue;
            if (without(d, i, j, c)) return true;
            if (g->err->code) return false;
        }
    return false;
}

// A linear system with denominators: its solution must not make one of them 0.
static bool defined(cc_alg *g, const cc_xp *den, size_t n, const cc_xsystem *s, const cc_xp *vars) {
    for (size_t i = 0; i < n; i++) {
        cc_xp x = den[i];
        for (size_t j = 0; x && j < s->n_vars; j++)
            if (s->values[j]) x = cc_x_subs(g, x, vars[j], s->values[j]);
        if (!x || cc_x_is_zero(g, x) == CC_TRUE) return false;
        cc_x_require_nonzero(g, cc_x_together(g, x));
    }
    return true;
}

// Of the conditions from `first` on, those on variables were ways of the search: in their place, that no denominator is 0.
static void state_conditions(const descent *d, size_t first) {
    cc_alg *g = d->g;
    size_t kept = first;
    for (size_t i = first; i < g->n_conditions; i++)
        if (!has_variable(d, g->conditions[i])) g->conditions[kept++] = g->conditions[i];
    g->n_conditions = kept;
    for (size_t i = 0; i < d->out->n * d->k; i++) {
        cc_xp den = NULL, value = d->out->values[i];
        if (value) cc_x_fraction(g, cc_x_together(g, value), &value, &den);
        if (den && has_variable(d, den)) cc_alg_condition(g, cc_x_nonzero(g, den));
    }
}

static bool has_denominators(const cc_xp *den, size_t n, const cc_xp *vars, size_t k) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            if (cc_x_has(den[i], vars[j])) return true;
    return false;
}

// f[i]/den[i] = 0: the numerators together with z*(product of the denominators) = 1, so that the solutions in which a denominator is 0,
// which may be endlessly many, hide no others.
static int without_denominators(cc_alg *g, const cc_xp *f, const cc_xp *den, size_t n, const cc_xp *vars, size_t k, cc_xsystem *out) {
    cc_xp *equations = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1), *with_z = CC_ARENA_ARRAY(g->arena, cc_xp, k + 1), product = g->one;
    cc_xsystem all;
    with_z[0] = cc_x_dummy(g, "z", 0);
    memcpy(with_z + 1, vars, k * sizeof *vars);
    for (size_t i = 0; i < n; i++) {
        equations[i] = f[i];
        bool known = false; // each denominator once
        for (size_t m = 0; m < i; m++) known = known || den[m] == den[i];
        if (!known) product = cc_x_mul(g, product, den[i]);
    }
    equations[n] = cc_x_sub(g, cc_x_mul(g, with_z[0], product), g->one);
    if (k == MOST_VARS || cc_solve_system(g, equations, n + 1, with_z, k + 1, &all)) return -1;
    *out = all;
    out->n_vars = k;
    out->values = CC_ARENA_ARRAY(g->arena, cc_xp, all.n * k + 1);
    for (size_t i = 0; i < all.n; i++) memcpy(out->values + i * k, all.values + i * (k + 1) + 1, k * sizeof *vars);
    return 0;
}

int cc_solve_system(cc_alg *g, const cc_xp *equations, size_t n, const cc_xp *vars, size_t n_vars, cc_xsystem *out) {
    *out = (cc_xsystem){.n_vars = n_vars, .complete = true, .found = true, .linear = true};
    if (!n_vars || n_vars > MOST_VARS || n > 4 * MOST_VARS) {
        cc_x_too_large(g, "the system of equations");
        return -1;
    }
    cc_xp *f = CC_ARENA_ARRAY(g->arena, cc_xp, n + DEEPEST_CASE + 1), **m = CC_ARENA_ARRAY(g->arena, cc_xp *, n + 1),
          *given = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1), *den = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    for (size_t i = 0; i < n; i++) {
        cc_xp e = equations[i];
        if (e == g->no) return 0; // no solution
        given[i] = e == g->yes ? g->zero : e->kind == CC_X_REL ? cc_x_sub(g, e->args[0], e->args[1]) : e;
        if (e->kind == CC_X_REL && e->konst != CC_REL_EQ) {
            cc_error_set(g->err, CC_VALIDATION, "equation %zu is an inequality: only equations can be solved together", i + 1);
            return -1;
        }
        cc_x_fraction(g, cc_x_together(g, given[i]), &f[i], &den[i]);
        m[i] = CC_ARENA_ARRAY(g->arena, cc_xp, n_vars + 1);
        out->linear = out->linear && f[i] && linear_row(g, f[i], vars, n_vars, m[i]);
    }
    if (g->err->code) return -1;
    if (out->linear) {
        solve_linear(g, m, n, vars, n_vars, out);
        if (out->found && out->n && !defined(g, den, n, out, vars)) out->n = 0;
        return g->err->code ? -1 : 0;
    }
    if (has_denominators(den, n, vars, n_vars)) return without_denominators(g, f, den, n, vars, n_vars, out);
    descent d = {.g = g, .vars = vars, .equations = given, .k = n_vars, .n_equations = n, .out = out};
    out->values = CC_ARENA_ARRAY(g->arena, cc_xp, n_vars * MOST_SOLUTIONS);
    size_t n_conditions = g->n_conditions;
    bool solved = solve_polynomials(&d, f, n, 0);
    if (!solved) out->complete = false, out->found = out->n > 0;
    if (!solved && !d.polynomials && !g->err->code) {
        out->complete = true;
        out->found = out->substituted = by_substitution(&d);
        out->complete = out->complete && !d.n_cases;
    } else {
        state_conditions(&d, n_conditions);
    }
    sort(g, out);
    return g->err->code ? -1 : 0;
}
