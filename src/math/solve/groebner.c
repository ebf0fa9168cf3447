// Reduced Gröbner bases over the rationals. Called by system.c and by the operation groebner. FLINT's Buchberger runs in the graded order,
// where polynomials stay small; a lexicographic basis then comes by linear algebra in the finite ring of residues (Faugère, Gianni, Lazard,
// Mora 1993), and by Buchberger again, from the graded basis, where there are infinitely many solutions. It gives up on sizes, not on time.
#include "math/solve/solve.h"

#include <flint/fmpq_mat.h>

#define MOST_VARS      64
#define MOST_BASIS     CC_BASIS_MOST
#define MOST_TERMS     2000
#define MOST_BITS      20000
#define MOST_DIMENSION 64 // of the ring of residues: solutions with their multiplicities

// ---- the ring of residues ----

typedef struct residues {
    cc_alg *g;
    const fmpz_mpoly_ctx_struct *ctx;
    const fmpz_mpoly_vec_struct *basis; // graded
    slong k, n;                         // variables, dimension
    ulong *at;                          // n monomials, k exponents each: those that no leading monomial divides
    ulong *leads;                       // of the basis
    fmpq_mat_struct *times;             // multiplication by each variable
} residues;

static bool divides(const ulong *a, const ulong *b, slong k) {
    for (slong i = 0; i < k; i++)
        if (a[i] > b[i]) return false;
    return true;
}

static bool is_residue(const residues *r, const ulong *m) {
    for (slong i = 0; i < r->basis->length; i++)
        if (divides(r->leads + i * r->k, m, r->k)) return false;
    return true;
}

static slong place(const residues *r, const ulong *m) {
    for (slong i = 0; i < r->n; i++)
        if (!memcmp(r->at + i * r->k, m, (size_t)r->k * sizeof *m)) return i;
    return -1;
}

// The monomials; false: there are too many, perhaps infinitely many. Each is found once, by the last of its variables.
static bool find_residues(residues *r) {
    slong k = r->k;
    r->leads = CC_ARENA_ARRAY(r->g->arena, ulong, (size_t)(r->basis->length * k));
    for (slong i = 0; i < r->basis->length; i++) fmpz_mpoly_get_term_exp_ui(r->leads + i * k, fmpz_mpoly_vec_entry(r->basis, i), 0, r->ctx);
    r->at = CC_ARENA_ARRAY(r->g->arena, ulong, (size_t)(MOST_DIMENSION * k));
    memset(r->at, 0, (size_t)k * sizeof(ulong));
    if (!is_residue(r, r->at)) return false; // the basis is 1
    r->n = 1;
    for (slong i = 0; i < r->n; i++) {
        slong last = k - 1;
        while (last > 0 && !r->at[i * k + last]) last--;
        for (slong v = last; v < k; v++) {
            if (r->n == MOST_DIMENSION) return false;
            ulong *m = r->at + r->n * k;
            memcpy(m, r->at + i * k, (size_t)k * sizeof *m);
            m[v]++;
            if (is_residue(r, m)) r->n++;
        }
    }
    return true;
}

// Column j of r->times[v]: the normal form of x_v times monomial j.
static void find_products(residues *r) {
    slong k = r->k, length = r->basis->length;
    fmpz_mpoly_t m, rest;
    fmpz_t scale;
    fmpq_t c;
    fmpz_mpoly_init(m, r->ctx), fmpz_mpoly_init(rest, r->ctx), fmpz_init(scale), fmpq_init(c);
    fmpz_mpoly_struct **q = CC_ARENA_ARRAY(r->g->arena, fmpz_mpoly_struct *, (size_t)length),
                      **by = CC_ARENA_ARRAY(r->g->arena, fmpz_mpoly_struct *, (size_t)length);
    for (slong i = 0; i < length; i++) {
        q[i] = CC_ARENA_NEW(r->g->arena, fmpz_mpoly_struct);
        fmpz_mpoly_init(q[i], r->ctx);
        by[i] = fmpz_mpoly_vec_entry(r->basis, i);
    }
    ulong exp[MOST_VARS];
    for (slong v = 0; v < k; v++)
        for (slong j = 0; j < r->n && cc_alg_go_on(r->g); j++) {
            memcpy(exp, r->at + j * k, (size_t)k * sizeof *exp);
            exp[v]++;
            fmpz_mpoly_zero(m, r->ctx);
            fmpz_mpoly_push_term_ui_ui(m, 1, exp, r->ctx);
            fmpz_mpoly_quasidivrem_ideal(scale, q, rest, m, by, length, r->ctx);
            for (slong t = 0; t < fmpz_mpoly_length(rest, r->ctx); t++) {
                fmpz_mpoly_get_term_exp_ui(exp, rest, t, r->ctx);
                fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(c), rest, t, r->ctx);
                fmpz_set(fmpq_denref(c), scale);
                fmpq_canonicalise(c);
                fmpq_set(fmpq_mat_entry(&r->times[v], place(r, exp), j), c);
            }
        }
    for (slong i = 0; i < length; i++) fmpz_mpoly_clear(q[i], r->ctx);
    fmpz_mpoly_clear(m, r->ctx), fmpz_mpoly_clear(rest, r->ctx), fmpz_clear(scale), fmpq_clear(c);
}

