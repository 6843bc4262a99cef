// SPDX-License-Identifier: MIT
// bspkit query: queries about a map's space: one on the command line, or many points or segments
// from standard input, one per line.
#include "cli/parts/commands.h"
#include "cli/parts/defined.h"
#include "cli/parts/game.h"
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

static void keep_reached(const bsp_map *map, const uint8_t *reached, uint8_t *row) {
    for (uint32_t i = 0; reached != NULL && i < map->visibility.row_bytes; i++) {
        row[i] &= reached[i];
    }
}

// Sets the clusters that area portals in the state of the options do not shut off from a cluster.
static cli_status find_reached(const cli_input *input, const bsp_map *map, uint32_t cluster,
                               uint8_t *reached) {
    cli_portals p;
    cli_status status = cli_query_portals(input, map, &p);
    uint32_t area = BSP_NONE;
    for (uint32_t i = 0; status == CLI_DONE && i < map->num_leaves; i++) {
        if (map->leaves[i].cluster == cluster) {
            area = map->leaves[i].area;
        }
    }
    if (status == CLI_DONE) {
        bsp_area_links_reach(map, p.links, p.groups, area, reached);
    }
    cli_portals_free(&p);
    return status;
}

// `reached` is NULL where the state of area portals is not asked for.
static void print_rows(const cli_input *input, const bsp_map *map, uint32_t cluster,
                       const uint8_t *reached, uint8_t *row) {
    const bsp_visibility *vis = &map->visibility;
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_query_json_index(&json, "cluster", cluster);
    cli_query_json_index(&json, "clusters", vis->num_clusters);
    bsp_map_visible(map, cluster, false, row);
    keep_reached(map, reached, row);
    json_row(&json, "visible", map, row);
    if (vis->phs != NULL) {
        bsp_map_visible(map, cluster, true, row);
        keep_reached(map, reached, row);
        json_row(&json, "audible", map, row);
    }
    cli_query_end_json(input, &json);
}

static cli_status ask_vis(const cli_input *input, const bsp_map *map) {
    int64_t cluster;
    const cli_query_options *options = cli_query_options_of(input->call);
    const bsp_visibility *vis = &map->visibility;
    const char *text = input->call->operands[0];
    text += strspn(text, " ");
    if (!bsp_parse_int(bsp_text_of(text), &cluster) || cluster < 0 ||
        cluster >= vis->num_clusters) {
        cli_message(input->path, "there is no cluster '%s': there are %u", text,
                    (unsigned)vis->num_clusters);
        return CLI_USAGE;
    }
    bool shuts = options->open != NULL || options->closed != NULL;
    uint8_t *row = malloc((size_t)vis->row_bytes + 1);
    uint8_t *reached = shuts ? malloc((size_t)vis->row_bytes + 1) : NULL;
    cli_status status = row == NULL || (shuts && reached == NULL) ? CLI_FAILED : CLI_DONE;
    if (status != CLI_DONE) {
        cli_message(input->path, "no memory");
    } else if (shuts) {
        status = find_reached(input, map, (uint32_t)cluster, reached);
    }
    if (status == CLI_DONE) {
        print_rows(input, map, (uint32_t)cluster, reached, row);
    }
    free(row);
    free(reached);
    return status;
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
    return answer(input, cli_query_leaf);
}

static cli_status answer_water(const cli_input *input) {
    return answer(input, cli_query_water);
}

static cli_status answer_fog(const cli_input *input) {
    return answer(input, cli_query_fog);
}

static cli_status answer_cubemap(const cli_input *input) {
    return answer(input, cli_query_cubemap);
}

static cli_status answer_face(const cli_input *input) {
    return answer(input, cli_query_face);
}

static cli_status answer_occluder(const cli_input *input) {
    return answer(input, cli_query_occluder);
}

static cli_status answer_vis(const cli_input *input) {
    return answer(input, ask_vis);
}

static cli_status answer_areas(const cli_input *input) {
    return answer(input, cli_query_areas);
}

