// Germs: bounds of expressions up to an end of an integral, as sums of powers of t and of log(1/t) with balls as coefficients (germ.h).
// Called by ends.c. Every step is an inclusion for all t of (0, 2**-m], so that what is summed up at the end is a proof; what has no such
// form is refused. Sums are kept short by taking their least terms into the last one that is kept.
#include "math/integrate/germ.h"

#include <flint/arb_hypgeom.h>

enum { MOST_PART = 1 << 20, MOST_ORDER = 48 };

// ---- exponents ----

bool cc_germ_fraction(cc_fraction *out, slong p, slong q) {
    if (q < 0) p = -p, q = -q;
    if (q == 0) return false;
    slong d = (slong)n_gcd((ulong)(p < 0 ? -p : p), (ulong)q);
    *out = (cc_fraction){p / d, q / d};
    return out->p <= MOST_PART && out->p >= -MOST_PART && out->q <= MOST_PART;
}
static bool plus(cc_fraction *out, cc_fraction x, cc_fraction y) { return cc_germ_fraction(out, x.p * y.q + y.p * x.q, x.q * y.q); }
bool cc_germ_times(cc_fraction *out, cc_fraction x, cc_fraction y) { return cc_germ_fraction(out, x.p * y.p, x.q * y.q); }
static cc_fraction minus(cc_fraction x) { return (cc_fraction){-x.p, x.q}; }
static int compare(cc_fraction x, cc_fraction y) {
    slong d = x.p * y.q - y.p * x.q;
    return (d > 0) - (d < 0);
}
// The smaller order comes first: t**a*log**k with the smaller a, then with the greater k.
static int order(const cc_germ_term *x, const cc_germ_term *y) {
    int d = compare(x->a, y->a);
    return d ? d : compare(y->k, x->k);
}
// Against 1: -1 without bound, 0: it is 1, 1: it vanishes.
int cc_germ_size_of(const cc_germ_term *x) { return x->a.p ? (x->a.p > 0) - (x->a.p < 0) : (x->k.p < 0) - (x->k.p > 0); }

// ---- balls ----

void cc_germ_up_to(arb_t out, const mag_t m) { // [0, m]
    arf_t high;
    arf_init(high);
    arf_set_mag(high, m);
    arb_set_arf(out, high);
    arb_mul_2exp_si(out, out, -1);
    arb_add_error(out, out);
    arf_clear(high);
}

static void power_of_log(const cc_near *c, arb_t out, cc_fraction k) {
    arb_t e;
    arb_init(e);
    arb_set_si(e, k.p);
    arb_div_si(e, e, k.q, 40);
    arb_pow(out, c->log, e, 40);
    arb_clear(e);
}

// The range of t**a*log(1/t)**k, which has a bound.
static void range(const cc_near *c, arb_t out, cc_fraction a, cc_fraction k) {
    arb_t x, y;
    mag_t bound;
    if (!a.p && !k.p) {
        arb_one(out);
        return;
    }
    arb_init(x);
    arb_init(y);
    mag_init(bound);
    arb_one(x);
    slong shift = -(c->m * a.p / a.q); // t**a <= 2**shift
    if (k.p) {
        arb_set_si(y, k.p * a.q);
        if (a.p) arb_div_si(y, y, k.q * a.p, 40);
        if (k.p > 0 && !arb_ge(c->log, y)) { // largest at log = k/a: (k/a)**k*exp(-k)
            arb_set_si(x, k.p);
            arb_div_si(x, x, k.q, 40);
            arb_pow(y, y, x, 40);
            arb_neg(x, x);
            arb_exp(x, x, 40);
            arb_mul(x, x, y, 40);
            shift = 0;
        } else {
            power_of_log(c, x, k);
        }
    }
    arb_get_mag(bound, x);
    mag_mul_2exp_si(bound, bound, shift);
    cc_germ_up_to(out, bound);
    arb_clear(x);
    arb_clear(y);
    mag_clear(bound);
}

bool cc_germ_term_is_real(const cc_germ_term *x) { return arb_is_zero(acb_imagref(x->c)); }
bool cc_germ_terms_are_real(const cc_germ_term *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!cc_germ_term_is_real(x + i)) return false;
    return true;
}

