// Definite integrals with symbols in the integrand or the limits. Called by definite.c. Values come from the antiderivative, from the forms
// of forms.c, or from the integral of the derivative in a symbol, and are compared with integrals over numbers at several values of the
// symbols; what a value wants of the symbols is stated with it.
#include "math/integrate/definite.h"

enum { CHECK_BITS = 60, FORM_BITS = 40, MAX_SYMBOLS = 8, ROUNDS = 24, ENOUGH = 4 };

// A path between limits with symbols in them.
typedef struct path {
    cc_alg *g;
    cc_xp v, a, b;
    bool blocked;
} path;

// No real zero of u is strictly between the ends, as far as the signs of the symbols decide that.
static void keep_clear(void *ctx, cc_xp u) {
    path *p = ctx;
    cc_alg *g = p->g;
    if (p->blocked || !u || cc_int_free(u, p->v)) return;
    cc_xsolutions s = {0};
    if (!cc_int_solve_quietly(g, u, p->v, &s)) {
        p->blocked = true;
        return;
    }
    if (s.kind == CC_SOLVED_NONE) return;
    p->blocked = s.kind != CC_SOLVED_FINITE || !s.complete;
    for (size_t i = 0; i < s.n && !p->blocked; i++) {
        cc_xp root = s.roots[i];
        if (cc_x_is(g, root, CC_IS_REAL) == CC_FALSE) continue;
        int below = p->a->finite ? cc_x_sign(g, cc_x_sub(g, root, p->a)) : 1,
            above = p->b->finite ? cc_x_sign(g, cc_x_sub(g, root, p->b)) : -1;
        // outside whichever end is the greater
        p->blocked =
            !((below <= 0 && above <= 0) || (below == 1 && above == 1) || (below == 0 && above == 1) || (below == 1 && above == 0));
    }
}

// A function with cuts of a complex argument: where it crosses them is not followed.
static bool has_complex_cut(cc_alg *g, cc_xp x, cc_xp v) {
    if (cc_int_free(x, v)) return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (has_complex_cut(g, x->args[i], v)) return true;
    bool cut = (x->kind == CC_X_POW && !cc_x_is_int(x->args[1])) || (x->kind == CC_X_FUN && !cc_int_entire(x, v));
    return cut && cc_x_has(x, g->i);
}

// The symbols of a question, each with a stand-in that is positive where nothing else is assumed.
typedef struct standing {
    cc_xp old[MAX_SYMBOLS], with[MAX_SYMBOLS];
    size_t n;
    cc_xp f, a, b; // with the stand-ins
} standing;

// s occurs in x elsewhere than in exponents.
static bool outside_exponents(cc_xp x, cc_xp s) {
    if (x == s) return true;
    if (x->kind == CC_X_POW) return outside_exponents(x->args[0], s);
    for (uint32_t i = 0; i < x->n; i++)
        if (outside_exponents(x->args[i], s)) return true;
    return false;
}

// exponents: what occurs only there may have any sign.
static bool stand_in(cc_alg *g, standing *t, cc_xp f, cc_xp v, cc_xp a, cc_xp b, bool exponents) {
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, cc_x_tuple(g, (const cc_xp[]){f, a, b}, 3), &n);
    *t = (standing){0};
    if (!symbols || n > MAX_SYMBOLS) return false;
    for (size_t i = 0; i < n; i++) {
        if (symbols[i] == v) continue;
        bool free = exponents && !outside_exponents(f, symbols[i]);
        t->old[t->n] = symbols[i];
        t->with[t->n++] = symbols[i]->facts & (CC_IS_REAL | CC_IS_POSITIVE | CC_IS_NEGATIVE)
                              ? symbols[i]
                              : cc_x_dummy(g, "p", free ? CC_IS_REAL : CC_IS_POSITIVE);
    }
    t->f = cc_x_subs_many(g, f, t->old, t->with, t->n);
    t->a = cc_x_subs_many(g, a, t->old, t->with, t->n);
    t->b = cc_x_subs_many(g, b, t->old, t->with, t->n);
    return t->f && t->a && t->b;
}

// Small and large values that fit the assumptions.
static void values(cc_alg *g, const standing *t, cc_xp *at, slong round, const slong (*scale)[2], slong scales) {
    for (size_t i = 0; i < t->n; i++) {
        const slong *k = scale[(round + (slong)i * round) % scales];
        at[i] = cc_x_frac(g, (5 + 3 * (slong)i) * k[0], (4 + (slong)i) * k[1]);
        if (t->with[i]->facts & CC_IS_INTEGER) at[i] = cc_x_int(g, 2 + (slong)i + round);
        if (t->with[i]->facts & CC_IS_NEGATIVE) at[i] = cc_x_neg(g, at[i]);
    }
}

static void state_positive(cc_alg *g, const standing *t) {
    for (size_t i = 0; i < t->n; i++)
        if (t->with[i] != t->old[i] && (t->with[i]->facts & CC_IS_POSITIVE))
            cc_alg_condition(g, cc_x_rel(g, CC_REL_LT, g->zero, t->old[i]));
}

// ---- forms ----

