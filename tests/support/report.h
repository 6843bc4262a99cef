// SPDX-License-Identifier: MIT
// What tests print for people, with cmocka's print_message.
#ifndef TEST_REPORT_H
#define TEST_REPORT_H

#include <stdlib.h>

/// Prints as printf does, with BSPKIT_REPORT in the environment.
#define REPORT(...) (getenv("BSPKIT_REPORT") != NULL ? print_message(__VA_ARGS__) : (void)0)

#endif
