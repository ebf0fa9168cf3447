// algebraic_equiv: are two expressions identical?
#include "codecalc/algebra.h"
#include "codecalc/tools.h"

static const cc_param params[] = {
    {"a", CC_STRING, .required = true, .max_len = 10000},
    {"b", CC_STRING, .required = true, .max_len = 10000},
    {"assume", CC_STRING, .max_len = 1000, .doc = "'x>0, n integer'"},
    {"timeout", CC_INT, .min = 1, .max = 60, .clamp = true, .def = "5", .unlisted = true},
    {0},
};

static const cc_field result[] = {
    {"a", "string", true, "Canonical form"},
    {"b", "string", true, "Canonical form"},
    {"identical", "boolean|null", true, "Wherever both are defined; null: not decided, see note"},
    {"difference", "string", true, "a - b, simplified"},
    {"conditions", "string[]", false, "Outside of these only one of the two is defined"},
    {"witness", "object", false, "Values at a point where they differ: at (symbol: value), a, b"},
    {"identical_if", "string", false, "An assumption under which they are identical"},
    {"grade", "string", false, "exact: proven identical; certified: enclosures at the witness lie apart"},
    {"grade_basis", "string", false, "What the grade rests on"},
    {"note", "string", false, "What was tried"},
    {0},
};

static void write_witness(cc_jw *w, const cc_equiv_result *r) {
    cc_jw_key(w, "witness");
    cc_jw_object(w);
    if (r->n_point) {
        cc_jw_key(w, "at");
        cc_jw_object(w);
        for (size_t i = 0; i < r->n_point; i++) {
            cc_jw_keys(w, r->point[i].symbol);
            cc_jw_string(w, r->point[i].value);
        }
        cc_jw_end_object(w);
    }
    cc_jw_kstring(w, "a", r->value_a);
    cc_jw_kstring(w, "b", r->value_b);
    cc_jw_end_object(w);
}

static void write_note(cc_jw *w, const cc_algebra_about *about) {
    CC_CLEANUP_BUF cc_buf b = {0};
    for (size_t i = 0; i < about->n_notes; i++) cc_buf_printf(&b, "%s%.*s", i ? "; " : "", (int)about->notes[i].n, about->notes[i].p);
    if (b.n) cc_jw_kstring(w, "note", cc_buf_str(&b));
}

static int run(cc_call *call, cc_error *err) {
    int64_t soft = cc_now_ms() + 1000 * cc_arg_int(call, "timeout");
    cc_algebra_options opt = {
        .assume = cc_arg_text(call, "assume"), .deadline_ms = soft < call->deadline_ms ? soft : call->deadline_ms, .stop = call->stop};
    cc_equiv_result r;
    if (cc_algebra_equiv(call->arena, cc_arg_text(call, "a"), cc_arg_text(call, "b"), &opt, &r, err)) return -1;
    cc_jw *w = &call->out;
    cc_jw_kstring(w, "a", r.a);
    cc_jw_kstring(w, "b", r.b);
    cc_jw_key(w, "identical");
    if (r.identical == CC_UNDECIDED)
        cc_jw_null(w);
    else
        cc_jw_bool(w, r.identical == CC_TRUE);
    cc_jw_kstring(w, "difference", r.difference);
    if (r.value_a.n) write_witness(w, &r);
    if (r.identical_if.n) cc_jw_kstring(w, "identical_if", r.identical_if);
    write_note(w, &r.about);
    r.about.n_notes = 0; // told
    cc_call_tell_about(call, &r.about);
    return 0;
}

static unsigned deadline(const cc_args *args) { return (unsigned)(1000 * cc_arg(args, "timeout")->i) + 100; }

const cc_tool cc_tool_algebraic_equiv = {
    .name = "algebraic_equiv",
    .group = CC_VERIFICATION,
    .title = "Algebraic Equiv",
    .where = CC_SEALED,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .doc = "Are two expressions identical: proven, or refuted by a point. Excluded points are named. Not about floats.",
    .params = params,
    .result = result,
    .run = run,
    .deadline_ms = deadline,
};
