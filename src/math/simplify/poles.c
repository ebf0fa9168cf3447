// Where an expression has no value, and which of these points it lost when it was simplified: (x**2 - 1)/(x - 1) is not defined at 1, x + 1
// is. Called by the faces of the algebra (symbolic.c, algebra.c, equiv.c) to state conditions; simplification itself never does, since it
// is used for parts as well. The text as it was written is looked at, too: reading x/x has forgotten x = 0.
#include "math/expr/read.h"
#include "math/simplify/simplify.h"

#define MOST_DEPTH 100
#define MOST_TEXT  2000 // bytes: parts of it are read again

bool cc_x_is_noted(cc_alg *g, const cc_xpoles *p, cc_xp x) {
    cc_xp minus = cc_x_neg(g, x);
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i] == x || p->items[i] == minus) return true;
    return false;
}

static void note(cc_alg *g, cc_xpoles *p, cc_xp x) {
    if (cc_x_is_fun(x, CC_F_LOG)) { // is 0 at 1
        cc_xp below;
        cc_x_fraction(g, cc_x_together(g, cc_x_sub(g, x->args[0], g->one)), &x, &below);
    }
    if (!x || cc_x_is_constant(x) || cc_x_is(g, x, CC_IS_NONZERO) == CC_TRUE || cc_x_is_noted(g, p, x)) return;
    if (p->n < CC_X_MOST_POLES) p->items[p->n++] = x;
}

void cc_x_note_factors(cc_alg *g, cc_xpoles *p, cc_xp x) {
    if (!x || cc_x_is_constant(x)) return;
    cc_xp num, den;
    cc_x_fraction(g, x, &num, &den);
    cc_xp y = cc_x_factor(g, num);
    if (!y) return;
    size_t n;
    const cc_xp *f = cc_x_factors(&y, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, f[i], &base, &e);
        if (cc_x_num_sign(e) >= 0 || !cc_x_is_num(e)) note(g, p, base);
    }
}

// ---- functions with poles ----

typedef enum at { AT_ZERO, AT_COS, AT_SIN, AT_COSH, AT_SINH, AT_GAMMA, AT_FACTORIAL, AT_ONE, AT_PLUS_MINUS_ONE } at;

// No value where the argument (the last but for zeta) is, or makes the cosine …, zero. gamma(u), which is never zero, stands for its poles.
static const struct {
    cc_xfn fn;
    at where;
} singular[] = {
    {CC_F_LOG, AT_ZERO},
    {CC_F_TAN, AT_COS},
    {CC_F_SEC, AT_COS},
    {CC_F_COT, AT_SIN},
    {CC_F_CSC, AT_SIN},
    {CC_F_TANH, AT_COSH},
    {CC_F_SECH, AT_COSH},
    {CC_F_COTH, AT_SINH},
    {CC_F_CSCH, AT_SINH},
    {CC_F_ASEC, AT_ZERO},
    {CC_F_ACSC, AT_ZERO},
    {CC_F_ASECH, AT_ZERO},
    {CC_F_ACSCH, AT_ZERO},
    {CC_F_EI, AT_ZERO},
    {CC_F_CI, AT_ZERO},
    {CC_F_CHI, AT_ZERO},
    {CC_F_LI, AT_ONE},
    {CC_F_ZETA, AT_ONE},
    {CC_F_GAMMA, AT_GAMMA},
    {CC_F_LOGGAMMA, AT_GAMMA},
    {CC_F_DIGAMMA, AT_GAMMA},
    {CC_F_POLYGAMMA, AT_GAMMA},
    {CC_F_FACTORIAL, AT_FACTORIAL},
    {CC_F_ATANH, AT_PLUS_MINUS_ONE},
    {CC_F_ACOTH, AT_PLUS_MINUS_ONE},
};

static void note_gamma(cc_alg *g, cc_xpoles *p, cc_xp u) {
    cc_xp x = cc_x_is(g, u, CC_IS_POSITIVE) == CC_TRUE ? NULL : cc_x_f1(g, CC_F_GAMMA, u);
    if (cc_x_is_fun(x, CC_F_GAMMA) && !cc_x_is_constant(x) && !cc_x_is_noted(g, p, x) && p->n < CC_X_MOST_POLES) p->items[p->n++] = x;
}

