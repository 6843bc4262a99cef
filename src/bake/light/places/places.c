// SPDX-License-Identifier: MIT
// Where light is measured on a face: the corners of its luxels, off the surface; those beside the
// face where its plane goes on, else at its edge. Facts: sheet bake, 3.1.
#include "bake/light/faces/face_area.h"
#include "bake/light/faces/face_edges.h"
#include "bake/light/faces/flat.h"
#include "bake/light/faces/smooth.h"
#include "bake/light/base/surface_keys.h"
#include "bake/light/places/places.h"
#include "bake/light/places/spots.h"

#include "bspkit/faces.h"
#include "core/vector.h"
#include "map/unlit.h"
#include "mesh/bump.h"
#include "mesh/disp_grid.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 1024u
#define JITTER 0.5f // units: steps out of solid
#define CLEAR 0.5f  // units from brushes at the edges
#define ROUND_CORNERS 64u
#define KEPT 8u       // faces beyond edges that are kept
#define ROUND_DEPTH 3 // faces beyond edges, one after another
#define FARTHEST 1.0f // luxels beside a face where light is measured at its edge

// A face that a round one goes on in.
typedef struct beyond {
    bspi_face_edges edges;
    bsp_surface_corner corners[ROUND_CORNERS];
    bspi_face_edge sides[ROUND_CORNERS];
} beyond;

// What the heap has for a finder.
typedef struct room {
    bsp_surface_corner corners[MOST_CORNERS];
    bspi_face_edge sides[MOST_CORNERS];
    beyond kept[KEPT]; // by the numbers of their faces
    bspi_place_cell cell;
} room;

typedef struct finder {
    bspi_relight *own;
    bspi_places *places;
    bspi_luxels luxels;
    uint32_t face;
    uint32_t model;
    room *room;
    bspi_face_edges edges;
    bspi_flat flat;
    float clear;  // units that places keep from the edges
    bool middles; // of the squares of a displacement, not its luxels
} finder;

// --- solid --------------------------------------------------------------------------------------

static bool is_solid(const finder *f, const float point[3]) {
    return bspi_place_solid_near(f->own, f->model, point, &f->room->cell);
}

// Moves a point out of solid by half a unit, if that is enough.
static bool settle(const finder *f, float point[3]) {
    if (!is_solid(f, point)) {
        return true;
    }
    for (unsigned n = 0; n < 8; n++) {
        float moved[3];
        for (unsigned i = 0; i < 3; i++) {
            moved[i] = point[i] + ((n >> (2 - i) & 1) != 0 ? JITTER : -JITTER);
        }
        if (!is_solid(f, moved)) {
            memcpy(point, moved, sizeof moved);
            return true;
        }
    }
    return false;
}

// --- flat places --------------------------------------------------------------------------------

static void to_world(const finder *f, const float point[3], float lift, float out[3]) {
    const float *origin = f->own->models[f->model].origin;
    for (int i = 0; i < 3; i++) {
        out[i] = point[i] + origin[i] + f->edges.normal[i] * lift;
    }
}

// Does the surface go on beside the face, at a point of its plane?
static bool goes_on(const finder *f, const float point[3], const float nearest[3]) {
    float above[3];
    float below[3];
    bsp_trace_input in = {.mask = 1};
    bsp_trace_result out;
    to_world(f, point, f->own->scale.lift, above);
    to_world(f, point, -f->own->scale.lift, below);
    if (is_solid(f, above) || !is_solid(f, below)) {
        return false;
    }
    to_world(f, nearest, f->own->scale.lift, in.start);
    memcpy(in.end, above, sizeof in.end);
    bsp_trace(f->own->index, &in, &out);
    return out.fraction == 1 && !out.start_solid;
}

static float luxels_between(const finder *f, const float a[3], const float b[3]) {
    float way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    float s = bspi_dot(f->luxels.vecs[0], way);
    float t = bspi_dot(f->luxels.vecs[1], way);
    return sqrtf(s * s + t * t);
}

