// SPDX-License-Identifier: MIT
// Light from face to face as ericw-tools' light does it: each lit face is one lamp in its middle,
// which shines by the mean of its light, and each bounce throws on what the last one brought.
// Source: light/bounce.cc and ltface.cc of ericw-tools.
#include "bake/light/base/surface_keys.h"
#include "bake/light/bounce/bounce.h"
#include "bake/light/bounce/bounce_kept.h"
#include "bake/light/bounce/thrown.h"
#include "bake/light/faces/face_area.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/grid_place.h"
#include "bake/light/lamps/face_rows.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"

#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define GREY (127 / 255.0f) // what a surface throws back, but for its tint
#define NEAREST 128.0f      // units; nearer is not brighter
#define GATE 0.01f          // what is weaker counts nothing,
#define PREVIEW_GATE 0.25f  // in a preview
#define LEAST_AREA 1.0f     // square units of a face that throws light back
#define MOST_BOUNCES 32u    // that the light of a map tells of
#define NEARER 0.5          // so near it must then come to that of the map, of what it was
#define STEP 2u // luxels between those that take weak light; the others have what is between

// What a face throws back.
typedef struct thrower {
    bool throws;
    float point[3];
    float normal[3];
    float area;
    uint32_t num_styles;
    int styles[BSP_RELIGHT_STYLES];
    float light[BSP_RELIGHT_STYLES][3]; // the mean on it, but for what was thrown on
} thrower;

typedef struct bounce {
    bspi_relight *own;
    thrower *throwers;  // one for each face
    bspi_lamp *lamps;   // of this bounce, in the heap
    bspi_thrown thrown; // the same
    uint32_t num_lamps;
    size_t room;
} bounce;

// Finds where light that was thrown back is measured: as corners are.
static bool find_places(bspi_relight *own, uint32_t face, bspi_places *out, bsp_error *error) {
    uint32_t extra = own->scale.extra;
    return bspi_places_find(own, face, extra / bspi_dirt_side(extra), out, error);
}

// --- what faces throw back ----------------------------------------------------------------------

// Sets the means of the light of each style: of places that are not in solid; `places` NULL, in a
// preview, of all luxels, also of those that were filled.
static void take_means(thrower *t, const bspi_relight *own, const bspi_places *places,
                       const bsp_relight_face *light) {
    size_t each = (size_t)light->width * light->height;
    uint32_t extra = places != NULL ? places->extra : 1;
    uint32_t width = light->width * extra;
    uint32_t end = width * light->height * extra;
    uint32_t count = 0;
    end = places == NULL || end < places->count ? end : places->count;
    for (uint32_t n = 0; n < end; n++) {
        count += places == NULL || bspi_place_counts(places, n);
    }
    t->num_styles = 0;
    for (uint32_t s = 0; s < light->num_styles && s < BSP_RELIGHT_STYLES; s++) {
        const float(*luxels)[3] = light->luxels + each * light->directions * s;
        float sum[3] = {0, 0, 0};
        if (light->styles[s] != 0 && !own->scale.styled) {
            continue;
        }
        for (uint32_t n = 0; n < end; n++) {
            size_t luxel = (size_t)(n / width / extra) * light->width + n % width / extra;
            for (int c = 0; c < 3 && (places == NULL || places->lit[n]); c++) {
                sum[c] += luxels[luxel][c];
            }
        }
        for (int c = 0; c < 3; c++) {
            t->light[t->num_styles][c] = fmaxf(0, sum[c] / (float)(count > 0 ? count : 1));
        }
        t->styles[t->num_styles++] = light->styles[s];
    }
}

