// Making expressions other than sums, products and powers: numbers, constants, symbols, functions, relations, truth values, lists. Called
// by everybody. Owns nothing (the table does). What a function is at special arguments is in known.c.
#include "math/expr/intern.h"

#include <stdlib.h>

bool cc_x_failed(const cc_alg *g, const cc_xp *args, size_t n) {
    if (g->err->code) return true;
    for (size_t i = 0; i < n; i++)
        if (!args[i]) return true;
    return false;
}

bool cc_x_any_nan(cc_alg *g, const cc_xp *args, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (args[i] == g->nan) return true;
    return false;
}

bool cc_x_is_infinite(cc_xp x) {
    if (cc_x_is_kind(x, CC_X_MUL) && x->n == 2 && cc_x_is_num(x->args[0])) x = x->args[1];
    return cc_x_is_const(x, CC_K_OO) || cc_x_is_const(x, CC_K_ZOO);
}

// ---- numbers, constants, symbols ----

cc_xp cc_x_num(cc_alg *g, const fmpq_t q) {
    if (g->err->code) return NULL;
    return cc_x_intern(g, &(cc_x){.kind = CC_X_NUM, .num = q}, NULL, 0);
}

cc_xp cc_x_frac(cc_alg *g, slong p, slong q) {
    fmpq_t v;
    fmpq_init(v);
    if (q < 0)
        fmpq_set_si(v, -p, -(ulong)q);
    else
        fmpq_set_si(v, p, (ulong)q);
    cc_xp x = cc_x_num(g, v);
    fmpq_clear(v);
    return x;
}

cc_xp cc_x_int(cc_alg *g, slong n) { return cc_x_frac(g, n, 1); }

cc_xp cc_x_fmpz(cc_alg *g, const fmpz_t n) {
    fmpq_t v;
    fmpq_init(v);
    fmpq_set_fmpz(v, n);
    cc_xp x = cc_x_num(g, v);
    fmpq_clear(v);
    return x;
}

cc_xp cc_x_const(cc_alg *g, cc_xconst k) {
    if (g->err->code) return NULL;
    return cc_x_intern(g, &(cc_x){.kind = CC_X_CONST, .konst = (uint8_t)k}, NULL, 0);
}

static unsigned close_facts(unsigned f) {
    if (f & (CC_IS_EVEN | CC_IS_ODD)) f |= CC_IS_INTEGER;
    if (f & CC_IS_ODD) f |= CC_IS_NONZERO;
    if (f & CC_IS_INTEGER) f |= CC_IS_RATIONAL;
    if (f & (CC_IS_RATIONAL | CC_IS_POSITIVE | CC_IS_NEGATIVE | CC_IS_NONNEGATIVE | CC_IS_NONPOSITIVE)) f |= CC_IS_REAL;
    if ((f & CC_IS_NONZERO) && (f & CC_IS_NONNEGATIVE)) f |= CC_IS_POSITIVE;
    if ((f & CC_IS_NONZERO) && (f & CC_IS_NONPOSITIVE)) f |= CC_IS_NEGATIVE;
    if (f & CC_IS_POSITIVE) f |= CC_IS_NONZERO | CC_IS_NONNEGATIVE;
    if (f & CC_IS_NEGATIVE) f |= CC_IS_NONZERO | CC_IS_NONPOSITIVE;
    return f;
}

cc_xp cc_x_symbol(cc_alg *g, cc_str name, unsigned facts) {
    if (g->err->code) return NULL;
    return cc_x_intern(g, &(cc_x){.kind = CC_X_SYM, .name = name, .facts = (uint16_t)close_facts(facts)}, NULL, 0);
}

cc_xp cc_x_dummy(cc_alg *g, const char *name, unsigned facts) {
    if (g->err->code) return NULL;
    cc_x proto = {.kind = CC_X_SYM, .name = cc_str_of(name), .facts = (uint16_t)close_facts(facts), .dummy = true};
    proto.serial = g->table->serial++;
    return cc_x_intern(g, &proto, NULL, 0);
}

// ---- functions ----

static const struct {
    const char *name;
    uint8_t least, most;
} functions[] = {
#define ROW(id, name, least, most) {name, least, most},
    CC_X_FUNCTIONS(ROW)
#undef ROW
};

