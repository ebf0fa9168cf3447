// Limits at infinity of expressions that keep oscillating: sine and cosine of growing arguments, steps, and other bounded functions. Names
// stand for what is bounded. An expression whose coefficients other than the constant one all vanish has a limit (squeeze); one that tends
// to different values along two sequences with constant sine and cosine has none, nor has one with poles again and again that stays finite
// along a sequence. Called by limit.c when the exponential scales have found nothing. Owns nothing.
#include <flint/ulong_extras.h>

#include "math/series/series.h"

#define MOST_POWER 12
#define MOST_WAVES 8
#define MOST_TERMS 256

// What stands for something bounded: sine and cosine (of pairs), real in [-1, 1], or of modulus at most 1.
typedef enum bound_kind { SINE, COSINE, REAL_BOUND, COMPLEX_BOUND } bound_kind;
static const char *const bound_name[] = {"\001s", "\001c", "\001b", "\001z"};

typedef struct waves {
    cc_xp x;
    cc_xp argument[MOST_WAVES], sine[MOST_WAVES], cosine[MOST_WAVES]; // the growing arguments
    size_t n;
    cc_xp bounded[MOST_WAVES], stands_for[MOST_WAVES]; // anything else
    size_t n_bounded;
    cc_xp fraction;   // of bounded: what stands for u - floor(u), u growing: each value in [0, 1) again and again
    bool keep_powers; // b**e as it is, also where a bound is known
    bool failed;
} waves;

static cc_xp new_bound(cc_alg *g, bound_kind kind) { return cc_x_dummy(g, bound_name[kind], kind == COMPLEX_BOUND ? 0 : CC_IS_REAL); }

// The name for the bounded expression f.
static cc_xp bound(cc_alg *g, waves *t, cc_xp f, bound_kind kind) {
    for (size_t i = 0; i < t->n_bounded; i++)
        if (t->stands_for[i] == f) return t->bounded[i];
    if (t->n_bounded == MOST_WAVES) {
        t->failed = true;
        return f;
    }
    t->stands_for[t->n_bounded] = f;
    return t->bounded[t->n_bounded++] = new_bound(g, kind);
}

static bool infinite(cc_alg *g, cc_xp l) { return l == g->oo || l == g->neg_oo; }

static bool oscillates(cc_alg *g, cc_xp f) {
    const cc_ps_context any = {.g = g};
    return cc_ps_oscillates(&any, f);
}

// sin or cos of k*(argument i) + d.
static cc_xp shifted(cc_alg *g, const waves *t, size_t i, bool cosine, slong k, cc_xp d) {
    cc_xp s, c;
    cc_x_multiple_angle(g, k, t->sine[i], t->cosine[i], &s, &c);
    cc_xp sin_d = cc_x_f1(g, CC_F_SIN, d), cos_d = cc_x_f1(g, CC_F_COS, d);
    if (cosine) return cc_x_sub(g, cc_x_mul(g, c, cos_d), cc_x_mul(g, s, sin_d));
    return cc_x_add(g, cc_x_mul(g, s, cos_d), cc_x_mul(g, c, sin_d));
}

static cc_xp wave(cc_alg *g, waves *t, cc_xp f, bool cosine) {
    cc_xp u = f->args[0];
    if (!cc_x_has(u, t->x)) return f; // of a sine itself
    bool real = cc_x_is(g, u, CC_IS_REAL) == CC_TRUE;
    cc_xp to = oscillates(g, u) ? NULL : cc_gruntz_limit(g, u, t->x);
    if (to && to->finite) return f;
    if (!real) return f;
    if (!infinite(g, to)) return bound(g, t, f, REAL_BOUND);
    for (size_t i = 0; i < t->n; i++) {
        cc_xp r = cc_gruntz_limit(g, cc_x_div(g, u, t->argument[i]), t->x);
        slong k;
        if (!cc_x_fits_si(r, &k) || k < -MOST_POWER || k > MOST_POWER || k == 0) continue;
        cc_xp d = cc_x_expand(g, cc_x_sub(g, u, cc_x_mul(g, r, t->argument[i]))), end = cc_gruntz_limit(g, d, t->x);
        if (end && end->finite) return shifted(g, t, i, cosine, k, d);
    }
    if (t->n == MOST_WAVES) {
        t->failed = true;
        return f;
    }
    t->argument[t->n] = u;
    t->sine[t->n] = new_bound(g, SINE), t->cosine[t->n] = new_bound(g, COSINE);
    return cosine ? t->cosine[t->n++] : t->sine[t->n++];
}

