// SPDX-License-Identifier: MIT
// Where a command puts a map that it has changed: --output or --in-place. The map is written beside
// its destination, flushed, opened again and checked, and gets its name only then.
#ifndef CLI_WRITE_MAP_H
#define CLI_WRITE_MAP_H

#include "cli/parts/input.h"

#define CLI_OPTION_EDITED                                                                          \
    {                                                                                              \
        .name = "output", .letter = 'o', CLI_TARGET_TO(cli_common, output), .argument = "FILE",    \
        .help = "Write the changed map there; with several maps, or if it is one, a folder; - is " \
                "standard output"                                                                  \
    }
#define CLI_OPTION_IN_PLACE                                                                        \
    {                                                                                              \
        .name = "in-place", CLI_FLAG_TO(cli_common, in_place),                                     \
        .help = "Replace the map itself; what it was is kept as FILE.bak, if there is no such "    \
                "file: that of the first edit stays"                                               \
    }
#define CLI_OPTION_BACKUP                                                                          \
    {                                                                                              \
        .name = "backup", CLI_FLAG_TO(cli_common, backup),                                         \
        .help = "With --in-place: keep the old map as FILE.bak also where there is one, which "    \
                "goes"                                                                             \
    }
#define CLI_OPTION_NO_BACKUP                                                                       \
    {                                                                                              \
        .name = "no-backup", CLI_FLAG_TO(cli_common, no_backup),                                   \
        .help = "With --in-place: do not keep the old map"                                         \
    }
#define CLI_OPTIONS_BACKUP CLI_OPTION_BACKUP, CLI_OPTION_NO_BACKUP
#define CLI_OPTION_FORCE                                                                           \
    {                                                                                              \
        .name = "force", CLI_FLAG_TO(cli_common, force),                                           \
        .help = "Write the map even if bspkit check finds more wrong in it than before"            \
    }
#define CLI_OPTION_KEEP_CHECKSUM                                                                   \
    {                                                                                              \
        .name = "keep-checksum", CLI_FLAG_TO(cli_common, keep_checksum),                           \
        .help = "Do not write the map if the checksum that servers compare would change; a "       \
                "changed lump goes to the end of the file, for in Source's maps offsets count in " \
                "it too"                                                                           \
    }
/// All options of a command that writes maps again.
#define CLI_OPTIONS_EDITED                                                                         \
    CLI_OPTION_EDITED, CLI_OPTION_IN_PLACE, CLI_OPTIONS_BACKUP, CLI_OPTION_FORCE,                  \
        CLI_OPTION_KEEP_CHECKSUM

/// False after a message unless the call says where `count` maps go, and all to different places.
bool cli_edited_check(const cli_call *call, char *const *maps, int count);

/// Opens the maps one by one and calls `work` with each; what it prints goes to standard output.
cli_status cli_for_each_edited(const cli_call *call, char *const *maps, int count, cli_work work);

/// Writes the changed map of an input. It must be one of `branch` (NULL: of the same as before) and
/// have no warning or error of a kind that the old one has less of. Frees the plan, which may be
/// NULL: then `error` is reported.
cli_status cli_edited_write(const cli_input *input, bsp_plan *plan, const bsp_branch *branch,
                            const bsp_error *error);

/// Writes what becomes of an input when one of its lumps changes: the map (`same`: with no change
/// at all, whatever its new bytes are), or the file beside it that holds the lump, to the folder
/// that --output names, or as it. Only bytes change in files beside the map, not versions.
cli_status cli_edited_lump(const cli_input *input, const bsp_lump_change *change, bool same);

#endif
