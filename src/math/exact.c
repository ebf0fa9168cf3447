// Deciding about exact reals: signs, floors, and whether a number is rational. Called wherever an answer depends on an exact
// fact. The order is always: rational arithmetic, then enclosures (they prove inequality), then Calcium (it proves equality):
// first with trigonometric functions as they are, then rewritten to complex exponentials, then enclosures of up to
// CC_SIGN_PREC bits. What none of them settles is undecided; nothing here guesses.
//
// Calcium can run away on large inputs, so it is asked only about tame numbers (few different irrational parts, roots not
// nested deep); the deadline of the job contains the rest.
#include "math/real.h"

#include <assert.h>
#include <flint/ca_vec.h>
#include <flint/fmpz_mpoly_q.h>
#include <flint/ulong_extras.h>

enum {
    MAX_GENERATORS = 12, // different irrational constants and functions in one number
    MAX_NODES = 400,
    MAX_ROOT_NEST = 4,
    MAX_ROOT_ORDER = 24,   // of roots turned into algebraic numbers
    MAX_POWER = 200,       // of irrational numbers
    MAX_RAT_BITS = 100000, // of rationals inside
    MAX_EXP_LCM = 120,
    MAX_FACTORED_BITS = 128, // of an integer under a root that Calcium may factor
};

// ---- is it tame ----

typedef struct walk {
    unsigned nodes, generators;
    ulong exp_lcm;
    bool wild;
} walk;

static void visit(cc_reals *r, cc_real *x, walk *w) {
    if (!x || x->mark == r->mark || w->wild) return;
    x->mark = r->mark;
    w->wild = ++w->nodes > MAX_NODES;
    switch (x->op) {
    case CC_R_RAT: w->wild = w->wild || fmpq_height_bits(x->q) > MAX_RAT_BITS; return;
    case CC_R_ADD:
    case CC_R_MUL: break;
    case CC_R_POWI: w->wild = w->wild || x->n > MAX_POWER || x->n < -MAX_POWER; break;
    case CC_R_ROOT:
        w->wild = w->wild || x->root_nest > MAX_ROOT_NEST || x->n > MAX_ROOT_ORDER;
        w->wild = w->wild || (x->n != 2 && x->a->op == CC_R_RAT && fmpq_height_bits(x->a->q) > MAX_FACTORED_BITS);
        w->generators++;
        break;
    case CC_R_EXP:
        if (x->a->op == CC_R_RAT && fmpz_cmp_ui(fmpq_denref(x->a->q), MAX_EXP_LCM) <= 0) {
            ulong d = fmpz_get_ui(fmpq_denref(x->a->q));
            ulong l = w->exp_lcm / n_gcd(w->exp_lcm, d) * d;
            if (l <= MAX_EXP_LCM) w->exp_lcm = l;
        }
        w->generators++;
        break;
    case CC_R_PI:
    case CC_R_EULER:
    case CC_R_LOG: w->generators++; break;
    default: // Calcium evaluates functions of very large arguments naively, and tanh(10**19) would keep it for seconds
        w->generators++;
        w->wild = w->wild || arf_cmpabs_2exp_si(arb_midref(cc_real_ball(r, x->a, 64)), 20) > 0;
    }
    w->wild = w->wild || w->generators > MAX_GENERATORS;
    visit(r, x->a, w);
    visit(r, x->b, w);
}

static bool survey(cc_reals *r, cc_real *x, walk *w) {
    *w = (walk){.exp_lcm = r->exp_lcm};
    r->mark++;
    visit(r, x, w);
    return !w->wild;
}

// ---- Calcium ----

static ca_ctx_struct *context(cc_reals *r, int mode) {
    if (!r->has_ca[mode]) {
        ca_ctx_init(r->ca[mode]);
        r->ca[mode]->options[CA_OPT_TRIG_FORM] = mode == CC_CA_DIRECT ? CA_TRIG_DIRECT : CA_TRIG_EXPONENTIAL;
        r->ca[mode]->options[CA_OPT_POW_LIMIT] = 8;
        r->ca[mode]->options[CA_OPT_PREC_LIMIT] = 4096;
        r->has_ca[mode] = true;
    }
    return r->ca[mode]; // cppcheck-suppress CastIntegerToAddressAtReturn ; a ca_ctx_t, which is an array
}

