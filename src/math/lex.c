// Text → tokens of the expression language: numbers in every spelling people paste (1_000, 1,234,567, 0xff, 1.5e-3, ½ is not
// one), names, signs in ASCII and Unicode. Called by the parser only. A comma between groups of exactly three digits is a
// thousands separator, unless the innermost bracket is a call or a list, where a comma separates: so "max(1,234)" has two
// arguments and "1,234 + 1" is 1235. It never evaluates anything.
#include "math/lex.h"

#include <stdio.h>

typedef struct lexer {
    cc_arena *a;
    cc_str s;
    cc_dialect dialect;
    cc_tok *toks;
    size_t n, cap;
    cc_parsed *parsed;
    char brackets[CC_EXPR_MAX_DEPTH + 1]; // 'c' call, 'g' group, 'l' list
    size_t depth;
    cc_error *err;
} lexer;

void cc_parsed_warn(cc_arena *a, cc_parsed *p, const char *fmt, ...) {
    if (p->n_warnings == CC_ARRAY_LEN(p->warnings)) return;
    char text[240];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0) return;
    cc_str s = cc_utf8_prefix(cc_str_make(text, (size_t)n), sizeof text - 1);
    for (size_t i = 0; i < p->n_warnings; i++)
        if (cc_str_eq(p->warnings[i], s)) return;
    p->warnings[p->n_warnings++] = cc_arena_dup(a, s);
}

static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static char at(const lexer *l, size_t i) { return i < l->s.n ? l->s.p[i] : '\0'; }

static cc_tok *push(lexer *l, cc_tok_kind kind, size_t pos, size_t end) {
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 32;
        cc_tok *t = CC_ARENA_ARRAY(l->a, cc_tok, cap);
        if (l->n) memcpy(t, l->toks, l->n * sizeof *t);
        l->toks = t;
        l->cap = cap;
    }
    cc_tok *t = &l->toks[l->n++];
    *t = (cc_tok){.kind = kind, .pos = (uint32_t)pos, .end = (uint32_t)end, .text = {l->s.p + pos, end - pos}};
    t->space_before = l->n > 1 && l->toks[l->n - 2].end < pos;
    return t;
}

static size_t push_op(lexer *l, cc_op op, size_t pos, size_t len) {
    push(l, CC_TOK_OP, pos, pos + len)->op = op;
    return pos + len;
}

// True when the token before can be the end of an operand, so that what follows is infix or postfix.
static bool after_operand(const lexer *l) {
    if (!l->n) return false;
    switch (l->toks[l->n - 1].kind) {
    case CC_TOK_NUMBER:
    case CC_TOK_NAME:
    case CC_TOK_CLOSE:
    case CC_TOK_CLOSE_LIST:
    case CC_TOK_SUPER:
    case CC_TOK_BANG:
    case CC_TOK_BANG2:
    case CC_TOK_PERCENT: return true;
    default: return false;
    }
}

// Copies digits from *i, skipping '_' between digits. Returns how many digits.
static size_t take_digits(lexer *l, size_t *i, cc_buf *out) {
    size_t n = 0;
    while (digit(at(l, *i)) || (at(l, *i) == '_' && n && digit(at(l, *i + 1)))) {
        if (at(l, *i) != '_') {
            cc_buf_addc(out, at(l, *i));
            n++;
        }
        (*i)++;
    }
    return n;
}

static int lex_radix(lexer *l, size_t pos, size_t *end) {
    char kind = (char)(at(l, pos + 1) | 0x20);
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_buf_addc(&b, '0');
    cc_buf_addc(&b, kind);
    size_t i = pos + 2;
    for (; letter(at(l, i)) || digit(at(l, i)) || at(l, i) == '.'; i++) {
        char c = at(l, i);
        if (c == '_') continue;
        char low = (char)(c | 0x20);
        bool ok = kind == 'x' ? digit(c) || (low >= 'a' && low <= 'f') : kind == 'o' ? c >= '0' && c <= '7' : c == '0' || c == '1';
        if (!ok)
            return cc_error_set(l->err, CC_VALIDATION, "column %zu: '%c' is not a digit of a number that begins with 0%c", i + 1, c, kind);
        cc_buf_addc(&b, c);
    }
    if (b.n == 2) return cc_error_set(l->err, CC_VALIDATION, "column %zu: no digits after 0%c", pos + 1, kind);
    push(l, CC_TOK_NUMBER, pos, i)->text = cc_arena_dup(l->a, cc_buf_str(&b));
    *end = i;
    return 0;
}