static void note_function(cc_alg *g, cc_xpoles *p, cc_xfn fn, cc_xp u) {
    for (size_t i = 0; i < CC_ARRAY_LEN(singular); i++) {
        if (singular[i].fn != fn) continue;
        switch (singular[i].where) {
        case AT_ZERO: cc_x_note_factors(g, p, u); break;
        case AT_COS: cc_x_note_factors(g, p, cc_x_f1(g, CC_F_COS, u)); break;
        case AT_SIN: cc_x_note_factors(g, p, cc_x_f1(g, CC_F_SIN, u)); break;
        case AT_COSH: cc_x_note_factors(g, p, cc_x_f1(g, CC_F_COSH, u)); break;
        case AT_SINH: cc_x_note_factors(g, p, cc_x_f1(g, CC_F_SINH, u)); break;
        case AT_FACTORIAL: u = cc_x_add(g, u, g->one); // fall through
        case AT_GAMMA: note_gamma(g, p, u); break;
        case AT_ONE: cc_x_note_factors(g, p, cc_x_sub(g, u, g->one)); break;
        case AT_PLUS_MINUS_ONE: cc_x_note_factors(g, p, cc_x_sub(g, cc_x_powi(g, u, 2), g->one)); break;
        }
    }
}

// ---- of an expression ----

static void collect(cc_alg *g, cc_xpoles *p, cc_xp x, unsigned depth) {
    if (!x || x->n == 0 || x->free == 0 || depth > MOST_DEPTH || !cc_alg_go_on(g) || cc_x_is_fun(x, CC_F_PIECEWISE)) return;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && cc_x_num_sign(x->args[1]) < 0) cc_x_note_factors(g, p, x->args[0]);
    if (x->kind == CC_X_FUN) note_function(g, p, (cc_xfn)x->fn, x->args[x->fn == CC_F_ZETA ? 0 : x->n - 1]);
    for (uint32_t i = 0; i < x->n; i++) collect(g, p, x->args[i], depth + 1);
}

void cc_x_poles(cc_alg *g, cc_xpoles *out, cc_xp x) { collect(g, out, x, 0); }

// ---- of a text ----

// Calls that only write their argument otherwise; what other operations do with it (a limit, a derivative) is their own.
static bool rewrites(cc_str name) {
    static const char *const names[] = {"simplify", "factor",  "expand",   "together", "cancel",
                                        "apart",    "collect", "trigsimp", "radsimp",  "N"};
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++)
        if (cc_str_eqz(name, names[i])) return true;
    return false;
}

static bool opaque(const cc_node *x) {
    static const char *const forms[] = {"Integral", "Sum", "Product", "Limit", "Derivative", "Subs", "Piecewise"};
    if (x->kind != CC_NODE_CALL) return false;
    for (size_t i = 0; i < CC_ARRAY_LEN(forms); i++)
        if (cc_str_eqz(x->text, forms[i])) return true;
    return cc_x_find_operation(x->text) && !rewrites(x->text);
}

static bool has_opaque(const cc_node *x) {
    bool any = opaque(x);
    for (size_t i = 0; i < x->n_args && !any; i++) any = has_opaque(x->args[i]);
    return any;
}

// Whether something there is divided by, or a function that has poles: else nothing has to be read again.
static cc_xp part(cc_alg *g, const cc_node *x) { return has_opaque(x) ? NULL : cc_read_node(g, x); }

static void visit(cc_alg *g, cc_xpoles *p, const cc_node *x) {
    if (g->err->code || opaque(x)) return;
    if (x->kind == CC_NODE_BINARY && x->op == CC_OP_DIV) cc_x_note_factors(g, p, part(g, x->args[1]));
    if (x->kind == CC_NODE_BINARY && x->op == CC_OP_POW) {
        cc_xp e = part(g, x->args[1]);
        if (e && cc_x_sign(g, e) == -1) cc_x_note_factors(g, p, part(g, x->args[0]));
    }
    if (x->kind == CC_NODE_CALL && x->n_args) {
        static const char *const logarithms[] = {"ln", "log2", "log10"};
        cc_xfn fn = CC_F_COUNT;
        for (size_t i = 0; i < CC_ARRAY_LEN(singular); i++)
            if (cc_str_eqz(x->text, cc_x_fn_name(singular[i].fn))) fn = singular[i].fn;
        for (size_t i = 0; i < CC_ARRAY_LEN(logarithms); i++)
            if (cc_str_eqz(x->text, logarithms[i])) fn = CC_F_LOG;
        bool first = fn == CC_F_ZETA || fn == CC_F_LOG;
        if (fn != CC_F_COUNT) note_function(g, p, fn, part(g, x->args[first ? 0 : x->n_args - 1]));
    }
    if (x->kind == CC_NODE_UNARY && x->op == CC_OP_FACTORIAL) note_function(g, p, CC_F_FACTORIAL, part(g, x->args[0]));
    for (size_t i = 0; i < x->n_args; i++) visit(g, p, x->args[i]);
}

