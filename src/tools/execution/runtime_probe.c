// runtime_probe: what a language really is on this machine, by asking it: its version, how it is called, its standard library and the
// packages that a program in the sandbox can import. A small program in the language answers the last two, run like any other.
#include <stdio.h>

#include "tools/execution/shared.h"

enum { LISTED_MAX = 100, TIMEOUT_MS = 30000 };

static const cc_param params[] = {
    {"language", CC_STRING, .required = true, .max_len = 32, .page = "Name or alias (list_languages)"},
    {"package", CC_STRING, .max_len = 100, .page = "Part of a name: lists only the packages and modules that fit"},
    {0},
};

static const cc_field fields[] = {
    {"language", "string", true, "the language's own name"},
    {"version", "string", false, "what the runtime says of itself"},
    {"tier", "string", true, "tested: the project's tests execute it; best_effort"},
    {"tools", "object[]", true, "commands: name, path (what is executed), found (where it was found, when that differs)"},
    {"compile", "string", false, "how it is compiled"},
    {"run", "string", true, "how it is run"},
    {"environment", "string[]", false, "variables that are set for it"},
    {"standard_library", "string", false, "what is in it, and what of it is missing here"},
    {"notes", "string", false, "what is particular about it"},
    {"modules", "string[]", false, "with `package`: what of the standard library fits; the first 100"},
    {"packages_count", "integer", false, "third-party packages that a program can import (with `package`: that fit)"},
    {"packages", "string[]", false, "their names and versions, and in brackets the name to import when that is what fits; the first 100"},
    {0},
};

// ---- the questions: each prints one JSON object, {"standard_library": text, "modules": [name, …], "packages": [[name, version or null,
// further names to import …], …]} ----

// Which modules a package brings takes time to find out, so only when a name is asked for: PIL is Pillow's.
static const char python[] =
    "import json, sys\n"
    "from importlib import metadata, util\n"
    "found, brings = {}, {}\n"
    "if len(sys.argv) > 1 and hasattr(metadata, 'packages_distributions'):\n"
    "    for module, names in metadata.packages_distributions().items():\n"
    "        for name in names: brings.setdefault(name, []).append(module)\n"
    "for d in metadata.distributions():\n"
    "    name = d.metadata['Name']\n"
    "    if name: found.setdefault(name, d.version)\n"
    "names = [n for n in sorted(getattr(sys, 'stdlib_module_names', ())) if not n.startswith('_')]\n"
    "there = [n for n in names if util.find_spec(n)]\n"
    "elsewhere = {'msilib', 'msvcrt', 'nt', 'winreg', 'winsound'}\n"
    "missing = [n for n in names if n not in elsewhere and n not in there]\n"
    "text = f'{len(there)} modules' if names else 'not listed before Python 3.10'\n"
    "if missing: text += '; missing: ' + ', '.join(missing)\n"
    "packages = [[n, v, *sorted(brings.get(n, ()))] for n, v in sorted(found.items(), key=lambda p: p[0].lower())]\n"
    "print(json.dumps({'standard_library': text, 'modules': there, 'packages': packages}))\n";

// Exactly the places where require() looks.
static const char node[] =
    "const fs = require('fs'), path = require('path'), { builtinModules } = require('module');\n"
    "const found = new Map();\n"
    "const look = (folder, name) => {\n"
    "  try {\n"
    "    const about = JSON.parse(fs.readFileSync(path.join(folder, name, 'package.json'), 'utf8'));\n"
    "    if (!found.has(name)) found.set(name, about.version || null);\n"
    "  } catch {}\n"
    "};\n"
    "for (const folder of require.resolve.paths('x') || []) {\n"
    "  let names = [];\n"
    "  try { names = fs.readdirSync(folder); } catch {}\n"
    "  for (const name of names) {\n"
    "    if (!name.startsWith('@')) { look(folder, name); continue; }\n"
    "    try { for (const part of fs.readdirSync(path.join(folder, name))) look(folder, `${name}/${part}`); } catch {}\n"
    "  }\n"
    "}\n"
    "const own = builtinModules.filter(n => !n.startsWith('_'));\n"
    "console.log(JSON.stringify({ standard_library: `${own.length} modules`, modules: own, packages: [...found].sort() }));\n";

static const char ruby[] = "require 'json'\n"
                           "files = RbConfig::CONFIG.values_at('rubylibdir', 'rubyarchdir').flat_map { |d| Dir.children(d) rescue [] }\n"
                           "there = files.map { |f| f[/\\A(\\w+)\\.(?:rb|so)\\z/, 1] }.compact.uniq.sort\n"
                           "own, others = Gem::Specification.to_a.partition(&:default_gem?)\n"
                           "found = others.map { |s| [s.name, s.version.to_s] }.sort\n"
                           "puts JSON.generate({ standard_library: \"#{own.length} default gems\", modules: there, packages: found })\n";

