// Germs of expressions: of sums, products, powers and functions, and of functions without bound what is known of them. Called by
// improper.c through cc_germ_of. What has no germ here is refused.
#include "math/integrate/germ.h"

static bool germ_of(const cc_near *c, cc_germ *out, cc_xp x);

// One constant, or a range of values.
static bool constant_of(const cc_near *c, cc_germ *out, cc_xp x) {
    cc_germ_set_one(out, true);
    acb_t y;
    acb_init(y);
    bool ok = cc_x_enclose(c->g, y, x, NULL, c->prec) && acb_is_finite(y);
    acb_swap(out->t[0].c, y);
    acb_clear(y);
    if (acb_is_zero(out->t[0].c)) out->n = 0;
    return ok;
}

static bool is_unbounded(const cc_near *c, const cc_germ *x) {
    cc_germ y;
    cc_germ_init(&y);
    cc_germ_set(&y, x);
    bool r = !cc_germ_flatten(c, &y) || (y.n && cc_germ_size_of(y.t) < 0);
    cc_germ_clear(&y);
    return r;
}

// log of lead*(1 + u)*exp(e) = e + log(lead) - a*log(1/t) + log(1 + u)
static bool logarithm(const cc_near *c, cc_germ *out, const cc_germ *x) {
    cc_alg *g = c->g;
    cc_germ_term lead;
    cc_germ u, p;
    acb_init(lead.c);
    cc_germ_init(&u);
    cc_germ_init(&p);
    cc_xp s = cc_x_dummy(g, "s", 0);
    bool ok = cc_germ_leading(c, x, &lead, &u) && !lead.k.p && cc_germ_one_branch(c, &lead, &u) && cc_germ_terms_are_real(x->e, x->ne) &&
              cc_germ_analytic(c, &p, cc_x_log(g, cc_x_add(g, g->one, s)), s, &u);
    if (ok) {
        cc_germ_term part;
        acb_init(part.c);
        part.a = part.k = (cc_fraction){0, 1};
        part.constant = lead.constant;
        acb_log(part.c, lead.c, c->prec);
        ok = acb_is_finite(part.c) && cc_germ_push(c, p.t, &p.n, CC_GERM_TERMS, &part);
        part.k = (cc_fraction){1, 1};
        part.constant = true;
        acb_set_si(part.c, -lead.a.p);
        acb_div_si(part.c, part.c, lead.a.q, c->prec);
        ok = ok && cc_germ_push(c, p.t, &p.n, CC_GERM_TERMS, &part);
        for (size_t i = 0; ok && i < x->ne; i++) ok = cc_germ_push(c, p.t, &p.n, CC_GERM_TERMS, x->e + i);
        acb_clear(part.c);
    }
    p.ne = 0;
    if (ok) cc_germ_set(out, &p);
    acb_clear(lead.c);
    cc_germ_clear(&u);
    cc_germ_clear(&p);
    return ok;
}

// exp(n/16*log(1/t)) = t**(-n/16)
static bool power_of_variable(cc_fraction *out, const cc_germ_term *x) {
    if (x->a.p || x->k.p != 1 || x->k.q != 1 || !cc_germ_term_is_real(x)) return false;
    arb_t n;
    arb_init(n);
    arb_mul_2exp_si(n, acb_realref(x->c), 4);
    bool ok =
        arb_is_int(n) && arf_cmpabs_2exp_si(arb_midref(n), 16) < 0 && cc_germ_fraction(out, -arf_get_si(arb_midref(n), ARF_RND_DOWN), 16);
    arb_clear(n);
    return ok;
}

static bool exponential(const cc_near *c, cc_germ *out, const cc_germ *x) {
    cc_alg *g = c->g;
    cc_germ y, bounded, p;
    cc_germ_init(&y);
    cc_germ_init(&bounded);
    cc_germ_init(&p);
    cc_germ_set(&y, x);
    bool ok = cc_germ_flatten(c, &y);
    cc_germ_set_one(&p, true);
    for (size_t i = 0; ok && i < y.n; i++) {
        const cc_germ_term *term = y.t + i;
        if (cc_germ_size_of(term) >= 0) {
            cc_germ_set_term(bounded.t + bounded.n++, term);
        } else if (!power_of_variable(&p.t[0].a, term)) {
            ok = p.ne < CC_GERM_EXPONENT;
            if (ok) cc_germ_set_term(p.e + p.ne++, term);
        }
    }
    cc_xp s = cc_x_dummy(g, "s", 0);
    ok = ok && cc_germ_analytic(c, &bounded, cc_x_exp(g, s), s, &bounded) && cc_germ_multiply(c, out, &p, &bounded);
    cc_germ_clear(&y);
    cc_germ_clear(&bounded);
    cc_germ_clear(&p);
    return ok;
}

