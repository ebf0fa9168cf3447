// General solutions: families a + b*n_ with integers that have names of their own. Which members hold (all, classes of residues, one side,
// all but a few), the normal form of a family, and which families are one. Called by solve.c and the operations; it solves nothing itself.
#include "math/solve/solve.h"

#define REACH      12  // members tried on either side of 0
#define MOST_TRIED 200 // members in all

// ---- names of integers ----

static const char *const names[] = {"n_", "m_", "k_", "l_", "j_", "p_"};

static cc_xp integer(cc_alg *g, size_t i) { return cc_x_symbol(g, cc_str_of(names[i]), CC_IS_INTEGER); }

cc_xp cc_roots_integer(cc_alg *g) { return integer(g, 0); }

cc_xp cc_roots_integer_beside(cc_alg *g, const cc_xp *used, size_t n) {
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++) {
        cc_xp k = integer(g, i);
        bool taken = false;
        for (size_t j = 0; j < n; j++) taken = taken || cc_x_has(used[j], k);
        if (!taken) return k;
    }
    return NULL;
}

cc_xp cc_roots_integer_of(cc_alg *g, cc_xp x) {
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++)
        if (cc_x_has(x, integer(g, i))) return integer(g, i);
    return NULL;
}

bool cc_roots_linear(cc_alg *g, cc_xp x, cc_xp n, cc_xp *a, cc_xp *b) {
    const cc_xp *c;
    slong degree;
    if (!n || !cc_x_poly_coefficients(g, x, n, 1, &c, &degree) || degree != 1) return false;
    *a = c[0], *b = c[1];
    return true;
}

// ---- normal form ----

static bool leads_minus(cc_alg *g, cc_xp b) {
    if (!cc_x_is_constant(b)) {
        cc_xp c, rest;
        cc_x_split_coefficient(g, b, &c, &rest);
        return cc_x_num_sign(c) < 0;
    }
    if (cc_x_is(g, b, CC_IS_REAL) == CC_TRUE) return cc_x_sign(g, b) == -1;
    return cc_x_sign(g, cc_x_f1(g, CC_F_IM, b)) == -1;
}

// The terms of a that are rational multiples of b become their part in (-1/2, 1/2] of b.
static cc_xp within_a_turn(cc_alg *g, cc_xp a, cc_xp b) {
    size_t n;
    const cc_xp *terms = cc_x_terms(&a, &n);
    cc_xp rest = g->zero, turns = g->zero;
    for (size_t i = 0; i < n; i++) {
        cc_xp ratio = cc_x_is_constant(terms[i]) ? cc_x_expand(g, cc_x_div(g, terms[i], b)) : NULL;
        if (cc_x_is_num(ratio))
            turns = cc_x_add(g, turns, ratio);
        else
            rest = cc_x_add(g, rest, terms[i]);
    }
    cc_xp whole = cc_x_f1(g, CC_F_CEIL, cc_x_sub(g, turns, g->half));
    return cc_x_add(g, rest, cc_x_expand(g, cc_x_mul(g, b, cc_x_sub(g, turns, whole))));
}

cc_xp cc_roots_normal(cc_alg *g, cc_xp x) {
    cc_xp n = cc_roots_integer_of(g, x), a, b;
    if (!n) return x;
    cc_xp flat = cc_x_expand(g, x);
    if (!cc_roots_linear(g, flat, n, &a, &b)) return flat && flat->size <= x->size ? flat : x;
    if (leads_minus(g, b)) b = cc_x_neg(g, b);
    if (!cc_x_is_constant(b)) return cc_x_factor(g, cc_x_together(g, cc_x_add(g, a, cc_x_mul(g, b, n))));
    return cc_x_add(g, within_a_turn(g, a, b), cc_x_mul(g, b, n));
}

// ---- families that are one ----

// (x - a)/b as a number; NULL when it is none.
static cc_xp place(cc_alg *g, cc_xp x, cc_xp a, cc_xp b) {
    cc_xp ratio = cc_x_div(g, cc_x_sub(g, x, a), b);
    if (!cc_x_is_num(ratio)) ratio = cc_x_is_constant(ratio) ? cc_x_expand(g, ratio) : cc_x_cancel(g, ratio);
    if (ratio && cc_x_is_constant(ratio)) ratio = cc_x_constant_simplify(g, ratio);
    return cc_x_is_num(ratio) ? ratio : NULL;
}

