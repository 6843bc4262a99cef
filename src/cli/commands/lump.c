// SPDX-License-Identifier: MIT
// bspkit lump: extracts a lump from a map, or replaces it.
#include "cli/parts/commands.h"
#include "cli/parts/folder.h"
#include "cli/parts/patch.h"
#include "cli/parts/write_map.h"

#include <stdlib.h>

// The operands by number.
enum { MAP, LUMP, DATA };

typedef struct lump_options {
    cli_common common;
    bool unpacked;
    bool lmp;
    uint32_t version; // BSP_NONE: not given
} lump_options;

static const lump_options defaults = {.version = BSP_NONE};

static const lump_options *options_of(const cli_call *call) {
    return call->options;
}

static uint32_t find_lump(const cli_input *input) {
    return cli_find_lump(input, input->call->operands[LUMP]);
}

static bool check_patch(const cli_input *input, const bsp_lump *lump) {
    if (bsp_file_get_info(input->file)->revision != BSP_NONE && lump->place == BSP_IN_DIRECTORY) {
        return true;
    }
    cli_message(input->path, "--lmp: only lumps in the directory of Source's maps have such files");
    return false;
}

// --- extract -------------------------------------------------------------------------------------

static cli_status extract(const cli_input *input) {
    bsp_error error;
    uint32_t n = find_lump(input);
    if (n == BSP_NONE) {
        return CLI_USAGE;
    }
    const bsp_lump *lump = bsp_file_lump(input->file, n);
    bool patch = options_of(input->call)->lmp;
    if (patch && !check_patch(input, lump)) {
        return CLI_USAGE;
    }
    bsp_bytes data = bsp_file_stored(input->file, n);
    if (options_of(input->call)->unpacked && !bsp_file_data(input->file, n, &data, &error)) {
        return cli_report(input->path, &error);
    }
    if (patch) {
        cli_patch_write(input->file, lump, data, input->output);
    } else {
        (void)cli_sink(input->output, (const char *)data.data, data.size);
    }
    return CLI_DONE;
}

// --- replace -------------------------------------------------------------------------------------

// Packs the data and writes the map. Packed data stays packed and states its size; --unpacked data
// is packed if the old lump was.
static cli_status pack_and_write(const cli_input *input, bsp_lump_change *change) {
    bsp_blob packed = {0};
    bsp_error error;
    if (!options_of(input->call)->unpacked) {
        (void)bsp_lzma_probe(change->data, &change->unpacked_size);
    } else if (change->lump != BSP_NONE) {
        bsp_lump_change made;
        if (!bsp_lump_change_make(input->file, change->lump, change->data, NULL, &packed, &made,
                                  &error)) {
            return cli_report(input->path, &error);
        }
        change->unpacked_size = made.unpacked_size;
        change->data = made.data;
    }
    cli_status status = cli_edited_lump(input, change, false);
    bsp_blob_free(&packed);
    return status;
}

// Checks that the head of a .lmp file is meant for this lump.
static bool use_patch(const cli_input *input, bsp_lump_change *change) {
    const char *path = input->call->operands[DATA];
    const bsp_lump *lump = bsp_file_lump(input->file, change->lump);
    bsp_lump_file patch;
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
    bsp_lump_change change = {.lump = lump, .version = options_of(call)->version};
    change.name = lump == BSP_NONE ? call->operands[LUMP] : NULL;
    uint8_t *bytes = cli_read_file(call->operands[DATA], &change.data.size);
    if (bytes == NULL) {
        return CLI_FAILED;
    }
    change.data.data = bytes;
    cli_status status = CLI_FAILED;
    if (lump == BSP_NONE || !options_of(call)->lmp || use_patch(input, &change)) {
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

static cli_status run_list(const cli_call *call) {
    return cli_command_lumps.run(call);
}

static cli_status run_extract(const cli_call *call) {
    return cli_for_each_input(call, 1, extract);
}

static cli_status run_replace(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, replace);
}

static cli_status run_insert(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, insert);
}

static cli_status run_remove(const cli_call *call) {
    return cli_for_each_edited(call, call->operands, 1, remove_lump);
}

#define OPTION_LMP                                                                                 \
    {                                                                                              \
        .name = "lmp", CLI_FLAG_TO(lump_options, lmp),                                             \
        .help = "The file is one of Source's NAME_l_N.lmp: a head, and the lump after it"          \
    }
