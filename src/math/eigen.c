// Characteristic and minimal polynomials, eigenvalues and eigenvectors of exact matrices. Called by matrix.c. Eigenvalues of rational
// matrices come from the irreducible factors of the characteristic polynomial: rational, in radicals where these are short, else as
// root(polynomial, decimal), whose decimals are certified and tell the root from the others. Nothing here is found numerically and then
// guessed to be exact.
#include "math/ring.h"

#include <flint/arb_fmpz_poly.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/fmpz_vec.h>
#include <flint/gr_poly.h>
#include <flint/gr_vec.h>
#include <flint/qqbar.h>

#include "codecalc/rational.h"

enum {
    MAX_RADICAL_DEGREE = 4,
    MAX_RADICAL_HEIGHT = 200, // bits of a coefficient
    MAX_RADICAL = 60,         // bytes of an eigenvalue in radicals
    MAX_INLINE = 60,          // bytes of a polynomial written inside root(…)
    ROOT_DIGITS = 15,
};

typedef struct finder {
    cc_ring *k;
    const gr_mat_struct *m;
    cc_matrix_result *out;
    bool vectors;
    cc_ring constants; // when vectors of irrational eigenvalues are wanted
    bool has_constants;
    gr_mat_struct *lifted;
} finder;

static cc_matrix_eigen *add(finder *f, cc_str value, ulong multiplicity) {
    if (!f->out->eigen) f->out->eigen = CC_ARENA_ARRAY(f->k->arena, cc_matrix_eigen, (size_t)f->m->r);
    cc_matrix_eigen *e = &f->out->eigen[f->out->n_eigen++];
    *e = (cc_matrix_eigen){.value = value, .multiplicity = multiplicity};
    return e;
}

// ---- polynomials ----

// det(lambda - m) of symbols, as a fraction.
static int symbolic_charpoly(cc_ring *k, const gr_mat_struct *m, fmpz_mpoly_q_struct *out) {
    gr_mat_struct *t = cc_ring_matrix(k, m->r, m->r);
    fmpz_mpoly_q_t lambda;
    fmpz_mpoly_q_init(lambda, k->m);
    fmpz_mpoly_q_gen(lambda, k->n_symbols, k->m);
    int status = gr_mat_neg(t, m, k->gr);
    for (slong i = 0; i < m->r; i++) status |= gr_add(cc_at(k, t, i, i), cc_at(k, t, i, i), lambda, k->gr);
    fmpz_mpoly_q_clear(lambda, k->m);
    return cc_ring_ok(k, status, "the characteristic polynomial") ? -1 : cc_symbolic_det(k, t, NULL, NULL, m->r, out);
}

static int show_symbolic(cc_ring *k, const fmpz_mpoly_q_struct *p, cc_str *out) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, k->m);
    fmpz_mpoly_to_univar(u, fmpz_mpoly_q_numref(p), k->n_symbols, k->m);
    slong n = fmpz_mpoly_univar_length(u, k->m), degree = n ? fmpz_mpoly_univar_get_term_exp_si(u, 0, k->m) : 0;
    cc_str *c = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)degree + 1);
    for (slong i = 0; i <= degree; i++) c[i] = CC_STR("0");
    int rc = 0;
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, k->m);
    for (slong i = 0; i < n && !rc; i++) {
        fmpz_mpoly_univar_get_term_coeff(fmpz_mpoly_q_numref(q), u, i, k->m);
        fmpz_mpoly_set(fmpz_mpoly_q_denref(q), fmpz_mpoly_q_denref(p), k->m);
        fmpz_mpoly_q_canonicalise(q, k->m);
        cc_str s = cc_ring_show(k, q);
        c[fmpz_mpoly_univar_get_term_exp_si(u, i, k->m)] = s;
        rc = s.n ? 0 : -1;
    }
    fmpz_mpoly_q_clear(q, k->m);
    fmpz_mpoly_univar_clear(u, k->m);
    if (!rc) *out = cc_poly_show(k, c, degree + 1);
    return rc;
}

