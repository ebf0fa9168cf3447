// Rows of the table of languages: compiled to machine code. Read through languages.c.
#include <signal.h>

#include "run/rows.h"

const cc_language cc_row_c = {
    .name = "c",
    .extension = "c",
    .file = "main.c",
    .sources = WORDS("c"),
    .variants = {{
        .tools = {"gcc|cc|clang"},
        .compile = WORDS("{0}", "-std=gnu17", "-O2", "-o", "{exe}", "{files}", "-lm"),
        .run = WORDS("{exe}"),
        .version = WORDS("{0}", "--version"),
        .env = WORDS(FEW_ARENAS),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "gcc",
    .out_of_memory = WORDS(GCC_OUT_OF_MEMORY), // the compiler's
    .hello = "#include <stdio.h>\nint main(void) { char s[99]; printf(\"hello %s\\n\", fgets(s, 99, stdin) ? s : \"\"); }\n",
    .install = "apt install gcc libc6-dev",
};

const cc_language cc_row_cpp = {
    .name = "cpp",
    .aliases = WORDS("c++"),
    .extension = "cpp",
    .file = "main.cpp",
    .sources = WORDS("cpp", "cc", "cxx"),
    .variants = {{
        .tools = {"g++|c++|clang++"},
        .compile = WORDS("{0}", "-std=gnu++20", "-O2", "-o", "{exe}", "{files}"),
        .run = WORDS("{exe}"),
        .version = WORDS("{0}", "--version"),
        .env = WORDS(FEW_ARENAS),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "gcc",
    .out_of_memory = WORDS("^terminate called after throwing an instance of 'std::bad_alloc'", GCC_OUT_OF_MEMORY),
    .hello = "#include <iostream>\n#include <string>\nint main() { std::string s; std::getline(std::cin, s); std::cout << \"hello \" "
             "<< s << \"\\n\"; }\n",
    .install = "apt install g++",
};

const cc_language cc_row_rust = {
    .name = "rust",
    .aliases = WORDS("rs"),
    .extension = "rs",
    .file = "main.rs",
    .variants = {{
        .tools = {"rustc", "cc|gcc|clang"}, // it links with the C compiler
        .compile = WORDS("{0}", "--edition=2021", "-O", "-o", "{exe}", "{file}"),
        .run = WORDS("{exe}"),
        .version = WORDS("{0}", "--version"),
        .env = WORDS(FEW_ARENAS),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "rust",
    .out_of_memory = WORDS("^memory allocation of", "LLVM ERROR: out of memory"),
    .hello = "fn main() {\n    let mut s = String::new();\n    std::io::stdin().read_line(&mut s).unwrap();\n    println!(\"hello {}\", "
             "s.trim());\n}\n",
    .notes = "std only, no crates",
    .install = "apt install rustc, or rustup",
};

// The index of the whole standard library, without which the go command does not find packages beside a cache that it cannot write; the
// packages that small programs import; and, as far as a minute goes, those of network programs. The rest compiles in the run that wants it.
static const cc_warm go_warm = {
    .name = "go",
    .fill = WORDS(
        "/bin/sh", "-c",
        "\"$0\" list std >/dev/null && \"$0\" build \"$@\" && { timeout 60 \"$0\" build os/exec encoding/xml net/http net/http/httptest "
        "log/slog html/template; true; }",
        "{0}", "bufio", "bytes", "cmp", "compress/gzip", "container/heap", "container/list", "container/ring", "context", "crypto/md5",
        "crypto/rand", "crypto/sha1", "crypto/sha256", "crypto/sha512", "encoding/base64", "encoding/binary", "encoding/csv",
        "encoding/hex", "encoding/json", "errors", "flag", "fmt", "hash/crc32", "hash/fnv", "io", "iter", "log", "maps", "math", "math/big",
        "math/bits", "math/cmplx", "math/rand", "math/rand/v2", "os", "os/signal", "path/filepath", "reflect", "regexp", "runtime/debug",
        "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "testing", "text/tabwriter", "text/template", "time", "unicode",
        "unicode/utf8"),
};

const cc_language cc_row_go = {
    .name = "go",
    .aliases = WORDS("golang"),
    .extension = "go",
    .file = "main.go",
    .sources = WORDS("go"),
    .sources_beside = true,
    .variants = {{
        .tools = {"go"},
        .compile = WORDS("{0}", "build", "-o", "{exe}", "{files}"),
        .run = WORDS("{exe}"),
        .env = WORDS("GOCACHE={warm}", "GOPATH={tmp}/.go", "GOTOOLCHAIN=local", "GOPROXY=off", "GOENV=off", "GOTELEMETRY=off",
                     "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOMEMLIMIT={mb}MiB"),
        .version = WORDS("{0}", "version"),
        .warm = &go_warm,
        .memory = CC_MEMORY_MEASURED,
        .soft_signal = SIGQUIT, // ends with the stacks of its goroutines
    }},
    .diagnostics = "go",
    .out_of_memory = WORDS("fatal error: runtime: out of memory", "fatal error: runtime: cannot allocate memory"),
    .hello = "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\ts := "
             "bufio.NewScanner(os.Stdin)\n\ts.Scan()\n\tfmt.Println(\"hello\", s.Text())\n}\n",
    .notes = "standard library only, no modules, no cgo",
    .install = "apt install golang-go",
};

const cc_language cc_row_fortran = {
    .name = "fortran",
    .aliases = WORDS("f90"),
    .extension = "f90",
    .file = "main.f90",
    .sources = WORDS("f90", "F90", "f95", "f03", "f08", "f"),
    .variants = {{
        .tools = {"gfortran|flang"},
        .compile = WORDS("{0}", "-O2", "-g", "-fcheck=bounds", "-o", "{exe}", "{files}"),
        .run = WORDS("{exe}"),
        .version = WORDS("{0}", "--version"),
        .env = WORDS(FEW_ARENAS),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "fortran",
    .out_of_memory = WORDS("Error allocating", "Allocation would exceed memory limit", GCC_OUT_OF_MEMORY),
    .hello = "program main\n  character(len=80) :: s\n  read '(a)', s\n  print '(a, a)', 'hello ', trim(s)\nend program\n",
    .install = "apt install gfortran",
};

static const cc_warm zig_warm = {
    .name = "zig",
    .fill = WORDS("/bin/sh", "-c", "ZIG_GLOBAL_CACHE_DIR={warm} exec \"$0\" build-exe {file} -femit-bin={tmp}/main", "{0}"),
};

const cc_language cc_row_zig = {
    .name = "zig",
    .extension = "zig",
    .file = "main.zig",
    .variants = {{
        .tools = {"zig"},
        // It locks the files of its cache for writing, so it works on a copy of the warm one, which is gone before the program runs.
        .compile = WORDS("/bin/sh", "-c", "cp -R {warm}/. {tmp}/.zig 2>/dev/null; \"$0\" \"$@\"; s=$?; rm -rf {tmp}/.zig {exe}.o; exit $s",
                         "{0}", "build-exe", "{file}", "-femit-bin={exe}"),
        .run = WORDS("{exe}"),
        .env = WORDS("ZIG_GLOBAL_CACHE_DIR={tmp}/.zig", "ZIG_LOCAL_CACHE_DIR={tmp}/.zig/local"),
        .version = WORDS("{0}", "version"),
        .warm = &zig_warm,
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "zig",
    // None: a program's own allocators, over a buffer of fixed size, fail with the same error.OutOfMemory.
    .hello = "const linux = @import(\"std\").os.linux;\n\npub fn main() void {\n    var line: [99]u8 = undefined;\n    const n = "
             "linux.read(0, &line, "
             "line.len);\n    _ = linux.write(1, \"hello \", 6);\n    _ = linux.write(1, &line, n);\n}\n",
    .notes = "standard library only, no packages",
    .install = "scripts/runtimes.sh, or the archive from ziglang.org",
};

const cc_language cc_row_haskell = {
    .name = "haskell",
    .aliases = WORDS("hs", "ghc"),
    .extension = "hs",
    .file = "main.hs",
    .variants = {{
        .tools = {"ghc"},
        .compile = WORDS("{0}", "-v0", "-O1", "-outputdir", "{tmp}/.ghc", "-o", "{exe}", "{file}"),
        .run = WORDS("{exe}"),
        .reads = WORDS("/var/lib/ghc"), // its database of packages
        .version = WORDS("{0}", "--numeric-version"),
        .env = WORDS(FEW_ARENAS),
        .memory = CC_MEMORY_ADDRESS_SPACE,
        .soft_signal = SIGINT, // UserInterrupt: buffered output is written
    }},
    .diagnostics = "ghc",
    .out_of_memory = WORDS("^main: Heap exhausted", "^main: out of memory", "memory allocation failed"),
    .hello = "main :: IO ()\nmain = getLine >>= \\s -> putStrLn (\"hello \" ++ s)\n",
    .notes = "the packages that ghc brings (base, containers, text, …)",
    .install = "apt install ghc",
};

const cc_language cc_row_mojo = {
    .name = "mojo",
    .extension = "mojo",
    .file = "main.mojo",
    .variants = {{
        .tools = {"mojo"},
        .inner = "lib/python3*/site-packages/modular/bin/mojo", // behind the launcher of the Python package
        .needs = "lib/mojo",
        .compile = WORDS("{0}", "build", "-o", "{exe}", "{file}"),
        .run = WORDS("{exe}"),
        // What the Python package's launcher sets; the launcher itself would start Python first.
        .env = WORDS("MODULAR_MAX_PACKAGE_ROOT={home0}", "MODULAR_MOJO_MAX_PACKAGE_ROOT={home0}",
                     "MODULAR_MOJO_MAX_DRIVER_PATH={home0}/bin/mojo", "MODULAR_MOJO_MAX_IMPORT_PATH={home0}/lib/mojo",
                     "MODULAR_CRASH_REPORTING_ENABLED=false", "MODULAR_TELEMETRY_ENABLED=false"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "mojo",
    .out_of_memory = WORDS("out of memory"),
    .hello = "def main() raises:\n    print(\"hello\", input())\n",
    .notes = "compiling takes 7 s and more",
    .install = "pip install mojo-compiler",
};

const cc_language cc_row_swift = {
    .name = "swift",
    .extension = "swift",
    .file = "main.swift",
    .sources = WORDS("swift"),
    .variants = {{
        .tools = {"swiftc"},
        .compile = WORDS("{0}", "-O", "-g", "-module-cache-path", "{tmp}/.swift", "-o", "{exe}", "{files}"),
        .compile_main = WORDS("{0}", "-O", "-g", "-parse-as-library", "-module-cache-path", "{tmp}/.swift", "-o", "{exe}", "{files}"),
        .run = WORDS("{exe}"),
        .env = WORDS("SWIFT_BACKTRACE=enable=yes,sanitize=no,interactive=no,color=no,threads=crashed,registers=none,images=none"),
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_ADDRESS_SPACE,
    }},
    .diagnostics = "swift",
    .out_of_memory = WORDS("out of memory"),
    .hello = "print(\"hello \\(readLine() ?? \"\")\")\n",
    .install = "WITH_SWIFT=1 scripts/runtimes.sh, or a toolchain from swift.org",
};
