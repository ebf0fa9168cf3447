// AI clients that start an MCP server: where each reads its configuration, as data. Private to src/cli.
#ifndef CODECALC_CLI_CLIENTS_H
#define CODECALC_CLI_CLIENTS_H

#include "codecalc/base.h"

typedef enum cc_client_format { CC_CLIENT_JSON, CC_CLIENT_JSONC, CC_CLIENT_TOML } cc_client_format; // JSON: comments would break it

// A path: the folder that an environment variable names, or base when it names none, and rest behind it.
typedef struct cc_client_path {
    const char *variable; // NULL = none
    const char *base;     // "~/.codex"
    const char *rest;     // "/config.toml"
} cc_client_path;

typedef struct cc_client {
    const char *name; // for --client; NULL ends the table
    const char *title;
    cc_client_path detect; // there when the client is installed
    cc_client_path file;
    cc_client_path other_file; // used instead when it exists and file does not; base NULL = none
    const char *project_file;  // below the project's folder; NULL = the client has none
    cc_client_format format;
    const char *key;       // of the object (or table) of servers
    bool typed;            // "type": "stdio" belongs in the entry
    bool env;              // an "env" object belongs in the entry
    cc_client_path skills; // folder of skills; base NULL = none
    const char *project_skills;
    const char *after; // what to do when the file was changed
} cc_client;

extern const cc_client cc_clients[];

const cc_client *cc_client_find(cc_str name);
// "claude-desktop, claude-code, …" in the arena.
const char *cc_client_names(cc_arena *a);
// The path, absolute, in the arena; NULL when there is no home folder.
const char *cc_client_path_of(cc_arena *a, const cc_client_path *path);
bool cc_client_installed(const cc_client *client);

#endif
