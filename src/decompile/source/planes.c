// SPDX-License-Identifier: MIT
// Finds planes for sides that lost theirs. A brush has no plane twice except for its bevels: where
// several sides have the same, something overwrote them (in DotaTesting's test.bsp every third side
// of the map). The planes are still in the map. A side that is seen has its faces in its plane; for
// the others vbsp's order of sides gives the direction, and the plane is as near as the brush's
// faces and leaves allow.
#include "decompile/source/steps.h"
#include "mesh/polyhedron.h"

#include <math.h>
#include <string.h>

#define AXIAL_SIDES 6u // vbsp puts these first: -X, +X, -Y, +Y, -Z, +Z
#define ON_PLANE 0.1   // corners of faces are rounded to 1/32, and the compiler welds them
#define BOX_SLACK 1.0  // boxes of leaves are in whole units, those of models a unit wider

typedef struct repair {
    bspi_work *w;
    bsp_brush_side *sides; // all of the map's; NULL as long as none is changed
} repair;

// A brush with sides that lost their planes. Directions are those of the axial sides.
typedef struct body {
    uint32_t brush;
    uint32_t count;
    uint32_t num_lost;
    bool ordered;                    // the first six sides are the axial ones
    uint32_t planes[BSPI_MAX_SIDES]; // BSP_NONE: lost, and not found yet
    bool lost[BSPI_MAX_SIDES];
    double faces[AXIAL_SIDES];  // how far its faces reach in each direction, at least
    double leaves[AXIAL_SIDES]; // how far it must reach to be in all its leaves
    double ends[AXIAL_SIDES];   // how far its leaves reach; it reaches at least as far
    bool solid; // the brush certainly fills its leaves: each of them has no other brush
    double model[AXIAL_SIDES]; // how far its model reaches
} body;

static const bsp_brush_side *sides_of(const repair *r, const body *b) {
    return &r->w->map->brush_sides[r->w->map->brushes[b->brush].first_side];
}

// Returns how far a point is in an axial direction.
static double reach(const float point[3], uint32_t direction) {
    double at = (double)point[direction / 2];
    return direction % 2 != 0 ? at : -at;
}

static bool is_axial(const bsp_plane *plane, uint32_t direction) {
    return plane->normal[direction / 2] == (direction % 2 != 0 ? 1.0F : -1.0F);
}

// --- what is lost -------------------------------------------------------------------------------

// Finds the sides of the brush that have the plane of another; bevels may repeat a plane.
static bool find_lost(repair *r, body *b) {
    const bsp_map *map = r->w->map;
    const bsp_brush_side *sides = sides_of(r, b);
    b->num_lost = 0;
    if (b->count > BSPI_MAX_SIDES || !bspi_spend(r->w, (uint64_t)b->count * b->count)) {
        return false;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        bool twice = sides[i].plane >= map->num_planes;
        for (uint32_t j = 0; j < b->count && !twice && sides[i].bevel == 0; j++) {
            twice = j != i && sides[j].bevel == 0 && sides[j].plane == sides[i].plane;
        }
        b->lost[i] = twice;
        b->planes[i] = twice ? BSP_NONE : sides[i].plane;
        b->num_lost += twice;
    }
    b->ordered = b->count >= AXIAL_SIDES;
    for (uint32_t i = 0; i < AXIAL_SIDES && b->ordered; i++) {
        b->ordered = b->lost[i] || is_axial(&map->planes[b->planes[i]], i);
    }
    return b->num_lost != 0;
}

// --- faces ---------------------------------------------------------------------------------------

// Returns true if all corners are on the back side of all known planes.
static bool is_inside(repair *r, const body *b, const bsp_face *face) {
    const bsp_map *map = r->w->map;
    if (!bspi_spend(r->w, (uint64_t)face->num_edges * b->count)) {
        return false;
    }
    for (uint32_t e = 0; e < face->num_edges; e++) {
        const float *at = bsp_surfedge_point(map, face->first_edge + e);
        for (uint32_t i = 0; at != NULL && i < b->count; i++) {
            if (b->planes[i] == BSP_NONE) {
                continue;
            }
            const bsp_plane *plane = &map->planes[b->planes[i]];
            double distance = -(double)plane->dist;
            for (int axis = 0; axis < 3; axis++) {
                distance += (double)plane->normal[axis] * (double)at[axis];
            }
            if (!(distance <= ON_PLANE)) {
                return false;
            }
        }
    }
    return face->num_edges != 0;
}

