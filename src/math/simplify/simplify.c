// Simplification: the shortest of several equivalent forms. Called by the tools and the folders beside. Every rewriting that is used holds
// wherever its input is defined; the result is compared with the input at a point as well, and dropped should they differ.
#include "math/simplify/forms.h"
#include "math/simplify/ratio.h"

#define MAX_ROUNDS 4
#define MAX_SIZE   20000
#define MAX_EXPAND 4000 // size of what is expanded to see whether that is shorter

// ---- cost ----

static bool is_inverse_power(cc_xp x) { return x->kind == CC_X_POW && cc_x_num_sign(x->args[1]) < 0; }
static bool is_imaginary(cc_xp x) { return cc_x_is_const(x, CC_K_I); }

static ulong number_cost(const fmpq *q) {
    ulong bits = fmpz_bits(fmpq_numref(q)) + (fmpz_is_one(fmpq_denref(q)) ? 0 : fmpz_bits(fmpq_denref(q)) + 4);
    return 1 + (bits > 4 ? (bits - 4) / 4 : 0) + (fmpq_sgn(q) < 0 ? 1 : 0);
}

ulong cc_x_cost(cc_xp x) {
    if (!x) return 0;
    if (x->kind == CC_X_NUM) return number_cost(x->num);
    if (x->n == 0) return 1;
    ulong sum = x->kind == CC_X_FUN ? 3 : 0;
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp a = x->args[i];
        ulong c = cc_x_cost(a);
        if (x->kind == CC_X_MUL && i == 0 && cc_x_is_num(a) && fmpz_equal_si(fmpq_numref(a->num), -1) && fmpz_is_one(fmpq_denref(a->num)))
            c = 0; // only a sign
        if (x->kind == CC_X_ADD && c > 0 && i > 0 && cc_x_is_kind(a, CC_X_MUL) && cc_x_num_sign(a->args[0]) < 0 && c > 1) c--;
        sum += c + (i > 0 ? 1 : 0);
    }
    if (x->kind == CC_X_POW && cc_x_num_sign(x->args[1]) < 0) {
        sum -= 1;                                                                                 // shown as a division
        if (x->args[0]->kind == CC_X_ADD && cc_x_has_any(x->args[0], is_inverse_power)) sum += 4; // fractions inside fractions
        if (cc_x_is_constant(x) && cc_x_has_any(x->args[0], is_imaginary)) sum += 8;
    }
    return sum;
}

// Forms whose arguments are not simply values.
static bool binds_or_holds(cc_xp x) {
    return x->kind == CC_X_FUN && ((x->fn >= CC_F_INTEGRAL && x->fn <= CC_F_INTERVAL) || x->fn == CC_F_APPLIED);
}

// ---- powers ----

// 2**(2*x) as 4**x
static cc_xp join_exponent(cc_alg *g, cc_xp x) {
    cc_xp k, rest;
    slong n;
    cc_x_split_coefficient(g, x->args[1], &k, &rest);
    if (cc_x_num_sign(x->args[0]) <= 0 || cc_x_is_num(rest) || !cc_x_fits_si(k, &n) || n < 2 || n > 9) return x;
    return cc_x_pow(g, cc_x_powi(g, x->args[0], n), rest);
}

// p**a * q**a as (p*q)**a for positive numbers p, q (force: for anything). Positive symbols stay apart: that is their canonical form.
cc_xp cc_x_powsimp(cc_alg *g, cc_xp x, bool force) {
    if (!x || x->n == 0 || binds_or_holds(x) || g->err->code != CC_OK) return x;
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++) args[i] = cc_x_powsimp(g, x->args[i], force);
    x = cc_x_rebuild(g, x, args);
    if (cc_x_is_kind(x, CC_X_POW)) return join_exponent(g, x);
    if (!x || x->kind != CC_X_MUL) return x;
    size_t n = x->n;
    cc_xp *f = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    memcpy(f, x->args, n * sizeof *f);
    for (size_t i = 0; i < n; i++) {
        cc_xp p, a, q, b;
        cc_x_split_power(g, f[i], &p, &a);
        if (cc_x_is_num(a) || cc_x_is_const(p, CC_K_E) || !(force || cc_x_is_num(p))) continue;
        for (size_t k = i + 1; k < n; k++) {
            cc_x_split_power(g, f[k], &q, &b);
            // a negative base has the factor (-1)**a, which joins with positive ones only
            if (b != a || cc_x_is_const(q, CC_K_E) || !(force || (cc_x_is_num(q) && (cc_x_num_sign(p) > 0 || cc_x_num_sign(q) > 0))))
                continue;
            p = cc_x_mul(g, p, q);
            f[i] = cc_x_pow(g, p, a);
            f[k] = cc_x_int(g, 1);
            if (!cc_x_is_num(p) && !force) break;
        }
    }
    return cc_x_muln(g, f, n);
}

