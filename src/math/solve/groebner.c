// Reduced Gröbner bases over the rationals. Called by system.c and by the operation groebner. Buchberger's algorithm (buchberger.c) runs in
// the graded order, where polynomials stay small; a lexicographic basis then comes by linear algebra in the finite ring of residues
// (Faugère, Gianni, Lazard, Mora 1993), and by Buchberger again, from the graded basis, where there are infinitely many solutions. It gives
// up on sizes, not on time.
#include <flint/fmpq_mat.h>

#include "math/solve/basis.h"

#define MOST_VARS      CC_GP_VARS
#define MOST_BASIS     CC_BASIS_MOST
#define MOST_DIMENSION 128 // of the ring of residues: solutions with their multiplicities

// Polynomials that are not, or not yet, of a basis.
typedef struct several {
    cc_gp *of;
    slong n;
} several;

// One more, empty.
static cc_gp *add(cc_alg *g, several *s) {
    if (!(s->n & (s->n - 1))) { // the room doubles
        cc_gp *more = CC_ARENA_ARRAY(g->arena, cc_gp, s->n ? 2 * (size_t)s->n : 1);
        if (s->n) memcpy(more, s->of, (size_t)s->n * sizeof *more);
        s->of = more;
    }
    return s->of + s->n++;
}

static void clear(several *s) {
    for (slong i = 0; i < s->n; i++) cc_gp_clear(s->of + i);
    s->n = 0;
}

// ---- the ring of residues ----

typedef struct residues {
    cc_alg *g;
    cc_gp_basis *basis;     // graded
    slong k, n;             // variables, dimension
    ulong *at;              // n monomials, k exponents each: those that no leading monomial divides
    ulong *leads;           // of the basis
    fmpq_mat_struct *times; // multiplication by each variable
} residues;

static bool divides(const ulong *a, const ulong *b, slong k) {
    for (slong i = 0; i < k; i++)
        if (a[i] > b[i]) return false;
    return true;
}

static bool is_residue(const residues *r, const ulong *m) {
    for (slong i = 0; i < r->basis->n_active; i++)
        if (divides(r->leads + i * r->k, m, r->k)) return false;
    return true;
}

static slong place(const residues *r, const ulong *m) {
    for (slong i = 0; i < r->n; i++)
        if (!memcmp(r->at + i * r->k, m, (size_t)r->k * sizeof *m)) return i;
    return -1;
}

// There are finitely many: of each variable a power is a leading monomial.
static bool is_finite(const residues *r) {
    for (slong v = 0; v < r->k; v++) {
        bool power = false;
        for (slong i = 0; i < r->basis->n_active && !power; i++) {
            const ulong *lead = r->leads + i * r->k;
            ulong degree = 0;
            for (slong j = 0; j < r->k; j++) degree += lead[j];
            power = degree == lead[v];
        }
        if (!power) return false;
    }
    return true;
}

// The monomials; false: there are too many, perhaps infinitely many. Each is found once, by the last of its variables.
static bool find_residues(residues *r) {
    slong k = r->k;
    r->leads = CC_ARENA_ARRAY(r->g->arena, ulong, (size_t)(r->basis->n_active * k));
    for (slong i = 0; i < r->basis->n_active; i++) cc_gp_unpack(&r->basis->ring, r->basis->all[r->basis->active[i]].m, r->leads + i * k);
    if (!is_finite(r)) return false;
    r->at = CC_ARENA_ARRAY(r->g->arena, ulong, (size_t)((MOST_DIMENSION + 1) * k));
    if (!is_residue(r, r->at)) return false; // the basis is 1
    r->n = 1;
    for (slong i = 0; i < r->n; i++) {
        slong last = k - 1;
        while (last > 0 && !r->at[i * k + last]) last--;
        for (slong v = last; v < k; v++) {
            ulong *m = r->at + r->n * k;
            memcpy(m, r->at + i * k, (size_t)k * sizeof *m);
            m[v]++;
            if (is_residue(r, m) && r->n++ == MOST_DIMENSION) return false;
        }
    }
    return true;
}

