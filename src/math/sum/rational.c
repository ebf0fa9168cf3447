// Sums of rational functions by partial fractions: each c/(k+q)**m gives a value of the polygamma function at both ends. Closed values are
// put in where they are known: at integers, at rationals (Gauss), in pairs by reflection. Called by sum.c and powerseries.c.
#include "math/sum/sum.h"

#define MOST_Q     6   // denominators for which digamma at p/q is written out by Gauss's theorem
#define MOST_STEPS 400 // terms that may be split off to come to a known argument

// ---- partial fractions ----

static void push(cc_alg *g, cc_poles *p, cc_xp c, cc_xp q, ulong m) {
    cc_xp *pc = CC_ARENA_ARRAY(g->arena, cc_xp, p->n + 1), *pq = CC_ARENA_ARRAY(g->arena, cc_xp, p->n + 1);
    ulong *pm = CC_ARENA_ARRAY(g->arena, ulong, p->n + 1);
    if (p->n) memcpy(pc, p->c, p->n * sizeof *pc), memcpy(pq, p->q, p->n * sizeof *pq), memcpy(pm, p->m, p->n * sizeof *pm);
    pc[p->n] = c, pq[p->n] = q, pm[p->n] = m;
    *p = (cc_poles){pc, pq, pm, p->n + 1};
}

void cc_sum_split_quadratic(cc_alg *g, const cc_xp *c, cc_xp *h, cc_xp *t) {
    *h = cc_x_div(g, c[1], cc_x_mul(g, g->two, c[2]));
    *t = cc_x_sqrt(g, cc_x_expand(g, cc_x_sub(g, cc_x_powi(g, *h, 2), cc_x_div(g, c[0], c[2]))));
}

// One term num/base**m of a partial fraction with base of degree 1 or 2 in k.
static bool take_pole(cc_alg *g, cc_xp num, cc_xp base, ulong m, cc_xp k, cc_poles *out) {
    const cc_xp *b, *c;
    slong db, dc;
    if (!cc_x_poly_coefficients(g, base, k, 2, &b, &db) || !cc_x_poly_coefficients(g, num, k, 1, &c, &dc)) return false;
    if (db == 1) {
        if (dc > 0) return false;
        push(g, out, cc_x_div(g, num, cc_x_powi(g, b[1], (slong)m)), cc_x_div(g, b[0], b[1]), m);
        return true;
    }
    if (db != 2 || m != 1) return false;
    // b2 (k - r)(k - s) with r, s = -h ± t: (c1 k + c0)/b2 = A/(k - r) + B/(k - s)
    cc_xp h, t;
    cc_sum_split_quadratic(g, b, &h, &t);
    cc_xp c0 = cc_x_div(g, c[0], b[2]), c1 = dc == 1 ? cc_x_div(g, c[1], b[2]) : g->zero;
    cc_xp half = cc_x_div(g, cc_x_sub(g, c0, cc_x_mul(g, c1, h)), cc_x_mul(g, g->two, t)), c1half = cc_x_mul(g, c1, g->half);
    push(g, out, cc_x_add(g, c1half, half), cc_x_sub(g, h, t), 1);
    push(g, out, cc_x_sub(g, c1half, half), cc_x_add(g, h, t), 1);
    return t != NULL;
}

bool cc_sum_poles(cc_alg *g, cc_xp f, cc_xp k, cc_poles *out, cc_xp *poly) {
    *out = (cc_poles){0};
    if (poly) *poly = g->zero;
    cc_xp parts = cc_x_apart(g, f, k);
    if (!parts) return false;
    size_t n;
    const cc_xp *terms = cc_x_terms(&parts, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp num, den, base, exponent;
        cc_x_fraction(g, terms[i], &num, &den);
        if (!num) return false;
        if (!cc_x_has(den, k)) {
            const cc_xp *c;
            slong degree;
            if (!poly || !cc_x_poly_coefficients(g, terms[i], k, 1000, &c, &degree)) return false;
            *poly = cc_x_add(g, *poly, terms[i]);
            continue;
        }
        cc_xp with, without;
        cc_x_separate_mul(g, den, k, &with, &without);
        cc_x_split_power(g, with, &base, &exponent);
        slong m;
        if (!cc_x_fits_si(exponent, &m) || m < 1 || m > 1000) return false;
        if (!take_pole(g, cc_x_div(g, num, without), base, (ulong)m, k, out)) return false;
    }
    return true;
}

