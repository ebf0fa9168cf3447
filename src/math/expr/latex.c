// Expressions → LaTeX in SymPy's style: \frac{x^{2}}{2} + \sin{\left(x \right)}. Called for results. Terms and factors come in the order of
// print.c. It changes nothing; what it prints, cc_x_read_latex reads back to the same expression (Subs and other forms without a
// notation of their own are written \operatorname{Name}{\left(…\right)}).
#include "math/expr/intern.h"

#include <ctype.h>

enum level { L_LIST, L_OR, L_AND, L_REL, L_ADD, L_MUL, L_POW, L_ATOM };

typedef struct writer {
    cc_alg *g;
    cc_buf *out;
    unsigned integrals; // around: a symbol d would read as a differential
} writer;

static void put(writer *w, cc_xp x, enum level level);

static void text(writer *w, const char *z) { cc_buf_addz(w->out, z); }

static void wrapped(writer *w, const char *open, cc_xp x, const char *close) {
    text(w, open);
    put(w, x, L_LIST);
    text(w, close);
}

static void list(writer *w, const char *open, const cc_xp *items, size_t n, const char *close) {
    text(w, open);
    for (size_t i = 0; i < n; i++) {
        if (i) text(w, ", \\  ");
        put(w, items[i], L_LIST);
    }
    text(w, close);
}

// ---- names and numbers ----

static bool greek(cc_str s) {
    static const char *const names[] = {"alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",  "eta",   "theta",  "iota",
                                        "kappa", "lambda", "mu",      "nu",    "xi",      "rho",   "sigma", "tau",    "upsilon",
                                        "phi",   "chi",    "psi",     "omega", "Gamma",   "Delta", "Theta", "Lambda", "Xi",
                                        "Pi",    "Sigma",  "Upsilon", "Phi",   "Psi",     "Omega", "hbar",  "ell"};
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++)
        if (cc_str_eqz(s, names[i])) return true;
    return false;
}

static void name(writer *w, cc_str s) {
    size_t cut = 1;
    while (cut < s.n && s.p[cut] != '_') cut++;
    cc_str head = cc_str_make(s.p, cut), sub = cut + 1 < s.n ? cc_str_make(s.p + cut + 1, s.n - cut - 1) : (cc_str){NULL, 0};
    if (cut < s.n && !sub.n) head = s; // ends in _
    const bool letter = head.n == 1 && isalpha((unsigned char)head.p[0]);
    // e and i would be the constants, d a differential.
    const bool taken = letter && !sub.n && (head.p[0] == 'e' || head.p[0] == 'i' || (head.p[0] == 'd' && w->integrals));
    if (taken)
        cc_buf_printf(w->out, "\\mathit{%c}", head.p[0]);
    else if (letter)
        cc_buf_addc(w->out, head.p[0]);
    else
        cc_buf_printf(w->out, greek(head) ? "\\%.*s" : "\\mathrm{%.*s}", (int)head.n, head.p);
    if (sub.n) cc_buf_printf(w->out, greek(sub) ? "_{\\%.*s}" : "_{%.*s}", (int)sub.n, sub.p);
}

static void integer(writer *w, const fmpz_t n) {
    char *s = fmpz_get_str(NULL, 10, n);
    text(w, s);
    flint_free(s);
}

static void number(writer *w, const fmpq *q) {
    fmpz_t a;
    fmpz_init(a);
    fmpz_abs(a, fmpq_numref(q));
    if (fmpz_sgn(fmpq_numref(q)) < 0) text(w, "-");
    if (fmpz_is_one(fmpq_denref(q))) {
        integer(w, a);
    } else {
        text(w, "\\frac{");
        integer(w, a);
        text(w, "}{");
        integer(w, fmpq_denref(q));
        text(w, "}");
    }
    fmpz_clear(a);
}

static const char *constant(cc_xconst k) {
    static const char *const names[] = {
        [CC_K_PI] = "\\pi",
        [CC_K_E] = "e",
        [CC_K_I] = "i",
        [CC_K_EULER_GAMMA] = "\\gamma_{E}",
        [CC_K_CATALAN] = "\\mathrm{Catalan}",
        [CC_K_GOLDEN] = "\\mathrm{GoldenRatio}",
        [CC_K_OO] = "\\infty",
        [CC_K_ZOO] = "\\tilde{\\infty}",
        [CC_K_NAN] = "\\text{NaN}",
        [CC_K_TRUE] = "\\text{True}",
        [CC_K_FALSE] = "\\text{False}",
    };
    return names[k];
}

// ---- sums, products, powers ----

static bool negative(cc_xp x) { return cc_x_num_sign(x->kind == CC_X_MUL ? x->args[0] : x) < 0; }