// ---- logarithms ----

// c*log(u) with a rational c: its parts, and what else is in the product.
static bool log_term(cc_alg *g, cc_xp t, cc_xp *c, cc_xp *u, cc_xp *rest) {
    cc_xp r;
    cc_x_split_coefficient(g, t, c, &r);
    size_t n, where = 0, logs = 0;
    const cc_xp *f = cc_x_factors(&r, &n);
    for (size_t i = 0; i < n; i++)
        if (cc_x_is_fun(f[i], CC_F_LOG)) where = i, logs++;
    if (logs != 1 || !cc_x_is_num(*c)) return false;
    *u = f[where]->args[0];
    *rest = n == 1 ? cc_x_int(g, 1) : cc_x_div(g, r, f[where]);
    return true;
}

cc_xp cc_x_logcombine(cc_alg *g, cc_xp x, bool force) {
    if (!x || x->n == 0 || binds_or_holds(x) || g->err->code != CC_OK) return x;
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++) args[i] = cc_x_logcombine(g, x->args[i], force);
    x = cc_x_rebuild(g, x, args);
    if (!x || x->kind != CC_X_ADD) return x;
    size_t n = x->n, left = 0;
    cc_xp *out = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    bool *done = CC_ARENA_ARRAY(g->arena, bool, n);
    for (size_t i = 0; i < n; i++) {
        cc_xp c, u, rest;
        if (done[i]) continue;
        if (!log_term(g, x->args[i], &c, &u, &rest)) {
            out[left++] = x->args[i];
            continue;
        }
        // all logarithms with the same cofactor whose arguments are positive; one with coefficient 1 may be anything
        cc_xp product = cc_x_int(g, 1), measure = NULL;
        size_t joined = 0, first = left, other = n;
        bool free_log = false;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t k = i; k < n; k++) {
                cc_xp ck, uk, rk;
                if (done[k] || !log_term(g, x->args[k], &ck, &uk, &rk) || rk != rest) continue;
                bool positive = force || cc_x_is(g, uk, CC_IS_POSITIVE) == CC_TRUE;
                if (pass == 0 && positive) {
                    fmpq_t m;
                    fmpq_init(m);
                    if (measure) fmpq_set(m, measure->num);
                    fmpq_gcd(m, m, ck->num);
                    measure = cc_x_num(g, m);
                    fmpq_clear(m);
                    joined++;
                } else if (pass == 0 && !free_log && fmpq_is_one(ck->num)) {
                    free_log = true;
                    other = k;
                } else if (pass == 1 && positive && joined + free_log > 1) {
                    product = cc_x_mul(g, product, cc_x_pow(g, uk, cc_x_div(g, ck, free_log ? cc_x_int(g, 1) : measure)));
                    done[k] = true;
                }
            }
            if (pass == 0 && joined == 0) break;
        }
        if (joined == 0 || joined + free_log < 2) {
            out[left++] = x->args[i];
            continue;
        }
        if (free_log) {
            cc_xp ignored;
            log_term(g, x->args[other], &c, &u, &ignored);
            product = cc_x_mul(g, product, u);
            done[other] = true;
            measure = cc_x_int(g, 1);
        }
        out[first] = cc_x_muln(g, (cc_xp[]){measure, rest, cc_x_log(g, product)}, 3);
        left = first + 1;
        if (!done[i]) out[left++] = x->args[i];
    }
    return cc_x_addn(g, out, left);
}

// ---- exponentials in pairs ----

