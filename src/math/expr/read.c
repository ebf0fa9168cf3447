// Text → expression, by the parser that all mathematical tools share (src/math/parse.c) in its symbolic dialect. Called by the tools' face
// and by tests. Names of functions are in call.c, assumptions in assume.c. It recurses as deep as brackets nest (CC_EXPR_MAX_DEPTH);
// long sums and products are gathered, not recursed into.
#include "math/expr/read.h"

#include "math/expr/bridge.h"

static cc_xp build(cc_alg *g, const cc_node *x);

cc_xp cc_read_error(cc_alg *g, const cc_node *at, const char *fmt, ...) {
    if (g->err->code) return NULL;
    va_list ap;
    va_start(ap, fmt);
    char text[300];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    cc_error_set(g->err, CC_VALIDATION, "column %u: %s", at->pos + 1, text);
    return NULL;
}

// The literal as an exact rational: "1.5e-3", "0xff".
static cc_xp number(cc_alg *g, const cc_node *x) {
    cc_str s = x->text;
    fmpz_t n, scale;
    fmpz_init(n);
    fmpz_init(scale);
    cc_xp out = NULL;
    char kind = s.n > 1 && s.p[0] == '0' ? (char)(s.p[1] | 0x20) : '\0';
    if (kind == 'x' || kind == 'o' || kind == 'b') {
        CC_CLEANUP_FREE char *digits = cc_malloc(s.n);
        memcpy(digits, s.p + 2, s.n - 2);
        digits[s.n - 2] = '\0';
        fmpz_set_str(n, digits, kind == 'x' ? 16 : kind == 'o' ? 8 : 2);
        out = cc_x_fmpz(g, n);
    } else {
        CC_CLEANUP_FREE char *digits = cc_malloc(s.n + 2);
        size_t len = 0, i = 0;
        long exponent = 0;
        bool dot = false;
        for (; i < s.n && (s.p[i] | 0x20) != 'e'; i++)
            if (s.p[i] == '.') {
                dot = true;
            } else {
                digits[len++] = s.p[i];
                exponent -= dot;
            }
        if (i < s.n) { // the parser lets only digits and a sign follow
            long e = 0;
            bool minus = s.p[++i] == '-';
            for (i += minus; i < s.n; i++)
                if (e < CC_X_MAX_BITS) e = e * 10 + (s.p[i] - '0');
            exponent += minus ? -e : e;
        }
        digits[len] = '\0';
        if (len == 0) digits[len++] = '0', digits[len] = '\0';
        fmpz_set_str(n, digits, 10);
        if (exponent > CC_X_MAX_BITS / 4 || exponent < -CC_X_MAX_BITS / 4) {
            out = cc_x_too_large(g, "a number in the expression");
        } else {
            fmpq_t q;
            fmpq_init(q);
            fmpz_ui_pow_ui(scale, 10, (ulong)(exponent < 0 ? -exponent : exponent));
            if (exponent >= 0)
                fmpz_mul(n, n, scale);
            else
                fmpz_set(fmpq_denref(q), scale);
            fmpz_swap(fmpq_numref(q), n);
            fmpq_canonicalise(q);
            out = cc_x_num(g, q);
            fmpq_clear(q);
        }
    }
    fmpz_clear(n);
    fmpz_clear(scale);
    return out;
}

static cc_xp name(cc_alg *g, const cc_node *x) {
    cc_xp k = cc_read_constant(g, x->text);
    if (k || g->err->code) return k;
    if ((k = cc_x_known_symbol(g, x->text))) return k; // the names of functions are many
    if (cc_read_needs_arguments(x->text))
        return cc_read_error(g, x, "%.*s is a function: write %.*s(…)", (int)x->text.n, x->text.p, (int)x->text.n, x->text.p);
    return cc_x_symbol(g, x->text, 0);
}

// ---- sums and products: the left spine at once ----

static bool is_chain(const cc_node *x, bool sum) {
    if (x->kind != CC_NODE_BINARY) return false;
    return sum ? x->op == CC_OP_ADD || x->op == CC_OP_SUB : x->op == CC_OP_MUL || x->op == CC_OP_DIV;
}

