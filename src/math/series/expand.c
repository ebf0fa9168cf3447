// Expressions as truncated power series: the walk over the tree, and the search for a first term that takes as many terms as cancel.
// Called by limit.c, gruntz.c and taylor.c. Owns nothing.
#include "math/series/series.h"

#define MOST_TERMS 64
#define MOST_REAL  16 // terms until one is off the real axis

int cc_ps_sign(const cc_ps_context *s, cc_xp c) {
    cc_alg *g = s->g;
    if (cc_x_has(c, s->log_w) && s->log_w->kind == CC_X_SYM) { // log(w) → -oo: the highest power decides
        const cc_xp *k;
        slong degree;
        if (!cc_x_poly_coefficients(g, cc_x_expand(g, c), s->log_w, 50, &k, &degree)) return 2;
        int sign = cc_tail_sign(g, k[degree]);
        return sign == 2 ? 2 : degree % 2 ? -sign : sign;
    }
    int sign = cc_tail_sign(g, c);
    return sign == 2 && s->x && cc_x_has(c, s->x) ? cc_gruntz_sign(g, c, s->x) : sign;
}

static bool expand_sum(const cc_ps_context *s, cc_xp f, cc_ps *out, bool *more) {
    *out = cc_ps_constant(s, s->g->zero);
    for (size_t i = 0; i < f->n; i++) {
        cc_ps part;
        if (!cc_ps_expand(s, f->args[i], &part, more)) return false;
        *out = cc_ps_add(s, out, &part);
    }
    return true;
}

static bool expand_product(const cc_ps_context *s, cc_xp f, cc_ps *out, bool *more) {
    *out = cc_ps_constant(s, s->g->one);
    for (size_t i = 0; i < f->n; i++) {
        cc_ps part;
        if (!cc_ps_expand(s, f->args[i], &part, more)) return false;
        *out = cc_ps_mul(s, out, &part);
    }
    return true;
}

// Operations on a series whose first term is needed: when it is not there yet, more terms may help.
static bool needs_lead(const cc_ps_context *s, const cc_ps *a, bool *more) {
    cc_ps x = *a;
    if (cc_ps_settle(s, &x)) return true;
    if (!x.n) *more = true;
    return false;
}

// F(z) is real for real z wherever it has a value; *positive: for z > 0.
static bool keeps_real(cc_xp f, bool *positive) {
    cc_tail tail;
    if (cc_tail_is(f, &tail)) return tail == CC_TAIL_EXP;
    switch (f->fn) {
    case CC_F_LOG:
    case CC_F_LOGGAMMA:
    case CC_F_CI: *positive = true; return true;
    case CC_F_EXP:
    case CC_F_SIN:
    case CC_F_COS:
    case CC_F_TAN:
    case CC_F_COT:
    case CC_F_SEC:
    case CC_F_CSC:
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_SECH:
    case CC_F_CSCH:
    case CC_F_ATAN:
    case CC_F_ACOT:
    case CC_F_ASINH:
    case CC_F_SINC:
    case CC_F_ERF:
    case CC_F_ERFC:
    case CC_F_ERFI:
    case CC_F_EI:
    case CC_F_SI:
    case CC_F_SHI:
    case CC_F_FRESNELS:
    case CC_F_FRESNELC:
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_GAMMA:
    case CC_F_FACTORIAL:
    case CC_F_BINOMIAL:
    case CC_F_BETA:
    case CC_F_DIGAMMA:
    case CC_F_ABS:
    case CC_F_SIGN:
    case CC_F_FLOOR:
    case CC_F_CEIL: return true;
    case CC_F_ZETA: return f->n == 1;
    case CC_F_BESSELJ:
    case CC_F_BESSELI: *positive = !cc_x_is_int(f->args[0]); return true;
    default: return false;
    }
}

// The values of f near 0 are real, as its parts tell.
static bool real_near(const cc_ps_context *s, cc_xp f) {
    cc_alg *g = s->g;
    if (cc_tail_fact(g, f, CC_IS_REAL) != CC_UNDECIDED || f->kind == CC_X_SYM || f->n == 0)
        return cc_tail_fact(g, f, CC_IS_REAL) == CC_TRUE;
    bool positive = f->kind == CC_X_POW && !cc_x_is_int(f->args[1]); // the argument must be
    if (f->kind == CC_X_FUN ? !keeps_real(f, &positive) : f->kind != CC_X_ADD && f->kind != CC_X_MUL && f->kind != CC_X_POW) return false;
    for (uint32_t i = 0; i < f->n; i++)
        if (!real_near(s, f->args[i])) return false;
    cc_ps a;
    bool more = false;
    return !positive || (cc_ps_expand(s, f->args[f->kind == CC_X_POW ? 0 : f->n - 1], &a, &more) && cc_ps_series_sign(s, &a, &more) == 1);
}

