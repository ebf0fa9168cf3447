// What LaTeX writes as a command with parts: functions and their arguments, sums, limits, integrals, derivatives, fractions, roots, cases.
// Called by latex_read.c, which has the grammar around them and reads their parts. It computes nothing.
#include "math/expr/latex_read.h"

#include <ctype.h>
#include <stdlib.h>

// ---- functions ----

static const struct {
    const char *latex, *plain, *inverse; // inverse: of \sin^{-1}
} functions[] = {
    {"sin", "sin", "asin"},   {"cos", "cos", "acos"},    {"tan", "tan", "atan"},    {"cot", "cot", "acot"},    {"sec", "sec", "asec"},
    {"csc", "csc", "acsc"},   {"sinh", "sinh", "asinh"}, {"cosh", "cosh", "acosh"}, {"tanh", "tanh", "atanh"}, {"coth", "coth", "acoth"},
    {"arcsin", "asin", NULL}, {"arccos", "acos", NULL},  {"arctan", "atan", NULL},  {"ln", "log", NULL},       {"log", "log", NULL},
    {"exp", "exp", NULL},     {"min", "Min", NULL},      {"max", "Max", NULL},      {"gcd", "gcd", NULL},      {"arg", "arg", NULL},
    {"Re", "re", NULL},       {"Im", "im", NULL},        {"det", NULL, NULL},       {"dim", NULL, NULL},       {"lcm", "lcm", NULL},
};

static bool starts_factor(cc_latex *r) { // of an argument without parentheses: numbers and symbols
    char c = cc_latex_peek(r);
    if (isdigit((unsigned char)c) || isalpha((unsigned char)c)) return true;
    cc_str k = cc_latex_command_at(r, r->i);
    return k.n && (cc_latex_greek(k) || cc_str_eqz(k, "pi")) && !cc_str_eqz(k, "Gamma");
}

static bool group_begins(cc_latex *r) {
    char c = cc_latex_peek(r);
    return c == '(' || c == '[' || cc_latex_looking(r, "\\{") || c == '{';
}

static cc_str arguments_until(cc_latex *r, const char *close);

// An argument: in brackets [a, b], even of one item, it is a list.
static cc_str call_argument(cc_latex *r) {
    size_t from = r->i;
    cc_str items;
    if (cc_latex_peek(r) == '[') {
        r->i++;
        items = arguments_until(r, "]");
        if (!items.p || cc_latex_peek(r) == ',' || cc_latex_peek(r) == ')') return items.p ? TEXT(r, "[%.*s]", S(items)) : items;
        r->i = from;
    }
    return cc_latex_relation(r);
}

static cc_str arguments_until(cc_latex *r, const char *close) {
    CC_CLEANUP_BUF cc_buf b = {0};
    do {
        cc_str x = call_argument(r);
        if (!x.p) return x;
        cc_buf_printf(&b, "%s%.*s", b.n ? ", " : "", S(x));
    } while (cc_latex_take(r, ","));
    return cc_latex_take(r, close) ? cc_arena_dup(r->arena, cc_buf_str(&b)) : cc_latex_fail(r, "a bracket is not closed");
}

// (a, b, …) or {(a, b, …)} as the arguments of a call; false without having moved when there is no such thing.
bool cc_latex_call_arguments(cc_latex *r, cc_str *out) {
    size_t from = r->i;
    bool braces = cc_latex_take(r, "{");
    if (cc_latex_take(r, "(")) {
        *out = arguments_until(r, ")");
        if (!out->p || !braces || cc_latex_take(r, "}")) return true;
    }
    r->i = from;
    return false;
}

// The argument of a function: a group, or the numbers and symbols that follow, or one other atom.
static cc_str operand(cc_latex *r) {
    cc_str x = {NULL, 0};
    if (cc_latex_call_arguments(r, &x)) return x;
    if (group_begins(r)) {
        const char *close = r->s.p[r->i] == '(' ? ")" : r->s.p[r->i] == '[' ? "]" : r->s.p[r->i] == '{' ? "}" : "\\}";
        r->i += cc_latex_looking(r, "\\{") ? 2 : 1;
        return cc_latex_enclosed(r, close);
    }
    if (cc_latex_peek(r) == '-' || cc_latex_peek(r) == '+') {
        bool minus = r->s.p[r->i++] == '-';
        x = operand(r);
        return x.p && minus ? TEXT(r, "-(%.*s)", S(x)) : x;
    }
    if (!starts_factor(r)) return cc_latex_postfix(r, cc_latex_atom(r));
    while (starts_factor(r)) {
        cc_str y = cc_latex_postfix(r, cc_latex_atom(r));
        if (!y.p) return y;
        x = x.p ? TEXT(r, "%.*s*(%.*s)", S(x), S(y)) : TEXT(r, "(%.*s)", S(y));
    }
    return x;
}

