// SPDX-License-Identifier: MIT
// Displacements: of the brush only the displaced face is left, so it becomes the top of a new
// brush. Vertices, tags and allowed vertices have the order of editors. Facts: sheets outputs (2.1)
// and source-lumps (3).
#include "decompile/source/steps.h"

#include "mesh/disp_grid.h"
#include "mesh/mesher.h"
#include "records/file.h"

#include <math.h>
#include <string.h>

#define DEPTH 16.0 // of the new brush, units
#define CORNERS 4u
#define LEAST_POWER 2u // of Hammer
#define FLAGS (BSPI_DISP_NO_PHYSICS | BSPI_DISP_NO_HULLS | BSPI_DISP_NO_RAYS)
#define TAG_WALKABLE 0x2u // of the file
#define TAG_BUILDABLE 0x4u
#define EDITOR_WALKABLE 1u // of the editor
#define EDITOR_BUILDABLE 8u

// The blends of all vertices, in the order of the displacements that have them.
typedef struct blends {
    bsp_parts parts;
    bsp_table table;
    bool open;
    uint32_t next;
} blends;

static uint32_t verts_of(const bsp_displacement *disp) {
    uint32_t side = bspi_disp_side(disp->power);
    return side * side;
}

static uint32_t tags_of(const bsp_displacement *disp) {
    return 2u << (2 * disp->power);
}

// --- damage --------------------------------------------------------------------------------------

static bool finite_vert(const bsp_disp_vert *vert) {
    return isfinite(vert->vec[0]) && isfinite(vert->vec[1]) && isfinite(vert->vec[2]) &&
           isfinite(vert->dist) && isfinite(vert->alpha);
}

// Returns why a displacement cannot be written, or NULL.
static const char *damage_of(const bsp_map *map, const bsp_displacement *disp) {
    if (disp->power < LEAST_POWER || disp->power > BSPI_DISP_MOST_POWER) {
        return "impossible power";
    }
    uint64_t end = (uint64_t)disp->first_vert + verts_of(disp);
    if (end > map->num_disp_verts) {
        return "vertices are missing";
    }
    for (uint32_t i = 0; i < verts_of(disp); i++) {
        if (!finite_vert(&map->disp_verts[disp->first_vert + i])) {
            return "a vertex is no place";
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(disp->start[axis])) {
            return "the start is no place";
        }
    }
    return NULL;
}

// --- vertices -----------------------------------------------------------------------------------

static void take_blend(blends *b, bsp_mapdoc_disp_vert *to) {
    uint32_t record = b->next++;
    if (!b->open || record >= b->table.count) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        to->blend[i] = (double)bsp_table_float(&b->table, record, 0, i);
        to->alpha_blend[i] = (double)bsp_table_float(&b->table, record, 1, i);
        for (uint32_t c = 0; c < 3; c++) {
            to->blend_colors[i][c] = (double)bsp_table_float(&b->table, record, 2, 3 * i + c);
        }
    }
}

static bool add_verts(bspi_work *w, const bsp_displacement *disp, const double normal[3],
                      blends *b) {
    for (uint32_t i = 0; i < verts_of(disp); i++) {
        const bsp_disp_vert *from = &w->map->disp_verts[disp->first_vert + i];
        bsp_mapdoc_disp_vert *to = bspi_build_disp_vert(&w->out);
        if (to == NULL) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            to->normal[axis] = (double)from->vec[axis];
            to->offset_normal[axis] = normal[axis];
        }
        to->distance = (double)from->dist;
        to->alpha = (double)from->alpha;
        if (b != NULL) {
            take_blend(b, to);
        }
    }
    return true;
}

static bool has_blend(const bsp_displacement *disp) {
    return (disp->flags & BSPI_DISP_HAS_FLAGS) != 0 && (disp->flags & BSPI_DISP_MULTIBLEND) != 0;
}

// Writes the tags. A forced tag cannot be told from one that follows from the slope.
static bool add_tags(bspi_work *w, const bsp_displacement *disp) {
    const bsp_map *map = w->map;
    for (uint32_t i = 0; i < tags_of(disp); i++) {
        uint64_t at = (uint64_t)disp->first_tri + i;
        uint32_t tag = at < map->num_disp_tris ? map->disp_tris[at] : 0;
        uint32_t own = ((tag & TAG_WALKABLE) != 0 ? EDITOR_WALKABLE : 0) |
                       ((tag & TAG_BUILDABLE) != 0 ? EDITOR_BUILDABLE : 0);
        if (!bspi_build_disp_tag(&w->out, own)) {
            return false;
        }
    }
    return true;
}

