// Certified real zeros by interval bisection: a part is settled when the function's enclosure excludes zero, or when its derivative's does
// and the signs at the ends decide. Called by inequality.c and the operations. Owns the enclosures that it returns, until
// cc_real_roots_clear. Quotients are settled by their numerators, which have no poles. Source: interval Newton and bisection, e.g. Tucker,
// Validated Numerics, 2011, chapter 5.
#include "math/integrate/germ.h"
#include "math/solve/solve.h"

#define MOST_PARTS    20000
#define MOST_ROOTS    200
#define LEAST_WIDTH   60 // a part narrower than 2**-60 of its size is given up
#define FAR_BITS      1000
#define FAR_PARTS     2000 // of all that is far out
#define MOST_ORDER    8    // of a zero at 0
#define GERM_BITS     90
#define WHOLE_LINE_MS 1000 // what is not settled then is not worth the wait: a window is looked at instead

typedef struct finder {
    cc_alg *g;
    cc_xp f, d, v;
    cc_xp below; // what f was divided by: not 0 at a root; NULL: nothing
    cc_xp rises; // the derivative of f of the least order that is not 0 at 0, when f is; else NULL
    bool at_zero;
    slong prec, bits;
    size_t parts, most;
    cc_real_roots *out;
    cc_buf unsure;
} finder;

// An enclosure of f over an interval; false when it has none there, or is not proven real. *none: f, real or not, has no zero there.
static bool over(finder *s, arb_t out, bool *none, cc_xp f, const arb_t x, slong prec) {
    acb_t at, value;
    acb_init(at), acb_init(value);
    acb_set_arb(at, x);
    const cc_xenv env = {&s->v, at, 1};
    bool ok = cc_x_enclose(s->g, value, f, &env, prec) && acb_is_finite(value);
    *none = ok && !acb_contains_zero(value);
    ok = ok && arb_contains_zero(acb_imagref(value));
    if (ok) arb_set(out, acb_realref(value));
    acb_clear(at), acb_clear(value);
    return ok;
}

// The sign at a point: -1, 1; 0 = zero or unknown.
static int sign_at(finder *s, const arb_t x) {
    arb_t y;
    arb_init(y);
    int sign = 0;
    bool none;
    for (slong prec = s->prec; prec <= 16 * s->prec && !sign; prec *= 4)
        if (over(s, y, &none, s->f, x, prec)) sign = arb_is_positive(y) ? 1 : arb_is_negative(y) ? -1 : 0;
    arb_clear(y);
    return sign;
}

static void give_up(finder *s, const arb_t x) {
    char *text = arb_get_str(x, 6, ARB_STR_NO_RADIUS);
    if (s->unsure.n < 200) cc_buf_printf(&s->unsure, "%s%s", s->unsure.n ? ", " : "", text);
    flint_free(text);
    s->out->complete = false;
}

static void keep(finder *s, const arb_t root) {
    arb_t y;
    arb_init(y);
    bool none, defined = !s->below || (over(s, y, &none, s->below, root, 4 * s->prec) && none);
    if (!defined)
        give_up(s, root);
    else if (s->out->n < MOST_ROOTS)
        arb_set(s->out->at + s->out->n++, root);
    else
        s->out->complete = false;
    arb_clear(y);
}

// Exactly one zero in [a, b], where the derivative keeps its sign: bisection, then the enclosure.
static void refine(finder *s, const arb_t a, const arb_t b, int sign_a) {
    arb_t low, high, mid;
    arb_init(low), arb_init(high), arb_init(mid);
    arb_set(low, a), arb_set(high, b);
    slong prec = s->bits + 64;
    for (slong i = 0; i < s->bits + 80 && cc_alg_may_search(s->g); i++) {
        arb_add(mid, low, high, prec);
        arb_mul_2exp_si(mid, mid, -1);
        arb_get_mid_arb(mid, mid);
        int sign = sign_at(s, mid);
        if (!sign) { // very near the zero: a little aside
            break;
        }
        if (sign == sign_a)
            arb_set(low, mid);
        else
            arb_set(high, mid);
    }
    arb_union(mid, low, high, prec);
    keep(s, mid);
    arb_clear(low), arb_clear(high), arb_clear(mid);
}

