// SPDX-License-Identifier: MIT
// Source: the light from all sides at the places in leaves that the map has samples of: what
// surfaces around throw back, the sky, and faint surfaces that shine. Formulas: sheet bake, 3.4;
// Source SDK 2013, src/utils/vrad/leaf_ambient_lighting.cpp.
#include "bake/light/lamps/lamp.h"
#include "bake/light/lumps/ambient_cubes.h"
#include "bake/light/lumps/region.h"
#include "bake/light/shadows/shadow.h"

#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "query/open_sky.h"
#include "query/world_light.h"
#include "records/file.h"

#include <math.h>
#include <string.h>

#define SIDES 6u
#define FULL 255.0f // luxels count so much more than cubes, in the same form
#define NEAR 1.0f   // units between a hit and the face that is lit there
#define LINED 0.9f  // cosine of their normals
#define IN_CUBE 1u  // flag of a world light
#define MIDDLE 128  // of a leaf's box
#define STEPS 16u   // faces that are looked at: so many are one of work

typedef struct cubes {
    bspi_relight *own;
    const bsp_ambient_index *index;
    const bsp_ambient_sample *samples;
    uint8_t *records;
    size_t stride;
    size_t cube; // bytes of a record before its colours
    uint32_t count;
    float sky[3];
} cubes;

// --- what a ray hits ----------------------------------------------------------------------------

// Reads the luxel of a face at a point. False beside the face.
static bool luxel_at(const bspi_relight *own, uint32_t number, const float point[3], float out[3]) {
    const bsp_relight_face *face = &own->faces[number];
    bspi_luxels place;
    if (face->luxels == NULL || !bspi_luxels_place(&own->source, number, &place) ||
        place.width != face->width || place.height != face->height) {
        return false;
    }
    float s = bspi_dot(place.vecs[0], point) + place.vecs[0][3];
    float t = bspi_dot(place.vecs[1], point) + place.vecs[1][3];
    if (!(s >= -0.5f && t >= -0.5f && s < (float)face->width - 0.5f &&
          t < (float)face->height - 0.5f)) {
        return false;
    }
    size_t n = (size_t)(uint32_t)(t + 0.5f) * face->width + (uint32_t)(s + 0.5f);
    for (int c = 0; c < 3; c++) { // black: no style; style 0 is the first
        out[c] = face->num_styles != 0 && face->styles[0] == 0 ? face->luxels[n][c] : 0;
    }
    return true;
}

// Finds the face that was hit, among those of the leaf before it. BSP_NONE without one. Adds those
// that were looked at to `steps`.
static uint32_t face_at(const bspi_relight *own, const bsp_trace_result *hit, float light[3],
                        uint64_t *steps) {
    const bsp_map *map = own->map;
    float before[3];
    for (int i = 0; i < 3; i++) {
        before[i] = hit->end[i] + hit->normal[i] * NEAR;
    }
    uint32_t number = bsp_trace_leaf(own->index, before);
    const bsp_leaf *leaf = number < map->num_leaves ? &map->leaves[number] : NULL;
    for (uint32_t i = 0; leaf != NULL && i < leaf->num_faces; i++) {
        uint32_t at = leaf->first_face + i;
        uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
        float normal[3];
        float dist;
        ++*steps;
        if (face < map->num_faces && bsp_surface_plane(map, face, normal, &dist) &&
            bspi_dot(normal, hit->normal) > LINED &&
            fabsf(bspi_dot(normal, hit->end) - dist) < NEAR &&
            luxel_at(own, face, hit->end, light)) {
            return face;
        }
    }
    return BSP_NONE;
}

// What was looked at is paid for here; the next step that can fail tells of too much.
static void pay(bspi_relight *own, uint64_t steps) {
    (void)bspi_heap_work(&own->heap, steps / STEPS, NULL);
}

// Sets what comes from a direction. False where that is not known (displacements).
static bool look(const cubes *c, const float point[3], const float direction[3], float out[3],
                 uint64_t *steps) {
    const bspi_relight *own = c->own;
    bsp_trace_result hit;
    memset(out, 0, 3 * sizeof *out);
    bspi_trace_far(own->index, own->scale.mask, point, direction, &hit);
    if (hit.start_solid || hit.fraction == 1) {
        return true;
    }
    if (bspi_hit_sky(own->index, &hit)) {
        memcpy(out, c->sky, sizeof c->sky);
        return true;
    }
    uint32_t face = face_at(own, &hit, out, steps);
    if (face == BSP_NONE) {
        return hit.face == BSP_NONE;
    }
    uint32_t material = bsp_surface_material(own->map, face);
    for (int i = 0; i < 3; i++) {
        out[i] *= material < own->map->num_materials ? own->colors[material].reflects[i] : 0;
    }
    return true;
}

