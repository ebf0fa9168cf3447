// Expressions → text in the style and order of SymPy's str(): x**2 + 2*x + 1, -x/2, sqrt(x), (x + 1)/(x - 1). Called by everybody that
// answers. It changes nothing; what it prints, cc_x_read reads back to the same expression.
//
// Terms of a sum go by degree, lexicographically in the generators (descending), those of numbers alone by size; factors go numbers,
// symbols by name, sums, functions.
#include "math/expr/intern.h"

#include <stdlib.h>

enum level { L_LIST, L_OR, L_AND, L_NOT, L_REL, L_ADD, L_MUL, L_POW, L_ATOM };

typedef struct printer {
    cc_alg *g;
    cc_buf *out;
} printer;

static void put(printer *p, cc_xp x, enum level level);

// ---- order of factors ----

typedef struct sort_class {
    int group, index;
    const char *name;
} sort_class;

static int function_index(cc_xfn fn) {
    static const struct {
        cc_xfn fn;
        int index;
    } known[] = {{CC_F_EXP, 10},  {CC_F_LOG, 11},  {CC_F_SIN, 20},  {CC_F_COS, 21},       {CC_F_TAN, 22}, {CC_F_COT, 23}, {CC_F_SINH, 30},
                 {CC_F_COSH, 31}, {CC_F_TANH, 32}, {CC_F_COTH, 33}, {CC_F_CONJUGATE, 40}, {CC_F_RE, 41},  {CC_F_IM, 42},  {CC_F_ARG, 43}};
    for (size_t i = 0; i < CC_ARRAY_LEN(known); i++)
        if (known[i].fn == fn) return known[i].index;
    return 10000;
}

static sort_class class_of(cc_xp x) {
    static const char *const names[] = {"Pi", "Exp1", "ImaginaryUnit", "EulerGamma", "Catalan", "GoldenRatio"};
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: return (sort_class){1, 0, "Number"};
    case CC_X_CONST: return x->konst <= CC_K_GOLDEN ? (sort_class){2, 0, names[x->konst]} : (sort_class){1, 1, "Number"};
    case CC_X_SYM: return (sort_class){2, 0, "Symbol"};
    case CC_X_MUL: return (sort_class){3, 0, "Mul"};
    case CC_X_ADD: return (sort_class){3, 1, "Add"};
    case CC_X_POW: return (sort_class){3, 2, "Pow"};
    case CC_X_FUN: return (sort_class){4, function_index((cc_xfn)x->fn), cc_x_fn_name((cc_xfn)x->fn)};
    default: return (sort_class){5, x->kind, ""};
    }
}

static void base_of(cc_xp x, cc_xp *base, cc_xp *exponent) {
    bool power = x->kind == CC_X_POW;
    *base = power ? x->args[0] : x;
    *exponent = power ? x->args[1] : NULL;
}

static int by_key(cc_xp a, cc_xp b) {
    if (a == b) return 0;
    cc_xp x, y, ex, ey;
    base_of(a, &x, &ex);
    base_of(b, &y, &ey);
    if (x != y) {
        sort_class c = class_of(x), d = class_of(y);
        if (c.group != d.group) return c.group < d.group ? -1 : 1;
        if (c.index != d.index) return c.index < d.index ? -1 : 1;
        int names = strcmp(c.name, d.name);
        if (names) return names;
        if (x->n != y->n) return x->n < y->n ? -1 : 1;
        for (uint32_t i = 0; i < x->n; i++) {
            int k = by_key(x->args[i], y->args[i]);
            if (k) return k;
        }
        return cc_x_compare(x, y);
    }
    if (!ex || !ey) { // an exponent of 1 is not written
        cc_xp e = ex ? ex : ey;
        int sign = cc_x_is_num(e) ? fmpq_cmp_si(e->num, 1) : 1;
        return ex ? sign : -sign;
    }
    return by_key(ex, ey);
}

static int compare_factors(const void *a, const void *b) { return by_key(*(const cc_xp *)a, *(const cc_xp *)b); }

