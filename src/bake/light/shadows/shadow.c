// SPDX-License-Identifier: MIT
// Shadows: what stands between a place and a light.
#include "bake/light/shadows/occluder_suns.h"
#include "bake/light/shadows/props.h"
#include "bake/light/shadows/shade.h"
#include "bake/light/shadows/shadow.h"
#include "bake/light/shadows/shaft_eight.h"
#include "bake/light/shadows/sky_rooms.h"

#include "core/vector.h"
#include "query/open_sky.h"

#include <string.h>

#define STEPS 64u // boxes that are looked at count as one of work
#define MODELS 8u // likewise models that a line may meet

static void move(const float point[3], const float origin[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = point[i] - origin[i];
    }
}

static bool is_shaded_by(const bspi_relight *own, uint32_t model, const float from[3],
                         const float to[3]) {
    bsp_trace_input in = {.mask = own->scale.mask, .model = model};
    bsp_trace_result out;
    move(from, own->models[model].origin, in.start);
    move(to, own->models[model].origin, in.end);
    bsp_trace(own->index, &in, &out);
    return out.fraction < 1 || out.start_solid;
}

// The same for all models whose boxes are known.
static bool is_shaded_nearby(const bspi_relight *own, const float from[3], const float to[3]) {
    bool shaded = false;
    for (uint32_t i = 0; i < own->shafts->num_models && !shaded; i++) {
        const bspi_shaft_model *model = &own->shafts->models[i];
        shaded = bspi_shaft_may_touch(model, from, to) && is_shaded_by(own, model->model, from, to);
    }
    return shaded;
}

// Does a brush model that casts shadows stand between?
static bool is_shaded(bspi_relight *own, const float from[3], const float to[3]) {
    if (own->num_shading >= MODELS) {
        (void)bspi_heap_work(&own->heap, own->num_shading / MODELS, NULL);
    }
    if (own->shafts != NULL) {
        return is_shaded_nearby(own, from, to);
    }
    for (uint32_t i = 0; i < own->num_shading; i++) {
        if (is_shaded_by(own, own->shading[i], from, to)) {
            return true;
        }
    }
    return false;
}

// hlrad: no line goes from air into a liquid. Source: TestLine of trace.cpp of SDHLT.
static bool is_drowned(const bspi_relight *own, const float from[3], const float to[3]) {
    return own->shafts != NULL && !bspi_shaft_stays(own->shafts, from, to);
}

// What was looked at is paid for here; the next step that can fail tells of too much.
static void pay(bspi_relight *own, const bspi_occluder_lines *lines) {
    (void)bspi_heap_work(&own->heap, lines->steps / STEPS, NULL);
}

static bspi_occluder_lines begin(const bspi_relight *own, bspi_shaded of) {
    return (bspi_occluder_lines){.all = own->occluders,
                                 .model = of.model,
                                 .channels = of.channels,
                                 .back = of.back,
                                 .style = own->models[of.model].style,
                                 .sky = BSP_NONE,
                                 .last = BSP_NONE};
}

static void among_faces(bspi_relight *own, bspi_shaded of, const bsp_sight_line *lines, bool *seen,
                        float (*through)[3], uint32_t count) {
    bspi_occluder_lines among = begin(own, of);
    bspi_occluders_beam(&among, lines, seen, through, count);
    pay(own, &among);
}

// Drops those lines that go into a liquid, or out of it.
static void drop_drowned(const bspi_relight *own, const bsp_sight_line *lines, bool *seen,
                         uint32_t count) {
    bspi_shaft_eight_fn *stay = bspi_shaft_eight_here();
    for (uint32_t i = 0; i < count;) {
        bspi_shaft_lines eight = {.lanes = 0};
        uint32_t which[BSPI_SHAFT_LANES] = {0};
        uint32_t some = 0;
        for (; i < count && some < BSPI_SHAFT_LANES; i++) {
            if (!seen[i] || bspi_shaft_in_air(own->shafts, lines[i].from, lines[i].to)) {
                continue;
            }
            for (int c = 0; c < 3; c++) {
                eight.from[c][some] = lines[i].from[c];
                eight.to[c][some] = lines[i].to[c];
            }
            which[some++] = i;
        }
        eight.lanes = (1u << some) - 1;
        bool known = stay(own->shafts, &eight);
        for (uint32_t n = 0; n < some; n++) {
            const bsp_sight_line *line = &lines[which[n]];
            seen[which[n]] = known ? (eight.changes >> n & 1) == 0
                                   : bspi_shaft_stays(own->shafts, line->from, line->to);
        }
    }
}

