// SPDX-License-Identifier: MIT
// Contents by texture name, and back. Source: sheet goldsrc-quake1, sections 4 and 6.
#include "decompile/tree_names.h"

#include "decompile/tree_space.h"
#include "core/text.h"

// A row for each name that means contents; the first that fits counts. The name is what a brush
// gets when the map has no texture of the kind. Quake's liquids begin with a star; GoldSrc's with
// an exclamation mark as well.
typedef struct name_row {
    const char *start[2]; // Quake, GoldSrc
    int32_t contents;
    const char *name[2];
} name_row;

static const name_row rows[] = {
    {{"sky", "sky"}, BSPI_SKY, {"sky", "sky"}},
    {{"*lava", "!lava"}, -5, {"*lava", "!lava"}},
    {{"*slime", "!slime"}, -4, {"*slime", "!slime"}},
    {{NULL, "*lava"}, -5, {NULL, NULL}},
    {{NULL, "*slime"}, -4, {NULL, NULL}},
    {{NULL, "!cur_0"}, -9, {NULL, "!cur_0"}},
    {{NULL, "!cur_90"}, -10, {NULL, "!cur_90"}},
    {{NULL, "!cur_180"}, -11, {NULL, "!cur_180"}},
    {{NULL, "!cur_270"}, -12, {NULL, "!cur_270"}},
    {{NULL, "!cur_up"}, -13, {NULL, "!cur_up"}},
    {{NULL, "!cur_dwn"}, -14, {NULL, "!cur_dwn"}},
    {{"*", "!"}, -3, {"*water", "!water"}},
    {{NULL, "*"}, -3, {NULL, NULL}},
    {{NULL, "@"}, -15, {NULL, "@translucent"}},
    {{"clip", "clip"}, BSPI_CLIP, {"clip", "clip"}},
    {{NULL, NULL}, BSPI_SOLID, {"skip", "NULL"}},
};

#define NUM_ROWS (sizeof rows / sizeof *rows)

static int game_of(const bsp_map *map) {
    return map->branch->family == BSP_GOLDSRC;
}

int32_t bspi_contents_of_name(const bsp_map *map, bsp_text name) {
    int game = game_of(map);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const char *start = rows[i].start[game];
        if (start != NULL && bspi_text_begins_nocase(name, start)) {
            return rows[i].contents;
        }
    }
    return BSPI_SOLID;
}

bsp_text bspi_usual_name(const bsp_map *map, int32_t contents) {
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (rows[i].contents == contents && rows[i].name[game_of(map)] != NULL) {
            return bsp_text_of(rows[i].name[game_of(map)]);
        }
    }
    return bsp_text_of("unnamed");
}

bsp_text bspi_name_of_contents(const bsp_map *map, int32_t contents) {
    for (uint32_t i = 0; i < map->num_materials && contents != BSPI_SOLID; i++) {
        if (bspi_contents_of_name(map, map->materials[i].name) == contents) {
            return map->materials[i].name;
        }
    }
    return bspi_usual_name(map, contents);
}

bsp_text bspi_trigger_name(const bsp_map *map) {
    return bsp_text_of(game_of(map) != 0 ? "AAATRIGGER" : "trigger");
}
