// Tokens → tree of the expression language: precedence as in Python (or, and, not, comparisons, | ^ & << >>, + -, * / // %,
// signs, **), with a calculator's postfix ! !! % ², an implied product after a number or a closed parenthesis, and chained
// comparisons. All mathematical tools parse with this; the dialect changes what ^ and = mean. Called by the evaluators; the tree
// lives in the caller's arena. It never evaluates, and knows no function or constant names.
//
// "%": followed by an operand it is modulo (10 % 3), else per cent (5%, 5% of 200). Before a sign, where both could be meant,
// the blanks decide ("10 % -3" is modulo, "50% + 1" per cent), and without blanks it is an error.
#include "math/lex.h"

#include <assert.h>

typedef struct parser {
    cc_arena *a;
    cc_str src;
    cc_dialect dialect;
    const cc_tok *toks;
    size_t i;
    unsigned depth;
    cc_parsed *out;
    cc_error *err;
} parser;

enum { P_EQUATION, P_OR, P_AND, P_NOT, P_COMPARE, P_BITOR, P_BITXOR, P_BITAND, P_SHIFT, P_ADD, P_MUL };

static cc_node *parse_level(parser *p, int min);
static cc_node *parse_unary(parser *p);

static const cc_tok *peek(const parser *p) { return &p->toks[p->i]; }

const char *cc_op_text(cc_op op) {
    static const char *const text[] = {
        [CC_OP_NONE] = "",       [CC_OP_ADD] = "+",       [CC_OP_SUB] = "-",         [CC_OP_MUL] = "*",     [CC_OP_DIV] = "/",
        [CC_OP_FLOORDIV] = "//", [CC_OP_MOD] = "%",       [CC_OP_POW] = "**",        [CC_OP_BITAND] = "&",  [CC_OP_BITOR] = "|",
        [CC_OP_BITXOR] = "^",    [CC_OP_SHL] = "<<",      [CC_OP_SHR] = ">>",        [CC_OP_AND] = "and",   [CC_OP_OR] = "or",
        [CC_OP_EQ] = "==",       [CC_OP_NE] = "!=",       [CC_OP_LT] = "<",          [CC_OP_LE] = "<=",     [CC_OP_GT] = ">",
        [CC_OP_GE] = ">=",       [CC_OP_EQUATION] = "=",  [CC_OP_NEG] = "-",         [CC_OP_POS] = "+",     [CC_OP_INVERT] = "~",
        [CC_OP_NOT] = "not",     [CC_OP_FACTORIAL] = "!", [CC_OP_FACTORIAL2] = "!!", [CC_OP_PERCENT] = "%",
    };
    return text[op];
}

static cc_node *node(parser *p, cc_node_kind kind, cc_op op, uint32_t pos, size_t n) {
    cc_node *x = CC_ARENA_NEW(p->a, cc_node);
    x->kind = kind;
    x->op = op;
    x->pos = pos;
    x->n_args = n;
    x->args = n ? CC_ARENA_ARRAY(p->a, cc_node *, n) : NULL;
    return x;
}

static cc_node *unary(parser *p, cc_op op, uint32_t pos, cc_node *arg) {
    cc_node *x = node(p, CC_NODE_UNARY, op, pos, 1);
    x->args[0] = arg;
    return x;
}

static cc_node *binary(parser *p, cc_op op, uint32_t pos, cc_node *a, cc_node *b) {
    cc_node *x = node(p, CC_NODE_BINARY, op, pos, 2);
    x->args[0] = a;
    x->args[1] = b;
    return x;
}