// Column j of r->times[v]: the normal form of x_v times monomial j. False: gave up.
static bool find_products(residues *r) {
    const cc_gp_ring *ring = &r->basis->ring;
    slong k = r->k;
    bool ok = true;
    cc_gp p = {0};
    fmpz_t scale, one;
    fmpq_t c;
    fmpz_init(scale), fmpz_init_set_ui(one, 1), fmpq_init(c);
    ulong exp[MOST_VARS];
    for (slong v = 0; v < k; v++)
        for (slong j = 0; j < r->n && ok; j++) {
            memcpy(exp, r->at + j * k, (size_t)k * sizeof *exp);
            exp[v]++;
            p.n = 0;
            cc_gp_push(ring, &p, one, exp);
            fmpz_one(scale);
            ok = cc_gp_basis_reduce(r->basis, &p, scale);
            for (slong t = 0; t < p.n && ok; t++) {
                cc_gp_unpack(ring, p.m + (size_t)t * ring->words, exp);
                fmpz_set(fmpq_numref(c), p.c + t);
                fmpz_set(fmpq_denref(c), scale);
                fmpq_canonicalise(c);
                fmpq_set(fmpq_mat_entry(&r->times[v], place(r, exp), j), c);
            }
        }
    cc_gp_clear(&p);
    fmpz_clear(scale), fmpz_clear(one), fmpq_clear(c);
    return ok;
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
static void relation(const walk *w, const candidate *c, cc_gp *out, const cc_gp_ring *lex) {
    slong d = w->r->n;
    fmpz_t common, k;
    fmpz_init_set_ui(common, 1), fmpz_init(k);
    for (slong i = 0; i <= w->n; i++) fmpz_lcm(common, common, fmpq_denref(fmpq_mat_entry(w->rows, w->n, d + i)));
    for (slong i = 0; i <= w->n; i++) {
        const fmpq *q = fmpq_mat_entry(w->rows, w->n, d + i);
        if (fmpq_is_zero(q)) continue;
        fmpz_divexact(k, common, fmpq_denref(q));
        fmpz_mul(k, k, fmpq_numref(q));
        cc_gp_push(lex, out, k, i == w->n ? c->exp : w->at + i * w->r->k);
    }
    cc_gp_sort(lex, out);
    cc_gp_make_primitive(out);
    fmpz_clear(common), fmpz_clear(k);
}

static void walk_up(walk *w, several *out, const cc_gp_ring *lex) {
    slong k = w->r->k, d = w->r->n;
    ulong *leads = CC_ARENA_ARRAY(w->r->g->arena, ulong, (size_t)((d * k + 1) * k));
    slong n_leads = 0;
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
            relation(w, &c, add(w->r->g, out), lex);
            memcpy(leads + n_leads++ * k, c.exp, (size_t)k * sizeof *leads);
        } else {
            memcpy(w->at + w->n * k, c.exp, (size_t)k * sizeof *w->at);
            w->pivot[w->n] = pivot;
            open_neighbours(w, w->n++);
        }
    }
}

// The lexicographic basis from the graded one, where there are finitely many solutions, and few.
static bool convert(cc_gp_basis *graded, several *out, const cc_gp_ring *lex) {
    cc_alg *g = graded->g;
    residues r = {.g = g, .basis = graded, .k = lex->k};
    if (!find_residues(&r)) return false;
    slong d = r.n;
    r.times = CC_ARENA_ARRAY(g->arena, fmpq_mat_struct, (size_t)r.k);
    for (slong v = 0; v < r.k; v++) fmpq_mat_init(&r.times[v], d, d);
    walk w = {.r = &r,
              .open = CC_ARENA_ARRAY(g->arena, candidate, (size_t)(d * r.k + 1)),
              .at = CC_ARENA_ARRAY(g->arena, ulong, (size_t)((d + 1) * r.k)),
              .pivot = CC_ARENA_ARRAY(g->arena, slong, (size_t)d + 1)};
    fmpq_mat_init(w.form, d + 1, d), fmpq_mat_init(w.rows, d + 1, 2 * d + 1);
    bool whole = find_products(&r);
    if (whole) walk_up(&w, out, lex);
    whole = whole && !w.n_open && cc_alg_go_on(g);
    fmpq_mat_clear(w.form), fmpq_mat_clear(w.rows);
    for (slong v = 0; v < r.k; v++) fmpq_mat_clear(&r.times[v]);
    return whole;
}

// ---- reading ----

// What the polynomials are in: the variables first, in their order, then parameters.
typedef struct generators {
    cc_xp of[MOST_VARS];
    slong n;
    const cc_xp *vars;
    slong k;
    bool kernels; // a parameter is not just a symbol
} generators;

// Its place; a new one behind the others. -1: it contains a variable, or there are too many.
static slong generator(generators *s, cc_xp x) {
    for (slong i = 0; i < s->n; i++)
        if (s->of[i] == x) return i;
    for (slong v = 0; v < s->k; v++)
        if (cc_x_has(x, s->vars[v])) return -1;
    if (s->n == MOST_VARS) return -1;
    s->kernels = s->kernels || x->kind != CC_X_SYM;
    s->of[s->n] = x;
    return s->n++;
}

