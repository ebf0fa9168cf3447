// Where installers put runtimes without a word in PATH, which is short when a desktop starts the client. Called by resolve.c. Owns nothing
// (the list lives in the caller's arena). Looks at directories' names only.
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/run.h"

// A * stands for a version: the newest that has the command is taken. ~ is the user's home.
static const char *const places[] = {
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/opt/codecalc/runtimes/bin", // scripts/runtimes.sh, as root and as a user
    "~/.local/share/codecalc/runtimes/bin",
    "/usr/local/go/bin",
    "/usr/lib/go/bin",
    "~/.local/bin",
    "~/bin",
    "~/go/bin",
    "~/.cargo/bin",
    "~/.bun/bin",
    "~/.deno/bin",
    "~/.pyenv/shims",
    "~/.rbenv/shims",
    "~/.asdf/shims",
    "~/.local/share/mise/shims",
    "~/.nvm/versions/node/*/bin",
    "~/.local/share/fnm/node-versions/*/installation/bin",
    "~/.volta/tools/image/node/*/bin",
    "~/.sdkman/candidates/*/current/bin",
    "~/.ghcup/bin",
    "~/.local/share/swiftly/toolchains/*/usr/bin",
    "~/.juliaup/bin",
    "~/.modular/bin",
    "~/.pixi/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/usr/lib/jvm/*/bin",
    "/usr/libexec/swift/bin",
    "/opt/*/bin",
    "/opt/*/usr/bin",
};

// Versions compare by their numbers, the newest first.
static int newest_first(const void *a, const void *b) { return strverscmp(*(const char *const *)b, *(const char *const *)a); }

typedef struct found_list {
    cc_arena *a;
    const char **paths;
    size_t n, cap;
} found_list;

// Adds what exists below before that matches the rest of a pattern, whose first part may have a *.
static void expand(found_list *l, const char *before, const char *rest) {
    while (*rest == '/') rest++;
    size_t n = strcspn(rest, "/");
    const char *part = cc_arena_printf(l->a, "%.*s", (int)n, rest).p;
    if (!n) {
        if (access(before, F_OK) || l->n == l->cap) return;
        l->paths[l->n++] = before;
    } else if (!strchr(part, '*')) {
        expand(l, cc_arena_printf(l->a, "%s/%s", before, part).p, rest + n);
    } else {
        DIR *dir = opendir(*before ? before : "/");
        for (struct dirent *d; dir && (d = readdir(dir));)
            if (fnmatch(part, d->d_name, FNM_PERIOD) == 0) expand(l, cc_arena_printf(l->a, "%s/%s", before, d->d_name).p, rest + n);
        if (dir) closedir(dir);
    }
}

const char *const *cc_expand(cc_arena *a, const char *pattern, size_t *n) {
    enum { MOST = 256 };
    found_list l = {.a = a, .paths = CC_ARENA_ARRAY(a, const char *, MOST), .cap = MOST};
    expand(&l, "", pattern);
    qsort(l.paths, l.n, sizeof *l.paths, newest_first);
    *n = l.n;
    return l.paths;
}

const char *cc_places(cc_arena *a) {
    const char *home = cc_settings_get()->home;
    CC_CLEANUP_BUF cc_buf all = {0};
    for (size_t i = 0; i < CC_ARRAY_LEN(places); i++) {
        const char *place = places[i];
        if (*place == '~' && home[0] != '/') continue;
        if (*place == '~') place = cc_arena_printf(a, "%s%s", home, place + 1).p;
        size_t n;
        const char *const *found = cc_expand(a, place, &n);
        for (size_t j = 0; j < n; j++) cc_buf_printf(&all, "%s%s", all.n ? ":" : "", found[j]);
    }
    return cc_arena_dup(a, cc_buf_str(&all)).p;
}
