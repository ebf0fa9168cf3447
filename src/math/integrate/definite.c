// Definite integrals by the fundamental theorem. Called by operations.c. The antiderivative is used only on pieces where enclosures prove
// it analytic; between the pieces are points that are known exactly, and there, at the ends and at infinity, limits are taken: so jumps of
// an antiderivative (logarithms, atan(tan(x/2))) and divergence are seen. Without other symbols the value is compared with quadrature. What
// cannot be shown is not answered.
#include "math/integrate/definite.h"

enum { CHECK_BITS = 60, DIVERGENT_BITS = 20, MAX_PIECES = 3000, MAX_POINTS = CC_INT_POINTS, REACH = 1 << 12 };

typedef struct points {
    cc_alg *g;
    cc_xp v;
    const arb_struct *lo, *hi; // strictly between these
    cc_xp at[MAX_POINTS];
    size_t n;
    bool full;
} points;

static bool constant_real(cc_alg *g, arb_t out, cc_xp x) {
    acb_t z;
    acb_init(z);
    bool ok = x && x->finite && cc_x_is_constant(x) && cc_x_enclose_to(g, z, x, NULL, CHECK_BITS + 20) && acb_is_real(z);
    arb_set(out, acb_realref(z));
    acb_clear(z);
    return ok;
}

// Keeps the points ascending and different.
static void add_point(points *p, cc_xp x) {
    arb_t t, u;
    arb_init(t);
    arb_init(u);
    acb_t z;
    acb_init(z);
    // a root may be real only on closer look: its imaginary part encloses zero
    if (x && x->finite && cc_x_is_constant(x) && cc_x_enclose_to(p->g, z, x, NULL, CHECK_BITS + 20) && arb_contains_zero(acb_imagref(z)) &&
        arb_gt(acb_realref(z), p->lo) && arb_lt(acb_realref(z), p->hi)) {
        arb_set(t, acb_realref(z));
        size_t i = 0;
        bool same = false;
        for (; i < p->n; i++) {
            same = p->at[i] == x || cc_x_constant_compare(p->g, p->at[i], x) == 0;
            if (same || (constant_real(p->g, u, p->at[i]) && arb_gt(u, t))) break;
        }
        if (!same && p->n == MAX_POINTS) {
            p->full = true;
        } else if (!same) {
            for (size_t k = p->n++; k > i; k--) p->at[k] = p->at[k - 1];
            p->at[i] = x;
        }
    }
    acb_clear(z);
    arb_clear(t);
    arb_clear(u);
}

bool cc_int_solve_quietly(cc_alg *g, cc_xp u, cc_xp v, cc_xsolutions *s) {
    size_t notes = g->n_notes, conditions = g->n_conditions;
    bool ok = cc_x_solve(g, u, v, s) == 0;
    g->n_notes = notes;
    g->n_conditions = conditions;
    if (g->err->code != CC_TIMEOUT) *g->err = (cc_error){0};
    return ok;
}

// The zeros of u in v between the ends: of families (with an integer in them) all members there.
static void add_zeros(void *ctx, cc_xp u) {
    points *p = ctx;
    cc_alg *g = p->g;
    if (!u || cc_int_free(u, p->v) || p->full || !cc_alg_may_search(g)) return;
    cc_xsolutions s = {0};
    if (!cc_int_solve_quietly(g, u, p->v, &s)) return; // a point that is not found leaves a piece without proof
    for (size_t i = 0; i < s.n && (s.kind == CC_SOLVED_FINITE || s.kind == CC_SOLVED_FAMILY); i++) {
        size_t n;
        const cc_xp *symbols = cc_x_symbols(g, s.roots[i], &n);
        if (n == 0) add_point(p, s.roots[i]);
        if (n != 1 || !(symbols[0]->facts & CC_IS_INTEGER)) continue;
        cc_xp a, b;
        if (!cc_int_linear(g, s.roots[i], symbols[0], &a, &b)) continue;
        arb_t from, to, offset, step;
        arb_init(from);
        arb_init(to);
        arb_init(offset);
        arb_init(step);
        if (constant_real(g, offset, a) && constant_real(g, step, b) && !arb_contains_zero(step)) {
            arb_sub(from, p->lo, offset, 64);
            arb_div(from, from, step, 64);
            arb_sub(to, p->hi, offset, 64);
            arb_div(to, to, step, 64);
            if (arb_gt(from, to)) arb_swap(from, to);
            double first = arf_get_d(arb_midref(from), ARF_RND_FLOOR) - 1, last = arf_get_d(arb_midref(to), ARF_RND_CEIL) + 1;
            if (last - first > MAX_POINTS)
                p->full = true;
            else
                for (slong k = (slong)first; k <= (slong)last; k++) add_point(p, cc_x_subs(g, s.roots[i], symbols[0], cc_x_int(g, k)));
        }
        arb_clear(from);
        arb_clear(to);
        arb_clear(offset);
        arb_clear(step);
    }
}

