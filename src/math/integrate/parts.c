// Integration by parts for logarithms, inverse functions, error functions and the like, and inverse functions as the variable: x = sin(t)
// in integrands with asin(x) and sqrt(1 - x**2). Called by search.c.
#include "math/integrate/integrate.h"

static bool is_by_parts(cc_xfn f) {
    switch (f) {
    case CC_F_LOG:
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ATAN:
    case CC_F_ACOT:
    case CC_F_ASEC:
    case CC_F_ACSC:
    case CC_F_ASINH:
    case CC_F_ACOSH:
    case CC_F_ATANH:
    case CC_F_ACOTH:
    case CC_F_ASECH:
    case CC_F_ACSCH:
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI:
    case CC_F_EI:
    case CC_F_SI:
    case CC_F_CI:
    case CC_F_SHI:
    case CC_F_CHI:
    case CC_F_FRESNELS:
    case CC_F_FRESNELC:
    case CC_F_LI:
    case CC_F_POLYLOG:
    case CC_F_UPPERGAMMA:
    case CC_F_EXPINT: return true;
    default: return false;
    }
}

// ---- x = sin(t) and its like ----

// For fn(u): u = forward(t); what roots of 1 -+ u**2 become.
typedef struct inverse {
    cc_xfn fn, forward;
    cc_xfn root; // sqrt(c0 + c2*u**2) = root(t)
    int c0, c2;
} inverse;

static const inverse inverses[] = {
    {CC_F_ASIN, CC_F_SIN, CC_F_COS, 1, -1},    {CC_F_ACOS, CC_F_COS, CC_F_SIN, 1, -1},    {CC_F_ATAN, CC_F_TAN, CC_F_SEC, 1, 1},
    {CC_F_ACOT, CC_F_COT, CC_F_CSC, 1, 1},     {CC_F_ASINH, CC_F_SINH, CC_F_COSH, 1, 1},  {CC_F_ACOSH, CC_F_COSH, CC_F_SINH, -1, 1},
    {CC_F_ATANH, CC_F_TANH, CC_F_SECH, 1, -1}, {CC_F_ACOTH, CC_F_COTH, CC_F_CSCH, -1, 1}, {CC_F_ASEC, CC_F_SEC, CC_F_TAN, -1, 1},
    {CC_F_ACSC, CC_F_CSC, CC_F_COT, -1, 1},    {CC_F_ASECH, CC_F_SECH, CC_F_TANH, 1, -1}, {CC_F_ACSCH, CC_F_CSCH, CC_F_COTH, 1, 1},
};

typedef struct roots {
    cc_xp t;
    cc_xp v, root; // the variable; stands for sqrt(c0 + c2*v**2)
    const inverse *how;
    cc_xp ratio; // (c0 + c2*v**2) = ratio**-1 * radicand, of the last one seen
    cc_xp sigma; // sqrt(radicand)/(sqrt(ratio)*root): constant between branch points
    cc_xp whole;
    bool failed;
} roots;

