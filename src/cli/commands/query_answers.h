// SPDX-License-Identifier: MIT
// What the answers of bspkit query share, and the answers.
#ifndef CLI_QUERY_ANSWERS_H
#define CLI_QUERY_ANSWERS_H

#include "cli/parts/input.h"
#include "cli/parts/portals.h"

/// The most numbers of a line.
#define CLI_QUERY_NUMBERS 12

/// The options of all verbs of bspkit query.
typedef struct cli_query_options {
    cli_common common;
    const char *mask;
    uint32_t model;
    bool all;
    bool props;         ///< models that stand there are solid too
    uint32_t hull;      ///< BSP_NONE: not given
    bool lights;        ///< list what each light adds
    bool hdr;           ///< the HDR light
    const char *normal; ///< of the surface that is lit
    const char *open;   ///< area portals
    const char *closed; ///< the same
    const char *nav;    ///< the navigation mesh; NULL: it is looked for
    const char *at;     ///< the point whose area is asked for
    bool points;        ///< the way as text, one point a line
} cli_query_options;

/// Returns the options of a call.
static inline const cli_query_options *cli_query_options_of(const cli_call *call) {
    return call->options;
}

/// Checks the operands and options of a verb, and answers it for its file. Prints an object, a
/// table or lines.
cli_status cli_query_run(const cli_call *call);

/// Prints which clusters are seen and heard from the cluster of the operand.
cli_status cli_query_vis(const cli_input *input, const bsp_map *map);

/// Prints contents and leaf of the points of standard input.
cli_status cli_query_contents(const cli_input *input, const bsp_map *map);

/// Traces the segments of standard input.
cli_status cli_query_trace(const cli_input *input, const bsp_map *map);

/// Finds the ways between areas in the state that --open and --closed give, as cli_portals_find.
cli_status cli_query_portals(const cli_input *input, const bsp_map *map, cli_portals *portals);

/// Prints the areas and the ways between them.
cli_status cli_query_areas(const cli_input *input, const bsp_map *map);

/// Prints the way out of a map that leaks.
cli_status cli_query_leak(const cli_input *input, const bsp_map *map);

/// Prints the openings between clusters, and the neighbours of each cluster.
cli_status cli_query_openings(const cli_input *input, const bsp_map *map);

/// Prints the solids of the physics shapes.
cli_status cli_query_physics(const cli_input *input, const bsp_map *map);

/// Reads the operands X Y Z. Returns false after a message.
bool cli_query_point(const cli_call *call, float point[3]);

/// Print what is at the point of the operands.
cli_status cli_query_leaf(const cli_input *input, const bsp_map *map);
cli_status cli_query_water(const cli_input *input, const bsp_map *map);
cli_status cli_query_face(const cli_input *input, const bsp_map *map); ///< of its number
cli_status cli_query_fog(const cli_input *input, const bsp_map *map);
cli_status cli_query_cubemap(const cli_input *input, const bsp_map *map);

/// Writes the fog that the material of a water's surface states, where the material is found.
void cli_query_json_water_fog(const cli_input *input, bsp_json *json, const bsp_map *map,
                              uint32_t material);

/// Reads --normal, if it is given. Returns false after a message.
bool cli_query_normal(const cli_call *call, float normal[3]);
/// Prints the light at the point of the operands.
cli_status cli_query_light(const cli_input *input, const bsp_map *map);

/// Answers lines of an eye and a box of standard input: which occluder hides it?
cli_status cli_query_occluder(const cli_input *input, const bsp_map *map);

/// Answers the pairs of points of standard input: is there a line of sight between them?
cli_status cli_query_sight(const cli_input *input, const bsp_map *map);

/// Prints the models that stand in the map.
cli_status cli_query_props(const cli_input *input, const bsp_map *map);

/// Prints the places that have no mesh.
cli_status cli_query_marks(const cli_input *input, const bsp_map *map);
/// Prints which entities name others.
cli_status cli_query_links(const cli_input *input, const bsp_map *map);

/// Reads --at, if it is given. Returns false after a message.
bool cli_query_at(const cli_call *call, float point[3]);
/// Prints the navigation mesh of the map.
cli_status cli_query_nav(const cli_input *input, const bsp_map *map);

/// Reads --mask: a number, or names of flags separated by commas, blanks or bars; 0 without it.
/// Returns false after a message.
bool cli_query_mask(const cli_input *input, const bsp_map *map, uint32_t *mask);

/// Reads the next line of standard input with numbers; `what` names its content, for messages.
/// Returns false at the end, or after a message with *bad set.
bool cli_query_next_line(const char *what, int *line, float numbers[CLI_QUERY_NUMBERS], int *count,
                         bool *bad);

/// Prints contents as text: hexadecimal flags, or a signed number in maps of Quake and GoldSrc.
void cli_query_print_contents(cli_output *output, const bsp_map *map, int32_t contents);

/// Begins the object of a result, with the map's path.
void cli_query_begin_json(const cli_input *input, bsp_json *json);
/// Ends the object and its line.
void cli_query_end_json(const cli_input *input, bsp_json *json);
/// Writes an index, or -1 for none, as files have it.
void cli_query_json_index(bsp_json *json, const char *key, uint32_t value);
/// Writes contents as a number: flags are positive, contents of Quake and GoldSrc negative.
void cli_query_json_contents(bsp_json *json, const bsp_map *map, int32_t contents);
/// Writes the names of contents flags; none where contents are numbers.
void cli_query_json_names(bsp_json *json, const bsp_map *map, int32_t contents);

/// The tables of the verbs (query_tables.c).
extern const cli_row_form cli_query_leaf_rows, cli_query_vis_rows, cli_query_areas_rows,
    cli_query_physics_rows, cli_query_contents_rows, cli_query_trace_rows, cli_query_solid_rows,
    cli_query_props_rows, cli_query_sight_rows, cli_query_light_rows, cli_query_water_rows,
    cli_query_fog_rows, cli_query_cubemap_rows, cli_query_openings_rows, cli_query_marks_rows,
    cli_query_links_rows, cli_query_nav_rows;

#endif
