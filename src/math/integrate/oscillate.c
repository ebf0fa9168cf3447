// Tails of oscillating integrands: a sum of terms g(y)*sin(a(y)), g(y)*cos(a(y)), integrated by parts until what is left falls fast.
// Called by improper.c.
#include "math/integrate/definite.h"

enum { MAX_TERMS = 64, MAX_TRIG_POWER = 6, STEPS = 8, MAX_DERIVATIVE = 400 };

typedef struct wave {
    cc_xp g, angle; // g*sin(angle) or g*cos(angle); angle 0: g alone
    bool sine;
} wave;

typedef struct waves {
    wave at[MAX_TERMS];
    size_t n;
} waves;

// Every wave times sin(angle) or cos(angle), by products to sums.
static bool times(cc_alg *g, waves *w, cc_xp angle, bool sine) {
    waves old = *w;
    w->n = 0;
    for (size_t i = 0; i < old.n; i++) {
        const wave *x = old.at + i;
        if (w->n + 2 > MAX_TERMS) return false;
        cc_xp half = cc_x_mul(g, g->half, x->g), minus = cc_x_neg(g, half);
        cc_xp sum = cc_x_expand(g, cc_x_add(g, x->angle, angle)), difference = cc_x_expand(g, cc_x_sub(g, x->angle, angle));
        // cos*cos = (cos(-) + cos(+))/2, sin*sin = (cos(-) - cos(+))/2, sin*cos = (sin(+) + sin(-))/2, cos*sin = (sin(+) - sin(-))/2
        bool both = x->sine && sine, one = x->sine != sine;
        w->at[w->n++] = (wave){both ? minus : half, sum, one};
        w->at[w->n++] = (wave){one && sine ? minus : half, difference, one};
    }
    return true;
}

// A sum of powers of v, growing.
static bool grows(cc_alg *g, cc_xp x, cc_xp v) {
    size_t n;
    const cc_xp *terms = cc_x_terms(&x, &n);
    for (size_t i = 0; i < n; i++) {
        cc_xp with, without, base, e;
        cc_x_separate_mul(g, terms[i], v, &with, &without);
        if (!with || cc_x_is(g, without, CC_IS_REAL) != CC_TRUE) return false;
        cc_x_split_power(g, with, &base, &e);
        if (with != g->one && (base != v || !cc_x_is_num(e) || cc_x_num_sign(e) < 0)) return false;
    }
    return !cc_int_free(x, v);
}

static bool is_wave(cc_alg *g, cc_xp x, cc_xp v, cc_xp *angle, slong *power) {
    cc_xp base, e;
    cc_x_split_power(g, x, &base, &e);
    if ((!cc_x_is_fun(base, CC_F_SIN) && !cc_x_is_fun(base, CC_F_COS)) || !cc_x_fits_si(e, power) || *power < 1 || *power > MAX_TRIG_POWER)
        return false;
    *angle = cc_x_expand(g, base->args[0]);
    return *angle && grows(g, *angle, v);
}

bool cc_int_oscillation(cc_alg *g, cc_xp f, cc_xp v, cc_xp *boundary, cc_xp *rest) {
    cc_xp expanded = cc_x_expand(g, f), angle;
    size_t n, m;
    bool any = false;
    *boundary = *rest = g->zero;
    if (!expanded) return false;
    const cc_xp *terms = cc_x_terms(&expanded, &n);
    for (size_t i = 0; i < n; i++) {
        waves *w = cc_arena_alloc(g->arena, sizeof *w);
        const cc_xp *factors = cc_x_factors(&terms[i], &m);
        slong power;
        w->n = 1;
        w->at[0] = (wave){g->one, g->zero, false};
        for (size_t k = 0; k < m; k++)
            if (!is_wave(g, factors[k], v, &angle, &power)) w->at[0].g = cc_x_mul(g, w->at[0].g, factors[k]);
        for (size_t k = 0; k < m; k++) {
            if (!is_wave(g, factors[k], v, &angle, &power)) continue;
            cc_xp base, e;
            cc_x_split_power(g, factors[k], &base, &e);
            for (slong j = 0; j < power; j++)
                if (!times(g, w, angle, base->fn == CC_F_SIN)) return false;
        }
        for (size_t k = 0; k < w->n && cc_alg_may_search(g); k++) {
            wave x = w->at[k];
            cc_xp rate = cc_x_diff(g, x.angle, v);
            if (!rate) return false;
            if (rate == g->zero) { // no wave any more
                *rest = cc_x_add(g, *rest, cc_x_mul(g, x.g, cc_x_f1(g, x.sine ? CC_F_SIN : CC_F_COS, x.angle)));
                continue;
            }
            any = true;
            for (int step = 0; step < STEPS && x.g != g->zero; step++) {
                cc_xp part = cc_x_div(g, x.g, rate), slope = cc_x_diff(g, part, v);
                if (!slope || slope->size > MAX_DERIVATIVE) break;
                // of g*sin(a): -(g/a')*cos(a), and (g/a')'*cos(a) is left; of g*cos(a): (g/a')*sin(a), and -(g/a')'*sin(a)
                cc_xp known = cc_x_mul(g, part, cc_x_f1(g, x.sine ? CC_F_COS : CC_F_SIN, x.angle));
                *boundary = cc_x_add(g, *boundary, x.sine ? cc_x_neg(g, known) : known);
                x.g = x.sine ? slope : cc_x_neg(g, slope);
                x.sine = !x.sine;
            }
            *rest = cc_x_add(g, *rest, cc_x_mul(g, x.g, cc_x_f1(g, x.sine ? CC_F_SIN : CC_F_COS, x.angle)));
        }
    }
    return any && *boundary && *rest && g->err->code == CC_OK && cc_alg_may_search(g);
}