// k*exp(u) + k*exp(-u) = 2*k*cosh(u), k*exp(u) - k*exp(-u) = 2*k*sinh(u)
static cc_xp pair_exponentials(cc_alg *g, cc_xp x, void *ctx) {
    (void)ctx;
    if (x->kind != CC_X_ADD) return x;
    size_t n = x->n;
    cc_xp *t = CC_ARENA_ARRAY(g->arena, cc_xp, n), *arg = CC_ARENA_ARRAY(g->arena, cc_xp, n), *k = CC_ARENA_ARRAY(g->arena, cc_xp, n);
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        t[i] = x->args[i];
        size_t m;
        const cc_xp *f = cc_x_factors(&t[i], &m);
        for (size_t j = 0; j < m; j++)
            if (cc_x_is_fun(f[j], CC_F_EXP)) arg[i] = f[j]->args[0], k[i] = cc_x_div(g, t[i], f[j]);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && arg[i]; j++) {
            if (!arg[j] || cc_x_neg(g, arg[i]) != arg[j]) continue;
            bool same = k[i] == k[j], opposite = cc_x_neg(g, k[i]) == k[j];
            if (!same && !opposite) continue;
            cc_xp two_k = cc_x_mul(g, cc_x_int(g, 2), k[i]);
            bool circular = false;
            cc_xp u = arg[i], i_unit = cc_x_const(g, CC_K_I), real = cc_x_div(g, u, i_unit);
            size_t m;
            const cc_xp *f = cc_x_factors(&u, &m);
            for (size_t s = 0; s < m; s++) circular |= cc_x_is_const(f[s], CC_K_I);
            if (circular)
                t[i] = same ? cc_x_mul(g, two_k, cc_x_f1(g, CC_F_COS, real))
                            : cc_x_muln(g, (cc_xp[]){two_k, i_unit, cc_x_f1(g, CC_F_SIN, real)}, 3);
            else
                t[i] = cc_x_mul(g, two_k, cc_x_f1(g, same ? CC_F_COSH : CC_F_SINH, u));
            t[j] = cc_x_int(g, 0);
            arg[i] = arg[j] = NULL;
            changed = true;
        }
    return changed ? cc_x_addn(g, t, n) : x;
}

// ---- what occurs ----

static bool is_gamma_fn(cc_xp x) {
    return cc_x_is_fun(x, CC_F_GAMMA) || cc_x_is_fun(x, CC_F_FACTORIAL) || cc_x_is_fun(x, CC_F_BINOMIAL) || cc_x_is_fun(x, CC_F_RISING) ||
           cc_x_is_fun(x, CC_F_FALLING);
}
static bool is_log(cc_xp x) { return cc_x_is_fun(x, CC_F_LOG); }
static bool is_hyperbolic(cc_xp x) { return x->kind == CC_X_FUN && x->fn >= CC_F_SINH && x->fn <= CC_F_CSCH; }
static bool is_exp(cc_xp x) { return cc_x_is_fun(x, CC_F_EXP); }
static bool is_root(cc_xp x) { return x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && !cc_x_is_int(x->args[1]); }
static bool is_power(cc_xp x) { return x->kind == CC_X_POW && !cc_x_is_num(x->args[1]); }

// ---- simplification ----

static void consider(cc_alg *g, cc_xp *best, cc_xp x) {
    cc_forms_recover(g);
    if (x && g->err->code == CC_OK && cc_x_cost(x) < cc_x_cost(*best)) *best = x;
}

// Were relations between generators used?
static bool factored_form(cc_alg *g, cc_xp *best, cc_xp x, unsigned form) {
    cc_xratio r;
    if (!cc_ratio_make(g, &r, x, form)) return true;
    bool relations = r.relations;
    consider(g, best, cc_x_from_ratio(g, &r));
    consider(g, best, cc_x_div(g, cc_ratio_factored(g, &r, fmpz_mpoly_q_numref(r.q)), cc_ratio_factored(g, &r, fmpz_mpoly_q_denref(r.q))));
    consider(g, best,
             cc_x_div(g, cc_ratio_poly(g, &r, fmpz_mpoly_q_numref(r.q), NULL), cc_ratio_factored(g, &r, fmpz_mpoly_q_denref(r.q))));
    cc_xratio_clear(&r);
    return relations;
}

// By one of two functions that complete each other.
static void complements(cc_alg *g, cc_xp *best, cc_xp x) {
    for (int back = 0; back < 2; back++) {
        cc_xp y = cc_x_complements(g, x, back);
        if (!y || y == x || !y->finite) continue;
        consider(g, best, y);
        if (y->kind == CC_X_ADD || y->kind == CC_X_MUL)
            factored_form(g, best, y, CC_FORM_KEEP | (cc_x_has_any(y, is_gamma_fn) ? CC_FORM_GAMMA : 0));
    }
}