int cc_matrix_charpoly(cc_ring *k, const gr_mat_struct *m, bool minimal, cc_matrix_result *out) {
    if (k->kind == CC_RING_SYMBOLIC && !minimal) {
        fmpz_mpoly_q_struct *p = cc_ring_element(k);
        if (symbolic_charpoly(k, m, p)) return -1;
        return show_symbolic(k, p, &out->value);
    }
    if (k->kind == CC_RING_SYMBOLIC)
        return cc_error_set(k->err, CC_VALIDATION, "rows: 'minpoly' takes numbers; with symbols it depends on their values");
    gr_poly_t p;
    gr_poly_init(p, k->gr);
    int status = GR_SUCCESS;
    if (k->kind == CC_RING_RATIONAL) {
        fmpq_poly_t q;
        fmpq_t c;
        fmpq_poly_init(q);
        fmpq_init(c);
        if (minimal)
            fmpq_mat_minpoly(q, cc_as_cfmpq(m));
        else
            fmpq_mat_charpoly(q, cc_as_cfmpq(m));
        for (slong i = 0; i < fmpq_poly_length(q); i++) {
            fmpq_poly_get_coeff_fmpq(c, q, i);
            status |= gr_poly_set_coeff_scalar(p, i, c, k->gr);
        }
        fmpq_poly_clear(q);
        fmpq_clear(c);
    } else {
        status = minimal ? gr_mat_minpoly_field(p, m, k->gr) : gr_mat_charpoly(p, m, k->gr);
    }
    int rc = cc_ring_ok(k, status, minimal ? "the minimal polynomial" : "the characteristic polynomial");
    slong n = gr_poly_length(p, k->gr);
    cc_str *c = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)n + 1);
    for (slong i = 0; i < n && !rc; i++) {
        c[i] = cc_ring_show(k, gr_poly_coeff_srcptr(p, i, k->gr));
        rc = c[i].n ? 0 : -1;
    }
    gr_poly_clear(p, k->gr);
    if (!rc) out->value = cc_poly_show(k, c, n);
    return rc;
}

// ---- eigenvectors ----

// A basis of the null space of m - value in the field k, into e; shown.
static int vectors_of(finder *f, cc_ring *k, const gr_mat_struct *m, gr_srcptr value, cc_matrix_eigen *e) {
    slong n = m->r;
    gr_mat_struct *t = cc_ring_matrix(k, n, n), *original = cc_ring_matrix(k, n, n);
    int status = gr_mat_set(t, m, k->gr);
    for (slong i = 0; i < n; i++) status |= gr_sub(cc_at(k, t, i, i), cc_at(k, t, i, i), value, k->gr);
    status |= gr_mat_set(original, t, k->gr);
    cc_echelon ech;
    if (cc_ring_ok(k, status, "the eigenvectors") || cc_eliminate(k, t, n, true, NULL, &ech)) return -1;
    if (ech.rank == n) return cc_error_set(k->err, CC_INTERNAL, "an eigenvalue without eigenvector was withheld");
    gr_mat_struct *basis = cc_nullspace(k, t, n, &ech), *product = cc_ring_matrix(k, n, n - ech.rank);
    if (!basis || cc_ring_ok(k, gr_mat_mul(product, original, basis, k->gr), "the check of the eigenvectors")) return -1;
    bool zero;
    if (cc_ring_equal(k, product, cc_ring_matrix(k, n, n - ech.rank), &zero)) return -1;
    if (!zero) return cc_error_set(k->err, CC_INTERNAL, "the eigenvectors failed their check and were withheld");
    if (cc_echelon_condition(k, original, &ech, f->out)) return -1;
    gr_mat_struct *rows = cc_ring_matrix(k, n - ech.rank, n);
    if (cc_ring_ok(k, gr_mat_transpose(rows, basis, k->gr), "the eigenvectors")) return -1;
    return cc_ring_show_matrix(k, rows, &e->vectors);
}

static int vectors_of_algebraic(finder *f, const qqbar_t q, cc_matrix_eigen *e) {
    if (!f->has_constants) {
        if (cc_ring_constants(f->k, &f->constants)) return -1;
        f->has_constants = true;
        f->lifted = cc_ring_lift(&f->constants, f->m);
    }
    gr_ptr value = cc_ring_element(&f->constants);
    ca_set_qqbar(value, q, f->k->calc->r.ca[CC_CA_DIRECT]);
    return vectors_of(f, &f->constants, f->lifted, value, e);
}

