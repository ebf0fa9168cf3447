// Reading errors: messages of the real tools, as they were written, and what must be understood of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/run.h"

static cc_arena arena;

typedef struct sample {
    const char *format, *file;
    int line, column;
    const char *message, *text;
} sample;

// The first error of each. Python 3.11, Node.js 20, Bun 1.4, Deno 2.9, tsx 4, Ruby 3.1, PHP 8.2, Perl 5.36, Lua 5.4, Tcl 8.6, R 4.2,
// bash 5.2, zsh 5.9, GCC 12, rustc 1.95, Go 1.26, GHC 9.0, swiftc 6.0, JDK 17, kotlinc 2.4, Mono 6.8, OTP 25, Elixir 1.14, Gleam 0.30,
// SQLite 3.40, jq 1.6, gawk 5.2, Zig 0.17, Mojo 1.2.
static const sample samples[] = {
    {"python", "main.py", 2, 7, "SyntaxError: invalid syntax",
     "  File \"/box/main.py\", line 2\n"
     "    def f(:\n"
     "          ^\n"
     "SyntaxError: invalid syntax\n"},
    {"python", "main.py", 2, 0, "ZeroDivisionError: integer division or modulo by zero",
     "Traceback (most recent call last):\n"
     "  File \"/box/main.py\", line 5, in <module>\n"
     "    f(0)\n"
     "  File \"/box/main.py\", line 2, in f\n"
     "    return 1 // x\n"
     "           ~~^^~~\n"
     "ZeroDivisionError: integer division or modulo by zero\n"},
    {"javascript", "main.js", 2, 11, "SyntaxError: Unexpected token '='",
     "/box/main.js:2\n"
     "const y = = 2\n"
     "          ^\n"
     "\n"
     "SyntaxError: Unexpected token '='\n"
     "    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n"
     "    at Module._compile (node:internal/modules/cjs/loader:1495:20)\n"
     "    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)\n"
     "    at Module.load (node:internal/modules/cjs/loader:1266:32)\n"
     "    at Module._load (node:internal/modules/cjs/loader:1091:12)\n"
     "    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)\n"
     "    at node:internal/main/run_main_module:28:49\n"
     "\n"
     "Node.js v20.20.2\n"},
    {"javascript", "main.js", 2, 14, "TypeError: Cannot read properties of undefined (reading 'z')",
     "/box/main.js:2\n"
     "  return x.y.z\n"
     "             ^\n"
     "\n"
     "TypeError: Cannot read properties of undefined (reading 'z')\n"
     "    at f (/box/main.js:2:14)\n"
     "    at Object.<anonymous> (/box/main.js:5:1)\n"
     "    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n"
     "    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)\n"
     "    at Module.load (node:internal/modules/cjs/loader:1266:32)\n"
     "    at Module._load (node:internal/modules/cjs/loader:1091:12)\n"
     "    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)\n"
     "    at node:internal/main/run_main_module:28:49\n"
     "\n"},
    {"bun", "main.ts", 2, 11, "Unexpected =",
     "2 | const y = = 2\n"
     "              ^\n"
     "error: Unexpected =\n"
     "    at /box/main.ts:2:11\n"
     "\n"
     "Bun v1.4.5 (Linux x64)\n"},
    {"bun", "main.ts", 2, 12, "TypeError: undefined is not an object (evaluating 'x.y.z')",
     "1 | function f(x) {\n"
     "2 |   return x.y.z\n"
     "               ^\n"
     "TypeError: undefined is not an object (evaluating 'x.y.z')\n"
     "      at f (/box/main.ts:2:12)\n"
     "      at /box/main.ts:5:1\n"
     "\n"
     "Bun v1.4.5 (Linux x64)\n"},
    {"javascript", "main.ts", 2, 11, "SyntaxError: Expression expected",
     "error: SyntaxError: Expression expected\n"
     "  |\n"
     "2 | const y = = 2\n"
     "  |           ~\n"
     "    at file:///box/main.ts:2:11\n"},
    {"javascript", "main.ts", 2, 14, "TypeError: Cannot read properties of undefined (reading 'z')",
     "error: Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'z')\n"
     "  return x.y.z\n"
     "             ^\n"
     "    at f (file:///box/main.ts:2:14)\n"
     "    at file:///box/main.ts:5:1\n"},
    {"javascript", "main.ts", 2, 11, "Unexpected \"=\"",
     "node:internal/modules/run_main:123\n"
     "    triggerUncaughtException(\n"
     "    ^\n"
     "\n"
     "Error: Transform failed with 1 error:\n"
     "/box/main.ts:2:10: ERROR: Unexpected \"=\"\n"
     "    at failureErrorWithLog (/opt/rt/npm/node_modules/esbuild/lib/main.js:1752:15)\n"
     "    at /opt/rt/npm/node_modules/esbuild/lib/main.js:1019:50\n"
     "    at responseCallbacks.<computed> (/opt/rt/npm/node_modules/esbuild/lib/main.js:886:9)\n"
     "    at handleIncomingPacket (/opt/rt/npm/node_modules/esbuild/lib/main.js:941:12)\n"
     "    at Socket.readFromStdout (/opt/rt/npm/node_modules/esbuild/lib/main.js:864:7)\n"
     "    at Socket.emit (node:events:524:28)\n"
     "    at addChunk (node:internal/streams/readable:561:12)\n"
     "    at readableAddChunkPushByteMode (node:internal/streams/readable:512:3)\n"},
    {"javascript", "main.ts", 2, 14, "TypeError: Cannot read properties of undefined (reading 'z')",
     "/box/main.ts:2\n"
     "  return x.y.z\n"
     "             ^\n"
     "\n"
     "\n"
     "TypeError: Cannot read properties of undefined (reading 'z')\n"
     "    at f (/box/main.ts:2:14)\n"
     "    at <anonymous> (/box/main.ts:5:1)\n"
     "    at Object.<anonymous> (/box/main.ts:5:5)\n"
     "    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n"
     "    at Object.transformer (/opt/rt/npm/node_modules/tsx/dist/register-B1c7OH6V.cjs:22:2188)\n"
     "    at Module.load (node:internal/modules/cjs/loader:1266:32)\n"
     "    at Module._load (node:internal/modules/cjs/loader:1091:12)\n"
     "    at cjsLoader (node:internal/modules/esm/translators:298:15)\n"},
    {"ruby", "main.rb", 3, 0, "syntax error, unexpected '='",
     "main.rb:3: syntax error, unexpected '='\n"
     "  y = = 2\n"
     "      ^\n"},
    {"ruby", "main.rb", 2, 0, "divided by 0 (ZeroDivisionError)",
     "main.rb:2:in `/': divided by 0 (ZeroDivisionError)\n"
     "\tfrom main.rb:2:in `f'\n"
     "\tfrom main.rb:6:in `<main>'\n"},
    {"php", "main.php", 3, 0, "syntax error, unexpected token \"=\"",
     "Parse error: syntax error, unexpected token \"=\" in /box/main.php on line 3\n"},
    {"php", "main.php", 3, 0, "DivisionByZeroError: Division by zero",
     "Fatal error: Uncaught DivisionByZeroError: Division by zero in /box/main.php:3\n"
     "Stack trace:\n"
     "#0 /box/main.php(3): intdiv()\n"
     "#1 /box/main.php(6): f()\n"
     "#2 {main}\n"
     "  thrown in /box/main.php on line 3\n"},
    {"perl", "main.pl", 2, 0, "syntax error, near \"= =\"",
     "syntax error at main.pl line 2, near \"= =\"\n"
     "Execution of main.pl aborted due to compilation errors.\n"},
    {"perl", "main.pl", 2, 0, "Illegal division by zero", "Illegal division by zero at main.pl line 2.\n"},
    {"lua", "main.lua", 2, 0, "unexpected symbol near '='", "/usr/bin/lua5.4: main.lua:2: unexpected symbol near '='\n"},
    {"lua", "main.lua", 2, 0, "attempt to index a nil value (field 'y')",
     "/usr/bin/lua5.4: main.lua:2: attempt to index a nil value (field 'y')\n"
     "stack traceback:\n"
     "\tmain.lua:2: in local 'f'\n"
     "\tmain.lua:5: in main chunk\n"
     "\t[C]: in ?\n"},
    {"tcl", "main.tcl", 2, 0, "missing close-brace",
     "missing close-brace\n"
     "    while executing\n"
     "\"if {$x} {\"\n"
     "    (file \"main.tcl\" line 2)\n"},
    {"tcl", "main.tcl", 5, 0, "divide by zero",
     "divide by zero\n"
     "    while executing\n"
     "\"expr {1 / $x}\"\n"
     "    (procedure \"f\" line 2)\n"
     "    invoked from within\n"
     "\"f 0\"\n"
     "    (file \"main.tcl\" line 5)\n"},
    {"r", "main.R", 3, 3, "unexpected symbol",
     "Error: main.R:3:3: unexpected symbol\n"
     "2: y <- (2 +\n"
     "3: z z\n"
     "     ^\n"},
    {"r", "main.R", 2, 3, "no 0",
     "Error in f(0) : no 0\n"
     "  at main.R:2:3\n"},
    {"bash", "main.sh", 3, 0, "syntax error near unexpected token `)'",
     "main.sh: line 3: syntax error near unexpected token `)'\n"
     "main.sh: line 3: `  echo )'\n"},
    {"bash", "main.sh", 2, 0, "nosuchcommand: command not found", "main.sh: line 2: nosuchcommand: command not found\n"},
    {"zsh", "main.zsh", 4, 0, "parse error near `fi'", "main.zsh:4: parse error near `fi'\n"},
    {"zsh", "main.zsh", 2, 0, "command not found: nosuchcommand", "main.zsh:2: command not found: nosuchcommand\n"},
    {"gcc", "main.c", 3, 12, "‘x’ undeclared (first use in this function)",
     "main.c: In function ‘main’:\n"
     "main.c:3:12: error: ‘x’ undeclared (first use in this function)\n"
     "    3 |     return x;\n"
     "      |            ^\n"
     "main.c:3:12: note: each undeclared identifier is reported only once for each function it appears in\n"},
    {"gcc", "main.cpp", 2, 13, "invalid conversion from ‘const char*’ to ‘int’ [-fpermissive]",
     "main.cpp: In function ‘int main()’:\n"
     "main.cpp:2:13: error: invalid conversion from ‘const char*’ to ‘int’ [-fpermissive]\n"
     "    2 |     int x = \"a\";\n"
     "      |             ^~~\n"
     "      |             |\n"
     "      |             const char*\n"},
    {"rust", "main.rs", 2, 18, "mismatched types",
     "error[E0308]: mismatched types\n"
     " --> main.rs:2:18\n"
     "  |\n"
     "2 |     let x: i32 = \"a\";\n"
     "  |            ---   ^^^ expected `i32`, found `&str`\n"
     "  |            |\n"
     "  |            expected due to this\n"
     "\n"
     "error: aborting due to 1 previous error\n"
     "\n"
     "For more information about this error, try `rustc --explain E0308`.\n"},
    {"rust", "main.rs", 4, 21, "index out of bounds: the len is 0 but the index is 3",
     "\n"
     "thread 'main' (16) panicked at main.rs:4:21:\n"
     "index out of bounds: the len is 0 but the index is 3\n"
     "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"},
    {"go", "main.go", 4, 14, "cannot use \"a\" (untyped string constant) as int value in variable declaration",
     "# command-line-arguments\n"
     "./main.go:4:14: cannot use \"a\" (untyped string constant) as int value in variable declaration\n"},
    {"go", "main.go", 6, 0, "runtime error: index out of range [3] with length 0",
     "panic: runtime error: index out of range [3] with length 0\n"
     "\n"
     "goroutine 1 [running]:\n"
     "main.f(...)\n"
     "\t/box/main.go:6\n"
     "main.main()\n"
     "\t/box/main.go:11 +0x4c\n"},
    {"fortran", "main.f90", 3, 3, "Symbol ‘x’ at (1) has no IMPLICIT type",
     "main.f90:3:3:\n"
     "\n"
     "    3 |   x = 1\n"
     "      |   1\n"
     "Error: Symbol ‘x’ at (1) has no IMPLICIT type\n"},
    {"fortran", "main.f90", 6, 0, "End of file",
     "At line 6 of file main.f90 (unit = 5, file = 'stdin')\n"
     "Fortran runtime error: End of file\n"
     "\n"
     "Error termination. Backtrace:\n"
     "#0  0x7f5bd4e218c2 in ???\n"
     "#1  0x7f5bd4e223b9 in ???\n"
     "#2  0x7f5bd4e22f0f in ???\n"
     "#3  0x7f5bd5067e7b in ???\n"
     "#4  0x7f5bd5061854 in ???\n"
     "#5  0x7f5bd50623fa in ???\n"
     "#6  0x559b5b143281 in ???\n"
     "#7  0x559b5b1430de in ???\n"
     "#8  0x7f5bd4c45249 in __libc_start_call_main\n"
     "\tat ../sysdeps/nptl/libc_start_call_main.h:58\n"},
    {"ghc", "main.hs", 4, 12, "Couldn't match type ‘Int’ with ‘[Char]’",
     "\n"
     "main.hs:4:12: error:\n"
     "    • Couldn't match type ‘Int’ with ‘[Char]’\n"
     "      Expected: String\n"
     "        Actual: Int\n"
     "    • In the first argument of ‘putStrLn’, namely ‘x’\n"
     "      In a stmt of a 'do' block: putStrLn x\n"
     "      In the expression:\n"
     "        do let x = ...\n"
     "           putStrLn x\n"
     "  |\n"
     "4 |   putStrLn x\n"
     "  |            ^\n"},
    {"ghc", "main.hs", 4, 8, "no",
     "main: no\n"
     "CallStack (from HasCallStack):\n"
     "  error, called at main.hs:4:8 in main:Main\n"
     "  f, called at main.hs:10:10 in main:Main\n"},
    {"swift", "main.swift", 1, 14, "cannot convert value of type 'String' to specified type 'Int'",
     "main.swift:1:14: error: cannot convert value of type 'String' to specified type 'Int'\n"
     "1 | let x: Int = \"a\"\n"
     "  |              `- error: cannot convert value of type 'String' to specified type 'Int'\n"
     "2 | print(x)\n"
     "3 | \n"},
    {"java", "Main.java", 3, 17, "incompatible types: String cannot be converted to int",
     "Main.java:3: error: incompatible types: String cannot be converted to int\n"
     "        int x = \"a\";\n"
     "                ^\n"
     "1 error\n"},
    {"java", "Broken.java", 3, 0, "java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0",
     "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0\n"
     "\tat Helper.f(Broken.java:3)\n"
     "\tat Broken.main(Broken.java:10)\n"},
    {"kotlin", "main.kt", 2, 16, "initializer type mismatch: expected 'Int', actual 'String'.",
     "main.kt:2:16: error: initializer type mismatch: expected 'Int', actual 'String'.\n"
     "    val x: Int = \"a\"\n"
     "               ^\n"},
    {"kotlin", "main.kt", 4, 0, "java.lang.IndexOutOfBoundsException: Empty list doesn't contain element at index 3.",
     "Exception in thread \"main\" java.lang.IndexOutOfBoundsException: Empty list doesn't contain element at index 3.\n"
     "\tat kotlin.collections.EmptyList.get(Collections.kt:37)\n"
     "\tat kotlin.collections.EmptyList.get(Collections.kt:25)\n"
     "\tat demo.MainKt.f(main.kt:4)\n"
     "\tat demo.MainKt.main(main.kt:9)\n"
     "\tat demo.MainKt.main(main.kt)\n"},
    {"csharp", "main.cs", 3, 17, "CS0029: Cannot implicitly convert type `string' to `int'",
     "main.cs(3,17): error CS0029: Cannot implicitly convert type `string' to `int'\n"},
    {"csharp", "main.cs", 10, 0, "System.IndexOutOfRangeException: Index was outside the bounds of the array.",
     "\n"
     "Unhandled Exception:\n"
     "System.IndexOutOfRangeException: Index was outside the bounds of the array.\n"
     "  at Program.Main () [0x0000a] in /box/main.cs:10 \n"
     "[ERROR] FATAL UNHANDLED EXCEPTION: System.IndexOutOfRangeException: Index was outside the bounds of the array.\n"
     "  at Program.Main () [0x0000a] in /box/main.cs:10 \n"},
    {"erlang", "main.erl", 2, 0, "syntax error before: '='", "main.erl:2: syntax error before: '='\n"},
    {"erlang", "main.erl", 6, 0, "an error occurred when evaluating an arithmetic expression",
     "exception error: an error occurred when evaluating an arithmetic expression\n"
     "  in operator  div/2\n"
     "     called as 1 div 0\n"
     "  in call from main:f/1 (main.erl, line 6)\n"},
    {"elixir", "main.exs", 2, 5, "syntax error before: '='",
     "** (SyntaxError) main.exs:2:5: syntax error before: '='\n"
     "    |\n"
     "  2 | y = = 2\n"
     "    |     ^\n"
     "    (elixir 1.14.0) lib/code.ex:1245: Code.require_file/2\n"},
    {"elixir", "main.exs", 3, 0, "(ArithmeticError) bad argument in arithmetic expression: div(1, 0)",
     "** (ArithmeticError) bad argument in arithmetic expression: div(1, 0)\n"
     "    :erlang.div(1, 0)\n"
     "    main.exs:3: A.f/1\n"
     "    (elixir 1.14.0) lib/code.ex:1245: Code.require_file/2\n"},
    {"gleam", "main.gleam", 2, 7, "Type mismatch",
     "error: Type mismatch\n"
     "  ┌─ main.gleam:2:7\n"
     "  │\n"
     "2 │   1 + \"a\"\n"
     "  │       ^^^\n"
     "\n"
     "The + operator expects arguments of this type:\n"
     "\n"
     "    Int\n"
     "\n"
     "But this argument has this type:\n"
     "\n"
     "    String\n"
     "\n"},
    {"gleam", "main.gleam", 5, 0, "no",
     "error: no\n"
     "  at main.f (main.gleam:5)\n"},
    {"sqlite", "main.sql", 2, 0, "near \"t\": syntax error",
     "Parse error near line 2: near \"t\": syntax error\n"
     "  select 'a' form t;\n"
     "                  ^--- error here\n"},
    {"sqlite", "main.sql", 3, 0, "no such table: nope", "Parse error near line 3: no such table: nope\n"},
    {"jq", "main.jq", 1, 0, "syntax error, unexpected $end (Unix shell quoting issues?)",
     "jq: error: syntax error, unexpected $end (Unix shell quoting issues?) at <top-level>, line 1:\n"
     "1 +   \n"
     "jq: 1 compile error\n"},
    {"jq", "main.jq", 0, 0, "number (1) and string (\"a\") cannot be added",
     "jq: error (at <unknown>): number (1) and string (\"a\") cannot be added\n"},
    {"awk", "main.awk", 3, 0, "syntax error",
     "gawk: main.awk:3:   y = = 2\n"
     "gawk: main.awk:3:       ^ syntax error\n"},
    {"awk", "main.awk", 2, 0, "division by zero attempted", "gawk: main.awk:2: fatal: division by zero attempted\n"},
    {"zig", "main.zig", 2, 20, "expected type 'i32', found '*const [1:0]u8'",
     "main.zig:2:20: error: expected type 'i32', found '*const [1:0]u8'\n"
     "    const x: i32 = \"a\";\n"
     "                   ^~~\n"
     "referenced by:\n"
     "    callMain [inlined]: /opt/rt/py/lib/python3.11/site-packages/ziglang/lib/std/start.zig:788:64\n"
     "    callMainWithArgs [inlined]: /opt/rt/py/lib/python3.11/site-packages/ziglang/lib/std/start.zig:729:20\n"
     "    posixCallMainAndExit: /opt/rt/py/lib/python3.11/site-packages/ziglang/lib/std/start.zig:681:38\n"
     "    2 reference(s) hidden; use '-freference-trace=5' to see all references\n"},
    {"zig", "main.zig", 5, 13, "index out of bounds: index 9, len 3",
     "thread 7 panic: index out of bounds: index 9, len 3\n"
     "/box/main.zig:5:13: 0x11e4ee7 in f (main.zig)\n"
     "    return x[i];\n"
     "            ^\n"
     "/box/main.zig:12:10: 0x11e4df6 in main (main.zig)\n"
     "    _ = f(\"abc\", i);\n"
     "         ^\n"
     "/opt/rt/py/lib/python3.11/site-packages/ziglang/lib/std/start.zig:788:64: 0x11e46eb in callMain (std.zig)\n"
     "    if (fn_info.param_types.len == 0) return wrapMain(root.main());\n"
     "                                                               ^\n"
     "/opt/rt/py/lib/python3.11/site-packages/ziglang/lib/std/start.zig:248:5: 0x11e4121 in _start (std.zig)\n"
     "    asm volatile (switch (native_arch) {\n"
     "    ^\n"},
    {"mojo", "main.mojo", 2, 18, "cannot implicitly convert 'StringLiteral[\"a\"]' value to 'Int'",
     "/box/main.mojo:2:18: error: cannot implicitly convert 'StringLiteral[\"a\"]' value to 'Int'\n"
     "    var x: Int = \"a\"\n"
     "                 ^~~\n"
     "/opt/rt/py/lib/python3.11/site-packages/modular/bin/mojo: error: failed to parse the provided Mojo source module\n"},
    // Messages of other versions.
    {"javascript", "main.js", 3, 8, "TypeError: Cannot read",
     "/box/main.js:3\n  null.x\n       ^\n\nTypeError: Cannot read\n    at f (/box/main.js:3:8)\n"},
    {"javascript", "main.mjs", 1, 7, "Error: no",
     "file:///box/main.mjs:1\nthrow new Error('no')\n      ^\n\nError: no\n    at file:///box/main.mjs:1:7\n"},
    {"ruby", "main.rb", 2, 0, "divided by 0 (ZeroDivisionError)",
     "main.rb:2:in 'Integer#/': divided by 0 (ZeroDivisionError)\n\tfrom main.rb:2:in 'Object#f'\n"},
    {"rust", "main.rs", 2, 5, "no", "thread 'main' panicked at 'no', main.rs:2:5\nnote: run with `RUST_BACKTRACE=1`\n"},
    {"ghc", "main.hs", 4, 12, "Couldn't match type ‘Int’ with ‘[Char]’",
     "main.hs:4:12: error: [GHC-83865]\n    • Couldn't match type ‘Int’ with ‘[Char]’\n      Expected: String\n"},
    {"ghc", "main.hs", 3, 5, "parse error on input ‘=’", "main.hs:3:5: error: parse error on input ‘=’\n  |\n"},
    {"csharp", "main.cs", 5, 0, "System.Exception: no",
     "Unhandled exception. System.Exception: no\n   at Program.Main() in /box/main.cs:line 5\n"},
    {"sqlite", "main.sql", 2, 0, "near \"t\": syntax error", "Error: near line 2: near \"t\": syntax error\n"},
    {"awk", "main.awk", 3, 0, "syntax error at or near =", "mawk: main.awk: line 3: syntax error at or near =\n"},
    {"gcc", "main.c", 0, 0, "undefined reference to `f'",
     "/usr/bin/ld: /tmp/ccA.o: in function `main':\nmain.c:(.text+0x5): undefined reference to `f'\n"},
};

