// Operations on exact matrices. The public function of matrix.h is here: it reads the matrices into one field (ring.c), bounds the
// sizes before computing, runs the operation, and checks the result against its definition (A times the inverse is 1, A X = B, …).
// Called by the tool. It owns nothing between calls. What holds only for general values of symbols comes with its conditions.
#include "math/ring.h"

#include <flint/fmpq_mat.h>
#include <math.h>

enum {
    MAX_CONSTANT = 12, // rows or columns of a matrix of irrational constants that is eliminated in
    MAX_SYMBOLIC = 12,
    MAX_ADJUGATE = 6,
    MAX_COFACTORS = 4,
    MAX_EIGEN = 60,
    MAX_EXPONENT = 10000,
};

#define MAX_INPUT_BITS 5e6
// Of all entries of a result together: of an inverse or a characteristic polynomial, of a solution or an echelon form, and of
// eigenvectors (fractions of polynomials in a root).
#define MAX_RESULT_BITS 1e8
#define MAX_FORM_BITS   2e7
#define MAX_VECTOR_BITS 3e5

// ---- sizes ----

// Bits of the longest entry when m is written over one denominator, which the algorithms for rational matrices do; 0 for NULL.
static double scaled_bits(const gr_mat_struct *m) {
    slong longest = 1;
    fmpz_t lcm;
    fmpz_init(lcm);
    fmpz_one(lcm);
    for (slong i = 0; m && i < m->r; i++)
        for (slong j = 0; j < m->c && fmpz_bits(lcm) < 10000000; j++) {
            const fmpq *q = fmpq_mat_entry(cc_as_cfmpq(m), i, j);
            slong bits = (slong)fmpz_bits(fmpq_numref(q));
            if (bits > longest) longest = bits;
            if (!fmpz_divisible(lcm, fmpq_denref(q))) fmpz_lcm(lcm, lcm, fmpq_denref(q));
        }
    double bits = m ? (double)longest + (double)fmpz_bits(lcm) : 0;
    fmpz_clear(lcm);
    return bits;
}

static int too_many(const cc_operands *o, double bits) {
    cc_error_set(o->k->err, CC_RESOURCE_EXHAUSTED,
                 "rows: %ld x %ld entries of up to %.0f bits (over one denominator) are too many for this operation", o->a->r, o->a->c,
                 bits);
    return cc_error_remedy(o->k->err, "give shorter numbers or a smaller matrix");
}

// Whether an elimination is affordable: sizes grow with the number of rows.
int cc_matrix_affordable(const cc_operands *o) {
    cc_ring *k = o->k;
    double rows = (double)o->a->r, columns = (double)o->a->c + (o->b ? (double)o->b->c : 0), n = rows < columns ? rows : columns;
    slong most = o->a->r > o->a->c ? o->a->r : o->a->c;
    int limit = k->kind == CC_RING_CONSTANT ? MAX_CONSTANT : MAX_SYMBOLIC;
    if (k->kind != CC_RING_RATIONAL && most > limit)
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "rows: with %s this operation takes at most %d x %d",
                            k->kind == CC_RING_CONSTANT ? "irrational entries" : "symbols", limit, limit);
    if (k->kind != CC_RING_RATIONAL) return 0;
    double bits = scaled_bits(o->a);
    return rows * columns * bits > MAX_INPUT_BITS || rows * columns * n * n * bits / 64 > 2e9 ? too_many(o, bits) : 0;
}

// The same of a result whose entries, as many as `size`, may each have as many bits as a determinant.
int cc_matrix_affordable_bits(const cc_operands *o, double size, double limit) {
    if (cc_matrix_affordable(o)) return -1;
    if (o->k->kind != CC_RING_RATIONAL) return 0;
    double bits = scaled_bits(o->a) + scaled_bits(o->b);
    return size * fmin((double)o->a->r, (double)o->a->c) * bits > limit ? too_many(o, bits) : 0;
}

