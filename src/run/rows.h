// The rows of the table of languages, one constant each, by family: rows_script.c, rows_web.c, rows_native.c, rows_managed.c.
#ifndef CODECALC_RUN_ROWS_H
#define CODECALC_RUN_ROWS_H

#include "codecalc/run.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

// In the environment of programs that have threads of their own and a limit of address space: each arena of glibc reserves 64 MiB of it,
// and eight a core would leave them no room.
#define FEW_ARENAS "MALLOC_ARENA_MAX=2"

// Compilers built on GCC, and libstdc++, say these when a limit refuses them memory.
#define GCC_OUT_OF_MEMORY "out of memory allocating", "virtual memory exhausted"

// rows_script.c: interpreters
extern const cc_language cc_row_python3, cc_row_ruby, cc_row_php, cc_row_perl, cc_row_lua, cc_row_tcl, cc_row_r, cc_row_bash, cc_row_zsh,
    cc_row_sqlite, cc_row_jq, cc_row_awk;
// rows_web.c: what runs on a JavaScript engine
extern const cc_language cc_row_node, cc_row_bun, cc_row_deno, cc_row_typescript, cc_row_gleam;
// rows_native.c: compiled to machine code
extern const cc_language cc_row_c, cc_row_cpp, cc_row_rust, cc_row_go, cc_row_fortran, cc_row_zig, cc_row_haskell, cc_row_mojo,
    cc_row_swift;
// rows_managed.c: compiled for a virtual machine
extern const cc_language cc_row_java, cc_row_kotlin, cc_row_csharp, cc_row_erlang, cc_row_elixir;

#endif