// Draws a point at the edge in: where it is on the surface of a brush that stands at the edge, no
// line is free that begins there.
static void draw_in(const finder *f, float point[3]) {
    float way[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++) {
        for (uint32_t i = 0; i < f->edges.count; i++) {
            way[c] += f->edges.corners[i].point[c] / (float)f->edges.count;
        }
        way[c] -= point[c];
    }
    float length = sqrtf(bspi_dot(way, way));
    float part = length > f->clear ? f->clear / length : 1;
    for (int c = 0; c < 3; c++) {
        point[c] += way[c] * part;
    }
}

// --- round faces --------------------------------------------------------------------------------

// Finds what a round face goes on in, which stays as it is until others are looked at. NULL: it
// has no edges that are known.
static const bspi_face_edges *enter(const finder *f, uint32_t face) {
    beyond *b = &f->room->kept[face % KEPT];
    bspi_face_edges *p = &b->edges;
    if (p->face != face) {
        p->face = face;
        p->corners = b->corners;
        p->count = bsp_surface_corners(f->own->map, face, b->corners, ROUND_CORNERS);
        if (p->count < 3 || p->count > ROUND_CORNERS ||
            !bsp_surface_plane(f->own->map, face, p->normal, &p->dist)) {
            p->count = 0;
        }
        bspi_face_edges_begin(p, b->sides);
    }
    return p->count != 0 ? p : NULL;
}

// Sets a place of a round face, which may be on one beside it.
static bool put_round(const finder *f, uint32_t face, float s, float t, float out[3],
                      float normal[3], bool *moved) {
    const bspi_face_edges *here = enter(f, face);
    float point[3];
    bspi_flat_point(&f->flat, s, t, point);
    if (here == NULL) {
        return false;
    }
    for (int depth = 0;; depth++) {
        float away = 0;
        bspi_face_edges_onto(here, point);
        uint32_t edge = bspi_face_edges_beyond(here, point, &away);
        *moved = edge != BSP_NONE && !(away <= BSPI_EDGE_ON);
        uint32_t next = *moved ? bspi_smooth_across(f->own, here->face, edge) : BSP_NONE;
        if (next == BSP_NONE || depth == ROUND_DEPTH) {
            break;
        }
        uint32_t last = here->face;
        here = enter(f, next);
        if (here == NULL) {
            here = enter(f, last); // it may have made way
            break;
        }
    }
    if (*moved) {
        float nearest[3] = {0, 0, 0};
        bspi_face_edges_nearest(here, point, nearest);
        if (luxels_between(f, point, nearest) > FARTHEST + (float)f->places->margin) {
            return false;
        }
        memcpy(point, nearest, sizeof point);
    }
    memcpy(normal, here->normal, sizeof here->normal);
    bspi_smooth_normal(f->own, here->face, here->corners, here->count, point, normal);
    const float *origin = f->own->models[f->model].origin;
    for (int c = 0; c < 3; c++) {
        out[c] = point[c] + origin[c] + here->normal[c] * f->own->scale.lift;
    }
    return settle(f, out);
}

// --- flat faces ---------------------------------------------------------------------------------

// Sets a place by its luxel coordinates.
static bool put_flat(const finder *f, float s, float t, float out[3], bool *moved) {
    float point[3];
    float nearest[3] = {0, 0, 0};
    bspi_flat_point(&f->flat, s, t, point);
    float within = bspi_face_edges_inside(&f->edges, point);
    if (within < -BSPI_EDGE_ON && f->own->smooth.starts != NULL &&
        f->edges.count <= ROUND_CORNERS) {
        float normal[3]; // on what lies in the same plane beyond the edge
        return put_round(f, f->face, s, t, out, normal, moved);
    }
    if (within < -BSPI_EDGE_ON) {
        bspi_face_edges_nearest(&f->edges, point, nearest);
    }
    *moved = within < -BSPI_EDGE_ON && !goes_on(f, point, nearest);
    if (*moved) {
        if (luxels_between(f, point, nearest) > FARTHEST + (float)f->places->margin) {
            return false;
        }
        memcpy(point, nearest, sizeof point);
        within = 0;
    }
    if (within >= -BSPI_EDGE_ON && within < f->clear) {
        draw_in(f, point);
    }
    to_world(f, point, f->own->scale.lift, out);
    return settle(f, out);
}

