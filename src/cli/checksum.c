// SPDX-License-Identifier: MIT
// bspkit checksum: what servers compare maps by.
#include "cli/commands.h"
#include "cli/input.h"

static const char *rule_name(bsp_checksum rule) {
    static const char *const names[] = {
        [BSP_CHECKSUM_UNKNOWN] = "unknown",    [BSP_CHECKSUM_MD4_LUMPS] = "quakeworld",
        [BSP_CHECKSUM_MD4_FILE] = "quake2",    [BSP_CHECKSUM_CRC_LUMPS] = "goldsrc",
        [BSP_CHECKSUM_CRC_OFFSETS] = "source",
    };
    return names[rule];
}

static void json_sum(bsp_json *json, const char *key, bool known, uint32_t sum) {
    char text[16];
    bsp_json_key(json, key);
    if (known) {
        snprintf(text, sizeof text, "%08x", (unsigned)sum);
        bsp_json_string(json, text);
    } else {
        bsp_json_null(json);
    }
}

static cli_status work(const cli_input *input) {
    uint32_t sum = 0;
    uint32_t second = 0;
    const bsp_branch *branch = bsp_file_get_info(input->file)->detection.branch;
    bool known = bsp_file_checksum(input->file, &sum);
    bool two = bsp_file_checksum2(input->file, &second);
    if (input->json != NULL) {
        bsp_json_object(input->json);
        bsp_json_key(input->json, "file");
        bsp_json_string(input->json, input->path);
        bsp_json_key(input->json, "rule");
        bsp_json_string(input->json, rule_name(bsp_branch_traits(branch)->checksum));
        json_sum(input->json, "checksum", known, sum);
        json_sum(input->json, "checksum2", two, second);
        bsp_json_object_end(input->json);
    } else if (known) {
        cli_print(input->output, "%08x  ", (unsigned)sum);
        if (two) {
            cli_print(input->output, "%08x  ", (unsigned)second);
        }
        cli_print_text(input->output, bsp_text_of(input->path));
        cli_print(input->output, "\n");
    } else {
        cli_message(input->path, "what servers of branch %s compare is not known", branch->name);
    }
    return known ? CLI_DONE : CLI_PROBLEMS;
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input(call, call->num_operands, 0, work);
}

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_checksum = {
    .name = "checksum",
    .operands = "FILE...",
    .summary = "Print the checksum that servers compare",
    .description =
        "A line for each map: the checksum as the game computes it, in hexadecimal, and the "
        "file.\n\n"
        "QuakeWorld: the xor of the block checksums (MD4) of all lumps but the entities; behind it "
        "the second checksum, which leaves out visibility, leaves and nodes too. Quake 2 and Quake "
        "3: the block checksum of the whole file. GoldSrc and Source: the CRC-32 of all lumps but "
        "the entities.",
    .example = "bspkit checksum maps/*.bsp",
    CLI_OPTIONS(options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