static cc_node *unexpected(parser *p, const char *wanted) {
    const cc_tok *t = peek(p), *prev = p->i ? t - 1 : NULL;
    if (t->kind == CC_TOK_END) {
        cc_error_set(p->err, CC_VALIDATION, p->src.n ? "the expression ends where %s is expected" : "the expression is empty", wanted);
        return NULL;
    }
    cc_str s = cc_utf8_prefix(cc_str_make(p->src.p + t->pos, t->end - t->pos), 40);
    const char *hint = "";
    if (prev && t->kind == CC_TOK_NUMBER && prev->kind == CC_TOK_NAME && (cc_str_eqz(prev->text, "x") || cc_str_eqz(prev->text, "X")))
        hint = "; for a product write *";
    else if (prev && t->kind == CC_TOK_NUMBER && prev->kind == CC_TOK_NUMBER)
        hint = "; two numbers stand side by side";
    else if (prev && (t->kind == CC_TOK_NAME || t->kind == CC_TOK_NUMBER) && prev->kind == CC_TOK_NAME)
        hint = "; a function takes parentheses, a product a *";
    else if (t->kind == CC_TOK_COMMA)
        hint = "; a comma separates arguments of a function, or groups of exactly three digits";
    cc_error_set(p->err, CC_VALIDATION, "column %u: '%.*s' stands where %s is expected%s", t->pos + 1, (int)s.n, s.p, wanted, hint);
    return NULL;
}

static bool enter(parser *p) {
    if (++p->depth <= CC_EXPR_MAX_DEPTH) return true;
    cc_error_set(p->err, CC_RESOURCE_EXHAUSTED, "column %u: nested deeper than %d", peek(p)->pos + 1, CC_EXPR_MAX_DEPTH);
    return false;
}

// Items up to the closing token, which is consumed. The opening one already was.
static cc_node *parse_items(parser *p, cc_node *x, cc_tok_kind close) {
    size_t cap = 0;
    if (peek(p)->kind != close) {
        for (;;) {
            cc_node *item = parse_level(p, P_EQUATION);
            if (!item) return NULL;
            if (x->n_args == cap) {
                size_t more = cap ? cap * 2 : 4;
                cc_node **args = CC_ARENA_ARRAY(p->a, cc_node *, more);
                if (cap) memcpy(args, x->args, cap * sizeof *args);
                x->args = args;
                cap = more;
            }
            x->args[x->n_args++] = item;
            if (peek(p)->kind != CC_TOK_COMMA) break;
            p->i++;
        }
    }
    if (peek(p)->kind != close) return unexpected(p, close == CC_TOK_CLOSE ? "',' or ')'" : "',' or ']'");
    p->i++;
    return x;
}

// "(a, b)", "(a,)": the rest after the first item, at the comma.
static cc_node *parse_tuple(parser *p, cc_node *first, uint32_t pos) {
    p->i++;
    cc_node *rest = parse_items(p, node(p, CC_NODE_TUPLE, CC_OP_NONE, pos, 0), CC_TOK_CLOSE);
    if (!rest) return NULL;
    cc_node *x = node(p, CC_NODE_TUPLE, CC_OP_NONE, pos, rest->n_args + 1);
    x->args[0] = first;
    if (rest->n_args) memcpy(x->args + 1, rest->args, rest->n_args * sizeof *x->args);
    return x;
}

