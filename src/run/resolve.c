// Finding a language on this machine: which of its variants has all its commands, the real program behind links and version-manager
// shims (a pyenv shim costs 100 ms a start), and which directory must be visible to run it. Called by execute.c, list_languages and
// doctor. Executes nothing; owns nothing (answers live in the caller's arena).
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

static bool is_program(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111) && access(path, X_OK) == 0;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The directory that holds a path; "/" at the top.
static char *parent(cc_arena *a, const char *path) {
    char *p = cc_arena_strdup(a, path);
    char *slash = strrchr(p, '/');
    if (!slash) return cc_arena_strdup(a, ".");
    slash[slash == p] = 0;
    return p;
}

static char *join(cc_arena *a, const char *dir, const char *name) { return (char *)(uintptr_t)cc_arena_printf(a, "%s/%s", dir, name).p; }

// The first bytes of a small text file, or NULL.
static char *read_text(cc_arena *a, const char *path) {
    CC_CLEANUP_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char text[4096];
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    return n < 0 ? NULL : (char *)(uintptr_t)cc_arena_dup(a, (cc_str){text, (size_t)n}).p;
}

// ---- shims: small programs that look up which version to start ----

// pyenv: <root>/version names the versions, one a line; "system" means the next one on the path.
static const char *behind_pyenv(cc_arena *a, const char *root, const char *command) {
    char *lines = read_text(a, join(a, root, "version"));
    for (char *line = lines ? strtok(lines, " \t\r\n:") : NULL; line; line = strtok(NULL, " \t\r\n:")) {
        if (strchr(line, '/') || !strcmp(line, "system")) continue;
        const char *path = cc_arena_printf(a, "%s/versions/%s/bin/%s", root, line, command).p;
        if (is_program(path)) return path;
    }
    return NULL;
}

// asdf and mise keep <root>/installs/<plugin>/<version>: the newest version that has the command, in one of the usual folders of it.
static const char *behind_installs(cc_arena *a, const char *root, const char *command) {
    const char *installs = join(a, root, "installs"), *best = NULL, *best_version = "";
    DIR *plugins = opendir(installs);
    for (struct dirent *p; plugins && (p = readdir(plugins));) {
        if (p->d_name[0] == '.') continue;
        const char *plugin = join(a, installs, p->d_name);
        DIR *versions = opendir(plugin);
        for (struct dirent *v; versions && (v = readdir(versions));) {
            if (v->d_name[0] == '.') continue;
            static const char *const folders[] = {"bin/", "", "go/bin/", "usr/bin/"};
            for (size_t i = 0; i < CC_ARRAY_LEN(folders); i++) {
                const char *path = cc_arena_printf(a, "%s/%s/%s%s", plugin, v->d_name, folders[i], command).p;
                if (!is_program(path) || (best && strverscmp(v->d_name, best_version) <= 0)) continue;
                best = path;
                best_version = cc_arena_strdup(a, v->d_name);
            }
        }
        if (versions) closedir(versions);
    }
    if (plugins) closedir(plugins);
    return best;
}

// rustup: one program under many names; the default toolchain is in its settings.
static const char *behind_rustup(cc_arena *a, const char *command) {
    const char *root = join(a, cc_settings_get()->home, ".rustup");
    char *settings = read_text(a, join(a, root, "settings.toml"));
    char *at = settings ? strstr(settings, "default_toolchain = \"") : NULL;
    if (!at) return NULL;
    at += strlen("default_toolchain = \"");
    char *end = strchr(at, '"');
    if (!end) return NULL;
    *end = 0;
    const char *path = cc_arena_printf(a, "%s/toolchains/%s/bin/%s", root, at, command).p;
    if (is_program(path)) return path;
    size_t n; // "stable" without the machine behind it
    const char *const *found = cc_expand(a, cc_arena_printf(a, "%s/toolchains/%s-*/bin/%s", root, at, command).p, &n);
    return n && is_program(found[0]) ? found[0] : NULL;
}

// What a found command really starts. NULL when it is a shim with nothing behind it.
static const char *behind(cc_arena *a, const char *found, const char *command) {
    char real[PATH_MAX];
    if (!realpath(found, real)) return NULL;
    const char *dir = parent(a, found);
    if (!strcmp(base_name(dir), "shims")) {
        const char *root = parent(a, dir);
        const char *path = exists(join(a, root, "versions")) ? behind_pyenv(a, root, command) : behind_installs(a, root, command);
        return path && realpath(path, real) ? cc_arena_strdup(a, real) : NULL;
    }
    if (!strcmp(base_name(real), "rustup")) return behind_rustup(a, command);
    // These start what a look-up of their own finds; the real thing is in one of the usual places.
    static const char *const launchers[] = {"snap", "volta-shim", "swiftly", "mise", "asdf"};
    for (size_t i = 0; i < CC_ARRAY_LEN(launchers); i++)
        if (!strcmp(base_name(real), launchers[i])) return NULL;
    return cc_arena_strdup(a, real);
}