// ---- eigenvalues of rational matrices ----

// x rounded to ROOT_DIGITS digits; false when the ball is too wide to tell.
static bool decimal(cc_arena *a, const arb_t x, cc_str *out) {
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    cc_rational_enclose(lo, hi, x);
    CC_CLEANUP_BUF cc_buf b = {0}, c = {0};
    cc_rational_digits(&b, lo, ROOT_DIGITS);
    cc_rational_digits(&c, hi, ROOT_DIGITS);
    fmpq_clear(lo);
    fmpq_clear(hi);
    *out = cc_arena_dup(a, cc_buf_str(&b));
    return cc_str_eq(cc_buf_str(&b), cc_buf_str(&c));
}

static bool root_text(cc_ring *k, const acb_t z, cc_str *out) {
    cc_str re, im;
    if (!decimal(k->arena, acb_realref(z), &re)) return false;
    *out = re;
    if (arb_is_zero(acb_imagref(z))) return true;
    if (!decimal(k->arena, acb_imagref(z), &im)) return false;
    bool minus = im.p[0] == '-', none = cc_str_eqz(re, "0");
    *out = cc_arena_printf(k->arena, "%.*s%s%.*s*I", none ? 0 : (int)re.n, re.p,
                           none    ? (minus ? "-" : "")
                           : minus ? " - "
                                   : " + ",
                           (int)im.n - minus, im.p + minus);
    return true;
}

// Puts real parts of 0 right: a root z of an even irreducible polynomial is imaginary when its conjugate is -z, and both are roots,
// so it is enough that they are one and the same of the isolated roots.
static void settle_imaginary(acb_ptr z, slong n, slong i) {
    acb_t conjugate, negative;
    acb_init(conjugate);
    acb_init(negative);
    acb_conj(conjugate, z + i);
    acb_neg(negative, z + i);
    slong same = -1, found = 0;
    for (slong j = 0; j < n; j++) {
        bool c = acb_overlaps(z + j, conjugate), m = acb_overlaps(z + j, negative);
        found += c || m;
        if (c && m) same = j;
    }
    if (found == 1 && same >= 0) arb_zero(acb_realref(z + i));
    acb_clear(conjugate);
    acb_clear(negative);
}

static bool is_even(const fmpz_poly_t p) {
    for (slong i = 1; i < fmpz_poly_length(p); i += 2)
        if (!fmpz_is_zero(fmpz_poly_get_coeff_ptr(p, i))) return false;
    return true;
}

// The eigenvectors of all roots of an irreducible polynomial together, with the root as a variable in them.
static int vectors_of_roots(finder *f, const fmpz_poly_t p, cc_str name, ulong multiplicity) {
    cc_ring c;
    cc_ring_root(f->k, p, &c);
    gr_ptr value = cc_ring_element(&c);
    gr_mat_struct *m = cc_ring_lift(&c, f->m);
    cc_matrix_eigen *e = add(f, c.symbols[c.n_symbols], multiplicity);
    e->roots_of = name;
    int rc = !m || cc_ring_ok(&c, gr_gen(value, c.gr), "the eigenvalue") ? -1 : vectors_of(f, &c, m, value, e);
    cc_ring_clear(&c);
    return rc;
}

// The roots of an irreducible polynomial as root(p, decimal), the decimals all different.
static int roots_by_decimals(finder *f, const fmpz_poly_t p, ulong multiplicity) {
    cc_ring *k = f->k;
    slong n = fmpz_poly_degree(p);
    cc_str name = cc_fmpz_poly_show(k, p->coeffs, n + 1);
    if (f->vectors) return vectors_of_roots(f, p, name, multiplicity);
    if (name.n > MAX_INLINE) {
        if (!f->out->polynomials) f->out->polynomials = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)f->m->r);
        f->out->polynomials[f->out->n_polynomials++] = name;
        name = cc_arena_printf(k->arena, "p%zu", f->out->n_polynomials);
    }
    acb_ptr z = _acb_vec_init(n);
    cc_str *texts = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)n);
    bool done = false;
    for (slong prec = 128; prec <= 2048 && !done && !cc_ring_poll(k); prec *= 2) {
        arb_fmpz_poly_complex_roots(z, p, 0, prec);
        done = true;
        for (slong i = 0; i < n && is_even(p); i++)
            if (arb_contains_zero(acb_realref(z + i)) && !arb_is_zero(acb_realref(z + i))) settle_imaginary(z, n, i);
        for (slong i = 0; i < n && done; i++) {
            done = root_text(k, z + i, &texts[i]);
            for (slong j = 0; j < i && done; j++) done = !cc_str_eq(texts[i], texts[j]);
        }
    }
    _acb_vec_clear(z, n);
    if (!done)
        return cc_ring_poll(k) ? -1
                               : cc_error_set(k->err, CC_RESOURCE_EXHAUSTED,
                                              "the eigenvalues lie too close together to be told apart by %d digits", ROOT_DIGITS);
    for (slong i = 0; i < n; i++)
        add(f, cc_arena_printf(k->arena, "root(%.*s, %.*s)", (int)name.n, name.p, (int)texts[i].n, texts[i].p), multiplicity);
    return 0;
}

