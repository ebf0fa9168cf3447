// LaTeX input → plain notation, which read.c then reads, so that both notations give the same tree. Called by the tools when `latex` input
// is declared. A recursive descent over the text; every part comes back as plain text in parentheses where needed. Letters are symbols (xy
// is a product), e and i are the constants unless a sum binds them. What has no plain form (matrices, text) is refused with its column. It
// computes nothing.
#include "math/expr/read.h"

#include <ctype.h>
#include <stdlib.h>

enum { MAX_DEPTH = 100, MAX_LENGTH = 64 << 10 };

typedef struct reader {
    cc_arena *arena;
    cc_error *err;
    cc_str s;
    size_t i;
    int depth;
    unsigned bars;             // absolute values that are open: | closes the innermost
    unsigned bound_i, bound_e; // sums that bind i or e
    bool evaluate;             // write operations that are carried out (integrate …) where there are such, else forms (Integral …)
    size_t end;                // where the text of the part that is read ends
} reader;

static cc_str relation(reader *r);
static cc_str additive(reader *r);
static cc_str product(reader *r);
static cc_str atom(reader *r);
static cc_str argument(reader *r);
static bool call_arguments(reader *r, cc_str *out);
static cc_str arguments_until(reader *r, const char *close);

static cc_str fail(reader *r, const char *what) {
    if (!r->err->code) cc_error_set(r->err, CC_VALIDATION, "column %zu of the LaTeX text: %s", r->i + 1, what);
    return (cc_str){NULL, 0};
}

#define TEXT(r, ...) cc_arena_printf((r)->arena, __VA_ARGS__)
#define S(s)         (int)(s).n, (s).p

static const char *form(const reader *r, const char *unevaluated, const char *operation) {
    return r->evaluate && cc_x_find_operation(cc_str_of(operation)) ? operation : unevaluated;
}

// ---- tokens ----

static bool looking(const reader *r, const char *z) {
    size_t n = strlen(z);
    return r->end - r->i >= n && memcmp(r->s.p + r->i, z, n) == 0;
}

// The command at r->i, without its backslash; empty when there is none. A command of letters is taken whole.
static cc_str command_at(const reader *r, size_t i) {
    if (i + 1 >= r->end || r->s.p[i] != '\\') return (cc_str){NULL, 0};
    size_t n = 1;
    if (isalpha((unsigned char)r->s.p[i + 1]))
        while (i + 1 + n < r->end && isalpha((unsigned char)r->s.p[i + 1 + n])) n++;
    return cc_str_make(r->s.p + i + 1, n);
}

static void skip(reader *r) {
    static const char *const empty[] = {",",      ";",        ":",   "!",   " ",    "quad", "qquad", "left", "right",     "displaystyle",
                                        "limits", "nolimits", "big", "Big", "bigl", "bigr", "Bigl",  "Bigr", "thinspace", "textstyle"};
    for (;;) {
        while (r->i < r->end && (isspace((unsigned char)r->s.p[r->i]) || r->s.p[r->i] == '~')) r->i++;
        if (looking(r, "\\left.") || looking(r, "\\right.")) { // an empty delimiter
            r->i += looking(r, "\\left.") ? 6 : 7;
            continue;
        }
        cc_str c = command_at(r, r->i);
        size_t k = 0;
        while (c.n && k < CC_ARRAY_LEN(empty) && !cc_str_eqz(c, empty[k])) k++;
        if (!c.n || k == CC_ARRAY_LEN(empty)) return;
        r->i += c.n + 1;
    }
}

static bool take(reader *r, const char *z) {
    skip(r);
    if (!looking(r, z)) return false;
    size_t n = strlen(z);
    if (z[0] == '\\' && isalpha((unsigned char)z[n - 1]) && command_at(r, r->i).n != n - 1) return false; // \le of \left
    r->i += n;
    return true;
}

static bool take_any(reader *r, const char *const *z, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (take(r, z[k])) return true;
    return false;
}

static char peek(reader *r) {
    skip(r);
    return r->i < r->end ? r->s.p[r->i] : '\0';
}

static cc_str enclosed(reader *r, const char *close) {
    cc_str x = relation(r);
    if (!x.p) return x;
    return take(r, close) ? x : fail(r, close[0] == '}' ? "expected }" : "a bracket is not closed");
}

