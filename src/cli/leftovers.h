// What codecalc keeps on this machine, and what of it is left over: found for status, removed for cleanup. Private to src/cli.
#ifndef CODECALC_CLI_LEFTOVERS_H
#define CODECALC_CLI_LEFTOVERS_H

#include "codecalc/run.h"
#include "codecalc/runs.h"

enum {
    CC_FOLDER_STALE_S = 3600, // no run lasts a tenth of this
    CC_RECORD_OLD_S = 86400,  // a run that ended a day ago is not asked for any more
};

typedef struct cc_leftovers {
    size_t folders, stale_folders; // work directories of runs below full isolation; of them, left by runs that were killed
    size_t kept_folders;           // stale ones that could not be removed
    cc_run_records records;
    unsigned programs; // compiled ones that are kept, to be run again
    uint64_t program_bytes;
    cc_warm_kept warm; // prepared toolchains
} cc_leftovers;

// Looks, and with remove also removes: stale folders, old records, compiled programs, prepared toolchains. now_ms: since 1970. 0, or -1
// with *err when a folder cannot be read.
int cc_leftovers_find(int64_t now_ms, bool remove, cc_leftovers *out, cc_error *err);

#endif
