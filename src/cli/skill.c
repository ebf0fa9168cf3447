// SKILL.md inside the program, so that setup can copy it without the source tree. Called by setup and doctor. The assembler reads
// the file (the compiler runs in the project's root); the Makefile makes this object depend on it.
#include "cli/commands.h"

__asm__(".pushsection .rodata\n"
        ".global cc_skill_begin_\n.global cc_skill_end_\n"
        "cc_skill_begin_:\n.incbin \"SKILL.md\"\ncc_skill_end_:\n"
        ".popsection\n");

extern const char cc_skill_begin_[], cc_skill_end_[];

// Both labels are of one block, the embedded file.
// cppcheck-suppress comparePointers
cc_str cc_skill_text(void) { return (cc_str){cc_skill_begin_, (size_t)(cc_skill_end_ - cc_skill_begin_)}; }
