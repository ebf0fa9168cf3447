// What a static binary must not pull in: libuv's home-directory look-up, which nothing here calls, would bring the name service
// (plug-ins loaded at run time) through this one function. There is no user database for codecalc.
#include <errno.h>
#include <pwd.h>
#include <stddef.h>

int getpwuid_r(uid_t uid, struct passwd *entry, char *text, size_t size, struct passwd **found) {
    (void)uid;
    (void)entry;
    (void)text;
    (void)size;
    *found = NULL;
    return ENOSYS;
}