bool cc_ps_cut_is_seen(const cc_ps_context *s, cc_xp f, const cc_ps *a, bool *more) {
    cc_ps x = *a;
    if (!cc_ps_settle(s, &x) || !x.n || !x.order || cc_tail_fact(s->g, x.c[0], CC_IS_POSITIVE) == CC_TRUE) return true;
    for (size_t i = 0; i < x.n; i++)
        if (cc_tail_fact(s->g, x.c[i], CC_IS_REAL) != CC_TRUE) return true;
    if (real_near(s, f)) return true;
    *more = *more || s->keep < MOST_REAL;
    return false;
}

static bool expand_power(const cc_ps_context *s, cc_xp f, cc_ps *out, bool *more) {
    cc_xp base = f->args[0], exponent = f->args[1];
    cc_alg *g = s->g;
    cc_ps b, e;
    if (cc_x_has(exponent, s->w) || (s->x && cc_x_has(exponent, s->x))) { // exp(exponent*log(base))
        if (!cc_ps_expand(s, exponent, &e, more) || !cc_ps_expand(s, cc_x_log(g, base), &b, more)) return false;
        e = cc_ps_mul(s, &e, &b);
        return needs_lead(s, &e, more) && cc_ps_exp(s, &e, out);
    }
    if (!cc_ps_expand(s, base, &b, more)) return false;
    slong whole;
    bool natural = cc_x_fits_si(exponent, &whole) && whole >= 0 && whole <= 64;
    if (!natural && !needs_lead(s, &b, more)) return false;
    if (!cc_x_is_int(exponent) && !cc_ps_cut_is_seen(s, base, &b, more)) return false;
    return cc_ps_power(s, &b, exponent, out);
}

bool cc_ps_expand(const cc_ps_context *s, cc_xp f, cc_ps *out, bool *more) {
    cc_alg *g = s->g;
    if (!f || !cc_alg_may_search(g)) return false;
    if (!cc_x_has(f, s->w)) {
        *out = cc_ps_constant(s, f);
        return f->finite && (!cc_ps_oscillates(s, f) || cc_oscillation_bounded(g, f));
    }
    if (f == s->w) {
        *out = cc_ps_term(s, g->one, g->one);
        return true;
    }
    switch (f->kind) {
    case CC_X_ADD: return expand_sum(s, f, out, more);
    case CC_X_MUL: return expand_product(s, f, out, more);
    case CC_X_POW: return expand_power(s, f, out, more);
    case CC_X_FUN: {
        if (f->n > 8 && f->fn != CC_F_PIECEWISE) return false;
        cc_ps *args = CC_ARENA_ARRAY(g->arena, cc_ps, f->n + 1);
        if (f->fn != CC_F_PIECEWISE)
            for (size_t i = 0; i < f->n; i++)
                if (!cc_ps_expand(s, f->args[i], &args[i], more)) return false;
        cc_tail tail;
        if (f->fn == CC_F_EXP || (cc_tail_is(f, &tail) && tail == CC_TAIL_EXP))
            return needs_lead(s, &args[0], more) && cc_ps_exp(s, &args[0], out);
        if (f->fn == CC_F_LOG)
            return needs_lead(s, &args[0], more) && cc_ps_cut_is_seen(s, f->args[0], &args[0], more) && cc_ps_log(s, &args[0], out);
        return cc_ps_function(s, f, args, out, more);
    }
    default: return false;
    }
}

bool cc_ps_leading(cc_alg *g, cc_xp f, cc_xp w, cc_xp log_w, cc_xp x, cc_xp *c, cc_xp *e) {
    for (size_t keep = 2; keep <= MOST_TERMS && cc_alg_may_search(g); keep *= 2) {
        bool more = false, unsure = false;
        const cc_ps_context s = {.g = g, .w = w, .log_w = log_w, .keep = keep, .x = x, .unsure = &unsure};
        cc_ps a;
        bool found = cc_ps_expand(&s, f, &a, &more);
        if (unsure) return false;
        if (found) {
            if (cc_ps_settle(&s, &a)) {
                *c = a.n ? a.c[0] : g->zero;
                *e = a.n ? a.e[0] : g->zero;
                return *c != NULL;
            }
            if (a.n) return false; // its coefficient may be zero or not
        } else if (!more) {
            return false;
        }
    }
    return false;
}
