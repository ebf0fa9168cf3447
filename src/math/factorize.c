// Factorizations, integer normal forms and lengths of exact matrices. Called through the table of matrix.c. Every factorization is
// multiplied out and compared with the matrix before it is given.
#include "math/ring.h"

#include <flint/fmpq_mat.h>
#include <flint/fmpz_mat.h>

enum {
    MAX_LU = 40,
    MAX_QR = 12,
    MAX_SMITH = 40,
};

#define MAX_LU_BITS 3e6 // fractions are reduced at every step

int cc_matrix_lu(cc_operands *o) {
    cc_ring *k = o->k;
    cc_echelon e;
    slong n = o->a->r;
    if (cc_matrix_affordable_bits(o, (double)o->a->r * (double)o->a->c, MAX_LU_BITS)) return -1;
    if (n > MAX_LU || o->a->c > MAX_LU) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "rows: at most %d x %d", MAX_LU, MAX_LU);
    gr_mat_struct *U = cc_ring_matrix(k, n, o->a->c), *L = cc_ring_matrix(k, n, n), *P = cc_ring_matrix(k, n, n),
                  *PL = cc_ring_matrix(k, n, n);
    if (cc_ring_ok(k, gr_mat_set(U, o->a, k->gr) | gr_mat_one(L, k->gr), "the factorization")) return -1;
    if (cc_eliminate(k, U, o->a->c, false, L, &e)) return -1;
    int status = GR_SUCCESS;
    for (slong i = 0; i < n; i++) status |= gr_one(cc_at(k, P, e.rows[i], i), k->gr);
    if (cc_ring_ok(k, status, "the factorization") || cc_matrix_multiply(k, PL, P, L) ||
        cc_matrix_check_product(k, PL, U, o->a, "the factorization"))
        return -1;
    if (cc_symbolic_denominators(k, L, o->out) || cc_symbolic_denominators(k, U, o->out)) return -1;
    if (cc_echelon_condition(k, o->a, &e, o->out)) return -1;
    cc_matrix_generic_note(o);
    o->out->rows = (size_t)n;
    bool moved = false;
    for (slong i = 0; i < n; i++) moved = moved || e.rows[i] != i;
    if (moved && cc_matrix_add_part(k, o->out, "P", P)) return -1;
    return cc_matrix_add_part(k, o->out, "L", L) || cc_matrix_add_part(k, o->out, "U", U) ? -1 : 0;
}

// ---- integers ----

static int integers(const cc_operands *o, fmpz_mat_t out) {
    if (o->k->kind == CC_RING_RATIONAL && fmpq_mat_is_integral(cc_as_cfmpq(o->a))) {
        if (o->a->r > MAX_SMITH || o->a->c > MAX_SMITH)
            return cc_error_set(o->k->err, CC_RESOURCE_EXHAUSTED, "rows: at most %d x %d", MAX_SMITH, MAX_SMITH);
        fmpq_mat_get_fmpz_mat(out, cc_as_cfmpq(o->a));
        return cc_matrix_affordable(o);
    }
    return cc_error_set(o->k->err, CC_VALIDATION, "rows: '%.*s' takes integers", (int)o->request->op.n, o->request->op.p);
}

static int normal_form(cc_operands *o, bool smith) {
    fmpz_mat_t a, h;
    fmpz_mat_init(a, o->a->r, o->a->c);
    fmpz_mat_init(h, o->a->r, o->a->c);
    int rc = integers(o, a);
    if (!rc) {
        if (smith)
            fmpz_mat_snf(h, a);
        else
            fmpz_mat_hnf(h, a);
        gr_mat_struct *m = cc_ring_matrix(o->k, o->a->r, o->a->c);
        fmpq_mat_set_fmpz_mat(cc_as_fmpq(m), h);
        if (smith ? !fmpz_mat_is_in_snf(h) : !fmpz_mat_is_in_hnf(h))
            rc = cc_matrix_withhold(o->k, "the normal form");
        else
            rc = cc_matrix_main_part(o, m);
    }
    fmpz_mat_clear(a);
    fmpz_mat_clear(h);
    return rc;
}

int cc_matrix_smith(cc_operands *o) { return normal_form(o, true); }
int cc_matrix_hermite(cc_operands *o) { return normal_form(o, false); }

// ---- lengths ----

static int show_real(cc_operands *o, cc_real *x, cc_str *out) {
    cc_val v;
    if (cc_val_real(&v, x)) return -1;
    *out = cc_val_form(o->k->calc, &v);
    return out->n ? 0 : cc_error_set(o->k->err, CC_RESOURCE_EXHAUSTED, "the result has no short exact form");
}

