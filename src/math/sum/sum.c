// Sums and products in closed form: which method is tried when. Called by the operations "summation" and "product" and by series. The
// methods are in the files beside; what they find for numbers is checked here by enclosures where both sides have one.
#include "math/sum/sum.h"

#include "math/simplify/simplify.h"

#define MOST_LOOKED_AT 500  // nodes of a closed form whose parameters are looked at
#define MOST_TERMS     5000 // added or multiplied one by one
#define MOST_NAMED     40   // the same from a bound with a name: sin(n) + sin(n + 1) + …

// b - a + 1 when it is a known integer; false otherwise.
static bool count_terms(cc_alg *g, cc_xp a, cc_xp b, slong *n) {
    slong first, last;
    if (!cc_x_is_num(a) && a->finite && b->finite && cc_x_fits_si(cc_x_expand(g, cc_x_sub(g, b, a)), &last) && last >= -1 &&
        last < MOST_NAMED) {
        *n = last + 1;
        return true;
    }
    if (!cc_x_fits_si(a, &first) || !cc_x_fits_si(b, &last) || first < -(1L << 40) || last > (1L << 40)) return false;
    *n = last - first + 1;
    return true;
}

static cc_xp one_by_one(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, slong n, bool multiply) {
    cc_xp *parts = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)(n > 0 ? n : 1));
    for (slong i = 0; i < n; i++) {
        if (!cc_alg_go_on(g)) return NULL;
        parts[i] = cc_x_subs(g, f, k, cc_x_add(g, a, cc_x_int(g, i)));
    }
    if (n == 0) return multiply ? g->one : g->zero;
    return multiply ? cc_x_muln(g, parts, (size_t)n) : cc_x_addn(g, parts, (size_t)n);
}

// The term tends to 0, by the quotient of neighbours.
static bool vanishes(cc_alg *g, cc_xp f, cc_xp k) {
    cc_xp lead, power;
    if (!cc_sum_growth(g, f, k, &lead, &power) || !cc_x_is_constant(lead) || !cc_x_is_constant(power)) return false;
    if (lead == g->oo) return false;
    if (lead == g->one || lead == g->minus_one) return cc_x_is(g, power, CC_IS_NEGATIVE) == CC_TRUE;
    return cc_x_constant_compare(g, cc_x_f1(g, CC_F_ABS, lead), g->one) == -1;
}

// The bounds from z with z(k+1) - z(k) = f. NULL when z has no value at a bound.
static cc_xp telescope(cc_alg *g, cc_xp z, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp low = cc_x_subs(g, z, k, a), high;
    if (!low || !low->finite) return NULL;
    if (b == g->oo) {
        high = vanishes(g, z, k) ? g->zero : cc_x_limit(g, z, k, g->oo, '-', NULL, NULL);
        if (high == g->oo || high == g->neg_oo) {
            cc_alg_note(g, "the partial sums grow without bound");
            return high;
        }
    } else {
        high = cc_x_subs(g, z, k, cc_x_add(g, b, g->one));
    }
    return high && high->finite ? cc_x_sub(g, high, low) : NULL;
}

// A zero of the denominator at k = pole, against the range from a to b. FALSE: outside. TRUE: inside. Else a condition is added.
static cc_truth pole_between(cc_alg *g, cc_xp pole, cc_xp k, cc_xp a, cc_xp b) {
    if (cc_x_is(g, cc_x_expand(g, cc_x_sub(g, a, pole)), CC_IS_POSITIVE) == CC_TRUE) return CC_FALSE;
    if (b != g->oo && cc_x_is(g, cc_x_expand(g, cc_x_sub(g, pole, b)), CC_IS_POSITIVE) == CC_TRUE) return CC_FALSE;
    if (cc_x_is(g, pole, CC_IS_INTEGER) == CC_FALSE) return CC_FALSE;
    if (cc_x_is_int(pole) && cc_x_is_int(a)) return CC_TRUE; // for a symbol b: from some b on
    cc_alg_condition(g, cc_x_rel(g, CC_REL_NE, k, pole));
    return CC_UNDECIDED;
}

