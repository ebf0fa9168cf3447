// Finding and removing what runs leave behind. Called by status and cleanup. A work directory is removed only when it has the name of one,
// belongs to this user (or, for root, to a user that programs run as), has not changed for an hour, and still is the directory that was
// looked at; nothing is followed out of it. Owns nothing.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/leftovers.h"
#include "codecalc/sandbox.h"

#define FOLDER "codecalc-" // and six letters or digits

static bool is_folder_name(const char *name) {
    size_t n = strlen(name), prefix = strlen(FOLDER);
    if (n != prefix + 6 || strncmp(name, FOLDER, prefix) != 0) return false;
    for (const char *c = name + prefix; *c; c++)
        if (!((*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z'))) return false;
    return true;
}

static bool is_ours(uid_t owner) {
    if (owner == geteuid()) return true;
    const char *base = cc_settings_get()->guest_uid_base;
    return geteuid() == 0 && owner >= (base[0] ? strtoul(base, NULL, 10) : CC_GUEST_UID_BASE);
}

static int find_folders(int64_t now_ms, bool remove, cc_leftovers *out, cc_error *err) {
    const char *tmp = cc_settings_get()->tmp_dir;
    DIR *d = opendir(tmp);
    if (!d) return cc_error_errno(err, "%s", tmp);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (!is_folder_name(e->d_name) || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW)) continue;
        if (!S_ISDIR(st.st_mode) || !is_ours(st.st_uid)) continue;
        out->folders++;
        if (now_ms / 1000 - st.st_ctim.tv_sec < CC_FOLDER_STALE_S) continue; // the change time cannot be set back by what runs in there
        out->stale_folders++;
        char path[4096];
        if (!remove) continue;
        int n = snprintf(path, sizeof path, "%s/%s", tmp, e->d_name);
        if (n < 0 || (size_t)n >= sizeof path || cc_sandbox_remove_tree(path, st.st_dev, st.st_ino)) {
            cc_log(CC_LOG_WARN, "%s/%s stays: %s", tmp, e->d_name, strerror(errno));
            out->kept_folders++;
        }
    }
    closedir(d);
    return 0;
}

int cc_leftovers_find(int64_t now_ms, bool remove, cc_leftovers *out, cc_error *err) {
    *out = (cc_leftovers){0};
    if (find_folders(now_ms, remove, out, err)) return -1;
    (remove ? cc_cache_clear : cc_cache_measure)(&out->programs, &out->program_bytes);
    (remove ? cc_warm_clear : cc_warm_measure)(&out->warm);
    return cc_run_records_sweep(now_ms - CC_RECORD_OLD_S * INT64_C(1000), remove, &out->records, err);
}