// The roots of an irreducible polynomial in radicals, when all of them are short; *short says whether they are.
static int roots_by_radicals(finder *f, const fmpz_poly_t p, ulong multiplicity, bool *is_short) {
    cc_ring *k = f->k;
    slong n = fmpz_poly_degree(p);
    *is_short = false;
    if (f->vectors && n > 2) return 0; // the vectors are shorter with the root as a variable in them
    if (n > MAX_RADICAL_DEGREE || fmpz_poly_max_bits(p) > MAX_RADICAL_HEIGHT || -fmpz_poly_max_bits(p) > MAX_RADICAL_HEIGHT) return 0;
    cc_ring c;
    if (cc_ring_constants(k, &c)) return -1;
    qqbar_ptr q = _qqbar_vec_init(n);
    qqbar_roots_fmpz_poly(q, p, QQBAR_ROOTS_IRREDUCIBLE);
    cc_str *texts = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)n);
    gr_ptr x = cc_ring_element(&c);
    cc_error before = *k->err;
    *is_short = true;
    for (slong i = 0; i < n && *is_short; i++) {
        ca_set_qqbar(x, q + i, k->calc->r.ca[CC_CA_DIRECT]);
        texts[i] = cc_ring_show(&c, x);
        *is_short = texts[i].n && texts[i].n <= (n == 2 ? 400 : MAX_RADICAL);
    }
    cc_ring_clear(&c);
    *k->err = before; // that there is no short form is no error
    int rc = cc_ring_poll(k);
    for (slong i = n; i-- > 0 && *is_short && !rc;) { // least first
        cc_matrix_eigen *e = add(f, texts[i], multiplicity);
        if (f->vectors) rc = vectors_of_algebraic(f, q + i, e);
    }
    _qqbar_vec_clear(q, n);
    return rc;
}

static int roots_of_factor(finder *f, const fmpz_poly_t p, ulong multiplicity) {
    if (fmpz_poly_degree(p) == 1) {
        fmpq_t x;
        fmpq_init(x);
        fmpq_set_fmpz_frac(x, p->coeffs, p->coeffs + 1);
        fmpq_neg(x, x);
        cc_matrix_eigen *e = add(f, cc_fmpq_text(f->k->arena, x), multiplicity);
        int rc = f->vectors ? vectors_of(f, f->k, f->m, x, e) : 0;
        fmpq_clear(x);
        return rc;
    }
    bool is_short;
    if (roots_by_radicals(f, p, multiplicity, &is_short)) return -1;
    return is_short ? 0 : roots_by_decimals(f, p, multiplicity);
}

void cc_matrix_factor_charpoly(const gr_mat_struct *m, fmpz_poly_factor_t factors) {
    fmpq_poly_t q;
    fmpz_poly_t p;
    fmpq_poly_init(q);
    fmpz_poly_init(p);
    fmpq_mat_charpoly(q, cc_as_cfmpq(m));
    fmpq_poly_get_numerator(p, q);
    fmpz_poly_factor(factors, p);
    fmpq_poly_clear(q);
    fmpz_poly_clear(p);
}

