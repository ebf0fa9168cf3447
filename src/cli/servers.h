// Servers that run on this machine, as /proc shows them. Private to src/cli.
#ifndef CODECALC_CLI_SERVERS_H
#define CODECALC_CLI_SERVERS_H

#include "codecalc/base.h"

typedef struct cc_waiting_interpreter {
    const char *name; // of its process
    uint64_t kb;
} cc_waiting_interpreter;

typedef struct cc_server {
    int pid;
    unsigned processes; // its own and all below it
    uint64_t kb;        // that these hold: shared pages counted once where the kernel tells (PSS), else as often as they are mapped
    cc_waiting_interpreter *waiting; // started ahead, without a program yet
    size_t n_waiting;
} cc_server;

// Those of this user, of root all. The list lives in the arena. 0, or -1 with *err when there is no /proc.
int cc_servers_find(cc_arena *a, cc_server **out, size_t *n, cc_error *err);

#endif