// {…} as it stands, for names.
static cc_str raw_group(reader *r) {
    if (!take(r, "{")) return fail(r, "expected {");
    size_t from = r->i;
    while (r->i < r->end && r->s.p[r->i] != '}') {
        if (r->s.p[r->i] == '{') return fail(r, "a name without braces is expected");
        r->i++;
    }
    if (r->i == r->end) return fail(r, "expected }");
    CC_CLEANUP_BUF cc_buf b = {0};
    for (size_t i = from; i < r->i; i++)
        if (r->s.p[i] != '\\' || r->s.p[i + 1] != '_') cc_buf_addc(&b, r->s.p[i]); // \_ is _
    r->i++;
    return cc_str_trim(cc_arena_dup(r->arena, cc_buf_str(&b)));
}

// ---- names ----

static bool plain_name(cc_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && s.p[i] != '_') return false;
    return s.n > 0 && !isdigit((unsigned char)s.p[0]);
}

static bool greek(cc_str c) {
    static const char *const names[] = {"alpha",   "beta",   "gamma",    "delta",   "epsilon", "zeta",    "eta",   "theta",      "iota",
                                        "kappa",   "lambda", "mu",       "nu",      "xi",      "omicron", "rho",   "sigma",      "tau",
                                        "upsilon", "phi",    "chi",      "psi",     "omega",   "Gamma",   "Delta", "Theta",      "Lambda",
                                        "Xi",      "Pi",     "Sigma",    "Upsilon", "Phi",     "Psi",     "Omega", "varepsilon", "vartheta",
                                        "varphi",  "varrho", "varsigma", "hbar",    "ell"};
    for (size_t k = 0; k < CC_ARRAY_LEN(names); k++)
        if (cc_str_eqz(c, names[k])) return true;
    return false;
}

static cc_str subscripted(reader *r, cc_str name) {
    if (peek(r) != '_') return name;
    r->i++;
    skip(r);
    cc_str sub;
    if (peek(r) == '{') {
        sub = raw_group(r);
        if (sub.n > 1 && sub.p[0] == '\\') sub = cc_str_make(sub.p + 1, sub.n - 1);
    } else if (peek(r) == '\\') {
        sub = command_at(r, r->i);
        if (!sub.n) return fail(r, "a backslash without a command");
        r->i += sub.n + 1;
    } else {
        sub = cc_str_make(r->s.p + r->i, r->i < r->end);
        r->i += sub.n;
    }
    if (!sub.p) return sub; // the group said what is wrong
    for (size_t k = 0; k < sub.n; k++)
        if (!isalnum((unsigned char)sub.p[k]) && sub.p[k] != '_') return fail(r, "a subscript is made of letters and digits");
    if (!sub.n) return fail(r, "a subscript is missing");
    if (cc_str_eqz(name, "gamma") && cc_str_eqz(sub, "E")) return CC_STR("EulerGamma");
    return TEXT(r, "%.*s_%.*s", S(name), S(sub));
}

static cc_str letter(reader *r) {
    cc_str name = cc_str_make(r->s.p + r->i++, 1);
    cc_str whole = subscripted(r, name);
    if (!whole.p || whole.n > 1) return whole;
    if (name.p[0] == 'e' && !r->bound_e) return CC_STR("E");
    if (name.p[0] == 'i' && !r->bound_i) return CC_STR("I");
    if (strchr("fghO", name.p[0]) && peek(r) == '(') { // a function that is not known, or the rest of a series
        cc_str a;
        if (!call_arguments(r, &a)) return fail(r, "a bracket is not closed");
        return a.p ? TEXT(r, "%.*s(%.*s)", S(name), S(a)) : a;
    }
    return name;
}

// ---- powers and arguments ----

// One token or a group: what follows ^, or an argument of \frac.
static cc_str argument(reader *r) {
    if (peek(r) == '{') {
        r->i++;
        return enclosed(r, "}");
    }
    if (isdigit((unsigned char)peek(r))) return cc_str_make(r->s.p + r->i++, 1);
    if (r->i >= r->end) return fail(r, "the text ends where an argument is expected");
    return atom(r);
}

static cc_str exponent(reader *r) {
    bool digit = isdigit((unsigned char)peek(r));
    cc_str e = argument(r);
    if (digit && r->i < r->end && isdigit((unsigned char)r->s.p[r->i]))
        return fail(r, "only the first digit is in the exponent: write ^{…} around all of it");
    return e;
}

