// Limits for x → +oo by the most rapidly varying subexpressions: D. Gruntz, On computing limits in a symbolic manipulation system,
// dissertation 11432, ETH Zürich 1996. Every zero and sign on the way is decided, or the answer is "not found". Called by limit.c,
// oscillate.c and the sign of coefficients. Owns nothing.
#include "math/series/series.h"

#define MOST_DEPTH 24 // of limits inside limits
#define MOST_SET   24 // comparable subexpressions

typedef struct set {
    cc_xp of[MOST_SET];
    size_t n;
} set;

static cc_xp limit(cc_alg *g, cc_xp f, cc_xp x);
static bool real_at_last(cc_alg *g, cc_xp f, cc_xp x);

static bool infinite(cc_alg *g, cc_xp l) { return l == g->oo || l == g->neg_oo || l == g->zoo; }

// ---- making an expression tractable ----

static cc_xp exponentials(cc_alg *g, cc_xp f, cc_xp z) { // hyperbolic functions
    cc_xp p = cc_x_exp(g, z), m = cc_x_exp(g, cc_x_neg(g, z)), sum = cc_x_add(g, p, m), difference = cc_x_sub(g, p, m);
    switch (f->fn) {
    case CC_F_SINH: return cc_x_mul(g, g->half, difference);
    case CC_F_COSH: return cc_x_mul(g, g->half, sum);
    case CC_F_TANH: return cc_x_div(g, difference, sum);
    case CC_F_COTH: return cc_x_div(g, sum, difference);
    case CC_F_SECH: return cc_x_div(g, g->two, sum);
    default: return cc_x_div(g, g->two, difference); // CSCH
    }
}

static cc_xp erf_at(cc_alg *g, cc_xp z, bool complement, bool positive) {
    cc_xp u = positive ? z : cc_x_neg(g, z);
    cc_xp tail = cc_x_mul(g, cc_x_exp(g, cc_x_neg(g, cc_x_powi(g, z, 2))), cc_tail_of(g, CC_TAIL_ERFC, u)); // erfc(|z|)
    if (complement) return positive ? tail : cc_x_sub(g, g->two, tail);
    return positive ? cc_x_sub(g, g->one, tail) : cc_x_sub(g, tail, g->one);
}

// gamma(n, z) = (n-1)! exp(-z) sum_{k<n} z**k/k! for a natural n (Abramowitz and Stegun 6.5.11, 6.5.13).
static cc_xp upper_gamma(cc_alg *g, cc_xp n, cc_xp z) {
    slong m;
    if (!cc_x_fits_si(n, &m) || m < 1 || m > 60) return NULL;
    cc_xp sum = g->zero, term = g->one;
    for (slong k = 0; k < m; k++) {
        sum = cc_x_add(g, sum, term);
        term = cc_x_div(g, cc_x_mul(g, term, z), cc_x_int(g, k + 1));
    }
    return cc_x_mul(g, cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, m - 1)), cc_x_mul(g, cc_x_exp(g, cc_x_neg(g, z)), sum));
}