// The values of x on all of 0 <= t <= 2**-m as one range.
static bool whole_range(const cc_near *c, cc_germ *out, cc_xp x) {
    acb_t at, y;
    mag_t m;
    acb_init(at);
    acb_init(y);
    mag_init(m);
    mag_set_ui_2exp_si(m, 1, -c->m);
    cc_germ_up_to(acb_realref(at), m);
    cc_xenv env = {.symbols = &c->t, .values = at, .n = 1};
    cc_germ_set_one(out, false);
    bool ok = cc_x_enclose(c->g, y, x, &env, c->prec) && acb_is_finite(y);
    acb_swap(out->t[0].c, y);
    acb_clear(y);
    acb_clear(at);
    mag_clear(m);
    return ok;
}

static void set_ball(cc_germ *out, slong low, slong high) {
    cc_germ_set_one(out, false);
    arb_set_si(acb_realref(out->t[0].c), low + high);
    arb_set_si(acb_imagref(out->t[0].c), high - low);
    arb_add_error(acb_realref(out->t[0].c), acb_imagref(out->t[0].c));
    arb_mul_2exp_si(acb_realref(out->t[0].c), acb_realref(out->t[0].c), -1);
    arb_zero(acb_imagref(out->t[0].c));
}

// fn of a real argument without bound.
static bool of_unbounded(const cc_near *c, cc_germ *out, cc_xp x, const cc_germ *a) {
    cc_alg *g = c->g;
    cc_xp u = x->args[x->n - 1];
    bool real = cc_germ_terms_are_real(a->t, a->n) && cc_germ_terms_are_real(a->e, a->ne);
    int sign = cc_germ_sign_of(c, a);
    cc_germ p;
    bool ok = false;
    cc_germ_init(&p);
    switch ((cc_xfn)x->fn) {
    case CC_F_SIN:
    case CC_F_COS:
        set_ball(out, -1, 1);
        ok = real;
        break;
    case CC_F_BESSELJ:
        set_ball(out, -1, 1);
        ok = real && cc_x_is_int(x->args[0]);
        break;
    case CC_F_SINH:
    case CC_F_COSH:
    case CC_F_TANH:
    case CC_F_COTH:
    case CC_F_SECH:
    case CC_F_CSCH: ok = germ_of(c, out, cc_int_hyperbolic_by_exp(g, x, c->t)); break;
    case CC_F_ATAN: // sign*pi/2 - atan(1/u)
        ok = sign &&
             germ_of(c, out, cc_x_sub(g, CC_PROD(g, cc_x_frac(g, sign, 2), g->pi), cc_x_f1(g, CC_F_ATAN, cc_x_pow(g, u, g->minus_one))));
        break;
    case CC_F_ERF:
    case CC_F_ERFC: // 0 < erfc(u) < exp(-u**2) for u > 0
        ok = sign && germ_of(c, &p, cc_x_exp(g, cc_x_neg(g, cc_x_mul(g, u, u))));
        set_ball(out, 0, 1);
        ok = ok && cc_germ_multiply(c, out, out, &p);
        cc_germ_set_one(&p, true);
        if (x->fn == CC_F_ERFC && sign < 0) {
            for (size_t i = 0; i < out->n; i++) acb_neg(out->t[i].c, out->t[i].c);
            acb_set_ui(p.t[0].c, 2);
            ok = ok && cc_germ_add(c, out, &p);
        } else if (x->fn == CC_F_ERF) {
            for (size_t i = 0; i < out->n && sign > 0; i++) acb_neg(out->t[i].c, out->t[i].c);
            acb_set_si(p.t[0].c, sign);
            ok = ok && cc_germ_add(c, out, &p);
        }
        break;
    default: break;
    }
    cc_germ_clear(&p);
    return ok;
}

