// SPDX-License-Identifier: MIT
// bspkit cubemaps: the pictures of a map's cubemaps, drawn anew, or which of them it has.
#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/defined.h"
#include "cli/parts/json.h"
#include "cli/parts/loaded.h"
#include "cli/parts/progress.h"
#include "cli/parts/write_map.h"

#include <stdlib.h>

typedef struct cubemap_options {
    cli_common common;
    bool check;
    bool dry_run;
    bool missing;
    bool dxt1;
    bool ldr;
    bool hdr;
    uint32_t side;
} cubemap_options;

static const cubemap_options *options_of(const cli_call *call) {
    return call->options;
}

// --- looking ------------------------------------------------------------------------------------

static const char *const states[] = {"missing", "never drawn", "drawn"};

static void print_list(const cli_input *input, const bsp_map *map, const uint8_t *found,
                       uint32_t kinds) {
    static const char *const names[] = {"LDR", "HDR"};
    for (uint32_t i = 0; i < map->num_cubemaps; i++) {
        const bsp_cubemap *cubemap = &map->cubemaps[i];
        cli_print(input->output, "%u: %d %d %d", (unsigned)i, (int)cubemap->origin[0],
                  (int)cubemap->origin[1], (int)cubemap->origin[2]);
        for (uint32_t kind = 0; kind < 2; kind++) {
            if ((kinds >> kind & 1) != 0) {
                cli_print(input->output, "%s %s %s", kind == 0 || (kinds & 1) == 0 ? ":" : ",",
                          names[kind], states[found[2 * (size_t)i + kind]]);
            }
        }
        cli_print(input->output, "\n");
    }
}

static void print_counts(const cli_input *input, const bsp_cubemap_counts *counts) {
    cli_print(input->output, "%u cubemap%s: %u missing, %u never drawn\n", (unsigned)counts->count,
              counts->count == 1 ? "" : "s", (unsigned)counts->missing, (unsigned)counts->undrawn);
    if (counts->strange != 0) {
        cli_print(input->output, "%u picture%s of places without a cubemap\n",
                  (unsigned)counts->strange, counts->strange == 1 ? " is" : "s are");
    }
    if (counts->materials != 0) {
        cli_print(input->output, "%u material%s missing\n", (unsigned)counts->materials,
                  counts->materials == 1 ? " that names a cubemap is"
                                         : "s that name a cubemap are");
    }
}