static size_t read_errors(const char *format, cc_str text, const char *file, cc_str code, const cc_diagnostic **out) {
    return cc_diagnostics_read(&arena, format, text, "/box", &(cc_source){cc_str_of(file), code}, 1, out);
}

static void assert_text(cc_str got, const char *expected, const char *where) {
    if (!cc_str_eqz(got, expected)) fail_msg("'%.*s', not '%s', of: %s", (int)got.n, got.p, expected, where);
}

static void first_errors_are_understood(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(samples); i++) {
        const sample *s = &samples[i];
        const cc_diagnostic *d;
        size_t n = read_errors(s->format, cc_str_of(s->text), s->file, (cc_str){0}, &d);
        if (!n) fail_msg("nothing understood of: %s", s->text);
        assert_text(d[0].message, s->message, s->text);
        assert_text(d[0].file, s->file, s->text);
        if (d[0].line != s->line) fail_msg("line %d, not %d, of: %s", d[0].line, s->line, s->text);
        // Without the source, a column that Python shows below a line it has moved is not known to be right: test_languages.py has it.
        if (strcmp(s->format, "python") != 0 && d[0].column != s->column)
            fail_msg("column %d, not %d, of: %s", d[0].column, s->column, s->text);
        assert_string_equal(d[0].severity, "error");
    }
}

