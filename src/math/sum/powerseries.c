// Infinite sums of hypergeometric terms as known functions of the base: the term's quotient says which hypergeometric series it is.
// Polynomial factors become the operator X d/dX, rational ones partial fractions. Called by sum.c.
// Sources: Abramowitz and Stegun 3.6, 4.1, 4.3 to 4.6, 9.6, 15.1; NIST DLMF 25.12, 25.14.
#include "math/sum/sum.h"

#define MOST_PARAMETERS 6
#define MOST_POWER      40 // of a polynomial factor

typedef struct pfq { // upper and lower parameters, argument
    cc_xp a[MOST_PARAMETERS], b[MOST_PARAMETERS], x;
    size_t p, q;
} pfq;

// The linear factors k + c of a polynomial in k, *lead times their product. False when it does not split.
static bool split(cc_alg *g, cc_xp poly, cc_xp k, cc_xp *c, size_t *n, cc_xp *lead) {
    cc_xp factored = cc_x_factor(g, poly);
    if (!factored) return false;
    *n = 0;
    *lead = g->one;
    size_t m;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    for (size_t i = 0; i < m; i++) {
        cc_xp base, exponent, slope, offset;
        slong e;
        if (!cc_x_has(factors[i], k)) {
            *lead = cc_x_mul(g, *lead, factors[i]);
            continue;
        }
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (!cc_x_fits_si(exponent, &e) || e < 1 || !cc_sum_linear(g, base, k, &slope, &offset)) return false;
        *lead = cc_x_mul(g, *lead, cc_x_powi(g, slope, e));
        for (slong j = 0; j < e; j++) {
            if (*n == MOST_PARAMETERS) return false;
            c[(*n)++] = cc_x_div(g, offset, slope);
        }
    }
    return true;
}

// The series sum of t(k)/t(a) from k = a on, as pFq. False: too many parameters, or no linear factors.
static bool as_pfq(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, pfq *out) {
    cc_xp ratio = cc_sum_ratio(g, f, k), num, den, lead_a, lead_b;
    ratio = cc_x_cancel(g, cc_x_subs(g, ratio, k, cc_x_add(g, k, a)));
    if (!ratio) return false;
    cc_x_fraction(g, cc_x_together(g, ratio), &num, &den);
    if (!split(g, num, k, out->a, &out->p, &lead_a) || !split(g, den, k, out->b, &out->q, &lead_b)) return false;
    out->x = cc_x_div(g, lead_a, lead_b);
    for (size_t i = 0; i < out->q; i++) // the factor k + 1 is that of k!
        if (out->b[i] == g->one) {
            out->b[i] = out->b[--out->q];
            return true;
        }
    if (out->p == MOST_PARAMETERS) return false;
    out->a[out->p++] = g->one;
    return true;
}

static bool is_frac(cc_xp x, slong p, slong q) {
    return cc_x_is_num(x) && fmpz_equal_si(fmpq_numref(x->num), p) && fmpz_equal_si(fmpq_denref(x->num), q);
}

// sqrt(x), or with *turned sqrt(-x) where that is the one without I.
static cc_xp root_of(cc_alg *g, cc_xp x, bool *turned) {
    cc_xp c, rest;
    cc_x_split_coefficient(g, x, &c, &rest);
    *turned = cc_x_num_sign(c) < 0;
    return cc_x_sqrt(g, *turned ? cc_x_neg(g, x) : x);
}

static cc_xp quotient_f(cc_alg *g, cc_xfn fn, cc_xp u, cc_xp by) { return cc_x_div(g, cc_x_f1(g, fn, u), by); }

// Where |x| = 1 matters the series is known to converge only inside; at the boundary only for what is decided here.
static bool inside(cc_alg *g, cc_xp x) {
    cc_xp size = cc_x_f1(g, CC_F_ABS, x);
    if (cc_x_is_constant(x)) return cc_x_constant_compare(g, size, g->one) == -1;
    cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, size, g->one));
    return true;
}

static cc_xp bessel_series(cc_alg *g, cc_xp b, cc_xp x) { // 0F1(;b;x)
    bool turned;
    cc_xp r = root_of(g, x, &turned), two_r = cc_x_mul(g, g->two, r);
    if (is_frac(b, 1, 2)) return cc_x_f1(g, turned ? CC_F_COS : CC_F_COSH, two_r);
    if (is_frac(b, 3, 2)) return quotient_f(g, turned ? CC_F_SIN : CC_F_SINH, two_r, two_r);
    cc_xp order = cc_x_sub(g, b, g->one);
    cc_xp bessel = cc_x_f2(g, turned ? CC_F_BESSELJ : CC_F_BESSELI, order, two_r);
    return cc_x_mul(g, cc_x_mul(g, cc_x_f1(g, CC_F_GAMMA, b), cc_x_pow(g, r, cc_x_neg(g, order))), bessel);
}

