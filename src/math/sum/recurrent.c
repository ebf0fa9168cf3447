// Indefinite sums of a polynomial times a power times a sine, cosine, hyperbolic sine or cosine, Fibonacci or Lucas number, all of linear
// arguments: two neighbours of such a function are a vector s(k) with s(k+1) = M s(k), M a constant 2×2 matrix, and the sum is again
// a polynomial times the same power times s(k). Products of circular functions become sums first. Called by sum.c. Owns nothing.
#include "math/simplify/simplify.h"
#include "math/sum/sum.h"

#define MOST_DEGREE  12 // of the polynomial
#define MOST_CIRCLES 8  // circular functions in one product
#define MOST_SLOPE   24 // of the argument of a Fibonacci number

typedef struct vector {
    cc_xp x, y;
} vector;

typedef struct matrix {
    cc_xp a, b, c, d; // rows (a b), (c d)
} matrix;

typedef struct term {
    cc_xp polynomial, base, scale; // polynomial(k) * scale * base**k
    cc_xp function;                // what varies else
} term;

static vector scaled(cc_alg *g, cc_xp c, vector v) { return (vector){cc_x_mul(g, c, v.x), cc_x_mul(g, c, v.y)}; }
static vector minus(cc_alg *g, vector a, vector b) { return (vector){cc_x_sub(g, a.x, b.x), cc_x_sub(g, a.y, b.y)}; }

static vector times(cc_alg *g, vector v, const matrix *m) { // of a row
    return (vector){cc_x_add(g, cc_x_mul(g, v.x, m->a), cc_x_mul(g, v.y, m->c)),
                    cc_x_add(g, cc_x_mul(g, v.x, m->b), cc_x_mul(g, v.y, m->d))};
}

static bool is_circle(cc_xp f) { return cc_x_is_fun(f, CC_F_SIN) || cc_x_is_fun(f, CC_F_COS); }

// ---- products of circular functions as sums ----

// sin or cos of u times sin or cos of v.
static cc_xp product_of(cc_alg *g, cc_xp f, cc_xp h) {
    cc_xp u = f->args[0], v = h->args[0], sum = cc_x_expand(g, cc_x_add(g, u, v)), difference = cc_x_expand(g, cc_x_sub(g, u, v));
    bool sin_f = f->fn == CC_F_SIN, sin_h = h->fn == CC_F_SIN;
    cc_xfn fn = sin_f == sin_h ? CC_F_COS : CC_F_SIN;
    cc_xp plus = cc_x_f1(g, fn, sum), less = cc_x_f1(g, fn, difference);
    if (sin_f && sin_h) plus = cc_x_neg(g, plus);  // sin u sin v = (cos(u - v) - cos(u + v))/2
    if (!sin_f && sin_h) less = cc_x_neg(g, less); // cos u sin v = (sin(u + v) - sin(u - v))/2
    return cc_x_mul(g, g->half, cc_x_add(g, plus, less));
}

cc_xp cc_sum_linear_circles(cc_alg *g, cc_xp f, cc_xp k) {
    size_t n, count = 0;
    const cc_xp *factors = cc_x_factors(&f, &n);
    cc_xp rest = g->one, circles = NULL;
    for (size_t i = 0; i < n; i++) {
        cc_xp base, exponent;
        slong e;
        cc_x_split_power(g, factors[i], &base, &exponent);
        if (!is_circle(base) || !cc_x_has(base, k) || !cc_x_fits_si(exponent, &e) || e < 1 || e > MOST_CIRCLES) {
            rest = cc_x_mul(g, rest, factors[i]);
            continue;
        }
        for (slong j = 0; j < e; j++) {
            if (++count > MOST_CIRCLES) return f;
            if (!circles) {
                circles = base;
                continue;
            }
            size_t m;
            const cc_xp *terms = cc_x_terms(&circles, &m);
            cc_xp out = g->zero;
            for (size_t t = 0; t < m; t++) {
                cc_xp c, of;
                cc_x_split_coefficient(g, terms[t], &c, &of);
                if (!is_circle(of)) c = terms[t], of = NULL; // the square's constant
                out = cc_x_add(g, out, cc_x_mul(g, c, of ? product_of(g, of, base) : base));
            }
            circles = cc_x_expand(g, out);
            if (!circles) return f;
        }
    }
    return count < 2 ? f : cc_x_expand(g, cc_x_mul(g, rest, circles));
}

// ---- one term ----

static bool take(cc_alg *g, cc_xp f, cc_xp k, term *out) {
    *out = (term){g->one, g->one, g->one, NULL};
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp base, exponent, slope, offset;
        cc_x_split_power(g, factors[i], &base, &exponent);
        const cc_xp *c;
        slong degree;
        if (!cc_x_has(factors[i], k)) {
            out->scale = cc_x_mul(g, out->scale, factors[i]);
        } else if (!cc_x_has(base, k) && cc_sum_linear(g, exponent, k, &slope, &offset)) {
            out->base = cc_x_mul(g, out->base, cc_x_pow(g, base, slope));
            out->scale = cc_x_mul(g, out->scale, cc_x_pow(g, base, offset));
        } else if (cc_x_poly_coefficients(g, factors[i], k, MOST_DEGREE, &c, &degree)) {
            out->polynomial = cc_x_mul(g, out->polynomial, factors[i]);
        } else if (!out->function && factors[i]->kind == CC_X_FUN && factors[i]->n == 1) {
            out->function = factors[i];
        } else {
            return false;
        }
    }
    return out->function != NULL;
}

