// SPDX-License-Identifier: MIT
// Quake 3: luxels at the edge of a lamp's shadow are measured at places around their middle too,
// and these again where they differ. Facts: netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp
// (IlluminateRawLightmap, SubsampleRawLuxel_r, SubmapRawLuxel).
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/gather.h"
#include "bake/light/gather/ways.h"
#include "bake/light/shadows/shadow.h"

#include <math.h>
#include <string.h>

#define FAINT 4.0f  // of 255: less light has no edges
#define AROUND 4u   // places around a luxel
#define SKIN 0.25f  // units around what is solid
#define MOST_BOX 4  // -samplessearchboxsize
#define ASIDE 0.25f // luxels from the middle to the first places around it; then half of that

// What a place has of a lamp.
typedef struct sample {
    float point[3];
    float color[3];
    float way[3];
    uint32_t cluster; // BSP_NONE: it is in solid
    bool lit;
} sample;

typedef struct refined {
    bspi_gather *g;
    const bspi_lamp *lamp;
    uint32_t place; // luxel
} refined;

static bool is_some(const float color[3]) {
    return fabsf(color[0]) + fabsf(color[1]) + fabsf(color[2]) > 0;
}

static bool is_faint(const float total[3]) {
    return !(fabsf(total[0]) > FAINT || fabsf(total[1]) > FAINT || fabsf(total[2]) > FAINT);
}

// --- one place ----------------------------------------------------------------------------------

// Places along an axis of a face.
static uint32_t side_of(const bspi_places *places, int axis) {
    return (axis == 0 ? places->width : places->height) * places->extra;
}

// Sets the step from a place to the next one along an axis, or, not `forth`, to it from the one
// before; 0 where that is in solid.
static void step_of(const bspi_places *places, uint32_t place, int axis, bool forth, float out[3]) {
    uint32_t width = side_of(places, 0);
    uint32_t at = axis == 0 ? place % width : place / width;
    uint32_t size = side_of(places, axis);
    uint32_t far = axis == 0 ? 1 : width;
    bool next = (at + 1 < size && forth) || at == 0;
    uint32_t other = next ? place + far : place - far;
    bool known = (next ? at + 1 < size : at > 0) && places->lit[other];
    for (int i = 0; i < 3; i++) {
        float way = known ? places->points[other][i] - places->points[place][i] : 0;
        out[i] = next ? way : -way;
    }
}

// Sets what a place sees of the lamp, unless something is between.
static void light(const refined *r, sample *s, float strength, const float way[3],
                  const float through[3]) {
    bspi_gather *g = r->g;
    float part =
        strength * bspi_lamp_angle(r->lamp, bspi_gather_cosine(g->places, r->lamp,
                                                               g->places->normals[r->place], way));
    for (int c = 0; c < 3; c++) {
        s->color[c] = r->lamp->color[c] * part * through[c];
    }
    if (g->places->ways != NULL) {
        bspi_ways_add(g->own, r->lamp, way, part, s->way);
    }
    s->lit = is_some(s->color);
}