// Makes the first argument a fraction of what it is, so that the others of its kind are whole multiples: sin(x/2) beside sin(x/3).
typedef struct arguments {
    cc_xp x, first;
    ulong divisor;
} arguments;
static cc_xp divisor_node(cc_alg *g, cc_xp f, void *ctx) {
    arguments *a = ctx;
    if (f->kind != CC_X_FUN || (f->fn != CC_F_SIN && f->fn != CC_F_COS) || !cc_x_has(f, a->x)) return f;
    if (!a->first) {
        cc_xp to = cc_gruntz_limit(g, f->args[0], a->x);
        if (infinite(g, to)) a->first = f->args[0];
        return f;
    }
    cc_xp r = cc_gruntz_limit(g, cc_x_div(g, f->args[0], a->first), a->x);
    if (!r || r->kind != CC_X_NUM || fmpz_cmp_si(fmpq_denref(r->num), MOST_POWER) > 0) return f;
    ulong q = fmpz_get_ui(fmpq_denref(r->num)), l = a->divisor / n_gcd(a->divisor, q) * q;
    if (l <= MOST_POWER) a->divisor = l;
    return f;
}

static cc_xp step(cc_alg *g, waves *t, cc_xp f) { // floor(u) = u - a fraction, ceiling(u) = u + one
    cc_xp u = f->args[0];
    if (cc_x_is(g, u, CC_IS_REAL) != CC_TRUE) return f;
    cc_xp to = oscillates(g, u) ? NULL : cc_gruntz_limit(g, u, t->x);
    if (to && to->finite) return f;
    bool floor = f->fn == CC_F_FLOOR;
    cc_xp b = bound(g, t, cc_x_f1(g, CC_F_FLOOR, floor ? u : cc_x_neg(g, u)), REAL_BOUND);
    if (infinite(g, to)) t->fraction = b;
    return floor ? cc_x_sub(g, u, b) : cc_x_add(g, u, b);
}

static bool is_wave(cc_xp x);
static bool over_waves(cc_alg *g, acb_t out, cc_xp f);

// A rational q <= 1 that |f| does not pass; NULL when there is none.
static cc_xp modulus_up_to_one(cc_alg *g, cc_xp f) {
    cc_xp c, rest;
    cc_x_split_coefficient(g, f, &c, &rest);
    if (is_wave(rest)) {
        c = cc_x_f1(g, CC_F_ABS, c);
        return cc_x_constant_compare(g, c, g->one) <= 0 ? c : NULL;
    }
    acb_t y;
    arb_t size;
    fmpz_t n;
    acb_init(y), arb_init(size), fmpz_init(n);
    cc_xp q = NULL;
    if (over_waves(g, y, f)) {
        acb_abs(size, y, 64);
        arb_mul_2exp_si(size, size, 20);
        arf_t up;
        arf_init(up);
        arb_get_ubound_arf(up, size, 64);
        arf_get_fmpz(n, up, ARF_RND_CEIL);
        arf_clear(up);
        if (fmpz_cmp_ui(n, 1UL << 20) < 0) q = cc_x_div(g, cc_x_fmpz(g, n), cc_x_int(g, 1L << 20));
    }
    acb_clear(y), arb_clear(size), fmpz_clear(n);
    return q;
}

// b**e, |b| <= q <= 1 and e → +oo (or 1/|b| and e → -oo): at most q**|e|.
static cc_xp vanishing_power(cc_alg *g, waves *t, cc_xp f) {
    cc_xp b = f->args[0], e = f->args[1], to;
    if (cc_x_is_constant(e) || oscillates(g, e) || !oscillates(g, b) || cc_x_is(g, e, CC_IS_REAL) != CC_TRUE) return f;
    to = cc_gruntz_limit(g, e, t->x);
    if (!infinite(g, to)) return f;
    cc_xp q = modulus_up_to_one(g, to == g->oo ? b : cc_x_div(g, g->one, b));
    if (!q || q == g->zero) return f;
    return cc_x_mul(g, bound(g, t, f, COMPLEX_BOUND), cc_x_pow(g, q, to == g->oo ? e : cc_x_neg(g, e)));
}

