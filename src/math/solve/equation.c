// The face of solving one equation: candidates come from solve.c, and each has to pass in the equation as it was written. Called by the
// operations. Nothing is returned that was not put back into the equation, and what the answer needs of parameters is stated.
#include "math/solve/solve.h"

#include "math/simplify/simplify.h"

// ---- checking ----

typedef struct question {
    cc_xp f, v;
} question;

// A value put into f: CC_TRUE, CC_FALSE (also when f has no value there, or it is not what is assumed of v), or undecided. A value with
// integers is tried for several of these.
static cc_truth check(cc_alg *g, const question *q, cc_xp root) {
    cc_xp n = cc_roots_integer_of(g, root);
    if (n) {
        size_t holds = 0, fails = 0;
        static const slong at[] = {0, 1, -1, 2, 7};
        for (size_t i = 0; i < CC_ARRAY_LEN(at); i++) {
            cc_truth t = check(g, q, cc_x_subs(g, root, n, cc_x_int(g, at[i])));
            holds += t == CC_TRUE, fails += t == CC_FALSE;
        }
        return holds == CC_ARRAY_LEN(at) ? CC_TRUE : fails == CC_ARRAY_LEN(at) ? CC_FALSE : CC_UNDECIDED;
    }
    for (unsigned fact = 1; fact <= CC_IS_ODD; fact <<= 1)
        if ((q->v->facts & fact) && cc_x_is(g, root, fact) == CC_FALSE) return CC_FALSE;
    if ((q->v->facts & CC_IS_INTEGER) && cc_x_is_constant(root) && cc_x_constant_compare(g, root, cc_x_f1(g, CC_F_FLOOR, root)) == 1)
        return CC_FALSE;
    cc_xp value = cc_x_subs(g, q->f, q->v, root);
    if (!value) return CC_UNDECIDED;
    if (!value->finite) return CC_FALSE;
    bool proven = false;
    cc_truth zero = cc_x_is_zero_probably(g, value, 8, &proven);
    if (zero == CC_TRUE && !proven) g->cross_checked = true;
    return zero;
}

// Nothing is known of the sign, say, of a root with parameters, and v was assumed to be positive.
static void tell_assumption(cc_alg *g, cc_xp v, cc_xp root) {
    static const struct {
        unsigned fact;
        const char *word;
    } words[] = {{CC_IS_INTEGER, "an integer"},
                 {CC_IS_RATIONAL, "rational"},
                 {CC_IS_POSITIVE, "positive"},
                 {CC_IS_NEGATIVE, "negative"},
                 {CC_IS_NONNEGATIVE, "not negative"},
                 {CC_IS_NONPOSITIVE, "not positive"},
                 {CC_IS_REAL, "real"},
                 {CC_IS_NONZERO, "not 0"}};
    for (size_t i = 0; i < CC_ARRAY_LEN(words); i++) {
        if (!(v->facts & words[i].fact) || cc_x_is(g, root, words[i].fact) != CC_UNDECIDED) continue;
        cc_alg_note(g, "%.*s is a root only where it is %s", (int)cc_x_show(g, root).n, cc_x_show(g, root).p, words[i].word);
        return; // the strongest: it implies the others
    }
}

// The first member is put into f exactly, the others, which differ by whole turns, by enclosures where that suffices; those of numbered
// roots too, since exact arithmetic with their sines would take seconds.
static cc_truth member_holds(cc_members *m, cc_xp member) {
    const question *q = m->ctx;
    cc_alg *g = m->g;
    bool numbered = cc_x_has_fn(member, CC_F_CROOTOF), first = member == cc_x_subs(g, m->family, m->n, g->zero);
    if (!q->v->facts && (numbered || !first) && cc_x_is_constant(member)) {
        cc_xp value = cc_x_subs(g, q->f, q->v, member);
        acb_t z;
        acb_init(z);
        cc_truth out = CC_UNDECIDED;
        if (value && value->finite && cc_x_enclose(g, z, value, NULL, 256)) {
            if (!acb_contains_zero(z))
                out = CC_FALSE;
            else if (acb_rel_accuracy_bits(z) > 100 || mag_cmp_2exp_si(arb_radref(acb_realref(z)), -100) < 0)
                out = CC_TRUE;
            if (mag_cmp_2exp_si(arb_radref(acb_imagref(z)), -100) >= 0 && out == CC_TRUE) out = CC_UNDECIDED;
        }
        acb_clear(z);
        if (out == CC_TRUE && numbered) g->cross_checked = true;
        if (out != CC_UNDECIDED) return out;
    }
    return check(g, q, member);
}

