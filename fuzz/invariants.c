// SPDX-License-Identifier: MIT
// The promises of map.h, one row for each index and run. Written against the public structures, not
// against the loader's tables: the two must agree.
#include "invariants.h"

#include "meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An array of the map, by the offsets of its pointer and its count.
typedef struct array {
    size_t data;
    size_t count;
    size_t stride;
} array;

typedef struct index_row {
    const char *name;
    array from;
    size_t member;
    uint32_t elements;
    size_t target; // offset of the count
} index_row;

typedef struct run_row {
    const char *name;
    array from;
    size_t first;
    size_t length;
    size_t target;
} run_row;

#define ARRAY(name)                                                                                \
    { offsetof(bsp_map, name), offsetof(bsp_map, num_##name), sizeof *((bsp_map *)0)->name }
#define COUNT_OF(name) offsetof(bsp_map, num_##name)
#define INDEX(list, type, member, target)                                                          \
    {                                                                                              \
#list "." #member, ARRAY(list), offsetof(type, member),                                    \
            (uint32_t)(sizeof((type *)0)->member / 4), COUNT_OF(target)                            \
    }
#define BARE(list, target)                                                                         \
    { #list, ARRAY(list), 0, 1, COUNT_OF(target) }
#define RUN(list, type, first, length, target)                                                     \
    {                                                                                              \
#list "." #first, ARRAY(list), offsetof(type, first), offsetof(type, length),              \
            COUNT_OF(target)                                                                       \
    }

// clang-format off
static const index_row indices[] = {
    INDEX(edges, bsp_edge, v, vertices),
    INDEX(texinfos, bsp_texinfo, material, materials),
    INDEX(texinfos, bsp_texinfo, next, texinfos),
    INDEX(faces, bsp_face, plane, planes),
    INDEX(faces, bsp_face, texinfo, texinfos),
    INDEX(faces, bsp_face, material, materials),
    INDEX(faces, bsp_face, displacement, displacements),
    INDEX(faces, bsp_face, original, original_faces),
    INDEX(faces, bsp_face, fog, fogs),
    INDEX(original_faces, bsp_face, plane, planes),
    INDEX(original_faces, bsp_face, texinfo, texinfos),
    INDEX(nodes, bsp_node, plane, planes),
    INDEX(leaves, bsp_leaf, water, leaf_waters),
    INDEX(clipnodes, bsp_clipnode, plane, planes),
    INDEX(brushes, bsp_brush, material, materials),
    INDEX(brush_sides, bsp_brush_side, plane, planes),
    INDEX(brush_sides, bsp_brush_side, texinfo, texinfos),
    INDEX(brush_sides, bsp_brush_side, material, materials),
    INDEX(brush_sides, bsp_brush_side, face, faces),
    INDEX(area_portals, bsp_area_portal, plane, planes),
    INDEX(fogs, bsp_fog, brush, brushes),
    INDEX(world_lights, bsp_world_light, texinfo, texinfos),
    INDEX(world_lights_hdr, bsp_world_light, texinfo, texinfos),
    INDEX(displacements, bsp_displacement, face, faces),
    INDEX(displacements, bsp_displacement, corner_neighbors, displacements),
    INDEX(overlays, bsp_overlay, texinfo, texinfos),
    INDEX(water_overlays, bsp_overlay, texinfo, texinfos),
    INDEX(leaf_waters, bsp_leaf_water, texinfo, texinfos),
    INDEX(occluder_polys, bsp_occluder_poly, plane, planes),
    INDEX(static_props, bsp_static_prop, model, static_prop_models),
    INDEX(detail_props, bsp_detail_prop, leaf, leaves),
    BARE(leaf_faces, faces),
    BARE(leaf_brushes, brushes),
    BARE(vert_normal_indices, vert_normals),
    BARE(occluder_indices, vertices),
    BARE(static_prop_leaves, leaves),
};

static const run_row runs[] = {
    RUN(faces, bsp_face, first_edge, num_edges, surfedges),
    RUN(faces, bsp_face, first_prim, num_prims, primitives),
    RUN(faces, bsp_face, first_vert, num_verts, draw_verts),
    RUN(faces, bsp_face, first_index, num_indices, draw_indices),
    RUN(original_faces, bsp_face, first_edge, num_edges, surfedges),
    RUN(nodes, bsp_node, first_face, num_faces, faces),
    RUN(leaves, bsp_leaf, first_face, num_faces, leaf_faces),
    RUN(leaves, bsp_leaf, first_brush, num_brushes, leaf_brushes),
    RUN(models, bsp_model, first_face, num_faces, faces),
    RUN(models, bsp_model, first_brush, num_brushes, brushes),
    RUN(brushes, bsp_brush, first_side, num_sides, brush_sides),
    RUN(areas, bsp_area, first_portal, num_portals, area_portals),
    RUN(area_portals, bsp_area_portal, first_vert, num_verts, clip_portal_verts),
    RUN(primitives, bsp_primitive, first_index, num_indices, prim_indices),
    RUN(primitives, bsp_primitive, first_vert, num_verts, prim_verts),
    RUN(ambient_index, bsp_ambient_index, first, count, ambient_samples),
    RUN(ambient_index_hdr, bsp_ambient_index, first, count, ambient_samples_hdr),
    RUN(occluders, bsp_occluder, first_poly, num_polys, occluder_polys),
    RUN(occluder_polys, bsp_occluder_poly, first_index, num_indices, occluder_indices),
    RUN(static_props, bsp_static_prop, first_leaf, num_leaves, static_prop_leaves),
};
// clang-format on

#define LENGTH(list) (sizeof(list) / sizeof *(list))

static uint32_t word_at(const void *p, size_t offset) {
    uint32_t word;
    memcpy(&word, (const uint8_t *)p + offset, sizeof word);
    return word;
}

static const uint8_t *array_of(const bsp_map *map, const array *a) {
    const uint8_t *data;
    memcpy(&data, (const uint8_t *)map + a->data, sizeof data);
    return data;
}

static void expect(bool condition, const char *name, uint32_t record, uint64_t value,
                   uint64_t limit) {
    if (!condition) {
        fprintf(stderr, "%s of record %u is %llu, and there are %llu\n", name, record,
                (unsigned long long)value, (unsigned long long)limit);
        abort();
    }
}

static void check_indices(const bsp_map *map, const index_row *row) {
    const uint8_t *data = array_of(map, &row->from);
    uint32_t count = word_at(map, row->from.count);
    uint32_t limit = word_at(map, row->target);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < row->elements; e++) {
            uint32_t value = word_at(data + i * row->from.stride, row->member + e * 4);
            expect(value < limit || value == BSP_NONE, row->name, i, value, limit);
        }
    }
}

static void check_runs(const bsp_map *map, const run_row *row) {
    const uint8_t *data = array_of(map, &row->from);
    uint32_t count = word_at(map, row->from.count);
    uint64_t limit = word_at(map, row->target);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t first = word_at(data + i * row->from.stride, row->first);
        uint64_t length = word_at(data + i * row->from.stride, row->length);
        expect(length == 0 || first + length <= limit, row->name, i, first + length, limit);
    }
}

