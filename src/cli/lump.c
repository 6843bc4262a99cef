// SPDX-License-Identifier: MIT
// bspkit lump: one lump taken out of a map, or put into it.
#include "cli/commands.h"
#include "cli/edited.h"
#include "cli/folder.h"
#include "cli/patch.h"
#include "cli/verb.h"

#include <stdlib.h>
#include <string.h>

// Which operand is which, behind the word that says what to do.
enum { MAP, LUMP, DATA };

static uint32_t find_lump(const cli_input *input) {
    const char *name = input->call->operands[LUMP];
    uint32_t lump = bsp_file_find(input->file, bsp_text_of(name));
    if (lump == BSP_NONE) {
        cli_message(input->path, "there is no lump '%s'; bspkit lumps lists them", name);
    }
    return lump;
}

static bool check_patch(const cli_input *input, const bsp_lump *lump) {
    if (bsp_file_get_info(input->file)->revision != BSP_NONE && lump->place == BSP_IN_DIRECTORY) {
        return true;
    }
    cli_message(input->path, "--lmp: only lumps in the directory of Source's maps have such files");
    return false;
}

// --- out ----------------------------------------------------------------------------------------

static cli_status extract(const cli_input *input) {
    bsp_error error;
    uint32_t n = find_lump(input);
    if (n == BSP_NONE) {
        return CLI_USAGE;
    }
    const bsp_lump *lump = bsp_file_lump(input->file, n);
    bool patch = cli_flag(input->call, "lmp");
    if (patch && !check_patch(input, lump)) {
        return CLI_USAGE;
    }
    bsp_bytes data = bsp_file_stored(input->file, n);
    if (cli_flag(input->call, "unpacked") && !bsp_file_data(input->file, n, &data, &error)) {
        return cli_report(input->path, &error);
    }
    if (patch) {
        cli_patch_write(input->file, lump, data, input->output);
    } else {
        (void)cli_sink(input->output, (const char *)data.data, data.size);
    }
    return CLI_DONE;
}

// --- in -----------------------------------------------------------------------------------------

// Data that is packed stays so, and says its size itself; --unpacked data is packed where the old
// was.
static cli_status pack_and_write(const cli_input *input, bsp_lump_change *change) {
    bsp_blob packed = {0};
    bsp_error error;
    const bsp_lump *old =
        change->lump == BSP_NONE ? NULL : bsp_file_lump(input->file, change->lump);
    if (!cli_flag(input->call, "unpacked")) {
        (void)bsp_lzma_probe(change->data, &change->unpacked_size);
    } else if (old != NULL && old->compressed && change->data.size != 0) {
        if (!bsp_lump_pack(old, change->data, NULL, &packed, &error)) {
            return cli_report(input->path, &error);
        }
        change->unpacked_size = (uint32_t)change->data.size;
        change->data = (bsp_bytes){packed.data, packed.size};
    }
    cli_status status = cli_edited_lump(input, change, false);
    bsp_blob_free(&packed);
    return status;
}

// What a .lmp file says of itself must be meant for this lump.
static bool use_patch(const cli_input *input, bsp_lump_change *change) {
    const char *path = input->call->operands[DATA];
    const bsp_lump *lump = bsp_file_lump(input->file, change->lump);
    bsp_patch patch;
    if (!check_patch(input, lump) || !cli_patch_read(path, change->data, input->file, &patch)) {
        return false;
    }
    if (patch.lump != lump->index) {
        cli_message(path, "it is for lump %u, and %s is lump %u", (unsigned)patch.lump, lump->name,
                    (unsigned)lump->index);
        return false;
    }
    change->data = patch.data;
    change->version = change->version != BSP_NONE ? change->version : patch.version;
    return true;
}

