// SPDX-License-Identifier: MIT
// Messages on standard error, and the format of sizes.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "bspkit/bspkit.h"
#include "cli/parts/capture.h"
#include "cli/parts/options.h"

/// Prints "bspkit: ABOUT: text" on standard error as one line, even if the text contains line ends.
/// ABOUT may be NULL.
void cli_message(const char *about, const char *format, ...) BSP_PRINTF(2, 3);
/// Bytes of the longest message, with what it is about; longer ones are cut.
#define CLI_MESSAGE_ROOM 1024

/// The messages about one input.
typedef struct cli_messages {
    cli_capture *lines; ///< receives the lines instead of standard error; NULL: they are printed
    const char *about;  ///< the input; NULL: messages about anything
    char last[CLI_MESSAGE_ROOM]; ///< text of the last one, with what it is about unless that is
                                 ///< `about`; "" if there was none
} cli_messages;
/// Hands the messages of this thread to `messages` from now on; NULL: to none.
void cli_messages_of(cli_messages *messages);
/// Prints lines that were kept.
void cli_messages_print(const cli_capture *lines);

/// Reports that the operating system refused an operation on `about`, with errno's reason in
/// English.
void cli_message_system(const char *about, int number);
/// Returns errno's reason in English, valid until the thread's next call.
const char *cli_reason(int number);
/// Prints the message of a failed library call about an input, and returns its exit status. If the
/// message begins with the input's path, the path is printed once.
cli_status cli_report(const char *path, const bsp_error *error);

/// Formats a size as "1.2 MiB". Exact below 1024.
#define CLI_SIZE_TEXT 24
void cli_format_size(char out[CLI_SIZE_TEXT], uint64_t size);

/// Returns true for control characters, which a terminal would execute.
bool cli_is_control(char c);

#endif