const char *cc_x_fn_name(cc_xfn fn) { return functions[fn].name; }

cc_xp cc_x_unevaluated(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    if (cc_x_failed(g, args, n)) return NULL;
    return cc_x_intern_fun(g, fn, args, n);
}

cc_xp cc_x_fun(cc_alg *g, cc_xfn fn, const cc_xp *args, size_t n) {
    if (cc_x_failed(g, args, n)) return NULL;
    if (n < functions[fn].least || (functions[fn].most != 255 && n > functions[fn].most)) {
        cc_error_set(g->err, CC_VALIDATION, "%s() takes %u argument%s, not %zu", functions[fn].name, functions[fn].least,
                     functions[fn].least == 1 ? "" : "s", n);
        return NULL;
    }
    cc_xp value = cc_x_known(g, fn, args, n);
    if (value || g->err->code) return value;
    return cc_x_intern_fun(g, fn, args, n);
}

cc_xp cc_x_applied(cc_alg *g, cc_str name, const cc_xp *args, size_t n) {
    if (cc_x_failed(g, args, n)) return NULL;
    return cc_x_intern(g, &(cc_x){.kind = CC_X_FUN, .fn = CC_F_APPLIED, .name = name}, args, n);
}

// ---- relations and truth values ----

static int order_of_infinite(cc_alg *g, cc_xp x) { return x == g->oo ? 1 : x == g->neg_oo ? -1 : 0; }

// a .rel b where it is decided cheaply: 1, 0, or -1 = not.
static int decided(cc_alg *g, cc_xrel rel, cc_xp a, cc_xp b) {
    if (a == b) return rel == CC_REL_EQ || rel == CC_REL_LE;
    int ia = order_of_infinite(g, a), ib = order_of_infinite(g, b);
    int sign = 2; // of b - a
    if (ia || ib) {
        if (ia && ib)
            sign = ib > ia ? 1 : ib < ia ? -1 : 0;
        else if (cc_x_is(g, ia ? b : a, CC_IS_REAL) == CC_TRUE)
            sign = ia ? -ia : ib;
        else
            return -1;
    } else if (cc_x_is_num(a) && cc_x_is_num(b)) {
        sign = -fmpq_cmp(a->num, b->num);
    } else if (a->finite && b->finite) {
        cc_xp d = cc_x_sub(g, b, a);
        if (!d || !d->finite) return -1;
        if (rel == CC_REL_EQ || rel == CC_REL_NE) {
            if (d == g->zero) return rel == CC_REL_EQ;
            return cc_x_is(g, d, CC_IS_NONZERO) == CC_TRUE ? rel == CC_REL_NE : -1;
        }
        sign = d == g->zero ? 0 : cc_x_sign(g, d);
        if (sign == 2) {
            if (cc_x_is(g, d, rel == CC_REL_LT ? CC_IS_NONPOSITIVE : CC_IS_NONNEGATIVE) == CC_TRUE) return rel == CC_REL_LE;
            return -1;
        }
    } else {
        return -1;
    }
    sign = (sign > 0) - (sign < 0);
    switch (rel) {
    case CC_REL_EQ: return sign == 0;
    case CC_REL_NE: return sign != 0;
    case CC_REL_LT: return sign > 0;
    case CC_REL_LE: return sign >= 0;
    }
    return -1;
}

cc_xp cc_x_rel(cc_alg *g, cc_xrel rel, cc_xp a, cc_xp b) {
    if (cc_x_failed(g, (const cc_xp[]){a, b}, 2)) return NULL;
    if (a == g->nan || b == g->nan) return rel == CC_REL_NE ? g->yes : g->no;
    bool values = a->kind < CC_X_REL && b->kind < CC_X_REL;
    int known = values ? decided(g, rel, a, b) : a == b && (rel == CC_REL_EQ || rel == CC_REL_NE) ? rel == CC_REL_EQ : -1;
    if (g->err->code) return NULL;
    if (known >= 0) return known ? g->yes : g->no;
    return cc_x_intern(g, &(cc_x){.kind = CC_X_REL, .konst = (uint8_t)rel}, (const cc_xp[]){a, b}, 2);
}

