// What epoll refuses. The kernel counts the watches of all epoll descriptors for a user (fs.epoll.max_user_watches); programs of an
// ordinary user are that user, so one of them can use them all up, and libuv ends the process that gets none. This takes the place of
// libc's epoll_ctl in the whole program; only the server has a loop. There the programs that run are ended, since one of them must have
// done it (or what else the user runs: then this waits for it), and their calls fail; the server goes on. Owns nothing.
#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "job/pool_inside.h"

#define PATIENCE_MS 30000 // the kernel takes seconds to take apart what has millions of watches

static cc_pool *server; // NULL in every other process

void cc_watches_of(cc_pool *pool) { server = pool; }

static void end_programs(void) {
    cc_error why;
    cc_error_set(&why, CC_RESOURCE_EXHAUSTED, "all programs were ended: no epoll watch was left for this user (fs.epoll.max_user_watches)");
    cc_error_remedy(&why, "try again without the program that makes so many");
    cc_pool_end_programs(server, &why);
    cc_log(CC_LOG_WARN, "%s", why.msg);
}

int epoll_ctl(int epoll, int op, int fd, struct epoll_event *event) {
    for (int64_t until = 0;;) {
        int rc = (int)syscall(SYS_epoll_ctl, epoll, op, fd, event);
        if (rc == 0 || errno != ENOSPC || !server || (until && cc_now_ms() > until)) return rc;
        if (!until) {
            until = cc_now_ms() + PATIENCE_MS;
            end_programs();
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}
