// codecalc's entry in the configuration of a client, as text in and text out. Private to src/cli.
#ifndef CODECALC_CLI_ENTRY_H
#define CODECALC_CLI_ENTRY_H

#include "cli/clients.h"
#include "codecalc/cli.h"

typedef struct cc_entry {
    cc_str command; // absolute path of the program
    cc_str args;    // JSON array of strings, e.g. ["serve"]
} cc_entry;

// 1 with the entry in *out (in the arena; a part that is missing or of another form is empty), 0 when there is none, -1 when the text is
// not understood.
int cc_entry_read(cc_arena *a, const cc_client *client, cc_str text, cc_entry *out, cc_error *err);
// Appends to out the text with the entry. Of an entry that is there already everything is kept but the command and, when they do not start
// the server or keep_args is false, the arguments. 0, or -1 when the text cannot be edited for certain.
int cc_entry_set(const cc_client *client, const cc_entry *entry, bool keep_args, cc_str text, cc_buf *out, cc_error *err);
// Appends to out the text without the entry.
int cc_entry_remove(const cc_client *client, cc_str text, cc_buf *out, cc_error *err);
// True when the client reads strict JSON and the text is none (comments, trailing commas).
bool cc_entry_needs_strict(const cc_client *client, cc_str text);

#endif
