// Rational functions of symbols: from the tree of an entry, determinants, and the conditions under which a result holds. Called by
// ring.c and matrix.c. It owns nothing beyond a call. It takes no function of a symbol and no irrational coefficient: these are
// refused, naming what was met.
#include "math/ring.h"

#include <flint/fmpz_mpoly_factor.h>
#include <math.h>

enum {
    MAX_POWER = 200,
    MAX_DEGREE = 2000,
    MAX_MINOR = 12,      // 2^12 sub-determinants
    MAX_FACTORED = 400,  // terms of a polynomial that is factored for a condition
    MAX_CONDITION = 400, // bytes
    MAX_CONDITIONS = 40,
    MAX_WORK = 10000000, // products of terms in one determinant
};

static const fmpz_mpoly_struct *num(const fmpz_mpoly_q_struct *x) { return fmpz_mpoly_q_numref(x); }
static const fmpz_mpoly_struct *den(const fmpz_mpoly_q_struct *x) { return fmpz_mpoly_q_denref(x); }

// ---- reading ----

static bool has_symbol(const cc_ring *k, const cc_node *x) {
    if (x->kind == CC_NODE_NAME)
        for (slong i = 0; i < k->n_symbols; i++)
            if (cc_str_eq(k->symbols[i], x->text)) return true;
    for (size_t i = 0; i < x->n_args; i++)
        if (has_symbol(k, x->args[i])) return true;
    return false;
}

static int constant(cc_ring *k, const cc_node *x, fmpq_t out) {
    cc_val v;
    if (cc_calc_node(k->calc, x, &v)) return -1;
    if (v.kind == CC_V_NUMBER && !cc_val_settle(k->calc, &v) && !v.im && cc_real_find_rat(&k->calc->r, v.re)) {
        fmpq_set(out, v.re->q);
        return 0;
    }
    if (cc_ring_poll(k) || k->err->code) return -1;
    cc_error_set(k->err, CC_VALIDATION, "column %u: beside symbols only rational numbers are taken, and this is none", x->pos + 1);
    return cc_error_remedy(k->err, "write a symbol for the irrational or complex number and put its value in afterwards");
}

static int power(cc_ring *k, const cc_node *x, fmpz_mpoly_q_t base, fmpz_mpoly_q_t out) {
    fmpq_t q;
    fmpq_init(q);
    int rc = has_symbol(k, x->args[1]) ? cc_error_set(k->err, CC_VALIDATION, "column %u: an exponent with symbols is not taken", x->pos + 1)
                                       : constant(k, x->args[1], q);
    if (!rc && (!fmpz_is_one(fmpq_denref(q)) || fmpz_cmp_si(fmpq_numref(q), MAX_POWER) > 0 || fmpz_cmp_si(fmpq_numref(q), -MAX_POWER) < 0))
        rc = cc_error_set(k->err, CC_VALIDATION, "column %u: a power with symbols has an integer exponent of at most %d", x->pos + 1,
                          MAX_POWER);
    slong n = rc ? 0 : fmpz_get_si(fmpq_numref(q));
    fmpq_clear(q);
    if (rc) return -1;
    if (n < 0) {
        if (fmpz_mpoly_q_is_zero(base, k->m)) return cc_error_set(k->err, CC_VALIDATION, "column %u: division by zero", x->pos + 1);
        if (cc_symbolic_condition(k, num(base), &k->divisors)) return -1;
        fmpz_mpoly_q_inv(base, base, k->m);
        n = -n;
    }
    for (int half = 0; half < 2; half++) { // terms of a power of t terms: binomial(t + n - 1, n)
        double t = (double)fmpz_mpoly_length(half ? den(base) : num(base), k->m), e = (double)n;
        if (t > 1 && lgamma(t + e) - lgamma(t) - lgamma(e + 1) > log(CC_MATRIX_MAX_TERMS))
            return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "column %u: the power would have more than %d terms", x->pos + 1,
                                CC_MATRIX_MAX_TERMS);
    }
    if (!fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(out), num(base), (ulong)n, k->m) ||
        !fmpz_mpoly_pow_ui(fmpz_mpoly_q_denref(out), den(base), (ulong)n, k->m))
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "column %u: the power is too large", x->pos + 1);
    return 0;
}

