// Rational functions of the variable, with any constants as coefficients: partial fractions over Q(constants), Hermite's reduction of the
// powers, and logarithmic parts in closed form where the denominators' roots have one (else by residues: Lazard, Rioboo and Trager). Called
// by search.c. Owns FLINT objects only while it runs.
#include <flint/fmpz_vec.h>

#include "math/integrate/rational.h"

typedef struct work {
    cc_alg *g;
    cc_field F;
    gr_ctx_t K; // coefficients: fractions over all generators, in which the variable does not occur
    cc_xp x;
    int status; // of FLINT's generic rings
} work;

enum { MAX_DEGREE = 120 };

// p as a polynomial in the variable (generator 0) with coefficients in K.
static bool to_poly(work *w, gr_poly_t out, const fmpz_mpoly_t p) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, w->F.ctx);
    fmpz_mpoly_to_univar(u, p, 0, w->F.ctx);
    fmpz_mpoly_q_t c;
    fmpz_mpoly_q_init(c, w->F.ctx);
    w->status |= gr_poly_zero(out, w->K);
    bool ok = true;
    for (slong i = 0; ok && i < fmpz_mpoly_univar_length(u, w->F.ctx); i++) {
        slong e = fmpz_mpoly_univar_get_term_exp_si(u, i, w->F.ctx);
        ok = e <= MAX_DEGREE;
        if (!ok) break;
        fmpz_mpoly_univar_get_term_coeff(fmpz_mpoly_q_numref(c), u, i, w->F.ctx);
        fmpz_mpoly_one(fmpz_mpoly_q_denref(c), w->F.ctx);
        w->status |= gr_poly_set_coeff_scalar(out, e, c, w->K);
    }
    fmpz_mpoly_q_clear(c, w->F.ctx);
    fmpz_mpoly_univar_clear(u, w->F.ctx);
    return ok;
}

static cc_xp coefficient(work *w, const gr_poly_t p, slong i) {
    if (i >= gr_poly_length(p, w->K)) return w->g->zero;
    return cc_field_factored(&w->F, gr_poly_coeff_srcptr(p, i, w->K));
}

// p as an expression.
static cc_xp from_poly(work *w, const gr_poly_t p, cc_xp x) {
    slong n = gr_poly_length(p, w->K);
    if (!n) return w->g->zero;
    cc_xp *terms = cc_arena_alloc(w->g->arena, (size_t)n * sizeof *terms);
    for (slong i = 0; i < n; i++) terms[i] = cc_x_mul(w->g, coefficient(w, p, i), cc_x_powi(w->g, x, i));
    return cc_x_addn(w->g, terms, (size_t)n);
}

// p/q as one factored fraction.
static cc_xp quotient_of(work *w, const gr_poly_t p, cc_xp q) {
    fmpz_mpoly_q_t sum, x;
    fmpz_mpoly_q_init(sum, w->F.ctx);
    fmpz_mpoly_q_init(x, w->F.ctx);
    fmpz_mpoly_q_gen(x, 0, w->F.ctx);
    for (slong i = gr_poly_length(p, w->K) - 1; i >= 0; i--) {
        fmpz_mpoly_q_mul(sum, sum, x, w->F.ctx);
        fmpz_mpoly_q_add(sum, sum, gr_poly_coeff_srcptr(p, i, w->K), w->F.ctx);
    }
    cc_xp r = cc_x_div(w->g, cc_field_factored(&w->F, sum), q);
    fmpz_mpoly_q_clear(sum, w->F.ctx);
    fmpz_mpoly_q_clear(x, w->F.ctx);
    return r;
}

static void divide(work *w, gr_poly_t q, gr_poly_t r, const gr_poly_t a, const gr_poly_t b) {
    w->status |= gr_poly_divrem(q, r, a, b, w->K);
}

static cc_xp log_part(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x);

// The greatest k such that d is a polynomial in x**k and a/x**(k-1) as well.
static ulong common_power(work *w, const gr_poly_t a, const gr_poly_t d) {
    ulong k = 0;
    for (slong i = 0; i < gr_poly_length(d, w->K); i++)
        if (gr_is_zero(gr_poly_coeff_srcptr(d, i, w->K), w->K) != T_TRUE) k = n_gcd(k, (ulong)i);
    for (slong i = 0; i < gr_poly_length(a, w->K); i++)
        if (gr_is_zero(gr_poly_coeff_srcptr(a, i, w->K), w->K) != T_TRUE) k = n_gcd(k, (ulong)i + 1);
    return k;
}