static double entries(const gr_mat_struct *m) { return (double)m->r * (double)m->c; }

static int square(const cc_operands *o) {
    if (o->a->r == o->a->c) return 0;
    return cc_error_set(o->k->err, CC_VALIDATION, "rows: '%.*s' takes a square matrix, got %ldx%ld", (int)o->request->op.n,
                        o->request->op.p, o->a->r, o->a->c);
}

int cc_matrix_multiply(cc_ring *k, gr_mat_struct *out, const gr_mat_struct *a, const gr_mat_struct *b) {
    if (k->kind == CC_RING_SYMBOLIC) {
        double work = 0;
        for (slong i = 0; i < a->r; i++)
            for (slong j = 0; j < b->c; j++)
                for (slong l = 0; l < a->c; l++) {
                    const fmpz_mpoly_q_struct *x = (const fmpz_mpoly_q_struct *)cc_at(k, a, i, l),
                                              *y = (const fmpz_mpoly_q_struct *)cc_at(k, b, l, j);
                    work += (double)(fmpz_mpoly_q_numref(x)->length + fmpz_mpoly_q_denref(x)->length) *
                            (double)(fmpz_mpoly_q_numref(y)->length + fmpz_mpoly_q_denref(y)->length);
                }
        if (work > 1e7) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the product has too many terms; give numbers to some symbols");
    }
    if (cc_ring_ok(k, gr_mat_mul(out, a, b, k->gr), "the product")) return -1;
    for (slong i = 0; i < out->r; i++)
        for (slong j = 0; j < out->c; j++)
            if (cc_ring_bound(k, cc_at(k, out, i, j), CC_MATRIX_MAX_TERMS)) return -1;
    return cc_ring_poll(k);
}

int cc_matrix_withhold(cc_ring *k, const char *what) {
    return cc_error_set(k->err, CC_INTERNAL, "%s failed its check and was withheld", what);
}

// a b = c, or a defect is reported.
int cc_matrix_check_product(cc_ring *k, const gr_mat_struct *a, const gr_mat_struct *b, const gr_mat_struct *c, const char *what) {
    gr_mat_struct *p = cc_ring_matrix(k, a->r, b->c);
    bool equal;
    if (cc_matrix_multiply(k, p, a, b) || cc_ring_equal(k, p, c, &equal)) return -1;
    return equal ? 0 : cc_matrix_withhold(k, what);
}

// ---- results ----

int cc_matrix_add_part(cc_ring *k, cc_matrix_result *out, const char *name, const gr_mat_struct *m) {
    if (cc_ring_show_matrix(k, m, &out->parts[out->n_parts].text)) return -1;
    out->parts[out->n_parts++].name = name;
    return 0;
}

int cc_matrix_main_part(const cc_operands *o, const gr_mat_struct *m) {
    o->out->rows = (size_t)m->r;
    o->out->columns = (size_t)m->c;
    return cc_matrix_add_part(o->k, o->out, "matrix", m);
}

static int set_value(const cc_operands *o, gr_srcptr x) {
    o->out->value = cc_ring_show(o->k, x);
    return o->out->value.n ? 0 : -1;
}

// The columns of m, one vector a row.
static int vectors_part(const cc_operands *o, const gr_mat_struct *m) {
    gr_mat_struct *t = cc_ring_matrix(o->k, m->c, m->r);
    if (cc_ring_ok(o->k, gr_mat_transpose(t, m, o->k->gr), "the transpose")) return -1;
    return cc_matrix_add_part(o->k, o->out, "vectors", t);
}

// ---- the operations ----

static int op_transpose(cc_operands *o) {
    gr_mat_struct *t = cc_ring_matrix(o->k, o->a->c, o->a->r);
    return cc_ring_ok(o->k, gr_mat_transpose(t, o->a, o->k->gr), "the transpose") ? -1 : cc_matrix_main_part(o, t);
}

