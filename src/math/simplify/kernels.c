// Functions in rational functions of generators: multiples of one angle, exponentials, gammas that differ by integers, logarithms of
// products, and everything else as a generator of its own. Called by convert.c in both passes. It uses only identities that hold wherever
// both sides are defined, for principal values.
#include "math/factor_integer.h"
#include "math/simplify/ratio.h"

#define MAX_MULTIPLE 60 // of an angle
#define MAX_SHIFT    300
#define MAX_DEPTH    60

cc_xp cc_ratio_argument(cc_builder *b, cc_xp x) {
    if (!(b->form & CC_FORM_ARGS)) return x;
    cc_xp normal = cc_ratio_form(b->g, x, b->form);
    return normal ? normal : x;
}

static void convert_half_pi_minus(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x) {
    cc_ratio_convert(b, out, cc_x_sub(b->g, cc_x_div(b->g, cc_x_const(b->g, CC_K_PI), cc_x_int(b->g, 2)), x));
}

// ---- angles as multiples of one: generators cos, sin (or tan alone) ----

// (c, s) becomes the cosine and sine of k times the angle; sign = -1 for circular functions, 1 for hyperbolic ones. `first` and `second`
// are the cosine and sine of the angle itself, or 1 and the tangent.
static void multiply_angle(cc_builder *b, fmpz_mpoly_q_t c, fmpz_mpoly_q_t s, const fmpz_mpoly_q_t first, const fmpz_mpoly_q_t second,
                           slong k, int sign) {
    fmpz_mpoly_q_t t, u;
    fmpz_mpoly_q_init(t, b->ctx);
    fmpz_mpoly_q_init(u, b->ctx);
    fmpz_mpoly_q_one(c, b->ctx);
    fmpz_mpoly_q_zero(s, b->ctx);
    for (slong i = 0; i < (k < 0 ? -k : k) && !b->failed; i++) {
        cc_ratio_mul(b, t, s, second);
        if (sign < 0) fmpz_mpoly_q_neg(t, t, b->ctx);
        cc_ratio_mul(b, u, c, first);
        cc_ratio_add(b, t, t, u); // the new cosine
        cc_ratio_mul(b, u, c, second);
        cc_ratio_mul(b, s, s, first);
        cc_ratio_add(b, s, s, u);
        fmpz_mpoly_q_swap(c, t, b->ctx);
    }
    if (k < 0) fmpz_mpoly_q_neg(s, s, b->ctx);
    fmpz_mpoly_q_clear(t, b->ctx);
    fmpz_mpoly_q_clear(u, b->ctx);
}

static void divide(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_mpoly_q_t x, const fmpz_mpoly_q_t y) {
    fmpz minus = -1;
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, b->ctx);
    cc_ratio_pow(b, t, y, &minus);
    cc_ratio_mul(b, out, x, t);
    fmpz_mpoly_q_clear(t, b->ctx);
}

// From the cosine and sine of an angle to one of the six functions; which = SIN … CSC.
static void choose(cc_builder *b, fmpz_mpoly_q_t out, cc_xfn which, const fmpz_mpoly_q_t c, const fmpz_mpoly_q_t s) {
    if (b->scanning) return;
    fmpz_mpoly_q_t one;
    fmpz_mpoly_q_init(one, b->ctx);
    fmpz_mpoly_q_one(one, b->ctx);
    switch (which) {
    case CC_F_SIN: fmpz_mpoly_q_set(out, s, b->ctx); break;
    case CC_F_COS: fmpz_mpoly_q_set(out, c, b->ctx); break;
    case CC_F_TAN: divide(b, out, s, c); break;
    case CC_F_COT: divide(b, out, c, s); break;
    case CC_F_SEC: divide(b, out, one, c); break;
    default: divide(b, out, one, s);
    }
    fmpz_mpoly_q_clear(one, b->ctx);
}