cc_str cc_latex_apply(cc_latex *r, const char *name, const char *inverse) {
    cc_str base = {NULL, 0}, power = {NULL, 0};
    if (cc_latex_take(r, "_")) {
        if (strcmp(name, "log") != 0) return cc_latex_fail(r, "a subscript of this function is not understood");
        base = cc_latex_argument(r);
        if (!base.p) return base;
    }
    if (cc_latex_take(r, "^")) {
        power = cc_latex_exponent(r);
        if (!power.p) return power;
    }
    if (power.p && cc_str_eqz(power, "(-(1))")) {
        if (!inverse) return cc_latex_fail(r, "the exponent -1 of a function's name is ambiguous here");
        name = inverse;
        power.p = NULL;
    }
    cc_str a = operand(r);
    if (!a.p) return a;
    cc_str x = base.p ? TEXT(r, "(log(%.*s)/log(%.*s))", S(a), S(base)) : TEXT(r, "%s(%.*s)", name, S(a));
    return power.p ? TEXT(r, "(%.*s)**(%.*s)", S(x), S(power)) : x;
}

bool cc_latex_function(cc_latex *r, cc_str command, cc_str *out) {
    for (size_t k = 0; k < CC_ARRAY_LEN(functions); k++)
        if (cc_str_eqz(command, functions[k].latex) && functions[k].plain) {
            *out = cc_latex_apply(r, functions[k].plain, functions[k].inverse);
            return true;
        }
    return false;
}

cc_str cc_latex_named(cc_latex *r, cc_str name) {
    if (!cc_latex_plain_name(name)) return cc_latex_fail(r, "the name of a function or symbol is made of letters, digits and _");
    const char *z = cc_arena_dup(r->arena, name).p;
    static const char *const renamed[][2] = {
        {"arsinh", "asinh"}, {"arcosh", "acosh"}, {"artanh", "atanh"}, {"sgn", "sign"}, {"asin", "asin"}};
    for (size_t k = 0; k < CC_ARRAY_LEN(renamed); k++)
        if (strcmp(z, renamed[k][0]) == 0) return cc_latex_apply(r, renamed[k][1], NULL);
    char c = cc_latex_peek(r);
    return c == '(' || c == '^' || c == '{' ? cc_latex_apply(r, z, NULL) : cc_latex_subscripted(r, name);
}

// ---- forms with a variable ----

static cc_str variable(cc_latex *r) {
    cc_str c = cc_latex_command_at(r, r->i);
    if (cc_str_eqz(c, "mathit") || cc_str_eqz(c, "mathrm") || cc_str_eqz(c, "operatorname")) {
        r->i += c.n + 1;
        return cc_latex_raw_group(r);
    }
    if (cc_latex_greek(c)) {
        r->i += c.n + 1;
        return cc_latex_subscripted(r, c);
    }
    if (!isalpha((unsigned char)cc_latex_peek(r))) return cc_latex_fail(r, "expected a variable");
    cc_str v = cc_str_make(r->s.p + r->i++, 1);
    return cc_latex_subscripted(r, v);
}

static void bind(cc_latex *r, cc_str v, int by) {
    if (cc_str_eqz(v, "i")) r->bound_i += (unsigned)by;
    if (cc_str_eqz(v, "e")) r->bound_e += (unsigned)by;
}

cc_str cc_latex_sum(cc_latex *r, const char *name) {
    cc_str v, a, b;
    if (!cc_latex_take(r, "_") || !cc_latex_take(r, "{")) return cc_latex_fail(r, "a sum or product needs its limits: \\sum_{k=1}^{n}");
    const bool bare = isalpha((unsigned char)cc_latex_peek(r));
    v = variable(r);
    if (!v.p) return v;
    if (!cc_latex_take(r, "=")) return cc_latex_fail(r, "expected = after the variable of the sum");
    a = cc_latex_additive(r);
    if (!a.p) return a;
    if (!cc_latex_take(r, "}") || !cc_latex_take(r, "^")) return cc_latex_fail(r, "expected }^{upper limit}");
    b = cc_latex_exponent(r);
    if (!b.p) return b;
    if (bare) bind(r, v, 1);
    cc_str f = cc_latex_product(r);
    if (bare) bind(r, v, -1);
    return f.p ? TEXT(r, "%s(%.*s, (%.*s, %.*s, %.*s))", name, S(f), S(v), S(a), S(b)) : f;
}

