// SPDX-License-Identifier: MIT
// The static props of Respawn's games: two words stand between the count and the records, and from
// version 13 on another list follows them. Sources: sheet source-versions (6) and the branch
// scripts of bsp_tool; the map of the corpus has an empty lump without that list.
#include "formats/titanfall_layouts.h"
#include "formats/source_layouts.h"

// clang-format off

// Perhaps the first transparent prop, and the first prop with an alpha test.
static const bsp_field head_fields[] = { { NAME("unknown1"), U32(1) }, { NAME("unknown2"), U32(1) } };
static LAYOUT(propcounts_t, 8, head_fields);

// Its purpose is not known. Small maps have none.
static const bsp_field extra_fields[] = {
    { NAME("unknown1"), F32(12) },
    { NAME("unknown2"), I32(4) },
};
static LAYOUT(propextra_t, 64, extra_fields);

static const bsp_field extra_apex_fields[] = {
    { NAME("unknown1"), F32(12) },
    { NAME("flags"),    I32(1), ROLE(FLAGS) },
    { NAME("prop"),     I32(1) },
    { NAME("unknown2"), I32(2) },
};
static LAYOUT(propextra_apex_t, 64, extra_apex_fields);

// Not leaves of a tree: the game has no tree.
static const bsp_field leaf_fields[] = { { NAME(""), U16(1) } };
static LAYOUT(propleaf_t, 2, leaf_fields);

#define MODELS SECTION("models", STATIC_PROP_MODELS, bspi_static_prop_model_t),
#define PROPS(layout) { "props", BSP_ID_STATIC_PROPS, &(layout), &propcounts_t, false },
#define EXTRAS(layout) { "extras", BSP_ID_STATIC_PROP_EXTRAS, &(layout), NULL, true },

static const bsp_section sections_12[] = {
    MODELS SECTION("leaves", STATIC_PROP_LEAVES, propleaf_t),
    PROPS(bspi_static_prop_12_titanfall_t)
};
static const bsp_section sections_13[] = {
    MODELS PROPS(bspi_static_prop_13_titanfall2_t) EXTRAS(propextra_t)
};
static const bsp_section sections_apex[] = {
    MODELS PROPS(bspi_static_prop_13_titanfall2_t) EXTRAS(propextra_apex_t)
};

const bsp_section_list bspi_titanfall_prop_lists[1] = {
    SECTION_LIST(12, 84, sections_12),
};
const bsp_section_list bspi_titanfall_prop_13_lists[1] = {
    SECTION_LIST(13, 64, sections_13),
};
// The version is that of the file.
const bsp_section_list bspi_titanfall_prop_apex_lists[1] = {
    SECTION_LIST(BSP_ANY_VERSION, 64, sections_apex),
};
// clang-format on