static void multiple_angle(cc_builder *b, fmpz_mpoly_q_t out, cc_xfn which, cc_xp arg, bool hyper) {
    fmpq_t m;
    fmpq_init(m);
    cc_xp rest;
    cc_ratio_content(b->g, arg, m, &rest);
    cc_atom *a = cc_ratio_atom(b, hyper ? CC_ATOM_HYPER : CC_ATOM_TRIG, rest, NULL);
    if (a && b->scanning) {
        fmpq_gcd(a->step, a->step, m);
        a->sine |= which != CC_F_TAN && which != CC_F_COT;
    } else if (a) {
        fmpq_div(m, m, a->step);
        if (!fmpz_is_one(fmpq_denref(m)) || fmpz_cmpabs(fmpq_numref(m), (fmpz[]){MAX_MULTIPLE}) > 0) b->failed = true;
        fmpz_mpoly_q_t first, second, c, s;
        fmpz_mpoly_q_init(first, b->ctx);
        fmpz_mpoly_q_init(second, b->ctx);
        fmpz_mpoly_q_init(c, b->ctx);
        fmpz_mpoly_q_init(s, b->ctx);
        if (a->sine)
            fmpz_mpoly_q_gen(first, a->gen, b->ctx);
        else
            fmpz_mpoly_q_one(first, b->ctx);
        fmpz_mpoly_q_gen(second, a->gen + (a->sine ? 1 : 0), b->ctx);
        if (!b->failed) multiply_angle(b, c, s, first, second, fmpz_get_si(fmpq_numref(m)), hyper ? 1 : -1);
        choose(b, out, which, c, s);
        fmpz_mpoly_q_clear(first, b->ctx);
        fmpz_mpoly_q_clear(second, b->ctx);
        fmpz_mpoly_q_clear(c, b->ctx);
        fmpz_mpoly_q_clear(s, b->ctx);
    }
    fmpq_clear(m);
}

// ---- by exponentials: w = exp(I*a) or exp(a) ----

static void by_exponential(cc_builder *b, fmpz_mpoly_q_t out, cc_xfn which, cc_xp arg, bool hyper) {
    fmpz_mpoly_q_t w, inverse, c, s;
    fmpz_mpoly_q_init(w, b->ctx);
    fmpz_mpoly_q_init(inverse, b->ctx);
    fmpz_mpoly_q_init(c, b->ctx);
    fmpz_mpoly_q_init(s, b->ctx);
    fmpz_mpoly_q_one(w, b->ctx);
    cc_xp i = cc_x_const(b->g, CC_K_I);
    cc_ratio_times_general(b, w, cc_x_const(b->g, CC_K_E), hyper ? NULL : i, arg);
    if (!hyper) {
        cc_ratio_convert(b, s, i);
    } else {
        fmpz_mpoly_q_one(s, b->ctx);
    }
    if (!b->scanning && !b->failed) {
        fmpz minus = -1;
        fmpq_t half;
        *fmpq_numref(half) = 1;
        *fmpq_denref(half) = 2;
        cc_ratio_pow(b, inverse, w, &minus);
        cc_ratio_add(b, c, w, inverse);
        fmpz_mpoly_q_neg(inverse, inverse, b->ctx);
        cc_ratio_add(b, inverse, w, inverse);
        divide(b, s, inverse, s); // s was I or 1
        fmpz_mpoly_q_mul_fmpq(c, c, half, b->ctx);
        fmpz_mpoly_q_mul_fmpq(s, s, half, b->ctx);
        choose(b, out, which, c, s);
    }
    fmpz_mpoly_q_clear(w, b->ctx);
    fmpz_mpoly_q_clear(inverse, b->ctx);
    fmpz_mpoly_q_clear(c, b->ctx);
    fmpz_mpoly_q_clear(s, b->ctx);
}

static void convert_angle(cc_builder *b, fmpz_mpoly_q_t out, cc_xfn which, cc_xp arg, bool hyper) {
    if (b->form & CC_FORM_EXP)
        by_exponential(b, out, which, arg, hyper);
    else
        multiple_angle(b, out, which, arg, hyper);
}