// ---- sums ----

static void init_terms(cc_germ_term *x, size_t n) {
    for (size_t i = 0; i < n; i++) acb_init(x[i].c);
}
static void clear_terms(cc_germ_term *x, size_t n) {
    for (size_t i = 0; i < n; i++) acb_clear(x[i].c);
}

void cc_germ_init(cc_germ *x) {
    init_terms(x->t, CC_GERM_TERMS);
    init_terms(x->e, CC_GERM_EXPONENT);
    x->n = x->ne = 0;
}

void cc_germ_clear(cc_germ *x) {
    clear_terms(x->t, CC_GERM_TERMS);
    clear_terms(x->e, CC_GERM_EXPONENT);
}

void cc_germ_set_term(cc_germ_term *out, const cc_germ_term *x) {
    acb_set(out->c, x->c);
    out->a = x->a;
    out->k = x->k;
    out->constant = x->constant;
}

void cc_germ_set(cc_germ *out, const cc_germ *x) {
    if (out == x) return;
    out->n = x->n;
    out->ne = x->ne;
    for (size_t i = 0; i < x->n; i++) cc_germ_set_term(out->t + i, x->t + i);
    for (size_t i = 0; i < x->ne; i++) cc_germ_set_term(out->e + i, x->e + i);
}

void cc_germ_set_one(cc_germ *out, bool constant) {
    out->n = 1;
    out->ne = 0;
    acb_one(out->t[0].c);
    out->t[0].a = out->t[0].k = (cc_fraction){0, 1};
    out->t[0].constant = constant;
}

// x joins `into`, which is of no greater order: into += x/(t**a*log**k of into).
static bool fold(const cc_near *c, cc_germ_term *into, const cc_germ_term *x) {
    cc_fraction a, k;
    if (!plus(&a, x->a, minus(into->a)) || !plus(&k, x->k, minus(into->k))) return false;
    acb_t y;
    arb_t r;
    acb_init(y);
    arb_init(r);
    range(c, r, a, k);
    acb_mul_arb(y, x->c, r, c->prec);
    acb_add(into->c, into->c, y, c->prec);
    into->constant = false;
    acb_clear(y);
    arb_clear(r);
    return true;
}

// A term more, in its place.
bool cc_germ_push(const cc_near *c, cc_germ_term *list, size_t *n, size_t room, const cc_germ_term *x) {
    if (acb_is_zero(x->c)) return true;
    size_t i = 0;
    for (; i < *n; i++) {
        int d = order(x, list + i);
        if (d == 0) {
            acb_add(list[i].c, list[i].c, x->c, c->prec);
            list[i].constant = list[i].constant && x->constant;
            if (acb_is_zero(list[i].c)) {
                for (size_t k = i; k + 1 < *n; k++) cc_germ_set_term(list + k, list + k + 1);
                --*n;
            }
            return true;
        }
        if (d < 0) break;
    }
    if (*n == room) {
        if (room == CC_GERM_EXPONENT) return false;
        if (i == *n) return fold(c, list + *n - 1, x);
        if (!fold(c, list + *n - 2, list + *n - 1)) return false;
        --*n;
        if (i > *n) i = *n;
    }
    for (size_t k = (*n)++; k > i; k--) cc_germ_set_term(list + k, list + k - 1);
    cc_germ_set_term(list + i, x);
    return true;
}

static bool push_scaled(const cc_near *c, cc_germ *out, const cc_germ_term *x, const cc_germ_term *by) {
    cc_germ_term p;
    acb_init(p.c);
    acb_mul(p.c, x->c, by->c, c->prec);
    p.constant = x->constant && by->constant;
    bool ok = plus(&p.a, x->a, by->a) && plus(&p.k, x->k, by->k) && cc_germ_push(c, out->t, &out->n, CC_GERM_TERMS, &p);
    acb_clear(p.c);
    return ok;
}

