// The field of rational functions over Q in which an integrand lives: expressions to FLINT's multivariate fractions and back.
// Called by the methods of integration. A cc_field owns its context; expressions belong to the algebra. Generators are treated as
// independent: relations between them (sin**2 + cos**2 = 1) are the caller's business.
#include <string.h>

#include "math/integrate/integrate.h"

enum { MAX_GENS = 24, MAX_TERMS = 20000, MAX_POWER = 400 };

typedef struct collector {
    cc_alg *g;
    cc_xp gens[MAX_GENS + 2];
    struct cc_field_gen how[MAX_GENS + 2];
    size_t n;
} collector;

static slong lcm(slong a, slong b) {
    slong x = a, y = b;
    while (y) {
        slong t = x % y;
        x = y;
        y = t;
    }
    return a / x * b;
}

// The exponent e as a sum of rational * unit.
static bool split_term(cc_alg *g, cc_xp term, cc_xp *unit, slong *p, slong *q) {
    cc_xp c = term, rest = g->one;
    if (!cc_x_is_num(term)) cc_x_split_coefficient(g, term, &c, &rest);
    if (!c || !rest) return false;
    if (!fmpz_fits_si(fmpq_numref(c->num)) || !fmpz_fits_si(fmpq_denref(c->num))) return false;
    *p = fmpz_get_si(fmpq_numref(c->num));
    *q = fmpz_get_si(fmpq_denref(c->num));
    *unit = rest;
    return *q <= 10000 && *p <= 10000 && *p >= -10000;
}

static int find_power(const struct cc_field_gen *how, size_t n, cc_xp base, cc_xp unit) {
    for (size_t i = 0; i < n; i++)
        if (how[i].base == base && how[i].unit == unit) return (int)i;
    return -1;
}

static bool add_power(collector *c, cc_xp base, cc_xp unit, slong q) {
    int i = find_power(c->how, c->n, base, unit);
    if (i >= 0) {
        c->how[i].q = lcm(c->how[i].q, q);
        return c->how[i].q <= 10000;
    }
    if (c->n >= MAX_GENS) return false;
    c->how[c->n++] = (struct cc_field_gen){base, unit, q};
    return true;
}

// Whether x is taken apart by the field operations.
static bool is_field_operation(cc_xp x) { return x->kind == CC_X_NUM || x->kind == CC_X_ADD || x->kind == CC_X_MUL; }

static bool collect(collector *c, cc_xp x) {
    cc_alg *g = c->g;
    if (!x || !cc_alg_go_on(g)) return false;
    if (is_field_operation(x)) {
        for (uint32_t i = 0; i < x->n; i++)
            if (!collect(c, x->args[i])) return false;
        return true;
    }
    if (x->kind == CC_X_CONST && x->konst >= CC_K_OO) return false;
    if (x->kind != CC_X_POW && x->kind != CC_X_FUN && x->kind != CC_X_SYM && x->kind != CC_X_CONST) return false;
    cc_xp base, exponent;
    cc_x_split_power(g, x, &base, &exponent);
    if (!base || !exponent) return false;
    if (cc_x_is_int(exponent) && exponent != g->one) return collect(c, base);
    cc_xp one = exponent;
    size_t n;
    const cc_xp *terms = cc_x_terms(&one, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp unit;
        slong p, q;
        if (!split_term(g, terms[i], &unit, &p, &q)) return false;
        if (unit == g->one && q == 1 && is_field_operation(base)) {
            if (!collect(c, base)) return false;
            continue;
        }
        if (!add_power(c, base, unit, q)) return false;
        if (unit == g->one && is_field_operation(base) && !collect(c, base)) return false; // its whole powers are polynomials
    }
    return true;
}

bool cc_field_init(cc_field *F, cc_alg *g, cc_xp first, const cc_xp *exprs, size_t n) {
    collector c = {.g = g};
    if (!first || !add_power(&c, first, g->one, 1)) return false;
    for (size_t i = 0; i < n; i++)
        if (!collect(&c, exprs[i])) return false;
    *F = (cc_field){.g = g, .n = c.n + 1};
    F->gens = cc_arena_alloc(g->arena, F->n * sizeof *F->gens);
    F->how = cc_arena_alloc(g->arena, F->n * sizeof *F->how);
    memcpy(F->how, c.how, c.n * sizeof *F->how);
    F->how[c.n] = (struct cc_field_gen){NULL, NULL, 1};
    for (size_t i = 0; i < c.n; i++) {
        F->gens[i] = cc_x_pow(g, F->how[i].base, cc_x_div(g, F->how[i].unit, cc_x_int(g, F->how[i].q)));
        if (!F->gens[i]) return false;
    }
    F->gens[c.n] = NULL;
    fmpz_mpoly_ctx_init(F->ctx, (slong)F->n, ORD_LEX);
    return true;
}

