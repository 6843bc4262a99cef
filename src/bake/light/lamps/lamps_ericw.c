// SPDX-License-Identifier: MIT
// Lamps by the rules of ericw-tools' light. Keys and formulas: sheet bake, 3.2; its documentation.
#include "bake/light/lamps/ericw.h"
#include "bake/light/lamps/face_rows.h"

#include "query/masks.h"

#include <math.h>

#define GATE (1 / 1000.0f) // of 255: what is weaker is left out
#define MOST_BOUNCES 100

static void read_world(bspi_ericw *e) {
    bspi_light_scale *scale = &e->own->scale;
    const bsp_light_rules *rules = &e->own->map->traits->lights;
    float color[3] = {1, 1, 1};
    *scale = (bspi_light_scale){
        .curve = {.gain = rules->range, .full = 255, .cap = 255},
        .lift = 1,
        .gate = GATE,
        .mask = BSPI_SOLID_MASK,
    };
    scale->bounces = rules->bounces;
    scale->bounce = rules->bounce_scale;
    scale->tint = rules->bounce_tint;
    scale->styled = rules->surfaces_styled;
    scale->surface = scale->sky = rules->surface_scale;
    scale->distance = 1;
    scale->dirt_depth = 128;
    scale->dirt_angle = 88;
    scale->dirt_gain = scale->dirt_scale = 1;
    e->angle = 0.5f;
    e->distance = 1;
    e->radiates = rules->surfaces_styled;
    e->shows = rules->surface_shows;
    if (e->world == NULL) {
        return;
    }
    e->angle = bspi_key_number(e->world, "_anglescale",
                               bspi_key_number(e->world, "_anglesense", e->angle));
    e->distance = bspi_key_number(e->world, "_dist", 1);
    e->dirty = scale->dirt =
        bspi_key_number(e->world, "_dirt", bspi_key_number(e->world, "_dirty", 0)) > 0;
    scale->least_dirty = bspi_key_number(e->world, "_minlight_dirt", e->dirty ? 1 : 0) != 0;
    scale->dirt |= scale->least_dirty || bspi_key_number(e->world, "_sunlight_dirt", 0) > 0 ||
                   bspi_key_number(e->world, "_sunlight2_dirt", 0) > 0;
    scale->dirt_depth = fmaxf(1, bspi_key_number(e->world, "_dirtdepth", scale->dirt_depth));
    float cone = bspi_key_number(e->world, "_dirtangle", scale->dirt_angle);
    scale->dirt_angle = fmaxf(1, fminf(90, cone));
    scale->curve.most = BSPI_MOST * bspi_key_number(e->world, "_maxlight", 0);
    e->by_target = bspi_key_number(e->world, "_spotlightautofalloff", 0) != 0;
    e->radiates = bspi_key_number(e->world, "_surflight_radiosity", e->radiates ? 1 : 0) == 1;
    e->shows = bspi_key_number(e->world, "_surflight_minlight_scale", e->shows);
    scale->dirt_gain = bspi_key_number(e->world, "_dirtgain", 1);
    scale->dirt_scale = bspi_key_number(e->world, "_dirtscale", 1);
    scale->curve.gain = bspi_key_number(e->world, "_range", scale->curve.gain);
    scale->curve.gamma =
        bspi_key_number(e->world, "_lightmapgamma", bspi_key_number(e->world, "_gamma", 1));
    scale->bounces =
        (uint32_t)bspi_key_whole(e->world, "_bounce", (int)scale->bounces, 0, MOST_BOUNCES);
    scale->bounce = bspi_key_number(e->world, "_bouncescale", scale->bounce);
    scale->tint = bspi_key_number(e->world, "_bouncecolorscale", scale->tint);
    scale->styled = bspi_key_number(e->world, "_bouncestyled", scale->styled ? 1 : 0) != 0;
    scale->surface = bspi_key_number(e->world, "_surflightscale", scale->surface);
    scale->sky = bspi_key_number(e->world, "_surflightskyscale", scale->sky);
    scale->sky_distance = bspi_key_number(e->world, "_surflightskydist", 0);
    scale->distance = e->distance;
    float least = bspi_key_number(e->world, "_light", bspi_key_number(e->world, "_minlight", 0));
    (void)(bspi_key_color(e->world, "_minlight_color", color) ||
           bspi_key_color(e->world, "_mincolor", color));
    for (int i = 0; i < 3; i++) {
        scale->minimum[i] = least * color[i];
    }
    scale->curve.adds = bspi_key_number(e->world, "_addmin", 0) != 0;
}

bool bspi_lamps_ericw(bspi_relight *own, bsp_error *error) {
    bspi_ericw e = {.own = own, .world = bspi_lit_world(own)};
    bspi_random_begin(&e.random);
    read_world(&e);
    return bspi_face_clusters_find(own, error) && bspi_ericw_points(&e, error) &&
           bspi_ericw_skies(&e, error) && bspi_lamps_surfaces(own, error);
}
