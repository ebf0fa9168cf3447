// Equations, inequalities and systems of the tool `symbolic`: what src/math/solve found, as fields. All, none, not found and "these among
// others" are told apart. Called by the table in symbolic.c.
#include "math/symbolic.h"

#include "math/excluded.h"
#include "math/solve/solve.h"

#define ROOT_BITS   120 // of zeros without a closed form
#define ROOT_DIGITS 30
#define WINDOW_MS   1000 // at most, for what nobody asked
#define WINDOW      10   // around 0, where roots are looked for when the whole line is too much

static void question(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_str text = cc_x_show(g, j->expr);
    if (text.p && j->expr->kind < CC_X_REL && j->expr != g->yes && j->expr != g->no)
        text = cc_arena_printf(g->arena, "Eq(%.*s, 0)", (int)text.n, text.p);
    cc_symbolic_say(j, "equation", text);
    cc_symbolic_show(j, "variable", j->var);
}

static void graded(cc_symbolic_job *j, const char *grade, const char *basis) {
    j->out->about.grade = grade;
    j->out->about.basis = basis;
}

// Decimals beside roots that are not rational.
static void say_decimals(cc_symbolic_job *j, const cc_xp *roots, size_t n) {
    cc_str *text = CC_ARENA_ARRAY(j->g.arena, cc_str, n + 1);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!cc_x_is_constant(roots[i])) return;
        any = any || roots[i]->kind != CC_X_NUM;
        text[i] = cc_x_decimal(&j->g, roots[i], j->q->options.digits);
        if (!text[i].n) return;
    }
    if (any) cc_symbolic_list(j, "approx", text, n);
}

static const cc_str *shown(cc_alg *g, const cc_xp *x, size_t n) {
    cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, n + 1);
    for (size_t i = 0; i < n; i++) text[i] = cc_x_show(g, x[i]);
    return text;
}

// A root or logarithm in f has a negative argument at the real number `root`: it solves f among the complex numbers only.
static bool leaves_the_reals(cc_alg *g, cc_xp f, cc_xp v, cc_xp root) {
    if (!cc_x_has(f, v)) return false;
    bool branched = f->kind == CC_X_POW && cc_x_is_num(f->args[1]) && !cc_x_is_int(f->args[1]);
    if ((branched || cc_x_is_fun(f, CC_F_LOG)) && cc_x_is(g, cc_x_subs(g, f->args[0], v, root), CC_IS_NEGATIVE) == CC_TRUE) return true;
    for (size_t i = 0; i < f->n; i++)
        if (leaves_the_reals(g, f->args[i], v, root)) return true;
    return false;
}

// Which of the roots are real, where that does not show.
static void say_real(cc_symbolic_job *j, const cc_xsolutions *s) {
    cc_alg *g = &j->g;
    cc_xp *real = CC_ARENA_ARRAY(g->arena, cc_xp, s->n + 1);
    bool sure;
    size_t n = cc_roots_real(g, s, real, &sure);
    for (size_t i = 0; i < n; i++)
        if (cc_x_is_constant(real[i]) && leaves_the_reals(g, j->expr, j->var, real[i]))
            cc_alg_note(g, "at %.*s the terms are complex: it is no solution among real numbers", (int)cc_x_show(g, real[i]).n,
                        cc_x_show(g, real[i]).p);
    bool differ = n != s->n;
    for (size_t i = 0; i < n && !differ; i++) differ = real[i] != s->roots[i];
    if (!sure || !differ) return;
    if (!n) cc_alg_note(g, "no solution is real");
    if (n && s->kind == CC_SOLVED_FAMILY) cc_symbolic_list(j, "real", shown(g, real, n), n);
}