// The form holds at numbers for which its conditions do.
static bool holds(cc_alg *g, const standing *t, const cc_int_form *form, cc_xp v) {
    static const slong scale[][2] = {{1, 1}, {1, 7}, {5, 3}, {2, 3}, {1, 3}, {9, 4}, {1, 2}};
    slong good = 0;
    arb_t re, im;
    acb_t x, y;
    arb_init(re);
    arb_init(im);
    acb_init(x);
    acb_init(y);
    bool differs = false;
    for (slong round = 0; round < ROUNDS && good < (t->n ? ENOUGH : 1) && !differs && cc_alg_may_search(g); round++) {
        cc_xp at[MAX_SYMBOLS];
        bool fits = true;
        values(g, t, at, round, scale, CC_ARRAY_LEN(scale));
        for (size_t i = 0; i < t->n; i++) // of either sign
            if (round % 3 == 1 && !(t->with[i]->facts & (CC_IS_POSITIVE | CC_IS_NEGATIVE | CC_IS_INTEGER))) at[i] = cc_x_neg(g, at[i]);
        for (size_t i = 0; i < form->n; i++) fits = fits && cc_x_subs_many(g, form->conditions[i], t->with, at, t->n) == g->yes;
        if (!fits) continue;
        cc_xp number = cc_x_subs_many(g, form->value, t->with, at, t->n), f = cc_x_subs_many(g, t->f, t->with, at, t->n);
        if (!number || !cc_x_enclose_to(g, x, number, NULL, FORM_BITS) || !cc_x_quadrature(g, re, im, f, v, t->a, t->b, FORM_BITS))
            continue;
        acb_set_arb_arb(y, re, im);
        differs = !acb_overlaps(x, y);
        good += !differs;
    }
    acb_clear(x);
    acb_clear(y);
    arb_clear(re);
    arb_clear(im);
    return !differs && good >= (t->n ? ENOUGH : 1) && g->err->code == CC_OK;
}

static cc_xp from_form(cc_alg *g, const standing *t, const cc_int_form *form, cc_xp v, const char **graded) {
    for (size_t i = 0; i < form->n; i++)
        if (form->conditions[i] == g->no) return NULL;
    if (!holds(g, t, form, v)) return NULL;
    state_positive(g, t);
    for (size_t i = 0; i < form->n; i++) cc_alg_condition(g, cc_x_subs_many(g, form->conditions[i], t->with, t->old, t->n));
    if (graded) *graded = form->proven ? "exact" : "cross_checked";
    return cc_x_subs_many(g, cc_x_simplify(g, form->value), t->with, t->old, t->n);
}

// ---- by the antiderivative ----

static cc_xp difference(cc_alg *g, cc_xp h, cc_xp v, cc_xp lower, cc_xp upper, cc_xp *antiderivative, const char **grade) {
    size_t conditions = g->n_conditions;
    cc_xp F = cc_x_antiderivative(g, h, v, grade), ends[2];
    g->n_conditions = conditions; // those of the value are stated later
    if (!F) return NULL;
    *antiderivative = F;
    for (int i = 0; i < 2; i++) {
        cc_xp at = i ? upper : lower;
        cc_xp plain = at->finite ? cc_x_subs(g, F, v, at) : NULL;
        ends[i] = plain && plain->finite && cc_int_entire(F, v) ? plain : cc_int_limit(g, F, v, at, i ? '-' : '+');
        if (!ends[i] && g->err->code == CC_OK) ends[i] = plain; // what that is worth the comparison below says
        if (!ends[i] || !ends[i]->finite) return NULL;
    }
    cc_xp value = cc_x_sub(g, ends[1], ends[0]);
    return value && value->finite ? value : NULL;
}

static bool has_integer(const standing *t) {
    for (size_t i = 0; i < t->n; i++)
        if (t->with[i]->facts & CC_IS_INTEGER) return true;
    return false;
}

