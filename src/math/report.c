// What the calculator says: exact form, certified decimal, kind of number, notes. The public functions of the calculator are
// here; calc.c computes. Among the forms of a number that are at hand (as computed, as Calcium simplified it) the shortest is
// shown.
#include "math/calc.h"

enum {
    MAX_FORM = 400,            // bytes of an irrational's exact form that anybody reads
    MAX_VALUE_DIGITS = 100000, // of an integer written out
    COUNT_FROM = 50,           // digits from which their number is reported
};

// The shorter of x as computed and y, the same number as Calcium simplified it (or NULL); empty when both are too long to read.
static cc_str shorter_form(cc_calc *c, cc_real *x, cc_real *y) {
    cc_reals *r = &c->r;
    cc_str own = cc_real_show(r, x), simple = y ? cc_real_show(r, y) : (cc_str){0};
    cc_str s = simple.n && (!own.n || simple.n <= own.n) ? simple : own;
    return s.n <= MAX_FORM ? s : (cc_str){0};
}

static cc_str exact_form(cc_calc *c, cc_real *x) {
    if (x->op == CC_R_RAT) return cc_fmpq_text(c->arena, x->q);
    return shorter_form(c, x, cc_real_simplify(&c->r, x));
}

static size_t digits_of(const fmpz_t n) { return fmpz_sizeinbase(n, 10); } // exact or one too large

static bool too_long(cc_real *x) {
    return x->op == CC_R_RAT && digits_of(fmpq_numref(x->q)) + digits_of(fmpq_denref(x->q)) > MAX_VALUE_DIGITS;
}

// Where a top-level '/' stands in s ("3*sqrt(3)/2"), s.n when there is none; *sum says whether a top-level '+' or '-' does.
static size_t slash(cc_str s, bool *sum) {
    int depth = 0;
    size_t at = s.n;
    for (size_t i = 0; i < s.n; i++) {
        depth += (s.p[i] == '(') - (s.p[i] == ')');
        if (depth == 0 && s.p[i] == ' ') *sum = true;
        if (depth == 0 && s.p[i] == '/') at = i;
    }
    return at;
}

// re + im*I: "1 + 2*I", "-I", "sqrt(3)*I/2", "1 + I*(1 + sqrt(2))".
static cc_str complex_form(cc_calc *c, cc_str re, cc_str im) {
    if (!re.n || !im.n) return (cc_str){0};
    cc_arena *a = c->arena;
    bool sum = false, none = cc_str_eqz(re, "0");
    size_t cut = slash(im, &sum);
    if (none) re.n = 0;
    if (sum) return cc_arena_printf(a, "%.*s%sI*(%.*s)", (int)re.n, re.p, none ? "" : " + ", (int)im.n, im.p);
    bool minus = im.p[0] == '-';
    cc_str num = cc_str_make(im.p + minus, cut - minus), den = cc_str_make(im.p + cut, im.n - cut);
    bool unit = cc_str_eqz(num, "1");
    const char *sign = none ? (minus ? "-" : "") : minus ? " - " : " + ";
    return cc_arena_printf(a, "%.*s%s%.*s%sI%.*s", (int)re.n, re.p, sign, unit ? 0 : (int)num.n, num.p, unit ? "" : "*", (int)den.n, den.p);
}

cc_str cc_val_form(cc_calc *c, const cc_val *v) {
    cc_str re = exact_form(c, v->re);
    return v->im ? complex_form(c, re, exact_form(c, v->im)) : re;
}

static int fill_real(cc_calc *c, const cc_calc_options *opt, cc_real *x, cc_calc_result *out) {
    cc_real_find_rat(&c->r, x);
    bool rational = x->op == CC_R_RAT;
    cc_real *y = rational ? NULL : cc_real_simplify(&c->r, x);
    bool irrational = !rational && (cc_real_is_irrational(&c->r, x) || (y && cc_real_is_irrational(&c->r, y)));
    out->type = rational ? "rational" : irrational ? "irrational" : "real";
    if (cc_real_is_int(x)) {
        size_t n = digits_of(fmpq_numref(x->q));
        if (n > COUNT_FROM) out->digits_count = cc_fmpz_digits(fmpq_numref(x->q));
    }
    if (too_long(x))
        out->note = cc_arena_printf(
            c->arena, "the exact value has more than %d digits and is not written out; take parts of it with // and %%", MAX_VALUE_DIGITS);
    else
        out->value = rational ? cc_fmpq_text(c->arena, x->q) : shorter_form(c, x, y);
    out->exact = out->value.n > 0;
    if (!rational && !out->value.n) out->note = CC_STR("no short exact form; approx is certified");
    if (cc_real_decimal(&c->r, x, opt->digits, &out->approx, &out->differs)) {
        if (!out->value.n || c->err->code == CC_TIMEOUT) return -1;
        out->note = cc_arena_printf(c->arena, "%s", c->err->msg); // the exact form stands without a decimal
        *c->err = (cc_error){0};
        out->differs = true;
    } else if (!rational) {
        out->grade = "certified";
    }
    return 0;
}

