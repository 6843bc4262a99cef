// SPDX-License-Identifier: MIT
// The time that passes while a command runs.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "cli/parts/clock.h"

#include <time.h>

uint64_t cli_clock(void) {
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

float cli_seconds_since(uint64_t begun) {
    return (float)((cli_clock() - begun) / 1000000) / 1000;
}