// Multiplies by x, a product of numbers and powers of generators. False: it is none.
static bool read_term(generators *s, cc_xp x, ulong *exponents, fmpq_t c) {
    if (x->kind == CC_X_MUL) {
        for (uint32_t i = 0; i < x->n; i++)
            if (!read_term(s, x->args[i], exponents, c)) return false;
        return true;
    }
    if (x->kind == CC_X_NUM) {
        fmpq_mul(c, c, x->num);
        return true;
    }
    ulong power = 1;
    if (x->kind == CC_X_POW && cc_x_is_int(x->args[1]) && fmpz_sgn(fmpq_numref(x->args[1]->num)) > 0) {
        if (fmpz_cmp_ui(fmpq_numref(x->args[1]->num), CC_GP_DEGREE) > 0) return false;
        power = fmpz_get_ui(fmpq_numref(x->args[1]->num));
        x = x->args[0];
    }
    slong at = generator(s, x);
    if (at < 0) return false;
    exponents[at] += power;
    return true;
}

typedef struct terms {
    slong n;
    ulong *exponents; // MOST_VARS a term
    fmpq *c;
} terms;

// False: f is no polynomial in the variables.
static bool read_terms(cc_alg *g, generators *s, cc_xp f, terms *out) {
    f = cc_x_expand(g, f);
    if (!f) return false;
    bool sum = f->kind == CC_X_ADD, ok = true;
    slong n = sum ? f->n : 1;
    out->exponents = CC_ARENA_ARRAY(g->arena, ulong, (size_t)n * MOST_VARS);
    out->c = CC_ARENA_ARRAY(g->arena, fmpq, (size_t)n);
    for (out->n = 0; out->n < n && ok; out->n++) {
        ulong *exponents = out->exponents + out->n * MOST_VARS, degree = 0;
        fmpq_init(out->c + out->n);
        fmpq_one(out->c + out->n);
        ok = read_term(s, sum ? f->args[out->n] : f, exponents, out->c + out->n);
        for (slong i = 0; i < s->n; i++) degree += exponents[i];
        ok = ok && degree <= CC_GP_DEGREE;
    }
    return ok;
}

// With integer coefficients; zero is left out.
static void add_polynomial(cc_alg *g, const cc_gp_ring *r, const terms *t, several *out) {
    if (fmpq_is_zero(t->c)) return; // only 0 has such a term
    cc_gp *p = add(g, out);
    fmpz_t common, c;
    fmpz_init_set_ui(common, 1), fmpz_init(c);
    for (slong i = 0; i < t->n; i++) fmpz_lcm(common, common, fmpq_denref(t->c + i));
    for (slong i = 0; i < t->n; i++) {
        fmpz_divexact(c, common, fmpq_denref(t->c + i));
        fmpz_mul(c, c, fmpq_numref(t->c + i));
        cc_gp_push(r, p, c, t->exponents + i * MOST_VARS);
    }
    cc_gp_sort(r, p);
    fmpz_clear(common), fmpz_clear(c);
}

// False: parameters that are no symbols, such as sqrt(2) or exp(a) and exp(2*a), are perhaps not independent of the rest.
static bool are_independent(cc_alg *g, const generators *s) {
    cc_xp marked[MOST_VARS];
    cc_xratio r;
    if (!s->kernels) return true;
    for (slong i = s->k; i < s->n; i++) marked[i] = cc_x_mul(g, cc_x_dummy(g, "m", 0), s->of[i]);
    if (!cc_x_to_ratio(g, &r, cc_x_addn(g, marked + s->k, (size_t)(s->n - s->k)))) return false;
    bool ok = !r.relations && fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(r.q), r.ctx);
    for (slong i = s->k; i < s->n && ok; i++) {
        ok = false;
        for (size_t j = 0; j < r.n_gens && !ok; j++) ok = r.gens[j] == s->of[i];
    }
    cc_xratio_clear(&r);
    return ok;
}

// False: they are not polynomials in the variables, with rational coefficients.
static bool read_all(cc_alg *g, const cc_xp *f, size_t n, generators *s, cc_gp_ring *ring, several *out) {
    terms *t = CC_ARENA_ARRAY(g->arena, terms, n);
    bool ok = true;
    for (slong v = 0; v < s->k; v++) s->of[s->n++] = s->vars[v];
    for (size_t i = 0; i < n && ok; i++) ok = read_terms(g, s, f[i], t + i);
    ok = ok && are_independent(g, s);
    *ring = cc_gp_ring_of(s->n, false);
    for (size_t i = 0; i < n; i++) {
        if (ok) add_polynomial(g, ring, t + i, out);
        for (slong j = 0; j < t[i].n; j++) fmpq_clear(t[i].c + j);
    }
    return ok;
}

