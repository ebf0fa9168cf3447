// Parallel integration (Risch and Norman): the integrand as a rational function of the variable and its kernels, an ansatz P/c +
// sum(b*log(p)) with undetermined coefficients, and linear algebra over Q(constants). Called by search.c when nothing more special applies.
// The system is solved modulo a prime first, at random values of the constants: what has no solution there costs little, and the exact
// system that remains has only the unknowns that do not vanish.
#include <flint/fmpz_mpoly_factor.h>
#include <flint/gr_mat.h>
#include <flint/nmod.h>
#include <flint/nmod_mat.h>
#include <string.h>

#include "math/integrate/integrate.h"

enum { MAX_KERNELS = 7, MAX_COLUMNS = 240, MAX_ROWS = 1600, MAX_SOLVE = 40, TABLE = 4096, MAX_LOGS = 24 };

typedef struct work {
    cc_alg *g;
    cc_xp v;
    cc_field F;
    slong kernel[MAX_KERNELS]; // generators that depend on v; kernel[0] is v itself
    bool growing[MAX_KERNELS]; // its degree does not rise by integration (exponentials, roots)
    size_t n;
    fmpz_mpoly_struct d[MAX_KERNELS]; // their derivatives times dd
    fmpz_mpoly_t dd;
    fmpz_mpoly_struct column[MAX_COLUMNS + 1];
    fmpz_mpoly_struct monomial[MAX_COLUMNS]; // of P; columns behind are logarithms
    size_t n_monomials, n_logs;
    fmpz_mpoly_struct log[MAX_LOGS];
    fmpz_mpoly_t c; // denominator of the rational part
    uint64_t keys[TABLE];
    int row_of[TABLE];
    uint64_t row_key[MAX_ROWS];
    size_t n_rows;
} work;

static void derive(work *w, fmpz_mpoly_t out, const fmpz_mpoly_t p) {
    fmpz_mpoly_t t, sum;
    fmpz_mpoly_init(t, w->F.ctx);
    fmpz_mpoly_init(sum, w->F.ctx);
    for (size_t i = 0; i < w->n; i++) {
        fmpz_mpoly_derivative(t, p, w->kernel[i], w->F.ctx);
        if (fmpz_mpoly_is_zero(t, w->F.ctx)) continue;
        fmpz_mpoly_mul(t, t, &w->d[i], w->F.ctx);
        fmpz_mpoly_add(sum, sum, t, w->F.ctx);
    }
    fmpz_mpoly_swap(out, sum, w->F.ctx);
    fmpz_mpoly_clear(t, w->F.ctx);
    fmpz_mpoly_clear(sum, w->F.ctx);
}

static bool moves(work *w, const fmpz_mpoly_t p) {
    for (size_t i = 0; i < w->n; i++)
        if (fmpz_mpoly_degree_si(p, w->kernel[i], w->F.ctx) > 0) return true;
    return false;
}

// The derivative of a kernel, in kernels: tan gives 1 + tan**2.
static cc_xp slope_of(cc_alg *g, cc_xp kernel, cc_xp v) {
    if (cc_x_is_fun(kernel, CC_F_TAN))
        return cc_x_mul(g, cc_x_diff(g, kernel->args[0], v), cc_x_add(g, g->one, cc_x_mul(g, kernel, kernel)));
    return cc_x_diff(g, kernel, v);
}

