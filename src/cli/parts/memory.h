// SPDX-License-Identifier: MIT
// How the command gets its memory from the system.
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

/// Sets the C library to keep what is freed, so that the next step of a job uses pages that the
/// system has mapped and cleared already, and asks for large pages. Call it before anything is
/// allocated. It has no effect where the C library is not glibc.
void cli_memory_begin(void);

/// Asks for as many large pages again, for a command that holds more than maps: what is drawn from
/// a large one. Call it before threads are started.
void cli_memory_more(void);

#endif
