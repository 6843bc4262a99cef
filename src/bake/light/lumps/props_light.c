// SPDX-License-Identifier: MIT
// Light at the vertices of static props. Facts: sheet bake, 3.3; vradstaticprops.cpp and
// vraddetailprops.cpp of the Source SDK. Props shade each other, and themselves unless their flags
// say not.
#include "bake/light/lamps/lamp.h"
#include "bake/light/lumps/ambient_cubes.h"
#include "bake/light/shadows/props.h"
#include "bake/light/shadows/shadow.h"

#include "core/curves.h"
#include "core/vector.h"
#include "core/workers.h"
#include "formats/source_flags.h"
#include "model/studio/source_light.h"
#include "query/masks.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PUSH 4.0f       // units that a vertex is moved towards a light, or along its normal
#define FEW_RAYS 40u    // directions from which a vertex takes the light of the sky and of surfaces
#define HALF 128.0f     // units: light of surfaces is weaker by 1 + (d / HALF)^2
#define MOST_LIGHT 4.0f // of full, at a vertex
#define HALVED 0.5f     // byte 128 is the texture's own colour
#define NAME_ROOM 24u

// --- light at a vertex --------------------------------------------------------------------------

typedef struct vertex {
    float point[3];
    float normal[3];
    uint32_t cluster;
    bspi_shaded of; ///< the prop
} vertex;

static void move(const vertex *v, const float way[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = v->point[i] + way[i] * PUSH;
    }
}

static float sky_share(bspi_relight *own, const vertex *v) {
    float from[3];
    float through[3];
    float all = 0;
    float open = 0;
    move(v, v->normal, from);
    for (uint32_t i = 0; i < FEW_RAYS; i++) {
        float to[3];
        bspi_halton_direction(i, to);
        for (int k = 0; k < 3; k++) {
            to[k] = -to[k];
        }
        float cosine = bspi_dot(to, v->normal);
        if (cosine > 0) {
            all += cosine;
            open += bspi_shadow_sky(own, v->of, from, to, through) ? cosine * through[0] : 0;
        }
    }
    return all > 0 ? open / all : 0;
}

// What comes of a lamp of style 0, of its colour.
static float share_of(bspi_relight *own, const bspi_lamp *lamp, const vertex *v) {
    float to[3];
    float from[3];
    float through[1][3];
    float distance;
    if (lamp->kind == BSPI_LAMP_SKY) {
        return lamp->light * sky_share(own, v);
    }
    if (lamp->kind == BSPI_LAMP_SUN) {
        for (int i = 0; i < 3; i++) {
            to[i] = -lamp->direction[i];
        }
        float cosine = bspi_dot(to, v->normal);
        move(v, to, from);
        return cosine > 0 && bspi_shadow_sky(own, v->of, from, to, through[0])
                   ? lamp->light * cosine * through[0][0]
                   : 0;
    }
    bool seen = lamp->visible == NULL || v->cluster == BSP_NONE ||
                bsp_query_row_sees(own->map, lamp->visible, v->cluster);
    (void)bspi_lamp_at(lamp, v->point, to, &distance);
    move(v, to, from);
    float strength =
        bspi_lamp_at(lamp, from, to, &distance) * bspi_lamp_angle(lamp, bspi_dot(to, v->normal));
    if (!seen || !(strength > own->scale.gate)) {
        return 0;
    }
    bsp_sight_line line;
    for (int i = 0; i < 3; i++) {
        line.from[i] = from[i];
        line.to[i] = lamp->origin[i] - to[i] * own->scale.before;
    }
    bspi_shadow_lines(own, v->of, &line, &seen, through, 1);
    return seen ? strength * through[0][0] : 0;
}

static void add_thrown(bspi_relight *own, const vertex *v, float light[3]) {
    float sum[3] = {0, 0, 0};
    float total = 0;
    for (uint32_t i = 0; own->scale.bounces != 0 && i < FEW_RAYS; i++) {
        float to[3];
        float color[3];
        float distance;
        bspi_halton_direction(i, to);
        float cosine = bspi_dot(to, v->normal);
        if (!(cosine > 0)) {
            continue;
        }
        total += cosine;
        if (bspi_cube_look(own, v->point, to, color, &distance)) {
            float weight = 1 / (1 + distance * distance / (HALF * HALF));
            for (int c = 0; c < 3; c++) {
                sum[c] += color[c] * weight;
            }
        }
    }
    for (int c = 0; c < 3 && total > 0; c++) {
        light[c] += sum[c] / total;
    }
}

static void shine(bspi_relight *own, const vertex *v, float light[3]) {
    memset(light, 0, 3 * sizeof *light);
    for (uint32_t n = 0; n < own->num_lamps; n++) {
        const bspi_lamp *lamp = &own->lamps[n];
        float share = lamp->style == 0 ? share_of(own, lamp, v) : 0;
        for (int c = 0; c < 3 && share != 0; c++) {
            light[c] += lamp->color[c] * share;
        }
    }
    add_thrown(own, v, light);
}

// --- a prop -------------------------------------------------------------------------------------

static void encode(const float light[3], uint8_t out[3]) {
    for (int c = 0; c < 3; c++) {
        float value = fminf(fmaxf(light[c], 0), MOST_LIGHT);
        out[c] = (uint8_t)(HALVED * bspi_power(value, 1 / 2.2f) * 255 + 0.5f);
    }
}