// asinh(u) = log(u + sqrt(u**2 + 1)), acosh(u) = log(u + sqrt(u - 1)*sqrt(u + 1)), atanh(u) = (log(1 + u) - log(1 - u))/2,
// I*asin(u) = log(I*u + sqrt(1 - u**2)), I*atan(u) = (log(1 + I*u) - log(1 - I*u))/2: the definitions of the principal values.
bool cc_ratio_times_inverse(cc_builder *b, fmpz_mpoly_q_t out, const fmpq_t c, cc_xp mono) {
    if (!(b->form & CC_FORM_EXP)) return false;
    cc_alg *g = b->g;
    size_t n;
    const cc_xp *f = cc_x_factors(&mono, &n);
    if (n > 2 || f[n - 1]->kind != CC_X_FUN) {
        if (n != 2 || f[0]->kind != CC_X_FUN) return false;
    }
    cc_xp fun = f[n - 1]->kind == CC_X_FUN ? f[n - 1] : f[0], other = n == 2 ? (fun == f[0] ? f[1] : f[0]) : NULL;
    bool i = other && cc_x_is_const(other, CC_K_I);
    if (other && !i) return false;
    cc_xp u = fun->args[0], one = cc_x_int(g, 1), iu = cc_x_mul(g, cc_x_const(g, CC_K_I), u), square = cc_x_powi(g, u, 2), inner = NULL;
    cc_xp over = NULL;
    switch ((cc_xfn)fun->fn) {
    case CC_F_ASINH:
        if (!i) inner = cc_x_add(g, u, cc_x_sqrt(g, cc_x_add(g, square, one)));
        break;
    case CC_F_ACOSH:
        if (!i) inner = cc_x_add(g, u, cc_x_mul(g, cc_x_sqrt(g, cc_x_sub(g, u, one)), cc_x_sqrt(g, cc_x_add(g, u, one))));
        break;
    case CC_F_ASIN:
        if (i) inner = cc_x_add(g, iu, cc_x_sqrt(g, cc_x_sub(g, one, square)));
        break;
    case CC_F_ATANH:
        if (!i) inner = cc_x_add(g, one, u), over = cc_x_sub(g, one, u);
        break;
    case CC_F_ATAN:
        if (i) inner = cc_x_add(g, one, iu), over = cc_x_sub(g, one, iu);
        break;
    default: return false;
    }
    if (!inner) return false;
    if (!over) {
        cc_ratio_times_power(b, out, inner, c, NULL);
        return true;
    }
    fmpq_t half;
    fmpq_init(half);
    fmpq_div_2exp(half, c, 1);
    cc_ratio_times_power(b, out, inner, half, NULL);
    fmpq_neg(half, half);
    cc_ratio_times_power(b, out, over, half, NULL);
    fmpq_clear(half);
    return true;
}

// sqrt(p - s**2) = sqrt(r - s)*sqrt(r + s) for r = sqrt(p) > 0: the imaginary parts of r - s and r + s are opposite, and both are not
// negative at once. For other exponents likewise, since the arguments add up within (-pi, pi).
bool cc_ratio_times_split(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, const fmpq_t multiple, cc_xp mono) {
    cc_alg *g = b->g;
    if (!(b->form & CC_FORM_EXP) || base->kind != CC_X_ADD || base->n != 2 || !cc_x_is_num(base->args[0]) ||
        cc_x_num_sign(base->args[0]) <= 0)
        return false;
    cc_xp k, square;
    cc_x_split_coefficient(g, base->args[1], &k, &square);
    if (!square || !cc_x_is_num(k)) return false;
    fmpq_t ratio;
    fmpq_init(ratio);
    fmpq_div(ratio, k->num, base->args[0]->num);
    bool plus = fmpq_sgn(ratio) > 0;
    fmpq_abs(ratio, ratio);
    bool rational = fmpz_is_square(fmpq_numref(ratio)) && fmpz_is_square(fmpq_denref(ratio));
    if (rational) {
        fmpz_sqrt(fmpq_numref(ratio), fmpq_numref(ratio));
        fmpz_sqrt(fmpq_denref(ratio), fmpq_denref(ratio));
    }
    cc_xp root = rational ? cc_x_num(g, ratio) : NULL;
    fmpq_clear(ratio);
    size_t n;
    const cc_xp *f = cc_x_factors(&square, &n);
    for (size_t i = 0; root && i < n; i++) {
        cc_xp p, e, c, rest;
        cc_x_split_power(g, f[i], &p, &e);
        cc_x_split_coefficient(g, e, &c, &rest);
        if (!cc_x_is_int(c) || fmpz_is_odd(fmpq_numref(c->num)) || (!cc_x_is_num(rest) && !cc_x_is_const(p, CC_K_E))) return false;
        root = cc_x_mul(g, root, cc_x_pow(g, p, cc_x_div(g, e, cc_x_int(g, 2))));
    }
    if (!root) return false;
    if (plus) root = cc_x_mul(g, root, cc_x_const(g, CC_K_I));
    cc_xp one = cc_x_int(g, 1);
    cc_ratio_times_power(b, out, base->args[0], multiple, mono);
    cc_ratio_times_power(b, out, cc_x_add(g, one, root), multiple, mono);
    cc_ratio_times_power(b, out, cc_x_sub(g, one, root), multiple, mono);
    return true;
}

// ---- gammas ----

