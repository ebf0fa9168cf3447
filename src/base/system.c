// Descriptors, clocks, logging and the settings read once from the environment.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "codecalc/base.h"

void cc_fd_close(int *fd) {
    if (*fd < 0) return;
    int kept = errno;
    close(*fd);
    errno = kept;
    *fd = -1;
}

void cc_cleanup_fd_(int *fd) { cc_fd_close(fd); }

int cc_fd_write_all(int fd, const void *data, size_t n) {
    const char *p = data;
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

int cc_fd_set_nonblock(int fd, bool on) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -1;
    int wanted = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    return wanted == flags ? 0 : fcntl(fd, F_SETFL, wanted);
}

int cc_folder_make(const char *path) {
    char part[4096];
    size_t n = strlen(path);
    if (n >= sizeof part) return errno = ENAMETOOLONG, -1;
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] != '/' && part[i]) continue;
        char kept = part[i];
        part[i] = 0;
        if (mkdir(part, 0700) && errno != EEXIST) return -1;
        part[i] = kept;
    }
    return 0;
}

int64_t cc_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t cc_now_ms(void) { return cc_now_ns() / 1000000; }

// ---- log ----

static const char *const level_words[] = {"error", "warn", "info", "debug"};
static cc_log_level level_now = CC_LOG_WARN;

int cc_log_set_level(const char *word, cc_error *err) {
    for (size_t i = 0; i < CC_ARRAY_LEN(level_words); i++) {
        if (strcmp(word, level_words[i]) == 0) {
            level_now = (cc_log_level)i;
            return 0;
        }
    }
    return cc_error_set(err, CC_VALIDATION, "CODECALC_LOG is '%s'; valid: error, warn, info, debug", word);
}

void cc_log(cc_log_level level, const char *fmt, ...) {
    if (level > level_now) return;
    char line[1024];
    int n = snprintf(line, sizeof line, "codecalc: %s: ", level_words[level]);
    va_list args;
    va_start(args, fmt);
    int more = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, args);
    va_end(args);
    if (more < 0) return;
    size_t end = (size_t)n + (size_t)more;
    if (end > sizeof line - 2) end = sizeof line - 2;
    for (size_t i = 0; i < end; i++)
        if ((unsigned char)line[i] < ' ') line[i] = ' '; // one message, one line, whatever it quotes
    line[end++] = '\n';
    if (cc_fd_write_all(STDERR_FILENO, line, end)) return; // a closed stderr is the client's choice
}

// ---- settings ----

static cc_settings settings;

static char *text_of(const char *name, const char *otherwise) {
    const char *v = getenv(name);
    return cc_strdup(v && *v ? v : otherwise);
}

// The variable, else a file below the home; "" without a home, or where `off` lets an empty variable switch it off.
static char *path_of(const char *name, const char *below_home, bool off) {
    const char *v = getenv(name);
    if (v && (*v || off)) return cc_strdup(v);
    if (!settings.home[0]) return cc_strdup("");
    cc_buf path = {0};
    cc_buf_printf(&path, "%s/%s", settings.home, below_home);
    cc_buf_addc(&path, 0);
    return path.p;
}

static int number_of(const char *name, long otherwise, long *out, cc_error *err) {
    const char *v = getenv(name);
    *out = otherwise;
    if (!v || !*v) return 0;
    char *end;
    errno = 0;
    long n = strtol(v, &end, 10);
    if (errno || *end || n < 1) return cc_error_set(err, CC_VALIDATION, "%s is '%s'; it takes a whole number of at least 1", name, v);
    *out = n;
    return 0;
}

static bool is_zero(const char *name) {
    const char *v = getenv(name);
    return v && !strcmp(v, "0");
}

int cc_settings_load(cc_error *err) {
    const char *log = getenv("CODECALC_LOG");
    if (log && *log && cc_log_set_level(log, err)) return -1;
    cc_settings *s = &settings;
    char **texts[] = {&s->runtime_path, &s->home,          &s->tools,     &s->capability_policy, &s->require_isolation, &s->guest_uid_base,
                      &s->provider,     &s->run_state_dir, &s->audit_log, &s->tmp_dir,           &s->cache_dir};
    for (size_t i = 0; i < CC_ARRAY_LEN(texts); i++) { // of an earlier reading
        free(*texts[i]);
        *texts[i] = NULL;
    }
    const char *path = getenv("PATH");
    s->runtime_path = text_of("CODECALC_RUNTIME_PATH", path && *path ? path : "/usr/local/bin:/usr/bin:/bin");
    s->home = text_of("HOME", "");
    s->tools = text_of("CODECALC_TOOLS", "");
    s->capability_policy = text_of("CODECALC_CAPABILITY_POLICY", "");
    s->require_isolation = text_of("CODECALC_REQUIRE_ISOLATION", "");
    s->guest_uid_base = text_of("CODECALC_GUEST_UID_BASE", "");
    s->provider = text_of("CODECALC_EXECUTION_PROVIDER", "local");
    s->run_state_dir = path_of("CODECALC_RUN_STATE_DIR", ".codecalc/runs", false);
    s->audit_log = path_of("CODECALC_AUDIT_LOG", ".codecalc/audit/audit.log", true);
    const char *tmp = getenv("TMPDIR");
    s->tmp_dir = cc_strdup(tmp && tmp[0] == '/' ? tmp : "/tmp");
    const char *cache = getenv("XDG_CACHE_HOME");
    cc_buf dir = {0};
    if (cache && cache[0] == '/') {
        cc_buf_printf(&dir, "%s/codecalc", cache);
    } else if (s->home[0]) {
        cc_buf_printf(&dir, "%s/.cache/codecalc", s->home);
    }
    cc_buf_addc(&dir, 0);
    s->cache_dir = dir.p;
    s->structured = !is_zero("CODECALC_STRUCTURED");
    s->warm = !is_zero("CODECALC_WARM");
    long warm_mb = 0;
    if (!is_zero("CODECALC_WARM_MB") && number_of("CODECALC_WARM_MB", 256, &warm_mb, err)) return -1;
    s->warm_mb = (uint64_t)warm_mb;
    if (number_of("CODECALC_DEFAULT_MEMORY_MB", 1024, &s->default_memory_mb, err)) return -1;
    long cache_mb = 0;
    if (!is_zero("CODECALC_CACHE_MB") && number_of("CODECALC_CACHE_MB", 256, &cache_mb, err)) return -1;
    s->cache_mb = (uint64_t)cache_mb;
    if (number_of("CODECALC_MAX_MEMORY_MB", 0, &s->max_memory_mb, err)) return -1;
    if (number_of("CODECALC_MAX_PROCESSES", 0, &s->max_processes, err)) return -1;
    if (number_of("CODECALC_MAX_ACTIVE_RUNS", 64, &s->max_active_runs, err)) return -1;
    return number_of("CODECALC_PROCESS_HEADROOM", 512, &s->process_headroom, err);
}

const cc_settings *cc_settings_get(void) { return &settings; }