// The candidates from one expression.
static cc_xp round_of(cc_alg *g, cc_xp x) {
    cc_xp best = x;
    bool roots = cc_x_has_any(x, is_root) || cc_x_has_any(x, is_imaginary);
    if (cc_x_is_constant(x)) consider(g, &best, cc_x_constant_simplify(g, x));
    if (x->kind == CC_X_ADD || x->kind == CC_X_MUL || x->kind == CC_X_POW) {
        bool relations = factored_form(g, &best, x, CC_FORM_KEEP);
        if (x->size < MAX_EXPAND && x->kind != CC_X_POW) consider(g, &best, cc_x_expand(g, x));
        if (relations && (cc_x_has_any(x, is_root) || cc_x_has_any(x, is_inverse_power))) factored_form(g, &best, x, CC_FORM_PLAIN);
    }
    if (!cc_alg_may_search(g)) return best;
    if (roots) {
        cc_xp rational = cc_x_radsimp(g, x);
        consider(g, &best, rational);
        if (rational) factored_form(g, &best, rational, CC_FORM_KEEP);
    }
    if (cc_x_has_any(x, cc_x_is_angle_fn)) {
        consider(g, &best, cc_x_trigsimp(g, x));
        if (cc_x_has_any(x, is_hyperbolic)) factored_form(g, &best, x, CC_FORM_EXP);
    }
    if (cc_x_has_any(x, is_log)) {
        consider(g, &best, cc_x_logcombine(g, x, false));
        consider(g, &best, cc_x_expand_log(g, x, false));
        factored_form(g, &best, x, CC_FORM_KEEP | CC_FORM_LOG);
    }
    if (cc_x_has_any(x, is_power)) consider(g, &best, cc_x_powsimp(g, x, false));
    if (cc_x_has_any(x, is_exp)) {
        consider(g, &best, cc_x_map(g, x, pair_exponentials, NULL));
        consider(g, &best, cc_x_map(g, cc_x_expand(g, x), pair_exponentials, NULL));
    }
    if (cc_x_has_any(x, is_gamma_fn)) factored_form(g, &best, x, CC_FORM_KEEP | CC_FORM_GAMMA);
    complements(g, &best, x);
    return best;
}

// The parts simplified: arguments of functions, exponents, terms and factors.
static cc_xp parts(cc_alg *g, cc_xp x) {
    if (x->n == 0 || binds_or_holds(x)) return x;
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    bool same = true;
    for (uint32_t i = 0; i < x->n; i++) {
        cc_xp a = x->args[i];
        bool whole = x->kind == CC_X_FUN || x->kind >= CC_X_REL || x->kind == CC_X_POW;
        args[i] = whole ? cc_x_simplify(g, a) : parts(g, a);
        same &= args[i] == a;
    }
    return same ? x : cc_x_rebuild(g, x, args);
}

cc_xp cc_x_simplify(cc_alg *g, cc_xp x) {
    cc_xp known;
    if (!x || g->err->code != CC_OK) return NULL;
    if (x->n == 0 || x->size > MAX_SIZE) return x;
    if (cc_x_memo_find(g, CC_MEMO_SIMPLIFY, x, NULL, &known)) return known;
    if (g->depth_guard > 30 || !cc_alg_may_search(g)) return g->err->code == CC_OK ? x : NULL;
    g->depth_guard++;
    cc_xp y = parts(g, x), before = NULL;
    for (int i = 0; y && i < MAX_ROUNDS && y != before && y->kind < CC_X_REL && y->n > 0 && y->finite; i++) {
        before = y;
        y = round_of(g, y);
        if (y && y != before && y->kind >= CC_X_ADD && y->n > 0) y = parts(g, y);
    }
    g->depth_guard--;
    cc_forms_recover(g);
    if (g->err->code != CC_OK) return NULL;
    if (!y) y = x;
    if (y != x && x->kind < CC_X_REL && cc_x_cost(y) > cc_x_cost(x)) y = x;
    if (y != x && x->kind < CC_X_REL && x->finite) {
        cc_truth zero = cc_x_is_zero(g, cc_x_sub(g, x, y));
        if (zero == CC_FALSE) y = x; // no rule that was used allows this
        if (g->err->code != CC_OK) return NULL;
    }
    cc_x_memo_put(g, CC_MEMO_SIMPLIFY, x, NULL, y);
    return y;
}
