// SPDX-License-Identifier: MIT
// The loop over inputs that all reading commands share.
#include "cli/parts/input.h"

#include "cli/parts/json.h"
#include "cli/parts/near.h"
#include "cli/parts/open_map.h"

static cli_status do_input(cli_input *input, uint32_t keep, cli_work work) {
    cli_opened opened;
    cli_status status = CLI_FAILED;
    input->issues = bsp_issues_new(NULL, keep);
    if (input->issues == NULL) {
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    if (cli_open_map(input->call, input->path, input->issues, &opened)) {
        input->file = opened.file;
        status = work(input);
        cli_close_map(&opened);
    }
    bsp_issues_free(input->issues);
    return status;
}

// Writes one line of JSON for an input that could be opened.
static cli_status do_json_input(cli_input *input, uint32_t keep, cli_work work) {
    bsp_json json;
    bsp_json_begin(&json, cli_sink, input->output);
    input->json = &json;
    cli_status status = do_input(input, keep, work);
    bool written = json.used != 0 || json.comma;
    (void)bsp_json_flush(&json);
    if (written) {
        cli_print(input->output, "\n");
    }
    return status;
}

static cli_status for_each(const cli_call *call, char *const *maps, int count,
                           const char *output_path, uint32_t keep, bool in_place, cli_work work) {
    cli_output output;
    if (!cli_output_open(&output, output_path)) {
        return CLI_FAILED;
    }
    cli_status highest = CLI_DONE;
    bool json = call->common->json;
    for (int i = 0; i < count && output.failure == 0; i++) {
        cli_original original = {.fd = -1};
        cli_input input = {.call = call,
                           .path = maps[i],
                           .output = &output,
                           .several = count > 1,
                           .number = i,
                           .original = in_place ? &original : NULL};
        cli_status status = CLI_FAILED;
        if (!in_place || cli_original_open(&original, maps[i])) {
            status = json ? do_json_input(&input, keep, work) : do_input(&input, keep, work);
        }
        cli_original_close(&original);
        highest = status > highest ? status : highest;
    }
    return cli_output_close(&output, highest);
}

cli_status cli_for_each_of(const cli_call *call, char *const *maps, int count,
                           const char *output_path, uint32_t keep, cli_work work) {
    return for_each(call, maps, count, output_path, keep, false, work);
}

cli_status cli_for_each_changed(const cli_call *call, char *const *maps, int count, cli_work work) {
    return for_each(call, maps, count, NULL, 0, call->common->in_place, work);
}

cli_status cli_for_each_input(const cli_call *call, int count, uint32_t keep, cli_work work) {
    return cli_for_each_of(call, call->operands, count, call->common->output, keep, work);
}

uint32_t cli_find_lump(const cli_input *input, const char *name) {
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = name};
    uint32_t lump = bsp_file_find(input->file, bsp_text_of(name));
    for (uint32_t i = 0; lump == BSP_NONE && i < bsp_file_get_info(input->file)->num_lumps; i++) {
        cli_near_try(&near, bsp_file_lump(input->file, i)->name);
    }
    if (lump == BSP_NONE) {
        cli_message(input->path, "there is no lump '%s'%s", name,
                    cli_near_hint(&near, "", "; bspkit lumps lists them", hint));
    }
    return lump;
}

bool cli_lump_records(const bsp_file *file, uint32_t n, uint32_t *records) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    bool counted = lump->kind == BSP_KIND_ARRAY || lump->kind == BSP_KIND_SECTIONS ||
                   lump->kind == BSP_KIND_TEXTURES;
    if (counted && lump->id != BSP_ID_NONE && bsp_file_find_id(file, lump->id) == n) {
        *records = bsp_file_count(file, lump->id);
        return true;
    }
    bsp_parts parts;
    if (lump->place != BSP_IN_BSPX || !bsp_file_parts(file, n, NULL, &parts, NULL)) {
        return false;
    }
    bool table = parts.count != 0 && parts.parts[0].kind == BSP_PART_TABLE;
    *records = table ? parts.parts[0].count : 0;
    bsp_parts_free(&parts);
    return table;
}

void cli_lump_json(const bsp_file *file, uint32_t n, bsp_json *json) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    uint32_t records;
    cli_json_uint(json, "index", lump->index);
    cli_json_string(json, "name", lump->name);
    cli_json_uint(json, "offset", lump->offset);
    cli_json_uint(json, "size", lump->size);
    cli_json_uint(json, "version", lump->version);
    cli_json_bool(json, "compressed", lump->compressed);
    bool counted = cli_lump_records(file, n, &records);
    cli_json_uint_or_null(json, "records", counted, counted ? records : 0);
    if (lump->external != BSP_NONE) {
        cli_json_string(json, "external", bsp_file_get_info(file)->external[lump->external].name);
    }
}
