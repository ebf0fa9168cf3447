// What the sandbox shall be for one run: the files it sees, the commands, environment and limits, from the language's row, what was found
// on this machine and the request. Called by execute.c. Owns the work directory on the host that the rlimits level needs, until
// cc_plan_clean.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/run.h"

#define MIB         (UINT64_C(1) << 20)
#define DISK        (256 * MIB) // of each of the two writable directories
#define FILL_MB     2048u       // making a warm directory
#define COMPILE_MB  1024u       // a compiler gets at least this, whatever the program may use
#define OPEN_FILES  640u // and 253 more in one message: fewer than 1024 under way, where the next of the user's programs could send none
#define STACK       (8 * MIB)
#define PROCESSES   256u // of a run: a JVM needs thirty threads, a fork bomb stops
#define WORKDIR     "/box"
#define HOMEDIR     "/tmp/.home"
#define SHMDIR      "/tmp/.shm"
#define VARDIR      "/tmp/.var"
#define WARMDIR     "/run/warm"
#define COMMON_PATH "/usr/local/bin:/usr/bin:/bin"
#define EXE_FILE    "main"
#define EXE         "./" EXE_FILE

// ---- the file name ----

static bool line_begins(cc_str code, cc_str word) {
    for (const char *p = code.p, *end = code.p + code.n; p < end;) {
        if (cc_str_starts((cc_str){p, (size_t)(end - p)}, word)) return true;
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        if (!eol) return false;
        p = eol + 1;
    }
    return false;
}

static bool is_word(char c) { return c == '_' || c == '$' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }

// Whether a line that is not indented waits for something, outside of functions as it seems. Scripts of the older kind cannot do that, nor
// modules what only these can.
static bool awaits(cc_str code) {
    static const char *const older[] = {"require(", "module.exports", "__dirname", "__filename"};
    for (size_t i = 0; i < CC_ARRAY_LEN(older); i++)
        if (code.n && memmem(code.p, code.n, older[i], strlen(older[i]))) return false;
    for (const char *p = code.p, *end = code.p + code.n; p < end;) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        cc_str line = {p, (size_t)((eol ? eol : end) - p)};
        const char *at = line.n && is_word(*p) ? memmem(p, line.n, "await ", 6) : NULL;
        const char *comment = at ? memmem(p, (size_t)(at - p), "//", 2) : NULL;
        if (at && !comment && (at == p || !is_word(at[-1])) && !memmem(p, (size_t)(at - p), "async", 5)) return true;
        p += line.n + 1;
    }
    return false;
}

static const char *file_name(cc_arena *a, const cc_language *l, cc_str code, const cc_jvm_names *names) {
    switch (l->file_rule) {
    case CC_FILE_MODULE:
    case CC_FILE_AWAIT: {
        bool imports = l->file_rule == CC_FILE_MODULE && (line_begins(code, CC_STR("import ")) || line_begins(code, CC_STR("export ")));
        if (!imports && !awaits(code)) return l->file;
        return cc_arena_printf(a, "%.*sm%s", (int)(strlen(l->file) - strlen(l->extension)), l->file, l->extension).p;
    }
    case CC_FILE_JAVA: {
        cc_str name = names->public_type.n ? names->public_type : names->main_type.n ? names->main_type : names->first_type;
        return name.n ? cc_arena_printf(a, "%.*s.java", (int)name.n, name.p).p : l->file;
    }
    case CC_FILE_KOTLIN:
    case CC_FILE_FIXED: break;
    }
    return l->file;
}

// The class to start, behind the package that the source names: the type that has main, else the file's; Kotlin calls that of main.kt
// MainKt.
static const char *main_class(cc_arena *a, const cc_language *l, const char *file, const cc_jvm_names *names) {
    cc_str stem = {file, strlen(file) - strlen(l->extension) - 1};
    if (l->file_rule == CC_FILE_KOTLIN) stem = CC_STR("MainKt");
    if (names->main_type.n) stem = names->main_type;
    return cc_arena_printf(a, "%.*s%s%.*s", (int)names->package.n, names->package.n ? names->package.p : "", names->package.n ? "." : "",
                           (int)stem.n, stem.p)
        .p;
}

// ---- words ----

