// SPDX-License-Identifier: MIT
// The compiled map as a bsp_map, and that as a file.
#include "emit.h"

#include <math.h>
#include <string.h>

// --- planes, textures, brushes ------------------------------------------------------------------

static void emit_planes(const world *w, bsp_map *map) {
    bsp_plane *out = zeroed(w->planes.count * sizeof *out);
    for (uint32_t i = 0; i < w->planes.count; i++) {
        vec3 n = w->planes.list[i].normal;
        int nearest = 0;
        for (int k = 1; k < 3; k++) {
            nearest = fabs(n.v[k]) > fabs(n.v[nearest]) + 1e-6 ? k : nearest;
        }
        put_vec3(out[i].normal, n);
        out[i].dist = (float)w->planes.list[i].dist;
        out[i].type = fabs(n.v[nearest]) == 1 ? nearest : nearest + 3;
    }
    map->planes = out;
    map->num_planes = w->planes.count;
}

static void emit_textures(const world *w, bsp_map *map) {
    bsp_texinfo *infos = zeroed(w->num_texinfos * sizeof *infos);
    for (uint32_t i = 0; i < w->num_texinfos; i++) {
        infos[i].flags = w->texinfos[i].flags;
        infos[i].material = w->texinfos[i].material;
        infos[i].next = BSP_NONE;
        for (int a = 0; a < 2; a++) {
            for (int c = 0; c < 4; c++) {
                infos[i].texture[a][c] = (float)w->texinfos[i].texture[a][c];
                infos[i].light[a][c] = (float)w->texinfos[i].light[a][c];
            }
        }
    }
    bsp_material *materials = zeroed(w->num_materials * sizeof *materials);
    for (uint32_t i = 0; i < w->num_materials; i++) {
        const material *m = &w->materials[i];
        materials[i].name = m->name;
        materials[i].width = m->width;
        materials[i].height = m->height;
        materials[i].view_width = m->width;
        materials[i].view_height = m->height;
        for (int c = 0; c < 3; c++) {
            materials[i].reflectivity[c] = (float)m->reflectivity[c];
        }
    }
    map->texinfos = infos;
    map->num_texinfos = w->num_texinfos;
    map->materials = materials;
    map->num_materials = w->num_materials;
}

static void emit_brushes(const world *w, bsp_map *map) {
    bsp_brush *brushes = NULL;
    bsp_brush_side *sides = NULL;
    uint32_t num_brushes = 0;
    uint32_t num_sides = 0;
    for (uint32_t m = 0; m < w->num_models; m++) {
        for (uint32_t i = 0; i < w->models[m].num_brushes; i++) {
            const brush *b = &w->models[m].brushes[i];
            bsp_brush out = {num_sides, b->num_sides, (int32_t)b->contents, BSP_NONE};
            PUSH(brushes, num_brushes, out);
            for (uint32_t s = 0; s < b->num_sides; s++) {
                bsp_brush_side record = {.plane = b->sides[s].plane,
                                         .texinfo = b->sides[s].texinfo,
                                         .material = BSP_NONE,
                                         .displacement = BSP_NONE,
                                         .bevel = b->sides[s].bevel ? 1 : 0,
                                         .face = BSP_NONE};
                PUSH(sides, num_sides, record);
            }
        }
    }
    map->brushes = brushes;
    map->num_brushes = num_brushes;
    map->brush_sides = sides;
    map->num_brush_sides = num_sides;
}

// --- tree ---------------------------------------------------------------------------------------

static void put_box(box3 box, float mins[3], float maxs[3]) {
    for (int i = 0; i < 3; i++) {
        mins[i] = (float)floor(box.mins.v[i] + ON_EPSILON);
        maxs[i] = (float)ceil(box.maxs.v[i] - ON_EPSILON);
    }
}

static bool sees_sky(const world *w, const leaf *l) {
    const uint8_t *row = w->visible + (size_t)l->cluster * w->row_bytes;
    for (uint32_t i = 0; l->cluster != BSP_NONE && i < w->num_leaves; i++) {
        uint32_t other = w->leaves[i].cluster;
        if (w->leaves[i].sky && other != BSP_NONE && (row[other >> 3] >> (other & 7) & 1) != 0) {
            return true;
        }
    }
    return false;
}