ca_ctx_struct *cc_real_context(cc_reals *r) { return context(r, CC_CA_DIRECT); }

static void forget_ca(cc_reals *r) {
    for (size_t i = 0; i < r->n; i++)
        for (int m = 0; m < CC_CA_MODES; m++) {
            if (r->all[i]->ca[m]) {
                ca_clear(r->all[i]->ca[m], r->ca[m]);
                flint_free(r->all[i]->ca[m]);
            }
            r->all[i]->ca[m] = NULL;
        }
}

static bool to_ca(cc_reals *r, cc_real *x, int mode);

// exp(p/q) as a power of exp(1/exp_lcm), so that all such values of one calculation lie in one field and compare exactly.
static void exp_of_rational(cc_reals *r, ca_t out, const fmpq_t q, ca_ctx_struct *c) {
    fmpz_t k;
    fmpz_init(k);
    fmpz_mul_ui(k, fmpq_numref(q), r->exp_lcm);
    bool whole = fmpz_divisible(k, fmpq_denref(q));
    if (whole) fmpz_divexact(k, k, fmpq_denref(q));
    if (!whole || fmpz_cmpabs(k, fmpq_numref(q)) < 0 || fmpz_cmp_si(k, 1000) > 0 || fmpz_cmp_si(k, -1000) < 0) {
        ca_set_fmpq(out, q, c);
        ca_exp(out, out, c);
    } else {
        ca_set_si(out, 1, c);
        ca_div_ui(out, out, r->exp_lcm, c);
        ca_exp(out, out, c);
        ca_pow_si_arithmetic(out, out, fmpz_get_si(k), c);
    }
    fmpz_clear(k);
}

// Gamma of a rational in (1/2, 1) by reflection: pi / (sin(pi x) gamma(1 - x)), so that both sides of it share one generator.
static void gamma_of_rational(ca_t out, const fmpq_t q, ca_ctx_struct *c) {
    fmpq_t half;
    fmpq_init(half);
    fmpq_set_si(half, 1, 2);
    if (fmpq_cmp(q, half) <= 0 || fmpq_cmp_si(q, 1) >= 0) {
        ca_set_fmpq(out, q, c);
        ca_gamma(out, out, c);
    } else {
        ca_t s, g;
        ca_init(s, c);
        ca_init(g, c);
        ca_pi(s, c);
        ca_mul_fmpq(s, s, q, c);
        ca_sin(s, s, c);
        ca_set_fmpq(g, q, c);
        ca_ui_sub(g, 1, g, c);
        ca_gamma(g, g, c);
        ca_mul(s, s, g, c);
        ca_pi(out, c);
        ca_div(out, out, s, c);
        ca_clear(s, c);
        ca_clear(g, c);
    }
    fmpq_clear(half);
}

static void root_to_ca(ca_t out, const cc_real *x, ca_srcptr a, ca_ctx_struct *c) {
    if (x->a->op == CC_R_RAT && fmpq_height_bits(x->a->q) > MAX_FACTORED_BITS) {
        ca_sqrt_inert(out, a, c); // Calcium would look for factors of the long integer, by elliptic curves
    } else if (x->a->op == CC_R_RAT) {
        qqbar_t q;
        qqbar_init(q);
        qqbar_fmpq_root_ui(q, x->a->q, (ulong)x->n);
        ca_set_qqbar(out, q, c);
        qqbar_clear(q);
    } else if (x->n == 2) {
        ca_sqrt(out, a, c);
    } else {
        fmpq_t e;
        fmpq_init(e);
        fmpq_set_si(e, 1, (ulong)x->n);
        ca_pow_fmpq(out, a, e, c);
        fmpq_clear(e);
    }
}