// Functions that decay while they oscillate, for arguments that grow: each law holds from some argument on. Sources: NIST DLMF 6.2, 6.12
// (Si, Ci), 7.5 and 7.12 (Fresnel, erfc), 9.7 (Airy), 10.17 (Bessel); zeta(z) - 1 < 2*2**-z; Binet's formula.
static cc_xp decaying(cc_alg *g, waves *t, cc_xp f) {
    cc_xp z = f->args[f->n - 1];
    if (oscillates(g, z) || (f->n > 1 && !cc_x_is_constant(f->args[0]))) return f;
    cc_xp to = cc_gruntz_limit(g, z, t->x);
    bool up = to == g->oo;
    cc_xp size = up ? z : cc_x_neg(g, z), value = g->zero, most = NULL;
    if (f->fn == CC_F_ERFC) { // along a ray in the right half-plane: |erfc(z)| <= |exp(-z**2)|/|z|
        cc_xp c, u;
        cc_x_separate_mul(g, z, t->x, &u, &c);
        if (cc_x_is(g, c, CC_IS_REAL) != CC_FALSE || cc_gruntz_limit(g, u, t->x) != g->oo ||
            cc_x_is(g, cc_x_f1(g, CC_F_RE, c), CC_IS_POSITIVE) != CC_TRUE)
            return f;
        cc_xp turn = cc_x_f1(g, CC_F_RE, cc_x_expand(g, cc_x_powi(g, c, 2)));
        most = cc_x_div(g, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, turn, cc_x_powi(g, u, 2)))), cc_x_mul(g, cc_x_f1(g, CC_F_ABS, c), u));
        return cc_x_mul(g, bound(g, t, f, COMPLEX_BOUND), most);
    }
    if (!infinite(g, to) || !cc_gruntz_real(g, z, t->x)) return f;
    switch (f->fn) {
    case CC_F_SI:
        value = cc_x_mul(g, cc_x_frac(g, up ? 1 : -1, 2), g->pi);
        most = cc_x_div(g, g->two, size);
        break;
    case CC_F_CI:
        if (!up) value = cc_x_mul(g, g->i, g->pi);
        most = cc_x_div(g, g->two, size);
        break;
    case CC_F_FRESNELS:
    case CC_F_FRESNELC:
        value = cc_x_frac(g, up ? 1 : -1, 2);
        most = cc_x_div(g, g->one, size);
        break;
    case CC_F_BESSELJ:
    case CC_F_BESSELY:
        if (cc_x_is(g, f->args[0], CC_IS_REAL) != CC_TRUE || (!up && (f->fn == CC_F_BESSELY || !cc_x_is_int(f->args[0])))) return f;
        most = cc_x_div(g, g->two, cc_x_sqrt(g, size));
        break;
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
        if (up) return f;
        most = cc_x_pow(g, size, cc_x_frac(g, -1, 4));
        break;
    case CC_F_ZETA:
        if (!up || f->n > 1) return f;
        value = g->one;
        most = cc_x_mul(g, g->two, cc_x_pow(g, g->two, cc_x_neg(g, z)));
        break;
    case CC_F_FIBONACCI:
    case CC_F_LUCAS: { // (phi**n - cos(pi n) phi**-n)/sqrt(5); phi**n + cos(pi n) phi**-n
        if (!up) return f;
        cc_xp log_phi = cc_x_log(g, cc_x_const(g, CC_K_GOLDEN)), root = f->fn == CC_F_LUCAS ? g->one : cc_x_sqrt(g, cc_x_int(g, 5));
        value = cc_x_div(g, cc_x_exp(g, cc_x_mul(g, z, log_phi)), root);
        most = cc_x_div(g, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, z, log_phi))), root);
        break;
    }
    default: return f;
    }
    return cc_x_add(g, value, cc_x_mul(g, bound(g, t, f, REAL_BOUND), most));
}

static cc_xp squeeze(cc_alg *g, cc_xp f, const waves *t);

// f is bounded on the real axis, and its argument oscillates without settling down.
static bool stays_bounded(cc_alg *g, const waves *t, cc_xp f) {
    if (!oscillates(g, f) || !cc_x_has(f, t->x) || cc_x_is(g, f->args[0], CC_IS_REAL) != CC_TRUE) return false;
    cc_xp l = squeeze(g, f->args[0], t);
    return !l || !l->finite;
}

