// SPDX-License-Identifier: MIT
// What is printed while one of several inputs is worked on, kept until its turn comes.
#ifndef CLI_CAPTURE_H
#define CLI_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

/// Kept bytes. All zero: none. Plain data; free with cli_capture_free.
typedef struct cli_capture {
    char *data;
    size_t size;
    size_t room;
} cli_capture;

/// Adds bytes. Returns false without memory.
bool cli_capture_add(cli_capture *capture, const char *data, size_t size);
/// Frees the bytes and sets the capture to zero.
void cli_capture_free(cli_capture *capture);

#endif
