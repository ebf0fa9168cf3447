// Are two expressions the same function? Called by the tool algebraic_equiv. The answer is proven (normal forms, exact arithmetic), refuted
// by a point where both values are enclosed apart, or undecided. Points where only one side is defined become conditions.
#include "codecalc/algebra.h"
#include "math/about.h"
#include "math/equiv.h"
#include "math/expr/read.h"
#include "math/simplify/simplify.h"

enum {
    REAL_TRIES = 30, // points that are tried as a witness
    TRIES = 60,
    WITNESS_DIGITS = 12,
    MOST_DIGITS = 100,
    POINTS = 12, // of the numeric check when nothing is proven
};

typedef struct side {
    cc_str plain; // plain notation
    cc_xp x;
    cc_xpoles poles;
} side;

// ---- reading ----

static int read_side(cc_alg *g, side *s, cc_str text, const char *field) {
    s->plain = cc_x_is_latex(text) ? cc_read_latex_plain(g, text, true) : text;
    s->x = s->plain.p ? cc_x_read(g, s->plain) : NULL;
    if (s->x && (s->x->kind >= CC_X_REL || s->x == g->yes || s->x == g->no)) {
        cc_error_set(g->err, CC_VALIDATION, "an expression is expected, not an equation, condition or list");
        cc_error_remedy(g->err, "of an equation give its two sides as a and b");
    } else if (s->x && (s->x == g->nan || s->x == g->zoo)) {
        cc_error_set(g->err, CC_VALIDATION, "the expression is not defined (division by zero)");
    } else if (s->x && !s->x->finite) {
        cc_error_set(g->err, CC_VALIDATION, "has an infinity: it is no function whose values could be compared");
        cc_error_remedy(g->err, "compare finite expressions; for a limit use symbolic op 'limit'");
    }
    return g->err->code ? cc_error_wrap(g->err, "%s", field) : 0;
}

// ---- points where a side is not defined ----

// The points that one side excludes and the other does not. What cannot be found out costs no error: it is only left out.
static void conditions(cc_alg *g, side *a, side *b) {
    cc_x_written_poles(g, &a->poles, a->plain);
    cc_x_written_poles(g, &b->poles, b->plain);
    cc_x_lost(g, &a->poles, &b->poles);
    cc_x_lost(g, &b->poles, &a->poles);
}

// ---- a witness ----

static bool allowed(cc_alg *g, cc_xp value, unsigned facts) {
    for (unsigned fact = 1; fact <= CC_IS_ODD; fact <<= 1)
        if ((facts & fact) && cc_x_is(g, value, fact) != CC_TRUE) return false;
    return true;
}

// The k-th value of symbol i, real for k below REAL_TRIES where possible.
static cc_xp choose(cc_alg *g, cc_xp symbol, size_t i, unsigned k) {
    static const int values[][4] = {{-1, 1, 0, 1}, {2, 1, 0, 1},  {1, 2, 0, 1},   {-2, 1, 0, 1}, {3, 1, 0, 1},  {-1, 2, 0, 1},
                                    {5, 1, 0, 1},  {1, 3, 0, 1},  {-3, 1, 0, 1},  {-4, 3, 0, 1}, {7, 1, 0, 1},  {4, 1, 0, 1},
                                    {6, 1, 0, 1},  {-6, 1, 0, 1}, {0, 1, 1, 1},   {1, 1, 1, 1},  {-1, 1, 2, 1}, {1, 1, 4, 1},
                                    {1, 2, -1, 1}, {0, 1, -5, 1}, {-2, 1, -1, 1}, {3, 1, 1, 2}};
    const size_t all = CC_ARRAY_LEN(values), n = k < REAL_TRIES ? 14 : all;
    for (size_t t = 0; t < all; t++) {
        const int *v = values[(k * (i + 1) + 5 * i + t) % n];
        cc_xp x = cc_x_add(g, cc_x_frac(g, v[0], v[1]), cc_x_mul(g, g->i, cc_x_frac(g, v[2], v[3])));
        if (x && allowed(g, x, symbol->facts)) return x;
    }
    return NULL;
}