// 0 is the only zero in [a, b]: it is one of some order, and that derivative has none there.
static bool only_zero(finder *s, const arb_t a, const arb_t b, const arb_t x) {
    if (!s->rises || arb_is_positive(a) || arb_is_negative(b)) return false;
    arb_t y;
    arb_init(y);
    bool none, only = over(s, y, &none, s->rises, x, s->prec) && !arb_contains_zero(y);
    if (only && !s->at_zero) { // two parts may meet there
        s->at_zero = true;
        arb_zero(y);
        keep(s, y);
    }
    arb_clear(y);
    return only;
}

static void search(finder *s, const arb_t a, const arb_t b, int sign_a, int sign_b, unsigned depth) {
    arb_t x, y, mid;
    if (!cc_alg_may_search(s->g) || ++s->parts > s->most) {
        s->out->complete = false;
        return;
    }
    arb_init(x), arb_init(y), arb_init(mid);
    arb_union(x, a, b, s->prec);
    bool none, steady, bounded = over(s, y, &none, s->f, x, s->prec); // no pole inside
    if (none) goto done;
    if (bounded && sign_a && sign_b && over(s, y, &steady, s->d, x, s->prec) && steady && !arb_contains_zero(y)) { // monotone
        if (sign_a != sign_b) refine(s, a, b, sign_a);
        goto done;
    }
    if (only_zero(s, a, b, x)) goto done;
    if (depth > LEAST_WIDTH) {
        give_up(s, x);
        goto done;
    }
    // somewhat off the middle, so that zeros at round numbers are not cut points
    arb_sub(mid, b, a, s->prec);
    arb_mul_ui(mid, mid, depth % 2 ? 61 : 67, s->prec);
    arb_mul_2exp_si(mid, mid, -7);
    arb_add(mid, mid, a, s->prec);
    arb_get_mid_arb(mid, mid);
    int sign = sign_at(s, mid);
    search(s, a, mid, sign_a, sign, depth + 1);
    search(s, mid, b, sign, sign_b, depth + 1);
done:
    arb_clear(x), arb_clear(y), arb_clear(mid);
}

// Functions that jump without a pole: a change of sign proves nothing.
bool cc_solve_jumps(cc_xp f) {
    static const cc_xfn fns[] = {CC_F_FLOOR,     CC_F_CEIL,  CC_F_FRAC, CC_F_MOD,       CC_F_SIGN,
                                 CC_F_HEAVISIDE, CC_F_DIRAC, CC_F_ARG,  CC_F_KRONECKER, CC_F_PIECEWISE};
    for (size_t i = 0; i < CC_ARRAY_LEN(fns); i++)
        if (cc_x_has_fn(f, fns[i])) return true;
    return false;
}

// tan as sin/cos …, and 1/gamma, which is entire, for gamma: the quotient's numerator has no poles.
static cc_xp quotient(cc_alg *g, cc_xp x, void *ctx) {
    cc_xp *parts = ctx; // a symbol, and the only function that it stands for
    if (x->kind != CC_X_FUN || x->n != 1) return x;
    cc_xp u = x->args[0];
    switch ((cc_xfn)x->fn) {
    case CC_F_TAN: return cc_x_div(g, cc_x_f1(g, CC_F_SIN, u), cc_x_f1(g, CC_F_COS, u));
    case CC_F_COT: return cc_x_div(g, cc_x_f1(g, CC_F_COS, u), cc_x_f1(g, CC_F_SIN, u));
    case CC_F_SEC: return cc_x_div(g, g->one, cc_x_f1(g, CC_F_COS, u));
    case CC_F_CSC: return cc_x_div(g, g->one, cc_x_f1(g, CC_F_SIN, u));
    case CC_F_GAMMA:
    case CC_F_FACTORIAL:
        if (parts[1] && parts[1] != x) return x;
        parts[1] = x;
        return cc_x_div(g, g->one, parts[0]);
    default: return x;
    }
}

static void without_poles(finder *s) {
    cc_alg *g = s->g;
    cc_xp parts[2] = {cc_x_dummy(g, "r", 0), NULL}, num, den, x = cc_x_map(g, s->f, quotient, parts);
    if (!x || !(x = cc_x_together(g, x))) return;
    cc_x_fraction(g, x, &num, &den);
    if (parts[1]) {
        cc_xp back = cc_x_div(g, g->one, parts[1]);
        num = cc_x_subs(g, num, parts[0], back), den = cc_x_subs(g, den, parts[0], back);
    }
    if (!num || !den || cc_x_is_constant(den) || !cc_x_has(num, s->v)) return;
    s->f = num, s->below = den;
}