static int op_trace(cc_operands *o) {
    gr_ptr x = cc_ring_element(o->k);
    if (square(o) || cc_ring_ok(o->k, gr_mat_trace(x, o->a, o->k->gr), "the trace")) return -1;
    return set_value(o, x);
}

static int determinant(cc_ring *k, const gr_mat_struct *a, gr_ptr x) {
    if (k->kind == CC_RING_SYMBOLIC) return cc_symbolic_det(k, a, NULL, NULL, a->r, x);
    if (k->kind == CC_RING_RATIONAL) {
        fmpq_mat_det(x, cc_as_cfmpq(a));
        return 0;
    }
    return cc_ring_ok(k, gr_mat_det(x, a, k->gr), "the determinant");
}

static int op_det(cc_operands *o) {
    gr_ptr x = cc_ring_element(o->k);
    if (square(o) || cc_matrix_affordable(o) || determinant(o->k, o->a, x)) return -1;
    return set_value(o, x);
}

static int adjugate(cc_ring *k, const gr_mat_struct *a, gr_srcptr det, gr_mat_struct *out) {
    slong n = a->r, rows[MAX_ADJUGATE], columns[MAX_ADJUGATE];
    gr_ptr x = cc_ring_element(k);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            for (slong l = 0; l < n - 1; l++) {
                rows[l] = l + (l >= i);
                columns[l] = l + (l >= j);
            }
            if (cc_symbolic_det(k, a, rows, columns, n - 1, x)) return -1;
            int status = gr_div(cc_at(k, out, j, i), x, det, k->gr);
            if ((i + j) & 1) status |= gr_neg(cc_at(k, out, j, i), cc_at(k, out, j, i), k->gr);
            if (cc_ring_ok(k, status, "the inverse") || cc_ring_poll(k)) return -1;
        }
    return 0;
}

static gr_mat_struct *beside(cc_ring *k, const gr_mat_struct *a, const gr_mat_struct *b) {
    gr_mat_struct *m = cc_ring_matrix(k, a->r, a->c + b->c);
    int status = GR_SUCCESS;
    for (slong i = 0; i < a->r; i++)
        for (slong j = 0; j < a->c + b->c; j++)
            status |= gr_set(cc_at(k, m, i, j), j < a->c ? cc_at(k, a, i, j) : cc_at(k, b, i, j - a->c), k->gr);
    return cc_ring_ok(k, status, "the matrix") ? NULL : m;
}

// The inverse of o->a, checked, and its conditions.
static int invert(cc_operands *o, gr_mat_struct **out) {
    cc_ring *k = o->k;
    bool zero;
    if (square(o) || cc_matrix_affordable_bits(o, entries(o->a), MAX_RESULT_BITS)) return -1;
    slong n = o->a->r;
    gr_ptr det = cc_ring_element(k);
    gr_mat_struct *inverse = cc_ring_matrix(k, n, n), *one = cc_ring_matrix(k, n, n);
    *out = inverse;
    if (determinant(k, o->a, det) || cc_ring_zero(k, det, &zero)) return -1;
    if (zero) return cc_error_set(k->err, CC_VALIDATION, "rows: the matrix is singular (its determinant is 0): it has no inverse");
    if (cc_ring_ok(k, gr_mat_one(one, k->gr), "the inverse")) return -1;
    if (k->kind == CC_RING_RATIONAL) {
        if (!fmpq_mat_inv(cc_as_fmpq(inverse), cc_as_cfmpq(o->a))) return cc_matrix_withhold(k, "the inverse");
    } else if (k->kind == CC_RING_CONSTANT && n <= MAX_COFACTORS) {
        int status = gr_mat_adjugate(inverse, det, o->a, k->gr);
        cc_ring_settle(k, det);
        if (cc_ring_ok(k, status | gr_mat_div_scalar(inverse, inverse, det, k->gr), "the inverse")) return -1;
    } else if (k->kind == CC_RING_SYMBOLIC && n <= MAX_ADJUGATE) {
        if (adjugate(k, o->a, det, inverse)) return -1;
    } else {
        gr_mat_struct *m = beside(k, o->a, one);
        cc_echelon e;
        if (!m || cc_eliminate(k, m, n, true, NULL, &e)) return -1;
        if (e.rank != n) return cc_matrix_withhold(k, "the inverse");
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < n; j++)
                if (cc_ring_ok(k, gr_set(cc_at(k, inverse, i, j), cc_at(k, m, i, n + j), k->gr), "the inverse")) return -1;
    }
    // Products of rational functions of many symbols cost far more than the adjugate did.
    if ((k->kind != CC_RING_SYMBOLIC || n <= 3) && cc_matrix_check_product(k, o->a, inverse, one, "the inverse")) return -1;
    if (k->kind != CC_RING_SYMBOLIC) return 0;
    return cc_symbolic_condition(k, fmpz_mpoly_q_numref((fmpz_mpoly_q_struct *)det), o->out);
}