// out = x*y without exponents.
bool cc_germ_multiply_terms(const cc_near *c, cc_germ *out, const cc_germ *x, const cc_germ *y) {
    cc_germ p;
    cc_germ_init(&p);
    bool ok = true;
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; ok && k < y->n; k++) ok = push_scaled(c, &p, x->t + i, y->t + k);
    out->n = p.n;
    for (size_t i = 0; i < p.n; i++) cc_germ_set_term(out->t + i, p.t + i);
    cc_germ_clear(&p);
    return ok;
}

// list += sign * other
bool cc_germ_add_exponent(const cc_near *c, cc_germ_term *list, size_t *n, const cc_germ_term *other, size_t m, int sign) {
    cc_germ_term p;
    acb_init(p.c);
    bool ok = true;
    for (size_t i = 0; ok && i < m; i++) {
        cc_germ_set_term(&p, other + i);
        if (sign < 0) acb_neg(p.c, p.c);
        // the difference of two ranges is no zero
        ok = cc_germ_push(c, list, n, CC_GERM_EXPONENT, &p);
    }
    acb_clear(p.c);
    return ok;
}

bool cc_germ_multiply(const cc_near *c, cc_germ *out, const cc_germ *x, const cc_germ *y) {
    cc_germ p;
    cc_germ_init(&p);
    bool ok = cc_germ_multiply_terms(c, &p, x, y) && cc_germ_add_exponent(c, p.e, &p.ne, x->e, x->ne, 1) &&
              cc_germ_add_exponent(c, p.e, &p.ne, y->e, y->ne, 1);
    cc_germ_set(out, &p);
    cc_germ_clear(&p);
    return ok;
}

// Lower bound of -Re(sum)/(t**a*log**k) of the leading term; not positive: the sum does not go to -oo, as far as is known.
static void fall(const cc_near *c, arb_t out, const cc_germ_term *e, size_t n) {
    arb_t r;
    arb_init(r);
    arb_zero(out);
    for (size_t i = 0; i < n; i++) {
        cc_fraction a, k;
        if (!plus(&a, e[i].a, minus(e[0].a)) || !plus(&k, e[i].k, minus(e[0].k))) {
            arb_indeterminate(out);
            break;
        }
        range(c, r, a, k);
        arb_submul(out, acb_realref(e[i].c), r, c->prec);
    }
    arf_t low;
    arf_init(low);
    arb_get_lbound_arf(low, out, c->prec);
    arb_set_arf(out, low);
    arf_clear(low);
    arb_clear(r);
}

// exp(e), which goes to zero, as one term: at most K*t**N with K*t**N its bound at the far end, since t*d(log)/dt >= N up to there.
static bool vanishing(const cc_near *c, cc_germ_term *out, const cc_germ_term *e, size_t n) {
    arb_t f, x, y;
    arb_init(f);
    arb_init(x);
    arb_init(y);
    fall(c, f, e, n);
    bool ok = arb_is_positive(f) && cc_germ_size_of(e) < 0 && e[0].k.p >= 0 && (e[0].a.p || compare(e[0].k, (cc_fraction){1, 1}) >= 0);
    if (ok) {
        // x: the exponent at the far end, f*2**(-m*a)*log**k; y: its rate
        arb_set_si(y, -c->m * e[0].a.p);
        arb_div_si(y, y, e[0].a.q, c->prec);
        arb_set_ui(x, 2);
        arb_pow(x, x, y, c->prec);
        power_of_log(c, y, e[0].k);
        arb_mul(x, x, y, c->prec);
        arb_mul(x, x, f, c->prec);
        if (e[0].a.p) {
            arb_mul_si(y, x, -e[0].a.p, c->prec);
            arb_div_si(y, y, e[0].a.q, c->prec);
        } else {
            arb_mul_si(y, x, e[0].k.p, c->prec);
            arb_div_si(y, y, e[0].k.q, c->prec);
            arb_div(y, y, c->log, c->prec);
        }
        arf_t low;
        arf_init(low);
        arb_get_lbound_arf(low, y, c->prec);
        slong N = arf_cmp_si(low, MOST_ORDER) >= 0 ? MOST_ORDER : arf_sgn(low) <= 0 ? 0 : arf_get_si(low, ARF_RND_FLOOR);
        arf_clear(low);
        arb_neg(x, x);
        arb_exp(x, x, c->prec);
        arb_mul_2exp_si(x, x, c->m * N);
        mag_t bound;
        mag_init(bound);
        arb_get_mag(bound, x);
        acb_zero(out->c);
        if (cc_germ_terms_are_real(e, n)) {
            cc_germ_up_to(acb_realref(out->c), bound);
        } else {
            mag_set(arb_radref(acb_realref(out->c)), bound);
            mag_set(arb_radref(acb_imagref(out->c)), bound);
        }
        mag_clear(bound);
        out->a = (cc_fraction){N, 1};
        out->k = (cc_fraction){0, 1};
        out->constant = false;
    }
    arb_clear(f);
    arb_clear(x);
    arb_clear(y);
    return ok;
}