#define OPTION_VERSION                                                                             \
    {                                                                                              \
        .name = "version", CLI_NUMBER_TO(lump_options, version), .argument = "N",                  \
        .help = "Set the version of the lump"                                                      \
    }

static const cli_option list_options[] = {
    CLI_OPTION_JSON, CLI_OPTIONS_ROWS, CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option extract_options[] = {
    {.name = "unpacked",
     CLI_FLAG_TO(lump_options, unpacked),
     .help = "Unpack the lump if it is packed"},
    OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const cli_option replace_options[] = {
    {.name = "unpacked",
     CLI_FLAG_TO(lump_options, unpacked),
     .help = "DATA is not packed, and is packed if the old lump was"},
    OPTION_LMP,
    OPTION_VERSION,
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const cli_option insert_options[] = {
    {.name = "unpacked",
     CLI_FLAG_TO(lump_options, unpacked),
     .help = "DATA is not packed, even if it looks packed"},
    OPTION_VERSION,
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const cli_option remove_options[] = {
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const cli_command verbs[] = {
    {
        .name = "lump list",
        .operands = "FILE",
        .summary = "Print the directory, as bspkit lumps does",
        .examples = {"bspkit lump list maps/start.bsp", "bspkit lump list --json maps/start.bsp"},
        CLI_COMMON_OPTIONS(list_options),
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_lumps_rows,
        .run = run_list,
    },
    {
        .name = "lump extract",
        .operands = "FILE LUMP",
        .summary = "Write the bytes of a lump to --output, as stored in the file",
        .examples = {"bspkit lump extract maps/start.bsp lighting -o light.lump",
                     "bspkit lump extract --unpacked maps/source.bsp faces -o faces.lump"},
        CLI_OPTIONS(extract_options, lump_options),
        .defaults = &defaults,
        .min_operands = 2,
        .max_operands = 2,
        .reads_maps = true,
        .reads = "fl",
        .run = run_extract,
    },
    {
        .name = "lump replace",
        .operands = "FILE LUMP DATA",
        .summary = "Replace the bytes of a lump by those of the file DATA",
        .description = "Packed data (LZMA) is recognized.",
        .examples = {"bspkit lump replace maps/start.bsp entities new.ent -o out.bsp",
                     "bspkit lump replace --in-place maps/start.bsp entities new.ent"},
        CLI_OPTIONS(replace_options, lump_options),
        .defaults = &defaults,
        .min_operands = 3,
        .max_operands = 3,
        .reads_maps = true,
        .reads = "flf",
        .run = run_replace,
    },
    {
        .name = "lump insert",
        .operands = "FILE NAME DATA",
        .summary = "Add a lump to the game lump (game:sprp), or after the lumps of Quake's maps "
                   "(bspx:NAME)",
        .examples = {"bspkit lump insert maps/start.bsp bspx:NOTES notes.txt -o out.bsp",
                     "bspkit lump insert --in-place maps/start.bsp bspx:NOTES notes.txt"},
        CLI_OPTIONS(insert_options, lump_options),
        .defaults = &defaults,
        .min_operands = 3,
        .max_operands = 3,
        .reads_maps = true,
        .reads = "f-f",
        .run = run_insert,
    },
    {
        .name = "lump remove",
        .operands = "FILE LUMP",
        .summary = "Empty a lump; one of the game lump or of BSPX is removed",
        .examples = {"bspkit lump remove maps/start.bsp bspx:RGBLIGHTING -o out.bsp",
                     "bspkit lump remove --in-place maps/start.bsp bspx:RGBLIGHTING"},
        CLI_OPTIONS(remove_options, lump_options),
        .defaults = &defaults,
        .min_operands = 2,
        .max_operands = 2,
        .reads_maps = true,
        .reads = "fl",
        .run = run_remove,
    },
};

const cli_command cli_command_lump = {
    .name = "lump",
    .group = CLI_GROUP_CHANGE,
    .summary = "Extract, replace, insert or remove a lump",
    .description =
        "LUMP is a name (in any case) or a number, as bspkit lumps prints them. All other lumps "
        "keep their bytes. A changed map in which bspkit check finds more problems than before is "
        "not written without --force.\n\n"
        "A lump of Respawn's maps that stands in a file beside the map is changed there: "
        "--in-place replaces that file, and --output names it or its folder. With --no-external "
        "the map's own bytes change.",
    .examples = {"bspkit lump extract maps/start.bsp lighting -o light.lump",
                 "bspkit lump replace maps/start.bsp entities new.ent -o out.bsp"},
    CLI_VERBS(verbs),
};