static int fill_complex(cc_calc *c, const cc_calc_options *opt, cc_val *v, cc_calc_result *out) {
    bool dr, di;
    cc_str re, im;
    cc_real_find_rat(&c->r, v->re);
    cc_real_find_rat(&c->r, v->im);
    out->type = "complex";
    if (too_long(v->re) || too_long(v->im))
        out->note = CC_STR("the exact value is too long to write out");
    else
        out->value = complex_form(c, exact_form(c, v->re), exact_form(c, v->im));
    out->exact = out->value.n > 0;
    if (cc_real_decimal(&c->r, v->re, opt->digits, &re, &dr) || cc_real_decimal(&c->r, v->im, opt->digits, &im, &di)) return -1;
    out->approx = complex_form(c, re, im);
    out->differs = dr || di;
    if (v->re->op != CC_R_RAT || v->im->op != CC_R_RAT) out->grade = "certified";
    if (!out->value.n && !out->note.n) out->note = CC_STR("no short exact form; approx is certified");
    return 0;
}

static int fill_list(cc_calc *c, const cc_val *v, cc_calc_result *out) {
    CC_CLEANUP_BUF cc_buf b = {0};
    bool factors = v->kind == CC_V_FACTORS;
    if (!factors) cc_buf_addc(&b, '[');
    for (size_t i = 0; i < v->n; i++) {
        cc_val *x = &v->items[i];
        if (i) cc_buf_addz(&b, factors ? " * " : ", ");
        cc_str s = exact_form(c, x->re);
        if (!factors && x->im) s = complex_form(c, s, exact_form(c, x->im));
        if (!s.n) return cc_error_set(c->err, CC_RESOURCE_EXHAUSTED, "an item of the list has no short exact form");
        cc_buf_adds(&b, s);
        if (factors && x->im && !fmpz_is_one(fmpq_numref(x->im->q))) {
            cc_buf_addz(&b, "**");
            cc_buf_adds(&b, cc_fmpz_text(c->arena, fmpq_numref(x->im->q)));
        }
    }
    if (factors && !v->n) cc_buf_addc(&b, '1');
    if (!factors) cc_buf_addc(&b, ']');
    out->type = factors ? "factorization" : "list";
    out->value = cc_arena_dup(c->arena, cc_buf_str(&b));
    out->exact = true;
    return 0;
}

#define UNDECIDED_NOTE "undecided: tried exact algebra (Calcium, trigonometric and exponential form) and enclosures of %ld bits"

static int fill(cc_calc *c, const cc_calc_options *opt, cc_val *v, cc_calc_result *out) {
    switch (v->kind) {
    case CC_V_TRUTH:
        out->type = "bool";
        out->truth = v->truth;
        out->exact = v->truth != CC_UNDECIDED;
        if (v->truth == CC_UNDECIDED) out->note = cc_arena_printf(c->arena, UNDECIDED_NOTE, c->r.tried_bits);
        return 0;
    case CC_V_NUMBER:
        if (cc_val_settle(c, v)) return -1;
        return v->im ? fill_complex(c, opt, v, out) : fill_real(c, opt, v->re, out);
    default: return fill_list(c, v, out);
    }
}

static void begin(cc_calc *c, cc_arena *a, cc_parsed *parsed, const cc_calc_options *opt, cc_error *err) {
    *err = (cc_error){0};
    *c = (cc_calc){.arena = a, .err = err, .parsed = parsed};
    cc_reals_init(&c->r, a, err, opt->stop);
}

int cc_calc_eval(cc_arena *a, cc_str expr, const cc_calc_options *opt, cc_calc_result *out, cc_error *err) {
    cc_calc c;
    cc_parsed parsed = {0};
    cc_val v;
    *out = (cc_calc_result){0};
    begin(&c, a, &parsed, opt, err);
    int rc = cc_calc_run(&c, expr, &v);
    if (!rc) rc = fill(&c, opt, &v, out);
    out->unknown_name = c.unknown_name;
    out->n_warnings = parsed.n_warnings;
    out->warnings = CC_ARENA_ARRAY(a, cc_str, parsed.n_warnings + 1);
    for (size_t i = 0; i < parsed.n_warnings; i++) out->warnings[i] = parsed.warnings[i];
    cc_reals_clear(&c.r);
    return rc;
}