// x without an exponent, when it goes to -oo.
bool cc_germ_flatten(const cc_near *c, cc_germ *x) {
    if (!x->ne) return true;
    cc_germ v;
    cc_germ_init(&v);
    v.n = 1;
    bool ok = vanishing(c, v.t, x->e, x->ne) && cc_germ_multiply_terms(c, x, x, &v);
    x->ne = 0;
    cc_germ_clear(&v);
    return ok;
}

// acc += x
bool cc_germ_add(const cc_near *c, cc_germ *acc, const cc_germ *x) {
    cc_germ y;
    cc_germ_init(&y);
    cc_germ_set(&y, x);
    bool ok = true;
    if (!acc->n) {
        cc_germ_set(acc, x);
    } else if (x->n) {
        cc_germ d; // exp(exponent of x - exponent of acc)
        cc_germ_init(&d);
        ok = cc_germ_add_exponent(c, d.e, &d.ne, x->e, x->ne, 1) && cc_germ_add_exponent(c, d.e, &d.ne, acc->e, acc->ne, -1);
        if (ok && d.ne) {
            d.n = 1;
            if (vanishing(c, d.t, d.e, d.ne)) {
                ok = cc_germ_multiply_terms(c, &y, &y, &d);
            } else {
                for (size_t i = 0; i < d.ne; i++) acb_neg(d.e[i].c, d.e[i].c);
                ok = vanishing(c, d.t, d.e, d.ne) && cc_germ_multiply_terms(c, acc, acc, &d);
                acc->ne = 0;
                ok = ok && cc_germ_add_exponent(c, acc->e, &acc->ne, x->e, x->ne, 1);
            }
        }
        for (size_t i = 0; ok && i < y.n; i++) ok = cc_germ_push(c, acc->t, &acc->n, CC_GERM_TERMS, y.t + i);
        cc_germ_clear(&d);
    }
    cc_germ_clear(&y);
    return ok;
}

// ---- parts ----

// The range of the terms from the first on that vanishes.
void cc_germ_range_of(const cc_near *c, acb_t out, const cc_germ_term *list, size_t n) {
    acb_t y;
    arb_t r;
    acb_init(y);
    arb_init(r);
    acb_zero(out);
    for (size_t i = 0; i < n; i++) {
        range(c, r, list[i].a, list[i].k);
        acb_mul_arb(y, list[i].c, r, c->prec);
        acb_add(out, out, y, c->prec);
    }
    acb_clear(y);
    arb_clear(r);
}

// x = lead * (1 + u) with u vanishing.
bool cc_germ_leading(const cc_near *c, const cc_germ *x, cc_germ_term *lead, cc_germ *u) {
    if (!x->n || acb_contains_zero(x->t[0].c)) return false;
    cc_germ_set_term(lead, x->t);
    cc_germ_term inverse;
    acb_init(inverse.c);
    acb_inv(inverse.c, lead->c, c->prec);
    inverse.a = minus(lead->a);
    inverse.k = minus(lead->k);
    inverse.constant = lead->constant;
    u->n = u->ne = 0;
    bool ok = acb_is_finite(inverse.c);
    for (size_t i = 1; ok && i < x->n; i++) ok = push_scaled(c, u, x->t + i, &inverse);
    acb_clear(inverse.c);
    return ok;
}