void cc_int_singularities(cc_alg *g, cc_xp x, cc_xp v, void (*visit)(void *ctx, cc_xp u), void *ctx) {
    if (!x || cc_int_free(x, v)) return;
    for (uint32_t i = 0; i < x->n; i++) cc_int_singularities(g, x->args[i], v, visit, ctx);
    if (x->kind == CC_X_POW && (!cc_x_is_int(x->args[1]) || cc_x_num_sign(x->args[1]) < 0)) visit(ctx, x->args[0]);
    if (x->kind != CC_X_FUN || x->n < 1) return;
    cc_xp u = x->args[0];
    switch ((cc_xfn)x->fn) {
    case CC_F_LOG:
    case CC_F_ABS:
    case CC_F_SIGN:
    case CC_F_HEAVISIDE:
    case CC_F_EI:
    case CC_F_CI:
    case CC_F_CHI:
    case CC_F_ACOT: visit(ctx, u); break;
    case CC_F_TAN:
    case CC_F_SEC: visit(ctx, cc_x_f1(g, CC_F_COS, u)); break;
    case CC_F_COT:
    case CC_F_CSC: visit(ctx, cc_x_f1(g, CC_F_SIN, u)); break;
    case CC_F_COTH:
    case CC_F_CSCH: visit(ctx, u); break;
    case CC_F_ASIN:
    case CC_F_ACOS:
    case CC_F_ATANH:
    case CC_F_ACOTH:
    case CC_F_ASEC:
    case CC_F_ACSC:
    case CC_F_ACOSH:
    case CC_F_ASECH:
    case CC_F_LI:
        visit(ctx, cc_x_sub(g, u, g->one));
        visit(ctx, cc_x_add(g, u, g->one));
        visit(ctx, u);
        break;
    case CC_F_MAX:
    case CC_F_MIN:
        for (uint32_t i = 0; i < x->n; i++)
            for (uint32_t k = 0; k < i; k++) visit(ctx, cc_x_sub(g, x->args[i], x->args[k]));
        break;
    case CC_F_FLOOR:
    case CC_F_CEIL:
    case CC_F_FRAC:
    case CC_F_MOD: visit(ctx, cc_x_f1(g, CC_F_SIN, cc_x_mul(g, g->pi, x->n == 2 ? cc_x_div(g, u, x->args[1]) : u))); break;
    case CC_F_PIECEWISE:
        for (uint32_t i = 1; i < x->n; i += 2) {
            cc_xp c = x->args[i];
            size_t n = c->kind == CC_X_REL ? 1 : c->n;
            for (size_t k = 0; k < n; k++) {
                cc_xp r = c->kind == CC_X_REL ? c : c->args[k];
                if (r->kind == CC_X_REL) visit(ctx, cc_x_sub(g, r->args[0], r->args[1]));
            }
        }
        break;
    default: break;
    }
}

slong cc_int_points(cc_alg *g, cc_xp *at, cc_xp f, cc_xp v, const arb_t lo, const arb_t hi) {
    points p = {.g = g, .v = v, .lo = lo, .hi = hi};
    cc_int_singularities(g, f, v, add_zeros, &p);
    memcpy(at, p.at, p.n * sizeof *at);
    return p.full ? -1 : (slong)p.n;
}

// F is analytic along all of [a, b], by pieces.
static bool analytic(cc_alg *g, cc_xp F, cc_xp v, const arb_t a, const arb_t b, unsigned *pieces, int depth) {
    if (++*pieces > MAX_PIECES || !cc_alg_may_search(g)) return false;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    arb_union(acb_realref(x), a, b, 64);
    cc_xenv env = {.symbols = &v, .values = x, .n = 1};
    bool ok = cc_int_regular(g, F, v, &env, 64, true) && cc_x_enclose(g, y, F, &env, 64) && acb_is_finite(y);
    if (!ok && depth > 0) {
        arb_t m;
        arb_init(m);
        arb_add(m, a, b, 64);
        arb_mul_2exp_si(m, m, -1);
        arb_get_mid_arb(m, m);
        ok = analytic(g, F, v, a, m, pieces, depth - 1) && analytic(g, F, v, m, b, pieces, depth - 1);
        arb_clear(m);
    }
    acb_clear(x);
    acb_clear(y);
    return ok;
}