cc_str cc_latex_limit(cc_latex *r) {
    static const char *const arrows[] = {"\\to", "\\rightarrow", "\\longrightarrow"};
    if (!cc_latex_take(r, "_") || !cc_latex_take(r, "{")) return cc_latex_fail(r, "a limit needs its point: \\lim_{x \\to a}");
    cc_latex_skip(r);
    cc_str v = variable(r);
    if (!v.p) return v;
    if (!cc_latex_take_any(r, arrows, 3)) return cc_latex_fail(r, "expected \\to");
    // a^+ and a^- name the side; the sign is looked for from the end of the group.
    size_t depth = 1, close = r->i;
    while (close < r->end && depth) {
        depth += r->s.p[close] == '{';
        depth -= r->s.p[close] == '}';
        close += depth != 0;
    }
    if (close == r->end) return cc_latex_fail(r, "expected }");
    size_t k = close;
    char side = 0;
    while (k > r->i && strchr("{} ", r->s.p[k - 1])) k--;
    if (k > r->i && (r->s.p[k - 1] == '+' || r->s.p[k - 1] == '-')) {
        side = r->s.p[--k];
        while (k > r->i && strchr("{} ", r->s.p[k - 1])) k--;
        if (k == r->i || r->s.p[k - 1] != '^') return cc_latex_fail(r, "write the side of a limit as a^{+} or a^{-}");
        k--;
    } else {
        k = close;
    }
    size_t end = r->end;
    r->end = k;
    cc_str a = cc_latex_additive(r);
    cc_latex_skip(r);
    if (a.p && r->i != r->end) a = cc_latex_fail(r, "the point of the limit is not understood");
    r->end = end;
    if (!a.p) return a;
    r->i = close + 1;
    cc_str f = cc_latex_product(r);
    if (!f.p) return f;
    const char *name = cc_latex_form(r, "Limit", "limit");
    return side ? TEXT(r, "%s(%.*s, %.*s, %.*s, '%c')", name, S(f), S(v), S(a), side)
                : TEXT(r, "%s(%.*s, %.*s, %.*s)", name, S(f), S(v), S(a));
}

// Where the differential d<variable> of the integral that begins here stands, at the same nesting; SIZE_MAX when there is none.
static size_t differential(const cc_latex *r) {
    size_t depth = 0, integrals = 0;
    for (size_t i = r->i; i < r->end; i++) {
        char c = r->s.p[i];
        if (c == '\\') {
            cc_str k = cc_latex_command_at(r, i);
            if (cc_str_eqz(k, "mathrm") && i + 10 <= r->end && memcmp(r->s.p + i, "\\mathrm{d}", 10) == 0 && depth == 0) {
                if (integrals-- == 0) return i;
                i += 9;
                continue;
            }
            integrals += depth == 0 && cc_str_eqz(k, "int"); // one in brackets has its own differential there
            i += k.n;
            continue;
        }
        if (c == '{' || c == '(' || c == '[') depth++;
        if (c == '}' || c == ')' || c == ']') {
            if (depth == 0) return SIZE_MAX;
            depth--;
        }
        bool begins = c == 'd' && depth == 0 && (i == r->i || r->s.p[i - 1] != '_');
        if (begins && i + 1 < r->end && (isalpha((unsigned char)r->s.p[i + 1]) || r->s.p[i + 1] == '\\' || r->s.p[i + 1] == ' ')) {
            if (r->s.p[i + 1] == '\\' && !cc_latex_greek(cc_latex_command_at(r, i + 1)) &&
                !cc_str_eqz(cc_latex_command_at(r, i + 1), "mathit"))
                continue;
            if (integrals-- == 0) return i;
        }
    }
    return SIZE_MAX;
}

