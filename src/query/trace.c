// SPDX-License-Identifier: MIT
// The trace index: building it, and traces against the world, one model, or everything solid.
#include "query/collide.h"

#include "query/clip.h"
#include "query/index.h"
#include "query/exit_solid.h"
#include "query/settle.h"
#include "query/simd.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define AHEAD 256 // bytes from a trace to one that probably comes soon

// Units along the axes by which a hit must be before others, so that bspi_exit_solid need not ask
// the tree which is found first. More find more such hits, but traces that start in no solid pay
// for it.
#define EXIT_SLACK 1.0f

// --- traces -------------------------------------------------------------------------------------

// Sets the box of a ray. Returns by how much its centre is moved along each axis, where the engine
// does that, in `middle`; adds a number that is not finite to *odd as NaN.
static void prepare_box(const bsp_trace_index *index, const bsp_trace_input *input, bspi_ray *ray,
                        float middle[3], float *odd) {
    ray->point = true;
    for (int i = 0; i < 3; i++) {
        middle[i] = index->rules->center_box ? (input->mins[i] + input->maxs[i]) * 0.5f : 0;
        ray->mins[i] = input->mins[i] - middle[i];
        ray->maxs[i] = input->maxs[i] - middle[i];
        ray->point = ray->point && ray->mins[i] == 0 && ray->maxs[i] == 0;
        *odd += (ray->mins[i] - ray->mins[i]) + (ray->maxs[i] - ray->maxs[i]);
    }
}

// Prepares the segment as the family's engine does. Returns false if a number is not finite.
static inline bool prepare_ray(const bsp_trace_index *index, const bsp_trace_input *input,
                               bspi_ray *ray) {
    static const float zeros[3] = {0};
    float middle[3] = {0, 0, 0};
    float odd = 0;
    float moved = 0;
    ray->mask = input->mask == 0 ? BSPI_SOLID_MASK : input->mask;
    // Most traces are points.
    ray->point = memcmp(input->mins, zeros, sizeof zeros) == 0 &&
                 memcmp(input->maxs, zeros, sizeof zeros) == 0;
    memcpy(ray->mins, zeros, sizeof zeros);
    memcpy(ray->maxs, zeros, sizeof zeros);
    if (!ray->point) {
        prepare_box(index, input, ray, middle, &odd);
    }
    for (int i = 0; i < 3; i++) {
        ray->start[i] = input->start[i] + middle[i];
        ray->end[i] = input->end[i] + middle[i];
        moved += fabsf(input->start[i] - input->end[i]);
        // Each difference is 0 for a finite number, else NaN.
        odd += (ray->start[i] - ray->start[i]) + (ray->end[i] - ray->end[i]);
    }
    ray->still = moved == 0;
    ray->slack = index->rules->leaves_solid && moved > EXIT_SLACK ? EXIT_SLACK / moved : 0;
    ray->pass = ray->point && !ray->still ? BSPI_PASS_POINTS : BSPI_PASS_BOXES;
    return odd == 0;
}

// Moves a ray into a model's space. Returns false if a number is not finite.
static bool place_ray(const bspi_placed *placed, bspi_ray *ray) {
    float odd = 0;
    for (int i = 0; i < 3; i++) {
        ray->start[i] -= placed->origin[i];
        ray->end[i] -= placed->origin[i];
        odd += (ray->start[i] - ray->start[i]) + (ray->end[i] - ray->end[i]);
    }
    if (placed->turned) {
        bspi_into_model(placed, ray->start);
        bspi_into_model(placed, ray->end);
    }
    return odd == 0;
}

// Fills in the brush, face or displacement of a hit.
static void describe(const bsp_trace_index *index, const bspi_convex *convex,
                     bsp_trace_result *out) {
    const bsp_map *map = index->map;
    out->contents = (int32_t)convex->contents;
    if (convex->kind == BSPI_BRUSH) {
        out->brush = convex->owner;
        return;
    }
    out->face = convex->kind == BSPI_PATCH ? convex->owner : map->displacements[convex->owner].face;
    const bsp_face *face = &map->faces[out->face];
    out->surface_flags = bspi_surface_flags(map, face->texinfo, face->material);
}