static cc_str postfix(reader *r, cc_str x) {
    while (x.p) {
        if (take(r, "^")) {
            if (take(r, "\\circ") || take(r, "{\\circ}")) {
                x = TEXT(r, "((%.*s)*pi/180)", S(x));
                continue;
            }
            cc_str e = exponent(r);
            if (!e.p) return e;
            x = TEXT(r, "(%.*s)**(%.*s)", S(x), S(e));
            if (peek(r) == '^') return fail(r, "two exponents follow each other: put braces around the first power");
            x = TEXT(r, "(%.*s)", S(x));
        } else if (peek(r) == '!') {
            unsigned n = 0;
            while (r->i < r->end && r->s.p[r->i] == '!') r->i++, n++;
            if (n > 2) return fail(r, "more than two factorial signs");
            x = TEXT(r, n == 1 ? "factorial(%.*s)" : "factorial2(%.*s)", S(x));
        } else if (peek(r) == '\'') {
            return fail(r, "a prime is not read: write \\frac{d}{dx} for a derivative");
        } else {
            break;
        }
    }
    return x;
}

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

static bool starts_factor(reader *r) { // of an argument without parentheses: numbers and symbols
    char c = peek(r);
    if (isdigit((unsigned char)c) || isalpha((unsigned char)c)) return true;
    cc_str k = command_at(r, r->i);
    return k.n && (greek(k) || cc_str_eqz(k, "pi")) && !cc_str_eqz(k, "Gamma");
}

static bool group_begins(reader *r) {
    char c = peek(r);
    return c == '(' || c == '[' || looking(r, "\\{") || c == '{';
}

// An argument: in brackets [a, b], even of one item, it is a list.
static cc_str call_argument(reader *r) {
    size_t from = r->i;
    cc_str items;
    if (peek(r) == '[') {
        r->i++;
        items = arguments_until(r, "]");
        if (!items.p || peek(r) == ',' || peek(r) == ')') return items.p ? TEXT(r, "[%.*s]", S(items)) : items;
        r->i = from;
    }
    return relation(r);
}

static cc_str arguments_until(reader *r, const char *close) {
    CC_CLEANUP_BUF cc_buf b = {0};
    do {
        cc_str x = call_argument(r);
        if (!x.p) return x;
        cc_buf_printf(&b, "%s%.*s", b.n ? ", " : "", S(x));
    } while (take(r, ","));
    return take(r, close) ? cc_arena_dup(r->arena, cc_buf_str(&b)) : fail(r, "a bracket is not closed");
}

// (a, b, …) or {(a, b, …)} as the arguments of a call; false without having moved when there is no such thing.
static bool call_arguments(reader *r, cc_str *out) {
    size_t from = r->i;
    bool braces = take(r, "{");
    if (take(r, "(")) {
        *out = arguments_until(r, ")");
        if (!out->p || !braces || take(r, "}")) return true;
    }
    r->i = from;
    return false;
}

// The argument of a function: a group, or the numbers and symbols that follow, or one other atom.
static cc_str operand(reader *r) {
    cc_str x = {NULL, 0};
    if (call_arguments(r, &x)) return x;
    if (group_begins(r)) {
        const char *close = r->s.p[r->i] == '(' ? ")" : r->s.p[r->i] == '[' ? "]" : r->s.p[r->i] == '{' ? "}" : "\\}";
        r->i += looking(r, "\\{") ? 2 : 1;
        return enclosed(r, close);
    }
    if (peek(r) == '-' || peek(r) == '+') {
        bool minus = r->s.p[r->i++] == '-';
        x = operand(r);
        return x.p && minus ? TEXT(r, "-(%.*s)", S(x)) : x;
    }
    if (!starts_factor(r)) return postfix(r, atom(r));
    while (starts_factor(r)) {
        cc_str y = postfix(r, atom(r));
        if (!y.p) return y;
        x = x.p ? TEXT(r, "%.*s*(%.*s)", S(x), S(y)) : TEXT(r, "(%.*s)", S(y));
    }
    return x;
}

static cc_str apply(reader *r, const char *name, const char *inverse) {
    cc_str base = {NULL, 0}, power = {NULL, 0};
    if (take(r, "_")) {
        if (strcmp(name, "log") != 0) return fail(r, "a subscript of this function is not understood");
        base = argument(r);
        if (!base.p) return base;
    }
    if (take(r, "^")) {
        power = exponent(r);
        if (!power.p) return power;
    }
    if (power.p && cc_str_eqz(power, "(-(1))")) {
        if (!inverse) return fail(r, "the exponent -1 of a function's name is ambiguous here");
        name = inverse;
        power.p = NULL;
    }
    cc_str a = operand(r);
    if (!a.p) return a;
    cc_str x = base.p ? TEXT(r, "(log(%.*s)/log(%.*s))", S(a), S(base)) : TEXT(r, "%s(%.*s)", name, S(a));
    return power.p ? TEXT(r, "(%.*s)**(%.*s)", S(x), S(power)) : x;
}

