// SPDX-License-Identifier: MIT
// Respawn's surfaces: meshes whose corners are numbers of vertices, which refer to their position
// and their normal. They become draw vertices and indices as in Quake 3. Source: sheet
// source-versions (8.2).
#include "map/load.h"

#include "layout/layout.h"
#include "formats/map_members.h"

#include <string.h>

#define KIND_SHIFT 9u // two bits of a mesh's flags: the type of its vertices
#define KIND_MASK 3u

/// Vertices of one type, and where they begin among the draw vertices.
typedef struct vert_list {
    bsp_table_id id;
    const bsp_indexed_vert *verts;
    uint32_t count;
    uint32_t first;
    bool lit; ///< they have a position on a light page
} vert_list;

enum { NUM_KINDS = 5 };

// In the order of the flags; the flags for the last type are not known.
static void list_kinds(const bsp_map *map, vert_list lists[NUM_KINDS]) {
    const vert_list kinds[NUM_KINDS] = {
        {BSP_ID_VERTS_LIT_FLAT, map->lit_flat_verts, map->num_lit_flat_verts, 0, false},
        {BSP_ID_VERTS_LIT_BUMP, map->lit_bump_verts, map->num_lit_bump_verts, 0, false},
        {BSP_ID_VERTS_UNLIT, map->unlit_verts, map->num_unlit_verts, 0, false},
        {BSP_ID_VERTS_UNLIT_TS, map->unlit_ts_verts, map->num_unlit_ts_verts, 0, false},
        {BSP_ID_VERTS_BLINN_PHONG, map->blinn_phong_verts, map->num_blinn_phong_verts, 0, false},
    };
    for (int k = 0; k < NUM_KINDS; k++) {
        uint32_t field;
        const bsp_lump_def *def = bsp_branch_lump_of(map->branch, kinds[k].id);
        lists[k] = kinds[k];
        lists[k].lit = def != NULL && def->num_variants != 0 &&
                       bspi_layout_find(def->variants[0].layout, BSPI_MEMBER_indexed_vert_light_uv,
                                        &field) != NULL;
    }
}

static bsp_draw_vert draw_vert(const bsp_map *map, const bsp_indexed_vert *from) {
    bsp_draw_vert out = {.normal = {0, 0, 1}};
    if (from->vertex < map->num_vertices) {
        memcpy(out.point, map->vertices[from->vertex].point, sizeof out.point);
    }
    if (from->normal < map->num_vert_normals) {
        memcpy(out.normal, map->vert_normals[from->normal].point, sizeof out.normal);
    }
    memcpy(out.uv, from->uv, sizeof out.uv);
    memcpy(out.light_uv[0], from->light_uv, sizeof out.light_uv[0]);
    memcpy(out.color[0], from->color, sizeof out.color[0]);
    return out;
}

static bool make_verts(bspi_loader *loader, vert_list lists[NUM_KINDS]) {
    bsp_map *map = loader->map;
    uint64_t total = 0;
    for (int k = 0; k < NUM_KINDS; k++) {
        lists[k].first = (uint32_t)total;
        total += lists[k].count;
    }
    if (total > INT32_MAX) {
        return bsp_fail(loader->error, BSP_E_LIMIT, NULL, "%llu vertices are too many",
                        (unsigned long long)total);
    }
    bsp_draw_vert *verts =
        bspi_arena_raw(&loader->owner->arena, (size_t)total, sizeof *verts, loader->error);
    for (int k = 0; verts != NULL && k < NUM_KINDS; k++) {
        for (uint32_t i = 0; i < lists[k].count; i++) {
            verts[lists[k].first + i] = draw_vert(map, &lists[k].verts[i]);
        }
    }
    map->draw_verts = verts;
    map->num_draw_verts = verts == NULL ? 0 : (uint32_t)total;
    return verts != NULL;
}

static const vert_list *kind_of(const vert_list lists[NUM_KINDS], const bsp_face *face) {
    return &lists[face->flags >> KIND_SHIFT & KIND_MASK];
}

// A mesh may use all vertices of its type from those of its sort on, as its indices say.
static void set_verts(const bsp_map *map, const vert_list lists[NUM_KINDS], bsp_face *face) {
    const vert_list *list = kind_of(lists, face);
    uint32_t skip = face->sort < map->num_material_sorts
                        ? map->material_sorts[face->sort].first_vert
                        : list->count;
    skip = skip < list->count ? skip : list->count;
    face->first_vert = list->first + skip;
    face->num_verts = list->count - skip;
}

static bool set_indices(bspi_loader *loader, uint32_t number, bsp_face *face) {
    uint64_t total = loader->map->num_draw_indices;
    uint64_t count = 3 * (uint64_t)face->num_triangles;
    if (face->first_index + count <= total) {
        face->num_indices = (uint32_t)count;
        return true;
    }
    uint32_t stated = face->first_index;
    face->first_index = stated < total ? stated : 0;
    face->num_indices = stated < total ? (uint32_t)((total - stated) / 3 * 3) : 0;
    return bspi_repaired(loader, BSPI_ISSUE_MESH_RANGE,
                         bsp_place_at("MESHES", number, "firstIndex", UINT64_MAX),
                         "%u and the next %llu, but there are %llu draw indices", stated,
                         (unsigned long long)count, (unsigned long long)total);
}

// Sets one page for all styles; the light coordinates are those of the whole page.
static void set_light(const bsp_map *map, const vert_list *kind, const bsp_face *face,
                      bsp_face_light *light) {
    uint32_t page = kind->lit && face->sort < map->num_material_sorts
                        ? map->material_sorts[face->sort].light_page
                        : BSP_NONE;
    bool lit = page < map->num_light_headers;
    light->page[0] = lit ? (int32_t)page : -1;
    light->page[1] = light->page[2] = light->page[3] = -1;
    light->size[0] = lit ? (int32_t)map->light_headers[page].width : 0;
    light->size[1] = lit ? (int32_t)map->light_headers[page].height : 0;
    light->offset = BSP_NONE;
}

bool bspi_load_meshes(bspi_loader *loader) {
    bsp_map *map = loader->map;
    vert_list lists[NUM_KINDS];
    if (!map->traits->shares_vertices || (loader->load & BSP_LOAD_SURFACES) == 0) {
        return true;
    }
    list_kinds(map, lists);
    if (!make_verts(loader, lists)) {
        return false;
    }
    bsp_face *faces = bspi_writable(map->faces);
    bsp_face_light *lights = bspi_writable(map->face_lights);
    for (uint32_t i = 0; i < map->num_faces; i++) {
        bsp_face *face = &faces[i];
        face->material = face->sort < map->num_material_sorts
                             ? map->material_sorts[face->sort].material
                             : BSP_NONE;
        set_verts(map, lists, face);
        set_light(map, kind_of(lists, face), face, &lights[i]);
        if (!set_indices(loader, i, face)) {
            return false;
        }
    }
    return true;
}