// ---- polygamma of order m - 1 ----

static bool is_ratio(cc_xp x, slong *p, slong *q) {
    if (!cc_x_is_num(x) || !fmpz_fits_si(fmpq_numref(x->num)) || !fmpz_fits_si(fmpq_denref(x->num))) return false;
    *p = fmpz_get_si(fmpq_numref(x->num)), *q = fmpz_get_si(fmpq_denref(x->num));
    return true;
}

// digamma(p/q) + EulerGamma, 0 < p < q, by Gauss: -log(2q) - pi/2 cot(pi p/q) + 2 sum_{n=1}^{floor((q-1)/2)} cos(2 pi n p/q) log sin(pi
// n/q) (Abramowitz and Stegun 6.3).
static cc_xp gauss(cc_alg *g, slong p, slong q) {
    cc_xp out = cc_x_neg(g, cc_x_log(g, cc_x_int(g, 2 * q)));
    cc_xp cot = cc_x_f1(g, CC_F_COT, cc_x_mul(g, cc_x_frac(g, p, q), g->pi));
    out = cc_x_sub(g, out, cc_x_mul(g, cc_x_mul(g, g->half, g->pi), cot));
    for (slong n = 1; n <= (q - 1) / 2; n++) {
        cc_xp c = cc_x_f1(g, CC_F_COS, cc_x_mul(g, cc_x_frac(g, 2 * n * p, q), g->pi));
        cc_xp s = cc_x_f1(g, CC_F_SIN, cc_x_mul(g, cc_x_frac(g, n, q), g->pi));
        out = cc_x_add(g, out, cc_x_mul(g, cc_x_mul(g, g->two, c), cc_x_expand_log(g, cc_x_log(g, s), false)));
    }
    return out;
}

// The sum over j = 0, 1, 2, … of 1/(j + x)**m, for m = 1 without its divergent part: -digamma(x) - EulerGamma, the same for every x.
static cc_xp tail(cc_alg *g, cc_xp x, ulong m) {
    slong p, q;
    cc_xp first = g->zero, minus_m = cc_x_int(g, -(slong)m);
    if (is_ratio(x, &p, &q) && p > -MOST_STEPS * q && p < MOST_STEPS * q) {
        // to 0 < x <= 1 by whole steps
        while (p > q) p -= q, first = cc_x_sub(g, first, cc_x_pow(g, cc_x_frac(g, p, q), minus_m));
        while (p <= 0) first = cc_x_add(g, first, cc_x_pow(g, cc_x_frac(g, p, q), minus_m)), p += q;
        x = cc_x_frac(g, p, q);
        if (p == q) return m == 1 ? first : cc_x_add(g, first, cc_x_f1(g, CC_F_ZETA, cc_x_int(g, (slong)m)));
        if (m == 1 && q <= MOST_Q) return cc_x_sub(g, first, gauss(g, p, q));
        if (q == 2) { // (2**m - 1) zeta(m)
            cc_xp z = cc_x_f1(g, CC_F_ZETA, cc_x_int(g, (slong)m));
            return cc_x_add(g, first, cc_x_mul(g, cc_x_sub(g, cc_x_powi(g, g->two, (slong)m), g->one), z));
        }
        if (m == 2 && q == 4) { // pi**2 ± 8*Catalan
            cc_xp c = cc_x_mul(g, cc_x_int(g, p == 1 ? 8 : -8), cc_x_const(g, CC_K_CATALAN));
            return cc_x_add(g, first, cc_x_add(g, cc_x_powi(g, g->pi, 2), c));
        }
    }
    if (m == 1) return cc_x_sub(g, first, cc_x_add(g, cc_x_f1(g, CC_F_DIGAMMA, x), cc_x_const(g, CC_K_EULER_GAMMA)));
    return cc_x_add(g, first, cc_x_f2(g, CC_F_ZETA, cc_x_int(g, (slong)m), x));
}

