// SPDX-License-Identifier: MIT
// Flat brushes made from faces, for maps whose brushes are lost or unusable: each face is the top
// of a prism. Displacements always have their own brushes (disps.c). Models without a face
// (triggers, area portals) keep their brushes. Facts: sheet source-lumps, faces and original faces.
#include "decompile/source/steps.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CORNERS 64u // the most corners of a prism's polygon
#define DEPTH 1.0   // units, the default of the option
// The largest distance of a corner from the line of its neighbours, in units.
#define LINE_EPSILON 0.02
#define FURTHEST 262144.0 // the largest coordinate
#define LEAST_AREA 0.01   // square units of the smallest face that is written
#define AREA_SLACK 1.0    // square units by which the pieces may exceed their face

const char *bspi_source_back(const bspi_work *w) {
    const char *own = w->options->back_material;
    return own != NULL ? own : "tools/toolsnodraw";
}

// The position and rotation of an entity.
typedef struct stand {
    uint32_t entity; // of the document
    double origin[3];
    double angles[3];
} stand;

typedef struct flattener {
    bspi_work *w;
    double depth;
    uint32_t *flats;   // for each face, and one more: the number of flat faces before it
    uint32_t *written; // for each original face: the last stamp with which it was written
    uint32_t stamp;    // of the entity whose model is being written
    double *pieces;    // for each original face: square units of its pieces
    uint32_t *side;    // for each original face: the side that shows it, or BSP_NONE
} flattener;

// --- polygons -----------------------------------------------------------------------------------

// Gives the corners, counter-clockwise from outside (the file has them clockwise). Returns 0 if
// there are too few or too many, or one is not finite or too far out.
static uint32_t corners_of(const bsp_map *map, const bsp_face *face, double out[CORNERS][3]) {
    if (face->num_edges < 3 || face->num_edges > CORNERS) {
        return 0;
    }
    for (uint32_t i = 0; i < face->num_edges; i++) {
        const float *at = bsp_surfedge_point(map, face->first_edge + i);
        for (int axis = 0; axis < 3 && at != NULL; axis++) {
            out[face->num_edges - 1 - i][axis] = (double)at[axis];
            at = fabs((double)at[axis]) <= FURTHEST ? at : NULL;
        }
        if (at == NULL) {
            return 0;
        }
    }
    return face->num_edges;
}

// Returns true if a corner is on the line of its neighbours: compilers add such corners where
// another face has one, and the walls on both sides of it would be coplanar.
static bool is_on_line(const double a[3], const double at[3], const double b[3]) {
    double along[3], from[3], across[3];
    bspi_vec_subtract(b, a, along);
    bspi_vec_subtract(at, a, from);
    bspi_vec_cross(along, from, across);
    return !(bspi_vec_length(across) > LINE_EPSILON * bspi_vec_length(along));
}

// Removes the corners on straight edges. Returns the number of those left.
static uint32_t straighten(double polygon[CORNERS][3], uint32_t count) {
    for (uint32_t i = 0; i < count && count > 3;) {
        const double *before = polygon[(i + count - 1) % count];
        if (!is_on_line(before, polygon[i], polygon[(i + 1) % count])) {
            i++;
            continue;
        }
        count--;
        memmove(polygon[i], polygon[i + 1], (count - i) * sizeof polygon[0]);
    }
    return count;
}

static double area_of(const double (*polygon)[3], uint32_t count) {
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 2; i < count; i++) {
        double a[3], b[3], across[3];
        bspi_vec_subtract(polygon[i - 1], polygon[0], a);
        bspi_vec_subtract(polygon[i], polygon[0], b);
        bspi_vec_cross(a, b, across);
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += across[axis] / 2;
        }
    }
    return sqrt(bspi_vec_dot(sum, sum));
}