static ulong power_of(work *w, const gr_poly_t d) {
    ulong k = 0;
    for (slong i = 0; i < gr_poly_length(d, w->K); i++)
        if (gr_is_zero(gr_poly_coeff_srcptr(d, i, w->K), w->K) != T_TRUE) k = n_gcd(k, (ulong)i);
    return k;
}

// a(x), d(x) with x**k put as x; a is divided by x**(k-1) first.
static void contract(work *w, gr_poly_t out, const gr_poly_t p, ulong k, ulong shift) {
    gr_poly_t t;
    gr_poly_init(t, w->K);
    for (slong i = (slong)shift; i < gr_poly_length(p, w->K); i += (slong)k)
        w->status |= gr_poly_set_coeff_scalar(t, (i - (slong)shift) / (slong)k, gr_poly_coeff_srcptr(p, i, w->K), w->K);
    gr_poly_swap(out, t, w->K);
    gr_poly_clear(t, w->K);
}

// Residues of a/d: the resultant of d and a - z*d' in x, in F with the auxiliary generator z; then by its factor of degree <= 2 in z
// logarithms. NULL when the residues are of higher degree.
static cc_xp by_residues(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x);

// A sum over the roots of a polynomial with rational coefficients, as numbered algebraic numbers: the last resort.
static cc_xp by_roots(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x) {
    cc_alg *g = w->g;
    slong n = gr_poly_length(d, w->K) - 1;
    for (slong i = 0; i <= n; i++) {
        if (!fmpz_mpoly_q_is_fmpq(gr_poly_coeff_srcptr(d, i, w->K), w->F.ctx)) return NULL;
    }
    if (n > 12) return NULL;
    cc_xp t = cc_x_symbol(g, CC_STR("x"), 0);
    cc_xp poly = from_poly(w, d, t);
    cc_xp sum = g->zero;
    gr_poly_t dd;
    gr_poly_init(dd, w->K);
    w->status |= gr_poly_derivative(dd, d, w->K);
    for (slong i = 0; i < n; i++) {
        cc_xp r = cc_x_unevaluated(g, CC_F_CROOTOF, (const cc_xp[]){poly, t, cc_x_int(g, i)}, 3);
        cc_xp residue = cc_x_div(g, from_poly(w, a, r), from_poly(w, dd, r));
        sum = cc_x_add(g, sum, cc_x_mul(g, residue, cc_x_log(g, cc_x_sub(g, x, r))));
    }
    gr_poly_clear(dd, w->K);
    return sum;
}

static cc_xp *coefficients(work *w, const gr_poly_t p, slong n) {
    cc_xp *c = cc_arena_alloc(w->g->arena, (size_t)n * sizeof *c);
    for (slong i = 0; i < n; i++) c[i] = coefficient(w, p, i);
    return c;
}

static cc_xp by_shape(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x) {
    slong n = gr_poly_length(d, w->K) - 1;
    ulong k = power_of(w, d);
    if (k != (ulong)n && 2 * k != (ulong)n) return NULL;
    cc_xp *num = coefficients(w, a, n);
    if (k == (ulong)n) return cc_int_over_binomial(w->g, num, (ulong)n, coefficient(w, d, n), coefficient(w, d, 0), x);
    return cc_int_over_trinomial(w->g, num, k, coefficient(w, d, n), coefficient(w, d, n / 2), coefficient(w, d, 0), x);
}

