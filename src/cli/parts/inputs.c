// SPDX-License-Identifier: MIT
// A list of (device, number) pairs, which identify a file by any name or link. There is one list
// per process, since inputs are opened in many places and every output must be compared with all of
// them.
#define _POSIX_C_SOURCE 200809L // fstat

#include "cli/parts/inputs.h"

#include "core/os_calls.h"

#include "cli/parts/message.h"

#include "cli/parts/path.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct file_id {
    dev_t device;
    ino_t number;
} file_id;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // several inputs are opened at once
static file_id *list;
static size_t count;
static size_t room;
static bool incomplete; // memory ended: any file may be an input

static bool grow(void) {
    size_t more = room == 0 ? 16 : room * 2;
    file_id *grown = realloc(list, more * sizeof *grown);
    if (grown == NULL) {
        incomplete = true;
        return false;
    }
    list = grown;
    room = more;
    return true;
}

static bool is_input(const struct stat *status) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].device == status->st_dev && list[i].number == status->st_ino) {
            return true;
        }
    }
    return incomplete;
}

void cli_inputs_add(const char *path) {
    struct stat status;
    bool there =
        strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &status) == 0 : stat(path, &status) == 0;
    pthread_mutex_lock(&lock);
    if (there && S_ISREG(status.st_mode) && !is_input(&status) && (count < room || grow())) {
        list[count++] = (file_id){status.st_dev, status.st_ino};
    }
    pthread_mutex_unlock(&lock);
}

void cli_inputs_add_beside(const char *map, const char *name) {
    char path[CLI_PATH_ROOM];
    if (cli_join_beside(map, name, path)) {
        cli_inputs_add(path);
    }
}

void cli_inputs_add_call(const cli_call *call) {
    for (int i = 0; i < call->num_operands; i++) {
        if (cli_operand_is_read(call->command, i)) {
            cli_inputs_add(call->operands[i]);
        }
    }
    for (size_t i = 0; i < call->num_given; i++) {
        cli_value value = call->given[i].option->value;
        if (value == CLI_FILE || value == CLI_NAMES) {
            cli_inputs_add(call->given[i].value);
        }
    }
}

bool cli_may_write_over(const char *path, const struct stat *status) {
    pthread_mutex_lock(&lock);
    bool input = S_ISREG(status->st_mode) && is_input(status);
    pthread_mutex_unlock(&lock);
    if (input) {
        cli_message(
            path,
            "nothing is written there, because this command reads that file, or has written it");
        return false;
    }
    return true;
}

bool cli_may_write_to(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || cli_may_write_over(path, &status);
}
