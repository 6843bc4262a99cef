// SPDX-License-Identifier: MIT
// A text that grows, in memory of the C library: it holds what a job printed until its turn.
#include "cli/parts/capture.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool cli_capture_add(cli_capture *capture, const char *data, size_t size) {
    if (size > SIZE_MAX / 2 - capture->size) {
        return false;
    }
    if (capture->size + size > capture->room) {
        size_t room = (capture->size + size) * 2;
        char *grown = realloc(capture->data, room);
        if (grown == NULL) {
            return false;
        }
        capture->data = grown;
        capture->room = room;
    }
    if (size != 0) {
        memcpy(capture->data + capture->size, data, size);
    }
    capture->size += size;
    return true;
}

void cli_capture_free(cli_capture *capture) {
    free(capture->data);
    *capture = (cli_capture){.data = NULL};
}