// The known ones; NULL otherwise.
static cc_xp listed(cc_alg *g, const pfq *s) {
    cc_xp x = s->x;
    bool turned;
    if (s->p == 0 && s->q == 0) return cc_x_exp(g, x);
    if (s->p == 1 && s->q == 0) return inside(g, x) ? cc_x_pow(g, cc_x_sub(g, g->one, x), cc_x_neg(g, s->a[0])) : NULL;
    if (s->p == 0 && s->q == 1) return bessel_series(g, s->b[0], x);
    if (s->p == 1 && s->q == 1) {
        if (s->a[0] == g->one && s->b[0] == g->two) return cc_x_div(g, cc_x_sub(g, cc_x_exp(g, x), g->one), x);
        if (is_frac(s->a[0], 1, 2) && is_frac(s->b[0], 3, 2)) {
            cc_xp r = root_of(g, x, &turned);
            cc_xp scale = cc_x_div(g, cc_x_sqrt(g, g->pi), cc_x_mul(g, g->two, r));
            return cc_x_mul(g, scale, cc_x_f1(g, turned ? CC_F_ERF : CC_F_ERFI, r));
        }
    }
    if (s->p == 2 && s->q == 1 && x == g->one) { // Gauss
        cc_xp over = cc_x_sub(g, cc_x_sub(g, s->b[0], s->a[0]), s->a[1]), part = cc_x_f1(g, CC_F_RE, over);
        if (cc_x_is_constant(over) ? cc_x_is(g, part, CC_IS_POSITIVE) == CC_TRUE : true) {
            if (!cc_x_is_constant(over)) cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->zero, part));
            cc_xp up = cc_x_mul(g, cc_x_f1(g, CC_F_GAMMA, s->b[0]), cc_x_f1(g, CC_F_GAMMA, over));
            cc_xp below =
                cc_x_mul(g, cc_x_f1(g, CC_F_GAMMA, cc_x_sub(g, s->b[0], s->a[0])), cc_x_f1(g, CC_F_GAMMA, cc_x_sub(g, s->b[0], s->a[1])));
            return cc_x_div(g, up, below);
        }
        return NULL;
    }
    if (s->p == 2 && s->q == 1) {
        bool halves = is_frac(s->b[0], 3, 2);
        cc_xp r = root_of(g, x, &turned);
        if (s->a[0] == g->one && s->a[1] == g->one && s->b[0] == g->two)
            return inside(g, x) ? cc_x_neg(g, cc_x_div(g, cc_x_log(g, cc_x_sub(g, g->one, x)), x)) : NULL;
        if (halves && ((is_frac(s->a[0], 1, 2) && s->a[1] == g->one) || (is_frac(s->a[1], 1, 2) && s->a[0] == g->one)))
            return inside(g, x) || x == g->minus_one ? quotient_f(g, turned ? CC_F_ATAN : CC_F_ATANH, r, r) : NULL;
        if (halves && is_frac(s->a[0], 1, 2) && is_frac(s->a[1], 1, 2))
            return inside(g, x) || x == g->one ? quotient_f(g, turned ? CC_F_ASINH : CC_F_ASIN, r, r) : NULL;
        if (halves && s->a[0] == g->one && s->a[1] == g->one && inside(g, x)) { // asin(r)/(r sqrt(1 - x))
            cc_xp below = cc_x_mul(g, r, cc_x_sqrt(g, cc_x_sub(g, g->one, x)));
            return quotient_f(g, turned ? CC_F_ASINH : CC_F_ASIN, r, below);
        }
    }
    return NULL;
}

// The conditions from `kept` on, for X = 1: those that hold are dropped. False when one does not.
static bool at_one(cc_alg *g, size_t kept, cc_xp big) {
    size_t n = kept;
    for (size_t i = kept; i < g->n_conditions; i++) {
        cc_xp c = cc_x_subs(g, g->conditions[i], big, g->one);
        if (!c || c == g->no) return false;
        if (c != g->yes) g->conditions[n++] = c;
    }
    g->n_conditions = n;
    return true;
}

// The series that another one gives by (k + c)/c in each term: a lower parameter c is c + 1 there, an upper one c + 1 is c. This is
// the operator (X d/dX + c)/c.
static cc_xp known(cc_alg *g, const pfq *s, unsigned steps) {
    size_t kept = g->n_conditions;
    cc_xp value = listed(g, s);
    if (value || !steps || !cc_alg_may_search(g)) return value;
    for (size_t i = 0; i < s->p + s->q; i++) {
        bool lower = i < s->q;
        pfq other = *s;
        cc_xp c = lower ? s->b[i] : cc_x_sub(g, s->a[i - s->q], g->one), big = cc_x_dummy(g, "X", CC_IS_POSITIVE);
        if (!cc_x_is_num(c) || cc_x_num_sign(c) <= 0) continue;
        if (lower)
            other.b[i] = cc_x_add(g, c, g->one);
        else
            other.a[i - s->q] = c;
        other.x = cc_x_mul(g, s->x, big);
        g->n_conditions = kept;
        value = known(g, &other, steps - 1);
        if (!value) continue;
        value = cc_x_add(g, value, cc_x_div(g, cc_x_mul(g, big, cc_x_diff(g, value, big)), c));
        value = cc_x_subs(g, value, big, g->one);
        if (value && value->finite && at_one(g, kept, big)) return value;
    }
    g->n_conditions = kept;
    return NULL;
}

