// SPDX-License-Identifier: MIT
// Sockets of POSIX.
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L // sockets, poll, sigaction

#include "cli/parts/loopback.h"

#include "core/os_calls.h"

#include "cli/parts/message.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#define WAITING 8 // connections that the system keeps until they are accepted
#define MOST 64   // wishes

static bool make_token(char token[CLI_TOKEN_SIZE + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[CLI_TOKEN_SIZE / 2];
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
    for (size_t i = 0; good && i < CLI_TOKEN_SIZE; i++) {
        token[i] = digits[bytes[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
    }
    token[CLI_TOKEN_SIZE] = '\0';
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

static bool prepare(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool listen_at(int fd, uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, WAITING) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        return false;
    }
    *port = ntohs(address.sin_port);
    return true;
}

bool cli_loopback_open(cli_loopback *loopback) {
    // A connection that the browser closes is no reason to end.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    *loopback = (cli_loopback){.socket = socket(AF_INET, SOCK_STREAM, 0)};
    if (loopback->socket >= 0 && prepare(loopback->socket) &&
        listen_at(loopback->socket, &loopback->port) && make_token(loopback->token)) {
        return true;
    }
    cli_message_system("127.0.0.1", errno);
    cli_loopback_close(loopback->socket);
    return false;
}

void cli_loopback_close(int socket) {
    if (socket >= 0) {
        (void)close(socket);
    }
}

int cli_loopback_accept(const cli_loopback *loopback) {
    int fd = accept(loopback->socket, NULL, NULL);
    if (fd >= 0 && !prepare(fd)) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

void cli_loopback_wait(cli_loopback_wish *wishes, size_t count, int milliseconds) {
    struct pollfd list[MOST];
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; i++) {
        list[i] =
            (struct pollfd){.fd = wishes[i].socket, .events = wishes[i].write ? POLLOUT : POLLIN};
    }
    int ready = poll(list, (nfds_t)count, milliseconds);
    for (size_t i = 0; i < count; i++) {
        wishes[i].ready = ready > 0 && list[i].revents != 0;
    }
}

static ptrdiff_t result_of(ssize_t size) {
    bool later = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    return size >= 0 ? size : later ? CLI_LOOPBACK_LATER : CLI_LOOPBACK_FAILED;
}

ptrdiff_t cli_loopback_read(int socket, char *out, size_t size) {
    return result_of(read(socket, out, size));
}

ptrdiff_t cli_loopback_write(int socket, const char *data, size_t size) {
    return result_of(write(socket, data, size));
}

void cli_loopback_end(int socket) {
    (void)shutdown(socket, SHUT_WR);
}

#else
typedef int cli_loopback_not_posix;
#endif
