// SPDX-License-Identifier: MIT
// What differs between two lists of entities, printed.
#ifndef CLI_ENTITY_DIFF_H
#define CLI_ENTITY_DIFF_H

#include "cli/parts/output.h"

typedef struct cli_entity_diff {
    const bsp_entities *before;
    const bsp_entities *after;
    bsp_entity_diff *found;
} cli_entity_diff;

/// Compares two lists as bsp_entities_diff does, which says what `before_of` is. False after a
/// message about `path`; else call cli_entity_diff_free.
bool cli_entity_diff_new(cli_entity_diff *diff, const char *path, const bsp_entities *before,
                         const bsp_entities *after, const uint32_t *before_of);
void cli_entity_diff_free(cli_entity_diff *diff);

/// Prints what differs: "@ number classname", then a line for each pair that went (-) or came
/// (+). Numbers are those of the old list, and after its end those of what is added.
void cli_entity_diff_print(const cli_entity_diff *diff, cli_output *output);

/// Prints the same as a configuration of Stripper:Source: filter, modify and add.
void cli_entity_diff_stripper(const cli_entity_diff *diff, cli_output *output);
/// Prints an entity as such an addition.
void cli_entity_stripper_add(const bsp_entity *entity, cli_output *output);

#endif