static cc_xp wave_node(cc_alg *g, cc_xp f, void *ctx) {
    waves *t = ctx;
    if (f->kind == CC_X_POW) return t->keep_powers ? f : vanishing_power(g, t, f);
    if (f->kind != CC_X_FUN || !(cc_x_has(f, t->x) || oscillates(g, f))) return f;
    switch (f->fn) {
    case CC_F_SIN:
    case CC_F_COS: return wave(g, t, f, f->fn == CC_F_COS);
    case CC_F_FLOOR:
    case CC_F_CEIL: return cc_x_has(f, t->x) ? step(g, t, f) : f;
    case CC_F_FRAC: return cc_x_has(f, t->x) ? cc_x_sub(g, f->args[0], step(g, t, cc_x_f1(g, CC_F_FLOOR, f->args[0]))) : f;
    case CC_F_SI:
    case CC_F_CI:
    case CC_F_FRESNELS:
    case CC_F_FRESNELC:
    case CC_F_BESSELJ:
    case CC_F_BESSELY:
    case CC_F_AIRYAI:
    case CC_F_AIRYBI:
    case CC_F_ZETA:
    case CC_F_FIBONACCI:
    case CC_F_LUCAS:
    case CC_F_ERFC: return cc_x_has(f, t->x) ? decaying(g, t, f) : f;
    case CC_F_ERF: // of modulus below 1
    case CC_F_TANH:
    case CC_F_SIGN: return stays_bounded(g, t, f) ? bound(g, t, f, REAL_BOUND) : f;
    case CC_F_ATAN: // below pi/2
        return stays_bounded(g, t, f) ? cc_x_mul(g, cc_x_mul(g, g->half, g->pi), bound(g, t, f, REAL_BOUND)) : f;
    default: return f;
    }
}

// log(b) as log|b| + I*arg(b): real and imaginary part apart.
static cc_xp log_apart(cc_alg *g, cc_xp b) {
    if (cc_x_is(g, b, CC_IS_POSITIVE) == CC_TRUE) return cc_x_log(g, b);
    if (!cc_x_is_constant(b)) return cc_x_add(g, cc_x_log(g, cc_x_neg(g, b)), cc_x_mul(g, g->i, g->pi)); // negative
    return cc_x_add(g, cc_x_log(g, cc_x_f1(g, CC_F_ABS, b)), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_ARG, b)));
}

// exp(I*u), u real and growing, as cos(u) + I*sin(u); powers with exponents that grow likewise.
static cc_xp complex_node(cc_alg *g, cc_xp f, void *ctx) {
    cc_xp x = ctx, h;
    if (!cc_x_has(f, x)) return f;
    if (cc_x_is_fun(f, CC_F_ATAN2) && cc_gruntz_sign(g, f->args[1], x) == 1) // right of the plane
        return cc_x_f1(g, CC_F_ATAN, cc_x_div(g, f->args[0], f->args[1]));
    if (f->kind == CC_X_POW && cc_x_has(f->args[1], x)) {
        cc_xp base = f->args[0]; // of a real base that changes its sign the power stays one
        if (!cc_x_is_constant(base) && cc_x_is(g, base, CC_IS_POSITIVE) != CC_TRUE && cc_x_is(g, base, CC_IS_NEGATIVE) != CC_TRUE) return f;
        h = cc_x_mul(g, f->args[1], log_apart(g, f->args[0]));
    } else if (f->kind == CC_X_FUN && f->fn == CC_F_EXP) {
        h = f->args[0];
    } else {
        bool quotient = f->kind == CC_X_FUN && (f->fn == CC_F_TAN || f->fn == CC_F_COT || f->fn == CC_F_SEC || f->fn == CC_F_CSC);
        return quotient ? cc_x_rewrite(g, f, CC_REWRITE_SINCOS) : f;
    }
    cc_xp real = g->zero, imaginary = g->zero, expanded = cc_x_expand(g, h);
    if (!expanded) return NULL;
    size_t n;
    const cc_xp *terms = cc_x_terms(&expanded, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp turned = cc_x_div(g, terms[i], g->i);
        if (cc_x_is(g, terms[i], CC_IS_REAL) == CC_TRUE)
            real = cc_x_add(g, real, terms[i]);
        else if (cc_x_is(g, turned, CC_IS_REAL) == CC_TRUE)
            imaginary = cc_x_add(g, imaginary, turned);
        else
            return f;
    }
    if (imaginary == g->zero) return f;
    cc_xp turn = cc_x_add(g, cc_x_f1(g, CC_F_COS, imaginary), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, imaginary)));
    return cc_x_mul(g, cc_x_exp(g, real), turn);
}