// ---- order of terms ----

typedef struct power {
    cc_xp base;
    fmpq exponent; // of base
} power;

typedef struct term {
    cc_xp whole;
    power *powers; // by base
    size_t n;
    double re, im; // the value of its constant factors
} term;

static int by_base(const void *a, const void *b) {
    const power *p = a, *q = b;
    return by_key(p->base, q->base);
}

static void numeric_value(printer *p, cc_xp x, double *re, double *im) {
    acb_t v;
    acb_init(v);
    *re = 0;
    *im = 0;
    if (x->kind == CC_X_NUM)
        *re = fmpq_get_d(x->num);
    else if (x->finite && cc_x_enclose(p->g, v, x, NULL, 64)) {
        *re = arf_get_d(arb_midref(acb_realref(v)), ARF_RND_NEAR);
        *im = arf_get_d(arb_midref(acb_imagref(v)), ARF_RND_NEAR);
    }
    acb_clear(v);
}

static void take_apart(printer *p, cc_xp x, term *t) {
    size_t n;
    *t = (term){.whole = x, .re = 1};
    const cc_xp *f = cc_x_factors(&t->whole, &n);
    t->powers = CC_ARENA_ARRAY(p->g->arena, power, n);
    for (size_t i = 0; i < n; i++) {
        if (f[i]->free == 0) {
            double re, im, old = t->re;
            numeric_value(p, f[i], &re, &im);
            t->re = old * re - t->im * im;
            t->im = old * im + t->im * re;
            continue;
        }
        power *q = &t->powers[t->n++];
        base_of(f[i], &q->base, &(cc_xp){NULL});
        fmpq_init(&q->exponent);
        fmpq_one(&q->exponent);
        cc_xp e = f[i]->kind == CC_X_POW ? f[i]->args[1] : cc_x_is_fun(f[i], CC_F_EXP) ? f[i]->args[0] : NULL;
        if (!e) continue;
        cc_xp rest;
        const fmpq *c = cc_x_coefficient(p->g, e, &rest);
        fmpq_set(&q->exponent, c);
        if (cc_x_is_fun(f[i], CC_F_EXP))
            q->base = cc_x_intern_fun(p->g, CC_F_EXP, &rest, 1);
        else if (e->kind != CC_X_NUM)
            q->base = cc_x_intern_pow(p->g, q->base, rest);
        if (!q->base) q->base = f[i];
    }
    if (t->n > 1) qsort(t->powers, t->n, sizeof *t->powers, by_base);
}

static int descending(const void *x, const void *y) {
    const term *a = x, *b = y;
    for (size_t i = 0, k = 0; i < a->n || k < b->n;) {
        int c = i == a->n ? 1 : k == b->n ? -1 : by_key(a->powers[i].base, b->powers[k].base);
        if (c == 0) {
            c = -fmpq_cmp(&a->powers[i].exponent, &b->powers[k].exponent);
            if (c) return c;
            i++;
            k++;
        } else {
            return c < 0 ? -fmpq_sgn(&a->powers[i].exponent) : fmpq_sgn(&b->powers[k].exponent);
        }
    }
    if ((a->im != 0) != (b->im != 0)) return a->im != 0 ? 1 : -1; // 1/2 - I
    if (a->im != b->im) return a->im < b->im ? -1 : 1;
    if (a->re != b->re) return a->re < b->re ? -1 : 1;
    return cc_x_compare(a->whole, b->whole);
}

// A series goes upwards, its O-term last.
static int ascending(const void *x, const void *y) {
    bool a = cc_x_is_fun(((const term *)x)->whole, CC_F_ORDER), b = cc_x_is_fun(((const term *)y)->whole, CC_F_ORDER);
    return a != b ? a - b : descending(y, x);
}

// ---- numbers and atoms ----

static void put_fmpz(printer *p, const fmpz_t n) {
    CC_CLEANUP_FREE char *s = cc_malloc(fmpz_sizeinbase(n, 10) + 2);
    cc_buf_addz(p->out, fmpz_get_str(s, 10, n));
}

