// Roots of polynomials in one variable. Over the rationals: factors by FLINT, then each irreducible one by its kind: linear, quadratic, a
// binomial, cyclotomic, a composition of smaller ones, or a numbered root (CRootOf) that every further computation can enclose. With
// symbols or algebraic numbers: factors, formulas to degree 3, compositions. Called by solve.c and trigonometric.c.
#include "math/solve/solve.h"

#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/ulong_extras.h>

#include "math/simplify/simplify.h"

#define MOST_DEGREE  400
#define MOST_COSINES 12  // degree of what is sought among the cosines of one angle
#define MOST_QUARTIC 400 // nodes of one root
#define MOST_ORDER   90  // n_euler_phi(m) <= 24 for no larger m

// a v**2 + b v + c
static void quadratic(cc_alg *g, cc_xp a, cc_xp b, cc_xp c, cc_roots *r, unsigned m) {
    if (cc_x_takes_minus(a)) a = cc_x_neg(g, a), b = cc_x_neg(g, b), c = cc_x_neg(g, c);
    cc_xp d = cc_x_sub(g, cc_x_powi(g, b, 2), cc_x_mul(g, cc_x_int(g, 4), cc_x_mul(g, a, c)));
    d = cc_x_is_constant(d) ? cc_x_expand(g, d) : cc_x_factor(g, cc_x_expand(g, d));
    cc_xp root = cc_x_sqrt(g, d), below = cc_x_mul(g, g->two, a), minus_b = cc_x_neg(g, b);
    if (d == g->zero) {
        cc_roots_add(r, cc_x_div(g, minus_b, below), 2 * m);
        return;
    }
    cc_xp one = cc_x_div(g, cc_x_sub(g, minus_b, root), below), two = cc_x_div(g, cc_x_add(g, minus_b, root), below);
    if (cc_x_is_constant(d)) one = cc_x_expand(g, one), two = cc_x_expand(g, two);
    cc_roots_add(r, one, m);
    cc_roots_add(r, two, m);
}

// exp(2 pi I j/n)
static cc_xp unity(cc_alg *g, slong j, slong n) {
    cc_xp angle = cc_x_mul(g, cc_x_frac(g, 2 * j, n), g->pi);
    return cc_x_expand(g, cc_x_add(g, cc_x_f1(g, CC_F_COS, angle), cc_x_mul(g, g->i, cc_x_f1(g, CC_F_SIN, angle))));
}

// v**n = c, all n roots.
static void binomial(cc_alg *g, cc_xp c, slong n, cc_roots *r, unsigned m) {
    // the real root of a negative number for odd n, so that the others are its turns
    bool negative = cc_x_is(g, c, CC_IS_NEGATIVE) == CC_TRUE;
    cc_xp size = negative ? cc_x_neg(g, c) : c, root = cc_x_pow(g, size, cc_x_frac(g, 1, n));
    for (slong j = 0; j < n; j++) {
        cc_xp turn;
        if (negative && n % 2) {
            turn = cc_x_neg(g, unity(g, j, n));
        } else if (negative) { // exp(pi I (2j + 1)/n)
            turn = unity(g, 2 * j + 1, 2 * n);
        } else {
            turn = unity(g, j, n);
        }
        cc_roots_add(r, cc_x_expand(g, cc_x_mul(g, root, turn)), m);
    }
}

// Cardano: v**3 + p v + q, v = u - p/(3u), u**3 = -q/2 + sqrt(q**2/4 + p**3/27), after v → v - b/(3a).
static void cubic(cc_alg *g, const cc_xp *c, cc_roots *r, unsigned m) {
    cc_xp a = c[3], b = cc_x_div(g, c[2], a), cc = cc_x_div(g, c[1], a), d = cc_x_div(g, c[0], a), third = cc_x_frac(g, 1, 3);
    cc_xp p = cc_x_sub(g, cc, cc_x_mul(g, third, cc_x_powi(g, b, 2)));
    cc_xp q = cc_x_add(g, cc_x_sub(g, cc_x_mul(g, cc_x_frac(g, 2, 27), cc_x_powi(g, b, 3)), cc_x_mul(g, third, cc_x_mul(g, b, cc))), d);
    if (cc_x_is_zero(g, p) == CC_TRUE) { // v**3 = -q
        cc_roots cubes;
        cc_roots_init(&cubes, g);
        binomial(g, cc_x_neg(g, cc_x_is_constant(q) ? cc_x_constant_simplify(g, q) : q), 3, &cubes, m);
        for (size_t i = 0; i < cubes.n; i++) cc_roots_add(r, cc_x_sub(g, cubes.at[i], cc_x_mul(g, third, b)), m);
        return;
    }
    cc_xp inside = cc_x_add(g, cc_x_mul(g, cc_x_frac(g, 1, 4), cc_x_powi(g, q, 2)), cc_x_mul(g, cc_x_frac(g, 1, 27), cc_x_powi(g, p, 3)));
    cc_xp u = cc_x_pow(g, cc_x_sub(g, cc_x_sqrt(g, cc_x_together(g, inside)), cc_x_mul(g, g->half, q)), third);
    cc_xp shift = cc_x_mul(g, third, b);
    for (slong j = 0; j < 3; j++) {
        cc_xp turned = cc_x_mul(g, u, unity(g, j, 3));
        cc_roots_add(r, cc_x_sub(g, cc_x_sub(g, turned, cc_x_div(g, cc_x_mul(g, third, p), turned)), shift), m);
    }
    cc_x_require_nonzero(g, p);
}

