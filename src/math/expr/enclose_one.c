// Functions of one argument over complex balls. Called by enclose_special.c, which has those of several; knows nothing of expressions and
// owns nothing. FLINT's functions take the union of both sides where a ball touches a branch cut; what is composed here keeps that.
#include "math/expr/enclose_one.h"

#include <flint/acb_elliptic.h>
#include <flint/acb_hypgeom.h>
#include <flint/arb_hypgeom.h>

typedef void (*unary)(acb_t, const acb_t, slong);

// ---- balls ----

// The real part is larger than n, or the ball is the number n and `or_equal` is set.
bool cc_ball_above(const acb_t z, slong n) {
    arb_t t;
    arb_init(t);
    arb_sub_si(t, acb_realref(z), n, 64);
    bool yes = arb_is_positive(t);
    arb_clear(t);
    return yes;
}

bool cc_ball_real_there(const acb_t z, cc_reality where) {
    if (!cc_ball_is_real(z)) return false;
    arb_t t;
    arb_init(t);
    arb_abs(t, acb_realref(z));
    arb_sub_si(t, t, 1, 64);
    bool outside = arb_is_positive(t), inside = arb_is_negative(t);
    arb_clear(t);
    switch (where) {
    case CC_POSITIVE: return arb_is_positive(acb_realref(z));
    case CC_BELOW_ONE: return inside || arb_is_negative(acb_realref(z));
    case CC_INSIDE: return inside;
    case CC_OUTSIDE: return outside;
    default: return true;
    }
}

bool cc_ball_small_int(const acb_t z, slong *n) {
    if (!acb_is_int(z) || arf_cmpabs_2exp_si(arb_midref(acb_realref(z)), 40) > 0) return false;
    *n = arf_get_si(arb_midref(acb_realref(z)), ARF_RND_DOWN);
    return true;
}

bool cc_ball_within(const acb_t z, double limit) {
    mag_t m;
    mag_init(m);
    acb_get_mag(m, z);
    bool yes = mag_cmp_2exp_si(m, 60) < 0 && mag_get_d(m) <= limit;
    mag_clear(m);
    return yes;
}

// ---- of one argument ----

static void of_inverse(acb_t out, const acb_t z, slong prec, unary f) {
    acb_inv(out, z, prec);
    f(out, out, prec);
}

static void acot(acb_t out, const acb_t z, slong prec) {
    if (acb_is_zero(z)) {
        acb_const_pi(out, prec);
        acb_mul_2exp_si(out, out, -1);
    } else {
        of_inverse(out, z, prec, acb_atan);
    }
}
static void acoth(acb_t out, const acb_t z, slong prec) {
    if (acb_is_zero(z)) {
        acb_const_pi(out, prec);
        acb_mul_2exp_si(out, out, -1);
        acb_mul_onei(out, out);
    } else {
        of_inverse(out, z, prec, acb_atanh);
    }
}
static void asec(acb_t out, const acb_t z, slong prec) { of_inverse(out, z, prec, acb_acos); }
static void acsc(acb_t out, const acb_t z, slong prec) { of_inverse(out, z, prec, acb_asin); }
static void asech(acb_t out, const acb_t z, slong prec) { of_inverse(out, z, prec, acb_acosh); }
static void acsch(acb_t out, const acb_t z, slong prec) { of_inverse(out, z, prec, acb_asinh); }

static void modulus(acb_t out, const acb_t z, slong prec) {
    acb_abs(acb_realref(out), z, prec);
    arb_zero(acb_imagref(out));
}

static void sign(acb_t out, const acb_t z, slong prec) {
    if (cc_ball_is_real(z)) {
        arb_sgn(acb_realref(out), acb_realref(z));
        arb_zero(acb_imagref(out));
    } else {
        acb_sgn(out, z, prec);
    }
}

static void real_part(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    arb_set(acb_realref(out), acb_realref(z));
    arb_zero(acb_imagref(out));
}
static void imaginary_part(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    arb_set(acb_realref(out), acb_imagref(z));
    arb_zero(acb_imagref(out));
}
static void conjugate(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    acb_conj(out, z);
}
static void argument(acb_t out, const acb_t z, slong prec) {
    if (acb_contains_zero(z)) {
        acb_indeterminate(out);
    } else {
        acb_arg(acb_realref(out), z, prec);
        arb_zero(acb_imagref(out));
    }
}