static cc_str named(reader *r, cc_str name) {
    if (!plain_name(name)) return fail(r, "the name of a function or symbol is made of letters, digits and _");
    const char *z = cc_arena_dup(r->arena, name).p;
    static const char *const renamed[][2] = {
        {"arsinh", "asinh"}, {"arcosh", "acosh"}, {"artanh", "atanh"}, {"sgn", "sign"}, {"asin", "asin"}};
    for (size_t k = 0; k < CC_ARRAY_LEN(renamed); k++)
        if (strcmp(z, renamed[k][0]) == 0) return apply(r, renamed[k][1], NULL);
    char c = peek(r);
    return c == '(' || c == '^' || c == '{' ? apply(r, z, NULL) : subscripted(r, name);
}

// ---- forms with a variable ----

static cc_str variable(reader *r) {
    cc_str c = command_at(r, r->i);
    if (cc_str_eqz(c, "mathit") || cc_str_eqz(c, "mathrm") || cc_str_eqz(c, "operatorname")) {
        r->i += c.n + 1;
        return raw_group(r);
    }
    if (greek(c)) {
        r->i += c.n + 1;
        return subscripted(r, c);
    }
    if (!isalpha((unsigned char)peek(r))) return fail(r, "expected a variable");
    cc_str v = cc_str_make(r->s.p + r->i++, 1);
    return subscripted(r, v);
}

static void bind(reader *r, cc_str v, int by) {
    if (cc_str_eqz(v, "i")) r->bound_i += (unsigned)by;
    if (cc_str_eqz(v, "e")) r->bound_e += (unsigned)by;
}

static cc_str sum(reader *r, const char *name) {
    cc_str v, a, b;
    if (!take(r, "_") || !take(r, "{")) return fail(r, "a sum or product needs its limits: \\sum_{k=1}^{n}");
    const bool bare = isalpha((unsigned char)peek(r));
    v = variable(r);
    if (!v.p) return v;
    if (!take(r, "=")) return fail(r, "expected = after the variable of the sum");
    a = additive(r);
    if (!a.p) return a;
    if (!take(r, "}") || !take(r, "^")) return fail(r, "expected }^{upper limit}");
    b = exponent(r);
    if (!b.p) return b;
    if (bare) bind(r, v, 1);
    cc_str f = product(r);
    if (bare) bind(r, v, -1);
    return f.p ? TEXT(r, "%s(%.*s, (%.*s, %.*s, %.*s))", name, S(f), S(v), S(a), S(b)) : f;
}

static cc_str limit(reader *r) {
    static const char *const arrows[] = {"\\to", "\\rightarrow", "\\longrightarrow"};
    if (!take(r, "_") || !take(r, "{")) return fail(r, "a limit needs its point: \\lim_{x \\to a}");
    skip(r);
    cc_str v = variable(r);
    if (!v.p) return v;
    if (!take_any(r, arrows, 3)) return fail(r, "expected \\to");
    // a^+ and a^- name the side; the sign is looked for from the end of the group.
    size_t depth = 1, close = r->i;
    while (close < r->end && depth) {
        depth += r->s.p[close] == '{';
        depth -= r->s.p[close] == '}';
        close += depth != 0;
    }
    if (close == r->end) return fail(r, "expected }");
    size_t k = close;
    char side = 0;
    while (k > r->i && strchr("{} ", r->s.p[k - 1])) k--;
    if (k > r->i && (r->s.p[k - 1] == '+' || r->s.p[k - 1] == '-')) {
        side = r->s.p[--k];
        while (k > r->i && strchr("{} ", r->s.p[k - 1])) k--;
        if (k == r->i || r->s.p[k - 1] != '^') return fail(r, "write the side of a limit as a^{+} or a^{-}");
        k--;
    } else {
        k = close;
    }
    size_t end = r->end;
    r->end = k;
    cc_str a = additive(r);
    skip(r);
    if (a.p && r->i != r->end) a = fail(r, "the point of the limit is not understood");
    r->end = end;
    if (!a.p) return a;
    r->i = close + 1;
    cc_str f = product(r);
    if (!f.p) return f;
    const char *name = form(r, "Limit", "limit");
    return side ? TEXT(r, "%s(%.*s, %.*s, %.*s, '%c')", name, S(f), S(v), S(a), side)
                : TEXT(r, "%s(%.*s, %.*s, %.*s)", name, S(f), S(v), S(a));
}