// Which names stand for integers.
static void say_integers(cc_alg *g, const cc_xsolutions *s) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_xp last = NULL, told[8];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t k;
        const cc_xp *symbols = cc_x_symbols(g, s->roots[i], &k);
        for (size_t m = 0; m < k; m++) {
            bool known = cc_roots_integer_of(g, symbols[m]) != symbols[m] || n == CC_ARRAY_LEN(told);
            for (size_t t = 0; t < n; t++) known = known || told[t] == symbols[m];
            if (known) continue;
            last = told[n++] = symbols[m];
            cc_buf_printf(&b, "%s%.*s", b.n ? ", " : "", (int)last->name.n, last->name.p);
        }
    }
    if (n) cc_alg_note(g, n == 1 ? "%.*s is any integer" : "%.*s are any integers", (int)b.n, b.p);
}

static void say_roots(cc_symbolic_job *j, const cc_xsolutions *s) {
    cc_alg *g = &j->g;
    cc_str *times = CC_ARENA_ARRAY(g->arena, cc_str, s->n + 1);
    bool multiple = false, known = true;
    for (size_t i = 0; i < s->n; i++) {
        times[i] = cc_arena_printf(g->arena, "%u", s->multiplicity[i]);
        multiple = multiple || s->multiplicity[i] > 1;
        known = known && s->multiplicity[i] > 0;
    }
    cc_symbolic_list(j, "solutions", shown(g, s->roots, s->n), s->n);
    if (multiple && known && s->kind != CC_SOLVED_FAMILY) cc_symbolic_list(j, "multiplicities", times, s->n);
    say_decimals(j, s->roots, s->n);
    say_real(j, s);
    if (s->kind == CC_SOLVED_FAMILY) {
        cc_symbolic_say(j, "status", CC_STR("family"));
        say_integers(g, s);
    }
    if (!s->complete) cc_symbolic_raw(j, "complete", CC_STR("false"));
    if (g->cross_checked)
        graded(j, "cross_checked", "every root was put into the equation, some to 100 bits only");
    else
        graded(j, "exact", "every root was put into the equation");
}

// ---- between bounds ----

typedef struct bounds {
    cc_xp low, high; // NULL: not given
} bounds;

static bool read_bounds(cc_symbolic_job *j, bounds *b) {
    *b = (bounds){0};
    if (cc_str_trim(j->q->lower).n && !(b->low = cc_symbolic_argument(j, "lower", j->q->lower))) return false;
    if (cc_str_trim(j->q->upper).n && !(b->high = cc_symbolic_argument(j, "upper", j->q->upper))) return false;
    int order = b->low && b->high ? cc_x_constant_compare(&j->g, b->low, b->high) : -1;
    if (order == -1 || j->g.err->code) return !j->g.err->code;
    cc_error_set(j->g.err, CC_VALIDATION, "lower: must be a real number below upper");
    cc_error_remedy(j->g.err, "give numbers such as 0 and 2*pi");
    return false;
}

// 1: inside, 0: outside, -1: not known.
static int inside(cc_alg *g, const bounds *b, cc_xp x) {
    cc_truth real = cc_x_is(g, x, CC_IS_REAL);
    if (real != CC_TRUE) return real == CC_FALSE ? 0 : -1;
    int low = b->low ? cc_x_constant_compare(g, b->low, x) : -1, high = b->high ? cc_x_constant_compare(g, x, b->high) : -1;
    if (low == 2 || high == 2) return -1;
    return low <= 0 && high <= 0;
}

static bool is_condition(cc_xp x) {
    return (x->kind == CC_X_REL && x->konst != CC_REL_EQ) || x->kind == CC_X_AND || x->kind == CC_X_OR || x->kind == CC_X_NOT;
}

