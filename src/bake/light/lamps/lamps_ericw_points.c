// SPDX-License-Identifier: MIT
// Lights that stand somewhere by the rules of ericw-tools' light, and those that stand for surfaces
// ("_surface"). Source: light/entities.cc of ericw-tools.
#include "bake/light/base/leaf_faces.h"
#include "bake/light/base/surface_keys.h"
#include "bake/light/lamps/ericw.h"
#include "bake/light/lamps/slide.h"
#include "bake/light/places/places.h"

#include "core/curves.h"
#include "core/text.h"
#include "formats/quake_contents.h"
#include "query/liquids.h"
#include "query/open_sky.h"

#include <math.h>
#include <string.h>

#define CHOP 128.0f // units: the longest edge of what a "_surface" light stands for
#define OFFSET 2.0f // units from the surface to what stands for it
#define CONE 40.0f  // whole angle of a spot, degrees
#define FOV 90.0f   // degrees of a picture that is thrown
#define SAMPLES 16  // of a light that is spread
#define MOST_SAMPLES 1024

// A light as its keys have it, and how it is spread.
typedef struct light {
    bspi_ericw *e;
    const bsp_entity *entity;
    bspi_lamp lamp;
    float spread;     // units, along each axis
    uint32_t samples; // at which it stands
    bool held;        // it is not moved out of solid
} light;

// --- what its keys say --------------------------------------------------------------------------

static void set_fade(const bsp_entity *entity, bspi_lamp *lamp) {
    static const bspi_fade fades[] = {BSPI_FADE_LINE,   BSPI_FADE_INVERSE, BSPI_FADE_SQUARE,
                                      BSPI_FADE_NONE,   BSPI_FADE_NONE,    BSPI_FADE_SOFT,
                                      BSPI_FADE_CLAMPED};
    int delay = bspi_key_whole(entity, "_delay", 0, -1, 7);
    delay = delay >= 0 && delay <= 6 ? delay : 0;
    float falloff = bspi_key_number(entity, "_falloff", 0);
    lamp->fade = fades[delay];
    lamp->kind = delay == 4 ? BSPI_LAMP_LEAST : BSPI_LAMP_PLACED;
    if (delay == 0 && falloff > 0) {
        lamp->fade = BSPI_FADE_RANGE;
        lamp->range = falloff;
    } else if (delay == 6) {
        lamp->range = 128;
    }
}

// Sets how far the lamp reaches before the gate holds it back.
static void set_reach(const bspi_light_scale *scale, bspi_lamp *lamp) {
    float most = fabsf(lamp->light) * bspi_lamp_most(lamp);
    float ratio = most / scale->gate;
    float unit = lamp->wait > 0 ? 1 / lamp->wait : 0;
    switch (lamp->fade) {
    case BSPI_FADE_LINE:
        lamp->reach = fabsf(lamp->light) * unit;
        break;
    case BSPI_FADE_RANGE:
        lamp->reach = lamp->range;
        break;
    case BSPI_FADE_INVERSE:
        lamp->reach = 128 * ratio * unit;
        break;
    case BSPI_FADE_SQUARE:
    case BSPI_FADE_SOFT:
        lamp->reach = 128 * sqrtf(ratio) * unit;
        break;
    case BSPI_FADE_CLAMPED:
        lamp->reach = sqrtf(ratio) * unit;
        break;
    case BSPI_FADE_NONE:
    case BSPI_FADE_WORLD:
        break;
    }
}

// Sets the cone of a spot.
static void set_cone(const bspi_ericw *e, const bsp_entity *entity, bspi_lamp *lamp) {
    const char *spread = e->own->map->traits->lights.spread; // what it is without either key
    float usual = spread != NULL && spread[0] == '_' ? 2 * e->own->map->traits->lights.cone : CONE;
    float cone = bspi_key_number(entity, "_angle", usual);
    cone = 2 * bspi_key_number(entity, "_cone", cone / 2);
    float soft = bspi_key_number(entity, "_softangle", 0);
    cone = cone > 0 ? cone : usual;
    lamp->outer = bspi_cosine(bspi_radians(cone / 2));
    lamp->inner = soft > 0 && soft < cone ? bspi_cosine(bspi_radians(soft / 2)) : lamp->outer;
}

