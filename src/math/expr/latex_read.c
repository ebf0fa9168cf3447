// LaTeX input → plain notation, which read.c then reads, so that both notations give the same tree. Called by the tools when `latex` input
// is declared. A recursive descent over the text; every part comes back as plain text in parentheses where needed. Letters are symbols (xy
// is a product), e and i are the constants unless a sum binds them. What has no plain form (matrices, text) is refused with its column. It
// computes nothing.
#include "math/expr/latex_read.h"

#include <ctype.h>
#include <stdlib.h>

enum { MAX_DEPTH = 100, MAX_LENGTH = 64 << 10 };

cc_str cc_latex_fail(cc_latex *r, const char *what) {
    if (!r->err->code) cc_error_set(r->err, CC_VALIDATION, "column %zu of the LaTeX text: %s", r->i + 1, what);
    return (cc_str){NULL, 0};
}

const char *cc_latex_form(const cc_latex *r, const char *unevaluated, const char *operation) {
    return r->evaluate && cc_x_find_operation(cc_str_of(operation)) ? operation : unevaluated;
}

// ---- tokens ----

bool cc_latex_looking(const cc_latex *r, const char *z) {
    size_t n = strlen(z);
    return r->end - r->i >= n && memcmp(r->s.p + r->i, z, n) == 0;
}

// The command at r->i, without its backslash; empty when there is none. A command of letters is taken whole.
cc_str cc_latex_command_at(const cc_latex *r, size_t i) {
    if (i + 1 >= r->end || r->s.p[i] != '\\') return (cc_str){NULL, 0};
    size_t n = 1;
    if (isalpha((unsigned char)r->s.p[i + 1]))
        while (i + 1 + n < r->end && isalpha((unsigned char)r->s.p[i + 1 + n])) n++;
    return cc_str_make(r->s.p + i + 1, n);
}

void cc_latex_skip(cc_latex *r) {
    static const char *const empty[] = {",",      ";",        ":",   "!",   " ",    "quad", "qquad", "left", "right",     "displaystyle",
                                        "limits", "nolimits", "big", "Big", "bigl", "bigr", "Bigl",  "Bigr", "thinspace", "textstyle"};
    for (;;) {
        while (r->i < r->end && (isspace((unsigned char)r->s.p[r->i]) || r->s.p[r->i] == '~')) r->i++;
        if (cc_latex_looking(r, "\\left.") || cc_latex_looking(r, "\\right.")) { // an empty delimiter
            r->i += cc_latex_looking(r, "\\left.") ? 6 : 7;
            continue;
        }
        cc_str c = cc_latex_command_at(r, r->i);
        size_t k = 0;
        while (c.n && k < CC_ARRAY_LEN(empty) && !cc_str_eqz(c, empty[k])) k++;
        if (!c.n || k == CC_ARRAY_LEN(empty)) return;
        r->i += c.n + 1;
    }
}

bool cc_latex_take(cc_latex *r, const char *z) {
    cc_latex_skip(r);
    if (!cc_latex_looking(r, z)) return false;
    size_t n = strlen(z);
    if (z[0] == '\\' && isalpha((unsigned char)z[n - 1]) && cc_latex_command_at(r, r->i).n != n - 1) return false; // \le of \left
    r->i += n;
    return true;
}

bool cc_latex_take_any(cc_latex *r, const char *const *z, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (cc_latex_take(r, z[k])) return true;
    return false;
}

char cc_latex_peek(cc_latex *r) {
    cc_latex_skip(r);
    return r->i < r->end ? r->s.p[r->i] : '\0';
}

cc_str cc_latex_enclosed(cc_latex *r, const char *close) {
    cc_str x = cc_latex_relation(r);
    if (!x.p) return x;
    return cc_latex_take(r, close) ? x : cc_latex_fail(r, close[0] == '}' ? "expected }" : "a bracket is not closed");
}

