// SPDX-License-Identifier: MIT
// bspkit query: questions about a map's space: one on the command line, or many points or segments
// from standard input, one per line. The verbs and their options are here; query_question.c says
// what each verb reads and who answers it, and each answer has a file of its own.
#include "cli/commands/query_answers.h"
#include "cli/parts/commands.h"
#include "cli/parts/defined.h"
#include "cli/parts/game.h"
#include "cli/parts/patch.h"

static const cli_query_options defaults = {.hull = BSP_NONE};

// --- options ------------------------------------------------------------------------------------

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

// --- verbs --------------------------------------------------------------------------------------

#define OPTIONS(list) CLI_OPTIONS(list, cli_query_options), .defaults = &defaults

// What a verb asks about: the whole map, something with a number, or a point; its file is last.
#define OF_MAP .min_operands = 1, .max_operands = 1, .reads_maps = true, .run = cli_query_run
#define OF_NUMBER                                                                                  \
    .min_operands = 2, .max_operands = 2, .reads_maps = true, .reads = "-f",                       \
    .takes_numbers = true, .run = cli_query_run
#define OF_POINT                                                                                   \
    .min_operands = 4, .max_operands = 4, .reads_maps = true, .reads = "---f",                     \
    .takes_numbers = true, .run = cli_query_run

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
        OF_POINT,
        .rows = &cli_query_leaf_rows,
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
        OPTIONS(areas_options),
        OF_NUMBER,
        .rows = &cli_query_vis_rows,
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
        OPTIONS(areas_options),
        OF_MAP,
        .rows = &cli_query_areas_rows,
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
            "that leaks; a map without leaves is refused. Solid stops the way, and in Quake and "
            "GoldSrc the sky.",
        .examples = {"bspkit query leak maps/start.bsp",
                     "bspkit query leak --points maps/start.bsp -o start.pts"},
        OPTIONS(leak_options),
        OF_MAP,
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
        OPTIONS(point_options),
        OF_MAP,
        .rows = &cli_query_openings_rows,
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
        OPTIONS(point_options),
        OF_MAP,
        .rows = &cli_query_physics_rows,
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
        OPTIONS(contents_options),
        OF_MAP,
        .rows = &cli_query_contents_rows,
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
        OPTIONS(trace_options),
        OF_MAP,
        .rows = &cli_query_trace_rows,
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
        OPTIONS(sight_options),
        OF_MAP,
        .rows = &cli_query_sight_rows,
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
            "show it, note). Items have fallen to the floor. Which models entities show stands in "
            "their keys, in the definitions of --fgd and of the game folders, and for the items "
            "and monsters of the classic games in a table.",
        .examples = {"bspkit query props -g extra maps/start.bsp",
                     "bspkit query props --csv -g content maps/source.bsp -o props.csv"},
        OPTIONS(props_options),
        OF_MAP,
        .rows = &cli_query_props_rows,
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
        OPTIONS(point_options),
        OF_MAP,
        .rows = &cli_query_marks_rows,
    },
    {
        .name = "query links",
        .operands = "FILE",
        .summary = "Print which entities of a map name which others",
        .description =
            "One link a line, with tabs between: the number and class of the entity that names, "
            "the key (target, parentname, OnPressed), the number and class of the one that is "
            "named, its targetname. With --json: file, links (entity, class, name, key, target, "
            "target_class, target_name), cut (whether there are more: 16384 are kept, and two for "
            "each pair of the entities). Names that no entity has make no link.",
        .examples = {"bspkit query links maps/source.bsp",
                     "bspkit query links --json maps/start.bsp"},
        OPTIONS(links_options),
        OF_MAP,
        .rows = &cli_query_links_rows,
    },
    {
        .name = "query nav",
        .operands = "FILE",
        .summary = "Print where bots can walk in a map, as JSON",
        .description =
            "Reads the navigation mesh (.nav) of Counter-Strike and the games of Source, versions "
            "5 to 16. Keys: file, nav, version, subversion, map_bytes, of_this_map (the map has "
            "that size), analyzed, population (of Left 4 Dead), num_areas, num_connections, "
            "num_spots, num_ladders, places, areas (area, id, flags, flag_names, spawn_flags, "
            "spawn_names (of Left 4 Dead), place, corners: at -x -y, +x -y, +x +y, -x +y, "
            "connections: way and area or ladder, spots, visible: how many each), ladders (ladder, "
            "id, width, top, bottom, and the areas at its ends). North is -y. With --at: point, "
            "height (of the surface there), areas (that one, or none).",
        .examples = {"bspkit query nav --nav maps/source.nav maps/source.bsp",
                     "bspkit query nav --nav maps/source.nav --at 0,0,64 maps/source.bsp"},
        OPTIONS(nav_options),
        OF_MAP,
        .rows = &cli_query_nav_rows,
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
        OPTIONS(light_options),
        OF_POINT,
        .rows = &cli_query_light_rows,
    },
    {
        .name = "query water",
        .operands = "X Y Z FILE",
        .summary = "Print the liquid at a point, as JSON",
        .description =
            "Keys: file, point, wet, and in a liquid contents, contents_names, surface and bottom "
            "(heights), depth, volume (Source: the record of its water, -1: none), material. "
            "Source, where the material is found in the map's pak or a --game folder: fog "
            "(enabled, color, start, end), what its $fogenable, $fogcolor, $fogstart and $fogend "
            "say of the view under water.",
        .examples = {"bspkit query water 0 0 64 maps/start.bsp",
                     "bspkit query water -128 64 -32 maps/source.bsp -g content"},
        CLI_COMMON_OPTIONS(water_options),
        OF_POINT,
        .rows = &cli_query_water_rows,
    },
    {
        .name = "query fog",
        .operands = "X Y Z FILE",
        .summary = "Print the fog at a point, as JSON",
        .description = "Keys: file, point, kind. kind is none; volume (Quake 3: fog, shader, "
                       "brush); range (Source: entity, color, start, end, max_density, of the "
                       "env_fog_controller that holds there as the map begins); or density "
                       "(entity, color, density: fog of worldspawn in Quake, env_fog in GoldSrc).",
        .examples = {"bspkit query fog 0 0 64 maps/start.bsp",
                     "bspkit query fog 0 0 64 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        OF_POINT,
        .rows = &cli_query_fog_rows,
    },
    {
        .name = "query cubemap",
        .operands = "X Y Z FILE",
        .summary = "Print the cubemap that is nearest to a point, as JSON",
        .description =
            "Keys: file, point, cubemap (-1: none), origin, size (texels; 0: the compiler's), "
            "texture (its name in the embedded pak). bspkit textures --cubemaps writes its faces.",
        .examples = {"bspkit query cubemap 0 0 64 maps/start.bsp",
                     "bspkit query cubemap 0 0 64 maps/source.bsp"},
        CLI_COMMON_OPTIONS(point_options),
        OF_POINT,
        .rows = &cli_query_cubemap_rows,
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
        OPTIONS(face_options),
        OF_NUMBER,
    },
    {
        .name = "query occluder",
        .operands = "FILE",
        .summary =
            "Print which occluder hides a box from an eye, which are read from standard input",
        .description =
            "A line has the eye and the two corners of a box, nine numbers. For each a line gives "
            "the number of the occluder (func_occluder of Source) of which one polygon hides the "
            "whole box, or -1. Those that begin inactive hide nothing. With --json: file, eye, "
            "mins, maxs, occluder.",
        .examples =
            {"bspkit query occluder maps/source.bsp <boxes.tsv",
             "echo 0 0 64 512 0 0 528 16 72 | bspkit query occluder --json maps/source.bsp"},
        OPTIONS(occluder_options),
        OF_MAP,
    },
};

const cli_command cli_command_query = {
    .name = "query",
    .group = CLI_GROUP_ASK,
    .summary = "Query a map's space: leaves, sight, traces, light and others",
    .examples = {"bspkit query leaf 0 0 64 maps/start.bsp",
                 "bspkit query trace maps/start.bsp <segments.tsv"},
    CLI_VERBS(verbs),
};
