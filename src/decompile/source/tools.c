// SPDX-License-Identifier: MIT
// Tool materials. The compiler gives invisible sides, and all sides of a clip brush, any texinfo
// with the same flags and surface property, so the recorded name tells little; contents and flags
// tell more. Facts: sheet outputs, section 3.1.
#include "decompile/source/steps.h"

#include "core/bits.h"
#include "core/text.h"

#include <string.h>

#define CLIP (BSPI_SOURCE_PLAYER_CLIP | BSPI_SOURCE_MONSTER_CLIP)
#define UNSEEN (BSPI_SURF_NODRAW | BSPI_SURF_NOLIGHT)
#define UNSEEN_TRANS (BSPI_SURF_TRANS | UNSEEN)

typedef struct tool {
    const char *name;
    uint32_t contents;  ///< bits that must be set
    uint32_t forbidden; ///< contents that must not be set
    uint32_t flags;     ///< surface flags that must be set
    const char *surface_property;
    const char *branch; ///< the only branch that has it; NULL: all
    bool only_recorded; ///< equal to another row: taken when it is the recorded name
} tool;

#define CLIP_OF(property)                                                                          \
    { "tools/toolsclip_" property, CLIP | BSPI_SOURCE_DETAIL, 0, UNSEEN, property, NULL, true }

// clang-format off
static const tool tools[] = {
    {"tools/toolsareaportal", BSPI_SOURCE_AREA_PORTAL, 0, BSPI_SURF_NOLIGHT, "", NULL, false},
    {"tools/toolsblockbullets", BSPI_SOURCE_WINDOW | BSPI_SOURCE_TRANSLUCENT, 0, UNSEEN_TRANS, "", NULL, false},
    {"tools/toolsblocklight", BSPI_SOURCE_OPAQUE | BSPI_SOURCE_DETAIL, 0, UNSEEN, "", NULL, false},
    {"tools/toolsblock_los", BSPI_SOURCE_BLOCK_LOS | BSPI_SOURCE_DETAIL, 0, UNSEEN, "", NULL, false},
    {"tools/toolsinvisible", BSPI_SOURCE_GRATE | BSPI_SOURCE_TRANSLUCENT, BSPI_SOURCE_SOLID, UNSEEN_TRANS, "", NULL, false},
    {"tools/toolsinvisibleladder", BSPI_SOURCE_GRATE | BSPI_SOURCE_TRANSLUCENT | BSPI_SOURCE_LADDER, BSPI_SOURCE_SOLID, UNSEEN, "",
     NULL, false},
    {"tools/toolsnodraw", 0, 0, UNSEEN, "", NULL, false},
    {"tools/toolstrigger", 0, 0, UNSEEN | BSPI_SURF_TRIGGER, "", NULL, false},
    {"tools/toolshint", 0, 0, UNSEEN | BSPI_SURF_HINT, "", NULL, false},
    {"tools/toolsskip", 0, 0, UNSEEN | BSPI_SURF_SKIP, "", NULL, false},
    {"tools/toolsclip", CLIP | BSPI_SOURCE_DETAIL, 0, UNSEEN, "default_silent", NULL, false},
    {"tools/toolsnpcclip", BSPI_SOURCE_MONSTER_CLIP | BSPI_SOURCE_DETAIL, 0, UNSEEN, "default_silent", NULL, false},
    {"tools/toolsplayerclip", BSPI_SOURCE_PLAYER_CLIP | BSPI_SOURCE_DETAIL, 0, UNSEEN, "", NULL, false},
    {"tools/toolsskybox", BSPI_SOURCE_SOLID, 0, BSPI_SURF_SKY | BSPI_SURF_NOLIGHT, "default_silent", NULL,
     false},
    {"tools/toolsskybox2d", BSPI_SOURCE_SOLID, 0, BSPI_SURF_SKY | BSPI_SURF_SKY_2D | BSPI_SURF_NOLIGHT,
     "default_silent", NULL, false},
    {"tools/toolsgrenadeclip", BSPI_SOURCE_CURRENT_90 | BSPI_SOURCE_DETAIL, 0, UNSEEN, "", "source_21", false},
    {"tools/toolsdroneclip", BSPI_SOURCE_CURRENT_180 | BSPI_SOURCE_DETAIL, 0, UNSEEN, "", "source_21", false},
    {"tools/climb", BSPI_SOURCE_TEAM2 | BSPI_SOURCE_GRATE | BSPI_SOURCE_TRANSLUCENT | BSPI_SOURCE_LADDER, 0, UNSEEN_TRANS, "",
     "left4dead2", false},
    {"tools/climb_alpha", BSPI_SOURCE_TEAM2 | BSPI_SOURCE_GRATE | BSPI_SOURCE_TRANSLUCENT | BSPI_SOURCE_LADDER, 0, BSPI_SURF_NOLIGHT, "",
     "left4dead2", true},
    {"tools/climb_versus", BSPI_SOURCE_TEAM2 | BSPI_SOURCE_GRATE | BSPI_SOURCE_TRANSLUCENT | BSPI_SOURCE_LADDER, 0,
     BSPI_SURF_TRANS | BSPI_SURF_NOLIGHT, "", "left4dead2", true},
    {"tools/toolsnodraw_metal", 0, 0, UNSEEN, "metal", "left4dead2", true},
    {"tools/invismetal", BSPI_SOURCE_WINDOW | BSPI_SOURCE_TRANSLUCENT, 0, UNSEEN_TRANS, "metal", "left4dead2", true},
    // Counter-Strike: Global Offensive and Garry's Mod, which keep the sides of clip brushes
    CLIP_OF("concrete"), CLIP_OF("dirt"), CLIP_OF("glass"), CLIP_OF("grass"), CLIP_OF("gravel"),
    CLIP_OF("metal"), CLIP_OF("metal_sand_barrel"), CLIP_OF("metalgrate"), CLIP_OF("metalvehicle"),
    CLIP_OF("plastic"), CLIP_OF("rubber"), CLIP_OF("rubbertire"), CLIP_OF("sand"), CLIP_OF("snow"),
    CLIP_OF("tile"), CLIP_OF("wood"), CLIP_OF("wood_basket"), CLIP_OF("wood_crate"),
};
// clang-format on