static bool has_plane(const body *b, uint32_t plane) {
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->planes[i] == plane) {
            return true;
        }
    }
    return false;
}

// Returns the plane of the faces that a lost side shows: those with its texinfo inside the brush,
// in a plane of no other side. BSP_NONE if there are none, or several planes.
static uint32_t plane_of_faces(repair *r, const body *b, uint32_t side) {
    const bsp_map *map = r->w->map;
    const bsp_model *model = &map->models[r->w->brush_model[b->brush]];
    uint32_t texinfo = sides_of(r, b)[side].texinfo;
    uint32_t found = BSP_NONE;
    if (texinfo == BSP_NONE || !bspi_spend(r->w, model->num_faces)) {
        return BSP_NONE;
    }
    for (uint32_t i = 0; i < model->num_faces; i++) {
        const bsp_face *face = &map->faces[model->first_face + i];
        if (face->texinfo != texinfo || face->plane >= map->num_planes || face->plane == found ||
            face->displacement != BSP_NONE || has_plane(b, face->plane) ||
            (b->ordered && side < AXIAL_SIDES && !is_axial(&map->planes[face->plane], side)) ||
            !is_inside(r, b, face)) {
            continue;
        }
        if (found != BSP_NONE) {
            return BSP_NONE;
        }
        found = face->plane;
    }
    return found;
}

// Measures how far the faces of the known sides reach.
static void measure_faces(repair *r, body *b) {
    const bsp_map *map = r->w->map;
    const bsp_model *model = &map->models[r->w->brush_model[b->brush]];
    const bsp_brush_side *sides = sides_of(r, b);
    uint64_t work = (uint64_t)model->num_faces * b->count;
    for (uint32_t d = 0; d < AXIAL_SIDES; d++) {
        b->faces[d] = -INFINITY;
    }
    for (uint32_t i = 0; bspi_spend(r->w, work) && i < model->num_faces; i++) {
        const bsp_face *face = &map->faces[model->first_face + i];
        bool own = false;
        work = 0; // the limit is reached
        for (uint32_t s = 0; s < b->count && !own; s++) {
            own = b->planes[s] != BSP_NONE && b->planes[s] == face->plane && sides[s].bevel == 0 &&
                  sides[s].texinfo == face->texinfo;
        }
        if (!own || face->displacement != BSP_NONE || !is_inside(r, b, face)) {
            continue;
        }
        for (uint32_t e = 0; e < face->num_edges; e++) {
            const float *at = bsp_surfedge_point(map, face->first_edge + e);
            for (uint32_t d = 0; at != NULL && d < AXIAL_SIDES; d++) {
                b->faces[d] = fmax(b->faces[d], reach(at, d));
            }
        }
    }
}

// --- leaves --------------------------------------------------------------------------------------

static bool holds_brush(const bsp_map *map, const bsp_leaf *leaf, uint32_t brush) {
    for (uint32_t i = 0; i < leaf->num_brushes; i++) {
        if (map->leaf_brushes[leaf->first_brush + i] == brush) {
            return true;
        }
    }
    return false;
}

// Measures the leaves. A brush is in all leaves that refer to it, and in no other; a solid leaf of
// a single brush is filled by it, unless it was joined with the outside of the world. Returns false
// if no leaf refers to the brush.
static bool measure_leaves(repair *r, body *b) {
    const bsp_map *map = r->w->map;
    const bsp_model *model = &map->models[r->w->brush_model[b->brush]];
    uint32_t contents = (uint32_t)map->brushes[b->brush].contents;
    bool found = false;
    b->solid = (contents & BSPI_SOURCE_SOLID) != 0 && (contents & BSPI_SOURCE_DETAIL) == 0;
    for (uint32_t d = 0; d < AXIAL_SIDES; d++) {
        b->leaves[d] = b->ends[d] = -INFINITY;
        b->model[d] = reach(d % 2 != 0 ? model->maxs : model->mins, d);
    }
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        if (!bspi_spend(r->w, (uint64_t)leaf->num_brushes + 1)) {
            return false;
        }
        if (!holds_brush(map, leaf, b->brush)) {
            continue;
        }
        found = true;
        b->solid = b->solid && leaf->num_brushes == 1 && (leaf->contents & BSPI_SOURCE_SOLID) != 0;
        for (uint32_t d = 0; d < AXIAL_SIDES; d++) {
            b->leaves[d] = fmax(b->leaves[d], reach(d % 2 != 0 ? leaf->mins : leaf->maxs, d));
            b->ends[d] = fmax(b->ends[d], reach(d % 2 != 0 ? leaf->maxs : leaf->mins, d));
        }
    }
    return found;
}

