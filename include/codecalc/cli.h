// What a person types: the command table behind main, and the text editors of client configuration files (pure functions, so
// that they can be fuzzed). Called by main.c and the tests; the rest of src/cli is private to its folder.
#ifndef CODECALC_CLI_H
#define CODECALC_CLI_H

#include "codecalc/base.h"
#include "codecalc/job.h"
#include "codecalc/json.h"

// Exit statuses of every command.
enum { CC_EXIT_OK = 0, CC_EXIT_FAILED = 1, CC_EXIT_USAGE = 2 };

// ---- commands (src/cli/commands.c) ----

typedef struct cc_option {
    const char *name;  // "--json"; NULL ends the list
    const char *value; // what its value is called in help; NULL = a switch
    const char *doc;
} cc_option;

enum { CC_OPTIONS_MAX = 12 };

// A command's words, taken apart. words are those that are not options.
typedef struct cc_invocation {
    const struct cc_command *command;
    const char *given[CC_OPTIONS_MAX]; // by position in command->options: NULL = absent, "" = a switch that was given, else its value
    size_t n_words;
    char **words;
    cc_spawner spawner; // when command->jobs
} cc_invocation;

typedef struct cc_command {
    const char *name;  // NULL ends the table
    const char *words; // after the name, in the usage line
    const char *doc;   // one line
    const char *more;  // paragraphs for `codecalc help NAME`
    const cc_option *options;
    bool jobs; // runs tools: the spawner is started before anything else
    int (*run)(cc_invocation *in);
} cc_command;

extern const cc_command cc_commands[];

// The value of an option ("" for a switch), NULL when it was not given. The name is asserted to be declared.
const char *cc_option_of(const cc_invocation *in, const char *name);
// Takes argv apart and runs the command. Returns the exit status.
int cc_cli_main(int argc, char **argv);

// ---- JSONC editing (src/cli/jsonc.c): JSON with comments and trailing commas, edited in place ----

// Parses JSONC (a BOM, // and /* */ comments and trailing commas are fine) into the arena; *out is NULL for a text without a value.
// 0, or -1 with a CC_VALIDATION message that gives line and column.
int cc_jsonc_parse(cc_arena *a, cc_str text, const cc_json **out, cc_error *err);
// Appends to out the text with the value at path (object keys from the root, at least one) set to value (strict JSON). Every byte
// outside the inserted or replaced span is kept; missing objects on the way are made; an equal value changes nothing. New members
// go first in their object, in the indentation and line endings of the file. An empty text becomes a new document.
// 0, or -1 with *err (text that does not parse, a path through something that is not an object, a key of the path that occurs twice).
int cc_jsonc_set(cc_str text, const cc_str *path, size_t depth, cc_str value, cc_buf *out, cc_error *err);
// Appends to out the text without the member at path (unchanged when there is none). Comments stay. Errors as above.
int cc_jsonc_remove(cc_str text, const cc_str *path, size_t depth, cc_buf *out, cc_error *err);

// ---- TOML editing (src/cli/toml_edit.c): as much as a server table of a configuration file needs ----

// The raw text of key in the table at path: 1 with *raw (points into text), 0 when absent, -1 with *err.
int cc_toml_get(cc_str text, const cc_str *path, size_t depth, cc_str key, cc_str *raw, cc_error *err);
// Appends to out the text with key of the table at path set to value (a TOML value on one line); the table is added at the end of the text
// when it is missing. 0, or -1 with *err: what is not understood, or written in another form than [a.b], is refused.
int cc_toml_set(cc_str text, const cc_str *path, size_t depth, cc_str key, cc_str value, cc_buf *out, cc_error *err);
// Appends to out the text without the table at path and the tables below it. 0, or -1 with *err.
int cc_toml_remove(cc_str text, const cc_str *path, size_t depth, cc_buf *out, cc_error *err);

#endif