// pi/tan(pi x) differentiated m - 1 times, times (-1)**(m-1)/(m-1)!: the sum over all integers of 1/(j + x)**m.
static cc_xp both_ways(cc_alg *g, cc_xp x, ulong m) {
    cc_xp t = cc_x_dummy(g, "t", 0), f = cc_x_mul(g, g->pi, cc_x_f1(g, CC_F_COT, cc_x_mul(g, g->pi, t)));
    f = cc_x_diffn(g, f, t, m - 1);
    f = cc_x_div(g, f, cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, (slong)m - 1)));
    if (m % 2 == 0) f = cc_x_neg(g, f);
    // pi is a period: whole steps in x say nothing
    cc_xp with, without, c = cc_x_expand(g, x);
    if (cc_x_is_kind(c, CC_X_ADD) && cc_x_is_num(c->args[0])) {
        with = c->args[0], without = cc_x_sub(g, c, with);
        c = cc_x_add(g, without, cc_x_sub(g, with, cc_x_f1(g, CC_F_FLOOR, with)));
    }
    return cc_x_subs(g, f, t, c);
}

// The steps from b to a when a - b is an integer; false when it is none.
static bool whole_steps(cc_alg *g, cc_xp a, cc_xp b, slong *n) {
    cc_xp d = cc_x_expand(g, cc_x_sub(g, a, b));
    return d && cc_x_fits_si(d, n) && *n > -MOST_STEPS && *n < MOST_STEPS;
}

// The sum over j >= 0 of c[i]/(j + x[i])**m for two poles whose values are known together: x[1] = n + 1 - x[0] and c[1] = (-1)**m c[0].
static cc_xp pair(cc_alg *g, cc_xp c, cc_xp x, slong n, ulong m) {
    // With y = n + 1 - x: sum_{j>=0} (-1)**m/(j + y)**m runs over the terms 1/(i + x)**m with i = -n - 1 - j
    cc_xp out = both_ways(g, x, m);
    for (slong i = -n; i < 0; i++) out = cc_x_sub(g, out, cc_x_pow(g, cc_x_add(g, x, cc_x_int(g, i)), cc_x_int(g, -(slong)m)));
    for (slong i = 0; i < -n; i++) out = cc_x_add(g, out, cc_x_pow(g, cc_x_add(g, x, cc_x_int(g, i)), cc_x_int(g, -(slong)m)));
    return cc_x_mul(g, c, out);
}

// Two terms whose sum is real because one is the conjugate of the other: constants that are not real.
static bool conjugates(cc_alg *g, const cc_poles *p, size_t i, size_t j) {
    if (p->m[i] != p->m[j] || !cc_x_is_constant(p->q[i]) || !cc_x_is_constant(p->q[j])) return false;
    if (!cc_x_is_constant(p->c[i]) || !cc_x_is_constant(p->c[j]) || cc_x_is(g, p->q[i], CC_IS_REAL) != CC_FALSE) return false;
    cc_xp q = cc_x_sub(g, cc_x_f1(g, CC_F_CONJUGATE, p->q[i]), p->q[j]), c = cc_x_sub(g, cc_x_f1(g, CC_F_CONJUGATE, p->c[i]), p->c[j]);
    return cc_x_is_zero(g, q) == CC_TRUE && cc_x_is_zero(g, c) == CC_TRUE;
}