bool bspi_cube_look(const bspi_relight *own, const float point[3], const float direction[3],
                    float out[3], float *distance) {
    const cubes c = {.own = (bspi_relight *)(uintptr_t)own}; // its sky is black
    bsp_trace_result hit;
    float square = 0;
    uint64_t steps = 0;
    bspi_trace_far(own->index, own->scale.mask, point, direction, &hit);
    for (int i = 0; i < 3; i++) {
        square += (hit.end[i] - point[i]) * (hit.end[i] - point[i]);
    }
    *distance = sqrtf(square);
    bool known = look(&c, point, direction, out, &steps);
    pay(c.own, steps);
    return known;
}

// --- a cube -------------------------------------------------------------------------------------

static float along(const float direction[3], uint32_t side) {
    float value = direction[side / 2];
    return side % 2 == 0 ? value : -value;
}

static void gather(const cubes *c, const float point[3], float cube[SIDES][3]) {
    float totals[SIDES] = {0};
    uint32_t ways = c->own->effort->cube_ways;
    uint64_t steps = 0;
    for (uint32_t r = 0; r < ways; r++) {
        float direction[3];
        float light[3];
        bspi_dome_direction(r, ways, -1, direction);
        if (!look(c, point, direction, light, &steps)) {
            continue;
        }
        for (uint32_t s = 0; s < SIDES; s++) {
            float weight = fmaxf(0, along(direction, s));
            totals[s] += weight;
            for (int i = 0; i < 3; i++) {
                cube[s][i] += light[i] * weight;
            }
        }
    }
    for (uint32_t s = 0; s < SIDES; s++) {
        for (int i = 0; i < 3; i++) {
            cube[s][i] /= totals[s] > 0 ? totals[s] : 1;
        }
    }
    atomic_fetch_add_explicit(&c->own->rays, ways, memory_order_relaxed);
    pay(c->own, steps);
}

// Surfaces that shine so faintly that the engine would leave them out are in the cube.
static void add_faint(const cubes *c, const float point[3], float cube[SIDES][3]) {
    const bspi_relight *own = c->own;
    for (uint32_t n = 0; n < own->num_lamps; n++) {
        const bspi_lamp *lamp = &own->lamps[n];
        bsp_sight_line line;
        float direction[3];
        float distance;
        bool seen = false;
        if (lamp->world == NULL || lamp->world->type != BSPI_WORLD_SURFACE ||
            lamp->world->style != 0 || (lamp->world->flags & IN_CUBE) == 0) {
            continue;
        }
        float strength = bspi_lamp_at(lamp, point, direction, &distance);
        memcpy(line.from, point, sizeof line.from);
        memcpy(line.to, lamp->origin, sizeof line.to);
        if (strength > 0) {
            bspi_shadow_lines(c->own, bspi_shaded_model(0), &line, &seen, NULL, 1);
        }
        for (uint32_t s = 0; seen && s < SIDES; s++) {
            for (int i = 0; i < 3; i++) {
                cube[s][i] += lamp->color[i] * strength * fmaxf(0, along(direction, s));
            }
        }
    }
}

static void make_sample(const cubes *c, const bsp_leaf *leaf, const bsp_ambient_sample *sample,
                        uint8_t *record) {
    float cube[SIDES][3] = {{0}};
    float point[3];
    for (int i = 0; i < 3; i++) {
        float part = (float)sample->place[i] / 255;
        point[i] = leaf->mins[i] + (leaf->maxs[i] - leaf->mins[i]) * part;
    }
    gather(c, point, cube);
    add_faint(c, point, cube);
    for (uint32_t s = 0; s < SIDES; s++) {
        for (int i = 0; i < 3; i++) {
            cube[s][i] /= FULL;
        }
        bspi_luxel_encode(BSPI_RGBEXP32, cube[s], record + bspi_luxel_bytes(BSPI_RGBEXP32) * s);
    }
}

// --- all ----------------------------------------------------------------------------------------

static bool make_leaf(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    const cubes *c = user;
    const bsp_ambient_index *index = &c->index[number];
    (void)worker;
    if (!bspi_region_sees(c->own, c->own->map->leaves[number].cluster)) {
        return true;
    }
    for (uint32_t i = 0; i < index->count && (uint64_t)index->first + i < c->count; i++) {
        if (!bspi_heap_work(&c->own->heap, 4 * c->own->effort->cube_ways + c->own->num_lamps,
                            error)) {
            return false;
        }
        size_t at = (size_t)index->first + i;
        make_sample(c, &c->own->map->leaves[number], &c->samples[at],
                    c->records + c->stride * at + c->cube);
    }
    return true;
}

