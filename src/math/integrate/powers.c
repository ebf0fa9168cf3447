// Powers with symbolic exponents, of products and of powers: (c*x**n)**p, (F**(a*x))**n. Such a power is the product of powers of the
// factors up to a factor that is constant between branch points; that factor is carried through the integration as a symbol and put back.
// Also exponentials of inverse hyperbolic functions and inverse tangents, by roots, and exponentials to several
// bases by one. Called by search.c.
#include <flint/fmpz_factor.h>

#include "math/integrate/integrate.h"

enum { MAX_POWERS = 4, MAX_BASES = 6 };

typedef struct powers {
    cc_xp v;
    cc_xp from[MAX_POWERS], to[MAX_POWERS], sigma[MAX_POWERS], constant[MAX_POWERS];
    size_t n;
} powers;

static cc_xp take_apart(cc_alg *g, cc_xp x, void *ctx) {
    powers *p = ctx;
    if (x->kind != CC_X_POW || cc_x_is_num(x->args[1]) || !cc_int_free(x->args[1], p->v) || cc_int_free(x->args[0], p->v)) return x;
    cc_xp base = x->args[0];
    if (base->kind != CC_X_MUL && base->kind != CC_X_POW && !cc_x_is_fun(base, CC_F_EXP)) return x;
    for (size_t i = 0; i < p->n; i++)
        if (p->from[i] == x) return p->to[i];
    if (p->n == MAX_POWERS) return x;
    size_t n;
    const cc_xp *factors = cc_x_factors(&base, &n);
    cc_xp split = g->one;
    for (size_t i = 0; i < n; i++) {
        cc_xp b, e;
        cc_x_split_power(g, factors[i], &b, &e);
        split = cc_x_mul(g, split, cc_x_pow(g, b, cc_x_expand(g, cc_x_mul(g, e, x->args[1]))));
    }
    if (!split || split == x) return x;
    cc_xp sigma = cc_x_dummy(g, "sigma", CC_IS_NONZERO);
    p->from[p->n] = x;
    p->sigma[p->n] = sigma;
    p->constant[p->n] = cc_x_div(g, x, split);
    return p->to[p->n++] = cc_x_mul(g, sigma, split);
}

// exp(2*half*atan(u)), since atan(u) = I/2*(log(1 - I*u) - log(1 + I*u)) everywhere.
static cc_xp exp_of_arctangent(cc_alg *g, cc_xp u, cc_xp half) {
    cc_xp iu = cc_x_mul(g, g->i, u), power = cc_x_mul(g, g->i, half);
    return cc_x_mul(g, cc_x_pow(g, cc_x_sub(g, g->one, iu), power), cc_x_pow(g, cc_x_add(g, g->one, iu), cc_x_neg(g, power)));
}

// base**(k*fn(u) + rest) for an inverse hyperbolic fn, atan, acot or log, by powers.
typedef struct inverses {
    cc_xp v;
    bool late; // also where the powers are no rational ones
} inverses;

static cc_xp exp_of_inverse(cc_alg *g, cc_xp x, void *ctx) {
    const inverses *how = ctx;
    cc_xp v = how->v;
    cc_xp base, e;
    if (cc_int_free(x, v) || (x->kind != CC_X_POW && !cc_x_is_fun(x, CC_F_EXP))) return x;
    cc_x_split_power(g, x, &base, &e);
    if (!base || !e || !cc_int_free(base, v)) return x;
    cc_xp rate = base == g->e ? g->one : cc_x_log(g, base);
    size_t n;
    const cc_xp *terms = cc_x_terms(&e, &n);
    cc_xp product = g->one, rest = g->zero;
    for (size_t i = 0; i < n; i++) {
        cc_xp with, k;
        cc_x_separate_mul(g, terms[i], v, &with, &k);
        k = cc_x_mul(g, k, rate);
        cc_xp u = with && with->kind == CC_X_FUN && with->n == 1 ? with->args[0] : NULL, inverse = u ? cc_x_pow(g, u, g->minus_one) : NULL;
        cc_xp p = u ? cc_x_sub(g, u, g->one) : NULL, q = u ? cc_x_add(g, u, g->one) : NULL, value = NULL;
        cc_xp half = cc_x_mul(g, g->half, k), minus = cc_x_neg(g, half);
        if (u) switch ((cc_xfn)with->fn) {
            case CC_F_ATANH: value = cc_x_mul(g, cc_x_pow(g, q, half), cc_x_pow(g, cc_x_sub(g, g->one, u), minus)); break;
            case CC_F_ACOTH:
                value = cc_x_mul(g, cc_x_pow(g, cc_x_add(g, g->one, inverse), half), cc_x_pow(g, cc_x_sub(g, g->one, inverse), minus));
                break;
            case CC_F_ATAN:
            case CC_F_ACOT:
                if (how->late || cc_x_is_num(cc_x_mul(g, g->i, half)))
                    value = exp_of_arctangent(g, with->fn == CC_F_ATAN ? u : inverse, half);
                break;
            case CC_F_ASINH: value = cc_x_pow(g, cc_x_add(g, u, cc_x_sqrt(g, cc_x_add(g, g->one, cc_x_mul(g, u, u)))), k); break;
            case CC_F_ACOSH: value = cc_x_pow(g, cc_x_add(g, u, cc_x_mul(g, cc_x_sqrt(g, p), cc_x_sqrt(g, q))), k); break;
            case CC_F_ASECH:
                value =
                    cc_x_pow(g,
                             cc_x_add(g, inverse,
                                      cc_x_mul(g, cc_x_sqrt(g, cc_x_sub(g, inverse, g->one)), cc_x_sqrt(g, cc_x_add(g, inverse, g->one)))),
                             k);
                break;
            case CC_F_ACSCH: value = cc_x_pow(g, cc_x_add(g, inverse, cc_x_sqrt(g, cc_x_add(g, g->one, cc_x_powi(g, u, -2)))), k); break;
            case CC_F_LOG: value = cc_x_pow(g, u, k); break;
            default: break;
            }
        if (value)
            product = cc_x_mul(g, product, value);
        else
            rest = cc_x_add(g, rest, terms[i]);
    }
    return product == g->one ? x : cc_x_mul(g, product, cc_x_pow(g, base, rest));
}

