// SPDX-License-Identifier: MIT
// How much a random proof does: few under the sanitizers.
#ifndef TEST_EFFORT_H
#define TEST_EFFORT_H

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

/// `full`, or a twentieth of it under the sanitizers.
static inline unsigned test_effort(unsigned full) {
    return TEST_SANITIZED ? full / 20 : full;
}

#endif