static const char perl[] = "use strict; use Config; use File::Find; use JSON::PP;\n"
                           "my %found;\n"
                           "for my $folder (grep { defined && -d } @Config{qw(vendorlib vendorarch sitelib sitearch)}) {\n"
                           "    find({ no_chdir => 1, wanted => sub {\n"
                           "        return unless /\\.pm$/;\n"
                           "        my $name = substr($_, length($folder) + 1);\n"
                           "        $name =~ s/\\.pm$//; $name =~ s{/}{::}g;\n"
                           "        $found{$name} = 1;\n"
                           "    } }, $folder);\n"
                           "}\n"
                           "my $core = eval { require Module::CoreList; $Module::CoreList::version{$]} } || {};\n"
                           "my @own = sort keys %$core;\n"
                           "my @packages = map { [$_, undef] } sort keys %found;\n"
                           "print encode_json({ standard_library => @own ? @own . ' modules' : 'not listed: Module::CoreList is missing',\n"
                           "    modules => \\@own, packages => \\@packages });\n";

static const char r[] = "p <- installed.packages()[, c('Package', 'Version', 'Priority'), drop = FALSE]\n"
                        "own <- !is.na(p[, 'Priority']) & p[, 'Priority'] == 'base'\n"
                        "pairs <- sprintf('[\"%s\",\"%s\"]', p[!own, 'Package'], p[!own, 'Version'])\n"
                        "cat(sprintf('{\"standard_library\":\"%s\",\"packages\":[%s]}', paste(sort(p[own, 'Package']), collapse = ', '),\n"
                        "            paste(sort(pairs), collapse = ',')))\n";

static const char c[] = "#include <stdio.h>\n"
                        "#ifdef __GLIBC__\n"
                        "#include <gnu/libc-version.h>\n"
                        "#endif\n"
                        "int main(void) {\n"
                        "    printf(\"{\\\"standard_library\\\":\\\"\");\n"
                        "#ifdef __GLIBC__\n"
                        "    printf(\"glibc %s, \", gnu_get_libc_version());\n"
                        "#endif\n"
                        "    printf(\"C standard %ld\\\"}\", (long)__STDC_VERSION__);\n"
                        "}\n";

static const char cpp[] = "#include <cstdio>\n"
                          "int main() {\n"
                          "    std::printf(\"{\\\"standard_library\\\":\\\"\");\n"
                          "#if defined _GLIBCXX_RELEASE\n"
                          "    std::printf(\"libstdc++ %d, \", _GLIBCXX_RELEASE);\n"
                          "#elif defined _LIBCPP_VERSION\n"
                          "    std::printf(\"libc++ %d, \", _LIBCPP_VERSION);\n"
                          "#endif\n"
                          "    std::printf(\"C++ standard %ld\\\"}\", (long)__cplusplus);\n"
                          "}\n";

static const struct {
    const char *language, *program;
} questions[] = {{"python3", python}, {"node", node}, {"ruby", ruby}, {"perl", perl}, {"r", r}, {"c", c}, {"cpp", cpp}};

// ---- asking ----

static bool contains(cc_str name, cc_str part) {
    if (!part.n) return true;
    for (size_t i = 0; i + part.n <= name.n; i++)
        if (strncasecmp(name.p + i, part.p, part.n) == 0) return true;
    return false;
}

static void write_modules(cc_jw *w, const cc_json *modules, cc_str part) {
    int64_t n = 0;
    cc_json_iter it = cc_json_iterate(modules);
    while (cc_json_next(&it)) {
        if (cc_json_type_of(it.value) != CC_JSON_STRING || !contains(cc_json_string(it.value), part) || n == LISTED_MAX) continue;
        if (!n++) {
            cc_jw_key(w, "modules");
            cc_jw_array(w);
        }
        cc_jw_string(w, cc_json_string(it.value));
    }
    if (n) cc_jw_end_array(w);
}

// One package as "name version", or "name version (import module)" when only the module fits. False when it does not fit.
static bool describe_package(cc_buf *out, const cc_json *package, cc_str part) {
    cc_json_iter it = cc_json_iterate(package);
    bool fits = false;
    for (size_t i = 0; cc_json_next(&it); i++) {
        cc_str text = cc_json_type_of(it.value) == CC_JSON_STRING ? cc_json_string(it.value) : (cc_str){0};
        if (i == 0) fits = text.n && contains(text, part);
        if (i < 2 && text.n) cc_buf_printf(out, "%s%.*s", i ? " " : "", (int)text.n, text.p);
        if (i < 2 || fits || !contains(text, part)) continue;
        cc_buf_printf(out, " (import %.*s)", (int)text.n, text.p);
        fits = true;
    }
    return fits;
}

