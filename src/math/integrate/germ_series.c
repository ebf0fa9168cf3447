// Powers and analytic functions of germs, by power series with bounded rests (Cauchy's estimate). Called by germ_of.c.
#include "math/integrate/germ.h"

enum { MOST_POWER = 12 };

// How many terms of a power series in u are worth while.
static slong worth(const cc_near *c, const cc_germ *u) {
    slong n = MOST_POWER;
    if (u->n && u->t[0].a.p > 0) {
        slong bits = c->m * u->t[0].a.p / u->t[0].a.q, k = c->prec / (bits > 0 ? bits : 1) + 2;
        if (k < 2 * MOST_POWER) n = k;
    }
    return n < 2 ? 2 : n;
}

// sum of coefficient[i]*u**i, i < n, and rest*u**n: Horner's scheme.
static bool compose(const cc_near *c, cc_germ *out, const cc_germ *u, acb_srcptr coefficient, slong n, const acb_t rest, bool constant) {
    cc_germ acc, one;
    cc_germ_init(&acc);
    cc_germ_init(&one);
    cc_germ_set_one(&acc, false);
    acb_set(acc.t[0].c, rest);
    if (acb_is_zero(rest)) acc.n = 0;
    bool ok = true;
    for (slong i = n - 1; ok && i >= 0; i--) {
        ok = cc_germ_multiply_terms(c, &acc, &acc, u);
        cc_germ_set_one(&one, constant);
        acb_set(one.t[0].c, coefficient + i);
        ok = ok && cc_germ_push(c, acc.t, &acc.n, CC_GERM_TERMS, one.t);
    }
    acc.ne = 0;
    cc_germ_set(out, &acc);
    cc_germ_clear(&acc);
    cc_germ_clear(&one);
    return ok;
}

// (1 + u)**e, u vanishing with |u| < 1.
static bool binomial_power(const cc_near *c, cc_germ *out, const cc_germ *u, cc_fraction e) {
    slong n = worth(c, u);
    acb_t all, rest;
    arb_t x, R, gap, y;
    mag_t r;
    acb_init(all);
    acb_init(rest);
    arb_init(x);
    arb_init(y);
    arb_init(R);
    arb_init(gap);
    mag_init(r);
    acb_ptr coefficient = _acb_vec_init(n);
    cc_germ_range_of(c, all, u->t, u->n);
    acb_get_mag(r, all);
    bool ok = mag_cmp_2exp_si(r, 0) < 0;
    if (ok) {
        arb_set_si(x, e.p);
        arb_div_si(x, x, e.q, c->prec);
        acb_one(coefficient);
        for (slong i = 1; i < n; i++) {
            arb_sub_si(y, x, i - 1, c->prec);
            acb_mul_arb(coefficient + i, coefficient + i - 1, y, c->prec);
            acb_div_si(coefficient + i, coefficient + i, i, c->prec);
        }
        // Cauchy: |rest| <= M/(R**(n-1)*(R - r)), R = (1 + r)/2, M the greatest of (1 +- R)**e
        arb_set_interval_mag(R, r, r, c->prec);
        arb_add_ui(R, R, 1, c->prec);
        arb_mul_2exp_si(R, R, -1);
        arb_set_interval_mag(gap, r, r, c->prec);
        arb_sub(gap, R, gap, c->prec);
        arb_pow_ui(y, R, (ulong)n - 1, c->prec);
        arb_mul(gap, gap, y, c->prec);
        if (e.p > 0)
            arb_add_ui(y, R, 1, c->prec);
        else
            arb_sub_ui(y, R, 1, c->prec), arb_neg(y, y);
        arb_pow(y, y, x, c->prec);
        arb_div(y, y, gap, c->prec);
        arb_get_mag(r, y);
        bool real = cc_germ_terms_are_real(u->t, u->n);
        acb_zero(rest);
        mag_set(arb_radref(acb_realref(rest)), r);
        if (!real) mag_set(arb_radref(acb_imagref(rest)), r);
        ok = acb_is_finite(rest) && !mag_is_inf(r);
        if (e.q == 1 && e.p >= 0 && e.p < n) acb_zero(rest); // a polynomial
        ok = ok && compose(c, out, u, coefficient, n, rest, true);
    }
    _acb_vec_clear(coefficient, n);
    acb_clear(all);
    acb_clear(rest);
    arb_clear(x);
    arb_clear(y);
    arb_clear(R);
    arb_clear(gap);
    mag_clear(r);
    return ok;
}