static void hyperbolic(ca_t out, cc_real_op op, ca_srcptr a, ca_ctx_struct *c) {
    ca_t e, f;
    ca_init(e, c);
    ca_init(f, c);
    ca_exp(e, a, c);
    ca_inv(f, e, c);
    ca_add(out, e, f, c); // 2 cosh
    ca_sub(e, e, f, c);   // 2 sinh
    if (op == CC_R_TANH)
        ca_div(out, e, out, c);
    else
        ca_div_ui(out, op == CC_R_SINH ? e : out, 2, c);
    ca_clear(e, c);
    ca_clear(f, c);
}

// asinh a = log(a + sqrt(a^2 + 1)), acosh a = log(a + sqrt(a^2 - 1)), atanh a = log((1 + a)/(1 - a)) / 2
static void area(ca_t out, cc_real_op op, ca_srcptr a, ca_ctx_struct *c) {
    ca_t t;
    ca_init(t, c);
    if (op == CC_R_ATANH) {
        ca_add_ui(t, a, 1, c);
        ca_ui_sub(out, 1, a, c);
        ca_div(t, t, out, c);
        ca_log(out, t, c);
        ca_div_ui(out, out, 2, c);
    } else {
        ca_sqr(t, a, c);
        ca_add_si(t, t, op == CC_R_ASINH ? 1 : -1, c);
        ca_sqrt(t, t, c);
        ca_add(t, t, a, c);
        ca_log(out, t, c);
    }
    ca_clear(t, c);
}

static void compute(cc_reals *r, cc_real *x, ca_t out, ca_srcptr a, ca_srcptr b, ca_ctx_struct *c) {
    switch (x->op) {
    case CC_R_RAT: ca_set_fmpq(out, x->q, c); return;
    case CC_R_PI: ca_pi(out, c); return;
    case CC_R_EULER: ca_euler(out, c); return;
    case CC_R_ADD: ca_add(out, a, b, c); return;
    case CC_R_MUL: ca_mul(out, a, b, c); return;
    case CC_R_POWI: ca_pow_si(out, a, x->n, c); return;
    case CC_R_ROOT: root_to_ca(out, x, a, c); return;
    case CC_R_POW:
        ca_log(out, a, c);
        ca_mul(out, out, b, c);
        ca_exp(out, out, c);
        return;
    case CC_R_EXP:
        if (x->a->op == CC_R_RAT)
            exp_of_rational(r, out, x->a->q, c);
        else
            ca_exp(out, a, c);
        return;
    case CC_R_LOG: ca_log(out, a, c); return;
    case CC_R_SIN: ca_sin(out, a, c); return;
    case CC_R_COS: ca_cos(out, a, c); return;
    case CC_R_TAN: ca_tan(out, a, c); return;
    case CC_R_ASIN: ca_asin(out, a, c); return;
    case CC_R_ACOS: ca_acos(out, a, c); return;
    case CC_R_ATAN: ca_atan(out, a, c); return;
    case CC_R_SINH:
    case CC_R_COSH:
    case CC_R_TANH: hyperbolic(out, x->op, a, c); return;
    case CC_R_ASINH:
    case CC_R_ACOSH:
    case CC_R_ATANH: area(out, x->op, a, c); return;
    case CC_R_GAMMA:
        if (x->a->op == CC_R_RAT)
            gamma_of_rational(out, x->a->q, c);
        else
            ca_gamma(out, a, c);
        return;
    case CC_R_LGAMMA: _ca_function_fx(out, CA_LogGamma, a, c); return;
    case CC_R_DIGAMMA: _ca_function_fx(out, CA_Psi, a, c); return;
    case CC_R_ERF: ca_erf(out, a, c); return;
    case CC_R_ERFC:
        ca_erf(out, a, c);
        ca_ui_sub(out, 1, out, c);
        return;
    case CC_R_ERFI: ca_erfi(out, a, c); return;
    case CC_R_ZETA: _ca_function_fx(out, CA_RiemannZeta, a, c); return;
    }
}