// out *= gamma(x) ** sign
static void times_gamma(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x, int sign, bool factorial) {
    cc_alg *g = b->g;
    x = cc_ratio_argument(b, x);
    cc_xp number = cc_x_int(g, 0), rest = x;
    if (cc_x_is_num(x)) {
        number = x;
        rest = cc_x_int(g, 0);
    } else if (cc_x_is_kind(x, CC_X_ADD) && cc_x_is_num(x->args[0])) {
        number = x->args[0];
        rest = cc_x_sub(g, x, number);
    }
    if (!rest || !number) {
        b->failed = true;
        return;
    }
    fmpz_t whole;
    fmpz_init(whole);
    fmpz_fdiv_q(whole, fmpq_numref(number->num), fmpq_denref(number->num));
    slong n = fmpz_fits_si(whole) ? fmpz_get_si(whole) : 0;
    if (!fmpz_fits_si(whole) || n > 100000 || n < -100000) b->failed = true;
    cc_xp base = cc_x_add(g, rest, cc_x_sub(g, number, cc_x_fmpz(g, whole)));
    fmpz_clear(whole);
    if (cc_x_is_num(base) && cc_x_num_sign(base) == 0) { // of an integer: a number
        fmpz power = sign;
        fmpz_mpoly_q_t value;
        fmpz_mpoly_q_init(value, b->ctx);
        cc_xp v = n > 0 ? cc_x_f1(g, CC_F_GAMMA, x) : NULL;
        if (cc_x_is_num(v))
            cc_ratio_convert(b, value, v);
        else
            b->failed = true;
        cc_ratio_pow(b, value, value, &power);
        cc_ratio_mul(b, out, out, value);
        fmpz_mpoly_q_clear(value, b->ctx);
        return;
    }
    cc_atom *a = b->failed ? NULL : cc_ratio_atom(b, CC_ATOM_GAMMA, base, NULL);
    if (!a) return;
    if (b->scanning) {
        if (!a->seen || n < a->low) a->low = n;
        a->seen = true;
        a->other |= !factorial;
        fmpz_mpoly_q_t t;
        fmpz_mpoly_q_init(t, b->ctx);
        cc_ratio_convert(b, t, base);
        fmpz_mpoly_q_clear(t, b->ctx);
        return;
    }
    if (n - a->low > MAX_SHIFT) b->failed = true;
    fmpz_mpoly_q_t t, factor;
    fmpz_mpoly_q_init(t, b->ctx);
    fmpz_mpoly_q_init(factor, b->ctx);
    fmpz_mpoly_q_gen(t, a->gen, b->ctx);
    cc_ratio_convert(b, factor, base);
    fmpz_mpoly_q_add_si(factor, factor, a->low, b->ctx);
    for (slong i = a->low; i < n && !b->failed; i++) {
        cc_ratio_mul(b, t, t, factor);
        fmpz_mpoly_q_add_si(factor, factor, 1, b->ctx);
    }
    fmpz power = sign;
    cc_ratio_pow(b, t, t, &power);
    cc_ratio_mul(b, out, out, t);
    fmpz_mpoly_q_clear(t, b->ctx);
    fmpz_mpoly_q_clear(factor, b->ctx);
}

// ---- logarithms ----

static void add_scaled_log(cc_builder *b, fmpz_mpoly_q_t out, cc_xp log, const fmpq_t times) {
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, b->ctx);
    cc_ratio_convert(b, t, log);
    if (!b->scanning && !b->failed) fmpz_mpoly_q_mul_fmpq(t, t, times, b->ctx);
    cc_ratio_add(b, out, out, t);
    fmpz_mpoly_q_clear(t, b->ctx);
}

// out += sign * log(p) by its prime factors (or, past what is factored, the factors that are found). False when p is its only factor.
static bool add_log_integer(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_t p, slong sign) {
    fmpz_factor_t f;
    fmpz_factor_init(f);
    if (fmpz_bits(p) > 128)
        fmpz_factor_trial_range(f, p, 0, 10000);
    else if (cc_factor(f, p, b->g->stop) != CC_FACTORED)
        b->failed = true;
    bool whole = f->num == 1 && f->exp[0] == 1;
    fmpq_t e;
    fmpq_init(e);
    for (slong i = 0; i < f->num && !(whole && sign > 0); i++) {
        fmpq_set_si(e, sign * (slong)f->exp[i], 1);
        add_scaled_log(b, out, cc_x_log(b->g, cc_x_fmpz(b->g, f->p + i)), e);
    }
    fmpq_clear(e);
    fmpz_factor_clear(f);
    return !(whole && sign > 0);
}