// Does a face throw light back? Those that cast no shadow do not, nor those that give light.
static bool throws_back(const bspi_relight *own, uint32_t face) {
    const bsp_map *map = own->map;
    uint32_t model = own->face_models[face];
    uint32_t bits = bsp_surface_bits_of(map, face);
    uint32_t texinfo = map->faces[face].texinfo;
    bool gives = texinfo < map->num_texinfos && map->texinfos[texinfo].value > 0 &&
                 (map->texinfos[texinfo].flags & map->traits->surface.lit) != 0;
    const bspi_lit_model *of = &own->models[model];
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    bool solid = !keys->absorbs && !keys->no_shadow && !(keys->opacity < 1) &&
                 bspi_surface_channels(keys, BSPI_CHANNEL) == BSPI_CHANNEL;
    return solid &&
           (model == 0 ||
            (of->shades && of->channels == BSPI_CHANNEL && !(of->opacity < 1) && !of->absorbs)) &&
           !gives &&
           (bits & (BSP_SURFACE_SKY | BSP_SURFACE_HIDDEN | BSP_SURFACE_LIQUID |
                    BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_MASKED)) == 0;
}

static bool measure(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    bounce *b = user;
    bspi_relight *own = b->own;
    thrower *t = &b->throwers[face];
    const bsp_relight_face *light = &own->faces[face];
    bspi_places places;
    (void)worker;
    if (light->luxels == NULL || light->num_styles == 0 || !throws_back(own, face)) {
        return true;
    }
    if (own->scale.step > 1) {
        t->area = bspi_face_area(own, face);
        t->throws = t->area >= LEAST_AREA && bspi_face_middle(own, face, t->point, t->normal);
        take_means(t, own, NULL, light);
        return bspi_heap_work(&own->heap, (uint64_t)light->width * light->height, error);
    }
    if (!find_places(own, face, &places, error)) {
        return false;
    }
    t->area = places.area;
    t->throws = places.count != 0 && t->area >= LEAST_AREA &&
                bspi_face_middle(own, face, t->point, t->normal);
    take_means(t, own, &places, light);
    bspi_places_free(own, &places);
    return true;
}

static bool add_lamps(bounce *b, uint32_t face, bsp_error *error) {
    bspi_relight *own = b->own;
    const bspi_light_scale *scale = &own->scale;
    const thrower *t = &b->throwers[face];
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    uint32_t material = bsp_surface_material(own->map, face);
    bool known = material < own->map->num_materials;
    for (uint32_t s = 0; t->throws && s < t->num_styles; s++) {
        bspi_lamp lamp = {.outer = -2, .angle = 1, .emits = 1, .wait = scale->distance};
        float most = 0;
        for (int c = 0; c < 3; c++) {
            float mean = keys->colored ? keys->color[c]
                         : known       ? own->colors[material].mean[c]
                                       : GREY;
            float back = GREY + (mean - GREY) * scale->tint;
            lamp.color[c] = t->light[s][c] * back;
            most = fmaxf(most, lamp.color[c]);
        }
        if (!(most > 0)) {
            continue;
        }
        for (int c = 0; c < 3 && most > 1; c++) {
            lamp.color[c] /= most;
        }
        memcpy(lamp.origin, t->point, sizeof lamp.origin);
        memcpy(lamp.direction, t->normal, sizeof lamp.direction);
        lamp.fade = BSPI_FADE_CLAMPED;
        lamp.of_face = true;
        lamp.range = NEAREST;
        lamp.light = most * t->area * scale->bounce / 2; // half: light/ltface.cc
        lamp.gate = own->scale.step > 1 ? PREVIEW_GATE : GATE;
        lamp.reach = sqrtf(lamp.light * fminf(most, 1) / lamp.gate);
        lamp.dirty = scale->dirt;
        lamp.style = t->styles[s];
        bspi_face_lamp_sees(own, face, &lamp);
        bspi_lamp *more =
            bspi_grow(&own->heap, b->lamps, b->num_lamps, &b->room, sizeof *more, error);
        if (more == NULL) {
            return false;
        }
        b->lamps = more;
        b->lamps[b->num_lamps++] = lamp;
    }
    return bspi_heap_work(&own->heap, 1, error);
}

// --- what faces take ----------------------------------------------------------------------------

static void add_light(bspi_relight *own, bsp_relight_face *face, const bsp_relight_face *brought) {
    size_t each = (size_t)face->width * face->height * face->directions;
    for (uint32_t s = 0; s < brought->num_styles; s++) {
        bspi_face_style_add(own, face, brought->styles[s], brought->luxels + each * s);
    }
}

