// Elimination over any of the fields of ring.h: echelon forms, null spaces, and the condition under which a form that was found for
// symbols in general holds for their values. Called by matrix.c and eigen.c. A pivot is always proven not to be zero.
#include "math/ring.h"

#include <flint/fmpq_mat.h>

// How simple an element is, as a pivot: small is better.
static slong cost(cc_ring *k, gr_srcptr x) {
    if (k->kind == CC_RING_SYMBOLIC) {
        const fmpz_mpoly_q_struct *q = x;
        return fmpz_mpoly_length(fmpz_mpoly_q_numref(q), k->m) + fmpz_mpoly_length(fmpz_mpoly_q_denref(q), k->m) +
               (fmpz_mpoly_is_fmpz(fmpz_mpoly_q_numref(q), k->m) ? 0 : 1);
    }
    return k->kind == CC_RING_CONSTANT ? (CA_IS_QQ((ca_srcptr)x, k->calc->r.ca[CC_CA_DIRECT]) ? 0 : 1) : 0;
}

// The row of the simplest element of a column, from a row on, that is proven not to be zero; -1 when all are zero. Undecided is an
// error when no element is proven.
static int find_pivot(cc_ring *k, gr_mat_struct *m, slong from, slong column, bool keep_order, slong *row) {
    slong best = 0;
    gr_ptr unknown = NULL;
    *row = -1;
    for (slong i = from; i < m->r; i++) {
        gr_ptr x = cc_at(k, m, i, column);
        truth_t zero = cc_ring_truth(k, x);
        if (zero == T_UNKNOWN) unknown = x;
        if (zero != T_FALSE) continue;
        slong c = cost(k, x);
        if (*row < 0 || c < best) {
            *row = i;
            best = c;
        }
        if (keep_order) break;
    }
    bool zero;
    return *row < 0 && unknown ? cc_ring_zero(k, unknown, &zero) : 0;
}

static void swap_rows(cc_ring *k, gr_mat_struct *m, slong a, slong b, slong columns) {
    for (slong j = 0; j < columns && a != b; j++) gr_swap(cc_at(k, m, a, j), cc_at(k, m, b, j), k->gr);
}

// row[target] -= factor * row[source], from a column on
static int subtract(cc_ring *k, gr_mat_struct *m, slong target, slong source, gr_srcptr factor, slong from, gr_ptr t) {
    for (slong j = from; j < m->c; j++) {
        gr_srcptr x = cc_at(k, m, source, j);
        if (gr_is_zero(x, k->gr) == T_TRUE) continue;
        int status = gr_mul(t, factor, x, k->gr) | gr_sub(cc_at(k, m, target, j), cc_at(k, m, target, j), t, k->gr);
        if (cc_ring_ok(k, status, "the elimination") || cc_ring_bound(k, cc_at(k, m, target, j), CC_MATRIX_MAX_PIVOT)) return -1;
    }
    return cc_ring_poll(k);
}

int cc_eliminate(cc_ring *k, gr_mat_struct *m, slong columns, bool reduced, gr_mat_struct *L, cc_echelon *out) {
    gr_ptr t = cc_ring_element(k), inverse = cc_ring_element(k), factor = cc_ring_element(k);
    slong r = 0;
    *out = (cc_echelon){.rows = CC_ARENA_ARRAY(k->arena, slong, (size_t)m->r + 1),
                        .columns = CC_ARENA_ARRAY(k->arena, slong, (size_t)m->c + 1)};
    for (slong i = 0; i < m->r; i++) out->rows[i] = i;
    for (slong column = 0; column < columns && r < m->r; column++) {
        slong pivot;
        if (find_pivot(k, m, r, column, L != NULL, &pivot)) return -1;
        if (pivot < 0) {
            for (slong i = r; i < m->r; i++)
                if (gr_zero(cc_at(k, m, i, column), k->gr)) return cc_ring_ok(k, GR_UNABLE, "the elimination");
            continue;
        }
        cc_ring_settle(k, cc_at(k, m, pivot, column));
        swap_rows(k, m, r, pivot, m->c);
        if (L) swap_rows(k, L, r, pivot, r);
        slong moved = out->rows[r];
        out->rows[r] = out->rows[pivot];
        out->rows[pivot] = moved;
        if (k->kind == CC_RING_CONSTANT) // proven not to be zero, perhaps in a way that Calcium does not know
            ca_inv_no_division_by_zero(inverse, cc_at(k, m, r, column), k->calc->r.ca[CC_CA_DIRECT]);
        else if (cc_ring_ok(k, gr_inv(inverse, cc_at(k, m, r, column), k->gr), "the elimination"))
            return -1;
        if (reduced)
            for (slong j = column; j < m->c; j++) {
                if (cc_ring_ok(k, gr_mul(cc_at(k, m, r, j), cc_at(k, m, r, j), inverse, k->gr), "the elimination")) return -1;
            }
        for (slong i = reduced ? 0 : r + 1; i < m->r; i++) {
            if (i == r || gr_is_zero(cc_at(k, m, i, column), k->gr) == T_TRUE) continue;
            int status = reduced ? gr_set(factor, cc_at(k, m, i, column), k->gr) : gr_mul(factor, cc_at(k, m, i, column), inverse, k->gr);
            if (cc_ring_ok(k, status, "the elimination") || subtract(k, m, i, r, factor, column, t)) return -1;
            status = gr_zero(cc_at(k, m, i, column), k->gr);
            if (L) status |= gr_set(cc_at(k, L, i, r), factor, k->gr);
            if (cc_ring_ok(k, status, "the elimination")) return -1;
        }
        out->columns[r++] = column;
    }
    out->rank = r;
    return 0;
}

gr_mat_struct *cc_nullspace(cc_ring *k, const gr_mat_struct *rref, slong columns, const cc_echelon *e) {
    gr_mat_struct *basis = cc_ring_matrix(k, columns, columns - e->rank);
    slong free_column = 0, next = 0;
    int status = GR_SUCCESS;
    for (slong j = 0; j < columns; j++) {
        if (next < e->rank && e->columns[next] == j) {
            next++;
            continue;
        }
        for (slong i = 0; i < e->rank; i++) status |= gr_neg(cc_at(k, basis, e->columns[i], free_column), cc_at(k, rref, i, j), k->gr);
        status |= gr_one(cc_at(k, basis, j, free_column++), k->gr);
    }
    return cc_ring_ok(k, status, "the null space") ? NULL : basis;
}

int cc_echelon_condition(cc_ring *k, const gr_mat_struct *original, const cc_echelon *e, cc_matrix_result *out) {
    if (k->kind != CC_RING_SYMBOLIC) return 0;
    fmpz_mpoly_q_struct *d = cc_ring_element(k);
    if (cc_symbolic_det(k, original, e->rows, e->columns, e->rank, d)) return -1;
    return cc_symbolic_condition(k, fmpz_mpoly_q_numref(d), out);
}