static bool fits_original(const flattener *f, uint32_t original) {
    const bsp_map *map = f->w->map;
    double polygon[CORNERS][3];
    uint32_t count = corners_of(map, &map->original_faces[original], polygon);
    double area = count != 0 ? area_of((const double(*)[3])polygon, count) : 0;
    return area > 0 && f->pieces[original] <= area + AREA_SLACK;
}

// --- brushes ------------------------------------------------------------------------------------

// Builds a prism under `polygon` with the look of `face`; `*side` is its top, or BSP_NONE.
static bool build(flattener *f, const bsp_face *polygon, uint32_t face, const stand *s,
                  uint32_t *side) {
    bspi_work *w = f->w;
    double corners[CORNERS][3];
    static const double up[3] = {0, 0, 1};
    bspi_look top;
    bspi_look rest;
    uint32_t made = BSP_NONE;
    uint32_t count = straighten(corners, corners_of(w->map, polygon, corners));
    bspi_plain_look(&top, bspi_source_back(w), up);
    bspi_plain_look(&rest, bspi_source_back(w), up);
    float normal[3], dist;
    if (bspi_source_face_look(w, face, &top) && bsp_surface_plane(w->map, face, normal, &dist)) {
        bspi_source_repair_projection(&top, normal);
    }
    *side = BSP_NONE;
    bool area = count != 0 && area_of((const double(*)[3])corners, count) >= LEAST_AREA;
    if (area && !bspi_build_prism(w, s->entity, (const double(*)[3])corners, count, f->depth, &top,
                                  &rest, &made)) {
        return false;
    }
    if (made == BSP_NONE) {
        w->report->brushes_lost++;
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_BRUSH, BSP_ID_FACES, face, "the face has no area");
        return true;
    }
    *side = bspi_built_brush(&w->out, made)->first_side;
    bspi_turn_brush(w, made, s->angles, s->origin);
    return true;
}

static bool add_piece(flattener *f, uint32_t face, const stand *s) {
    uint32_t side;
    if (!build(f, &f->w->map->faces[face], face, s, &side)) {
        return false;
    }
    if (f->w->face_side[face] == BSP_NONE) {
        f->w->face_side[face] = side;
    }
    return true;
}

// Adds the original face, from before the tree cut it, once; all its pieces belong to it.
static bool add_original(flattener *f, uint32_t face, const stand *s) {
    const bsp_map *map = f->w->map;
    uint32_t original = map->faces[face].original;
    if (f->written[original] != f->stamp) {
        f->written[original] = f->stamp;
        if (!build(f, &map->original_faces[original], face, s, &f->side[original])) {
            return false;
        }
    }
    if (f->w->face_side[face] == BSP_NONE) {
        f->w->face_side[face] = f->side[original];
    }
    return true;
}

static bool add_face(flattener *f, uint32_t face, const stand *s) {
    const bsp_map *map = f->w->map;
    bsp_brush_mode mode = f->w->options->mode;
    uint32_t original = map->faces[face].original;
    bool kept = original < map->num_original_faces && mode != BSP_BRUSHES_SPLIT;
    if (kept && (mode == BSP_BRUSHES_ORIGINAL || fits_original(f, original))) {
        return add_original(f, face, s);
    }
    if (mode != BSP_BRUSHES_ORIGINAL) {
        return add_piece(f, face, s);
    }
    f->w->report->brushes_lost++;
    bspi_lost(f->w, BSPI_ISSUE_DECOMPILE_BRUSH, BSP_ID_FACES, face,
              "the face before the tree cut it is not in the map");
    return true;
}

// --- models -------------------------------------------------------------------------------------

static bool is_flat(const bsp_map *map, uint32_t face) {
    return map->faces[face].displacement == BSP_NONE && map->faces[face].type == BSP_FACE_POLYGON;
}

static bool has_flat(const flattener *f, const bsp_model *model) {
    // The first face of an empty run may be any number.
    return model->num_faces != 0 &&
           f->flats[model->first_face + model->num_faces] != f->flats[model->first_face];
}