// Fills in the plane of a hit.
static void describe_plane(const bspi_ray *ray, const bspi_convex *convex, uint32_t at,
                           bsp_trace_result *out) {
    out->dist = bspi_plane_at(convex, at, out->normal);
    if (convex->kind == BSPI_PATCH) { // the engine reports the plane as moved for the box
        out->dist = bspi_moved_dist(ray, out->normal, out->dist);
    }
    if (out->brush != BSP_NONE) {
        bspi_lane origin = bspi_origin_at(convex, at);
        out->side = origin.order;
        out->plane = origin.plane;
        out->surface_flags = origin.flags;
    }
}

static inline void finish(const bsp_trace_index *index, const bspi_ray *ray, const bspi_hit *hit,
                          bsp_trace_result *out) {
    out->start_solid = hit->stuck != BSP_NONE || hit->solid != BSP_NONE;
    out->all_solid = hit->solid != BSP_NONE;
    bool ended = out->all_solid && (index->rules->solid_stops || ray->still);
    if (hit->convex != BSP_NONE && (!ended || index->rules->by_tree)) {
        out->fraction = hit->fraction;
        const bspi_convex *convex = bspi_hit_convex(index, hit);
        describe(index, convex, out);
        describe_plane(ray, convex, hit->lane, out);
    } else if (hit->stuck != BSP_NONE && index->rules->tells_stuck) {
        describe(index, bspi_convex_at(index, hit->stuck), out);
    }
    if (ended) {
        uint32_t flags = out->surface_flags;
        out->fraction = 0;
        out->brush = out->face = out->side = BSP_NONE;
        describe(index, bspi_convex_at(index, hit->solid), out);
        if (index->rules->by_tree) { // it reports what it hit before it found the solid
            out->surface_flags = flags;
        }
    }
}

// Sets the end of a trace, if something stops it.
static inline void set_end(const bsp_trace_input *input, bsp_trace_result *out) {
    for (int i = 0; i < 3 && out->fraction != 1; i++) {
        out->end[i] = input->start[i] + out->fraction * (input->end[i] - input->start[i]);
    }
}

static inline void trace_body(const bsp_trace_index *index, const bspi_tracer *tracer,
                              uint32_t model, const bspi_ray *ray, bsp_trace_result *out) {
    bspi_hit hit;
    hit.fraction = hit.limit = 1;
    hit.at = NULL;
    hit.left = -1;
    hit.second = 1;
    hit.ordered = hit.lost = false;
    hit.convex = hit.lane = hit.solid = hit.stuck = BSP_NONE;
    hit.stuck_sure = hit.solid_sure = false;
    hit.dropped = 2; // above any fraction
    hit.num_near = hit.num_stuck = 0;
    tracer->walk(index, &index->bodies[model], ray, &hit);
    if (index->rules->by_tree) {
        bspi_settle(index, tracer, model, ray, &hit);
    }
    if (index->rules->leaves_solid && hit.stuck != BSP_NONE) {
        bool moves_out = hit.solid == BSP_NONE && !ray->still;
        out->left_solid = moves_out ? bspi_exit_solid(index, tracer, model, ray, &hit) : 1;
    }
    finish(index, ray, &hit, out);
}

// Traces against a model that is placed by an entity.
static void trace_placed(const bsp_trace_index *index, const bspi_tracer *tracer,
                         const bsp_trace_input *input, const bspi_placed *placed,
                         bsp_trace_result *out) {
    bspi_ray ray;
    bspi_clear_result(input, out);
    if (!prepare_ray(index, input, &ray) || !place_ray(placed, &ray) ||
        placed->model >= index->num_bodies) {
        return;
    }
    if (index->map->traits->contents_numbers) {
        bspi_trace_hull(index, input, placed, out);
    } else {
        trace_body(index, tracer, placed->model, &ray, out);
        set_end(input, out);
    }
    bspi_out_of_model(placed, out);
}

