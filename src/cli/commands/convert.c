// SPDX-License-Identifier: MIT
// bspkit convert: a map as another branch, in the other byte order, or packed.
#include "cli/parts/write_map.h"

#include "cli/parts/commands.h"
#include "cli/parts/game.h"
#include "cli/parts/budget.h"

#include <string.h>

#define LOSSES_KEPT 100u

#define NOT_GIVEN (-1)

static const cli_choice packings[] = {
    {"lzma", true, "pack them as the engine's own tool does"},
    {"none", false, "unpack them"},
    {NULL, 0, NULL},
};

static const cli_choice orders[] = {
    {"little", false, "as computers have it"},
    {"big", true, "as the consoles Xbox 360 and PlayStation 3 have it"},
    {NULL, 0, NULL},
};

typedef struct convert_options {
    cli_common common;
    const char *to;
    uint32_t static_props; // BSP_NONE: not given
    int compress;          // NOT_GIVEN, or a bool: pack
    int endian;            // NOT_GIVEN, or a bool: big-endian
    bool lossy;
} convert_options;

static const convert_options *options_of(const cli_call *call) {
    return call->options;
}

// A map during the conversions, each of which makes a new file of it.
typedef struct conversion {
    const cli_input *input;
    const bsp_file *file;
    bsp_file *opened; // owns `file` after the first step
    bsp_blob bytes;   // of `opened`
    bsp_plan *plan;   // result of the last step, packing; NULL: unchanged
    bsp_convert_options options;
    bsp_error error;
} conversion;

// --- steps --------------------------------------------------------------------------------------

// Makes the result of a step the file for the next one.
static bool take(conversion *c, const bsp_blob *result, const bsp_branch *branch) {
    bsp_file_close(c->opened);
    bsp_blob_free(&c->bytes);
    c->bytes = *result;
    bsp_open_options options = {.branch = branch->name, .budget = cli_budget()};
    c->opened =
        bsp_file_open_memory((bsp_bytes){c->bytes.data, c->bytes.size}, &options, &c->error);
    c->file = c->opened;
    return c->opened != NULL;
}

static const bsp_branch *branch_of(const conversion *c) {
    return bsp_file_get_info(c->file)->detection.branch;
}

static bool set_endian(conversion *c, const convert_options *options) {
    bsp_blob result;
    return options->endian == NOT_GIVEN ||
           (bsp_file_reorder(c->file, options->endian != 0, &c->options, &result, &c->error) &&
            take(c, &result, branch_of(c)));
}

static bool set_packing(conversion *c, const convert_options *options) {
    if (options->compress != NOT_GIVEN) {
        c->plan = bsp_file_compress_plan(c->file, options->compress != 0, NULL, &c->error);
    }
    return options->compress == NOT_GIVEN || c->plan != NULL;
}

// Reads Quake's palette from the folders that --game names, if it exists.
static void find_palette(conversion *c, bsp_blob *room) {
    bsp_search *search =
        (c->input->call->common->games.count != 0) ? cli_open_search(c->input->call, NULL) : NULL;
    memset(room, 0, sizeof *room);
    if (search != NULL &&
        bsp_search_read(search, bsp_text_of("gfx/palette.lmp"), room, &c->error)) {
        bsp_bytes palette = bsp_palette_of((bsp_bytes){room->data, room->size});
        c->options.palette = palette.data;
    }
    bsp_search_free(search);
}

static bool convert_to(conversion *c, const bsp_branch *target, uint32_t static_props) {
    bsp_blob result;
    c->options.static_prop_version = static_props == BSP_NONE ? 0 : static_props;
    return bsp_file_convert(c->file, target, &c->options, &result, &c->error) &&
           take(c, &result, target);
}

// Converts to another branch, or static props to another version in a file of the same branch.
static bool set_branch(conversion *c, const convert_options *options) {
    if (options->to == NULL) {
        return options->static_props == BSP_NONE ||
               convert_to(c, branch_of(c), options->static_props);
    }
    bsp_blob palette;
    find_palette(c, &palette);
    bool done = convert_to(c, bsp_branch_find(options->to), options->static_props);
    c->options.palette = NULL;
    bsp_blob_free(&palette);
    return done;
}

static bool run_steps(conversion *c) {
    const convert_options *options = options_of(c->input->call);
    return set_branch(c, options) && set_endian(c, options) && set_packing(c, options);
}

// --- a map --------------------------------------------------------------------------------------

static void print_losses(const cli_input *input, const bsp_issues *issues) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    char place[BSP_PLACE_TEXT];
    for (size_t i = 0; i < count; i++) {
        (void)bsp_format_place(place, &list[i].place);
        cli_message(input->path, "lost: %s%s%s", place, place[0] == '\0' ? "" : ": ", list[i].text);
    }
    uint64_t all = bsp_issues_count(issues, BSP_NOTE);
    if (all > count) {
        cli_message(input->path, "lost: %llu more", (unsigned long long)(all - count));
    }
}