static cc_xp name_roots(cc_alg *g, cc_xp x, void *ctx) {
    roots *r = ctx;
    if (x->kind != CC_X_POW || !cc_x_is_num(x->args[1]) || cc_int_free(x->args[0], r->v)) return x;
    cc_xp a, b, c;
    if (r->how->fn == CC_F_ACOSH && cc_int_linear(g, x->args[0], r->v, &a, &b) && (a == b || a == cc_x_neg(g, b)) && cc_x_sign(g, b) == 1) {
        // u - 1 = 2*sinh(t/2)**2, u + 1 = 2*cosh(t/2)**2, and the roots are the principal ones
        cc_xp half = cc_x_f1(g, a == b ? CC_F_COSH : CC_F_SINH, cc_x_mul(g, g->half, r->t));
        return CC_PROD(g, cc_x_pow(g, cc_x_mul(g, g->two, b), x->args[1]), cc_x_pow(g, half, cc_x_mul(g, g->two, x->args[1])));
    }
    bool root = fmpz_equal_si(fmpq_denref(x->args[1]->num), 2);
    if (!cc_int_quadratic(g, x->args[0], r->v, &a, &b, &c) || b != g->zero) {
        r->failed = r->failed || (root && !cc_int_linear(g, x->args[0], r->v, &a, &b));
        return x;
    }
    cc_xp ratio = cc_x_div(g, a, cc_x_int(g, r->how->c0));
    if (cc_int_normal(g, cc_x_sub(g, c, cc_x_mul(g, ratio, cc_x_int(g, r->how->c2))), r->v) != g->zero) {
        r->failed = r->failed || (root && a != g->zero); // it would stay a root of functions of t
        return x;
    }
    if (cc_x_is_int(x->args[1])) return cc_x_mul(g, cc_x_pow(g, ratio, x->args[1]), cc_x_pow(g, r->root, cc_x_mul(g, g->two, x->args[1])));
    if (!root || (r->ratio && r->ratio != ratio)) {
        r->failed = true;
        return x;
    }
    r->ratio = ratio;
    // against what the root is of the principal t, such as tan(asec(x))
    cc_xp principal = cc_x_f1(g, r->how->root, cc_x_f1(g, r->how->fn, r->v));
    r->whole = cc_x_div(g, cc_x_sqrt(g, x->args[0]), cc_x_mul(g, cc_int_square_root(g, ratio), principal));
    if (r->whole == g->one) r->sigma = g->one; // no factor at all
    cc_xp one = CC_PROD(g, r->sigma, cc_int_square_root(g, ratio), r->root);
    return cc_x_pow(g, one, cc_x_mul(g, g->two, x->args[1]));
}

static cc_xp by_inverse(cc_int *in, cc_xp f, cc_xp v, const inverse *how, cc_xp arg) {
    cc_alg *g = in->g;
    cc_xp a, b;
    if (!cc_int_linear(g, arg, v, &a, &b)) return NULL;
    cc_xp t = cc_int_variable(in, v), x = cc_x_dummy(g, "x", 0);
    cc_xp h = f;
    if (arg != v)
        h = cc_x_subs(g, cc_x_subs(g, f, cc_x_f1(g, how->fn, arg), t), v, cc_x_div(g, cc_x_sub(g, x, a), b));
    else
        h = cc_x_subs_many(g, f, (const cc_xp[]){cc_x_f1(g, how->fn, v), v}, (const cc_xp[]){t, x}, 2);
    roots r = {
        .t = t, .v = x, .root = cc_x_dummy(g, "root", 0), .how = how, .sigma = cc_x_dummy(g, "sigma", CC_IS_NONZERO), .whole = g->one};
    if (arg != v) h = cc_int_normal(g, h, x); // brings radicands into expanded form where they are factors
    h = cc_x_map(g, h, name_roots, &r);
    if (!h || r.failed) return NULL;
    // the slope of x(t), and roots and x by t
    cc_xp forward = cc_x_f1(g, how->forward, t), slope = cc_x_diff(g, forward, t), root = cc_x_f1(g, how->root, t);
    h = cc_x_subs_many(g, h, (const cc_xp[]){r.root, x}, (const cc_xp[]){root, forward}, 2);
    h = cc_x_div(g, cc_x_mul(g, h, slope), b);
    if (how->fn == CC_F_ACOSH) { // sinh(t) by the halves when these occur
        cc_xp half = cc_x_mul(g, g->half, t), s = cc_x_f1(g, CC_F_SINH, half), c = cc_x_f1(g, CC_F_COSH, half);
        if (cc_x_has(h, s) || cc_x_has(h, c)) h = cc_x_subs(g, h, cc_x_f1(g, CC_F_SINH, t), CC_PROD(g, g->two, s, c));
    }
    if (!h || cc_x_has(h, v)) return NULL;
    cc_xp plain = cc_x_rewrite(g, h, CC_REWRITE_SINCOS); // tan/sec is a sine
    cc_xp F = plain && plain != h ? cc_int_find(in, plain, t) : NULL;
    if (!F && g->err->code == CC_OK) F = cc_int_find(in, h, t);
    if (!F) return NULL;
    // exponentials of inverse tangents are powers: shorter, when it comes to this
    if (how->fn == CC_F_ATAN && cc_x_has_fn(F, CC_F_HYPER)) return NULL;
    F = cc_x_expand_trig(g, F);
    F = cc_x_subs(g, F, t, cc_x_f1(g, how->fn, arg));
    if (cc_x_has(F, r.sigma)) F = cc_x_subs(g, F, r.sigma, cc_x_subs(g, r.whole, x, arg));
    if (how->fn == CC_F_ASEC || how->fn == CC_F_ACSC) { // asec(u) = acos(1/u), acsc(u) = asin(1/u)
        cc_xp angle = cc_x_f1(g, how->fn, arg), leg = cc_x_sqrt(g, cc_x_sub(g, g->one, cc_x_powi(g, arg, -2))),
              height = cc_x_mul(g, arg, leg);
        bool secant = how->fn == CC_F_ASEC;
        const cc_xp old[] = {cc_x_f1(g, secant ? CC_F_SIN : CC_F_COS, angle), cc_x_f1(g, CC_F_TAN, angle), cc_x_f1(g, CC_F_COT, angle)};
        const cc_xp with[] = {leg, secant ? height : cc_x_pow(g, height, g->minus_one),
                              secant ? cc_x_pow(g, height, g->minus_one) : height};
        F = cc_x_subs_many(g, F, old, with, 3);
    }
    return F;
}