// {…} as it stands, for names.
cc_str cc_latex_raw_group(cc_latex *r) {
    if (!cc_latex_take(r, "{")) return cc_latex_fail(r, "expected {");
    size_t from = r->i;
    while (r->i < r->end && r->s.p[r->i] != '}') {
        if (r->s.p[r->i] == '{') return cc_latex_fail(r, "a name without braces is expected");
        r->i++;
    }
    if (r->i == r->end) return cc_latex_fail(r, "expected }");
    CC_CLEANUP_BUF cc_buf b = {0};
    for (size_t i = from; i < r->i; i++)
        if (r->s.p[i] != '\\' || r->s.p[i + 1] != '_') cc_buf_addc(&b, r->s.p[i]); // \_ is _
    r->i++;
    return cc_str_trim(cc_arena_dup(r->arena, cc_buf_str(&b)));
}

// ---- names ----

bool cc_latex_plain_name(cc_str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && s.p[i] != '_') return false;
    return s.n > 0 && !isdigit((unsigned char)s.p[0]);
}

bool cc_latex_greek(cc_str c) {
    static const char *const names[] = {"alpha",   "beta",   "gamma",    "delta",   "epsilon", "zeta",    "eta",   "theta",      "iota",
                                        "kappa",   "lambda", "mu",       "nu",      "xi",      "omicron", "rho",   "sigma",      "tau",
                                        "upsilon", "phi",    "chi",      "psi",     "omega",   "Gamma",   "Delta", "Theta",      "Lambda",
                                        "Xi",      "Pi",     "Sigma",    "Upsilon", "Phi",     "Psi",     "Omega", "varepsilon", "vartheta",
                                        "varphi",  "varrho", "varsigma", "hbar",    "ell"};
    for (size_t k = 0; k < CC_ARRAY_LEN(names); k++)
        if (cc_str_eqz(c, names[k])) return true;
    return false;
}

cc_str cc_latex_subscripted(cc_latex *r, cc_str name) {
    if (cc_latex_peek(r) != '_') return name;
    r->i++;
    cc_latex_skip(r);
    cc_str sub;
    if (cc_latex_peek(r) == '{') {
        sub = cc_latex_raw_group(r);
        if (sub.n > 1 && sub.p[0] == '\\') sub = cc_str_make(sub.p + 1, sub.n - 1);
    } else if (cc_latex_peek(r) == '\\') {
        sub = cc_latex_command_at(r, r->i);
        if (!sub.n) return cc_latex_fail(r, "a backslash without a command");
        r->i += sub.n + 1;
    } else {
        sub = cc_str_make(r->s.p + r->i, r->i < r->end);
        r->i += sub.n;
    }
    if (!sub.p) return sub; // the group said what is wrong
    for (size_t k = 0; k < sub.n; k++)
        if (!isalnum((unsigned char)sub.p[k]) && sub.p[k] != '_') return cc_latex_fail(r, "a subscript is made of letters and digits");
    if (!sub.n) return cc_latex_fail(r, "a subscript is missing");
    if (cc_str_eqz(name, "gamma") && cc_str_eqz(sub, "E")) return CC_STR("EulerGamma");
    return TEXT(r, "%.*s_%.*s", S(name), S(sub));
}

static cc_str letter(cc_latex *r) {
    cc_str name = cc_str_make(r->s.p + r->i++, 1);
    cc_str whole = cc_latex_subscripted(r, name);
    if (!whole.p || whole.n > 1) return whole;
    if (name.p[0] == 'e' && !r->bound_e) return CC_STR("E");
    if (name.p[0] == 'i' && !r->bound_i) return CC_STR("I");
    if (strchr("fghO", name.p[0]) && cc_latex_peek(r) == '(') { // a function that is not known, or the rest of a series
        cc_str a;
        if (!cc_latex_call_arguments(r, &a)) return cc_latex_fail(r, "a bracket is not closed");
        return a.p ? TEXT(r, "%.*s(%.*s)", S(name), S(a)) : a;
    }
    return name;
}

// ---- powers and arguments ----