// lead*(1 + u) stays off the negative real axis, or is real and negative throughout.
bool cc_germ_one_branch(const cc_near *c, const cc_germ_term *lead, const cc_germ *u) {
    if (cc_germ_term_is_real(lead) && cc_germ_terms_are_real(u->t, u->n)) return true; // |u| < 1 is for the caller
    acb_t y;
    acb_init(y);
    cc_germ_range_of(c, y, u->t, u->n);
    acb_add_ui(y, y, 1, c->prec);
    // arguments of both add up without a turn
    bool ok = arb_is_positive(acb_realref(y)) && (arb_is_positive(acb_realref(lead->c)) || cc_germ_term_is_real(lead)) &&
              !(cc_germ_term_is_real(lead) && arb_is_negative(acb_realref(lead->c)));
    acb_clear(y);
    return ok;
}

bool cc_germ_power_of(const cc_near *c, cc_germ *out, const cc_germ *x, cc_fraction e) {
    bool whole = e.q == 1;
    if (whole && e.p >= 1 && e.p <= 8 && (x->n == 1 || !x->n || acb_contains_zero(x->t[0].c))) { // what is not inverted may be zero
        cc_germ p;
        cc_germ_init(&p);
        cc_germ_set(&p, x);
        bool ok = true;
        if (x->n == 1 && cc_germ_term_is_real(x->t) && e.p % 2 == 0) {
            mag_t m;
            mag_init(m);
            bool through = arb_contains_zero(acb_realref(x->t[0].c));
            if (through) {
                arb_get_mag(m, acb_realref(x->t[0].c));
                mag_pow_ui(m, m, (ulong)e.p);
                cc_germ_up_to(acb_realref(p.t[0].c), m);
            } else {
                acb_pow_ui(p.t[0].c, x->t[0].c, (ulong)e.p, c->prec);
            }
            mag_clear(m);
            ok = cc_germ_times(&p.t[0].a, x->t[0].a, e) && cc_germ_times(&p.t[0].k, x->t[0].k, e);
            p.ne = 0;
            for (slong i = 0; ok && i < e.p; i++) ok = cc_germ_add_exponent(c, p.e, &p.ne, x->e, x->ne, 1);
        } else {
            for (slong i = 1; ok && i < e.p; i++) ok = cc_germ_multiply(c, &p, &p, x);
        }
        cc_germ_set(out, &p);
        cc_germ_clear(&p);
        return ok;
    }
    cc_germ_term lead;
    cc_germ u, p, l;
    acb_init(lead.c);
    cc_germ_init(&u);
    cc_germ_init(&p);
    cc_germ_init(&l);
    acb_t exponent;
    acb_init(exponent);
    bool ok = cc_germ_leading(c, x, &lead, &u) && (whole || cc_germ_one_branch(c, &lead, &u)) &&
              (whole || cc_germ_terms_are_real(x->e, x->ne)) && binomial_power(c, &p, &u, e);
    if (ok) {
        acb_set_si(exponent, e.p);
        acb_div_si(exponent, exponent, e.q, c->prec);
        l.n = 1;
        if (whole)
            acb_pow_si(l.t[0].c, lead.c, e.p, c->prec);
        else
            acb_pow(l.t[0].c, lead.c, exponent, c->prec);
        l.t[0].constant = lead.constant;
        ok = acb_is_finite(l.t[0].c) && cc_germ_times(&l.t[0].a, lead.a, e) && cc_germ_times(&l.t[0].k, lead.k, e) &&
             cc_germ_multiply_terms(c, &p, &p, &l);
        p.ne = 0;
        for (size_t i = 0; ok && i < x->ne; i++) {
            cc_germ_set_term(p.e + p.ne, x->e + i);
            acb_mul(p.e[p.ne].c, p.e[p.ne].c, exponent, c->prec);
            p.ne++;
        }
        cc_germ_set(out, &p);
    }
    acb_clear(exponent);
    acb_clear(lead.c);
    cc_germ_clear(&u);
    cc_germ_clear(&p);
    cc_germ_clear(&l);
    return ok;
}

