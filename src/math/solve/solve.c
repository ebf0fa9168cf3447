// One equation in one variable: which method is tried when. Called by equation.c, which checks every candidate, and by the methods, which
// are here and in the files beside. Whether nothing was lost on the way is tracked in `complete`.
#include "math/solve/solve.h"

#include <flint/ulong_extras.h>

#define MOST_DEPTH 12
#define HIGH       2000 // an exponent

// ---- sets of roots ----

void cc_roots_init(cc_roots *r, cc_alg *g) { *r = (cc_roots){.g = g, .complete = true}; }

void cc_roots_add(cc_roots *r, cc_xp root, unsigned multiplicity) {
    if (!root) return;
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i] == root) {
            r->multiplicity[i] = r->multiplicity[i] && multiplicity ? r->multiplicity[i] + multiplicity : 0;
            return;
        }
    if (r->n == r->room) {
        size_t room = r->room ? r->room * 2 : 8;
        cc_xp *at = CC_ARENA_ARRAY(r->g->arena, cc_xp, room);
        unsigned *m = CC_ARENA_ARRAY(r->g->arena, unsigned, room);
        if (r->n) memcpy(at, r->at, r->n * sizeof *at), memcpy(m, r->multiplicity, r->n * sizeof *m);
        r->at = at, r->multiplicity = m, r->room = room;
    }
    r->at[r->n] = root;
    r->multiplicity[r->n++] = multiplicity;
}

static void take_over(cc_roots *r, const cc_roots *more, unsigned times) {
    for (size_t i = 0; i < more->n; i++) cc_roots_add(r, more->at[i], times * more->multiplicity[i]);
    r->complete = r->complete && more->complete;
    r->all = r->all || more->all;
    if (more->set) r->set = r->set ? cc_x_or(r->g, r->set, more->set) : more->set;
}

// ---- methods ----

// Maximal subexpressions that hold v and are no sums, products or natural powers: what f is a polynomial in.
typedef struct kernels {
    cc_xp of[16];
    size_t n;
    bool overflow;
} kernels;

static void collect(cc_xp f, cc_xp v, kernels *k) {
    slong e;
    if (!cc_x_has(f, v)) return;
    if (f->kind == CC_X_ADD || f->kind == CC_X_MUL) {
        for (size_t i = 0; i < f->n; i++) collect(f->args[i], v, k);
        return;
    }
    if (f->kind == CC_X_POW && cc_x_fits_si(f->args[1], &e)) {
        collect(f->args[0], v, k);
        return;
    }
    for (size_t i = 0; i < k->n; i++)
        if (k->of[i] == f) return;
    if (k->n == CC_ARRAY_LEN(k->of))
        k->overflow = true;
    else
        k->of[k->n++] = f;
}

// x = u**r * rest: kernels that are powers of one another get one common root (x and sqrt(x); exp(x) and exp(2x); 2**x and 4**x).
static bool common_kernel(cc_alg *g, const kernels *k, cc_xp *t, cc_xp *powers) {
    cc_xp base0, e0;
    cc_x_split_power(g, k->of[0], &base0, &e0);
    ulong lcm = 1;
    cc_xp ratio[CC_ARRAY_LEN(k->of)];
    bool exponential = !cc_x_is_constant(e0);
    if (exponential && cc_x_is_constant(base0) && base0 != g->e) { // b**u as exp(u log b)
        e0 = cc_x_mul(g, e0, cc_x_log(g, base0));
        base0 = g->e;
    }
    for (size_t i = 0; i < k->n; i++) {
        cc_xp b, e;
        cc_x_split_power(g, k->of[i], &b, &e);
        if (exponential && cc_x_is_constant(b) && b != g->e) e = cc_x_mul(g, e, cc_x_log(g, b)), b = g->e;
        if (b != base0) return false;
        ratio[i] = cc_x_is_constant(e0) ? e : cc_x_constant_simplify(g, cc_x_simplify(g, cc_x_div(g, e, e0)));
        if (!cc_x_is_num(ratio[i]) || !fmpz_fits_si(fmpq_denref(ratio[i]->num))) return false;
        ulong d = (ulong)fmpz_get_si(fmpq_denref(ratio[i]->num));
        if (d > 60) return false;
        lcm = lcm / n_gcd(lcm, d) * d;
    }
    cc_xp root = cc_x_frac(g, 1, (slong)lcm);
    *t = cc_x_is_constant(e0) ? cc_x_pow(g, base0, root) : cc_x_exp(g, cc_x_mul(g, e0, root));
    for (size_t i = 0; i < k->n; i++) powers[i] = cc_x_mul(g, ratio[i], cc_x_int(g, (slong)lcm));
    return true;
}

