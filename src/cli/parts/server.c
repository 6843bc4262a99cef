// SPDX-License-Identifier: MIT
// One thread, and a fixed number of connections, each for one request: it is read, answered, and
// the connection ends. When all are in use, the one that has waited longest without a request makes
// room, so that connections which send nothing do not keep others out.

#include "cli/parts/server.h"

#include "core/os_calls.h"

#include "cli/parts/clock.h"
#include "cli/parts/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTIONS 16u
#define TICK 100 // milliseconds
#define SECOND UINT64_C(1000000000)
#define READ_TIME (10 * SECOND)  // for the whole request
#define WRITE_TIME (30 * SECOND) // without a byte taken
#define END_TIME (2 * SECOND)
#define END_BYTES ((size_t)64 * 1024) // that are read and ignored after a refusal
#define HEAD_ROOM (CLI_FIELD_ROOM + CLI_ANSWER_ROOM + 1024u)

typedef enum connection_state {
    UNUSED,
    READING,
    WRITING,
    ENDING, // the answer is sent: what still comes is ignored, so that the answer is not lost
} connection_state;

typedef struct connection {
    connection_state state;
    int socket;
    uint64_t since; // begin of the state, or the last byte written
    char request[CLI_HTTP_ROOM];
    size_t size; // of the request, or ignored bytes
    char head[HEAD_ROOM];
    size_t head_size;
    cli_shared *shared; // after the head; NULL: nothing
    size_t sent;        // of both
} connection;

typedef struct serving {
    const cli_server *server;
    connection list[CONNECTIONS];
} serving;

// --- bytes of several users ---------------------------------------------------------------------

cli_shared *cli_share(cli_capture *bytes) {
    cli_shared *shared = malloc(sizeof *shared);
    if (shared == NULL) {
        cli_capture_free(bytes);
        return NULL;
    }
    *shared = (cli_shared){.bytes = *bytes, .users = 1};
    *bytes = (cli_capture){.data = NULL};
    return shared;
}

void cli_unshare(cli_shared *shared) {
    if (shared != NULL && --shared->users == 0) {
        cli_capture_free(&shared->bytes);
        free(shared);
    }
}

// --- answers ------------------------------------------------------------------------------------

static void close_connection(connection *c) {
    cli_loopback_close(c->socket);
    cli_unshare(c->shared);
    c->shared = NULL;
    c->state = UNUSED;
}

static void enter(connection *c, connection_state state) {
    c->state = state;
    c->since = cli_clock();
}

// Writes the head of an answer: no cache keeps it, no other site may load or frame it.
static void begin_answer(connection *c, int status, const cli_answer *answer, size_t size) {
    int used = snprintf(c->head, HEAD_ROOM,
                        "HTTP/1.1 %d %s\r\n"
                        "Content-Type: %s\r\n"
                        "Content-Length: %zu\r\n"
                        "%s%sCache-Control: no-store\r\n"
                        "Referrer-Policy: no-referrer\r\n"
                        "X-Content-Type-Options: nosniff\r\n"
                        "X-Frame-Options: DENY\r\n"
                        "Cross-Origin-Opener-Policy: same-origin\r\n"
                        "Cross-Origin-Resource-Policy: same-origin\r\n"
                        "Connection: close\r\n\r\n",
                        status, cli_http_reason(status), answer->type, size, answer->field,
                        status == CLI_HTTP_METHOD ? "Allow: GET, HEAD\r\n" : "");
    c->head_size = used < 0 ? 0 : (size_t)used;
    c->sent = 0;
    enter(c, WRITING);
}

static void add_text(connection *c, const char *text) {
    size_t size = strlen(text);
    memcpy(c->head + c->head_size, text, size);
    c->head_size += size;
}

static void refuse(connection *c, int status, bool head) {
    cli_answer answer = {
        .type = "text/plain; charset=utf-8",
        .field = "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"};
    const char *reason = cli_http_reason(status);
    begin_answer(c, status, &answer, strlen(reason) + 1);
    if (!head) {
        add_text(c, reason);
        add_text(c, "\n");
    }
}

// Returns true for this machine's own names. Another one is that of a site which made its name
// stand for this machine, to read its answers.
static bool is_own_host(const cli_server *server, bsp_text host) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char own[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(own, sizeof own, "%s:%u", names[i], server->loopback.port);
        if (bsp_text_equal(host, bsp_text_of(own))) {
            return true;
        }
    }
    return false;
}

// Gives what follows "/TOKEN/" in a target. The time does not depend on how much of it is right.
static bool take_token(const cli_server *server, bsp_text target, bsp_text *name) {
    unsigned char differs = 0;
    if (target.size < CLI_TOKEN_SIZE + 2) {
        return false;
    }
    for (size_t i = 0; i < CLI_TOKEN_SIZE; i++) {
        differs |= (unsigned char)(target.data[i + 1] ^ server->loopback.token[i]);
    }
    *name = (bsp_text){target.data + CLI_TOKEN_SIZE + 2, target.size - CLI_TOKEN_SIZE - 2};
    return differs == 0 && target.data[CLI_TOKEN_SIZE + 1] == '/';
}

