// Factors over the rationals with one root: x**2 - 2*sqrt(2)*x + 2 is (x - sqrt(2))**2. Called by cc_x_factor when exactly one algebraic
// constant and one other generator occur. By the norm (Trager): what the product over the conjugates of f(x - s*root) splits into over
// the rationals gives the factors of f as greatest common divisors.
#include "math/simplify/forms.h"
#include "math/simplify/ratio.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/gr.h>
#include <flint/gr_poly.h>
#include <flint/nf.h>
#include <flint/nf_elem.h>

enum { MAX_ROOT_DEGREE = 4, MAX_DEGREE = 24, MAX_SHIFT = 8 };

typedef struct extension {
    cc_alg *g;
    const cc_xratio *r;
    slong root, x; // the two generators
    nf_t nf;
    gr_ctx_t k;
    fmpz_mpoly_t minimal; // of the root, in its generator
    int status;
} extension;

static void to_field_poly(extension *e, gr_poly_t out, const fmpz_mpoly_t p) {
    slong degree = fmpz_mpoly_degree_si(p, e->x, e->r->ctx);
    fmpq_poly_t c;
    nf_elem_t a;
    fmpq_t q;
    fmpq_poly_init(c);
    fmpq_init(q);
    nf_elem_init(a, e->nf);
    e->status |= gr_poly_zero(out, e->k);
    for (slong j = 0; j <= degree; j++) {
        fmpq_poly_zero(c);
        for (slong i = 0; i < fmpz_mpoly_length(p, e->r->ctx); i++) {
            if ((slong)fmpz_mpoly_get_term_var_exp_ui(p, i, e->x, e->r->ctx) != j) continue;
            fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(q), p, i, e->r->ctx);
            fmpq_poly_set_coeff_fmpq(c, (slong)fmpz_mpoly_get_term_var_exp_ui(p, i, e->root, e->r->ctx), q);
        }
        nf_elem_set_fmpq_poly(a, c, e->nf);
        e->status |= gr_poly_set_coeff_scalar(out, j, a, e->k);
    }
    nf_elem_clear(a, e->nf);
    fmpq_clear(q);
    fmpq_poly_clear(c);
}

static void to_root(extension *e, fmpz_mpoly_q_t out, const nf_elem_struct *a) {
    fmpq_poly_t c;
    fmpq_t q;
    fmpq_poly_init(c);
    fmpq_init(q);
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, e->r->ctx);
    nf_elem_get_fmpq_poly(c, a, e->nf);
    fmpz_mpoly_q_zero(out, e->r->ctx);
    for (slong i = fmpq_poly_degree(c); i >= 0; i--) {
        fmpz_mpoly_q_gen(t, e->root, e->r->ctx);
        fmpz_mpoly_q_mul(out, out, t, e->r->ctx);
        fmpq_poly_get_coeff_fmpq(q, c, i);
        fmpz_mpoly_q_add_fmpq(out, out, q, e->r->ctx);
    }
    fmpz_mpoly_q_clear(t, e->r->ctx);
    fmpq_clear(q);
    fmpq_poly_clear(c);
}

static void from_field_poly(extension *e, fmpz_mpoly_q_t out, const gr_poly_t p) {
    fmpz_mpoly_q_t x, c;
    fmpz_mpoly_q_init(x, e->r->ctx);
    fmpz_mpoly_q_init(c, e->r->ctx);
    fmpz_mpoly_q_gen(x, e->x, e->r->ctx);
    fmpz_mpoly_q_zero(out, e->r->ctx);
    for (slong i = gr_poly_length(p, e->k) - 1; i >= 0; i--) {
        to_root(e, c, (const nf_elem_struct *)gr_poly_coeff_srcptr(p, i, e->k));
        fmpz_mpoly_q_mul(out, out, x, e->r->ctx);
        fmpz_mpoly_q_add(out, out, c, e->r->ctx);
    }
    fmpz_mpoly_q_clear(x, e->r->ctx);
    fmpz_mpoly_q_clear(c, e->r->ctx);
}

