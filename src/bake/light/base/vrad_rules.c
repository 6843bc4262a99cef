// SPDX-License-Identifier: MIT
// The rules of vrad by its years. Facts: vrad.cpp, vismat.cpp and lightmap.cpp of the Source SDKs
// of 2005 (before HDR), 2006 (Episode One) and 2007 to 2013. That of Alien Swarm (2010) and later
// is not public: what it adds was found by the light of maps.
#include "bake/light/base/vrad_rules.h"

#include "bake/light/base/keys.h"
#include "bake/light/base/work.h"
#include "core/text.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "records/file.h"

static const bspi_vrad_rules rules_2005 = {
    .year = 2005,
    .units = 64,
    .off = 1,
    .faint = 0.01f,
    .around = 2,
    .edges = true,
    .skies = true,
    .spread = true,
    .alone = true,
    .even = true,
    .misses = true,
};
static const bspi_vrad_rules rules_2006 = {
    .year = 2006,
    .faint = 1e-5f,
    .around = 2,
    .spread = true,
    .misses = true,
};
static const bspi_vrad_rules rules_2007 = {
    .year = 2007,
    .faint = 1e-5f,
    .around = 2.2f,
    .fills = true,
    .both = true,
};
// VRAD++ of 2026: found by the light of one map.
static const bspi_vrad_rules rules_plus = {
    .year = 2007,
    .units = 64,
    .faint = 1e-5f,
    .around = 2.2f,
    .fills = true,
    .both = true,
};
static const bspi_vrad_rules rules_2010 = {
    .year = 2010,
    .faint = 1e-5f,
    .around = 2.2f,
    .fills = true,
    .both = true,
    .may_soften = true,
};

bool bspi_leaves_have_cubes(const bspi_relight *own) {
    bsp_parts parts;
    bsp_table table;
    uint32_t field;
    if (!bsp_file_table(own->file, BSP_ID_LEAVES, &parts, &table)) {
        return false;
    }
    bool have = table.count == own->map->num_leaves &&
                bspi_layout_find(table.layout, BSPI_MEMBER_leaf_cube, &field) != NULL;
    bsp_parts_free(&parts);
    return have;
}

const bspi_vrad_rules *bspi_vrad_rules_of(const bspi_relight *own) {
    const bsp_map *map = own->map;
    uint32_t samples = map->num_ambient_samples + map->num_ambient_samples_hdr;
    uint32_t indices = map->num_ambient_index + map->num_ambient_index_hdr;
    const bsp_entity *world = bspi_world_of(map->entities);
    if (world != NULL &&
        bspi_text_begins_nocase(bsp_entity_value(world, "rad_compiler"), "VRAD++")) {
        return &rules_plus;
    }
    if (map->traits->vrad_year >= 2010) {
        return &rules_2010;
    }
    if (map->traits->vrad_year == 2005) {
        return &rules_2005;
    }
    // One sample a leaf, without an index: until 2007.
    return indices == 0 && (samples != 0 || bspi_leaves_have_cubes(own)) ? &rules_2006
                                                                         : &rules_2007;
}