static cc_node *parse_primary(parser *p) {
    const cc_tok *t = peek(p);
    switch (t->kind) {
    case CC_TOK_NUMBER:
    case CC_TOK_NAME: {
        p->i++;
        bool call = t->kind == CC_TOK_NAME && peek(p)->kind == CC_TOK_OPEN;
        cc_node *x = node(p, t->kind == CC_TOK_NUMBER ? CC_NODE_NUMBER : call ? CC_NODE_CALL : CC_NODE_NAME, CC_OP_NONE, t->pos, 0);
        x->text = t->text;
        if (!call) return x;
        p->i++;
        if (!enter(p)) return NULL;
        x = parse_items(p, x, CC_TOK_CLOSE);
        p->depth--;
        return x;
    }
    case CC_TOK_OPEN_LIST: {
        p->i++;
        if (!enter(p)) return NULL;
        cc_node *x = parse_items(p, node(p, CC_NODE_LIST, CC_OP_NONE, t->pos, 0), CC_TOK_CLOSE_LIST);
        p->depth--;
        return x;
    }
    case CC_TOK_OPEN: {
        p->i++;
        if (!enter(p)) return NULL;
        cc_node *x = parse_level(p, P_EQUATION);
        if (x && p->dialect == CC_DIALECT_SYMBOLIC && peek(p)->kind == CC_TOK_COMMA) x = parse_tuple(p, x, t->pos);
        p->depth--;
        if (!x) return NULL;
        if (x->kind == CC_NODE_TUPLE) return x;
        if (peek(p)->kind != CC_TOK_CLOSE) return unexpected(p, "')'");
        p->i++;
        x->grouped = true;
        return x;
    }
    case CC_TOK_ROOT: { // √ takes the operand right after it: √2*3 = (√2)*3
        p->i++;
        if (!enter(p)) return NULL;
        cc_node *arg = parse_primary(p);
        p->depth--;
        if (!arg) return NULL;
        bool square = cc_str_eqz(t->text, "2");
        cc_node *x = node(p, CC_NODE_CALL, CC_OP_NONE, t->pos, square ? 1 : 2);
        x->text = square ? CC_STR("sqrt") : CC_STR("root");
        x->args[0] = arg;
        if (!square) (x->args[1] = node(p, CC_NODE_NUMBER, CC_OP_NONE, t->pos, 0))->text = t->text;
        return x;
    }
    case CC_TOK_OP:
        if (t->op == CC_OP_BITOR) { // |x|
            p->i++;
            if (!enter(p)) return NULL;
            cc_node *arg = parse_level(p, P_BITOR + 1);
            p->depth--;
            if (!arg) return NULL;
            if (peek(p)->kind != CC_TOK_OP || peek(p)->op != CC_OP_BITOR) return unexpected(p, "the other '|'");
            p->i++;
            cc_node *x = node(p, CC_NODE_CALL, CC_OP_NONE, t->pos, 1);
            x->text = CC_STR("abs");
            x->args[0] = arg;
            return x;
        }
        return unexpected(p, "a number, a name or '('");
    default: return unexpected(p, "a number, a name or '('");
    }
}

static bool starts_operand(const cc_tok *t) {
    return t->kind == CC_TOK_NUMBER || t->kind == CC_TOK_NAME || t->kind == CC_TOK_OPEN || t->kind == CC_TOK_OPEN_LIST ||
           t->kind == CC_TOK_ROOT || (t->kind == CC_TOK_OP && (t->op == CC_OP_INVERT || t->op == CC_OP_NOT));
}

// Whether the '%' at t is per cent (1), modulo (0), or cannot be told (-1 with the error).
static int is_percent(parser *p, const cc_tok *t) {
    const cc_tok *next = t + 1;
    if (starts_operand(next)) return 0;
    bool sign = next->kind == CC_TOK_OP && (next->op == CC_OP_ADD || next->op == CC_OP_SUB);
    if (!sign) return 1;
    if (t->space_before) return 0;
    if (next->space_before) return 1;
    return cc_error_set(p->err, CC_VALIDATION,
                        "column %u: '%%' before a sign may be per cent or modulo: put parentheses, as in (5%%) + 3 or 5 %% (-3)",
                        t->pos + 1);
}

static cc_node *parse_postfix(parser *p) {
    cc_node *x = parse_primary(p);
    while (x) {
        const cc_tok *t = peek(p);
        if (t->kind == CC_TOK_BANG || t->kind == CC_TOK_BANG2) {
            p->i++;
            x = unary(p, t->kind == CC_TOK_BANG ? CC_OP_FACTORIAL : CC_OP_FACTORIAL2, t->pos, x);
        } else if (t->kind == CC_TOK_SUPER) {
            p->i++;
            cc_node *e = node(p, CC_NODE_NUMBER, CC_OP_NONE, t->pos, 0);
            bool minus = t->text.p[0] == '-';
            e->text = cc_str_make(t->text.p + minus, t->text.n - minus);
            if (!e->text.n || memchr(e->text.p, '-', e->text.n)) {
                cc_error_set(p->err, CC_VALIDATION, "column %u: not an exponent", t->pos + 1);
                return NULL;
            }
            x = binary(p, CC_OP_POW, t->pos, x, minus ? unary(p, CC_OP_NEG, t->pos, e) : e);
        } else if (t->kind == CC_TOK_PERCENT) {
            int percent = is_percent(p, t);
            if (percent < 0) return NULL;
            if (!percent) return x;
            p->i++;
            x = unary(p, CC_OP_PERCENT, t->pos, x);
        } else {
            return x;
        }
        // A chain of postfix signs nests without recursion here, but the evaluator recurses into it.
        if (!enter(p)) return NULL;
    }
    return NULL;
}

