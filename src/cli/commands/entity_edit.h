// SPDX-License-Identifier: MIT
// Changes to entities, by the options of bspkit entities.
#ifndef CLI_ENTITY_EDIT_H
#define CLI_ENTITY_EDIT_H

#include "cli/parts/write_map.h"

/// The options of bspkit entities.
typedef struct cli_entity_options {
    cli_common common;
    const char *lump;
    bool count;
    cli_list changes; ///< to selected entities; `what` is a bsp_entity_action
    cli_list add;
    const char *import;
    const char *export;
    bool dry_run;
} cli_entity_options;

/// Returns the options of a call.
static inline const cli_entity_options *cli_entity_options_of(const cli_call *call) {
    return call->options;
}

/// Gives the lump of entities that --lump names, or the map's own. Returns false after a message.
bool cli_entity_lump(const cli_input *input, uint32_t *lump);

/// Returns true if the call changes entities, or exports them.
bool cli_entity_edits(const cli_call *call);

cli_status cli_entity_edit(const cli_call *call);

#endif
