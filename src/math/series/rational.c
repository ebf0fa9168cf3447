// Power series with rational coefficients: the fast way of taylor.c. FLINT's polynomials over the rationals do the arithmetic; what has any
// other coefficient (exp(1 + w)), logarithm of w or root of w is left to the general series. Called by taylor.c. Owns the polynomials
// between a call and its return. Never returns a term that is not proven: every value carries the order up to which it is known.
#include <flint/fmpq_poly.h>
#include <stdlib.h>

#include "math/series/series.h"

#define EXACT (WORD(1) << 40) // the order of a polynomial, which is known wholly

// w**v * p + O(w**order); p has length at most order - v. Zero: p = 0.
typedef struct rs {
    fmpq_poly_t p;
    slong v, order;
} rs;

typedef struct expansion {
    cc_alg *g;
    cc_xp w;
    slong n;     // relative precision: terms kept
    bool short_; // more terms may help
} expansion;

static bool walk(expansion *e, cc_xp f, rs *out);

// p's lowest power is made 0, and p cut to what is known and wanted.
static void normalize(const expansion *e, rs *a) {
    slong low = 0, length = fmpq_poly_length(a->p);
    while (low < length && fmpz_is_zero(a->p->coeffs + low)) low++;
    if (low == length) { // nothing but the order
        a->v = 0;
        return;
    }
    if (low) fmpq_poly_shift_right(a->p, a->p, low), a->v += low;
    if (fmpq_poly_length(a->p) > e->n) {
        fmpq_poly_truncate(a->p, e->n);
        if (a->order > a->v + e->n) a->order = a->v + e->n;
    }
    if (a->order < EXACT && fmpq_poly_length(a->p) > a->order - a->v) fmpq_poly_truncate(a->p, a->order > a->v ? a->order - a->v : 0);
    if (fmpq_poly_is_zero(a->p)) a->v = 0;
}

static bool is_zero(const rs *a) { return fmpq_poly_is_zero(a->p); }
// Nothing of a is below this power.
static slong valuation(const rs *a) { return is_zero(a) ? a->order : a->v; }

static void add(const expansion *e, rs *out, const rs *b) { // out += b
    if (is_zero(b) || is_zero(out)) {
        slong order = out->order < b->order ? out->order : b->order;
        if (is_zero(out)) fmpq_poly_set(out->p, b->p), out->v = b->v;
        out->order = order;
    } else {
        slong v = out->v < b->v ? out->v : b->v;
        fmpq_poly_t t;
        fmpq_poly_init(t);
        fmpq_poly_shift_left(out->p, out->p, out->v - v);
        fmpq_poly_shift_left(t, b->p, b->v - v);
        fmpq_poly_add(out->p, out->p, t);
        fmpq_poly_clear(t);
        out->v = v;
        if (b->order < out->order) out->order = b->order;
    }
    normalize(e, out);
}

static slong plus(slong order, slong v) { return order >= EXACT || v >= EXACT ? EXACT : order + v; }

static void multiply(const expansion *e, rs *out, const rs *b) { // out *= b
    slong order = plus(out->order, valuation(b)), other = plus(b->order, valuation(out));
    fmpq_poly_mullow(out->p, out->p, b->p, e->n);
    slong kept = fmpq_poly_length(out->p);
    out->v += b->v;
    out->order = order < other ? order : other;
    if (kept == e->n && out->order > out->v + e->n) out->order = out->v + e->n; // mullow may have cut it
    normalize(e, out);
}

// The terms known after the first, at most e->n.
static slong known(const expansion *e, const rs *a) { return a->order - a->v < e->n ? a->order - a->v : e->n; }

