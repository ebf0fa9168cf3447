// Jordan form and exponential of exact matrices, in Calcium. Called by matrix.c. The form is multiplied out, and the exponential
// compared with a numerical enclosure, before they are given.
#include "math/ring.h"

#include <flint/acb_mat.h>
#include <flint/ca_mat.h>
#include <flint/fmpz_poly_factor.h>

enum { MAX_JORDAN = 8, CHECK_BITS = 256 };

static ca_mat_struct *as_ca(gr_mat_struct *m) { return (ca_mat_struct *)(void *)m; }

// Refuses a rational matrix with eigenvalues of a degree above 2: what is made of them could not be read.
static int has_long_roots(cc_ring *k, const gr_mat_struct *m, const char *what) {
    fmpz_poly_factor_t factors;
    fmpz_poly_factor_init(factors);
    cc_matrix_factor_charpoly(m, factors);
    int rc = 0;
    for (slong i = 0; i < factors->num && !rc; i++) {
        const fmpz_poly_struct *p = factors->p + i;
        if (fmpz_poly_degree(p) <= 2) continue;
        cc_str s = cc_utf8_prefix(cc_fmpz_poly_show(k, p->coeffs, fmpz_poly_length(p)), 200);
        cc_error_set(k->err, CC_VALIDATION,
                     "rows: '%s' takes matrices whose eigenvalues are rational or quadratic; here some are roots of %.*s", what, (int)s.n,
                     s.p);
        rc = cc_error_remedy(k->err, "op eigenvalues gives them with certified decimals, eigenvectors exact vectors");
    }
    fmpz_poly_factor_clear(factors);
    return rc;
}

static int with_constants(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out, const char *what,
                          int (*run)(cc_ring *c, gr_mat_struct *a, cc_matrix_result *out)) {
    if (k->kind == CC_RING_SYMBOLIC) return cc_error_set(k->err, CC_VALIDATION, "rows: '%s' takes numbers, no symbols", what);
    if (m->r > MAX_JORDAN)
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "rows: '%s' takes at most %d x %d", what, MAX_JORDAN, MAX_JORDAN);
    if (k->kind == CC_RING_RATIONAL && has_long_roots(k, m, what)) return -1;
    if (k->kind == CC_RING_CONSTANT && m->r > 2 && !cc_matrix_is_triangular(k, m))
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "rows: with irrational entries '%s' takes 2 x 2 and triangular matrices", what);
    cc_ring c;
    if (cc_ring_constants(k, &c)) return -1;
    gr_mat_struct *a = k->kind == CC_RING_RATIONAL ? cc_ring_lift(&c, m) : cc_ring_matrix(&c, m->r, m->r);
    int rc = k->kind == CC_RING_RATIONAL ? 0 : cc_ring_ok(&c, gr_mat_set(a, m, c.gr), what);
    if (!rc) rc = run(&c, a, out);
    cc_ring_clear(&c);
    return rc;
}

static int jordan(cc_ring *c, gr_mat_struct *a, cc_matrix_result *out) {
    ca_ctx_struct *ctx = c->calc->r.ca[CC_CA_DIRECT];
    slong n = a->r;
    gr_mat_struct *J = cc_ring_matrix(c, n, n), *P = cc_ring_matrix(c, n, n), *AP = cc_ring_matrix(c, n, n), *PJ = cc_ring_matrix(c, n, n);
    if (!ca_mat_jordan_form(as_ca(J), as_ca(P), as_ca(a), ctx))
        return cc_ring_poll(c) ? -1
                               : cc_error_set(c->err, CC_VALIDATION,
                                              "the Jordan form was not found: the eigenvalues or the ranks could not be decided exactly");
    bool equal, zero;
    gr_ptr det = cc_ring_element(c);
    ca_mat_det(det, as_ca(P), ctx);
    if (cc_ring_zero(c, det, &zero) ||
        cc_ring_ok(c, gr_mat_mul(AP, a, P, c->gr) | gr_mat_mul(PJ, P, J, c->gr), "the check of the Jordan form") ||
        cc_ring_equal(c, AP, PJ, &equal))
        return -1;
    if (zero || !equal) return cc_error_set(c->err, CC_INTERNAL, "the Jordan form failed its check and was withheld");
    return cc_matrix_add_part(c, out, "J", J) || cc_matrix_add_part(c, out, "P", P) ? -1 : 0;
}

static void enclose(acb_mat_t out, cc_ring *c, const gr_mat_struct *m) {
    for (slong i = 0; i < m->r; i++)
        for (slong j = 0; j < m->c; j++) ca_get_acb(acb_mat_entry(out, i, j), cc_at(c, m, i, j), CHECK_BITS, c->calc->r.ca[CC_CA_DIRECT]);
}

static int exponential(cc_ring *c, gr_mat_struct *a, cc_matrix_result *out) {
    ca_ctx_struct *ctx = c->calc->r.ca[CC_CA_DIRECT];
    slong n = a->r;
    gr_mat_struct *e = cc_ring_matrix(c, n, n);
    if (!ca_mat_exp(as_ca(e), as_ca(a), ctx))
        return cc_ring_poll(c) ? -1 : cc_error_set(c->err, CC_VALIDATION, "the exponential has no exact form that could be found");
    acb_mat_t x, y;
    acb_mat_init(x, n, n);
    acb_mat_init(y, n, n);
    enclose(x, c, a);
    enclose(y, c, e);
    acb_mat_exp(x, x, CHECK_BITS);
    bool overlaps = acb_mat_overlaps(x, y);
    acb_mat_clear(x);
    acb_mat_clear(y);
    if (!overlaps) return cc_error_set(c->err, CC_INTERNAL, "the exponential failed its check and was withheld");
    return cc_matrix_add_part(c, out, "matrix", e);
}

int cc_matrix_jordan(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out) { return with_constants(k, m, out, "jordan", jordan); }
int cc_matrix_exp(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out) { return with_constants(k, m, out, "exp", exponential); }