// Takes the nearest of two results; a start in solid in either counts (SV_ClipMoveToEntities).
static void merge(bsp_trace_result *best, const bsp_trace_result *other, uint32_t entity) {
    bool start_solid = best->start_solid || other->start_solid;
    bool all_solid = best->all_solid || other->all_solid;
    float left_solid = fmaxf(best->left_solid, other->left_solid);
    if (other->fraction < best->fraction || (other->all_solid && !best->all_solid)) {
        *best = *other;
        best->entity = entity;
    }
    best->start_solid = start_solid;
    best->all_solid = all_solid;
    best->left_solid = left_solid;
}

// Traces against one model of a map with hulls, where it is in its own space.
static void trace_hull(const bsp_trace_index *index, const bsp_trace_input *input, uint32_t model,
                       bsp_trace_result *out) {
    const bspi_placed here = {.model = model};
    bspi_clear_result(input, out);
    if (bspi_input_is_finite(input) && model < index->num_bodies) {
        bspi_trace_hull(index, input, &here, out);
        bspi_out_of_model(&here, out);
    }
}

// Traces against the world and all models that entities place.
static void trace_all(const bsp_trace_index *index, const bspi_tracer *tracer,
                      const bsp_trace_input *input, bsp_trace_result *result) {
    const bspi_placed world = {.model = 0};
    trace_placed(index, tracer, input, &world, result);
    for (uint32_t i = 0; i < index->num_placed; i++) {
        const bspi_placed *p = &index->placed[i];
        bsp_trace_result other;
        if (!(p->glass && input->sight) && bspi_may_touch(index, p, input)) {
            trace_placed(index, tracer, input, p, &other);
            merge(result, &other, p->entity);
        }
    }
}

void bspi_trace_with(const bsp_trace_index *index, const bspi_tracer *tracer,
                     const bsp_trace_input *input, bsp_trace_result *result) {
    static const float nowhere[3] = {0};
    bspi_ray ray;
    if (input->model == BSP_TRACE_ALL) {
        trace_all(index, tracer, input, result);
        return;
    }
    if (index->map->traits->contents_numbers) {
        trace_hull(index, input, input->model, result);
        return;
    }
    bspi_clear_result(input, result);
    if (prepare_ray(index, input, &ray) && input->model < index->num_bodies) {
        trace_body(index, tracer, input->model, &ray, result);
        set_end(input, result);
        result->dist += bspi_dot(result->normal, nowhere); // as with a place: -0 becomes 0
    }
}

void bsp_trace(const bsp_trace_index *index, const bsp_trace_input *input,
               bsp_trace_result *result) {
    assert(index != NULL && input != NULL && result != NULL);
    // Callers have their traces in arrays, most often.
    BSPI_FETCH((const void *)((uintptr_t)input + AHEAD));
    BSPI_FETCH((const void *)((uintptr_t)result + AHEAD));
    BSPI_FETCH((const void *)((uintptr_t)result + AHEAD + 64));
    bspi_trace_with(index, index->tracer, input, result);
}

bsp_text bsp_trace_material(const bsp_map *map, const bsp_trace_result *result) {
    assert(map != NULL && result != NULL);
    uint32_t texinfo = BSP_NONE;
    uint32_t material = BSP_NONE;
    if (result->side < map->num_brush_sides) {
        texinfo = map->brush_sides[result->side].texinfo;
        material = map->brush_sides[result->side].material;
    } else if (result->face < map->num_faces) {
        texinfo = map->faces[result->face].texinfo;
        material = map->faces[result->face].material;
    }
    material = texinfo < map->num_texinfos ? map->texinfos[texinfo].material : material;
    return material < map->num_materials ? map->materials[material].name : (bsp_text){NULL, 0};
}