static bool add_model(flattener *f, uint32_t number, const stand *s) {
    const bsp_map *map = f->w->map;
    const bsp_model *model = &map->models[number];
    f->stamp++;
    for (uint32_t i = 0; i < model->num_faces; i++) {
        uint32_t face = model->first_face + i;
        if (!is_flat(map, face)) {
            continue;
        }
        // Any number of entities may show one model, and any number of models may have one face.
        if (!bspi_spend(f->w, 1 + (uint64_t)map->faces[face].num_edges) || !add_face(f, face, s)) {
            return false;
        }
    }
    return true;
}

static stand stand_of(const bspi_work *w, uint32_t entity) {
    bsp_placement place = bsp_entity_placement(w->map, &w->map->entities->list[entity]);
    stand s = {.entity = w->entity_of[entity]};
    for (int axis = 0; axis < 3; axis++) {
        s.origin[axis] = (double)place.origin[axis];
        s.angles[axis] = w->options->keep_angles ? 0 : (double)place.angles[axis];
    }
    return s;
}

static bool add_entity(flattener *f, uint32_t entity) {
    bspi_work *w = f->w;
    const bsp_map *map = w->map;
    uint32_t model = bsp_entity_model(map, &map->entities->list[entity]);
    if (model == BSP_NONE || model == 0 || w->entity_of[entity] == BSP_NONE ||
        !has_flat(f, &map->models[model])) {
        return true;
    }
    stand s = stand_of(w, entity);
    return add_model(f, model, &s);
}

// Drops the brushes that flat faces replace: those of the world that no entity needs, and all of a
// model that has faces and an entity.
static void drop_brushes(const flattener *f) {
    bspi_work *w = f->w;
    bspi_source_state *state = bspi_source_of(w);
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        uint32_t model = w->brush_model[i];
        bool world = model == 0 && state->owners[i].entity == 0;
        if (world) {
            state->owners[i].entity = BSP_NONE;
        } else if (model != 0 && model != BSP_NONE && w->model_entity[model] != BSP_NONE &&
                   has_flat(f, &w->map->models[model])) {
            w->brush_model[i] = BSP_NONE;
        }
    }
}

static bool prepare(flattener *f) {
    bspi_work *w = f->w;
    const bsp_map *map = w->map;
    uint32_t count = map->num_original_faces;
    f->flats = bspi_arena_zero(&w->arena, (size_t)map->num_faces + 1, sizeof *f->flats, w->error);
    f->written = bspi_arena_zero(&w->arena, count, sizeof *f->written, w->error);
    f->pieces = bspi_arena_zero(&w->arena, count, sizeof *f->pieces, w->error);
    f->side = bspi_arena_raw(&w->arena, count, sizeof *f->side, w->error);
    if (f->flats == NULL || f->written == NULL || f->pieces == NULL || f->side == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_faces; i++) {
        double polygon[CORNERS][3];
        uint32_t original = map->faces[i].original;
        f->flats[i + 1] = f->flats[i] + (is_flat(map, i) ? 1 : 0);
        if (original < count) {
            uint32_t corners = corners_of(map, &map->faces[i], polygon);
            f->pieces[original] += area_of((const double(*)[3])polygon, corners);
        }
    }
    return true;
}

bool bspi_source_flat(bspi_work *w) {
    const bsp_map *map = w->map;
    double thickness = w->options->thickness;
    flattener f = {.w = w, .depth = thickness > 0 ? thickness : DEPTH};
    if (w->options->mode == BSP_BRUSHES_PLANES || map->num_models == 0) {
        return true;
    }
    const stand world = {.entity = 0};
    uint32_t count = map->entities != NULL ? map->entities->count : 0;
    if (!prepare(&f) || !add_model(&f, 0, &world)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!add_entity(&f, i)) {
            return false;
        }
    }
    drop_brushes(&f);
    return true;
}