// Values of v where f can lose its value or change its nature: the zeros of polynomials that it divides by or takes logarithms or roots of.
static void find_special(cc_alg *g, cc_xp f, cc_xp v, cc_roots *at) {
    if (!cc_x_has(f, v)) return;
    for (size_t i = 0; i < f->n; i++) find_special(g, f->args[i], v, at);
    bool divides = f->kind == CC_X_POW && cc_x_is_num(f->args[1]) && (cc_x_num_sign(f->args[1]) < 0 || !cc_x_is_int(f->args[1]));
    const cc_xp *c;
    slong degree;
    if ((divides || cc_x_is_fun(f, CC_F_LOG)) && at->n < 16 && cc_x_poly_coefficients(g, f->args[0], v, 4, &c, &degree))
        cc_solve_polynomial(g, c, degree, v, at);
}

// ---- the whole ----

// Equal values in two spellings are one root.
static bool known(cc_alg *g, const cc_xsolutions *s, cc_xp root) {
    for (size_t i = 0; i < s->n; i++)
        if (cc_x_is_zero(g, cc_x_sub(g, s->roots[i], root)) == CC_TRUE) return true;
    return false;
}

static bool only_one_symbol(cc_alg *g, cc_xp f) {
    size_t n;
    cc_x_symbols(g, f, &n);
    return n == 1;
}

// The only symbols of a root are integers of ours.
static bool only_integers(cc_alg *g, cc_xp root) {
    size_t n;
    const cc_xp *s = cc_x_symbols(g, root, &n);
    for (size_t i = 0; i < n; i++)
        if (cc_roots_integer_of(g, s[i]) != s[i]) return false;
    return true;
}

// The parameters are such that the equation has a value at the root: its denominator there is not 0.
static void defined_there(cc_alg *g, cc_xp f, cc_xp v, cc_xp root) {
    cc_xp num, den, whole = cc_x_together(g, f);
    if (whole) cc_x_fraction(g, whole, &num, &den);
    cc_xp there = whole && cc_x_has(den, v) ? cc_x_factor(g, cc_x_subs(g, den, v, root)) : NULL;
    if (there) cc_x_lost_poles(g, cc_x_div(g, g->one, there), root);
}

// A family in two integers of which only some members are what is assumed of v: those with one of them 0 are looked at. False: it has one,
// or they were not found.
static bool fix_integers(cc_alg *g, const cc_members *m) {
    size_t n;
    bool found = false;
    const cc_xp *s = cc_x_symbols(g, m->family, &n);
    for (size_t i = 0; n == 2 && i < n; i++) {
        cc_members one = *m;
        one.multiplicity = 0;
        one.family = cc_roots_normal(g, cc_x_subs(g, m->family, s[i], g->zero));
        if (!one.family || !one.family->finite) continue;
        one.n = cc_roots_integer_of(g, one.family);
        found = (one.n && cc_roots_members(&one)) || found;
    }
    return found;
}

