// Is an algebraic constant zero? A separation bound decides: an expression in rationals, roots, roots of unity and roots of polynomials is
// U/L with algebraic integers U and L; when every conjugate of U is at most 2^u, every conjugate of L at most 2^l, and U lies in a field of
// degree D, then a value that is not zero is at least 2^(-(D-1)u - l), because the norm of U is an integer (Burnikel, Funke, Mehlhorn,
// Schirra, Schmitt 2001). An enclosure smaller than that proves zero. Called by constant.c. No minimal polynomial is ever computed.
#include "math/expr/bridge.h"
#include "math/expr/enclose.h"

#include <flint/fmpz_poly.h>
#include <flint/ulong_extras.h>
#include <math.h>

enum {
    MAX_RADICALS = 40,
    MAX_ORDER = 2520,   // of roots of unity together
    MAX_ROOT = 1000,    // order of a root
    MAX_POWER = 100000, // of an integer power
    MAX_BOUND = 100000, // bits of the enclosure that decides
};

typedef struct bound {
    double u, l; // log2 of the bounds for all conjugates of numerator and denominator
} bound;

typedef struct field {
    cc_alg *g;
    cc_xp base[MAX_RADICALS]; // of each root: base ** (1/index), or a polynomial with the degree as index
    ulong index[MAX_RADICALS];
    size_t n;
    ulong order;     // of the roots of unity
    bool conjugated; // complex conjugates of it all are needed too
} field;

static bool visit(field *f, cc_xp x, bound *b);

// log2 of |n|, rounded up; 0 for 0.
static double bits(const fmpz_t n) {
    if (fmpz_is_zero(n)) return 0;
    slong e;
    double m = fmpz_get_d_2exp(&e, n);
    return log2(fabs(m)) * (1 - 1e-12) + (double)e + 1e-9;
}

static bool add_root(field *f, cc_xp base, ulong index) {
    for (size_t i = 0; i < f->n; i++)
        if (f->base[i] == base) {
            f->index[i] = f->index[i] / n_gcd(f->index[i], index) * index;
            return f->index[i] <= 1000000;
        }
    if (f->n == MAX_RADICALS) return false;
    f->base[f->n] = base;
    f->index[f->n++] = index;
    return true;
}

static bool add_unity(field *f, ulong order) {
    f->order = f->order / n_gcd(f->order, order) * order;
    return f->order <= MAX_ORDER;
}

static bool sum(field *f, cc_xp x, bound *b) {
    double most = -INFINITY, total = 0;
    *b = (bound){0};
    bound *parts = CC_ARENA_ARRAY(f->g->arena, bound, x->n);
    for (size_t i = 0; i < x->n; i++) {
        if (!visit(f, x->args[i], &parts[i])) return false;
        b->l += parts[i].l;
    }
    for (size_t i = 0; i < x->n; i++) most = fmax(most, parts[i].u - parts[i].l);
    for (size_t i = 0; i < x->n; i++) total += exp2(parts[i].u - parts[i].l - most);
    b->u = b->l + most + log2(total) + 1e-9;
    return true;
}

static bool product(field *f, cc_xp x, bound *b) {
    *b = (bound){0};
    for (size_t i = 0; i < x->n; i++) {
        bound p;
        if (!visit(f, x->args[i], &p)) return false;
        b->u += p.u;
        b->l += p.l;
    }
    return true;
}

static void root(bound *b, ulong q) {
    double k = (double)q;
    if (b->u >= b->l) // (U L^(q-1))^(1/q) / L
        b->u = (b->u + (k - 1) * b->l) / k;
    else // U / (U^(q-1) L)^(1/q)
        b->l = ((k - 1) * b->u + b->l) / k;
}

static bool power(field *f, cc_xp x, bound *b) {
    slong p;
    if (!cc_x_is_num(x->args[1]) || !fmpz_fits_si(fmpq_numref(x->args[1]->num)) || fmpz_cmp_ui(fmpq_denref(x->args[1]->num), MAX_ROOT) > 0)
        return false;
    p = fmpz_get_si(fmpq_numref(x->args[1]->num));
    ulong q = fmpz_get_ui(fmpq_denref(x->args[1]->num));
    if (p > MAX_POWER || p < -MAX_POWER || !visit(f, x->args[0], b)) return false;
    if (q > 1 && x->args[0] == f->g->minus_one) return add_unity(f, 2 * q);
    double n = fabs((double)p);
    *b = p < 0 ? (bound){b->l * n, b->u * n} : (bound){b->u * n, b->l * n};
    if (q == 1) return true;
    root(b, q);
    return add_root(f, x->args[0], q);
}

// x = r pi with a rational r: the denominator of r.
static bool multiple_of_pi(cc_xp x, ulong *q) {
    *q = 1;
    if (cc_x_is_const(x, CC_K_PI)) return true;
    if (x->kind != CC_X_MUL || x->n != 2 || !cc_x_is_num(x->args[0]) || !cc_x_is_const(x->args[1], CC_K_PI)) return false;
    if (fmpz_cmp_ui(fmpq_denref(x->args[0]->num), MAX_ORDER) > 0) return false;
    *q = fmpz_get_ui(fmpq_denref(x->args[0]->num));
    return true;
}