// The field of f closed under derivation.
static bool close_field(work *w, cc_xp f) {
    cc_alg *g = w->g;
    cc_xp exprs[1 + 4 * MAX_KERNELS];
    size_t n = 1;
    exprs[0] = f;
    for (int round = 0; round < 4; round++) {
        if (!cc_field_init(&w->F, g, w->v, exprs, n)) return false;
        size_t before = n;
        w->n = 0;
        bool ok = true;
        for (size_t i = 0; ok && i + 1 < w->F.n; i++) {
            cc_xp gen = w->F.gens[i];
            if (cc_int_free(gen, w->v)) continue;
            if (w->n == MAX_KERNELS) {
                ok = false;
                break;
            }
            cc_xp slope = slope_of(g, gen, w->v);
            if (!slope || slope->size > 300) ok = false;
            w->growing[w->n] = cc_x_is_fun(gen, CC_F_EXP) || gen->kind == CC_X_POW;
            w->kernel[w->n++] = (slong)i;
            bool known = false;
            for (size_t k = 0; k < n; k++) known = known || exprs[k] == slope;
            if (ok && !known) {
                if (n == CC_ARRAY_LEN(exprs))
                    ok = false;
                else
                    exprs[n++] = slope;
            }
        }
        if (ok && n == before) return true;
        cc_field_clear(&w->F);
        if (!ok) return false;
    }
    return false;
}

static bool derivation(work *w) {
    cc_alg *g = w->g;
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    fmpz_mpoly_q_t q[MAX_KERNELS];
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, ctx);
    fmpz_mpoly_one(w->dd, ctx);
    bool ok = true;
    for (size_t i = 0; i < w->n; i++) fmpz_mpoly_q_init(q[i], ctx);
    for (size_t i = 0; ok && i < w->n; i++) {
        ok = cc_field_get(&w->F, q[i], slope_of(g, w->F.gens[w->kernel[i]], w->v)) &&
             fmpz_mpoly_gcd(t, w->dd, fmpz_mpoly_q_denref(q[i]), ctx) && fmpz_mpoly_divides(t, fmpz_mpoly_q_denref(q[i]), t, ctx);
        if (ok) fmpz_mpoly_mul(w->dd, w->dd, t, ctx);
    }
    for (size_t i = 0; ok && i < w->n; i++) {
        ok = fmpz_mpoly_divides(t, w->dd, fmpz_mpoly_q_denref(q[i]), ctx);
        fmpz_mpoly_mul(&w->d[i], fmpz_mpoly_q_numref(q[i]), t, ctx);
    }
    for (size_t i = 0; i < w->n; i++) fmpz_mpoly_q_clear(q[i], ctx);
    fmpz_mpoly_clear(t, ctx);
    return ok;
}

static void add_log(work *w, const fmpz_mpoly_t p) {
    if (w->n_logs == MAX_LOGS || !moves(w, p)) return;
    if (p->length == 1) return; // a kernel: log of an exponential is no new function; of v it is (added by the caller)
    for (size_t i = 0; i < w->n_logs; i++)
        if (fmpz_mpoly_equal(&w->log[i], p, w->F.ctx)) return;
    fmpz_mpoly_init(&w->log[w->n_logs], w->F.ctx);
    fmpz_mpoly_set(&w->log[w->n_logs++], p, w->F.ctx);
}