// The hypergeometric term f has a value at all integers from a to b: false when it has none at one of them, or this is not known.
// What depends on parameters becomes a condition.
static bool defined(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_term t;
    cc_xp num, den, slope, offset, base, exponent;
    if (!cc_sum_take_apart(g, f, k, &t)) return false;
    cc_x_fraction(g, cc_x_factor(g, cc_x_together(g, t.rational)), &num, &den);
    if (!den) return false;
    size_t n;
    const cc_xp *factors = cc_x_factors(&den, &n);
    for (size_t i = 0; i < n; i++) {
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (cc_x_is_constant(base)) continue;
        if (!cc_x_has(base, k)) {
            cc_alg_condition(g, cc_x_nonzero(g, base));
        } else if (cc_sum_linear(g, base, k, &slope, &offset)) {
            if (pole_between(g, cc_x_expand(g, cc_x_neg(g, cc_x_div(g, offset, slope))), k, a, b) == CC_TRUE) return false;
        } else { // irreducible over the rationals: no integer is a zero
            fmpq_poly_t p;
            fmpq_poly_init(p);
            bool rational = cc_x_to_fmpq_poly(g, p, base, k);
            fmpq_poly_clear(p);
            if (!rational) cc_alg_condition(g, cc_x_nonzero(g, base));
        }
    }
    return true;
}

static cc_xp by_telescoping(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    size_t kept = g->n_conditions;
    cc_xp z = cc_sum_antidifference(g, f, k), out = NULL;
    if (z && defined(g, f, k, a, b) && defined(g, z, k, a, b == g->oo ? b : cc_x_add(g, b, g->one))) out = telescope(g, z, k, a, b);
    if (!out) g->n_conditions = kept;
    return out;
}

// Divergence: f keeps its sign from some k on, and k*f(k) does not tend to 0.
static cc_xp divergent(cc_alg *g, cc_xp f, cc_xp k) {
    size_t n_symbols;
    cc_xp lead, power;
    cc_x_symbols(g, f, &n_symbols);
    if (n_symbols != 1) return NULL;
    int sign = 2;
    if (cc_sum_growth(g, f, k, &lead, &power)) {
        bool slow = lead == g->one && cc_x_is(g, cc_x_add(g, power, g->one), CC_IS_NONNEGATIVE) == CC_TRUE;
        if (slow || lead == g->oo || (cc_x_is_constant(lead) && cc_x_constant_compare(g, lead, g->one) == 1))
            sign = cc_sum_last_sign(g, f, k);
    } else {
        cc_xp limit = cc_x_limit(g, cc_x_mul(g, k, f), k, g->oo, '-', NULL, NULL);
        if (limit) sign = limit == g->oo ? 1 : limit == g->neg_oo ? -1 : cc_x_sign(g, limit);
    }
    if (sign != 1 && sign != -1) return NULL;
    cc_alg_note(g, "the terms do not fall off faster than 1/k: the sum diverges");
    return sign > 0 ? g->oo : g->neg_oo;
}