// ---- bounds ----

static bool is_wave(cc_xp x) { return x->kind == CC_X_SYM && x->dummy && x->name.n && x->name.p[0] == '\001'; }

// f over all values of the sine and cosine; false when it holds anything else, or has no enclosure.
static bool over_waves(cc_alg *g, acb_t out, cc_xp f) {
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, f, &n);
    acb_ptr values = _acb_vec_init((slong)n);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok && is_wave(symbols[i]);
        arb_zero_pm_one(acb_realref(values + i));
        if (ok && symbols[i]->name.p[1] == bound_name[COMPLEX_BOUND][1]) arb_zero_pm_one(acb_imagref(values + i));
    }
    const cc_xenv env = {symbols, values, n};
    ok = ok && cc_x_enclose(g, out, f, &env, 64) && acb_is_finite(out);
    _acb_vec_clear(values, (slong)n);
    return ok;
}

bool cc_oscillation_bounded(cc_alg *g, cc_xp f) {
    const cc_ps_context any = {.g = g};
    if (!cc_ps_oscillates(&any, f) || is_wave(f)) return true;
    slong e;
    if (f->kind == CC_X_ADD || f->kind == CC_X_MUL || (f->kind == CC_X_POW && cc_x_fits_si(f->args[1], &e) && e > 0)) {
        for (size_t i = 0; i < f->n; i++)
            if (!cc_oscillation_bounded(g, f->args[i])) return false;
        return true;
    }
    acb_t y;
    acb_init(y);
    bool ok = over_waves(g, y, f);
    acb_clear(y);
    return ok;
}

// Steps whose argument stays between two of them are constant.
static cc_xp step_node(cc_alg *g, cc_xp f, void *ctx) {
    (void)ctx;
    const cc_ps_context any = {.g = g};
    if (f->kind != CC_X_FUN || (f->fn != CC_F_FLOOR && f->fn != CC_F_CEIL && f->fn != CC_F_SIGN) || !cc_ps_oscillates(&any, f)) return f;
    acb_t y;
    fmpz_t n;
    acb_init(y), fmpz_init(n);
    cc_xp out = f;
    if (over_waves(g, y, f) && arb_is_zero(acb_imagref(y)) && arb_get_unique_fmpz(n, acb_realref(y))) out = cc_x_fmpz(g, n);
    acb_clear(y), fmpz_clear(n);
    return out;
}

// ---- the squeeze ----

// f with the square of each cosine as 1 - sine**2, expanded. NULL: it is no polynomial in them.
static cc_xp reduced(cc_alg *g, cc_xp f, const waves *t) {
    for (size_t w = 0; f && w < t->n; w++) {
        const cc_xp *by_c;
        slong n;
        if (!cc_x_poly_coefficients(g, cc_x_expand(g, f), t->cosine[w], 2 * MOST_POWER, &by_c, &n)) return NULL;
        cc_xp rest = cc_x_sub(g, g->one, cc_x_powi(g, t->sine[w], 2));
        f = g->zero;
        for (slong i = 0; i <= n; i++)
            f = cc_x_add(g, f, cc_x_mul(g, by_c[i], cc_x_mul(g, cc_x_powi(g, rest, i / 2), i % 2 ? t->cosine[w] : g->one)));
    }
    return cc_x_expand(g, f);
}

typedef struct terms {
    cc_xp constant, of[MOST_TERMS]; // the coefficient without any bounded factor, and the others
    size_t n;
} terms;

// Splits f by the bounded names from number i on: sines, cosines, others.
static bool split(cc_alg *g, cc_xp f, const waves *t, size_t i, bool bounded, terms *out) {
    if (i == 2 * t->n + t->n_bounded) {
        if (!bounded) {
            out->constant = f;
            return true;
        }
        if (f == g->zero) return true;
        if (out->n == MOST_TERMS) return false;
        out->of[out->n++] = f;
        return true;
    }
    cc_xp name = i < t->n ? t->sine[i] : i < 2 * t->n ? t->cosine[i - t->n] : t->bounded[i - 2 * t->n];
    const cc_xp *by;
    slong n;
    if (!cc_x_poly_coefficients(g, f, name, 2 * MOST_POWER, &by, &n)) return false;
    for (slong k = 0; k <= n; k++)
        if (!split(g, by[k], t, i + 1, bounded || k > 0, out)) return false;
    return true;
}

