// calc_exact: literal arithmetic, exactly.
#include "codecalc/math.h"
#include "codecalc/tools.h"

static const cc_param params[] = {
    {"expr", CC_STRING, .required = true, .max_len = 20000, .doc = "e.g. 'comb(52,5)', '0.1+0.2 == 0.3'"},
    {"digits", CC_INT, .min = 1, .max = CC_CALC_MAX_DIGITS, .clamp = true, .def = "30", .doc = "of approx"},
    {0},
};

static const cc_field result[] = {
    {"value", "string|boolean|null", false, "Exact form ('1/3', 'sqrt(2)'); true or false; null when a comparison is undecided"},
    {"approx", "string", false, "Decimal, correctly rounded"},
    {"exact", "boolean", true, "value is the exact value"},
    {"differs_from_decimal", "boolean", false, "true when approx is rounded"},
    {"type", "string", true, "rational, irrational, real (irrational or not: unknown), complex, bool, list or factorization"},
    {"grade", "string", false, "certified: an enclosure proves every digit of approx"},
    {"digits_count", "integer", false, "Digits of a long integer"},
    {"note", "string", false, "Why value or approx is missing"},
    {0},
};

// An expression with symbols belongs to another tool, when that is there.
static void send_elsewhere(cc_call *call, const cc_calc_result *r, cc_error *err) {
    if (!r->unknown_name.n || !cc_tools_find(CC_STR("evaluate_expression"))) return;
    cc_error_remedy(err, "for an expression with symbols call evaluate_expression");
    CC_CLEANUP_BUF cc_buf b = {0};
    cc_jw w = cc_jw_make(&b);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "tool", "evaluate_expression");
    cc_jw_key(&w, "arguments");
    cc_jw_object(&w);
    cc_jw_kstring(&w, "expression", cc_arg_text(call, "expr"));
    cc_jw_end_object(&w);
    cc_jw_end_object(&w);
    if (b.n >= sizeof err->next) return;
    memcpy(err->next, b.p, b.n);
    err->next[b.n] = '\0';
}

static int run(cc_call *call, cc_error *err) {
    cc_calc_options opt = {.digits = (long)cc_arg_int(call, "digits"), .stop = call->stop};
    cc_calc_result r;
    if (cc_calc_eval(call->arena, cc_arg_text(call, "expr"), &opt, &r, err)) {
        send_elsewhere(call, &r, err);
        return -1;
    }
    cc_jw *w = &call->out;
    if (strcmp(r.type, "bool") == 0) {
        cc_jw_key(w, "value");
        if (r.truth == CC_UNDECIDED)
            cc_jw_null(w);
        else
            cc_jw_bool(w, r.truth == CC_TRUE);
    } else if (r.value.n) {
        cc_jw_kstring(w, "value", r.value);
    }
    if (r.approx.n) cc_jw_kstring(w, "approx", r.approx);
    cc_jw_kbool(w, "exact", r.exact);
    if (r.differs) cc_jw_kbool(w, "differs_from_decimal", true);
    cc_jw_kstringz(w, "type", r.type);
    if (r.grade) cc_jw_kstringz(w, "grade", r.grade);
    if (r.digits_count) cc_jw_kint(w, "digits_count", (int64_t)r.digits_count);
    if (r.note.n) cc_jw_kstring(w, "note", r.note);
    for (size_t i = 0; i < r.n_warnings; i++) cc_call_warn(call, "%.*s", (int)r.warnings[i].n, r.warnings[i].p);
    return 0;
}

const cc_tool cc_tool_calc_exact = {
    .name = "calc_exact",
    .group = CC_CALCULATOR,
    .title = "Calc Exact",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT | CC_ALWAYS_LOAD,
    .doc = "Exact arithmetic without symbols: use before asserting any computed number. Fractions, big integers, sqrt(2) and pi kept "
           "exact, decimals certified, comparisons decided. ** power, ^ xor; 100!, 5%, gcd, is_prime, factor, powmod.",
    .params = params,
    .result = result,
    .run = run,
};