static int op_inverse(cc_operands *o) {
    gr_mat_struct *inverse;
    return invert(o, &inverse) ? -1 : cc_matrix_main_part(o, inverse);
}

// The reduced row echelon form of o->a in *m; text says that its entries will be written out.
static int reduce(cc_operands *o, bool text, gr_mat_struct **m, cc_echelon *e) {
    cc_ring *k = o->k;
    double rank = fmin((double)o->a->r, (double)o->a->c);
    if (text && cc_matrix_affordable_bits(o, rank * ((double)o->a->c - rank), MAX_FORM_BITS)) return -1;
    if (cc_matrix_affordable(o)) return -1;
    *m = cc_ring_matrix(k, o->a->r, o->a->c);
    if (k->kind == CC_RING_SYMBOLIC && o->a->r == o->a->c) { // a determinant is much cheaper than elimination, and mostly enough
        fmpz_mpoly_q_struct *det = cc_ring_element(k);
        if (cc_symbolic_det(k, o->a, NULL, NULL, o->a->r, det)) return -1;
        if (!fmpz_mpoly_q_is_zero(det, k->m)) {
            e->rank = o->a->r;
            e->rows = e->columns = CC_ARENA_ARRAY(k->arena, slong, (size_t)e->rank);
            for (slong i = 0; i < e->rank; i++) e->rows[i] = i;
            return cc_ring_ok(k, gr_mat_one(*m, k->gr), "the elimination");
        }
    }
    if (k->kind != CC_RING_RATIONAL) {
        if (cc_ring_ok(k, gr_mat_set(*m, o->a, k->gr), "the elimination")) return -1;
        return cc_eliminate(k, *m, o->a->c, true, NULL, e);
    }
    e->rank = fmpq_mat_rref(cc_as_fmpq(*m), cc_as_cfmpq(o->a));
    e->rows = NULL; // needed for conditions only, which rational matrices do not have
    e->columns = CC_ARENA_ARRAY(k->arena, slong, (size_t)e->rank + 1);
    for (slong i = 0, j = 0; i < e->rank; i++, j++) {
        while (fmpq_is_zero(fmpq_mat_entry(cc_as_cfmpq(*m), i, j))) j++;
        e->columns[i] = j;
    }
    return 0;
}

void cc_matrix_generic_note(cc_operands *o) {
    if (o->out->n_conditions) o->out->note = CC_STR("for symbols in general; where a condition fails the result may differ");
}

static int op_rref(cc_operands *o) {
    gr_mat_struct *m;
    cc_echelon e;
    if (reduce(o, true, &m, &e) || cc_echelon_condition(o->k, o->a, &e, o->out)) return -1;
    cc_matrix_generic_note(o);
    o->out->has_pivots = true;
    o->out->pivots = e.columns;
    o->out->n_pivots = (size_t)e.rank;
    return cc_matrix_main_part(o, m);
}