static int of_rational(finder *f) {
    fmpz_poly_factor_t factors;
    fmpz_poly_factor_init(factors);
    cc_matrix_factor_charpoly(f->m, factors);
    int rc = 0;
    slong degree = 0;
    for (slong d = 1; d <= f->m->r && !rc; d++) // low degrees first
        for (slong i = 0; i < factors->num && !rc; i++) {
            if (fmpz_poly_degree(factors->p + i) != d) continue;
            degree += d * factors->exp[i];
            rc = cc_ring_poll(f->k) || roots_of_factor(f, factors->p + i, (ulong)factors->exp[i]) ? -1 : 0;
        }
    if (!rc && degree != f->m->r) rc = cc_error_set(f->k->err, CC_INTERNAL, "the eigenvalues failed their check and were withheld");
    fmpz_poly_factor_clear(factors);
    return rc;
}

// ---- eigenvalues of triangular matrices over any field ----

bool cc_matrix_is_triangular(cc_ring *k, const gr_mat_struct *m) {
    bool lower = true, upper = true;
    for (slong i = 0; i < m->r; i++)
        for (slong j = 0; j < m->r; j++) {
            if (i == j || gr_is_zero(cc_at(k, m, i, j), k->gr) == T_TRUE) continue;
            if (i > j)
                upper = false;
            else
                lower = false;
        }
    return lower || upper;
}

static int of_triangular(finder *f) {
    cc_ring *k = f->k;
    for (slong i = 0; i < f->m->r; i++) {
        gr_srcptr x = cc_at(k, f->m, i, i);
        bool seen = false;
        ulong multiplicity = 1;
        for (slong j = 0; j < f->m->r && !seen; j++) {
            truth_t t = j == i ? T_FALSE : gr_equal(x, cc_at(k, f->m, j, j), k->gr);
            if (t == T_UNKNOWN) return cc_ring_ok(k, GR_UNABLE, "the multiplicity of an eigenvalue");
            if (t == T_TRUE && j < i) seen = true;
            if (t == T_TRUE && j > i) multiplicity++;
        }
        if (seen) continue;
        cc_str s = cc_ring_show(k, x);
        if (!s.n) return -1;
        cc_matrix_eigen *e = add(f, s, multiplicity);
        if (f->vectors && vectors_of(f, k, f->m, x, e)) return -1;
    }
    return 0;
}

// ---- eigenvalues of constants ----

static int of_constants(finder *f) {
    cc_ring *k = f->k;
    gr_poly_t p;
    gr_vec_t roots;
    fmpz_vec_t multiplicity;
    gr_poly_init(p, k->gr);
    gr_vec_init(roots, 0, k->gr);
    fmpz_vec_init(multiplicity, 0);
    int rc = cc_ring_ok(k, gr_mat_charpoly(p, f->m, k->gr), "the characteristic polynomial");
    if (!rc && gr_poly_roots(roots, multiplicity, p, 0, k->gr) != GR_SUCCESS) {
        cc_error_set(k->err, CC_VALIDATION,
                     "the eigenvalues have no form that could be found: the characteristic polynomial has irrational coefficients and a "
                     "factor of a degree above 2");
        cc_error_remedy(k->err, "op charpoly gives the polynomial");
        rc = -1;
    }
    slong degree = 0;
    for (slong i = 0; i < gr_vec_length(roots, k->gr) && !rc; i++) {
        gr_srcptr x = gr_vec_entry_srcptr(roots, i, k->gr);
        slong m = fmpz_get_si(fmpz_vec_entry_srcptr(multiplicity, i));
        degree += m;
        cc_str s = cc_ring_show(k, x);
        if (!s.n) {
            rc = -1;
            break;
        }
        cc_matrix_eigen *e = add(f, s, (ulong)m);
        if (f->vectors) rc = vectors_of(f, k, f->m, x, e);
    }
    if (!rc && degree != f->m->r) rc = cc_error_set(k->err, CC_VALIDATION, "not all eigenvalues could be found");
    gr_poly_clear(p, k->gr);
    gr_vec_clear(roots, k->gr);
    fmpz_vec_clear(multiplicity);
    return rc;
}

// ---- eigenvalues with symbols ----

static int fraction(cc_ring *k, const fmpz_mpoly_t a, const fmpz_mpoly_t b, fmpz_mpoly_q_struct *out) {
    fmpz_mpoly_set(fmpz_mpoly_q_numref(out), a, k->m);
    fmpz_mpoly_set(fmpz_mpoly_q_denref(out), b, k->m);
    fmpz_mpoly_q_canonicalise(out, k->m);
    return cc_ring_bound(k, out, CC_MATRIX_MAX_TERMS);
}