// sin^2(x), with the position behind the name.
static bool is_power_of_function(const parser *p, const cc_node *name) {
    static const char *const names[] = {"sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "log", "ln"};
    const cc_tok *t = peek(p), *e = t + 1;
    if (name->kind != CC_NODE_NAME || t->kind != CC_TOK_OP || t->op != CC_OP_POW || e->kind != CC_TOK_NUMBER || e[1].kind != CC_TOK_OPEN)
        return false;
    bool known = false;
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++) known = known || cc_str_eqz(name->text, names[i]);
    return known && !memchr(e->text.p, '.', e->text.n);
}

static cc_node *parse_power_of_function(parser *p, const cc_node *name) { // sin(x)^2
    const cc_tok *t = peek(p), *e = t + 1;
    cc_node *exponent = node(p, CC_NODE_NUMBER, CC_OP_NONE, e->pos, 0), *call = node(p, CC_NODE_CALL, CC_OP_NONE, name->pos, 0);
    exponent->text = e->text, call->text = name->text;
    p->i += 3;
    if (!enter(p)) return NULL;
    call = parse_items(p, call, CC_TOK_CLOSE);
    p->depth--;
    return call ? binary(p, CC_OP_POW, t->pos, call, exponent) : NULL;
}

static cc_node *parse_power(parser *p) {
    unsigned depth = p->depth;
    cc_node *x = parse_postfix(p);
    p->depth = depth;
    if (x && is_power_of_function(p, x)) return parse_power_of_function(p, x);
    if (!x || peek(p)->kind != CC_TOK_OP || peek(p)->op != CC_OP_POW) return x;
    uint32_t pos = peek(p)->pos;
    p->i++;
    if (!enter(p)) return NULL;
    cc_node *e = parse_unary(p); // right-associative, and the exponent may have a sign
    p->depth--;
    return e ? binary(p, CC_OP_POW, pos, x, e) : NULL;
}

static cc_node *parse_unary(parser *p) {
    const cc_tok *t = peek(p);
    if (t->kind == CC_TOK_OP && (t->op == CC_OP_SUB || t->op == CC_OP_ADD || t->op == CC_OP_INVERT)) {
        p->i++;
        if (!enter(p)) return NULL;
        cc_node *x = parse_unary(p);
        p->depth--;
        return x ? unary(p, t->op == CC_OP_SUB ? CC_OP_NEG : t->op == CC_OP_ADD ? CC_OP_POS : CC_OP_INVERT, t->pos, x) : NULL;
    }
    return parse_power(p);
}

static int level_of(cc_op op) {
    switch (op) {
    case CC_OP_EQUATION: return P_EQUATION;
    case CC_OP_OR: return P_OR;
    case CC_OP_AND: return P_AND;
    case CC_OP_EQ:
    case CC_OP_NE:
    case CC_OP_LT:
    case CC_OP_LE:
    case CC_OP_GT:
    case CC_OP_GE: return P_COMPARE;
    case CC_OP_BITOR: return P_BITOR;
    case CC_OP_BITXOR: return P_BITXOR;
    case CC_OP_BITAND: return P_BITAND;
    case CC_OP_SHL:
    case CC_OP_SHR: return P_SHIFT;
    case CC_OP_ADD:
    case CC_OP_SUB: return P_ADD;
    case CC_OP_MUL:
    case CC_OP_DIV:
    case CC_OP_FLOORDIV:
    case CC_OP_MOD: return P_MUL;
    default: return -1;
    }
}

static void warn_at(parser *p, uint32_t pos, const char *what) {
    if (p->dialect == CC_DIALECT_CALC) cc_parsed_warn(p->a, p->out, "column %u: %s", pos + 1, what);
}

static bool implied_product(const parser *p, const cc_node *lhs) {
    const cc_tok *t = peek(p), *prev = t - 1;
    if (prev->kind != CC_TOK_NUMBER && prev->kind != CC_TOK_CLOSE) return false;
    if (lhs->kind == CC_NODE_LIST || lhs->kind == CC_NODE_TUPLE) return false;
    return t->kind == CC_TOK_NAME || t->kind == CC_TOK_OPEN || t->kind == CC_TOK_ROOT;
}

