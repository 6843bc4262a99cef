// SPDX-License-Identifier: MIT
// bspkit query physics: the solids of the physics shapes.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

static const char *const kinds[] = {"static", "solid", "fluid", "unnamed", "displacement", "prop"};

static void json_box(bsp_json *json, const bsp_physics *physics, const bsp_physics_solid *solid) {
    float box[2][3] = {{0, 0, 0}, {0, 0, 0}};
    bool first = true;
    for (uint32_t i = 0; i < solid->num_pieces; i++) {
        const bsp_physics_piece *piece = &physics->pieces[solid->first_piece + i];
        for (uint32_t p = 0; p < piece->num_points; p++, first = false) {
            const float *at = physics->points[piece->first_point + p];
            for (int axis = 0; axis < 3; axis++) {
                box[0][axis] = first || at[axis] < box[0][axis] ? at[axis] : box[0][axis];
                box[1][axis] = first || at[axis] > box[1][axis] ? at[axis] : box[1][axis];
            }
        }
    }
    bsp_json_floats(json, "mins", box[0], 3);
    bsp_json_floats(json, "maxs", box[1], 3);
}

static void json_solid(bsp_json *json, const bsp_map *map, const bsp_physics *physics,
                       uint32_t number) {
    const bsp_physics_solid *solid = &physics->solids[number];
    uint32_t triangles = 0;
    for (uint32_t i = 0; i < solid->num_pieces; i++) {
        triangles += physics->pieces[solid->first_piece + i].num_indices / 3;
    }
    bsp_json_object(json);
    cli_json_uint(json, "solid", number);
    cli_json_string(json, "kind", kinds[solid->kind]);
    cli_json_uint(json, "owner", solid->owner);
    cli_json_uint(json, "index", solid->index);
    cli_query_json_contents(json, map, (int32_t)solid->contents);
    cli_query_json_names(json, map, (int32_t)solid->contents);
    cli_json_text(json, "surface_prop", solid->surface_prop);
    cli_json_uint(json, "pieces", solid->num_pieces);
    cli_json_uint(json, "triangles", triangles);
    json_box(json, physics, solid);
    bsp_json_object_end(json);
}

cli_status cli_query_physics(const cli_input *input, const bsp_map *map) {
    bsp_error error;
    bsp_json json;
    bsp_physics *physics = bsp_physics_build(map, input->file, NULL, &error);
    if (physics == NULL) {
        return cli_report(input->path, &error);
    }
    cli_query_begin_json(input, &json);
    cli_json_array(&json, "surface_props");
    for (uint32_t i = 1; i < physics->num_surface_props; i++) {
        bsp_json_text(&json, physics->surface_props[i]);
    }
    bsp_json_array_end(&json);
    cli_json_array(&json, "solids");
    for (uint32_t i = 0; i < physics->num_solids; i++) {
        json_solid(&json, map, physics, i);
    }
    bsp_json_array_end(&json);
    cli_query_end_json(input, &json);
    bsp_physics_free(physics);
    return CLI_DONE;
}
