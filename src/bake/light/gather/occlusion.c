// SPDX-License-Identifier: MIT
// Ambient occlusion of the vrad of Counter-Strike: Global Offensive, which keeps direct light from
// corners. Facts: that all direct light of a place is multiplied by it, lightmap.cpp of G-String
// (g-string_2013); that static props are in the way, the manual of Strata's vrad. Measured in two
// maps (he_dustwar, fy_iceworld): the share of the view that is open within 36 units, by its
// cosines, squared; the sky is open.
#include "bake/light/gather/dirt.h"
#include "bake/light/shadows/shadow.h"

#include "core/vector.h"
#include "query/open_sky.h"

#include <string.h>

#define WAYS 64u    // over the half of the view before the surface
#define REACH 36.0f // units

// Does a line that something stops end at the sky?
static bool is_sky(const bspi_relight *own, const bsp_sight_line *line) {
    bsp_trace_input in = {.mask = own->scale.mask};
    bsp_trace_result out;
    memcpy(in.start, line->from, sizeof in.start);
    memcpy(in.end, line->to, sizeof in.end);
    bsp_trace(own->index, &in, &out);
    return bspi_hit_sky(own->index, &out);
}

// Returns what is left of the light of a point.
static float open_at(bspi_relight *own, const float ways[WAYS][3], uint32_t model,
                     const float point[3], const float normal[3]) {
    bsp_sight_line lines[WAYS];
    float weights[WAYS];
    bool seen[WAYS];
    float open = 0;
    float all = 0;
    for (uint32_t i = 0; i < WAYS; i++) {
        const float *way = ways[i];
        float cosine = bspi_dot(way, normal);
        float reach = cosine < 0 ? -REACH : REACH; // the other half of the sphere is turned over
        weights[i] = cosine < 0 ? -cosine : cosine;
        for (int c = 0; c < 3; c++) {
            lines[i].from[c] = point[c];
            lines[i].to[c] = point[c] + way[c] * reach;
        }
    }
    bspi_shadow_lines(own, bspi_shaded_model(model), lines, seen, NULL, WAYS);
    for (uint32_t i = 0; i < WAYS; i++) {
        all += weights[i];
        open += seen[i] || is_sky(own, &lines[i]) ? weights[i] : 0;
    }
    return all > 0 ? open / all * (open / all) : 1;
}

bool bspi_places_occlude(bspi_relight *own, bspi_places *places, bsp_error *error) {
    if (!own->scale.occludes || places->near != NULL) {
        return true;
    }
    float ways[WAYS][3];
    for (uint32_t i = 0; i < WAYS; i++) {
        bspi_halton_direction(i, ways[i]);
    }
    if (!bspi_dirt_room(own, places, error) ||
        !bspi_heap_work(&own->heap, (uint64_t)places->count * WAYS, error)) {
        return false;
    }
    for (uint32_t n = 0; n < places->count; n++) {
        const float(*to)[3] = (const float(*)[3])ways;
        bool lit = places->lit[n];
        places->open[n] =
            lit ? open_at(own, to, places->model, places->points[n], places->normals[n]) : 1;
        places->near[n] = 1 - places->open[n];
    }
    return true;
}
