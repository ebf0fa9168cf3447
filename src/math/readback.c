// Calcium numbers → exact reals in a readable form: what Calcium simplified (1/(1+sqrt(2)) = sqrt(2) - 1) comes back as a graph
// that show.c can print. Called for results only. What has no readable form (high degree, complex extensions) gives NULL, and
// every form that does come back is checked against an enclosure of the number it stands for.
#include "math/real.h"

#include <flint/fexpr.h>
#include <flint/fexpr_builtin.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_q.h>
#include <flint/nf_elem.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <flint/qqbar.h>
#include <flint/ulong_extras.h>

enum {
    MAX_DEGREE = 8, // of an algebraic number written by formula; the formula search has no bound of its own
    MAX_HEIGHT = 2000,
    MAX_TERMS = 40,
    MAX_GENERATORS = 12,
    MAX_DEPTH = 12,
    MAX_PRIMES = 24, // tried in search of a long cycle
};

static cc_real *read_ca(cc_reals *r, ca_srcptr x, int depth);

// ---- algebraic numbers by formula ----

static cc_real *positive_root(cc_reals *r, cc_real *x, long n) {
    int sign;
    if (!x || cc_real_try_sign(r, x, &sign) || (sign < 0 && n % 2 == 0)) return NULL;
    return cc_real_root(r, x, n);
}

static cc_real *read_fexpr(cc_reals *r, const fexpr_t e, int depth);

static cc_real *read_power(cc_reals *r, cc_real *a, cc_real *b) {
    if (!a || !b || b->op != CC_R_RAT || !fmpz_abs_fits_ui(fmpq_numref(b->q)) || fmpz_cmp_ui(fmpq_denref(b->q), 64) > 0) return NULL;
    int sign;
    if (cc_real_try_sign(r, a, &sign) || sign == 0) return NULL;
    return cc_real_powi(r, positive_root(r, a, fmpz_get_si(fmpq_denref(b->q))), fmpz_get_si(fmpq_numref(b->q)));
}

static cc_real *apply(cc_reals *r, const fexpr_t e, cc_real *a, cc_real *b) {
    if (!a) return NULL;
    if (fexpr_is_builtin_call(e, FEXPR_Neg)) return cc_real_neg(r, a);
    if (fexpr_is_builtin_call(e, FEXPR_Sqrt)) return positive_root(r, a, 2);
    if (fexpr_is_builtin_call(e, FEXPR_Cos)) return cc_real_cos(r, a);
    if (fexpr_is_builtin_call(e, FEXPR_Sin)) return cc_real_sin(r, a);
    if (!b) return NULL;
    if (fexpr_is_builtin_call(e, FEXPR_Sub)) return cc_real_sub(r, a, b);
    if (fexpr_is_builtin_call(e, FEXPR_Div)) return cc_real_div(r, a, b);
    if (fexpr_is_builtin_call(e, FEXPR_Pow)) return read_power(r, a, b);
    return NULL;
}

static cc_real *read_fexpr(cc_reals *r, const fexpr_t e, int depth) {
    if (depth > MAX_DEPTH * 2) return NULL;
    if (fexpr_is_integer(e)) {
        fmpz_t k;
        fmpz_init(k);
        fexpr_get_fmpz(k, e);
        cc_real *x = cc_real_fmpz(r, k);
        fmpz_clear(k);
        return x;
    }
    if (fexpr_is_builtin_symbol(e, FEXPR_Pi)) return cc_real_const(r, CC_R_PI);
    slong n = fexpr_nargs(e);
    if (n < 1 || n > MAX_TERMS) return NULL;
    bool add = fexpr_is_builtin_call(e, FEXPR_Add), mul = fexpr_is_builtin_call(e, FEXPR_Mul);
    cc_real *acc = cc_real_si(r, mul ? 1 : 0), *args[2] = {NULL, NULL};
    fexpr_t t;
    fexpr_init(t);
    for (slong i = 0; i < n && acc; i++) {
        fexpr_arg(t, e, i);
        cc_real *x = read_fexpr(r, t, depth + 1);
        if (add || mul)
            acc = !x ? NULL : add ? cc_real_add(r, acc, x) : cc_real_mul(r, acc, x);
        else if (i < 2 && x)
            args[i] = x;
        else
            acc = NULL;
    }
    fexpr_clear(t);
    if (!acc || add || mul) return acc;
    return apply(r, e, args[0], args[1]);
}