static cli_status put(const cli_input *input, uint32_t lump) {
    const cli_call *call = input->call;
    bsp_lump_change change = {.lump = lump, .version = cli_number(call, "version", BSP_NONE)};
    change.name = lump == BSP_NONE ? call->operands[LUMP] : NULL;
    uint8_t *bytes = cli_read_file(call->operands[DATA], &change.data.size);
    if (bytes == NULL) {
        return CLI_FAILED;
    }
    change.data.data = bytes;
    cli_status status = CLI_FAILED;
    if (lump == BSP_NONE || !cli_flag(call, "lmp") || use_patch(input, &change)) {
        status = pack_and_write(input, &change);
    }
    free(bytes);
    return status;
}

static cli_status replace(const cli_input *input) {
    uint32_t lump = find_lump(input);
    return lump == BSP_NONE ? CLI_USAGE : put(input, lump);
}

static cli_status insert(const cli_input *input) {
    return put(input, BSP_NONE);
}

static cli_status remove_lump(const cli_input *input) {
    bsp_lump_change change = {.lump = find_lump(input), .remove = true, .version = BSP_NONE};
    return change.lump == BSP_NONE ? CLI_USAGE : cli_edited_lump(input, &change, false);
}

// --- the command --------------------------------------------------------------------------------

static const cli_verb verbs[] = {
    {"list", NULL, 1, false},    {"extract", extract, 2, false},   {"replace", replace, 3, true},
    {"insert", insert, 3, true}, {"remove", remove_lump, 2, true},
};

static cli_status run(const cli_call *call) {
    const cli_verb *v = cli_verb_of(call, verbs, sizeof verbs / sizeof *verbs,
                                    "list, extract, replace, insert, remove");
    if (v == NULL) {
        return CLI_USAGE;
    }
    cli_call rest = *call;
    rest.operands++;
    rest.num_operands--;
    if (v->work == NULL) {
        return cli_command_lumps.run(&rest);
    }
    return v->edits ? cli_for_each_edited(&rest, rest.operands, 1, v->work)
                    : cli_for_each_input(&rest, 1, 0, v->work);
}

static const cli_option options[] = {
    {"unpacked", 0, CLI_FLAG, false, NULL,
     "extract: unpack the lump if it is packed; replace: DATA is not packed, and is packed if the "
     "old lump was"},
    {"lmp", 0, CLI_FLAG, false, NULL,
     "extract, replace: the file is one of Source's NAME_l_N.lmp, the lump behind a head"},
    {"version", 0, CLI_NUMBER, false, "N", "replace, insert: give the lump this version"},
    CLI_OPTION_JSON,
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_lump = {
    .name = "lump",
    .operands = "WHAT FILE [LUMP [DATA]]",
    .summary = "Take a lump out of a map, or put one into it",
    .description =
        "lump list FILE prints the directory, as bspkit lumps does.\n\n"
        "lump extract FILE LUMP writes the lump's bytes to --output, as they stand in the file.\n\n"
        "lump replace FILE LUMP DATA puts the bytes of the file DATA in its place. Packed data "
        "(LZMA) is recognized.\n\n"
        "lump insert FILE NAME DATA adds a lump to the game lump (game:sprp) or to the directory "
        "behind the lumps of Quake's maps (bspx:NAME).\n\n"
        "lump remove FILE LUMP empties a lump; one of the game lump or of BSPX goes altogether.\n\n"
        "A lump of Respawn's maps that stands in a file beside the map is changed there: "
        "--in-place "
        "replaces that file, and --output names it or its folder. With --no-external the map's own "
        "bytes change.\n\n"
        "LUMP is a name (in any case) or a number, as bspkit lumps prints them. All other lumps "
        "keep their bytes. A changed map that bspkit check finds more wrong in than before is not "
        "written without --force.",
    .example = "bspkit lump extract maps/start.bsp bspx:RGBLIGHTING -o light.lump",
    CLI_OPTIONS(options),
    .min_operands = 2,
    .max_operands = 4,
    .reads_maps = true,
    .reads = "-f-f",
    .run = run,
};