// d = a quartic without cubic term whose resolvent has a root in K: two quadratics over a square root.
static cc_xp by_quartic(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x) {
    cc_alg *g = w->g;
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    if (gr_poly_length(d, w->K) != 5) return NULL;
    slong z = (slong)w->F.n - 1;
    fmpz_mpoly_q_t c[3], sum, t;
    for (int i = 0; i < 3; i++) {
        fmpz_mpoly_q_init(c[i], ctx);
        fmpz_mpoly_q_div(c[i], gr_poly_coeff_srcptr(d, i, w->K), gr_poly_coeff_srcptr(d, 4, w->K), ctx);
    }
    fmpz_mpoly_q_init(sum, ctx);
    fmpz_mpoly_q_init(t, ctx);
    // ((z + 2*p)*z + p**2 - 4*r)*z - q**2
    fmpz_mpoly_q_gen(t, z, ctx);
    fmpz_mpoly_q_mul_si(sum, c[2], 2, ctx);
    fmpz_mpoly_q_add(sum, sum, t, ctx);
    fmpz_mpoly_q_mul(sum, sum, t, ctx);
    fmpz_mpoly_q_mul(t, c[2], c[2], ctx);
    fmpz_mpoly_q_add(sum, sum, t, ctx);
    fmpz_mpoly_q_mul_si(t, c[0], 4, ctx);
    fmpz_mpoly_q_sub(sum, sum, t, ctx);
    fmpz_mpoly_q_gen(t, z, ctx);
    fmpz_mpoly_q_mul(sum, sum, t, ctx);
    fmpz_mpoly_q_mul(t, c[1], c[1], ctx);
    fmpz_mpoly_q_sub(sum, sum, t, ctx);
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, ctx);
    fmpz_mpoly_t base;
    fmpz_mpoly_init(base, ctx);
    cc_xp root = NULL, result = NULL;
    if (!fmpz_mpoly_q_is_zero(c[1], ctx) && fmpz_mpoly_factor(f, fmpz_mpoly_q_numref(sum), ctx))
        for (slong i = 0; !root && i < fmpz_mpoly_factor_length(f, ctx); i++) {
            fmpz_mpoly_factor_get_base(base, f, i, ctx);
            if (fmpz_mpoly_degree_si(base, z, ctx) != 1) continue;
            // base = k*z + m
            fmpz_mpoly_derivative(fmpz_mpoly_q_denref(t), base, z, ctx);
            fmpz_mpoly_t at;
            fmpz_mpoly_init(at, ctx);
            fmpz_mpoly_gen(at, z, ctx);
            fmpz_mpoly_mul(at, at, fmpz_mpoly_q_denref(t), ctx);
            fmpz_mpoly_sub(fmpz_mpoly_q_numref(t), at, base, ctx);
            fmpz_mpoly_clear(at, ctx);
            fmpz_mpoly_q_canonicalise(t, ctx);
            root = cc_field_expr(&w->F, t);
            if (root == g->zero || (cc_x_is_constant(root) && cc_x_sign(g, root) == -1)) root = NULL; // the real factors have z > 0
        }
    if (root) {
        cc_xp num[4];
        fmpz_mpoly_q_t k;
        fmpz_mpoly_q_init(k, ctx);
        for (slong i = 0; i < 4; i++) {
            fmpz_mpoly_q_zero(k, ctx);
            if (i < gr_poly_length(a, w->K)) fmpz_mpoly_q_div(k, gr_poly_coeff_srcptr(a, i, w->K), gr_poly_coeff_srcptr(d, 4, w->K), ctx);
            num[i] = cc_field_expr(&w->F, k);
        }
        fmpz_mpoly_q_clear(k, ctx);
        result = cc_int_over_quartic(g, num, cc_field_expr(&w->F, c[2]), cc_field_expr(&w->F, c[1]), root, x);
    }
    fmpz_mpoly_clear(base, ctx);
    fmpz_mpoly_factor_clear(f, ctx);
    for (int i = 0; i < 3; i++) fmpz_mpoly_q_clear(c[i], ctx);
    fmpz_mpoly_q_clear(sum, ctx);
    fmpz_mpoly_q_clear(t, ctx);
    return result;
}