// Is what multiplies bounded factors small beside the constant part? With all other coefficients → 0 the limit is that of the constant one;
// an infinite one stays so when the others are together less than it.
static cc_xp squeeze(cc_alg *g, cc_xp f, const waves *t) {
    terms all = {.constant = g->zero};
    cc_xp whole = reduced(g, f, t);
    if (!whole || !split(g, whole, t, 0, false, &all)) return NULL;
    cc_xp to = cc_gruntz_limit(g, all.constant, t->x), share = g->zero;
    if (!to) return NULL;
    for (size_t i = 0; i < all.n; i++) {
        cc_xp l = cc_gruntz_limit(g, infinite(g, to) ? cc_x_div(g, all.of[i], all.constant) : all.of[i], t->x);
        if (!l || !l->finite || (!infinite(g, to) && cc_x_is_zero(g, l) != CC_TRUE)) return NULL;
        share = cc_x_add(g, share, cc_x_f1(g, CC_F_ABS, l));
    }
    if (infinite(g, to) && all.n && cc_x_is(g, cc_x_sub(g, g->one, share), CC_IS_POSITIVE) != CC_TRUE) return NULL;
    return to;
}

// |f| → oo: |f|**2 → oo.
static bool infinite_size(cc_alg *g, cc_xp f, const waves *t) {
    cc_xp square = cc_x_expand(g, cc_x_mul(g, f, cc_x_f1(g, CC_F_CONJUGATE, f)));
    return square && !cc_x_has_fn(square, CC_F_CONJUGATE) && squeeze(g, square, t) == g->oo;
}

// ---- no limit ----

static const struct {
    int sp, sq, cp, cq;
} circle[] = {{0, 1, 1, 1}, {1, 1, 0, 1}, {-1, 1, 0, 1}, {0, 1, -1, 1}, {3, 5, 4, 5}, {-3, 5, 4, 5}, {4, 5, -3, 5}};

// f along the sequence number i on which the one sine and cosine, or the one fractional part, are constant. NULL: no more.
static cc_xp along(cc_alg *g, cc_xp f, const waves *t, size_t i) {
    if (t->n == 0 && t->n_bounded == 1 && t->fraction == t->bounded[0])
        return i < 3 ? cc_x_subs(g, f, t->fraction, cc_x_frac(g, (slong)i, 3)) : NULL;
    if (t->n != 1 || t->n_bounded || i >= CC_ARRAY_LEN(circle)) return NULL;
    cc_xp with[] = {cc_x_frac(g, circle[i].sp, circle[i].sq), cc_x_frac(g, circle[i].cp, circle[i].cq)};
    cc_xp what[] = {t->sine[0], t->cosine[0]};
    return cc_x_subs_many(g, f, what, with, 2);
}

// f has a pole whenever the sine and cosine are at this point of the circle: its denominator vanishes there and its numerator does not.
static bool pole_again_and_again(cc_alg *g, cc_xp num, cc_xp den, const waves *t, size_t i) {
    terms parts = {0};
    cc_xp n = reduced(g, num, t), d = reduced(g, den, t);
    if (!n || !d || !split(g, n, t, 0, false, &parts) || !split(g, d, t, 0, false, &parts)) return false; // polynomials: no other poles
    n = along(g, n, t, i), d = along(g, d, t, i);
    if (!n || !d || cc_x_is_zero(g, d) != CC_TRUE) return false;
    int sign = cc_x_has(n, t->x) ? cc_gruntz_sign(g, n, t->x) : cc_x_sign(g, n);
    return sign == 1 || sign == -1;
}

static bool no_limit(cc_alg *g, cc_xp f, const waves *t) {
    cc_xp first = NULL, finite = NULL, num, den, at;
    bool pole = false;
    cc_x_fraction(g, cc_x_together(g, f), &num, &den);
    for (size_t i = 0; (at = along(g, f, t, i)) && cc_alg_may_search(g); i++) {
        pole = pole || (t->n == 1 && pole_again_and_again(g, num, den, t, i));
        cc_xp l = at->finite ? cc_gruntz_limit(g, at, t->x) : NULL;
        if (!l) continue;
        if (l->finite) finite = l;
        if (!first) first = l;
        if (l == first) continue;
        if (!l->finite && !first->finite) { // of different signs: different limits of a real function only
            if (infinite(g, l) && infinite(g, first) && cc_x_is(g, f, CC_IS_REAL) == CC_TRUE) return true;
        } else if (!l->finite || !first->finite || cc_x_is_zero(g, cc_x_sub(g, l, first)) == CC_FALSE) {
            return true;
        }
    }
    return pole && finite;
}

