// What the two files share that read LaTeX: the reader, tokens and names, and the parts of the grammar that call each other. Private to
// latex_read.c and latex_forms.c.
#ifndef CODECALC_MATH_EXPR_LATEX_READ_H
#define CODECALC_MATH_EXPR_LATEX_READ_H

#include "math/expr/read.h"

typedef struct cc_latex {
    cc_arena *arena;
    cc_error *err;
    cc_str s;
    size_t i;
    int depth;
    unsigned bars;             // absolute values that are open: | closes the innermost
    unsigned bound_i, bound_e; // sums that bind i or e
    bool evaluate;             // write operations that are carried out (integrate …) where there are such, else forms (Integral …)
    size_t end;                // where the text of the part that is read ends
} cc_latex;

#define TEXT(r, ...) cc_arena_printf((r)->arena, __VA_ARGS__)
#define S(s)         (int)(s).n, (s).p

// ---- latex_read.c ----

cc_str cc_latex_fail(cc_latex *r, const char *what);
const char *cc_latex_form(const cc_latex *r, const char *unevaluated, const char *operation);
bool cc_latex_looking(const cc_latex *r, const char *z);
cc_str cc_latex_command_at(const cc_latex *r, size_t i);
void cc_latex_skip(cc_latex *r);
bool cc_latex_take(cc_latex *r, const char *z);
bool cc_latex_take_any(cc_latex *r, const char *const *z, size_t n);
char cc_latex_peek(cc_latex *r);
cc_str cc_latex_enclosed(cc_latex *r, const char *close);
cc_str cc_latex_raw_group(cc_latex *r);
bool cc_latex_plain_name(cc_str s);
bool cc_latex_greek(cc_str c);
cc_str cc_latex_subscripted(cc_latex *r, cc_str name);
cc_str cc_latex_argument(cc_latex *r);
cc_str cc_latex_exponent(cc_latex *r);
cc_str cc_latex_postfix(cc_latex *r, cc_str x);
cc_str cc_latex_atom(cc_latex *r);
cc_str cc_latex_product(cc_latex *r);
cc_str cc_latex_additive(cc_latex *r);
cc_str cc_latex_relation(cc_latex *r);

// ---- latex_forms.c ----

bool cc_latex_call_arguments(cc_latex *r, cc_str *out);
cc_str cc_latex_apply(cc_latex *r, const char *name, const char *inverse);
bool cc_latex_function(cc_latex *r, cc_str command, cc_str *out); // false: the command is no function
cc_str cc_latex_named(cc_latex *r, cc_str name);
cc_str cc_latex_sum(cc_latex *r, const char *name);
cc_str cc_latex_limit(cc_latex *r);
cc_str cc_latex_integral(cc_latex *r);
cc_str cc_latex_fraction(cc_latex *r);
cc_str cc_latex_root(cc_latex *r);
cc_str cc_latex_cases(cc_latex *r);

#endif