// B**k (slope*k + offset)**(-s) for any s: values of zeta functions and polylogarithms (NIST DLMF 25.2, 25.11, 25.12), generalized harmonic
// numbers when it is finite.
static cc_xp by_powers(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp ratio = g->one, s = NULL, slope, offset, q = NULL, scale = g->one;
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, exponent;
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (!cc_x_has(base, k) && cc_sum_linear(g, exponent, k, &slope, &offset)) {
            ratio = cc_x_mul(g, ratio, cc_x_pow(g, base, slope)), scale = cc_x_mul(g, scale, cc_x_pow(g, base, offset));
        } else if (!s && !cc_x_has(exponent, k) && cc_sum_linear(g, base, k, &slope, &offset) &&
                   cc_x_is(g, slope, CC_IS_POSITIVE) == CC_TRUE) {
            s = cc_x_neg(g, exponent), q = cc_x_div(g, offset, slope), scale = cc_x_mul(g, scale, cc_x_pow(g, slope, exponent));
        } else {
            return NULL;
        }
    }
    if (!s) return NULL;
    cc_xp x = cc_x_expand(g, cc_x_add(g, a, q)), out;
    slong first = 0;
    bool whole_number = cc_x_fits_si(x, &first);
    if ((whole_number && (first < 1 || first > 100)) || (!whole_number && cc_x_is(g, x, CC_IS_POSITIVE) != CC_TRUE)) return NULL;
    if (b != g->oo) {
        if (ratio != g->one || !whole_number) return NULL;
        out = cc_x_f2(g, CC_F_HARMONIC, cc_x_add(g, b, q), s);
    } else {
        slong least = ratio == g->one ? 1 : 0; // the real part of s that convergence needs, when the size of ratio is 1
        cc_xp size = cc_x_f1(g, CC_F_ABS, ratio), margin = cc_x_sub(g, cc_x_f1(g, CC_F_RE, s), cc_x_int(g, least));
        if (ratio == g->one || ratio == g->minus_one) {
            if (cc_x_is_constant(margin) && cc_x_is(g, margin, CC_IS_POSITIVE) != CC_TRUE) return NULL;
            cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, cc_x_int(g, least), cc_x_f1(g, CC_F_RE, s)));
        } else if (cc_x_is_constant(ratio)) {
            if (cc_x_constant_compare(g, size, g->one) != -1) return NULL;
        } else {
            cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, size, g->one));
        }
        if (ratio == g->one)
            out = whole_number ? cc_x_f1(g, CC_F_ZETA, s) : cc_x_f2(g, CC_F_ZETA, s, x);
        else if (!whole_number)
            return NULL;
        else if (ratio == g->minus_one) // (2**(1-s) - 1) zeta(s)
            out = s == g->one ? cc_x_neg(g, cc_x_log(g, g->two))
                              : cc_x_mul(g, cc_x_sub(g, cc_x_pow(g, g->two, cc_x_sub(g, g->one, s)), g->one), cc_x_f1(g, CC_F_ZETA, s));
        else
            out = cc_x_f2(g, CC_F_POLYLOG, s, ratio);
    }
    for (slong j = 1; j < first; j++)
        out = cc_x_sub(g, out, cc_x_mul(g, cc_x_powi(g, ratio, j), cc_x_pow(g, cc_x_int(g, j), cc_x_neg(g, s))));
    return cc_x_mul(g, scale, cc_x_mul(g, out, cc_x_pow(g, ratio, cc_x_neg(g, q))));
}

static cc_xp whole(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b);

// Term by term; each part must be found. For infinite sums only where every part converges.
static cc_xp by_parts(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp expanded = cc_x_expand(g, f);
    if (!cc_x_is_kind(expanded, CC_X_ADD)) return NULL;
    cc_xp out = g->zero;
    size_t notes = g->n_notes; // what is said of a part is not said of the whole
    for (size_t i = 0; i < expanded->n; i++) {
        cc_xp part = cc_alg_may_search(g) ? whole(g, expanded->args[i], k, a, b) : NULL;
        if (!part || !part->finite) {
            g->n_notes = notes;
            return NULL;
        }
        out = cc_x_add(g, out, part);
    }
    return out;
}

// From -oo: k → -1 - k for the lower half.
static cc_xp two_sided(cc_alg *g, cc_xp f, cc_xp k) {
    cc_xp up = whole(g, f, k, g->zero, g->oo);
    cc_xp down = up ? whole(g, cc_x_subs(g, f, k, cc_x_sub(g, g->minus_one, k)), k, g->zero, g->oo) : NULL;
    return down ? cc_x_add(g, up, down) : NULL;
}

// f is divided by a sum with a root.
static bool has_root(cc_xp f, cc_xp k) {
    if (f->kind == CC_X_POW && cc_x_is_num(f->args[1]) && !cc_x_is_int(f->args[1]) && cc_x_has(f->args[0], k)) return true;
    for (uint32_t i = 0; i < f->n; i++)
        if (has_root(f->args[i], k)) return true;
    return false;
}

// Terms that are not hypergeometric: circular functions, Fibonacci numbers, logarithms, harmonic numbers.
static cc_xp by_known_kind(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    size_t kept = g->n_conditions;
    cc_xp z = cc_sum_recurrent(g, f, k), out = z ? telescope(g, z, k, a, b) : NULL;
    if (!out) out = cc_sum_of_logs(g, f, k, a, b);
    if (!out && (cc_x_is_kind(f, CC_X_ADD) || cc_x_is_kind(f, CC_X_MUL))) out = cc_sum_shifts(g, f, k, a, b);
    if (!out) out = cc_sum_harmonic(g, f, k, a, b);
    if (!out && b == g->oo) out = cc_sum_fourier(g, f, k, a);
    if (!out) {
        g->n_conditions = kept;
        cc_xp other = cc_sum_linear_circles(g, f, k);
        if (other == f && has_root(f, k)) other = cc_x_expand(g, cc_x_radsimp(g, f)); // 1/(sqrt(k) + sqrt(k+1))
        if (other && other != f) out = whole(g, other, k, a, b);
    }
    if (!out) g->n_conditions = kept;
    return out;
}

