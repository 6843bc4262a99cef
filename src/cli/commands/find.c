// SPDX-License-Identifier: MIT
// bspkit find: the maps of an index that meet conditions.
#include "bspkit_index/index.h"
#include "cli/parts/commands.h"
#include "cli/parts/json.h"
#include "cli/parts/output.h"

#include <string.h>

typedef struct finding {
    cli_output *output;
    bsp_json *json; // NULL: paths
    uint64_t count;
} finding;

static void json_text_or_null(bsp_json *json, const char *key, const char *text) {
    cli_json_string_or_null(json, key, text[0] == '\0' ? NULL : text);
}

static void json_map(bsp_json *json, const bsp_index_map *map) {
    bsp_json_object(json);
    cli_json_string(json, "file", map->path);
    json_text_or_null(json, "branch", map->branch);
    json_text_or_null(json, "family", map->family);
    json_text_or_null(json, "game", map->game);
    cli_json_uint(json, "version", map->version);
    cli_json_uint(json, "size", map->size);
    json_text_or_null(json, "sha256", map->sha256);
    cli_json_uint(json, "entities", map->entities);
    cli_json_uint(json, "faces", map->faces);
    cli_json_uint(json, "leaves", map->leaves);
    cli_json_uint(json, "errors", map->errors);
    cli_json_uint(json, "warnings", map->warnings);
    bsp_json_floats(json, "mins", map->mins, 3);
    bsp_json_floats(json, "maxs", map->maxs, 3);
    cli_json_float(json, "likeness", map->likeness);
    json_text_or_null(json, "problem", map->problem);
    bsp_json_object_end(json);
}

static bool found(void *user, const bsp_index_map *map) {
    finding *f = user;
    f->count++;
    if (f->json != NULL) {
        json_map(f->json, map);
        (void)bsp_json_flush(f->json);
        f->json->comma = false;
    } else {
        cli_print_text(f->output, bsp_text_of(map->path));
    }
    cli_print(f->output, "\n");
    return f->output->failure == 0;
}

static const char *const columns[] = {"file",
                                      "branch",
                                      "family",
                                      "game",
                                      "version",
                                      "size",
                                      "sha256",
                                      "entities",
                                      "faces",
                                      "leaves",
                                      "errors",
                                      "warnings",
                                      CLI_ROWS_VECTOR("mins"),
                                      CLI_ROWS_VECTOR("maxs"),
                                      "likeness",
                                      "problem",
                                      NULL};

static const cli_row_form rows = {"", columns};

static cli_status find_in(const cli_call *call, bsp_index *index, cli_output *output) {
    bsp_error error;
    bsp_json json;
    finding f = {.output = output, .json = call->common->json ? &json : NULL};
    const char *const *terms = (const char *const *)(call->operands + 1);
    if (!cli_output_rows(output, cli_rows_wanted(call), &rows)) {
        return cli_output_fail(output);
    }
    bsp_json_begin(&json, cli_sink, output);
    if (!bsp_index_find(index, terms, (uint32_t)call->num_operands - 1, found, &f, &error)) {
        (void)cli_report(call->operands[0], &error);
        (void)cli_output_fail(output);
        return error.code == BSP_E_ARGUMENT ? CLI_USAGE : CLI_FAILED;
    }
    return cli_output_close(output, f.count == 0 ? CLI_PROBLEMS : CLI_DONE);
}

static cli_status run(const cli_call *call) {
    bsp_error error;
    cli_output output;
    bsp_index *index = bsp_index_open(call->operands[0], true, &error);
    if (index == NULL) {
        return cli_report(call->operands[0], &error);
    }
    cli_status status =
        cli_output_open(&output, call->common->output) ? find_in(call, index, &output) : CLI_FAILED;
    (void)bsp_index_close(index, NULL);
    return status;
}

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_find = {
    .name = "find",
    .group = CLI_GROUP_CHECK,
    .operands = "DB [TERM...]",
    .summary = "List the maps of an index that meet conditions",
    .description =
        "Prints the paths of the maps that meet all terms, each FIELD, a comparison and a value as "
        "bspkit help where has them. Without terms: all. Exit status 1: none meets them.\n\n"
        "Fields of the map: path, branch, family, game, sha256, checksum, problem, size, version, "
        "entities, faces, leaves, brushes, errors, warnings. Names in it: class, material, "
        "texture, model, sound, needs (any file that it names), missing (one that was not found), "
        "embedded (a file or texture in it), issue (an id of bspkit check). limit:NAME, as in "
        "'limit:PLANES>80', is how much of the game's limit a lump has, in percent. Any other "
        "field, and key:NAME, is a key of its entities.\n\n"
        "near=X,Y,Z,R: an entity stands within R units. text=WORDS: names and values with all "
        "these words. same=PATH: maps of the same geometry as that map of the index, whatever "
        "their light; copy=PATH: of the same bytes; like=PATH: with half of its vertices or more; "
        "duplicate=geometry, duplicate=content, duplicate=near: maps that have such a double.",
    .examples = {"bspkit find maps.db 'class=info_player_*' 'faces>100'",
                 "bspkit find maps.db 'branch=source*' --csv"},
    CLI_COMMON_OPTIONS(options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads = "f-",
    .rows = &rows,
    .run = run,
};