// c and the candidates for logarithms, from the irreducible factors of the denominator and of dd.
static bool denominators(work *w, const fmpz_mpoly_t den) {
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_t p, dp, t;
    fmpz_mpoly_factor_init(f, ctx);
    fmpz_mpoly_init(p, ctx);
    fmpz_mpoly_init(dp, ctx);
    fmpz_mpoly_init(t, ctx);
    fmpz_mpoly_one(w->c, ctx);
    bool ok = true;
    for (int round = 0; ok && round < 2; round++) {
        ok = fmpz_mpoly_factor(f, round ? w->dd : den, ctx);
        for (slong i = 0; ok && i < fmpz_mpoly_factor_length(f, ctx); i++) {
            fmpz_mpoly_factor_get_base(p, f, i, ctx);
            slong e = fmpz_mpoly_factor_get_exp_si(f, i, ctx);
            derive(w, dp, p);
            bool special = fmpz_mpoly_divides(t, dp, p, ctx); // p divides its derivative
            if (!round) {
                fmpz_mpoly_pow_ui(t, p, (ulong)(special ? e : e - 1), ctx);
                fmpz_mpoly_mul(w->c, w->c, t, ctx);
            }
            if (p->length == 1 && !special && w->n_logs < MAX_LOGS) {
                fmpz_mpoly_init(&w->log[w->n_logs], ctx);
                fmpz_mpoly_set(&w->log[w->n_logs++], p, ctx);
            } else {
                add_log(w, p);
            }
        }
    }
    // tan: 1 + tan**2
    for (size_t i = 1; ok && i < w->n; i++) {
        if (!cc_x_is_fun(w->F.gens[w->kernel[i]], CC_F_TAN)) continue;
        fmpz_mpoly_gen(p, w->kernel[i], ctx);
        fmpz_mpoly_mul(p, p, p, ctx);
        fmpz_mpoly_add_si(p, p, 1, ctx);
        add_log(w, p);
    }
    fmpz_mpoly_clear(p, ctx);
    fmpz_mpoly_clear(dp, ctx);
    fmpz_mpoly_clear(t, ctx);
    fmpz_mpoly_factor_clear(f, ctx);
    return ok;
}

// The monomials of P: bounded in each kernel and in total.
static bool monomials(work *w, const fmpz_mpoly_q_t f) {
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    slong bound[MAX_KERNELS], e[MAX_KERNELS] = {0}, total_num = 0, total_den = 0, total_c = 0;
    for (size_t i = 0; i < w->n; i++) {
        slong num = fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(f), w->kernel[i], ctx),
              den = fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), w->kernel[i], ctx);
        slong c = fmpz_mpoly_degree_si(w->c, w->kernel[i], ctx);
        bound[i] = c + (num > den ? num - den : 0) + (w->growing[i] ? 0 : 1);
        if (w->growing[i] && bound[i] == 0) bound[i] = w->F.how[w->kernel[i]].q > 1 ? 1 : 0;
        if (bound[i] > 200) return false;
        total_num += num;
        total_den += den;
        total_c += c;
    }
    slong most = total_c + (total_num > total_den ? total_num - total_den : 0) + 2;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, ctx);
    bool ok = true;
    for (;;) {
        slong sum = 0;
        for (size_t i = 0; i < w->n; i++) sum += e[i];
        if (sum <= most) {
            if (w->n_monomials + w->n_logs >= MAX_COLUMNS) {
                ok = false;
                break;
            }
            fmpz_mpoly_struct *p = &w->monomial[w->n_monomials++];
            fmpz_mpoly_init(p, ctx);
            fmpz_mpoly_one(p, ctx);
            for (size_t i = 0; i < w->n; i++) {
                fmpz_mpoly_gen(t, w->kernel[i], ctx);
                fmpz_mpoly_pow_ui(t, t, (ulong)e[i], ctx);
                fmpz_mpoly_mul(p, p, t, ctx);
            }
        }
        size_t i = 0;
        while (i < w->n && ++e[i] > bound[i]) e[i++] = 0;
        if (i == w->n) break;
    }
    fmpz_mpoly_clear(t, ctx);
    return ok;
}