static void inequality(cc_symbolic_job *j, const bounds *b) {
    cc_alg *g = &j->g;
    if (b->low) j->expr = cc_x_and(g, j->expr, cc_x_rel(g, CC_REL_LE, b->low, j->var));
    if (b->high) j->expr = cc_x_and(g, j->expr, cc_x_rel(g, CC_REL_LE, j->var, b->high));
    size_t n;
    cc_x_symbols(g, j->expr, &n);
    bool parameters = n > 1;
    cc_xp set = cc_solve_inequality(g, j->expr, j->var), period = NULL;
    if (!set && !b->low && !b->high && !g->err->code && (period = cc_solve_period(g, j->expr, j->var))) { // on one period
        cc_xp whole = cc_x_and(g, cc_x_rel(g, CC_REL_LE, g->zero, j->var), cc_x_rel(g, CC_REL_LT, j->var, period));
        set = cc_solve_inequality(g, cc_x_and(g, j->expr, whole), j->var);
        if (set == whole) set = g->yes;
        if (set && set != g->yes && set != g->no) {
            cc_str text = cc_x_show(g, period);
            cc_alg_note(g, "of one period: the same holds at every distance that is a multiple of %.*s", (int)text.n, text.p);
        }
    }
    if (set == j->g.yes)
        cc_symbolic_say(j, "status", CC_STR("all real values"));
    else if (set == j->g.no)
        cc_symbolic_say(j, "status", CC_STR("none"));
    else if (set)
        cc_symbolic_show_result(j, "result", set);
    else if (!j->g.err->code)
        cc_symbolic_say(j, "status",
                        parameters ? CC_STR("unknown: it depends on the other symbols; assume their signs, or give numbers")
                                   : CC_STR("unknown: the points where it changes were not all found; bounds (lower, upper) may help"));
    if (set) graded(j, "exact", "every interval between the points where it can change was tried");
}

#define MOST_MEMBERS 1000

// The members of a family between the bounds; false: these are not found exactly.
static bool members_inside(cc_alg *g, const bounds *b, cc_xp family, cc_roots *out) {
    cc_xp n = cc_roots_integer_of(g, family), first, step, k;
    if (!b->low || !b->high || !cc_roots_linear(g, family, n, &first, &step) || !cc_x_is_constant(first) || !cc_x_is_constant(step))
        return false;
    cc_truth real = cc_x_is(g, first, CC_IS_REAL);
    if (cc_x_is(g, step, CC_IS_REAL) != CC_TRUE || real == CC_UNDECIDED) return false;
    if (real == CC_FALSE) return true;
    cc_xp from = cc_x_sign(g, step) > 0 ? b->low : b->high;
    k = cc_x_f1(g, CC_F_CEIL, cc_x_div(g, cc_x_sub(g, from, first), step));
    if (!cc_x_is_int(k)) return false;
    for (size_t i = 0; i < MOST_MEMBERS && cc_alg_may_search(g); i++, k = cc_x_add(g, k, g->one)) {
        cc_xp x = cc_x_subs(g, family, n, k);
        int in = inside(g, b, x);
        if (in < 0) return false;
        if (!in) return true;
        cc_roots_add(out, x, 0);
    }
    return false;
}

// All roots, exactly, that lie between the bounds; false: not found so.
static bool exact_between(cc_symbolic_job *j, const bounds *b) {
    cc_alg *g = &j->g;
    cc_xsolutions s;
    cc_roots r;
    size_t conditions = g->n_conditions, notes = g->n_notes;
    cc_roots_init(&r, g);
    bool ok = !cc_x_solve(g, j->expr, j->var, &s) && s.complete &&
              (s.kind == CC_SOLVED_FINITE || s.kind == CC_SOLVED_FAMILY || s.kind == CC_SOLVED_NONE);
    ok = ok && g->n_conditions == conditions;
    if (s.kind == CC_SOLVED_SET && s.complete && g->n_conditions == conditions && !g->err->code) { // whole intervals
        j->expr = s.roots[0];
        inequality(j, b);
        return true;
    }
    for (size_t i = 0; ok && i < s.n; i++) {
        if (!cc_x_is_constant(s.roots[i])) {
            ok = members_inside(g, b, s.roots[i], &r);
            continue;
        }
        int in = inside(g, b, s.roots[i]);
        ok = in >= 0;
        if (in > 0) cc_roots_add(&r, s.roots[i], s.multiplicity[i]);
    }
    g->n_conditions = conditions, g->n_notes = notes;
    if (!ok) return false;
    cc_xsolutions found = {.kind = CC_SOLVED_FINITE, .roots = r.at, .multiplicity = r.multiplicity, .n = r.n, .complete = true};
    cc_roots_sort(g, &found);
    if (!r.n) cc_symbolic_say(j, "status", CC_STR("none"));
    say_roots(j, &found);
    return true;
}