static bool to_ca(cc_reals *r, cc_real *x, int mode) {
    if (x->ca[mode]) return !CA_IS_SPECIAL(x->ca[mode]);
    ca_ctx_struct *c = context(r, mode);
    ca_srcptr a = NULL, b = NULL;
    if (x->op != CC_R_RAT) {
        if (x->a && !to_ca(r, x->a, mode)) return false;
        if (x->b && !to_ca(r, x->b, mode)) return false;
        a = x->a ? x->a->ca[mode] : NULL;
        b = x->b ? x->b->ca[mode] : NULL;
    }
    ca_struct *out = flint_malloc(sizeof(ca_struct));
    ca_init(out, c);
    compute(r, x, out, a, b, c);
    x->ca[mode] = out;
    return !CA_IS_SPECIAL(out);
}

ca_srcptr cc_real_ca(cc_reals *r, cc_real *x, int mode) {
    walk w;
    if (!survey(r, x, &w)) return NULL;
    if (w.exp_lcm != r->exp_lcm) {
        forget_ca(r);
        r->exp_lcm = w.exp_lcm;
    }
    return to_ca(r, x, mode) ? x->ca[mode] : NULL;
}

// ---- signs ----

static void become_rational(cc_real *x, const fmpq_t q) {
    fmpq_set(x->q, q);
    x->op = CC_R_RAT;
    x->a = x->b = NULL;
    x->n = 0;
    x->sign = (int16_t)fmpq_sgn(q);
}

static bool ball_sign(cc_reals *r, cc_real *x, slong from, slong to, int *sign) {
    for (slong prec = from; prec <= to; prec *= 4) {
        if (cc_reals_poll(r)) return false;
        arb_srcptr b = cc_real_ball(r, x, prec);
        if (!arb_is_positive(b) && !arb_is_negative(b)) continue;
        *sign = arb_is_positive(b) ? 1 : -1;
        return true;
    }
    return false;
}

// A number a + b s with s = sqrt(y) is zero when (a + b s)(a - b s) = a^2 - b^2 y is zero and a - b s is not. Calcium's ideal holds
// s^2 - y, so the product is often decided where the number itself is not: sqrt(1 + sin(2)) - sin(1) - cos(1).
static bool zero_by_conjugate(ca_srcptr x, ca_ctx_struct *c) {
    if (CA_IS_SPECIAL(x) || !ca_is_generic_elem(x, c)) return false;
    ca_field_srcptr k = CA_FIELD(x, c);
    slong n = CA_FIELD_LENGTH(k);
    bool zero = false;
    for (slong i = 0; i < n && !zero; i++) {
        if (CA_EXT_HEAD(CA_FIELD_EXT_ELEM(k, i)) != CA_Sqrt) continue;
        ca_ptr gens = _ca_vec_init(n, c);
        ca_t other, product;
        ca_init(other, c);
        ca_init(product, c);
        for (slong j = 0; j < n; j++) {
            _ca_make_field_element(gens + j, k, c);
            fmpz_mpoly_q_gen(CA_MPOLY_Q(gens + j), j, CA_FIELD_MCTX(k, c));
        }
        ca_neg(gens + i, gens + i, c);
        ca_fmpz_mpoly_q_evaluate(other, CA_MPOLY_Q(x), gens, CA_FIELD_MCTX(k, c), c);
        ca_mul(product, x, other, c);
        zero = !CA_IS_SPECIAL(other) && ca_check_is_zero(product, c) == T_TRUE && ca_check_is_zero(other, c) == T_FALSE;
        ca_clear(other, c);
        ca_clear(product, c);
        _ca_vec_clear(gens, n, c);
    }
    return zero;
}

static truth_t calcium_zero(cc_reals *r, cc_real *x, int mode) {
    ca_srcptr c = cc_real_ca(r, x, mode);
    if (!c) return T_UNKNOWN;
    truth_t t = ca_check_is_zero(c, r->ca[mode]);
    return t == T_UNKNOWN && zero_by_conjugate(c, r->ca[mode]) ? T_TRUE : t;
}

