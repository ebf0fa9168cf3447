// The functions of the table over complex balls, those of several arguments and powers: principal values as SymPy and mpmath define them.
// Called by enclose.c. Knows nothing of expressions and owns nothing. FLINT's functions take the union of both sides where a ball touches a
// branch cut (tests/unit/test_enclose.c checks it against mpmath); what is composed here keeps that. A result that is not finite is no
// enclosure.
#include "math/expr/enclose_one.h"

#include <flint/acb_elliptic.h>
#include <flint/acb_hypgeom.h>
#include <flint/arb_hypgeom.h>

static bool finish(acb_t out) { return acb_is_finite(out); }

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
    if (cc_ball_is_real(x) && cc_ball_is_real(y)) {
        acb_set_arb_arb(t, acb_realref(x), acb_realref(y));
        cc_x_enclose_one(CC_F_ARG, out, t, prec);
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
    if (cc_ball_small_int(k, &n) && n >= 0 && n < 100000) { // x (x-1) … (x-n+1) = (x-n+1)_n
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
    if (cc_ball_small_int(k, &n) && n < 0) {
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
        cc_x_enclose_one(CC_F_HARMONIC, out, n, prec);
    } else if (!cc_ball_within(m, 1e4) || !cc_ball_within(n, 1e6)) {
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
    cc_x_enclose_one(CC_F_FLOOR, t, t, prec);
    acb_mul(t, t, b, prec);
    acb_sub(out, a, t, prec);
    acb_clear(t);
}

static void lambert_branch(acb_t out, const acb_t z, const acb_t branch, slong prec) {
    slong n;
    fmpz_t k;
    fmpz_init(k);
    if (cc_ball_small_int(branch, &n)) {
        fmpz_set_si(k, n);
        acb_lambertw(out, z, k, 0, prec);
    } else {
        acb_indeterminate(out);
    }
    fmpz_clear(k);
}

// Real order and positive argument: a real value, for the functions of that kind.
static bool real_and_positive(acb_srcptr a) { return cc_ball_is_real(a) && cc_ball_is_real(a + 1) && arb_is_positive(acb_realref(a + 1)); }

static bool of_two(cc_xfn fn, acb_t out, acb_srcptr a, slong prec) {
    bool real = false;
    slong k;
    const bool moderate = cc_ball_within(a, 1e5); // orders: what FLINT does with them takes time in proportion
    switch (fn) {
    case CC_F_ATAN2: atan2_of(out, a, a + 1, prec); break;
    case CC_F_MOD: modulo(out, a, a + 1, prec); break;
    case CC_F_POLYGAMMA:
        if (!moderate) return false;
        acb_polygamma(out, a, a + 1, prec);
        real = real_and_positive(a) || (acb_is_int(a) && cc_ball_is_real(a + 1));
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
        real = cc_ball_is_real(a) && cc_ball_is_real(a + 1);
        break;
    case CC_F_ZETA:
        if (!moderate || !cc_ball_within(a + 1, 1e6)) return false;
        acb_hurwitz_zeta(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_POLYLOG:
        if (!cc_ball_within(a, 1e4)) return false;
        acb_polylog(out, a, a + 1, prec);
        real = cc_ball_is_real(a) && cc_ball_is_real(a + 1) && !cc_ball_above(a + 1, 0);
        break;
    case CC_F_EXPINT:
        acb_hypgeom_expint(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_LAMBERTW: lambert_branch(out, a, a + 1, prec); break;
    case CC_F_BESSELJ:
        if (!moderate) return false;
        acb_hypgeom_bessel_j(out, a, a + 1, prec);
        real = real_and_positive(a) || (acb_is_int(a) && cc_ball_is_real(a + 1));
        break;
    case CC_F_BESSELY:
        if (!moderate) return false;
        acb_hypgeom_bessel_y(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_BESSELI:
        if (!moderate) return false;
        acb_hypgeom_bessel_i(out, a, a + 1, prec);
        real = real_and_positive(a) || (acb_is_int(a) && cc_ball_is_real(a + 1));
        break;
    case CC_F_BESSELK:
        if (!moderate) return false;
        acb_hypgeom_bessel_k(out, a, a + 1, prec);
        real = real_and_positive(a);
        break;
    case CC_F_ELLIPTIC_E:
        acb_elliptic_e_inc(out, a, a + 1, 0, prec);
        real = cc_ball_is_real(a) && cc_ball_real_there(a + 1, CC_BELOW_ONE);
        break;
    case CC_F_ELLIPTIC_F:
        acb_elliptic_f(out, a, a + 1, 0, prec);
        real = cc_ball_is_real(a) && cc_ball_real_there(a + 1, CC_BELOW_ONE);
        break;
    case CC_F_ELLIPTIC_PI:
        acb_elliptic_pi(out, a, a + 1, prec);
        real = cc_ball_real_there(a, CC_BELOW_ONE) && cc_ball_real_there(a + 1, CC_BELOW_ONE);
        break;
    case CC_F_BINOMIAL:
        binomial(out, a, a + 1, prec);
        real = cc_ball_is_real(a) && cc_ball_is_real(a + 1);
        break;
    case CC_F_RISING:
        if (cc_ball_small_int(a + 1, &k) && k >= 0 && k < 100000)
            acb_rising_ui(out, a, (ulong)k, prec);
        else
            acb_rising(out, a, a + 1, prec);
        real = cc_ball_is_real(a) && cc_ball_is_real(a + 1);
        break;
    case CC_F_FALLING:
        falling(out, a, a + 1, prec);
        real = cc_ball_is_real(a) && cc_ball_is_real(a + 1);
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
        if (!cc_ball_is_real(a + i)) return false;
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
        const bool real = cc_ball_real_there(a, CC_BELOW_ONE) && cc_ball_is_real(a + 1) && cc_ball_real_there(a + 2, CC_BELOW_ONE);
        acb_elliptic_pi_inc(out, a, a + 1, a + 2, 0, prec);
        if (real && arb_contains_zero(acb_imagref(out))) arb_zero(acb_imagref(out));
        return finish(out);
    }
    if (n == 2) return of_two(fn, out, a, prec);
    return n == 1 && cc_x_enclose_one(fn, out, a, prec);
}

bool cc_x_enclose_hyper(acb_t out, acb_srcptr a, size_t p, acb_srcptr b, size_t q, const acb_t z, slong prec) {
    for (size_t i = 0; i < p; i++)
        if (!cc_ball_within(a + i, 1e5)) return false;
    for (size_t i = 0; i < q; i++)
        if (!cc_ball_within(b + i, 1e5)) return false;
    // p > q + 1: converges nowhere, unless it ends. p = q + 1: inside of the unit circle; FLINT continues 2F1 and 1F0 beyond it.
    bool ends = false;
    for (size_t i = 0; i < p; i++) ends = ends || (acb_is_int(a + i) && !cc_ball_above(a + i, 0));
    if (!ends && (p > q + 1 || (p == q + 1 && p > 2 && !cc_ball_within(z, 0.999)))) return false;
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
        bool real = cc_ball_is_real(base) && !arb_is_negative(acb_realref(base)) && arb_is_nonnegative(acb_realref(base));
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