typedef struct report {
    const char *format, *text;
    size_t n;
    struct {
        const char *file;
        int line, column;
        const char *message;
    } errors[3];
} report;

// The same tools, with the files below; every error of each.
#define TEXT(literal)                                                                                                                      \
    { (literal), sizeof(literal) - 1 }
static const cc_source files[] = {
    {TEXT("main.x"), TEXT("import u\n\nu.f()\n")},
    {TEXT("lib/u.x"), TEXT("# helpers\nproc f {} {\n  error bad\n}\nfunction g {\n  nosuch\n}\n")},
};
static const report reports[] = {
    {"python",
     "note: starting\nTraceback (most recent call last):\n  File \"/box/main.x\", line 3, in <module>\n    u.f()\n  File \"/box/lib/u.x\", "
     "line 2, in f\n"
     "    raise MyErr('from u')\nlib.u.MyErr: from u\n",
     1,
     {{"lib/u.x", 2, 0, "lib.u.MyErr: from u"}}},
    // What led to it is left out, also where it has no place in the program.
    {"python",
     "Traceback (most recent call last):\n  File \"/usr/lib/python3.11/http/client.py\", line 941, in connect\n    x\nOSError: no name\n\n"
     "During handling of the above exception, another exception occurred:\n\n"
     "Traceback (most recent call last):\n  File \"/box/main.x\", line 3, in <module>\n    x\n  File "
     "\"/usr/lib/python3.11/urllib/request.py\", line 1, "
     "in open\n    x\nURLError: no name\n",
     1,
     {{"main.x", 3, 0, "URLError: no name"}}},
    {"python",
     "Traceback (most recent call last):\n  File \"/box/main.x\", line 1, in <module>\n    x\nKeyError: 1\n\nThe above exception was the "
     "direct cause "
     "of the following exception:\n\nTraceback (most recent call last):\n  File \"/box/main.x\", line 3, in <module>\n    x\nValueError: "
     "2\n",
     1,
     {{"main.x", 3, 0, "ValueError: 2"}}},
    // Independent reports all count.
    {"python",
     "F.F\n======================================================================\nFAIL: test_a (__main__.T.test_a)\n"
     "----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"/box/main.x\", "
     "line 1, in "
     "test_a\n    x\nAssertionError: 1 != 2\n\n======================================================================\nERROR: test_b\n"
     "----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"/box/main.x\", "
     "line 2, in "
     "test_b\n    x\nKeyError: 'k'\n\n----------------------------------------------------------------------\nRan 3 tests in "
     "0.001s\n\nFAILED "
     "(failures=2)\n",
     2,
     {{"main.x", 1, 0, "AssertionError: 1 != 2"}, {"main.x", 2, 0, "KeyError: 'k'"}}},
    {"python",
     "  + Exception Group Traceback (most recent call last):\n  |   File \"/box/main.x\", line 3, in <module>\n  |     "
     "asyncio.run(main())\n"
     "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n  +-+---------------- 1 ----------------\n"
     "    | Traceback (most recent call last):\n    |   File \"/box/lib/u.x\", line 4, in w\n    |     raise ValueError(3)\n    | "
     "ValueError: bad 3\n"
     "    +------------------------------------\n",
     2,
     {{"main.x", 3, 0, "ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)"}, {"lib/u.x", 4, 0, "ValueError: bad 3"}}},
    {"javascript",
     "file:///box/lib/u.x:2\n  null.x\n       ^\n\nTypeError: Cannot read properties of null (reading 'x')\n    at f "
     "(file:///box/lib/u.x:2:8)\n"
     "    at file:///box/main.x:2:1\n",
     1,
     {{"lib/u.x", 2, 8, "TypeError: Cannot read properties of null (reading 'x')"}}},
    {"javascript",
     "node:internal/modules/esm/resolve:873\n  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);\n        ^\n\n"
     "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'lodash' imported from /box/main.x\n    at packageResolve (node:internal/x:1:2) "
     "{\n",
     1,
     {{"main.x", 0, 0, "Cannot find package 'lodash'"}}},
    {"mojo", "Unhandled exception caught during execution: boom\n", 0, {{0}}}, // which of the two it does not say
    {"swift", "main/lib/u.x:2: Fatal error: in u\n", 1, {{"lib/u.x", 2, 0, "in u"}}},
    {"swift",
     "*** Swift runtime failure: arithmetic overflow ***\n\nThread 0 \"main\" crashed:\n\n0 [inlined] [system] 0x1 Swift runtime failure: "
     "arithmetic "
     "overflow in main at //<compiler-generated>\n1                    0x1 main + 197 in main at /box/main.x:2:3\n",
     1,
     {{"main.x", 2, 3, "arithmetic overflow"}}},
    {"fortran",
     "ERROR STOP bad\n\nError termination. Backtrace:\n#0  0x7fe4710218c2 in ???\n#3  0x5609390a709c in x\n\tat /box/main.x:2\n#4  "
     "0x5609390a709c in "
     "main\n\tat /box/main.x:3\n",
     1,
     {{"main.x", 2, 0, "ERROR STOP bad"}}},
    {"bun",
     "3 |   throw new MyErr(\"custom\")\n            ^\nMyErr: custom\n      at g (/box/main.x:3:9)\n      at /box/main.x:5:1\n",
     1,
     {{"main.x", 3, 9, "MyErr: custom"}}},
    {"bun",
     "error: Cannot find package 'lodash' from '/box/main.x'\n\nBun v1.4.5 (Linux x64)\n",
     1,
     {{"main.x", 0, 0, "Cannot find package 'lodash'"}}},
    {"bun",
     "2 | const a=2\n          ^\nerror: \"a\" has already been declared\n    at /box/main.x:2:7\n\n1 | const a=1\n          ^\n"
     "note: \"a\" was originally declared here\n   at /box/main.x:1:7\n",
     1,
     {{"main.x", 2, 7, "\"a\" has already been declared"}}},
    {"ruby",
     "main.x:1:in `require_relative': /box/lib/u.x:3: syntax error, unexpected `end', expecting ')' (SyntaxError)\n\tfrom main.x:1:in "
     "`<main>'\n",
     1,
     {{"lib/u.x", 3, 0, "syntax error, unexpected `end', expecting ')' (SyntaxError)"}}},
    {"ruby",
     "<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in `require': cannot load such file -- nokogiri "
     "(LoadError)\n\t"
     "from <internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in `require'\n\tfrom main.x:1:in `<main>'\n",
     1,
     {{"main.x", 1, 0, "cannot load such file -- nokogiri (LoadError)"}}},
    {"php",
     "Fatal error: Uncaught InvalidArgumentException: inner in /box/lib/u.x:2\nStack trace:\n#0 /box/main.x(3): f()\n#1 {main}\n\nNext "
     "RuntimeException: outer in /box/main.x:3\nStack trace:\n#0 {main}\n  thrown in /box/main.x on line 3\n",
     2,
     {{"lib/u.x", 2, 0, "InvalidArgumentException: inner"}, {"main.x", 3, 0, "RuntimeException: outer"}}},
    {"perl",
     "syntax error at main.x line 1, near \"2;\"\nExecution of main.x aborted due to compilation errors.\n",
     1,
     {{"main.x", 1, 0, "syntax error, near \"2;\""}}},
    {"perl",
     "no number at lib/u.x line 4, <STDIN> line 3.\nBEGIN failed--compilation aborted at main.x line 2.\n",
     1,
     {{"lib/u.x", 4, 0, "no number"}}},
    {"perl",
     "#   Failed test 'b'\n#   at main.x line 3.\n#          got: '1'\n#     expected: '2'\n# Looks like you failed 1 test of 2.\n",
     1,
     {{"main.x", 3, 0, "Failed test 'b'"}}},
    {"lua",
     "/usr/bin/lua5.4: ./lib/u.x:3: in u\nstack traceback:\n\t[C]: in function 'error'\n\t./lib/u.x:3: in function 'u.f'\n\tmain.x:2: in "
     "main chunk\n",
     1,
     {{"lib/u.x", 3, 0, "in u"}}},
    {"lua",
     "/usr/bin/lua5.4: error loading module 'u' from file './lib/u.x':\n\t./lib/u.x:3: ')' expected near '('\nstack traceback:\n\t[C]: in "
     "?\n",
     1,
     {{"lib/u.x", 3, 0, "')' expected near '('"}}},
    {"lua",
     "/usr/bin/lua5.4: interrupted!\nstack traceback:\n\tmain.x:1: in main chunk\n\t[C]: in ?\n",
     1,
     {{"main.x", 1, 0, "interrupted!"}}},
    // A procedure counts its own lines.
    {"tcl",
     "note: starting\nbad\n    while executing\n\"error bad\"\n    (procedure \"::f\" line 2)\n    invoked from within\n\"f\"\n    (file "
     "\"main.x\" line 3)\n",
     1,
     {{"lib/u.x", 3, 0, "bad"}}},
    {"tcl",
     "divide by zero\n    invoked from within\n\"expr {\n1/0\n}\"\n    (file \"main.x\" line 2)\n",
     1,
     {{"main.x", 2, 0, "divide by zero"}}},
    {"zsh", "g:1: command not found: nosuch\nother:1: no such function\n", 1, {{"lib/u.x", 6, 0, "command not found: nosuch"}}},
    {"bash", "./lib/u.x: line 2: nosuchcmd: command not found\n", 1, {{"lib/u.x", 2, 0, "nosuchcmd: command not found"}}},
    // A tool may name a file without its directory; and a name may begin like another.
    {"java",
     "Exception in thread \"main\" java.lang.RuntimeException: in util\n\tat u.x.f(u.x:3)\n\tat Main.main(main.x:3)\n",
     1,
     {{"lib/u.x", 3, 0, "java.lang.RuntimeException: in util"}}},
    {"gcc", "main.xpp:3:1: error: no\n", 1, {{"main.xpp", 3, 1, "no"}}},
    {"gcc", "main: main.x:2: f: Assertion `1==2' failed.\n", 1, {{"main.x", 2, 0, "Assertion `1==2' failed."}}},
    {"gcc",
     "/usr/bin/ld: /tmp/ccA8P8Lt.o: in function `f':\nu.x:(.text+0x1): undefined reference to `g'\ncollect2: error: ld returned 1 exit "
     "status\n",
     1,
     {{"lib/u.x", 0, 0, "undefined reference to `g'"}}},
    {"rust",
     "\nthread 'main' (16) panicked at lib/u.x:2:3:\nin u\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
     1,
     {{"lib/u.x", 2, 3, "in u"}}},
    {"go",
     "panic: in u\n\ngoroutine 1 [running]:\nx/u.F(...)\n\t/box/lib/u.x:4\nmain.main()\n\t/box/main.x:4 +0x25\n",
     1,
     {{"lib/u.x", 4, 0, "in u"}}},
    {"ghc",
     "main: main.x:2:1-7: Non-exhaustive patterns in function f\n\n",
     1,
     {{"main.x", 2, 1, "Non-exhaustive patterns in function f"}}},
    {"erlang",
     "exception error: no function clause matching m:f(3) (main.x, line 5)\n",
     1,
     {{"main.x", 5, 0, "no function clause matching m:f(3)"}}},
    {"elixir",
     "** (EXIT from #PID<0.96.0>) an exception was raised:\n    ** (RuntimeError) task\n        main.x:1: anonymous fn/0 in "
     ":elixir_compiler_0.__FILE__/1\n",
     1,
     {{"main.x", 1, 0, "(RuntimeError) task"}}},
    {"jq",
     "jq: error: syntax error, unexpected ';' (Unix shell quoting issues?) at /box/lib/u.x, line 2:\n x*;\n",
     1,
     {{"lib/u.x", 2, 0, "syntax error, unexpected ';' (Unix shell quoting issues?)"}}},
    // It does not say in which of the two.
    {"sqlite", "Parse error near line 2: no such column: nope\n", 0, {{0}}},
};