static cc_xp chain(cc_alg *g, const cc_node *x, bool sum) {
    size_t n = 1, minus = 0;
    for (const cc_node *y = x; is_chain(y, sum); y = y->args[0]) n++;
    cc_xp *items = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    for (size_t i = n; i-- > 0; x = x->args[0]) {
        bool first = i == 0;
        // The sign of -(x + 1)*y is that of the product; multiplied into the sum it would give another form.
        if (first && !sum && x->kind == CC_NODE_UNARY && x->op == CC_OP_NEG) {
            x = x->args[0];
            items[n] = g->minus_one;
            minus = 1;
        }
        cc_xp item = build(g, first ? x : x->args[1]);
        if (!item) return NULL;
        if (item->kind >= CC_X_REL || item == g->yes || item == g->no)
            return cc_read_error(g, x, "a condition, list or tuple cannot be %s", sum ? "added" : "multiplied");
        if (!first && x->op == CC_OP_SUB) item = cc_x_neg(g, item);
        if (!first && x->op == CC_OP_DIV) item = item == g->zero ? g->zoo : cc_x_pow(g, item, g->minus_one);
        items[i] = item;
        if (first) break;
    }
    return sum ? cc_x_addn(g, items, n) : cc_x_muln(g, items, n + minus);
}

// ---- operators ----

static bool is_truth(cc_alg *g, cc_xp x) {
    return x == g->yes || x == g->no || x->kind == CC_X_REL || x->kind == CC_X_AND || x->kind == CC_X_OR || x->kind == CC_X_NOT;
}

static bool is_value(cc_alg *g, cc_xp x) { return x->kind < CC_X_REL && x != g->yes && x != g->no; }

cc_xp cc_read_power(cc_alg *g, cc_xp base, cc_xp exponent) {
    bool odd = exponent && cc_x_is_num(exponent) && !cc_x_is_int(exponent) && fmpz_is_odd(fmpq_denref(exponent->num));
    if (odd && base && base->free == 0 && cc_x_sign(g, base) == -1)
        cc_alg_warn(g, "an odd root of a negative number is the complex principal value here; the real root of -a is minus that of a");
    return cc_x_pow(g, base, exponent);
}

static cc_xp binary(cc_alg *g, const cc_node *x) {
    cc_xp a = build(g, x->args[0]), b = a ? build(g, x->args[1]) : NULL;
    if (!b) return NULL;
    bool logic = x->op == CC_OP_AND || x->op == CC_OP_OR || x->op == CC_OP_BITAND || x->op == CC_OP_BITOR || x->op == CC_OP_BITXOR;
    if (logic) {
        if (!is_truth(g, a) || !is_truth(g, b))
            return cc_read_error(g, x, "'%s' joins conditions, as in (x > 0) %s (x < 1)", cc_op_text(x->op), cc_op_text(x->op));
        if (x->op == CC_OP_AND || x->op == CC_OP_BITAND) return cc_x_and(g, a, b);
        if (x->op == CC_OP_OR || x->op == CC_OP_BITOR) return cc_x_or(g, a, b);
        return cc_x_or(g, cc_x_and(g, a, cc_x_not(g, b)), cc_x_and(g, cc_x_not(g, a), b));
    }
    if (x->op == CC_OP_EQUATION) {
        if (is_value(g, a) != is_value(g, b) && !is_truth(g, a)) return cc_read_error(g, x, "the sides of '=' are of different kinds");
        return cc_x_rel(g, CC_REL_EQ, a, b);
    }
    if (!is_value(g, a) || !is_value(g, b)) return cc_read_error(g, x, "'%s' cannot take a condition, list or tuple", cc_op_text(x->op));
    switch (x->op) {
    case CC_OP_POW: return cc_read_power(g, a, b);
    case CC_OP_MOD: return cc_x_f2(g, CC_F_MOD, a, b);
    case CC_OP_FLOORDIV: return cc_x_f1(g, CC_F_FLOOR, cc_x_div(g, a, b));
    default: return cc_read_error(g, x, "'%s' is not part of algebra", cc_op_text(x->op));
    }
}

static cc_xp unary(cc_alg *g, const cc_node *x) {
    cc_xp a = build(g, x->args[0]);
    if (!a) return NULL;
    if (x->op == CC_OP_NOT || x->op == CC_OP_INVERT) {
        if (!is_truth(g, a)) return cc_read_error(g, x, "'%s' takes a condition", cc_op_text(x->op));
        return cc_x_not(g, a);
    }
    if (!is_value(g, a)) return cc_read_error(g, x, "'%s' cannot take a condition, list or tuple", cc_op_text(x->op));
    switch (x->op) {
    case CC_OP_NEG: return cc_x_neg(g, a);
    case CC_OP_POS: return a;
    case CC_OP_FACTORIAL: return cc_x_f1(g, CC_F_FACTORIAL, a);
    case CC_OP_FACTORIAL2: return cc_x_f1(g, CC_F_FACTORIAL2, a);
    default: return cc_x_div(g, a, cc_x_int(g, 100)); // per cent
    }
}

