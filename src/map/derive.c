// SPDX-License-Identifier: MIT
// Computes what a branch leaves implicit about surfaces and planes: the type of a face, the axis of
// a plane, the extents of its light, the contents of a Quake 3 brush. Afterwards all families have
// the same data.
#include "formats/map_members.h"
#include "map/load.h"
#include "map/unlit.h"

#include <assert.h>
#include <math.h>

// Larger luxel coordinates are damage: no engine has surfaces of a million luxels.
#define MAX_LUXEL 1048576.0F

// Returns how many elements of a member the branch stores.
static uint32_t stored_count(const bspi_loader *loader, bsp_table_id id, uint16_t map_member) {
    const bsp_lump_def *def = bsp_branch_lump_of(loader->map->branch, id);
    for (uint32_t v = 0; def != NULL && v < def->num_variants; v++) {
        const bsp_layout *layout = def->variants[v].layout;
        for (uint32_t f = 0; f < layout->num_fields; f++) {
            if (layout->fields[f].map_member == map_member) {
                return layout->fields[f].count;
            }
        }
    }
    return 0;
}

static bool stores(const bspi_loader *loader, bsp_table_id id, uint16_t map_member) {
    return stored_count(loader, id, map_member) != 0;
}

// Returns 0..2 for a plane across an axis, 3..5 for the nearest axis, as compilers of other
// families write it.
static int32_t plane_type(const float normal[3]) {
    int32_t nearest = 0;
    for (int32_t i = 0; i < 3; i++) {
        if (normal[i] == 1.0F) {
            return i;
        }
        nearest = fabsf(normal[i]) > fabsf(normal[nearest]) ? i : nearest;
    }
    return 3 + nearest;
}

static void fill_planes(bspi_loader *loader) {
    bsp_plane *planes = bspi_writable(loader->map->planes);
    for (uint32_t i = 0; i < loader->map->num_planes; i++) {
        planes[i].type = plane_type(planes[i].normal);
    }
}

static void fill_types(const bsp_map *map, const bsp_face *faces, uint32_t count) {
    bsp_face *out = bspi_writable(faces);
    for (uint32_t i = 0; i < count; i++) {
        out[i].type = map->traits->draws_vertices ? BSP_FACE_MESH : BSP_FACE_POLYGON;
    }
}

// --- runs over arrays that may be damaged -------------------------------------------------------

// Without edges no surfedge is valid, so no face has any.
static void drop_edges(bsp_map *map) {
    bsp_face *lists[2] = {bspi_writable(map->faces), bspi_writable(map->original_faces)};
    uint32_t counts[2] = {map->num_faces, map->num_original_faces};
    for (int l = 0; l < 2; l++) {
        for (uint32_t i = 0; i < counts[l]; i++) {
            lists[l][i].first_edge = 0;
            lists[l][i].num_edges = 0;
        }
    }
    map->num_surfedges = 0;
}

uint32_t bsp_surfedge_vertex(const bsp_map *map, uint32_t surfedge) {
    assert(map != NULL);
    assert(surfedge < map->num_surfedges);
    if (surfedge >= map->num_surfedges) {
        return BSP_NONE;
    }
    int32_t edge = map->surfedges[surfedge];
    uint32_t number = edge < 0 ? 0u - (uint32_t)edge : (uint32_t)edge;
    uint32_t vertex = number < map->num_edges ? map->edges[number].v[edge < 0 ? 1 : 0] : BSP_NONE;
    return vertex < map->num_vertices ? vertex : BSP_NONE;
}

const float *bsp_surfedge_point(const bsp_map *map, uint32_t surfedge) {
    assert(map != NULL);
    uint32_t vertex = bsp_surfedge_vertex(map, surfedge);
    return vertex != BSP_NONE ? map->vertices[vertex].point : NULL;
}

// --- light --------------------------------------------------------------------------------------

// The lowest and highest texel of a face along s and t.
typedef struct texel_range {
    float low[2];
    float high[2];
} texel_range;

