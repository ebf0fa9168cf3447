// Static analysis of source text: the grammars in this program. Called by tools and, for the list, by the command line.
#ifndef CODECALC_ANALYZE_H
#define CODECALC_ANALYZE_H

#include <stddef.h>

typedef struct TSLanguage TSLanguage; // of <tree_sitter/api.h>

typedef struct cc_grammar {
    const char *name; // of the grammar: "python", "c_sharp"
    const TSLanguage *(*language)(void);
} cc_grammar;

extern const cc_grammar cc_grammars[]; // sorted by name
extern const size_t cc_grammars_count;

// Version of the tree-sitter runtime in this program. Static.
const char *cc_analyze_parser_version(void);

#endif
