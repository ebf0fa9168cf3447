// How compilers and runtimes write their errors: data for diagnostics.c, one list of line patterns a family.
#ifndef CODECALC_RUN_FORMATS_H
#define CODECALC_RUN_FORMATS_H

#include <stdbool.h>

typedef enum cc_line_role {
    CC_LINE_END = 0,    // ends a list
    CC_LINE_WHOLE,      // place and message, or a message that has no place
    CC_LINE_MESSAGE,    // a message; its place is the last before it or, better, the first after it
    CC_LINE_MAYBE,      // the same, if no other line comes before a CC_LINE_HOLD
    CC_LINE_HOLD,       // what came last is the message
    CC_LINE_PLACE,      // a place
    CC_LINE_PLACE_THEN, // a place; the next line that is not empty is the message
    CC_LINE_REPORT,     // a report begins
    CC_LINE_CHAIN,      // the next report is what came of those before
    CC_LINE_IGNORE,
} cc_line_role;

// In a pattern, which matches a whole line without the space at its end:
//   %F one of the program's own files, %f any file beside it (both with or without the work directory or file:// before them), %l its
//   line, %c its column, %o its column counted from 0, %m the message, %( what follows is the message, %& what follows belongs to it too,
//   %p a procedure that %l is counted from, %w letters, %s space, %_ anything; everything else is itself.
typedef struct cc_line_pattern {
    cc_line_role role;
    const char *severity; // NULL = "error"
    const char *text;
} cc_line_pattern;

typedef struct cc_format {
    const char *name;
    const cc_line_pattern *lines;
    bool mark;             // a line with a ^ below the source tells the column
    bool mark_moved;       // … below the source without its indentation
    bool place_first;      // a message comes after its place, the last report being that of the end
    bool bars;             // reports inside others have bars before their lines
    const char *procedure; // the word that defines one, for %p; that or parentheses behind the name
    int procedure_from;    // what to add to the number of its line
} cc_format;

// NULL when there is no such format.
const cc_format *cc_format_find(const char *name);

#endif
