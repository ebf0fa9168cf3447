// Indefinite summation of hypergeometric terms: Gosper's algorithm over the rational functions of whatever else the term holds.
// Called by sum.c. Everything is computed with FLINT's polynomials in the generators of the quotient of neighbouring terms; what comes
// out is checked by substitution, so that an unseen relation between generators can only lose a result.
#include "math/sum/sum.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/gr.h>
#include <flint/gr_mat.h>

#define MOST_DEGREE     60  // of the polynomial solution
#define MOST_DISPERSION 300 // steps between two factors that cancel

typedef struct gosper {
    cc_alg *g;
    cc_xratio *r;
    slong k; // index of the variable among the generators
    fmpz_mpoly_t a, b, c;
} gosper;

static slong degree(const gosper *s, const fmpz_mpoly_t p) {
    return fmpz_mpoly_is_zero(p, s->r->ctx) ? -1 : fmpz_mpoly_degree_si(p, s->k, s->r->ctx);
}

// out = p(k + h)
static bool shift(const gosper *s, fmpz_mpoly_t out, const fmpz_mpoly_t p, slong h) {
    fmpz_mpoly_ctx_struct *ctx = s->r->ctx;
    size_t n = s->r->n_gens;
    fmpz_mpoly_struct *values = CC_ARENA_ARRAY(s->g->arena, fmpz_mpoly_struct, n),
                      **at = CC_ARENA_ARRAY(s->g->arena, fmpz_mpoly_struct *, n);
    for (size_t i = 0; i < n; i++) {
        fmpz_mpoly_init(&values[i], ctx);
        fmpz_mpoly_gen(&values[i], (slong)i, ctx);
        at[i] = &values[i];
    }
    fmpz_mpoly_add_si(&values[s->k], &values[s->k], h, ctx);
    bool ok = fmpz_mpoly_compose_fmpz_mpoly(out, p, at, ctx, ctx);
    for (size_t i = 0; i < n; i++) fmpz_mpoly_clear(&values[i], ctx);
    return ok;
}

// The coefficient of k**e.
static void coefficient(const gosper *s, fmpz_mpoly_t out, const fmpz_mpoly_t p, slong e) {
    slong var = s->k;
    ulong exp = (ulong)e;
    fmpz_mpoly_get_coeff_vars_ui(out, p, &var, &exp, 1, s->r->ctx);
}

// The h >= 0 for which u(k) and v(k+h) are the same up to a factor free of k; -1 when there is none. Both are irreducible of the same
// degree d: then h*d is the difference of the second coefficients of their monic forms.
static slong distance(const gosper *s, const fmpz_mpoly_t u, const fmpz_mpoly_t v) {
    fmpz_mpoly_ctx_struct *ctx = s->r->ctx;
    slong d = degree(s, u), h = -1;
    if (d < 1 || d != degree(s, v)) return -1;
    fmpz_mpoly_t ul, us, vl, vs, left, right;
    fmpz_mpoly_init(ul, ctx), fmpz_mpoly_init(us, ctx), fmpz_mpoly_init(vl, ctx), fmpz_mpoly_init(vs, ctx), fmpz_mpoly_init(left, ctx),
        fmpz_mpoly_init(right, ctx);
    coefficient(s, ul, u, d), coefficient(s, us, u, d - 1), coefficient(s, vl, v, d), coefficient(s, vs, v, d - 1);
    // us/ul - vs/vl = h*d
    fmpz_mpoly_mul(left, us, vl, ctx), fmpz_mpoly_mul(right, vs, ul, ctx), fmpz_mpoly_sub(left, left, right, ctx);
    fmpz_mpoly_mul(right, ul, vl, ctx), fmpz_mpoly_scalar_mul_si(right, right, d, ctx);
    if (fmpz_mpoly_is_zero(left, ctx)) {
        h = 0;
    } else if (fmpz_mpoly_divides(left, left, right, ctx) && fmpz_mpoly_is_fmpz(left, ctx)) {
        fmpz_t q;
        fmpz_init(q);
        fmpz_mpoly_get_fmpz(q, left, ctx);
        if (fmpz_sgn(q) >= 0 && fmpz_cmp_si(q, MOST_DISPERSION) <= 0) h = fmpz_get_si(q);
        fmpz_clear(q);
    }
    if (h >= 0) { // the rest must agree, too
        if (shift(s, left, v, h)) fmpz_mpoly_mul(left, left, ul, ctx), fmpz_mpoly_mul(right, u, vl, ctx);
        if (!fmpz_mpoly_equal(left, right, ctx)) h = -1;
    }
    fmpz_mpoly_clear(ul, ctx), fmpz_mpoly_clear(us, ctx), fmpz_mpoly_clear(vl, ctx), fmpz_mpoly_clear(vs, ctx), fmpz_mpoly_clear(left, ctx),
        fmpz_mpoly_clear(right, ctx);
    return h;
}

