// The files of src/harness inside the program; the assembler reads them (the Makefile makes this object depend on them). Called by nobody:
// the rows of languages.c name the labels.
#define EMBED(label, file)                                                                                                                 \
    __asm__(".pushsection .rodata\n.global " #label "\n.global " #label "_end\n" #label ":\n.incbin \"" file "\"\n" #label "_end:\n"       \
            ".popsection\n")

EMBED(cc_harness_gleam, "src/harness/gleam.mjs");
EMBED(cc_harness_erlang, "src/harness/erlang.escript");
EMBED(cc_harness_r, "src/harness/r.R");
EMBED(cc_harness_python3, "src/harness/python3.py");
EMBED(cc_harness_node, "src/harness/node.cjs");
EMBED(cc_harness_ruby, "src/harness/ruby.rb");
EMBED(cc_harness_php, "src/harness/php.php");
EMBED(cc_harness_perl, "src/harness/perl.pm");
