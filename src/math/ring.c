// Reading matrices into a field and writing their elements as text. The field is the smallest that holds all entries of the call:
// the rationals, else complex constants (Calcium), else rational functions of symbols with rational coefficients. Called by
// matrix.c. A cc_ring owns what is made here. A number whose being zero is not decided is never taken for either.
#include "math/ring.h"

#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
#include <stdlib.h>

#include "codecalc/rational.h"

_Static_assert(sizeof(gr_mat_struct) == sizeof(fmpq_mat_struct) && offsetof(gr_mat_struct, stride) == offsetof(fmpq_mat_struct, stride),
               "rational matrices are used as both");

enum {
    MAX_SYMBOLS = 60,
    MAX_EXPONENT = 3000, // of a decimal
    MAX_BITS = 20000,    // of a rational entry
    MAX_FORM = 400,      // bytes of a constant's exact form
};

typedef struct entry {
    bool rational, symbolic;
    fmpq_t q;
    const cc_node *node;
    cc_val v;
} entry;

// ---- elements ----

gr_mat_struct *cc_ring_matrix(cc_ring *k, slong rows, slong columns) {
    cc_ring_owned *o = CC_ARENA_NEW(k->arena, cc_ring_owned);
    gr_mat_init(o->mat, rows, columns, k->gr);
    o->next = k->owned;
    k->owned = o;
    return o->mat;
}

gr_ptr cc_ring_element(cc_ring *k) { return cc_ring_matrix(k, 1, 1)->entries; }

void cc_ring_clear(cc_ring *k) {
    for (cc_ring_owned *o = k->owned; o; o = o->next) gr_mat_clear(o->mat, k->gr);
    // The constants' context belongs to the calculator, and that of a root is a view of nf.
    if (k->ready && (k->kind == CC_RING_RATIONAL || k->kind == CC_RING_SYMBOLIC)) gr_ctx_clear(k->gr);
    if (k->ready && k->kind == CC_RING_ROOT) nf_clear(k->nf);
    if (k->ready && k->kind == CC_RING_SYMBOLIC) fmpz_mpoly_ctx_clear(k->m);
    if (!k->borrowed) cc_reals_clear(&k->calc->r);
    k->ready = false;
    k->owned = NULL;
}

int cc_ring_ok(cc_ring *k, int status, const char *what) {
    if (status == GR_SUCCESS) return 0;
    if (cc_ring_poll(k)) return -1;
    if (status & GR_UNABLE)
        return cc_error_set(k->err, CC_VALIDATION, "%s could not be computed: whether a number that it depends on is zero was not decided",
                            what);
    return cc_error_set(k->err, CC_VALIDATION, "%s does not exist for this matrix", what);
}

int cc_ring_poll(cc_ring *k) {
    if (!k->calc->r.stop || !*k->calc->r.stop) return 0;
    return cc_error_set(k->err, CC_TIMEOUT, "the calculation did not finish in its time");
}

truth_t cc_ring_truth(cc_ring *k, gr_ptr x) {
    truth_t t = gr_is_zero(x, k->gr);
    if (t != T_UNKNOWN || k->kind != CC_RING_CONSTANT) return t;
    cc_val v;
    if (cc_val_read(k->calc, x, &v)) return T_UNKNOWN;
    cc_error saved = *k->err;
    int re = 1, im = 0;
    bool open = cc_real_try_sign(&k->calc->r, v.re, &re) != 0;
    if (v.im && cc_real_try_sign(&k->calc->r, v.im, &im)) open = true, im = 0;
    *k->err = saved;
    if ((re && !open) || im) return T_FALSE;
    if (open) return T_UNKNOWN;
    return gr_zero(x, k->gr) == GR_SUCCESS ? T_TRUE : T_UNKNOWN;
}

void cc_ring_settle(cc_ring *k, gr_ptr x) {
    ca_ctx_struct *c = k->calc->r.ca[CC_CA_DIRECT];
    cc_val v;
    if (k->kind != CC_RING_CONSTANT || CA_IS_QQ((ca_ptr)x, c) || CA_IS_SPECIAL((ca_ptr)x) || CA_FIELD_IS_NF(CA_FIELD((ca_ptr)x, c))) return;
    if (!cc_val_read(k->calc, x, &v) && !v.im && v.re->op == CC_R_RAT) ca_set_fmpq(x, v.re->q, c);
}

