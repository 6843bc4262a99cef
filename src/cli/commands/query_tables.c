// SPDX-License-Identifier: MIT
// What --csv and --tsv make of the queries' JSON.
#include "cli/commands/query_answers.h"

static const char *const leaf_columns[] = {"file",
                                           CLI_ROWS_VECTOR("point"),
                                           "leaf",
                                           "cluster",
                                           "area",
                                           "contents",
                                           CLI_ROWS_VECTOR("mins"),
                                           CLI_ROWS_VECTOR("maxs"),
                                           "faces",
                                           "brushes",
                                           "sounds.water",
                                           "sounds.sky",
                                           "sounds.slime",
                                           "sounds.lava",
                                           "flags",
                                           "flag_names.*",
                                           "water",
                                           "water_surface",
                                           "water_bottom",
                                           "water_distance",
                                           "static_props.*",
                                           "detail_props",
                                           "error",
                                           NULL};
static const char *const vis_columns[] = {"file",      "cluster", "clusters", "visible.*",
                                          "audible.*", "error",   NULL};
static const char *const contents_columns[] = {
    "file", CLI_ROWS_VECTOR("point"), "contents", "contents_names.*", "leaf", "error", NULL};
#define TRACE_COLUMNS                                                                              \
    "file", CLI_ROWS_VECTOR("from"), CLI_ROWS_VECTOR("to"), CLI_ROWS_VECTOR("mins"),               \
        CLI_ROWS_VECTOR("maxs"), "fraction", CLI_ROWS_VECTOR("end"), CLI_ROWS_VECTOR("normal"),    \
        "dist", "start_solid", "all_solid", "left_solid", "contents", "contents_names.*",          \
        "surface_flags", "plane", "brush", "side", "face", "entity", "material"
static const char *const trace_columns[] = {TRACE_COLUMNS, "error", NULL};
static const char *const solid_columns[] = {TRACE_COLUMNS, "prop",  "static_prop", "hull",
                                            "prop_model",  "error", NULL};
static const char *const light_columns[] = {"file",
                                            CLI_ROWS_VECTOR("point"),
                                            "source",
                                            CLI_ROWS_VECTOR("ambient"),
                                            CLI_ROWS_VECTOR("directed"),
                                            CLI_ROWS_VECTOR("direction"),
                                            CLI_ROWS_VECTOR("cube.0"),
                                            CLI_ROWS_VECTOR("cube.1"),
                                            CLI_ROWS_VECTOR("cube.2"),
                                            CLI_ROWS_VECTOR("cube.3"),
                                            CLI_ROWS_VECTOR("cube.4"),
                                            CLI_ROWS_VECTOR("cube.5"),
                                            "face",
                                            "error",
                                            NULL};

static const char *const areas_columns[] = {"file",
                                            "portals[].key",
                                            "portals[].areas.0",
                                            "portals[].areas.1",
                                            "portals[].open",
                                            "portals[].entity",
                                            "portals[].class",
                                            "portals[].name",
                                            CLI_ROWS_VECTOR("portals[].mins"),
                                            CLI_ROWS_VECTOR("portals[].maxs"),
                                            "error",
                                            NULL};
static const char *const openings_columns[] = {"file",
                                               "portals[].portal",
                                               "portals[].plane",
                                               "portals[].clusters.0",
                                               "portals[].clusters.1",
                                               "portals[].size",
                                               "error",
                                               NULL};
static const char *const physics_columns[] = {"file",
                                              "solids[].solid",
                                              "solids[].kind",
                                              "solids[].owner",
                                              "solids[].index",
                                              "solids[].contents",
                                              "solids[].contents_names.*",
                                              "solids[].surface_prop",
                                              "solids[].pieces",
                                              "solids[].triangles",
                                              CLI_ROWS_VECTOR("solids[].mins"),
                                              CLI_ROWS_VECTOR("solids[].maxs"),
                                              "error",
                                              NULL};
static const char *const sight_columns[] = {
    "file", CLI_ROWS_VECTOR("from"), CLI_ROWS_VECTOR("to"), "seen", "error", NULL};

