// Rigorous quadrature of all definite integrals over constants: the interval is cut at the points where the integrand may be singular; what
// lies close to such a point, or far out, is enclosed by its germ (germ.c), and the rest by proper quadrature. Called by definite.c and by
// the tools when no closed form is found. It says that an integral diverges only where a germ proves it.
#include "math/integrate/definite.h"
#include "math/integrate/germ.h"

enum { ENDS = 14, FARTHEST = 64, NOT_FAR = 8 };

typedef struct whole {
    cc_alg *g;
    cc_xp f, v;
    slong bits;
    int infinite; // signs of infinite parts: 1, -1, 2: both
} whole;

// An end of an interval: a point, or +-oo.
typedef struct end {
    cc_xp at;
    arb_t x; // where it is
    bool upper;
    arb_t from;      // proper quadrature is for what lies inside of this
    acb_t tail;      // the integral over the rest
    cc_truth finite; // of its integral
} end;

static void end_init(end *e) {
    arb_init(e->x);
    arb_init(e->from);
    acb_init(e->tail);
}
static void end_clear(end *e) {
    arb_clear(e->x);
    arb_clear(e->from);
    acb_clear(e->tail);
}

// The integrand has bounded values, and when `analytic` is analytic, close to a finite end.
static bool tame(const whole *w, const end *e, bool analytic) {
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    arb_set(acb_realref(x), e->x);
    mag_t r;
    mag_init(r);
    mag_set_ui_2exp_si(r, 1, -40);
    mag_add(arb_radref(acb_realref(x)), arb_radref(acb_realref(x)), r);
    mag_clear(r);
    cc_xenv env = {.symbols = &w->v, .values = x, .n = 1};
    bool ok = cc_x_enclose(w->g, y, w->f, &env, 64) && acb_is_finite(y) && (!analytic || cc_int_regular(w->g, w->f, w->v, &env, 64, true));
    acb_clear(x);
    acb_clear(y);
    return ok;
}

// Where the germ of order m ends: between the two ends, at most half of the way to the other.
static bool place(arb_t out, const end *e, const end *other, slong m) {
    arb_t t, middle;
    arb_init(t);
    arb_init(middle);
    arb_one(t);
    bool ok;
    if (!e->at->finite) {
        arb_mul_2exp_si(t, t, m);
        if (!e->upper) arb_neg(t, t);
        arb_set(out, t);
        arb_sub(t, t, other->x, 200);
        if (!e->upper) arb_neg(t, t);
        arb_sub_ui(t, t, 1, 200);
        ok = !other->at->finite || arb_is_positive(t);
    } else {
        arb_mul_2exp_si(t, t, -m);
        if (e->upper) arb_neg(t, t);
        arb_add(out, e->x, t, 200);
        if (other->at->finite) {
            arb_add(middle, e->x, other->x, 200);
            arb_mul_2exp_si(middle, middle, -1);
            ok = e->upper ? arb_ge(out, middle) : arb_le(out, middle);
        } else {
            ok = true;
        }
    }
    arb_clear(t);
    arb_clear(middle);
    return ok;
}

// What the tail of an end is sought from: the integral of f(y) from 2**m to oo is value(2**m) + that of rest, in t = 1/y.
typedef struct tail {
    cc_xp y, boundary; // NULL: none
    cc_xp t, rest;
} tail;

static bool vanishes(cc_alg *g, const tail *from, slong m, slong prec) {
    cc_germ germ;
    cc_germ_init(&germ);
    cc_xp b = cc_x_subs(g, from->boundary, from->y, cc_x_pow(g, from->t, g->minus_one));
    bool ok = cc_germ_of(g, &germ, b, from->t, m, prec) && !germ.ne && (!germ.n || germ.t[0].a.p > 0);
    cc_germ_clear(&germ);
    return ok;
}