// One token or a group: what follows ^, or an argument of \frac.
cc_str cc_latex_argument(cc_latex *r) {
    if (cc_latex_peek(r) == '{') {
        r->i++;
        return cc_latex_enclosed(r, "}");
    }
    if (isdigit((unsigned char)cc_latex_peek(r))) return cc_str_make(r->s.p + r->i++, 1);
    if (r->i >= r->end) return cc_latex_fail(r, "the text ends where an argument is expected");
    return cc_latex_atom(r);
}

cc_str cc_latex_exponent(cc_latex *r) {
    bool digit = isdigit((unsigned char)cc_latex_peek(r));
    cc_str e = cc_latex_argument(r);
    if (digit && r->i < r->end && isdigit((unsigned char)r->s.p[r->i]))
        return cc_latex_fail(r, "only the first digit is in the exponent: write ^{…} around all of it");
    return e;
}

cc_str cc_latex_postfix(cc_latex *r, cc_str x) {
    while (x.p) {
        if (cc_latex_take(r, "^")) {
            if (cc_latex_take(r, "\\circ") || cc_latex_take(r, "{\\circ}")) {
                x = TEXT(r, "((%.*s)*pi/180)", S(x));
                continue;
            }
            cc_str e = cc_latex_exponent(r);
            if (!e.p) return e;
            x = TEXT(r, "(%.*s)**(%.*s)", S(x), S(e));
            if (cc_latex_peek(r) == '^') return cc_latex_fail(r, "two exponents follow each other: put braces around the first power");
            x = TEXT(r, "(%.*s)", S(x));
        } else if (cc_latex_peek(r) == '!') {
            unsigned n = 0;
            while (r->i < r->end && r->s.p[r->i] == '!') r->i++, n++;
            if (n > 2) return cc_latex_fail(r, "more than two factorial signs");
            x = TEXT(r, n == 1 ? "factorial(%.*s)" : "factorial2(%.*s)", S(x));
        } else if (cc_latex_peek(r) == '\'') {
            return cc_latex_fail(r, "a prime is not read: write \\frac{d}{dx} for a derivative");
        } else {
            break;
        }
    }
    return x;
}

// ---- atoms ----

static cc_str two_groups(cc_latex *r, const char *name) {
    cc_str a = cc_latex_argument(r);
    if (!a.p) return a;
    cc_str b = cc_latex_argument(r);
    return b.p ? TEXT(r, "%s(%.*s, %.*s)", name, S(a), S(b)) : b;
}

static cc_str wrapped(cc_latex *r, const char *name, const char *close) {
    cc_str a = cc_latex_enclosed(r, close);
    return a.p ? TEXT(r, "%s(%.*s)", name, S(a)) : a;
}

static cc_str bars(cc_latex *r, const char *close) {
    r->bars++;
    cc_str a = cc_latex_additive(r);
    r->bars--;
    if (!a.p) return a;
    return cc_latex_take(r, close) ? TEXT(r, "Abs(%.*s)", S(a)) : cc_latex_fail(r, "an absolute value is not closed");
}

