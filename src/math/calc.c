// The exact calculator: walks the tree of a literal expression and computes rationals exactly, other reals as graphs that are
// decided and enclosed on demand (real.h), and truth values in three-valued logic, where "undecided" is an answer. Called by
// report.c. It owns no state between calls. A comparison that cannot be decided is never guessed, and sizes are estimated
// before anything is computed.
#include "math/calc.h"

#include <stdlib.h>

static int eval(cc_calc *c, const cc_node *x, cc_val *out);

// ---- literals and names ----

static int radix_of(cc_str s) {
    if (s.n < 2 || s.p[0] != '0') return 10;
    char c = (char)(s.p[1] | 0x20);
    return c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
}

// The number after the 'e' of a literal, clipped to what is far too large anyway.
static slong exponent_of(cc_str s) {
    bool minus = s.n && s.p[0] == '-';
    slong e = 0;
    for (size_t i = minus; i < s.n && e < 1000000000; i++) e = e * 10 + (s.p[i] - '0');
    return minus ? -e : e;
}

static int literal(cc_calc *c, const cc_node *x, cc_val *out) {
    cc_str s = x->text;
    int radix = radix_of(s);
    CC_CLEANUP_BUF cc_buf digits = {0};
    slong exp = 0;
    bool point = false;
    for (size_t i = radix == 10 ? 0 : 2; i < s.n; i++) {
        if (s.p[i] == '.') {
            point = true;
        } else if (radix == 10 && s.p[i] == 'e') {
            exp += exponent_of(cc_str_make(s.p + i + 1, s.n - i - 1));
            break;
        } else {
            cc_buf_addc(&digits, s.p[i]);
            exp -= point;
        }
    }
    cc_buf_addc(&digits, '\0');
    fmpq_t q;
    fmpq_init(q);
    fmpz_set_str(fmpq_numref(q), digits.p, radix);
    if (fmpq_is_zero(q)) exp = 0;
    int rc;
    if ((double)labs(exp) * 3.33 > (double)CC_MAX_BITS) {
        rc = cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "column %u: the exponent is too large; exact numbers have at most %.3g digits",
                          x->pos + 1, (double)CC_MAX_BITS * 0.30103);
    } else {
        fmpz_t power;
        fmpz_init(power);
        fmpz_ui_pow_ui(power, 10, (ulong)labs(exp));
        if (exp < 0)
            fmpq_div_fmpz(q, q, power);
        else
            fmpq_mul_fmpz(q, q, power);
        fmpz_clear(power);
        rc = cc_val_real(out, cc_real_fmpq(&c->r, q));
    }
    fmpq_clear(q);
    return rc;
}

static int unknown_name(cc_calc *c, const cc_node *x) {
    c->unknown_name = x->text;
    int n = (int)(x->text.n < 60 ? x->text.n : 60);
    if (cc_calc_is_function(x->text))
        return cc_error_set(c->err, CC_VALIDATION, "column %u: %.*s is a function: write its argument in parentheses", x->pos + 1, n,
                            x->text.p);
    if (cc_str_eqz(x->text, "oo") || cc_str_eqz(x->text, "inf") || cc_str_eqz(x->text, "infinity") || cc_str_eqz(x->text, "nan"))
        return cc_error_set(c->err, CC_VALIDATION, "column %u: %.*s is not a number here", x->pos + 1, n, x->text.p);
    const char *near = x->text.n > 2 ? cc_calc_nearest_function(x->text) : NULL;
    return cc_error_set(c->err, CC_VALIDATION, "column %u: unknown name '%.*s': literal arithmetic has no symbols%s%s%s", x->pos + 1, n,
                        x->text.p, near ? "; did you mean the function " : "", near ? near : "", near ? "?" : "");
}