// Quake 3: how lines are looked along from what light falls on.
static bspi_shade_rules shade_rules(const bspi_relight *own, bspi_shaded of) {
    return (bspi_shade_rules){.near = of.near > 0 ? of.near : BSPI_SHADE_NEAR,
                              .grid = of.near > 0,
                              .bare = own->drawn->told.no_surfaces};
}

// Puts lines in the lanes; those of others are set as well.
static void put_lines(bspi_shade_eight *eight, const bsp_sight_line *lines, uint32_t count) {
    for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
        for (int c = 0; c < 3; c++) {
            eight->from[c][n] = lines[n < count ? n : 0].from[c];
            eight->to[c][n] = lines[n < count ? n : 0].to[c];
        }
    }
    eight->lanes = (1u << count) - 1;
}

// Do no shadows fall on it?
static bool is_unshaded(const bspi_relight *own, bspi_shaded of) {
    return own->models[of.model].unshaded && !(of.near > 0); // cells are of the world
}

// `free`: nothing shades them.
static void among_surfaces(bspi_relight *own, const bspi_shade_rules *rules, bool free,
                           const bsp_sight_line *lines, bool *seen, float (*through)[3],
                           uint32_t count) {
    bspi_shade_eight eight;
    eight.steps = 0;
    for (uint32_t i = 0; i < count; i += BSPI_SHADE_LANES) {
        float left[BSPI_SHADE_LANES][3];
        uint32_t some = count - i < BSPI_SHADE_LANES ? count - i : BSPI_SHADE_LANES;
        put_lines(&eight, lines + i, some);
        if (!free) {
            bspi_shade_many(own, rules, &eight, through != NULL ? left : NULL);
        }
        for (uint32_t n = 0; n < some; n++) {
            seen[i + n] = free || (eight.stopped >> n & 1) == 0;
            for (int c = 0; through != NULL && c < 3; c++) {
                through[i + n][c] = free ? 1 : left[n][c];
            }
        }
    }
    (void)bspi_shade_pay(own, eight.steps, NULL);
}

static void in_tree(bspi_relight *own, bspi_shaded of, const bsp_sight_line *lines, bool *seen,
                    float (*through)[3], uint32_t count) {
    if (own->drawn != NULL) {
        const bspi_shade_rules rules = shade_rules(own, of);
        bool free = own->drawn->told.no_trace || is_unshaded(own, of);
        among_surfaces(own, &rules, free, lines, seen, through, count);
        return;
    }
    bsp_sight_batch(own->index, own->scale.mask, 0, lines, seen, count);
    if (own->shafts != NULL && own->shafts->liquids) {
        drop_drowned(own, lines, seen, count);
    }
    if (own->shafts != NULL && own->shafts->num_models == 0) { // there is nothing else
        for (uint32_t i = 0; through != NULL && i < count; i++) {
            through[i][0] = through[i][1] = through[i][2] = 1;
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        seen[i] = seen[i] && !is_shaded(own, lines[i].from, lines[i].to);
        for (int c = 0; through != NULL && c < 3; c++) {
            through[i][c] = 1;
        }
    }
    bspi_props_shade(own, of, lines, seen, through, count);
}

void bspi_shadow_lines(bspi_relight *own, bspi_shaded of, const bsp_sight_line *lines, bool *seen,
                       float (*through)[3], uint32_t count) {
    atomic_fetch_add_explicit(&own->rays, count, memory_order_relaxed);
    if (own->occluders != NULL) {
        among_faces(own, of, lines, seen, through, count);
        return;
    }
    in_tree(own, of, lines, seen, through, count);
}

// Does a line through space meet the sky?
static bool meets_sky(bspi_relight *own, bspi_shaded of, const float point[3],
                      const float direction[3], float through[3]) {
    bsp_sight_line line;
    memcpy(line.from, point, sizeof line.from);
    through[0] = through[1] = through[2] = 1;
    bool open = bspi_sees_sky(own->index, own->scale.mask, point, direction, line.to) &&
                !is_drowned(own, point, line.to) && !is_shaded(own, point, line.to);
    bspi_props_shade(own, of, &line, &open, (float(*)[3])through, 1);
    return open;
}

// Does it meet the sky of all rooms that are seen in the place of the sky? `through` is lessened.
static bool meets_sky_of_rooms(bspi_relight *own, bspi_shaded of, const float point[3],
                               const float direction[3], float through[3]) {
    if (own->sky_rooms == NULL || bspi_sky_rooms_have(own, point)) {
        return true;
    }
    for (uint32_t i = 0; i < own->sky_rooms->count; i++) {
        const bspi_sky_room *room = &own->sky_rooms->list[i];
        float from[3];
        float part[3];
        for (int c = 0; c < 3; c++) {
            from[c] = room->origin[c] + point[c] / room->scale;
        }
        if (!meets_sky(own, of, from, direction, part)) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            through[c] *= part[c];
        }
    }
    return true;
}

