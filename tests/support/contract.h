// SPDX-License-Identifier: MIT
// Broken contracts: calls that violate a precondition.
#ifndef TEST_CONTRACT_H
#define TEST_CONTRACT_H

/// Makes a call that breaks a contract. In builds with asserts it runs in a child process, which
/// must end at an assert. In other builds it runs here, and checks its own results.
void test_refused(void (*call)(void *user), void *user);

#endif
