// Rational functions of v and y = sqrt(a*v**2 + b*v + c): the part without y is rational; of R(v)/y, after the shift that makes the
// radicand even, the odd part is rational in y and the even part in v/y. Called by search.c. All substitutions are identities between v and
// y, so the result holds for either sign of the root.
#include "math/integrate/integrate.h"

enum { MAX_DEGREE = 60 };

typedef struct root {
    cc_xp base; // the radicand
    bool other; // something that is not rational in v and y
} root;

static void survey(cc_alg *g, root *r, cc_xp x, cc_xp v) {
    if (!x || r->other || cc_int_free(x, v) || x == v) return;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1])) {
        if (!cc_x_is_int(x->args[1])) {
            slong q = fmpz_fits_si(fmpq_denref(x->args[1]->num)) ? fmpz_get_si(fmpq_denref(x->args[1]->num)) : 0;
            if (q != 2 || (r->base && r->base != x->args[0])) r->other = true;
            r->base = x->args[0];
            return;
        }
        survey(g, r, x->args[0], v);
        return;
    }
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL) {
        r->other = true;
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) survey(g, r, x->args[i], v);
}

typedef struct naming {
    cc_xp base, y, square;
} naming;

static cc_xp name_root(cc_alg *g, cc_xp x, void *ctx) {
    naming *n = ctx;
    if (x->kind != CC_X_POW || x->args[0] != n->base || !cc_x_is_num(x->args[1]) || cc_x_is_int(x->args[1])) return x;
    return cc_x_pow(g, n->y, cc_x_mul(g, g->two, x->args[1]));
}

static cc_xp lower_root(cc_alg *g, cc_xp x, void *ctx) {
    naming *n = ctx;
    slong e;
    if (x->kind != CC_X_POW || x->args[0] != n->y || !cc_x_fits_si(x->args[1], &e)) return x;
    slong half = e / 2 - (e % 2 < 0);
    return cc_x_mul(g, cc_x_powi(g, n->square, half), cc_x_powi(g, n->y, e - 2 * half));
}

// f = N/D; D with z -> -z. num and den are polynomials in z (times the conjugate), den even in z or (with the relation) free of it.
static bool conjugated(cc_alg *g, cc_xp f, cc_xp z, cc_xp *num, cc_xp *den) {
    cc_field F;
    if (!cc_field_init(&F, g, z, &f, 1)) return false;
    fmpz_mpoly_q_t q;
    fmpz_mpoly_q_init(q, F.ctx);
    bool ok = F.how[0].q == 1 && cc_field_get(&F, q, f);
    if (ok) {
        *num = cc_field_poly(&F, fmpz_mpoly_q_numref(q));
        *den = cc_field_poly(&F, fmpz_mpoly_q_denref(q));
        cc_xp other = cc_x_subs(g, *den, z, cc_x_neg(g, z));
        if (*den != other && cc_x_add(g, *den, other) != g->zero) {
            *num = cc_x_expand(g, cc_x_mul(g, *num, other));
            *den = cc_x_expand(g, cc_x_mul(g, *den, other));
        } else if (*den != other) {
            *num = cc_x_expand(g, cc_x_mul(g, *num, z));
            *den = cc_x_expand(g, cc_x_mul(g, *den, z));
        }
    }
    fmpz_mpoly_q_clear(q, F.ctx);
    cc_field_clear(&F);
    return ok && *num && *den;
}

// The integral of 1/y. With numbers for coefficients asin or asinh: the scale between the roots is positive then.
static cc_xp reciprocal(cc_alg *g, cc_xp a, cc_xp b, cc_xp c, cc_xp y, cc_xp v) {
    cc_xp slope = cc_x_add(g, CC_PROD(g, g->two, a, v), b);
    cc_xp disc = cc_x_expand(g, cc_x_sub(g, cc_x_mul(g, b, b), CC_PROD(g, cc_x_int(g, 4), a, c)));
    if (!disc) return NULL;
    int sign_a = cc_x_is_constant(a) ? cc_x_sign(g, a) : 2, sign_disc = cc_x_is_constant(disc) ? cc_x_sign(g, disc) : 2;
    bool minus = sign_a == -1 || (sign_a == 2 && cc_int_minus(a));
    cc_xp r = cc_int_square_root(g, minus ? cc_x_neg(g, a) : a);
    if (sign_a == -1 && sign_disc == 1)
        return cc_x_neg(g, cc_x_div(g, cc_x_f1(g, CC_F_ASIN, cc_x_expand(g, cc_x_div(g, slope, cc_x_sqrt(g, disc)))), r));
    if (sign_a == 1 && sign_disc == -1)
        return cc_x_div(g, cc_x_f1(g, CC_F_ASINH, cc_x_expand(g, cc_x_div(g, slope, cc_x_sqrt(g, cc_x_neg(g, disc))))), r);
    if (!minus) return cc_x_div(g, cc_x_log(g, cc_x_add(g, slope, CC_PROD(g, g->two, r, y))), r);
    return cc_x_neg(g, cc_x_div(g, cc_x_f1(g, CC_F_ATAN, cc_x_div(g, slope, CC_PROD(g, g->two, r, y))), r));
}