static void sum(writer *w, cc_xp x) {
    const cc_xp *terms = cc_x_print_terms(w->g, x);
    for (uint32_t i = 0; terms && i < x->n; i++) {
        bool minus = negative(terms[i]);
        if (i) text(w, minus ? " - " : " + ");
        put(w, i && minus ? cc_x_neg(w->g, terms[i]) : terms[i], L_ADD);
    }
}

static void power(writer *w, cc_xp base, cc_xp e) {
    static const cc_xfn plain[] = {CC_F_SIN,  CC_F_COS,  CC_F_TAN,  CC_F_COT,  CC_F_SEC, CC_F_CSC,
                                   CC_F_SINH, CC_F_COSH, CC_F_TANH, CC_F_COTH, CC_F_LOG};
    if (e == w->g->one) {
        put(w, base, L_MUL);
        return;
    }
    if (cc_x_is_num(e) && fmpz_is_one(fmpq_numref(e->num)) && fmpz_cmp_ui(fmpq_denref(e->num), 1) > 0) {
        text(w, "\\sqrt");
        if (!fmpz_equal_ui(fmpq_denref(e->num), 2)) {
            text(w, "[");
            integer(w, fmpq_denref(e->num));
            text(w, "]");
        }
        wrapped(w, "{", base, "}");
        return;
    }
    for (size_t i = 0; i < CC_ARRAY_LEN(plain); i++)
        if (cc_x_is_fun(base, plain[i])) {
            cc_buf_printf(w->out, "\\%s", cc_x_fn_name(plain[i]));
            wrapped(w, "^{", e, "}");
            list(w, "{\\left(", base->args, 1, " \\right)}");
            return;
        }
    put(w, base, L_ATOM);
    wrapped(w, "^{", e, "}");
}

// A name whose _ must not become a subscript.
static void put_operator(writer *w, cc_str n) {
    text(w, "\\operatorname{");
    for (size_t i = 0; i < n.n; i++) {
        if (n.p[i] == '_') cc_buf_addc(w->out, '\\');
        cc_buf_addc(w->out, n.p[i]);
    }
    text(w, "}");
}

// Before a bracket the reader takes these for functions.
static bool reads_as_call(cc_str s) {
    static const char *const names[] = {"f", "g", "h", "O", "Gamma", "zeta"};
    for (size_t i = 0; i < CC_ARRAY_LEN(names); i++)
        if (cc_str_eqz(s, names[i])) return true;
    return false;
}

// A factor behind another: what would read as one number, or as a call, is kept apart by a dot.
static void factor(writer *w, cc_xp f, bool alone, bool *first, bool *letter) {
    size_t at = w->out->n;
    put(w, f, alone ? L_LIST : L_MUL);
    if (!*first) {
        bool digit = isdigit((unsigned char)w->out->p[at]), bracket = w->out->n - at > 6 && memcmp(w->out->p + at, "\\left(", 6) == 0;
        const char *sign = digit || (bracket && *letter) ? " \\cdot " : " ";
        size_t n = strlen(sign), len = w->out->n - at;
        cc_buf_add(w->out, sign, n);
        memmove(w->out->p + at + n, w->out->p + at, len);
        memcpy(w->out->p + at, sign, n);
    }
    *first = false;
    *letter = f->kind == CC_X_SYM && reads_as_call(f->name);
}

static void product(writer *w, cc_xp x) {
    size_t n;
    const cc_xp *f = cc_x_print_factors(w->g, x, &n);
    if (!f) return;
    const fmpq *c = w->g->one->num;
    size_t down = 0, up = 0;
    for (size_t i = 0; i < n; i++) {
        bool below = f[i]->kind == CC_X_POW && cc_x_num_sign(f[i]->args[1]) < 0;
        if (f[i]->kind == CC_X_NUM)
            c = f[i]->num;
        else if (below)
            down++;
        else
            up++;
    }
    const bool fraction = !fmpz_is_one(fmpq_denref(c)) || down, one_up = up == 1 && fraction && fmpz_is_pm1(fmpq_numref(c)),
               one_down = down == 1 && fmpz_is_one(fmpq_denref(c));
    if (fmpq_sgn(c) < 0) text(w, "- ");
    if (fraction) text(w, "\\frac{");
    bool first = true, letter = false;
    if (!fmpz_is_pm1(fmpq_numref(c)) || !up) {
        fmpz_t a;
        fmpz_init(a);
        fmpz_abs(a, fmpq_numref(c));
        integer(w, a);
        fmpz_clear(a);
        first = false;
    }
    for (size_t i = 0; i < n; i++)
        if (f[i]->kind != CC_X_NUM && !(f[i]->kind == CC_X_POW && cc_x_num_sign(f[i]->args[1]) < 0))
            factor(w, f[i], one_up, &first, &letter);
    if (!fraction) return;
    text(w, "}{");
    first = true;
    letter = false;
    if (!fmpz_is_one(fmpq_denref(c))) {
        integer(w, fmpq_denref(c));
        first = false;
    }
    for (size_t i = 0; i < n; i++)
        if (f[i]->kind == CC_X_POW && cc_x_num_sign(f[i]->args[1]) < 0) {
            cc_xp inverse = cc_x_pow(w->g, f[i]->args[0], cc_x_neg(w->g, f[i]->args[1]));
            if (inverse) factor(w, inverse, one_down, &first, &letter);
        }
    text(w, "}");
}

