// SPDX-License-Identifier: MIT
// Numbers in arguments and in lines of standard input.
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdbool.h>

/// Reads all numbers of a text, with blanks or commas between them. Returns how many there are, or
/// -1 if there are more than `most`, or one is malformed.
int cli_read_numbers(const char *text, float *numbers, int most);

/// Reads just `count` numbers. Returns false if there are more or fewer, or one is malformed.
bool cli_take_numbers(const char *text, float *numbers, int count);

#endif