static cli_status answer_leak(const cli_input *input) {
    return answer(input, cli_query_leak);
}

static cli_status answer_openings(const cli_input *input) {
    return answer(input, cli_query_openings);
}

static cli_status answer_physics(const cli_input *input) {
    return answer(input, cli_query_physics);
}

static cli_status answer_contents(const cli_input *input) {
    return answer(input, ask_contents);
}

static cli_status answer_trace(const cli_input *input) {
    return answer(input, cli_query_trace);
}

static cli_status answer_sight(const cli_input *input) {
    return answer(input, cli_query_sight);
}

static cli_status answer_props(const cli_input *input) {
    return answer(input, cli_query_props);
}

static cli_status answer_marks(const cli_input *input) {
    return answer(input, cli_query_marks);
}

static cli_status answer_links(const cli_input *input) {
    return answer(input, cli_query_links);
}

static cli_status answer_nav(const cli_input *input) {
    return answer(input, cli_query_nav);
}

static cli_status answer_light(const cli_input *input) {
    return answer(input, cli_query_light);
}

static cli_status run_leaf(const cli_call *call) {
    float point[3];
    return cli_query_point(call, point) ? with_file(call, answer_leaf) : CLI_USAGE;
}

static cli_status run_water(const cli_call *call) {
    float point[3];
    return cli_query_point(call, point) ? with_file(call, answer_water) : CLI_USAGE;
}

static cli_status run_fog(const cli_call *call) {
    float point[3];
    return cli_query_point(call, point) ? with_file(call, answer_fog) : CLI_USAGE;
}