// log(p*u) = log(p) + log(u) for p > 0; log(p**r) = r*log(p) for p > 0 and real r. False when log(x) is not a sum by these rules.
static bool convert_log(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x) {
    cc_alg *g = b->g;
    fmpq_t c, once;
    *fmpq_numref(once) = 1;
    *fmpq_denref(once) = 1;
    cc_xp rest;
    if (cc_x_is_int(x) && cc_x_num_sign(x) > 0) {
        fmpz_mpoly_q_zero(out, b->ctx);
        return add_log_integer(b, out, fmpq_numref(x->num), 1);
    }
    fmpq_init(c);
    cc_ratio_content(g, x, c, &rest);
    if (fmpq_sgn(c) < 0) {
        fmpq_neg(c, c);
        rest = cc_x_neg(g, rest);
    }
    bool changed = !fmpq_is_one(c);
    size_t n, kept = 0;
    const cc_xp *f = cc_x_factors(&rest, &n);
    cc_xp *left = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    fmpz_mpoly_q_zero(out, b->ctx);
    if (changed) {
        if (!fmpz_is_one(fmpq_numref(c))) add_scaled_log(b, out, cc_x_log(g, cc_x_fmpz(g, fmpq_numref(c))), once);
        if (!fmpz_is_one(fmpq_denref(c))) add_log_integer(b, out, fmpq_denref(c), -1);
    }
    fmpq_clear(c);
    for (size_t i = 0; i < n && !b->failed; i++) {
        cc_xp p, e;
        cc_x_split_power(g, f[i], &p, &e);
        bool real_power = f[i] != p && cc_x_is(g, p, CC_IS_POSITIVE) == CC_TRUE && cc_x_is(g, e, CC_IS_REAL) == CC_TRUE;
        if (cc_x_is_num(f[i]) || (!real_power && (n == 1 || cc_x_is(g, f[i], CC_IS_POSITIVE) != CC_TRUE))) {
            left[kept++] = f[i];
            continue;
        }
        changed = true;
        add_scaled_log(b, out, real_power ? cc_x_mul(g, e, cc_x_log(g, p)) : cc_x_log(g, f[i]), once);
    }
    if (!changed) return false;
    rest = cc_x_muln(g, left, kept);
    if (!(cc_x_is_num(rest) && fmpq_is_one(rest->num))) add_scaled_log(b, out, cc_x_log(g, rest), once);
    return true;
}

// ---- everything ----

static bool binds(cc_xfn fn) {
    switch (fn) {
    case CC_F_PIECEWISE:
    case CC_F_INTEGRAL:
    case CC_F_SUM:
    case CC_F_PRODUCT:
    case CC_F_LIMIT:
    case CC_F_DERIVATIVE:
    case CC_F_SUBS:
    case CC_F_CROOTOF:
    case CC_F_INTERVAL: return true;
    default: return false;
    }
}

// True for functions that the form takes apart.
static bool apart(const cc_builder *b, cc_xfn fn) {
    if (fn == CC_F_EXP) return true;
    if ((fn >= CC_F_SIN && fn <= CC_F_CSC) || (fn >= CC_F_SINH && fn <= CC_F_CSCH)) return !(b->form & CC_FORM_KEEP);
    if (fn == CC_F_GAMMA || fn == CC_F_FACTORIAL || fn == CC_F_BINOMIAL || fn == CC_F_RISING || fn == CC_F_FALLING)
        return (b->form & CC_FORM_GAMMA) != 0;
    if (fn == CC_F_LOG) return (b->form & CC_FORM_LOG) != 0;
    return (b->form & CC_FORM_EXP) && (fn == CC_F_ACOS || fn == CC_F_ASEC || fn == CC_F_ACSC || fn == CC_F_ACOTH || fn == CC_F_ASECH ||
                                       fn == CC_F_ACSCH || fn == CC_F_SINC || fn == CC_F_ERFC);
}

cc_xp cc_ratio_opaque(cc_builder *b, cc_xp x) {
    if (apart(b, (cc_xfn)x->fn) || x->fn == CC_F_ORDER) return NULL;
    if (!(b->form & CC_FORM_ARGS) || binds((cc_xfn)x->fn)) return x;
    cc_xp *args = CC_ARENA_ARRAY(b->g->arena, cc_xp, x->n);
    bool same = true;
    for (uint32_t i = 0; i < x->n; i++) {
        args[i] = cc_ratio_argument(b, x->args[i]);
        same &= args[i] == x->args[i];
    }
    if (same) return x;
    cc_xp y = cc_x_rebuild(b->g, x, args);
    return y && y->kind == CC_X_FUN && y->fn == x->fn ? y : NULL;
}