// F(s) at x, by the derivatives of F at the constant part of x and Cauchy's bound for the rest.
bool cc_germ_analytic(const cc_near *c, cc_germ *out, cc_xp F, cc_xp s, const cc_germ *x) {
    cc_alg *g = c->g;
    cc_germ u;
    acb_t at, disk, all, rest;
    mag_t r, M;
    cc_germ_init(&u);
    acb_init(at);
    acb_init(disk);
    acb_init(all);
    acb_init(rest);
    mag_init(r);
    mag_init(M);
    bool ok = x->ne == 0, constant = true;
    for (size_t i = 0; ok && i < x->n; i++) {
        int size = cc_germ_size_of(x->t + i);
        ok = size >= 0;
        if (size == 0) {
            acb_set(at, x->t[i].c);
            constant = x->t[i].constant;
        } else if (ok) {
            cc_germ_set_term(u.t + u.n++, x->t + i);
        }
    }
    slong n = worth(c, &u);
    if (!constant && n > 3) n = 3; // the constant is a range: no more is gained
    acb_ptr coefficient = _acb_vec_init(n);
    if (ok) {
        cc_germ_range_of(c, all, u.t, u.n);
        acb_get_mag(r, all);
        cc_xenv env = {.symbols = &s, .values = at, .n = 1};
        cc_xp D = F;
        ok = cc_int_regular(g, F, s, &env, c->prec, false) && mag_cmp_2exp_si(r, 8) < 0;
        bool real = acb_is_real(at) && cc_germ_terms_are_real(u.t, u.n);
        if (real) { // and so is F there
            acb_set(disk, at);
            mag_add(arb_radref(acb_realref(disk)), arb_radref(acb_realref(disk)), r);
            env.values = disk;
            real = cc_x_enclose(g, rest, F, &env, c->prec) && acb_is_real(rest);
            env.values = at;
        }
        slong known = 0;
        for (; ok && known < n; known++) {
            if (known) D = cc_x_diff(g, D, s);
            if (!D || D->size > 300 || !cc_x_enclose(g, coefficient + known, D, &env, c->prec)) break;
            if (real) arb_zero(acb_imagref(coefficient + known));
            for (slong i = 2; i <= known; i++) acb_div_si(coefficient + known, coefficient + known, i, c->prec);
        }
        ok = ok && known >= 1 && g->err->code == CC_OK;
        // a radius R > r on which F is analytic, the larger the better
        bool found = u.n == 0;
        for (slong i = 0; ok && !found && i < 6; i++) {
            arb_t R, gap;
            arb_init(R);
            arb_init(gap);
            if (i < 3) { // r + 2, r + 1/2, r + 1/8, 8*r, 4*r, 2*r
                mag_set_ui_2exp_si(M, 1, 1 - 2 * i);
                mag_add(M, M, r);
            } else {
                mag_mul_2exp_si(M, r, 6 - i);
            }
            acb_set(disk, at);
            mag_add(arb_radref(acb_realref(disk)), arb_radref(acb_realref(disk)), M);
            mag_add(arb_radref(acb_imagref(disk)), arb_radref(acb_imagref(disk)), M);
            env.values = disk;
            if (cc_int_regular(g, F, s, &env, c->prec, false) && cc_x_enclose(g, rest, F, &env, c->prec) && acb_is_finite(rest)) {
                arb_set_interval_mag(R, M, M, c->prec); // not more than what was added
                arb_set_interval_mag(gap, r, r, c->prec);
                arb_sub(gap, R, gap, c->prec);
                arb_pow_ui(R, R, (ulong)known - 1, c->prec);
                arb_mul(gap, gap, R, c->prec);
                acb_get_mag(M, rest);
                arb_set_interval_mag(R, M, M, c->prec);
                arb_div(R, R, gap, c->prec);
                arb_get_mag(M, R);
                found = arb_is_positive(gap) && arb_is_finite(R);
            }
            arb_clear(R);
            arb_clear(gap);
        }
        ok = ok && found;
        acb_zero(rest);
        if (ok && u.n) {
            mag_set(arb_radref(acb_realref(rest)), M);
            if (!real) mag_set(arb_radref(acb_imagref(rest)), M);
        }
        ok = ok && compose(c, out, &u, coefficient, known, rest, constant);
    }
    _acb_vec_clear(coefficient, n);
    cc_germ_clear(&u);
    acb_clear(at);
    acb_clear(disk);
    acb_clear(all);
    acb_clear(rest);
    mag_clear(r);
    mag_clear(M);
    return ok;
}