// ---- from the graded to the lexicographic order ----

typedef struct candidate { // x_var times the monomial `from` of the new staircase
    ulong exp[MOST_VARS];
    slong from, var;
} candidate;

typedef struct walk {
    residues *r;
    candidate *open;
    slong n_open, n; // n: monomials of the new staircase
    ulong *at;       // these
    fmpq_mat_t form; // row i: the normal form of at[i]
    fmpq_mat_t rows; // the same in echelon form, followed by how a row was made of the forms
    slong *pivot;    // of each row
} walk;

static int compare_lex(const ulong *a, const ulong *b, slong k) {
    for (slong i = 0; i < k; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void open_neighbours(walk *w, slong from) {
    slong k = w->r->k;
    for (slong v = 0; v < k; v++) {
        candidate c = {.from = from, .var = v};
        memcpy(c.exp, w->at + from * k, (size_t)k * sizeof *c.exp);
        c.exp[v]++;
        bool known = false;
        for (slong i = 0; i < w->n_open && !known; i++) known = !compare_lex(w->open[i].exp, c.exp, k);
        if (!known) w->open[w->n_open++] = c;
    }
}

// Takes the least open candidate.
static candidate next(walk *w) {
    slong least = 0;
    for (slong i = 1; i < w->n_open; i++)
        if (compare_lex(w->open[i].exp, w->open[least].exp, w->r->k) < 0) least = i;
    candidate c = w->open[least];
    w->open[least] = w->open[--w->n_open];
    return c;
}

// Row w->n of rows from the form in row w->n of forms, reduced by the rows above it. Its pivot, or -1: the form depends on those above.
static slong reduce_row(walk *w) {
    slong d = w->r->n, n = w->n;
    fmpq_t factor;
    fmpq_init(factor);
    for (slong j = 0; j <= 2 * d; j++) fmpq_zero(fmpq_mat_entry(w->rows, n, j));
    for (slong j = 0; j < d; j++) fmpq_set(fmpq_mat_entry(w->rows, n, j), fmpq_mat_entry(w->form, n, j));
    fmpq_one(fmpq_mat_entry(w->rows, n, d + n));
    for (slong i = 0; i < n; i++) {
        fmpq_set(factor, fmpq_mat_entry(w->rows, n, w->pivot[i]));
        if (fmpq_is_zero(factor)) continue;
        for (slong j = 0; j <= d + i; j++)
            if (!fmpq_is_zero(fmpq_mat_entry(w->rows, i, j)))
                fmpq_submul(fmpq_mat_entry(w->rows, n, j), factor, fmpq_mat_entry(w->rows, i, j));
    }
    slong pivot = 0;
    while (pivot < d && fmpq_is_zero(fmpq_mat_entry(w->rows, n, pivot))) pivot++;
    if (pivot < d) {
        fmpq_inv(factor, fmpq_mat_entry(w->rows, n, pivot));
        for (slong j = 0; j <= d + n; j++) fmpq_mul(fmpq_mat_entry(w->rows, n, j), fmpq_mat_entry(w->rows, n, j), factor);
    }
    fmpq_clear(factor);
    return pivot < d ? pivot : -1;
}

// The dependency in row w->n as a polynomial: c's monomial and those of the staircase.
static void relation(const walk *w, const candidate *c, fmpz_mpoly_t out, const fmpz_mpoly_ctx_t lex) {
    slong d = w->r->n;
    fmpz_t common, k;
    fmpz_init_set_ui(common, 1), fmpz_init(k);
    for (slong i = 0; i <= w->n; i++) fmpz_lcm(common, common, fmpq_denref(fmpq_mat_entry(w->rows, w->n, d + i)));
    fmpz_mpoly_zero(out, lex);
    for (slong i = 0; i <= w->n; i++) {
        const fmpq *q = fmpq_mat_entry(w->rows, w->n, d + i);
        if (fmpq_is_zero(q)) continue;
        fmpz_divexact(k, common, fmpq_denref(q));
        fmpz_mul(k, k, fmpq_numref(q));
        fmpz_mpoly_push_term_fmpz_ui(out, k, i == w->n ? c->exp : w->at + i * w->r->k, lex);
    }
    fmpz_mpoly_sort_terms(out, lex);
    fmpz_mpoly_primitive_part(out, out, lex);
    fmpz_clear(common), fmpz_clear(k);
}

static void walk_up(walk *w, fmpz_mpoly_vec_t out, const fmpz_mpoly_ctx_t lex) {
    slong k = w->r->k, d = w->r->n;
    ulong *leads = CC_ARENA_ARRAY(w->r->g->arena, ulong, (size_t)((d * k + 1) * k));
    slong n_leads = 0;
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, lex);
    // 1 is the first monomial; its form is the first of the residues
    memset(w->at, 0, (size_t)k * sizeof(ulong));
    fmpq_one(fmpq_mat_entry(w->form, 0, 0));
    w->pivot[0] = reduce_row(w);
    w->n = 1;
    open_neighbours(w, 0);
    while (w->n_open && cc_alg_may_search(w->r->g)) {
        candidate c = next(w);
        bool multiple = false;
        for (slong i = 0; i < n_leads && !multiple; i++) multiple = divides(leads + i * k, c.exp, k);
        if (multiple) continue;
        const fmpq_mat_struct *m = &w->r->times[c.var];
        for (slong i = 0; i < d; i++) {
            fmpq *sum = fmpq_mat_entry(w->form, w->n, i);
            fmpq_zero(sum);
            for (slong j = 0; j < d; j++)
                if (!fmpq_is_zero(fmpq_mat_entry(m, i, j))) fmpq_addmul(sum, fmpq_mat_entry(m, i, j), fmpq_mat_entry(w->form, c.from, j));
        }
        slong pivot = reduce_row(w);
        if (pivot < 0) {
            relation(w, &c, p, lex);
            fmpz_mpoly_vec_append(out, p, lex);
            memcpy(leads + n_leads++ * k, c.exp, (size_t)k * sizeof *leads);
        } else {
            memcpy(w->at + w->n * k, c.exp, (size_t)k * sizeof *w->at);
            w->pivot[w->n] = pivot;
            open_neighbours(w, w->n++);
        }
    }
    fmpz_mpoly_clear(p, lex);
}

// The lexicographic basis from the graded one, where there are finitely many solutions, and few.
static bool convert(cc_alg *g, const fmpz_mpoly_vec_t graded, const fmpz_mpoly_ctx_t ctx, fmpz_mpoly_vec_t out,
                    const fmpz_mpoly_ctx_t lex) {
    residues r = {.g = g, .ctx = ctx, .basis = graded, .k = fmpz_mpoly_ctx_nvars(ctx)};
    if (!find_residues(&r)) return false;
    slong d = r.n;
    r.times = CC_ARENA_ARRAY(g->arena, fmpq_mat_struct, (size_t)r.k);
    for (slong v = 0; v < r.k; v++) fmpq_mat_init(&r.times[v], d, d);
    find_products(&r);
    walk w = {.r = &r,
              .open = CC_ARENA_ARRAY(g->arena, candidate, (size_t)(d * r.k + 1)),
              .at = CC_ARENA_ARRAY(g->arena, ulong, (size_t)((d + 1) * r.k)),
              .pivot = CC_ARENA_ARRAY(g->arena, slong, (size_t)d + 1)};
    fmpq_mat_init(w.form, d + 1, d), fmpq_mat_init(w.rows, d + 1, 2 * d + 1);
    walk_up(&w, out, lex);
    bool whole = !w.n_open && cc_alg_go_on(g);
    fmpq_mat_clear(w.form), fmpq_mat_clear(w.rows);
    for (slong v = 0; v < r.k; v++) fmpq_mat_clear(&r.times[v]);
    return whole;
}

// ---- the basis ----

static bool buchberger(fmpz_mpoly_vec_t out, const fmpz_mpoly_vec_t in, const fmpz_mpoly_ctx_t ctx) {
    fmpz_mpoly_vec_t all;
    fmpz_mpoly_vec_init(all, 0, ctx);
    bool ok = fmpz_mpoly_buchberger_naive_with_limits(all, in, MOST_BASIS, MOST_TERMS, MOST_BITS, ctx) != 0;
    if (ok) fmpz_mpoly_vec_autoreduction_groebner(out, all, ctx);
    fmpz_mpoly_vec_clear(all, ctx);
    return ok && out->length <= MOST_BASIS;
}

static void move(fmpz_mpoly_vec_t out, const fmpz_mpoly_ctx_t to, const fmpz_mpoly_vec_t in, const fmpz_mpoly_ctx_t from) {
    slong map[2 * MOST_VARS];
    for (slong i = 0; i < fmpz_mpoly_ctx_nvars(from); i++) map[i] = i;
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, to);
    for (slong i = 0; i < in->length; i++) {
        fmpz_mpoly_compose_fmpz_mpoly_gen(p, fmpz_mpoly_vec_entry(in, i), map, from, to);
        fmpz_mpoly_vec_append(out, p, to);
    }
    fmpz_mpoly_clear(p, to);
}

