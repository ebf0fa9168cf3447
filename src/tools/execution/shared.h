// What the tools that run a program share: the declaration of its arguments and result, reading the one and writing the other, and telling
// what it prints while it runs. One path for all of them, so that they cannot differ. Folder-private.
#ifndef CODECALC_TOOLS_EXECUTION_SHARED_H
#define CODECALC_TOOLS_EXECUTION_SHARED_H

#include "codecalc/run.h"
#include "codecalc/tools.h"

// The arguments. Their names say most of it, and every byte of a text is sent with every list of tools: so one tool explains them
// (TEXT = CC_EXPLAINED), and the others refer to it (CC_UNEXPLAINED) and do not list what is rarely needed.
#define CC_EXPLAINED(text)     .doc = (text)
#define CC_UNEXPLAINED(text)   .doc = NULL
#define CC_RARE_CC_EXPLAINED   false
#define CC_RARE_CC_UNEXPLAINED true
#define CC_PROGRAM_PARAMS(TEXT, seconds, most_seconds, most_doc)                                                                           \
    {"language",                                                                                                                           \
     CC_STRING,                                                                                                                            \
     .required = true,                                                                                                                     \
     .max_len = 32,                                                                                                                        \
     TEXT("python3, node, c, rust, go … (list_languages)"),                                                                                \
     .page = "Name or alias, in any case (list_languages)"},                                                                               \
        {"code", CC_STRING, .required = true, .max_len = 4 << 20, .page = "The program"},                                                  \
        {"stdin", CC_STRING, .max_len = 12 << 20, .page = "What it can read"},                                                             \
        {"timeout",     CC_INT,           .min = 1,          .max = (most_seconds),                                                        \
         .clamp = true, .def = (seconds), .doc = (most_doc), .page = "Seconds for everything, compiling included"},                        \
        {"max_memory_mb",                                                                                                                  \
         CC_INT,                                                                                                                           \
         .min = 0,                                                                                                                         \
         .max = 1 << 24,                                                                                                                   \
         .clamp = true,                                                                                                                    \
         .def = "0",                                                                                                                       \
         .unlisted = CC_RARE_##TEXT,                                                                                                       \
         .page = "MiB for all its processes and files; 0: CODECALC_DEFAULT_MEMORY_MB"},                                                    \
        {"max_output_kb",                                                                                                                  \
         CC_INT,                                                                                                                           \
         .min = 0,                                                                                                                         \
         .max = CC_RUN_OUTPUT_MAX_KB,                                                                                                      \
         .clamp = true,                                                                                                                    \
         .def = "0",                                                                                                                       \
         .unlisted = CC_RARE_##TEXT,                                                                                                       \
         .page = "KiB kept of each stream; 0: 64"},                                                                                        \
        {"max_cpu",                                                                                                                        \
         CC_INT,                                                                                                                           \
         .min = 0,                                                                                                                         \
         .max = 86400,                                                                                                                     \
         .clamp = true,                                                                                                                    \
         .def = "0",                                                                                                                       \
         .unlisted = CC_RARE_##TEXT,                                                                                                       \
         TEXT("Seconds"),                                                                                                                  \
         .page = "Seconds of CPU time of all its processes; 0: as long as timeout allows"},                                                \
        {"no_net", CC_BOOL, .def = "true", TEXT("false asks for network"),                                                                 \
         .page = "false asks for the network, which CODECALC_CAPABILITY_POLICY must allow"},                                               \
        {"files",                                                                                                                          \
         CC_STRING_MAP,                                                                                                                    \
         .max_len = 64,                                                                                                                    \
         .unlisted = CC_RARE_##TEXT,                                                                                                       \
         TEXT("Path to content"),                                                                                                          \
         .page = "Files beside the program: relative path to content; sources among them are compiled too"},                               \
        {"args", CC_STRING_LIST, .max_len = 256, .unlisted = CC_RARE_##TEXT, .page = "Its arguments"},                                     \
        {"env", CC_STRING_MAP, .max_len = 64, .unlisted = CC_RARE_##TEXT, .page = "Variables of its environment"},                         \
        {"provider", CC_STRING, .max_len = 64, .unlisted = true, .doc = "Only 'local'"},                                                   \
        {"dependencies", CC_STRING_LIST, .unlisted = true, .doc = "Installing packages is not available yet"}, {                           \
        "compact", CC_BOOL, .def = "false", .unlisted = CC_RARE_##TEXT,                                                                    \
                            .page = "Without times, memory and counts; without stderr when it succeeded"                                   \
    }

// The fields of a result; ALWAYS: whether there always is one.
#define CC_PROGRAM_FIELDS(ALWAYS)                                                                                                          \
    {"verdict", "string", ALWAYS, "OK, TLE (time), MLE (memory), OLE (output cut), RTE (failed; also compile errors)"},                    \
        {"language", "string", false, "the language's own name"},                                                                          \
        {"phase", "string", false, "compile, when that is what the verdict speaks of"},                                                    \
        {"exit_code", "integer", ALWAYS, "minus the signal's number when a signal ended it"},                                              \
        {"signal", "integer", false, "the signal that ended it"},                                                                          \
        {"code", "string", false, "timeout or resource_exhausted, when a limit ended it"},                                                 \
        {"error", "string", false, "which limit, and what was measured"}, {"remedy", "string", false, "what to do about it"},              \
        {"timed_out", "boolean", false, "wall-clock or CPU time"},                                                                         \
        {"stdout", "string", ALWAYS, "what it wrote; invalid UTF-8 as \\xNN; beginning and end when cut"},                                 \
        {"stderr", "string", false, "the same for stderr; the compiler's when that failed"},                                               \
        {"stdout_bytes", "integer", false, "bytes really written"}, {"stderr_bytes", "integer", false, "bytes really written"},            \
        {"output_truncated", "boolean", false, "one of the streams is cut"},                                                               \
        {"diagnostics", "object[]", false, "errors as {file, line, column, severity, message}"},                                           \
        {"exception", "object", false,                                                                                                     \
         "what python3, node, typescript, ruby, php, perl, r or erlang did not catch: {type, message, frames: [{file, line, function}]} "  \
         "of own "                                                                                                                         \
         "files"},                                                                                                                         \
        {"duration_ms", "integer", false, "of the program (of compiling in that phase)"},                                                  \
        {"compile_ms", "integer", false, "of compiling"},                                                                                  \
        {"prepare_ms", "integer", false, "of preparing the toolchain before that, once a machine; counts for no limit"},                   \
        {"compile_cached", "boolean", false, "true when an earlier run had compiled the same"},                                            \
        {"total_ms", "integer", false, "of everything but prepare_ms"},                                                                    \
        {"cpu_ms", "integer", false, "of all its processes, the start of an interpreter that waited included"},                            \
        {"peak_memory_kb", "integer", false, "of all its processes at once"},                                                              \
        {"dependencies", "object", false, "the program's PEP 723 block asks for packages; none is installed"},                             \
        {"network", "boolean", false, "true when the program had the network"}, {                                                          \
        "unenforced", "string[]", false, "guarantees that could not be given in this run"                                                  \
    }

// Reads the arguments above. 0, or -1 with *err naming the field. Looks at nothing but the arguments and the tables, so that the server
// may call it.
int cc_program_read(cc_call *call, cc_run_request *out, cc_error *err);
// Writes the fields above, the receipt, and sets call->ok.
void cc_program_answer(cc_call *call, const cc_run_request *q, const cc_run_result *r);
// The fields alone. tool: whose arguments a remedy may name.
void cc_program_write(cc_jw *w, const cc_tool *tool, const cc_run_request *q, const cc_run_result *r, bool compact);
// The fields of a receipt.
void cc_program_write_receipt(cc_jw *w, const cc_run_request *q, const cc_run_result *r);
// The deadline of a call with these arguments.
unsigned cc_program_deadline(const cc_args *args);

// A language by its name in that argument; NULL with *err, which names the nearest.
const cc_language *cc_program_language(cc_arena *a, const char *field, cc_str name, cc_error *err);

// "compile" and "run": the commands of a variant, with the names of the tools found (NULL: of the first that are looked for).
void cc_program_write_commands(cc_jw *w, const cc_variant *v, const cc_resolution *found);
// "environment": the variables that a variant sets and that a program could notice.
void cc_program_write_environment(cc_jw *w, const cc_variant *v);

// Runs the program and tells the call's watcher, if there is one, what it prints: at most ten times a second, the beginning of each stream
// up to its limit. As cc_run_execute.
int cc_program_run_watched(cc_call *call, cc_run_request *q, cc_run_result *r, cc_error *err);

#endif
