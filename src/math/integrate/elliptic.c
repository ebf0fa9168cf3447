// Elliptic integrals: rational functions over the square root of a polynomial of degree 3 or 4, or of trigonometric and hyperbolic
// functions over such a root, by Legendre's three kinds. Called by search.c. With z as variable, where y = sqrt(z*(1 - z)*(1 - m*z)),
// everything becomes R(z)/y; reduction leaves R = a + b*z + sum of c/(z - p) and a multiple of y. z = sin(phi)**2 then. Which sign a root
// has on which piece of the line is carried as a factor that is constant between branch points.
#include "math/integrate/elliptic.h"

enum { MAX_DEGREE = 24, MAX_KINDS = 8, MAX_ORDER = 12 };

typedef struct legendre {
    cc_alg *g;
    cc_xp z, m;
    cc_xp P[4];                         // y**2 by powers of z
    cc_xp poly[CC_INT_POLE_DEGREE + 4]; // of z**k/y
    cc_xp f, e, outside;                // of elliptic_f, elliptic_e, and of y
    cc_xp n[MAX_KINDS], c[MAX_KINDS];   // of elliptic_pi(n)
    size_t kinds;
} legendre;

static cc_xp tidy(const legendre *L, cc_xp x) {
    return !x ? NULL : cc_x_is_constant(x) ? cc_x_constant_simplify(L->g, x) : cc_int_normal(L->g, x, L->z);
}

// x -= q*number/2*p
static void take(const legendre *L, cc_xp *x, cc_xp q, slong number, cc_xp p) {
    if (number) *x = cc_x_sub(L->g, *x, CC_PROD(L->g, q, cc_x_frac(L->g, number, 2), p));
}

// The poles at c of order 1 … most with coefficients b.
static bool reduce_poles(legendre *L, cc_xp c, cc_xp *b, slong most) {
    cc_alg *g = L->g;
    cc_xp p[4], P = cc_x_from_coefficients(g, L->P, 3, L->z), factorial = g->one;
    for (slong i = 0; i < 4; i++) { // y**2 by powers of u = z - c
        p[i] = tidy(L, cc_x_div(g, cc_x_subs(g, P, L->z, c), factorial));
        if (!p[i] || !p[i]->finite) return false;
        P = cc_x_diff(g, P, L->z);
        factorial = cc_x_mul(g, factorial, cc_x_int(g, i + 1));
    }
    bool root = p[0] == g->zero;
    // d(u**(1-k)*y) = -(k-1)*p0*u**-k + (3/2-k)*p1*u**(1-k) + (2-k)*p2*u**(2-k) + (5/2-k)*p3*u**(3-k), over y
    for (slong k = root ? most + 1 : most; k >= 2; k--) {
        slong which = root ? k - 1 : k;
        b[which] = tidy(L, b[which]);
        if (!b[which]) return false;
        if (b[which] == g->zero) continue;
        cc_xp q = cc_x_div(g, b[which], root ? CC_PROD(g, cc_x_frac(g, 3 - 2 * k, 2), p[1]) : CC_PROD(g, cc_x_int(g, 1 - k), p[0]));
        L->outside = cc_x_add(g, L->outside, cc_x_mul(g, q, cc_x_powi(g, cc_x_sub(g, L->z, c), 1 - k)));
        b[which] = g->zero;
        if (!root) take(L, &b[k - 1], q, 3 - 2 * k, p[1]);
        if (k > 2) take(L, &b[k - 2], q, 4 - 2 * k, p[2]);
        if (k > 3) {
            take(L, &b[k - 3], q, 5 - 2 * k, p[3]);
        } else if (k == 3) {
            take(L, &L->poly[0], q, -1, p[3]);
        } else { // u = z - c
            take(L, &L->poly[1], q, 1, p[3]);
            take(L, &L->poly[0], q, -1, cc_x_mul(g, p[3], c));
        }
    }
    b[1] = tidy(L, b[1]);
    if (!b[1] || b[1] == g->zero) return b[1] != NULL;
    if (root || L->kinds == MAX_KINDS) return false;
    // c/(z - p) = -(c/p)/(1 - z/p)
    L->n[L->kinds] = tidy(L, cc_x_pow(g, c, g->minus_one));
    L->c[L->kinds++] = cc_x_neg(g, CC_PROD(g, g->two, b[1], cc_x_pow(g, c, g->minus_one)));
    return true;
}