static void every_file_of_the_call_is_known(void **state) {
    (void)state;
    for (size_t i = 0; i < CC_ARRAY_LEN(reports); i++) {
        const report *r = &reports[i];
        const cc_diagnostic *d;
        size_t n = cc_diagnostics_read(&arena, r->format, cc_str_of(r->text), "/box", files, CC_ARRAY_LEN(files), &d);
        if (n != r->n) fail_msg("%zu errors, not %zu, of: %s", n, r->n, r->text);
        for (size_t j = 0; j < n; j++) {
            assert_text(d[j].message, r->errors[j].message, r->text);
            assert_text(d[j].file, r->errors[j].file, r->text);
            if (d[j].line != r->errors[j].line) fail_msg("line %d, not %d, of: %s", d[j].line, r->errors[j].line, r->text);
            if (strcmp(r->format, "python") != 0 && d[j].column != r->errors[j].column)
                fail_msg("column %d, not %d, of: %s", d[j].column, r->errors[j].column, r->text);
        }
    }
}

static void the_last_report_is_kept(void **state) {
    (void)state;
    CC_CLEANUP_BUF cc_buf text = {0};
    for (int i = 1; i <= 30; i++)
        cc_buf_printf(&text, "Traceback (most recent call last):\n  File \"main.py\", line %d, in f\nValueError: %d\n", i, i);
    const cc_diagnostic *d;
    assert_int_equal(read_errors("python", cc_buf_str(&text), "main.py", (cc_str){0}, &d), 10);
    assert_int_equal(d[0].line, 1);
    assert_int_equal(d[9].line, 30);
}

