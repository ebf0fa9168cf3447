// argv → command table. The order of set-up (settings, spawner, command) is in cc_cli_main.
#include <fcntl.h>

#include "codecalc/base.h"
#include "codecalc/cli.h"

int main(int argc, char **argv) {
    // A descriptor that the client left closed would otherwise become somebody else's stdin or stdout.
    int fd;
    do fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd < 3);
    cc_fd_close(&fd);
    return cc_cli_main(argc, argv);
}
