// The operations of the tool `symbolic`, as a table: an operation is one row, which says what it needs and which function answers. Called
// by the tool; owns one cc_alg for the time of the call. It decides nothing of mathematics itself.
#include "math/symbolic.h"

#include "math/about.h"
#include "math/excluded.h"

#define MAX_ORDER      1000 // of a derivative
#define MAX_SIMPLIFIED 2000 // nodes of a derivative that is simplified, not only written down

typedef cc_symbolic_job job;

void cc_symbolic_say(job *j, const char *name, cc_str value) {
    if (j->out->n_fields < CC_SYMBOLIC_MAX_FIELDS && j->g.err->code == CC_OK)
        j->out->fields[j->out->n_fields++] = (cc_symbolic_field){.name = name, .value = value};
}

void cc_symbolic_raw(job *j, const char *name, cc_str value) {
    size_t n = j->out->n_fields;
    cc_symbolic_say(j, name, value);
    if (j->out->n_fields > n) j->out->fields[n].raw = true;
}

void cc_symbolic_show(job *j, const char *name, cc_xp x) {
    if (x) cc_symbolic_say(j, name, cc_x_show(&j->g, x));
}

void cc_symbolic_list(job *j, const char *name, const cc_str *items, size_t n) {
    if (n && j->out->n_fields < CC_SYMBOLIC_MAX_FIELDS && j->g.err->code == CC_OK)
        j->out->fields[j->out->n_fields++] = (cc_symbolic_field){.name = name, .items = items, .n_items = n};
}

void cc_symbolic_show_result(job *j, const char *name, cc_xp x) {
    cc_symbolic_show(j, name, x);
    if (x && j->q->options.latex_out) cc_symbolic_say(j, "latex", cc_x_latex(&j->g, x));
}

// ---- what operations need ----

cc_xp cc_symbolic_argument(job *j, const char *name, cc_str text) {
    if (cc_str_trim(text).n == 0) {
        cc_error_set(j->g.err, CC_VALIDATION, "%s: is required by op '%.*s'", name, (int)j->q->op.n, j->q->op.p);
        cc_error_remedy(j->g.err, "give %s", name);
        return NULL;
    }
    cc_xp x = cc_x_is_latex(text) ? cc_x_read_latex(&j->g, text) : cc_x_read(&j->g, text);
    if (!x) cc_error_wrap(j->g.err, "%s", name);
    return x;
}

// The variable that was named; else the only symbol, or x.
static cc_xp find_variable(job *j) {
    cc_alg *g = &j->g;
    if (cc_str_trim(j->q->var).n) {
        cc_xp v = cc_symbolic_argument(j, "var", j->q->var);
        if (v && v->kind != CC_X_SYM) {
            cc_error_set(g->err, CC_VALIDATION, "var: must be the name of a variable");
            cc_error_remedy(g->err, "give a name such as x");
            return NULL;
        }
        return v;
    }
    size_t n;
    const cc_xp *s = cc_x_symbols(g, j->expr, &n);
    if (n == 1) return s[0];
    for (size_t i = 0; i < n; i++)
        if (cc_str_eqz(s[i]->name, "x")) return s[i];
    if (n == 0) return cc_x_symbol(g, CC_STR("x"), 0);
    cc_error_set(g->err, CC_VALIDATION, "var: is needed, since expr has %zu symbols and none is x", n);
    cc_error_remedy(g->err, "give var, for instance %.*s", (int)s[0]->name.n, s[0]->name.p);
    return NULL;
}

// ---- operations ----

// The expression as it was written has no value at some points where y has one.
static void say_lost(job *j, cc_xp y) {
    cc_alg *g = &j->g;
    if (!y) return;
    cc_xpoles *was = CC_ARENA_NEW(g->arena, cc_xpoles), *is = CC_ARENA_NEW(g->arena, cc_xpoles);
    cc_x_poles(g, was, j->expr);
    cc_x_written_poles(g, was, j->q->expr);
    if (was->n) cc_x_poles(g, is, y);
    cc_x_lost(g, was, is);
}

static void simplify(job *j) {
    cc_alg *g = &j->g;
    cc_symbolic_show(j, "original", j->expr);
    cc_xp y = cc_x_simplify(g, j->expr);
    say_lost(j, y);
    cc_symbolic_show_result(j, "simplified", y);
    cc_symbolic_show(j, "factored", cc_x_factor(g, j->expr));
    cc_xp expanded = cc_x_expand(g, j->expr);
    if (g->err->code == CC_RESOURCE_EXHAUSTED) { // the other forms stand
        *g->err = (cc_error){0};
        cc_alg_note(g, "the expanded form is too large to be written down");
    }
    cc_symbolic_show(j, "expanded", expanded);
}