typedef struct filler {
    cc_arena *a;
    const cc_resolution *r;
    const char *file, *main, *tmp, *lib, *warm;
    const char *const *sources; // beside file
    size_t n_sources;
    uint64_t memory_mb;
} filler;

// A name and a tool's number behind it: {home0}.
static const cc_tool_path *numbered(const filler *f, cc_str name, cc_str word) {
    if (name.n != word.n + 1 || !cc_str_starts(name, word)) return NULL;
    char digit = name.p[word.n];
    return digit >= '0' && digit < '0' + (char)f->r->n_tools ? &f->r->tools[digit - '0'] : NULL;
}

// Replaces the placeholders of one word.
static const char *fill(const filler *f, const char *word) {
    CC_CLEANUP_BUF cc_buf out = {0};
    for (const char *p = word; *p;) {
        const char *close = *p == '{' ? strchr(p, '}') : NULL;
        cc_str name = close ? (cc_str){p + 1, (size_t)(close - p - 1)} : (cc_str){0};
        const struct {
            const char *name, *value;
        } plain[] = {{"file", f->file}, {"files", f->file}, {"exe", EXE},     {"main", f->main},
                     {"tmp", f->tmp},   {"lib", f->lib},    {"warm", f->warm}};
        const char *value = NULL;
        for (size_t i = 0; i < CC_ARRAY_LEN(plain) && !value; i++)
            if (cc_str_eqz(name, plain[i].name)) value = plain[i].value;
        const cc_tool_path *tool;
        if ((tool = numbered(f, name, CC_STR("")))) value = tool->path;
        if ((tool = numbered(f, name, CC_STR("home")))) value = tool->home;
        if ((tool = numbered(f, name, CC_STR("dir")))) value = tool->dir;
        if (value) {
            cc_buf_addz(&out, value);
        } else if (cc_str_eqz(name, "mb")) {
            cc_buf_printf(&out, "%llu", (unsigned long long)(f->memory_mb * 3 / 4));
        } else {
            cc_buf_addc(&out, *p++);
            continue;
        }
        p = close + 1;
    }
    return cc_arena_dup(f->a, cc_buf_str(&out)).p;
}

static const char *const *fill_words(const filler *f, const char *const *words, const cc_str *more, size_t n_more) {
    size_t n = 0, n_words = 0;
    while (words[n_words]) n_words++;
    const char **out = CC_ARENA_ARRAY(f->a, const char *, n_words + f->n_sources + n_more + 1);
    for (size_t i = 0; i < n_words; i++) {
        for (size_t j = 0; j < f->n_sources && !strcmp(words[i], "{files}"); j++) out[n++] = f->sources[j];
        out[n++] = fill(f, words[i]);
    }
    for (size_t i = 0; i < n_more; i++) out[n++] = cc_arena_dup(f->a, more[i]).p;
    return out;
}

// True when a line of the text includes the file: it is then no source of its own.
static bool includes(cc_str text, cc_str name) {
    for (const char *p = text.p, *end = text.p + text.n; p < end;) {
        const char *eol = memchr(p, '\n', (size_t)(end - p)), *at;
        cc_str line = {p, (size_t)((eol ? eol : end) - p)};
        bool asks = line.n && memmem(line.p, line.n, "include", 7);
        if (asks && (at = memmem(line.p, line.n, name.p, name.n)) && at > line.p && memchr("\"'</", at[-1], 4)) return true;
        p += line.n + 1;
    }
    return false;
}

static bool is_source(const cc_language *l, cc_str name) {
    const char *dot = memrchr(name.p, '.', name.n);
    if (!dot || (l->sources_beside && memchr(name.p, '/', name.n))) return false;
    for (const char *const *s = l->sources; *s; s++)
        if (cc_str_eqz((cc_str){dot + 1, (size_t)(name.p + name.n - dot - 1)}, *s)) return true;
    return false;
}

// The call's further files that are compiled with the program.
static void find_sources(filler *f, const cc_run_request *q) {
    const char **out = CC_ARENA_ARRAY(f->a, const char *, q->n_files + 1);
    f->sources = out;
    for (size_t i = 0; q->language->sources && i < q->n_files; i++) {
        cc_str name = q->file_names[i];
        if (!is_source(q->language, name)) continue;
        bool is_included = includes(q->code, name);
        for (size_t j = 0; j < q->n_files && !is_included; j++) is_included = includes(q->file_bytes[j], name);
        if (!is_included)
            out[f->n_sources++] = cc_arena_printf(f->a, "%s%.*s", is_word(name.p[0]) ? "" : "./", (int)name.n, name.p).p; // no option
    }
}