static void convert_fun(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x) {
    cc_alg *g = b->g;
    cc_xp a = x->args[0], one = cc_x_int(g, 1);
    fmpq_t once;
    *fmpq_numref(once) = 1;
    *fmpq_denref(once) = 1;
    cc_xfn fn = (cc_xfn)x->fn;
    if (fn == CC_F_ORDER) {
        b->failed = true;
        return;
    }
    if (fn == CC_F_EXP) {
        cc_ratio_times_general(b, out, cc_x_const(g, CC_K_E), NULL, a);
        return;
    }
    if (!apart(b, fn)) {
        cc_xp kept = cc_ratio_opaque(b, x);
        if (kept) {
            cc_ratio_times_power(b, out, kept, once, NULL);
            return;
        }
        cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
        for (uint32_t i = 0; i < x->n; i++) args[i] = cc_ratio_argument(b, x->args[i]);
        cc_ratio_convert(b, out, cc_x_rebuild(g, x, args));
        return;
    }
    if (fn >= CC_F_SIN && fn <= CC_F_CSC) {
        convert_angle(b, out, fn, a, false);
        return;
    }
    if (fn >= CC_F_SINH && fn <= CC_F_CSCH) {
        static const cc_xfn circular[] = {CC_F_SIN, CC_F_COS, CC_F_TAN, CC_F_COT, CC_F_SEC, CC_F_CSC};
        convert_angle(b, out, circular[fn - CC_F_SINH], a, true);
        return;
    }
    switch (fn) {
    case CC_F_ACOS: convert_half_pi_minus(b, out, cc_x_f1(g, CC_F_ASIN, a)); break;
    case CC_F_ASEC: convert_half_pi_minus(b, out, cc_x_f1(g, CC_F_ASIN, cc_x_div(g, one, a))); break;
    case CC_F_ACSC: cc_ratio_convert(b, out, cc_x_f1(g, CC_F_ASIN, cc_x_div(g, one, a))); break;
    case CC_F_ACOTH: cc_ratio_convert(b, out, cc_x_f1(g, CC_F_ATANH, cc_x_div(g, one, a))); break;
    case CC_F_ASECH: cc_ratio_convert(b, out, cc_x_f1(g, CC_F_ACOSH, cc_x_div(g, one, a))); break;
    case CC_F_ACSCH: cc_ratio_convert(b, out, cc_x_f1(g, CC_F_ASINH, cc_x_div(g, one, a))); break;
    case CC_F_ERFC: cc_ratio_convert(b, out, cc_x_sub(g, one, cc_x_f1(g, CC_F_ERF, a))); break;
    case CC_F_SINC: cc_ratio_convert(b, out, cc_x_div(g, cc_x_f1(g, CC_F_SIN, a), a)); break;
    case CC_F_GAMMA: times_gamma(b, out, a, 1, false); break;
    case CC_F_FACTORIAL: times_gamma(b, out, cc_x_add(g, a, one), 1, true); break;
    case CC_F_BINOMIAL:
        times_gamma(b, out, cc_x_add(g, a, one), 1, true);
        times_gamma(b, out, cc_x_add(g, x->args[1], one), -1, true);
        times_gamma(b, out, cc_x_add(g, cc_x_sub(g, a, x->args[1]), one), -1, true);
        break;
    case CC_F_RISING:
        times_gamma(b, out, cc_x_add(g, a, x->args[1]), 1, false);
        times_gamma(b, out, a, -1, false);
        break;
    case CC_F_FALLING:
        times_gamma(b, out, cc_x_add(g, a, one), 1, false);
        times_gamma(b, out, cc_x_add(g, cc_x_sub(g, a, x->args[1]), one), -1, false);
        break;
    default: { // CC_F_LOG
        cc_xp u = cc_ratio_argument(b, a);
        if (!u || convert_log(b, out, u)) break;
        fmpz_mpoly_q_one(out, b->ctx);
        cc_xp log = u == a ? x : cc_x_log(g, u);
        if (cc_x_is_fun(log, CC_F_LOG)) {
            cc_ratio_times_atom(b, out, CC_ATOM_POWER, log, once, NULL);
        } else {
            cc_ratio_convert(b, out, log);
        }
    }
    }
}

void cc_ratio_function(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x) {
    if (++b->depth > MAX_DEPTH)
        b->failed = true;
    else
        convert_fun(b, out, x);
    b->depth--;
}