static int name(cc_calc *c, const cc_node *x, cc_val *out) {
    static const struct {
        const char *name;
        enum { N_PI, N_E, N_TAU, N_PHI, N_I, N_EULER, N_TRUE, N_FALSE } what;
    } names[] = {
        {"pi", N_PI},
        {"Pi", N_PI},
        {"PI", N_PI},
        {"e", N_E},
        {"E", N_E},
        {"tau", N_TAU},
        {"phi", N_PHI},
        {"golden_ratio", N_PHI},
        {"GoldenRatio", N_PHI},
        {"i", N_I},
        {"I", N_I},
        {"j", N_I},
        {"euler_gamma", N_EULER},
        {"EulerGamma", N_EULER},
        {"True", N_TRUE},
        {"true", N_TRUE},
        {"False", N_FALSE},
        {"false", N_FALSE},
    };
    cc_reals *r = &c->r;
    size_t k = 0;
    while (k < CC_ARRAY_LEN(names) && !cc_str_eqz(x->text, names[k].name)) k++;
    if (k == CC_ARRAY_LEN(names)) return unknown_name(c, x);
    switch (names[k].what) {
    case N_PI: return cc_val_real(out, cc_real_const(r, CC_R_PI));
    case N_E: return cc_val_real(out, cc_real_exp(r, cc_real_si(r, 1)));
    case N_TAU: return cc_val_real(out, cc_real_mul_si(r, cc_real_const(r, CC_R_PI), 2));
    case N_PHI:
        return cc_val_real(out,
                           cc_real_mul(r, cc_real_frac(r, 1, 2), cc_real_add(r, cc_real_si(r, 1), cc_real_root(r, cc_real_si(r, 5), 2))));
    case N_I: return cc_val_pair(c, out, cc_real_si(r, 0), cc_real_si(r, 1));
    case N_EULER: return cc_val_real(out, cc_real_const(r, CC_R_EULER));
    case N_TRUE:
    case N_FALSE: *out = (cc_val){.kind = CC_V_TRUTH, .truth = names[k].what == N_TRUE ? CC_TRUE : CC_FALSE}; return 0;
    }
    return -1;
}

// ---- truth ----

static int to_number(cc_calc *c, cc_val *v) {
    if (v->kind == CC_V_NUMBER) return 0;
    if (v->kind != CC_V_TRUTH) return cc_error_set(c->err, CC_VALIDATION, "a list or a factorization cannot be calculated with");
    if (v->truth == CC_UNDECIDED)
        return cc_error_set(c->err, CC_VALIDATION, "the result depends on a comparison that could not be decided");
    return cc_val_real(v, cc_real_si(&c->r, v->truth == CC_TRUE));
}

static int truth_of(cc_calc *c, const cc_val *v, cc_truth *out) {
    if (v->kind == CC_V_TRUTH) {
        *out = v->truth;
        return 0;
    }
    if (v->kind != CC_V_NUMBER) return cc_error_set(c->err, CC_VALIDATION, "a list is neither true nor false");
    cc_val zero;
    cc_truth equal;
    if (cc_val_real(&zero, cc_real_si(&c->r, 0)) || cc_val_equal(c, v, &zero, &equal)) return -1;
    *out = equal == CC_UNDECIDED ? CC_UNDECIDED : equal == CC_TRUE ? CC_FALSE : CC_TRUE;
    return 0;
}

int cc_calc_compare_values(cc_calc *c, cc_op op, cc_val *a, cc_val *b, cc_truth *out) {
    if (to_number(c, a) || to_number(c, b)) return -1;
    if (op == CC_OP_EQ || op == CC_OP_NE) {
        if (cc_val_equal(c, a, b, out)) return -1;
        if (op == CC_OP_NE && *out != CC_UNDECIDED) *out = *out == CC_TRUE ? CC_FALSE : CC_TRUE;
        return 0;
    }
    if (cc_val_settle(c, a) || cc_val_settle(c, b)) return -1;
    if (a->im || b->im) return cc_error_set(c->err, CC_VALIDATION, "complex numbers have no order: compare their abs, re or im");
    int sign;
    bool decided;
    if (cc_val_order(c, a, b, &sign, &decided)) return -1;
    bool holds = op == CC_OP_LT ? sign < 0 : op == CC_OP_LE ? sign <= 0 : op == CC_OP_GT ? sign > 0 : sign >= 0;
    *out = !decided ? CC_UNDECIDED : holds ? CC_TRUE : CC_FALSE;
    return 0;
}