static int combine(cc_ring *k, const cc_node *x, const fmpz_mpoly_q_t a, const fmpz_mpoly_q_t b, fmpz_mpoly_q_t out) {
    double la = (double)(fmpz_mpoly_length(num(a), k->m) + fmpz_mpoly_length(den(a), k->m));
    double lb = (double)(fmpz_mpoly_length(num(b), k->m) + fmpz_mpoly_length(den(b), k->m));
    if (la * lb > 1e6) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "column %u: the expression has too many terms", x->pos + 1);
    switch (x->op) {
    case CC_OP_ADD: fmpz_mpoly_q_add(out, a, b, k->m); return 0;
    case CC_OP_SUB: fmpz_mpoly_q_sub(out, a, b, k->m); return 0;
    case CC_OP_MUL: fmpz_mpoly_q_mul(out, a, b, k->m); return 0;
    case CC_OP_DIV:
        if (fmpz_mpoly_q_is_zero(b, k->m)) return cc_error_set(k->err, CC_VALIDATION, "column %u: division by zero", x->pos + 1);
        if (cc_symbolic_condition(k, num(b), &k->divisors)) return -1;
        fmpz_mpoly_q_div(out, a, b, k->m);
        return 0;
    default:
        return cc_error_set(k->err, CC_VALIDATION, "column %u: %s is not taken with symbols: use + - * / and integer powers", x->pos + 1,
                            cc_op_text(x->op));
    }
}

static int with_symbols(cc_ring *k, const cc_node *x, fmpz_mpoly_q_t out) {
    fmpz_mpoly_q_t a, b;
    int rc = -1;
    switch (x->kind) {
    case CC_NODE_NAME:
        for (slong i = 0; i < k->n_symbols; i++)
            if (cc_str_eq(k->symbols[i], x->text)) fmpz_mpoly_q_gen(out, i, k->m);
        return 0;
    case CC_NODE_UNARY:
    case CC_NODE_BINARY:
        if (x->kind == CC_NODE_UNARY && x->op != CC_OP_NEG && x->op != CC_OP_POS)
            return cc_error_set(k->err, CC_VALIDATION, "column %u: %s is not taken with symbols", x->pos + 1, cc_op_text(x->op));
        fmpz_mpoly_q_init(a, k->m);
        fmpz_mpoly_q_init(b, k->m);
        if (!cc_symbolic_read(k, x->args[0], a)) {
            if (x->kind == CC_NODE_UNARY) {
                if (x->op == CC_OP_NEG)
                    fmpz_mpoly_q_neg(out, a, k->m);
                else
                    fmpz_mpoly_q_set(out, a, k->m);
                rc = 0;
            } else if (x->op == CC_OP_POW) {
                rc = power(k, x, a, out);
            } else if (!cc_symbolic_read(k, x->args[1], b)) {
                rc = combine(k, x, a, b, out);
            }
        }
        fmpz_mpoly_q_clear(a, k->m);
        fmpz_mpoly_q_clear(b, k->m);
        break;
    case CC_NODE_CALL:
        return cc_error_set(k->err, CC_VALIDATION,
                            "column %u: %.*s() of a symbol is not taken: entries with symbols use + - * / and integer powers", x->pos + 1,
                            (int)(x->text.n < 40 ? x->text.n : 40), x->text.p);
    default: return cc_error_set(k->err, CC_VALIDATION, "column %u: an entry is one number or expression", x->pos + 1);
    }
    if (rc) return -1;
    fmpz_t degree;
    fmpz_init(degree);
    fmpz_mpoly_total_degree_fmpz(degree, num(out), k->m);
    bool large = fmpz_cmp_si(degree, MAX_DEGREE) > 0;
    fmpz_mpoly_total_degree_fmpz(degree, den(out), k->m);
    large = large || fmpz_cmp_si(degree, MAX_DEGREE) > 0;
    fmpz_clear(degree);
    if (large) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "column %u: the degree is above %d", x->pos + 1, MAX_DEGREE);
    return cc_ring_bound(k, out, CC_MATRIX_MAX_TERMS) ? -1 : cc_ring_poll(k);
}

