// Enclosures of exact reals by ball arithmetic (Arb). Called by exact.c (signs, floors) and decimal.c. Each node keeps its last
// ball. An enclosure is always right: a ball that is too wide costs another round at higher precision, never a wrong digit.
#include "math/real.h"

#include <flint/arb_hypgeom.h>

static void rat_ball(arb_t out, const fmpq_t q, slong prec) { arb_set_fmpq(out, q, prec); }

static void log_ball(cc_reals *r, arb_t out, cc_real *a, slong prec) {
    if (cc_real_is_int(a) && fmpz_abs_fits_ui(fmpq_numref(a->q)))
        arb_log_ui(out, fmpz_get_ui(fmpq_numref(a->q)), prec);
    else
        arb_log(out, cc_real_ball(r, a, prec), prec);
}

static void compute(cc_reals *r, cc_real *x, arb_t out, slong prec) {
    arb_srcptr a = NULL;
    if (x->a && x->op != CC_R_LOG) a = cc_real_ball(r, x->a, prec);
    switch (x->op) {
    case CC_R_RAT: rat_ball(out, x->q, prec); return;
    case CC_R_PI: arb_const_pi(out, prec); return;
    case CC_R_EULER: arb_const_euler(out, prec); return;
    case CC_R_ADD: arb_add(out, a, cc_real_ball(r, x->b, prec), prec); return;
    case CC_R_MUL: arb_mul(out, a, cc_real_ball(r, x->b, prec), prec); return;
    case CC_R_POWI: {
        fmpz_t e;
        fmpz_init_set_si(e, x->n);
        arb_pow_fmpz(out, a, e, prec);
        fmpz_clear(e);
        return;
    }
    case CC_R_ROOT: arb_root_ui(out, a, (ulong)x->n, prec); return;
    case CC_R_POW: {
        arb_t t;
        arb_init(t);
        log_ball(r, t, x->a, prec);
        arb_mul(t, t, cc_real_ball(r, x->b, prec), prec);
        arb_exp(out, t, prec);
        arb_clear(t);
        return;
    }
    case CC_R_EXP:
        if (x->a->op == CC_R_RAT && fmpq_is_one(x->a->q))
            arb_const_e(out, prec);
        else
            arb_exp(out, a, prec);
        return;
    case CC_R_LOG: log_ball(r, out, x->a, prec); return;
    case CC_R_SIN: arb_sin(out, a, prec); return;
    case CC_R_COS: arb_cos(out, a, prec); return;
    case CC_R_TAN: arb_tan(out, a, prec); return;
    case CC_R_ASIN: arb_asin(out, a, prec); return;
    case CC_R_ACOS: arb_acos(out, a, prec); return;
    case CC_R_ATAN: arb_atan(out, a, prec); return;
    case CC_R_SINH: arb_sinh(out, a, prec); return;
    case CC_R_COSH: arb_cosh(out, a, prec); return;
    case CC_R_TANH: arb_tanh(out, a, prec); return;
    case CC_R_ASINH: arb_asinh(out, a, prec); return;
    case CC_R_ACOSH: arb_acosh(out, a, prec); return;
    case CC_R_ATANH: arb_atanh(out, a, prec); return;
    case CC_R_GAMMA:
        // The series for rational arguments is much faster at high precision; its cost grows with the argument.
        if (x->a->op == CC_R_RAT && fmpz_cmp_si(fmpq_numref(x->a->q), 10000) < 0 && fmpz_cmp_si(fmpq_denref(x->a->q), 10000) < 0)
            arb_gamma_fmpq(out, x->a->q, prec);
        else
            arb_gamma(out, a, prec);
        return;
    case CC_R_LGAMMA: arb_lgamma(out, a, prec); return;
    case CC_R_DIGAMMA: arb_digamma(out, a, prec); return;
    case CC_R_ERF: arb_hypgeom_erf(out, a, prec); return;
    case CC_R_ERFC: arb_hypgeom_erfc(out, a, prec); return;
    case CC_R_ERFI: arb_hypgeom_erfi(out, a, prec); return;
    case CC_R_ZETA:
        if (arf_cmp_si(arb_midref(a), prec + 10) > 0 && arb_is_positive(a)) { // 1 < zeta(s) < 1 + 2^(1-s) for s > 2
            arb_sub_si(out, a, prec + 2, 64);
            if (arb_is_positive(out)) {
                arb_one(out);
                arb_add_error_2exp_si(out, -prec);
                return;
            }
        }
        if (cc_real_is_int(x->a) && fmpz_cmp_ui(fmpq_numref(x->a->q), 1) > 0 && fmpz_abs_fits_ui(fmpq_numref(x->a->q)))
            arb_zeta_ui(out, fmpz_get_ui(fmpq_numref(x->a->q)), prec);
        else
            arb_zeta(out, a, prec);
        return;
    }
}

arb_srcptr cc_real_ball(cc_reals *r, cc_real *x, slong prec) {
    if (x->ball_prec >= prec) return x->ball;
    if (!x->ball_prec) arb_init(x->ball);
    x->ball_prec = prec; // set first: the graph has no cycles, and an interrupted computation ends the process
    compute(r, x, x->ball, prec);
    return x->ball;
}

bool cc_arb_unique_integer(fmpz_t out, const arb_t x) {
    mag_t top;
    mag_init(top);
    arb_get_mag(top, x);
    bool ok;
    if (mag_cmp_2exp_si(top, -1) < 0) { // nothing but 0, and FLINT aborts on very small numbers too
        fmpz_zero(out);
        ok = arb_contains_zero(x);
    } else {
        ok = mag_cmp_2exp_si(top, CC_MAX_BITS) < 0 && arb_get_unique_fmpz(out, x);
    }
    mag_clear(top);
    return ok;
}