// Evaluates x. When it is too large that is no error yet: *large says so, and *why keeps it.
static int eval_unless_large(cc_calc *c, const cc_node *x, cc_val *out, bool *large, cc_error *why) {
    int rc = eval(c, x, out);
    *large = rc && c->err->code == CC_RESOURCE_EXHAUSTED;
    if (!*large) return rc;
    *why = *c->err;
    *c->err = (cc_error){0};
    return 0;
}

static int chain(cc_calc *c, const cc_node *x, cc_val *out) {
    cc_val left, right;
    bool large, right_large;
    cc_error why;
    *out = (cc_val){.kind = CC_V_TRUTH, .truth = CC_TRUE};
    if (eval_unless_large(c, x->args[0], &left, &large, &why)) return -1;
    for (size_t i = 0; i + 1 < x->n_args && out->truth != CC_FALSE; i++, left = right, large = right_large) {
        cc_truth t;
        if (eval_unless_large(c, x->args[i + 1], &right, &right_large, &why)) return -1;
        if (large || right_large) {
            t = cc_calc_compare_large(c, x->ops[i], x->args[i], x->args[i + 1]);
            if (t == CC_UNDECIDED) {
                *c->err = why;
                return -1;
            }
        } else if (cc_calc_compare_values(c, x->ops[i], &left, &right, &t)) {
            return -1;
        }
        if (t != CC_TRUE) out->truth = t;
    }
    return 0;
}

// Python's: `a and b` is a when a is false, else b.
static int logical(cc_calc *c, cc_op op, const cc_val *left, const cc_node *rhs, cc_val *out) {
    cc_truth t, u;
    if (truth_of(c, left, &t)) return -1;
    if (t == (op == CC_OP_AND ? CC_FALSE : CC_TRUE)) {
        *out = *left;
        return 0;
    }
    cc_val right;
    if (eval(c, rhs, &right) || truth_of(c, &right, &u)) return -1;
    *out = t == CC_UNDECIDED && u != (op == CC_OP_AND ? CC_FALSE : CC_TRUE) ? (cc_val){.kind = CC_V_TRUTH, .truth = CC_UNDECIDED} : right;
    return 0;
}

// ---- operators ----

static int shift(cc_calc *c, const cc_node *x, cc_real *a, cc_real *b, cc_val *out) {
    fmpz *n = fmpq_numref(b->q), *v = fmpq_numref(a->q);
    if (fmpz_sgn(n) < 0) return cc_error_set(c->err, CC_VALIDATION, "column %u: a shift needs a count that is not negative", x->pos + 1);
    fmpz_t t;
    fmpz_init(t);
    int rc = 0;
    if (x->op == CC_OP_SHR) {
        fmpz_fdiv_q_2exp(t, v, fmpz_cmp_si(n, 2 * CC_MAX_BITS) > 0 ? (ulong)(2 * CC_MAX_BITS) : fmpz_get_ui(n));
    } else if (!fmpz_is_zero(v)) {
        if (fmpz_get_d(n) + (double)fmpz_bits(v) > (double)CC_MAX_BITS)
            rc = cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "column %u: the shift would give a number of %.3g bits; the limit is %ld",
                              x->pos + 1, fmpz_get_d(n), CC_MAX_BITS);
        else
            fmpz_mul_2exp(t, v, fmpz_get_ui(n));
    }
    if (!rc) rc = cc_val_real(out, cc_real_fmpz(&c->r, t));
    fmpz_clear(t);
    return rc;
}

static bool plain_literal(const cc_node *x) {
    if (x->kind == CC_NODE_UNARY && x->op == CC_OP_NEG) return plain_literal(x->args[0]);
    if (x->kind == CC_NODE_NAME) return true;
    return x->kind == CC_NODE_NUMBER && !(x->text.n > 1 && x->text.p[0] == '0' && x->text.p[1] > '9');
}