static void put_number(printer *p, const fmpq *q) {
    put_fmpz(p, fmpq_numref(q));
    if (fmpz_is_one(fmpq_denref(q))) return;
    cc_buf_addc(p->out, '/');
    put_fmpz(p, fmpq_denref(q));
}

static const char *constant_name(cc_xconst k) {
    static const char *const names[] = {"pi", "E", "I", "EulerGamma", "Catalan", "GoldenRatio", "oo", "zoo", "nan", "True", "False"};
    return names[k];
}

// x**-1 and x**(-1/2) are written 1/x and 1/sqrt(x).
static bool is_reciprocal(cc_xp e) {
    return e->kind == CC_X_NUM && fmpz_equal_si(fmpq_numref(e->num), -1) && fmpz_cmp_ui(fmpq_denref(e->num), 2) <= 0;
}

static enum level level_of(cc_xp x) {
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: return fmpq_sgn(x->num) < 0 ? L_ADD : fmpz_is_one(fmpq_denref(x->num)) ? L_ATOM : L_MUL;
    case CC_X_ADD: return L_ADD;
    case CC_X_MUL: return cc_x_num_sign(x->args[0]) < 0 ? L_ADD : L_MUL;
    case CC_X_POW: return is_reciprocal(x->args[1]) ? L_MUL : L_POW;
    case CC_X_REL: return x->konst == CC_REL_LT || x->konst == CC_REL_LE ? L_REL : L_ATOM;
    case CC_X_AND: return L_AND;
    case CC_X_OR: return L_OR;
    case CC_X_NOT: return L_NOT;
    default: return L_ATOM;
    }
}

// ---- sums, products, powers ----

const cc_xp *cc_x_print_terms(cc_alg *g, cc_xp x) {
    printer p = {.g = g};
    term *t = CC_ARENA_ARRAY(g->arena, term, x->n);
    for (uint32_t i = 0; i < x->n; i++) take_apart(&p, x->args[i], &t[i]);
    // "1 - x", "pi - x": a positive number before one negative term
    bool constant = x->args[0]->kind == CC_X_CONST && x->args[0]->konst <= CC_K_GOLDEN && x->args[0] != g->i;
    bool positive = cc_x_num_sign(x->args[0]) > 0 || constant;
    bool plain = x->n == 2 && positive && x->args[1]->kind == CC_X_MUL && x->args[1]->n == 2 && cc_x_num_sign(x->args[1]->args[0]) < 0;
    bool series = false;
    for (uint32_t i = 0; i < x->n; i++) series = series || cc_x_is_fun(x->args[i], CC_F_ORDER);
    if (!plain) qsort(t, x->n, sizeof *t, series ? ascending : descending);
    cc_xp *order = CC_ARENA_ARRAY(g->arena, cc_xp, x->n);
    for (uint32_t i = 0; i < x->n; i++) {
        order[i] = t[i].whole;
        for (size_t k = 0; k < t[i].n; k++) fmpq_clear(&t[i].powers[k].exponent);
    }
    return order;
}

const cc_xp *cc_x_print_factors(cc_alg *g, cc_xp x, size_t *n) {
    const cc_xp *f = cc_x_factors(&x, n);
    cc_xp *order = CC_ARENA_ARRAY(g->arena, cc_xp, *n);
    memcpy(order, f, *n * sizeof *order);
    qsort(order, *n, sizeof *order, compare_factors);
    return order;
}

static void put_sum(printer *p, cc_xp x) {
    const cc_xp *order = cc_x_print_terms(p->g, x);
    for (uint32_t i = 0; i < x->n; i++) {
        size_t at = p->out->n;
        put(p, order[i], L_ADD);
        if (i == 0) continue;
        // put " + " or " - " before what was written
        bool minus = p->out->p[at] == '-';
        size_t len = p->out->n - at - minus;
        cc_buf_add(p->out, "   ", minus ? 2 : 3);
        memmove(p->out->p + at + 3, p->out->p + at + minus, len);
        memcpy(p->out->p + at, minus ? " - " : " + ", 3);
    }
}