// a**(num/den), where the first coefficient has such a root in the rationals. Roots of powers of w are left to the general series:
// sqrt(w**2) is w on one side only.
static bool power(expansion *e, rs *a, const fmpq *r) {
    if (is_zero(a)) {
        e->short_ = a->order < EXACT;
        return false;
    }
    slong num, den, n = known(e, a);
    if (!fmpz_fits_si(fmpq_numref(r)) || !fmpz_fits_si(fmpq_denref(r))) return false;
    num = fmpz_get_si(fmpq_numref(r)), den = fmpz_get_si(fmpq_denref(r));
    if (den > 64 || num > 100000 || num < -100000 || (den > 1 && a->v)) return false;
    bool ok = true, finite = a->order >= EXACT && fmpq_poly_length(a->p) == 1;
    fmpq_t c;
    fmpq_init(c);
    fmpq_poly_get_coeff_fmpq(c, a->p, 0);
    if (fmpz_bits(fmpq_numref(c)) * (ulong)labs(num) > 100000 || fmpz_bits(fmpq_denref(c)) * (ulong)labs(num) > 100000) ok = false;
    fmpq_poly_scalar_div_fmpq(a->p, a->p, c); // 1 + …
    if (ok && den > 1)
        ok = fmpz_sgn(fmpq_numref(c)) > 0 && fmpz_root(fmpq_numref(c), fmpq_numref(c), den) &&
             fmpz_root(fmpq_denref(c), fmpq_denref(c), den);
    if (ok) {
        if (num < 0) fmpq_inv(c, c);
        fmpq_pow_si(c, c, labs(num));
        if (den == 1 && num == -1) {
            fmpq_poly_inv_series(a->p, a->p, n);
        } else if (den == 1 && num > 0) {
            fmpq_poly_pow_trunc(a->p, a->p, (ulong)num, n);
            finite = finite || (a->order >= EXACT && fmpq_poly_length(a->p) < n);
        } else if (!finite) {
            fmpq_poly_log_series(a->p, a->p, n);
            fmpq_poly_scalar_mul_fmpq(a->p, a->p, r);
            fmpq_poly_exp_series(a->p, a->p, n);
        }
        fmpq_poly_scalar_mul_fmpq(a->p, a->p, c);
        a->v *= num;
        a->order = finite ? EXACT : a->v + n;
        normalize(e, a);
    }
    fmpq_clear(c);
    return ok;
}

typedef void (*series_fn)(fmpq_poly_t out, const fmpq_poly_t p, slong n);

// The table: functions that are analytic with rational coefficients where their argument is 0 (exp(0) = 1, log at 1).
static series_fn function_of(cc_xfn fn) {
    switch (fn) {
    case CC_F_EXP: return fmpq_poly_exp_series;
    case CC_F_LOG: return fmpq_poly_log_series;
    case CC_F_SIN: return fmpq_poly_sin_series;
    case CC_F_COS: return fmpq_poly_cos_series;
    case CC_F_TAN: return fmpq_poly_tan_series;
    case CC_F_SINH: return fmpq_poly_sinh_series;
    case CC_F_COSH: return fmpq_poly_cosh_series;
    case CC_F_TANH: return fmpq_poly_tanh_series;
    case CC_F_ASIN: return fmpq_poly_asin_series;
    case CC_F_ATAN: return fmpq_poly_atan_series;
    case CC_F_ASINH: return fmpq_poly_asinh_series;
    case CC_F_ATANH: return fmpq_poly_atanh_series;
    default: return NULL;
    }
}

// The function whose reciprocal fn is.
static cc_xfn reciprocal_of(cc_xfn fn) {
    switch (fn) {
    case CC_F_SEC: return CC_F_COS;
    case CC_F_CSC: return CC_F_SIN;
    case CC_F_COT: return CC_F_TAN;
    case CC_F_SECH: return CC_F_COSH;
    case CC_F_CSCH: return CC_F_SINH;
    case CC_F_COTH: return CC_F_TANH;
    default: return CC_F_COUNT;
    }
}

// LambertW: the inverse of w*exp(w).
static void lambert(fmpq_poly_t out, const fmpq_poly_t p, slong n) {
    fmpq_poly_t t;
    fmpq_poly_init(t);
    fmpq_poly_set_coeff_si(t, 1, 1);
    fmpq_poly_exp_series(t, t, n);
    fmpq_poly_shift_left(t, t, 1);
    fmpq_poly_truncate(t, n);
    fmpq_poly_revert_series(t, t, n);
    fmpq_poly_compose_series(out, t, p, n);
    fmpq_poly_clear(t);
}

