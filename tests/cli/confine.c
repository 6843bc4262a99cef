// SPDX-License-Identifier: MIT
// Preloaded into the command by confine.py: when it flushes its first output it tries what the
// lines of the file CONFINE_TRY name ("read PATH", "write PATH", "list PATH", "udp", "tcp",
// "connect PORT", "exec PATH"), and writes to descriptor CONFINE_FD for each 0 or the errno.
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int try_open(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    int cause = errno;
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 ? 0 : cause;
}

static int try_list(const char *path) {
    DIR *folder = opendir(path);
    int cause = errno;
    if (folder != NULL) {
        closedir(folder);
    }
    return folder != NULL ? 0 : cause;
}

static int try_socket(int kind) {
    int fd = socket(AF_INET, kind, 0);
    int cause = errno;
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 ? 0 : cause;
}

// In a child, for it goes away where it succeeds.
static int try_exec(const char *path) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execl(path, path, (char *)NULL);
        _exit(errno);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static int attempt(const char *what, const char *path) {
    return strcmp(what, "read") == 0    ? try_open(path, O_RDONLY)
           : strcmp(what, "write") == 0 ? try_open(path, O_WRONLY | O_CREAT)
           : strcmp(what, "list") == 0  ? try_list(path)
           : strcmp(what, "udp") == 0   ? try_socket(SOCK_DGRAM)
           : strcmp(what, "tcp") == 0   ? try_socket(SOCK_STREAM)
           : strcmp(what, "exec") == 0  ? try_exec(path)
                                        : -1;
}

// Read before anything is refused.
static char text[8192];

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("CONFINE_TRY");
    FILE *file = name == NULL ? NULL : fopen(name, "r");
    if (file != NULL) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
}

int fsync(int fd) {
    const char *out = getenv("CONFINE_FD");
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *path = strchr(line, ' ');
        if (path != NULL) {
            *path++ = '\0';
        }
        dprintf(out == NULL ? 2 : atoi(out), "%d\n", attempt(line, path));
    }
    text[0] = '\0';
    return (int)syscall(SYS_fsync, fd);
}
