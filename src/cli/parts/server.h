// SPDX-License-Identifier: MIT
// A server of a page on the loopback. Nothing that a client sends can make it take more memory, or
// wait longer, than the constants of server.c say: the number of connections, the size of a request
// and the time for it are bounded, and no name of a request becomes a name of a file.
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "cli/parts/capture.h"
#include "cli/parts/http.h"
#include "cli/parts/loopback.h"

/// Bytes that several connections send. Each use is counted; the last user frees them.
typedef struct cli_shared {
    cli_capture bytes;
    uint32_t users;
} cli_shared;

/// Takes over the bytes, for one user. NULL without memory; the bytes are freed then.
cli_shared *cli_share(cli_capture *bytes);
/// Ends one use. NULL is allowed.
void cli_unshare(cli_shared *shared);

/// Room for a short answer.
#define CLI_ANSWER_ROOM 1200u
/// Room for a field of an answer.
#define CLI_FIELD_ROOM 2048u

/// An answer with status 200.
typedef struct cli_answer {
    const char *type;           ///< a media type
    char field[CLI_FIELD_ROOM]; ///< "name: value\r\n" for it alone, or empty
    cli_shared *shared;         ///< the body; the connection becomes a user. NULL: `text`
    char text[CLI_ANSWER_ROOM];
} cli_answer;

typedef struct cli_server {
    cli_loopback loopback;
    /// Answers a request for what follows "/TOKEN/" in its target. Returns false for what is not
    /// there. `answer` is all zero before.
    bool (*answer)(void *user, bsp_text name, cli_answer *answer);
    /// Is called several times a second. The server ends when it returns false.
    bool (*tick)(void *user);
    void *user;
} cli_server;

/// Serves until `tick` returns false. Returns false after a message without memory.
bool cli_serve(const cli_server *server);

#endif