// Conditions on integers of ours that are in no root say nothing.
static void drop_conditions(cc_alg *g, size_t from, const cc_xsolutions *s) {
    size_t kept = from;
    for (size_t i = from; i < g->n_conditions; i++) {
        cc_xp n = cc_roots_integer_of(g, g->conditions[i]);
        bool there = !n;
        for (size_t k = 0; k < s->n && !there; k++) there = cc_x_has(s->roots[k], n);
        if (there) g->conditions[kept++] = g->conditions[i];
    }
    g->n_conditions = kept;
}

// Roots of polynomials in factors: sqrt(x**2 - 6*x + 9) is |x - 3| then.
static cc_xp squares(cc_alg *g, cc_xp x, void *v) {
    bool root = x->kind == CC_X_POW && cc_x_is_num(x->args[1]) && !cc_x_is_int(x->args[1]) && x->args[0]->kind == CC_X_ADD;
    if (!root || !cc_x_has(x->args[0], v)) return x;
    cc_xp factored = cc_x_factor(g, x->args[0]);
    return factored ? cc_x_pow(g, factored, x->args[1]) : NULL;
}

// No candidates were found: once more among the reals, where more is known of v. 0, or -1.
static int among_reals(cc_alg *g, cc_xp equation, cc_xp v, cc_xsolutions *out) {
    if (g->err->code) return -1;
    if (v->facts & CC_IS_REAL) return 0;
    cc_xp real = cc_x_dummy(g, "x", CC_IS_REAL | v->facts);
    if (cc_x_solve(g, cc_x_map(g, cc_x_subs(g, equation, v, real), squares, (void *)real), real, out)) return -1;
    if (out->kind == CC_SOLVED_UNKNOWN || !out->complete) {
        out->kind = CC_SOLVED_UNKNOWN;
        return 0;
    }
    if (out->kind != CC_SOLVED_ALL) {
        cc_alg_note(g, "the real solutions; complex ones were not found");
        for (size_t i = 0; i < out->n; i++) out->roots[i] = cc_x_subs(g, out->roots[i], real, v);
        if (out->kind == CC_SOLVED_SET) return 0;
    } else {
        out->kind = CC_SOLVED_SET;
        out->roots = CC_ARENA_ARRAY(g->arena, cc_xp, 1);
        out->roots[0] = cc_x_and(g, cc_x_rel(g, CC_REL_LT, g->neg_oo, v), cc_x_rel(g, CC_REL_LT, v, g->oo));
        out->n = 1;
    }
    out->complete = false;
    if (!out->n) out->kind = CC_SOLVED_UNKNOWN, cc_alg_note(g, "no real solution");
    return 0;
}

// The candidates r that solve f = 0, and why others are left out.
static void keep_roots(cc_alg *g, cc_xp f, cc_xp v, const cc_roots *r, cc_roots *kept, bool *complete) {
    question q = {f, v};
    cc_roots special;
    cc_roots_init(&special, g);
    if (v->facts) cc_roots_add(&special, g->zero, 0);
    find_special(g, f, v, &special);
    for (size_t i = 0; i < r->n && !g->err->code; i++) {
        cc_xp root = cc_x_is_constant(r->at[i]) ? cc_x_constant_simplify(g, r->at[i]) : cc_roots_normal(g, r->at[i]);
        cc_xp n = cc_roots_integer_of(g, root);
        cc_members m = {g, root, n, r->multiplicity[i], special.at, special.n, member_holds, &q, kept};
        if (n && only_integers(g, root) && cc_roots_members(&m)) continue;
        if (n && v->facts && only_integers(g, root) && fix_integers(g, &m)) { // in several integers, and not for all of them
            *complete = false;
            continue;
        }
        cc_truth holds = check(g, &q, root);
        bool parameters = !cc_x_is_constant(f) && !only_one_symbol(g, f);
        if (holds == CC_FALSE && parameters) { // for some values of the parameters, perhaps
            cc_xp left = cc_x_simplify(g, cc_x_subs(g, f, v, root));
            if (!left || !left->finite || cc_x_is_constant(left) || cc_x_is(g, left, CC_IS_NONZERO) == CC_TRUE) continue;
            cc_alg_note(g, "%.*s is a root only where %.*s is 0", (int)cc_x_show(g, root).n, cc_x_show(g, root).p,
                        (int)cc_x_show(g, left).n, cc_x_show(g, left).p);
            cc_roots_add(kept, root, 0);
            continue;
        }
        if (holds == CC_FALSE && !n) continue;
        if (holds != CC_TRUE && cc_x_is_constant(root)) { // cannot be decided: neither kept nor forgotten
            cc_alg_note(g, "undecided whether %.*s solves it", (int)cc_x_show(g, root).n, cc_x_show(g, root).p);
            *complete = false;
            continue;
        }
        if (holds != CC_TRUE)
            cc_alg_note(g, "%.*s was not checked for every value of its parameters", (int)cc_x_show(g, root).n, cc_x_show(g, root).p);
        if (parameters && !n) defined_there(g, f, v, root);
        if (parameters && !n && v->facts) tell_assumption(g, v, root);
        cc_roots_add(kept, root, r->multiplicity[i]);
    }
}