int cc_ring_zero(cc_ring *k, gr_ptr x, bool *zero) {
    truth_t t = cc_ring_truth(k, x);
    *zero = t == T_TRUE;
    if (t != T_UNKNOWN) return 0;
    if (cc_ring_poll(k)) return -1;
    cc_error ignored = *k->err;
    cc_str s = cc_utf8_prefix(cc_ring_show(k, x), 160);
    *k->err = ignored;
    return cc_error_set(k->err, CC_VALIDATION, "could not decide whether %.*s is zero, and the result depends on it", s.n ? (int)s.n : 21,
                        s.n ? s.p : "an intermediate value");
}

int cc_ring_equal(cc_ring *k, const gr_mat_struct *a, const gr_mat_struct *b, bool *equal) {
    truth_t t = gr_mat_equal(a, b, k->gr);
    *equal = t == T_TRUE;
    if (t != T_UNKNOWN) return 0;
    gr_ptr d = cc_ring_element(k);
    for (slong i = 0; i < a->r; i++)
        for (slong j = 0; j < a->c; j++) {
            bool zero;
            if (cc_ring_ok(k, gr_sub(d, cc_at(k, a, i, j), cc_at(k, b, i, j), k->gr), "the check of the result") ||
                cc_ring_zero(k, d, &zero))
                return cc_error_wrap(k->err, "the check of the result");
            if (!zero) return 0;
        }
    *equal = true;
    return 0;
}

int cc_ring_bound(cc_ring *k, gr_srcptr x, slong terms) {
    if (k->kind != CC_RING_SYMBOLIC) return 0;
    fmpz_mpoly_q_struct *q = (fmpz_mpoly_q_struct *)(uintptr_t)x;
    if (fmpz_mpoly_length(fmpz_mpoly_q_numref(q), k->m) + fmpz_mpoly_length(fmpz_mpoly_q_denref(q), k->m) <= terms) return 0;
    return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED,
                        "an intermediate result would have more than %ld terms; give numbers to some symbols", terms);
}

// ---- reading ----

static bool is_constant_name(cc_str s) {
    static const char *const names[] = {"pi", "E", "I", "EulerGamma", "GoldenRatio"};
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++)
        if (cc_str_eqz(s, names[i])) return true;
    return false;
}

static int add_symbol(cc_ring *k, cc_str s) {
    static const char *const taken[] = {"oo",  "zoo",     "nan",  "inf",   "infinity", "Infinity",
                                        "NaN", "Catalan", "True", "False", "true",     "false"};
    for (size_t i = 0; i < CC_ARRAY_LEN(taken); i++)
        if (cc_str_eqz(s, taken[i])) return cc_error_set(k->err, CC_VALIDATION, "'%s' is no entry of a matrix here", taken[i]);
    for (slong i = 0; i < k->n_symbols; i++)
        if (cc_str_eq(k->symbols[i], s)) return 0;
    if (k->n_symbols == MAX_SYMBOLS) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "there are more than %d symbols", MAX_SYMBOLS);
    k->symbols[k->n_symbols++] = s;
    return 0;
}

static int find_symbols(cc_ring *k, const cc_node *x, bool *any) {
    if (x->kind == CC_NODE_NAME && !is_constant_name(x->text)) {
        *any = true;
        return add_symbol(k, x->text);
    }
    for (size_t i = 0; i < x->n_args; i++)
        if (find_symbols(k, x->args[i], any)) return -1;
    return 0;
}

static int refuse_kinds(cc_ring *k, const cc_node *x) {
    if (x->kind == CC_NODE_COMPARE || x->kind == CC_NODE_LIST || x->kind == CC_NODE_TUPLE ||
        (x->kind == CC_NODE_BINARY && x->op == CC_OP_EQUATION))
        return cc_error_set(k->err, CC_VALIDATION, "an entry is one number or expression");
    for (size_t i = 0; i < x->n_args; i++)
        if (refuse_kinds(k, x->args[i])) return -1;
    return 0;
}