// ---- functions ----

static const char *command(cc_xfn fn) {
    switch (fn) {
    case CC_F_LOG: return "\\log";
    case CC_F_SIN: return "\\sin";
    case CC_F_COS: return "\\cos";
    case CC_F_TAN: return "\\tan";
    case CC_F_COT: return "\\cot";
    case CC_F_SEC: return "\\sec";
    case CC_F_CSC: return "\\csc";
    case CC_F_SINH: return "\\sinh";
    case CC_F_COSH: return "\\cosh";
    case CC_F_TANH: return "\\tanh";
    case CC_F_COTH: return "\\coth";
    case CC_F_ARG: return "\\arg";
    case CC_F_MAX: return "\\max";
    case CC_F_MIN: return "\\min";
    case CC_F_GAMMA: return "\\Gamma";
    default: return NULL;
    }
}

static void call(writer *w, cc_xp x) {
    const char *c = command((cc_xfn)x->fn);
    cc_str n = x->fn == CC_F_APPLIED ? x->name : cc_str_of(cc_x_fn_name((cc_xfn)x->fn));
    if (x->fn == CC_F_ZETA && x->n == 1) c = "\\zeta";
    if (c)
        text(w, c);
    else
        put_operator(w, n);
    bool letter = c && (x->fn == CC_F_GAMMA || x->fn == CC_F_ZETA);
    list(w, letter ? "\\left(" : "{\\left(", x->args, x->n, letter ? "\\right)" : " \\right)}");
}

static void over_range(writer *w, const char *sign, cc_xp x) {
    text(w, sign);
    wrapped(w, "_{", x->args[1], "");
    wrapped(w, "=", x->args[2], "}");
    wrapped(w, "^{", x->args[3], "} ");
    put(w, x->args[0], L_MUL);
}

static void integral(writer *w, cc_xp x) {
    text(w, "\\int");
    if (x->n == 4) {
        wrapped(w, "\\limits_{", x->args[2], "}");
        wrapped(w, "^{", x->args[3], "}");
    }
    text(w, " ");
    w->integrals++;
    put(w, x->args[0], L_MUL);
    w->integrals--;
    text(w, "\\, d");
    put(w, x->args[1], L_ATOM);
}

static void limit(writer *w, cc_xp x) {
    wrapped(w, "\\lim_{", x->args[1], " \\to ");
    int side = cc_x_num_sign(x->args[3]);
    put(w, x->args[2], side ? L_ATOM : L_LIST);
    text(w, side > 0 ? "^+} " : side < 0 ? "^-} " : "} ");
    put(w, x->args[0], L_MUL);
}

static void derivative(writer *w, cc_xp x) {
    bool once = x->args[2] == w->g->one;
    text(w, "\\frac{d");
    if (!once) wrapped(w, "^{", x->args[2], "}");
    wrapped(w, "}{d ", x->args[1], "");
    if (!once) wrapped(w, "^{", x->args[2], "}");
    text(w, "} ");
    put(w, x->args[0], L_MUL);
}

static void piecewise(writer *w, cc_xp x) {
    text(w, "\\begin{cases} ");
    for (uint32_t i = 0; i + 1 < x->n; i += 2) {
        if (i) text(w, " \\\\");
        put(w, x->args[i], L_ADD);
        if (x->args[i + 1] == w->g->yes)
            text(w, " & \\text{otherwise}");
        else
            wrapped(w, " & \\text{for}\\: ", x->args[i + 1], "");
    }
    text(w, " \\end{cases}");
}