// A rational number of few digits inside the enclosure that is a zero.
static cc_xp exactly(cc_alg *g, cc_xp f, cc_xp v, const arb_t at) {
    fmpz_t z;
    arb_t scaled;
    fmpz_init(z), arb_init(scaled);
    cc_xp out = NULL;
    for (ulong q = 1; q <= 60 && !out; q++) {
        arb_mul_ui(scaled, at, q, ROOT_BITS);
        if (!arb_get_unique_fmpz(z, scaled)) continue;
        cc_xp x = cc_x_div(g, cc_x_fmpz(g, z), cc_x_int(g, (slong)q));
        if (cc_x_is_zero(g, cc_x_subs(g, f, v, x)) == CC_TRUE) out = x;
    }
    fmpz_clear(z), arb_clear(scaled);
    return out;
}

static bool enclosed(cc_alg *g, const bounds *b, arb_t low, arb_t high) {
    acb_t x, y;
    acb_init(x), acb_init(y);
    bool ok = b->low && b->high && cc_x_enclose_to(g, x, b->low, NULL, 128) && cc_x_enclose_to(g, y, b->high, NULL, 128);
    if (ok) arb_set(low, acb_realref(x)), arb_set(high, acb_realref(y));
    acb_clear(x), acb_clear(y);
    return ok;
}

static cc_xp difference(cc_symbolic_job *j) {
    return j->expr->kind == CC_X_REL ? cc_x_sub(&j->g, j->expr->args[0], j->expr->args[1]) : j->expr;
}

// Real zeros without closed form, isolated with proof. window: the bounds are ours.
static bool numeric(cc_symbolic_job *j, const bounds *b, bool window) {
    cc_alg *g = &j->g;
    cc_xp f = difference(j);
    arb_t low, high;
    arb_init(low), arb_init(high);
    cc_real_roots r = {0};
    bool given = enclosed(g, b, low, high), whole = !b->low && !b->high;
    bool ok = given   ? cc_solve_real_roots(g, f, j->var, low, high, ROOT_BITS, &r)
              : whole ? cc_solve_all_real_roots(g, f, j->var, ROOT_BITS, &r)
                      : false;
    ok = ok && (window ? r.complete : r.complete || r.n);
    if (ok) {
        cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, r.n + 1);
        for (size_t i = 0; i < r.n; i++) {
            cc_xp q = exactly(g, f, j->var, r.at + i);
            char *digits = q ? NULL : arb_get_str(r.at + i, ROOT_DIGITS, ARB_STR_NO_RADIUS);
            text[i] = q ? cc_x_show(g, q) : cc_arena_dup(g->arena, cc_str_of(digits));
            if (digits) flint_free(digits);
        }
        if (!window) cc_symbolic_say(j, "status", r.n ? CC_STR("real roots as decimals") : CC_STR("no real root"));
        cc_symbolic_list(j, "solutions", text, r.n);
        if (!r.complete) {
            cc_symbolic_raw(j, "complete", CC_STR("false"));
            if (whole && !r.unsure.n) cc_alg_note(g, "it was not proven that there are no others far from 0");
            if (r.unsure.n) cc_alg_note(g, "undecided: %.*s", (int)r.unsure.n, r.unsure.p);
        } else if (window) {
            cc_symbolic_raw(j, "complete", CC_STR("false"));
            cc_str low_text = cc_x_show(g, b->low), high_text = cc_x_show(g, b->high);
            cc_alg_note(g, r.n ? "these are all between %.*s and %.*s" : "none lies between %.*s and %.*s", (int)low_text.n, low_text.p,
                        (int)high_text.n, high_text.p);
        } else {
            cc_alg_note(g, given          ? "no other real root lies between the bounds"
                           : r.everywhere ? "there is no other real root"
                                          : "no other real root with a size below 2**1000");
        }
        graded(j, "certified", "each is the only one in its interval, by the signs of the function and of derivatives");
    }
    cc_real_roots_clear(&r);
    arb_clear(low), arb_clear(high);
    return ok;
}