// ---- the basis ----

static cc_xp shown(cc_alg *g, const generators *s, const cc_gp_ring *r, const cc_gp *p) {
    cc_xp *items = CC_ARENA_ARRAY(g->arena, cc_xp, (size_t)p->n), factors[MOST_VARS + 1];
    ulong exponents[MOST_VARS];
    for (slong i = 0; i < p->n; i++) {
        size_t n = 0;
        cc_gp_unpack(r, p->m + (size_t)i * r->words, exponents);
        if (!fmpz_is_one(p->c + i)) factors[n++] = cc_x_fmpz(g, p->c + i);
        for (slong v = 0; v < s->n; v++)
            if (exponents[v]) factors[n++] = exponents[v] == 1 ? s->of[v] : cc_x_pow(g, s->of[v], cc_x_int(g, (slong)exponents[v]));
        items[i] = cc_x_muln(g, factors, n);
    }
    return cc_x_addn(g, items, (size_t)p->n);
}

// Leading monomials descending.
static void show(cc_alg *g, const generators *s, const cc_gp_ring *r, several *basis, cc_basis *out) {
    for (slong i = 1; i < basis->n; i++)
        for (slong j = i; j > 0 && cc_gp_compare(r, basis->of[j - 1].m, basis->of[j].m) < 0; j--) {
            cc_gp t = basis->of[j];
            basis->of[j] = basis->of[j - 1], basis->of[j - 1] = t;
        }
    for (slong i = 0; i < basis->n; i++) out->of[out->n++] = shown(g, s, r, basis->of + i);
}

// The elements of a basis, which has no more use for them.
static void take(cc_gp_basis *b, several *out) {
    for (slong i = 0; i < b->n_active; i++) {
        cc_gp *p = b->all + b->active[i];
        *add(b->g, out) = *p;
        *p = (cc_gp){0};
    }
}

// In another order.
static void move(cc_gp_basis *b, const cc_gp_ring *to, several *out) {
    ulong exponents[MOST_VARS];
    for (slong i = 0; i < b->n_active; i++) {
        cc_gp *p = b->all + b->active[i], *q = add(b->g, out);
        for (slong j = 0; j < p->n; j++) {
            cc_gp_unpack(&b->ring, p->m + (size_t)j * b->ring.words, exponents);
            cc_gp_push(to, q, p->c + j, exponents);
        }
        cc_gp_sort(to, q);
    }
}

// The lexicographic basis from the graded one.
static bool lexicographic(cc_gp_basis *graded, const cc_gp_ring *lex, several *out) {
    if (convert(graded, out, lex)) return true;
    clear(out);
    if (!cc_alg_may_search(graded->g)) return false;
    cc_gp_basis again = {.g = graded->g, .ring = *lex};
    several in = {0};
    move(graded, lex, &in);
    bool ok = cc_gp_basis_make(&again, in.of, in.n);
    if (ok) take(&again, out);
    cc_gp_basis_clear(&again);
    clear(&in);
    return ok;
}

bool cc_solve_groebner(cc_alg *g, const cc_xp *f, size_t n, const cc_xp *vars, size_t k, bool lex, cc_basis *out) {
    *out = (cc_basis){0};
    if (n > MOST_VARS || k > MOST_VARS) return false;
    generators *s = CC_ARENA_NEW(g->arena, generators);
    *s = (generators){.vars = vars, .k = (slong)k};
    several in = {0}, basis = {0};
    cc_gp_basis graded = {.g = g};
    bool ok = out->polynomials = read_all(g, f, n, s, &graded.ring, &in);
    out->parameters = s->n > s->k;
    cc_gp_ring shown_in = cc_gp_ring_of(s->n, lex);
    ok = ok && cc_gp_basis_make(&graded, in.of, in.n);
    if (ok && lex) ok = lexicographic(&graded, &shown_in, &basis);
    if (ok && !lex) take(&graded, &basis);
    ok = ok && basis.n <= MOST_BASIS;
    if (ok) show(g, s, &shown_in, &basis, out);
    clear(&in), clear(&basis);
    cc_gp_basis_clear(&graded);
    return ok && !g->err->code;
}