int cc_real_try_sign(cc_reals *r, cc_real *x, int *sign) {
    if (x->op == CC_R_RAT) {
        *sign = fmpq_sgn(x->q);
        return 0;
    }
    if (x->sign == 3) {
        r->tried_bits = r->max_prec ? r->max_prec : x->slow ? CC_SLOW_SIGN_PREC : CC_SIGN_PREC;
        return -1;
    }
    if (x->sign == 2) {
        int s = 0;
        bool known = ball_sign(r, x, 64, 256, &s);
        truth_t zero = T_UNKNOWN;
        for (int mode = 0; mode < CC_CA_MODES && !known && zero == T_UNKNOWN; mode++) {
            if (cc_reals_poll(r)) return -1;
            zero = calcium_zero(r, x, mode);
            if (zero == T_UNKNOWN && mode == CC_CA_DIRECT) known = ball_sign(r, x, 1024, 4096, &s);
        }
        slong limit = x->slow ? CC_SLOW_SIGN_PREC : zero == T_FALSE ? 8 * CC_SIGN_PREC : CC_SIGN_PREC;
        if (r->max_prec && r->max_prec < limit) limit = r->max_prec;
        if (!known && zero != T_TRUE) known = ball_sign(r, x, 16384, limit, &s);
        if (!known && zero != T_TRUE) {
            r->tried_bits = limit;
            if (!cc_reals_poll(r)) x->sign = 3;
            return -1;
        }
        x->sign = (int16_t)s;
        if (zero == T_TRUE) {
            fmpq_t q;
            fmpq_init(q);
            become_rational(x, q);
            fmpq_clear(q);
        }
    }
    *sign = x->sign;
    return 0;
}

int cc_real_sign(cc_reals *r, cc_real *x, int *sign) {
    *sign = 0;
    if (!cc_real_try_sign(r, x, sign)) return 0;
    if (cc_reals_poll(r)) return -1;
    cc_str s = cc_utf8_prefix(cc_real_show(r, x), 100);
    cc_error_set(r->err, CC_VALIDATION,
                 "could not decide whether %.*s is zero, positive or negative, and the result depends on it (tried exact algebra and "
                 "enclosures of %ld bits)",
                 (int)s.n, s.p, r->tried_bits);
    cc_error_remedy(r->err, "simplify that part by hand, or write it as a decimal");
    return -1;
}

// ---- rational values and floors ----

bool cc_real_find_rat(cc_reals *r, cc_real *x) {
    if (x->op == CC_R_RAT) return true;
    if (x->hopeless) return false;
    ca_srcptr c = cc_real_ca(r, x, CC_CA_DIRECT);
    if (c && CA_IS_QQ(c, r->ca[CC_CA_DIRECT])) {
        become_rational(x, CA_FMPQ(c));
        return true;
    }
    // A candidate with a small denominator is read off an enclosure and then proven or dropped.
    const ulong scale = 720720; // lcm(1 … 14)
    arb_t t;
    fmpz_t k;
    arb_init(t);
    fmpz_init(k);
    arb_mul_ui(t, cc_real_ball(r, x, 256), scale, 256);
    bool close = mag_cmp_2exp_si(arb_radref(t), -60) < 0 && cc_arb_unique_integer(k, t);
    arb_clear(t);
    bool found = false;
    if (close && !cc_reals_poll(r)) {
        fmpq_t q;
        fmpq_init(q);
        fmpq_set_fmpz(q, k);
        fmpq_div_fmpz(q, q, (fmpz[]){(fmpz)scale});
        cc_real *difference = cc_real_sub(r, x, cc_real_fmpq(r, q));
        int sign;
        found = difference && !cc_real_try_sign(r, difference, &sign) && sign == 0;
        if (found && x->op != CC_R_RAT) become_rational(x, q);
        fmpq_clear(q);
    }
    fmpz_clear(k);
    x->hopeless = !found;
    return found;
}

static bool root_is_rational(const cc_real *x) {
    fmpz_t t;
    fmpz_init(t);
    bool exact = fmpz_root(t, fmpq_numref(x->a->q), x->n) && fmpz_root(t, fmpq_denref(x->a->q), x->n);
    fmpz_clear(t);
    return exact;
}