cc_xp cc_int_quadratic_root(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    root r = {0};
    survey(g, &r, f, v);
    if (r.other || !r.base) return NULL;
    cc_xp a, b, c;
    cc_xp base = cc_int_normal(g, r.base, v);
    if (!cc_int_quadratic(g, base, v, &c, &b, &a)) return NULL;
    cc_xp y = cc_x_dummy(g, "y", 0), Y = cc_x_sqrt(g, r.base);
    cc_xp q = CC_SUM(g, CC_PROD(g, a, v, v), cc_x_mul(g, b, v), c);
    naming names = {r.base, y, q};
    cc_xp h = cc_x_map(g, f, name_root, &names), num, den;
    h = cc_x_map(g, h, lower_root, &names);
    if (!h || !conjugated(g, h, y, &num, &den)) return NULL;
    num = cc_x_expand(g, cc_x_map(g, num, lower_root, &names));
    den = cc_x_expand(g, cc_x_map(g, den, lower_root, &names));
    cc_xp part[2];
    if (!den || cc_x_has(den, y) || den == g->zero || !cc_int_polynomial(g, num, y, 1, part)) return NULL;
    cc_xp F = part[0] == g->zero ? g->zero : cc_int_find(in, cc_int_normal(g, cc_x_div(g, part[0], den), v), v);
    if (!F) return NULL;
    // G/y with G = part[1]*q/den; s = v + b/(2a)
    cc_xp s = cc_x_dummy(g, "s", 0), shift = cc_x_div(g, b, cc_x_mul(g, g->two, a));
    cc_xp G = cc_x_div(g, cc_x_mul(g, part[1], q), den);
    G = cc_int_normal(g, cc_x_subs(g, G, v, cc_x_sub(g, s, shift)), s);
    cc_xp rest = cc_int_normal(g, cc_x_sub(g, c, cc_x_mul(g, a, cc_x_mul(g, shift, shift))), v); // q = a*s**2 + rest
    cc_xp coefficients[MAX_DEGREE + 1];
    if (rest == g->zero || !conjugated(g, G, s, &num, &den) || !cc_int_polynomial(g, num, s, MAX_DEGREE, coefficients)) return NULL;
    cc_xp S = cc_x_dummy(g, "S", 0), even = g->zero, odd = g->zero, den_coefficients[MAX_DEGREE + 1], D = g->zero;
    for (slong i = 0; i <= MAX_DEGREE; i += 2) even = cc_x_add(g, even, cc_x_mul(g, coefficients[i], cc_x_powi(g, S, i / 2)));
    for (slong i = 1; i <= MAX_DEGREE; i += 2) odd = cc_x_add(g, odd, cc_x_mul(g, coefficients[i], cc_x_powi(g, S, i / 2)));
    if (!cc_int_polynomial(g, den, s, MAX_DEGREE, den_coefficients)) return NULL;
    for (slong i = 0; i <= MAX_DEGREE; i++) {
        if (i % 2 && den_coefficients[i] != g->zero) return NULL;
        if (i % 2 == 0) D = cc_x_add(g, D, cc_x_mul(g, den_coefficients[i], cc_x_powi(g, S, i / 2)));
    }
    cc_xp original = cc_x_add(g, v, shift);
    if (odd != g->zero) { // s*ds = y*dy/a, S = (y**2 - rest)/a
        cc_xp u = cc_int_variable(in, v);
        cc_xp value = cc_x_div(g, cc_x_sub(g, cc_x_mul(g, u, u), rest), a);
        cc_xp O = cc_int_normal(g, cc_x_div(g, cc_x_subs(g, cc_x_div(g, odd, D), S, value), a), u);
        cc_xp part_odd = cc_int_find(in, O, u);
        if (!part_odd) return NULL;
        F = cc_x_add(g, F, cc_x_subs(g, part_odd, u, Y));
    }
    if (even != g->zero) {
        // the polynomial part by reduction: S**k/y -> s**(2k-1)*y/(2ka) - (2k-1)*rest/(2ka) * S**(k-1)/y
        cc_xp k[MAX_DEGREE + 1], proper;
        if (!cc_int_divide(g, even, D, S, MAX_DEGREE, k, &proper)) return NULL;
        for (slong i = MAX_DEGREE; i > 0; i--) {
            if (k[i] == g->zero) continue;
            cc_xp scale = cc_x_div(g, k[i], cc_x_mul(g, cc_x_int(g, 2 * i), a));
            F = cc_x_add(g, F, CC_PROD(g, scale, cc_x_powi(g, original, 2 * i - 1), Y));
            k[i - 1] = cc_int_normal(g, cc_x_sub(g, k[i - 1], CC_PROD(g, scale, cc_x_int(g, 2 * i - 1), rest)), S);
        }
        if (k[0] != g->zero) F = cc_x_add(g, F, cc_x_mul(g, k[0], reciprocal(g, a, b, c, Y, v)));
        if (proper != g->zero) { // w = s/y: ds/y = dw/(1 - a*w**2), S = rest*w**2/(1 - a*w**2)
            cc_xp w = cc_int_variable(in, v), one_minus = cc_x_sub(g, g->one, CC_PROD(g, a, w, w));
            cc_xp value = cc_x_div(g, CC_PROD(g, rest, w, w), one_minus);
            cc_xp H = cc_int_normal(g, cc_x_div(g, cc_x_subs(g, proper, S, value), one_minus), w);
            cc_xp part_even = cc_int_find(in, H, w);
            if (!part_even) return NULL;
            F = cc_x_add(g, F, cc_x_subs(g, part_even, w, cc_x_div(g, original, Y)));
        }
    }
    return F;
}