// --- displacements ------------------------------------------------------------------------------

typedef struct hill {
    float bases[BSPI_DISP_MOST][3];
    float points[BSPI_DISP_MOST][3];
    uint32_t side;
} hill;

static bool put_hill(const finder *f, const hill *h, float s, float t, float out[3],
                     float normal[3]) {
    float last = (float)(h->side - 1);
    float x = f->luxels.width > 1 ? s / (float)(f->luxels.width - 1) * last : 0;
    float y = f->luxels.height > 1 ? t / (float)(f->luxels.height - 1) * last : 0;
    float ends[4][3];
    float point[3];
    bspi_disp_at(h->points, h->side, x, y, point);
    bspi_disp_at(h->points, h->side, x - 0.5f, y, ends[0]);
    bspi_disp_at(h->points, h->side, x + 0.5f, y, ends[1]);
    bspi_disp_at(h->points, h->side, x, y - 0.5f, ends[2]);
    bspi_disp_at(h->points, h->side, x, y + 0.5f, ends[3]);
    float a[3];
    float b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = ends[1][i] - ends[0][i];
        b[i] = ends[3][i] - ends[2][i];
    }
    bspi_cross(a, b, normal);
    bool upright = bspi_normalize(normal) > 0;
    bool turned = bspi_dot(normal, f->edges.normal) < 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = !upright ? f->edges.normal[i] : turned ? -normal[i] : normal[i];
    }
    const float *origin = f->own->models[f->model].origin;
    for (int i = 0; i < 3; i++) {
        out[i] = point[i] + origin[i] + normal[i] * f->own->scale.lift;
    }
    return true;
}

// Finds the vertices of the face's displacement; `side` stays 0 without one.
static bool find_hill(const finder *f, uint32_t face, hill *h) {
    const bsp_map *map = f->own->map;
    uint32_t number = map->faces[face].displacement;
    h->side = 0;
    if (number == BSP_NONE || number >= map->num_displacements) {
        return true;
    }
    if (!bspi_disp_is_sound(map, number, face) ||
        !bspi_disp_grid(map, number, face, h->bases, h->points)) {
        return false;
    }
    h->side = (1u << map->displacements[number].power) + 1;
    return true;
}

// --- normal maps --------------------------------------------------------------------------------

void bspi_place_axes(const bspi_places *places, uint32_t place, float axes[3][3]) {
    const float *normal = places->normals[place];
    float frame[3][3];
    float up[3];
    bspi_cross(normal, places->texture[0], frame[1]);
    (void)bspi_normalize(frame[1]);
    bspi_cross(frame[1], normal, frame[0]);
    (void)bspi_normalize(frame[0]);
    memcpy(frame[2], normal, sizeof frame[2]);
    bspi_cross(places->texture[0], places->texture[1], up);
    if (bspi_dot(up, places->normal) < 0) {
        for (int i = 0; i < 3; i++) {
            frame[1][i] = -frame[1][i];
        }
    }
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < 3; i++) {
            const float *part = bspi_bump_directions[d];
            axes[d][i] = part[0] * frame[0][i] + part[1] * frame[1][i] + part[2] * frame[2][i];
        }
    }
}

// --- all ----------------------------------------------------------------------------------------