// f is a polynomial (or rational) in one kernel: solve for it, then invert.
static bool by_kernel(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    kernels k = {.n = 0};
    collect(f, v, &k);
    if (!k.n || k.overflow) return false;
    cc_xp t = k.of[0], powers[CC_ARRAY_LEN(k.of)];
    if (k.n > 1 || k.of[0] == v) {
        if (!common_kernel(g, &k, &t, powers)) return false;
    } else {
        powers[0] = g->one;
    }
    if (t == v) return false;
    cc_xp u = cc_x_dummy(g, "u", 0), in_u = f, with[CC_ARRAY_LEN(k.of)];
    for (size_t i = 0; i < k.n; i++) with[i] = cc_x_pow(g, u, powers[i]);
    in_u = cc_x_subs_many(g, f, k.of, with, k.n);
    if (!in_u || cc_x_has(in_u, v)) return false;
    cc_roots of_u;
    cc_roots_init(&of_u, g);
    if (in_u == u) {
        cc_roots_add(&of_u, g->zero, 1);
    } else if (!cc_solve_zero(g, in_u, u, &of_u, depth + 1)) {
        return false;
    }
    r->complete = r->complete && of_u.complete;
    if (of_u.all || of_u.set) return false;
    for (size_t i = 0; i < of_u.n; i++) {
        cc_xp inner, values[CC_INVERSES];
        size_t n;
        bool complete;
        if (cc_solve_is_step(t)) {
            if (!cc_solve_step(g, t, of_u.at[i], v, r, depth)) return false;
            continue;
        }
        if (!cc_solve_invert(g, t, v, of_u.at[i], &inner, values, &n, &complete)) return false;
        r->complete = r->complete && complete;
        for (size_t j = 0; j < n; j++) {
            if (cc_x_has(values[j], v)) return false; // v in base and exponent
            cc_roots part;
            cc_roots_init(&part, g);
            if (inner == v)
                cc_roots_add(&part, values[j], of_u.multiplicity[i]);
            else if (!cc_solve_zero(g, cc_x_sub(g, inner, values[j]), v, &part, depth + 1))
                return false;
            take_over(r, &part, 1);
        }
    }
    return true;
}

static bool has_trigonometric(cc_xp f, cc_xp v) {
    if (!cc_x_has(f, v)) return false;
    if (f->kind == CC_X_FUN &&
        (f->fn == CC_F_SIN || f->fn == CC_F_COS || f->fn == CC_F_TAN || f->fn == CC_F_COT || f->fn == CC_F_SEC || f->fn == CC_F_CSC))
        return true;
    for (size_t i = 0; i < f->n; i++)
        if (has_trigonometric(f->args[i], v)) return true;
    return false;
}

// Hyperbolic functions of v by exponentials.
static bool by_exponentials(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    static const cc_xfn fns[] = {CC_F_SINH, CC_F_COSH, CC_F_TANH, CC_F_COTH, CC_F_SECH, CC_F_CSCH};
    bool any = false;
    for (size_t i = 0; i < CC_ARRAY_LEN(fns); i++) any = any || cc_x_has_fn(f, fns[i]);
    if (!any) return false;
    cc_xp in_exp = cc_x_expand(g, cc_x_rewrite(g, f, CC_REWRITE_EXP));
    return in_exp && in_exp != f && cc_solve_zero(g, in_exp, v, r, depth + 1);
}

// Sums of logarithms: combined into one, the arguments then multiply. Only candidates: each is checked.
static bool by_logarithms(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    if (!cc_x_has_fn(f, CC_F_LOG) || !cc_x_is_kind(f, CC_X_ADD)) return false;
    cc_xp product = g->one, rest = g->zero;
    size_t logs = 0;
    fmpq_t common; // the coefficients become integers without common factor
    fmpq_init(common);
    for (size_t i = 0; i < f->n; i++) {
        cc_xp c, u;
        cc_x_split_coefficient(g, f->args[i], &c, &u);
        if (cc_x_has(u, v)) fmpq_gcd(common, common, c->num);
    }
    f = cc_x_expand(g, cc_x_div(g, f, cc_x_num(g, common)));
    fmpq_clear(common);
    if (!cc_x_is_kind(f, CC_X_ADD)) return false;
    for (size_t i = 0; i < f->n; i++) {
        cc_xp c, u;
        cc_x_split_coefficient(g, f->args[i], &c, &u);
        if (cc_x_has(f->args[i], v)) {
            if (!cc_x_is_fun(u, CC_F_LOG) || !cc_x_is_int(c)) return false;
            product = cc_x_mul(g, product, cc_x_pow(g, u->args[0], c));
            logs++;
        } else {
            rest = cc_x_add(g, rest, f->args[i]);
        }
    }
    if (logs < 2) return false;
    return cc_solve_zero(g, cc_x_sub(g, product, cc_x_exp(g, cc_x_neg(g, rest))), v, r, depth + 1);
}

