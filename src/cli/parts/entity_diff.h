// SPDX-License-Identifier: MIT
// Two lists of entities, one made of the other: which became which, and what is different.
#ifndef CLI_ENTITY_DIFF_H
#define CLI_ENTITY_DIFF_H

#include "cli/parts/output.h"

typedef struct cli_entity_diff {
    const bsp_entities *before;
    const bsp_entities *after;
    uint32_t *new_of; ///< for each old entity the new one, or BSP_NONE: it is gone
    uint32_t *old_of; ///< for each new entity the old one, or BSP_NONE: it is added
} cli_entity_diff;

/// Pairs the entities of two lists: those that are equal, then those of the same hammerid, or of
/// the same classname, targetname and origin; in order. False after a message about `path`.
bool cli_entity_diff_new(cli_entity_diff *diff, const char *path, const bsp_entities *before,
                         const bsp_entities *after);
/// Pairs them where it is known which of the old ones (`removed`) are gone: the others follow each
/// other as before, and what is added comes behind them.
bool cli_entity_diff_known(cli_entity_diff *diff, const char *path, const bsp_entities *before,
                           const bsp_entities *after, const bool *removed);
void cli_entity_diff_free(cli_entity_diff *diff);

/// Pairs of one list that are not in the other, in order. Returns how many there are; `out` has
/// room for all of `entity`.
uint32_t cli_entity_diff_pairs(const bsp_entity *entity, const bsp_entity *other,
                               const bsp_pair **out);

/// Prints what is different: "@ number classname", then a line for each pair that went (-) or came
/// (+). Numbers are those of the old list, and behind its end those of what is added. Returns
/// whether anything is.
bool cli_entity_diff_print(const cli_entity_diff *diff, cli_output *output);

/// Prints the same as a configuration of Stripper:Source: filter, modify and add.
void cli_entity_diff_stripper(const cli_entity_diff *diff, cli_output *output);
/// Prints entities of a list as such additions.
void cli_entity_stripper_add(const bsp_entity *entity, cli_output *output);

#endif