static int read_entry(cc_ring *k, cc_str text, entry *e) {
    cc_error quiet;
    e->rational = cc_rational_parse(e->q, text, MAX_EXPONENT, "entry", &quiet) == 0;
    if (e->rational) return 0;
    if (quiet.code == CC_RESOURCE_EXHAUSTED) {
        *k->err = quiet;
        return -1;
    }
    cc_parsed p = {0};
    if (text.n > 4000) return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "has %zu bytes, at most 4000 are taken", text.n);
    if (cc_expr_parse(k->arena, text, CC_DIALECT_SYMBOLIC, &p, k->err)) return -1;
    for (size_t i = 0; i < p.n_warnings; i++) cc_parsed_warn(k->arena, &k->parsed, "%.*s", (int)p.warnings[i].n, p.warnings[i].p);
    e->node = p.root;
    if (refuse_kinds(k, p.root) || find_symbols(k, p.root, &e->symbolic)) return -1;
    if (e->symbolic) return 0;
    if (cc_calc_node(k->calc, p.root, &e->v)) return -1;
    if (e->v.kind != CC_V_NUMBER || cc_val_settle(k->calc, &e->v))
        return k->err->code ? -1 : cc_error_set(k->err, CC_VALIDATION, "an entry is one number");
    if (!e->v.im && cc_real_find_rat(&k->calc->r, e->v.re)) {
        e->rational = true;
        fmpq_set(e->q, e->v.re->q);
    }
    return cc_ring_poll(k);
}

static int by_name(const void *a, const void *b) {
    const cc_str *x = a, *y = b;
    size_t n = x->n < y->n ? x->n : y->n;
    int c = memcmp(x->p, y->p, n);
    return c ? c : (x->n > y->n) - (x->n < y->n);
}

// The variable of the polynomials that are made here: the first of these that is no symbol of the user's.
static cc_str own_variable(const cc_ring *k) {
    static const char *const names[] = {"lambda", "x", "t", "s", "z", "lambda_"};
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++) {
        bool free = true;
        for (slong j = 0; j < k->n_symbols; j++) free = free && !cc_str_eqz(k->symbols[j], names[i]);
        if (free) return cc_str_of(names[i]);
    }
    return CC_STR("lambda__");
}

static int set_constant(cc_ring *k, const entry *e, ca_t out) {
    ca_ctx_struct *c = k->calc->r.ca[CC_CA_DIRECT];
    if (e->rational) {
        ca_set_fmpq(out, e->q, c);
        return 0;
    }
    ca_srcptr re = cc_real_ca(&k->calc->r, e->v.re, CC_CA_DIRECT);
    if (re) ca_set(out, re, c);
    if (re && e->v.im) {
        ca_srcptr im = cc_real_ca(&k->calc->r, e->v.im, CC_CA_DIRECT);
        if (im) {
            ca_t t;
            ca_init(t, c);
            ca_i(t, c);
            ca_mul(t, t, im, c);
            ca_add(out, out, t, c);
            ca_clear(t, c);
        }
        re = im;
    }
    if (re) return 0;
    return cc_ring_poll(k) ? -1 : cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "is too large to calculate with exactly");
}

static int set_entry(cc_ring *k, const entry *e, gr_ptr out) {
    switch (k->kind) {
    case CC_RING_RATIONAL: fmpq_set(out, e->q); return 0;
    case CC_RING_CONSTANT: return set_constant(k, e, out);
    case CC_RING_SYMBOLIC:
        if (!e->rational) return cc_symbolic_read(k, e->node, out);
        fmpz_mpoly_q_set_fmpq(out, e->q, k->m);
        return 0;
    case CC_RING_ROOT: break; // nothing is read into it
    }
    return -1;
}

static int start(cc_ring *k) {
    k->symbols[k->n_symbols] = own_variable(k);
    if (k->kind == CC_RING_RATIONAL) {
        gr_ctx_init_fmpq(k->gr);
    } else if (k->kind == CC_RING_SYMBOLIC) {
        gr_ctx_init_fmpz_mpoly_q(k->gr, k->n_symbols + 1, ORD_LEX);
        fmpz_mpoly_ctx_init(k->m, k->n_symbols + 1, ORD_LEX);
    } else {
        cc_real *zero = cc_real_si(&k->calc->r, 0); // makes the context
        if (!zero || !cc_real_ca(&k->calc->r, zero, CC_CA_DIRECT)) return -1;
        _gr_ctx_init_ca_from_ref(k->gr, GR_CTX_CC_CA, k->calc->r.ca[CC_CA_DIRECT]);
    }
    k->ready = true;
    return 0;
}

