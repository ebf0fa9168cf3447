// Simplification of trigonometric and hyperbolic expressions. Called by simplify.c and as an operation. Three normal forms are tried, and
// the one that reads shortest wins: polynomials in cos and sin of common angles with sin**2 (or cos**2) reduced, and sums of sines and
// cosines of multiple angles, which come from exponentials (so that products, squares and half angles are all undone).
#include "math/simplify/forms.h"
#include "math/simplify/ratio.h"

bool cc_x_is_angle_fn(cc_xp x) {
    return x && x->kind == CC_X_FUN && ((x->fn >= CC_F_SIN && x->fn <= CC_F_CSC) || (x->fn >= CC_F_SINH && x->fn <= CC_F_CSCH));
}

bool cc_x_has_any(cc_xp x, bool (*is)(cc_xp)) {
    if (!x) return false;
    if (is(x)) return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (cc_x_has_any(x->args[i], is)) return true;
    return false;
}

// ---- sin/cos to tan ----

// The exponent of `fn` of the angle in a product, an integer; 0 when it does not occur.
static slong power_of(cc_alg *g, const cc_xp *f, size_t n, cc_xfn fn, cc_xp angle, size_t *where) {
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        slong k;
        cc_x_split_power(g, f[i], &base, &e);
        if (cc_x_is_fun(base, fn) && base->args[0] == angle && cc_x_fits_si(e, &k)) {
            *where = i;
            return k;
        }
    }
    return 0;
}

static cc_xp merge_product(cc_alg *g, cc_xp x, cc_xfn sine, cc_xfn cosine, cc_xfn tangent, cc_xfn cotangent) {
    size_t n;
    const cc_xp *f = cc_x_factors(&x, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        slong p, q;
        size_t other;
        cc_x_split_power(g, f[i], &base, &e);
        if (!cc_x_is_fun(base, sine) || !cc_x_fits_si(e, &p)) continue;
        q = power_of(g, f, n, cosine, base->args[0], &other);
        if ((p < 0) == (q < 0) || p == 0 || q == 0) continue;
        slong m = FLINT_MIN(FLINT_ABS(p), FLINT_ABS(q));
        cc_xp ratio = cc_x_f1(g, p > 0 ? tangent : cotangent, base->args[0]);
        cc_xp rest = cc_x_mul(
            g, x, cc_x_div(g, cc_x_powi(g, cc_x_f1(g, cosine, base->args[0]), p > 0 ? m : -m), cc_x_powi(g, base, p > 0 ? m : -m)));
        cc_xp y = cc_x_mul(g, rest, cc_x_powi(g, ratio, m));
        return y && y != x ? merge_product(g, y, sine, cosine, tangent, cotangent) : y;
    }
    return x;
}

static cc_xp merge(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    if (x->kind != CC_X_MUL) return x;
    x = merge_product(g, x, CC_F_SIN, CC_F_COS, CC_F_TAN, CC_F_COT);
    return x && x->kind == CC_X_MUL ? merge_product(g, x, CC_F_SINH, CC_F_COSH, CC_F_TANH, CC_F_COTH) : x;
}

// ---- sums of sines and cosines ----

typedef struct waves {
    cc_alg *g;
    const cc_xratio *r;
    bool hyper;   // real exponentials become cosh + sinh
    cc_xp *angle; // of each generator exp(I*angle) or exp(angle), else NULL
    bool *circular;
    fmpq *shift; // taken off each generator's exponent
} waves;

static bool has_imaginary_unit(cc_xp x) {
    size_t n;
    const cc_xp *f = cc_x_factors(&x, &n);
    for (size_t i = 0; i < n; i++)
        if (cc_x_is_const(f[i], CC_K_I)) return true;
    return false;
}

// Exponents of the denominator are made symmetric, so that E**2 + 1 is seen as E*(E + 1/E).
static void find_waves(waves *w) {
    const cc_xratio *r = w->r;
    cc_alg *g = w->g;
    w->angle = CC_ARENA_ARRAY(g->arena, cc_xp, r->n_gens + 1);
    w->circular = CC_ARENA_ARRAY(g->arena, bool, r->n_gens + 1);
    w->shift = CC_ARENA_ARRAY(g->arena, fmpq, r->n_gens + 1);
    const fmpz_mpoly_struct *den = fmpz_mpoly_q_denref(r->q);
    for (size_t j = 0; j < r->n_gens; j++) {
        fmpq_init(&w->shift[j]);
        if (!cc_x_is_fun(r->gens[j], CC_F_EXP)) continue;
        cc_xp arg = r->gens[j]->args[0];
        w->circular[j] = has_imaginary_unit(arg);
        if (!w->circular[j] && !w->hyper) continue;
        w->angle[j] = w->circular[j] ? cc_x_div(g, arg, cc_x_const(g, CC_K_I)) : arg;
        ulong most = 0, least = 0;
        for (slong i = 0; i < fmpz_mpoly_length(den, r->ctx); i++) {
            ulong e = fmpz_mpoly_get_term_var_exp_ui(den, i, (slong)j, r->ctx);
            if (i == 0 || e > most) most = e;
            if (i == 0 || e < least) least = e;
        }
        fmpq_set_ui(&w->shift[j], most + least, 2);
    }
}