// How many groups ",ddd" stand at i; the last must not be followed by another digit, a comma or a separator.
static size_t thousands_groups(const lexer *l, size_t i) {
    size_t n = 0;
    while (at(l, i) == ',' && digit(at(l, i + 1)) && digit(at(l, i + 2)) && digit(at(l, i + 3)) && !digit(at(l, i + 4)) &&
           at(l, i + 4) != '_') {
        i += 4;
        n++;
    }
    return at(l, i) == ',' && digit(at(l, i + 1)) ? 0 : n;
}

static int lex_number(lexer *l, size_t pos, size_t *end) {
    char second = (char)(at(l, pos + 1) | 0x20);
    if (at(l, pos) == '0' && (second == 'x' || second == 'b' || second == 'o')) return lex_radix(l, pos, end);
    CC_CLEANUP_BUF cc_buf b = {0};
    size_t i = pos;
    size_t whole = take_digits(l, &i, &b);
    bool separates = l->depth && (l->dialect == CC_DIALECT_SYMBOLIC || l->brackets[l->depth - 1] != 'g');
    size_t groups = separates || whole == 0 || whole > 3 || at(l, pos) == '0' || i != pos + whole ? 0 : thousands_groups(l, i);
    for (size_t g = 0; g < groups; g++, i += 4) cc_buf_add(&b, l->s.p + i + 1, 3);
    if (groups)
        cc_parsed_warn(l->a, l->parsed, "'%.*s' was read as %.*s (commas as thousands separators)", (int)(i - pos), l->s.p + pos, (int)b.n,
                       b.p);
    if (at(l, i) == '.') {
        i++;
        cc_buf_addc(&b, '.');
        size_t frac = take_digits(l, &i, &b);
        if (!whole && !frac) return cc_error_set(l->err, CC_VALIDATION, "column %zu: '.' without digits", pos + 1);
    }
    if ((at(l, i) | 0x20) == 'e') {
        size_t k = i + 1 + (at(l, i + 1) == '+' || at(l, i + 1) == '-');
        if (digit(at(l, k))) { // else the letter is the constant e: 2e = 2*e
            cc_buf_addc(&b, 'e');
            if (at(l, i + 1) == '-') cc_buf_addc(&b, '-');
            i = k;
            take_digits(l, &i, &b);
        }
    }
    if (at(l, i) == '.' && (digit(at(l, i + 1)) || at(l, i - 1) != '.'))
        return cc_error_set(l->err, CC_VALIDATION, "column %zu: a second decimal point in a number", i + 1);
    if (at(l, i) == '_') return cc_error_set(l->err, CC_VALIDATION, "column %zu: '_' must stand between digits", i + 1);
    push(l, CC_TOK_NUMBER, pos, i)->text = cc_arena_dup(l->a, cc_buf_str(&b));
    *end = i;
    return 0;
}

static size_t lex_name(lexer *l, size_t pos) {
    static const struct {
        const char *word;
        cc_op op;
        bool infix_only;
    } words[] = {
        {"and", CC_OP_AND, false}, {"or", CC_OP_OR, false},     {"not", CC_OP_NOT, false},
        {"mod", CC_OP_MOD, true},  {"xor", CC_OP_BITXOR, true},
    };
    size_t i = pos;
    while (letter(at(l, i)) || digit(at(l, i))) i++;
    cc_str word = {l->s.p + pos, i - pos};
    bool after = after_operand(l);
    for (size_t k = 0; k < CC_ARRAY_LEN(words); k++)
        if (cc_str_eqz(word, words[k].word) && (after || !words[k].infix_only)) return push_op(l, words[k].op, pos, word.n);
    push(l, after && cc_str_eqz(word, "of") ? CC_TOK_OF : CC_TOK_NAME, pos, i);
    return i;
}

// Superscript digits and signs become one exponent.
static const char *superscript(cc_str s, size_t *len) {
    static const struct {
        const char *utf8, *digit;
    } supers[] = {
        {"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"}, {"⁻", "-"},
    };
    for (size_t k = 0; k < CC_ARRAY_LEN(supers); k++) {
        cc_str u = cc_str_of(supers[k].utf8);
        if (!cc_str_starts(s, u)) continue;
        *len = u.n;
        return supers[k].digit;
    }
    return NULL;
}

