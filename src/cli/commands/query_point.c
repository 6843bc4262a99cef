// SPDX-License-Identifier: MIT
// What is at a point: bspkit query leaf, water, fog and cubemap.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_query_point(const cli_call *call, float point[3]) {
    for (int i = 0; i < 3; i++) {
        const char *text = call->operands[i];
        if (!bsp_parse_float(bsp_text_of(text), &point[i])) {
            cli_message(call->command->name, "'%s' is no number", text);
            return false;
        }
    }
    return true;
}

// Begins an answer about the point of the operands, which the command has checked.
static void begin(const cli_input *input, bsp_json *json, float point[3]) {
    (void)cli_query_point(input->call, point);
    cli_query_begin_json(input, json);
    bsp_json_floats(json, "point", point, 3);
}

static void json_material(bsp_json *json, const bsp_map *map, uint32_t material) {
    bool has = material < map->num_materials;
    cli_json_text(json, "material", has ? map->materials[material].name : (bsp_text){"", 0});
}

// --- leaves --------------------------------------------------------------------------------------

// The loudness of what sounds in all directions, as the compiler's visibility left it.
static void json_sounds(bsp_json *json, const bsp_leaf *leaf) {
    static const char *const names[] = {"water", "sky", "slime", "lava"};
    bsp_json_key(json, "sounds");
    bsp_json_object(json);
    for (int i = 0; i < 4; i++) {
        cli_json_uint(json, names[i], leaf->ambient[i]);
    }
    bsp_json_object_end(json);
}

static void json_flags(bsp_json *json, const bsp_map *map, const bsp_leaf *leaf) {
    cli_json_uint(json, "flags", leaf->flags);
    cli_json_array(json, "flag_names");
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t flag = leaf->flags & (1u << bit);
        const char *name = flag == 0 ? NULL : bsp_query_leaf_flag_name(map->branch, flag);
        if (name != NULL) {
            bsp_json_string(json, name);
        }
    }
    bsp_json_array_end(json);
}

static void json_volume(bsp_json *json, const bsp_map *map, uint32_t number) {
    const bsp_leaf *leaf = &map->leaves[number];
    cli_query_json_index(json, "water", leaf->water);
    if (leaf->water < map->num_leaf_waters) {
        cli_json_float(json, "water_surface", map->leaf_waters[leaf->water].surface_z);
        cli_json_float(json, "water_bottom", map->leaf_waters[leaf->water].min_z);
    }
    if (number < map->num_leaf_water_dists) {
        cli_json_uint(json, "water_distance", map->leaf_water_dists[number]);
    }
}

static void json_props(bsp_json *json, const bsp_map *map, uint32_t leaf) {
    uint32_t count = bsp_query_leaf_props(map, leaf, NULL, 0);
    uint32_t *props = malloc(((size_t)count + 1) * sizeof *props);
    uint32_t details = 0;
    if (props != NULL) {
        (void)bsp_query_leaf_props(map, leaf, props, count);
    }
    cli_json_array(json, "static_props");
    for (uint32_t i = 0; props != NULL && i < count; i++) {
        bsp_json_uint(json, props[i]);
    }
    bsp_json_array_end(json);
    free(props);
    for (uint32_t i = 0; i < map->num_detail_props; i++) {
        details += map->detail_props[i].leaf == leaf ? 1 : 0;
    }
    cli_json_uint(json, "detail_props", details);
}

cli_status cli_query_leaf(const cli_input *input, const bsp_map *map) {
    float point[3];
    bsp_json json;
    if (map->num_leaves == 0) {
        cli_message(input->path, "the map has no leaves");
    }
    begin(input, &json, point);
    uint32_t number = bsp_query_leaf(map, point);
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
        if (map->traits->contents_numbers) {
            json_sounds(&json, leaf);
        }
        if (bsp_query_leaf_flag_name(map->branch, 1) != NULL) {
            json_flags(&json, map, leaf);
            json_volume(&json, map, number);
            json_props(&json, map, number);
        }
    }
    cli_query_end_json(input, &json);
    return CLI_DONE;
}

// --- liquids, fog, cubemaps ----------------------------------------------------------------------

