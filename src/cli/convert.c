// SPDX-License-Identifier: MIT
// convert: a map in another form: packed, in the other byte order.
#include "cli/edited.h"

#include "cli/commands.h"

#include <string.h>

#define LOSSES_KEPT 100u

// A map on its way through the conversions: each makes a new file of it.
typedef struct conversion {
    const cli_input *input;
    const bsp_file *file;
    bsp_file *opened; // what `file` is after the first step
    bsp_blob bytes;   // its bytes
    bsp_convert_options options;
    bsp_error error;
} conversion;

// --- steps --------------------------------------------------------------------------------------

// Takes the result of a step as the file for the next one.
static bool take(conversion *c, const bsp_blob *result, const bsp_branch *branch) {
    bsp_file_close(c->opened);
    bsp_blob_free(&c->bytes);
    c->bytes = *result;
    bsp_open_options options = {.branch = branch->name, .memory_limit = SIZE_MAX};
    c->opened =
        bsp_file_open_memory((bsp_bytes){c->bytes.data, c->bytes.size}, &options, &c->error);
    c->file = c->opened;
    return c->opened != NULL;
}

static const bsp_branch *branch_of(const conversion *c) {
    return bsp_file_get_info(c->file)->detection.branch;
}

static bool set_endian(conversion *c, const char *order) {
    bsp_blob result;
    return bsp_file_reorder(c->file, strcmp(order, "big") == 0, &c->options, &result, &c->error) &&
           take(c, &result, branch_of(c));
}

static bool set_packing(conversion *c, const char *method) {
    bsp_blob result;
    return bsp_file_compress(c->file, strcmp(method, "lzma") == 0, NULL, &result, &c->error) &&
           take(c, &result, branch_of(c));
}

// The option, and what makes it so; in the order in which they are done.
static const struct {
    const char *option;
    bool (*step)(conversion *c, const char *value);
} steps[] = {
    {"endian", set_endian},
    {"compress", set_packing},
};
#define NUM_STEPS (sizeof steps / sizeof *steps)

static bool run_steps(conversion *c) {
    for (size_t i = 0; i < NUM_STEPS; i++) {
        const char *value = cli_text(c->input->call, steps[i].option);
        if (value != NULL && !steps[i].step(c, value)) {
            return false;
        }
    }
    return true;
}

// --- a map --------------------------------------------------------------------------------------

static void print_losses(const cli_input *input, const bsp_issues *issues) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    char place[CLI_PLACE_TEXT];
    for (size_t i = 0; i < count; i++) {
        cli_format_place(place, &list[i].place);
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
                    .options = {.lossy = cli_flag(input->call, "lossy"), .issues = issues}};
    cli_status status;
    if (run_steps(&c)) {
        print_losses(input, issues);
        bsp_bytes bytes = {c.bytes.data, c.bytes.size};
        status = cli_edited_write(input, bytes, branch_of(&c));
    } else {
        status = cli_report(input->path, &c.error);
    }
    bsp_file_close(c.opened);
    bsp_blob_free(&c.bytes);
    bsp_issues_free(issues);
    return status;
}

// --- the command --------------------------------------------------------------------------------

static bool check_word(const cli_call *call, const char *option, const char *one,
                       const char *other) {
    const char *value = cli_text(call, option);
    if (value == NULL || strcmp(value, one) == 0 || strcmp(value, other) == 0) {
        return true;
    }
    cli_message("convert", "--%s takes %s or %s, not '%s'", option, one, other, value);
    return false;
}

static cli_status run(const cli_call *call) {
    bool any = false;
    for (size_t i = 0; i < NUM_STEPS; i++) {
        any = any || cli_flag(call, steps[i].option);
    }
    if (!any) {
        cli_message("convert", "into what? --compress or --endian; see bspkit help convert");
        return CLI_USAGE;
    }
    if (!check_word(call, "compress", "lzma", "none") ||
        !check_word(call, "endian", "big", "little")) {
        return CLI_USAGE;
    }
    return cli_for_each_edited(call, call->operands, call->num_operands, convert);
}

static const cli_option options[] = {
    {"compress", 0, CLI_TEXT, false, "METHOD",
     "Source: lzma packs lumps, game lumps and embedded files, none unpacks them"},
    {"endian", 0, CLI_TEXT, false, "ORDER",
     "Source: big, as the consoles Xbox 360 and PlayStation 3 have it, or little"},
    {"lossy", 0, CLI_FLAG, false, NULL,
     "Leave out what the new form cannot hold, and keep bytes of unknown structure as they are; "
     "each is listed on standard error. Without it such a map is refused"},
    CLI_OPTIONS_EDITED,
    CLI_OPTION_BRANCH,
    CLI_OPTION_HELP,
};

const cli_command cli_command_convert = {
    .name = "convert",
    .operands = "FILE...",
    .summary = "Pack or unpack a map, or turn its byte order",
    .description =
        "Source maps are packed as the engine's own tool does it: each lump but the embedded zip, "
        "each game lump, and each file in the zip; what packing does not make smaller stays. "
        "Packing a packed map changes nothing, and unpacking gives back the map that was "
        "packed.\n\n"
        "The byte order is that of all records and directories; offsets of game lumps count from "
        "their lump on consoles. Files in the embedded zip stay as they are. Some lumps hold bytes "
        "whose structure is not known (physics of displacements, physics surfaces): such maps are "
        "refused without --lossy, which keeps those bytes.\n\n"
        "A changed map that bspkit check finds more wrong in than before is not written without "
        "--force.",
    .example = "bspkit convert --compress lzma -o packed/ maps/*.bsp",
    CLI_OPTIONS(options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