static cc_truth tail_integral(cc_alg *g, acb_t out, int *sign, const tail *from, slong m, slong prec) {
    cc_germ germ;
    acb_t y, b;
    cc_germ_init(&germ);
    acb_init(y);
    acb_init(b);
    cc_truth is = CC_UNDECIDED;
    if (!from->boundary || vanishes(g, from, m, prec))
        is = cc_germ_of(g, &germ, from->rest, from->t, m, prec) ? cc_germ_integral(out, sign, &germ, -2, m, prec) : CC_UNDECIDED;
    if (is == CC_TRUE && from->boundary) {
        acb_one(y);
        acb_mul_2exp_si(y, y, m);
        cc_xenv env = {.symbols = &from->y, .values = y, .n = 1};
        if (cc_x_enclose(g, b, from->boundary, &env, prec) && acb_is_finite(b))
            acb_sub(out, out, b, prec);
        else
            is = CC_UNDECIDED;
    }
    cc_germ_clear(&germ);
    acb_clear(y);
    acb_clear(b);
    return is;
}

// The end by the tail whose error is the least, or small enough; not beyond 2**farthest.
static void close_end(whole *w, end *e, const end *other, slong farthest) {
    static const slong far[ENDS] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24},
                       near[ENDS] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64};
    cc_alg *g = w->g;
    bool infinite = !e->at->finite;
    // f as a function of y = 1/t, t the distance to a finite end
    cc_xp t = cc_x_dummy(g, "t", CC_IS_POSITIVE), y = cc_x_dummy(g, "y", CC_IS_POSITIVE), at = infinite ? y : cc_x_pow(g, y, g->minus_one);
    if (e->upper != infinite) at = cc_x_neg(g, at);
    if (!infinite) at = cc_x_add(g, e->at, at);
    cc_xp f = cc_x_subs(g, w->f, w->v, at), inverse = cc_x_pow(g, t, g->minus_one);
    if (!infinite) f = cc_x_mul(g, f, cc_x_powi(g, y, -2));
    tail from[2] = {{.y = y, .t = t, .rest = cc_x_subs(g, f, y, inverse)}, {.y = y, .t = t}};
    int ways = from[0].rest ? 1 : 0;
    if (f && cc_int_oscillation(g, f, y, &from[1].boundary, &from[1].rest)) {
        from[1].rest = cc_x_subs(g, from[1].rest, y, inverse);
        ways = 2;
    }
    slong prec = w->bits + 30;
    e->finite = CC_UNDECIDED;
    acb_t value;
    arb_t place_of;
    mag_t error, best;
    acb_init(value);
    arb_init(place_of);
    mag_init(error);
    mag_init(best);
    mag_inf(best);
    for (int i = 0; i < ENDS && ways && cc_alg_may_search(g); i++) {
        slong m = infinite ? far[i] : near[i];
        if (m > farthest || !place(place_of, e, other, m)) continue;
        int sign = 0, way = ways - 1;
        cc_truth is = tail_integral(g, value, &sign, &from[way], m, prec);
        if (is != CC_TRUE && way) is = tail_integral(g, value, &sign, &from[way = 0], m, prec);
        if (g->err->code == CC_RESOURCE_EXHAUSTED) *g->err = (cc_error){0};
        if (g->err->code != CC_OK) break;
        if (is == CC_FALSE) {
            e->finite = CC_FALSE;
            w->infinite = w->infinite == 0 || w->infinite == sign ? sign : 2;
            arb_set(e->from, place_of);
            acb_zero(e->tail);
            break;
        }
        if (is == CC_TRUE) {
            mag_max(error, arb_radref(acb_realref(value)), arb_radref(acb_imagref(value)));
            if (mag_cmp(error, best) < 0) {
                e->finite = CC_TRUE;
                acb_set(e->tail, value);
                arb_set(e->from, place_of);
                mag_set(best, error);
            }
        }
        if (mag_cmp_2exp_si(best, -w->bits - 2) <= 0) break;
    }
    acb_clear(value);
    arb_clear(place_of);
    mag_clear(error);
    mag_clear(best);
}

// The integral between two ends; of an infinite one, what is finite.
static bool between(whole *w, acb_t out, end *a, end *b, slong farthest) {
    end *ends[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        end *e = ends[i];
        e->finite = CC_TRUE;
        arb_set(e->from, e->x);
        acb_zero(e->tail);
        if (e->at->finite && tame(w, e, true)) continue;
        close_end(w, e, ends[1 - i], farthest);
        bool rough = mag_cmp_2exp_si(arb_radref(acb_realref(e->tail)), -w->bits) > 0;
        if ((e->finite == CC_UNDECIDED || (e->finite == CC_TRUE && rough)) && e->at->finite && tame(w, e, false)) {
            e->finite = CC_TRUE;
            arb_set(e->from, e->x);
            acb_zero(e->tail);
        }
        if (e->finite == CC_UNDECIDED) return false;
    }
    bool ok = cc_int_proper(w->g, out, w->f, w->v, a->from, b->from, w->bits);
    acb_add(out, out, a->tail, w->bits + 30);
    acb_add(out, out, b->tail, w->bits + 30);
    return ok;
}