// The integral of R(z)/y.
static bool reduce(legendre *L, cc_xp R) {
    cc_alg *g = L->g;
    cc_poles *p = cc_arena_alloc(g->arena, sizeof *p);
    if (!cc_int_poles(g, R, L->z, p) || p->degree > MAX_DEGREE) return false;
    for (slong i = 0; i < CC_INT_POLE_DEGREE + 4; i++) L->poly[i] = i <= p->degree ? p->polynomial[i] : g->zero;
    for (size_t i = 0; i < p->n; i++) {
        cc_xp b[MAX_ORDER + 2];
        slong most = 0;
        if (!p->at[i].coefficient) continue;
        for (slong k = 0; k < MAX_ORDER + 2; k++) b[k] = g->zero;
        for (size_t j = i; j < p->n; j++)
            if (p->at[j].root == p->at[i].root && p->at[j].coefficient) {
                if (p->at[j].order > MAX_ORDER) return false;
                b[p->at[j].order] = p->at[j].coefficient;
                if (p->at[j].order > most) most = p->at[j].order;
                if (j > i) p->at[j].coefficient = NULL;
            }
        if (!reduce_poles(L, p->at[i].root, b, most)) return false;
    }
    // d(z**j*y) = (j + 1/2)*P1*z**j + (j + 1)*P2*z**(j+1) + (j + 3/2)*P3*z**(j+2), over y
    for (slong k = MAX_DEGREE + 2; k >= 2; k--) {
        cc_xp a = L->poly[k] = tidy(L, L->poly[k]);
        if (!a) return false;
        if (a == g->zero) continue;
        slong j = k - 2;
        cc_xp q = cc_x_div(g, a, CC_PROD(g, cc_x_frac(g, 2 * j + 3, 2), L->P[3]));
        L->outside = cc_x_add(g, L->outside, cc_x_mul(g, q, cc_x_powi(g, L->z, j)));
        take(L, &L->poly[j], q, 2 * j + 1, L->P[1]);
        take(L, &L->poly[j + 1], q, 2 * j + 2, L->P[2]);
    }
    // dz/y = 2*d(phi)/delta; z = (1 - delta**2)/m
    cc_xp a0 = tidy(L, L->poly[0]), a1 = tidy(L, L->poly[1]);
    if (!a0 || !a1) return false;
    L->f = tidy(L, CC_PROD(g, g->two, cc_x_add(g, a0, cc_x_div(g, a1, L->m))));
    L->e = tidy(L, cc_x_neg(g, cc_x_div(g, cc_x_mul(g, g->two, a1), L->m)));
    return L->f && L->e && g->err->code == CC_OK;
}

cc_xp cc_int_legendre(cc_alg *g, cc_xp R, cc_xp z, cc_xp m, cc_xp Z, cc_xp phi, cc_xp Y) {
    if (!R || !m || m == g->zero || m == g->one || !m->finite || !cc_alg_may_search(g)) return NULL;
    legendre *L = cc_arena_alloc(g->arena, sizeof *L);
    *L = (legendre){.g = g, .z = z, .m = m, .outside = g->zero, .f = g->zero, .e = g->zero};
    L->P[0] = g->zero;
    L->P[1] = g->one;
    L->P[2] = cc_x_neg(g, cc_x_add(g, g->one, m));
    L->P[3] = m;
    if (!reduce(L, R)) return NULL;
    cc_xp F = cc_x_mul(g, Y, cc_x_subs(g, L->outside, z, Z));
    F = CC_SUM(g, F, cc_x_mul(g, L->f, cc_x_f2(g, CC_F_ELLIPTIC_F, phi, m)), cc_x_mul(g, L->e, cc_x_f2(g, CC_F_ELLIPTIC_E, phi, m)));
    for (size_t i = 0; i < L->kinds; i++)
        F = cc_x_add(g, F, cc_x_mul(g, L->c[i], cc_x_fun(g, CC_F_ELLIPTIC_PI, (const cc_xp[]){L->n[i], phi, m}, 3)));
    return F;
}

cc_xp cc_int_times(cc_alg *g, cc_xp F, cc_xp num, cc_xp den, cc_xp v) {
    if (!F) return NULL;
    cc_xp k = cc_x_div(g, num, den);
    if (!k || !cc_int_free(k, v) || F->kind != CC_X_ADD) return cc_x_mul(g, F, k);
    cc_xp sum = g->zero;
    for (uint32_t i = 0; i < F->n; i++) sum = cc_x_add(g, sum, cc_x_mul(g, F->args[i], k));
    return sum;
}

// ---- over roots of polynomials in v ----

// Square roots of polynomials in v, all of them.
typedef struct radicand {
    cc_xp base[CC_ELLIPTIC_ROOTS];
    size_t n;
    bool other;
} radicand;