// Where the differential d<variable> of the integral that begins here stands, at the same nesting; SIZE_MAX when there is none.
static size_t differential(const reader *r) {
    size_t depth = 0, integrals = 0;
    for (size_t i = r->i; i < r->end; i++) {
        char c = r->s.p[i];
        if (c == '\\') {
            cc_str k = command_at(r, i);
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
            if (r->s.p[i + 1] == '\\' && !greek(command_at(r, i + 1)) && !cc_str_eqz(command_at(r, i + 1), "mathit")) continue;
            if (integrals-- == 0) return i;
        }
    }
    return SIZE_MAX;
}

static cc_str integral(reader *r) {
    cc_str a = {NULL, 0}, b = {NULL, 0};
    for (int k = 0; k < 2; k++) {
        if (take(r, "_")) {
            a = exponent(r);
            if (!a.p) return a;
        } else if (take(r, "^")) {
            b = exponent(r);
            if (!b.p) return b;
        }
    }
    if (!a.p != !b.p) return fail(r, "an integral has both limits or none");
    skip(r);
    size_t at = differential(r), end = r->end;
    if (at == SIZE_MAX) return fail(r, "the integral has no differential such as dx behind its integrand");
    cc_str f = CC_STR("1");
    r->end = at;
    skip(r);
    if (r->i < r->end) f = additive(r);
    skip(r);
    if (f.p && r->i != r->end) f = fail(r, "the integrand is not understood from here on");
    r->end = end;
    if (!f.p) return f;
    r->i = at + (r->s.p[at] == 'd' ? 1 : 10);
    skip(r);
    cc_str v = variable(r);
    if (!v.p) return v;
    const char *name = form(r, "Integral", "integrate");
    return a.p ? TEXT(r, "%s(%.*s, (%.*s, %.*s, %.*s))", name, S(f), S(v), S(a), S(b)) : TEXT(r, "%s(%.*s, %.*s)", name, S(f), S(v));
}

// \frac{d^n}{dx^n}, with d or \partial: the variable and the order are returned, and r is behind it. False: it is another fraction.
static bool derivative(reader *r, cc_str *v, cc_str *order) {
    size_t from = r->i;
    const char *d[] = {"d", "\\partial", "\\mathrm{d}"};
    *order = CC_STR("1");
    if (!take(r, "{") || !take_any(r, d, 3)) goto no;
    if (take(r, "^")) *order = peek(r) == '{' ? raw_group(r) : cc_str_make(r->s.p + r->i++, 1);
    if (!order->p || !take(r, "}") || !take(r, "{") || !take_any(r, d, 3)) goto no;
    skip(r);
    *v = variable(r);
    if (!v->p) goto no;
    if (take(r, "^")) {
        cc_str again = peek(r) == '{' ? raw_group(r) : cc_str_make(r->s.p + r->i++, 1);
        if (!again.p || !cc_str_eq(again, *order)) goto no;
    }
    if (take(r, "}")) return true;
no:
    *r->err = (cc_error){0}; // the attempt to read it so is no error
    r->i = from;
    return false;
}

static cc_str fraction(reader *r) {
    cc_str v, order;
    if (derivative(r, &v, &order)) {
        cc_str f = product(r);
        return f.p ? TEXT(r, "%s(%.*s, (%.*s, %.*s))", form(r, "Derivative", "diff"), S(f), S(v), S(order)) : f;
    }
    cc_str a = argument(r);
    if (!a.p) return a;
    cc_str b = argument(r);
    return b.p ? TEXT(r, "((%.*s)/(%.*s))", S(a), S(b)) : b;
}

static cc_str root(reader *r) {
    cc_str n = {NULL, 0};
    if (take(r, "[")) {
        n = enclosed(r, "]");
        if (!n.p) return n;
    }
    cc_str a = argument(r);
    if (!a.p) return a;
    return n.p ? TEXT(r, "(%.*s)**(1/(%.*s))", S(a), S(n)) : TEXT(r, "sqrt(%.*s)", S(a));
}

static cc_str cases(reader *r) {
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_buf_addz(&b, "Piecewise(");
    for (bool first = true;; first = false) {
        cc_str value = additive(r), c = CC_STR("True");
        if (!value.p) return value;
        if (!take(r, "&")) return fail(r, "expected & between a value and its condition");
        if (take(r, "\\text{otherwise}") || take(r, "\\text{else}")) {
        } else {
            if (!take(r, "\\text{for}") && !take(r, "\\text{if}")) skip(r);
            c = relation(r);
            if (!c.p) return c;
        }
        cc_buf_printf(&b, "%s(%.*s, %.*s)", first ? "" : ", ", S(value), S(c));
        if (take(r, "\\\\")) {
            if (take(r, "\\end{cases}")) break;
            continue;
        }
        if (take(r, "\\end{cases}")) break;
        return fail(r, "expected \\\\ or \\end{cases}");
    }
    cc_buf_addc(&b, ')');
    return cc_arena_dup(r->arena, cc_buf_str(&b));
}