int cc_symbolic_read(cc_ring *k, const cc_node *x, fmpz_mpoly_q_t out) {
    if (has_symbol(k, x)) return with_symbols(k, x, out);
    fmpq_t q;
    fmpq_init(q);
    int rc = constant(k, x, q);
    if (!rc) fmpz_mpoly_q_set_fmpq(out, q, k->m);
    fmpq_clear(q);
    return rc;
}

// ---- determinants ----

typedef struct minor {
    cc_ring *k;
    slong n;
    fmpz_mpoly_struct *entry; // n × n
    fmpz_mpoly_t scale;       // what the rows were multiplied by
    double work;
} minor;

// The rows that were picked, each multiplied by the least common multiple of its denominators.
static void clear_denominators(minor *d, const gr_mat_struct *m, const slong *rows, const slong *columns) {
    cc_ring *k = d->k;
    fmpz_mpoly_t lcm, g;
    fmpz_mpoly_init(lcm, k->m);
    fmpz_mpoly_init(g, k->m);
    for (slong i = 0; i < d->n; i++) {
        fmpz_mpoly_one(lcm, k->m);
        for (int pass = 0; pass < 2; pass++)
            for (slong j = 0; j < d->n; j++) {
                const fmpz_mpoly_q_struct *x = (const fmpz_mpoly_q_struct *)cc_at(k, m, rows ? rows[i] : i, columns ? columns[j] : j);
                fmpz_mpoly_struct *e = &d->entry[i * d->n + j];
                if (pass == 0) {
                    fmpz_mpoly_gcd(g, lcm, den(x), k->m);
                    fmpz_mpoly_divides(g, den(x), g, k->m);
                    fmpz_mpoly_mul(lcm, lcm, g, k->m);
                } else {
                    fmpz_mpoly_divides(g, lcm, den(x), k->m);
                    fmpz_mpoly_mul(e, num(x), g, k->m);
                }
            }
        fmpz_mpoly_mul(d->scale, d->scale, lcm, k->m);
    }
    fmpz_mpoly_clear(lcm, k->m);
    fmpz_mpoly_clear(g, k->m);
}

// Laplace's expansion by rows over all sets of columns, each sub-determinant once: no division, no cancellation of fractions.
static int expand(minor *d, fmpz_mpoly_struct *sub) {
    cc_ring *k = d->k;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, k->m);
    int rc = 0;
    fmpz_mpoly_one(&sub[0], k->m);
    for (ulong set = 1; set < (ulong)1 << d->n && !rc; set++) {
        slong row = __builtin_popcountl(set) - 1, at = 0;
        for (slong j = 0; j < d->n && !rc; j++) {
            if (!(set >> j & 1)) continue;
            const fmpz_mpoly_struct *e = &d->entry[row * d->n + j], *rest = &sub[set & ~((ulong)1 << j)];
            bool minus = (row + at++) & 1;
            if (fmpz_mpoly_is_zero(e, k->m) || fmpz_mpoly_is_zero(rest, k->m)) continue;
            d->work += (double)fmpz_mpoly_length(e, k->m) * (double)fmpz_mpoly_length(rest, k->m);
            if (d->work > MAX_WORK)
                rc = cc_error_set(k->err, CC_RESOURCE_EXHAUSTED,
                                  "a determinant with these symbols has too many terms; give numbers to some of them");
            if (rc || (rc = cc_ring_poll(k))) break;
            fmpz_mpoly_mul(t, e, rest, k->m);
            if (minus)
                fmpz_mpoly_sub(&sub[set], &sub[set], t, k->m);
            else
                fmpz_mpoly_add(&sub[set], &sub[set], t, k->m);
        }
        if (!rc && fmpz_mpoly_length(&sub[set], k->m) > 4L * CC_MATRIX_MAX_TERMS)
            rc = cc_error_set(k->err, CC_RESOURCE_EXHAUSTED,
                              "a determinant with these symbols has more than %ld terms; give numbers to some of them",
                              4L * CC_MATRIX_MAX_TERMS);
    }
    fmpz_mpoly_clear(t, k->m);
    return rc;
}