static cc_xp show_poly(extension *e, const gr_poly_t p) {
    cc_xratio r = *e->r;
    fmpz_mpoly_q_init(r.q, r.ctx);
    from_field_poly(e, r.q, p);
    cc_xp out = cc_x_from_ratio(e->g, &r);
    fmpz_mpoly_q_clear(r.q, r.ctx);
    return out;
}

// p(x + s*root)
static bool shift(extension *e, fmpz_mpoly_t out, const fmpz_mpoly_t p, slong s) {
    const fmpz_mpoly_ctx_struct *ctx = e->r->ctx;
    fmpz_mpoly_t to, root;
    fmpz_mpoly_init(to, ctx);
    fmpz_mpoly_init(root, ctx);
    fmpz_mpoly_gen(to, e->x, ctx);
    fmpz_mpoly_gen(root, e->root, ctx);
    fmpz_mpoly_scalar_mul_si(root, root, s, ctx);
    fmpz_mpoly_add(to, to, root, ctx);
    fmpz_mpoly_gen(root, e->root, ctx);
    fmpz_mpoly_struct *by[2];
    by[e->x] = to;
    by[e->root] = root;
    bool ok = fmpz_mpoly_compose_fmpz_mpoly(out, p, by, ctx, ctx) != 0;
    fmpz_mpoly_clear(to, ctx);
    fmpz_mpoly_clear(root, ctx);
    return ok;
}

// A shift for which the norm of p is squarefree, and that norm; 0 < s, or 0 when none was found.
static slong norm(extension *e, fmpz_mpoly_t out, const fmpz_mpoly_t p) {
    const fmpz_mpoly_ctx_struct *ctx = e->r->ctx;
    fmpz_mpoly_t shifted, d;
    fmpz_mpoly_init(shifted, ctx);
    fmpz_mpoly_init(d, ctx);
    slong found = 0;
    for (slong s = 1; s <= MAX_SHIFT && !found && cc_alg_go_on(e->g); s++) {
        if (!shift(e, shifted, p, -s) || !fmpz_mpoly_resultant(out, shifted, e->minimal, e->root, ctx)) break;
        fmpz_mpoly_derivative(d, out, e->x, ctx);
        if (fmpz_mpoly_gcd(d, d, out, ctx) && fmpz_mpoly_degree_si(d, e->x, ctx) == 0) found = s;
    }
    fmpz_mpoly_clear(shifted, ctx);
    fmpz_mpoly_clear(d, ctx);
    return found;
}