// The integral of a/d, d irreducible, deg a < deg d.
static cc_xp log_part(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x) {
    cc_alg *g = w->g;
    if (gr_poly_is_zero(a, w->K) == T_TRUE) return g->zero;
    if (!cc_alg_may_search(g)) return NULL;
    slong n = gr_poly_length(d, w->K) - 1;
    gr_poly_t dd, q, r, s;
    gr_poly_init(dd, w->K);
    gr_poly_init(q, w->K);
    gr_poly_init(r, w->K);
    gr_poly_init(s, w->K);
    cc_xp result = NULL;
    w->status |= gr_poly_derivative(dd, d, w->K);
    divide(w, q, r, a, dd);
    ulong k = common_power(w, a, d);
    if (gr_poly_is_zero(r, w->K) == T_TRUE && gr_poly_length(q, w->K) == 1) {
        result = cc_x_mul(g, coefficient(w, q, 0), cc_x_log(g, from_poly(w, d, x)));
    } else if (n == 2) {
        cc_xp *num = coefficients(w, a, 2);
        result = cc_int_over_quadratic(g, num[1], num[0], coefficient(w, d, 2), coefficient(w, d, 1), coefficient(w, d, 0), x);
    } else if (k > 1) {
        contract(w, q, a, k, k - 1);
        contract(w, r, d, k, 0);
        result = log_part(w, q, r, cc_x_powi(g, x, (slong)k));
        if (result) result = cc_x_div(g, result, cc_x_int(g, (slong)k));
    } else {
        result = by_residues(w, a, d, x);
        if (!result) result = by_shape(w, a, d, x);
        if (!result) {
            // the roots' centre as origin
            fmpz_mpoly_q_t c, t;
            fmpz_mpoly_q_init(c, w->F.ctx);
            fmpz_mpoly_q_init(t, w->F.ctx);
            fmpz_mpoly_q_mul_si(t, gr_poly_coeff_srcptr(d, n, w->K), n, w->F.ctx);
            fmpz_mpoly_q_div(c, gr_poly_coeff_srcptr(d, n - 1, w->K), t, w->F.ctx);
            if (!fmpz_mpoly_q_is_zero(c, w->F.ctx)) {
                cc_xp shift = cc_field_expr(&w->F, c);
                fmpz_mpoly_q_neg(c, c, w->F.ctx);
                w->status |= gr_poly_taylor_shift(q, a, c, w->K);
                w->status |= gr_poly_taylor_shift(r, d, c, w->K);
                result = by_shape(w, q, r, cc_x_add(g, x, shift));
                if (!result) result = by_quartic(w, q, r, cc_x_add(g, x, shift));
            } else {
                result = by_quartic(w, a, d, x);
            }
            fmpz_mpoly_q_clear(c, w->F.ctx);
            fmpz_mpoly_q_clear(t, w->F.ctx);
        }
        if (!result) result = by_roots(w, a, d, x);
    }
    gr_poly_clear(dd, w->K);
    gr_poly_clear(q, w->K);
    gr_poly_clear(r, w->K);
    gr_poly_clear(s, w->K);
    return result;
}

// Over Q(constants)[z]/(s): the gcd in x of p and q, made by pseudo-remainders with coefficients reduced modulo s. p, q in generators x, z.
static bool gcd_modulo(work *w, fmpz_mpoly_t p, fmpz_mpoly_t q, const fmpz_mpoly_t s, slong z);