static void emit_leaves(const world *w, bsp_map *map) {
    bsp_leaf *out = zeroed(w->num_leaves * sizeof *out);
    uint32_t *faces = NULL;
    uint32_t *brushes = NULL;
    uint32_t num_faces = 0;
    uint32_t num_brushes = 0;
    for (uint32_t i = 0; i < w->num_leaves; i++) {
        const leaf *l = &w->leaves[i];
        out[i].contents = (int32_t)l->contents;
        out[i].cluster = l->cluster;
        out[i].area = l->cluster == BSP_NONE ? 0 : 1;
        out[i].flags = sees_sky(w, l) ? 1 : 0;
        out[i].water = l->water;
        out[i].vis_offset = BSP_NONE;
        if (w->ambient_index[i].count != 0) { // branches before 20 keep it here
            memcpy(out[i].cube, w->ambient[w->ambient_index[i].first].cube, sizeof out[i].cube);
        }
        out[i].first_face = num_faces;
        out[i].num_faces = l->num_faces;
        out[i].first_brush = num_brushes;
        out[i].num_brushes = l->num_brushes;
        if (l->cell != NULL) {
            put_box(hull_box(l->cell), out[i].mins, out[i].maxs);
        }
        for (uint32_t f = 0; f < l->num_faces; f++) {
            PUSH(faces, num_faces, l->faces[f]);
        }
        for (uint32_t b = 0; b < l->num_brushes; b++) {
            PUSH(brushes, num_brushes, l->brushes[b]);
        }
    }
    map->leaves = out;
    map->num_leaves = w->num_leaves;
    map->leaf_faces = faces;
    map->num_leaf_faces = num_faces;
    map->leaf_brushes = brushes;
    map->num_leaf_brushes = num_brushes;
}

static void emit_nodes(const world *w, bsp_map *map) {
    bsp_node *out = zeroed(w->num_nodes * sizeof *out);
    for (uint32_t i = 0; i < w->num_nodes; i++) {
        const node *n = &w->nodes[i];
        out[i].plane = n->plane;
        out[i].children[0] = n->children[0];
        out[i].children[1] = n->children[1];
        out[i].first_face = n->num_faces == 0 ? 0 : n->faces[0];
        out[i].num_faces = n->num_faces;
        out[i].area = i < w->models[0].num_nodes ? 1 : 0; // there is one area
        put_box(n->box, out[i].mins, out[i].maxs);
    }
    map->nodes = out;
    map->num_nodes = w->num_nodes;
}

static void emit_models(const world *w, bsp_map *map) {
    bsp_model *out = zeroed(w->num_models * sizeof *out);
    for (uint32_t i = 0; i < w->num_models; i++) {
        const model *m = &w->models[i];
        put_vec3(out[i].mins, m->box.mins);
        put_vec3(out[i].maxs, m->box.maxs);
        out[i].headnodes[0] = m->root;
        out[i].first_face = m->first_face;
        out[i].num_faces = m->num_faces;
    }
    map->models = out;
    map->num_models = w->num_models;
}

// Area 0 is nowhere, and so is portal 0.
static void emit_areas(bsp_map *map) {
    static const bsp_area areas[2] = {{0, 0}, {0, 1}};
    static const bsp_area_portal none[1];
    map->areas = areas;
    map->num_areas = 2;
    map->area_portals = none;
    map->num_area_portals = 1;
}

static void emit_visibility(const world *w, bsp_map *map) {
    size_t size = (size_t)w->num_clusters * w->row_bytes;
    uint8_t *rows = zeroed(2 * size);
    uint32_t *offsets = zeroed(2 * w->num_clusters * sizeof *offsets);
    memcpy(rows, w->visible, size);
    memcpy(rows + size, w->audible, size);
    for (uint32_t i = 0; i < 2 * w->num_clusters; i++) {
        offsets[i] = i * w->row_bytes;
    }
    map->visibility = (bsp_visibility){.num_clusters = w->num_clusters,
                                       .row_bytes = w->row_bytes,
                                       .pvs = offsets,
                                       .phs = offsets + w->num_clusters,
                                       .rows = {rows, 2 * size}};
}

// --- the file -----------------------------------------------------------------------------------

void emit_tree(const world *w, bsp_map *map) {
    emit_planes(w, map);
    emit_leaves(w, map);
    emit_nodes(w, map);
    emit_models(w, map);
    emit_areas(map);
    emit_visibility(w, map);
}

bool emit(world *w, const char *branch_name, bool big_endian, uint32_t static_props, bsp_blob *out,
          bsp_error *error) {
    const bsp_branch *branch = bsp_branch_find(branch_name);
    if (branch == NULL) {
        fail("there is no branch %s", branch_name);
    }
    bsp_map map = {.branch = branch, .traits = bsp_branch_traits(branch)};
    bsp_entities *entities = bsp_entities_parse(entity_text(w), NULL, NULL, error);
    map.entities = entities;
    emit_tree(w, &map);
    emit_textures(w, &map);
    emit_brushes(w, &map);
    emit_faces(w, &map);
    emit_hills(w, &map);
    emit_props(w, &map);
    emit_details(w, &map);
    emit_light(w, &map);
    if (bsp_branch_lump_of(branch, BSP_ID_AMBIENT_INDEX) == NULL) {
        map.num_ambient_samples = 0;
    }
    map.leaf_waters = w->waters;
    map.num_leaf_waters = w->num_waters;
    map.leaf_water_dists = zeroed(w->num_leaves * sizeof *map.leaf_water_dists);
    map.num_leaf_water_dists = w->num_leaves; // Valve's compiler, too, leaves them 0
    bsp_write_options options = {
        .big_endian = big_endian, .revision = 1, .static_prop_version = static_props};
    bool done = entities != NULL && bsp_map_write(&map, branch, &options, out, error);
    bsp_entities_free(entities);
    return done;
}