static cc_xp at(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) { return cc_x_subs(g, f, k, a); }

// Sum of base**k/(k+q)**m from k = a on, q an integer: base**(-q) (Li_m(base) - the first terms).
static cc_xp polylog_tail(cc_alg *g, cc_xp base, cc_xp q, ulong m, cc_xp a) {
    cc_xp first = cc_x_add(g, a, q);
    slong n;
    if (!cc_x_fits_si(first, &n) || n < 1 || n > 1000) return NULL;
    bool boundary = base == g->minus_one || (base == g->one && m > 1);
    if (!boundary && !inside(g, base)) return NULL;
    cc_xp out = m == 1 ? cc_x_neg(g, cc_x_log(g, cc_x_sub(g, g->one, base))) : cc_x_f2(g, CC_F_POLYLOG, cc_x_int(g, (slong)m), base);
    for (slong j = 1; j < n; j++) out = cc_x_sub(g, out, cc_x_div(g, cc_x_powi(g, base, j), cc_x_powi(g, cc_x_int(g, j), (slong)m)));
    return cc_x_mul(g, out, cc_x_pow(g, base, cc_x_neg(g, q)));
}

// Sum of base**k/(k+q) with 2q odd: sqrt(base)**(-2q) (2 atanh(sqrt(base)) - the first odd terms).
static cc_xp atanh_tail(cc_alg *g, cc_xp base, cc_xp q, cc_xp a) {
    cc_xp twice = cc_x_mul(g, g->two, q), first = cc_x_add(g, cc_x_mul(g, g->two, a), twice);
    slong n, odd;
    if (!cc_x_fits_si(twice, &odd) || odd % 2 == 0 || !cc_x_fits_si(first, &n) || n < 1 || n > 1000) return NULL;
    if (base != g->minus_one && !inside(g, base)) return NULL;
    bool turned;
    cc_xp r = root_of(g, base, &turned);
    // sum over j odd, j >= n, of 2 r**j/j, with the sign of (-1)**((j - odd)/2) when base = -r**2
    cc_xp out = cc_x_f1(g, turned ? CC_F_ATAN : CC_F_ATANH, r);
    for (slong j = 1; j < n; j += 2) {
        cc_xp term = cc_x_div(g, cc_x_powi(g, r, j), cc_x_int(g, j));
        out = turned && (j / 2) % 2 ? cc_x_add(g, out, term) : cc_x_sub(g, out, term);
    }
    out = cc_x_div(g, cc_x_mul(g, g->two, out), cc_x_powi(g, r, odd));
    slong half = (odd - 1) / 2; // base**k = (-1)**k r**(2k), and k = (j - odd)/2, so (-1)**k = (-1)**((j-1)/2) (-1)**half
    return turned && half % 2 ? cc_x_neg(g, out) : out;
}

// rational(k) * base**k
static cc_xp rational_powers(cc_alg *g, cc_xp rational, cc_xp base, cc_xp k, cc_xp a) {
    cc_poles p;
    cc_xp poly, out = g->zero;
    if (!cc_sum_poles(g, rational, k, &p, &poly)) return NULL;
    if (poly != g->zero) {
        cc_xp z = cc_sum_antidifference(g, cc_x_mul(g, poly, cc_x_pow(g, base, k)), k);
        if (!z || !inside(g, base)) return NULL;
        out = cc_x_neg(g, at(g, z, k, a));
    }
    for (size_t i = 0; i < p.n; i++) {
        cc_xp part = NULL;
        if (cc_x_is_int(p.q[i]))
            part = polylog_tail(g, base, p.q[i], p.m[i], a);
        else if (p.m[i] == 1)
            part = atanh_tail(g, base, p.q[i], a);
        if (!part) return NULL;
        out = cc_x_add(g, out, cc_x_mul(g, p.c[i], part));
    }
    return out;
}