void cc_field_clear(cc_field *F) { fmpz_mpoly_ctx_clear(F->ctx); }

static bool small(const fmpz_mpoly_q_t q) { return fmpz_mpoly_q_numref(q)->length + fmpz_mpoly_q_denref(q)->length < MAX_TERMS; }

// out = x ** k.
static bool power(cc_field *F, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, slong k) {
    slong m = k < 0 ? -k : k;
    slong length = fmpz_mpoly_q_numref(x)->length + fmpz_mpoly_q_denref(x)->length;
    if (m > 10000 || (length > 2 && m > MAX_POWER) || (k < 0 && fmpz_mpoly_q_is_zero(x, F->ctx))) return false;
    // (n + d choose d) terms: a bound by the number of terms
    double terms = 1;
    for (slong i = 1; i < length - 1; i++) terms *= (double)(m + i) / (double)i;
    if (terms > MAX_TERMS) return false;
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, F->ctx);
    bool ok = fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(t), fmpz_mpoly_q_numref(x), (ulong)m, F->ctx) &&
              fmpz_mpoly_pow_ui(fmpz_mpoly_q_denref(t), fmpz_mpoly_q_denref(x), (ulong)m, F->ctx);
    if (ok && k < 0) fmpz_mpoly_q_inv(t, t, F->ctx);
    if (ok) fmpz_mpoly_q_swap(out, t, F->ctx);
    fmpz_mpoly_q_clear(t, F->ctx);
    return ok;
}

static bool get_power(cc_field *F, fmpz_mpoly_q_t out, cc_xp base, cc_xp exponent) {
    cc_alg *g = F->g;
    fmpz_mpoly_q_t t, s;
    fmpz_mpoly_q_init(t, F->ctx);
    fmpz_mpoly_q_init(s, F->ctx);
    fmpz_mpoly_q_one(s, F->ctx);
    size_t n;
    cc_xp one = exponent;
    const cc_xp *terms = cc_x_terms(&one, &n);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        cc_xp unit;
        slong p, q;
        ok = split_term(g, terms[i], &unit, &p, &q);
        if (!ok) break;
        int j = find_power(F->how, F->n, base, unit);
        slong whole = 0, k;
        if (j >= 0) {
            ok = F->how[j].q % q == 0;
            if (!ok) break;
            k = p * (F->how[j].q / q);
            if (unit == g->one && is_field_operation(base)) {
                // whole powers of a sum are polynomials
                whole = k / F->how[j].q - (k % F->how[j].q < 0);
                k -= whole * F->how[j].q;
            }
            fmpz_mpoly_q_gen(t, j, F->ctx);
            ok = power(F, t, t, k);
            if (ok) fmpz_mpoly_q_mul(s, s, t, F->ctx);
        } else {
            ok = unit == g->one && q == 1 && is_field_operation(base);
            whole = p;
        }
        if (ok && whole) {
            ok = cc_field_get(F, t, base) && power(F, t, t, whole) && small(t) && small(s);
            if (ok) fmpz_mpoly_q_mul(s, s, t, F->ctx);
        }
    }
    if (ok) fmpz_mpoly_q_swap(out, s, F->ctx);
    fmpz_mpoly_q_clear(t, F->ctx);
    fmpz_mpoly_q_clear(s, F->ctx);
    return ok;
}

bool cc_field_get(cc_field *F, fmpz_mpoly_q_t out, cc_xp x) {
    cc_alg *g = F->g;
    if (!x || !cc_alg_go_on(g)) return false;
    if (x->kind == CC_X_NUM) {
        fmpz_mpoly_q_set_fmpq(out, x->num, F->ctx);
        return true;
    }
    if (x->kind == CC_X_ADD || x->kind == CC_X_MUL) {
        fmpz_mpoly_q_t t, s;
        fmpz_mpoly_q_init(t, F->ctx);
        fmpz_mpoly_q_init(s, F->ctx);
        bool ok = cc_field_get(F, s, x->args[0]);
        for (uint32_t i = 1; ok && i < x->n; i++) {
            ok = cc_field_get(F, t, x->args[i]) && small(t) && small(s) && cc_alg_may_search(g);
            if (!ok) break;
            if (x->kind == CC_X_ADD)
                fmpz_mpoly_q_add(s, s, t, F->ctx);
            else
                fmpz_mpoly_q_mul(s, s, t, F->ctx);
        }
        if (ok) fmpz_mpoly_q_swap(out, s, F->ctx);
        fmpz_mpoly_q_clear(t, F->ctx);
        fmpz_mpoly_q_clear(s, F->ctx);
        return ok;
    }
    cc_xp base, exponent;
    cc_x_split_power(g, x, &base, &exponent);
    if (!base || !exponent) return false;
    slong k;
    if (exponent != g->one && cc_x_fits_si(exponent, &k) && !is_field_operation(base) && find_power(F->how, F->n, base, g->one) < 0)
        return cc_field_get(F, out, base) && power(F, out, out, k);
    return get_power(F, out, base, exponent);
}

