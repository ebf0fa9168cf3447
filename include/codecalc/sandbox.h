// The confined child. Set-up is data: a list of operations that one switch executes between clone and exec. Uses the first part
// of base.h and libc only.
#ifndef CODECALC_SANDBOX_H
#define CODECALC_SANDBOX_H
#include "codecalc/base.h"
#endif
