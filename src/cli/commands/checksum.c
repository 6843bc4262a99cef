// SPDX-License-Identifier: MIT
// bspkit checksum: the checksums by which servers compare maps.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"

static const char *rule_name(bsp_checksum rule) {
    static const char *const names[] = {
        [BSP_CHECKSUM_UNKNOWN] = "unknown",      [BSP_CHECKSUM_MD4_LUMPS] = "quakeworld",
        [BSP_CHECKSUM_MD4_FILE] = "quake2",      [BSP_CHECKSUM_CRC_LUMPS] = "goldsrc",
        [BSP_CHECKSUM_CRC_MD5_LUMPS] = "source", [BSP_CHECKSUM_CRC_OFFSETS] = "source_offsets",
    };
    return names[rule];
}

#define MD5_TEXT 33

// Writes the MD5, or "" where no game compares it.
static void print_md5(const bsp_file *file, char text[MD5_TEXT]) {
    uint8_t digest[16];
    text[0] = '\0';
    if (bsp_file_md5(file, digest)) {
        for (size_t i = 0; i < sizeof digest; i++) {
            snprintf(text + 2 * i, 3, "%02x", digest[i]);
        }
    }
}

static cli_status work(const cli_input *input) {
    uint32_t sum = 0;
    uint32_t second = 0;
    const bsp_branch *branch = bsp_file_get_info(input->file)->detection.branch;
    bool known = bsp_file_checksum(input->file, &sum);
    bool two = bsp_file_checksum2(input->file, &second);
    char md5[MD5_TEXT];
    print_md5(input->file, md5);
    if (input->json != NULL) {
        bsp_json_object(input->json);
        cli_json_string(input->json, "file", input->path);
        cli_json_string(input->json, "rule", rule_name(bsp_branch_traits(branch)->checksum));
        cli_json_sum_or_null(input->json, "checksum", known, sum);
        cli_json_sum_or_null(input->json, "checksum2", two, second);
        cli_json_string_or_null(input->json, "md5", md5);
        bsp_json_object_end(input->json);
    } else if (known) {
        cli_print(input->output, "%08x  ", (unsigned)sum);
        if (two) {
            cli_print(input->output, "%08x  ", (unsigned)second);
        }
        if (md5[0] != '\0') {
            cli_print(input->output, "%s  ", md5);
        }
        cli_print_text(input->output, bsp_text_of(input->path));
        cli_print(input->output, "\n");
    } else {
        cli_message(input->path, "what servers of branch %s compare is not known", branch->name);
    }
    return known ? CLI_DONE : CLI_PROBLEMS;
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input(call, call->num_operands, work);
}

static const char *const columns[] = {"@", "rule", "checksum", "checksum2", "md5", "error", NULL};

static const cli_row_form rows = {"", columns};

static const cli_option options[] = {
    CLI_OPTION_JSON,  CLI_OPTIONS_ROWS,  CLI_OPTIONS_MANY, CLI_OPTION_JOBS,
    CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

const cli_command cli_command_checksum = {
    .name = "checksum",
    .group = CLI_GROUP_CHECK,
    .operands = "FILE...",
    .summary = "Print the checksum that servers compare",
    .description =
        "A line for each map: the checksum as the game computes it, in hexadecimal, and the "
        "file.\n\n"
        "QuakeWorld: the xor of the block checksums (MD4) of all lumps but the entities; after it "
        "the second checksum, which leaves out visibility, leaves and nodes too. Quake 2 and Quake "
        "3: the block checksum of the whole file. GoldSrc and Source: the CRC-32 of all lumps but "
        "the entities, in Source of Alien Swarm and after (Portal 2, Counter-Strike: Global "
        "Offensive) in the order in which they lie in the file; after it the MD5 of the same, "
        "which Team Fortress 2, Counter-Strike: Source and others compare since 2013.",
    .examples = {"bspkit checksum maps/start.bsp", "bspkit checksum --json maps/*.bsp"},
    CLI_COMMON_OPTIONS(options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
