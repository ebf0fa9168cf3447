// Roots of polynomials with rational coefficients, by index: what CRootOf stands for, exactly and as enclosures. Called by enclose.c and
// bridge.c. The roots of a polynomial are found once in a call and kept by the cc_alg, which owns them; the enclosures are as narrow as the
// narrowest that was asked for.
#include "math/expr/enclose.h"
#include "math/expr/intern.h"

#include <flint/arb_fmpz_poly.h>
#include <flint/fmpz_poly.h>
#include <stdlib.h>

enum {
    MAX_DEGREE = 1000,       // with a real index
    MAX_COMPLEX_DEGREE = 60, // with any other
};

struct cc_x_roots {
    struct cc_x_roots *next;
    cc_xp poly, var;
    fmpz_poly_t p; // free of squares
    slong n, n_real;
    slong prec;    // of `real`; 0 = not found yet
    arb_ptr real;  // the real ones in ascending order
    qqbar_ptr all; // in the order of indices; NULL = not found yet
};

static void free_of_squares(fmpz_poly_t p) {
    fmpz_poly_t d;
    fmpz_poly_init(d);
    fmpz_poly_derivative(d, p);
    fmpz_poly_gcd(d, p, d);
    fmpz_poly_divexact(p, p, d);
    fmpz_poly_primitive_part(p, p);
    fmpz_poly_clear(d);
}

// The entry of the polynomial of a CRootOf; NULL: it has no such root.
static struct cc_x_roots *find(cc_alg *g, cc_xp x, slong *index) {
    if (!cc_x_fits_si(x->args[2], index) || *index < 0) return NULL;
    struct cc_x_roots *r = g->roots;
    while (r && (r->poly != x->args[0] || r->var != x->args[1])) r = r->next;
    fmpq_poly_t q;
    fmpq_poly_init(q);
    if (!r && cc_x_to_fmpq_poly(g, q, x->args[0], x->args[1]) && fmpq_poly_degree(q) >= 1 && fmpq_poly_degree(q) <= MAX_DEGREE) {
        r = cc_malloc(sizeof *r);
        *r = (struct cc_x_roots){.next = g->roots, .poly = x->args[0], .var = x->args[1]};
        fmpz_poly_init(r->p);
        fmpq_poly_get_numerator(r->p, q);
        free_of_squares(r->p);
        r->n = fmpz_poly_degree(r->p);
        g->roots = r;
    }
    fmpq_poly_clear(q);
    return r && *index < r->n ? r : NULL;
}

void cc_x_roots_clear(cc_alg *g) {
    while (g->roots) {
        struct cc_x_roots *r = g->roots;
        g->roots = r->next;
        fmpz_poly_clear(r->p);
        if (r->real) _arb_vec_clear(r->real, r->n);
        if (r->all) _qqbar_vec_clear(r->all, r->n);
        free(r);
    }
}

// By real part, then by the size of the imaginary part, then its sign.
static int by_place(const void *a, const void *b) {
    const qqbar_struct *x = a, *y = b;
    int c = qqbar_cmp_re(x, y);
    if (c) return c;
    c = qqbar_cmpabs_im(x, y);
    return c ? c : qqbar_cmp_im(x, y);
}

// The real ones in front.
static int by_index(const void *a, const void *b) {
    const qqbar_struct *x = a, *y = b;
    bool rx = qqbar_is_real(x), ry = qqbar_is_real(y);
    return rx != ry ? (rx ? -1 : 1) : by_place(a, b);
}

const qqbar_struct *cc_x_algebraic_root(cc_alg *g, cc_xp x) {
    slong index;
    struct cc_x_roots *r = find(g, x, &index);
    if (!r || r->n > MAX_COMPLEX_DEGREE) return NULL;
    if (!r->all) {
        r->all = _qqbar_vec_init(r->n);
        qqbar_roots_fmpz_poly(r->all, r->p, 0);
        qsort(r->all, (size_t)r->n, sizeof(qqbar_struct), by_index);
    }
    return r->all + index;
}

bool cc_x_enclose_root(cc_alg *g, acb_t out, cc_xp x, slong prec) {
    slong index;
    struct cc_x_roots *r = find(g, x, &index);
    if (!r) return false;
    if (r->prec < prec) {
        if (!r->real) r->real = _arb_vec_init(r->n);
        r->n_real = arb_fmpz_poly_real_roots(r->real, r->p, 0, prec);
        r->prec = prec;
    }
    if (index < r->n_real) {
        acb_set_arb(out, r->real + index);
        return true;
    }
    const qqbar_struct *q = cc_x_algebraic_root(g, x);
    if (q) qqbar_get_acb(out, q, prec);
    return q != NULL;
}