static void differentiate(job *j) {
    cc_alg *g = &j->g;
    int64_t n = j->q->has_n ? j->q->n : 1;
    if (n < 0 || n > MAX_ORDER) {
        cc_error_set(g->err, CC_VALIDATION, "n: the order of a derivative is from 0 to %d", MAX_ORDER);
        cc_error_remedy(g->err, "give such an n");
        return;
    }
    cc_symbolic_show(j, "expression", j->expr);
    cc_symbolic_show(j, "variable", j->var);
    cc_xp d = cc_x_diffn(g, j->expr, j->var, (ulong)n);
    cc_excluded_conditions(g, cc_excluded_of_text(g, j->q->expr, j->expr));
    cc_symbolic_show_result(j, "result", d && d->size < MAX_SIMPLIFIED ? cc_x_simplify(g, d) : d);
}

enum { NEEDS_EXPR = 1, NEEDS_VAR = 2 };

// A row answers by `run`, or by a function from expression to expression.
static const struct row {
    const char *op;
    unsigned needs;
    cc_xp (*read)(job *j); // expr, when that is more than one expression
    void (*run)(job *j);
    cc_xp (*form)(cc_alg *g, cc_xp x);
    cc_xp (*form_in)(cc_alg *g, cc_xp x, cc_xp v);
} rows[] = {
    {"simplify", NEEDS_EXPR, .run = simplify},
    {"factor", NEEDS_EXPR, .form = cc_x_factor},
    {"expand", NEEDS_EXPR, .form = cc_x_expand},
    {"cancel", NEEDS_EXPR, .form = cc_x_cancel},
    {"together", NEEDS_EXPR, .form = cc_x_together},
    {"apart", NEEDS_EXPR | NEEDS_VAR, .form_in = cc_x_apart},
    {"collect", NEEDS_EXPR | NEEDS_VAR, .form_in = cc_x_collect},
    {"diff", NEEDS_EXPR | NEEDS_VAR, .run = differentiate},
    {"integrate", NEEDS_EXPR | NEEDS_VAR, .run = cc_symbolic_integrate},
    {"limit", NEEDS_EXPR | NEEDS_VAR, .run = cc_symbolic_limit},
    {"series", NEEDS_EXPR | NEEDS_VAR, .run = cc_symbolic_series},
    {"sum", NEEDS_EXPR | NEEDS_VAR, .run = cc_symbolic_sum},
    {"product", NEEDS_EXPR | NEEDS_VAR, .run = cc_symbolic_product},
    {"solve", NEEDS_EXPR | NEEDS_VAR, .read = cc_symbolic_read_several, .run = cc_symbolic_solve},
    {"solve_linear", 0, .run = cc_symbolic_solve_linear},
    {"groebner", 0, .run = cc_symbolic_groebner},
    {"ode", 0, .run = cc_symbolic_ode},
    {"laplace", 0, .run = cc_symbolic_laplace},
    {"inverse_laplace", 0, .run = cc_symbolic_inverse_laplace},
};

static void answer(job *j, const struct row *r) {
    cc_alg *g = &j->g;
    if (r->needs & NEEDS_EXPR) j->expr = r->read ? r->read(j) : cc_symbolic_argument(j, "expr", j->q->expr);
    if (j->expr && (r->needs & NEEDS_VAR)) j->var = find_variable(j);
    if (g->err->code != CC_OK) return;
    cc_about_names(g, j->expr, j->var);
    if (r->run) {
        r->run(j);
        return;
    }
    cc_xp y = r->form ? r->form(g, j->expr) : r->form_in(g, j->expr, j->var);
    say_lost(j, y);
    cc_symbolic_show(j, "expression", j->expr);
    if (r->needs & NEEDS_VAR) cc_symbolic_show(j, "variable", j->var);
    cc_symbolic_show_result(j, "result", y);
}

static int unknown(cc_str op, cc_error *err) {
    CC_CLEANUP_BUF cc_buf names = {0};
    for (size_t i = 0; i < CC_ARRAY_LEN(rows); i++) cc_buf_printf(&names, "%s%s", i ? ", " : "", rows[i].op);
    cc_error_set(err, CC_VALIDATION, "op: '%.*s' is not known", (int)(op.n > 40 ? 40 : op.n), op.p);
    return cc_error_remedy(err, "give one of %.*s", (int)names.n, names.p);
}

int cc_symbolic_run(cc_arena *a, const cc_symbolic_request *request, cc_symbolic_result *out, cc_error *err) {
    *out = (cc_symbolic_result){0};
    const struct row *r = NULL;
    for (size_t i = 0; i < CC_ARRAY_LEN(rows); i++)
        if (cc_str_eqz(request->op, rows[i].op)) r = &rows[i];
    if (!r) return unknown(request->op, err);
    job j = {.q = request, .out = out};
    cc_alg_init(&j.g, a, err, request->options.stop);
    j.g.soft_deadline_ms = request->options.deadline_ms;
    if (!cc_str_trim(request->options.assume).n || cc_x_assume(&j.g, request->options.assume) == 0) answer(&j, r);
    if (err->code == CC_OK) cc_about_tell(&j.g, &out->about);
    cc_alg_clear(&j.g);
    return err->code == CC_OK ? 0 : -1;
}
