// Mathematics: the expression parser that every mathematical tool shares, and the exact evaluator behind calc_exact and
// compare_threshold. Knows nothing of tools; the public functions here take and return text, so that no FLINT type crosses
// this header. Everything returned lives in the caller's arena.
#ifndef CODECALC_MATH_H
#define CODECALC_MATH_H

#include "codecalc/base.h"

// ---- expressions (src/math/parse.c) ----

typedef enum cc_dialect {
    CC_DIALECT_CALC,     // literal arithmetic: ^ is xor, bit operators, comparisons are values, "5% of 200"
    CC_DIALECT_SYMBOLIC, // algebra: ^ is a power, = is an equation
} cc_dialect;

typedef enum cc_node_kind {
    CC_NODE_NUMBER,  // text: the literal without separators ("1234.5e3", "0xff")
    CC_NODE_NAME,    // text: the name; Greek letters and other signs are spelled out ("pi")
    CC_NODE_CALL,    // text: the function's name; args
    CC_NODE_UNARY,   // op: CC_OP_NEG, CC_OP_POS, CC_OP_INVERT, CC_OP_NOT, CC_OP_FACTORIAL, CC_OP_FACTORIAL2, CC_OP_PERCENT; args[0]
    CC_NODE_BINARY,  // op; args[0], args[1]
    CC_NODE_COMPARE, // args[0] ops[0] args[1] ops[1] args[2] …: a chain, n_args - 1 operators
    CC_NODE_LIST,    // args
    CC_NODE_TUPLE,   // args: "(x, 0, 1)" of the symbolic dialect
} cc_node_kind;

typedef enum cc_op {
    CC_OP_NONE,
    CC_OP_ADD,
    CC_OP_SUB,
    CC_OP_MUL,
    CC_OP_DIV,
    CC_OP_FLOORDIV,
    CC_OP_MOD,
    CC_OP_POW,
    CC_OP_BITAND,
    CC_OP_BITOR,
    CC_OP_BITXOR,
    CC_OP_SHL,
    CC_OP_SHR,
    CC_OP_AND,
    CC_OP_OR,
    CC_OP_EQ,
    CC_OP_NE,
    CC_OP_LT,
    CC_OP_LE,
    CC_OP_GT,
    CC_OP_GE,
    CC_OP_EQUATION, // "x = y" of the symbolic dialect
    CC_OP_NEG,
    CC_OP_POS,
    CC_OP_INVERT,
    CC_OP_NOT,
    CC_OP_FACTORIAL,
    CC_OP_FACTORIAL2,
    CC_OP_PERCENT,
} cc_op;

typedef struct cc_node {
    cc_node_kind kind;
    cc_op op;
    uint32_t pos;  // byte offset in the text where the node's operator, name or literal begins
    bool implicit; // a product that was written without a sign ("2pi")
    bool grouped;  // stood in parentheses
    cc_str text;
    size_t n_args;
    struct cc_node **args;
    cc_op *ops;
} cc_node;

typedef struct cc_parsed {
    const cc_node *root;
    cc_str warnings[8]; // readings that a user may not have meant ("1,234 was read as 1234"); at most 8 are kept
    size_t n_warnings;
} cc_parsed;

#define CC_EXPR_MAX_LEN   (64u << 10) // bytes
#define CC_EXPR_MAX_DEPTH 200         // of nesting

// Parses exactly one expression into the arena. 0, or -1 with CC_VALIDATION and a message that gives the position (1-based
// column in bytes), or CC_RESOURCE_EXHAUSTED when it is too long or too deep.
int cc_expr_parse(cc_arena *a, cc_str text, cc_dialect dialect, cc_parsed *out, cc_error *err);
const char *cc_op_text(cc_op op); // as written in the calculator dialect: "+", "//", "=="

// ---- the exact calculator (src/math/calc.c) ----

typedef enum cc_truth { CC_FALSE, CC_TRUE, CC_UNDECIDED } cc_truth;

typedef struct cc_calc_options {
    long digits;                       // significant digits of approx, 1 … CC_CALC_MAX_DIGITS
    const volatile sig_atomic_t *stop; // polled in loops of ours; may be NULL
} cc_calc_options;

#define CC_CALC_DIGITS     30
#define CC_CALC_MAX_DIGITS 100000

typedef struct cc_calc_result {
    const char *type;    // "rational", "irrational", "real" (irrational or not: unknown), "complex", "bool", "list", "factorization"
    cc_truth truth;      // of a bool
    cc_str value;        // exact form; empty when it has none that can be read (note says why) and for a bool
    cc_str approx;       // decimal, every digit proven, correctly rounded; empty for bool, list and factorization
    bool exact;          // value is the exact value
    bool differs;        // approx is rounded: it is not the exact value
    const char *grade;   // "certified" when approx was proven by an enclosure, else NULL
    size_t digits_count; // of an integer longer than 50 digits, else 0
    cc_str note;         // what a reader must know, or empty
    cc_str unknown_name; // set with the error "unknown name": the expression has symbols
    cc_str *warnings;
    size_t n_warnings;
} cc_calc_result;

// Evaluates a literal expression. 0, or -1 with CC_VALIDATION (syntax, unknown name, domain), CC_RESOURCE_EXHAUSTED (estimated
// before computing) or CC_TIMEOUT (stop).
int cc_calc_eval(cc_arena *a, cc_str expr, const cc_calc_options *opt, cc_calc_result *out, cc_error *err);

typedef struct cc_compare_result {
    cc_truth holds;
    cc_str a, b;              // exact forms (decimals where there is no short exact form)
    const char *op;           // the normal spelling
    cc_str difference;        // a - b, exact form
    cc_str difference_approx; // its decimal when the exact form is not a rational, else empty
    cc_str shortfall;         // how far a is from fulfilling an order that does not hold; else empty
    cc_str shortfall_approx;
    cc_str note;
    cc_str *warnings;
    size_t n_warnings;
} cc_compare_result;

// Decides `a op b`; op is one of == != > >= < <= (= and <> are accepted, unicode too). Errors as cc_calc_eval.
int cc_calc_compare(cc_arena *a, cc_str left, cc_str op, cc_str right, const cc_calc_options *opt, cc_compare_result *out, cc_error *err);

#endif