static int op_rank(cc_operands *o) {
    gr_mat_struct *m;
    cc_echelon e;
    if (reduce(o, false, &m, &e) || cc_echelon_condition(o->k, o->a, &e, o->out)) return -1;
    cc_matrix_generic_note(o);
    o->out->value = cc_arena_printf(o->k->arena, "%ld", e.rank);
    return 0;
}

static int op_nullspace(cc_operands *o) {
    cc_ring *k = o->k;
    gr_mat_struct *m;
    cc_echelon e;
    if (reduce(o, true, &m, &e) || cc_echelon_condition(k, o->a, &e, o->out)) return -1;
    cc_matrix_generic_note(o);
    gr_mat_struct *basis = cc_nullspace(k, m, o->a->c, &e), *zero = cc_ring_matrix(k, o->a->r, o->a->c - e.rank);
    if (!basis || cc_matrix_check_product(k, o->a, basis, zero, "the null space")) return -1;
    return vectors_part(o, basis);
}

static int op_multiply(cc_operands *o) {
    cc_ring *k = o->k;
    if (!o->b) return cc_error_set(k->err, CC_VALIDATION, "rhs: 'multiply' needs the second matrix");
    if (o->a->c != o->b->r)
        return cc_error_set(k->err, CC_VALIDATION, "rhs: has %ld rows, and rows has %ld columns; they must be equal", o->b->r, o->a->c);
    gr_mat_struct *p = cc_ring_matrix(k, o->a->r, o->b->c);
    return cc_matrix_multiply(k, p, o->a, o->b) ? -1 : cc_matrix_main_part(o, p);
}

static int op_power(cc_operands *o) {
    cc_ring *k = o->k;
    if (!o->request->has_n) return cc_error_set(k->err, CC_VALIDATION, "n: 'power' needs the exponent");
    if (square(o)) return -1;
    int64_t n = o->request->n, e = n < 0 ? -n : n;
    if (n < -MAX_EXPONENT || n > MAX_EXPONENT) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "n: at most %d", MAX_EXPONENT);
    double size = (double)o->a->r;
    double bits = (k->kind == CC_RING_RATIONAL ? scaled_bits(o->a) + log2(size) : 0) * (n < 0 ? size : 1);
    if (k->kind == CC_RING_RATIONAL && (double)e * bits * size * size > 4e6 * log2(10))
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "n: the power would have too many digits");
    gr_mat_struct *base = cc_ring_matrix(k, o->a->r, o->a->r), *acc = cc_ring_matrix(k, o->a->r, o->a->r),
                  *t = cc_ring_matrix(k, o->a->r, o->a->r), *from = o->a;
    if (n < 0 && invert(o, &from)) return -1;
    if (cc_ring_ok(k, gr_mat_set(base, from, k->gr), "the power")) return -1;
    if (cc_ring_ok(k, gr_mat_one(acc, k->gr), "the power")) return -1;
    for (; e; e >>= 1) {
        if (e & 1) {
            if (cc_matrix_multiply(k, t, acc, base)) return -1;
            gr_mat_swap(t, acc, k->gr);
        }
        if (e > 1) {
            if (cc_matrix_multiply(k, t, base, base)) return -1;
            gr_mat_swap(t, base, k->gr);
        }
    }
    return cc_matrix_main_part(o, acc);
}

