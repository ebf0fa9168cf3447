// Small questions that the methods of integration ask: is it linear, what is its square root, does it begin with a minus sign.
// Called by the methods; owns nothing.

#include "math/factor_integer.h"
#include "math/integrate/integrate.h"

cc_xp cc_int_find_fun(cc_xp x, cc_xfn fn, cc_xp v) {
    if (!x || cc_int_free(x, v)) return NULL;
    if (cc_x_is_fun(x, fn) && (x->n == 1 || cc_int_free(x->args[1], v))) return x;
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp r = cc_int_find_fun(x->args[i], fn, v);
        if (r) return r;
    }
    return NULL;
}

bool cc_int_polynomial(cc_alg *g, cc_xp f, cc_xp v, slong most, cc_xp *c) {
    for (slong i = 0; i <= most; i++) c[i] = g->zero;
    if (!f) return false;
    if (cc_int_free(f, v)) {
        c[0] = f;
        return true;
    }
    cc_field F;
    if (!cc_field_init(&F, g, v, &f, 1)) return false;
    bool ok = F.how[0].q == 1;
    for (size_t i = 1; ok && i + 1 < F.n; i++) ok = cc_int_free(F.gens[i], v);
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, F.ctx);
    ok = ok && cc_field_get(&F, q, f) && fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(q), 0, F.ctx) <= 0 &&
         fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(q), 0, F.ctx) <= most;
    if (ok) {
        fmpz_mpoly_univar_t u;
        fmpz_mpoly_q_t t;
        fmpz_mpoly_q_init(t, F.ctx);
        fmpz_mpoly_univar_init(u, F.ctx);
        fmpz_mpoly_to_univar(u, fmpz_mpoly_q_numref(q), 0, F.ctx);
        for (slong i = 0; i < fmpz_mpoly_univar_length(u, F.ctx); i++) {
            fmpz_mpoly_univar_get_term_coeff(fmpz_mpoly_q_numref(t), u, i, F.ctx);
            fmpz_mpoly_set(fmpz_mpoly_q_denref(t), fmpz_mpoly_q_denref(q), F.ctx);
            fmpz_mpoly_q_canonicalise(t, F.ctx);
            c[fmpz_mpoly_univar_get_term_exp_si(u, i, F.ctx)] = cc_field_expr(&F, t);
        }
        fmpz_mpoly_univar_clear(u, F.ctx);
        fmpz_mpoly_q_clear(t, F.ctx);
    }
    fmpz_mpoly_q_clear(q, F.ctx);
    cc_field_clear(&F);
    return ok;
}

bool cc_int_linear(cc_alg *g, cc_xp f, cc_xp v, cc_xp *a, cc_xp *b) {
    cc_xp c[2];
    if (!f) return false;
    if (f == v) {
        *a = g->zero;
        *b = g->one;
        return true;
    }
    if (!cc_int_polynomial(g, f, v, 1, c)) return false;
    *a = c[0];
    *b = c[1];
    return c[1] != g->zero;
}

bool cc_int_quadratic(cc_alg *g, cc_xp f, cc_xp v, cc_xp *a, cc_xp *b, cc_xp *c) {
    cc_xp k[3];
    if (!cc_int_polynomial(g, f, v, 2, k)) return false;
    *a = k[0];
    *b = k[1];
    *c = k[2];
    return *c != g->zero;
}

bool cc_int_minus(cc_xp x) {
    if (!x) return false;
    if (x->kind == CC_X_NUM) return cc_x_num_sign(x) < 0;
    if (x->kind == CC_X_MUL) return cc_int_minus(x->args[0]);
    if (x->kind != CC_X_ADD) return false;
    uint32_t minus = 0;
    for (uint32_t i = 0; i < x->n; i++) minus += cc_int_minus(x->args[i]);
    return 2 * minus > x->n || (2 * minus == x->n && cc_int_minus(x->args[x->n - 1]));
}

// The square root of p by its factors: even powers come out.
static cc_xp root_of_poly(cc_field *F, const fmpz_mpoly_t p, cc_xp *inside) {
    cc_alg *g = F->g;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, F->ctx);
    cc_xp outside = NULL;
    *inside = cc_field_poly(F, p);
    if (p->length < 100 && fmpz_mpoly_factor(f, p, F->ctx)) {
        fmpz_t c;
        fmpz_mpoly_t b, rest;
        fmpz_init(c);
        fmpz_mpoly_init(b, F->ctx);
        fmpz_mpoly_init(rest, F->ctx);
        fmpz_mpoly_factor_get_constant_fmpz(c, f, F->ctx);
        outside = g->one;
        if (fmpz_bits(c) < 64) { // the square in the content
            fmpz_factor_t square;
            fmpz_factor_init(square);
            cc_factor(square, c, NULL);
            for (slong i = 0; i < square->num; i++) {
                fmpz_t root;
                fmpz_init(root);
                fmpz_pow_ui(root, &square->p[i], square->exp[i] / 2);
                outside = cc_x_mul(g, outside, cc_x_fmpz(g, root));
                fmpz_mul(root, root, root);
                fmpz_divexact(c, c, root);
                fmpz_clear(root);
            }
            fmpz_factor_clear(square);
        }
        fmpz_mpoly_set_fmpz(rest, c, F->ctx);
        for (slong i = 0; i < fmpz_mpoly_factor_length(f, F->ctx); i++) {
            slong e = fmpz_mpoly_factor_get_exp_si(f, i, F->ctx);
            fmpz_mpoly_factor_get_base(b, f, i, F->ctx);
            if (e / 2) outside = cc_x_mul(g, outside, cc_x_powi(g, cc_field_poly(F, b), e / 2));
            if (e % 2) fmpz_mpoly_mul(rest, rest, b, F->ctx);
        }
        *inside = cc_field_poly(F, rest);
        fmpz_clear(c);
        fmpz_mpoly_clear(b, F->ctx);
        fmpz_mpoly_clear(rest, F->ctx);
    }
    fmpz_mpoly_factor_clear(f, F->ctx);
    return outside ? outside : g->one;
}

