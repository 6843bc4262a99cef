// SPDX-License-Identifier: MIT
// bspkit query: queries about a map's space: one on the command line, or many points or segments
// from standard input, one per line.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/inputs.h"
#include "cli/parts/json.h"
#include "cli/parts/patch.h"
#include "cli/commands/query.h"

#include <stdlib.h>
#include <string.h>

static const cli_query_options defaults = {.hull = BSP_NONE};

// --- the queries ---------------------------------------------------------------------------------

typedef cli_status (*question)(const cli_input *input, const bsp_map *map);

// Reads the operands X Y Z. Returns false after a message.
static bool read_point(const cli_call *call, float point[3]) {
    for (int i = 0; i < 3; i++) {
        const char *text = call->operands[i];
        if (!bsp_parse_float(bsp_text_of(text), &point[i])) {
            cli_message(call->command->name, "'%s' is no number", text);
            return false;
        }
    }
    return true;
}

static cli_status ask_leaf(const cli_input *input, const bsp_map *map) {
    float point[3];
    if (!read_point(input->call, point)) {
        return CLI_USAGE;
    }
    bsp_json json;
    uint32_t number = bsp_query_leaf(map, point);
    if (map->num_leaves == 0) {
        cli_message(input->path, "the map has no leaves");
    }
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "point", point, 3);
    cli_query_json_index(&json, "leaf", number);
    if (number != BSP_NONE) {
        const bsp_leaf *leaf = &map->leaves[number];
        cli_query_json_index(&json, "cluster", leaf->cluster);
        cli_query_json_index(&json, "area", leaf->area);
        cli_query_json_contents(&json, map, bsp_query_contents(map, 0, point));
        bsp_json_floats(&json, "mins", leaf->mins, 3);
        bsp_json_floats(&json, "maxs", leaf->maxs, 3);
        cli_query_json_index(&json, "faces", leaf->num_faces);
        cli_query_json_index(&json, "brushes", leaf->num_brushes);
    }
    cli_query_end_json(input, &json);
    return CLI_DONE;
}

static void json_row(bsp_json *json, const char *key, const bsp_map *map, const uint8_t *row) {
    bsp_json_key(json, key);
    bsp_json_array(json);
    for (uint32_t i = 0; i < map->visibility.num_clusters; i++) {
        if (bsp_query_row_sees(map, row, i)) {
            bsp_json_uint(json, i);
        }
    }
    bsp_json_array_end(json);
}

static cli_status ask_vis(const cli_input *input, const bsp_map *map) {
    int64_t cluster;
    const bsp_visibility *vis = &map->visibility;
    const char *text = input->call->operands[0];
    text += strspn(text, " ");
    if (!bsp_parse_int(bsp_text_of(text), &cluster) || cluster < 0 ||
        cluster >= vis->num_clusters) {
        cli_message(input->path, "there is no cluster '%s': there are %u", text,
                    (unsigned)vis->num_clusters);
        return CLI_USAGE;
    }
    uint8_t *row = malloc((size_t)vis->row_bytes + 1);
    if (row == NULL) {
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_query_json_index(&json, "cluster", (uint32_t)cluster);
    cli_query_json_index(&json, "clusters", vis->num_clusters);
    bsp_map_visible(map, (uint32_t)cluster, false, row);
    json_row(&json, "visible", map, row);
    if (vis->phs != NULL) {
        bsp_map_visible(map, (uint32_t)cluster, true, row);
        json_row(&json, "audible", map, row);
    }
    cli_query_end_json(input, &json);
    free(row);
    return CLI_DONE;
}

static cli_status ask_light(const cli_input *input, const bsp_map *map) {
    float point[3];
    if (!read_point(input->call, point)) {
        return CLI_USAGE;
    }
    static const char *const sources[] = {"none", "grid", "cube", "surface"};
    bsp_json json;
    bsp_light light = bsp_query_light(map, input->file, point);
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "point", point, 3);
    cli_json_string(&json, "source", sources[light.source]);
    bsp_json_floats(&json, "ambient", light.ambient, 3);
    if (light.source == BSP_LIGHT_GRID) {
        bsp_json_floats(&json, "directed", light.directed, 3);
        bsp_json_floats(&json, "direction", light.direction, 3);
    }
    if (light.source == BSP_LIGHT_CUBE) {
        cli_json_array(&json, "cube");
        for (int side = 0; side < 6; side++) {
            bsp_json_array(&json);
            for (int i = 0; i < 3; i++) {
                bsp_json_float(&json, light.cube[side][i]);
            }
            bsp_json_array_end(&json);
        }
        bsp_json_array_end(&json);
    }
    if (light.source == BSP_LIGHT_SURFACE) {
        cli_query_json_index(&json, "face", light.face);
    }
    cli_query_end_json(input, &json);
    return CLI_DONE;
}