// d = s^2 r with r free of squares of polynomials and, up to a small bound, of numbers.
static int split_square(cc_ring *k, const fmpz_mpoly_t d, fmpz_mpoly_t s, fmpz_mpoly_t r) {
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_t t;
    fmpz_mpoly_factor_init(f, k->m);
    fmpz_mpoly_init(t, k->m);
    int ok = fmpz_mpoly_factor_squarefree(f, d, k->m);
    if (ok) {
        fmpz_t c, root, n;
        fmpz_init(c);
        fmpz_init(root);
        fmpz_init(n);
        fmpz_set(c, f->constant);
        fmpz_one(root);
        for (slong i = 2; i < 1000; i++) {
            fmpz_set_si(n, i * i);
            while (fmpz_divisible(c, n)) {
                fmpz_divexact(c, c, n);
                fmpz_mul_si(root, root, i);
            }
        }
        fmpz_mpoly_set_fmpz(s, root, k->m);
        fmpz_mpoly_set_fmpz(r, c, k->m);
        for (slong i = 0; i < f->num; i++) {
            ulong e = fmpz_get_ui(f->exp + i);
            ok = ok && fmpz_mpoly_pow_ui(t, f->poly + i, e / 2, k->m);
            fmpz_mpoly_mul(s, s, t, k->m);
            if (e & 1) fmpz_mpoly_mul(r, r, f->poly + i, k->m);
        }
        fmpz_clear(c);
        fmpz_clear(root);
        fmpz_clear(n);
    }
    fmpz_mpoly_factor_clear(f, k->m);
    fmpz_mpoly_clear(t, k->m);
    return ok ? 0 : cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the discriminant could not be factored");
}

// sqrt(r): "sqrt(x**2 + 4)", "sqrt(2)", "I", "sqrt(3)*I"
static cc_str square_root(cc_ring *k, const fmpz_mpoly_t r) {
    bool negative = fmpz_mpoly_is_fmpz(r, k->m) && fmpz_sgn(r->coeffs) < 0;
    cc_str s = cc_mpoly_show(k, r);
    if (negative) s.p++, s.n--;
    if (negative && cc_str_eqz(s, "1")) return CC_STR("I");
    return cc_arena_printf(k->arena, "sqrt(%.*s)%s", (int)s.n, s.p, negative ? "*I" : "");
}

// The roots of a lambda^2 + b lambda + c.
static int quadratic(finder *f, const fmpz_mpoly_t a, const fmpz_mpoly_t b, const fmpz_mpoly_t c, ulong multiplicity) {
    cc_ring *k = f->k;
    if (f->vectors)
        return cc_error_set(k->err, CC_VALIDATION,
                            "eigenvectors of eigenvalues with square roots of symbols are not taken; op eigenvalues gives these");
    fmpz_mpoly_t d, t, s, r;
    fmpz_mpoly_init(d, k->m);
    fmpz_mpoly_init(t, k->m);
    fmpz_mpoly_init(s, k->m);
    fmpz_mpoly_init(r, k->m);
    fmpz_mpoly_q_struct *middle = cc_ring_element(k), *half = cc_ring_element(k);
    fmpz_mpoly_mul(d, b, b, k->m);
    fmpz_mpoly_mul(t, a, c, k->m);
    fmpz_mpoly_scalar_mul_si(t, t, 4, k->m);
    fmpz_mpoly_sub(d, d, t, k->m);
    int rc = split_square(k, d, s, r);
    fmpz_mpoly_scalar_mul_si(t, a, 2, k->m);
    fmpz_mpoly_neg(d, b, k->m);
    if (!rc) rc = fraction(k, d, t, middle) || fraction(k, s, t, half) ? -1 : 0;
    if (!rc) {
        bool minus, none = fmpz_mpoly_q_is_zero(middle, k->m);
        cc_str m = cc_ring_show(k, middle), h = cc_ring_show(k, half);
        rc = m.n && h.n ? 0 : -1;
        cc_str root = rc ? CC_STR("") : cc_text_times(k, h, square_root(k, r), &minus);
        for (int i = 0; i < 2 && !rc; i++)
            add(f,
                cc_arena_printf(k->arena, "%.*s%s%.*s", none ? 0 : (int)m.n, m.p,
                                i      ? (none ? "" : " + ")
                                : none ? "-"
                                       : " - ",
                                (int)root.n, root.p),
                multiplicity);
    }
    fmpz_mpoly_clear(d, k->m);
    fmpz_mpoly_clear(t, k->m);
    fmpz_mpoly_clear(s, k->m);
    fmpz_mpoly_clear(r, k->m);
    return rc;
}

