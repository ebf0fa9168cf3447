// Expressions to rational functions of generators: numbers, sums, products, powers. Called by cc_ratio_make (ratio.c), twice for an
// expression: to gather the atoms, then to compute. What functions are made of is in kernels.c. Rules for powers hold for principal values:
//   b**(k*w) = (b**w)**k for integers k;  b**(u+v) = b**u * b**v;  (p*u)**w = p**w * u**w for p > 0.
#include "math/factor_integer.h"
#include "math/simplify/ratio.h"

#define MAX_STEPS   4000 // of an exponent over the generator's
#define TRIAL_LIMIT 100000

cc_atom *cc_ratio_atom(cc_builder *b, cc_atom_kind kind, cc_xp base, cc_xp mono) {
    for (size_t i = 0; i < b->n_atoms; i++)
        if (b->atoms[i].kind == kind && b->atoms[i].base == base && b->atoms[i].mono == mono) return &b->atoms[i];
    if (!b->scanning || b->n_atoms == CC_RATIO_MAX_ATOMS || !base) {
        b->failed = true;
        return NULL;
    }
    cc_atom *a = &b->atoms[b->n_atoms++];
    *a = (cc_atom){.kind = kind, .base = base, .mono = mono};
    fmpq_init(a->step);
    return a;
}

void cc_ratio_gen_power(cc_builder *b, fmpz_mpoly_q_t out, slong gen, const fmpz_t n) {
    if (b->scanning || b->failed) return;
    if (!fmpz_fits_si(n) || fmpz_cmpabs(n, (fmpz[]){MAX_STEPS * 1000}) > 0) {
        b->failed = true;
        return;
    }
    fmpz_mpoly_q_gen(out, gen, b->ctx);
    slong k = fmpz_get_si(n);
    fmpz_mpoly_t *num = (fmpz_mpoly_t *)fmpz_mpoly_q_numref(out);
    if (!fmpz_mpoly_pow_ui(*num, *num, (ulong)(k < 0 ? -k : k), b->ctx)) b->failed = true;
    if (k < 0) fmpz_mpoly_swap(fmpz_mpoly_q_numref(out), fmpz_mpoly_q_denref(out), b->ctx);
    cc_ratio_reduce(b, out);
}

static void times_gen(cc_builder *b, fmpz_mpoly_q_t out, slong gen, const fmpq_t multiple, const fmpq_t step) {
    if (b->scanning || b->failed) return;
    fmpq_t n;
    fmpq_init(n);
    fmpq_div(n, multiple, step);
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, b->ctx);
    if (fmpz_is_one(fmpq_denref(n)))
        cc_ratio_gen_power(b, t, gen, fmpq_numref(n));
    else
        b->failed = true;
    cc_ratio_mul(b, out, out, t);
    fmpz_mpoly_q_clear(t, b->ctx);
    fmpq_clear(n);
}

static void times_converted(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, const fmpz_t n) {
    fmpz_mpoly_q_t t;
    fmpz_mpoly_q_init(t, b->ctx);
    cc_ratio_convert(b, t, base);
    cc_ratio_pow(b, t, t, n);
    cc_ratio_mul(b, out, out, t);
    fmpz_mpoly_q_clear(t, b->ctx);
}

// ---- content ----