static cc_xp tractable_function(cc_alg *g, cc_xp f, cc_xp x) {
    cc_xp z = f->args[f->n - 1], l;
    switch (f->fn) {
    case CC_F_FACTORIAL: return cc_gruntz_tractable(g, cc_x_f1(g, CC_F_GAMMA, cc_x_add(g, z, g->one)), x);
    case CC_F_BINOMIAL:
    case CC_F_BETA:
    case CC_F_RISING:
    case CC_F_FALLING: return cc_gruntz_tractable(g, cc_x_rewrite(g, f, CC_REWRITE_GAMMA), x);
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_SECH:
    case CC_F_CSCH: l = limit(g, z, x); return l && infinite(g, l) ? exponentials(g, f, z) : f;
    case CC_F_LOG: {
        cc_tail which; // log(exp(h)) = h for real h, such as log(gamma(x))
        return cc_tail_is(z, &which) && which == CC_TAIL_EXP && real_at_last(g, z->args[0], x) ? z->args[0] : f;
    }
    case CC_F_GAMMA: l = limit(g, z, x); return l == g->oo ? cc_x_exp(g, cc_x_f1(g, CC_F_LOGGAMMA, z)) : f;
    case CC_F_ERF:
    case CC_F_ERFC: l = limit(g, z, x); return l == g->oo || l == g->neg_oo ? erf_at(g, z, f->fn == CC_F_ERFC, l == g->oo) : f;
    case CC_F_ERFI:
        l = limit(g, z, x);
        return l == g->oo || l == g->neg_oo ? cc_x_mul(g, cc_x_exp(g, cc_x_powi(g, z, 2)), cc_tail_of(g, CC_TAIL_ERFI, z)) : f;
    case CC_F_EI:
        l = limit(g, z, x);
        return l == g->oo || (l == g->neg_oo && real_at_last(g, z, x)) ? cc_x_mul(g, cc_x_exp(g, z), cc_tail_of(g, CC_TAIL_EI, z)) : f;
    case CC_F_LI: return cc_gruntz_tractable(g, cc_x_f1(g, CC_F_EI, cc_x_log(g, z)), x);
    case CC_F_AIRYAI:
    case CC_F_AIRYBI: {
        l = limit(g, z, x);
        if (l != g->oo) return f;
        bool ai = f->fn == CC_F_AIRYAI;
        cc_xp e = cc_tail_airy_exponent(g, z);
        return cc_x_mul(g, cc_x_exp(g, ai ? cc_x_neg(g, e) : e), cc_tail_of(g, ai ? CC_TAIL_AI : CC_TAIL_BI, z));
    }
    case CC_F_UPPERGAMMA: {
        cc_xp law = cc_x_has(f->args[0], x) ? NULL : upper_gamma(g, f->args[0], z);
        if (law || cc_x_has(f->args[0], x) || limit(g, z, x) != g->oo) return law ? law : f;
        return cc_x_mul(g, cc_x_exp(g, cc_x_neg(g, z)), cc_tail_of2(g, CC_TAIL_GAMMA, f->args[0], z));
    }
    case CC_F_LOWERGAMMA: {
        if (cc_x_has(f->args[0], x) || limit(g, z, x) != g->oo) return f;
        cc_xp whole = cc_x_f1(g, CC_F_GAMMA, f->args[0]), rest = cc_x_f2(g, CC_F_UPPERGAMMA, f->args[0], z);
        return cc_gruntz_tractable(g, cc_x_sub(g, whole, rest), x);
    }
    case CC_F_EXPINT: { // z**(n-1) uppergamma(1 - n, z)
        cc_xp n = f->args[0];
        if (cc_x_has(n, x) || limit(g, z, x) != g->oo) return f;
        cc_xp rest = cc_x_f2(g, CC_F_UPPERGAMMA, cc_x_sub(g, g->one, n), z);
        return cc_gruntz_tractable(g, cc_x_mul(g, cc_x_pow(g, z, cc_x_sub(g, n, g->one)), rest), x);
    }
    case CC_F_BESSELI:
    case CC_F_BESSELK: {
        if (cc_x_has(f->args[0], x) || limit(g, z, x) != g->oo) return f;
        bool first = f->fn == CC_F_BESSELI;
        return cc_x_mul(g, cc_x_exp(g, first ? z : cc_x_neg(g, z)),
                        cc_tail_of2(g, first ? CC_TAIL_BESSELI : CC_TAIL_BESSELK, f->args[0], z));
    }
    case CC_F_SHI:
    case CC_F_CHI: { // (Ei(z) ∓ Ei(-z))/2
        if (limit(g, z, x) != g->oo) return f;
        cc_xp p = cc_x_f1(g, CC_F_EI, z), m = cc_x_f1(g, CC_F_EI, cc_x_neg(g, z));
        return cc_gruntz_tractable(g, cc_x_mul(g, g->half, f->fn == CC_F_SHI ? cc_x_sub(g, p, m) : cc_x_add(g, p, m)), x);
    }
    case CC_F_CATALAN: return cc_gruntz_tractable(g, cc_x_rewrite(g, f, CC_REWRITE_GAMMA), x);
    case CC_F_HARMONIC: {
        cc_xp law = cc_harmonic_law(g, f);
        return law ? law : f;
    }
    default: return f;
    }
}