static bool apart(cc_alg *g, cc_xp a, cc_xp b) {
    acb_t u, v;
    acb_init(u);
    acb_init(v);
    bool yes = cc_x_enclose(g, u, a, NULL, 256) && cc_x_enclose(g, v, b, NULL, 256) && !acb_overlaps(u, v);
    acb_clear(u);
    acb_clear(v);
    return yes;
}

// 44.000 and 44 read the same.
static bool same_decimal(cc_str a, cc_str b) {
    cc_str *longer = a.n > b.n ? &a : &b;
    if (longer->n && memchr(longer->p, '.', longer->n) && !memchr(longer->p, 'e', longer->n)) {
        while (longer->n && longer->p[longer->n - 1] == '0') longer->n--;
        longer->n -= longer->n && longer->p[longer->n - 1] == '.';
    }
    return cc_str_eq(a, b);
}

// A point where a and b are enclosed apart. *real: all its coordinates are.
static bool witness(cc_alg *g, cc_xp a, cc_xp b, cc_equiv_result *out, bool *real) {
    size_t n;
    const cc_xp *symbols = cc_x_symbols(g, cc_x_tuple(g, (const cc_xp[]){a, b}, 2), &n);
    cc_xp *values = CC_ARENA_ARRAY(g->arena, cc_xp, n + 1);
    for (unsigned k = 0; k < (n ? TRIES : 1) && cc_alg_go_on(g); k++) {
        *real = true;
        bool possible = true;
        for (size_t i = 0; i < n && possible; i++) {
            values[i] = choose(g, symbols[i], i, k);
            possible = values[i] != NULL;
            *real = *real && cc_x_is(g, values[i], CC_IS_REAL) == CC_TRUE;
        }
        cc_xp u = possible ? cc_x_subs_many(g, a, symbols, values, n) : NULL,
              v = possible ? cc_x_subs_many(g, b, symbols, values, n) : NULL;
        if (!u || !v || !apart(g, u, v)) continue;
        for (long digits = WITNESS_DIGITS; digits <= MOST_DIGITS; digits *= 2) { // as many as tell them apart
            out->value_a = cc_x_decimal(g, u, digits);
            out->value_b = cc_x_decimal(g, v, digits);
            if (!same_decimal(out->value_a, out->value_b)) break;
        }
        if (!out->value_a.n || !out->value_b.n) continue;
        out->point = CC_ARENA_ARRAY(g->arena, cc_equiv_value, n + 1);
        out->n_point = n;
        for (size_t i = 0; i < n; i++) out->point[i] = (cc_equiv_value){symbols[i]->name, cc_x_show(g, values[i])};
        return true;
    }
    out->value_a = out->value_b = (cc_str){NULL, 0};
    return false;
}

// ---- the decision ----

static cc_truth decide(cc_alg *g, cc_xp d, cc_equiv_result *out) {
    if (d == g->zero) {
        out->about.basis = "both have the same canonical form";
        return CC_TRUE;
    }
    cc_truth t = cc_x_is_zero(g, d);
    if (t == CC_UNDECIDED && cc_alg_may_search(g)) t = cc_x_is_zero(g, cc_x_simplify(g, d));
    if (t == CC_TRUE)
        out->about.basis = cc_x_is_constant(d) ? "the difference is zero by exact arithmetic" : "the difference has the normal form 0";
    return t;
}

