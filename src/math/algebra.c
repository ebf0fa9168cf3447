// The face of symbolic mathematics: text → the value of an expression. Called by the tool evaluate_expression. The kernel does the work;
// here its result is shown: forms, decimal, what it rests on and what a reader must know. Owns the call's cc_alg and clears it.
#include "codecalc/algebra.h"
#include "math/about.h"
#include "math/simplify/simplify.h"

enum {
    SHORT_FORM = 4000, // bytes of another form that is still worth showing
    LARGE = 5000,      // nodes of an expression that nobody reads: no other forms are sought
    SOFT_MARGIN_MS = 150,
};

// Names of kinds of expressions, as symbolic systems have them.
static cc_str type_of(cc_alg *g, cc_xp x) {
    static const char *const constants[] = {
        "Pi", "Exp1", "ImaginaryUnit", "EulerGamma", "Catalan", "GoldenRatio", "Infinity", "ComplexInfinity", "NaN", "bool", "bool"};
    if (x == g->neg_oo) return CC_STR("NegativeInfinity");
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: return cc_x_is_int(x) ? CC_STR("Integer") : CC_STR("Rational");
    case CC_X_CONST: return cc_str_of(constants[x->konst]);
    case CC_X_SYM: return CC_STR("Symbol");
    case CC_X_ADD: return CC_STR("Add");
    case CC_X_MUL: return CC_STR("Mul");
    case CC_X_POW: return CC_STR("Pow");
    case CC_X_FUN: return x->fn == CC_F_APPLIED ? x->name : cc_str_of(cc_x_fn_name((cc_xfn)x->fn));
    case CC_X_REL: {
        if (x->konst == CC_REL_EQ) return CC_STR("Equality");
        if (x->konst == CC_REL_NE) return CC_STR("Unequality");
        bool greater = x->args[0]->free == 0 && x->args[1]->free; // as it is printed
        if (x->konst == CC_REL_LT) return greater ? CC_STR("StrictGreaterThan") : CC_STR("StrictLessThan");
        return greater ? CC_STR("GreaterThan") : CC_STR("LessThan");
    }
    case CC_X_AND: return CC_STR("And");
    case CC_X_OR: return CC_STR("Or");
    case CC_X_NOT: return CC_STR("Not");
    case CC_X_LIST: return CC_STR("list");
    case CC_X_TUPLE: return CC_STR("tuple");
    }
    return CC_STR("");
}

static bool is_value(cc_alg *g, cc_xp x) { return x->kind < CC_X_REL && x != g->yes && x != g->no; }

static bool unfinished(cc_xp x) {
    return cc_x_has_fn(x, CC_F_INTEGRAL) || cc_x_has_fn(x, CC_F_LIMIT) || cc_x_has_fn(x, CC_F_SUM) || cc_x_has_fn(x, CC_F_PRODUCT);
}

// An integral over constants without closed form: its value as an enclosure by quadrature.
static cc_str enclosed_integral(cc_alg *g, cc_xp x, long digits) {
    if (!cc_x_is_fun(x, CC_F_INTEGRAL) || x->n != 4 || x->free) return (cc_str){0};
    arb_t re, im;
    arb_init(re);
    arb_init(im);
    cc_str s = {0};
    slong bits = (slong)((double)(digits > 30 ? 30 : digits) * 3.33) + 8;
    if (cc_x_quadrature(g, re, im, x->args[0], x->args[1], x->args[2], x->args[3], bits) && arb_contains_zero(im)) {
        char *text = arb_get_str(re, digits > 30 ? 30 : digits, 0);
        s = cc_arena_dup(g->arena, cc_str_of(text));
        flint_free(text);
    }
    arb_clear(re);
    arb_clear(im);
    return s;
}

static cc_str value_of(cc_alg *g, cc_xp x, long digits) {
    if (x == g->yes) return CC_STR("True");
    if (x == g->no) return CC_STR("False");
    if (!is_value(g, x)) return (cc_str){0};
    if (x == g->oo || x == g->neg_oo || x == g->zoo || x == g->nan) return cc_x_show(g, x);
    if (x->free) return (cc_str){0};
    cc_str s = unfinished(x) ? enclosed_integral(g, x, digits) : (cc_str){0};
    return s.n || !x->finite ? s : cc_x_decimal(g, x, digits);
}