static bool is_arithmetic(const cc_node *x) {
    if (x->kind != CC_NODE_NUMBER && x->kind != CC_NODE_UNARY && x->kind != CC_NODE_BINARY) return false;
    for (size_t i = 0; i < x->n_args; i++)
        if (!is_arithmetic(x->args[i])) return false;
    return true;
}

// Two numbers of which one is too large to be made. NULL: that error stands.
static cc_xp compare_large(cc_alg *g, cc_op op, const cc_node *x, const cc_node *y) {
    if (g->err->code != CC_RESOURCE_EXHAUSTED || !is_arithmetic(x) || !is_arithmetic(y)) return NULL;
    cc_x_bridge b;
    cc_x_bridge_init(&b, g);
    cc_truth t = cc_calc_compare_large(&b.calc, op, x, y);
    cc_x_bridge_clear(&b);
    if (t == CC_UNDECIDED) return NULL;
    *g->err = (cc_error){0};
    return t == CC_TRUE ? g->yes : g->no;
}

static cc_xp compare(cc_alg *g, const cc_node *x, cc_op op, cc_xp a, cc_xp b) {
    if (is_truth(g, a) != is_truth(g, b) || (!is_value(g, a) && op != CC_OP_EQ && op != CC_OP_NE))
        return cc_read_error(g, x, "'%s' compares values", cc_op_text(op));
    switch (op) {
    case CC_OP_EQ: return cc_x_rel(g, CC_REL_EQ, a, b);
    case CC_OP_NE: return cc_x_rel(g, CC_REL_NE, a, b);
    case CC_OP_LT: return cc_x_rel(g, CC_REL_LT, a, b);
    case CC_OP_LE: return cc_x_rel(g, CC_REL_LE, a, b);
    case CC_OP_GT: return cc_x_rel(g, CC_REL_LT, b, a);
    default: return cc_x_rel(g, CC_REL_LE, b, a);
    }
}

static cc_xp comparison(cc_alg *g, const cc_node *x) {
    cc_xp all = g->yes, a = NULL, b;
    for (size_t i = 1; i < x->n_args; i++, a = b) {
        if (!a) a = build(g, x->args[i - 1]);
        b = a ? build(g, x->args[i]) : NULL;
        all = cc_x_and(g, all, b ? compare(g, x, x->ops[i - 1], a, b) : compare_large(g, x->ops[i - 1], x->args[i - 1], x->args[i]));
    }
    return all;
}

static cc_xp build(cc_alg *g, const cc_node *x) {
    if (!cc_alg_go_on(g)) return NULL;
    if (is_chain(x, true)) return chain(g, x, true);
    if (is_chain(x, false)) return chain(g, x, false);
    switch (x->kind) {
    case CC_NODE_NUMBER: return number(g, x);
    case CC_NODE_NAME: return name(g, x);
    case CC_NODE_UNARY: return unary(g, x);
    case CC_NODE_BINARY: return binary(g, x);
    case CC_NODE_COMPARE: return comparison(g, x);
    default: break;
    }
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n_args + 1);
    for (size_t i = 0; i < x->n_args; i++)
        if (!(args[i] = build(g, x->args[i]))) return NULL;
    if (x->kind == CC_NODE_LIST) return cc_x_list(g, args, x->n_args);
    if (x->kind == CC_NODE_TUPLE) return cc_x_tuple(g, args, x->n_args);
    return cc_read_call(g, x, args, x->n_args);
}

cc_xp cc_read_node(cc_alg *g, const cc_node *x) { return g->err->code ? NULL : build(g, x); }

cc_xp cc_x_read(cc_alg *g, cc_str text) {
    if (g->err->code) return NULL;
    cc_parsed parsed;
    if (cc_expr_parse(g->arena, text, CC_DIALECT_SYMBOLIC, &parsed, g->err)) return NULL;
    for (size_t i = 0; i < parsed.n_warnings; i++) cc_alg_warn(g, "%.*s", (int)parsed.warnings[i].n, parsed.warnings[i].p);
    return build(g, parsed.root);
}
