// Entries of matrices as elements of one of three fields, chosen for all matrices of a call together: the rationals, complex
// constants in Calcium, rational functions of symbols. A fourth one, the rationals with one root of a polynomial, is made for
// eigenvectors. Private to src/math.
//
// A cc_ring owns every matrix and element made with it; cc_ring_clear frees them all. Functions that fail set *k->err.
#ifndef CODECALC_MATH_RING_H
#define CODECALC_MATH_RING_H

#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_q.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/gr.h>
#include <flint/nf.h>
#include <flint/nf_elem.h>
#include <flint/gr_mat.h>

#include "codecalc/matrix.h"
#include "math/value.h"

typedef enum cc_ring_kind { CC_RING_RATIONAL, CC_RING_CONSTANT, CC_RING_SYMBOLIC, CC_RING_ROOT } cc_ring_kind;

typedef struct cc_ring_owned {
    struct cc_ring_owned *next;
    gr_mat_t mat;
} cc_ring_owned;

typedef struct cc_ring {
    cc_ring_kind kind;
    bool ready; // gr (and m) are initialised
    gr_ctx_t gr;
    cc_calc *calc; // evaluates constants, and owns the Calcium context
    bool borrowed; // calc is another ring's
    cc_parsed parsed;
    fmpz_mpoly_ctx_t m;
    nf_t nf;                   // of CC_RING_ROOT
    cc_str *symbols;           // sorted; then the variable of polynomials that are made here ("lambda")
    slong n_symbols;           // without that variable
    cc_matrix_result divisors; // conditions under which the entries, as they were written, have a value
    cc_ring_owned *owned;
    cc_arena *arena;
    cc_error *err;
} cc_ring;

#define CC_MATRIX_MAX_TERMS 5000         // of a polynomial in symbols
#define CC_MATRIX_MAX_PIVOT 600          // the same during an elimination, where each step takes greatest common divisors
#define CC_MATRIX_MAX_TEXT  (200u << 10) // bytes of a result

// Reads n matrices into one field; out[i] is owned by the ring. cc_ring_clear is due also after an error.
int cc_ring_read(cc_ring *k, cc_arena *a, const cc_matrix_text *texts, const char *const *names, size_t n, gr_mat_struct **out,
                 const volatile sig_atomic_t *stop, cc_error *err);
void cc_ring_clear(cc_ring *k);
// The field of constants beside k, with k's calculator; to be cleared before k. And a rational matrix of k in it.
int cc_ring_constants(cc_ring *k, cc_ring *out);
gr_mat_struct *cc_ring_lift(cc_ring *to, const gr_mat_struct *rational);
// The field of the rationals and one root of p (irreducible), which is shown as the ring's own variable.
void cc_ring_root(cc_ring *k, const fmpz_poly_t p, cc_ring *out);
// Matrices of zeros, and single elements (zero).
gr_mat_struct *cc_ring_matrix(cc_ring *k, slong rows, slong columns);
gr_ptr cc_ring_element(cc_ring *k);
static inline gr_ptr cc_at(cc_ring *k, const gr_mat_struct *m, slong i, slong j) {
    return (char *)m->entries + (size_t)(i * m->stride + j) * (size_t)k->gr->sizeof_elem;
}
// From the status of a FLINT function: 0, or -1 with an error that says that `what` could not be computed.
int cc_ring_ok(cc_ring *k, int status, const char *what);
// Is x zero? Constants that Calcium leaves open are looked at in all ways that the calculator knows, and replaced when they are
// found to be zero. Undecided is an error that names x in cc_ring_zero.
truth_t cc_ring_truth(cc_ring *k, gr_ptr x);
int cc_ring_zero(cc_ring *k, gr_ptr x, bool *zero);
// A constant that is a rational number in disguise is made one.
void cc_ring_settle(cc_ring *k, gr_ptr x);
int cc_ring_equal(cc_ring *k, const gr_mat_struct *a, const gr_mat_struct *b, bool *equal);
int cc_ring_poll(cc_ring *k);
// An element with symbols and more terms is an error.
int cc_ring_bound(cc_ring *k, gr_srcptr x, slong terms);

// ---- text ----

// The exact form of x; empty with an error set when it has none that can be read.
cc_str cc_ring_show(cc_ring *k, gr_srcptr x);
int cc_ring_show_matrix(cc_ring *k, const gr_mat_struct *m, cc_matrix_text *out);
cc_str cc_mpoly_show(cc_ring *k, const fmpz_mpoly_t p);
// A polynomial with the coefficients c[0 … length - 1] (text) in the ring's own variable.
cc_str cc_poly_show(cc_ring *k, const cc_str *c, slong length);
// c * x, where c is the text of a coefficient and x that of a factor: "-3*x/2"; *minus says that the sign was taken off.
cc_str cc_text_times(cc_ring *k, cc_str c, cc_str x, bool *minus);
cc_str cc_fmpz_poly_show(cc_ring *k, const fmpz *c, slong length);