// Greatest common divisor of the coefficients of a sum, with the sign of its first term.
void cc_ratio_content(cc_alg *g, cc_xp x, fmpq_t c, cc_xp *rest) {
    fmpq_one(c);
    *rest = x;
    if (!x) return;
    cc_xp k;
    if (x->kind != CC_X_ADD) {
        cc_x_split_coefficient(g, x, &k, rest);
        if (!cc_x_is_num(k) || !*rest) return;
        fmpq_set(c, k->num);
        if (fmpq_is_zero(c)) return;
        // coefficient * sum: the sum may have content as well
        if (*rest != x && (*rest)->kind == CC_X_ADD) {
            fmpq_t inner;
            fmpq_init(inner);
            cc_ratio_content(g, *rest, inner, rest);
            fmpq_mul(c, c, inner);
            fmpq_clear(inner);
        }
        return;
    }
    fmpq_zero(c);
    bool negative = false;
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        cc_x_split_coefficient(g, x->args[i], &k, &terms[i]);
        if (!cc_x_is_num(k)) {
            fmpq_one(c);
            return;
        }
        // the sign is that of the first term that is no number
        if (i == 0 || (i == 1 && cc_x_is_num(x->args[0]))) negative = fmpq_sgn(k->num) < 0;
        fmpq_gcd(c, c, k->num);
    }
    if (negative) fmpq_neg(c, c);
    if (fmpq_is_one(c) || fmpq_is_zero(c)) {
        fmpq_one(c);
        return;
    }
    fmpq_t inverse;
    fmpq_init(inverse);
    fmpq_inv(inverse, c);
    cc_xp factor = cc_x_num(g, inverse);
    fmpq_clear(inverse);
    for (uint32_t i = 0; i < x->n; i++) terms[i] = cc_x_mul(g, x->args[i], factor);
    *rest = cc_x_addn(g, terms, x->n);
}

// ---- powers ----

cc_xp cc_ratio_real_abs(cc_alg *g, cc_xp x) {
    return cc_x_is_fun(x, CC_F_ABS) && cc_x_is(g, x->args[0], CC_IS_REAL) == CC_TRUE ? x->args[0] : NULL;
}

void cc_ratio_times_atom(cc_builder *b, fmpz_mpoly_q_t out, cc_atom_kind kind, cc_xp base, const fmpq_t multiple, cc_xp mono) {
    if (b->failed || fmpq_is_zero(multiple)) return;
    cc_xp related = kind == CC_ATOM_ROOT ? base : mono ? NULL : cc_ratio_real_abs(b->g, base);
    if (b->scanning && related && !(b->form & CC_FORM_FREE)) { // the generators of its relation come first
        fmpz_mpoly_q_t t;
        fmpz_mpoly_q_init(t, b->ctx);
        cc_ratio_convert(b, t, related);
        fmpz_mpoly_q_clear(t, b->ctx);
    }
    cc_atom *a = cc_ratio_atom(b, kind, base, mono);
    if (!a) return;
    if (b->scanning) {
        if (!mono && fmpq_is_zero(a->step)) fmpq_one(a->step); // the generator of x**2 alone is x all the same
        fmpq_gcd(a->step, a->step, multiple);
    } else {
        times_gen(b, out, a->gen, multiple, a->step);
    }
}

// out *= p ** (multiple * mono) for an integer p > 1; its prime factors are the bases.
static void times_integer_power(cc_builder *b, fmpz_mpoly_q_t out, const fmpz_t p, const fmpq_t multiple, cc_xp mono) {
    if (fmpz_is_one(p) || b->failed) return;
    fmpz_factor_t f;
    fmpz_factor_init(f);
    fmpz_t rest;
    fmpz_init(rest);
    if (fmpz_bits(p) > 128)
        fmpz_factor_trial_range(f, p, 0, TRIAL_LIMIT); // the last factor may be composite: a base of its own
    else if (cc_factor(f, p, b->g->stop) != CC_FACTORED)
        b->failed = true;
    fmpq_t r, fraction;
    fmpq_init(r);
    fmpq_init(fraction);
    for (slong i = 0; i < f->num && !b->failed; i++) {
        fmpq_mul_ui(r, multiple, f->exp[i]);
        cc_xp base = cc_x_fmpz(b->g, f->p + i);
        if (mono) {
            cc_ratio_times_atom(b, out, CC_ATOM_POWER, base, r, mono);
            continue;
        }
        fmpz_fdiv_q(rest, fmpq_numref(r), fmpq_denref(r));
        fmpq_sub_fmpz(fraction, r, rest);
        cc_ratio_times_atom(b, out, CC_ATOM_ROOT, base, fraction, NULL);
        if (b->scanning || b->failed || fmpz_is_zero(rest)) continue;
        fmpz_mpoly_q_t t;
        fmpz_mpoly_q_init(t, b->ctx);
        fmpz_mpoly_q_set_fmpz(t, f->p + i, b->ctx);
        cc_ratio_pow(b, t, t, rest);
        cc_ratio_mul(b, out, out, t);
        fmpz_mpoly_q_clear(t, b->ctx);
    }
    fmpq_clear(r);
    fmpq_clear(fraction);
    fmpz_clear(rest);
    fmpz_factor_clear(f);
}