// Replaces x by its floor or ceiling; false when these differ within the ball.
static bool same_floor(arb_t x, bool up) {
    arf_t low, high;
    arf_init(low);
    arf_init(high);
    if (arb_is_exact(x)) {
        arf_set(low, arb_midref(x));
        arf_set(high, low);
    } else {
        arb_get_lbound_arf(low, x, 4096);
        arb_get_ubound_arf(high, x, 4096);
    }
    (up ? arf_ceil : arf_floor)(low, low);
    (up ? arf_ceil : arf_floor)(high, high);
    bool ok = arf_is_finite(low) && arf_equal(low, high);
    if (ok) arb_set_arf(x, low);
    arf_clear(low);
    arf_clear(high);
    return ok;
}
static void rounded(acb_t out, const acb_t z, bool up) {
    acb_set(out, z);
    if (!same_floor(acb_realref(out), up) || !same_floor(acb_imagref(out), up)) acb_indeterminate(out);
}
static void floor_of(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    rounded(out, z, false);
}
static void ceiling_of(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    rounded(out, z, true);
}
static void fraction(acb_t out, const acb_t z, slong prec) {
    acb_t f;
    acb_init(f);
    rounded(f, z, false);
    acb_sub(out, z, f, prec);
    acb_clear(f);
}

static void heaviside(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    if (!cc_ball_is_real(z) || (arb_contains_zero(acb_realref(z)) && !acb_is_zero(z)))
        acb_indeterminate(out);
    else if (acb_is_zero(z))
        acb_set_d(out, 0.5);
    else
        acb_set_si(out, arb_is_positive(acb_realref(z)));
}
static void dirac(acb_t out, const acb_t z, slong prec) {
    (void)prec;
    if (acb_contains_zero(z))
        acb_indeterminate(out);
    else
        acb_zero(out);
}

// For large real parts: |zeta(s) - 1| < 2^(1 - re s) when re s > 2.
static void zeta(acb_t out, const acb_t s, slong prec) {
    if (cc_ball_above(s, prec + 10)) {
        bool real = cc_ball_is_real(s);
        acb_one(out);
        arb_add_error_2exp_si(acb_realref(out), -prec);
        if (!real) arb_add_error_2exp_si(acb_imagref(out), -prec);
    } else if (cc_ball_within(s, 1e6)) {
        acb_zeta(out, s, prec);
    } else {
        acb_indeterminate(out);
    }
}
static void li(acb_t out, const acb_t z, slong prec) {
    if (acb_is_zero(z))
        acb_zero(out);
    else
        acb_hypgeom_li(out, z, 0, prec);
}
static void fresnel_s(acb_t out, const acb_t z, slong prec) { acb_hypgeom_fresnel(out, NULL, z, 1, prec); }
static void fresnel_c(acb_t out, const acb_t z, slong prec) { acb_hypgeom_fresnel(NULL, out, z, 1, prec); }
static void airy_ai(acb_t out, const acb_t z, slong prec) { acb_hypgeom_airy(out, NULL, NULL, NULL, z, prec); }
static void airy_aip(acb_t out, const acb_t z, slong prec) { acb_hypgeom_airy(NULL, out, NULL, NULL, z, prec); }
static void airy_bi(acb_t out, const acb_t z, slong prec) { acb_hypgeom_airy(NULL, NULL, out, NULL, z, prec); }
static void airy_bip(acb_t out, const acb_t z, slong prec) { acb_hypgeom_airy(NULL, NULL, NULL, out, z, prec); }

static void lambert(acb_t out, const acb_t z, slong prec) {
    fmpz_t k;
    fmpz_init(k);
    acb_lambertw(out, z, k, 0, prec);
    fmpz_clear(k);
}

static void factorial(acb_t out, const acb_t z, slong prec) {
    acb_add_ui(out, z, 1, prec);
    acb_gamma(out, out, prec);
}
// (2/pi)^((1 - cos(pi z))/4) 2^(z/2) gamma(z/2 + 1)
static void factorial2(acb_t out, const acb_t z, slong prec) {
    acb_t t, u;
    acb_init(t);
    acb_init(u);
    acb_const_pi(t, prec);
    acb_mul_2exp_si(t, t, -1);
    acb_log(t, t, prec);
    acb_cos_pi(u, z, prec);
    acb_sub_ui(u, u, 1, prec);
    acb_mul_2exp_si(u, u, -2);
    acb_mul(t, t, u, prec);
    arb_const_log2(acb_realref(u), prec);
    arb_zero(acb_imagref(u));
    acb_mul(u, u, z, prec);
    acb_mul_2exp_si(u, u, -1);
    acb_add(t, t, u, prec);
    acb_exp(t, t, prec);
    acb_mul_2exp_si(u, z, -1);
    acb_add_ui(u, u, 1, prec);
    acb_gamma(u, u, prec);
    acb_mul(out, t, u, prec);
    acb_clear(t);
    acb_clear(u);
}

