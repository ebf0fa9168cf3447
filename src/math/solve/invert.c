// The inverse of one outer function: F(u) = c gives the values of u. Called by solve.c and trigonometric.c. Multivalued inverses get an
// integer dummy; conditions on c (a square root is never negative) are left to the check of the roots in the equation itself.
#include "math/solve/solve.h"

#include "math/simplify/simplify.h"

typedef struct inverse {
    cc_alg *g;
    cc_xp *values;
    size_t n;
} inverse;

static void give(inverse *s, cc_xp value) {
    for (size_t i = 0; i < s->n; i++)
        if (s->values[i] == value) return;
    if (s->n < CC_INVERSES) s->values[s->n++] = value;
}

// An integer that c has not, times step.
static cc_xp turns(cc_alg *g, cc_xp c, cc_xp step) { return cc_x_mul(g, cc_roots_integer_beside(g, &c, 1), step); }

// log(c) of a complex constant whose angle is a simple part of pi is written with that.
static cc_xp logarithm(cc_alg *g, cc_xp c) {
    cc_xp plain = cc_x_log(g, c);
    if (!cc_x_is_constant(c) || cc_x_is(g, c, CC_IS_REAL) != CC_FALSE) return plain;
    acb_t z;
    arb_t angle;
    acb_init(z), arb_init(angle);
    cc_xp out = plain;
    if (cc_x_enclose_to(g, z, c, NULL, 64)) {
        acb_arg(angle, z, 64);
        arb_const_pi(acb_realref(z), 64);
        arb_div(angle, angle, acb_realref(z), 64);
        for (slong q = 1; q <= 24 && out == plain; q++) {
            arb_mul_si(acb_imagref(z), angle, q, 64);
            slong p = arf_get_si(arb_midref(acb_imagref(z)), ARF_RND_NEAR);
            arb_sub_si(acb_imagref(z), acb_imagref(z), p, 64);
            if (!arb_contains_zero(acb_imagref(z))) continue;
            cc_xp turn = cc_x_mul(g, cc_x_frac(g, p, q), g->pi), size = cc_x_constant_simplify(g, cc_x_f1(g, CC_F_ABS, c));
            cc_xp again = cc_x_mul(g, size, cc_x_add(g, cc_x_f1(g, CC_F_COS, turn), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, turn))));
            if (cc_x_is_zero(g, cc_x_sub(g, again, c)) == CC_TRUE) out = cc_x_add(g, cc_x_log(g, size), cc_x_mul(g, g->i, turn));
        }
    }
    acb_clear(z), arb_clear(angle);
    return out;
}

// The function never takes the value w. False: c is that. A parameter is told what it must not be.
static bool differs(cc_alg *g, cc_xp c, cc_xp w) {
    cc_xp d = cc_x_sub(g, c, w);
    if (cc_x_is_constant(d)) return cc_x_is_zero(g, d) != CC_TRUE;
    cc_x_require_nonzero(g, d);
    return true;
}

// Neither w nor -w; one condition for both.
static bool differs_from_both(cc_alg *g, cc_xp c, cc_xp w) {
    if (w == g->i && cc_x_is(g, c, CC_IS_REAL) == CC_TRUE) return true;
    return differs(g, cc_x_powi(g, c, 2), cc_x_powi(g, w, 2));
}