// (-1)**k rational(k): the even terms and the odd ones.
static cc_xp alternating(cc_alg *g, cc_xp rational, cc_xp k, cc_xp a) {
    slong first;
    if (!cc_x_fits_si(a, &first)) return NULL;
    cc_xp two_k = cc_x_mul(g, g->two, k);
    cc_xp even = cc_x_subs(g, rational, k, cc_x_add(g, two_k, a)),
          odd = cc_x_subs(g, rational, k, cc_x_add(g, two_k, cc_x_add(g, a, g->one)));
    // together: each by itself may diverge
    cc_xp sum = cc_sum_rational(g, cc_x_together(g, cc_x_sub(g, even, odd)), k, g->zero, g->oo);
    if (!sum || !sum->finite) return NULL;
    return first % 2 ? cc_x_neg(g, sum) : sum;
}

// A polynomial factor of degree d: the operator X d/dX on the sum with base X, by its coefficients.
static cc_xp by_operator(cc_alg *g, const cc_xp *c, slong degree, cc_xp rest, cc_xp k, cc_xp a) {
    cc_xp big = cc_x_dummy(g, "X", CC_IS_POSITIVE);
    size_t kept = g->n_conditions;
    cc_xp s = cc_sum_power_series(g, cc_x_mul(g, rest, cc_x_pow(g, big, k)), k, a);
    if (!s) return NULL;
    cc_xp out = g->zero;
    for (slong j = 0; j <= degree; j++) {
        out = cc_x_add(g, out, cc_x_mul(g, c[j], cc_x_subs(g, s, big, g->one)));
        s = cc_x_mul(g, big, cc_x_diff(g, s, big));
    }
    return at_one(g, kept, big) ? out : NULL;
}

static cc_xp from_start(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) {
    pfq s;
    cc_xp first = at(g, f, k, a), value;
    if (!first || first == g->zero || !first->finite || !as_pfq(g, f, k, a, &s) || !(value = known(g, &s, 2))) return NULL;
    return cc_x_mul(g, first, value);
}

// The series may be known from 0, 1 or -1 on: then terms are added or taken away.
static cc_xp from_other_starts(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) {
    static const slong starts[] = {0, 1, -1};
    slong first;
    cc_xp value = from_start(g, f, k, a);
    if (value || !cc_x_fits_si(a, &first) || first < -100 || first > 100) return value;
    for (size_t i = 0; i < CC_ARRAY_LEN(starts); i++) {
        if (starts[i] == first || !(value = from_start(g, f, k, cc_x_int(g, starts[i])))) continue;
        for (slong j = starts[i]; j < first; j++) value = cc_x_sub(g, value, at(g, f, k, cc_x_int(g, j)));
        for (slong j = first; j < starts[i]; j++) value = cc_x_add(g, value, at(g, f, k, cc_x_int(g, j)));
        return value && value->finite ? value : NULL;
    }
    return NULL;
}

cc_xp cc_sum_power_series(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) {
    cc_term t;
    if (!cc_alg_may_search(g) || !cc_sum_take_apart(g, f, k, &t)) return NULL;
    if (t.gammas == g->one) {
        if (t.base == g->minus_one) {
            cc_xp s = alternating(g, t.rational, k, a);
            if (s) return s;
        }
        return rational_powers(g, t.rational, t.base, k, a);
    }
    cc_xp value = from_other_starts(g, f, k, a);
    if (value) return value;
    // p(k)/q(k) * rest: p by the operator, when q is 1
    cc_xp num, den, rational = cc_x_together(g, t.rational);
    if (!rational) return NULL;
    cc_x_fraction(g, rational, &num, &den);
    const cc_xp *c;
    slong degree;
    if (cc_x_has(den, k) || !cc_x_poly_coefficients(g, num, k, MOST_POWER, &c, &degree) || degree < 1) return NULL;
    cc_xp rest = cc_x_div(g, cc_x_mul(g, t.gammas, cc_x_pow(g, t.base, k)), den);
    return by_operator(g, c, degree, rest, k, a);
}

cc_xp cc_sum_terminating(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    if (a != g->zero || b == g->oo || cc_x_is_num(b) || !cc_x_has(f, cc_x_f2(g, CC_F_BINOMIAL, b, k))) return NULL;
    size_t kept = g->n_conditions, n = kept;
    cc_xp big = cc_x_dummy(g, "X", CC_IS_POSITIVE), out = cc_sum_power_series(g, cc_x_mul(g, f, cc_x_pow(g, big, k)), k, a);
    for (size_t i = kept; i < g->n_conditions; i++) // the series breaks off: the size of its argument is free
        if (!cc_x_has(g->conditions[i], big)) g->conditions[n++] = g->conditions[i];
    g->n_conditions = n;
    if (out) out = cc_x_subs(g, out, big, g->one);
    if (out && out->finite && at_one(g, kept, big)) return out;
    g->n_conditions = kept;
    out = g->err->code ? NULL : cc_sum_power_series(g, f, k, a); // Vandermonde's is known at X = 1 only
    if (!out) g->n_conditions = kept;
    return out;
}