static void print_json(const cli_input *input, const bsp_map *map, const uint8_t *found,
                       const bsp_cubemap_counts *counts) {
    static const char *const kinds[] = {"ldr", "hdr"};
    bsp_json *json = input->json;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_array(json, "cubemaps");
    for (uint32_t i = 0; i < counts->count; i++) {
        bsp_json_object(json);
        cli_json_array(json, "origin");
        for (int axis = 0; axis < 3; axis++) {
            bsp_json_int(json, map->cubemaps[i].origin[axis]);
        }
        bsp_json_array_end(json);
        cli_json_uint(json, "size", map->cubemaps[i].size);
        for (uint32_t kind = 0; kind < 2; kind++) {
            cli_json_string_or_null(
                json, kinds[kind],
                (counts->kinds >> kind & 1) != 0 ? states[found[2 * (size_t)i + kind]] : NULL);
        }
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    cli_json_uint(json, "missing", counts->missing);
    cli_json_uint(json, "never_drawn", counts->undrawn);
    cli_json_uint(json, "strange", counts->strange);
    cli_json_uint(json, "missing_materials", counts->materials);
    bsp_json_object_end(json);
}

static cli_status look(const cli_input *input, const bsp_map *map) {
    bsp_cubemap_counts counts;
    bsp_error error;
    uint8_t *found = calloc(2 * (size_t)map->num_cubemaps + 1, 1);
    if (found == NULL) {
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    if (!bsp_cubemaps_find(input->file, map, found, &counts, NULL, &error)) {
        free(found);
        return cli_report(input->path, &error);
    }
    if (input->json != NULL) {
        print_json(input, map, found, &counts);
    } else {
        print_list(input, map, found, counts.kinds);
        print_counts(input, &counts);
    }
    free(found);
    bool good = counts.missing + counts.undrawn + counts.strange + counts.materials == 0;
    return good ? CLI_DONE : CLI_PROBLEMS;
}

static cli_status check(const cli_input *input) {
    const bsp_map_options load = {.parts = BSP_LOAD_PROPS | BSP_LOAD_SURFACES};
    bsp_error error;
    bsp_map *map = bsp_map_load(input->file, &load, &error);
    cli_status status = map == NULL ? cli_report(input->path, &error) : look(input, map);
    bsp_map_free(map);
    return status;
}

// --- drawing ------------------------------------------------------------------------------------

static bsp_cubemaps *draw(const cli_input *input, const cli_loaded *loaded, bool *told,
                          bsp_error *error) {
    const cubemap_options *wanted = options_of(input->call);
    cli_progress progress;
    bsp_definitions *definitions = cli_read_definitions(input->call, loaded->search, told);
    if (*told) {
        return NULL;
    }
    bsp_cubemaps_options options = {
        .search = loaded->search,
        .name = loaded->name,
        .side = wanted->side,
        .kinds = (wanted->ldr ? (uint32_t)BSP_CUBEMAP_LDR : 0) |
                 (wanted->hdr ? (uint32_t)BSP_CUBEMAP_HDR : 0),
        .absent = wanted->missing,
        .format = wanted->dxt1 ? BSP_VTF_DXT1 : 0,
        .definitions = definitions,
        .budget = cli_budget(),
    };
    cli_progress_start(&progress, input->path);
    options.progress = cli_progress_of(&progress);
    bsp_cubemaps *cubemaps = bsp_cubemaps_build(input->file, loaded->map, &options, error);
    cli_progress_clear();
    bsp_definitions_free(definitions);
    return cubemaps;
}

static cli_status write_changed(const cli_input *input, const bsp_cubemaps *cubemaps) {
    bsp_error error;
    bsp_pak *pak = bsp_file_pak(input->file, NULL, &error);
    bsp_plan *zip =
        pak == NULL ? NULL : bsp_pak_plan(pak, cubemaps->files, cubemaps->num_files, NULL, &error);
    if (zip == NULL) {
        bsp_pak_close(pak);
        return cli_report(input->path, &error);
    }
    const bsp_lump_change change = {
        .lump = bsp_file_find_id(input->file, BSP_ID_PAK), .plan = zip, .version = BSP_NONE};
    bsp_plan *plan = bsp_file_plan(input->file, &change, 1, NULL, &error);
    cli_status status = cli_edited_write(input, plan, NULL, &error);
    bsp_plan_free(zip);
    bsp_pak_close(pak);
    return status;
}

static void list_files(const cli_input *input, const bsp_cubemaps *cubemaps) {
    for (uint32_t i = 0; i < cubemaps->num_files; i++) {
        cli_print(input->output, "%8llu  ", (unsigned long long)cubemaps->files[i].data.size);
        cli_print_text(input->output, cubemaps->files[i].name);
        cli_print(input->output, "\n");
    }
}

static void list_files_json(const cli_input *input, const bsp_cubemaps *cubemaps) {
    bsp_json *json = input->json;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_array(json, "files");
    for (uint32_t i = 0; i < cubemaps->num_files; i++) {
        bsp_json_object(json);
        cli_json_text(json, "name", cubemaps->files[i].name);
        cli_json_uint(json, "size", cubemaps->files[i].data.size);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static cli_status use(const cli_input *input, const bsp_cubemaps *cubemaps) {
    if (cubemaps->num_untextured != 0) {
        cli_message(input->path,
                    "%u materials are drawn in their average colour, since their textures were not "
                    "found (--game)",
                    (unsigned)cubemaps->num_untextured);
    }
    if (cubemaps->num_files == 0) {
        cli_message(input->path, "there is no picture to be drawn: nothing is written");
        return CLI_PROBLEMS;
    }
    if (options_of(input->call)->dry_run) {
        if (input->json != NULL) {
            list_files_json(input, cubemaps);
        } else {
            list_files(input, cubemaps);
        }
        return CLI_DONE;
    }
    return write_changed(input, cubemaps);
}

static cli_status change(const cli_input *input) {
    static const cli_wanted wanted = {.light = true}; // the renderer finds the textures
    cli_loaded loaded;
    bsp_error error;
    bool told = false;
    cli_status status = cli_load(&loaded, input->call, input->path, input->file, &wanted);
    if (status == CLI_DONE) {
        bsp_cubemaps *cubemaps = draw(input, &loaded, &told, &error);
        status = cubemaps != NULL ? use(input, cubemaps)
                 : told           ? CLI_FAILED
                                  : cli_report(input->path, &error);
        bsp_cubemaps_free(cubemaps);
    }
    cli_unload(&loaded);
    return status;
}

// --- the command --------------------------------------------------------------------------------

static cli_status run(const cli_call *call) {
    const cubemap_options *wanted = options_of(call);
    if (wanted->check && wanted->dry_run) {
        cli_message(NULL, "--check and --dry-run exclude each other");
        return CLI_USAGE;
    }
    if (wanted->check || wanted->dry_run) {
        return cli_for_each_of(call, call->operands, call->num_operands, NULL,
                               wanted->check ? check : change);
    }
    return cli_for_each_edited(call, call->operands, call->num_operands, change);
}

static const cli_option options[] = {
    {.name = "check",
     CLI_FLAG_TO(cubemap_options, check),
     .help = "Write no map: list the cubemaps, and which pictures they have in the map"},
    CLI_OPTION_JSON,
    {.name = "dry-run",
     CLI_FLAG_TO(cubemap_options, dry_run),
     .help = "Write no map: draw, and list the files that would go into it"},
    CLI_OPTION_GAME_FOR("textures and models"),
    CLI_OPTION_FGD,
    {.name = "size",
     CLI_NUMBER_TO(cubemap_options, side),
     .argument = "PIXELS",
     .help = "Pixels across a side, a power of two (default: as each cubemap says, or 32)"},
    {.name = "missing",
     CLI_FLAG_TO(cubemap_options, missing),
     .help = "Only the pictures that are missing, or that the compiler put in their place"},
    {.name = "ldr",
     CLI_FLAG_TO(cubemap_options, ldr),
     .help = "The pictures for LDR (default: those that the map's light is for)"},
    {.name = "hdr", CLI_FLAG_TO(cubemap_options, hdr), .help = "The pictures for HDR"},
    {.name = "dxt1",
     CLI_FLAG_TO(cubemap_options, dxt1),
     .help = "LDR pictures in DXT1, a sixth of the size (default: as those in the map)"},
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_MANY,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_cubemaps = {
    .name = "cubemaps",
    .group = CLI_GROUP_CHANGE,
    .operands = "FILE...",
    .summary = "Draw the cubemaps of a map of Source, without the game",
    .description =
        "What surfaces mirror in Source is a picture of six sides for each env_cubemap, which the "
        "game draws when a player tells it to (buildcubemaps). Here the sides are drawn as bspkit "
        "render draws, without reflections, and go into the map under the names that the game "
        "looks for: LDR, and HDR where the map has such light. Where a material that names a "
        "cubemap is missing, it is written too, and cubemapdefault.vtf where the sky is found. "
        "The result is the same at any number of threads.\n\n"
        "With --check each picture is missing, never drawn (it is the compiler's own, which has "
        "the bytes of cubemapdefault.vtf), or drawn. The exit status is 1 unless all are drawn.",
    .examples = {"bspkit cubemaps --check maps/source.bsp",
                 "bspkit cubemaps maps/source.bsp --game content -o new.bsp"},
    CLI_OPTIONS(options, cubemap_options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