static texel_range range_of(const bsp_map *map, const bsp_face *face, const bsp_texinfo *texinfo) {
    texel_range out = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t e = 0; e < face->num_edges; e++) {
        const float *point = bsp_surfedge_point(map, face->first_edge + e);
        for (int axis = 0; point != NULL && axis < 2; axis++) {
            const float *vec = texinfo->texture[axis];
            // As in the engines: products in double, the sum as float.
            float at =
                (float)((double)point[0] * (double)vec[0] + (double)point[1] * (double)vec[1] +
                        (double)point[2] * (double)vec[2] + (double)vec[3]);
            out.low[axis] = at < out.low[axis] ? at : out.low[axis];
            out.high[axis] = at > out.high[axis] ? at : out.high[axis];
        }
    }
    return out;
}

// Places a luxel every `step` texels, from the one at or below the lowest to the one at or above
// the highest.
static void light_of_polygon(const bsp_map *map, uint32_t number, bsp_face_light *light) {
    const bsp_face *face = &map->faces[number];
    float step = (float)map->traits->luxel;
    if (face->texinfo >= map->num_texinfos || face->num_edges == 0 ||
        bspi_face_is_unlit(map, number)) {
        return;
    }
    texel_range range = range_of(map, face, &map->texinfos[face->texinfo]);
    for (int axis = 0; axis < 2; axis++) {
        float first = floorf(range.low[axis] / step);
        float last = ceilf(range.high[axis] / step);
        if (!(fabsf(first) < MAX_LUXEL && fabsf(last) < MAX_LUXEL)) {
            light->size[0] = light->size[1] = 0;
            return;
        }
        light->mins[axis] = (int32_t)first;
        light->size[axis] = (int32_t)last - (int32_t)first + 1;
    }
}

// Quake 3 has one style, which it does not store; sizes may be negative where there is no light.
static void fill_pages(const bspi_loader *loader) {
    bsp_face_light *lights = bspi_writable(loader->map->face_lights);
    bool styles = stores(loader, BSP_ID_FACES, BSPI_MEMBER_face_light_styles);
    for (uint32_t i = 0; i < loader->map->num_face_lights; i++) {
        if (lights[i].size[0] < 0 || lights[i].size[1] < 0) {
            lights[i].size[0] = lights[i].size[1] = 0;
        }
        for (int style = 0; !styles && style < 4; style++) {
            lights[i].styles[style] = style == 0 ? 0 : BSP_NO_STYLE;
            lights[i].page[style] = style == 0 ? lights[i].page[style] : -1;
        }
    }
}

// Source stores the number of luxels minus one.
static void widen_light(const bsp_face_light *list, uint32_t count) {
    bsp_face_light *lights = bspi_writable(list);
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            int32_t size = lights[i].size[axis];
            lights[i].size[axis] = size >= 0 && (float)size < MAX_LUXEL ? size + 1 : 0;
        }
    }
}

// Faces may share their edges, so the work of reading them is counted.
static bool fill_extents(bspi_loader *loader) {
    const bsp_map *map = loader->map;
    bsp_face_light *lights = bspi_writable(map->face_lights);
    for (uint32_t i = 0; i < map->num_face_lights; i++) {
        if (!bspi_heap_work(&loader->owner->heap, map->faces[i].num_edges, loader->error)) {
            return false;
        }
        light_of_polygon(map, i, &lights[i]);
    }
    return true;
}

static bool fill_light(bspi_loader *loader) {
    bsp_map *map = loader->map;
    if (map->traits->light == BSP_LIGHT_RGBEXP32) {
        widen_light(map->face_lights, map->num_face_lights);
        widen_light(map->face_lights_hdr, map->num_face_lights_hdr);
    } else if (map->traits->luxel == 0) {
        fill_pages(loader);
    } else {
        return fill_extents(loader);
    }
    return true;
}

// Both light modes must have the same faces; if they do not, the HDR mode has no light.
static bool repair_hdr_light(bspi_loader *loader) {
    bsp_map *map = loader->map;
    uint32_t count = map->num_face_lights_hdr;
    if (count == 0 || count == map->num_faces) {
        return true;
    }
    map->num_face_lights_hdr = 0;
    return bspi_repaired(loader, BSPI_ISSUE_COUNT_RANGE,
                         bsp_place_at("FACES_HDR", BSP_NONE, NULL, UINT64_MAX),
                         "%u faces, but there are %u without HDR", count, map->num_faces);
}

// --- displacements ------------------------------------------------------------------------------