static bool periodic(inverse *s, cc_xfn fn, cc_xp c) {
    cc_alg *g = s->g;
    cc_xp two_pi = cc_x_mul(g, g->two, g->pi), k2pi = turns(g, c, two_pi), kpi = turns(g, c, g->pi), inner, reciprocal;
    cc_xp ik2pi = cc_x_mul(g, g->i, k2pi), ikpi = cc_x_mul(g, g->i, kpi), ipi = cc_x_mul(g, g->i, g->pi);
    switch (fn) {
    case CC_F_SIN:
        inner = cc_x_f1(g, CC_F_ASIN, c);
        if (c == g->zero) { // both families together: every multiple of pi
            give(s, kpi);
            return true;
        }
        give(s, cc_x_add(g, inner, k2pi));
        give(s, cc_x_add(g, cc_x_sub(g, g->pi, inner), k2pi));
        return true;
    case CC_F_COS:
        inner = cc_x_f1(g, CC_F_ACOS, c);
        if (c == g->zero) {
            give(s, cc_x_add(g, cc_x_mul(g, g->half, g->pi), kpi));
            return true;
        }
        give(s, cc_x_add(g, inner, k2pi));
        give(s, cc_x_add(g, cc_x_neg(g, inner), k2pi));
        return true;
    case CC_F_TAN:
        if (differs_from_both(g, c, g->i)) give(s, cc_x_add(g, cc_x_f1(g, CC_F_ATAN, c), kpi));
        return true;
    case CC_F_COT:
        if (!differs_from_both(g, c, g->i)) return true;
        if (c == g->zero)
            give(s, cc_x_add(g, cc_x_mul(g, g->half, g->pi), kpi));
        else
            give(s, cc_x_add(g, cc_x_f1(g, CC_F_ATAN, cc_x_div(g, g->one, c)), kpi));
        return true;
    case CC_F_SEC:
    case CC_F_CSC:
        if (!differs(g, c, g->zero)) return true;
        reciprocal = cc_x_div(g, g->one, c);
        return periodic(s, fn == CC_F_SEC ? CC_F_COS : CC_F_SIN, reciprocal);
    case CC_F_SINH:
        inner = cc_x_f1(g, CC_F_ASINH, c);
        give(s, cc_x_add(g, inner, ik2pi));
        give(s, cc_x_add(g, cc_x_sub(g, ipi, inner), ik2pi));
        return true;
    case CC_F_COSH:
        inner = cc_x_f1(g, CC_F_ACOSH, c);
        give(s, cc_x_add(g, inner, ik2pi));
        give(s, cc_x_add(g, cc_x_neg(g, inner), ik2pi));
        return true;
    case CC_F_TANH:
        if (differs_from_both(g, c, g->one)) give(s, cc_x_add(g, cc_x_f1(g, CC_F_ATANH, c), ikpi));
        return true;
    case CC_F_COTH:
        if (!differs_from_both(g, c, g->one)) return true;
        inner = c == g->zero ? cc_x_mul(g, g->half, ipi) : cc_x_f1(g, CC_F_ATANH, cc_x_div(g, g->one, c));
        give(s, cc_x_add(g, inner, ikpi));
        return true;
    case CC_F_SECH:
    case CC_F_CSCH:
        if (!differs(g, c, g->zero)) return true;
        reciprocal = cc_x_div(g, g->one, c);
        return periodic(s, fn == CC_F_SECH ? CC_F_COSH : CC_F_SINH, reciprocal);
    case CC_F_EXP:
        if (differs(g, c, g->zero)) give(s, cc_x_add(g, logarithm(g, c), ik2pi));
        return true;
    default: return false;
    }
}

// Inverse functions of the table: their value has one argument.
static cc_xfn undo_of(cc_xfn fn) {
    switch (fn) {
    case CC_F_LOG: return CC_F_EXP;
    case CC_F_ASIN: return CC_F_SIN;
    case CC_F_ACOS: return CC_F_COS;
    case CC_F_ATAN: return CC_F_TAN;
    case CC_F_ACOT: return CC_F_COT;
    case CC_F_ASEC: return CC_F_SEC;
    case CC_F_ACSC: return CC_F_CSC;
    case CC_F_ASINH: return CC_F_SINH;
    case CC_F_ACOSH: return CC_F_COSH;
    case CC_F_ATANH: return CC_F_TANH;
    case CC_F_ACOTH: return CC_F_COTH;
    case CC_F_ASECH: return CC_F_SECH;
    case CC_F_ACSCH: return CC_F_CSCH;
    default: return CC_F_COUNT;
    }
}

