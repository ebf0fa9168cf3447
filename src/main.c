// argv → what to do. For `serve`: settings, then the spawner (before anything else is read or opened), then the server.
#include <fcntl.h>
#include <stdio.h>

#include "codecalc/mcp.h"

int main(int argc, char **argv) {
    // A descriptor that the client left closed would otherwise become somebody else's stdin or stdout.
    int fd;
    do fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd < 3);
    cc_fd_close(&fd);
    if (argc != 2 || !cc_str_eqz(CC_STR("serve"), argv[1])) {
        fputs("usage: codecalc serve\n", stderr);
        return 2;
    }
    cc_error err;
    cc_selection selection;
    cc_spawner spawner;
    if (cc_settings_load(&err) || cc_selection_parse(cc_str_of(cc_settings_get()->tools), &selection, &err) ||
        cc_spawner_start(&spawner, &err)) {
        cc_log(CC_LOG_ERROR, "%s", err.msg);
        return 1;
    }
    return cc_server_run(&selection, spawner);
}
