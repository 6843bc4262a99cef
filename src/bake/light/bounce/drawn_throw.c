// SPDX-License-Identifier: MIT
// Quake 3: light from pieces of surfaces to luxels and vertices, as q3map2 throws it. Each bounce
// throws what the last one brought; what a place has of a piece is found when that first throws
// light. Rules: netradiant-custom, tools/quake3/q3map2 (light_bounce.cpp, light_ydnar.cpp).
#include "bake/light/bounce/bounce.h"
#include "bake/light/bounce/drawn_throw.h"
#include "bake/light/bounce/throwing.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"

#include "core/progress.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

// --- faces --------------------------------------------------------------------------------------

// Returns the light of a face: of the luxels of its piece, or of its vertices.
static bsp_relight_face *light_of(const bspi_throwing *t, uint32_t face) {
    bspi_relight *own = t->own;
    return t->takers[face].by_vertices ? &own->drawn->vertex_light[face]
                                       : &own->faces[bspi_drawn_first(own, face)];
}

static bool prepare(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    bspi_throwing *t = user;
    bspi_relight *own = t->own;
    bspi_taker *taker = &t->takers[face];
    (void)worker;
    taker->by_vertices = own->drawn->vertex_light[face].luxels != NULL;
    const bsp_relight_face *light = light_of(t, face);
    if (light->luxels == NULL || light->num_styles == 0) {
        return true;
    }
    float chop = bspi_throwing_chop(t, face);
    if (chop > 0 && !bspi_shreds_make(own, face, chop, &t->shreds[face], error)) {
        return false;
    }
    if (bspi_drawn_first(own, face) != face) { // the first of its piece takes for it
        return true;
    }
    bool found = taker->by_vertices ? bspi_vertex_places(own, face, &taker->places, error)
                                    : bspi_places_find(own, face, 1, &taker->places, error);
    if (!found || taker->places.count != light->width * light->height) {
        return found;
    }
    if (!taker->by_vertices && own->drawn->dirt &&
        !bspi_drawn_dirt_again(own, face, &taker->places, error)) { // light that came in parts
        return false;
    }
    taker->takes = bspi_taker_begin(own, taker, error);
    return taker->takes;
}

// Takes the light of a style that faces have before any is thrown, off them if they are not to keep
// it.
static bool begin_style(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    bspi_throwing *t = user;
    bspi_taker *taker = &t->takers[face];
    (void)worker;
    if (!taker->takes) {
        return true;
    }
    const bsp_relight_face *light = light_of(t, face);
    uint32_t at = bspi_face_style(light, t->style);
    const float *base = t->own->models[t->own->face_models[face]].base; // is thrown too
    for (uint32_t n = 0; n < taker->places.count; n++) {
        const float *luxel =
            at != BSP_NONE ? light->luxels[(size_t)taker->places.count * at + n] : NULL;
        for (int c = 0; c < 3; c++) {
            float more = t->style == 0 ? base[c] : 0;
            taker->rgb[n][c] = luxel != NULL ? fmaxf(0, luxel[c] + more) : 0;
        }
    }
    if (at != BSP_NONE && t->own->drawn->told.bounce_only) {
        size_t count = taker->places.count;
        memset((float(*)[3])light->luxels + count * at, 0, count * sizeof *light->luxels);
    }
    return bspi_heap_work(&t->own->heap, 1 + taker->places.count / 8, error);
}

static bool throw_face(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    bspi_throwing *t = user;
    const uint32_t piece = bspi_drawn_first(t->own, face);
    const bspi_taker *taker = &t->takers[piece];
    const bspi_drawn_slot *slot = &t->own->drawn->faces[piece].slots[0];
    const float first[2] = {(float)slot->x, (float)slot->y};
    uint32_t material = t->own->map->faces[face].material;
    (void)worker;
    if (t->shreds[face].count == 0 || !taker->takes) {
        return true;
    }
    const bspi_shred_light light = {.rgb = (const float(*)[3])taker->rgb,
                                    .width = taker->places.width,
                                    .height = taker->places.height,
                                    .first = taker->by_vertices ? NULL : first,
                                    .color_ratio = t->color_ratio,
                                    .picture = &t->pictures[material],
                                    .hues = t->hues};
    return bspi_shreds_throw(t->own, &t->shreds[face], &light, error);
}