// Identical when every symbol without assumptions is real, or positive? The assumption in *text.
static bool identical_when(cc_arena *arena, cc_str a, cc_str b, const cc_algebra_options *opt, bool positive, cc_str *text) {
    cc_error err = {0};
    cc_alg g;
    cc_alg_init(&g, arena, &err, opt->stop);
    g.soft_deadline_ms = opt->deadline_ms ? opt->deadline_ms - 300 : 0;
    side sa = {0}, sb = {0};
    bool same = false;
    if (!(opt->assume.n && cc_x_assume(&g, opt->assume)) && !read_side(&g, &sa, a, "a") && !read_side(&g, &sb, b, "b")) {
        size_t n;
        const cc_xp *symbols = cc_x_symbols(&g, cc_x_tuple(&g, (const cc_xp[]){sa.x, sb.x}, 2), &n);
        CC_CLEANUP_BUF cc_buf list = {0};
        for (size_t i = 0; i < n; i++) {
            if (symbols[i]->facts) continue;
            cc_buf_printf(&list, "%s%.*s %s", list.n ? ", " : "", (int)symbols[i]->name.n, symbols[i]->name.p, positive ? "> 0" : "real");
        }
        *text = cc_arena_dup(arena, cc_buf_str(&list));
        cc_alg_clear(&g);
        cc_alg_init(&g, arena, &err, opt->stop);
        g.soft_deadline_ms = opt->deadline_ms ? opt->deadline_ms - 300 : 0;
        cc_equiv_result ignored = {0};
        if (list.n && !(opt->assume.n && cc_x_assume(&g, opt->assume)) && !cc_x_assume(&g, *text) && !read_side(&g, &sa, a, "a") &&
            !read_side(&g, &sb, b, "b"))
            same = decide(&g, cc_x_sub(&g, sa.x, sb.x), &ignored) == CC_TRUE;
    }
    cc_alg_clear(&g);
    return same;
}

static void refuted(cc_alg *g, cc_str a, cc_str b, const cc_algebra_options *opt, bool at_real_point, cc_equiv_result *out) {
    cc_str text;
    out->about.grade = "certified";
    out->about.basis = "enclosures of both at a point lie apart";
    if ((!at_real_point && identical_when(g->arena, a, b, opt, false, &text)) || identical_when(g->arena, a, b, opt, true, &text))
        out->identical_if = text;
}

static void undecided(cc_alg *g, cc_xp d) {
    bool proven;
    cc_truth t = cc_x_is_zero_probably(g, d, POINTS, &proven);
    cc_alg_note(g, "not decided: tried normal forms, simplification%s and enclosures", cc_x_is_constant(d) ? ", Calcium" : "");
    if (t == CC_TRUE)
        cc_alg_note(g, "numerically the two agree to 100 bits at %d points, which is no proof", cc_x_is_constant(d) ? 1 : POINTS);
}

static int compare(cc_alg *g, cc_str a, cc_str b, const cc_algebra_options *opt, cc_equiv_result *out) {
    side sa = {0}, sb = {0};
    if (opt->assume.n && cc_x_assume(g, opt->assume)) return cc_error_wrap(g->err, "assume");
    if (read_side(g, &sa, a, "a") || read_side(g, &sb, b, "b")) return -1;
    cc_about_names(g, cc_x_tuple(g, (const cc_xp[]){sa.x, sb.x}, 2), NULL);
    out->a = cc_x_show(g, sa.x);
    out->b = cc_x_show(g, sb.x);
    cc_xp d = sa.x == sb.x ? g->zero : cc_x_sub(g, sa.x, sb.x);
    if (!d) return -1;
    bool real = true;
    out->identical = decide(g, d, out);
    if (out->identical != CC_TRUE && witness(g, sa.x, sb.x, out, &real)) out->identical = CC_FALSE;
    if (g->err->code) return -1;
    if (out->identical == CC_UNDECIDED && cc_alg_may_search(g)) out->identical = cc_equiv_by_cases(g, d, &out->about.basis);
    if (out->identical == CC_TRUE) {
        out->about.grade = "exact";
        out->difference = CC_STR("0");
        conditions(g, &sa, &sb);
    } else {
        cc_xp s = cc_alg_may_search(g) ? cc_x_simplify(g, d) : d;
        out->difference = cc_x_show(g, s && s->size <= d->size ? s : d);
        if (out->identical == CC_FALSE)
            refuted(g, a, b, opt, real, out);
        else
            undecided(g, d);
    }
    return g->err->code ? -1 : 0;
}

int cc_algebra_equiv(cc_arena *arena, cc_str a, cc_str b, const cc_algebra_options *opt, cc_equiv_result *out, cc_error *err) {
    *out = (cc_equiv_result){0};
    cc_alg g;
    cc_alg_init(&g, arena, err, opt->stop);
    g.soft_deadline_ms = opt->deadline_ms ? opt->deadline_ms - 300 : 0;
    int rc = compare(&g, a, b, opt, out);
    if (!rc) cc_about_tell(&g, &out->about);
    cc_alg_clear(&g);
    return rc;
}