// A sign outside ASCII. Returns the position after it, 0 when it is none of ours.
static size_t lex_unicode(lexer *l, size_t pos) {
    static const struct {
        const char *utf8;
        cc_tok_kind kind;
        cc_op op;
        const char *text;
    } signs[] = {
        {"×", CC_TOK_OP, CC_OP_MUL, NULL},     {"·", CC_TOK_OP, CC_OP_MUL, NULL},     {"⋅", CC_TOK_OP, CC_OP_MUL, NULL},
        {"∙", CC_TOK_OP, CC_OP_MUL, NULL},     {"÷", CC_TOK_OP, CC_OP_DIV, NULL},     {"∕", CC_TOK_OP, CC_OP_DIV, NULL},
        {"⁄", CC_TOK_OP, CC_OP_DIV, NULL},     {"−", CC_TOK_OP, CC_OP_SUB, NULL},     {"–", CC_TOK_OP, CC_OP_SUB, NULL},
        {"≤", CC_TOK_OP, CC_OP_LE, NULL},      {"≥", CC_TOK_OP, CC_OP_GE, NULL},      {"≠", CC_TOK_OP, CC_OP_NE, NULL},
        {"∧", CC_TOK_OP, CC_OP_AND, NULL},     {"∨", CC_TOK_OP, CC_OP_OR, NULL},      {"¬", CC_TOK_OP, CC_OP_NOT, NULL},
        {"√", CC_TOK_ROOT, CC_OP_NONE, "2"},   {"∛", CC_TOK_ROOT, CC_OP_NONE, "3"},   {"∜", CC_TOK_ROOT, CC_OP_NONE, "4"},
        {"π", CC_TOK_NAME, CC_OP_NONE, "pi"},  {"τ", CC_TOK_NAME, CC_OP_NONE, "tau"}, {"φ", CC_TOK_NAME, CC_OP_NONE, "phi"},
        {"ϕ", CC_TOK_NAME, CC_OP_NONE, "phi"}, {"∞", CC_TOK_NAME, CC_OP_NONE, "oo"},
    };
    cc_str rest = {l->s.p + pos, l->s.n - pos};
    for (size_t k = 0; k < CC_ARRAY_LEN(signs); k++) {
        cc_str u = cc_str_of(signs[k].utf8);
        if (!cc_str_starts(rest, u)) continue;
        cc_tok *t = push(l, signs[k].kind, pos, pos + u.n);
        t->op = signs[k].op;
        if (signs[k].text) t->text = cc_str_of(signs[k].text);
        return pos + u.n;
    }
    size_t len = 0, end = pos;
    CC_CLEANUP_BUF cc_buf b = {0};
    for (const char *d; (d = superscript(cc_str_make(l->s.p + end, l->s.n - end), &len)); end += len) cc_buf_addz(&b, d);
    if (b.n) push(l, CC_TOK_SUPER, pos, end)->text = cc_arena_dup(l->a, cc_buf_str(&b));
    return b.n ? end : 0;
}

// A direction of a limit, '+' "-" '+-', is a name of its own in the symbolic dialect. Returns the position after it, 0 when it is none.
static size_t lex_direction(lexer *l, size_t pos) {
    char quote = at(l, pos);
    if (l->dialect != CC_DIALECT_SYMBOLIC || (quote != '\'' && quote != '"') || after_operand(l)) return 0;
    size_t i = pos + 1;
    while (at(l, i) == '+' || at(l, i) == '-') i++;
    cc_str text = {l->s.p + pos + 1, i - pos - 1};
    if (at(l, i) != quote || !(cc_str_eqz(text, "+") || cc_str_eqz(text, "-") || cc_str_eqz(text, "+-"))) return 0;
    push(l, CC_TOK_NAME, pos, i + 1)->text = text;
    return i + 1;
}

static size_t space_len(cc_str rest) {
    char c = rest.p[0];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return 1;
    static const char *const wide[] = {"\u00a0", "\u2009", "\u202f"}; // no-break and thin spaces
    for (size_t k = 0; k < CC_ARRAY_LEN(wide); k++)
        if (cc_str_starts(rest, cc_str_of(wide[k]))) return strlen(wide[k]);
    return 0;
}

static int lex_bracket(lexer *l, size_t pos) {
    char c = l->s.p[pos];
    if (c == '(' || c == '[') {
        bool call = c == '(' && l->n && l->toks[l->n - 1].kind == CC_TOK_NAME;
        if (l->depth == CC_EXPR_MAX_DEPTH)
            return cc_error_set(l->err, CC_RESOURCE_EXHAUSTED, "column %zu: brackets nested deeper than %d", pos + 1, CC_EXPR_MAX_DEPTH);
        l->brackets[l->depth++] = c == '[' ? 'l' : call ? 'c' : 'g';
    } else if (l->depth) {
        l->depth--;
    }
    cc_tok_kind kind = c == '(' ? CC_TOK_OPEN : c == ')' ? CC_TOK_CLOSE : c == '[' ? CC_TOK_OPEN_LIST : CC_TOK_CLOSE_LIST;
    push(l, kind, pos, pos + 1);
    return 0;
}

