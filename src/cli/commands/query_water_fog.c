// SPDX-License-Identifier: MIT
// The fog under water, which the material of its surface states in Source: $fogenable, $fogcolor,
// $fogstart and $fogend.
#include "cli/parts/game.h"
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

#include <stdio.h>
#include <string.h>

// Reads the material from the game folders and the map's own pak. NULL where it is not found.
static bsp_vmt *read_material(const cli_input *input, const bsp_map *map, bsp_text name,
                              bsp_search **search, bsp_blob *blob) {
    char path[512];
    *search = cli_open_search(input->call, NULL);
    int size = snprintf(path, sizeof path, "materials/%.*s.vmt", (int)name.size, name.data);
    if (*search == NULL || name.size > 256 || size < 0 ||
        (map->pak.size != 0 && !bsp_search_add_memory(*search, "map", map->pak, NULL)) ||
        !bsp_search_read(*search, bsp_text_of(path), blob, NULL)) {
        return NULL;
    }
    return bsp_vmt_parse((bsp_text){(const char *)blob->data, blob->size}, *search, NULL, NULL);
}

// Reads "{255 0 51}", of bytes, or "[1 0 0.2]", as shares of 1. Returns false if it is neither.
static bool read_color(bsp_text text, float color[3]) {
    bool bytes = text.size != 0 && text.data[0] == '{';
    uint32_t count = 0;
    for (size_t at = 0; at < text.size && count < 3;) {
        size_t end = at;
        while (end < text.size && strchr("{}[] \t", text.data[end]) == NULL) {
            end++;
        }
        if (end != at) {
            if (!bsp_parse_float((bsp_text){text.data + at, end - at}, &color[count])) {
                return false;
            }
            color[count] = bytes ? color[count] / 255 : color[count];
            count++;
        }
        at = end + 1;
    }
    return count == 3;
}

static void json_number(bsp_json *json, const char *key, bsp_text text) {
    float number;
    if (bsp_parse_float(text, &number)) {
        cli_json_float(json, key, number);
    }
}

static void json_fog(bsp_json *json, const bsp_vmt *vmt) {
    float color[3];
    float enabled;
    bsp_json_key(json, "fog");
    bsp_json_object(json);
    if (bsp_parse_float(bsp_vmt_get(vmt, "$fogenable"), &enabled)) {
        cli_json_bool(json, "enabled", enabled != 0);
    }
    if (read_color(bsp_vmt_get(vmt, "$fogcolor"), color)) {
        bsp_json_floats(json, "color", color, 3);
    }
    json_number(json, "start", bsp_vmt_get(vmt, "$fogstart"));
    json_number(json, "end", bsp_vmt_get(vmt, "$fogend"));
    bsp_json_object_end(json);
}

void cli_query_json_water_fog(const cli_input *input, bsp_json *json, const bsp_map *map,
                              uint32_t material) {
    if (material >= map->num_materials) {
        return; // no Source: only there the surface has a record that names its material
    }
    bsp_search *search = NULL;
    bsp_blob blob = {0};
    bsp_vmt *vmt = read_material(input, map, map->materials[material].name, &search, &blob);
    if (vmt != NULL) {
        json_fog(json, vmt);
    }
    bsp_vmt_free(vmt);
    bsp_blob_free(&blob);
    bsp_search_free(search);
}