static void print_point(const cli_input *input, const bsp_map *map, const float *point,
                        int32_t contents, uint32_t leaf) {
    bsp_json json;
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "point", point, 3);
    cli_query_json_contents(&json, map, contents);
    cli_query_json_names(&json, map, contents);
    cli_query_json_index(&json, "leaf", leaf);
    cli_query_end_json(input, &json);
}

static cli_status ask_contents(const cli_input *input, const bsp_map *map) {
    uint32_t model = cli_query_options_of(input->call)->model;
    float point[CLI_QUERY_NUMBERS];
    int line = 0;
    int count;
    bool bad = false;
    if (!map->traits->has_brushes && !map->traits->contents_numbers) {
        cli_message(input->path, "maps of %s have no brushes: contents are not known",
                    map->branch->title);
        return CLI_FAILED;
    }
    while (cli_query_next_line("x y z", &line, point, &count, &bad) &&
           input->output->failure == 0) {
        if (count != 3) {
            cli_message("standard input", "line %d: x y z was expected", line);
            return CLI_FAILED;
        }
        uint32_t leaf = bsp_query_leaf(map, point);
        int32_t contents = bsp_query_contents(map, model, point);
        if (input->call->common->json) {
            print_point(input, map, point, contents, leaf);
            continue;
        }
        cli_query_print_contents(input->output, map, contents);
        cli_print(input->output, "\t%lld\n", leaf == BSP_NONE ? -1LL : (long long)leaf);
    }
    return bad ? CLI_FAILED : CLI_DONE;
}

// --- the command --------------------------------------------------------------------------------

