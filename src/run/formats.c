// The formats of errors that diagnostics.c reads, from the messages of real tools (tests/unit/test_diagnostics.c has them). Data only.
#include <string.h>

#include "codecalc/base.h"
#include "run/formats.h"

#define W CC_LINE_WHOLE
#define M CC_LINE_MESSAGE
#define P CC_LINE_PLACE
#define T CC_LINE_PLACE_THEN
#define I CC_LINE_IGNORE
#define LIST (const cc_line_pattern[])

#define GCC                                                                                                                    \
    {W, NULL, "%f:%l:%c: fatal error: %m"}, {W, NULL, "%f:%l:%c: error: %m"}, {W, "warning", "%f:%l:%c: warning: %m"},         \
        {W, NULL, "%f:%l: error: %m"}, {W, "warning", "%f:%l: warning: %m"}, {W, NULL, "%_: %(undefined reference to %_"}

static const cc_format formats[] = {
    {"gcc", LIST{GCC, {0}}},
    {"swift", LIST{GCC, {M, NULL, "%_Fatal error: %m"}, {M, NULL, "*** Program crashed: %m"}, {P, NULL, "%_ at %F:%l:%c"}, {P, NULL, "%_ at %F:%l"}, {0}}},
    {"python", LIST{{P, NULL, "  File \"%F\", line %l"}, {P, NULL, "  File \"%F\", line %l, in %_"}, {I, NULL, "Traceback %_"},
                    {I, NULL, "During handling %_"}, {I, NULL, "The above exception %_"}, {I, NULL, " %_"}, {M, NULL, "%(%_"}, {0}},
     .mark = true, .mark_moved = true, .last = true},
    // Node.js, Deno, Bun, and the loaders of TypeScript
    {"javascript", LIST{{P, NULL, "%F:%l"}, {W, NULL, "%F:%l:%o: ERROR: %m"},
                        {P, NULL, "%sat %_(%F:%l:%c)"}, {P, NULL, "%sat %F:%l:%c"}, {P, NULL, "%sat async %F:%l:%c"},
                        {M, NULL, "error: Uncaught (in promise) %m"}, {M, NULL, "error: Uncaught %m"}, {M, NULL, "error: %m"},
                        {M, NULL, "%(%wError: %_"}, {M, NULL, "%(%wError [%w]: %_"}, {M, NULL, "%(%wError"}, {M, NULL, "Uncaught %m"}, {0}},
     .mark = true},
    {"ruby", LIST{{W, NULL, "%f:%l:in `%_': %m"}, {W, NULL, "%f:%l:in '%_': %m"}, {W, "warning", "%f:%l: warning: %m"}, {W, NULL, "%f:%l: %m"},
                  {M, NULL, "/%_:%_:in %_': %m"}, {P, NULL, "%sfrom %F:%l:in %_"}, {0}}},
    {"php", LIST{{W, NULL, "%_arse error: %m in %F on line %l"}, {W, NULL, "%_atal error: Uncaught %m in %F:%l"},
                 {W, NULL, "%_atal error: %m in %F on line %l"}, {W, "warning", "%_arning: %m in %F on line %l"}, {0}}},
    {"perl", LIST{{W, NULL, "%m at %F line %l."}, {W, NULL, "%m at %F line %l, %_"}, {0}}},
    {"lua", LIST{{W, NULL, "%_: %F:%l: %m"}, {0}}},
    {"tcl", LIST{{P, NULL, "%s(file \"%F\" line %l)"}, {I, NULL, " %_"}, {CC_LINE_FIRST, NULL, "%m"}, {0}}},
    {"r", LIST{{W, NULL, "Error: %F:%l:%c: %m"}, {P, NULL, "%sat %F:%l:%c"}, {M, NULL, "Error in %_ : %m"}, {M, NULL, "Error: %m"}, {0}}},
    {"bash", LIST{{I, NULL, "%F: line %l: `%_"}, {W, NULL, "%F: line %l: %m"}, {W, NULL, "%F: %w substitution: line %l: %m"}, {0}}},
    {"zsh", LIST{{W, NULL, "%F:%l: %m"}, {0}}},
    {"rust", LIST{{T, NULL, "thread '%_' (%_) panicked at %F:%l:%c:"}, {T, NULL, "thread '%_' panicked at %F:%l:%c:"},
                  {W, NULL, "thread '%_' panicked at '%m', %F:%l:%c"}, {P, NULL, "%s--> %f:%l:%c"},
                  {M, NULL, "error[%_]: %m"}, {M, NULL, "error: %m"}, {M, "warning", "warning: %m"}, {0}}},
    {"go", LIST{{W, NULL, "%f:%l:%c: %m"}, {P, NULL, "%s%F:%l +%_"}, {P, NULL, "%s%F:%l"}, {M, NULL, "panic: %m"}, {M, NULL, "fatal error: %m"}, {0}}},
    {"fortran", LIST{{P, NULL, "%f:%l:%c:"}, {P, NULL, "At line %l of file %f"}, {P, NULL, "At line %l of file %f %_"}, {M, NULL, "Error: %m"},
                     {M, NULL, "Fatal Error: %m"}, {M, "warning", "Warning: %m"}, {M, NULL, "Fortran runtime error: %m"},
                     {W, NULL, "%_: %(undefined reference to %_"}, {0}}},
    {"zig", LIST{{W, NULL, "%f:%l:%c: error: %m"}, {P, NULL, "%F:%l:%c: 0x%_"}, {M, NULL, "thread %_ panic: %m"}, {M, NULL, "panic: %m"}, {M, NULL, "error: %m"}, {0}}},
    {"ghc", LIST{{T, NULL, "%f:%l:%c: error: [%_]"}, {W, NULL, "%f:%l:%c: error: %m"}, {T, NULL, "%f:%l:%c: error:"},
                 {T, NULL, "%f:(%l,%c)-%_: error:%_"}, {T, NULL, "%f:%l:%c-%_: error:%_"}, {T, "warning", "%f:%l:%c: warning:%_"},
                 {P, NULL, "%_called at %F:%l:%c in %_"}, {M, NULL, "main: %m"}, {0}}},
    {"java", LIST{{W, NULL, "%f:%l: error: %m"}, {W, "warning", "%f:%l: warning: %m"}, {P, NULL, "%sat %_(%F:%l)"},
                  {M, NULL, "Exception in thread \"%_\" %m"}, {M, NULL, "Caused by: %m"}, {0}},
     .mark = true},
    {"kotlin", LIST{GCC, {P, NULL, "%sat %_(%F:%l)"}, {M, NULL, "Exception in thread \"%_\" %m"}, {M, NULL, "Caused by: %m"}, {0}}},
    {"csharp", LIST{{W, NULL, "%f(%l,%c): error %m"}, {W, "warning", "%f(%l,%c): warning %m"}, {P, NULL, "%_ in %F:%l"}, {P, NULL, "%_ in %F:line %l"},
                    {M, NULL, "[ERROR] FATAL UNHANDLED EXCEPTION: %m"}, {M, NULL, "Unhandled exception. %m"}, {0}}},
    {"erlang", LIST{{W, "warning", "%f:%l:%c: Warning: %m"}, {W, "warning", "%f:%l: Warning: %m"}, {W, NULL, "%f:%l:%c: %m"}, {W, NULL, "%f:%l: %m"},
                    {P, NULL, "%_(%F, line %l)"}, {M, NULL, "exception error: %m"}, {M, NULL, "exception %(exit: %_"}, {M, NULL, "exception %(throw: %_"}, {0}}},
    {"elixir", LIST{{W, NULL, "** (%_) %f:%l:%c: %m"}, {W, NULL, "** (%_) %f:%l: %m"}, {T, NULL, "** (%_) %_ on %f:%l:%c:"}, {P, NULL, "%s%F:%l: %_"},
                    {P, NULL, "%s└─ %f:%l:%c%_"}, {P, NULL, "%s└─ %f:%l:%c"}, {P, NULL, "%s└─ %f:%l%_"}, {M, NULL, "** %(%_"}, {M, NULL, "%serror: %m"},
                    {M, "warning", "%swarning: %m"}, {0}}},
    {"gleam", LIST{{P, NULL, "%s┌─ %f:%l:%c"}, {P, NULL, "%sat %_(%f:%l)"}, {M, NULL, "error: %m"}, {M, "warning", "warning: %m"}, {0}}},
    {"sqlite", LIST{{W, NULL, "%w error near line %l: %m"}, {W, NULL, "Error: near line %l: %m"}, {0}}},
    {"jq", LIST{{W, NULL, "jq: error: %m at <top-level>, line %l:"}, {W, NULL, "jq: error: %m at <top-level>, line %l, column %c:"},
                {W, NULL, "jq: error (at %_): %m"}, {0}}},
    {"awk", LIST{{W, NULL, "%w: %F:%l: %_^ %m"}, {W, NULL, "%w: %F:%l: fatal: %m"}, {W, NULL, "%w: %F:%l: error: %m"},
                 {W, NULL, "%w: %F:%l: (%_) fatal: %m"}, {W, NULL, "%w: %F:%l: (%_) error: %m"}, {W, "warning", "%w: %F:%l: warning: %m"},
                 {W, NULL, "%w: %F: line %l: %m"}, {0}}},
};

const cc_format *cc_format_find(const char *name) {
    for (size_t i = 0; i < CC_ARRAY_LEN(formats); i++)
        if (!strcmp(name, formats[i].name)) return &formats[i];
    return NULL;
}
