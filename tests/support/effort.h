// SPDX-License-Identifier: MIT
// How much a proof does: less under the sanitizers, everything in make test-all.
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

/// True in make test-all, which sets BSPKIT_THOROUGH: nothing is left out.
static inline bool test_is_thorough(void) {
    return getenv("BSPKIT_THOROUGH") != NULL;
}

/// `full`, or a twentieth of it under the sanitizers.
static inline unsigned test_effort(unsigned full) {
    return TEST_SANITIZED && !test_is_thorough() ? full / 20 : full;
}

/// Every how many of a list are tried: `step`, or each of them.
static inline unsigned test_step(unsigned step) {
    return test_is_thorough() ? 1 : step;
}

#endif