// ---- atoms ----

static cc_str two_groups(reader *r, const char *name) {
    cc_str a = argument(r);
    if (!a.p) return a;
    cc_str b = argument(r);
    return b.p ? TEXT(r, "%s(%.*s, %.*s)", name, S(a), S(b)) : b;
}

static cc_str wrapped(reader *r, const char *name, const char *close) {
    cc_str a = enclosed(r, close);
    return a.p ? TEXT(r, "%s(%.*s)", name, S(a)) : a;
}

static cc_str bars(reader *r, const char *close) {
    r->bars++;
    cc_str a = additive(r);
    r->bars--;
    if (!a.p) return a;
    return take(r, close) ? TEXT(r, "Abs(%.*s)", S(a)) : fail(r, "an absolute value is not closed");
}

static cc_str command(reader *r) {
    size_t at = r->i;
    cc_str c = command_at(r, r->i);
    if (!c.n) return fail(r, "a backslash without a command");
    r->i += c.n + 1;
    if (cc_str_eqz(c, "frac") || cc_str_eqz(c, "dfrac") || cc_str_eqz(c, "tfrac") || cc_str_eqz(c, "cfrac")) return fraction(r);
    if (cc_str_eqz(c, "sqrt")) return root(r);
    if (cc_str_eqz(c, "pi")) return CC_STR("pi");
    if (cc_str_eqz(c, "infty")) return CC_STR("oo");
    if (cc_str_eqz(c, "tilde"))
        return take(r, "{\\infty}") || take(r, "\\infty") ? CC_STR("zoo") : fail(r, "\\tilde is read on \\infty only");
    if (cc_str_eqz(c, "imath")) return CC_STR("I");
    if (cc_str_eqz(c, "binom") || cc_str_eqz(c, "dbinom") || cc_str_eqz(c, "tbinom")) return two_groups(r, "binomial");
    if (cc_str_eqz(c, "overline") || cc_str_eqz(c, "bar")) {
        cc_str a = argument(r);
        return a.p ? TEXT(r, "conjugate(%.*s)", S(a)) : a;
    }
    if (cc_str_eqz(c, "pm") || cc_str_eqz(c, "mp")) {
        r->i = at;
        return fail(r, "\\pm stands for two values: write one of them");
    }
    if (cc_str_eqz(c, "sum")) return sum(r, form(r, "Sum", "summation"));
    if (cc_str_eqz(c, "prod")) return sum(r, form(r, "Product", "product"));
    if (cc_str_eqz(c, "int")) return integral(r);
    if (cc_str_eqz(c, "lim")) return limit(r);
    if (cc_str_eqz(c, "lvert") || cc_str_eqz(c, "vert")) return bars(r, cc_str_eqz(c, "vert") ? "\\vert" : "\\rvert");
    if (cc_str_eqz(c, "|")) return fail(r, "a norm is not read here");
    if (cc_str_eqz(c, "lfloor")) return wrapped(r, "floor", "\\rfloor");
    if (cc_str_eqz(c, "lceil")) return wrapped(r, "ceiling", "\\rceil");
    if (cc_str_eqz(c, "{")) {
        cc_str a = enclosed(r, "\\}");
        return a.p ? TEXT(r, "(%.*s)", S(a)) : a;
    }
    if (cc_str_eqz(c, "Gamma") && peek(r) == '(') return apply(r, "gamma", NULL);
    if (cc_str_eqz(c, "zeta") && peek(r) == '(') return apply(r, "zeta", NULL);
    if (cc_str_eqz(c, "operatorname")) {
        if (peek(r) == '*') r->i++;
        cc_str n = raw_group(r);
        return n.p ? named(r, n) : n;
    }
    if (cc_str_eqz(c, "mathrm") || cc_str_eqz(c, "mathit") || cc_str_eqz(c, "mathbf")) {
        cc_str n = raw_group(r);
        if (!n.p) return n;
        if (!plain_name(n)) return fail(r, "a name is made of letters, digits and _");
        if (cc_str_eqz(c, "mathrm") && cc_str_eqz(n, "e")) return CC_STR("E");
        if (cc_str_eqz(c, "mathrm") && cc_str_eqz(n, "i")) return CC_STR("I");
        return subscripted(r, n);
    }
    if (cc_str_eqz(c, "text")) {
        cc_str n = raw_group(r);
        if (cc_str_eqz(n, "True") || cc_str_eqz(n, "False")) return n;
        if (cc_str_eqz(n, "NaN")) return CC_STR("nan");
        r->i = at;
        return fail(r, "text is not read");
    }
    if (cc_str_eqz(c, "begin")) {
        cc_str n = raw_group(r);
        if (cc_str_eqz(n, "cases")) return cases(r);
        r->i = at;
        return fail(r, "matrices and other environments are not read here: call the tool matrix with [[…], […]]");
    }
    for (size_t k = 0; k < CC_ARRAY_LEN(functions); k++)
        if (cc_str_eqz(c, functions[k].latex) && functions[k].plain) return apply(r, functions[k].plain, functions[k].inverse);
    if (cc_str_starts(c, CC_STR("var")) && greek(c)) return subscripted(r, cc_str_make(c.p + 3, c.n - 3));
    if (greek(c)) return subscripted(r, c);
    r->i = at;
    return fail(r, "this command is not known here");
}