static int read_all(cc_ring *k, const cc_matrix_text *texts, const char *const *names, size_t n, entry *entries, gr_mat_struct **out) {
    size_t at = 0;
    double bits = 0;
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < texts[t].rows * texts[t].columns; i++) {
            entry *e = &entries[at++];
            size_t row = i / texts[t].columns + 1, column = i % texts[t].columns + 1;
            if (cc_ring_poll(k)) return -1;
            if (read_entry(k, texts[t].entries[i], e)) return cc_error_wrap(k->err, "%s[%zu][%zu]", names[t], row - 1, column - 1);
            if (e->rational) {
                bits += (double)fmpq_height_bits(e->q);
                if (bits > 1e7 || fmpq_height_bits(e->q) > MAX_BITS)
                    return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "%s: the entries are too long; at most %d bits an entry", names[t],
                                        MAX_BITS);
            }
            cc_ring_kind kind = e->symbolic ? CC_RING_SYMBOLIC : e->rational ? CC_RING_RATIONAL : CC_RING_CONSTANT;
            if (kind > k->kind) k->kind = kind;
        }
    if (k->n_symbols) qsort(k->symbols, (size_t)k->n_symbols, sizeof *k->symbols, by_name);
    if (start(k)) return -1;
    at = 0;
    for (size_t t = 0; t < n; t++) {
        out[t] = cc_ring_matrix(k, (slong)texts[t].rows, (slong)texts[t].columns);
        for (size_t i = 0; i < texts[t].rows * texts[t].columns; i++) {
            size_t row = i / texts[t].columns, column = i % texts[t].columns;
            if (set_entry(k, &entries[at++], cc_at(k, out[t], (slong)row, (slong)column)))
                return cc_error_wrap(k->err, "%s[%zu][%zu]", names[t], row, column);
        }
    }
    return 0;
}

int cc_ring_read(cc_ring *k, cc_arena *a, const cc_matrix_text *texts, const char *const *names, size_t n, gr_mat_struct **out,
                 const volatile sig_atomic_t *stop, cc_error *err) {
    *k = (cc_ring){.arena = a, .err = err, .calc = CC_ARENA_NEW(a, cc_calc)};
    *k->calc = (cc_calc){.arena = a, .err = err, .parsed = &k->parsed};
    cc_reals_init(&k->calc->r, a, err, stop);
    k->symbols = CC_ARENA_ARRAY(a, cc_str, MAX_SYMBOLS + 2);
    size_t total = 0;
    for (size_t t = 0; t < n; t++) total += texts[t].rows * texts[t].columns;
    entry *entries = CC_ARENA_ARRAY(a, entry, total);
    for (size_t i = 0; i < total; i++) fmpq_init(entries[i].q);
    int rc = read_all(k, texts, names, n, entries, out);
    for (size_t i = 0; i < total; i++) fmpq_clear(entries[i].q);
    return rc;
}

int cc_ring_constants(cc_ring *k, cc_ring *out) {
    *out = (cc_ring){.kind = CC_RING_CONSTANT, .calc = k->calc, .borrowed = true, .symbols = k->symbols, .arena = k->arena, .err = k->err};
    out->n_symbols = k->n_symbols;
    return start(out);
}

void cc_ring_root(cc_ring *k, const fmpz_poly_t p, cc_ring *out) {
    *out = (cc_ring){.kind = CC_RING_ROOT, .calc = k->calc, .borrowed = true, .symbols = k->symbols, .arena = k->arena, .err = k->err};
    out->n_symbols = k->n_symbols;
    fmpq_poly_t q;
    fmpq_poly_init(q);
    fmpq_poly_set_fmpz_poly(q, p);
    nf_init(out->nf, q);
    fmpq_poly_clear(q);
    _gr_ctx_init_nf_from_ref(out->gr, out->nf);
    out->ready = true;
}

gr_mat_struct *cc_ring_lift(cc_ring *to, const gr_mat_struct *rational) {
    gr_mat_struct *m = cc_ring_matrix(to, rational->r, rational->c);
    int status = GR_SUCCESS;
    for (slong i = 0; i < m->r; i++)
        for (slong j = 0; j < m->c; j++)
            status |= gr_set_fmpq(cc_at(to, m, i, j), fmpq_mat_entry((const fmpq_mat_struct *)(const void *)rational, i, j), to->gr);
    return cc_ring_ok(to, status, "the matrix") ? NULL : m;
}

// ---- writing ----