static int bitwise(cc_calc *c, const cc_node *x, cc_val *a, cc_val *b, cc_val *out) {
    cc_real *p, *q;
    const char *who = x->op == CC_OP_BITXOR ? "^ is bitwise xor (a power is written **) and" : "a bit operator";
    if (cc_val_integer(c, x, who, a, &p) || cc_val_integer(c, x, who, b, &q)) return -1;
    if (x->op == CC_OP_SHL || x->op == CC_OP_SHR) return shift(c, x, p, q, out);
    // Not for the word xor, which nobody takes for a power.
    if (x->op == CC_OP_BITXOR && c->text.p[x->pos] == '^' && plain_literal(x->args[0]) && plain_literal(x->args[1]))
        cc_parsed_warn(c->arena, c->parsed, "column %u: ^ is bitwise xor; for a power write **", x->pos + 1);
    fmpz_t t;
    fmpz_init(t);
    if (x->op == CC_OP_BITAND)
        fmpz_and(t, fmpq_numref(p->q), fmpq_numref(q->q));
    else if (x->op == CC_OP_BITOR)
        fmpz_or(t, fmpq_numref(p->q), fmpq_numref(q->q));
    else
        fmpz_xor(t, fmpq_numref(p->q), fmpq_numref(q->q));
    int rc = cc_val_real(out, cc_real_fmpz(&c->r, t));
    fmpz_clear(t);
    return rc;
}

static int binary(cc_calc *c, const cc_node *x, cc_val *a, cc_val *b, cc_val *out) {
    if (to_number(c, a) || to_number(c, b)) return -1;
    switch (x->op) {
    case CC_OP_ADD: return cc_val_add(c, a, b, out);
    case CC_OP_SUB: return cc_val_sub(c, a, b, out);
    case CC_OP_MUL: return cc_val_mul(c, a, b, out);
    case CC_OP_DIV: return cc_val_settle(c, b) ? -1 : cc_val_div(c, a, b, out);
    case CC_OP_POW: return cc_val_pow(c, a, b, out);
    case CC_OP_FLOORDIV:
    case CC_OP_MOD:
        if (cc_val_need_real(c, cc_op_text(x->op), a) || cc_val_need_real(c, cc_op_text(x->op), b)) return -1;
        return cc_val_real(out, x->op == CC_OP_MOD ? cc_real_mod(&c->r, a->re, b->re) : cc_real_floordiv(&c->r, a->re, b->re));
    default: return bitwise(c, x, a, b, out);
    }
}

// A long sum leans to the left and is as deep as it is long: its spine is walked in a loop.
static int spine(cc_calc *c, const cc_node *x, cc_val *out) {
    size_t n = 0;
    const cc_node *y = x;
    for (; y->kind == CC_NODE_BINARY; y = y->args[0]) n++;
    const cc_node **ops = CC_ARENA_ARRAY(c->arena, const cc_node *, n);
    y = x;
    for (size_t i = n; i-- > 0; y = y->args[0]) ops[i] = y;
    cc_val acc;
    if (eval(c, y, &acc)) return -1;
    for (size_t i = 0; i < n; i++) {
        if (cc_reals_poll(&c->r)) return -1;
        if (ops[i]->op == CC_OP_AND || ops[i]->op == CC_OP_OR) {
            if (logical(c, ops[i]->op, &acc, ops[i]->args[1], &acc)) return -1;
            continue;
        }
        cc_val right;
        if (eval(c, ops[i]->args[1], &right)) return -1;
        if (binary(c, ops[i], &acc, &right, &acc)) return -1;
    }
    *out = acc;
    return 0;
}

