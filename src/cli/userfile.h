// Files that belong to the user: read whole, replaced whole or not at all, never lost. Private to src/cli.
#ifndef CODECALC_CLI_USERFILE_H
#define CODECALC_CLI_USERFILE_H

#include <sys/stat.h>

#include "codecalc/base.h"

typedef struct cc_userfile {
    char path[4096]; // as named, for messages and the backup
    char real[4096]; // behind symbolic links
    bool exists;
    struct stat st; // when exists
    cc_buf text;
} cc_userfile;

void cc_cleanup_userfile_(cc_userfile *f);
#define CC_CLEANUP_USERFILE __attribute__((cleanup(cc_cleanup_userfile_)))

// Reads path; a file that is not there is no error (exists = false). Refused: what is no regular file, a link to nothing, more than
// 64 MiB, and anything that really lies outside root (an absolute folder). 0, or -1 with *err.
int cc_userfile_load(cc_userfile *f, const char *path, const char *root, cc_error *err);

// Copies the loaded bytes to <path>.codecalc-bak; when an earlier backup says something else it stays, and the copy gets a time
// stamp in its name. Nothing to do for a file that does not exist. Its name goes to name (empty when none was needed).
int cc_userfile_backup(const cc_userfile *f, char *name, size_t size, cc_error *err);

// Puts text in place of the file, or makes it (with its folders): written aside in the same folder, synced, renamed, read again and
// compared. Keeps mode and owner. Refused when the file changed since it was loaded, when another process holds a lock on it, or
// when it has several names (hard links).
int cc_userfile_replace(const cc_userfile *f, cc_str text, cc_error *err);
// Deletes the loaded file, under the same conditions.
int cc_userfile_delete(const cc_userfile *f, cc_error *err);

// Calls visit for each backup of path, until it returns true. Returns whether one did.
bool cc_userfile_backups(const char *path, bool (*visit)(void *ctx, const char *backup, cc_str text), void *ctx);

// Makes the folder that path lies in, below root. 0, or -1 with *err.
int cc_userfile_make_folder(const char *path, const char *root, cc_error *err);

#endif