static cc_xp by_residues(work *w, const gr_poly_t a, const gr_poly_t d, cc_xp x) {
    cc_alg *g = w->g;
    slong n = gr_poly_length(d, w->K) - 1, z = (slong)w->F.n - 1;
    if (n > 24 || n % 2) return NULL; // residues of degree 1 and 2 repeat n or n/2 times; of degree 1, d' divides a: done before
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    // common denominators away: A - z*B with d as it is
    gr_poly_t dd;
    gr_poly_init(dd, w->K);
    w->status |= gr_poly_derivative(dd, d, w->K);
    fmpz_mpoly_t A, B, D, R, t, Z, X;
    fmpz_mpoly_struct *all[] = {A, B, D, R, t, Z, X};
    for (size_t i = 0; i < 7; i++) fmpz_mpoly_init(all[i], ctx);
    fmpz_mpoly_q_t sum, term;
    fmpz_mpoly_q_init(sum, ctx);
    fmpz_mpoly_q_init(term, ctx);
    fmpz_mpoly_gen(Z, z, ctx);
    fmpz_mpoly_gen(X, 0, ctx);
    for (slong i = 0; i <= n; i++) { // sum = d in x
        fmpz_mpoly_q_gen(term, 0, ctx);
        fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(term), fmpz_mpoly_q_numref(term), (ulong)i, ctx);
        fmpz_mpoly_q_mul(term, term, gr_poly_coeff_srcptr(d, i, w->K), ctx);
        fmpz_mpoly_q_add(sum, sum, term, ctx);
    }
    fmpz_mpoly_set(D, fmpz_mpoly_q_numref(sum), ctx);
    fmpz_mpoly_q_zero(sum, ctx);
    for (slong i = 0; i < n; i++) {
        fmpz_mpoly_q_t c;
        fmpz_mpoly_q_init(c, ctx);
        if (i < gr_poly_length(a, w->K)) fmpz_mpoly_q_set(c, gr_poly_coeff_srcptr(a, i, w->K), ctx);
        if (i < gr_poly_length(dd, w->K)) {
            fmpz_mpoly_q_gen(term, z, ctx);
            fmpz_mpoly_q_mul(term, term, gr_poly_coeff_srcptr(dd, i, w->K), ctx);
            fmpz_mpoly_q_sub(c, c, term, ctx);
        }
        fmpz_mpoly_q_gen(term, 0, ctx);
        fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(term), fmpz_mpoly_q_numref(term), (ulong)i, ctx);
        fmpz_mpoly_q_mul(term, term, c, ctx);
        fmpz_mpoly_q_add(sum, sum, term, ctx);
        fmpz_mpoly_q_clear(c, ctx);
    }
    fmpz_mpoly_set(A, fmpz_mpoly_q_numref(sum), ctx);
    cc_xp result = NULL;
    if (D->length * A->length < 400 && fmpz_mpoly_resultant(R, D, A, 0, ctx) && !fmpz_mpoly_is_zero(R, ctx)) {
        fmpz_mpoly_factor_t f;
        fmpz_mpoly_factor_init(f, ctx);
        if (fmpz_mpoly_factor(f, R, ctx)) {
            for (slong i = 0; i < fmpz_mpoly_factor_length(f, ctx); i++) {
                fmpz_mpoly_factor_get_base(t, f, i, ctx);
                if (fmpz_mpoly_degree_si(t, z, ctx) != 2) continue;
                if (fmpz_mpoly_factor_get_exp_si(f, i, ctx) * 2 != n || !gcd_modulo(w, D, A, t, z)) break;
                // two logarithms: residues (-b +- sqrt(disc))/(2a), arguments D(x, residue)
                fmpz_mpoly_univar_t u;
                fmpz_mpoly_univar_init(u, ctx);
                fmpz_mpoly_to_univar(u, t, z, ctx);
                cc_xp c[3] = {g->zero, g->zero, g->zero};
                for (slong j = 0; j < fmpz_mpoly_univar_length(u, ctx); j++) {
                    fmpz_mpoly_univar_get_term_coeff(B, u, j, ctx);
                    c[fmpz_mpoly_univar_get_term_exp_si(u, j, ctx)] = cc_field_poly(&w->F, B);
                }
                fmpz_mpoly_univar_clear(u, ctx);
                cc_xp p0, p1; // D = p0 + z*p1
                fmpz_mpoly_univar_init(u, ctx);
                fmpz_mpoly_to_univar(u, D, z, ctx);
                p0 = p1 = g->zero;
                cc_xp first = w->F.gens[0];
                for (slong j = 0; j < fmpz_mpoly_univar_length(u, ctx); j++) {
                    fmpz_mpoly_univar_get_term_coeff(B, u, j, ctx);
                    *(fmpz_mpoly_univar_get_term_exp_si(u, j, ctx) ? &p1 : &p0) = cc_x_subs(g, cc_field_poly(&w->F, B), first, x);
                }
                fmpz_mpoly_univar_clear(u, ctx);
                cc_xp disc = cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, c[1], c[1]), CC_PROD(g, cc_x_int(g, 4), c[0], c[2])));
                cc_xp two_a = cc_x_mul(g, g->two, c[2]);
                cc_xp middle = cc_x_neg(g, cc_x_div(g, c[1], two_a));
                bool real = !(cc_x_is_constant(disc) && cc_x_sign(g, disc) == -1) && !(!cc_x_is_constant(disc) && cc_int_minus(disc));
                cc_xp root = cc_x_div(g, cc_int_square_root(g, real ? disc : cc_x_neg(g, disc)), two_a);
                if (real) {
                    cc_xp z1 = cc_x_add(g, middle, root), z2 = cc_x_sub(g, middle, root);
                    result = cc_x_add(g, cc_x_mul(g, z1, cc_x_log(g, cc_x_expand(g, cc_x_add(g, p0, cc_x_mul(g, z1, p1))))),
                                      cc_x_mul(g, z2, cc_x_log(g, cc_x_expand(g, cc_x_add(g, p0, cc_x_mul(g, z2, p1))))));
                } else {
                    // u + I*v with u = p0 + middle*p1, v = root*p1: middle*log(u**2 + v**2) + root*(2*atan(u/v)) (Rioboo for degree 1 in v)
                    cc_xp re = cc_x_add(g, p0, cc_x_mul(g, middle, p1)), im = cc_x_mul(g, root, p1);
                    cc_xp norm = cc_int_normal(g, cc_x_expand(g, cc_x_add(g, cc_x_mul(g, re, re), cc_x_mul(g, im, im))), first);
                    cc_xp angle = cc_x_f1(g, CC_F_ATAN, cc_x_div(g, re, im));
                    result =
                        cc_x_add(g, middle == g->zero ? g->zero : cc_x_mul(g, middle, cc_x_log(g, norm)), CC_PROD(g, g->two, root, angle));
                }
                break;
            }
        }
        fmpz_mpoly_factor_clear(f, ctx);
    }
    fmpz_mpoly_q_clear(sum, ctx);
    fmpz_mpoly_q_clear(term, ctx);
    for (size_t i = 0; i < 7; i++) fmpz_mpoly_clear(all[i], ctx);
    gr_poly_clear(dd, w->K);
    return result;
}