// ( … ), with commas a tuple; [ … ] with commas a list.
static cc_str bracket(reader *r, const char *close) {
    CC_CLEANUP_BUF cc_buf b = {0};
    size_t n = 0;
    do {
        cc_str x = relation(r);
        if (!x.p) return x;
        cc_buf_printf(&b, "%s%.*s", n++ ? ", " : "", S(x));
    } while (take(r, ","));
    if (!take(r, close)) return fail(r, "a bracket is not closed");
    bool list = n > 1 && close[0] == ']';
    return TEXT(r, list ? "[%.*s]" : "(%.*s)", (int)b.n, b.p);
}

static cc_str atom(reader *r) {
    if (++r->depth > MAX_DEPTH) return fail(r, "the text is nested too deep");
    char c = peek(r);
    cc_str x;
    if (c == '\0') {
        x = fail(r, "the text ends where a value is expected");
    } else if (isdigit((unsigned char)c) || c == '.') {
        size_t from = r->i;
        while (r->i < r->end && (isdigit((unsigned char)r->s.p[r->i]) || r->s.p[r->i] == '.')) r->i++;
        x = cc_str_make(r->s.p + from, r->i - from);
    } else if (isalpha((unsigned char)c)) {
        x = letter(r);
    } else if (c == '{') {
        r->i++;
        x = enclosed(r, "}");
        if (x.p) x = TEXT(r, "(%.*s)", S(x));
    } else if (c == '(' || c == '[') {
        r->i++;
        x = bracket(r, c == '(' ? ")" : "]");
    } else if (c == '|') {
        r->i++;
        x = bars(r, "|");
    } else if (c == '\\') {
        x = command(r);
    } else {
        x = fail(r, "this sign is not expected here");
    }
    r->depth--;
    return x;
}

// ---- sums and products ----

static bool ends_product(reader *r) {
    static const char *const ends[] = {"\\right", "\\rvert", "\\rfloor",   "\\rceil", "\\}",    "\\le",  "\\leq",       "\\leqslant",
                                       "\\ge",    "\\geq",   "\\geqslant", "\\ne",    "\\neq",  "\\lt",  "\\gt",        "\\to",
                                       "\\end",   "\\\\",    "\\wedge",    "\\vee",   "\\land", "\\lor", "\\rightarrow"};
    char c = peek(r);
    if (c == '\0' || strchr("+-)]}=<>&,;", c) || (c == '|' && r->bars)) return true;
    if (r->bars && looking(r, "\\vert")) return true;
    cc_str k = command_at(r, r->i);
    for (size_t i = 0; k.n && i < CC_ARRAY_LEN(ends); i++)
        if (cc_str_eqz(k, ends[i] + 1)) return true;
    return false;
}

static cc_str signed_factor(reader *r) {
    if (take(r, "-")) {
        cc_str x = signed_factor(r);
        return x.p ? TEXT(r, "(-(%.*s))", S(x)) : x;
    }
    if (take(r, "+")) return signed_factor(r);
    return postfix(r, atom(r));
}