// The first function of the table of inverses with a linear argument.
static cc_xp find_inverse(cc_xp x, cc_xp v, const inverse **how) {
    if (!x || cc_int_free(x, v)) return NULL;
    if (x->kind == CC_X_FUN && x->n == 1)
        for (size_t i = 0; i < CC_ARRAY_LEN(inverses); i++)
            if (inverses[i].fn == x->fn) {
                *how = &inverses[i];
                return x;
            }
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp r = find_inverse(x->args[i], v, how);
        if (r) return r;
    }
    return NULL;
}

// Such a function, or a + b times one.
static bool is_function_by_parts(cc_xp x, cc_xp v) {
    if (x->kind == CC_X_FUN) return is_by_parts((cc_xfn)x->fn);
    bool found = false;
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL) return false;
    for (uint32_t i = 0; i < x->n; i++) {
        if (cc_int_free(x->args[i], v)) continue;
        if (found || !is_function_by_parts(x->args[i], v)) return false;
        found = true;
    }
    return found;
}

// A root of what contains v.
static bool has_root(cc_xp x, cc_xp v) {
    if (!x || cc_int_free(x, v)) return false;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && !cc_x_is_int(x->args[1])) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (has_root(x->args[i], v)) return true;
    return false;
}

// The power k >= 2 of a + b*x, x a function of v, that is a factor of f; 0: there is none.
static slong power_of(cc_xp f, cc_xp x, cc_xp v) {
    size_t n;
    slong k;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++)
        if (factors[i]->kind == CC_X_POW && cc_x_fits_si(factors[i]->args[1], &k) && k >= 2 && cc_x_has(factors[i]->args[0], x) &&
            is_function_by_parts(factors[i]->args[0], v))
            return k;
    return 0;
}

// f has a denominator. odd: it is v**3, v**5, … alone, over which squares of inverse functions have elementary antiderivatives.
static bool has_pole(cc_xp f, cc_xp v, bool *odd) {
    size_t n;
    slong k;
    bool pole = false;
    const cc_xp *factors = cc_x_factors(&f, &n);
    *odd = true;
    for (size_t i = 0; i < n; i++) {
        if (factors[i]->kind != CC_X_POW || cc_int_free(factors[i], v) || !cc_x_is_num(factors[i]->args[1]) ||
            cc_x_num_sign(factors[i]->args[1]) > 0)
            continue;
        pole = true;
        *odd = *odd && factors[i]->args[0] == v && cc_x_fits_si(factors[i]->args[1], &k) && k % 2 && k <= -3;
    }
    *odd = *odd && pole;
    return pole;
}

