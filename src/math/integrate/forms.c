// Definite integrals of well-known kinds, over the line, the half line and (0, 1): rational functions times sines and cosines by residues;
// powers of the variable (and of its logarithm) times a kernel whose Mellin transform is known. Called by definite.c and
// definite_symbols.c, which compare what comes from here with quadrature: a form is never the answer by itself.
#include "math/integrate/definite.h"

enum { MAX_LOG_POWER = 4 };

static void require(cc_int_form *out, cc_xp condition) {
    if (out->n < CC_INT_FORM_CONDITIONS && condition) out->conditions[out->n++] = condition;
}

// x > 0, as s > number where it is that.
static cc_xp positive(cc_alg *g, cc_xp x) {
    cc_xp n = g->zero;
    x = cc_x_expand(g, x);
    if (x && x->kind == CC_X_ADD && cc_x_is_num(x->args[0])) {
        n = cc_x_neg(g, x->args[0]);
        x = cc_x_add(g, x, n);
    }
    return cc_int_minus(x) ? cc_x_rel(g, CC_REL_LT, cc_x_neg(g, x), cc_x_neg(g, n)) : cc_x_rel(g, CC_REL_LT, n, x);
}

// x != 0, as s != number where it is that.
static cc_xp not_zero(cc_alg *g, cc_xp x) {
    cc_xp n = x && x->kind == CC_X_ADD && cc_x_is_num(x->args[0]) ? cc_x_neg(g, x->args[0]) : g->zero;
    return cc_x_rel(g, CC_REL_NE, cc_x_add(g, x, n), n);
}

// ---- residues ----

// The integral over the line of R*exp(I*k*v), k of a known sign: 2*pi*I times the residues on that side, half of those of simple poles on
// the line itself (where the whole integrand must be bounded).
static cc_xp by_residues(cc_alg *g, const cc_poles *p, cc_xp k, int side, bool *on_line) {
    cc_xp sum = g->zero;
    for (size_t i = 0; i < p->n; i++) {
        cc_xp r = p->at[i].root, im = cc_x_f1(g, CC_F_IM, r), ik = cc_x_mul(g, g->i, k);
        int sign = im ? cc_x_sign(g, im) : 2;
        if (sign == 2 || (sign == 0 && p->at[i].order != 1)) return NULL;
        if (sign == -side) continue;
        if (sign == 0) *on_line = true;
        cc_xp factorial = cc_x_f1(g, CC_F_FACTORIAL, cc_x_int(g, p->at[i].order - 1));
        cc_xp residue = CC_PROD(g, p->at[i].coefficient, cc_x_powi(g, ik, p->at[i].order - 1), cc_x_pow(g, factorial, g->minus_one),
                                cc_x_exp(g, cc_x_expand(g, cc_x_mul(g, ik, r))));
        sum = cc_x_add(g, sum, sign ? cc_x_mul(g, g->two, residue) : residue);
    }
    return CC_PROD(g, cc_x_int(g, side), g->pi, g->i, sum);
}

static bool fourier(cc_alg *g, cc_int_form *out, cc_xp f, cc_xp v, bool half) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    cc_xp wave = NULL, phase, k;
    for (size_t i = 0; i < n; i++)
        if (cc_x_is_fun(factors[i], CC_F_SIN) || cc_x_is_fun(factors[i], CC_F_COS)) wave = factors[i];
    if (!wave || !cc_int_linear(g, wave->args[0], v, &phase, &k)) return false;
    int side = cc_x_sign(g, k);
    if (side != 1 && side != -1) return false;
    if (half) { // of an even function
        cc_xp mirrored = cc_x_subs(g, f, v, cc_x_neg(g, v));
        if (cc_x_is_zero(g, cc_x_sub(g, f, mirrored)) != CC_TRUE) return false;
    }
    cc_poles *p = cc_arena_alloc(g->arena, sizeof *p);
    if (!cc_int_poles(g, cc_x_div(g, f, wave), v, p) || p->degree >= 0) return false;
    bool on_line = false;
    cc_xp plus = by_residues(g, p, k, side, &on_line), minus = by_residues(g, p, cc_x_neg(g, k), -side, &on_line),
          turn = cc_x_exp(g, cc_x_mul(g, g->i, phase));
    out->proven = !on_line;
    if (!plus || !minus) return false;
    plus = cc_x_mul(g, plus, turn);
    minus = cc_x_div(g, minus, turn);
    bool sine = wave->fn == CC_F_SIN;
    cc_xp value = sine ? cc_x_div(g, cc_x_sub(g, plus, minus), cc_x_mul(g, g->two, g->i)) : cc_x_mul(g, g->half, cc_x_add(g, plus, minus));
    if (half) value = cc_x_mul(g, g->half, value);
    out->value = cc_x_is_constant(value) ? cc_x_constant_simplify(g, value) : cc_x_simplify(g, value);
    return out->value && out->value->finite;
}

// ---- Mellin transforms ----