static bool apply(expansion *e, cc_xfn fn, rs *a) {
    cc_xfn under = reciprocal_of(fn);
    if (under != CC_F_COUNT) {
        fmpq_t minus_one;
        fmpq_init(minus_one);
        fmpq_set_si(minus_one, -1, 1);
        bool ok = apply(e, under, a) && power(e, a, minus_one);
        fmpq_clear(minus_one);
        return ok;
    }
    series_fn f = fn == CC_F_LAMBERTW ? lambert : function_of(fn);
    slong v = valuation(a);
    if (!f) return false;
    if (is_zero(a) && a->order <= 0) {
        e->short_ = true;
        return false;
    }
    if (fn == CC_F_LOG ? is_zero(a) || v != 0 : v <= 0) return false;
    // from here on as a polynomial whose constant term is 0 (log: 1), known below `order`
    slong order = a->order < e->n ? a->order : e->n;
    if (!is_zero(a)) fmpq_poly_shift_left(a->p, a->p, a->v);
    a->v = 0;
    fmpq_poly_truncate(a->p, order);
    if (fn == CC_F_LOG) {
        fmpq_t c;
        fmpq_init(c);
        fmpq_poly_get_coeff_fmpq(c, a->p, 0);
        bool one = fmpq_is_one(c);
        fmpq_clear(c);
        if (!one) return false;
    }
    f(a->p, a->p, order);
    a->order = order;
    normalize(e, a);
    return true;
}

static bool walk_many(expansion *e, cc_xp f, rs *out) {
    rs b;
    bool ok = walk(e, f->args[0], out);
    for (uint32_t i = 1; ok && i < f->n; i++) {
        fmpq_poly_init(b.p);
        ok = walk(e, f->args[i], &b);
        if (ok) f->kind == CC_X_ADD ? add(e, out, &b) : multiply(e, out, &b);
        fmpq_poly_clear(b.p);
    }
    return ok;
}

static bool walk(expansion *e, cc_xp f, rs *out) {
    out->v = 0, out->order = EXACT;
    if (!cc_alg_may_search(e->g)) return false;
    if (f == e->w) {
        fmpq_poly_set_coeff_si(out->p, 1, 1);
        normalize(e, out);
        return true;
    }
    switch (f->kind) {
    case CC_X_NUM: fmpq_poly_set_fmpq(out->p, f->num); return true;
    case CC_X_ADD:
    case CC_X_MUL: return walk_many(e, f, out);
    case CC_X_POW: return cc_x_is_num(f->args[1]) && walk(e, f->args[0], out) && power(e, out, f->args[1]->num);
    case CC_X_FUN: return f->n == 1 && walk(e, f->args[0], out) && apply(e, (cc_xfn)f->fn, out);
    default: return false;
    }
}

bool cc_series_rational(cc_alg *g, cc_xp f, cc_xp w, slong n, slong most, cc_ps *out) {
    for (slong keep = n + 2; keep <= most; keep *= 2) {
        expansion e = {.g = g, .w = w, .n = keep};
        rs a;
        fmpq_poly_init(a.p);
        bool ok = walk(&e, f, &a), reached = ok && a.order >= n;
        if (reached) {
            slong length = fmpq_poly_length(a.p);
            *out = (cc_ps){CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)length + 1), CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)length + 1), 0,
                           a.order >= EXACT ? NULL : cc_x_int(g, a.order)};
            fmpq_t c;
            fmpq_init(c);
            for (slong i = 0; i < length; i++) {
                fmpq_poly_get_coeff_fmpq(c, a.p, i);
                if (fmpq_is_zero(c)) continue;
                out->c[out->n] = cc_x_num(g, c);
                out->e[out->n++] = cc_x_int(g, a.v + i);
            }
            fmpq_clear(c);
        }
        fmpq_poly_clear(a.p);
        if (reached) return true;
        if (!ok && !e.short_) return false;
    }
    return false;
}