// The part of [a, b] that is looked at: infinite ends are cut, finite ones left a little aside, since limits are taken there.
static void inside(arb_t lo, arb_t hi, const arb_t a, const arb_t b) {
    arb_set(lo, a);
    arb_set(hi, b);
    arb_t width;
    arb_init(width);
    if (!arb_is_finite(lo)) arb_set_si(lo, -REACH);
    if (!arb_is_finite(hi)) arb_set_si(hi, REACH);
    arb_sub(width, hi, lo, 64);
    arb_mul_2exp_si(width, width, -24);
    arb_get_mid_arb(width, width);
    arb_add(lo, lo, width, 64);
    arb_sub(hi, hi, width, 64);
    arb_get_mid_arb(lo, lo);
    arb_get_mid_arb(hi, hi);
    arb_clear(width);
}

typedef struct total {
    cc_xp sum;
    int infinite; // signs of infinite parts: +1, -1, 2 = both
    bool exact;
} total;

static bool add_end(cc_alg *g, total *t, cc_xp value, bool upper) {
    if (!value || cc_x_is_const(value, CC_K_NAN) || cc_x_is_const(value, CC_K_ZOO)) return false;
    if (value->finite) {
        t->sum = upper ? cc_x_add(g, t->sum, value) : cc_x_sub(g, t->sum, value);
        return t->sum != NULL;
    }
    int sign = value == g->oo ? 1 : value == g->neg_oo ? -1 : 0;
    if (!sign) return false;
    if (!upper) sign = -sign;
    t->infinite = t->infinite == 0 || t->infinite == sign ? sign : 2;
    return true;
}

// f is real in the middle and near the ends of a piece: an infinite integral has a sign only then.
static bool real_inside(cc_alg *g, cc_xp f, cc_xp v, const arb_t from, const arb_t to) {
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    cc_xenv env = {.symbols = &v, .values = x, .n = 1};
    bool ok = true;
    for (int i = 0; ok && i <= 4; i++) { // from + i/4 of the way
        arb_sub(acb_realref(x), to, from, 64);
        arb_mul_si(acb_realref(x), acb_realref(x), i, 64);
        arb_mul_2exp_si(acb_realref(x), acb_realref(x), -2);
        arb_add(acb_realref(x), acb_realref(x), from, 64);
        arb_get_mid_arb(acb_realref(x), acb_realref(x));
        ok = cc_x_enclose(g, y, f, &env, 64) && arb_contains_zero(acb_imagref(y));
    }
    acb_clear(x);
    acb_clear(y);
    return ok;
}

// F on a piece: factors before elliptic integrals that only choose signs as the constants that they are there.
static cc_xp settled(cc_alg *g, cc_xp F, cc_xp v, const arb_t from, const arb_t to) {
    if (!F || !cc_int_has_elliptic(F) || (F->kind != CC_X_ADD && F->kind != CC_X_MUL)) return F;
    cc_xp *args = CC_ARENA_ARRAY(g->arena, cc_xp, F->n), value = NULL;
    for (uint32_t i = 0; i < F->n; i++) args[i] = settled(g, F->args[i], v, from, to);
    if (F->kind == CC_X_ADD) return cc_x_rebuild(g, F, args);
    cc_xp constant = g->one, rest = g->one;
    for (uint32_t i = 0; i < F->n; i++) {
        cc_xp *side = cc_int_has_elliptic(F->args[i]) ? &rest : &constant;
        *side = cc_x_mul(g, *side, args[i]);
    }
    if (cc_int_free(constant, v) || !cc_int_locally_constant(g, constant, v)) return F;
    // a root of its square: which one, a ball tells
    cc_xp square = cc_x_mul(g, constant, constant), plain = cc_int_half_tangent(g, square, v);
    square = cc_int_normal(g, plain ? plain : square, v);
    if (!square || !cc_int_free(square, v)) return F;
    value = cc_x_constant_simplify(g, cc_x_sqrt(g, square));
    acb_t x, y, z;
    acb_init(x);
    acb_init(y);
    acb_init(z);
    arb_add(acb_realref(x), from, to, 64);
    arb_mul_2exp_si(acb_realref(x), acb_realref(x), -1);
    arb_get_mid_arb(acb_realref(x), acb_realref(x));
    cc_xenv env = {.symbols = &v, .values = x, .n = 1};
    if (!value || !cc_x_enclose(g, y, constant, &env, 64) || !cc_x_enclose(g, z, value, &env, 64) || acb_contains_zero(z)) {
        value = NULL;
    } else if (!acb_overlaps(y, z)) {
        value = cc_x_neg(g, value);
    }
    acb_clear(x);
    acb_clear(y);
    acb_clear(z);
    // by the same branches all along
    unsigned pieces = 0;
    return value && value->finite && analytic(g, constant, v, from, to, &pieces, 40) ? cc_x_mul(g, value, rest) : F;
}