// out *= (-1) ** (multiple * mono)
static void times_minus_one_power(cc_builder *b, fmpz_mpoly_q_t out, const fmpq_t multiple, cc_xp mono) {
    cc_xp minus = cc_x_int(b->g, -1);
    if (mono) {
        cc_ratio_times_atom(b, out, CC_ATOM_POWER, minus, multiple, mono);
        return;
    }
    fmpz_t whole;
    fmpq_t fraction;
    fmpz_init(whole);
    fmpq_init(fraction);
    fmpz_fdiv_q(whole, fmpq_numref(multiple), fmpq_denref(multiple));
    fmpq_sub_fmpz(fraction, multiple, whole);
    cc_ratio_times_atom(b, out, CC_ATOM_ROOT, minus, fraction, NULL);
    if (!b->scanning && !b->failed && fmpz_is_odd(whole)) fmpz_mpoly_q_neg(out, out, b->ctx);
    fmpz_clear(whole);
    fmpq_clear(fraction);
}

static void times_number_power(cc_builder *b, fmpz_mpoly_q_t out, const fmpq_t base, const fmpq_t multiple, cc_xp mono) {
    if (fmpq_is_zero(base)) {
        b->failed = true;
        return;
    }
    fmpz_t p;
    fmpq_t minus;
    fmpz_init(p);
    fmpq_init(minus);
    if (fmpq_sgn(base) < 0) times_minus_one_power(b, out, multiple, mono);
    fmpz_abs(p, fmpq_numref(base));
    times_integer_power(b, out, p, multiple, mono);
    fmpq_neg(minus, multiple);
    times_integer_power(b, out, fmpq_denref(base), minus, mono);
    fmpz_clear(p);
    fmpq_clear(minus);
}

// What is its own generator: nothing that conversion takes apart.
static bool opaque(const cc_builder *b, cc_xp x) {
    if (x->kind == CC_X_SYM) return true;
    if (x->kind == CC_X_CONST) return x->konst != CC_K_I && (x->konst != CC_K_GOLDEN || !(b->form & CC_FORM_EXP));
    return false;
}

// The base without its positive factors, which are multiplied in by themselves.
static cc_xp take_positive(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, const fmpq_t multiple, cc_xp mono) {
    fmpq_t c;
    fmpq_init(c);
    cc_xp rest;
    cc_ratio_content(b->g, base, c, &rest);
    if (fmpq_sgn(c) < 0) { // only the absolute value may leave
        fmpq_neg(c, c);
        rest = cc_x_neg(b->g, rest);
    }
    if (!fmpq_is_one(c) && !cc_x_is_num(rest)) {
        times_number_power(b, out, c, multiple, mono);
        base = rest;
    }
    fmpq_clear(c);
    if (!base || base->kind != CC_X_MUL) return base;
    cc_xp *left = CC_ARENA_ARRAY(b->g->arena, cc_xp, base->n);
    size_t n = 0;
    for (uint32_t i = 0; i < base->n; i++) {
        cc_xp f = base->args[i];
        if (cc_x_is_num(f) || cc_x_is(b->g, f, CC_IS_POSITIVE) != CC_TRUE)
            left[n++] = f;
        else
            cc_ratio_times_power(b, out, f, multiple, mono);
    }
    return n == base->n ? base : cc_x_muln(b->g, left, n);
}