static cc_xp search(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    if (a == g->neg_oo) {
        if (b == g->oo) return two_sided(g, f, k);
        return whole(g, cc_x_subs(g, f, k, cc_x_neg(g, k)), k, cc_x_neg(g, b), g->oo);
    }
    cc_xp out = cc_sum_terminating(g, f, k, a, b);
    if (out || (out = cc_sum_binomial(g, f, k, a, b)) || (out = by_known_kind(g, f, k, a, b)) || g->err->code) return out;
    if ((out = by_telescoping(g, f, k, a, b)) || g->err->code) return out;
    cc_xp combined = cc_sum_cancel_gammas(g, f, k);
    combined = cc_x_together(g, combined == f ? cc_x_rewrite(g, f, CC_REWRITE_GAMMA) : combined);
    if (combined) combined = cc_x_simplify(g, combined);
    if (!combined) return NULL;
    if ((out = cc_sum_rational(g, combined, k, a, b)) || g->err->code) return out;
    if ((out = by_powers(g, f, k, a, b)) || g->err->code) return out;
    size_t kept = g->n_conditions;
    if (b == g->oo && ((out = cc_sum_power_series(g, f, k, a)) || (combined != f && (out = cc_sum_power_series(g, combined, k, a)))))
        return out;
    g->n_conditions = kept;
    if ((out = by_parts(g, f, k, a, b)) || g->err->code) return out;
    g->n_conditions = kept;
    return b == g->oo ? divergent(g, f, k) : NULL;
}

static cc_xp whole(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp with, without;
    if (!f || !k || !a || !b) return NULL;
    if (!cc_x_has(f, k)) {
        if (f == g->zero) return f;
        if (b == g->oo || a == g->neg_oo) return cc_x_mul(g, f, g->oo);
        return cc_x_mul(g, f, cc_x_add(g, cc_x_sub(g, b, a), g->one));
    }
    cc_x_separate_mul(g, f, k, &with, &without);
    cc_xp out = search(g, with, k, a, b);
    return out ? cc_x_mul(g, without, out) : NULL;
}

#define CHECKED_TERMS 300

// The closed form against the terms themselves, at small values of the bounds and some values of parameters: true when they differ.
static bool contradicted(cc_alg *g, cc_xfn fn, cc_xp f, cc_xp k, cc_xp a, cc_xp b, cc_xp out) {
    if (b == g->oo || a == g->neg_oo) return false;
    const cc_xp terms[] = {f, k, a, b};
    cc_xp direct = cc_x_unevaluated(g, fn, terms, 4);
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, cc_x_tuple(g, (const cc_xp[]){direct, out}, 2), &n);
    cc_xp *values = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    bool differ = false;
    acb_t x, y;
    acb_init(x), acb_init(y);
    for (slong trial = 0; trial < 3 && !differ && cc_alg_may_search(g); trial++) {
        for (size_t i = 0; i < n; i++) {
            bool whole_number = cc_x_has(a, symbols[i]) || cc_x_has(b, symbols[i]) || (symbols[i]->facts & CC_IS_INTEGER);
            values[i] =
                whole_number ? cc_x_int(g, (cc_x_has(a, symbols[i]) ? 1 : 3) + 2 * trial) : cc_x_frac(g, 3 + 2 * trial, 7 + (slong)i);
            if (symbols[i]->facts & CC_IS_NEGATIVE) values[i] = cc_x_neg(g, values[i]);
        }
        slong from, to;
        if (!cc_x_fits_si(cc_x_subs_many(g, a, symbols, values, n), &from) || !cc_x_fits_si(cc_x_subs_many(g, b, symbols, values, n), &to))
            continue;
        if (to < from - 1 || to - from > CHECKED_TERMS) continue;
        if (cc_x_enclose_to(g, x, cc_x_subs_many(g, direct, symbols, values, n), NULL, 60) &&
            cc_x_enclose_to(g, y, cc_x_subs_many(g, out, symbols, values, n), NULL, 60))
            differ = !acb_overlaps(x, y);
    }
    acb_clear(x), acb_clear(y);
    return differ;
}

