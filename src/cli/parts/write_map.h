// SPDX-License-Identifier: MIT
// Writes a changed map to --output or --in-place: as a temporary file in the destination's folder,
// flushed, opened again and checked, and renamed only then.
#ifndef CLI_WRITE_MAP_H
#define CLI_WRITE_MAP_H

#include "cli/parts/input.h"

#define CLI_OPTION_EDITED                                                                          \
    {                                                                                              \
        .name = "output", .letter = 'o', CLI_TARGET_TO(cli_common, output), .argument = "FILE",    \
        .help = "Write the changed map to this file, or into this folder, which several maps "     \
                "need; - is standard output"                                                       \
    }
#define CLI_OPTION_IN_PLACE                                                                        \
    {                                                                                              \
        .name = "in-place", CLI_FLAG_TO(cli_common, in_place),                                     \
        .help = "Replace the map itself; the old map is kept as FILE.bak, unless that exists "     \
                "from an earlier edit"                                                             \
    }
#define CLI_OPTION_BACKUP                                                                          \
    {                                                                                              \
        .name = "backup", CLI_FLAG_TO(cli_common, backup),                                         \
        .help = "With --in-place: keep the old map as FILE.bak, replacing an earlier FILE.bak"     \
    }
#define CLI_OPTION_NO_BACKUP                                                                       \
    {                                                                                              \
        .name = "no-backup", CLI_FLAG_TO(cli_common, no_backup),                                   \
        .help = "With --in-place: do not keep the old map"                                         \
    }
#define CLI_OPTIONS_BACKUP CLI_OPTION_BACKUP, CLI_OPTION_NO_BACKUP
/// `cases`: what else the command goes on after: "", or "... or if ".
#define CLI_OPTION_FORCE_IF(cases)                                                                 \
    {                                                                                              \
        .name = "force", CLI_FLAG_TO(cli_common, force),                                           \
        .help =                                                                                    \
            "Write the map even if " cases "bspkit check finds more problems in it than before"    \
    }
#define CLI_OPTION_FORCE CLI_OPTION_FORCE_IF("")
#define CLI_OPTION_KEEP_CHECKSUM                                                                   \
    {                                                                                              \
        .name = "keep-checksum", CLI_FLAG_TO(cli_common, keep_checksum),                           \
        .help =                                                                                    \
            "Do not write the map if the checksum that servers compare would change; a changed "   \
            "lump is put at the end of the file, since in Source's maps offsets count in it too"   \
    }
/// The options of a command that writes changed maps.
#define CLI_OPTIONS_EDITED_IF(cases)                                                               \
    CLI_OPTION_EDITED, CLI_OPTION_IN_PLACE, CLI_OPTIONS_BACKUP, CLI_OPTION_FORCE_IF(cases),        \
        CLI_OPTION_KEEP_CHECKSUM
#define CLI_OPTIONS_EDITED CLI_OPTIONS_EDITED_IF("")

/// Opens the maps one by one and calls `work` with each; the output of `work` goes to standard
/// output.
cli_status cli_for_each_edited(const cli_call *call, char *const *maps, int count, cli_work work);

/// Writes the changed map of an input. It must be of `branch` (NULL: of the same as before) and
/// must not have more warnings or errors of a kind than the old one. Frees the plan, which may be
/// NULL: then `error` is reported.
cli_status cli_edited_write(const cli_input *input, bsp_plan *plan, const bsp_branch *branch,
                            const bsp_error *error);

/// Writes the result when one lump of an input changes: the map (`same`: without any change, even
/// if packing gives other bytes), or the file beside it that holds the lump, to the folder that
/// --output names, or as it. In files beside the map only bytes change, not versions.
cli_status cli_edited_lump(const cli_input *input, const bsp_lump_change *change, bool same);

#endif