// p as a product over the extension; NULL when it was not done.
static cc_xp factor_over(extension *e, const fmpz_mpoly_t p) {
    const fmpz_mpoly_ctx_struct *ctx = e->r->ctx;
    slong degree = fmpz_mpoly_degree_si(p, e->x, ctx);
    if (degree > MAX_DEGREE) return NULL;
    if (degree < 1) return cc_ratio_poly(e->g, e->r, p, NULL);
    gr_poly_t f, free, part, t, rest;
    gr_poly_struct *all[] = {f, free, part, t, rest};
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) gr_poly_init(all[i], e->k);
    fmpz_mpoly_q_t q;
    fmpz_mpoly_t n, base;
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_q_init(q, ctx);
    fmpz_mpoly_init(n, ctx);
    fmpz_mpoly_init(base, ctx);
    fmpz_mpoly_factor_init(factors, ctx);
    to_field_poly(e, f, p);
    e->status |= gr_poly_derivative(t, f, e->k);
    e->status |= gr_poly_gcd(t, f, t, e->k);
    e->status |= gr_poly_divrem(free, rest, f, t, e->k);
    cc_xp out = NULL;
    slong s = 0;
    if (e->status == GR_SUCCESS) {
        from_field_poly(e, q, free);
        s = norm(e, n, fmpz_mpoly_q_numref(q));
    }
    if (s && fmpz_mpoly_factor(factors, n, ctx)) {
        to_root(e, q, (const nf_elem_struct *)gr_poly_coeff_srcptr(f, degree, e->k));
        cc_xratio lead = *e->r;
        *lead.q = *q;
        out = cc_x_from_ratio(e->g, &lead);
        for (slong i = 0; i < fmpz_mpoly_factor_length(factors, ctx) && e->status == GR_SUCCESS; i++) {
            fmpz_mpoly_factor_get_base(base, factors, i, ctx);
            if (!shift(e, n, base, s)) e->status |= GR_UNABLE;
            to_field_poly(e, part, n);
            e->status |= gr_poly_gcd(part, free, part, e->k);
            if (e->status != GR_SUCCESS || gr_poly_length(part, e->k) < 2) continue;
            e->status |= gr_poly_make_monic(part, part, e->k);
            slong times = 0;
            while (e->status == GR_SUCCESS && gr_poly_length(f, e->k) >= gr_poly_length(part, e->k)) {
                e->status |= gr_poly_divrem(t, rest, f, part, e->k);
                if (e->status != GR_SUCCESS || gr_poly_length(rest, e->k) > 0) break;
                gr_poly_swap(f, t, e->k);
                times++;
            }
            out = cc_x_mul(e->g, out, cc_x_powi(e->g, show_poly(e, part), times));
        }
        if (e->status != GR_SUCCESS || gr_poly_length(f, e->k) != 1) out = NULL; // something is left
    }
    fmpz_mpoly_factor_clear(factors, ctx);
    fmpz_mpoly_clear(base, ctx);
    fmpz_mpoly_clear(n, ctx);
    fmpz_mpoly_q_clear(q, ctx);
    for (size_t i = 0; i < CC_ARRAY_LEN(all); i++) gr_poly_clear(all[i], e->k);
    return out;
}

cc_xp cc_ratio_over_root(cc_alg *g, const cc_xratio *r) {
    if (r->n_gens != 2 || r->n_rules != 1 || r->rules[0].degree > MAX_ROOT_DEGREE) return NULL;
    extension e = {.g = g, .r = r, .root = r->rules[0].gen, .x = 1 - r->rules[0].gen, .status = GR_SUCCESS};
    const fmpz_mpoly_q_struct *value = r->rules[0].value;
    // the polynomial of a CRootOf may be reducible
    if (!cc_x_is_constant(r->gens[e.root]) || cc_x_is_fun(r->gens[e.root], CC_F_CROOTOF) || cc_x_is_constant(r->gens[e.x])) return NULL;
    // root**degree * den - num
    fmpz_mpoly_init(e.minimal, r->ctx);
    fmpz_mpoly_gen(e.minimal, e.root, r->ctx);
    bool ok = fmpz_mpoly_pow_ui(e.minimal, e.minimal, (ulong)r->rules[0].degree, r->ctx) != 0;
    fmpz_mpoly_mul(e.minimal, e.minimal, fmpz_mpoly_q_denref(value), r->ctx);
    fmpz_mpoly_sub(e.minimal, e.minimal, fmpz_mpoly_q_numref(value), r->ctx);
    fmpq_poly_t m;
    fmpq_poly_init(m);
    fmpq_t c;
    fmpq_init(c);
    for (slong i = 0; i < fmpz_mpoly_length(e.minimal, r->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), e.minimal, i, r->ctx);
        fmpq_poly_set_coeff_fmpq(m, (slong)fmpz_mpoly_get_term_var_exp_ui(e.minimal, i, e.root, r->ctx), c);
    }
    nf_init(e.nf, m);
    _gr_ctx_init_nf_from_ref(e.k, e.nf);
    cc_xp num = ok ? factor_over(&e, fmpz_mpoly_q_numref(r->q)) : NULL, den = num ? factor_over(&e, fmpz_mpoly_q_denref(r->q)) : NULL;
    nf_clear(e.nf); // which e.k only refers to
    fmpq_clear(c);
    fmpq_poly_clear(m);
    fmpz_mpoly_clear(e.minimal, r->ctx);
    return den ? cc_x_div(g, num, den) : NULL;
}