// Ferrari: v**4 + p v**2 + q v + w, after v → v - b/(4a), is (v**2 + p/2 + m)**2 - 2m (v - q/(4m))**2 for a root m of
// m**3 + p m**2 + (p**2/4 - w) m - q**2/8, which is not 0 where q is not.
static void quartic(cc_alg *g, const cc_xp *c, cc_roots *r, unsigned m) {
    cc_xp a = c[4], quarter = cc_x_frac(g, 1, 4), shift = cc_x_mul(g, quarter, cc_x_div(g, c[3], a)), v = cc_x_dummy(g, "v", 0);
    cc_xp moved = cc_x_expand(g, cc_x_div(g, cc_x_subs(g, cc_x_from_coefficients(g, c, 4, v), v, cc_x_sub(g, v, shift)), a));
    const cc_xp *d;
    slong degree;
    if (!cc_x_poly_coefficients(g, moved, v, 4, &d, &degree) || degree != 4) return;
    cc_xp p = cc_x_together(g, d[2]), q = cc_x_together(g, d[1]), w = cc_x_together(g, d[0]),
          square = cc_x_mul(g, quarter, cc_x_powi(g, p, 2));
    cc_xp resolvent[] = {cc_x_mul(g, cc_x_frac(g, -1, 8), cc_x_powi(g, q, 2)), cc_x_together(g, cc_x_sub(g, square, w)), p, g->one};
    cc_roots of_m;
    cc_roots_init(&of_m, g);
    cubic(g, resolvent, &of_m, 1);
    if (!of_m.n) return;
    cc_x_require_nonzero(g, q);
    cc_xp one = of_m.at[0], s = cc_x_sqrt(g, cc_x_mul(g, g->two, one)), twice = cc_x_mul(g, g->two, cc_x_add(g, p, one));
    for (int i = 0; i < 4; i++) {
        cc_xp t = i & 1 ? cc_x_neg(g, s) : s;
        cc_xp inner = cc_x_sqrt(g, cc_x_neg(g, cc_x_add(g, twice, cc_x_div(g, cc_x_mul(g, g->two, q), t))));
        if (i & 2) inner = cc_x_neg(g, inner);
        cc_xp root = cc_x_sub(g, cc_x_mul(g, g->half, cc_x_add(g, t, inner)), shift);
        if (!root || root->size > MOST_QUARTIC) { // nobody reads it
            r->n = 0;
            return;
        }
        cc_roots_add(r, root, m);
    }
}

// v**4 + p v**2 + q with a rational root r of q is (v**2 + r)**2 - (2r - p) v**2: the roots are (±sqrt(2r - p) ± sqrt(-2r - p))/2.
static bool biquadratic(cc_alg *g, const cc_xp *c, cc_roots *r, unsigned m) {
    cc_xp p = cc_x_div(g, c[2], c[4]), q = cc_x_div(g, c[0], c[4]), root = cc_x_sqrt(g, q);
    if (!cc_x_is_num(p) || !cc_x_is_num(root)) return false;
    cc_xp twice = cc_x_mul(g, g->two, root), a = cc_x_sqrt(g, cc_x_sub(g, twice, p));
    cc_xp b = cc_x_sqrt(g, cc_x_neg(g, cc_x_add(g, twice, p)));
    for (int i = 0; i < 4; i++)
        cc_roots_add(r, cc_x_expand(g, cc_x_mul(g, g->half, cc_x_add(g, i & 1 ? cc_x_neg(g, a) : a, i & 2 ? cc_x_neg(g, b) : b))), m);
    return true;
}

