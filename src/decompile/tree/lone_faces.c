// SPDX-License-Identifier: MIT
// A lone face becomes the front of a plate one unit thick, whose other sides are not drawn.
#include "decompile/tree/lone_faces.h"

#include "core/vector.h"

#include <math.h>

#define THICKNESS 1.0
#define PROBE 0.25 // units in front of a face and on its back side
#define MARGIN 8.0
#define LEAST_WIDTH 0.25 // of the narrowest face: compilers merge planes nearer than 0.04

static void middle_of(const bspi_tree_polygon *polygon, double middle[3]) {
    for (int a = 0; a < 3; a++) {
        middle[a] = 0;
        for (uint32_t i = 0; i < polygon->count; i++) {
            middle[a] += polygon->points[i][a] / polygon->count;
        }
    }
}

// Returns the least distance between an edge and the corner farthest from it.
static double width_of(const bspi_tree_polygon *polygon) {
    double least = INFINITY;
    for (uint32_t i = 0; i < polygon->count; i++) {
        const double *from = polygon->points[i];
        double edge[3];
        double most = 0;
        bspi_vec_subtract(polygon->points[(i + 1) % polygon->count], from, edge);
        double length = bspi_vec_length(edge);
        for (uint32_t c = 0; c < polygon->count && length > BSPI_TREE_EPSILON; c++) {
            double to[3];
            double across[3];
            bspi_vec_subtract(polygon->points[c], from, to);
            bspi_vec_cross(edge, to, across);
            most = fmax(most, bspi_vec_length(across) / length);
        }
        least = length > BSPI_TREE_EPSILON ? fmin(least, most) : least;
    }
    return isfinite(least) ? least : 0;
}

static int32_t contents_at(const bspi_tree *tree, bspi_carver *carver, const double point[3],
                           const double out[3], double distance) {
    double at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = point[a] + distance * out[a];
    }
    return tree->cells[bspi_tree_find(tree, carver, at)].contents;
}

// Faces of liquids have their own kind: they are lone where the liquid is not on their back side.
static bool is_loose(const bsp_map *map, bspi_carver *carver, const bspi_tree *tree,
                     uint32_t number) {
    const bsp_face *face = &map->faces[number];
    if (face->plane >= map->num_planes || face->texinfo >= map->num_texinfos) {
        return false;
    }
    bspi_tree_polygon polygon;
    double middle[3];
    double out[3];
    double dist;
    uint32_t material = map->texinfos[face->texinfo].material;
    bspi_tree_face_polygon(map, number, &polygon);
    middle_of(&polygon, middle);
    bspi_flats_out(&carver->flats, 2 * face->plane + (face->flipped != 0), out, &dist);
    return polygon.count >= 3 &&
           (material >= map->num_materials ||
            bspi_contents_of_name(map, map->materials[material].name) == BSPI_TREE_SOLID) &&
           contents_at(tree, carver, middle, out, -PROBE) == BSPI_TREE_EMPTY && // few are
           contents_at(tree, carver, middle, out, PROBE) == BSPI_TREE_EMPTY;
}

bool bspi_find_loose(const bspi_tree_emitter *emitter, bspi_carver *carver, const bspi_tree *tree,
                     bspi_loose *found) {
    const bsp_map *map = emitter->work->map;
    const bsp_model *model = &map->models[emitter->model];
    *found = (bspi_loose){.room = model->num_faces};
    found->faces = bspi_heap_alloc(carver->flats.heap, found->room, carver->error);
    if (found->faces == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < found->room; i++) {
        found->faces[i] = !carver->starved && is_loose(map, carver, tree, model->first_face + i);
    }
    return !carver->starved;
}

void bspi_loose_end(bspi_loose *found, bspi_carver *carver) {
    bspi_heap_free(carver->flats.heap, found->faces, found->room);
    found->faces = NULL;
}