// One polynomial for each unknown, and for the right-hand side, over the common denominator.
static bool columns(work *w, const fmpz_mpoly_q_t f) {
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    fmpz_mpoly_t common, t, dc, c2;
    fmpz_mpoly_init(common, ctx);
    fmpz_mpoly_init(t, ctx);
    fmpz_mpoly_init(dc, ctx);
    fmpz_mpoly_init(c2, ctx);
    fmpz_mpoly_mul(c2, w->c, w->c, ctx);
    derive(w, dc, w->c);
    fmpz_mpoly_set(common, c2, ctx);
    bool ok = true;
    fmpz_mpoly_q_t right;
    fmpz_mpoly_q_init(right, ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(right), w->dd, ctx);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(right), ctx);
    fmpz_mpoly_q_mul(right, right, f, ctx);
    const fmpz_mpoly_struct *more = fmpz_mpoly_q_denref(right);
    for (size_t i = 0; ok && i <= w->n_logs; i++) {
        if (i < w->n_logs)
            more = &w->log[i];
        else
            more = fmpz_mpoly_q_denref(right);
        ok = fmpz_mpoly_gcd(t, common, more, ctx) && fmpz_mpoly_divides(t, more, t, ctx);
        if (ok) fmpz_mpoly_mul(common, common, t, ctx);
    }
    size_t n = w->n_monomials + w->n_logs;
    fmpz_mpoly_t scale;
    fmpz_mpoly_init(scale, ctx);
    ok = ok && fmpz_mpoly_divides(scale, common, c2, ctx);
    for (size_t i = 0; i <= n; i++) fmpz_mpoly_init(&w->column[i], ctx);
    for (size_t i = 0; ok && i < w->n_monomials; i++) {
        fmpz_mpoly_struct *col = &w->column[i];
        derive(w, col, &w->monomial[i]);
        fmpz_mpoly_mul(col, col, w->c, ctx);
        fmpz_mpoly_mul(t, dc, &w->monomial[i], ctx);
        fmpz_mpoly_sub(col, col, t, ctx);
        fmpz_mpoly_mul(col, col, scale, ctx);
        ok = cc_alg_may_search(w->g) && col->length < 4000;
    }
    for (size_t i = 0; ok && i < w->n_logs; i++) {
        derive(w, &w->column[w->n_monomials + i], &w->log[i]);
        ok = fmpz_mpoly_divides(t, common, &w->log[i], ctx);
        fmpz_mpoly_mul(&w->column[w->n_monomials + i], &w->column[w->n_monomials + i], t, ctx);
    }
    ok = ok && fmpz_mpoly_divides(t, common, fmpz_mpoly_q_denref(right), ctx);
    if (ok) fmpz_mpoly_mul(&w->column[n], fmpz_mpoly_q_numref(right), t, ctx);
    fmpz_mpoly_q_clear(right, ctx);
    fmpz_mpoly_clear(scale, ctx);
    fmpz_mpoly_clear(common, ctx);
    fmpz_mpoly_clear(t, ctx);
    fmpz_mpoly_clear(dc, ctx);
    fmpz_mpoly_clear(c2, ctx);
    return ok;
}

// The powers of the kernels in a term, as one number; 0 never occurs.
static bool key_of(work *w, const fmpz_mpoly_t p, slong term, uint64_t *key) {
    *key = 1;
    for (size_t i = 0; i < w->n; i++) {
        slong e = fmpz_mpoly_get_term_var_exp_si(p, term, w->kernel[i], w->F.ctx);
        if (e > 255) return false;
        *key = *key << 8 | (uint64_t)e;
    }
    return true;
}

static int row(work *w, uint64_t key) {
    size_t h = (size_t)(key * 0x9E3779B97F4A7C15u >> 52) % TABLE;
    while (w->keys[h] && w->keys[h] != key) h = (h + 1) % TABLE;
    if (!w->keys[h]) {
        if (w->n_rows == MAX_ROWS) return -1;
        w->keys[h] = key;
        w->row_key[w->n_rows] = key;
        w->row_of[h] = (int)w->n_rows++;
    }
    return w->row_of[h];
}

// The coefficient of a row in a column: a polynomial in the constants.
static void entry(work *w, fmpz_mpoly_t out, const fmpz_mpoly_t p, uint64_t key) {
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    fmpz_mpoly_zero(out, ctx);
    ulong *e = cc_arena_alloc(w->g->arena, w->F.n * sizeof *e);
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < p->length; i++) {
        uint64_t k;
        if (!key_of(w, p, i, &k) || k != key) continue;
        fmpz_mpoly_get_term_exp_ui(e, p, i, ctx);
        for (size_t j = 0; j < w->n; j++) e[w->kernel[j]] = 0;
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, ctx);
        fmpz_mpoly_push_term_fmpz_ui(out, c, e, ctx);
    }
    fmpz_clear(c);
    fmpz_mpoly_sort_terms(out, ctx);
    fmpz_mpoly_combine_like_terms(out, ctx);
}