static void free_luxels(bspi_relight *own, const bsp_relight_face *face) {
    size_t each = (size_t)face->width * face->height * face->directions;
    bspi_heap_free(&own->heap, (void *)face->luxels,
                   face->luxels != NULL ? each * own->most_styles * sizeof *face->luxels : 0);
}

// Measures weak lamps at every so many-th luxel, and others at each.
static bool gather_both(bspi_relight *own, bspi_places *places, const bspi_lamp_list *weak,
                        const bspi_lamp_list *rest, bsp_relight_face *brought, bsp_error *error) {
    bsp_relight_face strong = {0};
    bspi_places some = *places;
    size_t size = places->count * sizeof(bool);
    some.step = STEP * places->extra;
    some.lit = bspi_heap_alloc(&own->heap, size, error);
    for (uint32_t n = 0; some.lit != NULL && n < places->count; n++) {
        some.lit[n] = places->lit[n] && bspi_place_counts(&some, n);
    }
    bool done = some.lit != NULL && bspi_gather_at(own, &some, weak, brought, error) &&
                bspi_gather_at(own, places, rest, &strong, error);
    if (done && strong.luxels != NULL && brought->luxels != NULL) {
        add_light(own, brought, &strong);
    } else if (done && strong.luxels != NULL) {
        *brought = strong;
        strong.luxels = NULL;
    }
    free_luxels(own, &strong);
    bspi_heap_free(&own->heap, some.lit, size);
    return done;
}

// Where not all luxels are measured, all lamps are at the same ones.
static bool gather(const bounce *b, bspi_places *places, bsp_relight_face *brought,
                   bsp_error *error) {
    bspi_relight *own = b->own;
    size_t room = b->num_lamps * sizeof(uint32_t);
    bspi_lamp_list weak = {.lamps = b->lamps};
    bspi_lamp_list rest = {.lamps = b->lamps};
    uint32_t *which = bspi_heap_alloc(&own->heap, room, error);
    if (which == NULL || !bspi_places_dirt(own, places, error) ||
        !bspi_thrown_find(&b->thrown, own, places, which, &weak.count, &rest.count, error)) {
        bspi_heap_free(&own->heap, which, room);
        return false;
    }
    weak.which = which;
    rest.which = which + b->num_lamps - rest.count;
    bool done;
    if (places->step > 1) {
        memmove(which + weak.count, rest.which, rest.count * sizeof *which);
        weak.count += rest.count;
        done = bspi_gather_at(own, places, &weak, brought, error);
    } else {
        done = gather_both(own, places, &weak, &rest, brought, error);
    }
    bspi_heap_free(&own->heap, which, room);
    return done;
}

static bool take(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    bounce *b = user;
    bspi_relight *own = b->own;
    bsp_relight_face *face = &own->faces[number];
    bsp_relight_face brought = {0};
    bspi_places places;
    uint8_t *row = NULL;
    (void)worker;
    if (face->luxels == NULL) {
        b->throwers[number].throws = false;
        return true;
    }
    if (!find_places(own, number, &places, error)) {
        return false;
    }
    bool done = bspi_face_row(own, number, &row, error);
    places.row = row;
    done = done && (places.count == 0 || gather(b, &places, &brought, error));
    if (done && brought.luxels != NULL) {
        add_light(own, face, &brought);
        take_means(&b->throwers[number], own, &places, &brought);
    }
    free_luxels(own, &brought);
    bspi_heap_free(&own->heap, row, own->map->visibility.row_bytes);
    bspi_places_free(own, &places);
    return done;
}

static bool take_all(bounce *b, bsp_error *error) {
    bspi_relight *own = b->own;
    uint32_t faces = own->map->num_faces;
    bspi_progress progress;
    return bspi_progress_begin(&progress, &own->options->progress, "bounce", faces, error) &&
           bspi_workers_stage(bspi_heap_threads(&own->heap), faces, take, b, &progress, error);
}

// --- all ----------------------------------------------------------------------------------------

