// SPDX-License-Identifier: MIT
// The form for Windows, which refuses: its sockets are no descriptors of the C runtime.
#ifdef _WIN32

#include "cli/parts/loopback.h"

#include "cli/parts/message.h"

bool cli_loopback_open(cli_loopback *loopback) {
    *loopback = (cli_loopback){.socket = -1};
    cli_message(NULL, "--serve is not there on Windows: --output writes a page that opens from the "
                      "disk");
    return false;
}

void cli_loopback_close(int socket) {
    (void)socket;
}

int cli_loopback_accept(const cli_loopback *loopback) {
    (void)loopback;
    return -1;
}

void cli_loopback_wait(cli_loopback_wish *wishes, size_t count, int milliseconds) {
    (void)wishes;
    (void)count;
    (void)milliseconds;
}

ptrdiff_t cli_loopback_read(int socket, char *out, size_t size) {
    (void)socket;
    (void)out;
    (void)size;
    return CLI_LOOPBACK_FAILED;
}

ptrdiff_t cli_loopback_write(int socket, const char *data, size_t size) {
    (void)socket;
    (void)data;
    (void)size;
    return CLI_LOOPBACK_FAILED;
}

void cli_loopback_end(int socket) {
    (void)socket;
}

#else
typedef int cli_loopback_not_windows;
#endif