static void function(writer *w, cc_xp x) {
    switch ((cc_xfn)x->fn) {
    case CC_F_EXP: wrapped(w, "e^{", x->args[0], "}"); break;
    case CC_F_ABS: wrapped(w, "\\left|{", x->args[0], "}\\right|"); break;
    case CC_F_FLOOR: wrapped(w, "\\left\\lfloor{", x->args[0], "}\\right\\rfloor"); break;
    case CC_F_CEIL: wrapped(w, "\\left\\lceil{", x->args[0], "}\\right\\rceil"); break;
    case CC_F_CONJUGATE: wrapped(w, "\\overline{", x->args[0], "}"); break;
    case CC_F_BINOMIAL:
        wrapped(w, "{\\binom{", x->args[0], "}");
        wrapped(w, "{", x->args[1], "}}");
        break;
    case CC_F_FACTORIAL:
    case CC_F_FACTORIAL2:
        put(w, x->args[0], L_ATOM);
        text(w, x->fn == CC_F_FACTORIAL ? "!" : "!!");
        break;
    case CC_F_SUM: over_range(w, "\\sum", x); break;
    case CC_F_PRODUCT: over_range(w, "\\prod", x); break;
    case CC_F_INTEGRAL: integral(w, x); break;
    case CC_F_LIMIT: limit(w, x); break;
    case CC_F_DERIVATIVE: derivative(w, x); break;
    case CC_F_PIECEWISE: piecewise(w, x); break;
    case CC_F_ORDER:
        list(w, "O\\left(", x->args, 1, "");
        if (x->n == 3 && x->args[2] != w->g->zero) list(w, ", \\  \\left(", x->args + 1, 2, "\\right)");
        text(w, "\\right)");
        break;
    default: call(w, x);
    }
}

static void relation(writer *w, cc_xp x) {
    static const char *const signs[] = {" = ", " \\neq ", " < ", " \\leq "}, *const back[] = {" = ", " \\neq ", " > ", " \\geq "};
    cc_xp a = x->args[0], b = x->args[1];
    bool flipped = x->konst >= CC_REL_LT && a->free == 0 && b->free != 0; // 0 < x is written x > 0
    put(w, flipped ? b : a, L_ADD);
    text(w, flipped ? back[x->konst] : signs[x->konst]);
    put(w, flipped ? a : b, L_ADD);
}

static enum level level_of(cc_xp x) {
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: return fmpq_sgn(x->num) < 0 ? L_ADD : fmpz_is_one(fmpq_denref(x->num)) ? L_ATOM : L_MUL;
    case CC_X_ADD: return L_ADD;
    case CC_X_MUL: return negative(x) ? L_ADD : L_MUL;
    case CC_X_POW: return cc_x_num_sign(x->args[1]) < 0 ? L_MUL : L_POW;
    case CC_X_FUN:
        switch ((cc_xfn)x->fn) {
        case CC_F_SUM:
        case CC_F_PRODUCT:
        case CC_F_INTEGRAL:
        case CC_F_LIMIT:
        case CC_F_DERIVATIVE: return L_ADD;
        case CC_F_PIECEWISE: return L_LIST;
        case CC_F_EXP:
        case CC_F_FACTORIAL:
        case CC_F_FACTORIAL2: return L_POW;
        default: return L_ATOM;
        }
    case CC_X_REL: return L_REL;
    case CC_X_AND: return L_AND;
    case CC_X_OR: return L_OR;
    default: return L_ATOM;
    }
}

static void put(writer *w, cc_xp x, enum level level) {
    if (!x || w->g->err->code) return;
    const bool parens = level_of(x) < level;
    if (parens) text(w, "\\left(");
    switch ((cc_xkind)x->kind) {
    case CC_X_NUM: number(w, x->num); break;
    case CC_X_CONST: text(w, constant((cc_xconst)x->konst)); break;
    case CC_X_SYM: name(w, x->name); break;
    case CC_X_ADD: sum(w, x); break;
    case CC_X_MUL: product(w, x); break;
    case CC_X_POW:
        if (cc_x_num_sign(x->args[1]) < 0)
            product(w, x); // 1/x
        else
            power(w, x->args[0], x->args[1]);
        break;
    case CC_X_FUN: function(w, x); break;
    case CC_X_REL: relation(w, x); break;
    case CC_X_AND:
    case CC_X_OR:
        for (uint32_t i = 0; i < x->n; i++) {
            if (i) text(w, x->kind == CC_X_AND ? " \\wedge " : " \\vee ");
            put(w, x->args[i], L_REL);
        }
        break;
    case CC_X_NOT:
        text(w, "\\neg ");
        put(w, x->args[0], L_ADD);
        break;
    case CC_X_LIST: list(w, "\\left[", x->args, x->n, "\\right]"); break;
    case CC_X_TUPLE: list(w, "\\left(", x->args, x->n, "\\right)"); break;
    }
    if (parens) text(w, "\\right)");
}

cc_str cc_x_latex(cc_alg *g, cc_xp x) {
    if (!x || g->err->code) return (cc_str){NULL, 0};
    CC_CLEANUP_BUF cc_buf b = {0};
    writer w = {.g = g, .out = &b};
    put(&w, x, L_LIST);
    return cc_arena_dup(g->arena, cc_buf_str(&b));
}