static void drop(cc_xsolutions *s, size_t i) {
    s->n--;
    for (; i < s->n; i++) s->roots[i] = s->roots[i + 1], s->multiplicity[i] = s->multiplicity[i + 1];
}

// Root `other` is among the members of the family.
static bool contains(cc_alg *g, cc_xp n, cc_xp family, cc_xp other) {
    cc_xp a, b, a2 = other, b2 = NULL, p;
    if (!cc_roots_linear(g, family, n, &a, &b)) return false;
    if (cc_x_has(other, n) && (!cc_roots_linear(g, other, n, &a2, &b2) || !(p = place(g, b2, g->zero, b)) || !cc_x_is_int(p))) return false;
    if (!b2 && cc_roots_integer_of(g, other)) return false;
    p = place(g, a2, a, b);
    return p && cc_x_is_int(p);
}

// `of` families with one step b, evenly spread over it, are one with the step b/of.
static bool join(cc_alg *g, cc_xsolutions *s, cc_xp n, size_t i, slong of) {
    cc_xp a, b, a2, b2;
    size_t with[8] = {i};
    if (!cc_roots_linear(g, s->roots[i], n, &a, &b) || !cc_x_is_constant(b)) return false;
    for (slong k = 1; k < of; k++) {
        bool found = false;
        for (size_t j = i + 1; j < s->n && !found; j++) {
            if (!cc_x_has(s->roots[j], n) || !cc_roots_linear(g, s->roots[j], n, &a2, &b2) || b2 != b) continue;
            if (s->multiplicity[j] != s->multiplicity[i]) continue;
            cc_xp p = place(g, a2, a, b), rest = p ? cc_x_sub(g, p, cc_x_f1(g, CC_F_FLOOR, p)) : NULL;
            if (rest && rest == cc_x_frac(g, k, of)) found = true, with[k] = j;
        }
        if (!found) return false;
    }
    for (slong k = of - 1; k > 0; k--) { // from the last place on, so that those before stay where they are
        slong last = 1;
        for (slong m = 1; m < of; m++)
            if (with[m] > with[last]) last = m;
        drop(s, with[last]);
        with[last] = 0;
    }
    b = cc_x_mul(g, b, cc_x_frac(g, 1, of));
    s->roots[i] = cc_x_add(g, within_a_turn(g, a, b), cc_x_mul(g, b, n));
    return true;
}

void cc_roots_merge(cc_alg *g, cc_xsolutions *s) {
    cc_xp n = cc_roots_integer(g);
    for (size_t i = 0; i < s->n; i++) {
        if (!cc_x_has(s->roots[i], n)) continue;
        for (size_t j = 0; j < s->n && cc_alg_may_search(g);) {
            if (i == j || !contains(g, n, s->roots[i], s->roots[j])) {
                j++;
                continue;
            }
            s->multiplicity[i] = 0; // not the same for all members
            drop(s, j);
            if (j < i) i--;
        }
    }
    static const slong by[] = {2, 3, 5};
    for (bool again = true; again && cc_alg_may_search(g);) {
        again = false;
        for (size_t i = 0; i < s->n && !again; i++)
            for (size_t k = 0; k < CC_ARRAY_LEN(by) && !again; k++) again = cc_x_has(s->roots[i], n) && join(g, s, n, i, by[k]);
    }
}

// ---- which members hold ----

typedef struct tried { // ascending
    slong at[MOST_TRIED];
    cc_truth holds[MOST_TRIED];
    size_t n;
} tried;

static bool try_member(cc_members *q, tried *t, slong k) {
    size_t i = 0;
    while (i < t->n && t->at[i] < k) i++;
    if ((i < t->n && t->at[i] == k) || t->n == MOST_TRIED) return true;
    if (!cc_alg_may_search(q->g)) return false;
    memmove(t->at + i + 1, t->at + i, (t->n - i) * sizeof *t->at);
    memmove(t->holds + i + 1, t->holds + i, (t->n - i) * sizeof *t->holds);
    t->at[i] = k;
    t->holds[i] = q->holds(q, cc_x_subs(q->g, q->family, q->n, cc_x_int(q->g, k)));
    t->n++;
    return t->holds[i] != CC_UNDECIDED;
}

static void keep(cc_members *q, cc_xp root) { cc_roots_add(q->out, root, q->multiplicity); }