// r = p modulo s in generator z up to a factor without x: multiplied by powers of the leading coefficient of s.
static void pseudo_remainder(const fmpz_mpoly_ctx_struct *ctx, fmpz_mpoly_t p, const fmpz_mpoly_t s, slong v) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_t lead, c, t, gen;
    fmpz_mpoly_init(lead, ctx);
    fmpz_mpoly_init(c, ctx);
    fmpz_mpoly_init(t, ctx);
    fmpz_mpoly_init(gen, ctx);
    fmpz_mpoly_univar_init(u, ctx);
    fmpz_mpoly_gen(gen, v, ctx);
    slong n = fmpz_mpoly_degree_si(s, v, ctx);
    fmpz_mpoly_to_univar(u, s, v, ctx);
    fmpz_mpoly_univar_get_term_coeff(lead, u, 0, ctx);
    for (slong e; (e = fmpz_mpoly_degree_si(p, v, ctx)) >= n && !fmpz_mpoly_is_zero(p, ctx) && p->length < 5000;) {
        fmpz_mpoly_to_univar(u, p, v, ctx);
        fmpz_mpoly_univar_get_term_coeff(c, u, 0, ctx);
        fmpz_mpoly_mul(p, p, lead, ctx);
        fmpz_mpoly_pow_ui(t, gen, (ulong)(e - n), ctx);
        fmpz_mpoly_mul(c, c, t, ctx);
        fmpz_mpoly_mul(c, c, s, ctx);
        fmpz_mpoly_sub(p, p, c, ctx);
    }
    fmpz_mpoly_univar_clear(u, ctx);
    fmpz_mpoly_clear(lead, ctx);
    fmpz_mpoly_clear(c, ctx);
    fmpz_mpoly_clear(t, ctx);
    fmpz_mpoly_clear(gen, ctx);
}

// Content of p in x (over the polynomials in the others) taken out.
static void primitive(work *w, fmpz_mpoly_t p) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_t content, c;
    fmpz_mpoly_init(content, w->F.ctx);
    fmpz_mpoly_init(c, w->F.ctx);
    fmpz_mpoly_univar_init(u, w->F.ctx);
    fmpz_mpoly_to_univar(u, p, 0, w->F.ctx);
    for (slong i = 0; i < fmpz_mpoly_univar_length(u, w->F.ctx); i++) {
        fmpz_mpoly_univar_get_term_coeff(c, u, i, w->F.ctx);
        if (!fmpz_mpoly_gcd(content, content, c, w->F.ctx)) fmpz_mpoly_one(content, w->F.ctx);
    }
    if (!fmpz_mpoly_is_zero(content, w->F.ctx)) fmpz_mpoly_divides(p, p, content, w->F.ctx);
    fmpz_mpoly_univar_clear(u, w->F.ctx);
    fmpz_mpoly_clear(content, w->F.ctx);
    fmpz_mpoly_clear(c, w->F.ctx);
}

