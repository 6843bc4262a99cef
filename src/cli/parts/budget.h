// SPDX-License-Identifier: MIT
// One budget for everything that a command does, as --limit sets it.
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include "cli/parts/message.h"

/// What can be limited, by its name in --limit.
typedef struct cli_limit_name {
    const char *name;
    const char *unit;
    size_t offset;     ///< in bsp_limits
    uint64_t thousand; ///< the value of K
} cli_limit_name;

#define CLI_NUM_LIMITS 4u
extern const cli_limit_name cli_limit_names[CLI_NUM_LIMITS];

/// Returns the member of `limits` that the name stands for.
uint64_t cli_limit_value(const bsp_limits *limits, const cli_limit_name *name);

/// Parses a value of --limit: NAME=VALUE, "none" or "report". Returns false for anything else.
/// `limits` receives the value, or may be NULL.
bool cli_limit_parse(const char *text, bsp_limits *limits, bool *report);

/// Sets the limits of the call. Returns false after a message.
bool cli_limits_begin(const cli_call *call);
/// Prints what was used if --limit report was given, and frees the budget.
void cli_limits_end(void);

/// Returns the budget of the command; NULL before cli_limits_begin.
bsp_budget *cli_budget(void);

/// Counts bytes of an output before they are written, and a file before it is made (`files` 1).
/// Returns false when a limit is reached: then errno is set, and nothing may be written.
bool cli_count_output(uint64_t bytes, uint32_t files);
/// Sets whether the library counts what is written; then cli_count_output allows everything.
void cli_library_counts(bool yes);

#endif
