// SPDX-License-Identifier: MIT
// What benchmarks share: clocks, medians with their spread, random numbers. Must be included first.
#ifndef BENCH_H
#define BENCH_H

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/// Returns seconds of processor time of this thread; other programs do not count.
static inline double bench_now(void) {
    return bench_clock(CLOCK_THREAD_CPUTIME_ID);
}

/// Returns seconds of wall-clock time.
static inline double bench_wall(void) {
    return bench_clock(CLOCK_MONOTONIC);
}

static inline int bench_by_value(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/// How the measurements of one thing spread.
typedef struct bench_spread {
    double least;
    double median;
    double most;
} bench_spread;

/// Returns the spread of `count` values, of which there is at least one; sorts them.
static inline bench_spread bench_spread_of(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, bench_by_value);
    return (bench_spread){values[0], values[count / 2], values[count - 1]};
}

/// Returns the median; sorts the values.
static inline double bench_median(double *values, int count) {
    return bench_spread_of(values, count).median;
}

/// Prints the median and in brackets least and most, each times `scale`.
static inline void bench_print(bench_spread s, double scale, int places) {
    printf("%8.*f (%.*f to %.*f)", places, s.median * scale, places, s.least * scale, places,
           s.most * scale);
}

/// Returns a number from 0 to below 1; the state may be any number.
static inline float bench_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(*state >> 40) / 16777216.0f;
}

#endif
