// What a tool is: one declaration and one function in one file under src/tools/<group>/. From the declaration come the schema
// in tools/list, argument checking, the command line, the reference page and the fuzz target.
#ifndef CODECALC_TOOLS_H
#define CODECALC_TOOLS_H

#include "codecalc/base.h"
#include "codecalc/json.h"

// ---- declaration ----

typedef enum cc_kind {
    CC_STRING,
    CC_INT,    // an integer of any size: a JSON integer or a string of digits
    CC_NUMBER, // an exact decimal or rational: a JSON number or a string ("0.1", "1e-3", "1/3")
    CC_BOOL,
    CC_ENUM, // one of .values
    CC_STRING_LIST,
    CC_NUMBER_LIST, // items as CC_NUMBER
    CC_STRING_MAP,  // object of strings
    CC_MATRIX,      // array of rows, all of one length; entries as CC_NUMBER or any expression text
    CC_OBJECT,      // any object
} cc_kind;

typedef struct cc_param {
    const char *name; // NULL ends the list
    cc_kind kind;
    bool required;
    bool big;         // the schema says that a string is welcome too (CC_INT, CC_NUMBER and lists of them), or a number (CC_STRING)
    bool brief;       // CC_MATRIX: the schema says no more than that it is a list of lists
    bool unlisted;    // taken, so that it can be answered, but not offered in the schema
    bool clamp;       // out of [min, max] is moved to the bound (with a warning) instead of refused
    int64_t min, max; // CC_INT: allowed range; both 0 = any size
    const char *def;  // default as JSON text; NULL = absent
    size_t max_len;   // strings: bytes; lists, maps and matrices: items (rows × columns); 0 = 1 MiB or 10 000 items
    const char *const *values; // CC_ENUM: NULL-terminated
    const char *doc;           // for the schema and the reference page: one line
    const char *page;          // for the reference page instead of it, which costs no model a token
} cc_param;

// A field of the result object, beside ok, warnings and what every failure carries.
typedef struct cc_field {
    const char *name; // NULL ends the list
    const char *type; // JSON types with "|" between: "string", "integer|string", "object"; "[]" behind one makes it a list of them
    bool always;      // in every result that is not a failed request
    const char *doc;
} cc_field;

typedef enum cc_group { CC_CALCULATOR, CC_VERIFICATION, CC_EXECUTION, CC_SESSIONS, CC_ANALYSIS, CC_ADMIN, CC_GROUPS } cc_group;

typedef enum cc_where { CC_SEALED, CC_FILES, CC_LAUNCHER, CC_SERVER } cc_where;

enum { // hints
    CC_READ_ONLY = 1,
    CC_IDEMPOTENT = 2,
    CC_DESTRUCTIVE = 4,
    CC_OPEN_WORLD = 8,
    CC_ALWAYS_LOAD = 16,      // _meta["anthropic/alwaysLoad"]
    CC_LARGE_RESULT = 32,     // _meta["anthropic/maxResultSizeChars"] = 499520
    CC_USER_INTERACTION = 64, // _meta["anthropic/requiresUserInteraction"]
};

typedef struct cc_call cc_call;
typedef struct cc_args cc_args;

#define CC_DEFAULT_DEADLINE_MS 10000

typedef struct cc_tool {
    const char *name;
    cc_group group;
    const char *title;
    cc_where where;
    cc_where worker; // of a CC_SERVER tool: where its function is run again when it says cc_call_hand_on, or in the background
    unsigned hints;
    unsigned timeout_ms; // default deadline of a call; 0 = CC_DEFAULT_DEADLINE_MS
    const char *doc;
    const cc_param *params;
    const cc_field *result;
    // Writes the result's fields with call->out and returns 0; or -1 with *err set (what was written is dropped).
    int (*run)(cc_call *call, cc_error *err);
    // The deadline of this very call in ms (outer bound, with what the tool needs to end in order); NULL = timeout_ms.
    unsigned (*deadline_ms)(const cc_args *args);
} cc_tool;

// ---- registry (src/tools/registry.c) ----

extern const cc_tool *const cc_tools[]; // src/tools/table.c: every tool, in the fixed order of tools/list; NULL-terminated
size_t cc_tools_count(void);
const cc_tool *cc_tools_find(cc_str name);    // NULL when there is none
const cc_tool *cc_tools_nearest(cc_str name); // the one whose name is closest, NULL when none is close
int cc_tools_index(const cc_tool *tool);      // position in cc_tools
const char *cc_group_name(cc_group group);    // "calculator", …
const char *cc_group_doc(cc_group group);

// Which groups are active, by the words of CODECALC_TOOLS or --tools: group names and the presets core, dev, full, united by
// commas; "" = full. An unknown word is an error that names where it was said (from) and lists the valid ones.
typedef struct cc_selection {
    bool group[CC_GROUPS];
} cc_selection;
int cc_selection_parse(const char *from, cc_str words, cc_selection *out, cc_error *err);
static inline bool cc_selection_has(const cc_selection *s, const cc_tool *t) { return s->group[t->group]; }
// Valid words for messages and help: "core, dev, full, calculator, …".
const char *cc_selection_words(void);

// ---- schema and reference page (src/tools/describe.c) ----