static cc_str command(cc_latex *r) {
    size_t at = r->i;
    cc_str c = cc_latex_command_at(r, r->i);
    if (!c.n) return cc_latex_fail(r, "a backslash without a command");
    r->i += c.n + 1;
    if (cc_str_eqz(c, "frac") || cc_str_eqz(c, "dfrac") || cc_str_eqz(c, "tfrac") || cc_str_eqz(c, "cfrac")) return cc_latex_fraction(r);
    if (cc_str_eqz(c, "sqrt")) return cc_latex_root(r);
    if (cc_str_eqz(c, "pi")) return CC_STR("pi");
    if (cc_str_eqz(c, "infty")) return CC_STR("oo");
    if (cc_str_eqz(c, "tilde"))
        return cc_latex_take(r, "{\\infty}") || cc_latex_take(r, "\\infty") ? CC_STR("zoo")
                                                                            : cc_latex_fail(r, "\\tilde is read on \\infty only");
    if (cc_str_eqz(c, "imath")) return CC_STR("I");
    if (cc_str_eqz(c, "binom") || cc_str_eqz(c, "dbinom") || cc_str_eqz(c, "tbinom")) return two_groups(r, "binomial");
    if (cc_str_eqz(c, "overline") || cc_str_eqz(c, "bar")) {
        cc_str a = cc_latex_argument(r);
        return a.p ? TEXT(r, "conjugate(%.*s)", S(a)) : a;
    }
    if (cc_str_eqz(c, "pm") || cc_str_eqz(c, "mp")) {
        r->i = at;
        return cc_latex_fail(r, "\\pm stands for two values: write one of them");
    }
    if (cc_str_eqz(c, "sum")) return cc_latex_sum(r, cc_latex_form(r, "Sum", "summation"));
    if (cc_str_eqz(c, "prod")) return cc_latex_sum(r, cc_latex_form(r, "Product", "product"));
    if (cc_str_eqz(c, "int")) return cc_latex_integral(r);
    if (cc_str_eqz(c, "lim")) return cc_latex_limit(r);
    if (cc_str_eqz(c, "lvert") || cc_str_eqz(c, "vert")) return bars(r, cc_str_eqz(c, "vert") ? "\\vert" : "\\rvert");
    if (cc_str_eqz(c, "|")) return cc_latex_fail(r, "a norm is not read here");
    if (cc_str_eqz(c, "lfloor")) return wrapped(r, "floor", "\\rfloor");
    if (cc_str_eqz(c, "lceil")) return wrapped(r, "ceiling", "\\rceil");
    if (cc_str_eqz(c, "{")) {
        cc_str a = cc_latex_enclosed(r, "\\}");
        return a.p ? TEXT(r, "(%.*s)", S(a)) : a;
    }
    if (cc_str_eqz(c, "Gamma") && cc_latex_peek(r) == '(') return cc_latex_apply(r, "gamma", NULL);
    if (cc_str_eqz(c, "zeta") && cc_latex_peek(r) == '(') return cc_latex_apply(r, "zeta", NULL);
    if (cc_str_eqz(c, "operatorname")) {
        if (cc_latex_peek(r) == '*') r->i++;
        cc_str n = cc_latex_raw_group(r);
        return n.p ? cc_latex_named(r, n) : n;
    }
    if (cc_str_eqz(c, "mathrm") || cc_str_eqz(c, "mathit") || cc_str_eqz(c, "mathbf")) {
        cc_str n = cc_latex_raw_group(r);
        if (!n.p) return n;
        if (!cc_latex_plain_name(n)) return cc_latex_fail(r, "a name is made of letters, digits and _");
        if (cc_str_eqz(c, "mathrm") && cc_str_eqz(n, "e")) return CC_STR("E");
        if (cc_str_eqz(c, "mathrm") && cc_str_eqz(n, "i")) return CC_STR("I");
        return cc_latex_subscripted(r, n);
    }
    if (cc_str_eqz(c, "text")) {
        cc_str n = cc_latex_raw_group(r);
        if (cc_str_eqz(n, "True") || cc_str_eqz(n, "False")) return n;
        if (cc_str_eqz(n, "NaN")) return CC_STR("nan");
        r->i = at;
        return cc_latex_fail(r, "text is not read");
    }
    if (cc_str_eqz(c, "begin")) {
        cc_str n = cc_latex_raw_group(r);
        if (cc_str_eqz(n, "cases")) return cc_latex_cases(r);
        r->i = at;
        return cc_latex_fail(r, "matrices and other environments are not read here: call the tool matrix with [[…], […]]");
    }
    cc_str of_function;
    if (cc_latex_function(r, c, &of_function)) return of_function;
    if (cc_str_starts(c, CC_STR("var")) && cc_latex_greek(c)) return cc_latex_subscripted(r, cc_str_make(c.p + 3, c.n - 3));
    if (cc_latex_greek(c)) return cc_latex_subscripted(r, c);
    r->i = at;
    return cc_latex_fail(r, "this command is not known here");
}