// The largest k with p(v) = q(v**k); 1 when there is none.
static slong common_power(const cc_xp *c, slong degree, cc_xp zero) {
    slong k = 0;
    for (slong i = 1; i <= degree; i++)
        if (c[i] != zero) k = k ? (slong)n_gcd((ulong)k, (ulong)i) : i;
    return k ? k : 1;
}

// p(v) = q(v**k): the roots of q, then binomials. False: q was not solved.
static bool by_power(cc_alg *g, const cc_xp *c, slong degree, slong k, cc_xp v, cc_roots *r, unsigned m) {
    cc_xp *inner = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)(degree / k) + 1);
    for (slong i = 0; i <= degree / k; i++) inner[i] = c[i * k];
    cc_roots of_q;
    cc_roots_init(&of_q, g);
    if (!cc_solve_polynomial(g, inner, degree / k, v, &of_q)) return false;
    for (size_t i = 0; i < of_q.n; i++)
        if (cc_x_has_fn(of_q.at[i], CC_F_CROOTOF)) return false;
    for (size_t i = 0; i < of_q.n; i++) binomial(g, of_q.at[i], k, r, m * of_q.multiplicity[i]);
    return true;
}

static void numbered(cc_alg *g, const fmpz_poly_t p, cc_xp v, cc_roots *r, unsigned m) {
    fmpq_poly_t q;
    fmpq_poly_init(q);
    fmpq_poly_set_fmpz_poly(q, p);
    if (v->dummy) v = cc_x_symbol(g, CC_STR("x"), 0); // names of ours are not shown
    cc_xp poly = cc_x_from_fmpq_poly(g, q, v);
    fmpq_poly_clear(q);
    for (slong i = 0; i < fmpz_poly_degree(p); i++) {
        cc_xp args[] = {poly, v, cc_x_int(g, i)};
        cc_roots_add(r, cc_x_fun(g, CC_F_CROOTOF, args, 3), m);
    }
}

static const cc_xp *coefficients(cc_alg *g, const fmpz_poly_t p) {
    cc_xp *c = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)fmpz_poly_length(p) + 1);
    for (slong i = 0; i < fmpz_poly_length(p); i++) c[i] = cc_x_fmpz(g, p->coeffs + i);
    return c;
}

// p(x - shift) without its second term, over the rationals.
static void depress(fmpq_poly_t out, fmpq_t shift, const fmpz_poly_t p) {
    slong n = fmpz_poly_degree(p);
    fmpq_poly_t x;
    fmpq_poly_init(x);
    fmpq_set_fmpz_frac(shift, fmpz_poly_get_coeff_ptr(p, n - 1), fmpz_poly_get_coeff_ptr(p, n));
    fmpq_div_fmpz(shift, shift, (fmpz[]){n});
    fmpq_poly_set_coeff_si(x, 1, 1);
    fmpq_poly_set_coeff_fmpq(x, 0, shift);
    fmpq_poly_neg(x, x);
    fmpq_poly_set_coeff_si(x, 1, 1);
    fmpq_poly_set_fmpz_poly(out, p);
    fmpq_poly_compose(out, out, x);
    fmpq_poly_make_monic(out, out);
    fmpq_poly_clear(x);
}

// q(x) = scale**n * c(x/scale)?
static bool is_scaled_by(const fmpq_poly_t q, const fmpq_poly_t c, const fmpq_t scale) {
    fmpq_t a, b, power;
    fmpq_init(a), fmpq_init(b), fmpq_init(power);
    fmpq_one(power);
    bool same = true;
    for (slong i = fmpq_poly_degree(q); i >= 0 && same; i--, fmpq_mul(power, power, scale)) {
        fmpq_poly_get_coeff_fmpq(a, q, i), fmpq_poly_get_coeff_fmpq(b, c, i);
        fmpq_mul(b, b, power);
        same = fmpq_equal(a, b);
    }
    fmpq_clear(a), fmpq_clear(b), fmpq_clear(power);
    return same;
}

