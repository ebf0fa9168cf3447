// Tokens of the expression language. Private to src/math: the parser is the only caller.
#ifndef CODECALC_MATH_LEX_H
#define CODECALC_MATH_LEX_H

#include "codecalc/math.h"

typedef enum cc_tok_kind {
    CC_TOK_END,
    CC_TOK_NUMBER, // text without separators
    CC_TOK_NAME,
    CC_TOK_OP, // op: infix or prefix, by place (CC_OP_SUB is also the sign)
    CC_TOK_PERCENT,
    CC_TOK_BANG,
    CC_TOK_BANG2,
    CC_TOK_SUPER, // text: the exponent's digits, perhaps with a sign ("²" → "2")
    CC_TOK_ROOT,  // √ ∛ ∜; text: "2", "3", "4"
    CC_TOK_OF,    // "5% of 200"
    CC_TOK_OPEN,
    CC_TOK_CLOSE,
    CC_TOK_OPEN_LIST,
    CC_TOK_CLOSE_LIST,
    CC_TOK_COMMA,
} cc_tok_kind;

typedef struct cc_tok {
    cc_tok_kind kind;
    cc_op op;
    bool space_before;
    uint32_t pos, end; // bytes of the source
    cc_str text;
} cc_tok;

// Cuts all of text into tokens in the arena, CC_TOK_END last. Adds to warnings. 0, or -1 with *err.
int cc_expr_lex(cc_arena *a, cc_str text, cc_dialect dialect, cc_tok **out, size_t *n, cc_parsed *warnings, cc_error *err);
void cc_parsed_warn(cc_arena *a, cc_parsed *p, const char *fmt, ...) CC_PRINTF(3, 4);

#endif