static void find_order_at_zero(finder *s) {
    cc_alg *g = s->g;
    cc_xp x = s->f;
    for (int k = 0; x && k <= MOST_ORDER; k++, x = cc_x_diff(g, x, s->v)) {
        cc_xp there = cc_x_subs(g, x, s->v, g->zero);
        if (!there || !there->finite) return;
        cc_truth zero = cc_x_is_zero(g, there);
        if (zero == CC_TRUE) continue;
        if (zero == CC_FALSE && k) s->rises = x;
        return;
    }
}

static bool begin(finder *s, cc_alg *g, cc_xp f, cc_xp v, slong bits, cc_real_roots *out) {
    *out = (cc_real_roots){.complete = true};
    *s = (finder){.g = g, .f = f, .v = v, .prec = 128, .bits = bits, .out = out, .most = MOST_PARTS};
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, f, &n);
    if (n != 1 || symbols[0] != v || cc_solve_jumps(f)) return false;
    without_poles(s);
    find_order_at_zero(s);
    s->d = cc_x_diff(g, s->f, v);
    if (!s->d) return false;
    out->at = _arb_vec_init(MOST_ROOTS);
    return true;
}

static bool finish(finder *s) {
    if (s->unsure.n) s->out->unsure = cc_arena_printf(s->g->arena, "near %.*s", (int)s->unsure.n, s->unsure.p);
    cc_buf_free(&s->unsure);
    return !s->g->err->code;
}

bool cc_solve_real_roots(cc_alg *g, cc_xp f, cc_xp v, const arb_t lower, const arb_t upper, slong bits, cc_real_roots *out) {
    finder s;
    if (!begin(&s, g, f, v, bits, out)) return false;
    search(&s, lower, upper, sign_at(&s, lower), sign_at(&s, upper), 0);
    return finish(&s);
}

// The least e of these with f of one sign for all v >= 2**e (v <= -2**e), by its germ at infinity; FAR_BITS: not known.
static slong settled_from(finder *s, int side) {
    static const slong from[] = {3, 6, 10};
    cc_xp t = cc_x_dummy(s->g, "t", CC_IS_POSITIVE);
    cc_xp far = cc_x_subs(s->g, s->f, s->v, cc_x_mul(s->g, cc_x_int(s->g, side), cc_x_pow(s->g, t, s->g->minus_one)));
    for (size_t i = 0; far && i < CC_ARRAY_LEN(from); i++)
        if (cc_germ_sign(s->g, far, t, from[i], GERM_BITS)) return from[i];
    return FAR_BITS;
}

bool cc_solve_all_real_roots(cc_alg *g, cc_xp f, cc_xp v, slong bits, cc_real_roots *out) {
    finder s;
    if (!begin(&s, g, f, v, bits, out)) return false;
    int64_t deadline = g->soft_deadline_ms, soon = cc_now_ms() + WHOLE_LINE_MS;
    if (!deadline || deadline > soon) g->soft_deadline_ms = soon;
    slong left = settled_from(&s, -1), right = settled_from(&s, 1);
    out->everywhere = left < FAR_BITS && right < FAR_BITS;
    arb_t a, b;
    arb_init(a), arb_init(b);
    // from left to right, in parts that double
    for (slong e = left; e > 3 && out->complete; e--) {
        s.most = s.parts + (e > 10 ? FAR_PARTS : MOST_PARTS);
        arb_set_si(a, -1), arb_mul_2exp_si(a, a, e), arb_set_si(b, -1), arb_mul_2exp_si(b, b, e - 1);
        search(&s, a, b, sign_at(&s, a), sign_at(&s, b), 0);
    }
    s.most = s.parts + MOST_PARTS;
    arb_set_si(a, -8), arb_set_si(b, 8);
    if (out->complete) search(&s, a, b, sign_at(&s, a), sign_at(&s, b), 0);
    for (slong e = 3; e < right && out->complete; e++) {
        s.most = s.parts + (e >= 10 ? FAR_PARTS : MOST_PARTS);
        arb_set_si(a, 1), arb_mul_2exp_si(a, a, e), arb_set_si(b, 1), arb_mul_2exp_si(b, b, e + 1);
        search(&s, a, b, sign_at(&s, a), sign_at(&s, b), 0);
    }
    arb_clear(a), arb_clear(b);
    g->soft_deadline_ms = deadline;
    return finish(&s);
}

void cc_real_roots_clear(cc_real_roots *r) {
    if (r->at) _arb_vec_clear(r->at, MOST_ROOTS);
    *r = (cc_real_roots){0};
}