// ---- symbols (symbols.c) ----

// The tree of an entry as a rational function.
int cc_symbolic_read(cc_ring *k, const cc_node *x, fmpz_mpoly_q_t out);
// det of the n × n matrix whose rows and columns are picked from m; NULL picks the first n.
int cc_symbolic_det(cc_ring *k, const gr_mat_struct *m, const slong *rows, const slong *columns, slong n, fmpz_mpoly_q_t out);
// Adds "factor != 0" for every factor of p that is not constant.
int cc_symbolic_condition(cc_ring *k, const fmpz_mpoly_t p, cc_matrix_result *out);
// The same for the denominators of the entries of m, a matrix that was computed.
int cc_symbolic_conditions(cc_ring *k, const cc_matrix_result *from, cc_matrix_result *out); // those of another result
int cc_symbolic_denominators(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out);

// ---- elimination (echelon.c) ----

typedef struct cc_echelon {
    slong rank;
    slong *rows;    // rows[i]: the row of the original matrix that became row i
    slong *columns; // pivot columns
} cc_echelon;

// Reduces m in place by elimination in its first `columns` columns; reduced says whether to the reduced row echelon form (pivots 1,
// zeros above them). With L not NULL the multipliers of a not reduced elimination go there (unit lower triangular).
int cc_eliminate(cc_ring *k, gr_mat_struct *m, slong columns, bool reduced, gr_mat_struct *L, cc_echelon *out);
// A basis of the null space, one vector a column, from a reduced form.
gr_mat_struct *cc_nullspace(cc_ring *k, const gr_mat_struct *rref, slong columns, const cc_echelon *e);
// The condition under which what was found for symbols in general holds: the minor of the pivots is not zero.
int cc_echelon_condition(cc_ring *k, const gr_mat_struct *original, const cc_echelon *e, cc_matrix_result *out);

// ---- eigenvalues (eigen.c) ----

int cc_matrix_charpoly(cc_ring *k, const gr_mat_struct *m, bool minimal, cc_matrix_result *out);
int cc_matrix_eigen_run(cc_ring *k, const gr_mat_struct *m, bool vectors, cc_matrix_result *out);
// The irreducible factors of the characteristic polynomial of a rational matrix.
void cc_matrix_factor_charpoly(const gr_mat_struct *m, fmpz_poly_factor_t factors);
bool cc_matrix_is_triangular(cc_ring *k, const gr_mat_struct *m);

// ---- jordan.c ----

int cc_matrix_jordan(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out);
int cc_matrix_exp(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out);

// ---- operations (matrix.c; factorize.c) ----

typedef struct cc_operands {
    cc_ring *k;
    const cc_matrix_request *request;
    gr_mat_struct *a, *b; // b may be NULL
    cc_matrix_result *out;
} cc_operands;

// Estimates before computing: of an elimination, and of a result of `size` entries that may each have the bits of a determinant.
int cc_matrix_affordable(const cc_operands *o);
int cc_matrix_affordable_bits(const cc_operands *o, double size, double limit);
int cc_matrix_multiply(cc_ring *k, gr_mat_struct *out, const gr_mat_struct *a, const gr_mat_struct *b);
// a b = c; else a defect of ours is reported.
int cc_matrix_check_product(cc_ring *k, const gr_mat_struct *a, const gr_mat_struct *b, const gr_mat_struct *c, const char *what);
int cc_matrix_withhold(cc_ring *k, const char *what);
int cc_matrix_main_part(const cc_operands *o, const gr_mat_struct *m);
void cc_matrix_generic_note(cc_operands *o);
int cc_matrix_lu(cc_operands *o);
int cc_matrix_qr(cc_operands *o);
int cc_matrix_smith(cc_operands *o);
int cc_matrix_hermite(cc_operands *o);
int cc_matrix_norm(cc_operands *o);
int cc_matrix_add_part(cc_ring *k, cc_matrix_result *out, const char *name, const gr_mat_struct *m);

// rational matrices are FLINT's own: the structures are one and the same
static inline fmpq_mat_struct *cc_as_fmpq(gr_mat_struct *m) { return (fmpq_mat_struct *)(void *)m; }
static inline const fmpq_mat_struct *cc_as_cfmpq(const gr_mat_struct *m) { return (const fmpq_mat_struct *)(const void *)m; }

#endif