// Adds the integral of f over a piece (a, b) inside of which f is analytic.
static bool add_piece(cc_alg *g, total *t, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const arb_t lo, const arb_t hi) {
    arb_t from, to;
    arb_init(from);
    arb_init(to);
    inside(from, to, lo, hi);
    // what Abs, floor … are here
    acb_t middle;
    acb_init(middle);
    arb_add(acb_realref(middle), from, to, 64);
    arb_mul_2exp_si(acb_realref(middle), acb_realref(middle), -1);
    cc_xenv env = {.symbols = &v, .values = middle, .n = 1};
    cc_xp h = cc_int_resolve(g, f, &env, 64);
    acb_clear(middle);
    const char *grade = NULL;
    unsigned pieces = 0;
    cc_xp F = h ? cc_x_antiderivative(g, h, v, &grade) : NULL;
    F = settled(g, F, v, from, to);
    bool ok = F && analytic(g, h, v, from, to, &pieces, 40) && analytic(g, F, v, from, to, &pieces, 40),
         real = ok && real_inside(g, h, v, from, to);
    arb_clear(from);
    arb_clear(to);
    if (!ok) return false;
    t->exact = t->exact && grade && grade[0] == 'e';
    return add_end(g, t, cc_int_end_value(g, F, v, b, '-'), true) && add_end(g, t, cc_int_end_value(g, F, v, a, '+'), false) &&
           (real || !t->infinite);
}

// The same integral by numbers: false when they contradict.
static bool confirmed(cc_alg *g, cc_xp value, cc_xp f, cc_xp v, cc_xp a, cc_xp b, bool *compared) {
    arb_t re, im;
    acb_t z;
    arb_init(re);
    arb_init(im);
    acb_init(z);
    bool ok = true;
    *compared = false;
    if (cc_x_enclose_to(g, z, value, NULL, CHECK_BITS)) {
        if (cc_x_quadrature(g, re, im, f, v, a, b, CHECK_BITS)) {
            *compared = true;
            ok = arb_overlaps(acb_realref(z), re) && arb_overlaps(acb_imagref(z), im);
        } else if (g->err->code == CC_OK && cc_int_double_exponential(g, re, im, f, v, a, b)) {
            // not rigorous: the error is an estimate, which has to be small to count
            *compared = true;
            ok = arb_overlaps(acb_realref(z), re) && arb_overlaps(acb_imagref(z), im);
        }
    }
    arb_clear(re);
    arb_clear(im);
    acb_clear(z);
    return ok;
}