// The family under conditions on its integer, which then needs a name of its own.
static bool keep_where(cc_members *q, cc_xrel rel, bool integer_left, const slong *bound, size_t n) {
    cc_alg *g = q->g;
    cc_xp own = NULL;
    for (size_t i = 1; i < CC_ARRAY_LEN(names) && !own; i++) {
        own = cc_x_has(q->family, integer(g, i)) ? NULL : integer(g, i);
        for (size_t j = 0; own && j < q->out->n; j++)
            if (cc_x_has(q->out->at[j], own)) own = NULL;
    }
    if (!own) return false;
    for (size_t i = 0; i < n; i++) {
        cc_xp b = cc_x_int(g, bound[i]);
        cc_alg_condition(g, integer_left ? cc_x_rel(g, rel, own, b) : cc_x_rel(g, rel, b, own));
    }
    keep(q, cc_x_subs(g, q->family, q->n, own));
    return true;
}

static size_t count(const tried *t, cc_truth what, slong *at, size_t most) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->holds[i] == what && n++ < most) at[n - 1] = t->at[i];
    return n;
}

// Every class of residues is of one truth: those that hold are families.
static bool by_residues(cc_members *q, const tried *t, slong m) {
    cc_truth of[8];
    for (slong r = 0; r < m; r++) of[r] = CC_UNDECIDED;
    for (size_t i = 0; i < t->n; i++) {
        slong r = ((t->at[i] % m) + m) % m;
        if (of[r] != CC_UNDECIDED && of[r] != t->holds[i]) return false;
        of[r] = t->holds[i];
    }
    cc_alg *g = q->g;
    for (slong r = 0; r < m; r++) {
        cc_xp k = cc_x_add(g, cc_x_mul(g, cc_x_int(g, m), q->n), cc_x_int(g, r));
        if (of[r] == CC_TRUE) keep(q, cc_roots_normal(g, cc_x_subs(g, q->family, q->n, k)));
    }
    return true;
}

// The integer k for which a + b*k is nearest to `value`; false: none.
static bool near(cc_alg *g, cc_xp a, cc_xp b, cc_xp value, slong *k) {
    acb_t x, y;
    fmpz_t z;
    acb_init(x), acb_init(y), fmpz_init(z);
    bool ok = cc_x_enclose_to(g, x, cc_x_sub(g, value, a), NULL, 64) && cc_x_enclose_to(g, y, b, NULL, 64);
    if (ok) acb_div(x, x, y, 64);
    ok = ok && acb_is_finite(x);
    if (ok) arf_get_fmpz(z, arb_midref(acb_realref(x)), ARF_RND_NEAR);
    ok = ok && fmpz_bits(z) < 31;
    if (ok) *k = fmpz_get_si(z);
    acb_clear(x), acb_clear(y), fmpz_clear(z);
    return ok;
}

// Members near the places where something can change.
static bool try_special(cc_members *q, tried *t) {
    cc_alg *g = q->g;
    cc_xp a, b;
    slong k;
    if (!cc_roots_linear(g, q->family, q->n, &a, &b) || !cc_x_is_constant(a) || !cc_x_is_constant(b)) return true;
    for (size_t i = 0; i < q->n_special; i++)
        if (near(g, a, b, q->special[i], &k))
            for (slong d = -2; d <= 2; d++)
                if (!try_member(q, t, k + d)) return false;
    cc_xp im = cc_x_f1(g, CC_F_IM, b); // the one that may be real
    return cc_x_is_zero(g, im) != CC_FALSE || !near(g, cc_x_f1(g, CC_F_IM, a), im, g->zero, &k) || try_member(q, t, -k);
}