// An operator in ASCII. Returns the position after it, 0 when there is none.
static size_t lex_operator(lexer *l, size_t pos) {
    static const struct {
        const char *text;
        cc_op op;
    } ops[] = {
        // longer ones first
        {"**", CC_OP_POW}, {"//", CC_OP_FLOORDIV}, {"<<", CC_OP_SHL},   {">>", CC_OP_SHR},  {"<=", CC_OP_LE},
        {">=", CC_OP_GE},  {"==", CC_OP_EQ},       {"!=", CC_OP_NE},    {"<>", CC_OP_NE},   {"&&", CC_OP_AND},
        {"||", CC_OP_OR},  {"+", CC_OP_ADD},       {"-", CC_OP_SUB},    {"*", CC_OP_MUL},   {"/", CC_OP_DIV},
        {"<", CC_OP_LT},   {">", CC_OP_GT},        {"&", CC_OP_BITAND}, {"|", CC_OP_BITOR}, {"~", CC_OP_INVERT},
    };
    cc_str rest = {l->s.p + pos, l->s.n - pos};
    char c = rest.p[0];
    if (c == '!' && after_operand(l)) {
        if (at(l, pos + 1) == '!') return push(l, CC_TOK_BANG2, pos, pos + 2)->end;
        if (at(l, pos + 1) != '=' || at(l, pos + 2) == '=') return push(l, CC_TOK_BANG, pos, pos + 1)->end;
        if (l->toks[l->n - 1].kind == CC_TOK_NUMBER && l->toks[l->n - 1].end == pos)
            cc_parsed_warn(l->a, l->parsed,
                           "'!=' was read as 'is not equal'; for a factorial write %.*s! ==", (int)l->toks[l->n - 1].text.n,
                           l->toks[l->n - 1].text.p);
    }
    if (c == '%') return push(l, CC_TOK_PERCENT, pos, pos + 1)->end;
    if (c == '^') return push_op(l, l->dialect == CC_DIALECT_CALC ? CC_OP_BITXOR : CC_OP_POW, pos, 1);
    for (size_t k = 0; k < CC_ARRAY_LEN(ops); k++)
        if (cc_str_starts(rest, cc_str_of(ops[k].text))) return push_op(l, ops[k].op, pos, strlen(ops[k].text));
    if (c == '!') return push_op(l, CC_OP_NOT, pos, 1);
    if (c == '=' && l->dialect == CC_DIALECT_SYMBOLIC) return push_op(l, CC_OP_EQUATION, pos, 1);
    return 0;
}

static int bad_character(lexer *l, size_t pos) {
    cc_str rest = {l->s.p + pos, l->s.n - pos};
    size_t len = cc_utf8_len(rest);
    char c = rest.p[0];
    const char *hint = c == '='                ? "; to compare, write =="
                       : c == '"' || c == '\'' ? "; strings are not part of an expression"
                       : c == '$' || cc_str_starts(rest, CC_STR("€")) || cc_str_starts(rest, CC_STR("£")) ? "; leave the currency sign out"
                                                                                                          : "";
    if (len == 0) return cc_error_set(l->err, CC_VALIDATION, "column %zu: byte 0x%02x is not valid UTF-8", pos + 1, (unsigned char)c);
    if ((unsigned char)c < 0x20 || c == 0x7f)
        return cc_error_set(l->err, CC_VALIDATION, "column %zu: control character 0x%02x", pos + 1, (unsigned char)c);
    return cc_error_set(l->err, CC_VALIDATION, "column %zu: '%.*s' is not part of the expression language%s", pos + 1, (int)len, rest.p,
                        hint);
}

int cc_expr_lex(cc_arena *a, cc_str text, cc_dialect dialect, cc_tok **out, size_t *n, cc_parsed *warnings, cc_error *err) {
    lexer l = {.a = a, .s = text, .dialect = dialect, .parsed = warnings, .err = err};
    for (size_t i = 0; i < text.n;) {
        size_t skip = space_len(cc_str_make(text.p + i, text.n - i));
        if (skip) {
            i += skip;
            continue;
        }
        char c = text.p[i];
        if (digit(c) || (c == '.' && digit(at(&l, i + 1)))) {
            if (lex_number(&l, i, &i)) return -1;
        } else if (letter(c)) {
            i = lex_name(&l, i);
        } else if (c == '(' || c == ')' || c == '[' || c == ']') {
            if (lex_bracket(&l, i++)) return -1;
        } else if (c == ',') {
            push(&l, CC_TOK_COMMA, i, i + 1);
            i++;
        } else {
            size_t end = (unsigned char)c < 0x80 ? lex_operator(&l, i) : lex_unicode(&l, i);
            if (!end) end = lex_direction(&l, i);
            if (!end) return bad_character(&l, i);
            i = end;
        }
    }
    push(&l, CC_TOK_END, text.n, text.n);
    *out = l.toks;
    *n = l.n;
    return 0;
}
