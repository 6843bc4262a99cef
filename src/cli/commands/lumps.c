// SPDX-License-Identifier: MIT
// bspkit lumps: the directory of a file, with the lumps inside the game lump and those of BSPX.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"
#include "cli/parts/patch.h"
#include "cli/parts/table.h"

static const cli_column columns[] =
    {
        {"#", true},       {"name", false},       {"offset", true},  {"size", true},
        {"version", true}, {"compressed", false}, {"records", true}, {"layout", false},
        {"file", false}, // last column: only where lumps stand in files of their own
};
#define NUM_COLUMNS (sizeof columns / sizeof *columns)

// Adds the layout of the records, or the kind of the lump.
static void add_layout(cli_table *table, const bsp_file *file, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    bsp_parts parts;
    const char *name = bsp_kind_name(lump->kind);
    cli_style style = CLI_FAINT;
    if (lump->size != 0 && bsp_file_parts(file, n, NULL, &parts, NULL)) {
        if (parts.count != 0 && parts.parts[0].kind == BSP_PART_TABLE) {
            name = parts.parts[0].layout->name;
            style = CLI_PLAIN;
        }
        bsp_parts_free(&parts);
    }
    cli_table_cell(table, style, "%s", name);
}

static void add_file(cli_table *table, const bsp_file_info *info, const bsp_lump *lump) {
    if (info->num_external != 0) {
        bool own = lump->external == BSP_NONE;
        cli_table_cell(table, own ? CLI_FAINT : CLI_PLAIN, "%s",
                       own ? "-" : info->external[lump->external].name);
    }
}

static void add_row(cli_table *table, const bsp_file *file, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    uint32_t records;
    cli_style style = lump->size == 0 ? CLI_FAINT : CLI_PLAIN;
    cli_table_cell(table, style, "%u", (unsigned)lump->index);
    cli_table_cell(table, lump->size == 0 ? CLI_FAINT : CLI_STRONG, "%s", lump->name);
    cli_table_cell(table, style, "%llu", (unsigned long long)lump->offset);
    if (lump->size == lump->stated_size) {
        cli_table_cell(table, style, "%llu", (unsigned long long)lump->size);
    } else {
        cli_table_cell(table, CLI_BAD, "%llu of %llu", (unsigned long long)lump->size,
                       (unsigned long long)lump->stated_size);
    }
    cli_table_cell(table, style, "%u", (unsigned)lump->version);
    if (lump->compressed) {
        cli_table_cell(table, style, "lzma, %u", (unsigned)lump->unpacked_size);
    } else {
        cli_table_cell(table, style, "-");
    }
    if (lump->size != 0 && cli_lump_records(file, n, &records)) {
        cli_table_cell(table, style, "%u", (unsigned)records);
    } else {
        cli_table_cell(table, style, "-");
    }
    add_layout(table, file, n);
    add_file(table, bsp_file_get_info(file), lump);
}

static cli_status print_table(const cli_input *input) {
    const bsp_file_info *info = bsp_file_get_info(input->file);
    if (input->several) {
        cli_print(input->output, "%s", input->number == 0 ? "" : "\n");
        cli_print_styled(input->output, CLI_STRONG, input->path);
        cli_print(input->output, "\n");
    }
    cli_table table;
    cli_table_begin(&table, columns, info->num_external != 0 ? NUM_COLUMNS : NUM_COLUMNS - 1);
    for (uint32_t i = 0; i < info->num_lumps; i++) {
        add_row(&table, input->file, i);
    }
    return cli_table_print(&table, input->output, 0);
}

static cli_status print_json(const cli_input *input) {
    bsp_json *json = input->json;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_array(json, "lumps");
    uint32_t num_lumps = bsp_file_get_info(input->file)->num_lumps;
    for (uint32_t i = 0; i < num_lumps; i++) {
        const bsp_lump *lump = bsp_file_lump(input->file, i);
        bsp_json_object(json);
        cli_lump_json(input->file, i, json);
        cli_json_string(json, "kind", bsp_kind_name(lump->kind));
        cli_json_uint(json, "unpacked_size", lump->unpacked_size);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
    return CLI_DONE;
}

static cli_status work(const cli_input *input) {
    return input->json != NULL ? print_json(input) : print_table(input);
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input(call, call->num_operands, work);
}

static const char *const row_columns[] = {"@",
                                          "lumps[].index",
                                          "lumps[].name",
                                          "lumps[].offset",
                                          "lumps[].size",
                                          "lumps[].version",
                                          "lumps[].compressed",
                                          "lumps[].records",
                                          "lumps[].external",
                                          "lumps[].kind",
                                          "lumps[].unpacked_size",
                                          "error",
                                          NULL};

const cli_row_form cli_lumps_rows = {"lumps[]", row_columns};

static const cli_option options[] = {
    CLI_OPTION_JSON, CLI_OPTIONS_ROWS, CLI_OPTION_LMP,    CLI_OPTIONS_MANY,
    CLI_OPTION_JOBS, CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

const cli_command cli_command_lumps = {
    .name = "lumps",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE...",
    .summary = "Print the directory of a map",
    .description =
        "Each lump with its place in the directory, its offset and size in bytes, its version, its "
        "compression and unpacked size, how many records it holds, and the name of their layout "
        "(or what else it is built of).\n\n"
        "The lumps inside the game lump are called game:NAME, those of a BSPX directory bspx:NAME. "
        "Lumps of Respawn's maps that stand in files beside the map (NAME.bsp.0018.bsp_lump) show "
        "which; entities in .ent files are called ent:NAME.",
    .examples = {"bspkit lumps maps/start.bsp", "bspkit lumps --json maps/source.bsp"},
    CLI_COMMON_OPTIONS(options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .rows = &cli_lumps_rows,
    .run = run,
};