// No closed form, and the whole line is not settled: what is known, the roots in a window, and the call that asks for others.
static void unsettled(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    size_t n;
    cc_x_symbols(g, j->expr, &n);
    if (n > 1) { // no roots to be isolated
        cc_symbolic_say(j, "status",
                        CC_STR("unknown: no closed form was found; with numbers for the other symbols its real roots can be had"));
        return;
    }
    if (cc_solve_jumps(j->expr)) {
        cc_symbolic_say(j, "status", CC_STR("unknown: no closed form was found, and with functions that jump no roots are isolated"));
        return;
    }
    bool endless = cc_solve_endless(g, difference(j), j->var);
    cc_symbolic_say(
        j, "status",
        endless ? CC_STR("infinitely many real roots, without closed form; give lower and upper")
                : CC_STR("unknown: no closed form, and the real zeros on the whole line could not be isolated; give lower and upper"));
    const bounds window = {cc_x_int(g, -WINDOW), cc_x_int(g, WINDOW)};
    int64_t deadline = g->soft_deadline_ms, soon = cc_now_ms() + WINDOW_MS;
    if (!deadline || deadline > soon) g->soft_deadline_ms = soon;
    numeric(j, &window, true);
    g->soft_deadline_ms = deadline;
    cc_str equation = cc_x_show(g, j->expr), v = cc_x_show(g, j->var);
    if (memchr(equation.p, '"', equation.n) || memchr(equation.p, '\\', equation.n)) return;
    cc_symbolic_raw(j, "next",
                    cc_arena_printf(g->arena,
                                    "{\"tool\":\"symbolic\",\"arguments\":{\"op\":\"solve\",\"expr\":\"%.*s\",\"var\":\"%.*s\","
                                    "\"lower\":\"%d\",\"upper\":\"%d\"}}",
                                    (int)equation.n, equation.p, (int)v.n, v.p, -10 * WINDOW, 10 * WINDOW));
}

// Conditions with commas between them all have to hold.
cc_xp cc_symbolic_read_several(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_str text = j->q->expr;
    size_t from = 0;
    int depth = 0;
    cc_xp all = NULL;
    if (cc_x_is_latex(text)) return cc_symbolic_argument(j, "expr", text);
    for (size_t i = 0; i <= text.n; i++) {
        char c = i < text.n ? text.p[i] : ',';
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (c != ',' || (depth && i < text.n)) continue;
        cc_str part = {text.p + from, i - from};
        bool compares = part.n && (memchr(part.p, '<', part.n) || memchr(part.p, '>', part.n) || memchr(part.p, '=', part.n));
        if (!compares) // a comma of other meaning
            return cc_symbolic_argument(j, "expr", text);
        cc_xp x = cc_symbolic_argument(j, "expr", part);
        if (!x) return NULL;
        if (all && x->kind == CC_X_REL && x->konst == CC_REL_EQ && all->kind == CC_X_REL && all->konst == CC_REL_EQ) {
            cc_error_set(g->err, CC_VALIDATION, "expr: has several equations");
            cc_error_remedy(g->err, "use op 'solve_linear' with system and variables");
            return NULL;
        }
        all = all ? cc_x_and(g, all, x) : x;
        from = i + 1;
    }
    return all;
}

static bool is_whole_line(cc_alg *g, cc_xp set, cc_xp v) {
    return set == g->yes || set == cc_x_and(g, cc_x_rel(g, CC_REL_LT, g->neg_oo, v), cc_x_rel(g, CC_REL_LT, v, g->oo));
}