static cli_status convert(const cli_input *input) {
    bsp_issues *issues = bsp_issues_new(NULL, LOSSES_KEPT);
    if (issues == NULL) {
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    conversion c = {.input = input,
                    .file = input->file,
                    .options = {.lossy = options_of(input->call)->lossy, .issues = issues}};
    cli_status status;
    if (run_steps(&c)) {
        print_losses(input, issues);
        bsp_bytes bytes = {c.bytes.data, c.bytes.size};
        bsp_plan *plan = c.plan != NULL ? c.plan : bsp_plan_bytes(bytes, NULL, &c.error);
        status = cli_edited_write(input, plan, branch_of(&c), &c.error);
    } else {
        status = cli_report(input->path, &c.error);
    }
    bsp_file_close(c.opened);
    bsp_blob_free(&c.bytes);
    bsp_issues_free(issues);
    return status;
}

// --- the command --------------------------------------------------------------------------------

static cli_status run(const cli_call *call) {
    const convert_options *options = options_of(call);
    if (options->to == NULL && options->static_props == BSP_NONE &&
        options->compress == NOT_GIVEN && options->endian == NOT_GIVEN) {
        cli_message(
            "convert",
            "nothing to convert to: give --to, --endian or --compress; see bspkit help convert");
        return CLI_USAGE;
    }
    return cli_for_each_edited(call, call->operands, call->num_operands, convert);
}

static const cli_option options[] = {
    {.name = "to",
     CLI_BRANCH_TO(convert_options, to),
     .argument = "BRANCH",
     .help = "Make it a map of this branch of its family (bspkit help formats)"},
    {.name = "static-props",
     CLI_NUMBER_TO(convert_options, static_props),
     .argument = "N",
     .help = "Source: static props of this version"},
    CLI_OPTION_GAME_FOR("Quake's palette"),
    {.name = "compress",
     CLI_CHOICE_TO(convert_options, compress, packings),
     .argument = "METHOD",
     .help = "Source: pack or unpack lumps, game lumps and embedded files"},
    {.name = "endian",
     CLI_CHOICE_TO(convert_options, endian, orders),
     .argument = "ORDER",
     .help = "Source: write all numbers in this byte order"},
    {.name = "lossy",
     CLI_FLAG_TO(convert_options, lossy),
     .help = "Leave out what the new form cannot hold, and keep bytes of unknown structure as they "
             "are; each is listed on standard error. Without it such a map is refused"},
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_MANY,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const convert_options defaults = {
    .static_props = BSP_NONE, .compress = NOT_GIVEN, .endian = NOT_GIVEN};

const cli_command cli_command_convert = {
    .name = "convert",
    .group = CLI_GROUP_CHANGE,
    .operands = "FILE...",
    .summary = "Convert a map to another branch, byte order or packing",
    .description =
        "Branches of one family hold much the same in records of different size: Quake, BSP2, "
        "2PSB, Hexen II and GoldSrc; Quake 2, Qbism and others; Quake 3 and its successors; "
        "Source. Every branch that bspkit formats lists as read as map can be converted. Lumps and "
        "fields that both branches have are copied. What does not fit is refused, with its record, "
        "field and value; what the new branch has no place for is refused too, or left out with "
        "--lossy, and so are fractions where it has whole numbers, or rounded, boxes outwards. In "
        "the branch that it has a map stays as it is. Entities, with the keys of lights, scripts "
        "and the sizes of clip "
        "hulls stay what they are: whether a game can play "
        "the map is another question.\n\n"
        "Light in grey becomes light in colour and the reverse, with the colours kept in BSPX. "
        "GoldSrc textures have palettes: --game names a folder with Quake's gfx/palette.lmp. Pages "
        "of "
        "light of 128 luxels (Quake 3, RBSP) become squares of pages of 512 (FBSP) and the "
        "reverse; "
        "where the light of faces is in no square, it is packed anew, and what is larger than a "
        "page "
        "is refused, or with --lossy left to the light of vertices.\n\n"
        "Source maps are packed as the engine's own tool does it: each lump but the embedded zip, "
        "each game lump, and each file in the zip; what packing does not make smaller stays. "
        "Packing a packed map changes nothing, and unpacking gives back the map that was "
        "packed.\n\n"
        "The byte order is that of all records and directories; offsets of game lumps count from "
        "their lump on consoles. Files in the embedded zip stay as they are. A map with bytes "
        "whose structure is not known (damaged physics, undocumented lumps) is refused without "
        "--lossy, which keeps those bytes.\n\n"
        "A changed map in which bspkit check finds more problems than before is not written "
        "without --force.",
    .examples = {"bspkit convert --to bsp2 maps/start.bsp -o big.bsp",
                 "bspkit convert --compress lzma maps/source.bsp -o packed.bsp"},
    CLI_OPTIONS(options, convert_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
