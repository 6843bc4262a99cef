// SPDX-License-Identifier: MIT
// One budget for all that a command does, as --limit sets it.
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include "cli/parts/message.h"

/// What can be limited, as --limit calls it.
typedef struct cli_limit_name {
    const char *name;
    const char *unit;
    size_t offset;     ///< in bsp_limits
    uint64_t thousand; ///< what K stands for
} cli_limit_name;

#define CLI_NUM_LIMITS 4u
extern const cli_limit_name cli_limit_names[CLI_NUM_LIMITS];

/// The member of `limits` that the name stands for.
uint64_t cli_limit_value(const bsp_limits *limits, const cli_limit_name *name);

/// What --limit takes: NAME=VALUE or "none" or "report". False if `text` is none of it. `limits`
/// receives what it says, or may be NULL.
bool cli_limit_parse(const char *text, bsp_limits *limits, bool *report);

/// Sets the limits of the call. False after a message.
bool cli_limits_begin(const cli_call *call);
/// Prints what was used if --limit report was given, and frees the budget.
void cli_limits_end(void);

/// The budget of the command; NULL before cli_limits_begin.
bsp_budget *cli_budget(void);

/// Every byte that goes to an output passes here before it is written, every file before it is made
/// (`files` 1). False when a limit is reached: then errno is set, and nothing is to be written.
bool cli_count_output(uint64_t bytes, uint32_t files);
/// From now on (or no more) the library counts what is written: cli_count_output allows all.
void cli_library_counts(bool yes);

#endif