// The square root of the sum of the squares of the absolute values.
int cc_matrix_norm(cc_operands *o) {
    cc_ring *k = o->k;
    if (k->kind == CC_RING_SYMBOLIC)
        return cc_error_set(k->err, CC_VALIDATION, "rows: the norm of symbols depends on their being real; put numbers in");
    gr_ptr sum = cc_ring_element(k), t = cc_ring_element(k);
    for (slong i = 0; i < o->a->r; i++)
        for (slong j = 0; j < o->a->c; j++) {
            gr_srcptr x = cc_at(k, o->a, i, j);
            int status = k->kind == CC_RING_CONSTANT ? gr_conj(t, x, k->gr) : gr_set(t, x, k->gr);
            status |= gr_mul(t, t, x, k->gr) | gr_add(sum, sum, t, k->gr);
            if (cc_ring_ok(k, status, "the norm")) return -1;
        }
    cc_reals *r = &k->calc->r;
    cc_real *square = k->kind == CC_RING_RATIONAL ? cc_real_fmpq(r, sum) : cc_real_read(r, sum);
    if (!square) return k->err->code ? -1 : cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the norm has no short exact form");
    return show_real(o, cc_real_root(r, square, 2), &o->out->value);
}

// Gram and Schmidt without roots: A = V T with orthogonal columns in V and units on the diagonal of T; then Q = V / |v|, R = |v| T.
int cc_matrix_qr(cc_operands *o) {
    cc_ring *k = o->k;
    cc_reals *r = &k->calc->r;
    slong n = o->a->r, m = o->a->c;
    if (k->kind != CC_RING_RATIONAL) return cc_error_set(k->err, CC_VALIDATION, "rows: 'qr' takes rational entries");
    if (m > MAX_QR || n > MAX_QR) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "rows: 'qr' takes at most %d x %d", MAX_QR, MAX_QR);
    fmpq_mat_t V, T, N;
    fmpq_mat_init(V, n, m);
    fmpq_mat_init(T, m, m);
    fmpq_mat_init(N, m, 1);
    fmpq_mat_one(T);
    fmpq_t dot;
    fmpq_init(dot);
    fmpq_mat_set(V, cc_as_cfmpq(o->a));
    int rc = 0;
    for (slong j = 0; j < m && !rc; j++) {
        for (slong i = 0; i < j; i++) {
            fmpq_zero(dot);
            for (slong l = 0; l < n; l++) fmpq_addmul(dot, fmpq_mat_entry(V, l, i), fmpq_mat_entry(cc_as_cfmpq(o->a), l, j));
            fmpq_div(fmpq_mat_entry(T, i, j), dot, fmpq_mat_entry(N, i, 0));
            for (slong l = 0; l < n; l++) fmpq_submul(fmpq_mat_entry(V, l, j), fmpq_mat_entry(T, i, j), fmpq_mat_entry(V, l, i));
        }
        for (slong l = 0; l < n; l++) fmpq_addmul(fmpq_mat_entry(N, j, 0), fmpq_mat_entry(V, l, j), fmpq_mat_entry(V, l, j));
        if (fmpq_is_zero(fmpq_mat_entry(N, j, 0)))
            rc = cc_error_set(k->err, CC_VALIDATION, "rows: 'qr' takes linearly independent columns; column %ld depends on those before it",
                              j);
    }
    fmpq_mat_t check;
    fmpq_mat_init(check, n, m);
    fmpq_mat_mul(check, V, T);
    if (!rc && !fmpq_mat_equal(check, cc_as_cfmpq(o->a))) rc = cc_matrix_withhold(k, "the factorization");
    fmpq_mat_clear(check);
    cc_str *q = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)(n * m)), *t = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)(m * m));
    for (slong j = 0; j < m && !rc; j++) {
        cc_real *length = cc_real_root(r, cc_real_fmpq(r, fmpq_mat_entry(N, j, 0)), 2);
        if (!length) rc = -1;
        for (slong i = 0; i < n && !rc; i++)
            rc = show_real(o, cc_real_div(r, cc_real_fmpq(r, fmpq_mat_entry(V, i, j)), length), &q[i * m + j]);
        for (slong i = 0; i < m && !rc; i++)
            rc = show_real(o, cc_real_mul(r, cc_real_fmpq(r, fmpq_mat_entry(T, j, i)), length), &t[j * m + i]);
    }
    fmpq_clear(dot);
    fmpq_mat_clear(V);
    fmpq_mat_clear(T);
    fmpq_mat_clear(N);
    if (rc) return -1;
    o->out->parts[0].name = "Q";
    o->out->parts[0].text = (cc_matrix_text){(size_t)n, (size_t)m, q};
    o->out->parts[1].name = "R";
    o->out->parts[1].text = (cc_matrix_text){(size_t)m, (size_t)m, t};
    o->out->n_parts = 2;
    return 0;
}