// One element of tools/list: name, title, description, inputSchema, annotations, _meta.
void cc_tool_write_listing(cc_jw *w, const cc_tool *tool);
void cc_tool_write_schema(cc_jw *w, const cc_tool *tool);
// JSON Schema (2020-12) of its results, failures included; no other field is ever sent.
void cc_tool_write_result_schema(cc_jw *w, const cc_tool *tool);
// Its page of reference in Markdown.
void cc_tool_write_page(cc_buf *out, const cc_tool *tool);
// What the page says of one parameter: its kind with what is allowed, and its meaning ("" = its name says it).
void cc_param_write_kind(cc_buf *out, const cc_param *p);
static inline const char *cc_param_meaning(const cc_param *p) { return p->page ? p->page : p->doc ? p->doc : ""; }

// ---- arguments (src/tools/args.c) ----

typedef struct cc_value {
    bool given;          // false: absent, or the default
    bool present;        // false: no value at all (no default)
    bool fits;           // CC_INT: .i holds it
    bool flag;           // CC_BOOL
    int64_t i;           // CC_INT when .fits
    cc_str text;         // CC_STRING, CC_ENUM; the digits of CC_INT (no '+', no leading zeros); CC_NUMBER as written
    const cc_str *items; // CC_STRING_LIST, CC_NUMBER_LIST; values of CC_STRING_MAP; entries of CC_MATRIX row by row
    const cc_str *keys;  // CC_STRING_MAP
    size_t n;            // items
    size_t columns;      // CC_MATRIX (rows = n / columns)
    const cc_json *json; // CC_OBJECT, and the raw value of every kind that was given
} cc_value;

struct cc_args {
    const cc_tool *tool;
    cc_value *values; // as tool->params
    const cc_str *warnings;
    size_t n_warnings;
};

// Checks an arguments object (NULL = {}) against the declaration: unknown keys (the nearest valid one is named), types, ranges,
// defaults, clamps; explicit null is the same as absent. 0, or -1 with CC_VALIDATION naming the field. Result in the arena.
int cc_args_parse(cc_arena *a, const cc_tool *tool, const cc_json *object, cc_args *out, cc_error *err);
// A call from the command line: key=value words → the JSON text of an arguments object (values of string parameters taken as they
// are, others parsed as JSON, with a bare word standing for a string). Appends to out.
int cc_args_from_words(cc_arena *a, const cc_tool *tool, size_t n, char *const *words, cc_buf *out, cc_error *err);

// ---- a call in progress (inside a job) ----

typedef struct cc_runs cc_runs;

struct cc_call {
    const cc_tool *tool;
    cc_arena *arena; // freed when the reply is written
    cc_args args;
    bool ok;          // starts true; false = the tool answered, and the answer is a failure (a program that exits 3)
    cc_jw out;        // open inside the result object, after "ok"
    cc_jw receipt;    // open inside the receipt object
    cc_str *warnings; // of the arguments and of the tool
    size_t n_warnings;
    int64_t deadline_ms;               // of cc_now_ms
    const volatile sig_atomic_t *stop; // becomes nonzero at the soft stop (deadline or cancellation)
    void (*progress)(cc_call *call, double done, double total, cc_str message); // total < 0 = unknown
    // Tells the watcher of this call the next piece of what a program writes; done counts what it has written so far. NULL: nobody watches.
    void (*output)(cc_call *call, double done, cc_str text);
    cc_runs *runs;      // in the server: its background runs; NULL in a worker
    cc_str arguments;   // in the server: the arguments object as text
    bool handed_on;     // set by cc_call_hand_on
    const char *run_id; // in the worker of a background run: the run's name; NULL elsewhere
    void *job;          // of the job layer
    cc_code code;       // how the call ended: CC_OK, or the code of the error; set by cc_call_run
};

// The value of a declared parameter (its name is asserted).
const cc_value *cc_arg(const cc_args *args, const char *name);
static inline cc_str cc_arg_text(const cc_call *c, const char *name) { return cc_arg(&c->args, name)->text; }
static inline int64_t cc_arg_int(const cc_call *c, const char *name) { return cc_arg(&c->args, name)->i; }
static inline bool cc_arg_flag(const cc_call *c, const char *name) { return cc_arg(&c->args, name)->flag; }
static inline bool cc_arg_given(const cc_call *c, const char *name) { return cc_arg(&c->args, name)->present; }
// The deadline of a call with these arguments, in ms from its submission.
unsigned cc_tool_deadline(const cc_tool *tool, const cc_args *args);
// The language of the program that a call will run, as its argument `language` names it; empty when it has none, and when its program
// gets words or variables (`args`, `env`) that no interpreter was started with.
cc_str cc_tool_language(const cc_tool *tool, const cc_args *args);
// For a CC_SERVER tool that cannot answer from memory: what it wrote is dropped, and its function is run in a worker instead. Is 0.
static inline int cc_call_hand_on(cc_call *call) {
    call->handed_on = true;
    return 0;
}
void cc_call_warn(cc_call *call, const char *fmt, ...) CC_PRINTF(2, 3);
// Grade, conditions, notes and warnings of symbolic mathematics (about.c).
struct cc_algebra_about;
void cc_call_tell_about(cc_call *call, const struct cc_algebra_about *about);

// Runs a tool's function on arguments that were checked and appends the whole result object to body ("ok" first; warnings last)
// and, when there is one, the receipt object. Returns false when the result is a failed request (isError on the wire).
bool cc_call_run(cc_call *call, cc_buf *body, cc_buf *receipt);
// The result object of an error.
void cc_error_write(cc_buf *body, const cc_error *err);

#endif