static bool lexicographic(cc_alg *g, const fmpz_mpoly_vec_t in, const fmpz_mpoly_ctx_t ctx, fmpz_mpoly_vec_t out,
                          const fmpz_mpoly_ctx_t lex) {
    fmpz_mpoly_vec_t again;
    if (convert(g, in, ctx, out, lex)) return true;
    if (!cc_alg_may_search(g)) return false;
    fmpz_mpoly_vec_init(again, 0, lex);
    fmpz_mpoly_vec_set_length(out, 0, lex);
    move(again, lex, in, ctx);
    bool ok = buchberger(out, again, lex);
    fmpz_mpoly_vec_clear(again, lex);
    return ok;
}

// The equations, each behind a mark, are read as one: so they lie in one ring. Then every generator gets its place: the variables first, in
// their order, then parameters. False: they are not polynomials in the variables, with rational coefficients.
typedef struct ring {
    cc_xratio r;
    slong *to; // of each generator of r: its place, or -1 - the number of the equation that it marks
    cc_xp *gens;
    slong n;
} ring;

static bool read_ring(cc_alg *g, ring *out, const cc_xp *f, size_t n, const cc_xp *vars, size_t k) {
    cc_xp marks[MOST_VARS], terms[MOST_VARS];
    for (size_t i = 0; i < n; i++) {
        marks[i] = cc_x_dummy(g, "m", 0);
        terms[i] = cc_x_mul(g, marks[i], f[i]);
    }
    if (!cc_x_to_ratio(g, &out->r, cc_x_addn(g, terms, n))) return false;
    const cc_xratio *r = &out->r;
    bool ok = !r->relations && fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(r->q), r->ctx) && r->n_gens <= n + MOST_VARS;
    out->to = CC_ARENA_ARRAY(g->arena, slong, r->n_gens);
    out->gens = CC_ARENA_ARRAY(g->arena, cc_xp, r->n_gens + k);
    for (size_t j = 0; j < k; j++) out->gens[j] = vars[j];
    out->n = (slong)k;
    for (size_t i = 0; ok && i < r->n_gens; i++) {
        bool placed = false;
        for (size_t j = 0; j < k; j++)
            if (r->gens[i] == vars[j]) out->to[i] = (slong)j, placed = true;
        for (size_t j = 0; j < n && !placed; j++)
            if (r->gens[i] == marks[j]) out->to[i] = -1 - (slong)j, placed = true;
        for (size_t j = 0; j < k && !placed; j++) ok = ok && !cc_x_has(r->gens[i], vars[j]);
        if (!placed) out->gens[out->n] = r->gens[i], out->to[i] = out->n++;
    }
    ok = ok && out->n <= MOST_VARS;
    if (!ok) cc_xratio_clear(&out->r);
    return ok;
}

