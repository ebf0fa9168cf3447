// Names in expressions: functions with their aliases, unevaluated forms in the notation that the printer writes, constants. Called by
// read.c. An unknown name with arguments is an error that names the nearest known one.
#include "math/expr/read.h"

typedef cc_xp (*maker)(cc_alg *g, const cc_node *at, const cc_xp *args, size_t n);

// ---- makers: functions that are read into others ----

static cc_xp make_sqrt(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return cc_x_sqrt(g, a[0]);
}
static cc_xp make_cbrt(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return cc_read_power(g, a[0], cc_x_frac(g, 1, 3));
}
static cc_xp make_root(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)n;
    if (a[1] == g->zero) return cc_read_error(g, at, "root(x, n) needs n other than 0");
    return cc_read_power(g, a[0], cc_x_div(g, g->one, a[1]));
}
static cc_xp make_log(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    return n == 1 ? cc_x_log(g, a[0]) : cc_x_div(g, cc_x_log(g, a[0]), cc_x_log(g, a[1]));
}
static cc_xp make_log2(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return cc_x_div(g, cc_x_log(g, a[0]), cc_x_log(g, g->two));
}
static cc_xp make_log10(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return cc_x_div(g, cc_x_log(g, a[0]), cc_x_log(g, cc_x_int(g, 10)));
}
static cc_xp make_pow(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return cc_read_power(g, a[0], a[1]);
}
static cc_xp make_dilog(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) { // Li2(1 - x)
    (void)at;
    (void)n;
    return cc_x_f2(g, CC_F_POLYLOG, g->two, cc_x_sub(g, g->one, a[0]));
}
// round(x) to the nearest integer, of two the even one: floor((2x + 1)/4) + ceiling((2x - 1)/4). With n: to n decimal places.
static cc_xp make_round(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    slong places = 0;
    if (n == 2 && (!cc_x_fits_si(a[1], &places) || places < -1000 || places > 1000))
        return cc_read_error(g, at, "round(x, n) needs an integer n from -1000 to 1000");
    cc_xp scale = cc_x_powi(g, cc_x_int(g, 10), places), twice = cc_x_mul(g, g->two, cc_x_mul(g, scale, a[0])),
          quarter = cc_x_frac(g, 1, 4);
    cc_xp down = cc_x_f1(g, CC_F_FLOOR, cc_x_mul(g, quarter, cc_x_add(g, twice, g->one)));
    cc_xp up = cc_x_f1(g, CC_F_CEIL, cc_x_mul(g, quarter, cc_x_sub(g, twice, g->one)));
    return cc_x_div(g, cc_x_add(g, down, up), scale);
}

// Spherical Bessel functions (NIST DLMF 10.47.3, 10.47.4; elementary for whole n: 10.51.1).
static cc_xp spherical_bessel(cc_alg *g, cc_xp n, cc_xp x, bool second) {
    enum { MOST_ELEMENTARY = 20 };
    slong k;
    if (!cc_x_fits_si(n, &k) || k < 0 || k > MOST_ELEMENTARY || x == g->zero) {
        if (x == g->zero && !second && cc_x_is_int(n) && cc_x_num_sign(n) >= 0) return n == g->zero ? g->one : g->zero;
        cc_xp bessel = cc_x_f2(g, second ? CC_F_BESSELY : CC_F_BESSELJ, cc_x_add(g, n, g->half), x);
        return cc_x_mul(g, cc_x_sqrt(g, cc_x_div(g, g->pi, cc_x_mul(g, g->two, x))), bessel);
    }
    cc_xp sin_x = cc_x_f1(g, CC_F_SIN, x), cos_x = cc_x_f1(g, CC_F_COS, x), inverse = cc_x_div(g, g->one, x);
    cc_xp before = cc_x_mul(g, inverse, second ? sin_x : cos_x); // of order -1
    cc_xp now = second ? cc_x_neg(g, cc_x_mul(g, inverse, cos_x)) : cc_x_mul(g, inverse, sin_x);
    for (slong i = 0; i < k; i++) {
        cc_xp next = cc_x_sub(g, cc_x_mul(g, cc_x_mul(g, cc_x_int(g, 2 * i + 1), inverse), now), before);
        before = now, now = cc_x_expand(g, next);
    }
    return now;
}
static cc_xp make_spherical_j(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return spherical_bessel(g, a[0], a[1], false);
}
static cc_xp make_spherical_y(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return spherical_bessel(g, a[0], a[1], true);
}
static cc_xp make_heaviside(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    if (n == 2 && a[0] == g->zero) return a[1];
    return cc_x_f1(g, CC_F_HEAVISIDE, a[0]);
}