static void place(const bspi_relight *own, const bsp_scene_prop *prop, const float point[3],
                  const float normal[3], vertex *out) {
    const bsp_map *map = own->map;
    for (int i = 0; i < 3; i++) {
        out->point[i] = bspi_dot(prop->place[i], point) + prop->place[i][3];
        out->normal[i] = bspi_dot(prop->place[i], normal);
    }
    (void)bspi_normalize(out->normal);
    out->of = bspi_shaded_prop(own, prop->number);
    uint32_t leaf = bsp_trace_leaf(own->index, out->point);
    out->cluster = leaf < map->num_leaves ? map->leaves[leaf].cluster : BSP_NONE;
}

static bool is_free(const bspi_relight *own, const vertex *v) {
    return ((uint32_t)bsp_trace_contents(own->index, 0, v->point) & BSPI_SOLID_MASK) == 0;
}

// Vertices in solid take the light of the nearest one that is not.
static void fill(const vertex *list, const bool *lit, uint32_t count, uint8_t (*colors)[3]) {
    for (uint32_t i = 0; i < count; i++) {
        float best = INFINITY;
        for (uint32_t k = 0; !lit[i] && k < count; k++) {
            float way[3];
            for (int c = 0; c < 3; c++) {
                way[c] = list[k].point[c] - list[i].point[c];
            }
            float square = bspi_dot(way, way);
            if (lit[k] && square < best) {
                best = square;
                memcpy(colors[i], colors[k], sizeof colors[i]);
            }
        }
    }
}

// The vertices of a prop.
typedef struct vertices {
    vertex *list;
    bool *lit; // those that are free
    uint8_t (*colors)[3];
    uint32_t count;
} vertices;

static bool light_vertices(bspi_relight *own, const bsp_scene_prop *prop,
                           const bsp_model_asset *model, vertices *v, bsp_error *error) {
    uint64_t hidden = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        float point[3];
        float normal[3];
        float light[3] = {0, 0, 0};
        bspi_source_light_vertex(model, i, point, normal);
        place(own, prop, point, normal, &v->list[i]);
        v->lit[i] = is_free(own, &v->list[i]);
        hidden += !v->lit[i];
        if (v->lit[i]) {
            shine(own, &v->list[i], light);
        }
        encode(light, v->colors[i]);
        if (!bspi_heap_work(&own->heap, 4 * FEW_RAYS + own->num_lamps, error)) {
            return false;
        }
    }
    if (!bspi_heap_work(&own->heap, hidden * v->count / 8, error)) {
        return false;
    }
    fill(v->list, v->lit, v->count, v->colors);
    return true;
}

static bool light_prop(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    bspi_relight *own = user;
    bspi_prop_lights *p = own->props;
    const bsp_scene_prop *prop = &p->scene->props[p->of[item]];
    const bsp_model_asset *model = bspi_scene_asset(p->scene, prop->model);
    vertices v = {.count = bspi_source_light_count(model)};
    (void)worker;
    v.list = bspi_heap_alloc(&own->heap, v.count * sizeof *v.list, error);
    v.lit = bspi_heap_alloc(&own->heap, v.count, error);
    v.colors = bspi_heap_alloc(&own->heap, v.count * sizeof *v.colors, error);
    bool done =
        v.list != NULL && v.lit != NULL && v.colors != NULL &&
        light_vertices(own, prop, model, &v, error) &&
        bspi_source_light_write(model, (const uint8_t(*)[3])v.colors, &p->blobs[item], error);
    bspi_heap_free(&own->heap, v.list, v.count * sizeof *v.list);
    bspi_heap_free(&own->heap, v.lit, v.count);
    bspi_heap_free(&own->heap, v.colors, v.count * sizeof *v.colors);
    p->files[item].data = (bsp_bytes){p->blobs[item].data, p->blobs[item].size};
    return done;
}

// --- all ----------------------------------------------------------------------------------------

static bool takes_light(const bspi_relight *own, const bsp_scene_prop *prop) {
    const bsp_model_asset *model = bspi_scene_asset(own->props->scene, prop->model);
    return prop->kind == BSP_PROP_STATIC && model != NULL &&
           (own->map->static_props[prop->number].flags & BSPI_PROP_NO_VERTEX_LIGHT) == 0 &&
           bspi_source_light_count(model) != 0;
}

static bool allocate(bspi_relight *own, bsp_error *error) {
    bspi_prop_lights *p = own->props;
    size_t room = (size_t)p->scene->num_props + 1;
    char *names = bspi_arena_zero(&own->arena, room, NAME_ROOM, error);
    p->files = bspi_arena_zero(&own->arena, room, sizeof *p->files, error);
    p->blobs = bspi_arena_zero(&own->arena, room, sizeof *p->blobs, error);
    p->of = bspi_arena_zero(&own->arena, room, sizeof *p->of, error);
    if (names == NULL || p->files == NULL || p->blobs == NULL || p->of == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < p->scene->num_props; i++) {
        const bsp_scene_prop *prop = &p->scene->props[i];
        if (takes_light(own, prop)) {
            char *name = names + (size_t)p->count * NAME_ROOM;
            snprintf(name, NAME_ROOM, own->relight.hdr ? "sp_hdr_%u.vhv" : "sp_%u.vhv",
                     (unsigned)prop->number);
            p->files[p->count].name = bsp_text_of(name);
            p->of[p->count++] = i;
        }
    }
    return true;
}

bool bspi_props_light(bspi_relight *own, bsp_error *error) {
    if (own->props == NULL || own->kept != NULL || own->scale.step > 1) {
        return true;
    }
    if (!allocate(own, error) || !bspi_colors_find(own, error) ||
        !bspi_workers_each(bspi_heap_threads(&own->heap), own->props->count, light_prop, own,
                           error)) {
        return false;
    }
    own->relight.prop_files = own->props->files;
    own->relight.num_prop_files = own->props->count;
    return true;
}