// ---- what must be visible ----

static bool under(const char *path, const char *dir) {
    size_t n = strlen(dir);
    return !strncmp(path, dir, n) && (path[n] == '/' || !path[n]);
}

// The sandbox shows these whole.
static bool always_visible(const char *path) {
    static const char *const dirs[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    for (size_t i = 0; i < CC_ARRAY_LEN(dirs); i++)
        if (under(path, dirs[i])) return true;
    return false;
}

// A directory that holds more than one installation is never shown: a home, its .local, the top of a tree.
static bool too_wide(const char *dir) {
    const char *home = cc_settings_get()->home;
    static const char *const tops[] = {"/", "/home", "/root", "/opt", "/srv", "/mnt", "/media", "/var", "/etc", "/tmp", "/run"};
    for (size_t i = 0; i < CC_ARRAY_LEN(tops); i++)
        if (!strcmp(dir, tops[i])) return true;
    if (home[0] && (under(home, dir) || (under(dir, home) && !strcmp(dir + strlen(home), "/.local")))) return true;
    return !strcmp(base_name(dir), ".local") || (under(dir, "/home") && !strchr(dir + strlen("/home/"), '/'));
}

// An installation has its parts beside bin; a place where somebody works has not, or keeps its history there.
static bool is_installation(cc_arena *a, const char *dir) {
    return (exists(join(a, dir, "lib")) || exists(join(a, dir, "lib64")) || exists(join(a, dir, "libexec"))) &&
           !exists(join(a, dir, ".git"));
}

// What a program of a Node.js package needs is beside its package: all of node_modules.
static const char *node_modules(cc_arena *a, const char *path) {
    const char *at = strstr(path, "/node_modules/");
    return at ? cc_arena_printf(a, "%.*s/node_modules", (int)(at - path), path).p : NULL;
}

// The installation that a program belongs to: the directory above its bin, or its own when its parts are beside it (zig), or the program
// alone when that is something else. NULL when it is visible anyway.
static const char *installation(cc_arena *a, const char *path) {
    if (always_visible(path)) return NULL;
    if (under(path, "/nix/store")) return "/nix/store";
    const char *brew = strstr(path, "/.linuxbrew/");
    if (brew) return cc_arena_printf(a, "%.*s", (int)(brew - path) + (int)strlen("/.linuxbrew"), path).p;
    const char *modules = node_modules(a, path);
    if (modules) return modules;
    const char *dir = parent(a, path), *prefix = parent(a, dir);
    if (!strcmp(base_name(dir), "bin")) return !too_wide(prefix) && is_installation(a, prefix) ? prefix : path;
    return !too_wide(dir) && is_installation(a, dir) ? dir : path;
}

// ---- the path ----

static bool try_place(cc_arena *a, const char *dir, const char *command, cc_tool_path *out) {
    const char *found = join(a, dir, command);
    if (!is_program(found)) return false;
    const char *real = behind(a, found, command);
    if (!real) return false;
    // A name can decide what a program does (clang++, swiftc, ccache's gcc), so it stays where its links lead through what the sandbox
    // shows.
    bool keeps_name = always_visible(found) && always_visible(real);
    *out = (cc_tool_path){.name = command, .found = found, .path = keeps_name ? found : real, .prefix = installation(a, real)};
    char folder[PATH_MAX];
    if (out->prefix && strcmp(out->prefix, real) != 0 && realpath(dir, folder) && under(folder, out->prefix))
        out->path = join(a, cc_arena_strdup(a, folder), command);
    out->dir = parent(a, real);
    out->home = !strcmp(base_name(out->dir), "bin") ? parent(a, out->dir) : out->dir;
    // In a virtual environment the path by which Python is called decides what it imports.
    const char *venv = parent(a, dir);
    if (exists(join(a, venv, "pyvenv.cfg")) && !too_wide(venv) && is_installation(a, venv)) {
        out->path = found;
        out->prefix2 = out->prefix;
        out->prefix = always_visible(venv) ? NULL : venv;
        if (under(out->prefix2 ? out->prefix2 : "", venv)) out->prefix2 = NULL;
    }
    return true;
}

static bool find_on(cc_arena *a, const char *path, const char *command, cc_tool_path *out) {
    char *dirs = cc_arena_strdup(a, path), *rest = NULL;
    for (char *dir = strtok_r(dirs, ":", &rest); dir; dir = strtok_r(NULL, ":", &rest))
        if (dir[0] == '/' && try_place(a, dir, command, out)) return true; // a relative entry would depend on where the server was started
    return false;
}

// `names` is "python3|python". The usual places are looked up when the path does not have it: looking takes longer than all the rest.
static bool find_tool(cc_arena *a, const char *names, const char **places, cc_tool_path *out) {
    char *each = cc_arena_strdup(a, names), *rest = NULL;
    for (char *name = strtok_r(each, "|", &rest); name; name = strtok_r(NULL, "|", &rest)) {
        if (find_on(a, cc_settings_get()->runtime_path, name, out)) return true;
        if (!*places) *places = cc_places(a);
        if (find_on(a, *places, name, out)) return true;
    }
    return false;
}

// ---- variants ----

// The first file of a pattern below the tool's home, or NULL.
static const char *below_home(cc_arena *a, const cc_tool_path *tool, const char *pattern) {
    size_t n;
    const char *const *found = cc_expand(a, join(a, tool->home, pattern), &n);
    return n ? found[0] : NULL;
}

// Major * 100 + minor of a Node.js, from the headers that its archives and packages bring; 0 when there are none.
static unsigned node_version(cc_arena *a, const cc_tool_path *tool) {
    const char *text = read_text(a, join(a, tool->home, "include/node/node_version.h"));
    unsigned major = 0, minor = 0;
    const char *at = text ? strstr(text, "NODE_MAJOR_VERSION ") : NULL;
    if (at) sscanf(at, "NODE_MAJOR_VERSION %u", &major);
    at = text ? strstr(text, "NODE_MINOR_VERSION ") : NULL;
    if (at) sscanf(at, "NODE_MINOR_VERSION %u", &minor);
    return major * 100 + minor;
}

// A system tree of its own (a Debian that holds a compiler which this machine's libraries are too old for): its directory, or NULL.
static const char *own_root(cc_arena *a, const char *path) {
    const char *usr = strstr(path, "/usr/");
    if (!usr || usr == path) return NULL;
    const char *root = cc_arena_printf(a, "%.*s", (int)(usr - path), path).p;
    return exists(join(a, root, "etc/os-release")) && exists(join(a, root, "usr/bin")) ? root : NULL;
}

static bool try_variant(cc_arena *a, const cc_language *language, const cc_variant *v, const char **places, cc_resolution *out) {
    *out = (cc_resolution){.language = language, .variant = v};
    for (; out->n_tools < CC_VARIANT_TOOLS && v->tools[out->n_tools]; out->n_tools++) {
        cc_tool_path *tool = &out->tools[out->n_tools];
        if (!find_tool(a, v->tools[out->n_tools], places, tool)) return false;
        if (out->n_tools == 0 && v->inner) {
            const char *inner = below_home(a, tool, v->inner);
            if (inner && !try_place(a, parent(a, inner), base_name(inner), tool)) return false;
        }
        const char *root = own_root(a, tool->path);
        if (out->n_tools ? root != out->root && (!root || !out->root || strcmp(root, out->root) != 0) : false) return false;
        if (!root) continue;
        out->root = root;
        const char *link = join(a, "/usr/bin", tool->name);
        tool->path = exists(join(a, root, link + 1)) ? link : tool->path + strlen(root);
        tool->home += strlen(root);
        tool->dir += strlen(root);
        tool->prefix = tool->prefix2 = NULL;
    }
    if (v->needs && !below_home(a, &out->tools[0], v->needs)) return false;
    return !v->node_version || node_version(a, &out->tools[0]) >= v->node_version;
}

int cc_language_resolve(cc_arena *a, const cc_language *language, cc_resolution *out, cc_error *err) {
    const char *places = NULL;
    for (size_t v = 0; v < CC_VARIANTS && language->variants[v].run; v++)
        if (try_variant(a, language, &language->variants[v], &places, out)) return 0;
    cc_str wanted = {0};
    for (size_t v = 0; v < CC_VARIANTS && language->variants[v].run; v++)
        for (size_t t = 0; t < CC_VARIANT_TOOLS && language->variants[v].tools[t]; t++)
            wanted = cc_arena_printf(a, "%.*s%s%s", (int)wanted.n, wanted.n ? wanted.p : "",
                                     !wanted.n ? ""
                                     : t       ? " with "
                                               : " or ",
                                     language->variants[v].tools[t]);
    cc_error_set(err, CC_RUNTIME_UNAVAILABLE, "language '%s': no %.*s on %.200s or in the usual places", language->name, (int)wanted.n,
                 wanted.p, cc_settings_get()->runtime_path);
    return cc_error_remedy(err, "%s; or set CODECALC_RUNTIME_PATH to the directories that have it", language->install);
}
