// SPDX-License-Identifier: MIT
// Contents by texture name, and textures by contents. Source: sheet goldsrc-quake1, sections 4 and
// 6.
#include "decompile/tree/names.h"

#include "decompile/tree/space.h"
#include "core/text.h"

// Quake's liquids begin with a star; GoldSrc's with an exclamation mark too.
static const bspi_tree_name quake_names[] = {
    {"sky", BSPI_TREE_SKY, "sky"},
    {"*lava", BSPI_CONTENTS_LAVA, "*lava"},
    {"*slime", BSPI_CONTENTS_SLIME, "*slime"},
    {"*", BSPI_CONTENTS_WATER, "*water"},
    {"clip", BSPI_TREE_CLIP, "clip"},
    {NULL, BSPI_TREE_SOLID, "skip"},
};

static const bspi_tree_name goldsrc_names[] = {
    {"sky", BSPI_TREE_SKY, "sky"},
    {"!lava", BSPI_CONTENTS_LAVA, "!lava"},
    {"!slime", BSPI_CONTENTS_SLIME, "!slime"},
    {"*lava", BSPI_CONTENTS_LAVA, NULL},
    {"*slime", BSPI_CONTENTS_SLIME, NULL},
    {"!cur_0", BSPI_CONTENTS_CURRENT_0, "!cur_0"},
    {"!cur_90", BSPI_CONTENTS_CURRENT_90, "!cur_90"},
    {"!cur_180", BSPI_CONTENTS_CURRENT_180, "!cur_180"},
    {"!cur_270", BSPI_CONTENTS_CURRENT_270, "!cur_270"},
    {"!cur_up", BSPI_CONTENTS_CURRENT_UP, "!cur_up"},
    {"!cur_dwn", BSPI_CONTENTS_CURRENT_DOWN, "!cur_dwn"},
    {"!", BSPI_CONTENTS_WATER, "!water"},
    {"*", BSPI_CONTENTS_WATER, NULL},
    {"@", BSPI_CONTENTS_TRANSLUCENT, "@translucent"},
    {"clip", BSPI_TREE_CLIP, "clip"},
    {NULL, BSPI_TREE_SOLID, "NULL"},
};

const bspi_tree_game *bspi_tree_game_of(const bsp_map *map) {
    static const bspi_tree_game games[] = {
        [BSP_CODE_QUAKE] = {quake_names, "trigger", "func_detail_illusionary", "func_detail_fence"},
        [BSP_CODE_GOLDSRC] = {goldsrc_names, "AAATRIGGER", "func_illusionary", NULL},
    };
    return &games[map->traits->game_code];
}

int32_t bspi_contents_of_name(const bsp_map *map, bsp_text name) {
    const bspi_tree_name *row = bspi_tree_game_of(map)->names;
    char first = name.size == 0 ? '\0' : name.data[0];
    first = bspi_lower(first); // as rows have it
    while (row->start != NULL &&
           (row->start[0] != first || !bspi_text_begins_nocase(name, row->start))) {
        row++;
    }
    return row->contents;
}

bsp_text bspi_usual_name(const bsp_map *map, int32_t contents) {
    const bspi_tree_name *row = bspi_tree_game_of(map)->names;
    while (row->start != NULL && (row->contents != contents || row->name == NULL)) {
        row++;
    }
    return bsp_text_of(row->contents == contents ? row->name : "unnamed");
}

void bspi_name_contents(const bsp_map *map, bsp_text names[BSPI_TREE_CONTENTS]) {
    for (int32_t c = 0; c < BSPI_TREE_CONTENTS; c++) {
        names[c] = bspi_usual_name(map, -c);
    }
    // Backwards, so that the first of several is kept.
    for (uint32_t i = map->num_materials; i-- > 0;) {
        int32_t contents = bspi_contents_of_name(map, map->materials[i].name);
        if (contents != BSPI_TREE_SOLID) {
            names[-contents] = map->materials[i].name;
        }
    }
}