// A derivative that stays since its function has none in the complex plane.
static bool complex_derivative(cc_xp x) {
    static const cc_xfn fns[] = {CC_F_ABS, CC_F_SIGN, CC_F_RE, CC_F_IM, CC_F_ARG, CC_F_CONJUGATE};
    bool any = false;
    for (size_t i = 0; i < CC_ARRAY_LEN(fns) && cc_x_is_fun(x, CC_F_DERIVATIVE); i++) any = any || cc_x_is_fun(x->args[0], fns[i]);
    for (uint32_t i = 0; i < x->n && !any; i++) any = complex_derivative(x->args[i]);
    return any;
}

static void explain(cc_alg *g, cc_xp x) {
    if (x == g->nan && !g->n_notes) cc_alg_note(g, "undefined: a form such as 0/0, oo - oo or 0*oo");
    if (x == g->zoo) cc_alg_note(g, "zoo is complex infinity: a division by zero or a pole");
    if (is_value(g, x) && complex_derivative(x))
        cc_alg_note(g, "Abs, sign and the like have a derivative for real arguments only: give assume, as 'x real'");
    if (is_value(g, x) && unfinished(x)) cc_alg_note(g, "no closed form was found for what stays unevaluated");
}

// Another form of x as text, when it is one and short enough.
static cc_str other_form(cc_alg *g, cc_xp form, cc_xp x, cc_xp y) {
    if (!form || form == x || form == y) return (cc_str){0};
    cc_str s = cc_x_show(g, form);
    return s.n > SHORT_FORM ? (cc_str){0} : s;
}

// A form that cannot be had in time or size is left out: it is no part of the answer's truth.
static cc_xp try_form(cc_alg *g, cc_xp x, cc_xp (*f)(cc_alg *, cc_xp)) {
    if (!cc_alg_may_search(g)) return NULL;
    cc_xp y = f(g, x);
    if (!y && g->err->code == CC_RESOURCE_EXHAUSTED) *g->err = (cc_error){0};
    return y;
}

// x has values where the text has none.
static void say_lost(cc_alg *g, cc_str text, cc_xp x) {
    cc_xpoles *was = CC_ARENA_NEW(g->arena, cc_xpoles), *is = CC_ARENA_NEW(g->arena, cc_xpoles);
    cc_x_written_poles(g, was, text);
    if (was->n) cc_x_poles(g, is, x);
    cc_x_lost(g, was, is);
}

static int evaluate(cc_alg *g, cc_str text, const cc_algebra_options *opt, cc_evaluate_result *out) {
    if (opt->assume.n && cc_x_assume(g, opt->assume)) return -1;
    cc_xp x = cc_x_is_latex(text) ? cc_x_read_latex(g, text) : cc_x_read(g, text);
    if (!x) return -1;
    out->expression = cc_x_show(g, x);
    out->type = type_of(g, x);
    out->value = value_of(g, x, g->digits_asked ? g->digits_asked : opt->digits);
    if (g->err->code) return -1;
    if (is_value(g, x) && x->finite && x->size <= LARGE && x->kind != CC_X_NUM && !unfinished(x) && !cc_x_has_fn(x, CC_F_ORDER)) {
        cc_xp s = try_form(g, x, cc_x_simplify), e = try_form(g, x, cc_x_expand);
        out->simplified = other_form(g, s, x, x);
        out->expanded = other_form(g, e, x, s);
        if (out->simplified.n) cc_x_lost_poles(g, x, s);
        if (out->expanded.n) cc_x_lost_poles(g, x, e);
    }
    if (opt->latex_out) out->latex = cc_x_latex(g, x);
    cc_about_names(g, x, NULL);
    say_lost(g, text, x);
    explain(g, x);
    cc_about_tell(g, &out->about);
    if (g->err->code) return -1;
    if (unfinished(x) && out->value.n) {
        out->about.grade = "certified";
        out->about.basis = "quadrature with a proven radius";
    }
    if (unfinished(x) || !is_value(g, x) || x == g->nan) return 0;
    out->about.grade = g->cross_checked ? "cross_checked" : "exact";
    out->about.basis = g->cross_checked                                   ? "checked at independent points"
                       : out->value.n && x->kind != CC_X_NUM && x->finite ? "exact arithmetic; every digit of value is proven"
                                                                          : "exact arithmetic";
    return 0;
}

int cc_algebra_evaluate(cc_arena *arena, cc_str text, const cc_algebra_options *opt, cc_evaluate_result *out, cc_error *err) {
    *out = (cc_evaluate_result){0};
    cc_alg g;
    cc_alg_init(&g, arena, err, opt->stop);
    if (opt->deadline_ms) g.soft_deadline_ms = opt->deadline_ms - SOFT_MARGIN_MS;
    int rc = evaluate(&g, text, opt, out);
    cc_alg_clear(&g);
    return rc;
}