// Sets where a light shines that is a spot. Returns the units to its target; 0 without one.
static float set_spot(const bspi_ericw *e, const bsp_entity *entity, bspi_lamp *lamp) {
    float mangle[3];
    float target[3];
    float away = 0;
    if (bspi_aim_at(e->own, entity, lamp->origin, lamp->direction)) { // counts before an angle
        (void)bspi_key_point(bspi_target_of(&e->own->targets, entity), "origin", target);
        for (int i = 0; i < 3; i++) {
            away += (target[i] - lamp->origin[i]) * (target[i] - lamp->origin[i]);
        }
    } else if (bspi_key_point(entity, "mangle", mangle)) {
        bspi_light_look((double)mangle[1], (double)mangle[0], lamp->direction);
    } else if (bspi_key(entity, "_surface").size == 0 ||
               bspi_key_number(entity, "_surface_spotlight", 0) == 0) {
        return 0;
    }
    set_cone(e, entity, lamp);
    return sqrtf(away);
}

// "_spotlightautofalloff": a spot ends where its cone is as wide as it is at its target.
static void end_at_target(const bspi_ericw *e, float away, bspi_lamp *lamp) {
    if (e->by_target && away > 0 && lamp->fade == BSPI_FADE_LINE) {
        float sine = sqrtf(fmaxf(0, 1 - lamp->outer * lamp->outer));
        lamp->fade = BSPI_FADE_RANGE;
        lamp->range = away + away * sine / lamp->outer;
    }
}

// Sets the picture that a light throws. Without its texture it shines as others do.
static bool set_slide(const bspi_ericw *e, const bsp_entity *entity, bspi_lamp *lamp,
                      bsp_error *error) {
    bspi_relight *own = e->own;
    uint32_t material;
    const bsp_textures_options options = {.allocator = own->options->allocator,
                                          .budget = own->options->budget};
    float turns[3] = {20, 0, 0};
    float angles[3];
    if (!bspi_material_named(own, bspi_key(entity, "_project_texture"), &material, error)) {
        return false;
    }
    if (material == BSP_NONE) {
        return true;
    }
    bspi_lamp_slide *slide = bspi_arena_zero(&own->arena, 1, sizeof *slide, error);
    bsp_textures *opened = own->options->textures == NULL && slide != NULL
                               ? bsp_textures_open(NULL, own->map, &options, error)
                               : NULL;
    const bsp_textures *textures = opened != NULL ? opened : own->options->textures;
    bool done = slide != NULL && textures != NULL &&
                bspi_picture_read(own, textures, material, &slide->picture, error);
    bsp_textures_close(opened);
    if (!done || slide->picture.width == 0) {
        return done;
    }
    if (bspi_numbers(bspi_key(entity, "_project_mangle"), turns, 3) < 1 &&
        !bspi_key_point(entity, "mangle", turns)) {
        (void)bspi_key_point(entity, "angles", angles);
        turns[0] = angles[1];
        turns[1] = -angles[0];
        turns[2] = angles[2];
    }
    float degrees = bspi_key_number(entity, "_project_fov", FOV);
    bspi_slide_turn(slide, lamp->origin, turns, fmaxf(1, fminf(179, degrees)));
    lamp->slide = slide;
    return true;
}

static void find_spread(light *l) {
    int samples = bspi_key_whole(l->entity, "_samples", SAMPLES, 0, MOST_SAMPLES);
    l->spread = bspi_key_number(l->entity, "_deviance", 0);
    samples = samples == 0 ? SAMPLES : samples;
    l->samples = l->spread > 0 ? (uint32_t)samples : 1;
}

// How a light is spread: at most formulas its copies share its strength.
static void set_spread(light *l) {
    bspi_lamp *lamp = &l->lamp;
    bool shared = lamp->fade == BSPI_FADE_INVERSE || lamp->fade == BSPI_FADE_SQUARE ||
                  lamp->fade == BSPI_FADE_SOFT ||
                  (lamp->fade == BSPI_FADE_NONE &&
                   (lamp->kind == BSPI_LAMP_PLACED || l->e->own->scale.curve.adds));
    find_spread(l);
    lamp->light /= shared ? (float)l->samples : 1;
}

// --- adding it ----------------------------------------------------------------------------------

// A light in solid is moved out of it, if two units are enough.
static void free_lamp(const light *l, bspi_lamp *lamp) {
    float point[3];
    for (int i = 0; i < BSPI_PLACES_BESIDE && !l->held; i++) {
        bspi_place_beside(lamp->origin, i, point);
        if (!bspi_place_in_world(l->e->own, point)) {
            memcpy(lamp->origin, point, sizeof point);
            return;
        }
    }
}