bool cc_roots_members(cc_members *q) {
    cc_alg *g = q->g;
    tried *t = CC_ARENA_NEW(g->arena, tried);
    static const slong first[] = {0, 1, -1, 2, 7};
    t->n = 0;
    for (size_t i = 0; i < CC_ARRAY_LEN(first); i++)
        if (!try_member(q, t, first[i])) return false;
    if (!try_special(q, t)) return false;
    slong at[4];
    if (!count(t, CC_FALSE, at, 4)) {
        keep(q, q->family);
        return true;
    }
    if (!count(t, CC_TRUE, at, 4)) return true;
    for (slong d = -REACH; d <= REACH; d++)
        if (!try_member(q, t, d)) return false;
    size_t failed = count(t, CC_FALSE, at, 4);
    if (failed <= 3 && t->holds[0] == CC_TRUE && t->holds[t->n - 1] == CC_TRUE) return keep_where(q, CC_REL_NE, true, at, failed);
    size_t held = count(t, CC_TRUE, at, 4);
    if (held <= 3 && t->holds[0] == CC_FALSE && t->holds[t->n - 1] == CC_FALSE) { // a few members alone
        for (size_t i = 0; i < held; i++) keep(q, cc_x_constant_simplify(g, cc_x_subs(g, q->family, q->n, cc_x_int(g, at[i]))));
        return true;
    }
    static const slong moduli[] = {2, 3, 4, 5, 6};
    for (size_t i = 0; i < CC_ARRAY_LEN(moduli); i++)
        if (by_residues(q, t, moduli[i])) return true;
    size_t changes = 0, where = 0;
    for (size_t i = 1; i < t->n; i++)
        if (t->holds[i] != t->holds[i - 1]) changes++, where = i;
    if (changes != 1) return false;
    if (t->holds[where] == CC_TRUE) return keep_where(q, CC_REL_LE, false, &t->at[where], 1);
    return keep_where(q, CC_REL_LE, true, &t->at[where - 1], 1);
}

// ---- real members ----

size_t cc_roots_real(cc_alg *g, const cc_xsolutions *s, cc_xp *real, bool *sure) {
    size_t n = 0;
    *sure = true;
    for (size_t i = 0; i < s->n; i++) {
        cc_xp x = s->roots[i], k = cc_roots_integer_of(g, x), a, b;
        cc_truth all = cc_x_is(g, x, CC_IS_REAL);
        if (all == CC_TRUE) real[n++] = x;
        if (all != CC_UNDECIDED) continue;
        if (!cc_roots_linear(g, x, k, &a, &b) || !cc_x_is_constant(a) || !cc_x_is_constant(b)) {
            *sure = false;
            continue;
        }
        cc_xp im_a = cc_x_f1(g, CC_F_IM, a), im_b = cc_x_f1(g, CC_F_IM, b);
        cc_truth step_real = cc_x_is_zero(g, im_b), first_real = cc_x_is_zero(g, im_a);
        if (step_real == CC_TRUE && first_real == CC_TRUE) {
            real[n++] = x;
        } else if (step_real == CC_FALSE) { // at most one
            cc_xp at = cc_x_constant_simplify(g, cc_x_neg(g, cc_x_div(g, im_a, im_b)));
            if (cc_x_is_int(at))
                real[n++] = cc_x_constant_simplify(g, cc_x_subs(g, x, k, at));
            else if (!cc_x_is_num(at) && cc_x_is(g, at, CC_IS_INTEGER) != CC_FALSE)
                *sure = false;
        } else if (step_real == CC_UNDECIDED || first_real == CC_UNDECIDED) {
            *sure = false;
        }
    }
    return n;
}

// ---- their order ----

int cc_roots_compare(cc_alg *g, cc_xp a, cc_xp b) { // real ones ascending, then by real and imaginary part
    acb_t x, y;
    acb_init(x), acb_init(y);
    int out = 0;
    if (cc_x_enclose_to(g, x, a, NULL, 64) && cc_x_enclose_to(g, y, b, NULL, 64)) {
        bool real_x = cc_x_is(g, a, CC_IS_REAL) == CC_TRUE, real_y = cc_x_is(g, b, CC_IS_REAL) == CC_TRUE;
        if (real_x != real_y)
            out = real_x ? -1 : 1;
        else if (arb_lt(acb_realref(x), acb_realref(y)))
            out = -1;
        else if (arb_gt(acb_realref(x), acb_realref(y)))
            out = 1;
        else if (arb_lt(acb_imagref(x), acb_imagref(y)))
            out = -1;
        else if (arb_gt(acb_imagref(x), acb_imagref(y)))
            out = 1;
    }
    acb_clear(x), acb_clear(y);
    return out;
}

void cc_roots_sort(cc_alg *g, cc_xsolutions *s) {
    for (size_t i = 1; i < s->n; i++)
        for (size_t j = i; j > 0 && cc_roots_compare(g, s->roots[j], s->roots[j - 1]) < 0; j--) {
            cc_xp t = s->roots[j];
            unsigned m = s->multiplicity[j];
            s->roots[j] = s->roots[j - 1], s->multiplicity[j] = s->multiplicity[j - 1];
            s->roots[j - 1] = t, s->multiplicity[j - 1] = m;
        }
}
