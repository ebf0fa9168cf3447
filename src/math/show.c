// Exact reals → text in SymPy's style: "1 + sqrt(2)", "2*sqrt(3)*pi/3", "exp(1/2)", "2**(1/3)". Called by the calculator and by
// error messages. The order of terms and factors depends only on the number's form, so equal forms print equally. It prints
// what the graph says and simplifies nothing but powers of equal bases.
#include "math/real.h"

#include "codecalc/rational.h"

#include <flint/ulong_extras.h>
#include <stdlib.h>

enum { MAX_FACTORS = 64, MAX_TERMS = 256, BUDGET = 20000 };

typedef struct factor {
    cc_real *base;
    slong num, den; // exponent
    cc_str text;    // of base ** |exponent|
} factor;

typedef struct term {
    fmpq_t c;
    factor f[MAX_FACTORS];
    size_t n;
    bool overflow;
    cc_str key; // text of its factors, for sorting
    int rank;
} term;

typedef struct printer {
    cc_reals *r;
    unsigned budget; // nodes still to be printed
} printer;

static cc_str show(printer *p, cc_real *x);

cc_str cc_fmpz_text(cc_arena *a, const fmpz_t n) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_integer_print(&b, n);
    return cc_arena_dup(a, cc_buf_str(&b));
}

cc_str cc_fmpq_text(cc_arena *a, const fmpq_t q) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_rational_print(&b, q);
    return cc_arena_dup(a, cc_buf_str(&b));
}

// ---- a product as coefficient and factors ----

static void add_factor(term *t, cc_real *base, slong num, slong den) {
    for (size_t i = 0; i < t->n; i++) {
        factor *f = &t->f[i];
        bool equal = f->base == base || (f->base->op == CC_R_RAT && base->op == CC_R_RAT && fmpq_equal(f->base->q, base->q));
        if (!equal) continue;
        slong a, b, d;
        if (__builtin_mul_overflow(f->num, den, &a) || __builtin_mul_overflow(num, f->den, &b) || __builtin_mul_overflow(f->den, den, &d) ||
            __builtin_add_overflow(a, b, &a))
            break;
        slong g = (slong)n_gcd((ulong)(a < 0 ? -a : a), (ulong)d);
        f->num = g ? a / g : 0;
        f->den = g ? d / g : 1;
        return;
    }
    if (t->n == MAX_FACTORS) {
        t->overflow = true;
        return;
    }
    t->f[t->n++] = (factor){.base = base, .num = num, .den = den};
}

static void collect(term *t, cc_real *x, slong e) {
    slong m;
    switch (x->op) {
    case CC_R_RAT: {
        fmpq_t q;
        fmpq_init(q);
        fmpq_pow_si(q, x->q, e);
        fmpq_mul(t->c, t->c, q);
        fmpq_clear(q);
        return;
    }
    case CC_R_MUL:
        collect(t, x->a, e);
        collect(t, x->b, e);
        return;
    case CC_R_POWI:
        if (__builtin_mul_overflow(e, x->n, &m))
            add_factor(t, x, e, 1);
        else
            collect(t, x->a, m);
        return;
    case CC_R_ROOT: {
        slong g = (slong)n_gcd((ulong)(e < 0 ? -e : e), (ulong)x->n);
        add_factor(t, x->a, e / g, x->n / g);
        return;
    }
    default: add_factor(t, x, e, 1);
    }
}

// Whole powers of rational bases go into the coefficient: 2**(3/2) = 2*sqrt(2), 2**(-1/2) = sqrt(2)/2.
static void settle(term *t) {
    fmpq_t q;
    fmpq_init(q);
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        factor f = t->f[i];
        if (f.base->op == CC_R_RAT) {
            slong whole = f.num / f.den - (f.num % f.den < 0);
            fmpq_pow_si(q, f.base->q, whole);
            fmpq_mul(t->c, t->c, q);
            f.num -= whole * f.den;
        }
        if (f.num) t->f[kept++] = f;
    }
    t->n = kept;
    fmpq_clear(q);
}

static bool is_name(cc_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= 'A' && s.p[i] <= 'Z'))) return false;
    return s.n > 0;
}

// True when s is one call such as sqrt(2), whose closing parenthesis ends it.
static bool is_call(cc_str s) {
    size_t i = 0, depth = 0;
    while (i < s.n && s.p[i] != '(') i++;
    if (i == 0 || i == s.n || !is_name(cc_str_make(s.p, i))) return false;
    for (; i < s.n; i++) {
        if (s.p[i] == '(') depth++;
        if (s.p[i] == ')' && --depth == 0) return i == s.n - 1;
    }
    return false;
}

static cc_str in_power(printer *p, cc_str s) {
    return is_name(s) || is_call(s) ? s : cc_arena_printf(p->r->arena, "(%.*s)", (int)s.n, s.p);
}

