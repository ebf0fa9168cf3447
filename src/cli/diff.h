// Showing what changes between two texts. Private to src/cli.
#ifndef CODECALC_CLI_DIFF_H
#define CODECALC_CLI_DIFF_H

#include "cli/term.h"

// Prints the difference of two versions of path in the unified form, without lines of context: exactly the lines that change, since
// what stands around them may hold the secrets of other programs. Long lines are cut down to the part that changes.
void cc_diff_print(cc_term *t, const char *path, cc_str before, cc_str after);

#endif