// ---- comparing two expressions ----

static int read_operator(cc_str text, cc_op *op, cc_error *err) {
    static const struct {
        const char *text;
        cc_op op;
    } ops[] = {
        {"==", CC_OP_EQ}, {"=", CC_OP_EQ},  {"!=", CC_OP_NE}, {"<>", CC_OP_NE}, {"≠", CC_OP_NE}, {">", CC_OP_GT},  {">=", CC_OP_GE},
        {"≥", CC_OP_GE},  {"=>", CC_OP_GE}, {"<", CC_OP_LT},  {"<=", CC_OP_LE}, {"≤", CC_OP_LE}, {"=<", CC_OP_LE},
    };
    text = cc_str_trim(text);
    for (size_t i = 0; i < CC_ARRAY_LEN(ops); i++)
        if (cc_str_eqz(text, ops[i].text)) {
            *op = ops[i].op;
            return 0;
        }
    return cc_error_set(err, CC_VALIDATION, "op: '%.*s' is not a comparison; use ==, !=, >, >=, < or <=", (int)(text.n < 40 ? text.n : 40),
                        text.p);
}

static int side(cc_calc *c, const char *field, cc_str text, cc_val *out) {
    cc_parsed parsed = {0}, *first = c->parsed;
    c->parsed = &parsed;
    int rc = cc_calc_run(c, text, out);
    for (size_t i = 0; i < parsed.n_warnings; i++)
        cc_parsed_warn(c->arena, first, "%s: %.*s", field, (int)parsed.warnings[i].n, parsed.warnings[i].p);
    c->parsed = first;
    if (rc) return cc_error_wrap(c->err, "%s", field);
    if (out->kind == CC_V_TRUTH && out->truth != CC_UNDECIDED) return cc_val_real(out, cc_real_si(&c->r, out->truth == CC_TRUE));
    if (out->kind != CC_V_NUMBER)
        return cc_error_set(c->err, CC_VALIDATION, "%s must be a number, not a list or an undecided comparison", field);
    return cc_val_settle(c, out);
}

// The form and, when it is not rational, the decimal of a number; without a form, the decimal stands for it.
static int describe(cc_calc *c, const cc_calc_options *opt, cc_val *v, cc_str *form, cc_str *approx) {
    cc_calc_result r = {0};
    if (v->im ? fill_complex(c, opt, v, &r) : fill_real(c, opt, v->re, &r)) return -1;
    *form = r.value.n ? r.value : r.approx;
    if (approx && r.grade && r.value.n) *approx = r.approx;
    return 0;
}

static int compare(cc_calc *c, const cc_calc_options *opt, cc_op op, cc_val *a, cc_val *b, cc_compare_result *out) {
    cc_val d;
    if (cc_calc_compare_values(c, op, a, b, &out->holds) || cc_val_sub(c, a, b, &d) || cc_val_settle(c, &d)) return -1;
    if (describe(c, opt, a, &out->a, NULL) || describe(c, opt, b, &out->b, NULL)) return -1;
    if (out->holds == CC_UNDECIDED) {
        out->note = cc_arena_printf(c->arena, UNDECIDED_NOTE, c->r.tried_bits);
        if (!d.im) out->difference = exact_form(c, d.re);
        return 0;
    }
    if (describe(c, opt, &d, &out->difference, &out->difference_approx)) return -1;
    if (out->holds == CC_TRUE || op == CC_OP_NE) return 0;
    cc_val gap;
    return cc_val_abs(c, &d, &gap) ? -1 : describe(c, opt, &gap, &out->shortfall, &out->shortfall_approx);
}

int cc_calc_compare(cc_arena *a, cc_str left, cc_str op_text, cc_str right, const cc_calc_options *opt, cc_compare_result *out,
                    cc_error *err) {
    cc_calc c;
    cc_parsed parsed = {0};
    cc_val x, y;
    cc_op op = CC_OP_EQ;
    *out = (cc_compare_result){0};
    *err = (cc_error){0};
    if (read_operator(op_text, &op, err)) return -1;
    out->op = cc_op_text(op);
    begin(&c, a, &parsed, opt, err);
    int rc = side(&c, "a", left, &x) || side(&c, "b", right, &y) ? -1 : compare(&c, opt, op, &x, &y, out);
    out->n_warnings = parsed.n_warnings;
    out->warnings = CC_ARENA_ARRAY(a, cc_str, parsed.n_warnings + 1);
    for (size_t i = 0; i < parsed.n_warnings; i++) out->warnings[i] = parsed.warnings[i];
    cc_reals_clear(&c.r);
    return rc;
}