// Samples that two leaves state would be made twice, at once.
static bool share_none(const cubes *c, uint32_t leaves, uint8_t *used) {
    for (uint32_t n = 0; n < leaves; n++) {
        for (uint32_t i = 0; i < c->index[n].count; i++) {
            uint64_t at = (uint64_t)c->index[n].first + i;
            if (at >= c->count) {
                break;
            }
            if (used[at]++ != 0) {
                return false;
            }
        }
    }
    return true;
}

// Copies the records of the file. False without any.
static bool copy_records(cubes *c, bsp_table_id id, uint16_t member, bsp_error *error) {
    bsp_parts parts;
    bsp_table table;
    bool there;
    if (!bspi_file_table(c->own->file, id, &parts, &table, &there, error) || !there) {
        return there;
    }
    uint32_t cube;
    if (bspi_layout_find(table.layout, member, &cube) != NULL) {
        c->cube = bsp_layout_offset(table.layout, cube);
        c->count = table.count;
    }
    c->stride = table.layout->size;
    size_t size = c->stride * c->count;
    c->records = bspi_arena_raw(&c->own->arena, size, 1, error);
    if (c->records != NULL) {
        memcpy(c->records, table.data, size);
    }
    bsp_parts_free(&parts);
    return c->records != NULL;
}

// Before version 20 a leaf states the cube of its middle itself.
static bool find_in_leaves(cubes *c, bsp_error *error) {
    const bsp_map *map = c->own->map;
    bsp_ambient_index *index =
        bspi_arena_zero(&c->own->arena, map->num_leaves, sizeof *index, error);
    bsp_ambient_sample *samples =
        bspi_arena_zero(&c->own->arena, map->num_leaves, sizeof *samples, error);
    for (uint32_t n = 0; index != NULL && samples != NULL && n < map->num_leaves; n++) {
        index[n] = (bsp_ambient_index){map->leaves[n].cluster != BSP_NONE, n};
        memset(samples[n].place, MIDDLE, sizeof samples[n].place);
    }
    c->index = index;
    c->samples = samples;
    return index != NULL && samples != NULL &&
           copy_records(c, BSP_ID_LEAVES, BSPI_MEMBER_leaf_cube, error);
}

// Makes the samples of the first `leaves` leaves, in `records`, which are of a table.
static bool make_all(cubes *c, bsp_table_id id, uint32_t leaves, bsp_error *error) {
    bspi_relight *own = c->own;
    uint8_t *used = bspi_arena_zero(&own->arena, c->count, 1, error);
    if (used == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < own->num_lamps; n++) {
        const bspi_lamp *lamp = &own->lamps[n];
        for (int i = 0; lamp->kind == BSPI_LAMP_SKY && i < 3; i++) {
            c->sky[i] += lamp->color[i] * lamp->light;
        }
    }
    uint32_t threads = share_none(c, leaves, used) ? bspi_heap_threads(&own->heap) : 1;
    own->cubes = c->records;
    own->cube_table = id;
    own->relight.num_cubes = c->count;
    return bspi_workers_each(threads, leaves, make_leaf, c, error);
}

bool bspi_ambient_cubes(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bool high = own->relight.hdr && map->num_ambient_samples_hdr != 0;
    bsp_table_id id = high ? BSP_ID_AMBIENT_HDR : BSP_ID_AMBIENT;
    uint32_t samples = high ? map->num_ambient_samples_hdr : map->num_ambient_samples;
    uint32_t leaves = high ? map->num_ambient_index_hdr : map->num_ambient_index;
    cubes c = {.own = own,
               .index = high ? map->ambient_index_hdr : map->ambient_index,
               .samples = high ? map->ambient_samples_hdr : map->ambient_samples};
    leaves = leaves < map->num_leaves ? leaves : map->num_leaves;
    bool inside = samples == 0 && map->num_leaves != 0 && bspi_leaves_have_cubes(own);
    if ((samples == 0 || leaves == 0) && !inside) {
        return true;
    }
    bool found = bspi_colors_find(own, error) &&
                 (inside ? find_in_leaves(&c, error)
                         : copy_records(&c, id, BSPI_MEMBER_ambient_sample_cube, error));
    if (!found) {
        return false;
    }
    own->cube_bytes = c.stride * c.count;
    uint32_t most = inside ? map->num_leaves : samples;
    c.count = c.count < most ? c.count : most;
    return make_all(&c, inside ? BSP_ID_LEAVES : id, inside ? map->num_leaves : leaves, error);
}