// Exponentials, and powers with exponents that vary, hidden from the constructors.
static cc_xp hide_node(cc_alg *g, cc_xp f, void *ctx) {
    cc_xp x = ctx;
    if (cc_x_is_fun(f, CC_F_EXP) && cc_x_has(f, x)) return cc_tail_of(g, CC_TAIL_EXP, f->args[0]);
    if (!cc_x_is_kind(f, CC_X_POW) || !cc_x_has(f->args[1], x)) return f;
    return cc_tail_of(g, CC_TAIL_EXP, cc_x_mul(g, f->args[1], cc_x_log(g, f->args[0])));
}

static cc_xp tractable_node(cc_alg *g, cc_xp f, void *ctx) {
    cc_xp x = ctx;
    if (f->kind == CC_X_FUN && cc_x_has(f, x)) f = tractable_function(g, f, x);
    return cc_x_map(g, f, hide_node, ctx);
}

cc_xp cc_gruntz_tractable(cc_alg *g, cc_xp f, cc_xp x) { return cc_x_map(g, f, tractable_node, (void *)(uintptr_t)x); }

// ---- the most rapidly varying set ----

// h when f is exp(h), NULL when it is something else.
static cc_xp exponent_of(cc_xp f) {
    cc_tail which;
    return cc_tail_is(f, &which) && which == CC_TAIL_EXP ? f->args[0] : NULL;
}

static cc_xp log_of(cc_alg *g, cc_xp f) {
    cc_xp h = exponent_of(f);
    return h ? h : cc_x_log(g, f);
}

// Which of two varies faster: -1 a, 1 b, 0 comparable; 2 = not found.
static int faster(cc_alg *g, cc_xp a, cc_xp b, cc_xp x) {
    if (a == b) return 0;
    cc_xp c = limit(g, cc_x_div(g, log_of(g, a), log_of(g, b)), x);
    if (!c) return 2;
    if (c == g->zero) return 1;
    return infinite(g, c) ? -1 : 0;
}

static bool add_to(set *s, cc_xp f) {
    for (size_t i = 0; i < s->n; i++)
        if (s->of[i] == f) return true;
    if (s->n == MOST_SET) return false;
    s->of[s->n++] = f;
    return true;
}

// *into becomes the faster of the two sets, or their union.
static bool merge(cc_alg *g, set *into, const set *more, cc_xp x) {
    if (!more->n) return true;
    if (!into->n) {
        *into = *more;
        return true;
    }
    switch (faster(g, into->of[0], more->of[0], x)) {
    case -1: return true;
    case 1: *into = *more; return true;
    case 0:
        for (size_t i = 0; i < more->n; i++)
            if (!add_to(into, more->of[i])) return false;
        return true;
    default: return false;
    }
}

// A function that varies no faster than its arguments do, wherever these tend to: others, such as sin and besseli, have an essential
// singularity at infinity, and steps have zeros again and again.
static bool tame(cc_alg *g, cc_xp f, cc_xp x) {
    cc_tail which;
    if (f->kind != CC_X_FUN || cc_tail_is(f, &which)) return true;
    bool gamma = false;
    switch (f->fn) {
    case CC_F_LOG:
    case CC_F_ATAN:
    case CC_F_ATAN2:
    case CC_F_ACOT:
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ASEC:
    case CC_F_ACSC:
    case CC_F_ASINH:
    case CC_F_ACOSH:
    case CC_F_ATANH:
    case CC_F_ACOTH:
    case CC_F_ASECH:
    case CC_F_ACSCH:
    case CC_F_POLYLOG:
    case CC_F_ABS:
    case CC_F_SIGN:
    case CC_F_RE:
    case CC_F_IM:
    case CC_F_ARG:
    case CC_F_CONJUGATE:
    case CC_F_MAX:
    case CC_F_MIN:
    case CC_F_HEAVISIDE:
    case CC_F_PIECEWISE: return true;
    case CC_F_LOGGAMMA:
    case CC_F_DIGAMMA:
    case CC_F_POLYGAMMA: gamma = true; break; // but for the poles on the left
    default: break;
    }
    for (size_t i = 0; i < f->n; i++) {
        cc_xp l = limit(g, f->args[i], x);
        if (!l || (!l->finite && !(gamma && l == g->oo))) return false;
    }
    return true;
}

