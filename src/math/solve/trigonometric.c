// Equations in sine and cosine: everything becomes a polynomial in the sine and cosine of one angle. Where it is one in cosine or in sine
// alone that one is found and inverted; where it is the sine times such a one, the factors; otherwise it becomes a polynomial in z = exp(i
// u), whose cyclotomic factors are angles, or in the tangent of the half angle. Called by solve.c, which checks every root.
#include "math/solve/solve.h"

#include "math/simplify/simplify.h"

#define MOST_MULTIPLE 24

typedef struct angles {
    cc_alg *g;
    cc_xp v, unit; // every argument is offset + multiple * unit, the offset free of v
    cc_xp s, c;    // sine and cosine of unit
    bool failed;
} angles;

// The arguments of all sines and cosines of v.
static bool arguments(cc_xp f, cc_xp v, cc_xp *of, size_t *n, size_t most) {
    if (!cc_x_has(f, v)) return true;
    if (f->kind == CC_X_FUN && (f->fn == CC_F_SIN || f->fn == CC_F_COS)) {
        for (size_t i = 0; i < *n; i++)
            if (of[i] == f->args[0]) return true;
        if (*n == most) return false;
        of[(*n)++] = f->args[0];
        return true;
    }
    if (f == v) return false; // the variable outside
    for (size_t i = 0; i < f->n; i++)
        if (!arguments(f->args[i], v, of, n, most)) return false;
    return true;
}

static cc_xp replace(cc_alg *g, cc_xp f, void *ctx) {
    angles *t = ctx;
    if (f->kind != CC_X_FUN || (f->fn != CC_F_SIN && f->fn != CC_F_COS) || !cc_x_has(f, t->v)) return f;
    cc_xp with, offset;
    cc_x_separate_add(g, cc_x_expand(g, f->args[0]), t->v, &with, &offset);
    cc_xp ratio = cc_x_cancel(g, cc_x_div(g, with, t->unit));
    slong k;
    if (!cc_x_fits_si(ratio, &k) || k > MOST_MULTIPLE || k < -MOST_MULTIPLE) {
        t->failed = true;
        return f;
    }
    cc_xp sk, ck;
    cc_x_multiple_angle(g, k, t->s, t->c, &sk, &ck);
    if (offset == g->zero) return f->fn == CC_F_SIN ? sk : ck;
    cc_xp so = cc_x_f1(g, CC_F_SIN, offset), co = cc_x_f1(g, CC_F_COS, offset);
    if (f->fn == CC_F_SIN) return cc_x_add(g, cc_x_mul(g, sk, co), cc_x_mul(g, ck, so));
    return cc_x_sub(g, cc_x_mul(g, ck, co), cc_x_mul(g, sk, so));
}

// unit = the largest part that every argument is an integer multiple of.
static bool find_unit(cc_alg *g, cc_xp f, cc_xp v, cc_xp *unit) {
    cc_xp of[16], with, offset, first = NULL, all = g->zero;
    size_t n = 0;
    if (!arguments(f, v, of, &n, CC_ARRAY_LEN(of)) || !n) return false;
    for (size_t i = 0; i < n; i++) {
        cc_x_separate_add(g, cc_x_expand(g, of[i]), v, &with, &offset);
        if (!first) first = with;
        cc_xp ratio = cc_x_cancel(g, cc_x_div(g, with, first));
        if (!cc_x_is_num(ratio)) return false;
        // gcd of rationals
        fmpq_t q;
        fmpq_init(q);
        fmpq_gcd(q, cc_x_is_num(all) ? all->num : ratio->num, ratio->num);
        all = cc_x_num(g, q);
        fmpq_clear(q);
    }
    *unit = cc_x_mul(g, all, first);
    return all != g->zero;
}

// c**2 = 1 - s**2 used so that at most the first power of the sine is left: f = a(c) + s b(c).
static bool reduce(cc_alg *g, const angles *t, cc_xp f, cc_xp *a, cc_xp *b) {
    const cc_xp *by_s;
    slong n;
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, f), t->s, 100, &by_s, &n)) return false;
    cc_xp square = cc_x_sub(g, g->one, cc_x_powi(g, t->c, 2));
    *a = *b = g->zero;
    for (slong i = 0; i <= n; i++) {
        cc_xp part = cc_x_mul(g, by_s[i], cc_x_powi(g, square, i / 2));
        if (i % 2)
            *b = cc_x_add(g, *b, part);
        else
            *a = cc_x_add(g, *a, part);
    }
    *a = cc_x_expand(g, *a), *b = cc_x_expand(g, *b);
    return *a && *b;
}

