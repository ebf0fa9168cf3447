// What the tools of symbolic mathematics tell beside the answer, in one order and under one set of names. Called by these tools at their
// ends. Mathematics is above in none of it: src/math decides what there is to tell.
#include "codecalc/algebra.h"
#include "codecalc/tools.h"

void cc_call_tell_about(cc_call *call, const cc_algebra_about *about) {
    cc_jw *w = &call->out;
    if (about->grade) cc_jw_kstringz(w, "grade", about->grade);
    if (about->basis) cc_jw_kstringz(w, "grade_basis", about->basis);
    cc_jw_kstrings(w, "conditions", about->conditions, about->n_conditions);
    cc_jw_kstrings(w, "notes", about->notes, about->n_notes);
    for (size_t i = 0; i < about->n_warnings; i++) cc_call_warn(call, "%.*s", (int)about->warnings[i].n, about->warnings[i].p);
}