static bool root_of_polynomial(field *f, cc_xp x, bound *b) {
    fmpq_poly_t q;
    fmpz_t height;
    fmpq_poly_init(q);
    fmpz_init(height);
    bool ok = cc_x_to_fmpq_poly(f->g, q, x->args[0], x->args[1]) && fmpq_poly_degree(q) >= 1 && fmpq_poly_degree(q) <= MAX_ROOT;
    if (ok) { // a root is at most 1 + max |a_i / a_n|, and a_n times it is an algebraic integer
        slong n = fmpq_poly_degree(q);
        for (slong i = 0; i <= n; i++)
            if (fmpz_cmpabs(fmpq_poly_numref(q) + i, height) > 0) fmpz_abs(height, fmpq_poly_numref(q) + i);
        b->l = bits(fmpq_poly_numref(q) + n);
        b->u = bits(height) + 1;
        ok = add_root(f, x, (ulong)n);
    }
    fmpq_poly_clear(q);
    fmpz_clear(height);
    return ok;
}

static bool function(field *f, cc_xp x, bound *b) {
    ulong q;
    switch (x->fn) {
    case CC_F_SIN: // (z - 1/z)/(2i), (z + 1/z)/2, and quotients of these
    case CC_F_COS:
    case CC_F_TAN:
    case CC_F_COT:
    case CC_F_SEC:
    case CC_F_CSC: *b = (bound){1, 1}; return multiple_of_pi(x->args[0], &q) && add_unity(f, 2 * q) && add_unity(f, 4);
    case CC_F_EXP: {
        cc_xp a = x->args[0];
        *b = (bound){0};
        if (!cc_x_has(a, f->g->i)) return false;
        cc_xp angle = cc_x_div(f->g, a, f->g->i);
        return angle && multiple_of_pi(angle, &q) && add_unity(f, 2 * q);
    }
    case CC_F_CROOTOF: return root_of_polynomial(f, x, b);
    case CC_F_CONJUGATE: f->conjugated = true; return visit(f, x->args[0], b);
    case CC_F_RE: // (x + conj x)/2, (x - conj x)/(2i)
    case CC_F_IM:
        f->conjugated = true;
        if (!visit(f, x->args[0], b) || !add_unity(f, 4)) return false;
        *b = (bound){1 + b->u + b->l, 1 + 2 * b->l};
        return true;
    case CC_F_ABS: // sqrt(x conj x)
        f->conjugated = true;
        if (!visit(f, x->args[0], b)) return false;
        *b = (bound){2 * b->u, 2 * b->l};
        root(b, 2);
        return add_root(f, x, 2);
    default: return false;
    }
}

static bool visit(field *f, cc_xp x, bound *b) {
    switch (x->kind) {
    case CC_X_NUM: *b = (bound){bits(fmpq_numref(x->num)), bits(fmpq_denref(x->num))}; return true;
    case CC_X_CONST:
        *b = (bound){0};
        if (x->konst == CC_K_I) return add_unity(f, 4);
        if (x->konst != CC_K_GOLDEN) return false;
        b->u = 0.7;
        return add_root(f, cc_x_int(f->g, 5), 2);
    case CC_X_ADD: return sum(f, x, b);
    case CC_X_MUL: return product(f, x, b);
    case CC_X_POW: return power(f, x, b);
    case CC_X_FUN: return function(f, x, b);
    default: return false;
    }
}

// The only CRootOf in x, in *root; false: there are several.
static bool one_root(cc_xp x, cc_xp *root) {
    if (cc_x_is_fun(x, CC_F_CROOTOF)) {
        bool first = !*root || *root == x;
        *root = x;
        return first;
    }
    for (uint32_t i = 0; i < x->n; i++)
        if (!one_root(x->args[i], root)) return false;
    return true;
}

cc_truth cc_x_root_is_zero(cc_alg *g, cc_xp x) {
    cc_xp root = NULL, v = NULL;
    if (!cc_x_has_fn(x, CC_F_CROOTOF) || !one_root(x, &root)) return CC_UNDECIDED;
    v = cc_x_dummy(g, "r", 0);
    fmpq_poly_t p, q;
    fmpq_poly_init(p), fmpq_poly_init(q);
    bool zero = cc_x_to_fmpq_poly(g, q, cc_x_subs(g, x, root, v), v) && cc_x_to_fmpq_poly(g, p, root->args[0], root->args[1]);
    if (zero) fmpq_poly_rem(q, q, p);
    zero = zero && fmpq_poly_is_zero(q);
    fmpq_poly_clear(p), fmpq_poly_clear(q);
    return zero ? CC_TRUE : CC_UNDECIDED;
}

cc_truth cc_x_algebraic_is_zero(cc_alg *g, cc_xp x) {
    field f = {.g = g, .order = 1};
    bound b;
    if (!visit(&f, x, &b)) return CC_UNDECIDED;
    double degree = (double)n_euler_phi(f.order);
    for (size_t i = 0; i < f.n; i++) degree *= (double)f.index[i];
    if (f.conjugated) degree *= degree;
    double least = (degree - 1) * fmax(b.u, 0) + fmax(b.l, 0) + 2;
    if (!(least < MAX_BOUND)) return CC_UNDECIDED;
    acb_t v;
    mag_t m;
    acb_init(v);
    mag_init(m);
    cc_truth t = CC_UNDECIDED;
    for (slong prec = (slong)least + 64; t == CC_UNDECIDED && (double)prec < 6 * least + 1000; prec += prec / 2) {
        if (!cc_alg_go_on(g)) break;
        if (!cc_x_enclose(g, v, x, NULL, prec)) continue;
        acb_get_mag(m, v);
        if (!acb_contains_zero(v))
            t = CC_FALSE;
        else if (mag_cmp_2exp_si(m, -(slong)least - 1) < 0)
            t = CC_TRUE;
    }
    acb_clear(v);
    mag_clear(m);
    return t;
}
