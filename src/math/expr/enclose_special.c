// The functions of the table over complex balls: principal values as SymPy and mpmath define them. Called by enclose.c. Knows nothing of
// expressions and owns nothing. FLINT's functions take the union of both sides where a ball touches a branch cut (tests/unit/test_enclose.c
// checks it against mpmath); what is composed here keeps that. A result that is not finite is no enclosure.
#include "math/expr/enclose.h"

#include <flint/acb_elliptic.h>
#include <flint/acb_hypgeom.h>
#include <flint/arb_hypgeom.h>

typedef void (*unary)(acb_t, const acb_t, slong);

// For which real arguments a function of one argument is real.
typedef enum reality { ANYWHERE, POSITIVE, BELOW_ONE, INSIDE, OUTSIDE } reality; // INSIDE: |x| < 1, OUTSIDE: |x| > 1

static bool is_real(const acb_t z) { return arb_is_zero(acb_imagref(z)); }

// The real part is larger than n, or the ball is the number n and `or_equal` is set.
static bool above(const acb_t z, slong n) {
    arb_t t;
    arb_init(t);
    arb_sub_si(t, acb_realref(z), n, 64);
    bool yes = arb_is_positive(t);
    arb_clear(t);
    return yes;
}

static bool real_there(const acb_t z, reality where) {
    if (!is_real(z)) return false;
    arb_t t;
    arb_init(t);
    arb_abs(t, acb_realref(z));
    arb_sub_si(t, t, 1, 64);
    bool outside = arb_is_positive(t), inside = arb_is_negative(t);
    arb_clear(t);
    switch (where) {
    case POSITIVE: return arb_is_positive(acb_realref(z));
    case BELOW_ONE: return inside || arb_is_negative(acb_realref(z));
    case INSIDE: return inside;
    case OUTSIDE: return outside;
    default: return true;
    }
}

static bool small_int(const acb_t z, slong *n) {
    if (!acb_is_int(z) || arf_cmpabs_2exp_si(arb_midref(acb_realref(z)), 40) > 0) return false;
    *n = arf_get_si(arb_midref(acb_realref(z)), ARF_RND_DOWN);
    return true;
}

static bool within(const acb_t z, double limit) {
    mag_t m;
    mag_init(m);
    acb_get_mag(m, z);
    bool yes = mag_cmp_2exp_si(m, 60) < 0 && mag_get_d(m) <= limit;
    mag_clear(m);
    return yes;
}

