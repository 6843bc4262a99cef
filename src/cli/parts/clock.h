// SPDX-License-Identifier: MIT
// The time that passes while a command runs.
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

#include <stdint.h>

/// Returns a time in nanoseconds that never goes back, from an unspecified start.
uint64_t cli_clock(void);
/// Returns the seconds since a time of cli_clock, in thousandths.
float cli_seconds_since(uint64_t begun);

#endif