// Adds one lamp for each place at which a light stands.
static bool add_spread(const light *l, const bspi_lamp *whole, bsp_error *error) {
    bool done = true;
    for (uint32_t n = 0; done && n < l->samples; n++) {
        bspi_lamp lamp = *whole;
        for (int i = 0; n != 0 && i < 3; i++) {
            lamp.origin[i] += bspi_random_next(&l->e->random) * l->spread;
        }
        free_lamp(l, &lamp);
        done = lamp.light == 0 || bspi_lamp_add(l->e->own, &lamp, error);
    }
    return done;
}

static bool read_light(bspi_ericw *e, const bsp_entity *entity, light *out, bsp_error *error) {
    *out = (light){.e = e, .entity = entity, .lamp = bspi_ericw_lamp(e, entity)};
    bspi_lamp *lamp = &out->lamp;
    (void)bspi_key_point(entity, "origin", lamp->origin);
    lamp->wait = bspi_key_number(entity, "_wait", 1);
    lamp->wait = (lamp->wait > 0 ? lamp->wait : 1) * e->distance;
    lamp->bleeds = bspi_key_number(entity, "_bleed", 0) != 0;
    lamp->channels = bspi_key_channels(entity, "_light_channel_mask", BSPI_CHANNEL);
    lamp->stops = bspi_key_channels(entity, "_shadow_channel_mask", lamp->channels);
    out->held = bspi_key_number(entity, "_nonudge", 0) != 0 || lamp->channels != BSPI_CHANNEL ||
                lamp->stops != BSPI_CHANNEL;
    set_fade(entity, lamp);
    if (lamp->fade == BSPI_FADE_CLAMPED) {
        lamp->light *= 128 * 128;
    }
    end_at_target(e, set_spot(e, entity, lamp), lamp);
    set_spread(out);
    set_reach(&e->own->scale, lamp);
    return set_slide(e, entity, lamp, error);
}

static bool is_placed(const bsp_entity *entity) {
    return !bspi_ericw_is_sky(entity) && bspi_key_number(entity, "_nostaticlight", 0) == 0 &&
           bspi_key(entity, "_switchableshadow_target").size == 0;
}

// The compiler spreads lights that do not shine, too.
static bool pass_over(bspi_ericw *e, const bsp_entity *entity, bsp_error *error) {
    light l = {.e = e, .entity = entity};
    find_spread(&l);
    for (uint32_t n = 3; bspi_key_number(entity, "_sun", 0) == 0 && n < 3 * l.samples; n++) {
        (void)bspi_random_next(&e->random);
    }
    return bspi_heap_work(&e->own->heap, 1 + l.samples, error);
}

static bool add_point(void *user, const bsp_entity *entity, bsp_error *error) {
    light l;
    if (!is_placed(entity) || bspi_key(entity, "_surface").size != 0) {
        return pass_over(user, entity, error);
    }
    return read_light(user, entity, &l, error) && add_spread(&l, &l.lamp, error);
}

// --- lights of surfaces -------------------------------------------------------------------------

// Spreads the copies of a light that were added from `first` on.
static bool spread_copies(const light *l, uint32_t first, bsp_error *error) {
    bspi_relight *own = l->e->own;
    uint32_t end = own->num_lamps;
    bool done = true;
    for (uint32_t i = first; done && i < end; i++) {
        bspi_lamp lamp = own->lamps[i];
        free_lamp(l, &own->lamps[i]);
        for (uint32_t n = 1; done && n < l->samples; n++) {
            bspi_lamp copy = lamp;
            for (int c = 0; c < 3; c++) {
                copy.origin[c] += bspi_random_next(&l->e->random) * l->spread;
            }
            free_lamp(l, &copy);
            done = bspi_lamp_add(own, &copy, error);
        }
    }
    return done;
}

// The surface is as bright itself as its light is strong.
static bool show_surface(const light *l, uint32_t face, const float color[3], bsp_error *error) {
    bspi_relight *own = l->e->own;
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    bool given = bspi_key(l->entity, "_surflight_minlight_scale").size != 0;
    float shows = bspi_key_number(l->entity, "_surflight_minlight_scale", l->e->shows);
    shows = given ? shows * bspi_said(keys->shows, 1) : bspi_said(keys->shows, shows);
    if (own->glow == NULL) {
        own->glow = bspi_arena_zero(&own->arena, own->map->num_faces, sizeof *own->glow, error);
    }
    for (int c = 0; own->glow != NULL && l->lamp.style == 0 && c < 3; c++) {
        own->glow[face][c] = fmaxf(own->glow[face][c], l->lamp.light * shows * color[c]);
    }
    return own->glow != NULL;
}