static bool gcd_modulo(work *w, fmpz_mpoly_t p, fmpz_mpoly_t q, const fmpz_mpoly_t s, slong z) {
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    for (int i = 0; i < 60 && cc_alg_may_search(w->g); i++) {
        pseudo_remainder(ctx, q, s, z);
        primitive(w, q);
        if (fmpz_mpoly_is_zero(q, ctx)) return fmpz_mpoly_degree_si(p, 0, ctx) > 0;
        if (fmpz_mpoly_degree_si(q, 0, ctx) == 0) return false;
        if (p->length + q->length > 5000) return false;
        pseudo_remainder(ctx, p, q, 0);
        fmpz_mpoly_swap(p, q, ctx);
    }
    return false;
}

// Hermite: the integral of a/d**e. Returns the rational part; a becomes the numerator over d.
static cc_xp hermite(work *w, gr_poly_t a, const gr_poly_t d, slong e) {
    cc_alg *g = w->g;
    gr_poly_t dd, one, u, v, q, t;
    gr_poly_struct *all[] = {dd, one, u, v, q, t};
    for (size_t i = 0; i < 6; i++) gr_poly_init(all[i], w->K);
    cc_xp sum = g->zero, base = from_poly(w, d, w->x);
    w->status |= gr_poly_derivative(dd, d, w->K);
    w->status |= gr_poly_xgcd(one, u, v, d, dd, w->K); // u*d + v*d' = 1
    for (slong k = e; k > 1 && w->status == GR_SUCCESS; k--) {
        // a = (a*v mod d)*d' + rest*d
        w->status |= gr_poly_mul(t, a, v, w->K);
        divide(w, q, t, t, d);
        w->status |= gr_poly_mul(q, t, dd, w->K);
        w->status |= gr_poly_sub(q, a, q, w->K);
        gr_poly_t rest, remainder;
        gr_poly_init(rest, w->K);
        gr_poly_init(remainder, w->K);
        divide(w, rest, remainder, q, d);
        w->status |= gr_poly_derivative(q, t, w->K);
        fmpq_t c;
        fmpq_init(c);
        fmpq_set_si(c, 1, (ulong)(k - 1));
        w->status |= gr_poly_mul_fmpq(q, q, c, w->K);
        w->status |= gr_poly_mul_fmpq(t, t, c, w->K);
        fmpq_clear(c);
        w->status |= gr_poly_add(a, rest, q, w->K);
        gr_poly_clear(rest, w->K);
        gr_poly_clear(remainder, w->K);
        sum = cc_x_sub(g, sum, quotient_of(w, t, cc_x_powi(g, base, k - 1)));
        // what exceeds the degree of d belongs to higher powers: none does, since deg a < k*deg d
    }
    for (size_t i = 0; i < 6; i++) gr_poly_clear(all[i], w->K);
    return sum;
}