int cc_x_solve(cc_alg *g, cc_xp equation, cc_xp v, cc_xsolutions *out) {
    size_t conditions = g->n_conditions;
    *out = (cc_xsolutions){.kind = CC_SOLVED_UNKNOWN};
    if (!equation || !v) return -1;
    if (equation == g->yes) out->kind = CC_SOLVED_ALL, out->complete = true;
    if (equation == g->no) out->kind = CC_SOLVED_NONE, out->complete = true;
    if (out->complete) return 0;
    cc_xp f = equation;
    if (equation->kind == CC_X_REL) {
        if (equation->konst != CC_REL_EQ) return 0;
        f = cc_x_sub(g, equation->args[0], equation->args[1]);
    }
    if (!f) return -1;
    if (cc_solve_is_high(f, v)) return 0;
    if (cc_x_is_zero(g, f) == CC_TRUE) {
        cc_x_lost_poles(g, f, g->zero);
        out->kind = CC_SOLVED_ALL, out->complete = true;
        return 0;
    }
    cc_roots r, kept;
    cc_roots_init(&r, g), cc_roots_init(&kept, g);
    if (!cc_solve_zero(g, f, v, &r, 0)) return among_reals(g, equation, v, out);
    out->complete = r.complete;
    if (r.all) {
        out->kind = CC_SOLVED_ALL;
        return 0;
    }
    keep_roots(g, f, v, &r, &kept, &out->complete);
    out->roots = CC_ARENA_ARRAY(g->arena, cc_xp, kept.n + 1);
    out->multiplicity = CC_ARENA_ARRAY(g->arena, unsigned, kept.n + 1);
    for (size_t i = 0; i < kept.n; i++) {
        if (known(g, out, kept.at[i])) continue;
        out->roots[out->n] = kept.at[i];
        out->multiplicity[out->n++] = kept.multiplicity[i];
    }
    cc_roots_merge(g, out);
    bool family = false;
    for (size_t i = 0; i < out->n; i++) family = family || cc_roots_integer_of(g, out->roots[i]);
    cc_roots_sort(g, out);
    drop_conditions(g, conditions, out);
    if (r.set) { // whole intervals, and single roots
        for (size_t i = 0; i < out->n; i++) r.set = cc_x_or(g, r.set, cc_x_rel(g, CC_REL_EQ, v, out->roots[i]));
        cc_xp tidy = family ? NULL : cc_solve_inequality(g, r.set, v);
        out->kind = CC_SOLVED_SET;
        out->roots[0] = tidy ? tidy : r.set;
        out->n = 1;
        return g->err->code ? -1 : 0;
    }
    out->kind = out->n ? (family ? CC_SOLVED_FAMILY : CC_SOLVED_FINITE) : out->complete ? CC_SOLVED_NONE : CC_SOLVED_UNKNOWN;
    return g->err->code ? -1 : 0;
}