// Sets the way of a line to the sky.
static void whole_way(const bspi_relight *own, const float direction[3], float way[3]) {
    for (int i = 0; i < 3; i++) {
        way[i] = direction[i] * 4 * own->map->traits->max_coord;
    }
}

// Sets its end.
static void beyond(const bspi_relight *own, const float point[3], const float direction[3],
                   float at[3]) {
    whole_way(own, direction, at);
    for (int i = 0; i < 3; i++) {
        at[i] += point[i];
    }
}

// Quake 3: returns bits of the rays that meet the sky.
static uint32_t rays_of_surfaces(bspi_relight *own, bspi_shaded of, const float (*points)[3],
                                 const float (*directions)[3], uint32_t count,
                                 float (*through)[3]) {
    bspi_shade_rules rules = shade_rules(own, of);
    bsp_sight_line lines[BSPI_SHADOW_RAYS] = {0};
    bool seen[BSPI_SHADOW_RAYS];
    uint32_t open = 0;
    if (is_unshaded(own, of) && !own->drawn->told.no_trace) { // as there: no line meets the sky
        return 0;
    }
    for (uint32_t n = 0; n < count; n++) {
        memcpy(lines[n].from, points[n], sizeof lines[n].from);
        beyond(own, points[n], directions[n], lines[n].to);
    }
    rules.beyond = true;
    among_surfaces(own, &rules, own->drawn->told.no_trace, lines, seen, through, count);
    for (uint32_t n = 0; n < count; n++) {
        open |= (uint32_t)seen[n] << n;
    }
    return open;
}

bool bspi_shadow_sky_of(bspi_relight *own, bspi_shaded of, const float point[3],
                        const float direction[3], uint32_t sky, float through[3]) {
    float none[3];
    float *left = through != NULL ? through : none;
    atomic_fetch_add_explicit(&own->rays, 1, memory_order_relaxed);
    if (own->occluders != NULL) {
        float at[3];
        beyond(own, point, direction, at);
        bspi_occluder_lines among = begin(own, of);
        among.sky = sky;
        bool open = bspi_occluders_sky(&among, point, at, left);
        pay(own, &among);
        return open;
    }
    if (own->drawn != NULL) {
        return rays_of_surfaces(own, of, (const float(*)[3])point, (const float(*)[3])direction, 1,
                                (float(*)[3])left) != 0;
    }
    return meets_sky(own, of, point, direction, left) &&
           meets_sky_of_rooms(own, of, point, direction, left);
}

uint32_t bspi_shadow_rays(bspi_relight *own, bspi_shaded of, const float (*points)[3],
                          const float (*directions)[3], uint32_t count, uint32_t sky,
                          float (*through)[3]) {
    uint32_t may = (1u << count) - 1;
    uint32_t open = 0;
    if (own->drawn != NULL) {
        atomic_fetch_add_explicit(&own->rays, count, memory_order_relaxed);
        return rays_of_surfaces(own, of, points, directions, count, through);
    }
    if (own->occluders == NULL) { // those have rules of their own
        may = bspi_may_see_sky(own->index, own->scale.mask, points, directions, count);
    }
    for (uint32_t n = 0; n < count; n++) {
        if ((may >> n & 1) != 0) {
            float *left = through != NULL ? through[n] : NULL;
            open |= (uint32_t)bspi_shadow_sky_of(own, of, points[n], directions[n], sky, left) << n;
        }
    }
    uint64_t told = count - (uint32_t)__builtin_popcount(may);
    atomic_fetch_add_explicit(&own->rays, told, memory_order_relaxed);
    return open;
}