// ( … ), with commas a tuple; [ … ] with commas a list.
static cc_str bracket(cc_latex *r, const char *close) {
    CC_CLEANUP_BUF cc_buf b = {0};
    size_t n = 0;
    do {
        cc_str x = cc_latex_relation(r);
        if (!x.p) return x;
        cc_buf_printf(&b, "%s%.*s", n++ ? ", " : "", S(x));
    } while (cc_latex_take(r, ","));
    if (!cc_latex_take(r, close)) return cc_latex_fail(r, "a bracket is not closed");
    bool list = n > 1 && close[0] == ']';
    return TEXT(r, list ? "[%.*s]" : "(%.*s)", (int)b.n, b.p);
}

cc_str cc_latex_atom(cc_latex *r) {
    if (++r->depth > MAX_DEPTH) return cc_latex_fail(r, "the text is nested too deep");
    char c = cc_latex_peek(r);
    cc_str x;
    if (c == '\0') {
        x = cc_latex_fail(r, "the text ends where a value is expected");
    } else if (isdigit((unsigned char)c) || c == '.') {
        size_t from = r->i;
        while (r->i < r->end && (isdigit((unsigned char)r->s.p[r->i]) || r->s.p[r->i] == '.')) r->i++;
        x = cc_str_make(r->s.p + from, r->i - from);
    } else if (isalpha((unsigned char)c)) {
        x = letter(r);
    } else if (c == '{') {
        r->i++;
        x = cc_latex_enclosed(r, "}");
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
        x = cc_latex_fail(r, "this sign is not expected here");
    }
    r->depth--;
    return x;
}

// ---- sums and products ----

static bool ends_product(cc_latex *r) {
    static const char *const ends[] = {"\\right", "\\rvert", "\\rfloor",   "\\rceil", "\\}",    "\\le",  "\\leq",       "\\leqslant",
                                       "\\ge",    "\\geq",   "\\geqslant", "\\ne",    "\\neq",  "\\lt",  "\\gt",        "\\to",
                                       "\\end",   "\\\\",    "\\wedge",    "\\vee",   "\\land", "\\lor", "\\rightarrow"};
    char c = cc_latex_peek(r);
    if (c == '\0' || strchr("+-)]}=<>&,;", c) || (c == '|' && r->bars)) return true;
    if (r->bars && cc_latex_looking(r, "\\vert")) return true;
    cc_str k = cc_latex_command_at(r, r->i);
    for (size_t i = 0; k.n && i < CC_ARRAY_LEN(ends); i++)
        if (cc_str_eqz(k, ends[i] + 1)) return true;
    return false;
}

static cc_str signed_factor(cc_latex *r) {
    if (cc_latex_take(r, "-")) {
        cc_str x = signed_factor(r);
        return x.p ? TEXT(r, "(-(%.*s))", S(x)) : x;
    }
    if (cc_latex_take(r, "+")) return signed_factor(r);
    return cc_latex_postfix(r, cc_latex_atom(r));
}

cc_str cc_latex_product(cc_latex *r) {
    static const char *const times[] = {"\\cdot", "\\times", "\\ast", "*"}, *const over[] = {"\\div", "/"},
                             *const mod[] = {"\\bmod", "\\mod"};
    if (++r->depth > MAX_DEPTH) return cc_latex_fail(r, "the text is nested too deep");
    if (cc_latex_take(r, "-")) { // of the whole product
        cc_str rest = cc_latex_product(r);
        r->depth--;
        return rest.p ? TEXT(r, "(-(%.*s))", S(rest)) : rest;
    }
    cc_str x = signed_factor(r);
    while (x.p && !ends_product(r)) {
        const bool divide = cc_latex_take_any(r, over, 2), modulo = !divide && cc_latex_take_any(r, mod, 2);
        bool explicit_sign = divide || modulo || cc_latex_take_any(r, times, 4);
        if (!explicit_sign && isdigit((unsigned char)cc_latex_peek(r)) && isdigit((unsigned char)x.p[x.n - 1]))
            return cc_latex_fail(r, "two numbers stand next to each other");
        cc_str y = explicit_sign ? signed_factor(r) : cc_latex_postfix(r, cc_latex_atom(r));
        if (!y.p) return y;
        x = modulo ? TEXT(r, "Mod(%.*s, %.*s)", S(x), S(y)) : TEXT(r, divide ? "%.*s/(%.*s)" : "%.*s*(%.*s)", S(x), S(y));
    }
    r->depth--;
    return x;
}