#define MOST_SIMPLIFIED 400 // nodes of a result that is made shorter

static cc_xp finished(cc_alg *g, cc_xfn fn, cc_xp f, cc_xp k, cc_xp a, cc_xp b, cc_xp out) {
    if (!out || !out->finite) return out;
    // Forms of digamma functions and polylogarithms at complex numbers are not known to be equal: telling them apart costs seconds.
    bool hard = cc_x_is_constant(out) && (cc_x_has_fn(out, CC_F_DIGAMMA) || (cc_x_has_fn(out, CC_F_POLYLOG) && cc_x_has(out, g->i)));
    if (!hard && cc_alg_may_search(g) && out->size < MOST_SIMPLIFIED && !cc_x_is_num(out)) out = cc_x_simplify(g, out);
    if (!out || !contradicted(g, fn, f, k, a, b, out)) return out;
    cc_alg_note(g, "a closed form was dropped: it differs from the terms at small bounds");
    g->n_conditions = 0;
    return NULL;
}

static bool bounds_are_integers(cc_alg *g, cc_xp a, cc_xp b, const char *what) {
    if (a == g->oo || b == g->neg_oo) {
        cc_error_set(g->err, CC_VALIDATION, "%s: the lower bound must not be oo, nor the upper one -oo", what);
        return false;
    }
    if ((!cc_x_is_num(a) || cc_x_is_int(a)) && (!cc_x_is_num(b) || cc_x_is_int(b))) return true;
    cc_error_set(g->err, CC_VALIDATION, "%s: the bounds must be integers, oo or -oo", what);
    return false;
}

// The terms of a sum to infinity are proven to have no limit.
static bool terms_do_not_settle(cc_alg *g, cc_xp f, cc_xp k) {
    size_t n, notes = g->n_notes;
    cc_x_symbols(g, f, &n);
    if (g->err->code || n != 1) return false;
    g->no_limit = false;
    bool none = !cc_x_limit(g, f, k, g->oo, 0, NULL, NULL) && g->no_limit && !g->err->code;
    g->n_notes = notes;
    if (none) cc_alg_note(g, "the terms have no limit: the sum diverges");
    return none;
}

// For which parameters of f the closed form has no value: (digamma(a + 1) + EulerGamma)/a for a = 0.
static void state_parameters(cc_alg *g, cc_xp out, cc_xp f) {
    cc_xpoles *of_out = CC_ARENA_NEW(g->arena, cc_xpoles), *of_f = CC_ARENA_NEW(g->arena, cc_xpoles);
    if (out->free == 0 || out->size > MOST_LOOKED_AT) return;
    cc_x_poles(g, of_out, out);
    size_t kept = 0;
    for (size_t i = 0; i < of_out->n; i++) {
        size_t n;
        bool own = false; // not of the bounds alone
        const cc_xp *symbols = cc_x_symbols(g, of_out->items[i], &n);
        for (size_t m = 0; m < n; m++) own = own || cc_x_has(f, symbols[m]);
        if (own) of_out->items[kept++] = of_out->items[i];
    }
    of_out->n = kept;
    if (kept) cc_x_poles(g, of_f, f);
    cc_x_lost(g, of_out, of_f);
}