static cli_status answer(const cli_input *input, question ask) {
    bsp_error error;
    bsp_map *map = bsp_map_load(input->file, NULL, &error);
    if (map == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = ask(input, map);
    bsp_map_free(map);
    return status;
}

// The file is the last operand.
static cli_status with_file(const cli_call *call, cli_work work) {
    return cli_for_each_of(call, call->operands + call->num_operands - 1, 1, call->common->output,
                           0, work);
}

static cli_status answer_leaf(const cli_input *input) {
    return answer(input, ask_leaf);
}

static cli_status answer_vis(const cli_input *input) {
    return answer(input, ask_vis);
}

static cli_status answer_contents(const cli_input *input) {
    return answer(input, ask_contents);
}

static cli_status answer_trace(const cli_input *input) {
    return answer(input, cli_query_trace);
}

static cli_status answer_light(const cli_input *input) {
    return answer(input, ask_light);
}

static cli_status run_leaf(const cli_call *call) {
    float point[3];
    return read_point(call, point) ? with_file(call, answer_leaf) : CLI_USAGE;
}

static cli_status run_vis(const cli_call *call) {
    int64_t cluster;
    const char *text = call->operands[0] + strspn(call->operands[0], " ");
    if (!bsp_parse_int(bsp_text_of(text), &cluster)) {
        cli_message("query vis", "'%s' is not the number of a cluster", text);
        return CLI_USAGE;
    }
    return with_file(call, answer_vis);
}

static cli_status run_light(const cli_call *call) {
    float point[3];
    return read_point(call, point) ? with_file(call, answer_light) : CLI_USAGE;
}

static cli_status run_contents(const cli_call *call) {
    cli_inputs_add("-"); // points
    return with_file(call, answer_contents);
}

static cli_status run_trace(const cli_call *call) {
    cli_inputs_add("-"); // segments
    return with_file(call, answer_trace);
}

#define OPTION_JSON_ANYHOW                                                                         \
    { .name = "json", CLI_FLAG_TO(cli_common, json), .help = "Print JSON (this verb always does)" }
#define OPTION_JSON_LINES                                                                          \
    {                                                                                              \
        .name = "json", CLI_FLAG_TO(cli_common, json),                                             \
        .help = "Print an object per line of input, with all that is known"                        \
    }
#define OPTION_MODEL                                                                               \
    {                                                                                              \
        .name = "model", CLI_NUMBER_TO(cli_query_options, model), .argument = "N",                 \
        .help = "Query brush model N, in its own space (default 0, the world)"                     \
    }

static const cli_option point_options[] = {
    OPTION_JSON_ANYHOW, CLI_OPTION_LMP, CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option contents_options[] = {
    OPTION_JSON_LINES, OPTION_MODEL,      CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,  CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option trace_options[] = {
    OPTION_JSON_LINES,
    {.name = "mask",
     CLI_TEXT_TO(cli_query_options, mask),
     .argument = "MASK",
     .help = "Contents that stop the trace, as a number or as names between commas (default "
             "solid)"},
    OPTION_MODEL,
    {.name = "all",
     CLI_FLAG_TO(cli_query_options, all),
     .help = "Query the world and the brush models of all solid entities, where they stand"},
    {.name = "hull",
     CLI_NUMBER_TO(cli_query_options, hull),
     .argument = "N",
     .help = "Quake and GoldSrc: use hull N; by default the one for the box's size"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const cli_command verbs[] = {
    {
        .name = "query leaf",
        .operands = "X Y Z FILE",
        .summary = "Print the leaf that holds a point, as JSON",
        .description = "Keys: file, point, leaf (-1: none), cluster, area, contents, mins, maxs, "
                       "faces, brushes.",
        .examples = {"bspkit query leaf 0 0 64 maps/start.bsp",
                     "bspkit query leaf -128 64 32 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .run = run_leaf,
    },
    {
        .name = "query vis",
        .operands = "CLUSTER FILE",
        .summary = "Print the clusters that a cluster sees and hears, as JSON",
        .description = "Keys: file, cluster, clusters, visible, audible.",
        .examples = {"bspkit query vis 0 maps/start.bsp",
                     "bspkit query vis 1 maps/source.bsp -o seen.json"},
        CLI_COMMON_OPTIONS(point_options),
        .min_operands = 2,
        .max_operands = 2,
        .reads_maps = true,
        .reads = "-f",
        .takes_numbers = true,
        .run = run_vis,
    },
    {
        .name = "query contents",
        .operands = "FILE",
        .summary = "Print the contents of points, which are read from standard input",
        .description =
            "A point is a line of three numbers. For each a line gives its contents, as "
            "hexadecimal flags of the file's own (Quake and GoldSrc: the signed number), a tab, "
            "and the leaf. With --json: file, point, contents, contents_names, leaf.",
        .examples = {"bspkit query contents maps/start.bsp <points.tsv",
                     "echo 0 0 64 | bspkit query contents --json maps/source.bsp"},
        CLI_OPTIONS(contents_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .run = run_contents,
    },
    {
        .name = "query trace",
        .operands = "FILE",
        .summary = "Print what segments hit, which are read from standard input",
        .description =
            "A segment is a line of its start and end, six numbers, and six more for the corners "
            "of a box that moves along it. For each a line gives fraction, end (3), normal (3), "
            "startsolid, allsolid and contents, with tabs between. With --json: file, from, to, "
            "mins, maxs, fraction, end, normal, dist, start_solid, all_solid, left_solid, "
            "contents, contents_names, surface_flags, plane, brush, side, face, entity, material. "
            "Indices are those of the map's records, -1 for none.",
        .examples = {"bspkit query trace maps/start.bsp <segments.tsv",
                     "echo 0 0 64 0 0 -4096 | bspkit query trace --json --all maps/source.bsp"},
        CLI_OPTIONS(trace_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .run = run_trace,
    },
    {
        .name = "query light",
        .operands = "X Y Z FILE",
        .summary = "Print the light at a point, as JSON",
        .description = "Keys: file, point, source (none, grid, cube, surface), ambient, and by "
                       "source directed, direction, cube or face.",
        .examples = {"bspkit query light 0 0 64 maps/start.bsp",
                     "bspkit query light 0 0 64 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .run = run_light,
    },
};

const cli_command cli_command_query = {
    .name = "query",
    .group = CLI_GROUP_ASK,
    .summary = "Query a map's space: leaves, visibility, contents, traces, light",
    .examples = {"bspkit query leaf 0 0 64 maps/start.bsp",
                 "bspkit query trace maps/start.bsp <segments.tsv"},
    CLI_VERBS(verbs),
};