cc_xp cc_field_poly(cc_field *F, const fmpz_mpoly_t p) {
    cc_alg *g = F->g;
    slong length = fmpz_mpoly_length(p, F->ctx);
    if (!length) return g->zero;
    cc_xp *terms = cc_arena_alloc(g->arena, (size_t)length * sizeof *terms);
    cc_xp *factors = cc_arena_alloc(g->arena, (F->n + 1) * sizeof *factors);
    fmpz_t c;
    fmpz_init(c);
    for (slong i = 0; i < length; i++) {
        size_t m = 0;
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, F->ctx);
        factors[m++] = cc_x_fmpz(g, c);
        for (size_t j = 0; j < F->n; j++) {
            slong e = fmpz_mpoly_get_term_var_exp_si(p, i, (slong)j, F->ctx);
            if (e == 0) continue;
            factors[m++] = F->how[j].base ? cc_x_pow(g, F->how[j].base, cc_x_mul(g, F->how[j].unit, cc_x_frac(g, e, F->how[j].q))) : NULL;
        }
        terms[i] = cc_x_muln(g, factors, m);
    }
    fmpz_clear(c);
    return cc_x_addn(g, terms, (size_t)length);
}

cc_xp cc_field_expr(cc_field *F, const fmpz_mpoly_q_t q) {
    return cc_x_div(F->g, cc_field_poly(F, fmpz_mpoly_q_numref(q)), cc_field_poly(F, fmpz_mpoly_q_denref(q)));
}

static cc_xp factored(cc_field *F, const fmpz_mpoly_t p) {
    cc_alg *g = F->g;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, F->ctx);
    cc_xp r = NULL;
    if (p->length < 200 && fmpz_mpoly_factor(f, p, F->ctx)) {
        fmpz_t c;
        fmpz_init(c);
        fmpz_mpoly_factor_get_constant_fmpz(c, f, F->ctx);
        r = cc_x_fmpz(g, c);
        fmpz_clear(c);
        fmpz_mpoly_t b;
        fmpz_mpoly_init(b, F->ctx);
        for (slong i = 0; i < fmpz_mpoly_factor_length(f, F->ctx); i++) {
            fmpz_mpoly_factor_get_base(b, f, i, F->ctx);
            r = cc_x_mul(g, r, cc_x_powi(g, cc_field_poly(F, b), fmpz_mpoly_factor_get_exp_si(f, i, F->ctx)));
        }
        fmpz_mpoly_clear(b, F->ctx);
    } else {
        r = cc_field_poly(F, p);
    }
    fmpz_mpoly_factor_clear(f, F->ctx);
    return r;
}

cc_xp cc_field_factored(cc_field *F, const fmpz_mpoly_q_t q) {
    return cc_x_div(F->g, factored(F, fmpz_mpoly_q_numref(q)), factored(F, fmpz_mpoly_q_denref(q)));
}

static cc_xp normal(cc_alg *g, cc_xp x, cc_xp v, cc_xp (*form)(cc_field *F, const fmpz_mpoly_q_t q)) {
    cc_field F;
    if (!x || x->size > CC_INT_MAX_SIZE || !cc_field_init(&F, g, v, &x, 1)) return x;
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, F.ctx);
    cc_xp r = cc_field_get(&F, q, x) ? form(&F, q) : x;
    fmpz_mpoly_q_clear(q, F.ctx);
    cc_field_clear(&F);
    return r;
}

cc_xp cc_int_normal(cc_alg *g, cc_xp x, cc_xp v) { return normal(g, x, v, cc_field_factored); }

cc_xp cc_int_expanded(cc_alg *g, cc_xp x, cc_xp v) { return normal(g, x, v, cc_field_expr); }

static cc_xp normal_argument(cc_alg *g, cc_xp x, void *v) {
    if ((x->kind != CC_X_FUN && x->kind != CC_X_POW) || cc_int_free(x, v)) return x;
    if (x->kind == CC_X_POW && cc_x_is_int(x->args[1])) return x;
    cc_xp *args = cc_arena_alloc(g->arena, x->n * sizeof *args);
    for (uint32_t i = 0; i < x->n; i++) args[i] = x->args[i]->kind == CC_X_ADD ? cc_int_normal(g, x->args[i], v) : x->args[i];
    return cc_x_rebuild(g, x, args);
}

cc_xp cc_int_normal_inside(cc_alg *g, cc_xp x, cc_xp v) { return cc_x_map(g, x, normal_argument, (void *)v); }