static void read_polynomials(const ring *from, fmpz_mpoly_vec_t out, const fmpz_mpoly_ctx_t ctx) {
    const cc_xratio *r = &from->r;
    slong map[2 * MOST_VARS];
    fmpz_mpoly_t p, q;
    fmpz_mpoly_init(p, r->ctx), fmpz_mpoly_init(q, ctx);
    for (size_t i = 0; i < r->n_gens; i++) map[i] = from->to[i] < 0 ? -1 : from->to[i];
    for (slong i = 0; i < (slong)r->n_gens; i++) {
        ulong one = 1;
        if (from->to[i] >= 0) continue;
        fmpz_mpoly_get_coeff_vars_ui(p, fmpz_mpoly_q_numref(r->q), &i, &one, 1, r->ctx);
        fmpz_mpoly_compose_fmpz_mpoly_gen(q, p, map, r->ctx, ctx);
        if (!fmpz_mpoly_is_zero(q, ctx)) fmpz_mpoly_vec_append(out, q, ctx);
    }
    fmpz_mpoly_clear(p, r->ctx), fmpz_mpoly_clear(q, ctx);
}

// Leading monomials descending.
static void sort(fmpz_mpoly_vec_t basis, const fmpz_mpoly_ctx_t ctx) {
    fmpz_mpoly_t a, b;
    fmpz_mpoly_init(a, ctx), fmpz_mpoly_init(b, ctx);
    for (slong i = 1; i < basis->length; i++)
        for (slong j = i; j > 0; j--) {
            fmpz_mpoly_get_term_monomial(a, fmpz_mpoly_vec_entry(basis, j - 1), 0, ctx);
            fmpz_mpoly_get_term_monomial(b, fmpz_mpoly_vec_entry(basis, j), 0, ctx);
            if (fmpz_mpoly_cmp(a, b, ctx) > 0) break;
            fmpz_mpoly_swap(fmpz_mpoly_vec_entry(basis, j - 1), fmpz_mpoly_vec_entry(basis, j), ctx);
        }
    fmpz_mpoly_clear(a, ctx), fmpz_mpoly_clear(b, ctx);
}

