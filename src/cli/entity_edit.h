// SPDX-License-Identifier: MIT
// Entities changed as the options of bspkit entities say.
#ifndef CLI_ENTITY_EDIT_H
#define CLI_ENTITY_EDIT_H

#include "cli/edited.h"

#define CLI_OPTIONS_ENTITY_EDIT                                                                      \
    {"set", 0, CLI_TEXT, true, "KEY=VALUE", "Give the selected entities this value for this key"},   \
        {"unset", 0, CLI_TEXT, true, "KEY", "Take this key from the selected entities"},             \
        {"rename", 0,         CLI_TEXT,                                                              \
         true,     "OLD=NEW", "Call this key otherwise in the selected entities"},                   \
        {"remove", 0, CLI_FLAG, false, NULL, "Remove the selected entities"},                        \
        {"add", 0, CLI_FILE, true, "FILE", "Add the entities of a file (text) behind the last one"}, \
        {"import", 0,                                                                                \
         CLI_FILE, false,                                                                            \
         "FILE",   "Replace all entities by those of a file: text, or JSON as --json prints it"},    \
        {"export",                                                                                   \
         0,                                                                                          \
         CLI_TARGET,                                                                                 \
         false,                                                                                      \
         "FILE",                                                                                     \
         "Write the entities, changed as asked for, to a file: JSON if it ends in .json, a patch "   \
         "for Source in .lmp, a configuration of Stripper:Source in .cfg, else text"},               \
    {                                                                                                \
        "dry-run", 0, CLI_FLAG, false, NULL, "Write nothing, and print what would be different"      \
    }

/// The lump of entities that --lump names, or the map's own. False after a message.
bool cli_entity_lump(const cli_input *input, uint32_t *lump);

/// True if the call changes entities, or exports them.
bool cli_entity_edits(const cli_call *call);

cli_status cli_entity_edit(const cli_call *call);

#endif