static void answer_request(const cli_server *server, connection *c,
                           const cli_http_request *request) {
    cli_answer answer = {.type = NULL};
    bsp_text name;
    if (!is_own_host(server, request->host)) {
        refuse(c, CLI_HTTP_OTHER_HOST, request->head);
        return;
    }
    if (!take_token(server, request->target, &name) ||
        !server->answer(server->user, name, &answer)) {
        refuse(c, CLI_HTTP_NOT_FOUND, request->head);
        return;
    }
    bool text = answer.shared == NULL;
    begin_answer(c, CLI_HTTP_GOOD, &answer, text ? strlen(answer.text) : answer.shared->bytes.size);
    if (!request->head && text) {
        add_text(c, answer.text);
    } else if (!request->head) {
        c->shared = answer.shared;
        c->shared->users++;
    }
}

// --- connections --------------------------------------------------------------------------------

static void read_more(const cli_server *server, connection *c) {
    cli_http_request request;
    ptrdiff_t got = cli_loopback_read(c->socket, c->request + c->size, CLI_HTTP_ROOM - c->size);
    if (got == CLI_LOOPBACK_LATER) {
        return;
    }
    if (got <= 0) {
        close_connection(c);
        return;
    }
    c->size += (size_t)got;
    int status = cli_http_parse(c->request, c->size, &request);
    if (status == CLI_HTTP_GOOD) {
        answer_request(server, c, &request);
    } else if (status != 0) {
        refuse(c, status, false);
    }
}

static void write_more(connection *c) {
    size_t body = c->shared == NULL ? 0 : c->shared->bytes.size;
    bool in_head = c->sent < c->head_size;
    const char *from = in_head ? c->head + c->sent : c->shared->bytes.data + c->sent - c->head_size;
    size_t left = (in_head ? c->head_size : c->head_size + body) - c->sent;
    ptrdiff_t put = cli_loopback_write(c->socket, from, left);
    if (put == CLI_LOOPBACK_FAILED) {
        close_connection(c);
    } else if (put > 0) {
        c->sent += (size_t)put;
        c->since = cli_clock();
        if (c->sent == c->head_size + body) {
            cli_loopback_end(c->socket);
            c->size = 0;
            enter(c, ENDING);
        }
    }
}

static void read_rest(connection *c) {
    ptrdiff_t got = cli_loopback_read(c->socket, c->request, CLI_HTTP_ROOM);
    c->size += got > 0 ? (size_t)got : 0;
    if (got == 0 || got == CLI_LOOPBACK_FAILED || c->size > END_BYTES) {
        close_connection(c);
    }
}

static void move_on(const cli_server *server, connection *c) {
    if (c->state == READING) {
        read_more(server, c);
    } else if (c->state == WRITING) {
        write_more(c);
    } else {
        read_rest(c);
    }
}

static void end_late(connection *c) {
    static const uint64_t times[] = {
        [UNUSED] = 0, [READING] = READ_TIME, [WRITING] = WRITE_TIME, [ENDING] = END_TIME};
    if (cli_clock() - c->since <= times[c->state]) {
        return;
    }
    if (c->state == READING && c->size != 0) {
        refuse(c, CLI_HTTP_TIMEOUT, false);
    } else {
        close_connection(c);
    }
}

// Returns an unused connection, or makes room. NULL if all have a request.
static connection *find_room(serving *s) {
    connection *oldest = NULL;
    for (size_t i = 0; i < CONNECTIONS; i++) {
        connection *c = &s->list[i];
        if (c->state == UNUSED) {
            return c;
        }
        if (c->state != WRITING && (oldest == NULL || c->since < oldest->since)) {
            oldest = c;
        }
    }
    if (oldest != NULL) {
        close_connection(oldest);
    }
    return oldest;
}

static void accept_one(serving *s) {
    int socket = cli_loopback_accept(&s->server->loopback);
    if (socket < 0) {
        return;
    }
    connection *c = find_room(s);
    if (c == NULL) {
        cli_loopback_close(socket);
        return;
    }
    c->socket = socket;
    c->size = 0;
    enter(c, READING);
}

// Waits, and does what can be done without waiting.
static void step(serving *s) {
    cli_loopback_wish wishes[CONNECTIONS + 1] = {{.socket = s->server->loopback.socket}};
    connection *whose[CONNECTIONS + 1] = {NULL};
    size_t count = 1;
    for (size_t i = 0; i < CONNECTIONS; i++) {
        connection *c = &s->list[i];
        if (c->state != UNUSED) {
            whose[count] = c;
            wishes[count++] =
                (cli_loopback_wish){.socket = c->socket, .write = c->state == WRITING};
        }
    }
    cli_loopback_wait(wishes, count, TICK);
    for (size_t i = 1; i < count; i++) {
        if (wishes[i].ready) {
            move_on(s->server, whose[i]);
        }
        if (whose[i]->state != UNUSED) {
            end_late(whose[i]);
        }
    }
    if (wishes[0].ready) {
        accept_one(s);
    }
}

bool cli_serve(const cli_server *server) {
    serving *s = calloc(1, sizeof *s);
    if (s == NULL) {
        cli_message(NULL, "no memory");
        return false;
    }
    s->server = server;
    while (server->tick(server->user)) {
        step(s);
    }
    for (size_t i = 0; i < CONNECTIONS; i++) {
        if (s->list[i].state != UNUSED) {
            close_connection(&s->list[i]);
        }
    }
    free(s);
    return true;
}