void cc_symbolic_solve(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    cc_xsolutions s;
    bounds b;
    question(j);
    if (!read_bounds(j, &b)) return;
    const cc_xpoles *written = cc_excluded_of_text(g, j->q->expr, j->expr), nothing = {.n = 0};
    if (is_condition(j->expr)) {
        inequality(j, &b);
        cc_x_lost(g, written, &nothing);
        return;
    }
    if (b.low || b.high) {
        if (!exact_between(j, &b) && !g->err->code && !numeric(j, &b, false) && !g->err->code)
            cc_symbolic_say(j, "status", CC_STR("unknown: no closed form, and the real zeros between the bounds could not be isolated"));
        return;
    }
    if (cc_x_solve(g, j->expr, j->var, &s)) return;
    if (s.kind == CC_SOLVED_FINITE || s.kind == CC_SOLVED_FAMILY)
        cc_excluded_roots(g, written, j->var, &s);
    else
        cc_x_lost(g, written, &nothing);
    switch (s.kind) {
    case CC_SOLVED_FINITE:
    case CC_SOLVED_FAMILY: say_roots(j, &s); break;
    case CC_SOLVED_SET:
        if (is_whole_line(g, s.roots[0], j->var))
            cc_symbolic_say(j, "status", CC_STR("all real values"));
        else
            cc_symbolic_show_result(j, "result", s.roots[0]);
        break;
    case CC_SOLVED_ALL:
        cc_symbolic_say(j, "status", CC_STR("all"));
        graded(j, "exact", "the equation is an identity");
        break;
    case CC_SOLVED_NONE:
        cc_symbolic_say(j, "status", CC_STR("none"));
        graded(j, "exact", "every candidate was excluded");
        break;
    case CC_SOLVED_UNKNOWN:
        g->n_conditions = 0; // of ways that led nowhere
        if (!numeric(j, &b, false) && !g->err->code) unsettled(j);
        break;
    }
}

// ---- systems ----

// Takes the next part of text up to the separator.
static bool next_part(cc_str *rest, const char *separators, cc_str *part) {
    while (rest->n) {
        size_t n = 0;
        while (n < rest->n && !strchr(separators, rest->p[n])) n++;
        *part = cc_str_trim((cc_str){rest->p, n});
        rest->p += n + (n < rest->n), rest->n -= n + (n < rest->n);
        if (part->n) return true;
    }
    return false;
}

#define MOST_EQUATIONS 64

typedef struct several {
    cc_xp equations[MOST_EQUATIONS], vars[MOST_EQUATIONS];
    size_t n, k;
} several;

// system and variables. False: an error is set.
static bool read_system(cc_symbolic_job *j, several *s) {
    cc_alg *g = &j->g;
    cc_str rest = j->q->system, part;
    s->n = s->k = 0;
    while (next_part(&rest, ";\n", &part)) {
        if (s->n == MOST_EQUATIONS) {
            cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "system: has more than %d equations", MOST_EQUATIONS);
            return false;
        }
        if (!(s->equations[s->n++] = cc_symbolic_argument(j, "system", part))) return false;
    }
    for (rest = j->q->variables; next_part(&rest, ",; ", &part);) {
        if (s->k == MOST_EQUATIONS) {
            cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "variables: are more than %d", MOST_EQUATIONS);
            return false;
        }
        if (!(s->vars[s->k] = cc_symbolic_argument(j, "variables", part))) return false;
        if (s->vars[s->k++]->kind != CC_X_SYM) {
            cc_error_set(g->err, CC_VALIDATION, "variables: '%.*s' is not a name", (int)part.n, part.p);
            return false;
        }
    }
    if (s->n && s->k) return true;
    cc_error_set(g->err, CC_VALIDATION, "%s: is required by op '%.*s'", s->n ? "variables" : "system", (int)j->q->op.n, j->q->op.p);
    cc_error_remedy(g->err, s->n ? "give the names with commas: 'x, y'" : "give equations with ';' between them: 'x + y = 10; x - y = 2'");
    return false;
}

static bool polynomial_of(cc_symbolic_job *j, cc_xp e, cc_xp *out) {
    cc_alg *g = &j->g;
    if (e->kind == CC_X_REL && e->konst == CC_REL_EQ) e = cc_x_sub(g, e->args[0], e->args[1]);
    if (e == g->yes) e = g->zero;
    if (e == g->no) e = g->one;
    *out = e;
    return e && e->kind < CC_X_REL;
}