static bool is_condition(cc_alg *g, cc_xp x) { return (x->kind >= CC_X_REL && x->kind <= CC_X_NOT) || x == g->yes || x == g->no; }

static cc_xp relation(cc_alg *g, cc_xrel rel, cc_xp a, cc_xp b) { return cc_x_rel(g, rel, a, b); }
static cc_xp make_eq(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    return relation(g, CC_REL_EQ, a[0], n == 2 ? a[1] : g->zero);
}
static cc_xp make_ne(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return relation(g, CC_REL_NE, a[0], a[1]);
}
static cc_xp make_lt(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return relation(g, CC_REL_LT, a[0], a[1]);
}
static cc_xp make_le(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return relation(g, CC_REL_LE, a[0], a[1]);
}
static cc_xp make_gt(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return relation(g, CC_REL_LT, a[1], a[0]);
}
static cc_xp make_ge(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)at;
    (void)n;
    return relation(g, CC_REL_LE, a[1], a[0]);
}

static cc_xp junction(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n, cc_xp (*join)(cc_alg *, cc_xp, cc_xp), cc_xp unit) {
    cc_xp r = unit;
    for (size_t i = 0; i < n; i++) {
        if (!is_condition(g, a[i])) return cc_read_error(g, at, "argument %zu is no condition", i + 1);
        r = join(g, r, a[i]);
    }
    return r;
}
static cc_xp make_and(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) { return junction(g, at, a, n, cc_x_and, g->yes); }
static cc_xp make_or(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) { return junction(g, at, a, n, cc_x_or, g->no); }
static cc_xp make_not(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)n;
    return is_condition(g, a[0]) ? cc_x_not(g, a[0]) : cc_read_error(g, at, "Not() takes a condition");
}

// Piecewise((v, c), (v, c), …), or flat, with an optional last value without condition.
static cc_xp make_piecewise(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    cc_xp *flat = CC_ARENA_ARRAY(g->arena, cc_xp, 2 * n + 1);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        bool pair = a[i]->kind == CC_X_TUPLE || a[i]->kind == CC_X_LIST;
        if (pair && a[i]->n != 2) return cc_read_error(g, at, "Piecewise() takes pairs (value, condition)");
        for (uint32_t k = 0; k < (pair ? 2u : 1u); k++) flat[m++] = pair ? a[i]->args[k] : a[i];
    }
    if (m % 2) flat[m++] = g->yes;
    for (size_t i = 1; i < m; i += 2)
        if (!is_condition(g, flat[i])) return cc_read_error(g, at, "Piecewise(): condition %zu is no condition", i / 2 + 1);
    return cc_x_fun(g, CC_F_PIECEWISE, flat, m);
}

// ---- makers of unevaluated forms, in the notation of the printer ----

static bool is_symbol(cc_xp x) { return x->kind == CC_X_SYM; }

static cc_xp with_range(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n, cc_xfn fn) {
    bool range = n == 2 && a[1]->kind == CC_X_TUPLE && (a[1]->n == 3 || (a[1]->n == 1 && fn == CC_F_INTEGRAL)) && is_symbol(a[1]->args[0]);
    if (range) {
        cc_xp all[4] = {a[0], a[1]->args[0], a[1]->n == 3 ? a[1]->args[1] : NULL, a[1]->n == 3 ? a[1]->args[2] : NULL};
        return cc_x_unevaluated(g, fn, all, a[1]->n + 1);
    }
    if (fn == CC_F_INTEGRAL && n == 2 && is_symbol(a[1])) return cc_x_unevaluated(g, fn, a, 2);
    return cc_read_error(g, at, "%s(f, (x, a, b)) is expected", cc_x_fn_name(fn));
}
static cc_xp make_integral(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) { return with_range(g, at, a, n, CC_F_INTEGRAL); }
static cc_xp make_sum(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) { return with_range(g, at, a, n, CC_F_SUM); }
static cc_xp make_product(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) { return with_range(g, at, a, n, CC_F_PRODUCT); }

