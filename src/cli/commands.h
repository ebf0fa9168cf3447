// The commands and what they share. Private to src/cli.
#ifndef CODECALC_CLI_COMMANDS_H
#define CODECALC_CLI_COMMANDS_H

#include "cli/term.h"
#include "codecalc/cli.h"

int cc_cmd_serve(cc_invocation *in);
int cc_cmd_call(cc_invocation *in);
int cc_cmd_tools(cc_invocation *in);
int cc_cmd_doctor(cc_invocation *in);
int cc_cmd_setup(cc_invocation *in);
int cc_cmd_status(cc_invocation *in);
int cc_cmd_cleanup(cc_invocation *in);
int cc_cmd_completion(cc_invocation *in);
int cc_cmd_version(cc_invocation *in);
int cc_cmd_help(cc_invocation *in);

// "codecalc: message" and the remedy to stderr; returns status.
int cc_cli_fail(int status, const cc_error *err);
// A usage error: as above with CC_EXIT_USAGE and a pointer to the command's help.
int cc_cli_usage(const cc_invocation *in, const char *fmt, ...) CC_PRINTF(2, 3);

// ---- one tool call from a command (src/cli/runner.c) ----

typedef struct cc_runner cc_runner;
// Takes the spawner over. Never NULL.
cc_runner *cc_runner_new(cc_spawner spawner);
// Runs one call to its end; the result object (one line) is appended to body. 1 when its "ok" is true, 0 when it is not, -1 with *err
// when the arguments are refused (CC_VALIDATION) or it could not be started. progress may be NULL. SIGINT cancels the call.
int cc_runner_call(cc_runner *r, const cc_tool *tool, cc_str arguments, cc_term *progress, cc_buf *body, cc_error *err);
// Ends every process and frees the rest.
void cc_runner_free(cc_runner *r);

// ---- versions (src/cli/version.c) ----

typedef struct cc_library {
    const char *name, *version;
} cc_library;
// Every library in this binary; *n of them. Static.
const cc_library *cc_libraries(size_t *n);
// The same as a JSON member, "libraries": {name: version}.
void cc_libraries_write(cc_jw *w);
// The absolute path of this program's file. 0, or -1 with *err.
int cc_self_path(char *out, size_t size, cc_error *err);
// True when path lies in a place that is cleaned now and then (/tmp, /var/tmp, /dev/shm, /run, TMPDIR).
bool cc_path_is_temporary(const char *path);

// ---- the skill (src/cli/skill.c) ----

// SKILL.md as built in.
cc_str cc_skill_text(void);

#endif