// a exp(p v + …) + b exp(q v + …) = 0 with two rates: the quotient is one exponential.
static bool by_quotient(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    (void)depth;
    if (!cc_x_is_kind(f, CC_X_ADD)) return false;
    cc_xp rate[2] = {g->zero, g->zero}, offset[2] = {g->zero, g->zero}, factor[2] = {g->one, g->one};
    if (f->n != 2) return false;
    for (size_t i = 0; i < 2; i++) {
        size_t n;
        const cc_xp *factors = cc_x_factors(&f->args[i], &n);
        for (size_t j = 0; j < n; j++) {
            cc_xp base, e;
            const cc_xp *c;
            slong degree;
            cc_x_split_power(g, factors[j], &base, &e);
            if (!cc_x_has(factors[j], v)) {
                factor[i] = cc_x_mul(g, factor[i], factors[j]);
                continue;
            }
            if (!cc_x_is_constant(base) || !cc_x_poly_coefficients(g, e, v, 1, &c, &degree) || degree != 1) return false;
            cc_xp log_b = cc_x_log(g, base);
            rate[i] = cc_x_add(g, rate[i], cc_x_mul(g, c[1], log_b));
            offset[i] = cc_x_add(g, offset[i], cc_x_mul(g, c[0], log_b));
        }
    }
    // exp((p - q) v) = -b/a exp(…)
    cc_xp by = cc_x_sub(g, rate[0], rate[1]), minus = cc_x_neg(g, cc_x_div(g, factor[1], factor[0]));
    if (cc_x_is_zero(g, by) != CC_FALSE) return false;
    cc_xp right = cc_x_add(g, cc_x_sub(g, offset[1], offset[0]), cc_x_log(g, minus));
    cc_xp turn = cc_x_mul(g, cc_x_mul(g, cc_x_int(g, 2), g->i), cc_x_mul(g, g->pi, cc_roots_integer_beside(g, &right, 1)));
    cc_roots_add(r, cc_x_div(g, cc_x_add(g, right, turn), by), 1);
    return true;
}

// v occurs inside log(a v + b) and elsewhere: w = that logarithm, v = (exp(w) - b)/a.
static bool by_log_value(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    cc_xp log = NULL;
    kernels k = {.n = 0};
    const cc_xp *c;
    slong degree;
    collect(f, v, &k);
    for (size_t i = 0; i < k.n; i++)
        if (cc_x_is_fun(k.of[i], CC_F_LOG)) log = k.of[i];
    if (!log || k.overflow || k.n < 2 || !cc_x_poly_coefficients(g, log->args[0], v, 1, &c, &degree) || degree != 1) return false;
    cc_xp w = cc_x_dummy(g, "w", 0), in_w = cc_x_subs(g, f, log, w);
    cc_xp of_w = cc_x_div(g, cc_x_sub(g, cc_x_exp(g, w), c[0]), c[1]);
    in_w = cc_x_subs(g, in_w, v, of_w);
    if (!in_w || cc_x_has_fn(in_w, CC_F_LOG)) return false;
    cc_roots values;
    cc_roots_init(&values, g);
    if (!cc_solve_zero(g, in_w, w, &values, depth + 1) || values.all || values.set) return false;
    r->complete = r->complete && values.complete;
    for (size_t i = 0; i < values.n; i++) cc_roots_add(r, cc_x_subs(g, of_w, w, values.at[i]), values.multiplicity[i]);
    return true;
}

// acos(u) = pi/2 - asin(u), so that one function is left.
static cc_xp arc_cosine(cc_alg *g, cc_xp f, void *ctx) {
    (void)ctx;
    if (!cc_x_is_fun(f, CC_F_ACOS)) return f;
    return cc_x_sub(g, cc_x_mul(g, g->half, g->pi), cc_x_f1(g, CC_F_ASIN, f->args[0]));
}

