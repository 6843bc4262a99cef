// SPDX-License-Identifier: MIT
// Source: the light from all sides at the places in leaves that the map has samples of: what
// surfaces around throw back, the sky, and faint surfaces that shine. Formulas: sheet bake, 3.4;
// Source SDK 2013, src/utils/vrad/leaf_ambient_lighting.cpp.
#include "bake/light/lamps/lamp.h"
#include "bake/light/lumps/ambient_cubes.h"
#include "bake/light/lumps/cube_ray.h"
#include "bake/light/lumps/light_median.h"
#include "bake/light/lumps/region.h"
#include "bake/light/shadows/shadow.h"

#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "model/quake/alias.h"
#include "query/world_light.h"
#include "records/file.h"

#include <math.h>
#include <string.h>

#define SIDES 6u
#define FULL 255.0f   // luxels count so much more than cubes, in the same form
#define CONE 0.12765f // how wide a ray is: the tangent of half the angle between them
#define WHOLE 20.0f   // units: where it is so wide, the mean of a face begins to count,
#define MEAN 40.0f    // and here nothing else does
#define IN_CUBE 1u    // flag of a world light
#define MIDDLE 128    // of a leaf's box
#define STEPS 16u     // faces that are looked at: so many are one of work

typedef struct cubes {
    bspi_relight *own;
    const bsp_ambient_index *index;
    const bsp_ambient_sample *samples;
    uint8_t *records;
    size_t stride;
    size_t cube; // bytes of a record before its colours
    uint32_t count;
    float sky[3];
    float (*means)[3]; // of the luxels of each face
} cubes;

// --- what a ray hits ----------------------------------------------------------------------------

// What was looked at is paid for here; the next step that can fail tells of too much.
static void pay(bspi_relight *own, uint64_t steps) {
    (void)bspi_heap_work(&own->heap, steps / STEPS, NULL);
}

// Adds a share of what a face throws back of light.
static void throw_back(const bspi_relight *own, uint32_t face, const float light[3], float share,
                       float out[3]) {
    uint32_t material = bsp_surface_material(own->map, face);
    for (int i = 0; i < 3 && material < own->map->num_materials; i++) {
        out[i] += share * light[i] * own->colors[material].reflects[i];
    }
}

// Returns the luxels of style 0 of a face, or NULL.
static const float (*luxels_of(const bspi_relight *own, uint32_t number))[3] {
    const bsp_relight_face *face = &own->faces[number];
    return face->luxels != NULL && face->num_styles != 0 && face->styles[0] == 0 ? face->luxels
                                                                                 : NULL;
}

// Adds what a face throws back of a luxel as the file has it, whether it is made anew or stays.
static void throw_luxel(const bspi_relight *own, const bspi_cube_hit *hit, float share,
                        float out[3]) {
    float light[3];
    memcpy(light, luxels_of(own, hit->face)[hit->luxel], sizeof light);
    bspi_luxel_as_stored(BSPI_RGBEXP32, light);
    throw_back(own, hit->face, light, share, out);
}

// Sets what comes from a direction: a ray is a cone, so that far from here it has the mean of a
// face, and near by what is at one place.
static void look(const cubes *c, const float point[3], const float direction[3], float out[3],
                 uint64_t *steps) {
    const bspi_relight *own = c->own;
    bspi_cube_hit hit;
    memset(out, 0, 3 * sizeof *out);
    bspi_cube_ray(own, point, direction, &hit, steps);
    if (hit.sky) {
        memcpy(out, c->sky, sizeof c->sky);
    }
    if (hit.sky || hit.face == BSP_NONE || luxels_of(own, hit.face) == NULL) {
        return;
    }
    float wide = (hit.distance * CONE - WHOLE) / (MEAN - WHOLE);
    float mean = hit.has_luxel ? fmaxf(0, fminf(1, wide)) : 1;
    throw_back(own, hit.face, c->means[hit.face], mean, out);
    if (mean < 1) {
        throw_luxel(own, &hit, 1 - mean, out);
    }
}

