// SPDX-License-Identifier: MIT
// Sockets of Windows. The numbers of sockets fit in 32 bits, as those of all its handles do.
#ifdef _WIN32
#define _CRT_RAND_S // rand_s: random bits of the system

#include <winsock2.h> // before windows.h

#include "cli/parts/loopback.h"

#include "cli/parts/message.h"

#include <stdlib.h>
#include <string.h>

#define WAITING 8 // connections that the system keeps until they are accepted
#define MOST 64   // wishes

static SOCKET handle_of(int socket) {
    return socket < 0 ? INVALID_SOCKET : (SOCKET)(unsigned)socket;
}

static int number_of(SOCKET socket) {
    return socket == INVALID_SOCKET ? -1 : (int)(intptr_t)socket;
}

static bool make_token(char token[CLI_TOKEN_SIZE + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned bits = 0;
    for (size_t i = 0; i < CLI_TOKEN_SIZE; i++, bits >>= 4) {
        if (i % 8 == 0 && rand_s(&bits) != 0) {
            return false;
        }
        token[i] = digits[bits & 15];
    }
    token[CLI_TOKEN_SIZE] = '\0';
    return true;
}

static bool prepare(SOCKET socket) {
    u_long one = 1;
    return ioctlsocket(socket, (long)FIONBIO, &one) == 0 &&
           SetHandleInformation((HANDLE)socket, HANDLE_FLAG_INHERIT, 0) != 0;
}

static bool listen_at(SOCKET socket, uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int size = sizeof address;
    BOOL alone = TRUE; // no other program may listen there too
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (setsockopt(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&alone, sizeof alone) !=
            0 ||
        bind(socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(socket, WAITING) != 0 ||
        getsockname(socket, (struct sockaddr *)&address, &size) != 0) {
        return false;
    }
    *port = ntohs(address.sin_port);
    return true;
}

bool cli_loopback_open(cli_loopback *loopback) {
    WSADATA data;
    *loopback = (cli_loopback){.socket = -1};
    int fault = WSAStartup(MAKEWORD(2, 2), &data);
    if (fault == 0) {
        SOCKET listening = socket(AF_INET, SOCK_STREAM, 0);
        loopback->socket = number_of(listening);
        if (listening != INVALID_SOCKET && prepare(listening) &&
            listen_at(listening, &loopback->port) && make_token(loopback->token)) {
            return true;
        }
        fault = WSAGetLastError();
        cli_loopback_close(loopback->socket);
    }
    cli_message("127.0.0.1", "Windows cannot listen there (error %d)", fault);
    return false;
}

void cli_loopback_close(int socket) {
    if (socket >= 0) {
        (void)closesocket(handle_of(socket));
    }
}

int cli_loopback_accept(const cli_loopback *loopback) {
    SOCKET connection = accept(handle_of(loopback->socket), NULL, NULL);
    if (connection != INVALID_SOCKET && !prepare(connection)) {
        (void)closesocket(connection);
        return -1;
    }
    return number_of(connection);
}

void cli_loopback_wait(cli_loopback_wish *wishes, size_t count, int milliseconds) {
    WSAPOLLFD list[MOST];
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < count; i++) {
        list[i] = (WSAPOLLFD){.fd = handle_of(wishes[i].socket),
                              .events = wishes[i].write ? POLLWRNORM : POLLRDNORM};
    }
    int ready = WSAPoll(list, (ULONG)count, milliseconds);
    for (size_t i = 0; i < count; i++) {
        wishes[i].ready = ready > 0 && list[i].revents != 0;
    }
}

static ptrdiff_t result_of(int size) {
    return size >= 0                             ? size
           : WSAGetLastError() == WSAEWOULDBLOCK ? CLI_LOOPBACK_LATER
                                                 : CLI_LOOPBACK_FAILED;
}

static int at_once(size_t size) {
    return size < 1u << 20 ? (int)size : 1 << 20;
}

ptrdiff_t cli_loopback_read(int socket, char *out, size_t size) {
    return result_of(recv(handle_of(socket), out, at_once(size), 0));
}

ptrdiff_t cli_loopback_write(int socket, const char *data, size_t size) {
    return result_of(send(handle_of(socket), data, at_once(size), 0));
}

void cli_loopback_end(int socket) {
    (void)shutdown(handle_of(socket), SD_SEND);
}

#else
typedef int cli_loopback_not_windows;
#endif
