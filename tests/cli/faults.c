// SPDX-License-Identifier: MIT
// Preloaded into the command by faults.py and edits.py: lets the n-th call of one kind fail, once,
// or with FAULT_KILL ends the process before it, as kill -9 does. FAULT_CALL is the call ("alloc"
// for malloc, calloc and realloc together), FAULT_AT is n from 1 on, FAULT_FD a descriptor that
// gets a byte when it happened.
#define _GNU_SOURCE // RTLD_NEXT

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static const char *call;
static long left;
static int told;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAULT_AT");
    const char *fd = getenv("FAULT_FD");
    call = getenv("FAULT_CALL");
    left = at == NULL ? 0 : atol(at);
    told = fd == NULL ? 2 : atoi(fd);
}

static int fails(const char *name, int cause) {
    if (call == NULL || strcmp(call, name) != 0 || left == 0 || --left != 0) {
        return 0;
    }
    if (getenv("FAULT_KILL") != NULL) {
        (void)kill(getpid(), SIGKILL);
    }
    (void)syscall(SYS_write, told, "!", 1);
    errno = cause;
    return 1;
}

void *malloc(size_t size) {
    return fails("alloc", ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails("alloc", ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails("alloc", ENOMEM) ? NULL : __libc_realloc(old, size);
}

ssize_t write(int fd, const void *data, size_t size) {
    return fails("write", ENOSPC) ? -1 : (ssize_t)syscall(SYS_write, fd, data, size);
}

// Calls that return 0, or -1 and errno.
#define WRAP(name, cause, parameters, arguments)                                                   \
    int name parameters {                                                                          \
        int(*real) parameters;                                                                     \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                 \
        return fails(#name, cause) ? -1 : real arguments;                                          \
    }

WRAP(fsync, EIO, (int fd), (fd))
WRAP(close, EIO, (int fd), (fd))
WRAP(fchmod, EPERM, (int fd, mode_t mode), (fd, mode))
WRAP(fchown, EPERM, (int fd, uid_t user, gid_t group), (fd, user, group))
WRAP(flock, ENOLCK, (int fd, int what), (fd, what))
WRAP(unlinkat, EACCES, (int folder, const char *name, int flags), (folder, name, flags))
WRAP(renameat, EIO, (int folder, const char *from, int other, const char *to),
     (folder, from, other, to))
WRAP(linkat, EMLINK, (int folder, const char *from, int other, const char *to, int flags),
     (folder, from, other, to, flags))

// Only where a file is made: folders that are opened are read.
int openat(int folder, const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    if ((flags & O_CREAT) != 0 && fails("openat", EACCES)) {
        return -1;
    }
    return (int)syscall(SYS_openat, folder, name, flags, mode);
}
