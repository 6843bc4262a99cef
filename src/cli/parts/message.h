// SPDX-License-Identifier: MIT
// Messages on standard error, and how sizes are said.
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "bspkit/bspkit.h"
#include "cli/parts/options.h"

/// "bspkit: ABOUT: text" on standard error, one line whatever the text holds. ABOUT may be NULL.
void cli_message(const char *about, const char *format, ...) BSP_PRINTF(2, 3);
/// Says that the operating system refused something about `about`, with errno's reason in English.
void cli_message_system(const char *about, int number);
/// errno's reason in English, until the thread's next call.
const char *cli_reason(int number);
/// The message of a failed library call about an input, and the exit status for it. A message that
/// names the input's path itself is said without it.
cli_status cli_report(const char *path, const bsp_error *error);

/// "1.2 MiB". Exact below 1024.
#define CLI_SIZE_TEXT 24
void cli_format_size(char out[CLI_SIZE_TEXT], uint64_t size);

/// True for characters that a terminal would obey.
bool cli_is_control(char c);

#endif
