// Reads a differential equation as people write it: primes and dy/dx become derivatives of y(x), a bare y becomes y(x); the rest is read
// by the reader of expressions. Called by symbolic_ode.c.
#include "math/ode/ode.h"

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool in_name(char c) { return letter(c) || (c >= '0' && c <= '9'); }

static size_t blanks(cc_str s, size_t i) {
    while (i < s.n && s.p[i] == ' ') i++;
    return i;
}

// The name that begins at i; empty when none does.
static cc_str name_at(cc_str s, size_t i) {
    size_t n = i;
    if (i < s.n && letter(s.p[i]) && (i == 0 || !in_name(s.p[i - 1])))
        while (n < s.n && in_name(s.p[n])) n++;
    return cc_str_make(s.p + i, n - i);
}

// What stands in the parentheses that open at i, trimmed; *end behind them. Empty when there are none.
static cc_str inside(cc_str s, size_t i, size_t *end) {
    int depth = 0;
    for (size_t k = i; i < s.n && s.p[i] == '(' && k < s.n; k++) {
        depth += (s.p[k] == '(') - (s.p[k] == ')');
        if (depth == 0) {
            *end = k + 1;
            return cc_str_trim(cc_str_make(s.p + i + 1, k - i - 1));
        }
    }
    return (cc_str){0};
}

static bool is_name(cc_str s) { return s.n && name_at(s, 0).n == s.n; }

// dy/dx at i: the names of both.
static size_t quotient_at(cc_str s, size_t i, cc_str *y, cc_str *x) {
    cc_str a = name_at(s, i);
    size_t k = blanks(s, i + a.n);
    if (a.n < 2 || a.p[0] != 'd' || k >= s.n || s.p[k] != '/') return 0;
    k = blanks(s, k + 1);
    cc_str b = name_at(s, k);
    if (b.n < 2 || b.p[0] != 'd') return 0;
    *y = cc_str_make(a.p + 1, a.n - 1), *x = cc_str_make(b.p + 1, b.n - 1);
    return k + b.n - i;
}

// The unknown function and its variable, from the first derivative in the text.
static void find_names(cc_str s, cc_str *y, cc_str *x) {
    size_t end;
    for (size_t i = 0; i < s.n && !y->n; i++) {
        cc_str a = name_at(s, i), inner;
        if (!a.n) continue;
        if (i + a.n < s.n && s.p[i + a.n] == '\'') *y = a;
        if ((cc_str_eqz(a, "diff") || cc_str_eqz(a, "Derivative")) && (inner = inside(s, blanks(s, i + a.n), &end)).n)
            *y = name_at(inner, 0);
        if (!y->n) quotient_at(s, i, y, x);
    }
    bool has_x = false, has_t = false;
    for (size_t i = 0; i < s.n && y->n; i++) {
        cc_str a = name_at(s, i);
        has_x = has_x || cc_str_eqz(a, "x"), has_t = has_t || cc_str_eqz(a, "t");
        if (!x->n && cc_str_eq(a, *y)) {
            size_t k = i + a.n;
            while (k < s.n && s.p[k] == '\'') k++;
            cc_str inner = inside(s, k, &end);
            if (is_name(inner)) *x = inner;
        }
    }
    if (!x->n) *x = (has_t && !has_x) || cc_str_eqz(*y, "x") ? CC_STR("t") : CC_STR("x");
}

static int rewrite(cc_alg *g, cc_buf *out, cc_str s, cc_str y, cc_str x) {
    for (size_t i = 0; i < s.n;) {
        cc_str a = name_at(s, i), qy, qx;
        size_t skip = a.n ? quotient_at(s, i, &qy, &qx) : 0, end;
        if (skip && cc_str_eq(qy, y) && cc_str_eq(qx, x)) {
            cc_buf_printf(out, "diff(%.*s(%.*s), %.*s)", (int)y.n, y.p, (int)x.n, x.p, (int)x.n, x.p);
            i += skip;
        } else if (a.n && cc_str_eq(a, y)) {
            size_t k = i + a.n, primes = 0;
            while (k < s.n && s.p[k] == '\'') k++, primes++;
            cc_str inner = inside(s, blanks(s, k), &end);
            if (inner.n && blanks(s, k) == k) {
                if (!cc_str_eq(inner, x))
                    return cc_error_set(g->err, CC_VALIDATION, "expr: %.*s must be taken at %.*s; values at points go into system",
                                        (int)y.n, y.p, (int)x.n, x.p);
                k = end;
            }
            if (primes > CC_ODE_ORDER) return cc_error_set(g->err, CC_RESOURCE_EXHAUSTED, "expr: the order is above %d", CC_ODE_ORDER);
            if (primes)
                cc_buf_printf(out, "diff(%.*s(%.*s), %.*s, %zu)", (int)y.n, y.p, (int)x.n, x.p, (int)x.n, x.p, primes);
            else
                cc_buf_printf(out, "%.*s(%.*s)", (int)y.n, y.p, (int)x.n, x.p);
            i = k;
        } else {
            cc_buf_add(out, s.p + i, a.n ? a.n : 1);
            i += a.n ? a.n : 1;
        }
    }
    return 0;
}