// ---- roots of quadratics inside other functions and roots ----

static void find_radicand(cc_alg *g, cc_xp x, cc_xp v, cc_xp *base, cc_xp *a, cc_xp *b, cc_xp *c) {
    if (!x || *base || cc_int_free(x, v)) return;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && fmpz_equal_si(fmpq_denref(x->args[1]->num), 2) &&
        cc_int_quadratic(g, x->args[0], v, c, b, a)) {
        *base = x->args[0];
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) find_radicand(g, x->args[i], v, base, a, b, c);
}

// u = y + sqrt(a)*v: v = (u**2 - c)/(2*sqrt(a)*u + b), y = u - sqrt(a)*v.
cc_xp cc_int_euler(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp base = NULL, a, b, c;
    find_radicand(g, f, v, &base, &a, &b, &c);
    if (!base || cc_int_minus(a)) return NULL;
    cc_xp r = cc_int_square_root(g, a), u = cc_int_variable(in, v), y = cc_x_dummy(g, "y", 0);
    naming names = {base, y, NULL};
    cc_xp h = cc_x_map(g, f, name_root, &names);
    cc_xp value = cc_x_div(g, cc_x_sub(g, cc_x_mul(g, u, u), c), cc_x_add(g, CC_PROD(g, g->two, r, u), b));
    cc_xp height = cc_int_normal(g, cc_x_sub(g, u, cc_x_mul(g, r, value)), u);
    // sums inside functions become short again only when they are brought over one denominator
    h = cc_int_normal_inside(g, cc_x_subs_many(g, h, (const cc_xp[]){y, v}, (const cc_xp[]){height, value}, 2), u);
    h = cc_int_normal(g, cc_x_mul(g, h, cc_x_diff(g, value, u)), u);
    if (!h || cc_x_has(h, v)) return NULL;
    cc_xp F = cc_int_find(in, h, u);
    return F ? cc_x_subs(g, F, u, cc_x_add(g, cc_x_sqrt(g, base), cc_x_mul(g, r, v))) : NULL;
}
