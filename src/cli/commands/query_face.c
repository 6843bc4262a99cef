// SPDX-License-Identifier: MIT
// bspkit query face.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_AVERAGE 3 // the field of dlightmappageinfo_t, after page, offset and padding

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
        if (style == BSP_NO_STYLE) {
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

// An entry of the string table: an offset into the strings.
static bsp_text string_of(const bsp_file *file, const bsp_table *offsets, int64_t number) {
    bsp_bytes all;
    uint32_t lump = bsp_file_find_id(file, BSP_ID_STRING_DATA);
    if (number >= offsets->count || lump == BSP_NONE || !bsp_file_data(file, lump, &all, NULL)) {
        return (bsp_text){"", 0};
    }
    int64_t at = bsp_table_int(offsets, (uint32_t)number, 0, 0);
    if (at < 0 || (uint64_t)at >= all.size) {
        return (bsp_text){"", 0};
    }
    const char *start = (const char *)all.data + at;
    size_t room = all.size - (size_t)at;
    const char *end = memchr(start, '\0', room);
    return (bsp_text){start, end == NULL ? room : (size_t)(end - start)};
}

// The texture that the light compiler multiplied with the light of the face.
static void json_macro(bsp_json *json, const bsp_file *file, uint32_t face) {
    bsp_parts parts;
    bsp_parts strings;
    bsp_table table;
    bsp_table offsets;
    if (!bsp_file_table(file, BSP_ID_MACRO_TEXTURES, &parts, &table)) {
        return;
    }
    int64_t number = face < table.count ? bsp_table_int(&table, face, 0, 0) : -1;
    if (number >= 0 && bsp_file_table(file, BSP_ID_STRING_TABLE, &strings, &offsets)) {
        cli_json_text(json, "macro_texture", string_of(file, &offsets, number));
        bsp_parts_free(&strings);
    }
    bsp_parts_free(&parts);
}

// Xbox: where the light of the face lies on a page, and its average in linear light.
static void json_page(bsp_json *json, const bsp_file *file, uint32_t face) {
    bsp_parts parts;
    bsp_table table;
    if (!bsp_file_table(file, BSP_ID_LIGHTMAP_PAGE_INFOS, &parts, &table)) {
        return;
    }
    if (face < table.count) {
        float rgb[3];
        int64_t exponent = bsp_table_int(&table, face, PAGE_AVERAGE, 3);
        for (uint32_t c = 0; c < 3; c++) {
            int64_t value = bsp_table_int(&table, face, PAGE_AVERAGE, c);
            rgb[c] =
                ldexpf((float)value / 255, exponent < 128 ? (int)exponent : (int)exponent - 256);
        }
        bsp_json_key(json, "light_page");
        bsp_json_object(json);
        cli_json_uint(json, "page", (uint64_t)bsp_table_int(&table, face, 0, 0));
        cli_json_uint(json, "s", (uint64_t)bsp_table_int(&table, face, 1, 0));
        cli_json_uint(json, "t", (uint64_t)bsp_table_int(&table, face, 1, 1));
        bsp_json_floats(json, "average", rgb, 3);
        bsp_json_object_end(json);
    }
    bsp_parts_free(&parts);
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
    json_macro(&json, input->file, (uint32_t)number);
    json_page(&json, input->file, (uint32_t)number);
    json_original(&json, map, face->original);
    cli_query_end_json(input, &json);
    return CLI_DONE;
}