// Adds a surface that shines as a whole.
static bool add_whole(const light *l, uint32_t face, bsp_error *error) {
    bspi_relight *own = l->e->own;
    bool colored = bspi_key(l->entity, "_color").size != 0;
    bool spot = bspi_key_number(l->entity, "_surface_spotlight", 1) != 0;
    bool sky = bspi_key_number(l->entity, "_surface_is_sky", 0) != 0;
    uint32_t material = bsp_surface_material(own->map, face);
    bspi_lamp lamp = {.outer = -2,
                      .light = truncf(l->lamp.light),
                      .style = l->lamp.style,
                      .fade = BSPI_FADE_CLAMPED};
    if (!bspi_colors_find(own, error)) {
        return false;
    }
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    const float *color = colored         ? l->lamp.color
                         : keys->colored ? keys->color
                                         : own->colors[material].mean;
    return show_surface(l, face, color, error) &&
           bspi_ericw_surface(own, face, &lamp, color, !spot, sky, error);
}

// Adds what a light stands for at a face.
static bool add_face(const light *l, uint32_t face, bool whole, bsp_error *error) {
    float offset = bspi_key_number(l->entity, "_surface_offset", 0);
    bool spot = bspi_key_number(l->entity, "_surface_spotlight", 0) != 0;
    return whole ? add_whole(l, face, error)
                 : bspi_emitters_copy(l->e->own, face, CHOP, offset != 0 ? offset : OFFSET, spot,
                                      &l->lamp, error);
}

// Is the face one that shines into the leaf that it is in? Liquids do so where there is air.
static bool is_before(const bsp_map *map, const bsp_leaf *leaf, uint32_t face) {
    bool wet = map->traits->contents_numbers ? leaf->contents != BSPI_CONTENTS_EMPTY
                                             : bspi_liquids_of(map, leaf->contents) != 0;
    return !wet ||
           (bsp_surface_bits_of(map, face) & (BSP_SURFACE_LIQUID | BSP_SURFACE_TRANSLUCENT)) == 0;
}

// Adds what a light stands for at the faces of a texture, in the order of the leaves that they are
// in.
static bool add_faces(const light *l, bsp_text name, bool whole, bool *seen, bsp_error *error) {
    const bsp_map *map = l->e->own->map;
    float group = bspi_key_number(l->entity, "_surflight_group", 0);
    if (!bspi_leaf_faces_pay(l->e->own, error)) {
        return false;
    }
    for (uint32_t n = 0; n < map->num_leaves; n++) {
        const bsp_leaf *leaf = &map->leaves[n];
        for (uint32_t i = 0; i < leaf->num_faces; i++) {
            uint32_t at = leaf->first_face + i;
            uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
            if (face >= map->num_faces || seen[face] || !is_before(map, leaf, face)) {
                continue;
            }
            seen[face] = true;
            uint32_t material = bsp_surface_material(map, face);
            bool named = material < map->num_materials &&
                         bspi_surface_keys_of(l->e->own, face)->group == group &&
                         bspi_text_equal_nocase(map->materials[material].name, name);
            if (named && !add_face(l, face, whole, error)) {
                return false;
            }
        }
    }
    return true;
}

// A light with "_surface" stands for one before each piece of the faces of that texture, or for
// those faces.
static bool add_template(void *user, const bsp_entity *entity, bsp_error *error) {
    bspi_ericw *e = user;
    bspi_heap *heap = &e->own->heap;
    bsp_text name = bspi_key(entity, "_surface");
    light l;
    if (!is_placed(entity) || name.size == 0) {
        return true;
    }
    if (!read_light(e, entity, &l, error) || l.lamp.light == 0) {
        return l.lamp.light == 0;
    }
    bool *seen = bspi_heap_alloc(heap, e->own->map->num_faces, error);
    if (seen == NULL) {
        return false;
    }
    memset(seen, 0, e->own->map->num_faces);
    bool whole = bspi_key_number(entity, "_surface_radiosity", e->radiates ? 1 : 0) == 1;
    uint32_t first = e->own->num_lamps;
    bool done =
        add_faces(&l, name, whole, seen, error) && (whole || spread_copies(&l, first, error));
    bspi_heap_free(heap, seen, e->own->map->num_faces);
    return done;
}

bool bspi_ericw_points(bspi_ericw *e, bsp_error *error) {
    return bspi_lights_each(e->own, add_point, e, error) &&
           bspi_lights_each(e->own, add_template, e, error);
}