// The denominator of q in x = q*pi, by form; NULL when x is not such a product.
static const fmpz *denominator_of_pi(const cc_real *x) {
    return x && x->op == CC_R_MUL && x->a->op == CC_R_RAT && x->b->op == CC_R_PI ? fmpq_denref(x->a->q) : NULL;
}

// A rational number times, or plus, one of these is irrational: pi; roots that do not come out; exp, sin, cos, tan, log, … of a
// rational other than the trivial ones (Lindemann); sin, cos, tan of pi*p/q except at multiples of pi/4 and pi/6 (Niven). Calcium
// knows the algebraic ones.
bool cc_real_is_irrational(cc_reals *r, cc_real *x) {
    while ((x->op == CC_R_ADD || x->op == CC_R_MUL) && x->a->op == CC_R_RAT && !(x->op == CC_R_MUL && fmpq_is_zero(x->a->q))) x = x->b;
    bool of_rational = x->a && x->a->op == CC_R_RAT;
    const fmpz *den = denominator_of_pi(x->a);
    switch (x->op) {
    case CC_R_PI: return true;
    case CC_R_ROOT:
        if (of_rational) return !root_is_rational(x);
        break;
    case CC_R_SIN:
    case CC_R_COS:
    case CC_R_TAN:
        if (den && (fmpz_cmp_ui(den, 6) > 0 || fmpz_equal_ui(den, 5))) return true;
        // fall through
    case CC_R_EXP:
    case CC_R_SINH:
    case CC_R_COSH:
    case CC_R_TANH:
    case CC_R_ASIN:
    case CC_R_ATAN:
    case CC_R_ASINH:
    case CC_R_ATANH:
        if (of_rational) return !fmpq_is_zero(x->a->q);
        break;
    case CC_R_LOG:
    case CC_R_ACOS:
    case CC_R_ACOSH:
        if (of_rational) return !fmpq_is_one(x->a->q);
        break;
    default: break;
    }
    ca_srcptr c = cc_real_ca(r, x, CC_CA_DIRECT);
    return c && ca_check_is_rational(c, r->ca[CC_CA_DIRECT]) == T_FALSE;
}

cc_real *cc_real_floor(cc_reals *r, cc_real *x) {
    if (!x) return NULL;
    fmpz_t k;
    fmpz_init(k);
    cc_real *res = NULL;
    if (cc_real_find_rat(r, x)) {
        fmpz_fdiv_q(k, fmpq_numref(x->q), fmpq_denref(x->q));
        res = cc_real_fmpz(r, k);
    } else {
        arb_t t;
        arb_init(t);
        bool tried = false;
        for (slong prec = 128; !res && prec <= 2 * CC_MAX_BITS && !cc_reals_poll(r); prec *= 2) {
            arb_srcptr b = cc_real_ball(r, x, prec);
            if (arb_is_finite(b) && arf_cmpabs_2exp_si(arb_midref(b), CC_MAX_BITS) > 0) {
                cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "the integer part has more than %.3g digits", (double)CC_MAX_BITS * 0.30103);
                break;
            }
            arb_floor(t, b, prec);
            if (cc_arb_unique_integer(k, t)) {
                res = cc_real_fmpz(r, k);
            } else if (!tried && arb_rel_accuracy_bits(b) > 60 && mag_cmp_2exp_si(arb_radref(b), -32) < 0) {
                tried = true; // the ball holds one integer: perhaps x is that integer
                arf_get_fmpz(k, arb_midref(b), ARF_RND_NEAR);
                cc_real *difference = cc_real_sub(r, x, cc_real_fmpz(r, k));
                int sign;
                if (!difference || cc_real_sign(r, difference, &sign)) break;
                if (sign < 0) fmpz_sub_ui(k, k, 1);
                res = cc_real_fmpz(r, k);
            }
        }
        arb_clear(t);
        if (!res && r->err->code == CC_OK) cc_error_set(r->err, CC_RESOURCE_EXHAUSTED, "the integer part could not be enclosed");
    }
    fmpz_clear(k);
    return res;
}
