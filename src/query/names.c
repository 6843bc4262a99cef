// SPDX-License-Identifier: MIT
// Names of contents flags, as the games' own headers and shader scripts have them.
#include "bspkit/query.h"

#include "core/text.h"
#include "formats/source_flags.h"

#include <assert.h>

typedef struct flag_name {
    const char *name;
    uint32_t flag;
} flag_name;

static const flag_name quake2_names[] = {
    {"solid", 1},
    {"window", 2},
    {"aux", 4},
    {"lava", 8},
    {"slime", 0x10},
    {"water", 0x20},
    {"mist", 0x40},
    {"areaportal", 0x8000},
    {"playerclip", 0x10000},
    {"monsterclip", 0x20000},
    {"origin", 0x1000000},
    {"monster", 0x2000000},
    {"deadmonster", 0x4000000},
    {"detail", 0x8000000},
    {"translucent", 0x10000000},
    {"ladder", 0x20000000},
    {NULL, 0},
};

static const flag_name quake3_names[] = {
    {"solid", 1},
    {"lava", 8},
    {"slime", 0x10},
    {"water", 0x20},
    {"fog", 0x40},
    {"areaportal", 0x8000},
    {"playerclip", 0x10000},
    {"monsterclip", 0x20000},
    {"teleporter", 0x40000},
    {"jumppad", 0x80000},
    {"clusterportal", 0x100000},
    {"donotenter", 0x200000},
    {"botclip", 0x400000},
    {"origin", 0x1000000},
    {"body", 0x2000000},
    {"corpse", 0x4000000},
    {"detail", 0x8000000},
    {"structural", 0x10000000},
    {"translucent", 0x20000000},
    {"trigger", 0x40000000},
    {"nodrop", 0x80000000},
    {NULL, 0},
};

// Raven's numbers: Jedi Knight II, Jedi Academy, Soldier of Fortune II.
static const flag_name raven_names[] = {
    {"solid", 1},
    {"lava", 2},
    {"water", 4},
    {"fog", 8},
    {"playerclip", 0x10},
    {"monsterclip", 0x20},
    {"botclip", 0x40},
    {"shotclip", 0x80},
    {"body", 0x100},
    {"corpse", 0x200},
    {"trigger", 0x400},
    {"nodrop", 0x800},
    {"terrain", 0x1000},
    {"ladder", 0x2000},
    {"abseil", 0x4000},
    {"opaque", 0x8000},
    {"outside", 0x10000},
    {"slime", 0x20000},
    {"lightsaber", 0x40000},
    {"teleporter", 0x80000},
    {"item", 0x100000},
    {"detail", 0x8000000},
    {"inside", 0x10000000},
    {"translucent", 0x80000000},
    {NULL, 0},
};

static const flag_name source_names[] = {
    {"solid", BSPI_SOURCE_SOLID},
    {"window", BSPI_SOURCE_WINDOW},
    {"aux", BSPI_SOURCE_AUX},
    {"grate", BSPI_SOURCE_GRATE},
    {"slime", BSPI_SOURCE_SLIME},
    {"water", BSPI_SOURCE_WATER},
    {"blocklos", BSPI_SOURCE_BLOCK_LOS},
    {"opaque", BSPI_SOURCE_OPAQUE},
    {"testfogvolume", BSPI_SOURCE_TEST_FOG_VOLUME},
    {"team1", BSPI_SOURCE_TEAM1},
    {"team2", BSPI_SOURCE_TEAM2},
    {"moveable", BSPI_SOURCE_MOVEABLE},
    {"areaportal", BSPI_SOURCE_AREA_PORTAL},
    {"playerclip", BSPI_SOURCE_PLAYER_CLIP},
    {"monsterclip", BSPI_SOURCE_MONSTER_CLIP},
    {"origin", BSPI_SOURCE_ORIGIN},
    {"monster", BSPI_SOURCE_MONSTER},
    {"debris", BSPI_SOURCE_DEBRIS},
    {"detail", BSPI_SOURCE_DETAIL},
    {"translucent", BSPI_SOURCE_TRANSLUCENT},
    {"ladder", BSPI_SOURCE_LADDER},
    {"hitbox", BSPI_SOURCE_HITBOX},
    {NULL, 0},
};

static const flag_name titanfall_names[] = {
    {"solid", 1},
    {"window", 2},
    {"aux", 4},
    {"grate", 8},
    {"slime", 0x10},
    {"water", 0x20},
    {"windownocollide", 0x40},
    {"opaque", 0x80},
    {"testfogvolume", 0x100},
    {"blocklight", 0x400},
    {"team1", 0x800},
    {"team2", 0x1000},
    {"ignorenodrawopaque", 0x2000},
    {"moveable", 0x4000},
    {"playerclip", 0x10000},
    {"monsterclip", 0x20000},
    {"brushpaint", 0x40000},
    {"blocklos", 0x80000},
    {"noclimb", 0x100000},
    {"titanclip", 0x200000},
    {"bulletclip", 0x400000},
    {"origin", 0x1000000},
    {"monster", 0x2000000},
    {"debris", 0x4000000},
    {"detail", 0x8000000},
    {"translucent", 0x10000000},
    {"ladder", 0x20000000},
    {"hitbox", 0x40000000},
    {NULL, 0},
};

static const flag_name *names_of(const bsp_branch *branch) {
    static const flag_name *const names[] = {
        [BSP_CONTENTS_NUMBERS] = NULL,        [BSP_CONTENTS_QUAKE2] = quake2_names,
        [BSP_CONTENTS_QUAKE3] = quake3_names, [BSP_CONTENTS_RAVEN] = raven_names,
        [BSP_CONTENTS_SOURCE] = source_names, [BSP_CONTENTS_RESPAWN] = titanfall_names,
    };
    return names[bsp_branch_traits(branch)->contents_names];
}

// Returns the name of a flag, or NULL. `names` may be NULL.
static const char *name_in(const flag_name *names, uint32_t flag) {
    for (const flag_name *n = names; n != NULL && n->name != NULL; n++) {
        if (n->flag == flag) {
            return n->name;
        }
    }
    return NULL;
}

uint32_t bsp_query_flag(const bsp_branch *branch, bsp_text name) {
    assert(branch != NULL);
    for (const flag_name *n = names_of(branch); n != NULL && n->name != NULL; n++) {
        if (bspi_text_equal_nocase(name, bsp_text_of(n->name))) {
            return n->flag;
        }
    }
    return 0;
}

const char *bsp_query_flag_name(const bsp_branch *branch, uint32_t flag) {
    assert(branch != NULL);
    return name_in(names_of(branch), flag);
}

const char *bsp_query_leaf_flag_name(const bsp_branch *branch, uint32_t flag) {
    static const flag_name leaf_names[] = {{"sky", BSPI_LEAF_SKY},
                                           {"radial", BSPI_LEAF_RADIAL},
                                           {"sky2d", BSPI_LEAF_SKY_2D},
                                           {NULL, 0}};
    assert(branch != NULL);
    bool source = bsp_branch_traits(branch)->contents_names == BSP_CONTENTS_SOURCE;
    return name_in(source ? leaf_names : NULL, flag);
}
