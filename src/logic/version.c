// The version of the solver, asked of the solver itself. Called by `codecalc version`. Owns one static string.
#include <stdio.h>
#include <z3.h>

#include "codecalc/logic.h"

const char *cc_logic_solver_version(void) {
    static char text[48];
    unsigned major, minor, build, revision;
    Z3_get_version(&major, &minor, &build, &revision);
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, build);
    return text;
}