static void fill(finder *f, uint32_t face, const hill *h) {
    bspi_places *places = f->places;
    bool round = h->side == 0 && bspi_smooth_is(f->own, face);
    uint32_t extra = places->extra;
    uint32_t n = 0;
    for (uint32_t y = 0; y < places->height * extra; y++) {
        for (uint32_t x = 0; x < places->width * extra; x++, n++) {
            float s = ((float)x + 0.5f) / (float)extra - 0.5f - (float)places->margin;
            float t = ((float)y + 0.5f) / (float)extra - 0.5f - (float)places->margin;
            if (f->middles) {
                s = ((float)x + 0.5f) * (float)(places->width - 1) / (float)places->width;
                t = ((float)y + 0.5f) * (float)(places->height - 1) / (float)places->height;
            }
            bool moved = false;
            memcpy(places->normals[n], f->edges.normal, sizeof f->edges.normal);
            places->lit[n] = false;
            if (!bspi_place_counts(places, n)) {
                continue;
            }
            float *normal = places->normals[n];
            places->lit[n] = h->side != 0 ? put_hill(f, h, s, t, places->points[n], normal)
                             : round ? put_round(f, face, s, t, places->points[n], normal, &moved)
                                     : put_flat(f, s, t, places->points[n], &moved);
            if (places->moved != NULL) {
                places->moved[n] = moved;
            }
        }
    }
}

// Finds the corners and the luxels of a face. False for one that has no places.
static bool find_outline(finder *f, uint32_t face, hill *h) {
    bspi_face_edges *p = &f->edges;
    p->face = face;
    p->corners = f->room->corners;
    p->count = bsp_surface_corners(f->own->map, face, f->room->corners, MOST_CORNERS);
    if (f->own->map->faces[face].texinfo >= f->own->map->num_texinfos || p->count < 3 ||
        p->count > MOST_CORNERS ||
        !bsp_surface_plane(f->own->map, face, f->flat.normal, &f->flat.dist) ||
        !bspi_flat_find(&f->flat, &f->luxels) || !find_hill(f, face, h)) {
        return false;
    }
    memcpy(p->normal, f->flat.normal, sizeof p->normal);
    p->dist = f->flat.dist;
    bspi_face_edges_begin(p, f->room->sides);
    for (uint32_t i = 0; i < KEPT; i++) {
        f->room->kept[i].edges.face = BSP_NONE;
    }
    bspi_place_cell_begin(p->normal, &f->room->cell);
    return true;
}

// Sets what keys of the model and of its brushes say of the light of a face. ericw-tools: what is
// seen through is lit from both sides.
static void heed_keys(finder *f, uint32_t face) {
    bspi_places *places = f->places;
    const bspi_lit_model *model = &f->own->models[f->model];
    const bspi_surface_keys *keys = bspi_surface_keys_of(f->own, face);
    bool ericw = f->own->relight.compiler == BSP_COMPILER_ERICW;
    bool clear = (bsp_surface_bits_of(f->own->map, face) &
                  (BSP_SURFACE_LIQUID | BSP_SURFACE_TRANSLUCENT)) != 0;
    bool both = bspi_said(keys->both, clear || model->both) != 0;
    places->two_sided = ericw && (both || model->opacity < 1);
    places->clean = clear || model->clean || keys->clean;
    places->channels = bspi_surface_channels(keys, 0);
    places->unlit = keys->unlit;
}

// Makes room for the places of the luxels, and pays for them.
static bool make_room(finder *f, bsp_error *error) {
    bspi_places *places = f->places;
    places->width = f->luxels.width + 2 * places->margin;
    places->height = f->luxels.height + 2 * places->margin;
    uint32_t count = places->width * places->height * places->extra * places->extra;
    places->points = bspi_heap_alloc(&f->own->heap, count * sizeof *places->points, error);
    places->normals = bspi_heap_alloc(&f->own->heap, count * sizeof *places->normals, error);
    places->lit = bspi_heap_alloc(&f->own->heap, count, error);
    places->count = count;
    if (places->margin != 0) {
        places->moved = bspi_heap_alloc(&f->own->heap, count, error);
    }
    return places->points != NULL && places->normals != NULL && places->lit != NULL &&
           (places->margin == 0 || places->moved != NULL) &&
           bspi_heap_work(&f->own->heap, 64 * (uint64_t)count, error);
}