static void put_power(printer *p, cc_xp base, cc_xp e) {
    if (e == p->g->one) {
        put(p, base, L_POW);
    } else if (e == p->g->half) {
        cc_buf_addz(p->out, "sqrt(");
        put(p, base, L_LIST);
        cc_buf_addc(p->out, ')');
    } else {
        put(p, base, L_ATOM);
        cc_buf_addz(p->out, "**");
        put(p, e, L_ATOM);
    }
}

static void put_product(printer *p, cc_xp x) {
    cc_alg *g = p->g;
    size_t n, up = 0, down = 0;
    const cc_xp *order = cc_x_print_factors(g, x, &n), first_factor = *cc_x_factors(&x, &n);
    const fmpq *c = cc_x_is_num(first_factor) ? first_factor->num : g->one->num;
    for (size_t i = 0; i < n; i++) {
        if (order[i]->kind == CC_X_NUM) continue;
        bool below = order[i]->kind == CC_X_POW && cc_x_num_sign(order[i]->args[1]) < 0;
        up += !below;
        down += below;
    }
    bool fraction = !fmpz_is_one(fmpq_denref(c)), number = !fmpz_is_pm1(fmpq_numref(c)) || up == 0;
    down += fraction;
    if (fmpq_sgn(c) < 0) cc_buf_addc(p->out, '-');
    bool first = true;
    if (number) {
        fmpz_t a;
        fmpz_init(a);
        fmpz_abs(a, fmpq_numref(c));
        put_fmpz(p, a);
        fmpz_clear(a);
        first = false;
    }
    for (int below = 0; below < 2; below++) {
        if (below) {
            if (!down) break;
            cc_buf_addz(p->out, down > 1 ? "/(" : "/");
            first = true;
            if (fraction) {
                put_fmpz(p, fmpq_denref(c));
                first = false;
            }
        }
        for (size_t i = 0; i < n; i++) {
            if (order[i]->kind == CC_X_NUM || (order[i]->kind == CC_X_POW && cc_x_num_sign(order[i]->args[1]) < 0) != below) continue;
            if (!first) cc_buf_addc(p->out, '*');
            first = false;
            if (below)
                put_power(p, order[i]->args[0], cc_x_neg(g, order[i]->args[1]));
            else
                put(p, order[i], L_MUL);
        }
    }
    if (down > 1) cc_buf_addc(p->out, ')');
}

// ---- functions, relations ----

static void put_items(printer *p, const cc_xp *items, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (i) cc_buf_addz(p->out, ", ");
        put(p, items[i], L_LIST);
    }
}

static void put_grouped(printer *p, const cc_xp *items, size_t n) {
    cc_buf_addz(p->out, ", (");
    put_items(p, items, n);
    cc_buf_addc(p->out, ')');
}

static void put_function(printer *p, cc_xp x) {
    if (x->fn == CC_F_APPLIED)
        cc_buf_adds(p->out, x->name);
    else
        cc_buf_addz(p->out, cc_x_fn_name((cc_xfn)x->fn));
    cc_buf_addc(p->out, '(');
    switch ((cc_xfn)x->fn) {
    case CC_F_PIECEWISE:
        for (uint32_t i = 0; i < x->n; i += 2) {
            cc_buf_addz(p->out, i ? ", (" : "(");
            put_items(p, x->args + i, 2);
            cc_buf_addc(p->out, ')');
        }
        break;
    case CC_F_INTEGRAL:
    case CC_F_SUM:
    case CC_F_PRODUCT:
        put(p, x->args[0], L_LIST);
        if (x->n == 4) {
            put_grouped(p, x->args + 1, 3);
        } else {
            cc_buf_addz(p->out, ", ");
            put(p, x->args[1], L_LIST);
        }
        break;
    case CC_F_DERIVATIVE:
        put(p, x->args[0], L_LIST);
        if (x->args[2] == p->g->one) {
            cc_buf_addz(p->out, ", ");
            put(p, x->args[1], L_LIST);
        } else {
            put_grouped(p, x->args + 1, 2);
        }
        break;
    case CC_F_LIMIT:
        put_items(p, x->args, 3);
        cc_buf_addz(p->out, cc_x_num_sign(x->args[3]) > 0 ? ", '+'" : cc_x_num_sign(x->args[3]) < 0 ? ", '-'" : "");
        break;
    case CC_F_ORDER: // O(x**3); O((x - 1)**2, (x, 1))
        put(p, x->args[0], L_LIST);
        if (x->n == 3 && x->args[2] != p->g->zero) put_grouped(p, x->args + 1, 2);
        break;
    case CC_F_CROOTOF:
        put(p, x->args[0], L_LIST);
        cc_buf_addz(p->out, ", ");
        put(p, x->args[2], L_LIST);
        break;
    case CC_F_INTERVAL: put_items(p, x->args, x->args[2] == p->g->no && x->args[3] == p->g->no ? 2 : 4); break;
    default: put_items(p, x->args, x->n);
    }
    cc_buf_addc(p->out, ')');
}