typedef struct mellin {
    cc_xp s; // the integrand is v**(s - 1) times the kernel
    slong logs;
    cc_xp constant, kernel;
} mellin;

static bool take_apart(cc_alg *g, mellin *m, cc_xp f, cc_xp v) {
    size_t n;
    const cc_xp *factors = cc_x_factors(&f, &n);
    *m = (mellin){.s = g->one, .constant = g->one};
    for (size_t i = 0; i < n; i++) {
        cc_xp base, e;
        slong k;
        cc_x_split_power(g, factors[i], &base, &e);
        if (!base || !e) return false;
        if (cc_int_free(factors[i], v)) {
            m->constant = cc_x_mul(g, m->constant, factors[i]);
        } else if (base == v && cc_int_free(e, v)) {
            m->s = cc_x_add(g, m->s, e);
        } else if (cc_x_is_fun(base, CC_F_LOG) && base->args[0] == v && cc_x_fits_si(e, &k) && k > 0 && k <= MAX_LOG_POWER) {
            m->logs += k;
        } else if (!m->kernel) {
            m->kernel = factors[i];
        } else {
            return false;
        }
    }
    return true;
}

// x = a*v**q.
static bool power(cc_alg *g, cc_xp x, cc_xp v, cc_xp *a, cc_xp *q) {
    cc_xp with, base;
    cc_x_separate_mul(g, x, v, &with, a);
    if (!with) return false;
    cc_x_split_power(g, with, &base, q);
    return base == v && cc_int_free(*q, v);
}

// The transform of exp(-a*v**q - b*v**-q), or with b = 0 that of exp(-a*v**q).
static cc_xp of_exponential(cc_alg *g, cc_int_form *out, cc_xp exponent, cc_xp v, cc_xp s, cc_xp S) {
    size_t n;
    cc_xp a, q, b, p;
    const cc_xp *terms = cc_x_terms(&exponent, &n);
    if (n > 2 || !power(g, terms[0], v, &a, &q)) return NULL;
    if (n == 2 && (!power(g, terms[1], v, &b, &p) || cc_x_add(g, p, q) != g->zero)) return NULL;
    if (n == 2 && cc_x_sign(g, q) == -1) {
        cc_xp t = a;
        a = b, b = t;
        q = p;
    }
    a = cc_x_neg(g, a);
    if (cc_x_sign(g, a) != 1 || cc_x_sign(g, q) != 1) return NULL;
    cc_xp r = cc_x_div(g, S, q);
    if (n == 1) {
        require(out, positive(g, s));
        return cc_x_div(g, cc_x_mul(g, cc_x_f1(g, CC_F_GAMMA, r), cc_x_pow(g, a, cc_x_neg(g, r))), q);
    }
    b = cc_x_neg(g, b);
    if (cc_x_sign(g, b) != 1) return NULL;
    cc_xp root = cc_x_mul(g, cc_x_sqrt(g, a), cc_x_sqrt(g, b)), z = cc_x_mul(g, g->two, root), order = cc_x_div(g, s, q), K;
    if (S == s && (order == g->half || order == cc_x_neg(g, g->half)))
        K = cc_x_mul(g, cc_x_sqrt(g, cc_x_div(g, g->pi, cc_x_mul(g, g->two, z))), cc_x_exp(g, cc_x_neg(g, z)));
    else
        K = cc_x_f2(g, CC_F_BESSELK, r, z);
    return CC_PROD(g, g->two, cc_x_pow(g, q, g->minus_one), cc_x_pow(g, cc_x_div(g, b, a), cc_x_mul(g, g->half, r)), K);
}

// That of (A + B*v**q)**-r.
static cc_xp of_binomial(cc_alg *g, cc_int_form *out, cc_xp base, cc_xp r, cc_xp v, cc_xp s, cc_xp S) {
    cc_xp with, A, B, q;
    cc_x_separate_add(g, base, v, &with, &A);
    if (!with || with->kind == CC_X_ADD || !power(g, with, v, &B, &q)) return NULL;
    if (cc_x_sign(g, A) != 1 || cc_x_sign(g, B) != 1 || cc_x_sign(g, q) != 1) return NULL;
    cc_xp t = cc_x_div(g, S, q), rest = cc_x_sub(g, r, t), product;
    require(out, positive(g, s));
    require(out, positive(g, cc_x_sub(g, cc_x_mul(g, q, r), s)));
    if (r == g->one)
        product = cc_x_div(g, g->pi, cc_x_f1(g, CC_F_SIN, cc_x_mul(g, g->pi, t)));
    else
        product = cc_x_div(g, cc_x_mul(g, cc_x_f1(g, CC_F_GAMMA, t), cc_x_f1(g, CC_F_GAMMA, rest)), cc_x_f1(g, CC_F_GAMMA, r));
    return CC_PROD(g, cc_x_pow(g, A, cc_x_neg(g, rest)), cc_x_pow(g, B, cc_x_neg(g, t)), product, cc_x_pow(g, q, g->minus_one));
}