// Returns how badly a plane of that direction, at `dist`, fits. Where the brush fills its leaves
// they end with it; else the nearest plane beyond all that the brush must contain is best.
static double misfit(const body *b, uint32_t direction, double dist) {
    double end = b->ends[direction];
    double most = fmin(end, b->model[direction]) + BOX_SLACK;
    bool beyond = dist >= b->faces[direction] - ON_PLANE && dist > b->leaves[direction] + ON_PLANE;
    if (!beyond || !(dist <= most)) {
        return INFINITY;
    }
    bool filled = b->solid && end <= b->model[direction] + BOX_SLACK;
    return filled && fabs(dist - end) <= BOX_SLACK ? fabs(dist - end) - 2 * BOX_SLACK
                                                   : dist - b->leaves[direction];
}

static uint32_t nearest_plane(repair *r, const body *b, uint32_t direction) {
    const bsp_map *map = r->w->map;
    uint32_t other = b->planes[direction ^ 1u];
    double least = other != BSP_NONE ? ON_PLANE - (double)map->planes[other].dist : -INFINITY;
    uint32_t found = BSP_NONE;
    double best = INFINITY;
    if (!bspi_spend(r->w, map->num_planes)) {
        return BSP_NONE;
    }
    for (uint32_t i = 0; i < map->num_planes; i++) {
        double dist = (double)map->planes[i].dist;
        double off = is_axial(&map->planes[i], direction) ? misfit(b, direction, dist) : INFINITY;
        if (off < best && dist > least) {
            best = off;
            found = i;
        }
    }
    return found;
}

// --- all ----------------------------------------------------------------------------------------

// Finds the planes of all lost sides. Returns false if one is not found.
static bool find_planes(repair *r, body *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->planes[i] == BSP_NONE) {
            b->planes[i] = plane_of_faces(r, b, i);
        }
    }
    measure_faces(r, b);
    bool placed = b->ordered && measure_leaves(r, b);
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->planes[i] == BSP_NONE && placed && i < AXIAL_SIDES) {
            b->planes[i] = nearest_plane(r, b, i);
        }
        if (b->planes[i] == BSP_NONE) {
            return false;
        }
    }
    return true;
}

static bool put_planes(repair *r, const body *b) {
    bspi_work *w = r->w;
    const bsp_map *map = w->map;
    if (r->sides == NULL) {
        r->sides = bspi_arena_raw(&w->arena, map->num_brush_sides, sizeof *r->sides, w->error);
        w->replaced = bspi_arena_zero(&w->arena, map->num_brushes, sizeof *w->replaced, w->error);
        if (r->sides == NULL || w->replaced == NULL) {
            return false;
        }
        memcpy(r->sides, map->brush_sides, map->num_brush_sides * sizeof *r->sides);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        r->sides[map->brushes[b->brush].first_side + i].plane = b->planes[i];
    }
    w->replaced[b->brush] = true;
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_BRUSHES, b->brush,
              "%u of its %u sides lost their planes: found by its faces and leaves", b->num_lost,
              b->count);
    return true;
}

static bool repair_brush(repair *r, body *b, uint32_t brush) {
    b->brush = brush;
    b->count = r->w->map->brushes[brush].num_sides;
    if (b->count == 0 || !find_lost(r, b)) {
        return true;
    }
    if (find_planes(r, b)) {
        return put_planes(r, b);
    }
    bspi_lost(r->w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_BRUSHES, brush,
              "%u of its %u sides lost their planes, and faces and leaves do not tell them",
              b->num_lost, b->count);
    return true;
}

bool bspi_source_repair(bspi_work *w) {
    repair r = {.w = w};
    body *b = NULL;
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        if (w->brush_model[i] >= w->map->num_models) {
            continue;
        }
        b = b != NULL ? b : bspi_arena_zero(&w->arena, 1, sizeof *b, w->error);
        if (b == NULL || !repair_brush(&r, b, i)) {
            return false;
        }
    }
    bsp_map *map = r.sides != NULL ? bspi_arena_raw(&w->arena, 1, sizeof *map, w->error) : NULL;
    if (map != NULL) {
        *map = *w->map;
        map->brush_sides = r.sides;
        w->map = map;
    }
    return r.sides == NULL || map != NULL;
}
