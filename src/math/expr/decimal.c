// Constants → decimals whose every digit is proven, real or complex. Called for results. A part that is zero is left out only when that is
// proven; a number that is not enclosed tightly enough has no decimal (the text is empty).
#include "math/expr/bridge.h"
#include "math/expr/enclose.h"

#include "codecalc/rational.h"

enum { MORE_BITS = 1 << 17 }; // above what the digits need, for cancellation

static cc_str of_rational(cc_alg *g, const fmpq_t q, long digits) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_rational_digits(&b, q, digits);
    return cc_arena_dup(g->arena, cc_buf_str(&b));
}

// A ball without radius that is a number of moderate length.
static bool exactly(fmpq_t q, const arb_t ball) {
    if (!arb_is_exact(ball) || !arb_is_finite(ball) || arf_cmpabs_2exp_si(arb_midref(ball), 100000) > 0 ||
        arf_cmpabs_2exp_si(arb_midref(ball), -100000) < 0)
        return false;
    arf_get_fmpq(q, arb_midref(ball));
    return true;
}

typedef struct part {
    cc_xfn fn; // CC_F_RE or CC_F_IM
    bool done, zero, asked;
    cc_str text;
} part;

static bool is_own_conjugate(cc_alg *g, cc_xp x) {
    cc_xp other = cc_x_f1(g, CC_F_CONJUGATE, x);
    return other == x || cc_x_expand(g, cc_x_sub(g, other, x)) == g->zero;
}

// Finishes what the ball suffices for.
static bool finish(cc_alg *g, cc_xp x, part *p, const arb_t ball, long digits) {
    bool huge = false;
    if (p->done) return true;
    if (arb_is_zero(ball)) {
        p->done = p->zero = true;
    } else if (arb_contains_zero(ball)) {
        if (!p->asked)
            p->zero = p->done = (p->fn == CC_F_IM && is_own_conjugate(g, x)) || cc_x_constant_is_zero(g, cc_x_f1(g, p->fn, x)) == CC_TRUE;
        p->asked = true;
    } else if (arb_is_finite(ball)) {
        fmpq_t q;
        fmpq_init(q);
        p->done = exactly(q, ball);
        if (p->done)
            p->text = of_rational(g, q, digits);
        else
            p->done = cc_arb_decimal(g->arena, ball, digits, &p->text, &huge);
        fmpq_clear(q);
    }
    return p->done || !huge;
}

static cc_str join(cc_alg *g, const part *re, const part *im) {
    if (im->zero) return re->zero ? CC_STR("0") : re->text;
    bool minus = im->text.p[0] == '-';
    cc_str size = minus ? cc_str_make(im->text.p + 1, im->text.n - 1) : im->text;
    cc_str unit = cc_str_eqz(size, "1") ? CC_STR("I") : cc_arena_printf(g->arena, "%.*s*I", (int)size.n, size.p);
    if (re->zero) return minus ? cc_arena_printf(g->arena, "-%.*s", (int)unit.n, unit.p) : unit;
    return cc_arena_printf(g->arena, "%.*s %c %.*s", (int)re->text.n, re->text.p, minus ? '-' : '+', (int)unit.n, unit.p);
}

cc_str cc_x_decimal(cc_alg *g, cc_xp x, long digits) {
    const cc_str none = {NULL, 0};
    if (!x || g->err->code || !x->finite || !cc_x_is_constant(x)) return none;
    if (x->kind == CC_X_NUM) return of_rational(g, x->num, digits);
    const slong base = (slong)((double)digits * 3.3219280948873623) + 40;
    part re = {.fn = CC_F_RE}, im = {.fn = CC_F_IM};
    acb_t v;
    acb_init(v);
    bool possible = true;
    int64_t before = cc_now_ms(), spent = 0; // by the last step; the next takes up to four times as long
    for (slong prec = base; possible && !(re.done && im.done) && prec <= 2 * base + MORE_BITS;
         prec += prec - base < 32 ? 32 : prec - base) {
        if (!cc_alg_go_on(g) || (spent && g->soft_deadline_ms && before + 4 * spent > g->soft_deadline_ms)) break;
        if (cc_x_enclose(g, v, x, NULL, prec))
            possible = finish(g, x, &re, acb_realref(v), digits) && finish(g, x, &im, acb_imagref(v), digits);
        spent = cc_now_ms() - before;
        before += spent;
    }
    acb_clear(v);
    return re.done && im.done ? join(g, &re, &im) : none;
}