// The exact solution on the unknowns `use` by the rows `by`: value[i] of use[i].
static bool solve_exactly(work *w, const size_t *use, const size_t *by, size_t k, cc_xp *value) {
    gr_ctx_t K;
    gr_ctx_init_fmpz_mpoly_q(K, (slong)w->F.n, ORD_LEX);
    gr_mat_t A, B, X;
    gr_mat_init(A, (slong)k, (slong)k, K);
    gr_mat_init(B, (slong)k, 1, K);
    gr_mat_init(X, (slong)k, 1, K);
    size_t n = w->n_monomials + w->n_logs;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            fmpz_mpoly_q_struct *q = gr_mat_entry_ptr(A, (slong)i, (slong)j, K);
            entry(w, fmpz_mpoly_q_numref(q), &w->column[use[j]], w->row_key[by[i]]);
        }
        fmpz_mpoly_q_struct *q = gr_mat_entry_ptr(B, (slong)i, 0, K);
        entry(w, fmpz_mpoly_q_numref(q), &w->column[n], w->row_key[by[i]]);
    }
    bool ok = gr_mat_nonsingular_solve(X, A, B, K) == GR_SUCCESS;
    for (size_t i = 0; ok && i < k; i++) value[i] = cc_field_factored(&w->F, gr_mat_entry_srcptr(X, (slong)i, 0, K));
    gr_mat_clear(A, K);
    gr_mat_clear(B, K);
    gr_mat_clear(X, K);
    gr_ctx_clear(K);
    return ok;
}