// Cuts along an edge of the polygon, and keeps its centre.
static bool cut_edge(bspi_carver *carver, const double out[3], const double a[3], const double b[3],
                     const double middle[3]) {
    const double edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double line[3] = {out[1] * edge[2] - out[2] * edge[1], out[2] * edge[0] - out[0] * edge[2],
                      out[0] * edge[1] - out[1] * edge[0]};
    double length = sqrt(line[0] * line[0] + line[1] * line[1] + line[2] * line[2]);
    if (!(length > BSPI_TREE_EPSILON)) {
        return true;
    }
    double dist = 0;
    double inside = 0;
    for (int i = 0; i < 3; i++) {
        line[i] /= length;
        dist += line[i] * a[i];
        inside += line[i] * middle[i];
    }
    if (inside > dist) {
        dist = -dist;
        for (int i = 0; i < 3; i++) {
            line[i] = -line[i];
        }
    }
    uint32_t tag = bspi_flat_tag(carver, line, dist);
    return tag != BSP_NONE && bspi_carve_tag(carver, tag);
}

static bool carve_plate(bspi_carver *carver, uint32_t tag, const bspi_tree_polygon *polygon,
                        const double middle[3]) {
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        mins[a] = maxs[a] = middle[a];
        for (uint32_t i = 0; i < polygon->count; i++) {
            mins[a] = fmin(mins[a], polygon->points[i][a] - MARGIN);
            maxs[a] = fmax(maxs[a], polygon->points[i][a] + MARGIN);
        }
    }
    double out[3];
    double dist;
    bspi_flats_out(&carver->flats, tag, out, &dist);
    const double in[3] = {-out[0], -out[1], -out[2]};
    bspi_carver_box(carver, mins, maxs);
    uint32_t back = bspi_flat_tag(carver, in, THICKNESS - dist);
    bool there = back != BSP_NONE && bspi_carve(carver, NULL, 0, BSP_NONE) &&
                 bspi_carve_tag(carver, tag) && bspi_carve_tag(carver, back);
    for (uint32_t i = 0; there && i < polygon->count; i++) {
        there = cut_edge(carver, out, polygon->points[i], polygon->points[(i + 1) % polygon->count],
                         middle);
    }
    return there;
}

static bool emit_plate(bspi_tree_emitter *e, uint32_t *entity) {
    bspi_work *w = e->work;
    if (*entity == BSP_NONE) {
        *entity = bspi_new_entity(w, bspi_tree_game_of(w->map)->ghost);
    }
    e->entity = *entity;
    return *entity != BSP_NONE && bspi_tree_emit(e, BSPI_TREE_SOLID);
}

// Makes a plate of a face, or counts it as a sliver.
static bool make_plate(bspi_tree_emitter *e, uint32_t number, uint32_t *entity, bspi_loose *found) {
    const bsp_map *map = e->work->map;
    const bsp_face *face = &map->faces[number];
    uint32_t planes = e->carver->flats.count;
    bspi_tree_polygon polygon;
    double middle[3];
    bool good = true;
    bspi_tree_face_polygon(map, number, &polygon);
    middle_of(&polygon, middle);
    if (width_of(&polygon) >= LEAST_WIDTH &&
        carve_plate(e->carver, 2 * face->plane + (face->flipped != 0), &polygon, middle)) {
        good = emit_plate(e, entity);
        found->plates++;
    } else {
        found->slivers++;
    }
    e->carver->flats.count = planes;
    return good && !e->carver->starved;
}

bool bspi_emit_loose(bspi_tree_emitter *emitter, bspi_loose *found) {
    uint32_t first = emitter->work->map->models[emitter->model].first_face;
    bspi_tree_emitter e = *emitter;
    uint32_t entity = BSP_NONE;
    bool good = !e.carver->starved;
    e.bare = true;
    e.fence_class = NULL;
    for (uint32_t i = 0; good && i < found->room; i++) {
        good = !found->faces[i] || make_plate(&e, first + i, &entity, found);
    }
    return good;
}
