// The table of grammars linked into this program: name and entry point. Called by the analysis and by `codecalc version`.
// The tables behind them are constant data, paged in when used.
#include "codecalc/analyze.h"

const TSLanguage *tree_sitter_awk(void);
const TSLanguage *tree_sitter_bash(void);
const TSLanguage *tree_sitter_c(void);
const TSLanguage *tree_sitter_c_sharp(void);
const TSLanguage *tree_sitter_cpp(void);
const TSLanguage *tree_sitter_elixir(void);
const TSLanguage *tree_sitter_erlang(void);
const TSLanguage *tree_sitter_fortran(void);
const TSLanguage *tree_sitter_gleam(void);
const TSLanguage *tree_sitter_go(void);
const TSLanguage *tree_sitter_haskell(void);
const TSLanguage *tree_sitter_java(void);
const TSLanguage *tree_sitter_javascript(void);
const TSLanguage *tree_sitter_jq(void);
const TSLanguage *tree_sitter_json(void);
const TSLanguage *tree_sitter_kotlin(void);
const TSLanguage *tree_sitter_lua(void);
const TSLanguage *tree_sitter_perl(void);
const TSLanguage *tree_sitter_php(void);
const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_r(void);
const TSLanguage *tree_sitter_ruby(void);
const TSLanguage *tree_sitter_rust_orchard(void); // the name that its package exports
const TSLanguage *tree_sitter_sql(void);
const TSLanguage *tree_sitter_swift(void);
const TSLanguage *tree_sitter_tcl(void);
const TSLanguage *tree_sitter_tsx(void);
const TSLanguage *tree_sitter_typescript(void);
const TSLanguage *tree_sitter_zig(void);

const cc_grammar cc_grammars[] = {
    {"awk", tree_sitter_awk},
    {"bash", tree_sitter_bash},
    {"c", tree_sitter_c},
    {"c_sharp", tree_sitter_c_sharp},
    {"cpp", tree_sitter_cpp},
    {"elixir", tree_sitter_elixir},
    {"erlang", tree_sitter_erlang},
    {"fortran", tree_sitter_fortran},
    {"gleam", tree_sitter_gleam},
    {"go", tree_sitter_go},
    {"haskell", tree_sitter_haskell},
    {"java", tree_sitter_java},
    {"javascript", tree_sitter_javascript},
    {"jq", tree_sitter_jq},
    {"json", tree_sitter_json},
    {"kotlin", tree_sitter_kotlin},
    {"lua", tree_sitter_lua},
    {"perl", tree_sitter_perl},
    {"php", tree_sitter_php},
    {"python", tree_sitter_python},
    {"r", tree_sitter_r},
    {"ruby", tree_sitter_ruby},
    {"rust", tree_sitter_rust_orchard},
    {"sql", tree_sitter_sql},
    {"swift", tree_sitter_swift},
    {"tcl", tree_sitter_tcl},
    {"tsx", tree_sitter_tsx},
    {"typescript", tree_sitter_typescript},
    {"zig", tree_sitter_zig},
    {"zsh", tree_sitter_bash}, // the zsh grammar that can be had does not parse `echo hi`; this one parses what the shells share
};
const size_t cc_grammars_count = sizeof cc_grammars / sizeof *cc_grammars;

// The runtime does not tell its version; this is the one that scripts/deps.sh builds (a test compares the two).
const char *cc_analyze_parser_version(void) { return "0.27.1"; }