static bool by_arcs(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    if (!cc_x_has_fn(f, CC_F_ACOS) || !cc_x_has_fn(f, CC_F_ASIN)) return false;
    cc_xp one = cc_x_map(g, f, arc_cosine, NULL);
    return one && !cc_x_has_fn(one, CC_F_ACOS) && cc_solve_zero(g, cc_x_expand(g, one), v, r, depth + 1);
}

static bool by_factors(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    if (f->kind != CC_X_MUL) return false;
    for (size_t i = 0; i < f->n; i++) {
        cc_xp base, exponent;
        cc_roots part;
        slong e;
        if (!cc_x_has(f->args[i], v)) continue;
        cc_x_split_power(g, f->args[i], &base, &exponent);
        if (cc_x_is_fun(f->args[i], CC_F_EXP) || (cc_x_is_num(exponent) && cc_x_num_sign(exponent) < 0)) continue; // never 0
        if (!cc_x_fits_si(exponent, &e) || e < 1) base = f->args[i], e = 1;
        cc_roots_init(&part, g);
        if (!cc_solve_zero(g, base, v, &part, depth + 1)) return false;
        take_over(r, &part, (unsigned)e);
    }
    return true;
}

static bool search(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    const cc_xp *c;
    slong degree;
    if (cc_x_poly_coefficients(g, f, v, 1000, &c, &degree)) return cc_solve_polynomial(g, c, degree, v, r);
    bool (*const methods[])(cc_alg *, cc_xp, cc_xp, cc_roots *, unsigned) = {
        by_factors, cc_solve_pieces, cc_solve_absolute, by_kernel, by_logarithms, by_exponentials, by_quotient, by_arcs, cc_solve_radical,
    };
    for (size_t i = 0; i < CC_ARRAY_LEN(methods); i++) {
        cc_roots part;
        cc_roots_init(&part, g);
        if (!cc_alg_may_search(g)) return false;
        if (methods[i](g, f, v, &part, depth)) {
            take_over(r, &part, 1);
            return true;
        }
        if (g->err->code) return false;
    }
    cc_roots part;
    cc_roots_init(&part, g);
    if ((has_trigonometric(f, v) && cc_solve_trigonometric(g, f, v, &part, depth)) || cc_solve_lambert(g, f, v, &part) ||
        by_log_value(g, f, v, &part, depth)) {
        take_over(r, &part, 1);
        return true;
    }
    return false;
}

bool cc_solve_is_high(cc_xp f, cc_xp v) {
    slong e;
    if (!cc_x_has(f, v)) return false;
    if (f->kind == CC_X_POW && cc_x_is_num(f->args[1]) && (!cc_x_fits_si(f->args[1], &e) ? cc_x_is_int(f->args[1]) : e > HIGH || e < -HIGH))
        return true;
    for (size_t i = 0; i < f->n; i++)
        if (cc_solve_is_high(f->args[i], v)) return true;
    return false;
}

bool cc_solve_zero(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    if (!f || depth > MOST_DEPTH || !cc_alg_may_search(g)) return false;
    if (!cc_x_has(f, v)) {
        cc_truth zero = cc_x_is_zero(g, f);
        if (zero == CC_TRUE) r->all = true;
        if (zero == CC_UNDECIDED && cc_x_is_constant(f)) return false;
        if (zero != CC_TRUE && !cc_x_is_constant(f))
            cc_alg_note(g, "no value of the variable solves it unless %.*s is 0", (int)cc_x_show(g, f).n, cc_x_show(g, f).p);
        return true;
    }
    cc_roots found;
    cc_roots_init(&found, g);
    if (cc_solve_is_high(f, v)) return false;
    cc_xp num, den, whole = cc_x_together(g, f);
    if (!whole) return false;
    cc_x_fraction(g, whole, &num, &den);
    // the numerator in factors, else expanded
    cc_xp factored = num ? cc_x_factor(g, num) : NULL;
    if (!factored) return false;
    if (!search(g, factored, v, &found, depth)) {
        found = (cc_roots){.g = g, .complete = true};
        cc_xp expanded = cc_x_expand(g, num);
        if (g->err->code || expanded == factored || !search(g, expanded, v, &found, depth)) return false;
    }
    take_over(r, &found, 1);
    return true;
}
