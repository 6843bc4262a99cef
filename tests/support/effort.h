// SPDX-License-Identifier: MIT
// How much a test does: less under the sanitizers, everything in make test-all.
#ifndef TEST_EFFORT_H
#define TEST_EFFORT_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/// Returns true in make test-all, which sets BSPKIT_THOROUGH: nothing is left out.
static inline bool test_is_thorough(void) {
    return getenv("BSPKIT_THOROUGH") != NULL;
}

/// Returns `full`, or a twentieth of it under the sanitizers.
static inline unsigned test_effort(unsigned full) {
    return TEST_SANITIZED && !test_is_thorough() ? full / 20 : full;
}

/// Returns the step through a list: `step`, or 1 in make test-all.
static inline unsigned test_step(unsigned step) {
    return test_is_thorough() ? 1 : step;
}

#endif
