// Which of two numbers is larger, when they are too large to be written down: products, quotients, powers and factorials are compared by
// their logarithms, which are exact reals and small. Called by the calculator and by the reader of symbolic expressions, for comparisons of
// numbers that could not be computed. It owns nothing, and leaves what is no such form undecided.
#include "math/value.h"

#define MAX_DEPTH 100

typedef struct magnitude {
    int sign;
    cc_real *log; // of the absolute value; NULL for zero
} magnitude;

static int find(cc_calc *c, const cc_node *x, magnitude *out, int depth);

static int of_value(cc_calc *c, const cc_node *x, magnitude *out) {
    cc_val v;
    if (cc_calc_node(c, x, &v) || v.kind != CC_V_NUMBER || cc_val_settle(c, &v) || v.im) return -1;
    if (cc_real_try_sign(&c->r, v.re, &out->sign)) return -1;
    out->log = out->sign ? cc_real_log(&c->r, cc_real_abs(&c->r, v.re)) : NULL;
    return out->sign && !out->log ? -1 : 0;
}

static int exponent(cc_calc *c, const cc_node *x, cc_real **out) {
    cc_val v;
    if (cc_calc_node(c, x, &v) || v.kind != CC_V_NUMBER || cc_val_settle(c, &v) || v.im) return -1;
    *out = v.re;
    return 0;
}

static int of_power(cc_calc *c, const cc_node *x, magnitude *out, int depth) {
    magnitude base;
    cc_real *e;
    if (find(c, x->args[0], &base, depth) || exponent(c, x->args[1], &e) || base.sign == 0) return -1;
    bool whole = cc_real_is_int(e);
    if (base.sign < 0 && !whole) return -1; // not real
    out->sign = base.sign < 0 && fmpz_is_odd(fmpq_numref(e->q)) ? -1 : 1;
    out->log = cc_real_mul(&c->r, e, base.log);
    return out->log ? 0 : -1;
}

static int of_product(cc_calc *c, const cc_node *x, magnitude *out, int depth) {
    magnitude a, b;
    if (find(c, x->args[0], &a, depth) || find(c, x->args[1], &b, depth)) return -1;
    bool divides = x->op == CC_OP_DIV;
    if (divides && b.sign == 0) return -1;
    out->sign = a.sign * b.sign;
    out->log = !out->sign ? NULL : divides ? cc_real_sub(&c->r, a.log, b.log) : cc_real_add(&c->r, a.log, b.log);
    return out->sign && !out->log ? -1 : 0;
}

static int of_factorial(cc_calc *c, const cc_node *x, magnitude *out) {
    cc_real *n;
    if (exponent(c, x->args[0], &n) || !cc_real_is_int(n) || fmpz_sgn(fmpq_numref(n->q)) < 0) return -1;
    out->sign = 1;
    out->log = cc_real_func(&c->r, CC_R_LGAMMA, cc_real_add(&c->r, n, cc_real_si(&c->r, 1)));
    return out->log ? 0 : -1;
}

static int find(cc_calc *c, const cc_node *x, magnitude *out, int depth) {
    if (depth > MAX_DEPTH) return -1;
    if (x->kind == CC_NODE_UNARY && (x->op == CC_OP_NEG || x->op == CC_OP_POS)) {
        if (find(c, x->args[0], out, depth + 1)) return -1;
        if (x->op == CC_OP_NEG) out->sign = -out->sign;
        return 0;
    }
    if (x->kind == CC_NODE_UNARY && x->op == CC_OP_FACTORIAL) return of_factorial(c, x, out);
    if (x->kind == CC_NODE_BINARY && x->op == CC_OP_POW) return of_power(c, x, out, depth + 1);
    if (x->kind == CC_NODE_BINARY && (x->op == CC_OP_MUL || x->op == CC_OP_DIV)) return of_product(c, x, out, depth + 1);
    return of_value(c, x, out);
}

// The sign of a - b in *sign.
static int order(cc_calc *c, const magnitude *a, const magnitude *b, int *sign) {
    *sign = (a->sign > b->sign) - (a->sign < b->sign);
    if (*sign || !a->sign) return 0;
    cc_real *d = cc_real_sub(&c->r, a->log, b->log);
    if (!d || cc_real_try_sign(&c->r, d, sign)) return -1;
    if (a->sign < 0) *sign = -*sign;
    return 0;
}

cc_truth cc_calc_compare_large(cc_calc *c, cc_op op, const cc_node *x, const cc_node *y) {
    magnitude a, b;
    int sign = 0;
    bool found = !find(c, x, &a, 0) && !find(c, y, &b, 0) && !order(c, &a, &b, &sign);
    if (!found && c->err->code != CC_TIMEOUT) *c->err = (cc_error){0};
    if (!found) return CC_UNDECIDED;
    switch (op) {
    case CC_OP_EQ: return sign == 0 ? CC_TRUE : CC_FALSE;
    case CC_OP_NE: return sign != 0 ? CC_TRUE : CC_FALSE;
    case CC_OP_LT: return sign < 0 ? CC_TRUE : CC_FALSE;
    case CC_OP_LE: return sign <= 0 ? CC_TRUE : CC_FALSE;
    case CC_OP_GT: return sign > 0 ? CC_TRUE : CC_FALSE;
    case CC_OP_GE: return sign >= 0 ? CC_TRUE : CC_FALSE;
    default: return CC_UNDECIDED;
    }
}