cc_xp cc_int_square_root(cc_alg *g, cc_xp x) {
    cc_field F;
    if (!x || x->kind == CC_X_NUM || !cc_field_init(&F, g, cc_x_dummy(g, "z", 0), &x, 1)) return cc_x_sqrt(g, x);
    cc_xp r = NULL;
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, F.ctx);
    if (cc_field_get(&F, q, x)) {
        // sqrt(n/d) = sqrt(n*d)/d
        cc_xp inside, inside_den, out = root_of_poly(&F, fmpz_mpoly_q_numref(q), &inside);
        cc_xp out_den = root_of_poly(&F, fmpz_mpoly_q_denref(q), &inside_den);
        cc_xp product = inside_den == g->one ? inside : cc_x_expand(g, cc_x_mul(g, inside, inside_den));
        r = CC_PROD(g, out, cc_x_sqrt(g, product), cc_x_pow(g, out_den, g->minus_one), cc_x_pow(g, inside_den, g->minus_one));
    }
    fmpz_mpoly_q_clear(q, F.ctx);
    cc_field_clear(&F);
    return r ? r : cc_x_sqrt(g, x);
}

bool cc_int_divide(cc_alg *g, cc_xp num, cc_xp den, cc_xp v, slong most, cc_xp *quotient, cc_xp *proper) {
    for (slong i = 0; i <= most; i++) quotient[i] = g->zero;
    *proper = g->zero;
    cc_xp f = cc_x_div(g, num, den);
    cc_field F;
    if (!f || !cc_field_init(&F, g, v, &f, 1)) return false;
    fmpz_mpoly_q_t q, t, lead;
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_q_init(q, F.ctx);
    fmpz_mpoly_q_init(t, F.ctx);
    fmpz_mpoly_q_init(lead, F.ctx);
    fmpz_mpoly_univar_init(u, F.ctx);
    bool ok = F.how[0].q == 1 && cc_field_get(&F, q, f);
    while (ok && !fmpz_mpoly_q_is_zero(q, F.ctx)) {
        // t = (leading coefficient of the numerator)/(that of the denominator) * v**(n - m)
        slong n = fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(q), 0, F.ctx), m = fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(q), 0, F.ctx);
        if (n < m) break;
        ok = n - m <= most && cc_alg_may_search(g);
        if (!ok) break;
        fmpz_mpoly_to_univar(u, fmpz_mpoly_q_numref(q), 0, F.ctx);
        fmpz_mpoly_univar_get_term_coeff(fmpz_mpoly_q_numref(t), u, 0, F.ctx);
        fmpz_mpoly_one(fmpz_mpoly_q_denref(t), F.ctx);
        fmpz_mpoly_to_univar(u, fmpz_mpoly_q_denref(q), 0, F.ctx);
        fmpz_mpoly_univar_get_term_coeff(fmpz_mpoly_q_numref(lead), u, 0, F.ctx);
        fmpz_mpoly_one(fmpz_mpoly_q_denref(lead), F.ctx);
        fmpz_mpoly_q_div(t, t, lead, F.ctx);
        quotient[n - m] = cc_field_expr(&F, t);
        fmpz_mpoly_q_gen(lead, 0, F.ctx);
        fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(lead), fmpz_mpoly_q_numref(lead), (ulong)(n - m), F.ctx);
        fmpz_mpoly_q_mul(t, t, lead, F.ctx);
        fmpz_mpoly_q_sub(q, q, t, F.ctx);
    }
    if (ok) *proper = cc_field_expr(&F, q);
    fmpz_mpoly_univar_clear(u, F.ctx);
    fmpz_mpoly_q_clear(q, F.ctx);
    fmpz_mpoly_q_clear(t, F.ctx);
    fmpz_mpoly_q_clear(lead, F.ctx);
    cc_field_clear(&F);
    return ok && *proper;
}

static cc_xp quotient_of_sinc(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    return cc_x_is_fun(x, CC_F_SINC) ? cc_x_div(g, cc_x_f1(g, CC_F_SIN, x->args[0]), x->args[0]) : x;
}

cc_xp cc_int_without_sinc(cc_alg *g, cc_xp x) { return x && cc_x_has_fn(x, CC_F_SINC) ? cc_x_map(g, x, quotient_of_sinc, NULL) : x; }

cc_xp cc_int_wave(cc_alg *g, cc_xfn fn, cc_xp s, cc_xp c) {
    switch (fn) {
    case CC_F_SIN:
    case CC_F_SINH: return s;
    case CC_F_COS:
    case CC_F_COSH: return c;
    case CC_F_TAN:
    case CC_F_TANH: return cc_x_div(g, s, c);
    case CC_F_COT:
    case CC_F_COTH: return cc_x_div(g, c, s);
    case CC_F_SEC:
    case CC_F_SECH: return cc_x_pow(g, c, g->minus_one);
    default: return cc_x_pow(g, s, g->minus_one);
    }
}