// Solutions of A X = B: none, one, or a particular one and the null space of A.
static int op_solve(cc_operands *o) {
    cc_ring *k = o->k;
    cc_matrix_result *out = o->out;
    if (!o->b) return cc_error_set(k->err, CC_VALIDATION, "rhs: 'solve' needs the right-hand side, for one vector a column [[5], [6]]");
    if (o->a->r != o->b->r)
        return cc_error_set(k->err, CC_VALIDATION, "rhs: has %ld rows, and rows has %ld; they must be equal", o->b->r, o->a->r);
    slong n = o->a->c;
    cc_echelon e = {0};
    double columns = (double)o->b->c + fmax(0, (double)n - (double)o->a->r);
    if (cc_matrix_affordable_bits(o, (double)n * columns, MAX_FORM_BITS)) return -1;
    gr_mat_struct *m = beside(k, o->a, o->b);
    if (!m) return -1;
    if (k->kind == CC_RING_RATIONAL) {
        fmpq_mat_t r;
        fmpq_mat_init(r, m->r, m->c);
        slong rank = fmpq_mat_rref(r, cc_as_cfmpq(m));
        e.columns = CC_ARENA_ARRAY(k->arena, slong, (size_t)rank + 1);
        for (slong i = 0, j = 0; i < rank; i++, j++) {
            while (fmpq_is_zero(fmpq_mat_entry(r, i, j))) j++;
            if (j < n) e.columns[e.rank++] = j;
        }
        fmpq_mat_set(cc_as_fmpq(m), r);
        fmpq_mat_clear(r);
    } else if (cc_eliminate(k, m, n, true, NULL, &e)) {
        return -1;
    }
    if (cc_echelon_condition(k, o->a, &e, out)) return -1;
    for (slong i = e.rank; i < m->r; i++)
        for (slong j = n; j < m->c; j++) {
            bool zero;
            if (cc_ring_zero(k, cc_at(k, m, i, j), &zero)) return -1;
            if (zero) continue;
            if (k->kind == CC_RING_SYMBOLIC && cc_symbolic_condition(k, fmpz_mpoly_q_numref((fmpz_mpoly_q_struct *)cc_at(k, m, i, j)), out))
                return -1;
            out->solutions = "none";
            cc_matrix_generic_note(o);
            return 0;
        }
    gr_mat_struct *x = cc_ring_matrix(k, n, o->b->c);
    for (slong i = 0; i < e.rank; i++)
        for (slong j = 0; j < o->b->c; j++)
            if (cc_ring_ok(k, gr_set(cc_at(k, x, e.columns[i], j), cc_at(k, m, i, n + j), k->gr), "the solution")) return -1;
    if (cc_matrix_check_product(k, o->a, x, o->b, "the solution")) return -1;
    out->solutions = e.rank == n ? "unique" : "infinite";
    cc_matrix_generic_note(o);
    if (cc_matrix_main_part(o, x) || e.rank == n) return k->err->code ? -1 : 0;
    gr_mat_struct *basis = cc_nullspace(k, m, n, &e), *zero = cc_ring_matrix(k, o->a->r, n - e.rank);
    if (!basis || cc_matrix_check_product(k, o->a, basis, zero, "the null space")) return -1;
    return vectors_part(o, basis);
}

static int charpoly_of(cc_operands *o, bool minimal) {
    if (square(o) || cc_matrix_affordable_bits(o, entries(o->a), MAX_RESULT_BITS)) return -1;
    if (o->a->r > MAX_EIGEN) return cc_error_set(o->k->err, CC_RESOURCE_EXHAUSTED, "rows: at most %d x %d", MAX_EIGEN, MAX_EIGEN);
    return cc_matrix_charpoly(o->k, o->a, minimal, o->out);
}

static int op_charpoly(cc_operands *o) { return charpoly_of(o, false); }
static int op_minpoly(cc_operands *o) { return charpoly_of(o, true); }

static int eigen(cc_operands *o, bool vectors) {
    if (square(o) || cc_matrix_affordable_bits(o, entries(o->a), vectors ? MAX_VECTOR_BITS : MAX_RESULT_BITS)) return -1;
    int limit = vectors ? MAX_CONSTANT : MAX_EIGEN;
    if (o->a->r > limit) return cc_error_set(o->k->err, CC_RESOURCE_EXHAUSTED, "rows: at most %d x %d", limit, limit);
    return cc_matrix_eigen_run(o->k, o->a, vectors, o->out);
}

