// Errors by value. No allocation here: the sandbox reports with these between clone and exec.
#include <errno.h>
#include <stdio.h>

#include "codecalc/base.h"

const char *cc_code_name(cc_code code) {
    static const char *const names[] = {
        "",
        "validation",
        "runtime_unavailable",
        "timeout",
        "resource_exhausted",
        "permission_denied",
        "dependency_missing",
        "worker_failure",
        "internal",
    };
    return names[code];
}

// vsnprintf that, when the text does not fit, ends on a code-point boundary.
CC_PRINTF(3, 0) static void print_fitting(char *into, size_t size, const char *fmt, va_list args) {
    int n = vsnprintf(into, size, fmt, args);
    if (n < 0 || (size_t)n < size) return;
    into[cc_utf8_prefix((cc_str){into, size - 1}, size - 1).n] = 0;
}

int cc_error_set(cc_error *err, cc_code code, const char *fmt, ...) {
    *err = (cc_error){.code = code};
    va_list args;
    va_start(args, fmt);
    print_fitting(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
    return -1;
}

int cc_error_errno(cc_error *err, const char *fmt, ...) {
    int number = errno;
    char what[sizeof err->msg];
    va_list args;
    va_start(args, fmt);
    print_fitting(what, sizeof what, fmt, args);
    va_end(args);
    return cc_error_set(err, CC_INTERNAL, "%s: %s", what, strerror(number));
}

int cc_error_wrap(cc_error *err, const char *fmt, ...) {
    char inner[sizeof err->msg], context[sizeof err->msg];
    memcpy(inner, err->msg, sizeof inner);
    va_list args;
    va_start(args, fmt);
    print_fitting(context, sizeof context, fmt, args);
    va_end(args);
    size_t n = strlen(context);
    if (n + 2 >= sizeof err->msg) return -1;
    memcpy(err->msg, context, n);
    memcpy(err->msg + n, ": ", 2);
    size_t room = sizeof err->msg - n - 3;
    cc_str kept = cc_utf8_prefix(cc_str_of(inner), room);
    memcpy(err->msg + n + 2, kept.p, kept.n);
    err->msg[n + 2 + kept.n] = 0;
    return -1;
}

int cc_error_remedy(cc_error *err, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    print_fitting(err->remedy, sizeof err->remedy, fmt, args);
    va_end(args);
    return -1;
}