static cc_xp integrate(work *w, const fmpz_mpoly_q_t f) {
    cc_alg *g = w->g;
    gr_poly_t num, den, quotient, rest;
    gr_poly_struct *all[] = {num, den, quotient, rest};
    for (size_t i = 0; i < 4; i++) gr_poly_init(all[i], w->K);
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, w->F.ctx);
    fmpz_mpoly_t base;
    fmpz_mpoly_init(base, w->F.ctx);
    cc_xp result = NULL;
    if (to_poly(w, num, fmpz_mpoly_q_numref(f)) && to_poly(w, den, fmpz_mpoly_q_denref(f))) {
        divide(w, quotient, rest, num, den);
        w->status |= gr_poly_integral(quotient, quotient, w->K);
        result = from_poly(w, quotient, w->x);
        slong n = 0;
        if (gr_poly_is_zero(rest, w->K) != T_TRUE) {
            if (fmpz_mpoly_factor(factors, fmpz_mpoly_q_denref(f), w->F.ctx))
                n = fmpz_mpoly_factor_length(factors, w->F.ctx);
            else
                result = NULL;
        }
        for (slong i = 0; i < n && result && w->status == GR_SUCCESS && cc_alg_may_search(g); i++) {
            fmpz_mpoly_factor_get_base(base, factors, i, w->F.ctx);
            if (fmpz_mpoly_degree_si(base, 0, w->F.ctx) <= 0) continue;
            slong e = fmpz_mpoly_factor_get_exp_si(factors, i, w->F.ctx);
            gr_poly_t d, power, others, u, v, one, a;
            gr_poly_struct *mine[] = {d, power, others, u, v, one, a};
            for (size_t k = 0; k < 7; k++) gr_poly_init(mine[k], w->K);
            // rest/den = a/d**e + …: a = rest * (den/d**e)**-1 mod d**e
            to_poly(w, d, base);
            w->status |= gr_poly_pow_ui(power, d, (ulong)e, w->K);
            divide(w, others, u, den, power);
            w->status |= gr_poly_xgcd(one, u, v, others, power, w->K);
            w->status |= gr_poly_mul(a, u, rest, w->K);
            divide(w, u, a, a, power);
            cc_xp part = e > 1 ? hermite(w, a, d, e) : g->zero;
            cc_xp logs = w->status == GR_SUCCESS ? log_part(w, a, d, w->x) : NULL;
            result = logs ? CC_SUM(g, result, part, logs) : NULL;
            for (size_t k = 0; k < 7; k++) gr_poly_clear(mine[k], w->K);
        }
        if (w->status != GR_SUCCESS || !cc_alg_may_search(g)) result = NULL;
    }
    fmpz_mpoly_clear(base, w->F.ctx);
    fmpz_mpoly_factor_clear(factors, w->F.ctx);
    for (size_t i = 0; i < 4; i++) gr_poly_clear(all[i], w->K);
    return result;
}

// f = v**(k-1) * h(v**k) with k > 1: h, in v, and k; NULL when k is 1.
static cc_xp deflated(work *w, fmpz_mpoly_q_t f, ulong *k) {
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    *k = 0;
    for (int part = 0; part < 2; part++) {
        const fmpz_mpoly_struct *p = part ? fmpz_mpoly_q_denref(f) : fmpz_mpoly_q_numref(f);
        for (slong i = 0; i < p->length && *k != 1; i++)
            *k = n_gcd(*k, (ulong)fmpz_mpoly_get_term_var_exp_si(p, i, 0, ctx) + (part ? 0 : 1));
    }
    if (*k < 2) return NULL;
    fmpz *shift = _fmpz_vec_init((slong)w->F.n), *stride = _fmpz_vec_init((slong)w->F.n);
    for (size_t i = 0; i < w->F.n; i++) fmpz_one(stride + i);
    fmpz_set_ui(stride, *k);
    fmpz_mpoly_deflate(fmpz_mpoly_q_denref(f), fmpz_mpoly_q_denref(f), shift, stride, ctx);
    fmpz_set_ui(shift, *k - 1);
    fmpz_mpoly_deflate(fmpz_mpoly_q_numref(f), fmpz_mpoly_q_numref(f), shift, stride, ctx);
    _fmpz_vec_clear(shift, (slong)w->F.n);
    _fmpz_vec_clear(stride, (slong)w->F.n);
    return cc_field_expr(&w->F, f);
}

cc_xp cc_int_rational(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    work w = {.g = g, .x = v, .status = GR_SUCCESS};
    if (!cc_field_init(&w.F, g, v, &f, 1)) return NULL;
    cc_xp result = NULL;
    bool rational = w.F.how[0].q == 1;
    for (size_t i = 1; i + 1 < w.F.n && rational; i++) rational = cc_int_free(w.F.gens[i], v);
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, w.F.ctx);
    if (rational && cc_field_get(&w.F, q, f)) {
        ulong k;
        cc_xp h = deflated(&w, q, &k);
        if (h) {
            cc_xp u = cc_int_variable(in, v);
            result = cc_int_find(in, cc_x_subs(g, h, v, u), u);
            if (result) result = cc_x_div(g, cc_x_subs(g, result, u, cc_x_powi(g, v, (slong)k)), cc_x_int(g, (slong)k));
        } else {
            gr_ctx_init_fmpz_mpoly_q(w.K, (slong)w.F.n, ORD_LEX);
            result = integrate(&w, q);
            gr_ctx_clear(w.K);
        }
    }
    fmpz_mpoly_q_clear(q, w.F.ctx);
    cc_field_clear(&w.F);
    return result;
}