// phi^n -+ cos(pi n) phi^-n
static void fibonacci_like(acb_t out, const acb_t n, bool lucas, slong prec) {
    acb_t t, u;
    arb_t root;
    acb_init(t);
    acb_init(u);
    arb_init(root);
    arb_sqrt_ui(root, 5, prec);
    arb_add_ui(acb_realref(t), root, 1, prec);
    acb_mul_2exp_si(t, t, -1);
    acb_log(t, t, prec);
    acb_mul(t, t, n, prec);
    acb_exp_invexp(t, u, t, prec);
    acb_t c;
    acb_init(c);
    acb_cos_pi(c, n, prec);
    acb_mul(u, u, c, prec);
    if (lucas) {
        acb_add(out, t, u, prec);
    } else {
        acb_sub(out, t, u, prec);
        acb_div_arb(out, out, root, prec);
    }
    acb_clear(c);
    acb_clear(t);
    acb_clear(u);
    arb_clear(root);
}
static void fibonacci(acb_t out, const acb_t n, slong prec) { fibonacci_like(out, n, false, prec); }
static void lucas(acb_t out, const acb_t n, slong prec) { fibonacci_like(out, n, true, prec); }

static void bernoulli(acb_t out, const acb_t n, slong prec) { // -n zeta(1 - n)
    acb_t t;
    acb_init(t);
    acb_sub_ui(t, n, 1, prec);
    acb_neg(t, t);
    zeta(t, t, prec);
    acb_mul(t, t, n, prec);
    acb_neg(out, t);
    if (acb_is_zero(n)) acb_one(out);
    acb_clear(t);
}
static void euler(acb_t out, const acb_t n, slong prec) {
    slong k;
    acb_zero(out);
    if (cc_ball_small_int(n, &k) && k >= 0 && k < 1000000)
        arb_euler_number_ui(acb_realref(out), (ulong)k, prec);
    else
        acb_indeterminate(out);
}
static void harmonic(acb_t out, const acb_t n, slong prec) {
    arb_t t;
    arb_init(t);
    acb_add_ui(out, n, 1, prec);
    acb_digamma(out, out, prec);
    arb_const_euler(t, prec);
    acb_add_arb(out, out, t, prec);
    arb_clear(t);
}
static void catalan(acb_t out, const acb_t n, slong prec) { // 4^n gamma(n + 1/2) / (sqrt(pi) gamma(n + 2))
    acb_t t, u;
    acb_init(t);
    acb_init(u);
    acb_set_d(t, 0.5);
    acb_add(t, n, t, prec);
    acb_gamma(t, t, prec);
    acb_add_ui(u, n, 2, prec);
    acb_rgamma(u, u, prec);
    acb_mul(t, t, u, prec);
    arb_const_log2(acb_realref(u), prec);
    arb_zero(acb_imagref(u));
    acb_mul(u, u, n, prec);
    acb_mul_2exp_si(u, u, 1);
    acb_exp(u, u, prec);
    acb_mul(t, t, u, prec);
    arb_const_sqrt_pi(acb_realref(u), prec);
    acb_div_arb(out, t, acb_realref(u), prec);
    acb_clear(t);
    acb_clear(u);
}