static cc_xp make_derivative(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    cc_xp v = a[1]->kind == CC_X_TUPLE && a[1]->n == 2 ? a[1]->args[0] : a[1];
    cc_xp times = v != a[1] ? a[1]->args[1] : n == 3 ? a[2] : g->one;
    if (!is_symbol(v) || !cc_x_is_int(times) || cc_x_num_sign(times) <= 0)
        return cc_read_error(g, at, "Derivative(f, x) or Derivative(f, (x, n)) is expected");
    return cc_x_unevaluated(g, CC_F_DERIVATIVE, (const cc_xp[]){a[0], v, times}, 3);
}

static cc_xp make_limit(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    if (!is_symbol(a[1]) || (n == 4 && !cc_x_is_int(a[3])))
        return cc_read_error(g, at, "Limit(f, x, a) or Limit(f, x, a, '+') is expected");
    return cc_x_unevaluated(g, CC_F_LIMIT, (const cc_xp[]){a[0], a[1], a[2], n == 4 ? a[3] : g->zero}, 4);
}

static cc_xp make_order(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    cc_xp v = NULL, point = g->zero;
    if (n == 2 && a[1]->kind == CC_X_TUPLE && a[1]->n == 2) {
        v = a[1]->args[0];
        point = a[1]->args[1];
    } else if (n == 1) {
        size_t k;
        const cc_xp *symbols = cc_x_symbols(g, a[0], &k);
        if (k == 1) v = symbols[0];
    }
    if (!v || !is_symbol(v)) return cc_read_error(g, at, "O(x**n) or O((x - a)**n, (x, a)) is expected");
    return cc_x_unevaluated(g, CC_F_ORDER, (const cc_xp[]){a[0], v, point}, 3);
}

static cc_xp make_subs(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    (void)n;
    if (!is_symbol(a[1])) return cc_read_error(g, at, "Subs(f, x, a) is expected");
    return cc_x_unevaluated(g, CC_F_SUBS, a, 3);
}

static cc_xp make_crootof(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    size_t k;
    const cc_xp *symbols = cc_x_symbols(g, a[0], &k);
    cc_xp v = n == 3 ? a[1] : k == 1 ? symbols[0] : NULL;
    if (!v || !is_symbol(v) || !cc_x_is_int(a[n - 1])) return cc_read_error(g, at, "CRootOf(polynomial in x, index) is expected");
    return cc_x_unevaluated(g, CC_F_CROOTOF, (const cc_xp[]){a[0], v, a[n - 1]}, 3);
}

static cc_xp make_interval(cc_alg *g, const cc_node *at, const cc_xp *a, size_t n) {
    if (n == 3) return cc_read_error(g, at, "Interval(a, b) or Interval(a, b, left open, right open) is expected");
    return cc_x_unevaluated(g, CC_F_INTERVAL, (const cc_xp[]){a[0], a[1], n == 4 ? a[2] : g->no, n == 4 ? a[3] : g->no}, 4);
}

// ---- the tables ----

