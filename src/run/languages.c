// The languages: one row of data each. To add one, add a row; its names, file name, commands, limits and messages all come from here.
// Read by resolve.c, plan.c, execute.c, the tools and the command line. Owns nothing and computes nothing but look-ups.
#include "codecalc/run.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

// Languages that `make test` executes, hello-world to time limit, on every run of the project's CI (tests/cases/execute_code.jsonl and
// tests/unit/test_run.c). This is the only place that makes a language `tested`.
static const char *const executed_by_tests[] = {"python3", "node", "c", "cpp", "bash"};

const cc_language cc_languages[] = {
    {
        .name = "python3",
        .aliases = WORDS("python"),
        .extension = "py",
        .file = "main.py",
        .variants = {{
            .tools = {"python3|python"},
            .run = WORDS("{0}", "{file}"),
            .env = WORDS("PYTHONDONTWRITEBYTECODE=1"),
            .version = WORDS("{0}", "--version"),
            .memory = CC_MEMORY_ADDRESS_SPACE,
            .soft_signal = SIGINT, // KeyboardInterrupt: buffered output is written, and the traceback tells where it was
        }},
        .diagnostics = "python",
        .out_of_memory = WORDS("^MemoryError"),
        .hello = "import sys\nprint('hello', sys.stdin.read())\n",
        .install = "apt install python3",
    },
    {
        .name = "node",
        .aliases = WORDS("javascript", "js", "nodejs"),
        .extension = "js",
        .file = "main.js",
        .file_rule = CC_FILE_MODULE,
        .variants = {{
            .tools = {"node|nodejs"},
            .run = WORDS("{0}", "--max-old-space-size={mb}", "{file}"),
            .version = WORDS("{0}", "--version"),
            .memory = CC_MEMORY_MEASURED,
        }},
        .diagnostics = "node",
        .out_of_memory = WORDS("JavaScript heap out of memory"),
        .hello = "console.log('hello', require('fs').readFileSync(0, 'utf8'))\n",
        .install = "apt install nodejs",
    },
    {
        .name = "bash",
        .aliases = WORDS("sh", "shell"),
        .extension = "sh",
        .file = "main.sh",
        .variants = {{
            .tools = {"bash"},
            .run = WORDS("{0}", "{file}"),
            .version = WORDS("{0}", "--version"),
            .memory = CC_MEMORY_ADDRESS_SPACE,
        }},
        .diagnostics = "bash",
        .out_of_memory = WORDS("cannot allocate", "Cannot allocate memory"),
        .hello = "echo hello \"$(cat)\"\n",
        .install = "apt install bash",
    },
    {
        .name = "c",
        .extension = "c",
        .file = "main.c",
        .variants = {{
            .tools = {"gcc|cc|clang"},
            .compile = WORDS("{0}", "-std=gnu17", "-O2", "-o", "{exe}", "{file}", "-lm"),
            .run = WORDS("{exe}"),
            .version = WORDS("{0}", "--version"),
            .memory = CC_MEMORY_ADDRESS_SPACE,
        }},
        .diagnostics = "gcc",
        .out_of_memory = WORDS("out of memory allocating", "virtual memory exhausted"), // the compiler's
        .hello = "#include <stdio.h>\nint main(void) { char s[99]; printf(\"hello %s\\n\", fgets(s, 99, stdin) ? s : \"\"); }\n",
        .install = "apt install gcc libc6-dev",
    },
    {
        .name = "cpp",
        .aliases = WORDS("c++"),
        .extension = "cpp",
        .file = "main.cpp",
        .variants = {{
            .tools = {"g++|c++|clang++"},
            .compile = WORDS("{0}", "-std=gnu++20", "-O2", "-o", "{exe}", "{file}"),
            .run = WORDS("{exe}"),
            .version = WORDS("{0}", "--version"),
            .memory = CC_MEMORY_ADDRESS_SPACE,
        }},
        .diagnostics = "gcc",
        .out_of_memory = WORDS("^terminate called after throwing an instance of 'std::bad_alloc'", "out of memory allocating",
                               "virtual memory exhausted"),
        .hello = "#include <iostream>\n#include <string>\nint main() { std::string s; std::getline(std::cin, s); std::cout << \"hello \" "
                 "<< s << \"\\n\"; }\n",
        .install = "apt install g++",
    },
};
const size_t cc_languages_count = CC_ARRAY_LEN(cc_languages);

const cc_language *cc_language_find(cc_str name) {
    for (size_t i = 0; i < cc_languages_count; i++) {
        const cc_language *l = &cc_languages[i];
        if (cc_str_eqz(name, l->name)) return l;
        for (const char *const *a = l->aliases; a && *a; a++)
            if (cc_str_eqz(name, *a)) return l;
    }
    return NULL;
}

const char *cc_language_tier(const cc_language *language) {
    for (size_t i = 0; i < CC_ARRAY_LEN(executed_by_tests); i++)
        if (!strcmp(language->name, executed_by_tests[i])) return "tested";
    return "best_effort";
}

cc_str cc_language_names(cc_arena *a) {
    cc_str all = {0};
    for (size_t i = 0; i < cc_languages_count; i++)
        all = cc_arena_printf(a, "%.*s%s%s", (int)all.n, all.n ? all.p : "", i ? ", " : "", cc_languages[i].name);
    return all;
}

const char *cc_language_nearest(cc_str name) {
    const char *best = NULL;
    unsigned least = 3; // further away is another word
    for (size_t i = 0; i < cc_languages_count; i++) {
        const cc_language *l = &cc_languages[i];
        unsigned d = cc_edit_distance(name, cc_str_of(l->name));
        for (const char *const *a = l->aliases; a && *a; a++) {
            unsigned e = cc_edit_distance(name, cc_str_of(*a));
            if (e < d) d = e;
        }
        if (d < least && d < name.n) least = d, best = l->name;
    }
    return best;
}
