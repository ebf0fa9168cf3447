// physical_constants: CODATA 2022 by name.
#include "codecalc/constants.h"
#include "codecalc/rational.h"
#include "codecalc/tools.h"

static const cc_param params[] = {
    {"name", CC_STRING, .max_len = 200, .doc = "Symbol or words, e.g. 'm_e', 'proton mass'; omit for the usual ones"},
    {0},
};

static const cc_field result[] = {
    {"name", "string", false, "The short name, or CODATA's"},
    {"description", "string", false, "As an equation"},
    {"value", "number|string", false, "In unit; a string where a JSON number would lose digits"},
    {"uncertainty", "number|string", false, "Standard uncertainty, in unit, of a measured constant"},
    {"unit", "string", false, "As convert_units reads it; absent for a plain number"},
    {"exact", "boolean", false, "true: fixed by definition, without uncertainty"},
    {"exact_value", "string", false, "Of an exact constant whose decimal does not end, so that value is rounded; calc_exact reads most"},
    {"symbol", "string", false, "Usual symbol"},
    {"source", "string", false, "Who recommends or defines the value"},
    {"constants", "object[]", false,
     "Several: name and value, with the uncertainty of its last digits in parentheses where name was given"},
    {"more", "integer", false, "Further constants that match"},
    {0},
};

// A decimal as a JSON number where a double carries every digit of it, else as a string. A constant without an end is rounded.
static void write_decimal(cc_jw *w, const char *key, const char *text, bool rounded) {
    CC_CLEANUP_BUF cc_buf nearest = {0};
    fmpq_t x, back;
    fmpq_init(x);
    fmpq_init(back);
    cc_error unused;
    cc_rational_parse(x, cc_str_of(text), 400, key, &unused);
    cc_rational_nearest(&nearest, x);
    bool big = fmpz_is_one(fmpq_denref(x)) && fmpz_cmpabs(fmpq_numref(x), (fmpz[]){WORD(1) << 53}) > 0 && !strchr(text, 'e');
    bool holds = rounded || (!big && cc_rational_parse(back, cc_buf_str(&nearest), 400, key, &unused) == 0 && fmpq_equal(x, back));
    if (holds)
        cc_jw_kraw(w, key, cc_buf_str(&nearest));
    else
        cc_jw_kstringz(w, key, text);
    fmpq_clear(x);
    fmpq_clear(back);
}

static void write_one(cc_jw *w, const cc_known_constant *known, const cc_constant *c) {
    bool exact = !*c->uncertainty;
    cc_jw_kstringz(w, "name", known ? known->name : c->name);
    if (known) {
        CC_CLEANUP_BUF cc_buf text = {0};
        cc_constant_describe(&text, known);
        cc_jw_kstring(w, "description", cc_buf_str(&text));
    }
    write_decimal(w, "value", c->value, *c->formula);
    if (!exact) write_decimal(w, "uncertainty", c->uncertainty, false);
    if (*c->unit) cc_jw_kstringz(w, "unit", c->unit);
    cc_jw_kbool(w, "exact", exact);
    if (*c->formula) cc_jw_kstringz(w, "exact_value", c->formula);
    if (known) cc_jw_kstringz(w, "symbol", known->symbol);
    cc_jw_kstringz(w, "source", known && known->source ? known->source : "CODATA 2022");
}

static void write_row(cc_jw *w, const char *name, cc_str value) {
    cc_jw_object(w);
    cc_jw_kstringz(w, "name", name);
    cc_jw_kstring(w, "value", value);
    cc_jw_end_object(w);
}

static void write_usual(cc_jw *w) {
    cc_jw_key(w, "constants");
    cc_jw_array(w);
    for (const cc_known_constant *k = cc_known_constants; k->name; k++) {
        if (!k->listed) continue;
        CC_CLEANUP_BUF cc_buf text = {0};
        cc_constant_describe(&text, k);
        write_row(w, k->name, cc_buf_str(&text));
    }
    cc_jw_end_array(w);
}

static int run(cc_call *call, cc_error *err) {
    cc_jw *w = &call->out;
    if (!cc_str_trim(cc_arg_text(call, "name")).n) return write_usual(w), 0;
    cc_constant_search s;
    if (cc_constants_search(cc_arg_text(call, "name"), &s, err)) return -1;
    if (s.found) return write_one(w, s.known, s.found), 0;
    cc_jw_key(w, "constants");
    cc_jw_array(w);
    for (size_t i = 0; i < s.n; i++) {
        CC_CLEANUP_BUF cc_buf text = {0};
        cc_constant_print(&text, s.matches[i]);
        write_row(w, s.matches[i]->name, cc_buf_str(&text));
    }
    cc_jw_end_array(w);
    if (s.total > s.n) cc_jw_kint(w, "more", (int64_t)(s.total - s.n));
    return 0;
}

const cc_tool cc_tool_physical_constants = {
    .name = "physical_constants",
    .group = CC_CALCULATOR,
    .title = "Physical Constants",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "CODATA 2022 constants by name: value, uncertainty, unit.",
    .params = params,
    .result = result,
    .run = run,
};