bool bspi_cube_look(bspi_relight *own, const float point[3], const float direction[3], float out[3],
                    float *distance) {
    bspi_cube_hit hit;
    uint64_t steps = 0;
    bspi_cube_ray(own, point, direction, &hit, &steps);
    pay(own, steps);
    *distance = hit.distance;
    bool lit = hit.has_luxel && luxels_of(own, hit.face) != NULL;
    memset(out, 0, 3 * sizeof *out);
    if (lit) {
        throw_luxel(own, &hit, 1, out);
    }
    return lit;
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
        bspi_alias_normal(r * (BSPI_ALIAS_NORMALS / ways), direction);
        look(c, point, direction, light, &steps);
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
        float through[1][3];
        bool seen = false;
        if (lamp->world == NULL || lamp->world->type != BSPI_WORLD_SURFACE ||
            lamp->world->style != 0 || (lamp->world->flags & IN_CUBE) == 0) {
            continue;
        }
        float strength = bspi_lamp_at(lamp, point, direction, &distance);
        memcpy(line.from, point, sizeof line.from);
        memcpy(line.to, lamp->origin, sizeof line.to);
        if (strength > 0) {
            bspi_shadow_lines(c->own, bspi_shaded_model(0), &line, &seen, through, 1);
            strength *= through[0][0];
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
    if (!bspi_region_sees_light(c->own, c->own->map->leaves[number].cluster)) {
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

// Until 2006 each leaf has one cube, of its middle.
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
    return index != NULL && samples != NULL;
}

// Sets the mean of a face: its median, which the file states of a face that keeps its light.
static bool find_mean(cubes *c, uint32_t number, const float (*luxels)[3], bsp_error *error) {
    bspi_relight *own = c->own;
    const bsp_relight_face *face = &own->faces[number];
    uint8_t median[4];
    bspi_luxels old;
    if (bspi_region_keeps(own, number) && bspi_luxels_of(&own->source, number, &old) == BSPI_LIT &&
        (size_t)(old.data - own->source.data.data) >= sizeof median) {
        bspi_rgbexp_decode(old.data - sizeof median, c->means[number]);
        return true;
    }
    uint32_t count = face->width * face->height;
    if (count == 0) {
        return true;
    }
    if (!bspi_heap_work(&own->heap, count, error) ||
        !bspi_light_median(&own->heap, luxels, count, median, error)) {
        return false;
    }
    bspi_rgbexp_decode(median, c->means[number]);
    return true;
}

static bool find_means(cubes *c, bsp_error *error) {
    bspi_relight *own = c->own;
    c->means = bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *c->means, error);
    for (uint32_t n = 0; c->means != NULL && n < own->map->num_faces; n++) {
        const float(*luxels)[3] = luxels_of(own, n);
        if (luxels != NULL && !find_mean(c, n, luxels, error)) {
            return false;
        }
    }
    return c->means != NULL;
}

// Makes the samples of the first `leaves` leaves, in `records`, which are of a table.
static bool make_all(cubes *c, bsp_table_id id, uint32_t leaves, bsp_error *error) {
    bspi_relight *own = c->own;
    uint8_t *used = bspi_arena_zero(&own->arena, c->count, 1, error);
    if (used == NULL || !find_means(c, error)) {
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
    bool each = leaves == 0 && samples == map->num_leaves; // without an index
    bool inside = samples == 0 && map->num_leaves != 0 && bspi_leaves_have_cubes(own);
    leaves = each || inside || leaves > map->num_leaves ? map->num_leaves : leaves;
    if ((samples == 0 && !inside) || leaves == 0) {
        return true;
    }
    id = inside ? BSP_ID_LEAVES : id;
    uint16_t member = inside ? BSPI_MEMBER_leaf_cube : BSPI_MEMBER_ambient_sample_cube;
    bool found = bspi_colors_find(own, error) && (!(inside || each) || find_in_leaves(&c, error)) &&
                 copy_records(&c, id, member, error);
    if (!found) {
        return false;
    }
    own->cube_bytes = c.stride * c.count;
    uint32_t most = inside ? map->num_leaves : samples;
    c.count = c.count < most ? c.count : most;
    return make_all(&c, id, leaves, error);
}