bool bspi_shadow_first(bspi_relight *own, bspi_shaded of, const bspi_occluder_ends *from,
                       const float direction[3], bspi_occluder_recent *recent,
                       bspi_occluder_first *first) {
    bspi_occluder_lines among = begin(own, of);
    float way[3];
    whole_way(own, direction, way);
    bool some = bspi_occluders_first(&among, from, way, recent, first);
    pay(own, &among);
    return some;
}

bool bspi_shadow_may_shine(bspi_relight *own, bspi_shaded of, const bspi_occluder_ends *from,
                           const float direction[3]) {
    bspi_occluder_lines among = {.all = own->drawn->skies, .channels = BSPI_CHANNEL};
    bspi_occluder_recent none = {.count = 0};
    float way[3];
    if (own->drawn->told.no_trace) {
        return true;
    }
    whole_way(own, direction, way);
    bool some = !is_unshaded(own, of) && bspi_occluders_first(&among, from, way, &none, NULL);
    pay(own, &among);
    return some;
}

uint32_t bspi_shadow_skies(bspi_relight *own, bspi_shaded of,
                           const float points[3][BSPI_OCCLUDER_LANES], const float direction[3],
                           const bspi_occluder_first *first, uint32_t sky, uint32_t open,
                           float through[BSPI_OCCLUDER_LANES][3]) {
    bspi_occluder_lines among = begin(own, of);
    bspi_occluder_eight eight;
    float way[3];
    whole_way(own, direction, way);
    eight.open = open;
    eight.one = 0;
    eight.num_through = 0;
    among.sky = sky;
    atomic_fetch_add_explicit(&own->rays, (uint64_t)__builtin_popcount(open), memory_order_relaxed);
    uint32_t free = own->occluders->lanes->sky(&among, points, way, first, &eight);
    uint32_t again = free & (sky != BSP_NONE ? open : eight.one); // of these one looks closer
    for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
        const float from[3] = {points[0][n], points[1][n], points[2][n]};
        float to[3];
        through[n][0] = through[n][1] = through[n][2] = 1;
        beyond(own, from, direction, to);
        if ((again >> n & 1) != 0 && !bspi_occluders_sky(&among, from, to, through[n])) {
            free &= ~(1u << n);
        }
    }
    pay(own, &among);
    return free;
}

int bspi_shadow_switch(bspi_relight *own, bspi_shaded of, const float from[3], const float to[3]) {
    float through[3];
    bspi_occluder_lines among = begin(own, of);
    among.switching = true;
    bool free = bspi_occluders_line(&among, from, to, through);
    pay(own, &among);
    return free || among.last == BSP_NONE ? 0 : own->occluders->list[among.last].style;
}

int bspi_shadow_switch_sky(bspi_relight *own, bspi_shaded of, const float point[3],
                           const float direction[3]) {
    float at[3];
    beyond(own, point, direction, at);
    return bspi_shadow_switch(own, of, point, at);
}

void bspi_shadow_bundle(bspi_relight *own, bspi_shaded of, bspi_occluder_bundle *bundle,
                        uint32_t count) {
    bspi_occluder_lines among = begin(own, of);
    atomic_fetch_add_explicit(&own->rays, count, memory_order_relaxed);
    bspi_occluders_bundle(&among, bundle);
    pay(own, &among);
}

bool bspi_shadow_through(bspi_relight *own, bspi_shaded of, const bspi_occluder_bundle *bundle,
                         uint32_t eight, uint32_t lane, float through[3]) {
    bspi_occluder_lines among = begin(own, of);
    bool some = bspi_occluders_through(&among, bundle, eight, lane, through);
    pay(own, &among);
    return some;
}

void bspi_shadow_around(bspi_relight *own, bspi_shaded of, const bspi_occluder_places *places,
                        const float (*directions)[3], uint32_t count, float reach,
                        float free[BSPI_OCCLUDER_LANES]) {
    bspi_occluder_lines among = begin(own, of);
    own->occluders->lanes->around(&among, places, directions, count, reach, free);
    atomic_fetch_add_explicit(&own->rays, BSPI_OCCLUDER_LANES * count, memory_order_relaxed);
    pay(own, &among);
}
