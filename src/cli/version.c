// What is in this program: its version, the libraries with theirs, and where the program lies. Called by the commands version,
// doctor and setup. Owns static tables only.
#include <gnu/libc-version.h>
#include <gmp.h>
#include <mpfr.h>
#include <flint/flint.h>
#include <seccomp.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

#include "cli/commands.h"
#include "codecalc/analyze.h"
#include "codecalc/logic.h"

const cc_library *cc_libraries(size_t *n) {
    static char seccomp[32];
    const struct scmp_version *v = seccomp_version();
    snprintf(seccomp, sizeof seccomp, "%u.%u.%u", v->major, v->minor, v->micro);
    static cc_library list[16];
    const cc_library all[] = {
        {"yyjson", cc_json_library_version()},
        {"libuv", uv_version_string()},
        {"libseccomp", seccomp},
        {"gmp", gmp_version},
        {"mpfr", mpfr_get_version()},
        {"flint", flint_version},
        {"z3", cc_logic_solver_version()},
        {"tree-sitter", cc_analyze_parser_version()},
        {"glibc", gnu_get_libc_version()},
    };
    _Static_assert(sizeof all <= sizeof list, "the list is long enough");
    memcpy(list, all, sizeof all);
    *n = CC_ARRAY_LEN(all);
    return list;
}

void cc_libraries_write(cc_jw *w) {
    cc_jw_key(w, "libraries");
    cc_jw_object(w);
    size_t n;
    const cc_library *libraries = cc_libraries(&n);
    for (size_t i = 0; i < n; i++) cc_jw_kstringz(w, libraries[i].name, libraries[i].version);
    cc_jw_end_object(w);
}

int cc_cmd_version(cc_invocation *in) {
    CC_CLEANUP_TERM cc_term t = cc_term_open(STDOUT_FILENO);
    if (!cc_option_of(in, "--json")) {
        cc_buf_addz(&t.out, "codecalc " CC_VERSION "\n");
        return CC_EXIT_OK;
    }
    cc_jw w = cc_jw_make(&t.out);
    cc_jw_object(&w);
    cc_jw_kstringz(&w, "version", CC_VERSION);
    cc_jw_kstringz(&w, "contract_version", CC_CONTRACT_VERSION);
    cc_libraries_write(&w);
    cc_jw_key(&w, "grammars");
    cc_jw_array(&w);
    for (size_t i = 0; i < cc_grammars_count; i++) cc_jw_string(&w, cc_str_of(cc_grammars[i].name));
    cc_jw_end_array(&w);
    cc_jw_end_object(&w);
    cc_buf_addc(&t.out, '\n');
    return CC_EXIT_OK;
}

int cc_self_path(char *out, size_t size, cc_error *err) {
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n < 0) return cc_error_errno(err, "/proc/self/exe");
    out[n] = 0;
    if (access(out, X_OK)) return cc_error_set(err, CC_INTERNAL, "this program's file is not at %s any more", out);
    return 0;
}

bool cc_path_is_temporary(const char *path) {
    const char *const places[] = {"/tmp", "/var/tmp", "/dev/shm", "/run", cc_settings_get()->tmp_dir};
    for (size_t i = 0; i < CC_ARRAY_LEN(places); i++) {
        size_t n = strlen(places[i]);
        while (n > 1 && places[i][n - 1] == '/') n--;
        if (n > 1 && strncmp(path, places[i], n) == 0 && path[n] == '/') return true;
    }
    return false;
}