static bool add_disp(bspi_work *w, const bsp_displacement *disp, const double normal[3], blends *b,
                     uint32_t *number) {
    bsp_mapdoc_disp *made = bspi_build_disp(&w->out);
    if (made == NULL) {
        return false;
    }
    *number = w->out.disps.count - 1;
    made->power = disp->power;
    made->flags = (disp->flags & BSPI_DISP_HAS_FLAGS) != 0 ? disp->flags & FLAGS : 0;
    made->has_blend = has_blend(disp) && b->open;
    for (int axis = 0; axis < 3; axis++) {
        made->start[axis] = (double)disp->start[axis];
    }
    memcpy(made->allowed_verts, disp->allowed_verts, sizeof made->allowed_verts);
    return add_verts(w, disp, normal, made->has_blend ? b : NULL) && add_tags(w, disp);
}

// --- faces --------------------------------------------------------------------------------------

// Gives the corners, counter-clockwise from outside (the file has them clockwise).
static bool corners_of(const bsp_map *map, const bsp_face *face, double out[CORNERS][3]) {
    for (uint32_t i = 0; i < CORNERS && face->num_edges == CORNERS; i++) {
        const float *at = bsp_surfedge_point(map, face->first_edge + i);
        if (at == NULL) {
            return false;
        }
        for (int axis = 0; axis < 3; axis++) {
            out[CORNERS - 1 - i][axis] = (double)at[axis];
        }
    }
    return face->num_edges == CORNERS;
}

static bool make_brush(bspi_work *w, uint32_t face, uint32_t *made) {
    double corners[CORNERS][3];
    static const double up[3] = {0, 0, 1};
    bspi_look top;
    bspi_look rest;
    *made = BSP_NONE;
    bspi_plain_look(&top, "tools/toolsnodraw", up);
    double thickness = w->options->thickness;
    bspi_plain_look(&rest, bspi_source_back(w), up);
    (void)bspi_source_face_look(w, face, &top);
    return !corners_of(w->map, &w->map->faces[face], corners) ||
           bspi_build_prism(w, 0, (const double(*)[3])corners, CORNERS,
                            thickness > 0 ? thickness : DEPTH, &top, &rest, made);
}

// Reports a displacement that is left out, and skips its blends.
static void lose(bspi_work *w, uint32_t number, blends *b, const char *why) {
    const bsp_displacement *disp = &w->map->displacements[number];
    if (has_blend(disp) && disp->power >= LEAST_POWER && disp->power <= BSPI_DISP_MOST_POWER) {
        b->next += verts_of(disp);
    }
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_DISP_INFO, number,
              "the displacement is not written: %s", why);
    w->report->displacements_lost++;
}

// Adds the brush of a displacement. That of a damaged one is flat, so that the map stays closed.
static bool add_face(bspi_work *w, uint32_t face, blends *b) {
    const bsp_map *map = w->map;
    uint32_t number = map->faces[face].displacement;
    const bsp_displacement *disp = &map->displacements[number];
    const char *damage = damage_of(map, disp);
    uint32_t brush;
    if (!make_brush(w, face, &brush)) {
        return false;
    }
    if (brush == BSP_NONE) {
        lose(w, number, b, "its face has no four corners");
        return true;
    }
    uint32_t side = bspi_built_brush(&w->out, brush)->first_side;
    w->face_side[face] = side;
    if (damage != NULL) {
        lose(w, number, b, damage);
        return bspi_source_guessed(w, "guess: damaged displacements",
                                   &bspi_built_brush(&w->out, brush)->visgroup);
    }
    uint32_t made;
    double normal[3];
    memcpy(normal, bspi_built_side(&w->out, side)->normal, sizeof normal);
    if (!add_disp(w, disp, normal, b, &made)) {
        return false;
    }
    bspi_built_side(&w->out, side)->disp = made;
    w->report->displacements++;
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static bool open_blends(const bspi_work *w, blends *b) {
    memset(b, 0, sizeof *b);
    if (w->options->file != NULL && !bspi_file_table(w->options->file, BSP_ID_DISP_MULTIBLEND,
                                                     &b->parts, &b->table, &b->open, w->error)) {
        return false;
    }
    if (b->open && b->table.layout->num_fields != 3) {
        bsp_parts_free(&b->parts);
        b->open = false;
    }
    return true;
}

bool bspi_source_displacements(bspi_work *w) {
    const bsp_map *map = w->map;
    uint32_t *faces = bspi_arena_raw(&w->arena, map->num_displacements, sizeof *faces, w->error);
    if (faces == NULL) {
        return false;
    }
    memset(faces, 0xFF, map->num_displacements * sizeof *faces); // BSP_NONE
    for (uint32_t i = 0; i < map->num_faces; i++) {
        uint32_t number = map->faces[i].displacement;
        if (number < map->num_displacements && faces[number] == BSP_NONE) {
            faces[number] = i;
        }
    }
    blends b;
    bool done = open_blends(w, &b);
    for (uint32_t i = 0; i < map->num_displacements && done; i++) {
        if (faces[i] == BSP_NONE) {
            lose(w, i, &b, "no face has it");
        } else {
            done = add_face(w, faces[i], &b);
        }
    }
    if (b.open) {
        bsp_parts_free(&b.parts);
    }
    return done;
}
