// SPDX-License-Identifier: MIT
// bspkit query face.
#include "cli/parts/json.h"
#include "cli/commands/query.h"

#include <stdlib.h>
#include <string.h>

static void json_corners(bsp_json *json, const bsp_map *map, uint32_t face) {
    uint32_t count = bsp_surface_corners(map, face, NULL, 0);
    bsp_surface_corner *corners = malloc(((size_t)count + 1) * sizeof *corners);
    cli_json_array(json, "corners");
    if (corners != NULL) {
        (void)bsp_surface_corners(map, face, corners, count);
        for (uint32_t i = 0; i < count; i++) {
            bsp_json_array(json);
            for (int k = 0; k < 3; k++) {
                bsp_json_float(json, corners[i].point[k]);
            }
            bsp_json_array_end(json);
        }
    }
    bsp_json_array_end(json);
    free(corners);
}

// The corners of a whole side, before the tree cut it: faces of the same kind in another array.
static void json_original(bsp_json *json, const bsp_map *map, uint32_t number) {
    if (number >= map->num_original_faces) {
        return;
    }
    bsp_map whole = *map;
    whole.faces = map->original_faces;
    whole.num_faces = map->num_original_faces;
    whole.num_face_lights = 0;
    whole.num_face_lights_hdr = 0;
    bsp_json_key(json, "side");
    bsp_json_object(json);
    cli_query_json_index(json, "original_face", number);
    cli_json_array(json, "faces");
    for (uint32_t i = 0; i < map->num_faces; i++) {
        if (map->faces[i].original == number) {
            bsp_json_uint(json, i);
        }
    }
    bsp_json_array_end(json);
    json_corners(json, &whole, number);
    bsp_json_object_end(json);
}

static void json_averages(bsp_json *json, const bsp_map *map, uint32_t face, bool hdr) {
    cli_json_array(json, "styles");
    for (uint32_t slot = 0; slot < 4 && face < map->num_face_lights; slot++) {
        float rgb[3];
        uint8_t style = map->face_lights[face].styles[slot];
        if (style == 255) {
            continue;
        }
        bsp_json_object(json);
        cli_json_uint(json, "style", style);
        if (bsp_query_face_light(map, face, slot, hdr, rgb)) {
            bsp_json_floats(json, "average", rgb, 3);
        }
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

// The water that fog is seen through on a face which is its surface.
static void json_water(bsp_json *json, const bsp_map *map, const bsp_face *face) {
    bool known = map->num_leaf_waters != 0;
    uint32_t volume = face->fog_volume < 0 ? BSP_NONE : (uint32_t)face->fog_volume;
    if (known && volume < map->num_leaf_waters) {
        cli_query_json_index(json, "fog_volume", volume);
        cli_json_float(json, "water_surface", map->leaf_waters[volume].surface_z);
    }
}

cli_status cli_query_face(const cli_input *input, const bsp_map *map) {
    static const char *const types[] = {"none", "polygon", "patch", "mesh", "flare", "foliage"};
    bsp_json json;
    int64_t number;
    float normal[3];
    float dist;
    const char *text = input->call->operands[0];
    text += strspn(text, " ");
    if (!bsp_parse_int(bsp_text_of(text), &number) || number < 0 || number >= map->num_faces) {
        cli_message(input->path, "there is no face '%s': there are %u", text,
                    (unsigned)map->num_faces);
        return CLI_USAGE;
    }
    const bsp_face *face = &map->faces[number];
    uint32_t material = bsp_surface_material(map, (uint32_t)number);
    cli_query_begin_json(input, &json);
    cli_query_json_index(&json, "face", (uint32_t)number);
    cli_json_string(&json, "type", face->type < 6 ? types[face->type] : "");
    bool has = material < map->num_materials;
    cli_json_text(&json, "material", has ? map->materials[material].name : (bsp_text){"", 0});
    cli_json_uint(&json, "flags", bsp_surface_flags(map, (uint32_t)number));
    if (bsp_surface_plane(map, (uint32_t)number, normal, &dist)) {
        bsp_json_floats(&json, "normal", normal, 3);
        cli_json_float(&json, "dist", dist);
    }
    json_corners(&json, map, (uint32_t)number);
    cli_query_json_index(&json, "displacement", face->displacement);
    json_averages(&json, map, (uint32_t)number, cli_query_options_of(input->call)->hdr);
    json_water(&json, map, face);
    json_original(&json, map, face->original);
    cli_query_end_json(input, &json);
    return CLI_DONE;
}