// ---- by parts ----

static cc_xp parts(cc_int *in, cc_xp u, cc_xp dv, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp V = cc_int_find(in, dv, v);
    if (!V || V->size > CC_INT_MAX_SIZE / 4) return NULL;
    cc_xp rest = cc_x_mul(g, V, cc_int_without_sinc(g, cc_x_diff(g, u, v)));
    cc_xp normal = cc_int_normal(g, rest, v);
    cc_xp F = cc_int_find(in, normal, v);
    if (!F && normal != rest) F = cc_int_find(in, rest, v);
    return F ? cc_x_sub(g, cc_x_mul(g, u, V), F) : NULL;
}

// A power of an inverse function over something, whose derivatives would not become simpler: that function is the variable.
cc_xp cc_int_inverse(cc_int *in, cc_xp f, cc_xp v) {
    const inverse *how = NULL;
    cc_xp found = find_inverse(f, v, &how);
    bool secant = found && (how->fn == CC_F_ASEC || how->fn == CC_F_ACSC || how->fn == CC_F_ASECH || how->fn == CC_F_ACSCH);
    slong k = found ? power_of(f, found, v) : 0;
    bool odd, pole = has_pole(f, v, &odd);
    if (!k || !(secant || pole) || (k == 2 && !secant && odd)) return NULL;
    cc_xp F = by_inverse(in, f, v, how, found->args[0]);
    return F && k == 2 && !secant && !cc_x_has_fn(F, CC_F_POLYLOG) ? NULL : F; // that is shorter by parts
}

cc_xp cc_int_parts(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    const inverse *how = NULL;
    cc_xp found = find_inverse(f, v, &how);
    bool tried = found && has_root(f, v) && how->fn != CC_F_ASECH && how->fn != CC_F_ACSCH; // of these the roots stay
    if (tried) {
        cc_xp F = by_inverse(in, f, v, how, found->args[0]);
        if (F || g->err->code != CC_OK) return F;
    }
    // u: a positive whole power of such a function; the rest is dv
    for (size_t i = 0; i < n && cc_alg_may_search(g); i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        if (!base || !is_function_by_parts(base, v) || !cc_x_is_int(e) || cc_x_num_sign(e) < 0) continue;
        if (cc_x_is_fun(base, CC_F_EXPINT) && !cc_x_is_int(base->args[0])) continue; // its derivatives do not end
        cc_xp F = parts(in, factors[i], cc_x_div(g, f, factors[i]), v);
        if (F || g->err->code != CC_OK) return F;
    }
    return found && !tried ? by_inverse(in, f, v, how, found->args[0]) : NULL;
}

// v**k times what has an antiderivative; such a power of a linear form times a function with an order, which goes up.
cc_xp cc_int_power_parts(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    bool ordered = cc_x_has_fn(f, CC_F_EXPINT) || cc_x_has_fn(f, CC_F_UPPERGAMMA) || cc_x_has_fn(f, CC_F_LOWERGAMMA);
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n && n > 1 && cc_alg_may_search(g); i++) {
        slong k;
        cc_xp base, e, a, b;
        cc_x_split_power(g, factors[i], &base, &e);
        if (base != v && !(ordered && cc_int_linear(g, base, v, &a, &b))) continue;
        if (!cc_x_fits_si(e, &k) || k < 1 || k > 12) continue;
        cc_xp F = parts(in, factors[i], cc_x_div(g, f, factors[i]), v);
        if (F || g->err->code != CC_OK) return F;
    }
    return NULL;
}
