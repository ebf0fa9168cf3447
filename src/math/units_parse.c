// Reads unit expressions ("kg*m/s^2", "mi/gal", "W/(m² K)", "square feet per minute") into a number and powers of names, computes
// the values of units from their definitions, and names dimensions. Called by units.c. Sizes are bounded before computing.
#include <assert.h>
#include <stdlib.h>

#include "codecalc/rational.h"
#include "math/units.h"

#define MAX_BITS  40000 // of a factor's numerator and denominator
#define MAX_DEPTH 20

typedef struct parser {
    cc_str s;
    size_t at;
    int depth;
    bool strict;
    const char *what;
    cc_unit_product *out;
    cc_error *err;
} parser;

// ---- values ----

void cc_factor_init(cc_factor *f) {
    *f = (cc_factor){0};
    fmpq_init(f->q);
    fmpq_one(f->q);
}

void cc_factor_clear(cc_factor *f) { fmpq_clear(f->q); }

static slong bits_of(const fmpq_t q) {
    slong a = (slong)fmpz_bits(fmpq_numref(q)), b = (slong)fmpz_bits(fmpq_denref(q));
    return a > b ? a : b;
}

// q *= x^power
static int mul_power(fmpq_t q, const fmpq_t x, int power, cc_error *err) {
    if (bits_of(q) + bits_of(x) * labs(power) > MAX_BITS)
        return cc_error_set(err, CC_RESOURCE_EXHAUSTED, "the factor between the units has more than 10000 digits");
    fmpq_t p;
    fmpq_init(p);
    fmpq_pow_si(p, x, power);
    fmpq_mul(q, q, p);
    fmpq_clear(p);
    return 0;
}

int cc_factor_mul(cc_factor *f, const cc_factor *g, int power, cc_error *err) {
    if (mul_power(f->q, g->q, power, err)) return -1;
    f->pi += g->pi * power;
    for (int i = 0; i < CC_DIMS; i++) f->dim[i] += g->dim[i] * power;
    if (g->digits && (!f->digits || g->digits < f->digits)) f->digits = g->digits;
    if (!f->measured || f->measured == g->measured) {
        if (g->measured) f->measured = g->measured, f->power += g->power * power;
    }
    if (f->measured && !f->power && f->measured == g->measured) f->measured = NULL, f->digits = 0; // it cancels
    return 0;
}

void cc_unit_factor(const cc_unit *u, cc_factor *out) {
    cc_error err;
    if (*u->def == '#') {
        out->pi = 1;
        return;
    }
    cc_str def = cc_str_of(u->def);
    if (*u->def == '@') {
        out->dim[u->def[1] - '0'] = 1;
        if (def.n > 2) fmpq_set_si(out->q, 1, 1000); // the gram
        return;
    }
    cc_unit_product *p = cc_malloc(sizeof *p);
    fmpq_init(p->number);
    int bad = cc_unit_parse(def, true, u->def, p, &err);
    assert(!bad);
    fmpq_set(out->q, p->number);
    for (size_t i = 0; i < p->n; i++) {
        cc_factor g;
        cc_factor_init(&g);
        cc_reading_factor(&p->items[i].readings[0], &g);
        bad |= cc_factor_mul(out, &g, p->items[i].power, &err);
        cc_factor_clear(&g);
    }
    assert(!bad);
    (void)bad;
    if (u->digits) out->measured = u, out->power = 1, out->digits = u->digits;
    fmpq_clear(p->number);
    free(p);
}

void cc_reading_factor(const cc_unit_reading *r, cc_factor *out) {
    cc_unit_factor(r->unit, out);
    if (!r->prefix) return;
    fmpq_t base;
    fmpq_init(base);
    fmpq_set_si(base, r->prefix->binary ? 1024 : 10, 1);
    fmpq_pow_si(base, base, r->prefix->power);
    fmpq_mul(out->q, out->q, base);
    fmpq_clear(base);
}