// Limits of the antiderivative, compared with the closed integral at several values of the symbols.
static cc_xp by_antiderivative(cc_alg *g, const standing *t, cc_xp f, cc_xp v, const char **graded) {
    const char *grade = NULL;
    cc_xp F, value = difference(g, t->f, v, t->a, t->b, &F, &grade);
    if (!value) return NULL;
    bool everywhere = cc_int_entire(F, v) && cc_int_entire(t->f, v) && t->a->finite && t->b->finite;
    if (!everywhere) {
        path clear = {.g = g, .v = v, .a = t->a, .b = t->b};
        cc_int_singularities(g, t->f, v, keep_clear, &clear);
        cc_int_singularities(g, F, v, keep_clear, &clear);
        if (clear.blocked || has_complex_cut(g, F, v) || has_complex_cut(g, t->f, v)) return NULL;
        for (slong round = 0; round < 5; round++) {
            static const slong scale[5][2] = {{1, 1}, {1, 7}, {5, 1}, {2, 3}, {19, 2}};
            cc_xp at[MAX_SYMBOLS];
            values(g, t, at, round, scale, 5);
            cc_xp number = cc_x_subs_many(g, value, t->with, at, t->n);
            const char *ignored = NULL;
            size_t notes = g->n_notes, conditions = g->n_conditions;
            cc_xp other = cc_x_integral(g, cc_x_subs_many(g, t->f, t->with, at, t->n), v, cc_x_subs_many(g, t->a, t->with, at, t->n),
                                        cc_x_subs_many(g, t->b, t->with, at, t->n), &ignored);
            g->n_notes = notes; // of the comparison, not of the answer
            g->n_conditions = conditions;
            if (!number || !other || !other->finite) return NULL;
            acb_t x, y;
            acb_init(x);
            acb_init(y);
            bool same =
                cc_x_enclose_to(g, x, number, NULL, CHECK_BITS) && cc_x_enclose_to(g, y, other, NULL, CHECK_BITS) && acb_overlaps(x, y);
            acb_clear(x);
            acb_clear(y);
            if (!same) return NULL;
        }
        state_positive(g, t);
    } else { // F was found as if the symbols were positive: is it an antiderivative whatever they are?
        cc_xp plain = cc_x_subs_many(g, F, t->with, t->old, t->n);
        if (plain && cc_x_is_zero(g, cc_x_sub(g, cc_x_diff(g, plain, v), f)) == CC_TRUE)
            value = cc_x_sub(g, cc_x_subs(g, plain, v, cc_x_subs_many(g, t->b, t->with, t->old, t->n)),
                             cc_x_subs(g, plain, v, cc_x_subs_many(g, t->a, t->with, t->old, t->n)));
        else
            state_positive(g, t);
    }
    if (!value) return NULL;
    if (graded) *graded = everywhere ? grade : "cross_checked";
    value = cc_x_subs_many(g, cc_x_simplify(g, value), t->with, t->old, t->n);
    // The integral is an analytic function of the symbols then, and so equal to the value wherever that has one; for integers, whose waves
    // were simplified away (sin(pi*n)/n), only where the antiderivative has one.
    if (everywhere) cc_int_state_conditions(g, has_integer(t) ? cc_x_subs_many(g, F, t->with, t->old, t->n) : value, f, v);
    return value;
}

// ---- by the derivative in a symbol ----

// The integral of df/dp in v is found, and its antiderivative A in p; where f vanishes, at p = 0 or p another symbol, so does the integral.
static bool by_parameter(cc_alg *g, const standing *t, cc_int_form *out, cc_xp v) {
    *out = (cc_int_form){0};
    for (size_t i = 0; i < t->n && cc_alg_may_search(g); i++) {
        cc_xp p = t->with[i], from = NULL, ignored, J = NULL;
        if (!cc_int_free(t->a, p) || !cc_int_free(t->b, p) || cc_int_free(t->f, p)) continue;
        for (size_t k = 0; k <= t->n && !from; k++) {
            cc_xp at = k ? t->with[k - 1] : g->zero, there = at == p ? NULL : cc_x_subs(g, t->f, p, at);
            if (there && there->finite && cc_x_is_zero(g, there) == CC_TRUE) from = at;
        }
        cc_xp slope = from ? cc_x_diff(g, t->f, p) : NULL;
        if (!slope || slope->size > 4 * t->f->size + 40) continue;
        const char *grade = NULL;
        cc_int_form form;
        slope = cc_x_simplify(g, slope);
        if (cc_int_known_form(g, &form, slope, v, t->a, t->b)) J = form.value;
        if (!J) J = difference(g, slope, v, t->a, t->b, &ignored, &grade);
        J = J ? cc_x_simplify(g, J) : NULL;
        cc_xp A = J && cc_int_free(J, v) ? cc_x_antiderivative(g, J, p, &grade) : NULL;
        cc_xp start = A ? cc_x_subs(g, A, p, from) : NULL;
        if (start && !start->finite) start = cc_x_limit(g, A, p, from, '+', NULL, NULL);
        if (!start || !start->finite) continue;
        out->value = cc_x_sub(g, A, start);
        return out->value != NULL;
    }
    return false;
}

cc_xp cc_int_by_form(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, bool proven, const char **graded) {
    standing t;
    cc_int_form form;
    if (!stand_in(g, &t, f, v, a, b, true) || !cc_int_known_form(g, &form, t.f, v, t.a, t.b)) return NULL;
    if (proven && !form.proven) return NULL;
    return from_form(g, &t, &form, v, graded);
}

cc_xp cc_int_with_symbols(cc_alg *g, cc_xp f, cc_xp v, cc_xp a, cc_xp b, const char **graded) {
    standing t;
    cc_int_form form;
    size_t notes = g->n_notes, conditions = g->n_conditions;
    cc_xp value = cc_int_by_form(g, f, v, a, b, false, graded);
    if (value || g->err->code != CC_OK || !stand_in(g, &t, f, v, a, b, false)) return value;
    value = by_antiderivative(g, &t, f, v, graded);
    if (value || g->err->code != CC_OK) return value;
    g->n_notes = notes;
    g->n_conditions = conditions;
    bool found = by_parameter(g, &t, &form, v);
    g->n_notes = notes;
    g->n_conditions = conditions;
    return found ? from_form(g, &t, &form, v, graded) : NULL;
}