cc_xp cc_x_sum(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    slong n;
    if (!f || !k || !a || !b || !bounds_are_integers(g, a, b, "sum")) return NULL;
    if (count_terms(g, a, b, &n)) {
        // An empty sum is 0; from b + 1 down it is what makes S(a, b) + S(b + 1, c) = S(a, c) (Karr's convention).
        if (n < 0 && n >= -MOST_TERMS) {
            cc_alg_note(g, "the upper bound is below the lower one: the value that makes S(a, b) + S(b + 1, c) = S(a, c)");
            return cc_x_neg(g, one_by_one(g, f, k, cc_x_add(g, b, g->one), -n, false));
        }
        if (n <= 40) return one_by_one(g, f, k, a, n < 0 ? 0 : n, false);
    }
    cc_xp first = a == g->neg_oo ? f : cc_x_subs(g, f, k, a);
    if (first && !first->finite && cc_x_is_int(a)) {
        cc_alg_note(g, "the first term has no value");
        return g->nan;
    }
    size_t notes = g->n_notes, conditions = g->n_conditions;
    cc_xp out = finished(g, CC_F_SUM, f, k, a, b, whole(g, f, k, a, b));
    if (out && g->n_conditions == conditions) state_parameters(g, out, f);
    if (!out) g->n_notes = notes; // on limits of something else
    if (!out && b == g->oo && terms_do_not_settle(g, f, k)) return g->nan;
    if (!out && !g->err->code && count_terms(g, a, b, &n) && n > 0 && n <= MOST_TERMS) return one_by_one(g, f, k, a, n, false);
    return out;
}

// ---- products ----

// Product of (k + q) from a to b: gamma(b + 1 + q)/gamma(a + q).
static cc_xp linear_product(cc_alg *g, cc_xp q, cc_xp a, cc_xp b) {
    cc_xp low = cc_x_expand(g, cc_x_add(g, a, q)), high = cc_x_expand(g, cc_x_add(g, cc_x_add(g, b, g->one), q));
    if (low == g->one) return cc_x_f1(g, CC_F_FACTORIAL, cc_x_sub(g, high, g->one));
    if (cc_x_is_int(low) && cc_x_num_sign(low) <= 0) return NULL; // a factor 0, or gamma's poles: not this way
    return cc_x_div(g, cc_x_f1(g, CC_F_GAMMA, high), cc_x_f1(g, CC_F_GAMMA, low));
}

static cc_xp factor_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    cc_xp base, exponent, slope, offset, count = cc_x_add(g, cc_x_sub(g, b, a), g->one);
    if (!cc_x_has(f, k)) return cc_x_pow(g, f, count);
    cc_x_split_power(g, f, &base, &exponent);
    if (!cc_x_has(base, k)) { // c**e(k)
        cc_xp total = cc_x_sum(g, exponent, k, a, b);
        return total ? cc_x_pow(g, base, total) : NULL;
    }
    if (cc_x_has(exponent, k)) return NULL;
    if (base != f) {
        cc_xp of_base = factor_product(g, base, k, a, b);
        return of_base && cc_x_is_int(exponent) ? cc_x_pow(g, of_base, exponent) : NULL;
    }
    const cc_xp *c;
    slong degree;
    if (cc_x_poly_coefficients(g, f, k, 2, &c, &degree) && degree == 2) {
        cc_xp h, t, first, second;
        cc_sum_split_quadratic(g, c, &h, &t);
        first = linear_product(g, cc_x_sub(g, h, t), a, b), second = linear_product(g, cc_x_add(g, h, t), a, b);
        return first && second ? cc_x_mul(g, cc_x_pow(g, c[2], count), cc_x_mul(g, first, second)) : NULL;
    }
    if (!cc_sum_linear(g, f, k, &slope, &offset)) return NULL;
    cc_xp linear = linear_product(g, cc_x_div(g, offset, slope), a, b);
    return linear ? cc_x_mul(g, cc_x_pow(g, slope, count), linear) : NULL;
}

#define MOST_APART 20 // steps between two factors