static bool place_end(whole *w, end *e, cc_xp at, bool upper) {
    e->at = at;
    e->upper = upper;
    acb_t z;
    acb_init(z);
    bool ok = !at->finite || (cc_x_enclose_to(w->g, z, at, NULL, w->bits + 40) && arb_contains_zero(acb_imagref(z)));
    arb_set(e->x, acb_realref(z));
    acb_clear(z);
    return ok;
}

cc_truth cc_int_improper(cc_alg *g, acb_t out, int *sign, cc_xp f, cc_xp v, cc_xp a, cc_xp b, slong bits) {
    if (!f || !v || !a || !b || cc_x_has_fn(f, CC_F_DIRAC)) return CC_UNDECIDED; // values tell nothing of an impulse
    if (a == g->oo || b == g->neg_oo || (a->finite && b->finite && cc_x_constant_compare(g, a, b) == 1)) { // upside down
        cc_truth r = a == b ? CC_UNDECIDED : cc_int_improper(g, out, sign, f, v, b, a, bits);
        acb_neg(out, out);
        if (*sign != 2) *sign = -*sign;
        return r;
    }
    if ((!a->finite && a != g->neg_oo) || (!b->finite && b != g->oo)) return CC_UNDECIDED;
    whole w = {.g = g, .f = f, .v = v, .bits = bits};
    end left, right;
    arb_t lo, hi;
    end_init(&left);
    end_init(&right);
    arb_init(lo);
    arb_init(hi);
    cc_xp at[CC_INT_POINTS];
    acb_t part;
    acb_init(part);
    acb_zero(out);
    bool ok = place_end(&w, &left, a, false) && place_end(&w, &right, b, true);
    if (ok) {
        arb_set(lo, left.x);
        arb_set(hi, right.x);
        if (!a->finite) arb_neg_inf(lo);
        if (!b->finite) arb_pos_inf(hi);
        slong n = cc_int_points(g, at, f, v, lo, hi);
        ok = n >= 0 && g->err->code == CC_OK;
        for (slong i = 0; ok && i <= n; i++) {
            int infinite = w.infinite;
            ok = place_end(&w, &left, i ? at[i - 1] : a, false) && place_end(&w, &right, i < n ? at[i] : b, true);
            if (!ok || between(&w, part, &left, &right, FARTHEST)) {
                acb_add(out, out, part, bits + 30);
                continue;
            }
            w.infinite = infinite;
            ok = between(&w, part, &left, &right, NOT_FAR); // with fewer oscillations, and a larger error
            acb_add(out, out, part, bits + 30);
        }
    }
    acb_clear(part);
    end_clear(&left);
    end_clear(&right);
    arb_clear(lo);
    arb_clear(hi);
    *sign = w.infinite;
    return !ok || g->err->code != CC_OK ? CC_UNDECIDED : w.infinite ? CC_FALSE : CC_TRUE;
}

bool cc_x_quadrature(cc_alg *g, arb_t out_re, arb_t out_im, cc_xp f, cc_xp v, cc_xp a, cc_xp b, slong bits) {
    acb_t sum;
    int sign;
    acb_init(sum);
    bool ok = cc_int_improper(g, sum, &sign, f, v, a, b, bits) == CC_TRUE;
    if (ok) { // a few bits are no answer
        mag_t error;
        mag_init(error);
        mag_max(error, arb_radref(acb_realref(sum)), arb_radref(acb_imagref(sum)));
        ok = acb_rel_accuracy_bits(sum) >= 16 || mag_cmp_2exp_si(error, -bits / 2) < 0;
        mag_clear(error);
    }
    if (ok) {
        arb_set(out_re, acb_realref(sum));
        arb_set(out_im, acb_imagref(sum));
    }
    acb_clear(sum);
    return ok;
}