// Adds what is thrown now to a face.
static bool take_face(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    bspi_throwing *t = user;
    bspi_taker *taker = &t->takers[face];
    (void)worker;
    if (!taker->takes) {
        return true;
    }
    if (!bspi_taker_look(t->own, taker, face, t->shining, t->num_known, t->num_shining, error) ||
        !bspi_taker_take(t->own, taker, face, t->shining, error)) {
        return false;
    }
    bsp_relight_face *light = light_of(t, face);
    bool any = false;
    for (uint32_t n = 0; n < taker->places.count; n++) {
        any = any || taker->rgb[n][0] + taker->rgb[n][1] + taker->rgb[n][2] > 0;
    }
    if (any) {
        bspi_face_style_add(t->own, light, t->style, (const float(*)[3])taker->rgb);
    }
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static bool each_face(bspi_throwing *t, bspi_item_fn *work, bsp_error *error) {
    return bspi_workers_each(bspi_heap_threads(&t->own->heap), t->own->map->num_faces, work, t,
                             error);
}

static bool throw_once(bspi_throwing *t, bool *any, bsp_error *error) {
    bspi_relight *own = t->own;
    bspi_progress progress;
    t->num_known = t->num_shining;
    return each_face(t, throw_face, error) && bspi_throwing_collect(t, any, error) &&
           (!*any || (bspi_progress_begin(&progress, &own->options->progress, "bounce",
                                          own->map->num_faces, error) &&
                      bspi_workers_stage(bspi_heap_threads(&own->heap), own->map->num_faces,
                                         take_face, t, &progress, error)));
}

static bool throw_styles(bspi_throwing *t, bsp_error *error) {
    bool styles[BSP_NO_STYLE] = {false};
    bool done = true;
    for (uint32_t f = 0; f < t->own->map->num_faces; f++) {
        const bsp_relight_face *light = light_of(t, f);
        for (uint32_t s = 0; t->takers[f].takes && s < light->num_styles; s++) {
            if (light->styles[s] < BSP_NO_STYLE) {
                styles[light->styles[s]] = true;
            }
        }
    }
    for (t->style = 0; done && t->style < BSP_NO_STYLE; t->style++) {
        bool any = styles[t->style];
        done = !any || each_face(t, begin_style, error);
        for (uint32_t n = 0; done && any && n < t->own->scale.bounces; n++) {
            t->turn = n < BSPI_THROWING_TURNS ? n : BSPI_THROWING_TURNS - 1;
            done = throw_once(t, &any, error);
            if (any) {
                bspi_drawn *drawn = t->own->drawn;
                bool more = drawn->bounce_grid && t->turn >= drawn->turns;
                drawn->turns = more ? t->turn + 1 : drawn->turns;
                bspi_count_bounce(t->own, n + 1);
            }
        }
        done = done && (!styles[t->style] || bspi_throwing_lamps(t, error));
    }
    return done;
}

bool bspi_drawn_throw(bspi_relight *own, bsp_error *error) {
    uint32_t faces = own->map->num_faces;
    bspi_throwing t = {.own = own, .num_lamps = own->num_lamps};
    if (own->scale.bounces == 0) {
        return true;
    }
    t.takers = bspi_heap_alloc(&own->heap, faces * sizeof *t.takers, error);
    t.shreds = bspi_heap_alloc(&own->heap, faces * sizeof *t.shreds, error);
    bool done = t.takers != NULL && t.shreds != NULL;
    if (done) {
        memset(t.takers, 0, faces * sizeof *t.takers);
        memset(t.shreds, 0, faces * sizeof *t.shreds);
        done = bspi_throwing_begin(&t, error) && each_face(&t, prepare, error) &&
               throw_styles(&t, error) && bspi_throwing_see(&t, error);
        for (uint32_t f = 0; f < faces; f++) {
            bspi_taker_free(own, &t.takers[f]);
            bspi_shreds_free(own, &t.shreds[f]);
        }
        own->relight.num_patches = t.num_shining;
        for (uint32_t m = 0; own->drawn->told.bounce_only && m < own->map->num_models; m++) {
            memset(own->models[m].base, 0, sizeof own->models[m].base); // of luxels and vertices
        }
    }
    bspi_heap_free(&own->heap, t.shining, t.room * sizeof *t.shining);
    bspi_heap_free(&own->heap, t.shreds, faces * sizeof *t.shreds);
    bspi_heap_free(&own->heap, t.takers, faces * sizeof *t.takers);
    return done;
}