// Takes pairs p(k+h)**e/p(k)**e, p irreducible of degree 2 or more, out of a factored f: only the factors at the ends of their product are
// left.
static cc_xp telescoped(cc_alg *g, cc_xp *f, cc_xp k, cc_xp a, cc_xp b) {
    size_t n;
    const cc_xp *factors = cc_x_factors(f, &n);
    cc_xp out = g->one;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            cc_xp up, down, e, d, slope, offset;
            cc_x_split_power(g, factors[i], &up, &e), cc_x_split_power(g, factors[j], &down, &d);
            slong power;
            if (!cc_x_fits_si(e, &power) || power < 1 || d != cc_x_neg(g, e) || !cc_x_has(up, k)) continue;
            if (cc_sum_linear(g, up, k, &slope, &offset) || cc_sum_linear(g, down, k, &slope, &offset)) continue;
            for (slong h = -MOST_APART; h <= MOST_APART; h++) {
                cc_xp moved = cc_x_subs(g, down, k, cc_x_add(g, k, cc_x_int(g, h)));
                if (h == 0 || cc_x_expand(g, cc_x_sub(g, up, moved)) != g->zero) continue;
                cc_xp low = h > 0 ? down : up, ends = g->one; // p
                for (slong m = 0; m < (h > 0 ? h : -h); m++) {
                    cc_xp last = cc_x_subs(g, low, k, cc_x_add(g, cc_x_add(g, b, g->one), cc_x_int(g, m)));
                    cc_xp first = cc_x_subs(g, low, k, cc_x_add(g, a, cc_x_int(g, m)));
                    ends = cc_x_mul(g, ends, cc_x_div(g, last, first));
                }
                *f = cc_x_div(g, *f, cc_x_mul(g, factors[i], factors[j]));
                cc_xp rest = telescoped(g, f, k, a, b);
                return cc_x_mul(g, cc_x_mul(g, out, rest), cc_x_powi(g, ends, h > 0 ? power : -power));
            }
        }
    return out;
}

// All factors k + q, with their powers, of a rational function of k; the rest is free of k. False: it does not split.
static bool roots_of(cc_alg *g, cc_xp f, cc_xp k, cc_xp *q, slong *e, size_t most, size_t *n, cc_xp *rest) {
    cc_xp factored = cc_x_factor(g, cc_x_together(g, f));
    if (!factored) return false;
    size_t m;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    *n = 0;
    *rest = g->one;
    for (size_t i = 0; i < m; i++) {
        cc_xp base, exponent;
        const cc_xp *c;
        slong degree, power;
        if (!cc_x_has(factors[i], k)) {
            *rest = cc_x_mul(g, *rest, factors[i]);
            continue;
        }
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (!cc_x_fits_si(exponent, &power) || !cc_x_poly_coefficients(g, base, k, 2, &c, &degree) || *n + 2 > most) return false;
        *rest = cc_x_mul(g, *rest, cc_x_powi(g, c[degree], power));
        if (degree == 1) {
            q[*n] = cc_x_div(g, c[0], c[1]), e[(*n)++] = power;
        } else {
            cc_xp h, t;
            cc_sum_split_quadratic(g, c, &h, &t);
            q[*n] = cc_x_sub(g, h, t), e[(*n)++] = power;
            q[*n] = cc_x_add(g, h, t), e[(*n)++] = power;
        }
    }
    return true;
}

// gamma(x) gamma(n + 1 - x) = gamma(x) gamma(1 - x) times the n factors between; pi/sin(pi x) (Abramowitz and Stegun 6.1.17).
static cc_xp reflected(cc_alg *g, cc_xp x, cc_xp y) {
    slong n;
    cc_xp d = cc_x_expand(g, cc_x_sub(g, cc_x_add(g, x, y), g->one));
    if (!cc_x_fits_si(d, &n) || n < -100 || n > 100) return NULL;
    cc_xp out = cc_x_div(g, g->pi, cc_x_f1(g, CC_F_SIN, cc_x_mul(g, g->pi, x)));
    // gamma(n + 1 - x) = gamma(1 - x) (1 - x) (2 - x) … (n - x)
    for (slong i = 1; i <= n; i++) out = cc_x_mul(g, out, cc_x_sub(g, cc_x_int(g, i), x));
    for (slong i = 0; i > n; i--) out = cc_x_div(g, out, cc_x_sub(g, cc_x_int(g, i), x));
    return out;
}

// Factors that tend to `rest`, or to 1 as 1 + total/k: the product is 0 when they are small, and grows when all are positive and large.
static cc_xp unbounded(cc_alg *g, cc_xp a, const cc_xp *q, const slong *e, size_t n, cc_xp rest, cc_xp total) {
    if (!cc_x_is_constant(rest) || !cc_x_is_constant(total)) return NULL;
    bool positive = true;
    for (size_t i = 0; i < n; i++) {
        cc_xp x = cc_x_add(g, a, q[i]);
        positive = positive && cc_x_is(g, x, CC_IS_POSITIVE) == CC_TRUE;
        if (e[i] < 0 && cc_x_is(g, x, CC_IS_POSITIVE) != CC_TRUE && cc_x_is(g, x, CC_IS_INTEGER) != CC_FALSE) return NULL;
    }
    int size = rest == g->one ? cc_x_sign(g, total) : cc_x_constant_compare(g, cc_x_f1(g, CC_F_ABS, rest), g->one);
    if (size == -1) return g->zero;
    return size == 1 && positive && cc_x_sign(g, rest) == 1 ? g->oo : NULL;
}