int cc_ode_read(cc_alg *g, cc_str text, cc_str var, cc_ode *out) {
    *out = (cc_ode){0};
    cc_str y = {0}, x = cc_str_trim(var);
    find_names(text, &y, &x);
    if (!y.n || !is_name(x) || cc_str_eq(x, y)) {
        cc_error_set(g->err, CC_VALIDATION, "expr: no derivative of an unknown function was found");
        return cc_error_remedy(g->err, "write y' or diff(y(x), x): \"y'' + y = sin(x)\"");
    }
    CC_CLEANUP_BUF cc_buf plain = {0};
    if (rewrite(g, &plain, text, y, x)) return -1;
    out->name = cc_arena_dup(g->arena, y);
    out->x = cc_x_symbol(g, cc_arena_dup(g->arena, x), CC_IS_REAL);
    g->unknown_functions = out->name;
    out->shown = cc_x_read(g, cc_buf_str(&plain));
    if (!out->shown) return cc_error_wrap(g->err, "expr"), -1;
    out->f = cc_x_is_kind(out->shown, CC_X_REL) && out->shown->konst == CC_REL_EQ ? cc_x_sub(g, out->shown->args[0], out->shown->args[1])
                                                                                  : out->shown;
    out->at[0] = cc_x_applied(g, out->name, &out->x, 1);
    for (slong i = 0; i <= CC_ODE_ORDER; i++) {
        if (i) out->at[i] = cc_x_unevaluated(g, CC_F_DERIVATIVE, (const cc_xp[]){out->at[0], out->x, cc_x_int(g, i)}, 3);
        out->y[i] = cc_x_dummy(g, i ? "y_" : "y", CC_IS_REAL);
    }
    for (slong i = CC_ODE_ORDER; i >= 0 && out->f; i--) {
        out->f = cc_x_subs(g, out->f, out->at[i], out->y[i]);
        if (out->f && cc_x_has(out->f, out->y[i]) && out->order == 0) out->order = i;
    }
    if (!out->f) return -1;
    if (out->order == 0 || cc_x_has_fn(out->f, CC_F_DERIVATIVE) || cc_x_has_fn(out->f, CC_F_APPLIED) || out->f->kind >= CC_X_REL)
        return cc_error_set(g->err, CC_VALIDATION, "expr: must be one equation with derivatives of one function of one variable");
    return 0;
}

int cc_ode_read_value(cc_alg *g, const cc_ode *ode, cc_str text, cc_ode_value *out) {
    cc_str s = cc_str_trim(text), a = name_at(s, 0);
    size_t k = a.n, end = 0;
    *out = (cc_ode_value){0};
    while (k < s.n && s.p[k] == '\'') k++, out->order++;
    cc_str point = inside(s, k, &end);
    end = blanks(s, end);
    if (!cc_str_eq(a, ode->name) || !point.n || end >= s.n || s.p[end] != '=' || out->order >= ode->order) {
        cc_error_set(g->err, CC_VALIDATION, "system: '%.*s' is no value of %.*s or of a derivative below order %ld",
                     (int)(s.n > 40 ? 40 : s.n), s.p, (int)ode->name.n, ode->name.p, ode->order);
        return cc_error_remedy(g->err, "write \"%.*s(0) = 1; %.*s'(0) = 0\"", (int)ode->name.n, ode->name.p, (int)ode->name.n, ode->name.p);
    }
    out->point = cc_x_read(g, point);
    out->value = out->point ? cc_x_read(g, cc_str_make(s.p + end + 1, s.n - end - 1)) : NULL;
    if (!out->value) return cc_error_wrap(g->err, "system"), -1;
    return 0;
}
