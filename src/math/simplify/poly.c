// Polynomials in one variable: coefficients that are expressions, or rationals in FLINT's type. Called by the folders beside for everything
// that looks at degrees and coefficients. Owns nothing; the fmpq_poly are the callers'.
#include "math/expr/expr.h"

#define MAX_DEGREE 100000

// ---- with rational coefficients ----

static bool to_poly(cc_alg *g, fmpq_poly_t out, cc_xp x, cc_xp v, unsigned depth) {
    if (!x || depth > CC_X_MAX_DEPTH || !cc_alg_go_on(g)) return false;
    if (x == v) {
        fmpq_poly_zero(out);
        fmpq_poly_set_coeff_si(out, 1, 1);
        return true;
    }
    if (x->kind == CC_X_NUM) {
        fmpq_poly_set_fmpq(out, x->num);
        return true;
    }
    if (x->kind == CC_X_POW) {
        slong n;
        if (!cc_x_fits_si(x->args[1], &n) || n < 0 || n > MAX_DEGREE) return false;
        if (x->args[0] == v) {
            fmpq_poly_zero(out);
            fmpq_poly_set_coeff_si(out, n, 1);
            return true;
        }
        if (!to_poly(g, out, x->args[0], v, depth + 1)) return false;
        slong length = fmpq_poly_length(out), degree = length - 1;
        if (degree * n > MAX_DEGREE || (length > 1 && (double)degree * (double)n * (double)n > 1e8)) return false;
        fmpq_poly_pow(out, out, (ulong)n);
        return true;
    }
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL) return false;
    fmpq_poly_t t;
    fmpq_poly_init(t);
    bool ok = true;
    if (x->kind == CC_X_ADD)
        fmpq_poly_zero(out);
    else
        fmpq_poly_one(out);
    fmpq_t c;
    fmpq_init(c);
    for (uint32_t i = 0; i < x->n && ok; i++) {
        cc_xp k, rest, base, exponent;
        slong n;
        ok = to_poly(g, t, x->args[i], v, depth + 1);
        if (!ok) break;
        if (x->kind == CC_X_ADD) {
            // a term c*v**n is put in place: sums of many terms stay linear
            cc_x_split_coefficient(g, x->args[i], &k, &rest);
            cc_x_split_power(g, rest, &base, &exponent);
            if (base == v && cc_x_is_num(k) && cc_x_fits_si(exponent, &n)) {
                fmpq_poly_get_coeff_fmpq(c, out, n);
                fmpq_add(c, c, k->num);
                fmpq_poly_set_coeff_fmpq(out, n, c);
            } else {
                fmpq_poly_add(out, out, t);
            }
        } else {
            fmpq_poly_mul(out, out, t);
            ok = fmpq_poly_degree(out) <= MAX_DEGREE;
        }
    }
    fmpq_clear(c);
    fmpq_poly_clear(t);
    return ok;
}

bool cc_x_to_fmpq_poly(cc_alg *g, fmpq_poly_t out, cc_xp x, cc_xp v) {
    if (!x || !v || g->err->code != CC_OK || !x->finite) return false;
    if (x->free & ~v->free) return false; // another symbol
    return to_poly(g, out, x, v, 0);
}

cc_xp cc_x_from_fmpq_poly(cc_alg *g, const fmpq_poly_t p, cc_xp v) {
    slong n = fmpq_poly_length(p);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)n + 1);
    size_t k = 0;
    fmpq_t c;
    fmpq_init(c);
    for (slong i = 0; i < n; i++) {
        fmpq_poly_get_coeff_fmpq(c, p, i);
        if (!fmpq_is_zero(c)) terms[k++] = cc_x_mul(g, cc_x_num(g, c), cc_x_powi(g, v, i));
    }
    fmpq_clear(c);
    return cc_x_addn(g, terms, k);
}

// ---- with any coefficients ----

typedef struct series { // c[0..n-1]
    cc_xp *c;
    slong n;
} series;

static series make(cc_alg *g, slong n) {
    series s = {CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)n), n};
    for (slong i = 0; i < n; i++) s.c[i] = cc_x_int(g, 0);
    return s;
}

static bool is_zero_number(cc_xp x) { return cc_x_is_num(x) && cc_x_num_sign(x) == 0; }

