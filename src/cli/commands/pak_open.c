// SPDX-License-Identifier: MIT
// The embedded zip of a map: opened, matched against patterns, and written back.
#include "cli/commands/pak.h"

cli_status cli_pak_open(const cli_input *input, cli_pak *out) {
    bsp_error error;
    *out = (cli_pak){.lump = bsp_file_find_id(input->file, BSP_ID_PAK)};
    if (out->lump == BSP_NONE) {
        cli_message(input->path, "nothing to do: maps of branch %s have no files in them",
                    bsp_file_get_info(input->file)->detection.branch->name);
        return CLI_DONE;
    }
    out->pak = bsp_file_pak(input->file, input->issues, &error);
    return out->pak == NULL ? cli_report(input->path, &error) : CLI_DONE;
}

void cli_pak_close(cli_pak *pak) {
    bsp_pak_close(pak->pak);
}

cli_status cli_pak_write(const cli_input *input, const cli_pak *pak, const bsp_pak_change *changes,
                         uint32_t count) {
    bsp_error error;
    bsp_plan *zip = bsp_pak_plan(pak->pak, changes, count, NULL, &error);
    if (zip == NULL) {
        return cli_report(input->path, &error);
    }
    bsp_lump_change change = {.lump = pak->lump, .plan = zip, .version = BSP_NONE};
    bsp_plan *plan = bsp_file_plan(input->file, &change, 1, NULL, &error);
    cli_status status = cli_edited_write(input, plan, NULL, &error);
    bsp_plan_free(zip);
    return status;
}

bool cli_pak_matches(const cli_call *call, bsp_text name) {
    for (int i = 1; i < call->num_operands; i++) {
        if (bsp_text_matches(name, bsp_text_of(call->operands[i]))) {
            return true;
        }
    }
    return call->num_operands < 2;
}
