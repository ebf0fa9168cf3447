// Complex Calcium numbers → pairs of exact reals in a readable form: exp(I) comes back as cos(1) + I*sin(1). Called for results of
// matrices and when a number is to be decided. Real numbers are read by readback.c. What has no readable form is left unread, and
// every form that does come back is checked against an enclosure.
#include "math/value.h"

#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_q.h>
#include <flint/qqbar.h>

enum { MAX_TERMS = 40, MAX_GENERATORS = 12, MAX_DEPTH = 8, MAX_DEGREE = 32, MAX_POWER = 64 };

static int read_number(cc_calc *c, ca_srcptr x, int depth, cc_val *out);

static int read_qqbar(cc_calc *c, const qqbar_t q, cc_val *out) {
    ca_ctx_struct *ctx = c->r.ca[CC_CA_DIRECT];
    if (qqbar_degree(q) > MAX_DEGREE) return -1;
    qqbar_t part;
    ca_t t;
    qqbar_init(part);
    ca_init(t, ctx);
    cc_real *half[2];
    for (int i = 0; i < 2; i++) {
        if (i)
            qqbar_im(part, q);
        else
            qqbar_re(part, q);
        ca_set_qqbar(t, part, ctx);
        half[i] = cc_real_read(&c->r, t);
        if (!half[i]) break;
    }
    qqbar_clear(part);
    ca_clear(t, ctx);
    return half[0] && half[1] ? cc_val_pair(c, out, half[0], half[1]) : -1;
}

static int read_extension(cc_calc *c, ca_ext_struct *e, int depth, cc_val *out) {
    if (CA_EXT_IS_QQBAR(e)) return read_qqbar(c, CA_EXT_QQBAR(e), out);
    slong n = CA_EXT_FUNC_NARGS(e);
    cc_val a, b;
    if (n > 0 && read_number(c, CA_EXT_FUNC_ARGS(e), depth + 1, &a)) return -1;
    if (n > 1 && read_number(c, CA_EXT_FUNC_ARGS(e) + 1, depth + 1, &b)) return -1;
    switch (CA_EXT_HEAD(e)) {
    case CA_Pi: return cc_val_real(out, cc_real_const(&c->r, CC_R_PI));
    case CA_Euler: return cc_val_real(out, cc_real_const(&c->r, CC_R_EULER));
    case CA_Sqrt: return cc_val_sqrt(c, &a, out);
    case CA_Exp: return cc_val_exp(c, &a, out);
    case CA_Log: return cc_val_log(c, &a, out);
    case CA_Pow: return cc_val_pow(c, &a, &b, out);
    case CA_Sin: return cc_val_elementary(c, CC_R_SIN, &a, out);
    case CA_Cos: return cc_val_elementary(c, CC_R_COS, &a, out);
    case CA_Tan: return cc_val_elementary(c, CC_R_TAN, &a, out);
    default: return -1;
    }
}

static int read_poly(cc_calc *c, const fmpz_mpoly_t p, const cc_val *gens, slong n, const fmpz_mpoly_ctx_t m, cc_val *out) {
    slong terms = fmpz_mpoly_length(p, m), exp[MAX_GENERATORS];
    if (terms > MAX_TERMS || cc_val_real(out, cc_real_si(&c->r, 0))) return -1;
    for (slong i = 0; i < terms; i++) {
        fmpz_t k;
        cc_val t;
        if (!fmpz_mpoly_term_exp_fits_si(p, i, m)) return -1;
        fmpz_init(k);
        fmpz_mpoly_get_term_coeff_fmpz(k, p, i, m);
        int rc = cc_val_real(&t, cc_real_fmpz(&c->r, k));
        fmpz_clear(k);
        fmpz_mpoly_get_term_exp_si(exp, p, i, m);
        for (slong j = 0; j < n && !rc; j++) {
            if (exp[j] > MAX_POWER) rc = -1;
            for (slong e = 0; e < exp[j] && !rc; e++) rc = cc_val_mul(c, &t, &gens[j], &t);
        }
        if (rc || cc_val_add(c, out, &t, out)) return -1;
    }
    return 0;
}

// An irrational number that is a rational one in disguise (cos(1)**2 + sin(1)**2) is made one.
static void settle(cc_calc *c, cc_val *v) {
    cc_val_settle(c, v);
    cc_real_find_rat(&c->r, v->re);
    if (v->im) cc_real_find_rat(&c->r, v->im);
}

static int read_number(cc_calc *c, ca_srcptr x, int depth, cc_val *out) {
    ca_ctx_struct *ctx = c->r.ca[CC_CA_DIRECT];
    if (depth > MAX_DEPTH || CA_IS_SPECIAL(x)) return -1;
    if (CA_IS_QQ(x, ctx)) return cc_val_real(out, cc_real_fmpq(&c->r, CA_FMPQ(x)));
    if (ca_check_is_real(x, ctx) == T_TRUE) {
        cc_real *re = cc_real_read(&c->r, x);
        if (re) return cc_val_real(out, re);
    }
    if (CA_FIELD_IS_NF(CA_FIELD(x, ctx))) {
        qqbar_t q;
        qqbar_init(q);
        int rc = ca_get_qqbar(q, x, ctx) ? read_qqbar(c, q, out) : -1;
        qqbar_clear(q);
        return rc;
    }
    ca_field_srcptr k = CA_FIELD(x, ctx);
    slong n = CA_FIELD_LENGTH(k);
    cc_val gens[MAX_GENERATORS], num, den;
    if (n > MAX_GENERATORS) return -1;
    for (slong i = 0; i < n; i++)
        if (read_extension(c, CA_FIELD_EXT_ELEM(k, i), depth, &gens[i])) return -1;
    const fmpz_mpoly_ctx_struct *m = CA_FIELD_MCTX(k, ctx);
    if (read_poly(c, fmpz_mpoly_q_numref(CA_MPOLY_Q(x)), gens, n, m, &num) ||
        read_poly(c, fmpz_mpoly_q_denref(CA_MPOLY_Q(x)), gens, n, m, &den))
        return -1;
    settle(c, &num);
    settle(c, &den);
    return cc_val_div(c, &num, &den, out);
}

int cc_val_read(cc_calc *c, ca_srcptr x, cc_val *out) {
    ca_ctx_struct *ctx = c->r.ca[CC_CA_DIRECT];
    cc_error saved = *c->err;
    ca_t copy; // reading makes numbers that are looked up in Calcium, so it works on a copy of its own
    ca_init(copy, ctx);
    ca_set(copy, x, ctx);
    int rc = read_number(c, copy, 0, out);
    if (!rc) settle(c, out);
    if (!rc) {
        acb_t ball;
        acb_init(ball);
        ca_get_acb(ball, copy, 256, ctx);
        if (!arb_overlaps(acb_realref(ball), cc_real_ball(&c->r, out->re, 256))) rc = -1;
        if (out->im ? !arb_overlaps(acb_imagref(ball), cc_real_ball(&c->r, out->im, 256)) : !arb_contains_zero(acb_imagref(ball))) rc = -1;
        acb_clear(ball);
    }
    ca_clear(copy, ctx);
    *c->err = saved; // a number without readable form is no error
    return rc;
}

int cc_val_read_algebraic(cc_calc *c, const qqbar_t x, cc_val *out) {
    ca_ctx_struct *ctx = cc_real_context(&c->r);
    ca_t t;
    ca_init(t, ctx);
    ca_set_qqbar(t, x, ctx);
    int rc = cc_val_read(c, t, out);
    ca_clear(t, ctx);
    return rc;
}
