// Assumptions on symbols: "x>0, n integer, a real, b != 0". Called by the tools' face before the expressions are read, so that the symbols
// get their facts when they are made. A bound other than 0 is used as the sign that it implies, which is said in a note.
#include "math/expr/expr.h"

static const struct {
    const char *word;
    unsigned facts;
} words[] = {
    {"real", CC_IS_REAL},
    {"positive", CC_IS_POSITIVE},
    {"negative", CC_IS_NEGATIVE},
    {"nonnegative", CC_IS_NONNEGATIVE},
    {"nonpositive", CC_IS_NONPOSITIVE},
    {"nonzero", CC_IS_NONZERO},
    {"integer", CC_IS_INTEGER},
    {"int", CC_IS_INTEGER},
    {"natural", CC_IS_INTEGER | CC_IS_NONNEGATIVE},
    {"rational", CC_IS_RATIONAL},
    {"even", CC_IS_EVEN},
    {"odd", CC_IS_ODD},
    {"complex", 0},
};

static int wrong(cc_alg *g, cc_str part) {
    part = cc_utf8_prefix(part, 60);
    cc_error_set(g->err, CC_VALIDATION, "assume: '%.*s' is no assumption; write 'x > 0', 'n integer' or 'a real'", (int)part.n, part.p);
    return -1;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// One assumed symbol. A second assumption on it adds nothing to a node that exists, so facts are gathered before it is made.
typedef struct fact {
    cc_str name;
    unsigned facts;
} fact;

typedef struct facts {
    fact *items;
    size_t n;
} facts;

static int add_fact(cc_alg *g, facts *f, cc_str name, unsigned what) {
    name = cc_str_trim(name);
    cc_error err = {0};
    cc_parsed parsed;
    if (cc_expr_parse(g->arena, name, CC_DIALECT_SYMBOLIC, &parsed, &err) || parsed.root->kind != CC_NODE_NAME) return wrong(g, name);
    name = parsed.root->text;
    for (size_t i = 0; i < f->n; i++)
        if (cc_str_eq(f->items[i].name, name)) {
            f->items[i].facts |= what;
            return 0;
        }
    if (!(f->n & (f->n - 1))) {
        fact *more = CC_ARENA_ARRAY(g->arena, fact, f->n ? 2 * f->n : 1);
        if (f->n) memcpy(more, f->items, f->n * sizeof *more);
        f->items = more;
    }
    f->items[f->n++] = (fact){name, what};
    return 0;
}

// The facts that `name op bound` gives, from the sign of the bound; 0 when it gives none.
static unsigned from_bound(cc_op op, int sign) {
    switch (op) {
    case CC_OP_GT: return sign >= 0 ? CC_IS_POSITIVE : CC_IS_REAL;
    case CC_OP_GE: return sign > 0 ? CC_IS_POSITIVE : sign == 0 ? CC_IS_NONNEGATIVE : CC_IS_REAL;
    case CC_OP_LT: return sign <= 0 ? CC_IS_NEGATIVE : CC_IS_REAL;
    case CC_OP_LE: return sign < 0 ? CC_IS_NEGATIVE : sign == 0 ? CC_IS_NONPOSITIVE : CC_IS_REAL;
    case CC_OP_NE: return sign == 0 ? CC_IS_NONZERO : 0;
    default: return 0;
    }
}

static cc_op mirrored(cc_op op) {
    return op == CC_OP_GT ? CC_OP_LT : op == CC_OP_GE ? CC_OP_LE : op == CC_OP_LT ? CC_OP_GT : op == CC_OP_LE ? CC_OP_GE : op;
}

// "x > 0", "0 < x < 1", "a > b" is none (a relation of two symbols).
static int from_comparison(cc_alg *g, facts *f, const cc_node *x, cc_str part) {
    for (size_t i = 1; i < x->n_args; i++) {
        const cc_node *a = x->args[i - 1], *b = x->args[i];
        cc_op op = x->ops[i - 1];
        if (b->kind == CC_NODE_NAME && a->kind != CC_NODE_NAME) {
            const cc_node *t = a;
            a = b;
            b = t;
            op = mirrored(op);
        }
        if (a->kind != CC_NODE_NAME) return wrong(g, part);
        bool minus = b->kind == CC_NODE_UNARY && b->op == CC_OP_NEG;
        if (minus) b = b->args[0];
        if (b->kind != CC_NODE_NUMBER) return wrong(g, part);
        bool zero = true;
        for (size_t k = 0; k < b->text.n; k++) zero = zero && (b->text.p[k] == '0' || b->text.p[k] == '.');
        unsigned what = from_bound(op, zero ? 0 : minus ? -1 : 1);
        if (!what) return wrong(g, part);
        if (!zero)
            cc_alg_note(g, "assume: of '%.*s' only the sign and that %.*s is real are used", (int)part.n, part.p, (int)a->text.n,
                        a->text.p);
        if (add_fact(g, f, a->text, what)) return -1;
    }
    return 0;
}

static unsigned word_facts(cc_str word, bool *known) {
    for (size_t i = 0; i < CC_ARRAY_LEN(words); i++)
        if (cc_str_eqz(word, words[i].word)) {
            *known = true;
            return words[i].facts;
        }
    *known = false;
    return 0;
}

// "n integer", "n is integer", "n positive integer", "a b real".
static int from_words(cc_alg *g, facts *f, cc_str part, bool *matched, unsigned *facts_of_words) {
    cc_str word[16];
    size_t n = 0;
    for (size_t i = 0; i < part.n;) {
        while (i < part.n && is_space(part.p[i])) i++;
        size_t k = i;
        while (k < part.n && !is_space(part.p[k])) k++;
        if (k > i) {
            if (n == CC_ARRAY_LEN(word)) return wrong(g, part);
            word[n++] = cc_str_make(part.p + i, k - i);
        }
        i = k;
    }
    unsigned what = 0;
    size_t names = n;
    bool known = true;
    while (names > 0) {
        unsigned w = word_facts(word[names - 1], &known);
        if (!known) break;
        what |= w;
        names--;
    }
    *matched = names < n && names > 0;
    *facts_of_words = what;
    if (!*matched) return 0;
    if (names > 1 && (cc_str_eqz(word[names - 1], "is") || cc_str_eqz(word[names - 1], "are"))) names--;
    for (size_t i = 0; i < names; i++)
        if (add_fact(g, f, word[i], what)) return -1;
    return 0;
}

int cc_x_assume(cc_alg *g, cc_str text) {
    if (g->err->code) return -1;
    facts f = {0};
    cc_str waiting[32]; // names before a comma whose word follows: "a, b real"
    size_t n_waiting = 0;
    for (size_t i = 0, k; i < text.n; i = k + 1) {
        for (k = i; k < text.n && text.p[k] != ',' && text.p[k] != ';'; k++) {
        }
        cc_str part = cc_str_trim(cc_str_make(text.p + i, k - i));
        if (!part.n) continue;
        bool matched;
        unsigned what;
        if (from_words(g, &f, part, &matched, &what)) return -1;
        if (matched) {
            for (size_t w = 0; w < n_waiting; w++)
                if (add_fact(g, &f, waiting[w], what)) return -1;
            n_waiting = 0;
            continue;
        }
        cc_error err = {0};
        cc_parsed parsed;
        if (cc_expr_parse(g->arena, part, CC_DIALECT_SYMBOLIC, &parsed, &err)) return wrong(g, part);
        if (parsed.root->kind == CC_NODE_NAME && n_waiting < CC_ARRAY_LEN(waiting))
            waiting[n_waiting++] = part;
        else if (parsed.root->kind == CC_NODE_COMPARE) {
            if (from_comparison(g, &f, parsed.root, part)) return -1;
        } else {
            return wrong(g, part);
        }
    }
    if (n_waiting) return wrong(g, waiting[0]);
    g->assumed = CC_ARENA_ARRAY(g->arena, cc_xp, f.n + 1);
    for (size_t i = 0; i < f.n; i++) {
        unsigned w = f.items[i].facts;
        bool contradiction = ((w & (CC_IS_POSITIVE | CC_IS_NONNEGATIVE)) && (w & CC_IS_NEGATIVE)) ||
                             ((w & CC_IS_POSITIVE) && (w & CC_IS_NONPOSITIVE)) || ((w & CC_IS_EVEN) && (w & CC_IS_ODD));
        if (contradiction) {
            cc_error_set(g->err, CC_VALIDATION, "assume: the assumptions on %.*s contradict each other", (int)f.items[i].name.n,
                         f.items[i].name.p);
            return -1;
        }
        if (!(g->assumed[g->n_assumed++] = cc_x_symbol(g, f.items[i].name, w))) return -1;
    }
    return 0;
}
