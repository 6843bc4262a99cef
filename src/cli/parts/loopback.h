// SPDX-License-Identifier: MIT
// Connections from this machine alone: a socket that listens on 127.0.0.1. Nothing here blocks but
// cli_loopback_wait.
#ifndef CLI_LOOPBACK_H
#define CLI_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Letters of a token: 128 random bits in hexadecimal digits.
#define CLI_TOKEN_SIZE 32u

/// A socket that listens. Plain data.
typedef struct cli_loopback {
    int socket;
    uint16_t port;                  ///< that the system chose
    char token[CLI_TOKEN_SIZE + 1]; ///< that only the receiver of the address knows
} cli_loopback;

/// What cli_loopback_read and cli_loopback_write return besides a number of bytes.
enum { CLI_LOOPBACK_LATER = -1, CLI_LOOPBACK_FAILED = -2 };

/// What to wait for at a connection.
typedef struct cli_loopback_wish {
    int socket;
    bool write; ///< that bytes can be written, else that bytes can be read
    bool ready; ///< set by cli_loopback_wait
} cli_loopback_wish;

/// Listens. Returns false after a message.
bool cli_loopback_open(cli_loopback *loopback);
void cli_loopback_close(int socket);

/// Returns the next connection, which the caller closes, or -1 if there is none.
int cli_loopback_accept(const cli_loopback *loopback);
/// Waits until a wish is ready, at most so many milliseconds.
void cli_loopback_wait(cli_loopback_wish *wishes, size_t count, int milliseconds);

/// Reads what is there. 0: the other side has ended.
ptrdiff_t cli_loopback_read(int socket, char *out, size_t size);
/// Writes as much as fits.
ptrdiff_t cli_loopback_write(int socket, const char *data, size_t size);
/// Says that no more will be written.
void cli_loopback_end(int socket);

#endif