// An infinite product of a rational function whose factors balance: the product of gamma(a + pole)/gamma(a + zero)
// (Whittaker and Watson 12.13).
static cc_xp infinite_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a) {
    cc_xp q[24], rest, total = g->zero, base, exponent;
    slong e[24], degree = 0;
    size_t n;
    cc_x_split_power(g, f, &base, &exponent);
    if (!cc_x_has(base, k) && cc_x_has(exponent, k)) { // c**e(k)
        cc_xp sum = cc_x_sum(g, exponent, k, a, g->oo);
        return sum && sum->finite ? cc_x_pow(g, base, sum) : NULL;
    }
    if (!roots_of(g, f, k, q, e, CC_ARRAY_LEN(q), &n, &rest)) return NULL;
    for (size_t i = 0; i < n; i++) total = cc_x_add(g, total, cc_x_mul(g, cc_x_int(g, e[i]), q[i])), degree += e[i];
    if (degree != 0 || !total) return NULL;
    if (cc_x_is_zero(g, cc_x_sub(g, rest, g->one)) != CC_TRUE || cc_x_is_zero(g, total) != CC_TRUE)
        return unbounded(g, a, q, e, n, rest, total);
    cc_xp out = g->one;
    bool done[24] = {false};
    for (size_t i = 0; i < n; i++) {
        cc_xp x = cc_x_expand(g, cc_x_add(g, a, q[i]));
        slong m;
        if (cc_x_fits_si(x, &m) && m <= 0) { // a factor that is 0, or has no value
            cc_alg_note(g, "a factor is %s", e[i] > 0 ? "0" : "undefined");
            return e[i] > 0 ? g->zero : g->nan;
        }
        for (size_t j = i + 1; !done[i] && j < n && !cc_x_is_num(x); j++) {
            cc_xp both = done[j] || e[j] != e[i] ? NULL : reflected(g, x, cc_x_expand(g, cc_x_add(g, a, q[j])));
            if (!both) continue;
            out = cc_x_mul(g, out, cc_x_powi(g, both, -e[i]));
            done[i] = done[j] = true;
        }
        if (!done[i]) out = cc_x_mul(g, out, cc_x_powi(g, cc_x_f1(g, CC_F_GAMMA, x), -e[i]));
        done[i] = true;
    }
    return cc_x_simplify(g, out);
}

cc_xp cc_x_product(cc_alg *g, cc_xp f, cc_xp k, cc_xp a, cc_xp b) {
    slong n;
    if (!f || !k || !a || !b || !bounds_are_integers(g, a, b, "product")) return NULL;
    if (count_terms(g, a, b, &n)) {
        if (n < 0 && n >= -MOST_TERMS) return cc_x_powi(g, one_by_one(g, f, k, cc_x_add(g, b, g->one), -n, true), -1);
        if (n >= 0 && n <= 40) return one_by_one(g, f, k, a, n, true);
    }
    if (b == g->oo) return infinite_product(g, f, k, a);
    cc_xp factored = cc_x_factor(g, cc_x_together(g, f)), out = factored ? telescoped(g, &factored, k, a, b) : NULL;
    if (!out || !out->finite || !factored) return NULL;
    size_t m;
    const cc_xp *factors = cc_x_factors(&factored, &m);
    for (size_t i = 0; i < m && out; i++) {
        cc_xp part = factor_product(g, factors[i], k, a, b);
        out = part ? cc_x_mul(g, out, part) : NULL;
    }
    out = finished(g, CC_F_PRODUCT, f, k, a, b, out);
    if (!out && !g->err->code && count_terms(g, a, b, &n) && n >= 0 && n <= MOST_TERMS) return one_by_one(g, f, k, a, n, true);
    return out;
}