// Moves a common factor of a(k) and b(k+h) into c: true when there was one.
static bool reduce_once(gosper *s) {
    fmpz_mpoly_ctx_struct *ctx = s->r->ctx;
    fmpz_mpoly_factor_t fa, fb;
    fmpz_mpoly_factor_init(fa, ctx), fmpz_mpoly_factor_init(fb, ctx);
    bool found = false;
    if (fmpz_mpoly_factor(fa, s->a, ctx) && fmpz_mpoly_factor(fb, s->b, ctx)) {
        slong best = -1, bi = 0;
        for (slong i = 0; i < fa->num; i++)
            for (slong j = 0; j < fb->num; j++) {
                slong h = distance(s, fa->poly + i, fb->poly + j);
                if (h >= 0 && (best < 0 || h < best)) best = h, bi = i, found = true;
            }
        if (found) {
            fmpz_mpoly_struct *u = fa->poly + bi;
            fmpz_mpoly_t t;
            fmpz_mpoly_init(t, ctx);
            found = fmpz_mpoly_divides(s->a, s->a, u, ctx);
            // b(k+h) is divisible by u up to a factor free of k, so b(k) by u(k-h): the factor of b is primitive, as u is
            found = found && shift(s, t, u, -best) && fmpz_mpoly_divides(s->b, s->b, t, ctx);
            for (slong j = 1; found && j <= best; j++) {
                found = shift(s, t, u, -j);
                fmpz_mpoly_mul(s->c, s->c, t, ctx);
            }
            fmpz_mpoly_clear(t, ctx);
        }
    }
    fmpz_mpoly_factor_clear(fa, ctx), fmpz_mpoly_factor_clear(fb, ctx);
    return found;
}

// The largest degree that a polynomial solution x of a(k) x(k+1) - b(k-1) x(k) = c(k) can have; -1: none. B is b(k-1).
static slong degree_bound(const gosper *s, const fmpz_mpoly_t B) {
    fmpz_mpoly_ctx_struct *ctx = s->r->ctx;
    slong da = degree(s, s->a), db = degree(s, B), dc = degree(s, s->c), bound;
    fmpz_mpoly_t la, lb, t;
    fmpz_mpoly_init(la, ctx), fmpz_mpoly_init(lb, ctx), fmpz_mpoly_init(t, ctx);
    coefficient(s, la, s->a, da), coefficient(s, lb, B, db);
    if (da != db || !fmpz_mpoly_equal(la, lb, ctx)) {
        bound = dc - (da > db ? da : db);
    } else {
        bound = dc - da + 1;
        if (da > 0) { // (B1 - A1)/lead, where it is a natural number, is possible as well
            coefficient(s, lb, B, da - 1), coefficient(s, t, s->a, da - 1), fmpz_mpoly_sub(lb, lb, t, ctx);
            fmpz_t q;
            fmpz_init(q);
            if (fmpz_mpoly_is_zero(lb, ctx)) {
                bound = bound > 0 ? bound : 0;
            } else if (fmpz_mpoly_divides(t, lb, la, ctx) && fmpz_mpoly_is_fmpz(t, ctx)) {
                fmpz_mpoly_get_fmpz(q, t, ctx);
                if (fmpz_cmp_si(q, bound) > 0) bound = fmpz_cmp_si(q, MOST_DEGREE) > 0 ? MOST_DEGREE + 1 : fmpz_get_si(q);
            }
            fmpz_clear(q);
        } else if (bound < 0) {
            bound = -1;
        }
    }
    fmpz_mpoly_clear(la, ctx), fmpz_mpoly_clear(lb, ctx), fmpz_mpoly_clear(t, ctx);
    return bound;
}

static cc_xp from_mpoly_q(const gosper *s, const fmpz_mpoly_q_t q) {
    cc_xratio one = *s->r;
    *one.q = *q;
    return cc_x_from_ratio(s->g, &one);
}

static cc_xp from_mpoly(const gosper *s, const fmpz_mpoly_t p) {
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, s->r->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(q), p, s->r->ctx);
    cc_xp out = from_mpoly_q(s, q);
    fmpz_mpoly_q_clear(q, s->r->ctx);
    return out;
}