static bool times(cc_alg *g, series *out, series a, series b, slong most) {
    if (a.n == 0 || b.n == 0 || a.n + b.n - 2 > most) return false;
    series s = make(g, a.n + b.n - 1);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)(a.n < b.n ? a.n : b.n));
    for (slong k = 0; k < s.n; k++) {
        size_t m = 0;
        for (slong i = k >= b.n ? k - b.n + 1 : 0; i < a.n && i <= k; i++)
            if (!is_zero_number(a.c[i]) && !is_zero_number(b.c[k - i])) terms[m++] = cc_x_mul(g, a.c[i], b.c[k - i]);
        if (m) s.c[k] = cc_x_addn(g, terms, m);
        if (!s.c[k] || !cc_alg_go_on(g)) return false;
    }
    *out = s;
    return true;
}

static bool coefficients(cc_alg *g, series *out, cc_xp x, cc_xp v, slong most) {
    if (!x || !cc_alg_go_on(g)) return false;
    if (!cc_x_has(x, v)) {
        *out = make(g, 1);
        out->c[0] = x;
        return true;
    }
    if (x == v) {
        if (most < 1) return false;
        *out = make(g, 2);
        out->c[1] = cc_x_int(g, 1);
        return true;
    }
    slong n;
    series part;
    switch ((cc_xkind)x->kind) {
    case CC_X_POW:
        if (!cc_x_fits_si(x->args[1], &n) || n < 0 || n > most) return false;
        if (x->args[0] == v) {
            *out = make(g, n + 1);
            out->c[n] = cc_x_int(g, 1);
            return true;
        }
        if (!coefficients(g, &part, x->args[0], v, most)) return false;
        *out = make(g, 1);
        out->c[0] = cc_x_int(g, 1);
        for (; n; n >>= 1) {
            if ((n & 1) && !times(g, out, *out, part, most)) return false;
            if (n > 1 && !times(g, &part, part, part, most)) return false;
        }
        return true;
    case CC_X_MUL:
        *out = make(g, 1);
        out->c[0] = cc_x_int(g, 1);
        for (uint32_t i = 0; i < x->n; i++)
            if (!coefficients(g, &part, x->args[i], v, most) || !times(g, out, *out, part, most)) return false;
        return true;
    case CC_X_ADD: {
        series *parts = CC_ARENA_ARRAY(g->arena, series, x->n);
        slong longest = 0;
        for (uint32_t i = 0; i < x->n; i++) {
            if (!coefficients(g, &parts[i], x->args[i], v, most)) return false;
            if (parts[i].n > longest) longest = parts[i].n;
        }
        *out = make(g, longest);
        cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
        for (slong k = 0; k < longest; k++) {
            size_t m = 0;
            for (uint32_t i = 0; i < x->n; i++)
                if (k < parts[i].n && !is_zero_number(parts[i].c[k])) terms[m++] = parts[i].c[k];
            if (m) out->c[k] = cc_x_addn(g, terms, m);
            if (!out->c[k]) return false;
        }
        return true;
    }
    default: return false;
    }
}

bool cc_x_poly_coefficients(cc_alg *g, cc_xp x, cc_xp v, slong most, const cc_xp **c, slong *degree) {
    *c = NULL;
    *degree = -1;
    if (!x || !v || g->err->code != CC_OK) return false;
    series s;
    fmpq_poly_t p;
    fmpq_poly_init(p);
    bool rational = cc_x_to_fmpq_poly(g, p, x, v), ok = rational && fmpq_poly_degree(p) <= most;
    if (ok) {
        s = make(g, fmpq_poly_length(p) + (fmpq_poly_is_zero(p) ? 1 : 0));
        fmpq_t q;
        fmpq_init(q);
        for (slong i = 0; i < s.n; i++) {
            fmpq_poly_get_coeff_fmpq(q, p, i);
            s.c[i] = cc_x_num(g, q);
        }
        fmpq_clear(q);
    }
    fmpq_poly_clear(p);
    if (rational && !ok) return false;
    // what is a power of a sum may cancel: degrees of up to twice `most` are looked at
    if (!rational && !coefficients(g, &s, x, v, most < MAX_DEGREE / 2 ? 2 * most + 2 : most)) return false;
    while (s.n > 1 && (is_zero_number(s.c[s.n - 1]) || (!cc_x_is_num(s.c[s.n - 1]) && cc_x_is_zero(g, s.c[s.n - 1]) == CC_TRUE))) s.n--;
    if (g->err->code != CC_OK || s.n - 1 > most) return false;
    *c = s.c;
    *degree = s.n - 1;
    return true;
}

cc_xp cc_x_from_coefficients(cc_alg *g, const cc_xp *c, slong degree, cc_xp v) {
    if (degree < 0) return cc_x_int(g, 0);
    cc_xp *terms = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)degree + 1);
    for (slong i = 0; i <= degree; i++) terms[i] = cc_x_mul(g, c[i], cc_x_powi(g, v, i));
    return cc_x_addn(g, terms, (size_t)degree + 1);
}