static void every_language_has_a_format(void **state) {
    (void)state;
    for (size_t i = 0; i < cc_languages_count; i++) {
        const cc_diagnostic *d;
        assert_non_null(cc_languages[i]->diagnostics);
        bool known = false;
        for (size_t j = 0; j < CC_ARRAY_LEN(samples) && !known; j++) known = !strcmp(samples[j].format, cc_languages[i]->diagnostics);
        if (!known && strcmp(cc_languages[i]->name, "jq") != 0) fail_msg("no sample of %s", cc_languages[i]->diagnostics);
        assert_int_equal(read_errors(cc_languages[i]->diagnostics, (cc_str){0}, "x", (cc_str){0}, &d), 0);
    }
}

static void a_python_mark_counts_the_indentation(void **state) {
    (void)state;
    const char *text = "  File \"/box/main.py\", line 2\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n";
    const cc_diagnostic *d;
    assert_int_equal(read_errors("python", cc_str_of(text), "main.py", CC_STR("if 1:\n        x = = 1\n"), &d), 1);
    assert_int_equal(d[0].column, 13); // the mark is below the line without its eight spaces
}

static void files_of_others_are_left_out(void **state) {
    (void)state;
    const char *text = "Traceback (most recent call last):\n  File \"/box/main.py\", line 9, in <module>\n    f()\n  File "
                       "\"/usr/lib/python3.11/json/__init__.py\", line 346, in loads\n    return x\n           ^\nValueError: no\n";
    const cc_diagnostic *d;
    assert_int_equal(read_errors("python", cc_str_of(text), "main.py", (cc_str){0}, &d), 1);
    assert_int_equal(d[0].line, 9);
    assert_int_equal(d[0].column, 0);
    text = "/usr/include/x.h:3:1: error: no\nx.h:4:2: warning: odd\n";
    assert_int_equal(read_errors("gcc", cc_str_of(text), "main.c", (cc_str){0}, &d), 1);
    assert_text(d[0].file, "x.h", text);
    assert_string_equal(d[0].severity, "warning");
}

static void any_text_is_read_in_bounded_time(void **state) {
    (void)state;
    static char text[1 << 20];
    for (size_t i = 0; i < sizeof text; i++) text[i] = " at in:1 error: ("[i % 17];
    const cc_diagnostic *d;
    for (size_t i = 0; i < cc_languages_count; i++)
        assert_true(read_errors(cc_languages[i]->diagnostics, (cc_str){text, sizeof text}, "x", (cc_str){0}, &d) <= 10);
}

static int tear_down(void **state) {
    (void)state;
    cc_arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_errors_are_understood),
        cmocka_unit_test(every_language_has_a_format),
        cmocka_unit_test(a_python_mark_counts_the_indentation),
        cmocka_unit_test(files_of_others_are_left_out),
        cmocka_unit_test(any_text_is_read_in_bounded_time),
        cmocka_unit_test(every_file_of_the_call_is_known),
        cmocka_unit_test(the_last_report_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