// A cubic that is (x - r)**3 = c.
static bool is_shifted_cube(const fmpz_poly_t p) {
    fmpz_t t;
    fmpz_init(t);
    fmpz_mul(t, fmpz_poly_get_coeff_ptr(p, 2), fmpz_poly_get_coeff_ptr(p, 2));
    fmpz_submul(t, fmpz_poly_get_coeff_ptr(p, 3), fmpz_poly_get_coeff_ptr(p, 1));
    fmpz_submul(t, fmpz_poly_get_coeff_ptr(p, 3), fmpz_poly_get_coeff_ptr(p, 1));
    fmpz_submul(t, fmpz_poly_get_coeff_ptr(p, 3), fmpz_poly_get_coeff_ptr(p, 1));
    bool yes = fmpz_is_zero(t);
    fmpz_clear(t);
    return yes;
}

// Has p modulo `prime` no multiple root and an irreducible factor of a prime degree above n/2 and below n?
static bool long_cycle(const fmpz_poly_t p, ulong prime) {
    slong n = fmpz_poly_degree(p);
    nmod_poly_t q;
    nmod_poly_factor_t f;
    nmod_poly_init(q, prime);
    nmod_poly_factor_init(f);
    fmpz_poly_get_nmod_poly(q, p);
    bool found = false;
    if (nmod_poly_degree(q) == n && nmod_poly_is_squarefree(q)) {
        slong *degrees = flint_malloc(sizeof(slong) * (size_t)(n + 1));
        nmod_poly_factor_distinct_deg(f, q, &degrees);
        for (slong i = 0; i < f->num; i++) found = found || (2 * degrees[i] > n && degrees[i] < n && n_is_prime((ulong)degrees[i]));
        flint_free(degrees);
    }
    nmod_poly_factor_clear(f);
    nmod_poly_clear(q);
    return found;
}

// No formula that is shorter to read than the polynomial. By Dedekind such a factor is a cycle in the Galois group, which then is
// primitive, and (Jordan) holds all even permutations, or PGL(2,5) is in it (n = 6): from degree 5 on there is no formula at all then, save
// with square roots of numbers of degree 7 (n = 8); for degree 4 and 3 there is Ferrari's and Cardano's, which is short for a shifted cube
// only.
bool cc_real_no_formula(const fmpz_poly_t p) {
    slong n = fmpz_poly_degree(p);
    if (n < 3 || n > MAX_DEGREE || (n == 3 && is_shifted_cube(p))) return false;
    ulong prime = 3;
    for (int i = 0; i < MAX_PRIMES; i++, prime = n_nextprime(prime, 1))
        if (long_cycle(p, prime)) return true;
    return false;
}

static cc_real *read_qqbar(cc_reals *r, const qqbar_t q) {
    if (!qqbar_is_real(q) || qqbar_degree(q) > MAX_DEGREE || qqbar_height_bits(q) > MAX_HEIGHT || cc_real_no_formula(QQBAR_POLY(q)))
        return NULL;
    fexpr_t e;
    fexpr_init(e);
    cc_real *x = qqbar_get_fexpr_formula(e, q, QQBAR_FORMULA_ALL) ? read_fexpr(r, e, 0) : NULL;
    fexpr_clear(e);
    return x;
}

// ---- elements of fields ----

// A root of x^n - c, c > 0, that is real and positive: c**(1/n). NULL when q is not such a number.
static cc_real *pure_root(cc_reals *r, const qqbar_t q) {
    const fmpz_poly_struct *p = QQBAR_POLY(q);
    slong n = fmpz_poly_degree(p);
    for (slong i = 1; i < n; i++)
        if (!fmpz_is_zero(fmpz_poly_get_coeff_ptr(p, i))) return NULL;
    if (n < 2 || !qqbar_is_real(q) || qqbar_sgn_re(q) <= 0) return NULL;
    fmpq_t c;
    fmpq_init(c);
    fmpq_set_fmpz_frac(c, fmpz_poly_get_coeff_ptr(p, 0), fmpz_poly_get_coeff_ptr(p, n));
    fmpq_neg(c, c);
    cc_real *x = cc_real_root(r, cc_real_fmpq(r, c), n);
    fmpq_clear(c);
    return x;
}

