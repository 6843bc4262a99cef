// SPDX-License-Identifier: MIT
// The names in the tables, and how a branch's facts are looked up through its bases.
#include "formats/table.h"

#include <stdio.h>
#include <string.h>

const char *bsp_family_name(bsp_family family) {
    static const char *const names[] = {"quake",  "goldsrc", "quake2",
                                        "quake3", "source",  "titanfall"};
    return names[family];
}

uint32_t bsp_light_size(bsp_light_format format) {
    static const uint8_t sizes[] = {1, 3, 3, 4, 4, 2};
    return sizes[format];
}

void bsp_light_rgb(bsp_light_format format, const uint8_t *luxel, uint8_t rgb[3]) {
    bool grey = format == BSP_LIGHT_GREY8;
    if (format == BSP_LIGHT_RGB556) {
        rgb[0] = luxel[0] & 0xF8;
        rgb[1] = (uint8_t)((luxel[0] & 7) << 5 | (luxel[1] & 0xC0) >> 3);
        rgb[2] = (uint8_t)((luxel[1] & 0x3F) << 2);
        return;
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] = luxel[grey ? 0 : i];
    }
}

const char *bsp_kind_name(bsp_lump_kind kind) {
    static const char *const names[] = {
        "bytes",         "array", "entities",   "strings",    "sections", "textures",
        "vis rows",      "vis",   "vis matrix", "game lumps", "physics",  "physics displacements",
        "light samples", "zip",
    };
    return names[kind];
}

const char *bsp_verified_name(bsp_verified verified) {
    static const char *const names[] = {"no", "built", "real"};
    return names[verified];
}