static const struct {
    unary f;
    cc_reality real;
} unaries[CC_F_COUNT] = {
    [CC_F_EXP] = {acb_exp, CC_ANYWHERE},
    [CC_F_LOG] = {acb_log, CC_POSITIVE},
    [CC_F_SIN] = {acb_sin, CC_ANYWHERE},
    [CC_F_COS] = {acb_cos, CC_ANYWHERE},
    [CC_F_TAN] = {acb_tan, CC_ANYWHERE},
    [CC_F_COT] = {acb_cot, CC_ANYWHERE},
    [CC_F_SEC] = {acb_sec, CC_ANYWHERE},
    [CC_F_CSC] = {acb_csc, CC_ANYWHERE},
    [CC_F_ASIN] = {acb_asin, CC_INSIDE},
    [CC_F_ACOS] = {acb_acos, CC_INSIDE},
    [CC_F_ATAN] = {acb_atan, CC_ANYWHERE},
    [CC_F_ACOT] = {acot, CC_ANYWHERE},
    [CC_F_ASEC] = {asec, CC_OUTSIDE},
    [CC_F_ACSC] = {acsc, CC_OUTSIDE},
    [CC_F_SINH] = {acb_sinh, CC_ANYWHERE},
    [CC_F_COSH] = {acb_cosh, CC_ANYWHERE},
    [CC_F_TANH] = {acb_tanh, CC_ANYWHERE},
    [CC_F_COTH] = {acb_coth, CC_ANYWHERE},
    [CC_F_SECH] = {acb_sech, CC_ANYWHERE},
    [CC_F_CSCH] = {acb_csch, CC_ANYWHERE},
    [CC_F_ASINH] = {acb_asinh, CC_ANYWHERE},
    [CC_F_ACOSH] = {acb_acosh, CC_OUTSIDE},
    [CC_F_ATANH] = {acb_atanh, CC_INSIDE},
    [CC_F_ACOTH] = {acoth, CC_OUTSIDE},
    [CC_F_ASECH] = {asech, CC_INSIDE},
    [CC_F_ACSCH] = {acsch, CC_ANYWHERE},
    [CC_F_SINC] = {acb_sinc, CC_ANYWHERE},
    [CC_F_ABS] = {modulus, CC_ANYWHERE},
    [CC_F_SIGN] = {sign, CC_ANYWHERE},
    [CC_F_FLOOR] = {floor_of, CC_ANYWHERE},
    [CC_F_CEIL] = {ceiling_of, CC_ANYWHERE},
    [CC_F_FRAC] = {fraction, CC_ANYWHERE},
    [CC_F_RE] = {real_part, CC_ANYWHERE},
    [CC_F_IM] = {imaginary_part, CC_ANYWHERE},
    [CC_F_ARG] = {argument, CC_ANYWHERE},
    [CC_F_CONJUGATE] = {conjugate, CC_ANYWHERE},
    [CC_F_HEAVISIDE] = {heaviside, CC_ANYWHERE},
    [CC_F_DIRAC] = {dirac, CC_ANYWHERE},
    [CC_F_GAMMA] = {acb_gamma, CC_ANYWHERE},
    [CC_F_LOGGAMMA] = {acb_lgamma, CC_POSITIVE},
    [CC_F_DIGAMMA] = {acb_digamma, CC_ANYWHERE},
    [CC_F_ZETA] = {zeta, CC_ANYWHERE},
    [CC_F_ERF] = {acb_hypgeom_erf, CC_ANYWHERE},
    [CC_F_ERFC] = {acb_hypgeom_erfc, CC_ANYWHERE},
    [CC_F_ERFI] = {acb_hypgeom_erfi, CC_ANYWHERE},
    [CC_F_EI] = {acb_hypgeom_ei, CC_ANYWHERE},
    [CC_F_LI] = {li, CC_POSITIVE},
    [CC_F_SI] = {acb_hypgeom_si, CC_ANYWHERE},
    [CC_F_CI] = {acb_hypgeom_ci, CC_POSITIVE},
    [CC_F_SHI] = {acb_hypgeom_shi, CC_ANYWHERE},
    [CC_F_CHI] = {acb_hypgeom_chi, CC_POSITIVE},
    [CC_F_FRESNELS] = {fresnel_s, CC_ANYWHERE},
    [CC_F_FRESNELC] = {fresnel_c, CC_ANYWHERE},
    [CC_F_LAMBERTW] = {lambert, CC_POSITIVE},
    [CC_F_AIRYAI] = {airy_ai, CC_ANYWHERE},
    [CC_F_AIRYBI] = {airy_bi, CC_ANYWHERE},
    [CC_F_AIRYAIPRIME] = {airy_aip, CC_ANYWHERE},
    [CC_F_AIRYBIPRIME] = {airy_bip, CC_ANYWHERE},
    [CC_F_ELLIPTIC_K] = {acb_elliptic_k, CC_BELOW_ONE},
    [CC_F_ELLIPTIC_E] = {acb_elliptic_e, CC_BELOW_ONE},
    [CC_F_FACTORIAL] = {factorial, CC_ANYWHERE},
    [CC_F_FACTORIAL2] = {factorial2, CC_ANYWHERE},
    [CC_F_FIBONACCI] = {fibonacci, CC_ANYWHERE},
    [CC_F_LUCAS] = {lucas, CC_ANYWHERE},
    [CC_F_BERNOULLI] = {bernoulli, CC_ANYWHERE},
    [CC_F_EULER] = {euler, CC_ANYWHERE},
    [CC_F_HARMONIC] = {harmonic, CC_ANYWHERE},
    [CC_F_CATALAN] = {catalan, CC_ANYWHERE},
};

bool cc_x_enclose_one(cc_xfn fn, acb_t out, const acb_t a, slong prec) {
    if (!unaries[fn].f) return false;
    const bool real = cc_ball_real_there(a, unaries[fn].real);
    unaries[fn].f(out, a, prec);
    if (real && arb_contains_zero(acb_imagref(out))) arb_zero(acb_imagref(out));
    return acb_is_finite(out);
}