// For some rational scale? Both are monic, of degree n, without second term; that of c has a third one, which gives its square.
static bool is_scaled(const fmpq_poly_t q, const fmpq_poly_t c, slong n, fmpq_t scale) {
    fmpq_t third;
    fmpq_init(third);
    fmpq_poly_get_coeff_fmpq(scale, q, n - 2), fmpq_poly_get_coeff_fmpq(third, c, n - 2);
    fmpq_div(scale, scale, third);
    fmpq_clear(third);
    if (fmpq_sgn(scale) <= 0 || !fmpz_is_square(fmpq_numref(scale)) || !fmpz_is_square(fmpq_denref(scale))) return false;
    fmpz_sqrt(fmpq_numref(scale), fmpq_numref(scale)), fmpz_sqrt(fmpq_denref(scale), fmpq_denref(scale));
    if (is_scaled_by(q, c, scale)) return true;
    fmpq_neg(scale, scale);
    return is_scaled_by(q, c, scale);
}

// Roots a + b*cos(2 pi j/m), rational a and b: all conjugates of one.
static bool cosines(cc_alg *g, const fmpz_poly_t p, cc_roots *r, unsigned times) {
    slong n = fmpz_poly_degree(p);
    if (n > MOST_COSINES) return false;
    fmpq_poly_t q, c;
    fmpz_poly_t z;
    fmpq_t shift, scale, of_cosines;
    fmpq_poly_init(q), fmpq_poly_init(c), fmpz_poly_init(z);
    fmpq_init(shift), fmpq_init(scale), fmpq_init(of_cosines);
    depress(q, shift, p);
    bool found = false;
    for (ulong m = 7; m <= MOST_ORDER && !found; m++) {
        if (n_euler_phi(m) != 2 * (ulong)n) continue;
        fmpz_poly_cos_minpoly(z, m); // of 2*cos(2 pi/m)
        depress(c, of_cosines, z);
        found = is_scaled(q, c, n, scale);
        if (!found) continue;
        fmpq_mul(of_cosines, of_cosines, scale);
        fmpq_sub(shift, of_cosines, shift);
        cc_xp factor = cc_x_mul(g, g->two, cc_x_num(g, scale)), add = cc_x_num(g, shift);
        for (ulong j = 1; 2 * j < m; j++)
            if (n_gcd(j, m) == 1) {
                cc_xp angle = cc_x_mul(g, cc_x_frac(g, 2 * (slong)j, (slong)m), g->pi);
                cc_roots_add(r, cc_x_add(g, add, cc_x_mul(g, factor, cc_x_f1(g, CC_F_COS, angle))), times);
            }
    }
    fmpq_clear(shift), fmpq_clear(scale), fmpq_clear(of_cosines);
    fmpq_poly_clear(q), fmpq_poly_clear(c), fmpz_poly_clear(z);
    return found;
}

static bool short_form(cc_alg *g, const fmpz_poly_t p, cc_xp v, cc_roots *r, unsigned m);

// p(v - shift) has such a form: a root of a sum, as (v + 1)**3 = 2 multiplied out.
static bool shifted(cc_alg *g, const fmpz_poly_t p, cc_xp v, cc_roots *r, unsigned m) {
    slong n = fmpz_poly_degree(p);
    if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(p, n - 1))) return false;
    fmpq_poly_t q;
    fmpz_poly_t z;
    fmpq_t shift;
    cc_roots of_q;
    fmpq_poly_init(q), fmpz_poly_init(z), fmpq_init(shift);
    depress(q, shift, p);
    fmpq_poly_get_numerator(z, q);
    cc_roots_init(&of_q, g);
    bool ok = short_form(g, z, v, &of_q, m);
    for (size_t i = 0; ok && i < of_q.n; i++) cc_roots_add(r, cc_x_sub(g, of_q.at[i], cc_x_num(g, shift)), m);
    fmpq_poly_clear(q), fmpz_poly_clear(z), fmpq_clear(shift);
    return ok;
}

// Roots in square roots, roots of numbers, and cosines. False: this irreducible polynomial has none that was sought here.
static bool short_form(cc_alg *g, const fmpz_poly_t p, cc_xp v, cc_roots *r, unsigned m) {
    slong n = fmpz_poly_degree(p);
    const cc_xp *c = coefficients(g, p);
    if (n == 1) {
        cc_roots_add(r, cc_x_neg(g, cc_x_div(g, c[0], c[1])), m);
        return true;
    }
    if (n == 2) {
        quadratic(g, c[2], c[1], c[0], r, m);
        return true;
    }
    slong k = common_power(c, n, g->zero);
    if (k == n && n <= 12) {
        binomial(g, cc_x_neg(g, cc_x_div(g, c[0], c[n])), n, r, m);
        return true;
    }
    ulong order = fmpz_poly_is_cyclotomic(p);
    if (order && n <= 24) {
        for (slong j = 1; j < (slong)order; j++)
            if (n_gcd((ulong)j, order) == 1) cc_roots_add(r, unity(g, j, (slong)order), m);
        return true;
    }
    if (n == 4 && k == 2 && biquadratic(g, c, r, m)) return true;
    if (k > 1 && n / k <= 2 && n <= 12 && by_power(g, c, n, k, v, r, m)) return true;
    return cosines(g, p, r, m) || shifted(g, p, v, r, m);
}