int cc_symbolic_det(cc_ring *k, const gr_mat_struct *m, const slong *rows, const slong *columns, slong n, fmpz_mpoly_q_t out) {
    if (n > MAX_MINOR)
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "determinants with symbols are taken up to %d x %d", MAX_MINOR, MAX_MINOR);
    minor d = {.k = k, .n = n, .entry = CC_ARENA_ARRAY(k->arena, fmpz_mpoly_struct, (size_t)(n * n) + 1)};
    size_t sets = (size_t)1 << n;
    fmpz_mpoly_struct *sub = CC_ARENA_ARRAY(k->arena, fmpz_mpoly_struct, sets);
    for (slong i = 0; i < n * n; i++) fmpz_mpoly_init(&d.entry[i], k->m);
    for (size_t i = 0; i < sets; i++) fmpz_mpoly_init(&sub[i], k->m);
    fmpz_mpoly_init(d.scale, k->m);
    fmpz_mpoly_one(d.scale, k->m);
    clear_denominators(&d, m, rows, columns);
    int rc = expand(&d, sub);
    if (!rc) {
        fmpz_mpoly_swap(fmpz_mpoly_q_numref(out), &sub[sets - 1], k->m);
        fmpz_mpoly_swap(fmpz_mpoly_q_denref(out), d.scale, k->m);
        fmpz_mpoly_q_canonicalise(out, k->m);
    }
    for (slong i = 0; i < n * n; i++) fmpz_mpoly_clear(&d.entry[i], k->m);
    for (size_t i = 0; i < sets; i++) fmpz_mpoly_clear(&sub[i], k->m);
    fmpz_mpoly_clear(d.scale, k->m);
    return rc;
}

// ---- conditions ----

static int add_text(cc_ring *k, cc_str s, cc_matrix_result *out) {
    if (!out->conditions) out->conditions = CC_ARENA_ARRAY(k->arena, cc_str, MAX_CONDITIONS);
    for (size_t i = 0; i < out->n_conditions; i++)
        if (cc_str_eq(out->conditions[i], s)) return 0;
    if (out->n_conditions == MAX_CONDITIONS)
        return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the result holds under more than %d conditions", MAX_CONDITIONS);
    out->conditions[out->n_conditions++] = s;
    return 0;
}

static int add_condition(cc_ring *k, cc_str p, cc_matrix_result *out) {
    if (!p.n) return -1;
    return add_text(k,
                    p.n <= MAX_CONDITION ? cc_arena_printf(k->arena, "%.*s != 0", (int)p.n, p.p)
                                         : CC_STR("the minor on the pivots != 0 (its text is too long)"),
                    out);
}

int cc_symbolic_conditions(cc_ring *k, const cc_matrix_result *from, cc_matrix_result *out) {
    for (size_t i = 0; i < from->n_conditions; i++)
        if (add_text(k, from->conditions[i], out)) return -1;
    return 0;
}

int cc_symbolic_condition(cc_ring *k, const fmpz_mpoly_t p, cc_matrix_result *out) {
    if (fmpz_mpoly_is_fmpz(p, k->m)) return 0;
    if (fmpz_mpoly_length(p, k->m) > MAX_FACTORED) return add_condition(k, cc_mpoly_show(k, p), out);
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, k->m);
    int rc = 0;
    if (!fmpz_mpoly_factor(f, p, k->m))
        rc = add_condition(k, cc_mpoly_show(k, p), out);
    else
        for (slong i = 0; i < f->num && !rc; i++) rc = add_condition(k, cc_mpoly_show(k, &f->poly[i]), out);
    fmpz_mpoly_factor_clear(f, k->m);
    return rc;
}

int cc_symbolic_denominators(cc_ring *k, const gr_mat_struct *m, cc_matrix_result *out) {
    if (k->kind != CC_RING_SYMBOLIC) return 0;
    for (slong i = 0; i < m->r; i++)
        for (slong j = 0; j < m->c; j++)
            if (cc_symbolic_condition(k, den((const fmpz_mpoly_q_struct *)cc_at(k, m, i, j)), out)) return -1;
    return 0;
}
