// SPDX-License-Identifier: MIT
// The light entities: colour, attenuation, cones. Facts: sheet source-versions (5.4), and the world
// lights of public maps, whose intensities these rules reproduce.
#include "keys.h"
#include "light.h"

#include "core/curves.h"
#include "core/text.h"

#include <math.h>

#define FIRST_SWITCHED 32u // styles from here on belong to lights that can be switched
#define GAMMA 2.2

// "r g b scale": the colour is brought from display to linear values.
static void read_colour(const world *w, const entity *e, const char *name, double out[3]) {
    double n[4] = {0, 0, 0, 200};
    uint32_t count = numbers_in(key_text(w, e, name), n, 4);
    for (int i = 0; i < 3; i++) {
        out[i] = count < 3 ? 0 : pow(n[i] / 255, GAMMA) * n[3];
    }
}

static vec3 read_direction(const world *w, const entity *e) {
    vec3 angles = key_vec(w, e, "angles");
    double pitch = key_number(w, e, "pitch", -angles.v[0]) * BSPI_PI / 180;
    double yaw = angles.v[1] * BSPI_PI / 180;
    return vec(cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), sin(pitch));
}

// Colours are meant as seen from 100 units away.
static void read_falloff(const world *w, const entity *e, lamp *l) {
    l->constant = key_number(w, e, "_constant_attn", 0);
    l->linear = key_number(w, e, "_linear_attn", 0);
    l->quadratic = key_number(w, e, "_quadratic_attn", 0);
    if (l->constant == 0 && l->linear == 0 && l->quadratic == 0) {
        l->quadratic = 1;
    }
    double at_100 = l->constant + 100 * l->linear + 10000 * l->quadratic;
    for (int i = 0; i < 3; i++) {
        l->colour[i] *= at_100;
    }
}

static void read_spot(const world *w, const entity *e, lamp *l) {
    double outer = key_number(w, e, "_cone", 10);
    l->inner = cos(key_number(w, e, "_inner_cone", outer) * BSPI_PI / 180);
    l->outer = cos(outer * BSPI_PI / 180);
    l->exponent = key_number(w, e, "_exponent", 0);
    l->direction = read_direction(w, e);
}

static void read_sky(world *w, const entity *e) {
    lamp ambient = {.kind = LIGHT_AMBIENT};
    lamp sun = {.kind = LIGHT_SKY, .direction = read_direction(w, e)};
    read_colour(w, e, "_ambient", ambient.colour);
    read_colour(w, e, "_light", sun.colour);
    PUSH(w->lamps, w->num_lamps, ambient);
    PUSH(w->lamps, w->num_lamps, sun);
}

// Lights of one name share a style.
static uint32_t switched_style(const world *w, const entity *e, bsp_text name, uint32_t *next) {
    for (const entity *other = w->entities; other < e; other++) {
        if (other->style != BSP_NONE &&
            bspi_text_equal_nocase(key_text(w, other, "targetname"), name)) {
            return other->style;
        }
    }
    return (*next)++;
}

void read_lamps(world *w) {
    uint32_t next = FIRST_SWITCHED;
    for (uint32_t i = 0; i < w->num_entities; i++) {
        entity *e = &w->entities[i];
        bool spot = is_class(e, "light_spot");
        if (is_class(e, "light_environment")) {
            read_sky(w, e);
        }
        if (!spot && !is_class(e, "light")) {
            continue;
        }
        lamp l = {.kind = spot ? LIGHT_SPOT : LIGHT_POINT,
                  .origin = e->origin,
                  .style = (uint32_t)key_number(w, e, "style", 0)};
        bsp_text name = key_text(w, e, "targetname");
        if (name.data != NULL) {
            e->style = switched_style(w, e, name, &next);
            l.style = e->style;
        }
        l.cluster = w->leaves[leaf_at(w, &w->models[0], e->origin)].cluster;
        read_colour(w, e, "_light", l.colour);
        read_falloff(w, e, &l);
        if (spot) {
            read_spot(w, e, &l);
        }
        PUSH(w->lamps, w->num_lamps, l);
    }
}

// --- what a lamp gives --------------------------------------------------------------------------

static double cone(const lamp *l, vec3 from) {
    double along = -dot(from, l->direction);
    if (along <= l->outer) {
        return 0;
    }
    double part = along >= l->inner ? 1 : (along - l->outer) / (l->inner - l->outer);
    if (l->exponent != 0 && l->exponent != 1) {
        part = pow(part, l->exponent);
    }
    return along * part;
}

bool lamp_reaches(const lamp *l, vec3 point, colour *out, vec3 *from) {
    double k = 1;
    if (l->kind == LIGHT_SKY) {
        *from = scaled(l->direction, -1);
    } else {
        double distance = length(sub(l->origin, point));
        distance = distance < 1 ? 1 : distance;
        *from = unit(sub(l->origin, point));
        k = 1 / (l->constant + l->linear * distance + l->quadratic * distance * distance);
        k *= l->kind == LIGHT_SPOT ? cone(l, *from) : 1;
    }
    for (int i = 0; i < 3; i++) {
        out->v[i] = l->colour[i] * k;
    }
    if (k * (l->colour[0] + l->colour[1] + l->colour[2]) < 0.01) {
        return false;
    }
    return l->kind == LIGHT_SKY ? trace_sky(point, *from) : trace_clear(point, l->origin);
}

// The part of the half sphere over the surface that is sky, in 26 directions.
colour lamp_ambient(const lamp *l, vec3 point, vec3 normal) {
    double all = 0;
    double seen = 0;
    for (int d = 0; d < 27; d++) {
        vec3 way = unit(vec(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1));
        double facing = dot(way, normal);
        if (facing > 0.01) {
            all += facing;
            seen += trace_sky(point, way) ? facing : 0;
        }
    }
    colour out;
    for (int i = 0; i < 3; i++) {
        out.v[i] = all == 0 ? 0 : l->colour[i] * seen / all;
    }
    return out;
}
