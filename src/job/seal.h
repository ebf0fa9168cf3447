// What a worker may do, by kind. Called by the spawner (prepare, once) and by each worker (the rest). Folder-private.
#ifndef CODECALC_JOB_SEAL_H
#define CODECALC_JOB_SEAL_H

#include "codecalc/base.h"
#include "codecalc/tools.h"

// The descriptor of a worker's socket: the only one that a sealed worker can use.
#define CC_WORKER_SOCKET 3

// Address space of a CC_SEALED or CC_FILES worker, in bytes. Solvers and exact algebra legitimately use hundreds of megabytes, and
// the hardest expressions measured ran away past 1.6 GB without an answer; beyond 2 GiB a few workers could exhaust a small machine.
#define CC_SEALED_MEMORY ((size_t)2 << 30)

// Exit status of a worker that could not be sealed.
#define CC_EXIT_SEAL 87

// Compiles the filters of CC_SEALED and CC_FILES into memory that the workers inherit. 0, or -1 with *err.
int cc_seal_prepare(cc_error *err);
// Gives up every capability and the way back to them, where the kind never needs any (CC_SEALED, CC_FILES).
int cc_seal_credentials(cc_where where, cc_error *err);
// Limits, and for CC_SEALED and CC_FILES Landlock and the filter: the last thing before the first request. Needs
// cc_seal_prepare in this process or in the one it was cloned from. 0, or -1 with *err: the worker must then not serve.
int cc_seal_apply(cc_where where, cc_error *err);

#endif