static const char *const water_columns[] = {"file",
                                            CLI_ROWS_VECTOR("point"),
                                            "wet",
                                            "contents",
                                            "contents_names.*",
                                            "surface",
                                            "bottom",
                                            "depth",
                                            "volume",
                                            "material",
                                            "fog.enabled",
                                            CLI_ROWS_VECTOR("fog.color"),
                                            "fog.start",
                                            "fog.end",
                                            "error",
                                            NULL};
static const char *const fog_columns[] = {"file",        CLI_ROWS_VECTOR("point"),
                                          "kind",        "fog",
                                          "shader",      "brush",
                                          "entity",      CLI_ROWS_VECTOR("color"),
                                          "start",       "end",
                                          "max_density", "density",
                                          "error",       NULL};
static const char *const cubemap_columns[] = {"file",    CLI_ROWS_VECTOR("point"),
                                              "cubemap", CLI_ROWS_VECTOR("origin"),
                                              "size",    "texture",
                                              "error",   NULL};

static const char *const props_columns[] = {"file",
                                            "props[].prop",
                                            "props[].kind",
                                            "props[].number",
                                            "props[].class",
                                            "props[].model",
                                            CLI_ROWS_VECTOR("props[].origin"),
                                            CLI_ROWS_VECTOR("props[].angles"),
                                            "props[].scale",
                                            CLI_ROWS_VECTOR("props[].mins"),
                                            CLI_ROWS_VECTOR("props[].maxs"),
                                            CLI_ROWS_VECTOR("props[].light"),
                                            "props[].solid",
                                            "props[].hulls",
                                            "props[].contents",
                                            "props[].shown",
                                            "error",
                                            NULL};

static const char *const marks_columns[] = {"file",
                                            "marks[].mark",
                                            "marks[].kind",
                                            "marks[].entity",
                                            "marks[].cubemap",
                                            "marks[].class",
                                            "marks[].name",
                                            "marks[].what",
                                            CLI_ROWS_VECTOR("marks[].origin"),
                                            CLI_ROWS_VECTOR("marks[].angles"),
                                            "marks[].reach",
                                            "marks[].model",
                                            "error",
                                            NULL};
static const char *const links_columns[] = {
    "file",           "links[].entity",       "links[].class",       "links[].name", "links[].key",
    "links[].target", "links[].target_class", "links[].target_name", "error",        NULL};
static const char *const nav_columns[] = {"file",
                                          "nav",
                                          "areas[].area",
                                          "areas[].id",
                                          "areas[].flags",
                                          "areas[].flag_names.*",
                                          "areas[].place",
                                          CLI_ROWS_VECTOR("areas[].corners.0"),
                                          CLI_ROWS_VECTOR("areas[].corners.1"),
                                          CLI_ROWS_VECTOR("areas[].corners.2"),
                                          CLI_ROWS_VECTOR("areas[].corners.3"),
                                          "areas[].spots",
                                          "areas[].visible",
                                          "error",
                                          NULL};

const cli_row_form cli_query_leaf_rows = {"", leaf_columns};
const cli_row_form cli_query_vis_rows = {"", vis_columns};
const cli_row_form cli_query_contents_rows = {"", contents_columns};
const cli_row_form cli_query_trace_rows = {"", trace_columns};
const cli_row_form cli_query_solid_rows = {"", solid_columns};
const cli_row_form cli_query_props_rows = {"props[]", props_columns};
const cli_row_form cli_query_marks_rows = {"marks[]", marks_columns};
const cli_row_form cli_query_links_rows = {"links[]", links_columns};
const cli_row_form cli_query_nav_rows = {"areas[]", nav_columns};
const cli_row_form cli_query_light_rows = {"", light_columns};
const cli_row_form cli_query_areas_rows = {"portals[]", areas_columns};
const cli_row_form cli_query_openings_rows = {"portals[]", openings_columns};
const cli_row_form cli_query_physics_rows = {"solids[]", physics_columns};
const cli_row_form cli_query_sight_rows = {"", sight_columns};
const cli_row_form cli_query_water_rows = {"", water_columns};
const cli_row_form cli_query_fog_rows = {"", fog_columns};
const cli_row_form cli_query_cubemap_rows = {"", cubemap_columns};