static cc_xp closed(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    arb_t lo, hi, from, to;
    arb_init(lo);
    arb_init(hi);
    arb_init(from);
    arb_init(to);
    cc_xp value = NULL;
    bool ends = true;
    if (a == g->neg_oo)
        arb_neg_inf(lo);
    else
        ends = constant_real(g, lo, a);
    if (b == g->oo)
        arb_pos_inf(hi);
    else
        ends = ends && constant_real(g, hi, b);
    if (ends && arb_lt(lo, hi)) {
        points p = {.g = g, .v = v, .lo = lo, .hi = hi};
        const char *unused = NULL;
        cc_int_singularities(g, f, v, add_zeros, &p);
        size_t of_integrand = p.n;
        cc_xp F = of_integrand ? NULL : cc_x_antiderivative(g, f, v, &unused);
        if (F) cc_int_singularities(g, F, v, add_zeros, &p);
        total t = {.sum = g->zero, .exact = true};
        bool ok = !p.full && g->err->code == CC_OK;
        for (size_t i = 0; ok && i <= p.n; i++) {
            cc_xp left = i ? p.at[i - 1] : a, right = i < p.n ? p.at[i] : b;
            if (i)
                constant_real(g, from, left);
            else
                arb_set(from, lo);
            if (i < p.n)
                constant_real(g, to, right);
            else
                arb_set(to, hi);
            ok = add_piece(g, &t, f, v, left, right, from, to);
        }
        if (ok && t.infinite) {
            value = t.infinite == 2 ? g->nan : t.infinite > 0 ? g->oo : g->neg_oo;
            cc_alg_note(g, "the integral diverges");
        } else if (ok) {
            cc_xp expanded = cc_x_expand(g, t.sum);
            if (expanded && expanded->size < t.sum->size) t.sum = expanded;
            cc_xp short_sum = cc_x_constant_simplify(g, t.sum);
            bool compared;
            value = short_sum ? short_sum : t.sum;
            if (value && (!value->finite || !confirmed(g, value, f, v, a, b, &compared) || (!compared && !t.exact))) value = NULL;
            if (value && graded) *graded = t.exact ? "exact" : "cross_checked";
        }
    }
    arb_clear(lo);
    arb_clear(hi);
    arb_clear(from);
    arb_clear(to);
    return g->err->code == CC_OK ? value : NULL;
}

// oo, -oo or nan, when the integral is proven to diverge.
static cc_xp divergent(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    acb_t z;
    int sign = 0;
    acb_init(z);
    bool proven = cc_int_improper(g, z, &sign, f, v, a, b, DIVERGENT_BITS) == CC_FALSE;
    acb_clear(z);
    if (!proven) return NULL;
    if (graded) *graded = "exact";
    cc_alg_note(g, "the integral diverges");
    return sign == 2 ? g->nan : sign > 0 ? g->oo : g->neg_oo;
}

cc_xp cc_x_integral(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    if (!f || !v || !a || !b) return NULL;
    if (v->kind != CC_X_SYM) {
        cc_error_set(g->err, CC_VALIDATION, "integrate: the variable must be a symbol");
        return NULL;
    }
    if ((a == b && a->finite) || f == g->zero) return g->zero;
    if (cc_x_has(a, v) || cc_x_has(b, v)) { // integrate(f(x), (x, 0, x)): the bound variable is another
        cc_xp t = cc_x_dummy(g, "t", CC_IS_REAL);
        return cc_x_integral(g, cc_x_subs(g, f, v, t), t, a, b, graded);
    }
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, f, &n);
    bool constant = cc_x_is_constant(a) && cc_x_is_constant(b) && (n == 0 || (n == 1 && symbols[0] == v));
    // upside down
    bool swapped = a == g->oo || b == g->neg_oo || (constant && a->finite && b->finite && cc_x_constant_compare(g, a, b) == 1);
    if (swapped) {
        cc_xp r = cc_x_integral(g, f, v, b, a, graded);
        return r ? cc_x_neg(g, r) : NULL;
    }
    if (!a->finite && a != g->neg_oo) return NULL;
    if (!b->finite && b != g->oo) return NULL;
    size_t notes = g->n_notes, conditions = g->n_conditions;
    int64_t deadline = g->soft_deadline_ms, now = cc_now_ms();
    if (constant && deadline > now) g->soft_deadline_ms = now + (deadline - now) * 3 / 5; // the rest is for quadrature
    cc_xp value = NULL;
    if (cc_x_has_fn(f, CC_F_DIRAC)) {
        value = cc_int_impulses(g, f, v, a, b, graded);
    } else if (!constant) {
        value = cc_int_with_symbols(g, f, v, a, b, graded);
    } else {
        bool waves = b == g->oo && (cc_x_has_fn(f, CC_F_SIN) || cc_x_has_fn(f, CC_F_COS)); // shorter by residues
        if (waves) value = cc_int_by_form(g, f, v, a, b, true, graded);
        if (!value) value = closed(g, f, v, a, b, graded);
        if (!value && g->err->code == CC_OK) value = cc_int_by_form(g, f, v, a, b, false, graded);
    }
    g->soft_deadline_ms = deadline;
    if (!value && constant && !cc_x_has_fn(f, CC_F_DIRAC) && g->err->code == CC_OK) value = divergent(g, f, v, a, b, graded);
    if (!value) { // what was noted on the way concerns no answer
        g->n_notes = notes;
        g->n_conditions = conditions;
    }
    return value;
}