// Only the stated number of a corner's neighbours is valid; compilers leave the rest unset.
static bool repair_corner(bspi_loader *loader, uint32_t number, bsp_displacement *disp,
                          int corner) {
    static const char *const fields[] = {
        "m_CornerNeighbors[0].m_Neighbors", "m_CornerNeighbors[1].m_Neighbors",
        "m_CornerNeighbors[2].m_Neighbors", "m_CornerNeighbors[3].m_Neighbors"};
    uint32_t *neighbors = disp->corner_neighbors[corner];
    uint32_t count = disp->num_corner_neighbors[corner];
    disp->num_corner_neighbors[corner] = count = count < 4 ? count : 4;
    for (uint32_t n = 0; n < 4; n++) {
        uint32_t value = neighbors[n];
        if (n >= count || value >= loader->map->num_displacements) {
            neighbors[n] = BSP_NONE;
        }
        bsp_place place = bsp_place_at("DISPINFO", number, fields[corner], UINT64_MAX);
        if (n < count && value != BSP_NONE && value >= loader->map->num_displacements &&
            !bspi_repaired(loader, BSPI_ISSUE_INDEX_RANGE, bsp_place_element(place, n, 4),
                           "%u, but there are %u displacements", value,
                           loader->map->num_displacements)) {
            return false;
        }
    }
    return true;
}

static bool repair_displacements(bspi_loader *loader) {
    bsp_displacement *list = bspi_writable(loader->map->displacements);
    for (uint32_t i = 0; i < loader->map->num_displacements; i++) {
        for (int corner = 0; corner < 4; corner++) {
            if (!repair_corner(loader, i, &list[i], corner)) {
                return false;
            }
        }
    }
    return true;
}

// --- overlays -----------------------------------------------------------------------------------

// A record has a fixed number of faces; a larger count means none.
static bool repair_overlays(bspi_loader *loader, bsp_table_id id, const bsp_overlay *list,
                            uint32_t count) {
    bsp_overlay *overlays = bspi_writable(list);
    uint32_t room = stored_count(loader, id, BSPI_MEMBER_overlay_faces);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t faces = overlays[i].num_faces;
        if (faces <= room) {
            continue;
        }
        overlays[i].num_faces = room;
        if (!bspi_repaired(loader, BSPI_ISSUE_COUNT_RANGE,
                           bsp_place_at(bsp_branch_lump_of(loader->map->branch, id)->name, i,
                                        "m_nFaceCount", UINT64_MAX),
                           "%u faces, but a record has room for %u", faces, room)) {
            return false;
        }
    }
    return true;
}

// --- brushes ------------------------------------------------------------------------------------

static void fill_brushes(bsp_map *map) {
    bsp_brush *brushes = bspi_writable(map->brushes);
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        if (brushes[i].material < map->num_materials) {
            brushes[i].contents = (int32_t)map->materials[brushes[i].material].contents;
        }
    }
}

// Quake and GoldSrc number clusters by leaves: leaf n is cluster n - 1.
static void fill_clusters(bsp_map *map) {
    bsp_leaf *leaves = bspi_writable(map->leaves);
    uint32_t visible = map->num_models == 0 ? 0 : map->models[0].vis_leaves;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        leaves[i].cluster = i >= 1 && i <= visible ? i - 1 : BSP_NONE;
    }
}

bool bspi_load_surfaces(bspi_loader *loader) {
    bsp_map *map = loader->map;
    if (!stores(loader, BSP_ID_PLANES, BSPI_MEMBER_plane_type)) {
        fill_planes(loader);
    }
    if (!stores(loader, BSP_ID_FACES, BSPI_MEMBER_face_type)) {
        fill_types(map, map->faces, map->num_faces);
        fill_types(map, map->original_faces, map->num_original_faces);
    }
    if (map->num_edges == 0) {
        drop_edges(map);
    }
    if ((map->num_surfedges != 0 || map->traits->luxel == 0) && !fill_light(loader)) {
        return false;
    }
    if (!stores(loader, BSP_ID_BRUSHES, BSPI_MEMBER_brush_contents)) {
        fill_brushes(map);
    }
    if (!stores(loader, BSP_ID_LEAVES, BSPI_MEMBER_leaf_cluster)) {
        fill_clusters(map);
    }
    return repair_hdr_light(loader) && repair_displacements(loader) &&
           repair_overlays(loader, BSP_ID_OVERLAYS, map->overlays, map->num_overlays) &&
           repair_overlays(loader, BSP_ID_WATER_OVERLAYS, map->water_overlays,
                           map->num_water_overlays);
}