cc_str cc_latex_integral(cc_latex *r) {
    cc_str a = {NULL, 0}, b = {NULL, 0};
    for (int k = 0; k < 2; k++) {
        if (cc_latex_take(r, "_")) {
            a = cc_latex_exponent(r);
            if (!a.p) return a;
        } else if (cc_latex_take(r, "^")) {
            b = cc_latex_exponent(r);
            if (!b.p) return b;
        }
    }
    if (!a.p != !b.p) return cc_latex_fail(r, "an integral has both limits or none");
    cc_latex_skip(r);
    size_t at = differential(r), end = r->end;
    if (at == SIZE_MAX) return cc_latex_fail(r, "the integral has no differential such as dx behind its integrand");
    cc_str f = CC_STR("1");
    r->end = at;
    cc_latex_skip(r);
    if (r->i < r->end) f = cc_latex_additive(r);
    cc_latex_skip(r);
    if (f.p && r->i != r->end) f = cc_latex_fail(r, "the integrand is not understood from here on");
    r->end = end;
    if (!f.p) return f;
    r->i = at + (r->s.p[at] == 'd' ? 1 : 10);
    cc_latex_skip(r);
    cc_str v = variable(r);
    if (!v.p) return v;
    const char *name = cc_latex_form(r, "Integral", "integrate");
    return a.p ? TEXT(r, "%s(%.*s, (%.*s, %.*s, %.*s))", name, S(f), S(v), S(a), S(b)) : TEXT(r, "%s(%.*s, %.*s)", name, S(f), S(v));
}

// \frac{d^n}{dx^n}, with d or \partial: the variable and the order are returned, and r is behind it. False: it is another fraction.
static bool derivative(cc_latex *r, cc_str *v, cc_str *order) {
    size_t from = r->i;
    const char *d[] = {"d", "\\partial", "\\mathrm{d}"};
    *order = CC_STR("1");
    if (!cc_latex_take(r, "{") || !cc_latex_take_any(r, d, 3)) goto no;
    if (cc_latex_take(r, "^")) *order = cc_latex_peek(r) == '{' ? cc_latex_raw_group(r) : cc_str_make(r->s.p + r->i++, 1);
    if (!order->p || !cc_latex_take(r, "}") || !cc_latex_take(r, "{") || !cc_latex_take_any(r, d, 3)) goto no;
    cc_latex_skip(r);
    *v = variable(r);
    if (!v->p) goto no;
    if (cc_latex_take(r, "^")) {
        cc_str again = cc_latex_peek(r) == '{' ? cc_latex_raw_group(r) : cc_str_make(r->s.p + r->i++, 1);
        if (!again.p || !cc_str_eq(again, *order)) goto no;
    }
    if (cc_latex_take(r, "}")) return true;
no:
    *r->err = (cc_error){0}; // the attempt to read it so is no error
    r->i = from;
    return false;
}

cc_str cc_latex_fraction(cc_latex *r) {
    cc_str v, order;
    if (derivative(r, &v, &order)) {
        cc_str f = cc_latex_product(r);
        return f.p ? TEXT(r, "%s(%.*s, (%.*s, %.*s))", cc_latex_form(r, "Derivative", "diff"), S(f), S(v), S(order)) : f;
    }
    cc_str a = cc_latex_argument(r);
    if (!a.p) return a;
    cc_str b = cc_latex_argument(r);
    return b.p ? TEXT(r, "((%.*s)/(%.*s))", S(a), S(b)) : b;
}

cc_str cc_latex_root(cc_latex *r) {
    cc_str n = {NULL, 0};
    if (cc_latex_take(r, "[")) {
        n = cc_latex_enclosed(r, "]");
        if (!n.p) return n;
    }
    cc_str a = cc_latex_argument(r);
    if (!a.p) return a;
    return n.p ? TEXT(r, "(%.*s)**(1/(%.*s))", S(a), S(n)) : TEXT(r, "sqrt(%.*s)", S(a));
}

cc_str cc_latex_cases(cc_latex *r) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_buf_addz(&b, "Piecewise(");
    for (bool first = true;; first = false) {
        cc_str value = cc_latex_additive(r), c = CC_STR("True");
        if (!value.p) return value;
        if (!cc_latex_take(r, "&")) return cc_latex_fail(r, "expected & between a value and its condition");
        if (cc_latex_take(r, "\\text{otherwise}") || cc_latex_take(r, "\\text{else}")) {
        } else {
            if (!cc_latex_take(r, "\\text{for}") && !cc_latex_take(r, "\\text{if}")) cc_latex_skip(r);
            c = cc_latex_relation(r);
            if (!c.p) return c;
        }
        cc_buf_printf(&b, "%s(%.*s, %.*s)", first ? "" : ", ", S(value), S(c));
        if (cc_latex_take(r, "\\\\")) {
            if (cc_latex_take(r, "\\end{cases}")) break;
            continue;
        }
        if (cc_latex_take(r, "\\end{cases}")) break;
        return cc_latex_fail(r, "expected \\\\ or \\end{cases}");
    }
    cc_buf_addc(&b, ')');
    return cc_arena_dup(r->arena, cc_buf_str(&b));
}
