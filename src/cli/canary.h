// Proof that a client would be served: the program starts itself as a client would and makes real calls. Private to src/cli.
#ifndef CODECALC_CLI_CANARY_H
#define CODECALC_CLI_CANARY_H

#include "codecalc/base.h"

typedef enum cc_canary_state {
    CC_CANARY_OK,
    CC_CANARY_MISSING, // the server answers, but what the call needs is not installed (python3)
    CC_CANARY_FAILED,
} cc_canary_state;

typedef struct cc_canary {
    const char *what; // "calc_exact", "execute_code python3"
    cc_canary_state state;
    int64_t ms;       // of the call
    char detail[400]; // what was answered instead; empty when ok
    char remedy[384];
} cc_canary;

enum { CC_CANARIES = 2 };

// Starts `program serve` with pipes, says hello as a client does, makes the calls one after the other and ends it. Bounded to 30 s.
// Each of out is filled in, also when nothing could be started. *start_ms is the time from start to the answer to initialize.
void cc_canaries_run(const char *program, cc_canary out[CC_CANARIES], int64_t *start_ms);

#endif