cli_status cli_query_water(const cli_input *input, const bsp_map *map) {
    float point[3];
    bsp_json json;
    bsp_water water;
    begin(input, &json, point);
    bool wet = bsp_query_water(map, point, &water);
    cli_json_bool(&json, "wet", wet);
    if (wet) {
        cli_query_json_contents(&json, map, water.contents);
        cli_query_json_names(&json, map, water.contents);
        cli_json_float(&json, "surface", water.surface);
        cli_json_float(&json, "bottom", water.bottom);
        cli_json_float(&json, "depth", water.depth);
        cli_query_json_index(&json, "volume", water.volume);
        json_material(&json, map, water.material);
        cli_query_json_water_fog(input, &json, map, water.material);
    }
    cli_query_end_json(input, &json);
    return CLI_DONE;
}

static void json_fog(bsp_json *json, const bsp_map *map, const bsp_fog_here *fog) {
    if (fog->kind == BSP_FOG_VOLUME) {
        const bsp_fog *volume = &map->fogs[fog->fog];
        size_t length = 0;
        while (length < sizeof volume->name && volume->name[length] != '\0') {
            length++;
        }
        cli_query_json_index(json, "fog", fog->fog);
        cli_json_text(json, "shader", (bsp_text){volume->name, length});
        cli_query_json_index(json, "brush", volume->brush);
        return;
    }
    cli_query_json_index(json, "entity", fog->entity);
    bsp_json_floats(json, "color", fog->color, 3);
    if (fog->kind == BSP_FOG_RANGE) {
        cli_json_float(json, "start", fog->start);
        cli_json_float(json, "end", fog->end);
        cli_json_float(json, "max_density", fog->max_density);
    } else {
        cli_json_float(json, "density", fog->density);
    }
}

cli_status cli_query_fog(const cli_input *input, const bsp_map *map) {
    static const char *const kinds[] = {"none", "volume", "range", "density"};
    float point[3];
    bsp_json json;
    bsp_fog_here fog;
    begin(input, &json, point);
    bool foggy = bsp_query_fog(map, point, &fog);
    cli_json_string(&json, "kind", kinds[fog.kind]);
    if (foggy) {
        json_fog(&json, map, &fog);
    }
    cli_query_end_json(input, &json);
    return CLI_DONE;
}

// Writes the name of the texture in the pak whose name ends in the place: "c1_-2_3.vtf".
static void json_texture(bsp_json *json, const cli_input *input, const bsp_cubemap *cubemap) {
    char name[64];
    int length = snprintf(name, sizeof name, "/c%d_%d_%d.vtf", (int)cubemap->origin[0],
                          (int)cubemap->origin[1], (int)cubemap->origin[2]);
    bsp_pak *pak = bsp_file_pak(input->file, NULL, NULL);
    bsp_text found = {"", 0};
    for (uint32_t i = 0; pak != NULL && i < pak->count; i++) {
        bsp_text entry = pak->entries[i].name;
        size_t size = (size_t)length;
        if (entry.size >= size && memcmp(entry.data + entry.size - size, name, size) == 0) {
            found = entry;
        }
    }
    cli_json_text(json, "texture", found);
    bsp_pak_close(pak);
}

// Cubemaps without a size of their own have that of the compiler, which the map does not state.
cli_status cli_query_cubemap(const cli_input *input, const bsp_map *map) {
    float point[3];
    bsp_json json;
    begin(input, &json, point);
    uint32_t number = bsp_query_cubemap(map, point);
    cli_query_json_index(&json, "cubemap", number);
    if (number != BSP_NONE) {
        const bsp_cubemap *cubemap = &map->cubemaps[number];
        const float origin[3] = {(float)cubemap->origin[0], (float)cubemap->origin[1],
                                 (float)cubemap->origin[2]};
        bsp_json_floats(&json, "origin", origin, 3);
        cli_json_uint(&json, "size",
                      cubemap->size == 0 || cubemap->size > 31 ? 0 : 1u << (cubemap->size - 1));
        json_texture(&json, input, cubemap);
    }
    cli_query_end_json(input, &json);
    return CLI_DONE;
}