static cc_str product(reader *r) {
    static const char *const times[] = {"\\cdot", "\\times", "\\ast", "*"}, *const over[] = {"\\div", "/"},
                             *const mod[] = {"\\bmod", "\\mod"};
    if (++r->depth > MAX_DEPTH) return fail(r, "the text is nested too deep");
    if (take(r, "-")) { // of the whole product
        cc_str rest = product(r);
        r->depth--;
        return rest.p ? TEXT(r, "(-(%.*s))", S(rest)) : rest;
    }
    cc_str x = signed_factor(r);
    while (x.p && !ends_product(r)) {
        const bool divide = take_any(r, over, 2), modulo = !divide && take_any(r, mod, 2);
        bool explicit_sign = divide || modulo || take_any(r, times, 4);
        if (!explicit_sign && isdigit((unsigned char)peek(r)) && isdigit((unsigned char)x.p[x.n - 1]))
            return fail(r, "two numbers stand next to each other");
        cc_str y = explicit_sign ? signed_factor(r) : postfix(r, atom(r));
        if (!y.p) return y;
        x = modulo ? TEXT(r, "Mod(%.*s, %.*s)", S(x), S(y)) : TEXT(r, divide ? "%.*s/(%.*s)" : "%.*s*(%.*s)", S(x), S(y));
    }
    r->depth--;
    return x;
}

static cc_str additive(reader *r) {
    cc_str x = product(r);
    CC_CLEANUP_BUF cc_buf b = {0};
    if (x.p) cc_buf_adds(&b, x);
    while (x.p) {
        bool minus = take(r, "-");
        if (!minus && !take(r, "+")) break;
        x = product(r);
        if (x.p) cc_buf_printf(&b, "%s%.*s", minus ? " - " : " + ", S(x));
    }
    return x.p ? cc_arena_dup(r->arena, cc_buf_str(&b)) : x;
}

static const char *comparison(reader *r) {
    static const struct {
        const char *latex, *plain;
    } signs[] = {{"=", " = "},      {"\\leqslant", " <= "}, {"\\leq", " <= "}, {"\\le", " <= "}, {"\\geqslant", " >= "},
                 {"\\geq", " >= "}, {"\\ge", " >= "},       {"\\neq", " != "}, {"\\ne", " != "}, {"\\lt", " < "},
                 {"\\gt", " > "},   {"<", " < "},           {">", " > "}};
    for (size_t k = 0; k < CC_ARRAY_LEN(signs); k++)
        if (take(r, signs[k].latex)) return signs[k].plain;
    return NULL;
}

static cc_str compared(reader *r) {
    if (take(r, "\\neg") || take(r, "\\lnot")) {
        cc_str x = compared(r);
        return x.p ? TEXT(r, "(not (%.*s))", S(x)) : x;
    }
    cc_str x = additive(r);
    for (const char *sign; x.p && (sign = comparison(r));) {
        cc_str y = additive(r);
        x = y.p ? TEXT(r, "%.*s%s%.*s", S(x), sign, S(y)) : y;
    }
    return x;
}

static cc_str relation(reader *r) {
    static const char *const ands[] = {"\\wedge", "\\land"}, *const ors[] = {"\\vee", "\\lor"};
    if (++r->depth > MAX_DEPTH) return fail(r, "the text is nested too deep");
    cc_str x = compared(r);
    while (x.p) {
        bool both = take_any(r, ands, 2);
        if (!both && !take_any(r, ors, 2)) break;
        cc_str y = compared(r);
        x = y.p ? TEXT(r, "(%.*s) %s (%.*s)", S(x), both ? "and" : "or", S(y)) : y;
    }
    r->depth--;
    return x;
}

bool cc_x_is_latex(cc_str text) {
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\\' || (i && text.p[i] == '{' && (text.p[i - 1] == '^' || text.p[i - 1] == '_'))) return true;
    return false;
}

cc_str cc_read_latex_plain(cc_alg *g, cc_str text, bool evaluate) {
    if (g->err->code) return (cc_str){NULL, 0};
    text = cc_str_trim(text);
    while (text.n >= 2 && text.p[0] == '$' && text.p[text.n - 1] == '$') text = cc_str_trim(cc_str_make(text.p + 1, text.n - 2));
    reader r = {.arena = g->arena, .err = g->err, .s = text, .end = text.n, .evaluate = evaluate};
    if (text.n > MAX_LENGTH) return fail(&r, "the text is too long");
    cc_str plain = relation(&r);
    skip(&r);
    if (plain.p && r.i < r.end) plain = fail(&r, "the text is not understood from here on");
    if (!plain.p) cc_error_remedy(g->err, "write it in plain notation, e.g. sqrt(x)/2 + sin(x)**2");
    return plain;
}

cc_xp cc_x_read_latex(cc_alg *g, cc_str text) {
    cc_str plain = cc_read_latex_plain(g, text, true);
    cc_xp x = plain.p ? cc_x_read(g, plain) : NULL;
    if (plain.p && !x) cc_error_wrap(g->err, "in the plain form \"%.*s\" of the LaTeX text", (int)cc_utf8_prefix(plain, 200).n, plain.p);
    return x;
}