static int op_eigenvalues(cc_operands *o) { return eigen(o, false); }
static int op_eigenvectors(cc_operands *o) { return eigen(o, true); }

static int op_jordan(cc_operands *o) { return square(o) || cc_matrix_affordable(o) ? -1 : cc_matrix_jordan(o->k, o->a, o->out); }
static int op_exp(cc_operands *o) { return square(o) || cc_matrix_affordable(o) ? -1 : cc_matrix_exp(o->k, o->a, o->out); }

// ---- the table ----

static const struct {
    const char *name;
    int (*run)(cc_operands *o);
} table[] = {
    {"det", op_det},
    {"inverse", op_inverse},
    {"eigenvalues", op_eigenvalues},
    {"transpose", op_transpose},
    {"rank", op_rank},
    {"trace", op_trace},
    {"eigenvectors", op_eigenvectors},
    {"charpoly", op_charpoly},
    {"minpoly", op_minpoly},
    {"nullspace", op_nullspace},
    {"rref", op_rref},
    {"lu", cc_matrix_lu},
    {"qr", cc_matrix_qr},
    {"solve", op_solve},
    {"multiply", op_multiply},
    {"power", op_power},
    {"smith", cc_matrix_smith},
    {"hermite", cc_matrix_hermite},
    {"norm", cc_matrix_norm},
    {"jordan", op_jordan},
    {"exp", op_exp},
};

static int unknown_operation(cc_str op, cc_error *err) {
    CC_CLEANUP_BUF cc_buf words = {0};
    for (size_t i = 0; i < CC_ARRAY_LEN(table); i++) cc_buf_printf(&words, "%s%s", i ? ", " : "", table[i].name);
    cc_str shown = cc_utf8_prefix(op, 40);
    return cc_error_set(err, CC_VALIDATION, "op: '%.*s' is not one of %.*s", (int)shown.n, shown.p, (int)words.n, words.p);
}

int cc_matrix_run(cc_arena *a, const cc_matrix_request *request, cc_matrix_result *out, cc_error *err) {
    *out = (cc_matrix_result){.rows = request->a.rows, .columns = request->a.columns};
    *err = (cc_error){0};
    static const char *const names[] = {"rows", "rhs"};
    const cc_matrix_text texts[] = {request->a, request->b};
    size_t n = request->b.rows ? 2 : 1, op = 0;
    while (op < CC_ARRAY_LEN(table) && !cc_str_eqz(request->op, table[op].name)) op++;
    if (op == CC_ARRAY_LEN(table)) return unknown_operation(request->op, err);
    cc_ring k;
    gr_mat_struct *m[2] = {NULL, NULL};
    int rc = cc_ring_read(&k, a, texts, names, n, m, request->stop, err);
    if (!rc) {
        cc_operands o = {.k = &k, .request = request, .a = m[0], .b = m[1], .out = out};
        rc = table[op].run(&o);
        if (!rc && out->value.n > CC_MATRIX_MAX_TEXT)
            rc = cc_error_set(err, CC_RESOURCE_EXHAUSTED, "the result is longer than %u bytes", CC_MATRIX_MAX_TEXT);
        if (!rc && table[op].run != op_transpose) rc = cc_symbolic_conditions(&k, &k.divisors, out);
        if (rc && err->code == CC_OK) cc_error_set(err, CC_INTERNAL, "the operation failed and said nothing");
    }
    out->n_warnings = k.parsed.n_warnings;
    out->warnings = CC_ARENA_ARRAY(a, cc_str, k.parsed.n_warnings + 1);
    for (size_t i = 0; i < k.parsed.n_warnings; i++) out->warnings[i] = k.parsed.warnings[i];
    cc_ring_clear(&k);
    return rc;
}