static const struct {
    const char *name;
    maker make;
    uint8_t least, most;
    bool values_only; // of its arguments: no conditions, lists or tuples
} makers[] = {
    {"sqrt", make_sqrt, 1, 1, true},
    {"cbrt", make_cbrt, 1, 1, true},
    {"root", make_root, 2, 2, true},
    {"log", make_log, 1, 2, true},
    {"ln", make_log, 1, 2, true},
    {"log2", make_log2, 1, 1, true},
    {"log10", make_log10, 1, 1, true},
    {"pow", make_pow, 2, 2, true},
    {"Pow", make_pow, 2, 2, true},
    {"Heaviside", make_heaviside, 1, 2, true},
    {"dilog", make_dilog, 1, 1, true},
    {"round", make_round, 1, 2, true},
    {"jn", make_spherical_j, 2, 2, true},
    {"yn", make_spherical_y, 2, 2, true},
    {"spherical_jn", make_spherical_j, 2, 2, true},
    {"spherical_yn", make_spherical_y, 2, 2, true},
    {"spherical_bessel_j", make_spherical_j, 2, 2, true},
    {"spherical_bessel_y", make_spherical_y, 2, 2, true},
    {"Eq", make_eq, 1, 2, false},
    {"Equality", make_eq, 2, 2, false},
    {"Ne", make_ne, 2, 2, false},
    {"Lt", make_lt, 2, 2, true},
    {"Le", make_le, 2, 2, true},
    {"Gt", make_gt, 2, 2, true},
    {"Ge", make_ge, 2, 2, true},
    {"And", make_and, 1, 255, false},
    {"Or", make_or, 1, 255, false},
    {"Not", make_not, 1, 1, false},
    {"Piecewise", make_piecewise, 1, 255, false},
    {"Integral", make_integral, 2, 2, false},
    {"Sum", make_sum, 2, 2, false},
    {"Product", make_product, 2, 2, false},
    {"Derivative", make_derivative, 2, 3, false},
    {"Limit", make_limit, 3, 4, true},
    {"O", make_order, 1, 2, false},
    {"Order", make_order, 1, 2, false},
    {"Subs", make_subs, 3, 3, true},
    {"CRootOf", make_crootof, 2, 3, true},
    {"rootof", make_crootof, 2, 3, true},
    {"Interval", make_interval, 2, 4, false},
};

#define NAME(id, name, least, most)  name,
#define LEAST(id, name, least, most) least,
#define MOST(id, name, least, most)  most,
static const char *const function_names[] = {CC_X_FUNCTIONS(NAME)};
static const uint8_t function_least[] = {CC_X_FUNCTIONS(LEAST)}, function_most[] = {CC_X_FUNCTIONS(MOST)};

static const struct {
    const char *name;
    cc_xfn fn;
} aliases[] = {
    {"abs", CC_F_ABS},
    {"sgn", CC_F_SIGN},
    {"ceil", CC_F_CEIL},
    {"arcsin", CC_F_ASIN},
    {"arccos", CC_F_ACOS},
    {"arctan", CC_F_ATAN},
    {"arccot", CC_F_ACOT},
    {"arcsec", CC_F_ASEC},
    {"arccsc", CC_F_ACSC},
    {"arcsinh", CC_F_ASINH},
    {"arccosh", CC_F_ACOSH},
    {"arctanh", CC_F_ATANH},
    {"arsinh", CC_F_ASINH},
    {"arcosh", CC_F_ACOSH},
    {"artanh", CC_F_ATANH},
    {"arctan2", CC_F_ATAN2},
    {"max", CC_F_MAX},
    {"min", CC_F_MIN},
    {"mod", CC_F_MOD},
    {"conj", CC_F_CONJUGATE},
    {"Re", CC_F_RE},
    {"Im", CC_F_IM},
    {"heaviside", CC_F_HEAVISIDE},
    {"Gamma", CC_F_GAMMA},
    {"lgamma", CC_F_LOGGAMMA},
    {"psi", CC_F_DIGAMMA},
    {"lambertw", CC_F_LAMBERTW},
    {"W", CC_F_LAMBERTW},
    {"binom", CC_F_BINOMIAL},
    {"comb", CC_F_BINOMIAL},
    {"nCr", CC_F_BINOMIAL},
    {"rf", CC_F_RISING},
    {"ff", CC_F_FALLING},
    {"fib", CC_F_FIBONACCI},
    {"Floor", CC_F_FLOOR},
    {"Ceiling", CC_F_CEIL},
    {"dirac", CC_F_DIRAC},
    {"tg", CC_F_TAN},
    {"sen", CC_F_SIN},
    {"cosec", CC_F_CSC},
};