cc_xp cc_x_not(cc_alg *g, cc_xp a) {
    if (!a || g->err->code) return NULL;
    if (a == g->yes) return g->no;
    if (a == g->no) return g->yes;
    if (a->kind == CC_X_NOT) return a->args[0];
    if (a->kind == CC_X_REL) {
        switch ((cc_xrel)a->konst) {
        case CC_REL_EQ: return cc_x_rel(g, CC_REL_NE, a->args[0], a->args[1]);
        case CC_REL_NE: return cc_x_rel(g, CC_REL_EQ, a->args[0], a->args[1]);
        case CC_REL_LT: return cc_x_rel(g, CC_REL_LE, a->args[1], a->args[0]);
        case CC_REL_LE: return cc_x_rel(g, CC_REL_LT, a->args[1], a->args[0]);
        }
    }
    return cc_x_intern_kind(g, CC_X_NOT, &a, 1);
}

// and (unit TRUE, zero FALSE), or (the other way).
static cc_xp junction(cc_alg *g, cc_xkind kind, cc_xp a, cc_xp b) {
    if (cc_x_failed(g, (const cc_xp[]){a, b}, 2)) return NULL;
    cc_xp unit = kind == CC_X_AND ? g->yes : g->no, zero = kind == CC_X_AND ? g->no : g->yes;
    if (a == zero || b == zero) return zero;
    if (a == unit) return b;
    if (b == unit || a == b) return a;
    size_t na = a->kind == kind ? a->n : 1, nb = b->kind == kind ? b->n : 1, n = 0;
    cc_xp *items = CC_ARENA_ARRAY(g->arena, cc_xp, na + nb);
    for (size_t i = 0; i < na; i++) items[n++] = a->kind == kind ? a->args[i] : a;
    for (size_t i = 0; i < nb; i++) items[n++] = b->kind == kind ? b->args[i] : b;
    cc_x_sort(items, n);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (!m || items[m - 1] != items[i]) items[m++] = items[i];
    for (size_t i = 0; i < m; i++) {
        cc_xp opposite = cc_x_not(g, items[i]);
        for (size_t k = 0; k < m; k++)
            if (items[k] == opposite) return zero;
    }
    return m == 1 ? items[0] : cc_x_intern_kind(g, kind, items, m);
}

cc_xp cc_x_and(cc_alg *g, cc_xp a, cc_xp b) { return junction(g, CC_X_AND, a, b); }
cc_xp cc_x_or(cc_alg *g, cc_xp a, cc_xp b) { return junction(g, CC_X_OR, a, b); }

cc_xp cc_x_list(cc_alg *g, const cc_xp *items, size_t n) {
    return cc_x_failed(g, items, n) ? NULL : cc_x_intern_kind(g, CC_X_LIST, items, n);
}

cc_xp cc_x_tuple(cc_alg *g, const cc_xp *items, size_t n) {
    return cc_x_failed(g, items, n) ? NULL : cc_x_intern_kind(g, CC_X_TUPLE, items, n);
}

cc_xp cc_x_rebuild(cc_alg *g, cc_xp x, const cc_xp *args) {
    if (!x || cc_x_failed(g, args, x->n)) return NULL;
    if (x->n == 0 || memcmp(args, x->args, x->n * sizeof *args) == 0) return x;
    switch ((cc_xkind)x->kind) {
    case CC_X_ADD: return cc_x_addn(g, args, x->n);
    case CC_X_MUL: return cc_x_muln(g, args, x->n);
    case CC_X_POW: return cc_x_pow(g, args[0], args[1]);
    case CC_X_FUN: return x->fn == CC_F_APPLIED ? cc_x_applied(g, x->name, args, x->n) : cc_x_fun(g, (cc_xfn)x->fn, args, x->n);
    case CC_X_REL: return cc_x_rel(g, (cc_xrel)x->konst, args[0], args[1]);
    case CC_X_NOT: return cc_x_not(g, args[0]);
    case CC_X_LIST: return cc_x_list(g, args, x->n);
    case CC_X_TUPLE: return cc_x_tuple(g, args, x->n);
    case CC_X_AND:
    case CC_X_OR: {
        cc_xp r = args[0];
        for (uint32_t i = 1; i < x->n; i++) r = junction(g, (cc_xkind)x->kind, r, args[i]);
        return r;
    }
    default: return x;
    }
}
