// Exact matrices: entries as text in, results as text out. For the tool `matrix`. An entry is any expression of the symbolic
// dialect: a number ("0.1" is exactly 1/10), a constant ("sqrt(2)", "pi*I") or a rational function of symbols ("(x + 1)/y").
// Knows nothing of tools. Everything returned lives in the caller's arena.
#ifndef CODECALC_MATRIX_H
#define CODECALC_MATRIX_H

#include "codecalc/base.h"

typedef struct cc_matrix_text {
    size_t rows, columns;
    const cc_str *entries; // row by row
} cc_matrix_text;

typedef struct cc_matrix_request {
    cc_str op; // det, inverse, …: an unknown one is an error that lists them
    cc_matrix_text a;
    cc_matrix_text b;                  // of solve and multiply; .rows = 0: not given
    bool has_n;                        // an exponent was given
    int64_t n;                         // of power
    const volatile sig_atomic_t *stop; // polled in loops of ours; may be NULL
} cc_matrix_request;

typedef struct cc_matrix_eigen {
    cc_str value;
    cc_str roots_of;        // not empty: value is a name in the vectors, and stands for every root of this polynomial
    size_t multiplicity;    // in the characteristic polynomial
    cc_matrix_text vectors; // one a row; .rows = 0: not asked for
} cc_matrix_eigen;

#define CC_MATRIX_MAX_PARTS 4

typedef struct cc_matrix_result {
    size_t rows, columns; // of the matrix that comes out, else of the one that went in
    cc_str value;         // a number or polynomial; empty for none
    size_t n_parts;
    struct {
        const char *name; // "matrix", "L", "U", …
        cc_matrix_text text;
    } parts[CC_MATRIX_MAX_PARTS];
    const char *solutions; // of solve: "none", "unique", "infinite"; else NULL
    bool has_pivots;       // of rref: the pivot columns, from 0
    size_t n_pivots;
    const long *pivots;
    bool has_eigen;
    size_t n_eigen;
    cc_matrix_eigen *eigen;
    size_t n_polynomials; // that "root(p1, …)", "root(p2, …)" of the eigenvalues name
    cc_str *polynomials;
    size_t n_conditions; // under which a result with symbols holds
    cc_str *conditions;
    cc_str note;
    size_t n_warnings;
    cc_str *warnings;
} cc_matrix_result;

// 0, or -1 with CC_VALIDATION (an entry that cannot be read, a shape that does not fit, a singular matrix, a number that could not
// be decided to be zero or not), CC_RESOURCE_EXHAUSTED (estimated before computing) or CC_TIMEOUT (stop).
int cc_matrix_run(cc_arena *a, const cc_matrix_request *request, cc_matrix_result *out, cc_error *err);

#endif