static const char *const names[] = {
    [CC_R_LOG] = "log",         [CC_R_SIN] = "sin",     [CC_R_COS] = "cos",     [CC_R_TAN] = "tan",     [CC_R_ASIN] = "asin",
    [CC_R_ACOS] = "acos",       [CC_R_ATAN] = "atan",   [CC_R_SINH] = "sinh",   [CC_R_COSH] = "cosh",   [CC_R_TANH] = "tanh",
    [CC_R_ASINH] = "asinh",     [CC_R_ACOSH] = "acosh", [CC_R_ATANH] = "atanh", [CC_R_GAMMA] = "gamma", [CC_R_LGAMMA] = "loggamma",
    [CC_R_DIGAMMA] = "digamma", [CC_R_ERF] = "erf",     [CC_R_ERFC] = "erfc",   [CC_R_ERFI] = "erfi",   [CC_R_ZETA] = "zeta",
};

static cc_str call_text(printer *p, const char *name, cc_real *arg) {
    cc_str s = show(p, arg);
    return cc_arena_printf(p->r->arena, "%s(%.*s)", name, (int)s.n, s.p);
}

// exp(c*log(b)) is b**c
static cc_str exp_text(printer *p, cc_real *x) {
    cc_real *a = x->a, *base = NULL, *rest = NULL;
    if (a->op == CC_R_RAT && fmpq_is_one(a->q)) return CC_STR("E");
    cc_real *inner = a->op == CC_R_MUL && a->a->op == CC_R_RAT ? a->b : a;
    if (inner->op == CC_R_MUL && inner->a->op == CC_R_LOG) {
        base = inner->a->a;
        rest = inner->b;
    } else if (inner->op == CC_R_MUL && inner->b->op == CC_R_LOG) {
        base = inner->b->a;
        rest = inner->a;
    }
    if (!base) return call_text(p, "exp", a);
    if (inner != a) rest = cc_real_mul(p->r, a->a, rest);
    if (!rest) return call_text(p, "exp", a);
    cc_str b = in_power(p, show(p, base)), e = in_power(p, show(p, rest));
    return cc_arena_printf(p->r->arena, "%.*s**%.*s", (int)b.n, b.p, (int)e.n, e.p);
}

static cc_str base_text(printer *p, cc_real *x) {
    if (p->budget == 0) return CC_STR("...");
    p->budget--;
    switch (x->op) {
    case CC_R_PI: return CC_STR("pi");
    case CC_R_EULER: return CC_STR("EulerGamma");
    case CC_R_EXP: return exp_text(p, x);
    case CC_R_POW: {
        cc_str b = in_power(p, show(p, x->a)), e = in_power(p, show(p, x->b));
        return cc_arena_printf(p->r->arena, "%.*s**%.*s", (int)b.n, b.p, (int)e.n, e.p);
    }
    case CC_R_RAT:
    case CC_R_ADD:
    case CC_R_MUL:
    case CC_R_POWI:
    case CC_R_ROOT: return show(p, x);
    default: return call_text(p, names[x->op], x->a);
    }
}

static cc_str factor_text(printer *p, const factor *f) {
    cc_arena *a = p->r->arena;
    slong num = f->num < 0 ? -f->num : f->num;
    cc_str b = base_text(p, f->base);
    if (num == 1 && f->den == 1)
        return is_name(b) || is_call(b) || f->base->op == CC_R_POW || f->base->op == CC_R_EXP ? b
                                                                                              : cc_arena_printf(a, "(%.*s)", (int)b.n, b.p);
    if (num == 1 && f->den == 2) return cc_arena_printf(a, "sqrt(%.*s)", (int)b.n, b.p);
    b = in_power(p, b);
    if (f->den == 1) return cc_arena_printf(a, "%.*s**%ld", (int)b.n, b.p, num);
    return cc_arena_printf(a, "%.*s**(%ld/%ld)", (int)b.n, b.p, num, f->den);
}

static int by_factor(const void *a, const void *b) {
    const factor *x = a, *y = b;
    int rx = x->base->op == CC_R_RAT ? 0 : 1, ry = y->base->op == CC_R_RAT ? 0 : 1;
    if (rx != ry) return rx - ry;
    size_t n = x->text.n < y->text.n ? x->text.n : y->text.n;
    int c = n ? memcmp(x->text.p, y->text.p, n) : 0;
    return c ? c : (x->text.n > y->text.n) - (x->text.n < y->text.n);
}

// Roots of one order are drawn together: sqrt(2)*sqrt(3) = sqrt(6).
static void join_roots(printer *p, term *t) {
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = t->n; t->f[i].base->op == CC_R_RAT && j-- > i + 1;) {
            factor *x = &t->f[i], *y = &t->f[j];
            if (y->base->op != CC_R_RAT || x->num != y->num || x->den != y->den) continue;
            cc_real *q = cc_real_mul(p->r, x->base, y->base);
            if (!q) return;
            x->base = q;
            t->f[j] = t->f[--t->n];
        }
}