// The sign of x throughout, when it is real: 1, -1; 0: unknown.
int cc_germ_sign_of(const cc_near *c, const cc_germ *x) {
    cc_germ_term lead;
    cc_germ u;
    acb_t y;
    acb_init(lead.c);
    acb_init(y);
    cc_germ_init(&u);
    int sign = 0;
    if (cc_germ_terms_are_real(x->t, x->n) && cc_germ_terms_are_real(x->e, x->ne) && cc_germ_leading(c, x, &lead, &u)) {
        cc_germ_range_of(c, y, u.t, u.n);
        acb_add_ui(y, y, 1, c->prec);
        if (arb_is_positive(acb_realref(y))) sign = arb_is_positive(acb_realref(lead.c)) ? 1 : -1;
    }
    acb_clear(lead.c);
    acb_clear(y);
    cc_germ_clear(&u);
    return sign;
}

// ---- integration ----

// The integral of t**a*log(1/t)**k: with s = a + 1 > 0, Gamma(k + 1, s*log(2**m))/s**(k + 1).
static bool integral_of_term(const cc_near *c, arb_t out, cc_fraction a, cc_fraction k) {
    arb_t s, next, x;
    arb_init(s);
    arb_init(next);
    arb_init(x);
    arb_set_si(s, a.p + a.q);
    arb_div_si(s, s, a.q, c->prec);
    arb_set_si(next, k.p + k.q);
    arb_div_si(next, next, k.q, c->prec);
    bool ok = true;
    if (arb_is_positive(s)) {
        arb_mul(x, s, c->log, c->prec);
        arb_hypgeom_gamma_upper(out, next, x, 0, c->prec);
        arb_pow(x, s, next, c->prec);
        arb_div(out, out, x, c->prec);
    } else if (arb_is_zero(s) && arb_is_negative(next)) { // log**(k + 1)/-(k + 1)
        arb_pow(out, c->log, next, c->prec);
        arb_div(out, out, next, c->prec);
        arb_neg(out, out);
    } else {
        ok = false;
    }
    arb_clear(s);
    arb_clear(next);
    arb_clear(x);
    return ok && arb_is_finite(out);
}

cc_truth cc_germ_integral(acb_t out, int *sign, const cc_germ *x, slong shift, slong m, slong prec) {
    cc_near c = {.m = m, .prec = prec};
    cc_germ y;
    arb_t part;
    arb_init(c.log);
    arb_init(part);
    cc_germ_init(&y);
    arb_const_log2(c.log, prec);
    arb_mul_si(c.log, c.log, m, prec);
    cc_germ_set(&y, x);
    cc_truth result = CC_TRUE;
    acb_zero(out);
    if (!cc_germ_flatten(&c, &y)) { // the exponent goes to oo, or its way is not known
        cc_germ_set(&y, x);
        for (size_t i = 0; i < y.ne; i++) acb_neg(y.e[i].c, y.e[i].c);
        *sign = cc_germ_terms_are_real(y.e, y.ne) ? cc_germ_sign_of(&c, x) : 0;
        cc_germ_term down;
        acb_init(down.c);
        result = *sign && y.e[0].a.p < 0 && vanishing(&c, &down, y.e, y.ne) ? CC_FALSE : CC_UNDECIDED;
        acb_clear(down.c);
    }
    cc_fraction by = {shift, 1};
    for (size_t i = 0; result == CC_TRUE && i < y.n; i++) {
        cc_fraction a;
        if (!plus(&a, y.t[i].a, by)) {
            result = CC_UNDECIDED;
        } else if (integral_of_term(&c, part, a, y.t[i].k)) {
            acb_addmul_arb(out, y.t[i].c, part, prec);
        } else {
            *sign = i == 0 && a.p + a.q <= 0 && (a.p + a.q < 0 || y.t[0].k.p + y.t[0].k.q >= 0) ? cc_germ_sign_of(&c, &y) : 0;
            result = *sign ? CC_FALSE : CC_UNDECIDED;
        }
    }
    arb_clear(c.log);
    arb_clear(part);
    cc_germ_clear(&y);
    return result == CC_TRUE && !acb_is_finite(out) ? CC_UNDECIDED : result;
}