static bool finish(acb_t out) { return acb_is_finite(out); }

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
    if (is_real(z)) {
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
    if (!is_real(z) || (arb_contains_zero(acb_realref(z)) && !acb_is_zero(z)))
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
    if (above(s, prec + 10)) {
        bool real = is_real(s);
        acb_one(out);
        arb_add_error_2exp_si(acb_realref(out), -prec);
        if (!real) arb_add_error_2exp_si(acb_imagref(out), -prec);
    } else if (within(s, 1e6)) {
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
    if (small_int(n, &k) && k >= 0 && k < 1000000)
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
    reality real;
} unaries[CC_F_COUNT] = {
    [CC_F_EXP] = {acb_exp, ANYWHERE},
    [CC_F_LOG] = {acb_log, POSITIVE},
    [CC_F_SIN] = {acb_sin, ANYWHERE},
    [CC_F_COS] = {acb_cos, ANYWHERE},
    [CC_F_TAN] = {acb_tan, ANYWHERE},
    [CC_F_COT] = {acb_cot, ANYWHERE},
    [CC_F_SEC] = {acb_sec, ANYWHERE},
    [CC_F_CSC] = {acb_csc, ANYWHERE},
    [CC_F_ASIN] = {acb_asin, INSIDE},
    [CC_F_ACOS] = {acb_acos, INSIDE},
    [CC_F_ATAN] = {acb_atan, ANYWHERE},
    [CC_F_ACOT] = {acot, ANYWHERE},
    [CC_F_ASEC] = {asec, OUTSIDE},
    [CC_F_ACSC] = {acsc, OUTSIDE},
    [CC_F_SINH] = {acb_sinh, ANYWHERE},
    [CC_F_COSH] = {acb_cosh, ANYWHERE},
    [CC_F_TANH] = {acb_tanh, ANYWHERE},
    [CC_F_COTH] = {acb_coth, ANYWHERE},
    [CC_F_SECH] = {acb_sech, ANYWHERE},
    [CC_F_CSCH] = {acb_csch, ANYWHERE},
    [CC_F_ASINH] = {acb_asinh, ANYWHERE},
    [CC_F_ACOSH] = {acb_acosh, OUTSIDE},
    [CC_F_ATANH] = {acb_atanh, INSIDE},
    [CC_F_ACOTH] = {acoth, OUTSIDE},
    [CC_F_ASECH] = {asech, INSIDE},
    [CC_F_ACSCH] = {acsch, ANYWHERE},
    [CC_F_SINC] = {acb_sinc, ANYWHERE},
    [CC_F_ABS] = {modulus, ANYWHERE},
    [CC_F_SIGN] = {sign, ANYWHERE},
    [CC_F_FLOOR] = {floor_of, ANYWHERE},
    [CC_F_CEIL] = {ceiling_of, ANYWHERE},
    [CC_F_FRAC] = {fraction, ANYWHERE},
    [CC_F_RE] = {real_part, ANYWHERE},
    [CC_F_IM] = {imaginary_part, ANYWHERE},
    [CC_F_ARG] = {argument, ANYWHERE},
    [CC_F_CONJUGATE] = {conjugate, ANYWHERE},
    [CC_F_HEAVISIDE] = {heaviside, ANYWHERE},
    [CC_F_DIRAC] = {dirac, ANYWHERE},
    [CC_F_GAMMA] = {acb_gamma, ANYWHERE},
    [CC_F_LOGGAMMA] = {acb_lgamma, POSITIVE},
    [CC_F_DIGAMMA] = {acb_digamma, ANYWHERE},
    [CC_F_ZETA] = {zeta, ANYWHERE},
    [CC_F_ERF] = {acb_hypgeom_erf, ANYWHERE},
    [CC_F_ERFC] = {acb_hypgeom_erfc, ANYWHERE},
    [CC_F_ERFI] = {acb_hypgeom_erfi, ANYWHERE},
    [CC_F_EI] = {acb_hypgeom_ei, ANYWHERE},
    [CC_F_LI] = {li, POSITIVE},
    [CC_F_SI] = {acb_hypgeom_si, ANYWHERE},
    [CC_F_CI] = {acb_hypgeom_ci, POSITIVE},
    [CC_F_SHI] = {acb_hypgeom_shi, ANYWHERE},
    [CC_F_CHI] = {acb_hypgeom_chi, POSITIVE},
    [CC_F_FRESNELS] = {fresnel_s, ANYWHERE},
    [CC_F_FRESNELC] = {fresnel_c, ANYWHERE},
    [CC_F_LAMBERTW] = {lambert, POSITIVE},
    [CC_F_AIRYAI] = {airy_ai, ANYWHERE},
    [CC_F_AIRYBI] = {airy_bi, ANYWHERE},
    [CC_F_AIRYAIPRIME] = {airy_aip, ANYWHERE},
    [CC_F_AIRYBIPRIME] = {airy_bip, ANYWHERE},
    [CC_F_ELLIPTIC_K] = {acb_elliptic_k, BELOW_ONE},
    [CC_F_ELLIPTIC_E] = {acb_elliptic_e, BELOW_ONE},
    [CC_F_FACTORIAL] = {factorial, ANYWHERE},
    [CC_F_FACTORIAL2] = {factorial2, ANYWHERE},
    [CC_F_FIBONACCI] = {fibonacci, ANYWHERE},
    [CC_F_LUCAS] = {lucas, ANYWHERE},
    [CC_F_BERNOULLI] = {bernoulli, ANYWHERE},
    [CC_F_EULER] = {euler, ANYWHERE},
    [CC_F_HARMONIC] = {harmonic, ANYWHERE},
    [CC_F_CATALAN] = {catalan, ANYWHERE},
};

// ---- of two and more ----

static void beta(acb_t out, const acb_t a, const acb_t b, slong prec) {
    acb_t t, u;
    acb_init(t);
    acb_init(u);
    acb_gamma(t, a, prec);
    acb_gamma(u, b, prec);
    acb_mul(t, t, u, prec);
    acb_add(u, a, b, prec);
    acb_rgamma(u, u, prec);
    acb_mul(out, t, u, prec);
    acb_clear(t);
    acb_clear(u);
}

// The angle of (x, y); for complex arguments -i log((x + iy) / sqrt(x^2 + y^2)).
static void atan2_of(acb_t out, const acb_t y, const acb_t x, slong prec) {
    acb_t t, u;
    acb_init(t);
    acb_init(u);
    if (is_real(x) && is_real(y)) {
        acb_set_arb_arb(t, acb_realref(x), acb_realref(y));
        argument(out, t, prec);
    } else {
        acb_mul(t, x, x, prec);
        acb_mul(u, y, y, prec);
        acb_add(t, t, u, prec);
        acb_sqrt(t, t, prec);
        acb_mul_onei(u, y);
        acb_add(u, x, u, prec);
        acb_div(t, u, t, prec);
        acb_log(t, t, prec);
        acb_div_onei(out, t);
    }
    acb_clear(t);
    acb_clear(u);
}

static void falling(acb_t out, const acb_t x, const acb_t k, slong prec) {
    slong n;
    acb_t t, u;
    acb_init(t);
    acb_init(u);
    if (small_int(k, &n) && n >= 0 && n < 100000) { // x (x-1) … (x-n+1) = (x-n+1)_n
        acb_sub_si(t, x, n - 1, prec);
        acb_rising_ui(out, t, (ulong)n, prec);
    } else {
        acb_add_ui(t, x, 1, prec);
        acb_sub(u, t, k, prec);
        acb_gamma(t, t, prec);
        acb_rgamma(u, u, prec);
        acb_mul(out, t, u, prec);
    }
    acb_clear(t);
    acb_clear(u);
}

static void binomial(acb_t out, const acb_t x, const acb_t k, slong prec) {
    slong n;
    acb_t t;
    acb_init(t);
    if (small_int(k, &n) && n < 0) {
        acb_zero(out);
    } else {
        falling(out, x, k, prec);
        acb_add_ui(t, k, 1, prec);
        acb_rgamma(t, t, prec);
        acb_mul(out, out, t, prec);
    }
    acb_clear(t);
}

static void harmonic_of_order(acb_t out, const acb_t n, const acb_t m, slong prec) { // zeta(m) - zeta(m, n + 1)
    acb_t t, u;
    acb_init(t);
    acb_init(u);
    if (acb_is_one(m)) {
        harmonic(out, n, prec);
    } else if (!within(m, 1e4) || !within(n, 1e6)) {
        acb_indeterminate(out);
    } else {
        acb_add_ui(t, n, 1, prec);
        acb_hurwitz_zeta(t, m, t, prec);
        acb_zeta(u, m, prec);
        acb_sub(out, u, t, prec);
    }
    acb_clear(t);
    acb_clear(u);
}

static void modulo(acb_t out, const acb_t a, const acb_t b, slong prec) { // a - b floor(a/b)
    acb_t t;
    acb_init(t);
    acb_div(t, a, b, prec);
    rounded(t, t, false);
    acb_mul(t, t, b, prec);
    acb_sub(out, a, t, prec);
    acb_clear(t);
}

static void lambert_branch(acb_t out, const acb_t z, const acb_t branch, slong prec) {
    slong n;
    fmpz_t k;
    fmpz_init(k);
    if (small_int(branch, &n)) {
        fmpz_set_si(k, n);
        acb_lambertw(out, z, k, 0, prec);
    } else {
        acb_indeterminate(out);
    }
    fmpz_clear(k);
}

// Real order and positive argument: a real value, for the functions of that kind.
static bool real_and_positive(acb_srcptr a) { return is_real(a) && is_real(a + 1) && arb_is_positive(acb_realref(a + 1)); }

static bool of_two(cc_xfn fn, acb_t out, acb_srcptr a, slong prec) {
    bool real = false;
    slong k;
    const bool moderate = within(a, 1e5); // orders: what FLINT does with them takes time in proportion
    switch (fn) {
    case CC_F_ATAN2: atan2_of(out, a, a + 1, prec); break;
    case CC_F_MOD: modulo(out, a, a + 1, prec); break;
    case CC_F_POLYGAMMA:
        if (!moderate) return false;
        acb_polygamma(out, a, a + 1, prec);
        real = real_and_positive(a) || (acb_is_int(a) && is_real(a + 1));
        break;
    case CC_F_UPPERGAMMA:
        acb_hypgeom_gamma_upper(out, a, a + 1, 0, prec);
        real = real_and_positive(a);
        break;
    case CC_F_LOWERGAMMA:
        acb_hypgeom_gamma_lower(out, a, a + 1, 0, prec);
        real = real_and_positive(a);
        break;
    case CC_F_BETA:
        beta(out, a, a + 1, prec);
        real = is_real(a) && is_real(a + 1);
        break;
    case CC_F_ZETA:
        if (!moderate || !within(a + 1, 1e6)) return false;
        acb_hurwitz_zeta(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_POLYLOG:
        if (!within(a, 1e4)) return false;
        acb_polylog(out, a, a + 1, prec);
        real = is_real(a) && is_real(a + 1) && !above(a + 1, 0);
        break;
    case CC_F_EXPINT:
        acb_hypgeom_expint(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_LAMBERTW: lambert_branch(out, a, a + 1, prec); break;
    case CC_F_BESSELJ:
        if (!moderate) return false;
        acb_hypgeom_bessel_j(out, a, a + 1, prec);
        real = real_and_positive(a) || (acb_is_int(a) && is_real(a + 1));
        break;
    case CC_F_BESSELY:
        if (!moderate) return false;
        acb_hypgeom_bessel_y(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_BESSELI:
        if (!moderate) return false;
        acb_hypgeom_bessel_i(out, a, a + 1, prec);
        real = real_and_positive(a) || (acb_is_int(a) && is_real(a + 1));
        break;
    case CC_F_BESSELK:
        if (!moderate) return false;
        acb_hypgeom_bessel_k(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_ELLIPTIC_E:
        acb_elliptic_e_inc(out, a, a + 1, 0, prec);
        real = is_real(a) && real_there(a + 1, BELOW_ONE);
        break;
    case CC_F_ELLIPTIC_F:
        acb_elliptic_f(out, a, a + 1, 0, prec);
        real = is_real(a) && real_there(a + 1, BELOW_ONE);
        break;
    case CC_F_ELLIPTIC_PI:
        acb_elliptic_pi(out, a, a + 1, prec);
        real = real_there(a, BELOW_ONE) && real_there(a + 1, BELOW_ONE);
        break;
    case CC_F_BINOMIAL:
        binomial(out, a, a + 1, prec);
        real = is_real(a) && is_real(a + 1);
        break;
    case CC_F_RISING:
        if (small_int(a + 1, &k) && k >= 0 && k < 100000)
            acb_rising_ui(out, a, (ulong)k, prec);
        else
            acb_rising(out, a, a + 1, prec);
        real = is_real(a) && is_real(a + 1);
        break;
    case CC_F_FALLING:
        falling(out, a, a + 1, prec);
        real = is_real(a) && is_real(a + 1);
        break;
    case CC_F_HARMONIC: harmonic_of_order(out, a, a + 1, prec); break;
    case CC_F_KRONECKER:
        if (acb_is_exact(a) && acb_is_exact(a + 1))
            acb_set_si(out, acb_equal(a, a + 1));
        else if (!acb_overlaps(a, a + 1))
            acb_zero(out);
        else
            return false;
        break;
    default: return false;
    }
    if (real && arb_contains_zero(acb_imagref(out))) arb_zero(acb_imagref(out));
    return finish(out);
}

static bool largest(cc_xfn fn, acb_t out, acb_srcptr a, size_t n, slong prec) {
    for (size_t i = 0; i < n; i++) {
        if (!is_real(a + i)) return false;
        if (i == 0)
            acb_set(out, a);
        else if (fn == CC_F_MAX)
            arb_max(acb_realref(out), acb_realref(out), acb_realref(a + i), prec);
        else
            arb_min(acb_realref(out), acb_realref(out), acb_realref(a + i), prec);
    }
    return finish(out);
}

bool cc_x_enclose_fun(cc_xfn fn, acb_t out, acb_srcptr a, size_t n, slong prec) {
    if (fn == CC_F_MAX || fn == CC_F_MIN) return largest(fn, out, a, n, prec);
    if (n == 3 && fn == CC_F_ELLIPTIC_PI) {
        const bool real = real_there(a, BELOW_ONE) && is_real(a + 1) && real_there(a + 2, BELOW_ONE);
        acb_elliptic_pi_inc(out, a, a + 1, a + 2, 0, prec);
        if (real && arb_contains_zero(acb_imagref(out))) arb_zero(acb_imagref(out));
        return finish(out);
    }
    if (n == 2) return of_two(fn, out, a, prec);
    if (n != 1 || !unaries[fn].f) return false;
    const bool real = real_there(a, unaries[fn].real);
    unaries[fn].f(out, a, prec);
    if (real && arb_contains_zero(acb_imagref(out))) arb_zero(acb_imagref(out));
    return finish(out);
}

bool cc_x_enclose_hyper(acb_t out, acb_srcptr a, size_t p, acb_srcptr b, size_t q, const acb_t z, slong prec) {
    for (size_t i = 0; i < p; i++)
        if (!within(a + i, 1e5)) return false;
    for (size_t i = 0; i < q; i++)
        if (!within(b + i, 1e5)) return false;
    // p > q + 1: converges nowhere, unless it ends. p = q + 1: inside of the unit circle; FLINT continues 2F1 and 1F0 beyond it.
    bool ends = false;
    for (size_t i = 0; i < p; i++) ends = ends || (acb_is_int(a + i) && !above(a + i, 0));
    if (!ends && (p > q + 1 || (p == q + 1 && p > 2 && !within(z, 0.999)))) return false;
    acb_hypgeom_pfq(out, a, (slong)p, b, (slong)q, z, 0, prec);
    return finish(out);
}

// ---- powers ----

// |z|^e for a positive rational e, as a ball around zero: z may be zero.
static void power_near_zero(acb_t out, const acb_t z, const fmpq *e, slong prec) {
    arb_t m, t;
    arb_init(m);
    arb_init(t);
    acb_get_abs_ubound_arf(arb_midref(m), z, 53);
    if (arb_is_zero(m)) {
        acb_zero(out);
    } else {
        arb_set_fmpq(t, e, prec);
        arb_pow(m, m, t, 53);
        acb_zero(out);
        arb_add_error(acb_realref(out), m);
        arb_add_error(acb_imagref(out), m);
    }
    arb_clear(m);
    arb_clear(t);
}

bool cc_x_enclose_power(acb_t out, const acb_t base, const acb_t exponent, const fmpq *e, slong prec) {
    if (!e) {
        if (acb_is_zero(base) && arb_is_positive(acb_realref(exponent)))
            acb_zero(out);
        else
            acb_pow(out, base, exponent, prec);
        return finish(out);
    }
    const fmpz *p = fmpq_numref(e), *q = fmpq_denref(e);
    if (fmpz_is_one(q)) {
        acb_pow_fmpz(out, base, p, prec);
    } else if (acb_contains_zero(base)) {
        if (fmpz_sgn(p) < 0) return false;
        bool real = is_real(base) && !arb_is_negative(acb_realref(base)) && arb_is_nonnegative(acb_realref(base));
        power_near_zero(out, base, e, prec);
        if (real) arb_zero(acb_imagref(out));
    } else if (fmpz_cmp_ui(q, 64) <= 0 && fmpz_cmpabs(p, (fmpz[]){1000}) <= 0) {
        acb_root_ui(out, base, fmpz_get_ui(q), prec);
        acb_pow_fmpz(out, out, p, prec);
    } else {
        acb_pow(out, base, exponent, prec);
    }
    return finish(out);
}