// fn(unit) = each root of p(value): unit, then v.
static bool by_value(cc_alg *g, const angles *t, cc_xp p, cc_xp value, cc_xfn fn, cc_roots *r, unsigned depth) {
    cc_roots values;
    cc_roots_init(&values, g);
    if (!cc_solve_zero(g, p, value, &values, depth + 1) || values.all) return false;
    r->complete = r->complete && values.complete;
    for (size_t i = 0; i < values.n; i++) {
        cc_xp inner, of_u[CC_INVERSES];
        size_t n, before = g->n_conditions;
        bool complete;
        cc_xp u = cc_x_dummy(g, "u", 0), outer = cc_x_f1(g, fn, u);
        if (!cc_solve_invert(g, outer, u, values.at[i], &inner, of_u, &n, &complete)) return false;
        if (fn == CC_F_TAN) g->n_conditions = before; // one for all of them follows
        for (size_t j = 0; j < n; j++) {
            cc_roots part;
            cc_roots_init(&part, g);
            if (!cc_solve_zero(g, cc_x_sub(g, t->unit, of_u[j]), t->v, &part, depth + 1)) return false;
            for (size_t m = 0; m < part.n; m++) cc_roots_add(r, part.at[m], 0);
        }
    }
    if (fn == CC_F_TAN) { // which is never I or -I
        cc_xp num, den;
        cc_x_fraction(g, cc_x_together(g, p), &num, &den);
        cc_xp at_both = cc_x_mul(g, cc_x_subs(g, num, value, g->i), cc_x_subs(g, num, value, cc_x_neg(g, g->i)));
        cc_x_require_nonzero(g, cc_x_expand(g, at_both));
    }
    return true;
}

// tan(unit/2): sin = 2 t/(1 + t**2), cos = (1 - t**2)/(1 + t**2); the half turn, which it leaves out, is tried by itself.
static bool by_half(cc_alg *g, const angles *t, cc_xp f, cc_roots *r, unsigned depth) {
    cc_xp h = cc_x_dummy(g, "h", 0), one_plus = cc_x_add(g, g->one, cc_x_powi(g, h, 2));
    cc_xp what[] = {t->s, t->c};
    cc_xp with[] = {cc_x_div(g, cc_x_mul(g, g->two, h), one_plus), cc_x_div(g, cc_x_sub(g, g->one, cc_x_powi(g, h, 2)), one_plus)};
    cc_xp in_h = cc_x_subs_many(g, f, what, with, 2), half = cc_x_mul(g, g->half, t->unit), turn[] = {g->zero, g->minus_one};
    angles halved = *t;
    halved.unit = half;
    if (!by_value(g, &halved, in_h, h, CC_F_TAN, r, depth)) return false;
    cc_xp at_turn = cc_x_subs_many(g, f, what, turn, 2);
    if (cc_x_is_zero(g, at_turn) == CC_FALSE) return true;
    cc_roots part;
    cc_roots_init(&part, g);
    cc_xp odd = cc_x_mul(g, g->pi, cc_x_add(g, g->one, cc_x_mul(g, g->two, cc_roots_integer(g))));
    if (!cc_solve_zero(g, cc_x_sub(g, t->unit, odd), t->v, &part, depth + 1)) return false;
    for (size_t m = 0; m < part.n; m++) cc_roots_add(r, part.at[m], 0);
    return true;
}

// sin(a) ± sin(b), cos(a) ± cos(b), sin(a) ± cos(b) with arguments that are no multiples of one another: as products.
static bool two_waves(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    if (f->kind != CC_X_ADD || f->n != 2) return false;
    cc_xp c[2], u[2], a[2];
    bool sine[2];
    for (size_t i = 0; i < 2; i++) {
        cc_x_split_coefficient(g, f->args[i], &c[i], &u[i]);
        if (!cc_x_is_fun(u[i], CC_F_SIN) && !cc_x_is_fun(u[i], CC_F_COS)) return false;
        sine[i] = u[i]->fn == CC_F_SIN;
        a[i] = u[i]->args[0];
    }
    bool minus = c[0] == cc_x_neg(g, c[1]);
    if (!minus && c[0] != c[1]) return false;
    cc_xp half_pi = cc_x_mul(g, g->half, g->pi), two_n = cc_x_mul(g, cc_x_mul(g, g->two, g->pi), cc_roots_integer(g));
    // all as cos(a) = ± cos(b): a = b + 2 pi n or a = -b + 2 pi n
    for (size_t i = 0; i < 2; i++)
        if (sine[i]) a[i] = cc_x_sub(g, a[i], half_pi);
    if (!minus) a[1] = cc_x_add(g, a[1], g->pi);
    for (int sign = -1; sign <= 1; sign += 2) {
        cc_xp other = sign > 0 ? cc_x_neg(g, a[1]) : a[1];
        cc_roots part;
        cc_roots_init(&part, g);
        cc_xp linear = cc_x_sub(g, cc_x_sub(g, a[0], other), two_n);
        if (!cc_x_has(linear, v)) continue;
        if (!cc_solve_zero(g, linear, v, &part, depth + 1)) return false;
        for (size_t m = 0; m < part.n; m++) cc_roots_add(r, part.at[m], 0);
    }
    return true;
}

