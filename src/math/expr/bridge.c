// Constants ↔ exact reals of the calculator, which knows Calcium and values of functions. Called by constant.c and decimal.c. The numbers
// live in the bridge and end with it; expressions that come back live in the algebra. Both ways keep the value exactly.
#include "math/expr/bridge.h"

#include "math/expr/enclose.h"

enum {
    MAX_SIZE = 600,            // nodes of a constant that is carried over
    MAX_SIGN_PREC = 1 << 14,   // bits of the enclosures that its signs are decided with
    MAX_ROOT_DEGREE = 8,       // of CRootOf
    MAX_EXPONENT = 100000,     // of an integer power
    MAX_BITS_BRIDGED = 200000, // of rationals
};

void cc_x_bridge_init(cc_x_bridge *b, cc_alg *g) {
    *b = (cc_x_bridge){.g = g};
    cc_reals_init(&b->calc.r, g->arena, &b->err, g->stop);
    b->calc.r.max_prec = MAX_SIGN_PREC;
    b->calc.arena = g->arena;
    b->calc.err = &b->err;
    b->calc.parsed = &b->parsed;
}

void cc_x_bridge_clear(cc_x_bridge *b) { cc_reals_clear(&b->calc.r); }

// ---- to numbers ----

static int convert(cc_calc *c, cc_xp x, cc_val *out);

static int constant(cc_calc *c, cc_xp x, cc_val *out) {
    cc_reals *r = &c->r;
    switch (x->konst) {
    case CC_K_PI: return cc_val_real(out, cc_real_const(r, CC_R_PI));
    case CC_K_E: return cc_val_real(out, cc_real_exp(r, cc_real_si(r, 1)));
    case CC_K_I: return cc_val_pair(c, out, cc_real_si(r, 0), cc_real_si(r, 1));
    case CC_K_EULER_GAMMA: return cc_val_real(out, cc_real_const(r, CC_R_EULER));
    case CC_K_GOLDEN:
        return cc_val_real(out,
                           cc_real_mul(r, cc_real_frac(r, 1, 2), cc_real_add(r, cc_real_si(r, 1), cc_real_root(r, cc_real_si(r, 5), 2))));
    default: return -1;
    }
}

static int fold(cc_calc *c, cc_xp x, cc_val *out) {
    if (cc_val_real(out, cc_real_si(&c->r, x->kind == CC_X_MUL))) return -1;
    for (size_t i = 0; i < x->n; i++) {
        cc_val v;
        if (convert(c, x->args[i], &v)) return -1;
        if (x->kind == CC_X_MUL ? cc_val_mul(c, out, &v, out) : cc_val_add(c, out, &v, out)) return -1;
    }
    return 0;
}

static int power(cc_calc *c, cc_xp x, cc_val *out) {
    cc_val a, b;
    slong n;
    if (cc_x_fits_si(x->args[1], &n) && (n > MAX_EXPONENT || n < -MAX_EXPONENT)) return -1;
    if (convert(c, x->args[1], &b)) return -1;
    if (cc_x_is_const(x->args[0], CC_K_E)) return cc_val_exp(c, &b, out);
    return convert(c, x->args[0], &a) ? -1 : cc_val_pow(c, &a, &b, out);
}

// Functions that the calculator has under the same name and with the same values.
static bool shared_function(unsigned fn) {
    switch (fn) {
    case CC_F_LOG:
    case CC_F_EXP:
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_TAN:
    case CC_F_COT:
    case CC_F_SEC:
    case CC_F_CSC:
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ATAN:
    case CC_F_ATAN2:
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_SECH:
    case CC_F_CSCH:
    case CC_F_ASINH:
    case CC_F_ACOSH:
    case CC_F_ATANH:
    case CC_F_ABS:
    case CC_F_SIGN:
    case CC_F_FLOOR:
    case CC_F_CEIL:
    case CC_F_FRAC:
    case CC_F_RE:
    case CC_F_IM:
    case CC_F_ARG:
    case CC_F_CONJUGATE:
    case CC_F_MAX:
    case CC_F_MIN:
    case CC_F_GAMMA:
    case CC_F_LOGGAMMA:
    case CC_F_DIGAMMA:
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI:
    case CC_F_BETA: return true;
    default: return false;
    }
}

static int call(cc_calc *c, cc_xfn fn, cc_val *args, size_t n, cc_val *out) {
    const char *name = fn == CC_F_MAX ? "max" : fn == CC_F_MIN ? "min" : cc_x_fn_name(fn);
    cc_node at = {.kind = CC_NODE_CALL, .text = cc_str_of(name)};
    return cc_calc_call(c, &at, args, n, out);
}

// Inverse functions that are another one at 1/x; that one, else fn itself.
static cc_xfn at_reciprocal(cc_xfn fn) {
    switch (fn) {
    case CC_F_ACOT: return CC_F_ATAN;
    case CC_F_ASEC: return CC_F_ACOS;
    case CC_F_ACSC: return CC_F_ASIN;
    case CC_F_ACOTH: return CC_F_ATANH;
    case CC_F_ASECH: return CC_F_ACOSH;
    case CC_F_ACSCH: return CC_F_ASINH;
    default: return fn;
    }
}