static bool find(finder *f, uint32_t face, bsp_error *error) {
    bspi_places *places = f->places;
    hill h;
    if (!find_outline(f, face, &h)) {
        return true;
    }
    places->directions = f->luxels.blocks;
    places->hill = h.side != 0 || bspi_smooth_is(f->own, face);
    heed_keys(f, face);
    if (!make_room(f, error)) {
        return false;
    }
    memcpy(places->normal, f->edges.normal, sizeof places->normal);
    const bsp_texinfo *texinfo = &f->own->map->texinfos[f->own->map->faces[face].texinfo];
    memcpy(places->texture[0], texinfo->texture[0], sizeof places->texture[0]);
    memcpy(places->texture[1], texinfo->texture[1], sizeof places->texture[1]);
    places->area = bspi_corners_area(f->edges.corners, f->edges.count);
    if (h.side != 0 || places->step > 1 || !bspi_spots_are_used(f->own)) {
        fill(f, face, &h);
    } else if (!bspi_spots_put(f->own, face, &f->luxels, places, error)) {
        return false;
    }
    bspi_places_enclose(places);
    return true;
}

bool bspi_place_takes_light(const bspi_relight *own, uint32_t face) {
    const bsp_face_light *light = &own->source.lights[face];
    bspi_luxels old;
    bool has = (light->offset != BSP_NONE && light->styles[0] != BSP_NO_STYLE) ||
               bspi_luxels_of(&own->source, face, &old) == BSPI_LIT;
    uint32_t bits = bsp_surface_bits_of(own->map, face);
    return has || (!bspi_face_is_unlit(own->map, face) &&
                   (bits & (BSP_SURFACE_SKY | BSP_SURFACE_LIQUID | BSP_SURFACE_HIDDEN)) == 0);
}

static bool place(bspi_relight *own, uint32_t face, uint32_t extra, uint32_t margin, bool middles,
                  bspi_places *out, bsp_error *error) {
    finder f = {.own = own,
                .places = out,
                .face = face,
                .model = own->face_models[face],
                .middles = middles};
    memset(out, 0, sizeof *out);
    f.clear = own->scale.edge > 0                                       ? own->scale.edge
              : own->map->traits->has_brushes && own->occluders == NULL ? CLEAR
                                                                        : 0;
    out->extra = extra;
    out->margin = margin;
    out->model = f.model;
    out->kept = own->near != NULL && margin == 0 ? &own->near[face] : NULL;
    out->step = own->scale.step;
    if (!bspi_luxels_place(&own->source, face, &f.luxels) || f.luxels.width > BSPI_MAX_LUXELS ||
        f.luxels.height > BSPI_MAX_LUXELS || !bspi_place_takes_light(own, face)) {
        return true;
    }
    f.room = bspi_heap_alloc(&own->heap, sizeof *f.room, error);
    bool done = f.room != NULL && find(&f, face, error);
    bspi_heap_free(&own->heap, f.room, sizeof *f.room);
    if (!done) {
        bspi_places_free(own, out);
    }
    return done;
}

bool bspi_places_luxels(bspi_relight *own, uint32_t face, uint32_t extra, uint32_t margin,
                        bspi_places *out, bsp_error *error) {
    bool raised = own->map->faces[face].displacement != BSP_NONE;
    return place(own, face, extra, margin, own->scale.cells && raised, out, error);
}

bool bspi_places_corners(bspi_relight *own, uint32_t face, bspi_places *out, bsp_error *error) {
    return place(own, face, 1, 0, false, out, error);
}