static cc_xp sum_to_infinity(cc_alg *g, cc_poles *p, cc_xp a) {
    cc_xp residues = g->zero, out = g->zero;
    for (size_t i = 0; i < p->n; i++)
        if (p->m[i] == 1) residues = cc_x_add(g, residues, p->c[i]);
    residues = cc_x_simplify(g, residues);
    cc_truth converges = cc_x_is_zero(g, residues);
    if (converges == CC_UNDECIDED || !residues) return NULL;
    if (converges == CC_FALSE) {
        int sign = cc_x_sign(g, residues);
        cc_alg_note(g, "the terms fall off as 1/k: the sum diverges");
        return sign == 1 ? g->oo : sign == -1 ? g->neg_oo : NULL;
    }
    bool *done = CC_ARENA_ARRAY(g->arena, bool, p->n);
    for (size_t i = 0; i < p->n; i++) {
        cc_xp x = cc_x_expand(g, cc_x_add(g, p->q[i], a));
        slong integer;
        if (done[i] || cc_x_fits_si(x, &integer)) continue;
        for (size_t j = i + 1; j < p->n; j++) {
            cc_xp y = cc_x_expand(g, cc_x_add(g, p->q[j], a)), c = p->m[j] % 2 ? cc_x_neg(g, p->c[j]) : p->c[j];
            slong n;
            if (done[j] || p->m[i] != p->m[j] || cc_x_is_zero(g, cc_x_sub(g, c, p->c[i])) != CC_TRUE) continue;
            if (!whole_steps(g, cc_x_add(g, x, y), g->one, &n)) continue;
            out = cc_x_add(g, out, pair(g, p->c[i], x, n, p->m[i]));
            done[i] = done[j] = true;
            break;
        }
    }
    for (size_t i = 0; i < p->n; i++) {
        if (done[i]) continue;
        cc_xp part = cc_x_mul(g, p->c[i], tail(g, cc_x_expand(g, cc_x_add(g, p->q[i], a)), p->m[i]));
        for (size_t j = i + 1; j < p->n; j++)
            if (!done[j] && conjugates(g, p, i, j)) {
                part = cc_x_mul(g, g->two, cc_x_f1(g, CC_F_RE, part));
                done[j] = true;
                break;
            }
        out = cc_x_add(g, out, part);
    }
    return cc_x_expand(g, out);
}

// ---- finite sums ----

static cc_xp harmonic(cc_alg *g, cc_xp n, ulong m) {
    return m == 1 ? cc_x_f1(g, CC_F_HARMONIC, n) : cc_x_f2(g, CC_F_HARMONIC, n, cc_x_int(g, (slong)m));
}

static cc_xp sum_finite(cc_alg *g, const cc_poles *p, cc_xp a, cc_xp b) {
    cc_xp out = g->zero;
    for (size_t i = 0; i < p->n; i++) {
        cc_xp last = cc_x_add(g, b, p->q[i]), before = cc_x_sub(g, cc_x_add(g, a, p->q[i]), g->one), part;
        ulong m = p->m[i];
        if (cc_x_is_int(p->q[i]) && cc_x_is(g, a, CC_IS_INTEGER) == CC_TRUE) {
            if (cc_x_is_num(before) && cc_x_num_sign(before) < 0) return NULL; // a pole inside: the caller says so
            part = cc_x_sub(g, harmonic(g, last, m), harmonic(g, before, m));
        } else if (m == 1) {
            part = cc_x_sub(g, cc_x_f1(g, CC_F_DIGAMMA, cc_x_add(g, last, g->one)), cc_x_f1(g, CC_F_DIGAMMA, cc_x_add(g, before, g->one)));
        } else {
            cc_xp s = cc_x_int(g, (slong)m);
            part = cc_x_sub(g, cc_x_f2(g, CC_F_ZETA, s, cc_x_add(g, before, g->one)), cc_x_f2(g, CC_F_ZETA, s, cc_x_add(g, last, g->one)));
        }
        out = cc_x_add(g, out, cc_x_mul(g, p->c[i], part));
    }
    return out;
}

// A pole at an integer at or above a: the sum has no value. False when there is none that is known.
static bool pole_inside(cc_alg *g, const cc_poles *p, cc_xp a, cc_xp b) {
    for (size_t i = 0; i < p->n; i++) {
        cc_xp pole = cc_x_neg(g, p->q[i]);
        if (!cc_x_is_int(pole) || !cc_x_is_num(a) || cc_x_num_sign(cc_x_sub(g, pole, a)) < 0) continue;
        if (b == g->oo || (cc_x_is_num(b) && cc_x_num_sign(cc_x_sub(g, b, pole)) >= 0)) {
            cc_alg_note(g, "the term has no value at %ld", fmpz_get_si(fmpq_numref(pole->num)));
            return true;
        }
    }
    return false;
}

cc_xp cc_sum_rational(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_poles p;
    if (!cc_sum_poles(g, f, k, &p, NULL) || !p.n) return NULL;
    if (pole_inside(g, &p, a, b)) return g->nan;
    return b == g->oo ? sum_to_infinity(g, &p, a) : sum_finite(g, &p, a, b);
}