void cc_ratio_times_power(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, const fmpq_t multiple, cc_xp mono) {
    if (!base || b->failed || fmpq_is_zero(multiple)) {
        if (!base) b->failed = true;
        return;
    }
    if (cc_x_is_num(base)) {
        times_number_power(b, out, base->num, multiple, mono);
        return;
    }
    if (opaque(b, base)) {
        cc_ratio_times_atom(b, out, CC_ATOM_POWER, base, multiple, mono);
        return;
    }
    if (base->kind == CC_X_FUN) {
        cc_xp kept = cc_ratio_opaque(b, base);
        if (kept) {
            cc_ratio_times_atom(b, out, CC_ATOM_POWER, kept, multiple, mono);
            return;
        }
    }
    if (!mono && fmpz_is_one(fmpq_denref(multiple))) {
        times_converted(b, out, base, fmpq_numref(multiple));
        return;
    }
    if (cc_x_is_const(base, CC_K_I)) { // (-1) ** (1/2)
        fmpq_t half;
        fmpq_init(half);
        fmpq_div_2exp(half, multiple, 1);
        times_minus_one_power(b, out, half, mono);
        fmpq_clear(half);
        return;
    }
    base = take_positive(b, out, base, multiple, mono);
    if (!base || b->failed) return;
    if (base->kind == CC_X_NUM || opaque(b, base)) {
        cc_ratio_times_power(b, out, base, multiple, mono);
        return;
    }
    if (base->kind == CC_X_FUN || base->kind == CC_X_CONST || base->kind == CC_X_ADD || base->kind == CC_X_MUL || base->kind == CC_X_POW) {
        cc_xp normal = base->kind == CC_X_ADD ? cc_ratio_argument(b, base) : base;
        if (cc_ratio_times_split(b, out, normal, multiple, mono)) return;
        cc_ratio_times_atom(b, out, mono ? CC_ATOM_POWER : CC_ATOM_ROOT, normal, multiple, mono);
    } else {
        b->failed = true;
    }
}

static void times_term_power(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, cc_xp factor, cc_xp term) {
    if (factor) term = cc_x_mul(b->g, factor, term);
    fmpq_t c;
    fmpq_init(c);
    cc_xp k, mono;
    cc_x_split_coefficient(b->g, term, &k, &mono);
    if (!cc_x_is_num(k) || !mono) {
        b->failed = true;
        fmpq_clear(c);
        return;
    }
    fmpq_set(c, k->num);
    if (cc_x_is_num(mono)) {
        fmpq_mul(c, c, mono->num);
        mono = NULL;
    }
    if (mono && cc_x_is_const(base, CC_K_E)) {
        // exp(c*I*pi) = (-1)**c; exp(w*log(u)) = u**w
        size_t n;
        const cc_xp *f = cc_x_factors(&mono, &n);
        bool pi = false, i = false;
        size_t log = n;
        for (size_t j = 0; j < n; j++) {
            pi |= cc_x_is_const(f[j], CC_K_PI);
            i |= cc_x_is_const(f[j], CC_K_I);
            if (log == n && cc_x_is_fun(f[j], CC_F_LOG)) log = j;
        }
        if (pi && i && log == n) {
            cc_xp w = cc_x_div(b->g, mono, cc_x_mul(b->g, cc_x_const(b->g, CC_K_I), cc_x_const(b->g, CC_K_PI)));
            times_minus_one_power(b, out, c, cc_x_is_num(w) ? NULL : w);
            fmpq_clear(c);
            return;
        }
        if (log < n) {
            cc_xp u = f[log]->args[0], w = cc_x_mul(b->g, cc_x_num(b->g, c), cc_x_div(b->g, mono, f[log]));
            cc_ratio_times_general(b, out, u, NULL, w);
            fmpq_clear(c);
            return;
        }
    }
    if (!(mono && cc_x_is_const(base, CC_K_E) && cc_ratio_times_inverse(b, out, c, mono))) cc_ratio_times_power(b, out, base, c, mono);
    fmpq_clear(c);
}