static cc_real *read_ext(cc_reals *r, ca_ext_struct *e, int depth) {
    if (CA_EXT_IS_QQBAR(e)) {
        cc_real *x = pure_root(r, CA_EXT_QQBAR(e));
        return x ? x : read_qqbar(r, CA_EXT_QQBAR(e));
    }
    slong n = CA_EXT_FUNC_NARGS(e);
    cc_real *a = n > 0 ? read_ca(r, CA_EXT_FUNC_ARGS(e), depth + 1) : NULL;
    cc_real *b = n > 1 ? read_ca(r, CA_EXT_FUNC_ARGS(e) + 1, depth + 1) : NULL;
    if ((n > 0 && !a) || (n > 1 && !b)) return NULL;
    int sign = 0;
    switch (CA_EXT_HEAD(e)) {
    case CA_Pi: return cc_real_const(r, CC_R_PI);
    case CA_Euler: return cc_real_const(r, CC_R_EULER);
    case CA_Sqrt: return positive_root(r, a, 2);
    case CA_Exp: return cc_real_exp(r, a);
    case CA_Log: return !cc_real_try_sign(r, a, &sign) && sign > 0 ? cc_real_log(r, a) : NULL;
    case CA_Pow: return !cc_real_try_sign(r, a, &sign) && sign > 0 ? cc_real_pow(r, a, b) : NULL;
    case CA_Abs: return cc_real_abs(r, a);
    case CA_Sin: return cc_real_sin(r, a);
    case CA_Cos: return cc_real_cos(r, a);
    case CA_Tan: return cc_real_tan(r, a);
    case CA_Asin: return cc_real_node(r, CC_R_ASIN, a, NULL, 0);
    case CA_Acos: return cc_real_node(r, CC_R_ACOS, a, NULL, 0);
    case CA_Atan: return cc_real_node(r, CC_R_ATAN, a, NULL, 0);
    case CA_Gamma: return cc_real_func(r, CC_R_GAMMA, a);
    case CA_LogGamma: return cc_real_func(r, CC_R_LGAMMA, a);
    case CA_Psi: return cc_real_func(r, CC_R_DIGAMMA, a);
    case CA_Erf: return cc_real_func(r, CC_R_ERF, a);
    case CA_Erfc: return cc_real_func(r, CC_R_ERFC, a);
    case CA_Erfi: return cc_real_func(r, CC_R_ERFI, a);
    case CA_RiemannZeta: return cc_real_func(r, CC_R_ZETA, a);
    default: return NULL;
    }
}

static cc_real *read_nf(cc_reals *r, ca_srcptr x, ca_ctx_struct *c) {
    ca_field_ptr k = CA_FIELD(x, c);
    cc_real *gen = pure_root(r, CA_FIELD_NF_QQBAR(k));
    if (!gen) {
        qqbar_t q;
        qqbar_init(q);
        cc_real *res = ca_get_qqbar(q, x, c) ? read_qqbar(r, q) : NULL;
        qqbar_clear(q);
        return res;
    }
    fmpq_poly_t p;
    fmpq_t q;
    fmpq_poly_init(p);
    fmpq_init(q);
    nf_elem_get_fmpq_poly(p, CA_NF_ELEM(x), CA_FIELD_NF(k));
    cc_real *sum = cc_real_si(r, 0);
    for (slong i = 0; i < fmpq_poly_length(p) && sum; i++) {
        fmpq_poly_get_coeff_fmpq(q, p, i);
        if (!fmpq_is_zero(q)) sum = cc_real_add(r, sum, cc_real_mul(r, cc_real_fmpq(r, q), cc_real_powi(r, gen, i)));
    }
    fmpq_poly_clear(p);
    fmpq_clear(q);
    return sum;
}

