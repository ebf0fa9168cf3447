// The child's side of a job. Called by the spawner in the process that it has just cloned. Folder-private.
#ifndef CODECALC_JOB_WORKER_H
#define CODECALC_JOB_WORKER_H

#include "codecalc/base.h"
#include "codecalc/tools.h"

// Turns this process into a worker that serves the socket until its other end closes. Both descriptors are the caller's and are
// taken over: socket is a stream, server a pidfd of the server. A launcher starts an interpreter of language ahead (0 = none). Never
// returns.
CC_NORETURN void cc_worker_main(cc_where where, unsigned language, int socket, int server);

#endif