static cc_xp without_inverses(cc_int *in, cc_xp f, cc_xp v, bool late) {
    inverses how = {v, late};
    cc_xp h = cc_x_map(in->g, f, exp_of_inverse, &how);
    return h && h != f ? cc_int_find(in, h, v) : NULL;
}

cc_xp cc_int_exp_of_inverse(cc_int *in, cc_xp f, cc_xp v) { return without_inverses(in, f, v, false); }
cc_xp cc_int_exp_of_inverse_late(cc_int *in, cc_xp f, cc_xp v) { return without_inverses(in, f, v, true); }

cc_xp cc_int_powers(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    powers p = {.v = v};
    cc_xp h = cc_x_map(g, f, take_apart, &p);
    if (!h || h == f || !p.n) return NULL;
    cc_xp F = cc_int_find(in, h, v);
    return F ? cc_x_subs_many(g, F, p.sigma, p.constant, p.n) : NULL;
}

// ---- exponentials to several bases ----

typedef struct bases {
    cc_xp v;
    cc_xp base[MAX_BASES], log[MAX_BASES]; // base = exp(log), a symbol
    size_t n;
    bool natural, failed; // exp itself occurs; there are too many
} bases;

static cc_xp log_of_base(cc_alg *g, bases *b, cc_xp base) {
    for (size_t i = 0; i < b->n; i++)
        if (b->base[i] == base) return b->log[i];
    if (b->n == MAX_BASES) {
        b->failed = true;
        return g->zero;
    }
    b->base[b->n] = base;
    return b->log[b->n++] = cc_x_dummy(g, "log", 0);
}

// base**e = exp(e*log(base)); the logarithm of a positive rational by those of its primes.
static cc_xp to_exponential(cc_alg *g, cc_xp x, void *ctx) {
    bases *b = ctx;
    if (cc_x_is_fun(x, CC_F_EXP)) b->natural = b->natural || !cc_int_free(x, b->v);
    if (x->kind != CC_X_POW || cc_int_free(x->args[1], b->v) || !cc_int_free(x->args[0], b->v)) return x;
    cc_xp base = x->args[0], log = g->zero;
    if (base == g->e) {
        b->natural = true;
        return x;
    }
    if (!cc_x_is_num(base) || cc_x_num_sign(base) != 1) return cc_x_exp(g, cc_x_mul(g, x->args[1], log_of_base(g, b, base)));
    for (int side = 0; side < 2; side++) {
        fmpz_factor_t primes;
        fmpz_factor_init(primes);
        const fmpz *n = side ? fmpq_denref(base->num) : fmpq_numref(base->num);
        if (fmpz_bits(n) > 64) {
            b->failed = true;
        } else {
            fmpz_factor(primes, n);
            for (slong i = 0; i < primes->num; i++) {
                cc_xp k = cc_x_int(g, side ? -(slong)primes->exp[i] : (slong)primes->exp[i]);
                log = cc_x_add(g, log, cc_x_mul(g, k, log_of_base(g, b, cc_x_fmpz(g, primes->p + i))));
            }
        }
        fmpz_factor_clear(primes);
    }
    return cc_x_exp(g, cc_x_expand(g, cc_x_mul(g, x->args[1], log)));
}

cc_xp cc_int_bases(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    bases b = {.v = v};
    cc_xp h = cc_x_map(g, f, to_exponential, &b), logs[MAX_BASES];
    if (!h || b.failed || !b.n || h == f) return NULL;
    // one base alone needs nothing of this, unless it hides in its powers
    cc_xp back = NULL;
    for (size_t i = 0; i < b.n; i++) logs[i] = cc_x_log(g, b.base[i]);
    if (b.n == 1 && !b.natural) {
        back = cc_x_subs(g, h, b.log[0], logs[0]);
        if (back == f) return NULL;
    }
    cc_xp F = cc_int_find(in, h, v);
    return F ? cc_x_subs_many(g, F, b.log, logs, b.n) : NULL;
}