static const struct {
    const char *name;
    cc_xconst k;
} constants[] = {
    {"pi", CC_K_PI},
    {"Pi", CC_K_PI},
    {"E", CC_K_E},
    {"I", CC_K_I},
    {"EulerGamma", CC_K_EULER_GAMMA},
    {"Catalan", CC_K_CATALAN},
    {"GoldenRatio", CC_K_GOLDEN},
    {"oo", CC_K_OO},
    {"inf", CC_K_OO},
    {"infinity", CC_K_OO},
    {"Infinity", CC_K_OO},
    {"zoo", CC_K_ZOO},
    {"nan", CC_K_NAN},
    {"True", CC_K_TRUE},
    {"true", CC_K_TRUE},
    {"False", CC_K_FALSE},
    {"false", CC_K_FALSE},
};

cc_xp cc_read_constant(cc_alg *g, cc_str name) {
    for (size_t i = 0; i < CC_ARRAY_LEN(constants); i++)
        if (cc_str_eqz(name, constants[i].name)) return cc_x_const(g, constants[i].k);
    // A direction: '+', '-' (see lex.c)
    if (cc_str_eqz(name, "+")) return g->one;
    if (cc_str_eqz(name, "-")) return g->minus_one;
    return cc_str_eqz(name, "+-") ? g->zero : NULL;
}

static int find_maker(cc_str name) {
    for (size_t i = 0; i < CC_ARRAY_LEN(makers); i++)
        if (cc_str_eqz(name, makers[i].name)) return (int)i;
    return -1;
}

static int find_function(cc_str name) {
    for (size_t i = 0; i < CC_F_APPLIED; i++)
        if (cc_str_eqz(name, function_names[i])) return (int)i;
    for (size_t i = 0; i < CC_ARRAY_LEN(aliases); i++)
        if (cc_str_eqz(name, aliases[i].name)) return (int)aliases[i].fn;
    return -1;
}

bool cc_read_needs_arguments(cc_str name) {
    static const char *const also_letters[] = {"gamma", "beta", "zeta", "psi", "O", "W", "li", "Gamma", "root", "rf", "ff", "euler", "N"};
    for (size_t i = 0; i < CC_ARRAY_LEN(also_letters); i++)
        if (cc_str_eqz(name, also_letters[i])) return false;
    return find_maker(name) >= 0 || find_function(name) >= 0 || cc_x_find_operation(name);
}

// What other systems have as functions, and this one as another tool or operation.
static const char *found_elsewhere(cc_str name) {
    static const struct {
        const char *name, *remedy;
    } others[] = {
        {"Matrix", "use the tool matrix"},
        {"det", "use the tool matrix, op det"},
        {"inv", "use the tool matrix, op inverse"},
        {"eigenvals", "use the tool matrix, op eigenvalues"},
        {"nsolve", "use the tool symbolic, op solve, with lower and upper"},
        {"fsolve", "use the tool symbolic, op solve, with lower and upper"},
        {"roots", "use solve(f, x)"},
        {"solveset", "use solve(f, x)"},
        {"linsolve", "use the tool symbolic, op solve_linear"},
        {"nonlinsolve", "use the tool symbolic, op solve_linear, which takes polynomial systems too"},
        {"dsolve", "use the tool symbolic, op ode"},
        {"laplace_transform", "use the tool symbolic, op laplace"},
        {"inverse_laplace_transform", "use the tool symbolic, op inverse_laplace"},
        {"groebner", "use the tool symbolic, op groebner"},
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(others); i++)
        if (cc_str_eqz(name, others[i].name)) return others[i].remedy;
    return NULL;
}

static void offer(cc_str name, const char *candidate, const char **best, unsigned *distance) {
    unsigned d = cc_edit_distance(name, cc_str_of(candidate));
    if (d >= *distance) return;
    *distance = d;
    *best = candidate;
}