// ---- characters ----

static cc_str rest(const parser *p) { return (cc_str){p->s.p + p->at, p->s.n - p->at}; }
static char peek(const parser *p) { return p->at < p->s.n ? p->s.p[p->at] : '\0'; }

static bool accept(parser *p, const char *text) {
    if (!cc_str_starts(rest(p), cc_str_of(text))) return false;
    p->at += strlen(text);
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int syntax(parser *p, const char *problem) {
    cc_error_set(p->err, CC_VALIDATION, "%s: column %zu: %s", p->what, p->at + 1, problem);
    return cc_error_remedy(p->err, "write units as in kg*m/s^2, mi/gal or W/(m^2 K)");
}

static bool skip(parser *p) { // true when there was white space
    size_t start = p->at;
    while (accept(p, " ") || accept(p, "\t") || accept(p, "\u00a0") || accept(p, "\u202f") || accept(p, "\u2009")) {
    }
    return p->at > start;
}

static const char *const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

static int superscript(const parser *p) {
    for (int i = 0; i < 10; i++)
        if (cc_str_starts(rest(p), cc_str_of(superscripts[i]))) return i;
    return -1;
}

static const char *const multiply[] = {"*", "·", "⋅", "×", "∙", "•"}, *const divide[] = {"/", "÷", "∕", "⁄"};

static bool starts_any(const parser *p, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (cc_str_starts(rest(p), cc_str_of(list[i]))) return true;
    return false;
}

static bool accept_any(parser *p, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (accept(p, list[i])) return true;
    return false;
}

// Length of the character here when it can stand in a name.
static size_t name_char(const parser *p, bool first) {
    char c = peek(p);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' || c == '$') return 1;
    if (c == '\'' || c == '"') return first;
    if (is_digit(c)) return !first;
    if ((unsigned char)c < 0x80) return 0;
    if (superscript(p) >= 0 || cc_str_starts(rest(p), CC_STR("⁻")) || cc_str_starts(rest(p), CC_STR("−"))) return 0;
    if (starts_any(p, multiply, CC_ARRAY_LEN(multiply)) || starts_any(p, divide, CC_ARRAY_LEN(divide))) return 0;
    if (cc_str_starts(rest(p), CC_STR("\u00a0")) || cc_str_starts(rest(p), CC_STR("\u202f")) || cc_str_starts(rest(p), CC_STR("\u2009")))
        return 0;
    return cc_utf8_len(rest(p));
}

static cc_str name_here(parser *p) {
    size_t start = p->at, n = name_char(p, true);
    bool quote = peek(p) == '\'' || peek(p) == '"';
    p->at += n;
    while (!quote && n && (n = name_char(p, false))) p->at += n;
    return (cc_str){p->s.p + start, p->at - start};
}

// ---- powers ----

static int read_power(parser *p, bool *found, int *power) {
    size_t start = p->at;
    *found = true;
    *power = 1;
    bool minus = accept(p, "⁻");
    if (superscript(p) >= 0) {
        int v = 0;
        for (int d; (d = superscript(p)) >= 0 && v < 1000; p->at += strlen(superscripts[d])) v = v * 10 + d;
        *power = minus ? -v : v;
    } else {
        p->at = start;
        skip(p);
        if (!accept(p, "**") && !accept(p, "^")) {
            p->at = start;
            *found = false;
            return 0;
        }
        skip(p);
        bool paren = accept(p, "(");
        skip(p);
        minus = accept(p, "-") || accept(p, "−");
        if (!minus) accept(p, "+");
        if (!is_digit(peek(p))) return syntax(p, "a whole number is expected as a power");
        int v = 0;
        for (; is_digit(peek(p)) && v < 1000; p->at++) v = v * 10 + (peek(p) - '0');
        if (peek(p) == '.' || is_digit(peek(p))) return syntax(p, "powers are whole numbers up to 60");
        if (paren) skip(p);
        if (paren && peek(p) == '/') return syntax(p, "powers are whole numbers; roots of units are not taken");
        if (paren && !accept(p, ")")) return syntax(p, "a closing parenthesis is missing");
        *power = minus ? -v : v;
    }
    if (abs(*power) > CC_UNIT_MAX_POWER) return syntax(p, "powers go up to 60");
    return 0;
}

// Raises what was read since item `from` to a power. before = the number as it was, now in place of that part's.
static int raise_part(parser *p, size_t from, const fmpq_t before, int power) {
    cc_unit_product *o = p->out;
    if (power < 0 && fmpq_is_zero(o->number)) return syntax(p, "0 in a denominator");
    for (size_t i = from; i < o->n; i++) {
        o->items[i].power *= power;
        if (abs(o->items[i].power) > CC_UNIT_MAX_POWER) return syntax(p, "powers go up to 60");
    }
    fmpq_t part;
    fmpq_init(part);
    fmpq_set(part, o->number);
    fmpq_set(o->number, before);
    int rc = mul_power(o->number, part, power, p->err);
    fmpq_clear(part);
    return rc;
}

// ---- grammar ----
// product := group (('*' | '/' | 'per') group)*      group := power+ (by white space, '-' or nothing between)
// power := ('square' | 'cubic')? atom ('^' n | 'squared' | 'cubed')?      atom := number | name | '(' product ')'

static int product(parser *p);

static int number(parser *p, bool fraction) {
    size_t start = p->at;
    while (is_digit(peek(p))) p->at++;
    if (accept(p, "."))
        while (is_digit(peek(p))) p->at++;
    size_t mark = p->at;
    if (peek(p) == 'e' || peek(p) == 'E') {
        p->at++;
        if (peek(p) == '+' || peek(p) == '-') p->at++;
        if (!is_digit(peek(p))) p->at = mark; // "2eV"
        while (is_digit(peek(p))) p->at++;
    }
    // "1/2 inch" is half an inch
    if (fraction && peek(p) == '/' && p->at + 1 < p->s.n && is_digit(p->s.p[p->at + 1])) {
        p->at++;
        while (is_digit(peek(p))) p->at++;
    }
    fmpq_t x;
    fmpq_init(x);
    int rc = cc_rational_parse(x, (cc_str){p->s.p + start, p->at - start}, 400, p->what, p->err);
    if (!rc) rc = mul_power(p->out->number, x, 1, p->err);
    fmpq_clear(x);
    return rc;
}

static int add_item(parser *p, cc_str name, int power) {
    cc_unit_product *o = p->out;
    if (o->n == CC_UNIT_ITEMS) return syntax(p, "too many units in one expression");
    cc_unit_item *item = &o->items[o->n];
    item->text = name;
    item->power = power;
    item->n = cc_unit_read_name(name, p->strict, item->readings);
    if (!item->n) return 1;
    o->n++;
    return 0;
}

// "nautical mile", "US fl oz", "light-year": words that together name a unit; longest first.
static bool joined(parser *p, cc_str first) {
    size_t after = p->at;
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_buf_adds(&b, first);
    cc_str name = {0};
    size_t end = after;
    for (int words = 1; words < 5; words++) {
        if (!skip(p) && !accept(p, "-")) break;
        cc_str word = name_here(p);
        if (!word.n) break;
        cc_buf_addc(&b, '_');
        cc_buf_adds(&b, word);
        if (cc_unit_is_name(cc_buf_str(&b))) name.n = b.n, end = p->at;
    }
    p->at = after;
    if (!name.n) return false;
    name.p = b.p;
    if (add_item(p, name, 1)) return false;
    p->out->items[p->out->n - 1].text = (cc_str){first.p, end - (size_t)(first.p - p->s.p)};
    p->at = end;
    return true;
}

static int named(parser *p) {
    size_t start = p->at;
    cc_str name = name_here(p);
    if (!p->strict && joined(p, name)) return 0;
    int rc = add_item(p, name, 1);
    if (rc <= 0) return rc;
    // "m2", "s-1", "km2"
    size_t n = name.n;
    while (n && is_digit(name.p[n - 1])) n--;
    int power = 0;
    if (n && n < name.n && name.n - n <= 2) {
        for (size_t i = n; i < name.n; i++) power = power * 10 + (name.p[i] - '0');
        if (power <= CC_UNIT_MAX_POWER) {
            rc = add_item(p, (cc_str){name.p, n}, power);
            if (rc <= 0) return rc;
        }
    }
    p->at = start;
    return cc_unit_unknown(n < name.n && n ? (cc_str){name.p, n} : name, p->what, p->err);
}

// A word, case aside, that stands alone here.
static bool keyword(parser *p, const char *word) {
    size_t start = p->at;
    cc_str name = name_here(p);
    if (name.n == strlen(word)) {
        size_t i = 0;
        while (i < name.n && (name.p[i] | 0x20) == word[i]) i++;
        if (i == name.n) return true;
    }
    p->at = start;
    return false;
}

static int atom(parser *p, bool fraction) {
    char c = peek(p);
    if (c == '(') {
        if (++p->depth > MAX_DEPTH) return syntax(p, "too deeply nested");
        p->at++;
        if (product(p)) return -1;
        p->depth--;
        return accept(p, ")") ? 0 : syntax(p, "a closing parenthesis is missing");
    }
    if (is_digit(c) || (c == '.' && p->at + 1 < p->s.n && is_digit(p->s.p[p->at + 1]))) return number(p, fraction);
    if (!name_char(p, true)) return syntax(p, p->at < p->s.n ? "a unit is expected here" : "a unit is missing at the end");
    return named(p);
}

static int power(parser *p, bool fraction) {
    int before = 1;
    if (!p->strict) {
        size_t start = p->at;
        before = keyword(p, "square") || keyword(p, "sq") ? 2 : keyword(p, "cubic") || keyword(p, "cu") ? 3 : 1;
        if (before > 1 && !skip(p) && !accept(p, "-")) p->at = start, before = 1; // "sq" alone
    }
    size_t from = p->out->n;
    fmpq_t number_before;
    fmpq_init(number_before);
    fmpq_set(number_before, p->out->number);
    fmpq_one(p->out->number);
    int rc = atom(p, fraction && before == 1), e = 1;
    bool found = false;
    if (!rc) rc = read_power(p, &found, &e);
    // "s-1": a sign straight behind a name
    if (!rc && !found && p->at && !is_digit(p->s.p[p->at - 1]) && (peek(p) == '-' || cc_str_starts(rest(p), CC_STR("−"))) &&
        p->out->n > from) {
        size_t start = p->at;
        if (!accept(p, "-")) accept(p, "−");
        if (is_digit(peek(p))) {
            e = 0;
            for (; is_digit(peek(p)) && e < 1000; p->at++) e = e * 10 + (peek(p) - '0');
            e = -e;
            if (name_char(p, true)) rc = syntax(p, "put a * or a space between a power and a unit");
        } else {
            p->at = start;
        }
    }
    if (!rc && !p->strict && !found) {
        size_t start = p->at;
        skip(p);
        int word = keyword(p, "squared") ? 2 : keyword(p, "cubed") ? 3 : 0;
        if (word)
            e = word;
        else
            p->at = start;
    }
    if (!rc) rc = raise_part(p, from, number_before, e * before);
    fmpq_clear(number_before);
    return rc;
}

static bool at_per(parser *p) {
    size_t start = p->at;
    bool found = keyword(p, "per");
    p->at = start;
    return found;
}

static int group(parser *p, bool divided) {
    bool fraction = !divided;
    for (bool first = true;; first = false) {
        size_t items = p->out->n;
        if (power(p, fraction && first)) return -1;
        bool named_one = p->out->n > items;
        bool space = skip(p);
        size_t here = p->at;
        if (!space && accept(p, "-")) space = true; // "kilowatt-hour"
        char c = peek(p);
        if (at_per(p) || (c != '(' && !is_digit(c) && c != '.' && !name_char(p, true))) {
            p->at = here;
            return 0;
        }
        if (named_one && (is_digit(c) || c == '.')) return syntax(p, "put a * or a ^ before a number that follows a unit");
        if (divided && space && named_one) p->out->regrouped = true;
    }
}

static int product(parser *p) {
    skip(p);
    bool divided = false;
    for (;;) {
        size_t from = p->out->n;
        fmpq_t before;
        fmpq_init(before);
        fmpq_set(before, p->out->number);
        fmpq_one(p->out->number);
        int rc = group(p, divided);
        if (!rc) rc = raise_part(p, from, before, divided ? -1 : 1);
        fmpq_clear(before);
        if (rc) return -1;
        skip(p);
        if (accept_any(p, divide, CC_ARRAY_LEN(divide)) || (!p->strict && keyword(p, "per")))
            divided = true;
        else if (accept_any(p, multiply, CC_ARRAY_LEN(multiply)))
            divided = false;
        else
            return 0;
        skip(p);
    }
}

int cc_unit_parse(cc_str text, bool strict, const char *what, cc_unit_product *out, cc_error *err) {
    parser p = {.s = cc_str_trim(text), .strict = strict, .what = what, .out = out, .err = err};
    out->n = 0;
    out->regrouped = false;
    fmpq_one(out->number);
    if (p.s.n > CC_UNIT_MAX_LEN)
        return cc_error_set(err, CC_VALIDATION, "%s: has %zu bytes, at most %d are taken", what, p.s.n, CC_UNIT_MAX_LEN);
    if (!p.s.n) {
        cc_error_set(err, CC_VALIDATION, "%s: is empty", what);
        return cc_error_remedy(err, "give a unit, for example km/h");
    }
    if (product(&p)) return -1;
    if (p.at < p.s.n) return syntax(&p, "not part of a unit");
    if (fmpq_is_zero(out->number)) return cc_error_set(err, CC_VALIDATION, "%s: is 0", what);
    return 0;
}

// ---- dimensions ----

void cc_dimension_print(cc_buf *out, const int dim[CC_DIMS]) {
    static const char *const base[CC_DIMS] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad", "bit"};
    static const int order[CC_DIMS] = {1, 0, 2, 3, 4, 5, 6, 7, 8};
    size_t start = out->n;
    int below = 0;
    for (int k = 0; k < CC_DIMS; k++) {
        int i = order[k];
        below += dim[i] < 0;
        if (dim[i] <= 0) continue;
        cc_buf_printf(out, "%s%s", out->n > start ? "*" : "", base[i]);
        if (dim[i] > 1) cc_buf_printf(out, "^%d", dim[i]);
    }
    if (out->n == start) cc_buf_addz(out, "1");
    if (!below) return;
    cc_buf_addz(out, below > 1 ? "/(" : "/");
    bool first = true;
    for (int k = 0; k < CC_DIMS; k++) {
        int i = order[k];
        if (dim[i] >= 0) continue;
        cc_buf_printf(out, "%s%s", first ? "" : "*", base[i]);
        if (dim[i] < -1) cc_buf_printf(out, "^%d", -dim[i]);
        first = false;
    }
    if (below > 1) cc_buf_addz(out, ")");
}

const char *cc_dimension_name_of(const int dim[CC_DIMS]) {
    for (const cc_dimension_name *d = cc_dimension_names; d->name; d++) {
        cc_factor f;
        cc_factor_init(&f);
        cc_unit u = {"", "", d->def, 0};
        cc_unit_factor(&u, &f);
        bool same = memcmp(f.dim, dim, sizeof f.dim) == 0;
        cc_factor_clear(&f);
        if (same) return d->name;
    }
    return NULL;
}