// f is real from some x on.
static bool real_at_last(cc_alg *g, cc_xp f, cc_xp x) {
    if (!cc_x_has(f, x) || cc_tail_fact(g, f, CC_IS_REAL) != CC_UNDECIDED) return cc_tail_fact(g, f, CC_IS_REAL) == CC_TRUE;
    bool positive = f->kind == CC_X_POW && !cc_x_is_int(f->args[1]); // the argument must be
    if (f->kind == CC_X_FUN) {
        cc_tail which;
        switch (f->fn) {
        case CC_F_LOG:
        case CC_F_LOGGAMMA: positive = true; break;
        case CC_F_ASIN:
        case CC_F_ACOS:
        case CC_F_ATANH:
            if (cc_gruntz_sign(g, cc_x_sub(g, g->one, cc_x_powi(g, f->args[0], 2)), x) != 1) return false;
            break;
        case CC_F_ACOSH:
            if (cc_gruntz_sign(g, cc_x_sub(g, f->args[0], g->one), x) != 1) return false;
            break;
        case CC_F_DIGAMMA:
        case CC_F_SIN:
        case CC_F_COS:
        case CC_F_ATAN:
        case CC_F_ASINH:
        case CC_F_ERF:
        case CC_F_ERFC:
        case CC_F_ABS:
        case CC_F_SIGN:
        case CC_F_GAMMA: break;
        default:
            if (!cc_tail_is(f, &which)) return false;
            positive = which != CC_TAIL_EXP && which != CC_TAIL_EI && which != CC_TAIL_ERFI;
        }
    } else if (f->kind != CC_X_ADD && f->kind != CC_X_MUL && f->kind != CC_X_POW) {
        return false;
    }
    for (uint32_t i = 0; i < f->n; i++)
        if (!real_at_last(g, f->args[i], x)) return false;
    return !positive || cc_gruntz_sign(g, f->args[f->kind == CC_X_POW ? 0 : f->n - 1], x) == 1;
}

bool cc_gruntz_real(cc_alg *g, cc_xp f, cc_xp x) { return real_at_last(g, cc_gruntz_tractable(g, f, x), x); }

// exp(h) grows or vanishes without turning: what is not real of h has a limit.
static bool does_not_turn(cc_alg *g, cc_xp h, cc_xp x) {
    size_t n;
    const cc_xp *terms = cc_x_terms(&h, &n);
    for (size_t i = 0; i < n; i++) {
        if (real_at_last(g, terms[i], x)) continue;
        cc_xp c, rest;
        cc_x_split_coefficient(g, terms[i], &c, &rest);
        if (cc_x_is_fun(rest, CC_F_LOG) && real_at_last(g, rest->args[0], x) && cc_gruntz_sign(g, rest->args[0], x) == -1)
            continue; // log|b| + I*pi
        cc_xp l = limit(g, terms[i], x);
        if (!l || !l->finite) return false;
    }
    return true;
}

static bool mrv(cc_alg *g, cc_xp f, cc_xp x, set *out) {
    *out = (set){0};
    if (!cc_alg_may_search(g)) return false;
    if (!cc_x_has(f, x)) return true;
    if (f == x) return add_to(out, x);
    if (!tame(g, f, x)) return false;
    for (size_t i = 0; i < f->n; i++) {
        set inner;
        if (!mrv(g, f->args[i], x, &inner) || !merge(g, out, &inner, x)) return false;
    }
    cc_xp h = exponent_of(f), l = h ? limit(g, h, x) : NULL;
    if (!h) return true;
    if (!l) return false;
    if (!infinite(g, l)) return true;
    if (l == g->zoo || !does_not_turn(g, h, x)) return false; // an oscillating exponential
    set self = {{f}, 1};
    return merge(g, out, &self, x);
}