// The environment of a guest: nothing of the server's, what the row needs, then what the call asks for.
static const char *const *environment(const filler *f, const char *home, const char *tmp, const cc_str *more, size_t n_more) {
    const char **out = CC_ARENA_ARRAY(f->a, const char *, 16 + n_more);
    size_t n = 0;
    const char *path = COMMON_PATH;
    for (size_t i = f->r->n_tools; i-- > 0;) { // the directories of what was found come first
        const char *tool = f->r->tools[i].path, *slash = strrchr(tool, '/');
        if (f->r->tools[i].prefix) path = cc_arena_printf(f->a, "%.*s:%s", (int)(slash - tool), tool, path).p;
    }
    out[n++] = cc_arena_printf(f->a, "PATH=%s", path).p;
    out[n++] = cc_arena_printf(f->a, "HOME=%s", home).p;
    out[n++] = cc_arena_printf(f->a, "TMPDIR=%s", tmp).p;
    out[n++] = "LANG=C.UTF-8";
    for (const char *const *e = f->r->variant->env; e && *e && n < 14; e++) out[n++] = fill(f, *e);
    if (f->r->variant->driver_env) out[n++] = fill(f, f->r->variant->driver_env); // the last: what the driver leaves out leaves no gap
    for (size_t i = 0; i < n_more; i++) {
        cc_str pair = more[i];
        size_t name = (size_t)((const char *)memchr(pair.p, '=', pair.n) - pair.p) + 1, at = 0;
        while (at < n && strncmp(out[at], pair.p, name) != 0) at++;
        out[at] = cc_arena_dup(f->a, pair).p;
        if (at == n) n++;
    }
    return out;
}

static bool has_word(const char *const *list, const char *word) {
    while (*list && strcmp(*list, word) != 0) list++;
    return *list != NULL;
}

// ---- what is visible ----

typedef struct op_list {
    cc_arena *a;
    cc_op *ops;
    size_t n, cap;
} op_list;

static void add(op_list *l, cc_op op) {
    if (l->n == l->cap) {
        cc_op *more = CC_ARENA_ARRAY(l->a, cc_op, l->cap * 2 + 48);
        if (l->n) memcpy(more, l->ops, l->n * sizeof *more);
        l->ops = more;
        l->cap = l->cap * 2 + 48;
    }
    l->ops[l->n++] = op;
}
static void show_as(op_list *l, const char *path, const char *source) {
    add(l, (cc_op){.kind = CC_OP_TRY_BIND, .path = path, .source = source});
}
static void show(op_list *l, const char *path) { show_as(l, path, path); }
static void text(op_list *l, const char *path, cc_str bytes) { add(l, (cc_op){.kind = CC_OP_TEXT, .path = path, .bytes = bytes}); }
static void link_to(op_list *l, const char *path, const char *target) {
    add(l, (cc_op){.kind = CC_OP_SYMLINK, .path = path, .source = target});
}

// /bin, /lib and their like: links into /usr on most machines, directories on others.
static void show_top(op_list *l, const char *path) {
    char target[256];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n > 0)
        link_to(l, path, cc_arena_dup(l->a, (cc_str){target, (size_t)n}).p);
    else
        show(l, path);
}