#define NUM_TOOLS (sizeof tools / sizeof tools[0])

// Returns the number of a tool's requirements if all hold, those of the contents, which tell more,
// counted twice; 0 if one does not hold.
static unsigned score(const tool *t, const bsp_branch *branch, uint32_t contents, uint32_t flags) {
    bool clip = (contents & CLIP) != 0;
    bool flags_met = clip ? (t->contents & CLIP) != 0 : (flags & t->flags) == t->flags;
    if (!flags_met || (contents & t->contents) != t->contents || (contents & t->forbidden) != 0 ||
        (t->branch != NULL && strcmp(t->branch, branch->name) != 0)) {
        return 0;
    }
    return 2 * (bspi_count_bits(t->contents) + bspi_count_bits(t->forbidden)) +
           bspi_count_bits(t->flags);
}

static const tool *find_tool(bsp_text material) {
    const tool *found = NULL;
    for (size_t i = 0; i < NUM_TOOLS; i++) {
        if (bspi_text_is(material, tools[i].name)) {
            found = &tools[i];
        }
    }
    return found;
}

uint32_t bspi_source_tool_contents(bsp_text material) {
    const tool *found = find_tool(material);
    return found != NULL ? found->contents : 0;
}

bsp_text bspi_source_tool(const bsp_branch *branch, uint32_t contents, uint32_t flags,
                          bsp_text recorded) {
    static const bsp_text none = {NULL, 0};
    const tool *record = find_tool(recorded);
    // A material outside of the table stays.
    if (recorded.size != 0 && record == NULL) {
        return none;
    }
    bool any_property = recorded.size == 0 || (contents & CLIP) != 0;
    unsigned most = record != NULL ? score(record, branch, contents, flags) : 0;
    const tool *best = most != 0 ? record : NULL;
    for (size_t i = 0; i < NUM_TOOLS; i++) {
        const tool *t = &tools[i];
        unsigned met = t->only_recorded ? 0 : score(t, branch, contents, flags);
        if (met > most &&
            (any_property || strcmp(t->surface_property, record->surface_property) == 0)) {
            most = met;
            best = t;
        }
    }
    return best == record || best == NULL ? none : bsp_text_of(best->name);
}