static cc_real *read_poly(cc_reals *r, const fmpz_mpoly_t p, cc_real **gens, slong n, const fmpz_mpoly_ctx_t m) {
    slong terms = fmpz_mpoly_length(p, m);
    if (terms > MAX_TERMS) return NULL;
    cc_real *sum = cc_real_si(r, 0);
    fmpz_t k;
    fmpz_init(k);
    for (slong i = 0; i < terms && sum; i++) {
        slong exp[MAX_GENERATORS];
        if (!fmpz_mpoly_term_exp_fits_si(p, i, m)) {
            sum = NULL;
            break;
        }
        fmpz_mpoly_get_term_coeff_fmpz(k, p, i, m);
        fmpz_mpoly_get_term_exp_si(exp, p, i, m);
        cc_real *t = cc_real_fmpz(r, k);
        for (slong j = 0; j < n && t; j++)
            if (exp[j]) t = cc_real_mul(r, t, cc_real_powi(r, gens[j], exp[j]));
        sum = t ? cc_real_add(r, sum, t) : NULL;
    }
    fmpz_clear(k);
    return sum;
}

static cc_real *read_generic(cc_reals *r, ca_srcptr x, int depth, ca_ctx_struct *c) {
    ca_field_ptr k = CA_FIELD(x, c);
    slong n = CA_FIELD_LENGTH(k);
    cc_real *gens[MAX_GENERATORS];
    if (n > MAX_GENERATORS) return NULL;
    for (slong i = 0; i < n; i++)
        if (!(gens[i] = read_ext(r, CA_FIELD_EXT_ELEM(k, i), depth))) return NULL;
    const fmpz_mpoly_ctx_struct *m = CA_FIELD_MCTX(k, c);
    cc_real *num = read_poly(r, fmpz_mpoly_q_numref(CA_MPOLY_Q(x)), gens, n, m);
    cc_real *den = read_poly(r, fmpz_mpoly_q_denref(CA_MPOLY_Q(x)), gens, n, m);
    return num && den ? cc_real_div(r, num, den) : NULL;
}

static cc_real *read_ca(cc_reals *r, ca_srcptr x, int depth) {
    ca_ctx_struct *c = r->ca[CC_CA_DIRECT];
    if (depth > MAX_DEPTH || CA_IS_SPECIAL(x)) return NULL;
    if (CA_IS_QQ(x, c)) return cc_real_fmpq(r, CA_FMPQ(x));
    return CA_FIELD_IS_NF(CA_FIELD(x, c)) ? read_nf(r, x, c) : read_generic(r, x, depth, c);
}

cc_real *cc_real_simplify(cc_reals *r, cc_real *x) {
    if (x->op == CC_R_RAT) return x;
    ca_srcptr c = cc_real_ca(r, x, CC_CA_DIRECT);
    if (!c) return NULL;
    // Reading back may make numbers that are then looked up in Calcium, so it works on a copy of its own.
    ca_t copy;
    ca_init(copy, r->ca[CC_CA_DIRECT]);
    ca_set(copy, c, r->ca[CC_CA_DIRECT]);
    cc_error saved = *r->err, local = {0};
    cc_error *err = r->err;
    r->err = &local; // a form that cannot be read back is no error
    cc_real *y = read_ca(r, copy, 0);
    ca_clear(copy, r->ca[CC_CA_DIRECT]);
    r->err = err;
    *err = saved;
    if (y && y != x && !arb_overlaps(cc_real_ball(r, x, 256), cc_real_ball(r, y, 256))) return NULL;
    return y;
}

cc_real *cc_real_read(cc_reals *r, ca_srcptr x) {
    ca_ctx_struct *c = r->ca[CC_CA_DIRECT];
    ca_t copy;
    ca_init(copy, c);
    ca_set(copy, x, c);
    cc_error saved = *r->err, local = {0};
    cc_error *err = r->err;
    r->err = &local; // a form that cannot be read back is no error
    cc_real *y = read_ca(r, copy, 0);
    r->err = err;
    *err = saved;
    acb_t ball;
    acb_init(ball);
    ca_get_acb(ball, copy, 256, c);
    if (y && (!arb_overlaps(acb_realref(ball), cc_real_ball(r, y, 256)) || !arb_contains_zero(acb_imagref(ball)))) y = NULL;
    acb_clear(ball);
    ca_clear(copy, c);
    return y;
}