static void finish_term(printer *p, term *t) {
    settle(t);
    join_roots(p, t);
    bool only_roots = true;
    for (size_t i = 0; i < t->n; i++) {
        t->f[i].text = factor_text(p, &t->f[i]);
        only_roots = only_roots && t->f[i].base->op == CC_R_RAT;
    }
    if (t->n) qsort(t->f, t->n, sizeof t->f[0], by_factor);
    CC_CLEANUP_BUF cc_buf b = {0};
    for (size_t i = 0; i < t->n; i++) cc_buf_printf(&b, "%.*s^%ld/%ld ", (int)t->f[i].text.n, t->f[i].text.p, t->f[i].num, t->f[i].den);
    t->key = cc_arena_dup(p->r->arena, cc_buf_str(&b));
    t->rank = t->n == 0 ? 0 : only_roots ? 1 : 2;
}

// |t| as text.
static cc_str term_text(printer *p, const term *t) {
    CC_CLEANUP_BUF cc_buf num = {0}, den = {0};
    size_t below = 0;
    fmpz_t c;
    fmpz_init(c);
    fmpz_abs(c, fmpq_numref(t->c));
    if (!fmpz_is_one(c)) cc_buf_adds(&num, cc_fmpz_text(p->r->arena, c));
    fmpz_clear(c);
    if (!fmpz_is_one(fmpq_denref(t->c))) {
        cc_buf_adds(&den, cc_fmpz_text(p->r->arena, fmpq_denref(t->c)));
        below++;
    }
    for (size_t i = 0; i < t->n; i++) {
        cc_buf *b = t->f[i].num < 0 ? &den : &num;
        if (b->n) cc_buf_addc(b, '*');
        cc_buf_adds(b, t->f[i].text);
        below += t->f[i].num < 0;
    }
    if (!num.n) cc_buf_addc(&num, '1');
    if (below) {
        cc_buf_addc(&num, '/');
        if (below > 1) cc_buf_addc(&num, '(');
        cc_buf_adds(&num, cc_buf_str(&den));
        if (below > 1) cc_buf_addc(&num, ')');
    }
    return cc_arena_dup(p->r->arena, cc_buf_str(&num));
}

// ---- a sum ----

typedef struct sum {
    term **t;
    size_t n;
    bool overflow;
} sum;

static void collect_sum(printer *p, sum *s, cc_real *x, const fmpq_t c) {
    if (p->budget == 0) {
        s->overflow = true;
        return;
    }
    p->budget--;
    if (x->op == CC_R_ADD) {
        collect_sum(p, s, x->a, c);
        collect_sum(p, s, x->b, c);
        return;
    }
    if (x->op == CC_R_MUL && x->a->op == CC_R_RAT && x->b->op == CC_R_ADD) {
        fmpq_t d;
        fmpq_init(d);
        fmpq_mul(d, c, x->a->q);
        collect_sum(p, s, x->b, d);
        fmpq_clear(d);
        return;
    }
    term *t = CC_ARENA_NEW(p->r->arena, term);
    fmpq_init(t->c);
    fmpq_set(t->c, c);
    collect(t, x, 1);
    finish_term(p, t);
    s->overflow = s->overflow || t->overflow;
    for (size_t i = 0; i < s->n; i++)
        if (cc_str_eq(s->t[i]->key, t->key)) { // like terms
            fmpq_add(s->t[i]->c, s->t[i]->c, t->c);
            fmpq_clear(t->c);
            return;
        }
    if (s->n == MAX_TERMS) {
        s->overflow = true;
        fmpq_clear(t->c);
        return;
    }
    s->t[s->n++] = t;
}

static int by_term(const void *a, const void *b) {
    const term *x = *(term *const *)a, *y = *(term *const *)b;
    if (x->rank != y->rank) return x->rank - y->rank;
    size_t n = x->key.n < y->key.n ? x->key.n : y->key.n;
    int c = n ? memcmp(x->key.p, y->key.p, n) : 0;
    return c ? c : (x->key.n > y->key.n) - (x->key.n < y->key.n);
}

static cc_str show(printer *p, cc_real *x) {
    if (x->op == CC_R_RAT) return cc_fmpq_text(p->r->arena, x->q);
    term *room[MAX_TERMS];
    sum s = {.t = room};
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    collect_sum(p, &s, x, one);
    fmpq_clear(one);
    qsort(s.t, s.n, sizeof(term *), by_term);
    CC_CLEANUP_BUF cc_buf b = {0};
    for (size_t i = 0; i < s.n; i++) {
        if (!fmpq_is_zero(s.t[i]->c)) {
            bool minus = fmpq_sgn(s.t[i]->c) < 0;
            cc_buf_addz(&b, b.n ? (minus ? " - " : " + ") : minus ? "-" : "");
            cc_buf_adds(&b, term_text(p, s.t[i]));
        }
        fmpq_clear(s.t[i]->c);
    }
    if (s.overflow) p->budget = 0;
    if (!b.n) cc_buf_addc(&b, '0');
    return cc_arena_dup(p->r->arena, cc_buf_str(&b));
}

cc_str cc_real_show(cc_reals *r, cc_real *x) {
    printer p = {.r = r, .budget = BUDGET};
    cc_str s = show(&p, x);
    return p.budget ? s : cc_str_make(NULL, 0);
}
