// SPDX-License-Identifier: MIT
// What a viewer sees of a surface, by the branch's bsp_surface_rules. Assumes a loaded map.
// Sources: sheets goldsrc-quake1 (4), quake2 (4), quake3 (2), source-lumps.
#include "bspkit/mesh.h"

#include "core/text.h"

#include <assert.h>

// Names of tool textures of Quake, GoldSrc and their compilers.
static const char *const hidden_names[] = {
    "aaatrigger",   "bevel",        "boundingbox",  "clip",        "clipbevel", "clipbevelbrush",
    "contentempty", "contentsolid", "contentwater", "hint",        "hintskip",  "noclip",
    "null",         "origin",       "skip",         "solidhint",   "trigger",   "waterskip",
    "lavaskip",     "slimeskip",    "playerclip",   "translucent",
};

static uint32_t bits_of_name(bsp_text name) {
    if (name.size == 0) {
        return 0;
    }
    if (bspi_text_begins_nocase(name, "sky")) {
        return BSP_SURFACE_SKY;
    }
    for (size_t i = 0; i < sizeof hidden_names / sizeof *hidden_names; i++) {
        if (bspi_text_equal_nocase(name, bsp_text_of(hidden_names[i]))) {
            return BSP_SURFACE_HIDDEN;
        }
    }
    switch (name.data[0]) {
    case '*':
    case '!':
        return BSP_SURFACE_LIQUID;
    case '{':
        return BSP_SURFACE_MASKED;
    default:
        return 0;
    }
}

// Source: the textures of tools; two of them are visible colours for building.
static bool is_tool(bsp_text name) {
    bool folder =
        bspi_text_begins_nocase(name, "tools/") || // in Respawn's names the order is reversed
        bspi_text_begins_nocase(name, "tools\\");
    if (!folder) {
        return false;
    }
    bsp_text rest = {name.data + 6, name.size - 6};
    return !bspi_text_begins_nocase(rest, "toolsblack") &&
           !bspi_text_begins_nocase(rest, "toolswhite");
}

uint32_t bsp_surface_material(const bsp_map *map, uint32_t face) {
    assert(map != NULL);
    if (face >= map->num_faces) {
        return BSP_NONE;
    }
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t material = map->faces[face].material;
    if (texinfo < map->num_texinfos) {
        material = map->texinfos[texinfo].material;
    }
    return material < map->num_materials ? material : BSP_NONE;
}

uint32_t bsp_surface_flags(const bsp_map *map, uint32_t face) {
    assert(map != NULL);
    if (face >= map->num_faces) {
        return 0;
    }
    uint32_t texinfo = map->faces[face].texinfo;
    if (texinfo < map->num_texinfos) {
        return map->texinfos[texinfo].flags;
    }
    uint32_t material = bsp_surface_material(map, face);
    return material == BSP_NONE ? 0 : map->materials[material].flags;
}

// Quake 3: page -3 means light by vertex.
static bool is_vertex_lit(const bsp_map *map, uint32_t face) {
    return map->traits->light == BSP_LIGHT_PAGES && face < map->num_face_lights &&
           map->face_lights[face].page[0] == -3;
}

uint32_t bsp_surface_bits_of(const bsp_map *map, uint32_t face) {
    assert(map != NULL);
    const bsp_surface_rules *row = &map->traits->surface;
    if (face >= map->num_faces) {
        return 0;
    }
    uint32_t flags = bsp_surface_flags(map, face);
    uint32_t number = bsp_surface_material(map, face);
    const bsp_material *material = number == BSP_NONE ? NULL : &map->materials[number];
    uint32_t bits = (flags & row->sky) != 0 ? BSP_SURFACE_SKY : 0;
    bits |= (flags & row->hidden) != 0 ? BSP_SURFACE_HIDDEN : 0;
    bits |= (flags & row->liquid) != 0 ? BSP_SURFACE_LIQUID : 0;
    bits |= (flags & row->translucent) != 0 ? BSP_SURFACE_TRANSLUCENT : 0;
    bits |= (flags & row->masked) != 0 ? BSP_SURFACE_MASKED : 0;
    bits |= is_vertex_lit(map, face) ? BSP_SURFACE_VERTEX_LIT : 0;
    bits |= map->faces[face].displacement < map->num_displacements ? BSP_SURFACE_DISPLACEMENT : 0;
    if (material != NULL) {
        bits |= (material->contents & row->liquid_contents) != 0 ? BSP_SURFACE_LIQUID : 0;
        bits |= row->names ? bits_of_name(material->name) : 0;
        bits |= row->tools && (bits & BSP_SURFACE_SKY) == 0 && is_tool(material->name)
                    ? BSP_SURFACE_HIDDEN
                    : 0;
    }
    return bits;
}

float bsp_surface_opacity(const bsp_map *map, uint32_t flags) {
    assert(map != NULL);
    uint32_t third = map->traits->surface.third;
    return (flags & third) != 0 ? 1.0F / 3 : (flags & 2 * third) != 0 ? 2.0F / 3 : 1;
}

bool bsp_surface_plane(const bsp_map *map, uint32_t face, float normal[3], float *dist) {
    assert(map != NULL && normal != NULL && dist != NULL);
    if (face >= map->num_faces || map->faces[face].plane >= map->num_planes) {
        return false;
    }
    const bsp_plane *plane = &map->planes[map->faces[face].plane];
    bool turned = !map->traits->surface.directed && map->faces[face].flipped != 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = turned ? -plane->normal[i] : plane->normal[i];
    }
    *dist = turned ? -plane->dist : plane->dist;
    return true;
}