// The part of the root that is the same for every program.
static void common_root(op_list *l) {
    add(l, (cc_op){.kind = CC_OP_BIND, .path = "/usr", .source = "/usr"});
    static const char *const tops[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    for (size_t i = 0; i < CC_ARRAY_LEN(tops); i++) show_top(l, tops[i]);
    show(l, "/etc/alternatives"); // links that /usr/bin leads through
    show(l, "/etc/ld.so.cache");
    show(l, "/etc/localtime");
    show(l, "/etc/ssl/openssl.cnf");
    text(l, "/etc/hosts", CC_STR("127.0.0.1 localhost sandbox\n::1 localhost\n"));
    text(l, "/etc/nsswitch.conf", CC_STR("passwd: files\ngroup: files\nhosts: files dns\n"));
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (size_t i = 0; i < CC_ARRAY_LEN(devices); i++) add(l, (cc_op){.kind = CC_OP_DEVICE, .path = devices[i], .source = devices[i]});
    link_to(l, "/dev/fd", "/proc/self/fd");
    link_to(l, "/dev/stdin", "/proc/self/fd/0");
    link_to(l, "/dev/stdout", "/proc/self/fd/1");
    link_to(l, "/dev/stderr", "/proc/self/fd/2");
    link_to(l, "/dev/shm", SHMDIR);
    link_to(l, "/var/tmp", VARDIR);
    add(l, (cc_op){.kind = CC_OP_PROC, .path = "/proc"});
    // It names every key of the user on the host, whatever namespace asks; kernels without keys do not have it.
    if (access("/proc/keys", F_OK) == 0) add(l, (cc_op){.kind = CC_OP_DEVICE, .path = "/proc/keys", .source = "/dev/null"});
}

// What a row wants to read: paths, with * as in a shell.
static void show_reads(op_list *l, const char *root, const char *pattern) {
    size_t n;
    const char *const *found = cc_expand(l->a, cc_arena_printf(l->a, "%s%s", root, pattern).p, &n);
    for (size_t i = 0; i < n; i++) show_as(l, found[i] + strlen(root), found[i]);
}

// The system tree that the tools bring with them, over the machine's.
static void show_root(op_list *l, const char *root) {
    static const char *const tops[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives"};
    for (size_t i = 0; i < CC_ARRAY_LEN(tops); i++) {
        struct stat st;
        if (lstat(tops[i], &st) == 0 && S_ISDIR(st.st_mode)) show_as(l, tops[i], cc_arena_printf(l->a, "%s%s", root, tops[i]).p);
    }
}

// What of the machine this program needs besides.
static void needed(op_list *l, const cc_resolution *r, bool network) {
    const char *root = r->root ? r->root : "";
    if (r->root) {
        show_root(l, root);
        show_as(l, "/etc/ld.so.cache", cc_arena_printf(l->a, "%s/etc/ld.so.cache", root).p);
    }
    if (network) {
        static const char *const files[] = {"/etc/resolv.conf", "/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/ca-certificates"};
        for (size_t i = 0; i < CC_ARRAY_LEN(files); i++) show(l, files[i]);
    }
    for (const char *const *p = r->variant->reads; p && *p; p++) show_reads(l, root, *p);
    for (size_t i = 0; i < r->n_tools; i++) {
        if (r->tools[i].prefix) show(l, r->tools[i].prefix);
        if (r->tools[i].prefix2) show(l, r->tools[i].prefix2);
    }
}

static void writable(op_list *l, uint64_t disk) {
    add(l, (cc_op){.kind = CC_OP_TMPFS, .path = WORKDIR, .size = disk});
    add(l, (cc_op){.kind = CC_OP_TMPFS, .path = "/tmp", .size = disk});
}

static void private_root(op_list *l, const cc_resolution *r, bool network, uint64_t disk) {
    if (disk < DISK) writable(l, disk); // over those that every sandbox begins with
    if (!r->variant->compile) {         // a compiler quotes whatever it is told to include
        text(l, "/etc/passwd", CC_STR("guest:x:1000:1000::" HOMEDIR ":/bin/sh\n"));
        text(l, "/etc/group", CC_STR("guest:x:1000:\n"));
    }
    // Counted and capped like any other file, and apart from each other.
    static const char *const dirs[] = {HOMEDIR, SHMDIR, VARDIR};
    for (size_t i = 0; i < CC_ARRAY_LEN(dirs); i++) add(l, (cc_op){.kind = CC_OP_OWN_DIR, .path = dirs[i]});
    needed(l, r, network);
}

// Without a private root: the same of the machine, at its own places, and nothing made.
static void restricted_view(op_list *l, const cc_resolution *r, bool network) {
    common_root(l);
    needed(l, r, network);
    if (network) show(l, "/etc/hosts"), show(l, "/etc/nsswitch.conf"); // in place of the private root's own
}

// ---- limits ----

static cc_step_limits limits(const cc_run_request *q, uint64_t memory, bool address_space, bool full) {
    const cc_settings *s = cc_settings_get();
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t processes = full ? PROCESSES : (uint32_t)s->process_headroom;
    if (s->max_processes) processes = (uint32_t)s->max_processes;
    return (cc_step_limits){
        // A quarter more than may be used: libraries map more than they touch. What is touched is measured.
        .address_space = address_space ? memory + memory / 4 + 64 * MIB : 0,
        .tree_memory = memory,
        .cpu_s = q->cpu_s,
        .process_cpu_s = (q->timeout_ms + 999) / 1000 * (uint32_t)(cores > 0 ? cores : 1) + 8,
        .file_size = DISK,
        .processes = processes,
        .files = OPEN_FILES,
        .stack = STACK,
    };
}

// ---- the plan ----

static int make_scratch(cc_arena *a, cc_plan *p, cc_error *err) {
    const char *tmp = cc_settings_get()->tmp_dir;
    p->scratch = cc_arena_strdup(a, cc_arena_printf(a, "%s/codecalc-XXXXXX", tmp).p);
    struct stat st;
    if (!mkdtemp(p->scratch) || lstat(p->scratch, &st)) {
        cc_error_set(err, CC_INTERNAL, "no work directory in %s: %s", tmp, strerror(errno));
        p->scratch = NULL;
        return cc_error_remedy(err, "set TMPDIR to a directory that can be written");
    }
    p->scratch_dev = st.st_dev;
    p->scratch_ino = st.st_ino;
    return 0;
}

int cc_plan_blank(cc_arena *a, cc_isolation level, bool network, cc_sandbox_spec *blank, cc_error *err) {
    op_list ops = {.a = a};
    uint32_t guest_base;
    if (cc_policy_guest_base(&guest_base, err)) return -1;
    if (level == CC_ISOLATION_FULL) common_root(&ops), writable(&ops, DISK);
    *blank = (cc_sandbox_spec){.level = level, .network = network, .guest_base = guest_base, .ops = ops.ops, .n_ops = ops.n};
    return 0;
}

static int begin(cc_arena *a, const cc_run_request *q, const cc_resolution *r, cc_isolation level, cc_plan *p, op_list *ops,
                 cc_error *err) {
    bool full = level == CC_ISOLATION_FULL;
    const char *whose;
    uint64_t memory_mb = q->memory_mb ? q->memory_mb : (uint64_t)cc_settings_get()->default_memory_mb;
    unsigned most_mb = cc_run_memory_ceiling_mb(&whose);
    *p = (cc_plan){
        .memory_bytes = (memory_mb < most_mb ? memory_mb : most_mb) * MIB,
        .compile_bytes = (COMPILE_MB < most_mb ? COMPILE_MB : most_mb) * MIB,
    };
    if (cc_plan_blank(a, level, q->network, &p->blank, err)) return -1;
    *ops = (op_list){.a = a};
    if (full) {
        private_root(ops, r, q->network, p->memory_bytes < DISK ? p->memory_bytes : DISK);
        p->workdir = WORKDIR;
        p->tmp = "/tmp";
        p->home = HOMEDIR;
        if (r->warm) add(ops, (cc_op){.kind = CC_OP_BIND, .path = WARMDIR, .source = r->warm});
    } else {
        if (r->root) {
            cc_error_set(err, CC_RUNTIME_UNAVAILABLE, "%s lies in a system tree of its own (%s), which only full isolation can show",
                         r->language->name, r->root);
            return cc_error_remedy(err, "codecalc doctor says how to get full isolation");
        }
        if (make_scratch(a, p, err)) return -1;
        p->workdir = p->scratch;
        p->home = p->tmp = cc_arena_printf(a, "%s/.tmp", p->scratch).p;
        add(ops, (cc_op){.kind = CC_OP_OWN_DIR, .path = ".tmp"});
        if (level == CC_ISOLATION_RESTRICTED) restricted_view(ops, r, q->network);
    }
    p->spec = (cc_sandbox_spec){
        .level = level,
        .network = q->network,
        .shared_memory = r->variant->shared_memory,
        .guest_base = p->blank.guest_base,
        .cwd = p->workdir,
    };
    return 0;
}

static void end(cc_plan *p, const op_list *ops, size_t n_steps) {
    p->spec.ops = ops->ops;
    p->spec.n_ops = ops->n;
    p->spec.steps = p->steps;
    p->spec.n_steps = n_steps;
}

static cc_step step(const filler *f, const char *const *words, const cc_str *args, size_t n_args, const char *const *envp) {
    const char *const *argv = fill_words(f, words, args, n_args);
    return (cc_step){.path = argv[0], .argv = argv, .envp = envp, .in = -1, .out = -1, .err = -1};
}

// What the words of a row stand for in this run, and the files that they speak of.
static filler fill_for(cc_arena *a, const cc_resolution *r, const cc_plan *p, cc_str code, op_list *ops) {
    cc_jvm_names names = {0};
    const cc_helper *helper = r->variant->driver ? r->variant->driver : r->variant->helper;
    filler f = {
        .a = a,
        .r = r,
        .memory_mb = p->memory_bytes / MIB,
        .tmp = p->tmp,
        .lib = cc_arena_printf(a, "%s/.lib", p->tmp).p,
        .warm = r->warm && !p->scratch ? WARMDIR : cc_arena_printf(a, "%s/.warm", p->tmp).p,
    };
    if (r->language->file_rule == CC_FILE_JAVA) cc_java_names_read(code, &names);
    if (r->language->file_rule == CC_FILE_KOTLIN) cc_kotlin_names_read(code, &names);
    f.file = file_name(a, r->language, code, &names);
    f.main = main_class(a, r->language, f.file, &names);
    if (r->variant->warm && !(r->warm && !p->scratch)) add(ops, (cc_op){.kind = CC_OP_OWN_DIR, .path = f.warm});
    if (helper)
        add(ops, (cc_op){.kind = CC_OP_INPUT,
                         .path = cc_arena_printf(a, "%s/%s", f.lib, helper->name).p,
                         .bytes = {helper->begin, (size_t)(helper->end - helper->begin)}});
    return f;
}

// Whether an argument names one of the call's files, to be read in place of stdin.
static bool names_input(const cc_run_request *q, const cc_variant *v) {
    for (size_t i = 0; i < q->n_args; i++) {
        bool named = false, other = false;
        for (size_t j = 0; j < q->n_files && !named; j++) named = cc_str_eq(q->args[i], q->file_names[j]);
        for (const char *const *o = v->not_input; o && *o && i >= 2; o++) other = other || cc_str_eqz(q->args[i - 2], *o);
        if (named && !other) return true;
    }
    return false;
}

// True when the program or a file of it has one of these words.
static bool mentions(const cc_run_request *q, const char *const *words) {
    for (; words && *words; words++) {
        size_t n = strlen(*words);
        if (q->code.n && memmem(q->code.p, q->code.n, *words, n)) return true;
        for (size_t i = 0; i < q->n_files; i++)
            if (q->file_bytes[i].n && memmem(q->file_bytes[i].p, q->file_bytes[i].n, *words, n)) return true;
    }
    return false;
}

static const cc_resolution *without_driver(cc_arena *a, const cc_resolution *r) {
    cc_resolution *other = CC_ARENA_ARRAY(a, cc_resolution, 1);
    cc_variant *variant = CC_ARENA_ARRAY(a, cc_variant, 1);
    *variant = *r->variant;
    variant->driver = NULL;
    variant->driver_env = NULL;
    *other = *r;
    other->variant = variant;
    return other;
}

// A file that compiling would overwrite: the program would read something else without a word.
static int check_files(const cc_run_request *q, const char *const *compile, cc_error *err) {
    bool makes_exe = false;
    for (; compile && *compile; compile++) makes_exe |= strstr(*compile, "{exe}") != NULL;
    for (size_t i = 0; makes_exe && i < q->n_files; i++) {
        if (!cc_str_eqz(q->file_names[i], EXE_FILE)) continue;
        cc_error_set(err, CC_VALIDATION, "files: '" EXE_FILE "' is the name of the compiled program");
        return cc_error_remedy(err, "give it another name");
    }
    return 0;
}

int cc_plan_make(cc_arena *a, const cc_run_request *q, const cc_resolution *r, cc_isolation level, cc_plan *p, cc_error *err) {
    op_list ops;
    if (mentions(q, r->variant->sees_driver)) r = without_driver(a, r);
    if (check_files(q, r->variant->compile, err)) return -1;
    if (begin(a, q, r, level, p, &ops, err)) return -1;
    bool full = level == CC_ISOLATION_FULL;
    const cc_variant *v = r->variant;
    bool address_space = v->memory == CC_MEMORY_ADDRESS_SPACE;
    filler f = fill_for(a, r, p, q->code, &ops);
    find_sources(&f, q);
    p->file = f.file;
    p->lib = f.lib;
    p->sees_waiting = mentions(q, v->sees_waiting);
    p->n_common = ops.n;
    add(&ops, (cc_op){.kind = CC_OP_INPUT, .path = f.file, .bytes = q->code});
    for (size_t i = 0; i < q->n_files; i++) {
        add(&ops, (cc_op){.kind = CC_OP_INPUT, .path = cc_arena_dup(a, q->file_names[i]).p, .bytes = q->file_bytes[i]});
        if (!cc_str_eqz(q->file_names[i], f.file)) continue;
        cc_plan_clean(p);
        cc_error_set(err, CC_VALIDATION, "files: '%s' is the name of the program's own file", f.file);
        return cc_error_remedy(err, "give it another name");
    }
    const char *const *envp = environment(&f, p->home, p->tmp, q->env, q->n_env);
    size_t n = 0;
    if (v->compile) {
        uint64_t memory = p->memory_bytes > p->compile_bytes ? p->memory_bytes : p->compile_bytes;
        bool has_main = v->compile_main && line_begins(q->code, CC_STR("@main"));
        p->steps[n] = step(&f, has_main ? v->compile_main : v->compile, NULL, 0, envp);
        p->steps[n].limits = limits(q, memory, address_space, full);
        p->steps[n++].limits.cpu_s = 0;
    }
    p->run_step = n;
    p->steps[n] = step(&f, v->run_no_input && !q->input.n && !names_input(q, v) ? v->run_no_input : v->run, q->args, q->n_args, envp);
    p->steps[n].soft_signal = v->soft_signal;
    // Without the variable nobody would close it to further programs.
    p->steps[n].driven = v->driver && (!v->driver_env || has_word(envp, fill(&f, v->driver_env)));
    p->steps[n].told = v->driver_file ? f.lib : NULL;
    p->steps[n++].limits = limits(q, p->memory_bytes, address_space, full);
    end(p, &ops, n);
    return 0;
}

int cc_plan_command(cc_arena *a, const cc_resolution *r, const char *const *words, const char *fill, unsigned timeout_ms,
                    cc_isolation level, cc_plan *p, cc_error *err) {
    const cc_run_request q = {.timeout_ms = timeout_ms, .memory_mb = fill ? FILL_MB : 0};
    cc_resolution found = *r;
    if (fill) found.warm = NULL;
    op_list ops;
    if (begin(a, &q, &found, level, p, &ops, err)) return -1;
    filler f = fill_for(a, &found, p, cc_str_of(r->language->hello), &ops);
    if (fill) {
        f.warm = WARMDIR;
        add(&ops, (cc_op){.kind = CC_OP_BIND_OWN, .path = WARMDIR, .source = fill});
        add(&ops, (cc_op){.kind = CC_OP_INPUT, .path = f.file, .bytes = cc_str_of(r->language->hello)});
    }
    p->file = f.file;
    p->steps[0] = step(&f, words, NULL, 0, environment(&f, p->home, p->tmp, NULL, 0));
    p->steps[0].limits = limits(&q, p->memory_bytes, r->variant->memory == CC_MEMORY_ADDRESS_SPACE && !fill, level == CC_ISOLATION_FULL);
    end(p, &ops, 1);
    return 0;
}

void cc_plan_skip_compiling(cc_arena *a, cc_plan *p, const cc_op *files, size_t n_files) {
    op_list ops = {.a = a};
    for (size_t i = 0; i < p->spec.n_ops; i++)
        if (p->spec.ops[i].kind != CC_OP_INPUT) add(&ops, p->spec.ops[i]);
    for (size_t i = 0; i < n_files; i++) add(&ops, files[i]);
    p->steps[0] = p->steps[p->run_step];
    p->run_step = 0;
    end(p, &ops, 1);
}

void cc_plan_clean(const cc_plan *p) {
    // Init has, unless it was killed.
    if (p->scratch && cc_sandbox_remove_tree(p->scratch, p->scratch_dev, p->scratch_ino) && errno != ENOENT)
        cc_log(CC_LOG_WARN, "the work directory %s stays: %s", p->scratch, strerror(errno));
}
