// The temporary file of FLINT's quadratic sieve, kept in memory: a sealed job may not open files. The build renames mkstemp, fdopen,
// fopen and remove to the functions below inside FLINT's archive alone (see Makefile), so nothing else is affected. The sieve has one
// file at a time, written in one or two passes and read after each. Owns that file's bytes.
#include <errno.h>
#include <stdio.h>

#include "codecalc/base.h"

int cc_flint_mkstemp(char *name);
FILE *cc_flint_fdopen(int fd, const char *mode);
FILE *cc_flint_fopen(const char *name, const char *mode);
int cc_flint_remove(const char *name);

#define FILE_NUMBER 0x5e1f // not a descriptor: only ever handed back to cc_flint_fdopen

static cc_buf file;
static size_t read_at;

static ssize_t on_write(void *cookie, const char *data, size_t n) {
    (void)cookie;
    cc_buf_add(&file, data, n);
    return (ssize_t)n;
}

static ssize_t on_read(void *cookie, char *into, size_t n) {
    (void)cookie;
    if (n > file.n - read_at) n = file.n - read_at;
    if (n) memcpy(into, file.p + read_at, n);
    read_at += n;
    return (ssize_t)n;
}

static int on_seek(void *cookie, off64_t *offset, int whence) {
    (void)cookie;
    off64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off64_t)read_at : (off64_t)file.n;
    off64_t to = base + *offset;
    if (to < 0 || (size_t)to > file.n) return errno = EINVAL, -1;
    *offset = to;
    read_at = (size_t)to;
    return 0;
}

static FILE *stream(const char *mode) {
    if (mode[0] == 'w') file.n = 0;
    read_at = 0;
    return fopencookie(NULL, mode, (cookie_io_functions_t){.read = on_read, .write = on_write, .seek = on_seek});
}

int cc_flint_mkstemp(char *name) {
    (void)name; // the template itself serves as the name
    return FILE_NUMBER;
}

FILE *cc_flint_fdopen(int fd, const char *mode) {
    if (fd != FILE_NUMBER) return errno = EBADF, NULL;
    return stream(mode);
}

FILE *cc_flint_fopen(const char *name, const char *mode) {
    // FLINT's readers of named files are not used: only the sieve's own file exists.
    if (strncmp(name, "/tmp/siqs", 9) != 0) return errno = EPERM, NULL;
    return stream(mode);
}

int cc_flint_remove(const char *name) {
    (void)name;
    cc_buf_free(&file);
    return 0;
}