static void put_relation(printer *p, cc_xp x) {
    cc_xp a = x->args[0], b = x->args[1];
    if (x->konst == CC_REL_EQ || x->konst == CC_REL_NE) {
        cc_buf_addz(p->out, x->konst == CC_REL_EQ ? "Eq(" : "Ne(");
        put_items(p, x->args, 2);
        cc_buf_addc(p->out, ')');
        return;
    }
    bool flipped = a->free == 0 && b->free != 0; // 0 < x is written x > 0
    put(p, flipped ? b : a, L_ADD);
    cc_buf_addz(p->out, flipped ? " >" : " <");
    if (x->konst == CC_REL_LE) cc_buf_addc(p->out, '=');
    cc_buf_addc(p->out, ' ');
    put(p, flipped ? a : b, L_ADD);
}

static void put_junction(printer *p, cc_xp x) {
    for (uint32_t i = 0; i < x->n; i++) {
        if (i) cc_buf_addz(p->out, x->kind == CC_X_AND ? " & " : " | ");
        put(p, x->args[i], L_ATOM);
    }
}

static void put(printer *p, cc_xp x, enum level level) {
    if (!x || p->g->err->code) return;
    bool parens = level_of(x) < level;
    if (parens) cc_buf_addc(p->out, '(');
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: put_number(p, x->num); break;
    case CC_X_CONST: cc_buf_addz(p->out, constant_name((cc_xconst)x->konst)); break;
    case CC_X_SYM: cc_buf_adds(p->out, x->name); break;
    case CC_X_ADD: put_sum(p, x); break;
    case CC_X_MUL: put_product(p, x); break;
    case CC_X_POW:
        if (is_reciprocal(x->args[1]))
            put_product(p, x);
        else
            put_power(p, x->args[0], x->args[1]);
        break;
    case CC_X_FUN: put_function(p, x); break;
    case CC_X_REL: put_relation(p, x); break;
    case CC_X_AND:
    case CC_X_OR: put_junction(p, x); break;
    case CC_X_NOT:
        cc_buf_addc(p->out, '~');
        put(p, x->args[0], L_ATOM);
        break;
    case CC_X_LIST:
    case CC_X_TUPLE:
        cc_buf_addc(p->out, x->kind == CC_X_LIST ? '[' : '(');
        put_items(p, x->args, x->n);
        if (x->kind == CC_X_TUPLE && x->n == 1) cc_buf_addc(p->out, ',');
        cc_buf_addc(p->out, x->kind == CC_X_LIST ? ']' : ')');
        break;
    }
    if (parens) cc_buf_addc(p->out, ')');
}

cc_str cc_x_show(cc_alg *g, cc_xp x) {
    CC_CLEANUP_BUF cc_buf out = {0};
    printer p = {g, &out};
    put(&p, x, L_LIST);
    return cc_arena_dup(g->arena, cc_buf_str(&out));
}