static cc_str show_constant(cc_ring *k, ca_srcptr x) {
    cc_val v;
    cc_str s = {0};
    if (!cc_val_read(k->calc, x, &v)) s = cc_val_form(k->calc, &v);
    if (s.n && s.n <= MAX_FORM) return s;
    if (k->err->code == CC_OK) {
        cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "an entry of the result has no short exact form");
        cc_error_remedy(k->err, "write symbols or decimals for some irrational entries, or ask for less (det, rank, charpoly)");
    }
    return (cc_str){0};
}

// One term: |p/q| times a monomial (which may be empty).
static void show_term(cc_ring *k, cc_buf *b, const fmpz_t coeff, cc_str mono) {
    fmpz_t c;
    fmpz_init(c);
    fmpz_abs(c, coeff);
    bool unit = fmpz_is_one(c) && mono.n;
    if (!unit) cc_buf_adds(b, cc_fmpz_text(k->arena, c));
    if (!unit && mono.n) cc_buf_addc(b, '*');
    cc_buf_adds(b, mono);
    fmpz_clear(c);
}

// p / den, term by term.
static cc_str show_over(cc_ring *k, const fmpz_mpoly_t p, const fmpz_t den) {
    slong n = fmpz_mpoly_length(p, k->m), vars = k->n_symbols + 1;
    slong *exp = CC_ARENA_ARRAY(k->arena, slong, (size_t)vars);
    CC_CLEANUP_BUF cc_buf b = {0};
    fmpz_t c, d, g;
    fmpz_init(c);
    fmpz_init(d);
    fmpz_init(g);
    for (slong i = 0; i < n && b.n <= CC_MATRIX_MAX_TEXT; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, k->m);
        fmpz_gcd(g, c, den);
        fmpz_divexact(c, c, g);
        fmpz_divexact(d, den, g);
        fmpz_mpoly_get_term_exp_si(exp, p, i, k->m);
        CC_CLEANUP_BUF cc_buf mono = {0};
        for (slong j = 0; j < vars; j++) {
            if (!exp[j]) continue;
            if (mono.n) cc_buf_addc(&mono, '*');
            cc_buf_adds(&mono, k->symbols[j]);
            if (exp[j] > 1) cc_buf_printf(&mono, "**%ld", exp[j]);
        }
        bool minus = fmpz_sgn(c) < 0;
        cc_buf_addz(&b, i ? (minus ? " - " : " + ") : minus ? "-" : "");
        show_term(k, &b, c, cc_buf_str(&mono));
        if (!fmpz_is_one(d)) {
            cc_buf_addc(&b, '/');
            cc_buf_adds(&b, cc_fmpz_text(k->arena, d));
        }
    }
    fmpz_clear(c);
    fmpz_clear(d);
    fmpz_clear(g);
    if (b.n > CC_MATRIX_MAX_TEXT) {
        cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the result is longer than %u bytes", CC_MATRIX_MAX_TEXT);
        return (cc_str){0};
    }
    if (!n) cc_buf_addc(&b, '0');
    return cc_arena_dup(k->arena, cc_buf_str(&b));
}

cc_str cc_mpoly_show(cc_ring *k, const fmpz_mpoly_t p) {
    fmpz_t one = {1};
    return show_over(k, p, one);
}

static bool is_sum(cc_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ' ') return true;
    return false;
}

static bool is_product(cc_str s) {
    for (size_t i = 0; i + 1 < s.n; i++) {
        if (s.p[i] == '*' && s.p[i + 1] != '*') return true;
        if (s.p[i] == '*') i++;
    }
    return false;
}

static cc_str show_symbolic(cc_ring *k, fmpz_mpoly_q_struct *x) {
    fmpz_mpoly_struct *num = fmpz_mpoly_q_numref(x), *den = fmpz_mpoly_q_denref(x);
    if (fmpz_mpoly_is_fmpz(den, k->m)) {
        fmpz_t d;
        fmpz_init(d);
        fmpz_mpoly_get_fmpz(d, den, k->m);
        cc_str s = show_over(k, num, d);
        fmpz_clear(d);
        return s;
    }
    cc_str a = cc_mpoly_show(k, num), b = cc_mpoly_show(k, den);
    if (!a.n || !b.n) return (cc_str){0};
    bool pa = is_sum(a), pb = is_sum(b) || is_product(b);
    return cc_arena_printf(k->arena, "%s%.*s%s/%s%.*s%s", pa ? "(" : "", (int)a.n, a.p, pa ? ")" : "", pb ? "(" : "", (int)b.n, b.p,
                           pb ? ")" : "");
}