// That of 1/(exp(c*v) -+ 1).
static cc_xp of_bose(cc_alg *g, cc_int_form *out, cc_xp base, cc_xp v, cc_xp s, cc_xp S) {
    cc_xp with, one, b, e, zero, c;
    cc_x_separate_add(g, base, v, &with, &one);
    cc_x_split_power(g, with, &b, &e);
    if (b != g->e || !cc_int_linear(g, e, v, &zero, &c) || zero != g->zero || cc_x_sign(g, c) != 1) return NULL;
    cc_xp value = CC_PROD(g, cc_x_f1(g, CC_F_GAMMA, S), cc_x_f1(g, CC_F_ZETA, S), cc_x_pow(g, c, cc_x_neg(g, S)));
    if (one == g->minus_one) {
        require(out, positive(g, cc_x_sub(g, s, g->one)));
        return value;
    }
    if (one != g->one) return NULL;
    require(out, positive(g, s));
    require(out, not_zero(g, cc_x_sub(g, s, g->one)));
    return cc_x_mul(g, value, cc_x_sub(g, g->one, cc_x_pow(g, g->two, cc_x_sub(g, g->one, S))));
}

static cc_xp transform(cc_alg *g, cc_int_form *out, const mellin *m, cc_xp v, cc_xp S) {
    cc_xp base, e, zero, c;
    if (!m->kernel) return NULL;
    cc_x_split_power(g, m->kernel, &base, &e);
    if (base == g->e) return of_exponential(g, out, e, v, m->s, S);
    if (cc_int_free(e, v) && base->kind == CC_X_ADD) {
        cc_xp x = cc_x_has_fn(base, CC_F_EXP) || e == g->minus_one ? of_bose(g, out, base, v, m->s, S) : NULL;
        return x ? x : of_binomial(g, out, base, cc_x_neg(g, e), v, m->s, S);
    }
    bool sine = cc_x_is_fun(m->kernel, CC_F_SIN);
    if ((sine || cc_x_is_fun(m->kernel, CC_F_COS)) && cc_int_linear(g, m->kernel->args[0], v, &zero, &c) && zero == g->zero &&
        cc_x_sign(g, c) == 1) {
        cc_xp angle = CC_PROD(g, g->half, g->pi, S);
        require(out, positive(g, sine ? cc_x_add(g, m->s, g->one) : m->s));
        require(out, positive(g, cc_x_sub(g, g->one, m->s)));
        if (sine) require(out, not_zero(g, m->s)); // the value is the limit there
        return CC_PROD(g, cc_x_f1(g, CC_F_GAMMA, S), cc_x_f1(g, sine ? CC_F_SIN : CC_F_COS, angle), cc_x_pow(g, c, cc_x_neg(g, S)));
    }
    return NULL;
}

// v**(s - 1)*(1 - v**q)**(r - 1) over (0, 1).
static cc_xp of_beta(cc_alg *g, cc_int_form *out, const mellin *m, cc_xp v, cc_xp S) {
    require(out, positive(g, m->s));
    if (!m->kernel) return cc_x_pow(g, S, g->minus_one);
    cc_xp base, e, a, q, with, one;
    cc_x_split_power(g, m->kernel, &base, &e);
    if (!cc_int_free(e, v) || base->kind != CC_X_ADD) return NULL;
    cc_x_separate_add(g, base, v, &with, &one);
    if (one != g->one || !with || with->kind == CC_X_ADD || !power(g, with, v, &a, &q) || a != g->minus_one || cc_x_sign(g, q) != 1)
        return NULL;
    cc_xp r = cc_x_add(g, e, g->one), t = cc_x_div(g, S, q);
    require(out, positive(g, r));
    cc_xp product = cc_x_mul(g, cc_x_f1(g, CC_F_GAMMA, t), cc_x_f1(g, CC_F_GAMMA, r));
    return cc_x_div(g, product, cc_x_mul(g, q, cc_x_f1(g, CC_F_GAMMA, cc_x_add(g, t, r))));
}

bool cc_int_known_form(cc_alg *g, cc_int_form *out, cc_xp f, cc_xp v, cc_xp a, cc_xp b) {
    *out = (cc_int_form){0};
    bool half = a == g->zero && b == g->oo, line = a == g->neg_oo && b == g->oo, unit = a == g->zero && b == g->one;
    if (!f || (!half && !line && !unit)) return false;
    if (!unit && fourier(g, out, f, v, half)) return true;
    mellin m;
    if (line || !take_apart(g, &m, f, v)) return false;
    cc_xp S = m.logs ? cc_x_dummy(g, "s", CC_IS_REAL) : m.s;
    cc_xp value = unit ? of_beta(g, out, &m, v, S) : transform(g, out, &m, v, S);
    if (value && m.logs) value = cc_x_subs(g, cc_x_diffn(g, value, S, (ulong)m.logs), S, m.s);
    out->value = cc_x_mul(g, m.constant, value);
    return out->value && out->value->finite && g->err->code == CC_OK;
}