// floor, ceiling or the fractional part of x.
static bool rounded(const cc_near *c, cc_germ *out, const cc_germ *x, cc_xfn fn) {
    cc_germ a, rest;
    acb_t range;
    fmpz_t n;
    cc_germ_init(&a);
    cc_germ_init(&rest);
    acb_init(range);
    fmpz_init(n);
    cc_germ_set(&a, x);
    bool ok = cc_germ_terms_are_real(a.t, a.n) && cc_germ_terms_are_real(a.e, a.ne), up = fn == CC_F_CEIL;
    if (ok && (!cc_germ_flatten(c, &a) || (a.n && cc_germ_size_of(a.t) < 0))) { // without bound: within 1
        if (fn == CC_F_FRAC)
            set_ball(out, 0, 1);
        else {
            set_ball(&a, up ? 0 : -1, up ? 1 : 0);
            cc_germ_set(out, x);
            ok = cc_germ_add(c, out, &a);
        }
    } else if (ok) {
        bool whole = a.n && !cc_germ_size_of(a.t) && acb_is_int(a.t[0].c);
        for (size_t i = whole; i < a.n; i++) cc_germ_set_term(rest.t + rest.n++, a.t + i);
        int sign = cc_germ_sign_of(c, &rest);
        if (whole || (a.n && cc_germ_size_of(a.t) > 0)) { // an integer, and a little more or less
            if (whole) arb_get_unique_fmpz(n, acb_realref(a.t[0].c));
            ok = !rest.n || sign;
            if (up ? sign > 0 : sign < 0) fmpz_add_si(n, n, up ? 1 : -1);
        } else {
            cc_germ_range_of(c, range, a.t, a.n);
            if (up)
                arb_ceil(acb_realref(range), acb_realref(range), c->prec);
            else
                arb_floor(acb_realref(range), acb_realref(range), c->prec);
            ok = arb_get_unique_fmpz(n, acb_realref(range));
        }
        cc_germ_set_one(out, true);
        acb_set_fmpz(out->t[0].c, n);
        if (fn == CC_F_FRAC) acb_neg(out->t[0].c, out->t[0].c);
        if (fmpz_is_zero(n)) out->n = 0;
        if (ok && fn == CC_F_FRAC) ok = cc_germ_add(c, out, &a);
    }
    cc_germ_clear(&a);
    cc_germ_clear(&rest);
    acb_clear(range);
    fmpz_clear(n);
    return ok;
}

static bool function(const cc_near *c, cc_germ *out, cc_xp x) {
    cc_alg *g = c->g;
    for (uint32_t i = 0; i + 1 < x->n; i++)
        if (!cc_int_free(x->args[i], c->t)) return whole_range(c, out, x);
    cc_germ a;
    cc_germ_init(&a);
    bool ok = germ_of(c, &a, x->args[x->n - 1]), found = false;
    if (ok) {
        int sign = 0;
        switch ((cc_xfn)x->fn) {
        case CC_F_EXP: found = exponential(c, out, &a); break;
        case CC_F_LOG: found = logarithm(c, out, &a); break;
        case CC_F_FLOOR:
        case CC_F_CEIL:
        case CC_F_FRAC: found = rounded(c, out, &a, (cc_xfn)x->fn); break;
        case CC_F_ABS:
        case CC_F_SIGN:
        case CC_F_HEAVISIDE:
            sign = cc_germ_sign_of(c, &a);
            found = sign != 0;
            if (found && x->fn == CC_F_ABS) {
                for (size_t i = 0; i < a.n && sign < 0; i++) acb_neg(a.t[i].c, a.t[i].c);
                cc_germ_set(out, &a);
            } else if (found) {
                cc_germ_set_one(out, true);
                acb_set_si(out->t[0].c, x->fn == CC_F_SIGN ? sign : sign > 0);
                if (acb_is_zero(out->t[0].c)) out->n = 0;
            }
            break;
        default:
            if (is_unbounded(c, &a)) {
                found = of_unbounded(c, out, x, &a);
            } else {
                cc_xp s = cc_x_dummy(g, "s", 0);
                cc_xp *args = cc_arena_alloc(g->arena, x->n * sizeof *args);
                for (uint32_t i = 0; i < x->n; i++) args[i] = i + 1 < x->n ? x->args[i] : s;
                cc_xp F = cc_x_rebuild(g, x, args);
                found = F && cc_germ_flatten(c, &a) && cc_germ_analytic(c, out, F, s, &a);
            }
        }
    }
    cc_germ_clear(&a);
    return found || whole_range(c, out, x);
}

static bool sum_or_product(const cc_near *c, cc_germ *out, cc_xp x) {
    cc_germ a, acc;
    cc_germ_init(&a);
    cc_germ_init(&acc);
    bool ok = true;
    if (x->kind == CC_X_MUL) cc_germ_set_one(&acc, true);
    for (uint32_t i = 0; ok && i < x->n; i++) {
        ok = germ_of(c, &a, x->args[i]);
        if (ok) ok = x->kind == CC_X_MUL ? cc_germ_multiply(c, &acc, &acc, &a) : cc_germ_add(c, &acc, &a);
    }
    if (ok) cc_germ_set(out, &acc);
    cc_germ_clear(&a);
    cc_germ_clear(&acc);
    return ok;
}

static bool of_number(cc_fraction *out, cc_xp x) {
    return cc_x_is_num(x) && fmpz_fits_si(fmpq_numref(x->num)) && fmpz_fits_si(fmpq_denref(x->num)) &&
           fmpz_bits(fmpq_numref(x->num)) < 20 && fmpz_bits(fmpq_denref(x->num)) < 20 &&
           cc_germ_fraction(out, fmpz_get_si(fmpq_numref(x->num)), fmpz_get_si(fmpq_denref(x->num)));
}