// The vector of neighbours s with the function as w·s, and its matrix.
static bool neighbours(cc_alg *g, cc_xp f, cc_xp k, vector *s, vector *w, matrix *m) {
    cc_xp u = f->args[0], slope, offset;
    slong step;
    if (!cc_sum_linear(g, u, k, &slope, &offset)) return false;
    bool first = f->fn == CC_F_COS || f->fn == CC_F_COSH;
    *w = first ? (vector){g->one, g->zero} : (vector){g->zero, g->one};
    switch (f->fn) {
    case CC_F_COS:
    case CC_F_SIN: {
        cc_xp c = cc_x_f1(g, CC_F_COS, slope), d = cc_x_f1(g, CC_F_SIN, slope);
        *s = (vector){cc_x_f1(g, CC_F_COS, u), cc_x_f1(g, CC_F_SIN, u)};
        *m = (matrix){c, cc_x_neg(g, d), d, c};
        return true;
    }
    case CC_F_COSH:
    case CC_F_SINH: {
        cc_xp c = cc_x_f1(g, CC_F_COSH, slope), d = cc_x_f1(g, CC_F_SINH, slope);
        *s = (vector){cc_x_f1(g, CC_F_COSH, u), cc_x_f1(g, CC_F_SINH, u)};
        *m = (matrix){c, d, d, c};
        return true;
    }
    case CC_F_FIBONACCI:
    case CC_F_LUCAS: { // s = (F(u), F(u+1)); F(u + m) = F(m-1) F(u) + F(m) F(u+1)
        if (!cc_x_fits_si(slope, &step) || step == 0 || step > MOST_SLOPE || step < -MOST_SLOPE) return false;
        cc_xp f0 = cc_x_f1(g, CC_F_FIBONACCI, slope), less = cc_x_f1(g, CC_F_FIBONACCI, cc_x_sub(g, slope, g->one));
        *s = (vector){f, cc_x_f1(g, (cc_xfn)f->fn, cc_x_add(g, u, g->one))};
        *w = (vector){g->one, g->zero};
        *m = (matrix){less, f0, f0, cc_x_add(g, less, f0)};
        return true;
    }
    default: return false;
    }
}

// base**k q(k)·s(k) with q(k+1) base M - q(k) = p(k) w, from the highest coefficient of q down.
static cc_xp antidifference(cc_alg *g, const term *t, cc_xp k) {
    vector s, w, q[MOST_DEGREE + 1];
    matrix m;
    const cc_xp *p;
    slong degree;
    if (!neighbours(g, t->function, k, &s, &w, &m)) return NULL;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, t->polynomial), k, MOST_DEGREE, &p, &degree)) return NULL;
    m = (matrix){cc_x_mul(g, t->base, m.a), cc_x_mul(g, t->base, m.b), cc_x_mul(g, t->base, m.c), cc_x_mul(g, t->base, m.d)};
    cc_xp a = cc_x_sub(g, m.a, g->one), d = cc_x_sub(g, m.d, g->one);
    cc_xp det = cc_x_trigsimp(g, cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, a, d), cc_x_mul(g, m.b, m.c))));
    if (!det || cc_x_is_zero(g, det) != CC_FALSE) return NULL;
    if (!cc_x_is_constant(det)) cc_alg_condition(g, cc_x_nonzero(g, det));
    const matrix inverse = {cc_x_div(g, d, det), cc_x_neg(g, cc_x_div(g, m.b, det)), cc_x_neg(g, cc_x_div(g, m.c, det)),
                            cc_x_div(g, a, det)}; // of M - 1
    for (slong j = degree; j >= 0; j--) {
        vector right = scaled(g, p[j], w);
        cc_xp choose = g->one; // binomial(i, j)
        for (slong i = j + 1; i <= degree; i++) {
            choose = cc_x_div(g, cc_x_mul(g, choose, cc_x_int(g, i)), cc_x_int(g, i - j));
            right = minus(g, right, scaled(g, choose, times(g, q[i], &m)));
        }
        q[j] = times(g, right, &inverse);
        if (degree > 0) q[j] = (vector){cc_x_simplify(g, q[j].x), cc_x_simplify(g, q[j].y)}; // what follows is made of it
        if (!q[j].x || !q[j].y || !cc_alg_may_search(g)) return NULL;
    }
    cc_xp x = g->zero, y = g->zero;
    for (slong j = 0; j <= degree; j++) {
        x = cc_x_add(g, x, cc_x_mul(g, q[j].x, cc_x_powi(g, k, j)));
        y = cc_x_add(g, y, cc_x_mul(g, q[j].y, cc_x_powi(g, k, j)));
    }
    cc_xp z = cc_x_add(g, cc_x_mul(g, x, s.x), cc_x_mul(g, y, s.y));
    return cc_x_mul(g, cc_x_mul(g, t->scale, cc_x_pow(g, t->base, k)), z);
}

cc_xp cc_sum_recurrent(cc_alg *g, cc_xp f, cc_xp k) {
    term t;
    return take(g, f, k, &t) ? antidifference(g, &t, k) : NULL;
}