// A random image of the system decides whether it has a solution, and which unknowns and rows it needs.
static cc_xp solve(work *w) {
    cc_alg *g = w->g;
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    size_t n = w->n_monomials + w->n_logs;
    const ulong prime = 4611686018427387847u; // 2**62 - 57
    nmod_t mod;
    nmod_init(&mod, prime);
    ulong *values = cc_arena_alloc(g->arena, w->F.n * sizeof *values), seed = 0x1234567;
    for (size_t i = 0; i < w->F.n; i++) values[i] = seed = n_mulmod2(seed + 7919, 6364136223846793005u % prime, prime);
    for (size_t j = 0; j <= n; j++)
        for (slong i = 0; i < w->column[j].length; i++) {
            uint64_t key;
            if (!key_of(w, &w->column[j], i, &key) || row(w, key) < 0) return NULL;
        }
    nmod_mat_t M;
    nmod_mat_init(M, (slong)w->n_rows, (slong)n + 1, prime);
    fmpz_t c;
    fmpz_init(c);
    for (size_t j = 0; j <= n; j++)
        for (slong i = 0; i < w->column[j].length; i++) {
            uint64_t key;
            key_of(w, &w->column[j], i, &key);
            fmpz_mpoly_get_term_coeff_fmpz(c, &w->column[j], i, ctx);
            ulong x = fmpz_get_nmod(c, mod);
            for (size_t k = 0; k < w->F.n; k++) {
                slong e = fmpz_mpoly_get_term_var_exp_si(&w->column[j], i, (slong)k, ctx);
                bool kernel = false;
                for (size_t m = 0; m < w->n; m++) kernel = kernel || w->kernel[m] == (slong)k;
                if (e && !kernel) x = nmod_mul(x, nmod_pow_ui(values[k], (ulong)e, mod), mod);
            }
            ulong *at = &nmod_mat_entry(M, row(w, key), (slong)j);
            *at = nmod_add(*at, x, mod);
        }
    fmpz_clear(c);
    nmod_mat_t R;
    nmod_mat_init_set(R, M);
    slong rank = nmod_mat_rref(R);
    size_t use[MAX_SOLVE], by[MAX_SOLVE], k = 0;
    bool ok = true;
    slong j = 0;
    for (slong i = 0; ok && i < rank; i++) {
        while (nmod_mat_entry(R, i, j) == 0) j++;
        if (j == (slong)n) {
            ok = false; // 0 = 1
        } else if (nmod_mat_entry(R, i, (slong)n)) {
            if (k == MAX_SOLVE)
                ok = false;
            else
                use[k++] = (size_t)j;
        }
    }
    nmod_mat_clear(R);
    cc_xp F = NULL;
    if (ok && k) {
        // independent rows of the columns in use: pivots of the transpose
        nmod_mat_t T;
        nmod_mat_init(T, (slong)k, (slong)w->n_rows, prime);
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; b < w->n_rows; b++) nmod_mat_entry(T, (slong)a, (slong)b) = nmod_mat_entry(M, (slong)b, (slong)use[a]);
        slong r = nmod_mat_rref(T);
        ok = r == (slong)k;
        slong at = 0;
        for (slong i = 0; ok && i < r; i++) {
            while (nmod_mat_entry(T, i, at) == 0) at++;
            by[i] = (size_t)at;
        }
        nmod_mat_clear(T);
        cc_xp value[MAX_SOLVE];
        if (ok && cc_alg_may_search(g) && solve_exactly(w, use, by, k, value)) {
            cc_xp P = g->zero;
            F = g->zero;
            for (size_t i = 0; i < k; i++) {
                if (use[i] < w->n_monomials)
                    P = cc_x_add(g, P, cc_x_mul(g, value[i], cc_field_poly(&w->F, &w->monomial[use[i]])));
                else
                    F = cc_x_add(g, F, cc_x_mul(g, value[i], cc_x_log(g, cc_field_poly(&w->F, &w->log[use[i] - w->n_monomials]))));
            }
            F = cc_x_add(g, F, cc_int_normal(g, cc_x_div(g, P, cc_field_poly(&w->F, w->c)), w->v));
        }
    }
    nmod_mat_clear(M);
    return F;
}

cc_xp cc_int_norman(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp h = cc_int_half_tangent(g, cc_int_hyperbolic_by_exp(g, f, v), v);
    if (!h) return NULL;
    work *w = cc_arena_alloc(g->arena, sizeof *w);
    w->g = g;
    w->v = v;
    if (!close_field(w, h)) return NULL;
    fmpz_mpoly_ctx_struct *ctx = w->F.ctx;
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, ctx);
    fmpz_mpoly_init(w->dd, ctx);
    fmpz_mpoly_init(w->c, ctx);
    for (size_t i = 0; i < w->n; i++) fmpz_mpoly_init(&w->d[i], ctx);
    cc_xp F = NULL;
    size_t columns_made = 0;
    if (w->n > 1 && cc_field_get(&w->F, q, h) && derivation(w) && denominators(w, fmpz_mpoly_q_denref(q)) && monomials(w, q)) {
        columns_made = w->n_monomials + w->n_logs + 1;
        if (columns(w, q)) F = solve(w);
    }
    for (size_t i = 0; i < columns_made; i++) fmpz_mpoly_clear(&w->column[i], ctx);
    for (size_t i = 0; i < w->n_monomials; i++) fmpz_mpoly_clear(&w->monomial[i], ctx);
    for (size_t i = 0; i < w->n_logs; i++) fmpz_mpoly_clear(&w->log[i], ctx);
    for (size_t i = 0; i < w->n; i++) fmpz_mpoly_clear(&w->d[i], ctx);
    fmpz_mpoly_clear(w->dd, ctx);
    fmpz_mpoly_clear(w->c, ctx);
    fmpz_mpoly_q_clear(q, ctx);
    cc_field_clear(&w->F);
    return F;
}