static cc_node *parse_compare(parser *p, cc_node *first) {
    size_t n = 0, at = p->i;
    cc_node *items[32] = {first};
    cc_op ops[31] = {CC_OP_NONE};
    while (peek(p)->kind == CC_TOK_OP && level_of(peek(p)->op) == P_COMPARE) {
        if (n == CC_ARRAY_LEN(ops)) return unexpected(p, "the end of a chain of comparisons");
        ops[n++] = peek(p)->op;
        p->i++;
        if (!(items[n] = parse_level(p, P_COMPARE + 1))) return NULL;
    }
    cc_node *x = node(p, CC_NODE_COMPARE, CC_OP_NONE, p->toks[at].pos, n + 1);
    memcpy(x->args, items, (n + 1) * sizeof *items);
    x->ops = CC_ARENA_ARRAY(p->a, cc_op, n);
    memcpy(x->ops, ops, n * sizeof *ops);
    return x;
}

static cc_node *parse_level(parser *p, int min) {
    cc_node *x;
    const cc_tok *t = peek(p);
    if (t->kind == CC_TOK_OP && t->op == CC_OP_NOT) {
        if (min > P_NOT) return unexpected(p, "a number, a name or '('");
        p->i++;
        if (!enter(p)) return NULL;
        cc_node *arg = parse_level(p, P_NOT);
        p->depth--;
        x = arg ? unary(p, CC_OP_NOT, t->pos, arg) : NULL;
    } else {
        x = parse_unary(p);
    }
    while (x) {
        t = peek(p);
        if (min <= P_MUL && implied_product(p, x)) {
            if (x->kind == CC_NODE_BINARY && !x->grouped &&
                (x->op == CC_OP_DIV || x->op == CC_OP_FLOORDIV || x->op == CC_OP_MOD || x->op == CC_OP_POW))
                warn_at(p, t->pos, "a product without a sign binds like *: 1/2 pi is (1/2)*pi, 2**3 pi is (2**3)*pi");
            cc_node *rhs = parse_power(p);
            if (!rhs) return NULL;
            x = binary(p, CC_OP_MUL, t->pos, x, rhs);
            x->implicit = true;
            continue;
        }
        cc_op op = t->kind == CC_TOK_OP ? t->op : t->kind == CC_TOK_PERCENT ? CC_OP_MOD : t->kind == CC_TOK_OF ? CC_OP_MUL : CC_OP_NONE;
        int level = level_of(op);
        if (level < min) break;
        if (level == P_COMPARE) {
            x = parse_compare(p, x);
            continue;
        }
        p->i++;
        cc_node *rhs = parse_level(p, level + 1);
        if (!rhs) return NULL;
        bool percent = rhs->kind == CC_NODE_UNARY && rhs->op == CC_OP_PERCENT && !rhs->grouped;
        if (level == P_ADD && percent)
            warn_at(p, rhs->pos, "a per cent sign divides by 100: 200 + 10% is 200.1; to raise 200 by 10% write 200*(1 + 10%)");
        x = binary(p, op, t->pos, x, rhs);
    }
    return x;
}

int cc_expr_parse(cc_arena *a, cc_str text, cc_dialect dialect, cc_parsed *out, cc_error *err) {
    *out = (cc_parsed){0};
    if (text.n > CC_EXPR_MAX_LEN)
        return cc_error_set(err, CC_RESOURCE_EXHAUSTED, "the expression has %zu bytes; the limit is %u", text.n, CC_EXPR_MAX_LEN);
    text = cc_str_trim(text);
    cc_tok *toks;
    size_t n;
    if (cc_expr_lex(a, text, dialect, &toks, &n, out, err)) return -1;
    parser p = {.a = a, .src = text, .dialect = dialect, .toks = toks, .out = out, .err = err};
    cc_node *x = parse_level(&p, P_EQUATION);
    if (x && peek(&p)->kind != CC_TOK_END) x = unexpected(&p, "an operator or the end");
    if (!x) return -1;
    assert(p.i == n - 1);
    out->root = x;
    return 0;
}