static cli_status run_cubemap(const cli_call *call) {
    float point[3];
    return cli_query_point(call, point) ? with_file(call, answer_cubemap) : CLI_USAGE;
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

static cli_status run_face(const cli_call *call) {
    int64_t face;
    const char *text = call->operands[0] + strspn(call->operands[0], " ");
    if (!bsp_parse_int(bsp_text_of(text), &face)) {
        cli_message("query face", "'%s' is not the number of a face", text);
        return CLI_USAGE;
    }
    return with_file(call, answer_face);
}

static cli_status run_occluder(const cli_call *call) {
    cli_inputs_add("-"); // eyes and boxes
    return with_file(call, answer_occluder);
}

static cli_status run_areas(const cli_call *call) {
    return with_file(call, answer_areas);
}

static cli_status run_leak(const cli_call *call) {
    return with_file(call, answer_leak);
}

static cli_status run_openings(const cli_call *call) {
    return with_file(call, answer_openings);
}

static cli_status run_physics(const cli_call *call) {
    return with_file(call, answer_physics);
}

static cli_status run_light(const cli_call *call) {
    float point[3];
    float normal[3];
    return cli_query_point(call, point) && cli_query_normal(call, normal)
               ? with_file(call, answer_light)
               : CLI_USAGE;
}

static cli_status run_contents(const cli_call *call) {
    cli_inputs_add("-"); // points
    return with_file(call, answer_contents);
}

static cli_status run_trace(const cli_call *call) {
    bool props = cli_query_options_of(call)->props;
    cli_inputs_add("-"); // segments
    return cli_for_each_of_rows(call, call->operands + call->num_operands - 1, 1, answer_trace,
                                props ? &cli_query_solid_rows : &cli_query_trace_rows);
}

static cli_status run_props(const cli_call *call) {
    return with_file(call, answer_props);
}

static cli_status run_marks(const cli_call *call) {
    return with_file(call, answer_marks);
}

static cli_status run_links(const cli_call *call) {
    return with_file(call, answer_links);
}

static cli_status run_nav(const cli_call *call) {
    float point[3];
    return cli_query_at(call, point) ? with_file(call, answer_nav) : CLI_USAGE;
}

static cli_status run_sight(const cli_call *call) {
    cli_inputs_add("-"); // pairs of points
    return with_file(call, answer_sight);
}

#define OPTION_JSON_ANYHOW                                                                         \
    { .name = "json", CLI_FLAG_TO(cli_common, json), .help = "Print JSON (the default)" }
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

#define OPTION_ALL                                                                                 \
    {                                                                                              \
        .name = "all", CLI_FLAG_TO(cli_query_options, all),                                        \
        .help = "Query the world and the brush models of all solid entities, where they stand"     \
    }

#define OPTIONS_SOLID                                                                              \
    {.name = "props",                                                                              \
     CLI_FLAG_TO(cli_query_options, props),                                                        \
     .help = "The models that stand in the map are solid too, by their hulls or boxes"},           \
        CLI_OPTION_GAME_FOR("the models of --props"), CLI_OPTION_FGD

static const cli_option point_options[] = {
    OPTION_JSON_ANYHOW, CLI_OPTIONS_ROWS,  CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,   CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option links_options[] = {
    CLI_OPTION_JSON,  CLI_OPTIONS_ROWS,  CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option nav_options[] = {
    OPTION_JSON_ANYHOW,
    CLI_OPTIONS_ROWS,
    {.name = "nav",
     CLI_FILE_TO(cli_query_options, nav),
     .argument = "FILE",
     .help = "Read this navigation mesh; by default NAME.nav beside NAME.bsp, else maps/NAME.nav "
             "in the map's pak or a game folder"},
    {.name = "at",
     CLI_TEXT_TO(cli_query_options, at),
     .argument = "X,Y,Z",
     .help = "Print only the area on which something at this point stands"},
    CLI_OPTION_GAME_FOR("maps/NAME.nav"),
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const cli_option leak_options[] = {
    OPTION_JSON_ANYHOW,
    {.name = "points",
     CLI_FLAG_TO(cli_query_options, points),
     .help =
         "Print the way as text, one point a line, as editors load it from a .pts or .lin file"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

#define OPTIONS_PORTALS                                                                            \
    {.name = "open",                                                                               \
     CLI_TEXT_TO(cli_query_options, open),                                                         \
     .argument = "PORTALS",                                                                        \
     .help = "Open these area portals, by number or name, or all or none of them; the others are " \
             "as the map begins"},                                                                 \
    {                                                                                              \
        .name = "closed", CLI_TEXT_TO(cli_query_options, closed), .argument = "PORTALS",           \
        .help = "Close these area portals, in the same way"                                        \
    }

static const cli_option areas_options[] = {
    OPTION_JSON_ANYHOW, CLI_OPTIONS_ROWS,  OPTIONS_PORTALS, CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,   CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option water_options[] = {
    OPTION_JSON_ANYHOW, CLI_OPTIONS_ROWS, CLI_OPTION_GAME_FOR("the material of the water"),
    CLI_OPTION_LMP,     CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const cli_option occluder_options[] = {
    OPTION_JSON_LINES, CLI_OPTION_LMP, CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option contents_options[] = {
    OPTION_JSON_LINES, CLI_OPTIONS_ROWS,  OPTION_MODEL,    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,  CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option trace_options[] = {
    OPTION_JSON_LINES,
    CLI_OPTIONS_ROWS,
    {.name = "mask",
     CLI_TEXT_TO(cli_query_options, mask),
     .argument = "MASK",
     .help = "Contents that stop the trace, as a number or as names between commas (default "
             "solid)"},
    OPTION_MODEL,
    OPTION_ALL,
    {.name = "hull",
     CLI_NUMBER_TO(cli_query_options, hull),
     .argument = "N",
     .help = "Quake and GoldSrc: use hull N; by default the one for the box's size"},
    OPTIONS_SOLID,
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const cli_option sight_options[] = {
    OPTION_JSON_LINES,
    CLI_OPTIONS_ROWS,
    {.name = "mask",
     CLI_TEXT_TO(cli_query_options, mask),
     .argument = "MASK",
     .help = "Contents that stop sight, as a number or as names between commas (default: those of "
             "the game's own code)"},
    OPTION_ALL,
    OPTIONS_SOLID,
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const cli_option props_options[] = {
    OPTION_JSON_ANYHOW,
    CLI_OPTIONS_ROWS,
    CLI_OPTION_GAME_FOR("models"),
    CLI_OPTION_FGD,
    {.name = "details",
     CLI_FLAG_TO(cli_common, details),
     .help = "Also detail props (Source: grass and the like)"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

#define OPTION_HDR                                                                                 \
    {                                                                                              \
        .name = "hdr", CLI_FLAG_TO(cli_query_options, hdr),                                        \
        .help = "Source: take the HDR light where the map has both kinds"                          \
    }

static const cli_option face_options[] = {
    OPTION_JSON_ANYHOW, OPTION_HDR,        CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,   CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

static const cli_option light_options[] = {
    OPTION_JSON_ANYHOW,
    CLI_OPTIONS_ROWS,
    {.name = "lights",
     CLI_FLAG_TO(cli_query_options, lights),
     .help = "Source: list what each of the map's lights adds too"},
    {.name = "normal",
     CLI_TEXT_TO(cli_query_options, normal),
     .argument = "X,Y,Z",
     .help = "With --lights: the way the lit surface looks; without it, it faces each light"},
    OPTION_HDR,
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
        .description =
            "Keys: file, point, leaf (-1: none), cluster, area, contents, mins, maxs, faces, "
            "brushes. Quake and GoldSrc: sounds (how loud water, sky, slime and lava sound there, "
            "0 to 255). Source: flags, flag_names (sky: the 3D sky may be seen, sky2d: the 2D sky, "
            "radial), water (-1: none), water_surface, water_bottom, and where the map has them "
            "water_distance, static_props (their numbers), detail_props (how many).",
        .examples = {"bspkit query leaf 0 0 64 maps/start.bsp",
                     "bspkit query leaf -128 64 32 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .rows = &cli_query_leaf_rows,
        .run = run_leaf,
    },
    {
        .name = "query vis",
        .operands = "CLUSTER FILE",
        .summary = "Print the clusters that a cluster sees and hears, as JSON",
        .description =
            "Keys: file, cluster, clusters, visible, audible. With --open or --closed, even of "
            "none, clusters behind closed area portals are left out: of games whose maps have "
            "them, Quake 2, Quake 3 and Source.",
        .examples = {"bspkit query vis 0 maps/start.bsp",
                     "bspkit query vis 1 maps/source.bsp --closed all -o seen.json"},
        CLI_OPTIONS(areas_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 2,
        .max_operands = 2,
        .reads_maps = true,
        .reads = "-f",
        .takes_numbers = true,
        .rows = &cli_query_vis_rows,
        .run = run_vis,
    },
    {
        .name = "query areas",
        .operands = "FILE",
        .summary = "Print the areas of a map, and the portals between them, as JSON",
        .description =
            "Keys: file, areas (area, group, leaves, portals), groups, portals (key, areas, open, "
            "entity, class, name, mins, maxs, opened_by). Areas of one group are connected by "
            "portals that are open. A portal is open or shut as the map begins, unless --open or "
            "--closed say otherwise: all shut in Quake 2 and 3; by StartOpen, or its door, in "
            "Source. Its key is the number that its entity names; in Quake 3, whose doors "
            "connect areas, the number of the door's entity. Quake and GoldSrc have no areas.",
        .examples = {"bspkit query areas maps/source.bsp",
                     "bspkit query areas --open all maps/source.bsp"},
        CLI_OPTIONS(areas_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_areas_rows,
        .run = run_areas,
    },
    {
        .name = "query leak",
        .operands = "FILE",
        .summary =
            "Print the way from an entity to the outside of a map that is not sealed, as JSON",
        .description =
            "Keys: file, leaks, entity and classname (where the way begins, in a map that leaks), "
            "points: the origin of the entity, the middles of the openings on the way, and a point "
            "at the world's edge. The exit status is 0 for a map that is sealed, and 1 for one "
            "that "
            "leaks. Solid stops the way, and in Quake and GoldSrc the sky.",
        .examples = {"bspkit query leak maps/start.bsp",
                     "bspkit query leak --points maps/start.bsp -o start.pts"},
        CLI_OPTIONS(leak_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .run = run_leak,
    },
    {
        .name = "query portals",
        .operands = "FILE",
        .summary = "Print the portals between the clusters of a map, as JSON",
        .description =
            "Keys: file, portals (portal, plane, clusters: the two on its sides, size: of its "
            "polygon in square units, corners), clusters (cluster, portals, neighbors: the cluster "
            "on the far side of each). Only the compilers of Source up to version 18 stored them; "
            "the lists of other maps are empty. Which clusters see each other is what query vis "
            "says of all maps.",
        .examples = {"bspkit query portals maps/source.bsp",
                     "bspkit query portals --csv maps/source.bsp -o portals.csv"},
        CLI_OPTIONS(point_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_openings_rows,
        .run = run_openings,
    },
    {
        .name = "query physics",
        .operands = "FILE",
        .summary = "Print what the physics engine collides with, as JSON",
        .description =
            "Keys: file, surface_props (names of surface properties that triangles have), solids "
            "(solid, kind, owner, index, contents, contents_names, surface_prop, pieces, "
            "triangles, mins, maxs). Each piece is convex. kind is static (brushes of the world), "
            "solid (of a brush model, whose number is owner and in whose space the box is), fluid, "
            "unnamed, displacement or prop. Only Source has such shapes.",
        .examples = {"bspkit query physics maps/source.bsp",
                     "bspkit query physics --csv maps/source.bsp -o solids.csv"},
        CLI_OPTIONS(point_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_physics_rows,
        .run = run_physics,
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
        .rows = &cli_query_contents_rows,
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
            "Indices are those of the map's records, -1 for none.\n\n"
            "--props lets static props and the models of entities stop a segment where the mask "
            "asks for them: static props as solid does; in Source, models of entities with solid "
            "and monster only (solid,monster,window with those that are seen through); in Quake 2 "
            "all with monster; in Quake and GoldSrc boxes such as misc_explobox, and monsters with "
            "--mask 0x2000000. Items stop nothing. With --json and --props also: prop (its number "
            "in query props), static_prop, hull (-1: its box), prop_model. Models that are missing "
            "are reported.",
        .examples = {"bspkit query trace maps/start.bsp <segments.tsv",
                     "echo 0 0 64 0 0 -4096 | bspkit query trace --json --all --props -g content "
                     "maps/source.bsp"},
        CLI_OPTIONS(trace_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_trace_rows,
        .run = run_trace,
    },
    {
        .name = "query sight",
        .operands = "FILE",
        .summary = "Print which points see each other, which are read from standard input",
        .description =
            "A line has two points, six numbers. For each a line gives 1 if nothing stands between "
            "them, and 0 if something does. What stops sight is what the game's own code takes: in "
            "Source solid, moveable and blocklos, so that windows and grates do not; in Quake 2 "
            "and 3 solid, slime and lava; in Jedi Academy opaque; in Quake and GoldSrc solid, and "
            "with --all not the glass of GoldSrc (a rendermode). --props lets props stop sight "
            "too: those that a mask asks for as in query trace, so static props of Source, and by "
            "default nothing in the other games. With --json: file, from, to, seen.",
        .examples = {"bspkit query sight maps/start.bsp <pairs.tsv",
                     "echo 0 0 64 512 0 64 | bspkit query sight --mask opaque,solid "
                     "maps/source.bsp"},
        CLI_OPTIONS(sight_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_sight_rows,
        .run = run_sight,
    },
    {
        .name = "query props",
        .operands = "FILE",
        .summary = "Print the models that stand in a map, as JSON",
        .description =
            "Keys: file, props (prop, kind: static or entity, number: of the map's static props or "
            "entities, class, model, origin, angles, scale, mins, maxs, light: factors of its "
            "textures where it looks up, solid: none, box or hulls, hulls: how many its model has, "
            "contents: which a mask meets it by, shown), missing (model, props: how many would "
            "show it, note). Items have fallen to the floor. "
            "Which models entities show stands in their keys, in the definitions of --fgd and of "
            "the game folders, and for the items and monsters of the classic games in a table.",
        .examples = {"bspkit query props -g extra maps/start.bsp",
                     "bspkit query props --csv -g content maps/source.bsp -o props.csv"},
        CLI_OPTIONS(props_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_props_rows,
        .run = run_props,
    },
    {
        .name = "query marks",
        .operands = "FILE",
        .summary = "Print the particles, sounds, cubemaps and projectors of a map, as JSON",
        .description =
            "Keys: file, marks (mark, kind: particles, sound, soundscape, cubemap or projector, "
            "entity, cubemap: number in the map's list, class, name, what: effect, sound, "
            "soundscape, material or texture, origin, angles, reach: in game units, 0 where it is "
            "not stated, model: the brush model that it fills). -1 stands for none. An export has "
            "them as nodes without a mesh.",
        .examples = {"bspkit query marks maps/source.bsp",
                     "bspkit query marks --csv maps/start.bsp -o marks.csv"},
        CLI_OPTIONS(point_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_marks_rows,
        .run = run_marks,
    },
    {
        .name = "query links",
        .operands = "FILE",
        .summary = "Print which entities of a map name which others",
        .description =
            "One link a line, with tabs between: the number and class of the entity that names, "
            "the key (target, parentname, OnPressed), the number and class of the one that is "
            "named, its targetname. With --json: file, links (entity, class, name, key, target, "
            "target_class, target_name). Names that no entity has make no link.",
        .examples = {"bspkit query links maps/source.bsp",
                     "bspkit query links --json maps/start.bsp"},
        CLI_OPTIONS(links_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_links_rows,
        .run = run_links,
    },
    {
        .name = "query nav",
        .operands = "FILE",
        .summary = "Print where bots can walk in a map, as JSON",
        .description =
            "Reads the navigation mesh (.nav) of Counter-Strike and the games of Source, versions "
            "5 to 16; those of Left 4 Dead are refused. Keys: file, nav, version, subversion, "
            "map_bytes, of_this_map (the map has that size), analyzed, num_areas, "
            "num_connections, num_spots, num_ladders, places, areas (area, id, flags, flag_names, "
            "place, corners: at -x -y, +x -y, +x +y, -x +y, connections: way and area or ladder, "
            "spots, visible: how many each), ladders (ladder, id, width, top, bottom, and the "
            "areas at its ends). North is -y. With --at: point, height (of the surface there), "
            "areas (that one, or none).",
        .examples = {"bspkit query nav --nav maps/source.nav maps/source.bsp",
                     "bspkit query nav --nav maps/source.nav --at 0,0,64 maps/source.bsp"},
        CLI_OPTIONS(nav_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .rows = &cli_query_nav_rows,
        .run = run_nav,
    },
    {
        .name = "query light",
        .operands = "X Y Z FILE",
        .summary = "Print the light at a point, as JSON",
        .description =
            "Keys: file, point, source (none, grid, cube, surface), ambient, and by source "
            "directed, direction, cube or face. With --lights also lights: light, type (surface, "
            "point, spot, sun, sky), style, origin, rgb (linear, 1 is full, as if nothing stood "
            "between), seen (how much of it reaches the point), direction, distance.",
        .examples = {"bspkit query light 0 0 64 maps/start.bsp",
                     "bspkit query light --lights --normal 0,0,1 0 0 64 maps/source.bsp"},
        CLI_OPTIONS(light_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .rows = &cli_query_light_rows,
        .run = run_light,
    },
    {
        .name = "query water",
        .operands = "X Y Z FILE",
        .summary = "Print the liquid at a point, as JSON",
        .description =
            "Keys: file, point, wet, and in a liquid contents, contents_names, surface and bottom "
            "(heights), depth, volume (Source: the record of its water, -1: none), material. "
            "Source, "
            "where the material is found in the map's pak or a --game folder: fog (enabled, color, "
            "start, end), what its $fogenable, $fogcolor, $fogstart and $fogend say of the view "
            "under water.",
        .examples = {"bspkit query water 0 0 64 maps/start.bsp",
                     "bspkit query water -128 64 -32 maps/source.bsp -g content"},
        CLI_COMMON_OPTIONS(water_options),
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .rows = &cli_query_water_rows,
        .run = run_water,
    },
    {
        .name = "query fog",
        .operands = "X Y Z FILE",
        .summary = "Print the fog at a point, as JSON",
        .description = "Keys: file, point, kind. kind is none; volume (Quake 3: fog, shader, "
                       "brush); range (Source: "
                       "entity, color, start, end, max_density, of the env_fog_controller that "
                       "holds there as the "
                       "map begins); or density (entity, color, density: fog of worldspawn in "
                       "Quake, env_fog in "
                       "GoldSrc).",
        .examples = {"bspkit query fog 0 0 64 maps/start.bsp",
                     "bspkit query fog 0 0 64 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .rows = &cli_query_fog_rows,
        .run = run_fog,
    },
    {
        .name = "query cubemap",
        .operands = "X Y Z FILE",
        .summary = "Print the cubemap that is nearest to a point, as JSON",
        .description =
            "Keys: file, point, cubemap (-1: none), origin, size (texels; 0: the compiler's), "
            "texture "
            "(its name in the embedded pak). bspkit textures --cubemaps writes its faces.",
        .examples = {"bspkit query cubemap 0 0 64 maps/start.bsp",
                     "bspkit query cubemap 0 0 64 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        .min_operands = 4,
        .max_operands = 4,
        .reads_maps = true,
        .reads = "---f",
        .takes_numbers = true,
        .rows = &cli_query_cubemap_rows,
        .run = run_cubemap,
    },
    {
        .name = "query face",
        .operands = "FACE FILE",
        .summary = "Print what is known about a face, as JSON",
        .description =
            "Keys: file, face, type, material, flags, normal, dist, corners, displacement, styles "
            "(style; Source: average, its mean light, linear). Source also: fog_volume and "
            "water_surface, of the surface of a water; macro_texture, which the light compiler "
            "multiplied with the light; light_page (Xbox: page, s, t, average); side "
            "(original_face, faces, corners), the whole side before the tree cut it.",
        .examples = {"bspkit query face 0 maps/start.bsp", "bspkit query face 12 maps/source.bsp"},
        CLI_OPTIONS(face_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 2,
        .max_operands = 2,
        .reads_maps = true,
        .reads = "-f",
        .takes_numbers = true,
        .run = run_face,
    },
    {
        .name = "query occluder",
        .operands = "FILE",
        .summary =
            "Print which occluder hides a box from an eye, which are read from standard input",
        .description =
            "A line has the eye and the two corners of a box, nine numbers. For each a line gives "
            "the "
            "number of the occluder (func_occluder of Source) of which one polygon hides the whole "
            "box, or -1. Those that begin inactive hide nothing. With --json: file, eye, mins, "
            "maxs, "
            "occluder.",
        .examples =
            {"bspkit query occluder maps/source.bsp <boxes.tsv",
             "echo 0 0 64 512 0 0 528 16 72 | bspkit query occluder --json maps/source.bsp"},
        CLI_OPTIONS(occluder_options, cli_query_options),
        .defaults = &defaults,
        .min_operands = 1,
        .max_operands = 1,
        .reads_maps = true,
        .run = run_occluder,
    },
};

const cli_command cli_command_query = {
    .name = "query",
    .group = CLI_GROUP_ASK,
    .summary = "Query a map's space: leaves, visibility, areas, contents, traces, sight, props, "
               "links, light, water, fog",
    .examples = {"bspkit query leaf 0 0 64 maps/start.bsp",
                 "bspkit query trace maps/start.bsp <segments.tsv"},
    CLI_VERBS(verbs),
};
