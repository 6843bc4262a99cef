// SPDX-License-Identifier: MIT
// Prints the differences of two lists of entities.
#ifndef CLI_ENTITY_DIFF_H
#define CLI_ENTITY_DIFF_H

#include "cli/parts/output.h"

typedef struct cli_entity_diff {
    const bsp_entities *before;
    const bsp_entities *after;
    bsp_entity_diff *found;
} cli_entity_diff;

/// Compares two lists as bsp_entities_diff does; see there for `before_of`. Returns false after a
/// message about `path`; else call cli_entity_diff_free.
bool cli_entity_diff_new(cli_entity_diff *diff, const char *path, const bsp_entities *before,
                         const bsp_entities *after, const uint32_t *before_of);
void cli_entity_diff_free(cli_entity_diff *diff);

/// Prints the differences: "@ number classname", then a line for each removed (-) or added (+)
/// pair. Numbers are those of the old list, and from its end on those of added entities.
void cli_entity_diff_print(const cli_entity_diff *diff, cli_output *output);

/// Prints the differences as a configuration of Stripper:Source: filter, modify and add.
void cli_entity_diff_stripper(const cli_entity_diff *diff, cli_output *output);
/// Prints an entity as such an addition.
void cli_entity_stripper_add(const bsp_entity *entity, cli_output *output);

#endif