static bool power(const cc_near *c, cc_germ *out, cc_xp x) {
    cc_alg *g = c->g;
    cc_xp base = x->args[0], e = x->args[1];
    cc_germ a;
    cc_germ_init(&a);
    cc_fraction k;
    bool ok;
    if (base == g->e)
        ok = germ_of(c, &a, e) && exponential(c, out, &a);
    else if (of_number(&k, e))
        ok = germ_of(c, &a, base) && cc_germ_power_of(c, out, &a, k);
    else
        ok = germ_of(c, &a, cc_x_mul(g, e, cc_x_log(g, base))) && exponential(c, out, &a);
    cc_germ_clear(&a);
    return ok;
}

static bool limit_is_zero(const cc_near *c, cc_xp x) {
    cc_xp limit = cc_x_subs(c->g, x, c->t, c->g->zero);
    return limit && limit->finite && cc_x_is_constant(limit) && cc_x_constant_is_zero(c->g, limit) == CC_TRUE;
}

static bool germ_of(const cc_near *c, cc_germ *out, cc_xp x) {
    cc_alg *g = c->g;
    if (!x || !x->finite || !cc_alg_may_search(g)) return false;
    if (cc_int_free(x, c->t)) return constant_of(c, out, x);
    for (size_t i = 0; i < *c->n_known; i++)
        if (c->known[i].x == x) {
            cc_germ_set(out, &c->known[i].germ);
            return c->known[i].ok;
        }
    bool ok = false;
    switch ((cc_xkind)x->kind) {
    case CC_X_SYM:
        cc_germ_set_one(out, true);
        out->t[0].a = (cc_fraction){1, 1};
        return x == c->t;
    case CC_X_ADD:
    case CC_X_MUL: ok = sum_or_product(c, out, x); break;
    case CC_X_POW: ok = power(c, out, x) || (g->err->code == CC_OK && whole_range(c, out, x)); break;
    case CC_X_FUN: ok = function(c, out, x); break;
    default: return false;
    }
    if (g->err->code != CC_OK) return false;
    // a limit that may be zero: exactly?
    if (ok && !out->ne && out->n && !cc_germ_size_of(out->t) && out->t[0].constant && acb_contains_zero(out->t[0].c) &&
        limit_is_zero(c, x)) {
        for (size_t i = 1; i < out->n; i++) cc_germ_set_term(out->t + i - 1, out->t + i);
        out->n--;
    }
    if (g->err->code == CC_OK && x->kind != CC_X_MUL && *c->n_known < CC_GERM_KNOWN) {
        struct cc_germ_known *k = c->known + (*c->n_known)++;
        k->x = x;
        k->ok = ok;
        cc_germ_init(&k->germ);
        if (ok) cc_germ_set(&k->germ, out);
    }
    return ok && g->err->code == CC_OK;
}

bool cc_germ_of(cc_alg *g, cc_germ *out, cc_xp x, cc_xp t, slong m, slong prec) {
    size_t n_known = 0;
    cc_near c = {.g = g, .t = t, .m = m, .prec = prec, .known = flint_malloc(CC_GERM_KNOWN * sizeof *c.known), .n_known = &n_known};
    arb_init(c.log);
    arb_const_log2(c.log, prec);
    arb_mul_si(c.log, c.log, m, prec);
    bool ok = germ_of(&c, out, x);
    arb_clear(c.log);
    for (size_t i = 0; i < n_known; i++) cc_germ_clear(&c.known[i].germ);
    flint_free(c.known);
    return ok;
}

// The sign of x on 0 < t <= 2**-m, and whether it is real there.
static int sign_and_kind(cc_alg *g, cc_xp x, cc_xp t, slong m, slong prec, bool *real) {
    cc_near c = {.g = g, .t = t, .m = m, .prec = prec};
    cc_germ germ;
    arb_init(c.log);
    arb_const_log2(c.log, prec);
    arb_mul_si(c.log, c.log, m, prec);
    cc_germ_init(&germ);
    bool ok = cc_germ_of(g, &germ, x, t, m, prec);
    *real = ok && cc_germ_terms_are_real(germ.t, germ.n) && cc_germ_terms_are_real(germ.e, germ.ne);
    int sign = *real ? cc_germ_sign_of(&c, &germ) : 0;
    cc_germ_clear(&germ);
    arb_clear(c.log);
    return sign;
}

int cc_germ_sign(cc_alg *g, cc_xp x, cc_xp t, slong m, slong prec) {
    bool real;
    return sign_and_kind(g, x, t, m, prec, &real);
}

bool cc_germ_is_real(cc_alg *g, cc_xp x, cc_xp t, slong m, slong prec) {
    bool real;
    sign_and_kind(g, x, t, m, prec, &real);
    return real;
}
