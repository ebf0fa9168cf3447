// What is written to a terminal: colour, marks, width, progress. Private to src/cli.
#ifndef CODECALC_CLI_TERM_H
#define CODECALC_CLI_TERM_H

#include "codecalc/base.h"
#include "codecalc/json.h"

typedef enum cc_mark { CC_MARK_OK, CC_MARK_WARNING, CC_MARK_PROBLEM } cc_mark;
typedef enum cc_style { CC_PLAIN, CC_BOLD, CC_DIM, CC_RED, CC_GREEN, CC_YELLOW, CC_BLUE } cc_style;

// Text on its way to one descriptor; written by flush, in one piece.
typedef struct cc_term {
    int fd;
    bool terminal, smart, colour, utf8; // smart: it understands escape sequences
    bool progress;                      // a line of progress stands there
    unsigned width;                     // columns
    cc_buf out;
} cc_term;

// Colour only on a terminal whose TERM is not dumb, and not when NO_COLOR is set; UTF-8 marks when the locale says so.
cc_term cc_term_open(int fd);
// Writes what was collected. A closed pipe ends the output quietly; anything else is said, once.
void cc_term_flush(cc_term *t);
// Whether something could not be written, for the exit status.
bool cc_term_failed(void);
void cc_term_free(cc_term *t);
void cc_cleanup_term_(cc_term *t);
#define CC_CLEANUP_TERM __attribute__((cleanup(cc_cleanup_term_)))

void cc_term_text(cc_term *t, cc_style style, const char *fmt, ...) CC_PRINTF(3, 4);
void cc_term_heading(cc_term *t, const char *title);
// "  ✓ ok       text", the mark and its word in colour, wrapped at the width.
void cc_term_finding(cc_term *t, cc_mark mark, const char *fmt, ...) CC_PRINTF(3, 4);
// What belongs to a finding: indented under it, wrapped at the width.
void cc_term_under(cc_term *t, const char *label, const char *text);
// A sentence or two, wrapped at the width.
void cc_term_prose(cc_term *t, const char *text);
// A JSON value over several lines, indented by two blanks a level, keys in colour.
void cc_term_json(cc_term *t, const cc_json *value);

// One line on a smart terminal that the next one replaces; nothing elsewhere. NULL takes it away.
void cc_term_progress(cc_term *t, const char *fmt, ...) CC_PRINTF(2, 3);

#endif