// Looks along lines from places around one, of which `which` says which they are.
static void look(const refined *r, const bsp_sight_line *lines, const uint32_t *which,
                 const float (*ways)[3], const float *strengths, uint32_t count,
                 sample around[AROUND]) {
    bspi_gather *g = r->g;
    const bspi_lamp *lamp = r->lamp;
    bool seen[AROUND];
    float through[AROUND][3];
    if (lamp->kind != BSPI_LAMP_SUN) {
        bspi_shadow_lines(g->own, bspi_lamp_shaded(lamp, g->places->model), lines, seen, through,
                          count);
    } else {
        float from[AROUND][3];
        for (uint32_t n = 0; n < count; n++) {
            memcpy(from[n], lines[n].from, sizeof from[n]);
        }
        uint32_t open =
            bspi_shadow_rays(g->own, bspi_shaded_model(g->places->model), (const float(*)[3])from,
                             ways, count, bspi_lamp_sky(lamp), through);
        for (uint32_t n = 0; n < count; n++) {
            seen[n] = (open >> n & 1) != 0;
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        if (seen[n]) {
            light(r, &around[which[n]], strengths[n], ways[n], through[n]);
        }
    }
}

// Does the lamp reach the first place, by the map's rows? If not, none of the four has any of it,
// as there.
static bool in_sight(const refined *r, const sample *first) {
    const bspi_lamp *lamp = r->lamp;
    return lamp->kind == BSPI_LAMP_SUN ||
           (first->cluster != BSP_NONE &&
            (lamp->visible == NULL ||
             bsp_query_row_sees(r->g->own->map, lamp->visible, first->cluster)));
}

static void measure(const refined *r, sample around[AROUND]) {
    bspi_gather *g = r->g;
    const bspi_lamp *lamp = r->lamp;
    bool sun = lamp->kind == BSPI_LAMP_SUN;
    bsp_sight_line lines[AROUND];
    float ways[AROUND][3];
    float strengths[AROUND];
    uint32_t which[AROUND];
    uint32_t count = 0;
    for (uint32_t n = 0; n < AROUND; n++) {
        const sample *s = &around[n];
        if (s->cluster == BSP_NONE) {
            continue;
        }
        if (!bspi_meter_add(&g->meter, 1)) {
            return;
        }
        float *way = ways[count];
        for (int c = 0; c < 3 && sun; c++) {
            way[c] = -lamp->direction[c];
        }
        strengths[count] =
            sun ? lamp->light : bspi_gather_strength(g, lamp, r->place, s->point, way);
        bool counts =
            sun ? bspi_gather_cosine(g->places, lamp, g->places->normals[r->place], way) > 0
                : bspi_gather_counts(g, lamp, r->place, strengths[count], way);
        for (int c = 0; c < 3; c++) {
            lines[count].from[c] = s->point[c];
            lines[count].to[c] = lamp->origin[c] - way[c] * g->own->scale.before;
        }
        which[count] = n;
        count += counts;
    }
    if (count != 0) {
        look(r, lines, which, (const float(*)[3])ways, strengths, count, around);
    }
}

// --- one luxel ----------------------------------------------------------------------------------

// Finds the four places around one.
static void place_around(const refined *r, const sample *middle, float aside,
                         sample around[AROUND]) {
    for (uint32_t n = 0; n < AROUND; n++) {
        float u = (n & 1) != 0 ? aside : -aside;
        float v = (n & 2) != 0 ? aside : -aside;
        float steps[2][3];
        step_of(r->g->places, r->place, 0, u >= 0, steps[0]);
        step_of(r->g->places, r->place, 1, u >= 0, steps[1]); // as there
        around[n] = (sample){.lit = false};
        for (int i = 0; i < 3; i++) {
            around[n].point[i] = middle->point[i] + u * steps[0][i] + v * steps[1][i];
        }
        around[n].cluster = bspi_drawn_cluster(r->g->own, around[n].point, SKIN);
    }
}

// Makes what a place has the mean of that and of what those around it have.
static void refine(const refined *r, sample *middle, float aside, uint32_t depth) {
    sample around[AROUND];
    float total[3] = {0, 0, 0};
    uint32_t mapped = 0;
    uint32_t lit = 0;
    place_around(r, middle, aside, around);
    if (in_sight(r, &around[0])) {
        measure(r, around);
    }
    for (uint32_t n = 0; n < AROUND; n++) {
        mapped += around[n].cluster != BSP_NONE;
        lit += around[n].lit;
        for (int c = 0; c < 3; c++) {
            total[c] += around[n].color[c];
        }
    }
    bool again = depth + 1 < r->g->own->scale.samples && !is_faint(total) && lit != 0 &&
                 lit != mapped && !r->g->meter.failed;
    uint32_t count = 1;
    for (uint32_t n = 0; n < AROUND; n++) {
        if (around[n].cluster == BSP_NONE) {
            continue;
        }
        if (again) {
            refine(r, &around[n], aside / 2, depth + 1);
        }
        count++;
        for (int c = 0; c < 3; c++) {
            middle->color[c] += around[n].color[c];
            middle->way[c] += around[n].way[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        middle->color[c] /= (float)count;
        middle->way[c] /= (float)count;
    }
}

// --- all luxels ---------------------------------------------------------------------------------

// Is there an edge between a luxel and those after it, along the axes?
static bool is_edge(const bspi_gather *g, const float (*fresh)[3], uint32_t place) {
    const bspi_places *places = g->places;
    float total[3] = {0, 0, 0};
    uint32_t mapped = 0;
    uint32_t lit = 0;
    for (uint32_t n = 0; n < AROUND; n++) {
        uint32_t at = place + (n & 1) + (n >> 1) * side_of(places, 0);
        bool some = places->lit[at] && is_some(fresh[at]);
        mapped += places->lit[at];
        lit += some;
        for (int c = 0; places->lit[at] && c < 3; c++) {
            total[c] += fresh[at][c];
        }
    }
    return lit != 0 && lit != mapped && !is_faint(total);
}

// Marks the luxels at edges.
static bool find_edges(const bspi_gather *g, const float (*fresh)[3], bool *edges) {
    const bspi_places *places = g->places;
    bool any = false;
    uint32_t width = side_of(places, 0);
    memset(edges, 0, places->count * sizeof *edges);
    for (uint32_t y = 0; y + 1 < side_of(places, 1); y++) {
        for (uint32_t x = 0; x + 1 < width; x++) {
            uint32_t place = y * width + x;
            if (is_edge(g, fresh, place)) {
                edges[place] = edges[place + 1] = true;
                edges[place + width] = edges[place + width + 1] = true;
                any = true;
            }
        }
    }
    return any;
}

void bspi_samples_refine(bspi_gather *g, const bspi_lamp *lamp) {
    const bspi_places *places = g->places;
    refined r = {.g = g, .lamp = lamp};
    float(*ways)[3] = places->ways != NULL ? bspi_gather_ways(g, g->fresh) : NULL;
    float box = floorf(fminf(MOST_BOX, fmaxf(1, g->own->drawn->told.samples_box)));
    bool any = find_edges(g, (const float(*)[3])g->fresh, g->edges);
    for (uint32_t n = 0; any && !g->meter.failed && n < places->count; n++) {
        if (!g->edges[n] || !places->lit[n]) {
            continue;
        }
        sample middle = {.lit = false};
        memcpy(middle.point, places->points[n], sizeof middle.point);
        memcpy(middle.color, g->fresh[n], sizeof middle.color);
        if (ways != NULL) {
            memcpy(middle.way, ways[n], sizeof middle.way);
        }
        r.place = n;
        refine(&r, &middle, ASIDE * box, 1);
        memcpy(g->fresh[n], middle.color, sizeof middle.color);
        if (ways != NULL) {
            memcpy(ways[n], middle.way, sizeof middle.way);
        }
    }
}
