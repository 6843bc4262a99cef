// SPDX-License-Identifier: MIT
// Which entities a command line means: --where KEY=GLOB.
#ifndef CLI_WHERE_H
#define CLI_WHERE_H

#include "cli/output.h"

#define CLI_OPTION_WHERE                                                                           \
    {                                                                                              \
        "where", 0, CLI_TEXT, true, "KEY=GLOB",                                                    \
            "Only entities with this key and a value that matches; * stands for any characters, "  \
            "? for one, the case of letters does not matter. Given several times, all must match"  \
    }

/// False after a message when a --where is no KEY=GLOB.
bool cli_where_check(const cli_call *call);
/// True if there is any.
bool cli_where_given(const cli_call *call);
/// True if every --where holds for the entity.
bool cli_where_matches(const cli_call *call, const bsp_entity *entity);

#endif