// ---- leading term ----

static void by_size(set *s) { // the largest first: it may hold the others
    for (size_t i = 1; i < s->n; i++)
        for (size_t j = i; j > 0 && s->of[j]->size > s->of[j - 1]->size; j--) {
            cc_xp t = s->of[j];
            s->of[j] = s->of[j - 1], s->of[j - 1] = t;
        }
}

// Every exponential inside f.
static bool exponentials_in(cc_xp f, cc_xp x, set *out) {
    if (!cc_x_has(f, x)) return true;
    for (size_t i = 0; i < f->n; i++)
        if (!exponentials_in(f->args[i], x, out)) return false;
    return !exponent_of(f) || add_to(out, f);
}

// The scale of f when x itself is among its fastest parts: f for exp(x), in which exp(x) is the fastest; *omega what is comparable with it.
static cc_xp one_scale_up(cc_alg *g, cc_xp f, cc_xp x, set *omega) {
    set all = {0};
    f = cc_x_subs_many(g, f, (const cc_xp[]){cc_x_log(g, x), x}, (const cc_xp[]){x, cc_tail_of(g, CC_TAIL_EXP, x)}, 2);
    *omega = (set){0};
    if (!f || !exponentials_in(f, x, &all)) return NULL;
    for (size_t i = 0; i < all.n; i++) {
        cc_xp r = limit(g, cc_x_div(g, exponent_of(all.of[i]), x), x);
        if (!r || (r != g->zero && !add_to(omega, all.of[i]))) return NULL;
    }
    return f;
}

// f with each exp(k) of omega as exp(k - r*log_w) * w**r. Names stand for them until all are replaced.
static cc_xp in_scale(cc_alg *g, cc_xp f, cc_xp x, const set *omega, cc_xp w, cc_xp log_w) {
    cc_xp name[MOST_SET], slow[MOST_SET], power[MOST_SET];
    for (size_t i = 0; i < omega->n; i++) {
        cc_xp k = exponent_of(omega->of[i]), r = k ? limit(g, cc_x_div(g, k, log_w), x) : NULL;
        if (!r || !r->finite || cc_tail_fact(g, r, CC_IS_REAL) != CC_TRUE) return NULL;
        slow[i] = cc_x_expand(g, cc_x_sub(g, k, cc_x_mul(g, r, log_w)));
        power[i] = cc_x_pow(g, w, r);
        name[i] = cc_x_dummy(g, "e", CC_IS_POSITIVE);
        f = cc_x_subs(g, f, omega->of[i], name[i]);
    }
    for (size_t j = 0; j < omega->n; j++)
        for (size_t i = 0; i < omega->n; i++) slow[j] = cc_x_subs(g, slow[j], omega->of[i], name[i]);
    for (size_t i = omega->n; i-- > 0;) { // the innermost first
        cc_xp value = cc_x_has(slow[i], x) || cc_x_has(slow[i], w) ? cc_tail_of(g, CC_TAIL_EXP, slow[i]) : cc_x_exp(g, slow[i]);
        value = cc_x_mul(g, value, power[i]);
        f = cc_x_subs(g, f, name[i], value);
        for (size_t j = 0; j < i; j++) slow[j] = cc_x_subs(g, slow[j], name[i], value);
    }
    for (size_t i = 0; f && i < omega->n; i++)
        if (cc_x_has(f, name[i])) return NULL;
    return f;
}

// f = c * w**e + … with w → 0 the fastest scale of f; c varies more slowly. Where x itself is among the fastest this is done for f(exp(x)),
// and c is meant so too: its sign and limit for x → oo are the same. False: not found.
static bool leading(cc_alg *g, cc_xp f, cc_xp x, cc_xp *c, cc_xp *e) {
    set omega;
    *c = f, *e = g->zero;
    if (!mrv(g, f, x, &omega)) return false;
    if (!omega.n) return true;
    bool up = false;
    for (size_t i = 0; i < omega.n; i++) up = up || omega.of[i] == x;
    if (up && !(f = one_scale_up(g, f, x, &omega))) return false;
    by_size(&omega);
    cc_xp h = up ? x : exponent_of(omega.of[omega.n - 1]), to = up ? g->oo : h ? limit(g, h, x) : NULL;
    if (to != g->oo && to != g->neg_oo) return false;
    cc_xp log_w = to == g->oo ? cc_x_neg(g, h) : h, w = cc_x_dummy(g, "w", CC_IS_POSITIVE);
    if (!(f = in_scale(g, f, x, &omega, w, log_w))) return false;
    if (!cc_ps_leading(g, f, w, log_w, x, c, e)) return false;
    return *c != NULL;
}