static int unary(cc_calc *c, const cc_node *x, cc_val *out) {
    cc_val a;
    if (eval(c, x->args[0], &a)) return -1;
    if (x->op == CC_OP_NOT) {
        cc_truth t;
        if (truth_of(c, &a, &t)) return -1;
        *out = (cc_val){.kind = CC_V_TRUTH, .truth = t == CC_UNDECIDED ? t : t == CC_TRUE ? CC_FALSE : CC_TRUE};
        return 0;
    }
    if (to_number(c, &a)) return -1;
    cc_real *n;
    switch (x->op) {
    case CC_OP_NEG: return cc_val_neg(c, &a, out);
    case CC_OP_POS: *out = a; return 0;
    case CC_OP_INVERT: // -x - 1
        if (cc_val_integer(c, x, "~", &a, &n)) return -1;
        return cc_val_real(out, cc_real_sub(&c->r, cc_real_si(&c->r, -1), n));
    case CC_OP_PERCENT: {
        cc_val hundredth;
        return cc_val_real(&hundredth, cc_real_frac(&c->r, 1, 100)) ? -1 : cc_val_mul(c, &hundredth, &a, out);
    }
    default: return cc_calc_factorial(c, x, &a, x->op == CC_OP_FACTORIAL ? 1 : 2, out);
    }
}

// ---- calls ----

static int arguments(cc_calc *c, const cc_node *x, cc_val **out, size_t *n) {
    size_t total = 0;
    cc_val *vals = CC_ARENA_ARRAY(c->arena, cc_val, x->n_args + 1);
    for (size_t i = 0; i < x->n_args; i++) {
        if (eval(c, x->args[i], &vals[i])) return -1;
        total += vals[i].kind == CC_V_LIST ? vals[i].n : 1;
    }
    cc_val *flat = CC_ARENA_ARRAY(c->arena, cc_val, total + 1);
    *n = 0;
    for (size_t i = 0; i < x->n_args; i++) {
        size_t m = vals[i].kind == CC_V_LIST ? vals[i].n : 1;
        for (size_t k = 0; k < m; k++) {
            cc_val *v = &flat[(*n)++];
            *v = vals[i].kind == CC_V_LIST ? vals[i].items[k] : vals[i];
            if (to_number(c, v)) return -1;
        }
    }
    *out = flat;
    return 0;
}

static int list(cc_calc *c, const cc_node *x, cc_val *out) {
    *out = (cc_val){.kind = CC_V_LIST};
    return arguments(c, x, &out->items, &out->n);
}

static int call(cc_calc *c, const cc_node *x, cc_val *out) {
    static const char *const constants[] = {"pi", "e", "tau", "phi", "i", "I", "j", "E"};
    for (size_t i = 0; i < CC_ARRAY_LEN(constants); i++)
        if (cc_str_eqz(x->text, constants[i]))
            return cc_error_set(c->err, CC_VALIDATION, "column %u: %s is a number: for a product write %s*(…)", x->pos + 1, constants[i],
                                constants[i]);
    cc_val *args;
    size_t n;
    return arguments(c, x, &args, &n) ? -1 : cc_calc_call(c, x, args, n, out);
}

static int eval(cc_calc *c, const cc_node *x, cc_val *out) {
    switch (x->kind) {
    case CC_NODE_NUMBER: return literal(c, x, out);
    case CC_NODE_NAME: return name(c, x, out);
    case CC_NODE_CALL: return call(c, x, out);
    case CC_NODE_UNARY: return unary(c, x, out);
    case CC_NODE_BINARY: return spine(c, x, out);
    case CC_NODE_COMPARE: return chain(c, x, out);
    case CC_NODE_TUPLE: // of the symbolic dialect only
    case CC_NODE_LIST: return list(c, x, out);
    }
    return -1;
}

int cc_calc_run(cc_calc *c, cc_str text, cc_val *out) {
    c->text = text;
    if (cc_expr_parse(c->arena, text, CC_DIALECT_CALC, c->parsed, c->err)) return -1;
    return eval(c, c->parsed->root, out);
}

int cc_calc_node(cc_calc *c, const cc_node *x, cc_val *out) { return eval(c, x, out); }
