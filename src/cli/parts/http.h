// SPDX-License-Identifier: MIT
// Requests of HTTP/1.1 (RFC 9112), as far as a browser sends them to a server that has a few files:
// GET and HEAD without a body.
#ifndef CLI_HTTP_H
#define CLI_HTTP_H

#include "bspkit/bspkit.h"

/// Bytes of the longest request, with its fields.
#define CLI_HTTP_ROOM 8192u

/// Statuses of answers.
enum {
    CLI_HTTP_GOOD = 200,
    CLI_HTTP_BAD = 400,
    CLI_HTTP_NOT_FOUND = 404,
    CLI_HTTP_METHOD = 405,
    CLI_HTTP_TIMEOUT = 408,
    CLI_HTTP_OTHER_HOST = 421,
    CLI_HTTP_TOO_LONG = 431,
    CLI_HTTP_VERSION = 505,
};

/// A request. Its texts are borrowed from the bytes that were parsed.
typedef struct cli_http_request {
    bool head;       ///< HEAD: an answer without a body
    bsp_text target; ///< as it was sent: "/path?query"
    bsp_text host;   ///< name and port
} cli_http_request;

/// Parses the bytes of a connection so far. Returns 0 while the request is not complete,
/// CLI_HTTP_GOOD, or the status of the answer to a request that is refused. The host must be given
/// once.
int cli_http_parse(const char *data, size_t size, cli_http_request *request);

/// Returns the phrase of a status, for people.
const char *cli_http_reason(int status);

#endif