static const char *const table_names[BSP_ID_COUNT] = {
    [BSP_ID_NONE] = "records",
    [BSP_ID_ENTITIES] = "entities",
    [BSP_ID_PLANES] = "planes",
    [BSP_ID_TEXTURES] = "textures",
    [BSP_ID_VERTICES] = "vertices",
    [BSP_ID_VISIBILITY] = "visibility bytes",
    [BSP_ID_NODES] = "nodes",
    [BSP_ID_TEXINFO] = "texinfos",
    [BSP_ID_FACES] = "faces",
    [BSP_ID_LIGHTING] = "light bytes",
    [BSP_ID_CLIPNODES] = "clipnodes",
    [BSP_ID_LEAVES] = "leaves",
    [BSP_ID_LEAF_FACES] = "leaf faces",
    [BSP_ID_LEAF_BRUSHES] = "leaf brushes",
    [BSP_ID_EDGES] = "edges",
    [BSP_ID_SURFEDGES] = "surfedges",
    [BSP_ID_MODELS] = "models",
    [BSP_ID_BRUSHES] = "brushes",
    [BSP_ID_BRUSH_SIDES] = "brush sides",
    [BSP_ID_POP] = "pop bytes",
    [BSP_ID_AREAS] = "areas",
    [BSP_ID_AREA_PORTALS] = "area portals",
    [BSP_ID_DRAW_VERTS] = "draw verts",
    [BSP_ID_DRAW_INDICES] = "draw indices",
    [BSP_ID_FOGS] = "fogs",
    [BSP_ID_LIGHT_GRID] = "light grid",
    [BSP_ID_LIGHT_ARRAY] = "light array",
    [BSP_ID_ADVERTISEMENTS] = "advertisements",
    [BSP_ID_OCCLUDERS] = "occluders",
    [BSP_ID_OCCLUDER_POLYS] = "occluder polys",
    [BSP_ID_OCCLUDER_INDICES] = "occluder indices",
    [BSP_ID_FACE_IDS] = "face ids",
    [BSP_ID_WORLD_LIGHTS] = "world lights",
    [BSP_ID_PORTALS] = "portals",
    [BSP_ID_CLUSTERS] = "clusters",
    [BSP_ID_PORTAL_VERTS] = "portal verts",
    [BSP_ID_CLUSTER_PORTALS] = "cluster portals",
    [BSP_ID_DISP_INFO] = "displacements",
    [BSP_ID_ORIGINAL_FACES] = "original faces",
    [BSP_ID_PHYS_DISP] = "phys disp",
    [BSP_ID_PHYS_COLLIDE] = "phys collide",
    [BSP_ID_VERT_NORMALS] = "vert normals",
    [BSP_ID_VERT_NORMAL_INDICES] = "vert normal indices",
    [BSP_ID_DISP_LIGHTMAP_ALPHAS] = "disp lightmap alphas",
    [BSP_ID_DISP_VERTS] = "disp verts",
    [BSP_ID_DISP_SAMPLE_POSITIONS] = "disp sample positions",
    [BSP_ID_GAME_LUMP] = "game lump",
    [BSP_ID_LEAF_WATER] = "leaf water",
    [BSP_ID_PRIMITIVES] = "primitives",
    [BSP_ID_PRIM_VERTS] = "prim verts",
    [BSP_ID_PRIM_INDICES] = "prim indices",
    [BSP_ID_PAK] = "pak bytes",
    [BSP_ID_CLIP_PORTAL_VERTS] = "clip portal verts",
    [BSP_ID_CUBEMAPS] = "cubemaps",
    [BSP_ID_STRING_DATA] = "string bytes",
    [BSP_ID_STRING_TABLE] = "strings",
    [BSP_ID_OVERLAYS] = "overlays",
    [BSP_ID_LEAF_WATER_DIST] = "leaf water dist",
    [BSP_ID_MACRO_TEXTURES] = "macro textures",
    [BSP_ID_DISP_TRIS] = "disp tris",
    [BSP_ID_PROP_BLOB] = "prop blob",
    [BSP_ID_WATER_OVERLAYS] = "water overlays",
    [BSP_ID_AMBIENT_INDEX_HDR] = "ambient index hdr",
    [BSP_ID_AMBIENT_INDEX] = "ambient index",
    [BSP_ID_LIGHTING_HDR] = "HDR light bytes",
    [BSP_ID_WORLD_LIGHTS_HDR] = "world lights hdr",
    [BSP_ID_AMBIENT_HDR] = "ambient hdr",
    [BSP_ID_AMBIENT] = "ambient",
    [BSP_ID_XZIP] = "xzip",
    [BSP_ID_FACES_HDR] = "faces hdr",
    [BSP_ID_MAP_FLAGS] = "map flags",
    [BSP_ID_OVERLAY_FADES] = "overlay fades",
    [BSP_ID_OVERLAY_LEVELS] = "overlay levels",
    [BSP_ID_PHYS_LEVEL] = "phys level",
    [BSP_ID_DISP_MULTIBLEND] = "disp multiblend",
    [BSP_ID_LIGHTMAP_PAGES] = "lightmap pages",
    [BSP_ID_LIGHTMAP_PAGE_INFOS] = "lightmap page infos",
    [BSP_ID_PROP_HULLS] = "prop hulls",
    [BSP_ID_PROP_HULL_VERTS] = "prop hull verts",
    [BSP_ID_PROP_COLLISION] = "prop collision",
    [BSP_ID_PROP_TRIS] = "prop tris",
    [BSP_ID_STATIC_PROPS] = "static props",
    [BSP_ID_STATIC_PROP_MODELS] = "static prop models",
    [BSP_ID_STATIC_PROP_LEAVES] = "static prop leaves",
    [BSP_ID_DETAIL_PROPS] = "detail props",
    [BSP_ID_DETAIL_MODELS] = "detail models",
    [BSP_ID_DETAIL_SPRITES] = "detail sprites",
    [BSP_ID_DETAIL_LIGHT] = "detail light",
    [BSP_ID_DETAIL_LIGHT_HDR] = "detail light hdr",
    [BSP_ID_TERRAIN] = "terrain patches",
    [BSP_ID_TERRAIN_INDICES] = "terrain indices",
    [BSP_ID_STATIC_MODELS] = "static models",
    [BSP_ID_STATIC_MODEL_INDICES] = "static model indices",
    [BSP_ID_MATERIAL_SORTS] = "material sorts",
    [BSP_ID_LIGHTMAP_HEADERS] = "lightmap headers",
    [BSP_ID_LIGHTING_RTL] = "real-time light bytes",
    [BSP_ID_VERTS_UNLIT] = "unlit vertices",
    [BSP_ID_VERTS_LIT_FLAT] = "flat lit vertices",
    [BSP_ID_VERTS_LIT_BUMP] = "bump lit vertices",
    [BSP_ID_VERTS_UNLIT_TS] = "unlit vertices with tangents",
    [BSP_ID_VERTS_BLINN_PHONG] = "Blinn-Phong vertices",
    [BSP_ID_MESH_BOUNDS] = "mesh bounds",
    [BSP_ID_GRID] = "grids",
    [BSP_ID_GRID_CELLS] = "grid cells",
    [BSP_ID_GEO_SETS] = "geo sets",
    [BSP_ID_GEO_SET_BOUNDS] = "geo set bounds",
    [BSP_ID_GEO_PARTS] = "collision primitives",
    [BSP_ID_GEO_PART_BOUNDS] = "collision primitive bounds",
    [BSP_ID_UNIQUE_CONTENTS] = "unique contents",
    [BSP_ID_BRUSH_BOXES] = "brush boxes",
    [BSP_ID_SIDE_PROPERTIES] = "side properties",
    [BSP_ID_BRUSH_PLANES] = "brush planes",
    [BSP_ID_STATIC_PROP_EXTRAS] = "static prop extras",
    [BSP_ID_PORTAL_EDGES] = "portal edges",
    [BSP_ID_PORTAL_VERT_REFS] = "portal vert refs",
    [BSP_ID_PORTAL_EDGE_REFS] = "portal edge refs",
    [BSP_ID_PORTAL_VERT_EDGES] = "portal vert edges",
    [BSP_ID_PORTAL_EDGE_SETS] = "portal edge sets",
    [BSP_ID_PORTAL_VERT_SETS] = "portal vert sets",
    [BSP_ID_PORTAL_SET_RANGES] = "portal set ranges",
    [BSP_ID_CELL_NODES] = "cell nodes",
    [BSP_ID_CELLS] = "cells",
    [BSP_ID_CELL_AABB_NODES] = "cell aabb nodes",
    [BSP_ID_OBJ_REFS] = "obj refs",
    [BSP_ID_OBJ_REF_BOUNDS] = "obj ref bounds",
    [BSP_ID_CSM_AABB_NODES] = "csm aabb nodes",
    [BSP_ID_CSM_OBJ_REFS] = "csm obj refs",
    [BSP_ID_OCCLUSION_VERTS] = "occlusion verts",
    [BSP_ID_OCCLUSION_INDICES] = "occlusion indices",
    [BSP_ID_LEVEL_INFO] = "level info",
    [BSP_ID_ENTITY_PARTITIONS] = "entity partition bytes",
    [BSP_ID_TRICOLL_TRIS] = "tricoll tris",
    [BSP_ID_TRICOLL_NODES] = "tricoll nodes",
    [BSP_ID_TRICOLL_HEADERS] = "tricoll headers",
    [BSP_ID_TRICOLL_BEVEL_STARTS] = "tricoll bevel starts",
    [BSP_ID_TRICOLL_BEVELS] = "tricoll bevels",
    [BSP_ID_WORLD_LIGHT_PARENTS] = "world light parents",
    [BSP_ID_LIGHT_PROBES] = "light probes",
    [BSP_ID_LIGHT_PROBE_REFS] = "light probe refs",
    [BSP_ID_LIGHT_PROBE_TREE] = "light probe tree",
    [BSP_ID_LIGHT_PROBE_PARENTS] = "light probe parents",
    [BSP_ID_LIGHT_PROBE_NODES] = "light probe nodes",
    [BSP_ID_PROP_LIGHT_PROBES] = "prop light probes",
    [BSP_ID_SHADOW_ENVIRONMENTS] = "shadow environments",
    [BSP_ID_SHADOW_MESHES] = "shadow meshes",
    [BSP_ID_SHADOW_INDICES] = "shadow indices",
    [BSP_ID_SHADOW_OPAQUE_VERTS] = "shadow opaque verts",
    [BSP_ID_SHADOW_ALPHA_VERTS] = "shadow alpha verts",
    [BSP_ID_LIGHTMAP_LIGHTS] = "lightmap lights",
    [BSP_ID_CONTENTS_MASKS] = "contents masks",
    [BSP_ID_BVH_NODES] = "bvh nodes",
    [BSP_ID_BVH_LEAVES] = "bvh leaves",
    [BSP_ID_PACKED_VERTS] = "packed verts",
    [BSP_ID_HEIGHT_FIELDS] = "height fields",
    [BSP_ID_HEIGHT_SAMPLES] = "height samples",
    [BSP_ID_AMBIENT_RCP] = "ambient rcp",
    [BSP_ID_CSM_UNKNOWN] = "csm unknown",
    [BSP_ID_CELL_UNKNOWN] = "cell unknown",
    [BSP_ID_WATER_BODIES] = "water bodies",
    [BSP_ID_WATER_CENTERS] = "water centers",
    [BSP_ID_WATER_VERTS] = "water verts",
    [BSP_ID_WATER_INDICES] = "water indices",
    [BSP_ID_SURFACE_PROPERTIES] = "surface properties",
    [BSP_ID_UNUSED] = "unused",
};
const char *bsp_table_id_name(bsp_table_id id) {
    return table_names[id];
}