// b**e → oo with b > 0 oscillating: 1/f → 0.
static cc_xp infinite_power(cc_alg *g, cc_xp f, cc_xp x) {
    waves t = {.x = x}, base = {.x = x};
    if (f->kind != CC_X_POW || squeeze(g, cc_x_map(g, cc_x_div(g, g->one, f), wave_node, &t), &t) != g->zero || t.failed) return NULL;
    cc_xp b = cc_x_map(g, f->args[0], wave_node, &base);
    acb_t y;
    acb_init(y);
    bool positive = b && !base.failed && over_waves(g, y, b) && arb_is_zero(acb_imagref(y)) && arb_is_positive(acb_realref(y));
    acb_clear(y);
    return positive ? g->oo : NULL;
}

// f, whose factors that are sums, or powers of sums, are replaced by the part without bounded factors where everything else is small beside
// it: the quotient of both tends to 1. NULL: there is no such factor.
static cc_xp dominated(cc_alg *g, cc_xp f, const waves *t) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    cc_xp out = g->one;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e, with = factors[i];
        cc_x_split_power(g, with, &base, &e);
        terms all = {.constant = g->zero};
        cc_xp whole = base->kind == CC_X_ADD && cc_x_is_constant(e) ? reduced(g, base, t) : NULL;
        bool small = whole && oscillates(g, whole) && split(g, whole, t, 0, false, &all) && all.constant != g->zero;
        for (size_t k = 0; small && k < all.n; k++) small = cc_gruntz_limit(g, cc_x_div(g, all.of[k], all.constant), t->x) == g->zero;
        if (small) with = cc_x_pow(g, all.constant, e);
        any = any || small;
        out = cc_x_mul(g, out, with);
    }
    return any ? out : NULL;
}

// f with names for what is bounded. False: it holds nothing of the kind, or too much.
static bool flatten(cc_alg *g, cc_xp f, waves *t, cc_xp *out) {
    arguments a = {.x = t->x, .divisor = 1};
    if (!cc_x_map(g, f, divisor_node, &a)) return false;
    if (a.first && a.divisor > 1) {
        t->argument[0] = cc_x_div(g, a.first, cc_x_int(g, (slong)a.divisor));
        t->sine[0] = new_bound(g, SINE), t->cosine[0] = new_bound(g, COSINE), t->n = 1;
    }
    *out = cc_x_map(g, cc_x_map(g, f, wave_node, t), step_node, NULL);
    return *out && !t->failed && t->n + t->n_bounded > 0;
}

cc_xp cc_oscillating_limit(cc_alg *g, cc_xp f, cc_xp x, bool *none) {
    *none = false;
    if (!f) return NULL;
    f = cc_tail_undo(g, cc_gruntz_tractable(g, f, x));
    f = cc_x_map(g, f, complex_node, (void *)(uintptr_t)x);
    waves t = {.x = x}, kept = {.x = x, .keep_powers = true};
    cc_xp flat, out;
    if (!flatten(g, f, &t, &flat)) return NULL;
    out = squeeze(g, flat, &t);
    if (out || g->err->code) return out;
    cc_xp simpler = dominated(g, flat, &t);
    if (simpler) out = oscillates(g, simpler) ? squeeze(g, simpler, &t) : cc_gruntz_limit(g, simpler, x);
    if (out || g->err->code) return out;
    if (cc_x_is(g, flat, CC_IS_REAL) != CC_TRUE && infinite_size(g, flat, &t)) return g->zoo;
    out = cc_gruntz_limit(g, flat, x); // power.c takes no root, logarithm or quotient of what holds the sine or cosine
    if (out && !oscillates(g, out)) return out;
    *none = !g->err->code && flatten(g, f, &kept, &flat) && no_limit(g, flat, &kept);
    return *none || g->err->code ? NULL : infinite_power(g, f, x);
}