int cc_gruntz_sign(cc_alg *g, cc_xp f, cc_xp x) {
    if (!f) return 2;
    if (!cc_x_has(f, x)) return cc_tail_sign(g, f);
    if (f == x) return 1;
    if (exponent_of(f) && cc_tail_fact(g, exponent_of(f), CC_IS_REAL) == CC_TRUE) return 1;
    if (f->kind == CC_X_MUL) {
        int sign = 1;
        for (size_t i = 0; i < f->n; i++) {
            int s = cc_gruntz_sign(g, f->args[i], x);
            if (s == 2) return 2;
            sign *= s;
        }
        return sign;
    }
    cc_xp c, e;
    if (g->depth_guard > MOST_DEPTH) return 2;
    g->depth_guard++;
    int sign = 2;
    if (leading(g, f, x, &c, &e) && c != f) sign = cc_gruntz_sign(g, c, x);
    g->depth_guard--;
    return sign;
}

static cc_xp limit(cc_alg *g, cc_xp f, cc_xp x) {
    cc_xp c, e, out = NULL;
    if (!f || !cc_alg_may_search(g) || g->depth_guard > MOST_DEPTH) return NULL;
    if (!cc_x_has(f, x)) return f;
    if (f == x) return g->oo;
    g->depth_guard++;
    if (leading(g, f, x, &c, &e)) {
        int sign = cc_x_is_constant(e) ? cc_x_constant_compare(g, e, g->zero) : cc_x_sign(g, e);
        if (sign == 1) {
            out = g->zero;
        } else if (sign == 0) {
            out = c != f ? limit(g, c, x) : NULL;
        } else if (sign == -1) {
            int of_c = cc_gruntz_sign(g, c, x);
            if (of_c == 1 || of_c == -1)
                out = of_c > 0 ? g->oo : g->neg_oo;
            else if (cc_x_is_constant(c) && cc_tail_fact(g, c, CC_IS_REAL) == CC_FALSE)
                out = g->zoo;
        }
    }
    g->depth_guard--;
    return out;
}

// A product of exponentials and powers by the limit of its logarithm: their scales may cancel where one alone turns in the complex plane.
static cc_xp by_logarithm(cc_alg *g, cc_xp f, cc_xp x) {
    size_t n, exponentials = 0;
    const cc_xp *factors = cc_x_factors(&f, &n);
    cc_xp sum = g->zero;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        cc_x_split_power(g, factors[i], &base, &e);
        cc_xp h = exponent_of(base);
        if (h) exponentials++;
        if (!h && cc_x_has(base, x) && cc_gruntz_sign(g, base, x) != 1) return NULL;
        if (cc_x_has(e, x)) return NULL;
        sum = cc_x_add(g, sum, cc_x_mul(g, e, h ? h : cc_x_log(g, base)));
    }
    cc_xp l = exponentials > 0 && n > 1 ? limit(g, sum, x) : NULL;
    if (!l || l == g->zoo || (l == g->oo && !real_at_last(g, sum, x))) return NULL;
    return l == g->oo ? l : l == g->neg_oo ? g->zero : cc_x_exp(g, l);
}

cc_xp cc_gruntz_limit(cc_alg *g, cc_xp f, cc_xp x) {
    cc_xp tractable = cc_gruntz_tractable(g, f, x), out = limit(g, tractable, x);
    if (!out && tractable && !g->err->code) out = by_logarithm(g, tractable, x);
    return cc_tail_undo(g, out);
}