const char *bsp_version_text(uint32_t version, char out[BSP_VERSION_TEXT]) {
    unsigned major = version & 0xFFFF;
    unsigned minor = version >> 16;
    if (minor == 0) {
        snprintf(out, BSP_VERSION_TEXT, "%u", major);
    } else {
        snprintf(out, BSP_VERSION_TEXT, "%u.%u", major, minor);
    }
    return out;
}

const bsp_shape *bsp_branch_shape(const bsp_branch *branch) {
    while (branch->shape == NULL && branch->base != NULL) {
        branch = branch->base;
    }
    return branch->shape;
}

const bsp_traits *bsp_branch_traits(const bsp_branch *branch) {
    while (branch->traits == NULL && branch->base != NULL) {
        branch = branch->base;
    }
    return branch->traits;
}

static const bsp_lump_def *own_lump(const bsp_branch *branch, uint32_t index) {
    for (uint32_t i = 0; i < branch->num_lumps; i++) {
        if (branch->lumps[i].index == index) {
            return &branch->lumps[i];
        }
    }
    return NULL;
}

const bsp_lump_def *bsp_branch_lump(const bsp_branch *branch, uint32_t index) {
    const bsp_lump_def *def = NULL;
    for (; def == NULL && branch != NULL; branch = branch->base) {
        def = own_lump(branch, index);
    }
    return def;
}

const bsp_lump_def *bsp_branch_lump_of(const bsp_branch *branch, bsp_table_id id) {
    uint32_t num_lumps = bsp_branch_shape(branch)->num_lumps;
    for (uint32_t i = 0; i < num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(branch, i);
        if (def != NULL && def->id == id) {
            return def;
        }
    }
    return NULL;
}

const bsp_game_lump_def *bsp_branch_game_lump(const bsp_branch *branch, const char id[5]) {
    for (; branch != NULL; branch = branch->base) {
        for (uint32_t i = 0; i < branch->num_game_lumps; i++) {
            if (memcmp(branch->game_lumps[i].id, id, 4) == 0) {
                return &branch->game_lumps[i];
            }
        }
    }
    return NULL;
}

size_t bsp_shape_size(const bsp_shape *shape) {
    return shape->head->size + (size_t)shape->num_lumps * shape->entry->size +
           (shape->tail == NULL ? 0 : shape->tail->size);
}