// A logarithm's imaginary part lies in (-pi, pi].
static void principal(cc_alg *g, cc_xp c) {
    cc_xp im = cc_x_f1(g, CC_F_IM, c);
    if (!im || cc_x_is_constant(im)) return;
    cc_alg_condition(g, cc_x_and(g, cc_x_rel(g, CC_REL_LT, cc_x_neg(g, g->pi), im), cc_x_rel(g, CC_REL_LE, im, g->pi)));
}

bool cc_solve_invert(cc_alg *g, cc_xp outer, cc_xp v, cc_xp c, cc_xp *inner, cc_xp *values, size_t *n, bool *complete) {
    inverse s = {g, values, 0};
    *complete = true;
    *n = 0;
    if (!outer || !c) return false;
    if (outer->kind == CC_X_POW) {
        cc_xp base = outer->args[0], e = outer->args[1];
        if (cc_x_is_num(e)) {
            *inner = base;
            slong p, q;
            if (!fmpz_fits_si(fmpq_numref(e->num)) || !fmpz_fits_si(fmpq_denref(e->num))) return false;
            p = fmpz_get_si(fmpq_numref(e->num)), q = fmpz_get_si(fmpq_denref(e->num));
            // u**(p/q) = c: u**p = c**q; the roots of that which are none of the equation fail the check
            cc_xp right = cc_x_powi(g, c, q);
            if (p < 0) {
                if (!differs(g, c, g->zero)) return true;
                right = cc_x_div(g, g->one, right), p = -p;
            }
            if (p > CC_INVERSES) return false;
            for (slong j = 0; j < p; j++) {
                cc_xp angle = cc_x_mul(g, cc_x_frac(g, 2 * j, p), g->pi);
                cc_xp turn = cc_x_add(g, cc_x_f1(g, CC_F_COS, angle), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, angle)));
                give(&s, cc_x_expand(g, cc_x_mul(g, cc_x_pow(g, right, cc_x_frac(g, 1, p)), turn)));
            }
            *n = s.n;
            return true;
        }
        if (!cc_x_has(base, v)) { // b**u = c
            *inner = e;
            if (!differs(g, c, g->zero)) return true;
            if (base == g->one || base == g->zero) return false;
            if (!cc_x_is_constant(base)) differs(g, base, g->zero), differs(g, base, g->one);
            cc_xp log_b = cc_x_log(g, base), turn = cc_x_mul(g, cc_x_mul(g, g->two, g->i), turns(g, c, g->pi));
            give(&s, cc_x_div(g, cc_x_add(g, logarithm(g, c), turn), log_b));
            *n = s.n;
            return true;
        }
        *inner = base;
        if (c == g->zero) {
            if (cc_x_is(g, e, CC_IS_POSITIVE) != CC_TRUE)
                cc_alg_note(g, "%.*s is 0 only where re(%.*s) > 0", (int)cc_x_show(g, outer).n, cc_x_show(g, outer).p,
                            (int)cc_x_show(g, e).n, cc_x_show(g, e).p);
            give(&s, g->zero);
            *n = s.n;
            return true;
        }
        *complete = false; // u**e with a symbolic exponent: the principal value alone
        give(&s, cc_x_pow(g, c, cc_x_div(g, g->one, e)));
        *n = s.n;
        return true;
    }
    if (outer->kind != CC_X_FUN || outer->n != 1) return false;
    *inner = outer->args[0];
    cc_xfn undo = undo_of((cc_xfn)outer->fn);
    if (undo != CC_F_COUNT) {
        if (undo == CC_F_EXP && !cc_x_is_constant(c)) principal(g, c);
        give(&s, cc_x_f1(g, undo, c));
        *n = s.n;
        return true;
    }
    if (outer->fn == CC_F_LAMBERTW) {
        give(&s, cc_x_mul(g, c, cc_x_exp(g, c)));
        *n = s.n;
        return true;
    }
    bool ok = periodic(&s, (cc_xfn)outer->fn, c);
    *n = s.n;
    return ok;
}