void cc_x_written_poles(cc_alg *g, cc_xpoles *out, cc_str text) {
    cc_parsed parsed;
    if (g->err->code || text.n > MOST_TEXT) return;
    bool latex = cc_x_is_latex(text);
    if (latex) text = cc_read_latex_plain(g, text, true);
    if (text.p && !cc_expr_parse(g->arena, text, CC_DIALECT_SYMBOLIC, &parsed, g->err)) cc_x_node_poles(g, out, parsed.root);
    if (g->err->code != CC_TIMEOUT) *g->err = (cc_error){0};
}

void cc_x_node_poles(cc_alg *g, cc_xpoles *out, const cc_node *x) {
    if (g->err->code) return;
    visit(g, out, x);
    if (g->err->code != CC_TIMEOUT) *g->err = (cc_error){0};
}

// ---- what was lost ----

cc_xp cc_x_nonzero(cc_alg *g, cc_xp f) {
    size_t n;
    const cc_xp *s = cc_x_symbols(g, f, &n), *c;
    slong degree;
    if (cc_x_is_fun(f, CC_F_LOG)) return cc_x_nonzero(g, cc_x_sub(g, f->args[0], g->one));
    if (cc_x_takes_minus(f)) f = cc_x_neg(g, f);
    if (n == 1 && cc_x_poly_coefficients(g, f, s[0], 1, &c, &degree) && degree == 1)
        return cc_x_rel(g, CC_REL_NE, s[0], cc_x_neg(g, cc_x_div(g, c[0], c[1])));
    return cc_x_rel(g, CC_REL_NE, f, g->zero);
}

// The poles of x are known by y: those of gamma(u + 1) are poles of gamma(u), and zeros of sin(pi*u).
static bool implied(cc_alg *g, cc_xp x, cc_xp y) {
    if (!cc_x_is_fun(x, CC_F_GAMMA) || x == y) return false;
    cc_xp u = x->args[0], w;
    if (cc_x_is_fun(y, CC_F_GAMMA)) {
        cc_xp d = cc_x_sub(g, u, y->args[0]);
        return cc_x_is_int(d) && cc_x_num_sign(d) > 0;
    }
    w = cc_x_is_fun(y, CC_F_SIN) ? cc_x_div(g, y->args[0], g->pi) : NULL;
    return w && (cc_x_is_int(cc_x_sub(g, u, w)) || cc_x_is_int(cc_x_add(g, u, w)));
}

void cc_x_require_nonzero(cc_alg *g, cc_xp f) {
    cc_xpoles *p = CC_ARENA_NEW(g->arena, cc_xpoles);
    cc_x_note_factors(g, p, f);
    for (size_t i = 0; i < p->n; i++) cc_alg_condition(g, cc_x_nonzero(g, p->items[i]));
}

void cc_x_lost(cc_alg *g, const cc_xpoles *was, const cc_xpoles *is) {
    for (size_t i = 0; i < was->n; i++) {
        bool kept = cc_x_is_noted(g, is, was->items[i]);
        for (size_t k = 0; k < is->n && !kept; k++) kept = implied(g, was->items[i], is->items[k]);
        for (size_t k = 0; k < was->n && !kept; k++) kept = implied(g, was->items[i], was->items[k]);
        if (kept) continue;
        cc_xp x = was->items[i];
        cc_alg_condition(g, cc_x_is_fun(x, CC_F_GAMMA) ? cc_x_rel(g, CC_REL_NE, x, g->zoo) : cc_x_nonzero(g, x));
    }
}

void cc_x_lost_poles(cc_alg *g, cc_xp before, cc_xp after) {
    cc_xpoles *was = CC_ARENA_NEW(g->arena, cc_xpoles), *is = CC_ARENA_NEW(g->arena, cc_xpoles);
    cc_x_poles(g, was, before);
    if (was->n == 0) return;
    cc_x_poles(g, is, after);
    cc_x_lost(g, was, is);
}