// The polynomial solution as an expression, NULL when there is none.
static cc_xp solve(gosper *s, cc_xp k) {
    cc_alg *g = s->g;
    fmpz_mpoly_ctx_struct *ctx = s->r->ctx;
    fmpz_mpoly_t B, e, p, t;
    fmpz_mpoly_init(B, ctx), fmpz_mpoly_init(e, ctx), fmpz_mpoly_init(p, ctx), fmpz_mpoly_init(t, ctx);
    cc_xp out = NULL;
    slong most = shift(s, B, s->b, -1) ? degree_bound(s, B) : -1;
    if (most >= 0 && most <= MOST_DEGREE) {
        slong da = degree(s, s->a), db = degree(s, B), dc = degree(s, s->c), rows = (da > db ? da : db) + most + 1;
        if (rows < dc + 1) rows = dc + 1;
        gr_ctx_t gr;
        gr_ctx_init_fmpz_mpoly_q(gr, (slong)s->r->n_gens, fmpz_mpoly_ctx_ord(ctx));
        gr_mat_t m, x, rhs;
        gr_mat_init(m, rows, most + 1, gr), gr_mat_init(x, most + 1, 1, gr), gr_mat_init(rhs, rows, 1, gr);
        for (slong j = 0; j <= most; j++) { // a(k) (k+1)**j - b(k-1) k**j
            fmpz_mpoly_gen(p, s->k, ctx), fmpz_mpoly_pow_ui(t, p, (ulong)j, ctx);
            fmpz_mpoly_add_si(p, p, 1, ctx), fmpz_mpoly_pow_ui(p, p, (ulong)j, ctx);
            fmpz_mpoly_mul(p, p, s->a, ctx), fmpz_mpoly_mul(t, t, B, ctx), fmpz_mpoly_sub(p, p, t, ctx);
            for (slong i = 0; i < rows; i++) {
                coefficient(s, e, p, i);
                fmpz_mpoly_set(fmpz_mpoly_q_numref((fmpz_mpoly_q_struct *)gr_mat_entry_ptr(m, i, j, gr)), e, ctx);
            }
        }
        for (slong i = 0; i < rows; i++) {
            coefficient(s, e, s->c, i);
            fmpz_mpoly_set(fmpz_mpoly_q_numref((fmpz_mpoly_q_struct *)gr_mat_entry_ptr(rhs, i, 0, gr)), e, ctx);
        }
        if (gr_mat_solve_field(x, m, rhs, gr) == GR_SUCCESS) {
            out = g->zero;
            for (slong j = 0; j <= most; j++)
                out = cc_x_add(g, out, cc_x_mul(g, from_mpoly_q(s, gr_mat_entry_ptr(x, j, 0, gr)), cc_x_powi(g, k, j)));
        }
        gr_mat_clear(m, gr), gr_mat_clear(x, gr), gr_mat_clear(rhs, gr);
        gr_ctx_clear(gr);
    }
    if (out) { // times b(k-1)/c(k)
        cc_xp b = from_mpoly(s, B), c = from_mpoly(s, s->c);
        out = cc_x_factor(g, cc_x_together(g, cc_x_div(g, cc_x_mul(g, b, out), c)));
    }
    fmpz_mpoly_clear(B, ctx), fmpz_mpoly_clear(e, ctx), fmpz_mpoly_clear(p, ctx), fmpz_mpoly_clear(t, ctx);
    return out;
}

cc_xp cc_sum_antidifference(cc_alg *g, cc_xp f, cc_xp k) {
    cc_xp ratio = cc_sum_ratio(g, f, k);
    cc_xratio r;
    if (!ratio || !cc_x_to_ratio(g, &r, ratio)) return NULL;
    gosper s = {.g = g, .r = &r, .k = -1};
    bool rational = true; // in k: no other generator holds it
    for (size_t i = 0; i < r.n_gens; i++) {
        if (r.gens[i] == k)
            s.k = (slong)i;
        else if (cc_x_has(r.gens[i], k))
            rational = false;
    }
    cc_xp out = NULL;
    if (rational && s.k < 0) { // a geometric sequence: f/(ratio - 1)
        cc_xp less = cc_x_sub(g, ratio, g->one);
        if (cc_x_is_zero(g, less) == CC_FALSE) out = cc_x_div(g, f, less);
        if (cc_x_is_zero(g, less) == CC_TRUE) out = cc_x_mul(g, f, k);
    } else if (rational) {
        fmpz_mpoly_init(s.a, r.ctx), fmpz_mpoly_init(s.b, r.ctx), fmpz_mpoly_init(s.c, r.ctx);
        fmpz_mpoly_set(s.a, fmpz_mpoly_q_numref(r.q), r.ctx), fmpz_mpoly_set(s.b, fmpz_mpoly_q_denref(r.q), r.ctx),
            fmpz_mpoly_one(s.c, r.ctx);
        while (cc_alg_may_search(g) && reduce_once(&s)) {
        }
        cc_xp y = solve(&s, k);
        cc_term t;
        // The rational parts are put together: where the term is 0, y may have a pole that the product has not.
        if (y && cc_sum_take_apart(g, f, k, &t))
            out = cc_x_mul(g, cc_x_factor(g, cc_x_together(g, cc_x_mul(g, y, t.rational))), cc_x_mul(g, cc_x_pow(g, t.base, k), t.gammas));
        if (out) {
            // z(k+1)/f(k) - z(k)/f(k) = 1 is an identity of rational functions
            cc_xp next = cc_x_mul(g, cc_x_subs(g, y, k, cc_x_add(g, k, g->one)), ratio);
            if (cc_x_is_zero(g, cc_x_sub(g, cc_x_sub(g, next, y), g->one)) != CC_TRUE) out = NULL;
        }
        fmpz_mpoly_clear(s.a, r.ctx), fmpz_mpoly_clear(s.b, r.ctx), fmpz_mpoly_clear(s.c, r.ctx);
    }
    cc_xratio_clear(&r);
    return out;
}