static int of_symbolic_factor(finder *f, const fmpz_mpoly_t p, ulong multiplicity, slong *degree) {
    cc_ring *k = f->k;
    fmpz_mpoly_t c[3];
    slong n = fmpz_mpoly_degree_si(p, k->n_symbols, k->m);
    if (n == 0) return 0;
    *degree += n * (slong)multiplicity;
    if (n > 2) {
        cc_str s = cc_utf8_prefix(cc_mpoly_show(k, p), 200);
        cc_error_set(k->err, CC_VALIDATION, "the eigenvalues are roots of a factor of degree %ld, which has no short radicals: %.*s", n,
                     (int)s.n, s.p);
        return cc_error_remedy(k->err, "op charpoly gives the whole polynomial; numbers in place of some symbols may let it factor");
    }
    for (int i = 0; i < 3; i++) fmpz_mpoly_init(c[i], k->m);
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, k->m);
    fmpz_mpoly_to_univar(u, p, k->n_symbols, k->m);
    for (slong i = 0; i < fmpz_mpoly_univar_length(u, k->m); i++)
        fmpz_mpoly_univar_get_term_coeff(c[fmpz_mpoly_univar_get_term_exp_si(u, i, k->m)], u, i, k->m);
    fmpz_mpoly_univar_clear(u, k->m);
    int rc;
    if (n == 2) {
        rc = quadratic(f, c[2], c[1], c[0], multiplicity);
    } else {
        fmpz_mpoly_q_struct *x = cc_ring_element(k);
        fmpz_mpoly_neg(c[0], c[0], k->m);
        rc = fraction(k, c[0], c[1], x);
        cc_str s = rc ? CC_STR("") : cc_ring_show(k, x);
        if (!s.n) rc = -1;
        cc_matrix_eigen *e = rc ? NULL : add(f, s, multiplicity);
        if (e && f->vectors) rc = vectors_of(f, k, f->m, x, e);
    }
    for (int i = 0; i < 3; i++) fmpz_mpoly_clear(c[i], k->m);
    return rc;
}

static int of_symbols(finder *f) {
    cc_ring *k = f->k;
    fmpz_mpoly_q_struct *p = cc_ring_element(k);
    if (symbolic_charpoly(k, f->m, p)) return -1;
    if (fmpz_mpoly_length(fmpz_mpoly_q_numref(p), k->m) > 1000)
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED,
                            "the characteristic polynomial has too many terms to be factored; give numbers to some symbols");
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, k->m);
    slong degree = 0;
    int rc = fmpz_mpoly_factor(factors, fmpz_mpoly_q_numref(p), k->m)
                 ? 0
                 : cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the characteristic polynomial could not be factored");
    for (slong i = 0; i < factors->num && !rc; i++) rc = of_symbolic_factor(f, factors->poly + i, fmpz_get_ui(factors->exp + i), &degree);
    fmpz_mpoly_factor_clear(factors, k->m);
    if (!rc && degree != f->m->r) rc = cc_error_set(k->err, CC_INTERNAL, "the eigenvalues failed their check and were withheld");
    return rc;
}

int cc_matrix_eigen_run(cc_ring *k, const gr_mat_struct *m, bool vectors, cc_matrix_result *out) {
    finder f = {.k = k, .m = m, .out = out, .vectors = vectors};
    out->has_eigen = true;
    int rc = k->kind == CC_RING_RATIONAL     ? of_rational(&f)
             : k->kind == CC_RING_SYMBOLIC   ? of_symbols(&f)
             : cc_matrix_is_triangular(k, m) ? of_triangular(&f)
                                             : of_constants(&f);
    if (f.has_constants) cc_ring_clear(&f.constants);
    return rc;
}
