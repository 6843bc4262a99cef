// SPDX-License-Identifier: MIT
// bspkit pak rename: a map under another name, with the files in it that bear the old one.
#include "cli/commands/pak.h"
#include "cli/parts/game.h"

#include <string.h>

// Gives the old name: what was asked for; else the name of the map's folder in the zip, which
// stays when the map's own file is renamed; else that of the file.
static void old_name(const cli_input *input, const bsp_pak *pak, char out[CLI_NAME_ROOM]) {
    const cli_pak_rename_options *options = input->call->options;
    bsp_text name = options->from != NULL ? bsp_text_of(options->from) : bsp_pak_map_name(pak);
    if (name.size == 0 || name.size >= CLI_NAME_ROOM) {
        cli_map_name(input->path, out);
        return;
    }
    memcpy(out, name.data, name.size);
    out[name.size] = '\0';
}

static cli_status write_renamed(const cli_input *input, const bsp_rename *rename, const char *old) {
    bsp_error error;
    if (rename->num_changes == 0) {
        cli_message(input->path, "nothing in it bears the name %s: nothing is written", old);
        return CLI_PROBLEMS;
    }
    bsp_plan *plan = bsp_file_plan(input->file, rename->changes, rename->num_changes, NULL, &error);
    cli_status status = cli_edited_write(input, plan, NULL, &error);
    if (status == CLI_DONE || status == CLI_PROBLEMS) {
        cli_message(input->path, "%s is now %s: %u files, %u paths", old, input->call->operands[1],
                    (unsigned)rename->num_files, (unsigned)rename->num_paths);
    }
    return status;
}

cli_status cli_pak_rename(const cli_input *input) {
    cli_pak pak;
    char old[CLI_NAME_ROOM];
    bsp_error error;
    cli_status status = cli_pak_open(input, &pak);
    if (pak.pak == NULL) {
        return status == CLI_DONE ? CLI_PROBLEMS : status;
    }
    old_name(input, pak.pak, old);
    cli_pak_close(&pak);
    bsp_rename *rename = bsp_file_rename(input->file, bsp_text_of(old),
                                         bsp_text_of(input->call->operands[1]), NULL, &error);
    status = rename == NULL ? cli_report(input->path, &error) : write_renamed(input, rename, old);
    bsp_rename_free(rename);
    return status;
}