void cc_symbolic_groebner(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    several *s = CC_ARENA_NEW(g->arena, several);
    cc_basis *b = CC_ARENA_NEW(g->arena, cc_basis);
    bool lex = !j->q->order.n || cc_str_eqz(j->q->order, "lex");
    if (!lex && !cc_str_eqz(j->q->order, "grevlex")) {
        cc_error_set(g->err, CC_VALIDATION, "order: must be lex or grevlex");
        cc_error_remedy(g->err, "give one of them, or leave it out: lex");
        return;
    }
    if (!read_system(j, s)) return;
    bool ok = true;
    for (size_t i = 0; i < s->n && ok; i++) ok = polynomial_of(j, s->equations[i], &s->equations[i]);
    ok = ok && cc_solve_groebner(g, s->equations, s->n, s->vars, s->k, lex, b);
    if (g->err->code) return;
    if (!b->polynomials || b->parameters) {
        cc_error_set(g->err, CC_VALIDATION,
                     b->parameters ? "variables: system has further symbols" : "system: is not of polynomials with rational coefficients");
        cc_error_remedy(g->err, b->parameters ? "name all of them, the first being the largest"
                                              : "name a root or another number as a variable, with its own equation: r^2 = 2");
        return;
    }
    if (!ok) {
        cc_symbolic_say(j, "status", CC_STR("unknown: the basis is too large"));
        return;
    }
    if (!b->n) b->of[b->n++] = g->zero;
    cc_symbolic_list(j, "basis", shown(g, b->of, b->n), b->n);
    graded(j, "exact", "Buchberger's algorithm in exact arithmetic");
}

void cc_symbolic_solve_linear(cc_symbolic_job *j) {
    cc_alg *g = &j->g;
    several *given = CC_ARENA_NEW(g->arena, several);
    if (!read_system(j, given)) return;
    const cc_xp *equations = given->equations, *vars = given->vars;
    size_t n = given->n, k = given->k;
    cc_xsystem s;
    if (cc_solve_system(g, equations, n, vars, k, &s)) return;
    if (!s.found) {
        cc_symbolic_say(j, "status", CC_STR("unknown: not a linear or polynomial system, and not solved for one variable after the other"));
        return;
    }
    cc_str *text = CC_ARENA_ARRAY(g->arena, cc_str, s.n + 1), *open = CC_ARENA_ARRAY(g->arena, cc_str, k + 1);
    size_t n_open = 0;
    for (size_t i = 0; i < s.n; i++) {
        CC_CLEANUP_BUF cc_buf b = {0};
        cc_buf_addc(&b, '{');
        for (size_t v = 0; v < k; v++) {
            cc_xp value = s.values[i * k + v];
            if (!value) continue;
            cc_str name = vars[v]->name, shown = cc_x_show(g, value);
            cc_buf_printf(&b, "%s%.*s: %.*s", b.n > 1 ? ", " : "", (int)name.n, name.p, (int)shown.n, shown.p);
        }
        cc_buf_addc(&b, '}');
        text[i] = cc_arena_dup(g->arena, cc_buf_str(&b));
    }
    for (size_t v = 0; v < k; v++) {
        bool free = false;
        for (size_t i = 0; i < s.n && !free; i++) free = !s.values[i * k + v];
        if (free) open[n_open++] = vars[v]->name;
    }
    cc_symbolic_list(j, "solutions", text, s.n);
    say_integers(g, &(cc_xsolutions){.roots = s.values, .n = s.n * k});
    cc_symbolic_raw(j, "count", cc_arena_printf(g->arena, "%zu", s.n));
    cc_symbolic_list(j, "unsolved", open, n_open);
    if (!s.n) cc_symbolic_say(j, "status", s.complete ? CC_STR("none") : CC_STR("unknown: none was found, and none was excluded"));
    if (!s.complete) cc_symbolic_raw(j, "complete", CC_STR("false"));
    if (n_open) cc_alg_note(g, "a variable that a solution does not name is free: any value of it gives a solution");
    if (g->cross_checked)
        graded(j, "cross_checked", "every solution was put into the equations, some to 100 bits only");
    else
        graded(j, "exact",
               s.linear        ? "elimination in exact arithmetic"
               : s.substituted ? "one variable after the other; every solution was put into the equations"
                               : "a Gröbner basis; every solution was put into the equations");
}