// An element of a number field, as a polynomial in its root.
static cc_str show_root(cc_ring *k, gr_srcptr x) {
    fmpq_poly_t p;
    fmpq_t q;
    fmpq_poly_init(p);
    fmpq_init(q);
    nf_elem_get_fmpq_poly(p, x, k->nf);
    slong n = fmpq_poly_length(p);
    cc_str *c = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)n + 1);
    for (slong i = 0; i < n; i++) {
        fmpq_poly_get_coeff_fmpq(q, p, i);
        c[i] = cc_fmpq_text(k->arena, q);
    }
    fmpq_clear(q);
    fmpq_poly_clear(p);
    return cc_poly_show(k, c, n);
}

cc_str cc_ring_show(cc_ring *k, gr_srcptr x) {
    switch (k->kind) {
    case CC_RING_RATIONAL: return cc_fmpq_text(k->arena, (const fmpq *)x);
    case CC_RING_CONSTANT: return show_constant(k, x);
    case CC_RING_SYMBOLIC: return show_symbolic(k, (fmpz_mpoly_q_struct *)(uintptr_t)x);
    case CC_RING_ROOT: return show_root(k, x);
    }
    return (cc_str){0};
}

int cc_ring_show_matrix(cc_ring *k, const gr_mat_struct *m, cc_matrix_text *out) {
    size_t rows = (size_t)m->r, columns = (size_t)m->c, bytes = 0;
    cc_str *texts = CC_ARENA_ARRAY(k->arena, cc_str, rows * columns + 1);
    for (size_t i = 0; i < rows * columns; i++) {
        texts[i] = cc_ring_show(k, cc_at(k, m, (slong)(i / columns), (slong)(i % columns)));
        if (!texts[i].n || cc_ring_poll(k)) return -1;
        if ((bytes += texts[i].n) > CC_MATRIX_MAX_TEXT)
            return cc_error_set(k->err, CC_RESOURCE_EXHAUSTED, "the result is longer than %u bytes", CC_MATRIX_MAX_TEXT);
    }
    *out = (cc_matrix_text){rows, columns, texts};
    return 0;
}

// Where a top-level '/' stands, s.n when there is none.
static size_t slash(cc_str s) {
    int depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        depth += (s.p[i] == '(') - (s.p[i] == ')');
        if (depth == 0 && s.p[i] == '/') return i;
    }
    return s.n;
}

cc_str cc_text_times(cc_ring *k, cc_str c, cc_str x, bool *minus) {
    bool sum = false;
    int depth = 0;
    for (size_t j = 0; j < c.n; j++) {
        depth += (c.p[j] == '(') - (c.p[j] == ')');
        sum = sum || (depth == 0 && c.p[j] == ' ');
    }
    *minus = !(sum && x.n) && c.p[0] == '-';
    if (*minus) c.p++, c.n--;
    if (!x.n) return c;
    if (sum) return cc_arena_printf(k->arena, "(%.*s)*%.*s", (int)c.n, c.p, (int)x.n, x.p);
    size_t cut = slash(c);
    bool unit = cut == 1 && c.p[0] == '1';
    return cc_arena_printf(k->arena, "%.*s%s%.*s%.*s", unit ? 0 : (int)cut, c.p, unit ? "" : "*", (int)x.n, x.p, (int)(c.n - cut),
                           c.p + cut);
}

cc_str cc_poly_show(cc_ring *k, const cc_str *c, slong length) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_str var = k->symbols[k->n_symbols];
    for (slong i = length; i-- > 0;) {
        if (cc_str_eqz(c[i], "0")) continue;
        bool minus;
        cc_str power = i == 0 ? CC_STR("") : i == 1 ? var : cc_arena_printf(k->arena, "%.*s**%ld", (int)var.n, var.p, i);
        cc_str t = cc_text_times(k, c[i], power, &minus);
        cc_buf_addz(&b, b.n ? (minus ? " - " : " + ") : minus ? "-" : "");
        cc_buf_adds(&b, t);
    }
    if (!b.n) cc_buf_addc(&b, '0');
    return cc_arena_dup(k->arena, cc_buf_str(&b));
}

cc_str cc_fmpz_poly_show(cc_ring *k, const fmpz *c, slong length) {
    cc_str *texts = CC_ARENA_ARRAY(k->arena, cc_str, (size_t)length + 1);
    for (slong i = 0; i < length; i++) texts[i] = cc_fmpz_text(k->arena, c + i);
    return cc_poly_show(k, texts, length);
}