cc_str cc_latex_additive(cc_latex *r) {
    cc_str x = cc_latex_product(r);
    CC_CLEANUP_BUF cc_buf b = {0};
    if (x.p) cc_buf_adds(&b, x);
    while (x.p) {
        bool minus = cc_latex_take(r, "-");
        if (!minus && !cc_latex_take(r, "+")) break;
        x = cc_latex_product(r);
        if (x.p) cc_buf_printf(&b, "%s%.*s", minus ? " - " : " + ", S(x));
    }
    return x.p ? cc_arena_dup(r->arena, cc_buf_str(&b)) : x;
}

static const char *comparison(cc_latex *r) {
    static const struct {
        const char *latex, *plain;
    } signs[] = {{"=", " = "},      {"\\leqslant", " <= "}, {"\\leq", " <= "}, {"\\le", " <= "}, {"\\geqslant", " >= "},
                 {"\\geq", " >= "}, {"\\ge", " >= "},       {"\\neq", " != "}, {"\\ne", " != "}, {"\\lt", " < "},
                 {"\\gt", " > "},   {"<", " < "},           {">", " > "}};
    for (size_t k = 0; k < CC_ARRAY_LEN(signs); k++)
        if (cc_latex_take(r, signs[k].latex)) return signs[k].plain;
    return NULL;
}

static cc_str compared(cc_latex *r) {
    if (cc_latex_take(r, "\\neg") || cc_latex_take(r, "\\lnot")) {
        cc_str x = compared(r);
        return x.p ? TEXT(r, "(not (%.*s))", S(x)) : x;
    }
    cc_str x = cc_latex_additive(r);
    for (const char *sign; x.p && (sign = comparison(r));) {
        cc_str y = cc_latex_additive(r);
        x = y.p ? TEXT(r, "%.*s%s%.*s", S(x), sign, S(y)) : y;
    }
    return x;
}

cc_str cc_latex_relation(cc_latex *r) {
    static const char *const ands[] = {"\\wedge", "\\land"}, *const ors[] = {"\\vee", "\\lor"};
    if (++r->depth > MAX_DEPTH) return cc_latex_fail(r, "the text is nested too deep");
    cc_str x = compared(r);
    while (x.p) {
        bool both = cc_latex_take_any(r, ands, 2);
        if (!both && !cc_latex_take_any(r, ors, 2)) break;
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
    cc_latex r = {.arena = g->arena, .err = g->err, .s = text, .end = text.n, .evaluate = evaluate};
    if (text.n > MAX_LENGTH) return cc_latex_fail(&r, "the text is too long");
    cc_str plain = cc_latex_relation(&r);
    cc_latex_skip(&r);
    if (plain.p && r.i < r.end) plain = cc_latex_fail(&r, "the text is not understood from here on");
    if (!plain.p) cc_error_remedy(g->err, "write it in plain notation, e.g. sqrt(x)/2 + sin(x)**2");
    return plain;
}

cc_xp cc_x_read_latex(cc_alg *g, cc_str text) {
    cc_str plain = cc_read_latex_plain(g, text, true);
    cc_xp x = plain.p ? cc_x_read(g, plain) : NULL;
    if (plain.p && !x) cc_error_wrap(g->err, "in the plain form \"%.*s\" of the LaTeX text", (int)cc_utf8_prefix(plain, 200).n, plain.p);
    return x;
}
