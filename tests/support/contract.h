// SPDX-License-Identifier: MIT
// Broken contracts: what a caller owes a function, and does not give.
#ifndef TEST_CONTRACT_H
#define TEST_CONTRACT_H

/// Makes a call that breaks a contract. In builds with asserts it runs in a child, which has to end
/// at an assert. In others it runs here, and itself says what it expects of its results.
void test_refused(void (*call)(void *user), void *user);

#endif