// --- trees --------------------------------------------------------------------------------------

static void check_child(int64_t child, uint32_t nodes, int64_t lowest, const char *name,
                        uint32_t record) {
    expect(child < 0 ? child >= lowest : child < nodes, name, record, (uint64_t)child, nodes);
}

static int32_t child_at(const uint8_t *children, size_t stride, uint32_t node, uint32_t side) {
    return (int32_t)word_at(children + node * stride, side * 4u);
}

// Removes nodes without a parent until none is left: the rest are cycles.
static void check_acyclic(const uint8_t *children, size_t stride, uint32_t count,
                          const char *name) {
    uint32_t *parents = calloc((size_t)count + 1, sizeof *parents);
    uint32_t *ready = malloc(((size_t)count + 1) * sizeof *ready);
    uint32_t num_ready = 0;
    uint32_t taken = 0;
    FUZZ_CHECK(parents != NULL && ready != NULL);
    for (uint32_t i = 0; i < count * 2; i++) {
        int32_t child = child_at(children, stride, i / 2, i % 2);
        parents[child < 0 ? count : (uint32_t)child]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (parents[i] == 0) {
            ready[num_ready++] = i;
        }
    }
    for (; taken < num_ready; taken++) {
        for (uint32_t side = 0; side < 2; side++) {
            int32_t child = child_at(children, stride, ready[taken], side);
            if (child >= 0 && --parents[child] == 0) {
                ready[num_ready++] = (uint32_t)child;
            }
        }
    }
    expect(taken == count, name, taken, count, count);
    free(ready);
    free(parents);
}