static void survey(radicand *r, cc_xp x, cc_xp v) {
    if (!x || r->other || cc_int_free(x, v) || x == v) return;
    if (x->kind == CC_X_POW && cc_x_is_num(x->args[1])) {
        if (cc_x_is_int(x->args[1])) {
            survey(r, x->args[0], v);
            return;
        }
        r->other = !fmpz_equal_si(fmpq_denref(x->args[1]->num), 2);
        for (size_t i = 0; i < r->n; i++)
            if (r->base[i] == x->args[0]) return;
        if (r->n == CC_ELLIPTIC_ROOTS) {
            r->other = true;
            return;
        }
        r->base[r->n++] = x->args[0];
        return;
    }
    if (x->kind != CC_X_ADD && x->kind != CC_X_MUL) {
        r->other = true;
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) survey(r, x->args[i], v);
}

size_t cc_int_square_roots(cc_xp *base, cc_xp f, cc_xp v) {
    radicand r = {.n = 0};
    survey(&r, f, v);
    for (size_t i = 0; i < r.n; i++) base[i] = r.base[i];
    return r.other ? 0 : r.n;
}

// The zeros of the polynomial p in x, without multiple ones.
slong cc_int_zeros(cc_alg *g, cc_xp p, cc_xp x, cc_xp *roots) {
    cc_poles *at = cc_arena_alloc(g->arena, sizeof *at);
    if (!cc_int_poles(g, cc_x_pow(g, p, g->minus_one), x, at) || at->degree >= 0 || at->n > 4) return -1;
    for (size_t i = 0; i < at->n; i++) {
        if (at->at[i].order != 1) return -1;
        roots[i] = at->at[i].root;
    }
    return (slong)at->n;
}

cc_xp cc_int_by_roots(cc_alg *g, cc_xp R, cc_xp x, cc_xp X, cc_xp S, const cc_xp *r, slong n) {
    cc_xp z = cc_x_dummy(g, "z", 0), m, Z, value;
    cc_xp a = cc_x_sub(g, r[1], r[0]);
    if (n == 3) { // x = r0 + (r1 - r0)*z
        value = cc_x_add(g, r[0], cc_x_mul(g, a, z));
        m = cc_x_div(g, a, cc_x_sub(g, r[2], r[0]));
        Z = cc_x_div(g, cc_x_sub(g, X, r[0]), a);
    } else { // z = (r1 - r3)*(x - r0)/((r1 - r0)*(x - r3))
        cc_xp b = cc_x_sub(g, r[1], r[3]);
        value = cc_x_div(g, cc_x_sub(g, cc_x_mul(g, r[0], b), CC_PROD(g, r[3], a, z)), cc_x_sub(g, b, cc_x_mul(g, a, z)));
        m = cc_x_div(g, cc_x_mul(g, a, cc_x_sub(g, r[2], r[3])), cc_x_mul(g, b, cc_x_sub(g, r[2], r[0])));
        Z = cc_x_div(g, cc_x_mul(g, b, cc_x_sub(g, X, r[0])), cc_x_mul(g, a, cc_x_sub(g, X, r[3])));
    }
    m = cc_x_is_constant(m) ? cc_x_constant_simplify(g, m) : cc_int_normal(g, m, z);
    if (!m) return NULL;
    cc_xp step = cc_int_normal(g, cc_x_diff(g, value, z), z), root = cc_x_sqrt(g, Z);
    cc_xp Y = CC_PROD(g, root, cc_x_sqrt(g, cc_x_sub(g, g->one, Z)), cc_x_sqrt(g, cc_x_sub(g, g->one, cc_x_mul(g, m, Z))));
    cc_xp F = cc_int_legendre(g, cc_int_normal(g, cc_x_subs(g, R, x, value), z), z, m, Z, cc_x_f1(g, CC_F_ASIN, root), Y);
    // R*dx/S = (y*x'(z)/S) * R*dz/y
    return F ? CC_PROD(g, F, Y, cc_int_normal(g, cc_x_subs(g, step, z, Z), z), cc_x_pow(g, S, g->minus_one)) : NULL;
}