static bool rational(cc_alg *g, const fmpq_poly_t p, cc_xp v, cc_roots *r) {
    fmpz_poly_t z;
    fmpz_poly_factor_t f;
    fmpz_poly_init(z);
    fmpz_poly_factor_init(f);
    fmpq_poly_get_numerator(z, p);
    fmpz_poly_factor(f, z);
    for (slong i = 0; i < f->num; i++) {
        unsigned m = (unsigned)f->exp[i];
        if (!short_form(g, f->p + i, v, r, m)) numbered(g, f->p + i, v, r, m);
    }
    fmpz_poly_factor_clear(f);
    fmpz_poly_clear(z);
    return true;
}

static bool has_symbols(const cc_xp *c, slong degree) {
    bool any = false;
    for (slong i = 0; i <= degree; i++) any = any || !cc_x_is_constant(c[i]);
    return any;
}

// Coefficients with symbols or irrational numbers.
static bool general(cc_alg *g, const cc_xp *c, slong degree, cc_xp v, cc_roots *r) {
    if (degree == 1) {
        bool minus = cc_x_takes_minus(c[1]); // (a + c)/c rather than (-a - c)/(-c)
        cc_xp over = minus ? c[0] : cc_x_neg(g, c[0]), below = minus ? cc_x_neg(g, c[1]) : c[1];
        cc_roots_add(r, cc_x_together(g, cc_x_div(g, over, below)), 1);
    } else if (degree == 2) {
        quadratic(g, c[2], c[1], c[0], r, 1);
    } else {
        slong k = common_power(c, degree, g->zero);
        if (k == degree)
            binomial(g, cc_x_neg(g, cc_x_div(g, c[0], c[degree])), degree, r, 1);
        else if (k > 1 && by_power(g, c, degree, k, v, r, 1))
            return true;
        else if (degree == 3)
            cubic(g, c, r, 1);
        else if (degree == 4 && has_symbols(c, 4))
            quartic(g, c, r, 1);
        else
            return false;
        return r->n > 0;
    }
    return true;
}

bool cc_solve_polynomial(cc_alg *g, const cc_xp *c, slong degree, cc_xp v, cc_roots *r) {
    while (degree > 0 && cc_x_is_zero(g, c[degree]) == CC_TRUE) degree--;
    if (degree > MOST_DEGREE) return false;
    if (degree == 0) {
        cc_truth zero = cc_x_is_zero(g, c[0]);
        if (zero == CC_TRUE) r->all = true;
        return zero != CC_UNDECIDED || !cc_x_is_constant(c[0]);
    }
    slong low = 0;
    while (low < degree && c[low] == g->zero) low++;
    if (low) cc_roots_add(r, g->zero, (unsigned)low);
    c += low, degree -= low;
    if (degree == 0) {
        cc_x_require_nonzero(g, c[0]);
        return true;
    }
    fmpq_poly_t p;
    fmpq_poly_init(p);
    cc_xp poly = cc_x_from_coefficients(g, c, degree, v);
    bool done = false;
    if (cc_x_to_fmpq_poly(g, p, poly, v)) {
        done = rational(g, p, v, r);
    } else if (poly) {
        cc_x_require_nonzero(g, c[degree]); // it has symbols
        cc_xp factored = degree > 1 ? cc_x_factor(g, poly) : poly;
        size_t n;
        const cc_xp *factors = cc_x_factors(&factored, &n);
        done = factored != NULL;
        for (size_t i = 0; done && i < n; i++) {
            cc_xp base, exponent;
            const cc_xp *of;
            slong d, e;
            if (!cc_x_has(factors[i], v)) continue;
            cc_x_split_power(g, factors[i], &base, &exponent);
            done = cc_x_fits_si(exponent, &e) && e > 0 && cc_x_poly_coefficients(g, base, v, MOST_DEGREE, &of, &d);
            if (!done) break;
            cc_roots part;
            cc_roots_init(&part, g);
            done = general(g, of, d, v, &part);
            for (size_t j = 0; done && j < part.n; j++) cc_roots_add(r, part.at[j], part.multiplicity[j] * (unsigned)e);
        }
    }
    fmpq_poly_clear(p);
    return done;
}