static void check_trees(const bsp_map *map) {
    int64_t lowest_leaf = -(int64_t)map->num_leaves;
    for (uint32_t i = 0; i < map->num_nodes * 2; i++) {
        check_child(map->nodes[i / 2].children[i % 2], map->num_nodes, lowest_leaf,
                    "nodes.children", i / 2);
    }
    for (uint32_t i = 0; i < map->num_clipnodes * 2; i++) {
        check_child(map->clipnodes[i / 2].children[i % 2], map->num_clipnodes, INT32_MIN,
                    "clipnodes.children", i / 2);
    }
    // Nodes without leaves are not a tree, and headnodes have no meaning then.
    for (uint32_t i = 0; i < map->num_models; i++) {
        const int32_t *heads = map->models[i].headnodes;
        if (map->num_leaves != 0 && map->num_nodes != 0) {
            check_child(heads[0], map->num_nodes, lowest_leaf, "models.headnodes", i);
        }
        for (uint32_t hull = 1; hull < map->traits->num_hulls && map->num_clipnodes != 0; hull++) {
            check_child(heads[hull], map->num_clipnodes, INT32_MIN, "models.headnodes", i);
        }
    }
    if (map->num_nodes != 0) {
        check_acyclic((const uint8_t *)map->nodes->children, sizeof *map->nodes, map->num_nodes,
                      "nodes");
    }
    if (map->num_clipnodes != 0) {
        check_acyclic((const uint8_t *)map->clipnodes->children, sizeof *map->clipnodes,
                      map->num_clipnodes, "clipnodes");
    }
}

// --- special rules -------------------------------------------------------------------------------

static void check_surfedges(const bsp_map *map) {
    for (uint32_t i = 0; i < map->num_surfedges; i++) {
        int64_t edge = map->surfedges[i];
        expect((edge < 0 ? -edge : edge) < map->num_edges, "surfedges", i, (uint64_t)edge,
               map->num_edges);
    }
}

static void check_displacements(const bsp_map *map) {
    for (uint32_t i = 0; i < map->num_displacements; i++) {
        for (uint32_t n = 0; n < 8; n++) {
            uint32_t neighbor = map->displacements[i].edge_neighbors[n / 2][n % 2][0];
            expect(neighbor < map->num_displacements || neighbor == BSP_NONE,
                   "displacements.edge_neighbors", i, neighbor, map->num_displacements);
        }
        for (uint32_t corner = 0; corner < 4; corner++) {
            FUZZ_CHECK(map->displacements[i].num_corner_neighbors[corner] <= 4);
        }
    }
}

static void check_overlays(const bsp_map *map, const bsp_overlay *overlays, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_CHECK(overlays[i].num_faces <= BSP_OVERLAY_FACES);
        for (uint32_t n = 0; n < overlays[i].num_faces; n++) {
            uint32_t face = overlays[i].faces[n];
            expect(face < map->num_faces || face == BSP_NONE, "overlays.faces", i, face,
                   map->num_faces);
        }
    }
}

static void check_lights(const bsp_face_light *lights, uint32_t count, bsp_bytes light,
                         const char *name) {
    for (uint32_t i = 0; i < count && light.size != 0; i++) {
        expect(lights[i].offset < light.size || lights[i].offset == BSP_NONE, name, i,
               lights[i].offset, light.size);
        FUZZ_CHECK(lights[i].size[0] >= 0 && lights[i].size[1] >= 0);
    }
}

static void check_visibility(const bsp_map *map) {
    const bsp_visibility *vis = &map->visibility;
    FUZZ_CHECK((uint64_t)vis->row_bytes * 8 >= vis->num_clusters);
    for (uint32_t i = 0; i < vis->num_clusters; i++) {
        FUZZ_CHECK(vis->pvs[i] < vis->rows.size || vis->pvs[i] == BSP_NONE);
        FUZZ_CHECK(vis->phs == NULL || vis->phs[i] < vis->rows.size || vis->phs[i] == BSP_NONE);
    }
    for (uint32_t i = 0; vis->num_clusters != 0 && i < map->num_leaves; i++) {
        uint32_t cluster = map->leaves[i].cluster;
        expect(cluster < vis->num_clusters || cluster == BSP_NONE, "leaves.cluster", i, cluster,
               vis->num_clusters);
    }
}

void fuzz_check_map(const bsp_map *map) {
    for (size_t i = 0; i < LENGTH(indices); i++) {
        check_indices(map, &indices[i]);
    }
    for (size_t i = 0; i < LENGTH(runs); i++) {
        check_runs(map, &runs[i]);
    }
    FUZZ_CHECK(map->num_face_lights == 0 || map->num_face_lights == map->num_faces);
    FUZZ_CHECK(map->num_face_lights_hdr == 0 || map->num_face_lights_hdr == map->num_faces);
    check_trees(map);
    check_surfedges(map);
    check_displacements(map);
    check_overlays(map, map->overlays, map->num_overlays);
    check_overlays(map, map->water_overlays, map->num_water_overlays);
    check_lights(map->face_lights, map->num_face_lights, map->light, "face_lights.offset");
    check_lights(map->face_lights_hdr, map->num_face_lights_hdr, map->light_hdr,
                 "face_lights_hdr.offset");
    check_visibility(map);
}