cc_xp cc_int_elliptic(cc_int *in, cc_xp f, cc_xp v) {
    cc_alg *g = in->g;
    cc_xp base[CC_ELLIPTIC_ROOTS], S = g->one, P = g->one;
    size_t n = cc_int_square_roots(base, f, v);
    if (!n || in->in_trig) return NULL;
    for (size_t i = 0; i < n; i++) {
        S = cc_x_mul(g, S, cc_x_sqrt(g, base[i]));
        P = cc_x_mul(g, P, base[i]);
    }
    cc_xp c[5], r[4], x = cc_x_dummy(g, "x", 0);
    if (!cc_int_polynomial(g, P, v, 4, c) || (c[3] == g->zero && c[4] == g->zero)) return NULL;
    cc_xp R = cc_x_mul(g, f, S);
    cc_xp left[CC_ELLIPTIC_ROOTS];
    if (!R || cc_int_square_roots(left, R, v)) { // the product of roots is not yet rational
        R = cc_x_expand(g, R);
        if (!R || cc_int_square_roots(left, R, v)) return NULL;
    }
    R = cc_int_normal(g, R, v);
    if (!R) return NULL;
    if (c[1] == g->zero && c[3] == g->zero) { // even: x = v**2
        cc_xp other = cc_x_subs(g, R, v, cc_x_neg(g, v)), even = cc_int_normal(g, cc_x_mul(g, g->half, cc_x_add(g, R, other)), v);
        cc_xp odd = cc_int_normal(g, cc_x_mul(g, g->half, cc_x_sub(g, R, other)), v);
        if (!even || !odd || even == g->zero) return NULL;
        cc_xp rest = odd == g->zero ? odd : cc_int_find(in, cc_x_div(g, odd, S), v);
        cc_xp A = cc_int_in_terms(g, cc_int_expanded(g, even, v), v, cc_x_mul(g, v, v), x);
        if (!rest || !A || !cc_int_free(A, v)) return NULL;
        cc_xp in_x = cc_x_add(g, c[0], cc_x_add(g, cc_x_mul(g, c[2], x), CC_PROD(g, c[4], x, x)));
        if (cc_int_zeros(g, in_x, x, r) != 2 || r[0] == g->zero || r[1] == g->zero) return NULL;
        int sign[2] = {cc_x_is_constant(r[0]) ? cc_x_sign(g, r[0]) : 2, cc_x_is_constant(r[1]) ? cc_x_sign(g, r[1]) : 2};
        if ((sign[1] == 1 && sign[0] != 1) ||
            (sign[0] == sign[1] && sign[0] != 2 && cc_x_constant_compare(g, r[1], r[0]) == sign[0] * -1)) {
            cc_xp t = r[0]; // the positive one, the one closer to 0
            r[0] = r[1];
            r[1] = t;
        }
        // v = sqrt(r0)*sin(phi): v**2 = r0*z, dv = r0*dz/(2*v)
        cc_xp root = cc_int_square_root(g, r[0]), s = cc_x_div(g, v, root), square = cc_x_div(g, cc_x_mul(g, v, v), r[0]);
        cc_xp z = cc_x_dummy(g, "z", 0), m = cc_x_div(g, r[0], r[1]);
        m = cc_x_is_constant(m) ? cc_x_constant_simplify(g, m) : cc_int_normal(g, m, z);
        if (!m) return NULL;
        cc_xp two_roots = cc_x_mul(g, cc_x_sqrt(g, cc_x_sub(g, g->one, square)), cc_x_sqrt(g, cc_x_sub(g, g->one, cc_x_mul(g, m, square))));
        cc_xp F =
            cc_int_legendre(g, cc_x_subs(g, A, x, cc_x_mul(g, r[0], z)), z, m, square, cc_x_f1(g, CC_F_ASIN, s), cc_x_mul(g, s, two_roots));
        F = cc_int_times(g, F, CC_PROD(g, g->half, root, two_roots), S, v);
        return F ? cc_x_add(g, rest, F) : NULL;
    }
    slong degree = c[4] == g->zero ? 3 : 4;
    if (cc_int_zeros(g, cc_x_subs(g, P, v, x), x, r) != degree) return NULL;
    for (slong i = 1; i < degree; i++) // real ones ascending, if they are all real
        for (slong k = i; k > 0 && cc_x_is_constant(r[k]) && cc_x_is_constant(r[k - 1]) && cc_x_constant_compare(g, r[k], r[k - 1]) == -1;
             k--) {
            cc_xp t = r[k];
            r[k] = r[k - 1];
            r[k - 1] = t;
        }
    // between the first two the radicand is to be positive
    int sign = cc_x_is_constant(c[degree]) ? cc_x_sign(g, c[degree]) : 2;
    if (degree == 3 ? sign == -1 : sign == 1) {
        cc_xp first = r[0];
        for (slong i = 0; i + 1 < degree; i++) r[i] = r[i + 1];
        r[degree - 1] = first;
    }
    return cc_int_by_roots(g, cc_x_subs(g, R, v, x), x, v, S, r, degree);
}