static cc_xp unknown(cc_alg *g, const cc_node *at) {
    cc_str s = at->text;
    const char *best = NULL;
    unsigned distance = s.n <= 3 ? 2 : 3;
    for (size_t i = 0; i < CC_F_APPLIED; i++) offer(s, function_names[i], &best, &distance);
    for (size_t i = 0; i < CC_ARRAY_LEN(makers); i++) offer(s, makers[i].name, &best, &distance);
    for (size_t i = 0; i < CC_ARRAY_LEN(aliases); i++) offer(s, aliases[i].name, &best, &distance);
    for (size_t i = 0; cc_x_operation_name(i); i++) offer(s, cc_x_operation_name(i), &best, &distance);
    cc_str shown = cc_utf8_prefix(s, 60);
    if (s.n == 1) return cc_read_error(g, at, "%.*s is no function; for a product write %.*s*(…)", (int)s.n, s.p, (int)s.n, s.p);
    cc_read_error(g, at, best ? "unknown function %.*s; the nearest known one is %s" : "unknown function %.*s%s", (int)shown.n, shown.p,
                  best ? best : "");
    const char *elsewhere = found_elsewhere(s);
    cc_error_remedy(g->err, "%s", elsewhere ? elsewhere : "Use a known function, or write the product of letters with *.");
    return NULL;
}

static bool count_is_right(cc_alg *g, const cc_node *at, size_t n, unsigned least, unsigned most) {
    if (n >= least && (most == 255 || n <= most)) return true;
    const char *plural = most == 1 ? "" : "s";
    if (least == most)
        cc_read_error(g, at, "%.*s() takes %u argument%s, not %zu", (int)at->text.n, at->text.p, least, plural, n);
    else if (most == 255)
        cc_read_error(g, at, "%.*s() takes at least %u argument%s, not %zu", (int)at->text.n, at->text.p, least, plural, n);
    else
        cc_read_error(g, at, "%.*s() takes %u to %u arguments, not %zu", (int)at->text.n, at->text.p, least, most, n);
    return false;
}

static bool only_values(cc_alg *g, const cc_node *at, const cc_xp *args, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (args[i]->kind >= CC_X_REL || args[i] == g->yes || args[i] == g->no) {
            cc_read_error(g, at, "%.*s(): argument %zu is a condition, list or tuple, not a value", (int)at->text.n, at->text.p, i + 1);
            return false;
        }
    return true;
}

static bool is_unknown_function(const cc_alg *g, cc_str name) {
    cc_str all = g->unknown_functions;
    for (size_t i = 0, k; i < all.n; i = k + 1) {
        for (k = i; k < all.n && all.p[k] != ' '; k++) {
        }
        if (cc_str_eq(cc_str_make(all.p + i, k - i), name)) return true;
    }
    return false;
}

cc_xp cc_read_call(cc_alg *g, const cc_node *at, const cc_xp *args, size_t n) {
    if (is_unknown_function(g, at->text)) {
        if (n == 0) return cc_read_error(g, at, "%.*s() needs an argument", (int)at->text.n, at->text.p);
        return cc_x_applied(g, at->text, args, n);
    }
    int i = find_maker(at->text);
    if (i >= 0) {
        if (!count_is_right(g, at, n, makers[i].least, makers[i].most)) return NULL;
        if (makers[i].values_only && !only_values(g, at, args, n)) return NULL;
        return makers[i].make(g, at, args, n);
    }
    int fn = find_function(at->text);
    if (fn >= 0) {
        if ((fn == CC_F_MAX || fn == CC_F_MIN) && n == 1 && args[0]->kind == CC_X_LIST && args[0]->n) {
            n = args[0]->n;
            args = args[0]->args;
        }
        if (!count_is_right(g, at, n, function_least[fn], function_most[fn])) return NULL;
        if (fn != CC_F_HYPER && !only_values(g, at, args, n)) return NULL;
        return cc_x_fun(g, (cc_xfn)fn, args, n);
    }
    cc_x_operation run = cc_x_find_operation(at->text);
    if (!run) return unknown(g, at);
    g->written = n ? at->args[0] : NULL;
    return run(g, args, n);
}