// Every term has an even degree in the sine and cosine together: a polynomial in those of the double angle. NULL: it is none.
static cc_xp doubled(cc_alg *g, const angles *t, cc_xp f) {
    const cc_xp *by_s, *by_c;
    slong n, m;
    cc_xp out = g->zero;
    cc_xp ss = cc_x_mul(g, g->half, cc_x_sub(g, g->one, t->c)), cc = cc_x_mul(g, g->half, cc_x_add(g, g->one, t->c));
    if (!cc_x_poly_coefficients(g, cc_x_expand(g, f), t->s, 100, &by_s, &n)) return NULL;
    for (slong i = 0; i <= n; i++) {
        if (!cc_x_poly_coefficients(g, by_s[i], t->c, 100, &by_c, &m)) return NULL;
        for (slong j = 0; j <= m; j++) {
            if (by_c[j] == g->zero) continue;
            if ((i + j) % 2) return NULL;
            cc_xp term = cc_x_mul(g, cc_x_powi(g, ss, i / 2), cc_x_powi(g, cc, j / 2));
            if (i % 2) term = cc_x_mul(g, term, cc_x_mul(g, g->half, t->s)); // sin*cos = sin(2u)/2
            out = cc_x_add(g, out, cc_x_mul(g, by_c[j], term));
        }
    }
    return cc_x_expand(g, out);
}

bool cc_solve_trigonometric(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    f = cc_x_rewrite(g, f, CC_REWRITE_SINCOS);
    cc_xp num, den;
    cc_x_fraction(g, cc_x_together(g, f), &num, &den);
    if (!num) return false;
    if (two_waves(g, num, v, r, depth)) return true;
    angles t = {.g = g, .v = v, .s = cc_x_dummy(g, "s", 0), .c = cc_x_dummy(g, "c", 0)};
    if (!find_unit(g, num, v, &t.unit)) return false;
    cc_xp flat = cc_x_map(g, num, replace, &t), a, b;
    if (!flat || t.failed || cc_x_has(flat, v)) return false;
    for (cc_xp twice; (twice = doubled(g, &t, flat)) && (cc_x_has(twice, t.s) || cc_x_has(twice, t.c));) {
        flat = twice;
        t.unit = cc_x_mul(g, g->two, t.unit);
    }
    if (!reduce(g, &t, flat, &a, &b)) return false;
    if (b == g->zero) return by_value(g, &t, a, t.c, CC_F_COS, r, depth);
    if (a == g->zero) // s b(c)
        return by_value(g, &t, t.s, t.s, CC_F_SIN, r, depth) && (!cc_x_has(b, t.c) || by_value(g, &t, b, t.c, CC_F_COS, r, depth));
    // in the sine alone?
    const cc_xp *of_c;
    slong n;
    cc_xp in_s = NULL;
    if (cc_x_poly_coefficients(g, cc_x_expand(g, flat), t.c, 100, &of_c, &n)) {
        cc_xp square = cc_x_sub(g, g->one, cc_x_powi(g, t.s, 2));
        in_s = g->zero;
        for (slong i = 0; i <= n && in_s; i++)
            in_s = i % 2 && of_c[i] != g->zero ? NULL : cc_x_add(g, in_s, cc_x_mul(g, of_c[i], cc_x_powi(g, square, i / 2)));
    }
    if (in_s) return by_value(g, &t, cc_x_expand(g, in_s), t.s, CC_F_SIN, r, depth);
    return by_half(g, &t, cc_x_add(g, a, cc_x_mul(g, t.s, b)), r, depth);
}