static void show(cc_alg *g, const ring *from, fmpz_mpoly_vec_t basis, const fmpz_mpoly_ctx_t ctx, cc_basis *out) {
    cc_xratio one = {.gens = from->gens, .n_gens = (size_t)from->n};
    *one.ctx = *ctx;
    fmpz_mpoly_q_init(one.q, ctx);
    fmpz_mpoly_one(fmpz_mpoly_q_denref(one.q), ctx);
    sort(basis, ctx);
    for (slong i = 0; i < basis->length; i++) {
        fmpz_mpoly_set(fmpz_mpoly_q_numref(one.q), fmpz_mpoly_vec_entry(basis, i), ctx);
        out->of[out->n++] = cc_x_from_ratio(g, &one);
    }
    fmpz_mpoly_q_clear(one.q, ctx);
}

bool cc_solve_groebner(cc_alg *g, const cc_xp *f, size_t n, const cc_xp *vars, size_t k, bool lex, cc_basis *out) {
    ring from;
    *out = (cc_basis){0};
    if (n > MOST_VARS || k > MOST_VARS || !read_ring(g, &from, f, n, vars, k)) return false;
    out->polynomials = true;
    out->parameters = (size_t)from.n > k;
    fmpz_mpoly_ctx_t by_degree, by_letter;
    fmpz_mpoly_vec_t in, graded, letters;
    fmpz_mpoly_ctx_init(by_degree, from.n, ORD_DEGREVLEX), fmpz_mpoly_ctx_init(by_letter, from.n, ORD_LEX);
    fmpz_mpoly_vec_init(in, 0, by_degree), fmpz_mpoly_vec_init(graded, 0, by_degree), fmpz_mpoly_vec_init(letters, 0, by_letter);
    read_polynomials(&from, in, by_degree);
    bool ok = buchberger(graded, in, by_degree);
    if (ok && lex) ok = lexicographic(g, graded, by_degree, letters, by_letter);
    if (ok && lex) show(g, &from, letters, by_letter, out);
    if (ok && !lex) show(g, &from, graded, by_degree, out);
    fmpz_mpoly_vec_clear(in, by_degree), fmpz_mpoly_vec_clear(graded, by_degree), fmpz_mpoly_vec_clear(letters, by_letter);
    fmpz_mpoly_ctx_clear(by_degree), fmpz_mpoly_ctx_clear(by_letter);
    cc_xratio_clear(&from.r);
    return ok && !g->err->code;
}
