// The memory of GMP, MPFR and FLINT, which take and give back very many small pieces. Folder-private; for one process without threads.
#ifndef CODECALC_JOB_LIBRARY_MEMORY_H
#define CODECALC_JOB_LIBRARY_MEMORY_H

#include <stddef.h>

// Like malloc, calloc, realloc and free, but out of memory ends the process (cc_out_of_memory). The last two also take what malloc gave:
// what the libraries had before this process was forked.
void *cc_library_alloc(size_t n);
void *cc_library_calloc(size_t count, size_t size);
void *cc_library_realloc(void *p, size_t n);
void cc_library_free(void *p);

#endif