static void write_packages(cc_jw *w, const cc_json *packages, cc_str part) {
    CC_CLEANUP_BUF cc_buf list = {0};
    cc_jw l = cc_jw_make(&list);
    int64_t n = 0;
    cc_jw_array(&l);
    cc_json_iter it = cc_json_iterate(packages);
    while (cc_json_next(&it)) {
        CC_CLEANUP_BUF cc_buf text = {0};
        if (cc_json_type_of(it.value) != CC_JSON_ARRAY || !describe_package(&text, it.value, part)) continue;
        if (n++ < LISTED_MAX) cc_jw_string(&l, cc_buf_str(&text));
    }
    cc_jw_end_array(&l);
    cc_jw_kint(w, "packages_count", n);
    if (n) cc_jw_kraw(w, "packages", cc_buf_str(&list));
}

static int ask_program(cc_call *call, const cc_language *language, const char *program, cc_str package, const cc_json **answer,
                       cc_error *err) {
    const cc_run_request q = {.tool = call->tool->name,
                              .language = language,
                              .code = cc_str_of(program),
                              .args = &package,
                              .n_args = package.n ? 1 : 0,
                              .timeout_ms = TIMEOUT_MS,
                              .output_kb = CC_RUN_OUTPUT_MAX_KB,
                              .stop = call->stop};
    cc_run_result result;
    if (cc_run_execute(call->arena, &q, &result, err)) return -1;
    if (result.verdict == CC_VERDICT_OK && !cc_json_parse(call->arena, result.out.text, CC_JSON_MAX_DEPTH, answer, err)) return 0;
    cc_str said = cc_utf8_prefix(cc_str_trim(result.err.text), 200);
    return cc_error_set(err, CC_WORKER_FAILURE, "%s %.*s", cc_verdict_name(result.verdict), (int)said.n, said.n ? said.p : "");
}

// What the language's program says of its library and packages; a warning where it cannot be known.
static void ask(cc_call *call, const cc_language *language) {
    const char *program = NULL;
    const cc_json *answer = NULL;
    cc_str package = cc_arg_text(call, "package");
    cc_error err;
    for (size_t i = 0; i < CC_ARRAY_LEN(questions); i++)
        if (strcmp(questions[i].language, language->name) == 0) program = questions[i].program;
    if (program && ask_program(call, language, program, package, &answer, &err)) {
        cc_call_warn(call, "its library and packages could not be asked for: %s", err.msg);
        return;
    }
    const cc_json *library = answer ? cc_json_get_type(answer, "standard_library", CC_JSON_STRING) : NULL;
    const cc_json *modules = answer ? cc_json_get_type(answer, "modules", CC_JSON_ARRAY) : NULL;
    const cc_json *packages = answer ? cc_json_get_type(answer, "packages", CC_JSON_ARRAY) : NULL;
    if (library) cc_jw_kstring(&call->out, "standard_library", cc_json_string(library));
    if (modules && package.n) write_modules(&call->out, modules, package);
    if (packages)
        write_packages(&call->out, packages, package);
    else if (package.n)
        cc_call_warn(call, "package: not looked for; what %s can import is not listed. Import it with execute_code to find out",
                     language->name);
}

static void write_tools(cc_jw *w, const cc_resolution *found) {
    cc_jw_key(w, "tools");
    cc_jw_array(w);
    for (size_t i = 0; i < found->n_tools; i++) {
        const cc_tool_path *t = &found->tools[i];
        cc_jw_object(w);
        cc_jw_kstringz(w, "name", t->name);
        cc_jw_kstringz(w, "path", t->path);
        if (strcmp(t->found, t->path) != 0) cc_jw_kstringz(w, "found", t->found);
        cc_jw_end_object(w);
    }
    cc_jw_end_array(w);
}

static int run(cc_call *call, cc_error *err) {
    const cc_language *language = cc_program_language(call->arena, "language", cc_arg_text(call, "language"), err);
    cc_resolution found;
    cc_error missing;
    cc_str version;
    cc_jw *w = &call->out;
    if (!language || cc_language_resolve(call->arena, language, &found, err)) return -1;
    cc_jw_kstringz(w, "language", language->name);
    if (cc_language_version(call->arena, &found, &version, &missing) == 0)
        cc_jw_kstring(w, "version", version);
    else
        cc_call_warn(call, "%s", missing.msg);
    cc_jw_kstringz(w, "tier", cc_language_tier(language));
    write_tools(w, &found);
    cc_program_write_commands(w, found.variant, &found);
    cc_program_write_environment(w, found.variant);
    if (language->notes) cc_jw_kstringz(w, "notes", language->notes);
    ask(call, language);
    return 0;
}

const cc_tool cc_tool_runtime_probe = {
    .name = "runtime_probe",
    .group = CC_EXECUTION,
    .title = "Runtime Probe",
    .where = CC_LAUNCHER,
    .hints = CC_READ_ONLY | CC_IDEMPOTENT,
    .timeout_ms = 60000,
    .doc = "Ask one language here: version, commands and flags, standard library, packages it can import (named like `package`).",
    .params = params,
    .result = fields,
    .run = run,
};
