// Equations with functions that jump: Piecewise and Heaviside are solved piece by piece, floor, ceiling and Mod by the intervals on which
// they have their value. The variable is taken to be real, and that is said. Called by solve.c, which checks every root.
#include "math/solve/solve.h"

static void taken_as_real(cc_alg *g, cc_xp v) {
    if (cc_x_is(g, v, CC_IS_REAL) != CC_TRUE && !v->dummy) cc_alg_note(g, "%.*s was taken to be real", (int)v->name.n, v->name.p);
}

static cc_xp first_jump(cc_xp f, cc_xp v) {
    if (!cc_x_has(f, v)) return NULL;
    for (uint32_t i = 0; i < f->n; i++) {
        cc_xp inner = first_jump(f->args[i], v);
        if (inner) return inner;
    }
    return cc_x_is_fun(f, CC_F_PIECEWISE) || cc_x_is_fun(f, CC_F_HEAVISIDE) ? f : NULL;
}

// The roots of f with its jumping part replaced by `value`, where that holds under `condition`. False: not found.
static bool piece(cc_alg *g, cc_xp f, cc_xp part, cc_xp value, cc_xp condition, cc_xp v, cc_roots *r, unsigned depth) {
    if (condition == g->no) return true;
    cc_roots of_piece;
    cc_roots_init(&of_piece, g);
    if (!cc_solve_zero(g, cc_x_subs(g, f, part, value), v, &of_piece, depth + 1)) return false;
    if (of_piece.all || of_piece.set) {
        cc_xp set = of_piece.set ? cc_x_and(g, condition, of_piece.set) : condition;
        r->set = r->set ? cc_x_or(g, r->set, set) : set;
    }
    r->complete = r->complete && of_piece.complete;
    for (size_t i = 0; i < of_piece.n; i++) // the check puts them into f itself, and so sees in which piece they lie
        if (cc_x_is(g, of_piece.at[i], CC_IS_REAL) != CC_FALSE) cc_roots_add(r, of_piece.at[i], 0);
    return true;
}

bool cc_solve_pieces(cc_alg *g, cc_xp f, cc_xp v, cc_roots *r, unsigned depth) {
    cc_xp part = first_jump(f, v);
    if (!part) return false;
    taken_as_real(g, v);
    if (part->fn == CC_F_HEAVISIDE) {
        cc_xp u = part->args[0];
        return piece(g, f, part, g->zero, cc_x_rel(g, CC_REL_LT, u, g->zero), v, r, depth) &&
               piece(g, f, part, g->one, cc_x_rel(g, CC_REL_LT, g->zero, u), v, r, depth) &&
               piece(g, f, part, g->half, cc_x_rel(g, CC_REL_EQ, u, g->zero), v, r, depth);
    }
    cc_xp before = g->yes; // none of the conditions before holds
    for (uint32_t i = 0; i + 1 < part->n; i += 2) {
        cc_xp here = cc_x_and(g, before, part->args[i + 1]);
        if (!piece(g, f, part, part->args[i], here, v, r, depth)) return false;
        before = cc_x_and(g, before, cc_x_not(g, part->args[i + 1]));
    }
    return true;
}

bool cc_solve_is_step(cc_xp t) { return cc_x_is_fun(t, CC_F_FLOOR) || cc_x_is_fun(t, CC_F_CEIL) || cc_x_is_fun(t, CC_F_MOD); }

bool cc_solve_step(cc_alg *g, cc_xp t, cc_xp c, cc_xp v, cc_roots *r, unsigned depth) {
    cc_xp u = t->args[0];
    if (cc_x_is(g, c, CC_IS_REAL) == CC_FALSE) return true;
    if (!cc_x_is_constant(c)) return false;
    taken_as_real(g, v);
    if (t->fn == CC_F_MOD) { // with the sign of the modulus
        cc_xp m = t->args[1], sign = cc_x_sign(g, m) == -1 ? g->minus_one : g->one;
        if (!cc_x_is_constant(m) || cc_x_has(m, v) || cc_x_sign(g, m) == 2 || m == g->zero) return false;
        int low = cc_x_constant_compare(g, g->zero, cc_x_mul(g, sign, c)),
            high = cc_x_constant_compare(g, cc_x_mul(g, sign, c), cc_x_mul(g, sign, m));
        if (low == 2 || high == 2) return false;
        if (low == 1 || high >= 0) return true; // no remainder
        cc_xp value = cc_x_add(g, c, cc_x_mul(g, m, cc_roots_integer_beside(g, &u, 1)));
        cc_roots part;
        cc_roots_init(&part, g);
        if (u == v)
            cc_roots_add(&part, value, 0);
        else if (!cc_solve_zero(g, cc_x_sub(g, u, value), v, &part, depth + 1))
            return false;
        for (size_t i = 0; i < part.n; i++) cc_roots_add(r, part.at[i], 0);
        r->complete = r->complete && part.complete;
        return !part.all && !part.set;
    }
    int whole = cc_x_constant_compare(g, c, cc_x_f1(g, CC_F_FLOOR, c));
    if (whole == 2) return false;
    if (whole != 0) return true;
    bool floors = t->fn == CC_F_FLOOR;
    cc_xp low = floors ? c : cc_x_sub(g, c, g->one), high = floors ? cc_x_add(g, c, g->one) : c;
    cc_xp condition =
        cc_x_and(g, cc_x_rel(g, floors ? CC_REL_LE : CC_REL_LT, low, u), cc_x_rel(g, floors ? CC_REL_LT : CC_REL_LE, u, high));
    cc_xp set = cc_solve_inequality(g, condition, v);
    if (!set) return false;
    if (set != g->no) r->set = r->set ? cc_x_or(g, r->set, set) : set;
    return true;
}