void cc_ratio_times_general(cc_builder *b, fmpz_mpoly_q_t out, cc_xp base, cc_xp factor, cc_xp exponent) {
    if (!base || !exponent) {
        b->failed = true;
        return;
    }
    exponent = cc_ratio_argument(b, exponent);
    size_t n;
    const cc_xp *t = cc_x_terms(&exponent, &n);
    cc_xp num = NULL, den = NULL;
    if (n == 1 && (b->form & CC_FORM_ARGS)) { // (u + v)/d is u/d + v/d
        cc_x_fraction(b->g, exponent, &num, &den);
        if (num && num->kind == CC_X_ADD && den && !cc_x_is_num(den)) {
            for (uint32_t i = 0; i < num->n; i++) times_term_power(b, out, base, factor, cc_x_div(b->g, num->args[i], den));
            return;
        }
    }
    for (size_t i = 0; i < n && !b->failed; i++) times_term_power(b, out, base, factor, t[i]);
}

// ---- sums and products ----

static void convert_sum(cc_builder *b, fmpz_mpoly_q_t out, const cc_xp *terms, size_t n) {
    if (n == 1) {
        cc_ratio_convert(b, out, terms[0]);
        return;
    }
    fmpz_mpoly_q_t right;
    fmpz_mpoly_q_init(right, b->ctx);
    convert_sum(b, out, terms, n / 2);
    if (!b->failed) convert_sum(b, right, terms + n / 2, n - n / 2);
    cc_ratio_add(b, out, out, right);
    fmpz_mpoly_q_clear(right, b->ctx);
}

void cc_ratio_convert(cc_builder *b, fmpz_mpoly_q_t out, cc_xp x) {
    fmpz_mpoly_q_one(out, b->ctx);
    if (b->failed || !x || !cc_alg_go_on(b->g)) {
        b->failed = true;
        return;
    }
    fmpq_t one;
    *fmpq_numref(one) = 1;
    *fmpq_denref(one) = 1;
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM:
        if (!b->scanning) fmpz_mpoly_q_set_fmpq(out, x->num, b->ctx);
        break;
    case CC_X_CONST:
        if (x->konst == CC_K_I) {
            fmpq_t half;
            *fmpq_numref(half) = 1;
            *fmpq_denref(half) = 2;
            times_minus_one_power(b, out, half, NULL);
        } else if (x->konst == CC_K_GOLDEN && (b->form & CC_FORM_EXP)) {
            cc_ratio_convert(b, out,
                             cc_x_div(b->g, cc_x_add(b->g, cc_x_int(b->g, 1), cc_x_sqrt(b->g, cc_x_int(b->g, 5))), cc_x_int(b->g, 2)));
        } else if (x->konst >= CC_K_OO) {
            b->failed = true;
        } else {
            cc_ratio_times_power(b, out, x, one, NULL);
        }
        break;
    case CC_X_SYM: cc_ratio_times_power(b, out, x, one, NULL); break;
    case CC_X_ADD: convert_sum(b, out, x->args, x->n); break;
    case CC_X_MUL: {
        fmpz_mpoly_q_t t;
        fmpz_mpoly_q_init(t, b->ctx);
        for (uint32_t i = 0; i < x->n && !b->failed; i++) {
            cc_ratio_convert(b, t, x->args[i]);
            cc_ratio_mul(b, out, out, t);
        }
        fmpz_mpoly_q_clear(t, b->ctx);
        break;
    }
    case CC_X_POW:
        if (cc_x_is_num(x->args[1]))
            cc_ratio_times_power(b, out, x->args[0], x->args[1]->num, NULL);
        else
            cc_ratio_times_general(b, out, x->args[0], NULL, x->args[1]);
        break;
    case CC_X_FUN: cc_ratio_function(b, out, x); break;
    default: b->failed = true;
    }
}