// CRootOf by way of Calcium's formulas, where there is a readable one.
static int root_of(cc_calc *c, cc_xp x, cc_val *out) {
    cc_alg *g = ((cc_x_bridge *)((char *)c - offsetof(cc_x_bridge, calc)))->g;
    const qqbar_struct *root = cc_x_algebraic_root(g, x);
    if (!root || qqbar_degree(root) > MAX_ROOT_DEGREE || cc_real_no_formula(QQBAR_POLY(root))) return -1;
    return cc_val_read_algebraic(c, root, out);
}

static int function(cc_calc *c, cc_xp x, cc_val *out) {
    enum { MOST = 8 };
    cc_val a[MOST], one;
    const cc_xfn fn = (cc_xfn)x->fn, other = at_reciprocal(fn);
    if (fn == CC_F_CROOTOF) return root_of(c, x, out);
    if (x->n > MOST) return -1;
    bool reciprocal = other != fn, factorial = x->fn == CC_F_FACTORIAL;
    if (!shared_function(x->fn) && !reciprocal && !factorial && !(x->fn == CC_F_ZETA && x->n == 1)) return -1;
    for (size_t i = 0; i < x->n; i++)
        if (convert(c, x->args[i], &a[i])) return -1;
    if (!reciprocal && !factorial) return call(c, fn, a, x->n, out);
    if (cc_val_real(&one, cc_real_si(&c->r, 1))) return -1;
    if (factorial) return cc_val_add(c, &a[0], &one, &a[0]) ? -1 : call(c, CC_F_GAMMA, a, 1, out);
    return cc_val_settle(c, &a[0]) || cc_val_div(c, &one, &a[0], &a[0]) ? -1 : call(c, other, a, 1, out);
}

static int convert(cc_calc *c, cc_xp x, cc_val *out) {
    if (c->err->code) return -1;
    switch (x->kind) {
    case CC_X_NUM:
        if (fmpz_bits(fmpq_numref(x->num)) + fmpz_bits(fmpq_denref(x->num)) > MAX_BITS_BRIDGED) return -1;
        return cc_val_real(out, cc_real_fmpq(&c->r, x->num));
    case CC_X_CONST: return constant(c, x, out);
    case CC_X_ADD:
    case CC_X_MUL: return fold(c, x, out);
    case CC_X_POW: return power(c, x, out);
    case CC_X_FUN: return function(c, x, out);
    default: return -1;
    }
}

bool cc_x_to_val(cc_x_bridge *b, cc_xp x, cc_val *out) {
    return x && x->finite && cc_x_is_constant(x) && x->size <= MAX_SIZE && !convert(&b->calc, x, out) && out->kind == CC_V_NUMBER;
}

// ---- and back ----

static cc_xp from_real(cc_alg *g, const cc_real *x) {
    static const cc_xfn fns[] = {
        [CC_R_EXP] = CC_F_EXP,         [CC_R_LOG] = CC_F_LOG,     [CC_R_SIN] = CC_F_SIN,     [CC_R_COS] = CC_F_COS,
        [CC_R_TAN] = CC_F_TAN,         [CC_R_ASIN] = CC_F_ASIN,   [CC_R_ACOS] = CC_F_ACOS,   [CC_R_ATAN] = CC_F_ATAN,
        [CC_R_SINH] = CC_F_SINH,       [CC_R_COSH] = CC_F_COSH,   [CC_R_TANH] = CC_F_TANH,   [CC_R_ASINH] = CC_F_ASINH,
        [CC_R_ACOSH] = CC_F_ACOSH,     [CC_R_ATANH] = CC_F_ATANH, [CC_R_GAMMA] = CC_F_GAMMA, [CC_R_LGAMMA] = CC_F_LOGGAMMA,
        [CC_R_DIGAMMA] = CC_F_DIGAMMA, [CC_R_ERF] = CC_F_ERF,     [CC_R_ERFC] = CC_F_ERFC,   [CC_R_ERFI] = CC_F_ERFI,
        [CC_R_ZETA] = CC_F_ZETA,
    };
    if (g->err->code) return NULL;
    switch (x->op) {
    case CC_R_RAT: return cc_x_num(g, x->q);
    case CC_R_PI: return g->pi;
    case CC_R_EULER: return cc_x_const(g, CC_K_EULER_GAMMA);
    case CC_R_ADD: return cc_x_add(g, from_real(g, x->a), from_real(g, x->b));
    case CC_R_MUL: return cc_x_mul(g, from_real(g, x->a), from_real(g, x->b));
    case CC_R_POWI: return cc_x_powi(g, from_real(g, x->a), x->n);
    case CC_R_ROOT: return cc_x_pow(g, from_real(g, x->a), cc_x_frac(g, 1, x->n));
    case CC_R_POW: return cc_x_pow(g, from_real(g, x->a), from_real(g, x->b));
    default: return cc_x_f1(g, fns[x->op], from_real(g, x->a));
    }
}

cc_xp cc_x_from_val(cc_alg *g, const cc_val *v) {
    cc_xp re = from_real(g, v->re);
    return v->im ? cc_x_add(g, re, cc_x_mul(g, g->i, from_real(g, v->im))) : re;
}