static cc_xp show_waves(waves *w, const fmpz_mpoly_t p) {
    cc_alg *g = w->g;
    const cc_xratio *r = w->r;
    slong n = fmpz_mpoly_length(p, r->ctx);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, 4 * (size_t)n + 1), i_unit = cc_x_const(g, CC_K_I);
    size_t k = 0;
    fmpz_t c;
    fmpq_t e;
    fmpz_init(c);
    fmpq_init(e);
    for (slong i = 0; i < n && cc_alg_go_on(g); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, r->ctx);
        cc_xp factor = cc_x_fmpz(g, c), circular = cc_x_int(g, 0), hyper = circular;
        for (size_t j = 0; j < r->n_gens; j++) {
            ulong x = fmpz_mpoly_get_term_var_exp_ui(p, i, (slong)j, r->ctx);
            if (!w->angle[j]) {
                if (x) factor = cc_x_mul(g, factor, cc_x_powi(g, r->gens[j], (slong)x));
                continue;
            }
            fmpq_set_ui(e, x, 1);
            fmpq_sub(e, e, &w->shift[j]);
            cc_xp *sum = w->circular[j] ? &circular : &hyper;
            *sum = cc_x_add(g, *sum, cc_x_mul(g, cc_x_num(g, e), w->angle[j]));
        }
        // (cos + I*sin)*(cosh + sinh)
        cc_xp parts[2] = {cc_x_mul(g, factor, cc_x_f1(g, CC_F_COS, circular)),
                          cc_x_muln(g, (cc_xp[]){factor, i_unit, cc_x_f1(g, CC_F_SIN, circular)}, 3)};
        cc_xp cosh = cc_x_f1(g, CC_F_COSH, hyper), sinh = cc_x_f1(g, CC_F_SINH, hyper);
        for (int m = 0; m < 2; m++) {
            terms[k++] = cc_x_mul(g, parts[m], cosh);
            terms[k++] = cc_x_mul(g, parts[m], sinh);
        }
    }
    fmpz_clear(c);
    fmpq_clear(e);
    return cc_alg_go_on(g) ? cc_x_addn(g, terms, k) : NULL;
}

static cc_xp by_waves(cc_alg *g, cc_xp x) {
    cc_xratio r;
    cc_xp out = NULL;
    if (!cc_ratio_make(g, &r, x, CC_FORM_EXP)) return NULL;
    slong n = fmpz_mpoly_length(fmpz_mpoly_q_numref(r.q), r.ctx) + fmpz_mpoly_length(fmpz_mpoly_q_denref(r.q), r.ctx);
    if (n < 200 && cc_ratio_rationalize(g, &r)) {
        waves w = {.g = g, .r = &r, .hyper = !cc_x_has_fn(x, CC_F_EXP)};
        find_waves(&w);
        out = cc_x_div(g, show_waves(&w, fmpz_mpoly_q_numref(r.q)), show_waves(&w, fmpz_mpoly_q_denref(r.q)));
        for (size_t j = 0; j < r.n_gens; j++) fmpq_clear(&w.shift[j]);
    }
    cc_xratio_clear(&r);
    return out && out->finite ? out : NULL;
}

// ---- all of it ----

static void consider(cc_alg *g, cc_xp *best, cc_xp x) {
    cc_forms_recover(g);
    if (!x || g->err->code != CC_OK) return;
    if (cc_x_cost(x) < cc_x_cost(*best)) *best = x;
    cc_xp merged = cc_x_map(g, x, merge, NULL);
    if (merged && cc_x_cost(merged) < cc_x_cost(*best)) *best = merged;
}

static void reduced(cc_alg *g, cc_xp *best, cc_xp x, unsigned form) {
    cc_xratio r;
    if (!cc_ratio_make(g, &r, x, form)) return;
    consider(g, best, cc_x_from_ratio(g, &r));
    cc_xp num = cc_ratio_factored(g, &r, fmpz_mpoly_q_numref(r.q)), den = cc_ratio_factored(g, &r, fmpz_mpoly_q_denref(r.q));
    consider(g, best, cc_x_div(g, num, den));
    // (1 - cos**2)/cos**2 reads best with the numerator alone in the other form
    cc_xp other = cc_ratio_form(g, num, (form ^ CC_FORM_COS_FIRST) & CC_FORM_COS_FIRST);
    if (other) consider(g, best, cc_x_div(g, other, den));
    cc_xratio_clear(&r);
}

cc_xp cc_x_trigsimp(cc_alg *g, cc_xp x) {
    if (!x || g->err->code != CC_OK) return NULL;
    cc_xp best = x;
    if (x->kind >= CC_X_REL || !cc_x_has_any(x, cc_x_is_angle_fn)) return x;
    if (cc_x_memo_find(g, CC_MEMO_TRIGSIMP, x, NULL, &best)) return best;
    best = x;
    consider(g, &best, x);
    reduced(g, &best, x, 0);
    reduced(g, &best, x, CC_FORM_COS_FIRST);
    if (cc_alg_may_search(g)) consider(g, &best, by_waves(g, x));
    if (g->err->code != CC_OK) return NULL;
    cc_x_memo_put(g, CC_MEMO_TRIGSIMP, x, NULL, best);
    return best;
}