// Keeps the lamps of a bounce for the light grid of the map, if it has one.
static bool note_thrown(bounce *b, bsp_error *error) {
    bspi_relight *own = b->own;
    bool wanted = bspi_octree_lump(own->file) != BSP_NONE ||
                  bspi_grids_lump(own->file) != BSP_NONE || own->options->grid > 0;
    for (uint32_t i = 0; wanted && i < b->num_lamps; i++) {
        bspi_lamp *more = bspi_grow(&own->heap, own->thrown, own->num_thrown, &own->thrown_room,
                                    sizeof *more, error);
        if (more == NULL) {
            return false;
        }
        own->thrown = more;
        own->thrown[own->num_thrown++] = b->lamps[i];
    }
    return true;
}

// Makes bounce `n`. Sets *ends if nothing is thrown any more.
static bool throw_on(bounce *b, uint32_t n, bool *ends, bsp_error *error) {
    bspi_relight *own = b->own;
    uint32_t faces = own->map->num_faces;
    bool done =
        n != 0 || bspi_workers_each(bspi_heap_threads(&own->heap), faces, measure, b, error);
    b->num_lamps = 0;
    for (uint32_t f = 0; done && f < faces; f++) {
        done = add_lamps(b, f, error);
    }
    *ends = b->num_lamps == 0;
    if (!done || *ends) {
        return done;
    }
    done = (!own->options->preview || bspi_bounce_merge(own, b->lamps, &b->num_lamps, error));
    own->relight.num_patches += n == 0 ? b->num_lamps : 0;
    done = done && note_thrown(b, error) &&
           bspi_thrown_begin(own, b->lamps, b->num_lamps, &b->thrown, error) && take_all(b, error);
    bspi_thrown_free(own, &b->thrown);
    bspi_count_bounce(own, n + 1);
    return done;
}

// Throws light as often as the rules say; if the light of the map tells of fewer bounces, so often.
static bool throw_all(bounce *b, bspi_bounce_told *told, uint32_t *count, bsp_error *error) {
    bspi_relight *own = b->own;
    bool ends = false;
    bool done = true;
    for (*count = 0; done && !ends && *count < own->scale.bounces; ++*count) {
        done = throw_on(b, *count, &ends, error);
        if (done && own->scale.counts && !ends) {
            bspi_bounce_told_look(own, told);
            bool fewer = !told->more && *count + 1 < own->scale.bounces;
            own->relight.bounces_stored = fewer;
            ends = fewer;
        }
    }
    told->more = told->more && !ends;
    return done;
}

// Goes on while the map has more light, and takes it back unless it comes much nearer to the map.
static bool throw_more(bounce *b, bspi_bounce_told *told, uint32_t count, bsp_error *error) {
    bspi_relight *own = b->own;
    bspi_bounce_kept kept;
    double off = told->off;
    bool ends = false;
    bool done = bspi_bounce_keep(own, &kept, error);
    for (uint32_t n = count; done && !ends && told->more && n < MOST_BOUNCES; n++) {
        done = throw_on(b, n, &ends, error);
        if (done && !ends) {
            bspi_bounce_told_look(own, told);
        }
    }
    own->relight.bounces_stored = done && told->off < (double)NEARER * off;
    if (done && !own->relight.bounces_stored) {
        bspi_bounce_restore(own, &kept);
    }
    bspi_bounce_kept_free(own, &kept);
    return done;
}

bool bspi_bounce_faces(bspi_relight *own, bspi_finisher finish, bsp_error *error) {
    bounce b = {.own = own};
    bspi_bounce_told told = {.finish = finish};
    uint32_t count;
    if (own->scale.counts && !bspi_bounce_told_begin(own, &told, error)) {
        return false;
    }
    if (own->scale.bounces == 0 && !told.more) {
        return true;
    }
    b.throwers = bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *b.throwers, error);
    bool done = b.throwers != NULL && bspi_colors_find(own, error) &&
                throw_all(&b, &told, &count, error) &&
                (!told.more || throw_more(&b, &told, count, error));
    bspi_heap_free(&own->heap, b.lamps, b.room * sizeof *b.lamps);
    return done;
}
