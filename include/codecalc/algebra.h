// Symbolic mathematics: evaluate an expression, solve, integrate, take limits, decide identities. Takes and returns text; no type of
// a library crosses this header. The kernel behind it is src/math/expr/expr.h. Everything returned lives in the caller's arena.
#ifndef CODECALC_ALGEBRA_H
#define CODECALC_ALGEBRA_H

#include "codecalc/math.h"

typedef struct cc_algebra_options {
    bool latex_out;                    // results carry latex
    cc_str assume;                     // "x>0, n integer, a real"; may be empty
    long digits;                       // significant digits of approx, 1 … CC_CALC_MAX_DIGITS
    int64_t deadline_ms;               // of cc_now_ms; searches give up with "not found" shortly before
    const volatile sig_atomic_t *stop; // may be NULL
} cc_algebra_options;

// What every operation says beside its value.
typedef struct cc_algebra_about {
    const char *grade;  // "exact", "certified", "cross_checked"; NULL = ungraded
    const char *basis;  // what the grade rests on, for people
    cc_str *conditions; // excluded points, branches, signs under which the result holds
    size_t n_conditions;
    cc_str *notes;
    size_t n_notes;
    cc_str *warnings;
    size_t n_warnings;
} cc_algebra_about;

// ---- the value of an expression (src/math/algebra.c) ----

typedef struct cc_evaluate_result {
    cc_str expression; // in canonical form, operations inside carried out
    cc_str simplified; // shorter, or empty
    cc_str expanded;   // another form than both, or empty
    cc_str latex;      // when asked for
    cc_str type;       // "Integer", "Add", "sin", "list" …
    cc_str value;      // of a constant: its decimal, every digit proven; "nan", "zoo", "oo"; "true", "false"; else empty
    cc_algebra_about about;
} cc_evaluate_result;

// Reads and evaluates an expression with symbols, in plain notation, or in LaTeX when it has a backslash. 0, or -1 with CC_VALIDATION
// (syntax, unknown name, assumption), CC_RESOURCE_EXHAUSTED or CC_TIMEOUT.
int cc_algebra_evaluate(cc_arena *arena, cc_str text, const cc_algebra_options *opt, cc_evaluate_result *out, cc_error *err);

// ---- the tool `symbolic`: one operation on one expression or system (src/math/symbolic.c) ----

typedef struct cc_symbolic_request {
    cc_str op;
    cc_str expr;
    cc_str var; // may be empty: the only symbol, or x
    bool has_n;
    int64_t n;                // order of a derivative, number of terms of a series
    cc_str point, dir;        // limit, series; dir is "+", "-" or empty: both sides
    cc_str lower, upper;      // integrate, sum, product; solve: only real roots in between
    cc_str system, variables; // solve_linear, groebner: equations with ";" between them, names with "," between them
    cc_str order;             // groebner: "lex" (also when empty), "grevlex"
    cc_algebra_options options;
} cc_symbolic_request;

typedef struct cc_symbolic_field {
    const char *name;
    cc_str value;
    bool raw;            // the value is a number or a truth value, not a text
    const cc_str *items; // a list instead of a value
    size_t n_items;
} cc_symbolic_field;

#define CC_SYMBOLIC_MAX_FIELDS 12

typedef struct cc_symbolic_result {
    cc_symbolic_field fields[CC_SYMBOLIC_MAX_FIELDS];
    size_t n_fields;
    cc_algebra_about about;
} cc_symbolic_result;

// 0, or -1 with CC_VALIDATION (an unknown operation, an expression that cannot be read, a variable that must be named),
// CC_RESOURCE_EXHAUSTED or CC_TIMEOUT.
int cc_symbolic_run(cc_arena *a, const cc_symbolic_request *request, cc_symbolic_result *out, cc_error *err);

// ---- are two expressions the same (src/math/equiv.c) ----

typedef struct cc_equiv_value {
    cc_str symbol, value;
} cc_equiv_value;

typedef struct cc_equiv_result {
    cc_truth identical;    // wherever both are defined: about.conditions names the points where only one is
    cc_str a, b;           // canonical forms
    cc_str difference;     // a - b, simplified
    cc_equiv_value *point; // of the witness that they differ; n_point = 0 for constants
    size_t n_point;
    cc_str value_a, value_b; // at the witness, every digit proven; empty when there is no witness
    cc_str identical_if;     // an assumption under which they are identical although they are not everywhere ("x > 0"), or empty
    cc_algebra_about about;
} cc_equiv_result;

// a and b in plain notation, or in LaTeX when they have a backslash. 0, or -1 with CC_VALIDATION naming a or b, CC_RESOURCE_EXHAUSTED or
// CC_TIMEOUT.
int cc_algebra_equiv(cc_arena *arena, cc_str a, cc_str b, const cc_algebra_options *opt, cc_equiv_result *out, cc_error *err);

#endif
